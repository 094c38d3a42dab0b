/* gather_cells.c - a scatter whose subscripts are affine as statements of its cells.
 *
 *     scatter y[i + j] += w[j] * x[i];
 *
 * becomes
 *
 *     reduce y[at] += sum[j in max(0, at - n + 1)..min(m, at + 1)](w[j] * x[at - j]);
 *
 * (gather_reach.c).  Windows of few terms are stencils with masks, and are written out.  Equations
 * of one cell follow one another: what each brings is folded and then combined with what the cell
 * holds.  Where no index is free an equation brings one item or none.
 *
 * Every array of a statement that has several becomes a statement.  isl proves of each that what it
 * reads is inside its array, as it has proved of the scatter (legal.c). */
#include <math.h>
#include <string.h>

#include "ask.h"
#include "gather_cells.h"
#include "gather_reach.h"
#include "ragged.h"

enum { FIRST_ID = 1 << 29 };             /* of indices: before those of pass_separate.c */

/* ---- what an equation brings ---- */

/* As an operator of a program, whose function has a name that no program can give. */
static struct op *user_op(const struct op *op, const struct type *type)
{
	struct op *made = NEW(struct op);
	struct fn *fn = NEW(struct fn);
	struct expr *arg[2];
	const char *name = str_print("2%s_%s", op->name, type_name(type));
	*fn = (struct fn){ .name = str_name(name), .type = type, .sound = true, .steps = 1 };
	for (int k = 0; k < 2; k++) {
		struct var *v = NEW(struct var);
		*v = (struct var){ .kind = VAR_PARAM, .name = str_name(k ? "b" : "a"), .id = k,
			           .type = type, .mode = MODE_IN };
		list_add(&fn->param, v);
		arg[k] = expr_var(v, v->at);
	}
	fn->value = op_apply(op, arg[0], arg[1]);
	*made = (struct op){ .name = op->name, .kind = OPK_USER, .fn = fn,
		             .associative = true, .commutative = true };
	return made;
}

/* min and max ignore NaN, so NaN changes nothing, which makes it their identity here: a cell that
 * holds NaN keeps it if no item reaches the cell, or NaN alone. */
static const struct op *ignoring_nan(const struct op *op, const struct type *type)
{
	static struct op *made[2][T_STRUCT];
	struct op **place = &made[op->kind == OPK_MAX][type->kind];
	if (!*place) {
		const struct loc nowhere = { 0 };
		*place = user_op(op, type);
		(*place)->identity = expr_float(type, NAN, nowhere);
	}
	return *place;
}

/* The operator of an equation with its identity: it leaves every value as it is. */
static const struct op *neutral(const struct op *op, const struct type *type)
{
	bool ignores = op->kind == OPK_MIN || op->kind == OPK_MAX;
	return ignores && type_class(type) == 'F' ? ignoring_nan(op, type) : op;
}

static struct expr *fold_items(const struct reach *r, const struct op *op, struct expr *item)
{
	struct expr *e = expr_new(E_FOLD, item->type, item->at);
	e->fold = NEW(struct fold);
	e->fold->op = op;
	e->fold->where = r->where;
	for (int k = 0; k < r->node->index.n; k++) {
		if (r->inverse.place[k] != IS_FREE)
			continue;
		list_add(&e->fold->index, r->index[k]);
		list_add(&e->fold->lo, r->lo[k]);
		list_add(&e->fold->hi, r->hi[k]);
	}
	list_add(&e->arg, item);
	return e;
}

static struct expr *one_item(const struct reach *r, struct expr *item, struct expr *none)
{
	if (!r->where)
		return item;
	struct expr *e = expr_new(E_COND, item->type, item->at);
	list_add(&e->arg, r->where);
	list_add(&e->arg, item);
	list_add(&e->arg, none);
	return e;
}

/* ---- one array ---- */

struct array {
	const struct node *node;
	const struct expr *cell;             /* of its first equation */
	struct var *axis[MAX_RANK];          /* new subscripts, or NULL: as they are */
	bool masked, edges;
	int equations;
	struct node *made;
	const char *along;                   /* the free indices, "j, k" */
};

static const struct expr *cell_of(const struct equation *eq)
{
	return target_read(eq->target.at[0]);
}

