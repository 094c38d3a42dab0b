/* separable_stages.c - the march of separable_gpu.c where a chunk's cells wait in shared memory.
 *
 * Copies that need no registers (cp.async) bring what the cells are computed from, as it lies in memory, STAGES chunks
 * ahead: 128 rows of f32 and 128 columns are 64 KiB, and a multiprocessor has three of them on their way.  A thread copies
 * exactly the cells that it uses itself, so that no barrier stands between; it computes them twice, for the totals of
 * the columns, a chunk ahead of the rest (separable_ahead.c), and for its rows (separable_rows.c).
 *
 * What lies behind the last row or column is 0 in shared memory, and in no cell's way: such a cell joins only what comes
 * behind it.  So what a cell is computed from may be nothing but its own cells of arrays, and quick to compute. */
#include "../access.h"
#include "separable_march.h"

/* ---- which arrays ---- */

static int index_of(const struct node *node, const struct expr *subscript)
{
	for (int d = 0; d < node->index.n; d++)
		if (subscript->kind == E_VAR && subscript->var == node->index.at[d])
			return d;
	return -1;
}

/* In which subscript the row's index is; -1: another has it, too, or the columns' is not the last one alone. */
static int row_subscript(const struct march *m, const struct expr *cell)
{
	const struct node *node = m->s->node;
	int found = -1, last = cell->arg.n - 1;
	for (int a = 0; a <= last; a++) {
		int d = index_of(node, cell->arg.at[a]);
		if (d < 0 || (d == axis_index(&m->axes, m->axes.n - 1)) != (a == last))
			return -1;
		if (d == axis_index(&m->axes, m->axes.n - 2) && found >= 0)
			return -1;
		found = d == axis_index(&m->axes, m->axes.n - 2) ? a : found;
	}
	return found;
}

struct kx *marching_stride(struct march *m, const struct expr *cell)
{
	const struct node *node = m->s->node;
	int a = 0, row = axis_index(&m->axes, m->axes.n - 2);
	while (!expr_uses(cell->arg.at[a], node->index.at[row]))
		a++;
	struct kx *stride = cells_stride(m->cells, cell->var, a);
	return node->wave->back[row] ? x_sub(x_i64(0), stride) : stride;
}

static struct staged *staged_find(struct march *m, const struct expr *read)
{
	for (int i = 0; i < m->arrays; i++)
		if (access_same(m->staged[i].read, read))
			return &m->staged[i];
	return NULL;
}

static bool fits_copies(const struct march *m, const struct type *type)
{
	int64_t bytes = type->kind == T_STRUCT ? 0 : type_size(type) * m->width;
	return bytes == 4 || bytes == 8 || bytes == 16;
}

static bool find_staged(struct expr *e, void *march)
{
	struct march *m = march;
	if (e->kind != E_READ)
		return e->kind != E_ELEM && e->kind != E_FOLD;
	if (staged_find(m, e))
		return true;
	if (m->arrays == MOST_STAGED || e->checked || var_home(e->var) || !fits_copies(m, e->type) || row_subscript(m, e) < 0)
		return false;
	m->staged[m->arrays++].read = e;
	return true;
}

bool stages_find(struct march *m)
{
	struct expr *rest = m->s->form->rest;
	m->arrays = 0;
	bool can = rest && !expr_slow(rest) && expr_walk(rest, find_staged, m);
	if (!can)
		m->arrays = 0;
	return m->arrays > 0;
}

int64_t stages_bytes(const struct march *m)
{
	int64_t bytes = (STAGES * m->warps * m->pitch + m->chunk) * type_size(m->type);
	for (int i = 0; i < m->arrays; i++)
		bytes += STAGES * m->height * m->chunk * type_size(m->staged[i].read->type);
	return bytes;
}

void stages_open(struct march *m)
{
	for (int i = 0; i < m->arrays; i++) {
		const struct expr *read = m->staged[i].read;
		m->staged[i].tile = k_shared_asked(m->k, read->type, str_print("%s_tile", read->var->name), STAGES * m->height * m->chunk);
	}
	m->part = k_shared_asked(m->k, m->type, "part", STAGES * m->warps * m->pitch);
	m->above = k_shared_asked(m->k, m->type, "above", m->chunk);
}

/* ---- copies ---- */

/* A thread's first cell in a stage of a tile. */
static struct kx *tile_place(struct march *m, struct kx *stage)
{
	struct kx *row = x_mul(x_add(x_mul(stage, x_i32(m->warps)), m->warp), x_i32(m->rows));
	return x_var(k_let(m->k, "own", x_add(x_mul(row, x_i32(m->chunk)), x_mul(m->lane, x_i32(m->width)))));
}

