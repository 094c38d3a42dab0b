/* sort.c - sort key with val by <
 *
 * Known by name, with its clauses, so that programs that use it are told that it is not built yet. */
#include "patc.h"

static const struct clause clauses[] = {
	{ .name = "with", .values = -2 }, { .name = "by", .values = 1 }, { .name = "stable" },
	{ .name = "unstable" }, { 0 }
};

const struct pattern pattern_sort = { .name = "sort", .summary = "sorts keys, with payloads", .clauses = clauses };
