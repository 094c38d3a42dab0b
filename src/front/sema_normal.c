/* sema_normal.c - the normal form of a recurrence (running.h):
 *
 *     y[i] = (y[i-1] ○ weight) ◇ (y[i-2] ○ weight) ◇ rest
 *
 * It may be written with ○ and ◇, which `using` says, or in the operators themselves: what is
 * looked at is the typed expression, in which both are the same.  First the operators are collected
 * that lie between the root and the cells of the target: at most two.  Which of them is ◇ the laws
 * say (laws.c): the one over which the other distributes; of two that both do (min and max, && and
 * ||) the root.  A ○ that is written says so itself.  Then sema_form.c takes the expression apart.
 *
 * Note [max and + of integers] Weights of many cells are added before they meet a value, and their
 * sum may leave the type where no value does.  So integers up to 32 bits are computed in i64 when ○
 * is + and ◇ is max or min.  An unsigned value that is subtracted from wraps below 0, where the law
 * does not hold: that is refused. */
#include <assert.h>
#include <string.h>

#include "legal.h"
#include "sema_normal.h"
#include "wavefront.h"

/* ---- cells of the target ---- */

/* A read of a target without what names its parts: p[i].x reads p[i]. */
static const struct expr *path_end(const struct expr *e)
{
	while (e->kind == E_FIELD || (e->kind == E_ELEM && !e->var))
		e = e->arg.at[0];
	return e;
}

static bool same_part(const struct expr *a, const struct expr *b)
{
	if (a->kind == E_READ || b->kind == E_READ)
		return a->kind == b->kind;
	if (a->kind != b->kind || (a->kind == E_FIELD && a->field != b->field))
		return false;
	for (int k = 0; a->kind == E_ELEM && k < a->arg.n - 1; k++)
		if (a->affine[k].n < 0 || !affine_equal(&a->affine[k], &b->affine[k]))
			return false;
	return same_part(a->arg.at[0], b->arg.at[0]);
}

/* By how many cells, along which axis, the read is away from the target; false: by no constant
 * number along one axis.  No cells: axis is -1. */
bool cell_distance(const struct normal *m, const struct expr *read, int *axis, int64_t *steps)
{
	const struct expr *cell = target_read((struct expr *)m->target);

	*axis = -1;
	*steps = 0;
	for (int d = 0; d < read->arg.n; d++) {
		struct affine by = read->affine[d];
		int64_t coef = 0;
		struct var *index = affine_index(&cell->affine[d], &coef);
		if (by.n < 0 || cell->affine[d].n < 0 || !affine_add(&by, &cell->affine[d], -1)
		    || by.n)
			return false;
		if (!by.constant)
			continue;
		if (*axis >= 0 || !index || by.constant % coef)
			return false;
		*steps = by.constant / coef;
		for (int k = 0; k < m->node->index.n; k++)
			*axis = m->node->index.at[k] == index ? k : *axis;
	}
	return true;
}

static int neighbour_of(const struct normal *m, const struct expr *e)
{
	for (int k = 0; e->kind == E_VAR && k < m->leaves; k++)
		if (e->var == m->leaf[k])
			return k;
	return -1;
}

/* Which cell before this one, 0 the nearest; -1: the expression is no such read. */
int cell_before(const struct normal *m, const struct expr *e)
{
	const struct expr *read = path_end(e);
	int axis;
	int64_t steps;

	if (m->leaves)
		return neighbour_of(m, e);
	if (read->kind != E_READ || read->var != target_read((struct expr *)m->target)->var
	    || !same_part(e, m->target) || !cell_distance(m, read, &axis, &steps) || axis < 0)
		return -1;
	return (int)(steps < 0 ? -steps : steps) - 1;
}

/* The same after conversions that keep the value. */
int leaf_before(const struct normal *m, const struct expr *e)
{
	while (e->kind == E_CAST && type_fits(e->arg.at[0]->type, e->type))
		e = e->arg.at[0];
	return cell_before(m, e);
}

struct search { const struct normal *m; bool found; };

static bool visit_before(struct expr *e, void *what)
{
	struct search *search = what;

	search->found = search->found || cell_before(search->m, e) >= 0;
	return !search->found;
}

bool has_before(const struct normal *m, struct expr *e)
{
	struct search search = { m, false };

	expr_walk(e, visit_before, &search);
	return search.found;
}

/* ---- the operators between ---- */

bool no_form(struct normal *m, const struct expr *e, const char *why)
{
	m->why = m->failed ? m->why : why;
	m->failed = true;
	if (m->asks)
		return false;
	diag_error(e->at, D_RECURRENCE, "%s", why);
	diag_cure("a recurrence is `(y[i-1] ○ b) ◇ x`, where ○ distributes over ◇: `a * y[i-1] + "
	          "x[i]`, "
	          "`max(y[i-1] - 1, x[i])`");
	return false;
}

