/* sema_walk.c - functions that read arrays, and loops that end after a number of passes.
 *
 *	fn find(node: Node[k], key: i32) -> i32 {
 *		var at: i32 = 0;
 *		while node[at].key != key at most k { at = node[at].next; }
 *		return at;
 *	}
 *
 * The sizes of a function's arrays are variables of its own.  A call names an array of the kernel
 * for each, and gives the sizes after its other arguments.  In the graph the array is a fold that
 * is `handed` over (struct fold): every pass sees that the statement reads it, wherever.
 *
 * Which cells a function reads is known when it runs.  So a call may fail: by a subscript outside
 * an array, or a loop whose condition holds after the last pass that `at most` allows.  It has no
 * value then, and its expression is `checked`: what is said of a cell that is read outside its
 * array is true of it too. */
#include <string.h>

#include "sema_impl.h"

/* ---- parameters ---- */

static bool is_size_name(struct sema *s, const struct ast *a)
{
	if (a->kind == A_NAME)
		return !name_find(s, a->name);
	for (int k = 0; k < a->arg.n; k++)
		if (is_size_name(s, a->arg.at[k]))
			return true;
	return false;
}

bool names_size(struct sema *s, const struct ast *type)
{
	for (int k = 0; type->kind == A_SUBSCRIPT && k < type->sub.n; k++)
		if (is_size_name(s, type->sub.at[k]->lo))
			return true;
	return false;
}

static struct var *size_named(const struct fn *f, const char *name)
{
	for (int k = 0; k < f->size.n; k++)
		if (f->size.at[k]->name == name)
			return f->size.at[k];
	return NULL;
}

static void sizes_find(struct sema *s, struct fn *f, const struct ast *a)
{
	if (a->kind == A_NAME && !name_find(s, a->name) && !size_named(f, a->name))
		list_add(&f->size,
		         var_new(s, VAR_SIZE, a->name, type_scalar(T_I64), a->at));
	for (int k = 0; k < a->arg.n; k++)
		sizes_find(s, f, a->arg.at[k]);
}

void sizes_declare(struct sema *s, const struct fn *f)
{
	for (int k = 0; k < f->size.n; k++) {
		struct binding *b = name_declare(s, f->size.at[k]->name, f->size.at[k]->at);
		if (b)
			b->var = f->size.at[k];
	}
}

/* Values are what C's functions take, and operators: the place is p's. */
bool array_refused(struct sema *s, const struct ast_decl *d, const struct ast_param *p)
{
	if (d->kind == DECL_FN || !names_size(s, p->type))
		return false;
	diag_error(p->type->at, D_WALK_ARRAY,
	           "%s cannot take an array of variable size such as `%s`",
	           d->kind == DECL_OP ? "an operator" : "a C function", p->name);
	diag_cure("let a `fn` of the program read the array, and pass its value to `%s`", d->name);
	return true;
}

bool array_param(struct sema *s, struct fn *f, const struct ast_param *p, struct var *v)
{
	const int mark = scope_open(s);
	bool fine;

	for (int k = 0; k < p->type->sub.n; k++)
		sizes_find(s, f, p->type->sub.at[k]->lo);
	sizes_declare(s, f);
	fine = shape_check(s, p->type, v);
	scope_close(s, mark);
	return fine;
}

/* The size is what a call has along this axis, less the axis' constant. */
static bool gives_size(const struct affine *axis, const struct var *size)
{
	return axis->n == 1 && axis->term[0].var == size && axis->term[0].coef == 1;
}

static bool is_given(const struct fn *f, const struct var *size)
{
	for (int p = 0; p < f->param.n; p++)
		for (int k = 0; k < f->param.at[p]->rank; k++)
			if (gives_size(&f->param.at[p]->extent[k], size))
				return true;
	return false;
}

bool sizes_bound_by(const struct fn *f)
{
	for (int k = 0; k < f->size.n; k++) {
		if (is_given(f, f->size.at[k]))
			continue;
		diag_error(f->size.at[k]->at, D_WALK_ARRAY,
		           "no axis of an array of `%s` is `%s`, or `%s` plus a number", f->name,
		           f->size.at[k]->name, f->size.at[k]->name);
		diag_cure("give the axis a size of its own");
		return false;
	}
	return true;
}

