/* reciprocal.h - a division by a known divisor as two products: reciprocal.c. */
#ifndef RECIPROCAL_H
#define RECIPROCAL_H

#include "graph.h"

/* near is 1 / d rounded.  With a rest, a / d is fma(a, near, a * rest), of any a that is 0 or not
 * below least; if least is 0, of any a at all.  Without one (0), it is, with q = a * near,
 * fma(fma(-q, d, a), near, q), of any a from least to most. */
struct reciprocal { double near, rest, least, most; };

/* Of f32 or f64.  False: a power of two, or a divisor so large or so small that the products would
 * lose bits of ordinary numbers. */
bool reciprocal_find(enum scalar, double d, struct reciprocal *);

#endif
