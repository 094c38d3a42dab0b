/* compact_places.c - where the items of a tile go, on a GPU, without waiting for other tiles.
 *
 * Decoupled look-back (Merrill and Garland 2016), asked late: a block tells the counts of its tile, then takes the
 * next one, and only when that is counted too it asks for the places of the first, whose items stand in shared
 * memory meanwhile.  Whatever is told by then was told while cells came from memory, so that nobody waits but the
 * last tile of a block.  (H200, u32, 2^28 items, half of them kept: asked at once 0.57 to 0.60 ms, late 0.41.)
 *
 * Tile numbers are drawn from a counter, so whoever is asked has begun; and a block tells of a tile before it asks
 * for an earlier one.  So the lowest tile that is not told yet is on its way, and there is no deadlock however many
 * blocks run at a time.
 *
 * Counts commute.  So tiles stand in groups of as many as a warp has lanes, whose counts are added up in a word
 * that also says how many tiles it has, and the tiles of a group need not wait for its last one, as they do where
 * totals are joined in their order (look_back.c: 0.43 ms).  What comes before a group is told by its first tile:
 *     tile[t]    1 << 56 | rejected << 28 | kept
 *     group[g]   the sum of those of its tiles
 *     before[g]  a word for each part: 1 << 63 | how many
 * All are words of the device that are stored and loaded by relaxed atomics; each tells by itself whether it is
 * there.  The first warp of a block asks, a lane each, for the tiles before it in its group, and of as many groups
 * before for their counts and what comes before them.
 *
 * In any order (`unordered`), a tile takes the next places by one addition to a counter of each part when it is
 * counted.  The block that ends last finds in the counters how many there are.
 *
 * One tile in all draws nothing and tells nothing, and nothing is cleared for it. */
#include "../state_words.h"
#include "compact_tile.h"

enum {
	FIELD = 28,                              /* bits of a count in a word: of a group's tiles, with room */
	BLOCKS = 1024                            /* of a launch: more than a machine runs at a time; each goes on till none is left */
};

static struct kx *u64(int64_t x)
{
	return x_int(T_U64, x);
}

/* u32: of all the tiles and groups that a warp sums up too */
static struct kx *field(struct kx *word, int part)
{
	word = x_cast(kt_scalar(T_U32), part ? x_op(OP_SHR, word, x_i32(FIELD * part)) : word);
	return x_op(OP_AND, word, x_int(T_U32, (INT64_C(1) << FIELD) - 1));
}

static struct kx *tiles_told(struct kx *word)
{
	return x_cast(kt_scalar(T_I32), x_op(OP_SHR, word, x_i32(2 * FIELD)));
}

/* That of another lane. */
static struct kx *of_lane(struct kx *x, struct kx *lane)
{
	return x_help(x->type, str_print("patc_shfl_%s", type_name(x->type.type)), 2, (struct kx *[]){ x, lane });
}

/* ---- the state: a counter of tiles, then words of tiles, groups and what comes before groups; or counters ---- */

static struct kx *groups_of(const struct places *p, struct kx *tiles)
{
	return x_div_up(tiles, x_i64(p->lanes));
}

static struct kx *words_of(const struct places *p, struct kx *tiles)
{
	struct kx *words = x_i64(p->parts);
	if (!p->any)
		words = x_add(tiles, x_mul(groups_of(p, tiles), x_i64(1 + p->parts)));
	return x_add(words, x_i64(1));
}

static struct kx *place(const struct places *p, struct kx *word)
{
	return x_offset(p->state, x_add(word, x_i64(1)));
}

static struct kx *tile_place(const struct places *p, struct kx *tile)
{
	return place(p, tile);
}

static struct kx *group_place(const struct places *p, struct kx *group)
{
	return place(p, x_add(p->tiles, group));
}

static struct kx *before_place(const struct places *p, struct kx *group, int part)
{
	struct kx *groups = groups_of(p, p->tiles);
	return place(p, x_add(x_add(p->tiles, x_mul(groups, x_i64(1 + part))), group));
}

