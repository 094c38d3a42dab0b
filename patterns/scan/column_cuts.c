/* column_cuts.c - where offsets begin segments, a byte for each place of the axis, for the columns
 * of a scan.
 *
 * A kernel of their own finds the segment of each place by bisection, so that neither empty
 * segments nor their number matter to whoever reads the bytes, which are the same for all columns.
 * */
#include "columns.h"
#include "cut.h"

struct kx *column_cuts(struct plan *plan, const struct node *node, struct kx *host_some)
{
	if (node->running->segment != SEGMENT_OFFSETS)
		return NULL;
	struct kx *most = cut_extent(host_lowering(plan), node),
		  *block = x_i64(plan->target->block);
	struct kx *slot = x_var(plan_slot(plan, "cuts", type_scalar(T_U8), 1, &most));
	struct lowering *l = lowering_new(plan, str_print("%s_cuts", node->name));
	l->k->note = "What each place of the axis is: 1 in a segment, 3 where one begins.";
	l->k->at = node->at;
	block_launch_bounds(l);
	k_bind(l->k, "cuts", lower_argument(l, "cuts", kt_pointer(type_scalar(T_U8), false), slot));
	k_bind(l->k, "places", lower_argument(l, "places", kt_scalar(T_I64), most));
	cut_bind(l, node);
	k_numbers(l->k, "CUT_INSIDE, CUT_HEAD", CUT_INSIDE, CUT_HEAD);
	k_text(l->k, "mark_places");
	k_if(plan->host, host_some);
	lowering_launch(l, x_div_up(most, block), x_i64(1), x_i64(1));
	k_end(plan->host);
	return slot;
}
