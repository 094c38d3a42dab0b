/* test_affine.c - affine.c and the proofs of legal*.c on statements built by hand. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "legal.h"

/* ---- diag.c, replaced: what was told is kept ---- */

static struct { enum diag code; char error[500], note[500], cure[500]; int errors; } told;

static void keep(char *to, const char *format, va_list args)
{
	vsnprintf(to, sizeof told.error, format, args);
}

void diag_error(struct loc at, enum diag code, const char *format, ...)
{
	va_list args;
	(void)at;
	va_start(args, format);
	keep(told.error, format, args);
	va_end(args);
	told.code = code;
	told.errors++;
}

void diag_note(struct loc at, const char *format, ...)
{
	va_list args;
	(void)at;
	va_start(args, format);
	keep(told.note, format, args);
	va_end(args);
}

void diag_cure(const char *format, ...)
{
	va_list args;
	va_start(args, format);
	keep(told.cure, format, args);
	va_end(args);
}

void fix_append(struct loc at, const char *clause)
{
	(void)at;
	(void)clause;
}

void fail_io(const char *format, ...)
{
	(void)format;
	abort();
}

/* ---- building statements ---- */

static const struct loc here = { 0, 1, 1, 2 };
static int next_id;
static struct var *n, *m, *i, *j, *k, *t;
static struct node *node;

static const struct type *i64(void) { return type_scalar(T_I64); }

static struct var *variable(enum var_kind kind, const char *name, enum scalar type)
{
	struct var *v = NEW(struct var);
	v->kind = kind;
	v->name = str_name(name);
	v->id = next_id++;
	v->type = type_scalar(type);
	return v;
}

static const struct clause clauses[] = {
	{ .name = "boundary", .values = -1 }, { 0 }
};
static const struct pattern steps = { .name = "stencil", .clauses = clauses };

static int fresh(void **state)
{
	(void)state;
	memset(&told, 0, sizeof told);
	n = variable(VAR_SIZE, "n", T_I64);
	m = variable(VAR_SIZE, "m", T_I64);
	i = variable(VAR_INDEX, "i", T_I64);
	j = variable(VAR_INDEX, "j", T_I64);
	k = variable(VAR_INDEX, "k", T_I64);
	t = variable(VAR_COUNTER, "t", T_I64);
	node = NEW(struct node);
	node->pattern = &steps;
	node->kind = NODE_PATTERN;
	return 0;
}

static struct expr *V(struct var *v) { return expr_var(v, here); }
static struct expr *C(int64_t c) { return expr_int(i64(), c, here); }
static struct expr *op(struct expr *a, enum operation o, struct expr *b)
{
	return expr_binary(o, a, b);
}

static struct expr *plus(struct var *v, int64_t c)
{
	return c < 0 ? op(V(v), OP_SUB, C(-c)) : op(V(v), OP_ADD, C(c));
}

static struct expr *with(struct expr *e, struct expr *arg)
{
	list_add(&e->arg, arg);
	return e;
}

static struct expr *neg(struct expr *a)
{
	struct expr *e = expr_new(E_UNARY, a->type, here);
	e->op = OP_NEG;
	return with(e, a);
}

static struct expr *cast(struct expr *a, enum scalar to)
{
	return with(expr_new(E_CAST, type_scalar(to), here), a);
}

static struct expr *math(enum math which, struct expr *a, struct expr *b)
{
	struct expr *e = expr_new(E_MATH, a->type, here);
	e->math = which;
	return with(with(e, a), b);
}

static struct expr *cond(struct expr *c, struct expr *a, struct expr *b)
{
	return with(with(with(expr_new(E_COND, a->type, here), c), a), b);
}

static struct affine form(struct expr *e)
{
	struct affine a;
	assert_true(affine_of(e, &a));
	return a;
}

/* An f32 array with these extents; y NULL: of rank one. */
static struct var *array(const char *name, struct expr *x, struct expr *y)
{
	struct var *v = variable(VAR_PARAM, name, T_F32);
	v->rank = y ? 2 : 1;
	v->mode = MODE_INOUT;
	v->extent[0] = form(x);
	if (y)
		v->extent[1] = form(y);
	return v;
}

static struct expr *at(struct var *a, struct expr *x, struct expr *y)
{
	struct expr *e = with(expr_new(E_READ, a->type, here), x);
	e->var = a;
	return y ? with(e, y) : e;
}

static struct expr *table(int64_t extent, struct expr *x)
{
	struct expr *e = expr_new(E_ELEM, type_scalar(T_F32), here);
	e->var = variable(VAR_CONST, "W", T_F32);
	e->var->rank = 1;
	e->var->extent[0] = affine_constant(extent);
	return with(e, x);
}

static void over(struct var *index, struct expr *lo, struct expr *hi)
{
	list_add(&node->index, index);
	list_add(&node->lo, lo);
	list_add(&node->hi, hi);
}

static void equation(struct expr *target, struct expr *right)
{
	struct equation *q = NEW(struct equation);
	list_add(&q->target, target);
	q->right = right;
	list_add(&node->equation, q);
}

static const struct op sum = { .name = "sum", .kind = OPK_SUM };

static struct expr *fold(struct var *index, struct expr *lo, struct expr *hi, struct expr *where,
                         struct expr *term)
{
	struct expr *e = expr_new(E_FOLD, term->type, here);
	e->fold = NEW(struct fold);
	e->fold->op = &sum;
	e->fold->where = where;
	list_add(&e->fold->index, index);
	list_add(&e->fold->lo, lo);
	list_add(&e->fold->hi, hi);
	return with(e, term);
}

