/* turn_gpu.c - a transpose on a GPU: a block turns a tile in shared memory.
 *
 * Several kernels, from which the host takes one (the table at the end):
 *
 * vectors   Accesses of 16 bytes of the widest array on both sides: every row begins at a multiple
 *           of them, and is a whole number of them.  A tile is 256 bytes wide and as many rows long
 *           as make 64 cells or 8 accesses: for f32 64 x 64, four loads a thread, which are all
 *           under way before the first is stored.  A chunk is the cells of one access; chunk c of
 *           row r lies at c ^ (r / vector) % 8.  So eight lanes that store neighbouring chunks of a
 *           row use all banks, and so do eight lanes that gather the cells of a chunk of the other
 *           side from as many rows.  A padded row would spoil the alignment.  What is written does
 *           not stay in the caches, and blocks that run together write whole rows (turn.kernel): on
 *           an H200 f32 16384^2 takes 0.54 ms, like a copy; 0.57 with groups of 8 rows of tiles,
 *           0.55 with stores that stay.
 * apart     Accesses of 16 bytes, too, where rows begin anywhere: turn_apart.c.
 * short,    Words, where one side is shorter than a tile and its rows are contiguous: turn_thin.c.
 * long
 * any       A cell an access: any sizes, alignments, types and masks.  The host chooses the tile's
 *           shape: as few cells along a short side as there are (an array of n x 3), the rest along
 *           the other.  Rows are padded by a cell, or by a bank's cells.
 *
 * After the last row and column the last one is loaded again; it is not stored. */
#include "../ways.h"
#include "turn.h"

enum {
	SMALL = 512,                         /* cells of a plane: many of them make no tile */
	CHUNKS = TURN_CHUNKS, ACCESS = TURN_ACCESS,
	READ_BYTES = 256,                    /* of a row that a tile of vectors reads */
	WRITTEN = 64,                        /* cells of one that it writes, if not more */
	APART = 128,                         /* cells of a row where rows begin anywhere, at most */
	BYTES = 1 << 14,                     /* of a tile of singles */
	SHORT = 2                            /* log2 of the cells of a tile's shortest side */
};

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
	bool starts = turn_starts_at_zero(t, t->from) && turn_starts_at_zero(t, t->to);
	if (!target->gpu || t->node->where || !powers || bytes >= ACCESS || !starts)
		return 1;
	int most = ACCESS / (int)bytes, chosen = t->node->choice.vector;
	return chosen && chosen < most ? chosen : most;
}

static struct turn_form form_of(const struct turn *t, const struct target *target, int from, int to)
{
	const int vector = turn_vector(t, target);
	return (struct turn_form){ { from, to }, .vector = vector, .threads = target->block };
}

/* Bytes of a tile: two of a pair leave room for another block of the multiprocessor. */
static int64_t tile_room(const struct turn *t, const struct target *target)
{
	return turn_pairs(t) ? (target->shared_bytes - 1) / 2 : target->shared_bytes;
}

static bool form_fits(const struct turn *t, const struct target *target, const struct turn_form *f)
{
	int64_t cells = (int64_t)f->size[FROM] * f->size[TO], bytes = 0;
	for (int r = 0; r < t->reads; r++)
		bytes += cells * type_size(t->read[r]->type);
	for (int side = FROM; side <= TO; side++)
		if (!is_power(f->size[side]) || f->size[side] < CHUNKS * f->vector)
			return false;
	if (turn_pairs(t) && f->size[FROM] != f->size[TO])
		return false;
	bool busy = f->size[FROM] / f->vector <= f->threads && cells / f->vector >= f->threads;
	return busy && bytes <= tile_room(t, target);
}

/* What an H200 likes best; less where several arrays want room. */
struct turn_form turn_form(const struct turn *t, const struct target *target, const int *pinned)
{
	struct turn_form f = form_of(t, target, pinned[0], pinned[1]);
	if (pinned[0] && !pinned[2] && form_fits(t, target, &f))
		return f;
	int least = CHUNKS * turn_vector(t, target), from = READ_BYTES / (int)widest(t);
	from = turn_pairs(t) ? WRITTEN : from;
	f = form_of(t, target, from > least ? from : least, WRITTEN > least ? WRITTEN : least);
	while (!form_fits(t, target, &f) && (f.size[FROM] > least || f.size[TO] > least))
		f.size[f.size[FROM] >= f.size[TO] ? FROM : TO] /= 2;
	return f;
}

