/* wave_edge.c - what the windows of a strip show before the first column and above the first row.
 *
 * A place beside the domain that is in its table shows what memory has; a place outside shows
 * the boundary.  This is computed once, when the strip begins or comes there, so the cells need
 * no tests.  A boundary that reads an array may only be computed for places that some cell of
 * the domain looks at.  Where a mask decides which cells those are, or rows are sheared, the
 * windows keep nothing from outside, and each cell computes it for itself. */
#include "wave_strips.h"

static bool reads_array(const struct neighbour *n)
{
	return n->outside && expr_has(n->outside, E_READ);
}

bool edges_fill(const struct strips *s)
{
	const struct node *node = s->axes.node;
	if (s->axes.slope || !axes_even(node))
		return false;
	for (int r = 0; r < node->wave->read.n; r++)
		if (reads_array(node->wave->read.at[r])
		    && (node->where || !step_of(node, node->wave->read.at[r]).here))
			return false;
	return true;
}

static bool has_outside(struct strips *s, const struct neighbour *n, int q)
{
	int64_t row, place;
	return n->equation == q && n->outside && neighbour_near(s, n, &row, &place);
}

void ask_outside(struct strips *s, struct kx *to, struct kx *row, struct kx *column)
{
	int q = (int)get(s, "TABLE")->i;
	const struct wavefront *w = s->axes.node->wave;
	struct lowering *l = s->axes.l;
	for (int r = 0; r < w->read.n; r++) {
		const struct neighbour *n = w->read.at[r];
		struct step step = step_of(s->axes.node, n);
		if (!has_outside(s, n, q))
			continue;
		if (reads_array(n)) {
			struct kx *at_row = x_sub(row, x_i64(step.row)),
				  *at_column = x_sub(column, x_i64(step.column));
			k_if(l->k, x_and(lower_inside(at_row, get(s, "all_rows")),
			                 lower_inside(at_column, get(s, "all_columns"))));
		}
		accumulator_copy(l, to, lower_expr(l, n->outside));
		if (!reads_array(n))
			return;
		k_end(l->k);
	}
}

void edge_above(struct strips *s, int q, struct kvar *to, int64_t up, struct kx *column)
{
	struct kernel *k = s->axes.l->k;
	int names = k_names(k);
	bind_window(s, q);
	k_text(k, "ask", x_var(to), x_i64(-up), column);
	k_forget(k, names);
}

void edges_open(struct strips *s)
{
	struct kernel *k = s->axes.l->k;
	for (int q = 0; q < s->axes.node->equation.n; q++) {
		struct strip_table *t = &s->table[q];
		if (!t->left || !s->kind->filled)
			continue;
		t->edge = k_regs(k, t->type,
		                 str_print("%s_edge", wave_table(s->axes.node, q)->var->name),
		                 (t->above + s->shape->rows) * t->left);
		window_text(s, q, "open_edge", NULL, NULL);
	}
}

/* Further left than anything looks it may be any.  Of structs to choose from clang keeps all in
 * memory; not of variables. */
struct kx *edge_at(const struct strips *s, int q, struct kx *row, struct kx *column)
{
	const struct strip_table *t = &s->table[q];
	struct kx *found = NULL, *first = x_mul(row, x_i32((int32_t)t->left));
	for (int64_t i = 0; i < t->left; i++) {
		struct kx *here = x_at(x_var(t->edge), x_add(first, x_i32((int32_t)i)));
		if (t->left > 1 && t->type->kind == T_STRUCT)
			here = x_var(k_let(s->axes.l->k, "edge", here));
		found = found ? x_cond(x_le(x_i64(i - t->left), column), here, found) : here;
	}
	return found;
}
