/* turn_gpu.c - a transpose on a GPU: a block turns a tile in shared memory.
 *
 * Several kernels, of which the host takes one:
 *
 * vectors   16 bytes of the widest array an access on both sides, where every row begins at a multiple of them and is a
 *           whole number of them. A tile is 256 bytes wide and as many rows long as make 64 cells or 8 accesses: of f32
 *           64 x 64, four loads a thread, under way before the first is stored. A chunk, the cells of one access, lies in
 *           row r at its number ^ (r / vector) % 8: so eight lanes that store neighbouring chunks of a row, and eight that
 *           gather the cells of a chunk of the other side from as many rows, find eight different chunks of the banks,
 *           without a padded row that would spoil the alignment. What is written does not stay in the caches, and blocks
 *           that run together write whole rows (turn_move.c): on an H200 f32 16384^2 takes 0.54 ms so, like a copy; 0.57
 *           with groups of 8 rows of tiles, 0.55 with stores that stay.
 * apart     16 bytes an access, too, where rows begin anywhere: turn_apart.c.
 * thin      words, where one side is shorter than a tile and its rows lie one behind another: turn_thin.c.
 * singles   a cell an access: any sizes, alignments, types and masks. The tile's shape is the host's: as few cells along a
 *           short side as there are (an array of n x 3), the rest along the other; rows are padded by a cell, or by
 *           a bank's.
 *
 * Behind the last row and column the last one is loaded again; it is not stored. */
#include "turn.h"

enum {
	SMALL = 512,                         /* cells of a plane: many of them make no tile */
	CHUNKS = TURN_CHUNKS, ACCESS = TURN_ACCESS,
	READ_BYTES = 256,                    /* of a row that a tile of vectors reads, of its widest array; ... */
	WRITTEN = 64,                        /* ... and cells of one that it writes, if no access needs more */
	APART = 128,                         /* cells of a row where rows begin anywhere, at most */
	BYTES = 1 << 14,                     /* of a tile of singles */
	SHORT = 2                            /* log2 of the cells of a tile's shortest side */
};

static struct kx *low(struct kx *x, int cells)
{
	return x_op(OP_AND, x, x_i32(cells - 1));
}

static struct kx *high(struct kx *x, int cells)
{
	return x_op(OP_SHR, x, x_i32(log2_of(cells)));
}

/* ---- forms ---- */

static int64_t widest(const struct turn *t)
{
	int64_t bytes = type_size(t->target->type);
	for (int r = 0; r < t->reads; r++)
		bytes = type_size(t->read[r]->type) > bytes ? type_size(t->read[r]->type) : bytes;
	return bytes;
}

static bool is_power(int64_t x)
{
	return (x & (x - 1)) == 0;
}

int turn_vector(const struct turn *t, const struct target *target)
{
	int64_t bytes = widest(t);
	bool powers = is_power(type_size(t->target->type));
	for (int r = 0; r < t->reads; r++)
		powers = powers && is_power(type_size(t->read[r]->type));
	if (!target->gpu || t->node->where || !powers || bytes >= ACCESS || !turn_starts_at_zero(t, t->from) || !turn_starts_at_zero(t, t->to))
		return 1;
	int most = ACCESS / (int)bytes, chosen = t->node->choice.vector;
	return chosen && chosen < most ? chosen : most;
}

static struct turn_form form_of(const struct turn *t, const struct target *target, int from, int to)
{
	return (struct turn_form){ .size = { from, to }, .vector = turn_vector(t, target), .threads = target->block };
}

static bool form_fits(const struct turn *t, const struct target *target, const struct turn_form *f)
{
	int64_t cells = (int64_t)f->size[FROM] * f->size[TO], bytes = 0;
	for (int r = 0; r < t->reads; r++)
		bytes += cells * type_size(t->read[r]->type);
	bool whole = is_power(f->size[FROM]) && is_power(f->size[TO]) && f->size[FROM] >= CHUNKS * f->vector && f->size[TO] >= CHUNKS * f->vector;
	return whole && f->size[FROM] / f->vector <= f->threads && cells / f->vector >= f->threads && bytes <= target->shared_bytes;
}

/* What an H200 likes best; less where several arrays want room. */
struct turn_form turn_form(const struct turn *t, const struct target *target, const int *pinned)
{
	struct turn_form f = form_of(t, target, pinned[0], pinned[1]);
	if (pinned[0] && !pinned[2] && form_fits(t, target, &f))
		return f;
	int least = CHUNKS * turn_vector(t, target), from = READ_BYTES / (int)widest(t);
	f = form_of(t, target, from > least ? from : least, WRITTEN > least ? WRITTEN : least);
	while (!form_fits(t, target, &f) && (f.size[FROM] > least || f.size[TO] > least))
		f.size[f.size[FROM] >= f.size[TO] ? FROM : TO] /= 2;
	return f;
}

