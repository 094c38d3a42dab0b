/* wave_sway.c - how far another legal evaluation of a wavefront may be off.
 *
 * Schedules solve rows, columns or tiles as weighted scans where laws allow it (wavefront.h, Note
 * [forms]): they round elsewhere, and in other groupings.  The bounds that the arithmetic of the
 * equation hands on from cell to cell are of no use then: those of a + b - c add up, so that in a
 * summed-area table they would grow as the number of paths to the cell, and no result could be
 * wrong.  What is kept per cell instead, by what ○ and ◇ are:
 *
 *   linear   float, ◇ = +.  A rounding made at one cell moves another by what a value there is
 *            worth here, and that obeys the recurrence itself.  So made-up roundings of random sign
 *            are run through it, NOISES of them side by side; their mean square estimates what
 *            independent roundings do (Higham and Mary, SIAM J. Sci. Comput. 41, 2019), whatever
 *            the weights are.  Not all roundings are independent: where a term is added again and
 *            again, or a weight is a power of two, one step rounds like the next.  So a small part
 *            of each (ALIKE of a unit) has one sign everywhere.
 *            The size of a rounding is a few units of the largest value that any grouping has
 *            in hand: the sum of magnitudes along the row, and in two directions where no weight is
 *            negative or they are those of two scans, one after the other (separable).  What this
 *            order itself loses is the distance to the same recurrence in long double.  Open: where
 *            a product of weights may leave the type, or a value is infinite.  Where one may
 *            underflow, digits are lost against the largest value so far.
 *   paths    float, ◇ = min or max, ○ = +: the value is the sum along one path; each step may round
 *            the parts of it that a grouping adds up first, none larger than twice the largest
 *            value so far.
 *   choice   float, both of min and max: no rounding.
 *            With a NaN min and max do not distribute: open, here and on paths.
 *   exact    integers and bool; only where a min or max of sums might have wrapped, laws end: open.
 *   user     a few units of the value at each step, if its arithmetic rounds at all.  So are
 *            products. */
#include <math.h>
#include <string.h>

#include "wave_eval.h"
#include "small.h"

enum { NOISES = 16, DRIFT = NOISES, ROUNDINGS = 4 }; /* DRIFT: the noise whose signs are alike */
#define ALIKE (1.0 / 24)                 /* of a unit */

struct cell_state {                      /* of a cell that this run has written */
	int64_t run;
	double noise[NOISES + 1];
	double given;                        /* what the bounds of weights and rest make */
	double row, all;                     /* magnitudes: along the row, in all directions */
	double up, down; /* largest and smallest product of weights that ends here, as logarithms */
	long double z;                       /* the value with more digits */
};

struct sway {
	const struct wave_form *form;
	enum { SWAY_LINEAR, SWAY_PATHS, SWAY_CHOICE, SWAY_EXACT, SWAY_USER } kind;
	const struct type *type;             /* what is stored: the coarser one */
	struct code *rest, *weight[MAX_TERMS];
	int read[MAX_TERMS];                /* of each term: which neighbour */
	bool same_row[MAX_TERMS];
	int left, above, corner;             /* terms that may be separable, or -1 */
	int64_t run;
	double peak, deep;                   /* of the run so far */
	struct cell_state *cell;
	int64_t cells;
};

/* ---- which law ---- */

static bool is_extreme(const struct op *op)
{
	return op->kind == OPK_MIN || op->kind == OPK_MAX;
}

static int kind_of(const struct wave_form *f, const struct type *stored)
{
	if (f->acc->kind == OPK_USER || (f->dist && f->dist->kind == OPK_USER))
		return SWAY_USER;
	if (type_class(stored) != 'F')
		return SWAY_EXACT;
	if (f->acc->kind == OPK_SUM && (!f->dist || f->dist->kind == OPK_PROD))
		return SWAY_LINEAR;
	if (is_extreme(f->acc))
		return f->dist && f->dist->kind == OPK_SUM ? SWAY_PATHS : SWAY_CHOICE;
	return SWAY_USER;
}

static const struct wave_form *form_of(const struct node *node, int q)
{
	const struct wave_algebra *a = q < node->wave->algebra.n ? &node->wave->algebra.at[q]
	                                                         : NULL;
	if (a && a->all && a->all->acc)
		return a->all;
	return a && a->row && a->row->acc ? a->row : NULL;
}

