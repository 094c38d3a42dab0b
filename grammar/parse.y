/* parse.y - the grammar of grammar.md, word for word, without a conflict and without a pattern's
 * name.
 *
 * Statements are words around one equation, so a new pattern or clause never comes here: what
 * follows an equation is a flat list of words that sema splits by the pattern's clause table.
 *
 * An action is one call of a constructor (ast.c).  A list is a node under construction: see ast.h.
 *
 * Errors: the parser resumes at the next declaration, inside bodies at ';' and behind a balanced
 * pair of braces.  It reduces only when a rule is certain (default reductions in consistent
 * states only), so that an error is found before anything is made of the text in front of it,
 * and what is expected there can be said. */
%code requires {
#include "ast.h"
}
%code provides {
int yylex(YYSTYPE *, YYLTYPE *, struct parser *);
}
%code {
#include <stdlib.h>
#include <string.h>

#define YYMAXDEPTH 10000
#define YYMALLOC mem_new        /* ends with status 3, where Bison would call yyerror */
#define YYFREE(stack) ((void)(stack))
#define YYLLOC_DEFAULT(now, rhs, n) \
	((now) = (n) ? span_join(YYRHSLOC(rhs, 1), YYRHSLOC(rhs, n)) \
		: span_behind(YYRHSLOC(rhs, 0)))

static struct span span_behind(struct span s)
{
	return (struct span){ s.file, s.last_line, s.last_col, s.last_line, s.last_col };
}

static void yyerror(YYLTYPE *, struct parser *, const char *);
}

%require "3.6"
%expect 0
%define api.pure full
%define api.location.type {struct span}
%define parse.error custom
%define parse.lac full
%define lr.default-reduction consistent
%locations
%param {struct parser *p}

%union {
	const char *name;
	struct ast *ast;
	struct ast_range *range;
	struct ast_equation *equation;
	struct ast_stmt *stmt;
	struct ast_inner *inner;
	struct ast_param *param;
	struct ast_names *names;
	struct ast_pin *pin;
	struct ast_case *test;
	struct ast_decl *decl;
}

%token END 0 "end of file"
%token <name> NAME "a name" NUMBER "a number" STRING "a string" LITERAL "a literal" OPEQ "op="
%token CONST "const" USE "use" STRUCT "struct" FN "fn" OP "op" EXTERN "extern" KERNEL "kernel"
	SCHEDULE "schedule" LET "let" VAR "var" IF "if" ELSE "else" FOR "for" WHILE "while"
	RETURN "return" BREAK "break" CONTINUE "continue" REPEAT "repeat" UNTIL "until" IN "in"
	REQUIRE "require" WHERE "where" USING "using"
%token TEST "test" WHEN "when" AT "at"
%token DIST "○" ACC "◇" ARROW "->" DOTS ".." SHL "<<" SHR ">>" LE "<=" GE ">=" EQ "==" NE "!="
	AND "&&" OR "||" ADD "+" SUB "-" MUL "*" DIV "/" REM "%" BITAND "&" BITOR "|" BITXOR "^"
	BITNOT "~" NOT "!" LT "<" GT ">" SET "=" QUERY "?" COLON ":" SEMI ";" COMMA "," DOT "."
	LPAREN "(" RPAREN ")" LBRACK "[" RBRACK "]" LBRACE "{" RBRACE "}"

%type <decl> decl fields signature params_opt params laws_opt laws pins schedule checks
%type <test> case settings settings_opt outcome
%type <param> param
%type <names> names
%type <pin> pin
%type <stmt> body stmts stmt branch equations tail clause ranges binds
%type <equation> equation targets
%type <inner> block inners inner choice
%type <ast> type type_opt words_opt words phrase_opt phrase atom limit
%type <ast> exprs_opt exprs subs items expr or and cmp acc dist bor bxor band shift sum term unary
%type <ast> primary named given
%type <range> range item
%type <name> assign op_name comparison sign

%%

/* ---- declarations ---- */

file	: %empty
	| file decl             { parser_decl(p, $decl); }
	| file error decl       { parser_decl(p, $decl); }
	;
