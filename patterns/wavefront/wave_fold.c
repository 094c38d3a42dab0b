/* wave_fold.c - reductions folded where the cells of a wavefront are born (behind.c): the tables are not read again.
 *
 * Every order cuts its cells into parts: a strip, a row of tiles, a block's problems.  A part folds its cells in an
 * order of their places, whoever computes it, and stores what they come to at its own place of the workspace; one that
 * goes on in a later launch (the next diagonal, the next turn of an outer axis) joins that to what it has stored.  A
 * last launch folds the parts in order.  So results repeat bit for bit, whatever the order of blocks.
 *
 * A chain of float additions as long as a part loses digits: some cells are folded by themselves, then joined to those
 * before them (births_open_run).
 *
 * Of argmin and argmax the term's number is its place in the fold's order, so ties are settled at any time. */
#include "wave.h"

static bool any_best(const struct folds *folds)
{
	for (int f = 0; f < folds->n; f++)
		if (op_is_arg(folds->at[f]->fold->op))
			return true;
	return false;
}

struct births *births_of(const struct node *node)
{
	if (!node->group || !node->group->epilogue.n)
		return NULL;
	struct births *b = NEW(struct births);
	b->group = node->group;
	b->folds = behind_folds(node->group);
	return b;
}

void births_open(struct axes *a, struct kx *most, struct kx *parts)
{
	struct births *b = a->births;
	if (!b)
		return;
	b->host_parts = plan_let(a->plan, "parts", x_cond(axes_some(a), parts, x_i64(0)));
	for (int f = 0; f < b->folds.n; f++)
		b->slot[f] = x_var(plan_slot(a->plan, "partial", accumulator_type(b->folds.at[f]), 1, &most));
}

void births_close(struct axes *a)
{
	struct births *b = a->births;
	if (b)
		behind_join(a->plan, b->group, &b->folds, b->slot, b->host_parts);
}

bool births_read(const struct axes *a, int q)
{
	const struct births *b = a->births;
	for (int e = 0; b && e < b->group->epilogue.n; e++)
		if (node_reads(b->group->epilogue.at[e], wave_table(a->node, q)->var))
			return true;
	return false;
}

int births_table(const struct axes *a, const struct expr *read)
{
	for (int q = 0; q < a->node->equation.n; q++)
		if (wave_table(a->node, q)->var == read->var)
			return q;
	return -1;
}

/* ---- in the kernel ---- */

void births_start(struct axes *a)
{
	if (a->births)
		a->births->acc = folds_start(a->l, &a->births->folds);
}

/* Does the length of a chain of joins cost digits? */
static bool rounds(const struct accumulator *a)
{
	bool exact = op_is_arg(a->op) || a->op->kind == OPK_MIN || a->op->kind == OPK_MAX;
	return !exact && (a->of->kind == T_STRUCT || type_class(a->of) == 'F');
}

void births_open_run(struct axes *a)
{
	struct births *b = a->births;
	if (!b)
		return;
	b->all = b->acc;
	for (int f = 0; f < b->acc.n; f++) {
		struct accumulator *one = &b->acc.at[f];
		if (rounds(one))
			one->var = k_var(a->l->k, kt(one->type), "run", accumulator_start(a->l, one));
	}
}

void births_close_run(struct axes *a)
{
	struct births *b = a->births;
	if (!b)
		return;
	for (int f = 0; f < b->acc.n; f++)
		if (rounds(&b->acc.at[f]))
			accumulate(a->l, &b->all.at[f], x_var(b->acc.at[f].var));
	b->acc = b->all;
}

/* The bound cell's place among all cells, by the indices of the statement, which are those of the folds. */
static struct kx *number(struct axes *a)
{
	struct kx *place = NULL;
	for (int k = 0; k < a->n; k++) {
		int d = 0;
		while (axis_index(a, d) != k)
			d++;
		struct kx *at = x_sub(lower_var(a->l, a->node->index.at[k]), axis_first(a, d));
		place = place ? x_add(x_mul(place, axis_count(a, d)), at) : at;
	}
	return place;
}

void births_cell(struct axes *a)
{
	struct births *b = a->births;
	struct lowering *l = a->l;
	if (!b)
		return;
	l->term = any_best(&b->folds) ? number(a) : NULL;
	for (int f = 0; f < b->folds.n; f++)
		fold_step(l, b->folds.at[f], &b->acc.at[f]);
	l->term = NULL;
}

void births_columns(struct axes *a, struct kx *first, struct kx *end)
{
	struct kernel *k = a->l->k;
	if (!a->births)
		return;
	struct kx *column = x_add(first, x_to_i64(block_thread(a->l)));
	axis_bind(a, a->n - 1, x_var(k_for(k, "column", column, end, x_i64(k->block[0]), FOR_ROLLED)));
	births_cell(a);
	k_end(k);
}

/* A turn of an outer axis that waits is behind. */
static struct kx *later_turn(struct axes *a)
{
	struct kx *later = NULL;
	for (int d = 0; d < a->n - 2; d++)
		if (a->host_turn[d])
			later = x_or(later, x_lt(x_i64(0), axes_argument(a, "turn", a->host_turn[d])));
	return later;
}

void births_store(struct axes *a, struct kx *part, struct kx *goes_on)
{
	struct births *b = a->births;
	struct lowering *l = a->l;
	struct kx *partial[8], *some = x_or(later_turn(a), goes_on);
	for (int f = 0; f < b->acc.n; f++)
		partial[f] = lower_argument(l, "partial", kt_pointer(b->acc.at[f].type, false), b->slot[f]);
	part = x_var(k_let(l->k, "part", part));
	if (some)
		k_if(l->k, some);
	for (int f = 0; some && f < b->acc.n; f++)
		accumulate(l, &b->acc.at[f], x_at(partial[f], part));
	if (some)
		k_end(l->k);
	for (int f = 0; f < b->acc.n; f++)
		k_set(l->k, x_at(partial[f], part), x_var(b->acc.at[f].var));
}
