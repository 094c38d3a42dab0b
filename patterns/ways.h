/* ways.h - the ways in which a pattern can compute a statement, as a table: one row a way, in the
 * order of preference (ways.c).
 *
 *     static const struct way ways[] = {
 *             { "whole", .fits = is_small, .lower = lower_whole },         // one block: whole.c
 *             { "tiles", .when = rows_aligned, .lower = lower_tiles },     // 16 bytes: tiles.c
 *             { "cells", .lower = ways_cells }                             // all others
 *     };
 *
 * `fits` is decided when the program is compiled: a way that does not fit makes no text.  `when` is
 * a condition that the host tests at run time: such ways become one chain, if ... else if ... else.
 * The last row has neither, so that every statement is computed.  Where the parts of a statement
 * may go different ways, ways_each() takes all that fit. */
#ifndef WAYS_H
#define WAYS_H

#include "lower.h"

struct way;

/* What the functions of a row know. */
struct task {
	struct plan *plan;
	const struct group *group;
	const struct node *node;             /* the group's anchor */
	void *found;                         /* what the pattern has found out about it */
	const struct way *way;               /* the row at hand */
	bool first;                          /* no way before it has made a text */
};

struct way {
	const char *name;
	/* why not, for remarks and for pins that are refused; NULL: it can be taken */
	const char *(*why_not)(const struct node *, const struct target *);
	bool (*fits)(const struct task *);
	struct kx *(*when)(const struct task *);         /* host; NULL or 1: always */
	void (*lower)(const struct task *);
	int form;                            /* where several rows share their functions */
};

/* Takes the first way that fits, or, of those that the host chooses from, each up to the first that
 * is always right. */
void ways_lower(const struct way *, struct plan *, const struct group *, void *found);

/* Takes every way that fits, each under its own condition, up to a row without a name: for a
 * statement whose parts go different ways, because sizes of them are data.  `when` NULL: always. */
void ways_each(const struct way *, struct plan *, const struct group *, void *found);

/* After the name of the row's kernel: "_" and the row's name, or nothing for the first one. */
const char *ways_suffix(const struct task *);
/* lower: a thread computes a cell, or several neighbours (cells.c). */
void ways_cells(const struct task *);

#endif
