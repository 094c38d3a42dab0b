/* sort_elements.c - elements in the registers of a thread, and the steps of networks on them.
 *
 * An element is a key and its number in the sequence, the tag; equal keys compare by tags.  So
 * the sort is stable, no two elements are equal, and what pads a sequence, tags from n on, comes
 * after whatever keys there are.  Payloads do not travel: they are fetched by tags at the end,
 * once; so are keys that do not follow from their words.
 *
 * Keys of numbers are their words (sort_word).  One of 32 bits and the tag are one integer of 64
 * bits, compared at once; one of 64 bits has its tag beside it, and so has a key that a function
 * of the program compares.
 *
 * Keys that nothing moves along with have no tags, if equal ones cannot be told apart: they are
 * what is stored (their codes, sort_code), and the last key there is pads.
 *
 * Where one array of scalars of at most 32 bits moves with keys that follow from their words,
 * and equal keys may come in any order, the bits of its value stand where the tag would: nothing
 * is fetched at the end.  The last of all such pairs pads, and whether a pad or an equal element
 * is stored makes no difference. */
#include "sort_gpu.h"
#include "../state_words.h"

/* Keys alone, and no two that are equal can be told apart. */
static bool is_alone(const struct node *node)
{
	bool same = type_class(node->sorting->key->type) != 'F' || !node->sorting->stable;
	return sort_word_bits(node) && same && node->equation.n == 1
	       && sort_is_key(node, node->equation.at[0]);
}

static const struct equation *carried_of(const struct node *node)
{
	const struct equation *one = NULL;
	if (node->sorting->stable || node->sorting->into || !sort_word_tells(node)
	    || sort_word_bits(node) > 32)
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
	s->alone = !s->tagged && is_alone(s->node);
	s->carried = s->tagged ? NULL : carried_of(s->node);
	s->key = s->alone ? sort_code_type(s->node)
	         : bits   ? type_scalar(T_U64)
	                  : sort_key_type(s->node);
	s->tag = s->alone || (bits && bits <= 32) ? NULL : type_scalar(T_U32);
	s->words = false;
	int64_t words = type_words(s->key) + (s->tag ? 1 : 0);
	s->block_bits = words <= 2 ? 4 : words <= 4 ? 3 : words <= 8 ? 2 : 1;
	if (s->block_bits > 1 && !s->plan->target->unrolls)
		s->block_bits--;             /* clang for AMD would run out of 256 registers */
	s->short_bits = s->block_bits < 2 ? s->block_bits : 2;
	s->tile = INT64_C(1) << (s->block_bits + SORT_LANE_BITS);
}

struct sorter *sorter_of_words(const struct sorter *s)
{
	struct sorter *words = NEW(struct sorter);
	*words = *s;
	words->words = true;
	words->key = sort_word_bits(s->node) ? sort_word_type(s->node) : sort_key_type(s->node);
	words->tag = NULL;
	return words;
}

static bool is_packed(const struct elements *it)
{
	return !it->s->tag;
}

