/* sort_move.c - what a sort moves, and which sequences it has: the same on every target. */
#include "sort.h"
#include "../kth/kth.h"
#include "../scan/cut.h"

struct kx *sort_value(struct lowering *l, const struct equation *eq)
{
	return lower_expr(l, eq->right);
}

void sort_store(struct lowering *l, const struct equation *eq, struct kx *value)
{
	lower_store(l, eq->target.at[0], value);
}

void sort_store_kth(struct lowering *l, const struct node *node, struct kx *word)
{
	const struct equation *eq = node->equation.at[0];
	struct kx *key = sort_from_word(l, node, x_var(k_let(l->k, "word", word)));
	const struct lower_context before = l->now;
	if (node_skips(node))
		lower_flag(l, "bad");
	lower_bind(l, node->sorting->value, x_var(k_let(l->k, "value", key)));
	sort_store(l, eq, sort_value(l, eq));
	if (l->now.outside)
		lower_record(l);
	l->now = before;
}

bool sort_is_key(const struct node *node, const struct equation *eq)
{
	const struct expr *key = node->sorting->key;
	return key->kind == E_READ && eq->right->kind == E_READ && eq->right->var == key->var;
}

struct kx *sort_wanted(struct lowering *l, const struct node *node, struct kx *n)
{
	if (!node->sorting->first)
		return n;
	struct kx *first = node->sorting->value ? kth_given(l, node)
	                                        : lower_index(l, node->sorting->first);
	bool checked = node->sorting->value && !kth_on_host(node);
	struct kx *least = checked ? x_cond(x_lt(first, x_i64(0)), n, first)
	                           : x_max(first, x_i64(0));
	return x_min(least, n);
}

/* ---- sequences ---- */

/* Of a kth the first cell may be another than 0, and the end may lie before it. */
static struct kx *first_of(struct lowering *l, const struct node *node, int d)
{
	return affine_is(node->lo.at[d], 0) ? x_i64(0) : lower_index(l, node->lo.at[d]);
}

static bool may_be_negative(const struct expr *e)
{
	struct affine a;
	if (!affine_of(e, &a) || a.constant < 0)
		return true;
	for (int k = 0; k < a.n; k++)
		if (a.term[k].coef < 0)
			return true;
	return false;
}

static struct kx *cells_of(struct lowering *l, const struct node *node, int d)
{
	struct kx *first = first_of(l, node, d), *end = lower_index(l, node->hi.at[d]);
	bool is_kth = node->sorting && node->sorting->value;
	bool is_end = x_is_int(first, 0) && !(is_kth && may_be_negative(node->hi.at[d]));
	return is_end ? end : kx_fold(x_max(x_sub(end, first), x_i64(0)));
}

/* All axes that run, or all others, multiplied. */
static struct kx *axes_cells(struct lowering *l, const struct node *node, bool run)
{
	struct kx *cells = x_i64(1);
	for (int d = 0; d < node->index.n; d++)
		if (sorting_runs(node, d) == run)
			cells = x_mul(cells, cells_of(l, node, d));
	return kx_fold(cells);
}

struct kx *sort_cells(struct lowering *l, const struct node *node)
{
	int axis = node->running->axis;
	struct affine hi;
	if (sorting_more(node))
		return axes_cells(l, node, true);
	bool known = affine_is(node->lo.at[axis], 0) && affine_of(node->hi.at[axis], &hi);
	return known ? lower_affine(l, &hi) : cells_of(l, node, axis);
}

struct kx *sort_rows(struct lowering *l, const struct node *node)
{
	return axes_cells(l, node, false);
}

/* Binds the indices of the axes that run, or of the others, from the number of a cell.  The type of
 * the number has room for all cells. */
static void bind_axes(struct lowering *l, const struct node *node, bool run, struct kx *number)
{
	int outer = -1;
	for (int d = node->index.n - 1; d >= 0; d--)
		outer = sorting_runs(node, d) == run ? d : outer;
	for (int d = node->index.n - 1; d >= 0; d--) {
		if (sorting_runs(node, d) != run)
			continue;
		struct kx *first = first_of(l, node, d);
		struct kx *size = x_cast(number->type, cells_of(l, node, d));
		struct kx *here = x_to_i64(d == outer ? number : x_rem(number, size));
		here = x_is_int(first, 0) ? here : x_add(first, here);
		lower_bind(l, node->index.at[d], x_var(k_let(l->k, node->index.at[d]->name, here)));
		if (d != outer)
			number = x_var(k_let(l->k, "rest", x_div(number, size)));
	}
}

bool sort_has_rows(const struct node *node)
{
	return node->index.n > 1 + node->sorting->more;
}

