/* eval_cut.c - segments of arrays for scans and sorts, and ranges of indices, that depend on
 * data. */
#include "eval_impl.h"
#include "expansion.h"
#include "ragged.h"

struct num cut_at(const struct place *cut, int64_t k)
{
	struct num v = num_load(cut->type, cut->data + k * type_size(cut->type));
	v.e = cut->error[k];
	return v;
}

bool offsets_rise(struct eval *ev, const struct node *node, const struct place *cut, int64_t n,
                  bool *open)
{
	bool rise = true;
	uint64_t before = 0;
	for (int64_t k = 0; k < cut->cells && step_on(ev, node->at); k++) {
		struct num at = cut_at(cut, k);
		/* a negative one is too large */
		rise &= (uint64_t)at.i >= before && (uint64_t)at.i <= (uint64_t)n;
		before = (uint64_t)at.i;
		*open |= at.e > 0;
	}
	return rise;
}

void cut_range(struct eval *ev, const struct code *c, int k, int64_t *lo, int64_t *hi)
{
	const struct cut *cut = fold_cut(c->expr->fold, k);
	if (cut && cut->rises && *hi < *lo)
		record(ev);
	if (!c->fold->end[k])
		return;
	int64_t end = run(ev, c->fold->end[k]).i;
	if (*lo < *hi && (*lo < 0 || *hi > end))
		record(ev);
	*lo = *lo < 0 ? 0 : *lo;
	*hi = *hi > end ? end : *hi;
}

struct code **expansion_codes(struct eval *ev, const struct node *node)
{
	struct code **count = array_new(node->index.n, sizeof *count);
	for (int k = 0; node->expand && k < node->index.n; k++)
		if (node->expand->count[k])
			count[k] = code_of(ev, node->expand->count[k]);
	return count;
}

bool range_of(struct eval *ev, const struct range_code *r, int64_t *lo, int64_t *hi)
{
	ev->outside = false;
	struct num from = run(ev, r->lo), to = run(ev, r->hi);
	ev->all_open |= from.e > 0 || to.e > 0;
	*lo = from.i;
	*hi = to.i;
	if (ev->outside)
		record(ev);
	else if (r->count)
		cut_range(ev, r->count, 0, lo, hi);
	return !ev->outside;
}
