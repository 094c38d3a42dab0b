/* chain.c - which products are computed together with the product that their left operand comes
 * from, tile by tile, so that neither its cells nor what becomes of them exist in memory:
 *
 *     matmul s[i, j] = sum[c](q[i, c] * k[j, c]);             the scores
 *     reduce top[i] = max[j](s[i, j]);                        folds of their rows
 *     reduce total[i] = sum[j](exp(s[i, j] - top[i]));
 *     map p[i, j] = exp(s[i, j] - top[i]) / total[i];         the weights
 *     matmul o[i, c] = sum[j](p[i, j] * v[j, c]);             the result: weights times values
 *
 * Both products are found by product_find.  Statements name their indices as they like: here they
 * are renamed to those of the scores, by the read of the scores that each has.
 *
 * A row is folded while its keys are visited, once.  What uses the greatest score of a row is
 * computed against the greatest so far, and multiplied when that moves (../reduce/scaling.h), the
 * sums of the result, too.  Where weights are divided by a fold, the sums are divided instead, at
 * the end of the row.
 *
 * Source: T. Dao, D. Fu, S. Ermon, A. Rudra, C. Re, "FlashAttention: Fast and Memory-Efficient
 * Exact Attention with IO-Awareness" (2022). */
#include "chain.h"

#include <string.h>
#include "small.h"
#include "ragged.h"

enum { MOST = 256 };             /* columns, and terms of a score */

/* ---- names ---- */

/* Of a statement, and what the scores call them. */
struct names { struct var *from[MAX_RANK]; struct expr *to[MAX_RANK]; int n; };

struct reading { const struct var *var; const struct expr *read; bool others; };

static bool find_read(struct expr *e, void *state)
{
	struct reading *r = state;
	if (e->kind != E_READ || e->var != r->var)
		return true;
	r->others |= r->read && !expr_same(r->read, e);
	r->read = e;
	return true;
}

static const char *no_names(const struct chain *c, const struct node *node, struct names *names)
{
	struct reading r = { .var = c->score };
	node_walk((struct node *)node, find_read, &r);
	if (!r.read)
		return str_print("`%s` does not read `%s`", node->name, c->score->name);
	for (int a = 0; a < r.read->arg.n; a++) {
		const struct expr *sub = r.read->arg.at[a];
		bool index = sub->kind == E_VAR && sub->var->kind == VAR_INDEX;
		for (int b = 0; index && b < a; b++)
			index = r.read->arg.at[b]->var != sub->var;
		if (!index || r.others)
			return str_print("`%s` reads `%s` at other cells than those of a row",
			                 node->name, c->score->name);
		names->from[a] = sub->var;
		names->to[a] = expr_var(c->scores->index.at[a], sub->at);
	}
	names->n = r.read->arg.n;
	return NULL;
}

static struct expr *renamed(const struct names *names, const struct expr *e)
{
	return e ? expr_substitute(e, names->from, names->to, names->n) : NULL;
}

/* Which index of the scores that one is; -1: none. */
static int axis_of(const struct names *names, const struct var *index)
{
	for (int a = 0; a < names->n; a++)
		if (names->from[a] == index)
			return a;
	return -1;
}

/* ---- statements ---- */

/* A bound of the index if the condition is one, which is affine: *high, or low; else NULL. */
static const struct expr *bound_of(const struct expr *e, const struct var *index, bool *high)
{
	struct affine f;
	bool compares = e->kind == E_BINARY && (e->op == OP_LT || e->op == OP_LE || e->op == OP_GT
	                                        || e->op == OP_GE);
	for (int k = 0; compares && k < 2; k++) {
		const struct expr *own = e->arg.at[k];
		struct expr *other = e->arg.at[1 - k];
		if (own->kind != E_VAR || own->var != index || !affine_of(other, &f)
		    || expr_uses(other, index))
			continue;
		bool equal = e->op == OP_LE || e->op == OP_GE;
		*high = (e->op == OP_LT || e->op == OP_LE) == (k == 0);
		return *high == equal ? expr_binary(OP_ADD, other,
		                                    expr_int(other->type, 1, e->at))
		                      : other;
	}
	return NULL;
}

