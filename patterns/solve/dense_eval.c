/* dense_eval.c - the interpreter on a dense solve: elimination with partial pivoting, or without
 * exchanges where the matrix is `symmetric positive`, each operation rounded to the type of the
 * unknown.
 *
 * A target rounds otherwise, and may take another pivot where two are nearly equal.  Each computes
 * the solution of a matrix A + E (Higham, Accuracy and Stability, theorems 9.4 and 10.4), where
 *
 *     |E| <= SLACK n u max|U| + what the entries themselves may be off
 *
 * U being all that the elimination meets.  With B = |A^-1|, computed in f64, and r = E |x| + SLACK
 * u |d| + what d may be off,
 *
 *     |x - x'| <= B r + B E 1 max(B r) / (1 - |B E|)
 *
 * where the norm |B E| is below 1/2.  Of other systems, which are singular to the precision of the
 * type, the result is open, and whether there is a zero pivot, unless the first one is. */
#include <float.h>
#include <math.h>

#include "solve_eval.h"

enum { SLACK = 8 };

struct dense {
	const struct type *type;
	int n;
	bool positive;
	struct num *a, *right;               /* as given: rows one after another */
	struct num *work, *x;
	double *inverse, *matrix;            /* and what it is computed in */
	double most;                         /* of all that the elimination meets */
	int order[DENSE_MOST];               /* the row that is the pivot of each column */
	bool used[DENSE_MOST];
};

/* ---- the values ---- */

/* Of the rows that are left: with the greatest entry in the column, of equal ones the first. */
static int pivot_row(const struct dense *s, int column)
{
	int row = -1;
	for (int i = 0; i < s->n; i++) {
		double size = fabs(s->work[i * s->n + column].f);
		if (s->used[i])
			continue;
		if (row < 0 || size > fabs(s->work[row * s->n + column].f))
			row = i;
	}
	return row;
}

static void eliminate_row(struct dense *s, int i, int column)
{
	const struct type *t = s->type;
	struct num *row = &s->work[i * s->n], *up = &s->work[s->order[column] * s->n];
	struct num factor = num_binary(OP_DIV, t, row[column], up[column]);

	for (int j = column + 1; j < s->n; j++) {
		row[j] = minus_product(t, row[j], factor, up[j]);
		s->most = fmax(s->most, fabs(row[j].f));
	}
	s->x[i] = minus_product(t, s->x[i], factor, s->x[s->order[column]]);
}

/* x: the right sides become the unknowns, which are in the order of the rows until the end */
static void eliminate(struct dense *s)
{
	for (int column = 0; column < s->n; column++) {
		int row = s->positive ? column : pivot_row(s, column);
		struct num *pivot = &s->work[row * s->n + column];
		if (s->positive && !(pivot->f > 0))
			pivot->f = (double)NAN;
		s->order[column] = row;
		s->used[row] = true;
		for (int i = 0; i < s->n; i++)
			if (!s->used[i])
				eliminate_row(s, i, column);
	}
}

static void substitute(struct dense *s)
{
	struct num known[DENSE_MOST];
	for (int column = s->n - 1; column >= 0; column--) {
		int row = s->order[column];
		known[column] = num_binary(OP_DIV, s->type, s->x[row],
		                           s->work[row * s->n + column]);
		for (int above = 0; above < column; above++) {
			int i = s->order[above];
			s->x[i] = minus_product(s->type, s->x[i], s->work[i * s->n + column],
			                        known[column]);
		}
	}
	for (int column = 0; column < s->n; column++)
		s->x[column] = known[column];
}

/* ---- the bounds ---- */

/* Rows of [A | 1] are exchanged and eliminated from each other, in f64; 2 n columns. */
static void reduce_column(double *m, int n, int column)
{
	int best = column;
	for (int i = column; i < n; i++)
		best = fabs(m[i * 2 * n + column]) > fabs(m[best * 2 * n + column]) ? i : best;
	for (int j = 0; j < 2 * n; j++) {
		double value = m[best * 2 * n + j];
		m[best * 2 * n + j] = m[column * 2 * n + j];
		m[column * 2 * n + j] = value;
	}
	double pivot = m[column * 2 * n + column];
	for (int j = 0; j < 2 * n; j++)
		m[column * 2 * n + j] /= pivot;
	for (int i = 0; i < n; i++) {
		double factor = m[i * 2 * n + column];
		for (int j = 0; i != column && j < 2 * n; j++)
			m[i * 2 * n + j] -= factor * m[column * 2 * n + j];
	}
}

