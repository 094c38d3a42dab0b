/* kir.c - builders of the kernel IR: types and expressions (x_), from the bottom up.  Statements
 * are kir_stmt.c's.
 *
 * Builders check what they can see at once (equal operand types); the rest is kircheck's. */
#include "small.h"
#include "kir.h"

#include <assert.h>

/* ---- types ---- */

struct ktype kt(const struct type *type)
{
	return (struct ktype){.type = type, .lanes = 1};
}

struct ktype kt_scalar(enum scalar kind)
{
	return kt(type_scalar(kind));
}

struct ktype kt_pointer(const struct type *type, bool is_const)
{
	return (struct ktype){.type = type, .lanes = 1, .pointer = true, .is_const = is_const};
}

struct ktype kt_vector(const struct type *type, int lanes)
{
	return (struct ktype){.type = type, .lanes = lanes};
}

const char *kt_word(const struct type *type)
{
	return is_small(type) ? (type_size(type) == 1 ? "u8" : "u16") : type_name(type);
}

bool kt_equal(struct ktype a, struct ktype b)
{
	return a.type == b.type && a.lanes == b.lanes && a.pointer == b.pointer;
}

static bool kt_plain(struct ktype t)
{
	return !t.pointer && t.lanes == 1;
}

/* ---- expressions ---- */

static struct kx *x_new(enum kx_kind kind, struct ktype type)
{
	struct kx *x = NEW(struct kx);
	x->kind = kind;
	x->type = type;
	return x;
}

static struct kx *x_args(struct kx *x, int n, struct kx *const *arg)
{
	x->n = n;
	x->arg = mem_new((size_t)(n > 0 ? n : 1) * sizeof *x->arg);
	for (int i = 0; i < n; i++) {
		assert(arg[i] != NULL && "an operand is missing");
		x->arg[i] = arg[i];
	}
	return x;
}

#define X_ARGS(x, ...) \
	x_args(x, (int)(sizeof (struct kx *[]){__VA_ARGS__} / sizeof(struct kx *)), \
	       (struct kx *[]){__VA_ARGS__})

struct kx *x_int(enum scalar kind, int64_t i)
{
	struct kx *x = x_new(KX_INT, kt_scalar(kind));
	x->i = i;
	return x;
}

struct kx *x_i64(int64_t i)
{
	return x_int(T_I64, i);
}

struct kx *x_i32(int64_t i)
{
	assert(i >= INT32_MIN && i <= INT32_MAX && "an i32 constant holds it");
	return x_int(T_I32, i);
}

struct kx *x_float(enum scalar kind, double f)
{
	struct kx *x = x_new(KX_FLOAT, kt_scalar(kind));
	assert(type_class(x->type.type) == 'F' && "a float type");
	x->f = f;
	return x;
}

struct kx *x_value(const struct type *type, struct value value)
{
	return type_class(type) == 'F' ? x_float(type->kind, value.f) : x_int(type->kind, value.i);
}

struct kx *x_var(struct kvar *var)
{
	struct kx *x = x_new(KX_VAR, var->type);
	x->var = var;
	if (var->kind == KV_REGS || var->kind == KV_SHARED)
		x->type = kt_pointer(var->type.type, false);
	return x;
}

static bool op_compares(enum operation op)
{
	return op >= OP_LT && op <= OP_NE;
}

struct kx *x_op(enum operation op, struct kx *a, struct kx *b)
{
	bool shift = op == OP_SHL || op == OP_SHR;
	bool pointers = a->type.pointer && b->type.pointer && (op == OP_EQ || op == OP_NE);
	assert((pointers || (kt_plain(a->type) && kt_plain(b->type))) && "operators take scalars");
	assert((shift || a->type.type == b->type.type) && "operand types are equal");
	bool is_bool = op_compares(op) || op == OP_LAND || op == OP_LOR;
	struct kx *x = x_new(KX_OP, is_bool ? kt_scalar(T_BOOL) : a->type);
	x->op = op;
	return X_ARGS(x, a, b);
}

