/* scan_rows.c - a scan along the last axis on a GPU, in one launch and one pass over memory.
 *
 * A block takes a tile of neighbouring cells, a warp a stretch of it, which it loads and stores row
 * by row: a row is one vector of 16 bytes a lane, lane after lane.  So every load and store is a
 * whole vector, of neighbouring places for neighbouring lanes.  Where shared memory may hold the
 * cells, scan_strips.c computes them; else nothing is transposed, and all vectors of a thread are
 * loaded before the first is used, and stay in registers:
 *
 *   first    per row the total of the lane's cells; the rows are scanned over the lanes
 *            (block_scan.c), one after another joined; the tile learns what comes before it
 *            (look_back.c).
 *   second   each vector starts with the state that all before it leaves, and its cells are
 *            computed in order.
 *
 * A thread keeps ROW_WORDS registers of cells and totals, so that 3 blocks of 256 threads fit a
 * multiprocessor (by hand on an H200, 2^28 f32: 12 vectors a thread 3,270 GB/s, 8 vectors 3,150).
 * The last tile, and all where an array does not begin at a vector, load and store cell by cell,
 * and compute as all others do: one by one and in turn the 48 cells of a thread took 5 us.  Only
 * domains that are no box, other layouts and accesses that are tested take their cells one after
 * another, each as far as it is there. */
#include "scan_tile.h"

enum {
	ROW_WORDS = 52,                      /* registers for the cells and totals of a thread */
	/* On an H100, of 20 scans in a row, of 2^14, 2^16 and 2^18 f32: with 3 vectors a thread
	 * 4.9, 5.1 and 6.4 us, with 9 6.6, 5.9 and 6.7; of 2^20 9.5 with either. */
	FEW_VECTORS = 3, FEW_CELLS = 1 << 18
};

/* ---- shape ---- */

/* One fold of cells of 4 or 8 bytes, of one long sequence: compilers find room for 3 blocks a
 * multiprocessor by themselves.  Of others they spill a few registers to fit one block more, unless
 * they are told that one is enough. */
static bool is_plain(const struct scan *s, const struct total *like)
{
	struct holding h = held_arrays(s);
	const struct accumulator *a = &like->acc.at[0];
	bool plain = s->width > 1 && !like->begins && like->acc.n == 1 && a->type == a->of
	             && a->type->kind != T_STRUCT && !node_uneven(s->node);
	for (int i = 0; i < h.at.n; i++)
		plain &= type_size(h.at.at[i]->type) >= 4;
	return plain && h.at.n == 1;
}

static int rows_for(const struct tiles *t, const struct total *like)
{
	const struct scan *s = t->s;
	struct holding h = held_arrays(s);
	int64_t cell = h.at.n ? 0 : 1, total = like->begins ? 2 : 0;
	for (int i = 0; i < h.at.n; i++)
		cell += type_words(h.at.at[i]->type);
	for (int a = 0; a < like->acc.n; a++)
		total += type_words(like->acc.at[a].type);
	int64_t rows = ROW_WORDS / (cell * s->width + total);
	if (s->node->choice.coarsen)
		rows = s->node->choice.coarsen;
	return (int)(rows < 1 ? 1 : rows > SCAN_ROWS ? SCAN_ROWS : rows);
}

/* ---- cells, for scan_rows.kernel ---- */

KTEXT_HOLE(load_vectors)
{
	struct scan *s = ((const struct tiles *)state)->s;
	for (int h = 0; h < s->held.n; h++) {
		const struct held *held = &s->held.at[h];
		struct kx *source = lower_pointer(l, held->var), *cells = x_var(held->cells);
		k_bind(l->k, "vector", str_print("%s%d", held->var->name, s->width));
		if (s->width == 1)
			k_set(l->k, x_at(cells, arg[0]),
			      x_at(source, k_value(l->k, "vector_place", arg[0])));
		else
			k_text(l->k, "load_vector", cells, source, arg[0]);
	}
	return NULL;
}

static void declare_held(struct tiles *t)
{
	struct scan *s = t->s;
	struct holding h = held_arrays(s);
	for (int i = 0; t->held && i < h.at.n; i++) {
		const struct var *var = h.at.at[i];
		struct kvar *held = k_regs(s->l->k, var->type, str_print("%s_held", var->name),
		                           (int64_t)t->vectors * s->width);
		list_add(&s->held, ((struct held){ var, held }));
	}
}

