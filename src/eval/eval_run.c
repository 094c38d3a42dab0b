/* eval_run.c - runs each kind of code; eval.c has the design. */
#include <assert.h>
#include <string.h>

#include "eval_impl.h"
#include "show.h"

/* False when the program has run for too long; says so once. */
bool step_on(struct eval *ev, struct loc at)
{
	if (++ev->steps <= ev->limit)
		return !ev->stopped;
	if (!ev->stopped && !ev->quiet)
		diag_error(at, D_EVAL_STEPS, "this did not end within %lld steps",
		           (long long)ev->limit);
	ev->stopped = true;
	return false;
}

/* Of several the greatest stays, as on every target: the order of the cells does not matter. */
void record_status(struct eval *ev, int status)
{
	if (ev->status < status)
		ev->status = status;
}

void record_possible(struct eval *ev, int status, bool here)
{
	ev->possible = ev->possible < status ? status : ev->possible;
	if (here && ev->own < status)
		ev->own = status;
}

void record(struct eval *ev)
{
	if (!ev->drops)
		record_status(ev, ST_INDEX);
}

static struct num run_const(struct eval *ev, const struct code *c)
{
	(void)ev;
	return c->value;
}

static struct num run_place(struct eval *ev, const struct code *c)
{
	(void)ev;
	return c->place->value;
}

static struct num run_memory(struct eval *ev, const struct code *c)
{
	(void)ev;
	return place_get(c->place);
}

/* Where position p of an axis of n cells reads; -1 when it has no place, or nothing maps it. */
static int64_t reach(enum boundary kind, int64_t p, int64_t n)
{
	int64_t period;
	if (p >= 0 && p < n)
		return p;
	if (n <= 0)
		return -1;
	switch (kind) {
	case B_CLAMP:
		return p < 0 ? 0 : n - 1;
	case B_WRAP:
		p %= n;
		return p < 0 ? p + n : p;
	case B_MIRROR:
		period = 2 * n;
		p = (p % period + period) % period;
		return p < n ? p : period - 1 - p;
	case B_REFLECT:
		period = n > 1 ? 2 * n - 2 : 1;
		p = (p % period + period) % period;
		return p < n ? p : period - p;
	case B_NONE: case B_VALUE: case B_KEEP:
		return -1;
	}
	return -1;
}

static struct num left_array(struct eval *ev, const struct code *c)
{
	assert((c->expr->kind == E_ELEM || c->expr->checked || ev->outside || ev->trusts)
	       && "a subscript proved to be inside is inside");
	ev->outside = true;
	return (struct num){ .i = -1 };
}

/* The value of a boundary, with the domain's indices standing at the position outside. */
static struct num outside_value(struct eval *ev, const struct code *c, const struct code *value,
                                const int64_t *at)
{
	int64_t old[MAX_RANK];
	for (int k = 0; k < c->n; k++) {
		if (c->side[k].index < 0)
			continue;
		old[k] = c->index[c->side[k].index]->value.i;
		c->index[c->side[k].index]->value.i = at[k];
	}
	struct num v = run(ev, value);
	for (int k = c->n - 1; k >= 0; k--)
		if (c->side[k].index >= 0)
			c->index[c->side[k].index]->value.i = old[k];
	return v;
}

static const struct code *answering(const struct code *c, const int64_t *at)
{
	for (int k = 0; c->side && k < c->n; k++)
		if (c->side[k].value && (at[k] < 0 || at[k] >= c->place->extent[k]))
			return c->side[k].value;
	return NULL;
}

/* The number of the cell that the subscripts name, its bound in e; -1: outside. */
struct num locate(struct eval *ev, const struct code *c, const int64_t *at, double e)
{
	const struct place *p = c->place;
	int64_t cell = 0;
	for (int k = 0; k < c->n; k++) {
		int64_t n = p->extent[k], x = at[k];
		if (x < 0 || x >= n)
			x = reach(c->side && c->side[k].edge ? c->side[k].edge->kind : B_NONE, x,
			          n);
		if (x < 0)
			return left_array(ev, c);
		cell = cell * n + x;
	}
	return (struct num){ .i = cell, .e = e };
}

