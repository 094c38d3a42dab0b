/* sema_fn.c - fn, op and extern fn: signatures, typed bodies, and the order callees before callers.
 * What an operator claims is read by sema_law.c.
 *
 * A call needs only the signature of what it calls, so bodies are checked in any order; the
 * calls met on the way are the edges of the graph that fn_order sorts, by hand, without
 * recursion: a chain of 100 000 functions is a legal program. */
#include <assert.h>
#include <string.h>

#include "sema_impl.h"

/* ---- signatures ---- */

/* An array is passed in a struct, which the header of a function of C does not know. */
static const struct type *value_type(struct sema *s, const struct ast *a, bool outside)
{
	const struct type *type = fixed_type(s, a);

	if (type && type->kind == T_ARRAY && outside) {
		diag_error(a->at, D_SHAPE, "a C function can neither take nor return arrays");
		diag_cure("make the array a field of a struct, which the header declares");
		return NULL;
	}
	return type && type->kind == T_ARRAY ? type_boxed(type) : type;
}

static struct var *fn_param(struct sema *s, const struct ast_decl *d, struct fn *f,
                            const struct ast_param *p)
{
	struct var *v = NEW(struct var);
	const bool array = d->kind == DECL_FN && names_size(s, p->type);

	if (p->mode || p->word.n) {
		diag_error(p->at, D_PARAM_MODE, "a parameter of a function can only be an input");
		diag_cure("remove the word: a function cannot change its parameters, and reads "
		          "arrays in row order");
		return NULL;
	}
	if (array_refused(s, d, p))
		return NULL;
	v->kind = VAR_PARAM;
	v->name = p->name;
	v->id = s->ids++;
	v->at = p->at;
	if (array)
		return array_param(s, f, p, v) ? v : NULL;
	v->type = value_type(s, p->type, f->from);
	return v->type ? v : NULL;
}

static bool op_shape(const struct ast_decl *d, const struct fn *f)
{
	if (f->param.n != 2 || f->param.at[0]->type != f->type || f->param.at[1]->type != f->type) {
		diag_error(d->at, D_OP_SHAPE,
		           "an operator must take two values of one type and return that type");
		diag_cure("`op %s(a: f32, b: f32) -> f32 = ...`", d->name);
		if (f->param.n == 2 && f->param.at[0]->type == f->type && is_numeric(f->type)
		    && f->param.at[1]->type && is_numeric(f->param.at[1]->type))
			diag_fix(d->param.at[1]->type->at, type_name(f->type));
		return false;
	}
	return true;
}

static struct op *op_new(const struct fn *f)
{
	struct op *op = NEW(struct op);

	op->name = f->name;
	op->kind = OPK_USER;
	op->fn = f;
	return op;
}

void fn_signature(struct sema *s, struct callable *c)
{
	const struct ast_decl *d = c->decl;
	struct fn *f;
	bool fine = true;

	if (d->kind != DECL_FN && d->kind != DECL_OP && d->kind != DECL_EXTERN)
		return;
	f = NEW(struct fn);
	f->name = d->name;
	f->at = d->at;
	if (d->kind == DECL_EXTERN)
		fine = (f->from = extern_header(d)) != NULL;
	for (int k = 0; k < d->param.n; k++) {
		struct var *v = fn_param(s, d, f, d->param.at[k]);
		if (v)
			list_add(&f->param, v);
		fine = v && fine;
	}
	fine = fine && sizes_bound_by(f);
	f->type = value_type(s, d->type, f->from);
	if (!fine || !f->type || (d->kind == DECL_OP && !op_shape(d, f)))
		return;
	c->fn = f;
	if (d->kind == DECL_OP)
		c->op = op_new(f);
}

/* ---- intervals: what keeps an index of a table inside it, in a function (no isl here) ---- */

struct interval { int64_t lo, hi; bool known; };

static struct interval interval_of(const struct expr *);

static struct interval interval_sum(struct interval a, struct interval b, int sign)
{
	struct interval r = { 0, 0, a.known && b.known };
	int64_t lo = sign > 0 ? b.lo : -b.hi, hi = sign > 0 ? b.hi : -b.lo;