static void add_condition(struct keys *keys, const struct expr *e, const struct var *index)
{
	bool high;
	const struct expr *bound = bound_of(e, index, &high);
	if (e->kind == E_BINARY && e->op == OP_LAND) {
		add_condition(keys, e->arg.at[0], index);
		add_condition(keys, e->arg.at[1], index);
	} else if (!bound)
		list_add(&keys->where, e);
	else if (high)
		list_add(&keys->high, bound);
	else
		list_add(&keys->low, bound);
}

static struct keys keys_of(const struct chain *c, int axis, const struct fold *f,
                           const struct names *names)
{
	struct keys keys = { 0 };
	const struct node *s = c->scores;
	struct expr *lo = renamed(names, f->lo.at[0]), *hi = renamed(names, f->hi.at[0]);
	if (!ends_equal(lo, s->lo.at[axis]))
		list_add(&keys.low, lo);
	if (!ends_equal(hi, s->hi.at[axis]))
		list_add(&keys.high, hi);
	if (f->where)
		add_condition(&keys, renamed(names, f->where), s->index.at[axis]);
	return keys;
}

static bool all_affine(const struct keys *keys)
{
	struct affine f;
	bool affine = true;
	for (int n = 0; n < keys->low.n; n++)
		affine &= affine_of(keys->low.at[n], &f);
	for (int n = 0; n < keys->high.n; n++)
		affine &= affine_of(keys->high.at[n], &f);
	return affine;
}

static bool same_keys(const struct keys *a, const struct keys *b)
{
	bool same = a->low.n == b->low.n && a->high.n == b->high.n && a->where.n == b->where.n;
	for (int n = 0; same && n < a->low.n; n++)
		same = ends_equal(a->low.at[n], b->low.at[n]);
	for (int n = 0; same && n < a->high.n; n++)
		same = ends_equal(a->high.at[n], b->high.at[n]);
	for (int n = 0; same && n < a->where.n; n++)
		same = expr_same(a->where.at[n], b->where.at[n]);
	return same;
}

static const char *no_keys(struct chain *c, int axis, const struct node *node,
                           const struct fold *f, const struct names *names, bool first)
{
	const struct keys keys = keys_of(c, axis, f, names);
	bool folded = f->where && expr_uses(f->where, c->score);
	for (int n = 0; f->where && n < c->folds; n++)
		folded |= expr_uses(f->where, c->fold[n].var);
	if (folded || fold_cut(f, 0) || !all_affine(&keys))
		return str_print("the keys that `%s` folds depend on data", node->name);
	if (first)
		c->keys = keys;
	return same_keys(&c->keys, &keys)
	               ? NULL
	               : str_print("`%s` folds other keys than the statements before it",
	                           node->name);
}

/* The fold of a row, over all keys. */
static struct expr *whole_fold(const struct chain *c, int axis, const struct expr *e,
                               const struct names *names)
{
	struct expr *made = expr_bare(e);
	struct fold *f = NEW(struct fold);
	*f = *e->fold;
	memset(&f->index, 0, sizeof f->index);
	memset(&f->lo, 0, sizeof f->lo);
	memset(&f->hi, 0, sizeof f->hi);
	list_add(&f->index, c->scores->index.at[axis]);
	list_add(&f->lo, c->scores->lo.at[axis]);
	list_add(&f->hi, c->scores->hi.at[axis]);
	f->where = f->asked = NULL;
	made->fold = f;
	list_add(&made->arg, renamed(names, e->arg.at[0]));
	return made;
}

/* The statement in the names of the scores, with its fold over all keys; NULL: its own indices are
 * not those of rows. */
