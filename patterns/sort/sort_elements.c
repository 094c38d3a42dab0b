/* sort_elements.c - elements in the registers of a thread, and the steps of networks on them.
 *
 * An element is a key and its number in the sequence, the tag; equal keys compare by tags.  So the sort is stable, no
 * two elements are equal, and what pads a sequence, tags from n on, comes behind whatever keys there are.  Payloads
 * do not travel: they are fetched by tags at the end, once; so are keys that do not follow from their words.
 *
 * Keys of numbers are their words (sort_word).  One of 32 bits and the tag are one integer of 64 bits, compared
 * at once; one of 64 bits has its tag beside it, and so has a key that a function of the program compares.
 *
 * Keys that nothing moves along with have no tags, if equal ones cannot be told apart: they are what is stored (their
 * codes, sort_code), and the last key there is pads.
 *
 * Where one array of scalars of at most 32 bits moves with keys that follow from their words, and equal keys may come in
 * any order, the bits of its value stand where the tag would: nothing is fetched at the end.  The last of all such
 * pairs pads, and whether a pad or an equal element is stored makes no difference. */
#include "sort_gpu.h"
#include "../state_words.h"

/* Keys alone, and no two that are equal can be told apart. */
static bool is_alone(const struct node *node)
{
	bool same = type_class(node->sorting->key->type) != 'F' || !node->sorting->stable;
	return sort_word_bits(node) && same && node->equation.n == 1 && sort_is_key(node, node->equation.at[0]);
}

static const struct equation *carried_of(const struct node *node)
{
	const struct equation *one = NULL;
	if (node->sorting->stable || node->sorting->into || !sort_word_tells(node) || sort_word_bits(node) > 32)
		return NULL;
	for (int q = 0; q < node->equation.n; q++) {
		const struct equation *eq = node->equation.at[q];
		if (sort_is_key(node, eq))
			continue;
		if (one || eq->right->type->kind == T_STRUCT || type_size(eq->right->type) > 4)
			return NULL;
		one = eq;
	}
	return one;
}

void sorter_types(struct sorter *s)
{
	int bits = sort_word_bits(s->node);
	s->alone = is_alone(s->node);
	s->carried = carried_of(s->node);
	s->key = s->alone ? sort_code_type(s->node) : bits ? type_scalar(T_U64) : sort_key_type(s->node);
	s->tag = s->alone || (bits && bits <= 32) ? NULL : type_scalar(T_U32);
	int64_t words = type_words(s->key) + (s->tag ? 1 : 0);
	s->block_bits = words <= 2 ? 4 : words <= 4 ? 3 : words <= 8 ? 2 : 1;
	if (s->block_bits > 1 && !s->plan->target->unrolls)
		s->block_bits--;             /* clang for AMD would run out of 256 registers */
	s->short_bits = s->block_bits < 2 ? s->block_bits : 2;
	s->tile = INT64_C(1) << (s->block_bits + SORT_LANE_BITS);
}

static bool is_packed(const struct elements *it)
{
	return !it->s->tag;
}

struct elements *elements_new(const struct sorter *s, struct lowering *l, int bits, bool block)
{
	struct elements *it = NEW(struct elements);
	int64_t traded = (int64_t)SORT_THREADS << (bits - 1);
	*it = (struct elements){ .s = s, .l = l, .bits = bits, .loops = FOR_ROLLED };
	it->key = k_regs(l->k, s->key, "key", INT64_C(1) << bits);
	it->tag = s->tag ? k_regs(l->k, s->tag, "tag", INT64_C(1) << bits) : NULL;
	it->key_memory = block ? k_shared(l->k, s->key, "traded_key", traded) : NULL;
	it->tag_memory = block && s->tag ? k_shared(l->k, s->tag, "traded_tag", traded) : NULL;
	it->lane = x_var(k_let(l->k, "lane", x_rem(block_thread(l), x_i32(l->target->lanes))));
	return it;
}

/* ---- one element ---- */

static struct kx *key_of(const struct elements *it, struct kx *e)
{
	return x_at(x_var(it->key), e);
}

static struct kx *tag_of(const struct elements *it, struct kx *e)
{
	return x_at(x_var(it->tag), e);
}

