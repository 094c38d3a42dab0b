/* product_fold.c - the rows or columns of a product folded where its cells are computed: a group's
 * epilogue.
 *
 * A tile folds its part of a row: a thread its own cells, the lanes and then the warps that share
 * the row theirs. What tiles have stored, a value for each row and tile, a launch folds in the
 * order of the tiles, so results repeat bit for bit. Nothing of the product itself is read again,
 * and where nobody else needs it, it is not stored (pass_sweep.c). */
#include "../reduce/reduce.h"
#include "tiled.h"

struct side_fold {        /* a reduce that folds along one side of the result, and keeps all else */
	struct node *r;
	enum side side;
	struct folds folds;                  /* with the product's indices */
	struct kept kept;
	struct kx *slot[8];
};
struct side_folds { LIST(struct side_fold) at; };

static enum side side_of(const struct product *p, const struct folds *folds)
{
	return folds->at[0]->fold->index.at[0] == p->node->index.at[p->index[ROWS]] ? ROWS
	                                                                            : COLUMNS;
}

/* The host launches tiles of several sizes: enough for the smallest. */
static void cut_slots(struct side_fold *m, const struct product *p, struct plan *plan)
{
	int least = product_form(p, plan->target, 1).size[m->side],
	    large = product_form(p, plan->target, 0).size[m->side];
	struct kx *tiles = x_div_up(product_cells(plan, p, p->index[m->side]),
	                            x_i64(least < large ? least : large));
	struct kx *most = x_mul(m->kept.slot_cells, tiles);
	for (int f = 0; f < m->folds.n; f++)
		m->slot[f] = x_var(
			plan_slot(plan, "partial", accumulator_type(m->folds.at[f]), 1, &most));
}

struct side_folds *side_folds_open(const struct product *p, const struct group *group,
                                   struct plan *plan)
{
	struct side_folds *all = NEW(struct side_folds);
	for (int e = 0; e < group->epilogue.n; e++) {
		struct side_fold fold = { .r = group->epilogue.at[e] };
		struct group alone = { .anchor = group->anchor };
		list_add(&alone.epilogue, fold.r);
		fold.folds = behind_folds(&alone);
		fold.side = side_of(p, &fold.folds);
		fold.kept = reduce_host_cells(plan, fold.r);
		cut_slots(&fold, p, plan);
		list_add(&all->at, fold);
	}
	return all->at.n ? all : NULL;
}

/* ---- in the kernel of tiles ---- */

struct born { const struct var *var; struct kx *value; };

static struct kx *born_reader(struct lowering *l, const struct expr *read)
{
	const struct born *b = l->now.state;
	return read->var == b->var ? b->value : lower_cell(l, read);
}

static void fold_cell(struct tiled *t, const struct side_fold *fold, const struct accumulators *acc,
                      struct kx *value)
{
	struct lowering *l = t->l;
	struct born born = { node_target(t->p->node, 0)->var, value };
	struct lower_context before = l->now;
	l->now.read = born_reader;
	l->now.state = &born;
	behind_terms(l, &fold->folds, acc);
	l->now = before;
}

/* Lanes that share a row, or a column: the first of them holds what they have. */
static void fold_lanes(struct tiled *t, enum side side, const struct accumulators *acc)
{
	for (int step = 1; step < t->form.lanes[side]; step *= 2)
		for (int f = 0; f < acc->n; f++)
			accumulate(t->l, &acc->at[f],
			           accumulator_down(t->l, &acc->at[f],
			                            x_i32(tiled_apart(t, side, step))));
}

struct shared { struct kvar *at[8]; int warps; };

static struct shared share(struct tiled *t, const struct side_fold *fold)
{
	struct shared s = { .warps = t->form.size[fold->side]
		                     / (t->form.lanes[fold->side]
		                        * t->form.thread[fold->side]) };
	for (int f = 0; f < fold->folds.n; f++)
		s.at[f] = k_shared(t->k, accumulator_type(fold->folds.at[f]), "warp_fold",
		                   (int64_t)s.warps * t->form.size[!fold->side]);
	return s;
}

static void store_share(struct tiled *t, const struct side_fold *fold, const struct shared *s,
                        const struct accumulators *acc, struct kx *own)
{
	k_if(t->k, x_eq(tiled_side(t, fold->side, "own_lane"), x_i32(0)));
	struct kx *place = x_add(x_mul(tiled_side(t, fold->side, "own_warp"),
	                               x_i32(t->form.size[!fold->side])),
	                         own);
	for (int f = 0; f < acc->n; f++)
		k_set(t->k, x_at(x_var(s->at[f]), place), x_var(acc->at[f].var));
	k_end(t->k);
}

