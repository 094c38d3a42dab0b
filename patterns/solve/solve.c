/* solve.c - solve x[i] in a[i] * x[i-1] + b[i] * x[i] + c[i] * x[i+1] = d[i]: systems of linear
 * equations.  An equation has neighbouring unknowns along one axis (solving.h).
 *
 * The other axes are a batch.  solve_form.c takes the equation apart into coefficients, and
 * solve_sema.c makes a row of them, so that all that follows sees expressions without the unknown.
 * solve_lower.c chooses the way. */
#include "eval.h"
#include "../access.h"
#include "solve.h"

static const struct clause clauses[] = {
	{ .name = "boundary", .values = -1, .words = "clamp wrap mirror reflect keep" },
	{ .name = "pivot" },
	{ .name = "symmetric positive" },
	{ 0 }
};

static bool check(struct node *node)
{
	return access_writes_once(node);
}

const struct pattern pattern_solve = { .name = "solve",
	                               .summary = "solves systems of linear equations",
	                               .clauses = clauses,
	                               .front = &solve_front,
	                               .recurs = true,
	                               .solves = true,
	                               .fuse = FUSE_READS,
	                               .check = check,
	                               .lower = solve_lower,
	                               .eval = solve_eval,
	                               .shape = solve_shape };
