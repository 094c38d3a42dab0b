/* scan_rows.c - a scan along the last axis on a GPU, in one launch and one pass over memory.
 *
 * A block takes a tile of neighbouring cells, a warp a stretch of it, which it loads and stores row by row: a row is
 * one vector of 16 bytes a lane, lane after lane.  So every load and store is a whole vector, of neighbouring places
 * for neighbouring lanes.  Where shared memory may hold the cells, scan_strips.c computes them; else nothing is
 * transposed, and all vectors of a thread are loaded before the first is used, and stay in registers:
 *
 *   first    per row the total of the lane's cells; the rows are scanned over the lanes (block_scan.c), one after
 *            another joined; the tile learns what comes before it (look_back.c).
 *   second   each vector starts with the state that all before it leaves, and its cells are computed in order.
 *
 * A thread keeps ROW_WORDS registers of cells and totals, so that 3 blocks of 256 threads fit a multiprocessor
 * (by hand on an H200, 2^28 f32: 12 vectors a thread 3,270 GB/s, 8 vectors 3,150).  The last tile, and all where an
 * array does not begin at a vector, load and store cell by cell, and compute as all others do: one by one and in
 * turn the 48 cells of a thread took 5 us.  Only domains that are no box, other layouts and accesses that are tested
 * take their cells one after another, each as far as it is there. */
#include "scan_tile.h"

enum { ROW_WORDS = 52 };                     /* registers for the cells and totals of a thread */

/* ---- shape ---- */

/* One fold of cells of 4 or 8 bytes, of one long sequence: compilers find room for 3 blocks a multiprocessor by
 * themselves.  Of others they spill a few registers to fit one block more, unless they are told that one is enough. */
