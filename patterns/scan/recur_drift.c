/* recur_drift.c - how far another legal evaluation of a recurrence may be off.
 *
 * A target that runs cells in parallel composes the maps y -> (y ○ weight) ◇ rest of neighbouring
 * cells in some grouping, so its products of weights and its partial values are rounded elsewhere.
 * What is kept beside the state of a sequence, by what the operators are:
 *
 *   linear   float, ◇ = +, and ○ = * or +.  Every rounding made at cell j moves y[i] by the product
 *            of the weights between, and roundings are independent (Higham and Mary, SIAM J. Sci.
 *            Comput. 41, 2019): so variances are added up, var = w var w + (8 u size)^2, of two
 *            cells at order 2 as a covariance.  size bounds what any grouping may have in hand at
 *            the cell.  At order 1 it is the recurrence of magnitudes, size = |w| size + |rest|.
 *            At order 2 that would grow where the filter does not (poles near the unit circle have
 *            weights near 2 and -1), so size is measured: on all dyadic blocks of cells that the
 *            cell is in, the matrix of the block and its response. What this order itself loses is
 *            the distance to the same recurrence in long double. Open: where a product of weights,
 *            over any range, leaves the type, since it may then be an infinity that meets a zero.
 *            A product that underflows loses digits against the largest value before it, and an
 *            infinity after it is open.
 *   paths    float, ◇ = min or max, ○ = +.  The value is the sum along one path, and so are the
 *            parts of that path that a grouping adds up first: differences of two values, so none
 *            is larger than twice the largest value so far.
 *   choice   float, both of min and max: no rounding at all.  With a NaN they do not distribute:
 *            open.
 *   fold     ○ is ◇: a running fold of weights and rests, as eval_value.c has it.
 *   exact    integers and bool; only where min or max of sums might have wrapped, laws end: open.
 *   user     as a fold of a user's operator: by the bound that its own arithmetic hands on. */
#include <assert.h>
#include <math.h>
#include <string.h>

#include "recur_eval.h"
#include "small.h"

enum { ROUNDINGS = 8 };                  /* as for sums: a generous constant */

static bool is_extreme(const struct op *op)
{
	return op->kind == OPK_MIN || op->kind == OPK_MAX;
}

static bool is_bare(const struct recurrence *r)
{
	bool bare = true;
	for (int k = 0; k < r->order; k++)
		bare &= !r->weight[k];
	return bare;
}

static int kind_of(const struct recurrence *r, bool strict)
{
	bool bare = is_bare(r);
	const struct op *dist = bare ? r->acc : r->dist;
	if (strict)
		return DRIFT_NONE;
	if (r->acc->kind == OPK_USER || dist->kind == OPK_USER)
		return DRIFT_USER;
	if (type_class(r->type) != 'F')
		return DRIFT_EXACT;
	if (r->order == 1 && dist->kind == r->acc->kind)
		return DRIFT_FOLD;
	if (r->acc->kind == OPK_SUM && (dist->kind == OPK_PROD || dist->kind == OPK_SUM))
		return DRIFT_LINEAR;
	if (is_extreme(r->acc) && dist->kind == OPK_SUM)
		return DRIFT_PATHS;
	return is_extreme(r->acc) && is_extreme(dist) ? DRIFT_CHOICE : DRIFT_USER;
}

void drift_open(struct drift *d, const struct recurrence *r, bool strict)
{
	d->r = r;
	d->kind = kind_of(r, strict);
	d->user = r->acc->kind == OPK_USER || is_bare(r) ? r->acc : r->dist;
}

static double magnitude(double f)
{
	return isfinite(f) ? fabs(f) : 0;
}

static double int_size(const struct type *t, int64_t i)
{
	return type_class(t) == 'U' ? (double)(uint64_t)i : fabs((double)i);
}

void drift_start(struct drift *d, int froms, const struct num *from)
{
	struct drift fresh = {
		.kind = d->kind, .r = d->r, .user = d->user, .total.computes = true
	};
	*d = fresh;
	for (int k = 0; k < froms && k < d->r->order; k++) {
		d->z[k] = (long double)from[k].f;
		d->given[k] = from[k].e;
		d->size = worse(d->size, magnitude(from[k].f));
		d->peak = d->kind == DRIFT_EXACT ? worse(d->peak, int_size(d->r->type, from[k].i))
		                                 : d->size;
		d->nan |= isnan(from[k].f) && from[k].e == 0;
		if (d->kind == DRIFT_USER)
			total_user(&d->total, d->r->type, from[k]);
		else if (d->kind == DRIFT_FOLD)
			total_add(&d->total, d->r->acc, d->r->type, from[k]);
	}
}

