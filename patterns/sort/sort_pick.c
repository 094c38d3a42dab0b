/* sort_pick.c - candidates for few first elements of few long sequences.
 *
 *   _sample   blocks sort parts of a sample of the sequence; the last one takes as a limit an
 *             element that as many as are wanted are not after, as good as certainly
 *   _pick     all blocks: what is not after the limit, into the workspace; reads each cell once
 *   _first    sort_first.c: the first ones of the candidates
 *
 * An element is compared with its number (sort_elements.c), so equal keys make no more candidates
 * than other ones do.  How many there are follows from the sample alone, whatever the keys are: its
 * place p in a sample of s elements of n is that of p n / s elements of the sequence.  Where fewer
 * candidates are found than are wanted, or more than have room, both once in a million samples,
 * _first goes over the sequence itself.
 *
 * Of 2^26 keys on an H100, the first 256: a quarter of the sample, by one block, took 14 us in
 * place of 12, and _first 28 in place of 14. */
#include "sort_gpu.h"

enum {
	SAMPLE_BITS = 2,                     /* elements of a thread in a part: 2^bits */
	FIRSTS = 16,                         /* of a part that are kept */
	BLOCKS = 6                           /* of a multiprocessor, that stride */
};

struct picker {
	const struct sorter *s;
	struct elements *items, *part;       /* of the sample; places are those of first elements */
	struct elements *word, *word_limit;  /* of words */
	struct elements *one, *limit, *picked;
};

static int sample_bits(const struct sorter *s)
{
	return s->block_bits < SAMPLE_BITS ? s->block_bits : SAMPLE_BITS;
}

static int64_t part_elements(const struct sorter *s)
{
	return (int64_t)SORT_THREADS << sample_bits(s);
}

/* So many, that a block sorts the first ones of all. */
static int64_t most_parts(const struct sorter *s)
{
	return part_elements(s) / FIRSTS;
}

/* ---- the workspace ---- */

/* Over sizes alone, since counters are cleared before all statements; none where the sequences are
 * not picked from.  Where there are fewer parts than there may be, 1.5 wanted elements of the
 * sequence or more come before the first 14 or so of the sample; 40 as good as never do. */
static void find_slots(struct sorter *s, int64_t least, int64_t most, int64_t share)
{
	struct plan *plan = s->plan;
	struct kx *wanted = x_min(x_i64(sort_first_most(s)), x_div(s->longest, x_i64(share)));
	int64_t first;
	if (x_constant(lower_index(host_lowering(plan), s->node->sorting->first), &first))
		wanted = x_min(wanted, x_i64(first < 0 ? 0 : first));
	struct kx *each = x_div_up(s->longest, x_i64(part_elements(s) * most_parts(s)));
	struct kx *room = x_add(x_mul(wanted, x_i64(32)), x_mul(each, x_i64(48)));
	struct kx *rows = sort_rows(host_lowering(plan), s->node);
	struct kx *are = x_and(x_lt(rows, x_i64(most)), x_lt(x_i64(least), s->longest));
	struct kx *sequences = kx_fold(x_cond(are, rows, x_i64(0)));
	s->picked_room = plan_let(plan, "room", kx_fold(room));
	struct kx *all[] = { sequences, s->picked_room };
	struct kx *parts[] = { sequences, x_i64(part_elements(s)) };
	s->limit_key = plan_slot(plan, "limit_key", s->key, 1, &sequences);
	s->part_key = plan_slot(plan, "part_key", s->key, 2, parts);
	s->picked_key = plan_slot(plan, "picked_key", s->key, 2, all);
	if (s->tag) {
		s->limit_tag = plan_slot(plan, "limit_tag", s->tag, 1, &sequences);
		s->part_tag = plan_slot(plan, "part_tag", s->tag, 2, parts);
		s->picked_tag = plan_slot(plan, "picked_tag", s->tag, 2, all);
	}
	s->picked = plan_zeros(plan, "picked", type_scalar(T_U64), 1, &sequences);
	s->ticket = plan_ticket(plan, 1, &sequences);
}

/* The same registers; places are in the workspace. */
static struct elements *in_slots(const struct sorter *s, struct lowering *l,
                                 const struct elements *of, struct kvar *keys, struct kvar *tags)
{
	struct elements *it = NEW(struct elements);
	*it = *of;
	it->keys = sort_pointer(s, l, keys, false);
	it->tags = s->tag ? sort_pointer(s, l, tags, false) : NULL;
	return it;
}

