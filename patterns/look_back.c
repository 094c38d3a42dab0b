/* look_back.c - tiles of one launch learn what comes before them.
 *
 * Decoupled look-back (Merrill and Garland 2016): every tile publishes its own total before it
 * waits for those before it.  Tile numbers are drawn from a counter, so whoever is waited for has
 * begun.
 *
 * Totals are cut into words that each tell whether they are there (state_words.c), so there is no
 * fence, and a total may be of any size.  The kernel's part is look_back.kernel.
 *
 * The order of joins does not depend on time, so floats repeat bit for bit.  Tiles form groups of
 * as many as a warp has lanes.  Three arrays are published: the total of each tile; of each group,
 * joined by one fixed tree, by the group's last tile; and what comes before each group, by its
 * first,
 *     before[0] = no cells, before[g + 1] = before[g] joined with total[g],
 * strictly from left to right.  The first warp of a tile loads all it may need at once, a lane
 * each: the tiles before it in its group, and of as many groups before what comes before them and
 * their totals.  The nearest group whose `before` is there is where it goes forward from; a total
 * in which a sequence begins does as well.
 *
 * On an H200 this two-level form moved 2,800 to 3,200 GB/s of f32 (2^28), where walking back over
 * groups of tiles one after another moved 1,600 to 2,200; a pause between polls gained nothing, nor
 * did blocks that stay for tile after tile.  One tile in all draws nothing, publishes nothing, and
 * nothing is cleared for it. */
#include "look_back.h"
#include "state_words.h"

/* ---- totals as words: state_words.c ---- */

enum { NOTHING, TOTAL, BEGINS };         /* what is known; a total in which a sequence begins */

struct words { struct kx *at[STATE_WORDS]; int n; };

/* In the state, at the places that look_back.kernel gives totals. */
static struct kx *word_place(const struct look_back *b, struct kx *place, int word)
{
	return x_offset(b->state, word ? x_add(place, x_i64(word)) : place);
}

/* ---- for the texts of look_back.kernel ---- */

struct naming { const struct look_back *b; const char *name; };

/* Variables for the words of a total: nothing is known yet. */
KTEXT_HOLE(new_words)
{
	const struct naming *n = state;
	struct words *w = NEW(struct words);
	w->n = n->b->words;
	for (int i = 0; i < w->n; i++)
		w->at[i] = x_var(k_var(l->k, kt_scalar(T_U64), n->name, x_int(T_U64, 0)));
	return k_object(w);
}

KTEXT_HOLE(load)
{
	const struct words *w = k_object_of(arg[0]);
	for (int i = 0; i < w->n; i++)
		k_set(l->k, w->at[i], state_load(word_place(state, arg[1], i)));
	return NULL;
}

KTEXT_HOLE(all_known)
{
	const struct words *w = k_object_of(arg[0]);
	struct kx *all = NULL;
	for (int i = 0; i < w->n; i++)
		all = x_and(all, x_ne(state_known(w->at[i]), x_int(T_U32, NOTHING)));
	return all;
}

KTEXT_HOLE(begun)
{
	return x_eq(state_known(((const struct words *)k_object_of(arg[0]))->at[0]),
	            x_int(T_U32, BEGINS));
}

KTEXT_HOLE(take)
{
	const struct total *to = total_of(arg[1]);
	state_take(l, ((const struct words *)k_object_of(arg[0]))->at, &to->acc);
	if (to->begins)
		k_set(l->k, x_var(to->begins), begun(l, state, arg));
	return NULL;
}

KTEXT_HOLE(store_words)
{
	struct kx *at[STATE_WORDS];
	for (int i = 0; i < ((const struct look_back *)state)->words; i++)
		at[i] = word_place(state, arg[0], i);
	state_store(l, at, &total_of(arg[1])->acc, arg[2]);
	return NULL;
}

struct kept { struct total_memory memory; const struct total *like; };

KTEXT_HOLE(kept_total)
{
	const struct kept *k = state;
	return total_object(total_load(l, &k->memory, arg[0], k->like));
}

KTEXT_HOLE(keep)
{
	total_store(l, &((const struct kept *)state)->memory, arg[0], total_of(arg[1]));
	return NULL;
}

static void bind(struct lowering *l, const struct look_back *b)
{
	struct kernel *k = l->k;
	k_numbers(k, "WORDS, WARPS, TOTAL, BEGINS", b->words, k->block[0] / l->target->lanes, TOTAL,
	          BEGINS);
	k_bind(k, "tiles", b->tiles);
	k_bind(k, "state", b->state);
	k_bind(k, "lane", b->lane);
	k_bind(k, "warp", b->warp);
	k_bind(k, "drawn", b->drawn);
	k_bind_calls(k, b, { "load", load }, { "all_known", all_known }, { "begun", begun },
	             { "take", take }, { "store_words", store_words });
}

