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
 * Of a ring (running->ring) the last row is eliminated last, and x = y + last * z, as on a target
 * (solve_ring.c); |y| + |last * z| is the size of an unknown there.
 *
 * Whether there is a zero pivot may be open, too.  No order of elimination meets one if M with
 * coefficients that are off by those roundings is an M-matrix.  Each order meets one if the first
 * row has it, which no other row changes, or if a coefficient is NaN. */
#include <float.h>
#include <math.h>
#include <string.h>

#include "solve_eval.h"

enum { SLACK = 32, EXCHANGED = 8 };

/* ---- the values ---- */

/* part[ROW_AFTER] becomes the factor of the next unknown, x what is known without it, and border
 * the factor of the last unknown of a ring. */
static void eliminate(const struct type *t, struct row *r, const struct row *up, bool ring)
{
	struct num own = r->part[ROW_OWN], right = r->part[ROW_RIGHT], border = { 0 };

	if (up) {
		own = minus_product(t, own, r->part[ROW_BEFORE], up->part[ROW_AFTER]);
		right = minus_product(t, right, r->part[ROW_BEFORE], up->x);
		border = minus_product(t, border, r->part[ROW_BEFORE], up->border);
	} else if (ring) {
		border = num_unary(OP_NEG, t, r->part[ROW_BEFORE]);
	}
	r->part[ROW_AFTER] = num_binary(OP_DIV, t, r->part[ROW_AFTER], own);
	r->border = num_binary(OP_DIV, t, border, own);
	r->x = num_binary(OP_DIV, t, right, own);
}

static void substitute(const struct type *t, struct row *row, int64_t n)
{
	for (int64_t i = n - 1; i-- > 0; ) {
		struct num after = row[i].part[ROW_AFTER];
		row[i].x = minus_product(t, row[i].x, after, row[i + 1].x);
		row[i].border = minus_product(t, row[i].border, after, row[i + 1].border);
	}
}

/* The last row of a ring, once x is the others' without its unknown, and border their factor. */
static void solve_last(const struct type *t, struct row *row, int64_t n)
{
	struct row *last = &row[n - 1];
	const struct row *near = &row[n > 1 ? n - 2 : 0];
	const struct num *part = last->part;
	struct num own = minus_product(t, part[ROW_OWN], part[ROW_AFTER],
	                               num_unary(OP_NEG, t, row[0].border));
	struct num right = minus_product(t, part[ROW_RIGHT], part[ROW_AFTER], row[0].x);

	own = minus_product(t, own, part[ROW_BEFORE], num_unary(OP_NEG, t, near->border));
	right = minus_product(t, right, part[ROW_BEFORE], near->x);
	right = num_binary(OP_DIV, t, right, own);
	for (int64_t i = 0; i < n; i++) {
		struct num by = num_binary(OP_MUL, t, right, row[i].border);
		row[i].most = fabs(row[i].x.f) + fabs(by.f);
		row[i].x = num_binary(OP_ADD, t, row[i].x, by);
	}
}

static void solve_values(const struct type *t, struct row *row, int64_t n, bool ring)
{
	for (int64_t i = 0; i < n - ring; i++)
		eliminate(t, &row[i], i ? &row[i - 1] : NULL, ring);
	if (ring) {
		row[n - 1].x = (struct num){ 0 };
		row[n - 1].border = (struct num){ .f = 1 };
	}
	substitute(t, row, n);
	if (ring)
		solve_last(t, row, n);
}

/* ---- the bounds ---- */

struct row_bound { double before, own, after, right, border; };

static double product(double unit, struct num a, double x)
{
	return (unit * fabs(a.f) + a.e) * x;
}

/* A row of M whose coefficients are off by `off`, and r; size: of the unknown in each row. */
static struct row_bound bound_of(double unit, double off, const struct row *row,
                                 const double size[3])
{
	const struct num *part = row->part;
	double r = unit * fabs(part[ROW_RIGHT].f) + part[ROW_RIGHT].e + DBL_MIN;

	for (int k = 0; k < ROW_RIGHT; k++)
		r += product(unit, part[k], size[k]);
	return (struct row_bound){ (fabs(part[ROW_BEFORE].f) + part[ROW_BEFORE].e) * (1 + off),
		               fabs(part[ROW_OWN].f) * (1 - off) - part[ROW_OWN].e,
		               (fabs(part[ROW_AFTER].f) + part[ROW_AFTER].e) * (1 + off), r, 0 };
}