struct kx *elements_open(const struct elements *it)
{
	return x_var(k_for(it->l->k, "e", x_i32(0), x_i32(1 << it->bits), x_i32(1), FOR_UNROLL));
}

static void set_key(const struct elements *it, struct kx *to, struct kx *from)
{
	accumulator_copy(it->l, to, from);
}

/* The last there is: of floats the codes are unsigned. */
static struct kx *last_code(const struct sorter *s)
{
	int bits = (int)(8 * type_size(s->key));
	bool is_signed = type_class(s->key) == 'I', down = type_class(s->node->sorting->key->type) != 'F' && s->node->sorting->order == ORDER_DOWN;
	if (is_signed)
		return x_int(s->key->kind, down ? INT64_MIN >> (64 - bits) : INT64_MAX >> (64 - bits));
	return x_int(s->key->kind, down ? 0 : bits == 64 ? -1 : (INT64_C(1) << bits) - 1);
}

static struct kx *padding(const struct sorter *s)
{
	if (s->alone)
		return last_code(s);
	return sort_word_bits(s->node) ? x_int(T_U64, -1) : lower_zero(s->key);
}

void elements_pad(const struct elements *it, struct kx *e)
{
	set_key(it, key_of(it, e), padding(it->s));
	if (it->tag)
		k_set(it->l->k, tag_of(it, e), x_int(T_U32, UINT32_MAX));
}

/* Its lower half, where the upper one is the word of the key. */
static struct kx *goes_with(const struct elements *it, struct kx *tag)
{
	if (!it->s->carried)
		return tag;
	struct kx *value = sort_value(it->l, it->s->carried);
	return state_bits(x_var(k_let(it->l->k, "cell_value", value)));
}

void elements_load(const struct elements *it, struct kx *e, struct kx *tag)
{
	struct kernel *k = it->l->k;
	struct kx *key = sort_key(it->l, it->s->node);
	if (it->s->alone) {
		key = sort_code(it->l, it->s->node, x_var(k_let(k, "cell_key", key)));
	} else if (sort_word_bits(it->s->node)) {
		key = x_cast(kt_scalar(T_U64), sort_word(it->l, it->s->node, x_var(k_let(k, "cell_key", key))));
		if (is_packed(it))
			key = x_op(OP_OR, x_op(OP_SHL, key, x_i32(32)), x_cast(kt_scalar(T_U64), goes_with(it, tag)));
	}
	set_key(it, key_of(it, e), key);
	if (it->tag)
		k_set(k, tag_of(it, e), tag);
}

static struct kx *lower_half(struct kx *held)
{
	return x_cast(kt_scalar(T_U32), held);
}

/* What equation eq moves, of what is held for it. */
static struct kx *value_from(const struct elements *it, const struct equation *eq, struct kx *held)
{
	struct kernel *k = it->l->k;
	const struct node *node = it->s->node;
	if (it->s->alone)
		return sort_from_code(it->l, node, x_var(k_let(k, "code", held)));
	if (eq == it->s->carried)
		return state_of_bits(eq->right->type, x_var(k_let(k, "bits", lower_half(held))));
	struct kx *word = is_packed(it) ? x_op(OP_SHR, held, x_i32(32)) : held;
	return sort_from_word(it->l, node, x_var(k_let(k, "word", x_cast(kt(sort_word_type(node)), word))));
}

struct kx *elements_value(const struct elements *it, const struct equation *eq, struct kx *e)
{
	return value_from(it, eq, key_of(it, e));
}

struct kx *elements_value_at(const struct elements *it, const struct equation *eq, struct kx *at)
{
	return value_from(it, eq, x_at(it->keys, at));
}

bool sort_holds(const struct sorter *s, const struct equation *eq)
{
	if (s->alone || eq == s->carried)
		return true;
	return !s->node->sorting->into && sort_word_tells(s->node) && sort_is_key(s->node, eq);
}

struct kx *elements_tag(const struct elements *it, struct kx *e)
{
	struct kx *tag = is_packed(it) ? lower_half(key_of(it, e)) : tag_of(it, e);
	return x_cast(kt_scalar(T_I64), tag);
}

/* ---- the workspace ---- */

void elements_workspace(struct elements *it)
{
	it->keys = sort_pointer(it->s, it->l, it->s->keys, false);
	it->tags = it->tag ? sort_pointer(it->s, it->l, it->s->tags, false) : NULL;
}

