/* solve_sema.c - solve x[i] in left = right: how it is read.
 *
 * solve_form.c finds the coefficients of the left side.  They make a row, with those of the fields
 * of a struct, or of neighbours two cells away if there are any.  A guard at the end of an axis is
 * a coefficient of 0 there, and `boundary (0)` is that guard.
 *
 * Without that clause the left side stays in the statement until all reads of the unknown are
 * proved to be inside (settle).
 *
 * A dense system has a sum in its place; a coefficient of the own cell is added to the entry where
 * j == i. */
#include <stdlib.h>
#include <string.h>

#include "ask.h"
#include "running.h"
#include "solve_form.h"

/* ---- the row ---- */

/* the field of a row that has the left side */
#define LEFT "left"

/* The parts of a statement's row, in the order of solving.h. */
enum { MOST_PARTS = (3 * BLOCK_MOST + 1) * BLOCK_MOST };
struct row { int reach, fields; struct expr *part[MOST_PARTS]; };

static struct expr *parts_new(const char *type, const char *const *name, struct expr *const *part,
                              int n)
{
	struct field field[MOST_PARTS + 1] = { 0 };
	struct expr *row;

	for (int k = 0; k < n; k++)
		field[k] = (struct field){ str_name(name[k]), part[k]->type, 0 };
	row = expr_new(E_STRUCT, type_made(type, n, field), part[0]->at);
	for (int k = 0; k < n; k++)
		list_add(&row->arg, part[k]);
	return row;
}

/* in equation r of a cell, of field c of the unknown */
static struct expr **coefficient(struct row *row, int steps, int r, int c)
{
	return &row->part[((row->reach + steps) * row->fields + r) * row->fields + c];
}

static struct expr **right_side(struct row *row, int r)
{
	return coefficient(row, row->reach + 1, 0, 0) + r;
}

/* What the part is called in dumps: "own", "before2", "own_0_1", "right_1". */
static const char *part_called(const struct row *row, int k)
{
	static const char *const side[] = { "before2", "before", "own", "after", "after2" };
	const int n = row->fields, at = k / (n * n), sides = 2 * row->reach + 1;
	const char *name = at < sides ? side[BAND_REACH - row->reach + at] : "right";

	if (n == 1)
		return name;
	return at < sides ? str_print("%s_%d_%d", name, k / n % n, k % n)
	                  : str_print("%s_%d", name, k % n);
}

/* left: the left side, which stays for now, or NULL. */
static struct expr *row_new(struct row *row, struct expr *left)
{
	const int parts = (int)(right_side(row, row->fields) - row->part);
	const char *name[MOST_PARTS + 1];
	struct expr *all[MOST_PARTS + 1];

	for (int k = 0; k < parts; k++) {
		name[k] = part_called(row, k);
		all[k] = row->part[k];
	}
	name[parts] = LEFT;
	all[parts] = left;
	return parts_new(left ? "equation" : "row", name, all, left ? parts + 1 : parts);
}

/* Is there a cell so many steps from the bound one? */
static struct expr *has_beside(const struct solver *v, int steps)
{
	const struct type *type = type_scalar(T_I64);
	const struct affine *extent = &v->target->var->extent[v->axis];
	struct expr *i = v->target->arg.at[v->axis], *away = expr_int(type, abs(steps), i->at);

	if (steps < 0)
		return make_binary(OP_GE, i, away, i->at);
	return make_binary(OP_LT, i, make_binary(OP_SUB, extent_expr(extent, i->at), away, i->at),
	                   i->at);
}

static struct expr *zero_like(const struct expr *e)
{
	return expr_float(e->type, 0, e->at);
}

/* The coefficient where it is inside: a condition on top, which lowerings find.  What it is outside
 * goes to the coefficient one cell nearer, which is bounded after it, or to the right side. */
static void bound_part(struct solver *v, struct row *row, int steps, int r, int c)
{
	struct expr **part = coefficient(row, steps, r, c), *coef = *part, *is, *left;
	struct expr **nearer = coefficient(row, steps + (steps < 0 ? 1 : -1), r, c);

	if (!coef)
		return;
	is = has_beside(v, steps);
	*part = make_cond(is, coef, zero_like(coef), coef->at);
	if (v->clamped) {
		left = make_cond(is, zero_like(coef), coef, coef->at);
		*nearer = *nearer ? make_binary(OP_ADD, *nearer, left, coef->at) : left;
	} else if (v->outside[c]) {
		left = make_cond(is, zero_like(coef), linear_times(coef, v->outside[c]), coef->at);
		*right_side(row, r) = make_binary(OP_SUB, *right_side(row, r), left, coef->at);
	}
}

