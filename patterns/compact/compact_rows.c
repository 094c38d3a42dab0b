/* compact_rows.c - compact on a GPU of every item of ranges that data decide, such as a join of two
 * tables: where no item is left out, its place is the number of items before it (expansion.h,
 * pass_fuse_ranges.c).
 *
 * One pass over the ranges.  A block takes a tile of them, counts the items of each (bounds that
 * are searched come from search_tile.c), and adds the counts up; look_back.c says how many items
 * are before the tile.  Then it moves the items, a row of lanes at a time.  Each range writes its
 * number in the slot of its first item, in shared memory.  A warp takes neighbouring rows, finds
 * the range of its first item by halving, and in each row a lane takes the nearest slot up to its
 * own, or the range with which the row before ended.
 *
 * A tile that has more than LIGHT items puts them on a list, in chunks of one length, and a second
 * kernel moves these: each block counts the ranges of the chunk's tile again.  So all blocks share
 * a range, however long it is.  A tile has so many items if its ranges have more than 16 on
 * average; with 30 instead of 16, ranges of lengths by a power law took 0.65 ms instead of 0.58
 * (H100).
 *
 * Beside the program's arrays, a few words of each tile are written and read: its total, and two
 * places if bounds are searched.  A join of 2^26 rows moves 16 bytes a row. */
#include <assert.h>
#include "../expand.h"
#include "../look_back.h"
#include "../search_tile.h"
#include "compact_tile.h"

enum {
	ROWS = 8,                            /* ranges of a thread whose bounds are not searched */
	WINDOW = 2560, LIGHT = 32768, CHUNK = 32768,   /* items: rows.kernel */
	/* blocks that a multiprocessor holds at least; if bounds are places of one value and
	 * nothing else is searched, which needs fewer registers */
	FEWEST = 4, FEWEST_SEARCHED = 5
};

struct ranges {
	struct items *it;
	const struct node *node;
	const struct expansion *x;
	struct tile_search search;
	struct look_back *back;
	struct kx *tile;
	struct kvar *chunk_count, *chunk, *places;
	struct kx *host_rows, *room;
};

/* ---- one range ---- */

static void bind_row(struct lowering *l, const void *node, struct kx *row)
{
	expand_bind_outer(l, node, row);
}

/* What the range reads is known, each for its one cell. */
static void hold_values(struct lowering *l, const struct expansion *x)
{
	for (int v = 0; v < x->value.n; v++) {
		const struct range_value *value = &x->value.at[v];
		struct kx *one = x_cast(kt(value->var->type), lower_right(l, value->value));
		struct kvar *held = k_let(l->k, value->var->name, one);
		list_add(&l->held, ((struct binding){ value->var, x_var(held) }));
	}
}

static const struct expr *bound(const struct expansion *x, const struct expr *end)
{
	for (int v = 0; end->kind == E_READ && v < x->value.n; v++)
		if (x->value.at[v].var == end->var)
			return x->value.at[v].value;
	return end;
}

/* Most ranges of a join are between two places of one segment: 32 bits are enough. */
static struct kx *items_of(struct lowering *l, const struct ranges *r, const struct tile_row *row)
{
	const struct expr *count = r->x->count[r->x->inner];
	struct kx *found = tile_search_between(l, row, bound(r->x, count->fold->lo.at[0]),
	                                       bound(r->x, count->fold->hi.at[0]));
	return found ? x_cast(kt_scalar(T_I64), found) : expand_count(l, count);
}

KTEXT_HOLE(count)
{
	const struct ranges *r = state;
	struct lower_context before = l->now;
	struct tile_row row = tile_search_row(&r->search, arg[1]);
	int held = l->held.n;
	l->now.drops |= !arg[2]->i;
	if (r->search.array) {
		l->now.fold = tile_search_place;
		l->now.fold_state = &row;
	}
	bind_row(l, r->node, arg[0]);
	hold_values(l, r->x);
	struct kx *items = x_var(k_let(l->k, "items", items_of(l, r, &row)));
	k_bind(l->k, "origin", x_var(k_let(l->k, "origin", lower_index(l, r->x->from))));
	l->held.n = held;
	l->now = before;
	return items;
}

