/* sema_const.c - folds constants in their type: wrapping (R5), rounding floats after each
 * operation, exactly as the generated program would.  Functions are folded only where every
 * machine gives the same bits. */
#include <assert.h>
#include <math.h>
#include <string.h>

#include "small.h"
#include "sema_impl.h"

static int64_t wrap(int64_t i, const struct type *type)
{
	int shift = 64 - (int)type_size(type) * 8;

	if (type->kind == T_BOOL)
		return i != 0;
	if (type_class(type) == 'U')
		return (int64_t)((uint64_t)i << shift >> shift);
	return (int64_t)((uint64_t)i << shift) >> shift;
}

static struct expr *const_int(const struct type *type, int64_t i, struct loc at)
{
	return expr_int(type, wrap(i, type), at);
}

/* R2: truncates, saturates, NaN gives 0. */
static int64_t int_from_float(double x, const struct type *type)
{
	int bits = (int)type_size(type) * 8;
	bool is_unsigned = type_class(type) == 'U';
	double top = ldexp(1, is_unsigned ? bits : bits - 1);

	if (isnan(x))
		return 0;
	x = trunc(x);
	if (x >= top)
		return is_unsigned ? (int64_t)(UINT64_MAX >> (64 - bits))
		                   : INT64_MAX >> (64 - bits);
	if (x < (is_unsigned ? 0 : -top))
		return is_unsigned ? 0 : INT64_MIN >> (64 - bits);
	return is_unsigned ? (int64_t)(uint64_t)x : (int64_t)x;
}

struct expr *fold_cast(const struct expr *e, const struct type *type)
{
	bool from = is_float(e->type), to = is_float(type);

	if (from && to)
		return expr_float(type, e->value.f, e->at);
	if (from)
		return const_int(type, int_from_float(e->value.f, type), e->at);
	if (to)
		return expr_float(type, float_of_int(type, type_class(e->type) == 'U', e->value.i),
		                  e->at);
	return const_int(type, e->value.i, e->at);
}

static int64_t divide(int64_t a, int64_t b, const struct type *type)
{
	if (!b)
		return 0;
	if (type_class(type) == 'U')
		return (int64_t)((uint64_t)a / (uint64_t)b);
	return b == -1 ? (int64_t)-(uint64_t)a : a / b;
}

static int64_t remainder_of(int64_t a, int64_t b, const struct type *type)
{
	if (!b)
		return a;
	if (type_class(type) == 'U')
		return (int64_t)((uint64_t)a % (uint64_t)b);
	return b == -1 ? 0 : a % b;
}

static int64_t shift(enum operation op, int64_t a, int64_t b, const struct type *type)
{
	int by = (int)((uint64_t)b & (uint64_t)(type_size(type) * 8 - 1));

	if (op == OP_SHL)
		return (int64_t)((uint64_t)a << by);
	return type_class(type) == 'U' ? (int64_t)((uint64_t)a >> by) : a >> by;
}

static int64_t compute_int(enum operation op, int64_t a, int64_t b, const struct type *type)
{
	bool u = type_class(type) == 'U';
	uint64_t x = (uint64_t)a, y = (uint64_t)b;

	switch (op) {
	case OP_NEG: return (int64_t)-x;
	case OP_NOT: return !a;
	case OP_BITNOT: return ~a;
	case OP_MUL: return (int64_t)(x * y);
	case OP_DIV: return divide(a, b, type);
	case OP_REM: return remainder_of(a, b, type);
	case OP_ADD: return (int64_t)(x + y);
	case OP_SUB: return (int64_t)(x - y);
	case OP_SHL: case OP_SHR: return shift(op, a, b, type);
	case OP_AND: return a & b;
	case OP_XOR: return a ^ b;
	case OP_OR: return a | b;
	case OP_LT: return u ? x < y : a < b;
	case OP_GT: return u ? x > y : a > b;
	case OP_LE: return u ? x <= y : a <= b;
	case OP_GE: return u ? x >= y : a >= b;
	case OP_EQ: return a == b;
	case OP_NE: return a != b;
	case OP_LAND: return a && b;
	case OP_LOR: return a || b;
	}
	assert(false && "every operation has a meaning on integers");
	return 0;
}

