/* sort_long.c - sequences longer than a block sorts.
 *
 * They are cut into tiles, which blocks sort into the workspace.  Passes merge pairs of runs,
 * from one half of the workspace into the other (sort_merge.c).  If all that moves follows from
 * the elements, the last pass of a sequence stores it; else each array is moved at the end, by
 * tags: through the workspace, since blocks fetch what others store. */
#include "sort_gpu.h"

enum {
	BLOCKS = 4                           /* whose registers a multiprocessor is to have */
};

/* Left alone, compilers load all elements of a thread with their addresses at once. */
void sort_bound_registers(const struct sorter *s, struct lowering *l)
{
	if (sort_word_bits(s->node))
		l->k->min_blocks = BLOCKS;
}

/* ---- tiles ---- */

static struct kx *tiles_each(const struct sorter *s)
{
	return x_div_up(s->longest, x_i64(s->tile));
}

struct kx *sort_tiles_of(const struct sorter *s)
{
	return s->binned ? x_div(s->total, x_i64(s->tile / 2)) : x_mul(s->sequences, tiles_each(s));
}

/* counts: where the kernel also changes them, or NULL. */
void sort_bind_tiles(const struct sorter *s, struct lowering *l, struct kx *counts)
{
	if (!s->binned) {
		k_bind(l->k, "each_has",
		       lower_argument(l, "each", kt_scalar(T_I64), tiles_each(s)));
		k_bind(l->k, "tiles",
		       lower_argument(l, "tiles", kt_scalar(T_I64), sort_tiles_of(s)));
		return;
	}
	k_bind(l->k, "counts", counts ? counts : sort_pointer(s, l, s->counts, true));
	k_bind(l->k, "tile_sequence", sort_pointer(s, l, s->tile_sequence, true));
	k_bind(l->k, "tile_number", sort_pointer(s, l, s->tile_number, true));
}

void sort_launch_long(const struct sorter *s, struct lowering *l)
{
	const struct target *t = s->plan->target;
	/* of unknown lengths: two rounds, that stride */
	int64_t most = s->binned ? 2 * BLOCKS * t->units : t->max_grid_x;
	lowering_launch(l, x_min(sort_tiles_of(s), x_i64(most)), x_i64(1), x_i64(1));
}

/* ---- sorting tiles: sort_tiles.kernel ---- */

static void sort_tiles(const struct sorter *s)
{
	struct lowering *l = sort_kernel(s, "_tiles", "Sorts the tiles of long sequences.");
	struct elements *it = elements_new(s, l, "", s->block_bits, true);
	sort_bound_registers(s, l);
	k_bind(l->k, "thread", let(l, "thread", block_thread(l)));
	elements_workspace(it);
	sort_bind_tiles(s, l, NULL);
	elements_bind(it, false);
	k_text(l->k, "sort_tiles");
	sort_launch_long(s, l);
}

/* ---- moving ---- */

struct mover {
	const struct sorter *s;
	struct elements *items;
	const struct equation *eq;
	struct kx *memory;
};

static void move(const struct mover *m, struct lowering *l, ktext_hole *move_cell, bool from)
{
	if (from)
		k_bind(l->k, "total", lower_argument(l, "total", kt_scalar(T_I64), m->s->total));
	sort_bind_tiles(m->s, l, NULL);
	k_bind(l->k, "FROM", from);
	k_bind_call(l->k, "move_cell", move_cell, m);
	k_text(l->k, "sort_move_tiles");
	sort_launch_long(m->s, l);
}

/* Of elements in the workspace only the tags, or only the keys. */
static struct elements *parts_only(const struct sorter *s, struct lowering *l, bool tags)
{
	struct elements *it = NEW(struct elements);
	*it = (struct elements){ .s = s, .l = l };
	it->keys = tags && s->tag ? NULL : sort_pointer(s, l, s->keys, false);
	it->tags = tags && s->tag ? sort_pointer(s, l, s->tags, false) : NULL;
	return it;
}

static struct kx *from_rank(struct lowering *l, const char *base, struct kx *rank)
{
	return x_add(k_get(l->k, base), rank);
}

static void put(const struct mover *m, struct lowering *l, const struct equation *eq,
                struct kx *rank, struct kx *value)
{
	sort_bind_cell(l, m->s->node, from_rank(l, "first", rank));
	sort_store(l, eq, value);
}

static struct kx *fetch(struct lowering *l, const void *mover, struct kx *const *rank)
{
	const struct mover *m = mover;
	struct kx *tag = let(l, "tag", elements_tag_at(m->items, from_rank(l, "from", rank[0])));
	sort_bind_cell(l, m->s->node, from_rank(l, "first", tag));
	struct kx *value = sort_value(l, m->eq);
	if (m->memory)
		k_set(l->k, x_at(m->memory, from_rank(l, "base", rank[0])), value);
	else
		put(m, l, m->eq, rank[0], let(l, "value", value));
	return NULL;
}

static struct kx *store_fetched(struct lowering *l, const void *mover, struct kx *const *rank)
{
	const struct mover *m = mover;
	put(m, l, m->eq, rank[0], x_at(m->memory, from_rank(l, "base", rank[0])));
	return NULL;
}

/* All that follows from the elements alone, which are loaded once. */
static struct kx *store_elements(struct lowering *l, const void *mover, struct kx *const *rank)
{
	const struct mover *m = mover;
	const struct node *node = m->s->node;
	for (int q = 0; q < node->equation.n; q++)
		if (sort_holds(m->s, node->equation.at[q])) {
			struct kx *at = from_rank(l, "from", rank[0]);
			struct kx *value = let(l, "value",
			                       elements_value_at(m->items, node->equation.at[q],
			                                         at));
			put(m, l, node->equation.at[q], rank[0], value);
		}
	return NULL;
}

/* `into` stores what it fetches: cells are not written. */
static void fetch_values(const struct sorter *s, const struct equation *eq, struct kvar *fetched)
{
	struct lowering *l = sort_kernel(s, "_fetch",
	                                 "Fetches what moves with the long sequences' keys.");
	struct mover m = { .s = s, .eq = eq,
	                   .memory = fetched ? sort_pointer(s, l, fetched, false) : NULL };
	m.items = parts_only(s, l, true);
	move(&m, l, fetch, true);
}

static void store_held(const struct sorter *s)
{
	struct lowering *l = sort_kernel(s, "_held",
	                                 "Stores what the long sequences' elements hold.");
	move(&(struct mover){ .s = s, .items = parts_only(s, l, false) }, l, store_elements, true);
}

static void store_values(const struct sorter *s, const struct equation *eq, struct kvar *fetched)
{
	struct lowering *l = sort_kernel(s, "_store", "Stores what was fetched.");
	move(&(struct mover){ .s = s, .eq = eq, .memory = sort_pointer(s, l, fetched, false) }, l,
	     store_fetched, false);
}

static void move_fetched(const struct sorter *s, int q)
{
	const struct equation *eq = s->node->equation.at[q];
	struct kvar *fetched = s->node->sorting->into ? NULL : sort_fetched(s, q);
	fetch_values(s, eq, fetched);
	if (fetched)
		store_values(s, eq, fetched);
}

void sort_long(const struct sorter *s)
{
	const struct node *node = s->node;
	int held = 0;
	for (int q = 0; q < node->equation.n; q++)
		held += sort_holds(s, node->equation.at[q]);
	sort_tiles(s);
	sort_merge(s, held == node->equation.n);
	for (int q = 0; q < node->equation.n; q++)
		if (!sort_holds(s, node->equation.at[q]))
			move_fetched(s, q);
	if (held && held < node->equation.n)
		store_held(s);
}