/* ---- subscripts that are proved ---- */

/* Note: the index of a `for` keeps the end of its range in extent[2], if that is a sum of sizes:
 * beside what interval_keep (sema_fn.c) has there. */
void index_range(struct var *index, const struct expr *lo, const struct expr *hi)
{
	struct affine first, end;

	if (!affine_of(lo, &first) || first.n || first.constant < 0 || !affine_of(hi, &end))
		return;
	for (int t = 0; t < end.n; t++)
		if (end.term[t].var->kind != VAR_SIZE)
			return;
	index->extent[2] = end;
}

static const struct expr *without_casts(const struct expr *e)
{
	while (e->kind == E_CAST)
		e = e->arg.at[0];
	return e;
}

static bool below(const struct expr *subscript, const struct affine *extent)
{
	struct affine left = *extent;

	subscript = without_casts(subscript);
	if (subscript->kind == E_CONST) {
		left.constant -= subscript->value.i + 1;
		return subscript->value.i >= 0 && affine_never_negative(&left);
	}
	return subscript->kind == E_VAR && subscript->var->kind == VAR_LOCAL
	       && subscript->var->extent[2].n && affine_add(&left, &subscript->var->extent[2], -1)
	       && affine_never_negative(&left);
}

bool read_inside(const struct expr *read)
{
	for (int k = 0; k < read->var->rank; k++) {
		const struct affine *extent = &read->var->extent[k];
		if (!below(read->arg.at[k], extent)
		    && (extent->n || !elem_in_range(read->arg.at[k], extent->constant)))
			return false;
	}
	return true;
}

bool read_possible(const struct expr *read)
{
	for (int k = 0; k < read->var->rank; k++) {
		const struct affine *extent = &read->var->extent[k];
		const struct expr *at = without_casts(read->arg.at[k]);
		if (at->kind != E_CONST
		    || (at->value.i >= 0 && (extent->n || at->value.i < extent->constant)))
			continue;
		diag_error(read->arg.at[k]->at, D_ELEMENT,
		           "this index is %lld, outside 0..%s: no call can read this cell",
		           (long long)at->value.i, affine_text(extent));
		return false;
	}
	return true;
}

/* ---- while C at most N ---- */

static bool body_follows(struct loc at)
{
	size_t length;
	const char *text = source_text(at.file, &length);
	size_t k = source_offset(at, at.end);

	while (k < length && (text[k] == ' ' || text[k] == '\t'))
		k++;
	return k < length && text[k] == '{';
}

static void limit_added(const struct ast_inner *loop, const char *size)
{
	struct loc after = loop->value->at;

	if (!body_follows(after)) {
		diag_cure("limit the number of iterations: `while ... at most %s { ... }`", size);
		return;
	}
	diag_cure("limit the number of iterations:");
	after.col = after.end;
	diag_fix(after, str_print(" at most %s", size));
}

bool while_limit(struct sema *s, const struct ast_inner *a, struct inner *loop)
{
	struct loop_words words = { a->words.at, a->words.n, 0 };
	const struct ast *most = words_most(&words);

	if (a->words.n && !most) {
		diag_error(a->words.at[0]->at, D_WALK_LIMIT,
		           "write the limit of a loop as `at most N`");
		diag_cure("`while at >= 0 at most 1000 { ... }`, or `... at most (2 * n)`");
		return false;
	}
	if (!most && s->inside->fn->size.n) {
		diag_error(a->at, D_WALK_LIMIT,
		           "this loop has no limit, and `%s` reads arrays, whose values may keep "
		           "it from ending",
		           s->inside->name);
		limit_added(a, s->inside->fn->size.at[0]->name);
		return false;
	}
	loop->b = most ? expr_index(s, most) : NULL;
	s->inside->fn->limits |= most != NULL;
	return loop->b || !most;
}

/* ---- arguments ---- */

