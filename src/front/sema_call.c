/* sema_call.c - calls of kernels: `relabel(row, col, place);`.
 *
 * The statements of the kernel are checked once more where the call is, and become statements of
 * the caller: passes and targets see no call.  Its parameters are names of the caller's arrays
 * there, its sizes what the extents of these arrays say, and its scalars what they are given; the
 * caller's own names are hidden meanwhile, and the kernel's are gone after it.
 *
 * A kernel is checked by itself before its first call, so that what is wrong with it is said of it;
 * what is wrong with a call is said at the call. */
#include <string.h>

#include "ask.h"
#include "sema_impl.h"

enum {
	DEEPEST = 32,                    /* calls in calls */
	MOST_CALLS = 1000                /* in a kernel: each has its statements again */
};

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

/* The first of that name in the file, or, other: in those that are used; after: after that one. */
static const struct ast_decl *kernel_in(const struct sema *s, const char *name, int file,
                                        bool other, const struct ast_decl *after)
{
	for (int k = 0; k < s->file->decl.n; k++) {
		const struct ast_decl *d = s->file->decl.at[k];
		bool fits = d->kind == DECL_KERNEL && d->name == name
		            && (other ? d->at.file != s->file->file && d->at.file != file
		                      : d->at.file == file);
		if (fits && !after)
			return d;
		after = d == after ? NULL : after;
	}
	return NULL;
}

/* What the name means in that file: its own kernel, or one of a file that is used. */
static const struct ast_decl *kernel_find(const struct sema *s, const char *name, struct loc at)
{
	const struct ast_decl *own = kernel_in(s, name, at.file, false, NULL);
	return own ? own : kernel_in(s, name, at.file, true, NULL);
}

/* Two files that are used have one of that name, and this file has none. */
static bool is_ambiguous(const struct sema *s, const struct ast_stmt *a)
{
	const struct ast_decl *first = kernel_find(s, a->name, a->at);
	const struct ast_decl *second = first && first->at.file != a->at.file
	                                        ? kernel_in(s, a->name, a->at.file, true, first)
	                                        : NULL;
	if (!second)
		return false;
	diag_error(a->at, D_CALL, "two files have a kernel `%s`", a->name);
	diag_note(first->at, "one");
	diag_note(second->at, "the other one");
	return true;
}

struct loc call_place(const struct sema *s)
{
	return s->call->stmt->at;
}

const char *call_kernel(const struct sema *s)
{
	return s->call->kernel->name;
}

