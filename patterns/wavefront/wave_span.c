/* wave_span.c - between which numbers a value lies that a wavefront's cells or boundaries are made
 * of, whatever the data.
 *
 * Of constants and their tables, of small types, of sums, products by a number, max, min and
 * choices of such; a number that the caller gives is taken to be small, which the host has to ask;
 * the index of a row or column lies among those that there are, so ends are linear functions of
 * their number.  What is computed in a type into which it might not fit lies anywhere in that type:
 * it may wrap. */
#include "wave_bound.h"

#define NEVER (-((int64_t)1 << 50))          /* nothing is known */
#define EXACT ((int64_t)1 << 40)             /* else parts of lines are no larger */

struct spanning { const struct node *node; struct wave_bound *given; bool corner; };

static struct span span_of(struct spanning *, const struct expr *);

static struct span span_numbers(int64_t lo, int64_t hi)
{
	return (struct span){ { .c = lo }, { .c = hi } };
}

static struct span span_of_type(const struct type *type)
{
	int bits = (int)type_size(type) * 8;
	char class = type_class(type);
	if (class == 'B')
		return span_numbers(0, 1);
	if ((class != 'I' && class != 'U') || bits == 64)
		return span_numbers(NEVER, -NEVER);
	return class == 'U'
	               ? span_numbers(0, ((int64_t)1 << bits) - 1)
	               : span_numbers(-((int64_t)1 << (bits - 1)), ((int64_t)1 << (bits - 1)) - 1);
}

static bool line_known(const struct line *l)
{
	return l->c < EXACT && l->c > -EXACT && l->rows < EXACT && l->rows > -EXACT
	       && l->columns < EXACT && l->columns > -EXACT;
}

/* The most that it is, or the least, whatever the rows and columns. */
static int64_t line_end(const struct line *l, bool most)
{
	int64_t rows = (l->rows > 0) == most ? l->rows : 0,
		columns = (l->columns > 0) == most ? l->columns : 0;
	return l->c + rows * BOUND_ROWS + columns * BOUND_COLUMNS;
}

/* What is computed is what is meant: nothing wraps. */
static bool span_fits(const struct span *s, const struct type *type)
{
	const struct span all = span_of_type(type);
	if (!line_known(&s->lo) || !line_known(&s->hi))
		return false;
	return line_end(&s->lo, false) >= all.lo.c && line_end(&s->hi, true) <= all.hi.c;
}

static struct line line_sum(struct line a, struct line b, int64_t times)
{
	return (struct line){ a.c + times * b.c, a.rows + times * b.rows,
		              a.columns + times * b.columns };
}

static struct span span_sum(struct span a, struct span b, int64_t sign)
{
	return (struct span){ line_sum(a.lo, sign > 0 ? b.lo : b.hi, sign),
		              line_sum(a.hi, sign > 0 ? b.hi : b.lo, sign) };
}

static bool span_is_number(const struct span *s)
{
	return line_known(&s->lo) && s->lo.c == s->hi.c && !s->lo.rows && !s->hi.rows
	       && !s->lo.columns && !s->hi.columns;
}

static struct span span_product(struct span a, struct span b)
{
	const struct line zero = { 0 };
	if (span_is_number(&a)) {
		struct span c = a;
		a = b;
		b = c;
	}
	int64_t by = b.lo.c;
	if (!span_is_number(&b) || by > BOUND_COLUMNS || by < -BOUND_COLUMNS || !line_known(&a.lo)
	    || !line_known(&a.hi))
		return span_numbers(NEVER, -NEVER);
	return (struct span){ line_sum(zero, by > 0 ? a.lo : a.hi, by),
		              line_sum(zero, by > 0 ? a.hi : a.lo, by) };
}

static int64_t pick(int64_t a, int64_t b, bool most)
{
	return (a < b) == most ? b : a;
}

static struct line line_pick(struct line a, struct line b, bool most)
{
	return (struct line){ pick(a.c, b.c, most), pick(a.rows, b.rows, most),
		              pick(a.columns, b.columns, most) };
}

