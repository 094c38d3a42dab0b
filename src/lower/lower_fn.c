/* lower_fn.c - the body of a user's fn becomes a KIR function: the same expressions as in a kernel,
 * with the arrays that it takes.  The bound of a `for` is taken once.
 *
 * Note [walks]  A function whose call may fail (struct fn) returns { value, wrong }.  Where it
 * fails it returns at once, with the status in `wrong`; its caller, if that is a function, does so
 * too.  In a kernel the call sets the flag of the cell, or the term, that it is computed for
 * (l->now.outside), as a read outside an array does: nothing is stored there.  A call is left out
 * if the flag may be set already, so that which status is recorded does not depend on what is
 * computed for nothing. */
#include "lower.h"
#include "walk.h"

enum { UNROLLED = 32 };                  /* passes at most of a loop that is unrolled */

static void lower_let(struct lowering *l, const struct inner *s)
{
	if (s->var->type->kind == T_ARRAY) {
		lower_array(l, s);
		lower_inners(l, s->body.at, s->body.n);
		return;
	}
	struct kx *value = s->a ? lower_expr(l, s->a) : lower_zero(s->var->type);
	if (walk_keeps(l, s->var)) {
		k_set(l->k, lower_var(l, s->var), value);
		return;
	}
	struct kvar *v = s->var->is_mutable ? k_var(l->k, kt(s->var->type), s->var->name, value)
	                                    : k_let(l->k, s->var->name, value);
	lower_bind(l, s->var, x_var(v));
}

static bool no_element_of(struct expr *e, void *var)
{
	if (e->kind == E_ELEM && e->arg.at[0]->kind == E_FIELD)
		for (int a = 1; a < e->arg.n; a++)
			if (expr_uses(e->arg.at[a], var))
				return false;
	return true;
}

/* Is an array in a struct subscripted by var? */
static bool elements_by(struct inner *const *at, int n, struct var *var)
{
	for (int i = 0; i < n; i++) {
		struct expr *part[] = { at[i]->target, at[i]->a, at[i]->b };
		for (int p = 0; p < 3; p++)
			if (part[p] && !expr_walk(part[p], no_element_of, var))
				return true;
		if (elements_by(at[i]->body.at, at[i]->body.n, var)
		    || elements_by(at[i]->otherwise.at, at[i]->otherwise.n, var))
			return true;
	}
	return false;
}

/* The body of the loop that is open. */
static void lower_loop(struct lowering *l, const struct inner *s)
{
	l->loops++;
	lower_inners(l, s->body.at, s->body.n);
	l->loops--;
	k_end(l->k);
}

/* A bound that is no constant is taken once: the body may change what it is made of.  A struct's
 * array stays in registers only if every subscript is a constant, so the loop over it is unrolled;
 * for arrays of the function sema_array.c has decided. */
static void lower_for(struct lowering *l, const struct inner *s)
{
	struct kernel *k = l->k;
	struct kx *lo = kx_fold(x_to_i64(lower_expr(l, s->a))),
		  *hi = kx_fold(x_to_i64(lower_expr(l, s->b)));
	int64_t from = 0, to = 0;
	bool fixed = x_constant(hi, &to);
	hi = fixed ? hi : x_var(k_let(k, "last", hi));
	bool few = fixed && x_constant(lo, &from) && from >= 0 && to - from <= UNROLLED;
	few &= elements_by(s->body.at, s->body.n, s->var);
	int flags = s->unrolled || few ? FOR_UNROLL : 0;
	lower_bind(l, s->var, x_var(k_for(k, s->var->name, lo, hi, x_i64(1), flags)));
	lower_loop(l, s);
}

/* ---- failing ---- */

static struct kx *result_of(struct lowering *l, struct kx *value, struct kx *wrong)
{
	if (!l->fn->fails)
		return value;
	return x_make(fn_result(l->fn), 2, (struct kx *[]){ value, wrong });
}

static const struct field *result_field(const struct fn *fn, int k)
{
	return &fn_result(fn)->record->field.at[k];
}

/* Note: a zero struct in the braces of another one is a variable: gcc misses braces in
 * `(R){(V){0}, 1}` if the first field of V is an array. */