static int indices_in(const struct affine *a)
{
	int n = 0;
	for (int t = 0; t < a->n; t++)
		n += a->term[t].var->kind == VAR_INDEX;
	return n;
}

/* The index is alone in this subscript of all equations, and no other bounds it; or none is in
 * it. */
static bool is_owner(const struct array *a, int axis)
{
	int64_t unused;
	const struct affine *sub = &a->cell->affine[axis];
	const struct var *index = affine_index(sub, &unused);
	for (int q = 0; q < a->node->equation.n; q++) {
		const struct expr *cell = cell_of(a->node->equation.at[q]);
		if (cell->var == a->cell->var && !affine_equal(&cell->affine[axis], sub))
			return false;
	}
	for (int k = 0; index && k < a->node->index.n; k++)
		for (int other = 0; a->node->index.at[k] == index && other < a->node->index.n;
		     other++)
			if (bounds_use(a->node, k, a->node->index.at[other]))
				return false;
	return indices_in(sub) < 2;
}

static struct var *new_axis(const struct array *a, int axis)
{
	struct var *v = NEW(struct var);
	const char *name = a->cell->arg.n == 1 ? str_print("%s_at", a->cell->var->name)
	                                       : str_print("%s_at%d", a->cell->var->name, axis);
	*v = (struct var){ .kind = VAR_INDEX,
		           .name = str_name(name),
		           .id = FIRST_ID + axis,
		           .at = a->node->at,
		           .type = type_scalar(T_I64) };
	return v;
}

static bool has_index(const struct node *made, const struct var *index)
{
	for (int k = 0; k < made->index.n; k++)
		if (made->index.at[k] == index)
			return true;
	return false;
}

static void add_index(struct node *made, struct var *index, struct expr *lo, struct expr *hi)
{
	list_add(&made->index, index);
	list_add(&made->lo, lo);
	list_add(&made->hi, hi);
}

/* The owners keep their ranges; new subscripts go over all of the array. */
static void make_domain(struct array *a)
{
	struct node *made = a->made;
	made->whole = true;
	for (int axis = 0; axis < a->cell->arg.n; axis++) {
		const struct affine *extent = &a->cell->var->extent[axis];
		int n = made->index.n;
		if (a->axis[axis])
			add_index(made, a->axis[axis], expr_int(type_scalar(T_I64), 0, a->node->at),
			          form_expr(extent, a->node->at));
		for (int k = 0; !a->axis[axis] && k < a->node->index.n; k++) {
			struct var *index = a->node->index.at[k];
			int64_t unused;
			if (index == affine_index(&a->cell->affine[axis], &unused)
			    && !has_index(made, index))
				add_index(made, index, a->node->lo.at[k], a->node->hi.at[k]);
		}
		made->whole &= made->index.n == n + 1
		               && (a->axis[axis] || a->cell->arg.at[axis]->kind == E_VAR)
		               && affine_spans(made->lo.at[n], made->hi.at[n], extent);
	}
}

static struct expr *target_of(const struct array *a, const struct equation *eq)
{
	struct expr *sub[MAX_RANK];
	for (int axis = 0; axis < a->cell->arg.n; axis++)
		sub[axis] = a->axis[axis] ? expr_var(a->axis[axis], eq->at)
		                          : a->cell->arg.at[axis];
	return expr_exchange(eq->target.at[0], cell_of(eq), expr_read(a->cell->var, sub, eq->at));
}

static bool same_place(const struct expr *a, const struct expr *b)
{
	if (a->kind != b->kind || a->field != b->field)
		return false;
	for (int k = 1; k < a->arg.n && a->kind == E_ELEM; k++)
		if (!expr_same(a->arg.at[k], b->arg.at[k]))
			return false;
	return a->kind == E_READ || same_place(a->arg.at[0], b->arg.at[0]);
}

/* The equation of that part of the cell, which holds what it held until now. */
static struct equation *equation_of(struct array *a, const struct equation *eq)
{
	for (int q = 0; q < a->made->equation.n; q++) {
		struct equation *made = a->made->equation.at[q];
		if (same_place(eq->target.at[0], made->target.at[0]))
			return made;
	}
	struct equation *made = NEW(struct equation);
	made->at = eq->at;
	list_add(&made->target, target_of(a, eq));
	made->right = made->target.at[0];
	list_add(&a->made->equation, made);
	return made;
}