/* Which of the cells that the reduce keeps: by the product's indices, which are bound. */
static struct kx *kept_cell(struct tiled *t, struct side_fold *fold)
{
	struct reduction r = { .l = t->l, .node = fold->r };
	struct kx *cell = NULL;
	reduce_kept_arguments(&r, &fold->kept);
	behind_bind(t->l, t->p->node, fold->r);
	for (int d = 0; d < fold->r->index.n; d++) {
		struct kx *at = x_sub(lower_var(t->l, fold->r->index.at[d]), fold->kept.lo[d]);
		cell = cell ? x_add(x_mul(cell, fold->kept.size[d]), at) : at;
	}
	return cell;
}

/* A thread for each row, or column: what the warps have, to the place of this tile. */
static void store_parts(struct tiled *t, struct side_fold *fold, const struct shared *s)
{
	struct kernel *k = t->k;
	enum side kept = !fold->side;
	struct kx *own = x_var(k_for(k, "own", block_thread(t->l), x_i32(t->form.size[kept]),
	                             x_i32(t->form.threads), FOR_ROLLED));
	tiled_open(t, kept, own);
	struct accumulators acc = folds_start(t->l, &fold->folds);
	for (int w = 0; w < s->warps; w++)
		for (int f = 0; f < acc.n; f++)
			accumulate(t->l, &acc.at[f],
			           x_at(x_var(s->at[f]),
			                x_add(x_i32(w * t->form.size[kept]), own)));
	struct kx *cell = kept_cell(t, fold), *tile = tiled_side(t, fold->side, "tile_at");
	for (int f = 0; f < acc.n; f++) {
		struct kx *partial = lower_argument(t->l, "partial",
		                                    kt_pointer(acc.at[f].type, false),
		                                    fold->slot[f]);
		k_set(t->k, x_at(partial, x_add(x_mul(tile, fold->kept.cells), cell)),
		      x_var(acc.at[f].var));
	}
	k_end(k);
	k_end(k);
}

/* All folds along one side; store: the product's cells are, too. */
static void fold_side(struct tiled *t, struct side_folds *all, enum side side, bool store)
{
	struct accumulators acc[8];
	struct shared shared[8];
	int n = 0;
	struct side_fold *of[8];
	for (int i = 0; i < all->at.n; i++)
		if (all->at.at[i].side == side)
			of[n++] = &all->at.at[i];
	for (int i = 0; i < n; i++)
		shared[i] = share(t, of[i]);
	struct kx *across = tiled_each(t, !side);
	for (int i = 0; i < n; i++)
		acc[i] = folds_start(t->l, &of[i]->folds);
	struct kx *own = tiled_own(t, !side, across);
	tiled_open(t, !side, own);
	struct kx *along = tiled_each(t, side);
	tiled_open(t, side, tiled_own(t, side, along));
	struct kx *value = tiled_value(t, side == COLUMNS ? across : along,
	                               side == COLUMNS ? along : across);
	if (store)
		lower_store(t->l, node_target(t->p->node, 0), value);
	for (int i = 0; i < n; i++)
		fold_cell(t, of[i], &acc[i], value);
	for (int ends = 0; ends < 3; ends++)
		k_end(t->k);
	for (int i = 0; i < n; i++) {
		fold_lanes(t, side, &acc[i]);
		store_share(t, of[i], &shared[i], &acc[i], own);
	}
	k_end(t->k);
	k_barrier(t->k);
	for (int i = 0; i < n; i++)
		store_parts(t, of[i], &shared[i]);
}

void side_folds_in_kernel(struct tiled *t, struct side_folds *all)
{
	bool store = !target_read(node_target(t->p->node, 0))->var->on_chip;
	for (int side = ROWS; side <= COLUMNS; side++) {
		bool any = false;
		for (int i = 0; i < all->at.n; i++)
			any |= (int)all->at.at[i].side == side;
		if (any)
			fold_side(t, all, side, store);
		store &= !any;
	}
}

/* ---- after it ---- */

void side_folds_close(struct side_folds *all, struct plan *plan, struct kvar *const *tiles)
{
	for (int i = 0; i < all->at.n; i++) {
		struct side_fold *fold = &all->at.at[i];
		struct reduction r = { .node = fold->r };
		for (int q = 0; q < fold->r->equation.n; q++)
			folds_of(fold->r->equation.at[q]->right, &r.folds);
		reduce_fold_chunks(&r, plan, fold->slot, fold->kept, x_var(tiles[fold->side]));
	}
}
