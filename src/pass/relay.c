/* relay.c - turns arrays with layouts into plain row-major arrays of single values.
 *
 * Needs: fused statements.  Leaves: a graph in which the last subscript of every array is the
 * fastest, so that no lowering knows of col, soa and aosoa, and vectors, tiles and staging work for
 * them unasked.
 *
 *   col       shape and subscripts are reversed
 *   (ld)      stays: the distance of rows is asked for by lower_pitch
 *   soa       every field is a parameter of its own: p[i].x becomes p_x[i], p[i].f[k] becomes
 *             p_f[k, i], since neighbouring cells then lie side by side
 *   aosoa(k)  likewise, but what stands for a field has a home, the array of blocks (lower_place)
 *   tiled     stays: an array of tiles is its own home (lower_tile.c)
 *   morton, hilbert   likewise (lower_curve.c)
 *
 * A whole cell read is built from its fields.  One that is written becomes an equation for each
 * field, with the value computed before the first (equation.whole), as it may read the cell it
 * replaces.
 *
 * A temporary takes the layout of the arrays it is swapped with.  The order of loops follows:
 * relay_order.c.
 *
 * Layouts are declared, or chosen by pass_layout.c; here is no choice. */
#include <assert.h>
#include "ask.h"
#include "pass.h"
#include "relay.h"
#include "running.h"
#include "sorting.h"
#include "wavefront.h"

enum { CELL_VALUES = 64 };               /* of a struct that is read or written whole */

struct relaid {
	struct entry *entry;
	struct map part;                /* array -> struct var *[fields], if its fields are apart */
	bool told;                           /* of a cell with too many values: once */
	struct map fold;   /* an E_FOLD -> what became of it: those that equations share stay one */
	const struct expr *whole;            /* equation.whole, and what becomes of it; or NULL */
	struct expr *laid;
};

static struct var **parts_of(const struct relaid *r, const struct var *var)
{
	return map_get(&r->part, var);
}

static bool is_turned(const struct var *var)
{
	return var->layout && var->layout->col;
}

/* ---- temporaries ---- */

static bool adopt(struct var *to, const struct var *from, struct loc at)
{
	if (to->kind == VAR_LET && !to->layout && from->layout) {
		to->layout = from->layout;
		return true;
	}
	bool settled = to->kind == VAR_LET && (from->layout || from->kind == VAR_PARAM);
	if (settled && !layout_same(to, from) && !diag_errors()) {
		diag_error(at, D_SWAP, "`%s` is swapped with arrays of different layouts",
		           to->name);
		diag_cure("copy one to the other with a map");
	}
	return false;
}

static bool adopt_all(struct node *const *at, int n)
{
	bool changed = false;
	for (int i = 0; i < n; i++) {
		struct var *const *swap = at[i]->swap;
		if (at[i]->kind == NODE_SWAP) {
			changed |= adopt(swap[0], swap[1], at[i]->at);
			changed |= adopt(swap[1], swap[0], at[i]->at);
		}
		changed |= adopt_all(at[i]->body.at, at[i]->body.n);
	}
	return changed;
}

/* ---- variables ---- */

static void turn_shape(struct var *v)
{
	for (int a = 0; a < v->rank / 2; a++) {
		struct affine held = v->extent[a];
		v->extent[a] = v->extent[v->rank - 1 - a];
		v->extent[v->rank - 1 - a] = held;
	}
}

static struct var *part_new(struct var *whole, const struct field *field)
{
	bool array = field->type->kind == T_ARRAY;
	struct var *v = NEW(struct var);
	int rank = array ? field->type->rank : 0;
	*v = *whole;
	v->name = part_name(whole, field);
	v->type = array ? field->type->elem : field->type;
	v->part = field;
	v->whole = whole;
	if (whole->rank + rank > MAX_RANK) {
		diag_error(whole->at, D_LAYOUT_NOT_BUILT,
		           "`%s` and its field `%s` have %d axes together; if fields are stored "
		           "apart, at most %d are allowed",
		           whole->name, field->name, whole->rank + rank, MAX_RANK);
		diag_cure("store the fields together: `layout aos`");
		return NULL;
	}
	for (int a = 0; a < whole->rank; a++)
		v->extent[a + rank] = whole->extent[a];
	for (int a = 0; a < rank; a++)
		v->extent[a] = affine_constant(field->type->extent[a]);
	v->rank += rank;
	return v;
}

struct vars { struct var **at; int n, room; };

