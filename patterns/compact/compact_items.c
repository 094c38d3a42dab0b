/* compact_items.c - the items of a compact: which cells they are, and what happens to one of them.
 *
 * Whoever deals out places keeps a word for each part of the domain in the workspace, whose length
 * sizes alone must give.  So the domain is put into a box: the range of an index as sizes bound it,
 * or earlier indices (a triangle: the widest of its rows); else the cells of an array that `where`
 * reads at the index whatever else holds: an item outside it is skipped (R34), and one thread looks
 * whether there are such.  Without either the range is refused by name.
 *
 * An item is judged twice where its place is known only after all others have been counted.  What
 * is tested at run time is tested before the item is counted: it moves by all equations or by none.
 * */
#include <assert.h>
#include "../expand.h"
#include "compact.h"
#include "ragged.h"

/* ---- what sizes say of a range ---- */

static bool is_domain_index(const struct node *node, const struct var *v, int *k)
{
	for (*k = 0; *k < node->index.n; ++*k)
		if (node->index.at[*k] == v)
			return true;
	return false;
}

static bool size_alone(struct expr *e, void *unused)
{
	(void)unused;
	if (e->kind == E_VAR)
		return e->var->kind == VAR_SIZE || e->var->kind == VAR_CONST;
	return e->kind != E_READ && e->kind != E_FOLD && e->kind != E_CALL;
}

/* Host: the least or the largest value of a bound of the range, over sizes alone; NULL: they do not
 * say. */
static struct kx *reach(const struct box *b, const struct expr *e, bool most)
{
	struct lowering *host = host_lowering(b->plan);
	struct affine a;
	if (expr_walk((struct expr *)e, size_alone, NULL))
		return lower_index(host, e);
	if (!affine_of(e, &a))
		return NULL;
	struct kx *sum = x_i64(a.constant);
	for (int t = 0; t < a.n; t++) {
		int k;
		struct kx *x = NULL;
		if (a.term[t].var->kind == VAR_SIZE)
			x = lower_var(host, a.term[t].var);
		else if (!is_domain_index(b->node, a.term[t].var, &k) || b->cut[k])
			return NULL;
		else
			x = most == (a.term[t].coef > 0)
			            ? x_sub(x_add(b->lo[k], b->size[k]), x_i64(1))
			            : b->lo[k];
		sum = x_add(sum, x_mul(x_i64(a.term[t].coef), x));
	}
	return kx_fold(sum);
}

static bool leans(const struct node *node, int k)
{
	for (int d = 0; d < node->index.n; d++)
		if (bounds_use(node, k, node->index.at[d]))
			return true;
	return false;
}

static bool host_knows(const struct node *node, int k)
{
	return !leans(node, k) && !expr_on_device(node->lo.at[k])
	       && !expr_on_device(node->hi.at[k]);
}

static bool no_box(const struct node *node, int k)
{
	diag_error(node->index.at[k]->at, D_FORM_NOT_BUILT,
	           "sizes do not bound the range of `%s`, and `where` reads no "
	           "array at `[%s]` that would: this is not supported yet",
	           node->index.at[k]->name, node->index.at[k]->name);
	diag_cure("use a range that depends on sizes only, and put the rest of the condition into "
	          "`where`");
	return false;
}

/* ---- the box ---- */

static void set_range(struct box *b, int k, struct kx *lo, struct kx *hi)
{
	b->lo[k] = lo;
	b->size[k] = kx_fold(x_max(x_sub(hi, lo), x_i64(0)));
}

static bool bound_by_sizes(struct box *b, int k)
{
	struct kx *lo = reach(b, b->node->lo.at[k], false), *hi = reach(b, b->node->hi.at[k], true);
	if (!lo || !hi)
		return false;
	set_range(b, k, lo, hi);
	b->open[k] = leans(b->node, k);
	return true;
}

