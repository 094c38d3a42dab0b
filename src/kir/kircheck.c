/* kircheck.c - checks that a kernel keeps the rules of kernel IR. It is called after every
 * lowering; a violation is a bug of patc, so it is an assertion that names the kernel.
 *
 * 1. Types: operands agree, conditions are bool, stores have the type of their target.
 * 2. Scope: every variable is declared before it is used, in a body that is still open, and only
 *    KV_VAR, registers and memory are assigned.
 * 3. Registers: every index of a KV_REGS is constant once the FOR_UNROLL loops round it are
 *    unrolled, in each instance of the kernel, and inside the array.  That is what keeps the array
 *    out of local memory.  Bounds are found by interval arithmetic over the unrolled loop
 *    variables.
 * 4. Barriers: all threads of a block reach each barrier.  See Note [uniform].
 *
 * Note [uniform].  A value is uniform if it is the same in all threads of a block: constants,
 * parameters, block and grid ids, loop variables of uniform bounds, what is computed from uniform
 * values, and loads at a uniform place through a const parameter or from shared memory (a load that
 * races there would not be uniform; races are the emulator's business).  A KV_VAR is uniform if all
 * it is ever given is, under uniform control.  Found as the greatest fixed point: all variables
 * start uniform, and each pass takes some away.  A return, break or continue under a condition that
 * is not uniform makes what follows divergent: to the end of the kernel, or of the loop. */
#include "small.h"
#include "kir.h"

#include <assert.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

struct known { bool declared, varies; };  /* of a variable; varies: is not uniform */

struct check {
	const struct kernel *kernel;
	LIST(struct known *) scope;           /* declared, innermost last */
	struct map known;                     /* by variable */
	LIST(const struct ks *) unrolled;     /* the FOR_UNROLL loops that are open */
	/* left: some threads may have returned; judge: barriers and types, too */
	bool changed, left, judge;
	bool chosen;                          /* the kernel's choice: each value is checked */
};

/* An assertion that names the kernel.  The words are looked at only if it fails. */
#define must(c, condition, ...) ((condition) ? (void)0 : broken(c, __VA_ARGS__))

__attribute__((format(printf, 2, 3)))
static _Noreturn void broken(const struct check *c, const char *words, ...)
{
	va_list args;
	va_start(args, words);
	fprintf(stderr, "patc: kernel %s: ", c->kernel->name);
	vfprintf(stderr, words, args);
	fputc('\n', stderr);
	va_end(args);
	assert(!"kircheck: see the line above");
	abort();
}

static bool same(struct ktype a, struct ktype b)
{
	return a.type == b.type && a.lanes == b.lanes && a.pointer == b.pointer;
}

static bool is_bool(const struct kx *x)
{
	return x->type.type->kind == T_BOOL && !x->type.pointer && x->type.lanes == 1;
}

static bool is_integer(const struct kx *x)
{
	char class = type_class(x->type.type);
	return (class == 'I' || class == 'U') && !x->type.pointer && x->type.lanes == 1;
}

/* ---- 3. register indices ---- */

struct span { bool known; int64_t lo, hi; };      /* inclusive */

static struct span span_of(const struct check *, const struct kx *);

static struct span span_var(const struct check *c, const struct kvar *v)
{
	if (v->is_choice)
		return (struct span){true, c->chosen, c->chosen};
	if (v->kind == KV_LET && v->value)
		return span_of(c, v->value);
	for (int i = c->unrolled.n - 1; i >= 0; i--) {
		const struct ks *s = c->unrolled.at[i];
		if (s->var != v)
			continue;
		struct span lo = span_of(c, s->a), hi = span_of(c, s->b), step = span_of(c, s->c);
		bool known = lo.known && hi.known && step.known && step.lo > 0;
		return (struct span){known, lo.lo, hi.hi > lo.lo ? hi.hi - 1 : lo.lo};
	}
	return (struct span){0};
}

static struct span span_mul(struct span a, struct span b)
{
	int64_t p[4] = {a.lo * b.lo, a.lo * b.hi, a.hi * b.lo, a.hi * b.hi};
	struct span r = {true, p[0], p[0]};
	for (int i = 1; i < 4; i++) {
		r.lo = p[i] < r.lo ? p[i] : r.lo;
		r.hi = p[i] > r.hi ? p[i] : r.hi;
	}
	return r;
}

