/* wave_bound.h - how far from 0 the values of a wavefront of integers can be. */
#ifndef WAVE_BOUND_H
#define WAVE_BOUND_H

#include "wave.h"

enum {
	HALF_MOST = 32767,                   /* of 16 bits with a sign */
	/* of a problem: where it has more nothing is said */
	BOUND_ROWS = 512, BOUND_COLUMNS = 1 << 20,
	/* so is it where a number that the caller gives is not among 0 .. GIVEN_MOST */
	GIVEN_MOST = 255
};
struct wave_bound {
	const char *why;                     /* nothing is known, since ...; or NULL: */
	int64_t base, row, column;           /* |value| <= base + row * rows + column * columns */
	int64_t slack;             /* and on its way through an equation no more than this beyond */
	int64_t limit;                     /* what that may come to, so that 16 bits lose nothing */
	LIST(const struct var *) given;      /* numbers of the caller's that it takes to be small */
	/* per equation: what is outside its table lies beyond, [0] below, [1] above, and */
	bool *far[2];
		/* may be cut to -far_value or far_value: no cell gets its value from there */
	int64_t far_value;
};
/* wave_span.c */
/* c + rows * the rows + columns * the columns of the problem */
struct line { int64_t c, rows, columns; };
struct span { struct line lo, hi; };
/* Anywhere; or of a boundary at the corner where rows and columns begin. */
struct span wave_span(const struct node *, struct wave_bound *, const struct expr *, bool corner);
bool is_number(const struct line *);

/* wave_bound.c */
struct wave_bound wave_bound(const struct node *);
bool wave_holds_half(const struct type *);            /* may cells of that type be such a half? */
bool wave_has_cell(const struct node *, const struct expr *);    /* is a neighbour's value in it? */

#endif