static bool fits_param(const struct var *param, const struct var *v, const struct ast *a,
                       const char *function)
{
	if (v->type != param->type || v->rank != param->rank) {
		diag_error(a->at, D_WALK_ARRAY, "`%s` is %s, but `%s` of `%s` is %s", a->name,
		           axes_text(v->type, v->rank, v->extent), param->name, function,
		           axes_text(param->type, param->rank, param->extent));
		return false;
	}
	if (!v->layout)
		return true;
	diag_error(a->at, D_WALK_ARRAY,
	           "a function can read only arrays that are stored row by row, but `%s` is `%s`",
	           a->name, layout_text(v->layout));
	diag_cure("copy it to a temporary first, and pass that to `%s`", function);
	return false;
}

/* Is it a cell of an array that the parameter takes? */
static bool is_array_for(struct sema *s, const struct var *param, const struct ast *a)
{
	const struct binding *b = name_find(s, a->name);

	return b && b->var && b->var->kind != VAR_CONST && b->var->type == param->type
	       && b->var->rank == param->rank && a->sub.n == param->rank;
}

static struct binding *array_named(struct sema *s, const struct var *param, const struct ast *a,
                                   const char *function)
{
	struct binding *b = a->kind == A_NAME ? name_find(s, a->name) : NULL;

	if (a->kind == A_NAME && !b) {
		expr_check(s, a);                    /* no such variable: says so */
		return NULL;
	}
	if (b && b->var && b->var->rank && b->var->kind != VAR_CONST)
		return b;
	diag_error(a->at, D_WALK_ARRAY,
	           "the argument for `%s` of `%s` must be the name of an array", param->name,
	           function);
	if (b && b->var && b->var->kind == VAR_CONST)
		diag_cure("a function reads a constant table by its name, without a parameter");
	else if (s->inside)
		diag_cure("a local array is a value: declare the parameter with its size, `%s: "
		          "%s[4]`",
		          param->name, type_name(param->type));
	else if (a->kind == A_SUBSCRIPT && is_array_for(s, param, a)) {
		diag_cure("the function reads its cells: `%s`", a->name);
		diag_fix(a->at, a->name);
	} else
		diag_cure("`%s` is %s: store the values in an array first", param->name,
		          axes_text(param->type, param->rank, param->extent));
	return NULL;
}

struct expr *array_argument(struct sema *s, const struct var *param, const struct ast *a,
                            const char *function)
{
	struct binding *b = array_named(s, param, a, function);
	struct expr *sub[MAX_RANK], *e;

	if (!b || !readable(b, a) || !fits_param(param, b->var, a, function))
		return NULL;
	e = expr_new(E_FOLD, param->type, a->at);
	e->fold = NEW(struct fold);
	e->fold->op = op_own(OPK_COUNT);
	e->fold->handed = true;
	for (int k = 0; k < b->var->rank; k++) {
		struct var *index = var_new(s, VAR_INDEX, "cell", type_scalar(T_I64), a->at);
		list_add(&e->fold->index, index);
		list_add(&e->fold->lo, expr_int(type_scalar(T_I64), 0, a->at));
		list_add(&e->fold->hi, extent_expr(&b->var->extent[k], a->at));
		sub[k] = expr_var(index, a->at);
	}
	list_add(&e->arg, expr_read(b->var, sub, a->at));
	return e;
}

static bool size_of(const struct expr *call, const struct var *size, struct affine *is)
{
	for (int p = 0; p < call->fn->param.n; p++) {
		const struct var *param = call->fn->param.at[p];
		for (int k = 0; k < param->rank; k++)
			if (gives_size(&param->extent[k], size)) {
				*is = call->arg.at[p]->arg.at[0]->var->extent[k];
				is->constant -= param->extent[k].constant;
				return true;
			}
	}
	return false;
}

static bool axis_agrees(const struct expr *call, const struct affine *is, int p, int axis)
{
	const struct fn *f = call->fn;
	const struct affine *form = &f->param.at[p]->extent[axis];
	const struct var *given = call->arg.at[p]->arg.at[0]->var;
	struct affine wanted = affine_constant(form->constant);
	bool fine = true;

	for (int t = 0; t < form->n; t++)
		for (int k = 0; k < f->size.n; k++)
			if (form->term[t].var == f->size.at[k])
				fine = fine && affine_add(&wanted, &is[k], form->term[t].coef);
	if (fine && affine_equal(&wanted, &given->extent[axis]))
		return true;
	diag_error(call->arg.at[p]->at, D_WALK_ARRAY,
	           "axis %d of `%s` has %s cells, but `%s` of `%s` has %s here", axis + 1,
	           given->name, affine_text(&given->extent[axis]), f->param.at[p]->name, f->name,
	           affine_text(&wanted));
	return false;
}

