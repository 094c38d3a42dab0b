/* cells_tested.c - vectors of cells that may read outside an array: what data decide is tested when
 * it runs.
 *
 * Cell by cell, the store of one would stand between the loads of the next.  So the cells of a
 * vector are computed first, none after a branch of its own, and their loads are under way
 * together; then the vector is stored whole if all are inside, as nearly always, else its cells one
 * by one, and those outside are recorded and keep their value. */
#include "cells.h"

static bool plain_target(const struct node *node, const struct equation *eq)
{
	const struct expr *t = eq->target.at[0];
	return eq->target.n == 1 && t->kind == E_READ && !t->checked && !eq->whole
	    && (node->equation.n == 1 || !node_reads(node, t->var));
}

/* A cell that is masked, or one with a neighbour at an edge, is computed alone. */
bool cells_tested(const struct cells *c)
{
	const struct node *node = c->node;
	if (!node_checked(node) || c->meeting || node->where || c->width == 1 || c->edged
	    || c->march >= 0)
		return false;
	for (int q = 0; q < node->equation.n; q++)
		if (!plain_target(node, node->equation.at[q]))
			return false;
	return true;
}

static bool no_or_zero(struct expr *e, void *unused)
{
	(void)unused;
	return e->kind != E_OR_ZERO || e->drops;
}

void cells_declare_tested(struct cells *c)
{
	c->bad.n = 0;
	c->zeroed = node_walk((struct node *)c->node, no_or_zero, NULL) ? NULL
	          : k_var(c->l->k, kt_scalar(T_BOOL), "any_lost", x_int(T_BOOL, 0));
	for (int q = 0; q < c->node->equation.n; q++)
		list_add(&c->bad, k_regs(c->l->k, type_scalar(T_BOOL), "outside", c->width));
}

void cells_compute_tested(struct cells *c)
{
	struct lowering *l = c->l;
	struct lower_context before = l->now;
	l->now.branchless = true;
	l->now.zeroed = c->zeroed;
	l->now.given = NEW(struct given_values);
	for (int q = 0; q < c->node->equation.n; q++) {
		const struct equation *eq = c->node->equation.at[q];
		lower_flag(l, "bad");
		struct kx *value = lower_result(eq, 0, lower_expr(l, eq->right));
		k_set(l->k, x_lane_at(x_var(c->out.at[q]), c->lane), value);
		k_set(l->k, x_at(x_var(c->bad.at[q]), c->lane), x_var(l->now.outside));
	}
	l->now = before;
}

/* pointer: of the vector's first cell */
void cells_store_tested(struct cells *c, int q, struct kx *pointer, struct kx *vector)
{
	struct kernel *k = c->l->k;
	if (c->zeroed)
		lower_record_zeroed(c->l, x_var(c->zeroed));
	c->zeroed = NULL;
	struct kx *bad = x_var(c->bad.at[q]), *any = x_at(bad, x_i32(0));
	for (int i = 1; i < c->width; i++)
		any = x_or(any, x_at(bad, x_i32(i)));
	k_if(k, any);
	struct kx *cell = x_var(
		k_let(k, str_print("%s_at", c->node->equation.at[q]->target.at[0]->var->name),
	              pointer));
	struct kx *lane = x_var(k_for(k, "c", x_i32(0), x_i32(c->width), x_i32(1), FOR_UNROLL));
	k_if(k, x_unary(OP_NOT, x_at(bad, lane)));
	k_set(k, x_at(cell, x_to_i64(lane)), x_lane_at(x_var(c->out.at[q]), lane));
	k_end(k);
	k_end(k);
	lower_record_if(c->l, x_int(T_BOOL, 1));
	k_else(k);
	k_do(k, x_help(kt_scalar(T_I32), "patc_pass", 2, (struct kx *[]){ pointer, vector }));
	k_end(k);
}
