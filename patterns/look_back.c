/* look_back.c - tiles of one launch learn what comes before them.
 *
 * Decoupled look-back (Merrill and Garland 2016): every tile publishes its own total before it waits for those
 * before it.  Tile numbers are drawn from a counter, so whoever is waited for has begun.
 *
 * Totals are cut into words that each tell whether they are there (state_words.c), so there is no fence, and a
 * total may be of any size.
 *
 * The order of joins does not depend on time, so floats repeat bit for bit.  Tiles stand in groups of as many as a
 * warp has lanes.  Three arrays are published: the total of each tile; of each group, joined by one fixed tree, by
 * the group's last tile; and what comes before each group, by its first,
 *     before[0] = no cells, before[g + 1] = before[g] joined with total[g],
 * strictly from left to right.  The first warp of a tile asks for all it may need at once, a lane each: the tiles
 * before it in its group, and of as many groups before what comes before them and their totals.  The nearest
 * group whose `before` is there is where it goes forward from; a total in which a sequence begins does as well.
 *
 * On an H200 this two-level form moved 2,800 to 3,200 GB/s of f32 (2^28), where walking back over groups of tiles
 * one after another moved 1,600 to 2,200; a pause between polls gained nothing, nor did blocks that stay for
 * tile after tile.  One tile in all draws nothing, publishes nothing, and nothing is cleared for it. */
#include "look_back.h"
#include "state_words.h"

enum {
	MOST_BLOCKS = 1 << 22            /* of a launch: below what any machine takes; more tiles take turns */
};

/* ---- totals as words: state_words.c ---- */

enum { NOTHING, TOTAL, BEGINS };         /* what is known; a total in which a sequence begins */

struct words { struct kx *at[STATE_WORDS]; int n; };

/* Nothing is known yet. */
static struct words words_new(struct lowering *l, const struct look_back *b, const char *name)
{
	struct words w = { .n = b->words };
	for (int i = 0; i < w.n; i++)
		w.at[i] = x_var(k_var(l->k, kt_scalar(T_U64), name, x_int(T_U64, 0)));
	return w;
}

static struct kx *word_place(const struct look_back *b, struct kx *place, int word)
{
	return x_offset(b->state, word ? x_add(place, x_i64(word)) : place);
}

static void load_words(struct lowering *l, const struct look_back *b, const struct words *w, struct kx *place)
{
	for (int i = 0; i < w->n; i++)
		k_set(l->k, w->at[i], state_load(word_place(b, place, i)));
}

/* By one lane. */
static void publish(struct lowering *l, const struct look_back *b, struct kx *place, const struct total *t)
{
	struct kx *known = x_int(T_U32, TOTAL), *at[STATE_WORDS];
	for (int i = 0; i < b->words; i++)
		at[i] = word_place(b, place, i);
	k_if(l->k, x_eq(b->lane, x_i32(0)));
	if (t->begins)
		known = x_var(k_let(l->k, "known", x_cond(x_var(t->begins), x_int(T_U32, BEGINS), known)));
	state_store(l, at, &t->acc, known);
	k_end(l->k);
}

static struct kx *all_known(const struct words *w)
{
	struct kx *all = NULL;
	for (int i = 0; i < w->n; i++)
		all = x_and(all, x_ne(state_known(w->at[i]), x_int(T_U32, NOTHING)));
	return all;
}

static struct kx *begins(const struct words *w)
{
	return x_eq(state_known(w->at[0]), x_int(T_U32, BEGINS));
}

static void unpack(struct lowering *l, const struct words *w, const struct total *to)
{
	state_take(l, w->at, &to->acc);
	if (to->begins)
		k_set(l->k, x_var(to->begins), begins(w));
}

/* ---- places in the state: the counter, totals of tiles, totals of groups, what comes before groups ---- */

static struct kx *groups_of(struct lowering *l, struct kx *tiles)
{
	return x_div_up(tiles, x_i64(l->target->lanes));
}

static struct kx *size_of_state(struct lowering *l, const struct look_back *b, struct kx *tiles)
{
	struct kx *totals = x_add(tiles, x_mul(groups_of(l, tiles), x_i64(2)));
	return x_add(x_mul(totals, x_i64(b->words)), x_i64(1));
}

