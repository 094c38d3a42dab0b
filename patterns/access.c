/* access.c - classifies reads by their affine subscripts, and proves that writes are injective.
 *
 * Writes: every index of the domain stands alone, with a factor that is not 0, in some axis of the
 * target; different cells then differ in that axis.  Sums such as y[n*i + j] are refused: whether
 * they collide depends on the sizes. */
#include <string.h>

#include "running.h"
#include "access.h"
#include "expansion.h"
#include "ragged.h"
#include "front.h"

const char *access_text(const struct expr *read)
{
	FILE *f = text_open();

	expr_print_written(read, f);
	const char *text = text_close(f);
	return strlen(text) < 80 ? text : str_print("%s[...]", read->var->name);
}

static int domain_position(const struct node *node, const struct var *v)
{
	for (int k = 0; k < node->index.n; k++)
		if (node->index.at[k] == v)
			return k;
	return -1;
}

static bool visit_plain(struct expr *e, void *unused)
{
	(void)unused;
	return e->kind != E_READ;
}

/* What one subscript does; *last is the position of the latest own index, for the order. */
static enum access axis_kind(const struct node *node, const struct expr *read, int axis, int *last)
{
	const struct affine *a = &read->affine[axis];
	int own = 0, folded = 0, at = -1;
	int64_t coef = 0;

	if (a->n < 0)
		return expr_walk(read->arg.at[axis], visit_plain, NULL) ? ACCESS_COMPUTED
		                                                        : ACCESS_INDIRECT;
	for (int k = 0; k < a->n; k++) {
		int position = domain_position(node, a->term[k].var);
		if (position >= 0) {
			own++;
			at = position;
			coef = a->term[k].coef;
		} else if (a->term[k].var->kind == VAR_INDEX) {
			folded++;
		}
	}
	if (own > 1 || (own && coef != 1))
		return ACCESS_AFFINE;
	if (own && at <= *last)
		return ACCESS_ORDER;
	*last = own ? at : *last;
	if (folded)
		return ACCESS_FOLD;
	if (!own)
		return ACCESS_OWN;
	return a->n > 1 ? ACCESS_AFFINE : a->constant ? ACCESS_OFFSET : ACCESS_OWN;
}

/* Reading the very cell that is written is reading the own cell, however it is addressed. */
static bool is_target_cell(const struct node *node, const struct expr *read)
{
	for (int j = 0; node_target(node, j); j++) {
		const struct expr *target = target_read(node_target(node, j));
		bool same = target->kind == E_READ && target->var->rank == read->var->rank;
		for (int k = 0; same && k < read->var->rank; k++)
			same = read->affine[k].n >= 0
			       && affine_equal(&read->affine[k], &target->affine[k]);
		if (same)
			return true;
	}
	return false;
}

enum access access_kind(const struct node *node, const struct expr *read)
{
	enum access worst = ACCESS_OWN;
	int last = -1;

	if (is_target_cell(node, read))
		return ACCESS_OWN;
	for (int k = 0; k < read->var->rank; k++) {
		enum access kind = axis_kind(node, read, k, &last);
		worst = kind > worst ? kind : worst;
	}
	return worst;
}

struct each { const struct node *node; bool (*visit)(const struct node *, const struct expr *); };

static bool visit_each(struct expr *e, void *what)
{
	struct each *each = what;

	return e->kind != E_READ || each->visit(each->node, e);
}

bool access_each(const struct node *node, bool (*visit)(const struct node *, const struct expr *))
{
	struct each each = { node, visit };

	for (int k = 0; k < node->equation.n; k++)
		if (!equation_walk(node->equation.at[k], visit_each, &each))
			return false;
	return !node->where || expr_walk(node->where, visit_each, &each);
}

/* ---- writes ---- */

static const struct affine *elem_affine(const struct expr *target)
{
	return target->kind == E_ELEM ? target->affine : NULL;
}

static bool separates(const struct expr *target, const struct var *v)
{
	const struct expr *read = target_read((struct expr *)target);
	const struct affine *elem = elem_affine(target);
	int64_t coef;

	for (int k = 0; read->kind == E_READ && k < read->var->rank; k++)
		if (affine_index(&read->affine[k], &coef) == v)
			return true;
	for (int k = 0; elem && k < target->arg.at[0]->type->rank; k++)
		if (affine_index(&elem[k], &coef) == v)
			return true;
	return false;
}

static bool target_affine(const struct expr *target)
{
	const struct expr *read = target_read((struct expr *)target);

	for (int k = 0; read->kind == E_READ && k < read->var->rank; k++)
		if (read->affine[k].n < 0) {
			diag_error(target->at, D_WRITE_TWICE,
			           "%s: the index of the target is computed, so two cells may "
			           "write one element",
			           access_text(read));
			sema_instead("scatter");
			sema_cure("this is a scatter, which says how values with the same target "
			          "are combined");
			return false;
		}
	return true;
}

