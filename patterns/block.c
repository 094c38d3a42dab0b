/* block.c - fragments that several patterns' kernels share: folding over the threads of a block,
 * and over the blocks of a grid in one launch.
 *
 * Block: lanes of a warp by shuffles (log2 steps, in lane order), one value a warp in shared
 * memory, thread 0 folds those in warp order.  Grid: every block stores its value and takes a
 * ticket; the block that draws the last one folds all of them in block order.  The result depends
 * on the number of parts only, never on which block was last, so it repeats bit for bit.  Also
 * right for operators that do not commute. */
#include <assert.h>
#include "lower.h"
#include "pass.h"

enum { UNIT_BLOCKS = 8 };          /* of a multiprocessor, of default blocks: all that it holds */

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

void block_fewest(struct lowering *l, int64_t shared, int blocks)
{
	int fit = blocks_of_unit(l->target, l->k->block[0], shared);
	l->k->min_blocks = fit < blocks ? fit : blocks;
}

int64_t block_most(const struct target *target)
{
	return (int64_t)UNIT_BLOCKS * target->units;
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

/* ---- kernels: block.kernel ---- */

static const struct accumulator *one_of(const struct lowering *l, const void *acc)
{
	return &((const struct accumulators *)acc)->at[l->k->each];
}

static struct kx *join(struct lowering *l, const void *acc, struct kx *const *other)
{
	accumulate(l, one_of(l, acc), other[0]);
	return NULL;
}

static struct kx *down(struct lowering *l, const void *acc, struct kx *const *distance)
{
	return accumulator_down(l, one_of(l, acc), distance[0]);
}

static struct kx *empty(struct lowering *l, const void *acc, struct kx *const *none)
{
	(void)none;
	return accumulator_start(l, one_of(l, acc));
}

static struct kx *loaded(struct lowering *l, const void *acc, struct kx *const *arg)
{
	return accumulator_load(one_of(l, acc), arg[0], arg[1]);
}

void bind_accumulators(struct lowering *l, const struct accumulators *acc)
{
	struct kx *value[8];
	const struct type *type[8];
	const char *word[8];
	for (int a = 0; a < acc->n; a++) {
		value[a] = x_var(acc->at[a].var);
		type[a] = acc->at[a].type;
		word[a] = str_print("warp_%s", acc->at[a].var->name);
	}
	bind_values(l->k, "acc", acc->n, value);
	bind_types(l->k, "ACC", acc->n, type);
	bind_words(l->k, "warp_acc", acc->n, word);
	k_bind_calls(l->k, acc, { "join", join }, { "down", down }, { "empty", empty },
	             { "loaded", loaded });
	k_bind(l->k, "BLOCK", l->k->block[0]);
	k_bind(l->k, "WARPS", l->k->block[0] / l->target->lanes);
}

/* A text about them that has one parameter. */
static void fold_text(struct lowering *l, const struct accumulators *acc, const char *text,
                      struct kx *arg)
{
	int names = k_names(l->k);
	bind_accumulators(l, acc);
	k_text(l->k, text, arg);
	k_forget(l->k, names);
}

void warp_fold_groups(struct lowering *l, const struct accumulators *acc, int lanes)
{
	fold_text(l, acc, "warp_fold", x_i32(log2_of(lanes)));
}

void warp_fold(struct lowering *l, const struct accumulators *acc)
{
	warp_fold_groups(l, acc, l->target->lanes);
}

void block_fold(struct lowering *l, const struct accumulators *acc)
{
	fold_text(l, acc, "block_fold", NULL);
}

void block_fold_partials(struct lowering *l, const struct accumulators *acc,
                         struct kx *const *partial, struct kx *parts)
{
	int names = k_names(l->k);
	bind_accumulators(l, acc);
	bind_values(l->k, "partial", acc->n, partial);
	k_text(l->k, "block_fold_partials", parts);
	k_forget(l->k, names);
}

struct grid {
	const struct accumulators *acc;
	struct kx *const *partial;
	void (*done)(struct lowering *, const void *);
	const void *state;
};

static struct kx *fold_all(struct lowering *l, const void *grid, struct kx *const *parts)
{
	const struct grid *g = grid;
	struct accumulators all = *g->acc;
	for (int a = 0; a < all.n; a++)
		all.at[a].var = k_var(l->k, kt(all.at[a].type), "all",
		                      accumulator_start(l, &all.at[a]));
	block_fold_partials(l, &all, g->partial, parts[0]);
	for (int a = 0; a < all.n; a++)
		k_set(l->k, x_var(g->acc->at[a].var), x_var(all.at[a].var));
	return NULL;
}

static struct kx *done(struct lowering *l, const void *grid, struct kx *const *none)
{
	(void)none;
	((const struct grid *)grid)->done(l, ((const struct grid *)grid)->state);
	return NULL;
}

void grid_fold(struct lowering *l, const struct accumulators *acc, struct kx *part,
               struct kx *parts, struct kx *host_parts,
               void (*finish)(struct lowering *, const void *), const void *state)
{
	struct kx *partial[8];
	struct grid g = { acc, partial, finish, state };
	int names = k_names(l->k);
	block_fold(l, acc);
	for (int a = 0; a < acc->n; a++) {
		struct kvar *slot = plan_slot(l->plan, "partial", acc->at[a].type, 1, &host_parts);
		partial[a] = lower_argument(l, "partial", kt_pointer(acc->at[a].type, false),
		                            x_var(slot));
	}
	bind_accumulators(l, acc);
	bind_values(l->k, "partial", acc->n, partial);
	k_bind(l->k, "ticket",
	       lower_argument(l, "ticket", kt_pointer(type_scalar(T_U32), false),
	                      x_var(plan_ticket(l->plan, 0, NULL))));
	k_bind_call(l->k, "fold_all", fold_all, &g);
	k_bind_call(l->k, "done", done, &g);
	k_text(l->k, "grid_fold", part, parts);
	k_forget(l->k, names);
}

/* ---- the folds of a reduce ---- */

void fold_step(struct lowering *l, const struct expr *e, const struct accumulator *a)
{
	accumulate_term(l, e, a, x_var(a->var));
}

void fold_finish(struct lowering *l, const struct node *node, const struct folds *folds,
                 const struct accumulators *acc)
{
	for (int f = 0; f < folds->n; f++)
		list_add(&l->folded,
		         ((struct folded){ folds->at[f], accumulator_value(l, &acc->at[f],
		                                                           folds->at[f]->fold) }));
	lower_equations(l, node);
	l->folded.n = 0;
	if (!node->index.n)
		plan_tail(l, node);
}
