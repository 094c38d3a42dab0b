/* sort_long.c - sequences longer than a block sorts.
 *
 * They are cut into tiles, which blocks sort into the workspace.  Passes merge pairs of runs, from one half of the
 * workspace into the other (sort_merge.c).  If all that moves follows from the elements, the last pass of a sequence
 * stores it; else each array is moved at the end, by tags: through the workspace, since blocks fetch what others store. */
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

static struct kx *var(struct lowering *l, const char *name, struct kx *x)
{
	return x_var(k_var(l->k, x->type, name, x));
}

/* ---- tiles ---- */

static struct kx *tiles_each(const struct sorter *s)
{
	return x_div_up(s->longest, x_i64(s->tile));
}

struct kx *sort_most_tiles(const struct sorter *s)
{
	return s->binned ? x_div(s->total, x_i64(s->tile / 2)) : x_mul(s->sequences, tiles_each(s));
}

struct tiles sort_tiles_of(const struct sorter *s, struct lowering *l, struct kx *counts)
{
	struct tiles t = { .s = s, .l = l };
	if (!s->binned) {
		t.each = lower_argument(l, "each", kt_scalar(T_I64), tiles_each(s));
		t.count = lower_argument(l, "tiles", kt_scalar(T_I64), sort_most_tiles(s));
		return t;
	}
	counts = counts ? counts : sort_pointer(s, l, s->counts, true);
	t.sequence = sort_pointer(s, l, s->tile_sequence, true);
	t.number = sort_pointer(s, l, s->tile_number, true);
	t.count = let(l, "tiles", x_cast(kt_scalar(T_I64), x_at(counts, x_i32(sort_classes(s)))));
	return t;
}

struct tile sort_tile(const struct tiles *t, struct kx *at)
{
	struct lowering *l = t->l;
	struct tile tile;
	struct kx *sequence = t->s->binned ? x_at(t->sequence, at) : x_div(at, t->each);
	struct kx *number = t->s->binned ? x_at(t->number, at) : x_rem(at, t->each);
	tile.sequence = let(l, "sequence", x_cast(kt_scalar(T_I64), sequence));
	tile.number = let(l, "tile", x_cast(kt_scalar(T_I64), number));
	tile.first = let(l, "begin", x_mul(tile.number, x_i64(t->s->tile)));
	return tile;
}

static struct tile open_tiles(const struct sorter *s, struct lowering *l)
{
	struct tiles t = sort_tiles_of(s, l, NULL);
	struct kx *from = x_to_i64(x_id(ID_BLOCK_X)), *step = x_to_i64(x_id(ID_GRID_X));
	return sort_tile(&t, x_var(k_for(l->k, "t", from, t.count, step, FOR_ROLLED)));
}

void sort_launch_long(const struct sorter *s, struct lowering *l)
{
	const struct target *t = s->plan->target;
	int64_t most = s->binned ? 2 * BLOCKS * t->units : t->max_grid_x;    /* of unknown lengths: two rounds, that stride */
	lowering_launch(l, x_min(sort_most_tiles(s), x_i64(most)), x_i64(1), x_i64(1));
}

static void launch(const struct sorter *s, struct lowering *l)
{
	k_end(l->k);
	sort_launch_long(s, l);
}

/* ---- sorting tiles ---- */

static void load_tile(const struct elements *it, const struct sequence *q, struct kx *first, struct kx *count)
{
	struct lowering *l = it->l;
	struct kx *e = elements_open(it), *at = let(l, "at", x_add(x_mul(e, x_i32(SORT_THREADS)), block_thread(l)));
	elements_pad(it, e);
	k_if(l->k, x_lt(at, count));
	struct kx *i = let(l, "i", x_add(first, x_to_i64(at)));
	sort_bind_cell(it->s, l, x_add(q->first, i));
	elements_load(it, e, x_cast(kt_scalar(T_U32), i));
	k_end(l->k);
	k_end(l->k);
}

static void sort_tiles(const struct sorter *s)
{
	struct lowering *l = sort_kernel(s, "_tiles", "Sorts the tiles of long sequences.");
	struct elements *it = elements_new(s, l, s->block_bits, true);
	sort_bound_registers(s, l);
	struct kx *lane_bits = x_i32(SORT_LANE_BITS), *thread = let(l, "thread", block_thread(l));
	elements_workspace(it);
	struct tile tile = open_tiles(s, l);
	struct sequence q = sort_sequence(s, l, tile.sequence);
	it->n = let(l, "elements", x_cast(kt_scalar(T_U32), q.n));
	struct kx *count = let(l, "count", x_to_i32(x_min(x_sub(q.n, tile.first), x_i64(s->tile))));
	struct kx *to = let(l, "to", x_add(q.base, tile.first));
	load_tile(it, &q, tile.first, count);
	elements_sort(it, lane_bits, thread);
	struct kx *lane_rank = network_lane_rank(l->k, it->bits, lane_bits, false, thread, FOR_ROLLED);
	struct kx *e = elements_open(it);
	struct kx *i = let(l, "i", elements_rank(it, e, lane_rank, lane_bits, false));
	k_if(l->k, x_lt(i, count));
	elements_put(it, e, x_add(to, x_to_i64(i)));
	k_end(l->k);
	k_end(l->k);
	launch(s, l);
}