/* |A^-1| */
static void invert(struct dense *s)
{
	int n = s->n;
	double *m = s->matrix;
	for (int i = 0; i < n; i++)
		for (int j = 0; j < n; j++) {
			m[i * 2 * n + j] = s->a[i * n + j].f;
			m[i * 2 * n + n + j] = i == j;
		}
	for (int column = 0; column < n; column++)
		reduce_column(m, n, column);
	for (int i = 0; i < n; i++)
		for (int j = 0; j < n; j++)
			s->inverse[i * n + j] = fabs(m[i * 2 * n + n + j]);
}

/* Cell i of B v. */
static double times(const struct dense *s, int i, const double *v)
{
	double sum = 0;
	for (int j = 0; j < s->n; j++)
		sum += s->inverse[i * s->n + j] * v[j];
	return sum;
}

/* Gives the solution x its bounds.  False: the system has none. */
static bool bounds(struct dense *s)
{
	double unit = SLACK * (s->type->kind == T_F32 ? (double)FLT_EPSILON : DBL_EPSILON);
	double off[DENSE_MOST], right[DENSE_MOST], norm = 0, most = 0;

	invert(s);
	for (int i = 0; i < s->n; i++) {
		off[i] = 0;
		right[i] = unit * fabs(s->right[i].f) + s->right[i].e + DBL_MIN;
		for (int j = 0; j < s->n; j++) {
			double e = unit * s->n * s->most + s->a[i * s->n + j].e;
			off[i] += e;
			right[i] += e * fabs(s->x[j].f);
		}
	}
	for (int i = 0; i < s->n; i++) {
		norm = fmax(norm, times(s, i, off));
		most = fmax(most, times(s, i, right));
		if (!isfinite(s->x[i].f) || !isfinite(times(s, i, off) + times(s, i, right)))
			return false;
	}
	for (int i = 0; i < s->n; i++)
		s->x[i].e = times(s, i, right) + times(s, i, off) * most / (1 - norm);
	return norm < 0.5;
}

/* ---- a system ---- */

struct dense *solve_dense_new(const struct solve_code *c, int n)
{
	struct dense *s = NEW(struct dense);
	*s = (struct dense){ .type = c->part[DENSE_ENTRY]->type, .n = n, .positive = c->positive };
	s->a = array_new((int64_t)n * n, sizeof *s->a);
	s->work = array_new((int64_t)n * n, sizeof *s->work);
	s->inverse = array_new((int64_t)n * n, sizeof *s->inverse);
	s->matrix = array_new((int64_t)2 * n * n, sizeof *s->matrix);
	s->right = array_new(n, sizeof *s->right);
	s->x = array_new(n, sizeof *s->x);
	return s;
}

static void read_row(struct eval *ev, const struct solve_code *c, struct dense *s, int i)
{
	c->cells->index[c->axis]->value = num_int(i);
	s->x[i] = s->right[i] = run(ev, c->part[DENSE_RIGHT]);
	for (int j = 0; j < (s->positive ? i + 1 : s->n); j++) {
		c->column->value = num_int(j);
		struct num entry = run(ev, c->part[DENSE_ENTRY]);
		s->a[i * s->n + j] = s->work[i * s->n + j] = entry;
		if (s->positive)
			s->a[j * s->n + i] = s->work[j * s->n + i] = entry;
		s->most = fmax(s->most, fabs(entry.f));
	}
}

/* Has each way of rounding one?  The first column is as given. */
static bool pivots_zero(const struct dense *s)
{
	bool zero = true, nan = false;
	for (int i = 0; i < (s->positive ? 1 : s->n); i++) {
		const struct num first = s->a[i * s->n];
		zero &= (s->positive ? first.f <= 0 : !first.f) && !first.e;
	}
	for (int i = 0; i < s->n; i++) {
		nan |= isnan(s->right[i].f) && !(s->right[i].e > 0);
		for (int j = 0; j < s->n; j++)
			nan |= isnan(s->a[i * s->n + j].f) && !(s->a[i * s->n + j].e > 0);
	}
	return zero || nan;
}

void solve_dense_run(struct eval *ev, const struct solve_code *c)
{
	struct dense *s = c->dense;

	s->most = 0;
	for (int i = 0; i < s->n; i++)
		s->used[i] = false;
	for (int i = 0; i < s->n && step_on(ev, c->cells->node->at); i++)
		read_row(ev, c, s, i);
	if (ev->stopped)
		return;
	eliminate(s);
	substitute(s);
	bool known = bounds(s);
	solve_tell(ev, (struct pivots){ pivots_zero(s), known }, s->x);
	solve_write(ev, c, s->x, s->n, known);
}