static struct expr *f32(double f) { return expr_float(type_scalar(T_F32), f, here); }

/* y[i] = right over i in 0..n */
static void row(struct expr *right)
{
	struct var *y = array("y", V(n), NULL);
	over(i, C(0), V(n));
	equation(at(y, V(i), NULL), right);
}

/* b[i, j] = right over n x m */
static void plane(struct expr *right)
{
	struct var *b = array("b", V(n), V(m));
	over(i, C(0), V(n));
	over(j, C(0), V(m));
	equation(at(b, V(i), V(j)), right);
}

static void legal(void)
{
	assert_true(affine_check_bounds(node));
	assert_int_equal(told.errors, 0);
}

static void illegal(enum diag code, const char *error, const char *note)
{
	assert_false(affine_check_bounds(node));
	assert_int_equal(told.errors, 1);
	assert_int_equal(told.code, code);
	assert_string_equal(told.error, error);
	assert_string_equal(told.note, note);
}

static void in_place(void)
{
	assert_true(affine_check_in_place(node));
	assert_int_equal(told.errors, 0);
}

static void not_in_place(const char *note)
{
	assert_false(affine_check_in_place(node));
	assert_int_equal(told.code, D_IN_PLACE);
	assert_string_equal(told.note, note);
}

#define CASE(name) static void name(void **state)
#define UNUSED (void)state

/* ---- forms ---- */

CASE(forms)
{
	UNUSED;
	struct affine a = form(op(op(C(2), OP_MUL, V(i)), OP_SUB, op(V(n), OP_SUB, C(3))));
	assert_string_equal(affine_text(&a), "2*i-n+3");
	a = form(op(V(i), OP_SUB, V(i)));
	assert_int_equal(a.n, 0);
	assert_string_equal(affine_text(&a), "0");
	a = form(neg(op(V(n), OP_MUL, C(-1))));
	assert_string_equal(affine_text(&a), "n");
	struct affine b = form(op(V(i), OP_ADD, V(n))), c = form(op(V(n), OP_ADD, V(i)));
	assert_true(affine_equal(&b, &c));
}

CASE(forms_refused)
{
	UNUSED;
	struct affine a;
	struct var *s = variable(VAR_PARAM, "s", T_I32), *u = variable(VAR_PARAM, "u", T_U64);
	assert_false(affine_of(op(V(i), OP_MUL, V(n)), &a));
	assert_false(affine_of(op(V(i), OP_REM, C(2)), &a));
	assert_false(affine_of(op(V(i), OP_DIV, C(2)), &a));
	assert_false(affine_of(cast(V(u), T_I64), &a));
	assert_true(affine_of(cast(V(s), T_I64), &a));
	assert_false(affine_of(cast(op(V(s), OP_ADD, V(s)), T_I64), &a));   /* wraps in 32 bits */
}

CASE(forms_overflow)
{
	UNUSED;
	struct affine a;
	struct expr *big = op(V(i), OP_MUL, C(INT64_MAX));
	assert_true(affine_of(big, &a));
	assert_false(affine_of(op(big, OP_ADD, V(i)), &a));
	assert_false(affine_of(op(C(INT64_MAX), OP_ADD, C(1)), &a));
	assert_false(affine_of(neg(C(INT64_MIN)), &a));
}

CASE(forms_full)
{
	UNUSED;
	struct affine a, one = affine_constant(0);
	for (int x = 0; x < MAX_RANK; x++) {
		a = affine_var(variable(VAR_SIZE, "x", T_I64));
		assert_true(affine_add(&one, &a, 1));
	}
	a = affine_var(n);
	assert_false(affine_add(&one, &a, 1));
	assert_int_equal(one.n, MAX_RANK);
}

CASE(shapes_of_subscripts)
{
	UNUSED;
	struct var *a = array("a", V(n), V(m));
	int64_t offset;
	int index;
	plane(f32(0));
	assert_true(access_offset(node, at(a, plus(i, 0), plus(j, -2)), 1, &index, &offset));
	assert_int_equal(index, 1);
	assert_int_equal(offset, -2);
	assert_false(access_offset(node, at(a, V(k), V(j)), 0, &index, &offset));
	assert_true(access_own(node, at(a, V(i), V(j))));
	assert_true(access_own(node, at(a, C(0), V(j))));
	assert_true(access_own(node, at(a, V(t), V(i))));
	assert_false(access_own(node, at(a, V(j), V(i))));
	assert_false(access_own(node, at(a, V(i), V(i))));
	assert_false(access_own(node, at(a, V(i), plus(j, 1))));
}

/* ---- bounds, legal ---- */

CASE(own_index)
{
	UNUSED;
	row(at(array("x", V(n), NULL), V(i), NULL));
	legal();
}

CASE(restricted)
{
	UNUSED;
	struct var *x = array("x", V(n), NULL);
	over(i, C(1), plus(n, -1));
	equation(at(x, V(i), NULL), op(at(x, plus(i, -1), NULL), OP_ADD, at(x, plus(i, 1), NULL)));
	legal();
}

CASE(guards)
{
	UNUSED;
	struct var *x = array("x", V(n), NULL);
	struct expr *left = op(V(i), OP_GT, C(0)), *right = op(plus(i, 1), OP_LT, V(n));
	row(op(cond(left, at(x, plus(i, -1), NULL), f32(0)), OP_ADD,
	       cond(op(right, OP_LAND, op(at(x, plus(i, 1), NULL), OP_GT, f32(0))), f32(1),
	            f32(0))));
	legal();
}

