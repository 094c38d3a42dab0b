/* ptxas.c - two faults of NVIDIA's assembler, and the form that it translates right.
 *
 * ptxas of CUDA 12.8 and 13.0, for sm_90 and for whatever an H200 compiles when it loads a program:
 * - Two minima (or maxima) of i32 become one instruction of three operands, VIMNMX3.  If the second
 *   operand is a negation, its sign is lost: min(min(y, -x), z) gives min(y, x, z).
 * - A conversion of an unsigned integer to f32 becomes a signed one if the integer is an absolute value:
 *   f32(u32(abs(x))) is negative for the least i32.
 * Neither happens to a value that comes out of an instruction which ptxas does not look through.
 * patc_plain_i32 is such an instruction, a permutation of bytes that leaves them where they are.
 *
 * Which value is a negation is seen after the compiler has unrolled loops: i32(k) - x is -x in the pass
 * whose k is 0.  Every operation that may become one is wrapped, whether or not a minimum takes it: a
 * minimum has many forms too (`a < b ? a : b`), and a negation of integers costs next to nothing. */
#include "gpu.h"

#include <string.h>

struct mending {
	bool function;              /* of the user: a parameter may be a constant where it is inlined */
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

/* The operator of a wrapping helper, which is what the user's arithmetic of signed integers becomes, or of
 * C; OP_LT: another expression, and signed arithmetic that a lowering wrote, of places and counts. */
static enum operation operation_of(const struct kx *x)
{
	static const struct { const char *prefix; enum operation op; } known[] = {
		{"patc_neg_", OP_NEG}, {"patc_add_", OP_ADD}, {"patc_sub_", OP_SUB}, {"patc_mul_", OP_MUL},
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

/* May the compiler know its value, at least in one pass of an unrolled loop? */
static bool is_fixed(struct mending *m, const struct kx *x);

static bool is_fixed_var(struct mending *m, const struct kvar *v)
{
	if (v->kind == KV_FOR)
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
	if (x->kind != KX_INT && x->kind != KX_OP && x->kind != KX_CAST && x->kind != KX_HELP)
		return false;
	for (int i = 0; i < x->n; i++)
		if (!is_fixed(m, x->arg[i]))
			return false;
	return true;
}

static bool is_complement(const struct kx *x)
{
	enum operation op = operation_of(x);
	return op == OP_BITNOT || (op == OP_XOR && (x->arg[0]->kind == KX_INT || x->arg[1]->kind == KX_INT));
}

/* A factor or minuend that may be this constant once loops are unrolled. */
static bool may_be(struct mending *m, const struct kx *x, int64_t constant)
{
	return x->kind == KX_INT ? x->i == constant : is_fixed(m, x);
}

/* May this operation be the negation of something that the compiler does not know? */
static bool may_negate(struct mending *m, const struct kx *x)
{
	const struct kx *a = x->n > 0 ? x->arg[0] : NULL, *b = x->n > 1 ? x->arg[1] : NULL;
	switch (operation_of(x)) {
	case OP_NEG: return a->kind != KX_INT;
	case OP_SUB: return b->kind != KX_INT && may_be(m, a, 0);
	case OP_MUL: return b->kind == KX_INT ? b->i == -1 : may_be(m, a, -1) || (a->kind != KX_INT && is_fixed(m, b));
	case OP_DIV: return may_be(m, b, -1);
	case OP_ADD: return is_complement(a) || is_complement(b);                          /* ~x + 1 */
	case OP_BITNOT: return operation_of(a) == OP_SUB || operation_of(a) == OP_ADD;     /* ~(x - 1) */
	default: return false;
	}
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

/* i32(-y) of another integer type: the compiler negates after the conversion. */
static bool narrows_negation(struct mending *m, const struct kx *x)
{
	const struct kx *from = converted(x);
	if (from->kind == KX_COND)
		return narrows_negation(m, from->arg[1]) || narrows_negation(m, from->arg[2]);
	return is_whole(from) && !is_i32(from) && may_negate(m, from);
}

/* May an absolute value reach this unsigned integer without an instruction between?  It has many forms:
 * a choice between x and -x, a result of a function.  What is loaded, shifted, masked or summed is none. */
static bool may_be_absolute(const struct kx *x)
{
	x = converted(x);
	bool named = x->kind == KX_HELP && (!strncmp(x->name, "patc_abs_", 9) || !strncmp(x->name, "patc_max_", 9));
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
	if (is_i32(x) && (from ? narrows_negation(m, x) : may_negate(m, x)))
		wrap(m, x);
	if (from && x->type.type->kind == T_F32 && type_class(from->type.type) == 'U' && type_size(from->type.type) >= 4
	    && may_be_absolute(from))
		wrap(m, from);
}

void ptxas_mend(struct kernel *k)
{
	struct mending m = {.function = k->block[0] == 0};
	ks_walk(&k->body, mend, &m);
}