static bool bound_by_array(struct box *b, int k)
{
	const struct node *node = b->node;
	if (leans(node, k) || !always_inside(node->where, node->index.at[k], &b->extent[k]))
		return no_box(node, k);
	b->cut[k] = true;
	b->open[k] = !host_knows(node, k);
	set_range(b, k, x_i64(0), lower_affine(host_lowering(b->plan), &b->extent[k]));
	return true;
}

/* The range itself, where the host knows it. */
static void narrow(struct box *b, int k)
{
	const struct node *node = b->node;
	struct lowering *host = host_lowering(b->plan);
	if (!b->cut[k] || b->open[k])
		return;
	struct kx *hi = x_min(lower_index(host, node->hi.at[k]), lower_affine(host, &b->extent[k]));
	set_range(b, k, x_max(lower_index(host, node->lo.at[k]), x_i64(0)), hi);
}

bool box_find(struct box *b, struct plan *plan, const struct node *node)
{
	*b = (struct box){ .plan = plan, .node = node, .rank = node->index.n };
	b->most = b->count = x_i64(1);
	if (node->expand)
		return true;
	for (int k = 0; k < b->rank; k++) {
		if (!bound_by_sizes(b, k) && !bound_by_array(b, k))
			return false;
		b->most = x_mul(b->most, b->size[k]);
	}
	for (int k = 0; k < b->rank; k++) {
		const char *name = node->index.at[k]->name;
		narrow(b, k);
		if (!x_is_int(b->lo[k], 0))
			b->lo[k] = plan_let(plan, str_print("%s_first", name), b->lo[k]);
		b->size[k] = plan_let(plan, str_print("%s_cells", name), b->size[k]);
		b->count = x_mul(b->count, b->size[k]);
	}
	b->most = kx_fold(b->most);
	b->count = plan_let(plan, "items", kx_fold(b->count));
	return true;
}

/* ---- the targets ---- */

const struct affine *items_places(const struct equation *eq)
{
	const struct var *var = target_read(eq->target.at[0])->var;
	return &var->extent[var->rank - 1];
}

struct kx *items_room(struct lowering *host, const struct node *node)
{
	struct kx *room = x_i64(0);
	for (int q = 0; q < node->equation.n; q++)
		if (selected_part(node, node->equation.at[q]) == PART_KEPT)
			room = x_max(room, lower_affine(host, items_places(node->equation.at[q])));
	return kx_fold(room);
}

/* ---- in a kernel ---- */

/* What the host cannot count, the kernel does. */
static struct items *open_expanded(struct items *it)
{
	if (!it->node->expand->own)
		it->count = expand_items(it->l, it->node);
	return it;
}

struct items *items_open(const struct box *b, const char *name)
{
	struct items *it = NEW(struct items);
	*it = (struct items){ .node = b->node, .box = b };
	it->l = lowering_new(b->plan, str_print("%s%s", b->node->name, name));
	lowering_writes(it->l, b->node);
	if (b->node->expand)
		return open_expanded(it);
	for (int k = 0; k < b->rank; k++) {
		const char *index = b->node->index.at[k]->name;
		it->lo[k] = x_is_int(b->lo[k], 0)
		                    ? b->lo[k]
		                    : lower_argument(it->l, str_print("%s_first", index),
		                                     kt_scalar(T_I64), b->lo[k]);
		if (k > 0)                           /* to divide by, also where there is no item */
			it->size[k] = lower_argument(it->l, str_print("%s_cells", index),
			                             kt_scalar(T_I64), x_max(b->size[k], x_i64(1)));
	}
	it->count = lower_argument(it->l, "items", kt_scalar(T_I64), b->count);
	return it;
}

static void bind(struct items *it, int k, struct kx *index)
{
	lower_bind(it->l, it->node->index.at[k],
	           x_var(k_let(it->l->k, it->node->index.at[k]->name, index)));
}

/* Indices 0 .. last from their common number. */
static void decode(struct items *it, struct kx *number, int last)
{
	struct kx *rest = number;
	for (int k = last; k >= 0; k--) {
		bind(it, k, x_add(it->lo[k], k ? x_rem(rest, it->size[k]) : rest));
		if (k)
			rest = x_var(k_let(it->l->k, "rest", x_div(rest, it->size[k])));
	}
}

