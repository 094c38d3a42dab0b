/* sort_cpu.h - a sort on a CPU: what its files share.  sort_cpu.c has the workspace and the sequences, sort_cpu_merge.c
 * sorts a piece by merging, sort_cpu_radix.c a long one by its digits, sort_cpu_lanes.c short ones side by side. */
#ifndef SORT_CPU_H
#define SORT_CPU_H

#include "sort.h"

enum {
	RUN = 16,                            /* cells sorted by insertion */
	CHUNK = 1 << 14,                     /* of a long sequence: its keys fit L2; an even number of doublings from RUN */
	TILE = 1 << 13,                      /* divides CHUNK */
	LONG = 1 << 16,                      /* cells from which on threads share a sequence, ... */
	SHARES = 64,                         /* ... if so many of its length would be all there are */
	SOLO = 1 << 12,                      /* or if there is only one */
	PARTS = 1024,                        /* of the sequences */
	DIGIT = 8,                           /* bits */
	DIGITS = 1 << DIGIT,
	STRETCHES = 256,                     /* of a long sequence: cells whose digits are counted together, ... */
	STRETCH = 1 << 12,                   /* ... at least so many */
	LANES = 16                           /* short sequences sorted side by side */
};

struct fetched { const struct equation *eq; struct kvar *slot; struct kx *at; };
struct cpu_sort {
	struct plan *plan;
	const struct node *node;
	struct lowering *l;
	struct kernel *k;
	struct kx *host_cells, *host_total;  /* of the running axis, of the array */
	const struct type *with;             /* what goes with a key; NULL: nothing */
	const struct equation *direct;       /* whose value that is; NULL: the number of the cell */
	LIST(struct fetched) fetched;
	struct kvar *key_slot, *with_slot, *cut_slot, *long_slot, *count_slot;
	struct kx *fallen;                   /* host, or NULL */
	/* in a function */
	struct kx *keys, *withs, *total, *cells, *segments, *sequences, *long_cells;
	struct kx *cuts, *counts;            /* where tiles begin, how many cells have a digit; NULL: not its business */
	struct kx *lane_words, *lane_numbers, *lane_keys, *lane_withs;   /* of short sequences: sort_cpu_lanes.c */
};
/* A sequence, or a part of one: its first cell along the axis, how many, its first place in the workspace. */
struct piece { struct kx *origin, *n, *base; };
struct held { struct kx *key, *with; };          /* a sorted cell */
/* Where sorted cells are: from place `first` of the workspace on, or in a lane. */
struct sorted { struct kx *first, *lane; };

struct kx *cpu_let(const struct cpu_sort *, const char *name, struct kx *);
struct kx *cpu_var(const struct cpu_sort *, const char *name, struct kx *);      /* i64 */
struct kx *cpu_for(const struct cpu_sort *, const char *name, struct kx *lo, struct kx *hi, int flags);
void cpu_bind(const struct cpu_sort *, struct kx *cell);         /* the running index */
/* The key of cell i of the piece, as it is held, and what goes with it (NULL: nothing); the cell is bound. */
struct kx *cpu_load(const struct cpu_sort *, const struct piece *, struct kx *i, struct kx **with);
void cpu_put(const struct cpu_sort *, struct kx *to, struct kx *key, struct kx *with);   /* at a place of the workspace */
void cpu_copy(const struct cpu_sort *, struct kx *to, struct kx *from);                  /* from another one */

/* ---- sort_cpu_merge.c ---- */

/* The piece is loaded and sorted by this thread: the place from which on it lies. */
struct kx *cpu_merge_sort(const struct cpu_sort *, const struct piece *);
struct kx *cpu_merge_tiles(const struct cpu_sort *, const struct piece *);               /* by all threads */

/* ---- sort_cpu_lanes.c ---- */

bool cpu_lanes_can(const struct cpu_sort *);
struct kx *cpu_lanes_most(const struct cpu_sort *);      /* cells of a sequence, for which that is the best way */
void cpu_lanes_open(struct cpu_sort *);
void cpu_lanes_load(const struct cpu_sort *, const struct piece *, struct kx *lane, struct kx *width);
void cpu_lanes_fill(const struct cpu_sort *, struct kx *lane, struct kx *from, struct kx *width);        /* no cells */
void cpu_lanes_sort(const struct cpu_sort *, struct kx *width);
struct kx *cpu_lanes_runs(const struct cpu_sort *, const struct piece *);
struct held cpu_lanes_cell(const struct cpu_sort *, struct kx *lane, struct kx *i);

/* ---- sort_cpu_radix.c: by all threads; keys have words ---- */

struct kx *cpu_radix_sort(const struct cpu_sort *, const struct piece *);

#endif