/* ---- terms ---- */

static bool in_row(const struct node *node, const struct neighbour *n)
{
	for (int d = 0; d < node->index.n - 1; d++)
		if (n->step[node->wave->order[d]])
			return false;
	return true;
}

static bool is_sum(const struct neighbour *c, const struct neighbour *a, const struct neighbour *b)
{
	for (int k = 0; k < MAX_RANK; k++)
		if (c->step[k] != a->step[k] + b->step[k])
			return false;
	return true;
}

/* Three terms of which one reads as far away as the two others together. */
static void find_corner(struct sway *s)
{
	s->corner = -1;
	for (int c = 0; c < 3 && s->form->term.n == 3; c++) {
		int a = (c + 1) % 3, b = (c + 2) % 3;
		if (!is_sum(s->form->term.at[c].from, s->form->term.at[a].from,
		            s->form->term.at[b].from))
			continue;
		s->corner = c;
		s->left = s->same_row[a] ? a : b;
		s->above = s->same_row[a] ? b : a;
	}
}

static int read_of(const struct node *node, const struct neighbour *n)
{
	int r = 0;
	while (node->wave->read.at[r] != n)
		r++;
	return r;
}

struct sway *sway_open(struct eval *ev, const struct node *node, int q, const struct place *table)
{
	const struct wave_form *f = form_of(node, q);
	if (!f)
		return NULL;
	struct sway *s = NEW(struct sway);
	s->form = f;
	s->kind = kind_of(f, table->type);
	s->type = table->type;
	s->rest = f->rest ? code_of(ev, f->rest) : NULL;
	for (int t = 0; t < f->term.n; t++) {
		s->weight[t] = f->term.at[t].weight ? code_of(ev, f->term.at[t].weight) : NULL;
		s->read[t] = read_of(node, f->term.at[t].from);
		s->same_row[t] = in_row(node, f->term.at[t].from);
	}
	find_corner(s);
	s->cells = table->cells;
	s->cell = array_new(s->cells, sizeof *s->cell);
	return s;
}

void sway_start(struct sway *s)
{
	s->run++;
	s->peak = s->deep = 0;
}

/* ---- what met at a cell ---- */

struct met {
	int n;
	struct num value[MAX_TERMS], weight[MAX_TERMS], rest;
	const struct cell_state *from[MAX_TERMS];   /* NULL: no cell of this run */
	double w[MAX_TERMS];                /* linear: the factor */
	bool negative, separable, open;
	/* some float is none or infinite; none; some weight is infinite */
	bool wild, no_number, far;
};

static double magnitude(const struct type *t, struct num v)
{
	if (type_class(t) == 'F')
		return isfinite(v.f) ? fabs(v.f) : 0;
	return type_class(t) == 'U' ? (double)(uint64_t)v.i : fabs((double)v.i);
}

static void note(struct met *m, bool is_float, struct num v)
{
	m->open |= v.e >= OPEN;
	m->wild |= is_float && !isfinite(v.f);
	m->no_number |= is_float && isnan(v.f);
}

static bool are_separable(const struct sway *s, const struct met *m)
{
	if (s->corner < 0 || s->kind != SWAY_LINEAR)
		return false;
	double both = m->w[s->left] * m->w[s->above];
	return fabs(m->w[s->corner] + both) <= 4 * float_limits(s->type)->epsilon * fabs(both);
}

static struct met meet(struct eval *ev, const struct sway *s, const struct wave_read *read)
{
	struct met m = { .n = s->form->term.n };
	bool outside = ev->outside, is_float = type_class(s->type) == 'F';
	for (int t = 0; t < m.n; t++) {
		const struct wave_read *r = &read[s->read[t]];
		m.value[t] = place_get(r->value);
		m.weight[t] = s->weight[t] ? run(ev, s->weight[t]) : (struct num){ 0 };
		m.from[t] = r->at >= 0 && s->cell[r->at].run == s->run ? &s->cell[r->at] : NULL;
		m.w[t] = s->weight[t] && s->kind == SWAY_LINEAR ? m.weight[t].f : 1;
		m.negative |= m.w[t] < 0;
		note(&m, is_float, m.value[t]);
		note(&m, is_float && s->weight[t], m.weight[t]);
		m.far |= is_float && s->weight[t] && isinf(m.weight[t].f);
	}
	m.rest = s->rest ? run(ev, s->rest) : (struct num){ 0 };
	note(&m, is_float && s->rest, m.rest);
	m.separable = are_separable(s, &m);
	ev->outside = outside;
	return m;
}

