/* separable_ahead.c - the totals of a strip's columns, and what comes from above it, where cells are staged
 * (separable_gpu.c, 2).
 *
 * The parts of a column, a warp's each, are folded by `sharers` neighbouring lanes.  The totals of a chunk are published
 * while the chunk before it is computed, so the strips below find them when they come there.  Of the strips above a
 * thread asks for the newest ones of its share when a chunk begins, all at once, and looks at what has come after the
 * next chunk's totals; the last sharer has the newest and joins all of them, oldest first.  The words of a group's strips
 * follow those of what comes before the group, so all that a thread asks for lie one behind another. */
#include "separable_march.h"
#include "../state_words.h"

static struct kx *shuffled(struct march *m, struct kx *value, int by)
{
	struct accumulator a = { .op = m->s->form->acc, .of = m->type, .type = m->type };
	return x_var(accumulator_shuffle(m->l, &a, value, "up_", x_i32(by))->var);
}

/* value, of the sharers in their order, becomes what it is of all up to this one; power[n]: of 1 << n before. */
static void join_sharers(struct march *m, struct kx *value, struct kx *const *power)
{
	struct kernel *k = m->k;
	for (int n = 0; 1 << n < m->sharers; n++) {
		struct kx *before = shuffled(m, value, 1 << n);
		k_if(k, x_le(x_i32(1 << n), m->share));
		k_set(k, value, marching_join(m, marching_scale(m, before, power[n]), value));
		k_end(k);
	}
}

/* ---- when the kernel, and a strip, begin ---- */

static void powers(struct march *m)
{
	for (int n = 0; 1 << n < m->sharers; n++) {
		m->up_share[n] = separable_power(m->l, m->s, "up_share", m->up_rows, (int64_t)(m->warps / m->sharers) << n);
		m->up_asks[n] = separable_power(m->l, m->s, "up_asks", m->up_height, (int64_t)m->asks << n);
	}
	if (!m->up)
		return;
	struct kernel *k = m->k;
	m->up_warp = x_var(k_var(k, kt(m->type), "up_warp", m->up_rows));
	k_for(k, "w", x_i32(1), m->warp, x_i32(1), 0);
	k_set(k, m->up_warp, marching_scale(m, m->up_warp, m->up_rows));
	k_end(k);
}

void ahead_open(struct march *m)
{
	struct kernel *k = m->k;
	powers(m);
	m->share = x_rem(m->thread, x_i32(m->sharers));
	m->share = x_is_int(m->share, 0) ? m->share : x_var(k_let(k, "share", m->share));
	m->column = x_var(k_let(k, "of_column", x_div(m->thread, x_i32(m->sharers))));
	m->row_words = x_var(k_let(k, "row_words", x_mul(x_mul(m->chunks, x_i64(m->chunk)), x_i64(m->words))));
	m->asked = k_regs(k, type_scalar(T_U64), "asked", (int64_t)m->asks * m->words);
	m->own = k_var(k, kt(m->type), "total", marching_zero(m));
	m->next_own = k_var(k, kt(m->type), "next_total", marching_zero(m));
}

/* Of the words of a strip: its number. */
static struct kx *row_of(struct march *m)
{
	struct kx *before = x_add(x_div(m->strip, x_i64(m->group)), x_i64(1));
	return x_add(x_mul(m->problem, x_add(m->strips, m->groups)), x_add(m->strip, before));
}

void ahead_strip(struct march *m)
{
	struct kernel *k = m->k;
	struct kx *group = x_i64(m->group), *row = x_var(k_let(k, "words_row", row_of(m)));
	struct kx *own = x_offset(m->state, x_add(x_mul(row, m->row_words), x_add(x_to_i64(m->column), x_i64(1))));
	m->own_at = x_var(k_let(k, "own_at", own));
	struct kx *newer = x_mul(x_sub(x_i32(m->sharers - 1), m->share), x_i32(m->asks));
	struct kx *known = x_to_i32(x_rem(m->strip, group));
	known = x_add(known, x_cond(x_le(group, m->strip), x_i32(1), x_i32(0)));
	m->known = x_var(k_let(k, "known", x_sub(known, newer)));
	struct kx *rows = x_to_i64(x_add(newer, x_i32(1)));
	m->newest = x_var(k_let(k, "newest", x_sub(x_i64(0), x_mul(rows, m->row_words))));
}

/* ---- words ---- */

static struct kx *word_at(struct march *m, struct kx *x, int w)
{
	return x_at(x_var(m->asked), x_add(x_mul(x, x_i32(m->words)), x_i32(w)));
}

static struct kx *own_words(struct march *m, struct kx *chunk)
{
	return x_offset(m->own_at, x_mul(chunk, x_i64(m->chunk)));
}

static struct kx *piece_place(struct march *m, struct kx *at, int w)
{
	return w ? x_offset(at, x_mul(x_mul(m->chunks, x_i64(m->chunk)), x_i64(w))) : at;
}

static void publish(struct march *m, struct kx *at, const struct accumulators *acc)
{
	struct kx *place[STATE_WORDS];
	for (int w = 0; w < m->words; w++)
		place[w] = piece_place(m, at, w);
	state_store(m->l, place, acc, x_int(T_U32, 1));
}

static void load_words(struct march *m)
{
	struct kernel *k = m->k;
	struct kx *from = x_var(k_var(k, kt_pointer(type_scalar(T_U64), false), "from", x_offset(own_words(m, m->chunk_number), m->newest)));
	struct kx *x = marching_each(m, "x", m->asks);
	k_if(k, x_lt(x, m->known));
	for (int w = 0; w < m->words; w++)
		k_set(k, word_at(m, x, w), state_load(piece_place(m, from, w)));
	k_end(k);
	k_set(k, from, x_offset(from, x_sub(x_i64(0), m->row_words)));
	k_end(k);
}