/* The same where rows begin anywhere, if there is room for what is around it: not as wide, of bytes. */
static bool apart_form(const struct turn *t, const struct target *target, struct turn_form f, struct turn_form *apart)
{
	int64_t bytes = 0;
	for (int r = 0; r < t->reads; r++)
		bytes += type_size(t->read[r]->type);
	while (f.size[FROM] > APART && f.size[FROM] > CHUNKS * f.vector)
		f.size[FROM] /= 2;
	f.halo = f.vector - 1;
	*apart = f;
	return turn_apart_cells(&f) * bytes <= target->shared_bytes && (int64_t)f.size[FROM] * f.size[TO] >= (int64_t)f.vector * f.threads;
}

const char *turn_unfit(const struct turn *t, const struct target *target, const int *tile)
{
	const struct turn_form f = form_of(t, target, tile[0], tile[1]);
	if (f.vector == 1)
		return "cells are moved one by one, in tiles whose sides the host chooses";
	if (tile[2] || !form_fits(t, target, &f))
		return str_print("its two sides are powers of two, %d or more, for at least %d cells and at most %lld bytes of shared memory",
		                 CHUNKS * f.vector, f.threads * f.vector, (long long)target->shared_bytes);
	return NULL;
}

/* ---- vectors ---- */

/* Where a cell of a row of the tile is: chunks change places. */
static struct kx *swizzled(const struct turn_form *f, struct kx *row, struct kx *chunk)
{
	struct kx *turned = x_op(OP_XOR, chunk, low(high(row, f->vector), CHUNKS));
	return x_add(x_mul(row, x_i32(f->size[FROM])), x_mul(turned, x_i32(f->vector)));
}

static void fill_vectors(struct mover *m)
{
	const struct turn_form *f = &m->form;
	int chunks = f->size[FROM] / f->vector, rows = f->threads / chunks, loads = f->size[TO] / rows;
	struct kx *last_row = mover_last(m, TO, "last_row", x_i32(f->size[TO]), 1);
	struct kx *last = mover_last(m, FROM, "last_column", x_i32(f->size[FROM]), f->vector);
	struct kx *chunk = mover_let(m, "chunk", low(block_thread(m->l), chunks)), *row = mover_let(m, "row", high(block_thread(m->l), chunks));
	struct kx *column = mover_let(m, "column", x_to_i64(x_min(x_mul(chunk, x_i32(f->vector)), last)));
	struct kx *vector[TURN_READS][ACCESS];
	for (int n = 0; n < loads; n++) {
		struct kx *at = x_to_i64(x_min(x_add(row, x_i32(n * rows)), last_row));
		for (int r = 0; r < m->turn->reads; r++) {
			struct kx *from = x_offset(m->in[r], x_add(x_mul(at, m->in_step[r]), column));
			vector[r][n] = mover_let(m, str_print("%s%d", m->turn->read[r]->var->name, f->vector), x_vload(from, f->vector));
		}
	}
	for (int n = 0; n < loads; n++) {
		struct kx *place = mover_let(m, "spot", swizzled(f, x_add(row, x_i32(n * rows)), chunk));
		for (int r = 0; r < m->turn->reads; r++)
			k_vstore(m->k, x_offset(x_var(m->tile[r]), place), vector[r][n]);
	}
}

