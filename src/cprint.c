/* cprint.c - the one printer of target text: kernel IR to C, CUDA or HIP through a dialect table.
 *
 * What is printed is meant to be read: parentheses only where C or -Wparentheses wants them, braces
 * only round more than one statement, a blank line before a note, lines broken before column 100.
 * What is printed is also exact: a float literal has the fewest digits that give the same value, and
 * no integer expression is evaluated in a narrower type than its own (Note [exact types]).
 *
 * Note [exact types].  A literal is printed bare, so its C type may be narrower than its KIR type:
 * 1 is int where an i64 is meant.  That is harmless next to an operand that has the type, and wrong
 * in 1 << 40 or in (c ? 1 : 2) * k.  An expression is called exact when C gives it its own type; an
 * operation none of whose deciding operands is exact gets one of them spelled INT64_C(1).  Types
 * under 32 bits compute as int in C, so their results are cast back. */
#include "half.h"
#include "kir.h"

#include <assert.h>
#include <inttypes.h>
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { WIDTH = 98, TAB = 8 };

/* Precedences of C, loosest first. */
enum {
	P_ANY, P_COND, P_LOR, P_LAND, P_OR, P_XOR, P_AND, P_EQUAL, P_ORDER, P_SHIFT, P_ADD, P_MUL,
	P_UNARY, P_POSTFIX
};

static const int precedence[] = {
	[OP_NEG] = P_UNARY, [OP_NOT] = P_UNARY, [OP_BITNOT] = P_UNARY,
	[OP_MUL] = P_MUL, [OP_DIV] = P_MUL, [OP_REM] = P_MUL, [OP_ADD] = P_ADD, [OP_SUB] = P_ADD,
	[OP_SHL] = P_SHIFT, [OP_SHR] = P_SHIFT, [OP_AND] = P_AND, [OP_XOR] = P_XOR, [OP_OR] = P_OR,
	[OP_LT] = P_ORDER, [OP_GT] = P_ORDER, [OP_LE] = P_ORDER, [OP_GE] = P_ORDER,
	[OP_EQ] = P_EQUAL, [OP_NE] = P_EQUAL, [OP_LAND] = P_LAND, [OP_LOR] = P_LOR,
};

struct pen { FILE *out; const struct dialect *d; };

static void expr(struct pen, const struct kx *, int tightest);

/* What a GPU's file has twice, for the device and for the host. */
static const char *own_prefix(const struct dialect *d)
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
static char *declare(struct ktype t, const char *name)
{
	return str_print("%s%s%s", ktype_c(t), t.pointer ? "" : " ", name);
}

static bool is_narrow(const struct type *t)
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
static char *half_text(const struct kx *x)
{
	const struct type *type = x->type.type;
	char *number = NULL;
	for (int n = 1; n <= 5; n++) {
		number = str_print("%.*g", n, x->f);
		if (float_round(type, strtod(number, NULL)) == x->f)
			break;
	}
	return str_print("0x%04x /* %s */", half_bits(type, x->f), number);
}