struct elements *elements_new(const struct sorter *s, struct lowering *l, const char *prefix,
                              int bits, bool block)
{
	struct elements *it = NEW(struct elements);
	int64_t traded = block ? (int64_t)SORT_THREADS << (bits - 1) : 0;
	*it = (struct elements){ .s = s, .l = l, .bits = bits, .loops = FOR_ROLLED };
	it->key = k_regs(l->k, s->key, str_print("%skey", prefix), INT64_C(1) << bits);
	if (s->tag)
		it->tag = k_regs(l->k, s->tag, str_print("%stag", prefix), INT64_C(1) << bits);
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

/* The last there is: of floats the codes are unsigned. */
static struct kx *last_code(const struct sorter *s)
{
	int bits = (int)(8 * type_size(s->key));
	bool is_signed = type_class(s->key) == 'I',
	     down = type_class(s->node->sorting->key->type) != 'F'
	            && s->node->sorting->order == ORDER_DOWN;
	if (is_signed)
		return x_int(s->key->kind,
		             down ? INT64_MIN >> (64 - bits) : INT64_MAX >> (64 - bits));
	return x_int(s->key->kind, down ? 0 : bits == 64 ? -1 : (INT64_C(1) << bits) - 1);
}

static struct kx *padding(const struct sorter *s)
{
	if (s->words)
		return x_int(s->key->kind, s->key->kind == T_U32 ? (int64_t)UINT32_MAX : -1);
	if (s->alone)
		return last_code(s);
	return sort_word_bits(s->node) ? x_int(T_U64, -1) : lower_zero(s->key);
}

void elements_pad(const struct elements *it, struct kx *e)
{
	accumulator_copy(it->l, key_of(it, e), padding(it->s));
	if (it->tag)
		k_set(it->l->k, tag_of(it, e), x_int(T_U32, UINT32_MAX));
}

struct kx *elements_is_pad(const struct elements *it, struct kx *e)
{
	return x_eq(key_of(it, e), padding(it->s));
}

/* Its lower half, where the upper one is the word of the key. */
static struct kx *goes_with(const struct elements *it, struct kx *tag)
{
	if (!it->s->carried)
		return tag;
	struct kx *value = sort_value(it->l, it->s->carried);
	return state_bits(x_var(k_let(it->l->k, "cell_value", value)));
}

/* What comes before tags: an integer, or the key itself where a function orders. */
static struct kx *word_of(const struct elements *it, struct kx *key)
{
	const struct node *node = it->s->node;
	return sort_word_bits(node)
	               ? sort_word(it->l, node, x_var(k_let(it->l->k, "cell_key", key))) : key;
}

void elements_load(const struct elements *it, struct kx *e, struct kx *tag)
{
	struct kernel *k = it->l->k;
	struct kx *key = sort_key(it->l, it->s->node);
	if (it->s->words) {
		key = word_of(it, key);
	} else if (it->s->alone) {
		key = sort_code(it->l, it->s->node, x_var(k_let(k, "cell_key", key)));
	} else if (sort_word_bits(it->s->node)) {
		key = x_cast(kt_scalar(T_U64),
		             sort_word(it->l, it->s->node, x_var(k_let(k, "cell_key", key))));
		if (is_packed(it))
			key = x_op(OP_OR, x_op(OP_SHL, key, x_i32(32)),
			           x_cast(kt_scalar(T_U64), goes_with(it, tag)));
	}
	accumulator_copy(it->l, key_of(it, e), key);
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
	return sort_from_word(it->l, node,
	                      x_var(k_let(k, "word", x_cast(kt(sort_word_type(node)), word))));
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

void elements_get(const struct elements *it, struct kx *e, struct kx *at)
{
	accumulator_copy(it->l, key_of(it, e), x_at(it->keys, at));
	if (it->tag)
		k_set(it->l->k, tag_of(it, e), x_at(it->tags, at));
}

/* The word of what is at that place of `from`, into one of words. */
void elements_get_word(const struct elements *words, struct kx *e, const struct elements *from,
                       struct kx *at)
{
	struct kx *key = x_at(from->keys, at);
	const struct sorter *s = from->s;
	const struct type *type = words->s->key;
	if (s->alone)
		key = sort_word_of_code(words->l, s->node,
		                        x_var(k_let(words->l->k, "code", key)));
	else if (!s->words && is_packed(from))
		key = x_cast(kt(type), x_op(OP_SHR, key, x_i32(32)));
	accumulator_copy(words->l, key_of(words, e), key);
}

void elements_copy(const struct elements *to, struct kx *e, const struct elements *from,
                   struct kx *other)
{
	accumulator_copy(to->l, key_of(to, e), key_of(from, other));
	if (to->tag)
		k_set(to->l->k, tag_of(to, e), tag_of(from, other));
}

void elements_put(const struct elements *it, struct kx *e, struct kx *at)
{
	accumulator_copy(it->l, x_at(it->keys, at), key_of(it, e));
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
	struct kx *b_first = sort_before(it->l, it->s->node, b.key, a.key);
	struct kx *a_first = sort_before(it->l, it->s->node, a.key, b.key);
	struct kx *sooner = x_lt(b.tag, a.tag);
	struct kx *both = x_cond(sooner, x_unary(OP_NOT, a_first), b_first);
	struct kx *is_a = x_lt(a.tag, it->n), *is_b = x_lt(b.tag, it->n);
	return x_cond(x_and(is_a, is_b), both, sooner);
}

static struct kx *goes_before(const struct elements *it, struct element b, struct element a)
{
	if (it->s->words)
		return sort_word_bits(it->s->node) ? x_lt(b.key, a.key)
		                                   : sort_before(it->l, it->s->node, b.key, a.key);
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

struct kx *elements_first(const struct elements *of_b, struct kx *b, const struct elements *of_a,
                          struct kx *a)
{
	return goes_before(of_b, element(of_b, b), element(of_a, a));
}

struct kx *elements_at_first(const struct elements *of_b, struct kx *b, const struct elements *of_a,
                             struct kx *at)
{
	struct element a = { x_at(of_a->keys, at), of_a->tag ? x_at(of_a->tags, at) : NULL };
	return goes_before(of_b, element(of_b, b), a);
}

/* ---- steps: sort_network.kernel ---- */

struct writing {
	const struct elements *it;
	struct kernel *k;
	struct kx *lane_bits, *level, *inner;
};

static struct kx *element_before(struct lowering *l, const void *it, struct kx *const *e)
{
	(void)l;
	return goes_before(it, element(it, e[0]), element(it, e[1]));
}

static struct kx *shuffled(struct lowering *l, const void *none, struct kx *const *arg)
{
	struct accumulator a = { .type = arg[0]->type.type };
	(void)none;
	return accumulator_shuffle(l, &a, arg[0], "", arg[1]);
}

static void bind_parts(const struct elements *it, struct kernel *k)
{
	int n = it->tag ? 2 : 1;
	bind_types(k, "PART", n, (const struct type *[]){ it->s->key, it->s->tag });
	bind_values(k, "is_struct", n,
	            (struct kx *[]){ x_int(T_BOOL, it->s->key->kind == T_STRUCT),
	                             x_int(T_BOOL, 0) });
	bind_values(k, "part", n,
	            (struct kx *[]){ x_var(it->key), it->tag ? x_var(it->tag) : NULL });
	if (it->key_memory)
		bind_values(k, "traded", n,
		            (struct kx *[]){ x_var(it->key_memory),
		                             it->tag ? x_var(it->tag_memory) : NULL });
}

static void bind_step(const struct writing *w, const struct net_step *s)
{
	struct kernel *k = w->k;
	k_numbers(k, "BIT, MIRRORED, APART, SPAN", 1 << s->bit, s->mirrored, s->apart, s->span);
	k_numbers(k, "UP_TO_LEVEL, SPREADS, TWISTED, IN_LEVELS", s->lanes == NET_UP_TO_LEVEL,
	          s->lanes == NET_SPREAD,
	          s->lanes != NET_NONE, w->level != NULL);
	if (s->lanes == NET_LEVEL || s->lanes == NET_INNER)
		k_bind(k, "net_number", s->lanes == NET_LEVEL ? w->level : w->inner);
	else
		k_bind(k, "net_number", s->number);
	if (w->level)
		k_bind(k, "net_level", w->level);
}

/* In a body of its own. */
static void write_text(const struct writing *w, const struct net_step *s, const char *text)
{
	int names = k_names(w->k);
	bind_step(w, s);
	if (s->what == NET_TRADE && s->lanes == NET_SPREAD)
		k_if(w->k, k_value(w->k, "net_spreads"));
	else
		k_scope(w->k);
	k_text(w->k, text);
	k_end(w->k);
	k_forget(w->k, names);
}

static struct kx *open_loop(const struct writing *w, enum net_what what)
{
	const char *name = what == NET_LEVELS ? "level" : what == NET_INNERS ? "inner" : "down";
	struct kx *end = what == NET_INNERS ? w->level : w->lane_bits;
	struct kx *at = x_var(k_for(w->k, name, x_i32(0), end, x_i32(1), w->it->loops));
	return what == NET_DOWN ? let(w->it->l, "inner",
	                              x_sub(x_sub(w->lane_bits, x_i32(1)), at)) : at;
}

static void write_pairs(const struct writing *w, const struct net_step *s)
{
	int names = k_names(w->k);
	bind_step(w, s);
	k_text(w->k, "net_pairs");
	k_forget(w->k, names);
}

static void write_step(struct writing *w, const struct net_step *s)
{
	switch (s->what) {
	case NET_PAIRS: write_pairs(w, s); break;
	case NET_ORDER: write_text(w, s, "net_order"); break;
	case NET_TRADE: write_text(w, s, "net_trade"); break;
	case NET_SWAP: write_text(w, s, "net_swap"); break;
	case NET_LEVELS: w->level = open_loop(w, s->what); break;
	case NET_INNERS: case NET_DOWN: w->inner = open_loop(w, s->what); break;
	case NET_END:
		k_end(w->k);
		*(w->inner ? &w->inner : &w->level) = NULL;
		break;
	}
}

static void write(const struct elements *it, const struct network *n, struct kx *lane_bits,
                  struct kx *lane)
{
	struct writing w = { .it = it, .k = it->l->k, .lane_bits = lane_bits };
	/* lane: its registers are sorted by what comes before the levels */
	bool one = x_is_int(lane_bits, 0);
	int names = k_names(w.k);
	k_numbers(w.k, "EACH, THREADS, IN_BLOCK", 1 << it->bits, SORT_THREADS,
	          it->key_memory != NULL);
	k_bind(w.k, "net_bits", lane_bits);
	k_bind(w.k, "net_lane", lane);
	k_bind(w.k, "warp_lane", it->lane);
	k_bind_calls(w.k, it, { "element_before", element_before },
	             { "copy", accumulator_copy_call }, { "shuffled", shuffled });
	bind_parts(it, w.k);
	for (int i = 0; i < n->step.n && !(one && n->step.at[i].what == NET_LEVELS); i++)
		write_step(&w, &n->step.at[i]);
	k_forget(w.k, names);
}

void elements_sort(const struct elements *it, struct kx *lane_bits, struct kx *lane)
{
	write(it, network_sort(it->bits), lane_bits, lane);
}

static void elements_merge(const struct elements *it, struct kx *lane_bits, struct kx *lane)
{
	write(it, network_merge(it->bits), lane_bits, lane);
}

struct kx *elements_rank(const struct elements *it, struct kx *e, struct kx *lane_rank,
                         struct kx *lane_bits, bool merged)
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
	return network_lane_rank(l->k, it->bits, x_i32(SORT_LANE_BITS), it->merged, thread[0],
	                         FOR_ROLLED);
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
	k_bind_calls(k, it, { "pad", pad }, { "load", load }, { "get", get }, { "put", put },
	             { "sort", sort }, { "merge", merge },
	             { "lane_rank", lane_rank }, { "rank", rank },
	             { "stored_before", stored_before }, { "elements_are", elements_are });
}
