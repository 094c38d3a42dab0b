/* test_network.c - the sorting networks that GPU code is made of, run on zeros and ones: a network
 * that sorts those sorts everything (Knuth 5.3.4).  A word holds a place of 64 inputs, so and, or
 * are min and max.
 *
 * The registers' network runs on all of its inputs.  Then level by level: what two sorted halves
 * may be, (n/2 + 1)^2 inputs, goes through the last level and the spread; so by induction a network
 * over any number of lanes sorts. */
#include "../../patterns/sort/sort_network.h"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

enum { MOST = 1 << 12, WORD = 64 };

struct machine { int bits, lane_bits, level, inner; uint64_t cell[MOST], other[MOST]; };

static int place(const struct machine *m, int lane, int reg)
{
	return lane << m->bits | reg;
}

static int lanes_of(const struct machine *m, const struct net_step *s)
{
	switch (s->lanes) {
	case NET_NONE: return 0;
	case NET_LEVEL: return 1 << m->level;
	case NET_INNER: return 1 << m->inner;
	case NET_UP_TO_LEVEL: return (2 << m->level) - 1;
	case NET_SPREAD: break;
	}
	bool last = m->level < 0 || m->level == m->lane_bits - 1;
	return last && s->number < m->lane_bits ? 1 << s->number : 0;
}

static void compare(struct machine *m, int lane, int low, int high, bool falls)
{
	uint64_t *a = &m->cell[place(m, lane, falls ? high : low)],
		 *b = &m->cell[place(m, lane, falls ? low : high)];
	uint64_t least = *a & *b, most = *a | *b;
	*a = least;
	*b = most;
}

static bool is_pair(const struct machine *m, const struct net_step *s, int r)
{
	int first = s->apart % s->span;
	return r >= first && r + s->apart < 1 << m->bits && (r - first) / s->apart % 2 == 0
	    && r / (2 * s->span) == (r + s->apart) / (2 * s->span);
}

static void trade(struct machine *m, const struct net_step *s, int lane, int r)
{
	int mirror = s->mirrored ? (1 << s->bit) - 1 : 0;
	m->other[place(m, lane, r)] = m->cell[r >> s->bit & 1
	                                              ? place(m, lane ^ lanes_of(m, s), r ^ mirror)
	                                              : place(m, lane, r)];
}

static void swap(struct machine *m, const struct net_step *s, int lane, int r)
{
	m->other[place(m, lane, r)] = m->cell[place(m, lane,
	                                            lane & lanes_of(m, s) ? r ^ 1 << s->bit : r)];
}

static void run_step(struct machine *m, const struct net_step *s)
{
	bool moves = s->what == NET_TRADE || s->what == NET_SWAP;
	for (int lane = 0; lane < 1 << m->lane_bits; lane++)
		for (int r = 0; r < 1 << m->bits; r++) {
			if (s->what == NET_PAIRS && is_pair(m, s, r))
				compare(m, lane, r, r + s->apart, false);
			if (s->what == NET_ORDER && !(r >> s->bit & 1))
				compare(m, lane, r, r | 1 << s->bit, lane & lanes_of(m, s));
			if (moves && lanes_of(m, s))
				(s->what == NET_TRADE ? trade : swap)(m, s, lane, r);
		}
	if (moves && lanes_of(m, s))
		memcpy(m->cell, m->other, sizeof m->cell[0] << (m->bits + m->lane_bits));
}

static int end_of(const struct network *n, int at)
{
	for (int open = 1; ; at++) {
		enum net_what what = n->step.at[at].what;
		open += (what == NET_LEVELS || what == NET_INNERS || what == NET_DOWN)
		        - (what == NET_END);
		if (!open)
			return at;
	}
}

/* Steps from .. to, of level `only` and later ones. */
static void run(struct machine *m, const struct network *n, int from, int to, int only)
{
	for (int i = from; i < to; i++) {
		enum net_what what = n->step.at[i].what;
		if (what != NET_LEVELS && what != NET_INNERS && what != NET_DOWN) {
			run_step(m, &n->step.at[i]);
			continue;
		}
		int end = end_of(n, i + 1), *at = what == NET_LEVELS ? &m->level : &m->inner;
		int count = what == NET_INNERS ? m->level : m->lane_bits;
		for (int t = what == NET_LEVELS ? only : 0; t < count; t++) {
			*at = what == NET_DOWN ? count - 1 - t : t;
			run(m, n, i + 1, end, only);
		}
		m->level = what == NET_LEVELS ? -1 : m->level;
		i = end;
	}
}

static int first_level(const struct network *n)
{
	int i = 0;
	while (n->step.at[i].what == NET_PAIRS)
		i++;
	return i;
}

