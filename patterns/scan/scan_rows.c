/* scan_rows.c - a scan along the last axis on a GPU, in one launch and one pass over memory.
 *
 * A block takes a tile of neighbouring cells, a warp a stretch of it, which it walks row by row: a row is one
 * vector of 16 bytes a lane, lane after lane.  So every load and store is a whole vector, of neighbouring places
 * for neighbouring lanes, and nothing is transposed through shared memory.  All vectors of a thread are loaded
 * before the first is used, and stay in registers.
 *
 *   first    per row the total of the lane's cells; the rows are scanned over the lanes (block_scan.c), one after
 *            another joined; the tile learns what comes before it (look_back.c).
 *   second   each vector starts with the state that all before it leaves, and its cells are computed in order.
 *
 * Cells are numbered in the order of the scan: from right the last cell is number 0, or a few numbers later, so
 * that vectors stay whole.  Many sequences side by side are one long one, in which a cell may begin a sequence;
 * what comes before it is then no longer joined.
 *
 * A thread keeps ROW_WORDS registers of cells and totals, so that 3 blocks of 256 threads fit a multiprocessor
 * (by hand on an H200, 2^28 f32: 12 vectors a thread 3,270 GB/s, 8 vectors 3,150).  The last tile, and all where an
 * array does not begin at a vector, load and store cell by cell, and compute as all others do: one by one and in
 * turn the 48 cells of a thread took 5 us.  Only domains that are no box, other layouts and accesses that are tested
 * take their cells one after another, each as far as it is there. */
#include <assert.h>
#include "../../src/half.h"
#include "scan_gpu.h"

enum {
	ROW_WORDS = 52,                      /* registers for the cells and totals of a thread */
	TOTAL_WORDS = 32,                    /* for the totals alone, where shared memory holds the cells */
	HELD_BYTES = 40 * 1024,              /* of a block's shared memory */
	HELD_BLOCK = 128,                    /* threads that share it, */
	HELD_ROWS = 20, HELD_CELLS = 128     /* each of them so much at most */
};

struct tiles {
	struct scan *s;
	struct look_back *back;
	int64_t stretch, cells;              /* of a warp, of a tile */
	bool begins;                         /* cells other than the very first may begin a sequence */
	struct kx *tile, *first, *strip;     /* number of the warp's first cell; where its first vector lies */
	struct kx *last;                     /* from right: the cell whose number is 0 */
	struct kx *offset, *outer;           /* batched: place in its row of the tile's first cell; the row */
	struct kx *column, *all_rows;        /* place of the vector's first cell; how many rows there are */
	bool held;                           /* a thread holds its cells, there or not: Note [cells that are not there] */
	bool shared;                         /* it does so in shared memory */
	struct kx *whole;                    /* bool, if held: all of the tile is there, in vectors */
	struct rows rows;
};

/* ---- shape ---- */

struct holding { const struct node *node; LIST(const struct var *) at; };

static bool hold(struct expr *e, void *state)
{
	struct holding *h = state;
	if (!scan_own(h->node, e))
		return true;
	for (int i = 0; i < h->at.n; i++)
		if (h->at.at[i] == e->var)
			return true;
	list_add(&h->at, e->var);
	return true;
}

/* The arrays of which a thread holds its cells. */
static struct holding held_arrays(const struct scan *s)
{
	struct holding h = { .node = s->node };
	if (s->flat)
		scan_each(s->node, hold, &h);
	return h;
}

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

static int64_t at_most(int64_t rows, int64_t most)
{
	return rows < 1 ? 1 : rows > most ? most : rows;
}