/* ---- the kernels ---- */

KTEXT_HOLE(move_item)
{
	const struct ranges *r = state;
	const struct var *inner = r->node->index.at[r->x->inner];
	bind_row(l, r->node, arg[0]);
	lower_bind(l, inner, x_var(k_let(l->k, inner->name, arg[1])));
	items_move(r->it, PART_KEPT, x_var(k_let(l->k, "place", arg[2])));
	return NULL;
}

KTEXT_HOLE(done)
{
	const struct ranges *r = state;
	items_finish(r->it, arg[0], arg[0]);
	return NULL;
}

KTEXT_HOLE(meanwhile)
{
	k_text(l->k, "prepare_tile");
	return NULL;
}

KTEXT_HOLE(items_before)
{
	const struct ranges *r = state;
	struct total own = total_sum(k_let(l->k, "own", arg[0]));
	return x_var(look_back_block(l, r->back, r->tile, &own).acc.at[0].var);
}

/* All targets have the same number of places. */
static bool is_even_room(const struct node *node)
{
	const struct equation *eq;
	for (int nth = 1; (eq = tile_nth(node, PART_KEPT, nth)); nth++)
		if (!affine_equal(items_places(eq), items_places(tile_nth(node, PART_KEPT, 0))))
			return false;
	return true;
}

static bool is_together(const struct expansion *x)
{
	for (int v = 0; v < x->value.n; v++)
		if (needs_statements(x->value.at[v].value))
			return false;
	const struct fold *fold = x->count[x->inner]->fold;
	return !needs_statements(fold->lo.at[0]) && !needs_statements(fold->hi.at[0]);
}

static void bind_shape(struct ranges *r, bool fills)
{
	struct lowering *l = r->it->l;
	struct kernel *k = l->k;
	tile_search_shape(l, &r->search);
	int tile = r->search.each * k->block[0];
	assert(tile == 1 << log2_of(tile) && tile <= WINDOW && WINDOW % k->block[0] == 0);
	assert(LIGHT < UINT16_MAX && CHUNK <= UINT16_MAX && "start_of is u16");
	k_bind(k, "TILE_BITS", log2_of(tile));
	k_numbers(k, "WINDOW, LIGHT, CHUNK", WINDOW, LIGHT, CHUNK);
	k_bind(k, "SEARCHES", r->search.array != NULL);
	k_bind(k, "TOGETHER", is_together(r->x));
	r->it->fitting = is_even_room(r->node);
	k_bind(k, "FITTING", r->it->fitting);
	struct kvar *start_of = k_shared(k, type_scalar(T_U16), "start_of", tile + 1);
	start_of->align = r->search.each * 2;
	k_bind(k, "start_of", start_of);
	k_bind(k, "COUNTS", kt_vector(type_scalar(T_U16), r->search.each));
	k_bind(k, "rows", lower_argument(l, "rows", kt_scalar(T_I64), r->host_rows));
	k_bind(k, "room", lower_argument(l, "room", kt_scalar(T_I64), r->room));
	k_bind(k, "chunk_count", lower_argument(l, "chunk_count",
	                                        kt_pointer(type_scalar(T_U64), false),
	                                        x_var(r->chunk_count)));
	k_bind(k, "chunk", lower_argument(l, "chunk", kt_pointer(type_scalar(T_I64), !fills),
	                                  x_var(r->chunk)));
	k_bind_calls(k, r, { "count", count }, { "move_item", move_item }, { "done", done },
	             { "items_before", items_before });
}

static struct kx *tiles_of(const struct ranges *r, const struct target *target)
{
	return x_div_up(r->host_rows, x_i64((int64_t)r->search.each * target->block));
}

static void open_list(struct ranges *r, struct plan *plan, struct kx *tiles)
{
	struct kx *one = x_i64(1);
	struct kx *words = x_mul(x_add(x_div_up(r->room, x_i64(CHUNK)), tiles), x_i64(3));
	r->chunk_count = plan_zeros(plan, "chunk_count", type_scalar(T_U64), 1, &one);
	r->chunk = plan_slot(plan, "chunk", type_scalar(T_I64), 1, &words);
}

