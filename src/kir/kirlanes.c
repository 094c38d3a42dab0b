/* kirlanes.c - how a value differs from lane to lane of a warp.
 *
 * A value is a base that all lanes share, and what each lane adds to it: a number of its own, and a
 * multiple of one large number that is not known, as the length of a row.  So thread.x is 32 times
 * the warp, and 0, 1, 2, ...; of `(thread.x / 8) * m + thread.x % 8` lane 9 has 1 * m + 1.
 *
 * Sizes are taken as large: a division by one gives the same in all lanes, the rest of it keeps
 * their steps, and so do a shift and a mask by as many bits as the host has found; an index that is
 * kept inside an array is inside.  Where two numbers are joined by `|`, their bits are apart. */
#include "kirlanes.h"

#include <string.h>

struct lanes lanes_of_kind(int n, int kind)
{
	struct lanes v = { .n = n, .multiple = 1 };
	v.kind = kind;
	return v;
}

/* Larger numbers say no more of an access, and their sums and products might overflow. */
static const int64_t large = (int64_t)1 << 20, huge = (int64_t)1 << 40;

static bool is_below(int64_t number, int64_t limit)
{
	return -limit < number && number < limit;
}

struct lanes lanes_number(int n, int64_t number)
{
	struct lanes v = lanes_of_kind(n, LANES_STEPS);
	if (!is_below(number, huge))
		return v;
	v.known = true;
	v.base = number;
	return v;
}

struct lanes lanes_even(int n, int64_t multiple)
{
	struct lanes v = lanes_of_kind(n, LANES_STEPS);
	v.multiple = multiple;
	return v;
}

/* Does a lane add another multiple of the scale than the first one? */
static bool is_scaled(const struct lanes *v)
{
	for (int l = 1; l < v->n; l++)
		if (v->by[l] != v->by[0])
			return true;
	return false;
}

bool lanes_are_even(const struct lanes *v)
{
	if (v->kind != LANES_STEPS)
		return false;
	for (int l = 1; l < v->n; l++)
		if (v->at[l] != v->at[0])
			return false;
	return !is_scaled(v);
}

bool lanes_are_number(const struct lanes *v, int64_t *number)
{
	*number = v->base + v->at[0];
	return v->kind == LANES_STEPS && v->known && lanes_are_even(v);
}

bool lanes_equal(const struct lanes *a, const struct lanes *b)
{
	size_t bytes = sizeof *a->at * (size_t)a->n;
	return a->kind == b->kind && a->known == b->known && a->base == b->base
	       && a->multiple == b->multiple && !memcmp(a->at, b->at, bytes)
	       && !memcmp(a->by, b->by, bytes) && a->scale == b->scale;
}

/* Do they differ by what is the same in all lanes?  Then *apart is that, if it is a number. */
static bool is_parallel(const struct lanes *a, const struct lanes *b, int64_t *apart)
{
	*apart = b->at[0] - a->at[0];
	for (int l = 1; l < a->n; l++)
		if (b->at[l] - a->at[l] != *apart
		    || b->by[l] - a->by[l] != b->by[0] - a->by[0])
			return false;
	return !is_scaled(a) || a->scale == b->scale;
}

bool lanes_are_parallel(const struct lanes *a, const struct lanes *b)
{
	int64_t apart;
	return a->kind == LANES_STEPS && b->kind == LANES_STEPS && is_parallel(a, b, &apart);
}

static int64_t multiple_of(const struct lanes *v)
{
	return v->known ? v->base : v->multiple;
}

struct lanes lanes_mixed(const struct lanes *a, const struct lanes *b)
{
	if (a->kind == LANES_NONE || b->kind == LANES_NONE)
		return lanes_of_kind(a->n, LANES_NONE);
	if (a->kind == LANES_DATA || b->kind == LANES_DATA)
		return lanes_of_kind(a->n, LANES_DATA);
	bool even = lanes_are_even(a) && lanes_are_even(b);
	return even ? lanes_even(a->n, 1) : lanes_of_kind(a->n, LANES_OPEN);
}

struct lanes lanes_join(const struct lanes *a, const struct lanes *b)
{
	int64_t apart;
	if (a->kind == LANES_NONE || b->kind == LANES_NONE)
		return a->kind == LANES_NONE ? *b : *a;
	if (a->kind != LANES_STEPS || b->kind != LANES_STEPS || !is_parallel(a, b, &apart)) {
		struct lanes mixed = lanes_mixed(a, b);
		return mixed.kind == LANES_STEPS ? lanes_of_kind(a->n, LANES_OPEN) : mixed;
	}
	struct lanes v = *a;
	v.multiple = gcd(gcd(multiple_of(a), multiple_of(b)), apart);
	v.known = a->known && b->known && a->base == b->base && !apart;
	v.base = v.known ? a->base : 0;
	v.multiple = v.known || !v.multiple ? 1 : v.multiple;
	return v;
}

/* ---- arithmetic ---- */

static struct lanes sum(const struct lanes *a, const struct lanes *b, int sign)
{
	bool two = is_scaled(a) && is_scaled(b) && a->scale != b->scale;
	bool fits = is_below(a->base, huge) && is_below(b->base, huge);
	struct lanes v = *a;
	for (int l = 0; l < v.n; l++) {
		v.at[l] += sign * b->at[l];
		v.by[l] += sign * b->by[l];
		fits &= is_below(v.at[l], huge) && is_below(v.by[l], huge);
	}
	v.scale = is_scaled(a) ? a->scale : b->scale;
	v.known = a->known && b->known;
	v.base = v.known ? a->base + sign * b->base : 0;
	v.multiple = v.known ? 1 : gcd(multiple_of(a), multiple_of(b));
	v.multiple = v.multiple ? v.multiple : 1;
	return two || !fits ? lanes_of_kind(v.n, LANES_OPEN) : v;
}

