/* column_cuts.c - what offsets say of each place of the axis, a byte a place, for the columns of a scan.
 *
 * A kernel of their own finds the segment of each place by bisection, so that neither empty segments nor their
 * number matter to whoever reads the bytes, which are the same for all columns. */
#include "columns.h"
#include "cut.h"

static void mark_place(struct lowering *l, const struct node *node, struct kx *cuts, struct kx *place)
{
	struct kernel *k = l->k;
	struct kx *what = x_var(k_var(k, kt_scalar(T_U8), "what", x_int(T_U8, 0)));
	struct kx *segment = cut_segment(l, node, place);
	k_if(k, x_and(x_le(x_i64(0), segment), x_lt(segment, cut_segments(l, node))));
	struct kx *head = node->running->from_right ? x_eq(cut_end(l, node, segment), x_add(place, x_i64(1)))
	                                            : x_eq(cut_begin(l, node, segment), place);
	k_set(k, what, x_cond(head, x_int(T_U8, CUT_INSIDE | CUT_HEAD), x_int(T_U8, CUT_INSIDE)));
	k_end(k);
	k_set(k, x_at(cuts, place), what);
}

/* The extent of the axis, over sizes. */
static struct kx *axis_extent(const struct node *node, struct lowering *host)
{
	const struct var *axis = node->index.at[node->running->axis];
	const struct expr *target = target_read(node_target(node, 0));
	for (int a = 0; a < target->var->rank; a++)
		if (expr_uses(target->arg.at[a], axis))
			return lower_extent(host, target->var, a);
	return x_i64(0);
}

struct kx *column_cuts(struct plan *plan, const struct node *node, struct kx *host_some)
{
	if (node->running->segment != SEGMENT_OFFSETS)
		return NULL;
	struct kx *most = axis_extent(node, host_lowering(plan)), *block = x_i64(plan->target->block);
	struct kx *slot = x_var(plan_slot(plan, "cuts", type_scalar(T_U8), 1, &most));
	struct lowering *l = lowering_new(plan, str_print("%s_cuts", node->name));
	l->k->note = "What each place of the axis is: 1 in a segment, 3 where one begins.";
	l->k->line = node->at.line;
	block_launch_bounds(l);
	struct kx *cuts = lower_argument(l, "cuts", kt_pointer(type_scalar(T_U8), false), slot);
	struct kx *places = lower_argument(l, "places", kt_scalar(T_I64), most);
	struct kx *place = x_add(x_mul(x_to_i64(x_id(ID_BLOCK_X)), block), x_to_i64(block_thread(l)));
	place = x_var(k_let(l->k, "place", place));
	k_if(l->k, x_lt(place, places));
	mark_place(l, node, cuts, place);
	k_end(l->k);
	k_if(plan->host, host_some);
	lowering_launch(l, x_div_up(most, block), x_i64(1), x_i64(1));
	k_end(plan->host);
	return slot;
}
