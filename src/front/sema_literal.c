/* sema_literal.c - literals and expressions of them, before they have a type and as they get one:
 * ruling R4.
 *
 * A literal has no type until it meets one.  Until then it is an E_CONST of T_INT_LIT or
 * T_FLOAT_LIT, and operators over literals only build a tree of that type; expr_retype then builds
 * the tree again in the type of its context, so that `x * (1/2)` halves an f32.  An integer that
 * meets a float literal is part of such a tree: in `0.3 * x[i]` the context says which float the
 * literal is, and with it the u8 x[i].  Integer operators in the tree keep to integers.
 *
 * A literal's value: integers keep 64 bits in i and, in f, the same number as a double, whose sign
 * says which of the two readings of i is meant.  Floats keep the nearest double in f and, in i, the
 * bits of the odd one: what narrower types round, small.c says why. */
#include <assert.h>
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "small.h"
#include "sema_impl.h"

static void set_odd(struct expr *e, double odd)
{
	memcpy(&e->value.i, &odd, sizeof odd);
}

static double odd_of(const struct expr *e)
{
	double odd;

	memcpy(&odd, &e->value.i, sizeof odd);
	return odd;
}

struct expr *literal_float(double x, struct loc at)
{
	struct expr *e = expr_new(E_CONST, type_scalar(T_FLOAT_LIT), at);

	e->value.f = x;
	set_odd(e, x);
	return e;
}

static bool literal_is_negative(const struct expr *e)
{
	return e->value.f < 0;
}

static bool int_fits(bool negative, uint64_t size, const struct type *type)
{
	int bits = (int)type_size(type) * 8;
	uint64_t top = UINT64_MAX >> (64 - bits);

	if (type_class(type) == 'U')
		return size <= top && (!negative || !size);
	return size <= (top >> 1) + (negative ? 1 : 0);
}

/* The type to cast to what the literal meets. */
static const char *integer_for(const struct expr *e)
{
	bool negative = literal_is_negative(e);
	uint64_t size = negative ? -(uint64_t)e->value.i : (uint64_t)e->value.i;
	return int_fits(negative, size, type_scalar(T_I32)) ? "i32"
	     : int_fits(negative, size, type_scalar(T_I64)) ? "i64" : "u64";
}

/* -1 of an unsigned type, which C takes modulo 2^bits.  Whether that is meant depends on what is
 * done with it: x == -1 may be, x >= -1 is not. */
static bool wraps(const struct expr *e, const struct type *type)
{
	const int bits = (int)type_size(type) * 8;
	const uint64_t size = -(uint64_t)e->value.i, top = UINT64_MAX >> (64 - bits);

	if (size > top)
		return false;
	if (size == 1)
		diag_cure("all bits set is `%s.max`, %llu", type_name(type),
		          (unsigned long long)top);
	else
		diag_cure("modulo 2^%d it is %llu", bits, (unsigned long long)(top - size + 1));
	return true;
}

static struct expr *does_not_fit(const struct expr *e, const struct type *type)
{
	if (is_float(type)) {
		diag_error(e->at, D_LITERAL_FIT, "the literal is too large for %s",
		           type_name(type));
		diag_cure(float_limits(type)->no_infinity ? "use a wider type"
		                                          : "use a wider type, or write `inf`");
		return NULL;
	}
	if (e->type->kind == T_FLOAT_LIT) {
		diag_error(e->at, D_LITERAL_FIT, "a float literal cannot become %s",
		           type_name(type));
		diag_cure("write a whole number");
		if (e->value.f == (double)(int32_t)e->value.f && fabs(e->value.f) < 1e9)
			diag_fix(e->at, str_print("%d", (int)e->value.f));
		return NULL;
	}
	diag_error(e->at, D_LITERAL_FIT, "the literal does not fit %s", type_name(type));
	if (type_class(type) == 'U' && literal_is_negative(e) && wraps(e, type))
		return NULL;
	diag_cure("use a wider type; beside a value, cast that: `%s(...)`", integer_for(e));
	return NULL;
}

