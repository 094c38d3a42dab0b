/* pass_fuse_behind.c - fuses reductions into the stencil, product or wavefront that computes their
 * cells.
 *
 * Needs: what pass_fuse.c leaves, at least of the statements before.  Leaves: groups, whose
 * epilogues they are.
 *
 * A fold runs over the cells of the statement before it and reads its targets at that very cell:
 * over all cells, or, after a wavefront of independent problems, over those of each, `best[k] =
 * max[i, j](H[k, i, j])`: then what the reduce keeps are the slowest of the indices that tell
 * problems apart; after a product, over a row or a column of the result. Others may follow and
 * join them.
 *
 * Where data decide how long a problem is, the same data bound the fold, and both are cut to the
 * tables. */
#include <string.h>
#include "legal.h"
#include "ask.h"
#include "pass.h"
#include "pass_fuse.h"
#include "ragged.h"
#include "remark.h"
#include "wavefront.h"

/* What a fold and the reduce it is in call the indices of the statement before. */
struct pair {
	const struct node *s, *r;
	const struct expr *e;
	const struct fold *fold;
	struct var *name[MAX_RANK];          /* of index k */
	int folded[MAX_RANK];   /* which index of the fold that is; -1: one that the reduce keeps */
};

/* ---- which cells ---- */

static const char *no_folds(const struct node *r, struct folds *folds)
{
	if (r->where || node_checked(r))
		return "it is masked, or has accesses that are tested at run time";
	for (int q = 0; q < r->equation.n; q++)
		folds_of(r->equation.at[q]->right, folds);
	return folds->n > 0 && !folds->overflow && folds_fit(folds)
	               ? NULL
	               : "its folds do not fit into the registers of a thread";
}

static int problem_at(const struct shape *shape, const struct node *r, int k)
{
	for (int d = 0; d < r->index.n; d++)
		if (shape->problem[d] == k)
			return d;
	return -1;
}

static int place_among(const struct var *var, struct var *const *index, int n)
{
	int at = 0;
	while (at < n && index[at] != var)
		at++;
	return at < n ? at : -1;
}

struct seeking_line { struct pair *p; const struct shape *shape; bool found; };

/* What is read of the product's cells at indices alone, one of them, which runs along a line, the
 * fold's. */
static bool no_line(struct expr *e, void *state)
{
	struct seeking_line *s = state;
	struct pair *p = s->p;
	const struct expr *target = node_target(p->s, 0);
	int folds = 0;
	if (e->kind != E_READ || e->var != target->var)
		return true;
	for (int k = 0; k < p->s->index.n; k++) {
		int a = 0;
		while (a < target->arg.n && target->arg.at[a]->var != p->s->index.at[k])
			a++;
		if (a == target->arg.n || e->arg.at[a]->kind != E_VAR)
			return false;
		p->name[k] = e->arg.at[a]->var;
		p->folded[k] = place_among(p->name[k], p->fold->index.at, p->fold->index.n);
		folds += p->folded[k] >= 0;
		s->found |= p->folded[k] >= 0 && (k == s->shape->line[0] || k == s->shape->line[1]);
		if (p->folded[k] < 0 && place_among(p->name[k], p->r->index.at, p->r->index.n) < 0)
			return false;
	}
	s->found &= folds == 1;
	return false;
}

static bool line_names(struct pair *p, const struct shape *shape)
{
	struct seeking_line s = { p, shape, false };
	expr_walk(p->e->arg.at[0], no_line, &s);
	return s.found && p->fold->index.n == 1 && p->r->index.n + 1 == p->s->index.n;
}

/* Kept indices and folded ones, both in the order of the statement's; false: there are more or
 * fewer. */
static bool pair_names(struct pair *p, const struct shape *shape)
{
	int next = 0;
	if (shape->lines)
		return line_names(p, shape);
	if (p->r->index.n > shape->problems || p->r->index.n + p->fold->index.n != p->s->index.n)
		return false;
	for (int k = 0; k < p->s->index.n; k++) {
		int d = problem_at(shape, p->r, k);
		p->folded[k] = d < 0 ? next++ : -1;
		p->name[k] = d < 0 ? p->fold->index.at[p->folded[k]] : p->r->index.at[d];
	}
	return true;
}

static bool same_bound(const struct pair *p, const struct expr *own, const struct expr *cells)
{
	struct expr *index[MAX_RANK];
	struct affine a, b;
	for (int k = 0; k < p->s->index.n; k++)
		index[k] = expr_var(p->s->index.at[k], own->at);
	own = expr_substitute(own, p->name, index, p->s->index.n);
	if (affine_of(own, &a) && affine_of(cells, &b))
		return affine_equal(&a, &b);
	return !strcmp(expr_text(own), expr_text(cells));
}