static bool bound_eliminate(struct row_bound *m, int64_t n, bool ring)
{
	for (int64_t i = 0; i < n - ring; i++) {
		if (i) {
			m[i].own -= m[i].before * m[i - 1].after;
			m[i].right += m[i].before * m[i - 1].right;
		}
		m[i].border = !ring ? 0 : m[i].before * (i ? m[i - 1].border : 1) / m[i].own;
		m[i].after /= m[i].own;
		m[i].right /= m[i].own;
		if (!(m[i].own > 0) || !isfinite(m[i].right + m[i].border))
			return false;
	}
	return true;
}

/* right becomes M^-1 r; false: M has a pivot that is not positive. */
static bool bound_solve(struct row_bound *m, int64_t n, bool ring)
{
	const struct row_bound last = m[n - 1];

	if (!bound_eliminate(m, n, ring))
		return false;
	if (ring) {
		m[n - 1].right = 0;
		m[n - 1].border = 1;
	}
	for (int64_t i = n - 1; i-- > 0; ) {
		m[i].right += m[i].after * m[i + 1].right;
		m[i].border += m[i].after * m[i + 1].border;
	}
	if (!ring)
		return true;
	const struct row_bound *near = &m[n > 1 ? n - 2 : 0];
	double own = last.own - last.after * m[0].border - last.before * near->border;
	double x = (last.right + last.after * m[0].right + last.before * near->right) / own;
	for (int64_t i = 0; i < n; i++)
		m[i].right += x * m[i].border;
	return own > 0;
}

/* The unknowns beside cell i: outside they do not matter, where the coefficient is 0. */
static void sizes_at(const struct row *work, int64_t i, int64_t n, bool ring, double size[3])
{
	const double before = i || ring ? work[(i + n - 1) % n].most : 0;
	const double after = i + 1 < n || ring ? work[(i + 1) % n].most : 0;
	size[ROW_BEFORE] = before;
	size[ROW_OWN] = work[i].most;
	size[ROW_AFTER] = after;
}

struct system { const struct row *row, *work; int64_t n; bool ring; double unit; };

static struct row_bound *bounds_of(const struct system *s, double off)
{
	struct row_bound *m = array_new(s->n, sizeof *m);
	for (int64_t i = 0; i < s->n; i++) {
		double size[3];
		sizes_at(s->work, i, s->n, s->ring, size);
		m[i] = bound_of(s->unit, off, &s->row[i], size);
		if (!s->ring && i == 0)
			m[i].before = 0;
		if (!s->ring && i == s->n - 1)
			m[i].after = 0;
	}
	return m;
}

/* Gives the solution x its bounds.  False: the system has none. */
static bool solve_bounds(const struct system *s, struct num *x)
{
	struct row_bound *m = bounds_of(s, 0);
	bool known = bound_solve(m, s->n, s->ring);
	for (int64_t i = 0; i < s->n; i++) {
		x[i].e = m[i].right;
		known &= isfinite(x[i].f) && isfinite(x[i].e);
	}
	return known;
}

/* Has no order of elimination a zero pivot? */
static bool pivots_safe(const struct system *s)
{
	return bound_solve(bounds_of(s, s->unit), s->n, s->ring);
}

static bool is_zero(struct num x)
{
	return !x.f && !x.e;
}