static struct kx *tile_row(struct march *m, struct kvar *tile, struct kx *own, struct kx *r)
{
	return x_offset(x_var(tile), x_add(own, x_mul(r, x_i32(m->chunk))));
}

static void fetch_array(struct march *m, const struct staged *s, struct kx *own)
{
	struct kernel *k = m->k;
	struct kx *cell = lower_cell(m->l, s->read);
	struct kvar *from = k_var(k, kt_pointer(s->read->type, true), "from", x_offset(cell->arg[0], cell->arg[1]));
	struct kx *r = marching_each(m, "r", m->rows);
	struct kx *arg[] = { tile_row(m, s->tile, own, r), x_var(from), x_and(m->inside, x_lt(r, m->rows_here)) };
	k_do(k, x_help(kt_scalar(T_I32), str_print("patc_fill_%d", (int)type_size(s->read->type) * m->width), 3, arg));
	k_set(k, x_var(from), x_offset(x_var(from), marching_stride(m, s->read)));
	k_end(k);
}

static void copies(struct march *m, const char *what)
{
	k_do(m->k, x_help(kt_scalar(T_I32), str_print("patc_copies_%s", what), 0, NULL));
}

/* What is behind the last chunk is asked for, too: nothing of it is there. */
static void fetch(struct march *m, struct kx *chunk, struct kx *stage)
{
	struct kernel *k = m->k;
	struct kx *column = x_add(x_mul(chunk, x_i64(m->chunk)), x_to_i64(x_mul(m->lane, x_i32(m->width))));
	column = x_var(k_let(k, "column", column));
	m->inside = x_var(k_let(k, "inside", x_lt(column, m->column_count)));
	marching_bind(m, m->axes.n - 2, m->row_first);
	marching_bind(m, m->axes.n - 1, column);
	struct kx *own = tile_place(m, stage);
	for (int i = 0; i < m->arrays; i++)
		fetch_array(m, &m->staged[i], own);
	copies(m, "end");
}

/* ---- cells ---- */

static struct kx *staged_read(struct lowering *l, const struct expr *e)
{
	struct march *m = (struct march *)l->state;
	return x_lane_at(x_var(staged_find(m, e)->vector), m->cell);
}

static void take_row(struct march *m, struct kx *r, struct kx *own)
{
	struct kernel *k = m->k;
	for (int i = 0; i < m->arrays; i++) {
		struct staged *s = &m->staged[i];
		s->vector = k_let(k, str_print("%s%d", s->read->var->name, m->width), x_vload(tile_row(m, s->tile, own, r), m->width));
	}
	m->cell = marching_each(m, "c", m->width);
	marching_bind(m, m->axes.n - 1, x_add(x_add(m->column_first, x_to_i64(marching_place(m, x_i32(0)))), x_to_i64(m->cell)));
	k_set(k, marching_slot(m, r, x_i32(0), m->cell), separable_rest(m->l, m->s));
	k_end(k);
}

/* The cells of a chunk in that stage, into registers. */
static void take_chunk(struct march *m, struct kx *chunk, struct kx *stage)
{
	struct kernel *k = m->k;
	struct kx *(*read)(struct lowering *, const struct expr *) = m->l->read;
	const void *state = m->l->state;
	m->column_first = x_var(k_let(k, "column_first", x_mul(chunk, x_i64(m->chunk))));
	struct kx *own = tile_place(m, stage), *r;
	m->l->read = staged_read;
	m->l->state = m;
	r = marching_each(m, "r", m->rows);
	marching_bind(m, m->axes.n - 2, x_add(m->row_first, x_to_i64(r)));
	take_row(m, r, own);
	k_end(k);
	m->l->read = read;
	m->l->state = state;
	marching_borders(m);
}

/* ---- values of the thread's columns, in shared memory ---- */

static int piece_of(const struct march *m)
{
	int most = (int)(16 / type_size(m->type));
	return m->width < most ? m->width : most;
}

static void put_columns(struct march *m, struct kx *to, struct kvar *from)
{
	struct kernel *k = m->k;
	int piece = piece_of(m);
	for (int at = 0; at < m->width; at += piece) {
		struct kvar *v = k_var(k, kt_vector(m->type, piece), "piece", NULL);
		for (int c = 0; c < piece; c++)
			k_set(k, x_lane(x_var(v), c), x_at(x_var(from), x_i32(at + c)));
		k_vstore(k, x_offset(to, x_i32(at)), x_var(v));
	}
}