static struct kx *place_number(const struct look_back *b, struct kx *number)
{
	return x_add(x_mul(number, x_i64(b->words)), x_i64(1));
}

static struct kx *tile_place(const struct look_back *b, struct kx *tile)
{
	return place_number(b, tile);
}

static struct kx *group_place(const struct look_back *b, struct kx *group)
{
	return place_number(b, x_add(b->tiles, group));
}

static struct kx *before_place(struct lowering *l, const struct look_back *b, struct kx *group)
{
	return place_number(b, x_add(x_add(b->tiles, groups_of(l, b->tiles)), group));
}

/* ---- the first warp of a tile ---- */

/* Where a tile stands, and what its lanes have asked for. */
struct asked {
	struct kx *group, *rank;             /* i64; of the tile in its group, i32 */
	struct words tile, group_total, group_before;
};

static struct kx *first_tile(struct lowering *l, struct kx *group)
{
	return x_mul(group, x_i64(l->target->lanes));
}

static struct kx *lane_i64(const struct look_back *b)
{
	return x_to_i64(b->lane);
}

static void ask_tile(struct lowering *l, const struct look_back *b, const struct asked *q)
{
	load_words(l, b, &q->tile, tile_place(b, x_add(first_tile(l, q->group), lane_i64(b))));
}

/* Lane k: what comes before the group k groups back, and the total of the one before that. */
static void ask_groups(struct lowering *l, const struct look_back *b, const struct asked *q)
{
	struct kx *back = x_sub(q->group, lane_i64(b));
	load_words(l, b, &q->group_before, before_place(l, b, back));
	load_words(l, b, &q->group_total, group_place(b, x_sub(back, x_i64(1))));
}

static struct asked ask(struct lowering *l, const struct look_back *b, struct kx *tile)
{
	struct kernel *k = l->k;
	struct asked q = { .group = x_var(k_let(k, "group", x_div(tile, x_i64(l->target->lanes)))) };
	q.rank = x_var(k_let(k, "rank", x_to_i32(x_sub(tile, first_tile(l, q.group)))));
	q.tile = words_new(l, b, "tile_word");
	q.group_before = words_new(l, b, "before_word");
	q.group_total = words_new(l, b, "group_word");
	k_if(k, x_lt(b->lane, q.rank));
	ask_tile(l, b, &q);
	k_end(k);
	k_if(k, x_lt(lane_i64(b), q.group));
	ask_groups(l, b, &q);
	k_end(k);
	return q;
}

/* The totals of the tiles of the group up to this one, a lane each, scanned. */
static struct total scan_group(struct lowering *l, const struct look_back *b, const struct asked *q, const struct total *own)
{
	struct kernel *k = l->k;
	struct total t = total_new(l, own);
	struct kx *waits = x_and(x_lt(b->lane, q->rank), x_unary(OP_NOT, all_known(&q->tile)));
	k_while(k, waits);
	ask_tile(l, b, q);
	k_end(k);
	k_if(k, x_lt(b->lane, q->rank));
	unpack(l, &q->tile, &t);
	k_else(k);
	k_if(k, x_eq(b->lane, q->rank));
	total_copy(l, &t, own);
	k_end(k);
	k_end(k);
	lanes_scan(l, &t, b->lane, l->target->lanes);
	return t;
}

/* Waits until some lane knows what comes before its group, and all lanes before that know their totals: its
 * number. */
