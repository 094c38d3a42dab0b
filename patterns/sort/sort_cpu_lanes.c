/* sort_cpu_lanes.c - short sequences, and the runs of longer ones, on a CPU: LANES of them side by side in a network,
 * whose steps are the same for all, so that the C compiler makes vectors of the lanes.
 *
 * Cell c of lane v lies at c * LANES + v of arrays on the thread's stack.  Of keys alone the codes are sorted; else
 * their words, each with the number of its cell, by which code and payload are picked from where they were loaded.  Of
 * equal words the lesser number goes first if the sort is stable.  The network is Batcher's odd-even merge (Knuth 5.2.2,
 * algorithm M, for any number of cells): 63 steps for 16 cells, 191 for 32, 3839 for 256.
 *
 * Behind a short sequence stand the greatest words: a step moves the lesser of two cells down and leaves equal ones, so
 * none of those ever comes down.  Sequences of very different lengths waste lanes: a group that holds less than a
 * quarter of the cells it has room for is sorted one by one, from runs that fill the lanes.
 *
 * 2^22 random u32 pairs, one thread, M pairs/s at length 16 / 64 / 256, with AVX2: 165 / 75 / 56; by insertion and
 * merging 62 / 39 / 29. */
#include "sort_cpu.h"

enum {
	MOST = 256,                          /* cells: patc_short() says how many pay */
	LEAST = 8                            /* of a run */
};

static bool is_plain(const struct cpu_sort *s)
{
	return !s->with && !s->node->sorting->stable;
}

bool cpu_lanes_can(const struct cpu_sort *s)
{
	return s->node->sorting->order != ORDER_LESS;
}

/* Vectors of 64 bits hold half as many. */
struct kx *cpu_lanes_most(const struct cpu_sort *s)
{
	struct kx *most = x_help(kt_scalar(T_I64), "patc_short", 0, NULL);
	return sort_word_bits(s->node) > 32 ? x_div(most, x_i64(2)) : most;
}

void cpu_lanes_open(struct cpu_sort *s)
{
	const struct type *word = is_plain(s) ? sort_code_type(s->node) : sort_word_type(s->node);
	int64_t cells = MOST * LANES / (sort_word_bits(s->node) > 32 ? 2 : 1);
	s->lane_words = x_var(k_shared(s->k, word, "lane_words", cells));
	if (is_plain(s))
		return;
	s->lane_numbers = x_var(k_shared(s->k, word, "lane_numbers", cells));
	s->lane_keys = x_var(k_shared(s->k, sort_code_type(s->node), "lane_keys", cells));
	if (s->with)
		s->lane_withs = x_var(k_shared(s->k, s->with, "lane_with", cells));
}

static struct kx *row_of(struct kx *cell)
{
	return x_mul(cell, x_i64(LANES));
}

/* ---- the network ---- */

/* Does the cell b go before a? */
static struct kx *goes_before(const struct cpu_sort *s, struct kx *b, struct kx *a, struct kx *number_b,
                              struct kx *number_a)
{
	if (is_plain(s))
		return sort_code_before(s->l, s->node, b, a);
	if (!s->node->sorting->stable)
		return x_lt(b, a);
	return x_or(x_lt(b, a), x_and(x_eq(b, a), x_lt(number_b, number_a)));
}

/* Two cells, each a row of lanes: the one that comes first goes to the lower. */
static void step(const struct cpu_sort *s, struct kx *low, struct kx *high)
{
	struct kernel *k = s->k;
	low = cpu_let(s, "low", row_of(low));
	high = cpu_let(s, "high", row_of(high));
	struct kx *lane = cpu_for(s, "lane", x_i64(0), x_i64(LANES), FOR_SIMD);
	struct kx *at_a = x_add(low, lane), *at_b = x_add(high, lane), *number_a = NULL, *number_b = NULL;
	struct kx *a = cpu_let(s, "word_a", x_at(s->lane_words, at_a)), *b = cpu_let(s, "word_b", x_at(s->lane_words, at_b));
	if (!is_plain(s)) {
		number_a = cpu_let(s, "number_a", x_at(s->lane_numbers, at_a));
		number_b = cpu_let(s, "number_b", x_at(s->lane_numbers, at_b));
	}
	struct kx *swap = cpu_let(s, "second", goes_before(s, b, a, number_b, number_a));
	k_set(k, x_at(s->lane_words, at_a), x_cond(swap, b, a));
	k_set(k, x_at(s->lane_words, at_b), x_cond(swap, a, b));
	if (!is_plain(s)) {
		k_set(k, x_at(s->lane_numbers, at_a), x_cond(swap, number_b, number_a));
		k_set(k, x_at(s->lane_numbers, at_b), x_cond(swap, number_a, number_b));
	}
	k_end(k);
}

