/* sema_fold.c - folds, OP[indices where c](e), and the ranges of indices (R14, R17, R26, R27). */
#include <assert.h>
#include <string.h>

#include "ragged.h"
#include "sema_impl.h"

static const struct op *builtin_fold(const char *name)
{
	for (int kind = 0; kind < OPK_BITAND; kind++)
		if (!strcmp(op_own(kind)->name, name))
			return op_own(kind);
	return NULL;
}

bool is_kth(struct sema *s, const char *name)
{
	return !strcmp(name, "kth") && !fold_find(s, name);
}

bool is_fold_name(const char *name)
{
	return builtin_fold(name);
}

const struct op *fold_find(struct sema *s, const char *name)
{
	const struct op *op = builtin_fold(name);
	struct callable *c = op ? NULL : callable_find(s, name);

	return op ? op : c ? c->op : NULL;
}

struct bound_search { bool data; struct expr *found; };

static bool visit_bound(struct expr *e, void *what)
{
	struct bound_search *search = what;

	if (e->kind == E_FOLD || (e->kind == E_READ && !search->data))
		search->found = e;
	return !search->found;
}

/* lo or hi: sizes, scalars (R23: those on the device too), counters, earlier indices (R26), and of
 * a fold or a statement that sweeps cells of arrays (R34). */
struct expr *range_bound(struct sema *s, const struct ast *a, bool data)
{
	struct expr *e = expr_index(s, a);
	struct bound_search search = { data, NULL };

	if (!never_fails(e))
		return NULL;
	if (!e || expr_walk(e, visit_bound, &search))
		return e;
	bool halves = search.found->kind == E_FOLD && !expr_folds(search.found);
	diag_error(search.found->at, D_RANGE_NOT_BUILT,
	           halves ? "a range bounded by a search is not supported yet"
	           : search.found->kind == E_FOLD ? "a range bounded by a fold is not supported yet"
	                                          : "a range of `for` bounded by the cells of an "
	                                            "array is not supported yet");
	diag_cure(data && !halves ? "fold into an array first"
	                          : "store the bound in a scalar first: `map count = %s;`",
	          ast_text(a));
	return NULL;
}

static const char *index_name(const struct ast_range *r)
{
	if (r->hi)
		return r->name;
	return r->lo && r->lo->kind == A_NAME ? r->lo->name : NULL;
}

static bool fold_index(struct sema *s, struct fold *fold, const struct ast_range *r)
{
	const char *name = index_name(r);
	struct expr *lo = NULL, *hi = NULL;
	struct var *v;

	if (!name) {
		diag_error(r->at, D_FOLD_PLACE,
		           "the brackets of a fold must contain names of indices");
		diag_cure("`sum[k](...)`, `sum[i, j in 0..n](...)`");
		return false;
	}
	if (fold->index.n == MAX_RANK) {
		diag_error(r->at, D_TOO_MANY, "a fold has at most %d indices", MAX_RANK);
		return false;
	}
	if (r->hi) {
		lo = range_bound(s, r->lo, true);
		hi = range_bound(s, r->hi, true);
	}
	v = var_declare(s, VAR_INDEX, name, type_scalar(T_I64), r->at);
	if (!v || (r->hi && (!lo || !hi)))
		return false;
	list_add(&fold->index, v);
	list_add(&fold->lo, lo);
	list_add(&fold->hi, hi);
	return true;
}

struct inference { struct var *var; struct affine *size; bool found, clash; };

static void infer_axis(struct inference *in, const struct affine *extent)
{
	if (in->found && !affine_equal(in->size, extent))
		in->clash = true;
	*in->size = *extent;
	in->found = true;
}

/* A bare subscript of an array, a table or a fixed array gives its index the axis' extent
 * (R27). */
static bool visit_infer(struct expr *e, void *what)
{
	struct inference *in = what;
	int first = e->kind == E_ELEM && !e->var;

	if (e->kind != E_READ && e->kind != E_ELEM)
		return true;
	for (int k = first; k < e->arg.n && !in->clash; k++) {
		const struct expr *sub = e->arg.at[k];
		if (sub->kind != E_VAR || sub->var != in->var)
			continue;
		if (first) {
			struct affine fixed = affine_constant(e->arg.at[0]->type->extent[k - 1]);
			infer_axis(in, &fixed);
		} else {
			infer_axis(in, &e->var->extent[k]);
		}
	}
	return !in->clash;
}

bool domain_infer(struct var *v, struct expr *const *in, int n, struct affine *size, bool *clash)
{
	struct inference search = { v, size, false, false };

	for (int k = 0; k < n && !search.clash; k++)
		if (in[k])
			expr_walk(in[k], visit_infer, &search);
	*clash = search.clash;
	return search.found;
}

static struct expr *term_expr(const struct term *t, struct loc at)
{
	struct expr *v = expr_var(t->var, at);

