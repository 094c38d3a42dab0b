/* pairs.c - pairs f[i] = sum[j](force(p[i], p[j])) within rc of pos
 *
 * Known by name, with its clauses, so that programs that use it are told that it is not built yet.
 * */
#include "pass.h"

static const struct clause clauses[] = {
	{ .name = "within", .values = 1, .then = "of" }, { .name = "strict" }, { 0 }
};

const struct pattern pattern_pairs = { .name = "pairs",
	                               .summary = "sums over pairs, perhaps within a distance",
	                               .clauses = clauses };
