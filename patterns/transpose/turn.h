/* turn.h - a transpose that tiles can move: what turn.c finds, what the lowerings make of it. */
#ifndef TURN_H
#define TURN_H

#include "lower.h"
#include "pass.h"

enum {
	TURN_READS = 3,                      /* arrays that a block turns together ... */
	TURN_BYTES = 64,                     /* ... and the bytes of a cell of all of them */
	TURN_ACCESS = 16,                    /* bytes that a thread moves at once, at most */
	TURN_CHUNKS = 8                      /* so many of these the banks hold side by side */
};

/* Indices whose cells lie one after another in every array: one axis. */
struct axis { int n, index[MAX_RANK]; }; /* of the statement, slowest first */

struct turn {
	const struct node *node;
	const struct expr *target;
	const struct expr *read[TURN_READS]; /* different cells, which lie along axis `from` */
	int reads;
	struct axis axis[MAX_RANK];          /* as the target has them, slowest first */
	int axes, from, to;                  /* the target's cells lie along axis `to` */
};

/* NULL, or why a tile has nothing to turn. */
const char *turn_find(struct turn *, const struct node *);
int turn_read(const struct turn *, const struct expr *); /* which of them it is; -1: none */
bool turn_own(const struct turn *, const struct expr *); /* is it the cell that is written? */
bool turn_reads_own(const struct turn *);                /* is its value made of that? */
bool turn_pairs(const struct turn *);    /* in place: a tile and the one of the other cells */

/* Cells from one to the next along an axis: with the host's lowering, or in a kernel. */
struct kx *turn_step(struct lowering *, const struct turn *, const struct expr *cell, int axis);
struct kx *turn_count(struct plan *, const struct turn *, int axis); /* host: cells along it */
/* In a kernel: pointer to the array's cell at the low ends of all indices. */
struct kx *turn_start(struct lowering *, const struct turn *, const struct expr *cell);

bool turn_starts_at_zero(const struct turn *, int axis);
/* No subscript moves the cell at the low ends of all indices away from the array's first. */
bool turn_starts_first(const struct turn *, const struct expr *cell);

/* ---- tiles ---- */

struct turn_form {
	int size[2];                         /* of a tile, along `from` and `to`: powers of two */
	int vector;                          /* cells of an access */
	int threads;
	int halo;                            /* rows before it that accesses may begin in */
};
int turn_axis(const struct turn *, int side);
struct kx *turn_whole(struct kx *cells, int vector);     /* host: are they whole accesses? */
int turn_vector(const struct turn *, const struct target *);     /* at most; 1: one by one */
struct turn_form turn_form(const struct turn *, const struct target *, const int *pinned);
/* Why such a tile cannot be. */
const char *turn_unfit(const struct turn *, const struct target *, const int *tile);

/* A kernel under way. */
struct mover {
	const struct turn *turn;
	struct lowering *l;
	struct kernel *k;
	struct turn_form form;
	struct kx *size[2];                  /* host: of a tile, unless changed as the form says */
	struct kx *lo[MAX_RANK];             /* of each index */
	struct kx *step[TURN_READS + 1][MAX_RANK]; /* of each array, along each axis, or NULL */
	struct kx *start[TURN_READS + 1];    /* in each array; the last one is the target */
};
enum { FROM, TO };

struct mover mover_open(const struct turn *, struct plan *, struct turn_form, const char *suffix);
/* Variables of the text are called by the array, and what comes after: A_past, of those that are
 * read a list, and of the target, or NULL. */
void mover_words(struct mover *, const char *name, const char *target, const char *after);
struct kx *mover_tiles(const struct mover *);    /* host: how many there are */
/* Its text, and the launch. */
void mover_kernel(struct mover *, const char *text);

int64_t turn_apart_cells(const struct turn_form *);      /* of shared memory */
void turn_apart(const struct turn *, struct plan *, struct turn_form, const char *suffix);
/* Rows along that side are short: a form that has cells along it says so. */
const char *turn_thin_rows(const struct turn *, const struct target *);  /* what a block moves */
int turn_thin_word(const struct turn *, const struct target *);  /* cells that are moved at once */
struct kx *turn_thin_pays(struct plan *, const struct turn *, int side, int word);
void turn_thin(const struct turn *, struct plan *, struct turn_form, const char *suffix);
struct task;
void turn_gpu(const struct task *);            /* ways.h */
struct kx *turn_vectors_pay(const struct task *);        /* host: by 16 bytes an access? */
int turn_pad(const struct turn *);       /* cells after a row of a tile that singles fill */
void turn_pairs_gpu(const struct task *);
struct kx *turn_planes_small(struct plan *, const struct turn *);        /* host */
void turn_cpu(const struct turn *, struct plan *);
void reshape_lower(const struct task *);       /* reshape.c */

/* ---- turn_stage.c ---- */

struct turn_tiles {                      /* shape.staged */
	const char *none;                    /* why there are no tiles; NULL: there are */
	const char *what;                    /* what they turn between rows and columns */
	const char *unfit;                   /* why a tile cannot be as pinned, or NULL */
	const char *thin;                    /* what a block moves if a side is short, or NULL */
	struct turn_form form;
};
extern const struct staging turn_staging;

#endif
