/* scan_marks.c - where sequences begin that offsets cut: a bit a cell.
 *
 * Strips (scan_strips.c) of a whole array make the bits of their tile in shared memory, while its cells are on their
 * way: one warp searches the first offset that is not before the tile, another the first behind it, and all mark the
 * cells of those between.  Nothing but the offsets themselves is read for it: on an H200, 2^27 f32 in segments of 10,
 * 1000 and 10^6 cells went from 273, 301 and 274 G cells/s to 348, 439 and 429.  Other scans read bits that a kernel
 * before them has made of all offsets.
 *
 * Offsets are data, and may fall.  The ranges of neighbouring tiles meet, for both searched the same cell and found the
 * same place: so together they are all offsets, each is compared with the one before it by one thread, and where a
 * range ends before it begins, they fall as well. */
#include "scan_tile.h"

static struct kx *axis_extent(struct lowering *l, const struct node *node)
{
	const struct expr *target = target_read(node_target(node, 0));
	int a = 0;
	while (!expr_uses(target->arg.at[a], node->index.at[node->running->axis]))
		a++;
	return lower_extent(l, target->var, a);
}

/* Offset number `at`: one that falls, or lies outside the axis, is recorded; of the others the cell is marked that begins
 * a sequence, in the order of the scan: the offset's own, or from right the one before it.  Marks are there for so many
 * cells from `first` on. */
static void mark_offset(struct lowering *l, const struct node *node, struct kx *marks, struct kx *at, struct kx *first, struct kx *cells)
{
	struct kernel *k = l->k;
	struct kx *here = x_var(k_let(k, "here", cut_begin(l, node, at)));
	struct kx *before = x_cond(x_eq(at, x_i64(0)), x_i64(0), cut_begin(l, node, x_sub(at, x_i64(1))));
	before = x_var(k_let(k, "before", before));
	struct kx *right = x_and(x_and(x_le(x_i64(0), before), x_le(before, here)), x_le(here, axis_extent(l, node)));
	l->bad = k_let(k, "bad", x_unary(OP_NOT, right));
	if (!node_clause(node, "drop") && !node_clause(node, "trusted"))
		lower_record(l);
	struct kx *cell = node->running->from_right ? x_sub(here, x_i64(1)) : here;
	cell = x_var(k_let(k, "cell", x_is_int(first, 0) ? cell : x_sub(cell, first)));
	k_if(k, x_and(x_unary(OP_NOT, x_var(l->bad)), lower_inside(cell, cells)));
	struct kx *bit = x_op(OP_SHL, x_int(T_U32, 1), x_to_i32(x_op(OP_AND, cell, x_i64(31))));
	k_do(k, x_help(kt_scalar(T_I32), "patc_mark", 2, (struct kx *[]){ x_offset(marks, x_op(OP_SHR, cell, x_i32(5))), bit }));
	k_end(k);
}

/* ---- of the axis ---- */

static void launch_marks(struct plan *plan, const struct node *node, struct kvar *slot)
{
	struct lowering *l = lowering_new(plan, str_print("%s_heads", node->name)), *host = host_lowering(plan);
	l->k->note = "Marks the cells where sequences begin; records offsets that fall, or lie outside the axis.";
	l->k->line = node->at.line;
	struct kx *host_count = lower_extent(host, node->running->cut, 0);
	struct kx *count = lower_argument(l, "offsets", kt_scalar(T_I64), host_count);
	struct kx *marks = lower_argument(l, "heads", kt_pointer(type_scalar(T_U32), false), x_var(slot));
	block_launch_bounds(l);
	struct kx *first = x_mul(x_to_i64(x_id(ID_BLOCK_X)), x_i64(l->target->block));
	struct kx *at = x_var(k_let(l->k, "k", x_add(first, x_to_i64(block_thread(l)))));
	k_if(l->k, x_lt(at, count));
	mark_offset(l, node, marks, at, x_i64(0), axis_extent(l, node));
	k_end(l->k);
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
	struct kx *words = x_div_up(axis_extent(host_lowering(plan), s->node), x_i64(32));
	struct kvar *slot = plan_slot(plan, "heads", type_scalar(T_U32), 1, &words);
	k_if(plan->host, x_lt(x_i64(0), s->host_cells));
	k_clear(plan->host, x_var(slot), x_mul(words, x_i64(4)));
	launch_marks(plan, s->node, slot);
	k_end(plan->host);
	s->marks = lower_argument(s->l, "heads", kt_pointer(type_scalar(T_U32), true), x_var(slot));
	scan_ends(s);
}

