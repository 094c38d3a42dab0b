/* ast.h - what the scanner, the parser's actions and ast.c share; nobody else includes it.
 *
 * An action of grammar/parse.y is one call of a constructor below.  A node that is still under
 * construction serves as the list of its parts: `exprs` is an A_LIST whose arg[] grows, `tail`
 * is a statement that has clauses only, and so on; the rule that completes it gives it its name.
 * A list's first element comes with NULL for the list. */
#ifndef AST_H
#define AST_H

#include "syntax.h"

#define MAX_TOKEN 1000      /* characters of a name, number or string */

/* Where a piece of text begins and ends; it may span lines, a struct loc does not. */
struct span { int file, line, col, last_line, last_col; };
struct loc loc_of(struct span);
struct span span_join(struct span first, struct span last);

struct token { struct span at; int kind; const char *name, *text; size_t length; };
struct parser {
	int file;
	void *scanner;
	int line, col;                       /* of the next character */
	size_t offset;
	/* ( and [ not closed yet, and as many before the lookahead; where they are */
	int parens, opened;
	struct token paren[MAX_DEPTH + 1];
	int braces;                          /* { not closed yet, and where they are */
	struct span brace[MAX_DEPTH + 1];
	bool gave_up;                        /* nested too deep: what follows is not read */
	bool owes_braces;                    /* '}' was forgotten: handed out before now is */
	bool schedule;                       /* inside one, where `when` is a keyword */
	bool condition;                      /* inside that of a `while`, which `at` ends */
	int test;                            /* 1 inside `test {`, where declarations may stand */
	struct token now, before;            /* the lookahead and the token in front of it */
	struct token suspect, before_suspect;   /* a pattern's name where a ';' may be missing */
	LIST(struct ast_decl *) decl;
};

/* grammar/lex.l, grammar/parse.y */
void scan_open(struct parser *);
void scan_close(struct parser *);
struct tokens { struct token *at; int n, room; };
struct tokens scan_all(int file);            /* of a text that parses, without the end of file */
bool parse_alone(int file);                  /* read.c: the text itself; false after an error */
bool number_check(struct loc, const char *text, size_t length);   /* ast.c: or tells */
int yyparse(struct parser *);

/* ---- expressions ---- */

struct ast *ast_new(enum ast_kind, struct span, const char *name);
struct ast *ast_add(struct ast *list, struct span, struct ast *arg);
struct ast *ast_sub(struct ast *list, struct span, struct ast_range *);
struct ast *ast_guard(struct ast *list, struct ast *guard);
struct ast *ast_subscripts(struct ast *exprs);                    /* arg[] becomes sub[] */
struct ast *ast_call(struct ast *args, struct span, const char *name);
struct ast *ast_index(struct ast *subs, struct span, const char *name, struct ast *args);
struct ast *ast_field(struct ast *whole, struct span, const char *name, struct ast *subs);
struct ast *ast_parens(struct ast *, struct span);
struct ast *ast_unary(struct span, const char *op, struct ast *);
struct ast *ast_binary(struct span, const char *op, struct ast *, struct ast *);
struct ast *ast_cond(struct span, struct ast *, struct ast *, struct ast *);
struct ast_range *range_new(struct span, const char *name, struct ast *lo, struct ast *hi);

/* ---- statements ---- */

struct ast_equation *equation_target(struct ast_equation *, struct span, struct ast *target);
struct ast_equation *equation_right(struct ast_equation *, struct span, const char *assign,
	struct ast *right);
struct ast_equation *equation_solved(struct ast_equation *, struct span, struct ast *left,
	struct ast *right);