bool sizes_given(struct expr *call)
{
	const struct fn *f = call->fn;
	struct affine *is = mem_new((size_t)(f->size.n + 1) * sizeof *is);

	for (int k = 0; k < f->size.n; k++)
		if (!size_of(call, f->size.at[k], &is[k]))
			return false;                /* its declaration was diagnosed */
	for (int p = 0; p < f->param.n; p++)
		for (int axis = 0; axis < f->param.at[p]->rank; axis++)
			if (!axis_agrees(call, is, p, axis))
				return false;
	for (int k = 0; k < f->size.n; k++)
		list_add(&call->arg, extent_expr(&is[k], call->at));
	return true;
}

/* ---- which functions may fail ---- */

static bool inner_exprs(struct inner *const *at, int n, bool (*visit)(struct expr *, void *),
                        void *state)
{
	for (int k = 0; k < n; k++)
		if (!expr_walk(at[k]->target, visit, state) || !expr_walk(at[k]->a, visit, state)
		    || !expr_walk(at[k]->b, visit, state)
		    || !inner_exprs(at[k]->body.at, at[k]->body.n, visit, state)
		    || !inner_exprs(at[k]->otherwise.at, at[k]->otherwise.n, visit, state))
			return false;
	return true;
}

static bool visit_fails(struct expr *e, void *what)
{
	struct fn *f = what;

	if (e->kind == E_CALL) {
		e->checked = e->fn->fails;
		f->limits |= e->fn->limits;
		f->uneven |= e->fn->uneven;
	}
	f->fails |= e->checked && (e->kind == E_READ || e->kind == E_CALL);
	return true;
}

/* A function that fails returns from within its expression, which takes statements. */
static void value_returned(struct fn *f)
{
	struct inner *i = NEW(struct inner);

	i->kind = N_RETURN;
	i->at = f->value->at;
	i->a = f->value;
	f->value = NULL;
	list_add(&f->body, i);
}

static void operator_fails(const struct fn *f)
{
	diag_error(f->at, D_WALK_PLACE,
	           "a call in the operator `%s`, or in the condition of its laws, may fail",
	           f->name);
	diag_cure("an operator must have a value for all operands: remove the loop with `at most`");
}

static bool condition_fails(const struct callable *c)
{
	struct fn seen = { .name = c->name };

	if (c->given && c->given->fn && c->given->fn->value)
		expr_walk(c->given->fn->value, visit_fails, &seen);
	return c->fn && seen.fails;
}

void walks_settle(struct sema *s)
{
	for (int k = 0; k < s->program->fn.n; k++) {
		struct fn *f = s->program->fn.at[k];
		const struct callable *c = callable_find(s, f->name);

		f->fails |= f->limits;
		if (f->value)
			expr_walk(f->value, visit_fails, f);
		inner_exprs(f->body.at, f->body.n, visit_fails, f);
		if ((f->fails || f->size.n) && f->value)
			value_returned(f);
		if (f->fails && c && c->decl->kind == DECL_OP)
			operator_fails(f);
	}
	for (int k = 0; k < s->callables.n; k++)
		if (condition_fails(s->callables.at[k]))
			operator_fails(s->callables.at[k]->fn);
}

/* ---- where a call may fail ---- */

static bool visit_call(struct expr *e, void *what)
{
	const struct expr **found = what;

	if (e->kind == E_CALL && e->checked)
		*found = e;
	return !*found;
}

bool never_fails(struct expr *e)
{
	const struct expr *call = NULL;

	if (!e || expr_walk(e, visit_call, &call))
		return true;
	diag_error(call->at, D_WALK_PLACE,
	           "a call of `%s` may fail, but there is no target cell here that could keep its "
	           "value",
	           call->fn->name);
	diag_cure("store the result in a scalar first: `let t: %s = %s(...);`",
	          type_name(call->type), call->fn->name);
	return false;
}