static struct lanes times(const struct lanes *a, int64_t factor)
{
	struct lanes v = *a;
	bool fits = is_below(factor, large) && is_below(v.base, huge) && v.multiple < huge;
	for (int l = 0; l < v.n; l++)
		fits &= is_below(v.at[l], huge) && is_below(v.by[l], huge);
	if (!fits)
		return lanes_of_kind(v.n, lanes_are_even(a) ? LANES_STEPS : LANES_OPEN);
	for (int l = 0; l < v.n; l++)
		v.at[l] *= factor, v.by[l] *= factor;
	v.base *= factor;
	v.multiple = factor ? v.multiple * (factor < 0 ? -factor : factor) : 1;
	v.known = v.known || !factor;
	return v;
}

/* By a number that is the same in all lanes and not known. */
static struct lanes scaled(const struct lanes *a, const struct kvar *of)
{
	struct lanes v = lanes_even(a->n, a->known ? 1 : a->multiple);
	if (is_scaled(a))
		return lanes_of_kind(a->n, LANES_OPEN);
	for (int l = 0; l < v.n; l++)
		v.by[l] = a->at[l] - a->at[0];
	v.scale = of;
	return v;
}

static struct lanes product(const struct lanes *a, const struct lanes *b, const struct kvar *of)
{
	int64_t number;
	if (lanes_are_number(b, &number))
		return times(a, number);
	if (lanes_are_number(a, &number))
		return times(b, number);
	if (lanes_are_even(a) && lanes_are_even(b))
		return lanes_even(a->n, 1);
	return lanes_are_even(b)   ? scaled(a, of)
	       : lanes_are_even(a) ? scaled(b, of)
	                           : lanes_of_kind(a->n, LANES_OPEN);
}

static int64_t quotient(int64_t a, int64_t b)
{
	return a / b - (a % b < 0);
}

/* Do all lanes add less than what the base is a multiple of?  Then a division by a multiple of that
 * is one of the base. */
static bool is_inside(const struct lanes *v)
{
	for (int l = 0; l < v->n; l++)
		if (v->at[l] < 0 || v->at[l] >= v->multiple)
			return false;
	return !v->known;
}

static struct lanes divided(const struct lanes *a, int64_t by, bool rest)
{
	struct lanes v = *a;
	for (int l = 0; v.known && l < v.n; l++)
		v.at[l] += v.base;
	v.base = v.known ? 0 : v.base;
	if (by > 0 && !is_scaled(a) && by % v.multiple == 0 && is_inside(&v))
		return rest ? v : lanes_even(a->n, 1);
	if (by <= 0 || is_scaled(a) || multiple_of(&v) % by != 0)
		return lanes_are_even(a) ? lanes_even(a->n, 1) : lanes_of_kind(a->n, LANES_OPEN);
	for (int l = 0; l < v.n; l++) {
		int64_t q = quotient(v.at[l], by);
		v.at[l] = rest ? v.at[l] - q * by : q;
	}
	v.known = a->known || rest;
	v.multiple = v.known ? 1 : a->multiple / by;
	return v;
}

/* By a size, say: that is larger than what the lanes differ in. */
static struct lanes divided_by_large(const struct lanes *a, bool rest)
{
	struct lanes v = *a;
	v.known = false;
	v.base = 0;
	v.multiple = 1;
	return rest ? v : lanes_even(a->n, 1);
}

static bool is_power(int64_t x)
{
	return x > 0 && !(x & (x - 1));
}

struct lanes lanes_operation(enum operation op, const struct lanes *a, const struct lanes *b,
                             const struct kvar *of)
{
	if (a->kind != LANES_STEPS || b->kind != LANES_STEPS)
		return lanes_mixed(a, b);
	int64_t n;
	bool number = lanes_are_number(b, &n);
	bool shift = number && n >= 0 && n < 20;
	bool bits = op == OP_OR && (lanes_are_even(a) || lanes_are_even(b));
	if (op == OP_ADD || op == OP_SUB || bits)
		return sum(a, b, op == OP_SUB ? -1 : 1);
	if (op == OP_MUL)
		return product(a, b, of);
	if (op == OP_DIV || op == OP_REM)
		return number              ? divided(a, n, op == OP_REM)
		       : lanes_are_even(b) ? divided_by_large(a, op == OP_REM)
		                           : lanes_mixed(a, b);
	if (op == OP_SHL && shift)
		return times(a, (int64_t)1 << n);
	if (op == OP_SHR && shift)
		return divided(a, (int64_t)1 << n, false);
	if (op == OP_AND && number && is_power(n + 1))
		return divided(a, n + 1, true);
	if ((op == OP_AND || op == OP_SHR) && !number && lanes_are_even(b))
		return divided_by_large(a, op == OP_AND);
	return lanes_mixed(a, b);
}

struct lanes lanes_clamped(const struct lanes *a, const struct lanes *b)
{
	if (a->kind == LANES_STEPS && lanes_are_even(b))
		return divided_by_large(a, true);
	if (b->kind == LANES_STEPS && lanes_are_even(a))
		return divided_by_large(b, true);
	return lanes_mixed(a, b);
}
