/* kth_sema.c - reduce v[i] = kth[j](x[i, j], k): how it is read.
 *
 * The indices of the target are those of the statement; those of the brackets become the last ones,
 * which run. */
#include <string.h>

#include "kth.h"
#include "running.h"
#include "ask.h"
#include "../access.h"
#include "sema_impl.h"
#include "sorting.h"

static bool refused(struct loc at, const char *what, const char *cure)
{
	diag_error(at, D_FORM_NOT_BUILT, "%s is not supported yet", what);
	diag_cure("%s", cure);
	return false;
}

static bool has_form(const struct ast_stmt *a)
{
	const struct ast_equation *q = a->equation.at[0];
	const struct ast *kth = q->right;

	if (a->equation.n > 1)
		return refused(a->equation.at[1]->at, "a `kth` beside other equations",
		               "use a separate statement for it");
	if (q->target.n > 1)
		return refused(q->at, "a `kth` with several targets",
		               "`reduce v = kth[i](x[i], k);`");
	if (strcmp(q->assign, "="))
		return refused(q->at, str_print("`%s` of a `kth`", q->assign),
		               "write `reduce v = kth[i](x[i], k);`, and do arithmetic in a "
		               "statement after it");
	if (a->where)
		return refused(a->where->at, "a `kth` with `where` after it",
		               "`kth[i where c](x[i], k)` selects among the cells with c");
	if (kth->arg.n == 2)
		return true;
	diag_error(kth->at, D_ARGUMENTS, "`kth` needs a value and a position");
	diag_cure("`kth[i](x[i], k)` is the value at position k, from 0, in ascending order");
	return false;
}

/* The indices of the brackets are closed. */
static struct expr *place_check(struct sema *s, const struct ast *a)
{
	struct expr *k = expr_index(s, a);

	if (!k || !expr_has_fold(k))
		return k;
	refused(k->at, "a fold in a position",
	        "store its values by a statement before: `reduce c[i] = ...;`");
	return NULL;
}

/* -1: not known, or more than i64 holds. */
static int64_t cells_of(const struct fold *fold)
{
	int64_t all = 1;
	bool known = true;

	for (int k = 0; known && k < fold->index.n; k++) {
		int64_t cells = affine_cells(fold->lo.at[k], fold->hi.at[k]);

		known = cells >= 0 && !__builtin_mul_overflow(all, cells, &all);
	}
	return known ? all : -1;
}

/* A place that no call has. */
static bool place_exists(const struct expr *k, const struct fold *fold)
{
	int64_t cells = cells_of(fold);
	struct affine place;

	if (!affine_of(k, &place) || place.n
	    || (place.constant >= 0 && (cells < 0 || place.constant < cells)))
		return true;
	diag_error(k->at, D_ARGUMENTS, "there is no value at position %lld",
	           (long long)place.constant);
	if (cells > 0)
		diag_cure("positions are 0 to %lld", (long long)cells - 1);
	else
		diag_cure("positions begin at 0");
	return false;
}

static struct expr *key_check(struct expr *term)
{
	const struct type *type = term ? natural(term) : NULL;

	if (!term || strchr("IUFL", type_class(type)))
		return term ? expr_settle(term) : NULL;
	diag_error(term->at, D_OPERAND, "`kth` orders numbers, but this is %s", type_name(type));
	return NULL;
}

static bool is_of_sizes(const struct expr *bound)
{
	struct affine a;
	bool fine = affine_of(bound, &a);

	for (int k = 0; fine && k < a.n; k++)
		fine = a.term[k].var->kind == VAR_SIZE;
	return fine;
}

static const char UNBOUNDED[] = "a `kth` over a range that is not bounded by sizes";

/* Sizes bound those of the sequences, and which these are. */
static bool ranges_check(const struct node *node, const struct fold *fold)
{
	for (int k = 0; k < fold->index.n; k++)
		if (!is_of_sizes(fold->lo.at[k]) || !is_of_sizes(fold->hi.at[k]))
			return refused(fold->index.at[k]->at, UNBOUNDED,
			               "select among the cells of a longer range: `kth[j where j < "
			               "m](x[j], k)`");
	for (int k = 0; k < node->index.n; k++)
		if (node->hi.at[k]
		    && (!is_of_sizes(node->lo.at[k]) || !is_of_sizes(node->hi.at[k])))
			return refused(node->index.at[k]->at, UNBOUNDED,
			               "select in all sequences into a temporary, and copy the "
			               "range by a `map`");
	return true;
}

static bool visit_target(struct expr *e, void *var)
{
	return (e->kind != E_READ && e->kind != E_VAR) || e->var != var;
}

static bool equations(struct sema *s, const struct ast_stmt *a, struct node *node)
{
	const struct ast_equation *q = a->equation.at[0];
	struct fold *fold = NEW(struct fold);
	struct sorting *sorting = NEW(struct sorting);
	struct equation *eq = NEW(struct equation);
	struct binding *root = NULL;
	struct expr *target, *key;

	if (!has_form(a) || !(target = target_cell(s, q->target.at[0], &root)))
		return false;
	key = key_check(fold_terms(s, q->right, fold));
	if (!key || !ranges_check(node, fold))
		return false;
	sorting->first = place_check(s, q->right->arg.at[1]);
	if (!sorting->first || !place_exists(sorting->first, fold))
		return false;
	if (!expr_walk(key, visit_target, root->var)
	    || !expr_walk(fold->where, visit_target, root->var)
	    || !expr_walk(sorting->first, visit_target, root->var))
		return refused(key->at, "a `kth` that reads what it writes",
		               "write to another array");
	if (node->index.n + fold->index.n > MAX_RANK) {
		diag_error(q->right->at, D_TOO_MANY,
		           "a statement has at most %d indices, those of a `kth` included",
		           MAX_RANK);
		return false;
	}
	sorting->more = fold->index.n - 1;
	sorting->key = key;
	sorting->value = var_new(s, VAR_LOCAL, "value", key->type, key->at);
	node->sorting = sorting;
	eq->at = q->at;
	eq->right = key;                     /* whose reads give ranges: domain_complete */
	list_add(&eq->target, target);
	list_add(&node->equation, eq);
	for (int k = 0; k < fold->index.n; k++) {
		list_add(&node->index, fold->index.at[k]);
		list_add(&node->lo, fold->lo.at[k]);
		list_add(&node->hi, fold->hi.at[k]);
	}
	node->where = fold->where;
	root->written = true;
	return true;
}

/* The right side, once it has said which cells there are. */
static bool close(struct sema *s, struct node *node)
{
	struct equation *eq = node->equation.at[0];
	const struct type *narrow = eq->right->narrow;
	struct expr *value = expr_var(node->sorting->value, eq->right->at);
	(void)s;

	node->running = NEW(struct running);
	int run = 1 + node->sorting->more;
	node->index.n -= run;
	node->running->axis = node->index.n;
	bool once = access_writes_once(node);
	node->index.n += run;
	value->narrow = narrow;
	eq->right = expr_convert(value, eq->target.at[0]->type, "the target of `kth`");
	return once && eq->right;
}

static bool settle(struct sema *s, struct node *node)
{
	(void)s;
	const struct expr *key = node->sorting->key;
	bool found = expr_checked(key) || expr_checked(node->sorting->first)
	             || (node->where && expr_checked(node->where));

	return !found
	       || refused(key->at, "a `kth` of cells at data-dependent indices",
	                  "`gather` them into an array first");
}

const struct front kth_front = { .equations = equations, .close = close, .settle = settle };
