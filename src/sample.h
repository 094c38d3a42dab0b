/* sample.h - values to try a kernel with: the same on every machine (sample.c). */
#ifndef SAMPLE_H
#define SAMPLE_H

#include "patc.h"

/* TAME: floats in [-2, 2), small integers.  WIDE: integers of the full range with both extremes.
 * SPECIAL: floats with zeros of both signs, infinities, NaN, the largest and the smallest. */
enum flavour { TAME, WIDE, SPECIAL };

int chance_below(uint64_t *state, int n);
/* One value of any type; a scalar parameter's integers are small, since they are counts of passes
 * as often as not. */
void sample(uint64_t *state, const struct type *, enum flavour, bool scalar, void *to);

#endif
