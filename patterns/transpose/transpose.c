/* transpose.c - transpose B[j, i] = A[i, j]: every cell from the one whose indices are the same, in
 * another order.
 *
 * A read uses each of the statement's indices at most once, alone in a subscript, beside constants
 * and uniform values; at least one read has them in another order than the target.  What is done
 * with the values (conversions, scales, +=) is part of the statement, as in a map.  All else that
 * is read elsewhere is another pattern, and the error names it.
 *
 * A read of the target with two indices exchanged that run over the same range is one in place:
 * the cells of such a pair are computed together, each from what both have been (node->mirror).
 * Where all cells of an array T[n, m] are so moved, and nothing else done, they lie as T[m, n]
 * afterwards (node->reshapes; src/front/sema_reshape.c). */
#include "ask.h"
#include "eval.h"
#include "front.h"
#include "../access.h"
#include "../lowerings.h"

enum { RESHAPED_BYTES = 1024 };          /* of a cell, at most: a block has some of them */

static const struct clause clauses[] = {
	{ .name = "strict" }, { .name = "approx" }, { 0 }
};

/* ---- the order of a cell's indices ---- */

static int domain_index(const struct node *node, const struct var *v)
{
	for (int d = 0; d < node->index.n; d++)
		if (node->index.at[d] == v)
			return d;
	return -1;
}

/* The one index of the statement in an axis of a cell, alone in it; -1: none, -2: not alone. */
static int axis_index(const struct node *node, const struct expr *cell, int axis)
{
	const struct affine *a = &cell->affine[axis];
	int own = -1;
	for (int t = 0; t < a->n; t++)
		if (domain_index(node, a->term[t].var) >= 0)
			own = domain_index(node, a->term[t].var);
	return own < 0 ? -1 : a->n == 1 && a->term[0].coef == 1 && a->constant == 0 ? own : -2;
}

/* Where the first target has an index: the number of its axis. */
static int target_axis(const struct node *node, int index)
{
	const struct expr *t = target_read(node_target(node, 0));
	for (int a = 0; t->kind == E_READ && a < t->var->rank; a++)
		for (int k = 0; k < t->affine[a].n; k++)
			if (t->affine[a].term[k].var == node->index.at[index])
				return a;
	return -1;
}

static bool is_turned(const struct node *node, const struct expr *read)
{
	int last = -1;
	for (int a = 0; a < read->var->rank; a++) {
		int own = axis_index(node, read, a),
		    at = own < 0 ? last + 1 : target_axis(node, own);
		if (own >= 0 && at < last)
			return true;
		last = own < 0 ? last : at;
	}
	return false;
}

/* ---- what fits ---- */

static bool refuse(const struct expr *read, const char *reason, const char *other, const char *cure)
{
	diag_error(read->at, D_NOT_TRANSPOSE, "this reads %s%s: that is a %s, not a transpose",
	           access_text(read), reason, other);
	sema_instead(other);
	sema_cure("%s", cure);
	return false;
}

static bool index_twice(const struct node *node, const struct expr *read)
{
	bool seen[MAX_RANK] = { false };
	for (int a = 0; a < read->var->rank; a++) {
		int own = axis_index(node, read, a);
		if (own >= 0 && seen[own])
			return true;
		if (own >= 0)
			seen[own] = true;
	}
	return false;
}

static bool fits(const struct node *node, const struct expr *read)
{
	static const char elsewhere[] =
		"a transpose reads each index by itself, in any order; `gather` reads at any index";
	switch (access_kind(node, read)) {
	case ACCESS_OWN: case ACCESS_FOLD:   /* a fold is refused as such */
		return true;
	case ACCESS_COMPUTED: case ACCESS_INDIRECT:
		return refuse(read, ", at a computed index", "gather", elsewhere);
	case ACCESS_OFFSET: case ACCESS_ORDER: case ACCESS_AFFINE:
		break;
	}
	for (int a = 0; a < read->var->rank; a++)
		if (axis_index(node, read, a) == -2)
			return refuse(read, ", a neighbour of the cell", "gather", elsewhere);
	if (!index_twice(node, read))
		return true;
	return refuse(read, ", with one index twice", "gather", elsewhere);
}

static bool keeps_order(const struct node *node, const struct expr *read)
{
	return !is_turned(node, read);
}