CASE(guards_otherwise)
{
	UNUSED;
	struct var *x = array("x", V(n), NULL);
	struct expr *last = op(V(i), OP_GE, plus(n, -1));
	row(cond(op(last, OP_LOR, op(at(x, plus(i, 1), NULL), OP_GT, f32(0))), f32(1),
	         at(x, plus(i, 1), NULL)));
	legal();
}

CASE(guard_where)
{
	UNUSED;
	row(at(array("x", V(n), NULL), plus(i, 1), NULL));
	node->where = op(V(i), OP_NE, plus(n, -1));
	legal();
}

CASE(guard_where_with_data)
{
	UNUSED;
	struct var *x = array("x", V(n), NULL);
	row(at(x, plus(i, 1), NULL));
	node->where = op(op(at(x, V(i), NULL), OP_GT, f32(0)), OP_LAND,
	                 op(plus(i, 1), OP_LT, V(n)));
	legal();
}

CASE(triangle)
{
	UNUSED;
	struct var *a = array("a", V(n), V(n));
	row(fold(k, C(0), V(i), NULL, op(at(a, V(i), V(k)), OP_MUL, at(a, V(k), V(i)))));
	legal();
}

CASE(triangle_domain)
{
	UNUSED;
	struct var *a = array("a", V(n), V(n));
	over(i, C(0), V(n));
	over(j, V(i), V(n));
	equation(at(a, V(i), V(j)), at(a, op(V(j), OP_SUB, V(i)), V(j)));
	legal();
}

CASE(interleaved)
{
	UNUSED;
	struct var *x = array("x", op(C(2), OP_MUL, V(n)), NULL);
	row(at(x, op(op(C(2), OP_MUL, V(i)), OP_ADD, C(1)), NULL));
	legal();
}

CASE(reversed)
{
	UNUSED;
	row(at(array("x", V(n), NULL), op(plus(n, -1), OP_SUB, V(i)), NULL));
	legal();
}

CASE(diagonal)
{
	UNUSED;
	struct var *a = array("a", V(n), V(n));
	row(at(a, V(i), V(i)));
	legal();
}

CASE(product)
{
	UNUSED;
	struct var *size = variable(VAR_SIZE, "p", T_I64);
	struct var *a = array("a", V(n), V(size)), *b = array("b", V(size), V(m));
	plane(fold(k, C(0), V(size), NULL, op(at(a, V(i), V(k)), OP_MUL, at(b, V(k), V(j)))));
	legal();
}

CASE(empty_domain)
{
	UNUSED;
	over(i, C(5), C(2));
	equation(at(array("y", V(n), NULL), V(i), NULL),
	         at(array("x", V(n), NULL), plus(i, 100), NULL));
	legal();
}

CASE(halves)
{
	UNUSED;
	over(i, C(0), op(V(n), OP_DIV, C(2)));
	equation(at(array("y", V(n), NULL), V(i), NULL),
	         at(array("x", V(n), NULL), op(op(C(2), OP_MUL, V(i)), OP_ADD, C(1)), NULL));
	legal();
}

CASE(clamped_by_hand)
{
	UNUSED;
	struct expr *sub = math(M_min, plus(n, -1), math(M_max, C(0), plus(i, -3)));
	row(at(array("x", V(n), NULL), sub, NULL));
	legal();
	assert_false(sub->checked);
}

CASE(tables)
{
	UNUSED;
	struct expr *byte = cast(V(variable(VAR_PARAM, "s", T_U8)), T_I64);
	struct expr *signs = table(9, op(op(plus(i, -7), OP_REM, C(5)), OP_ADD, C(4)));
	row(op(op(table(5, op(V(i), OP_REM, C(5))), OP_ADD, table(256, byte)), OP_ADD,
	       op(signs, OP_ADD, table(4, op(V(i), OP_AND, C(3))))));
	legal();
	assert_false(signs->checked);
}

CASE(edges)
{
	UNUSED;
	struct var *a = array("a", V(n), V(m));
	plane(op(at(a, plus(i, -1), V(j)), OP_ADD, at(a, V(i), plus(j, 3))));
	node->edge[0].kind = B_CLAMP;
	node->edge[1].kind = B_WRAP;
	legal();
}

/* boundary (i < 0 ? top[j] : left[i]), Needleman and Wunsch's corner on the left */
CASE(edge_values)
{
	UNUSED;
	struct var *a = array("a", V(n), V(m));
	struct var *top = array("top", V(m), NULL), *left = array("left", V(n), NULL);
	struct expr *value = cond(op(V(i), OP_LT, C(0)), at(top, V(j), NULL), at(left, V(i), NULL));
	plane(op(at(a, plus(i, -1), V(j)), OP_ADD, at(a, V(i), plus(j, -1))));
	node->edge[0] = node->edge[1] = (struct edge){ B_VALUE, value };
	legal();
	node->equation.at[0]->right = at(a, plus(i, -1), plus(j, -1));
	assert_false(affine_check_bounds(node));    /* the corner: told for each axis */
	assert_string_equal(told.error, "stencil: top[j] leaves the array");
	assert_string_equal(told.note,
	                    "with n = 1, m = 1: j = -1 reads top[-1], but top has 1 element");
}

/* ---- bounds, known at run time only ---- */