static struct kx *failure_of(struct lowering *l, struct kx *status)
{
	struct kx *failed;

	if (l->fn->type->kind != T_STRUCT)
		return result_of(l, lower_zero(l->fn->type), status);
	failed = x_var(k_var(l->k, kt(fn_result(l->fn)), "failed", lower_zero(fn_result(l->fn))));
	k_set(l->k, x_field(failed, result_field(l->fn, 1)), status);
	return failed;
}

void lower_fail(struct lowering *l, struct kx *is, struct kx *status)
{
	k_if(l->k, is);
	if (l->state)
		walk_fail(l, status);
	else
		k_return(l->k, failure_of(l, status));
	k_end(l->k);
}

/* When the call runs: where the guard holds, and the flag is not set.  NULL: always. */
static struct kx *may_call(const struct lowering *l)
{
	struct kx *guard = l->now.guard;
	return l->marked == l->now.outside ? x_and(guard, x_unary(OP_NOT, x_var(l->now.outside)))
	                                   : guard;
}

/* Its flag is set, and its status recorded, if the call has failed. */
static void call_ends(struct lowering *l, const struct fn *fn, struct kx *wrong, struct kx *may)
{
	struct kx *fails = x_ne(wrong, x_i32(ST_OK));
	if (fn->limits)
		lower_status(l, x_eq(wrong, x_i32(ST_ENDLESS)), ST_ENDLESS);
	lower_mark(l, may ? x_or(x_var(l->now.outside), fails) : fails);
}

static struct kx *call_in_kernel(struct lowering *l, const struct expr *e, struct kx *call)
{
	struct kx *may = may_call(l), *result;
	if (may) {
		result = x_var(k_var(l->k, call->type, e->fn->name, lower_zero(call->type.type)));
		k_if(l->k, may);
		k_set(l->k, result, call);
		k_end(l->k);
	} else {
		result = x_var(k_let(l->k, e->fn->name, call));
	}
	call_ends(l, e->fn, x_field(result, result_field(e->fn, 1)), may);
	return x_field(result, result_field(e->fn, 0));
}

static struct kx *call_in_function(struct lowering *l, const struct expr *e, struct kx *call)
{
	struct kx *result = x_var(k_let(l->k, e->fn->name, call));
	struct kx *wrong = x_field(result, result_field(e->fn, 1));
	lower_fail(l, x_ne(wrong, x_i32(ST_OK)), wrong);
	return x_field(result, result_field(e->fn, 0));
}

/* The result of the call whose passes are made. */
static struct kx *call_walked(struct lowering *l, const struct expr *e)
{
	const struct walk *w = e->fn->walk;
	call_ends(l, e->fn, x_field(l->state, w->wrong), NULL);
	return x_field(l->state, w->value);
}

struct kx **lower_arguments(struct lowering *l, const struct expr *e)
{
	struct kx **arg = mem_new(sizeof *arg * (size_t)(e->arg.n + 1));
	for (int i = 0; i < e->arg.n; i++)
		arg[i] = expr_handed(e->arg.at[i])
		                 ? lower_pointer(l, e->arg.at[i]->arg.at[0]->var)
		                 : lower_expr(l, e->arg.at[i]);
	return arg;
}

struct kx *lower_call(struct lowering *l, const struct expr *e)
{
	if (e == l->walked)
		return call_walked(l, e);
	struct kx *call = x_call(e->fn, e->arg.n, lower_arguments(l, e));
	if (!e->fn->fails)
		return call;
	return l->plan ? call_in_kernel(l, e, call) : call_in_function(l, e, call);
}

/* ---- statements ---- */

/* A struct is chosen by branches: of `c ? a : b` clang takes an address, and both then stand in
 * memory (20 bytes of scratch a lane of an AMD machine, in a fold by such a function). */
static void return_value(struct lowering *l, struct kx *x)
{
	if (x->kind != KX_COND || !x->type.type || x->type.type->kind != T_STRUCT) {
		if (l->state)
			walk_return(l, x);
		else
			k_return(l->k, result_of(l, x, x_i32(ST_OK)));
		return;
	}
	k_if(l->k, x->arg[0]);
	return_value(l, x->arg[1]);
	k_end(l->k);
	return_value(l, x->arg[2]);
}

