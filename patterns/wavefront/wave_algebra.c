/* wave_algebra.c - the equations of a wavefront in the form that laws speak of (wavefront.h, Note
 * [forms]).
 *
 * Which operators ○ and ◇ are, whether one distributes over the other, and what is left of the
 * right side without the cells is found as for a recurrence (sema_normal.h), whose cells here are
 * the variables of the neighbours.  That there is no form is no error: the schedules that need none
 * remain, and a remark says why.
 *
 * Where ○ is ◇ itself, (cell ◇ weight) ◇ rest is cell ◇ (weight ◇ rest): such weights go into the
 * rest.
 *
 * Note [narrow maxima] An integer of 8 or 16 bits is computed in 32 and cut off when it is stored.
 * Sums and products do not mind, since what is cut off never comes back; a maximum of sums would be
 * another one.  So + does not distribute over max and min there. */
#include "ask.h"
#include "sema_normal.h"
#include "wave_sema.h"

static int slowest_step(const struct node *node, const struct neighbour *n)
{
	for (int d = 0; d < node->index.n; d++)
		if (n->step[node->wave->order[d]])
			return d;
	return node->index.n;
}

/* A cell of the equation's own table that has its new value, in the same row if only those count.
 * */
static bool is_leaf(const struct node *node, const struct neighbour *n, int q, bool row)
{
	int last = node->index.n - 1, slowest = slowest_step(node, n);
	return n->fresh && n->equation == q && slowest <= last && (!row || slowest == last);
}

_Static_assert((int)MAX_LEAVES == (int)MAX_TERMS, "every leaf may become a term");

static bool leaves_find(struct normal *m, int q, bool row, const struct neighbour **from)
{
	for (int k = 0; k < m->node->wave->read.n; k++) {
		const struct neighbour *n = m->node->wave->read.at[k];
		if (!is_leaf(m->node, n, q, row) || !expr_uses(m->whole, n->value))
			continue;
		if (m->leaves == MAX_LEAVES)
			return no_form(m, m->whole,
			               str_print("more than %d cells of `%s` are read", MAX_LEAVES,
			                         m->target->var->name));
		from[m->leaves] = n;
		m->leaf[m->leaves++] = n->value;
	}
	return true;
}

static bool is_narrow(const struct normal *m)
{
	const struct type *stored = m->target->type;
	return normal_type(m) != m->whole->type && type_size(stored) < type_size(m->whole->type);
}

/* ○ = ◇: the weights go into the rest */
static void weights_to_rest(const struct normal *m, struct form *f)
{
	for (int k = 0; k < m->leaves; k++) {
		if (f->coef[k])
			f->rest = f->rest ? op_apply(m->acc, f->coef[k], f->rest) : f->coef[k];
		f->bare[k] = true;
		f->coef[k] = NULL;
	}
}

static struct wave_form *form_made(const struct normal *m, const struct form *f,
                                   const struct neighbour *const *from)
{
	struct wave_form *made = NEW(struct wave_form);

	made->type = normal_type(m);
	made->acc = m->acc;
	for (int k = 0; k < m->leaves; k++) {
		struct expr *weight = f->coef[k] ? expr_cast(f->coef[k], made->type) : NULL;
		list_add(&made->term,
		         ((struct wave_term){ from[k], weight, !weight || is_uniform(weight) }));
		made->dist = weight ? m->dist : made->dist;
	}
	made->rest = f->rest ? expr_cast(f->rest, made->type) : NULL;
	return made;
}

static struct wave_form *form_without(struct expr *right)
{
	struct wave_form *made = NEW(struct wave_form);

	made->type = right->type;
	made->rest = right;
	return made;
}

/* Any order of the cells is as good. */
static bool commutes(struct normal *m)
{
	return m->acc->commutative || m->leaves < 2
	       || no_form(m, m->whole,
	                  str_print("`%s` does not say `commutative`", op_symbol(m->acc)));
}

static bool settled(struct normal *m, struct form *f)
{
	if (!normal_form(m, f) || !commutes(m))
		return false;
	if (is_narrow(m))
		return no_form(m, m->whole,
		               str_print("a cell of %s wraps when it is stored, and `+` "
		                         "distributes over `%s` only "
		                         "where none does",
		                         type_name(m->target->type), op_symbol(m->acc)));
	if (m->dist && same_op(m->acc, m->dist)) {
		weights_to_rest(m, f);
		m->dist = NULL;
	}
	return true;
}

static bool is_strict(const struct node *node, const struct type *type)
{
	return node_clause(node, "strict") && type_class(type) == 'F';
}

static struct wave_form *form_find(struct sema *s, struct node *node, int q, bool row,
                                   struct wave_algebra *a)
{
	struct equation *eq = node->equation.at[q];
	struct normal m = {
		.s = s, .node = node, .eq = eq, .target = eq->target.at[0], .asks = true
	};
	const struct neighbour *from[MAX_LEAVES];
	struct wave_form *made = NULL;
	struct form f;

	m.whole = eq->right;
	if (node->wave->far) {
		*(row ? &a->no_row : &a->no_all) = "cells read others that are not neighbours";
		return NULL;
	}
	bool few = leaves_find(&m, q, row, from);
	if (few && !m.leaves)
		return form_without(eq->right);
	m.whole = unstored(&m, eq->right);
	if (is_strict(node, eq->right->type))
		m.why = "`strict` rounds as written";
	else if (few && settled(&m, &f))
		made = form_made(&m, &f, from);
	if (made && made->dist)
		a->law = law_source(s, made->dist, made->acc, m.whole->type);
	*(row ? &a->no_row : &a->no_all) = made ? NULL : m.why;
	return made;
}

void wave_forms(struct sema *s, struct node *node)
{
	for (int q = 0; q < node->equation.n; q++) {
		struct wave_algebra a = { 0 };
		a.row = form_find(s, node, q, true, &a);
		a.all = form_find(s, node, q, false, &a);
		list_add(&node->wave->algebra, a);
	}
}