/* ---- linear ---- */

static long double exact_value(const struct met *m)
{
	long double z = (long double)m->rest.f;
	for (int t = 0; t < m->n; t++)
		z += (long double)m->w[t]
		     * (m->from[t] ? m->from[t]->z : (long double)m->value[t].f);
	return z;
}

/* The sum of magnitudes in two directions: the recurrence of magnitudes, and where that of a corner
 * is taken away again, the weights are those of two scans. */
static double all_magnitudes(const struct met *m, const struct sway *s)
{
	double sum = fabs(m->rest.f);
	for (int t = 0; t < m->n; t++) {
		double size = fabs(m->w[t]) * (m->from[t] ? m->from[t]->all : fabs(m->value[t].f));
		sum += m->separable && t == s->corner && m->from[t] ? -size : size;
	}
	return sum;
}

/* What the rows above make of the cell is one value of the row; the sum of magnitudes here, of what
 * made it. */
static double magnitudes(const struct sway *s, const struct met *m, struct cell_state *c)
{
	double across = m->rest.f, here = fabs(m->rest.f);
	for (int t = 0; t < m->n; t++) {
		double value = m->w[t] * m->value[t].f;
		here += fabs(value);
		across += s->same_row[t] ? 0 : value;
		if (s->same_row[t])
			c->row += fabs(m->w[t])
			          * (m->from[t] ? m->from[t]->row : fabs(m->value[t].f));
	}
	c->row += fabs(across);
	c->all = m->separable || !m->negative ? all_magnitudes(m, s) : 0;
	return worse(here / 2, worse(c->row, c->all));
}

/* Kadane, over all paths that end here. */
static void products(struct sway *s, const struct met *m, struct cell_state *c)
{
	for (int t = 0; t < m->n; t++) {
		double by = log2(fabs(m->w[t]));
		if (m->w[t] == 0)
			continue;
		c->up = worse(c->up, (m->from[t] ? m->from[t]->up : 0) + by);
		c->down = worse(c->down, (m->from[t] ? m->from[t]->down : 0) - by);
	}
	s->deep = worse(s->deep, c->down);
}

/* The bounds that came in: of one sign where weights are none that cancel, else like roundings. */
static double given(const struct met *m, double *noisy)
{
	double sum = m->rest.e;
	for (int t = 0; t < m->n; t++) {
		double before = m->from[t] ? m->from[t]->given : m->value[t].e;
		sum += fabs(m->value[t].f) * m->weight[t].e;
		sum += m->negative && m->from[t] ? 0 : fabs(m->w[t]) * before;
	}
	*noisy = m->negative ? sum : 0;
	return m->negative ? 0 : sum;
}