double subscripts(struct eval *ev, const struct code *c, int64_t *at)
{
	double e = 0;
	for (int k = 0; k < c->n; k++) {
		struct num s = run(ev, c->arg[k]);
		at[k] = s.i;
		e = worse(e, s.e);
	}
	return e;
}

static struct num run_read(struct eval *ev, const struct code *c)
{
	int64_t at[MAX_RANK];
	double e = subscripts(ev, c, at);
	const struct code *value = answering(c, at);
	if (value)
		return outside_value(ev, c, value, at);
	struct num cell = locate(ev, c, at, e);
	if (cell.i < 0)
		return (struct num){ .e = e };
	struct num v = num_load(c->type, c->place->data + cell.i * type_size(c->place->type));
	v.e = worse(c->place->error[cell.i], e);
	return v;
}

static struct num part(const struct code *c, struct num whole, int64_t offset)
{
	struct num v = num_load(c->type, (const unsigned char *)(intptr_t)whole.i + offset);
	bool exact = strchr("IUB", type_class(c->type)) && whole.e < OPEN;
	v.e = exact ? 0 : whole.e;               /* a bound below infinity is one of the floats */
	return v;
}

static struct num run_field(struct eval *ev, const struct code *c)
{
	struct num whole = run(ev, c->arg[0]);
	if (!whole.i)                            /* a struct read outside its array */
		return in_memory(c->type) ? whole : (struct num){ .e = whole.e };
	return part(c, whole, c->expr->field->offset);
}

static bool is_local(const struct expr *e)
{
	return e->var && e->var->kind == VAR_LOCAL;
}

/* Element of a small array: subscripts arg[first..] over the extents of `of`; -1: outside, which a
 * local array does not record. */
int64_t element(struct eval *ev, const struct code *c, int first, const int64_t *extent,
                       double *e)
{
	int64_t at = 0;
	for (int k = first; k < c->n; k++) {
		struct num s = run(ev, c->arg[k]);
		*e = worse(*e, s.e);
		if (s.i < 0 || s.i >= extent[k - first])
			return is_local(c->expr) ? -1 : left_array(ev, c).i;
		at = at * extent[k - first] + s.i;
	}
	return at;
}

static struct num run_elem(struct eval *ev, const struct code *c)
{
	struct num whole = { 0 };
	const int64_t *extent;
	int first = c->place ? 0 : 1;
	if (c->place) {
		whole.i = (int64_t)(intptr_t)c->place->data;
		extent = c->place->type->kind == T_ARRAY ? c->place->type->extent
		                                         : c->place->extent;
	} else {
		whole = run(ev, c->arg[0]);
		extent = c->of->extent;
	}
	int64_t at = element(ev, c, first, extent, &whole.e);
	if (at < 0 || !whole.i)
		return (struct num){ .e = whole.e };
	if (c->place)
		whole.e = worse(whole.e, c->place->error[at]);
	return part(c, whole, at * type_size(c->type));
}

static struct num run_struct(struct eval *ev, const struct code *c)
{
	struct num v = { .i = (int64_t)(intptr_t)c->bytes };
	const struct record *r = c->type->record;
	for (int i = 0, f = 0, cell = 0; i < c->n; i++, cell++) {
		for (; cell == type_cells(r->field.at[f].type); cell = 0)
			f++;
		const struct field *field = &r->field.at[f];
		const struct type *type = field->type->kind == T_ARRAY ? field->type->elem
		                                                       : field->type;
		struct num x = run(ev, c->arg[i]);
		if (x.i || !in_memory(type))
			num_store(type, c->bytes + field->offset + cell * type_size(type), x);
		v.e = worse(v.e, x.e);
	}
	return v;
}

static struct num run_unary(struct eval *ev, const struct code *c)
{
	return num_unary(c->expr->op, c->of, run(ev, c->arg[0]));
}

static struct num run_binary(struct eval *ev, const struct code *c)
{
	struct num a = run(ev, c->arg[0]), b = run(ev, c->arg[1]);
	struct num v = num_binary(c->expr->op, c->of, a, b);
	if (c->expr->strict && a.e == 0 && b.e == 0)
		v.e = 0;                         /* IEEE's one result */
	return v;
}

