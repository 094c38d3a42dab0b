/* separable_above.c - what comes into a strip from above, for a chunk of its columns (separable_gpu.c, 2).
 *
 * Of each warp and column the block's memory holds a total.  A thread has some columns: it joins the warps' totals,
 * publishes that of the strip, waits for the strips above, and puts back what comes before each warp.
 *
 * Strips stand in groups.  What comes before a group is published by the last strip of the one before it, so a
 * thread asks for one such value and the totals of the strips of its group, several at a time. */
#include "separable_march.h"
#include "../state_words.h"

enum { ASKED = 4 };                      /* totals that a thread waits for at a time */

struct accumulators marching_total(struct march *m, const char *name, struct kx *value)
{
	struct accumulators acc = { .n = 1 };
	acc.at[0] = (struct accumulator){ .op = m->s->form->acc, .of = m->type, .type = m->type,
	                                  .var = k_var(m->k, kt(m->type), name, value) };
	return acc;
}

/* Word of a column's total, of a strip or of a group: numbers count on over both. */
static struct kx *word_place(struct march *m, struct kx *number, struct kx *column, int word)
{
	struct kx *row = x_add(x_mul(number, x_i64(m->words)), x_i64(word));
	struct kx *pitch = x_mul(m->chunks, x_i64(m->chunk));
	return x_offset(m->state, x_add(x_add(x_mul(row, pitch), column), x_i64(1)));
}

static struct kx *strip_number(struct march *m, struct kx *strip)
{
	return x_add(x_mul(m->problem, x_add(m->strips, m->groups)), strip);
}

static struct kx *group_number(struct march *m, struct kx *group)
{
	return strip_number(m, x_add(m->strips, group));
}

static void publish(struct march *m, struct kx *number, struct kx *column, const struct accumulators *acc)
{
	struct kx *at[STATE_WORDS];
	for (int w = 0; w < m->words; w++)
		at[w] = word_place(m, number, column, w);
	state_store(m->l, at, acc, x_int(T_U32, 1));
}

static struct kx *word_at(struct march *m, struct kvar *asked, struct kx *x, int w)
{
	return x_at(x_var(asked), x_add(x_mul(x, x_i32(m->words)), x_i32(w)));
}

static void ask(struct march *m, struct kvar *asked, struct kx *x, struct kx *number, struct kx *column)
{
	for (int w = 0; w < m->words; w++)
		k_set(m->k, word_at(m, asked, x, w), state_load(word_place(m, number, column, w)));
}

/* Asks again until it is there. */
static void await(struct march *m, struct kvar *asked, struct kx *x, struct kx *number, struct kx *column, const struct accumulators *to)
{
	struct kx *missing = NULL, *word[STATE_WORDS];
	for (int w = 0; w < m->words; w++) {
		word[w] = word_at(m, asked, x, w);
		missing = x_or(missing, x_eq(state_known(word[w]), x_int(T_U32, 0)));
	}
	k_while(m->k, missing);
	ask(m, asked, x, number, column);
	k_end(m->k);
	state_take(m->l, word, to);
}

/* above, of nothing yet, becomes what comes into the strip at the column. */
static void look_back(struct march *m, struct kx *column, const struct accumulators *above)
{
	struct kernel *k = m->k;
	struct kvar *asked = k_regs(k, type_scalar(T_U64), "asked", ASKED * m->words);
	struct kx *group = x_var(k_let(k, "group", x_div(m->strip, x_i64(m->group)))), *none = x_i32(0);
	struct kx *rank = x_var(k_let(k, "rank", x_to_i32(x_rem(m->strip, x_i64(m->group)))));
	struct accumulators total = marching_total(m, "total", marching_zero(m));
	struct kx *value = x_var(above->at[0].var);
	k_if(k, x_lt(x_i64(0), group));
	ask(m, asked, none, group_number(m, group), column);
	await(m, asked, none, group_number(m, group), column, above);
	k_end(k);
	struct kx *base = x_var(k_for(k, "base", none, rank, x_i32(ASKED), FOR_ROLLED));
	struct kx *first = x_add(x_mul(group, x_i64(m->group)), x_to_i64(base));
	struct kx *x = marching_each(m, "x", ASKED);
	k_if(k, x_lt(x_add(base, x), rank));
	ask(m, asked, x, strip_number(m, x_add(first, x_to_i64(x))), column);
	k_end(k);
	k_end(k);
	x = marching_each(m, "x", ASKED);
	k_if(k, x_lt(x_add(base, x), rank));
	await(m, asked, x, strip_number(m, x_add(first, x_to_i64(x))), column, &total);
	k_set(k, value, marching_join(m, marching_scale(m, value, m->up_height), x_var(total.at[0].var)));
	k_end(k);
	k_end(k);
	k_end(k);
}

/* Of the last strip of a group: what comes before the next one. */
static void publish_group(struct march *m, struct kx *column, const struct accumulators *above, struct kx *own)
{
	struct kernel *k = m->k;
	struct kx *next = x_var(k_let(k, "next", x_add(m->strip, x_i64(1))));
	k_if(k, x_and(x_eq(x_rem(next, x_i64(m->group)), x_i64(0)), x_lt(next, m->strips)));
	struct accumulators all = marching_total(m, "all", marching_join(m, marching_scale(m, x_var(above->at[0].var), m->up_height), own));
	publish(m, group_number(m, x_div(next, x_i64(m->group))), column, &all);
	k_end(k);
}

/* The parts of a column become what comes before each warp. */
void marching_above(struct march *m)
{
	struct kernel *k = m->k;
	int64_t block = (int64_t)m->lanes * m->warps;
	struct kx *at = x_var(k_for(k, "at", m->thread, x_i32(m->chunk), x_i32(block), m->chunk > block ? FOR_ROLLED : 0));
	struct kvar *part = k_regs(k, m->type, "of_warp", m->warps);
	struct kx *w = marching_each(m, "w", m->warps);
	k_set(k, x_at(x_var(part), w), x_at(x_var(m->part), x_add(x_mul(w, x_i32(m->chunk)), at)));
	k_end(k);
	struct accumulators above = marching_total(m, "above", marching_zero(m));
	struct kx *value = x_var(above.at[0].var);
	k_if(k, x_lt(x_i64(1), m->strips));
	struct accumulators own = marching_total(m, "own", x_at(x_var(part), x_i32(0)));
	for (int n = 1; n < m->warps; n++)
		k_set(k, x_var(own.at[0].var), marching_join(m, marching_scale(m, x_var(own.at[0].var), m->up_rows), x_at(x_var(part), x_i32(n))));
	struct kx *column = x_var(k_let(k, "column", x_add(m->column_first, x_to_i64(at))));
	publish(m, strip_number(m, m->strip), column, &own);
	look_back(m, column, &above);
	publish_group(m, column, &above, x_var(own.at[0].var));
	k_end(k);
	w = marching_each(m, "w", m->warps);
	k_set(k, x_at(x_var(m->part), x_add(x_mul(w, x_i32(m->chunk)), at)), value);
	k_set(k, value, marching_join(m, marching_scale(m, value, m->up_rows), x_at(x_var(part), w)));
	k_end(k);
	k_end(k);
}
