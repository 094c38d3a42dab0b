/* lower_abreast.c - computes several windows of a cell together, some terms of each at a time.
 *
 * A window is a fold over a constant range, written out as a tree (struct expr, window).  Where one
 * cell has several, as the colours of a picture have, they mostly read the same: the weights of a
 * filter.  Compilers load that once, and where one tree is computed after another they hold all of
 * it meanwhile.  So trees of one shape are cut alike, and parts of all of them are computed one
 * after another.  A filter of 9 x 9 over three colours takes 40 registers then, for sm_90, and 128
 * without. */
#include "lower.h"

enum { TERMS = 12 };                     /* of a part, at most */

struct windows { struct expr *at[16]; int n; };

static int terms_of(const struct expr *e)
{
	return e->window ? terms_of(e->arg.at[0]) + terms_of(e->arg.at[1]) : 1;
}

/* Those that are computed in any case; of several shapes, those of the first. */
static void find(struct windows *w, struct expr *e)
{
	int room = (int)(sizeof w->at / sizeof *w->at);
	if (e->window && !expr_lazy(e)) {
		if (w->n < room && (!w->n || terms_of(w->at[0]) == terms_of(e)))
			w->at[w->n++] = e;
		return;
	}
	int args = e->kind == E_FOLD || e->kind == E_OR_ZERO ? 0 : expr_lazy(e) ? 1 : e->arg.n;
	for (int a = 0; a < args; a++)
		find(w, e->arg.at[a]);
}

/* Shapes may differ below: terms that are windows themselves. */
static bool cut(const struct windows *w, struct windows *half)
{
	half[0].n = half[1].n = w->n;
	for (int i = 0; i < w->n; i++) {
		if (!w->at[i]->window || expr_lazy(w->at[i]) || terms_of(w->at[i]) <= TERMS)
			return false;
		for (int h = 0; h < 2; h++)
			half[h].at[i] = w->at[i]->arg.at[h];
	}
	return true;
}

static void compute(struct lowering *l, const struct windows *w)
{
	struct windows half[2];
	bool parts = cut(w, half);
	for (int h = 0; parts && h < 2; h++)
		compute(l, &half[h]);
	for (int i = 0; i < w->n; i++) {
		struct kx *x = lower_expr(l, w->at[i]);
		x = x->kind == KX_VAR ? x : x_var(k_let(l->k, "part", x));
		list_add(&l->folded, ((struct folded){ w->at[i], x }));
	}
}

struct kx *lower_right(struct lowering *l, const struct expr *right)
{
	struct windows w = { .n = 0 };
	int known = l->folded.n;
	find(&w, (struct expr *)right);
	if (l->target->gpu && w.n > 1 && terms_of(w.at[0]) > TERMS)
		compute(l, &w);
	struct kx *x = lower_expr(l, right);
	l->folded.n = known;
	return x;
}
