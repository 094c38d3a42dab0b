/* expect.h - how much of its bound a statement is expected to reach on a machine, and what takes
 * the rest. */
#ifndef EXPECT_H
#define EXPECT_H

#include "plan.h"
#include "work.h"

/* What a cell or a term needs beside its bound.  Bytes, or seconds at the rates of the machine. */
struct demand {
	double bound;                        /* seconds: work_roofline */
	double read, written;
	double kept;                      /* written at most, if data decide how many cells are */
	/* read and written more, since sectors move whole: in any case; if no cache keeps them */
	double wasted, spread;
	struct places { double cells, bytes; } read_at, written_at;      /* that data decide */
	double met;                          /* items that are combined where data decide */
	bool met_near;                       /* there is a way that combines them on chip */
	double count;                        /* instructions, without those of `steps` */
	double instructions, counted;        /* seconds: of these; what the bound counts for them */
	double steps;                        /* seconds: of functions of several steps */
	double units;                        /* seconds: of matrix units */
	bool shared, staged, behind;
	int launches;                        /* one after the other */
	double cells;                        /* 0: not known */
	double blocks, multiprocessors;      /* blocks 0: not known */
	/* names of arrays, or NULL; open: nothing is known of its cells; turned: its bytes, for the
	 * matrix units */
	const char *strided, *random, *open, *meets, *turned;
	const char *unit;                    /* "cell", "term" */
};

enum { MOST_REASONS = 3 };
struct reason { const char *text; double part; };        /* of the time */
struct expected {
	const char *unknown;         /* why there is no number, or NULL */
	bool at_most;                /* unknown, but not above the share */
	/* of the bound; low: the other end, where data decide; else the same */
	double share, low;
	double from;                 /* units from which the share is at least 0.9 of that */
	double cells;                        /* the share is that of so many; 0: of many */
	const char *launch;                  /* how many, and their time */
	const char *unit;
	int n;
	struct reason reason[MOST_REASONS];  /* the largest part first */
};

/* expect_demand.c.  not: why a model of one pass over its cells does not hold, or NULL; at_most:
 * only the near end is known. */
struct demand demand_of(const struct plan *, const struct node *, const struct work *,
                        const struct machine *, const char **not, bool *at_most);
/* The model alone: no member `unknown`. */
struct expected expect(const struct demand *, const struct target *, const struct machine *);
/* Of a statement with kernels of its own; false: there is no bound to compare with. */
bool expected_of(const struct plan *, const struct node *anchor, const struct machine *,
                 struct expected *);
const char *expected_text(const struct expected *);

#endif
