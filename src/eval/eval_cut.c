/* eval_cut.c - offsets that cut an array into segments, of scans and sorts. */
#include "eval_impl.h"

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