/* -0 leaves 0 and -0 as they are. */
static struct expr *nothing(const struct op *op, const struct type *type)
{
	const struct loc nowhere = { 0 };
	if (op->kind == OPK_SUM && type_class(type) == 'F')
		return expr_float(type, -0.0, nowhere);
	return op_identity(op, type);
}

static bool is_lazy(const struct op *op)
{
	return op->kind == OPK_ALL || op->kind == OPK_ANY;
}

struct expr *cell_combined(const struct op *op, struct expr *held, struct expr *item)
{
	const struct type *type = held->type;
	held = expr_as(held, item->type);
	return expr_as(is_lazy(op) ? op_apply(op, item, held) : op_apply(op, held, item), type);
}

static const char *bring(struct array *a, const struct equation *eq)
{
	struct reach r = { .node = a->node, .cell = cell_of(eq), .axis = a->axis,
		           .item = eq->right, .masked = a->masked };
	const char *why = reach_cell(&r);
	a->edges |= r.edges;
	if (why)
		return why;
	struct expr *item = inverse_put(&r.inverse, eq->right);
	const struct op *op = neutral(eq->combine, item->type);
	struct expr *none = nothing(op, item->type);
	bool alone = a->equations == 1;
	a->along = inverse_free(&r.inverse);
	if (!none && (*a->along || !alone))
		return str_print("`%s` has no identity, which a cell without items needs",
		                 eq->combine->name);
	if (*a->along) {
		item = fold_items(&r, op, item);
	} else if (alone) {
		a->made->where = r.where;
	} else {
		item = one_item(&r, item, none);
	}
	struct equation *made = equation_of(a, eq);
	made->right = cell_combined(eq->combine, made->right, item);
	return NULL;
}

/* ---- which pattern it is ---- */

static bool count_tested(struct expr *e, void *state)
{
	*(int *)state += e->checked;
	return true;
}

static int tested(const struct node *node)
{
	int n = 0;
	node_walk((struct node *)node, count_tested, &n);
	return n;
}

static bool folds(const struct node *node)
{
	for (int q = 0; q < node->equation.n; q++)
		if (expr_has_fold(node->equation.at[q]->right))
			return true;
	return false;
}

static bool is_a(struct node *made, const struct pattern *pattern)
{
	made->pattern = pattern;
	diag_quiet(true);
	bool is = pattern->check(made);
	diag_quiet(false);
	return is;
}

static bool one_index(struct expr *e, void *state)
{
	int64_t unused;
	(void)state;
	for (int a = 0; e->kind == E_READ && a < e->arg.n; a++)
		if (e->affine[a].n && !affine_index(&e->affine[a], &unused))
			return false;
	return true;
}

/* Its operands are read by rows and columns. */
static bool is_product(struct node *made)
{
	return !is_a(made, pattern_all_pairs) && node_walk(made, one_index, NULL)
	       && is_a(made, pattern_products);
}

/* Reads that were proved stay so, and no others are tested. */
static bool is_proved(const struct array *a)
{
	diag_quiet(true);
	bool inside = affine_check_bounds(a->made);
	diag_quiet(false);
	if (node_clause(a->node, "trusted"))
		checks_left_out(a->made);
	return inside && tested(a->made) <= a->equations * tested(a->node);
}

static const char *make_array(struct array *a, bool masked)
{
	const char *why = NULL;
	a->masked = masked;
	a->made = NEW(struct node);
	*a->made = (struct node){ .kind = NODE_PATTERN,
		                  .at = a->node->at,
		                  .premise = a->node->premise,
		                  .name = a->node->name };
	a->made->clause.at = a->node->clause.at, a->made->clause.n = a->node->clause.n;
	make_domain(a);
	for (int q = 0; q < a->node->equation.n && !why; q++)
		if (cell_of(a->node->equation.at[q])->var == a->cell->var)
			why = bring(a, a->node->equation.at[q]);
	return why;
}

struct offsets { const struct node *node; const struct type *type; bool several; };