static struct kx *nearest_known(struct lowering *l, const struct look_back *b, const struct asked *q)
{
	struct kernel *k = l->k;
	struct kvar *found = k_var(k, kt(no_lanes(l)->type.type), "found", no_lanes(l));
	struct kvar *waits = k_var(k, kt_scalar(T_BOOL), "waits", x_int(T_BOOL, 1));
	k_while(k, x_var(waits));
	struct kx *total = x_var(k_let(k, "has_total", all_known(&q->group_total)));
	struct kx *before = x_or(x_eq(lane_i64(b), q->group), all_known(&q->group_before));
	before = x_var(k_let(k, "has_before", x_or(before, x_and(total, begins(&q->group_total)))));
	k_set(k, x_var(found), lanes_where(l, before));
	struct kx *totals = x_var(k_let(k, "totals", lanes_where(l, total)));
	/* of no lane that knows: all lanes, of which the last cannot be enough */
	struct kx *one = x_int(no_lanes(l)->type.type->kind, 1);
	struct kx *nearer = x_op(OP_AND, x_sub(x_var(found), one), x_unary(OP_BITNOT, x_var(found)));
	nearer = x_var(k_let(k, "nearer", nearer));
	k_set(k, x_var(waits), x_or(x_eq(x_var(found), no_lanes(l)), x_ne(x_op(OP_AND, totals, nearer), nearer)));
	k_if(k, x_and(x_var(waits), x_lt(lane_i64(b), q->group)));
	ask_groups(l, b, q);
	k_end(k);
	k_end(k);
	struct kx *mask = x_var(found);
	return x_var(k_let(k, "nearest", x_help(kt_scalar(T_I32), str_print("patc_ctz_%s", type_name(mask->type.type)), 1, &mask)));
}

/* `before`, of no cells yet, becomes what comes before the group, which is not the first. */
static void before_group(struct lowering *l, const struct look_back *b, const struct asked *q, const struct total *before)
{
	struct kernel *k = l->k;
	struct total start = *before, total;
	struct kx *nearest = nearest_known(l, b, q);
	start.begins = NULL;                     /* in none of the totals that are joined: it would be the nearest */
	total = total_new(l, &start);
	unpack(l, &q->group_total, &total);
	k_if(k, x_lt(lane_i64(b), q->group));
	k_if(k, all_known(&q->group_before));
	unpack(l, &q->group_before, &start);
	k_else(k);
	total_copy(l, &start, &total);
	k_end(k);
	k_end(k);
	struct total known = total_shuffle(l, &start, "", nearest);
	total_copy(l, &start, &known);
	struct kx *n = x_var(k_for(k, "n", x_i32(0), nearest, x_i32(1), 0));
	struct total next = total_shuffle(l, &total, "", x_sub(x_sub(nearest, x_i32(1)), n));
	total_join(l, &start, &next);
	k_end(k);
	k_if(k, x_and(x_eq(q->rank, x_i32(0)), x_lt(x_i32(0), nearest)));
	publish(l, b, before_place(l, b, q->group), &start);
	k_end(k);
}

/* `before`, of no cells yet, becomes what comes before the tile. */
static void before_tile(struct lowering *l, const struct look_back *b, struct kx *tile, const struct total *own, const struct total *before)
{
	struct kernel *k = l->k;
	int last = l->target->lanes - 1;
	struct asked q = ask(l, b, tile);
	struct total t = scan_group(l, b, &q, own);
	k_if(k, x_eq(q.rank, x_i32(last)));
	struct total whole = total_shuffle(l, &t, "", x_i32(last));
	publish(l, b, group_place(b, q.group), &whole);
	k_end(k);
	struct total inner = total_new(l, own), up_to = total_shuffle(l, &t, "", x_max(x_sub(q.rank, x_i32(1)), x_i32(0)));
	k_if(k, x_lt(x_i32(0), q.rank));
	total_copy(l, &inner, &up_to);
	k_end(k);
	struct kx *asks = x_lt(x_i64(0), q.group);
	k_if(k, inner.begins ? x_and(asks, x_unary(OP_NOT, x_var(inner.begins))) : asks);
	before_group(l, b, &q, before);
	k_end(k);
	total_join(l, before, &inner);
}

/* ---- a tile ---- */

