/* eval.h - the sequential meaning of a program: the interpreter, which shares no code with the
 * lowerings. */
#ifndef EVAL_H
#define EVAL_H

#include "graph.h"

struct bound { struct var *var; int64_t extent[MAX_RANK]; int64_t cells; void *data;  /* C layout */
	/* NULL, or per cell: how far another legal evaluation may be off; inf: open */
	double *error;
	/* cells moved alike, in any order: struct order */
	int order; int64_t moved; const int32_t *group; };
/* Executes entry on bound sizes (i64 in data), parameters (arrays, or scalars of their C type).
 * bound[] lists entry->size then entry->param in order; of arrays that are reshaped the extents are
 * those that the cells have then.  Returns a status of patc_status. */
int eval_entry(const struct entry *, struct bound *bound, int n);
/* The status that every target has, or the greater *possible, unless that is ST_OK.  -1: too many
 * steps, reported unless quiet. */
int eval_compared(const struct entry *, struct bound *bound, int n, bool quiet, int *possible);
/* Do the conditions of entry->require hold that look at nothing but what is bound?  Of bound[] only
 * sizes and scalars are looked at. */
bool eval_required(const struct entry *, const struct bound *bound, int n);
void eval_limit(int64_t steps);                          /* instead of 10^9 */
bool eval_value(const struct expr *, void *to);          /* without variables; false: reported */
void eval_cells(struct eval *, const struct node *);     /* map, stencil, reduce: cell by cell */

#endif
