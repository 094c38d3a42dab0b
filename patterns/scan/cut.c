/* cut.c - where sequences begin and end: by heads and keys each cell tells, offsets are searched (log2 steps), a
 * length is divided by.  Offsets are data: whoever runs from cut_begin to cut_end stays within his own cells, so
 * that falling ones do no harm, and cut_check records them. */
#include <assert.h>
#include "cut.h"

static struct var *axis_index(const struct node *node)
{
	return node->index.at[node->running->axis];
}

/* ---- heads and keys ---- */

/* The cut array's cell, `ahead` cells on. */
static struct expr *cut_cell(const struct node *node, int64_t ahead)
{
	struct expr *cell = node->running->cell;
	struct var *index = axis_index(node);
	struct expr *i = expr_var(index, cell->at);
	if (!ahead)
		return cell;
	i = expr_binary(OP_ADD, i, expr_int(type_scalar(T_I64), ahead, cell->at));
	return expr_substitute(cell, &index, &i, 1);
}

/* A key as it is compared: f16 and bf16 as f32. */
static struct expr *key(const struct node *node, int64_t ahead)
{
	struct expr *cell = cut_cell(node, ahead);
	if (type_class(cell->type) != 'F' || type_compute(cell->type) == cell->type)
		return cell;
	struct expr *wide = expr_new(E_CAST, type_compute(cell->type), cell->at);
	list_add(&wide->arg, cell);
	return wide;
}

/* A sequence begins at the bound cell, by what stands there: not the first of its range. */
static struct kx *head_there(struct lowering *l, const struct node *node)
{
	const struct running *r = node->running;
	int64_t next = r->from_right ? 1 : 0;
	if (r->segment == SEGMENT_KEYS)
		return lower_expr(l, expr_binary(OP_NE, key(node, next - 1), key(node, next)));
	struct kx *head = lower_expr(l, cut_cell(node, next));
	return head->type.type->kind == T_BOOL ? head : x_ne(head, lower_zero(head->type.type));
}

/* A cell of the cut array that is not there is recorded, and is no head. */
static struct kx *head_tested(struct lowering *l, const struct node *node, struct kx *first)
{
	struct kernel *k = l->k;
	struct kvar *outer = l->bad, *head = k_var(k, kt_scalar(T_BOOL), "head_here", first);
	k_if(k, x_unary(OP_NOT, first));
	l->bad = k_var(k, kt_scalar(T_BOOL), "bad", x_int(T_BOOL, 0));
	struct kx *there = x_var(k_let(k, "there", head_there(l, node)));
	k_set(k, x_var(head), x_and(there, x_unary(OP_NOT, x_var(l->bad))));
	lower_record(l);
	k_end(k);
	l->bad = outer;
	return x_var(head);
}

struct kx *cut_head(struct lowering *l, const struct node *node, struct kx *cell, struct kx *lo, struct kx *hi)
{
	const struct running *r = node->running;
	struct kx *first = x_eq(cell, r->from_right ? x_sub(hi, x_i64(1)) : lo), *behind = cell;
	switch (r->segment) {
	case SEGMENT_NONE:
		return first;
	case SEGMENT_LENGTH:
		behind = r->from_right ? x_add(cell, x_i64(1)) : cell;
		return x_or(first, x_eq(x_rem(behind, lower_index(l, r->length)), x_i64(0)));
	case SEGMENT_HEADS: case SEGMENT_KEYS:
		lower_bind(l, axis_index(node), cell);
		return expr_checked(r->cell) ? head_tested(l, node, first) : x_or(first, head_there(l, node));
	case SEGMENT_OFFSETS:
		break;
	}
	assert(!"offsets say nothing of one cell");
	return NULL;
}

/* ---- offsets and lengths ---- */

/* Unsigned ones too large for i64 become negative: outside too. */
static struct kx *offset_at(struct lowering *l, const struct node *node, struct kx *at)
{
	return x_cast(kt_scalar(T_I64), lower_place(l, node->running->cut, &at));
}

struct kx *cut_begin(struct lowering *l, const struct node *node, struct kx *segment)
{
	if (node->running->segment == SEGMENT_OFFSETS)
		return offset_at(l, node, segment);
	return x_mul(segment, lower_index(l, node->running->length));
}

struct kx *cut_end(struct lowering *l, const struct node *node, struct kx *segment)
{
	return cut_begin(l, node, x_add(segment, x_i64(1)));
}

struct kx *cut_segments(struct lowering *l, const struct node *node)
{
	if (node->running->segment != SEGMENT_OFFSETS)
		return NULL;
	return x_sub(lower_extent(l, node->running->cut, 0), x_i64(1));
}

