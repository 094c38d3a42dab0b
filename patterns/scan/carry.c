/* carry.c - what a scan carries from cell to cell, and how two runs of cells are joined: carry.h.
 *
 * A running fold carries its accumulator (accumulate.c).  Its terms are counted along the axis from
 * the low end, whichever way the scan runs, so that argmin and argmax settle a tie for the smallest
 * index.  From right the order of indices stays: x[i] op (x[i+1] op ( ... op from)).  A recurrence
 * is recur.c's. */
#include <assert.h>
#include "carry.h"
#include "recur.h"

struct carry {
	struct lowering *l;
	const struct node *node;
	const struct running *running;
	struct folds folds;                  /* of all equations, once each */
	struct accumulators state;           /* what they are before the next cell */
	/* carry_apart: what the state has been, and the fold of the cells since then */
	struct accumulators base, since;
	bool stepped[8];                     /* the fold has this cell's term already */
	struct recur recur[8];               /* after the folds in totals */
	int recurs;
};

static struct kx *axis_lo(const struct carry *c)
{
	return lower_index(c->l, c->node->lo.at[c->running->axis]);
}

struct accumulators carry_kinds(const struct carry *c)
{
	struct accumulators kinds = { .n = c->folds.n };
	for (int f = 0; f < c->folds.n; f++) {
		const struct expr *e = c->folds.at[f];
		kinds.at[f] = (struct accumulator){
			.op = e->fold->op,
			.of = e->type,
			.type = accumulator_type(e),
			.strict = e->fold->strict,
			.mirrored = c->running->from_right && !e->fold->op->commutative,
		};
	}
	for (int r = 0; r < c->recurs; r++)
		kinds.at[kinds.n++] = recur_kind(&c->recur[r]);
	return kinds;
}

bool carry_fits(const struct node *node)
{
	struct folds folds = { .n = 0 };
	int recurs = 0;
	for (int q = 0; q < node->equation.n; q++) {
		folds_of(node->equation.at[q]->right, &folds);
		recurs += node->equation.at[q]->recurrence != NULL;
	}
	return !folds.overflow && folds.n + recurs <= 8;
}

struct carry *carry_open(struct lowering *l, const struct node *node)
{
	struct carry *c = NEW(struct carry);
	*c = (struct carry){ .l = l, .node = node, .running = node->running };
	assert(carry_fits(node) && "whoever lowers a scan has asked");
	for (int q = 0; q < node->equation.n; q++) {
		folds_of(node->equation.at[q]->right, &c->folds);
		if (node->equation.at[q]->recurrence)
			c->recur[c->recurs++] = recur_of(node, node->equation.at[q]);
	}
	return c;
}

bool carry_marks(const struct carry *c)
{
	return c->recurs && !c->running->froms;
}

bool carry_recurs(const struct carry *c)
{
	return c->recurs > 0;
}

static bool is_branchless(const struct op *op)
{
	switch (op->kind) {
	case OPK_SUM: case OPK_PROD: case OPK_COUNT:
	case OPK_BITAND: case OPK_BITOR: case OPK_BITXOR:
		return true;
	case OPK_MIN: case OPK_MAX: case OPK_ARGMIN: case OPK_ARGMAX:
	case OPK_ALL: case OPK_ANY:
	case OPK_USER:
		return false;
	}
	assert(!"an operator");
	return false;
}

bool carry_branchless(const struct carry *c)
{
	for (int f = 0; f < c->folds.n; f++)
		if (!is_branchless(c->folds.at[f]->fold->op))
			return false;
	return true;
}

bool carry_joins(const struct carry *c)
{
	for (int f = 0; f < c->folds.n; f++)
		if (fold_in_order(c->folds.at[f]) || !c->folds.at[f]->fold->op->associative)
			return false;
	for (int r = 0; r < c->recurs; r++)
		if (!recur_joins(&c->recur[r]))
			return false;
	return true;
}

/* ---- totals ---- */

struct accumulators carry_total(struct carry *c)
{
	struct accumulators total = carry_kinds(c);
	for (int a = 0; a < total.n; a++)
		total.at[a].var = k_var(c->l->k, kt(total.at[a].type), "total",
		                        accumulator_start(c->l, &total.at[a]));
	return total;
}

/* The term at the bound indices joins the fold. */
static void add_term(struct carry *c, const struct expr *fold, const struct accumulator *a)
{
	if (op_is_arg(a->op)) {
		struct kx *lo = axis_lo(c);
		c->l->term = x_sub(lower_var(c->l, c->node->index.at[c->running->axis]), lo);
	}
	accumulate_term(c->l, fold, a, x_var(a->var));
}

