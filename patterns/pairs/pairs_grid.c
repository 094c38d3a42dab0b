/* pairs_grid.c - the statements that sort bodies by the cells of a grid, before pairs ... within
 * (src/graph/cutoff.h).
 *
 * Their text is below, with the names of the statement put in.  Coordinates x, y of n bodies, in
 * cells of a little more than the radius R, in f64:
 *
 *     reduce x_least = min[body](x), x_most = max[body](x), y_least = ...;
 *     map x_low = cell(x_least), x_cells = cell(x_most) - x_low + 1, y_low = ...;
 *     reduce level = count[s in 1..42](min(x_cells, 2^s) * min(y_cells, 2^s) <= slots),
 *            fine = count[s in 1..5](x_cells * y_cells * 2^s <= slots);
 *     map fine = 2^min(3, fine), x_cells = fine * min(x_cells, 2^level), y_cells = ...;
 *     map slot[body] = fine cell(x) % x_cells + x_cells * (cell(y) % y_cells), order[body] = body;
 *     sort slot with order stable;
 *     gather by_cell[body, 0] = p[order[body]].x, by_cell[body, 1] = ...;
 *
 * fine: R has so many cells along x, as many as there are slots for, up to 8, or what is pinned.
 * level: where even one is too much, no axis has more than 2^level slots, and cells share them.  In
 * a periodic box the cells are those into which it is divided, a multiple of the slots, x_low is 0,
 * and x_scale, cells a length, takes the place of 1 / R.
 *
 * Cells of the statement that have a place of their own are in slots by the same numbers, but on
 * any side of the bodies: the torus closes below 0, too.
 *
 * Cells are longer than R by 2^-10 of it, so that rounding never brings near bodies two cells
 * apart: numbers of cells are below 2^40, and bodies that are farther out are taken to be there.
 * In a box they are longer by 2^-21 of its length, too, by less than which differences are rounded.
 */
#include <assert.h>
#include <string.h>
#include "ask.h"
#include "pairs_near.h"

extern const struct pattern pattern_gather;

#define CELLS_MOST "1099511627776.0"
#define LONGER "1.0009765625"
#define ROUNDED "4.76837158203125e-07"

struct grid {
	const struct near *n;
	struct sema *s;
	struct cutoff *c;
	const char *body, *level, *fine, *slot, *order;
	const char *low[CUTOFF_AXES], *least[CUTOFF_AXES], *most[CUTOFF_AXES],
		 *cells[CUTOFF_AXES], *scale[CUTOFF_AXES];
	struct filling filling;
	bool of_places;                      /* texts are about places of cells */
};

/* ---- temporaries ---- */

static struct var *temporary(struct grid *g, const char *name, const struct type *type, int rank)
{
	struct var *v = var_new(g->s, VAR_LET, name_free(g->s, name), type, g->c->at);
	v->rank = rank;
	v->extent[0] = g->c->bodies;
	v->mode = MODE_INOUT;
	v->scope = g->s->repeat;
	name_declare(g->s, v->name, g->c->at)->var = v;
	list_add(&g->c->let, v);
	return v;
}

static struct var *number(struct grid *g, const char *name)
{
	return temporary(g, name, type_scalar(T_I64), 0);
}

static const char *axis_name(const struct grid *g, int axis, const char *what)
{
	const struct coordinate *c = &g->n->axis[axis];
	return str_print("%.40s_%s", c->field ? c->field->name : c->array->name, what);
}

/* Of a coordinate, as folds give it. */
static const struct type *type_of(const struct grid *g, int axis)
{
	const struct coordinate *c = &g->n->axis[axis];
	return type_compute(c->field ? c->field->type : c->array->type);
}

