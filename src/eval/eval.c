/* eval.c - the reference interpreter: what a program means, executed one cell after another.
 *
 * It reads the pattern graph and nothing after it: no pass, no plan, no kernel IR.  Every
 * expression is first turned into a tree of `struct code`, in which variables are resolved to
 * places and every node knows the function that runs it; a node costs some ten nanoseconds.
 *
 * Values carry a bound on what another legal evaluation may give (eval_value.c); every array has
 * one bound per cell beside its data.
 *
 * What falls outside.  A subscript that nobody could prove is tested: `outside` is set, the value
 * is 0, and the innermost fold drops its term, else the equation does not write its cell; the
 * status is ST_INDEX in the end (R34), unless the statement says `drop`.  A subscript that was
 * proved and is outside all the same is our mistake, and an assertion; of a statement that says
 * `trusted`, whose checks nobody makes but we, it is the program's.
 *
 * A stencil's boundary (R43, R44) belongs to the subscripts that use one domain index bare, plus
 * constants or fold indices.  Where several axes leave the array, the first one with a value
 * answers; that value sees, for every axis that uses a domain index, the position as written.  A
 * cell whose neighbourhood leaves the array on a `keep` axis is left out, whatever guards say.
 *
 * An extern fn is C that we do not have: its result is open, i.e. within an infinite bound, unless
 * whoever asks has given it a meaning.
 *
 * A let is cleared at the start of each pass of the repeat that declares it: the innermost one
 * that begins before the let and uses it, since a let cannot be used outside its block. */
#include <assert.h>
#include <string.h>

#include "eval_impl.h"

/* loop passes, cells, terms and calls, before we give up */
static int64_t steps_allowed = 1000000000;

void eval_limit(int64_t steps)
{
	steps_allowed = steps;
}

/* ---- statements ---- */

static void note_read(struct cell_code *cells, struct code *read, const struct keep *around)
{
	bool keeps = false;
	for (int k = 0; read->side && k < read->n; k++)
		keeps |= read->side[k].edge && read->side[k].edge->kind == B_KEEP;
	if (!keeps)
		return;
	struct keep *keep = NEW(struct keep);
	*keep = *around;
	keep->read = read;
	list_add(&cells->keep, keep);
}

/* Notes the reads on keep axes, each with the folds around it. */
static void note_keep(struct cell_code *cells, struct code *c, struct keep *around)
{
	if (!c)
		return;
	note_read(cells, c, around);
	if (c->fold) {
		assert(around->folds < MAX_DEPTH && "expressions are no deeper");
		around->fold[around->folds++] = c;
		note_keep(cells, c->fold->where, around);
	}
	for (int i = 0; i < c->n; i++)
		note_keep(cells, c->arg[i], around);
	around->folds -= c->fold != NULL;
}

static void note_keeps(struct cell_code *cells)
{
	struct keep around = { 0 };
	note_keep(cells, cells->where, &around);
	for (int i = 0; i < cells->equations; i++)
		note_keep(cells, cells->right[i], &around);
}

static void exchange(int64_t *extent)
{
	int64_t first = extent[0];
	extent[0] = extent[1];
	extent[1] = first;
}

/* A statement in place writes a copy of the array, so that every cell reads what was there before.
 * */
static void write_apart(struct cell_code *cells)
{
	struct code *target = cells->target[0].at[0];
	while (target->expr->kind != E_READ)
		target = target->arg[0];
	cells->before = target->place;
	cells->after = NEW(struct place);
	*cells->after = *cells->before;
	cells->after->data = array_new(cells->after->cells, type_size(cells->after->type));
	cells->after->error = array_new(cells->after->cells, sizeof(double));
	if (cells->node->reshapes)
		exchange(cells->after->extent);
	target->place = cells->after;
}

static void copy_cells(struct place *to, const struct place *from)
{
	if (!from->cells)
		return;
	memcpy(to->data, from->data, (size_t)(from->cells * type_size(from->type)));
	memcpy(to->error, from->error, (size_t)from->cells * sizeof(double));
}