decl	: "const" NAME ":" type "=" expr ";"
				{ $$ = decl_typed(decl_new(DECL_CONST, @2, $2), $type, $expr); }
	| "use" STRING ";"      { $$ = decl_new(DECL_USE, @2, $2); }
	| "struct" NAME "{" fields "}"
				{ $$ = decl_named($fields, @2, $2); }
	| "fn" NAME signature "=" expr ";"
				{ $$ = decl_function(DECL_FN, @2, $2, $3, $expr, NULL, NULL); }
	| "fn" NAME signature block
				{ $$ = decl_function(DECL_FN, @2, $2, $3, NULL, $block, NULL); }
	| "op" NAME signature "=" expr laws_opt ";"
				{ $$ = decl_function(DECL_OP, @2, $2, $3, $expr, NULL, $6); }
	| "op" NAME signature block laws_opt ";"
				{ $$ = decl_function(DECL_OP, @2, $2, $3, NULL, $block, $5); }
	| "extern" "fn" NAME signature phrase_opt ";"
				{ $$ = decl_claim(decl_named($signature, @3, $3), $5); }
	| "kernel" NAME "(" params_opt ")" body
				{ $$ = decl_kernel(@2, $2, $params_opt, $body); }
	| "kernel" NAME error body
				{ $$ = decl_kernel(@2, $2, NULL, $body); }
	| "schedule" NAME "for" phrase "{" schedule "}"
				{ $$ = decl_claim(decl_named($6, @2, $2), $phrase); }
	| "test" NAME phrase_opt "{" checks "}"
				{ $$ = decl_claim(decl_named($checks, @2, $2), $phrase_opt); }
	;
fields	: names ":" type        { $$ = decl_field(NULL, @$, $1, $type); }
	| fields "," names ":" type
				{ $$ = decl_field($1, @$, $3, $type); }
	;
names	: NAME                  { $$ = names_add(NULL, @1, $1); }
	| names "," NAME        { $$ = names_add($1, @3, $3); }
	;
signature
	: "(" params_opt ")" "->" type
				{ $$ = decl_typed($2, $type, NULL); }
	;
params_opt
	: %empty                { $$ = decl_new(DECL_EXTERN, @$, NULL); }
	| params
	;
params	: param                 { $$ = decl_param(NULL, @$, $1); }
	| params "," param      { $$ = decl_param($1, @$, $3); }
	;
param	: NAME ":" type phrase_opt
				{ $$ = param_new(@1, NULL, $1, $type, $4); }
	| NAME NAME ":" type phrase_opt
				{ $$ = param_new(@2, $1, $2, $type, $5); }
	;
type	: NAME                  { $$ = ast_new(A_NAME, @$, $1); }
	| NAME "[" exprs "]"    { $$ = ast_index(ast_subscripts($3), @$, $1, NULL); }
	;
schedule
	: %empty                { $$ = decl_new(DECL_SCHEDULE, @$, NULL); }
	| schedule pin ";"      { $$ = decl_pin($1, $2); }
	| schedule error ";"    { yyerrok; }
	;
pin	: pins                  { $$ = pin_new(@$, NULL, $1, NULL); }
	| pins "when" expr      { $$ = pin_new(@$, NULL, $1, $3); }
	| NAME ":" pins         { $$ = pin_new(@1, $1, $3, NULL); }
	| NAME ":" pins "when" expr
				{ $$ = pin_new(@1, $1, $3, $5); }
	;

/* ---- tests ---- */

checks	: %empty                { $$ = decl_new(DECL_TEST, @$, NULL); }
	| checks case           { $$ = decl_case($1, $2); }
	| checks decl           { $$ = decl_inside($1, $2); }
	| checks error ";"      { yyerrok; }
	;
case	: NAME "(" settings_opt ")" outcome ";"
				{ $$ = case_new(@$, $1, $settings_opt, $outcome); }
	;
outcome	: %empty                { $$ = NULL; }
	| "->" settings words_opt
				{ $$ = case_words($settings, $words_opt); }
	| "->" words            { $$ = case_words(NULL, $words); }
	;
settings_opt
	: %empty                { $$ = NULL; }
	| settings
	;
settings
	: NAME "=" given        { $$ = case_setting(NULL, @$, $1, $given); }
	| settings "," NAME "=" given
				{ $$ = case_setting($1, span_join(@3, @5), $3, $given); }
	;
given	: expr
	| STRING                { $$ = ast_new(A_STRING, @$, $1); }
	;

/* ---- statements ---- */

body	: "{" stmts "}"         { $$ = $2; }
	| "{" stmts error "}"   { $$ = $2; }
	;
stmts	: %empty                { $$ = stmt_new(S_PATTERN, @$, NULL); }
	| stmts stmt            { $$ = stmt_body($1, $2); }
	| stmts error ";"       { yyerrok; }
	| stmts error body      { yyerrok; }
	;
