/* turn_apart.c - a tile whose rows begin anywhere in memory, turned by aligned accesses of 16 bytes all the same.
 *
 * A chunk is the cells of an access: it begins at a multiple of them in memory. Every row has its own past, the cells from
 * the beginning of the chunk that holds its first cell to that cell. The tile holds the chunks around its cells, so rows
 * have one chunk more; what is written in chunks wants cells of rows in front of the tile, the halo: a chunk's but one.
 * Chunks of which a row's end takes a part are moved cell by cell, so nothing is read or written that is not the row's.
 *
 * In the tile, chunk c of row r is number r * pitch + r / vector + c: eight lanes that gather the cells of a chunk of the
 * other side, from as many rows, find eight different chunks of the banks, if a vector of rows is a multiple of eight.
 *
 * All loads of a thread are under way before the first is stored: where a chunk does not lie in a row of the array, the
 * nearest one that does is loaded and stored in its stead. On an H200 f32 16387 x 16379 takes 0.67 ms so, cell by cell
 * 0.84; u8 16385 x 16383 0.20 and 0.62; u16 0.38. Rows that are aligned are turned faster by what knows that (turn_gpu.c). */
#include "turn.h"

/* Of an array: the past of its row at the tile's first, and how much more it is from row to row. */
struct begins { struct kx *past, *more; };
struct apart {
	struct mover *m;
	const struct turn_form *f;
	struct begins read[TURN_READS], target;
	struct kx *row[2], *column[2];       /* of the tile's, inside: the first and last row; where a chunk may begin */
};
/* A chunk of the tile: the row and cell where it begins, and the one that is loaded. */
struct chunk { struct kx *place, *row, *begin[TURN_READS], *near[TURN_READS]; };

static struct kx *low(struct kx *x, int cells)
{
	return x_op(OP_AND, x, x_i32(cells - 1));
}

static struct kx *high(struct kx *x, int64_t cells)
{
	return x_op(OP_SHR, x, x_i32(log2_of((int)cells)));
}

static struct kx *between(struct kx *const *ends, struct kx *x)
{
	return x_and(x_le(ends[0], x), x_le(x, ends[1]));
}

/* ---- the tile ---- */

static int chunks_of(const struct turn_form *f)
{
	return f->size[FROM] / f->vector + 1;
}

static int rows_of(const struct turn_form *f)
{
	return f->size[TO] + f->halo;
}

static int pitch_of(const struct turn_form *f)
{
	int step = f->vector < TURN_CHUNKS ? TURN_CHUNKS / f->vector : 1;
	return (chunks_of(f) + step - 1) / step * step;
}

int64_t turn_apart_cells(const struct turn_form *f)
{
	return ((int64_t)rows_of(f) * pitch_of(f) + rows_of(f) / f->vector + 1) * f->vector;
}

/* Of a row, counted from the halo's first. */
static struct kx *row_place(const struct turn_form *f, struct kx *row)
{
	return x_mul(x_add(x_mul(row, x_i32(pitch_of(f))), high(row, f->vector)), x_i32(f->vector));
}

/* ---- where rows begin ---- */

static struct begins begins_of(struct mover *m, const struct expr *cell, struct kx *at, struct kx *step)
{
	int64_t bytes = type_size(cell->type);
	struct kx *arg[] = { at, x_i32(bytes * m->form.vector) };
	struct kx *over = x_help(kt_scalar(T_I32), "patc_past", 2, arg);
	struct kx *more = x_to_i32(x_op(OP_AND, step, x_i64(m->form.vector - 1)));
	const char *name = cell->var->name;
	return (struct begins){ mover_let(m, str_print("%s_past", name), high(over, bytes)), mover_let(m, str_print("%s_more", name), more) };
}

static struct kx *past_of(const struct apart *a, const struct begins *b, struct kx *row)
{
	return low(x_add(b->past, x_mul(row, b->more)), a->f->vector);
}

/* At most so many before the tile's first. */
static struct kx *first_in(struct mover *m, int side, const char *name)
{
	return mover_let(m, name, x_to_i32(x_max(x_i64(-m->form.halo), x_sub(x_i64(0), m->first[side]))));
}

static struct apart apart_open(struct mover *m)
{
	const struct turn_form *f = &m->form;
	struct apart a = { .m = m, .f = f };
	a.row[0] = first_in(m, TO, "first_row");
	a.row[1] = mover_last(m, TO, "last_row", x_i32(f->size[TO]), 1);
	a.column[0] = first_in(m, FROM, "first_column");
	a.column[1] = mover_last(m, FROM, "last_column", x_i32(f->size[FROM] + f->vector), f->vector);
	for (int r = 0; r < m->turn->reads; r++)
		a.read[r] = begins_of(m, m->turn->read[r], m->in[r], m->in_step[r]);
	a.target = begins_of(m, m->turn->target, m->out, m->out_step);
	return a;
}

