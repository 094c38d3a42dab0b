/* block.c - fragments that several patterns' kernels share: folding over the threads of a block, and over
 * the blocks of a grid in one launch.
 *
 * Block: lanes of a warp by shuffles (log2 steps, in lane order), one value a warp in shared memory, thread
 * 0 folds those in warp order.  Grid: every block stores its value and takes a ticket; the block that draws
 * the last one folds all of them in block order.  The result depends on the number of parts only, never
 * on which block was last, so it repeats bit for bit.  Also right for operators that do not commute. */
#include <assert.h>
#include "lower.h"

struct kx *block_thread(struct lowering *l)
{
	(void)l;
	return x_id(ID_THREAD_X);
}

void block_launch_bounds(struct lowering *l)
{
	l->k->block[0] = l->target->block;
	l->k->block[1] = l->k->block[2] = 1;
}

struct kx *block_may_ask(void)
{
	return x_help(kt_scalar(T_I64), "patc_may_ask", 0, NULL);
}

int log2_of(int n)
{
	int bits = 0;
	while (n >> (bits + 1))
		bits++;
	return bits;
}

void warp_fold_groups(struct lowering *l, const struct accumulators *acc, int lanes)
{
	/* neighbours first: the first lane then holds lanes 0 .. 2^step in their order, which some operators need */
	struct kvar *step = k_for(l->k, "step", x_i32(0), x_i32(log2_of(lanes)), x_i32(1), FOR_UNROLL);
	struct kvar *distance = k_let(l->k, "distance", x_op(OP_SHL, x_i32(1), x_var(step)));
	for (int a = 0; a < acc->n; a++)
		accumulate(l, &acc->at[a], accumulator_down(l, &acc->at[a], x_var(distance)));
	k_end(l->k);
}

void warp_fold(struct lowering *l, const struct accumulators *acc)
{
	warp_fold_groups(l, acc, l->target->lanes);
}

void block_fold(struct lowering *l, const struct accumulators *acc)
{
	int lanes = l->target->lanes, warps = l->k->block[0] / lanes;
	struct kvar *shared[8];
	k_note(l->k, "fold over the block: lanes, then warps, in order");
	warp_fold(l, acc);
	for (int a = 0; a < acc->n; a++)
		shared[a] = k_shared(l->k, acc->at[a].type, str_print("warp_%s", acc->at[a].var->name), warps);
	k_if(l->k, x_eq(x_rem(block_thread(l), x_i32(lanes)), x_i32(0)));
	for (int a = 0; a < acc->n; a++)
		k_set(l->k, x_at(x_var(shared[a]), x_div(block_thread(l), x_i32(lanes))), x_var(acc->at[a].var));
	k_end(l->k);
	k_barrier(l->k);
	k_if(l->k, x_eq(block_thread(l), x_i32(0)));
	struct kvar *w = k_for(l->k, "warp", x_i32(1), x_i32(warps), x_i32(1), 0);
	for (int a = 0; a < acc->n; a++)
		accumulate(l, &acc->at[a], x_at(x_var(shared[a]), x_var(w)));
	k_end(l->k);
	k_end(l->k);
}

void warp_fold_part(struct lowering *l, const struct accumulators *acc, struct kx *group)
{
	/* neighbours first, as above */
	struct kvar *step = k_for(l->k, "step", x_i32(0), x_i32(log2_of(l->target->lanes)), x_i32(1), FOR_UNROLL);
	struct kx *distance = x_var(k_let(l->k, "distance", x_op(OP_SHL, x_i32(1), x_var(step))));
	for (int a = 0; a < acc->n; a++) {
		struct kx *other = accumulator_down(l, &acc->at[a], distance);
		k_if(l->k, x_lt(distance, group));
		accumulate(l, &acc->at[a], other);
		k_end(l->k);
	}
	k_end(l->k);
}

void group_fold(struct lowering *l, const struct accumulators *acc, struct kx *group)
{
	k_if(l->k, x_eq(group, x_i32(l->k->block[0])));
	block_fold(l, acc);
	k_else(l->k);
	warp_fold_part(l, acc, group);
	k_end(l->k);
}