static void store_word(struct kernel *k, struct kx *at, struct kx *word, struct kx *upper)
{
	struct kx *arg[] = { at, x_cast(kt_scalar(T_U32), word), upper };
	k_do(k, x_help(kt_scalar(T_I32), "patc_state_store", 3, arg));
}

static struct kx *add_to(struct kx *at, struct kx *n)
{
	return x_help(kt_scalar(T_I64), "patc_deal", 2, (struct kx *[]){ at, x_cast(kt_scalar(T_I64), n) });
}

struct kx *places_waits(const struct places *p)
{
	return x_le(x_i64(0), x_var(p->waiting));
}

/* ---- telling: the first warp, behind a barrier ---- */

static void tell_in_order(struct lowering *l, const struct places *p, struct kx *tile, struct kx *const *whole)
{
	struct kx *word = u64(INT64_C(1) << 2 * FIELD);
	for (int a = 0; a < p->parts; a++) {
		struct kx *n = x_cast(kt_scalar(T_U64), whole[a]);
		word = x_op(OP_OR, word, a ? x_op(OP_SHL, n, x_i32(FIELD * a)) : n);
	}
	word = x_var(k_let(l->k, "word", word));
	store_word(l->k, tile_place(p, tile), word, state_known(word));
	k_do(l->k, add_to(group_place(p, x_div(tile, x_i64(p->lanes))), word));
}

static void tell(struct lowering *l, const struct places *p, struct kx *tile, struct kx *const *whole)
{
	struct kernel *k = l->k;
	k_if(k, x_and(x_eq(p->lane, x_i32(0)), x_lt(x_i64(1), p->tiles)));
	if (!p->any)
		tell_in_order(l, p, tile, whole);
	for (int a = 0; p->any && a < p->parts; a++)
		k_set(k, x_var(p->dealt[a]), add_to(place(p, x_i64(a)), whole[a]));
	k_end(k);
}

/* up_to[], of lane w: what the warps before warp w have of the tile. */
static void count_warps(struct lowering *l, const struct places *p, struct kx *tile, struct kx **up_to)
{
	struct kernel *k = l->k;
	int warps = k->block[0] / p->lanes;
	struct kx *whole[PART_COUNT];
	for (int a = 0; a < p->parts; a++)
		up_to[a] = x_var(k_var(k, kt_scalar(T_U32), "up_to", x_int(T_U32, 0)));
	k_if(k, x_lt(tile, p->tiles));
	for (int a = 0; a < p->parts; a++) {
		k_if(k, x_lt(p->lane, x_i32(warps)));
		k_set(k, up_to[a], x_at(x_var(p->counts[a]), p->lane));
		k_end(k);
		struct kx *own = x_var(k_let(k, "own", up_to[a]));
		tile_scan_lanes(k, up_to[a], p->lane, warps);
		whole[a] = x_var(k_let(k, "whole", of_lane(up_to[a], x_i32(warps - 1))));
		k_set(k, up_to[a], x_sub(up_to[a], own));
	}
	tell(l, p, tile, whole);
	k_end(k);
}

/* ---- asking: the first warp ---- */

struct asked { struct kx *group, *rank, *tile, *whole, *before[PART_COUNT]; };   /* i64, i32; words */

static struct kx *lane_i64(const struct places *p)
{
	return x_to_i64(p->lane);
}

static void ask_tile(struct lowering *l, const struct places *p, const struct asked *q)
{
	struct kx *first = x_mul(q->group, x_i64(p->lanes));
	k_set(l->k, q->tile, state_load(tile_place(p, x_add(first, lane_i64(p)))));
}

