/* recur_eval.h - recurrences in the interpreter (recur_eval.c): one equation of a scan. */
#ifndef RECUR_EVAL_H
#define RECUR_EVAL_H

#include "eval_impl.h"
#include "running.h"

struct recur;
struct recur *recur_compile(struct eval *, const struct recurrence *, bool strict);
/* A sequence begins; from[k] stands for the cell k + 1 before it. */
void recur_start(struct recur *, int froms, const struct num *from);
/* the value of the bound cell, the next one */
struct num recur_step(struct eval *, struct recur *);

/* recur_drift.c: how far the value of another legal evaluation may be off */
enum { LEVELS = 20 };                    /* 2^19 cells, more than anybody interprets */
struct drift {
	enum {
		DRIFT_NONE,
		DRIFT_EXACT,
		DRIFT_LINEAR,
		DRIFT_PATHS,
		DRIFT_CHOICE,
		DRIFT_FOLD,
		DRIFT_USER
	} kind;
	const struct recurrence *r;
	const struct op *user;               /* DRIFT_USER: one of the two operators */
	bool open, nan;                      /* for the rest of the sequence */
	int64_t cells;                       /* of the sequence, before this one */
	long double z[MAX_ORDER];            /* the same recurrence with more digits */
	double given[MAX_ORDER];             /* of what the bounds of weights and terms make */
	double size;                         /* of what a grouping has in hand */
	double var[3];                       /* of rounding: of y[i], of both, of y[i-1] */
	double peak, up, down, deep;
	struct total total;
	struct level { double h[2][2], y[2], at[2]; } level[LEVELS];
};
struct drift_cell {                      /* what met at a cell */
	bool has[MAX_ORDER], has_rest;       /* y[i-1], y[i-2] are in the sequence and are read */
	struct num weight[MAX_ORDER], rest;  /* weight: if not bare */
	struct num y;                        /* the outcome */
};
void drift_open(struct drift *, const struct recurrence *, bool strict);
void drift_start(struct drift *, int froms, const struct num *from);
/* The bound of the outcome; y[i-1] becomes y[i]. */
double drift_step(struct drift *, const struct drift_cell *);

#endif
