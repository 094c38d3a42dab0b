/* sema_conv.c - conversions and operators: rulings R1 to R6, R8, R12; sema_literal.c has literals.
 *
 * After this file every E_BINARY has operands of one type, the one the operation computes in (R3):
 * narrow integers are cast to i32 first, and `narrow` remembers the type that the result may go
 * back to without a cast. */
#include <assert.h>
#include <string.h>

#include "sema_impl.h"

bool is_literal(const struct type *type)
{
	return type_class(type) == 'L';
}

const struct type *natural(const struct expr *e)
{
	return e->narrow ? e->narrow : e->type;
}

bool is_int(const struct type *type)
{
	return type_class(type) == 'I' || type_class(type) == 'U' || type->kind == T_INT_LIT;
}

bool is_float(const struct type *type)
{
	return type_class(type) == 'F' || type->kind == T_FLOAT_LIT;
}

bool is_numeric(const struct type *type)
{
	return is_int(type) || is_float(type);
}

/* ---- conversions ---- */

struct expr *expr_cast(struct expr *e, const struct type *type)
{
	struct expr *c;

	if (e->type == type)
		return e;
	if (e->kind == E_CONST && type_class(e->type) != 'S')
		return fold_cast(e, type);
	c = expr_new(E_CAST, type, e->at);
	list_add(&c->arg, e);
	return c;
}

static struct expr *loses(const struct expr *e, const struct type *to, const char *what)
{
	const struct type *from = natural(e);

	if (type_class(from) == 'S' || type_class(to) == 'S' || type_class(from) == 'A'
	    || type_class(to) == 'A') {
		diag_error(e->at, D_CONVERSION, "%s needs %s, but this is %s", what, type_name(to),
		           type_name(from));
		bool array = type_class(to) == 'A' || type_unboxed(to);
		if (type_class(from) == 'A' && !array)
			diag_cure("name an element of the array");
		else if (array && type_class(from) != 'A' && type_class(from) != 'S')
			diag_cure("a list gives the elements of an array: `[...]`");
		else if (array && type_class(from) == 'A')
			diag_cure("the element type and the extents must be those of the target");
		return NULL;
	}
	if (from->kind == T_BOOL || to->kind == T_BOOL) {
		diag_error(e->at, D_CONVERSION, "%s needs %s, but this is %s", what, type_name(to),
		           type_name(from));
		if (to->kind == T_BOOL)
			diag_cure("compare it: `... != 0`");
		else {
			diag_cure("bool is not a number: write `%s(...)`, which is 0 or 1",
			          type_name(to));
			fix_wrap(e->at, str_print("%s(", type_name(to)), ")");
		}
		return NULL;
	}
	diag_error(e->at, D_CONVERSION,
	           "%s needs %s, but the conversion from %s may lose information", what,
	           type_name(to), type_name(from));
	diag_cure("convert explicitly: `%s(...)`", type_name(to));
	fix_wrap(e->at, str_print("%s(", type_name(to)), ")");
	return NULL;
}

struct expr *expr_convert(struct expr *e, const struct type *type, const char *what)
{
	if (!e || !type)
		return NULL;
	if (type_unboxed(type) == e->type)
		return array_box(e);
	if (e->type->kind == T_FLOAT_LIT && e->kind != E_CONST && is_int(type))
		return loses(e, type, what);
	if (is_literal(e->type)) {
		e = expr_retype(e, type);
		return e ? expr_cast(e, type) : NULL;
	}
	if (natural(e) == type || e->type == type || type_fits(natural(e), type))
		return expr_cast(e, type);
	return loses(e, type, what);
}

