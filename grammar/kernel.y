/* kernel.y - the grammar of kernel text (ktext.h), without a conflict: C's statements and
 * expressions, as far as kernel IR has them.
 *
 * Every action is one call of a builder (ktext.c), in the order of the text: no tree of it is
 * made.  The words are kernel_lex.l's; of `each (list) statement` the parser sees one token, and
 * the statement is parsed for every element. */
%code requires {
#include "ktext_impl.h"
}
%code provides {
int ktext_lex(union KTEXT_STYPE *, struct ktext *);
}
%code {
#define YYMALLOC mem_new        /* ends with status 3, where Bison would call yyerror */
#define YYFREE(stack) ((void)(stack))

static void ktext_error(struct ktext *t, const char *words)
{
	ktext_wrong(t, "%s", words);
}
}

%require "3.6"
%expect 0
%define api.prefix {ktext_}
%define api.pure full
%define parse.error detailed
%param { struct ktext *t }
%union {
	struct kx *x;
	const char *name;
	struct ktype type;
	int number;
	struct ktext_list list;
	struct ktext_loop loop;
}

%token STATEMENTS EXPRESSION                     /* which of the two is read: the first token */
%token CONST "const" AUTO "auto" LET "let" SHARED "shared" IF "if" ELSE "else" FOR "for"
%token WHILE "while" RETURN "return"
%token EACH "each" BREAK "break" CONTINUE "continue" BARRIER "barrier" INCREMENT "++"
%token <name> NAME NOTE
%token <name> HOLE_TYPE "a type that is bound"
%token <type> TYPE
%token <x> NUMBER
/* REPEATED: the number of an `each` among the tokens */
%token <number> LOOP ID BOOLEAN SETS REPEATED
%token SHL "<<" SHR ">>" LE "<=" GE ">=" EQ "==" NE "!=" LAND "&&" LOR "||"

%precedence THEN
%precedence "else"
%right '?' ':'
%left "||"
%left "&&"
%left '|'
%left '^'
%left '&'
%left "==" "!="
%left '<' '>' "<=" ">="
%left "<<" ">>"
%left '+' '-'
%left '*' '/' '%'
%precedence UNARY

%type <x> expr postfix element
%type <list> list arguments
%type <number> loops
%type <loop> range
%type <type> kind

%%

text: STATEMENTS statements
	| EXPRESSION expr { t->result = $2; }
	;

statements: %empty
	| statements statement
	;

statement: ';'
	| NOTE { ktext_say(t, $1); }
	| REPEATED { ktext_each(t, $1); }
	| CONST kind constants ';'
	| CONST AUTO autos ';'
	| LET NAME '=' expr ';' { ktext_alias(t, $2, $4); }
	| TYPE { t->type = $1; } variables ';'
	| SHARED TYPE { t->type = $2; } arrays ';'
	| postfix '=' expr ';' { ktext_set(t, $1, $3); }
	| postfix SETS expr ';' { ktext_set_by(t, $1, $2, $3); }
	| postfix "++" ';' { ktext_set_by(t, $1, OP_ADD, x_int(T_INT_LIT, 1)); }
	| NAME '(' arguments ')' ';' { ktext_do(t, $1, &$3); }
	| if statement %prec THEN { ktext_end(t); }
	| if statement "else" { ktext_else(t); } statement { ktext_end(t); }
	| loops "for" '(' range { ktext_for(t, $1, &$4); } ')' statement { ktext_end(t); }
	| "while" '(' expr ')' { ktext_while(t, $3); } statement { ktext_end(t); }
	| '{' { $<number>$ = t->own.n; } statements '}' { t->own.n = $<number>2; }
	| "return" ';' { ktext_leave(t, KS_RETURN, NULL); }
	| "return" expr ';' { ktext_leave(t, KS_RETURN, $2); }
	| "break" ';' { ktext_leave(t, KS_BREAK, NULL); }
	| "continue" ';' { ktext_leave(t, KS_CONTINUE, NULL); }
	| "barrier" ';' { ktext_leave(t, KS_BARRIER, NULL); }
	;

kind: TYPE { $$ = t->type = $1; }
	;

constants: constant
	| constants ',' constant
	;

constant: NAME '=' expr { ktext_let(t, $1, ktext_as(t, $3, t->type)); }
	;

autos: auto
	| autos ',' auto
	;

auto: NAME '=' expr { ktext_let(t, $1, $3); }
	;

variables: variable
	| variables ',' variable
	;

