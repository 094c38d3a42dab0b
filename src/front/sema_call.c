/* sema_call.c - calls of kernels: `relabel(row, col, place);`.
 *
 * The statements of the kernel are checked once more where the call is, and become statements of
 * the caller: passes and targets see no call.  Its parameters are names of the caller's arrays
 * there, its sizes what the extents of these arrays say, and its scalars what they are given; the
 * caller's own names are hidden meanwhile, and the kernel's are gone after it.
 *
 * A kernel of another file is checked by itself before its first call, so that what is wrong with
 * it is said of it; what is wrong with a call is said at the call. */
#include <string.h>

#include "ask.h"
#include "sema_impl.h"

enum { DEEPEST = 32 };                   /* calls in calls */

struct argument {
	const struct ast_param *param;
	const struct ast *at;
	struct binding *variable;            /* of the caller, or NULL: a value */
	struct expr *value;
	bool written;                        /* by the kernel: out, inout */
	const struct type *type;             /* of the parameter */
};
struct call {
	struct call *up;
	const struct ast_stmt *stmt;
	const struct ast_decl *kernel;
	LIST(struct argument) argument;
};

/* ---- which kernel ---- */

const struct ast_decl *kernel_find(const struct sema *s, const char *name)
{
	const struct ast_decl *found = NULL;
	for (int k = 0; k < s->file->decl.n; k++) {
		const struct ast_decl *d = s->file->decl.at[k];
		if (d->kind == DECL_KERNEL && d->name == name)
			found = d;               /* the file itself comes last */
	}
	return found;
}

static void unknown_kernel(const struct sema *s, const struct ast_stmt *a)
{
	struct like like = near_begin(a->name);
	for (int k = 0; k < s->file->decl.n; k++)
		if (s->file->decl.at[k]->kind == DECL_KERNEL)
			near_add(&like, s->file->decl.at[k]->name);
	diag_error(a->at, D_CALL, "no kernel `%s`", a->name);
	if (like.name)
		diag_cure("did you mean `%s`?", like.name);
	else
		diag_cure("a statement is a pattern, `map y[i] = x[i];`, or the call of a kernel "
		          "of this file or of one that it uses");
}

static bool is_open(const struct sema *s, const struct ast_decl *d)
{
	bool open = s->kernel == d;
	for (const struct call *c = s->call; c; c = c->up)
		open |= c->kernel == d;
	return open;
}

static int depth_of(const struct sema *s)
{
	int depth = 0;
	for (const struct call *c = s->call; c; c = c->up)
		depth++;
	return depth;
}

static bool calls_deeper(const struct sema *s, const struct ast_decl *d, const struct ast_stmt *a)
{
	if (is_open(s, d)) {
		diag_error(a->at, D_RECURSION, "the kernel `%s` calls itself", d->name);
		diag_cure("`repeat` does something again");
		return false;
	}
	if (depth_of(s) >= DEEPEST)
		diag_error(a->at, D_RECURSION, "kernels call each other more than %d deep",
		           DEEPEST);
	return depth_of(s) < DEEPEST;
}

/* ---- labels ---- */

const char *call_label(const struct sema *s, const char *label)
{
	for (const struct call *c = s->call; c && label; c = c->up)
		label = c->stmt->label ? str_name(str_print("%s_%s", c->stmt->label, label)) : NULL;
	return label;
}

void call_labels(struct sema *s, const struct ast_stmt *a)
{
	struct call call = { .up = s->call, .stmt = a, .kernel = kernel_find(s, a->name) };
	if (!call.kernel || is_open(s, call.kernel) || depth_of(s) >= DEEPEST)
		return;
	s->call = &call;
	labels_collect(s, call.kernel->body.at, call.kernel->body.n);
	s->call = call.up;
}

/* ---- arguments ---- */

struct expr *call_argument(const struct expr *given, struct loc at)
{
	struct expr *e = expr_bare(given);
	e->at = at;
	for (int a = 0; a < given->arg.n; a++)
		list_add(&e->arg, call_argument(given->arg.at[a], at));
	return e;
}

static bool is_array(const struct ast_param *p)
{
	return p->type->kind == A_SUBSCRIPT;
}

static bool is_size(const struct ast_param *p)
{
	return p->mode && !strcmp(p->mode, "size");
}

