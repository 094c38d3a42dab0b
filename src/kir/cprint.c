/* cprint.c - the one printer of target text, kernel IR to C, CUDA or HIP through a dialect table:
 * types and expressions. Statements are cprint_stmt.c's.
 *
 * What is printed is meant to be read: parentheses only where C or -Wparentheses needs them. What
 * is printed is also exact: a float literal has the fewest digits that give the same value, and no
 * integer expression is evaluated in a narrower type than its own (Note [exact types]).
 *
 * Note [exact types].  A literal is printed bare, so its C type may be narrower than its KIR type:
 * 1 is int where an i64 is meant.  That is harmless next to an operand that has the type, and wrong
 * in 1 << 40 or in (c ? 1 : 2) * k.  An expression is called exact when C gives it its own type; an
 * operation none of whose deciding operands is exact gets one of them spelled INT64_C(1).  Types
 * under 32 bits compute as int in C, so their results are cast back. */
#include "cprint.h"
#include "small.h"

#include <assert.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const int precedence[] = {
	[OP_NEG] = P_UNARY, [OP_NOT] = P_UNARY, [OP_BITNOT] = P_UNARY,
	[OP_MUL] = P_MUL, [OP_DIV] = P_MUL, [OP_REM] = P_MUL, [OP_ADD] = P_ADD, [OP_SUB] = P_ADD,
	[OP_SHL] = P_SHIFT, [OP_SHR] = P_SHIFT, [OP_AND] = P_AND, [OP_XOR] = P_XOR, [OP_OR] = P_OR,
	[OP_LT] = P_ORDER, [OP_GT] = P_ORDER, [OP_LE] = P_ORDER, [OP_GE] = P_ORDER,
	[OP_EQ] = P_EQUAL, [OP_NE] = P_EQUAL, [OP_LAND] = P_LAND, [OP_LOR] = P_LOR,
};

struct pen { struct ink *out; const struct dialect *d; };

static void expr(struct pen, const struct kx *, int tightest);

/* ---- a line as it grows ---- */

static char *ink_room(struct ink *ink, size_t n)
{
	if (ink->length + n + 1 > ink->room) {
		ink->room = 2 * (ink->length + n) + 64;
		ink->text = memcpy(mem_new(ink->room), ink->length ? ink->text : "", ink->length);
	}
	char *end = ink->text + ink->length;
	ink->length += n;
	return end;
}

void ink_text(struct ink *ink, const char *s)
{
	size_t n = strlen(s);
	memcpy(ink_room(ink, n), s, n + 1);
}

void ink_char(struct ink *ink, char c)
{
	char *end = ink_room(ink, 1);
	end[0] = c;
	end[1] = 0;
}

static void ink_decimal(struct ink *ink, uint64_t n)
{
	char digit[24], *first = digit + sizeof digit - 1;
	*first = 0;
	do
		*--first = (char)('0' + n % 10);
	while (n /= 10);
	ink_text(ink, first);
}

const char *own_prefix(const struct dialect *d)
{
	return d->host ? "patc_host_" : "";
}

/* ---- types ---- */

const char *ktype_c(struct ktype t)
{
	if (t.lanes > 1)
		return str_print("patc_%sx%d", type_name(t.type), t.lanes);
	if (t.pointer)
		return str_print("%s%s *", t.is_const ? "const " : "", type_c(t.type));
	return type_c(t.type);
}

/* "const float *" joins its name, "float" does not. */
char *cprint_declare(struct ktype t, const char *name)
{
	return str_print("%s%s%s", ktype_c(t), t.pointer ? "" : " ", name);
}

bool is_narrow(const struct type *t)
{
	char class = type_class(t);
	return (class == 'I' || class == 'U') && type_size(t) < 4;
}

/* ---- literals ---- */

/* The fewest digits that read back as the same value. */
static char *digits(double f, bool single)
{
	for (int n = 1; n < 17; n++) {
		char *s = str_print("%.*g", n, f);
		if (single ? strtof(s, NULL) == (float)f : strtod(s, NULL) == f)
			return s;
	}
	return str_print("%.17g", f);
}