static bool count_search(struct expr *e, void *n)
{
	*(int *)n += e->kind == E_FOLD && e->fold->sorted;
	return true;
}

static int searches(const struct ranges *r)
{
	int n = 0;
	for (int v = 0; v < r->x->value.n; v++)
		expr_walk(r->x->value.at[v].value, count_search, &n);
	return n;
}

static void lower_tiles(struct ranges *r, struct box *box, struct kx *tiles)
{
	struct total like = total_sum(NULL);
	struct kx *blocks;
	r->it = items_open(box, "");
	struct lowering *l = r->it->l;
	block_launch_bounds(l);
	int64_t rows = (int64_t)r->search.each * l->k->block[0];
	bool one_value = r->search.values == 1 && searches(r) == r->search.n;
	block_fewest(l, rows * 10 + WINDOW * 2 + tile_search_bytes(&r->search),
	             one_value ? FEWEST_SEARCHED : FEWEST);
	l->k->note = "Counts the items of each range, and moves them to their places.";
	bind_shape(r, true);
	k_text(l->k, "open_tiles");
	r->back = look_back_open(l, &like, tiles, tiles, &blocks, &r->tile);
	k_bind_call(l->k, "meanwhile", meanwhile, NULL);
	k_bind(l->k, "tile", r->tile);
	k_bind(l->k, "tiles", r->back->tiles);
	k_bind(l->k, "lane", r->back->lane);
	k_bind(l->k, "warp", r->back->warp);
	if (r->search.array)
		tile_search_bind(l, &r->search, r->places);
	k_text(l->k, "take_tile");
	look_back_close(l);
	lowering_launch(l, blocks, x_i64(1), x_i64(1));
}

static void lower_chunks(struct ranges *r, struct box *box)
{
	r->it = items_open(box, "_long");
	struct lowering *l = r->it->l;
	struct kx *warp, *lane = lane_of(l, &warp), *one = x_i64(1);
	int64_t blocks = block_most(l->target);
	block_launch_bounds(l);
	l->k->min_blocks = 1;
	l->k->note = "Moves the items of ranges that are too long for one block.";
	bind_shape(r, false);
	k_bind(l->k, "BLOCKS", blocks);
	k_bind(l->k, "lane", lane);
	k_bind(l->k, "warp", warp);
	k_bind(l->k, "ticket", lower_argument(l, "ticket", kt_pointer(type_scalar(T_U32), false),
	                                      x_var(plan_ticket(l->plan, 1, &one))));
	if (r->search.array)
		tile_search_bind(l, &r->search, r->places);
	k_text(l->k, "move_long");
	lowering_launch(l, x_i64(blocks), x_i64(1), x_i64(1));
}

static void find_searches(struct ranges *r)
{
	struct var *index[MAX_RANK];
	expansion_outer(r->node, index);
	r->search = (struct tile_search){ .bind = bind_row, .state = r->node };
	for (int v = 0; v < r->x->value.n; v++)
		tile_search_find(&r->search, r->node, index, r->x->outer.n,
		                 r->x->value.at[v].value);
	if (!r->search.array)
		r->search.each = ROWS;
}

void compact_rows(struct box *box)
{
	struct plan *plan = box->plan;
	struct lowering *host = host_lowering(plan);
	struct ranges r = { .node = box->node, .x = box->node->expand };
	find_searches(&r);
	r.host_rows = plan_let(plan, "rows", kx_fold(expand_in_use(host, r.x->ends)));
	r.room = plan_let(plan, "room", items_room(host, r.node));
	struct kx *tiles = plan_let(plan, "tiles", x_max(tiles_of(&r, plan->target), x_i64(1)));
	open_list(&r, plan, tiles);
	if (r.search.array)
		r.places = tile_search_places(plan, &r.search, r.node->name, r.host_rows, tiles);
	lower_tiles(&r, box, tiles);
	lower_chunks(&r, box);
}