struct cell_code *compile_cells(struct eval *ev, const struct node *node)
{
	struct cell_code *cells = known_add(&ev->node, node, NEW(struct cell_code));
	cells->node = node;
	cells->n = node->index.n;
	cells->equations = node->equation.n;
	cells->index = array_new(cells->n, sizeof *cells->index);
	cells->target = array_new(cells->equations, sizeof *cells->target);
	cells->right = array_new(cells->equations, sizeof *cells->right);
	for (int k = 0; k < cells->n; k++)
		cells->index[k] = place_of(ev, node->index.at[k]);
	cells->lo = code_list(ev, node->lo.at, cells->n);
	cells->hi = code_list(ev, node->hi.at, cells->n);
	cells->count = expansion_codes(ev, node);
	for (int i = 0; i < cells->equations; i++) {
		const struct equation *eq = node->equation.at[i];
		cells->target[i].n = eq->target.n;
		cells->target[i].at = code_list(ev, eq->target.at, eq->target.n);
	}
	ev->stencil = node;
	ev->stencil_index = cells->index;
	cells->where = node->where ? code_of(ev, node->where) : NULL;
	for (int i = 0; i < cells->equations; i++)
		if (node->equation.at[i]->right)
			cells->right[i] = code_of(ev, node->equation.at[i]->right);
	ev->stencil = NULL;
	note_keeps(cells);
	if (node->mirror[0])
		write_apart(cells);
	return cells;
}

static bool read_leaves(struct eval *ev, const struct code *c)
{
	int64_t at[MAX_RANK];
	subscripts(ev, c, at);
	for (int k = 0; k < c->n; k++)
		if (c->side[k].edge && c->side[k].edge->kind == B_KEEP
		    && (at[k] < 0 || at[k] >= c->place->extent[k]))
			return true;
	return false;
}

/* Does the read leave its array, for any term of the folds from `level`, axis `axis` on? */
static bool window_leaves(struct eval *ev, const struct keep *keep, int level, int axis)
{
	if (level == keep->folds)
		return read_leaves(ev, keep->read);
	const struct fold_code *f = keep->fold[level]->fold;
	if (axis == f->n)
		return window_leaves(ev, keep, level + 1, 0);
	int64_t lo = run(ev, f->lo[axis]).i, hi = run(ev, f->hi[axis]).i;
	for (int64_t i = lo; i < hi && step_on(ev, keep->read->expr->at); i++) {
		f->index[axis]->value = num_int(i);
		if (window_leaves(ev, keep, level, axis + 1))
			return true;
	}
	return false;
}

/* Does the cell's neighbourhood leave an array on a keep axis? */
static bool keeps(struct eval *ev, const struct cell_code *cells)
{
	for (int i = 0; i < cells->keep.n; i++)
		if (window_leaves(ev, cells->keep.at[i], 0, 0))
			return true;
	return false;
}

/* The bytes of the target and the bound of its cell; NULL: outside, or what a subscript reads is.
 * */
unsigned char *target_at(struct eval *ev, const struct code *c, double **error)
{
	if (c->expr->kind == E_VAR) {
		*error = c->place->error;
		return c->place->data;
	}
	if (c->expr->kind == E_READ) {
		int64_t at[MAX_RANK];
		double e = subscripts(ev, c, at);
		struct num cell = locate(ev, c, at, e);
		ev->astray |= e > 0;
		*error = ev->outside ? NULL : &c->place->error[cell.i];
		return ev->outside ? NULL : c->place->data + cell.i * type_size(c->place->type);
	}
	unsigned char *whole = target_at(ev, c->arg[0], error);
	if (c->expr->kind == E_FIELD)
		return whole ? whole + c->expr->field->offset : NULL;
	double e = 0;
	int64_t at = element(ev, c, 1, c->of->extent, &e);
	return whole && !ev->outside ? whole + at * type_size(c->type) : NULL;
}

/* Part of a struct is written: the bound covers the other parts as well. */
static void write_cell(struct eval *ev, const struct code *target, const struct type *of,
                       struct num v, bool open)
{
	double *error;
	unsigned char *to = target_at(ev, target, &error);
	if (!to)
		return;
	bool whole = target->expr->kind == E_READ || target->expr->kind == E_VAR;
	if (!in_memory(of) || v.i)
		num_store(target->type, to, num_cast(target->type, of, v));
	v = num_cast(target->type, of, v);
	*error = open ? OPEN : whole ? v.e : worse(*error, v.e);
}

/* Several targets get the fields of the value. */
void write_cells(struct eval *ev, const struct targets *to, const struct type *type, struct num v,
                 bool open)
{
	if (to->n == 1)
		write_cell(ev, to->at[0], type, v, open);
	for (int t = 0; t < to->n && to->n > 1; t++) {
		const struct field *field = &type->record->field.at[t];
		struct num part = num_load(field->type,
		                           (const char *)(intptr_t)v.i + field->offset);
		part.e = v.e >= OPEN || type_class(field->type) == 'F' ? v.e : 0;
		write_cell(ev, to->at[t], field->type, part, open);
	}
}