struct elements *sort_bind_picked(const struct sorter *s, struct lowering *l,
                                  const struct elements *items)
{
	k_bind(l->k, "picked", sort_pointer(s, l, s->picked, false));
	k_bind(l->k, "room", lower_argument(l, "room", kt_scalar(T_I64), s->picked_room));
	return in_slots(s, l, items, s->picked_key, s->picked_tag);
}

/* ---- the kernels ---- */

static void elements_are(const struct picker *p, struct kx *n)
{
	struct elements *all[] = { p->items, p->one, p->limit };
	for (int i = 0; i < 3; i++)
		if (all[i])
			all[i]->n = n;
}

static void get_limit(const struct picker *p, struct kx *sequence)
{
	elements_get(p->limit, x_i32(0), sequence);
	elements_get_word(p->word_limit, x_i32(0), p->limit, sequence);
}

static void pick_one(const struct picker *p, struct kx *number, struct kx *at)
{
	elements_load(p->one, x_i32(0), number);
	elements_put(p->picked, x_i32(0), at);
}

#define CALLS(DO, GET) \
	DO(elements_are, elements_are(p, arg[0])) \
	DO(put_part, elements_put(p->part, arg[0], arg[1])) \
	DO(get_part, elements_get(p->part, arg[0], arg[1])) \
	DO(put_limit, elements_put(p->limit, arg[0], arg[1])) \
	DO(get_limit, get_limit(p, arg[0])) \
	DO(load_word, elements_load(p->word, arg[0], NULL)) \
	GET(limit_before, elements_first(p->word_limit, x_i32(0), p->word, arg[0])) \
	DO(load_one, elements_load(p->one, x_i32(0), arg[0])) \
	GET(limit_before_one, elements_first(p->limit, x_i32(0), p->one, x_i32(0))) \
	DO(pick, pick_one(p, arg[0], arg[1]))

#define HOLE_DO(name, call) KTEXT_CALL(const struct picker, p, name, call; return NULL;)
#define HOLE_GET(name, value) KTEXT_CALL(const struct picker, p, name, return value;)

CALLS(HOLE_DO, HOLE_GET)

static void sample(const struct sorter *s)
{
	struct lowering *l = sort_kernel(s, "_sample", "Bounds the first elements by a sample.");
	struct picker p = { .s = s };
	int64_t parts = most_parts(s);
	p.items = elements_new(s, l, "", sample_bits(s), true);
	p.limit = in_slots(s, l, p.items, s->limit_key, s->limit_tag);
	p.part = in_slots(s, l, p.items, s->part_key, s->part_tag);
	k_bind(l->k, "thread", let(l, "thread", block_thread(l)));
	elements_bind(p.items, false);
	k_numbers(l->k, "PARTS, FIRSTS", parts, FIRSTS);
	k_bind(l->k, "ticket", sort_pointer(s, l, s->ticket, false));
	k_bind_calls(l->k, &p, CALLS(KTEXT_ROW, KTEXT_ROW));
	k_text(l->k, "sample_cells");
	lowering_launch(l, x_mul(s->sequences, x_i64(parts)), x_i64(1), x_i64(1));
}

static void pick(const struct sorter *s)
{
	struct lowering *l = sort_kernel(s, "_pick", "Picks what is not after the limits.");
	struct picker p = { .s = s };
	const struct sorter *words = sorter_of_words(s);
	p.word = elements_new(words, l, "word_", s->block_bits, false);
	p.word_limit = elements_new(words, l, "limit_word_", 0, false);
	p.limit = in_slots(s, l, elements_new(s, l, "limit_", 0, false), s->limit_key,
	                   s->limit_tag);
	p.one = elements_new(s, l, "one_", 0, false);
	p.picked = sort_bind_picked(s, l, p.one);
	k_bind(l->k, "thread", let(l, "thread", block_thread(l)));
	k_bind(l->k, "EACH", 1 << s->block_bits);
	sort_bind_tiles(s, l, NULL);
	k_bind_calls(l->k, &p, CALLS(KTEXT_ROW, KTEXT_ROW));
	k_text(l->k, "pick_cells");
	lowering_launch(l, x_min(sort_tiles_of(s), x_i64(BLOCKS * l->target->units)), x_i64(1),
	                x_i64(1));
}

void sort_pick(struct sorter *s, int64_t least, int64_t most, int64_t share)
{
	find_slots(s, least, most, share);
	sample(s);
	pick(s);
	sort_first_blocks(s);
}