static bool pivots_zero(const struct solve_code *c, const struct row *row, int64_t n)
{
	bool zero = n > c->ring && is_zero(row[0].part[ROW_OWN]);
	if (c->pivots && n > 1)
		zero &= is_zero(row[1].part[ROW_BEFORE]);
	for (int64_t i = 0; i < n; i++)
		for (int k = 0; k < ROW_PARTS; k++)
			zero |= isnan(row[i].part[k].f) && !(row[i].part[k].e > 0);
	return zero;
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

static double unit_of(const struct type *t)
{
	return t->kind == T_F32 ? (double)FLT_EPSILON : DBL_EPSILON;
}

/* ---- a system ---- */

void solve_write(struct eval *ev, const struct solve_code *c, const struct num *x, int64_t n,
                 bool known)
{
	const struct targets *to = &c->cells->target[0];

	for (int64_t i = 0; i < n; i++) {
		c->cells->index[c->axis]->value = num_int(i);
		write_cells(ev, to, to->at[0]->type, x[i], !known);
	}
}

void solve_tell(struct eval *ev, struct pivots p, const struct num *x)
{
	if (p.zero)
		record_status(ev, ST_PIVOT);
	else if (!p.sure)
		record_possible(ev, ST_PIVOT, !isfinite(x[0].f));
}

static void read_rows(struct eval *ev, const struct solve_code *c, struct row *row, int64_t n)
{
	for (int64_t i = 0; i < n && step_on(ev, c->cells->node->at); i++) {
		c->cells->index[c->axis]->value = num_int(i);
		for (int k = 0; k < ROW_PARTS; k++)
			row[i].part[k] = run(ev, c->part[k]);
	}
}

/* Of many rows with pivots, if M is an M-matrix.  Roundings of rows that are exchanged are those of
 * their neighbours' coefficients: EXCHANGED allows for these. */
static bool dominant_bounds(const struct type *t, const struct row *row, struct num *x, int64_t n)
{
	const double unit = EXCHANGED * SLACK * unit_of(t);
	struct row *work = array_new(n, sizeof *work);
	const struct system s = { row, work, n, false, unit };

	for (int64_t i = 0; i < n; i++)
		work[i].most = fabs(x[i].f);
	return solve_bounds(&s, x) && pivots_safe(&s);
}

static void solve_pivots(struct eval *ev, const struct solve_code *c, const struct row *row,
                         int64_t n)
{
	const struct type *t = c->part[0]->type;
	struct num *x = array_new(n, sizeof *x);

	solve_pivot_values(t, row, x, n);
	bool known = products_fit(t, row, n)
	             && (n > SOLVE_INVERTED ? dominant_bounds : solve_pivot_bounds)(t, row, x, n);
	solve_tell(ev, (struct pivots){ pivots_zero(c, row, n), known }, x);
	solve_write(ev, c, x, n, known);
}

/* At the bound other indices. */
static void run_system(struct eval *ev, const struct solve_code *c)
{
	const struct type *t = c->part[0]->type;
	int64_t n = run(ev, c->cells->hi[c->axis]).i;
	struct row *row = array_new(n, sizeof *row), *work = array_new(n, sizeof *work);
	struct num *x = array_new(n, sizeof *x);
	const struct system s = { row, work, n, c->ring, SLACK * unit_of(t) };

	read_rows(ev, c, row, n);
	if (ev->stopped || !n)
		return;
	if (c->pivots) {
		solve_pivots(ev, c, row, n);
		return;
	}
	memcpy(work, row, (size_t)n * sizeof *work);
	solve_values(t, work, n, c->ring);
	for (int64_t i = 0; i < n; i++) {
		x[i] = work[i].x;
		work[i].most = c->ring ? work[i].most : fabs(x[i].f);
	}
	bool known = products_fit(t, row, n) && solve_bounds(&s, x);
	struct pivots p = { pivots_zero(c, row, n), known && pivots_safe(&s) };
	solve_tell(ev, p, x);
	solve_write(ev, c, x, n, known);
}

/* ---- all of them ---- */

static struct solve_code *compile(struct eval *ev, const struct node *node)
{
	struct solve_code *c = known_add(&ev->node, node->running, NEW(struct solve_code));

	c->cells = compile_cells(ev, node);
	c->axis = node->running->axis;
	c->ring = node->running->ring;
	c->pivots = node_clause(node, "pivot");
	if (solve_is_dense(node)) {
		c->column = place_of(ev, dense_column(node));
		c->positive = node_clause(node, "symmetric positive");
		c->part[DENSE_ENTRY] = code_of(ev, dense_entry(node));
		c->part[DENSE_RIGHT] = code_of(ev, dense_right(node));
		c->dense = solve_dense_new(c, dense_size(node));
		c->run = solve_dense_run;
		return c;
	}
	const struct expr *row = node->equation.at[0]->right;
	for (int k = 0; k < row->arg.n; k++)
		c->part[k] = code_of(ev, row->arg.at[k]);
	c->run = solve_is_wide(node) ? solve_wide_run : run_system;
	if (solve_is_wide(node))
		c->wide = solve_wide_new(node, c->part[0]->type);
	return c;
}

static void run_axis(struct eval *ev, const struct solve_code *c, int k)
{
	struct cell_code *cells = c->cells;

	if (k == cells->n) {
		c->run(ev, c);
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
