/* lanes.c - folding a run of terms on a CPU with several accumulators, so that the compiler may use
 * its vectors although floats must not be reassociated by it: term e goes to accumulator e mod
 * EACH, the accumulators are folded in order at the end, then what is left of the run.  The result
 * depends on the length of the run only. */
#include "lower.h"

enum { EACH = 8 };                       /* two vectors of SSE, one of AVX */

struct lanes {
	const struct folds *folds;
	const struct accumulators *acc;
	void (*bind)(void *, struct kx *);
	void *state;
};

/* ---- the functions of lanes.kernel ---- */

static const struct accumulator *one_of(struct lowering *l, const void *lanes)
{
	return &((const struct lanes *)lanes)->acc->at[l->k->each];
}

static struct kx *start(struct lowering *l, const void *lanes, struct kx *const *none)
{
	(void)none;
	return accumulator_start(l, one_of(l, lanes));
}

static struct kx *bind_term(struct lowering *l, const void *lanes, struct kx *const *number)
{
	const struct lanes *s = lanes;
	(void)l;
	s->bind(s->state, number[0]);
	return NULL;
}

static struct kx *add_term(struct lowering *l, const void *lanes, struct kx *const *into)
{
	const struct lanes *s = lanes;
	accumulate_term(l, s->folds->at[l->k->each], one_of(l, lanes), into[0]);
	return NULL;
}

static struct kx *join(struct lowering *l, const void *lanes, struct kx *const *other)
{
	accumulate(l, one_of(l, lanes), other[0]);
	return NULL;
}

void lanes_fold(struct lowering *l, const struct folds *folds, const struct accumulators *acc,
                struct kx *lo, struct kx *hi, void (*bind)(void *, struct kx *), void *state)
{
	struct lanes s = { folds, acc, bind, state };
	struct kx *value[8];
	const struct type *type[8];
	const char *word[8];
	int names = k_names(l->k);
	for (int f = 0; f < folds->n; f++) {
		value[f] = x_var(acc->at[f].var);
		type[f] = acc->at[f].type;
		word[f] = str_print("lane_%s", acc->at[f].var->name);
	}
	bind_values(l->k, "acc", folds->n, value);
	bind_types(l->k, "ACC", folds->n, type);
	bind_words(l->k, "lane_acc", folds->n, word);
	k_numbers(l->k, "EACH", EACH);
	k_bind_calls(l->k, &s, { "start", start }, { "bind_term", bind_term },
	             { "add_term", add_term }, { "join", join });
	k_text(l->k, "lanes_fold", lo, hi);
	k_forget(l->k, names);
}
