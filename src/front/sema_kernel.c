/* sema_kernel.c - kernels: their sizes and parameters.
 *
 * Sizes (R19): a name in the shape of a parameter that is nothing else is a size.  It is bound
 * if it stands alone in some shape, is passed once, and comes in the order of first appearance.
 * An extent in which a single size is not bound yet binds that one: `row: i32[lines+1]` of a sparse
 * matrix.  The caller passes the size itself, so nothing is solved for it.  `size k: i64` among the
 * parameters declares a size that no shape has to bind. */
#include <string.h>

#include "sema_impl.h"

/* ---- kernels: sizes ---- */

static void size_names(struct sema *s, const struct ast *a, bool bare);

static void sizes_below(struct sema *s, const struct ast *a)
{
	for (int k = 0; k < a->arg.n; k++)
		size_names(s, a->arg.at[k], false);
}

/* Collects the names of a shape; `written` of a size's binding remembers that it stood alone. */
static void size_names(struct sema *s, const struct ast *a, bool bare)
{
	struct binding *b;

	if (a->kind != A_NAME) {
		sizes_below(s, a);
		return;
	}
	b = name_find(s, a->name);
	if (b && (b->decl || !b->var || b->var->kind != VAR_SIZE))
		return;
	if (!b) {
		struct var *v = var_declare(s, VAR_SIZE, a->name, type_scalar(T_I64), a->at);
		list_add(&s->entry->size, v);
		b = name_find(s, a->name);
	}
	b->written = b->written || bare;
}

/* Bound by another extent, or the only one in this: *found; false: there are two that are not
 * bound. */
static bool one_unbound(struct sema *s, const struct ast *a, struct binding **found)
{
	if (a->kind == A_NAME) {
		struct binding *b = name_find(s, a->name);
		if (b->decl || !b->var || b->var->kind != VAR_SIZE || b->written || b == *found)
			return true;
		if (*found)
			return false;
		*found = b;
	}
	for (int k = 0; k < a->arg.n; k++)
		if (!one_unbound(s, a->arg.at[k], found))
			return false;
	return true;
}

static bool extent_binds(struct sema *s, const struct ast *type)
{
	bool more = false;
	for (int j = 0; j < type->sub.n; j++) {
		struct binding *b = NULL;
		bool one = type->sub.at[j]->lo && !type->sub.at[j]->hi
		           && one_unbound(s, type->sub.at[j]->lo, &b);
		if (one && b)
			more = b->written = true;
	}
	return more;
}

/* Each may leave another extent with one size less to bind. */
static void extents_bind(struct sema *s, const struct ast_decl *d)
{
	bool more = true;
	while (more) {
		more = false;
		for (int k = 0; k < d->param.n; k++)
			more |= extent_binds(s, d->param.at[k]->type);
	}
}

bool param_is_size(const struct ast_param *p)
{
	return p->mode && !strcmp(p->mode, "size");
}

static void size_declare(struct sema *s, const struct ast_param *p)
{
	if (p->type->kind != A_NAME || strcmp(p->type->name, "i64") || p->word.n) {
		diag_error(p->type->at, D_PARAM_MODE, "a size must be an i64, without other words");
		diag_cure("`size %s: i64`", p->name);
		if (p->type->kind == A_NAME && !p->word.n)
			diag_fix(p->type->at, "i64");
	}
	size_names(s, &(struct ast){ .kind = A_NAME, .at = p->at, .name = p->name }, true);
}

static void sizes_name(struct sema *s, const struct ast_decl *d)
{
	for (int k = 0; k < d->param.n; k++) {
		const struct ast *type = d->param.at[k]->type;
		if (param_is_size(d->param.at[k])) {
			size_declare(s, d->param.at[k]);
			continue;
		}
		for (int j = 0; j < type->sub.n; j++)
			if (type->sub.at[j]->lo && !type->sub.at[j]->hi)
				size_names(s, type->sub.at[j]->lo, true);
		const struct ast *ld = layout_ld(d->param.at[k]);
		if (ld)
			size_names(s, ld, true);
	}
}

