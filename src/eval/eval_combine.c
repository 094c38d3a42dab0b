/* eval_combine.c - items that are combined in cells, `y[k[i]] += e`, and items with `unique`,
 * `y[k[i]] = e`.
 *
 * Items come in their order, each is combined into what its cell holds.  Whoever generates code may
 * let them come in any other, unless the statement is strict: the bound of a cell is that of a fold
 * over what it held before and all that came, so every cell that was met has a total of its own,
 * found by its address.
 *
 * Sums of f32 may be added atomically, and GPUs' atomic additions in global memory take subnormal
 * numbers for zero (PTX ISA, red and atom): the value in memory, the term and the result lose less
 * than the least normal number each.
 *
 * Of `unique` no two items may have one cell: if they have, one of them wins, and the cell is open,
 * unless both bring the same.  A place that is decided by rounding may be any cell of the array.
 * */
#include <string.h>

#include "eval_impl.h"
#include "small.h"

struct met { int64_t statement; struct total total; };   /* statement: that met it last */

static struct met *met_at(struct eval *ev, const void *at)
{
	struct met *m = known_find(ev->met, at);
	return m ? m : known_add(&ev->met, at, NEW(struct met));
}

static void add_float(struct total *t, const struct op *op, const struct type *type,
                      struct num term)
{
	if (op->kind == OPK_USER)
		total_user(t, type, term);
	else
		total_add(t, op, type, term);
}

/* What the cell holds before the first item of the statement is the first term. */
static void start(struct met *m, const struct node *node, const struct op *op,
                  const struct type *type, struct num held)
{
	m->total = (struct total){ .strict = node_clause(node, "strict"),
		                   .computes = op->kind == OPK_USER && fn_computes(op->fn) };
	add_float(&m->total, op, type, held);
	m->total.value = held;
	m->total.started = true;
}

static struct num by_user(struct eval *ev, const struct op *op, struct num held, struct num term)
{
	struct num two[2] = { held, term };
	return call(ev, compile_body(ev, op->fn), two);
}

/* of: the type that the operator computes in, and the term has */
static struct num combined(struct eval *ev, struct total *t, const struct op *op,
                           const struct type *type, const struct type *of, struct num held,
                           struct num term)
{
	bool exact = type_class(type) != 'F' && !in_memory(type);
	if (op->kind == OPK_USER) {
		t->value = by_user(ev, op, held, term);
		add_float(t, op, type, term);
		return exact ? t->value : total_end(t, op, type);
	}
	if (exact)
		return t->value = num_cast(type, of,
		                           num_fold(op, of, num_cast(of, type, held), term));
	total_add(t, op, type, term);
	struct num v = total_end(t, op, type);
	if (type->kind == T_F32 && op->kind == OPK_SUM && !t->strict)
		v.e += 3 * (double)t->terms * float_limits(type)->least_normal;
	return v;
}

static void open_all(const struct code *target)
{
	while (target->expr->kind != E_READ)
		target = target->arg[0];
	for (int64_t c = 0; c < target->place->cells; c++)
		target->place->error[c] = OPEN;
}

static struct num store(const struct code *target, unsigned char *to, const struct type *of,
                        struct num v)
{
	v = num_cast(target->type, of, v);
	if (!in_memory(of) || v.i)
		num_store(target->type, to, v);
	return v;
}

static bool same_bytes(const struct code *target, const unsigned char *to, struct num v)
{
	unsigned char *bytes = array_new(1, (size_t)type_size(target->type));
	num_store(target->type, bytes, v);
	return !memcmp(bytes, to, (size_t)type_size(target->type));
}

/* Values that the operator of a statement folds: what the cell held, and an item. */
static void folds_value(struct eval *ev, const struct node *node, const struct op *op,
                        const struct type *type, struct num v)
{
	if (op && op->given && op->fn->type == type && !node_clause(node, "strict"))
		folded_value(ev, op, v, node->at);
}

void combine_cell(struct eval *ev, const struct cell_code *cells, int q, struct num v, bool open)
{
	const struct equation *eq = cells->node->equation.at[q];
	const struct code *target = cells->target[q].at[0];
	const struct type *type = target->type, *of = cells->right[q]->type;
	double *error;
	ev->astray = false;
	unsigned char *to = target_at(ev, target, &error);
	if (!to)
		return;
	struct met *m = met_at(ev, to);
	bool again = m->statement == ev->statement;
	bool unique = node_clause(cells->node, "unique") || !cells->node->pattern->combines;
	struct num held = num_load(type, to);
	held.e = *error;
	if (!again && eq->combine)
		start(m, cells->node, eq->combine, type, held);
	if (!again)
		folds_value(ev, cells->node, eq->combine, type, held);
	folds_value(ev, cells->node, eq->combine, of, v);
	m->statement = ev->statement;
	bool clash = again && unique
	             && (eq->combine || !same_bytes(target, to, num_cast(type, of, v)));
	if (eq->combine)
		v = store(target, to, type,
		          combined(ev, &m->total, eq->combine, type, of, m->total.value, v));
	else
		v = store(target, to, of, v);
	if (in_memory(type))                     /* where the next item finds it */
		m->total.value.i = (int64_t)(intptr_t)to;
	*error = open || clash ? OPEN : target->expr->kind == E_READ ? v.e : worse(*error, v.e);
	if (ev->astray)
		open_all(target);
}
