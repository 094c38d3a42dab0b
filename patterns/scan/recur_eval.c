/* recur_eval.c - y[i] = (y[i-1] ○ weight) ◇ (y[i-2] ○ weight) ◇ rest in the interpreter.
 *
 * A cell is computed from those before it as the equation says, all in the recurrence's type; what
 * is carried on is that value, not what the target's narrower type makes of it when it is stored.
 * Terms whose cell is not in the sequence are left out, unless `from` stands for it (R37).  What
 * other evaluations may make of it is known to recur_drift.c. */
#include <assert.h>
#include <string.h>

#include "recur_eval.h"

struct recur {
	const struct recurrence *r;
	bool strict;
	struct code *weight[MAX_ORDER], *rest;
	struct body *dist, *acc;                 /* of user's operators */
	bool has[MAX_ORDER];
	struct num y[MAX_ORDER];
	unsigned char *bytes[MAX_ORDER], *product, *sum;     /* of structs */
	struct drift drift;
};

static struct body *body_of(struct eval *ev, const struct op *op)
{
	return op && op->kind == OPK_USER ? compile_body(ev, op->fn) : NULL;
}

struct recur *recur_compile(struct eval *ev, const struct recurrence *r, bool strict)
{
	struct recur *u = NEW(struct recur);
	u->r = r;
	u->strict = strict;
	u->dist = body_of(ev, r->dist);
	u->acc = body_of(ev, r->acc);
	u->rest = r->rest ? code_of(ev, r->rest) : NULL;
	for (int k = 0; k < r->order; k++) {
		u->weight[k] = r->weight[k] ? code_of(ev, r->weight[k]) : NULL;
		u->bytes[k] = in_memory(r->type) ? array_new(1, (size_t)type_size(r->type)) : NULL;
	}
	u->product = in_memory(r->type) ? array_new(2, (size_t)type_size(r->type)) : NULL;
	u->sum = u->product ? u->product + type_size(r->type) : NULL;
	drift_open(&u->drift, r, strict);
	return u;
}

static void put(struct recur *u, int k, struct num v)
{
	if (u->bytes[k] && v.i) {
		memmove(u->bytes[k], (const void *)(intptr_t)v.i, (size_t)type_size(u->r->type));
		v.i = (int64_t)(intptr_t)u->bytes[k];
	}
	u->y[k] = v;
	u->has[k] = true;
}

void recur_start(struct recur *u, int froms, const struct num *from)
{
	for (int k = 0; k < u->r->order; k++)
		u->has[k] = false;
	for (int k = 0; k < froms && k < u->r->order; k++)
		put(u, k, from[k]);
	drift_start(&u->drift, froms, from);
}

static struct num apply(struct eval *ev, const struct recur *u, bool dist, struct num a,
                        struct num b)
{
	const struct body *body = dist ? u->dist : u->acc;
	const struct op *op = dist ? u->r->dist : u->r->acc;
	unsigned char *made = dist ? u->product : u->sum;
	struct num two[2] = { a, b };
	struct num v = body ? call(ev, body, two) : num_fold(op, u->r->type, a, b);
	if (made && v.i) {
		memmove(made, (const void *)(intptr_t)v.i, (size_t)type_size(u->r->type));
		v.i = (int64_t)(intptr_t)made;
	}
	if (u->strict && !body && a.e == 0 && b.e == 0)
		v.e = 0;
	return v;
}

static void join(struct eval *ev, struct recur *u, bool *some, struct num *sum, struct num term)
{
	*sum = *some ? apply(ev, u, false, *sum, term) : term;
	*some = true;
}

struct num recur_step(struct eval *ev, struct recur *u)
{
	const struct recurrence *r = u->r;
	struct drift_cell cell = { .has_rest = u->rest };
	struct num sum = { 0 };
	bool some = false;
	for (int k = 0; k < r->order; k++) {
		cell.has[k] = u->has[k] && (u->weight[k] || r->bare[k]);
		if (!cell.has[k])
			continue;
		cell.weight[k] = u->weight[k] ? run(ev, u->weight[k]) : (struct num){ 0 };
		join(ev, u, &some, &sum, !u->weight[k] ? u->y[k]
			: apply(ev, u, true, u->y[k], cell.weight[k]));
	}
	if (u->rest) {
		cell.rest = run(ev, u->rest);
		join(ev, u, &some, &sum, cell.rest);
	}
	assert(some && "without a term for its first cell a recurrence says `from`");
	cell.y = sum;
	if (r->order > 1 && u->has[0])
		put(u, 1, u->y[0]);
	put(u, 0, sum);
	if (ev->outside)                        /* this cell is not written: what follows is open */
		u->drift.open = true;
	sum.e = drift_step(&u->drift, &cell);
	return sum;
}
