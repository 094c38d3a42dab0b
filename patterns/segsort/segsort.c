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
	           "the begins of the segments of `%s` are not given", key->name);
	diag_cure("write `segments off` or `segments of 32`, or sort an array with rows; `sort` "
	          "sorts the whole array");
	return false;
}

const struct pattern pattern_segsort = { .name = "segsort",
	                                 .summary = "sorts each segment of an array",
	                                 .clauses = clauses,
	                                 .elsewhere = sort_elsewhere,
	                                 .sorts = true,
	                                 .front = &sort_front,
	                                 .check = check,
	                                 .lower = sort_lower,
	                                 .eval = sort_eval,
	                                 .fuse = FUSE_READS,
	                                 .shape = sort_shape };
