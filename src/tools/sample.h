/* sample.h - values to try a kernel with: the same on every machine (sample.c). */
#ifndef SAMPLE_H
#define SAMPLE_H

#include "eval.h"
#include "front.h"

/* TAME: floats in [-2, 2), small integers.  WIDE: integers of the full range with both extremes.
 * SPECIAL: floats with zeros of both signs, infinities, NaN, the largest and the smallest.
 * EVEN: as TAME, and what points into arrays is spread over them: segments are equally long, and
 * subscripts are anywhere. */
enum flavour { TAME, WIDE, SPECIAL, EVEN };

int chance_below(uint64_t *state, int n);
int64_t chance_to(uint64_t *state, int64_t most);        /* 0 .. most */
/* One value of any type; a scalar parameter's integers are small, since they are counts of passes
 * as often as not. */
void sample(uint64_t *state, const struct type *, enum flavour, bool scalar, void *to);

/* sample_require.c: changes sizes until the conditions on sizes hold; false: none were found */
bool require_sizes(const struct entry *, int64_t *size, uint64_t *chances);
/* likewise scalar parameters, those that `may` allows (NULL: all), until all conditions hold */
void require_scalars(const struct entry *, struct bound *, bool (*may)(const struct var *, void *),
                     void *state, uint64_t *chances);

/* sample_use.c: parameters whose values are places in other arrays, or say where segments begin */
enum use_kind { USE_ANY, USE_OFFSETS, USE_HEADS, USE_KEYS, USE_SUBSCRIPT, USE_LENGTH, USE_END,
                USE_SORTED, USE_LINKS };
struct use { enum use_kind kind; struct affine size;     /* of the axis into which it points */
             /* it must not lead outside; no place twice; in one statement both */
             bool trusted, unique, blind; };
struct use use_of(const struct entry *, const struct var *);
struct affine axis_end(const struct node *);             /* of what the statement runs along */
/* All cells; n: the size.  WIDE: sometimes they lead outside. */
void sample_use(uint64_t *state, const struct use *, int64_t n, const struct type *, enum flavour,
	int64_t cells, void *to);

#endif
