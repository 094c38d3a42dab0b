/* scan.c - scan p[i] = sum(x[i]): folds that run along an axis, and recurrences (running.h).
 *
 * What runs, along which axis and between which ends is settled by scan_sema.c.  A scan may
 * read its arrays anywhere, as legal.c proves or a run-time test
 * checks.  scan_lower.c chooses the way: scan_rows.c (the last axis, on a GPU), scan_columns.c
 * (another axis), scan_serial.c (totals that cannot be joined), scan_cpu.c. */
#include "eval.h"
#include "../access.h"
#include "../lowerings.h"
#include "running.h"

static const struct clause clauses[] = {
	{ .name = "exclusive" },
	{ .name = "inclusive" },
	{ .name = "from right" },
	{ .name = "from", .values = -1 },
	{ .name = "segments", .values = 1 },
	{ .name = "heads", .values = 1 },
	{ .name = "keys", .values = 1 },
	{ .name = "of", .values = 1 },
	{ .name = "using" },
	{ .name = "strict" },
	{ .name = "approx" },
	{ .name = "drop" },
	{ .name = "trusted" },
	{ 0 }
};

static const struct elsewhere elsewhere[] = {
	{ "boundary", "from", true }, { "initial", "from", true }, { "init", "from", true },
	{ "reverse", "from right", false }, { 0 }
};

static bool check(struct node *node)
{
	return access_writes_once(node);
}

const struct pattern pattern_scan = { .name = "scan",
	                              .summary = "running folds and recurrences along an axis",
	                              .clauses = clauses,
	                              .elsewhere = elsewhere,
	                              .unmasked = true,
	                              .front = &scan_front,
	                              .recurs = true,
	                              .fuse = FUSE_READS,
	                              .check = check,
	                              .lower = scan_lower,
	                              .eval = scan_eval,
	                              .shape = scan_shape };
