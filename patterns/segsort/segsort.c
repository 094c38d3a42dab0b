/* segsort.c - segsort key with val segments off
 *
 * Known by name, with its clauses, so that programs that use it are told that it is not built yet. */
#include "patc.h"

static const struct clause clauses[] = {
	{ .name = "with", .values = -2 }, { .name = "by", .values = 1 }, { .name = "stable" },
	{ .name = "segments", .values = 1 }, { .name = "first", .values = 1 },
	{ .name = "into", .values = 1 }, { 0 }
};

const struct pattern pattern_segsort = { .name = "segsort", .summary = "sorts every segment", .clauses = clauses };