static struct node *renamed_node(const struct chain *c, int axis, const struct node *node,
                                 const struct expr *fold, const struct names *names)
{
	const struct node *s = c->scores;
	struct node *made = NEW(struct node);
	struct equation *eq = NEW(struct equation);
	*made = *node;
	memset(&made->index, 0, sizeof made->index);
	memset(&made->lo, 0, sizeof made->lo);
	memset(&made->hi, 0, sizeof made->hi);
	memset(&made->equation, 0, sizeof made->equation);
	for (int d = 0; d < node->index.n; d++) {
		int a = axis_of(names, node->index.at[d]);
		bool same = a < 0 || (ends_equal(node->lo.at[d], s->lo.at[a])
		                      && ends_equal(node->hi.at[d], s->hi.at[a]));
		if (!same)
			return NULL;
		list_add(&made->index, a < 0 ? node->index.at[d] : s->index.at[a]);
		list_add(&made->lo, node->lo.at[d]);
		list_add(&made->hi, node->hi.at[d]);
	}
	*eq = *node->equation.at[0];
	memset(&eq->target, 0, sizeof eq->target);
	list_add(&eq->target, renamed(names, node->equation.at[0]->target.at[0]));
	eq->right = renamed(names, expr_exchange(node->equation.at[0]->right, fold,
	                                         whole_fold(c, axis, fold, names)));
	list_add(&made->equation, eq);
	return made;
}

static const char *no_statement(const struct node *node)
{
	const char *why = node->equation.n != 1 || node_target(node, 1) ? "has several results"
	                  : node->where || !node->whole ? "leaves cells out"
	                  : node_checked(node)          ? "has accesses that are tested at run time"
	                  : node_clause(node, "strict") ? "is strict"
	                                                : NULL;
	return why ? str_print("`%s` %s", node->name, why) : NULL;
}

/* Of a product of scores, or a fold: other blocks may have stored it, or it has no memory. */
static const char *no_member(const struct node *node)
{
	const char *why = no_statement(node);
	const struct var *var = why ? NULL : target_read(node_target(node, 0))->var;
	return why || !node_reads(node, var)
	               ? why
	               : str_print("`%s` reads what it writes", node->name);
}

struct held { const struct chain *c; const struct var *other; };

static bool of_row(struct expr *e, void *state)
{
	struct held *h = state;
	for (int n = 0; e->kind == E_READ && n < h->c->folds; n++) {
		const struct row_fold *f = &h->c->fold[n];
		if (e->var == f->var && !expr_same(e, f->node->equation.at[0]->target.at[0]))
			h->other = e->var;
	}
	return !h->other;
}

/* Of what rows fold a statement, which is renamed, reads the cell of the row at hand. */
static const char *no_rows(const struct chain *c, const struct node *node)
{
	struct held h = { c, NULL };
	node_walk((struct node *)node, of_row, &h);
	return h.other ? str_print("`%s` reads `%s` in rows other than the current one", node->name,
	                           h.other->name)
	               : NULL;
}

static struct expr *only_fold(const struct node *node)
{
	struct folds folds = { .n = 0 };
	folds_of(node->equation.at[0]->right, &folds);
	return folds.n == 1 && folds.at[0]->fold->index.n == 1 ? folds.at[0] : NULL;
}

/* ---- the rows ---- */

static bool is_top(const struct row_fold *f)
{
	return f->fold->fold->op->kind == OPK_MAX && type_class(f->fold->type) == 'F'
	       && f->node->equation.at[0]->right == f->fold && f->var->type == f->fold->type;
}

/* Which fold of the rows the expression reads; -1: none, -2: several. */
static int fold_read(const struct chain *c, const struct expr *e)
{
	int found = -1;
	for (int n = 0; n < c->folds; n++)
		if (expr_uses(e, c->fold[n].var))
			found = found == -1 ? n : -2;
	return found;
}

static bool is_constant_above_0(const struct expr *e)
{
	e = scaling_bare(e);
	return e->kind == E_CONST && type_class(e->type) == 'F' && e->value.f > 0;
}

static bool scales_with(const struct chain *c, struct scaling *scale, const struct expr *term,
                        const struct fold *fold)
{
	const struct row_fold *top = c->top < 0 ? NULL : &c->fold[c->top];
	if (!top || !scaling_find(scale, term, fold, top->fold->arg.at[0], top->var))
		return false;
	for (int n = 0; n < scale->positive.n; n++)
		if (!is_constant_above_0(scale->positive.at[n]))
			return false;
	return true;
}

