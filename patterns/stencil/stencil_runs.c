/* stencil_runs.c - which windows of a stencil are folded from runs, so that a cell costs the same
 * whatever the length of its window.
 *
 *     stencil y[i] = max[p in -r..r+1](x[i + p]) boundary clamp;
 *
 * The terms are cut into segments as long as a window, here of three:
 *
 *     terms                             a   b   c | d   e   f | g   h   i
 *     folded to the segment's end     abc  bc   c | def ef   f | ...
 *     folded from its beginning         a  ab abc | d  de  def | ...
 *     windows                         abc, bc d, c de, def, ef g, ...
 *
 * A window is the end of a segment and the beginning of the next, so it costs three applications of
 * the operator (van Herk 1992; Gil and Werman 1993).  The operator is associative; it need not
 * commute.  Nothing is taken out of a sum again: infinities, and sums of floats, are what they are
 * when each window is folded alone, but for rounding (R13).
 *
 * Needs: a fold of one index p.  p and the index of the statement occur in sums index + p + offset
 * alone, or in index - p + offset alone: the terms of different cells are the same then.  Along
 * other axes the window does not move; pass_separate.c makes such statements of other windows.  A
 * boundary answers terms outside as it does everywhere; `keep` looks at the whole window, and is
 * left.
 *
 * Windows of a statement that have different ranges, or move along different axes, would have
 * segments of their own: those that save most terms are folded so, the others term by term. */
#include "ask.h"
#include "stencil_runs.h"
#include "../cells.h"

/* ---- terms that depend on index + p alone ---- */

struct sliding {
	const struct node *node;
	int index;                           /* of the domain, -1: not known yet */
	const struct var *p;
	int64_t sign;                        /* of p in subscripts; 0: not known yet */
};

static bool slides(struct sliding *t, const struct expr *sub)
{
	struct shift s;
	int64_t own = 0;
	if (!access_shift(t->node, sub, &s) || s.coef != 1)
		return false;
	for (int k = 0; k < s.rest.n; k++)
		if (s.rest.term[k].var == t->p)
			own = s.rest.term[k].coef;
		else if (s.rest.term[k].var->kind == VAR_INDEX)
			return false;
	if ((own != 1 && own != -1) || (t->index >= 0 && (t->index != s.k || t->sign != own)))
		return false;
	t->index = s.k;
	t->sign = own;
	return true;
}

static bool uses_either(const struct sliding *t, const struct expr *e)
{
	return expr_uses(e, t->p) || (t->index >= 0 && expr_uses(e, t->node->index.at[t->index]));
}

/* The index along which it moves is known after the first subscript with p: a walk finds it, and
 * the next one sees that nothing else uses it. */
static bool by_place(struct sliding *t, const struct expr *e)
{
	if (e->fold || (e->kind == E_READ && (e->checked || node_writes(t->node, e->var))))
		return false;
	if (e->kind == E_VAR)
		return !uses_either(t, e);
	for (int a = 0; a < e->arg.n; a++) {
		const struct expr *arg = e->arg.at[a];
		if (!(uses_either(t, arg) && slides(t, arg)) && !by_place(t, arg))
			return false;
	}
	return true;
}

static bool moves_along(struct sliding *t, const struct expr *e)
{
	return by_place(t, e) && t->index >= 0 && by_place(t, e);
}

/* ---- windows ---- */

static const char *no_window(const struct expr *e, const struct expr *fold, struct sliding *t)
{
	if (fold->fold->where || fold->fold->cut)
		return "terms are masked";
	const char *why = fold_no_parts(fold);
	if (why)
		return why;
	if (!fold_fixed(fold->fold))
		return "its length depends on more than sizes and scalar parameters";
	if (expr_checked(e))
		return "reads are tested at run time";
	if (expr_guarded(e))
		return "only a condition keeps its reads in bounds";
	if (!moves_along(t, fold->arg.at[0]))
		return "its terms depend on more than the index that they read";
	return NULL;
}

