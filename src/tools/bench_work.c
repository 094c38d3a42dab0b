/* bench_work.c - what a call moves and computes: the work of each statement (work.h) times its
 * cells or terms, times the passes of the loops around it.
 *
 * Ranges are evaluated for the sizes and scalars of the call.  Where a range depends on an index or
 * a counter around it, that has its mean value, which is exact for a triangle.  Where data decide
 * how many cells or terms there are, the statement moves at least what it reads and writes once.  A
 * product, whose reads all come from caches and count nothing for a term, reads its arrays once. */
#include "bench.h"

#include "ask.h"
#include "compare.h"
#include "eval_value.h"
#include "work.h"

#include <stdlib.h>

struct call {
	const struct entry *entry;
	const struct bound *bound;
	const struct machine *machine;
	struct map mean;                         /* double *, of an index or a counter */
	struct moved sum;
	bool timed;                              /* each statement has a bound */
};

/* ---- numbers that sizes and scalars give ---- */

static bool number_of(const struct call *, const struct expr *, double *);

static bool holds(const struct call *, const struct expr *, double *);

static bool bound_number(const struct call *c, const struct var *v, double *x)
{
	for (int i = 0; i < c->entry->size.n + c->entry->param.n; i++) {
		if (c->bound[i].var != v || v->rank || v->mode != MODE_IN || !c->bound[i].data)
			continue;
		struct num n = num_load(v->type, c->bound[i].data);
		*x = type_class(v->type) == 'F' ? n.f : (double)n.i;
		return true;
	}
	return false;
}

static bool var_number(const struct call *c, const struct var *v, double *x)
{
	const double *mean = map_get(&c->mean, v);
	if (mean)
		return *x = *mean, true;
	if (v->kind == VAR_CONST && v->value)
		return number_of(c, v->value, x);
	return bound_number(c, v, x);
}

static bool binary_number(const struct expr *e, double a, double b, double *x)
{
	switch (e->op) {
	case OP_ADD: return *x = a + b, true;
	case OP_SUB: return *x = a - b, true;
	case OP_MUL: return *x = a * b, true;
	case OP_DIV: return *x = b != 0 ? a / b : 0, b != 0;
	default: return false;
	}
}

static bool math_number(const struct expr *e, double a, double b, double *x)
{
	if (e->math != M_min && e->math != M_max)
		return false;
	return *x = (e->math == M_min) == (a < b) ? a : b, true;
}

static bool number_of(const struct call *c, const struct expr *e, double *x)
{
	double a = 0, b = 0;
	switch (e->kind) {
	case E_CONST:
		*x = type_class(e->type) == 'F' ? e->value.f : (double)e->value.i;
		return true;
	case E_VAR: return var_number(c, e->var, x);
	case E_CAST: return number_of(c, e->arg.at[0], x);
	case E_UNARY: return e->op == OP_NEG && number_of(c, e->arg.at[0], &a) && (*x = -a, true);
	case E_BINARY:
		return number_of(c, e->arg.at[0], &a) && number_of(c, e->arg.at[1], &b)
		       && binary_number(e, a, b, x);
	case E_MATH:
		return e->arg.n == 2 && number_of(c, e->arg.at[0], &a)
		       && number_of(c, e->arg.at[1], &b) && math_number(e, a, b, x);
	case E_READ: case E_FIELD: case E_ELEM: case E_STRUCT: case E_COND: case E_CALL:
	case E_FOLD: case E_OR_ZERO:
		return false;
	}
	return false;
}

static void set_mean(struct call *c, const struct var *v, double x)
{
	double *mean = mem_new(sizeof *mean);
	*mean = x;
	*map_at(&c->mean, v) = mean;
}

/* The length of a range, whose index then has its mean. */
static bool length_of(struct call *c, const struct var *index, const struct expr *lo,
                      const struct expr *hi, double *length)
{
	double from, to;
	if (!number_of(c, lo, &from) || !number_of(c, hi, &to))
		return false;
	*length = to > from ? to - from : 0;
	set_mean(c, index, from + (*length - 1) / 2);
	return true;
}

/* ---- cells and terms ---- */