	if (!r.known || b.lo == INT64_MIN || __builtin_add_overflow(a.lo, lo, &r.lo)
	    || __builtin_add_overflow(a.hi, hi, &r.hi))
		r.known = false;
	return r;
}

static struct interval interval_times(struct interval a, struct interval b)
{
	struct interval r = { INT64_MAX, INT64_MIN, a.known && b.known };

	for (int k = 0; r.known && k < 4; k++) {
		int64_t p;
		if (__builtin_mul_overflow(k & 1 ? a.lo : a.hi, k & 2 ? b.lo : b.hi, &p))
			r.known = false;
		r.lo = p < r.lo ? p : r.lo;
		r.hi = p > r.hi ? p : r.hi;
	}
	return r;
}

/* x % c has the sign of x and is smaller than c. */
static struct interval interval_rem(struct interval a, struct interval b)
{
	struct interval r = { 0, b.lo - 1, b.known && b.lo == b.hi && b.lo > 0 };

	if (!a.known || a.lo < 0)
		r.lo = -r.hi;
	return r;
}

static struct interval interval_binary(const struct expr *e)
{
	struct interval a = interval_of(e->arg.at[0]), b = interval_of(e->arg.at[1]);

	switch ((int)e->op) {                /* int: of the other operators nothing is known */
	case OP_ADD: return interval_sum(a, b, 1);
	case OP_SUB: return interval_sum(a, b, -1);
	case OP_MUL: return interval_times(a, b);
	case OP_REM: return interval_rem(a, b);
	case OP_AND:
		if (b.known && b.lo == b.hi && b.lo >= 0)
			return (struct interval){ 0, b.lo, true };
		return (struct interval){ 0, 0, false };
	default: return (struct interval){ 0, 0, false };
	}
}

static struct interval interval_clamp(const struct expr *e)
{
	struct interval lo = interval_of(e->arg.at[1]), hi = interval_of(e->arg.at[2]);
	struct interval r = { lo.lo, hi.hi, lo.known && hi.known && lo.hi <= hi.lo };

	return r;
}

static struct interval interval_least(struct interval a, struct interval b)
{
	return (struct interval){ a.lo < b.lo ? a.lo : b.lo, a.hi < b.hi ? a.hi : b.hi,
		                  a.known && b.known };
}

static struct interval interval_most(struct interval a, struct interval b)
{
	return (struct interval){ a.lo > b.lo ? a.lo : b.lo, a.hi > b.hi ? a.hi : b.hi,
		                  a.known && b.known };
}

static struct interval interval_extreme(const struct expr *e)
{
	struct interval r = interval_of(e->arg.at[0]);

	for (int k = 1; k < e->arg.n; k++)
		r = (e->math == M_min ? interval_least : interval_most)(r,
		                                                        interval_of(e->arg.at[k]));
	return r;
}

/* The interval must survive the type the value is computed in: where it may wrap, or nothing is
 * known, the type itself is one, unless it has 64 bits. */
static struct interval interval_fits(struct interval r, const struct type *type)
{
	int bits = (int)type_size(type) * 8;
	bool u = type_class(type) == 'U';

	if (bits == 64)
		return (struct interval){ r.lo, r.hi, r.known && (!u || r.lo >= 0) };
	struct interval all = { u ? 0 : -((int64_t)1 << (bits - 1)),
		                ((int64_t)1 << (u ? bits : bits - 1)) - 1, true };
	return r.known && r.lo >= all.lo && r.hi <= all.hi ? r : all;
}

static struct interval interval_of(const struct expr *e)
{
	struct interval r = { 0, 0, false };

