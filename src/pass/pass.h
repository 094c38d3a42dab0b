/* pass.h - shared by the passes: walking the statements of an entry, and what the user pinned. */
#ifndef PASS_H
#define PASS_H

#include "graph.h"
#include "target.h"

/* ---- the passes: each decides something, and can be switched off ---- */

void schedule_pins(struct entry *, const struct options *);   /* schedule.c: before every pass */
void pass_bin(struct entry *, const struct options *),
	pass_gather(struct entry *, const struct options *),
	pass_separate(struct entry *, const struct options *),
	pass_fuse(struct entry *, const struct options *);
void pass_layout(struct entry *, const struct options *);     /* from here on all is row-major */
void pass_regularise(struct entry *, const struct options *);
/* regularise_rows.c: before statements are fused */
void regularise_rows(struct entry *, const struct options *);
void pass_walk(struct entry *, const struct options *);
void pass_sweep(struct entry *, const struct options *),
	pass_stage(struct entry *, const struct options *);
void pass_symmetric(struct entry *, const struct options *);
void pass_tile(struct entry *, const struct options *),
	pass_privatise(struct entry *, const struct options *);
void pass_vectorise(struct entry *, const struct options *);
void pass_coarsen(struct entry *, const struct options *);
void pass_time(struct entry *, const struct options *);
/* A loop is one launch of one block where a pass has at most so many cells, times the terms of
 * each, for every launch that this saves. */
enum { BLOCK_WORK = 8192 };
void pass_loop(struct entry *, const struct options *);
void schedule_dump(const struct program *, FILE *);
/* remark.c; after the last */
struct plan;                             /* one an entry */
void remarks_print(const struct program *, struct plan *const *, const struct options *),
	remarks_close(const struct options *);
/* of one program, the object of --remarks=json */
void remarks_json(const struct program *, struct plan *const *, const struct options *, FILE *);

/* ---- what they share ---- */

/* Calls visit for every pattern statement that has a kernel, those inside repeats included. */
void pass_each(struct entry *, void (*visit)(struct node *, const struct options *),
               const struct options *);
/* Statements that an entry, or a repeat or if, holds; repeat: the innermost repeat around them. */
struct insertion {
	struct entry *entry;
	struct node *repeat;
	const struct options *o;
	LIST(struct node *) made;            /* those that are done */
};
/* Calls visit for every pattern statement.  What it adds to `made` comes before the statement. */
void pass_insert(struct entry *, void (*visit)(struct node *, struct insertion *),
                 const struct options *);
/* The name, or with a number after it if a statement before has it. */
const char *insertion_name(const struct insertion *, const char *plain);
void guard_folds(struct entry *, const struct options *);          /* guard.c: before all of them */

/* How the kernels of a pattern use shared memory and registers: its part of pass_stage.c and
 * pass_tile.c. */
struct staging {
	/* Why the statement cannot be at the level that is pinned; NULL: it can, or none is pinned.
	 * */
	const char *(*why_not)(const struct node *, const struct shape *, const struct options *);
	/* These decide choice.stage, and choice.tile of one that is staged, and say so. */
	void (*stage)(struct node *, const struct shape *, const struct options *);
	void (*tile)(struct node *, const struct shape *, const struct options *);
	/* Would the tile that is pinned hold in shared memory? */
	bool (*fits)(const struct node *, const struct shape *, const struct options *);
};

/* How the kernel of a statement can be formed on a target, as far as it is decided: the pattern's
 * answer. */
