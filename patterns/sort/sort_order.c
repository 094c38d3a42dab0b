/* sort_order.c - how two keys compare, and the integers that order as keys do.  The only file that knows. */
#include <assert.h>
#include "sort.h"
#include "../../src/half.h"

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

static bool is_float(const struct type *type)
{
	return type_class(type) == 'F';
}

/* NaN comes behind: a number goes before it. */
static struct kx *float_before(const struct node *node, struct kx *b, struct kx *a)
{
	struct kx *number = x_op(node->sorting->order == ORDER_UP ? OP_LT : OP_GT, b, a);
	return x_or(number, x_and(x_ne(a, a), x_eq(b, b)));
}

struct kx *sort_before(struct lowering *l, const struct node *node, struct kx *b, struct kx *a)
{
	const struct sorting *s = node->sorting;
	if (s->order == ORDER_LESS)
		return x_call(s->less, 2, (struct kx *[]){ b, a });
	if (is_half(s->key->type))
		return x_lt(sort_word(l, node, b), sort_word(l, node, a));
	if (is_float(s->key->type))
		return float_before(node, b, a);
	return x_op(s->order == ORDER_UP ? OP_LT : OP_GT, b, a);
}

/* ---- words ---- */

int sort_word_bits(const struct node *node)
{
	return node->sorting->order == ORDER_LESS ? 0 : (int)(8 * type_size(node->sorting->key->type));
}

const struct type *sort_word_type(const struct node *node)
{
	int bits = sort_word_bits(node);
	return bits ? type_scalar(bits > 32 ? T_U64 : T_U32) : NULL;
}

static struct kx *u32(uint32_t i)
{
	return x_int(T_U32, (int64_t)i);
}

/* Half of the range further on: the least integer becomes 0. */
static struct kx *signed_word(struct kx *key, int bits)
{
	if (bits == 64)
		return x_op(OP_XOR, x_cast(kt_scalar(T_U64), key), x_int(T_U64, INT64_MIN));
	if (bits == 32)
		return x_op(OP_XOR, x_cast(kt_scalar(T_U32), key), u32(UINT32_C(1) << 31));
	return x_cast(kt_scalar(T_U32), x_add(x_to_i32(key), x_i32(INT32_C(1) << (bits - 1))));
}

static struct kx *float_word(const struct type *type, struct kx *key)
{
	if (!is_half(type))
		return x_help(kt_scalar(type->kind == T_F32 ? T_U32 : T_U64), str_print("patc_word_%s", type_name(type)), 1, &key);
	struct kx *bits = x_help(kt_scalar(T_U32), "patc_bits_u16", 1, &key);
	return x_help(kt_scalar(T_U32), "patc_word_half", 2, (struct kx *[]){ bits, u32(type->kind == T_F16 ? 0x7c00 : 0x7f80) });
}

/* Bits that are not the word's stay 0. */
static struct kx *reversed(const struct type *type, struct kx *word, int bits)
{
	struct kx *ones = bits == 64 ? x_int(T_U64, -1) : u32(bits == 32 ? UINT32_MAX : (UINT32_C(1) << bits) - 1);
	struct kx *turned = x_op(OP_XOR, word, ones);
	return is_float(type) ? x_cond(x_eq(word, ones), word, turned) : turned;
}

struct kx *sort_word(struct lowering *l, const struct node *node, struct kx *key)
{
	const struct type *type = node->sorting->key->type;
	int bits = sort_word_bits(node);
	bool up = node->sorting->order == ORDER_UP;
	char class = type_class(type);
	(void)l;
	assert(bits && "a function's order has no words");
	struct kx *word = class == 'F' ? float_word(type, key) : class == 'I' ? signed_word(key, bits)
	                : x_cast(kt(sort_word_type(node)), key);
	return up ? word : reversed(type, word, bits);
}