void sort_bind_row(struct lowering *l, const struct node *node, struct kx *row)
{
	bind_axes(l, node, false, row);
}

void sort_bind_cell(struct lowering *l, const struct node *node, struct kx *cell)
{
	const struct var *index = sort_index(node);
	/* a GPU divides u32 faster, and has no more cells: limit_cells of kth_gpu.c */
	if (node->sorting->more && l->target->gpu)
		cell = x_cast(kt_scalar(T_U32), cell);
	if (node->sorting->more)
		bind_axes(l, node, true, x_var(k_let(l->k, "cell", cell)));
	else
		lower_bind(l, index, x_var(k_let(l->k, index->name, cell)));
}

struct kx *sort_segments(struct lowering *l, const struct node *node)
{
	switch (node->running->segment) {
	case SEGMENT_OFFSETS:
		return x_max(x_sub(lower_extent(l, node->running->cut, 0), x_i64(1)), x_i64(0));
	case SEGMENT_LENGTH: {
		struct kx *length = lower_index(l, node->running->length),
			  *cells = sort_cells(l, node);
		if (length->kind == KX_INT)
			return x_div_up(cells, length);
		return x_cond(x_lt(length, x_i64(1)), x_i64(0),
		              x_cond(x_lt(length, cells), x_div_up(cells, length), x_i64(1)));
	}
	case SEGMENT_NONE: case SEGMENT_HEADS: case SEGMENT_KEYS:
		break;
	}
	return x_i64(1);
}

bool sort_host_segments(const struct node *node)
{
	return node->running->segment != SEGMENT_LENGTH
	       || !expr_on_device(node->running->length);
}

/* Unsigned offsets too large for i64 become negative: cut to the axis like all. */
static struct kx *offset(struct lowering *l, const struct node *node, struct kx *at)
{
	return x_cast(kt_scalar(T_I64), lower_place(l, node->running->cut, &at));
}

void sort_range(struct lowering *l, const struct node *node, struct kx *segment, struct kx **first,
                struct kx **end)
{
	struct kernel *k = l->k;
	struct kx *cells = sort_cells(l, node);
	*first = node->sorting->more ? x_i64(0) : first_of(l, node, node->running->axis);
	*end = x_is_int(*first, 0) ? cells : x_add(*first, cells);
	if (node->running->segment == SEGMENT_OFFSETS) {
		*first = x_var(
			k_let(k, "first", x_min(x_max(offset(l, node, segment), x_i64(0)), cells)));
		*end = x_var(k_let(k, "end",
		                   x_min(x_max(offset(l, node, x_add(segment, x_i64(1))), *first),
		                         cells)));
	}
	if (node->running->segment == SEGMENT_LENGTH) {
		struct kx *length = lower_index(l, node->running->length);
		*first = x_var(k_let(k, "first", x_mul(segment, length)));
		*end = x_var(k_let(k, "end",
		                   x_cond(x_lt(length, x_sub(cells, *first)), x_add(*first, length),
		                          cells)));
	}
}

/* ---- what the data may have wrong ---- */

struct kx *sort_check(struct plan *plan, const struct node *node, struct kx *host_some)
{
	const struct running *r = node->running;
	bool records = !node_clause(node, "drop"), offsets = r->segment == SEGMENT_OFFSETS;
	if (node_clause(node, "trusted") || (!offsets && !records))
		return NULL;
	struct kx *fallen = offsets ? plan_flag(plan, "fallen", records && !plan_in_loop(plan))
	                            : NULL;
	cut_check(plan, node, host_some, fallen);
	return fallen;
}

struct kx *sort_too_many(struct lowering *l, const struct node *node)
{
	const struct type *to = node_target(node, 0)->type;
	int bits = (int)(8 * type_size(to)) - (type_class(to) == 'I');
	if (!node->sorting->into || bits >= 63)
		return NULL;
	return x_lt(x_i64(INT64_C(1) << bits), sort_cells(l, node));
}

void sort_record(struct plan *plan, const struct node *node, int code, const char *note)
{
	struct lowering *l = lowering_new(plan, str_print("%s_record", node->name));
	struct kx *status = lower_argument(l, "status", kt_pointer(type_scalar(T_I32), false),
	                                   plan_status(plan));
	l->k->note = note;
	l->k->block[0] = l->k->block[1] = l->k->block[2] = plan->target->gpu ? 1 : 0;
	k_do(l->k,
	     x_help(kt_scalar(T_I32), "patc_record", 2, (struct kx *[]){ status, x_i32(code) }));
	lowering_launch(l, x_i64(1), x_i64(1), x_i64(1));
}

void sort_record_full(struct plan *plan, const struct node *node)
{
	sort_record(plan, node, ST_FULL,
	            "Records that there are more places than the result's type has numbers.");
}
