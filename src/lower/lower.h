/* lower.h - what the lowerings of the patterns share: expressions of the graph become KIR (lower.c,
 * lower_cell.c, lower_fold.c), kernels find their parameters (plan.c), and work on cells is
 * organised (patterns/cells.c). */
#ifndef LOWER_H
#define LOWER_H

#include "ask.h"
#include "ktext.h"
#include "plan.h"

/* params, body with KS_RETURN */
struct kernel *lower_function(const struct fn *, const struct target *);

/* ---- plan.c: the host side; plan.h ---- */

struct plan *plan_entry(const struct entry *, const struct target *);
/* statements, in their order */
void plan_body(struct plan *, struct node *const *, int n);
/* plan_check.c: --check; after all passes over kernels */
void plan_check(struct plan *);
void plan_names(struct plan *);           /* of variables, as they are printed */
void plan_dump(const struct plan *, FILE *);
/* Is what is planned in a `repeat until`?  Its kernels may become one, of blocks of one size:
 * pass_together.c. */
bool plan_in_until(struct plan *);

/* ---- lowering ---- */

struct binding { const struct var *var; struct kx *x; };
struct folded { const struct expr *fold; struct kx *x; };        /* a fold whose result is known */

/* known in that body and those inside it */
struct given_value { const struct expr *e; struct kx *x; const struct ks_list *body; };
struct given_values { LIST(struct given_value) list; };

/* The read context, l->now: how lower_expr lowers the reads of an expression.  A function that
 * needs another one keeps a copy, changes the fields that differ, and puts the copy back:
 *
 *	struct lower_context before = l->now;
 *	l->now.no_wrap = true;
 *	struct kx *x = lower_expr(l, e);
 *	l->now = before;
 *
 * A read is "tested" where no proof shows that its cell exists (struct expr, checked). */
struct lower_context {
	/* How a kernel gets a cell that it keeps itself.  NULL: from the array (lower_cell). */
	struct kx *(*read)(struct lowering *, const struct expr *);
	const void *state;                       /* of that reader */
	/* How a kernel folds what its threads share.  NULL, or the result is: by each thread. */
	struct kx *(*fold)(struct lowering *, const struct expr *);
	const void *fold_state;
	/* A bool of the kernel, set where a tested cell is outside its array; the read is then
	 * zero.  Whoever makes the flag (lower_flag), for a cell or a term, stores nothing where
	 * it is set, and records it (lower_record).  NULL: nothing in the statement is tested. */
	struct kvar *outside;
	/* The same for an E_OR_ZERO, which is zero if it reads outside.  Set by cells_tested.c,
	 * which records it once for all cells of a vector.  NULL: each one records it itself. */
	struct kvar *zeroed;
	struct kx *guard;     /* tested cells are read only where this holds; NULL: always */
	bool branchless;      /* tested cells are selected without an if: loads stay together */
	bool drops;           /* the statement says `drop`: lower_record does nothing */
	bool few_terms;       /* the host has tested lower_few_terms */
	bool no_wrap;         /* within a subscript, which cannot overflow: C's operators do */
	bool all_inside;      /* all that the cell reads is inside the arrays, whatever its edges */
	/* The E_OR_ZERO computed for this cell, each at most once.  NULL: none is kept. */
	struct given_values *given;
	const struct expr *part;     /* a field of a tested cell: it alone is read (lower_part) */
	const struct expr *whole;    /* a struct that equations share, already computed, */
	struct kx *whole_value;      /* and its value (lower_whole) */
};

