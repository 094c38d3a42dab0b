/* sema_manner.c - the clauses `approx`, `strict` and `trusted`: how the operations of a statement
 * are done.
 *
 *   approx   a function of the table and a quotient may be approximate (expr->approx)
 *   strict   arithmetic rounds as written, so that no product melts into a sum, and folds run in
 *            the order of their terms (expr->strict, fold->strict): R10, R13
 *   trusted  no subscript of an array is tested in a function (expr->checked): R34; those of the
 *            statement itself are left to checks_left_out
 *
 * What is marked stands in the values, the conditions and the boundary values of the statement.
 * Subscripts and ranges stay as they are: an index off by one is no approximation, and the host
 * computes ranges too.
 *
 * A function that is called so becomes a second one, named after it, whose own operations are
 * marked and whose calls lead to such functions in turn; an operator of a fold likewise.  One in
 * which nothing can be marked stays itself.  All functions are asked at once, callees before
 * callers, when the first statement has the clause.  Behind this file a function of that kind is
 * like any other.
 *
 * What an approximation is worth is said twice: by the helpers patc_approx_NAME of a target, where
 * it has one, and by eval_approx.c, which bounds the error.  What strict arithmetic gives is one
 * value. */
#include <string.h>

#include "running.h"
#include "sema_impl.h"

/* ---- copies of bodies: variables are shared, for each function binds them anew ---- */

static bool marks(struct sema *, struct expr *, enum manner);

struct inners { struct inner ***at; int *n, *room; };
#define INNERS(l) (struct inners){ &(l).at, &(l).n, &(l).room }

static void inners_copy(struct sema *s, struct inner *const *at, int n, struct inners to,
                        enum manner m, bool *marked)
{
	for (int k = 0; k < n; k++) {
		struct inner *made = NEW(struct inner);

		*made = *at[k];
		made->a = expr_copy(at[k]->a);
		made->b = expr_copy(at[k]->b);
		if (made->a && made->kind != N_FOR)          /* a range */
			*marked |= marks(s, made->a, m);
		memset(&made->body, 0, sizeof made->body);
		memset(&made->otherwise, 0, sizeof made->otherwise);
		inners_copy(s, at[k]->body.at, at[k]->body.n, INNERS(made->body), m, marked);
		inners_copy(s, at[k]->otherwise.at, at[k]->otherwise.n, INNERS(made->otherwise), m,
		            marked);
		*to.at = list_grow(*to.at, *to.n, to.room, sizeof **to.at);
		(*to.at)[(*to.n)++] = made;
	}
}

/* ---- functions ---- */

static const char *free_name(struct sema *s, const char *name, enum manner m)
{
	static const char *const manners[MANNERS] = { "approx", "strict", "trusted" };
	const char *manner = manners[m];
	const char *wanted = str_name(str_print("%s_%s", name, manner));

	for (int k = 2; callable_find(s, wanted); k++)
		wanted = str_name(str_print("%s_%s_%d", name, manner, k));
	return wanted;
}

static struct fn *fn_twin(struct sema *s, struct fn *f, enum manner m)
{
	struct fn *made = NEW(struct fn);
	bool marked = false;

	*made = *f;
	memset(&made->body, 0, sizeof made->body);
	made->value = expr_copy(f->value);
	if (made->value)
		marked = marks(s, made->value, m);
	inners_copy(s, f->body.at, f->body.n, INNERS(made->body), m, &marked);
	if (!marked)
		return f;
	made->name = free_name(s, f->name, m);
	made->fails = m == TRUSTED ? f->limits : f->fails;
	return made;
}

static void functions_once(struct sema *s, enum manner m)
{
	int n = s->program->fn.n;
	LIST(struct fn *) all = { 0 };

	if (s->twins_done[m])
		return;
	s->twins_done[m] = true;
	for (int k = 0; k < n; k++) {
		struct fn *f = s->program->fn.at[k];
		struct callable *c = callable_find(s, f->name);
		if (!c)
			continue;                        /* itself a twin */
		c->twin[m] = f->from ? f : fn_twin(s, f, m);
		if (c->twin[m] != f)
			list_add(&all, c->twin[m]);
	}
	for (int k = 0; k < all.n; k++)
		list_add(&s->program->fn, all.at[k]);
}