/* The word, and what it says. */
static char *small_text(const struct kx *x)
{
	const struct type *type = x->type.type;
	char *number = NULL;
	for (int n = 1; n <= 5; n++) {
		number = str_print("%.*g", n, x->f);
		if (float_round(type, strtod(number, NULL)) == x->f)
			break;
	}
	return str_print("0x%0*x /* %s */", 2 * (int)type_size(type), small_bits(type, x->f),
	                 number);
}

static char *float_text(const struct kx *x)
{
	if (is_small(x->type.type))
		return small_text(x);
	bool single = x->type.type->kind == T_F32;
	const char *wide = single ? "" : "(double)";
	if (isnan(x->f))
		return str_print("%sNAN", wide);
	if (isinf(x->f))
		return str_print(x->f < 0 ? "%s-INFINITY" : "%sINFINITY", wide);
	char *s = digits(x->f, single);
	const char *point = strpbrk(s, ".e") ? "" : ".0";
	return str_print("%s%s%s", s, point, single ? "f" : "");
}

/* Only 64-bit types have a spelling of their own: a bare literal of 32 bits or less is exact. */
static void integer(struct pen p, const struct kx *x, bool exact)
{
	enum scalar kind = x->type.type->kind;
	bool is_unsigned = type_class(x->type.type) == 'U',
	     spelled = exact && type_size(x->type.type) == 8;
	if (kind == T_BOOL)
		ink_text(p.out, x->i ? "true" : "false");
	else if (!is_unsigned && (x->i == INT64_MIN || (kind == T_I32 && x->i == INT32_MIN)))
		ink_text(p.out, x->i == INT64_MIN ? "INT64_MIN" : "INT32_MIN");
	else {
		bool minus = !is_unsigned && x->i < 0;
		ink_text(p.out, spelled ? is_unsigned ? "UINT64_C(" : "INT64_C(" : "");
		ink_text(p.out, minus ? "-" : "");
		ink_decimal(p.out, minus ? -(uint64_t)x->i : (uint64_t)x->i);
		ink_text(p.out, spelled ? ")" : is_unsigned && !is_narrow(x->type.type) ? "u" : "");
	}
}

/* Note [exact types]: has the printed text the type of x? */
static bool is_exact(const struct kx *x)
{
	if (x->kind == KX_INT)
		return type_size(x->type.type) < 8;
	if (x->kind == KX_COND)
		return is_exact(x->arg[1]) || is_exact(x->arg[2]);
	return true;                          /* operations see to it themselves */
}

/* The conversion to it. */
static void ink_type(struct ink *out, struct ktype type)
{
	ink_char(out, '(');
	ink_text(out, ktype_c(type));
	ink_char(out, ')');
}

static void exact(struct pen p, const struct kx *x, int tightest)
{
	if (is_exact(x))
		expr(p, x, tightest);
	else if (x->kind == KX_INT)
		integer(p, x, true);
	else {
		ink_type(p.out, x->type);
		expr(p, x, P_UNARY);
	}
}

/* ---- expressions ---- */

static void list(struct pen p, int n, struct kx *const *arg)
{
	for (int i = 0; i < n; i++) {
		if (i > 0)
			ink_text(p.out, ", ");
		expr(p, arg[i], P_COND);
	}
}

static void call(struct pen p, const char *name, const struct kx *x)
{
	ink_text(p.out, name);
	ink_char(p.out, '(');
	list(p, x->n, x->arg);
	ink_char(p.out, ')');
}

bool is_binary(const struct kx *x)
{
	return x->kind == KX_OP && x->n == 2;
}

/* What gcc's -Wparentheses asks for beyond C's grammar: && in ||, sums in shifts, anything in the
 * bitwise operators, comparisons in comparisons. */
static bool wants_parentheses(enum operation parent, const struct kx *x)
{
	if (!is_binary(x))
		return false;
	switch (precedence[parent]) {
	case P_LOR: return x->op == OP_LAND;
	case P_AND: case P_XOR: case P_OR: case P_SHIFT: return x->op != parent;
	case P_ORDER: case P_EQUAL: return precedence[x->op] <= P_ORDER;
	}
	return false;
}

static bool associates(enum operation op)
{
	return op == OP_LAND || op == OP_LOR || op == OP_AND || op == OP_OR || op == OP_XOR;
}

