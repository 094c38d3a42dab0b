/* sort_gpu.h - what the parts of a sort on a GPU share.
 *
 *   sort_network.c   which steps sort the elements in the registers of some lanes
 *   sort_elements.c     an element in registers: its key, and what goes with it; the steps as code
 *   sort_units.c     which sequence a group of lanes takes
 *   sort_bins.c      sequences whose lengths are data: bins by length
 *   sort_short.c     sequences that fit the registers of a warp, or of a block
 *   sort_long.c      longer ones: sorted tiles, and the move after merging
 *   sort_first.c     those whose first elements alone are wanted
 *   sort_pick.c      the same, of few sequences: candidates for them
 *   sort_merge.c     the passes that merge their runs
 *   sort_radix.c     one array by digits: sort_radix.h
 *   sort_gpu.c       the plan: what is launched, in which order */
#ifndef SORT_GPU_H
#define SORT_GPU_H

#include "sort.h"
#include "sort_network.h"

enum { SORT_THREADS = 256 };             /* of a block: 2^8 lanes */
/* of the longest sequence of a block, of a warp */
enum { SORT_LANE_BITS = 8, SHORT_LANE_BITS = 5 };

/* A value that the kernel computes once. */
static inline struct kx *let(struct lowering *l, const char *name, struct kx *x)
{
	return x_var(k_let(l->k, name, x));
}

/* What a statement's kernels have in common. */
struct sorter {
	struct plan *plan;
	const struct node *node;
	/* of an element, see sort_elements.c; tag NULL: the key holds it */
	const struct type *key, *tag;
	bool tagged;                         /* given: elements are to have tags */
	bool words;                          /* elements are words alone: sorter_of_words */
	bool alone;                          /* keys are all there is: no tags */
	const struct equation *carried;      /* what goes with the key in place of a tag, or NULL */
	int short_bits, block_bits;        /* 2^bits elements a thread: warps' sequences, blocks' */
	int64_t tile;                        /* the longest sequence of a block */
	bool binned;                         /* lengths are data */
	/* host */
	struct kx *fallen;                   /* or NULL */
	struct kx *total, *cells;            /* of the array, of its running axis */
	struct kx *sequences, *longest;      /* if binned: bounds */
	struct kvar *queue;                  /* binned */
	/* how many it holds of each class, and of tiles; after them those of sort_merge.c */
	struct kvar *counts;
	struct kvar *tile_sequence, *tile_number;
	struct kvar *keys, *tags;            /* two halves of the long sequences' elements */
	struct kx *room;                     /* cells that have a place in what follows */
	struct kvar **fetched;               /* sort_fetched */
	/* sort_pick.c: limits, candidates, room for so many of a sequence; or NULL */
	struct kvar *limit_key, *limit_tag, *part_key, *part_tag, *picked_key, *picked_tag;
	struct kvar *picked, *ticket;
	struct kx *picked_room;
};

/* sort_gpu.c: memory for what equation q moves */
struct kvar *sort_fetched(const struct sorter *, int q);

/* ---- sort_elements.c ---- */

struct elements {
	const struct sorter *s;
	struct lowering *l;
	int bits;                            /* 2^bits elements a thread */
	int loops;                           /* over levels of networks: network_lane_rank */
	bool merged;                         /* their ranks are those of network_merge */
	struct kvar *key, *tag;              /* registers */
	struct kvar *key_memory, *tag_memory;      /* of the block; NULL: lanes of one warp trade */
	struct kx *n;                        /* u32: tags from there on are no elements */
	struct kx *lane;                     /* of the thread in its warp, i32 */
	struct kx *keys, *tags;              /* the workspace's: elements_workspace */
};
void sorter_types(struct sorter *);
/* Its elements are what those of the sorter compare first, without tags: words, or keys that a
 * function orders, which do not pad. */
struct sorter *sorter_of_words(const struct sorter *);
/* In registers that are called so. */
struct elements *elements_new(const struct sorter *, struct lowering *, const char *prefix,
                              int bits, bool block);
void elements_pad(const struct elements *, struct kx *e);      /* it comes after all elements */
struct kx *elements_is_pad(const struct elements *, struct kx *e);       /* or the last word */
/* It is the element of the bound cell, which is number `tag` (u32) of its sequence. */
void elements_load(const struct elements *, struct kx *e, struct kx *tag);
void elements_workspace(struct elements *);
/* An element of the registers, and a place of it->keys and it->tags. */
void elements_get(const struct elements *, struct kx *e, struct kx *at),
	elements_put(const struct elements *, struct kx *e, struct kx *at),
	elements_copy(const struct elements *to, struct kx *e, const struct elements *from,
	              struct kx *other);
/* The word of what is at that place of `from`. */
void elements_get_word(const struct elements *words, struct kx *e, const struct elements *from,
                       struct kx *at);
/* Does element b of the one go before element a of the other, or before what is at that place? */
struct kx *elements_first(const struct elements *of_b, struct kx *b, const struct elements *of_a,
                          struct kx *a),
	*elements_at_first(const struct elements *of_b, struct kx *b,
	                   const struct elements *of_a, struct kx *at);
