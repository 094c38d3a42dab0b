/* balanced_lower.c - folds over row[r] .. row[r+1], rows of any length: sums of segments, sparse
 * matrix x vector.
 *
 * Merge path (Merrill and Garland, "Merge-Based Parallel Sparse Matrix-Vector Multiplication", SC
 * 2016): the items of the statement are its terms and, after the last term of each row, that row's
 * end.  A part takes so many items, whatever rows they belong to, so no row, long or empty, makes a
 * part longer than the others.
 *
 *   part t   begins at item t * tile: after `row` ends of rows and before `term`, found by
 *            bisection along the offsets: row + (term - row[0]) = t * tile
 *   inside   rows that begin and end in the part are finished there.  The last row goes on after
 *            the part: what the part has of it is tail[t].  The first began before it: when it ends
 *            here, head[t].
 *   fold     a row over several parts is the tails of all but the last, then the head of that, in
 *            order
 *
 * Where a part begins depends on the offsets alone, so results repeat bit for bit.
 *
 * Note [offsets that fall] The items are in that order only if offsets rise.  Where a bisection is
 * led astray it stays in the array, and two boundaries then contradict each other, or some row of a
 * part is seen to fall; either raises a flag, and the fold, in stream order after the parts,
 * computes all rows anew, one by one.  That would be too late if the equations read what the parts
 * have overwritten, so then offsets are looked through before.
 *
 * Taken for one index of cells, all folds over one range of neighbouring cells of one array of
 * offsets, and an array in which all terms lie, so that the host knows how many parts there can
 * be.  Other ranges that data decide (lo[r] .. hi[r], 0 .. len[r]), masked cells, and `strict` are
 * computed row by row (cells.c). */
#include "balanced.h"
#include "pass.h"

/* ---- which statements ---- */

static const struct expr *under_casts(const struct expr *e)
{
	while (e->kind == E_CAST)
		e = e->arg.at[0];
	return e;
}

/* offsets[r + at] */
static bool is_offset(const struct node *node, const struct expr *e, const struct var **offsets,
                      int64_t *at)
{
	int k;
	e = under_casts(e);
	if (e->kind != E_READ || e->checked || e->var->rank != 1)
		return false;
	*offsets = e->var;
	return access_offset(node, e, 0, &k, at);
}

static bool same_end(const struct expr *a, const struct expr *b)
{
	struct affine f, g;
	return affine_of(a, &f) && affine_of(b, &g) && affine_equal(&f, &g);
}

struct offsets { const struct var *var; int64_t at; };

static bool offsets_of(const struct node *node, const struct fold *fold, struct offsets *found)
{
	const struct cut *cut = fold->index.n == 1 ? fold_cut(fold, 0) : NULL;
	const struct var *other;
	int64_t next;
	return cut && cut->end && is_offset(node, fold->lo.at[0], &found->var, &found->at)
	       && is_offset(node, fold->hi.at[0], &other, &next) && other == found->var
	       && next == found->at + 1;
}

static bool reads_targets(const struct node *node, const struct expr *e)
{
	for (int t = 0; node_target(node, t); t++)
		if (expr_uses(e, target_read(node_target(node, t))->var))
			return true;
	return false;
}

/* Folds as they are in the kernels: nothing in a term has been written by the statement itself.
 * NULL: it fits. */
static const char *no_fold(struct balanced *b, const struct expr *e, struct offsets *first)
{
	struct offsets here;
	if (e->fold->late)
		return "whether it is folded depends on other folds";
	if (fold_in_order(e))
		return "strict: a row's terms are folded one after another";
	if (!offsets_of(b->node, e->fold, &here))
		return "its ranges are not those between neighbouring offsets of one array, for "
		       "cells of another";
	if (reads_targets(b->node, e))
		return "a term reads what the statement itself has written";
	if (!b->domain) {
		b->domain = e->fold;
		b->offsets = here.var;
		*first = here;
	}
	b->ordered |= !e->fold->op->commutative;
	b->checks = !e->fold->cut->trusted;
	const struct expr *asked = e->fold->asked, *before = b->domain->asked;
	if (asked != before && !(asked && before && expr_same(asked, before)))
		return "its folds have different conditions around them";
	bool same = here.var == first->var && here.at == first->at
	            && same_end(e->fold->cut->end, b->domain->cut->end);
	return same ? NULL : "its folds have different ranges";
}