static struct num run_divide(struct eval *ev, const struct code *c)
{
	struct num a = run(ev, c->arg[0]);
	return num_divide(c->of, a, run(ev, c->arg[1]));
}

static struct num run_shift(struct eval *ev, const struct code *c)
{
	struct num a = run(ev, c->arg[0]), by = run(ev, c->arg[1]);
	a = num_shift(c->expr->op, c->of, a, by.i);
	a.e = worse(a.e, by.e);
	return a;
}

static struct num run_lazy(struct eval *ev, const struct code *c)
{
	struct num a = run(ev, c->arg[0]);
	if (a.i == (c->expr->op == OP_LOR))
		return a;
	struct num b = run(ev, c->arg[1]);
	b.e = worse(a.e, b.e);
	return b;
}

static struct num equal_records(const struct record *r, struct num a, struct num b)
{
	struct num all = { .i = 1 };
	for (int i = 0; i < r->field.n; i++) {
		const struct field *f = &r->field.at[i];
		struct num x = num_load(f->type, (const char *)(intptr_t)a.i + f->offset);
		struct num y = num_load(f->type, (const char *)(intptr_t)b.i + f->offset);
		x.e = a.e;
		y.e = b.e;
		struct num one = equal_values(f->type, x, y);
		all.i &= one.i;
		all.e = worse(all.e, one.e);
	}
	return all;
}

static struct num equal_arrays(const struct type *t, struct num a, struct num b)
{
	struct num all = { .i = 1 };
	int64_t each = type_size(t->elem), n = type_size(t) / each;
	for (int64_t i = 0; i < n; i++) {
		struct num x = num_load(t->elem, (const char *)(intptr_t)a.i + i * each);
		struct num y = num_load(t->elem, (const char *)(intptr_t)b.i + i * each);
		x.e = a.e;
		y.e = b.e;
		struct num one = equal_values(t->elem, x, y);
		all.i &= one.i;
		all.e = worse(all.e, one.e);
	}
	return all;
}

struct num equal_values(const struct type *t, struct num a, struct num b)
{
	if (in_memory(t) && (!a.i || !b.i))
		return (struct num){ 0 };
	if (t->kind == T_STRUCT)
		return equal_records(t->record, a, b);
	if (t->kind == T_ARRAY)
		return equal_arrays(t, a, b);
	return num_binary(OP_EQ, t, a, b);
}

static struct num run_equal(struct eval *ev, const struct code *c)
{
	struct num a = run(ev, c->arg[0]);
	struct num v = equal_values(c->of, a, run(ev, c->arg[1]));
	v.i ^= c->expr->op == OP_NE;
	return v;
}

static struct num run_cond(struct eval *ev, const struct code *c)
{
	struct num test = run(ev, c->arg[0]);
	struct num v = run(ev, c->arg[test.i ? 1 : 2]);
	v.e = worse(v.e, test.e);
	return v;
}

static struct num run_cast(struct eval *ev, const struct code *c)
{
	return num_cast(c->type, c->of, run(ev, c->arg[0]));
}

/* Functions that IEEE defines to the last bit. */
static bool is_rounded(enum math m)
{
	return m == M_sqrt || m == M_fma || m == M_fdim;
}

static struct num run_math(struct eval *ev, const struct code *c)
{
	bool exact = c->expr->strict && is_rounded(c->expr->math);
	for (int i = 0; i < c->n; i++) {
		c->passed[i] = run(ev, c->arg[i]);
		exact &= c->passed[i].e == 0;
	}
	struct num v = c->expr->approx && c->of->kind == T_F32
	                       ? num_approx(c->expr->math, c->of, c->n, c->passed)
	                       : num_math(c->expr->math, c->of, c->n, c->passed);
	v.e = exact ? 0 : v.e;
	return v;
}

/* ---- functions ---- */

static enum flow run_steps(struct eval *, const struct step *, int n);

static void doubt(struct eval *ev, struct num v)
{
	ev->doubt |= v.e > 0;
}

/* Where an assignment goes; NULL: an element outside.  error: the bound of the variable, or of the
 * cell of a local array. */
