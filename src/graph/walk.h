/* walk.h - a function as the passes of its loop: Note [passes] in walk.c. */
#ifndef WALK_H
#define WALK_H

#include "graph.h"

enum walk_part { WALK_WHOLE, WALK_START, WALK_PASS };

struct walk {
	const struct fn *fn;
	const struct inner *loop;
	int at;                              /* of the statements of the function */
	LIST(struct var *) kept;             /* from pass to pass */
	const struct var *cursor;            /* an i32 that the loop's condition reads, or NULL */
	const struct type *state;            /* a field for each of `kept`, then: */
	const struct field *passes, *most;   /* i64: that were made, that are allowed */
	const struct field *wrong, *goes_on, *value;     /* its outcome; does it need a pass? */
	/* (the function's arguments): state; (state, its arrays, and their sizes): state */
	const struct fn *start, *pass;
};

/* NULL, and why, if the function has no such loop. */
const struct walk *walk_of(const struct fn *, const char **why);

#endif
