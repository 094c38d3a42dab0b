/* wave_cpu.c - the cells of a row of a wavefront one after another, on a CPU.
 *
 * Where all neighbours are in their tables nothing is tested, and what one cell has read or written
 * stays in registers for the next: a chain of cells that each wait for the one before it is as long
 * as their arithmetic.  The first rows and columns, and the last ones where something after is
 * read, take the copy that tests each neighbour:
 *
 *   first ---- tested ---- near ---- plain, in registers ---- far ---- tested ---- last of the
 *   columns
 *
 * There are two copies of the cell, and for both ends one of them runs twice. */
#include "wave.h"

/* Of all neighbours, along one index: a table has a cell there where 0 <= index + least, and index
 * + most < extent. */
struct high { const struct expr *cell; int d; int64_t most; };
struct reach {
	bool low;
	int64_t least;
	struct { struct high at[2 * 64]; int n; } high;
};

struct row {
	struct axes *axes;
	struct reach reach[MAX_RANK];        /* per index */
	/* is there a copy without tests, and does it keep values in registers? */
	bool plain, carries;
	struct kvar *held[64];               /* per neighbour: carried from cell to cell, or NULL */
	/* per equation: what it has just written, where that is known, or NULL */
	struct kx **fresh;
};

/* ---- where is every neighbour in its table? ---- */

/* Is index + most < extent for every index of the domain? */
static bool high_proved(const struct node *node, int k, const struct affine *extent, int64_t most)
{
	struct affine room = *extent, hi;
	return affine_of(node->hi.at[k], &hi) && affine_add(&room, &hi, -1) && room.n == 0
	       && room.constant >= most;
}

static bool low_proved(const struct node *node, int k, int64_t least)
{
	struct affine lo;
	return affine_of(node->lo.at[k], &lo) && lo.n == 0 && sum_nearest(lo.constant, least) >= 0;
}

bool wave_proved(const struct node *node, const struct neighbour *n)
{
	const struct expr *cell = wave_table(node, n->equation);
	bool proved = true;
	for (int d = 0; d < cell->arg.n; d++) {
		int k = wave_index_of(node, cell->arg.at[d]);
		int64_t there = sum_nearest(cell->affine[d].constant, n->step[k]);
		proved &= n->step[k] >= 0 || low_proved(node, k, there);
		proved &= n->step[k] <= 0 || high_proved(node, k, &cell->var->extent[d], there);
	}
	return proved;
}

static void add_high(struct reach *r, const struct expr *cell, int d, int64_t most)
{
	for (int h = 0; h < r->high.n; h++) {
		struct high *at = &r->high.at[h];
		if (affine_equal(&at->cell->var->extent[at->d], &cell->var->extent[d])) {
			at->most = most > at->most ? most : at->most;
			return;
		}
	}
	r->high.at[r->high.n++] = (struct high){ cell, d, most };
}

static void reach_of(struct row *r, const struct neighbour *n)
{
	const struct node *node = r->axes->node;
	const struct expr *cell = wave_table(node, n->equation);
	for (int d = 0; d < cell->arg.n; d++) {
		int k = wave_index_of(node, cell->arg.at[d]);
		int64_t there = sum_nearest(cell->affine[d].constant, n->step[k]);
		struct reach *reach = &r->reach[k];
		if (n->step[k] < 0 && !low_proved(node, k, there)) {
			reach->least = reach->low && reach->least < there ? reach->least : there;
			reach->low = true;
		}
		if (n->step[k] > 0 && !high_proved(node, k, &cell->var->extent[d], there))
			add_high(reach, cell, d, there);
	}
}

/* Of an index: is it far enough from both ends?  NULL: always. */
static struct kx *far_enough(struct row *r, int k)
{
	const struct reach *reach = &r->reach[k];
	struct lowering *l = r->axes->l;
	struct kx *index = lower_var(l, r->axes->node->index.at[k]), *is = NULL;
	if (reach->low)
		is = x_le(x_i64(-reach->least), index);
	for (int h = 0; h < reach->high.n; h++) {
		const struct high *at = &reach->high.at[h];
		is = x_and(is, x_lt(x_add(index, x_i64(at->most)),
		                    lower_extent(l, at->cell->var, at->d)));
	}
	return is;
}

static int column_of(const struct row *r)
{
	return axis_index(r->axes, r->axes->n - 1);
}

static struct kx *row_is_far_enough(struct row *r)
{
	struct kx *is = NULL;
	for (int d = 0; d < r->axes->n - 1; d++)
		is = x_and(is, far_enough(r, axis_index(r->axes, d)));
	return is;
}

/* The first index of the columns that is too high, or NULL. */
static struct kx *column_end(struct row *r)
{
	const struct reach *reach = &r->reach[column_of(r)];
	struct kx *end = NULL;
	for (int h = 0; h < reach->high.n; h++) {
		const struct high *at = &reach->high.at[h];
		struct kx *here = x_sub(lower_extent(r->axes->l, at->cell->var, at->d),
		                        x_i64(at->most));
		end = end ? x_min(end, here) : here;
	}
	return end;
}