/* Large numbers are no register's index: giving up on them keeps the arithmetic exact. */
static struct span span_op(enum operation op, struct span a, struct span b)
{
	const int64_t large = INT32_MAX;
	bool small = a.known && b.known && a.lo > -large && a.hi < large && b.lo > -large
	             && b.hi < large;
	if (!small)
		return (struct span){0};
	switch (op) {
	case OP_ADD: return (struct span){true, a.lo + b.lo, a.hi + b.hi};
	case OP_SUB: return (struct span){true, a.lo - b.hi, a.hi - b.lo};
	case OP_MUL: return span_mul(a, b);
	case OP_DIV:
		if (b.lo != b.hi || b.lo <= 0)
			break;
		return (struct span){true, a.lo / b.lo, a.hi / b.lo};
	case OP_REM:
		if (b.lo != b.hi || b.lo <= 0 || a.lo < 0)
			break;
		if (a.hi < b.lo)
			return a;
		return (struct span){true, 0, b.lo - 1};
	default: break;
	}
	return (struct span){0};
}

static struct span span_cond(const struct check *c, const struct kx *x)
{
	struct span s = span_of(c, x->arg[0]);
	return s.known && s.lo == s.hi ? span_of(c, x->arg[s.lo ? 1 : 2]) : (struct span){0};
}

static struct span span_of(const struct check *c, const struct kx *x)
{
	if (x->kind == KX_INT)
		return (struct span){true, x->i, x->i};
	if (x->kind == KX_COND)
		return span_cond(c, x);
	if (x->kind == KX_VAR)
		return span_var(c, x->var);
	if (x->kind == KX_CAST && is_integer(x))
		return span_of(c, x->arg[0]);
	if (x->kind == KX_OP && x->n == 2)
		return span_op(x->op, span_of(c, x->arg[0]), span_of(c, x->arg[1]));
	return (struct span){0};
}

static void check_registers(const struct check *c, const struct kvar *v, const struct kx *index)
{
	struct span s = span_of(c, index);
	if (!s.known && !c->kernel->target->gpu)
		return;                              /* memory near by, there */
	must(c, s.known, "an index of registers %s is not constant after unrolling", v->name);
	must(c, s.lo >= 0 && s.hi < v->count,
	     "registers %s[%" PRId64 "] are indexed by %" PRId64 " to %" PRId64, v->name,
	               v->count, s.lo, s.hi);
}

/* ---- 1. and 2. expressions ---- */

static bool in_scope(const struct check *c, const struct kvar *v)
{
	const struct known *known = map_get(&c->known, v);
	return known && known->declared;
}

static struct known *know(struct check *c, const struct kvar *v)
{
	void **known = map_at(&c->known, v);
	if (!*known)
		*known = NEW(struct known);
	return *known;
}

static void scope_enter(struct check *c, const struct kvar *v)
{
	struct known *known = know(c, v);
	known->declared = true;
	list_add(&c->scope, known);
}

static void scope_leave(struct check *c, int mark)
{
	while (c->scope.n > mark)
		c->scope.at[--c->scope.n]->declared = false;
}

static void check_op(const struct check *c, const struct kx *x)
{
	const struct kx *a = x->arg[0], *b = x->n > 1 ? x->arg[1] : NULL;
	bool logical = x->op == OP_LAND || x->op == OP_LOR || x->op == OP_NOT;
	bool bits = x->op == OP_AND || x->op == OP_OR || x->op == OP_XOR;
	bool shift = x->op == OP_SHL || x->op == OP_SHR;
	bool compare = x->op >= OP_LT && x->op <= OP_NE;
	if (a->type.pointer) {
		bool equal = x->op == OP_EQ || x->op == OP_NE;
		must(c, equal && same(a->type, b->type), "pointers are only compared for equality");
		return;
	}
	must(c, !b || shift || same(a->type, b->type), "operand types differ");
	must(c, !logical || is_bool(a), "a logical operator takes bool");
	must(c, !bits || is_integer(a) || is_bool(a), "a bitwise operator takes integers or bool");
	must(c, !shift || (is_integer(a) && is_integer(b)), "a shift takes integers");
	must(c, !(x->op == OP_REM || x->op == OP_BITNOT) || is_integer(a), "an integer operator");
	must(c, logical || bits || compare || !is_bool(a), "bool is not a number");
	must(c, type_class(a->type.type) != 'S', "operators take scalars");
	must(c, !is_small(a->type.type), "small floats are converted before they are computed");
}

