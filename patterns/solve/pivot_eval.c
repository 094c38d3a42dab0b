/* pivot_eval.c - the interpreter on a solve with `pivot`: elimination with partial pivoting.
 *
 * A target rounds otherwise, and may take the other pivot where two are nearly equal.  Either way
 * it solves A + E, where row k of |E| |x| is at most the sum, over the steps that it takes part
 * in, of SLACK u times the terms of the step (Higham, Accuracy and Stability, theorem 9.3).
 * With r as that, and what the coefficients may be off,
 *
 *     |x - x'| <= |A^-1| r / (1 - norm of |A^-1| |E|)
 *
 * where the norm is below 1/2: then no pivot is zero, either.  |A^-1| is computed in f64, a column
 * at a time, of at most SOLVE_INVERTED rows. */
#include <float.h>
#include <math.h>

#include "solve_eval.h"

enum { SLACK = 32 };

/* What is left of the rows above: lead * x[i] + next * x[i+1] = rest, and that row's number. */
struct remains { struct num lead, next, rest; int64_t row; };
/* What a row becomes: x[i] + factor * x[i+1] + second * x[i+2] = right. */
struct done { struct num factor, second, right; };

static struct num over(const struct type *t, struct num a, struct num b)
{
	return num_binary(OP_DIV, t, a, b);
}

/* Row i, and what is left. */
static struct done exchange(const struct type *t, struct remains *l, const struct num *part,
                            int64_t i)
{
	const struct num none = { 0 };
	const bool stays = !(fabs(l->lead.f) < fabs(part[ROW_BEFORE].f));
	const struct remains row = { part[ROW_OWN], part[ROW_AFTER], part[ROW_RIGHT], i };
	const struct num pivot = stays ? l->lead : part[ROW_BEFORE];
	const struct num up[] = { stays ? l->next : row.lead, stays ? none : row.next,
		                  stays ? l->rest : row.rest };
	const struct num factor = over(t, stays ? part[ROW_BEFORE] : l->lead, pivot);
	const struct remains other = { l->next, none, l->rest, l->row }, down = stays ? row : other;

	*l = (struct remains){ minus_product(t, down.lead, factor, up[0]),
		            minus_product(t, down.next, factor, up[1]),
		            minus_product(t, down.rest, factor, up[2]), down.row };
	return (struct done){ over(t, up[0], pivot), over(t, up[1], pivot), over(t, up[2], pivot) };
}

static struct remains begin(const struct row *row)
{
	const struct num *part = row->part;
	return (struct remains){ part[ROW_OWN], part[ROW_AFTER], part[ROW_RIGHT], 0 };
}

void solve_pivot_values(const struct type *t, const struct row *row, struct num *x, int64_t n)
{
	struct done *done = array_new(n, sizeof *done);
	struct remains l = begin(row);

	for (int64_t i = 1; i < n; i++)
		done[i - 1] = exchange(t, &l, row[i].part, i);
	x[n - 1] = over(t, l.rest, l.lead);
	for (int64_t i = n - 1; i-- > 0; ) {
		x[i] = minus_product(t, done[i].right, done[i].factor, x[i + 1]);
		if (i + 2 < n)
			x[i] = minus_product(t, x[i], done[i].second, x[i + 2]);
	}
}

/* ---- the bounds ---- */

/* x: of the unknowns; row: of rows; right: with right sides. */
struct sizes { const double *x; double *row; int64_t n; bool right; };

/* Of the terms of what is left, whose first unknown is x[i]. */
static double left_size(const struct sizes *s, const struct remains *l, int64_t i)
{
	return fabs(l->lead.f) * s->x[i] + s->right * fabs(l->rest.f)
	       + (i + 1 < s->n ? fabs(l->next.f) * s->x[i + 1] : 0);
}

/* The sizes of the terms of each row's steps: a step is one of both rows that it has. */
static void add_sizes(const struct sizes *s, const struct row *row)
{
	const struct type *t = type_scalar(T_F64);
	struct remains l = begin(row);

	s->row[0] += left_size(s, &l, 0);
	for (int64_t i = 1; i < s->n; i++) {
		const struct remains below = begin(&row[i]);
		const int64_t above = l.row;
		double size = left_size(s, &l, i - 1) + left_size(s, &below, i)
		              + fabs(row[i].part[ROW_BEFORE].f) * s->x[i - 1];
		exchange(t, &l, row[i].part, i);
		size += left_size(s, &l, i);
		s->row[above] += size;
		s->row[i] += size;
	}
}

/* What the coefficients of row i may be off, times the unknowns. */
static double off(const struct row *row, const double *x, int64_t i, int64_t n)
{
	const struct num *part = row[i].part;
	return part[ROW_RIGHT].e + part[ROW_OWN].e * x[i] + DBL_MIN
	       + (i ? part[ROW_BEFORE].e * x[i - 1] : 0)
	       + (i + 1 < n ? part[ROW_AFTER].e * x[i + 1] : 0);
}

static void add_column(const struct row *row, int64_t k, int64_t n, double *column)
{
	const struct type *t = type_scalar(T_F64);
	struct row *unit = array_new(n, sizeof *unit);
	struct num *x = array_new(n, sizeof *x);

	for (int64_t i = 0; i < n; i++) {
		unit[i] = row[i];
		unit[i].part[ROW_RIGHT] = (struct num){ .f = i == k };
	}
	solve_pivot_values(t, unit, x, n);
	for (int64_t i = 0; i < n; i++)
		column[i] = fabs(x[i].f);
}

bool solve_pivot_bounds(const struct type *t, const struct row *row, struct num *x, int64_t n)
{
	const double unit = SLACK * (t->kind == T_F32 ? (double)FLT_EPSILON : DBL_EPSILON);
	double *r = array_new(n, sizeof *r), *e = array_new(n, sizeof *e), most = 0, worst = 0;
	double *size = array_new(n, sizeof *size), *ones = array_new(n, sizeof *ones);
	double *bound = array_new(n, sizeof *bound), *norm = array_new(n, sizeof *norm);
	double *column = array_new(n, sizeof *column);

	for (int64_t i = 0; i < n; i++) {
		size[i] = fabs(x[i].f);
		ones[i] = 1;
	}
	add_sizes(&(struct sizes){ size, r, n, true }, row);
	add_sizes(&(struct sizes){ ones, e, n, false }, row);
	for (int64_t k = 0; k < n; k++) {
		add_column(row, k, n, column);
		for (int64_t i = 0; i < n; i++) {
			bound[i] += column[i] * (unit * r[k] + off(row, size, k, n));
			norm[i] += column[i] * (unit * e[k] + off(row, ones, k, n));
		}
	}
	for (int64_t i = 0; i < n; i++) {
		most = fmax(most, isfinite(bound[i]) && isfinite(x[i].f) ? bound[i] : INFINITY);
		worst = fmax(worst, isfinite(norm[i]) ? norm[i] : INFINITY);
	}
	for (int64_t i = 0; i < n; i++)
		x[i].e = bound[i] + norm[i] * most / (1 - worst);
	return worst < 0.5 && isfinite(most);
}