KTEXT_HOLE(put_row)
{
	rows_set(l, &((const struct tiles *)state)->rows, arg[0], total_of(arg[1]));
	return NULL;
}

KTEXT_HOLE(row_prefix)
{
	return total_object(rows_get(l, &((const struct tiles *)state)->rows, arg[0]));
}

KTEXT_HOLE(scan_over_rows)
{
	const struct tiles *t = state;
	return total_object(rows_scan(l, &t->rows, t->back->lane));
}

KTEXT_HOLE(before_warp)
{
	const struct tiles *t = state;
	return total_object(look_back(l, t->back, t->tile, total_of(arg[0])));
}

/* See Note [address of a store] in cells_gpu.c. */
KTEXT_HOLE(store_vectors)
{
	const struct tiles *t = state;
	struct kx *n = k_value(l->k, "vector_number", arg[0]);
	for (int i = 0; i < t->s->out.n; i++) {
		struct kx *place = x_offset(
			lower_pointer(l, target_read(node_target(t->s->node, i))->var),
			k_get(l->k, t->last ? "place" : "first"));
		k_vstore_at(l->k, place, t->last ? x_unary(OP_NEG, n) : n, x_var(t->s->out.at[i]));
	}
	return NULL;
}

KTEXT_HOLE(store_out)
{
	const struct scan *s = ((const struct tiles *)state)->s;
	for (int i = 0; i < s->out.n; i++) {
		const struct var *var = target_read(node_target(s->node, i))->var;
		k_set(l->k, x_at(lower_pointer(l, var), arg[0]),
		      x_lane_at(x_var(s->out.at[i]), arg[1]));
	}
	return NULL;
}

/* ---- host ---- */

/* Every flat array begins at a multiple of its vectors, or of what is copied; NULL: vectors need
 * none. */
static struct kx *aligned(const struct tiles *t)
{
	const struct scan *s = t->s;
	struct holding h = flat_arrays(s);
	struct kx *all = NULL;
	for (int i = 0; i < h.at.n; i++) {
		int64_t bytes = t->strips ? 16 : type_size(h.at.at[i]->type) * s->width;
		struct kx *arg[] = { host_var_x(s->l->plan, h.at.at[i]), x_i64(bytes) };
		all = x_and(all, x_help(kt_scalar(T_BOOL), "patc_aligned", 2, arg));
	}
	return all;
}

/* Cells of the first target, which are not fewer than those of the domain: over sizes alone. */
static struct kx *most_cells(const struct scan *s)
{
	const struct var *var = target_read(node_target(s->node, 0))->var;
	struct lowering *host = host_lowering(s->l->plan);
	struct kx *cells = lower_extent(host, var, 0);
	for (int a = 1; a < var->rank; a++)
		cells = x_mul(cells, lower_extent(host, var, a));
	return cells;
}

/* ---- a tile ---- */

static struct total kinds(struct scan *s)
{
	bool begins = s->node->index.n > 1 || s->cuts;
	return (struct total){ .acc = carry_kinds(s->carry),
		               .begins = begins ? NEW(struct kvar) : NULL };
}

/* The weight of a cell before the first is never asked for: it may be looked up after or before
 * the arrays, where a cell that is not there would do so. */
static bool own_or_fixed(struct expr *e, void *node)
{
	const struct node *n = node;
	return e->kind != E_READ || scan_own(n, e) || !expr_uses(e, n->index.at[n->running->axis]);
}

static bool weights_near(const struct node *node)
{
	for (int q = 0; q < node->equation.n; q++) {
		const struct recurrence *r = node->equation.at[q]->recurrence;
		for (int b = 0; r && b < MAX_ORDER; b++)
			if (r->weight[b] && !expr_walk(r->weight[b], own_or_fixed, (void *)node))
				return false;
	}
	return true;
}