static void sorted(const struct machine *m, bool merged)
{
	uint64_t by_rank[MOST];
	for (int lane = 0; lane < 1 << m->lane_bits; lane++)
		for (int r = 0; r < 1 << m->bits; r++)
			by_rank[network_rank(m->bits, m->lane_bits, merged, lane,
			                     r)] = m->cell[place(m, lane, r)];
	for (int i = 1; i < 1 << (m->bits + m->lane_bits); i++)
		assert_true((by_rank[i - 1] & ~by_rank[i]) == 0);
}

static void registers_sort(void **state)
{
	static struct machine m;
	(void)state;
	for (int bits = 1; bits <= 4; bits++) {
		struct network *n = network_sort(bits);
		m.bits = bits;
		for (uint64_t input = 0; input < UINT64_C(1) << (1 << bits); input += WORD) {
			for (int r = 0; r < 1 << bits; r++)
				for (m.cell[r] = 0, m.level = 0; m.level < WORD; m.level++)
					m.cell[r] |= ((input + (uint64_t)m.level) >> r & 1)
					             << m.level;
			m.level = -1;
			run(&m, n, 0, n->step.n, 0);
			sorted(&m, false);
		}
	}
}

/* Rank of a place before the last level: the higher lane bit tells the half. */
static int half_rank(const struct machine *m, int lane, int r)
{
	int i = m->lane_bits - 1, rank = r;
	for (int s = 0; s < i; s++)
		rank |= (lane >> s & 1) << (m->bits + i - 1 - s);
	return rank;
}

/* Bit b: of the halves one holds `a`, the other `first + b * by` zeros. */
static void two_halves(struct machine *m, int a, int first, int by)
{
	for (int lane = 0; lane < 1 << m->lane_bits; lane++)
		for (int r = 0; r < 1 << m->bits; r++) {
			uint64_t *cell = &m->cell[place(m, lane, r)];
			int rank = half_rank(m, lane, r);
			bool second = lane >> (m->lane_bits - 1) & 1;
			*cell = 0;
			for (int b = 0; b < WORD; b++)
				*cell |= (uint64_t)(rank >= (second ? a : first + b * by)) << b;
		}
}

static void levels_sort(void **state)
{
	static struct machine m;
	(void)state;
	for (int bits = 1; bits <= 4; bits++)
		for (int lane_bits = 1; lane_bits <= 8; lane_bits++) {
			struct network *n = network_sort(bits);
			int half = 1 << (bits + lane_bits - 1),
			    by = half > 128 ? half / WORD + 1 : 1,
			    each = half > 128 ? half / 23 : 1;
			m = (struct machine){ .bits = bits, .lane_bits = lane_bits, .level = -1 };
			for (int a = 0; a <= half; a += each)
				for (int first = 0; first <= half; first += WORD * by) {
					two_halves(&m, a, first, by);
					run(&m, n, first_level(n), n->step.n, lane_bits - 1);
					sorted(&m, false);
				}
		}
}

static void all_levels_sort(void **state)
{
	static struct machine m;
	uint64_t x = 1;
	(void)state;
	for (int bits = 1; bits <= 4; bits++)
		for (int lane_bits = 0; lane_bits <= 8; lane_bits++) {
			struct network *n = network_sort(bits);
			m = (struct machine){ .bits = bits, .lane_bits = lane_bits, .level = -1 };
			for (int i = 0; i < 1 << (bits + lane_bits); i++)
				m.cell[i] = x = x * 6364136223846793005 + 1442695040888963407;
			run(&m, n, 0, n->step.n, 0);
			sorted(&m, false);
		}
}

/* What rises and then falls: ones from `a` on, `first + b * by` of them. */
static void merges(void **state)
{
	static struct machine m;
	(void)state;
	for (int bits = 1; bits <= 4; bits++)
		for (int lane_bits = 5; lane_bits <= 8; lane_bits += 3) {
			struct network *n = network_merge(bits);
			int all = 1 << (bits + lane_bits), by = all / WORD + 1,
			    lanes = 1 << lane_bits;
			m = (struct machine){ .bits = bits, .lane_bits = lane_bits, .level = -1 };
			for (int a = 0; a <= all; a += all / 29 + 1) {
				for (int i = 0; i < all; i++)
					for (int b = 0; b < WORD; b++) {
						uint64_t *cell = &m.cell[place(&m, i % lanes,
						                               i / lanes)];
						*cell = (b ? *cell : 0)
						        | (uint64_t)(i >= a && i < a + b * by) << b;
					}
				run(&m, n, 0, n->step.n, 0);
				sorted(&m, true);
			}
		}
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(registers_sort),
		                            cmocka_unit_test(levels_sort),
		                            cmocka_unit_test(all_levels_sort),
		                            cmocka_unit_test(merges) };
	return cmocka_run_group_tests(tests, NULL, NULL);
}