static char *float_text(const struct kx *x)
{
	if (is_half(x->type.type))
		return half_text(x);
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
static char *int_text(const struct kx *x, bool exact)
{
	enum scalar kind = x->type.type->kind;
	if (kind == T_BOOL)
		return str_print(x->i ? "true" : "false");
	if (kind == T_U64 && exact)
		return str_print("UINT64_C(%" PRIu64 ")", (uint64_t)x->i);
	if (type_class(x->type.type) == 'U')
		return str_print("%" PRIu64 "%s", (uint64_t)x->i, is_narrow(x->type.type) ? "" : "u");
	if (x->i == INT64_MIN)
		return "INT64_MIN";
	if (kind == T_I32 && x->i == INT32_MIN)
		return "INT32_MIN";
	return str_print(kind == T_I64 && exact ? "INT64_C(%" PRId64 ")" : "%" PRId64, x->i);
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

static void exact(struct pen p, const struct kx *x, int tightest)
{
	if (is_exact(x))
		expr(p, x, tightest);
	else if (x->kind == KX_INT)
		fputs(int_text(x, true), p.out);
	else {
		fprintf(p.out, "(%s)", ktype_c(x->type));
		expr(p, x, P_UNARY);
	}
}

/* ---- expressions ---- */

static void list(struct pen p, int n, struct kx *const *arg)
{
	for (int i = 0; i < n; i++) {
		if (i > 0)
			fputs(", ", p.out);
		expr(p, arg[i], P_COND);
	}
}

static void call(struct pen p, const char *name, const struct kx *x)
{
	fprintf(p.out, "%s(", name);
	list(p, x->n, x->arg);
	fputc(')', p.out);
}

static bool is_binary(const struct kx *x)
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
	fputs(operation_text[x->op], p.out);
	exact(p, a, minus ? P_POSTFIX : P_UNARY);
}

static void binary(struct pen p, const struct kx *x)
{
	operand(p, x, 0);
	fprintf(p.out, " %s ", operation_text[x->op]);
	operand(p, x, 1);
}

static void operation(struct pen p, const struct kx *x)
{
	if (is_narrow(x->type.type))
		fprintf(p.out, "(%s)(", type_c(x->type.type));
	if (x->n == 1)
		unary(p, x);
	else
		binary(p, x);
	if (is_narrow(x->type.type))
		fputc(')', p.out);
}

static void cond(struct pen p, const struct kx *x)
{
	expr(p, x->arg[0], P_LOR);
	fputs(" ? ", p.out);
	expr(p, x->arg[1], P_LOR);
	fputs(" : ", p.out);
	expr(p, x->arg[2], P_COND);
}

static void at(struct pen p, const struct kx *x)
{
	const struct kx *a = x->arg[0];
	bool single = a->kind == KX_VAR && a->var->type.pointer && x_is_int(x->arg[1], 0);
	if (single) {
		fprintf(p.out, "*%s", a->var->name);
		return;
	}
	expr(p, a, P_POSTFIX);
	fputc('[', p.out);
	expr(p, x->arg[1], P_ANY);
	fputc(']', p.out);
}

static void elem(struct pen p, const struct kx *x)
{
	if (x->table)
		fprintf(p.out, "%stable_%s[", own_prefix(p.d), x->table->name);
	else {
		expr(p, x->arg[0], P_POSTFIX);
		fprintf(p.out, ".%s[", x->name);
	}
	expr(p, x->arg[x->n - 1], P_ANY);
	fputc(']', p.out);
}

/* A field that is an array takes its elements one by one, in braces of their own. */
static void make(struct pen p, const struct kx *x)
{
	const struct record *r = x->type.type->record;
	fprintf(p.out, p.d->cpp ? "%s{" : "(%s){", type_c(x->type.type));
	int next = 0;
	for (int i = 0; i < r->field.n && next < x->n; i++) {
		const struct type *t = r->field.at[i].type;
		int cells = (int)type_cells(t);
		assert(next + cells <= x->n && "a value for every element");
		fputs(i > 0 ? ", " : "", p.out);
		fputs(t->kind == T_ARRAY ? "{" : "", p.out);
		list(p, cells, x->arg + next);
		fputs(t->kind == T_ARRAY ? "}" : "", p.out);
		next += cells;
	}
	fputs(x->n || p.d->cpp ? "}" : "0}", p.out);
}

static void vload(struct pen p, const struct kx *x)
{
	fprintf(p.out, "*(const %s *)", ktype_c(x->type));
	expr(p, x->arg[0], P_UNARY);
}

/* Ids are spelled with a cast to i32, which a cast of the cast replaces: they are never negative. */
static void cast(struct pen p, const struct kx *x)
{
	const struct kx *a = x->arg[0];
	const char *behind = a->kind == KX_ID ? strchr(p.d->id[a->id], ')') : NULL;
	if (behind && !x->type.pointer) {
		fprintf(p.out, "(%s)%s", ktype_c(x->type), behind + 1);
		return;
	}
	fprintf(p.out, "(%s)", ktype_c(x->type));
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
		if (is_half(x->type.type))
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

static void bare(struct pen p, const struct kx *x)
{
	switch (x->kind) {
	case KX_INT: fputs(int_text(x, false), p.out); break;
	case KX_FLOAT: fputs(float_text(x), p.out); break;
	case KX_VAR: fputs(x->var->name, p.out); break;
	case KX_OP: operation(p, x); break;
	case KX_COND: cond(p, x); break;
	case KX_CAST: cast(p, x); break;
	case KX_AT: at(p, x); break;
	case KX_OFFSET:
		expr(p, x->arg[0], P_ADD);
		fputs(" + ", p.out);
		expr(p, x->arg[1], P_MUL);
		break;
	case KX_FIELD:
		expr(p, x->arg[0], P_POSTFIX);
		fprintf(p.out, ".%s", x->name);
		break;
	case KX_ELEM: elem(p, x); break;
	case KX_LANE:
		expr(p, x->arg[0], P_POSTFIX);
		if (x->n < 2) {
			fprintf(p.out, ".v[%" PRId64 "]", x->i);
			break;
		}
		fputs(".v[", p.out);
		expr(p, x->arg[1], P_ANY);
		fputc(']', p.out);
		break;
	case KX_VLOAD: vload(p, x); break;
	case KX_MAKE: make(p, x); break;
	case KX_CALL:
		call(p, x->name ? x->name : str_print("%sfn_%s", own_prefix(p.d), x->fn->name), x);
		break;
	case KX_HELP: call(p, x->name, x); break;
	case KX_MATH: call(p, math_name(x), x); break;
	case KX_ID: fputs(p.d->id[x->id], p.out); break;
	}
}

static void expr(struct pen p, const struct kx *x, int tightest)
{
	bool wrap = tightness(x) < tightest;
	if (wrap)
		fputc('(', p.out);
	bare(p, x);
	if (wrap)
		fputc(')', p.out);
}

void cprint_expr(const struct kx *x, const struct dialect *d, FILE *out)
{
	expr((struct pen){out, d}, x, P_ANY);
}

static char *text_of(const struct kx *x, const struct dialect *d, int tightest)
{
	FILE *out = text_open();
	expr((struct pen){out, d}, x, tightest);
	return text_close(out);
}

/* ---- lines ---- */

static void indent(int depth, FILE *out)
{
	for (int i = 0; i < depth; i++)
		fputc('\t', out);
}

/* A line may end after a comma or a semicolon, and before an operator: a word between two blanks.
 * How tight that place binds, by C's precedences; -1: no place. */
static int tightness_at(const char *s, int i)
{
	static const struct { const char *op; int p; } binds[] = {
		{"=", P_ANY}, {"?", P_COND}, {":", P_COND}, {"||", P_LOR}, {"&&", P_LAND}, {"|", P_OR},
		{"^", P_XOR}, {"&", P_AND}, {"==", P_EQUAL}, {"!=", P_EQUAL}, {"<", P_ORDER},
		{">", P_ORDER}, {"<=", P_ORDER}, {">=", P_ORDER}, {"<<", P_SHIFT}, {">>", P_SHIFT},
		{"+", P_ADD}, {"-", P_ADD}, {"*", P_MUL}, {"/", P_MUL}, {"%", P_MUL},
	};
	if (s[i] != ' ' || i == 0)
		return -1;
	if (strchr(",;", s[i - 1]))
		return P_ANY;
	size_t n = strcspn(s + i + 1, " ");
	for (size_t b = 0; b < sizeof binds / sizeof *binds; b++)
		if (strlen(binds[b].op) == n && strncmp(binds[b].op, s + i + 1, n) == 0)
			return binds[b].p;
	return -1;
}

/* The last of the loosest places in the later part of the line, else the next place there is. */
static int break_at(const char *s, int room)
{
	int best = 0, loosest = INT_MAX, nest = 0;
	for (int i = 0; s[i]; i++) {
		nest += s[i] == '(' || s[i] == '[' || s[i] == '{';
		nest -= s[i] == ')' || s[i] == ']' || s[i] == '}';
		if (i > room && best)
			break;
		int tight = tightness_at(s, i);
		if (tight < 0 || i < room / 3)
			continue;
		tight += nest * (P_POSTFIX + 1);
		if (tight <= loosest) {
			loosest = tight;
			best = i;
		}
	}
	return best;
}

static int room_at(int depth)
{
	return WIDTH - TAB * depth > WIDTH / 2 ? WIDTH - TAB * depth : WIDTH / 2;
}

static void line(int depth, FILE *out, const char *s)
{
	int room = room_at(depth);
	indent(depth, out);
	for (int at; (int)strlen(s) > room && (at = break_at(s, room)) > 0; s += at + 1) {
		fwrite(s, 1, (size_t)at, out);
		fputc('\n', out);
		indent(depth + 2, out);
		room = room_at(depth + 2);
	}
	fputs(s, out);
	fputc('\n', out);
}

void cprint_line(const char *s, int depth, FILE *out)
{
	line(depth, out, s);
}

/* ---- statements ---- */

static void body(const struct ks_list *, const struct dialect *, int depth, FILE *);

static bool is_simple(const struct ks *s)
{
	switch (s->kind) {
	case KS_SET: case KS_DO: case KS_VSTORE: case KS_BARRIER: case KS_RETURN: case KS_BREAK:
	case KS_CONTINUE:
		return true;
	case KS_DECL: case KS_IF: case KS_FOR: case KS_WHILE: case KS_SCOPE: case KS_NOTE:
	case KS_LAUNCH: case KS_CLEAR:
		return false;
	}
	return false;
}

static bool is_short(const struct ks_list *list)
{
	return list->n == 1 && is_simple(list->at[0]);
}

/* A piece of the memory that the launch asked for. */
static void decl_asked(const struct kvar *v, int depth, FILE *out)
{
	const char *type = ktype_c(kt_pointer(v->type.type, false));
	line(depth, out, str_print("%sconst %s = (%s)patc_asked(%" PRId64 ");", type, v->name, type, v->offset));
}

static void decl(const struct ks *s, const struct dialect *d, int depth, FILE *out)
{
	const struct kvar *v = s->var;
	if (v->asked) {
		decl_asked(v, depth, out);
		return;
	}
	bool fixed = v->kind == KV_LET;
	const char *name = v->name;
	if (v->count > 0)
		name = str_print("%s[%" PRId64 "]", name, v->count);
	if (fixed && v->type.pointer)
		name = str_print("const %s", name);
	const char *align = v->align ? str_print("alignas(%d) ", v->align) : "";
	char *left = str_print("%s%s%s%s", align, v->kind == KV_SHARED ? d->shared_prefix : "",
	                       fixed && !v->type.pointer ? "const " : "", declare(v->type, name));
	line(depth, out, s->a ? str_print("%s = %s;", left, text_of(s->a, d, P_COND))
	                      : str_print("%s;", left));
}

/* x = x + 1 is x++, x = x + y is x += y. */
static void set(const struct ks *s, const struct dialect *d, int depth, FILE *out)
{
	const char *to = text_of(s->a, d, P_UNARY);
	const struct kx *b = s->b;
	bool self = is_binary(b) && s->a->kind == KX_VAR && b->arg[0]->kind == KX_VAR &&
	            b->arg[0]->var == s->a->var && !is_narrow(b->type.type) &&
	            b->type.type == s->a->type.type && b->op >= OP_MUL && b->op <= OP_OR &&
	            b->type.type->kind != T_BOOL;
	if (self)
		line(depth, out, str_print("%s %s= %s;", to, operation_text[b->op],
		                           text_of(b->arg[1], d, P_COND)));
	else
		line(depth, out, str_print("%s = %s;", to, text_of(b, d, P_COND)));
}

static void braced(const char *head, const struct ks_list *list, const struct dialect *d, int depth,
                   FILE *out)
{
	bool is_bare = is_short(list);
	line(depth, out, str_print("%s%s", head, is_bare ? "" : " {"));
	body(list, d, depth + 1, out);
	if (!is_bare)
		line(depth, out, "}");
}

static void branch(const struct ks *s, const struct dialect *d, int depth, FILE *out,
                   const char *before)
{
	const struct ks_list *other = &s->otherwise;
	bool chain = other->n == 1 && other->at[0]->kind == KS_IF;
	const char *head = str_print("%sif (%s)", before, text_of(s->a, d, P_ANY));
	if (other->n == 0) {
		if (*before) {                /* the last of a chain keeps the braces of the first */
			line(depth, out, str_print("%s {", head));
			body(&s->body, d, depth + 1, out);
			line(depth, out, "}");
		} else
			braced(head, &s->body, d, depth, out);
		return;
	}
	line(depth, out, str_print("%s {", head));
	body(&s->body, d, depth + 1, out);
	if (chain) {
		branch(other->at[0], d, depth, out, "} else ");
		return;
	}
	line(depth, out, "} else {");
	body(other, d, depth + 1, out);
	line(depth, out, "}");
}

static void pragma(const struct ks *s, const struct dialect *d, int depth, FILE *out)
{
	if (d->loops && s->flags & FOR_PARALLEL)
		line(depth, out, s->flags & FOR_SIMD ? "PATC_PARALLEL_SIMD" : s->flags & FOR_DYNAMIC ? "PATC_DYNAMIC" : "PATC_PARALLEL");
	else if (d->loops && s->flags & FOR_SIMD)
		line(depth, out, "PATC_SIMD");
	if (d->unroll && s->flags & FOR_UNROLL)
		line(depth, out, d->unroll);
	if (d->unroll && s->flags & FOR_ROLLED)
		line(depth, out, str_print("%s 1", d->unroll));
}

static void loop(const struct ks *s, const struct dialect *d, int depth, FILE *out)
{
	const char *name = s->var->name;
	char *step = x_is_int(s->c, 1) ? str_print("%s++", name)
	           : str_print("%s += %s", name, text_of(s->c, d, P_COND));
	pragma(s, d, depth, out);
	braced(str_print("for (%s %s = %s; %s < %s; %s)", ktype_c(s->var->type), name,
	                 text_of(s->a, d, P_COND), name, text_of(s->b, d, P_SHIFT), step),
	       &s->body, d, depth, out);
}

/* The text may hold the user's words: nothing in it ends the comment. */
static char *comment(const char *text)
{
	char *s = str_print("/* %s */", text);
	for (char *c = s + 2; c[0] && c[1] && c[2]; c++)
		if ((c[0] == '*' && c[1] == '/') || (c[0] == '/' && c[1] == '*'))
			*c = ' ';
	for (char *c = s; *c; c++)
		if ((unsigned char)*c < ' ' || *c == 127)
			*c = ' ';
	return s;
}

static void vector_store(const struct ks *s, const struct dialect *d, int depth, FILE *out)
{
	const char *to = str_print("(%s *)%s", ktype_c(s->b->type), text_of(s->a, d, P_UNARY));
	to = s->c ? str_print("(%s)[%s]", to, text_of(s->c, d, P_ANY)) : str_print("*%s", to);
	line(depth, out, str_print("%s = %s;", to, text_of(s->b, d, P_COND)));
}

static void statement(const struct ks *s, const struct dialect *d, int depth, FILE *out)
{
	switch (s->kind) {
	case KS_DECL: decl(s, d, depth, out); break;
	case KS_SET: set(s, d, depth, out); break;
	case KS_IF: branch(s, d, depth, out, ""); break;
	case KS_FOR: loop(s, d, depth, out); break;
	case KS_WHILE:
		braced(str_print("while (%s)", text_of(s->a, d, P_ANY)), &s->body, d, depth, out);
		break;
	case KS_SCOPE:
		line(depth, out, "{");
		body(&s->body, d, depth + 1, out);
		line(depth, out, "}");
		break;
	case KS_DO: line(depth, out, str_print("%s;", text_of(s->a, d, P_ANY))); break;
	case KS_VSTORE: vector_store(s, d, depth, out); break;
	case KS_BARRIER: line(depth, out, d->barrier); break;
	case KS_RETURN:
		line(depth, out, s->a ? str_print("return %s;", text_of(s->a, d, P_ANY))
		                      : "return;");
		break;
	case KS_BREAK: line(depth, out, "break;"); break;
	case KS_CONTINUE: line(depth, out, "continue;"); break;
	case KS_NOTE: line(depth, out, comment(s->text)); break;
	case KS_LAUNCH: d->launch(s, depth, out); break;
	case KS_CLEAR: d->clear(s, depth, out); break;
	}
}

static void body(const struct ks_list *list, const struct dialect *d, int depth, FILE *out)
{
	for (int i = 0; i < list->n; i++) {
		if (i > 0 && list->at[i]->kind == KS_NOTE && list->at[i - 1]->kind != KS_NOTE)
			fputc('\n', out);
		statement(list->at[i], d, depth, out);
	}
}

void cprint_body(const struct ks_list *list, const struct dialect *d, int depth, FILE *out)
{
	body(list, d, depth, out);
}

/* ---- kernels, functions, tables ---- */

static void mark_use(struct kx *x, void *used)
{
	if (x->kind == KX_VAR)
		*map_at(used, x->var) = x->var;
}

static char *parameter(const struct kvar *v, const struct dialect *d)
{
	bool strict = v->restrict_ && v->type.pointer && *d->restrict_;
	const char *name = strict ? str_print("%s %s", d->restrict_, v->name) : v->name;
	return declare(v->type, name);
}

static char *parameters(const struct kernel *k, const struct dialect *d)
{
	FILE *all = text_open();
	if (k->param.n == 0 && !d->cpp)
		fputs("void", all);
	for (int i = 0; i < k->param.n; i++)
		fprintf(all, "%s%s", i > 0 ? ", " : "", parameter(k->param.at[i], d));
	return text_close(all);
}

static void definition(const struct kernel *k, const struct dialect *d, const char *head, FILE *out)
{
	struct map used = {0};
	line(0, out, head);
	fputs("{\n", out);
	ks_walk(&k->body, mark_use, &used);
	for (int i = 0; i < k->param.n; i++)
		if (!map_get(&used, k->param.at[i]))
			line(1, out, str_print("(void)%s;", k->param.at[i]->name));
	body(&k->body, d, 1, out);
	fputs("}\n", out);
}

static const char *bounds(const struct kernel *k, const struct dialect *d)
{
	int threads = k->block[0] * k->block[1] * k->block[2], least = k->min_blocks;
	if (threads == 0)
		return "";
	if (least > 0 && d->simds) {
		bool full = least == 1 && threads == k->target->max_block;      /* then its size says as much */
		least = least * threads / (k->target->lanes * d->simds);
		least = full ? 0 : least < 1 ? 1 : least;
	}
	if (least > 0)
		return str_print(" __launch_bounds__(%d, %d)", threads, least);
	return str_print(" __launch_bounds__(%d)", threads);
}

void cprint_kernel(const struct kernel *k, const struct dialect *d, FILE *out)
{
	if (k->note)
		line(0, out, comment(k->note));
	definition(k, d, str_print("%s%s %s(%s)", d->kernel_prefix, bounds(k, d), k->name,
	                           parameters(k, d)), out);
}

void cprint_function(const struct fn *fn, const struct dialect *d, FILE *out)
{
	struct kernel *k = lower_function(fn, d->target);
	definition(k, d, str_print("%s%s %sfn_%s(%s)", d->function_prefix, type_c(fn->type),
	                           own_prefix(d), fn->name, parameters(k, d)), out);
}

void cprint_table(const struct var *v, const struct dialect *d, FILE *out)
{
	const struct type *elem = v->type->kind == T_ARRAY ? v->type->elem : v->type;
	int64_t cells = type_cells(v->type);
	for (int i = 0; i < v->rank; i++)
		cells *= v->extent[i].constant;
	FILE *values = text_open();
	for (int64_t i = 0; i < cells; i++) {
		fputs(i > 0 ? ", " : "", values);
		expr((struct pen){values, d}, x_value(elem, v->table[i]), P_COND);
	}
	line(0, out, str_print("%s%s %stable_%s[%" PRId64 "] = {%s};", d->table_prefix, type_c(elem),
	                       own_prefix(d), v->name, cells, text_close(values)));
}

/* ---- the dump: the same text in no target's dialect ---- */

static void dump_launch(const struct ks *s, int depth, FILE *out)
{
	indent(depth, out);
	fprintf(out, "launch %s;\n", s->kernel->name);
}

static void dump_clear(const struct ks *s, int depth, FILE *out)
{
	(void)s;
	indent(depth, out);
	fputs("clear;\n", out);
}

static const char *const dump_id[] = {
	"thread.x", "thread.y", "thread.z", "block.x", "block.y", "block.z",
	"grid.x", "grid.y", "grid.z"
};

void kernel_dump(const struct kernel *k, FILE *out)
{
	const struct dialect d = {
		.kernel_prefix = "kernel", .shared_prefix = "shared ", .function_prefix = "",
		.table_prefix = "const ", .barrier = "barrier;", .unroll = "unroll",
		.restrict_ = "", .id = dump_id, .target = k->target,
		.launch = dump_launch, .clear = dump_clear,
	};
	cprint_kernel(k, &d, out);
}
