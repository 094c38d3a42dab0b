/* eval_code.c - the interpreter's places and the way from an expression to code: eval.c has the
 * design.  What can be decided once is decided here: where a variable is, which function runs a
 * node, and which subscripts of a stencil have a boundary. */
#include <assert.h>
#include <string.h>

#include "eval_impl.h"
#include "ragged.h"
#include "small.h"

/* ---- tables by address ---- */

void *known_find(struct known *table, const void *key)
{
	struct known *k;
	HASH_FIND_PTR(table, &key, k);
	return k ? k->value : NULL;
}

void *known_add(struct known **table, const void *key, void *value)
{
	struct known *k = NEW(struct known);
	k->key = key;
	k->value = value;
	HASH_ADD_PTR(*table, key, k);
	return value;
}

void *array_new(int64_t n, size_t each)
{
	return mem_new((size_t)(n > 0 ? n : 1) * each);
}

/* ---- places ---- */

static void place_table(struct place *p, const struct var *v)
{
	int64_t size = type_size(v->type);
	bool of_floats = type_class(v->type) == 'F';
	p->data = array_new(p->cells, (size_t)size);
	for (int64_t i = 0; i < p->cells; i++) {
		struct num x = { .i = v->table[i].i, .f = of_floats ? v->table[i].f : 0 };
		num_store(v->type, p->data + i * size, x);
	}
}

/* A table's extents are constants. */
static void place_shape(struct place *p, const struct var *v)
{
	p->rank = v->rank;
	p->cells = 1;
	for (int k = 0; k < v->rank; k++) {
		p->extent[k] = v->extent[k].constant;
		p->cells *= p->extent[k];
	}
}

struct place *place_of(struct eval *ev, const struct var *v)
{
	struct place *p = known_find(ev->place, v);
	if (p)
		return p;
	p = NEW(struct place);
	known_add(&ev->place, v, p);
	p->type = v->type;
	p->cells = 1;
	if (v->kind == VAR_CONST && v->table) {
		place_shape(p, v);
		place_table(p, v);
	} else if (v->kind == VAR_CONST && v->value) {
		p->value = run(ev, code_of(ev, v->value));
		p->data = in_memory(v->type) ? (unsigned char *)(intptr_t)p->value.i : NULL;
	} else if (in_memory(v->type)) {
		p->data = array_new(1, (size_t)type_size(v->type));
		p->cells = type_cells(v->type);
	}
	if (p->data)
		p->error = array_new(p->cells, sizeof(double));
	return p;
}

void place_set(struct place *p, struct num v)
{
	if (!p->data) {
		p->value = v;
		return;
	}
	num_store(p->type, p->data, v);
	for (int64_t i = 0; i < p->cells; i++)
		p->error[i] = v.e;
}

struct num place_get(const struct place *p)
{
	if (!p->data)
		return p->value;
	struct num v = num_load(p->type, p->data);
	for (int64_t i = 0; i < p->cells; i++)
		v.e = worse(v.e, p->error[i]);
	return v;
}

/* ---- compiling expressions ---- */

struct code **code_list(struct eval *ev, struct expr *const *at, int n)
{
	struct code **made = array_new(n, sizeof *made);
	for (int i = 0; i < n; i++)
		made[i] = code_of(ev, at[i]);
	return made;
}

static struct step *compile_steps(struct eval *, struct inner *const *, int n);

static void compile_step(struct eval *ev, struct step *s, const struct inner *inner)
{
	s->inner = inner;
	s->place = inner->var ? place_of(ev, inner->var) : NULL;
	s->target = inner->target ? code_of(ev, inner->target) : NULL;
	s->a = inner->a ? code_of(ev, inner->a) : NULL;
	s->b = inner->b ? code_of(ev, inner->b) : NULL;
	s->body = compile_steps(ev, inner->body.at, s->n_body = inner->body.n);
	s->otherwise = compile_steps(ev, inner->otherwise.at, s->n_otherwise = inner->otherwise.n);
}

static struct step *compile_steps(struct eval *ev, struct inner *const *at, int n)
{
	struct step *made = array_new(n, sizeof *made);
	for (int i = 0; i < n; i++)
		compile_step(ev, &made[i], at[i]);
	return made;
}