static void unknown_kernel(const struct sema *s, const struct ast_stmt *a)
{
	struct like like = near_begin(a->name);
	for (int k = 0; k < s->file->decl.n; k++)
		if (s->file->decl.at[k]->kind == DECL_KERNEL)
			near_add(&like, s->file->decl.at[k]->name);
	diag_error(a->at, D_CALL, "no kernel `%s`", a->name);
	if (!strcmp(a->name, "swap"))
		diag_cure("to exchange two arrays, write `swap a, b;`");
	else if (!strncmp(a->name, "atomic", strlen("atomic")))
		diag_cure("a write to data-dependent indices is a scatter: `scatter y[k[i]] += "
		          "v[i];`");
	else if (!cure_near(&like, a->at) && like.name)
		diag_cure("did you mean `%s`?", like.name);
	else if (!like.name)
		diag_cure("a statement is a pattern, `map y[i] = x[i];`, or a call of a kernel in "
		          "this file or in a file that it uses");
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

static bool calls_deeper(struct sema *s, const struct ast_decl *d, const struct ast_stmt *a)
{
	if (is_open(s, d)) {
		diag_error(a->at, D_RECURSION, "the kernel `%s` calls itself", d->name);
		diag_cure("use `repeat` to run statements again");
		return false;
	}
	if (depth_of(s) >= DEEPEST)
		diag_error(a->at, D_RECURSION, "calls of kernels are nested more than %d deep",
		           DEEPEST);
	else if (++s->called > MOST_CALLS)
		diag_error(a->at, D_TOO_MANY,
		           "a kernel has at most %d calls, including nested ones", MOST_CALLS);
	return depth_of(s) < DEEPEST && s->called <= MOST_CALLS;
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
	struct call call = { .up = s->call, .stmt = a, .kernel = kernel_find(s, a->name, a->at) };
	if (!call.kernel || is_open(s, call.kernel) || depth_of(s) >= DEEPEST
	    || ++s->called > MOST_CALLS)
		return;
	s->call = &call;
	labels_collect(s, call.kernel->body.at, call.kernel->body.n);
	s->call = call.up;
}

/* ---- arguments ---- */

static bool place_at(struct expr *e, void *at)
{
	e->at = *(const struct loc *)at;
	return true;
}

struct expr *call_argument(const struct expr *given, struct loc at)
{
	struct expr *e = expr_copy(given);
	expr_walk(e, place_at, &at);
	return e;
}

static bool is_array(const struct ast_param *p)
{
	return p->type->kind == A_SUBSCRIPT;
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
	diag_error(a->at->at, D_CALL, "`%s` cannot be written, but `%s` of the kernel is `%s`",
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
		diag_error(a->at->at, D_CALL,
		           "the argument for `%s` of the kernel must be the name of %s",
		           a->param->name,
		           rank ? str_print("an array of %d ax%s", rank, rank == 1 ? "is" : "es")
		                : "a scalar that it writes");
		return false;
	}
	a->variable = b;
	if (b->var->type != a->type) {
		diag_error(a->at->at, D_CALL,
		           "`%s` has type %s, but `%s` of the kernel has type %s", a->at->name,
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
	struct binding *b = name_find(s, let->name);
	if (diag_errors() > errors)
		return false;
	list_add(made, node);
	HASH_DELETE(hh, s->vars, b);         /* the kernel alone knows it */
	s->scope.n--;
	a->variable = b;
	a->value = NULL;
	return true;
}

/* What a size is must not be negative: that is known, or every call requires it. */
static bool size_required(struct sema *s, const struct affine *size, struct loc at)
{
	struct expr *zero = expr_int(type_scalar(T_I64), 0, at);
	return affine_never_negative(size)
	       || require(s, expr_binary(OP_GE, extent_expr(size, at), zero), at);
}

static bool size_given(struct sema *s, struct argument *a)
{
	struct affine size;
	bool fine = affine_of(a->value, &size) && (size.n || size.constant >= 0);
	for (int t = 0; fine && t < size.n; t++)
		fine = size.term[t].var->kind == VAR_SIZE;
	if (fine)
		return size_required(s, &size, a->at->at);
	diag_error(a->at->at, D_CALL,
	           "`%s` is a size of the kernel: its argument must be a sum of sizes and "
	           "constants that is not negative",
	           a->param->name);
	return false;
}

static bool value_given(struct sema *s, struct argument *a, struct made_nodes *made)
{
	struct binding *b = a->at->kind == A_NAME ? name_find(s, a->at->name) : NULL;
	if (!param_is_size(a->param) && b && b->var && !b->given && b->var->kind != VAR_CONST
	    && b->var->type == a->type && !b->var->rank) {
		a->variable = b;
		return expr_check(s, a->at);         /* may be read */
	}
	a->value = param_is_size(a->param)
	                   ? expr_index(s, a->at)
	                   : expr_typed(s, a->at, a->type, str_print("`%s`", a->param->name));
	if (!a->value)
		return false;
	if (param_is_size(a->param))
		return size_given(s, a);
	return expr_fixed(a->value) || store_value(s, a, made);
}

static bool argument_check(struct sema *s, struct argument *a, struct made_nodes *made)
{
	a->type = element_type(s, a->param->type);
	a->written = a->param->mode && !param_is_size(a->param);
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
			diag_error(b->at->at, D_CALL, "`%s` writes `%s`, which is passed twice",
			           c->kernel->name, a->variable->var->name);
			diag_cure("pass a copy");
			return false;
		}
	return true;
}

/* A pitch is a size of the caller's memory, which an array here may not have. */
static bool has_pitch(const struct call *c)
{
	for (int k = 0; k < c->kernel->param.n; k++) {
		if (!layout_ld(c->kernel->param.at[k]))
			continue;
		diag_error(c->stmt->at, D_CALL,
		           "`%s` of `%s` has a leading dimension, which a call cannot pass",
		           c->kernel->param.at[k]->name, c->kernel->name);
		diag_cure("remove `row(%s)` there: the parameter then has the layout of its "
		          "argument",
		          layout_ld(c->kernel->param.at[k])->name);
		return true;
	}
	return false;
}

static bool arguments_check(struct sema *s, struct call *c, struct made_nodes *made)
{
	const struct ast *given = c->stmt->value;
	bool fine = true;
	if (has_pitch(c))
		return false;
	if (given->arg.n != c->kernel->param.n) {
		diag_error(c->stmt->at, D_CALL, "`%s` takes %d argument%s, but there %s %d",
		           c->kernel->name, c->kernel->param.n, c->kernel->param.n == 1 ? "" : "s",
		           given->arg.n == 1 ? "is" : "are", given->arg.n);
		diag_cure("pass one argument for each parameter, in order; sizes come with the "
		          "arrays");
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
	return (rest.n || rest.constant >= 0) && size_required(s, &rest, extent->at);
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
			           "axis %d of `%s` has %s cells, which `%s` of the kernel has for "
			           "no size `%s`",
			           d + 1, a->at->name, affine_text(cells), a->param->name,
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
		           "axis %d of `%s` has %s cells, but that of `%s` in the kernel has %s",
		           d + 1, a->at->name, affine_text(cells), a->param->name,
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
		if (param_is_size(a->param))
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
	struct binding *b = param_is_size(a->param) ? NULL
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

/* By itself: what is wrong with it is told in its own names.  It is right while it is tried. */
static bool is_right(struct sema *s, const struct ast_decl *d)
{
	const int k = s->tried.n, errors = diag_errors();
	for (int i = 0; i < k; i++)
		if (s->tried.at[i].kernel == d)
			return !s->tried.at[i].wrong;
	list_add(&s->tried, ((struct tried){ d, false }));
	kernel_try(s, d);
	s->tried.at[k].wrong = diag_errors() > errors;
	return !s->tried.at[k].wrong;
}

void call_check(struct sema *s, const struct ast_stmt *a, struct made_nodes *made)
{
	struct call call = { .up = s->call, .stmt = a, .kernel = kernel_find(s, a->name, a->at) };
	if (!call.kernel) {
		unknown_kernel(s, a);
		return;
	}
	if (is_ambiguous(s, a) || !calls_deeper(s, call.kernel, a)
	    || !arguments_check(s, &call, made))
		return;
	const int from = s->locals, to = scope_open(s), errors = diag_errors();
	locals_hide(s, from, to, true);
	s->locals = to;
	if (call_label(s, a->label))
		list_add(&s->entry->called,
		         ((struct named_call){ call_label(s, a->label), a->name }));
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