void carry_add(struct carry *c, const struct accumulators *total, struct kx *head)
{
	if (head && c->folds.n) {
		k_if(c->l->k, head);
		for (int f = 0; f < c->folds.n; f++)
			k_set(c->l->k, x_var(total->at[f].var),
			      accumulator_start(c->l, &total->at[f]));
		k_end(c->l->k);
	}
	for (int f = 0; f < c->folds.n; f++)
		add_term(c, c->folds.at[f], &total->at[f]);
	struct lower_context before = c->l->now;
	if (c->recurs && node_checked(c->node))  /* recorded when the cell is computed */
		lower_flag(c->l, "bad");
	for (int r = 0; r < c->recurs; r++)
		recur_add(c->l, &c->recur[r], &total->at[c->folds.n + r], head);
	c->l->now = before;
}

bool carry_guards(const struct carry *c)
{
	for (int r = 0; r < c->recurs; r++)
		if (recur_guards(&c->recur[r]))
			return true;
	return false;
}

void carry_guard(struct carry *c, bool guarded)
{
	for (int r = 0; r < c->recurs; r++)
		c->recur[r].bare = !guarded;
}

struct kx *carry_numbers(const struct carry *c, const struct accumulators *total)
{
	struct kx *numbers = NULL;
	for (int r = 0; r < c->recurs; r++)
		if (recur_guards(&c->recur[r]))
			numbers = x_and(numbers, recur_numbers(&total->at[c->folds.n + r]));
	return numbers;
}

const struct folds *carry_any_order(const struct carry *c)
{
	for (int f = 0; f < c->folds.n; f++) {
		const struct op *op = c->folds.at[f]->fold->op;
		if (op_is_arg(op) || !op->commutative)
			return NULL;
	}
	return c->recurs || node_checked(c->node) ? NULL : &c->folds;
}

/* ---- the state ---- */

/* The fold before a sequence. */
static struct kx *fold_before(struct carry *c, const struct accumulator *a)
{
	if (!c->running->froms)
		return accumulator_start(c->l, a);
	struct kx *from = recur_from(c->l, c->running, 0, a->of);
	assert(!op_is_arg(a->op) && "no cell is where `from` comes from");
	return a->type == a->of ? from
	                        : x_make(a->type, 2, (struct kx *[]){ from, x_int(T_BOOL, 1) });
}

void carry_resume(struct carry *c, const struct accumulators *total)
{
	c->state = carry_kinds(c);
	for (int f = 0; f < c->folds.n; f++) {
		struct accumulator *a = &c->state.at[f];
		struct kx *so_far = total ? x_var(total->at[f].var) : NULL;
		bool join = so_far && c->running->froms;
		a->var = k_var(c->l->k, kt(a->type), a->op->name,
		               so_far && !join ? so_far : fold_before(c, a));
		if (join)
			accumulate(c->l, a, so_far);
	}
	for (int r = 0; r < c->recurs; r++)
		recur_resume(c->l, &c->recur[r], total ? &total->at[c->folds.n + r] : NULL);
}

/* The variable of a part of the state; all of them are the folds, then what recurrences have. */
static struct kvar **part_at(struct carry *c, int k, const struct type **type)
{
	if (k < c->folds.n) {
		*type = accumulator_type(c->folds.at[k]);
		return &c->state.at[k].var;
	}
	k -= c->folds.n;
	for (int r = 0; r < c->recurs; r++) {
		int parts = recur_parts(&c->recur[r]);
		if (k < parts)
			return recur_part(&c->recur[r], k, type);
		k -= parts;
	}
	return NULL;
}

int carry_parts(const struct carry *c, const struct type *type[CARRY_PARTS])
{
	int parts = 0;
	while (part_at((struct carry *)c, parts, &type[parts]))
		parts++;
	return parts;
}

void carry_enter(struct carry *c, struct kx *const *value)
{
	const struct type *type;
	struct kvar **part;
	c->state = carry_kinds(c);
	for (int k = 0; (part = part_at(c, k, &type)); k++)
		*part = k_var(c->l->k, kt(type), "state", value[k]);
}

struct kx *carry_part(const struct carry *c, int k)
{
	const struct type *type;
	return x_var(*part_at((struct carry *)c, k, &type));
}

static void state_reset(struct carry *c)
{
	for (int f = 0; f < c->folds.n; f++)
		k_set(c->l->k, x_var(c->state.at[f].var), fold_before(c, &c->state.at[f]));
	for (int r = 0; r < c->recurs; r++)
		recur_reset(c->l, &c->recur[r]);
}

