/* turn_thin.c - a transpose with a short side: pixels become planes (n x 3), or planes pixels.
 *
 * A row of so few cells has no whole accesses of 16 bytes, and is no multiple of a warp.  But where
 * rows of the short side are contiguous, a tile of them is one run of memory, which a block moves
 * word by word, whatever the rows are: a word is a cell, or as many small ones as eight bytes hold.
 * On the other side the tile has a few long rows, which are moved by words, too.
 *
 * The tile is in shared memory as the run is.  Neighbouring lanes of a long row access cells that
 * are as many short rows apart as a word has cells: an odd number of cells in a short row takes
 * them to all banks, 2^k times one to a 2^k-th of them.  So after every G short rows, as many as
 * use different banks, one word is left free; the host computes the logarithm of G.
 *
 * The host chooses the tile: as many cells of the long side, a power of two, as there is room for.
 * Rows of the long side must be whole words; where they are not, and where short rows are not
 * contiguous, cells are moved one by one (turn_gpu.c).
 *
 * On an H200, of a copy: bytes in rows of 3 to 31 0.94 to 1.00, f32 of 3, 8 and 24 0.88 to 0.99;
 * cell by cell f32 of 3 and 8 0.74 and 0.92 (bench transpose). */
#include "turn.h"

enum {
	LOADS = 4,                           /* words of a thread, under way at once */
	WORD = 8, BANK = 4,                  /* bytes: of a word at most, of a bank */
	BYTES = 1 << 14,                     /* of a tile */
	SHORTEST = 64                        /* a side that is no shorter has tiles */
};

/* ---- its form ---- */

static int64_t widest(const struct turn *t)
{
	int64_t bytes = 1;
	for (int r = 0; r < t->reads; r++)
		while (bytes < type_size(t->read[r]->type))
			bytes *= 2;
	return bytes;
}

int turn_thin_word(const struct turn *t, const struct target *target)
{
	int word = turn_vector(t, target);
	int64_t bytes = widest(t), written = type_size(t->target->type);
	bytes = written > bytes ? written : bytes;
	while (word > 1 && word * bytes > WORD)
		word /= 2;
	return word;
}

static int loads_of(const struct turn *t, int word, int threads)
{
	int loads = LOADS;
	while (loads > 1 && loads * word * threads * widest(t) * t->reads > BYTES)
		loads /= 2;
	return loads;
}

/* The cells along an axis; -1: sizes say how many. */
static int64_t known_cells(const struct turn *t, int axis)
{
	int64_t cells = 1;
	for (int k = 0; k < t->axis[axis].n; k++) {
		int d = t->axis[axis].index[k];
		int64_t one = affine_cells(t->node->lo.at[d], t->node->hi.at[d]);
		cells = one < 0 || one >= SHORTEST ? -1 : cells < 0 ? cells : cells * one;
	}
	return cells >= SHORTEST ? -1 : cells;
}

const char *turn_thin_rows(const struct turn *t, const struct target *target)
{
	int word = turn_thin_word(t, target);
	int64_t from = known_cells(t, t->from), to = known_cells(t, t->to);
	int64_t cells = from < 0 ? to : from;
	int64_t most = (int64_t)loads_of(t, word, target->block) * word;
	if (t->node->where || cells < 1 || (from >= 0 && to >= 0))
		return NULL;
	const char *how = "cell by cell";
	if (word > 1)
		how = str_print("%d cells an access where they are aligned", word);
	return str_print("a block moves whole rows of %lld cells, up to %lld bytes of them, %s",
	                 (long long)cells, (long long)(most * target->block * widest(t)), how);
}

/* ---- may it be? ---- */

/* Rows of the short side lie one after another; long ones, and planes, are whole words. */
static struct kx *cells_lie(struct plan *plan, const struct turn *t, const struct expr *cell,
                            int side, bool flat, int word)
{
	struct lowering *host = host_lowering(plan);
	int thin = turn_axis(t, side), across = turn_axis(t, FROM + TO - side);
	struct kx *ok = x_int(T_BOOL, 1);
	if (flat)
		ok = x_eq(turn_step(host, t, cell, across), turn_count(plan, t, thin));
	for (int x = 0; x < t->axes && word > 1; x++)
		if (x != across && !(flat && x == thin))
			ok = x_and(ok, turn_whole(turn_step(host, t, cell, x), word));
	if (word == 1)
		return ok;
	if (!turn_starts_first(t, cell))
		return x_int(T_BOOL, 0);
	return x_and(ok, plan_aligned(plan, cell->var, word));
}