static struct span span_either(struct span a, struct span b)
{
	return (struct span){ line_pick(a.lo, b.lo, false), line_pick(a.hi, b.hi, true) };
}

bool is_number(const struct line *l)
{
	return !l->rows && !l->columns;
}

/* max(a, b) is above the greater of the lower ends, where these are numbers, and else above either.
 * */
static struct span span_extreme(const struct expr *e, struct spanning *b)
{
	bool most = e->math == M_max;
	struct span s = span_of(b, e->arg.at[0]);
	for (int a = 1; a < e->arg.n; a++) {
		struct span t = span_of(b, e->arg.at[a]), both = span_either(s, t);
		struct line *near = most ? &both.lo : &both.hi, *x = most ? &s.lo : &s.hi,
			    *y = most ? &t.lo : &t.hi;
		*near = is_number(x) && is_number(y) ? line_pick(*x, *y, most)
		        : is_number(x)               ? *x
		                                     : *y;
		s = both;
	}
	return s;
}

/* x & c, and x % c, by a number above 0. */
static struct span span_remainder(const struct expr *e, struct span x, struct span by)
{
	int64_t most = by.lo.c - (e->op == OP_REM);
	if (!span_is_number(&by) || by.lo.c < 1)
		return span_of_type(e->type);
	return span_numbers(e->op == OP_AND || line_end(&x.lo, false) >= 0 ? 0 : -most, most);
}

static struct span span_binary(struct spanning *b, const struct expr *e)
{
	struct span x = span_of(b, e->arg.at[0]), y = span_of(b, e->arg.at[1]);
	switch ((int)e->op) {                /* int: of the other operators nothing is known */
	case OP_ADD: return span_sum(x, y, 1);
	case OP_SUB: return span_sum(x, y, -1);
	case OP_MUL: return span_product(x, y);
	case OP_AND: case OP_REM: return span_remainder(e, x, y);
	default: return span_of_type(e->type);
	}
}

/* Of a row or column: it is at most one before or after the domain; at the corner, the one before
 * where the order begins. */
static struct span span_of_index(const struct spanning *b, const struct var *var)
{
	int n = b->node->index.n;
	for (int d = n - 2; d < n; d++) {
		int k = b->node->wave->order[d];
		const struct expr *lo = b->node->lo.at[k];
		if (b->node->index.at[k] != var || lo->kind != E_CONST)
			continue;
		struct span s = span_numbers(lo->value.i - 1, lo->value.i);
		*(d == n - 1 ? &s.hi.columns : &s.hi.rows) = 1;
		if (b->corner)
			*(b->node->wave->back[k] ? &s.lo : &s.hi) = b->node->wave->back[k] ? s.hi
			                                                                   : s.lo;
		return s;
	}
	return span_numbers(NEVER, -NEVER);
}

static bool is_given(const struct var *v)
{
	return v->kind == VAR_PARAM && !v->rank && v->mode == MODE_IN && type_size(v->type) > 1
	    && (type_class(v->type) == 'I' || type_class(v->type) == 'U');
}

static struct span span_of_given(struct spanning *b, const struct var *var)
{
	int i = 0;
	while (i < b->given->given.n && b->given->given.at[i] != var)
		i++;
	if (i == b->given->given.n)
		list_add(&b->given->given, var);
	return span_numbers(0, GIVEN_MOST);
}

static struct span span_of_table(const struct var *table, const struct type *type)
{
	struct span s = span_numbers(-NEVER, NEVER);
	if (type_class(type) != 'I' && type_class(type) != 'U')
		return span_of_type(type);
	int64_t cells = 1;
	for (int d = 0; d < table->rank; d++)
		cells *= table->extent[d].constant;
	for (int64_t i = 0; i < cells; i++)
		s = span_either(s, span_numbers(table->table[i].i, table->table[i].i));
	return s;
}

