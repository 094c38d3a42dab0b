/* sort_order.c - how two keys compare, and the integers that order as keys do.  The only file that
 * knows.
 *
 * Note [codes].  While they are sorted, floats are held as integers, one for each pattern of bits,
 * so that a code becomes the key again, NaN and zeros as they were.  Turned upside down where
 * negative (patc_flip), the bits order as floats do, from the negative NaN over -inf, -0, +0 and
 * inf to the positive NaN; all bits inverted for `by >`.  Less the number of NaN of one sign, the
 * NaN at the low end wrap round to the high one:
 *     numbers  0 .. last       the zeros are half - nans - 1 and half - nans, whichever order it is
 *     NaN      after last     last = 2^bits - 2 nans - 1, nans the patterns of NaN of one sign
 * Where equal keys may come in any order, codes compare as integers.  Where they must not,
 * `stable`, a code goes before another one if it is less, a number, and not the first zero before
 * the second. */
#include <assert.h>
#include "sort.h"
#include "small.h"

struct var *sort_index(const struct node *node)
{
	return node->index.at[node->running->axis];
}

const struct type *sort_key_type(const struct node *node)
{
	return node->sorting->key->type;
}

struct kx *sort_key(struct lowering *l, const struct node *node)
{
	return lower_expr(l, node->sorting->key);
}

static bool is_up(const struct node *node)
{
	return node->sorting->order == ORDER_UP;
}

/* A float with an order of its own. */
static bool has_code(const struct node *node)
{
	return node->sorting->order != ORDER_LESS && type_class(sort_key_type(node)) == 'F';
}

static int key_bits(const struct node *node)
{
	return (int)(8 * type_size(sort_key_type(node)));
}

/* NaN comes after: a number goes before it. */
static struct kx *float_before(const struct node *node, struct kx *b, struct kx *a)
{
	return x_or(x_op(is_up(node) ? OP_LT : OP_GT, b, a), x_and(x_ne(a, a), x_eq(b, b)));
}

struct kx *sort_before(struct lowering *l, const struct node *node, struct kx *b, struct kx *a)
{
	const struct sorting *s = node->sorting;
	if (s->order == ORDER_LESS)
		return x_call(s->less, 2, (struct kx *[]){ b, a });
	if (is_small(s->key->type)) {
		struct kx *first = sort_word(l, node, a);
		return x_lt(sort_word(l, node, b), first);
	}
	if (has_code(node))
		return float_before(node, b, a);
	return x_op(is_up(node) ? OP_LT : OP_GT, b, a);
}

/* ---- codes ---- */

static enum scalar unsigned_of(int bits)
{
	return bits == 8 ? T_U8 : bits == 16 ? T_U16 : bits == 32 ? T_U32 : T_U64;
}

const struct type *sort_code_type(const struct node *node)
{
	return has_code(node) ? type_scalar(unsigned_of(key_bits(node))) : sort_key_type(node);
}

/* What codes are computed in: u32, or u64; narrower ones keep their high bits 0. */
static enum scalar wide(const struct node *node)
{
	return key_bits(node) > 32 ? T_U64 : T_U32;
}

static struct kx *number(const struct node *node, uint64_t i)
{
	return x_int(wide(node), (int64_t)i);
}

static uint64_t all_ones(const struct node *node)
{
	return UINT64_MAX >> (64 - key_bits(node));
}

/* Patterns of NaN of one sign. */
static uint64_t nans(const struct node *node)
{
	return float_nans(sort_key_type(node));
}

static uint64_t last_number(const struct node *node)
{
	return all_ones(node) - 2 * nans(node);
}

static uint64_t second_zero(const struct node *node)
{
	return (UINT64_C(1) << (key_bits(node) - 1)) - nans(node);
}

static const char *float_name(const struct node *node)
{
	return kt_word(sort_key_type(node));
}

/* Arithmetic modulo 2^bits. */
static struct kx *masked(const struct node *node, struct kx *x)
{
	return key_bits(node) < 32 ? x_op(OP_AND, x, number(node, all_ones(node))) : x;
}

static struct kx *turned(const struct node *node, struct kx *x)
{
	return is_up(node) ? x : x_op(OP_XOR, x, number(node, all_ones(node)));
}