	if (type_class(e->type) != 'I' && type_class(e->type) != 'U')
		return r;
	if (e->kind == E_CONST)
		r = (struct interval){ e->value.i, e->value.i, true };
	else if (e->kind == E_VAR && e->var->kind == VAR_LOCAL && e->var->extent[0].n == -1)
		r = (struct interval){ e->var->extent[0].constant, e->var->extent[1].constant,
			               true };
	else if (e->kind == E_BINARY)
		r = interval_binary(e);
	else if (e->kind == E_CAST)
		r = interval_of(e->arg.at[0]);
	else if (e->kind == E_MATH && e->math == M_clamp)
		r = interval_clamp(e);
	else if (e->kind == E_MATH && (e->math == M_min || e->math == M_max))
		r = interval_extreme(e);
	return interval_fits(r, e->type);
}

bool elem_in_range(const struct expr *subscript, int64_t extent)
{
	struct interval r = interval_of(subscript);

	return r.known && r.lo >= 0 && r.hi < extent;
}

/* No signed sum, difference or product in it leaves its type. */
bool index_exact(const struct expr *e)
{
	bool sums = e->kind == E_BINARY && (e->op == OP_ADD || e->op == OP_SUB || e->op == OP_MUL);
	bool negates = e->kind == E_UNARY && e->op == OP_NEG;
	bool exact = type_class(e->type) != 'I' || !(sums || negates);

	if (!exact && sums) {
		struct interval r = interval_binary(e), fits = interval_fits(r, e->type);
		exact = r.known && fits.lo == r.lo && fits.hi == r.hi;
	}
	for (int k = 0; exact && k < e->arg.n; k++)
		exact = index_exact(e->arg.at[k]);
	return exact;
}

/* Note: a scalar has no extent[], so the index of a `for` keeps its interval there: n = -1 marks
 * it, extent[0] holds the smallest value, extent[1] the largest.  extent[2] is another
 * file's: sema_walk.c. */
static void interval_keep(struct var *v, const struct expr *lo, const struct expr *hi)
{
	struct interval a = interval_of(lo), b = interval_of(hi);

	if (!a.known || !b.known || b.hi == INT64_MIN)
		return;
	v->extent[0] = (struct affine){ .constant = a.lo, .n = -1 };
	v->extent[1] = (struct affine){ .constant = b.hi - 1, .n = -1 };
}

/* ---- bodies ---- */

struct inners { struct inner ***at; int *n, *room; };

static bool body_check(struct sema *, struct ast_inner *const *, int n, struct inners);

static struct inner *inner_new(enum inner_kind kind, struct loc at)
{
	struct inner *i = NEW(struct inner);

	i->kind = kind;
	i->at = at;
	return i;
}

/* What a var without a value starts with; NULL for structs that hold arrays: the printer
 * clears. */
struct expr *zero_of(const struct type *type, struct loc at)
{
	struct expr *e;

	if (type_class(type) == 'F')
		return expr_float(type, 0, at);
	if (type_class(type) != 'S')
		return type_class(type) == 'A' ? NULL : expr_int(type, 0, at);
	e = expr_new(E_STRUCT, type, at);
	for (int k = 0; k < type->record->field.n; k++) {
		struct expr *part = zero_of(type->record->field.at[k].type, at);
		if (!part)
			return NULL;
		list_add(&e->arg, part);
	}
	return e;
}

static struct inner *check_local(struct sema *s, const struct ast_inner *a)
{
	struct inner *i = inner_new(N_LET, a->at);
	const struct type *type = a->type ? array_local(s, a, fixed_type(s, a->type)) : NULL;

	if (type && type->kind == T_ARRAY && a->value && a->value->kind == A_LIST)
		return array_list(s, a, type);
	if (a->value && type && type->kind == T_ARRAY)
		i->a = array_typed(s, a->value, type, str_print("`%s`", a->name));
	else if (a->value && type)
		i->a = expr_typed(s, a->value, type, str_print("`%s`", a->name));
	else if (a->value && !a->type)
		i->a = expr_value(s, a->value);
	else if (a->value)
		expr_check(s, a->value);     /* its own mistakes */
	else if (type)
		i->a = zero_of(type, a->at);
	i->a = array_begin(s, a, i->a);
	if (i->a)
		type = i->a->type;
	if (type && !word_fits(a, type))
		type = NULL;
	if (!type) {                         /* declared all the same: silence for what follows */
		name_declare(s, a->name, a->at);
		return NULL;
	}
	i->var = var_declare(s, VAR_LOCAL, a->name, type, a->at);
	if (i->var) {
		i->var->is_mutable = a->kind == I_VAR;
		i->var->spills = a->word;
	}
	return i->var && (i->a || !a->value) ? i : NULL;
}