const struct op *op_of(const struct normal *m, const struct expr *e)
{
	bool logic = e->type->kind == T_BOOL;

	if (e->kind == E_UNARY)
		return e->op == OP_NEG ? fold_find(m->s, "sum") : NULL;
	if (e->kind == E_MATH)
		return e->math == M_min   ? fold_find(m->s, "min")
		       : e->math == M_max ? fold_find(m->s, "max")
		                          : NULL;
	if (e->kind == E_CALL) {
		const struct callable *c = callable_find(m->s, e->fn->name);
		return c ? c->op : NULL;
	}
	if (e->kind != E_BINARY)
		return NULL;
	switch ((int)e->op) {                    /* int: the others join nothing */
	case OP_ADD: case OP_SUB: return fold_find(m->s, "sum");
	case OP_MUL: case OP_DIV: return fold_find(m->s, "prod");
	case OP_LAND: return fold_find(m->s, "all");
	case OP_LOR: return fold_find(m->s, "any");
	case OP_AND: return logic ? fold_find(m->s, "all") : sign_op("&");
	case OP_OR: return logic ? fold_find(m->s, "any") : sign_op("|");
	case OP_XOR: return sign_op("^");
	case OP_NE: return e->arg.at[0]->type->kind == T_BOOL ? sign_op("^") : NULL;
	default: return NULL;
	}
}

bool same_op(const struct op *a, const struct op *b)
{
	return a && b && a->kind == b->kind && a->fn == b->fn;
}

/* With reads for the variables that stand for them. */
static const char *text_of(const struct normal *m, struct expr *e)
{
	LIST(struct var *) value = { 0 };
	LIST(struct expr *) read = { 0 };

	for (int k = 0; m->leaves && k < m->node->wave->read.n; k++) {
		list_add(&value, m->node->wave->read.at[k]->value);
		list_add(&read, m->node->wave->read.at[k]->read);
	}
	return expr_text(value.n ? expr_substitute(e, value.at, read.at, value.n) : e);
}

static void stands_inside(struct normal *m, struct expr *e)
{
	const char *text = text_of(m, e);

	no_form(m, e, str_print("a cell of `%s` is inside %s, which is neither ○ nor ◇",
	                        target_read((struct expr *)m->target)->var->name,
	                        strlen(text) < 60 ? text : "another operation"));
	if (e->kind == E_COND && !m->asks)
		diag_cure("the first cell needs no condition: it is computed without a previous "
		          "cell, or with the value of `from v`; `heads h` marks where new "
		          "sequences begin");
}

static void note_op(struct normal *m, struct expr *e)
{
	const struct op *op = op_of(m, e);

	if (!op) {
		stands_inside(m, e);
		return;
	}
	for (int k = 0; k < m->n; k++)
		if (same_op(m->found[k], op))
			return;
	if (m->n == 2)
		no_form(m, e,
		        str_print("`%s` is a third operator between cells of the recurrence, "
		                  "besides `%s` and `%s`",
		                  op_symbol(op), op_symbol(m->found[0]), op_symbol(m->found[1])));
	else
		m->found[m->n++] = op;
}

static void ops_collect(struct normal *m, struct expr *e)
{
	if (m->failed || leaf_before(m, e) >= 0 || !has_before(m, e))
		return;
	if (map_get(&m->s->distributed, e))
		m->signed_dist = op_of(m, e);
	m->subtracts |= e->kind == E_BINARY && e->op == OP_SUB;
	note_op(m, e);
	for (int k = 0; k < e->arg.n; k++)
		ops_collect(m, e->arg.at[k]);
}

/* ---- which of them is ◇ ---- */

/* Sequences are computed cell after cell, as written: no law is needed. */
static bool in_order(const struct normal *m, const struct type *type)
{
	bool user = false;

	for (int k = 0; k < m->n; k++)
		user = user || m->found[k]->kind == OPK_USER;
	return node_clause(m->node, "strict") && (user || type_class(type) == 'F');
}

/* Something that distributes over ◇, for cells that are read without ○. */
static const struct op *dist_beside(const struct normal *m, const struct op *acc)
{
	static const struct { enum op_kind acc; const char *dist; } row[] = {
		{ OPK_SUM, "prod" }, { OPK_MAX, "min" }, { OPK_MIN, "max" }, { OPK_ANY, "all" },
		{ OPK_ALL, "any" },
		{ OPK_BITOR, "&" }, { OPK_BITXOR, "&" }, { OPK_BITAND, "|" },
	};

	for (size_t k = 0; k < sizeof row / sizeof *row; k++)
		if (row[k].acc == acc->kind)
			return sign_op(row[k].dist) ? sign_op(row[k].dist)
			                            : fold_find(m->s, row[k].dist);
	return NULL;
}