/* The greatest of the bounds of what met at the cell. */
static double worst(const struct drift *d, const struct drift_cell *c)
{
	double e = c->has_rest ? c->rest.e : 0;
	for (int k = 0; k < d->r->order; k++)
		if (c->has[k])
			e = worse(e, worse(d->given[k], c->weight[k].e));
	return e;
}

static void shift(struct drift *d, long double z, double given)
{
	d->z[1] = d->z[0];
	d->given[1] = d->given[0];
	d->z[0] = z;
	d->given[0] = given;
}

/* ---- exact ---- */

static double int_largest(const struct type *t)
{
	return ldexp(1, (int)(8 * type_size(t)) - (type_class(t) == 'I'));
}

/* up: weights so far, as their sum, or the logarithm of their product; peak: what they are added
 * to. */
static bool may_wrap(struct drift *d, const struct drift_cell *c)
{
	const struct type *t = d->r->type;
	bool sums = d->r->dist->kind == OPK_SUM;
	double most = int_largest(t);
	for (int k = 0; k < d->r->order; k++) {
		double w = c->has[k] && d->r->weight[k] ? int_size(t, c->weight[k].i) : 0;
		d->up += sums ? w : w > 1 ? log2(w) : 0;
	}
	d->peak = worse(d->peak, c->has_rest ? int_size(t, c->rest.i) : 0);
	return sums ? d->up + d->peak >= most : d->up + log2(d->peak + 1) >= log2(most);
}

static double exact_step(struct drift *d, const struct drift_cell *c)
{
	const struct op *dist = d->r->dist;
	double e = worst(d, c);
	bool laws_end = !is_bare(d->r) && is_extreme(d->r->acc)
		&& (dist->kind == OPK_SUM || dist->kind == OPK_PROD);
	if (laws_end && type_class(d->r->type) != 'B' && may_wrap(d, c))
		d->open = true;
	shift(d, 0, e);
	return e > 0 ? OPEN : 0;
}

/* ---- linear ---- */

/* Nothing times what is open is open. */
static double times(double a, double b)
{
	return isinf(b) ? OPEN : a == 0 || b == 0 ? 0 : a * b;
}

struct linear { double a[MAX_ORDER], added; };   /* y = sum of a[k] y[k], + others of that size */

static bool multiplies(const struct drift *d)
{
	return d->r->dist && d->r->dist->kind == OPK_PROD;
}

static struct linear coefficients(const struct drift *d, const struct drift_cell *c)
{
	struct linear l = { .added = c->has_rest ? magnitude(c->rest.f) : 0 };
	for (int k = 0; k < d->r->order; k++) {
		if (!c->has[k])
			continue;
		l.a[k] = multiplies(d) && d->r->weight[k] ? c->weight[k].f : 1;
		l.added += multiplies(d) ? 0 : magnitude(c->weight[k].f);
	}
	return l;
}

/* The ranges that end here with the largest and the smallest product, as logarithms (Kadane). */
static void note_products(struct drift *d, double w)
{
	int top = float_limits(d->r->type)->max_exp;
	double by = log2(fabs(w));
	if (w == 0) {                         /* and exactly so with whatever it is multiplied by */
		d->up = d->down = 0;
		return;
	}
	d->up = worse(0, d->up + by);
	d->down = worse(0, d->down - by);
	d->deep = worse(d->deep, d->down);
	d->open |= isinf(w) || d->up > top - 1;
}

static bool is_deep(const struct drift *d)
{
	return d->deep > 1 - float_limits(d->r->type)->min_exp;
}

/* y and its matrix on the blocks of 2^k cells that this cell is in, each begun with nothing before
 * it. */