static struct expr *target_root(struct expr *e)
{
	while (e && (e->kind == E_FIELD || (e->kind == E_ELEM && !e->var)))
		e = e->arg.at[0];
	return e;
}

static bool assignable(const struct expr *e, struct loc at)
{
	const struct var *v = e->var;

	if ((e->kind == E_VAR || e->kind == E_ELEM) && v && v->kind == VAR_LOCAL && v->is_mutable)
		return true;
	diag_error(at, D_ASSIGN,
	           v ? "`%s` cannot be assigned: it is %s" : "this cannot be assigned%s%s",
	           v ? v->name : "",
	           !v                     ? ""
	           : v->kind == VAR_PARAM ? "a parameter"
	           : v->kind == VAR_LOCAL ? "a `let`, or the index of a loop"
	                                  : "a constant");
	if (v && v->rank)
		diag_cure("a function returns a value, which a statement of a kernel can store");
	else {
		diag_cure("declare a `var`");
		if (v && v->kind == VAR_LOCAL)
			fix_word_before(v->at, "let", "var");
	}
	return false;
}

/* `float k = ...` reads as an assignment to float by `k=`: up to the `=`. */
static struct loc declared_span(const struct ast_inner *a)
{
	struct loc at = a->target->at;
	size_t length, from = source_offset(at, at.end);
	const char *text = source_text(at.file, &length) + from;
	size_t blanks = strspn(text, " \t"), n = strlen(a->assign);

	if (from + blanks + n < length && !strncmp(text + blanks, a->assign, n))
		at.end += (int)(blanks + n);
	return at;
}

/* A declaration as C has it; then it is one, so that its name is known. */
static struct inner *declared_as_in_c(struct sema *s, const struct ast_inner *a)
{
	const char *name = a->target->name;
	const char *type = type_named(name) ? name : type_of_c(name);
	const struct loc at = declared_span(a);

	diag_error(a->target->at, D_UNKNOWN_NAME, "no variable `%s` here", name);
	diag_cure("declare a variable by `var %s: %s = ...;`, or a value that does not change by "
	          "`let`",
	          a->assign, type);
	if (at.end > a->target->at.end)
		diag_fix(at, str_print("var %s: %s", a->assign, type));
	struct ast_inner *var = NEW(struct ast_inner);
	*var = *a;
	var->kind = I_VAR;
	var->name = a->assign;
	var->type = NEW(struct ast);
	*var->type = (struct ast){ .kind = A_NAME, .at = a->target->at, .name = str_name(type) };
	return check_local(s, var);
}

static bool is_declared_as_in_c(struct sema *s, const struct ast_inner *a)
{
	const char *name = a->target->kind == A_NAME ? a->target->name : NULL;

	return name && !name_find(s, name) && (type_named(name) || type_of_c(name))
	    && !strchr(a->assign, '=');
}

/* y op= e of a body, R28; also for statements */
static struct inner *check_assign(struct sema *s, const struct ast_inner *a)
{
	if (is_declared_as_in_c(s, a))
		return declared_as_in_c(s, a);
	struct inner *i = inner_new(N_ASSIGN, a->at);
	const struct binding *b = a->target->kind == A_NAME ? name_find(s, a->target->name) : NULL;
	bool late = a->value->kind == A_LIST || a->value->kind == A_COND;
	struct expr *right = late ? NULL : expr_check(s, a->value);