/* ---- filling it ---- */

static struct kx *nearest(const struct apart *a, struct kx *begin, struct kx *past)
{
	int vector = a->f->vector;
	struct kx *last = x_sub(a->column[1], low(x_add(a->column[1], past), vector));
	return x_min(x_cond(x_lt(begin, a->column[0]), x_add(begin, x_i32(vector)), begin), last);
}

static struct chunk chunk_at(const struct apart *a, struct kx *number)
{
	const struct turn_form *f = a->f;
	struct mover *m = a->m;
	struct kx *row = mover_let(m, "row", x_div(number, x_i32(chunks_of(f))));
	struct kx *column = mover_let(m, "column", x_mul(x_sub(number, x_mul(row, x_i32(chunks_of(f)))), x_i32(f->vector)));
	struct chunk c = { .place = mover_let(m, "spot", x_add(row_place(f, row), column)) };
	c.row = mover_let(m, "near_row", x_min(x_max(x_sub(row, x_i32(f->halo)), a->row[0]), a->row[1]));
	for (int r = 0; r < m->turn->reads; r++) {
		struct kx *past = mover_let(m, "past", past_of(a, &a->read[r], c.row));
		c.begin[r] = mover_let(m, "begin", x_sub(column, past));
		c.near[r] = nearest(a, c.begin[r], past);
	}
	return c;
}

static struct kx *cell_of(const struct apart *a, int r, const struct chunk *c, struct kx *column)
{
	return x_offset(a->m->in[r], x_add(x_mul(x_to_i64(c->row), a->m->in_step[r]), x_to_i64(column)));
}

struct loads { struct chunk chunk; struct kx *number, *vector[TURN_READS]; };

static void load(const struct apart *a, struct loads *l, int items, int n)
{
	struct mover *m = a->m;
	l->number = mover_let(m, "number", x_add(block_thread(m->l), x_i32(n * a->f->threads)));
	bool whole = (n + 1) * a->f->threads <= items;
	l->chunk = chunk_at(a, whole ? l->number : x_min(l->number, x_i32(items - 1)));
	for (int r = 0; r < m->turn->reads; r++) {
		l->chunk.near[r] = mover_let(m, "near", l->chunk.near[r]);
		const char *name = str_print("%s%d", m->turn->read[r]->var->name, a->f->vector);
		l->vector[r] = mover_let(m, name, x_vload(cell_of(a, r, &l->chunk, l->chunk.near[r]), a->f->vector));
	}
	l->number = whole ? NULL : x_lt(l->number, x_i32(items));
}

static void keep(const struct apart *a, const struct loads *l)
{
	if (l->number)
		k_if(a->m->k, l->number);
	for (int r = 0; r < a->m->turn->reads; r++)
		k_vstore(a->m->k, x_offset(x_var(a->m->tile[r]), l->chunk.place), l->vector[r]);
	if (l->number)
		k_end(a->m->k);
}

/* Chunks that begin before a row's first cell, or go on behind its last: each thread puts right those that it has stored. */
static void fill_ends(const struct apart *a, int items)
{
	struct mover *m = a->m;
	int vector = a->f->vector;
	k_if(m->k, x_or(x_eq(a->column[0], x_i32(0)), x_lt(a->column[1], x_i32(a->f->size[FROM]))));
	struct kx *number = x_var(k_for(m->k, "number", block_thread(m->l), x_i32(items), x_i32(a->f->threads), FOR_ROLLED));
	struct chunk c = chunk_at(a, number);
	for (int r = 0; r < m->turn->reads; r++) {
		k_if(m->k, x_or(x_lt(c.begin[r], a->column[0]), x_lt(a->column[1], c.begin[r])));
		struct kx *n = x_var(k_for(m->k, "c", x_i32(0), x_i32(vector), x_i32(1), FOR_ROLLED));
		struct kx *cell = mover_let(m, "cell", x_add(c.begin[r], n));
		k_if(m->k, between((struct kx *[]){ a->column[0], x_add(a->column[1], x_i32(vector - 1)) }, cell));
		struct kx *from = x_at(cell_of(a, r, &c, x_i32(0)), x_to_i64(cell));
		k_set(m->k, x_at(x_var(m->tile[r]), x_add(c.place, n)), from);
		k_end(m->k);
		k_end(m->k);
		k_end(m->k);
	}
	k_end(m->k);
	k_end(m->k);
}