static double measure(struct drift *d, const struct linear *l)
{
	double most = 0, largest = float_limits(d->r->type)->most;
	for (int k = 0; k < LEVELS; k++) {
		struct level *b = &d->level[k];
		if (d->cells % ((int64_t)1 << k) == 0)
			*b = (struct level){ .h = { { 1, 0 }, { 0, 1 } },
				             .at = { (double)d->z[0], (double)d->z[1] } };
		double y = l->a[0] * b->y[0] + l->a[1] * b->y[1] + l->added, sum = fabs(y);
		for (int j = 0; j < 2; j++) {
			double h = l->a[0] * b->h[0][j] + l->a[1] * b->h[1][j];
			b->h[1][j] = b->h[0][j];
			b->h[0][j] = h;
			d->open |= !(fabs(h) <= largest);
			sum += fabs(h * b->at[j]);
		}
		b->y[1] = b->y[0];
		b->y[0] = y;
		most = worse(most, sum);
	}
	return most;
}

/* var becomes A var A' + q, with A = (a[0] a[1]; 1 0). */
static void spread(struct drift *d, const struct linear *l, double q)
{
	double v0 = d->var[0], v01 = d->var[1], v1 = d->var[2];
	d->var[0] = l->a[0] * l->a[0] * v0 + 2 * l->a[0] * l->a[1] * v01 + l->a[1] * l->a[1] * v1
	            + q;
	d->var[1] = l->a[0] * v0 + l->a[1] * v01;
	d->var[2] = v0;
}

/* What the bounds of weights and rest make, before what they already made is handed on. */
static double new_errors(const struct drift *d, const struct drift_cell *c)
{
	double e = c->has_rest ? c->rest.e : 0;
	for (int k = 0; k < d->r->order; k++)
		if (c->has[k])
			e += multiplies(d) ? times(magnitude((double)d->z[k]), c->weight[k].e)
			                   : c->weight[k].e;
	return e;
}

static long double exact_value(const struct drift *d, const struct drift_cell *c,
                               const struct linear *l)
{
	long double z = c->has_rest ? (long double)c->rest.f : 0;
	for (int k = 0; k < d->r->order; k++)
		if (c->has[k])
			z += (long double)l->a[k] * d->z[k]
			     + (multiplies(d) ? 0 : (long double)c->weight[k].f);
	return z;
}

/* A NaN that every grouping meets, whatever else is open. */
static bool meets_nan(const struct drift *d, const struct drift_cell *c)
{
	bool nan = c->has_rest && isnan(c->rest.f) && c->rest.e == 0;
	for (int k = 0; k < d->r->order; k++)
		nan |= c->has[k] && isnan(c->weight[k].f) && c->weight[k].e == 0;
	return nan;
}

/* The bounds that came in are handed on one by one, at order 2 as roundings are: there magnitudes
 * say nothing.  A first cell is its rest. */
static double linear_error(struct drift *d, const struct linear *l, bool first, double given)
{
	const struct float_limits *limits = float_limits(d->r->type);
	bool one = d->r->order == 1;
	double size = one ? fabs(l->a[0]) * d->size + l->added : measure(d, l);
	double q = ROUNDINGS * (limits->epsilon * size + (one ? 0 : given));
	double tiny = limits->least * (is_deep(d) || !one ? 4 * (1 + d->peak) : 1);
	d->size = size;
	if (first)
		return given;
	spread(d, l, q * q);
	return sqrt(d->var[0]) + tiny + (one ? given : 0);
}

static double linear_step(struct drift *d, const struct drift_cell *c)
{
	struct linear l = coefficients(d, c);
	bool first = !c->has[0] && !c->has[1];
	double given = new_errors(d, c), e;
	long double z = exact_value(d, c, &l);
	if (!first && d->r->order == 1) {
		note_products(d, l.a[0]);
		given += times(fabs(l.a[0]), d->given[0]);
	} else if (!first && worse(d->given[0], d->given[1]) >= OPEN) {
		given = OPEN;
	}
	e = linear_error(d, &l, first, given);
	d->peak = worse(d->peak, d->size);
	d->open |= d->size > float_limits(d->r->type)->most;
	d->nan |= meets_nan(d, c) || (isnan(c->y.f) && !d->open && given == 0);
	d->open |= !isfinite(c->y.f) && (is_deep(d) || given > 0);
	shift(d, z, given);
	return isfinite(c->y.f) ? e + (double)fabsl((long double)c->y.f - z) : 0;
}