	if (b && b->var && (b->var->kind == VAR_CONST || b->var->kind == VAR_SIZE)) {
		diag_error(a->target->at, D_ASSIGN, "`%s` cannot be assigned: it is a %s",
		           b->name, b->var->kind == VAR_SIZE ? "size" : "constant");
		return NULL;
	}
	i->target = expr_check(s, a->target);
	if (!i->target && a->target->kind == A_NAME && !b
	    && !name_like(s, a->target->name, false).name)
		diag_cure("declare a variable by `var %s: f32 = ...;`",
		          strchr(a->assign, '=') ? a->target->name : a->assign);
	if (!i->target || !assignable(target_root(i->target), a->target->at))
		return NULL;
	bool array = i->target->type->kind == T_ARRAY && !strcmp(a->assign, "=");
	const char *what = str_print("`%s`", ast_text(a->target));
	if (late)                            /* the type of the target says what a list is */
		right = array ? array_typed(s, a->value, i->target->type, what)
		              : expr_check(s, a->value);
	if (right && strcmp(a->assign, "="))
		right = assign_op(s, a->assign, i->target, right, a->at);
	i->a = expr_convert(right, i->target->type, what);
	if (i->a)
		array_assign(i);
	return i->a ? i : NULL;
}

static bool block(struct sema *s, struct ast_inner *const *body, int n, struct inners to)
{
	int mark = scope_open(s);
	bool leaves = body_check(s, body, n, to);

	scope_close(s, mark);
	return leaves;
}

#define INNERS(l) (struct inners){ &(l).at, &(l).n, &(l).room }

static struct inner *check_if(struct sema *s, const struct ast_inner *a, bool *leaves)
{
	struct inner *i = inner_new(N_IF, a->at);
	bool yes, no;

	i->a = expr_bool(s, a->value, "the condition");
	yes = block(s, a->body.at, a->body.n, INNERS(i->body));
	no = block(s, a->otherwise.at, a->otherwise.n, INNERS(i->otherwise));
	*leaves = yes && no;
	return i;
}

static struct inner *check_while(struct sema *s, const struct ast_inner *a)
{
	struct inner *i = inner_new(N_WHILE, a->at);

	i->a = expr_bool(s, a->value, "the condition");
	s->inside->fn->uneven = true;
	while_limit(s, a, i);
	s->loops++;
	block(s, a->body.at, a->body.n, INNERS(i->body));
	s->loops--;
	return i;
}

static struct inner *check_for(struct sema *s, const struct ast_inner *a)
{
	struct inner *i = inner_new(N_FOR, a->at);
	int mark = scope_open(s);

	i->a = expr_index(s, a->range->lo);
	i->b = expr_index(s, a->range->hi);
	i->var = var_declare(s, VAR_LOCAL, a->range->name, type_scalar(T_I64), a->range->at);
	if (i->var && i->a && i->b) {
		interval_keep(i->var, i->a, i->b);
		index_range(i->var, i->a, i->b);
	}
	s->loops++;
	block(s, a->body.at, a->body.n, INNERS(i->body));
	s->loops--;
	scope_close(s, mark);
	return i;
}

static struct inner *check_return(struct sema *s, const struct ast_inner *a)
{
	struct inner *i = inner_new(N_RETURN, a->at);

	i->a = expr_typed(s, a->value, s->inside->fn->type, str_print("the result of `%s`",
	                                                              s->inside->name));
	return i;
}

static struct inner *check_jump(struct sema *s, const struct ast_inner *a)
{
	if (!s->loops) {
		diag_error(a->at, D_JUMP, "`%s` outside a loop",
		           a->kind == I_BREAK ? "break" : "continue");
		return NULL;
	}
	return inner_new(a->kind == I_BREAK ? N_BREAK : N_CONTINUE, a->at);
}

static struct inner *inner_check(struct sema *s, const struct ast_inner *a, bool *leaves)
{
	switch (a->kind) {
	case I_LET: case I_VAR: return check_local(s, a);
	case I_ASSIGN: return check_assign(s, a);
	case I_IF: return check_if(s, a, leaves);
	case I_WHILE: return check_while(s, a);
	case I_FOR: return check_for(s, a);
	case I_RETURN: *leaves = true; return check_return(s, a);
	case I_BREAK: case I_CONTINUE: *leaves = true; return check_jump(s, a);
	}
	assert(false && "every statement of a body is checked");
	return NULL;
}