/* The same where rows begin anywhere, if there is room for the halo: of bytes not as wide. */
static bool apart_form(const struct turn *t, const struct target *target, struct turn_form f,
                       struct turn_form *apart)
{
	int64_t bytes = 0;
	for (int r = 0; r < t->reads; r++)
		bytes += type_size(t->read[r]->type);
	while (f.size[FROM] > APART && f.size[FROM] > CHUNKS * f.vector)
		f.size[FROM] /= 2;
	f.halo = f.vector - 1;
	*apart = f;
	bool busy = (int64_t)f.size[FROM] * f.size[TO] >= (int64_t)f.vector * f.threads;
	return busy && turn_apart_cells(&f) * bytes <= target->shared_bytes;
}

const char *turn_unfit(const struct turn *t, const struct target *target, const int *tile)
{
	const struct turn_form f = form_of(t, target, tile[0], tile[1]);
	if (f.vector == 1)
		return "cells are moved one by one, in tiles whose sides the host chooses";
	if (tile[2] || !form_fits(t, target, &f))
		return str_print("its two sides are %s of two, %d or more, for at least %d "
		                 "cells and at most %lld bytes of shared memory",
		                 turn_pairs(t) ? "one power" : "powers", CHUNKS * f.vector,
		                 f.threads * f.vector,
		                 (long long)tile_room(t, target));
	return NULL;
}

/* ---- singles ---- */

static int cells_of_singles(const struct turn *t)
{
	int cells = BYTES / 4;
	while (cells > 256 && cells * widest(t) * t->reads > BYTES)
		cells /= 2;
	return cells;
}

/* After each row, so that cells of a column are in different banks: a cell, or those of a bank. */
int turn_pad(const struct turn *t)
{
	int pad = 1;
	for (int r = 0; r < t->reads; r++) {
		int bytes = (int)type_size(t->read[r]->type);
		pad = pad * bytes < 4 ? 4 / bytes : pad;
	}
	return pad;
}

/* log2 of a tile's cells along `from`: half, or what a short side needs. */
static struct kx *choose_bits(struct plan *plan, const struct turn *t, int cells)
{
	int all = log2_of(cells), half = all / 2;
	struct kx *from = turn_count(plan, t, t->from), *to = turn_count(plan, t, t->to);
	struct kx *bits = x_i32(half);
	for (int b = all - half - 1; b >= SHORT; b--)
		bits = x_cond(x_le(to, x_i64(INT64_C(1) << b)), x_i32(all - b), bits);
	for (int b = half - 1; b >= SHORT; b--)
		bits = x_cond(x_le(from, x_i64(INT64_C(1) << b)), x_i32(b), bits);
	return kx_fold(bits);
}

/* ---- the kernels: turn_gpu.kernel ---- */

static struct turn_form vectors_form(const struct task *c)
{
	return turn_form(c->found, c->plan->target, c->node->choice.tile);
}

static void lower_vectors(const struct task *c)
{
	struct mover m = mover_open(c->found, c->plan, vectors_form(c), ways_suffix(c));
	mover_kernel(&m, "turn_vectors");
}

static void lower_any(const struct task *c)
{
	const struct turn *t = c->found;
	struct plan *plan = c->plan;
	int cells = cells_of_singles(t), all = log2_of(cells);
	const struct turn_form form = { .vector = 1, .threads = plan->target->block };
	struct mover m = mover_open(t, plan, form, ways_suffix(c));
	struct kx *bits = plan_let(plan, "tile_bits", choose_bits(plan, t, cells));
	m.size[FROM] = plan_let(plan, "tile_columns", x_op(OP_SHL, x_i64(1), bits));
	m.size[TO] = plan_let(plan, "tile_rows", x_op(OP_SHR, x_i64(cells), bits));
	k_bind(m.k, "column_bits", lower_argument(m.l, "column_bits", kt_scalar(T_I32), bits));
	k_numbers(m.k, "CELLS, ALL_BITS, PAD, SHORTEST", cells, all, turn_pad(t), 1 << SHORT);
	mover_kernel(&m, "turn_cells");
}

/* ---- the host: which of them ---- */

struct kx *turn_whole(struct kx *cells, int vector)
{
	return x_eq(x_rem(cells, x_i64(vector)), x_i64(0));
}

static struct kx *rows_aligned(struct plan *plan, const struct turn *t, const struct expr *cell,
                               int along, int vector)
{
	struct lowering *host = host_lowering(plan);
	struct kx *ok = plan_aligned(plan, cell->var, vector);
	for (int x = 0; x < t->axes; x++)
		if (x != along)
			ok = x_and(ok, turn_whole(turn_step(host, t, cell, x), vector));
	if (turn_starts_first(t, cell))
		return ok;
	return x_and(ok, turn_whole(lower_pitch(host, cell->var, cell->var->rank - 1), vector));
}