static const char *no_cells(const struct node *node)
{
	if (node->index.n != 1)
		return "its cells do not have a single index, that of the rows";
	if (node->where)
		return "its cells are masked";
	if (expr_on_device(node->lo.at[0])
	    || expr_on_device(node->hi.at[0]))
		return "the host does not know how many rows there are";
	for (int t = 0; node_target(node, t); t++)
		if (expr_checked(node_target(node, t)))
			return "the indices of its cells are tested one by one";
	return NULL;
}

const char *balanced_not(struct balanced *b, const struct target *target)
{
	struct offsets first = { 0 };
	const char *why = no_cells(b->node);
	for (int q = 0; q < b->node->equation.n; q++) {
		folds_of(b->node->equation.at[q]->right, &b->folds);
		b->after |= reads_targets(b->node, b->node->equation.at[q]->right);
	}
	for (int f = 0; f < b->folds.n && !why; f++)
		why = no_fold(b, b->folds.at[f], &first);
	b->tile = target->gpu ? TILE : CPU_TILE;
	if (!why && (b->folds.overflow || !folds_fit(&b->folds)))
		why = "its folds do not fit into the registers of a thread";
	return why;
}

bool balanced_fits(struct balanced *b, const struct target *target)
{
	return b->node->choice.regular >= 0 && !balanced_not(b, target);
}

static bool no_range(struct expr *e, void *unused)
{
	(void)unused;
	return e->kind != E_FOLD || !e->fold->cut;
}

void balanced_shape(const struct node *node, const struct target *target, struct shape *s)
{
	struct balanced b = { .node = node };
	if (node_walk((struct node *)node, no_range, NULL))
		return;
	s->irregular = balanced_not(&b, target);
	if (!s->irregular)
		s->regular = str_print(
			"parts of %d terms and ends of rows, however long the rows are",
			(int)b.tile);
}

/* ---- kernels: balanced.kernel ---- */

/* An end of the range of row number `row`, as an expression alone. */
static struct kx *end_of(struct balanced *b, struct kx *row, bool high)
{
	lower_bind(b->l, b->node->index.at[0], x_add(b->first, row));
	return lower_end(b->l, b->domain, 0, high);
}

static struct kx *row_begin(struct lowering *l, const void *b, struct kx *const *row)
{
	(void)l;
	return end_of((struct balanced *)b, row[0], false);
}

static struct kx *row_end(struct lowering *l, const void *b, struct kx *const *row)
{
	(void)l;
	return end_of((struct balanced *)b, row[0], true);
}

static struct kx *bind_row(struct lowering *l, const void *balanced, struct kx *const *row)
{
	const struct balanced *b = balanced;
	const struct var *index = b->node->index.at[0];
	lower_bind(l, index, x_var(k_let(l->k, index->name, x_add(b->first, row[0]))));
	return NULL;
}

void balanced_bind_term(const struct balanced *b, struct kx *e)
{
	for (int f = 0; f < b->folds.n; f++)
		lower_bind(b->l, b->folds.at[f]->fold->index.at[0], e);
	b->l->term = e;
}

static struct kx *bind_term(struct lowering *l, const void *b, struct kx *const *e)
{
	(void)l;
	balanced_bind_term(b, e[0]);
	return NULL;
}

static struct kx *find_range(struct lowering *l, const void *b, struct kx *const *row)
{
	struct kx *lo, *hi;
	bind_row(l, b, row);
	lower_range(l, ((const struct balanced *)b)->domain, 0, &lo, &hi);
	k_bind(l->k, "row_lo", lo);
	k_bind(l->k, "row_hi", hi);
	return NULL;
}

static struct kx *start_folds(struct lowering *l, const void *balanced, struct kx *const *none)
{
	struct balanced *b = (struct balanced *)balanced;
	(void)none;
	b->acc = folds_start(l, &b->folds);
	bind_accumulators(l, &b->acc);
	return NULL;
}

static struct kx *step(struct lowering *l, const void *balanced, struct kx *const *none)
{
	const struct balanced *b = balanced;
	(void)none;
	fold_step(l, b->folds.at[l->k->each], &b->acc.at[l->k->each]);
	return NULL;
}

/* A term's number is its index, so the place of an argmax is what its accumulator holds. */
static struct kx *finish_row(struct lowering *l, const void *balanced, struct kx *const *none)
{
	const struct balanced *b = balanced;
	(void)none;
	for (int f = 0; f < b->folds.n; f++) {
		const struct accumulator *a = &b->acc.at[f];
		struct kx *value = op_is_arg(a->op) ? x_var(a->var)
		                                    : accumulator_value(l, a, b->folds.at[f]->fold);
		list_add(&l->folded, ((struct folded){ b->folds.at[f], value }));
	}
	lower_equations(l, b->node);
	l->folded.n = 0;
	return NULL;
}