/* R2: a cast is a call.  A literal takes the type of the cast, unless it is cut to an integer. */
struct expr *cast_check(struct expr *e, const struct type *type, struct loc at)
{
	if (!e)
		return NULL;
	if (type->kind == T_BOOL && e->type->kind != T_BOOL) {
		diag_error(at, D_CONVERSION, "a number is not a bool");
		diag_cure("compare it: `... != 0`");
		return NULL;
	}
	if (is_literal(e->type))
		e = expr_retype(e, e->type->kind == T_FLOAT_LIT && is_int(type) ? type_scalar(T_F64)
		                                                                : type);
	if (!e)
		return NULL;
	if (!is_numeric(e->type) && e->type->kind != T_BOOL) {
		diag_error(at, D_CONVERSION, "%s cannot be cast to %s", type_name(e->type),
		           type_name(type));
		if (type_class(e->type) == 'A')
			diag_cure("name an element of the array");
		return NULL;
	}
	e = expr_cast(e, type);
	struct expr *written = NEW(struct expr);
	*written = *e;
	/* a conversion that nobody wrote is where its operand is: expr_print_written */
	written->at = at;
	written->narrow = NULL;              /* i32(a + b) of two u8: from here on it is an i32 */
	return written;
}

/* The type two operands meet in (R1); reports and gives NULL when there is none. */
static const struct type *join(const struct expr *x, const struct expr *y, struct loc at)
{
	const struct type *a = natural(x), *b = natural(y);

	if (type_fits(a, b))
		return b;
	if (type_fits(b, a))
		return a;
	if (is_int(a) && is_int(b)) {
		const struct type *s = type_class(a) == 'I' ? a : b, *u = s == a ? b : a;
		diag_error(at, D_MIXED_SIGN,
		           "the operands are %s and %s: neither can represent every value of the "
		           "other",
		           type_name(a), type_name(b));
		static const char *const wider[] = { [1] = "i16", [2] = "i32", [4] = "i64" };
		if (type_size(u) == 8) {
			diag_cure("cast one operand, `%s(...)` or `%s(...)`", type_name(s),
			          type_name(u));
			return NULL;
		}
		const char *wide = wider[type_size(u)];
		diag_cure("cast one operand: `%s(...)` can represent both", wide);
		fix_wrap((s == a ? x : y)->at, str_print("%s(", wide), ")");
		return NULL;
	}
	if (is_float(a) && is_float(b)) {    /* of one size: all others fit one way */
		diag_error(at, D_OPERAND,
		           "the operands are %s and %s: neither can represent every value of the "
		           "other",
		           type_name(a), type_name(b));
		diag_cure("cast one operand, `%s(...)`, `%s(...)` or `f32(...)`", type_name(a),
		          type_name(b));
		return NULL;
	}
	diag_error(at, D_OPERAND,
	           "the operands are %s and %s, and there is no conversion between them",
	           type_name(a), type_name(b));
	if (a->kind == T_BOOL || b->kind == T_BOOL)
		diag_cure("bool is not a number: `i32(b)` is 0 or 1");
	else if (type_class(a) == 'A' && type_class(b) == 'A')
		diag_cure("copy the elements to an array of the other type");
	return NULL;
}

/* A float literal and an integer: the context says which float both become. */
static bool float_is_open(const struct expr *a, const struct expr *b)
{
	return (a->type->kind == T_FLOAT_LIT && is_int(b->type))
	       || (b->type->kind == T_FLOAT_LIT && is_int(a->type));
}

/* Gives both operands one type: two literals stay literals.  Not yet promoted. */
static const struct type *meet(struct expr **a, struct expr **b, struct loc at)
{
	bool la = is_literal((*a)->type), lb = is_literal((*b)->type);

	if ((la && lb) || float_is_open(*a, *b))
		return (*a)->type->kind == T_FLOAT_LIT ? (*a)->type : (*b)->type;
	if (la && !(*a = expr_retype(*a, natural(*b))))
		return NULL;
	if (lb && !(*b = expr_retype(*b, natural(*a))))
		return NULL;
	return join(*a, *b, at);
}

/* ---- operators ---- */