struct kx *x_unary(enum operation op, struct kx *a)
{
	assert(op <= OP_BITNOT && kt_plain(a->type) && "a unary operator takes a scalar");
	struct kx *x = x_new(KX_OP, a->type);
	x->op = op;
	return X_ARGS(x, a);
}

struct kx *x_add(struct kx *a, struct kx *b) { return x_op(OP_ADD, a, b); }
struct kx *x_sub(struct kx *a, struct kx *b) { return x_op(OP_SUB, a, b); }
struct kx *x_mul(struct kx *a, struct kx *b) { return x_op(OP_MUL, a, b); }
struct kx *x_div(struct kx *a, struct kx *b) { return x_op(OP_DIV, a, b); }
struct kx *x_rem(struct kx *a, struct kx *b) { return x_op(OP_REM, a, b); }

struct kx *x_div_up(struct kx *a, struct kx *b)
{
	int64_t n;
	if (!x_constant(b, &n))
		return x_div(x_add(a, x_sub(b, x_i64(1))), b);
	return n == 1 ? a : x_div(x_add(a, x_i64(n - 1)), b);
}

struct kx *x_lt(struct kx *a, struct kx *b) { return x_op(OP_LT, a, b); }
struct kx *x_le(struct kx *a, struct kx *b) { return x_op(OP_LE, a, b); }
struct kx *x_eq(struct kx *a, struct kx *b) { return x_op(OP_EQ, a, b); }
struct kx *x_ne(struct kx *a, struct kx *b) { return x_op(OP_NE, a, b); }

struct kx *x_and(struct kx *a, struct kx *b)
{
	return !a ? b : !b ? a : x_op(OP_LAND, a, b);
}

struct kx *x_or(struct kx *a, struct kx *b)
{
	return !a ? b : !b ? a : x_op(OP_LOR, a, b);
}

struct kx *x_cond(struct kx *c, struct kx *a, struct kx *b)
{
	assert(c->type.type->kind == T_BOOL && "a condition is bool");
	assert(kt_equal(a->type, b->type) && "both arms have one type");
	return X_ARGS(x_new(KX_COND, a->type), c, a, b);
}

struct kx *x_min(struct kx *a, struct kx *b)
{
	return x_math(M_min, a->type.type, 2, (struct kx *[]){a, b});
}

struct kx *x_max(struct kx *a, struct kx *b)
{
	return x_math(M_max, a->type.type, 2, (struct kx *[]){a, b});
}

static struct kx *x_convert(struct kx *a, const char *from, const char *to)
{
	struct kx *arg[] = {a};
	return x_help(kt(type_named(to)), str_print("patc_%s_to_%s", from, to), 1, arg);
}

/* Rounded once: only a bf16 has integers that f32 rounds.  Up to 16 bits f32 is exact, up to 32
 * f64. */
static struct kx *int_to_small(const struct type *small, struct kx *a)
{
	int64_t bytes = type_size(a->type.type);
	if (small->kind != T_BF16 || bytes < 4)
		return x_convert(x_cast(kt_scalar(T_F32), a), "f32", type_name(small));
	if (bytes == 4)
		return x_convert(x_cast(kt_scalar(T_F64), a), "f64", type_name(small));
	return x_convert(a, type_name(a->type.type), type_name(small));
}

/* Small floats are words: whoever computes with one converts it, by helpers, through f32. */
static struct kx *small_cast(const struct type *to, struct kx *a)
{
	const struct type *from = a->type.type;
	if (a->kind == KX_FLOAT && type_class(to) == 'F')
		return x_float(to->kind, float_convert(to, a->f));
	if (is_small(from))
		return x_cast(kt(to), x_convert(a, type_name(from), "f32"));
	if (type_class(from) != 'F')
		return int_to_small(to, a);
	return x_convert(a, type_name(from), type_name(to));
}