static void make_temporaries(struct grid *g)
{
	const struct type *u32 = type_scalar(T_U32);
	g->slot = (g->c->slot = temporary(g, "slot", u32, 1))->name;
	g->order = (g->c->order = temporary(g, "order", u32, 1))->name;
	g->fine = (g->c->fine = number(g, "fine"))->name;
	g->level = number(g, "level")->name;
	for (int a = 0; a < g->c->axes; a++) {
		g->cells[a] = (g->c->cells[a] = number(g, axis_name(g, a, "cells")))->name;
		if (g->n->length[a]) {
			const struct type *f64 = type_scalar(T_F64);
			g->scale[a] = temporary(g, axis_name(g, a, "scale"), f64, 0)->name;
			continue;
		}
		g->low[a] = number(g, axis_name(g, a, "low"))->name;
		g->least[a] = temporary(g, axis_name(g, a, "least"), type_of(g, a), 0)->name;
		g->most[a] = temporary(g, axis_name(g, a, "most"), type_of(g, a), 0)->name;
	}
}

/* ---- pieces of text ---- */

/* Of the body. */
static const char *plain(int axis)
{
	return str_print("AT%d", axis);
}

static struct ast *plain_tree(const struct grid *g, int axis)
{
	const struct coordinate *c = &g->n->axis[axis];
	struct ast *cell = tree_new(g->c->at, A_SUBSCRIPT, name_here(g->s, c->array)), *field;
	struct ast_range *body = NEW(struct ast_range);
	*body = (struct ast_range){ .at = g->c->at,
		                    .lo = tree_new(g->c->at, A_NAME, g->body) };
	list_add(&cell->sub, body);
	if (!c->field)
		return cell;
	field = tree_new(g->c->at, A_FIELD, c->field->name);
	list_add(&field->arg, cell);
	return field;
}

static const char *coordinate(const struct grid *g, int axis)
{
	if (g->of_places)
		return str_print("f64(%s(FROM%d))", type_name(g->n->type), axis);
	return str_print("f64(%s)", plain(axis));
}

static const char *radius(const struct grid *g)
{
	return str_print("f64(%s(RADIUS))", type_name(g->n->type));
}

static const char *length(const struct grid *g, int axis)
{
	return str_print("f64(%s(LENGTH%d))", type_name(g->n->type), axis);
}

/* In cells, f64. */
static const char *position(const struct grid *g, const char *x)
{
	return str_print("max(-" CELLS_MOST ", min(" CELLS_MOST ", "
	                 "%s * (1.0 / (%s * " LONGER "))))", x, radius(g));
}

/* The body has a place: its coordinates are numbers, and in the box if there is one. */
static const char *has_place(const struct grid *g)
{
	const char *all = "";
	for (int a = 0; a < g->c->axes; a++) {
		const char *x = coordinate(g, a);
		all = str_print("%s%s", all, a ? " && " : "");
		all = g->n->length[a] ? str_print("%s%s >= 0.0 && %s < %s", all, x, x, length(g, a))
		                      : str_print("%sabs(%s) < inf", all, x);
	}
	return all;
}

/* The number of the body's cell along an axis, from 0 on, below `cells`. */
static const char *cell(const struct grid *g, int axis)
{
	if (g->n->length[axis])
		return str_print("i64(floor(%s * %s)) %% %s", coordinate(g, axis), g->scale[axis],
		                 g->cells[axis]);
	const char *at = position(g, coordinate(g, axis)), *cell;
	if (axis)
		cell = str_print("(i64(floor(%s)) - %s) %% %s", at, g->low[axis], g->cells[axis]);
	else
		cell = str_print("(i64(floor(%s * f64(%s))) - %s * %s) %% %s", at, g->fine, g->fine,
		                 g->low[axis], g->cells[axis]);
	if (g->of_places)                    /* a remainder has the sign of what is divided */
		cell = str_print("(%s + %s) %% %s", cell, g->cells[axis], g->cells[axis]);
	return cell;
}

/* ---- the statements ---- */

static const char *range_text(const struct grid *g)
{
	const char *text = "FOLD ";
	for (int a = 0; a < g->c->axes; a++)
		text = str_print("%s%s%s = min[%s where %s](%s), %s = max[%s where %s](%s)", text,
		                 a ? ", " : "", g->least[a], g->body, has_place(g), plain(a),
		                 g->most[a], g->body, has_place(g), plain(a));
	return str_print("%s;\n", text);
}