/* to joins what is there, or becomes it. */
static void get_columns(struct march *m, struct kvar *to, struct kx *from, bool joins)
{
	struct kernel *k = m->k;
	int piece = piece_of(m);
	for (int at = 0; at < m->width; at += piece) {
		struct kvar *v = k_let(k, "piece", x_vload(x_offset(from, x_i32(at)), piece));
		for (int c = 0; c < piece; c++) {
			struct kx *value = x_at(x_var(to), x_i32(at + c));
			k_set(k, value, joins ? marching_join(m, value, x_lane(x_var(v), c)) : x_lane(x_var(v), c));
		}
	}
}

static struct kx *part_place(struct march *m, struct kx *stage)
{
	struct kx *row = x_mul(x_add(x_mul(stage, x_i32(m->warps)), m->warp), x_i32(m->pitch));
	return x_offset(x_var(m->part), x_add(row, x_mul(m->lane, x_i32(m->width))));
}

/* The thread's total of each of its columns. */
static void share_parts(struct march *m, struct kx *stage)
{
	struct kernel *k = m->k;
	struct kvar *sum = k_regs(k, m->type, "sum", m->width);
	struct kx *c = marching_each(m, "c", m->width), *value = x_at(x_var(sum), c);
	k_set(k, value, marching_slot(m, x_i32(0), x_i32(0), c));
	for (int r = 1; r < m->rows; r++)
		k_set(k, value, marching_join(m, marching_scale(m, value, m->up), marching_slot(m, x_i32(r), x_i32(0), c)));
	k_end(k);
	put_columns(m, part_place(m, stage), sum);
}

/* What is above the thread's rows: above the strip, as the rows between hand it down, and in the strip. */
static struct kvar *columns_above(struct march *m, struct kx *stage)
{
	struct kernel *k = m->k;
	struct kvar *above = k_regs(k, m->type, "before", m->width);
	get_columns(m, above, x_offset(x_var(m->above), x_mul(m->lane, x_i32(m->width))), false);
	if (m->up_warp) {
		struct kx *c = marching_each(m, "c", m->width), *value = x_at(x_var(above), c);
		k_if(k, x_lt(x_i32(0), m->warp));
		k_set(k, value, marching_scale(m, value, m->up_warp));
		k_end(k);
		k_end(k);
	}
	get_columns(m, above, part_place(m, stage), true);
	return above;
}

/* ---- the march ---- */

static void begin_strip(struct march *m)
{
	struct kernel *k = m->k;
	struct kx *rows = x_min(x_sub(m->row_count, m->row_first), x_i64(m->rows));
	m->rows_here = x_var(k_let(k, "rows_here", x_to_i32(rows)));
	ahead_strip(m);
	struct kx *r = marching_each(m, "r", m->rows);
	k_set(k, x_at(x_var(m->carry), r), marching_zero(m));
	k_end(k);
	struct kx *x = x_var(k_for(k, "x", x_i32(0), x_i32(STAGES), x_i32(1), FOR_ROLLED));
	fetch(m, x_to_i64(x), x);
	k_end(k);
}

/* Its totals, a chunk ahead. */
static void ahead(struct march *m, struct kx *next, struct kx *stage)
{
	struct kernel *k = m->k;
	struct kx *some = x_var(k_let(k, "some", x_lt(next, m->chunks)));
	k_if(k, some);
	copies(m, "but_one");
	take_chunk(m, next, stage);
	share_parts(m, stage);
	k_end(k);
	k_barrier(k);
	k_if(k, some);
	ahead_fold(m, stage, next);
	k_end(k);
}

static void finish(struct march *m, struct kx *stage)
{
	struct kernel *k = m->k;
	k_if(k, x_le(x_i64(0), m->chunk_number));
	take_chunk(m, m->chunk_number, stage);
	marching_down(m, x_i32(0), columns_above(m, stage));
	fetch(m, x_add(m->chunk_number, x_i64(STAGES)), stage);
	marching_along(m);
	k_end(k);
}

void stages_march(struct march *m)
{
	struct kernel *k = m->k;
	begin_strip(m);
	struct kx *stage = x_var(k_var(k, kt_scalar(T_I32), "stage", x_i32(STAGES - 1)));
	m->chunk_number = x_var(k_for(k, "chunk", x_i64(-1), m->chunks, x_i64(1), FOR_ROLLED));
	struct kx *next = x_cond(x_eq(stage, x_i32(STAGES - 1)), x_i32(0), x_add(stage, x_i32(1)));
	next = x_var(k_let(k, "next", next));
	ahead_ask(m);
	ahead(m, x_var(k_let(k, "next_chunk", x_add(m->chunk_number, x_i64(1)))), next);
	ahead_take(m);
	k_barrier(k);
	finish(m, stage);
	k_set(k, stage, next);
	k_end(k);
	k_barrier(k);
}
