/* sema_search.c - search(x, v), search(x, v, upper): a place in a sorted array, by halving (R64).
 *
 * In the graph it is a fold, count[k](x[k] < v), whose terms are sorted (struct fold): every pass
 * knows what it reads.  expr_folds says that its terms are not all visited. */
#include <string.h>

#include "sema_impl.h"

bool is_search(const char *name)
{
	return !strcmp(name, "search");
}

bool search_names(const struct ast *a, int arg)
{
	return a->kind == A_CALL && is_search(a->name) && arg != 1;
}

static bool is_upper(const struct ast *a)
{
	return a->kind == A_NAME && !strcmp(a->name, "upper");
}

static bool call_fits(struct sema *s, const struct ast *a)
{
	if (!s->entry) {
		diag_error(a->at, D_FOLD_PLACE,
		           "a search is allowed only in a statement of a kernel");
		diag_cure("pass its result to the function");
		return false;
	}
	if (a->arg.n != 2 && !(a->arg.n == 3 && is_upper(a->arg.at[2]))) {
		diag_error(a->at, D_ARGUMENTS,
		           "`search` takes a sorted array, a value and optionally the word "
		           "`upper`");
		diag_cure("`search(x, v)` is the first index whose cell is not less than v, "
		          "`search(x, v, upper)` the first whose cell is greater");
		return false;
	}
	if (a->arg.at[0]->kind == A_NAME)
		return true;
	diag_error(a->arg.at[0]->at, D_ARGUMENTS,
	           "the first argument of `search` must be the name of an array");
	diag_cure("store it in an array of one axis first");
	return false;
}

/* Whether a cell comes before the place that is sought. */
static struct expr *test_of(struct expr *cell, struct expr *sought, bool upper, struct loc at)
{
	struct expr *compare = make_binary(upper ? OP_GT : OP_LT, cell, sought, at);

	return upper && compare ? make_unary(OP_NOT, compare, at) : compare;
}

struct expr *check_search(struct sema *s, const struct ast *a)
{
	struct fold *fold = NEW(struct fold);
	struct expr *cell, *sought, *test, *e;

	if (!call_fits(s, a))
		return NULL;
	struct var *index = var_new(s, VAR_INDEX, "middle", type_scalar(T_I64), a->at);
	cell = search_cell(s, a->arg.at[0], index);
	sought = expr_check(s, a->arg.at[1]);
	test = cell && sought ? test_of(cell, sought, a->arg.n == 3, a->at) : NULL;
	if (!test)
		return NULL;
	fold->op = fold_find(s, "count");
	fold->sorted = true;
	list_add(&fold->index, index);
	list_add(&fold->lo, expr_int(type_scalar(T_I64), 0, a->at));
	list_add(&fold->hi, extent_expr(&cell->var->extent[0], a->at));
	e = expr_new(E_FOLD, type_scalar(T_I64), a->at);
	e->fold = fold;
	list_add(&e->arg, test);
	return e;
}
