/* segsort.c - segsort key with val segments off: every segment of an array, or every row, by itself
 * (sorting.h). */
#include "eval.h"
#include "../lowerings.h"
#include "running.h"
#include "sorting.h"

static const struct clause clauses[] = {
	{ .name = "with", .values = -2 },
	{ .name = "by", .values = 1 },
	{ .name = "stable" },
	{ .name = "unstable" },
	{ .name = "segments of", .values = 1 },
	{ .name = "segments", .values = 1 },
	{ .name = "of", .values = 1 },
	{ .name = "first", .values = 1 },
	{ .name = "into", .values = 1 },
	{ .name = "drop" },
	{ .name = "trusted" },
	{ 0 }
};

static bool check(struct node *node)
{
	const struct var *key = node->sorting->key->var;
	if (key->rank > 1 || node->running->segment != SEGMENT_NONE)
		return true;
	diag_error(node->sorting->key->at, D_SORT_ARRAY,
	           "nothing says where the segments of `%s` begin", key->name);
	diag_cure("`segments off`, `segments of 32`, an array with rows; or `sort` for the whole "
	          "array");
	return false;
}

const struct pattern pattern_segsort = { .name = "segsort",
	                                 .summary = "sorts every segment",
	                                 .clauses = clauses,
	                                 .elsewhere = sort_elsewhere,
	                                 .sorts = true,
	                                 .front = &sort_front,
	                                 .check = check,
	                                 .lower = sort_lower,
	                                 .eval = sort_eval,
	                                 .fuse = FUSE_READS,
	                                 .shape = sort_shape };
