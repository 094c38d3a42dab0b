/* solve_rows.h - what the lowerings of solve share: solve_lower.c. */
#ifndef SOLVE_ROWS_H
#define SOLVE_ROWS_H

#include "lower.h"
#include "../ways.h"
#include "solve.h"

/* Of a ring, two systems are solved whose last row says that its unknown is 0, or 1, and where the
 * row before the first is out: solve_ring.c. */
enum ring_phase { NO_RING, RING_INNER, RING_BORDER };

/* What the ways know: host values. */
struct systems {
	struct kx *count, *rows;
	struct kx *cells;                    /* of a system; rows of wide ones may have several */
	enum ring_phase ring;
	struct kvar *border;                 /* the unknowns of RING_BORDER, in the workspace */
};
/* The state of what texts call. */
struct solving { const struct node *node; const struct systems *systems; };

const struct type *solve_type(const struct node *);      /* of the unknown, or of its fields */
bool solve_along_rows(const struct node *);      /* the cells of a system lie side by side */
/* Threads of a system, rows of each (powers of two), and how far the threads are apart. */
struct solve_size { int group, each, pitch; };

/* System `system` has a zero pivot. */
void solve_record(struct lowering *, const struct node *, struct kx *system);

/* A kernel of the statement, with the names that solve.kernel has at its head. */
struct lowering *solve_kernel(const struct task *, const char *suffix, const char *note);
/* likewise of other systems, whose rows nothing has bound yet */
struct lowering *solve_open(const struct task *, const struct systems *, const char *suffix,
                            const char *note);
/* Its blocks have so many threads, and one of them at least is on a multiprocessor. */
void solve_block(struct lowering *, int threads);
/* A slot of the workspace for the rows of so many systems, as an argument; only if taken (host;
 * NULL: always). */
struct kx *solve_slot(const struct task *, struct lowering *, const char *name, struct kx *taken,
                      struct kx *systems);

/* Binds an array of the workspace to its name in the kernel. */
void solve_bind_array(const struct task *, struct lowering *, const char *name, struct kvar *,
                      bool is_const);
/* The number that a text gives to a hole. */
int64_t solve_number(const struct kx *);

/* likewise of dense systems, with the names at the head of dense.kernel */
struct lowering *dense_kernel(const struct task *, const char *note);

/* dense_gpu.c, dense_cpu.c */
bool dense_entries_beside(const struct node *);  /* entries of one system lie side by side */
bool dense_fits_thread(const struct task *);
void dense_threads(const struct task *), dense_lanes(const struct task *),
	dense_sweep(const struct task *);
/* solve_gpu.c; the ways of groups by their forms */
void solve_groups(const struct task *);
bool solve_along(const struct task *), solve_across(const struct task *);
struct kx *solve_fits_group(const struct task *), *solve_has_group(const struct task *);
/* Memory for so many values of each kind, of systems that fit no group, if taken (host; NULL:
 * always); of those that go by parts. */
struct kvar *solve_slot_when(const struct task *, const char *name, struct kx *all, int kinds,
                             struct kx *taken);
struct kvar *solve_long_slot(const struct task *, const char *name, struct kx *all, int kinds);
/* Longer systems are refused by the checks of the call. */
void solve_limit_rows(const struct task *, int64_t most);
int solve_threads(const struct solve_size *);                    /* of a block */
/* The names of kernels of groups: of the size; of the rows of the statement. */
void solve_bind_size(struct lowering *, const struct solve_size *),
	solve_bind_rows(const struct task *, struct lowering *);
/* solve_long.c */
void solve_long(const struct task *);
/* What rows are: parts of another level, with their values and last unknowns; or (source NULL)
 * those of the statement. */
struct solve_rows { struct kvar *source, *ends; };
/* A kernel of such rows, with the names of kernels of groups. */
struct lowering *solve_open_level(const struct task *, const struct systems *,
                                  const struct solve_rows *, const struct solve_size *,
                                  const char *suffix, const char *note);
/* solve_strips.c; no: NULL: systems never have strips (host) */
bool solve_strips_fit(const struct task *);
struct kx *solve_strips_when(const struct task *), *solve_no_strips(const struct task *);
void solve_strips(const struct task *);
/* solve_joins.c; the names of kernels that join: of rows of the statement (rows), or of parts */
void solve_joins(const struct task *);
void solve_bind_joins(struct lowering *, const struct solve_size *, bool rows);
/* solve_pivot.c */
void solve_sweep_pivots(const struct task *);
/* solve_ring.c; coefficient k of the bound row, or (inside) of a row whose neighbours exist */
struct kx *solve_ring_part(struct lowering *, const struct solving *, int64_t k, struct kx *,
                           bool inside);
struct kx *solve_border(struct lowering *, const struct solving *);  /* the bound cell of it */
struct kvar *solve_border_slot(struct plan *, const struct node *, const struct systems *);
void solve_close(const struct task *);
/* solve_wide.c */
int solve_wide_cells(const struct node *);       /* of a row */
struct kx *solve_wide_when(const struct task *);
void solve_wide_strips(const struct task *), solve_wide_march(const struct task *),
	solve_wide_sweep(const struct task *);
/* solve_cpu.c */
bool solve_tiles_fit(const struct task *);
struct kx *solve_tiles_when(const struct task *);
void solve_sweep(const struct task *), solve_tiles(const struct task *);

#endif