/* Runs of `run` cells become twice as long, by steps of ever shorter reach, between cells of one new run. */
void cpu_lanes_sort(const struct cpu_sort *s, struct kx *width)
{
	struct kernel *k = s->k;
	k_note(k, "an odd-even merge of all lanes alike");
	struct kx *run = cpu_var(s, "run", x_i64(1));
	k_while(k, x_lt(run, width));
	struct kx *reach = cpu_var(s, "reach", run);
	k_while(k, x_lt(x_i64(0), reach));
	struct kx *from = x_var(k_for(k, "from", x_rem(reach, run), x_sub(width, reach), x_mul(reach, x_i64(2)), 0));
	struct kx *end = cpu_let(s, "from_end", x_min(x_add(from, reach), x_sub(width, reach)));
	struct kx *cell = cpu_for(s, "cell", from, end, 0), *other = x_add(cell, reach);
	k_if(k, x_lt(x_op(OP_XOR, cell, other), x_mul(run, x_i64(2))));
	step(s, cell, other);
	k_end(k);
	k_end(k);
	k_end(k);
	k_set(k, reach, x_div(reach, x_i64(2)));
	k_end(k);
	k_set(k, run, x_mul(run, x_i64(2)));
	k_end(k);
}

/* ---- in and out ---- */

/* What none comes behind. */
static struct kx *last_word(const struct cpu_sort *s)
{
	const struct type *type = s->lane_words->type.type;
	int bits = (int)(8 * type_size(type));
	bool up = s->node->sorting->order == ORDER_UP, own = is_plain(s) && type_class(sort_key_type(s->node)) != 'F';
	if (own && type_class(type) == 'I')
		return x_int(type->kind, up ? INT64_MAX >> (64 - bits) : INT64_MIN >> (64 - bits));
	return x_int(type->kind, own && !up ? 0 : (int64_t)(UINT64_MAX >> (64 - bits)));
}

/* Cells `from` .. width of the lane are behind its sequence. */
void cpu_lanes_fill(const struct cpu_sort *s, struct kx *lane, struct kx *from, struct kx *width)
{
	struct kx *cell = cpu_for(s, "cell", from, width, 0), *at = x_add(row_of(cell), lane);
	k_set(s->k, x_at(s->lane_words, at), last_word(s));
	if (!is_plain(s))
		k_set(s->k, x_at(s->lane_numbers, at), x_cast(kt(s->lane_numbers->type.type), cell));
	k_end(s->k);
}

void cpu_lanes_load(const struct cpu_sort *s, const struct piece *p, struct kx *lane, struct kx *width)
{
	struct kernel *k = s->k;
	struct kx *i = cpu_for(s, "next", x_i64(0), p->n, 0), *with, *key = cpu_load(s, p, i, &with);
	struct kx *at = cpu_let(s, "at", x_add(row_of(i), lane));
	if (is_plain(s)) {
		k_set(k, x_at(s->lane_words, at), key);
	} else {
		k_set(k, x_at(s->lane_words, at), sort_word_of_code(s->l, s->node, key));
		k_set(k, x_at(s->lane_numbers, at), x_cast(kt(s->lane_numbers->type.type), i));
		k_set(k, x_at(s->lane_keys, at), key);
	}
	if (s->with)
		k_set(k, x_at(s->lane_withs, at), with);
	k_end(k);
	cpu_lanes_fill(s, lane, p->n, width);
}

/* The sorted cell i of the lane. */
struct held cpu_lanes_cell(const struct cpu_sort *s, struct kx *lane, struct kx *i)
{
	struct kx *at = x_add(row_of(i), lane);
	if (is_plain(s))
		return (struct held){ x_at(s->lane_words, at), NULL };
	struct kx *number = cpu_let(s, "number", x_to_i64(x_at(s->lane_numbers, at)));
	at = cpu_let(s, "from", x_add(row_of(number), lane));
	return (struct held){ x_at(s->lane_keys, at), s->with ? x_at(s->lane_withs, at) : NULL };
}

/* ---- runs of a longer sequence ---- */

/* The piece is loaded into the workspace as sorted runs of so many cells: as few groups of lanes as hold it, filled. */
struct kx *cpu_lanes_runs(const struct cpu_sort *s, const struct piece *p)
{
	struct kernel *k = s->k;
	struct kx *groups = cpu_let(s, "groups", x_div_up(p->n, x_mul(cpu_lanes_most(s), x_i64(LANES))));
	struct kx *width = x_max(x_div_up(p->n, x_max(row_of(groups), x_i64(1))), x_i64(LEAST));
	width = cpu_let(s, "run_cells", width);
	struct kx *group = x_var(k_for(k, "group_first", x_i64(0), p->n, row_of(width), 0));
	struct kx *lane = cpu_for(s, "lane", x_i64(0), x_i64(LANES), 0);
	struct kx *skip = cpu_let(s, "skip", x_min(x_add(group, x_mul(lane, width)), p->n));
	struct piece run = { .origin = cpu_let(s, "origin", x_add(p->origin, skip)) };
	run.n = cpu_let(s, "cells_left", x_min(x_sub(p->n, skip), width));
	cpu_lanes_load(s, &run, lane, width);
	k_end(k);
	cpu_lanes_sort(s, width);
	struct kx *i = cpu_for(s, "next", group, cpu_let(s, "behind_group", x_min(x_add(group, row_of(width)), p->n)), 0);
	struct kx *place = cpu_let(s, "in_group", x_sub(i, group));
	struct held held = cpu_lanes_cell(s, cpu_let(s, "lane", x_div(place, width)), x_rem(place, width));
	cpu_put(s, x_add(p->base, i), held.key, held.with);
	k_end(k);
	k_end(k);
	return width;
}