static struct expr *wrong_operand(enum operation op, const struct type *type, struct loc at)
{
	diag_error(at, D_OPERAND, "`%s` does not take %s", operation_text[op], type_name(type));
	if (op == OP_XOR && is_float(type))
		diag_cure("`^` is exclusive or; write a power as `x * x` or `pow(x, y)`");
	else if (op == OP_REM && is_float(type))
		diag_cure("write the remainder of floats as `fmod(x, y)`");
	else if (type_class(type) == 'S')
		diag_cure("structs can only be compared with `==`: name a field");
	else if (type_class(type) == 'A')
		diag_cure("arrays can only be compared with `==`: name an element");
	else if (type->kind == T_BOOL)
		diag_cure("bool is not a number: `i32(b)` is 0 or 1");
	else if (op == OP_NOT || op == OP_LAND || op == OP_LOR)
		diag_cure("a condition must be a bool: compare, `x != 0`");
	return NULL;
}

static struct expr *operation(enum operation op, const struct type *type,
                              const struct type *narrow,
                              struct expr *a, struct expr *b, struct loc at)
{
	struct expr *e = expr_new(b ? E_BINARY : E_UNARY, type, at);

	e->op = op;
	e->narrow = narrow == type ? NULL : narrow;
	list_add(&e->arg, a);
	if (b)
		list_add(&e->arg, b);
	return is_literal(type) ? e : fold_operation(e);
}

/* A folded constant forgets where it came from; R3 needs to know. */
static struct expr *remember(struct expr *e, const struct type *narrow)
{
	e->narrow = narrow == e->type ? NULL : narrow;
	return e;
}

struct expr *make_unary(enum operation op, struct expr *a, struct loc at)
{
	if (!a)
		return NULL;

	const struct type *type = natural(a), *compute = type_compute(type);

	if (op == OP_NOT)
		return type->kind == T_BOOL ? operation(op, type, NULL, a, NULL, at)
		                            : wrong_operand(op, type, at);
	if (!(op == OP_BITNOT ? is_int(type) : is_numeric(type)))
		return wrong_operand(op, type, at);
	if (is_literal(type) && a->kind == E_CONST && op == OP_NEG) {
		struct expr *copy = NEW(struct expr);
		*copy = *a;
		copy->at = at;
		literal_negate(copy);
		return copy;
	}
	return remember(operation(op, compute, NULL, expr_cast(a, compute), NULL, at), type);
}

static struct expr *make_shift(enum operation op, struct expr *a, struct expr *b, struct loc at)
{
	const struct type *type = natural(a), *compute = type_compute(type);

	if (!is_int(type) || !is_int(b->type))
		return wrong_operand(op, is_int(type) ? b->type : type, at);
	if (is_literal(b->type) && !(b = expr_retype(b, type_scalar(T_I32))))
		return NULL;
	b = expr_cast(b, type_compute(b->type));
	if (is_literal(type))
		return operation(op, type, NULL, a, b, at);
	return remember(operation(op, compute, NULL, expr_cast(a, compute), b, at), type);
}

static struct expr *make_logic(enum operation op, struct expr *a, struct expr *b, struct loc at)
{
	if (a->type->kind != T_BOOL || b->type->kind != T_BOOL)
		return wrong_operand(op, a->type->kind == T_BOOL ? b->type : a->type, at);
	return operation(op, a->type, NULL, a, b, at);
}

static bool operand_allowed(enum operation op, const struct type *type)
{
	if (op == OP_EQ || op == OP_NE)
		return true;
	if (op == OP_AND || op == OP_OR || op == OP_XOR)
		return is_int(type) || type->kind == T_BOOL;
	return op == OP_REM ? is_int(type) : is_numeric(type);
}

static struct expr *make_comparison(enum operation op, const struct type *type, struct expr *a,
                                    struct expr *b, struct loc at)
{
	const struct type *compute = type_compute(type);