static int rows_for(const struct tiles *t, const struct total *like)
{
	const struct scan *s = t->s;
	struct holding h = held_arrays(s);
	int64_t cell = h.at.n ? 0 : 1, bytes = 0, total = like->begins ? 2 : 0, most = SCAN_ROWS;
	for (int i = 0; i < h.at.n; i++) {
		cell += type_words(h.at.at[i]->type);
		bytes += type_size(h.at.at[i]->type);
	}
	for (int a = 0; a < like->acc.n; a++)
		total += type_words(like->acc.at[a].type);
	int64_t rows = ROW_WORDS / (cell * s->width + total);
	if (t->shared) {
		bool simple = !s->running->exclusive && !s->running->from_right;     /* more would be spilled otherwise */
		most = at_most(HELD_BYTES / (bytes * s->width * HELD_BLOCK), simple ? HELD_ROWS : 14);
		rows = at_most(TOTAL_WORDS / total, HELD_CELLS / s->width);
	}
	if (s->node->choice.coarsen)
		rows = s->node->choice.coarsen;
	return (int)at_most(rows, most);
}

/* ---- cells in shared memory ---- */

static bool own_only(struct expr *e, void *node)
{
	return e->kind != E_READ || scan_own(node, e);
}

static bool is_plain_type(const struct type *type)
{
	return type->kind != T_STRUCT && type->kind != T_BOOL && !is_half(type);
}

static bool is_quick(const struct expr *e)
{
	return !e || !expr_slow(e);
}

/* One fold or recurrence by built-in operators. */
static bool is_simple(const struct equation *eq, const struct accumulator *a)
{
	const struct recurrence *r = eq->recurrence;
	if (!r)
		return a->type == a->of && a->op->kind != OPK_USER && is_quick(eq->right);
	bool built_in = r->acc->kind != OPK_USER && (!r->dist || r->dist->kind != OPK_USER);
	return built_in && r->order == 1 && is_quick(r->weight[0]) && is_quick(r->rest);
}

/* Shared memory holds the cells of a tile: registers then keep totals alone, and 5 blocks fit a multiprocessor where 2 or
 * 3 would (on an H200, 2^28 cells: f64 3,170 GB/s for 2,350, u8 2,480 for 1,250, recurrences 328 G cells/s for 250).
 * Of statements known to fit the registers left; others would spill. */
static bool fits_shared(const struct scan *s, const struct total *like)
{
	struct holding h = held_arrays(s);
	const struct running *r = s->running;
	const struct equation *eq = s->node->equation.at[0];
	bool turned = r->exclusive || r->from_right, recurs = eq->recurrence;
	if (s->l->target->unit_shared < 4 * HELD_BYTES || s->width == 1 || s->node->equation.n > 1 || like->acc.n > 1)
		return false;
	if (!h.at.n || h.at.n > 1 + recurs || type_words(like->acc.at[0].type) > 2 || !is_simple(eq, &like->acc.at[0]))
		return false;
	for (int i = 0; i < h.at.n; i++)
		if (!is_plain_type(h.at.at[i]->type) || (recurs && type_size(h.at.at[i]->type) != 4))
			return false;
	for (int d = 0; !s->marks && d < s->node->index.n; d++)
		if (s->uses[d])
			return false;
	bool unusual = recurs || s->width > 4 || s->cuts;
	return scan_each(s->node, own_only, (void *)s->node) && !(turned && unusual) && !(s->cuts && (!s->marks || recurs));
}

/* ---- where a cell lies ---- */

static struct kx *vector_number(const struct tiles *t, struct kx *v)
{
	return x_add(x_mul(v, x_i32(t->s->l->target->lanes)), t->back->lane);
}

/* The number of cell c of the vector, in the order of the scan. */
static struct kx *cell_number(const struct tiles *t, struct kx *v, struct kx *c)
{
	struct kx *at = x_mul(vector_number(t, v), x_i32(t->s->width));
	return x_add(t->first, x_to_i64(c ? x_add(at, c) : at));
}

/* From right the vector lies backwards. */
static struct kx *lane_of_cell(const struct tiles *t, struct kx *c)
{
	return t->s->running->from_right ? x_sub(x_i32(t->s->width - 1), c) : c;
}

/* Where a thread holds cell c of vector v. */
static struct kx *slot_of(const struct tiles *t, struct kx *v, struct kx *c)
{
	struct kx *vector = v;
	if (t->shared) {
		struct kx *row = x_add(x_mul(t->back->warp, x_i32(t->rows.n)), v);
		vector = x_add(x_mul(row, x_i32(t->s->l->target->lanes)), t->back->lane);
	}
	return x_add(x_mul(vector, x_i32(t->s->width)), c ? lane_of_cell(t, c) : x_i32(0));
}