static bool cells_of_node(struct call *c, const struct node *node, double *cells)
{
	*cells = 1;
	for (int d = 0; d < node->index.n; d++) {
		double length;
		if (!length_of(c, node->index.at[d], node->lo.at[d], node->hi.at[d], &length))
			return false;
		*cells *= length;
	}
	return node->index.n > 0 || node->equation.n > 0;
}

/* Of folds inside each other along ranges that sizes give; the others belong to a term. */
static bool terms_of(struct call *c, const struct expr *e, double *terms)
{
	double own = 1, inside = 1;
	for (int d = 0; expr_folds(e) && d < e->fold->index.n; d++) {
		const struct fold *f = e->fold;
		double length;
		if (!length_of(c, f->index.at[d], f->lo.at[d], f->hi.at[d], &length))
			return false;
		own *= affine_cells(f->lo.at[d], f->hi.at[d]) < 0 ? length : 1;
	}
	for (int a = 0; a < e->arg.n; a++) {
		double each;
		if (!terms_of(c, e->arg.at[a], &each))
			return false;
		inside = each > inside ? each : inside;
	}
	return *terms = own * inside, true;
}

/* How many cells, or terms, the statement has. */
static bool units_of(struct call *c, const struct node *node, bool of_term, double *units)
{
	double most = 1;
	if (!cells_of_node(c, node, units))
		return false;
	for (int q = 0; of_term && q < node->equation.n; q++) {
		const struct expr *right = node->equation.at[q]->right;
		double each = 1;
		if (right && !terms_of(c, right, &each))
			return false;
		most = each > most ? each : most;
	}
	*units *= most;
	return true;
}

/* ---- arrays, once ---- */

/* How often each is read or written. */
struct use_count { const struct var *var; int times; };
struct arrays { LIST(struct use_count) of; };

static bool is_array(const struct var *v)
{
	return v->rank > 0 && !v->on_chip && (v->kind == VAR_PARAM || v->kind == VAR_LET);
}

static int *times_of(struct arrays *a, const struct var *v)
{
	for (int i = 0; i < a->of.n; i++)
		if (a->of.at[i].var == v)
			return &a->of.at[i].times;
	list_add(&a->of, ((struct use_count){ v, 0 }));
	return &a->of.at[a->of.n - 1].times;
}

static bool note_array(struct expr *e, void *arrays)
{
	if (e->kind == E_READ && is_array(e->var))
		++*times_of(arrays, e->var);
	return true;
}

static double array_bytes(const struct call *c, const struct var *v)
{
	double cells = (double)type_size(v->type);
	for (int k = 0; k < v->rank; k++) {
		double extent = (double)v->extent[k].constant, x = 0;
		for (int t = 0; t < v->extent[k].n; t++)
			if (var_number(c, v->extent[k].term[t].var, &x))
				extent += (double)v->extent[k].term[t].coef * x;
		cells *= extent;
	}
	return cells;
}

/* Its targets, and what it reads: a target that it mentions again, too. */
static struct work arrays_once(const struct call *c, const struct node *node)
{
	struct arrays all = { .of = { 0 } };
	struct work w = { 0 };
	node_walk((struct node *)node, note_array, &all);
	for (int k = 0; node_target(node, k); k++) {
		const struct expr *cell = target_read(node_target(node, k));
		if (!is_array(cell->var))
			continue;
		--*times_of(&all, cell->var);
		w.written += array_bytes(c, cell->var);
	}
	for (int i = 0; i < all.of.n; i++)
		w.read += all.of.at[i].times > 0 ? array_bytes(c, all.of.at[i].var) : 0;
	return w;
}

/* ---- statements ---- */

static void scale(struct work *w, double times)
{
	w->read *= times;
	w->written *= times;
	w->f32 *= times;
	w->f64 *= times;
	w->integer *= times;
	w->united *= times;
	w->slow32 *= times;
	w->slow64 *= times;
}

static void join(struct work *to, const struct work *w)
{
	to->read += w->read;
	to->written += w->written;
	to->f32 += w->f32;
	to->f64 += w->f64;
	to->integer += w->integer;
	to->united += w->united;
	to->slow32 += w->slow32;
	to->slow64 += w->slow64;
}