static bool leans(const struct fold *f)
{
	for (int d = 0; d < f->index.n; d++)
		for (int e = 0; e < f->index.n; e++)
			if (fold_bounds_use(f, d, f->index.at[e]))
				return true;
	return false;
}

/* Of a range that data decide: what is left out of both is the same, and the same for all rows. */
static bool same_cut(const struct pair *p, int k)
{
	const struct cut *cut = fold_cut(p->fold, p->folded[k]);
	struct affine end;
	bool ends = cut->end && affine_of(cut->end, &end);
	if (!p->s->wave || !p->s->wave->cut[k].lo || leans(p->fold))
		return false;
	for (int t = 0; ends && node_target(p->s, t); t++)
		for (int d = 0; d < p->s->index.n; d++)
			if (node_target(p->s, t)->arg.at[d]->var == p->s->index.at[k])
				ends &= affine_equal(&end, &node_target(p->s, t)->var->extent[d]);
	return ends || (cut->trusted && !cut->end && !op_is_arg(p->fold->op));
}

/* Every target's subscripts are the indices alone. */
static bool bare_targets(const struct node *s)
{
	for (int t = 0; node_target(s, t); t++)
		for (int d = 0; d < s->index.n; d++)
			if (node_target(s, t)->arg.at[d]->kind != E_VAR)
				return false;
	return s->wave;
}

static bool same_cells(const struct pair *p)
{
	if (!(p->s->whole || bare_targets(p->s)))
		return false;
	for (int k = 0; k < p->s->index.n; k++) {
		const struct fold *f = p->fold;
		int d = p->folded[k], kept = 0;
		while (d < 0 && p->r->index.at[kept] != p->name[k])
			kept++;
		if (!same_bound(p, d < 0 ? p->r->lo.at[kept] : f->lo.at[d], p->s->lo.at[k])
		    || !same_bound(p, d < 0 ? p->r->hi.at[kept] : f->hi.at[d], p->s->hi.at[k]))
			return false;
		if (d >= 0 && fold_cut(f, d) && !same_cut(p, k))
			return false;
	}
	return true;
}

/* Which array data may have ended before the range that is folded, so that cells of it keep what
 * they held; or NULL. */
static const struct var *left_out(const struct node *s)
{
	return s->wave && s->wave->within.n ? s->wave->within.at[0].read->var : NULL;
}

/* ---- what it reads ---- */

struct same_cell { const struct pair *pair; const struct expr *target; bool reads, other; };

static bool reads_cell(struct expr *e, void *state)
{
	struct same_cell *c = state;
	const struct node *s = c->pair->s;
	c->other |= e->kind == E_FOLD;
	if (e->kind != E_READ || e->var != c->target->var)
		return true;
	for (int k = 0; k < s->index.n; k++)
		for (int a = 0; a < e->arg.n; a++)
			if (c->target->arg.at[a]->var == s->index.at[k])
				c->other |= e->arg.at[a]->kind != E_VAR
				            || e->arg.at[a]->var != c->pair->name[k];
	c->reads = true;
	return true;
}

/* The fold reads a target of s, and every one of them at that very cell. */
static const char *no_reads(const struct pair *p, const struct expr *e)
{
	bool reads = false;
	for (int t = 0; node_target(p->s, t); t++) {
		struct same_cell look = { p, node_target(p->s, t), false, false };
		expr_walk(e->arg.at[0], reads_cell, &look);
		if (e->fold->where)
			expr_walk(e->fold->where, reads_cell, &look);
		if (look.other)
			return str_print("it reads cells of `%s` other than the one just computed",
			                 look.target->var->name);
		reads |= look.reads;
	}
	return reads ? NULL : str_print("it reads no result of `%s`", p->s->name);
}

static const char *no_fold(const struct node *s, const struct node *r, const struct expr *e,
                           const struct shape *shape)
{
	struct pair p = { .s = s, .r = r, .e = e, .fold = e->fold };
	if (!pair_names(&p, shape) || !same_cells(&p))
		return str_print("it does not fold over all cells of `%s`%s and no others", s->name,
		                 !r->index.n    ? ""
		                 : shape->lines ? ", row by row or column by column,"
		                                : ", problem by problem,");
	if (left_out(s))
		return str_print("it also folds cells that `%s` excludes where `%s` ends", s->name,
		                 left_out(s)->name);
	if (!e->fold->op->commutative || (op_is_arg(e->fold->op) && !s->wave && !shape->lines)
	    || fold_in_order(e))
		return str_print("the order of the terms of `%s` matters", e->fold->op->name);
	return no_reads(&p, e);
}

/* ---- the statement before ---- */

static const char no_cells_before[] = "no stencil, product or wavefront precedes it";

static const char *no_front(const struct node *s)
{
	if (s->kind != NODE_PATTERN || !(s->pattern->fuse & FUSE_FRONT) || !s->index.n)
		return no_cells_before;
	if (node_checked(s))
		return str_print("`%s` has accesses that are tested at run time", s->name);
	for (int t = 0; node_target(s, t); t++)
		if (node_target(s, t)->kind != E_READ)
			return str_print("`%s` writes only a part of its cells", s->name);
	return NULL;
}