enum {
	LONG = 24,                           /* terms: remarks do not mention shorter windows */
	EDGED_MOST = 8                       /* reads beside the windows that runs make up for */
};

struct candidate {
	struct expr *e;                      /* in the equation */
	const struct expr *fold;
	int index;
	bool backward;
	int64_t terms;
};
struct search {
	const struct node *node;
	bool written;                        /* what was written out of folds, too */
	LIST(struct candidate) found;
	int refused;                         /* long ones, the first because: */
	const char *why;
};

static void look_at(struct search *s, struct expr *e, const struct expr *fold, bool always)
{
	struct sliding t = { s->node, -1, fold->fold->index.at[0], 0 };
	int64_t terms = affine_cells(fold->fold->lo.at[0], fold->fold->hi.at[0]);
	const char *why = no_window(e, fold, &t);
	if (!why && !always && s->node->pin.stage != STAGE_RUNS)
		why = "a condition decides which cells need it";
	bool is_long = terms < 0 || terms >= LONG || s->written;
	if (!why)
		list_add(&s->found,
		         ((struct candidate){ e, fold, t.index, t.sign < 0, terms }));
	else if (is_long && !s->refused++)
		s->why = why;
}

/* always: for every cell. */
static void find_windows(struct search *s, struct expr *e, bool always)
{
	const struct expr *fold = e->kind == E_FOLD ? e : s->written ? e->written : NULL;
	if (fold && expr_folds(fold) && !fold->fold->running && fold->fold->index.n == 1) {
		look_at(s, e, fold, always);
		return;
	}
	for (int a = 0; e->kind != E_FOLD && a < e->arg.n; a++)
		find_windows(s, e->arg.at[a], always && (a == 0 || !expr_lazy(e)));
}

/* ---- those of one range ---- */

enum { GIVEN = 1 << 10 };                /* terms of a window whose length the call gives, say */

static bool share_segments(const struct candidate *a, const struct candidate *b)
{
	return a->index == b->index && expr_same(a->fold->fold->lo.at[0], b->fold->fold->lo.at[0])
	       && expr_same(a->fold->fold->hi.at[0], b->fold->fold->hi.at[0]);
}

static int64_t terms_saved(const struct search *s, const struct candidate *like)
{
	int64_t terms = 0;
	for (int c = 0; c < s->found.n; c++)
		if (share_segments(like, &s->found.at[c]))
			terms += like->terms < 0 ? GIVEN : like->terms;
	return terms;
}

static const struct candidate *best_of(const struct search *s)
{
	const struct candidate *best = NULL;
	for (int c = 0; c < s->found.n; c++)
		if (!best || terms_saved(s, &s->found.at[c]) > terms_saved(s, best))
			best = &s->found.at[c];
	return best;
}

/* min, max, all and any give a term: it is kept as it was before it was widened. */
static const struct type *kept_type(const struct expr *fold)
{
	const struct expr *e = fold->arg.at[0];
	if (!op_chooses(fold->fold->op) || e->type != fold->type)
		return fold->type;
	return expr_unwidened(e)->type;
}

static bool same_fold(const struct run *r, const struct candidate *c)
{
	struct var *from[] = { c->fold->fold->index.at[0] };
	struct expr *to[] = { expr_var(r->fold->fold->index.at[0], c->fold->at) };
	return r->fold->fold->op == c->fold->fold->op && r->fold->type == c->fold->type
	       && expr_same(r->fold->arg.at[0], expr_substitute(c->fold->arg.at[0], from, to, 1));
}

static void take_window(struct runs *r, const struct candidate *c)
{
	int run = 0;
	while (run < r->run.n && !same_fold(&r->run.at[run], c))
		run++;
	if (run == RUNS_MOST) {
		r->others++;
		return;
	}
	if (run == r->run.n) {
		list_add(&r->run, ((struct run){ c->fold, c->backward, kept_type(c->fold) }));
		r->bytes += type_size(r->run.at[run].type);
	}
	list_add(&r->window, ((struct window_run){ c->e, run }));
}

