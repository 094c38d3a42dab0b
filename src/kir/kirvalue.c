/* kirvalue.c - finds how the value of each variable of a kernel differs between the lanes of a
 * warp.
 *
 * A variable has the join of all that it is given, wherever that is (kirlanes.h), found by going
 * through the kernel until nothing changes; if all of that is in the body that declares it, what it
 * was given last.  What a lane loads at a place of its own is data; so is what is assigned in a
 * branch that data decide. */
#include "kirvalue.h"

#include <string.h>

/* ---- of an expression ---- */

static struct lanes value_of_var(const struct values *w, const struct kvar *v)
{
	const struct lanes *known = map_get(&w->value, v);
	if (v->is_choice)
		return lanes_number(w->n, 1);
	if (v->kind == KV_PARAM || v->kind == KV_SHARED)
		return lanes_even(w->n, v->type.pointer ? 256 : 1);
	return known ? *known : lanes_of_kind(w->n, v->is_given ? LANES_OPEN : LANES_NONE);
}

/* The lanes of a warp follow one another along x, then y. */
static struct lanes thread_id(const struct values *w, enum kid id)
{
	const int *block = w->kernel->block;
	int64_t below = id == ID_THREAD_X ? 1 : block[0];
	struct lanes all = lanes_even(w->n, w->n), by = lanes_number(w->n, below);
	if (id == ID_THREAD_Z || below % w->n == 0)
		return lanes_even(w->n, 1);
	for (int l = 0; l < w->n; l++)
		all.at[l] = l;
	all = lanes_operation(OP_DIV, &all, &by, NULL);
	by = lanes_number(w->n, id == ID_THREAD_X ? block[0] : block[1]);
	struct lanes rest = lanes_operation(OP_REM, &all, &by, NULL);
	return rest.kind == LANES_OPEN ? all : rest;
}

static const struct { const char *name; enum operation op; } arithmetic[] = {
	{ "patc_div_", OP_DIV }, { "patc_rem_", OP_REM }, { "patc_add_", OP_ADD },
	{ "patc_sub_", OP_SUB }, { "patc_mul_", OP_MUL }
};

bool name_begins(const char *name, const char *with)
{
	return !strncmp(name, with, strlen(with));
}

static struct lanes value_of_all(const struct values *w, const struct kx *x)
{
	struct lanes all = lanes_number(w->n, 0);
	for (int i = 0; i < x->n; i++) {
		struct lanes v = value_of(w, x->arg[i]);
		all = lanes_mixed(&all, &v);
	}
	return x->n ? all : lanes_even(w->n, 1);
}

/* What it is called with may name the scale. */
static const struct kvar *name_in(const struct kx *x)
{
	while (x->kind == KX_CAST)
		x = x->arg[0];
	return x->kind == KX_VAR ? x->var : NULL;
}

static void find_counter(struct kx *x, void *found)
{
	*(bool *)found |= x->kind == KX_VAR && x->var->kind == KV_FOR;
}

/* What a loop counts is not large, as sizes are. */
static bool is_counted(const struct kx *x)
{
	bool counted = false;
	kx_walk((struct kx *)x, find_counter, &counted);
	return counted;
}

static struct lanes value_of_operation(const struct values *w, enum operation op,
                                       const struct kx *x)
{
	struct lanes a = value_of(w, x->arg[0]), b = value_of(w, x->arg[1]);
	const struct kvar *of = name_in(x->arg[lanes_are_even(&b)]);
	bool divides = op == OP_DIV || op == OP_REM || op == OP_SHR || op == OP_AND;
	return divides && is_counted(x->arg[1]) ? lanes_mixed(&a, &b)
	                                        : lanes_operation(op, &a, &b, of);
}

static bool is_clamp(const struct kx *x)
{
	if (x->kind == KX_HELP)
		return name_begins(x->name, "patc_min_") || name_begins(x->name, "patc_max_");
	return x->kind == KX_MATH && (x->math == M_min || x->math == M_max);
}

static bool is_turn(const char *name)
{
	return name_begins(name, "patc_wrap") || name_begins(name, "patc_mirror")
	       || name_begins(name, "patc_reflect");
}