static bool see_offset(struct expr *e, void *state)
{
	struct offsets *o = state;
	struct shift s;
	for (int a = 0; e->kind == E_READ && a < e->arg.n; a++)
		if (access_shift(o->node, e->arg.at[a], &s)) {
			/* a map that computes it may be put there */
			o->several |= e->var->kind == VAR_LET || (o->type && o->type != e->type);
			o->type = e->type;
		}
	return true;
}

/* A mask tests whether a read is inside.  With edges, cells whose reads are all inside need no
 * test; the value of an edge is masked. */
static void answer_edges(struct array *a)
{
	struct offsets o = { .node = a->made };
	for (int q = 0; q < a->made->equation.n; q++)
		expr_walk(a->made->equation.at[q]->right, see_offset, &o);
	if (!a->edges || o.several || !strchr("IUFB", type_class(o.type)))
		return;
	struct expr *zero = op_identity(op_own(OPK_SUM), o.type);
	for (int k = 0; k < a->made->index.n; k++)
		for (int axis = 0; axis < a->cell->arg.n; axis++)
			if (a->axis[axis] == a->made->index.at[k])
				a->made->edge[k] = (struct edge){ B_VALUE, zero };
}

/* As a window of few terms, whose masks cost less than loops; else by ranges. */
static const char *cells_of(struct array *a)
{
	const char *why = make_array(a, true);
	if (why)
		return why;
	for (int q = 0; q < a->made->equation.n; q++) {
		struct equation *eq = a->made->equation.at[q];
		eq->right = pattern_windows->write_out(eq->right, false);
	}
	if (!folds(a->made)) {
		if (is_a(a->made, pattern_windows))
			answer_edges(a);
		else
			a->made->pattern = pattern_assign;
		if (is_proved(a))
			return NULL;
	}
	why = make_array(a, false);
	if (why)
		return why;
	a->made->pattern = pattern_assign;
	bool fits = !folds(a->made) || is_product(a->made) || is_a(a->made, pattern_assign_fold);
	return fits && is_proved(a) ? NULL : "the reads of a cell are not proved to be in bounds";
}

/* ---- all of a statement ---- */

static bool is_first(const struct node *node, int q)
{
	for (int p = 0; p < q; p++)
		if (cell_of(node->equation.at[p])->var == cell_of(node->equation.at[q])->var)
			return false;
	return true;
}

static const char *array_of(const struct node *node, int q, struct array *a)
{
	*a = (struct array){ .node = node, .cell = cell_of(node->equation.at[q]) };
	for (int p = 0; p < node->equation.n; p++)
		a->equations += cell_of(node->equation.at[p])->var == a->cell->var;
	for (int axis = 0; axis < a->cell->arg.n; axis++)
		a->axis[axis] = is_owner(a, axis) ? NULL : new_axis(a, axis);
	return cells_of(a);
}

/* Which element of the cell it is depends on an index. */
static bool element_moves(const struct expr *target)
{
	for (const struct expr *e = target; e->kind != E_READ; e = e->arg.at[0])
		for (int a = 1; e->kind == E_ELEM && a < e->arg.n; a++)
			if (e->arg.at[a]->kind != E_CONST)
				return true;
	return false;
}

static const char *not_affine(const struct node *node)
{
	if (node->expand)
		return "the items depend on data";
	if (node_clause(node, "strict"))
		return "`strict` keeps items in their order";
	if (node->equation.n > 1 && node_checked(node))
		return "its equations exclude items together";
	for (int q = 0; q < node->equation.n; q++) {
		const struct equation *eq = node->equation.at[q];
		const struct expr *cell = cell_of(eq);
		if (!eq->combine)
			return "no operator combines its items";
		for (int a = 0; a < cell->arg.n; a++)
			if (cell->affine[a].n < 0)
				return "its subscripts are known only at run time";
		if (element_moves(eq->target.at[0]))
			return "an index subscripts an element of a cell";
		if (cell->checked)
			return str_print("accesses to `%s` are tested at run time",
			                 cell->var->name);
	}
	return NULL;
}

const char *gather_cells(const struct node *node, struct cells_made *made)
{
	const char *why = not_affine(node);
	for (int q = 0; q < node->equation.n && !why; q++) {
		struct array a;
		if (!is_first(node, q))
			continue;
		why = array_of(node, q, &a);
		struct cells cells = { a.made, a.cell->var, a.along };
		list_add(&made->of, cells);
	}
	return why;
}