/* ---- the other kinds ---- */

static long double path(const struct drift *d, const struct drift_cell *c)
{
	bool some = false, most = d->r->acc->kind == OPK_MAX;
	long double z = 0;
	for (int k = 0; k < d->r->order; k++) {
		long double to = d->z[k] + (d->r->weight[k] ? (long double)c->weight[k].f : 0);
		if (c->has[k]) {
			z = !some ? to : most ? fmaxl(z, to) : fminl(z, to);
			some = true;
		}
	}
	if (c->has_rest)
		z = !some  ? (long double)c->rest.f
		    : most ? fmaxl(z, (long double)c->rest.f)
		           : fminl(z, (long double)c->rest.f);
	return z;
}

static double paths_step(struct drift *d, const struct drift_cell *c)
{
	const struct float_limits *limits = float_limits(d->r->type);
	double e = c->has_rest ? c->rest.e : 0, y = c->y.f;
	long double z = path(d, c);
	for (int k = 0; k < d->r->order; k++)
		if (c->has[k] && !isnan((double)d->z[k]))
			e = worse(e, d->given[k] + c->weight[k].e);
	d->peak = worse(d->peak, worse(magnitude(y), c->has_rest ? magnitude(c->rest.f) : 0));
	d->open |= 2 * d->peak > limits->most;
	shift(d, z, e);
	if (isnan(y))                            /* of nothing but NaN: or the identity (R8) */
		return OPEN;
	if (!isfinite(y))
		return e > 0 || isfinite((double)z) ? OPEN : 0;
	return e + (double)fabsl((long double)y - z)
	       + 2 * ROUNDINGS * sqrt((double)d->cells) * limits->epsilon * d->peak;
}

static double choice_step(struct drift *d, const struct drift_cell *c)
{
	double e = worst(d, c);
	bool nan = c->has_rest && isnan(c->rest.f);
	for (int k = 0; k < d->r->order; k++)
		nan |= c->has[k] && (isnan(c->weight[k].f) || isnan((double)d->z[k]));
	d->open |= nan;
	shift(d, (long double)c->y.f, e);
	return e;
}

static double fold_step(struct drift *d, const struct drift_cell *c)
{
	const struct op *op = d->r->acc;
	if (c->has[0] && d->r->weight[0])
		total_add(&d->total, op, d->r->type, c->weight[0]);
	if (c->has_rest)
		total_add(&d->total, op, d->r->type, c->rest);
	if (is_extreme(op) && isnan(c->y.f))     /* of nothing but NaN */
		return OPEN;
	return total_end(&d->total, op, d->r->type).e;
}

static double user_step(struct drift *d, const struct drift_cell *c)
{
	const struct type *t = d->r->type;
	bool is_float = type_class(t) == 'F';
	for (int k = 0; k < d->r->order; k++)
		if (c->has[k] && d->r->weight[k]) {
			total_user(&d->total, t, c->weight[k]);
			d->open |= is_float && isnan(c->weight[k].f);
		}
	if (c->has_rest)
		total_user(&d->total, t, c->rest);
	total_user(&d->total, t, c->y);
	d->open |= is_float && (isnan(c->y.f) || (c->has_rest && isnan(c->rest.f)));
	d->total.value = c->y;
	return total_end(&d->total, d->user, t).e;
}

double drift_step(struct drift *d, const struct drift_cell *c)
{
	double e = 0;
	switch (d->kind) {
	case DRIFT_NONE: return c->y.e;
	case DRIFT_EXACT: e = exact_step(d, c); break;
	case DRIFT_LINEAR: e = linear_step(d, c); break;
	case DRIFT_PATHS: e = paths_step(d, c); break;
	case DRIFT_CHOICE: e = choice_step(d, c); break;
	case DRIFT_FOLD: e = fold_step(d, c); break;
	case DRIFT_USER: e = user_step(d, c); break;
	}
	d->cells++;
	if (d->nan)       /* at order 2 a weight of 0 may keep this order out of it, but no other */
		return isnan(c->y.f) ? 0 : OPEN;
	if (type_class(d->r->type) == 'F' && isfinite(c->y.f)
	    && !(fabs(c->y.f) + e <= float_limits(d->r->type)->most))
		return OPEN;
	return d->open || isnan(e) ? OPEN : e;
}