/* The equations of a cell, each of the fields of the unknown: from its ends inwards. */
static void bound_row(struct solver *v, struct row *row)
{
	const int n = row->fields;

	for (int side = -1; side <= 1; side += 2)
		for (int k = row->reach; k; k--)
			for (int rc = 0; rc < n * n; rc++)
				bound_part(v, row, side * k, rc / n, rc % n);
}

/* of the unknown, or of its fields */
static const struct type *number_type(const struct type *type)
{
	return type->kind == T_STRUCT ? type->record->field.at[0].type : type;
}

/* The field of a value of the unknown's type. */
static struct expr *field_of(struct solver *v, struct expr *e, int field)
{
	return v->fields > 1 ? linear_field(v, e, &v->target->type->record->field.at[field]) : e;
}

static struct expr *part_of(struct expr *e, const struct type *type, struct loc at,
                            const char *what)
{
	return e ? expr_convert(e, type, what) : expr_float(type, 0, at);
}

/* f: for each field of the left side */
static bool has_terms(struct solver *v, const struct form *f, const struct expr *left)
{
	const char *name = v->target->var->name;
	bool own = false;

	for (int r = 0; r < v->fields; r++) {
		own |= linear_has(&f[r], 0);
		if (v->fields > 1 && !linear_has(&f[r], 0) && !linear_reach(&f[r]))
			linear_wrong(v, left->at,
			             str_print("field `%s` of the left side does not read `%s`",
			                       left->type->record->field.at[r].name, name),
			             "each field of the left side is an equation for the unknown");
	}
	if (!v->reach)
		linear_wrong(v, left->at,
		             str_print("the left side does not read `%s` at a neighbour", name),
		             v->fields > 1 ? "for cells by themselves, solve dense systems: `solve "
		                             "y[i, r] in sum[c](A[i, r, c] * y[i, c]) = d[i, r]`"
		                           : "to divide, write a `map`: `map x[i] = d[i] / b[i]`");
	else if (!own)
		linear_wrong(v, left->at,
		             str_print("the left side has no term with %s, its own cell",
		                       expr_text(v->target)),
		             "order the equations so that each contains its own unknown");
	return !v->failed;
}

/* ---- the row of a dense system ---- */

static bool has_size(struct solver *v, struct loc at)
{
	const struct var *x = v->target->var;
	const struct affine *size = &x->extent[v->axis];

	if (size->n || size->constant < 1 || size->constant > DENSE_MOST) {
		diag_error(at, D_DENSE,
		           size->n ? "the size of a dense system must be a constant, but that of "
		                     "`%s` is %s"
		                   : "a dense system has 1 to 32 unknowns, but `%s` has %s",
		           x->name, affine_text(size));
		diag_cure("declare the axis with a constant, `%s: f32[m, 16]`; for larger systems "
		          "use a library",
		          x->name);
		v->failed = true;
	}
	return !v->failed;
}

static bool dense_fits(struct solver *v, const struct node *node)
{
	struct loc at = v->sum->at;
	const struct clause_use *pivot = node_clause(node, "pivot");

	if (v->reach)
		linear_wrong(v, at,
		             str_print("the left side reads `%s` both at neighbours and in a sum",
		                       v->target->var->name),
		             "write a neighbour as a term of the sum: `j == i - 1 ? a[i] : 0`");
	else if (node_clause(node, "boundary"))
		linear_wrong(v, node_clause(node, "boundary")->at,
		             "a dense system reads no unknown outside its array, so it has no "
		             "`boundary`",
		             "leave the clause out");
	else if (pivot)
		linear_wrong(v, pivot->at, "a dense system always uses pivots",
		             "remove `pivot`; `symmetric positive` says that no pivoting is "
		             "needed"),
			fix_leave_out(pivot->at);
	return !v->failed && has_size(v, at);
}

/* The coefficient of the own cell belongs to the entry on the diagonal. */
static struct expr *dense_row(struct solver *v, struct form f, struct expr *right)
{
	static const char *const name[] = { "entry", "right" };
	const struct type *type = v->target->type;
	struct expr *own = f.coef[linear_part(0, 0)], *part[DENSE_PARTS], *is;
	struct loc at = v->sum->at;