/* An open mask leaves the old value and the new one both possible. */
void mark_open(struct eval *ev, const struct cell_code *cells)
{
	for (int i = 0; i < cells->equations; i++)
		for (int t = 0; t < cells->target[i].n; t++) {
			double *error;
			ev->outside = false;
			if (target_at(ev, cells->target[i].at[t], &error))
				*error = OPEN;
		}
	ev->outside = false;
}

bool cell_masked(struct eval *ev, const struct cell_code *cells, bool *open)
{
	struct num where = cells->where ? run(ev, cells->where) : num_int(1);
	*open = where.e > 0;
	if (ev->outside) {
		record(ev);
		return true;
	}
	if (!where.i && *open)
		mark_open(ev, cells);
	return !where.i;
}

static bool has_items(const struct node *node)
{
	return node->pattern->combines || node->expand;
}

/* An item whose cell is outside has no value: no call in it fails. */
static bool item_lost(struct eval *ev, const struct cell_code *cells, int q)
{
	double *error;

	return has_items(cells->node) && !target_at(ev, cells->target[q].at[0], &error);
}

static void run_cell(struct eval *ev, const struct cell_code *cells)
{
	bool open;
	ev->outside = false;
	if ((cells->keep.n && keeps(ev, cells)) || cell_masked(ev, cells, &open))
		return;
	for (int i = 0; i < cells->equations; i++) {
		ev->outside = false;
		struct num v = item_lost(ev, cells, i) ? num_int(0) : run(ev, cells->right[i]);
		if (!ev->outside && has_items(cells->node))
			combine_cell(ev, cells, i, v, open);
		else if (!ev->outside)
			write_cells(ev, &cells->target[i], cells->right[i]->type, v, open);
		if (ev->outside)
			record(ev);
	}
}

static void run_axis(struct eval *ev, const struct cell_code *cells, int k)
{
	if (k == cells->n) {
		run_cell(ev, cells);
		return;
	}
	int64_t lo, hi;
	if (!range_of(ev, &(struct range_code){ cells->lo[k], cells->hi[k], cells->count[k] },
	              &lo, &hi))
		return;
	for (int64_t i = lo; i < hi && step_on(ev, cells->node->at); i++) {
		cells->index[k]->value = num_int(i);
		run_axis(ev, cells, k + 1);
	}
}

void eval_cells(struct eval *ev, const struct node *node)
{
	struct cell_code *cells = known_find(ev->node, node);
	cells = cells ? cells : compile_cells(ev, node);
	if (cells->after)
		copy_cells(cells->after, cells->before);
	run_axis(ev, cells, 0);
	if (cells->after)
		copy_cells(cells->before, cells->after);
}

static void swap_bytes(void *a, void *b, size_t n)
{
	unsigned char *p = a, *q = b, t;
	for (size_t i = 0; i < n; i++)
		t = p[i], p[i] = q[i], q[i] = t;
}

static void run_swap(struct eval *ev, const struct node *node)
{
	struct place *a = place_of(ev, node->swap[0]), *b = place_of(ev, node->swap[1]);
	assert(a->cells == b->cells && "sema lets only equal shapes be swapped");
	swap_bytes(a->data, b->data, (size_t)(a->cells * type_size(a->type)));
	swap_bytes(a->error, b->error, (size_t)a->cells * sizeof(double));
	const struct order *order = a->order;
	a->order = b->order;
	b->order = order;
}

/* ---- repeat, if ---- */

static void clear_lets(struct eval *ev, const struct node *repeat)
{
	for (int i = 0; i < ev->entry->let.n; i++) {
		struct var *let = ev->entry->let.at[i];
		if (let->scope != repeat)
			continue;
		struct place *p = place_of(ev, let);
		memset(p->data, 0, (size_t)(p->cells * type_size(p->type)));
		memset(p->error, 0, (size_t)p->cells * sizeof(double));
		p->order = NULL;
	}
}

/* An expression that runs once per pass or for a caller outside: compiled when first seen. */
static struct num eval_num(struct eval *ev, const struct expr *e)
{
	struct code *c = known_find(ev->expr, e);
	return run(ev, c ? c : known_add(&ev->expr, e, code_of(ev, e)));
}

static void run_nodes(struct eval *, struct node *const *, int n);

static void run_repeat(struct eval *ev, const struct node *node)
{
	struct num limit = eval_num(ev, node->limit);
	struct place *counter = node->counter ? place_of(ev, node->counter) : NULL;
	ev->all_open |= limit.e > 0;
	for (int64_t t = 0; t < limit.i && step_on(ev, node->at); t++) {
		if (counter)
			counter->value = num_int(t);
		clear_lets(ev, node);
		run_nodes(ev, node->body.at, node->body.n);
		if (node->kind != NODE_REPEAT_UNTIL || (node->asks && !eval_num(ev, node->asks).i))
			continue;
		struct num until = eval_num(ev, node->until);
		ev->all_open |= until.e > 0;
		if (until.i)
			break;
	}
}