/* 1, 0, or -1: nobody knows. */
static int test_of(struct spanning *b, const struct expr *e)
{
	if (e->kind != E_BINARY)
		return -1;
	if (e->op == OP_LAND || e->op == OP_LOR) {
		int x = test_of(b, e->arg.at[0]), y = test_of(b, e->arg.at[1]),
		    settles = e->op == OP_LOR;
		return x == settles || y == settles ? settles : x < 0 || y < 0 ? -1 : !settles;
	}
	struct span d = span_sum(span_of(b, e->arg.at[0]), span_of(b, e->arg.at[1]), -1);
	int64_t least = line_end(&d.lo, false), most = line_end(&d.hi, true);
	switch ((int)e->op) {                /* int: the others are no comparisons */
	case OP_LT: return most < 0 ? 1 : least >= 0 ? 0 : -1;
	case OP_LE: return most <= 0 ? 1 : least > 0 ? 0 : -1;
	case OP_GT: return least > 0 ? 1 : most <= 0 ? 0 : -1;
	case OP_GE: return least >= 0 ? 1 : most < 0 ? 0 : -1;
	case OP_EQ: return least == 0 && most == 0 ? 1 : least > 0 || most < 0 ? 0 : -1;
	case OP_NE: return least == 0 && most == 0 ? 0 : least > 0 || most < 0 ? 1 : -1;
	default: return -1;
	}
}

static struct span span_choice(struct spanning *b, const struct expr *e)
{
	int test = test_of(b, e->arg.at[0]);
	if (test >= 0)
		return span_of(b, e->arg.at[test ? 1 : 2]);
	return span_either(span_of(b, e->arg.at[1]), span_of(b, e->arg.at[2]));
}

static struct span span_magnitude(struct span s)
{
	if (!is_number(&s.lo) || !is_number(&s.hi))
		return span_numbers(NEVER, -NEVER);
	return span_numbers(s.lo.c > 0   ? s.lo.c
	                    : s.hi.c < 0 ? -s.hi.c
	                                 : 0,
	                    -s.lo.c > s.hi.c ? -s.lo.c : s.hi.c);
}

static struct span span_found(struct spanning *b, const struct expr *e)
{
	struct expr *inlined = expr_inlined(e);
	if (inlined)
		return span_of(b, inlined);
	if (e->kind == E_CONST)
		return span_numbers(e->value.i, e->value.i);
	if (e->kind == E_VAR && e->var->kind == VAR_CONST && e->var->value)
		return span_of(b, e->var->value);
	if (e->kind == E_VAR && e->var->kind == VAR_INDEX)
		return span_of_index(b, e->var);
	if (e->kind == E_VAR && is_given(e->var))
		return span_of_given(b, e->var);
	if (e->kind == E_ELEM && e->var && e->var->kind == VAR_CONST && e->var->table)
		return span_of_table(e->var, e->type);
	if (e->kind == E_CAST)
		return span_of(b, e->arg.at[0]);
	if (e->kind == E_UNARY && e->op == OP_NEG)
		return span_sum(span_numbers(0, 0), span_of(b, e->arg.at[0]), -1);
	if (e->kind == E_BINARY)
		return span_binary(b, e);
	if (e->kind == E_COND)
		return span_choice(b, e);
	if (e->kind == E_MATH && e->math == M_abs)
		return span_magnitude(span_of(b, e->arg.at[0]));
	if (e->kind == E_MATH && (e->math == M_max || e->math == M_min))
		return span_extreme(e, b);
	return span_of_type(e->type);
}

static struct span span_of(struct spanning *b, const struct expr *e)
{
	char class = type_class(e->type);
	if (class != 'I' && class != 'U')
		return span_of_type(e->type);
	struct span s = span_found(b, e);
	return span_fits(&s, e->type) ? s : span_of_type(e->type);
}

struct span wave_span(const struct node *node, struct wave_bound *bound, const struct expr *e,
                      bool corner)
{
	struct spanning b = { node, bound, corner };
	return span_of(&b, e);
}