static struct lanes value_of_helper(const struct values *w, const struct kx *x)
{
	if (is_turn(x->name))
		return value_of(w, x->arg[0]);
	for (size_t k = 0; x->n == 2 && k < sizeof arithmetic / sizeof *arithmetic; k++)
		if (name_begins(x->name, arithmetic[k].name))
			return value_of_operation(w, arithmetic[k].op, x);
	struct lanes all = value_of_all(w, x);
	if (helper_is_uniform(x->name))
		return lanes_even(w->n, 1);
	bool loads = helper_has_effect(x->name) && !name_begins(x->name, "patc_shfl");
	return loads && all.kind != LANES_NONE ? lanes_of_kind(w->n, LANES_DATA) : all;
}

static struct lanes value_of_clamp(const struct values *w, const struct kx *x)
{
	struct lanes a = value_of(w, x->arg[0]), b = value_of(w, x->arg[1]);
	return lanes_clamped(&a, &b);
}

/* Of a guarded index, the one that differs from lane to lane. */
static struct lanes value_of_choice(const struct values *w, const struct kx *x)
{
	struct lanes c = value_of(w, x->arg[0]), a = value_of(w, x->arg[1]),
		     b = value_of(w, x->arg[2]);
	int64_t known;
	if (lanes_are_number(&c, &known))
		return known ? a : b;
	if (c.kind == LANES_DATA && !lanes_equal(&a, &b))
		return c;
	if (a.kind != LANES_STEPS || b.kind != LANES_STEPS)
		return lanes_join(&a, &b);
	return lanes_are_even(&a) ? b : lanes_are_even(&b) ? a : lanes_join(&a, &b);
}

static struct lanes loaded(const struct values *w, const struct kx *x)
{
	const struct kx *from = x->arg[0];
	if (from->kind == KX_VAR && from->var->kind == KV_REGS)
		return value_of_var(w, from->var);
	struct lanes place = value_of_all(w, x);
	return place.kind == LANES_NONE || lanes_are_even(&place) ? place
	                                                          : lanes_of_kind(w->n, LANES_DATA);
}

struct lanes value_byte(const struct values *w, const struct kx *x)
{
	struct lanes base = value_of(w, x->arg[0]), index = value_of(w, x->arg[1]),
		     size = lanes_number(w->n, type_size(x->type.type));
	index = lanes_operation(OP_MUL, &index, &size, NULL);
	return lanes_operation(OP_ADD, &base, &index, NULL);
}

struct lanes value_of(const struct values *w, const struct kx *x)
{
	bool whole = type_class(x->type.type) != 'F';
	if (x->n == 2 && is_clamp(x))
		return value_of_clamp(w, x);
	switch (x->kind) {
	case KX_INT: return lanes_number(w->n, x->i);
	case KX_VAR: return value_of_var(w, x->var);
	case KX_ID: return x->id > ID_THREAD_Z ? lanes_even(w->n, 1) : thread_id(w, x->id);
	case KX_CAST: return whole ? value_of(w, x->arg[0]) : value_of_all(w, x);
	case KX_OP: return x->n == 2 ? value_of_operation(w, x->op, x) : value_of_all(w, x);
	case KX_COND: return value_of_choice(w, x);
	case KX_HELP: return value_of_helper(w, x);
	case KX_AT: case KX_VLOAD: return loaded(w, x);
	case KX_OFFSET: return value_byte(w, x);
	case KX_FLOAT: case KX_FIELD: case KX_ELEM: case KX_LANE: case KX_MAKE:
	case KX_CALL: case KX_MATH: return value_of_all(w, x);
	}
	return lanes_of_kind(w->n, LANES_OPEN);
}

const struct kvar *value_array(const struct values *w, const struct kx *pointer)
{
	for (const struct kx *from = pointer; from;) {
		bool named = from->kind == KX_VAR;
		pointer = named || from->kind == KX_COND ? from : pointer;
		from = named && from->var->kind == KV_LET                      ? from->var->value
		       : from->kind == KX_OFFSET || from->kind == KX_CAST ? from->arg[0]
		       : from->kind == KX_COND                                  ? from->arg[1]
		                                                                : NULL;
	}
	bool global = pointer->kind == KX_VAR && pointer->type.pointer
	              && pointer->var->kind != KV_SHARED && pointer->var->kind != KV_REGS;
	const struct kvar *home = global ? map_get(&w->home, pointer->var) : NULL;
	return home ? home : global ? pointer->var : NULL;
}


