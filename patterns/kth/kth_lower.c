/* kth_lower.c - kth: the host sees a place that no sequence has, and launches what records it. */
#include "kth.h"
#include "pass.h"
#include "../sort/sort.h"

void kth_shape(const struct node *node, const struct target *target, struct shape *s)
{
	(void)node, (void)target;
	s->vector = 1;
	s->no_vector = "words are counted one by one";
	s->piece = "sequence";
	s->pieces = 1;
	s->no_pieces = "threads share a sequence, or take one after another";
}

void kth_lower(struct plan *plan, const struct group *group)
{
	const struct node *node = group->anchor;
	struct lowering *host = host_lowering(plan);
	struct kx *place = plan_let(plan, "place", lower_index(host, node->sorting->first));
	struct kx *cells = sort_cells(host, node);
	struct kx *some = kx_fold(x_lt(x_i64(0), sort_rows(host, node)));
	struct kx *has = x_and(x_le(x_i64(0), place), x_lt(place, cells));
	k_if(plan->host, x_and(some, x_unary(OP_NOT, has)));
	sort_record(plan, node, ST_INDEX, "Records that there is no such place.");
	k_else(plan->host);
	k_if(plan->host, some);
	(plan->target->gpu ? kth_gpu : kth_cpu)(plan, group, place);
	k_end(plan->host);
	k_end(plan->host);
}