/* The pass that begins is one of those that `at most` allows, or the call fails. */
static void count_pass(struct lowering *l, struct kvar *passes, struct kx *most)
{
	if (!passes)
		return;
	lower_fail(l, x_le(most, x_var(passes)), x_i32(ST_ENDLESS));
	k_set(l->k, x_var(passes), x_add(x_var(passes), x_i64(1)));
}

static void lower_while(struct lowering *l, const struct inner *s)
{
	struct kernel *k = l->k;
	bool first = needs_statements(s->a);     /* those of each pass */
	struct kx *most = s->b ? x_var(k_let(k, "most", lower_expr(l, s->b))) : NULL;
	struct kvar *passes = most ? k_var(k, kt_scalar(T_I64), "passes", x_i64(0)) : NULL;
	k_while(k, first ? x_int(T_BOOL, 1) : lower_expr(l, s->a));
	if (first) {
		k_if(k, x_unary(OP_NOT, lower_expr(l, s->a)));
		k_break(k);
		k_end(k);
	}
	count_pass(l, passes, most);
	lower_loop(l, s);
}

static void lower_inner(struct lowering *l, const struct inner *s)
{
	struct kernel *k = l->k;
	k->at = s->at;
	switch (s->kind) {
	case N_LET:
		lower_let(l, s);
		return;
	case N_ASSIGN:
		lower_assign(l, s);
		return;
	case N_IF:
		k_if(k, lower_expr(l, s->a));
		lower_inners(l, s->body.at, s->body.n);
		if (s->otherwise.n) {
			k_else(k);
			lower_inners(l, s->otherwise.at, s->otherwise.n);
		}
		k_end(k);
		return;
	case N_WHILE:
		lower_while(l, s);
		return;
	case N_FOR:
		lower_for(l, s);
		return;
	case N_RETURN:
		return_value(l, lower_expr(l, s->a));
		return;
	case N_BREAK:
		if (l->state && !l->loops)
			walk_break(l);
		else
			k_break(k);
		return;
	case N_CONTINUE:
		if (l->state && !l->loops)
			walk_continue(l);
		else
			k_continue(k);
		return;
	}
}

void lower_inners(struct lowering *l, struct inner *const *at, int n)
{
	for (int i = 0; i < n; i++)
		lower_inner(l, at[i]);
}

/* An extern fn is called through one of ours, whose parameters and result have the types that the
 * program declares, and in which no variable has its name. */
static struct kx *lower_outside(struct lowering *l, const struct fn *fn)
{
	struct kx **arg = mem_new(sizeof *arg * (size_t)(fn->param.n + 1));
	for (int p = 0; p < fn->param.n; p++)
		arg[p] = lower_var(l, fn->param.at[p]);
	return x_outside(fn, fn->param.n, arg);
}

struct kernel *lower_function(const struct fn *fn, const struct target *target)
{
	struct lowering *l = NEW(struct lowering);
	l->target = target;
	l->fn = fn;
	l->k = kernel_new(fn->name, target);
	l->k->at = fn->at;
	for (int p = 0; p < fn->param.n; p++) {
		struct var *v = fn->param.at[p];
		struct ktype type = v->rank ? kt_pointer(v->type, true) : kt(v->type);
		lower_bind(l, v, x_var(k_param(l->k, type, v->name)));
	}
	for (int k = 0; k < fn->size.n; k++)
		lower_bind(l, fn->size.at[k],
		           x_var(k_param(l->k, kt_scalar(T_I64), fn->size.at[k]->name)));
	if (fn->part)
		lower_walk(l);
	else if (fn->from)
		k_return(l->k, lower_outside(l, fn));
	else if (fn->value)
		return_value(l, x_cast(kt(fn->type), lower_expr(l, fn->value)));
	else
		lower_inners(l, fn->body.at, fn->body.n);
	kirfold(l->k);
	if (target->mend)
		target->mend(l->k);
	kirnames(l->k);
	return l->k;
}