void block_fold_partials(struct lowering *l, const struct accumulators *acc, struct kx *const *partial, struct kx *parts)
{
	struct kx *run = x_var(k_let(l->k, "run", x_div_up(parts, x_i64(l->target->block))));
	struct kx *lo = x_var(k_let(l->k, "lo", x_mul(x_to_i64(block_thread(l)), run)));
	struct kx *end = x_var(k_let(l->k, "end", x_min(x_add(lo, run), parts)));
	struct kx *p = x_var(k_for(l->k, "p", lo, end, x_i64(1), 0));
	for (int a = 0; a < acc->n; a++)
		accumulate(l, &acc->at[a], accumulator_load(&acc->at[a], partial[a], p));
	k_end(l->k);
	block_fold(l, acc);
}

static void fold_all(struct lowering *l, const struct accumulators *acc, struct kx *const *partial, struct kx *parts)
{
	struct accumulators all = *acc;
	for (int a = 0; a < acc->n; a++)
		all.at[a].var = k_var(l->k, kt(acc->at[a].type), "all", accumulator_start(l, &acc->at[a]));
	block_fold_partials(l, &all, partial, parts);
	for (int a = 0; a < acc->n; a++)
		k_set(l->k, x_var(acc->at[a].var), x_var(all.at[a].var));
}

void grid_fold(struct lowering *l, const struct accumulators *acc, struct kx *part, struct kx *parts,
               struct kx *host_parts, void (*done)(struct lowering *, const void *), const void *state)
{
	struct kx *partial[8];
	block_fold(l, acc);
	for (int a = 0; a < acc->n; a++) {
		struct kvar *slot = plan_slot(l->plan, "partial", acc->at[a].type, 1, &host_parts);
		partial[a] = lower_argument(l, "partial", kt_pointer(acc->at[a].type, false), x_var(slot));
	}
	struct kx *ticket = lower_argument(l, "ticket", kt_pointer(type_scalar(T_U32), false),
	                                   x_var(plan_ticket(l->plan, 0, NULL)));
	k_note(l->k, "the block that arrives last folds what all blocks found");
	struct kvar *last = k_shared(l->k, type_scalar(T_BOOL), "last", 1);
	struct kx *first_thread = x_eq(block_thread(l), x_i32(0));
	k_if(l->k, first_thread);
	for (int a = 0; a < acc->n; a++)
		k_set(l->k, x_at(partial[a], part), x_var(acc->at[a].var));
	k_set(l->k, x_at(x_var(last), x_i32(0)), x_help(kt_scalar(T_BOOL), "patc_ticket", 2,
	      (struct kx *[]){ ticket, x_cast(kt_scalar(T_U32), x_sub(parts, x_i64(1))) }));
	k_end(l->k);
	k_barrier(l->k);
	k_if(l->k, x_at(x_var(last), x_i32(0)));
	fold_all(l, acc, partial, parts);
	k_if(l->k, first_thread);
	k_set(l->k, x_at(ticket, x_i32(0)), x_int(T_U32, 0));
	done(l, state);
	k_end(l->k);
	k_end(l->k);
}

/* ---- the folds of a reduce ---- */

void folds_of(struct expr *e, struct folds *folds)
{
	if (!e)
		return;
	if (e->kind == E_FOLD) {
		for (int f = 0; f < folds->n; f++)
			if (folds->at[f] == e)
				return;                      /* shared: equation.whole */
		folds->overflow |= folds->n == 8;
		if (folds->n < 8)
			folds->at[folds->n++] = e;
		return;
	}
	for (int a = 0; a < e->arg.n; a++)
		folds_of(e->arg.at[a], folds);
}

void fold_step(struct lowering *l, const struct expr *e, const struct accumulator *a)
{
	accumulate_term(l, e, a, x_var(a->var));
}

void fold_finish(struct lowering *l, const struct node *node, const struct folds *folds, const struct accumulators *acc)
{
	for (int f = 0; f < folds->n; f++)
		list_add(&l->folded, ((struct folded){ folds->at[f], accumulator_value(l, &acc->at[f], folds->at[f]->fold) }));
	lower_equations(l, node);
	l->folded.n = 0;
	if (!node->index.n)
		plan_tail(l, node);
}