struct body *compile_body(struct eval *ev, const struct fn *fn)
{
	if (fn->meaning)
		fn = fn->meaning;
	struct body *b = known_find(ev->body, fn);
	if (b)
		return b;
	const struct node *stencil = ev->stencil;
	ev->stencil = NULL;
	b = known_add(&ev->body, fn, NEW(struct body));
	b->fn = fn;
	b->param = array_new(fn->param.n + fn->size.n, sizeof *b->param);
	for (int i = 0; i < fn->param.n; i++)
		b->param[i] = place_of(ev, fn->param.at[i]);
	for (int i = 0; i < fn->size.n; i++)
		b->param[fn->param.n + i] = place_of(ev, fn->size.at[i]);
	b->value = fn->value ? code_of(ev, fn->value) : NULL;
	b->step = compile_steps(ev, fn->body.at, b->n = fn->body.n);
	if (fn->from && in_memory(fn->type))
		b->open = array_new(1, (size_t)type_size(fn->type));
	ev->stencil = stencil;
	return b;
}

static bool no_arithmetic(struct expr *e, void *unused)
{
	bool chooses = e->kind == E_MATH
	               && (e->math == M_min || e->math == M_max || e->math == M_fmin
	                   || e->math == M_fmax || e->math == M_abs || e->math == M_fabs
	                   || e->math == M_clamp);
	(void)unused;
	if (e->kind == E_CALL)
		return !fn_computes(e->fn);
	if (type_class(e->type) != 'F' || chooses)
		return true;
	return e->kind != E_MATH && (e->kind != E_BINARY || e->op > OP_SUB);
}

static bool steps_compute(struct inner *const *at, int n)
{
	for (int i = 0; i < n; i++)
		if (!expr_walk(at[i]->a, no_arithmetic, NULL)
		    || !expr_walk(at[i]->b, no_arithmetic, NULL)
		    || steps_compute(at[i]->body.at, at[i]->body.n)
		    || steps_compute(at[i]->otherwise.at, at[i]->otherwise.n))
			return true;
	return false;
}

bool fn_computes(const struct fn *fn)
{
	if (fn->meaning)
		fn = fn->meaning;
	return fn->from || !expr_walk(fn->value, no_arithmetic, NULL)
	       || steps_compute(fn->body.at, fn->body.n);
}

/* Note [separable windows]
 * The fold of a window may be separated (pass_separate.c): its terms are folded axis by axis, and
 * of a product some factors are multiplied with sums of the others.  Or parts of its terms are
 * folded first (patterns/stencil/).  So a window that was written out is a fold here, with bounds
 * for every order, where its terms are rounded at all, and the factors of a term may be multiplied
 * in any order. */
static bool any_order(const struct expr *fold)
{
	enum op_kind kind = fold->fold->op->kind;
	bool rounds = type_class(fold->type) == 'F' || fold->type->kind == T_STRUCT;
	return !fold->fold->strict && rounds && kind != OPK_MIN && kind != OPK_MAX;
}

static const struct expr *window_fold(const struct expr *e)
{
	return e->written && any_order(e->written) && !expr_checked(e) ? e->written : e;
}

struct factors { struct expr *at[MAX_FACTORS]; int n; };

static void factors_of(struct factors *f, struct expr *e)
{
	if (e->kind == E_BINARY && e->op == OP_MUL) {
		factors_of(f, e->arg.at[0]);
		factors_of(f, e->arg.at[1]);
	} else if (f->n < MAX_FACTORS) {
		f->at[f->n++] = e;
	}
}

static void compile_factors(struct eval *ev, const struct expr *e, struct fold_code *f)
{
	struct factors factors = { .n = 0 };
	if (e->fold->op->kind != OPK_SUM || !ev->stencil || !ev->stencil->pattern->write_out
	    || !any_order(e))
		return;
	factors_of(&factors, e->arg.at[0]);
	if (factors.n < 2)
		return;
	f->factors = factors.n;
	f->factor = code_list(ev, factors.at, factors.n);
}

