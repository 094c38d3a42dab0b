/* reduce.h - the state of a reduction whose threads share terms (reduce_lower.c has the design). */
#ifndef REDUCE_H
#define REDUCE_H

#include <assert.h>
#include "lower.h"

enum {
	LOADS = 4,              /* vectors in flight a thread */
	SINGLES = 16,           /* terms, where they are no vectors and are folded together */
	FEW_TERMS = 8,          /* of a thread, at least, where several share a column's */
	FOLD_BLOCK = 512        /* threads that fold what chunks found */
};

struct vector_load { const struct expr *read; struct kvar *vector[SINGLES]; };
struct read_list { const struct fold *fold; LIST(const struct expr *) at; };

struct reduction;
/* What a thread has at hand of a row: loads vectors, the first one's first term at `first`, their
 * distance `stride`; loads 0: one term, which is bound. */
struct terms { struct kx *first, *stride; int loads; };

struct reduction {
	struct lowering *l;
	const struct node *node;
	struct folds folds;
	struct accumulators acc;
	const struct fold *domain;           /* the one domain of all folds */
	bool one_range;                      /* they have one */
	bool linear;                         /* reads are base + term */
	bool ordered;                        /* some operator does not commute */
	int width;                           /* terms of a vector */
	/* NULL: each of them is folded when its turn comes; or this folds them, by reduce_each */
	void (*together)(struct reduction *, const struct terms *);
	/* while a term is lowered */
	LIST(struct vector_load) load;
	int which;                           /* of LOADS; -1: not from vectors */
	struct kx *lane;                     /* of the vector */
	/* of a kernel of chunks */
	const struct kept *kept;             /* the cells */
	struct kx *slot[8], *ticket_slot;    /* of the host: what chunks found; NULL: no tickets */
	struct kx *found[8], *tickets;       /* these in the kernel, once it has used them */
};

/* reduce_lower.c: what kind of terms */
bool reduce_can_share(struct reduction *);                       /* of .node; finds its folds */
/* The host knows the ranges of all indices, no index bounds another, and no cell is tested at run
 * time. */
bool reduce_is_box(const struct node *, const struct fold *);
bool reduce_adds(const struct node *);           /* y[i] = y[i] + ...: its own cells are read */
bool reduce_same_expr(const struct expr *, const struct expr *);
bool reduce_uses(const struct fold *, const struct expr *);      /* an index of the fold */
bool reduce_is_linear(const struct reduction *);
bool reduce_along_cells(const struct reduction *);   /* of cells, neighbours lie side by side */
struct read_list reduce_reads(const struct reduction *);         /* that depend on the term */
int reduce_width(const struct reduction *);

/* reduce_terms.c: one thread's terms, and the host's numbers */
void reduce_enter(struct reduction *, struct lowering *);      /* from here on l lowers its terms */
void reduce_open(struct reduction *, struct plan *);             /* a kernel of the node */
void reduce_bind(struct reduction *, struct kx *term);
/* with each one bound */
void reduce_each(struct reduction *, const struct terms *, void (*step)(struct reduction *));
void reduce_singles(struct reduction *, struct kx *first, struct kx *end, struct kx *stride);
/* What the text fold_range uses; vectors NULL: not allowed. */
void reduce_bind_range(struct reduction *, struct kx *vectors);
void reduce_bind_calls(struct reduction *);               /* what the texts of reduce.kernel call */
struct kx *reduce_size(struct lowering *, const struct expr *lo, const struct expr *hi);
struct kx *reduce_terms(const struct reduction *, struct plan *);        /* host: terms of a cell */
struct kx *reduce_vectors_allowed(struct reduction *, struct kx *terms);
void reduce_finish(struct lowering *, const void *reduction);    /* the equations, folds known */

/* reduce_gpu.c: rows.  slots are cut before any host variable exists: slot_cells is over sizes
 * alone; NULL: they give no bound */
struct kept {
	struct kx *host_lo[MAX_RANK], *host_size[MAX_RANK], *host_cells, *slot_cells;
	struct kx *slot_chunks;              /* likewise, of chunks of a cell */
	struct kx *lo[MAX_RANK], *size[MAX_RANK], *cells;        /* in the kernel */
	int64_t strip;                       /* cells of a block */
	struct kx *across;                   /* host: ... where terms are not cut; NULL: as many */
};
struct kept reduce_host_cells(struct plan *, const struct node *);
void reduce_kept_arguments(struct reduction *, struct kept *);   /* what a kernel is told of them */
struct kept reduce_kept_cells(struct reduction *);               /* both */
/* What chunks have stored, of each its cells side by side, is folded in order: a launch. */
void reduce_fold_chunks(struct reduction *, struct plan *, struct kx *const *slot, struct kept,
                        struct kx *host_chunks);
void reduce_bind_cell(struct reduction *, struct kx *cell, const struct kept *);
/* host: log2 of the threads of a cell */
struct kx *reduce_group_bits(struct reduction *, struct kx *terms);
/* An i64 that the host knows: a parameter, and a name of the texts. */
struct kx *reduce_argument(struct lowering *, const char *name, struct kx *host);
/* The launch of a text whose blocks each fold a strip of cells, or a chunk of their terms where
 * strips alone would leave the machine empty: at least so many terms; and of what joins chunks. */
void reduce_strips(struct reduction *, struct kx *terms, const struct kept *, int64_t least,
                   const char *text);
/* NAME_fold: what chunks found becomes one */
struct lowering *reduce_open_fold(struct reduction *, struct plan *);
void reduce_bind_partial(struct reduction *, bool is_const);           /* the slots, as `partial` */
struct kx *reduce_row_chunks(struct reduction *, struct kx *group, struct kx *cells,
                             struct kx *terms);

void reduce_total_gpu(struct reduction *, struct plan *);
/* the same of a range that only the device knows, of one index */
void reduce_late_gpu(struct reduction *, struct plan *);
void reduce_rows_gpu(struct reduction *, struct plan *);
void reduce_columns_gpu(struct reduction *, struct plan *);
/* reduce_pairs.c: what a term reads depends on the cell or on the term, never on both */
struct pairs_shape {
	int terms, results;                  /* of a block, of a thread */
	int64_t bytes;                       /* of shared memory */
	const char *why;                     /* a block cannot share its terms; NULL: it can */
};
/* Of a reduction whose threads can share terms.  NULL: of a scalar, or on a CPU. */
const struct pairs_shape *reduce_pairs_shape(struct reduction *, const struct target *);
struct kx *reduce_many_pairs(struct reduction *, struct plan *);             /* host; ways.h */
void reduce_pairs_gpu(struct reduction *, struct plan *);
/* reduce_symmetric.c: pairs whose terms are computed once for both results.  Why they are not;
 * NULL: they can be. */
const char *reduce_not_symmetric(struct reduction *, const struct target *);
struct kx *reduce_many_symmetric(struct reduction *, struct plan *);         /* host; ways.h */
void reduce_symmetric_gpu(struct reduction *, struct plan *);
void reduce_total_cpu(struct reduction *, struct plan *);
void reduce_run_cpu(struct reduction *, struct kx *lo, struct kx *hi);   /* those terms onto acc */
void reduce_mates(struct plan *, const struct group *);

const char *rows_unfit(const struct node *); /* struct row_folds: reduce_lower.c, reduce_online.c */
const char *rows_in_one_pass(const struct group *);
/* reduce_stage.c: of a shape whose `staged` says what is held */
extern const struct staging rows_staging;
extern const struct staging pairs_staging;               /* `staged`: a struct pairs_shape */

#endif