static void run_if(struct eval *ev, const struct node *node)
{
	struct num test = eval_num(ev, node->until);
	ev->all_open |= test.e > 0;
	if (!test.i)
		return;
	clear_lets(ev, node);
	run_nodes(ev, node->body.at, node->body.n);
}

static void run_pattern(struct eval *ev, const struct node *node)
{
	for (int t = 0; node_target(node, t); t++)
		place_of(ev, target_read(node_target(node, t))->var)->order = NULL;
	ev->statement++;
	ev->drops = node_clause(node, "drop");
	ev->trusts = node_clause(node, "trusted");
	node->pattern->eval(ev, node);
	ev->drops = ev->trusts = false;
}

static void run_nodes(struct eval *ev, struct node *const *at, int n)
{
	for (int i = 0; i < n && !ev->stopped; i++)
		switch (at[i]->kind) {
		case NODE_PATTERN: run_pattern(ev, at[i]); break;
		case NODE_SWAP: run_swap(ev, at[i]); break;
		case NODE_SPARE: break;
		case NODE_REPEAT_COUNT: case NODE_REPEAT_UNTIL: run_repeat(ev, at[i]); break;
		case NODE_IF: run_if(ev, at[i]); break;
		}
}

/* ---- the way in ---- */

/* Evaluates a size expression; false: an overflow. */
static bool extent_of(struct eval *ev, const struct affine *a, int64_t *extent)
{
	*extent = a->constant;
	for (int t = 0; t < a->n; t++) {
		int64_t part_ = place_of(ev, a->term[t].var)->value.i;
		if (__builtin_mul_overflow(part_, a->term[t].coef, &part_)
		    || __builtin_add_overflow(*extent, part_, extent))
			return false;
	}
	return true;
}

static int shape_of(struct eval *ev, const struct var *v, struct place *p)
{
	bool empty = false;
	p->rank = v->rank;
	p->cells = 1;
	for (int k = 0; k < v->rank; k++) {
		if (!extent_of(ev, &v->extent[k], &p->extent[k]))
			return ST_SHAPE;
		if (p->extent[k] < 0)
			return ST_SIZE;
		empty |= p->extent[k] == 0;
	}
	for (int k = 0; k < v->rank && !empty; k++)
		if (__builtin_mul_overflow(p->cells, p->extent[k], &p->cells))
			return ST_SHAPE;
	p->cells = empty ? 0 : p->cells;
	if (p->cells > INT64_MAX / 64 / type_size(v->type))
		return ST_SHAPE;
	return ST_OK;
}

/* The data here is dense and row-major whatever the caller has; only what he says of it is tested.
 * */
static int check_sides(const struct place *p, const struct var *v)
{
	for (int a = 0; a < v->rank; a++)
		if (p->extent[a] != p->extent[0] || (p->extent[a] & (p->extent[a] - 1)))
			return ST_SIDE;
	return ST_OK;
}

static int check_layout(struct eval *ev, const struct var *v)
{
	int64_t ld;
	if (var_curved(v))
		return check_sides(place_of(ev, v), v);
	if (!v->layout || !v->layout->pitched)
		return ST_OK;
	if (!extent_of(ev, &v->layout->ld, &ld))
		return ST_SHAPE;
	return ld < place_of(ev, v)->extent[v->layout->col ? 0 : v->rank - 1] ? ST_LD : ST_OK;
}

static int bind_param(struct eval *ev, struct bound *b)
{
	struct place *p = place_of(ev, b->var);
	bool by_value = b->var->rank == 0 && b->var->mode == MODE_IN;
	int status = shape_of(ev, b->var, p);
	if (status)
		return status;
	if (by_value) {
		place_set(p, num_load(b->var->type, b->data));
		return ST_OK;
	}
	p->data = b->data;
	p->error = b->error ? b->error : array_new(p->cells, sizeof(double));
	return ST_OK;
}

static int make_let(struct eval *ev, const struct var *let)
{
	struct place *p = place_of(ev, let);
	int status = shape_of(ev, let, p);
	if (status)
		return status;
	p->data = array_new(p->cells, (size_t)type_size(let->type));
	p->error = array_new(p->cells, sizeof(double));
	return ST_OK;
}

/* No size is larger: legality relies on it (legal.h). */
static const int64_t LARGEST = (int64_t)1 << 48;