CASE(unknown_bound)
{
	UNUSED;
	struct var *count = variable(VAR_LET, "count", T_I32);
	struct expr *read = at(array("x", V(n), NULL), V(i), NULL);
	struct expr *write = at(array("y", V(n), NULL), V(i), NULL);
	over(i, C(0), cast(V(count), T_I64));
	equation(write, read);
	legal();
	assert_true(read->checked && write->checked);
}

CASE(unknown_subscript)
{
	UNUSED;
	struct expr *s = cast(V(variable(VAR_PARAM, "s", T_I32)), T_I64);
	struct expr *read = at(array("x", V(n), NULL), op(V(i), OP_ADD, s), NULL);
	struct expr *alone = at(array("z", V(m), NULL), s, NULL);
	row(op(read, OP_ADD, alone));
	legal();
	assert_true(read->checked && alone->checked);
}

CASE(unknown_but_guarded)
{
	UNUSED;
	struct expr *s = cast(V(variable(VAR_PARAM, "s", T_I32)), T_I64);
	struct expr *sub = op(V(i), OP_ADD, s);
	struct expr *read = at(array("x", V(n), NULL), sub, NULL);
	row(cond(op(op(sub, OP_GE, C(0)), OP_LAND, op(sub, OP_LT, V(n))), read, f32(0)));
	legal();
	assert_false(read->checked);
}

/* with s = i64.min the guard holds and the subscript is far outside */
CASE(unknown_that_wraps)
{
	UNUSED;
	struct expr *s = V(variable(VAR_PARAM, "s", T_I64));
	struct expr *read = at(array("x", V(n), NULL), s, NULL);
	row(cond(op(op(op(s, OP_SUB, C(5)), OP_GE, C(0)), OP_LAND, op(s, OP_LT, V(n))), read,
	         f32(0)));
	legal();
	assert_true(read->checked);
}

CASE(unknown_does_not_excuse)
{
	UNUSED;
	struct expr *s = cast(V(variable(VAR_PARAM, "s", T_I32)), T_I64);
	row(cond(op(s, OP_GT, C(3)), at(array("x", V(n), NULL), plus(i, 1), NULL), f32(0)));
	illegal(D_BOUNDS, "stencil: x[i + 1] leaves the array",
	        "with n = 1, s = 4: i = 0 reads x[1], but x has 1 element");
}

CASE(indirect)
{
	UNUSED;
	struct expr *idx = at(array("idx", V(n), NULL), V(i), NULL), *elem;
	idx->type = i64();
	row(elem = table(5, idx));
	legal();
	assert_true(elem->checked);
}

CASE(square)
{
	UNUSED;
	struct expr *read = at(array("x", V(n), NULL), op(V(i), OP_MUL, V(i)), NULL);
	row(read);
	legal();
	assert_true(read->checked);
}

CASE(counters)
{
	UNUSED;
	struct expr *free = at(array("x", V(n), NULL), V(t), NULL);
	row(free);
	legal();
	assert_true(free->checked);         /* no limit is known */
	t->value = V(n);
	struct expr *bound = at(array("x", V(n), NULL), V(t), NULL);
	node->equation.at[0]->right = bound;
	legal();
	assert_false(bound->checked);
	node->equation.at[0]->right = at(array("z", V(m), NULL), V(t), NULL);
	illegal(D_BOUNDS, "stencil: z[t] leaves the array",
	        "with n = 1, t = 0, m = 0: this reads z[0], but z has 0 elements");
	t->value = cast(V(variable(VAR_PARAM, "steps", T_I32)), T_I64);
	told.errors = 0;
	node->equation.at[0]->right = free = at(array("x", V(n), NULL), V(t), NULL);
	legal();
	assert_true(free->checked);
}

/* ---- bounds, illegal ---- */

CASE(leaves_right)
{
	UNUSED;
	plane(at(array("a", V(n), V(m)), plus(i, 1), V(j)));
	illegal(D_BOUNDS, "stencil: a[i + 1, j] leaves the array",
	        "with n = 1, m = 1: i = 0, j = 0 reads a[1, 0], but a has 1 row");
	assert_string_equal(told.cure,
	                    "add `boundary clamp` (or wrap, mirror, reflect, keep, a value), "
	                    "or restrict with `for i in 0..n-1`");
}

CASE(leaves_both)
{
	UNUSED;
	struct var *a = array("a", V(n), V(m));
	plane(op(at(a, V(i), plus(j, -2)), OP_ADD, at(a, plus(i, 1), V(j))));
	node->edge[0].kind = B_CLAMP;
	illegal(D_BOUNDS, "stencil: a[i, j - 2] leaves the array",
	        "with n = 1, m = 1: i = 0, j = 0 reads a[0, -2], but a has 1 column");
	assert_non_null(strstr(told.cure, "`for i in 0..n-1, j in 2..m`"));
}

CASE(other_size)
{
	UNUSED;
	row(at(array("x", V(m), NULL), V(i), NULL));
	illegal(D_BOUNDS, "stencil: x[i] leaves the array",
	        "with n = 1, m = 0: i = 0 reads x[0], but x has 0 elements");
}

CASE(write_leaves)
{
	UNUSED;
	over(i, C(0), V(n));
	equation(at(array("y", V(n), NULL), plus(i, 1), NULL), f32(0));
	illegal(D_BOUNDS, "stencil: y[i + 1] leaves the array",
	        "with n = 1: i = 0 writes y[1], but y has 1 element");
	assert_non_null(strstr(told.cure, "where i + 1 < n"));
}