/* True if control never reaches the end of the body. */
static bool body_check(struct sema *s, struct ast_inner *const *body, int n, struct inners to)
{
	bool left = false;

	for (int k = 0; k < n; k++) {
		bool leaves = false;
		struct inner *i;

		if (left) {
			diag_error(body[k]->at, D_UNREACHABLE, "this statement is unreachable");
			diag_cure("leave it out");
			if (body[k]->kind == I_ASSIGN || body[k]->kind == I_RETURN)
				fix_leave_out_line(body[k]->at);
			return true;
		}
		i = inner_check(s, body[k], &leaves);
		left = leaves;
		if (!i)
			continue;
		*to.at = list_grow(*to.at, *to.n, to.room, sizeof **to.at);
		(*to.at)[(*to.n)++] = i;
	}
	return left;
}

/* An error inside a loop says nothing about the end of the function: only `return` counts there,
 * and a loop may run no pass at all. */
static void body_of(struct sema *s, const struct ast_decl *d, struct fn *f)
{
	if (d->value) {
		f->value = expr_typed(s, d->value, f->type,
		                      str_print("the result of `%s`", f->name));
		return;
	}
	if (!body_check(s, d->block.at, d->block.n, INNERS(f->body))) {
		diag_error(d->at, D_NO_RETURN, "`%s` may end without a `return`", f->name);
		diag_cure("end it with `return VALUE;`");
	}
}

void fn_body(struct sema *s, struct callable *c)
{
	int mark = scope_open(s), errors = diag_errors();
	struct fn *f = c->fn;

	if (!f)
		return;
	s->inside = c;
	s->loops = 0;
	sizes_declare(s, f);
	for (int k = 0; k < f->param.n; k++) {
		struct binding *b = name_declare(s, f->param.at[k]->name, f->param.at[k]->at);
		if (b)
			b->var = f->param.at[k];
	}
	if (!f->from)
		body_of(s, c->decl, f);
	f->sound = diag_errors() == errors;
	scope_close(s, mark);
	s->inside = NULL;
}

/* ---- callees before callers ---- */

struct visit { struct callable *c; int next; };

static void cycle_report(const struct visit *path, int n, const struct callable *again)
{
	int first = n - 1;
	char *text;

	while (path[first].c != again)
		first--;
	text = str_print("`%s`", again->name);
	for (int k = first + 1; k < n && k < first + 8; k++)
		text = str_print("%s calls `%s`", text, path[k].c->name);
	diag_error(again->decl->at, D_RECURSION, "%s%s calls `%s`: functions cannot be recursive",
	           text, n - first > 8 ? " ..." : "", again->name);
	diag_cure("write a loop");
}

void fn_order(struct sema *s)
{
	LIST(struct visit) path = { 0 };

	for (int k = 0; k < s->callables.n; k++)         /* first, in the order of the file */
		if (s->callables.at[k]->fn && s->callables.at[k]->fn->from) {
			s->callables.at[k]->mark = 2;
			list_add(&s->program->fn, s->callables.at[k]->fn);
		}
	for (int k = 0; k < s->callables.n; k++) {
		struct callable *c = s->callables.at[k];

		if (!c->fn || c->mark)
			continue;
		c->mark = 1;
		list_add(&path, ((struct visit) { c, 0 }));
		while (path.n) {
			struct visit *v = &path.at[path.n - 1];
			if (v->next == v->c->callee.n) {
				v->c->mark = 2;
				list_add(&s->program->fn, v->c->fn);
				path.n--;
				continue;
			}
			struct callable *callee = v->c->callee.at[v->next++];
			if (callee->mark == 1)
				cycle_report(path.at, path.n, callee);
			if (callee->mark)
				continue;
			callee->mark = 1;
			list_add(&path, ((struct visit) { callee, 0 }));
		}
	}
}