struct kx *x_cast(struct ktype type, struct kx *a)
{
	if (kt_equal(type, a->type) && type.is_const == a->type.is_const)
		return a;
	if (kt_plain(type) && kt_plain(a->type) && (is_small(type.type) || is_small(a->type.type)))
		return small_cast(type.type, a);
	return X_ARGS(x_new(KX_CAST, type), a);
}

struct kx *x_to_i64(struct kx *a)
{
	return a->kind == KX_INT ? x_i64(a->i) : x_cast(kt_scalar(T_I64), a);
}

struct kx *x_to_i32(struct kx *a)
{
	bool fits = a->kind == KX_INT && a->i >= INT32_MIN && a->i <= INT32_MAX;
	return fits ? x_i32(a->i) : x_cast(kt_scalar(T_I32), a);
}

struct kx *x_at(struct kx *a, struct kx *index)
{
	assert(a->type.pointer && "only memory is indexed");
	return X_ARGS(x_new(KX_AT, kt(a->type.type)), a, index);
}

struct kx *x_offset(struct kx *a, struct kx *index)
{
	assert(a->type.pointer && "an offset moves a pointer");
	return x_is_int(index, 0) ? a : X_ARGS(x_new(KX_OFFSET, a->type), a, index);
}

/* The value that a struct is made with; NULL: an array, or one stands before it. */
static struct kx *made_with(const struct kx *made, const struct field *field)
{
	const struct record *record = made->type.type->record;
	int f = 0;
	while (f < made->n && record->field.at[f].type->kind != T_ARRAY
	       && &record->field.at[f] != field)
		f++;
	return f < made->n && &record->field.at[f] == field && field->type->kind != T_ARRAY
	               ? made->arg[f]
	               : NULL;
}

struct kx *x_field(struct kx *a, const struct field *field)
{
	assert(a->type.type->kind == T_STRUCT && kt_plain(a->type) && "a struct has fields");
	struct kx *known = a->kind == KX_MAKE ? made_with(a, field) : NULL;
	if (known)
		return known;
	/* of a whole one clang keeps both arms in memory */
	if (a->kind == KX_COND && field->type->kind != T_ARRAY)
		return x_cond(a->arg[0], x_field(a->arg[1], field), x_field(a->arg[2], field));
	struct kx *x = x_new(KX_FIELD, kt(field->type));
	x->name = name_safe(field->name);
	return X_ARGS(x, a);
}

/* The element that a struct is made with, or NULL. */
static struct kx *element_made_with(const struct kx *made, const struct field *field,
                                    const struct kx *index)
{
	const struct record *record = made->type.type->record;
	int64_t at, before = 0;
	for (int f = 0; &record->field.at[f] != field; f++)
		before += type_cells(record->field.at[f].type);
	bool inside = x_constant(index, &at) && at >= 0 && at < type_cells(field->type);
	return inside && made->n ? made->arg[before + at] : NULL;
}

struct kx *x_elem(struct kx *a, const struct field *field, struct kx *index)
{
	assert(field->type->kind == T_ARRAY && "the field is an array");
	struct kx *known = a->kind == KX_MAKE ? element_made_with(a, field, index) : NULL;
	if (known)
		return known;
	struct kx *x = x_new(KX_ELEM, kt(field->type->elem));
	x->name = name_safe(field->name);
	return X_ARGS(x, a, index);
}

struct kx *x_table(const struct var *table, struct kx *index)
{
	const struct type *type = table->type;
	struct kx *x = x_new(KX_ELEM, kt(type->kind == T_ARRAY ? type->elem : type));
	x->table = table;
	return X_ARGS(x, index);
}

struct kx *x_lane(struct kx *a, int lane)
{
	assert(lane >= 0 && lane < a->type.lanes && "the vector has that lane");
	struct kx *x = x_new(KX_LANE, kt(a->type.type));
	x->i = lane;
	return X_ARGS(x, a);
}

