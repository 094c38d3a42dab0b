/* balanced_cpu.c - the same on a CPU: threads share the parts, a part computes its rows one after another. */
#include "balanced.h"

enum { LONG_ROW = 64 };                  /* terms, from which several accumulators pay (lanes.c) */

static void path_cpu(struct balanced *b, struct plan *plan)
{
	balanced_open(b, plan, "_path");
	struct lowering *l = b->l;
	struct kernel *k = l->k;
	struct kx *path = lower_argument(l, "path", kt_pointer(type_scalar(T_I64), false), b->path), *base;
	struct kx *parts = lower_argument(l, "parts", kt_scalar(T_I64), b->host_parts);
	if (b->checks) {
		struct kx *falls = lower_argument(l, "falls", kt_pointer(type_scalar(T_I32), false), b->falls);
		k_set(k, x_at(falls, x_i32(0)), x_i32(0));
	}
	struct kx *total = balanced_total(b, &base);
	struct kx *t = x_var(k_for(k, "t", x_i64(0), x_add(parts, x_i64(1)), x_i64(1), FOR_PARALLEL));
	balanced_boundary(b, path, t, total, base);
	k_end(k);
	lowering_launch(l, x_i64(1), x_i64(1), x_i64(1));
}

static void rising_cpu(struct balanced *b, struct plan *plan)
{
	balanced_open(b, plan, "_rising");
	struct kernel *k = b->l->k;
	b->own_falls = lower_argument(b->l, "falls", kt_pointer(type_scalar(T_I32), false), b->falls);
	struct kx *row = x_var(k_for(k, "nth", x_i64(0), b->rows, x_i64(1), FOR_PARALLEL)), *lo, *hi;
	balanced_bind(b, row);
	lower_range(b->l, b->domain, 0, &lo, &hi);
	balanced_fell(b, x_lt(hi, lo));
	k_end(k);
	lowering_launch(b->l, x_i64(1), x_i64(1), x_i64(1));
}

/* ---- a part ---- */

static void bind_term(void *state, struct kx *e)
{
	balanced_bind_term(state, e);
}

static bool in_lanes(const struct balanced *b)
{
	for (int f = 0; f < b->folds.n; f++)
		if (expr_checked(b->folds.at[f]))
			return false;
	return !b->ordered;
}

static void fold_terms(struct balanced *b, struct kx *lo, struct kx *hi)
{
	struct kernel *k = b->l->k;
	if (in_lanes(b)) {
		k_if(k, x_le(x_i64(LONG_ROW), x_sub(hi, lo)));
		lanes_fold(b->l, &b->folds, &b->acc, lo, hi, bind_term, b);
		k_else(k);
	}
	balanced_bind_term(b, x_var(k_for(k, b->domain->index.at[0]->name, lo, hi, x_i64(1), 0)));
	for (int f = 0; f < b->folds.n; f++)
		fold_step(b->l, b->folds.at[f], &b->acc.at[f]);
	k_end(k);
	if (in_lanes(b))
		k_end(k);
}

static void row_of_part(struct balanced *b, struct kx *part, struct kx *row, struct kx *const *at, bool watches)
{
	struct kernel *k = b->l->k;
	struct kx *lo, *hi;
	balanced_bind(b, row);
	lower_range(b->l, b->domain, 0, &lo, &hi);
	if (watches)
		balanced_fell(b, x_lt(hi, lo));
	struct kx *began = x_var(k_let(k, "began", x_le(at[1], lo)));
	struct kx *from = x_var(k_let(k, "from", x_min(x_max(lo, at[1]), at[3])));
	struct kx *to = x_var(k_let(k, "to", x_max(x_min(hi, at[3]), at[1])));
	b->acc = folds_start(b->l, &b->folds);
	fold_terms(b, from, to);
	balanced_finish_part(b, part, x_eq(row, at[2]), began);
}

static void parts_cpu(struct balanced *b, struct plan *plan)
{
	bool watches = b->checks && !b->after;
	balanced_open(b, plan, "");
	struct lowering *l = b->l;
	struct kernel *k = l->k;
	b->own_path = lower_argument(l, "path", kt_pointer(type_scalar(T_I64), true), b->path);
	balanced_slots(b, true);
	struct kx *parts = lower_argument(l, "parts", kt_scalar(T_I64), b->host_parts), *at[4];
	if (b->checks)
		b->own_falls = lower_argument(l, "falls", kt_pointer(type_scalar(T_I32), !watches), b->falls);
	if (b->checks && !watches)
		k_if(k, x_eq(x_at(b->own_falls, x_i32(0)), x_i32(0)));
	struct kx *part = x_var(k_for(k, "part", x_i64(0), parts, x_i64(1), FOR_PARALLEL));
	balanced_boundaries(b, part, at);
	struct kx *wrong = x_or(x_lt(at[2], at[0]), x_lt(at[3], at[1]));
	if (watches)
		balanced_fell(b, wrong);
	struct kx *end = x_var(k_let(k, "nth_end", x_min(x_add(at[2], x_i64(1)), b->rows)));
	struct kx *row = x_var(k_for(k, "nth", at[0], watches ? x_cond(wrong, at[0], end) : end, x_i64(1), 0));
	row_of_part(b, part, row, at, watches);
	k_end(k);
	k_end(k);
	if (b->checks && !watches)
		k_end(k);
	lowering_launch(l, x_i64(1), x_i64(1), x_i64(1));
}

/* ---- rows over several parts ---- */

static void fold_cpu(struct balanced *b, struct plan *plan)
{
	balanced_open(b, plan, "_fold");
	struct lowering *l = b->l;
	struct kernel *k = l->k;
	b->own_path = lower_argument(l, "path", kt_pointer(type_scalar(T_I64), true), b->path);
	balanced_slots(b, false);
	struct kx *parts = lower_argument(l, "parts", kt_scalar(T_I64), b->host_parts);
	if (b->checks) {
		struct kx *falls = lower_argument(l, "falls", kt_pointer(type_scalar(T_I32), true), b->falls);
		k_if(k, x_ne(x_at(falls, x_i32(0)), x_i32(0)));
		balanced_rows(b, x_i64(0), x_i64(1));
		k_else(k);
	}
	struct kx *t = x_var(k_for(k, "t", x_i64(1), parts, x_i64(1), 0));
	struct span s = balanced_span(b, t);
	k_if(k, s.spans);
	b->acc = folds_start(l, &b->folds);
	balanced_fold_span(b, t, &s);
	k_end(k);
	k_end(k);
	if (b->checks)
		k_end(k);
	lowering_launch(l, x_i64(1), x_i64(1), x_i64(1));
}

void balanced_cpu(struct balanced *b, struct plan *plan)
{
	k_if(plan->host, x_lt(x_i64(0), b->host_parts));
	path_cpu(b, plan);
	if (b->checks && b->after)
		rising_cpu(b, plan);
	parts_cpu(b, plan);
	fold_cpu(b, plan);
	k_end(plan->host);
}
