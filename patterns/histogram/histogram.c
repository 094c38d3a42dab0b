/* histogram.c - histogram h[bin(x[i])] += 1
 *
 * Known by name, with its clauses, so that programs that use it are told that it is not built yet. */
#include "patc.h"

static const struct clause clauses[] = {
	{ .name = "drop" }, { .name = "trusted" }, { .name = "strict" }, { 0 }
};

const struct pattern pattern_histogram = { .name = "histogram", .summary = "counts into bins, combining", .clauses = clauses };
