/* given.h - the cases of tests, and the command line of `patc run`, which is one: kernels on given
 * inputs.  sema_test.c checks what is written. */
#ifndef GIVEN_H
#define GIVEN_H

#include "front.h"

enum given_kind { GIVEN_VALUES, GIVEN_FILE, GIVEN_RANDOM };
struct part { int64_t offset; struct expr *value; };     /* bytes from the first cell */
struct given {                           /* NAME = VALUE */
	struct loc at;
	enum given_kind kind;
	struct var *var;                     /* a size or a parameter */
	const char *path;                    /* GIVEN_FILE */
	bool raw;                            /* the cells alone; else NumPy's format */
	bool fills;                          /* GIVEN_VALUES: one value, for every cell */
	int64_t extent[MAX_RANK];            /* of the list; its rank is the parameter's */
	LIST(struct part) part;
};
struct test_case {
	struct loc at;
	struct entry *entry;
	LIST(struct given) given, expected;
	double within;                       /* 0: as exact as the arithmetic allows */
	int status;
};
struct test {
	const char *name;
	struct loc at;
	LIST(struct test_case *) cases;
	int refused;                      /* the code its declarations must be refused with, or 0 */
	const struct ast_decl *decl;
};

#endif