CASE(first_of_nothing)
{
	UNUSED;
	struct var *y = array("y", V(m), NULL);
	over(i, C(0), V(m));
	equation(at(y, V(i), NULL), at(array("x", V(n), NULL), C(0), NULL));
	illegal(D_BOUNDS, "stencil: x[0] leaves the array",
	        "with m = 1, n = 0: this reads x[0], but x has 0 elements");
}

CASE(fold_leaves)
{
	UNUSED;
	struct var *a = array("a", V(n), V(n));
	row(fold(k, C(0), plus(i, 2), NULL, at(a, V(i), V(k))));
	illegal(D_BOUNDS, "stencil: a[i, k] leaves the array",
	        "with n = 1: i = 0, k = 1 reads a[0, 1], but a has 1 column");
}

CASE(table_leaves)
{
	UNUSED;
	row(table(5, op(V(i), OP_REM, C(7))));
	illegal(D_BOUNDS_TABLE, "stencil: W[i % 7] leaves the table",
	        "with n = 6: i = 5 reads W[5], but W has 5 elements");
}

CASE(remainder_of_negative)
{
	UNUSED;
	row(table(2, op(plus(i, -1), OP_REM, C(2))));
	illegal(D_BOUNDS_TABLE, "stencil: W[(i - 1) % 2] leaves the table",
	        "with n = 1: i = 0 reads W[-1], but W has 2 elements");
}

CASE(huge_constants)
{
	UNUSED;
	row(at(array("x", V(n), NULL), plus(i, INT64_MAX), NULL));
	assert_true(affine_check_bounds(node));     /* wraps: left to the test at run time */
	assert_true(node->equation.at[0]->right->checked);
}

/* for i in 2^62*n .. wraps to a negative first cell when n = 2 */
CASE(wrapping_domain)
{
	UNUSED;
	struct expr *write = at(array("y", V(n), NULL), V(i), NULL);
	over(i, op(C((int64_t)1 << 62), OP_MUL, V(n)), V(n));
	equation(write, f32(0));
	legal();
	assert_true(write->checked);
}

/* ---- in place ---- */

static struct expr *even(void)
{
	return op(op(op(V(i), OP_ADD, V(j)), OP_REM, C(2)), OP_EQ, C(0));
}

static struct var *relax(int64_t lo, struct expr *where)
{
	struct var *a = array("a", V(n), V(m));
	over(i, C(lo), plus(n, -lo));
	over(j, C(lo), plus(m, -lo));
	node->where = where;
	equation(at(a, V(i), V(j)),
	         op(op(at(a, plus(i, -1), V(j)), OP_ADD, at(a, plus(i, 1), V(j))), OP_ADD,
	            op(at(a, V(i), plus(j, -1)), OP_ADD, at(a, V(i), plus(j, 1)))));
	return a;
}

static void all_edges(enum boundary kind)
{
	node->edge[0].kind = node->edge[1].kind = kind;
}

CASE(own_place)
{
	UNUSED;
	struct var *a = array("a", V(n), V(m));
	plane(f32(0));
	node->equation.at[0]->target.at[0] = at(a, V(i), V(j));
	node->equation.at[0]->right = op(at(a, V(i), V(j)), OP_ADD, f32(1));
	in_place();
}

CASE(red_black)
{
	UNUSED;
	relax(1, even());
	legal();
	in_place();
}

CASE(not_red_black)
{
	UNUSED;
	relax(1, NULL);
	not_in_place("with n = 4, m = 3: i = 2, j = 1 reads a[1, 1], which i = 1, j = 1 writes");
	assert_non_null(strstr(told.error, "may be a cell of `a` that the same statement writes"));
	assert_non_null(strstr(told.cure, "`wavefront`"));
}

CASE(red_black_by_masks)
{
	UNUSED;
	relax(1, op(op(op(V(i), OP_ADD, V(j)), OP_AND, C(1)), OP_EQ, C(0)));
	in_place();
}

CASE(red_black_clamped)
{
	UNUSED;
	relax(0, even());
	all_edges(B_CLAMP);                 /* a border cell reads itself: its own place */
	in_place();
}

CASE(red_black_mirrored)
{
	UNUSED;
	relax(0, even());
	all_edges(B_MIRROR);
	in_place();
}

CASE(red_black_reflected)
{
	UNUSED;
	relax(0, even());
	all_edges(B_REFLECT);
	in_place();
}

CASE(red_black_kept)
{
	UNUSED;
	relax(0, even());
	all_edges(B_KEEP);
	in_place();
}

CASE(keep_leaves_no_neighbour)
{
	UNUSED;
	struct var *x = array("x", C(3), NULL);
	over(i, C(0), C(3));
	equation(at(x, V(i), NULL), op(at(x, plus(i, -1), NULL), OP_ADD, at(x, plus(i, 1), NULL)));
	node->edge[0].kind = B_KEEP;        /* only x[1] is written */
	in_place();
}

CASE(red_black_wrapped)
{
	UNUSED;
	relax(0, even());
	all_edges(B_WRAP);                  /* with an odd size two neighbours have one colour */
	assert_false(affine_check_in_place(node));
	assert_non_null(strstr(told.note, "with n = 3, m = 1"));
}

CASE(other_half)
{
	UNUSED;
	struct var *x = array("x", op(C(2), OP_MUL, V(n)), NULL);
	over(i, C(0), V(n));
	equation(at(x, V(i), NULL), at(x, op(V(i), OP_ADD, V(n)), NULL));
	in_place();
}

