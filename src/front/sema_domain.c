/* sema_domain.c - over which cells a statement runs (R26, R27): the indices its targets name,
 * the ranges that `for` gives, and for the rest the axis an index subscripts bare, on the left
 * before the right.
 *
 * Targets of a selection have no subscripts: its indices are those of the right sides and of
 * `where`, in the order in which they are first met there; or, where `for` gives them all, in the
 * order of `for`. */
#include "sema_impl.h"

const struct ast_range *range_named(const struct ast_stmt *a, const char *name)
{
	for (int k = 0; k < a->range.n; k++)
		if (a->range.at[k]->name == name)
			return a->range.at[k];
	return NULL;
}

static bool domain_add(struct domain *d, struct var *v, struct expr *lo, struct expr *hi)
{
	if (!v)
		return false;
	if (d->index.n == MAX_RANK) {
		diag_error(v->at, D_TOO_MANY, "a statement has at most %d indices", MAX_RANK);
		return false;
	}
	list_add(&d->index, v);
	list_add(&d->lo, lo);
	list_add(&d->hi, hi);
	return true;
}

/* Names in the subscripts of a target, in order: what is no variable and not in `for` is an
 * index. */
static bool free_names(struct sema *s, const struct ast_stmt *st, const struct ast *a, bool inside,
                       struct domain *d)
{
	bool fine = true;

	if (inside && a->kind == A_NAME && !name_find(s, a->name) && !range_named(st, a->name))
		return domain_add(d, var_declare(s, VAR_INDEX, a->name, type_scalar(T_I64), a->at),
		                  NULL, NULL);
	if (a->kind == A_FOLD)
		return true;
	for (int k = 0; fine && k < a->arg.n; k++)
		if (!search_names(a, k))
			fine = free_names(s, st, a->arg.at[k], inside, d);
	for (int k = 0; fine && k < a->sub.n; k++)
		if (a->sub.at[k]->lo && !a->sub.at[k]->hi)
			fine = free_names(s, st, a->sub.at[k]->lo, true, d);
	return fine;
}

static bool range_add(struct sema *s, const struct ast_range *r, bool data, struct domain *d)
{
	struct expr *lo = range_bound(s, r->lo, data), *hi = range_bound(s, r->hi, data);
	struct var *v = var_declare(s, VAR_INDEX, r->name, type_scalar(T_I64), r->at);

	return domain_add(d, v, lo, hi) && lo && hi;
}

static bool visit_index(struct expr *e, void *unused)
{
	(void)unused;
	return e->kind != E_VAR || e->var->kind != VAR_INDEX;
}

bool has_index(struct expr *e)
{
	return !expr_walk(e, visit_index, NULL);
}

/* No bound leans on another index: then the order is free. */
static bool rectangular(const struct domain *d)
{
	for (int k = 0; k < d->index.n; k++)
		if (d->hi.at[k] && (has_index(d->lo.at[k]) || has_index(d->hi.at[k])))
			return false;
	return true;
}

static void move_to_front(struct domain *d, int from, int to)
{
	struct var *v = d->index.at[from];
	struct expr *lo = d->lo.at[from], *hi = d->hi.at[from];

	for (int k = from; k > to; k--) {
		d->index.at[k] = d->index.at[k - 1];
		d->lo.at[k] = d->lo.at[k - 1];
		d->hi.at[k] = d->hi.at[k - 1];
	}
	d->index.at[to] = v;
	d->lo.at[to] = lo;
	d->hi.at[to] = hi;
}

/* The order in which the targets' subscripts name the indices: axis k is index k. */
static void order_by_target(struct domain *d, const struct ast *a, bool inside, int *placed)
{
	if (inside && a->kind == A_NAME)
		for (int k = *placed; k < d->index.n; k++)
			if (d->index.at[k]->name == a->name) {
				move_to_front(d, k, (*placed)++);
				break;
			}
	for (int k = 0; k < a->arg.n; k++)
		order_by_target(d, a->arg.at[k], inside, placed);
	for (int k = 0; k < a->sub.n; k++)
		if (a->sub.at[k]->lo)
			order_by_target(d, a->sub.at[k]->lo, true, placed);
}

/* Where a statement names its indices. */
struct naming { const struct ast **at; int n, room; };

