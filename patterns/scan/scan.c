/* scan.c - scan p[i] = sum(x[i])
 *
 * Known by name, with its clauses, so that programs that use it are told that it is not built yet. */
#include "patc.h"

static const struct clause clauses[] = {
	{ .name = "exclusive" }, { .name = "inclusive" },
	{ .name = "from", .values = 1, .words = "right" }, { .name = "segments", .values = 1 },
	{ .name = "heads", .values = 1 }, { .name = "keys", .values = 1 },
	{ .name = "of", .values = 1 }, { .name = "using" }, { .name = "strict" }, { 0 }
};

const struct pattern pattern_scan = { .name = "scan", .summary = "running folds and recurrences", .clauses = clauses };
