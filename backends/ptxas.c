/* ptxas.c - works around two bugs of NVIDIA's assembler.
 *
 * ptxas of CUDA 12.8 and 13.0, for sm_90 and for whatever an H200 compiles when it loads a program:
 * - Two minima (or maxima) of i32 become one instruction of three operands, VIMNMX3.  If the second
 *   operand is a negation, its sign is lost: min(min(y, -x), z) gives min(y, x, z).
 * - A conversion of an unsigned integer to f32 becomes a signed one if the integer is an absolute
 *   value: f32(u32(abs(x))) is negative for the least i32.
 * Neither happens to a value that comes out of an instruction which ptxas does not look through.
 * patc_plain_i32 is such an instruction, a permutation of bytes that leaves them where they are.
 *
 * Which value is a negation is known after the compiler has unrolled loops and simplified sums:
 * i32(k) - x is -x in the pass whose k is 0.  Every operation that may become one is wrapped,
 * whether or not a minimum takes it: a minimum has many forms too (`a < b ? a : b`), and a negation
 * of integers costs next to nothing. */
#include "gpu.h"

#include <string.h>

struct mending {
	bool function;          /* of the user: a parameter may be a constant where it is inlined */
	struct map done;            /* expressions that are inside a patc_plain_i32 already */
	struct map fixed;           /* LETs: is_yes or is_no */
};
static const char is_yes, is_no;

static bool is_i32(const struct kx *x)
{
	return !x->type.pointer && x->type.lanes == 1 && x->type.type->kind == T_I32;
}

static bool is_whole(const struct kx *x)
{
	char class = type_class(x->type.type);
	return !x->type.pointer && x->type.lanes == 1 && (class == 'I' || class == 'U');
}

/* The operator of a wrapping helper, which is what the user's arithmetic of signed integers
 * becomes, or of C; OP_LT: another expression, and signed arithmetic that a lowering wrote, of
 * places and counts. */
static enum operation operation_of(const struct kx *x)
{
	static const struct { const char *prefix; enum operation op; } known[] = {
		{"patc_neg_", OP_NEG}, {"patc_add_", OP_ADD}, {"patc_sub_", OP_SUB},
		{"patc_mul_", OP_MUL},
		{"patc_div_", OP_DIV}
	};
	bool counts = type_class(x->type.type) == 'I' && x->op != OP_BITNOT && x->op != OP_XOR;
	if (x->kind == KX_OP)
		return counts ? OP_LT : x->op;
	for (size_t i = 0; x->kind == KX_HELP && i < sizeof known / sizeof *known; i++)
		if (!strncmp(x->name, known[i].prefix, strlen(known[i].prefix)))
			return known[i].op;
	return OP_LT;
}

/* May the compiler know its value, at least in one pass of an unrolled loop, or in one instance? */
static bool is_fixed(struct mending *m, const struct kx *x);

static bool is_fixed_var(struct mending *m, const struct kvar *v)
{
	if (v->kind == KV_FOR || v->is_choice)
		return true;
	if (v->kind != KV_LET || !v->value)
		return m->function && (v->kind == KV_PARAM || v->kind == KV_VAR);
	const void *known = map_get(&m->fixed, v);
	if (!known) {
		known = is_fixed(m, v->value) ? &is_yes : &is_no;
		*map_at(&m->fixed, v) = (void *)known;
	}
	return known == &is_yes;
}

static bool is_fixed(struct mending *m, const struct kx *x)
{
	if (x->kind == KX_VAR)
		return is_fixed_var(m, x->var);
	if (x->kind != KX_INT && x->kind != KX_OP && x->kind != KX_COND && x->kind != KX_CAST
	    && x->kind != KX_HELP)
		return false;
	for (int i = 0; i < x->n; i++)
		if (!is_fixed(m, x->arg[i]))
			return false;
	return true;
}

/* What it is without conversions between integers. */
static const struct kx *converted(const struct kx *x)
{
	for (;;) {
		if (x->kind == KX_CAST && is_whole(x->arg[0]))
			x = x->arg[0];
		else if (x->kind == KX_VAR && x->var->kind == KV_LET && x->var->value)
			x = x->var->value;
		else
			return x;
	}
}

/* ---- is it a negation? ----
 *
 * Note [sums].  A compiler simplifies (5 - x) - 5 and 3 * x - 4 * x to -x, so that the last
 * operation alone does not tell.  A value is written as constant + sum of coef * leaf, modulo
 * 2^32.  It may be a negation
 * - if no coefficient is positive and the constant may be 0: -x - y is -(x + y);
 * - if it is -T for a part T of itself: -(x - y), which compilers keep where x - y is used again.
 * A leaf that is_fixed may be part of the constant. */