stmt	: NAME ":" stmt         { $$ = stmt_label($3, @1, $1); }
	| NAME targets tail ";" { $$ = stmt_pattern(stmt_equation(NULL, $2), @1, $1, $tail); }
	| NAME equations tail ";"
				{ $$ = stmt_pattern($equations, @1, $1, $tail); }
	| "let" NAME ":" type phrase_opt ";"
				{ $$ = stmt_let(@2, $2, $type, NULL, $5); }
	| "let" NAME ":" type "=" expr ";"
				{ $$ = stmt_let(@2, $2, $type, $expr, NULL); }
	| "require" exprs ";"   { $$ = stmt_require(@1, $exprs); }
	| NAME "(" exprs ")" ";"
				{ $$ = stmt_call(@1, $1, $exprs); }
	| "repeat" NAME "<" expr words_opt body
				{ $$ = stmt_repeat(S_REPEAT_COUNT, @1, $2, $expr, $5, $body); }
	| "repeat" "until" expr words_opt body
				{ $$ = stmt_repeat(S_REPEAT_UNTIL, @1, NULL, $expr, $4, $body); }
	| branch
	;
branch	: "if" expr body        { $$ = stmt_if(@1, $expr, $body, NULL); }
	| "if" expr body[yes] "else" body[no]
				{ $$ = stmt_if(@1, $expr, $yes, $no); }
	| "if" expr body "else" branch[next]
				{ $$ = stmt_if(@1, $expr, $body, stmt_body(NULL, $next)); }
	;
equations
	: equation              { $$ = stmt_equation(NULL, $1); }
	| equations "," equation
				{ $$ = stmt_equation($1, $3); }
	;
equation
	: targets assign expr   { $$ = equation_right($1, @$, $assign, $expr); }
	| targets "in" expr[left] "=" expr[right]
				{ $$ = equation_solved($1, @$, $left, $right); }
	;
targets	: named                 { $$ = equation_target(NULL, @$, $1); }
	| targets "," named     { $$ = equation_target($1, @$, $3); }
	;
assign	: "="                   { $$ = str_name("="); }
	| OPEQ
	| NAME "="
	;
tail	: words_opt             { $$ = stmt_words(NULL, $1); }
	| tail clause words_opt { $$ = stmt_words(stmt_clause($1, @2, $2), $3); }
	;
clause	: "where" expr          { $$ = stmt_where(@$, $2); }
	| "else" atom           { $$ = stmt_otherwise(@$, $2); }
	| "else" "(" exprs ")"  { $$ = stmt_otherwise(@$, $exprs); }
	| "for" ranges          { $$ = $2; }
	| "using" binds         { $$ = $2; }
	;
ranges	: range                 { $$ = stmt_range(NULL, $1); }
	| ranges "," range      { $$ = stmt_range($1, $3); }
	;
binds	: sign "=" op_name      { $$ = stmt_bind(NULL, @$, $1, $3); }
	| binds "," sign "=" op_name
				{ $$ = stmt_bind($1, @$, $3, $5); }
	;
sign	: DIST                  { $$ = str_name("○"); }
	| ACC                   { $$ = str_name("◇"); }
	;
op_name	: NAME
	| "+"                   { $$ = str_name("+"); }
	| "-"                   { $$ = str_name("-"); }
	| "*"                   { $$ = str_name("*"); }
	| "/"                   { $$ = str_name("/"); }
	| "&"                   { $$ = str_name("&"); }
	| "|"                   { $$ = str_name("|"); }
	| "^"                   { $$ = str_name("^"); }
	| "&&"                  { $$ = str_name("&&"); }
	| "||"                  { $$ = str_name("||"); }
	;
range	: NAME "in" expr[lo] ".." expr[hi]
				{ $$ = range_new(@$, $1, $lo, $hi); }
	;

/* ---- words: split into clauses, laws, layouts and pins by sema's tables ---- */

words_opt
	: %empty                { $$ = NULL; }
	| words
	;
words	: named                 { $$ = ast_add(NULL, @$, $1); }
	| words atom            { $$ = ast_add($1, @$, $2); }
	| words "," atom        { $$ = ast_add($1, @$, $3); }
	;
phrase_opt
	: %empty                { $$ = NULL; }
	| phrase
	;
phrase	: named                 { $$ = ast_add(NULL, @$, $1); }
	| phrase atom           { $$ = ast_add($1, @$, $2); }
	;
laws_opt
	: %empty                { $$ = NULL; }
	| laws
	;