/* A kernel under construction.  Sizes, scalars and arrays become parameters when first used. */
struct lowering {
	struct plan *plan;                       /* NULL while a fn is lowered: */
	const struct fn *fn;                     /* this one; else NULL */
	const struct target *target;
	struct kernel *k;
	LIST(struct binding) bound;              /* variables whose value is known here */
	LIST(struct kx *) arg;                   /* host values of k's parameters, in their order */
	LIST(struct folded) folded;
	LIST(struct binding) held;       /* arrays of which the kernel keeps the one cell it uses */
	LIST(const struct var *) written;        /* arrays and scalars the kernel writes */
	const struct kvar *marked;               /* the now.outside that may have been set last */
	struct kvar *stop;                  /* the innermost loop's flag, if the kernel tests one */
	struct lower_context now;                /* how reads are lowered */
	struct kx *term;                  /* number of the term whose indices are bound: argmin */
	struct kx *status;                       /* where errors are recorded: lower_status */
	int loops;                               /* of a fn that are open */
	/* of a fn that is called pass by pass, and in a kernel that calls one: lower_walk.c */
	struct kx *state;
	const struct expr *walked;               /* that call */
	/* a loop over one tile's columns */
	struct { const struct kvar *column; struct kx *tile; int64_t cells; } along;
};

/* Opens a kernel called ENTRY_NAME for a node (and its group), with the tests of the stop flags. */
struct lowering *lowering_new(struct plan *, const char *name);
void lowering_writes(struct lowering *, const struct node *);     /* before anything is lowered */
void lowering_launch(struct lowering *, struct kx *gx, struct kx *gy, struct kx *gz);
/* `l` makes no kernel: the one that was made from the same text is launched with its arguments. */
void lowering_launch_again(struct lowering *l, struct kernel *made, struct kx *blocks);
/* The same of one axis, by blocks that stride: at most as many as a grid of the target may have. */
void lowering_launch_strided(struct lowering *, struct kx *blocks);
/* Threads read what others of the launch have written, after a barrier: no array that the kernel
 * writes is a restrict parameter, or a compiler might keep its cells in registers. */
void lowering_shares(struct lowering *);
/* So many blocks, at the same time; false (host): the device does not allow it. */
struct kx *lowering_launch_together(struct lowering *, struct kx *blocks);
/* A kernel parameter whose value the host computes. */
struct kx *lower_argument(struct lowering *, const char *name, struct ktype, struct kx *host);
/* The same of a number, or a variable of the host's: but what is known when the text is made stays
 * a number. */
struct kx *lower_number(struct lowering *, const char *name, struct kx *host),
	*plan_number(struct plan *, const char *name, struct kx *);

void lower_bind(struct lowering *, const struct var *, struct kx *);  /* hides an earlier binding */
struct kx *lower_expr(struct lowering *, const struct expr *);
/* of an equation: lower_abreast.c */
struct kx *lower_right(struct lowering *, const struct expr *);
struct kx *lower_var(struct lowering *, const struct var *);
struct kx *lower_index(struct lowering *, const struct expr *);     /* i64, known not to overflow */
/* i64 of what data may make anything */
struct kx *lower_wrapping(struct lowering *, const struct expr *);
struct kx *lower_affine(struct lowering *, const struct affine *);
struct kx *lower_pointer(struct lowering *, const struct var *);  /* of an array or device scalar */
struct kx *lower_extent(struct lowering *, const struct var *, int axis);
/* as a factor of strides: what is kept */
struct kx *lower_pitch(struct lowering *, const struct var *, int axis);
struct kx *lower_many(struct lowering *, const struct ring *);           /* are there so many? */
struct kx *lower_kept(struct lowering *, const struct ring *);           /* cells that are kept */
struct kx *lower_linear(struct lowering *, const struct var *, struct kx *const *sub);
/* lower_tile.c: arrays that are tiled(a, b) */
/* the number of a cell */
struct kx *lower_tiled(struct lowering *, const struct var *, struct kx *const *sub);
/* cells from a multiple of width on lie side by side */
bool is_abreast(const struct var *, int width);
/* the axis, rounded up */
struct kx *lower_whole_tiles(struct lowering *, const struct var *, int axis);
/* lower_curve.c: the number of a cell of an array along a curve */
struct kx *lower_curved(struct lowering *, const struct var *, struct kx *const *sub);
/* array[linear] */
struct kx *lower_place(struct lowering *, const struct var *, struct kx *const *sub);
struct kx *lower_cell(struct lowering *, const struct expr *read);       /* array[linear] */
struct kx *lower_inside(struct kx *sub, struct kx *extent);               /* 0 <= sub < extent */
/* The same of an axis of a read. */
struct kx *lower_subscript_inside(struct lowering *l, const struct expr *read, int axis);
/* The cell if it is ok, else zero with the flag set: no wild access.  Where the guard does not
 * hold (NULL: it always does) the value is zero, and no flag is set. */