static const char *no_statement(const struct node *node)
{
	if (node->where)
		return "`where` may exclude most of its cells";
	if (node_checked(node))
		return "reads are tested at run time";
	if (node_keeps(node))
		return "`boundary keep` depends on the whole window of a cell";
	for (int k = 0; k < node->index.n; k++) {
		if (!cells_exact(node, k))
			return "the cells that it computes depend on more than sizes and scalar "
			       "parameters";
		if (node->edge[k].kind == B_VALUE && expr_checked(node->edge[k].value))
			return "the value outside is tested at run time";
	}
	return NULL;
}

static bool is_window(const struct runs *r, const struct expr *e)
{
	for (int w = 0; w < r->window.n; w++)
		if (r->window.at[w].e == e)
			return true;
	return false;
}

/* Reads beside the windows that an edge may answer.  Each is tested at every cell, since cells
 * whose reads are all inside are not computed apart from the others. */
static int edged_beside(const struct node *node, const struct runs *r, const struct expr *e)
{
	int reads = e->kind == E_READ && cell_edged(node, e);
	for (int a = 0; !is_window(r, e) && a < e->arg.n; a++)
		reads += edged_beside(node, r, e->arg.at[a]);
	return is_window(r, e) ? 0 : reads;
}

const struct runs *runs_of(const struct node *node, bool written, const char **why)
{
	struct search s = { .node = node, .written = written };
	struct runs *runs = NEW(struct runs);
	for (int q = 0; q < node->equation.n; q++)
		find_windows(&s, node->equation.at[q]->right, true);
	const struct candidate *best = best_of(&s);
	*why = best ? no_statement(node) : s.why;
	if (!best || *why)
		return NULL;
	*runs = (struct runs){ .index = best->index, .terms = best->terms, .others = s.refused };
	for (int c = 0; c < s.found.n; c++)
		if (share_segments(best, &s.found.at[c]))
			take_window(runs, &s.found.at[c]);
		else if (s.found.at[c].terms < 0 || s.found.at[c].terms >= LONG)
			runs->others++;
	for (int q = 0; q < node->equation.n; q++)
		runs->edged += edged_beside(node, runs, node->equation.at[q]->right);
	return runs;
}

/* ---- the decision ---- */

bool runs_pay(const struct runs *r, const struct node *node, const struct options *o)
{
	bool open = !node->pin.stage && !node->pin.tile[0] && !node->pin.coarsen;
	bool chosen = node->pin.stage == STAGE_RUNS || (open && pass_enabled(o, "stage"));
	int64_t least = runs_least(r, node, o->target), most = runs_most(r, o->target);
	if (!chosen || (r->edged > EDGED_MOST && !node->pin.stage))
		return false;
	return least <= (r->terms < 0 ? most : r->terms) && r->terms <= most;
}

/* As a loop it would begin with the identity. */
static struct expr *as_fold(const struct expr *fold)
{
	struct expr *copy = NEW(struct expr);
	*copy = *fold;
	copy->fold = NEW(struct fold);
	*copy->fold = *fold->fold;
	copy->fold->terms_only = true;
	return copy;
}

static void exchange(struct node *node, const struct expr *window, struct expr *fold)
{
	for (int q = 0; q < node->equation.n; q++) {
		struct equation *eq = node->equation.at[q];
		eq->right = expr_exchange(eq->right, window, fold);
	}
}

void runs_fold_back(struct node *node, const struct options *o)
{
	const char *why;
	const struct runs *r = runs_of(node, true, &why);
	for (int w = 0; r && runs_pay(r, node, o) && w < r->window.n; w++)
		if (r->window.at[w].e->kind != E_FOLD)
			exchange(node, r->window.at[w].e,
			         as_fold(r->run.at[r->window.at[w].run].fold));
}
