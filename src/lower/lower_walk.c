/* lower_walk.c - the parts of a function that is called pass by pass: Note [passes] in walk.c.
 *
 * The variables that are kept are fields of the state.  Where the function would return, fail,
 * leave its loop or begin the next pass, its part returns the state. */
#include "walk.h"
#include "lower.h"

static struct kx *field(const struct lowering *l, const struct field *f)
{
	return x_field(l->state, f);
}

static const struct walk *walk_in(const struct lowering *l)
{
	return l->fn->walk;
}

bool walk_keeps(const struct lowering *l, const struct var *var)
{
	for (int k = 0; l->state && k < walk_in(l)->kept.n; k++)
		if (walk_in(l)->kept.at[k] == var)
			return true;
	return false;
}

/* ---- how a part ends ---- */

static void stop(struct lowering *l)
{
	k_set(l->k, field(l, walk_in(l)->goes_on), x_int(T_BOOL, 0));
	k_return(l->k, l->state);
}

void walk_return(struct lowering *l, struct kx *value)
{
	k_set(l->k, field(l, walk_in(l)->value), value);
	stop(l);
}

void walk_fail(struct lowering *l, struct kx *status)
{
	k_set(l->k, field(l, walk_in(l)->wrong), status);
	stop(l);
}

void walk_break(struct lowering *l)
{
	const struct fn *fn = walk_in(l)->fn;
	lower_inners(l, fn->body.at + walk_in(l)->at + 1, fn->body.n - walk_in(l)->at - 1);
}

void walk_continue(struct lowering *l)
{
	struct kx *holds = lower_expr(l, walk_in(l)->loop->a);
	k_if(l->k, x_unary(OP_NOT, holds));
	walk_break(l);
	k_end(l->k);
	k_return(l->k, l->state);
}

static bool goes_on(const struct inner *s)
{
	return s->kind != N_RETURN && s->kind != N_BREAK && s->kind != N_CONTINUE;
}

/* ---- the parts ---- */

static void bind_kept(struct lowering *l)
{
	const struct walk *w = walk_in(l);
	for (int k = 0; k < w->kept.n; k++)
		lower_bind(l, w->kept.at[k], field(l, &w->state->record->field.at[k]));
}

/* Parameters go into the state. */
static void lower_start(struct lowering *l)
{
	const struct walk *w = walk_in(l);
	struct kvar *state = k_var(l->k, kt(w->state), "walk", lower_zero(w->state));
	l->state = x_var(state);
	for (int p = 0, k = 0; p < w->fn->param.n; p++)
		if (!w->fn->param.at[p]->rank)
			k_set(l->k, field(l, &w->state->record->field.at[k++]),
			      lower_var(l, w->fn->param.at[p]));
	bind_kept(l);
	lower_inners(l, w->fn->body.at, w->at);
	k_set(l->k, field(l, w->most), lower_expr(l, w->loop->b));
	k_set(l->k, field(l, w->goes_on), x_int(T_BOOL, 1));
	walk_continue(l);
}

static void lower_pass(struct lowering *l)
{
	const struct walk *w = walk_in(l);
	struct kx *before = lower_var(l, l->fn->param.at[0]);
	l->state = x_var(k_var(l->k, kt(w->state), "walk", before));
	bind_kept(l);
	lower_fail(l, x_le(field(l, w->most), field(l, w->passes)), x_i32(ST_ENDLESS));
	k_set(l->k, field(l, w->passes), x_add(field(l, w->passes), x_i64(1)));
	lower_inners(l, w->loop->body.at, w->loop->body.n);
	if (!w->loop->body.n || goes_on(w->loop->body.at[w->loop->body.n - 1]))
		walk_continue(l);
}

void lower_walk(struct lowering *l)
{
	(l->fn->part == WALK_START ? lower_start : lower_pass)(l);
}