static void operand(struct pen p, const struct kx *parent, int which)
{
	const struct kx *x = parent->arg[which];
	int tightest = precedence[parent->op] + (which == 1 && !associates(parent->op));
	bool decides = which == 0 && type_size(parent->type.type) == 8 &&
	               (parent->op == OP_SHL || parent->op == OP_SHR || !is_exact(parent->arg[1]));
	if (wants_parentheses(parent->op, x))
		tightest = P_POSTFIX;
	if (decides)
		exact(p, x, tightest);
	else
		expr(p, x, tightest);
}

/* - -x and -(-1) must not become a decrement. */
static void unary(struct pen p, const struct kx *x)
{
	const struct kx *a = x->arg[0];
	bool minus = a->kind == KX_INT || a->kind == KX_FLOAT ||
	             (a->kind == KX_OP && a->n == 1 && a->op == OP_NEG);
	ink_text(p.out, operation_text[x->op]);
	exact(p, a, minus ? P_POSTFIX : P_UNARY);
}

static void binary(struct pen p, const struct kx *x)
{
	operand(p, x, 0);
	ink_char(p.out, ' ');
	ink_text(p.out, operation_text[x->op]);
	ink_char(p.out, ' ');
	operand(p, x, 1);
}

static void operation(struct pen p, const struct kx *x)
{
	if (is_narrow(x->type.type)) {
		ink_type(p.out, x->type);
		ink_char(p.out, '(');
	}
	if (x->n == 1)
		unary(p, x);
	else
		binary(p, x);
	if (is_narrow(x->type.type))
		ink_char(p.out, ')');
}

static void cond(struct pen p, const struct kx *x)
{
	expr(p, x->arg[0], P_LOR);
	ink_text(p.out, " ? ");
	expr(p, x->arg[1], P_LOR);
	ink_text(p.out, " : ");
	expr(p, x->arg[2], P_COND);
}

static void at(struct pen p, const struct kx *x)
{
	const struct kx *a = x->arg[0];
	bool single = a->kind == KX_VAR && a->var->type.pointer && x_is_int(x->arg[1], 0);
	if (single) {
		ink_char(p.out, '*');
		ink_text(p.out, a->var->name);
		return;
	}
	expr(p, a, P_POSTFIX);
	ink_char(p.out, '[');
	expr(p, x->arg[1], P_ANY);
	ink_char(p.out, ']');
}

static void elem(struct pen p, const struct kx *x)
{
	if (x->table)
		ink_text(p.out, str_print("%stable_%s[", own_prefix(p.d), x->table->name));
	else {
		expr(p, x->arg[0], P_POSTFIX);
		ink_text(p.out, str_print(".%s[", x->name));
	}
	expr(p, x->arg[x->n - 1], P_ANY);
	ink_char(p.out, ']');
}

/* A field that is an array takes its elements one by one, in braces of their own. */
static void make(struct pen p, const struct kx *x)
{
	const struct record *r = x->type.type->record;
	if (x->type.lanes > 1) {             /* zeros */
		ink_text(p.out, str_print("%s{}", ktype_c(x->type)));
		return;
	}
	ink_text(p.out, str_print(p.d->cpp ? "%s{" : "(%s){", type_c(x->type.type)));
	int next = 0;
	for (int i = 0; i < r->field.n && next < x->n; i++) {
		const struct type *t = r->field.at[i].type;
		int cells = (int)type_cells(t);
		assert(next + cells <= x->n && "a value for every element");
		ink_text(p.out, i > 0 ? ", " : "");
		ink_text(p.out, t->kind == T_ARRAY ? "{" : "");
		list(p, cells, x->arg + next);
		ink_text(p.out, t->kind == T_ARRAY ? "}" : "");
		next += cells;
	}
	ink_text(p.out, x->n || p.d->cpp ? "}" : "0}");
}

static void vload(struct pen p, const struct kx *x)
{
	ink_text(p.out, str_print("*(const %s *)", ktype_c(x->type)));
	expr(p, x->arg[0], P_UNARY);
}

/* Ids are spelled with a cast to i32, which a cast of the cast replaces: they are never negative.
 * */
