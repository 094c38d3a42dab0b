/* reduce_symmetric.c - folds over pairs of an array with itself, whose term for (j, i) follows from
 * the one for (i, j) (mirror.c): each term is computed once, and folded into both results.
 *
 * A block computes the pairs of two tiles.  A thread has several results of the one tile in
 * registers, as in reduce_pairs.c.  The terms of the other tile come to shared memory, BLOCK at a
 * time.  A lane goes round the LANES terms of its warp's turn: at each step the lanes of a warp
 * have different terms, so what has been folded for a term is in the registers of one lane, and the
 * lane that has the term next gets it.  After a turn it is put back to shared memory, where the
 * next warp finds it.
 *
 * What a block finds goes to a slice of the workspace: two slices, for its own tile and the other
 * one, at each shift (symmetric.kernel).  As many shifts as fill the machine have slices, and
 * launches add one after another to them.  So the workspace has a bounded size, nothing is atomic,
 * and the order in which a result is folded depends on the number of cells alone.  At the end the
 * slices of each cell are folded as chunks are.
 *
 * Lanes read different terms, so each field of a struct has a shared array of its own: structs of
 * four words would meet in a quarter of the banks.
 *
 * The second fold of a pair costs an operation of the operator and its share of handing on: a
 * shuffle a word for all results of a thread.  On an H200 it is so many times as fast as
 * pairs computed twice (bench/RESULTS.md, "pairs computed once"): gravity of 2^14 bodies 0.86, of
 * 2^18 bodies 1.30; screened charges 1.64 and 1.94; sines of differences 1.80 and 1.69. */
#include "ask.h"
#include "mirror.h"
#include "reduce_pairs.h"

enum {
	BLOCK = 128,                         /* threads: tiles of 512 results for four each */
	BLOCKS = 4096                        /* of a launch, at least, where there are so many */
};

struct symmetric {
	struct pairs *p;
	struct mirror mirror[FOLDS_MOST];
	struct accumulators other;           /* of a term */
};

/* ---- what can be computed so ---- */

static const char *unfit_fold(const struct expr *e, struct var *cell, struct mirror *m)
{
	if (op_is_arg(e->fold->op))
		return str_print("%s finds positions", e->fold->op->name);
	if (expr_checked(e->arg.at[0]) || (e->fold->where && expr_checked(e->fold->where)))
		return "a term is tested at run time";
	return mirror_of(e, cell, m);
}

static const char *unfit(const struct reduction *r, struct mirror *m)
{
	const struct node *node = r->node;
	const struct fold *domain = r->domain;
	if (node->index.n != 1 || domain->index.n != 1)
		return "its cells or its terms have several indices";
	if (!ends_equal(node->lo.at[0], domain->lo.at[0])
	    || !ends_equal(node->hi.at[0], domain->hi.at[0]))
		return "its terms have a range other than that of its cells";
	if (!node_by_sizes(node))
		return "its number of cells depends on more than sizes";
	if (r->ordered)
		return "an operator does not commute";
	for (int f = 0; f < r->folds.n; f++) {
		const char *why = unfit_fold(r->folds.at[f], node->index.at[0], &m[f]);
		if (why)
			return why;
	}
	return NULL;
}

const char *reduce_not_symmetric(struct reduction *r, const struct target *target)
{
	struct mirror m[FOLDS_MOST];
	const struct pairs_shape *shape = reduce_pairs_shape(r, target);
	return !shape ? "a thread of a CPU folds all terms of its cells"
	       : shape->why ? shape->why : unfit(r, m);
}

/* ---- the kernel: symmetric.kernel ---- */

static struct symmetric *of(const void *s)
{
	return (struct symmetric *)s;
}

KTEXT_HOLE(open_other)
{
	struct symmetric *s = of(state);
	s->other = folds_start(l, &s->p->r->folds);
	return NULL;
}

KTEXT_HOLE(start)
{
	return accumulator_start(l, &of(state)->other.at[l->k->each]);
}

KTEXT_HOLE(choose_other)
{
	struct symmetric *s = of(state);
	s->p->r->acc = s->other;
	bind_accumulators(l, &s->p->r->acc);
	return NULL;
}

KTEXT_HOLE(hand_on)
{
	struct symmetric *s = of(state);
	struct kx *next = k_value(l->k, "next_lane");
	for (int a = 0; a < s->other.n; a++) {
		struct kx *own = x_var(s->other.at[a].var);
		accumulator_copy(l, own, accumulator_shuffle(l, &s->other.at[a], own, "", next));
	}
	return NULL;
}

struct step { struct symmetric *s; int fold; struct kx *both; };

static void add_both(struct lowering *l, struct kx *term, void *state)
{
	const struct step *step = state;
	const struct mirror *m = &step->s->mirror[step->fold];
	term = x_var(k_let(l->k, "term", term));
	accumulate_value(l, &step->s->p->r->acc.at[step->fold], term);
	if (step->both)
		k_if(l->k, step->both);
	lower_bind(l, m->term, term);
	accumulate_value(l, &step->s->other.at[step->fold], lower_expr(l, m->value));
	if (step->both)
		k_end(l->k);
}

