/* pairs_sema.c - pairs ... within R of (x, y) from (gx, gy) wrap (lx, ly): how it is read.
 *
 * The distance becomes a condition of every fold (src/graph/cutoff.h), next to what `where` says
 * there.  What the box must be is required of every call. */
#include <assert.h>
#include <string.h>

#include "ask.h"
#include "pairs_near.h"
#include "../lowerings.h"

static bool refused(struct loc at, const char *what, const char *cure)
{
	diag_error(at, D_CUTOFF, "%s", what);
	if (cure)
		diag_cure("%s", cure);
	return false;
}

/* ---- the names of coordinates ---- */

struct field_search {
	const char *name;
	struct var *found;                   /* an array of structs that have the field */
	bool several;
	const struct node *apart;            /* whose cells are no bodies, and read no terms */
};

static bool is_cell_name(const struct node *apart, const char *name)
{
	for (int k = 0; apart && k < apart->index.n; k++)
		if (apart->index.at[k]->name == name)
			return true;
	return false;
}

static bool of_no_cell(struct expr *e, void *apart)
{
	return e->kind != E_VAR || e->var->kind != VAR_INDEX || !is_cell_name(apart, e->var->name);
}

static const struct field *field_of(const struct type *type, const char *name)
{
	return type->kind == T_STRUCT ? field_find(type->record, name) : NULL;
}

static bool see_read(struct expr *e, void *state)
{
	struct field_search *s = state;
	if (e->kind == E_READ && e->arg.n == 1 && field_of(e->type, s->name)
	    && expr_walk(e->arg.at[0], of_no_cell, (void *)s->apart)) {
		s->several |= s->found && s->found != e->var;
		s->found = e->var;
	}
	return true;
}

static bool reads_array(struct sema *s, const struct ast *a, const struct var *array)
{
	const struct binding *b = a->kind == A_SUBSCRIPT ? name_find(s, a->name) : NULL;
	bool reads = b && b->var == array;
	for (int k = 0; k < a->arg.n && !reads; k++)
		reads = a->arg.at[k] && reads_array(s, a->arg.at[k], array);
	return reads;
}

/* The places of cells are read of it. */
static bool has_places(const struct field_search *f, struct sema *s, const struct var *array)
{
	const struct clause_use *from = f->apart ? node_clause(f->apart, "from") : NULL;
	for (int k = 0; from && k < from->value.n; k++)
		if (reads_array(s, from->value.at[k], array))
			return true;
	return false;
}

static void search_list(struct field_search *f, struct sema *s, struct var *const *at, int n)
{
	for (int k = 0; k < n; k++)
		if (at[k]->rank == 1 && field_of(at[k]->type, f->name)
		    && !has_places(f, s, at[k])) {
			f->several |= f->found != NULL;
			f->found = at[k];
		}
}

/* Of the kernel's arrays, if the equations read none. */
static void search_kernel(struct field_search *f, struct sema *s)
{
	if (f->found)
		return;
	search_list(f, s, s->entry->param.at, s->entry->param.n);
	search_list(f, s, s->entry->let.at, s->entry->let.n);
}

static bool each_fold(struct expr *e, bool (*visit)(struct expr *, void *), void *state)
{
	if (e->kind == E_FOLD)
		return visit(e, state);
	for (int a = 0; a < e->arg.n; a++)
		if (!each_fold(e->arg.at[a], visit, state))
			return false;
	return true;
}

bool pairs_each_fold(struct node *node, bool (*visit)(struct expr *, void *), void *state)
{
	for (int q = 0; q < node->equation.n; q++)
		if (!each_fold(node->equation.at[q]->right, visit, state))
			return false;
	return true;
}

static bool no_field(const struct ast *a)
{
	return refused(a->at,
	               str_print("`%s` is neither an array nor a field of an array of structs",
	                         a->name),
	               "name arrays of coordinates, or fields of the bodies: `sum[j](p[j].m)` and "
	               "`within r of (x, y)`");
}

/* The one array of structs with such a field that the equations read, or that there is. */
static struct var *struct_array(struct near *n, const struct ast *a)
{
	struct field_search s = { .name = a->name, .apart = n->from ? n->node : NULL };
	const struct node *listed = n->s->listed;
	for (int q = 0; q < n->node->equation.n; q++)
		expr_walk(n->node->equation.at[q]->right, see_read, &s);
	for (int q = 0; listed && q < listed->equation.n; q++)
		expr_walk(listed->equation.at[q]->right, see_read, &s);
	search_kernel(&s, n->s);
	if (s.several)
		refused(a->at, str_print("`%s` is a field of several arrays of structs", a->name),
		        "name arrays of coordinates instead");
	else if (!s.found)
		no_field(a);
	return s.several ? NULL : s.found;
}

