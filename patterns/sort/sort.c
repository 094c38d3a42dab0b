/* sort.c - sort key with val by <: one array, and what moves along with it (sorting.h). */
#include "eval.h"
#include "../lowerings.h"
#include "sorting.h"

static const struct clause clauses[] = {
	{ .name = "with", .values = -2 },
	{ .name = "by", .values = 1 },
	{ .name = "stable" },
	{ .name = "unstable" },
	{ .name = "first", .values = 1 },
	{ .name = "into", .values = 1 },
	{ 0 }
};

static bool check(struct node *node)
{
	const struct var *key = node->sorting->key->var;
	if (key->rank == 1)
		return true;
	diag_error(node->sorting->key->at, D_SORT_ARRAY,
	           "`sort` needs an array of one axis, but `%s` has %d", key->name, key->rank);
	diag_cure("to sort each row, write `segsort`");
	return false;
}

const struct pattern pattern_sort = { .name = "sort",
	                              .summary = "sorts keys, and moves values with them",
	                              .clauses = clauses,
	                              .elsewhere = sort_elsewhere,
	                              .sorts = true,
	                              .front = &sort_front,
	                              .check = check,
	                              .lower = sort_lower,
	                              .eval = sort_eval,
	                              .fuse = FUSE_READS,
	                              .shape = sort_shape };