struct kx *turn_thin_pays(struct plan *plan, const struct turn *t, int side, int word)
{
	struct kx *shorts = turn_count(plan, t, turn_axis(t, side));
	struct kx *longs = turn_count(plan, t, turn_axis(t, FROM + TO - side));
	struct kx *ok = x_and(x_le(x_i64(1), shorts), x_lt(shorts, x_i64(SHORTEST)));
	ok = x_and(ok, x_le(x_i64(SHORTEST), longs));
	if (word > 1)
		ok = x_and(ok, turn_whole(longs, word));
	ok = x_and(ok, cells_lie(plan, t, t->target, side, side == TO, word));
	for (int r = 0; r < t->reads; r++)
		ok = x_and(ok, cells_lie(plan, t, t->read[r], side, side == FROM, word));
	return ok;
}

/* ---- the kernels: turn_thin.kernel ---- */

/* log2 of the cells of a long row: most that the tile has room for. */
static struct kx *choose_bits(struct plan *plan, const struct turn *t, int side, int cells)
{
	struct kx *shorts = turn_count(plan, t, turn_axis(t, side)), *bits = NULL;
	for (int b = log2_of(SHORTEST); b >= 0; b--) {
		struct kx *most = x_i32(log2_of(cells) - b);
		bits = bits ? x_cond(x_le(shorts, x_i64(INT64_C(1) << b)), most, bits) : most;
	}
	return kx_fold(bits);
}

/* Words of the tile that lie in different banks. */
static int banks_of(const struct turn *t, int word, const struct target *target)
{
	int64_t bytes = 0;
	for (int r = 0; r < t->reads; r++)
		bytes |= type_size(t->read[r]->type) * word;
	int banks = target->banks * BANK / (int)(bytes & -bytes);
	return banks > target->banks ? target->banks : banks > 1 ? banks : 1;
}

/* log2 of G: all banks, halved for each two in the number of short cells. */
static struct kx *choose_group(struct kx *shorts, int word, int banks)
{
	struct kx *bits = x_i32(log2_of(word));
	for (int k = log2_of(banks) - 1; k >= 0; k--) {
		struct kx *fewer = x_eq(x_rem(shorts, x_i64(INT64_C(2) << k)), x_i64(0));
		bits = x_cond(fewer, bits, x_i32(log2_of(word) + log2_of(banks) - k));
	}
	return kx_fold(bits);
}

static void bind_places(struct mover *m, struct kx *shorts, int word, int banks)
{
	struct kx *group = plan_number(m->l->plan, "tile_group", choose_group(shorts, word, banks));
	struct kx *cells = kx_fold(x_op(OP_SHL, shorts, group));
	k_bind(m->k, "group", lower_number(m->l, "group", group));
	struct kx *reciprocal = x_div_up(x_i64(INT64_C(1) << 32), cells);
	k_bind(m->k, "reciprocal", lower_number(m->l, "reciprocal", reciprocal));
}

void turn_thin(const struct turn *turn, struct plan *plan, struct turn_form form,
               const char *suffix)
{
	const int side = form.size[FROM] ? FROM : TO, word = form.vector;
	const int loads = loads_of(turn, word, form.threads);
	const int banks = banks_of(turn, word, plan->target);
	const int cells = loads * word * form.threads;
	struct mover m = mover_open(turn, plan, form, suffix);
	struct kx *bits = plan_number(plan, "tile_bits", choose_bits(plan, turn, side, cells));
	m.size[side] = turn_count(plan, turn, turn_axis(turn, side));
	m.size[FROM + TO - side] = plan_let(plan, "tile_cells", x_op(OP_SHL, x_i64(1), bits));
	k_bind(m.k, "bits", lower_number(m.l, "bits", bits));
	k_bind(m.k, "shorts", lower_number(m.l, "shorts", x_to_i32(m.size[side])));
	bind_places(&m, m.size[side], word, banks);
	k_numbers(m.k, "WORD, WORD_BITS, LOADS, ROOM", word, log2_of(word), loads,
	          cells + cells / banks + word);
	mover_kernel(&m, side == FROM ? "read_short_rows" : "write_short_rows");
}