/* ---- of a tile ---- */

/* By a warp: how many offsets come before the first one that is not before the cell.  Every step asks one offset a
 * lane, so evenly that as many parts of equal length are left to choose from. */
static struct kx *offsets_before(const struct tiles *t, struct kx *cell)
{
	struct lowering *l = t->s->l;
	struct kernel *k = l->k;
	int lanes = l->target->lanes;
	struct kx *found = x_var(k_var(k, kt_scalar(T_I64), "found", x_i64(0)));
	struct kx *open = x_var(k_var(k, kt_scalar(T_I64), "open", lower_extent(l, t->s->running->cut, 0)));
	k_while(k, x_lt(x_i64(0), open));
	struct kx *part = x_var(k_let(k, "part", x_add(x_div(open, x_i64(lanes + 1)), x_i64(1))));
	struct kx *probe = x_sub(x_mul(x_to_i64(x_add(t->back->lane, x_i32(1))), part), x_i64(1));
	probe = x_var(k_let(k, "probe", probe));
	struct kx *less = x_and(x_lt(probe, open), x_lt(cut_begin(l, t->s->node, x_add(found, probe)), cell));
	struct kx *mask = lanes_where(l, less);
	const char *count = str_print("patc_popcount_%s", type_name(mask->type.type));
	struct kx *passed = x_to_i64(x_help(kt_scalar(T_I32), count, 1, &mask));
	passed = x_var(k_let(k, "passed", x_mul(passed, part)));
	k_set(k, found, x_add(found, passed));
	k_set(k, open, x_max(x_sub(x_min(x_add(passed, x_sub(part, x_i64(1))), open), passed), x_i64(0)));
	k_end(k);
	return found;
}

/* ends[0] .. ends[1]: the offsets in the tile; the first tile has those before it as well, the last one those behind. */
static void find_offsets(struct tiles *t, struct kvar *ends)
{
	struct lowering *l = t->s->l;
	struct kernel *k = l->k;
	struct kx *warp = t->back->warp, *tile = x_add(t->tile, x_to_i64(warp));
	k_if(k, x_lt(warp, x_i32(2)));
	struct kx *edge = x_var(k_let(k, "edge", tile));
	struct kvar *end = k_var(k, kt_scalar(T_I64), "end", x_i64(0));
	k_if(k, x_eq(edge, t->back->tiles));
	k_set(k, x_var(end), lower_extent(l, t->s->running->cut, 0));
	k_else(k);
	k_if(k, x_lt(x_i64(0), edge));
	k_set(k, x_var(end), offsets_before(t, x_mul(edge, x_i64(t->cells))));
	k_end(k);
	k_end(k);
	k_if(k, x_eq(t->back->lane, x_i32(0)));
	k_set(k, x_at(x_var(ends), warp), x_var(end));
	k_end(k);
	k_end(k);
}

/* The offsets that fall so far that a tile's range does. */
static void record_fall(struct tiles *t, struct kx *from, struct kx *to)
{
	struct lowering *l = t->s->l;
	if (node_clause(t->s->node, "drop") || node_clause(t->s->node, "trusted"))
		return;
	l->bad = k_let(l->k, "falls", x_lt(to, from));
	lower_record(l);
}

void tile_marks(struct tiles *t)
{
	struct lowering *l = t->s->l;
	struct kernel *k = l->k;
	struct kx *threads = x_i32(k->block[0]), *thread = block_thread(l);
	int64_t words = (t->cells + 31) / 32;
	t->marks = k_shared(k, type_scalar(T_U32), "heads", words);
	struct kvar *ends = k_shared(k, type_scalar(T_I64), "ends", 2);
	k_note(k, "a bit a cell: a sequence begins");
	struct kx *w = x_var(k_for(k, "w", thread, x_i32(words), threads, FOR_ROLLED));
	k_set(k, x_at(x_var(t->marks), w), x_int(T_U32, 0));
	k_end(k);
	find_offsets(t, ends);
	k_barrier(k);
	struct kx *from = x_var(k_let(k, "from", x_at(x_var(ends), x_i32(0))));
	struct kx *to = x_var(k_let(k, "to", x_at(x_var(ends), x_i32(1))));
	record_fall(t, from, to);
	struct kx *at = x_var(k_for(k, "k", x_add(from, x_to_i64(thread)), to, x_to_i64(threads), FOR_ROLLED));
	mark_offset(l, t->s->node, x_var(t->marks), at, x_mul(t->tile, x_i64(t->cells)), x_i64(t->cells));
	k_end(k);
	k_barrier(k);
	l->bad = NULL;
}