/* ---- moving ---- */

struct mover { const struct sorter *s; struct lowering *l; struct elements *items; struct sequence q; struct kx *rank; };

/* The half in which the passes, one at least, have left a sequence of n cells. */
static struct kx *last_half(const struct mover *m)
{
	struct kernel *k = m->l->k;
	struct kx *half = var(m->l, "half", x_i64(1)), *run = var(m->l, "run", x_i64(2 * m->s->tile));
	k_while(k, x_lt(run, m->q.n));
	k_set(k, run, x_mul(run, x_i64(2)));
	k_set(k, half, x_sub(x_i64(1), half));
	k_end(k);
	return half;
}

/* Opens the loop over the cells of tiles that are wanted. */
static void open_cells(struct mover *m, struct kx **base)
{
	struct lowering *l = m->l;
	struct kernel *k = l->k;
	struct kx *total = base ? lower_argument(l, "total", kt_scalar(T_I64), m->s->total) : NULL;
	struct tile tile = open_tiles(m->s, l);
	m->q = sort_sequence(m->s, l, tile.sequence);
	if (base)
		*base = let(l, "from", x_add(x_mul(last_half(m), total), m->q.base));
	struct kx *wanted = let(l, "wanted", sort_wanted(l, m->s->node, m->q.n));
	struct kx *end = let(l, "tile_end", x_min(x_add(tile.first, x_i64(m->s->tile)), wanted));
	struct kx *first = x_add(tile.first, x_to_i64(block_thread(l)));
	m->rank = x_var(k_for(k, "rank", first, end, x_i64(SORT_THREADS), 0));
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

static struct kx *fetch(const struct mover *m, const struct equation *eq, struct kx *base)
{
	struct kx *tag = elements_tag_at(m->items, x_add(base, m->rank));
	sort_bind_cell(m->s, m->l, x_add(m->q.first, let(m->l, "tag", tag)));
	return sort_value(m->l, eq);
}

static void put(const struct mover *m, const struct equation *eq, struct kx *value)
{
	sort_bind_cell(m->s, m->l, x_add(m->q.first, m->rank));
	sort_store(m->l, eq, value);
}

/* `into` stores what it fetches: cells are not written. */
static void fetch_values(const struct sorter *s, const struct equation *eq, struct kvar *fetched)
{
	struct mover m = { .s = s, .l = sort_kernel(s, "_fetch", "Fetches what moves with the long sequences' keys.") };
	struct kx *base, *to = fetched ? sort_pointer(s, m.l, fetched, false) : NULL;
	m.items = parts_only(s, m.l, true);
	open_cells(&m, &base);
	struct kx *value = fetch(&m, eq, base);
	if (to)
		k_set(m.l->k, x_at(to, x_add(m.q.base, m.rank)), value);
	else
		put(&m, eq, let(m.l, "value", value));
	k_end(m.l->k);
	launch(s, m.l);
}

/* All that follows from the elements alone, which are loaded once. */
static void store_held(const struct sorter *s)
{
	struct mover m = { .s = s, .l = sort_kernel(s, "_held", "Stores what the long sequences' elements hold.") };
	const struct node *node = s->node;
	struct kx *base;
	m.items = parts_only(s, m.l, false);
	open_cells(&m, &base);
	for (int q = 0; q < node->equation.n; q++) {
		const struct equation *eq = node->equation.at[q];
		if (sort_holds(s, eq))
			put(&m, eq, let(m.l, "value", elements_value_at(m.items, eq, x_add(base, m.rank))));
	}
	k_end(m.l->k);
	launch(s, m.l);
}

static void store_values(const struct sorter *s, const struct equation *eq, struct kvar *fetched)
{
	struct mover m = { .s = s, .l = sort_kernel(s, "_store", "Stores what was fetched.") };
	struct kx *from = sort_pointer(s, m.l, fetched, false);
	open_cells(&m, NULL);
	put(&m, eq, x_at(from, x_add(m.q.base, m.rank)));
	k_end(m.l->k);
	launch(s, m.l);
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
