/* balanced.h - the state of a reduce over ranges of one array of offsets (balanced_lower.c has the design). */
#ifndef BALANCED_H
#define BALANCED_H

#include <assert.h>
#include "reduce.h"
#include "ragged.h"

enum {
	SLOTS = 2048,                    /* terms that a block on a GPU loads at once, */
	LINE = 32,                       /* from a multiple of so many on, whatever its first, */
	TILE = SLOTS - LINE,             /* so its items are fewer; */
	CPU_TILE = 1 << 12               /* items of a chunk on a CPU */
};

struct tile_stream { const struct expr *read; struct kvar *vector; };

struct balanced {
	struct lowering *l;
	const struct node *node;
	struct folds folds;
	struct accumulators acc;
	const struct fold *domain;       /* of all folds */
	const struct var *offsets;       /* its array */
	bool ordered;                    /* some operator does not commute */
	bool checks;                     /* offsets may be wrong */
	bool after;                      /* arithmetic round the folds reads what the statement writes */
	bool staged;                     /* terms are computed before their rows are known: GPU */
	bool gathers;                    /* some term reads where data say */
	int64_t tile;                    /* items */
	/* the host's */
	struct kx *host_rows, *host_first, *host_parts;
	struct kx *host_fewest;          /* rows that end in each part of even ones */
	struct kx *path, *falls, *uneven, *head[8], *tail[8];    /* slots; uneven: NULL if rows are not asked */
	/* the kernel's */
	struct kx *rows, *first;         /* number of rows, and the first: i64 */
	struct kx *own_path, *own_falls, *own_head[8], *own_tail[8];     /* the slots, as parameters */
	/* while a term is lowered from registers */
	LIST(struct tile_stream) stream;
	int width;                       /* terms of a vector */
	struct kx *lane;                 /* of the vector */
	struct kx *mine;                 /* the term is one of the part */
	struct kx *bad;                  /* this thread met a term outside */
	struct kx *vectors;              /* all arrays may be read by vectors */
};

bool balanced_streams(const struct balanced *, const struct expr *read);     /* neighbouring terms, neighbouring cells */

/* balanced_lower.c */
const char *balanced_not(struct balanced *, const struct target *);      /* .node: why not, NULL: it can be */
bool balanced_fits(struct balanced *, const struct target *);    /* it is */
struct shape;
void balanced_shape(const struct node *, const struct target *, struct shape *);
void balanced_open(struct balanced *, struct plan *, const char *suffix);    /* a kernel of the node */
void balanced_bind(struct balanced *, struct kx *row);           /* its number from 0 on */
void balanced_bind_term(struct balanced *, struct kx *e);
struct kx *balanced_total(struct balanced *, struct kx **base);  /* items in all; the first term */
/* Finds and stores it, and gives its row. */
struct kx *balanced_boundary(struct balanced *, struct kx *path, struct kx *t, struct kx *total, struct kx *base);
void balanced_boundaries(struct balanced *, struct kx *part, struct kx **at);        /* row, term; behind: row, term */
void balanced_fell(struct balanced *, struct kx *falls);         /* raises the flag, if so */
void balanced_clear(struct balanced *);                          /* acc: nothing folded yet */
void balanced_finish(struct balanced *);                         /* the equations of the bound row, acc known */
/* What the part has of the bound row: its tail, the row, or its head. */
void balanced_finish_part(struct balanced *, struct kx *part, struct kx *goes_on, struct kx *began);
void balanced_slots(struct balanced *, bool fills);              /* the kernel fills heads and tails, or reads them */
/* The row over the boundary t, if it began in the part before, and the part in which it ends. */
struct span { struct kx *spans, *row, *last; };
struct span balanced_span(struct balanced *, struct kx *t);
void balanced_join(struct balanced *, struct kx *lo, struct kx *end, struct kx *last);   /* what parts have of it */
void balanced_fold_span(struct balanced *, struct kx *t, const struct span *);
void balanced_rows(struct balanced *, struct kx *from, struct kx *step);     /* one by one, whatever the offsets */
void balanced_lower(struct balanced *, struct plan *);

void balanced_gpu(struct balanced *, struct plan *);             /* balanced_gpu.c */
/* balanced_tile.c; bits: log2 of the lanes a row of even ones, NULL: one */
void balanced_tiles(struct balanced *, struct plan *, const char *suffix, int threads, struct kx *bits);
/* The terms at the bound index, or what changes nothing if it is not mine, go to regs[fold][at]. */
void balanced_terms(struct balanced *, struct kvar *const *regs, struct kx *at, struct kx *lane, struct kx *mine);
void balanced_fold_lanes(struct balanced *, struct kx *group);
struct kx *balanced_is_even(struct balanced *);                 /* balanced_lanes.c */
void balanced_lanes(struct balanced *, int threads, struct kx *bits);
void balanced_judge(struct balanced *, struct kx *t, struct kx *parts, struct kx *row);  /* boundary t, found */
void balanced_cpu(struct balanced *, struct plan *);             /* balanced_cpu.c */

#endif
