/* kirmultiple.c - finds a power of two that divides a float, so that the float is 0 or not
 * smaller.
 *
 * Integers are multiples of 1, those of f16 of 2^-24, a sum is one of the smaller of its operands'
 * powers, a product of their product.  Rounding makes no number finer: what does not fit becomes a
 * multiple of a larger power. */
#include "kir.h"

#include <math.h>
#include <string.h>

enum { NO_MULTIPLE = 1 << 20 };

static int bits_of_constant(double x)
{
	int exponent, bits = 0;
	x = frexp(x, &exponent);
	while (bits < 64 && x != trunc(x))
		x *= 2, bits++;
	return !isfinite(x) ? NO_MULTIPLE : (int)larger(bits - exponent, 0);
}

static int bits_of_operation(const struct kx *x)
{
	int a = kx_multiple(x->arg[0]), b = x->n > 1 ? kx_multiple(x->arg[1]) : 0;
	switch (x->op) {
	case OP_NEG: case OP_ADD: case OP_SUB: return (int)larger(a, b);
	case OP_MUL: return a + b < NO_MULTIPLE ? a + b : NO_MULTIPLE;
	default: return NO_MULTIPLE;
	}
}

static int bits_of_function(const struct kx *x)
{
	switch (x->math) {
	case M_floor: case M_ceil: case M_round: case M_rint: case M_trunc: return 0;
	case M_abs: case M_fabs: return kx_multiple(x->arg[0]);
	case M_min: case M_max: case M_fmin: case M_fmax:
		return (int)larger(kx_multiple(x->arg[0]), kx_multiple(x->arg[1]));
	default: return NO_MULTIPLE;
	}
}

static int bits_of_cast(const struct kx *x)
{
	return type_class(x->type.type) != 'F' || x->type.pointer ? 0 : kx_multiple(x->arg[0]);
}

static int bits_of_small(const char *name)
{
	return !strcmp(name, "patc_f16_to_f32")    ? 24
	       : !strcmp(name, "patc_f8e5m2_to_f32") ? 16
	       : !strcmp(name, "patc_f8e4m3_to_f32") ? 9
	                                             : NO_MULTIPLE;
}

int kx_multiple(const struct kx *x)
{
	if (type_class(x->type.type) != 'F')
		return 0;
	switch (x->kind) {
	case KX_FLOAT: return bits_of_constant(x->f);
	case KX_OP: return bits_of_operation(x);
	case KX_MATH: return bits_of_function(x);
	case KX_CAST: return bits_of_cast(x);
	case KX_COND: return (int)larger(kx_multiple(x->arg[1]), kx_multiple(x->arg[2]));
	case KX_HELP: return bits_of_small(x->name);
	case KX_VAR:
		return x->var->kind == KV_LET && x->var->value ? kx_multiple(x->var->value)
		                                               : NO_MULTIPLE;
	case KX_INT: case KX_AT: case KX_OFFSET: case KX_FIELD: case KX_ELEM: case KX_LANE:
	case KX_VLOAD: case KX_MAKE: case KX_CALL: case KX_ID:
		return NO_MULTIPLE;
	}
	return NO_MULTIPLE;
}