void items_bind(struct items *it, struct kx *place)
{
	if (it->node->expand)
		expand_bind(it->l, it->node, place);
	else
		decode(it, place, it->node->index.n - 1);
}

void items_bind_row(struct items *it, struct kx *row)
{
	decode(it, row, it->node->index.n - 2);
}

void items_bind_last(struct items *it, struct kx *index)
{
	int last = it->node->index.n - 1;
	bind(it, last, x_add(it->lo[last], index));
}

/* The bound place is a cell of the domain; NULL: always. */
static struct kx *in_domain(struct items *it)
{
	struct kx *in = NULL;
	for (int k = 0; k < it->node->index.n; k++) {
		if (!it->box->open[k])
			continue;
		struct kx *index = lower_var(it->l, it->node->index.at[k]);
		in = x_and(in, x_and(x_le(lower_index(it->l, it->node->lo.at[k]), index),
		                     x_lt(index, lower_index(it->l, it->node->hi.at[k]))));
	}
	return in;
}

/* What the item would move by is looked at too: it is inside, or the item is skipped. */
static void judge_values(struct items *it, enum part part, struct kvar *is)
{
	struct lowering *l = it->l;
	for (int q = 0; q < it->node->equation.n; q++) {
		const struct equation *eq = it->node->equation.at[q];
		if (selected_part(it->node, eq) != part
		    || !needs_statements(eq->whole ? eq->whole : eq->right))
			continue;
		k_if(l->k, x_and(x_var(is), lower_inside_all(l)));
		lower_expr(l, eq->whole ? eq->whole : eq->right);
		k_end(l->k);
	}
	k_set(l->k, x_var(is), x_and(x_var(is), lower_inside_all(l)));
}

static void judge_tested(struct items *it, bool told)
{
	struct lowering *l = it->l;
	struct lower_context before = l->now;
	lower_flag(l, "bad");
	struct kx *where = x_var(k_let(l->k, "chosen", lower_expr(l, it->node->where)));
	k_set(l->k, x_var(it->kept), where);
	judge_values(it, PART_KEPT, it->kept);
	if (it->rejected) {
		k_set(l->k, x_var(it->rejected), x_unary(OP_NOT, where));
		judge_values(it, PART_REJECTED, it->rejected);
	}
	if (told)
		lower_record(l);
	l->now = before;
}

static void judge_plain(struct items *it)
{
	struct kx *where = lower_expr(it->l, it->node->where);
	k_set(it->l->k, x_var(it->kept), where);
	if (it->rejected)
		k_set(it->l->k, x_var(it->rejected), x_unary(OP_NOT, x_var(it->kept)));
}

void items_judge(struct items *it, bool told)
{
	struct kernel *k = it->l->k;
	struct kx *in = in_domain(it), *no = x_int(T_BOOL, 0);
	bool rejects = selection_has(it->node, PART_REJECTED);
	it->kept = k_var(k, kt_scalar(T_BOOL), "kept", in ? no : NULL);
	it->rejected = rejects ? k_var(k, kt_scalar(T_BOOL), "rejected", in ? no : NULL) : NULL;
	if (in)
		k_if(k, in);
	if (node_checked(it->node))
		judge_tested(it, told);
	else
		judge_plain(it);
	if (in)
		k_end(k);
}

/* ---- moving ---- */

static void move_by(struct items *it, const struct equation *eq, struct kx *at)
{
	struct lowering *l = it->l;
	const struct expr *cell = target_read(eq->target.at[0]);
	struct kx *value = lower_expr(l, eq->right);
	if (!it->fitting)
		k_if(l->k, x_lt(at, lower_extent(l, cell->var, cell->var->rank - 1)));
	lower_set(l, eq->target.at[0], lower_cell(l, cell), value);
	if (!it->fitting)
		k_end(l->k);
}