static unsigned char *address(struct eval *ev, const struct code *c, double **error)
{
	if (c->expr->kind == E_VAR) {
		*error = c->place->error;
		return c->place->data;
	}
	if (c->expr->kind == E_FIELD) {
		unsigned char *at = address(ev, c->arg[0], error);
		return at ? at + c->expr->field->offset : NULL;
	}
	double e = 0;
	bool of_var = c->place != NULL;
	unsigned char *at = of_var ? c->place->data : address(ev, c->arg[0], error);
	const int64_t *extent = of_var ? c->place->type->extent : c->of->extent;
	int64_t cell = element(ev, c, of_var ? 0 : 1, extent, &e);
	if (of_var && cell >= 0)
		*error = c->place->error + cell;
	ev->doubt |= e > 0;
	return at && cell >= 0 ? at + cell * type_size(c->type) : NULL;
}

static void assign(struct eval *ev, const struct step *s)
{
	struct num v = run(ev, s->a);
	double *error = NULL;
	if (s->target->expr->kind == E_VAR) {
		place_set(s->target->place, v);
		return;
	}
	unsigned char *to = address(ev, s->target, &error);
	if (!to)
		return;
	num_store(s->target->type, to, v);
	*error = s->target->place ? v.e : worse(*error, v.e);
}

static enum flow run_for(struct eval *ev, const struct step *s)
{
	struct num lo = run(ev, s->a), hi = run(ev, s->b);
	doubt(ev, lo);
	doubt(ev, hi);
	for (int64_t i = lo.i; i < hi.i && step_on(ev, s->inner->at); i++) {
		s->place->value = num_int(i);
		enum flow flow = run_steps(ev, s->body, s->n_body);
		if (flow == BREAK)
			break;
		if (flow == RETURN)
			return RETURN;
	}
	return GO_ON;
}

/* The loop has had all the passes that `at most` allows: the call fails. */
static void record_limit(struct eval *ev)
{
	ev->outside = true;
	record_status(ev, ST_ENDLESS);
}

static enum flow run_while(struct eval *ev, const struct step *s)
{
	struct num most = s->b ? run(ev, s->b) : num_int(INT64_MAX);
	doubt(ev, most);
	for (int64_t passes = 0;; passes++) {
		struct num test = run(ev, s->a);
		doubt(ev, test);
		if (ev->outside || !test.i || !step_on(ev, s->inner->at))
			return GO_ON;
		if (passes >= most.i) {
			record_limit(ev);
			return RETURN;
		}
		enum flow flow = run_steps(ev, s->body, s->n_body);
		if (flow == BREAK)
			return GO_ON;
		if (flow == RETURN)
			return RETURN;
	}
}

static enum flow run_if(struct eval *ev, const struct step *s)
{
	struct num test = run(ev, s->a);
	doubt(ev, test);
	return test.i ? run_steps(ev, s->body, s->n_body)
	              : run_steps(ev, s->otherwise, s->n_otherwise);
}

static enum flow run_step(struct eval *ev, const struct step *s)
{
	switch (s->inner->kind) {
	case N_LET:
		place_set(s->place, s->a ? run(ev, s->a) : num_int(0));
		return run_steps(ev, s->body, s->n_body);
	case N_ASSIGN: assign(ev, s); return GO_ON;
	case N_IF: return run_if(ev, s);
	case N_WHILE: return run_while(ev, s);
	case N_FOR: return run_for(ev, s);
	case N_RETURN: ev->result = run(ev, s->a); return RETURN;
	case N_BREAK: return BREAK;
	case N_CONTINUE: return CONTINUE;
	}
	return GO_ON;
}

static enum flow run_steps(struct eval *ev, const struct step *s, int n)
{
	for (int i = 0; i < n; i++) {
		enum flow flow = run_step(ev, &s[i]);
		if (ev->outside)                     /* the call fails */
			return RETURN;
		if (flow != GO_ON)
			return flow;
	}
	return GO_ON;
}

/* Recursion is not allowed (R15), so parameters and locals have one place each; arguments are all
 * evaluated before the first is bound, because they may call the same function. */
