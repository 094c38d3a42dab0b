/* sema_assign.c - what an assignment that combines means, as `y += x` and `y max= x`: the operator
 * applied to the target's value and the right side (R28). */
#include <assert.h>
#include <string.h>

#include "sema_impl.h"

/* R28.  The kinds of operator mean what they mean as expressions; a user's is called. */
static struct expr *apply_op(const struct op *op, struct expr *a, struct expr *b, struct loc at)
{
	struct expr *pair[2] = { a, b }, *e;

	switch (op->kind) {
	case OPK_SUM: return make_binary(OP_ADD, a, b, at);
	case OPK_PROD: return make_binary(OP_MUL, a, b, at);
	case OPK_MIN: return make_math(M_min, pair, 2, at);
	case OPK_MAX: return make_math(M_max, pair, 2, at);
	case OPK_ALL: return make_binary(OP_LAND, a, b, at);
	case OPK_ANY: return make_binary(OP_LOR, a, b, at);
	case OPK_BITAND: return make_binary(OP_AND, a, b, at);
	case OPK_BITOR: return make_binary(OP_OR, a, b, at);
	case OPK_BITXOR: return make_binary(OP_XOR, a, b, at);
	case OPK_COUNT:
		diag_error(at, D_UNKNOWN_CALL, "`count=` has no meaning");
		diag_cure("`+= 1`");
		return NULL;
	case OPK_ARGMIN: case OPK_ARGMAX:
		diag_error(at, D_UNKNOWN_CALL,
		           "`%s=` has no meaning: it folds positions, but this is a value",
		           op->name);
		diag_cure("`%s=`", op->name + strlen("arg"));
		return NULL;
	case OPK_USER:
		a = expr_convert(a, op->fn->type, str_print("`%s`", op->name));
		b = expr_convert(b, op->fn->type, str_print("`%s`", op->name));
		if (!a || !b)
			return NULL;
		e = expr_new(E_CALL, op->fn->type, at);
		e->fn = op->fn;
		list_add(&e->arg, a);
		list_add(&e->arg, b);
		return array_unbox(e);
	}
	assert(false && "every kind of operator applies");
	return NULL;
}

struct expr *assign_op(struct sema *s, const char *assign, struct expr *target, struct expr *right,
                       struct loc at)
{
	static const struct { const char *text; enum operation op; } row[] = {
		{ "+=", OP_ADD }, { "-=", OP_SUB }, { "*=", OP_MUL }, { "/=", OP_DIV },
		{ "%=", OP_REM },
		{ "&=", OP_AND }, { "|=", OP_OR }, { "^=", OP_XOR },
	};
	const struct op *op = fold_find(s, assign);
	struct callable *c = callable_find(s, assign);

	for (size_t k = 0; k < sizeof row / sizeof *row; k++)
		if (!strcmp(row[k].text, assign))
			return make_binary(row[k].op, target, right, at);
	if (op) {
		if (s->inside && c)
			list_add(&s->inside->callee, c);
		return apply_op(op, target, right, at);
	}
	if (!(c && c->decl->kind == DECL_OP)) {
		diag_error(at, D_UNKNOWN_CALL, "`%s=`: there is no operator `%s`", assign, assign);
		diag_cure("min, max and every `op` of the program can be used in this way; "
		          "otherwise write `y = %s(y, ...)`",
		          assign);
	}
	return NULL;
}
