/* matmul.c - matmul C[i, j] = sum[k](A[i, k] * B[k, j]): products of matrices over any semiring.
 *
 * Every equation folds once, by any operator that folds, and what it folds is somewhere a product:
 * an operation or a function of two that both run along the fold.  Which cells they read is open:
 * transposed, batched, one shared by all of a batch, vectors.  Arithmetic around the fold (alpha,
 * beta, an activation) and around what is read (scales, masks, conversions) is part of the
 * statement.  What a fold and its reads may be is the same as in reduce, whose road all products
 * take that matmul_lower.c has no tiles for. */
#include <string.h>
#include <strings.h>

#include "ast.h"
#include "eval.h"
#include "front.h"
#include "../access.h"
#include "../lowerings.h"
#include "chain.h"
#include "lower.h"

static const struct clause clauses[] = {
	{ .name = "strict" },
	{ .name = "approx" },
	{ .name = "drop" },
	{ .name = "trusted" },
	{ .name = "precision", .values = 1, .words = "tf32 tf32x3" },
	{ 0 }
};

static bool runs_along(const struct fold *fold, const struct expr *e)
{
	for (int d = 0; d < fold->index.n; d++)
		if (expr_uses(e, fold->index.at[d]))
			return true;
	return false;
}

static bool combines(const struct expr *e)
{
	return e->kind == E_BINARY || e->kind == E_MATH || e->kind == E_CALL || e->kind == E_STRUCT;
}

/* Somewhere two values meet that both run along the fold; subscripts do not count. */
static bool is_product(const struct fold *fold, const struct expr *e)
{
	int along = 0;
	if (e->kind == E_READ || e->kind == E_FOLD)
		return false;
	for (int a = 0; a < e->arg.n; a++) {
		if (is_product(fold, e->arg.at[a]))
			return true;
		along += runs_along(fold, e->arg.at[a]);
	}
	return combines(e) && along >= 2;
}

static void no_product(const struct expr *fold)
{
	diag_error(fold->arg.at[0]->at, D_NOT_MATMUL,
	           "this does not fold a product of two factors that depend on `%s`: that is a "
	           "reduce, not a matmul",
	           fold->fold->index.at[0]->name);
	sema_instead("reduce");
	sema_cure("a matmul has the form `sum[k](A[i, k] * B[k, j])`; `reduce` folds anything");
}

static bool fits(const struct equation *eq)
{
	struct folds folds = { .n = 0 };
	folds_of(eq->right, &folds);
	if (folds.n == 1 && is_product(folds.at[0]->fold, folds.at[0]->arg.at[0]))
		return true;
	if (folds.n == 1) {
		no_product(folds.at[0]);
		return false;
	}
	diag_error(eq->at, D_NOT_MATMUL,
	           folds.n ? "this equation folds more than once: that is a reduce, not a matmul"
	                   : "this equation folds nothing: that is a map, not a matmul");
	sema_instead(folds.n ? "reduce" : "map");
	sema_cure("a matmul has the form `C[i, j] = sum[k](A[i, k] * B[k, j])`, with arithmetic "
	          "around its only fold");
	return false;
}

/* ---- precision ---- */

static bool is_f32_product(const struct expr *fold)
{
	const struct expr *term = fold->arg.at[0];
	return fold->fold->op->kind == OPK_SUM && fold->type->kind == T_F32
	       && term->kind == E_BINARY && term->op == OP_MUL && term->type->kind == T_F32;
}

static bool has_precision(const struct clause_use *use, struct expr *fold,
                          enum precision precision)
{
	if (is_f32_product(fold)) {
		fold->fold->precision = precision;
		return true;
	}
	diag_error(use->at, D_PRECISION, "`precision` is for sums of products of two f32");
	if (fold->type->kind == T_F32) {
		diag_note(fold->at, "the folded expression is not a product");
		diag_cure("remove the clause, or write a product: put a sign or a condition into a "
		          "factor, `sum[k](-a[i, k] * b[k, j])`");
	} else {
		diag_note(fold->at, "this folds %s", type_name(fold->type));
		diag_cure("remove the clause, or convert both factors: `sum[k](f32(a[i, k]) * "
		          "f32(b[k, j]))`");
	}
	fix_leave_out_rest(use->at, use->value.at[0]->at);
	return false;
}

static bool settle_precision(struct node *node)
{
	const struct clause_use *use = node_clause(node, "precision");
	const struct ast *word = use ? use->value.at[0] : NULL;
	const char *name = word && word->kind == A_NAME ? word->name : "";
	const bool once = !strcmp(name, "tf32"), thrice = !strcmp(name, "tf32x3");
	if (use && !once && !thrice) {
		diag_error(word->at, D_PRECISION, "unknown precision");
		diag_cure("the precisions are `tf32` and `tf32x3`");
		if (!strcasecmp(name, "tf32") || !strcasecmp(name, "tf32x3"))
			diag_fix(word->at, strcasecmp(name, "tf32") ? "tf32x3" : "tf32");
		return false;
	}
	for (int k = 0; use && k < node->equation.n; k++) {
		struct folds folds = { .n = 0 };
		folds_of(node->equation.at[k]->right, &folds);
		if (!has_precision(use, folds.at[0], once ? PRECISION_TF32 : PRECISION_TF32X3))
			return false;
	}
	return true;
}

static bool check(struct node *node)
{
	for (int k = 0; k < node->equation.n; k++)
		if (!fits(node->equation.at[k]))
			return false;
	return settle_precision(node) && access_writes_once(node);
}

const struct pattern pattern_matmul = { .name = "matmul",
	                                .summary = "sums of products over any semiring",
	                                .clauses = clauses,
	                                .check = check,
	                                .lower = matmul_lower,
	                                .eval = eval_cells,
	                                .fuse = FUSE_READS | FUSE_ONTO | FUSE_FRONT,
	                                .chain = chain_unfit,
	                                .shape = matmul_shape };