/* The columns between which nothing is tested, counted in the order; NULL: from the first, to the
 * last. */
static void column_range(struct row *r, struct kx **near, struct kx **far)
{
	const struct reach *reach = &r->reach[column_of(r)];
	bool back = r->axes->node->wave->back[column_of(r)];
	int d = r->axes->n - 1;
	struct kx *lo = reach->low ? x_i64(-reach->least) : NULL, *hi = column_end(r);
	if (back) {
		*near = hi ? axis_turn(r->axes, d, x_sub(hi, x_i64(1))) : NULL;
		*far = lo ? axis_turn(r->axes, d, x_sub(lo, x_i64(1))) : NULL;
	} else {
		*near = lo ? axis_turn(r->axes, d, lo) : NULL;
		*far = hi ? axis_turn(r->axes, d, hi) : NULL;
	}
}

/* ---- what the next cell has from this one ---- */

static int64_t column_step(const struct row *r, const struct neighbour *n)
{
	int k = column_of(r);
	return r->axes->node->wave->back[k] ? -n->step[k] : n->step[k];
}

static bool same_row(const struct row *r, const struct neighbour *a, const struct neighbour *b)
{
	for (int k = 0; k < r->axes->n; k++)
		if (k != column_of(r) && a->step[k] != (b ? b->step[k] : 0))
			return false;
	return true;
}

static bool at_cell(const struct row *r, const struct neighbour *n)
{
	return same_row(r, n, NULL) && column_step(r, n) == 0;
}

/* The one that reads at this cell what n reads at the next. */
static int passed_on(const struct row *r, const struct neighbour *n)
{
	const struct wavefront *w = r->axes->node->wave;
	for (int m = 0; m < w->read.n; m++) {
		const struct neighbour *from = w->read.at[m];
		if (from->equation == n->equation && from->fresh == n->fresh && same_row(r, from, n)
		    && column_step(r, from) == column_step(r, n) + 1
		    && !(from->fresh && at_cell(r, from)))
			return m;
	}
	return -1;
}

static bool cell_before(const struct row *r, const struct neighbour *n)
{
	return n->fresh && same_row(r, n, NULL) && column_step(r, n) == -1;
}

static bool carried(const struct row *r, const struct neighbour *n)
{
	return r->carries && (cell_before(r, n) || passed_on(r, n) >= 0);
}

static void start_held(struct row *r)
{
	struct axes *a = r->axes;
	for (int m = 0; m < a->node->wave->read.n; m++) {
		const struct neighbour *n = a->node->wave->read.at[m];
		if (carried(r, n))
			r->held[m] = k_var(a->l->k, kt(n->value->type), n->value->name,
			                   wave_memory(a->l, a->node, n));
	}
}

static struct kx *value_here(struct row *r, int equation)
{
	struct neighbour here = { .equation = equation };
	return r->fresh[equation] ? r->fresh[equation]
	                          : wave_memory(r->axes->l, r->axes->node, &here);
}

/* What lies farthest back gets its value first: it is that of one nearer, which then gets its own.
 * */
static void pass_on(struct row *r)
{
	struct axes *a = r->axes;
	const struct wavefront *w = a->node->wave;
	for (int64_t step = -64; step <= 64; step++) {
		for (int m = 0; m < w->read.n; m++) {
			const struct neighbour *n = w->read.at[m];
			if (!r->held[m] || column_step(r, n) != step)
				continue;
			int from = cell_before(r, n) ? -1 : passed_on(r, n);
			k_set(a->l->k, x_var(r->held[m]),
			      from >= 0 ? lower_var(a->l, w->read.at[from]->value)
			                : value_here(r, n->equation));
		}
	}
}

static void bind_neighbours(struct row *r)
{
	struct axes *a = r->axes;
	struct lowering *l = a->l;
	for (int m = 0; m < a->node->wave->read.n; m++) {
		const struct neighbour *n = a->node->wave->read.at[m];
		struct kx *value = r->held[m] ? x_var(r->held[m]) : wave_memory(l, a->node, n);
		if (!r->held[m] && !(at_cell(r, n) && n->fresh))
			value = x_var(k_let(l->k, n->value->name, value));
		lower_bind(l, n->value, value);
	}
}

/* ---- the equations ---- */

/* What a cell gets stays in a register for the equations after and the cell after: a compiler
 * that does not know which pointers meet would load it again. */
static void equations(struct row *r)
{
	const struct node *node = r->axes->node;
	struct lowering *l = r->axes->l;
	struct lower_context before = l->now;
	for (int q = 0; q < node->equation.n; q++) {
		lower_whole(l, node, q);
		struct kx *right = lower_result(node->equation.at[q], 0,
		                                lower_expr(l, node->equation.at[q]->right));
		r->fresh[q] = x_var(k_let(l->k, wave_table(node, q)->var->name, right));
		lower_store(l, node->equation.at[q]->target.at[0], r->fresh[q]);
		for (int m = 0; m < node->wave->read.n; m++)
			if (node->wave->read.at[m]->equation == q && node->wave->read.at[m]->fresh
			    && at_cell(r, node->wave->read.at[m]))
				lower_bind(l, node->wave->read.at[m]->value, r->fresh[q]);
	}
	l->now = before;
}