static void elements_get(const struct elements *it, struct kx *e, struct kx *at)
{
	set_key(it, key_of(it, e), x_at(it->keys, at));
	if (it->tag)
		k_set(it->l->k, tag_of(it, e), x_at(it->tags, at));
}

static void elements_put(const struct elements *it, struct kx *e, struct kx *at)
{
	set_key(it, x_at(it->keys, at), key_of(it, e));
	if (it->tag)
		k_set(it->l->k, x_at(it->tags, at), tag_of(it, e));
}

struct kx *elements_tag_at(const struct elements *it, struct kx *at)
{
	struct kx *tag = is_packed(it) ? lower_half(x_at(it->keys, at)) : x_at(it->tags, at);
	return x_cast(kt_scalar(T_I64), tag);
}

/* ---- which goes first ---- */

struct element { struct kx *key, *tag; };

static struct element element(const struct elements *it, struct kx *e)
{
	return (struct element){ key_of(it, e), it->tag ? tag_of(it, e) : NULL };
}

/* By a function of the program: it is asked about elements only. */
static struct kx *less_before(const struct elements *it, struct element b, struct element a)
{
	struct kx *b_first = sort_before(it->l, it->s->node, b.key, a.key), *a_first = sort_before(it->l, it->s->node, a.key, b.key);
	struct kx *sooner = x_lt(b.tag, a.tag);
	struct kx *both = x_cond(sooner, x_unary(OP_NOT, a_first), b_first);
	struct kx *is_a = x_lt(a.tag, it->n), *is_b = x_lt(b.tag, it->n);
	return x_cond(x_and(is_a, is_b), both, sooner);
}

static struct kx *goes_before(const struct elements *it, struct element b, struct element a)
{
	if (it->s->alone)
		return sort_code_before(it->l, it->s->node, b.key, a.key);
	if (!sort_word_bits(it->s->node))
		return less_before(it, b, a);
	if (!a.tag)
		return x_lt(b.key, a.key);
	return x_or(x_lt(b.key, a.key), x_and(x_eq(b.key, a.key), x_lt(b.tag, a.tag)));
}

static struct kx *elements_before(const struct elements *it, struct kx *b, struct kx *a)
{
	struct element of_b = { x_at(it->keys, b), it->tag ? x_at(it->tags, b) : NULL };
	struct element of_a = { x_at(it->keys, a), it->tag ? x_at(it->tags, a) : NULL };
	return goes_before(it, of_b, of_a);
}

/* ---- steps ---- */

static struct kx *open_half(const struct elements *it, const char *name)
{
	return x_var(k_for(it->l->k, name, x_i32(0), x_i32(1 << (it->bits - 1)), x_i32(1), FOR_UNROLL));
}

/* Number p of those without the bit, in their order. */
static struct kx *without_bit(struct kx *p, int64_t bit)
{
	return x_add(x_mul(x_div(p, x_i32(bit)), x_i32(2 * bit)), x_rem(p, x_i32(bit)));
}

static void choose(const struct elements *it, struct kvar *of, struct kx *low, struct kx *high, struct kx *swaps)
{
	struct kernel *k = it->l->k;
	struct kx *a = x_at(x_var(of), low), *b = x_at(x_var(of), high);
	if (of->type.type->kind == T_STRUCT) {
		struct kx *held = x_var(k_var(k, kt(of->type.type), "held", NULL));
		k_if(k, swaps);
		accumulator_copy(it->l, held, a);
		accumulator_copy(it->l, a, b);
		accumulator_copy(it->l, b, held);
		k_end(k);
		return;
	}
	struct kx *first = x_var(k_let(k, "low", a)), *second = x_var(k_let(k, "high", b));
	k_set(k, a, x_cond(swaps, second, first));
	k_set(k, b, x_cond(swaps, first, second));
}

static void swap_if(const struct elements *it, struct kx *low, struct kx *high, struct kx *swaps)
{
	choose(it, it->key, low, high, swaps);
	if (it->tag)
		choose(it, it->tag, low, high, swaps);
}

static void order_two(const struct elements *it, struct kx *low, struct kx *high, struct kx *twist)
{
	struct kx *before = goes_before(it, element(it, high), element(it, low));
	if (twist)
		before = x_ne(before, twist);
	swap_if(it, low, high, x_var(k_let(it->l->k, "swaps", before)));
}