/* The chunk of eight lanes each: neighbours along the row of the target, from the same column of the tile. */
static void empty_vectors(struct mover *m)
{
	const struct turn_form *f = &m->form;
	int stores = f->size[FROM] * f->size[TO] / f->vector / f->threads;
	struct kx *last_row = mover_last(m, TO, "last_chunk", x_i32(f->size[TO]), f->vector);
	struct kx *last = mover_last(m, FROM, "last_target", x_i32(f->size[FROM]), 1);
	struct kx *n = x_var(k_for(m->k, "store", x_i32(0), x_i32(stores), x_i32(1), FOR_UNROLL));
	struct kx *number = mover_let(m, "number", x_add(block_thread(m->l), x_mul(n, x_i32(f->threads))));
	struct kx *lane = low(number, CHUNKS), *turn = x_mul(high(number, CHUNKS * f->size[FROM]), x_i32(CHUNKS));
	struct kx *to = mover_let(m, "to", x_mul(x_add(turn, lane), x_i32(f->vector)));
	struct kx *from = mover_let(m, "from", low(high(number, CHUNKS), f->size[FROM]));
	struct kx *place = mover_let(m, "cell", x_add(swizzled(f, to, high(from, f->vector)), low(from, f->vector)));
	k_if(m->k, x_and(x_le(from, last), x_le(to, last_row)));
	const struct expr *target = m->turn->target;
	struct kx *at = mover_let(m, "at", x_offset(m->out, x_add(x_mul(x_to_i64(from), m->out_step), x_to_i64(to)))), *old = NULL;
	if (turn_reads_own(m->turn))
		old = mover_let(m, "old", x_vload(at, f->vector));
	struct kx *out = x_var(k_var(m->k, kt_vector(target->type, f->vector), str_print("%s%d", target->var->name, f->vector), NULL));
	struct kx *c = x_var(k_for(m->k, "c", x_i32(0), x_i32(f->vector), x_i32(1), FOR_UNROLL));
	mover_place_all(m, x_add(place, x_mul(c, x_i32(f->size[FROM]))));
	mover_store(m, x_to_i64(from), x_to_i64(x_add(to, c)), old ? x_lane_at(old, c) : NULL, x_lane_at(out, c));
	k_end(m->k);
	k_do(m->k, x_help(kt_scalar(T_I32), "patc_pass", 2, (struct kx *[]){ at, out }));
	k_end(m->k);
	k_end(m->k);
}

/* ---- singles ---- */

static int cells_of_singles(const struct turn *t)
{
	int cells = BYTES / 4;
	while (cells > 256 && cells * widest(t) * t->reads > BYTES)
		cells /= 2;
	return cells;
}

/* Behind each row, so that the cells of a column are in different banks: a cell, or the cells of a bank. */
static int pad_of(const struct turn *t)
{
	int pad = 1;
	for (int r = 0; r < t->reads; r++)
		pad = pad * type_size(t->read[r]->type) < 4 ? 4 / (int)type_size(t->read[r]->type) : pad;
	return pad;
}

/* log2 of a tile's cells along `from`: half, or what a short side needs. */
static struct kx *choose_bits(const struct mover *m, int cells)
{
	struct plan *plan = m->l->plan;
	int all = log2_of(cells), half = all / 2;
	struct kx *from = turn_count(plan, m->turn, m->turn->from), *to = turn_count(plan, m->turn, m->turn->to);
	struct kx *bits = x_i32(half);
	for (int b = all - half - 1; b >= SHORT; b--)
		bits = x_cond(x_le(to, x_i64(INT64_C(1) << b)), x_i32(all - b), bits);
	for (int b = half - 1; b >= SHORT; b--)
		bits = x_cond(x_le(from, x_i64(INT64_C(1) << b)), x_i32(b), bits);
	return kx_fold(bits);
}

struct rows { struct kx *bits, *columns; int cells; };       /* of a tile along one side: log2, number */

static struct kx *pitched(const struct mover *m, const struct rows *from, struct kx *row, struct kx *column)
{
	return x_add(x_mul(row, x_add(from->columns, x_i32(pad_of(m->turn)))), column);
}

static struct kx *number_of(struct mover *m, struct kx *n)
{
	return mover_let(m, "number", x_add(block_thread(m->l), x_mul(n, x_i32(m->form.threads))));
}

static struct kx *in_row(struct kx *number, struct kx *columns)
{
	return x_op(OP_AND, number, x_sub(columns, x_i32(1)));
}

static void fill_singles(struct mover *m, const struct rows *from, struct kx *last_row, struct kx *last)
{
	struct kvar *held[TURN_READS];
	int loads = from->cells / m->form.threads;
	for (int r = 0; r < m->turn->reads; r++)
		held[r] = k_regs(m->k, m->turn->read[r]->type, str_print("%s_next", m->turn->read[r]->var->name), loads);
	struct kx *n = x_var(k_for(m->k, "load", x_i32(0), x_i32(loads), x_i32(1), FOR_UNROLL)), *number = number_of(m, n);
	struct kx *row = mover_let(m, "row", x_to_i64(x_min(x_op(OP_SHR, number, from->bits), last_row)));
	struct kx *column = mover_let(m, "column", x_to_i64(x_min(in_row(number, from->columns), last)));
	for (int r = 0; r < m->turn->reads; r++)
		k_set(m->k, x_at(x_var(held[r]), n), x_at(m->in[r], x_add(x_mul(row, m->in_step[r]), column)));
	k_end(m->k);
	n = x_var(k_for(m->k, "load", x_i32(0), x_i32(loads), x_i32(1), FOR_UNROLL));
	number = number_of(m, n);
	struct kx *place = mover_let(m, "spot", pitched(m, from, x_op(OP_SHR, number, from->bits), in_row(number, from->columns)));
	for (int r = 0; r < m->turn->reads; r++)
		k_set(m->k, x_at(x_var(m->tile[r]), place), x_at(x_var(held[r]), n));
	k_end(m->k);
}