static bool is_number(const struct type *type)
{
	return strchr("IUF", type_class(type));
}

static bool add_axis(struct near *n, const struct ast *a)
{
	struct coordinate *c = &n->axis[n->axes++];
	struct binding *b = name_find(n->s, a->name);
	bool array = b && b->var && b->var->rank;
	c->array = array ? b->var : struct_array(n, a);
	if (!c->array)
		return false;
	c->field = array ? NULL : field_of(c->array->type, a->name);
	const struct type *type = c->field ? c->field->type : c->array->type;
	if (c->array->rank != 1 || !is_number(type))
		return refused(a->at,
		               str_print("`%s` is not an array of numbers with one axis", a->name),
		               "a coordinate must have a number for every body");
	if (array && b->var->kind == VAR_PARAM && b->var->mode == MODE_OUT && !b->written) {
		out_unwritten(a->at, b->var, b->target);
		return false;
	}
	if (type_class(type) != 'F' || type_size(type) == 8)
		n->type = type_scalar(T_F64);
	return affine_equal(&c->array->extent[0], &n->axis[0].array->extent[0])
	       || refused(a->at, str_print("`%s` and `%s` have different sizes", c->array->name,
	                                   n->axis[0].array->name), NULL);
}

/* ---- the places of cells that are no bodies ---- */

static bool is_no_counter(struct expr *e, void *unused)
{
	(void)unused;
	return e->kind != E_VAR || e->var->kind != VAR_COUNTER;
}

/* Known when the kernel is called. */
static bool is_of_call(struct expr *e)
{
	return is_uniform(e) && !expr_on_device(e) && expr_walk(e, is_no_counter, NULL);
}

static bool folds_nothing(struct expr *e, void *unused)
{
	(void)unused;
	return e->kind != E_FOLD;
}

static struct expr *place_along(const struct near *n, int axis)
{
	return expr_value(n->s, n->from->value.at[axis]);
}

static bool add_place(struct near *n, int axis)
{
	const struct expr *e = place_along(n, axis);
	if (!e)
		return false;
	if (e->type->rank || !is_number(e->type))
		return refused(e->at, "a coordinate of a cell's position is not a number", NULL);
	if (!expr_walk((struct expr *)e, folds_nothing, NULL))
		return refused(e->at, "a coordinate of a cell's position cannot be a fold",
		               "compute it in an earlier statement");
	if (type_class(e->type) != 'F' || type_size(e->type) == 8)
		n->type = type_scalar(T_F64);
	return true;
}

static bool unknown_range(const struct node *node, int k)
{
	const char *what = str_print("the range of `%s` is not known when the kernel is called",
	                             node->index.at[k]->name);
	return refused(node->lo.at[k]->at, what,
	               "use sizes and scalar parameters only, so that the host knows the number of "
	               "cells");
}

static bool add_places(struct near *n)
{
	const struct node *node = n->node;
	if (!n->from)
		return true;
	if (n->from->value.n != n->axes)
		return refused(n->from->at,
		               str_print("`from` has %d coordinate%s, but `within` has %d",
		                         n->from->value.n, n->from->value.n > 1 ? "s" : "",
		                         n->axes),
		               "give the position of a cell along each axis");
	for (int a = 0; a < n->axes; a++)
		if (!add_place(n, a))
			return false;
	for (int k = 0; k < node->index.n; k++)
		if (!is_of_call(node->lo.at[k]) || !is_of_call(node->hi.at[k]))
			return unknown_range(node, k);
	return true;
}

/* ---- numbers of the call ---- */

static struct expr *number_given(const struct near *n, const struct ast *a, const char *what)
{
	struct expr *e = expr_typed(n->s, a, n->type, what);
	if (!e || is_of_call(e))
		return e;
	refused(a->at, str_print("%s is not known when the kernel is called", what),
	        "use a constant, or compute it from sizes and scalar parameters");
	return NULL;
}

static struct expr *compared(enum operation op, struct expr *a, struct expr *b)
{
	return make_binary(op, a, b, a->at);
}

/* What must hold: of constants at once, else of every call. */
static bool required(struct near *n, struct expr *condition, const char *what)
{
	if (condition->kind == E_CONST)
		return condition->value.i || refused(condition->at, what, NULL);
	list_add(&n->s->entry->require, condition);
	return true;
}