/* Cells before the first, so that the last ends a vector. */
static struct kx *padding(const struct tiles *t)
{
	return t->last && t->s->width > 1 ? x_sub(x_add(t->last, x_i64(1)), scan_count(t->s)) : x_i64(0);
}

static bool counts(const struct tiles *t)
{
	return t->s->node->index.n > 1;
}

/* Place `at` of sequences of that length, counted from the begin of one: the place in its own.  Cheap where it can
 * be: a tile reaches into the next sequence at most, or fits 32 bits. */
static struct kx *place_in(struct kx *at, struct kx *length)
{
	struct ktype u32 = kt_scalar(T_U32);
	struct kx *small = x_to_i64(x_op(OP_REM, x_cast(u32, at), x_cast(u32, length)));
	struct kx *far = x_cond(x_lt(length, x_i64(INT64_C(1) << 31)), small, x_sub(at, length));
	return x_cond(x_lt(at, length), at, far);
}

/* The marks of a vector's cells lie in one word, whose bits it divides. */
static void open_marks(struct tiles *t, struct kx *v)
{
	struct scan *s = t->s;
	if (!s->marks || counts(t) || !t->held || t->last || s->width == 1 || !x_is_int(scan_lo(s, s->axis), 0))
		return;
	struct kx *first = x_var(k_let(s->l->k, "start", cell_number(t, v, NULL)));
	struct kx *word = x_at(s->marks, x_op(OP_SHR, x_min(first, x_sub(scan_count(s), x_i64(1))), x_i32(5)));
	struct kx *bits = x_op(OP_SHR, word, x_to_i32(x_op(OP_AND, first, x_i64(31))));
	struct kx *very_first = x_cond(x_eq(first, x_i64(0)), x_int(T_U32, 1), x_int(T_U32, 0));
	s->mark_bits = x_var(k_let(s->l->k, "marks", x_op(OP_OR, bits, very_first)));
}

/* Before the cells of vector v: the marks of its cells, or the counters of its place. */
static void open_vector(struct tiles *t, struct kx *v)
{
	struct scan *s = t->s;
	struct kernel *k = s->l->k;
	open_marks(t, v);
	if (!counts(t))
		return;
	struct kx *length = scan_size(s, s->axis);
	struct kx *at = x_mul(x_add(vector_number(t, v), x_mul(t->back->warp, x_i32((int)(t->stretch / s->width)))), x_i32(s->width));
	at = x_var(k_let(k, "at", x_add(t->offset, x_to_i64(at))));
	t->column = x_var(k_let(k, "start", place_in(at, length)));
	s->column = k_var(k, kt_scalar(T_I64), "column", t->column);
	s->row = NULL;
	if (scan_uses_row(s, false))
		s->row = k_var(k, kt_scalar(T_I64), "row", x_add(t->outer, x_div(at, length)));
}

/* Behind a cell: the place of the next. */
static void next_cell(struct tiles *t)
{
	struct scan *s = t->s;
	struct kernel *k = s->l->k;
	if (!counts(t) || s->width == 1)
		return;
	k_set(k, x_var(s->column), x_add(x_var(s->column), x_i64(1)));
	k_if(k, x_eq(x_var(s->column), scan_size(s, s->axis)));
	k_set(k, x_var(s->column), x_i64(0));
	if (s->row)
		k_set(k, x_var(s->row), x_add(x_var(s->row), x_i64(1)));
	k_end(k);
}

/* The number of a row that is there. */
static struct kx *row_there(struct tiles *t)
{
	struct scan *s = t->s;
	struct kx *row = s->row ? x_var(s->row) : NULL;
	if (row && t->held)
		row = x_min(row, x_sub(t->all_rows, x_i64(1)));
	if (row && t->last)
		row = x_sub(x_sub(t->all_rows, x_i64(1)), t->held ? x_max(row, x_i64(0)) : row);
	return row;
}

