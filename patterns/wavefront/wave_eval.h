/* wave_eval.h - wavefronts in the interpreter, shared by wave_eval.c and wave_sway.c. */
#ifndef EVAL_WAVE_H
#define EVAL_WAVE_H

#include "eval_impl.h"
#include "wavefront.h"

struct wave_read {                       /* a neighbour of the bound cell */
	const struct neighbour *n;
	struct place *value, *table;
	struct code *cell, *outside;
	int64_t at;                          /* its cell of the table, -1: outside */
};

/* wave_sway.c: what other evaluations of an equation may give */
/* NULL: only as written */
struct sway *sway_open(struct eval *, const struct node *, int equation, const struct place *table);
void sway_start(struct sway *);          /* the statement runs again */
/* The bound of y, the value of the bound cell; its neighbours are bound. */
double sway_step(struct eval *, struct sway *, const struct wave_read *, int64_t cell,
                 struct num y);

#endif