static void empty_singles(struct mover *m, const struct rows *from, const struct rows *to, struct kx *last_row, struct kx *last)
{
	struct kx *n = x_var(k_for(m->k, "store", x_i32(0), x_i32(from->cells / m->form.threads), x_i32(1), FOR_UNROLL));
	struct kx *number = number_of(m, n);
	struct kx *row = mover_let(m, "to", in_row(number, to->columns)), *column = mover_let(m, "from", x_op(OP_SHR, number, to->bits));
	k_if(m->k, x_and(x_le(row, last_row), x_le(column, last)));
	struct kx *into = x_at(m->out, x_add(x_mul(x_to_i64(column), m->out_step), x_to_i64(row)));
	mover_place_all(m, pitched(m, from, row, column));
	mover_store(m, x_to_i64(column), x_to_i64(row), into, into);
	k_end(m->k);
	k_end(m->k);
}

/* ---- the kernels ---- */

static void vectors_kernel(const struct turn *t, struct plan *plan, struct turn_form form, const char *suffix)
{
	struct kx *size[2] = { x_i64(form.size[FROM]), x_i64(form.size[TO]) };
	struct mover m = mover_open(t, plan, form, suffix);
	block_launch_bounds(m.l);
	mover_place(&m, x_id(ID_BLOCK_X), size, size);
	mover_tile(&m, (int64_t)form.size[FROM] * form.size[TO]);
	fill_vectors(&m);
	k_barrier(m.k);
	empty_vectors(&m);
	lowering_launch(m.l, mover_tiles(&m, size), x_i64(1), x_i64(1));
}

static void singles_kernel(const struct turn *t, struct plan *plan, struct turn_form form, const char *suffix)
{
	int cells = cells_of_singles(t), all = log2_of(cells);
	struct mover m = mover_open(t, plan, form, suffix);
	block_launch_bounds(m.l);
	struct kx *host_bits = plan_let(plan, "tile_bits", choose_bits(&m, cells)), *host_size[2];
	host_size[FROM] = plan_let(plan, "tile_columns", x_op(OP_SHL, x_i64(1), host_bits));
	host_size[TO] = plan_let(plan, "tile_rows", x_op(OP_SHR, x_i64(cells), host_bits));
	struct rows from = { .bits = lower_argument(m.l, "column_bits", kt_scalar(T_I32), host_bits), .cells = cells }, to = from;
	from.columns = mover_let(&m, "columns", x_op(OP_SHL, x_i32(1), from.bits));
	to.bits = mover_let(&m, "row_bits", x_sub(x_i32(all), from.bits));
	to.columns = mover_let(&m, "rows", x_op(OP_SHL, x_i32(1), to.bits));
	mover_place(&m, x_id(ID_BLOCK_X), (struct kx *[]){ from.columns, to.columns }, host_size);
	mover_tile(&m, cells + (int64_t)(cells >> SHORT) * pad_of(t));
	struct kx *last_row = mover_last(&m, TO, "last_row", to.columns, 1), *last = mover_last(&m, FROM, "last_column", from.columns, 1);
	fill_singles(&m, &from, last_row, last);
	k_barrier(m.k);
	empty_singles(&m, &from, &to, last_row, last);
	lowering_launch(m.l, mover_tiles(&m, host_size), x_i64(1), x_i64(1));
}

/* ---- the host: which of them ---- */

struct kx *turn_whole(struct kx *cells, int vector)
{
	return x_eq(x_rem(cells, x_i64(vector)), x_i64(0));
}

static struct kx *rows_aligned(struct plan *plan, const struct turn *t, const struct expr *cell, int along, int vector)
{
	struct lowering *host = host_lowering(plan);
	struct kx *ok = plan_aligned(plan, cell->var, vector);
	for (int x = 0; x < t->axes; x++)
		if (x != along)
			ok = x_and(ok, turn_whole(turn_step(host, t, cell, x), vector));
	return turn_starts_first(t, cell) ? ok : x_and(ok, turn_whole(lower_pitch(host, cell->var, cell->var->rank - 1), vector));
}

/* Is half a tile there? */
static struct kx *fills(struct plan *plan, const struct turn *t, const struct turn_form *f)
{
	struct kx *from = turn_count(plan, t, t->from), *to = turn_count(plan, t, t->to);
	return x_and(x_le(x_i64(f->size[FROM] / 2), from), x_le(x_i64(f->size[TO] / 2), to));
}