struct num call(struct eval *ev, const struct body *b, const struct num *passed)
{
	bool old = ev->doubt;
	struct num v;
	ev->doubt = false;
	for (int i = 0; i < b->fn->param.n + b->fn->size.n; i++)
		if (i < b->fn->param.n && b->fn->param.at[i]->rank)
			*b->param[i] = *(const struct place *)(intptr_t)passed[i].i;
		else
			place_set(b->param[i], passed[i]);
	if (b->value) {
		v = run(ev, b->value);
	} else {
		ev->result = num_int(0);
		run_steps(ev, b->step, b->n);
		v = ev->result;
	}
	if (b->fn->from)                         /* what it gives, nobody here can tell */
		v.i = (int64_t)(intptr_t)b->open;
	if (ev->doubt || b->fn->from)
		v.e = OPEN;
	ev->doubt = old;
	return v;
}

/* A struct lives in memory that the next call may use again: each call site keeps its own copy. */
struct num kept(const struct code *c, struct num v)
{
	if (!in_memory(c->type) || !v.i)
		return v;
	memmove(c->bytes, (const void *)(intptr_t)v.i, (size_t)type_size(c->type));
	v.i = (int64_t)(intptr_t)c->bytes;
	return v;
}

static struct num run_call(struct eval *ev, const struct code *c)
{
	if (!step_on(ev, c->expr->at))
		return num_int(0);
	for (int i = 0; i < c->n; i++)
		c->passed[i] = run(ev, c->arg[i]);
	if (ev->outside)                         /* nobody uses what comes of it */
		return num_int(0);
	return kept(c, call(ev, c->body, c->passed));
}

/* An array that a function takes: its place. */
static struct num run_handed(struct eval *ev, const struct code *c)
{
	(void)ev;
	return num_int((int64_t)(intptr_t)c->place);
}

/* ---- folds ---- */

void folded_value(struct eval *ev, const struct op *op, struct num v, struct loc at)
{
	if (!op->given || ev->quiet || known_find(ev->told, op))
		return;
	struct num is = call(ev, compile_body(ev, op->given), &v);
	if (is.i || is.e > 0)
		return;
	known_add(&ev->told, op, (void *)(intptr_t)op);
	void *bytes = array_new(1, (size_t)type_size(op->fn->type));
	num_store(op->fn->type, bytes, v);
	diag_error(at, D_TERM_CONDITION,
	           "`%s` folds %s, which does not satisfy the condition of its laws", op->name,
	           show_value(op->fn->type, bytes));
	diag_cure("fold only values that satisfy it, or write `strict`, which needs no laws");
}

static void user_term(struct eval *ev, const struct code *c, struct total *s, struct num term)
{
	struct num two[2] = { s->value, term };
	if (!c->expr->fold->strict)
		folded_value(ev, c->fold->op, term, c->expr->at);
	if (c->fold->leftward)
		two[0] = term, two[1] = s->value;
	total_user(s, c->type, term);
	s->value = kept(c, s->started ? call(ev, c->fold->user, two) : term);
	s->started = true;
}

static void add_term(struct eval *ev, const struct code *c, struct folding *s, struct num term)
{
	if (op_is_arg(c->fold->op))
		best_add(&s->best, c, term);
	else if (c->fold->user)
		user_term(ev, c, &s->total, term);
	else
		total_add(&s->total, c->fold->op, c->type, term);
}

void folding_term(struct eval *ev, const struct code *c, struct folding *s)
{
	const struct fold_code *f = c->fold;
	bool old = ev->outside;
	ev->outside = false;
	struct num where = f->where ? run(ev, f->where) : num_int(1);
	s->e = worse(s->e, where.e);
	if (where.i && !ev->outside) {
		struct num term = run(ev, c->arg[0]);
		if (!ev->outside)                    /* else it is not folded, and recorded below */
			add_term(ev, c, s, term);
		for (int k = 0; k < f->factors && !ev->outside; k++)
			s->factor[k] = run(ev, f->factor[k]);
		if (f->factors && !ev->outside)
			total_factors(&s->total, c->type, s->factor, f->factors);
		if (f->half[1] && !ev->outside) {
			const struct num half[2] = { run(ev, f->half[0]), run(ev, f->half[1]) };
			if (f->precision)
				total_rounded(&s->total, f->precision, half);
			else
				total_halves(&s->total, f->half_type, half);
		}
	}
	if (ev->outside)
		record(ev);
	ev->outside = old;
}

