/* relay_order.c - the order of loops over arrays whose layout is not row by row.
 *
 * Where more accesses run along the first index than along the last, the indices are reversed,
 * those of the statement and those of its folds apart; threads run along the last. */
#include "ask.h"
#include "relay.h"
#include "running.h"
#include "sorting.h"

/* How many accesses run along the first index, minus those along the last. */
struct votes { const struct var *first, *last; int balance; bool relaid; };

static bool vote(struct expr *e, void *state)
{
	struct votes *v = state;
	if (e->kind != E_READ)
		return true;
	const struct expr *sub = e->arg.at[e->arg.n - 1];
	v->relaid |= e->var->layout != NULL;
	v->balance += expr_uses(sub, v->first) - expr_uses(sub, v->last);
	return true;
}

/* Some bound uses an index of its own domain. */
static bool leans(struct var *const *index, struct expr *const *lo, struct expr *const *hi, int n)
{
	for (int k = 0; k < n; k++)
		for (int d = 0; d < n; d++)
			if (expr_uses(lo[k], index[d]) || expr_uses(hi[k], index[d]))
				return true;
	return false;
}

#define REVERSE(at, n) do { \
	for (int a_ = 0, b_ = (n) - 1; a_ < b_; a_++, b_--) { \
		__typeof__((at)[0]) held_ = (at)[a_]; \
		(at)[a_] = (at)[b_]; \
		(at)[b_] = held_; \
	} \
} while (0)

static bool reverse_fold(struct expr *e, void *state)
{
	(void)state;
	if (e->kind != E_FOLD)
		return true;
	REVERSE(e->fold->index.at, e->fold->index.n);
	REVERSE(e->fold->lo.at, e->fold->lo.n);
	REVERSE(e->fold->hi.at, e->fold->hi.n);
	return true;
}

static void reverse_folds(struct node *node)
{
	struct folds folds = { .n = 0 };
	for (int q = 0; q < node->equation.n; q++)
		folds_of(node->equation.at[q]->right, &folds);
	for (int f = 0; f < folds.n; f++)
		reverse_fold(folds.at[f], NULL);
}

/* Tiles are pinned along the axes as written; staged in registers, they may have fewer. */
static void reverse_tile(struct choice *c)
{
	int n = 0;
	while (n < MAX_RANK && c->tile[n])
		n++;
	REVERSE(c->tile, n);
}

static void reverse_domain(struct node *node)
{
	int n = node->index.n;
	REVERSE(node->index.at, n);
	REVERSE(node->lo.at, n);
	REVERSE(node->hi.at, n);
	REVERSE(node->edge, n);
	if (node->running)
		node->running->axis = n - 1 - node->running->axis - sorting_more(node);
	node->turned = true;
	reverse_tile(&node->choice);
	reverse_tile(&node->pin);
	for (int e = 0; node->group && e < node->group->epilogue.n; e++)
		reverse_folds(node->group->epilogue.at[e]);
}

/* Items that meet in one cell, and whose order counts. */
static bool in_order(const struct node *node)
{
	return node->pattern->combines && node_clause(node, "strict");
}

static void order_domain(struct node *node)
{
	int n = node->index.n;
	struct votes v = { .balance = 0 };
	if (n < 2 || node->selection || node->wave || in_order(node)
	    || leans(node->index.at, node->lo.at, node->hi.at, n))
		/* a selection has its items in the order of its indices, a wavefront its own */
		return;
	v.first = node->index.at[0];
	v.last = node->index.at[n - 1];
	node_walk(node, vote, &v);
	if (v.relaid && v.balance > 0)
		reverse_domain(node);
}

/* Terms may be folded in any order. */
static bool any_order(const struct op *op)
{
	switch (op->kind) {
	case OPK_SUM:
	case OPK_PROD:
	case OPK_MIN:
	case OPK_MAX:
	case OPK_ALL:
	case OPK_ANY:
	case OPK_COUNT:
	case OPK_BITAND: case OPK_BITOR: case OPK_BITXOR:
		return true;
	case OPK_ARGMIN: case OPK_ARGMAX:    /* places in the order of the brackets, and ties */
		return false;
	case OPK_USER:
		return op->associative && op->commutative;
	}
	return false;
}

static void order_folds(struct node *node)
{
	struct folds folds = { .n = 0 };
	struct votes v = { .balance = 0 };
	if (node->running)
		return;                              /* its folds have no indices of their own */
	for (int q = 0; q < node->equation.n; q++)
		folds_of(node->equation.at[q]->right, &folds);
	for (int f = 0; f < folds.n; f++) {
		const struct fold *fold = folds.at[f]->fold;
		int n = fold->index.n;
		if (n < 2 || n != folds.at[0]->fold->index.n || !any_order(fold->op)
		    || fold_in_order(folds.at[f])
		    || leans(fold->index.at, fold->lo.at, fold->hi.at, n))
			return;
		v.first = fold->index.at[0];
		v.last = fold->index.at[n - 1];
		expr_walk(folds.at[f]->arg.at[0], vote, &v);
		expr_walk(fold->where, vote, &v);
	}
	if (folds.n && !folds.overflow && v.relaid && v.balance > 0)
		reverse_folds(node);
}

void relay_order(struct node *node, const struct options *o)
{
	(void)o;
	if (node->group && node->group->anchor != node)
		return;                              /* its anchor decides */
	order_domain(node);
	order_folds(node);
}
