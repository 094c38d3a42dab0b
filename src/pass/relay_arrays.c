/* relay_arrays.c - an equation of arrays, `y[i].f = e`, becomes one for each element.
 *
 * What is computed, or tested, is the value of a struct that these equations share
 * (equation.whole): it is known before the first of them, as it may read the cell that they
 * write. */
#include "ask.h"
#include "pass.h"
#include "relay.h"

/* Does it lie in memory, or in a variable, so that its elements can be read one by one? */
static bool is_path(const struct expr *e)
{
	while (e->kind == E_FIELD || (e->kind == E_ELEM && !e->var))
		e = e->arg.at[0];
	return e->kind == E_VAR || e->kind == E_READ || e->kind == E_ELEM;
}

/* Of a list whose values nobody has to hold: the elements as they were given. */
static bool is_list(const struct equation *eq, bool checked)
{
	struct expr *from = eq->right->arg.at[0];

	return from->kind == E_STRUCT && type_unboxed(from->type) && !checked
	       && !expr_uses(from, target_read(eq->target.at[0])->var);
}

static void split(const struct equation *eq, bool checked, struct equations *out)
{
	struct expr *to = eq->target.at[0], *from = eq->right->arg.at[0];
	bool list = is_list(eq, checked), apart = is_path(from) && !expr_checked(from);

	for (int64_t k = 0; k < type_cells(to->type); k++) {
		struct equation *one = NEW(struct equation);
		one->at = eq->at;
		list_add(&one->target, expr_element(to, k));
		one->right = list ? from->arg.at[k] : expr_element(eq->right, k);
		one->whole = list || apart ? NULL : from;
		list_add(out, one);
	}
}

void relay_arrays(struct node *node, const struct options *o)
{
	struct equations out = { 0 };
	bool checked = node_checked(node);

	(void)o;
	for (int q = 0; q < node->equation.n; q++) {
		struct equation *eq = node->equation.at[q];
		if (eq->target.at[0]->type->kind == T_ARRAY)
			split(eq, checked, &out);
		else
			list_add(&out, eq);
	}
	node->equation.at = out.at, node->equation.n = out.n, node->equation.room = out.room;
}