static bool takes_variable(const struct argument *a)
{
	return a->written || is_array(a->param);
}

static bool may_write(const struct argument *a)
{
	const struct var *v = a->variable->var;
	bool may = !a->variable->given
	           && (v->kind == VAR_LET || (v->kind == VAR_PARAM && v->mode != MODE_IN));
	if (may)
		return true;
	diag_error(a->at->at, D_CALL, "`%s` cannot be written, and `%s` of the kernel is `%s`",
	           a->at->name, a->param->name, a->param->mode);
	if (v->kind == VAR_PARAM)
		diag_cure("mark it `inout %s`, or pass a temporary", v->name);
	return false;
}

/* What nothing has written yet may be given to be written, and not to be read. */
static bool has_value(const struct argument *a)
{
	const struct var *v = a->variable->var;
	bool none = v->kind == VAR_PARAM && v->mode == MODE_OUT && !a->variable->written
	            && (!a->param->mode || !strcmp(a->param->mode, "inout"));
	if (none)
		out_unwritten(a->at->at, v, false);
	return !none;
}

static bool variable_given(struct sema *s, struct argument *a)
{
	struct binding *b = a->at->kind == A_NAME ? name_find(s, a->at->name) : NULL;
	const int rank = a->param->type->sub.n;
	bool named = b && b->var && b->var->kind != VAR_CONST && b->var->rank == rank;
	if (a->at->kind == A_NAME && !b) {
		expr_check(s, a->at);        /* no such variable: says so */
		return false;
	}
	if (!named) {
		diag_error(a->at->at, D_CALL, "`%s` of the kernel takes the name of %s",
		           a->param->name,
		           rank ? str_print("an array of %d ax%s", rank, rank == 1 ? "is" : "es")
		                : "a scalar that it writes");
		return false;
	}
	a->variable = b;
	if (b->var->type != a->type) {
		diag_error(a->at->at, D_CALL,
		           "`%s` is of type %s, and `%s` of the kernel of type %s", a->at->name,
		           type_name(b->var->type), a->param->name, type_name(a->type));
		return false;
	}
	return has_value(a) && (!a->written || may_write(a));
}

/* What the device computes becomes a temporary, which the kernel's statements read. */
static bool store_value(struct sema *s, struct argument *a, struct made_nodes *made)
{
	struct ast_stmt *let = NEW(struct ast_stmt);
	*let = (struct ast_stmt){ .kind = S_LET, .at = a->at->at,
		                  .name = name_free(s, a->param->name), .type = a->param->type,
		                  .value = (struct ast *)a->at };
	int errors = diag_errors();
	struct node *node = let_check(s, let);
	if (diag_errors() > errors)
		return false;
	list_add(made, node);
	a->variable = name_find(s, let->name);
	a->value = NULL;
	return true;
}

static bool value_given(struct sema *s, struct argument *a, struct made_nodes *made)
{
	struct binding *b = a->at->kind == A_NAME ? name_find(s, a->at->name) : NULL;
	if (b && b->var && !b->given && b->var->kind != VAR_CONST && b->var->type == a->type
	    && !b->var->rank) {
		a->variable = b;
		return expr_check(s, a->at);         /* may be read */
	}
	a->value = is_size(a->param)
	                   ? expr_index(s, a->at)
	                   : expr_typed(s, a->at, a->type, str_print("`%s`", a->param->name));
	if (!a->value)
		return false;
	if (expr_fixed(a->value))
		return true;
	if (is_size(a->param)) {
		diag_error(a->at->at, D_CALL, "`%s` is a size of the kernel, and this lives on the "
		                              "device", a->param->name);
		return false;
	}
	return store_value(s, a, made);
}

static bool argument_check(struct sema *s, struct argument *a, struct made_nodes *made)
{
	struct var shape = { 0 };
	shape.type = is_size(a->param) ? type_scalar(T_I64) : element_type(s, a->param->type);
	a->type = shape.type;
	a->written = a->param->mode && !is_size(a->param);
	return a->type && (takes_variable(a) ? variable_given(s, a) : value_given(s, a, made));
}

static bool uses(const struct argument *a, const struct var *var)
{
	return a->variable ? a->variable->var == var : expr_uses(a->value, var);
}

