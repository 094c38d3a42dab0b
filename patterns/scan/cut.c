/* cut.c - where sequences begin and end: by heads and keys each cell tells, offsets are searched
 * (log2 steps), a length is divided by.  Offsets are data: whoever runs from cut_begin to cut_end
 * stays within his own cells, so that falling ones do no harm, and cut_check records them. */
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

/* A key as it is compared: small floats as f32. */
static struct expr *key(const struct node *node, int64_t ahead)
{
	struct expr *cell = cut_cell(node, ahead);
	if (type_class(cell->type) != 'F' || type_compute(cell->type) == cell->type)
		return cell;
	struct expr *wide = expr_new(E_CAST, type_compute(cell->type), cell->at);
	list_add(&wide->arg, cell);
	return wide;
}

/* A sequence begins at the bound cell, by the value there: not the first of its range. */
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
	struct lower_context before = l->now;
	struct kvar *head = k_var(k, kt_scalar(T_BOOL), "head_here", first);
	k_if(k, x_unary(OP_NOT, first));
	lower_flag(l, "bad");
	struct kx *there = x_var(k_let(k, "there", head_there(l, node)));
	k_set(k, x_var(head), x_and(there, lower_inside_all(l)));
	lower_record(l);
	k_end(k);
	l->now = before;
	return x_var(head);
}

struct kx *cut_head(struct lowering *l, const struct node *node, struct kx *cell, struct kx *lo,
                    struct kx *hi)
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
		return expr_checked(r->cell) ? head_tested(l, node, first)
		                             : x_or(first, head_there(l, node));
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

/* ---- for texts: cut.kernel, and others of this folder ---- */

KTEXT_HOLE(begin_of)
{
	return cut_begin(l, state, arg[0]);
}

KTEXT_HOLE(end_of)
{
	return cut_end(l, state, arg[0]);
}

KTEXT_HOLE(segment_of)
{
	return cut_segment(l, state, arg[0]);
}

KTEXT_HOLE(segments)
{
	struct kx *count = cut_segments(l, state);
	return count ? count : x_i64(0);
}

KTEXT_HOLE(offsets)
{
	return lower_extent(l, ((const struct node *)state)->running->cut, 0);
}

KTEXT_HOLE(extent)
{
	return cut_extent(l, state);
}

void cut_bind(struct lowering *l, const struct node *node)
{
	k_numbers(l->k, "BLOCK, RIGHT", l->k->block[0], node->running->from_right);
	k_bind_calls(l->k, node, { "begin_of", begin_of }, { "end_of", end_of },
	             { "segment_of", segment_of }, { "segments", segments }, { "offsets", offsets },
	             { "extent", extent });
}

static struct kx *count_up_to(struct lowering *l, const struct node *node, struct kx *cell)
{
	int names = k_names(l->k);
	cut_bind(l, node);
	k_text(l->k, "count_up_to", cell);
	struct kx *found = k_get(l->k, "found");
	k_forget(l->k, names);
	return found;
}

struct kx *cut_segment(struct lowering *l, const struct node *node, struct kx *cell)
{
	if (node->running->segment == SEGMENT_OFFSETS)
		return x_var(k_let(l->k, "segment", x_sub(count_up_to(l, node, cell), x_i64(1))));
	return x_var(k_let(l->k, "segment", x_div(cell, lower_index(l, node->running->length))));
}

/* ---- what the data may have wrong ---- */

/* The axis of the first target along which the scan runs. */
struct kx *cut_extent(struct lowering *l, const struct node *node)
{
	const struct expr *target = target_read(node_target(node, 0));
	for (int a = 0; a < target->var->rank; a++)
		if (expr_uses(target->arg.at[a], axis_index(node)))
			return lower_extent(l, target->var, a);
	assert(!"the running index is a subscript of the target");
	return NULL;
}

KTEXT_HOLE(record)
{
	if (!node_clause(state, "drop"))
		lower_status(l, arg[0], ST_INDEX);
	return NULL;
}

KTEXT_HOLE(fallen)
{
	return lower_argument(l, "fallen", kt_pointer(type_scalar(T_I32), false),
	                      (struct kx *)state);
}

static void check_offsets(struct plan *plan, const struct node *node, struct kx *flag)
{
	struct lowering *l = lowering_new(plan, str_print("%s_offsets", node->name));
	bool gpu = plan->target->gpu;
	l->k->note = "Records offsets that fall, or lie outside the axis.";
	struct kx *host_count = lower_extent(host_lowering(plan), node->running->cut, 0);
	k_bind(l->k, "count", lower_argument(l, "offsets", kt_scalar(T_I64), host_count));
	if (gpu)
		block_launch_bounds(l);
	cut_bind(l, node);
	k_numbers(l->k, "GPU, TELLS", gpu, flag != NULL);
	k_bind_call(l->k, "record", record, node);
	k_bind_call(l->k, "fallen", fallen, flag);
	k_text(l->k, "check_offsets");
	lowering_launch(l, gpu ? x_div_up(host_count, x_i64(l->target->block)) : x_i64(1), x_i64(1),
	                x_i64(1));
}

static void check_length(struct plan *plan, const struct node *node)
{
	struct lowering *l = lowering_new(plan, str_print("%s_length", node->name));
	l->k->note = "Records a length below 1.";
	l->k->block[0] = l->k->block[1] = l->k->block[2] = plan->target->gpu ? 1 : 0;
	struct kx *length = lower_index(l, node->running->length);
	lower_status(l, x_var(k_let(l->k, "bad", x_lt(length, x_i64(1)))), ST_INDEX);
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
