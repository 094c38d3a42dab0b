/* wave_cell.c - one cell of a wavefront, its neighbours from memory.
 *
 * Every neighbour becomes a variable before the equations: from its table, or outside of that from
 * the boundary.  What stands at the cell itself is read where it is used: an equation sees what
 * those before it wrote. */
#include "wave.h"

/* The indices as they are at the neighbour. */
static void bind_there(struct lowering *l, const struct node *node, const struct neighbour *n,
                       struct kx *const *here)
{
	for (int k = 0; k < node->index.n; k++)
		lower_bind(l, node->index.at[k],
		           n->step[k] ? x_add(here[k], x_i64(n->step[k])) : here[k]);
}

static void bind_here(struct lowering *l, const struct node *node, struct kx *const *here)
{
	for (int k = 0; k < node->index.n; k++)
		lower_bind(l, node->index.at[k], here[k]);
}

/* With the indices at the neighbour: is it in its table?  The cell itself is, if that is proved and
 * not only of cells that a mask lets through, so a step back leaves at the low end only. */
static struct kx *inside_table(struct lowering *l, const struct node *node,
                               const struct neighbour *n)
{
	const struct expr *cell = wave_table(node, n->equation);
	bool anywhere = cell->checked || (node->where && !node->whole);
	struct kx *inside = NULL;
	for (int d = 0; d < cell->arg.n; d++) {
		int64_t step = n->step[wave_index_of(node, cell->arg.at[d])];
		if (!step && !anywhere)
			continue;
		struct kx *at = lower_index(l, cell->arg.at[d]);
		if (step < 0 && !anywhere)
			inside = x_and(inside, x_le(x_i64(0), at));
		else
			inside = x_and(inside,
			               anywhere ? lower_inside(at, lower_extent(l, cell->var, d))
			                        : x_lt(at, lower_extent(l, cell->var, d)));
	}
	return inside;
}

static struct kx *table_place(struct lowering *l, const struct expr *cell)
{
	struct kx *sub[MAX_RANK];
	for (int d = 0; d < cell->arg.n; d++)
		sub[d] = lower_index(l, cell->arg.at[d]);
	return lower_place(l, cell->var, sub);
}

/* Where the cell itself may lie outside its tables, equations that are not for it see 0. */
static struct kx *own_value(struct lowering *l, const struct expr *cell)
{
	struct kx *inside = NULL, *place = table_place(l, cell);
	for (int d = 0; cell->checked && d < cell->arg.n; d++)
		inside = x_and(inside, lower_subscript_inside(l, cell, d));
	return inside ? x_cond(inside, place, lower_zero(cell->type)) : place;
}

static void indices_here(struct lowering *l, const struct node *node, struct kx **here)
{
	for (int k = 0; k < node->index.n; k++)
		here[k] = lower_var(l, node->index.at[k]);
}

struct kx *wave_memory(struct lowering *l, const struct node *node, const struct neighbour *n)
{
	struct kx *here[MAX_RANK], *place;
	indices_here(l, node, here);
	bind_there(l, node, n, here);
	place = table_place(l, wave_table(node, n->equation));
	bind_here(l, node, here);
	return place;
}

/* Outside the table: the boundary's value, anything where it is not used. */
struct kx *wave_neighbour(struct lowering *l, const struct node *node, const struct neighbour *n,
                          struct kx *cell)
{
	struct kernel *k = l->k;
	struct kx *here[MAX_RANK];
	indices_here(l, node, here);
	bind_there(l, node, n, here);
	struct kx *inside = inside_table(l, node, n);
	struct kvar *v = k_var(k, kt(n->value->type), n->value->name,
	                       n->outside ? NULL : lower_zero(n->value->type));
	k_if(k, inside);
	accumulator_copy(l, x_var(v), cell);
	if (n->outside) {
		k_else(k);
		k_set(k, x_var(v), lower_expr(l, n->outside));
	}
	k_end(k);
	bind_here(l, node, here);
	return x_var(v);
}

struct kx *wave_is_inside(struct lowering *l, const struct node *node, const struct neighbour *n)
{
	struct kx *here[MAX_RANK], *inside;
	indices_here(l, node, here);
	bind_there(l, node, n, here);
	inside = inside_table(l, node, n);
	bind_here(l, node, here);
	return inside;
}

static bool is_at_cell(const struct node *node, const struct neighbour *n)
{
	for (int k = 0; k < node->index.n; k++)
		if (n->step[k])
			return false;
	return true;
}

struct kx *wave_inside(struct lowering *l, const struct node *node, const struct expr *cell)
{
	struct kx *inside = NULL;
	for (int d = node->index.n - 2; d < node->index.n; d++) {
		int a = wave_subscript(node, cell, node->wave->order[d]);
		inside = x_and(inside, lower_subscript_inside(l, cell, a));
	}
	return inside;
}

void wave_neighbours(struct lowering *l, const struct node *node)
{
	for (int r = 0; r < node->wave->read.n; r++) {
		const struct neighbour *n = node->wave->read.at[r];
		lower_bind(l, n->value,
		           is_at_cell(node, n)
		                   ? own_value(l, wave_table(node, n->equation))
		                   : wave_neighbour(l, node, n, wave_memory(l, node, n)));
	}
}

void wave_cell(struct lowering *l, const struct node *node)
{
	wave_neighbours(l, node);
	lower_equations(l, node);
}
