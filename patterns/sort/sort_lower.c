/* sort_lower.c - sort and segsort: the ways to compute them are a table at the end of sort_gpu.c,
 * and one at the end of sort_cpu.c. */
#include "pass.h"
#include "../lowerings.h"
#include "sort.h"

enum { FEW = 256 };                          /* first ones, which are selected */

/* Why keys are not computed where a sort reads them. */
static const char *no_reads(const struct node *node, const struct target *target)
{
	const struct expr *first = node->sorting->first;
	struct affine wanted;
	bool few = first && affine_of(first, &wanted) && !wanted.n && wanted.constant <= FEW;
	return few || !target->gpu || !sort_digit_cells(node, target)
	               ? NULL
	               : "all of a long array is sorted by the digits of keys in memory";
}

void sort_shape(const struct node *node, const struct target *target, struct shape *s)
{
	s->vector = 1;
	s->no_vector = target->gpu ? "lanes take neighbouring keys, each into a register"
	                           : "the C compiler makes vectors of short sequences side by side";
	s->no_reads = no_reads(node, target);
	int cells = target->gpu ? sort_digit_cells(node, target) : 0;
	s->piece = cells ? "cell" : "sequence";
	s->pieces = cells ? cells : 1;
	s->no_pieces = target->gpu ? "a thread takes as many keys as its registers hold"
	                           : "threads share the sequences, and the parts of long ones";
}

void sort_lower(struct plan *plan, const struct group *group)
{
	(plan->target->gpu ? sort_gpu : sort_cpu)(plan, group);
}