static int bind_all(struct eval *ev, struct bound *bound, int n)
{
	int sizes = ev->entry->size.n, status = ST_OK;
	assert(n == sizes + ev->entry->param.n && "sizes and parameters are all bound");
	for (int i = 0; i < sizes; i++) {
		place_of(ev, bound[i].var)->value = num_int(*(const int64_t *)bound[i].data);
		if (*(const int64_t *)bound[i].data < 0)
			return ST_SIZE;
	}
	for (int i = 0; i < sizes; i++)
		if (*(const int64_t *)bound[i].data > LARGEST)
			return ST_SHAPE;
	for (int i = sizes; i < n && !status; i++)
		status = bind_param(ev, &bound[i]);
	for (int i = 0; i < ev->entry->let.n && !status; i++)
		status = make_let(ev, ev->entry->let.at[i]);
	for (int i = 0; i < ev->entry->param.n && !status; i++)
		status = check_layout(ev, ev->entry->param.at[i]);
	return status;
}

static void open_outputs(struct eval *ev, const struct entry *entry)
{
	for (int i = 0; i < entry->param.n; i++) {
		struct place *p = place_of(ev, entry->param.at[i]);
		if (entry->param.at[i]->mode != MODE_IN)
			for (int64_t c = 0; c < p->cells; c++)
				p->error[c] = OPEN;
	}
}

/* Arrays whose first cells were moved alike get one number. */
static void tell_orders(struct eval *ev, struct bound *bound, int n)
{
	for (int i = ev->entry->size.n; i < n; i++) {
		const struct order *order = place_of(ev, bound[i].var)->order;
		bound[i].order = 0;
		bound[i].moved = order && !ev->all_open ? order->cells : 0;
		bound[i].group = bound[i].moved ? order->group : NULL;
		for (int k = ev->entry->size.n; bound[i].moved && k <= i && !bound[i].order; k++)
			if (place_of(ev, bound[k].var)->order == order)
				bound[i].order = k + 1;
	}
}

bool eval_value(const struct expr *e, void *to)
{
	struct eval ev = { .limit = steps_allowed };
	struct num v = run(&ev, code_of(&ev, e));
	if (!ev.stopped && (!in_memory(e->type) || v.i))
		num_store(e->type, to, v);
	return !ev.stopped;
}

/* Of the conditions that the kernel requires the first that does not hold. */
static int check_required(struct eval *ev)
{
	for (int k = 0; k < ev->entry->require.n; k++)
		if (!eval_num(ev, ev->entry->require.at[k]).i)
			return ST_REQUIRED + k;
	return ST_OK;
}

static int execute(struct eval *ev, struct bound *bound, int n)
{
	int status = bind_all(ev, bound, n);
	status = status ? status : check_required(ev);
	if (status)
		return status;
	run_nodes(ev, ev->entry->body.at, ev->entry->body.n);
	tell_orders(ev, bound, n);
	for (int i = 0; i < n; i++)
		if (bound[i].var->reshaped)
			exchange(bound[i].extent);
	if (ev->all_open)
		open_outputs(ev, ev->entry);
	return ev->stopped ? -1 : ev->status;
}

struct bounds { const struct bound *bound; int n; };

static bool visit_known(struct expr *e, void *state)
{
	const struct bounds *known = state;
	bool found = e->kind != E_VAR || e->var->kind == VAR_CONST;
	for (int i = 0; i < known->n && !found; i++)
		found = known->bound[i].var == e->var;
	return found;
}

bool eval_required(const struct entry *entry, const struct bound *bound, int n)
{
	struct eval ev = { .limit = steps_allowed, .entry = entry, .quiet = true };
	struct bounds known = { bound, n };
	for (int i = 0; i < n; i++) {
		const struct var *v = bound[i].var;
		if (v->rank == 0 && (v->kind == VAR_SIZE || v->mode == MODE_IN))
			place_set(place_of(&ev, v), num_load(v->type, bound[i].data));
	}
	for (int k = 0; k < entry->require.n; k++)
		if (expr_walk(entry->require.at[k], visit_known, &known)
		    && !eval_num(&ev, entry->require.at[k]).i)
			return false;
	return true;
}

int eval_entry(const struct entry *entry, struct bound *bound, int n)
{
	struct eval ev = { .limit = steps_allowed, .entry = entry };
	int status = execute(&ev, bound, n);
	return status < 0 || status > ev.own ? status : ev.own;
}

int eval_compared(const struct entry *entry, struct bound *bound, int n, bool quiet, int *possible)
{
	struct eval ev = { .limit = steps_allowed, .entry = entry, .quiet = quiet };
	int status = execute(&ev, bound, n);
	*possible = ev.possible;
	return status;
}