static bool is_plain(const struct scan *s, const struct total *like)
{
	struct holding h = held_arrays(s);
	const struct accumulator *a = &like->acc.at[0];
	bool plain = s->width > 1 && !like->begins && like->acc.n == 1 && a->type == a->of && a->type->kind != T_STRUCT;
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

/* ---- loads ---- */

static struct kx *vector_place(const struct tiles *t, struct kx *v)
{
	struct kx *n = x_mul(vector_number(t, v), x_i32(t->s->width));
	return t->last ? x_sub(t->place, x_to_i64(n)) : x_add(t->place, x_to_i64(n));
}

static void load_vector(struct tiles *t, const struct held *h, struct kx *v)
{
	struct scan *s = t->s;
	struct kernel *k = s->l->k;
	struct kx *pointer = x_offset(lower_pointer(s->l, h->var), vector_place(t, v));
	if (s->width == 1) {
		k_set(k, x_at(x_var(h->cells), v), x_at(lower_pointer(s->l, h->var), vector_place(t, v)));
		return;
	}
	struct kvar *vector = k_let(k, str_print("%s%d", h->var->name, s->width), x_vload(pointer, s->width));
	struct kx *c = x_var(k_for(k, "c", x_i32(0), x_i32(s->width), x_i32(1), FOR_UNROLL));
	k_set(k, x_at(x_var(h->cells), cell_slot(t, v, c)), x_lane_at(x_var(vector), lane_of_cell(t, c)));
	k_end(k);
}

static void load_each(struct tiles *t, void (*load)(struct tiles *, const struct held *, struct kx *))
{
	struct kx *v = rows_open(t->s->l, &t->rows);
	for (int h = 0; h < t->s->held.n; h++)
		load(t, &t->s->held.at[h], v);
	k_end(t->s->l->k);
}

static void load_all(struct tiles *t)
{
	struct scan *s = t->s;
	struct holding h = held_arrays(s);
	if (!t->held || !h.at.n)
		return;
	for (int i = 0; i < h.at.n; i++) {
		const struct var *var = h.at.at[i];
		struct kvar *held = k_regs(s->l->k, var->type, str_print("%s_held", var->name), (int64_t)t->vectors * s->width);
		list_add(&s->held, ((struct held){ var, held }));
	}
	k_if(s->l->k, t->whole);
	load_each(t, load_vector);
	k_else(s->l->k);
	load_each(t, load_cells);
	k_end(s->l->k);
}

/* ---- the two passes ---- */

static void first_pass(struct tiles *t)
{
	struct scan *s = t->s;
	struct kx *v = rows_open(s->l, &t->rows);
	struct total total = total_new(s->l, &t->rows.like);
	open_place(t, v);
	tile_first(t, &total, v);
	rows_set(s->l, &t->rows, v, &total);
	k_end(s->l->k);
}

/* See Note [address of a store] in cells_gpu.c. */
static void store_vectors(struct tiles *t, struct kx *v)
{
	struct scan *s = t->s;
	struct kx *n = vector_number(t, v);
	for (int i = 0; i < s->out.n; i++) {
		const struct var *var = target_read(node_target(s->node, i))->var;
		struct kx *place = x_offset(lower_pointer(s->l, var), t->place);
		k_vstore_at(s->l->k, place, t->last ? x_unary(OP_NEG, n) : n, x_var(s->out.at[i]));
	}
}

static void store_cells(struct tiles *t, struct kx *v)
{
	struct scan *s = t->s;
	struct kernel *k = s->l->k;
	if (s->marks && tile_counts(t))          /* its place in the row is asked for */
		k_set(k, x_var(s->column), t->column);
	struct kx *c = open_lanes(t);
	set_stored(t, v, c);
	k_if(k, is_there(t));
	for (int i = 0; i < s->out.n; i++)
		store_cell(t, i, v, c, x_lane_at(x_var(s->out.at[i]), lane_of_cell(t, c)));
	k_end(k);
	if (s->marks)
		next_cell(t);
	close_lanes(t);
}

static void store_out(struct tiles *t, struct kx *v)
{
	struct kernel *k = t->s->l->k;
	if (!t->s->out.n)
		return;
	struct kx *all = scan_all_inside(t->s);
	k_if(k, x_and(t->whole, all));
	store_vectors(t, v);
	k_else(k);
	store_cells(t, v);
	k_end(k);
	t->s->out.n = 0;
}

/* The vector has a cell. */
static struct kx *has_cells(struct tiles *t, struct kx *v)
{
	struct kx *first = cell_number(t, v, NULL);
	return t->last ? x_le(first, t->last) : x_lt(first, scan_count(t->s));
}

/* The state before the vector. */
static void resume(struct tiles *t, const struct total *before, struct kx *v)
{
	struct total up_to = total_same(t->s->l, before), row = rows_get(t->s->l, &t->rows, v);
	total_join(t->s->l, &up_to, &row);
	tile_resume(t, &up_to);
}

static void second_pass(struct tiles *t, const struct total *before)
{
	struct kernel *k = t->s->l->k;
	struct kx *v = rows_open(t->s->l, &t->rows);
	if (!t->held)
		k_if(k, has_cells(t, v));
	open_place(t, v);
	resume(t, before, v);
	declare_out(t);
	tile_second(t, v);
	store_out(t, v);
	if (!t->held)
		k_end(k);
	k_end(k);
}

/* ---- host ---- */

/* Every flat array begins at a multiple of its vectors, or of what is copied; NULL: vectors need none. */
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

static void tile_places(struct tiles *t, struct kx *vectors)
{
	struct scan *s = t->s;
	struct kernel *k = s->l->k;
	struct kx *start = x_mul(t->tile, x_i64(t->cells)), *end = x_mul(x_add(t->tile, x_i64(1)), x_i64(t->cells));
	struct kx *pad = tile_padding(t), *from = x_is_int(pad, 0) ? start : x_sub(start, pad);
	t->first = x_var(k_let(k, "first", x_add(start, x_mul(x_to_i64(t->back->warp), x_i64(t->stretch)))));
	if (tile_counts(t)) {
		struct kx *length = scan_size(s, s->axis);
		if (!x_is_int(pad, 0))
			from = x_var(k_let(k, "from", from));
		/* of the first tile, whose padding is before all sequences, as it is */
		t->offset = x_var(k_let(k, "offset", x_rem(from, length)));
		t->outer = scan_uses_row(s, true) ? x_var(k_let(k, "outer", x_div(from, length))) : NULL;
		t->all_rows = scan_uses_row(s, true) ? x_var(k_let(k, "all_rows", x_div(scan_count(s), length))) : NULL;
	}
	if (!t->held)
		return;
	t->whole = x_le(end, t->last ? x_add(t->last, x_i64(1)) : scan_count(s));
	if (!x_is_int(pad, 0))
		t->whole = x_and(x_le(pad, start), t->whole);
	t->whole = x_var(k_let(k, "whole", x_and(vectors, t->whole)));
	int64_t back = t->strips ? t->stretch : s->width;
	t->place = t->first;
	if (t->last)
		t->place = x_var(k_let(k, "place", x_sub(t->last, x_add(t->first, x_i64(back - 1)))));
}

static struct total kinds(struct scan *s)
{
	bool begins = s->node->index.n > 1 || s->cuts;
	return (struct total){ .acc = carry_kinds(s->carry), .begins = begins ? NEW(struct kvar) : NULL };
}

/* The weight of a cell before the first is never asked for: it may be looked up behind or before the arrays, where a
 * cell that is not there would do so. */
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
static void find_shape(struct tiles *t, const struct total *like)
{
	struct scan *s = t->s;
	struct lowering *l = s->l;
	block_launch_bounds(l);
	l->k->min_blocks = !is_plain(s, like);
	t->strips = strips_fit(t, like);
	t->vectors = t->strips ? strips_shape(t, like) : rows_for(t, like);
	t->stretch = (int64_t)t->vectors * l->target->lanes * s->width;
	t->cells = t->stretch * (l->k->block[0] / l->target->lanes);
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

static void rows_tile(struct tiles *t, const struct total *like)
{
	struct lowering *l = t->s->l;
	t->rows = rows_new(l, like, t->vectors);
	load_all(t);
	first_pass(t);
	struct total warp = rows_scan(l, &t->rows, t->back->lane);
	struct total before = look_back(l, t->back, t->tile, &warp);
	scan_use_from(t->s);
	second_pass(t, &before);
}

static void strips_tile(struct tiles *t, const struct total *like)
{
	struct lowering *l = t->s->l;
	struct total in_warp;
	strips_open(t);
	struct total warp = strips_total(t, like, &in_warp);
	struct total before = look_back(l, t->back, t->tile, &warp), up_to = total_same(l, &before);
	scan_use_from(t->s);
	total_join(l, &up_to, &in_warp);
	strips_cells(t, &up_to);
}

void scan_rows(struct plan *plan, const struct node *node)
{
	struct scan *s = scan_begin(plan, node, true);
	struct lowering *l = s->l;
	struct tiles t = { .s = s, .held = s->flat && s->even && !node_checked(node) && weights_near(node) };
	struct total like = kinds(s);
	find_shape(&t, &like);
	if (node->running->segment == SEGMENT_OFFSETS)
		(t.strips && node->index.n == 1 ? scan_ends : scan_marks)(s);
	struct kx *cells = find_last(&t), *blocks, *vectors = NULL;
	if (s->width > 1)
		vectors = lower_argument(l, "vectors", kt_scalar(T_BOOL), aligned(&t));
	struct kx *tiles = plan_let(plan, "tiles", x_div_up(cells, x_i64(t.cells)));
	struct kx *most = x_div_up(most_cells(s), x_i64(t.cells));
	scan_check_length(s);
	t.back = look_back_open(l, &like, tiles, most, &blocks, &t.tile);
	tile_places(&t, vectors);
	(t.strips ? strips_tile : rows_tile)(&t, &like);
	look_back_close(l);
	lowering_launch(l, blocks, x_i64(1), x_i64(1));
}
