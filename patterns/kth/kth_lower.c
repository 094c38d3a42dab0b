/* kth_lower.c - kth: the host sees a place that no sequence has, and launches what records it.
 * A place that the device computes is compared by the kernels, as they do where a mask says how
 * many cells count. */
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

bool kth_may_lack(const struct node *node)
{
	return node->where || expr_on_device(node->sorting->first);
}

struct kx *kth_taken(struct lowering *l, const struct node *node)
{
	return node->where ? lower_expr(l, node->where) : x_int(T_BOOL, 1);
}

struct kx *kth_place(struct lowering *l, const struct node *node, struct kx *host)
{
	if (host)
		return lower_argument(l, "place", kt_scalar(T_I64), host);
	struct kx *given = lower_index(l, node->sorting->first);
	given = x_var(k_let(l->k, "given", given));
	struct kx *cells = sort_cells(l, node);
	struct kx *is = x_and(x_le(x_i64(0), given), x_lt(given, cells));
	return x_var(k_let(l->k, "place", x_cond(is, given, cells)));
}

static void launch(struct plan *plan, const struct group *group, struct kx *some, struct kx *place)
{
	k_if(plan->host, some);
	(plan->target->gpu ? kth_gpu : kth_cpu)(plan, group, place);
	k_end(plan->host);
}

void kth_lower(struct plan *plan, const struct group *group)
{
	const struct node *node = group->anchor;
	struct lowering *host = host_lowering(plan);
	struct kx *some = kx_fold(x_lt(x_i64(0), sort_rows(host, node)));
	if (expr_on_device(node->sorting->first)) {
		launch(plan, group, some, NULL);
		return;
	}
	struct kx *place = plan_let(plan, "place", lower_index(host, node->sorting->first));
	struct kx *cells = sort_cells(host, node);
	struct kx *has = x_and(x_le(x_i64(0), place), x_lt(place, cells));
	k_if(plan->host, x_and(some, x_unary(OP_NOT, has)));
	sort_record(plan, node, ST_INDEX, "Records that there is no such place.");
	k_else(plan->host);
	launch(plan, group, some, place);
	k_end(plan->host);
}