/* How many offsets are at most `cell`. */
static struct kx *offsets_up_to(struct lowering *l, const struct node *node, struct kx *cell)
{
	struct kernel *k = l->k;
	struct kx *from = x_var(k_var(k, kt_scalar(T_I64), "found", x_i64(0)));
	struct kx *to = x_var(k_var(k, kt_scalar(T_I64), "open", lower_extent(l, node->running->cut, 0)));
	k_while(k, x_lt(from, to));
	struct kx *middle = x_var(k_let(k, "middle", x_add(from, x_div(x_sub(to, from), x_i64(2)))));
	k_if(k, x_le(offset_at(l, node, middle), cell));
	k_set(k, from, x_add(middle, x_i64(1)));
	k_else(k);
	k_set(k, to, middle);
	k_end(k);
	k_end(k);
	return from;
}

struct kx *cut_segment(struct lowering *l, const struct node *node, struct kx *cell)
{
	if (node->running->segment == SEGMENT_OFFSETS)
		return x_var(k_let(l->k, "segment", x_sub(offsets_up_to(l, node, cell), x_i64(1))));
	return x_var(k_let(l->k, "segment", x_div(cell, lower_index(l, node->running->length))));
}

/* ---- what the data may have wrong ---- */

/* The axis of the first target along which the scan runs. */
static struct kx *axis_extent(struct lowering *l, const struct node *node)
{
	const struct expr *target = target_read(node_target(node, 0));
	for (int a = 0; a < target->var->rank; a++)
		if (expr_uses(target->arg.at[a], axis_index(node)))
			return lower_extent(l, target->var, a);
	assert(!"the running index is a subscript of the target");
	return NULL;
}

static struct kx *open_offsets(struct lowering *l, struct kx *host_count)
{
	struct kx *count = lower_argument(l, "offsets", kt_scalar(T_I64), host_count);
	if (!l->target->gpu)
		return x_var(k_for(l->k, "k", x_i64(0), count, x_i64(1), FOR_PARALLEL));
	block_launch_bounds(l);
	struct kx *first = x_mul(x_to_i64(x_id(ID_BLOCK_X)), x_i64(l->target->block));
	struct kx *at = x_var(k_let(l->k, "k", x_add(first, x_to_i64(block_thread(l)))));
	k_if(l->k, x_lt(at, count));
	return at;
}

static void tell(struct lowering *l, struct kx *fallen)
{
	if (!fallen)
		return;
	fallen = lower_argument(l, "fallen", kt_pointer(type_scalar(T_I32), false), fallen);
	k_if(l->k, x_var(l->bad));
	k_do(l->k, x_help(kt_scalar(T_I32), "patc_record", 2, (struct kx *[]){ fallen, x_i32(1) }));
	k_end(l->k);
}

static void check_offsets(struct plan *plan, const struct node *node, struct kx *fallen)
{
	struct lowering *l = lowering_new(plan, str_print("%s_offsets", node->name));
	l->k->note = "Records offsets that fall, or lie outside the axis.";
	struct kx *host_count = lower_extent(host_lowering(plan), node->running->cut, 0);
	struct kx *at = open_offsets(l, host_count);
	struct kx *here = x_var(k_let(l->k, "here", offset_at(l, node, at)));
	struct kx *before = x_var(k_let(l->k, "before", x_cond(x_eq(at, x_i64(0)), x_i64(0), offset_at(l, node, x_sub(at, x_i64(1))))));
	l->bad = k_let(l->k, "bad", x_unary(OP_NOT, x_and(x_and(x_le(x_i64(0), here), x_le(before, here)),
	                                                   x_le(here, axis_extent(l, node)))));
	l->drops = node_clause(node, "drop");
	lower_record(l);
	tell(l, fallen);
	k_end(l->k);
	lowering_launch(l, plan->target->gpu ? x_div_up(host_count, x_i64(l->target->block)) : x_i64(1), x_i64(1), x_i64(1));
}

static void check_length(struct plan *plan, const struct node *node)
{
	struct lowering *l = lowering_new(plan, str_print("%s_length", node->name));
	l->k->note = "Records a length below 1.";
	l->k->block[0] = l->k->block[1] = l->k->block[2] = plan->target->gpu ? 1 : 0;
	l->bad = k_let(l->k, "bad", x_lt(lower_index(l, node->running->length), x_i64(1)));
	lower_record(l);
	lowering_launch(l, x_i64(1), x_i64(1), x_i64(1));
}

void cut_check(struct plan *plan, const struct node *node, struct kx *host_some, struct kx *fallen)
{
	const struct running *r = node->running;
	bool length = r->segment == SEGMENT_LENGTH && r->length->kind != E_CONST;
	bool records = !node_clause(node, "drop") && !node_clause(node, "trusted");
	if ((!records && !fallen) || (r->segment != SEGMENT_OFFSETS && !length))
		return;
	k_if(plan->host, host_some);
	if (length)
		check_length(plan, node);
	else
		check_offsets(plan, node, fallen);
	k_end(plan->host);
}