static void relay_var(struct relaid *r, struct var *v, struct vars *out)
{
	const struct layout *l = v->layout;
	if (l && l->col)
		turn_shape(v);
	if (!l || !l->block) {
		list_add(out, v);
		return;
	}
	const struct record *record = v->type->record;
	struct var **part = mem_new(sizeof *part * (size_t)(record->field.n + 1));
	for (int f = 0; f < record->field.n; f++) {
		part[f] = part_new(v, &record->field.at[f]);
		if (part[f] && l->block < 0)
			list_add(out, part[f]);
	}
	*map_at(&r->part, v) = part;
	if (l->block > 0) {
		v->type = type_struct(l->record);
		list_add(out, v);
	}
}

static void relay_vars(struct relaid *r)
{
	struct entry *e = r->entry;
	struct vars param = { 0 }, let = { 0 };
	for (int i = 0; i < e->param.n; i++)
		relay_var(r, e->param.at[i], &param);
	for (int i = 0; i < e->let.n; i++)
		relay_var(r, e->let.at[i], &let);
	e->param.at = param.at, e->param.n = param.n, e->param.room = param.room;
	e->let.at = let.at, e->let.n = let.n, e->let.room = let.room;
}

/* ---- expressions: copied, since several places may share one ---- */

static struct expr *relay(struct relaid *, const struct expr *);

static void relay_list(struct relaid *r, struct expr **at, int n)
{
	for (int i = 0; i < n; i++)
		at[i] = relay(r, at[i]);
}

static struct expr **list_copy(struct expr *const *at, int n)
{
	struct expr **copy = mem_new(sizeof *copy * (size_t)(n + 1));
	for (int i = 0; i < n; i++)
		copy[i] = at[i];
	return copy;
}

static struct fold *relay_fold(struct relaid *r, const struct fold *old)
{
	struct fold *fold = NEW(struct fold);
	*fold = *old;
	fold->index.at = mem_new(sizeof *fold->index.at * (size_t)(old->index.n + 1));
	for (int d = 0; d < old->index.n; d++)
		fold->index.at[d] = old->index.at[d];
	fold->lo.at = list_copy(old->lo.at, old->lo.n);
	fold->hi.at = list_copy(old->hi.at, old->hi.n);
	relay_list(r, fold->lo.at, fold->lo.n);
	relay_list(r, fold->hi.at, fold->hi.n);
	fold->where = relay(r, old->where);
	fold->asked = relay(r, old->asked);
	return fold;
}

static struct expr *copy(struct relaid *r, const struct expr *e)
{
	struct expr *made = e->kind == E_FOLD ? map_get(&r->fold, e) : NULL;
	if (made)
		return made;
	made = NEW(struct expr);
	*made = *e;
	made->arg.at = list_copy(e->arg.at, e->arg.n);
	relay_list(r, made->arg.at, made->arg.n);
	made->fold = e->fold ? relay_fold(r, e->fold) : NULL;
	if (e->kind == E_FOLD)
		*map_at(&r->fold, e) = made;
	return made;
}

/* var[arg...], tested as the other read is */
static struct expr *read_new(struct var *var, struct expr **arg, const struct expr *like)
{
	struct expr *e = expr_read(var, arg, like->at);
	e->checked = like->checked;
	e->guarded = like->guarded;
	return e;
}

/* The subscripts of a read in the order of memory. */
static void subscripts(struct relaid *r, const struct expr *read, struct expr **out)
{
	int n = read->arg.n;
	for (int a = 0; a < n; a++)
		out[is_turned(read->var) ? n - 1 - a : a] = relay(r, read->arg.at[a]);
}

/* read.field, or read.field[elem...] */
static struct expr *part_read(struct relaid *r, const struct expr *read, const struct field *field,
                              struct expr *const *elem)
{
	const struct record *record = read->type->record;
	struct var *part = parts_of(r, read->var)[field - record->field.at];
	struct expr *arg[2 * MAX_RANK];
	int n = field->type->kind == T_ARRAY ? field->type->rank : 0;
	for (int a = 0; a < n; a++)
		arg[a] = elem[a];
	subscripts(r, read, arg + n);
	return part ? read_new(part, arg, read) : (struct expr *)read;
}

static bool is_apart(const struct relaid *r, const struct expr *e)
{
	return e->kind == E_READ && parts_of(r, e->var);
}