static struct kx *vectors_pay(struct plan *plan, const struct turn *t, const struct turn_form *f)
{
	struct kx *ok = fills(plan, t, f);
	ok = x_and(ok, x_and(turn_whole(turn_count(plan, t, t->from), f->vector), turn_whole(turn_count(plan, t, t->to), f->vector)));
	ok = x_and(ok, rows_aligned(plan, t, t->target, t->to, f->vector));
	for (int r = 0; r < t->reads; r++)
		ok = x_and(ok, rows_aligned(plan, t, t->read[r], t->from, f->vector));
	return ok;
}

static struct kx *begins_with_cell(struct plan *plan, const struct expr *cell)
{
	return type_align(cell->type) == type_size(cell->type) ? NULL : plan_aligned(plan, cell->var, 1);
}

static struct kx *apart_pays(struct plan *plan, const struct turn *t, const struct turn_form *f)
{
	struct kx *ok = x_and(fills(plan, t, f), begins_with_cell(plan, t->target));
	for (int r = 0; r < t->reads; r++)
		ok = x_and(ok, begins_with_cell(plan, t->read[r]));
	return ok;
}

/* A batch of small planes: their cells meet again in the L1 cache. */
static struct kx *planes_small(struct plan *plan, const struct turn *t)
{
	return x_lt(x_mul(turn_count(plan, t, t->from), turn_count(plan, t, t->to)), x_i64(SMALL));
}

/* In their order; the first that the host finds to pay is taken, the last one always. */
struct way {
	struct kx *pays;                     /* NULL: always */
	void (*kernel)(const struct turn *, struct plan *, struct turn_form, const char *suffix);
	struct turn_form form;
	const char *suffix;                  /* unless it is the first one */
};

static void take(const struct turn *t, struct plan *plan, const struct way *way, bool first)
{
	struct kx *pays = way->pays ? kx_fold(way->pays) : x_int(T_BOOL, 1);
	bool always = x_is_int(pays, 1);
	if (x_is_int(pays, 0)) {
		take(t, plan, way + 1, first);
		return;
	}
	if (!always)
		k_if(plan->host, pays);
	way->kernel(t, plan, way->form, first ? "" : way->suffix);
	if (always)
		return;
	k_else(plan->host);
	take(t, plan, way + 1, false);
	k_end(plan->host);
}

static bool lies_plain(struct expr *e, void *unused)
{
	(void)unused;
	return e->kind != E_READ || !var_home(e->var);
}

/* The places of blocks and of tiles of other arrays, for each cell of a vector, leave no registers for what a row has behind it. */
static bool places_are_plain(const struct turn *t)
{
	return node_walk((struct node *)t->node, lies_plain, NULL);
}

static void tiles_of(const struct turn *t, struct plan *plan)
{
	struct way way[5] = { { 0 } };
	struct turn_form form = turn_form(t, plan->target, t->node->choice.tile), apart;
	int n = 0;
	if (form.vector > 1)
		way[n++] = (struct way){ vectors_pay(plan, t, &form), vectors_kernel, form, "" };
	if (form.vector > 1 && places_are_plain(t) && apart_form(t, plan->target, form, &apart))
		way[n++] = (struct way){ apart_pays(plan, t, &apart), turn_apart, apart, "_apart" };
	form = (struct turn_form){ .vector = turn_thin_word(t, plan->target), .threads = plan->target->block };
	for (int side = FROM; side <= TO && !t->node->where; side++) {
		struct kx *pays = turn_thin_pays(plan, t, side, form.vector);
		form.size[side] = 1;
		way[n++] = (struct way){ pays, turn_thin, form, side == FROM ? "_short" : "_long" };
		form.size[side] = 0;
	}
	form = (struct turn_form){ .vector = 1, .threads = plan->target->block };
	way[n++] = (struct way){ NULL, singles_kernel, form, "_any" };
	take(t, plan, way, true);
}

void turn_gpu(const struct turn *t, struct plan *plan, const struct group *group)
{
	struct kx *small = t->axes > 2 ? kx_fold(planes_small(plan, t)) : x_int(T_BOOL, 0);
	bool never = x_is_int(small, 0), always = x_is_int(small, 1);
	if (!never && !always)
		k_if(plan->host, small);
	if (!never)
		cells_lower(plan, group);
	if (!never && !always)
		k_else(plan->host);
	if (!always)
		tiles_of(t, plan);
	if (!never && !always)
		k_end(plan->host);
}