static void write_order(void *state, int bit, struct kx *twist)
{
	const struct elements *it = state;
	struct kx *low = without_bit(open_half(it, "p"), 1 << bit);
	order_two(it, low, x_add(low, x_i32(1 << bit)), twist);
	k_end(it->l->k);
}

static void write_pairs(void *state, int apart, int span)
{
	const struct elements *it = state;
	struct kernel *k = it->l->k;
	int first = apart % span, all = 1 << it->bits, pairs = first ? all / 2 - apart : all / 2;
	struct kx *p = x_var(k_for(k, "p", x_i32(0), x_i32(pairs), x_i32(1), FOR_UNROLL));
	struct kx *low = x_add(without_bit(p, apart), x_i32(first)), *high = x_add(low, x_i32(apart));
	bool some = first && 2 * span < all;
	if (some)
		k_if(k, x_eq(x_div(low, x_i32(2 * span)), x_div(high, x_i32(2 * span))));
	order_two(it, low, high, NULL);
	if (some)
		k_end(k);
	k_end(k);
}

static void write_swap(void *state, int bit, struct kx *twist)
{
	const struct elements *it = state;
	struct kx *low = without_bit(open_half(it, "p"), 1 << bit);
	swap_if(it, low, x_add(low, x_i32(1 << bit)), twist);
	k_end(it->l->k);
}

/* ---- trades ---- */

static struct kx *shuffled(const struct elements *it, struct kvar *of, struct kx *e, struct kx *lane)
{
	struct accumulator a = { .type = of->type.type };
	return accumulator_shuffle(it->l, &a, x_at(x_var(of), e), "", lane);
}

static void shuffle_mirrored(const struct elements *it, struct kvar *of, struct kx *p, int64_t half, struct kx *lane)
{
	struct kx *one = x_add(p, x_i32(half)), *other = x_sub(x_i32(2 * half - 1), p);
	struct kx *from_one = shuffled(it, of, one, lane), *from_other = shuffled(it, of, other, lane);
	accumulator_copy(it->l, x_at(x_var(of), one), from_other);
	accumulator_copy(it->l, x_at(x_var(of), other), from_one);
}

static void trade_lanes(const struct elements *it, struct kvar *of, int bit, struct kx *mask, bool mirrored)
{
	struct kernel *k = it->l->k;
	int64_t half = INT64_C(1) << bit;
	struct kx *lane = x_var(k_let(k, "from_lane", x_op(OP_XOR, it->lane, mask)));
	if (mirrored && half > 1) {
		shuffle_mirrored(it, of, x_var(k_for(k, "p", x_i32(0), x_i32(half / 2), x_i32(1), FOR_UNROLL)), half, lane);
	} else {
		struct kx *e = x_add(without_bit(open_half(it, "p"), half), x_i32(half));
		accumulator_copy(it->l, x_at(x_var(of), e), shuffled(it, of, e, lane));
	}
	k_end(k);
}

static struct kx *memory_place(struct kvar *memory, struct kx *p, struct kx *thread)
{
	return x_at(x_var(memory), x_add(x_mul(p, x_i32(SORT_THREADS)), thread));
}

static void trade_memory(const struct elements *it, int bit, struct kx *mask, bool mirrored)
{
	struct kernel *k = it->l->k;
	struct kvar *of[] = { it->key, it->tag }, *memory[] = { it->key_memory, it->tag_memory };
	struct kx *thread = block_thread(it->l), *from = x_var(k_let(k, "from", x_op(OP_XOR, thread, mask)));
	for (int takes = 0; takes < 2; takes++) {
		k_barrier(k);
		struct kx *p = open_half(it, "p"), *e = x_add(without_bit(p, 1 << bit), x_i32(1 << bit));
		struct kx *there = mirrored ? x_sub(x_i32((1 << bit) - 1), p) : p;
		for (int c = 0; c < (it->tag ? 2 : 1); c++) {
			struct kx *own = x_at(x_var(of[c]), e);
			if (takes)
				accumulator_copy(it->l, own, memory_place(memory[c], there, from));
			else
				accumulator_copy(it->l, memory_place(memory[c], p, thread), own);
		}
		k_end(k);
	}
}