static void check_at(const struct check *c, const struct kx *x)
{
	const struct kx *a = x->arg[0];
	must(c, a->type.pointer && is_integer(x->arg[1]), "memory is indexed by an integer");
	if (a->kind == KX_VAR && a->var->kind == KV_REGS && !a->var->is_local)
		check_registers(c, a->var, x->arg[1]);
}

static bool is_registers(const struct kx *x)
{
	return x->kind == KX_VAR && x->var->kind == KV_REGS;
}

/* Registers have no address, but a helper may be handed some of them, from one on: it becomes a
 * part of the kernel, and they stay registers. */
static void check_handed(const struct check *c, const struct kx *x, int i)
{
	const struct kx *a = x->arg[i];
	bool from = a->kind == KX_OFFSET && is_registers(a->arg[0]);
	bool serves = x->kind == KX_HELP && helper_has_effect(x->name);
	bool indexed = i == 0 && (x->kind == KX_AT || x->kind == KX_OFFSET);
	must(c, !is_registers(a) || serves || indexed,
	     "registers have no address");
	must(c, !from || serves, "registers are handed to helpers with an effect only");
	if (from)
		check_registers(c, a->arg[0]->var, a->arg[1]);
}

static void check_var(const struct check *c, const struct kx *x)
{
	must(c, in_scope(c, x->var), "%s is used where it is not declared", x->var->name);
}

static void check_x(const struct check *c, const struct kx *x)
{
	for (int i = 0; i < x->n; i++)
		check_x(c, x->arg[i]);
	for (int i = 0; i < x->n; i++)
		check_handed(c, x, i);
	switch (x->kind) {
	case KX_OP: check_op(c, x); break;
	case KX_COND:
		must(c, is_bool(x->arg[0]), "a condition is bool");
		must(c, same(x->arg[1]->type, x->arg[2]->type), "the arms of ?: differ in type");
		break;
	case KX_AT: check_at(c, x); break;
	case KX_OFFSET:
		must(c, x->arg[0]->type.pointer && is_integer(x->arg[1]),
		     "a pointer and an integer");
		break;
	case KX_VAR: check_var(c, x); break;
	case KX_HELP:
		must(c, helper_known(x->name, c->kernel->target),
		     "the helper %s does not exist", x->name);
		break;
	case KX_CALL:
		for (int i = 0; i < x->fn->param.n; i++)
			must(c, x->arg[i]->type.type == x->fn->param.at[i]->type
			        && x->arg[i]->type.pointer == (x->fn->param.at[i]->rank > 0),
			     "an argument of %s has another type", x->fn->name);
		break;
	case KX_ID: must(c, c->kernel->target->gpu, "only a GPU has thread ids"); break;
	case KX_CAST:
		must(c,
		     x->type.pointer
		     || (!is_small(x->type.type) && !is_small(x->arg[0]->type.type)),
		     "C's conversion knows no small floats");
		break;
	case KX_MATH:
		must(c, !is_small(x->type.type), "C's functions know no small floats");
		break;
	case KX_INT:
	case KX_FLOAT:
	case KX_FIELD:
	case KX_ELEM:
	case KX_LANE:
	case KX_VLOAD:
	case KX_MAKE:
		break;
	}
}

/* ---- 4. uniform values ---- */

static bool varies(const struct check *c, const struct kvar *v)
{
	const struct known *known = map_get(&c->known, v);
	return known && known->varies;
}

static bool is_uniform(const struct check *c, const struct kx *x)
{
	for (int i = 0; i < x->n; i++)
		if (!is_uniform(c, x->arg[i]))
			return false;
	const struct kx *a = x->n ? x->arg[0] : NULL;
	switch (x->kind) {
	case KX_VAR: return x->var->kind == KV_PARAM || !varies(c, x->var);
	case KX_ID: return x->id > ID_THREAD_Z;
	case KX_AT:
		if (a->kind == KX_VAR && (a->var->kind == KV_SHARED || a->var->kind == KV_REGS))
			return !varies(c, a->var);
		return a->type.is_const;
	case KX_VLOAD: return a->type.is_const;
	case KX_HELP: return !helper_has_effect(x->name) || helper_is_uniform(x->name);
	case KX_INT: case KX_FLOAT: case KX_OP: case KX_COND: case KX_CAST: case KX_OFFSET:
	case KX_FIELD: case KX_ELEM: case KX_LANE: case KX_MAKE: case KX_CALL: case KX_MATH:
		return true;
	}
	return true;
}