/* p[i].x, p[i].f[k] of an array whose fields lie apart; else NULL */
static struct expr *field_read(struct relaid *r, const struct expr *e)
{
	bool elem = e->kind == E_ELEM && !e->var;
	const struct expr *field = elem ? e->arg.at[0] : e;
	if (field->kind != E_FIELD || !is_apart(r, field->arg.at[0]))
		return NULL;
	struct expr *sub[MAX_RANK] = { NULL };
	for (int a = 1; elem && a < e->arg.n; a++)
		sub[a - 1] = relay(r, e->arg.at[a]);
	struct expr *x = part_read(r, field->arg.at[0], field->field, sub);
	x->checked |= elem && e->checked;
	x->guarded |= elem && e->guarded;
	return x;
}

/* ---- whole cells ---- */

/* The values of a struct: fields, and the elements of those that are arrays. */
struct value_of { const struct field *field; int64_t at[MAX_RANK]; };
struct values { LIST(struct value_of) at; };

static void add_values(struct values *v, const struct field *f)
{
	struct value_of one = { .field = f };
	int64_t count = f->type->kind == T_ARRAY ? type_size(f->type) / type_size(f->type->elem)
	                                         : 1;
	for (int64_t c = 0; c < count && v->at.n <= CELL_VALUES; c++) {
		int64_t rest = c;
		for (int a = f->type->kind == T_ARRAY ? f->type->rank - 1 : -1; a >= 0; a--) {
			one.at[a] = rest % f->type->extent[a];
			rest /= f->type->extent[a];
		}
		list_add(&v->at, one);
	}
}

static struct values values_of(struct relaid *r, const struct expr *cell)
{
	struct values v = { .at = { 0 } };
	for (int f = 0; f < cell->type->record->field.n; f++)
		add_values(&v, &cell->type->record->field.at[f]);
	if (v.at.n > CELL_VALUES && !r->told) {
		r->told = true;
		diag_error(cell->at, D_LAYOUT_NOT_BUILT,
		           "a whole cell of `%s` has more than %d values, which are stored apart",
		           cell->var->name, CELL_VALUES);
		diag_cure("name the fields: `%s[...].%s`", cell->var->name,
		          cell->type->record->field.at[0].name);
	}
	return v;
}

static void elements(const struct value_of *v, struct loc at, struct expr **out)
{
	for (int a = 0; v->field->type->kind == T_ARRAY && a < v->field->type->rank; a++)
		out[a] = expr_int(type_scalar(T_I64), v->at[a], at);
}

static struct expr *whole_read(struct relaid *r, const struct expr *read)
{
	struct expr *made = expr_new(E_STRUCT, read->type, read->at), *sub[MAX_RANK] = { NULL };
	struct values values = values_of(r, read);
	for (int i = 0; i < values.at.n; i++) {
		elements(&values.at.at[i], read->at, sub);
		list_add(&made->arg, part_read(r, read, values.at.at[i].field, sub));
	}
	return made;
}

/* One value of a struct that is no array's cell. */
struct expr *expr_part(struct expr *record, const struct field *field, struct expr *const *elem)
{
	struct expr *e = expr_new(E_FIELD, field->type, record->at);
	e->field = field;
	list_add(&e->arg, record);
	if (field->type->kind != T_ARRAY)
		return e;
	struct expr *x = expr_new(E_ELEM, field->type->elem, record->at);
	list_add(&x->arg, e);
	x->affine = mem_new(sizeof *x->affine * (size_t)field->type->rank);
	for (int a = 0; a < field->type->rank; a++) {
		list_add(&x->arg, elem[a]);
		if (!affine_of(elem[a], &x->affine[a]))
			x->affine[a].n = -1;
	}
	return x;
}

static struct expr *relay(struct relaid *r, const struct expr *e)
{
	if (!e)
		return NULL;
	if (e == r->whole)
		return r->laid;
	struct expr *x = field_read(r, e);
	if (x)
		return x;
	if (is_apart(r, e))
		return whole_read(r, e);
	if (e->kind != E_READ || !is_turned(e->var))
		return copy(r, e);
	struct expr *arg[MAX_RANK];
	subscripts(r, e, arg);
	return read_new(e->var, arg, e);
}

/* ---- equations ---- */

static void add_equation(struct equations *out, struct expr *target, struct expr *right,
                         struct expr *whole)
{
	struct equation *eq = NEW(struct equation);
	eq->at = target->at;
	list_add(&eq->target, target);
	eq->right = right;
	eq->whole = whole;
	list_add(out, eq);
}

static bool reads_parts(struct relaid *r, const struct expr *e, const struct var *var)
{
	struct var **part = parts_of(r, var);
	for (int f = 0; part && part[f]; f++)
		if (expr_uses(e, part[f]))
			return true;
	return false;
}