void items_move(struct items *it, enum part part, struct kx *at)
{
	struct lowering *l = it->l;
	struct lower_context before = l->now;
	lower_bind(l, part == PART_KEPT ? it->node->selection->kept : it->node->selection->rejected,
	           at);
	if (node_checked(it->node))              /* judged before: nothing is bad */
		lower_flag(l, "bad");
	for (int q = 0; q < it->node->equation.n; q++) {
		if (selected_part(it->node, it->node->equation.at[q]) != part)
			continue;
		lower_whole(l, it->node, q);
		move_by(it, it->node->equation.at[q], at);
	}
	l->now = before;
}

/* ---- for texts ---- */

/* told: what an item reads outside an array is recorded. */
static struct kx *judge(struct lowering *l, const void *items, struct kx *const *told)
{
	(void)l;
	items_judge((struct items *)items, told[0]->i);
	return NULL;
}

static struct kx *is_of_part(struct lowering *l, const void *items, struct kx *const *none)
{
	const struct items *it = items;
	(void)none;
	return x_var(l->k->each == PART_KEPT ? it->kept : it->rejected);
}

static struct kx *move(struct lowering *l, const void *items, struct kx *const *at)
{
	items_move((struct items *)items, (enum part)l->k->each, at[0]);
	return NULL;
}

void items_bind_calls(struct items *it)
{
	k_bind_calls(it->l->k, it, { "judge", judge }, { "is_of_part", is_of_part },
	             { "move", move });
}

void items_store(struct items *it, struct kx *at)
{
	struct lowering *l = it->l;
	lower_bind(l, it->node->selection->kept, at);
	for (int q = 0; q < it->node->equation.n; q++) {
		const struct equation *eq = it->node->equation.at[q];
		if (selected_part(it->node, eq) != PART_KEPT)
			continue;
		struct kx *value = lower_expr(l, eq->right);
		k_set(l->k, lower_cell(l, target_read(eq->target.at[0])), value);
	}
}

/* ---- after all items ---- */

static void store_count(struct items *it, const struct equation *eq, struct kx *kept)
{
	struct lowering *l = it->l;
	struct kx *count = x_at(lower_pointer(l, eq->target.at[0]->var), x_i32(0));
	if (eq->target.at[0]->type->kind == T_I32) {
		lower_status(l, x_lt(x_i64(INT32_MAX), kept), ST_FULL);
		kept = x_cast(kt_scalar(T_I32), x_min(kept, x_i64(INT32_MAX)));
	}
	k_set(l->k, count, kept);
}

void items_finish(struct items *it, struct kx *kept, struct kx *rejected)
{
	const struct row_begins *rows = it->node->selection->rows;
	struct kx *full = rows && rows->narrow ? x_lt(x_i64(INT32_MAX), kept) : NULL;
	for (int q = 0; q < it->node->equation.n; q++) {
		const struct equation *eq = it->node->equation.at[q];
		const struct expr *cell = target_read(eq->target.at[0]);
		enum part part = selected_part(it->node, eq);
		if (part == PART_COUNT)
			store_count(it, eq, kept);
		else
			full = x_or(full, x_lt(lower_extent(it->l, cell->var, cell->var->rank - 1),
			                       part == PART_KEPT ? kept : rejected));
	}
	lower_status(it->l, full, ST_FULL);
}

void items_note_outside(struct items *it)
{
	struct lowering *l = it->l;
	struct kx *some = NULL, *outside = NULL;
	for (int k = 0; k < it->node->index.n; k++) {
		if (leans(it->node, k))
			continue;
		struct kx *lo = lower_index(l, it->node->lo.at[k]),
			  *hi = lower_index(l, it->node->hi.at[k]);
		some = x_and(some, x_lt(lo, hi));
		if (it->box->cut[k])
			outside = x_or(outside,
			               x_or(x_lt(lo, x_i64(0)),
			                    x_lt(lower_affine(l, &it->box->extent[k]), hi)));
	}
	if (outside && !l->now.drops)
		lower_status(l, x_and(some, outside), ST_INDEX);
}