	if (own) {
		is = make_binary(OP_EQ, v->target->arg.at[v->axis],
		                 expr_var(v->sum->fold->index.at[0], at), at);
		own = make_cond(is, own, zero_like(own), at);
	}
	own = linear_added(f.coef[ENTRY], own, OP_ADD);
	part[DENSE_ENTRY] = part_of(own, type, at, "a coefficient");
	right = linear_added(right, f.rest, OP_SUB);
	part[DENSE_RIGHT] = part_of(right, type, right->at, "the right side");
	if (!part[DENSE_ENTRY] || !part[DENSE_RIGHT])
		return NULL;
	part[DENSE_ENTRY] = linear_over(v->sum, part[DENSE_ENTRY]);
	part[DENSE_ENTRY]->narrow = NULL;
	return parts_new("dense", name, part, DENSE_PARTS);
}

/* Equation r of a cell; false: reported. */
static bool row_fill(struct solver *v, struct row *row, int r, const struct form *f,
                     struct expr *right)
{
	const struct type *type = number_type(v->target->type);

	for (int k = -row->reach; k <= row->reach; k++)
		for (int c = 0; c < row->fields; c++) {
			struct expr *coef = f->coef[linear_part(k, c)];
			if (coef && !(coef = expr_convert(coef, type, "a coefficient")))
				return false;
			*coefficient(row, k, r, c) = coef;
		}
	right = part_of(linear_added(right, f->rest, OP_SUB), type, right->at, "the right side");
	*right_side(row, r) = right;
	return right;
}

/* left stays beside the row unless the boundary answers for all reads of the unknown. */
static struct expr *row_of(struct solver *v, const struct form *f, struct expr *left,
                           struct expr *right)
{
	struct row row = { .reach = v->reach, .fields = v->fields };
	const int parts = (int)(right_side(&row, 0) - row.part);

	for (int r = 0; r < v->fields; r++)
		if (!row_fill(v, &row, r, &f[r], field_of(v, right, r)))
			return NULL;
	if (v->bounded && !v->ring)
		bound_row(v, &row);
	for (int k = 0; k < parts; k++)
		if (!row.part[k])
			row.part[k] = expr_float(row.part[parts]->type, 0, left->at);
	return row_new(&row, v->bounded ? NULL : left);
}

/* ---- the statement ---- */

static bool has_form(const struct ast_stmt *a)
{
	const struct ast_equation *q = a->equation.n ? a->equation.at[0] : NULL;

	if (!q || !q->left || q->target.n != 1) {
		diag_error(q ? q->at : a->at, D_NOT_SOLVE,
		           "a `solve` has one unknown, and its equation after `in`");
		diag_cure("`solve x[i] in a[i] * x[i-1] + b[i] * x[i] = d[i] boundary 0;`");
		return false;
	}
	if (a->equation.n > 1)
		return linear_refused(a->equation.at[1]->at, "a `solve` for several unknowns",
		                      "write a separate statement for each system");
	if (a->range.n)
		return linear_refused(a->range.at[0]->at, "a `solve` with `for`",
		                      "it solves for all cells of the unknown: write an equation "
		                      "for known cells, `i == 0 ? x[i] : ...`");
	if (a->where)
		return linear_refused(a->where->at, "a `solve` with `where`",
		                      "write an equation for known cells: `c ? x[i] : ...`");
	return true;
}

static bool is_float_number(const struct type *type)
{
	return type->kind == T_F32 || type->kind == T_F64;
}

/* Why cells that are such structs are no unknowns; NULL: they are. */
static const char *misfit(const struct record *record)
{
	const struct field *field = record->field.at;

	if (record->field.n < 2 || record->field.n > BLOCK_MOST)
		return str_print("has %d field%s", record->field.n,
		                 record->field.n == 1 ? "" : "s");
	for (int k = 0; k < record->field.n; k++) {
		if (!is_float_number(field[k].type))
			return str_print("has the field `%s` of type %s", field[k].name,
			                 type_name(field[k].type));
		if (field[k].type != field[0].type)
			return "has fields of f32 and of f64";
	}
	return NULL;
}

static bool struct_fits(const struct expr *target)
{
	const int fields = target->type->record->field.n;
	const bool single = fields == 1 && is_float_number(target->type->record->field.at[0].type);
	const char *why = misfit(target->type->record);

	if (!why)
		return true;
	diag_error(target->at, D_NOT_SOLVE,
	           "the unknown of a `solve` is an array of f32 or f64, or of structs of 2 to 4 "
	           "fields, all f32 or all f64, but `%s` %s",
	           type_name(target->type), why);
	diag_cure("%s",
	          single                ? "solve for an array of numbers, `let t: f32[n];`, and "
	                                  "copy it to the result with a `map`"
	          : fields > BLOCK_MOST ? "solve for the fields that neighbours share, and compute "
	                                  "the others from them with a `map`"
	                                : "solve for a temporary of another struct, `let t: "
	                                  "Pair[n];`, and copy it to the result with a `map`");
	return false;
}

