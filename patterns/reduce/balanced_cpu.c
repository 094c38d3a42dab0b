/* balanced_cpu.c - the same on a CPU: threads share the parts, a part computes its rows one after
 * another. */
#include "balanced.h"

enum { LONG_ROW = 64 };                  /* terms, from which several accumulators pay (lanes.c) */

static void launch(struct balanced *b, const char *text)
{
	k_text(b->l->k, text);
	lowering_launch(b->l, x_i64(1), x_i64(1), x_i64(1));
}

static void find_path(struct balanced *b, struct plan *plan)
{
	balanced_open(b, plan, "_path");
	balanced_array(b, "path", T_I64, b->path, false);
	balanced_number(b, "parts", b->host_parts);
	if (b->checks)
		balanced_array(b, "falls", T_I32, b->falls, false);
	launch(b, "find_path_cpu");
}

static void check_rows(struct balanced *b, struct plan *plan)
{
	balanced_open(b, plan, "_rising");
	balanced_array(b, "falls", T_I32, b->falls, false);
	launch(b, "check_rows_cpu");
}

static void set_term(void *state, struct kx *e)
{
	balanced_bind_term(state, e);
}

static struct kx *fold_in_lanes(struct lowering *l, const void *balanced, struct kx *const *end)
{
	struct balanced *b = (struct balanced *)balanced;
	lanes_fold(l, &b->folds, &b->acc, end[0], end[1], set_term, b);
	return NULL;
}

static bool in_lanes(const struct balanced *b)
{
	for (int f = 0; f < b->folds.n; f++)
		if (expr_checked(b->folds.at[f]))
			return false;
	return !b->ordered;
}

static void compute_parts(struct balanced *b, struct plan *plan)
{
	balanced_open(b, plan, "");
	balanced_array(b, "path", T_I64, b->path, true);
	balanced_slots(b, true);
	balanced_number(b, "parts", b->host_parts);
	if (b->checks)
		balanced_array(b, "falls", T_I32, b->falls, b->after);
	k_numbers(b->l->k, "IN_LANES, LONG_ROW", in_lanes(b), LONG_ROW);
	k_bind_call(b->l->k, "fold_in_lanes", fold_in_lanes, b);
	launch(b, "compute_parts_cpu");
}

static void fold_rows_of_parts(struct balanced *b, struct plan *plan)
{
	balanced_open(b, plan, "_fold");
	balanced_array(b, "path", T_I64, b->path, true);
	balanced_slots(b, false);
	balanced_number(b, "parts", b->host_parts);
	if (b->checks)
		balanced_array(b, "falls", T_I32, b->falls, true);
	launch(b, "fold_rows_of_parts_cpu");
}

void balanced_cpu(struct balanced *b, struct plan *plan)
{
	k_if(plan->host, x_lt(x_i64(0), b->host_parts));
	find_path(b, plan);
	if (b->checks && b->after)
		check_rows(b, plan);
	compute_parts(b, plan);
	fold_rows_of_parts(b, plan);
	k_end(plan->host);
}