static struct kx *is_above(struct march *m)
{
	return x_and(x_le(x_i64(0), m->chunk_number), x_lt(x_i64(1), m->strips));
}

void ahead_ask(struct march *m)
{
	struct kernel *k = m->k;
	k_set(k, x_var(m->own), x_var(m->next_own));
	k_if(k, is_above(m));
	struct kx *x = marching_each(m, "x", m->asks);
	for (int w = 0; w < m->words; w++)
		k_set(k, word_at(m, x, w), x_int(T_U64, INT64_C(1) << 32));
	k_end(k);
	load_words(m);
	k_end(k);
}

/* Words that nobody asked for are known. */
static struct kx *all_known(struct march *m)
{
	struct kx *all = NULL;
	for (int x = 0; x < m->asks; x++)
		for (int w = 0; w < m->words; w++) {
			struct kx *known = state_known(word_at(m, x_i32(x), w));
			all = all ? x_op(OP_AND, all, known) : known;
		}
	return x_ne(all, x_int(T_U32, 0));
}

/* ---- a chunk ---- */

/* The last sharer has the column's total of the strip: it publishes that, but for the last strip of a group. */
static void publish_own(struct march *m, struct kx *chunk)
{
	struct kernel *k = m->k;
	struct kx *below = x_add(m->strip, x_i64(1)), *group = x_i64(m->group);
	struct kx *wanted = x_and(x_lt(below, m->strips), x_lt(x_i64(0), x_rem(below, group)));
	struct accumulators own = { .n = 1 };
	own.at[0] = (struct accumulator){ .op = m->s->form->acc, .of = m->type, .type = m->type, .var = m->next_own };
	k_if(k, x_and(x_eq(m->share, x_i32(m->sharers - 1)), wanted));
	publish(m, own_words(m, chunk), &own);
	k_end(k);
}

/* The warps' totals become what comes before each warp in the strip. */
void ahead_fold(struct march *m, struct kx *stage, struct kx *next_chunk)
{
	struct kernel *k = m->k;
	int parts = m->warps / m->sharers;
	struct kx *row = x_add(x_mul(stage, x_i32(m->warps)), x_mul(m->share, x_i32(parts)));
	struct kx *at = x_var(k_let(k, "at", x_add(x_mul(row, x_i32(m->pitch)), m->column)));
	struct kvar *part = k_regs(k, m->type, "of_warp", parts);
	struct kx *w = marching_each(m, "w", parts);
	k_set(k, x_at(x_var(part), w), x_at(x_var(m->part), x_add(at, x_mul(w, x_i32(m->pitch)))));
	k_end(k);
	struct kx *sum = x_var(k_var(k, kt(m->type), "sum", x_at(x_var(part), x_i32(0))));
	for (int n = 1; n < parts; n++)
		k_set(k, sum, marching_join(m, marching_scale(m, sum, m->up_rows), x_at(x_var(part), x_i32(n))));
	join_sharers(m, sum, m->up_share);
	struct kx *before = x_var(k_var(k, kt(m->type), "before", marching_zero(m)));
	if (m->sharers > 1) {
		struct kx *other = shuffled(m, sum, 1);
		k_set(k, before, x_cond(x_eq(m->share, x_i32(0)), before, other));
	}
	w = marching_each(m, "w", parts);
	k_set(k, x_at(x_var(m->part), x_add(at, x_mul(w, x_i32(m->pitch)))), before);
	k_set(k, before, marching_join(m, marching_scale(m, before, m->up_rows), x_at(x_var(part), w)));
	k_end(k);
	k_set(k, x_var(m->next_own), sum);
	publish_own(m, next_chunk);
}

/* What has come, oldest first. */
static void join_words(struct march *m, struct kx *value)
{
	struct kernel *k = m->k;
	struct accumulators got = marching_total(m, "got", marching_zero(m));
	struct kx *word[STATE_WORDS];
	for (int x = m->asks - 1; x >= 0; x--) {
		for (int w = 0; w < m->words; w++)
			word[w] = word_at(m, x_i32(x), w);
		k_if(k, x_lt(x_i32(x), m->known));
		state_take(m->l, word, &got);
		k_set(k, value, marching_join(m, marching_scale(m, value, m->up_height), x_var(got.at[0].var)));
		k_end(k);
	}
}

/* Of the last strip of a group: what comes before the next group. */
static void publish_group(struct march *m, struct kx *value)
{
	struct kernel *k = m->k;
	struct kx *below = x_add(m->strip, x_i64(1));
	k_if(k, x_and(x_eq(x_rem(below, x_i64(m->group)), x_i64(0)), x_lt(below, m->strips)));
	struct accumulators all = marching_total(m, "all", marching_join(m, marching_scale(m, value, m->up_height), x_var(m->own)));
	publish(m, x_offset(own_words(m, m->chunk_number), m->row_words), &all);
	k_end(k);
}

void ahead_take(struct march *m)
{
	struct kernel *k = m->k;
	k_if(k, x_le(x_i64(0), m->chunk_number));
	struct kx *value = x_var(k_var(k, kt(m->type), "come", marching_zero(m)));
	k_if(k, x_lt(x_i64(1), m->strips));
	k_while(k, x_unary(OP_NOT, all_known(m)));
	load_words(m);
	k_end(k);
	join_words(m, value);
	join_sharers(m, value, m->up_asks);
	k_end(k);
	k_if(k, x_eq(m->share, x_i32(m->sharers - 1)));
	k_set(k, x_at(x_var(m->above), m->column), value);
	k_if(k, x_lt(x_i64(1), m->strips));
	publish_group(m, value);
	k_end(k);
	k_end(k);
	k_end(k);
}