/* Lane k: what comes before the group k groups back, and the counts of the one before that. */
static void ask_groups(struct lowering *l, const struct places *p, const struct asked *q)
{
	struct kx *back = x_sub(q->group, lane_i64(p));
	for (int a = 0; a < p->parts; a++)
		k_set(l->k, q->before[a], state_load(before_place(p, back, a)));
	k_set(l->k, q->whole, state_load(group_place(p, x_sub(back, x_i64(1)))));
}

static struct asked ask(struct lowering *l, const struct places *p)
{
	struct kernel *k = l->k;
	struct kx *tile = x_var(p->waiting);
	struct asked q = { .group = x_var(k_let(k, "group", x_div(tile, x_i64(p->lanes)))) };
	q.rank = x_var(k_let(k, "rank_in_group", x_to_i32(x_sub(tile, x_mul(q.group, x_i64(p->lanes))))));
	q.tile = x_var(k_var(k, kt_scalar(T_U64), "tile_word", u64(0)));
	q.whole = x_var(k_var(k, kt_scalar(T_U64), "group_word", u64(0)));
	for (int a = 0; a < p->parts; a++)
		q.before[a] = x_var(k_var(k, kt_scalar(T_U64), "before_word", u64(0)));
	k_if(k, x_lt(p->lane, q.rank));
	ask_tile(l, p, &q);
	k_end(k);
	k_if(k, x_lt(lane_i64(p), q.group));
	ask_groups(l, p, &q);
	k_end(k);
	k_while(k, x_and(x_lt(p->lane, q.rank), x_eq(q.tile, u64(0))));
	ask_tile(l, p, &q);
	k_end(k);
	return q;
}

static struct kx *has_before(const struct places *p, const struct asked *q)
{
	struct kx *all = NULL;
	for (int a = 0; a < p->parts; a++)
		all = x_and(all, x_ne(x_op(OP_SHR, q->before[a], x_i32(63)), u64(0)));
	return x_or(x_eq(lane_i64(p), q->group), all);
}

/* Waits until some lane knows what comes before its group, and all lanes before that have their counts: its number. */
static struct kx *nearest_known(struct lowering *l, const struct places *p, const struct asked *q)
{
	struct kernel *k = l->k;
	struct kx *none = no_lanes(l), *one = x_int(none->type.type->kind, 1);
	struct kx *found = x_var(k_var(k, none->type, "found", none));
	struct kx *waits = x_var(k_var(k, kt_scalar(T_BOOL), "waits", x_int(T_BOOL, 1)));
	k_while(k, waits);
	k_set(k, found, lanes_where(l, has_before(p, q)));
	struct kx *counted = x_var(k_let(k, "counted", lanes_where(l, x_eq(tiles_told(q->whole), x_i32(p->lanes)))));
	/* of no lane that knows: all lanes, of which the last cannot be enough */
	struct kx *nearer = x_op(OP_AND, x_sub(found, one), x_unary(OP_BITNOT, found));
	nearer = x_var(k_let(k, "nearer", nearer));
	k_set(k, waits, x_or(x_eq(found, none), x_ne(x_op(OP_AND, counted, nearer), nearer)));
	k_if(k, x_and(waits, x_lt(lane_i64(p), q->group)));
	ask_groups(l, p, q);
	k_end(k);
	k_end(k);
	return x_var(k_let(k, "nearest", x_help(kt_scalar(T_I32), str_print("patc_ctz_%s", type_name(none->type.type)), 1, &found)));
}

static void tell_before_group(struct lowering *l, const struct places *p, const struct asked *q, struct kx *nearest,
                              struct kvar *const *before)
{
	struct kernel *k = l->k;
	struct kx *first = x_and(x_eq(p->lane, x_i32(0)), x_eq(q->rank, x_i32(0)));
	k_if(k, x_and(first, x_lt(x_i32(0), nearest)));
	for (int a = 0; a < p->parts; a++) {
		struct kx *word = x_cast(kt_scalar(T_U64), x_var(before[a]));
		struct kx *upper = x_op(OP_OR, state_known(word), x_int(T_U32, INT64_C(1) << 31));
		store_word(k, before_place(p, q->group, a), word, upper);
	}
	k_end(k);
}