static struct kx *compute_row(struct lowering *l, const void *b, struct kx *const *row)
{
	bind_row(l, b, row);
	lower_equations(l, ((const struct balanced *)b)->node);
	return NULL;
}

void balanced_open(struct balanced *b, struct plan *plan, const char *suffix)
{
	struct lowering *l = b->l = lowering_new(plan, str_print("%s%s", b->node->name, suffix));
	lowering_writes(l, b->node);
	b->first = b->host_first;
	if (!x_is_int(b->first, 0))
		b->first = lower_argument(l, "first_row", kt_scalar(T_I64), b->host_first);
	k_bind(l->k, "rows", lower_argument(l, "rows", kt_scalar(T_I64), b->host_rows));
	k_numbers(l->k, "TILE, CHECKS, PROVED, WATCHES, JUDGED", b->tile, b->checks,
	          b->checks && b->after, b->checks && !b->after, b->uneven != NULL);
	k_bind(l->k, "e", b->domain->index.at[0]->name);
	k_bind_calls(l->k, b, { "row_begin", row_begin }, { "row_end", row_end },
	             { "bind_row", bind_row }, { "bind_term", bind_term },
	             { "find_range", find_range }, { "start_folds", start_folds }, { "step", step },
	             { "finish_row", finish_row }, { "compute_row", compute_row });
}

void balanced_array(struct balanced *b, const char *name, enum scalar type, struct kx *slot,
                    bool is_const)
{
	struct ktype pointer = kt_pointer(type_scalar(type), is_const);
	k_bind(b->l->k, name, lower_argument(b->l, name, pointer, slot));
}

void balanced_number(struct balanced *b, const char *name, struct kx *host)
{
	k_bind(b->l->k, name, lower_argument(b->l, name, kt_scalar(T_I64), host));
}

void balanced_slots(struct balanced *b, bool fills)
{
	struct kx *head[8], *tail[8];
	for (int f = 0; f < b->folds.n; f++) {
		struct ktype pointer = kt_pointer(accumulator_type(b->folds.at[f]), !fills);
		head[f] = lower_argument(b->l, "head", pointer, b->head[f]);
		tail[f] = lower_argument(b->l, "tail", pointer, b->tail[f]);
	}
	bind_values(b->l->k, "head", b->folds.n, head);
	bind_values(b->l->k, "tail", b->folds.n, tail);
}

/* ---- the host's side ---- */

static void host_numbers(struct balanced *b, struct plan *plan)
{
	/* rows are fewer than offsets: slots are cut by sizes alone */
	struct lowering *host = host_lowering(plan);
	struct kx *terms = lower_index(host, b->domain->cut->end), *parts;
	b->host_first = lower_index(host, b->node->lo.at[0]);
	parts = x_div_up(x_add(lower_extent(host, b->offsets, 0), terms), x_i64(b->tile));
	struct kx *two[] = { x_i64(2), x_add(parts, x_i64(1)) };
	b->path = x_var(plan_slot(plan, "path", type_scalar(T_I64), 2, two));
	for (int f = 0; f < b->folds.n; f++) {
		const struct type *type = accumulator_type(b->folds.at[f]);
		b->head[f] = x_var(plan_slot(plan, "head", type, 1, &parts));
		b->tail[f] = x_var(plan_slot(plan, "tail", type, 1, &parts));
	}
	if (b->checks)
		b->falls = x_var(plan_slot(plan, "falls", type_scalar(T_I32), 0, NULL));
	if (!x_is_int(b->host_first, 0))
		b->host_first = plan_let(plan, "first_row", b->host_first);
	b->host_rows = plan_let(plan, "rows",
	                        reduce_size(host_lowering(plan), b->node->lo.at[0],
	                                    b->node->hi.at[0]));
	parts = x_cond(x_lt(x_i64(0), b->host_rows),
	               x_div_up(x_add(b->host_rows, terms), x_i64(b->tile)), x_i64(0));
	b->host_parts = plan_let(plan, "parts", parts);
}

void balanced_lower(struct balanced *b, struct plan *plan)
{
	host_numbers(b, plan);
	(plan->target->gpu ? balanced_gpu : balanced_cpu)(b, plan);
}