static bool target_fits(const struct expr *target)
{
	bool cell = target->kind == E_READ;

	if (cell && is_float_number(target->type))
		return true;
	if (cell && target->type->kind == T_STRUCT)
		return struct_fits(target);
	diag_error(target->at, D_NOT_SOLVE,
	           "the unknown of a `solve` is an array of f32 or f64%s",
	           cell ? str_print(", not of %s", type_name(target->type)) : "");
	diag_cure("solve for a temporary, `let t: f32[n];`, and copy it to the result with a "
	          "`map`");
	return false;
}

static bool right_fits(struct solver *v, struct expr *right)
{
	if (!linear_reads(v, right))
		return true;
	linear_wrong(v, right->at,
	             str_print("`%s` is the unknown, which only the left side can read",
	                       v->target->var->name),
	             "move terms with the unknown to the left side; copy earlier values to another "
	             "array");
	return false;
}

static bool is_mode(const struct ast *a)
{
	static const char *const modes[] = { "clamp", "wrap", "mirror", "reflect", "keep" };

	for (size_t k = 0; a->kind == A_NAME && k < sizeof modes / sizeof *modes; k++)
		if (!strcmp(a->name, modes[k]))
			return true;
	return false;
}

static bool visit_axis(struct expr *e, void *index)
{
	return e->kind != E_VAR || e->var != index;
}

static bool outside_read(struct solver *v, const struct ast *a)
{
	const struct var *index = v->target->arg.at[v->axis]->var;
	const char *zero = expr_text(zero_of(v->target->type, a->at));
	struct expr *value;

	if (v->fields > 1 && a->kind == A_NUMBER) {
		linear_wrong(v, a->at, "the unknown is a struct, but its boundary is a number",
		             str_print("write a value for each field: `boundary %s`", zero));
		return false;
	}
	value = expr_typed(v->s, a, v->target->type, "the boundary");
	if (!value || !right_fits(v, value))
		return false;
	if (!expr_walk(value, visit_axis, (void *)index))
		return linear_refused(a->at,
		                      str_print("a boundary that depends on `%s`", index->name),
		                      str_print("guard the read, `i > 0 ? %s`, and subtract the "
		                                "known term on the right side",
		                                v->fields > 1
		                                        ? str_print("x[i-1] : %s", zero)
		                                        : "a[i] * x[i-1] : 0"));
	for (int c = 0; c < v->fields; c++) {
		struct expr *part = field_of(v, value, c);
		v->outside[c] = part->kind == E_CONST && part->value.f == 0 ? NULL : part;
	}
	return true;
}

/* The unknown outside: 0, a value of the system, `clamp` or `wrap`. */
static bool value_read(struct solver *v, const struct clause_use *edge)
{
	const struct ast *a = edge->value.at[0];

	v->ring = is_mode(a) && !strcmp(a->name, "wrap");
	v->clamped = is_mode(a) && !strcmp(a->name, "clamp");
	if (v->ring)
		return true;
	if (is_mode(a) && !v->clamped)
		return linear_refused(edge->at, str_print("`boundary %s` of a `solve`", a->name),
		                      v->fields > SOLVE_RING_MOST
		                              ? "write a value or `clamp`, or guard the reads of "
		                                "the unknown"
		                              : "write a value, `clamp` or `wrap`, or guard the "
		                                "reads of the unknown");
	return v->clamped || outside_read(v, a);
}

/* What has no elimination yet. */
static bool wide_fits(const struct solver *v, const struct clause_use *edge,
                      const struct clause_use *pivot)
{
	const char *wide = v->fields > 1              ? "an unknown that is a struct"
	                   : v->reach == BAND_REACH ? "an unknown 2 cells away"
	                                            : NULL;

	if (v->fields > SOLVE_RING_MOST && v->ring)
		return linear_refused(edge->at,
		                      str_print("`boundary wrap` with an unknown of %d fields",
		                                v->fields),
		                      "write a value or `clamp`, or guard the reads of the "
		                      "unknown");
	return !pivot || !(wide || v->ring)
	       || linear_refused(pivot->at,
	                         str_print("`pivot` with %s", wide ? wide : "`boundary wrap`"),
	                         "without `pivot` the equations are eliminated in order, which is "
	                         "stable if the coefficient of `x[i]` dominates");
}

