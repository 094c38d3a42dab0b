/* scan_marks.c - where sequences begin that offsets cut: a bit a cell.
 *
 * Strips (scan_strips.c) of a whole array make the bits of their tile in shared memory, while its
 * cells are on their way: one warp searches the first offset that is not before the tile, another
 * the first after it, and all mark the cells of those between.  Nothing but the offsets themselves
 * is read for it: on an H200, 2^27 f32 in segments of 10, 1000 and 10^6 cells went from 273, 301
 * and 274 G cells/s to 348, 439 and 429.  Other scans read bits that a kernel before them has made
 * of all offsets.
 *
 * Offsets are data, and may fall.  The ranges of neighbouring tiles meet, for both searched the
 * same cell and found the same place: so together they are all offsets, each is compared with the
 * one before it by one thread, and where a range ends before it begins, they fall as well. */
#include "scan_tile.h"

/* ---- for the texts of scan_marks.kernel ---- */

KTEXT_HOLE(is_inside)
{
	return lower_inside(arg[0], arg[1]);
}

static bool records(const struct node *node)
{
	return !node_clause(node, "drop") && !node_clause(node, "trusted");
}

KTEXT_HOLE(record)
{
	if (records(state))
		lower_record_if(l, arg[0]);
	return NULL;
}

void marks_bind(struct lowering *l, const struct node *node)
{
	cut_bind(l, node);
	k_bind(l->k, "RECORDS", records(node));
	k_bind_calls(l->k, node, { "is_inside", is_inside }, { "record", record });
}

/* ---- of the axis ---- */

static void launch_marks(struct plan *plan, const struct node *node, struct kvar *slot)
{
	struct lowering *l = lowering_new(plan, str_print("%s_heads", node->name)),
			*host = host_lowering(plan);
	l->k->note = "Marks the cells where sequences begin; records offsets that fall, or lie "
	             "outside the axis.";
	l->k->at = node->at;
	struct kx *host_count = lower_extent(host, node->running->cut, 0);
	struct kx *count = lower_argument(l, "offsets", kt_scalar(T_I64), host_count);
	struct kx *marks = lower_argument(l, "heads", kt_pointer(type_scalar(T_U32), false),
	                                  x_var(slot));
	block_launch_bounds(l);
	marks_bind(l, node);
	k_bind(l->k, "count", count);
	k_bind(l->k, "heads", marks);
	k_text(l->k, "mark_all");
	lowering_launch(l, x_div_up(host_count, x_i64(l->target->block)), x_i64(1), x_i64(1));
}

void scan_ends(struct scan *s)
{
	struct lowering *l = s->l;
	struct kx *some = x_le(x_i64(0), cut_segments(l, s->node));
	s->first_offset = x_cond(some, cut_begin(l, s->node, x_i64(0)), x_i64(0));
	s->first_offset = x_var(k_let(l->k, "first_offset", s->first_offset));
	s->last_offset = x_cond(some, cut_begin(l, s->node, cut_segments(l, s->node)), x_i64(0));
	s->last_offset = x_var(k_let(l->k, "last_offset", s->last_offset));
}

void scan_marks(struct scan *s)
{
	struct plan *plan = s->l->plan;
	struct kx *words = x_div_up(cut_extent(host_lowering(plan), s->node), x_i64(32));
	struct kvar *slot = plan_slot(plan, "heads", type_scalar(T_U32), 1, &words);
	k_if(plan->host, x_lt(x_i64(0), s->host_cells));
	k_clear(plan->host, x_var(slot), x_mul(words, x_i64(4)));
	launch_marks(plan, s->node, slot);
	k_end(plan->host);
	s->marks = lower_argument(s->l, "heads", kt_pointer(type_scalar(T_U32), true), x_var(slot));
	scan_ends(s);
}

bool tile_marks(const struct tiles *t)
{
	return t->strips && t->s->first_offset && !t->s->marks;
}
