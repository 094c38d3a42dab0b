/* guard.c - adds the conditions around a fold to its mask, so that its reads stay in bounds.
 *
 * Threads that fold the terms of cells do so before anything of the expression around the fold is
 *     computed: in s > 0 ? sum[i](u[k, i] * h[s-1, i]) : 0
 * the rows are folded first, then `s > 0` chooses.  So where something in a fold is inside its
 * array only because of such a condition (legal.c says what), or is tested at run time, the
 * condition becomes a part of the fold's mask: sum[i in 0..n where s > 0].  A range that data
 * decide is wrong only where the condition holds, and if only the condition keeps its ends inside,
 * it is empty elsewhere.  Conditions that fold themselves prove nothing, and stay where they are;
 * but what is tested at run time waits for them (`late`). */
#include "pass.h"

/* asked: NULL: it is always folded */
struct asking { const struct expr *fold; struct expr *asked; bool late; };
struct guards { LIST(struct asking) at; };

static bool needs_none(struct expr *e, void *unused)
{
	(void)unused;
	return !e->guarded && !e->checked;
}

static bool needs_guard(const struct expr *e)
{
	return !expr_walk((struct expr *)e, needs_none, NULL);
}

static struct expr *negated(struct expr *e)
{
	struct expr *not = expr_new(E_UNARY, e->type, e->at);
	not->op = OP_NOT;
	list_add(&not->arg, e);
	return not;
}

static bool no_fold(struct expr *e, void *unused)
{
	(void)unused;
	return e->kind != E_FOLD;
}

static bool folds(struct expr *e)
{
	return !expr_walk(e, no_fold, NULL);
}

static struct expr *both(enum operation op, struct expr *a, struct expr *b)
{
	return a && b ? expr_binary(op, a, b) : a ? a : b;
}

/* What is asked already, and that e holds, or fails. */
static struct expr *asked_too(struct expr *asked, struct expr *e, bool holds)
{
	if (e->kind == E_UNARY && e->op == OP_NOT)
		return asked_too(asked, e->arg.at[0], !holds);
	if (e->kind == E_BINARY && e->op == (holds ? OP_LAND : OP_LOR))
		return asked_too(asked_too(asked, e->arg.at[0], holds), e->arg.at[1], holds);
	if (folds(e))
		return asked;
	return both(OP_LAND, asked, holds ? e : negated(e));
}

/* A fold that stands in two places asks for either. */
static void note_fold(struct guards *g, const struct expr *fold, struct expr *asked, bool late)
{
	for (int i = 0; i < g->at.n; i++)
		if (g->at.at[i].fold->fold == fold->fold) {
			struct asking *a = &g->at.at[i];
			a->asked = a->asked && asked ? both(OP_LOR, a->asked, asked) : NULL;
			a->late &= late;
			return;
		}
	list_add(&g->at, ((struct asking){ fold, asked, late }));
}

static void find(struct guards *g, struct expr *e, struct expr *asked, bool late)
{
	if (e->kind == E_FOLD) {
		if (!e->fold->running && (e->fold->cut || needs_guard(e)))
			note_fold(g, e, asked, late);
		return;
	}
	bool choice = e->kind == E_COND, lazy = expr_lazy(e);
	for (int a = 0; a < e->arg.n; a++) {
		bool holds = choice ? a == 1 : e->op == OP_LAND;
		bool behind = lazy && a;
		find(g, e->arg.at[a], behind ? asked_too(asked, e->arg.at[0], holds) : asked,
		     late || (behind && folds(e->arg.at[0])));
	}
}

static struct expr *range_end(struct expr *end, struct expr *asked)
{
	struct expr *chosen = expr_new(E_COND, end->type, end->at);
	if (!needs_guard(end))
		return end;
	list_add(&chosen->arg, asked);
	list_add(&chosen->arg, end);
	list_add(&chosen->arg, expr_int(end->type, 0, end->at));
	return chosen;
}

static void ask(const struct expr *e, struct expr *asked)
{
	struct fold *fold = e->fold;
	if (fold->cut)
		fold->asked = asked;
	if (!needs_guard(e))
		return;
	for (int d = 0; d < fold->index.n; d++) {
		fold->lo.at[d] = range_end(fold->lo.at[d], asked);
		fold->hi.at[d] = range_end(fold->hi.at[d], asked);
	}
	fold->where = both(OP_LAND, asked, fold->where);
}

static void ask_folds(struct node *node, const struct options *unused)
{
	struct guards g = { 0 };
	(void)unused;
	for (int q = 0; q < node->equation.n; q++)
		if (node->equation.at[q]->right)
			find(&g, node->equation.at[q]->right, NULL, false);
	for (int i = 0; i < g.at.n; i++) {
		const struct asking *a = &g.at.at[i];
		a->fold->fold->late = a->late && (a->fold->fold->cut || expr_checked(a->fold));
		if (a->asked)
			ask(a->fold, a->asked);
	}
}

void guard_folds(struct entry *entry, const struct options *o)
{
	pass_each(entry, ask_folds, o);
}
