/* tune_search.c - the fastest pins of a kernel: pin by pin, statement by statement, until nothing
 * changes.
 *
 * The texts of a pin are compiled, several at a time, and measured shortly; the faster half of them
 * twice as long, and so on.  Against the best so far the last one is measured in turns.  Only rows
 * within t->within count. */
#include "tune.h"

#include <math.h>
#include <stdlib.h>

static double seconds_of(const struct tuned *t)
{
	return t->o->milliseconds / 1e3;
}

static void say(const struct tuned *t, const struct unit *u, enum pin pin, int n)
{
	static const char *const name[] = {
#define PIN(id, name, form, built) name,
#include "pin.def"
#undef PIN
	};
	const double left = t->until - seconds_now();
	bench_progress(str_print("%s %s%s%s: %d texts, %.0f s left", t->name,
	                         u->label ? u->label : "", u->label ? ": " : "", name[pin], n,
	                         left > 0 ? left : 0));
}

/* ---- two texts in turns ---- */

struct turns tune_turns(struct tuned *t, const char *base, const char *stem)
{
	struct turns r = { .n = 0 };
	for (; r.n < TUNE_RUNS && !jobs_stopped(); r.n++) {
		r.base[r.n] = tune_measure(t, base, seconds_of(t));
		r.run[r.n] = tune_measure(t, stem, seconds_of(t));
		if (!r.base[r.n] || !r.run[r.n])
			break;
	}
	return r;
}

/* ---- successive halving ---- */

static int order(const void *a, const void *b)
{
	const double x = ((const struct candidate *)a)->score,
		     y = ((const struct candidate *)b)->score;
	return (x > y) - (x < y);
}

/* Those that are good, fastest first; how many there are. */
static int ordered(struct candidates *c)
{
	int n = 0;
	qsort(c->at, (size_t)c->n, sizeof *c->at, order);
	while (n < c->n && isfinite(c->at[n].score))
		n++;
	return n;
}

static void measure_all(struct tuned *t, struct candidates *c, double seconds)
{
	json_t *base = tune_left(t) ? tune_measure(t, t->best, seconds) : NULL;
	for (int k = 0; k < c->n; k++) {
		struct candidate *of = &c->at[k];
		of->score = (double)INFINITY;
		if (base && tune_left(t))
			of->score = rows_score(tune_measure(t, of->stem, seconds), base, t->within);
	}
}

/* NULL: none is faster, or the time is over. */
static const struct candidate *fastest(struct tuned *t, struct candidates *c)
{
	double seconds = seconds_of(t);
	for (int k = c->n; k > 1; k = (k + 1) / 2)
		seconds /= 2;
	for (;; seconds *= 2) {
		measure_all(t, c, seconds);
		c->n = ordered(c);
		if (c->n < 2)
			break;
		c->n = (c->n + 1) / 2;
	}
	return c->n && c->at[0].score < 1 ? &c->at[0] : NULL;
}

/* ---- a pin ---- */

/* Is it better than the best?  Then it is that from now on. */
static bool take(struct tuned *t, const struct candidate *c)
{
	const struct turns r = tune_turns(t, t->best, c->stem);
	if (r.n < TUNE_RUNS || !tune_judge(r.run, r.base, r.n, t->within).faster
	    || !tune_agrees(t, c->stem))
		return false;
	t->pins = c->pins;
	t->best = c->stem;
	t->after = rows_median(r.run, r.n);
	return true;
}

static void keep_good(struct candidates *c)
{
	int n = 0;
	for (int k = 0; k < c->n; k++)
		if (c->at[k].good)
			c->at[n++] = c->at[k];
	c->n = n;
}

static bool try_pin(struct tuned *t, const struct unit *u, enum pin pin)
{
	const struct attempts all = attempts_of(pin, u);
	struct candidates c = { 0 };
	for (int k = 0; k < all.n && tune_left(t); k++)
		tune_candidate(t, u, &all.at[k], &c);
	tune_names(t, &c, "text");
	tune_texts(t, &c);
	keep_good(&c);
	if (!c.n)
		return false;
	say(t, u, pin, c.n);
	tune_compile(t, &c);
	keep_good(&c);
	const struct candidate *best = tune_left(t) ? fastest(t, &c) : NULL;
	return best && take(t, best);
}

static bool try_all(struct tuned *t, const struct units *u)
{
	bool taken = false;
	for (int i = 0; i < u->n; i++)
		for (const enum pin *pin = tried_order; *pin != PIN_COUNT; pin++)
			taken = try_pin(t, &u->at[i], *pin) || taken;
	return taken;
}

void tune_search(struct tuned *t)
{
	const struct units u = units_of(t->program->entry.at[0]);
	while (tune_left(t) && try_all(t, &u))
		;
}
