/* separable.h - wavefronts whose table is a scan down the columns of scans along the rows:
 * separable.c says which, separable_gpu.c and separable_cpu.c compute them. */
#ifndef SEPARABLE_H
#define SEPARABLE_H

#include "wave.h"

/* Note [separable]
 *     A[i, j] = (A[i, j-1] ○ left) ◇ (A[i-1, j] ○ up) ◇ (A[i-1, j-1] ○ corner) ◇ rest[i, j],
 * with zero outside, is
 *     C[i, j] = (C[i-1, j] ○ up) ◇ rest[i, j]          down every column, then
 *     A[i, j] = (A[i, j-1] ○ left) ◇ C[i, j]           along every row
 * where corner takes back what comes by both ways, -(left ○ up) of (+, *), or where nothing need
 * be taken back since ◇ of a value and itself is that value, and the corner gives no more than two
 * steps do.  What is outside the domain belongs to the rest of the cells next to it. */
struct separable {
	const struct node *node;
	const struct wave_form *form;
	const struct wave_term *left, *up, *corner;      /* corner NULL: none */
};

/* Why it is none; NULL: it is. */
const char *no_separable(const struct node *, struct separable *);
const char *separable_law(const struct node *);          /* of one that is: for remarks */

/* In a kernel.  Weights NULL: bare. */
struct kx *separable_weight(struct lowering *, const struct wave_term *, const char *name);
struct kx *separable_join(struct lowering *, const struct separable *, struct kx *a, struct kx *b);
struct kx *separable_scale(struct lowering *, const struct separable *, struct kx *x,
                           struct kx *weight);
struct kx *separable_power(struct lowering *, const struct separable *, const char *name,
                           struct kx *weight, int64_t times);
struct kx *separable_zero(struct lowering *, const struct separable *);
struct kx *separable_rest(struct lowering *, const struct separable *); /* of the bound cell */
/* Something comes into the first row, or column. */
bool separable_has_border(const struct separable *, bool row);
/* The bound cell is in the first row, or column: what comes into it from outside joins value. */
void separable_border(struct lowering *, const struct separable *, struct kx *first_row,
                      struct kx *first_column, struct kx *value);
/* As the table's type. */
struct kx *separable_stored(struct lowering *, const struct separable *, struct kx *value);

int separable_width(const struct node *);  /* cells of a vector, where rows are whole ones */
struct task;
void separable_gpu(const struct task *, const struct separable *);       /* ../ways.h */
void separable_cpu(struct plan *, const struct separable *);

#endif