static void add_work(struct call *c, const struct work *w, double passes)
{
	struct roofline r = { NULL, 0 };
	c->sum.bytes += passes * (w->read + w->written);
	c->sum.flops += passes * (w->f32 + w->f64);
	c->sum.integers += passes * w->integer;
	if (c->machine)
		r = work_roofline(w, c->machine);
	c->timed = c->timed && (r.by || w->read + w->written + w->f32 + w->f64 <= 0);
	c->sum.seconds += r.by ? passes / r.per_second : 0;
}

/* Of a call: of all its cells or terms. */
static struct work work_of_call(struct call *c, const struct node *node)
{
	struct work w = work_of(node), once = arrays_once(c, node);
	double units;
	bool known = units_of(c, node, w.of_term, &units);
	scale(&w, known ? units : 0);
	w.cached = 0;
	if (!known || (w.of_term && w.read + w.written <= 0))
		w.written = once.written;
	if (w.read <= 0)
		w.read = once.read;
	c->sum.exact = c->sum.exact && known && !w.at_least;
	return w;
}

/* Together with its chain, which its kernel computes. */
static void add_statement(struct call *c, const struct node *node, double passes)
{
	struct work w = work_of_call(c, node);
	for (int i = 0; node->group && i < node->group->chain.n; i++) {
		struct work each = work_of_call(c, node->group->chain.at[i]);
		join(&w, &each);
	}
	add_work(c, &w, passes);
}

static bool binary_holds(const struct call *c, const struct expr *e, double *x)
{
	double a, b;
	bool logic = e->op == OP_LAND || e->op == OP_LOR;
	bool (*of)(const struct call *, const struct expr *, double *) = logic ? holds : number_of;
	if (!of(c, e->arg.at[0], &a) || !of(c, e->arg.at[1], &b))
		return false;
	switch (e->op) {
	case OP_LAND: *x = a && b; return true;
	case OP_LOR: *x = a || b; return true;
	case OP_LT: *x = a < b; return true;
	case OP_LE: *x = a <= b; return true;
	case OP_GT: *x = a > b; return true;
	case OP_GE: *x = a >= b; return true;
	case OP_EQ: *x = a == b; return true;
	case OP_NE: *x = a != b; return true;
	default: return false;
	}
}

/* Of a condition: 1 or 0; false: sizes and scalars do not give it. */
static bool holds(const struct call *c, const struct expr *e, double *x)
{
	bool known = e->kind == E_BINARY ? binary_holds(c, e, x)
	             : e->kind == E_UNARY && e->op == OP_NOT && holds(c, e->arg.at[0], x);
	if (known && e->kind == E_UNARY)
		*x = *x == 0;
	*x = known ? *x : 0;
	return known;
}

static void add_nodes(struct call *c, struct node *const *at, int n, double passes)
{
	for (int i = 0; i < n; i++) {
		double times = passes, limit = 1;
		switch (at[i]->kind) {
		case NODE_PATTERN:
			if (!at[i]->into)
				add_statement(c, at[i], passes);
			continue;
		case NODE_SWAP: case NODE_SPARE: continue;
		case NODE_REPEAT_COUNT:
			c->sum.exact = number_of(c, at[i]->limit, &limit) && c->sum.exact;
			times *= limit > 0 ? limit : 0;
			if (at[i]->counter)
				set_mean(c, at[i]->counter, (limit - 1) / 2);
			break;
		case NODE_REPEAT_UNTIL:
			c->sum.exact = false;
			times *= number_of(c, at[i]->limit, &limit) && limit < 1 ? 0 : 1;
			break;
		case NODE_IF:
			if (!holds(c, at[i]->until, &limit))
				c->sum.exact = false;
			times *= limit;
			break;
		}
		add_nodes(c, at[i]->body.at, at[i]->body.n, times);
	}
}

struct moved moved_of(const struct entry *e, const struct bound *b, const struct options *o)
{
	struct call c = { .entry = e, .bound = b, .machine = machine_of(o->target, o->machine),
		          .sum = { .exact = true }, .timed = true };
	add_nodes(&c, e->body.at, e->body.n, 1);
	if (!c.machine || !c.timed)
		c.sum.seconds = 0;
	map_free(&c.mean);
	return c.sum;
}
