/* cutoff.c - how many slots a grid of cells has: cutoff.h. */
#include "cutoff.h"

enum { SLOTS_A_BODY = 2, SLOTS_LEAST = 64 };

struct affine cutoff_slots(const struct cutoff *c)
{
	struct affine slots = affine_constant(SLOTS_LEAST);
	affine_add(&slots, &c->bodies, SLOTS_A_BODY);
	return slots;
}
