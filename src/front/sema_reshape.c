/* sema_reshape.c - arrays whose cells lie in another shape when the kernel ends: T[n, m] as
 * T[m, n].
 *
 * The program knows one shape of an array.  So the statement that gives its cells another one is
 * the last that uses the array, and runs once in every call: not in a `repeat`, nor in an `if`. */
#include "ask.h"
#include "sema_impl.h"

static bool other_var(struct expr *e, void *var)
{
	return (e->kind != E_READ && e->kind != E_VAR) || e->var != var;
}

/* Here or in its body. */
static const struct node *user_of(struct node *node, struct var *var)
{
	const struct node *user = NULL;
	bool swaps = node->kind == NODE_SWAP && (node->swap[0] == var || node->swap[1] == var);
	if (swaps || (node->kind == NODE_PATTERN && !node_walk(node, other_var, var)))
		return node;
	for (int k = 0; k < node->body.n && !user; k++)
		user = user_of(node->body.at[k], var);
	return user;
}

static void refuse_use(const struct node *user, const struct node *node, const struct var *var)
{
	const char *shape = str_print("%s[%s, %s]", type_name(var->type),
	                              affine_text(&var->extent[1]), affine_text(&var->extent[0]));
	diag_error(user->at, D_RESHAPE, "`%s` is used here, but its cells have another shape",
	           var->name);
	diag_note(node->at, "since this statement the shape is %s", shape);
	diag_cure("transpose to a second array, or move this to another kernel, with `%s: %s`",
	          var->name, shape);
}

static void refuse_inside(const struct node *node)
{
	const char *name = node_target(node, 0)->var->name;
	diag_error(node->at, D_RESHAPE,
	           "`%s` is not square: it can be transposed in place once in a call, but not in a "
	           "`repeat` or an `if`",
	           name);
	diag_cure("transpose to a second array, or in a separate kernel");
}

static void check_inside(struct node *const *at, int n)
{
	for (int i = 0; i < n; i++) {
		if (at[i]->reshapes)
			refuse_inside(at[i]);
		check_inside(at[i]->body.at, at[i]->body.n);
	}
}

static void check_after(const struct entry *e, int i)
{
	struct var *var = node_target(e->body.at[i], 0)->var;
	var->reshaped = true;
	for (int k = i + 1; k < e->body.n; k++) {
		const struct node *user = user_of(e->body.at[k], var);
		if (user) {
			refuse_use(user, e->body.at[i], var);
			return;
		}
	}
}

void reshapes_check(struct entry *e)
{
	for (int i = 0; i < e->body.n; i++) {
		if (e->body.at[i]->reshapes)
			check_after(e, i);
		check_inside(e->body.at[i]->body.at, e->body.at[i]->body.n);
	}
}
