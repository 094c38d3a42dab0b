/* sema_combine.c - `y[k[i]] += e` of a pattern whose items may meet in one cell: the operator that
 * combines them, and what an item brings.
 *
 * assign_op has made y[k[i]] + e of it, converted as every such expression is (R3, R28); the
 * operator's second operand, in the type that it computes in, becomes the right side, the operator
 * stands apart.  `-=` adds the negative.  Items meet in any order, so that an operator must be
 * associative and commute (R17). */
#include <assert.h>
#include <string.h>

#include "sema_impl.h"

static const struct op *combine_op(struct sema *s, const char *assign)
{
	static const struct { const char *text, *fold; } row[] = {
		{ "+=", "sum" }, { "-=", "sum" }, { "*=", "prod" }, { "min", "min" },
		{ "max", "max" }, { "all", "all" }, { "any", "any" }
	};

	for (size_t k = 0; k < sizeof row / sizeof *row; k++)
		if (!strcmp(row[k].text, assign))
			return fold_find(s, row[k].fold);
	if (assign[1] == '=')
		return sign_op(str_print("%c", assign[0]));
	return fold_find(s, assign);
}

static struct expr *negative(struct expr *e)
{
	struct expr *minus;

	if (type_class(e->type) != 'F')
		return expr_binary(OP_SUB, expr_int(e->type, 0, e->at), e);
	minus = expr_new(E_UNARY, e->type, e->at);
	minus->op = OP_NEG;
	list_add(&minus->arg, e);
	return minus;
}

bool combine_close(struct sema *s, const struct node *node, const struct ast_equation *q,
                   struct equation *eq)
{
	struct expr *e = eq->right;

	if (!strcmp(q->assign, "="))
		return true;
	if (e->type->kind == T_ARRAY) {
		diag_error(q->at, D_FORM_NOT_BUILT,
		           "combining a field that is an array is not supported yet");
		diag_cure("put the array into a struct of its own, and define the operator on that "
		          "struct");
		return false;
	}
	eq->combine = combine_op(s, q->assign);
	if (!eq->combine) {
		diag_error(q->at, D_COMBINE,
		           "`%s` depends on the order of the items, and several items may go to "
		           "one cell",
		           q->assign);
		diag_cure("+= -= *= &= |= ^=, min=, max= and every associative, commutative `op` "
		          "of the program can combine items");
		return false;
	}
	if (eq->combine->kind == OPK_USER
	    && !(eq->combine->commutative
	         && (eq->combine->associative || node_clause(node, "strict")))) {
		diag_error(q->at, D_COMBINE,
		           "`%s` is not declared `%s`, but items are combined in any order",
		           eq->combine->name,
		           eq->combine->commutative ? "associative" : "commutative");
		diag_cure("declare it if the operator has this property");
		return false;
	}
	if (e->kind == E_CAST)
		e = e->arg.at[0];
	assert(e->arg.n == 2 && "an operator has two operands");
	eq->right = strcmp(q->assign, "-=") ? e->arg.at[1] : negative(e->arg.at[1]);
	return true;
}
