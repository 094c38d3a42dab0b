/* reduce_cpu.c - totals on a CPU: chunks of fixed length are shared among threads, each folded with several
 * accumulators (lanes.c), and the chunks' results are folded in order: the result does not depend on the
 * number of threads. */
#include "reduce.h"

enum { CPU_CHUNK = 1 << 15 };            /* terms */

static void set_term(void *state, struct kx *term)
{
	reduce_bind(state, term);
}

void reduce_run_cpu(struct reduction *r, struct kx *lo, struct kx *hi)
{
	if (r->linear && !r->ordered)
		lanes_fold(r->l, &r->folds, &r->acc, lo, hi, set_term, r);
	else
		reduce_singles(r, lo, hi, x_i64(1));
}

/* The chunks' results, in order, and what the equations make of them. */
static void fold_parts_cpu(struct reduction *r, struct plan *plan, struct kx *const *slot, struct kx *host_parts)
{
	struct lowering *l = r->l = lowering_new(plan, str_print("%s_fold", r->node->name));
	lowering_writes(l, r->node);
	struct kx *parts = lower_argument(l, "chunks", kt_scalar(T_I64), host_parts), *partial[8];
	for (int f = 0; f < r->folds.n; f++)
		partial[f] = lower_argument(l, "partial", kt_pointer(r->acc.at[f].type, true), slot[f]);
	r->acc = folds_start(l, &r->folds);
	struct kx *part = x_var(k_for(l->k, "chunk", x_i64(0), parts, x_i64(1), 0));
	for (int f = 0; f < r->folds.n; f++)
		accumulate(l, &r->acc.at[f], x_at(partial[f], part));
	k_end(l->k);
	reduce_finish(l, r);
	lowering_launch(l, x_i64(1), x_i64(1), x_i64(1));
}

/* Chunks of fixed length: the result does not depend on the number of threads.  Where sizes do not say how many terms there are,
 * as many chunks as the workspace has room for, and longer ones. */
static struct kx *host_chunk(const struct reduction *r, struct kx *terms)
{
	if (fold_by_sizes(r->domain))
		return x_i64(CPU_CHUNK);
	struct kx *share = x_div_up(terms, x_i64(TOTAL_BLOCKS * (int64_t)CPU_CHUNK));
	return plan_let(r->l->plan, "chunk_terms", x_mul(x_max(share, x_i64(1)), x_i64(CPU_CHUNK)));
}

void reduce_total_cpu(struct reduction *r, struct plan *plan)
{
	reduce_open(r, plan);
	struct lowering *l = r->l;
	struct kernel *k = l->k;
	struct kx *host_n = reduce_terms(r), *n = lower_argument(l, "terms", kt_scalar(T_I64), host_n);
	struct kx *chunk = host_chunk(r, host_n), *host_parts = plan_let(r->l->plan, "chunks", x_div_up(host_n, chunk));
	struct kx *most = fold_by_sizes(r->domain) ? host_parts : x_i64(TOTAL_BLOCKS);
	struct kx *parts = lower_argument(l, "chunks", kt_scalar(T_I64), host_parts), *partial[8], *slot[8];
	for (int f = 0; f < r->folds.n; f++) {
		const struct type *type = accumulator_type(r->folds.at[f]);
		slot[f] = x_var(plan_slot(plan, "partial", type, 1, &most));
		partial[f] = lower_argument(l, "partial", kt_pointer(type, false), slot[f]);
	}
	struct kx *part = x_var(k_for(k, "chunk", x_i64(0), parts, x_i64(1), FOR_PARALLEL));
	chunk = lower_number(l, "chunk_terms", chunk);
	struct kx *lo = x_var(k_let(k, "lo", x_mul(part, chunk)));
	struct kx *hi = x_var(k_let(k, "hi", x_min(x_add(lo, chunk), n)));
	r->acc = folds_start(l, &r->folds);
	reduce_open_cell(r);
	reduce_run_cpu(r, lo, hi);
	reduce_close_cell(r);
	for (int f = 0; f < r->folds.n; f++)
		k_set(k, x_at(partial[f], part), x_var(r->acc.at[f].var));
	k_end(k);
	lowering_launch(l, x_i64(1), x_i64(1), x_i64(1));
	fold_parts_cpu(r, plan, slot, host_parts);
}