/* what it moves follows from the element */
bool sort_holds(const struct sorter *, const struct equation *);
/* then: as it is stored */
struct kx *elements_value(const struct elements *, const struct equation *, struct kx *e);
/* in the workspace */
struct kx *elements_value_at(const struct elements *, const struct equation *, struct kx *at);
struct kx *elements_tag(const struct elements *, struct kx *e);                /* i64 */
struct kx *elements_tag_at(const struct elements *, struct kx *at);           /* in the workspace */
/* lanes: i32, those of the sequence; the thread is number `lane` of them */
void elements_sort(const struct elements *, struct kx *lane_bits, struct kx *lane);
struct kx *elements_rank(const struct elements *, struct kx *e, struct kx *lane_rank,
                         struct kx *lane_bits, bool merged);

/* Functions of texts, of blocks' elements: those of sort_tiles.kernel and sort_merge.kernel. */
void elements_bind(struct elements *, bool merged);

/* ---- sort_units.c ---- */

/* A sequence within a kernel; the other indices are bound.  find_sequence(number) of a text binds
 * first, cells and base. */
struct sequence { struct kx *first, *n, *base; };  /* i64; base: its first place in the workspace */
struct lowering *sort_kernel(const struct sorter *, const char *suffix, const char *note);
struct sequence sort_sequence(const struct sorter *, struct lowering *, struct kx *number);
struct kx *sort_sequences(const struct sorter *, struct lowering *);     /* how many, in a kernel */
struct kx *sort_pointer(const struct sorter *, struct lowering *, struct kvar *slot, bool is_const);
int sort_classes(const struct sorter *);             /* of lengths, without that of the long ones */
int64_t sort_class_cells(const struct sorter *, int c);  /* the most a sequence of it has */
int sort_warp_classes(const struct sorter *);            /* whose sequences fit a warp */
/* The statements of a kernel that sorts those of classes first .. end, or of the one class of all
 * sequences, by its function visit(lane_bits, number, is): which sequence this thread's lanes take,
 * and whether there is one. */
void sort_units(const struct sorter *, struct lowering *, int first, int end, int bits);
/* so many to ask for; host */
struct kx *sort_blocks(const struct sorter *, int first, int end, int bits);

/* ---- sort_bins.c ---- */

void sort_find_queues(struct sorter *);
/* the statements, and the launch */
void sort_bin_sequences(const struct sorter *, struct lowering *);

/* ---- sort_short.c, sort_long.c ---- */

/* Sequences a warp sorts, or a block. */
void sort_short(const struct sorter *, bool block);
void sort_bins(struct sorter *);   /* those of warps, where lengths are data; it finds the others */
int64_t sort_most(const struct sorter *, bool block);    /* the most cells of one */
void sort_long(const struct sorter *);
/* Moves what so many threads of a block hold: element e of a thread has rank e * threads + thread.
 * A text calls it, with `wanted` of them in all; each has 2^bits. */
struct visit *visit_striped(const struct sorter *, struct lowering *, struct elements *,
                            int threads);
void visit_move(struct visit *, int bits, bool several_warps);

/* ---- sort_first.c ---- */

/* A block keeps the first elements of a sequence, up to so many; a warp fewer, more if it is wide
 * (0 to 3), of sequences of more than so many cells. */
int64_t sort_first_most(const struct sorter *);
int64_t sort_first_warps_most(int wide), sort_first_warps_cells(const struct sorter *, int wide);
bool sort_first_fits(const struct sorter *);     /* the memory of a block: else neither can */
bool sort_first_warps_fit(const struct sorter *, int wide);      /* its registers */
void sort_first_blocks(const struct sorter *), sort_first_warps(const struct sorter *, int wide);
/* Blocks keep those of each part of the sequences longer than a tile, of so many cells, then those
 * of all parts of a sequence; in s->keys and s->tags. */
int64_t sort_first_part(const struct sorter *);
void sort_first_parts(const struct sorter *);

/* ---- sort_pick.c ---- */

/* The way of sequences of more than `least` cells, fewer than `most`, if one in `share` of the
 * cells is wanted at most; tagged; it ends with sort_first_blocks(). */
void sort_pick(struct sorter *, int64_t least, int64_t most, int64_t share);
/* The candidates, through the registers of items; binds what pick.kernel
 * calls `picked` and `room`. */
struct elements *sort_bind_picked(const struct sorter *, struct lowering *,
                                  const struct elements *items);

/* the names of sort_tiles.kernel */
void sort_bind_tiles(const struct sorter *, struct lowering *, struct kx *counts);
void sort_bound_registers(const struct sorter *, struct lowering *);
struct kx *sort_tiles_of(const struct sorter *);         /* how many at most: host */
void sort_launch_long(const struct sorter *, struct lowering *);

/* ---- sort_merge.c ---- */

struct kx *sort_counts(const struct sorter *);           /* so many words there are: host */
void sort_bind_counters(const struct sorter *, struct kernel *);  /* where they are in the counts */
/* stores: all that moves follows from the elements */
void sort_merge(const struct sorter *, bool stores);

#endif