/* ---- cells ---- */

/* Terms are numbered from 0; the place of the best is an index of the axis. */
static struct kx *best_value(struct carry *c, const struct accumulator *a)
{
	struct kx *lo = axis_lo(c), *best = x_var(a->var);
	if (x_is_int(lo, 0))
		return best;
	const struct record *r = a->type->record;
	struct kx *number = x_field(best, &r->field.at[1]);
	struct kx *at = x_cond(x_lt(number, x_i64(0)), x_i64(-1), x_add(lo, number));
	return x_make(a->of, 2, (struct kx *[]){ x_field(best, &r->field.at[0]), at });
}

static struct kx *fold_value(struct carry *c, int f)
{
	const struct accumulator *a = &c->state.at[f];
	return op_is_arg(a->op) ? best_value(c, a)
	                        : accumulator_value(c->l, a, c->folds.at[f]->fold);
}

void carry_apart(struct carry *c)
{
	assert(!c->recurs && "terms of folds alone join by themselves");
	c->base = c->state;
	for (int f = 0; f < c->folds.n; f++)
		c->base.at[f].var = k_let(c->l->k, "base", x_var(c->state.at[f].var));
	c->since = carry_total(c);
}

void carry_joined(struct carry *c)
{
	c->since.n = 0;
}

static void step_fold(struct carry *c, int f)
{
	if (!c->since.n) {
		add_term(c, c->folds.at[f], &c->state.at[f]);
		return;
	}
	add_term(c, c->folds.at[f], &c->since.at[f]);
	k_set(c->l->k, x_var(c->state.at[f].var), x_var(c->base.at[f].var));
	accumulate(c->l, &c->state.at[f], x_var(c->since.at[f].var));
}

/* The fold's value at the bound cell is known to what is lowered from here on. */
static void fold_cell(struct carry *c, int f)
{
	struct kx *value = NULL;
	if (c->stepped[f])
		return;
	if (c->running->exclusive)
		value = x_var(k_let(c->l->k, "before", fold_value(c, f)));
	step_fold(c, f);
	list_add(&c->l->folded,
	         ((struct folded){ c->folds.at[f], value ? value : fold_value(c, f) }));
	c->stepped[f] = true;
}

static void equation_folds(struct carry *c, const struct equation *eq)
{
	struct folds own = { .n = 0 };
	folds_of(eq->right, &own);
	for (int o = 0; o < own.n; o++)
		for (int f = 0; f < c->folds.n; f++)
			if (c->folds.at[f] == own.at[o])
				fold_cell(c, f);
}

static struct kx *recurrence_value(struct carry *c, const struct equation *eq, struct kx *head)
{
	for (int r = 0; r < c->recurs; r++)
		if (c->recur[r].r == eq->recurrence)
			return recur_cell(c->l, &c->recur[r], head);
	assert(!"carry_open knows every recurrence");
	return NULL;
}

static struct kx *equation_value(struct carry *c, int q, struct kx *head)
{
	const struct equation *eq = c->node->equation.at[q];
	if (eq->recurrence)
		return recurrence_value(c, eq, head);
	equation_folds(c, eq);
	lower_whole(c->l, c->node, q);
	struct kx *value = lower_expr(c->l, eq->right);
	return eq->target.n > 1 && value->kind != KX_VAR ? x_var(k_let(c->l->k, "value", value))
	                                                 : value;
}

/* What an access that is tested makes of the equation: it is recorded, and nothing stored. */
static void equation_cell(struct carry *c, int q, struct kx *head, carry_store *store, void *state)
{
	struct lowering *l = c->l;
	const struct equation *eq = c->node->equation.at[q];
	lower_unmark(l, c->node, q);
	struct kx *value = equation_value(c, q, head);
	if (l->now.outside)
		k_if(l->k, lower_inside_all(l));
	store(state, eq, value);
	if (l->now.outside) {
		k_end(l->k);
		lower_record(l);
	}
}

void carry_cell(struct carry *c, struct kx *head, carry_store *store, void *state)
{
	struct lowering *l = c->l;
	struct lower_context before = l->now;
	if (head) {
		k_if(l->k, head);
		state_reset(c);
		k_end(l->k);
	}
	if (node_checked(c->node))
		lower_flag(l, "bad");
	for (int f = 0; f < c->folds.n; f++)
		c->stepped[f] = false;
	for (int q = 0; q < c->node->equation.n; q++)
		equation_cell(c, q, head, store, state);
	l->folded.n = 0;
	l->now = before;
}