	if (is_literal(type) && !(is_literal(a->type) && is_literal(b->type))) {
		diag_error(at, D_LITERAL_UNTYPED,
		           "an integer is compared with a float literal: the type of the "
		           "comparison is ambiguous");
		diag_cure("give the literal a suffix, `0.5f32`, or cast the integer, `f32(...)`");
		return NULL;
	}
	if (is_literal(type)) {              /* 1 < 2: one type is as good as another */
		diag_error(at, D_LITERAL_UNTYPED,
		           "two literals are compared: the type of the comparison is ambiguous");
		diag_cure("give one a suffix: `1i32`, `0.5f32`");
		const struct expr *first = b->type->kind == T_FLOAT_LIT ? b : a;
		const char *text = source_span(first->at);
		if (text && text[strspn(text, "0123456789.")] == '\0')
			fix_wrap(first->at, "", first->type->kind == T_FLOAT_LIT ? "f64" : "i64");
		return NULL;
	}
	if (type->kind == T_ARRAY)
		return operation(op, type_scalar(T_BOOL), NULL, array_box(a), array_box(b), at);
	return operation(op, type_scalar(T_BOOL), NULL, expr_cast(a, compute),
	                 expr_cast(b, compute), at);
}

/* `%` of floats is a function.  (So is `^` in other languages, where it binds more strongly.) */
static void fix_remainder(const struct expr *a, const struct expr *b, struct loc at)
{
	const char *x = source_span(a->at), *y = source_span(b->at);

	if (x && y)
		diag_fix(at, str_print("fmod(%s, %s)", x, y));
}

struct expr *make_binary(enum operation op, struct expr *a, struct expr *b, struct loc at)
{
	const struct type *type, *compute;

	if (!a || !b)
		return NULL;
	if (op == OP_LAND || op == OP_LOR)
		return make_logic(op, a, b, at);
	if (op == OP_SHL || op == OP_SHR)
		return make_shift(op, a, b, at);
	if (!operand_allowed(op, natural(a)) || !operand_allowed(op, natural(b))) {
		type = natural(operand_allowed(op, natural(a)) ? b : a);
		wrong_operand(op, type, at);
		if (is_float(type) && op == OP_REM)
			fix_remainder(a, b, at);
		return NULL;
	}
	type = meet(&a, &b, at);
	if (!type)
		return NULL;
	if (!operand_allowed(op, type))
		return wrong_operand(op, type, at);
	if (is_comparison(op))
		return make_comparison(op, type, a, b, at);
	if (is_literal(type))
		return operation(op, type, NULL, a, b, at);
	compute = type_compute(type);
	return remember(operation(op, compute, NULL, expr_cast(a, compute), expr_cast(b, compute),
	                          at),
	                type);
}

struct expr *make_cond(struct expr *c, struct expr *a, struct expr *b, struct loc at)
{
	const struct type *type, *compute;
	struct expr *e;

	if (!c || !a || !b)
		return NULL;
	type = meet(&a, &b, at);
	if (!type)
		return NULL;
	compute = is_literal(type) ? type : type_compute(type);
	if (c->kind == E_CONST && !is_literal(type))
		return expr_cast(c->value.i ? a : b, compute);
	if (type->kind == T_ARRAY)
		return array_unbox(make_cond(c, array_box(a), array_box(b), at));
	e = expr_new(E_COND, compute, at);
	e->narrow = compute == type ? NULL : type;
	list_add(&e->arg, c);
	list_add(&e->arg, is_literal(type) ? a : expr_cast(a, compute));
	list_add(&e->arg, is_literal(type) ? b : expr_cast(b, compute));
	return e;
}

/* ---- the function table (R12) ---- */

static bool kinds_allow(const struct math_row *row, const struct type *type)
{
	if (type->kind == T_INT_LIT)
		return true;
	if (type->kind == T_FLOAT_LIT)
		return strchr(row->kinds, 'F');
	return strchr(row->kinds, type_class(type));
}