static bool turns_something(const struct node *node)
{
	if (!access_each(node, keeps_order))
		return true;
	diag_error(node->at, D_NOT_TRANSPOSE,
	           "all reads have the index order of the target: that is a map, not a transpose");
	sema_instead("map");
	sema_cure("write `map` instead of `transpose`; a transpose has the form `B[j, i] = A[i, "
	          "j]`");
	return false;
}

static bool folds_nothing(const struct expr *e)
{
	if (!expr_has_fold(e))
		return true;
	diag_error(e->at, D_NOT_TRANSPOSE, "this folds over an index: that is a reduce, not a "
	           "transpose");
	sema_instead("reduce");
	sema_cure("write `reduce`, which can also read in any order");
	return false;
}

/* ---- in place ---- */

/* Are there two indices whose exchange makes the read of the target?  They are noted. */
static bool find_mirror(struct node *node, const struct expr *target, const struct expr *read)
{
	int moved[2], n = 0;
	for (int a = 0; a < target->var->rank; a++) {
		if (affine_equal(&target->affine[a], &read->affine[a]))
			continue;
		if (n == 2 || (moved[n++] = axis_index(node, target, a)) < 0)
			return false;
	}
	for (int k = 0; k < 2; k++)
		node->mirror[k] = n == 2 ? node->index.at[moved[k]] : NULL;
	return n == 2 && node_mirrors(node, target, read);
}

static bool no_mirror(struct expr *e, void *state)
{
	struct node *node = state;
	const struct expr *target = target_read(node_target(node, 0));
	return e->kind != E_READ || e->var != target->var || !find_mirror(node, target, e);
}

static bool same_range(const struct node *node)
{
	int at[2] = { domain_index(node, node->mirror[0]), domain_index(node, node->mirror[1]) };
	return expr_same(node->lo.at[at[0]], node->lo.at[at[1]])
	       && expr_same(node->hi.at[at[0]], node->hi.at[at[1]]);
}

/* All cells of an array are moved that is not square. */
static bool moves_all(const struct node *node)
{
	const struct expr *right = node->equation.at[0]->right;
	return node->whole && !node->where && !expr_has(right, E_COND);
}

static const char *no_reshape(const struct node *node)
{
	const struct expr *target = node_target(node, 0);
	const struct var *var = target_read((struct expr *)target)->var;
	if (var->kind != VAR_PARAM)
		return "is not a parameter";
	if (var->rank != 2)
		return "has more than two axes";
	if (var->layout)
		return "has a layout of its own";
	if (type_size(var->type) > RESHAPED_BYTES)
		return str_print("has cells of more than %d bytes", RESHAPED_BYTES);
	bool plain = target->kind == E_READ && node->equation.at[0]->right->kind == E_READ;
	return plain ? NULL : "is changed while it is moved";
}

static bool reshape(struct node *node)
{
	const char *why = no_reshape(node), *name = target_read(node_target(node, 0))->var->name;
	if (why) {
		diag_error(node->at, D_RESHAPE,
		           "`%s` is not square and %s, so it cannot be transposed in place", name,
		           why);
		diag_cure("transpose to a second array; only a parameter with two axes can be "
		          "transposed in place, `transpose %s[j, i] = %s[i, j]`",
		          name, name);
		return false;
	}
	struct expr *rows = node->hi.at[0];
	node->hi.at[0] = node->hi.at[1];
	node->hi.at[1] = rows;
	node->whole = false;
	return node->reshapes = true;
}

/* What else it reads of its target is judged as in any statement: legal_place.c. */
static bool in_place(struct node *node)
{
	bool one = node->equation.n == 1 && node->equation.at[0]->target.n == 1;
	bool found = one && node_is_box(node) && !node_walk(node, no_mirror, node);
	if (found && !same_range(node) && moves_all(node))
		return reshape(node);
	if (!found || !same_range(node))
		node->mirror[0] = node->mirror[1] = NULL;
	return true;
}

static bool check(struct node *node)
{
	for (int q = 0; q < node->equation.n; q++)
		if (!folds_nothing(node->equation.at[q]->right))
			return false;
	return folds_nothing(node->where) && access_each(node, fits) && turns_something(node)
	       && access_writes_once(node) && in_place(node);
}

const struct pattern pattern_transpose = { .name = "transpose",
	                                   .summary = "permutes the axes of an array",
	                                   .clauses = clauses,
	                                   .check = check,
	                                   .lower = transpose_lower,
	                                   .eval = eval_cells,
	                                   .fuse = FUSE_READS | FUSE_ONTO,
	                                   .shape = transpose_shape };
