/* map.c - map y[i] = e: every cell from its own index (R29).
 *
 * A read may use the statement's indices, any subset of them in the same order, constants and
 * uniform values (sizes, scalars, counters).  What reads otherwise is another pattern, and the
 * error names it. */
#include <assert.h>

#include "ask.h"
#include "eval.h"
#include "front.h"
#include "../access.h"
#include "../lowerings.h"

static const struct clause clauses[] = {
	{ .name = "strict" }, { .name = "approx" },
	{ .name = "unique" }, { 0 }
};

static bool is_target(const struct node *node, const struct var *var)
{
	for (int t = 0; node_target(node, t); t++)
		if (target_read(node_target(node, t))->var == var)
			return true;
	return false;
}

static void near_cell(const struct node *node, const struct expr *read)
{
	if (is_target(node, read->var)) {
		diag_error(read->at, D_NOT_MAP,
		           "this reads %s, another cell of its target: that is a wavefront, not a "
		           "map",
		           access_text(read));
		sema_cure("to read new values of previous cells, write `wavefront` instead of "
		          "`map`; to read old values, write a `stencil` to a second array");
		return;
	}
	diag_error(read->at, D_NOT_MAP, "this reads %s: that is a stencil, not a map",
	           access_text(read));
	sema_instead("stencil");
	sema_cure("write `stencil` instead of `map`, with a `boundary` if it can leave the array");
}

/* Is an index in two of its subscripts: a[i, i]? */
static bool is_diagonal(const struct expr *read)
{
	for (int k = 0; k < read->var->rank; k++)
		for (int t = 0; t < read->affine[k].n; t++)
			for (int j = 0; j < k; j++)
				if (expr_uses(read->arg.at[j], read->affine[k].term[t].var))
					return true;
	return false;
}

static bool fits(const struct node *node, const struct expr *read)
{
	enum access kind = access_kind(node, read);
	const char *text = kind == ACCESS_OWN || kind == ACCESS_FOLD ? "" : access_text(read);

	switch (kind) {
	case ACCESS_OWN: case ACCESS_FOLD:   /* a fold is refused as such */
		return true;
	case ACCESS_OFFSET:
		near_cell(node, read);
		return false;
	case ACCESS_ORDER:
		if (is_diagonal(read))
			diag_error(read->at, D_NOT_MAP,
			           "this reads %s, a diagonal: that is a gather, not a map", text);
		else
			diag_error(read->at, D_NOT_MAP,
			           "this reads %s, its own indices in another order: that is a "
			           "transpose, not a map",
			           text);
		sema_instead("transpose");
		sema_instead("gather");
		return false;
	case ACCESS_AFFINE:
		diag_error(read->at, D_NOT_MAP,
		           "this reads %s, not its own index: that is a gather, not a map", text);
		sema_instead("gather");
		return false;
	case ACCESS_COMPUTED: case ACCESS_INDIRECT:
		diag_error(read->at, D_NOT_MAP,
		           "this reads %s, at a computed index: that is a gather, not a map", text);
		sema_instead("gather");
		return false;
	}
	assert(false && "every kind of access is judged");
	return false;
}

static bool folds_nothing(const struct expr *e)
{
	if (!expr_has_fold(e))
		return true;
	diag_error(e->at, D_NOT_MAP, "this folds over an index: that is a reduce, not a map");
	sema_instead("reduce");
	sema_cure("write `reduce` instead of `map`");
	return false;
}

static bool check(struct node *node)
{
	for (int k = 0; k < node->equation.n; k++)
		if (!folds_nothing(node->equation.at[k]->right))
			return false;
	return folds_nothing(node->where) && access_each(node, fits) && access_writes_once(node);
}

const struct pattern pattern_map = { .name = "map",
	                             .summary = "computes each cell from values at its index",
	                             .clauses = clauses,
	                             .check = check,
	                             .lower = map_lower,
	                             .block = block_cells,
	                             .passes = &stencil_passes,
	                             .eval = eval_cells,
	                             .expands = true,
	                             .fuse = FUSE_INTO | FUSE_READS | FUSE_ROWS | FUSE_BESIDE,
	                             .shape = map_shape };
