/* scaling.c - which terms scale (scaling.h). */
#include "scaling.h"
#include "reduce.h"

struct shape_of {                        /* x and M, in the names of the fold at hand */
	struct scaling *scale;
	const struct fold *fold;
	const struct expr *x;
	const struct var *m;
};

/* Without conversions between floats, and with the value of a fn for its call. */
const struct expr *scaling_bare(const struct expr *e)
{
	while (true) {
		const struct expr *arg = e->arg.n ? e->arg.at[0] : NULL;
		if (e->kind == E_CAST && type_class(e->type) == 'F' && type_class(arg->type) == 'F')
			e = arg;
		else if (!(arg = expr_inlined(e)))
			return e;
		else
			e = arg;
	}
}

static bool is_free(const struct shape_of *s, const struct expr *e)
{
	return !expr_uses(e, s->m) && !reduce_uses(s->fold, e);
}

bool is_distance(const struct expr *e, const struct expr *x, const struct var *m)
{
	e = scaling_bare(e);
	if (e->kind != E_BINARY || e->op != OP_SUB)
		return false;
	const struct expr *of = scaling_bare(e->arg.at[1]);
	return expr_same(scaling_bare(e->arg.at[0]), scaling_bare(x)) && of->kind == E_READ
	       && of->var == m;
}

static struct expr *with_arg(const struct expr *e, int a, struct expr *arg)
{
	struct expr *made = expr_bare(e);
	for (int k = 0; k < e->arg.n; k++)
		list_add(&made->arg, k == a ? arg : e->arg.at[k]);
	return made;
}

/* k * (x - M) and the like, as k * (from - to); NULL: it is none. */
static struct expr *shifted(struct shape_of *s, const struct expr *e)
{
	const struct expr *of = scaling_bare(e);
	if (is_distance(of, s->x, s->m)) {
		struct expr *from = expr_as(expr_var(s->scale->from, e->at), of->type);
		return expr_as(expr_binary(OP_SUB, from,
		                           expr_as(expr_var(s->scale->to, e->at), of->type)),
		               e->type);
	}
	if (of->kind != E_BINARY || (of->op != OP_MUL && of->op != OP_DIV))
		return NULL;
	for (int a = 0; a < (of->op == OP_MUL ? 2 : 1); a++) {
		struct expr *moved = is_free(s, of->arg.at[1 - a]) ? shifted(s, of->arg.at[a])
		                                                   : NULL;
		if (moved) {
			list_add(&s->scale->positive, of->arg.at[1 - a]);
			return expr_as(with_arg(of, a, moved), e->type);
		}
	}
	return NULL;
}

/* What the term is multiplied by as M moves; NULL: it does not scale. */
static struct expr *factor_of(struct shape_of *s, const struct expr *e)
{
	e = scaling_bare(e);
	if (e->kind == E_MATH && (e->math == M_exp || e->math == M_exp2)) {
		struct expr *moved = shifted(s, e->arg.at[0]);
		return moved ? with_arg(e, 0, moved) : NULL;
	}
	if (e->kind == E_UNARY && e->op == OP_NEG)
		return factor_of(s, e->arg.at[0]);
	if (e->kind != E_BINARY || (e->op != OP_MUL && e->op != OP_DIV))
		return NULL;
	bool left = expr_uses(e->arg.at[0], s->m), right = expr_uses(e->arg.at[1], s->m);
	return left == right || (right && e->op == OP_DIV) ? NULL : factor_of(s, e->arg.at[right]);
}

struct var *scaling_var(const char *name, const struct type *type)
{
	struct var *v = NEW(struct var);
	*v = (struct var){ .kind = VAR_LOCAL, .name = name, .type = type };
	return v;
}

bool scaling_find(struct scaling *scale, const struct expr *term, const struct fold *fold,
                  const struct expr *x, const struct var *m)
{
	struct shape_of s = { scale, fold, x, m };
	*scale = (struct scaling){ scaling_var("from", m->type), scaling_var("to", m->type), NULL,
		                   { 0 } };
	scale->factor = factor_of(&s, term);
	return scale->factor;
}