/* What r writes and s uses, or NULL. */
static const struct var *written_for(const struct node *s, const struct node *r)
{
	for (int t = 0; node_target(r, t); t++) {
		const struct var *var = target_read(node_target(r, t))->var;
		if (node_reads(s, var) || node_writes(s, var))
			return var;
	}
	return NULL;
}

/* Those after the same cells do not see each other's results. */
static const char *no_place(const struct group *group, const struct node *r, struct folds *folds)
{
	const char *why = NULL;
	for (int e = 0; group && !why && e < group->epilogue.n; e++) {
		const struct node *other = group->epilogue.at[e];
		const struct var *from = written_for(r, other), *to = written_for(other, r);
		if (from || to)
			why = str_print(
				"`%s`, folded after the same cells, uses `%s` too",
				other->name, (from ? from : to)->name);
		for (int q = 0; q < other->equation.n; q++)
			folds_of(other->equation.at[q]->right, folds);
	}
	if (!why && (folds->overflow || !folds_fit(folds)))
		why = "its folds and those before it do not fit into the registers of a thread";
	return why;
}

/* Which of its cells they are, the shape says. */
static const char *no_births(const struct node *s, const struct node *r, const struct shape *shape,
                             const struct options *o)
{
	const char *no_tiles = shape->births_staged ? unstaged(s, shape, o) : NULL;
	if (no_tiles)
		return str_print("`%s` has no tiles: %s", s->name, no_tiles);
	if (shape->births_staged && shape->no_births)
		return shape->no_births;
	if (shape->lines && r->index.n + 1 != s->index.n)
		return "only the rows or columns of a product can be folded in its kernel";
	if (!shape->lines && r->index.n > shape->problems)
		return "it has a result for each of several cells: only a fold over all cells, "
		       "over each problem of a wavefront, or over rows or columns of a product can "
		       "run in the kernel that computes them";
	return shape->no_births;
}

static const char *no_behind(const struct node *s, const struct node *r, const struct options *o)
{
	struct folds folds = { .n = 0 };
	struct shape shape = { .problems = 0 };
	const char *why = no_folds(r, &folds);
	if (!why)
		why = no_front(s);
	if (!why)
		shape = shape_of(s, o);
	if (!why)
		why = no_births(s, r, &shape, o);
	for (int f = 0; !why && f < folds.n; f++)
		why = no_fold(s, r, folds.at[f], &shape);
	const struct var *var = written_for(s, r);
	if (!why && var)
		why = str_print("`%s` uses `%s`, which this statement writes", s->name, var->name);
	return why ? why : no_place(s->group, r, &folds);
}

/* The statement whose cells those before i are folded after, or the one before it. */
static struct node *front_of(const struct body *b, int i)
{
	struct node *s = i ? b->at[i - 1] : NULL;
	return s && s->kind == NODE_PATTERN && s->group && s->group->epilogue.n ? s->group->anchor
	                                                                        : s;
}

bool folds_behind(const struct body *b, int i)
{
	const struct node *r = b->at[i], *s = front_of(b, i);
	return s && r->pin.fuse >= 0 && !no_behind(s, r, b->options);
}

bool folds_product(const struct body *b, int i)
{
	const struct node *s = front_of(b, i);
	return s && !no_front(s) && shape_of(s, b->options).lines && folds_behind(b, i);
}

/* Bytes a cell that statement i reads again of what those before it in the body write. */
static double read_again(const struct body *b, int i)
{
	double bytes = 0;
	for (int s = i > FUSE_NEAR ? i - FUSE_NEAR : 0; s < i; s++)
		for (int t = 0; b->at[s]->kind == NODE_PATTERN && node_target(b->at[s], t); t++) {
			const struct var *var = target_read(node_target(b->at[s], t))->var;
			if (var->rank && node_reads(b->at[i], var))
				bytes += (double)type_size(var->type);
		}
	return bytes;
}

void fold_behind(const struct body *b, int i)
{
	struct node *r = b->at[i], *s = front_of(b, i);
	if (!fuse_allowed(r, s ? no_behind(s, r, b->options) : no_cells_before, NULL,
	                  read_again(b, i)))
		return;
	struct group *group = s->group ? s->group : NEW(struct group);
	group->anchor = s;
	list_add(&group->epilogue, r);
	s->group = r->group = group;
	remark_did(r, PASS_FUSE, BANDWIDTH,
	           "folded in the kernel that computes `%s`: its cells are not read "
	           "again", s->name);
	remark_did(s, PASS_FUSE, BANDWIDTH, "`%s` is folded after its cells", r->name);
	fuse_join(r, s);
}