/* before[]: of no items yet; becomes what the tiles before the one that waits have. */
static void look_back_late(struct lowering *l, const struct places *p, struct kvar *const *before)
{
	struct kernel *k = l->k;
	k_if(k, x_lt(x_i64(0), x_var(p->waiting)));
	k_note(k, "look back: what comes before the tile that waits");
	struct asked q = ask(l, p);
	struct kx *nearest = nearest_known(l, p, &q);
	for (int a = 0; a < p->parts; a++) {
		struct kx *sum = x_var(k_var(k, kt_scalar(T_U32), "sum", field(q.tile, a)));
		k_if(k, x_lt(p->lane, nearest));
		k_set(k, sum, x_add(sum, field(q.whole, a)));
		k_end(k);
		tile_scan_lanes(k, sum, p->lane, p->lanes);
		sum = of_lane(sum, x_i32(p->lanes - 1));
		struct kx *known = x_op(OP_AND, of_lane(q.before[a], nearest), u64(INT64_MAX));
		k_set(k, x_var(before[a]), x_add(x_cast(kt_scalar(T_I64), known), x_to_i64(sum)));
	}
	tell_before_group(l, p, &q, nearest, before);
	k_end(k);
}

static void ask_dealt(struct lowering *l, const struct places *p, struct kvar *const *before)
{
	struct kernel *k = l->k;
	k_if(k, x_lt(x_i64(1), p->tiles));
	for (int a = 0; a < p->parts; a++)
		k_set(k, x_var(before[a]), of_lane(x_var(p->taken[a]), x_i32(0)));
	k_end(k);
}

/* ---- the loop over the tiles of a block ---- */

static void open_variables(struct lowering *l, struct places *p)
{
	static const char *const counts[] = { "kept_of", "rejected_of" }, *const to[] = { "kept_to", "rejected_to" };
	struct kernel *k = l->k;
	int warps = k->block[0] / p->lanes;
	p->drawn = k_shared(k, type_scalar(T_I64), "drawn", 1);
	for (int a = 0; a < p->parts; a++) {
		p->counts[a] = k_shared(k, type_scalar(T_U32), counts[a], warps);
		p->within[a] = k_shared(k, type_scalar(T_U32), "within", warps);
		p->to[a] = k_shared(k, type_scalar(T_I64), to[a], warps);
		p->dealt[a] = p->any ? k_var(k, kt_scalar(T_I64), "dealt", x_i64(0)) : NULL;
		p->taken[a] = p->any ? k_var(k, kt_scalar(T_I64), "taken", x_i64(0)) : NULL;
	}
	p->waiting = k_var(k, kt_scalar(T_I64), "waiting", x_i64(-1));
}

struct kx *places_open(struct lowering *l, struct places *p, struct kx *host_tiles, struct kx *most_tiles)
{
	struct plan *plan = l->plan;
	struct kx *most = words_of(p, most_tiles);
	struct kvar *slot = plan_slot(plan, "state", type_scalar(T_U64), 1, &most);
	k_if(plan->host, x_lt(x_i64(1), host_tiles));
	k_clear(plan->host, x_var(slot), x_mul(words_of(p, host_tiles), x_i64(8)));
	k_end(plan->host);
	p->tiles = lower_argument(l, "tiles", kt_scalar(T_I64), host_tiles);
	p->state = lower_argument(l, "state", kt_pointer(type_scalar(T_U64), false), x_var(slot));
	open_variables(l, p);
	return plan_let(plan, "blocks", x_min(host_tiles, x_i64(BLOCKS)));
}