/* No law allows it: `example` shows why, or is NULL. */
static bool no_law(struct normal *m, const char *why, const char *so, const char *example)
{
	m->failed = true;
	m->why = example ? str_print("%s: %s", why, example) : why;
	if (m->asks)
		return false;
	diag_error(m->eq->at, D_RECURRENCE_LAW, "%s%s", why, so);
	if (example)
		diag_note(m->eq->at, "%s", example);
	return true;
}

static void report_law(struct normal *m, const struct op *dist, const struct op *acc,
                       const struct type *type)
{
	char *example = law_refuted(m->s, dist, acc, type), *fitting = law_fitting(acc, type);

	if (!no_law(m,
	            str_print("`%s` does not distribute over `%s`", op_symbol(dist),
	                      op_symbol(acc)),
	            ", so the recurrence cannot be computed in parallel", example))
		return;
	if (dist->kind == OPK_USER && !example)
		diag_cure("declare `distributes over %s` after `op %s` if it does", acc->name,
		          dist->name);
	else if (*fitting)
		diag_cure("these distribute over `%s`: %s; or write `strict`, for floats, to "
		          "compute one cell after another",
		          op_symbol(acc), fitting);
	else
		diag_cure("use an `op` that is declared `distributes over %s`", acc->name);
}

static bool is_associative(struct normal *m, const struct op *op)
{
	if (!op || op->associative)
		return true;
	if (no_law(m, str_print("`%s` is not declared `associative`", op->name),
	           ", so it can combine cells only in order, under `strict`", NULL))
		diag_cure("declare it `associative` if it is");
	return false;
}

static bool pair_settle(struct normal *m, const struct type *type)
{
	const struct op *root = m->found[0], *other = m->n > 1 ? m->found[1] : NULL;
	bool ordered = in_order(m, type), swapped = false;

	if (!other) {
		m->acc = root;
		m->dist = m->signed_dist ? root : dist_beside(m, root);
		return ordered || is_associative(m, root);
	}
	if (m->signed_dist)
		swapped = same_op(m->signed_dist, root);
	else if (!law_distributes(m->s, other, root, type))
		swapped = law_distributes(m->s, root, other, type);
	m->acc = swapped ? other : root;
	m->dist = swapped ? root : other;
	if (ordered)
		return true;
	if (!law_distributes(m->s, m->dist, m->acc, type))
		report_law(m, m->dist, m->acc, type);
	return !m->failed && is_associative(m, m->acc) && is_associative(m, m->dist);
}

/* ---- the result ---- */

/* Note [max and + of integers] */
const struct type *normal_type(const struct normal *m)
{
	const struct type *type = m->whole->type;
	bool extreme = m->acc->kind == OPK_MAX || m->acc->kind == OPK_MIN;
	bool sums = m->dist && m->dist->kind == OPK_SUM && type_class(type) != 'F';

	return extreme && sums && type_size(type) < 8 ? type_scalar(T_I64) : type;
}

/* The conversion to the target's type is no part of the recurrence: it is computed in its own. */
struct expr *unstored(const struct normal *m, struct expr *e)
{
	char to = type_class(e->type);

	if (e->kind != E_CAST || leaf_before(m, e) >= 0)
		return e;
	to = to == 'U' ? 'I' : to;
	char from = type_class(e->arg.at[0]->type);
	return to == (from == 'U' ? 'I' : from) ? e->arg.at[0] : e;
}

/* max(y - g, x) of unsigned: y - g wraps where the law would need it to be negative. */
static bool no_wrap(struct normal *m)
{
	bool extreme = m->acc->kind == OPK_MAX || m->acc->kind == OPK_MIN;

	if (!m->subtracts || !extreme || type_class(m->whole->type) != 'U')
		return true;
	if (no_law(m,
	           str_print("%s wraps below 0, so `-` does not distribute over `%s`",
	                     type_name(m->whole->type), op_symbol(m->acc)),
	           "",
	           str_print("%s(0, 1) - 1 is not %s(0 - 1, 1 - 1)", op_symbol(m->acc),
	                     op_symbol(m->acc))))
		diag_cure("give `%s` a signed type",
		          target_read((struct expr *)m->target)->var->name);
	return false;
}

bool normal_form(struct normal *m, struct form *f)
{
	ops_collect(m, m->whole);
	if (!m->failed && !m->n)
		no_form(m, m->whole, "this combines nothing with the previous cell");
	if (m->failed || !pair_settle(m, m->whole->type) || !no_wrap(m))
		return false;
	*f = form_of(m, m->whole);
	return !m->failed;
}
