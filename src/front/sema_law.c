/* sema_law.c - the claims of an operator, as they are written, and the condition under which they
 * hold (`for v where CONDITION`); laws.c tests them. */
#include <string.h>

#include "sema_impl.h"

static bool word_is(const struct ast *a, const char *text)
{
	return a->kind == A_NAME && !strcmp(a->name, text);
}

/* The operator counts as lawful from here on: one mistake, one message. */
static void bad_claim(struct op *op, const struct ast *a)
{
	op->associative = op->commutative = true;
	if (!op->identity)
		op->identity = zero_of(op->fn->type, a->at);
	diag_error(a->at, D_CLAIM, "no law `%s`", ast_text(a));
	diag_cure("the laws are `identity VALUE`, `associative`, `commutative` and `distributes "
	          "over NAME`, separated by commas, each optionally after `assume`");
	struct like like = near_begin(a->kind == A_NAME ? a->name : "");
	near_add(&like, "associative");
	near_add(&like, "commutative");
	near_add(&like, "distributes");
	near_add(&like, "identity");
	cure_near(&like, a->at);
}

/* A struct of constants is one. */
static bool is_constant(const struct expr *e)
{
	for (int k = 0; e->kind == E_STRUCT && k < e->arg.n; k++)
		if (!is_constant(e->arg.at[k]))
			return false;
	return e->kind == E_CONST || e->kind == E_STRUCT;
}

static void claim_identity(struct sema *s, struct op *op, const struct ast *a)
{
	struct expr *e = expr_typed(s, a, op->fn->type, "the identity");

	if (e && !is_constant(e))
		diag_error(e->at, D_NOT_CONSTANT, "an identity must be a compile-time constant");
	else if (e && op->identity)
		diag_error(e->at, D_CLAIM, "`identity` is given twice");
	if (!op->identity)                   /* after an error too: one mistake, one message */
		op->identity = e && is_constant(e) ? e : zero_of(op->fn->type, a->at);
}

static void claim_distributes(struct sema *s, struct op *op, const struct ast *a)
{
	if (!(a->kind == A_NAME && (fold_find(s, a->name))))
		diag_error(a->at, D_CLAIM,
		           "`distributes over` needs the name of an operator, but `%s` is not one",
		           ast_text(a));
	else
		list_add(&op->over, a->name);
}

/* `identity [0, 1]` reads as a subscript. */
static const struct ast *list_of(const struct ast *a)
{
	struct ast *list = NEW(struct ast);

	*list = (struct ast){ .kind = A_LIST, .at = a->at };
	for (int k = 0; k < a->sub.n; k++)
		list_add(&list->arg, a->sub.at[k]->lo);
	return list;
}

static bool is_list(const struct ast *a)
{
	bool plain = a->kind == A_SUBSCRIPT && !strcmp(a->name, "identity") && !a->guard;

	for (int k = 0; plain && k < a->sub.n; k++)
		plain = !a->sub.at[k]->hi;
	return plain;
}

static void claim_check(struct sema *s, struct op *op, const struct ast_phrase *p)
{
	int n = p->word.n, k = n && word_is(p->word.at[0], "assume");
	struct ast *const *w = p->word.at + k;

	n -= k;
	if (n == 1 && word_is(w[0], "associative"))
		op->associative = true;
	else if (n == 1 && word_is(w[0], "commutative"))
		op->commutative = true;
	else if (n == 2 && word_is(w[0], "identity"))
		claim_identity(s, op, w[1]);
	else if (n == 1 && w[0]->kind == A_CALL && !strcmp(w[0]->name, "identity")
	         && w[0]->arg.n == 1)
		claim_identity(s, op, w[0]->arg.at[0]);
	else if (n == 1 && is_list(w[0]))
		claim_identity(s, op, list_of(w[0]));
	else if (n == 3 && word_is(w[0], "distributes") && word_is(w[1], "over"))
		claim_distributes(s, op, w[2]);
	else
		bad_claim(op, p->word.at[0]);
}

static struct fn *condition_fn(struct sema *s, const struct op *op, const struct ast_given *g)
{
	struct fn *f = NEW(struct fn);

	f->name = op->name;
	f->at = g->at;
	f->type = type_scalar(T_BOOL);
	list_add(&f->param, var_new(s, VAR_PARAM, g->name, op->fn->type, g->at));
	return f;
}

/* The condition becomes a function of the value, which laws.c and the interpreter call.  Nothing in
 * the program can call it, and so it may call the operator. */
static void claim_given(struct sema *s, struct callable *c)
{
	const struct ast_given *g = &c->decl->given;
	struct callable *made = NEW(struct callable);
	int mark = scope_open(s);
	struct binding *b = name_declare(s, g->name, g->at);

	made->name = c->name;
	made->decl = c->decl;
	made->is_condition = true;
	made->fn = condition_fn(s, c->op, g);
	if (b)
		b->var = made->fn->param.at[0];
	s->inside = made;
	made->fn->value = expr_bool(s, g->condition, "the condition");
	s->inside = NULL;
	scope_close(s, mark);
	c->given = made;
	c->op->given = made->fn;
}

void op_claims(struct sema *s, struct callable *c)
{
	for (int k = 0; c->op && k < c->decl->claim.n; k++)
		claim_check(s, c->op, c->decl->claim.at[k]);
	if (c->op && c->decl->given.condition)
		claim_given(s, c);
}
