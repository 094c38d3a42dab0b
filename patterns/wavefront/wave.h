/* wave.h - what the lowerings of a wavefront share (wavefront.h says what is in the graph). */
#ifndef WAVE_H
#define WAVE_H

#include "../cells.h"
#include "wavefront.h"

/* Note [who waits for whom] A cell waits for its fresh neighbours, and cells at places that are not
 * fresh wait for it, since they overwrite what it reads.  Both are one list of vectors: the cell
 * waits for cell + vector.  In the order's own direction (an axis that runs backwards turned round)
 * the first component that is not 0 is negative. */
/* by position in the order, slowest first */
struct wave_vectors { int n; int64_t at[2 * 64][MAX_RANK]; };

/* wave_ask.c */
struct wave_vectors wave_vectors(const struct node *);
const struct expr *wave_table(const struct node *, int equation);        /* its target: an E_READ */
/* of a target: the index in it */
int wave_index_of(const struct node *, const struct expr *subscript);
/* in which of a target's index k is */
int wave_subscript(const struct node *, const struct expr *cell, int k);
/* how far away it is, in the order; here: of this launch, no other axis moves */
struct step { int64_t row, column; bool here; };
struct step step_of(const struct node *, const struct neighbour *);
/* columns by which a row stays after the one before: cells of */
int64_t wave_slope(const struct node *);
		/* column + slope * row, row wait for no larger ones along either */

/* wave_axes.c: the axes of the order, d counting from the slowest; rows are d = n - 2, columns d =
 * n - 1 */
struct axes {
	struct plan *plan;
	const struct node *node;
	struct lowering *l;                  /* of the kernel at hand */
	int n;
	int64_t slope;
	struct kx *host_lo[MAX_RANK], *host_size[MAX_RANK];
	/* the host's loop variable of an axis before rows that waits, else NULL */
	struct kx *host_turn[MAX_RANK];
	struct kx *host_problems;            /* cells of all other axes before rows */
	/* host: no more come this way, over the sizes alone; NULL: all may */
	struct kx *most_problems;
	struct kx *lo[MAX_RANK], *size[MAX_RANK];     /* arguments of that kernel, once asked for */
	bool own;       /* the problem at hand is bound: of axes of its own these are its numbers */
	struct kx *count[MAX_RANK];          /* likewise, of counts_of's */
	const struct lowering *counts_of;
	struct births *births; /* NULL: nothing is folded where the cells are computed */
};
void axes_open(struct axes *, struct plan *, const struct node *);       /* the host's numbers */
int axis_index(const struct axes *, int d);  /* which index of the node */
bool axis_waits(const struct node *, int d);
/* of rows or columns: each problem has its own range (data, triangles) */
bool axis_own(const struct node *, int d);
bool axis_reads_cut(const struct node *, int d); /* its range is cut to arrays that are read, too */
/* a problem is a box: no cell need be asked whether it is in the domain */
bool axes_even(const struct node *);
struct kx *axis_size(const struct axes *, int d);         /* host; 1 for the rows of a single row */
struct kx *axes_some(const struct axes *);   /* host: there is a cell */
/* host, around all launches */
void axes_open_loops(struct axes *), axes_close_loops(struct axes *);
/* i64; a constant is one */
struct kx *axes_argument(struct axes *, const char *name, struct kx *host);
/* how many: at most, once bound the problem's */
struct kx *axes_rows(struct axes *), *axes_columns(struct axes *);
struct kx *axis_count(struct axes *, int d);  /* how many indices */
struct kx *axis_most(const struct axes *, int d); /* host: how many at most, over the sizes alone */
struct kx *axes_most_problems(const struct axes *);
/* the index, turn counted in the order */
struct kx *axis_at(struct axes *, int d, struct kx *turn);
void axis_bind(struct axes *, int d, struct kx *turn);
void axes_bind_outer(struct axes *, struct kx *problem);
struct kx *axis_turn(struct axes *, int d, struct kx *index);      /* the turn that has the index */
/* the bound cell is in the domain, where its box does not say so; or NULL */
struct kx *axes_guard(struct axes *);