CASE(shift_by_one)
{
	UNUSED;
	struct var *x = array("x", V(n), NULL);
	over(i, C(1), V(n));
	equation(at(x, V(i), NULL), at(x, plus(i, -1), NULL));
	not_in_place("with n = 3: i = 2 reads x[1], which i = 1 writes");
}

CASE(fold_over_target)
{
	UNUSED;
	struct var *x = array("x", V(n), NULL);
	over(i, C(0), V(n));
	equation(at(x, V(i), NULL), fold(k, C(0), V(n), NULL, at(x, V(k), NULL)));
	assert_false(affine_check_in_place(node));
	assert_non_null(
		strstr(told.note, "with n = 2: i = 0, k = 1 reads x[1], which i = 1 writes"));
}

CASE(unknown_in_place)
{
	UNUSED;
	struct var *x = array("x", V(n), NULL);
	over(i, C(0), V(n));
	equation(at(x, V(i), NULL), at(x, op(V(i), OP_MUL, V(i)), NULL));
	assert_false(affine_check_in_place(node));
}

CASE(fields)
{
	UNUSED;
	static const struct field left = { "l", NULL, 0 }, right = { "r", NULL, 4 };
	struct var *x = array("x", V(n), NULL);
	struct expr *target = with(expr_new(E_FIELD, type_scalar(T_F32), here), at(x, V(i), NULL));
	struct expr *source = with(expr_new(E_FIELD, type_scalar(T_F32), here),
	                           at(x, plus(i, 1), NULL));
	target->field = &left;
	source->field = &right;
	over(i, C(0), plus(n, -1));
	equation(target, source);
	in_place();
	source->field = &left;
	assert_false(affine_check_in_place(node));
}

/* ---- folds that are never empty ---- */

CASE(never_empty)
{
	UNUSED;
	struct expr *constant = fold(k, C(0), C(5), NULL, f32(1));
	row(constant);
	assert_true(affine_nonempty(node, constant->fold));
	struct expr *sized = fold(k, C(0), V(m), NULL, f32(1));
	node->equation.at[0]->right = sized;
	assert_false(affine_nonempty(node, sized->fold));
	struct expr *same = fold(k, C(0), V(n), NULL, f32(1));
	node->equation.at[0]->right = same;         /* a cell i < n exists, so n > 0 */
	assert_true(affine_nonempty(node, same->fold));
	struct expr *upto = fold(k, C(0), V(i), NULL, f32(1));
	node->equation.at[0]->right = upto;
	assert_false(affine_nonempty(node, upto->fold));
	struct expr *after = cond(op(V(i), OP_GT, C(0)), upto, f32(0));
	node->equation.at[0]->right = after;
	assert_true(affine_nonempty(node, upto->fold));
}

CASE(never_empty_where)
{
	UNUSED;
	struct expr *odd = op(op(V(k), OP_REM, C(2)), OP_EQ, C(1));
	struct expr *two = fold(k, C(0), C(2), odd, f32(1)),
		    *one = fold(k, C(0), C(1), odd, f32(1));
	row(op(two, OP_ADD, one));
	assert_true(affine_nonempty(node, two->fold));
	assert_false(affine_nonempty(node, one->fold));
	struct var *x = array("x", C(2), NULL);
	struct expr *data = fold(k, C(0), C(2), op(at(x, V(k), NULL), OP_GT, f32(0)), f32(1));
	node->equation.at[0]->right = data;
	assert_false(affine_nonempty(node, data->fold));
}

/* ---- the quota, and time ---- */

CASE(quota)
{
	UNUSED;
	unsigned long usual = legal_quota;
	row(at(array("x", V(n), NULL), plus(i, 1), NULL));
	node->where = op(V(i), OP_NE, plus(n, -1));
	legal_quota = 100;
	assert_false(affine_check_bounds(node));
	legal_quota = usual;
	assert_int_equal(told.code, D_LEGAL_QUOTA);
	assert_string_equal(told.error, "whether x[i + 1] stays inside could not be decided within "
	                                "100 operations");
	told.errors = 0;
	legal();                                    /* the next question starts afresh */
}

CASE(quota_in_place)
{
	UNUSED;
	unsigned long usual = legal_quota;
	relax(1, even());
	legal_quota = 100;
	assert_false(affine_check_in_place(node));
	legal_quota = usual;
	assert_int_equal(told.code, D_LEGAL_QUOTA);
	told.errors = 0;
	in_place();
}

/* Note [limits]: whatever it says, it says so soon. */
CASE(hostile_remainders)
{
	UNUSED;
	struct expr *sub = V(i);
	for (int q = 0; q < 100; q++)
		sub = op(op(sub, OP_MUL, C(3)), OP_REM, C(1000003 + q));
	row(at(array("x", V(n), NULL), sub, NULL));
	legal();
	assert_true(node->equation.at[0]->right->checked);
}

CASE(many_remainders)
{
	UNUSED;
	struct expr *sub = V(i);
	for (int q = 0; q < 8; q++)
		sub = op(op(sub, OP_MUL, C(3)), OP_REM, C(1000003 + q));
	row(at(array("x", V(n), NULL), sub, NULL));
	assert_false(affine_check_bounds(node));
	assert_string_equal(told.note, "with n = 2: i = 1 reads x[6561], but x has 2 elements");
}

CASE(hostile_conditions)
{
	UNUSED;
	struct expr *where = op(V(i), OP_GE, C(0));
	for (int q = 0; q < 100; q++)
		where = op(where, OP_LAND,
		           op(op(V(i), OP_LT, C(q * 7)), OP_LOR, op(V(j), OP_GT, C(q * 11))));
	plane(at(array("a", V(n), V(m)), plus(i, 1), V(j)));
	node->where = where;
	assert_false(affine_check_bounds(node));
}