static bool one_cell(const struct expr *a, const struct expr *b)
{
	const struct expr *x = target_read((struct expr *)a), *y = target_read((struct expr *)b);

	if (x->var != y->var)
		return true;
	for (int k = 0; x->kind == E_READ && k < x->var->rank; k++)
		if (!affine_equal(&x->affine[k], &y->affine[k]))
			return false;
	return true;
}

/* It says which range of another index a cell is of, or has such ranges itself. */
static bool is_of_ranges(const struct expansion *x, int k)
{
	return x && (axes_have(&x->outer, k) || x->count[k]);
}

static int indices_open(const struct expr *target, const struct node *node)
{
	int open = 0;

	for (int k = 0; k < node->index.n; k++)
		open += is_of_ranges(node->expand, k) && !separates(target, node->index.at[k]);
	return open;
}

/* The first index after k that is in the target and whose ranges data decide. */
static int written_after(const struct node *node, const struct expr *target, int k)
{
	int j = k + 1;

	while (j < node->index.n
	       && !(node->expand->count[j] && separates(target, node->index.at[j])))
		j++;
	return j;
}

/* No two ranges of another index have a common cell: that one says which value of index k a cell is
 * of.  Of neighbouring ranges the program shows that for one index alone. */
static bool says_range(const struct node *node, const struct expr *target, int k)
{
	const char *name = node->index.at[k]->name;

	if (!is_of_ranges(node->expand, k))
		return false;
	int j = written_after(node, target, k);
	if (j == node->index.n)
		return false;
	if (node_clause(node, "unique")
	    || (indices_open(target, node) == 1
	        && ranges_apart(node->lo.at[j], node->hi.at[j], node->index.at[k])))
		return true;
	diag_error(target->at, D_WRITE_TWICE, "two ranges of `%s` may overlap",
	           node->index.at[j]->name);
	diag_cure("`unique` promises that none do, and ranges such as `row[%s]..row[%s+1]` never "
	          "do",
	          name, name);
	return false;
}

static bool target_once(const struct node *node, int j)
{
	const struct expr *target = node_target(node, j);
	int errors = diag_errors();

	if (!target_affine(target))
		return false;
	for (int k = 0; k < node->index.n; k++)
		if (!separates(target, node->index.at[k]) && !says_range(node, target, k)) {
			if (diag_errors() > errors)
				return false;
			diag_error(target->at, D_WRITE_TWICE,
			           "different values of `%s` may write one element",
			           node->index.at[k]->name);
			sema_instead("scatter");
			sema_cure("every index must be a subscript on the left; to combine values, "
			          "use a fold (reduce) or a scatter");
			return false;
		}
	for (int k = 0; k < j; k++)
		if (!one_cell(node_target(node, k), target)) {
			diag_error(target->at, D_WRITE_TWICE,
			           "one statement writes two cells of `%s`",
			           target_read((struct expr *)target)->var->name);
			diag_cure("write them in two statements");
			return false;
		}
	return true;
}

bool access_parts(const struct expr *a, const struct expr *b)
{
	if (a->kind != b->kind || (a->kind != E_FIELD && a->kind != E_ELEM))
		return false;
	if (a->kind == E_FIELD && a->field != b->field)
		return true;
	for (int k = 0; a->kind == E_ELEM && k < a->arg.n - 1; k++)
		if (!affine_equal(&a->affine[k], &b->affine[k]))
			return true;
	return access_parts(a->arg.at[0], b->arg.at[0]);
}

/* Each result of one equation has a place of its own. */
static bool results_apart(const struct equation *eq)
{
	for (int t = 1; t < eq->target.n; t++)
		for (int u = 0; u < t; u++) {
			const struct expr *a = eq->target.at[u], *b = eq->target.at[t];
			if (target_read((struct expr *)a)->var != target_read((struct expr *)b)->var
			    || access_parts(a, b))
				continue;
			diag_error(b->at, D_WRITE_TWICE,
			           "two results of one fold have the same target");
			diag_cure("give each its own target");
			return false;
		}
	return true;
}

/* Of ranges that data decide alone it says something. */
static bool unique_fits(const struct node *node)
{
	const struct clause_use *unique = node_clause(node, "unique");

	if (!unique || node->expand)
		return true;
	diag_error(unique->at, D_CLAUSE_VALUE,
	           "`unique` has no effect here: every index is in the target, so no two cells of "
	           "the statement coincide");
	diag_cure("leave it out");
	fix_leave_out(unique->at);
	return false;
}

bool access_writes_once(const struct node *node)
{
	if (!unique_fits(node))
		return false;
	for (int j = 0; node_target(node, j); j++)
		if (!target_once(node, j))
			return false;
	for (int q = 0; q < node->equation.n; q++)
		if (!results_apart(node->equation.at[q]))
			return false;
	return true;
}

bool access_same(const struct expr *a, const struct expr *b)
{
	if (a->var != b->var)
		return false;
	for (int s = 0; s < a->var->rank; s++)
		if (a->arg.at[s]->kind != E_VAR || b->arg.at[s]->kind != E_VAR
		    || a->arg.at[s]->var != b->arg.at[s]->var)
			return false;
	return true;
}
