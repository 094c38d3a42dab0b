/* compact_deal.c - places of an `unordered` compact: whichever tile comes first takes the first ones, by one addition
 * to a counter of each part, and no tile waits for another.  The tile that comes last finds in the counters how many
 * there are.  One tile in all takes nothing, and nothing is cleared for it. */
#include "compact_tile.h"

void deal_open(struct tile *t, const struct total *like, struct kx *host_tiles, struct kx **tile)
{
	struct lowering *l = t->it->l;
	struct plan *plan = l->plan;
	struct kx *parts = x_i64(like->acc.n);
	struct kvar *counters = plan_slot(plan, "counters", type_scalar(T_U64), 1, &parts);
	k_if(plan->host, x_lt(x_i64(1), host_tiles));
	k_clear(plan->host, x_var(counters), x_mul(parts, x_i64(8)));
	k_end(plan->host);
	t->tiles = lower_argument(l, "tiles", kt_scalar(T_I64), host_tiles);
	t->counters = lower_argument(l, "counters", kt_pointer(type_scalar(T_U64), false), x_var(counters));
	t->ticket = lower_argument(l, "ticket", kt_pointer(type_scalar(T_U32), false), x_var(plan_ticket(plan, 0, NULL)));
	t->lane = lane_of(l, &t->warp);
	*tile = x_var(k_let(l->k, "tile", x_to_i64(x_id(ID_BLOCK_X))));
}

static struct kx *take(struct tile *t, int part, struct kx *n)
{
	struct kx *arg[] = { part ? x_offset(t->counters, x_i64(part)) : t->counters, n };
	return x_help(kt_scalar(T_I64), "patc_deal", 2, arg);
}

/* One thread: the sums of the warps become what comes before each, and the tile's places are taken. */
static void take_places(struct tile *t, int parts, struct kvar *const *sums, struct kvar *base)
{
	struct lowering *l = t->it->l;
	struct kernel *k = l->k;
	struct kx *several = x_lt(x_i64(1), t->tiles), *all[PART_COUNT] = { NULL };
	struct kvar *whole[PART_COUNT];
	for (int a = 0; a < parts; a++) {
		whole[a] = k_var(k, kt_scalar(T_I64), "whole", x_i64(0));
		struct kx *w = x_var(k_for(k, "w", x_i32(0), x_i32(k->block[0] / l->target->lanes), x_i32(1), 0));
		struct kx *place = x_at(x_var(sums[a]), w), *held = x_var(k_let(k, "held", place));
		k_set(k, place, x_var(whole[a]));
		k_set(k, x_var(whole[a]), x_add(x_var(whole[a]), held));
		k_end(k);
		k_set(k, x_at(x_var(base), x_i32(a)), x_i64(0));
	}
	struct kvar *last = k_var(k, kt_scalar(T_BOOL), "last", x_int(T_BOOL, 1));
	k_if(k, several);
	for (int a = 0; a < parts; a++)
		k_set(k, x_at(x_var(base), x_i32(a)), take(t, a, x_var(whole[a])));
	k_set(k, x_var(last), x_help(kt_scalar(T_BOOL), "patc_ticket", 2,
	      (struct kx *[]){ t->ticket, x_cast(kt_scalar(T_U32), x_sub(t->tiles, x_i64(1))) }));
	k_if(k, x_var(last));
	for (int a = 0; a < parts; a++)
		k_set(k, x_var(whole[a]), take(t, a, x_i64(0)));
	k_end(k);
	k_end(k);
	for (int a = 0; a < parts; a++)
		all[a] = x_var(whole[a]);
	k_if(k, x_var(last));
	items_note_outside(t->it);
	items_finish(t->it, all[PART_KEPT], all[PART_REJECTED]);
	k_end(k);
}

struct total deal_places(struct tile *t, const struct total *own)
{
	struct lowering *l = t->it->l;
	struct kernel *k = l->k;
	int parts = own->acc.n, warps = k->block[0] / l->target->lanes;
	struct kvar *sums[PART_COUNT], *base = k_shared(k, type_scalar(T_I64), "base", parts);
	struct total before = *own;
	for (int a = 0; a < parts; a++)
		sums[a] = k_shared(k, type_scalar(T_I64), "warp_sum", warps);
	k_if(k, x_eq(t->lane, x_i32(0)));
	for (int a = 0; a < parts; a++)
		k_set(k, x_at(x_var(sums[a]), t->warp), x_var(own->acc.at[a].var));
	k_end(k);
	k_barrier(k);
	k_if(k, x_eq(block_thread(l), x_i32(0)));
	take_places(t, parts, sums, base);
	k_end(k);
	k_barrier(k);
	for (int a = 0; a < parts; a++) {
		struct kx *place = x_add(x_at(x_var(base), x_i32(a)), x_at(x_var(sums[a]), t->warp));
		before.acc.at[a].var = k_let(k, "before", place);
	}
	return before;
}
