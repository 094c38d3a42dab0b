/* kth_lower.c - kth: the host sees a place that no sequence has, and launches what records it.
 * A place that the device computes, for all sequences or for each, is compared by the kernels, as
 * they do where a mask says how many cells count. */
#include "ask.h"
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

bool kth_varies(const struct node *node)
{
	return expr_uses_cell(node, node->sorting->first);
}

bool kth_on_host(const struct node *node)
{
	return !kth_varies(node) && !expr_on_device(node->sorting->first);
}

bool kth_may_lack(const struct node *node)
{
	return node->where || !kth_on_host(node);
}

struct kx *kth_taken(struct lowering *l, const struct node *node)
{
	return node->where ? lower_expr(l, node->where) : x_int(T_BOOL, 1);
}

struct kx *kth_given(struct lowering *l, const struct node *node)
{
	const struct expr *place = node->sorting->first;
	return (expr_by_sizes(place) ? lower_index : lower_wrapping)(l, place);
}

static struct kx *place_of(struct lowering *l, const struct node *node)
{
	struct kx *given = kth_given(l, node);
	given = x_var(k_let(l->k, "given", given));
	struct kx *cells = sort_cells(l, node);
	struct kx *is = x_and(x_le(x_i64(0), given), x_lt(given, cells));
	return x_var(k_let(l->k, "place", x_cond(is, given, cells)));
}

void kth_bind_place(struct lowering *l, const struct node *node, struct kx *host)
{
	if (host)
		k_bind(l->k, "place", lower_argument(l, "place", kt_scalar(T_I64), host));
	else if (!kth_varies(node))
		k_bind(l->k, "place", place_of(l, node));
}

void kth_bind_own_place(struct lowering *l, const struct node *node)
{
	if (kth_varies(node))
		k_bind(l->k, "place", place_of(l, node));
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
	if (!kth_on_host(node)) {
		launch(plan, group, some, NULL);
		return;
	}
	struct kx *place = plan_let(plan, "place", kth_given(host, node));
	struct kx *cells = sort_cells(host, node);
	struct kx *has = x_and(x_le(x_i64(0), place), x_lt(place, cells));
	k_if(plan->host, x_and(some, x_unary(OP_NOT, has)));
	sort_record(plan, node, ST_INDEX, "Records that there is no such place.");
	k_else(plan->host);
	launch(plan, group, some, place);
	k_end(plan->host);
}