static bool clauses_fit(struct solver *v, const struct node *node)
{
	const struct clause_use *edge = node_clause(node, "boundary"),
	                        *pivot = node_clause(node, "pivot"),
	                        *positive = node_clause(node, "symmetric positive");

	v->bounded = edge;
	if (positive)
		linear_wrong(v, positive->at, "`symmetric positive` applies only to dense systems",
		             "remove it: equations with neighbours are never exchanged");
	if (v->failed)
		return false;
	if (!edge || edge->value.n == 1)
		return (!edge || value_read(v, edge)) && wide_fits(v, edge, pivot);
	diag_error(edge->at, D_BOUNDARY, "there are %d boundaries for one axis", edge->value.n);
	diag_cure("the unknown is read beyond the ends of one axis: `boundary %s`",
	          v->fields > 1 ? expr_text(zero_of(v->target->type, edge->at)) : "0");
	return false;
}

/* A side of the equation.  Numbers are converted later, coefficient by coefficient. */
static struct expr *side_read(struct solver *v, const struct ast *a, const char *what)
{
	struct expr *side;

	if (v->fields > 1)
		return expr_typed(v->s, a, v->target->type, what);
	side = expr_check(v->s, a);
	return side && side->type->kind == T_STRUCT ? expr_convert(side, v->target->type, what)
	                                            : side;
}

static bool row_close(struct solver *v, struct node *node, struct equation *eq,
                      const struct ast_equation *q)
{
	struct expr *left = side_read(v, q->left, "the left side");
	struct expr *right = left ? side_read(v, q->right, "the right side") : NULL;
	struct form f[BLOCK_MOST] = { 0 };

	if (!left || !right || !right_fits(v, right))
		return false;
	for (int r = 0; r < v->fields && !v->failed; r++) {
		f[r] = linear_of(v, field_of(v, left, r));
		v->reach = linear_reach(&f[r]) > v->reach ? linear_reach(&f[r]) : v->reach;
	}
	if (v->failed)
		return false;
	if (f[0].coef[ENTRY]) {
		eq->right = dense_fits(v, node) ? dense_row(v, f[0], right) : NULL;
		return eq->right;
	}
	if (!has_terms(v, f, left) || !clauses_fit(v, node))
		return false;
	eq->right = row_of(v, f, left, right);
	return eq->right;
}

static bool equations(struct sema *s, const struct ast_stmt *a, struct node *node)
{
	const struct ast_equation *q = a->equation.n ? a->equation.at[0] : NULL;
	struct equation *eq = NEW(struct equation);
	struct binding *root = NULL;
	struct solver v = { .s = s, .axis = -1 };
	struct expr *target;

	if (!has_form(a) || !(target = target_cell(s, q->target.at[0], &root))
	    || !target_fits(target))
		return false;
	v.target = target;
	v.fields = target->type->kind == T_STRUCT ? target->type->record->field.n : 1;
	eq->at = q->at;
	list_add(&eq->target, target);
	root->written = true;                /* the unknown may be read */
	if (!row_close(&v, node, eq, q))
		return false;
	list_add(&node->equation, eq);
	node->running = NEW(struct running);
	node->running->axis = v.axis;
	node->running->ring = v.ring;
	return true;
}

/* Axis k of the unknown is index k of the statement. */
static bool close(struct sema *s, struct node *node)
{
	const struct expr *target = node->equation.at[0]->target.at[0];
	(void)s;

	if (domain_whole(node))
		return true;
	diag_error(target->at, D_NOT_SOLVE,
	           "a `solve` must have an index for each axis of its unknown");
	diag_cure("write `x[i]`; for a part of an array, solve for a temporary, `let t: f32[n];`, "
	          "and copy it with a `map`");
	return false;
}

static struct expr *without_left(const struct expr *row)
{
	const struct record *record = row->type->record;
	const char *name[MOST_PARTS];

	for (int k = 0; k < row->arg.n - 1; k++)
		name[k] = record->field.at[k].name;
	return parts_new("row", name, row->arg.at, row->arg.n - 1);
}

static bool settle(struct sema *s, struct node *node)
{
	struct expr *row = node->equation.at[0]->right;
	(void)s;

	if (expr_checked(row))
		return linear_refused(row->at, "a `solve` whose reads depend on data",
		                      "`gather` the coefficients into an array first");
	if (row->type->record->field.at[row->arg.n - 1].name == str_name(LEFT))
		node->equation.at[0]->right = without_left(row);
	return true;
}

const struct front solve_front = { .equations = equations, .close = close, .settle = settle };