struct sum {
	struct part { const struct kx *leaf; uint32_t coef; bool fixed; } part[8];
	int n;
	uint32_t constant;
	/* a part was taken away; a coefficient may be any; there are too many parts */
	bool minus, scaled, many;
};

static void sum_of(struct mending *m, struct sum *, const struct kx *, uint32_t coef);

/* What it is without conversions that keep 32 bits. */
static const struct kx *widened(const struct kx *x)
{
	for (;;) {
		if (x->kind == KX_CAST && is_whole(x->arg[0]) && type_size(x->type.type) >= 4
		    && type_size(x->arg[0]->type.type) >= 4)
			x = x->arg[0];
		else if (x->kind == KX_VAR && x->var->kind == KV_LET && x->var->value
		         && is_whole(x))
			x = x->var->value;
		else
			return x;
	}
}

static void sum_leaf(struct mending *m, struct sum *s, const struct kx *x, uint32_t coef)
{
	int i = 0;
	while (i < s->n && !kx_same(s->part[i].leaf, x))
		i++;
	s->minus |= coef >> 31;
	s->many |= i == 8;
	if (i == 8)
		return;
	if (i == s->n)
		s->part[s->n++] = (struct part){ .leaf = x, .fixed = is_fixed(m, x) };
	s->part[i].coef += coef;
}

/* Of two operands of which one is a number: the other one, or NULL. */
static const struct kx *beside_number(const struct kx *x, uint32_t *number)
{
	for (int i = 0; i < 2; i++) {
		const struct kx *known = widened(x->arg[i]);
		*number = (uint32_t)known->i;
		if (known->kind == KX_INT)
			return x->arg[1 - i];
	}
	return NULL;
}

static void sum_product(struct mending *m, struct sum *s, const struct kx *x, uint32_t coef)
{
	uint32_t number;
	const struct kx *other = beside_number(x, &number);
	if (other) {
		sum_of(m, s, other, coef * number);
		return;
	}
	s->scaled |= is_fixed(m, x->arg[0]) || is_fixed(m, x->arg[1]);
	sum_leaf(m, s, x, coef);
}

/* ~x and x ^ -1 are -x - 1. */
static void sum_inverted(struct mending *m, struct sum *s, const struct kx *x, uint32_t coef)
{
	uint32_t mask = UINT32_MAX;
	const struct kx *other = x->n == 1 ? x->arg[0] : beside_number(x, &mask);
	if (other && mask == UINT32_MAX) {
		s->constant -= coef;
		sum_of(m, s, other, -coef);
		return;
	}
	sum_leaf(m, s, x, coef);
}

static void sum_quotient(struct mending *m, struct sum *s, const struct kx *x, uint32_t coef)
{
	const struct kx *by = widened(x->arg[1]);
	s->scaled |= by->kind == KX_INT ? by->i == -1 : is_fixed(m, by);
	sum_leaf(m, s, x, coef);
}

static void sum_of(struct mending *m, struct sum *s, const struct kx *x, uint32_t coef)
{
	x = widened(x);
	if (x->kind == KX_INT) {
		s->constant += coef * (uint32_t)x->i;
		return;
	}
	switch (operation_of(x)) {
	case OP_ADD: case OP_SUB:
		sum_of(m, s, x->arg[0], coef);
		sum_of(m, s, x->arg[1], operation_of(x) == OP_ADD ? coef : -coef);
		return;
	case OP_NEG: sum_of(m, s, x->arg[0], -coef); return;
	case OP_MUL: sum_product(m, s, x, coef); return;
	case OP_BITNOT: case OP_XOR: sum_inverted(m, s, x, coef); return;
	case OP_DIV: sum_quotient(m, s, x, coef); return;
	default: sum_leaf(m, s, x, coef); return;
	}
}

static uint32_t coef_of(const struct sum *s, const struct kx *leaf)
{
	for (int i = 0; i < s->n; i++)
		if (kx_same(s->part[i].leaf, leaf))
			return s->part[i].coef;
	return 0;
}

/* Has `t` every leaf of `s` that is not fixed, with the opposite coefficient? */
static bool opposes(const struct sum *s, const struct sum *t)
{
	for (int i = 0; i < s->n; i++)
		if (!s->part[i].fixed && coef_of(t, s->part[i].leaf) != -s->part[i].coef)
			return false;
	return true;
}