static void fill(const struct apart *a)
{
	int items = rows_of(a->f) * chunks_of(a->f), threads = a->f->threads, loads = (items + threads - 1) / threads;
	struct loads *l = mem_new((size_t)loads * sizeof *l);
	for (int n = 0; n < loads; n++)
		load(a, &l[n], items, n);
	for (int n = 0; n < loads; n++)
		keep(a, &l[n]);
	fill_ends(a, items);
}

/* ---- emptying it ---- */

/* A cell of the target's row `from`, and where it goes. */
static void store(const struct apart *a, struct kx *from, struct kx *to, struct kx *old, struct kx *into)
{
	struct mover *m = a->m;
	struct kx *row = row_place(a->f, x_add(to, x_i32(a->f->halo)));
	for (int r = 0; r < m->turn->reads; r++)
		m->place[r] = x_add(x_add(row, from), past_of(a, &a->read[r], to));
	mover_store(m, x_to_i64(from), x_to_i64(to), old, into);
}

static struct kx *each_cell(const struct apart *a)
{
	return x_var(k_for(a->m->k, "c", x_i32(0), x_i32(a->f->vector), x_i32(1), FOR_UNROLL));
}

static void store_chunk(const struct apart *a, struct kx *at, struct kx *from, struct kx *to)
{
	struct mover *m = a->m;
	struct kx *old = turn_reads_own(m->turn) ? mover_let(m, "old", x_vload(at, a->f->vector)) : NULL;
	const struct expr *target = m->turn->target;
	const char *name = str_print("%s%d", target->var->name, a->f->vector);
	struct kx *out = x_var(k_var(m->k, kt_vector(target->type, a->f->vector), name, NULL));
	struct kx *c = each_cell(a);
	store(a, from, x_add(to, c), old ? x_lane_at(old, c) : NULL, x_lane_at(out, c));
	k_end(m->k);
	k_do(m->k, x_help(kt_scalar(T_I32), "patc_pass", 2, (struct kx *[]){ at, out }));
}

static void store_ends(const struct apart *a, struct kx *at, struct kx *from, struct kx *to)
{
	struct kx *c = each_cell(a), *cell = mover_let(a->m, "cell", x_add(to, c));
	k_if(a->m->k, between(a->row, cell));
	struct kx *into = x_at(at, x_to_i64(c));
	store(a, from, cell, into, into);
	k_end(a->m->k);
	k_end(a->m->k);
}

/* As of aligned rows: eight lanes have neighbouring chunks of one. */
static void empty(const struct apart *a)
{
	struct mover *m = a->m;
	const struct turn_form *f = a->f;
	int stores = f->size[FROM] * f->size[TO] / f->vector / f->threads;
	struct kx *n = x_var(k_for(m->k, "store", x_i32(0), x_i32(stores), x_i32(1), FOR_UNROLL));
	struct kx *number = mover_let(m, "number", x_add(block_thread(m->l), x_mul(n, x_i32(f->threads))));
	struct kx *turn = x_mul(high(number, TURN_CHUNKS * f->size[FROM]), x_i32(TURN_CHUNKS));
	struct kx *from = mover_let(m, "from", low(high(number, TURN_CHUNKS), f->size[FROM]));
	struct kx *first = x_mul(x_add(turn, low(number, TURN_CHUNKS)), x_i32(f->vector));
	struct kx *to = mover_let(m, "to", x_sub(first, past_of(a, &a->target, from)));
	k_if(m->k, x_le(from, x_add(a->column[1], x_i32(f->vector - 1))));
	struct kx *at = mover_let(m, "at", x_offset(m->out, x_add(x_mul(x_to_i64(from), m->out_step), x_to_i64(to))));
	k_if(m->k, between((struct kx *[]){ a->row[0], x_sub(a->row[1], x_i32(f->vector - 1)) }, to));
	store_chunk(a, at, from, to);
	k_else(m->k);
	store_ends(a, at, from, to);
	k_end(m->k);
	k_end(m->k);
	k_end(m->k);
}

void turn_apart(const struct turn *t, struct plan *plan, struct turn_form form, const char *suffix)
{
	struct kx *size[2] = { x_i64(form.size[FROM]), x_i64(form.size[TO]) };
	struct mover m = mover_open(t, plan, form, suffix);
	block_launch_bounds(m.l);
	mover_place(&m, x_id(ID_BLOCK_X), size, size);
	mover_tile(&m, turn_apart_cells(&form));
	struct apart a = apart_open(&m);
	fill(&a);
	k_barrier(m.k);
	empty(&a);
	lowering_launch(m.l, mover_tiles(&m, size), x_i64(1), x_i64(1));
}
