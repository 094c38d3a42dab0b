/* turn_thin.c - a transpose with a short side: pixels become planes (n x 3), or planes become pixels.
 *
 * A row of so few cells has no whole accesses of 16 bytes, and is no multiple of a warp. But where rows of the short side lie
 * one behind another, a tile of them is one run of memory, which a block moves word by word, whatever the rows are: a word
 * is a cell, or as many small ones as eight bytes hold. On the other side the tile has a few long rows, moved by words, too.
 *
 * The tile lies in shared memory as the run does. Neighbouring lanes of a long row want words that are a word's cells of
 * short rows apart: an odd number of short cells takes them to all banks, 2^k times one to a 2^k-th of them. So behind as many
 * short rows as find banks of their own there is a word that nobody has: G rows, of which the host says the logarithm.
 *
 * The host chooses the tile: as many cells of the long side, a power of two, as there is room for. Words want rows of whole
 * words on the long side; where they are not, and where short rows do not lie together, single cells go (turn_gpu.c).
 *
 * On an H200, of a copy: bytes in rows of 3 to 31 0.94 to 1.00, f32 of 3, 8 and 24 0.88 to 0.99; cell by cell f32 of 3 and 8
 * 0.74 and 0.92 (bench transpose). */
#include "turn.h"

enum {
	LOADS = 4,                           /* words of a thread, under way at once */
	WORD = 8, BANK = 4,                  /* bytes: of a word at most, of a bank */
	BYTES = 1 << 14,                     /* of a tile */
	SHORTEST = 64                        /* a side that is no shorter has tiles */
};

struct thin {
	struct mover m;
	int word, loads, banks;              /* cells; of a thread; words that lie side by side */
	struct kx *bits, *longs, *shorts;    /* of the tile: log2 of the cells of a long row, and they; of a short one */
	struct kx *group, *reciprocal;       /* log2 of G; 2^32 / (G short rows), rounded up */
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
	int64_t bytes = type_size(t->target->type) > widest(t) ? type_size(t->target->type) : widest(t);
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
		int64_t one = affine_cells(t->node->lo.at[t->axis[axis].index[k]], t->node->hi.at[t->axis[axis].index[k]]);
		cells = one < 0 || one >= SHORTEST ? -1 : cells < 0 ? cells : cells * one;
	}
	return cells >= SHORTEST ? -1 : cells;
}

const char *turn_thin_rows(const struct turn *t, const struct target *target)
{
	int word = turn_thin_word(t, target);
	int64_t from = known_cells(t, t->from), to = known_cells(t, t->to), cells = from < 0 ? to : from;
	if (t->node->where || cells < 1 || (from >= 0 && to >= 0))
		return NULL;
	return str_print("a block moves whole rows of %lld cells, up to %lld bytes of them, %s", (long long)cells,
	                 (long long)loads_of(t, word, target->block) * word * target->block * widest(t),
	                 word > 1 ? str_print("%d cells an access where they are aligned", word) : "cell by cell");
}

/* ---- may it be? ---- */

/* Rows of the short side lie one behind another; long ones, and planes, are whole words. */
static struct kx *cells_lie(struct plan *plan, const struct turn *t, const struct expr *cell, int side, bool flat, int word)
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
	return turn_starts_first(t, cell) ? x_and(ok, plan_aligned(plan, cell->var, word)) : x_int(T_BOOL, 0);
}

struct kx *turn_thin_pays(struct plan *plan, const struct turn *t, int side, int word)
{
	struct kx *shorts = turn_count(plan, t, turn_axis(t, side)), *longs = turn_count(plan, t, turn_axis(t, FROM + TO - side));
	struct kx *ok = x_and(x_and(x_le(x_i64(1), shorts), x_lt(shorts, x_i64(SHORTEST))), x_le(x_i64(SHORTEST), longs));
	if (word > 1)
		ok = x_and(ok, turn_whole(longs, word));
	ok = x_and(ok, cells_lie(plan, t, t->target, side, side == TO, word));
	for (int r = 0; r < t->reads; r++)
		ok = x_and(ok, cells_lie(plan, t, t->read[r], side, side == FROM, word));
	return ok;
}

/* ---- words ---- */

/* The place in the tile of a cell: of long row `row`, or at `place` of the run. */
static struct kx *place_at(const struct thin *t, struct kx *column, struct kx *row)
{
	struct kx *groups = x_op(OP_SHR, column, t->group);
	return x_add(x_add(x_mul(column, t->shorts), row), x_mul(groups, x_i32(t->word)));
}

static struct kx *place_of(const struct thin *t, struct kx *place)
{
	struct kx *groups = x_to_i32(x_op(OP_SHR, x_mul(x_to_i64(place), t->reciprocal), x_i32(32)));
	return x_add(place, x_mul(groups, x_i32(t->word)));
}

static struct kx *word_number(struct thin *t, int n)
{
	return mover_let(&t->m, "number", x_add(block_thread(t->m.l), x_i32(n * t->m.form.threads)));
}

/* Of a word of the long rows. */
static struct kx *row_of(const struct thin *t, struct kx *number)
{
	return x_op(OP_SHR, number, x_sub(t->bits, x_i32(log2_of(t->word))));
}