/* The text keeps `count` totals; the result is the one at `place`. */
static struct total look(struct lowering *l, const struct look_back *b, struct kx *tile,
                         const struct total *own, const char *text, int count, struct kx *place)
{
	struct kept kept = { total_memory(l, own, count > 1 ? "warp" : "before", count), own };
	const struct naming tile_word = { b, "tile_word" }, before_word = { b, "before_word" },
			    group_word = { b, "group_word" };
	int names = k_names(l->k);
	bind(l, b);
	bind_totals(l, own);
	k_bind_calls(l->k, &kept, { "kept", kept_total }, { "keep", keep });
	k_bind_call(l->k, "tile_words", new_words, &tile_word);
	k_bind_call(l->k, "before_words", new_words, &before_word);
	k_bind_call(l->k, "group_words", new_words, &group_word);
	k_text(l->k, text, tile, total_object(*own));
	k_forget(l->k, names);
	return total_load(l, &kept.memory, place, own);
}

struct total look_back(struct lowering *l, const struct look_back *b, struct kx *tile,
                       const struct total *warp)
{
	int warps = l->k->block[0] / l->target->lanes;
	return look(l, b, tile, warp, "look_back", warps, b->warp);
}

struct total look_back_block(struct lowering *l, const struct look_back *b, struct kx *tile,
                             const struct total *own)
{
	return look(l, b, tile, own, "look_back_block", 1, x_i32(0));
}

/* ---- the loop over tiles ---- */

/* The workspace; cleared before the launch, unless there is one tile. */
static struct kx *cut_state(struct lowering *l, const struct look_back *b, struct kx *host_tiles,
                            struct kx *most_tiles)
{
	struct plan *plan = l->plan;
	k_bind(l->k, "WORDS", b->words);
	struct kx *most = k_value(l->k, "state_words", most_tiles);
	struct kvar *slot = plan_slot(plan, "state", type_scalar(T_U64), 1, &most);
	k_if(plan->host, x_lt(x_i64(1), host_tiles));
	k_clear(plan->host, x_var(slot), x_mul(k_value(l->k, "state_words", host_tiles), x_i64(8)));
	k_end(plan->host);
	return x_var(slot);
}

struct look_back *look_back_open(struct lowering *l, const struct total *like,
                                 struct kx *host_tiles, struct kx *most_tiles,
                                 struct kx **host_blocks, struct kx **tile)
{
	struct look_back *b = NEW(struct look_back);
	struct kernel *k = l->k;
	*b = (struct look_back){ .words = state_words(&like->acc) };
	*host_blocks = plan_let(l->plan, "blocks",
	                        x_min(host_tiles, x_i64(l->target->turn_blocks)));
	b->tiles = lower_argument(l, "tiles", kt_scalar(T_I64), host_tiles);
	struct kx *turns = lower_argument(l, "turns", kt_scalar(T_I64),
	                                  x_div_up(host_tiles, x_max(*host_blocks, x_i64(1))));
	b->state = lower_argument(l, "state", kt_pointer(type_scalar(T_U64), false),
	                          cut_state(l, b, host_tiles, most_tiles));
	b->lane = lane_of(l, &b->warp);
	b->drawn = k_shared(k, type_scalar(T_I64), "drawn", 1);
	k_for(k, "turn", x_i64(0), turns, x_i64(1), FOR_ROLLED);
	int names = k_names(k);
	bind(l, b);
	k_text(k, "draw_tile");
	*tile = k_get(k, "tile");
	k_forget(k, names);
	return b;
}

struct look_back *look_back_late(struct lowering *l, const struct total *like, struct kx *tiles,
                                 int64_t blocks, struct kx **tile)
{
	struct look_back *b = NEW(struct look_back);
	*b = (struct look_back){ .words = state_words(&like->acc), .tiles = tiles };
	k_bind(l->k, "WORDS", b->words);
	struct kx *words = k_value(l->k, "state_words", x_i64(blocks)), *one = x_i64(1);
	struct kvar *state = plan_zeros(l->plan, "state", type_scalar(T_U64), 1, &words),
		    *ticket = plan_ticket(l->plan, 1, &one);
	b->state = lower_argument(l, "state", kt_pointer(type_scalar(T_U64), false), x_var(state));
	b->ticket = lower_argument(l, "ticket", kt_pointer(type_scalar(T_U32), false),
	                           x_var(ticket));
	b->lane = lane_of(l, &b->warp);
	b->drawn = k_shared(l->k, type_scalar(T_I64), "drawn", 1);
	int names = k_names(l->k);
	bind(l, b);
	k_text(l->k, "draw_late_tile");
	*tile = k_get(l->k, "tile");
	k_forget(l->k, names);
	return b;
}

void look_back_leave(struct lowering *l, const struct look_back *b)
{
	int names = k_names(l->k);
	bind(l, b);
	k_bind(l->k, "ticket", b->ticket);
	k_bind(l->k, "BLOCK", l->k->block[0]);
	k_text(l->k, "leave_state");
	k_forget(l->k, names);
}

void look_back_close(struct lowering *l)
{
	k_end(l->k);
}