/* Cell c of vector v is at hand: its number, and its indices if something asks for them. */
static void set_cell(struct tiles *t, struct kx *v, struct kx *c)
{
	struct scan *s = t->s;
	struct kx *number = cell_number(t, v, c), *column = counts(t) ? x_var(s->column) : x_sub(number, padding(t));
	if (t->held && !counts(t))
		column = x_min(column, x_sub(scan_count(s), x_i64(1)));
	s->slot = t->held ? slot_of(t, v, c) : NULL;
	s->lane = s->mark = c ? lane_of_cell(t, c) : x_i32(0);
	s->number = t->last ? x_sub(t->last, number) : number;
	scan_bind(s, column, row_there(t));
}

/* The cell at hand begins a sequence; NULL: it does not, or nothing needs to know. */
static struct kx *head_of(struct tiles *t, struct kx *v, struct kx *c)
{
	struct scan *s = t->s;
	if (counts(t) || !s->even || s->cuts)
		return scan_head(s, counts(t) ? x_var(s->column) : NULL);
	if (!carry_marks(s->carry))
		return NULL;
	struct kx *first = x_eq(cell_number(t, v, c), padding(t));
	return t->held ? x_and(x_eq(v, x_i32(0)), first) : first;
}

/* The cell at hand is there. */
static struct kx *is_there(struct tiles *t)
{
	struct scan *s = t->s;
	struct kx *there = x_lt(s->number, scan_count(s));
	there = t->last ? x_and(x_le(x_i64(0), s->number), there) : there;
	there = x_and(there, s->even ? NULL : cells_guard(s->cells));
	return x_and(there, scan_inside(s));
}

/* ---- loads ---- */

static struct kx *vector_place(const struct tiles *t, struct kx *v)
{
	struct kx *n = x_mul(vector_number(t, v), x_i32(t->s->width));
	return t->last ? x_sub(t->strip, x_to_i64(n)) : x_add(t->strip, x_to_i64(n));
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
	if (t->shared) {
		k_vstore(k, x_offset(x_var(h->cells), slot_of(t, v, NULL)), x_var(vector));
		return;
	}
	struct kx *c = x_var(k_for(k, "c", x_i32(0), x_i32(s->width), x_i32(1), FOR_UNROLL));
	k_set(k, x_at(x_var(h->cells), slot_of(t, v, c)), x_lane_at(x_var(vector), lane_of_cell(t, c)));
	k_end(k);
}

static struct kx *open_lanes(struct tiles *t)
{
	struct scan *s = t->s;
	return s->width > 1 ? x_var(k_for(s->l->k, "c", x_i32(0), x_i32(s->width), x_i32(1), FOR_UNROLL)) : NULL;
}

static void close_lanes(struct tiles *t)
{
	if (t->s->width > 1)
		k_end(t->s->l->k);
}

/* Note [cells that are not there]: whoever has a number outside the array holds the cell nearest to it instead, so
 * that a tile is computed in one way whether it is whole or not.  Such cells come behind all others, and are not
 * stored; only from right those of a first vector come before, and are left out. */
static void load_cells(struct tiles *t, const struct held *h, struct kx *v)
{
	struct scan *s = t->s;
	struct kernel *k = s->l->k;
	struct kx *c = open_lanes(t), *number = cell_number(t, v, c);
	struct kx *at = number;
	if (t->last)
		at = x_max(x_sub(t->last, number), x_i64(0));
	at = x_min(at, x_sub(scan_count(s), x_i64(1)));
	k_set(k, x_at(x_var(h->cells), slot_of(t, v, c)), x_at(lower_pointer(s->l, h->var), at));
	close_lanes(t);
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
	if (!t->held)
		return;
	for (int i = 0; i < h.at.n; i++) {
		const struct var *var = h.at.at[i];
		const char *name = str_print("%s_held", var->name);
		int64_t cells = (int64_t)t->rows.n * s->width;
		struct kvar *held = t->shared ? k_shared(s->l->k, var->type, name, cells * s->l->k->block[0])
		                              : k_regs(s->l->k, var->type, name, cells);
		if (t->shared)
			held->align = 16;
		list_add(&s->held, ((struct held){ var, held }));
	}
	if (!h.at.n)
		return;
	k_if(s->l->k, t->whole);
	load_each(t, load_vector);
	k_else(s->l->k);
	load_each(t, load_cells);
	k_end(s->l->k);
}