struct kx *sort_code(struct lowering *l, const struct node *node, struct kx *key)
{
	(void)l;
	if (!has_code(node))
		return key;
	struct kx *flip = x_help(kt_scalar(wide(node)), str_print("patc_flip_%s", float_name(node)),
	                         1, &key);
	return x_cast(kt(sort_code_type(node)),
	              masked(node, x_op(OP_SUB, turned(node, flip), number(node, nans(node)))));
}

struct kx *sort_from_code(struct lowering *l, const struct node *node, struct kx *code)
{
	(void)l;
	if (!has_code(node))
		return code;
	struct kx *flip = x_op(OP_ADD, x_cast(kt_scalar(wide(node)), code),
	                       number(node, nans(node)));
	flip = turned(node, masked(node, flip));
	return x_help(kt(sort_key_type(node)), str_print("patc_unflip_%s", float_name(node)), 1,
	              &flip);
}

struct kx *sort_code_before(struct lowering *l, const struct node *node, struct kx *b, struct kx *a)
{
	if (!has_code(node))
		return sort_before(l, node, b, a);
	struct kx *less = x_lt(b, a);
	if (!node->sorting->stable)
		return less;
	enum scalar type = sort_code_type(node)->kind;
	struct kx *second = x_int(type, (int64_t)second_zero(node)),
		  *first = x_int(type, (int64_t)second_zero(node) - 1);
	less = x_and(less, x_le(b, x_int(type, (int64_t)last_number(node))));
	return x_and(less, x_or(x_ne(b, first), x_ne(a, second)));
}

/* ---- words ---- */

int sort_word_bits(const struct node *node)
{
	return node->sorting->order == ORDER_LESS ? 0 : key_bits(node);
}

const struct type *sort_word_type(const struct node *node)
{
	return sort_word_bits(node) ? type_scalar(wide(node)) : NULL;
}

/* Half of the range further on: the least integer becomes 0. */
static struct kx *signed_word(const struct node *node, struct kx *key)
{
	int bits = key_bits(node);
	if (bits >= 32)
		return x_op(OP_XOR, x_cast(kt_scalar(wide(node)), key),
		            number(node, UINT64_C(1) << (bits - 1)));
	return x_cast(kt_scalar(T_U32), x_add(x_to_i32(key), x_i32(INT32_C(1) << (bits - 1))));
}

struct kx *sort_word_of_code(struct lowering *l, const struct node *node, struct kx *code)
{
	(void)l;
	assert(sort_word_bits(node) && "a function's order has no words");
	struct kx *word = x_cast(kt_scalar(wide(node)), code);
	if (!has_code(node))
		return turned(node, type_class(sort_key_type(node)) == 'I' ? signed_word(node, code)
		                                                           : word);
	if (!node->sorting->stable)
		return word;
	struct kx *second = number(node, second_zero(node));
	word = x_cond(x_eq(word, number(node, second_zero(node) - 1)), second, word);
	return x_min(word, number(node, last_number(node) + 1));
}

struct kx *sort_word(struct lowering *l, const struct node *node, struct kx *key)
{
	return sort_word_of_code(l, node, sort_code(l, node, key));
}

bool sort_word_tells(const struct node *node)
{
	return sort_word_bits(node) && sort_key_type(node)->kind != T_BOOL
	       && !(has_code(node) && node->sorting->stable);
}

struct kx *sort_from_word(struct lowering *l, const struct node *node, struct kx *word)
{
	int bits = key_bits(node);
	const struct type *type = sort_code_type(node);
	assert(sort_word_tells(node) && "equal keys have one word");
	if (has_code(node))
		return sort_from_code(l, node, x_cast(kt(type), word));
	word = turned(node, word);
	if (type_class(type) != 'I')
		return x_cast(kt(type), word);
	if (bits >= 32)
		return x_cast(kt(type),
		              x_op(OP_XOR, word, number(node, UINT64_C(1) << (bits - 1))));
	return x_cast(kt(type),
	              x_sub(x_cast(kt_scalar(T_I32), word), x_i32(INT32_C(1) << (bits - 1))));
}
