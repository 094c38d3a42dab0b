/* sema_sign.c - the symbols ○ and ◇, which stand for the operators that `using` defines.
 *
 * An expression with them is the expression with those operators; what was written with ○ is noted,
 * since ○ and ◇ may be the same operator and y[i-1] ○ b is a cell with its weight all the same. */
#include <string.h>

#include "sema_impl.h"

/* What `using` may name beside folds and the program's operators. */
static const struct { const char *text, *fold; enum operation op; } row[] = {
	{ "+", "sum", OP_ADD }, { "-", NULL, OP_SUB }, { "*", "prod", OP_MUL },
	{ "/", NULL, OP_DIV },
	{ "&&", "all", OP_LAND }, { "||", "any", OP_LOR }, { "&", "band", OP_AND },
	{ "|", "bor", OP_OR },
	{ "^", "bxor", OP_XOR },
};

const struct op *sign_op(const char *text)
{
	for (int kind = OPK_BITAND; kind < OPK_USER; kind++)
		if (!strcmp(op_symbol(op_own(kind)), text))
			return op_own(kind);
	return NULL;
}

const char *op_symbol(const struct op *op)
{
	for (size_t k = 0; k < sizeof row / sizeof *row; k++)
		if (op->kind != OPK_USER && row[k].fold && !strcmp(row[k].fold, op->name))
			return row[k].text;
	return op->name;
}

static bool names_operator(struct sema *s, const char *name)
{
	const struct op *op = fold_find(s, name);

	for (size_t k = 0; k < sizeof row / sizeof *row; k++)
		if (!strcmp(row[k].text, name))
			return true;
	return op && !op_is_arg(op) && op->kind != OPK_COUNT;
}

bool signs_check(struct sema *s, const struct ast_stmt *a)
{
	s->signs = a;
	for (int k = 0; k < a->bind.n; k++) {
		const struct ast_bind *b = &a->bind.at[k];
		if (!names_operator(s, b->op)) {
			const struct callable *c = callable_find(s, b->op);
			if (c && c->decl->kind == DECL_OP)
				return false;                /* diagnosed where it is declared */
			diag_error(b->at, D_UNKNOWN_CALL,
			           "`%s` is not an operator of two values, so `using` cannot give "
			           "it the name %s",
			           b->op, b->symbol);
			diag_cure("allowed are + - * / & | ^ && ||, min, max and every `op` of the "
			          "program");
			return false;
		}
		for (int j = 0; j < k; j++)
			if (!strcmp(a->bind.at[j].symbol, b->symbol)) {
				diag_error(b->at, D_CLAUSE_AGAIN, "`using` defines %s twice",
				           b->symbol);
				return false;
			}
	}
	return true;
}

static struct expr *apply(struct sema *s, const char *name, struct expr *x, struct expr *y,
                          struct loc at)
{
	for (size_t k = 0; k < sizeof row / sizeof *row; k++)
		if (!strcmp(row[k].text, name))
			return make_binary(row[k].op, x, y, at);
	return x && y ? assign_op(s, name, x, y, at) : NULL;
}

struct expr *sign_apply(struct sema *s, const struct ast *a, struct expr *x, struct expr *y)
{
	for (int k = 0; s->signs && k < s->signs->bind.n; k++) {
		const struct ast_bind *b = &s->signs->bind.at[k];
		struct expr *e;
		if (strcmp(b->symbol, a->name))
			continue;
		e = apply(s, b->op, x, y, a->at);
		if (e && !strcmp(b->symbol, "\xe2\x97\x8b"))
			*map_at(&s->distributed, e) = e;
		return e;
	}
	diag_error(a->at, D_WEIGHT,
	           "`%s` is an operator that `using` defines, but this statement has no `using`",
	           a->name);
	diag_cure("define it after the equations: `using \xe2\x97\x8b = +, \xe2\x97\x87 = max`");
	return NULL;
}
