/* ways.h - the ways in which a pattern can compute a statement, as a table: one row a way, in the
 * order of preference (ways.c).
 *
 *     static const struct way ways[] = {
 *             // whole.c
 *             { "whole", "a block has all of it", .no = "it has more than 1024 cells",
 *               .fits = is_small, .lower = lower_whole },
 *             // tiles.c
 *             { "tiles", "16 bytes an access", .where = "rows begin at multiples of 16 bytes",
 *               .when = rows_aligned, .lower = lower_tiles },
 *             // ../cells.c
 *             { "cells", "a thread computes a cell", .lower = ways_cells }
 *     };
 *
 * `fits` is decided when the program is compiled: a way that does not fit makes no text.  `when` is
 * a condition that the host tests at run time: such ways become one chain, if ... else if ... else.
 * The last row has neither, so that every statement is computed.  Where the parts of a statement
 * may go different ways, ways_each() takes all that fit.
 *
 * The remark `way` says of each table that a statement goes through which ways were taken, where,
 * how, and why better ones were not: "tiles where rows begin at multiples of 16 bytes (16 bytes an
 * access), else cells (a thread computes a cell); not whole, since it has more than 1024 cells". */
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

enum on { ON_ANY, ON_GPU, ON_CPU };

struct way {
	const char *name;
	/* words of the remark: how it computes; of `when`, if there is one; why it does not fit.
	 * Without `no` nothing is said of it, where it is no better way or a pass says why. */
	const char *how, *where, *no;
	/* why not, for remarks and for pins that are refused; NULL: it can be taken */
	const char *(*why_not)(const struct node *, const struct target *);
	bool (*fits)(const struct task *);
	struct kx *(*when)(const struct task *);         /* host; NULL or 1: always */
	void (*lower)(const struct task *);
	enum on on;                      /* of machines that are not this, nothing is said */
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