static void write_trade(void *state, int bit, struct kx *mask, bool mirrored, bool within_warp)
{
	const struct elements *it = state;
	bool memory = it->key_memory && !within_warp;
	if (memory)
		k_if(it->l->k, x_lt(mask, x_i32(it->l->target->lanes)));
	trade_lanes(it, it->key, bit, mask, mirrored);
	if (it->tag)
		trade_lanes(it, it->tag, bit, mask, mirrored);
	if (!memory)
		return;
	k_else(it->l->k);
	trade_memory(it, bit, mask, mirrored);
	k_end(it->l->k);
}

static void write(const struct elements *it, const struct network *n, struct kx *lane_bits, struct kx *lane)
{
	struct elements *state = NEW(struct elements);
	*state = *it;
	struct network_writer to = { write_pairs, write_order, write_trade, write_swap, state, it->loops };
	network_write(n, it->l->k, &to, lane_bits, lane);
}

void elements_sort(const struct elements *it, struct kx *lane_bits, struct kx *lane)
{
	write(it, network_sort(it->bits), lane_bits, lane);
}

static void elements_merge(const struct elements *it, struct kx *lane_bits, struct kx *lane)
{
	write(it, network_merge(it->bits), lane_bits, lane);
}

struct kx *elements_rank(const struct elements *it, struct kx *e, struct kx *lane_rank, struct kx *lane_bits, bool merged)
{
	struct kx *rank = lane_rank;
	for (int b = 0; b < it->bits; b++) {
		struct kx *bit = x_rem(x_div(e, x_i32(1 << b)), x_i32(2));
		rank = x_add(rank, x_mul(bit, network_bit_rank(it->bits, lane_bits, merged, b)));
	}
	return rank;
}

/* ---- functions of texts ---- */

static struct kx *pad(struct lowering *l, const void *it, struct kx *const *e)
{
	(void)l;
	elements_pad(it, e[0]);
	return NULL;
}

static struct kx *load(struct lowering *l, const void *it, struct kx *const *arg)
{
	(void)l;
	elements_load(it, arg[0], arg[1]);
	return NULL;
}

static struct kx *get(struct lowering *l, const void *it, struct kx *const *arg)
{
	(void)l;
	elements_get(it, arg[0], arg[1]);
	return NULL;
}

static struct kx *put(struct lowering *l, const void *it, struct kx *const *arg)
{
	(void)l;
	elements_put(it, arg[0], arg[1]);
	return NULL;
}

static struct kx *sort(struct lowering *l, const void *it, struct kx *const *thread)
{
	(void)l;
	elements_sort(it, x_i32(SORT_LANE_BITS), thread[0]);
	return NULL;
}

static struct kx *merge(struct lowering *l, const void *it, struct kx *const *thread)
{
	(void)l;
	elements_merge(it, x_i32(SORT_LANE_BITS), thread[0]);
	return NULL;
}

static struct kx *lane_rank(struct lowering *l, const void *elements, struct kx *const *thread)
{
	const struct elements *it = elements;
	return network_lane_rank(l->k, it->bits, x_i32(SORT_LANE_BITS), it->merged, thread[0], FOR_ROLLED);
}

static struct kx *rank(struct lowering *l, const void *elements, struct kx *const *arg)
{
	const struct elements *it = elements;
	(void)l;
	return elements_rank(it, arg[0], arg[1], x_i32(SORT_LANE_BITS), it->merged);
}

static struct kx *stored_before(struct lowering *l, const void *it, struct kx *const *places)
{
	(void)l;
	return elements_before(it, places[0], places[1]);
}

static struct kx *elements_are(struct lowering *l, const void *elements, struct kx *const *n)
{
	(void)l;
	((struct elements *)elements)->n = n[0];
	return NULL;
}

void elements_bind(struct elements *it, bool merged)
{
	struct kernel *k = it->l->k;
	it->merged = merged;
	k_bind(k, "EACH", 1 << it->bits);
	k_bind(k, "lane", it->lane);
	k_bind_calls(k, it, { "pad", pad }, { "load", load }, { "get", get }, { "put", put }, { "sort", sort }, { "merge", merge },
	             { "lane_rank", lane_rank }, { "rank", rank }, { "stored_before", stored_before }, { "elements_are", elements_are });
}