laws	: pins
	| pins "for" NAME "where" expr
				{ $$ = decl_given($pins, @3, $3, $expr); }
	;
pins	: phrase                { $$ = decl_claim(NULL, $1); }
	| pins "," phrase       { $$ = decl_claim($1, $3); }
	;
atom	: named
	| NUMBER                { $$ = ast_new(A_NUMBER, @$, $1); }
	| LITERAL               { $$ = ast_new(A_LITERAL, @$, $1); }
	| STRING                { $$ = ast_new(A_STRING, @$, $1); }
	| "-" primary           { $$ = ast_unary(@$, "-", $2); }
	| "<"                   { $$ = ast_new(A_WORD, @$, str_name("<")); }
	| ">"                   { $$ = ast_new(A_WORD, @$, str_name(">")); }
	;

/* ---- bodies of functions ---- */

block	: "{" inners "}"        { $$ = $2; }
	| "{" inners error "}"  { $$ = $2; }
	;
inners	: %empty                { $$ = inner_new(I_IF, @$); }
	| inners inner          { $$ = inner_add($1, $2); }
	| inners error ";"      { yyerrok; }
	| inners error block    { yyerrok; }
	;
inner	: "let" NAME type_opt "=" expr ";"
				{ $$ = inner_declare(I_LET, @2, $2, $3, $expr); }
	| "var" NAME type_opt "=" expr ";"
				{ $$ = inner_declare(I_VAR, @2, $2, $3, $expr); }
	| "var" NAME ":" type ";"
				{ $$ = inner_declare(I_VAR, @2, $2, $type, NULL); }
	| "var" NAME[name] ":" type NAME[word] ";"
				{ $$ = inner_word(inner_declare(I_VAR, @name, $name, $type, NULL),
				                  @word, $word); }
	| named assign expr ";" { $$ = inner_assign(@$, $1, $assign, $expr); }
	| choice
	| "while" expr block    { $$ = inner_body(I_WHILE, @1, $expr, NULL, $block); }
	| "while" expr limit block
				{ $$ = inner_body(I_WHILE, @1, $expr, NULL, $block);
				  $$ = inner_words($$, $limit); }
	| "for" range block     { $$ = inner_body(I_FOR, @1, NULL, $range, $block); }
	| "return" expr ";"     { $$ = inner_body(I_RETURN, @1, $expr, NULL, NULL); }
	| "break" ";"           { $$ = inner_new(I_BREAK, @1); }
	| "continue" ";"        { $$ = inner_new(I_CONTINUE, @1); }
	;
limit	: "at" named            { $$ = ast_add(NULL, @2, $named); }
	| limit atom            { $$ = ast_add($1, @$, $2); }
	;
choice	: "if" expr block       { $$ = inner_body(I_IF, @1, $expr, NULL, $block); }
	| "if" expr block[yes] "else" block[no]
				{ $$ = inner_else(inner_body(I_IF, @1, $expr, NULL, $yes), $no); }
	| "if" expr block "else" choice[next]
				{ $$ = inner_body(I_IF, @1, $expr, NULL, $block);
				  $$ = inner_else_if($$, $next); }
	;
type_opt
	: %empty                { $$ = NULL; }
	| ":" type              { $$ = $2; }
	;

/* ---- expressions, loosest first ---- */

exprs_opt
	: %empty                { $$ = ast_new(A_LIST, @$, NULL); }
	| exprs
	;
exprs	: expr                  { $$ = ast_add(NULL, @$, $1); }
	| exprs "," expr        { $$ = ast_add($1, @$, $3); }
	;
expr	: or
	| or "?" expr[yes] ":" expr[no]
				{ $$ = ast_cond(@$, $1, $yes, $no); }
	;
or	: and
	| or "||" and           { $$ = ast_binary(@$, "||", $1, $3); }
	;
and	: cmp
	| and "&&" cmp          { $$ = ast_binary(@$, "&&", $1, $3); }
	;
cmp	: acc
	| acc[a] comparison acc[b]
				{ $$ = ast_binary(@$, $2, $a, $b); }
	;
comparison
	: "<"                   { $$ = "<"; }
	| ">"                   { $$ = ">"; }
	| "<="                  { $$ = "<="; }
	| ">="                  { $$ = ">="; }
	| "=="                  { $$ = "=="; }
	| "!="                  { $$ = "!="; }
	;
acc	: dist
	| acc ACC dist          { $$ = ast_binary(@$, "◇", $1, $3); }
	;
dist	: bor
	| dist DIST bor         { $$ = ast_binary(@$, "○", $1, $3); }
	;
