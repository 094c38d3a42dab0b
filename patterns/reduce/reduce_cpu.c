/* reduce_cpu.c - totals on a CPU: chunks of fixed length are shared among threads, each folded with
 * several accumulators (lanes.c), and the chunks' results are folded in order: the result does not
 * depend on the number of threads. */
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

static struct kx *fold_run(struct lowering *l, const void *r, struct kx *const *end)
{
	(void)l;
	reduce_run_cpu((struct reduction *)r, end[0], end[1]);
	return NULL;
}

static void fold_parts(struct reduction *r, struct plan *plan, struct kx *host_parts)
{
	struct lowering *l = reduce_open_fold(r, plan);
	k_bind(l->k, "chunks", lower_argument(l, "chunks", kt_scalar(T_I64), host_parts));
	reduce_bind_partial(r, true);
	k_text(l->k, "fold_parts_cpu");
	lowering_launch(l, x_i64(1), x_i64(1), x_i64(1));
}

/* Chunks of fixed length: the result does not depend on the number of threads.  Where sizes do not
 * say how many terms there are, as many chunks as the workspace has room for, and longer ones. */
static struct kx *host_chunk(const struct reduction *r, struct kx *terms)
{
	if (fold_by_sizes(r->domain))
		return x_i64(CPU_CHUNK);
	struct kx *share = x_div_up(terms, x_i64(r->l->target->total_blocks * (int64_t)CPU_CHUNK));
	return plan_let(r->l->plan, "chunk_terms", x_mul(x_max(share, x_i64(1)), x_i64(CPU_CHUNK)));
}

void reduce_total_cpu(struct reduction *r, struct plan *plan)
{
	reduce_open(r, plan);
	struct lowering *l = r->l;
	struct kx *terms = reduce_terms(r, plan);
	k_bind(l->k, "terms", lower_argument(l, "terms", kt_scalar(T_I64), terms));
	struct kx *chunk = host_chunk(r, terms),
		  *parts = plan_let(plan, "chunks", x_div_up(terms, chunk));
	k_bind(l->k, "chunks", lower_argument(l, "chunks", kt_scalar(T_I64), parts));
	struct kx *most = fold_by_sizes(r->domain) ? parts : x_i64(l->target->total_blocks);
	for (int f = 0; f < r->folds.n; f++)
		r->slot[f] = x_var(
			plan_slot(plan, "partial", accumulator_type(r->folds.at[f]), 1, &most));
	reduce_bind_partial(r, false);
	k_bind(l->k, "chunk_terms", lower_number(l, "chunk_terms", chunk));
	k_bind_call(l->k, "fold_run", fold_run, r);
	k_text(l->k, "reduce_total_cpu");
	lowering_launch(l, x_i64(1), x_i64(1), x_i64(1));
	fold_parts(r, plan, parts);
}
