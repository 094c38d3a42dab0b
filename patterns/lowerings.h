/* lowerings.h - what the struct pattern of a pattern points at: its lowering,
 * patterns/NAME/NAME_lower.c, and of some how their statements are read (NAME_sema.c) and executed
 * (NAME_eval.c). */
#ifndef LOWERINGS_H
#define LOWERINGS_H

#include "pass.h"

/* Answers to the passes (pass.h); cells_shape.c serves every pattern that computes cells. */
struct shape;
void cells_shape(const struct node *, const struct target *, struct shape *);
void map_shape(const struct node *, const struct target *, struct shape *);
void reduce_shape(const struct node *, const struct target *, struct shape *);
void stencil_shape(const struct node *, const struct target *, struct shape *);
void matmul_shape(const struct node *, const struct target *, struct shape *);
/* a stencil whose fold is a product of matrices: product_window.c */
bool matmul_slides(const struct node *, const struct target *);
/* why a stencil that multiplies two values is no such product; NULL: it is, or multiplies none */
const char *matmul_slides_not(const struct node *, const struct target *);
void scan_shape(const struct node *, const struct target *, struct shape *);
void wavefront_shape(const struct node *, const struct target *, struct shape *);
void sort_shape(const struct node *, const struct target *, struct shape *);
void compact_shape(const struct node *, const struct target *, struct shape *);
void transpose_shape(const struct node *, const struct target *, struct shape *);
/* rows of something it reads are columns of what it writes */
bool transpose_turns(const struct node *);
/* meet.c: of scatter and histogram */
void meet_shape(const struct node *, const struct target *, struct shape *);

extern const struct front compact_front, pairs_front, scan_front, sort_front,
	wavefront_front;
extern const struct elsewhere sort_elsewhere[];          /* of patterns that sort */
void compact_eval(struct eval *, const struct node *);
void scan_eval(struct eval *, const struct node *);      /* cell after cell, as it is written */
void sort_eval(struct eval *, const struct node *);
void wavefront_eval(struct eval *, const struct node *);  /* cell after cell, in the order */

void meet_lower(struct plan *, const struct group *);
bool scatter_fits(struct node *);        /* scatter.c: what a histogram may be too */
void compact_lower(struct plan *, const struct group *);
void map_lower(struct plan *, const struct group *);
void reduce_lower(struct plan *, const struct group *);
void matmul_lower(struct plan *, const struct group *);
void stencil_lower(struct plan *, const struct group *);
extern const struct passes stencil_passes;               /* stencil_time_lower.c: of maps, too */
void wavefront_lower(struct plan *, const struct group *);
void scan_lower(struct plan *, const struct group *);
void sort_lower(struct plan *, const struct group *);
void transpose_lower(struct plan *, const struct group *);

/* one_block.c: in a kernel of one block, whose threads share the statement */
struct lowering;
void block_cells(struct lowering *, const struct node *);
void block_reduce(struct lowering *, const struct node *);

#endif