/* Cells along the axes if R is one, and the first one. */
static const char *extents_text(const struct grid *g)
{
	const char *text = "ASSIGN ";
	for (int a = 0; a < g->c->axes; a++) {
		text = str_print("%s%s", text, a ? ", " : "");
		if (g->n->length[a])
			text = str_print("%s%s = i64(max(1.0, min(" CELLS_MOST ", floor(%s / (%s * "
			                 LONGER " + %s * " ROUNDED ")))))", text, g->cells[a],
			                 length(g, a), radius(g), length(g, a));
		else
			text = str_print("%s%s = i64(floor(%s)), "
			                 "%s = %s <= %s ? i64(floor(%s)) - %s + 1 : 1", text,
			                 g->low[a], position(g, str_print("f64(%s)", g->least[a])),
			                 g->cells[a], g->least[a], g->most[a],
			                 position(g, str_print("f64(%s)", g->most[a])), g->low[a]);
	}
	return str_print("%s;\n", text);
}

/* Of all axes: f64(x_cells) * f64(y_cells); with least, of those cells and 2^STEP the least. */
static const char *all_cells(const struct grid *g, bool least)
{
	const char *all = "";
	for (int a = 0; a < g->c->axes; a++)
		all = str_print(least ? "%s%sf64(min(%s, i64(1) << STEP))" : "%s%sf64(%s)", all,
		                a ? " * " : "", g->cells[a]);
	return all;
}

static const char *steps_text(const struct grid *g)
{
	return str_print("FOLD %s = count[STEP in 1..42](%s <= f64(SLOTS)), "
	                 "%s = count[STEP in 1..%d](%s * f64(i64(1) << STEP) <= f64(SLOTS));\n",
	                 g->level, all_cells(g, true), g->fine, CUTOFF_FINEST_BITS + 1,
	                 all_cells(g, false));
}

/* A box has a multiple of the slots of cells, so that the torus closes where the box does. */
static const char *scale_text(const struct grid *g, int axis, const char *slots)
{
	const char *cells = str_print("%s%s%s", axis ? "" : g->fine, axis ? "" : " * ",
	                              g->cells[axis]);
	return str_print(", %s = f64(%s / (%s) * (%s)) / %s", g->scale[axis], cells, slots, slots,
	                 length(g, axis));
}

static const char *shape_text(const struct grid *g)
{
	const char *text = str_print("ASSIGN %s = i64(1) << min(i64(MOST), %s)", g->fine, g->fine);
	for (int a = 0; a < g->c->axes; a++) {
		const char *slots = str_print("%s%smin(%s, i64(1) << %s)", a ? "" : g->fine,
		                              a ? "" : " * ", g->cells[a], g->level);
		if (g->n->length[a])
			text = str_print("%s%s", text, scale_text(g, a, slots));
		text = str_print("%s, %s = %s", text, g->cells[a], slots);
	}
	return str_print("%s;\n", text);
}

static const char *number_text(const struct grid *g)
{
	const char *number = cell(g, g->c->axes - 1);
	for (int a = g->c->axes - 2; a >= 0; a--)
		number = str_print("%s + %s * (%s)", cell(g, a), g->cells[a], number);
	return str_print("%s ? u32(%s) : u32(SLOTS)", has_place(g), number);
}

static const char *slot_text(const struct grid *g)
{
	return str_print("ASSIGN %s[%s] = %s, %s[%s] = u32(%s);\n", g->slot, g->body,
	                 number_text(g), g->order, g->body, g->body);
}

static const char *grid_text(const struct grid *g)
{
	return str_print("kernel made() {\n%s%s%s%s%ssort %s with %s stable;\n}\n",
	                 g->n->length[0] ? "" : range_text(g), extents_text(g), steps_text(g),
	                 shape_text(g), slot_text(g), g->slot, g->order);
}

/* ---- what the folds read of each term is copied ---- */

struct reads { struct grid *g; const struct node *node; const struct var *term; };

static bool is_copied(const struct cutoff *c, const struct var *from, const struct field *field)
{
	for (int k = 0; k < c->copied.n; k++)
		if (c->copied.at[k].from == from && c->copied.at[k].field == field)
			return true;
	return false;
}

static void add_copy(struct reads *r, struct var *from, const struct field *field)
{
	if (!is_copied(r->g->c, from, field))
		list_add(&r->g->c->copied, ((struct copied){ .from = from, .field = field }));
}

