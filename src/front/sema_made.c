/* sema_made.c - statements that the compiler generates: a text whose holes are filled with names
 * and expressions of the program.
 *
 * parse_template reads the text of a kernel; fill_statement puts into one of its statements what
 * its holes stand for.  Then the statement is checked as if the program had it. */
#include "sema_impl.h"

void fill_name(struct filling *f, const char *hole, const char *name)
{
	f->hole[f->n].hole = str_name(hole);
	f->hole[f->n++].name = str_name(name);
}

void fill_tree(struct filling *f, const char *hole, struct ast *tree)
{
	f->hole[f->n].hole = str_name(hole);
	f->hole[f->n++].tree = tree;
}

static const char *filled_name(const struct filling *f, const char *name)
{
	for (int k = 0; k < f->n; k++)
		if (f->hole[k].name && f->hole[k].hole == name)
			return f->hole[k].name;
	return name;
}

static struct ast *filled(const struct filling *, struct ast *);

static void fill_range(const struct filling *f, struct ast_range *r)
{
	r->at = f->at;
	r->name = filled_name(f, r->name);
	r->lo = filled(f, r->lo);
	r->hi = filled(f, r->hi);
}

static struct ast *filled(const struct filling *f, struct ast *a)
{
	for (int k = 0; a && k < f->n; k++)
		if (a->kind == A_NAME && f->hole[k].tree && f->hole[k].hole == a->name)
			return f->hole[k].tree;
	if (!a)
		return NULL;
	a->at = f->at;
	a->name = filled_name(f, a->name);
	for (int k = 0; k < a->arg.n; k++)
		a->arg.at[k] = filled(f, a->arg.at[k]);
	for (int k = 0; k < a->sub.n; k++)
		fill_range(f, a->sub.at[k]);
	a->guard = filled(f, a->guard);
	return a;
}

void fill_statement(const struct filling *f, struct ast_stmt *a)
{
	a->at = f->at;
	a->name = filled_name(f, a->name);
	a->type = filled(f, a->type);
	for (int k = 0; k < a->equation.n; k++) {
		struct ast_equation *q = a->equation.at[k];
		q->at = f->at;
		q->target.at[0] = filled(f, q->target.at[0]);
		q->right = filled(f, q->right);
	}
	for (int k = 0; k < a->range.n; k++)
		fill_range(f, a->range.at[k]);
}

/* ---- with what the holes are filled ---- */

const char *name_free(struct sema *s, const char *name)
{
	const char *free = str_name(name);

	for (int k = 2; name_find(s, free); k++)
		free = str_name(str_print("%s%d", name, k));
	return free;
}

struct ast *tree_new(struct loc at, enum ast_kind kind, const char *name)
{
	struct ast *a = NEW(struct ast);

	*a = (struct ast){ .kind = kind, .at = at, .name = str_name(name) };
	return a;
}

struct ast *tree_binary(struct loc at, const char *op, struct ast *left, struct ast *right)
{
	struct ast *a = tree_new(at, A_BINARY, op);

	list_add(&a->arg, left);
	list_add(&a->arg, right);
	return a;
}

struct ast *tree_number(struct loc at, int64_t n)
{
	return tree_new(at, A_NUMBER, str_print("%lld", (long long)n));
}

/* sum + factor * tree; sum NULL: 0 */
static struct ast *added(struct ast *sum, int64_t factor, struct ast *tree, struct loc at)
{
	int64_t by = factor < 0 ? -factor : factor;

	if (by != 1)
		tree = tree_binary(at, "*", tree_number(at, by), tree);
	if (!sum && factor > 0)
		return tree;
	return tree_binary(at, factor < 0 ? "-" : "+", sum ? sum : tree_number(at, 0), tree);
}

struct node *made_try(struct sema *s, const struct ast_stmt *a)
{
	struct call *call = s->call;

	s->call = NULL;                      /* whose label is in this one already */
	struct node *made = pattern_try(s, a);
	s->call = call;
	return made;
}

const char *name_here(struct sema *s, const struct var *var)
{
	for (int k = s->locals; k < s->scope.n; k++)
		if (s->scope.at[k]->var == var && !s->scope.at[k]->given)
			return s->scope.at[k]->name;
	const char *name = name_free(s, var->name);
	struct binding *b = name_declare(s, name, var->at);
	b->var = (struct var *)var;
	b->written = true;
	return name;
}

struct ast *tree_affine(struct sema *s, const struct affine *a, struct loc at)
{
	struct ast *sum = NULL;

	for (int k = 0; k < a->n; k++) {
		struct ast *name = tree_new(at, A_NAME, name_here(s, a->term[k].var));
		sum = added(sum, a->term[k].coef, name, at);
	}
	if (sum && !a->constant)
		return sum;
	int64_t by = a->constant < 0 ? -a->constant : a->constant;
	struct ast *constant = tree_number(at, by);
	return !sum && a->constant >= 0 ? constant
	                                : added(sum, a->constant < 0 ? -1 : 1, constant, at);
}

struct ast *tree_call(struct loc at, const char *name, struct ast *first, struct ast *second)
{
	struct ast *call = tree_new(at, A_CALL, name);

	list_add(&call->arg, first);
	if (second)
		list_add(&call->arg, second);
	return call;
}