/* ---- the two passes ---- */

/* Opens the loop over the cells of vector v, and the test whether one takes part. */
static struct kx *open_cells(struct tiles *t, struct kx *v)
{
	struct scan *s = t->s;
	struct kernel *k = s->l->k;
	struct kx *c = s->width > 1 ? x_var(k_for(k, "c", x_i32(0), x_i32(s->width), x_i32(1), t->held ? FOR_UNROLL : FOR_ROLLED)) : NULL;
	set_cell(t, v, c);
	if (!t->held)
		k_if(k, is_there(t));
	else if (t->last && s->width > 1)
		k_if(k, x_or(x_lt(x_i32(0), v), x_le(padding(t), cell_number(t, v, c))));
	return c;
}

static void close_cells(struct tiles *t)
{
	if (!t->held || (t->last && t->s->width > 1))
		k_end(t->s->l->k);
	next_cell(t);
	close_lanes(t);
}

static void first_pass(struct tiles *t)
{
	struct scan *s = t->s;
	struct kernel *k = s->l->k;
	struct kx *v = rows_open(s->l, &t->rows);
	struct total total = total_new(s->l, &t->rows.like);
	open_vector(t, v);
	struct kx *c = open_cells(t, v), *head = head_of(t, v, c);
	if (head)
		head = x_var(k_let(k, "head", head));
	if (total.begins && head)
		k_set(k, x_var(total.begins), x_or(x_var(total.begins), head));
	carry_add(s->carry, &total.acc, head);
	close_cells(t);
	rows_set(s->l, &t->rows, v, &total);
	k_end(k);
}

static void declare_out(struct tiles *t)
{
	struct scan *s = t->s;
	s->out.n = 0;
	for (int i = 0; t->held && s->width > 1 && node_target(s->node, i); i++) {
		const struct var *var = target_read(node_target(s->node, i))->var;
		list_add(&s->out, k_var(s->l->k, kt_vector(var->type, s->width), str_print("%s%d", var->name, s->width), NULL));
	}
}

/* See Note [address of a store] in cells_gpu.c. */
static void store_vectors(struct tiles *t, struct kx *v)
{
	struct scan *s = t->s;
	struct kx *n = vector_number(t, v);
	for (int i = 0; i < s->out.n; i++) {
		const struct var *var = target_read(node_target(s->node, i))->var;
		struct kx *place = x_offset(lower_pointer(s->l, var), t->strip);
		k_vstore_at(s->l->k, place, t->last ? x_unary(OP_NEG, n) : n, x_var(s->out.at[i]));
	}
}

static void store_cells(struct tiles *t, struct kx *v)
{
	struct scan *s = t->s;
	struct kernel *k = s->l->k;
	bool asks = s->marks && counts(t);       /* its place in the row */
	if (asks)
		k_set(k, x_var(s->column), t->column);
	struct kx *c = open_lanes(t), *number = cell_number(t, v, c);
	s->number = t->last ? x_sub(t->last, number) : number;
	s->lane = c ? lane_of_cell(t, c) : x_i32(0);
	if (s->marks)
		scan_bind(s, asks ? x_var(s->column) : x_sub(number, padding(t)), NULL);
	k_if(k, is_there(t));
	for (int i = 0; i < s->out.n; i++) {
		const struct var *var = target_read(node_target(s->node, i))->var;
		k_set(k, x_at(lower_pointer(s->l, var), s->number), x_lane_at(x_var(s->out.at[i]), s->lane));
	}
	k_end(k);
	if (asks)
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
	struct scan *s = t->s;
	struct total up_to = total_same(s->l, before), row = rows_get(s->l, &t->rows, v);
	total_join(s->l, &up_to, &row);
	if (s->running->froms && s->row)
		scan_bind_row(s, row_there(t));
	carry_resume(s->carry, &up_to.acc);
}