static bool has_scalars(const struct type *type)
{
	for (int f = 0; f < type->record->field.n; f++)
		if (!strchr("BIUF", type_class(type->record->field.at[f].type)))
			return false;
	return true;
}

static void add_whole(struct reads *r, struct var *from)
{
	const struct type *type = from->type;
	if (type->kind != T_STRUCT || !has_scalars(type)) {
		add_copy(r, from, NULL);
		return;
	}
	for (int f = 0; f < type->record->field.n; f++)
		add_copy(r, from, &type->record->field.at[f]);
}

/* A cell of an array of bodies at the term. */
static bool is_body(const struct reads *r, const struct expr *e)
{
	return e->kind == E_READ && e->arg.n == 1 && e->arg.at[0]->kind == E_VAR
	       && e->arg.at[0]->var == r->term && !node_writes(r->node, e->var)
	       && affine_equal(&e->var->extent[0], &r->g->c->bodies);
}

static void add_read(struct reads *r, const struct expr *e)
{
	const struct expr *of = e->kind == E_FIELD ? e->arg.at[0] : NULL;
	if (of && is_body(r, of) && has_scalars(of->type))
		add_copy(r, of->var, e->field);
	else if (is_body(r, e))
		add_whole(r, e->var);
	else
		for (int a = 0; a < e->arg.n; a++)
			add_read(r, e->arg.at[a]);
}

static bool add_reads(struct expr *fold, void *state)
{
	struct reads *r = state;
	r->term = fold->fold->index.at[0];
	if (fold->fold->where)
		add_read(r, fold->fold->where);
	add_read(r, fold->arg.at[0]);
	return true;
}

/* ---- those of one type lie together ---- */

enum { TOGETHER = 16 };                        /* bytes */

static const struct type *copied_type(const struct copied *c)
{
	return c->field ? c->field->type : c->from->type;
}

static bool can_join(const struct copied *c, const struct type *type)
{
	return !c->to && copied_type(c) == type;
}

static int together_most(const struct type *type)
{
	int64_t bytes = type_size(type);
	return type->kind == T_STRUCT || bytes < 4 ? 1 : (int)(TOGETHER / bytes);
}

/* `first`, and what follows of its type and has no place yet. */
static void place_together(struct grid *g, int first)
{
	struct cutoff *c = g->c;
	const struct copied *one = &c->copied.at[first];
	const struct type *type = copied_type(one);
	int n = 0, most = together_most(type);
	for (int k = first; k < c->copied.n && n < most; k++)
		n += can_join(&c->copied.at[k], type);
	int lanes = n == 3 ? 4 : n;
	const char *name = lanes > 1 ? "by_cell"
	                   : str_print("%.40s_by_cell", one->field ? one->field->name
	                                                        : one->from->name);
	struct var *to = temporary(g, name, type, lanes > 1 ? 2 : 1);
	to->extent[1] = affine_constant(lanes);
	for (int k = first, lane = 0; lane < n; k++) {
		struct copied *next = &c->copied.at[k];
		if (!can_join(next, type))
			continue;
		next->to = to;
		next->lane = lane++;
		next->lanes = lanes;
	}
}

static void make_copies(struct grid *g)
{
	struct reads reads = { .g = g, .node = g->n->node };
	pairs_each_fold(g->n->node, add_reads, &reads);
	for (int k = 0; k < g->c->copied.n; k++)
		if (!g->c->copied.at[k].to)
			place_together(g, k);
}

/* ---- they are checked ---- */

static void fill(struct grid *g)
{
	struct filling *f = &g->filling;
	const struct affine slots = cutoff_slots(g->c);
	*f = (struct filling){ .at = g->c->at };
	fill_name(f, "ASSIGN", pattern_assign->name);
	fill_name(f, "FOLD", pattern_assign_fold->name);
	fill_name(f, "STEP", name_free(g->s, "step"));
	fill_tree(f, "RADIUS", g->n->written);
	fill_tree(f, "SLOTS", tree_affine(g->s, &slots, g->c->at));
	fill_tree(f, "MOST", tree_number(g->c->at, CUTOFF_FINE_BITS));
	for (int a = 0; a < g->c->axes; a++) {
		fill_tree(f, plain(a), plain_tree(g, a));
		if (g->n->from)
			fill_tree(f, str_print("FROM%d", a), g->n->from->value.at[a]);
		if (g->n->length[a])
			fill_tree(f, str_print("LENGTH%d", a), g->n->written_length[a]);
	}
}