/* Is half a tile there? */
static struct kx *fills(struct plan *plan, const struct turn *t, const struct turn_form *f)
{
	struct kx *from = turn_count(plan, t, t->from), *to = turn_count(plan, t, t->to);
	return x_and(x_le(x_i64(f->size[FROM] / 2), from), x_le(x_i64(f->size[TO] / 2), to));
}

struct kx *turn_vectors_pay(const struct task *c)
{
	struct plan *plan = c->plan;
	const struct turn *t = c->found;
	const struct turn_form form = vectors_form(c), *f = &form;
	struct kx *ok = fills(plan, t, f);
	struct kx *from = turn_count(plan, t, t->from), *to = turn_count(plan, t, t->to);
	ok = x_and(ok, x_and(turn_whole(from, f->vector), turn_whole(to, f->vector)));
	ok = x_and(ok, rows_aligned(plan, t, t->target, t->to, f->vector));
	for (int r = 0; r < t->reads; r++)
		ok = x_and(ok, rows_aligned(plan, t, t->read[r], t->from, f->vector));
	return kx_fold(ok);
}

static struct kx *begins_with_cell(struct plan *plan, const struct expr *cell)
{
	bool always = type_align(cell->type) == type_size(cell->type);
	return always ? NULL : plan_aligned(plan, cell->var, 1);
}

static struct kx *apart_pays(const struct task *c)
{
	const struct turn *t = c->found;
	struct turn_form form;
	apart_form(t, c->plan->target, vectors_form(c), &form);
	struct kx *ok = x_and(fills(c->plan, t, &form), begins_with_cell(c->plan, t->target));
	for (int r = 0; r < t->reads; r++)
		ok = x_and(ok, begins_with_cell(c->plan, t->read[r]));
	return kx_fold(ok);
}

/* A batch of small planes: their cells meet again in the L1 cache. */
struct kx *turn_planes_small(struct plan *plan, const struct turn *t)
{
	return x_lt(x_mul(turn_count(plan, t, t->from), turn_count(plan, t, t->to)), x_i64(SMALL));
}

static bool lies_plain(struct expr *e, void *unused)
{
	(void)unused;
	return e->kind != E_READ || !var_home(e->var);
}

/* The places of blocks and of tiles of other arrays, for each cell of a vector, leave no registers
 * for the past of rows. */
static bool places_are_plain(const struct turn *t)
{
	return node_walk((struct node *)t->node, lies_plain, NULL);
}

static bool has_vectors(const struct task *c)
{
	return vectors_form(c).vector > 1;
}

static bool may_lie_apart(const struct task *c)
{
	struct turn_form apart;
	return has_vectors(c) && places_are_plain(c->found)
	       && apart_form(c->found, c->plan->target, vectors_form(c), &apart);
}

static void lower_apart(const struct task *c)
{
	struct turn_form apart;
	apart_form(c->found, c->plan->target, vectors_form(c), &apart);
	turn_apart(c->found, c->plan, apart, ways_suffix(c));
}

static bool takes_all_cells(const struct task *c)
{
	return !c->node->where;
}

static struct kx *thin_pays(const struct task *c)
{
	const int word = turn_thin_word(c->found, c->plan->target);
	return kx_fold(turn_thin_pays(c->plan, c->found, c->way->form, word));
}

static void lower_thin(const struct task *c)
{
	struct turn_form form = { .vector = turn_thin_word(c->found, c->plan->target),
		                  .threads = c->plan->target->block };
	form.size[c->way->form] = 1;
	turn_thin(c->found, c->plan, form, ways_suffix(c));
}

static const struct way ways[] = {
	/* above */
	{ "vectors", "16 bytes an access",
	  "rows begin at multiples of 16 bytes and fill half a tile",
	  "`vectorise` has chosen one element an access", .fits = has_vectors,
	  .when = turn_vectors_pay, .lower = lower_vectors },
	/* turn_apart.c */
	{ "apart", "16 bytes an access, from rows that begin anywhere", "rows fill half a tile",
	  "an access takes one element, or their places take too many registers",
	  .fits = may_lie_apart, .when = apart_pays, .lower = lower_apart },
	/* turn_thin.c */
	{ "short", "whole rows", "rows that are read are shorter than a tile",
	  "a mask excludes cells", .fits = takes_all_cells, .when = thin_pays, .lower = lower_thin,
	  .form = FROM },
	{ "long", "whole rows", "rows that are written are shorter than a tile",
	  "a mask excludes cells", .fits = takes_all_cells, .when = thin_pays, .lower = lower_thin,
	  .form = TO },
	/* any sizes, alignments, types and masks: above */
	{ "any", "a cell an access", .lower = lower_any }
};

void turn_gpu(const struct task *c)
{
	ways_lower(ways, c->plan, c->group, c->found);
}
