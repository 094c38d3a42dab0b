/* syntax.h - the syntax tree, as written: what grammar/ builds, ast_dump.c prints and sema*.c
 * reads. Names are interned; every part says where it stands. */
#ifndef SYNTAX_H
#define SYNTAX_H

#include "front.h"

enum ast_kind {
	A_NAME,         /* name */
	A_CALL,         /* name(arg...) */
	A_SUBSCRIPT,    /* name[sub... where guard] */
	A_FOLD,         /* name[sub... where guard](arg...) */
	A_FIELD,        /* arg[0].name, with sub... if followed by [exprs] */
	A_NUMBER,       /* name holds the text */
	A_LITERAL,      /* name is true, false, inf, nan */
	A_STRING,       /* name holds the text between the quotes */
	A_LIST,         /* [arg...] */
	A_UNARY,        /* name is - ! ~ */
	A_BINARY,       /* name is the operator's text; "○" and "◇" for DIST and ACC */
	A_COND,         /* arg[0] ? arg[1] : arg[2] */
	A_WORD,         /* a bare < or > among the words */
	A_GROUP,        /* (arg...) : parentheses, kept because clause values need them */
};

struct ast {
	enum ast_kind kind; struct loc at;
	const char *name;                    /* interned */
	int depth;                           /* of the tree below, at most MAX_DEPTH */
	LIST(struct ast *) arg;
	LIST(struct ast_range *) sub;
	struct ast *guard;
};
/* lo only: a subscript */
struct ast_range { struct loc at; const char *name; struct ast *lo, *hi; };

struct ast_bind { struct loc at; const char *symbol, *op; };                 /* using ○ = + */
struct ast_equation {
	struct loc at;
	LIST(struct ast *) target;
	const char *assign;
	struct ast *left;            /* of an equation for the target, `target in left = right` */
	struct ast *right;
};
    /* assign: "=", "+=", "-=", ..., or the NAME of NAME=; no equation: targets alone (sort, swap)
     * */

enum ast_stmt_kind { S_PATTERN, S_LET, S_REQUIRE, S_CALL, S_IF, S_REPEAT_COUNT,
                     S_REPEAT_UNTIL };
struct ast_stmt {
	enum ast_stmt_kind kind; struct loc at;
	const char *label, *name;            /* name: pattern, variable, kernel or counter */
	struct ast *type;                    /* S_LET: A_NAME or A_SUBSCRIPT */
	/* S_LET: initial value; S_IF, S_REPEAT_UNTIL: condition; S_REPEAT_COUNT: limit;
	 * S_REQUIRE: A_LIST of conditions; S_CALL: of arguments */
	struct ast *value;
	LIST(struct ast_equation *) equation;
	LIST(struct ast *) word;             /* the flat list of words, in order */
	struct ast *where, *otherwise;
	LIST(struct ast_range *) range;      /* for */
	LIST(struct ast_bind) bind;          /* using */
	LIST(struct ast_stmt *) body, other;     /* other: S_IF, of else */
	int variant;                         /* S_IF that sema_when.c makes: of its body; 0: none */
};

enum ast_inner_kind { I_LET, I_VAR, I_ASSIGN, I_IF, I_WHILE, I_FOR, I_RETURN, I_BREAK, I_CONTINUE };
struct ast_inner {                       /* statements of fn and op bodies */
	enum ast_inner_kind kind; struct loc at;
	int depth;
	const char *name, *assign;
	const char *word; struct loc word_at;        /* I_VAR: of an array, or NULL */
	struct ast *type, *target, *value;   /* value: initial value, right side or condition */
	struct ast_range *range;
	LIST(struct ast *) words;            /* I_WHILE: those after `at` */
	LIST(struct ast_inner *) body, otherwise;
};

struct ast_param {
	struct loc at;
	const char *mode, *name;
	struct ast *type;
	LIST(struct ast *) word;
};
struct ast_names { struct loc at; LIST(const char *) name; struct ast *type; };
struct ast_phrase { LIST(struct ast *) word; };
struct ast_pin {
	struct loc at;
	const char *label;
	LIST(struct ast_phrase *) phrase;
	struct ast *when;                    /* condition on sizes, or NULL */
};
struct ast_setting { struct loc at; const char *name; struct ast *value; };
struct ast_case {                        /* kernel(given) -> expected words; */
	struct loc at;
	const char *kernel;
	LIST(struct ast_setting) given, expected;
	LIST(struct ast *) word;
};

enum ast_decl_kind {
	DECL_CONST,
	DECL_USE,
	DECL_STRUCT,
	DECL_FN,
	DECL_OP,
	DECL_EXTERN,
	DECL_KERNEL,
	DECL_SCHEDULE,
	DECL_TEST
};
/* `for name where condition`; of all values: condition is NULL */
struct ast_given { const char *name; struct loc at; struct ast *condition; };
struct ast_decl {
	enum ast_decl_kind kind; struct loc at;
	const char *name;                    /* DECL_USE: the path as written */
	struct ast *type, *value;            /* const; result type and '=' body of fn, op */
	LIST(struct ast_names *) field;      /* struct */
	LIST(struct ast_param *) param;      /* fn, op, extern, kernel */
	LIST(struct ast_inner *) block;      /* fn, op with a { body } */
	LIST(struct ast_phrase *) claim; /* op: laws; extern: from "file"; schedule, test: words */
	struct ast_given given;              /* op: the values its laws hold for */
	LIST(struct ast_stmt *) body;        /* kernel */
	LIST(struct ast_pin *) pin;          /* schedule */
	LIST(struct ast_case *) test;        /* test */
	LIST(struct ast_decl *) inside;      /* test: the declarations in it */
};
/* read.c: a test written on the command line, of so many cases; NULL after an error. */
struct ast_decl *parse_command(const char *text, int cases);
/* A declaration of the compiler's own, from which statements are made: sema_expand.c. */
struct ast_decl *parse_template(const char *text);

/* grammar/parse.y: the words that are no names, and `test`; NULL after the last */
const char *reserved_word(int);

/* sema.c: what C and its relatives call a type, as it is called here; or NULL */
const char *type_of_c(const char *name);
/* The operator for `and` and `or`, or NULL. */
const char *operator_of_word(const char *word);

struct ast_file {
	int file;                    /* the main file's number: kernels of others are not emitted */
	LIST(struct ast_decl *) decl;        /* those of used files first */
	LIST(const char *) include;          /* every other file read */
	struct ast_decl *command;            /* the case that `patc run` was given, as a test */
	size_t bytes;                        /* of memory that it took */
};

#endif
