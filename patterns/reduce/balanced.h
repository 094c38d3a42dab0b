/* balanced.h - the state of a reduce over ranges of one array of offsets (balanced_lower.c has the
 * design). */
#ifndef BALANCED_H
#define BALANCED_H

#include <assert.h>
#include "reduce.h"
#include "ragged.h"

enum {
	SLOTS = 2048,                    /* terms that a block on a GPU loads at once, */
	LINE = 32,                       /* from a multiple of so many on, whatever its first, */
	TILE = SLOTS - LINE,             /* so its items are fewer; */
	MOST_TURNS = 16,                 /* vectors of a thread */
	MOST_STREAMS = 16,
	CPU_TILE = 1 << 12               /* items of a chunk on a CPU */
};

struct balanced {
	struct lowering *l;
	const struct node *node;
	struct folds folds;
	struct accumulators acc;
	const struct fold *domain;       /* of all folds */
	const struct var *offsets;       /* its array */
	bool ordered;                    /* some operator does not commute */
	bool checks;                     /* offsets may be wrong */
	bool after;                 /* arithmetic round the folds reads what the statement writes */
	bool staged;                     /* terms are computed before their rows are known: GPU */
	bool gathers;                    /* some term reads where data say */
	int64_t tile;                    /* items */
	/* the host's */
	struct kx *host_rows, *host_first, *host_parts;
	struct kx *host_fewest;          /* rows that end in each part of even ones */
	struct kx *host_bits;            /* log2 of the lanes a row of even ones; NULL: a thread */
	/* slots; uneven: NULL if rows are not asked */
	struct kx *path, *falls, *uneven, *head[8], *tail[8];
	/* the kernel's */
	struct kx *first;                /* row: i64 */
	struct accumulators kept;        /* set aside, while others are folded */
	/* while terms are lowered from registers */
	/* of each array that neighbouring terms read side by side */
	LIST(const struct expr *) stream;
	int width;                       /* terms of a vector */
	int at_once;             /* cells that are loaded at a time: in a vector, or in_registers */
	bool in_registers;
	int turn;                        /* which of a thread's vectors */
	struct kvar *vector[MOST_TURNS][MOST_STREAMS];
	struct kvar *terms[8];           /* in registers, of each fold, */
	struct kvar *tile_of[8];         /* in shared memory */
	struct kx *lane;                 /* of the vector */
	struct kx *mine;                 /* the term is one of the part */
	struct kx *vectors;              /* all arrays may be read by vectors */
};

/* neighbouring terms, neighbouring cells */
bool balanced_streams(const struct balanced *, const struct expr *read);

/* balanced_lower.c */
/* .node: why not, NULL: it can be */
const char *balanced_not(struct balanced *, const struct target *);
bool balanced_fits(struct balanced *, const struct target *);    /* it is */
struct shape;
void balanced_shape(const struct node *, const struct target *, struct shape *);
void balanced_open(struct balanced *, struct plan *, const char *suffix); /* a kernel of the node */
/* What its texts know besides (balanced.kernel): parameters, and what the kernel fills or reads. */
void balanced_array(struct balanced *, const char *name, enum scalar, struct kx *slot,
                    bool is_const);
void balanced_number(struct balanced *, const char *name, struct kx *host);
void balanced_slots(struct balanced *, bool fills);              /* heads and tails */
void balanced_bind_term(const struct balanced *, struct kx *e);
void balanced_lower(struct balanced *, struct plan *);

void balanced_gpu(struct balanced *, struct plan *);             /* balanced_gpu.c */
void balanced_block(struct balanced *, int threads);
/* balanced_tile.c; bits: log2 of the lanes a row of even ones, NULL: a thread */
void balanced_tiles(struct balanced *, struct plan *, const char *suffix, int threads,
                    struct kx *bits);
/* balanced_lanes.c: even rows; whether they are even, given a boundary and its row */
struct kx *balanced_lanes(struct lowering *, const void *balanced, struct kx *const *none);
struct kx *balanced_judge(struct lowering *, const void *balanced, struct kx *const *boundary);
void balanced_cpu(struct balanced *, struct plan *);             /* balanced_cpu.c */

#endif
