/* solve_eval.c - the interpreter on a solve: elimination from the first row to the last, then
 * substitution back, each operation rounded to the type of the unknown.
 *
 * Other orders of elimination round otherwise, and by how much depends on the equations.  Without
 * exchanges each is Gaussian elimination of a permuted matrix A, whose result solves a system that
 * differs by few roundings of each coefficient (Higham, Accuracy and Stability, section 9.6).  So
 *
 *     |x - x'| <= |A^-1| r,   r[i] = SLACK u (|a x[i-1]| + |b x[i]| + |c x[i+1]| + |d|) + what the
 *                                    coefficients themselves may be off
 *
 * and, if A is an H-matrix, |A^-1| <= M^-1, where M has |b| on its diagonal and -|a|, -|c| beside
 * it (Ostrowski).  Diagonally dominant matrices and M-matrices are H-matrices: then the elimination
 * of M meets positive pivots alone.  Of other matrices the result is open.
 *
 * So are zero pivots.  There is none in any order if M stays an M-matrix when its coefficients are
 * off by those roundings.  There is one in each order if the first row, which no other changes, has
 * it, or if a coefficient is NaN. */
#include <float.h>
#include <math.h>

#include "solve_eval.h"

enum { SLACK = 32 };

struct row { struct num part[ROW_PARTS], x; };

static struct solve_code *compile(struct eval *ev, const struct node *node)
{
	struct solve_code *c = known_add(&ev->node, node->running, NEW(struct solve_code));

	c->cells = compile_cells(ev, node);
	c->axis = node->running->axis;
	if (solve_is_dense(node)) {
		c->column = place_of(ev, dense_column(node));
		c->positive = node_clause(node, "symmetric positive");
		c->part[DENSE_ENTRY] = code_of(ev, dense_entry(node));
		c->part[DENSE_RIGHT] = code_of(ev, dense_right(node));
		c->dense = solve_dense_new(c, dense_size(node));
		return c;
	}
	for (int k = 0; k < ROW_PARTS; k++)
		c->part[k] = code_of(ev, row_part(node, k));
	return c;
}

/* ---- the values ---- */

static struct num minus_product(const struct type *t, struct num x, struct num a, struct num b)
{
	return num_binary(OP_SUB, t, x, num_binary(OP_MUL, t, a, b));
}

/* part[ROW_AFTER] becomes the factor of the next unknown, x what is known without it. */
static void eliminate(const struct type *t, struct row *r, const struct row *up)
{
	struct num own = r->part[ROW_OWN], right = r->part[ROW_RIGHT];

	if (up) {
		own = minus_product(t, own, r->part[ROW_BEFORE], up->part[ROW_AFTER]);
		right = minus_product(t, right, r->part[ROW_BEFORE], up->x);
	}
	r->part[ROW_AFTER] = num_binary(OP_DIV, t, r->part[ROW_AFTER], own);
	r->x = num_binary(OP_DIV, t, right, own);
}

static void solve_values(const struct type *t, struct row *row, int64_t n)
{
	for (int64_t i = 0; i < n; i++)
		eliminate(t, &row[i], i ? &row[i - 1] : NULL);
	for (int64_t i = n - 1; i-- > 0; )
		row[i].x = minus_product(t, row[i].x, row[i].part[ROW_AFTER], row[i + 1].x);
}

/* ---- the bounds ---- */

struct row_bound { double before, own, after, right; };

static double product(double unit, struct num a, struct num x)
{
	return (unit * fabs(a.f) + a.e) * fabs(x.f);
}

/* A row of M, and r. */
static struct row_bound bound_of(double unit, const struct row *row, const struct num *x, int64_t i,
                             int64_t n)
{
	const struct num none = { 0 }, *part = row->part;
	double r = unit * fabs(part[ROW_RIGHT].f) + part[ROW_RIGHT].e + DBL_MIN;

	r += product(unit, part[ROW_BEFORE], i ? x[i - 1] : none);
	r += product(unit, part[ROW_OWN], x[i]);
	r += product(unit, part[ROW_AFTER], i + 1 < n ? x[i + 1] : none);
	return (struct row_bound){ i ? fabs(part[ROW_BEFORE].f) + part[ROW_BEFORE].e : 0,
		               fabs(part[ROW_OWN].f) - part[ROW_OWN].e,
		               i + 1 < n ? fabs(part[ROW_AFTER].f) + part[ROW_AFTER].e : 0, r };
}