	if (t->coef == 1)
		return v;
	return make_binary(OP_MUL, expr_int(type_scalar(T_I64), t->coef, at), v, at);
}

struct expr *extent_expr(const struct affine *a, struct loc at)
{
	struct expr *constant = expr_int(type_scalar(T_I64), a->constant, at);
	struct expr *e = a->n ? term_expr(&a->term[0], at) : constant;

	for (int k = 1; k < a->n; k++)
		e = make_binary(OP_ADD, e, term_expr(&a->term[k], at), at);
	return a->n && a->constant ? make_binary(OP_ADD, e, constant, at) : e;
}

static bool fold_infer(const struct sema *s, struct fold *fold, struct expr *arg, struct loc at)
{
	struct expr *in[2] = { arg, fold->where };
	bool fine = true;

	for (int k = 0; k < fold->index.n; k++) {
		struct var *v = fold->index.at[k];
		struct affine size;
		bool clash;

		if (fold->hi.at[k])
			continue;
		bool found = domain_infer(v, in, 2, &size, &clash);
		if (!found && s->bodies) {
			size = *s->bodies;
			found = true;
		}
		if (!found) {
			diag_error(v->at, D_DOMAIN,
			           "cannot infer the range of `%s`: it is never a subscript by "
			           "itself",
			           v->name);
			diag_cure("give its range: `[%s in ...]`", v->name);
			fine = false;
		} else if (clash) {
			diag_error(v->at, D_DOMAIN_SIZES, "`%s` runs over axes of different sizes",
			           v->name);
			diag_cure("give its range: `[%s in ...]`", v->name);
			fine = false;
		} else {
			fold->lo.at[k] = expr_int(type_scalar(T_I64), 0, at);
			fold->hi.at[k] = extent_expr(&size, at);
		}
	}
	return fine;
}

static bool may_be_empty(const struct node *node, const struct expr *e)
{
	return e->fold->running ? node->pattern->front->may_be_empty(node, e->fold)
	                        : !affine_nonempty(node, e->fold);
}

/* R17, once the statement is complete: whether a domain can be empty depends on all of it. */
static bool visit_lawful(struct expr *e, void *what)
{
	const struct node *node = what;
	const struct op *op = e->kind == E_FOLD ? e->fold->op : NULL;

	if (!op || op->kind != OPK_USER)
		return true;
	if (!op->associative && !node_clause(what, "strict")) {
		diag_error(e->at, D_FOLD_LAW,
		           "`%s` is not declared `associative`, so it can fold only in order, "
		           "under `strict`",
		           op->name);
		diag_cure("declare it `associative` if it is, or write `strict` after the "
		          "equation");
		if (op->identity || !may_be_empty(node, e))
			fix_append(e->at, "strict");
		return false;
	}
	if (op->identity || !may_be_empty(node, e))
		return true;
	diag_error(e->at, D_FOLD_LAW,
	           e->fold->running
	                   ? "`%s` has no identity, which is needed for cells without terms"
	                   : "`%s` has no identity, and this domain may be empty",
	           op->name);
	diag_cure(e->fold->running
	                  ? "declare one, `op %s(...) ... identity VALUE`, or write `from VALUE`"
	                  : "declare one: `op %s(...) ... identity VALUE`",
	          op->name);
	return false;
}

bool folds_lawful(struct node *node)
{
	return node_walk(node, visit_lawful, node);
}

static bool folds_numbers(const struct fold *fold, const struct expr *arg)
{
	const struct type *type = natural(arg);

	if (strchr("IUFL", type_class(type)))
		return true;
	diag_error(arg->at, D_OPERAND, "`%s` folds numbers, but this is %s", fold->op->name,
	           type_name(type));
	if (type->kind == T_BOOL)
		diag_cure("`count`, `any` and `all` fold bool");
	return false;
}

/* argmin, argmax: a struct of value and places; narrow is that of the value. */
static struct expr *arg_typed(struct fold *fold, struct expr *arg, struct loc at)
{
	struct expr *e;

	arg = folds_numbers(fold, arg) ? expr_settle(arg) : NULL;
	if (!arg)
		return NULL;
	e = expr_new(E_FOLD,
	             type_best(type_compute(natural(arg)), fold->running ? 1 : fold->index.n), at);
	e->narrow = type_compute(natural(arg)) == natural(arg) ? NULL : natural(arg);
	e->fold = fold;
	list_add(&e->arg, expr_cast(arg, type_compute(natural(arg))));
	return e;
}

struct expr *fold_result(struct expr *fold, int k)
{
	struct expr *e = expr_new(E_FIELD, fold->type->record->field.at[k].type, fold->at);

	e->field = &fold->type->record->field.at[k];
	e->narrow = k ? NULL : fold->narrow;
	list_add(&e->arg, fold);
	return e;
}