struct kx *lower_tested(struct lowering *, const struct expr *read, struct kx *guard, struct kx *ok,
                        struct kx *cell);
/* A new l->now.outside, false. */
struct kvar *lower_flag(struct lowering *, const char *name);
void lower_mark(struct lowering *, struct kx *is);                    /* l->now.outside = is */
struct kx *lower_inside_all(struct lowering *);    /* !l->now.outside; NULL: nothing is tested */
struct kx *lower_zero(const struct type *);
struct kx *lower_table(struct lowering *, const struct expr *);    /* E_ELEM of a constant array, */
/* and of a field */
struct kx *lower_element(struct lowering *, const struct expr *, struct kx *record);
/* lower_fn.c: a call of a user's function; in one, the call ends where it holds, with a status */
struct kx *lower_call(struct lowering *, const struct expr *);
struct kx **lower_arguments(struct lowering *, const struct expr *call);
void lower_inners(struct lowering *, struct inner *const *, int n);      /* statements of a fn */
void lower_fail(struct lowering *, struct kx *is, struct kx *status);
/* lower_walk.c: a part of a function that is called pass by pass */
void lower_walk(struct lowering *);
bool walk_keeps(const struct lowering *, const struct var *);    /* it is a field of the state */
/* The part ends: the call returns, or fails; its loop is left; the next pass begins. */
void walk_return(struct lowering *, struct kx *value);
void walk_fail(struct lowering *, struct kx *status);
void walk_break(struct lowering *), walk_continue(struct lowering *);
/* lower_array.c, of functions: an array's declaration; its element; an assignment; its target */
void lower_array(struct lowering *, const struct inner *let);
struct kx *lower_local(struct lowering *, const struct expr *elem);
void lower_assign(struct lowering *, const struct inner *);
struct kx *lower_target(struct lowering *, const struct expr *);
/* .field[i] on a cell */
struct kx *lower_path(struct lowering *, const struct expr *target, struct kx *cell);
/* The part of the cell that is the target becomes the value; where a subscript after a field is
 * outside, nothing is written, and that is marked. */
void lower_set(struct lowering *, const struct expr *target, struct kx *cell, struct kx *value);
struct kx *lower_apply(struct lowering *, const struct op *, const struct type *, struct kx *,
                       struct kx *, bool strict);
/* argmin, argmax: is the term better than the best, which begins as the identity?  tie: it wins a
 * tie.  NaN is never better. */
struct kx *lower_better(const struct op *, struct kx *term, struct kx *best, struct kx *tie);
/* Of terms in any order the smaller number wins a tie.  The number of no term, -1, loses to all. */
struct kx *lower_sooner(struct kx *number, struct kx *best_number);
/* The best of a run of terms in order, which have numbers of 32 bits.  value: of the best so far,
 * also of terms before the run, or the identity; place: the number of the best term of the run; -1:
 * none is better than the value at its beginning. */
struct best_run { const struct op *op; struct kx *value; struct kvar *place; };
struct best_run lower_best_run(struct lowering *, const struct op *, struct kx *value);
/* any: while there is no place every term but NaN is better.  That is for a second look, if no term
 * was better than the identity: the first look is a comparison and two selections a term. */