static void forget(struct row *r)
{
	for (int q = 0; q < r->axes->node->equation.n; q++)
		r->fresh[q] = NULL;
}

/* A cell that its mask leaves alone passes on what its tables hold. */
static void plain_cell(struct row *r)
{
	const struct node *node = r->axes->node;
	struct lowering *l = r->axes->l;
	bind_neighbours(r);
	forget(r);
	if (node_skips(node)) {
		lower_equations(l, node);
		pass_on(r);
		return;
	}
	if (node->where)
		k_if(l->k, lower_expr(l, node->where));
	equations(r);
	pass_on(r);
	if (node->where) {
		k_else(l->k);
		forget(r);
		pass_on(r);
		k_end(l->k);
	}
}

/* Behind the cell: of a table whose new value is in no register, memory. */
static struct kx *read_born(struct lowering *l, const struct expr *e)
{
	const struct row *r = l->now.state;
	int q = births_table(r->axes, e);
	return q < 0 || !r->fresh[q] ? lower_cell(l, e) : r->fresh[q];
}

static void born(struct row *r)
{
	struct lowering *l = r->axes->l;
	struct lower_context before = l->now;
	l->now.read = read_born;
	l->now.state = r;
	births_cell(r->axes);
	l->now = before;
}

/* ---- loops ---- */

static void open_columns(struct row *r, struct kx *from, struct kx *to)
{
	struct axes *a = r->axes;
	axis_bind(a, a->n - 1, x_var(k_for(a->l->k, "column", from, to, x_i64(1), 0)));
}

static void guarded(struct row *r, bool plain)
{
	struct axes *a = r->axes;
	struct kx *guard = axes_guard(a);
	if (guard)
		k_if(a->l->k, guard);
	if (plain) {
		plain_cell(r);
	} else {
		forget(r);
		wave_cell(a->l, a->node);
	}
	born(r);
	if (guard)
		k_end(a->l->k);
}

static void tested(struct row *r, struct kx *from, struct kx *to)
{
	open_columns(r, from, to);
	guarded(r, false);
	k_end(r->axes->l->k);
}

static void plain(struct row *r, struct kx *from, struct kx *to)
{
	struct axes *a = r->axes;
	struct kernel *k = a->l->k;
	bool holds = false;
	for (int m = 0; m < a->node->wave->read.n; m++)
		holds |= carried(r, a->node->wave->read.at[m]);
	if (holds) {
		k_if(k, x_lt(from, to));
		axis_bind(a, a->n - 1, from);
	}
	start_held(r);
	open_columns(r, from, to);
	guarded(r, true);
	k_end(k);
	if (holds)
		k_end(k);
}

/* The same cells at both ends: a loop runs twice, and what lies between comes after its first
 * turn. */
static void both_ends(struct row *r, struct kx *first, struct kx *near, struct kx *far,
                      struct kx *last)
{
	struct kernel *k = r->axes->l->k;
	struct kx *end = x_var(k_for(k, "end", x_i32(0), x_i32(2), x_i32(1), 0)),
		  *low = x_eq(end, x_i32(0));
	tested(r, x_cond(low, first, far), x_cond(low, near, last));
	k_if(k, low);
	plain(r, near, far);
	k_end(k);
	k_end(k);
}

static struct row row_open(struct axes *a)
{
	const struct node *node = a->node;
	struct row r = { .axes = a,
		         .plain = true,
		         .fresh = mem_new((size_t)node->equation.n * sizeof *r.fresh) };
	for (int q = 0; q < node->equation.n; q++)
		r.plain &= !wave_table(node, q)->checked;
	r.plain &= node->whole || !node->where;
	r.carries = node->whole || axes_even(node);
	for (int m = 0; m < node->wave->read.n; m++)
		reach_of(&r, node->wave->read.at[m]);
	return r;
}

void wave_row(struct axes *a, struct kx *first, struct kx *last)
{
	struct row r = row_open(a);
	struct kernel *k = a->l->k;
	if (!r.plain) {
		tested(&r, first, last);
		return;
	}
	struct kx *near, *far, *inside = row_is_far_enough(&r);
	column_range(&r, &near, &far);
	if (!near && !far && !inside) {
		plain(&r, first, last);
		return;
	}
	near = near ? x_min(x_max(first, near), last) : first;
	near = x_var(k_let(k, "near", inside ? x_cond(inside, near, last) : near));
	if (!far) {
		tested(&r, first, near);
		plain(&r, near, last);
		return;
	}
	both_ends(&r, first, near, x_var(k_let(k, "far", x_max(near, x_min(far, last)))), last);
}
