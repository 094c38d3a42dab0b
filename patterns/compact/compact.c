/* compact.c - compact y, count = x[i] where x[i] > 0
 *
 * Known by name, with its clauses, so that programs that use it are told that it is not built yet. */
#include "patc.h"

static const struct clause clauses[] = {
	{ .name = "stable" }, { .name = "unordered" }, { .name = "else" }, { 0 }
};

const struct pattern pattern_compact = { .name = "compact", .summary = "keeps the cells a condition selects", .clauses = clauses };
