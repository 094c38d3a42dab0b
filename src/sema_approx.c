/* sema_approx.c - the clause `approx`: which operations of a statement may be approximate.
 *
 * A function of the table, a quotient and a call in the values, the conditions and the boundary values
 * of the statement is marked (expr->approx).  Subscripts and ranges stay as they are: an index off by
 * one is no approximation, and the host computes ranges too.
 *
 * A function that is called so becomes a second one, named after it, whose own operations are marked
 * and whose calls lead to such functions in turn; an operator of a fold likewise.  One in which
 * nothing can be marked stays itself.  All functions are asked at once, callees before callers, when
 * the first statement says `approx`.  Behind this file a function of that kind is like any other.
 *
 * What an approximation is worth is said twice: by the helpers patc_approx_NAME of a target, where it
 * has one, and by eval_approx.c, which bounds the error. */
#include <string.h>

#include "sema_impl.h"

/* ---- copies of bodies: variables are shared, for each function binds them anew ---- */

static bool approx_marks(struct sema *, struct expr *);

static struct expr *expr_copy(const struct expr *e)
{
	struct expr *made;

	if (!e)
		return NULL;
	made = NEW(struct expr);
	*made = *e;
	memset(&made->arg, 0, sizeof made->arg);
	for (int k = 0; k < e->arg.n; k++)
		list_add(&made->arg, expr_copy(e->arg.at[k]));
	return made;
}

struct inners { struct inner ***at; int *n, *room; };
#define INNERS(l) (struct inners){ &(l).at, &(l).n, &(l).room }

static void inners_copy(struct sema *s, struct inner *const *at, int n, struct inners to, bool *marked)
{
	for (int k = 0; k < n; k++) {
		struct inner *made = NEW(struct inner);

		*made = *at[k];
		made->a = expr_copy(at[k]->a);
		made->b = expr_copy(at[k]->b);
		if (made->a && made->kind != N_FOR)          /* a range */
			*marked |= approx_marks(s, made->a);
		memset(&made->body, 0, sizeof made->body);
		memset(&made->otherwise, 0, sizeof made->otherwise);
		inners_copy(s, at[k]->body.at, at[k]->body.n, INNERS(made->body), marked);
		inners_copy(s, at[k]->otherwise.at, at[k]->otherwise.n, INNERS(made->otherwise), marked);
		*to.at = list_grow(*to.at, *to.n, to.room, sizeof **to.at);
		(*to.at)[(*to.n)++] = made;
	}
}

/* ---- functions ---- */

static const char *free_name(struct sema *s, const char *name)
{
	const char *wanted = str_name(str_print("%s_approx", name));

	for (int k = 2; callable_find(s, wanted); k++)
		wanted = str_name(str_print("%s_approx_%d", name, k));
	return wanted;
}

static struct fn *fn_approx(struct sema *s, struct fn *f)
{
	struct fn *made = NEW(struct fn);
	bool marked = false;

	*made = *f;
	memset(&made->body, 0, sizeof made->body);
	made->value = expr_copy(f->value);
	if (made->value)
		marked = approx_marks(s, made->value);
	inners_copy(s, f->body.at, f->body.n, INNERS(made->body), &marked);
	if (!marked)
		return f;
	made->name = free_name(s, f->name);
	return made;
}

static void functions_once(struct sema *s)
{
	int n = s->program->fn.n;
	LIST(struct fn *) all = { 0 };

	if (s->approx_done)
		return;
	s->approx_done = true;
	for (int k = 0; k < n; k++) {
		struct fn *f = s->program->fn.at[k];
		struct callable *c = callable_find(s, f->name);
		c->approx = f->from ? f : fn_approx(s, f);
		if (c->approx != f)
			list_add(&all, c->approx);
	}
	for (int k = 0; k < all.n; k++)
		list_add(&s->program->fn, all.at[k]);
}

/* ---- expressions ---- */

/* A user's operator, its function exchanged; the same if that has nothing to mark. */
static const struct op *op_approx(struct sema *s, const struct op *op)
{
	struct op *made;
	const struct callable *c = op->kind == OPK_USER ? callable_find(s, op->fn->name) : NULL;

	if (!c || c->approx == op->fn)
		return op;
	made = NEW(struct op);
	*made = *op;
	made->fn = c->approx;
	return made;
}

static bool fold_marks(struct sema *s, struct fold *fold)
{
	const struct op *op = op_approx(s, fold->op);
	bool marked = op != fold->op;

	fold->op = op;
	return (fold->where && approx_marks(s, fold->where)) || marked;
}

/* Only f32 has approximations: there is no fast f64, and smaller floats compute in f32. */
static bool has_approx(const struct expr *e)
{
	static const bool listed[MATH_COUNT] = {
#define APPROX(name) [M_##name] = true,
#include "approx.def"
#undef APPROX
	};

	if (!e->arg.n || e->arg.at[0]->type->kind != T_F32)
		return false;
	return e->kind == E_MATH ? listed[e->math] : e->kind == E_BINARY && e->op == OP_DIV;
}

/* Two equations may share an expression: what is marked stays so. */
static bool approx_marks(struct sema *s, struct expr *e)
{
	bool marked = e->approx = has_approx(e);

	if (e->kind == E_CALL) {
		const struct callable *c = callable_find(s, e->fn->name);
		marked = !c || c->approx != e->fn;
		e->fn = c ? c->approx : e->fn;
	}
	if (e->fold)
		marked |= fold_marks(s, e->fold);
	for (int k = 0; k < e->arg.n; k++) {
		bool subscript = e->kind == E_READ || (e->kind == E_ELEM && (k || e->var));
		if (!subscript && approx_marks(s, e->arg.at[k]))
			marked = true;
	}
	return marked;
}

void approx_statement(struct sema *s, struct node *node)
{
	functions_once(s);
	if (node->where)
		approx_marks(s, node->where);
	for (int k = 0; k < node->equation.n; k++)
		approx_marks(s, node->equation.at[k]->right);
	for (int k = 0; k < node->index.n && k < MAX_RANK; k++)
		if (node->edge[k].kind == B_VALUE)
			approx_marks(s, node->edge[k].value);
}