struct ast_stmt *stmt_new(enum ast_stmt_kind, struct span, const char *name);
struct ast_stmt *stmt_equation(struct ast_stmt *, struct ast_equation *);
struct ast_stmt *stmt_body(struct ast_stmt *, struct ast_stmt *child);
struct ast_stmt *stmt_words(struct ast_stmt *, struct ast *words);
struct ast_stmt *stmt_clause(struct ast_stmt *, struct span, struct ast_stmt *clause);
struct ast_stmt *stmt_where(struct span, struct ast *);
struct ast_stmt *stmt_otherwise(struct span, struct ast *);
struct ast_stmt *stmt_range(struct ast_stmt *, struct ast_range *);
struct ast_stmt *stmt_bind(struct ast_stmt *, struct span, const char *symbol, const char *op);
struct ast_stmt *stmt_pattern(struct ast_stmt *, struct span, const char *name,
	struct ast_stmt *tail);
struct ast_stmt *stmt_let(struct span, const char *name, struct ast *type, struct ast *value,
	struct ast *words);
struct ast_stmt *stmt_require(struct span, struct ast *conditions);
struct ast_stmt *stmt_call(struct span, const char *kernel, struct ast *args);
struct ast_stmt *stmt_repeat(enum ast_stmt_kind, struct span, const char *name, struct ast *value,
	struct ast *words, struct ast_stmt *body);
struct ast_stmt *stmt_if(struct span, struct ast *condition, struct ast_stmt *yes,
	struct ast_stmt *no);                    /* no: NULL without else */
struct ast_stmt *stmt_label(struct ast_stmt *, struct span, const char *label);

/* ---- statements of function bodies ---- */

struct ast_inner *inner_new(enum ast_inner_kind, struct span);
struct ast_inner *inner_add(struct ast_inner *block, struct ast_inner *child);
struct ast_inner *inner_declare(enum ast_inner_kind, struct span, const char *name,
	struct ast *type, struct ast *value);
struct ast_inner *inner_word(struct ast_inner *, struct span, const char *word);
struct ast_inner *inner_assign(struct span, struct ast *target, const char *assign,
	struct ast *value);
struct ast_inner *inner_body(enum ast_inner_kind, struct span, struct ast *value,
	struct ast_range *, struct ast_inner *block);
struct ast_inner *inner_words(struct ast_inner *, struct ast *words);
struct ast_inner *inner_else(struct ast_inner *choice, struct ast_inner *block);
struct ast_inner *inner_else_if(struct ast_inner *choice, struct ast_inner *next);

/* ---- declarations ---- */

struct ast_decl *decl_new(enum ast_decl_kind, struct span, const char *name);
struct ast_decl *decl_named(struct ast_decl *, struct span, const char *name);
struct ast_decl *decl_typed(struct ast_decl *, struct ast *type, struct ast *value);
struct ast_decl *decl_param(struct ast_decl *, struct span, struct ast_param *);
struct ast_decl *decl_field(struct ast_decl *, struct span, struct ast_names *, struct ast *type);
struct ast_decl *decl_claim(struct ast_decl *, struct ast *words);
struct ast_decl *decl_given(struct ast_decl *claims, struct span, const char *name,
	struct ast *condition);
struct ast_decl *decl_pin(struct ast_decl *, struct ast_pin *);
struct ast_decl *decl_function(enum ast_decl_kind, struct span, const char *name,
	struct ast_decl *signature, struct ast *value, struct ast_inner *block,
	struct ast_decl *claims);
struct ast_decl *decl_kernel(struct span, const char *name, struct ast_decl *params,
	struct ast_stmt *body);
struct ast_param *param_new(struct span, const char *mode, const char *name, struct ast *type,
	struct ast *words);
struct ast_names *names_add(struct ast_names *, struct span, const char *name);
struct ast_pin *pin_new(struct span, const char *label, struct ast_decl *claims,
	struct ast *when);
struct ast_case *case_setting(struct ast_case *, struct span, const char *name, struct ast *value);
struct ast_case *case_words(struct ast_case *settings, struct ast *words);
struct ast_case *case_new(struct span, const char *kernel, struct ast_case *given,
	struct ast_case *expected);
struct ast_decl *decl_case(struct ast_decl *, struct ast_case *);
struct ast_decl *decl_inside(struct ast_decl *, struct ast_decl *);
void parser_decl(struct parser *, struct ast_decl *);

#endif