void lower_run_term(struct lowering *, const struct best_run *, struct kx *term, struct kx *number,
                    bool any);
struct kx *lower_run_empty(const struct best_run *);               /* there is no place */
struct kx *lower_identity(struct lowering *, const struct op *, const struct type *);
/* A fold runs here, serially: acc = op(acc, term) over its domain, from acc's present value. */
struct kx *lower_search(struct lowering *, const struct expr *fold);
void lower_fold_into(struct lowering *, const struct expr *fold, struct kvar *acc);
/* The range of its index d (i64); of one that data decide (ragged.h) what is left of it, the rest
 * recorded. */
void lower_range(struct lowering *, const struct fold *, int d, struct kx **lo, struct kx **hi);
/* How many terms a range has without those data; negative: 2^63 or more. */
struct kx *lower_terms(struct lowering *, const struct fold *, int d);
/* Host, of the folds of a statement whose ranges the call gives: do 32 bits number the terms of
 * each?  How many terms do they have together?  NULL: there are no such folds. */
struct few_terms { struct kx *are, *all; };
struct few_terms lower_few_terms(struct plan *, const struct node *);
/* when to record, or NULL */
struct kx *lower_ends(struct lowering *, const struct fold *, int d, struct kx **lo,
                      struct kx **hi);
struct kx *lower_end(struct lowering *, const struct fold *, int d, bool high);  /* one of them */
/* as the data say it */
struct kx *lower_given_end(struct lowering *, const struct fold *, int d, bool high);
/* add() folds the term at the bound indices, unless it is masked or leaves an array. */
void lower_term(struct lowering *, const struct expr *fold,
                void (*add)(struct lowering *, struct kx *, void *), void *state);
/* A cell's place in its block of so many, and the block's number. */
struct kx *lower_lane(int64_t cells, struct kx *cell, struct kx **block);
/* Before equation q: statements are at its line from now on, and the struct that it and its
 * neighbours take apart is computed, if it is the first. */
void lower_whole(struct lowering *, const struct node *, int q);
bool same_whole(const struct node *, int q);                            /* as the equation before */
/* what its t-th target gets */
struct kx *lower_result(const struct equation *, int t, struct kx *right);
/* at the bound cell; outside it is marked */
void lower_store(struct lowering *, const struct expr *target, struct kx *value);
/* Does the mask take the bound cell?  No if it reads outside an array, and that is recorded. */
struct kx *lower_mask(struct lowering *, const struct expr *where);
/* The equations of a node at the bound cell: checks, where, values, stores. */
void lower_equations(struct lowering *, const struct node *);
/* Where the flag is set, the status becomes ST_INDEX, unless the statement says `drop`. */
void lower_record(struct lowering *);
/* of its range; NULL: nothing is */
struct kx *lower_if_asked(struct lowering *, const struct fold *, struct kx *wrong);
void lower_record_if(struct lowering *, struct kx *outside);  /* unless the statement says `drop` */
/* of a statement fused into it, which says none */
void lower_record_zeroed(struct lowering *, struct kx *outside);
void lower_status(struct lowering *, struct kx *is, int status);      /* recorded where it holds */
/* Before equation q: the flag is for its own reads, unless they share a struct: same_whole. */
void lower_unmark(struct lowering *, const struct node *, int q);

/* plan.c, plan_lets.c, plan_loop.c */
/* a constant of the host function */
struct kx *plan_let(struct plan *, const char *name, struct kx *value);
/* how many lo .. hi are; never < 0 */
struct kx *plan_range(struct plan *, struct kx *lo, struct kx *hi);
/* No more cells does the statement write, whose ranges more than sizes decide; NULL: sizes do not
 * bound them. */
struct kx *plan_most_cells(struct plan *, const struct node *);
struct lowering *host_lowering(struct plan *);                /* lowers host expressions */
/* size, scalar: value; array: its pointer now */
struct kx *host_var_x(struct plan *, const struct var *);
struct kvar *plan_slot(struct plan *, const char *name, const struct type *, int n,
                       struct kx *const *count);
