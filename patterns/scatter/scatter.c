/* scatter.c - scatter y[idx[i]] += x[i]
 *
 * Known by name, with its clauses, so that programs that use it are told that it is not built yet. */
#include "patc.h"

static const struct clause clauses[] = {
	{ .name = "unique" }, { .name = "drop" }, { .name = "trusted" }, { .name = "strict" },
	{ 0 }
};

const struct pattern pattern_scatter = { .name = "scatter", .summary = "writes anywhere, combining", .clauses = clauses };
