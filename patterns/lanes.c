/* lanes.c - folding a run of terms on a CPU with several accumulators, so that the compiler may use its
 * vectors although floats must not be reassociated by it: term e goes to accumulator e mod LANES, the
 * accumulators are folded in order at the end, then what is left of the run.  The result depends on the
 * length of the run only. */
#include "lower.h"

enum { LANES = 8 };                      /* two vectors of SSE, one of AVX */

struct lanes {
	struct lowering *l;
	const struct folds *folds;
	const struct accumulators *one;
	struct kvar *acc[8];
};

/* acc[c] = op(acc[c], term) */
static void lane_step(const struct lanes *s, struct kx *c)
{
	for (int f = 0; f < s->folds->n; f++)
		accumulate_term(s->l, s->folds->at[f], &s->one->at[f], x_at(x_var(s->acc[f]), c));
}

static struct kx *open_lanes(struct kernel *k)
{
	return x_var(k_for(k, "c", x_i32(0), x_i32(LANES), x_i32(1), FOR_UNROLL | FOR_SIMD));
}

void lanes_fold(struct lowering *l, const struct folds *folds, const struct accumulators *acc,
                struct kx *lo, struct kx *hi, void (*bind)(void *, struct kx *), void *state)
{
	struct kernel *k = l->k;
	struct lanes s = { .l = l, .folds = folds, .one = acc };
	struct kx *full = x_var(k_let(k, "full", x_sub(hi, x_rem(x_sub(hi, lo), x_i64(LANES)))));
	for (int f = 0; f < folds->n; f++)
		s.acc[f] = k_regs(k, acc->at[f].type, str_print("lane_%s", acc->at[f].var->name), LANES);
	struct kx *c = open_lanes(k);
	for (int f = 0; f < folds->n; f++)
		k_set(k, x_at(x_var(s.acc[f]), c), accumulator_start(l, &acc->at[f]));
	k_end(k);
	struct kx *e = x_var(k_for(k, "e", lo, full, x_i64(LANES), 0));
	c = open_lanes(k);
	bind(state, x_add(e, x_to_i64(c)));
	lane_step(&s, c);
	k_end(k);
	k_end(k);
	c = x_var(k_for(k, "c", x_i32(0), x_i32(LANES), x_i32(1), FOR_UNROLL));
	for (int f = 0; f < folds->n; f++)
		accumulate(l, &acc->at[f], x_at(x_var(s.acc[f]), c));
	k_end(k);
	bind(state, x_var(k_for(k, "e", full, hi, x_i64(1), 0)));
	for (int f = 0; f < folds->n; f++)
		fold_step(l, folds->at[f], &acc->at[f]);
	k_end(k);
}