/* As the pointers of a call: what is written overlaps nothing else. */
static bool apart(const struct call *c)
{
	for (int k = 0; k < c->argument.n; k++)
		for (int j = 0; j < c->argument.n; j++) {
			const struct argument *a = &c->argument.at[k], *b = &c->argument.at[j];
			if (k == j || !a->written || !uses(b, a->variable->var))
				continue;
			diag_error(b->at->at, D_CALL, "`%s` writes `%s`, which is given twice",
			           c->kernel->name, a->variable->var->name);
			diag_cure("pass a copy");
			return false;
		}
	return true;
}

static bool arguments_check(struct sema *s, struct call *c, struct made_nodes *made)
{
	const struct ast *given = c->stmt->value;
	bool fine = true;
	if (given->arg.n != c->kernel->param.n) {
		diag_error(c->stmt->at, D_CALL, "`%s` takes %d argument%s, here %s %d",
		           c->kernel->name, c->kernel->param.n, c->kernel->param.n == 1 ? "" : "s",
		           given->arg.n == 1 ? "is" : "are", given->arg.n);
		diag_cure("one each parameter, in their order; sizes come with the arrays");
		return false;
	}
	for (int k = 0; k < given->arg.n; k++) {
		struct argument a = { .param = c->kernel->param.at[k], .at = given->arg.at[k] };
		fine = argument_check(s, &a, made) && fine;
		list_add(&c->argument, a);
	}
	return fine && apart(c);
}

/* ---- sizes: those of the kernel, in those of the caller ---- */

static struct binding *size_name(struct sema *s, const char *name, struct loc at)
{
	struct binding *b = name_declare(s, name, at);
	if (b)
		b->var = var_new(s, VAR_SIZE, name, type_scalar(T_I64), at);
	return b;
}

static void sizes_alone(struct sema *s, const struct argument *a)
{
	for (int d = 0; a->variable && d < a->param->type->sub.n; d++) {
		const struct ast *extent = a->param->type->sub.at[d]->lo;
		if (extent->kind == A_NAME && !name_find(s, extent->name))
			size_name(s, extent->name, extent->at)->given =
				extent_expr(&a->variable->var->extent[d], a->at->at);
	}
}

/* The one name in it that is no variable yet, or NULL. */
static const struct ast *unknown_in(struct sema *s, const struct ast *a, int *unknown)
{
	const struct ast *found = NULL;
	if (a->kind == A_NAME && !name_find(s, a->name)) {
		++*unknown;
		return a;
	}
	for (int k = 0; k < a->arg.n; k++) {
		const struct ast *other = unknown_in(s, a->arg.at[k], unknown);
		found = other ? other : found;
	}
	return found;
}

/* extent = factor * size + rest: the size is (cells - rest) / factor, which has to be a size. */
static bool size_solved(struct sema *s, const struct ast *extent, const struct affine *cells,
                        struct binding *size)
{
	struct affine form, rest = *cells;
	int64_t factor = 0;
	if (!extent_check(s, extent, &form))
		return false;
	for (int t = 0; t < form.n; t++)
		if (form.term[t].var == size->var)
			factor = form.term[t].coef;
	struct affine own = affine_var(size->var);
	if (!factor || !affine_add(&form, &own, -factor) || !affine_add(&rest, &form, -1)
	    || rest.constant % factor)
		return false;
	rest.constant /= factor;
	for (int t = 0; t < rest.n; t++) {
		if (rest.term[t].coef % factor)
			return false;
		rest.term[t].coef /= factor;
	}
	size->given = extent_expr(&rest, extent->at);
	return true;
}

static bool sizes_solved(struct sema *s, const struct argument *a, bool *more)
{
	for (int d = 0; a->variable && d < a->param->type->sub.n; d++) {
		const struct ast *extent = a->param->type->sub.at[d]->lo;
		int unknown = 0;
		const struct ast *name = unknown_in(s, extent, &unknown);
		if (unknown != 1)
			continue;
		const struct affine *cells = &a->variable->var->extent[d];
		*more = true;
		if (!size_solved(s, extent, cells, size_name(s, name->name, name->at))) {
			diag_error(a->at->at, D_CALL,
			           "axis %d of `%s` has %s cells, which is %s of the kernel for no "
			           "size `%s`",
			           d + 1, a->at->name, affine_text(cells), ast_text(extent),
			           name->name);
			return false;
		}
	}
	return true;
}