static struct naming naming_of(const struct ast_stmt *a, bool selects)
{
	struct naming in = { 0 };

	for (int k = 0; k < a->equation.n; k++) {
		const struct ast_equation *q = a->equation.at[k];

		for (int j = 0; !selects && j < q->target.n; j++)
			list_add(&in, q->target.at[j]);
		if (selects && q->right)
			list_add(&in, q->right);
	}
	if (selects && a->where)
		list_add(&in, a->where);
	return in;
}

bool domain_collect(struct sema *s, const struct ast_stmt *a, const struct pattern *pattern,
                    struct domain *d)
{
	bool selects = pattern->selects;
	struct naming in = naming_of(a, selects);
	bool fine = true;
	int placed = 0, ranges;

	for (int k = 0; fine && k < in.n; k++)
		fine = free_names(s, a, in.at[k], false, d);
	ranges = d->index.n;
	for (int k = 0; k < a->range.n; k++)
		fine = range_add(s, a->range.at[k], pattern->sweeps || pattern->expands, d) && fine;
	if (!fine || !rectangular(d) || (selects && !ranges))
		return fine;
	for (int k = 0; k < in.n; k++)
		order_by_target(d, in.at[k], false, &placed);
	return true;
}

void fix_statements(const struct node *node)
{
	if (node->equation.n == 2 && node->bare)
		fix_between(node->equation.at[0]->at, node->equation.at[1]->at,
		            str_print("; %s ", node->pattern->name), false);
}

/* apart: whose targets these are, and may be those of two statements; or NULL */
static bool infer_from(struct var *v, struct expr *const *in, int n, struct affine *size,
                       bool *fine, const struct node *apart)
{
	bool clash, found = domain_infer(v, in, n, size, &clash);

	if (clash) {
		diag_error(v->at, D_DOMAIN_SIZES, "`%s` runs over axes of different sizes",
		           v->name);
		if (apart && n > 1) {
			diag_cure("write two statements, or give the range: `for %s in ...`",
			          v->name);
			fix_statements(apart);
		} else {
			diag_cure("give the range: `for %s in ...`", v->name);
		}
		*fine = false;
	}
	return found;
}

/* R27: from the left, else from the right. */
static bool index_infer(struct node *node, int k)
{
	LIST(struct expr *) left = { 0 }, right = { 0 };
	struct var *v = node->index.at[k];
	struct affine size;
	bool fine = true;

	for (int j = 0; node_target(node, j); j++)
		list_add(&left, node_target(node, j));
	for (int j = 0; j < node->equation.n; j++)
		list_add(&right, node->equation.at[j]->right);
	list_add(&right, node->where);
	if (!infer_from(v, left.at, left.n, &size, &fine, node->pattern->front ? NULL : node)
	    && !infer_from(v, right.at, right.n, &size, &fine, NULL)) {
		diag_error(v->at, D_DOMAIN,
		           "cannot infer the range of `%s`: it is never a subscript by itself",
		           v->name);
		diag_cure("give its range: `for %s in 0..n`", v->name);
		return false;
	}
	node->lo.at[k] = expr_int(type_scalar(T_I64), 0, v->at);
	node->hi.at[k] = extent_expr(&size, v->at);
	return fine;
}

bool domain_complete(struct node *node)
{
	bool fine = true;

	for (int k = 0; k < node->index.n; k++)
		if (!node->hi.at[k])
			fine = index_infer(node, k) && fine;
	return fine;
}

static bool axis_whole(const struct node *node, const struct expr *read, int k)
{
	struct affine bare = affine_var(node->index.at[k]);
	return affine_equal(&read->affine[k], &bare)
	       && affine_spans(node->lo.at[k], node->hi.at[k], &read->var->extent[k]);
}

bool target_whole(const struct node *node, const struct expr *read)
{
	if (read->var->rank != node->index.n)
		return false;
	for (int k = 0; k < node->index.n; k++)
		if (!axis_whole(node, read, k))
			return false;
	return true;
}

bool domain_whole(const struct node *node)
{
	for (int j = 0; node_target(node, j); j++)
		if (!target_whole(node, target_read(node_target(node, j))))
			return false;
	return true;
}