struct kx *places_draw(struct lowering *l, const struct places *p)
{
	struct kernel *k = l->k;
	struct kx *drawn = x_at(x_var(p->drawn), x_i32(0)), *arg[] = { p->state }, *drawn_from = x_i64(1);
	struct kx *next = x_add(x_var(p->waiting), x_i64(1));
	if (p->any) {                            /* a block for each: none waits for another */
		drawn_from = x_to_i64(x_id(ID_GRID_X));
		next = x_cond(places_waits(p), p->tiles, x_to_i64(x_id(ID_BLOCK_X)));
	}
	struct kvar *tile = k_var(k, kt_scalar(T_I64), "tile", next);
	k_if(k, x_lt(drawn_from, p->tiles));
	k_if(k, x_eq(block_thread(l), x_i32(0)));
	k_set(k, drawn, x_help(kt_scalar(T_I64), "patc_draw", 1, arg));
	k_end(k);
	k_barrier(k);
	k_set(k, x_var(tile), drawn);
	k_end(k);
	return x_var(tile);
}

void places_count(struct lowering *l, const struct places *p, struct kx *const *count)
{
	struct kernel *k = l->k;
	k_if(k, x_eq(p->lane, x_i32(0)));
	for (int a = 0; a < p->parts; a++)
		k_set(k, x_at(x_var(p->counts[a]), p->warp), x_cast(kt_scalar(T_U32), count[a]));
	k_end(k);
}

/* First warp: where the items of each warp of the tile that waits go. */
static void find_places(struct lowering *l, const struct places *p, struct kx *has_warp)
{
	struct kernel *k = l->k;
	struct kvar *before[PART_COUNT];
	for (int a = 0; a < p->parts; a++)
		before[a] = k_var(k, kt_scalar(T_I64), "before", x_i64(0));
	(p->any ? ask_dealt : look_back_late)(l, p, before);
	k_if(k, has_warp);
	for (int a = 0; a < p->parts; a++)
		k_set(k, x_at(x_var(p->to[a]), p->lane),
		      x_add(x_var(before[a]), x_to_i64(x_at(x_var(p->within[a]), p->lane))));
	k_end(k);
}

void places_exchange(struct lowering *l, const struct places *p, struct kx *tile)
{
	struct kernel *k = l->k;
	struct kx *up_to[PART_COUNT], *has_warp = x_lt(p->lane, x_i32(k->block[0] / p->lanes));
	k_barrier(k);
	k_if(k, x_eq(p->warp, x_i32(0)));
	count_warps(l, p, tile, up_to);
	k_if(k, places_waits(p));
	find_places(l, p, has_warp);
	k_end(k);
	k_if(k, has_warp);
	for (int a = 0; a < p->parts; a++)
		k_set(k, x_at(x_var(p->within[a]), p->lane), up_to[a]);
	k_end(k);
	for (int a = 0; p->any && a < p->parts; a++)
		k_set(k, x_var(p->taken[a]), x_var(p->dealt[a]));
	k_end(k);
	k_barrier(k);
}

void places_wait(struct lowering *l, const struct places *p, struct kx *tile)
{
	k_set(l->k, x_var(p->waiting), tile);
}

void places_all(struct lowering *l, const struct places *p, struct kx *const *all)
{
	struct kernel *k = l->k;
	struct kx *ticket = lower_argument(l, "ticket", kt_pointer(type_scalar(T_U32), false), x_var(plan_ticket(l->plan, 0, NULL)));
	struct kx *last_block = x_sub(x_id(ID_GRID_X), x_i32(1));
	struct kx *arg[] = { ticket, x_cast(kt_scalar(T_U32), last_block) };
	struct kvar *last = k_var(k, kt_scalar(T_BOOL), "last", x_int(T_BOOL, 1));
	k_if(k, x_lt(x_i64(1), p->tiles));
	k_set(k, x_var(last), x_help(kt_scalar(T_BOOL), "patc_ticket", 2, arg));
	k_if(k, x_var(last));
	for (int a = 0; a < p->parts; a++)
		k_set(k, all[a], add_to(place(p, x_i64(a)), x_i64(0)));
	k_end(k);
	k_end(k);
	k_if(k, x_var(last));
}