static const char *no_row_fold(struct chain *c, const struct node *node, int *axis)
{
	struct names names;
	struct row_fold *f = &c->fold[c->folds];
	const char *why = no_member(node);
	struct expr *fold = why ? NULL : only_fold(node);
	if (!why && (!fold || !(node->pattern->fuse & FUSE_ROWS)))
		why = str_print("`%s` is not a fold of the rows of `%s`", node->name,
		                c->score->name);
	if (!why && c->folds == CHAIN_FOLDS)
		why = str_print("more than %d statements fold its rows", CHAIN_FOLDS);
	why = why ? why : no_names(c, node, &names);
	if (why)
		return why;
	int key = axis_of(&names, fold->fold->index.at[0]);
	if (key < 0 || (*axis >= 0 && key != *axis))
		return str_print("`%s` is not a fold of the rows of `%s`", node->name,
		                 c->score->name);
	why = no_keys(c, key, node, fold->fold, &names, *axis < 0);
	*axis = key;
	f->node = renamed_node(c, key, node, fold, &names);
	if (why || !f->node)
		return why ? why : str_print("`%s` has other rows", node->name);
	why = no_rows(c, f->node);
	if (why)
		return why;
	f->fold = only_fold(f->node);
	f->var = target_read(node->equation.at[0]->target.at[0])->var;
	int reads = fold_read(c, f->fold->arg.at[0]);
	const struct type *of = accumulator_type(f->fold);
	if (!f->fold->fold->op->commutative || fold_in_order(f->fold) || of != f->fold->type
	    || !strchr("BIUF", type_class(of)))
		return str_print("the order of the terms of `%s` matters", node->name);
	f->scales = reads >= 0 && reads == c->top && f->fold->fold->op->kind == OPK_SUM
	            && scales_with(c, &f->scale, f->fold->arg.at[0], f->fold->fold);
	if (reads != -1 && !f->scales)
		return str_print("the terms of `%s` do not scale with the greatest score, by a "
		                 "constant factor that is positive", node->name);
	if (c->top < 0 && is_top(f))
		c->top = c->folds;
	c->folds++;
	return NULL;
}

/* ---- the result ---- */

/* Is e, of weights, divided by the cell of var once? */
static bool is_divided(const struct expr *e, const struct var *var)
{
	e = scaling_bare(e);
	if (e->kind == E_UNARY && e->op == OP_NEG)
		return is_divided(e->arg.at[0], var);
	if (e->kind != E_BINARY || (e->op != OP_MUL && e->op != OP_DIV))
		return false;
	bool left = expr_uses(e->arg.at[0], var), right = expr_uses(e->arg.at[1], var);
	if (e->op == OP_DIV && right) {
		const struct expr *by = scaling_bare(e->arg.at[1]);
		return !left && by->kind == E_READ && by->var == var;
	}
	return left != right && is_divided(e->arg.at[right], var);
}

/* exp(k * (x - top)) / total: undivided it is at most 1, and rounds as well. */
static bool is_share(const struct expr *e)
{
	e = scaling_bare(e);
	const struct expr *of = e->kind == E_BINARY && e->op == OP_DIV ? scaling_bare(e->arg.at[0])
	                                                               : e;
	return of != e && of->kind == E_MATH && (of->math == M_exp || of->math == M_exp2);
}

static bool is_rounded(struct expr *e, void *state)
{
	(void)state;
	return !(e->kind == E_CAST && is_small(e->type));
}

static const char *no_weights(struct chain *c)
{
	const struct expr *e = c->p[SECOND].operand[c->weight].e;
	const struct fold *fold = c->p[SECOND].fold->fold;
	bool by_top = c->top >= 0 && expr_uses(e, c->fold[c->top].var);
	c->divisor = -1;
	for (int n = 0; n < c->folds; n++)
		if (n != c->top && expr_uses(e, c->fold[n].var)) {
			if (c->divisor >= 0 || !is_divided(e, c->fold[n].var))
				return str_print("its weights use `%s`, and are not divided by it",
				                 c->fold[n].var->name);
			c->divisor = n;
		}
	c->scales = by_top && scales_with(c, &c->scale, e, fold);
	if (by_top && !c->scales)
		return "its weights do not scale with the greatest score, by a constant factor "
		       "that is positive";
	if (c->divisor >= 0 && type_class(c->p[SECOND].fold->type) != 'F')
		return "its weights are not floats";
	if (c->divisor >= 0 && c->top < 0)
		return "its weights are divided, but nothing computes the greatest score of a row";
	if (c->divisor >= 0 && !(c->scales && is_share(e))
	    && !expr_walk((struct expr *)e, is_rounded, NULL))
		return "its weights are rounded after the division";
	return NULL;
}