static struct expr *literal_as(const struct expr *e, const struct type *type)
{
	bool negative = literal_is_negative(e);
	uint64_t size = negative ? -(uint64_t)e->value.i : (uint64_t)e->value.i;
	struct expr *c = expr_new(E_CONST, type, e->at);

	if (!is_numeric(type)) {
		diag_error(e->at, D_CONVERSION, "%s is needed, but this is a number",
		           type_name(type));
		if (type->kind == T_BOOL)
			diag_cure("bool is not a number: write `true`, `false` or a comparison");
		else if (type->kind == T_ARRAY)
			diag_cure("a list gives the elements of an array: `[...]`");
		return NULL;
	}
	if (is_float(type) && e->type->kind == T_FLOAT_LIT)
		c->value.f = type->kind == T_F64 ? e->value.f : float_round(type, odd_of(e));
	else if (is_float(type))
		c->value.f = float_of_int(type, true, (int64_t)size);
	else if (e->type->kind == T_FLOAT_LIT || !int_fits(negative, size, type))
		return does_not_fit(e, type);
	else
		c->value.i = e->value.i;
	if (is_float(type) && e->type->kind == T_INT_LIT && negative)
		c->value.f = -c->value.f;
	if (is_float(type)
	    && !float_holds(type, e->type->kind == T_FLOAT_LIT ? odd_of(e) : e->value.f))
		return does_not_fit(e, type);
	return c;
}

/* Where the suffix starts: hexadecimal digits include f and b, so only i and u end them. */
static const char *suffix_of(const char *text)
{
	bool hex = text[0] == '0' && (text[1] == 'x' || text[1] == 'X');
	const char *end = strpbrk(text, hex ? "iu" : "iufb");

	return end ? end : text + strlen(text);
}

static bool number_is_float(const char *text)
{
	return !(text[0] == '0' && (text[1] == 'x' || text[1] == 'X')) && strpbrk(text, ".eE");
}

static bool number_value(const struct ast *a, const char *digits, struct expr *e, bool negative)
{
	if (e->type->kind == T_FLOAT_LIT) {
		e->value.f = strtod(digits, NULL);
		set_odd(e, digits_odd(digits));
		if (isinf(e->value.f)) {
			diag_error(a->at, D_LITERAL_FIT, "the literal is too large for f64");
			diag_cure("write infinity as `inf`");
			return false;
		}
		return true;
	}
	errno = 0;
	e->value.i = (int64_t)strtoull(digits, NULL,
	                               digits[0] == '0' && digits[1] == 'x' ? 16 : 10);
	if (errno) {
		diag_error(a->at, D_LITERAL_FIT, "the literal does not fit any integer type");
		diag_cure("a float literal has a point: `1.0e20`");
		return false;
	}
	e->value.f = (double)(uint64_t)e->value.i;
	if (negative && (uint64_t)e->value.i > (uint64_t)INT64_MAX + 1) {
		diag_error(a->at, D_LITERAL_FIT, "the literal does not fit any integer type");
		return false;
	}
	return true;
}

void literal_negate(struct expr *e)
{
	if (e->type->kind == T_INT_LIT)
		e->value.i = (int64_t)-(uint64_t)e->value.i;
	else
		set_odd(e, -odd_of(e));
	e->value.f = -e->value.f;
}

/* `-128i8` is one literal: the sign is read before the range is checked. */
struct expr *literal_number(const struct ast *a, bool negative)
{
	const char *suffix = suffix_of(a->name);
	const char *digits = str_intern(a->name, (size_t)(suffix - a->name));
	const struct type *type = *suffix ? type_named(suffix) : NULL;
	bool as_float = number_is_float(digits);
	struct expr *e = expr_new(E_CONST, type_scalar(as_float ? T_FLOAT_LIT : T_INT_LIT), a->at);