static bool add_lengths(struct near *n, const struct clause_use *wrap)
{
	if (wrap->value.n != n->axes)
		return refused(wrap->at,
		               str_print("`wrap` has %d lengths for %d coordinate%s", wrap->value.n,
		                         n->axes, n->axes > 1 ? "s" : ""),
		               "give the length of the box along each of them, in order");
	for (int a = 0; a < n->axes; a++) {
		struct expr *two = expr_float(n->type, 2, wrap->at), *length;
		n->written_length[a] = wrap->value.at[a];
		n->length[a] = length = number_given(n, wrap->value.at[a], "a length of the box");
		if (!length
		    || !required(n,
		                 compared(OP_GE, length,
		                          make_binary(OP_MUL, two, n->radius, wrap->at)),
		                 "the box is shorter than two radii, so pairs of bodies would be "
		                 "found twice"))
			return false;
	}
	return true;
}

static bool add_numbers(struct near *n, const struct clause_use *within)
{
	const struct clause_use *wrap = node_clause(n->node, "wrap");
	n->written = within->value.at[0];
	n->radius = number_given(n, n->written, "the radius");
	if (!n->radius
	    || !required(n, compared(OP_GT, n->radius, expr_float(n->type, 0, within->at)),
	                 "the radius is not greater than 0"))
		return false;
	return !wrap || add_lengths(n, wrap);
}

/* ---- conditions ---- */

/* Of the body at the index; NULL: of a cell that has a place. */
static struct expr *coordinate_at(const struct near *n, int axis, struct var *index)
{
	const struct coordinate *c = &n->axis[axis];
	if (!index)
		return expr_cast(place_along(n, axis), n->type);
	struct expr *sub = expr_var(index, n->at), *e = expr_read(c->array, &sub, n->at);
	return expr_cast(c->field ? expr_part(e, c->field, NULL) : e, n->type);
}

static struct expr *both(struct expr *a, struct expr *b)
{
	return !a ? b : !b ? a : make_binary(OP_LAND, a, b, a->at);
}

/* 0 <= x, x < length, along all axes; NULL: there is no box */
static struct expr *inside_box(const struct near *n, struct var *index)
{
	struct expr *inside = NULL;
	for (int a = 0; a < n->axes && n->length[a]; a++) {
		struct expr *x = coordinate_at(n, a, index);
		inside = both(inside, compared(OP_GE, x, expr_float(n->type, 0, n->at)));
		inside = both(inside, compared(OP_LT, coordinate_at(n, a, index), n->length[a]));
	}
	return inside;
}

/* Along an axis; in a box without its sign. */
static struct expr *distance(const struct near *n, int axis, struct var *cell, struct var *term)
{
	struct expr *d = make_binary(OP_SUB, coordinate_at(n, axis, term),
	                             coordinate_at(n, axis, cell), n->at);
	if (!n->length[axis])
		return d;
	return make_math(M_abs, &d, 1, n->at);
}

/* Along an axis, to the nearest image. */
static struct expr *to_image(const struct near *n, int axis, struct var *cell, struct var *term)
{
	struct expr *d = distance(n, axis, cell, term), *other;
	if (!n->length[axis])
		return d;
	other = make_binary(OP_SUB, n->length[axis], distance(n, axis, cell, term), n->at);
	return make_math(M_min, (struct expr *[]){ d, other }, 2, n->at);
}

static struct expr *is_near(const struct near *n, struct var *cell, struct var *term)
{
	struct expr *sum = NULL;
	for (int a = 0; a < n->axes; a++) {
		struct expr *square = make_binary(OP_MUL, to_image(n, a, cell, term),
		                                  to_image(n, a, cell, term), n->at);
		sum = sum ? make_binary(OP_ADD, sum, square, n->at) : square;
	}
	return compared(OP_LT, sum, make_binary(OP_MUL, n->radius, n->radius, n->at));
}

static bool add_condition(struct expr *e, void *state)
{
	const struct near *n = state;
	struct fold *fold = e->fold;
	struct var *cell = n->from ? NULL : n->node->index.at[0], *term = fold->index.at[0];
	struct expr *near = both(is_near(n, cell, term), fold->where);
	struct expr *inside = both(inside_box(n, cell), inside_box(n, term));
	fold->where = both(inside, near);
	return true;
}