static struct kx *column_of(const struct thin *t, struct kx *number)
{
	struct kx *words = x_op(OP_SHR, t->longs, x_i32(log2_of(t->word)));
	return x_mul(x_op(OP_AND, number, x_sub(words, x_i32(1))), x_i32(t->word));
}

static struct kx *load(const struct thin *t, int r, struct kx *at)
{
	struct kx *pointer = x_offset(t->m.in[r], at);
	return t->word > 1 ? x_vload(pointer, t->word) : x_at(t->m.in[r], at);
}

static struct kx *cell_of(const struct thin *t, struct kx *word, int c)
{
	return t->word > 1 ? x_lane_at(word, x_i32(c)) : word;
}

/* Cells of the target, one behind another from `at` on, whose places in the tile are these. */
static void store(struct thin *t, struct kx *at, struct kx **from, struct kx **to, struct kx **place)
{
	struct mover *m = &t->m;
	const struct expr *target = m->turn->target;
	struct kx *old = NULL, *out = NULL;
	if (t->word > 1 && turn_reads_own(m->turn))
		old = mover_let(&t->m, "old", x_vload(at, t->word));
	if (t->word > 1)
		out = x_var(k_var(m->k, kt_vector(target->type, t->word), str_print("%s%d", target->var->name, t->word), NULL));
	struct kx *single = x_at(at, x_i64(0));
	for (int c = 0; c < t->word; c++) {
		mover_place_all(m, place[c]);
		mover_store(m, x_to_i64(from[c]), x_to_i64(to[c]), old ? cell_of(t, old, c) : single, out ? cell_of(t, out, c) : single);
	}
	if (out)
		k_do(m->k, x_help(kt_scalar(T_I32), "patc_pass", 2, (struct kx *[]){ at, out }));
}

/* ---- short rows are read ---- */

struct words { struct kx *place, *word[TURN_READS]; };

static void fill_flat(struct thin *t, struct kx *rows)
{
	struct mover *m = &t->m;
	struct words *held = mem_new((size_t)t->loads * sizeof *held);
	struct kx *last = mover_let(&t->m, "last_word", x_sub(x_mul(rows, t->shorts), x_i32(t->word)));
	for (int n = 0; n < t->loads; n++) {
		held[n].place = mover_let(&t->m, "place", x_mul(word_number(t, n), x_i32(t->word)));
		for (int r = 0; r < m->turn->reads; r++)
			held[n].word[r] = mover_let(&t->m, str_print("%s_word", m->turn->read[r]->var->name),
			                      load(t, r, x_to_i64(x_min(held[n].place, last))));
	}
	for (int n = 0; n < t->loads; n++)
		for (int r = 0; r < m->turn->reads; r++) {
			struct kx *at = place_of(t, held[n].place);
			if (t->word > 1)
				k_vstore(m->k, x_offset(x_var(m->tile[r]), at), held[n].word[r]);
			else
				k_set(m->k, x_at(x_var(m->tile[r]), at), held[n].word[r]);
		}
}

static void empty_long(struct thin *t, struct kx *rows)
{
	struct mover *m = &t->m;
	struct kx *from[WORD], *to[WORD], *place[WORD];
	struct kx *n = x_var(k_for(m->k, "store", x_i32(0), x_i32(t->loads), x_i32(1), FOR_UNROLL));
	struct kx *number = mover_let(&t->m, "number", x_add(block_thread(m->l), x_mul(n, x_i32(m->form.threads))));
	struct kx *row = mover_let(&t->m, "from", row_of(t, number)), *column = mover_let(&t->m, "to", column_of(t, number));
	k_if(m->k, x_and(x_lt(row, t->shorts), x_lt(column, rows)));
	struct kx *spot = mover_let(&t->m, "spot", place_at(t, column, row));
	for (int c = 0; c < t->word; c++) {
		from[c] = row;
		to[c] = x_add(column, x_i32(c));
		place[c] = x_add(spot, x_mul(x_i32(c), t->shorts));
	}
	store(t, mover_let(&t->m, "at", x_offset(m->out, x_add(x_mul(x_to_i64(row), m->out_step), x_to_i64(column)))), from, to, place);
	k_end(m->k);
	k_end(m->k);
}

/* ---- short rows are written ---- */