static const char *no_result(struct chain *c, const struct node *node, int *axis,
                             const struct target *target)
{
	struct names names;
	const char *why = no_statement(node);
	struct expr *fold = why ? NULL : only_fold(node);
	if (!why && !fold)
		why = "it folds over several indices";
	why = why ? why : no_names(c, node, &names);
	if (why)
		return why;
	int key = axis_of(&names, fold->fold->index.at[0]);
	if (key < 0 || (*axis >= 0 && key != *axis))
		return str_print("its terms are not cells of a row of `%s`", c->score->name);
	why = no_keys(c, key, node, fold->fold, &names, *axis < 0);
	*axis = key;
	const struct node *result = renamed_node(c, key, node, fold, &names);
	if (!why && !result)
		why = "it has other rows";
	if (!why && node->index.n != c->scores->index.n)
		why = "it has other products than the scores";
	why = why ? why : no_rows(c, result);
	why = why ? why : product_find(&c->p[SECOND], result, target);
	if (why)
		return why;
	c->weight = expr_uses(c->p[SECOND].operand[ROWS].e, c->score) ? ROWS : COLUMNS;
	c->value = !c->weight;
	if (expr_uses(c->p[SECOND].operand[c->value].e, c->score)
	    || !product_adds(&c->p[SECOND]))
		return "it is not a sum of products of a weight and a value";
	return no_weights(c);
}

/* ---- the scores ---- */

static const char *no_scores(struct chain *c, int key, const struct target *target)
{
	const char *why = no_member(c->scores);
	if (why)
		return why;
	why = product_find(&c->p[FIRST], c->scores, target);
	if (why)
		return str_print("`%s`: %s", c->scores->name, why);
	const struct product *p = &c->p[FIRST];
	if (p->window)
		return str_print("`%s` folds several indices", c->scores->name);
	c->key = p->index[ROWS] == key ? ROWS : COLUMNS;
	c->row = !c->key;
	const struct var *row = p->operand[c->row].along;
	if (p->index[c->key] != key || c->p[SECOND].operand[c->weight].along != row)
		return str_print("`%s` is not a product of rows and keys", c->scores->name);
	return fold_in_order(p->fold) ? "scores are added in order" : NULL;
}

const char *chain_find(struct chain *c, const struct group *group, const struct target *target)
{
	int axis = -1;
	*c = (struct chain){ .scores = group->chain.at[0], .top = -1, .divisor = -1 };
	if (!target->gpu)
		return "on a CPU, products are computed in panels";
	if (!node_in_order(c->scores))
		return str_print("`%s` has an order of its own", c->scores->name);
	c->score = c->scores->equation.at[0]->target.at[0]->var;
	for (int n = 1; n < group->chain.n; n++) {
		const char *why = no_row_fold(c, group->chain.at[n], &axis);
		if (why)
			return why;
	}
	const char *why = no_result(c, group->anchor, &axis, target);
	return why ? why : no_scores(c, axis, target);
}

/* Cells of a range, if it is known not to be few, or unknown and the rows have no greatest score,
 * as those of a product of three matrices: scores are computed again for each tile of columns. */
static bool may_be_many(const struct chain *c, const struct expr *lo, const struct expr *hi)
{
	int64_t cells = affine_cells(lo, hi);
	return cells < 0 ? c->top < 0 : cells > MOST;
}

const char *chain_unfit(const struct group *group, const struct target *target, const char **pays)
{
	struct chain c, units;
	const char *why = chain_find(&c, group, target);
	if (why)
		return why;
	const char *none = chain_units(&units, &c, target);
	const struct product *p = &c.p[SECOND];
	const struct fold *terms = c.p[FIRST].fold->fold;
	int column = p->index[c.value];
	if (may_be_many(&c, p->node->lo.at[column], p->node->hi.at[column])
	    || may_be_many(&c, terms->lo.at[0], terms->hi.at[0]))
		*pays = str_print("`%s` would be computed again for every few columns, of which "
		                  "there may be many",
		                  c.score->name);
	else if (none)
		*pays = str_print("plain cores multiply faster apart, and %s", none);
	return NULL;
}
