/* tune_ends.c - pins for the smallest or the largest sizes alone: `tile 8 x 32 when n < 1024;`.
 *
 * A kernel that was measured with several values of a size has one schedule for all of them at
 * first.  For each end of those values, the search goes on from it, and only rows of the outermost
 * value count.  What it finds is compared over all rows: its pins hold for as many values,
 * beginning with the outermost one, as it is no slower for, under a condition.  Then the text has a
 * variant for the condition, and is taken if it is faster for these values and no slower for the
 * others. */
#include "tune.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- sizes and their values ---- */

struct numbers { int64_t *at; int n, room; };

static int64_t size_of(const json_t *row, const char *name)
{
	return json_integer_value(json_object_get(json_object_get(row, "sizes"), name));
}

static int order(const void *a, const void *b)
{
	const int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
	return (x > y) - (x < y);
}

/* The values of a size, each once, in their order. */
static struct numbers values_of(const json_t *rows, const char *name)
{
	struct numbers all = { 0 };
	int n = 0;
	for (size_t i = 0; i < json_array_size(rows); i++)
		list_add(&all, size_of(json_array_get(rows, i), name));
	if (all.n)
		qsort(all.at, (size_t)all.n, sizeof *all.at, order);
	for (int i = 0; i < all.n; i++)
		if (i == 0 || all.at[i] != all.at[i - 1])
			all.at[n++] = all.at[i];
	all.n = n;
	return all;
}

struct ends ends_of(const json_t *rows)
{
	struct ends ends = { 0 };
	const char *name;
	json_t *value;
	json_object_foreach(json_object_get(json_array_get(rows, 0), "sizes"), name, value)
		if (values_of(rows, name).n > 1) {
			list_add(&ends, ((struct end){ name, false }));
			list_add(&ends, ((struct end){ name, true }));
		}
	return ends;
}

/* The outermost n values of an end. */
static struct extent outermost(struct end end, const struct numbers *v, int n)
{
	return end.largest ? (struct extent){ end.name, v->at[v->n - n], v->at[v->n - 1] }
	                   : (struct extent){ end.name, v->at[0], v->at[n - 1] };
}

struct extent end_outermost(struct end end, const json_t *rows)
{
	const struct numbers v = values_of(rows, end.name);
	return outermost(end, &v, 1);
}

bool end_extent(struct end end, json_t *const *run, json_t *const *base, int runs,
                struct extent *found)
{
	const struct numbers v = values_of(base[0], end.name);
	int n = 0;
	while (n + 1 < v.n && tune_judge(run, base, runs, outermost(end, &v, n + 1)).no_slower)
		n++;
	while (n > 0 && !tune_judge(run, base, runs, outermost(end, &v, n)).faster)
		n--;
	if (n > 0)
		*found = outermost(end, &v, n);
	return n > 0;
}

/* The next value that is not in the extent is the limit of the smallest ones. */
const char *extent_text(struct end end, struct extent e, const json_t *rows)
{
	const struct numbers v = values_of(rows, end.name);
	const int64_t limit = end.largest ? e.least : e.most;
	for (int i = 0; i < v.n; i++)
		if (v.at[i] == limit)
			return str_print("%s %s %lld", end.name, end.largest ? ">" : "<",
			                 (long long)v.at[end.largest ? i - 1 : i + 1]);
	return NULL;
}

/* ---- a kernel ---- */

/* The text with these pins, compiled; false: it is refused, or was compiled before. */
static bool build(struct tuned *t, const struct pins *pins, struct candidate *to)
{
	struct candidates all = { 0 };
	list_add(&all, ((struct candidate){ .pins = *pins, .good = true }));
	all.at[0].attempt.text = "with a condition";
	tune_names(t, &all, "text");
	tune_texts(t, &all);
	if (all.at[0].good)
		tune_compile(t, &all);
	*to = all.at[0];
	return to->good;
}

/* The best text so far, and then what the search has found for this end. */
static void take_end(struct tuned *t, struct end end, const struct tuned *common)
{
	const struct turns r = tune_turns(t, common->best, t->best);
	struct extent e;
	struct candidate c;
	const struct pins found = t->pins;
	t->pins = common->pins;
	t->best = common->best;
	t->after = common->after;
	if (r.n < TUNE_RUNS || !end_extent(end, r.run, r.base, r.n, &e))
		return;
	const struct pins pins = pins_when(&t->pins, &found, extent_text(end, e, t->before));
	if (!build(t, &pins, &c))
		return;
	const struct turns both = tune_turns(t, t->best, c.stem);
	if (both.n < TUNE_RUNS || !tune_judge(both.run, both.base, both.n, e).faster
	    || !tune_judge(both.run, both.base, both.n, (struct extent){ 0 }).no_slower
	    || !tune_agrees(t, c.stem))
		return;
	t->pins = c.pins;
	t->best = c.stem;
	t->after = rows_median(both.run, both.n);
}

void tune_end(struct tuned *t, struct end end)
{
	const struct tuned common = *t;
	t->within = end_outermost(end, t->before);
	t->kept = t->best;
	t->seen.n = 0;                   /* what is slower for all rows may be faster here */
	tune_search(t);
	t->until = (double)INFINITY;     /* for one text more */
	if (t->best != common.best && !jobs_stopped())
		take_end(t, end, &common);
	else
		t->pins = common.pins, t->best = common.best, t->after = common.after;
	t->within = common.within;
	t->kept = NULL;
}