static bool has_one_index(struct expr *e, void *unused)
{
	(void)unused;
	return e->fold->index.n == 1
	       || refused(e->at,
	                  "`within` applies to pairs of two bodies, but this fold has several "
	                  "indices",
	                  "`sum[j](...)`");
}

static struct node *box_new(const struct near *n, const char *suffix, struct expr *inside)
{
	struct node *box = NEW(struct node);
	*box = (struct node){ .kind = NODE_PATTERN,
		              .at = n->node->at,
		              .premise = n->node->premise,
		              .name = str_name(str_print("%s_%s", n->node->name, suffix)),
		              .pattern = pattern_in_box,
		              .where = inside };
	for (int k = 0; k < n->node->clause.n; k++)
		list_add(&box->clause, n->node->clause.at[k]);
	return box;
}

/* Records the bodies outside of the box. */
static struct node *box_of(const struct near *n, const struct affine *bodies)
{
	struct var *body = var_new(n->s, VAR_INDEX, str_name("body"), type_scalar(T_I64), n->at);
	struct node *box = box_new(n, "box", inside_box(n, body));
	list_add(&box->index, body);
	list_add(&box->lo, expr_int(type_scalar(T_I64), 0, n->at));
	list_add(&box->hi, extent_expr(bodies, n->at));
	bool inside = affine_check_bounds(box);
	assert(inside && "bodies are all cells of their arrays");
	return box;
}

/* Likewise the places of cells that the statement has; NULL: reported. */
static struct node *box_of_places(const struct near *n)
{
	const struct node *node = n->node;
	struct expr *inside = inside_box(n, NULL);
	if (node->where)
		inside = make_binary(OP_LOR, make_unary(OP_NOT, expr_copy(node->where), n->at),
		                     inside, n->at);
	struct node *box = box_new(n, "places", inside);
	for (int k = 0; k < node->index.n; k++) {
		list_add(&box->index, node->index.at[k]);
		list_add(&box->lo, expr_copy(node->lo.at[k]));
		list_add(&box->hi, expr_copy(node->hi.at[k]));
	}
	if (!affine_check_bounds(box))
		return NULL;
	if (!expr_checked(box->where))
		return box;
	refused(n->from->at,
	        "the position of a cell is read at a data-dependent index, or for data-dependent "
	        "cells",
	        "write `drop` or `trusted`: positions are then not tested against the box");
	return NULL;
}

static bool few_enough(struct near *n, const struct affine *bodies)
{
	struct expr *most = expr_int(type_scalar(T_I64), CUTOFF_BODIES, n->at);
	return required(n, compared(OP_LE, extent_expr(bodies, n->at), most),
	                "there are more than 2^31 - 65 bodies, but their cells are numbered in 32 "
	                "bits");
}

static struct expr *range_size(const struct near *n, int k)
{
	const struct expr *lo = n->node->lo.at[k];
	struct expr *hi = expr_copy(n->node->hi.at[k]), *zero = expr_int(hi->type, 0, n->at);
	if (expr_same(lo, zero) && hi->kind == E_VAR && hi->var->kind == VAR_SIZE)
		return hi;
	struct expr *some = make_binary(OP_SUB, hi, expr_copy(lo), n->at);
	return make_math(M_max, (struct expr *[]){ some, zero }, 2, n->at);
}

/* A cap lists cells in 32 bits, too. */
static bool few_places(struct near *n)
{
	const struct type *f64 = type_scalar(T_F64);
	struct expr *cells = NULL;
	for (int k = 0; k < n->node->index.n && n->from; k++) {
		struct expr *size = expr_cast(range_size(n, k), f64);
		cells = cells ? make_binary(OP_MUL, cells, size, n->at) : size;
	}
	return !cells
	       || required(n, compared(OP_LE, cells, expr_float(f64, CUTOFF_BODIES, n->at)),
	                   "there are more than 2^31 - 65 cells, but they are numbered in 32 bits");
}

/* ---- how many bodies there are ---- */

static bool reads_at_cell(const struct ast *a, const struct node *apart)
{
	const struct ast *at = a->sub.n ? a->sub.at[0]->lo : NULL;
	return at && at->kind == A_NAME && is_cell_name(apart, at->name);
}