bor	: bxor
	| bor "|" bxor          { $$ = ast_binary(@$, "|", $1, $3); }
	;
bxor	: band
	| bxor "^" band         { $$ = ast_binary(@$, "^", $1, $3); }
	;
band	: shift
	| band "&" shift        { $$ = ast_binary(@$, "&", $1, $3); }
	;
shift	: sum
	| shift "<<" sum        { $$ = ast_binary(@$, "<<", $1, $3); }
	| shift ">>" sum        { $$ = ast_binary(@$, ">>", $1, $3); }
	;
sum	: term
	| sum "+" term          { $$ = ast_binary(@$, "+", $1, $3); }
	| sum "-" term          { $$ = ast_binary(@$, "-", $1, $3); }
	;
term	: unary
	| term "*" unary        { $$ = ast_binary(@$, "*", $1, $3); }
	| term "/" unary        { $$ = ast_binary(@$, "/", $1, $3); }
	| term "%" unary        { $$ = ast_binary(@$, "%", $1, $3); }
	;
unary	: primary
	| "-" unary             { $$ = ast_unary(@$, "-", $2); }
	| "!" unary             { $$ = ast_unary(@$, "!", $2); }
	| "~" unary             { $$ = ast_unary(@$, "~", $2); }
	;
primary	: named
	| NUMBER                { $$ = ast_new(A_NUMBER, @$, $1); }
	| LITERAL               { $$ = ast_new(A_LITERAL, @$, $1); }
	| "(" expr ")"          { $$ = ast_parens($2, @$); }
	| "[" exprs "]"         { $$ = $2; }
	;
named	: NAME                  { $$ = ast_new(A_NAME, @$, $1); }
	| NAME "(" exprs_opt ")"
				{ $$ = ast_call($3, @$, $1); }
	| NAME "[" subs "]"     { $$ = ast_index($3, @$, $1, NULL); }
	| NAME "[" subs "]" "(" exprs_opt ")"
				{ $$ = ast_index($3, @$, $1, $6); }
	| named "." NAME        { $$ = ast_field($1, @$, $3, NULL); }
	| named "." NAME "[" exprs "]"
				{ $$ = ast_field($1, @$, $3, ast_subscripts($5)); }
	;
subs	: items
	| items "where" expr    { $$ = ast_guard($1, $3); }
	;
items	: item                  { $$ = ast_sub(NULL, @$, $1); }
	| items "," item        { $$ = ast_sub($1, @$, $3); }
	;
item	: range
	| expr                  { $$ = range_new(@$, NULL, $1, NULL); }
	;

%%

/* ---- what is told about an error ---- */

struct expectation { yysymbol_kind_t at[YYNTOKENS]; int n; };

static bool expects(const struct expectation *e, yysymbol_kind_t kind)
{
	for (int i = 0; i < e->n; i++)
		if (e->at[i] == kind)
			return true;
	return false;
}

static bool is_comparison(yysymbol_kind_t k)
{
	return k == YYSYMBOL_LT || k == YYSYMBOL_GT || k == YYSYMBOL_LE || k == YYSYMBOL_GE
		|| k == YYSYMBOL_EQ || k == YYSYMBOL_NE;
}

static bool is_reserved(yysymbol_kind_t k)
{
	return k >= YYSYMBOL_CONST && k <= YYSYMBOL_USING;
}

/* What closes the construct that is open here, quoted: the first that fits. */
static const char *closer(const struct expectation *e)
{
	static const yysymbol_kind_t order[] = {
		YYSYMBOL_RPAREN, YYSYMBOL_RBRACK, YYSYMBOL_DOTS, YYSYMBOL_COLON, YYSYMBOL_SEMI,
		YYSYMBOL_LBRACE, YYSYMBOL_RBRACE, YYSYMBOL_SET
	};
	for (size_t i = 0; i < sizeof order / sizeof *order; i++)
		if (expects(e, order[i]))
			return yysymbol_name(order[i]);
	return NULL;
}

const char *reserved_word(int n)
{
	const yysymbol_kind_t kind = (yysymbol_kind_t)(YYSYMBOL_CONST + n);
	return kind <= YYSYMBOL_TEST ? yysymbol_name(kind) : NULL;
}

static const char *one_of(const struct expectation *e)
{
	const char *text = NULL;
	for (int i = 0; i < e->n && i < 4; i++) {
		const char *name = yysymbol_name(e->at[i]);
		const char *quote = strchr(name, ' ') || e->at[i] == YYSYMBOL_OPEQ ? "" : "'";
		text = text ? str_print("%s or %s%s%s", text, quote, name, quote)
			: str_print("%s%s%s", quote, name, quote);
	}
	return text ? text : "something else";
}