static bool has_fixed(const struct sum *s)
{
	for (int i = 0; i < s->n; i++)
		if (s->part[i].fixed && s->part[i].coef)
			return true;
	return false;
}

/* Do the two add up to zero?  What is fixed may be any number; a function may be inlined where all
 * is known. */
static bool cancels(const struct mending *m, const struct sum *s, const struct sum *t)
{
	bool free = m->function || has_fixed(s) || has_fixed(t);
	return opposes(s, t) && opposes(t, s) && (free || !(s->constant + t->constant));
}

/* Is x, whose sum is `s`, -T for a T that is part of it?  After `looks` parts the answer is yes. */
static bool negates_part(struct mending *m, const struct sum *s, const struct kx *x, int *looks)
{
	x = widened(x);
	if (operation_of(x) == OP_LT)
		return false;
	for (int i = 0; i < x->n; i++) {
		struct sum part = {0};
		if (--*looks < 0)
			return true;
		sum_of(m, &part, x->arg[i], 1);
		if (cancels(m, s, &part) || negates_part(m, s, x->arg[i], looks))
			return true;
	}
	return false;
}

/* May it be the negation of something that the compiler does not know? */
static bool may_negate(struct mending *m, const struct kx *x)
{
	struct sum s = {0};
	int open = 0, fixed = 0, plus = 0, looks = 64;
	bool fixed_minus = false;
	sum_of(m, &s, x, 1);
	for (int i = 0; i < s.n; i++) {
		const struct part *part = &s.part[i];
		if (!part->coef)
			continue;
		*(part->fixed ? &fixed : &open) += 1;
		plus += !part->fixed && !(part->coef >> 31);
		fixed_minus |= part->fixed && part->coef == UINT32_MAX;
	}
	bool zero = !s.constant || m->function;  /* what it becomes where the function is inlined */
	if ((s.many && s.minus) || (s.scaled && open + fixed > 0))
		return true;
	if (!open)
		return fixed_minus && (zero || fixed > 1);
	return plus ? s.minus && negates_part(m, &s, x, &looks) : zero || fixed;
}

/* Of a conversion: the compiler may convert both values of a choice before it chooses. */
static bool may_negate_converted(struct mending *m, const struct kx *x)
{
	const struct kx *from = converted(x);
	if (from->kind == KX_COND)
		return may_negate_converted(m, from->arg[1])
		       || may_negate_converted(m, from->arg[2]);
	return is_whole(from) && !is_i32(from) && operation_of(from) != OP_LT
	       && may_negate(m, from);
}

/* May an absolute value reach this unsigned integer without an instruction between?  It has many
 * forms: a choice between x and -x, a result of a function.  A value that is loaded,
 * shifted, masked or summed is not one. */
static bool may_be_absolute(const struct kx *x)
{
	x = converted(x);
	bool named = x->kind == KX_HELP
	             && (!strncmp(x->name, "patc_abs_", 9) || !strncmp(x->name, "patc_max_", 9));
	bool assigned = x->kind == KX_VAR && x->var->kind == KV_VAR;
	return named || assigned || x->kind == KX_COND || x->kind == KX_CALL;
}

/* x = patc_plain_T(x), in its place. */
static void wrap(struct mending *m, struct kx *x)
{
	struct kx *inside = NEW(struct kx), **arg = mem_new(sizeof *arg);
	*inside = *x;
	*arg = inside;
	*map_at(&m->done, inside) = inside;
	*x = *x_help(x->type, str_print("patc_plain_%s", type_name(x->type.type)), 1, arg);
}

static void mend(struct kx *x, void *mending)
{
	struct mending *m = mending;
	struct kx *from = x->kind == KX_CAST && is_whole(x->arg[0]) ? x->arg[0] : NULL;
	if (map_get(&m->done, x))
		return;
	if (is_i32(x)
	    && (from ? may_negate_converted(m, x) : operation_of(x) != OP_LT && may_negate(m, x)))
		wrap(m, x);
	if (from && x->type.type->kind == T_F32 && type_class(from->type.type) == 'U'
	    && type_size(from->type.type) >= 4 && may_be_absolute(from))
		wrap(m, from);
}

void ptxas_mend(struct kernel *k)
{
	struct mending m = {.function = k->block[0] == 0};
	ks_walk(&k->body, mend, &m);
}