/* What a matrix unit may add. */
static void compile_halves(struct eval *ev, const struct expr *e, struct fold_code *f)
{
	const struct expr *term = e->arg.at[0];
	bool product = e->fold->op->kind == OPK_SUM && e->type->kind == T_F32 && any_order(e)
	               && term->kind == E_BINARY && term->op == OP_MUL;
	bool halves = product;
	for (int k = 0; product && k < 2; k++) {
		struct expr *wide = term->arg.at[k];
		struct expr *half = wide->kind == E_CAST ? wide->arg.at[0] : wide;
		halves &= type_class(half->type) == 'F' && is_small(half->type)
		          && (k == 0 || type_size(half->type) == type_size(f->half_type[0]));
		f->half_type[k] = half->type;
	}
	f->precision = halves ? PRECISION_OWN : e->fold->precision;
	product &= halves || f->precision;
	for (int k = 0; product && k < 2; k++)
		f->half[k] = code_of(ev, term->arg.at[k]);
}

static struct fold_code *compile_fold(struct eval *ev, const struct expr *e)
{
	struct fold_code *f = NEW(struct fold_code);
	struct expr *identity = op_identity(e->fold->op, e->type);
	f->op = e->fold->op;
	f->n = e->fold->index.n;
	f->index = array_new(f->n, sizeof *f->index);
	for (int i = 0; i < f->n; i++)
		f->index[i] = place_of(ev, e->fold->index.at[i]);
	f->lo = code_list(ev, e->fold->lo.at, f->n);
	f->hi = code_list(ev, e->fold->hi.at, f->n);
	f->end = array_new(f->n, sizeof *f->end);
	for (int i = 0; i < f->n; i++) {
		const struct cut *cut = fold_cut(e->fold, i);
		f->end[i] = cut && cut->end ? code_of(ev, cut->end) : NULL;
	}
	f->where = e->fold->where ? code_of(ev, e->fold->where) : NULL;
	f->identity = identity ? code_of(ev, identity) : NULL;
	f->user = f->op->kind == OPK_USER ? compile_body(ev, f->op->fn) : NULL;
	f->computes = f->user && fn_computes(f->op->fn);
	compile_factors(ev, e, f);
	compile_halves(ev, e, f);
	return f;
}

static void compile_sides(struct eval *ev, struct code *c)
{
	const struct node *node = ev->stencil;
	c->side = array_new(c->n, sizeof *c->side);
	c->index = ev->stencil_index;
	for (int k = 0; k < c->n; k++) {
		struct shift s;
		bool shifted = access_shift(node, c->expr->arg.at[k], &s) && s.k < MAX_RANK;
		c->side[k].index = shifted ? s.k : -1;
		if (!shifted || node->edge[s.k].kind == B_NONE)
			continue;
		c->side[k].edge = &node->edge[s.k];
		if (node->edge[s.k].kind != B_VALUE)
			continue;
		ev->stencil = NULL;                      /* a boundary has no boundary */
		c->side[k].value = code_of(ev, node->edge[s.k].value);
		ev->stencil = node;
	}
}

struct code *code_of(struct eval *ev, const struct expr *e)
{
	struct code *c = NEW(struct code);
	c->expr = e = window_fold(e);
	c->type = e->type;
	c->n = e->arg.n;
	c->arg = code_list(ev, e->arg.at, c->n);
	c->of = c->n ? e->arg.at[0]->type : e->type;
	if (e->var)
		c->place = place_of(ev, e->var);
	if (e->kind == E_CONST)
		c->value = (struct num){ .i = e->value.i, .f = e->value.f };
	if (e->kind == E_READ && ev->stencil)
		compile_sides(ev, c);
	if (expr_handed(e))
		c->place = c->arg[0]->place;
	else if (e->kind == E_FOLD)
		c->fold = compile_fold(ev, e);
	if (e->kind == E_CALL)
		c->body = compile_body(ev, e->fn);
	if (e->kind == E_CALL || e->kind == E_MATH)
		c->passed = array_new(c->n, sizeof *c->passed);
	if (in_memory(e->type))
		c->bytes = array_new(1, (size_t)type_size(e->type));
	c->run = runner_of(e, c->place);
	return c;
}