/* `i != j`, which all pairs of two tiles are. */
static bool is_apart(const struct expr *where, const struct var *cell, const struct var *term)
{
	const struct var *var[2];
	if (!where || where->kind != E_BINARY || where->op != OP_NE)
		return false;
	for (int k = 0; k < 2; k++)
		var[k] = where->arg.at[k]->kind == E_VAR ? where->arg.at[k]->var : NULL;
	return (var[0] == cell && var[1] == term) || (var[0] == term && var[1] == cell);
}

static const struct expr *without_where(const struct expr *e)
{
	struct expr *all = expr_copy(e);
	struct fold *fold = NEW(struct fold);
	*fold = *all->fold;
	fold->where = NULL;
	all->fold = fold;
	return all;
}

/* both NULL: the tiles are two, and whole. */
static void take(struct lowering *l, struct symmetric *s, struct kx *both)
{
	const struct reduction *r = s->p->r;
	pairs_choose(l, s->p, l->k->each);
	for (int f = 0; f < r->folds.n; f++) {
		const struct expr *e = r->folds.at[f];
		const struct fold *fold = e->fold;
		if (!both && is_apart(fold->where, r->node->index.at[0], fold->index.at[0]))
			e = without_where(e);
		lower_term(l, e, add_both, &(struct step){ s, f, both });
	}
}

KTEXT_HOLE(take_both)
{
	take(l, of(state), NULL);
	return NULL;
}

KTEXT_HOLE(take_some)
{
	take(l, of(state), arg[0]);
	return NULL;
}

static void bind_sums(const struct symmetric *s, struct kernel *k)
{
	const struct folds *folds = &s->p->r->folds;
	struct kx *sum[FOLDS_MOST];
	for (int f = 0; f < folds->n; f++) {
		const char *name = str_print("%s_tile", folds->at[f]->fold->op->name);
		sum[f] = x_var(k_shared(k, accumulator_type(folds->at[f]), name, BLOCK));
	}
	bind_values(k, "sum", folds->n, sum);
}

static struct lowering *open_kernel(struct symmetric *s, struct plan *plan)
{
	struct lowering *l = pairs_kernel(s->p, plan, "symmetric", BLOCK);
	k_numbers(l->k, "WARPS, TILE", BLOCK / l->target->lanes, BLOCK * s->p->shape.results);
	bind_sums(s, l->k);
	k_bind_call(l->k, "copy", accumulator_copy_call, NULL);
	k_bind_calls(l->k, s, { "open_other", open_other }, { "start", start },
	             { "choose_other", choose_other }, { "hand_on", hand_on },
	             { "take_both", take_both }, { "take_some", take_some });
	return l;
}

/* ---- the host ---- */

/* More than one tile. */
struct kx *reduce_many_symmetric(struct reduction *r, struct plan *plan)
{
	const struct pairs *p = pairs_of(r, plan->target);
	struct kx *cells = reduce_size(host_lowering(plan), r->node->lo.at[0], r->node->hi.at[0]);
	return x_lt(x_i64((int64_t)BLOCK * p->shape.results), cells);
}

struct course { struct kx *tiles, *shifts, *together; };         /* shifts of a launch */

static struct course course_of(const struct symmetric *s, struct kx *cells)
{
	struct course c;
	c.tiles = x_div_up(cells, x_i64((int64_t)BLOCK * s->p->shape.results));
	c.shifts = x_add(x_div(c.tiles, x_i64(2)), x_i64(1));
	c.together = x_min(x_div_up(x_i64(BLOCKS), x_max(c.tiles, x_i64(1))), c.shifts);
	return c;
}

static void cut_slices(struct symmetric *s, const struct kept *kept)
{
	struct reduction *r = s->p->r;
	struct course most = course_of(s, kept->slot_cells);
	struct kx *cells = x_mul(x_mul(x_i64(2), most.together), kept->slot_cells);
	for (int f = 0; f < r->folds.n; f++)
		r->slot[f] = x_var(plan_slot(r->l->plan, "partial",
		                             accumulator_type(r->folds.at[f]), 1, &cells));
}

void reduce_symmetric_gpu(struct reduction *r, struct plan *plan)
{
	struct symmetric *s = NEW(struct symmetric);
	struct kx *slot[FOLDS_MOST];
	s->p = pairs_of(r, plan->target);
	s->p->apart = true;
	unfit(r, s->mirror);
	struct kept kept = reduce_host_cells(plan, r->node);
	struct course c = course_of(s, kept.host_cells);
	c.tiles = plan_let(plan, "tiles", c.tiles);
	c.shifts = plan_let(plan, "shifts", c.shifts);
	c.together = plan_let(plan, "shifts_together", c.together);
	struct kx *shift = x_var(k_for(plan->host, "shift", x_i64(0), c.shifts, c.together, 0));
	struct lowering *l = open_kernel(s, plan);
	reduce_kept_arguments(r, &kept);
	reduce_argument(l, "tiles", c.tiles);
	reduce_argument(l, "first_shift", shift);
	r->kept = &kept;
	cut_slices(s, &kept);
	k_text(l->k, "symmetric_pairs");
	for (int f = 0; f < r->folds.n; f++)
		slot[f] = r->slot[f];
	lowering_launch(l, c.tiles, c.together, x_i64(1));
	k_end(plan->host);
	reduce_fold_chunks(r, plan, slot, kept, x_mul(x_i64(2), c.together));
}