variable: NAME { ktext_var(t, $1, NULL); }
	| NAME '=' expr { ktext_var(t, $1, $3); }
	| NAME '[' expr ']' { ktext_array(t, $1, $3, false); }
	;

arrays: array
	| arrays ',' array
	;

array: NAME '[' expr ']' { ktext_array(t, $1, $3, true); }
	;

if: "if" '(' expr ')' { ktext_if(t, $3); }
	;

loops: %empty { $$ = 0; }
	| loops LOOP { $$ = $1 | $2; }
	;

range: TYPE NAME '=' expr ';' NAME '<' expr ';' NAME SETS expr {
		$$ = ktext_range(t, $1, $2, $4, $8, $12, $2 == $6 && $2 == $10 && $11 == OP_ADD);
	}
	| TYPE NAME '=' expr ';' NAME '<' expr ';' NAME "++" {
		$$ = ktext_range(t, $1, $2, $4, $8, x_int(T_INT_LIT, 1), $2 == $6 && $2 == $10);
	}
	;

arguments: %empty { $$ = (struct ktext_list){ 0 }; }
	| list
	;

list: expr { $$ = (struct ktext_list){ 0 }; ktext_add(t, &$$, $1); }
	| list ',' expr { $$ = $1; ktext_add(t, &$$, $3); }
	;

expr: postfix
	| '-' expr %prec UNARY { $$ = ktext_unary(t, OP_NEG, $2); }
	| '!' expr %prec UNARY { $$ = ktext_unary(t, OP_NOT, $2); }
	| '~' expr %prec UNARY { $$ = ktext_unary(t, OP_BITNOT, $2); }
	| expr '*' expr { $$ = ktext_op(t, OP_MUL, $1, $3); }
	| expr '/' expr { $$ = ktext_op(t, OP_DIV, $1, $3); }
	| expr '%' expr { $$ = ktext_op(t, OP_REM, $1, $3); }
	| expr '+' expr { $$ = ktext_op(t, OP_ADD, $1, $3); }
	| expr '-' expr { $$ = ktext_op(t, OP_SUB, $1, $3); }
	| expr "<<" expr { $$ = ktext_op(t, OP_SHL, $1, $3); }
	| expr ">>" expr { $$ = ktext_op(t, OP_SHR, $1, $3); }
	| expr '<' expr { $$ = ktext_op(t, OP_LT, $1, $3); }
	| expr '>' expr { $$ = ktext_op(t, OP_GT, $1, $3); }
	| expr "<=" expr { $$ = ktext_op(t, OP_LE, $1, $3); }
	| expr ">=" expr { $$ = ktext_op(t, OP_GE, $1, $3); }
	| expr "==" expr { $$ = ktext_op(t, OP_EQ, $1, $3); }
	| expr "!=" expr { $$ = ktext_op(t, OP_NE, $1, $3); }
	| expr '&' expr { $$ = ktext_op(t, OP_AND, $1, $3); }
	| expr '^' expr { $$ = ktext_op(t, OP_XOR, $1, $3); }
	| expr '|' expr { $$ = ktext_op(t, OP_OR, $1, $3); }
	| expr "&&" { ktext_arm(t, $1, true); } expr {
		ktext_end(t), $$ = ktext_op(t, OP_LAND, $1, $4);
	}
	| expr "||" { ktext_arm(t, $1, false); } expr {
		ktext_end(t), $$ = ktext_op(t, OP_LOR, $1, $4);
	}
	| expr '?' { ktext_arm(t, $1, true); }
	  expr ':' { ktext_end(t), ktext_arm(t, $1, false); } expr
		{ ktext_end(t), $$ = ktext_choose(t, $1, $4, $7); }
	;

postfix: NUMBER
	| BOOLEAN { $$ = x_int(T_BOOL, $1); }
	| ID { $$ = x_id((enum kid)$1); }
	| NAME { $$ = ktext_name(t, $1); }
	| NAME '@' element { $$ = ktext_listed(t, $1, $3); }
	| NAME '(' arguments ')' { $$ = ktext_call(t, $1, &$3); }
	| TYPE '(' expr ')' { $$ = ktext_cast(t, $1, $3); }
	| '(' expr ')' { $$ = $2; }
	| postfix '[' expr ']' { $$ = ktext_at(t, $1, $3); }
	| postfix '.' NAME { $$ = ktext_field(t, $1, $3); }
	;

element: NUMBER
	| NAME { $$ = ktext_name(t, $1); }
	;