/* In the first warp, a lane a warp: its total becomes what comes before it. */
static void before_warps(struct lowering *l, const struct look_back *b, struct kx *tile, const struct total_memory *memory, const struct total *like)
{
	struct kernel *k = l->k;
	int warps = k->block[0] / l->target->lanes;
	struct kx *zero = x_i32(0), *has_warp = x_lt(b->lane, x_i32(warps));
	struct total t = total_new(l, like), entry = total_new(l, like), before = total_new(l, like);
	k_if(k, has_warp);
	struct total mine = total_load(l, memory, b->lane, like);
	total_copy(l, &t, &mine);
	k_end(k);
	lanes_scan(l, &t, b->lane, warps);
	struct total own = total_shuffle(l, &t, "", x_i32(warps - 1)), up = total_shuffle(l, &t, "up_", x_i32(1));
	k_if(k, x_lt(x_i64(1), b->tiles));
	publish(l, b, tile_place(b, tile), &own);
	k_end(k);
	k_if(k, x_lt(x_i64(0), tile));
	k_note(k, "look back: what comes before this tile");
	before_tile(l, b, tile, &own, &before);
	k_end(k);
	k_if(k, x_lt(zero, b->lane));
	total_copy(l, &entry, &up);
	k_end(k);
	total_join(l, &before, &entry);
	k_if(k, has_warp);
	total_store(l, memory, b->lane, &before);
	k_end(k);
}

struct total look_back(struct lowering *l, const struct look_back *b, struct kx *tile, const struct total *warp)
{
	struct kernel *k = l->k;
	struct total_memory memory = total_memory(l, warp, "warp", k->block[0] / l->target->lanes);
	k_if(k, x_eq(b->lane, x_i32(0)));
	total_store(l, &memory, b->warp, warp);
	k_end(k);
	k_barrier(k);
	k_if(k, x_eq(b->warp, x_i32(0)));
	before_warps(l, b, tile, &memory, warp);
	k_end(k);
	k_barrier(k);
	return total_load(l, &memory, b->warp, warp);
}

/* ---- the loop over tiles ---- */

/* The workspace; cleared before the launch, unless there is one tile. */
static struct kx *cut_state(struct lowering *l, const struct look_back *b, struct kx *host_tiles, struct kx *most_tiles)
{
	struct plan *plan = l->plan;
	struct kx *most = size_of_state(l, b, most_tiles);
	struct kvar *slot = plan_slot(plan, "state", type_scalar(T_U64), 1, &most);
	k_if(plan->host, x_lt(x_i64(1), host_tiles));
	k_clear(plan->host, x_var(slot), x_mul(size_of_state(l, b, host_tiles), x_i64(8)));
	k_end(plan->host);
	return x_var(slot);
}

static void draw(struct lowering *l, const struct look_back *b, struct kvar *tile)
{
	struct kernel *k = l->k;
	struct kx *place = x_at(x_var(b->drawn), x_i32(0)), *arg[] = { b->state };
	k_if(k, x_lt(x_i64(1), b->tiles));
	k_if(k, x_eq(block_thread(l), x_i32(0)));
	k_set(k, place, x_help(kt_scalar(T_I64), "patc_draw", 1, arg));
	k_end(k);
	k_barrier(k);
	k_set(k, x_var(tile), place);
	k_if(k, x_le(b->tiles, x_var(tile)));
	k_break(k);
	k_end(k);
	k_end(k);
}

struct look_back *look_back_open(struct lowering *l, const struct total *like, struct kx *host_tiles,
                                 struct kx *most_tiles, struct kx **host_blocks, struct kx **tile)
{
	struct look_back *b = NEW(struct look_back);
	struct kernel *k = l->k;
	*b = (struct look_back){ .words = state_words(&like->acc) };
	*host_blocks = plan_let(l->plan, "blocks", x_min(host_tiles, x_i64(MOST_BLOCKS)));
	b->tiles = lower_argument(l, "tiles", kt_scalar(T_I64), host_tiles);
	struct kx *turns = lower_argument(l, "turns", kt_scalar(T_I64), x_div_up(host_tiles, x_max(*host_blocks, x_i64(1))));
	b->state = lower_argument(l, "state", kt_pointer(type_scalar(T_U64), false), cut_state(l, b, host_tiles, most_tiles));
	b->lane = lane_of(l, &b->warp);
	b->drawn = k_shared(k, type_scalar(T_I64), "drawn", 1);
	k_for(k, "turn", x_i64(0), turns, x_i64(1), FOR_ROLLED);
	struct kvar *number = k_var(k, kt_scalar(T_I64), "tile", x_i64(0));
	draw(l, b, number);
	*tile = x_var(number);
	return b;
}

void look_back_close(struct lowering *l)
{
	k_end(l->k);
}