static const char *phrase_of(const struct expectation *e)
{
	bool takes_words = expects(e, YYSYMBOL_STRING), takes_operator = expects(e, YYSYMBOL_ADD);
	bool takes_clause = expects(e, YYSYMBOL_WHERE) && expects(e, YYSYMBOL_SEMI);
	const char *end = closer(e);
	if (expects(e, YYSYMBOL_KERNEL))
		return "a declaration starts here";
	if (expects(e, YYSYMBOL_RBRACE) && expects(e, YYSYMBOL_LET))
		return "expected a statement or '}'";
	if (takes_clause)
		return expects(e, YYSYMBOL_OPEQ) ? "expected '=', a clause or ';'"
			: "expected an operator, a clause or ';'";
	if (expects(e, YYSYMBOL_OPEQ))
		return "expected an assignment";
	if (takes_operator)
		return end ? str_print("expected an operator or '%s'", end)
			: "expected an operator";
	if (takes_words && end)
		return str_print("expected a value or '%s'", end);
	if (expects(e, YYSYMBOL_NUMBER))
		return "expected an expression";
	return str_print("expected %s", one_of(e));
}

static const char *token_text(const struct token *t)
{
	enum { SHOWN = 40 };
	if (t->kind == END)
		return "end of file";
	if (t->length <= SHOWN)
		return str_print("'%.*s'", (int)t->length, t->text);
	return str_print("'%.*s...'", SHOWN, t->text);
}

#include "habits.h"

/* `at most 2 * n` */
static void hint_words(const struct parser *p, yysymbol_kind_t token,
	const struct expectation *e)
{
	bool operator = token == YYSYMBOL_ADD || token == YYSYMBOL_MUL || token == YYSYMBOL_DIV
		|| token == YYSYMBOL_REM;
	if (operator && expects(e, YYSYMBOL_STRING) && !expects(e, token) && !is_cast(p)
	    && !lacks_equation(p, e))
		diag_cure("a clause takes a single value, or any expression in parentheses: "
		          "`(2 * n)`");
}

/* A ';' is most often forgotten at the end of a line, or before a '}'. */
static void hint(const struct parser *p, const struct expectation *e)
{
	bool suspects = p->suspect.kind != END && !(e->n == 1 && expects(e, YYSYMBOL_LBRACE));
	const struct token *t = suspects ? &p->suspect : &p->now;
	const struct span *before = suspects ? &p->before_suspect.at : &p->before.at;
	if (suspects || (expects(e, YYSYMBOL_SEMI)
	                 && (t->at.line != before->last_line || t->kind == RBRACE)))
		diag_cure("is a ';' missing at %d:%d, before %s?", before->last_line,
			before->last_col, token_text(t));
}

static int yyreport_syntax_error(const yypcontext_t *context, struct parser *p)
{
	struct expectation e;
	yysymbol_kind_t token = yypcontext_token(context);
	struct loc at = loc_of(*yypcontext_location(context));
	if (p->gave_up)
		return 0;
	e.n = yypcontext_expected_tokens(context, e.at, YYNTOKENS);
	if (is_comparison(token) && expects(&e, YYSYMBOL_AND)) {
		diag_error(at, D_COMPARE_CHAIN, "comparisons do not chain");
		diag_cure("join two of them: a < b && b < c");
		fix_chain(p);
	} else if (is_reserved(token) && expects(&e, YYSYMBOL_NAME) && p->suspect.kind == END) {
		diag_error(at, D_RESERVED, "%s is a reserved word; %s", token_text(&p->now),
			phrase_of(&e));
		hint_statement(p, token, &e);
		hint_habits(p, token, &e);
	} else {
		diag_error(at, D_SYNTAX, "unexpected %s; %s", token_text(&p->now), phrase_of(&e));
		hint_words(p, token, &e);
		hint_habits(p, token, &e);
		hint_statement(p, token, &e);
		hint(p, &e);
	}
	return 0;
}

/* Bison calls this for one reason: its stack is as deep as YYMAXDEPTH. */
static void yyerror(YYLTYPE *at, struct parser *p, const char *message)
{
	(void)message;
	if (!p->gave_up)
		diag_error(loc_of(*at), D_DEPTH, "nested more than %d deep", MAX_DEPTH);
	p->gave_up = true;
}