/* Has no order of elimination a zero pivot? */
static bool pivots_safe(double unit, const struct row *row, const struct num *x, int64_t n)
{
	double after = 0;
	for (int64_t i = 0; i < n; i++) {
		struct row_bound m = bound_of(unit, &row[i], x, i, n);
		double own = m.own * (1 - unit) - m.before * (1 + unit) * after;
		after = m.after * (1 + unit) / own;
		if (!(own > 0) || !isfinite(after))
			return false;
	}
	return true;
}

static bool pivots_zero(const struct row *row, int64_t n)
{
	bool zero = n && !row[0].part[ROW_OWN].f && !row[0].part[ROW_OWN].e;
	for (int64_t i = 0; i < n; i++)
		for (int k = 0; k < ROW_PARTS; k++)
			zero |= isnan(row[i].part[k].f) && !(row[i].part[k].e > 0);
	return zero;
}

/* x gets its bounds; false: M has a pivot that is not positive. */
static bool solve_bounds(double unit, const struct row *row, struct num *x, int64_t n)
{
	struct row_bound *m = array_new(n, sizeof *m);

	for (int64_t i = 0; i < n; i++) {
		m[i] = bound_of(unit, &row[i], x, i, n);
		if (i) {
			m[i].own -= m[i].before * m[i - 1].after;
			m[i].right += m[i].before * m[i - 1].right;
		}
		m[i].after /= m[i].own;
		m[i].right /= m[i].own;
		if (!(m[i].own > 0) || !isfinite(m[i].right) || !isfinite(x[i].f))
			return false;
	}
	for (int64_t i = n - 1; i >= 0; i--) {
		m[i].right += i + 1 < n ? m[i].after * m[i + 1].right : 0;
		x[i].e = m[i].right;
	}
	return true;
}

/* Some orders of elimination multiply coefficients of two rows: does no such product overflow? */
static bool products_fit(const struct type *t, const struct row *row, int64_t n)
{
	double most = sqrt(t->kind == T_F32 ? (double)FLT_MAX : DBL_MAX) / 2;
	bool fit = true;
	for (int64_t i = 0; i < n; i++)
		for (int k = 0; k < ROW_PARTS; k++)
			fit &= fabs(row[i].part[k].f) <= most;
	return fit;
}

/* ---- a system ---- */

void solve_write(struct eval *ev, const struct solve_code *c, const struct num *x, int64_t n,
                 bool known)
{
	for (int64_t i = 0; i < n; i++) {
		c->cells->index[c->axis]->value = num_int(i);
		write_cells(ev, &c->cells->target[0], c->part[0]->type, x[i], !known);
	}
}

void solve_tell(struct eval *ev, struct pivots p, const struct num *x)
{
	if (p.zero)
		record_status(ev, ST_PIVOT);
	else if (!p.sure)
		record_possible(ev, ST_PIVOT, !isfinite(x[0].f));
}

/* At the bound other indices. */
static void run_system(struct eval *ev, const struct solve_code *c)
{
	const struct type *t = c->part[0]->type;
	int64_t n = run(ev, c->cells->hi[c->axis]).i;
	struct row *row = array_new(n, sizeof *row), *work = array_new(n, sizeof *work);
	struct num *x = array_new(n, sizeof *x);
	double unit = SLACK * (t->kind == T_F32 ? (double)FLT_EPSILON : DBL_EPSILON);

	for (int64_t i = 0; i < n && step_on(ev, c->cells->node->at); i++) {
		c->cells->index[c->axis]->value = num_int(i);
		for (int k = 0; k < ROW_PARTS; k++)
			row[i].part[k] = run(ev, c->part[k]);
		work[i] = row[i];
	}
	if (ev->stopped)
		return;
	solve_values(t, work, n);
	for (int64_t i = 0; i < n; i++)
		x[i] = work[i].x;
	if (!n)
		return;
	bool known = products_fit(t, row, n) && solve_bounds(unit, row, x, n);
	struct pivots p = { pivots_zero(row, n), known && pivots_safe(unit, row, x, n) };
	solve_tell(ev, p, x);
	solve_write(ev, c, x, n, known);
}

static void run_axis(struct eval *ev, const struct solve_code *c, int k)
{
	struct cell_code *cells = c->cells;

	if (k == cells->n) {
		(c->column ? solve_dense_run : run_system)(ev, c);
		return;
	}
	if (k == c->axis) {
		run_axis(ev, c, k + 1);
		return;
	}
	int64_t n = run(ev, cells->hi[k]).i;
	for (int64_t i = 0; i < n && step_on(ev, cells->node->at); i++) {
		cells->index[k]->value = num_int(i);
		run_axis(ev, c, k + 1);
	}
}

void solve_eval(struct eval *ev, const struct node *node)
{
	struct solve_code *c = known_find(ev->node, node->running);
	run_axis(ev, c ? c : compile(ev, node), 0);
}