static void second_pass(struct tiles *t, const struct total *before)
{
	struct scan *s = t->s;
	struct kernel *k = s->l->k;
	scan_use_from(s);
	struct kx *v = rows_open(s->l, &t->rows);
	if (!t->held)
		k_if(k, has_cells(t, v));
	open_vector(t, v);
	resume(t, before, v);
	declare_out(t);
	struct kx *c = open_cells(t, v), *head = head_of(t, v, c);
	s->stores = t->held ? x_or(x_and(t->whole, scan_all_inside(s)), is_there(t)) : NULL;
	carry_cell(s->carry, head ? x_var(k_let(k, "head", head)) : NULL, scan_store, s);
	close_cells(t);
	store_out(t, v);
	if (!t->held)
		k_end(k);
	k_end(k);
}

/* ---- host ---- */

/* Every flat array begins at a multiple of its vectors; NULL: vectors need none. */
static struct kx *aligned(const struct scan *s)
{
	struct holding h = held_arrays(s);
	struct kx *all = NULL;
	for (int i = 0; node_target(s->node, i); i++)
		hold(target_read(node_target(s->node, i)), &h);
	for (int i = 0; i < h.at.n; i++) {
		struct kx *arg[] = { host_var_x(s->l->plan, h.at.at[i]), x_i64(type_size(h.at.at[i]->type) * s->width) };
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
	struct kx *pad = padding(t), *from = x_is_int(pad, 0) ? start : x_sub(start, pad);
	t->first = x_var(k_let(k, "first", x_add(start, x_mul(x_to_i64(t->back->warp), x_i64(t->stretch)))));
	if (counts(t)) {
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
	t->strip = t->first;
	if (t->last)
		t->strip = x_var(k_let(k, "strip", x_sub(t->last, x_add(t->first, x_i64(s->width - 1)))));
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

void scan_rows(struct plan *plan, const struct node *node)
{
	struct scan *s = scan_begin(plan, node, true);
	struct lowering *l = s->l;
	struct tiles t = { .s = s, .held = s->flat && s->even && !node_checked(node) && weights_near(node) };
	struct total like = kinds(s);
	t.shared = t.held && fits_shared(s, &like);
	int rows = rows_for(&t, &like);
	block_launch_bounds(l);
	l->k->min_blocks = t.shared ? (s->cuts ? 4 : 5) : !is_plain(s, &like);
	if (t.shared)
		l->k->block[0] = HELD_BLOCK;
	t.stretch = (int64_t)rows * l->target->lanes * s->width;
	t.cells = t.stretch * (l->k->block[0] / l->target->lanes);
	struct kx *cells = s->host_cells, *blocks, *vectors = NULL;
	if (node->running->from_right) {
		cells = s->width == 1 ? cells : x_mul(x_div_up(cells, x_i64(s->width)), x_i64(s->width));
		t.last = lower_argument(l, "last", kt_scalar(T_I64), x_sub(cells, x_i64(1)));
	}
	if (s->width > 1)
		vectors = lower_argument(l, "vectors", kt_scalar(T_BOOL), aligned(s));
	struct kx *tiles = plan_let(plan, "tiles", x_div_up(cells, x_i64(t.cells)));
	struct kx *most = x_div_up(most_cells(s), x_i64(t.cells));
	scan_check_length(s);
	t.back = look_back_open(l, &like, tiles, most, &blocks, &t.tile);
	tile_places(&t, vectors);
	t.rows = rows_new(l, &like, rows);
	load_all(&t);
	first_pass(&t);
	struct total warp = rows_scan(l, &t.rows, t.back->lane);
	struct total before = look_back(l, t.back, t.tile, &warp);
	second_pass(&t, &before);
	look_back_close(l);
	lowering_launch(l, blocks, x_i64(1), x_i64(1));
}