static bool compare_float(enum operation op, double a, double b)
{
	return op == OP_LT ? a < b : op == OP_GT ? a > b : op == OP_LE ? a <= b
	     : op == OP_GE ? a >= b : op == OP_EQ ? a == b : a != b;
}

static double compute_float(enum operation op, double a, double b)
{
	return op == OP_NEG ? -a : op == OP_MUL ? a * b : op == OP_DIV ? a / b
	     : op == OP_ADD ? a + b : a - b;
}

bool is_comparison(enum operation op)
{
	return op >= OP_LT && op <= OP_NE;
}

struct expr *fold_operation(struct expr *e)
{
	const struct expr *a = e->arg.at[0], *b = e->arg.n > 1 ? e->arg.at[1] : a;

	if (a->kind != E_CONST || b->kind != E_CONST || type_class(a->type) == 'S')
		return e;
	if (!is_float(a->type))
		return const_int(e->type, compute_int(e->op, a->value.i, b->value.i, a->type),
		                 e->at);
	if (is_comparison(e->op))
		return expr_int(e->type, compare_float(e->op, a->value.f, b->value.f), e->at);
	return expr_float(e->type, compute_float(e->op, a->value.f, b->value.f), e->at);
}

/* Only what IEEE 754 fixes to the bit, so that every machine folds alike. */
static bool fold_float(enum math m, double x, double y, double z, double *out)
{
	switch ((int)m) {                    /* int: the rest of the table is not folded */
	case M_abs: case M_fabs: *out = fabs(x); return true;
	case M_min: case M_fmin: *out = fmin(x, y); return true;
	case M_max: case M_fmax: *out = fmax(x, y); return true;
	case M_clamp: *out = fmin(fmax(x, y), z); return true;
	case M_floor: *out = floor(x); return true;
	case M_ceil: *out = ceil(x); return true;
	case M_trunc: *out = trunc(x); return true;
	case M_sqrt: *out = sqrt(x); return true;
	default: return false;
	}
}

static bool less(int64_t a, int64_t b, const struct type *type)
{
	return type_class(type) == 'U' ? (uint64_t)a < (uint64_t)b : a < b;
}

static bool fold_integer(enum math m, const struct expr *e, int64_t *out)
{
	const struct type *type = e->arg.at[0]->type;
	int64_t x = e->arg.at[0]->value.i;
	int64_t y = e->arg.n > 1 ? e->arg.at[1]->value.i : 0,
	z = e->arg.n > 2 ? e->arg.at[2]->value.i : 0;

	if (m == M_abs)
		*out = less(x, 0, type) ? (int64_t)-(uint64_t)x : x;
	else if (m == M_min)
		*out = less(x, y, type) ? x : y;
	else if (m == M_max)
		*out = less(x, y, type) ? y : x;
	else if (m == M_clamp) {
		x = less(x, y, type) ? y : x;
		*out = less(z, x, type) ? z : x;
	} else
		return false;
	return true;
}

struct expr *fold_math(struct expr *e)
{
	double f, arg[3] = { 0 };
	int64_t i;

	for (int k = 0; k < e->arg.n; k++) {
		if (e->arg.at[k]->kind != E_CONST || is_literal(e->arg.at[k]->type))
			return e;
		arg[k] = e->arg.at[k]->value.f;
	}
	if (is_float(e->type) && fold_float(e->math, arg[0], arg[1], arg[2], &f))
		return expr_float(e->type, f, e->at);
	if (is_int(e->arg.at[0]->type) && fold_integer(e->math, e, &i))
		return const_int(e->type, i, e->at);
	return e;
}