static void fold_axis(struct eval *ev, const struct code *c, int k, struct folding *s)
{
	const struct fold_code *f = c->fold;
	if (k == f->n) {
		folding_term(ev, c, s);
		return;
	}
	struct num lo = run(ev, f->lo[k]), hi = run(ev, f->hi[k]);
	s->e = worse(s->e, worse(lo.e, hi.e));
	cut_range(ev, c, k, &lo.i, &hi.i);
	for (int64_t i = lo.i; i < hi.i && step_on(ev, c->expr->at); i++) {
		f->index[k]->value = num_int(i);
		fold_axis(ev, c, k + 1, s);
	}
}

void folding_start(struct eval *ev, const struct code *c, struct folding *s)
{
	*s = (struct folding){ .total = { .started = c->fold->identity,
		                          .strict = c->expr->fold->strict,
		                          .computes = c->fold->computes },
		               .best = { .exact = -OPEN, .doubtful = -OPEN } };
	if (c->fold->identity)
		s->total.value = kept(c, run(ev, c->fold->identity));
}

struct num folding_end(struct eval *ev, const struct code *c, const struct folding *s)
{
	bool arg = op_is_arg(c->fold->op);
	struct num v = arg ? best_end(ev, &s->best, c) : total_end(&s->total, c->fold->op, c->type);
	if (!s->total.started || s->e > 0)
		v.e = OPEN;
	return v;
}

static struct num run_fold(struct eval *ev, const struct code *c)
{
	struct folding s;
	folding_start(ev, c, &s);
	fold_axis(ev, c, 0, &s);
	return folding_end(ev, c, &s);
}

/* As generated code does: whatever the order of the cells, both look at the same ones. */
static struct num run_search(struct eval *ev, const struct code *c)
{
	int64_t first = 0, last = run(ev, c->fold->hi[0]).i;
	double e = 0;
	while (first < last && step_on(ev, c->expr->at)) {
		int64_t middle = first + (last - first) / 2;
		c->fold->index[0]->value = num_int(middle);
		struct num before = run(ev, c->arg[0]);
		e = worse(e, before.e);
		if (before.i)
			first = middle + 1;
		else
			last = middle;
	}
	struct num v = num_int(first);
	if (e > 0)
		v.e = OPEN;
	return v;
}

/* patterns/scan/scan_eval.c has it folded before it runs the cell. */
static struct num run_running(struct eval *ev, const struct code *c)
{
	(void)ev;
	return c->fold->now;
}

/* ---- which function runs a node ---- */

static runner *binary_runner(const struct expr *e)
{
	switch ((int)e->op) {
	case OP_LAND: case OP_LOR: return run_lazy;
	case OP_DIV: return e->approx ? run_divide : run_binary;
	case OP_SHL: case OP_SHR: return run_shift;
	case OP_EQ: case OP_NE: return in_memory(e->arg.at[0]->type) ? run_equal : run_binary;
	default: return run_binary;
	}
}

runner *runner_of(const struct expr *e, const struct place *p)
{
	switch (e->kind) {
	case E_CONST: return run_const;
	case E_VAR: return p->data ? run_memory : run_place;
	case E_READ: return run_read;
	case E_FIELD: return run_field;
	case E_ELEM: return run_elem;
	case E_STRUCT: return run_struct;
	case E_UNARY: return run_unary;
	case E_BINARY: return binary_runner(e);
	case E_COND: return run_cond;
	case E_CAST: return run_cast;
	case E_CALL: return run_call;
	case E_MATH: return run_math;
	case E_FOLD:
		if (e->fold->handed)
			return run_handed;
		return e->fold->running ? run_running : e->fold->sorted ? run_search : run_fold;
	case E_OR_ZERO: break;
	}
	assert(0 && "no statement is in another one yet");
	return NULL;
}