static void make_vary(struct check *c, const struct kvar *v)
{
	if (varies(c, v) || v->kind == KV_SHARED)
		return;
	know(c, v)->varies = true;
	c->changed = true;
}

/* The variable that an assignment reaches: under fields, lanes and elements. */
static const struct kvar *root_of(const struct kx *x)
{
	while (x->kind != KX_VAR) {
		bool part = x->kind == KX_FIELD || x->kind == KX_LANE || x->kind == KX_AT ||
		            (x->kind == KX_ELEM && !x->table);
		if (!part)
			return NULL;
		x = x->arg[0];
	}
	return x->var;
}

static void check_set(struct check *c, const struct ks *s, bool uniform)
{
	const struct kvar *v = root_of(s->a);
	must(c, same(s->a->type, s->b->type), "an assignment changes the type");
	must(c, v != NULL, "only a variable or memory is assigned");
	bool memory = s->a->kind != KX_VAR && v->type.pointer;
	must(c, memory || v->kind == KV_VAR || v->kind == KV_REGS || v->kind == KV_SHARED,
	     "%s is constant", v->name);
	must(c, !memory || !v->type.is_const, "%s points to constant cells", v->name);
	if (!memory && !(uniform && is_uniform(c, s->b)))
		make_vary(c, v);
}

/* ---- statements ---- */

struct flow { bool uniform; bool in_loop; bool *broken; };

static void check_list(struct check *, const struct ks_list *, struct flow);

static void declare(struct check *c, const struct ks *s)
{
	must(c, !in_scope(c, s->var), "%s is declared twice", s->var->name);
	must(c, !s->a || same(s->a->type, s->var->type), "a value of another type");
	must(c, s->a || s->var->kind != KV_LET, "a constant without a value");
	if (s->a && !is_uniform(c, s->a))
		make_vary(c, s->var);
	scope_enter(c, s->var);
}

static void check_if(struct check *c, const struct ks *s, struct flow f)
{
	must(c, is_bool(s->a), "a condition is bool");
	f.uniform = f.uniform && is_uniform(c, s->a);
	bool is_choice = s->a->kind == KX_VAR && s->a->var->is_choice;
	if (!is_choice || c->chosen)
		check_list(c, &s->body, f);
	if (!is_choice || !c->chosen)
		check_list(c, &s->otherwise, f);
}

static void check_turn(struct check *c, const struct ks *s, struct flow f)
{
	int mark = c->scope.n;
	if (s->kind == KS_FOR) {
		must(c, !in_scope(c, s->var), "a loop variable is used twice");
		scope_enter(c, s->var);
		if (!f.uniform)
			make_vary(c, s->var);
	}
	if (s->flags & FOR_UNROLL)
		list_add(&c->unrolled, s);
	check_list(c, &s->body, f);
	if (s->flags & FOR_UNROLL)
		c->unrolled.n--;
	scope_leave(c, mark);
}

/* Some statement of this loop, not of one inside it, leaves it early. */
static bool may_break(const struct ks_list *list)
{
	for (int i = 0; i < list->n; i++) {
		const struct ks *s = list->at[i];
		if (s->kind == KS_BREAK || s->kind == KS_CONTINUE)
			return true;
		if (s->kind != KS_FOR && s->kind != KS_WHILE
		    && (may_break(&s->body) || may_break(&s->otherwise)))
			return true;
	}
	return false;
}

/* A loop that some threads leave early is divergent from its start: the next turn is not joined.
 * Only such a loop takes two turns, or nested loops would take two to the power of their depth. */