/* ---- random statements, judged by trying every cell of small sizes ---- */

static struct { struct var *var; int64_t value; } now[4];

static int64_t value_of(const struct expr *e)
{
	int64_t a, b;
	if (e->kind == E_CONST)
		return e->value.i;
	if (e->kind == E_VAR) {
		int v = 0;
		while (now[v].var != e->var)
			v++;
		return now[v].value;
	}
	a = value_of(e->arg.at[0]);
	if (e->kind == E_COND)
		return value_of(e->arg.at[a ? 1 : 2]);
	b = value_of(e->arg.at[1]);
	if (e->kind == E_MATH)
		return (e->math == M_min) == (a < b) ? a : b;
	assert_int_equal(e->kind, E_BINARY);
	switch (e->op) {
	case OP_ADD: return a + b;
	case OP_SUB: return a - b;
	case OP_MUL: return a * b;
	case OP_DIV: return a / b;
	case OP_REM: return a % b;
	case OP_AND: return a & b;
	case OP_LT: return a < b;
	case OP_GE: return a >= b;
	case OP_EQ: return a == b;
	case OP_NE: return a != b;
	case OP_LAND: return a && b;
	case OP_LOR: return a || b;
	case OP_NEG: case OP_NOT: case OP_BITNOT: case OP_SHL: case OP_SHR: case OP_XOR: case OP_OR:
	case OP_GT: case OP_LE:
		break;
	}
	fail();
	return 0;
}

static uint64_t seed = 1;

static int dice(int sides)
{
	seed = seed * 6364136223846793005u + 1442695040888963407u;
	return (int)((seed >> 33) % (uint64_t)sides);
}

static struct expr *random_leaf(void)
{
	struct var *const some[] = { i, j, n, m };
	return dice(3) ? V(some[dice(4)]) : C(dice(5) - 1);
}

static struct expr *random_number(int depth)
{
	if (depth == 0 || dice(4) == 0)
		return random_leaf();
	struct expr *a = random_number(depth - 1), *b = random_number(depth - 1);
	switch (dice(9)) {
	case 0: return op(a, OP_MUL, C(dice(5) - 2));
	case 1: return op(a, OP_DIV, C(1 + dice(3)));
	case 2: return op(a, OP_REM, C(1 + dice(3)));
	case 3: return op(a, OP_AND, C(1 + 2 * dice(2)));
	case 4: return math(dice(2) ? M_min : M_max, a, b);
	case 5: return cond(op(a, OP_LT, b), b, a);
	default: return op(a, dice(2) ? OP_ADD : OP_SUB, b);
	}
}

static struct expr *random_condition(int depth)
{
	static const enum operation compare[] = { OP_LT, OP_GE, OP_EQ, OP_NE };
	if (depth == 0 || dice(2))
		return op(random_number(1), compare[dice(4)], random_number(1));
	return op(random_condition(depth - 1), dice(2) ? OP_LAND : OP_LOR,
	          random_condition(depth - 1));
}

/* Calls visit in every cell of the statement for these sizes; ends when it says true. */
static bool any_cell(int64_t rows, int64_t columns, bool (*visit)(const void *), const void *data)
{
	struct var *const vars[] = { n, m, i, j };
	const int64_t value[] = { rows, columns, 0, 0 };
	for (int v = 0; v < 4; v++) {
		now[v].var = vars[v];
		now[v].value = value[v];
	}
	int64_t last = value_of(node->hi.at[0]);
	for (int64_t x = value_of(node->lo.at[0]); x < last; x++) {
		now[2].value = x;
		int64_t end = value_of(node->hi.at[1]);
		for (int64_t y = value_of(node->lo.at[1]); y < end; y++) {
			now[3].value = y;
			if ((!node->where || value_of(node->where)) && visit(data))
				return true;
		}
	}
	return false;
}

/* fine: no cell of any size up to 5 says true; else one does at the sizes that the note names. */
static void judge(bool fine, bool (*visit)(const void *), const void *data)
{
	long rows, columns;
	for (int size = 0; fine && size < 36; size++)
		assert_false(any_cell(size / 6, size % 6, visit, data));
	if (fine)
		return;
	assert_int_equal(sscanf(told.note, "with n = %ld, m = %ld", &rows, &columns), 2);
	assert_true(any_cell(rows, columns, visit, data));
}

static bool leaves(const void *data)
{
	const struct expr *read = data;
	int64_t x = value_of(read->arg.at[0]), y = value_of(read->arg.at[1]);
	return x < 0 || x >= now[0].value || y < 0 || y >= now[1].value;
}

static void random_statement(struct expr *right)
{
	struct var *b = array("b", V(n), V(m));
	node->index.n = node->lo.n = node->hi.n = node->equation.n = 0;
	over(i, C(dice(2)), dice(2) ? V(n) : plus(n, -1));
	over(j, dice(2) ? C(0) : V(i), V(m));
	node->where = dice(2) ? random_condition(2) : NULL;
	equation(at(b, V(i), V(j)), right);
}