static bool see_constant(struct expr *e, void *state)
{
	struct cutoff *c = state;
	if (e->kind == E_CONST && !c->most_fine && e->value.i == CUTOFF_FINE_BITS)
		c->most_fine = e;
	return !c->most_fine;
}

static const char *bin_name(const struct grid *g)
{
	return str_name(str_print("%s_bins%d", g->n->node->name, g->c->made.n + 1));
}

/* A thread a body: numbers of several cells at once take more registers than there are. */
static void pin_single(struct node *made)
{
	made->choice.coarsen = made->pin.coarsen = 1;
	made->choice.vector = made->pin.vector = 1;
	made->pinned[PIN_COARSEN] = made->pinned[PIN_VECTOR] = (struct pinned){ made->at, true };
}

static void add_statement(struct grid *g, struct ast_stmt *a)
{
	fill_statement(&g->filling, a);
	a->label = bin_name(g);
	struct node *made = made_try(g->s, a);
	assert(made && "the text is right");
	if (target_read(node_target(made, 0))->var == g->c->slot && made->pattern == pattern_assign)
		pin_single(made);
	list_add(&g->c->made, made);
}

/* Not as text: one statement fills several cells of a body's row. */
static void add_gather(struct grid *g)
{
	struct cutoff *c = g->c;
	struct node *made = NEW(struct node);
	struct var *body = var_new(g->s, VAR_INDEX, g->body, type_scalar(T_I64), c->at);
	struct expr *at = expr_var(body, c->at);
	struct expr *from = expr_as(expr_read(c->order, &at, c->at), type_scalar(T_I64));
	*made = (struct node){ .kind = NODE_PATTERN, .at = c->at, .premise = g->n->node->premise,
		               .name = bin_name(g), .pattern = &pattern_gather };
	list_add(&made->index, body);
	list_add(&made->lo, expr_int(type_scalar(T_I64), 0, c->at));
	list_add(&made->hi, extent_expr(&c->bodies, c->at));
	for (int k = 0; k < c->copied.n; k++) {
		const struct copied *one = &c->copied.at[k];
		struct expr *sub[] = { at, expr_int(type_scalar(T_I64), one->lane, c->at) };
		struct expr *read = expr_read(one->from, &from, c->at);
		equation_add(made, expr_read(one->to, sub, c->at),
		             one->field ? expr_part(read, one->field, NULL) : read);
	}
	made->pinned[PIN_LAYOUT] = (struct pinned){ c->at, true };     /* rows: near_lower.c */
	list_add(&c->made, made);
}

/* The slot of a cell that has a place. */
static struct expr *home_of(struct grid *g)
{
	g->of_places = true;
	const char *text = str_print("kernel made() {\nASSIGN %s = %s;\n}\n", g->fine,
	                             number_text(g));
	struct ast_stmt *a = parse_template(text)->body.at[0];
	fill_statement(&g->filling, a);
	return expr_typed(g->s, a->equation.at[0]->right, type_scalar(T_U32), "the slot of a cell");
}

void pairs_grid(const struct near *n, struct cutoff *c)
{
	struct sema *s = n->s;
	struct grid g = { .n = n, .s = s, .c = c, .body = name_free(s, "body") };
	int mark = scope_open(s);
	make_temporaries(&g);
	make_copies(&g);
	fill(&g);
	struct ast_decl *kernel = parse_template(grid_text(&g));
	for (int k = 0; k < kernel->body.n; k++)
		add_statement(&g, kernel->body.at[k]);
	if (c->copied.n)
		add_gather(&g);
	if (n->from)
		c->home = home_of(&g);
	scope_close(s, mark);
	const struct node *shape = c->made.at[n->length[0] ? 2 : 3];
	expr_walk(shape->equation.at[0]->right, see_constant, c);
	assert(c->most_fine && "the text has it");
}