static void check_loop(struct check *c, const struct ks *s, struct flow f)
{
	bool broken = false, judge = c->judge;
	f.in_loop = true;
	f.uniform = f.uniform && is_uniform(c, s->a)
	            && (s->kind == KS_WHILE || is_uniform(c, s->b));
	f.broken = &broken;
	if (may_break(&s->body)) {
		c->judge = false;
		check_turn(c, s, f);
		c->judge = judge;
		f.uniform = f.uniform && !broken;
	}
	check_turn(c, s, f);
}

static void check_barrier(const struct check *c, struct flow f)
{
	must(c, c->kernel->target->gpu, "only a GPU has barriers");
	must(c, !c->judge || (f.uniform && !c->left), "not every thread reaches a barrier");
}

static void check_return(struct check *c, const struct ks *s, struct flow f)
{
	if (!f.uniform)
		c->left = true;
	must(c, !s->a || !s->a->type.pointer, "a value is returned");
}

static void check_launch(const struct check *c, const struct ks *s)
{
	for (int i = 0; i < 3; i++)
		must(c, is_integer(s->grid[i]), "a grid is counted in integers");
	must(c, !s->b == !s->kernel->choice && (!s->b || is_bool(s->b)), "a choice is decided");
	for (int i = 0; i < s->n; i++)
		must(c, same(s->arg[i]->type, s->kernel->param.at[i]->type),
		     "argument %d of the launch of %s has another type", i + 1, s->kernel->name);
}

static void check_operands(const struct check *c, const struct ks *s)
{
	const struct kx *part[] = {s->a, s->b, s->c, s->grid[0], s->grid[1], s->grid[2]};
	for (size_t i = 0; i < sizeof part / sizeof *part; i++)
		if (part[i])
			check_x(c, part[i]);
	for (int i = 0; i < s->n; i++)
		check_x(c, s->arg[i]);
}

static void check_statement(struct check *c, const struct ks *s, struct flow f)
{
	if (c->judge)
		check_operands(c, s);
	switch (s->kind) {
	case KS_DECL: declare(c, s); break;
	case KS_SET: check_set(c, s, f.uniform && !c->left); break;
	case KS_IF: check_if(c, s, f); break;
	case KS_FOR: case KS_WHILE: check_loop(c, s, f); break;
	case KS_SCOPE: check_list(c, &s->body, f); break;
	case KS_BARRIER: check_barrier(c, f); break;
	case KS_RETURN: check_return(c, s, f); break;
	case KS_BREAK: case KS_CONTINUE:
		must(c, f.in_loop, "break and continue belong to a loop");
		*f.broken = *f.broken || !f.uniform;
		break;
	case KS_VSTORE:
		must(c, s->a->type.pointer && !s->a->type.is_const, "a vector is stored to memory");
		must(c, s->a->type.type == s->b->type.type && s->b->type.lanes > 1,
		     "of its elements");
		must(c, !s->c || is_integer(s->c), "vectors are counted in integers");
		break;
	case KS_DO: must(c, s->a->kind == KX_HELP, "a helper is called"); break;
	case KS_LAUNCH: check_launch(c, s); break;
	case KS_CLEAR:
		must(c, s->a->type.pointer && is_integer(s->b), "a pointer and bytes");
		break;
	case KS_NOTE: break;
	}
}

static void check_list(struct check *c, const struct ks_list *list, struct flow f)
{
	int mark = c->scope.n;
	for (int i = 0; i < list->n; i++)
		check_statement(c, list->at[i], f);
	scope_leave(c, mark);
}

/* Passes until no variable loses its uniformity; only the last one judges barriers and the types of
 * operands. What the backend declares before the body (slots, status) is in scope from the start.
 * */
static void check_instance(const struct kernel *k, bool chosen)
{
	struct check c = {.kernel = k, .chosen = chosen};
	must(&c, k->open.n == 1, "a body was left open");
	for (bool last = false;; ) {
		c.changed = c.left = false;
		c.judge = last;
		scope_leave(&c, 0);
		for (int i = 0; i < k->var.n; i++)
			if (k->var.at[i]->kind == KV_PARAM || k->var.at[i]->is_given)
				scope_enter(&c, k->var.at[i]);
		check_list(&c, &k->body, (struct flow){.uniform = true});
		if (last)
			break;
		last = !c.changed;
	}
	map_free(&c.known);
}

void kircheck(const struct kernel *k)
{
	check_instance(k, true);
	if (k->choice)
		check_instance(k, false);
}