/* R14: the fold computes in the type of its expression. */
static struct expr *fold_typed(struct fold *fold, struct expr *arg, struct loc at)
{
	enum op_kind kind = fold->op->kind;
	bool logic = kind == OPK_ALL || kind == OPK_ANY || kind == OPK_COUNT;
	const struct type *bool_ = type_scalar(T_BOOL), *type = natural(arg);
	struct expr *e;

	if (logic)
		type = bool_;
	else if (kind == OPK_USER)
		type = fold->op->fn->type;
	else if (!folds_numbers(fold, arg))
		return NULL;
	if (logic || kind == OPK_USER) {
		arg = expr_convert(arg, type, str_print("the fold `%s`", fold->op->name));
		if (!arg)
			return NULL;
	} else if (!is_literal(type)) {
		arg = expr_cast(arg, type_compute(type));
	}
	e = expr_new(E_FOLD, kind == OPK_COUNT ? type_scalar(T_I64) : arg->type, at);
	e->narrow = kind == OPK_COUNT || type == arg->type ? NULL : type;
	e->fold = fold;
	list_add(&e->arg, arg);
	return e;
}

static bool fold_allowed(struct sema *s, const struct ast *a)
{
	struct callable *c = callable_find(s, a->name);

	if (!fold_find(s, a->name)) {
		if (c && c->decl->kind == DECL_OP)
			return false;        /* diagnosed where it is declared */
		if (is_kth(s, a->name)) {
			diag_error(a->at, D_FOLD_PLACE,
			           "`kth` must be the whole right side of its `reduce`");
			diag_cure("write `reduce v = kth[i](x[i], k);`, and do arithmetic in a "
			          "statement after it");
			return false;
		}
		diag_error(a->at, D_UNKNOWN_CALL,
		           c || names_builtin(a->name)
		                   ? "`%s` is not an operator, so it cannot fold"
		                   : "no fold or operator `%s`",
		           a->name);
		if (name_find(s, a->name))
			diag_cure("a subscript is never followed by `(`: is an operator missing?");
		else if (c)
			diag_cure("declare it with `op` and its laws");
		else
			suggest(s, a, true);
		return false;
	}
	if (!s->entry) {
		diag_error(a->at, D_FOLD_PLACE,
		           "a fold is allowed only in a statement of a kernel");
		diag_cure("write a loop: `var acc = ...; for k in 0..n { ... }`");
		return false;
	}
	return arguments(a, 1);
}

struct expr *fold_terms(struct sema *s, const struct ast *a, struct fold *fold)
{
	struct expr *arg = NULL;
	bool fine = true, inside = s->in_fold;
	int mark = scope_open(s);

	if (s->running)
		fine = s->running->pattern->front->fold(s, fold, a);
	for (int k = 0; k < a->sub.n && !s->running; k++)
		fine = fold_index(s, fold, a->sub.at[k]) && fine;
	s->in_fold = true;
	if (fine && a->guard)
		fine = (fold->where = expr_bool(s, a->guard, "`where`"));
	if (fine)
		arg = expr_check(s, a->arg.at[0]);
	s->in_fold = inside;
	scope_close(s, mark);
	return arg && fold_infer(s, fold, arg, a->at) ? arg : NULL;
}

struct expr *fold_whole(struct sema *s, const struct ast *a)
{
	struct fold *fold = NEW(struct fold);
	struct expr *arg;

	if (!fold_allowed(s, a))
		return NULL;
	fold->op = fold_find(s, a->name);
	arg = fold_terms(s, a, fold);
	if (!arg)
		return NULL;
	fold->cut = cuts_of(fold, arg);
	return op_is_arg(fold->op) ? arg_typed(fold, arg, a->at) : fold_typed(fold, arg, a->at);
}

/* R31: inside an expression argmin and argmax are the index. */
struct expr *check_fold(struct sema *s, const struct ast *a)
{
	struct expr *e = fold_whole(s, a);

	if (!e || !op_is_arg(e->fold->op))
		return array_unbox(e);
	if (e->type->record->field.n == 2)
		return fold_result(e, 1);
	diag_error(a->at, D_FOLD_PLACE,
	           "`%s` over %d indices returns a position with as many indices, but one value is "
	           "expected",
	           a->name, e->fold->index.n);
	diag_cure("use a statement with a target for each: `m, i, j = %s[...](...)`", a->name);
	return NULL;
}

/* ---- what is in an expression ---- */

static bool visit_uniform(struct expr *e, void *unused)
{
	(void)unused;
	return e->kind != E_READ && e->kind != E_FOLD
	       && !(e->kind == E_VAR && e->var->kind == VAR_INDEX);
}

bool is_uniform(struct expr *e)
{
	return expr_walk(e, visit_uniform, NULL);
}