static void sizes_check(struct sema *s, const struct ast_decl *d)
{
	sizes_name(s, d);
	extents_bind(s, d);
	for (int k = 0; k < s->entry->size.n; k++) {
		const struct var *v = s->entry->size.at[k];
		if (name_find(s, v->name)->written)
			continue;
		diag_error(v->at, D_SIZE_UNBOUND,
		           "cannot infer the size `%s`: it is not an extent of a parameter by "
		           "itself, or with sizes that others bind",
		           v->name);
		diag_cure("a parameter such as `x: f32[%s]` binds it", v->name);
	}
}

/* ---- kernels: parameters ---- */

static bool mode_check(const struct ast_param *p, enum mode *mode)
{
	*mode = MODE_IN;
	if (!p->mode)
		return true;
	if (!strcmp(p->mode, "out"))
		*mode = MODE_OUT;
	else if (!strcmp(p->mode, "inout"))
		*mode = MODE_INOUT;
	else {
		diag_error(p->at, D_PARAM_MODE,
		           "`%s` is not allowed before a parameter: only `out`, `inout` and `size` "
		           "are",
		           p->mode);
		diag_cure("an input has no word");
		return false;
	}
	return true;
}

static void named_like_size(const struct ast_param *p, const struct var *size)
{
	diag_error(p->at, D_SIZE_NAME,
	           "`%s` is a size, which is already an argument of the call; a parameter cannot "
	           "have the same name",
	           p->name);
	diag_note(size->at, "the size is used here");
	diag_cure("remove the parameter, and use `%s` as an i64", p->name);
	if (!p->mode && !p->type->sub.n)
		fix_leave_out_item(p->at);
}

static void param_check(struct sema *s, const struct ast_param *p)
{
	struct binding *b = name_find(s, p->name);
	struct var *v;

	if (b && b->var && b->var->kind == VAR_SIZE) {
		named_like_size(p, b->var);
		return;
	}
	b = name_declare(s, p->name, p->at);
	if (!b)
		return;
	v = var_new(s, VAR_PARAM, p->name, NULL, p->at);
	if (!shape_check(s, p->type, v) || !mode_check(p, &v->mode) || !layout_check(s, p, v))
		return;
	b->var = v;
	list_add(&s->entry->param, v);
}

/* ---- kernels: names ---- */

/* What the helpers of the generated text are called. */
static bool name_reserved(const struct ast_decl *d)
{
	if (strncmp(d->name, "patc_", 5) && strncmp(d->name, "PATC_", 5))
		return false;
	diag_error(d->at, D_RESERVED_NAME,
	           "kernel `%s` becomes a C function, and names with `%.5s` are reserved for "
	           "generated code",
	           d->name, d->name);
	return true;
}

struct c_name { const char *name, *of; struct loc at; UT_hash_handle hh; };

static void c_name_add(struct c_name **names, const char *name, const char *of, struct loc at)
{
	struct c_name *c;

	name = str_name(name);
	HASH_FIND_PTR(*names, &name, c);
	if (c) {
		diag_error(at, D_DUPLICATE, "%s and %s would both be `%s` in C", c->of, of, name);
		diag_note(c->at, "the other one");
		return;
	}
	c = NEW(struct c_name);
	c->name = name;
	c->of = of;
	c->at = at;
	HASH_ADD_PTR(*names, name, c);
}

static void c_names_below(struct c_name **names, const struct program *p)
{
	for (int k = 0; k < p->fn.n; k++)
		c_name_add(names, str_print("fn_%s", p->fn.at[k]->name),
		           str_print("function `%s`", p->fn.at[k]->name), p->fn.at[k]->at);
	for (int k = 0; k < p->fn.n; k++)
		if (p->fn.at[k]->from)
			c_name_add(names, p->fn.at[k]->name,
			           str_print("extern fn `%s`", p->fn.at[k]->name), p->fn.at[k]->at);
	for (int k = 0; k < p->constant.n; k++)
		if (p->constant.at[k]->rank)
			c_name_add(names, str_print("table_%s", p->constant.at[k]->name),
			           str_print("table `%s`", p->constant.at[k]->name),
			           p->constant.at[k]->at);
}

