/* gather.c - gather y[i] = x[idx[i]]
 *
 * Known by name, with its clauses, so that programs that use it are told that it is not built yet. */
#include "patc.h"

static const struct clause clauses[] = {
	{ .name = "drop" }, { .name = "trusted" }, { 0 }
};

const struct pattern pattern_gather = { .name = "gather", .summary = "reads anywhere", .clauses = clauses };