static bool extents_agree(struct sema *s, const struct argument *a)
{
	for (int d = 0; a->variable && d < a->param->type->sub.n; d++) {
		const struct affine *cells = &a->variable->var->extent[d];
		struct affine wanted;
		if (!extent_check(s, a->param->type->sub.at[d]->lo, &wanted))
			return false;
		if (affine_equal(cells, &wanted))
			continue;
		diag_error(a->at->at, D_CALL,
		           "axis %d of `%s` has %s cells, and `%s` of the kernel %s", d + 1,
		           a->at->name, affine_text(cells), a->param->name,
		           affine_text(&wanted));
		return false;
	}
	return true;
}

static bool sizes_bound(struct sema *s, struct call *c)
{
	bool more = true, fine = true;
	for (int k = 0; k < c->argument.n; k++) {
		const struct argument *a = &c->argument.at[k];
		if (is_size(a->param))
			size_name(s, a->param->name, a->at->at)->given = a->value;
	}
	for (int k = 0; k < c->argument.n; k++)
		sizes_alone(s, &c->argument.at[k]);
	while (more && fine) {
		more = false;
		for (int k = 0; fine && k < c->argument.n; k++)
			fine = sizes_solved(s, &c->argument.at[k], &more);
	}
	for (int k = 0; fine && k < c->argument.n; k++)
		fine = extents_agree(s, &c->argument.at[k]);
	return fine;
}

/* ---- its statements ---- */

static void parameter_bind(struct sema *s, const struct argument *a)
{
	struct binding *b = is_size(a->param) ? NULL
	                                      : name_declare(s, a->param->name, a->param->at);
	if (!b)
		return;
	b->var = a->variable ? a->variable->var
	                     : var_new(s, VAR_PARAM, a->param->name, a->type, a->at->at);
	b->given = a->value;
	b->written = a->variable && a->variable->written;
}

static void locals_hide(struct sema *s, int from, int to, bool hide)
{
	for (int k = from; k < to; k++) {
		struct binding *b = s->scope.at[k];
		if (hide)
			HASH_DELETE(hh, s->vars, b);
		else
			HASH_ADD_PTR(s->vars, name, b);
	}
}

static void statements_check(struct sema *s, struct call *c, struct made_nodes *made)
{
	struct { struct node **at; int n, room; } inside = { 0 };
	for (int k = 0; k < c->argument.n; k++)
		parameter_bind(s, &c->argument.at[k]);
	stmts_check(s, c->kernel->body.at, c->kernel->body.n, &inside.at, &inside.n, &inside.room);
	for (int k = 0; k < inside.n; k++)
		list_add(made, inside.at[k]);
	for (int k = 0; k < c->argument.n; k++) {
		const struct argument *a = &c->argument.at[k];
		const struct binding *b = name_find(s, a->param->name);
		if (a->variable && b)
			a->variable->written = b->written;
	}
}

/* What is wrong with it has been told, or will be: kernels of this file are checked anyway. */
static bool is_right(struct sema *s, const struct ast_decl *d)
{
	if (d->at.file == s->file->file)
		return true;
	for (int k = 0; k < s->tried.n; k++)
		if (s->tried.at[k].kernel == d)
			return !s->tried.at[k].wrong;
	int errors = diag_errors();
	kernel_try(s, d);
	list_add(&s->tried, ((struct tried){ d, diag_errors() > errors }));
	return diag_errors() == errors;
}

void call_check(struct sema *s, const struct ast_stmt *a, struct made_nodes *made)
{
	struct call call = { .up = s->call, .stmt = a, .kernel = kernel_find(s, a->name) };
	if (!call.kernel) {
		unknown_kernel(s, a);
		return;
	}
	if (!calls_deeper(s, call.kernel, a) || !arguments_check(s, &call, made))
		return;
	const int from = s->locals, to = scope_open(s), errors = diag_errors();
	locals_hide(s, from, to, true);
	s->locals = to;
	if (is_right(s, call.kernel) && sizes_bound(s, &call)) {
		s->call = &call;
		statements_check(s, &call, made);
		s->call = call.up;
		if (diag_errors() > errors)
			diag_note(a->at, "in this call of `%s`", a->name);
	}
	scope_close(s, to);
	s->locals = from;
	locals_hide(s, from, to, false);
}