struct kx *x_lane_at(struct kx *a, struct kx *lane)
{
	int64_t constant;
	if (x_constant(lane, &constant))
		return x_lane(a, (int)constant);
	struct kx *x = x_new(KX_LANE, kt(a->type.type));
	return X_ARGS(x, a, lane);
}

struct kx *x_vload(struct kx *pointer, int lanes)
{
	assert(pointer->type.pointer && lanes > 1 && "a vector is read through a pointer");
	return X_ARGS(x_new(KX_VLOAD, kt_vector(pointer->type.type, lanes)), pointer);
}

struct kx *x_make(const struct type *type, int n, struct kx **arg)
{
	return x_args(x_new(KX_MAKE, kt(type)), n, arg);
}

struct kx *x_call(const struct fn *fn, int n, struct kx **arg)
{
	assert(n == fn->param.n + fn->size.n && "as many values as parameters, and the sizes");
	struct kx *x = x_new(KX_CALL, kt(fn_result(fn)));
	x->fn = fn;
	return x_args(x, n, arg);
}

struct kx *x_outside(const struct fn *fn, int n, struct kx **arg)
{
	assert(fn->from && "a function of the user's header");
	struct kx *x = x_call(fn, n, arg);
	x->name = fn->name;
	return x;
}

struct kx *x_help(struct ktype result, const char *name, int n, struct kx **arg)
{
	struct kx *x = x_new(KX_HELP, result);
	x->name = str_name(name);
	return x_args(x, n, arg);
}

struct kx *x_wrapping(enum operation op, struct kx *a, struct kx *b)
{
	const char *name = op == OP_ADD   ? "patc_add_i64"
	                   : op == OP_SUB ? "patc_sub_i64"
	                                  : "patc_mul_i64";
	return x_help(kt_scalar(T_I64), name, 2, (struct kx *[]){ a, b });
}

/* C has these as functions of one float type; the rest are helpers, whose predicates give bool and
 * whose counts give i32. */
static struct kx *math_help(enum math m, const struct type *operand, int n, struct kx **arg)
{
	bool test = m == M_isnan || m == M_isinf || m == M_isfinite;
	bool count = m == M_popcount || m == M_clz || m == M_ctz;
	const struct type *result = test    ? type_scalar(T_BOOL)
	                            : count ? type_scalar(T_I32)
	                                    : operand;
	const char *name = str_print("patc_%s_%s", math_table[m].name, type_name(operand));
	return x_help(kt(result), name, n, arg);
}

/* min(a, b, c) is min(min(a, b), c). */
static struct kx *math_fold(enum math m, const struct type *type, int n, struct kx **arg)
{
	struct kx *x = arg[0];
	for (int i = 1; i < n; i++)
		x = x_math(m, type, 2, (struct kx *[]){x, arg[i]});
	return x;
}

/* abs of an unsigned value is that value. */
struct kx *x_math(enum math m, const struct type *type, int n, struct kx **arg)
{
	const struct math_row *row = &math_table[m];
	const struct type *operand = arg[0]->type.type;
	if (row->arity == -2 && n != 2)
		return math_fold(m, type, n, arg);
	assert(n == (row->arity < 0 ? 2 : row->arity) && "as many operands as the function takes");
	if (m == M_abs && type_class(operand) == 'U')
		return arg[0];
	if (type_class(operand) != 'F' || !*row->c32)
		return x_cast(kt(type), math_help(m, operand, n, arg));
	struct kx *x = x_new(KX_MATH, kt(operand));
	x->math = m;
	return x_args(x, n, arg);
}

struct kx *x_id(enum kid id)
{
	struct kx *x = x_new(KX_ID, kt_scalar(T_I32));
	x->id = id;
	return x;
}

bool x_is_int(const struct kx *x, int64_t i)
{
	return x->kind == KX_INT && x->i == i;
}

bool x_constant(const struct kx *x, int64_t *i)
{
	if (x->kind == KX_INT)
		*i = x->i;
	return x->kind == KX_INT;
}
