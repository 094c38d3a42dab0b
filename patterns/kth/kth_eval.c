/* kth_eval.c - the interpreter on a kth: the keys of a sequence are sorted, NaN last, -0 before 0,
 * and the one at its place is written.  Keys that may be off stay within the largest of their
 * bounds, since sorting does not widen the distance of two sequences.  A cell is open if that is
 * the place, or whether a cell counts. */
#include <math.h>
#include <stdlib.h>

#include "eval_impl.h"
#include "kth.h"
#include "sorting.h"

struct kth_code {
	struct cell_code *cells;
	struct code *key, *place;
	struct place *value;
};

static struct kth_code *compile(struct eval *ev, const struct node *node)
{
	struct kth_code *c = known_add(&ev->node, node->sorting, NEW(struct kth_code));
	c->value = place_of(ev, node->sorting->value);
	c->cells = compile_cells(ev, node);
	c->key = code_of(ev, node->sorting->key);
	c->place = code_of(ev, node->sorting->first);
	return c;
}

static int by_float(const void *a, const void *b)
{
	double x = ((const struct num *)a)->f, y = ((const struct num *)b)->f;
	if (isnan(x) || isnan(y))
		return isnan(x) - isnan(y);
	return x < y ? -1 : x > y ? 1 : (signbit(y) != 0) - (signbit(x) != 0);
}

static int by_int(const void *a, const void *b)
{
	int64_t x = ((const struct num *)a)->i, y = ((const struct num *)b)->i;
	return (x > y) - (x < y);
}

static int by_unsigned(const void *a, const void *b)
{
	uint64_t x = (uint64_t)((const struct num *)a)->i, y = (uint64_t)((const struct num *)b)->i;
	return (x > y) - (x < y);
}

/* At the bound outer indices. */
static void run_sequence(struct eval *ev, const struct kth_code *c)
{
	struct cell_code *cells = c->cells;
	int last = cells->n - 1;
	int64_t lo = run(ev, cells->lo[last]).i, n = run(ev, cells->hi[last]).i - lo;
	n = n < 0 ? 0 : n;
	struct num k = run(ev, c->place), *key = array_new(n, sizeof *key);
	char class = type_class(c->key->type);
	double bound = 0;
	bool open = k.e > 0;
	int64_t cell = lo, end = lo + n;
	for (n = 0; cell < end && step_on(ev, cells->node->at); cell++) {
		cells->index[last]->value = num_int(cell);
		struct num taken = cells->where ? run(ev, cells->where) : num_int(1);
		open |= taken.e > 0;
		if (!taken.i)
			continue;
		key[n] = run(ev, c->key);
		bound = worse(bound, key[n++].e);
	}
	if (k.i < 0 || k.i >= n) {
		if (open)
			mark_open(ev, cells);
		else
			record(ev);
		return;
	}
	qsort(key, (size_t)n, sizeof *key, class == 'F' ? by_float : class == 'U' ? by_unsigned
	                                                                         : by_int);
	key[k.i].e = bound;
	c->value->value = key[k.i];
	ev->outside = false;
	struct num v = run(ev, cells->right[0]);
	if (!ev->outside)
		write_cells(ev, &cells->target[0], cells->right[0]->type, v, false);
	if (ev->outside)
		record(ev);
	if (open)
		mark_open(ev, cells);
}

static void run_axis(struct eval *ev, const struct kth_code *c, int k)
{
	struct cell_code *cells = c->cells;
	if (k == cells->n - 1) {
		run_sequence(ev, c);
		return;
	}
	int64_t lo, hi;
	if (!range_of(ev, &(struct range_code){ cells->lo[k], cells->hi[k], NULL }, &lo, &hi))
		return;
	for (int64_t i = lo; i < hi && step_on(ev, cells->node->at); i++) {
		cells->index[k]->value = num_int(i);
		run_axis(ev, c, k + 1);
	}
}

void kth_eval(struct eval *ev, const struct node *node)
{
	struct kth_code *c = known_find(ev->node, node->sorting);
	run_axis(ev, c ? c : compile(ev, node), 0);
}