static void fill_long(struct thin *t, struct kx *columns)
{
	struct mover *m = &t->m;
	struct words *held = mem_new((size_t)t->loads * sizeof *held);
	struct kx **row = mem_new((size_t)t->loads * sizeof *row);
	struct kx *last = mover_let(&t->m, "last_word", x_sub(columns, x_i32(t->word)));
	for (int n = 0; n < t->loads; n++) {
		struct kx *number = word_number(t, n);
		row[n] = mover_let(&t->m, "row", row_of(t, number));
		held[n].place = mover_let(&t->m, "column", column_of(t, number));
		struct kx *near = x_to_i64(x_min(row[n], x_sub(t->shorts, x_i32(1))));
		for (int r = 0; r < m->turn->reads; r++)
			held[n].word[r] = mover_let(&t->m, str_print("%s_word", m->turn->read[r]->var->name),
			                      load(t, r, x_add(x_mul(near, m->in_step[r]), x_to_i64(x_min(held[n].place, last)))));
	}
	for (int n = 0; n < t->loads; n++) {
		k_if(m->k, x_lt(row[n], t->shorts));
		struct kx *spot = mover_let(&t->m, "spot", place_at(t, held[n].place, row[n]));
		for (int c = 0; c < t->word; c++)
			for (int r = 0; r < m->turn->reads; r++)
				k_set(m->k, x_at(x_var(m->tile[r]), x_add(spot, x_mul(x_i32(c), t->shorts))), cell_of(t, held[n].word[r], c));
		k_end(m->k);
	}
}

static void empty_flat(struct thin *t, struct kx *columns)
{
	struct mover *m = &t->m;
	struct kx *from[WORD], *to[WORD], *place[WORD];
	struct kx *n = x_var(k_for(m->k, "store", x_i32(0), x_i32(t->loads), x_i32(1), FOR_UNROLL));
	struct kx *number = mover_let(&t->m, "number", x_add(block_thread(m->l), x_mul(n, x_i32(m->form.threads))));
	struct kx *first = mover_let(&t->m, "first", x_mul(number, x_i32(t->word)));
	k_if(m->k, x_lt(first, x_mul(columns, t->shorts)));
	struct kx *run = mover_let(&t->m, "run", place_of(t, first));
	for (int c = 0; c < t->word; c++) {
		place[c] = x_add(run, x_i32(c));
		from[c] = x_div(x_add(first, x_i32(c)), t->shorts);
		to[c] = x_rem(x_add(first, x_i32(c)), t->shorts);
	}
	store(t, mover_let(&t->m, "at", x_offset(m->out, x_to_i64(first))), from, to, place);
	k_end(m->k);
	k_end(m->k);
}

/* ---- the kernel ---- */

/* log2 of the cells of a long row: most that the tile has room for. */
static struct kx *choose_bits(struct plan *plan, const struct turn *t, int side, int cells)
{
	struct kx *shorts = turn_count(plan, t, turn_axis(t, side)), *bits = x_i32(log2_of(cells) - log2_of(SHORTEST));
	for (int b = log2_of(SHORTEST) - 1; b >= 0; b--)
		bits = x_cond(x_le(shorts, x_i64(INT64_C(1) << b)), x_i32(log2_of(cells) - b), bits);
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
	for (int k = log2_of(banks) - 1; k >= 0; k--)
		bits = x_cond(x_eq(x_rem(shorts, x_i64(INT64_C(2) << k)), x_i64(0)), bits, x_i32(log2_of(word) + log2_of(banks) - k));
	return kx_fold(bits);
}

static void choose_places(struct thin *t, struct plan *plan, struct kx *shorts)
{
	struct kx *group = plan_number(plan, "tile_group", choose_group(shorts, t->word, t->banks));
	struct kx *cells = kx_fold(x_op(OP_SHL, shorts, group));
	t->group = lower_number(t->m.l, "group", group);
	t->reciprocal = lower_number(t->m.l, "reciprocal", x_div_up(x_i64(INT64_C(1) << 32), cells));
}

void turn_thin(const struct turn *turn, struct plan *plan, struct turn_form form, const char *suffix)
{
	int side = form.size[FROM] ? FROM : TO;
	struct thin t = { .m = mover_open(turn, plan, form, suffix), .word = form.vector };
	struct mover *m = &t.m;
	t.loads = loads_of(turn, t.word, form.threads);
	t.banks = banks_of(turn, t.word, plan->target);
	int cells = t.loads * t.word * form.threads;
	block_launch_bounds(m->l);
	struct kx *host_bits = plan_number(plan, "tile_bits", choose_bits(plan, turn, side, cells)), *size[2], *host_size[2];
	host_size[side] = turn_count(plan, turn, turn_axis(turn, side));
	host_size[FROM + TO - side] = plan_let(plan, "tile_cells", x_op(OP_SHL, x_i64(1), host_bits));
	t.bits = lower_number(m->l, "bits", host_bits);
	t.shorts = lower_number(m->l, "shorts", x_to_i32(host_size[side]));
	choose_places(&t, plan, host_size[side]);
	t.longs = mover_let(m, "longs", x_op(OP_SHL, x_i32(1), t.bits));
	size[side] = t.shorts;
	size[FROM + TO - side] = t.longs;
	mover_place(m, x_id(ID_BLOCK_X), size, host_size);
	mover_tile(m, cells + cells / t.banks + t.word);
	struct kx *count = x_add(mover_last(m, FROM + TO - side, "last", t.longs, 1), x_i32(1));
	count = mover_let(m, side == FROM ? "rows" : "columns", count);
	(side == FROM ? fill_flat : fill_long)(&t, count);
	k_barrier(m->k);
	(side == FROM ? empty_long : empty_flat)(&t, count);
	lowering_launch(m->l, mover_tiles(m, host_size), x_i64(1), x_i64(1));
}
