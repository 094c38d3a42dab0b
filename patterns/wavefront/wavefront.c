/* wavefront.c - wavefront A[i, j] = p[i, j] + A[i-1, j] + A[i, j-1] - A[i-1, j-1] boundary 0
 *
 * What the cells read of their own tables, in which order, and what stands outside is settled by
 * wave_sema.c (wavefront.h); other arrays may be read anywhere, as legal.c proves or the run tests.
 * */
#include "eval.h"
#include "../access.h"
#include "../lowerings.h"
#include "wavefront.h"

static const struct clause clauses[] = {
	{ .name = "boundary", .values = -1, .words = "constant=" },
	{ .name = "from right" },
	{ .name = "from below" },
	{ .name = "using" },
	{ .name = "strict" },
	{ .name = "approx" },
	{ .name = "drop" },
	{ .name = "trusted" },
	{ 0 }
};

static bool check(struct node *node)
{
	return access_writes_once(node);
}

const struct pattern pattern_wavefront = { .name = "wavefront",
	                                   .summary =
	                                           "recurrences over neighbours along several axes",
	                                   .clauses = clauses,
	                                   .sweeps = true,
	                                   .recurs = true,
	                                   .fuse = FUSE_READS | FUSE_FRONT,
	                                   .front = &wavefront_front,
	                                   .check = check,
	                                   .lower = wavefront_lower,
	                                   .eval = wavefront_eval,
	                                   .shape = wavefront_shape };