/* What strips and rows differ in: threads, how many blocks a multiprocessor is to hold, cells. */
static void find_shape(struct tiles *t, const struct total *like, int vectors)
{
	struct scan *s = t->s;
	struct lowering *l = s->l;
	block_launch_bounds(l);
	l->k->min_blocks = !is_plain(s, like);
	t->strips = strips_fit(t, like);
	t->vectors = t->strips ? strips_shape(t, like) : rows_for(t, like);
	if (vectors) {
		t->vectors = vectors;
		l->k->min_blocks = 1;            /* a multiprocessor has one, or a few */
	}
	t->stretch = (int64_t)t->vectors * l->target->lanes * s->width;
	t->cells = t->stretch * (l->k->block[0] / l->target->lanes);
}

/* Whether few cells have tiles of their own: of one sequence whose shape nobody has pinned. */
static bool has_few(const struct tiles *t)
{
	const struct node *node = t->s->node;
	return t->strips && t->vectors > FEW_VECTORS && node->index.n == 1 && !t->s->cuts
	       && !node->choice.coarsen;
}

/* From right: the cell whose number is 0.  The cells that tiles are cut of. */
static struct kx *find_last(struct tiles *t)
{
	struct scan *s = t->s;
	struct kx *cells = s->host_cells;
	if (!s->running->from_right)
		return cells;
	cells = s->width == 1 ? cells : x_mul(x_div_up(cells, x_i64(s->width)), x_i64(s->width));
	t->last = lower_argument(s->l, "last", kt_scalar(T_I64), x_sub(cells, x_i64(1)));
	return cells;
}

static void rows_bind(struct tiles *t, const struct total *like)
{
	struct kernel *k = t->s->l->k;
	t->rows = rows_new(t->s->l, like, t->vectors);
	declare_held(t);
	k_numbers(k, "HOLDS, OUT", t->s->held.n > 0, t->held && t->s->width > 1);
	k_bind_calls(k, t, { "load_vectors", load_vectors }, { "store_vectors", store_vectors },
	             { "store_out", store_out }, { "put_row", put_row },
	             { "row_prefix", row_prefix },
	             { "scan_rows", scan_over_rows });
}

static void scan_tile(struct tiles *t, const struct total *like)
{
	struct lowering *l = t->s->l;
	tile_bind(t);
	marks_bind(l, t->s->node);
	bind_totals(l, like);
	k_bind_call(l->k, "before_warp", before_warp, t);
	k_text(l->k, "place_tile");
	if (t->strips)
		strips_bind(t);
	else
		rows_bind(t, like);
	k_text(l->k, t->strips ? "strips_tile" : "rows_tile");
}

/* Tiles of so many vectors a thread; 0: of as many as fit.  Of few cells, more than one tile,
 * smaller ones are done sooner: the host chooses. */
static void lower_tiles(struct plan *plan, const struct node *node, int vectors)
{
	struct scan *s = scan_begin(plan, node, true);
	struct lowering *l = s->l;
	struct tiles t = {
		.s = s, .held = s->flat && s->even && !node_checked(node) && weights_near(node)
	};
	struct total like = kinds(s);
	find_shape(&t, &like, vectors);
	const bool few = !vectors && has_few(&t);
	if (few) {
		k_if(plan->host, x_and(x_lt(x_i64(t.cells), s->host_cells),
		                       x_le(s->host_cells, x_i64(FEW_CELLS))));
		lower_tiles(plan, node, FEW_VECTORS);
		k_else(plan->host);
	}
	if (node->running->segment == SEGMENT_OFFSETS)
		(t.strips && node->index.n == 1 ? scan_ends : scan_marks)(s);
	struct kx *cells = find_last(&t), *blocks;
	if (s->width > 1)
		t.aligned = lower_argument(l, "vectors", kt_scalar(T_BOOL), aligned(&t));
	struct kx *tiles = plan_let(plan, "tiles", x_div_up(cells, x_i64(t.cells)));
	struct kx *most = vectors ? x_min(most_cells(s), x_i64(FEW_CELLS)) : most_cells(s);
	most = x_div_up(most, x_i64(t.cells));
	scan_check_length(s);
	t.back = look_back_open(l, &like, tiles, most, &blocks, &t.tile);
	scan_tile(&t, &like);
	look_back_close(l);
	lowering_launch(l, blocks, x_i64(1), x_i64(1));
	if (few)
		k_end(plan->host);
}

void scan_rows(struct plan *plan, const struct node *node)
{
	lower_tiles(plan, node, 0);
}