/* ---- expressions ---- */

/* A user's operator, its function exchanged; the same if that has nothing to mark. */
static const struct op *op_twin(struct sema *s, const struct op *op, enum manner m)
{
	struct op *made;
	const struct callable *c = op->kind == OPK_USER ? callable_find(s, op->fn->name) : NULL;

	if (!c || c->twin[m] == op->fn)
		return op;
	made = NEW(struct op);
	*made = *op;
	made->fn = c->twin[m];
	return made;
}

static bool fold_marks(struct sema *s, struct fold *fold, enum manner m)
{
	const struct op *op = op_twin(s, fold->op, m);
	bool marked = op != fold->op;

	fold->op = op;
	if (fold->handed)
		return marked;
	fold->strict |= m == STRICT;
	return (fold->where && marks(s, fold->where, m)) || marked;
}

/* Smaller floats compute in f32; f64 has functions of vectors on a CPU, and no other fast ones. */
static bool has_approx(const struct expr *e)
{
	static const bool listed[MATH_COUNT] = {
#define APPROX(name) [M_##name] = true,
#include "approx.def"
#undef APPROX
	};

	if (!e->arg.n)
		return false;
	enum scalar of = e->arg.at[0]->type->kind;
	if (e->kind == E_MATH)
		return listed[e->math] && (of == T_F32 || of == T_F64);
	return e->kind == E_BINARY && e->op == OP_DIV && of == T_F32;
}

/* Arithmetic of floats, comparisons aside. */
static bool has_rounding(const struct expr *e)
{
	if (!e->arg.n || type_class(e->arg.at[0]->type) != 'F')
		return false;
	return e->kind == E_MATH || (e->kind == E_BINARY && e->type == e->arg.at[0]->type);
}

static bool mark(struct expr *e, enum manner m)
{
	if (m == TRUSTED && e->kind == E_READ && e->checked)
		return !(e->checked = false);
	if (m == TRUSTED)
		return false;
	if (m == APPROX)
		return e->approx |= has_approx(e);
	return e->strict |= has_rounding(e);
}

/* Two equations may share an expression: what is marked stays so. */
static bool marks(struct sema *s, struct expr *e, enum manner m)
{
	bool marked = mark(e, m);

	if (e->kind == E_CALL) {
		const struct callable *c = callable_find(s, e->fn->name);
		marked = !c || c->twin[m] != e->fn;
		e->fn = c ? c->twin[m] : e->fn;
		e->checked = e->fn->fails;
	}
	if (e->fold)
		marked |= fold_marks(s, e->fold, m);
	for (int k = 0; k < e->arg.n; k++) {
		bool subscript = e->kind == E_READ || (e->kind == E_ELEM && (k || e->var));
		if ((!subscript || m == TRUSTED) && marks(s, e->arg.at[k], m))
			marked = true;
	}
	return marked;
}

static void recurrence_marks(struct sema *s, struct recurrence *r, enum manner m)
{
	r->dist = r->dist ? op_twin(s, r->dist, m) : NULL;
	r->acc = op_twin(s, r->acc, m);
	for (int k = 0; k < MAX_ORDER; k++)
		if (r->weight[k])
			marks(s, r->weight[k], m);
	if (r->rest)
		marks(s, r->rest, m);
}

void manner_statement(struct sema *s, struct node *node, enum manner m)
{
	functions_once(s, m);
	if (node->where)
		marks(s, node->where, m);
	for (int k = 0; k < node->equation.n; k++) {
		if (node->equation.at[k]->right)
			marks(s, node->equation.at[k]->right, m);
		if (node->equation.at[k]->combine)
			node->equation.at[k]->combine = op_twin(s, node->equation.at[k]->combine,
			                                        m);
		if (node->equation.at[k]->recurrence)
			recurrence_marks(s, node->equation.at[k]->recurrence, m);
	}
	for (int k = 0; node->running && k < node->running->froms; k++)
		marks(s, node->running->from[k], m);
	for (int k = 0; k < node->index.n && k < MAX_RANK; k++)
		if (node->edge[k].kind == B_VALUE)
			marks(s, node->edge[k].value, m);
}