/* p[i] = e for fields that lie apart.  Values that nobody needs to hold are stored as they are:
 * those of `P(x, y)` that reads no cell of p, unless a test may keep the cell from being written.
 * */
static void split_equation(struct relaid *r, const struct expr *cell, struct expr *right,
                           bool checked, struct equations *out)
{
	struct values values = values_of(r, cell);
	bool plain = right->kind == E_STRUCT && right->arg.n == values.at.n && !checked
	             && !reads_parts(r, right, cell->var);
	for (int i = 0; i < values.at.n; i++) {
		struct expr *sub[MAX_RANK] = { NULL };
		elements(&values.at.at[i], cell->at, sub);
		struct expr *target = part_read(r, cell, values.at.at[i].field, sub);
		struct expr *value = plain ? right->arg.at[i]
		                           : expr_part(right, values.at.at[i].field, sub);
		add_equation(out, target, value, plain ? NULL : right);
	}
}

/* Of a struct that is moved as it is: an equation a value, as if each had been named. */
static void split_moved(struct relaid *r, const struct expr *cell, struct equations *out)
{
	struct values values = values_of(r, cell);
	for (int i = 0; i < values.at.n; i++) {
		struct expr *sub[MAX_RANK] = { NULL };
		elements(&values.at.at[i], cell->at, sub);
		struct expr *target = part_read(r, cell, values.at.at[i].field, sub);
		add_equation(out, target, part_read(r, cell, values.at.at[i].field, sub), NULL);
	}
}

static void relay_sorting(struct relaid *r, struct sorting *of)
{
	of->key = relay(r, of->key);
	of->first = relay(r, of->first);
}

static bool relay_recurrence(struct relaid *r, const struct equation *eq)
{
	struct recurrence *of = eq->recurrence;
	relay_list(r, of->weight, MAX_ORDER);
	of->rest = relay(r, of->rest);
	if (!is_apart(r, eq->target.at[0]))
		return true;
	diag_error(eq->target.at[0]->at, D_LAYOUT_NOT_BUILT,
	           "a recurrence of whole structs whose fields lie apart is not "
	           "built yet");
	diag_cure("store the fields of `%s` together: `layout aos`", eq->target.at[0]->var->name);
	return false;
}

static bool relay_combine(struct relaid *r, const struct equation *eq)
{
	if (!is_apart(r, eq->target.at[0]))
		return true;
	diag_error(eq->target.at[0]->at, D_LAYOUT_NOT_BUILT,
	           "whole structs can be combined only if their fields are stored together, unless "
	           "the operator combines each field by itself");
	diag_cure("store the fields of `%s` together: `layout aos`", eq->target.at[0]->var->name);
	return false;
}

static void relay_form(struct relaid *r, struct wave_form *f)
{
	for (int k = 0; f && k < f->term.n; k++)
		f->term.at[k].weight = relay(r, f->term.at[k].weight);
	if (f)
		f->rest = relay(r, f->rest);
}

static bool wave_in_tiles(const struct expr *cell)
{
	if (!var_tiled(cell->var) && !var_curved(cell->var))
		return false;
	diag_error(cell->at, D_LAYOUT_NOT_BUILT,
	           "a wavefront whose cells are stored %s is not supported yet",
	           var_tiled(cell->var) ? "in tiles" : "along a curve");
	diag_cure("store `%s` row by row; a map can copy it to the other layout", cell->var->name);
	return true;
}

/* Are the fields of the target stored together?  or reports */
static bool is_together(const struct relaid *r, const struct expr *target, const char *what)
{
	if (!is_apart(r, target))
		return true;
	diag_error(target->at, D_LAYOUT_NOT_BUILT,
	           "%s of structs whose fields are stored apart is not supported yet", what);
	diag_cure("store the fields of `%s` together: `layout aos`", target->var->name);
	return false;
}

static void relay_wave(struct relaid *r, const struct node *node)
{
	for (int q = 0; q < node->wave->algebra.n; q++) {
		relay_form(r, node->wave->algebra.at[q].row);
		relay_form(r, node->wave->algebra.at[q].all);
	}
	for (int k = 0; k < node->wave->within.n; k++)
		node->wave->within.at[k].offset = relay(r, node->wave->within.at[k].offset);
	for (int k = 0; k < node->wave->read.n; k++)
		node->wave->read.at[k]->outside = relay(r, node->wave->read.at[k]->outside);
	for (int q = 0; q < node->equation.n; q++) {
		const struct expr *target = node->equation.at[q]->target.at[0];
		if (wave_in_tiles(target_read((struct expr *)target))
		    || !is_together(r, target, "a wavefront"))
			return;
	}
}