/* A kernel becomes five functions, a struct a type, a function `fn_f`: in C all share one space. */
void kernel_names(const struct program *p)
{
	static const char *const suffix[] = { "", "_workspace", "_host", "_status", "_strerror" };
	struct c_name *names = NULL;

	c_names_below(&names, p);
	for (int k = 0; k < p->record.n; k++) {
		const struct record *r = p->record.at[k];
		c_name_add(&names, name_global(r->name),
		           str_print(r->of ? "the block `%s`" : "struct `%s`", r->name), r->at);
	}
	for (int k = 0; k < p->entry.n; k++)
		for (size_t n = 0; n < sizeof suffix / sizeof *suffix; n++) {
			const struct entry *e = p->entry.at[k];
			c_name_add(&names, str_print("%s%s", e->c, suffix[n]),
			           str_print("kernel `%s`", e->name), e->at);
		}
}

static bool kernel_name_taken(struct sema *s, const struct ast_decl *d)
{
	struct callable *c;

	HASH_FIND_PTR(s->kernels, &d->name, c);
	if (c) {
		diag_error(d->at, D_DUPLICATE, "kernel `%s` is defined already", d->name);
		diag_note(c->decl->at, "here");
		return true;
	}
	c = NEW(struct callable);
	c->name = d->name;
	c->decl = d;
	HASH_ADD_PTR(s->kernels, name, c);
	return false;
}

/* varied: with a variant of its statements for each condition of its schedules. */
static struct entry *entry_check(struct sema *s, const struct ast_decl *d, bool varied)
{
	int mark = scope_open(s);
	struct entry *e = NEW(struct entry);

	e->name = d->name;
	e->c = str_name(name_global(d->name));
	e->at = d->at;
	s->entry = e;
	s->kernel = d;
	s->locals = mark;
	s->called = 0;
	s->premise = NULL;
	s->labels = NULL;
	s->variant = 0;
	memset(s->ordinal, 0, sizeof s->ordinal);
	sizes_check(s, d);
	for (int k = 0; k < d->param.n; k++)
		if (!param_is_size(d->param.at[k]))
			param_check(s, d->param.at[k]);
	layout_names(e);
	labels_collect(s, d->body.at, d->body.n);
	s->called = 0;
	const struct ast_stmt *all = varied ? whens_body(s, d) : NULL;
	if (all)
		stmts_check(s, all->body.at, all->body.n, &e->body.at, &e->body.n, &e->body.room);
	else if (!varied)
		stmts_check(s, d->body.at, d->body.n, &e->body.at, &e->body.n, &e->body.room);
	reshapes_check(e);
	every_put_off(e);
	scope_close(s, mark);
	s->entry = NULL;
	return e;
}

void kernel_check(struct sema *s, const struct ast_decl *d)
{
	const int errors = diag_errors();

	if (name_reserved(d) || kernel_name_taken(s, d))
		return;
	struct entry *e = entry_check(s, d, false);
	if (whens_any(s, d) && diag_errors() == errors)
		e = entry_check(s, d, true);
	list_add(&s->program->entry, e);
}

void kernel_try(struct sema *s, const struct ast_decl *d)
{
	const struct sema caller = *s;

	s->call = NULL;
	s->repeat = NULL;
	entry_check(s, d, false);
	s->entry = caller.entry;
	s->kernel = caller.kernel;
	s->called = caller.called;
	s->locals = caller.locals;
	s->call = caller.call;
	s->repeat = caller.repeat;
	s->premise = caller.premise;
	s->variant = caller.variant;
	s->labels = caller.labels;
	memcpy(s->ordinal, caller.ordinal, sizeof s->ordinal);
}