	if (*suffix && !type) {
		diag_error(a->at, D_UNKNOWN_TYPE, "`%s` is not a type, so it cannot be a suffix",
		           suffix);
		return NULL;
	}
	if (!number_value(a, digits, e, negative))
		return NULL;
	if (negative)
		literal_negate(e);
	return type ? literal_as(e, type) : e;
}

/* ---- the type of the context ---- */

static struct expr *retype_fold(struct expr *e, const struct type *type)
{
	struct expr *arg = expr_retype(e->arg.at[0], type);
	struct expr *fold;

	if (!arg)
		return NULL;
	fold = expr_new(E_FOLD, type_compute(natural(arg)), e->at);
	fold->fold = e->fold;
	fold->narrow = type_compute(natural(arg)) == natural(arg) ? NULL : natural(arg);
	list_add(&fold->arg, expr_cast(arg, fold->type));
	return fold;
}

static struct expr *retype_math(struct expr *e, const struct type *type)
{
	struct expr *arg[3];

	for (int k = 0; k < e->arg.n; k++)
		if (!(arg[k] = expr_retype(e->arg.at[k], type)))
			return NULL;
	return make_math(e->math, arg, e->arg.n, e->at);
}

static bool is_shift(const struct expr *e)
{
	return e->kind == E_BINARY && (e->op == OP_SHL || e->op == OP_SHR);
}

/* Does it have no meaning on floats? */
static bool is_whole(const struct expr *e)
{
	return is_shift(e) || (e->kind == E_UNARY && e->op == OP_BITNOT)
	       || (e->kind == E_BINARY && (e->op == OP_AND || e->op == OP_OR || e->op == OP_XOR
	                                   || e->op == OP_REM));
}

/* The type of such an expression of integer literals where the context is a float or nothing: that
 * of the count of a shift.  A constant says nothing, since a literal may have made it. */
static const struct type *own_type(const struct expr *e)
{
	if (is_shift(e) && e->arg.at[1]->kind != E_CONST)
		return natural(e->arg.at[1]);
	return type_scalar(T_I64);
}

struct expr *expr_retype(struct expr *e, const struct type *type)
{
	struct expr *a, *b;

	if (!is_literal(e->type))
		return e;
	if (is_whole(e) && is_float(type))
		type = own_type(e);
	switch (e->kind) {
	case E_CONST:
		return literal_as(e, type);
	case E_UNARY:
		a = expr_retype(e->arg.at[0], type);
		return make_unary(e->op, a, e->at);
	case E_BINARY:
		a = expr_retype(e->arg.at[0], type);
		if (!a)
			return NULL;
		b = is_shift(e) ? e->arg.at[1] : expr_retype(e->arg.at[1], type);
		return make_binary(e->op, a, b, e->at);
	case E_COND:
		a = expr_retype(e->arg.at[1], type);
		b = a ? expr_retype(e->arg.at[2], type) : NULL;
		return make_cond(e->arg.at[0], a, b, e->at);
	case E_MATH:
		return retype_math(e, type);
	case E_FOLD:
		return retype_fold(e, type);
	case E_VAR: case E_READ: case E_FIELD: case E_ELEM: case E_STRUCT: case E_CAST: case E_CALL:
	case E_OR_ZERO:
		break;
	}
	assert(false && "only operators over literals have a literal's type");
	return NULL;
}

struct expr *expr_settle(struct expr *e)
{
	if (!e || !is_literal(e->type))
		return e;
	if (is_shift(e) && e->arg.at[1]->kind != E_CONST)
		return expr_retype(e, own_type(e));
	diag_error(e->at, D_LITERAL_UNTYPED, "the type of this number is ambiguous");
	diag_cure("give it a suffix (`1i32`, `0.5f32`), or name the type: `let k: i32 = ...`");
	return NULL;
}