/* wave_fold.c: without births all of these do nothing */
struct births { /* reductions folded where the cells are computed, lines kept */
	const struct group *group;           /* NULL: nothing is folded */
	struct folds folds;
	bool each;                           /* some results are of a problem each: so is a part */
	struct kx *slot[8], *host_parts;     /* host: what parts store, a place each */
	struct accumulators acc, all;        /* of the kernel at hand; in a run: what it joins */
};
struct births *births_of(const struct node *);           /* NULL: none */
bool births_fold(const struct axes *);       /* is anything folded? */
/* host: parts; how many at most, over the sizes */
void births_open(struct axes *, struct kx *most, struct kx *parts);
/* likewise, but the host gives this variable their number */
struct kvar *births_open_later(struct axes *, struct kx *most);
void births_close(struct axes *);            /* host, after all launches */
/* has who folds a whole problem its results?  Then neither of the two is called, but: */
bool births_final(const struct axes *);
/* when the kernel begins; in a thread, the problem's bound */
void births_written(struct axes *), births_finish(struct axes *);
bool births_read(const struct axes *, int q);            /* is a table among what they read? */
/* which table's new value that is; -1: none's */
int births_table(const struct axes *, const struct expr *read);
void births_lines(struct axes *);    /* if the bound cell is on a line that is kept, it is stored */
/* nothing is folded; the bound cell is */
void births_start(struct axes *), births_cell(struct axes *);
/* does the order decide how results round? */
bool births_round(const struct node *);
/* the bound cell is folded, whose only table has that value: in no memory */
void births_value(struct axes *, struct kx *value);
/* some hundred cells, in one body of the kernel */
void births_open_run(struct axes *), births_close_run(struct axes *);
/* Of a row that all threads have computed: its cells are found in the caches, neighbours by
 * neighbouring threads. */
void births_columns(struct axes *, struct kx *first, struct kx *end);
/* In one thread, that holds what a part has folded; goes_on: a launch before has stored what comes
 * before it (or NULL). */
void births_store(struct axes *, struct kx *part, struct kx *goes_on);

/* wave_cell.c: the bound cell, its neighbours from memory */
void wave_neighbours(struct lowering *, const struct node *);    /* they alone are bound */
void wave_cell(struct lowering *, const struct node *);
/* Are row and column of the bound indices in the table of that cell? */
struct kx *wave_inside(struct lowering *, const struct node *, const struct expr *cell);
/* A neighbour's place in its table; its value, `cell` inside the table, else the boundary's: a
 * variable. */
/* NULL: always */
struct kx *wave_is_inside(struct lowering *, const struct node *, const struct neighbour *);
struct kx *wave_memory(struct lowering *, const struct node *, const struct neighbour *);
struct kx *wave_neighbour(struct lowering *, const struct node *, const struct neighbour *,
                          struct kx *cell);

/* wave_cpu.c, on a CPU: is the neighbour in its table, whatever the cell? */
bool wave_proved(const struct node *, const struct neighbour *);
/* the cells of the bound row whose columns, counted in the order, are first
 * .. last */
void wave_row(struct axes *, struct kx *first, struct kx *last);

/* wave_tiles.c */
void wave_tiles(struct plan *, const struct node *);
/* so many problems are a tile each; 0: none is */
struct tile { int64_t rows, columns; int64_t many; };
struct tile tile_of(const struct node *, const struct target *);

/* wave_ring.c */
/* why what nobody reads after it is stored */
const char *no_unstored(const struct node *, const struct target *);
/* then no more of it is; NULL: all is */
const struct ring *ring_of(const struct node *, const struct target *);

/* wave_strips.c, wave_window.c, wave_below.c */
void wave_strips(struct plan *, const struct node *, struct kx *most_problems);  /* as of axes */
const char *no_strips(const struct node *, const struct target *);    /* why not; NULL: it can be */

/* wave_batch.c */
void wave_batch(struct plan *, const struct node *);
const char *no_batch(const struct node *, const struct target *);     /* why not; NULL: it can be */

/* wave_ready.c */
void wave_ready(struct plan *, const struct node *);
const char *no_ready(const struct node *, const struct target *);     /* why not; NULL: it can be */

/* wave_pack.c */
/* why the cells of a batch cannot be halves of a word; NULL: they can */
const char *no_pack(const struct node *);
const char *pack_law(const struct node *);   /* and why then they can */

/* wave_rows.c */
void wave_rows(struct plan *, const struct node *);

#endif