static struct expr *wrong_argument(const struct math_row *row, const struct type *type,
                                   struct loc at)
{
	diag_error(at, D_OPERAND, "`%s` does not take %s", row->name, type_name(type));
	if (type_class(type) == 'A')
		diag_cure("name an element of the array");
	if (is_int(type) && !strcmp(row->kinds, "F"))
		diag_cure("choose the type: `%s(f32(...))` or `%s(f64(...))`", row->name,
		          row->name);
	return NULL;
}

static const struct type *math_type(enum math m, const struct type *arg)
{
	if (m == M_isnan || m == M_isinf || m == M_isfinite)
		return type_scalar(T_BOOL);
	return m == M_popcount || m == M_clz || m == M_ctz ? type_scalar(T_I32) : arg;
}

static struct expr *math_call(enum math m, const struct type *arg_type, struct expr **arg, int n,
                              struct loc at)
{
	struct expr *e = expr_new(E_MATH, math_type(m, arg_type), at);

	e->math = m;
	for (int k = 0; k < n; k++)
		list_add(&e->arg, is_literal(arg_type) ? arg[k] : expr_cast(arg[k], arg_type));
	return fold_math(e);
}

/* min and max of many: a balanced tree, so that a long list is no deep expression */
static struct expr *math_tree(enum math m, const struct type *type, struct expr **arg, int n,
                              struct loc at)
{
	struct expr *half[2];

	if (n == 1)
		return is_literal(type) ? arg[0] : expr_cast(arg[0], type);
	half[0] = math_tree(m, type, arg, n / 2, at);
	half[1] = math_tree(m, type, arg + n / 2, n - n / 2, at);
	return math_call(m, type, half, 2, at);
}

/* Is one a float literal, and no other a float of some type? */
static bool floats_are_open(struct expr *const *arg, int n)
{
	bool open = false;

	for (int k = 0; k < n; k++) {
		open |= arg[k]->type->kind == T_FLOAT_LIT;
		if (!is_literal(arg[k]->type) && !is_int(arg[k]->type))
			return false;
	}
	return open;
}

/* One type for all arguments; NULL when they do not agree. */
static const struct type *math_meet(struct expr **arg, int n, struct loc at)
{
	struct expr *top = arg[0];

	if (floats_are_open(arg, n))
		return type_scalar(T_FLOAT_LIT);
	for (int k = 1; k < n; k++) {   /* the widest of those that have a type, else a literal's */
		if (is_literal(arg[k]->type) && !is_literal(top->type))
			continue;
		if (is_literal(top->type) && !is_literal(arg[k]->type)) {
			top = arg[k];
			continue;
		}
		if (is_literal(top->type)) {
			top = arg[k]->type->kind == T_FLOAT_LIT ? arg[k] : top;
			continue;
		}
		const struct type *type = join(top, arg[k], at);
		if (!type)
			return NULL;
		top = type == natural(top) ? top : arg[k];
	}
	for (int k = 0; k < n && !is_literal(top->type); k++)
		if (!(arg[k] = expr_retype(arg[k], natural(top))))
			return NULL;
	return natural(top);
}

struct expr *make_math(enum math m, struct expr **arg, int n, struct loc at)
{
	const struct math_row *row = &math_table[m];
	const struct type *type, *compute;

	for (int k = 0; k < n; k++)
		if (!arg[k])
			return NULL;
	for (int k = 0; k < n; k++)
		if (!kinds_allow(row, natural(arg[k])))
			return wrong_argument(row, natural(arg[k]), at);
	type = math_meet(arg, n, at);
	if (!type)
		return NULL;
	if (type->kind == T_INT_LIT && !strcmp(row->kinds, "F"))
		type = type_scalar(T_FLOAT_LIT);
	if (!kinds_allow(row, type))
		return wrong_argument(row, type, at);
	if (is_literal(type) && math_type(m, type) != type)
		return expr_settle(arg[0]);
	compute = is_literal(type) ? type : type_compute(type);
	if (row->arity < 0)
		return remember(math_tree(m, compute, arg, n, at), type);
	struct expr *e = math_call(m, compute, arg, n, at);
	return math_type(m, compute) == compute ? remember(e, type) : e;
}