CASE(random_bounds)
{
	UNUSED;
	int count[3] = { 0 };                       /* refused, proved, left to run time */
	for (int round = 0; round < 2000; round++) {
		struct expr *read = at(array("a", V(n), V(m)), random_number(2), random_number(1));
		random_statement(read);
		bool fine = affine_check_bounds(node);
		count[read->checked ? 2 : fine]++;
		if (!read->checked)
			judge(fine, leaves, read);
	}
	assert_in_range(count[2], 0, 20);
	print_message("random: %d inside, %d not, %d checked\n", count[1], count[0], count[2]);
}

/* Where the cell that reads is (now[2], now[3]): does another cell write what it reads? */
struct pair { int64_t x, y, i, j; };

static bool writes_it(const void *data)
{
	const struct pair *p = data;
	return now[2].value == p->x && now[3].value == p->y && (p->x != p->i || p->y != p->j);
}

static bool meets(const void *data)
{
	const struct expr *read = data;
	struct pair p = { value_of(read->arg.at[0]), value_of(read->arg.at[1]),
	                  now[2].value, now[3].value };
	bool hit = any_cell(now[0].value, now[1].value, writes_it, &p);
	now[2].value = p.i;
	now[3].value = p.j;
	return hit;
}

CASE(random_in_place)
{
	UNUSED;
	int count[2] = { 0 };
	for (int round = 0; round < 300; round++) {
		struct var *a = array("a", V(n), V(m));
		struct expr *read = at(a, plus(i, dice(3) - 1), random_number(1));
		random_statement(read);
		node->equation.at[0]->target.at[0] = at(a, V(i), V(j));
		bool fine = affine_check_in_place(node);
		count[fine]++;
		judge(fine, meets, read);
	}
	print_message("random: %d in place, %d not\n", count[1], count[0]);
}

static double microseconds(bool (*check)(struct node *), int times)
{
	clock_t start = clock();
	for (int r = 0; r < times; r++)
		check(node);
	return 1e6 * (double)(clock() - start) / CLOCKS_PER_SEC / times;
}

CASE(time_direct)
{
	UNUSED;
	struct var *a = array("a", V(n), V(m));
	over(i, C(1), plus(n, -1));
	over(j, C(1), plus(m, -1));
	struct expr *s = at(a, V(i), V(j));
	for (int d = 0; d < 8; d++)
		s = op(s, OP_ADD, at(a, plus(i, d % 3 - 1), plus(j, d / 3 - 1)));
	equation(at(array("b", V(n), V(m)), V(i), V(j)), s);
	print_message("10 accesses proved directly: %.2f us\n",
	              microseconds(affine_check_bounds, 2000));
	assert_int_equal(told.errors, 0);
}

CASE(time_isl)
{
	UNUSED;
	row(at(array("x", V(n), NULL), plus(i, 1), NULL));
	node->where = op(V(i), OP_NE, plus(n, -1));
	print_message("a guarded access by isl: %.1f us\n", microseconds(affine_check_bounds, 200));
	node->where = NULL;
	print_message("an error with its witness: %.1f us\n",
	              microseconds(affine_check_bounds, 200));
}

CASE(time_in_place)
{
	UNUSED;
	relax(1, even());
	print_message("red-black, four reads: %.1f us\n", microseconds(affine_check_in_place, 50));
	all_edges(B_CLAMP);
	print_message("the same, clamped: %.1f us\n", microseconds(affine_check_in_place, 50));
	assert_int_equal(told.errors, 0);
}

#define T(name) cmocka_unit_test_setup(name, fresh)

int main(void)
{
	const struct CMUnitTest tests[] = { T(forms),
		                            T(forms_refused),
		                            T(forms_overflow),
		                            T(forms_full),
		                            T(shapes_of_subscripts),
		                            T(own_index),
		                            T(restricted),
		                            T(guards),
		                            T(guards_otherwise),
		                            T(guard_where),
		                            T(guard_where_with_data),
		                            T(triangle),
		                            T(triangle_domain),
		                            T(interleaved),
		                            T(reversed),
		                            T(diagonal),
		                            T(product),
		                            T(empty_domain),
		                            T(halves),
		                            T(clamped_by_hand),
		                            T(tables),
		                            T(edges),
		                            T(edge_values),
		                            T(unknown_bound),
		                            T(unknown_subscript),
		                            T(unknown_but_guarded),
		                            T(unknown_that_wraps),
		                            T(unknown_does_not_excuse),
		                            T(indirect),
		                            T(square),
		                            T(counters),
		                            T(leaves_right),
		                            T(leaves_both),
		                            T(other_size),
		                            T(write_leaves),
		                            T(first_of_nothing),
		                            T(fold_leaves),
		                            T(table_leaves),
		                            T(remainder_of_negative),
		                            T(huge_constants),
		                            T(wrapping_domain),
		                            T(own_place),
		                            T(red_black),
		                            T(not_red_black),
		                            T(red_black_by_masks),
		                            T(red_black_clamped),
		                            T(red_black_mirrored),
		                            T(red_black_reflected),
		                            T(red_black_kept),
		                            T(keep_leaves_no_neighbour),
		                            T(red_black_wrapped),
		                            T(other_half),
		                            T(shift_by_one),
		                            T(fold_over_target),
		                            T(unknown_in_place),
		                            T(fields),
		                            T(never_empty),
		                            T(never_empty_where),
		                            T(time_direct),
		                            T(time_isl),
		                            T(time_in_place),
		                            T(quota),
		                            T(quota_in_place),
		                            T(hostile_remainders),
		                            T(many_remainders),
		                            T(hostile_conditions),
		                            T(random_bounds),
		                            T(random_in_place) };
	return cmocka_run_group_tests(tests, NULL, NULL);
}