/* A sign for each cell and noise: bits of a hash (splitmix64) of the cell's number. */
static uint64_t signs(int64_t cell)
{
	uint64_t x = (uint64_t)cell * UINT64_C(0x9e3779b97f4a7c15) + UINT64_C(0x9e3779b97f4a7c15);
	x = (x ^ (x >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
	x = (x ^ (x >> 27)) * UINT64_C(0x94d049bb133111eb);
	return x ^ (x >> 31);
}

/* What a noise is at the cell: what comes from the cells before, and a rounding there. */
static double noise_at(const struct met *m, struct cell_state *c, int k, double rounding)
{
	double sum = rounding;
	for (int t = 0; t < m->n; t++)
		sum += m->from[t] ? m->w[t] * m->from[t]->noise[k] : 0;
	return c->noise[k] = sum;
}

/* What roundings of this size, at this cell and all before, may add up to here. */
static double noises(const struct met *m, struct cell_state *c, int64_t cell, double size)
{
	uint64_t sign = signs(cell);
	double square = 0, drift = noise_at(m, c, DRIFT, ALIKE / ROUNDINGS * size);
	for (int k = 0; k < NOISES; k++) {
		double sum = noise_at(m, c, k, sign >> k & 1 ? size : -size);
		square += sum * sum;
	}
	return sqrt(square / NOISES) + fabs(drift);
}

static double linear(struct sway *s, const struct met *m, int64_t cell, double y)
{
	const struct float_limits *limits = float_limits(s->type);
	struct cell_state *c = &s->cell[cell];
	double noisy, size, e;
	c->z = exact_value(m);
	size = magnitudes(s, m, c);
	products(s, m, c);
	c->given = given(m, &noisy);
	s->peak = worse(s->peak, size);
	e = noises(m, c, cell, ROUNDINGS * (limits->epsilon * size + noisy)) + c->given
	    + (double)fabsl((long double)y - c->z);
	e += limits->least * (s->deep > 1 - limits->min_exp ? 4 * (1 + s->peak) : 1);
	return size <= limits->most && c->up < limits->max_exp - 1 && isfinite(y) ? e : OPEN;
}

/* ---- the other kinds ---- */

/* up: of any path that ends here, the sum of its weights. */
static double exact(struct sway *s, const struct met *m, int64_t cell, struct num y)
{
	struct cell_state *c = &s->cell[cell];
	bool sums = is_extreme(s->form->acc) && s->form->dist
		&& (s->form->dist->kind == OPK_SUM || s->form->dist->kind == OPK_PROD);
	double most = ldexp(1, (int)(8 * type_size(s->type)) - (type_class(s->type) == 'I'));
	if (!sums || type_class(s->type) == 'B')
		return y.e;
	for (int t = 0; t < m->n; t++) {
		double w = s->weight[t] ? magnitude(s->form->type, m->weight[t]) : 0;
		s->peak = worse(s->peak, magnitude(s->form->type, m->value[t]));
		c->up = worse(c->up, (m->from[t] ? m->from[t]->up : 0)
		                             + (s->form->dist->kind == OPK_SUM ? w : log2(w + 1)));
	}
	s->peak = worse(s->peak, s->rest ? magnitude(s->form->type, m->rest) : 0);
	if (s->form->dist->kind == OPK_SUM)
		return c->up + s->peak >= most ? OPEN : y.e;
	return c->up + log2(s->peak + 1) >= log2(most) ? OPEN : y.e;
}

static double paths(struct sway *s, const struct met *m, struct num y)
{
	s->peak = worse(s->peak, worse(magnitude(s->type, y), magnitude(s->type, m->rest)));
	for (int t = 0; t < m->n; t++)
		s->peak = worse(s->peak, magnitude(s->type, m->value[t]));
	if (m->far || 2 * s->peak > float_limits(s->type)->most)
		return OPEN;
	if (isinf(y.f))
		return y.e;
	return y.e + ROUNDINGS * float_limits(s->type)->epsilon * s->peak;
}

static double user(const struct sway *s, struct num y)
{
	struct total total = { .computes = true };
	total_user(&total, s->form->type, y);
	if (total.wild)
		return y.e > 0 ? OPEN : 0;
	return y.e > 0 ? y.e + ROUNDINGS * total.size : 0;
}

/* With infinities a sum depends on its order, a choice does not; with NaN that does too. */
static double bound(struct sway *s, const struct met *m, int64_t cell, struct num y)
{
	if (m->open || (m->no_number && s->kind != SWAY_EXACT))
		return OPEN;
	switch (s->kind) {
	case SWAY_LINEAR: return m->wild ? OPEN : linear(s, m, cell, y.f);
	case SWAY_PATHS: return paths(s, m, y);
	case SWAY_CHOICE: return y.e;
	case SWAY_EXACT: return exact(s, m, cell, y);
	case SWAY_USER: return user(s, y);
	}
	return y.e;
}

double sway_step(struct eval *ev, struct sway *s, const struct wave_read *read, int64_t cell,
                 struct num y)
{
	struct met m = meet(ev, s, read);
	struct cell_state fresh = { .run = s->run };
	s->cell[cell] = fresh;
	double e = bound(s, &m, cell, y);
	return isnan(e) ? OPEN : e;
}