/* Of an array of structs with that field, which the expression reads: not at cells of `apart`. */
static const struct affine *extent_in(struct sema *s, const struct ast *a, const char *field,
                                      const struct node *apart)
{
	const struct binding *b = a && a->kind == A_SUBSCRIPT ? name_find(s, a->name) : NULL;
	const struct affine *found = NULL;
	if (b && b->var && b->var->rank == 1 && field_of(b->var->type, field)
	    && !reads_at_cell(a, apart))
		return &b->var->extent[0];
	for (int k = 0; a && k < a->arg.n && !found; k++)
		found = extent_in(s, a->arg.at[k], field, apart);
	return found;
}

/* The extent of the array of that name, or of an array of structs with a field of that name; NULL:
 * there is neither. */
static const struct affine *extent_named(struct sema *s, const struct ast_stmt *a,
                                         const struct ast *name, const struct node *apart)
{
	const struct binding *b = name_find(s, name->name);
	const struct affine *found = NULL;
	if (b && b->var && b->var->rank)
		return &b->var->extent[0];
	for (int q = 0; q < a->equation.n && !found; q++)
		found = extent_in(s, a->equation.at[q]->right, name->name, apart);
	struct field_search only = { .name = name->name, .apart = apart };
	if (!found)
		search_kernel(&only, s);
	return found || !only.found ? found : &only.found->extent[0];
}

static bool is_name(const struct ast *a)
{
	return a->kind == A_NAME
	       || refused(a->at, "a coordinate must be the name of an array or of a field",
	                  "`within r of (x, y, z)`");
}

/* `count[j](true)`: terms are all bodies. */
static bool open_pairs(struct sema *s, const struct ast_stmt *a, struct node *node)
{
	const struct clause_use *within = node_clause(node, "within");
	const struct node *apart = node_clause(node, "from") ? node : NULL;
	for (int k = 1; within && k < within->value.n; k++) {
		const struct ast *name = within->value.at[k];
		if (!is_name(name))
			return false;
		const struct affine *extent = extent_named(s, a, name, apart);
		if (!extent)
			return no_field(name);
		s->bodies = extent;
	}
	return true;
}

static bool without_within(const struct clause_use *from, const struct clause_use *wrap)
{
	if (from)
		return refused(from->at, "`from` without `within`",
		               "`within r of (x, y) from (gx[i], gy[i])`");
	return !wrap || refused(wrap->at, "`wrap` without `within`",
	                        "`within r of (x, y) wrap (lx, ly)`");
}

static bool has_indices(const struct near *n)
{
	if (n->node->index.n == 1 || (n->from && n->node->index.n))
		return true;
	if (n->from)
		return refused(n->from->at,
		               "`from` gives the positions of cells, but there is only one cell",
		               "`pairs v[i] = sum[j](...)`");
	return refused(n->at,
	               "`within` applies to pairs of two bodies, but these cells have several "
	               "indices, or none",
	               "write `pairs f[i] = sum[j](...)`, or give the positions of cells: `from (h "
	               "* i, h * k)`");
}

/* Statements that record what is outside of the box. */
static bool add_boxes(const struct near *n, struct cutoff *c)
{
	if (!c->wraps || node_clause(n->node, "trusted") || node_clause(n->node, "drop"))
		return true;
	c->box = box_of(n, &c->bodies);
	return !n->from || (c->places = box_of_places(n));
}

static bool close_pairs(struct sema *s, struct node *node)
{
	const struct clause_use *within = node_clause(node, "within"),
		*wrap = node_clause(node, "wrap"), *from = node_clause(node, "from");
	struct near n = { .s = s, .node = node, .type = type_scalar(T_F32), .from = from };
	if (!within)
		return without_within(from, wrap);
	n.at = within->at;
	if (!has_indices(&n))
		return false;
	if (!pairs_each_fold(node, has_one_index, NULL))
		return false;
	if (within->value.n - 1 > CUTOFF_AXES)
		return refused(within->at, "a distance has at most three coordinates", NULL);
	for (int k = 1; k < within->value.n; k++)
		if (!add_axis(&n, within->value.at[k]))
			return false;
	if (!add_places(&n) || !add_numbers(&n, within))
		return false;
	const struct affine *bodies = &n.axis[0].array->extent[0];
	if (!few_enough(&n, bodies) || !few_places(&n))
		return false;
	struct cutoff *c = node->cutoff = NEW(struct cutoff);
	*c = (struct cutoff){ .axes = n.axes, .at = n.at, .bodies = *bodies };
	c->wraps = wrap;
	c->listed = s->listed;
	pairs_each_fold(node, add_condition, &n);
	pairs_grid(&n, c);
	return add_boxes(&n, c);
}

const struct front pairs_front = { .open = open_pairs, .close = close_pairs };