struct shape {
	int vector;                          /* elements a memory access can move at most */
	const char *no_vector;               /* why that is one */
	bool vectors;                   /* other statements of its kind are computed by vectors */
	const char *piece;                   /* what a thread takes one or more of: vector, row */
	int pieces;                          /* that it can take at most */
	bool at_once;                        /* all of them are loaded before the first is used */
	const char *no_pieces;               /* why it takes no more than one unless pinned */
	enum sweep sweep;   /* the order that its cells take if nobody pins one; AUTO: none waits */
	const char *no_sweep[SWEEP_COUNT];   /* why it cannot take that one; NULL: it can */
	/* It calls a function whose loop `at most` limits. */
	bool walks;
	const char *no_walk[WALK_COUNT];     /* why the passes of it cannot be made in that way */
	/* Replaces the statement by several others, which it puts into the node's body, if its
	 * order is SWEEP_BLOCKED.  NULL: the pattern has no such order. */
	void (*split)(struct node *);
	/* indices whose cells have nothing to do with those at another, slowest first */
	int problem[MAX_RANK], problems;
	/* why no fold can be applied where its cells are computed; NULL: it can */
	const char *no_births;
	/* why it reads its cells from memory; NULL: it can compute them, as its pattern says */
	const char *no_reads;
	bool onto; /* a map that alone reads its cells can be computed in its kernel */
	int line[2], lines;            /* indices along which a fold can be that keeps all others */
	/* once it has an order: why tables that nobody else reads are stored, or NULL */
	const char *no_unstored;
	/* then: but no more cells of them than these are wanted; NULL: all are */
	const struct ring *ring;
	/* of a batch: why two cells cannot share a word; NULL: they can, ... */
	const char *no_pack;
	const char *pack;                    /* ... and what proves it */
	const char *law;          /* which law allows the order chosen, or why none does; or NULL */
	/* how it uses the memory of the chip, or NULL: it keeps nothing there ... */
	const struct staging *staging;
	const void *staged;                  /* ... and what that knows of the statement */
	bool whole;                          /* structs come to the chip as they lie */
	bool births_staged; /* folds of its cells need it to be staged */
	bool owned;        /* each part of the threads asks where all items go, and takes its own */
	/* how items that go to one cell are combined; NULL: its cells are its own */
	const char *meet;
	/* then: why blocks can have no cells of their own; NULL: they can */
	const char *no_private;
	int64_t cells, cell_bytes;           /* that items go to, -1: sizes say how many; of one */
	bool chunked;                        /* chunks of the items have such cells, not blocks */
	/* of each that are worth their room at most; of a block that has them */
	int copies, threads;
	/* items at places that data decide: why they cannot be sorted by tiles of the cells, or
	 * NULL; then the sides of a tile, its bytes, and how many items go to near cells */
	const char *no_tiles, *tiles;
	int64_t tile_bytes, bunch;
	bool few_cells;                      /* the statement says that they are few */
	const char *no_bins;         /* of pairs within a radius: why all are tested; or NULL */
	/* it folds pairs; why a term is not computed once for both of its results, or NULL */
	bool pairs;
	const char *no_symmetric;
	/* rows whose lengths data decide: how they share the work, or why not */
	const char *regular, *irregular;
	const char *level;                   /* why their lengths do no harm, or NULL */
};
struct shape shape_of(const struct node *, const struct options *);

/* ---- pass_separate_fold.c ---- */

/* Why parts of the terms cannot be folded first, and joined in their order; NULL: they can. */
const char *fold_no_parts(const struct expr *fold);

/* ---- pass_stage.c ---- */

/* Why neither the statement nor the machine has such cells, and that it is told and chosen. */
const char *no_stage(const struct node *, const struct options *);
void stage_none(struct node *, const struct options *);
/* NULL, or why `stage shared` cannot be */
const char *no_shared(const struct node *, const struct options *);
/* likewise: why it is not staged */
const char *unstaged(const struct node *, const struct shape *, const struct options *);
/* The statement is at that level, unless `why` not, or a pin or switch keeps it in L1: that is
 * told. */
bool stage_settles(struct node *, enum stage, const char *why, const struct options *);
void stage_refuse(const struct node *, const char *why);         /* the pin, if there is one */
const char *stage_as_pinned(const struct node *);        /* ", as pinned", or "" */
/* Why tiles in shared memory cannot be: registers are pinned (what), or there are no tiles; or
 * NULL. */
const char *stage_no_tiles(const struct node *, const char *what, const struct options *);

/* ---- pass_tile.c ---- */

void tile_set(struct node *, const int *tile);           /* NULL: none */
void tile_none(struct node *, const char *why);          /* the same, and told */
/* "8 x 128", the indices as written */
const char *tile_text(const struct node *, const int64_t *size, int rank);
const char *tile_pair(const struct node *, int rows, int columns);

/* ---- schedule.c ---- */

/* Blocks of so many threads and bytes of shared memory that a multiprocessor holds at a time. */
int blocks_of_unit(const struct target *, int threads, int64_t shared);

/* A statement that a pass makes of another: what is pinned for that one holds where it can. */
void pins_inherit(struct node *made, const struct node *);

/* The user's pin, if there is one, cannot hold.  On the statement's own label that is an error, and
 * true; pinned for the whole kernel, it holds where it can. */
bool pin_refused(const struct node *, enum pin, enum diag, const char *format, ...)
	__attribute__((format(printf, 4, 5)));
/* The same, where no other value would do: the cure is to leave it out. */
bool pin_unfit(const struct node *, enum pin, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

#endif