static void relay_running(struct relaid *r, struct running *of)
{
	relay_list(r, of->from, MAX_ORDER);
	of->cell = relay(r, of->cell);
	of->length = relay(r, of->length);
}

/* What neighbouring equations take apart stays one value. */
static void relay_whole(struct relaid *r, struct equation *eq)
{
	struct expr *whole = eq->whole;
	if (whole && whole != r->whole) {
		r->whole = NULL;
		r->laid = relay(r, whole);
	}
	r->whole = whole;
	eq->whole = whole ? r->laid : NULL;
}

static void relay_equations(struct relaid *r, struct node *node)
{
	struct equations out = { 0 };
	bool checked = node_checked(node);
	for (int q = 0; q < node->equation.n; q++) {
		struct equation *eq = node->equation.at[q];
		if (node->sorting && is_apart(r, eq->target.at[0])) {
			split_moved(r, eq->target.at[0], &out);
			continue;
		}
		relay_whole(r, eq);
		eq->right = relay(r, eq->right);
		if (eq->recurrence && !relay_recurrence(r, eq)) {
			list_add(&out, eq);
			continue;
		}
		if (eq->combine && !relay_combine(r, eq)) {
			list_add(&out, eq);
			continue;
		}
		if (node->pattern && node->pattern->solves
		    && !is_together(r, eq->target.at[0], "a solve")) {
			list_add(&out, eq);
			continue;
		}
		if (eq->target.n == 1 && is_apart(r, eq->target.at[0])) {
			split_equation(r, eq->target.at[0], eq->right, checked, &out);
			continue;
		}
		relay_list(r, eq->target.at, eq->target.n);
		list_add(&out, eq);
	}
	r->whole = NULL;
	node->equation.at = out.at, node->equation.n = out.n, node->equation.room = out.room;
}

/* ---- statements ---- */

struct nodes { struct node **at; int n, room; };

static void relay_swap(struct relaid *r, struct node *node, struct nodes *out)
{
	struct var **a = parts_of(r, node->swap[0]), **b = parts_of(r, node->swap[1]);
	if (!a || node->swap[0]->layout->block > 0) {
		list_add(out, node);
		return;
	}
	for (int f = 0; a[f]; f++) {
		struct node *one = NEW(struct node);
		*one = *node;
		one->swap[0] = a[f];
		one->swap[1] = b[f];
		list_add(out, one);
	}
}

static void relay_body(struct relaid *r, struct node ***at, int *n, int *room)
{
	struct nodes out = { 0 };
	for (int i = 0; i < *n; i++) {
		struct node *node = (*at)[i];
		if (node->kind == NODE_SWAP) {
			relay_swap(r, node, &out);
			continue;
		}
		relay_list(r, node->lo.at, node->lo.n);
		relay_list(r, node->hi.at, node->hi.n);
		for (int k = 0; k < MAX_RANK; k++)
			node->edge[k].value = relay(r, node->edge[k].value);
		node->limit = relay(r, node->limit);
		node->until = relay(r, node->until);
		node->where = relay(r, node->where);
		if (node->running)
			relay_running(r, node->running);
		if (node->sorting)
			relay_sorting(r, node->sorting);
		if (node->wave)
			relay_wave(r, node);
		relay_equations(r, node);
		relay_body(r, &node->body.at, &node->body.n, &node->body.room);
		list_add(&out, node);
	}
	*at = out.at, *n = out.n, *room = out.room;
}

/* ---- the whole ---- */

static bool any_layout(const struct entry *entry)
{
	for (int i = 0; i < entry->param.n; i++)
		if (entry->param.at[i]->layout)
			return true;
	for (int i = 0; i < entry->let.n; i++)
		if (entry->let.at[i]->layout)
			return true;
	return false;
}

void relay_layouts(struct entry *entry, const struct options *o)
{
	struct relaid r = { .entry = entry };
	int told = diag_errors();            /* of something else: a test that is no test, say */
	pass_each(entry, relay_arrays, o);
	if (!any_layout(entry))
		return;
	while (adopt_all(entry->body.at, entry->body.n))
		;
	relay_vars(&r);
	if (diag_errors() > told)
		return;
	relay_body(&r, &entry->body.at, &entry->body.n, &entry->body.room);
	pass_each(entry, relay_order, o);
}