/* A call with sizes for which the extents' product is more is refused: ST_SHAPE. */
void plan_limit(struct plan *, int n, const struct affine *const *extent, int64_t most);
void domains_limit(struct plan *, struct node *const *, int n);       /* domains.c */
/* Kernels from here on do nothing where `asked` (NULL: always) the i64 at a pointer of the host's
 * is not zero; word NULL: they do again. */
void plan_unless(struct plan *, struct kx *asked, struct kx *word);
/* Does the array begin at a multiple of so many of its cells? */
struct kx *plan_aligned(struct plan *, const struct var *, int64_t cells);
/* after the store of a node's folds, in one thread */
void plan_tail(struct lowering *, const struct node *);
struct kx *plan_status(struct plan *);
/* A new first piece of the workspace, so that its place needs no sizes: i64 words, zero before all
 * else. */
struct kvar *plan_first_slot(struct plan *, const char *name, int64_t words);
/* Where the first system with a zero pivot is recorded (patc_earliest); number: of the statement
 * there, among those of the plan. */
struct kx *plan_systems(struct plan *, const struct node *, int *number);
bool plan_in_loop(const struct plan *);       /* what is lowered now is in a repeat */

/* An i32 that is zero before the kernels that follow, once; records: the statement records errors.
 * */
struct kx *plan_flag(struct plan *, const char *name, bool records);

/* A counter or flag word per part, zero when the call starts; kernels leave it zero again. */
struct kvar *plan_ticket(struct plan *, int n, struct kx *const *count);
/* Likewise, of any type. */
struct kvar *plan_zeros(struct plan *, const char *name, const struct type *, int n,
                        struct kx *const *count);

/* patterns/accumulate.c: what a thread folds terms into */
struct accumulator {
	const struct op *op;
	const struct type *of, *type; /* of the fold; of var: the same, or a struct made round it */
	struct kvar *var;
	bool mirrored; /* what comes after stands on the operator's left: from right */
	bool strict;                         /* rounded as written */
	/* NULL, or: these are no operator's values; of no term, and another one joins it from
	 * after */
	struct kx *(*start)(struct lowering *, const struct accumulator *);
	void (*join)(struct lowering *, const struct accumulator *, struct kx *other);
	const void *state;                   /* of these */
};
struct accumulators { struct accumulator at[8]; int n; };
bool accumulators_fit(const struct accumulators *);
struct accumulator accumulator_sum(struct kvar *);           /* a count or a length: an i64 */
struct accumulators folds_start(struct lowering *, const struct folds *);   /* nothing folded yet */
/* of the term at the bound indices: an argmin's */
struct kx *fold_number(struct lowering *, const struct fold *);
const char *accumulator_name(const struct accumulator *);     /* for variables that hold one */
struct kx *accumulator_start(struct lowering *, const struct accumulator *);
/* The term at the bound indices is folded into var, or into one of several such: an element of an
 * array. */
void accumulate_term(struct lowering *, const struct expr *fold, const struct accumulator *,
                     struct kx *into);
/* The value of a term, into var. */
void accumulate_value(struct lowering *, const struct accumulator *, struct kx *term);
/* Into var, only if; the term is computed in any case. */
void accumulate_only(struct lowering *, const struct expr *fold, const struct accumulator *,
                     struct kx *only);
/* another one, after it */
void accumulate(struct lowering *, const struct accumulator *, struct kx *other);
/* the result */
struct kx *accumulator_value(struct lowering *, const struct accumulator *, const struct fold *);
struct kx *accumulator_down(struct lowering *, const struct accumulator *, struct kx *distance);
/* that of the lane so far after it */
/* value, one such, of the lane `by` before ("up_"), after ("down_"), or number `by` of the warp
 * (""): a variable */
