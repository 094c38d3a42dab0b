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
	int more;                            /* indices that run, after the first one */
};

static struct kth_code *compile(struct eval *ev, const struct node *node)
{
	struct kth_code *c = known_add(&ev->node, node->sorting, NEW(struct kth_code));
	c->value = place_of(ev, node->sorting->value);
	c->more = node->sorting->more;
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

/* The keys of a sequence that count. */
struct keys { struct num *at; int64_t n; double bound; bool open; };

/* At the bound cell. */
static void add_key(struct eval *ev, const struct kth_code *c, struct keys *keys)
{
	struct num taken = c->cells->where ? run(ev, c->cells->where) : num_int(1);
	keys->open |= taken.e > 0;
	if (!taken.i)
		return;
	struct num *key = &keys->at[keys->n++];
	*key = run(ev, c->key);
	keys->bound = worse(keys->bound, key->e);
}

static int64_t length_of(struct eval *ev, const struct cell_code *cells, int k)
{
	int64_t n = run(ev, cells->hi[k]).i - run(ev, cells->lo[k]).i;
	return n < 0 ? 0 : n;
}

static void add_keys(struct eval *ev, const struct kth_code *c, int k, struct keys *keys)
{
	const struct cell_code *cells = c->cells;
	if (k == cells->n) {
		add_key(ev, c, keys);
		return;
	}
	int64_t lo = run(ev, cells->lo[k]).i, n = length_of(ev, cells, k);
	for (int64_t i = lo; i < lo + n && step_on(ev, cells->node->at); i++) {
		cells->index[k]->value = num_int(i);
		add_keys(ev, c, k + 1, keys);
	}
}

/* At the bound outer indices; those from number `axis` on run. */
static void run_sequence(struct eval *ev, const struct kth_code *c, int axis)
{
	struct cell_code *cells = c->cells;
	struct num k = run(ev, c->place);
	struct keys keys = { .open = k.e > 0 };
	int64_t all = 1;
	for (int d = axis; d < cells->n; d++)
		all *= length_of(ev, cells, d);
	keys.at = array_new(all, sizeof *keys.at);
	add_keys(ev, c, axis, &keys);
	if (k.i < 0 || k.i >= keys.n) {
		if (keys.open)
			mark_open(ev, cells);
		else
			record(ev);
		return;
	}
	char class = type_class(c->key->type);
	qsort(keys.at, (size_t)keys.n, sizeof *keys.at, class == 'F'   ? by_float
	                                                : class == 'U' ? by_unsigned
	                                                               : by_int);
	keys.at[k.i].e = keys.bound;
	c->value->value = keys.at[k.i];
	ev->outside = false;
	struct num v = run(ev, cells->right[0]);
	if (!ev->outside)
		write_cells(ev, &cells->target[0], cells->right[0]->type, v, false);
	if (ev->outside)
		record(ev);
	if (keys.open)
		mark_open(ev, cells);
}

static void run_axis(struct eval *ev, const struct kth_code *c, int k)
{
	struct cell_code *cells = c->cells;
	if (k == cells->n - 1 - c->more) {
		run_sequence(ev, c, k);
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
