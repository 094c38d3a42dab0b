/* regularise_rows.c - rows whose lengths an index decides, as in a triangle, become rows of one
 * length: sum[j in 0..i](x[i, j]) becomes sum[j in 0..n where j < i](x[i, j]).
 *
 * Needs: pins, before fusion.  Leaves: folds with a condition, whose ranges sizes decide;
 * choice.regular, for the remark of pass_regularise.c.
 *
 * Threads then share the terms of a row and read neighbours, and other statements over the same
 * rows can share its kernel.  A row a thread would read cells that are a row apart.
 *
 * Legal: the range of the fold is between an end that no index decides and one that is i, or -i,
 * plus what sizes say, for an index i of the statement.  Over all i these ends have a greatest and
 * a least value, which sizes say, too: the range between those has all terms, and the condition
 * leaves out those that are not of the row.  What only a range that is not empty keeps inside its
 * array is read where the condition holds (guarded).  The operator has an identity.
 *
 * Pays: on a GPU, where the terms of a row, not neighbouring cells, lie side by side: on an H100 16
 * to 28 times for triangles of 8192^2, 1.3 for 64 of 1024^2, but 0.4 for many of 64^2, which caches
 * hold.  Half of the terms of a triangle are left out; if both ends moved, as in a band, nearly all
 * might be. */
#include <string.h>
#include "ask.h"
#include "pass.h"

enum { SHORT = 256 };       /* terms of rows that threads need not share: caches hold them */

/* ---- the ends of a range ---- */

/* k: the index of the statement with which an end goes up, or down; -1: none, sizes say it. */
struct motion { int k; bool down; };

static bool motion_of_sum(const struct node *node, const struct expr *end, struct motion *m)
{
	struct affine a;
	if (!affine_of(end, &a))
		return false;
	for (int t = 0; t < a.n; t++) {
		int k = 0;
		while (k < node->index.n && node->index.at[k] != a.term[t].var)
			k++;
		bool one = k < node->index.n && m->k < 0
		           && (a.term[t].coef == 1 || a.term[t].coef == -1);
		if (one)
			*m = (struct motion){ k, a.term[t].coef < 0 };
		else if (a.term[t].var->kind != VAR_SIZE)
			return false;
	}
	return true;
}

static bool motion_of(const struct node *node, const struct expr *end, struct motion *m)
{
	struct motion other = { -1, false };
	*m = other;
	if (expr_by_sizes(end) && !expr_uses_cell(node, end))
		return true;
	if (end->kind != E_MATH || (end->math != M_min && end->math != M_max))
		return motion_of_sum(node, end, m);
	if (!motion_of(node, end->arg.at[0], m) || !motion_of(node, end->arg.at[1], &other))
		return false;
	bool same = m->k == other.k && m->down == other.down;
	if (m->k < 0)
		*m = other;
	return m->k < 0 || other.k < 0 || same;
}

/* ---- one fold ---- */

/* The index that decides the upper or the lower end of its range; false: both, or none. */
static bool find_motion(const struct node *node, const struct expr *e, struct motion *m, bool *high)
{
	const struct fold *f = e->fold;
	struct motion lo, hi;
	if (f->index.n != 1 || f->cut || f->late || f->running || f->sorted || fold_in_order(e)
	    || op_is_arg(f->op) || !op_identity(f->op, e->type)
	    || !motion_of(node, f->lo.at[0], &lo) || !motion_of(node, f->hi.at[0], &hi))
		return false;
	*high = hi.k >= 0;
	*m = *high ? hi : lo;
	return (lo.k < 0) != (hi.k < 0) && expr_by_sizes(node->lo.at[m->k])
	       && expr_by_sizes(node->hi.at[m->k]);
}

struct guarding { const struct node *node; const struct var *term; };

static bool spans(const struct node *node, const struct var *index, const struct affine *extent)
{
	for (int k = 0; k < node->index.n; k++)
		if (node->index.at[k] == index)
			return affine_spans(node->lo.at[k], node->hi.at[k], extent);
	return false;
}

/* Where a row has no terms, what its index says may be no place. */
static bool guard_read(struct expr *e, void *state)
{
	const struct guarding *g = state;
	for (int a = 0; e->kind == E_READ && a < e->arg.n; a++) {
		const struct expr *sub = e->arg.at[a];
		e->guarded |= sub->kind != E_VAR
		              || (sub->var != g->term
		                  && !spans(g->node, sub->var, &e->var->extent[a]));
	}
	return true;
}

/* Over all rows the end has this extreme value. */
static struct expr *far_end(const struct node *node, const struct expr *end, struct motion m,
                            bool high)
{
	struct expr *one = expr_int(type_scalar(T_I64), 1, end->at);
	struct expr *i = m.down == high ? node->lo.at[m.k]
	                                : expr_binary(OP_SUB, node->hi.at[m.k], one);
	return expr_substitute(end, &node->index.at[m.k], &i, 1);
}

static void level(const struct node *node, struct expr *e, struct motion m, bool high)
{
	struct fold *f = e->fold;
	struct expr **end = high ? &f->hi.at[0] : &f->lo.at[0];
	struct expr *j = expr_var(f->index.at[0], e->at);
	struct expr *inside = expr_binary(high ? OP_LT : OP_GE, j, *end);
	struct guarding g = { node, f->index.at[0] };
	f->where = f->where ? expr_binary(OP_LAND, inside, f->where) : inside;
	*end = far_end(node, *end, m, high);
	expr_walk(e->arg.at[0], guard_read, &g);
	expr_walk(f->where, guard_read, &g);
}

static bool is_short(const struct fold *f)
{
	int64_t terms = affine_cells(f->lo.at[0], f->hi.at[0]);
	return terms >= 0 && terms <= SHORT;
}

/* ---- one statement ---- */

/* It with ranges that sizes say; NULL: some fold is of another form, or has such a range. */
static struct node *levelled(const struct node *node)
{
	struct node *made = NEW(struct node);
	*made = *node;
	memset(&made->equation, 0, sizeof made->equation);
	for (int q = 0; q < node->equation.n; q++) {
		struct equation *eq = NEW(struct equation);
		struct folds folds = { .n = 0 };
		*eq = *node->equation.at[q];
		eq->right = expr_copy(eq->right);
		folds_of(eq->right, &folds);
		if (!folds.n || folds.overflow || eq->whole)
			return NULL;
		for (int f = 0; f < folds.n; f++) {
			struct motion m;
			bool high;
			if (!find_motion(node, folds.at[f], &m, &high))
				return NULL;
			level(node, folds.at[f], m, high);
			if (is_short(folds.at[f]->fold))
				return NULL;
		}
		list_add(&made->equation, eq);
	}
	return made;
}

static void regularise(struct node *node, const struct options *o)
{
	if (node->kind != NODE_PATTERN || !node->pattern->rows || !node->index.n
	    || !o->target->gpu || node->pin.regular < 0
	    || (!node->pin.regular && !pass_enabled(o, "regularise")))
		return;
	const struct node *made = levelled(node);
	if (!made || made->pattern->rows->unfit(made))
		return;
	memcpy(&node->equation, &made->equation, sizeof node->equation);
	node->choice.regular = LEVELLED;
}

void regularise_rows(struct entry *entry, const struct options *o)
{
	pass_each(entry, regularise, o);
}