struct kx *accumulator_shuffle(struct lowering *, const struct accumulator *, struct kx *value,
                               const char *how, struct kx *by);
void accumulator_copy(struct lowering *, struct kx *to, struct kx *from);     /* leaf by leaf */
ktext_hole accumulator_copy_call;                             /* copy(to, from) of a text */
struct kx *accumulator_load(const struct accumulator *, struct kx *array, struct kx *index);
                                                              /* what another block has stored */

/* patterns/block.c: fragments inside a kernel */
struct kx *block_thread(struct lowering *);                   /* thread within the block, i32 */
void block_launch_bounds(struct lowering *);                  /* the target's default block */
/* Registers of a thread for so many blocks a multiprocessor, if their shared memory fits. */
void block_fewest(struct lowering *, int64_t shared, int blocks);
/* default blocks that fill a machine: a kernel whose blocks stride needs no more */
int64_t block_most(const struct target *);
struct kx *block_may_ask(void);               /* host: bytes of shared memory, if the launch asks */
int log2_of(int n);
/* The names that block.kernel uses for them. */
void bind_accumulators(struct lowering *, const struct accumulators *);
/* acc[0..n) of every thread of the block are folded in thread order; thread 0 holds the results. */
void block_fold(struct lowering *, const struct accumulators *);
/* of every lane, in their order; lane 0 holds them */
void warp_fold(struct lowering *, const struct accumulators *);
/* Likewise of so many neighbouring lanes each: 1, 2, 4 .. those of a warp; the first of each holds
 * them. */
void warp_fold_groups(struct lowering *, const struct accumulators *, int lanes);
/* What blocks have stored joins acc: every thread takes a run of neighbouring partials, then the
 * block folds. */
void block_fold_partials(struct lowering *, const struct accumulators *, struct kx *const *partial,
                         struct kx *parts);
/* What blocks contribute is folded in the order of part by the block that arrives last; done() runs
 * in its thread 0.  part < parts (i64); partials live in slots of host_parts elements. */
void grid_fold(struct lowering *, const struct accumulators *, struct kx *part, struct kx *parts,
               struct kx *host_parts, void (*done)(struct lowering *, const void *),
               const void *state);
/* acc = op(acc, term) for the term at the bound indices */
void fold_step(struct lowering *, const struct expr *fold, const struct accumulator *);
/* The equations of a reduce once its folds are known: runs in one thread. */
void fold_finish(struct lowering *, const struct node *, const struct folds *,
                 const struct accumulators *);

/* patterns/behind.c: reductions folded where the cells of a group's anchor are computed */
/* Those of all of them, with the cells' indices for their own, and for those that a reduce keeps.
 * */
struct folds behind_folds(const struct group *);
/* What parts have stored in slots, a slot a fold, is folded in order and stored: a launch. */
void behind_join(struct plan *, const struct group *, const struct folds *, struct kx *const *slot,
                 struct kx *host_parts);
/* The terms of the bound cell; an argmin's are numbered. */
void behind_terms(struct lowering *, const struct folds *, const struct accumulators *);
/* The indices that it keeps are some of the cells', which are bound. */
void behind_bind(struct lowering *, const struct node *cells, const struct node *);
/* Their equations, once all is folded: runs in one thread; where they keep cells, the anchor's
 * indices are bound to one. */
void behind_finish(struct lowering *, const struct group *, const struct accumulators *);

/* patterns/lanes.c, on a CPU: terms lo .. hi (i64) of commuting folds onto acc; bind() binds a
 * term's number */
void lanes_fold(struct lowering *, const struct folds *, const struct accumulators *, struct kx *lo,
                struct kx *hi, void (*bind)(void *, struct kx *), void *state);

/* patterns/cells.c: a statement that computes cells: map, stencil, and what is fused after them */
void cells_lower(struct plan *, const struct group *);
#endif