static void cast(struct pen p, const struct kx *x)
{
	const struct kx *a = x->arg[0];
	const char *behind = a->kind == KX_ID ? strchr(p.d->id[a->id], ')') : NULL;
	if (behind && !x->type.pointer) {
		ink_type(p.out, x->type);
		ink_text(p.out, behind + 1);
		return;
	}
	ink_type(p.out, x->type);
	expr(p, x->arg[0], P_UNARY);
}

static const char *math_name(const struct kx *x)
{
	const struct math_row *row = &math_table[x->math];
	return x->type.type->kind == T_F32 ? row->c32 : row->c64;
}

static int tightness(const struct kx *x)
{
	switch (x->kind) {
	case KX_INT:
		return x->i < 0 && type_class(x->type.type) == 'I' ? P_UNARY : P_POSTFIX;
	case KX_FLOAT:
		if (is_small(x->type.type))
			return P_POSTFIX;
		return signbit(x->f) || (x->type.type->kind == T_F64 && !isfinite(x->f))
		       ? P_UNARY : P_POSTFIX;
	case KX_OP:
		return is_narrow(x->type.type) ? P_UNARY : precedence[x->op];
	case KX_COND:
		return P_COND;
	case KX_OFFSET:
		return P_ADD;
	case KX_CAST: case KX_VLOAD: case KX_ID:
		return P_UNARY;
	case KX_AT:
		return x->arg[0]->kind == KX_VAR && x->arg[0]->var->type.pointer &&
		       x_is_int(x->arg[1], 0) ? P_UNARY : P_POSTFIX;
	case KX_VAR: case KX_FIELD: case KX_ELEM: case KX_LANE: case KX_MAKE: case KX_CALL:
	case KX_HELP: case KX_MATH:
		return P_POSTFIX;
	}
	return P_POSTFIX;
}

/* p + (0 - m) is p - m. */
static void offset(struct pen p, const struct kx *x)
{
	const struct kx *by = x->arg[1];
	bool back = by->kind == KX_OP && by->op == OP_SUB && x_is_int(by->arg[0], 0)
	            && type_class(by->type.type) == 'I';
	expr(p, x->arg[0], P_ADD);
	ink_text(p.out, back ? " - " : " + ");
	expr(p, back ? by->arg[1] : by, P_MUL);
}

static void bare(struct pen p, const struct kx *x)
{
	switch (x->kind) {
	case KX_INT: integer(p, x, false); break;
	case KX_FLOAT: ink_text(p.out, float_text(x)); break;
	case KX_VAR: ink_text(p.out, x->var->name); break;
	case KX_OP: operation(p, x); break;
	case KX_COND: cond(p, x); break;
	case KX_CAST: cast(p, x); break;
	case KX_AT: at(p, x); break;
	case KX_OFFSET: offset(p, x); break;
	case KX_FIELD:
		expr(p, x->arg[0], P_POSTFIX);
		ink_char(p.out, '.');
		ink_text(p.out, x->name);
		break;
	case KX_ELEM: elem(p, x); break;
	case KX_LANE:
		expr(p, x->arg[0], P_POSTFIX);
		if (x->n < 2) {
			ink_text(p.out, str_print(".v[%" PRId64 "]", x->i));
			break;
		}
		ink_text(p.out, ".v[");
		expr(p, x->arg[1], P_ANY);
		ink_char(p.out, ']');
		break;
	case KX_VLOAD: vload(p, x); break;
	case KX_MAKE: make(p, x); break;
	case KX_CALL:
		call(p, x->name ? x->name : str_print("%sfn_%s", own_prefix(p.d), x->fn->name), x);
		break;
	case KX_HELP: call(p, x->name, x); break;
	case KX_MATH: call(p, math_name(x), x); break;
	case KX_ID: ink_text(p.out, p.d->id[x->id]); break;
	}
}

static void expr(struct pen p, const struct kx *x, int tightest)
{
	bool wrap = tightness(x) < tightest;
	if (wrap)
		ink_char(p.out, '(');
	bare(p, x);
	if (wrap)
		ink_char(p.out, ')');
}

void ink_expr(struct ink *out, const struct kx *x, const struct dialect *d, int tightest)
{
	expr((struct pen){out, d}, x, tightest);
}

void cprint_expr(const struct kx *x, const struct dialect *d, FILE *out)
{
	struct ink ink = {0};
	ink_expr(&ink, x, d, P_ANY);
	fputs(ink.text, out);
}