/* ---- what statements give ---- */

static const struct kvar *root_of(const struct kx *target)
{
	while (target->kind != KX_VAR && target->n && kx_memory(target) == MEMORY_NONE)
		target = target->arg[0];
	return target->kind == KX_VAR ? target->var : NULL;
}

static void find_bodies(struct values *w, const struct ks_list *list)
{
	for (int i = 0; i < list->n; i++) {
		const struct ks *s = list->at[i];
		const struct kvar *root = s->kind == KS_SET ? root_of(s->a) : NULL;
		if (s->kind == KS_DECL)
			*map_at(&w->body, s->var) = (void *)list;
		if (root && map_get(&w->body, root) != list)
			*map_at(&w->spread, root) = (void *)list;
		find_bodies(w, &s->body);
		find_bodies(w, &s->otherwise);
	}
}

/* In the order of the statements, so that the last one counts. */
static bool is_straight(const struct values *w, const struct kvar *v)
{
	return v->kind == KV_VAR && !map_get(&w->spread, v);
}

static void give(struct values *w, const struct kvar *v, struct lanes value)
{
	void **at = map_at(&w->value, v);
	struct lanes *old = *at;
	bool last = v->kind == KV_LET || is_straight(w, v);
	struct lanes new = old && !last ? lanes_join(old, &value) : value;
	if (old && lanes_equal(old, &new))
		return;
	w->changed |= !is_straight(w, v);
	*at = old ? old : NEW(struct lanes);
	*(struct lanes *)*at = new;
}

static void declare(struct values *w, const struct ks *s)
{
	give(w, s->var, value_of(w, s->a));
	if (s->var->type.pointer && s->var->kind == KV_VAR)
		*map_at(&w->home, s->var) = (void *)value_array(w, s->a);
}

static void assign(struct values *w, const struct ks *s, bool data)
{
	const struct kvar *root = root_of(s->a);
	if (root)
		give(w, root, data ? lanes_of_kind(w->n, LANES_DATA) : value_of(w, s->b));
}

static void count_up(struct values *w, const struct ks *s)
{
	struct lanes first = value_of(w, s->a), step = value_of(w, s->c), now;
	give(w, s->var, first);
	now = value_of_var(w, s->var);
	give(w, s->var, lanes_operation(OP_ADD, &now, &step, NULL));
}

bool value_by_data(const struct values *w, const struct kx *x)
{
	return x && value_of(w, x).kind == LANES_DATA;
}

/* A helper fills registers that it is handed, and what has no value yet. */
static void hand_on(struct values *w, const struct kx *call)
{
	for (int i = 0; i < call->n; i++) {
		const struct kx *arg = call->arg[i];
		bool filled = arg->kind == KX_VAR && !arg->type.pointer
		              && (arg->var->kind == KV_REGS
		                  || value_of(w, arg).kind == LANES_NONE);
		if (filled)
			give(w, arg->var, lanes_of_kind(w->n, LANES_DATA));
	}
}

/* What it declares and assigns. */
void values_statement(struct values *w, const struct ks *s, bool data)
{
	if (s->kind == KS_DECL && s->a && s->var->kind != KV_SHARED)
		declare(w, s);
	if (s->kind == KS_SET)
		assign(w, s, data);
	if (s->kind == KS_FOR)
		count_up(w, s);
	if (s->kind == KS_DO)
		hand_on(w, s->a);
}

struct values values_begin(const struct kernel *k)
{
	struct values w = { .kernel = k, .n = k->target->lanes };
	find_bodies(&w, &k->body);
	return w;
}

void values_end(struct values *w)
{
	map_free(&w->value);
	map_free(&w->home);
	map_free(&w->body);
	map_free(&w->spread);
}
