/* recur.c - a recurrence as something that is folded (Blelloch 1990; Hou et al. IPDPS 2018):
 *
 *     y[i] = (y[i-1] ○ weight) ◇ (y[i-2] ○ weight) ◇ rest
 *
 * A run of cells is a map from what comes before them to what comes after.  Its form is that of
 * one cell:
 *   plain    one operator is all there is: ○ = ◇, a bare y[i-1], or no rest.  y' = y op value: a
 *            fold.
 *   pair     y' = (y ○ weight) ◇ value.  (w1, v1) then (w2, v2) are (w1 ○ w2, (v1 ○ w2) ◇ v2),
 *            since ○ distributes over ◇.
 *   square   order 2, p and q the cells before it: y' = (p ○ a) ◇ (q ○ b) ◇ u, and so for the cell
 *            before y', with c, d, v.
 *
 * Note [no cells]: where the identity of ◇ absorbs under ○ (0 * w = 0, min(inf, w) under max), the
 * map of no cells is the pair of identities.  Integers of (max, +) wrap, and the user's operators
 * need have none: such a pair says whether it is of any cells.  A square counts them up to 2: c, d,
 * v are there from the second on.
 *
 * Note [weights that overflow]: a product of many weights may leave the floats though no value
 * does: what is exactly 0 stays 0, as it would from cell to cell, unless it meets a NaN.
 *
 * Without `from` the first cell of a sequence does not read weights of cells that are not there. */
#include <assert.h>
#include "recur.h"

enum form { PLAIN, PAIR, SQUARE };
enum { A, B, U, C, D, V, CELLS, SQUARE_FIELDS };         /* of a square */

static bool same_op(const struct op *a, const struct op *b)
{
	return a && b && a->kind == b->kind && a->fn == b->fn;
}

static enum form form_of(const struct recurrence *r)
{
	if (r->order > 1)
		return SQUARE;
	return !r->weight[0] || !r->rest || same_op(r->dist, r->acc) ? PLAIN : PAIR;
}

struct recur recur_of(const struct node *node, const struct equation *eq)
{
	return (struct recur){
		.r = eq->recurrence, .running = node->running,
		.strict = node_clause(node, "strict")
	};
}

/* ---- the laws ---- */

/* Note [weights that overflow] */
static bool overflows(const struct recurrence *r)
{
	return type_class(r->type) == 'F' && r->acc->kind == OPK_SUM && r->dist
	       && r->dist->kind == OPK_PROD;
}

/* z ○ w = z for the identity z of ◇ and every w, and ○ has an identity too: Note [no cells]. */
static bool absorbs(const struct recurrence *r)
{
	bool floats = type_class(r->type) == 'F';
	if (!r->dist)
		return false;
	switch (r->acc->kind) {
	case OPK_SUM:    return r->dist->kind == OPK_PROD;
	case OPK_MIN:    return r->dist->kind == OPK_MAX || (floats && r->dist->kind == OPK_SUM);
	case OPK_MAX:    return r->dist->kind == OPK_MIN || (floats && r->dist->kind == OPK_SUM);
	case OPK_ALL:    return r->dist->kind == OPK_ANY;
	case OPK_ANY:    return r->dist->kind == OPK_ALL;
	case OPK_BITAND: return r->dist->kind == OPK_BITOR;
	case OPK_BITOR: case OPK_BITXOR: return r->dist->kind == OPK_BITAND;
	case OPK_PROD:
	case OPK_COUNT:
	case OPK_ARGMIN:
	case OPK_ARGMAX:
	case OPK_USER:
		return false;
	}
	assert(!"an operator");
	return false;
}

/* Every cell that is left out or read without ○ has a weight that says so. */
static bool square_joins(const struct recurrence *r)
{
	if (!r->dist || !r->acc->commutative || same_op(r->dist, r->acc))
		return false;
	for (int k = 0; k < r->order; k++)
		if (!r->weight[k]
		    && !(r->bare[k] ? op_identity(r->dist, r->type) != NULL : absorbs(r)))
			return false;
	return true;
}

bool recur_joins(const struct recur *u)
{
	bool user = u->r->acc->kind == OPK_USER || (u->r->dist && u->r->dist->kind == OPK_USER);
	if (u->strict && (user || type_class(u->r->type) == 'F'))
		return false;
	return form_of(u->r) != SQUARE || square_joins(u->r);
}

static struct kx *times(struct lowering *l, const struct recur *u, struct kx *a, struct kx *b)
{
	return lower_apply(l, u->r->dist, u->r->type, a, b, u->strict);
}

static struct kx *plus(struct lowering *l, const struct recur *u, struct kx *a, struct kx *b)
{
	if (!a || !b)
		return a ? a : b;
	return lower_apply(l, u->r->acc, u->r->type, a, b, u->strict);
}

/* By any factor but NaN. */
static struct kx *stays_zero(struct kx *x, struct kx *factor)
{
	return x_and(x_eq(x, lower_zero(x->type.type)), x_eq(factor, factor));
}

bool recur_guards(const struct recur *u)
{
	return form_of(u->r) != PLAIN && overflows(u->r);
}

static bool guarded(const struct recur *u)
{
	return overflows(u->r) && !u->bare;
}

/* x ○ the weight of several cells. */
static struct kx *scaled(struct lowering *l, const struct recur *u, struct kx *x, struct kx *w)
{
	struct kx *product = times(l, u, x, w);
	return guarded(u) ? x_cond(stays_zero(x, w), x, product) : product;
}

/* The weight of a, then b. */
static struct kx *weights(struct lowering *l, const struct recur *u, struct kx *a, struct kx *b)
{
	struct kx *product = scaled(l, u, a, b);
	return guarded(u) ? x_cond(stays_zero(b, a), b, product) : product;
}

struct kx *recur_behind(struct lowering *l, const struct recur *u, struct kx *before,
                        struct kx *weight, struct kx *behind)
{
	return plus(l, u, weight ? scaled(l, u, before, weight) : before, behind);
}

struct kx *recur_weights(struct lowering *l, const struct recur *u, struct kx *a, struct kx *b)
{
	return a && b ? weights(l, u, a, b) : NULL;
}

/* ---- what the cell at the bound indices has ---- */

static struct kx *rest_at(struct lowering *l, const struct recur *u)
{
	return u->r->rest ? x_var(k_let(l->k, "rest", lower_expr(l, u->r->rest))) : NULL;
}

/* Of the total of that cell alone.  A head does not read the weight of a cell that is not there:
 * any will do. */
static struct kx *weight_at(struct lowering *l, const struct recur *u, int k, struct kx *head)
{
	const struct recurrence *r = u->r;
	if (!r->weight[k])
		return lower_identity(l, r->bare[k] ? r->dist : r->acc, r->type);
	if (!head || u->running->froms > k)
		return x_var(k_let(l->k, "weight", lower_expr(l, r->weight[k])));
	struct kx *w = x_var(k_var(l->k, kt(r->type), "weight", lower_zero(r->type)));
	k_if(l->k, x_unary(OP_NOT, head));
	k_set(l->k, w, lower_expr(l, r->weight[k]));
	k_end(l->k);
	return w;
}

/* ---- kinds of totals ---- */

static struct kx *field(struct kx *total, int f)
{
	return x_field(total, &total->type.type->record->field.at[f]);
}

struct kx *recur_numbers(const struct accumulator *total)
{
	const struct recur *u = total->state;
	struct kx *numbers = NULL;
	for (int f = 0; f < total->type->record->field.n; f++) {
		struct kx *x = field(x_var(total->var), f);
		if (x->type.type == u->r->type)
			numbers = x_and(numbers, x_eq(x, x));
	}
	return numbers;
}

static const struct type *pair_type(const struct recurrence *r)
{
	const struct type *t = r->type;
	const struct field f[] = {
		{ .name = "weight", .type = t },
		{ .name = "value", .type = t },
		{ .name = "is", .type = type_scalar(T_BOOL) }
	};
	bool full = absorbs(r);
	return type_made(str_print("patc_%s_%s", full ? "pair" : "maybe_pair", type_name(t)),
	                 full ? 2 : 3, f);
}

static const struct type *square_type(const struct recurrence *r)
{
	const struct type *t = r->type;
	const struct field f[SQUARE_FIELDS] = { [A] = { .name = "a", .type = t },
		                                [B] = { .name = "b", .type = t },
		                                [U] = { .name = "u", .type = t },
		                                [C] = { .name = "c", .type = t },
		                                [D] = { .name = "d", .type = t },
		                                [V] = { .name = "v", .type = t },
		                                [CELLS] = { .name = "cells",
		                                            .type = type_scalar(T_I32) } };
	return type_made(str_print("patc_square_%s", type_name(t)), SQUARE_FIELDS, f);
}

static struct kx *start_pair(struct lowering *l, const struct accumulator *a)
{
	const struct recur *u = a->state;
	if (!absorbs(u->r))
		return lower_zero(a->type);
	struct kx *none[] = { lower_identity(l, u->r->dist, u->r->type),
		              lower_identity(l, u->r->acc, u->r->type) };
	return x_make(a->type, 2, none);
}

static struct kx *start_square(struct lowering *l, const struct accumulator *a)
{
	(void)l;
	return lower_zero(a->type);
}

static void join_pair(struct lowering *, const struct accumulator *, struct kx *);
static void join_square(struct lowering *, const struct accumulator *, struct kx *);

struct accumulator recur_kind(const struct recur *u)
{
	const struct recurrence *r = u->r;
	struct accumulator a = { .of = r->type, .strict = u->strict, .state = u };
	switch (form_of(r)) {
	case PLAIN:
		a.op = r->rest ? r->acc : r->dist;
		a.type = accumulator_type_of(a.op, r->type);
		return a;
	case PAIR:
		a.type = pair_type(r);
		a.start = start_pair;
		a.join = join_pair;
		return a;
	case SQUARE:
		a.type = square_type(r);
		a.start = start_square;
		a.join = join_square;
		return a;
	}
	assert(!"a form");
	return a;
}

/* ---- plain ---- */

/* What the cell adds; at a head without anything before it, its rest alone. */
static struct kx *plain_term(struct lowering *l, const struct recur *u, struct kx *head)
{
	struct kx *rest = rest_at(l, u);
	bool alone = head && !u->running->froms;
	if (!u->r->weight[0])
		return rest;
	if (!rest)
		return weight_at(l, u, 0, NULL);
	if (!alone)
		return x_var(k_let(l->k, "term", times(l, u, weight_at(l, u, 0, NULL), rest)));
	struct kx *term = x_var(k_var(l->k, kt(u->r->type), "term", rest));
	k_if(l->k, x_unary(OP_NOT, head));
	k_set(l->k, term, times(l, u, weight_at(l, u, 0, NULL), rest));
	k_end(l->k);
	return term;
}

static void add_plain(struct lowering *l, const struct recur *u, const struct accumulator *a,
                      struct kx *head)
{
	struct kx *term = plain_term(l, u, head);
	if (head) {
		k_if(l->k, head);
		k_set(l->k, x_var(a->var), accumulator_start(l, a));
		k_end(l->k);
	}
	if (a->type != a->of)
		term = x_make(a->type, 2, (struct kx *[]){ term, x_int(T_BOOL, 1) });
	accumulate(l, a, term);
}

static void resume_plain(struct lowering *l, const struct recur *u, const struct accumulator *total)
{
	bool maybe = total->type != total->of;
	struct kx *y = x_var(u->y[0]),
		  *value = maybe ? field(x_var(total->var), 0) : x_var(total->var);
	if (maybe)
		k_if(l->k, field(x_var(total->var), 1));
	k_set(l->k, y,
	      u->running->froms ? lower_apply(l, total->op, total->of, y, value, u->strict)
	                        : value);
	if (maybe)
		k_end(l->k);
}

/* ---- pairs and squares: recur.kernel ---- */

KTEXT_HOLE(text_plus)
{
	return plus(l, state, arg[0], arg[1]);
}

KTEXT_HOLE(text_scaled)
{
	return scaled(l, state, arg[0], arg[1]);
}

KTEXT_HOLE(text_weights)
{
	return weights(l, state, arg[0], arg[1]);
}

KTEXT_HOLE(weight)
{
	return weight_at(l, state, 0, NULL);
}

KTEXT_HOLE(no_weight)
{
	const struct recur *u = state;
	return lower_identity(l, u->r->dist, u->r->type);
}

KTEXT_HOLE(start)
{
	return accumulator_start(l, state);
}

/* The cell that a row makes of what comes before a sequence. */
KTEXT_HOLE(row_value)
{
	const struct recur *u = state;
	struct kx *p = u->running->froms > 0 ? scaled(l, u, arg[3], arg[0]) : NULL;
	struct kx *q = u->running->froms > 1 ? scaled(l, u, arg[4], arg[1]) : NULL;
	return plus(l, u, plus(l, u, p, q), u->r->rest ? arg[2] : NULL);
}

static int bind_recur(struct lowering *l, const struct recur *u)
{
	int names = k_names(l->k);
	k_numbers(l->k, "FULL, REST, FROMS, COUNTED", absorbs(u->r), u->r->rest != NULL,
	          u->running->froms, u->cells != NULL);
	k_bind(l->k, "T", u->r->type);
	k_bind(l->k, "before_2", "before");
	if (u->cells)
		k_bind(l->k, "cells_before", u->cells);
	k_bind_calls(l->k, u, { "plus", text_plus }, { "scaled", text_scaled },
	             { "weights", text_weights }, { "cell_weight", weight },
	             { "no_weight", no_weight }, { "row_value", row_value });
	return names;
}

/* recur_text(l, u, "text", arguments): appends one of the texts. */
#define recur_text(l, u, ...) do { \
	int names_ = bind_recur(l, u); \
	k_text((l)->k, __VA_ARGS__); \
	k_forget((l)->k, names_); \
} while (0)

static struct kx *as_variable(struct lowering *l, struct kx *other)
{
	return other->kind == KX_VAR ? other : x_var(k_let(l->k, "other", other));
}

static struct kx *or_false(struct kx *head)
{
	return head ? head : x_int(T_BOOL, 0);
}

static void join_pair(struct lowering *l, const struct accumulator *a, struct kx *other)
{
	recur_text(l, a->state, "join_pair", x_var(a->var), as_variable(l, other));
}

static void join_square(struct lowering *l, const struct accumulator *a, struct kx *other)
{
	recur_text(l, a->state, "join_square", x_var(a->var), as_variable(l, other));
}

static void add_pair(struct lowering *l, const struct recur *u, const struct accumulator *a,
                     struct kx *head)
{
	struct kx *rest = rest_at(l, u);
	k_bind(l->k, "ALONE", head && !u->running->froms);
	k_bind_call(l->k, "no_cells", start, a);
	recur_text(l, u, "add_to_pair", x_var(a->var), rest, or_false(head));
}

static void add_square(struct lowering *l, const struct recur *u, const struct accumulator *a,
                       struct kx *head)
{
	struct kx *rest = rest_at(l, u), *x = weight_at(l, u, 0, head),
		  *y = weight_at(l, u, 1, head);
	recur_text(l, u, "add_to_square", x_var(a->var), x, y, rest ? rest : x_i32(0),
	           or_false(head));
}

static void resume_pair(struct lowering *l, const struct recur *u, const struct accumulator *total)
{
	recur_text(l, u, "resume_pair", x_var(u->y[0]), x_var(total->var));
}

static void resume_square(struct lowering *l, const struct recur *u,
                          const struct accumulator *total)
{
	recur_text(l, u, "resume_square", x_var(u->y[0]), x_var(u->y[1]), x_var(total->var));
}

/* ---- totals ---- */

void recur_add(struct lowering *l, const struct recur *u, const struct accumulator *total,
               struct kx *head)
{
	switch (form_of(u->r)) {
	case PLAIN:  add_plain(l, u, total, head); return;
	case PAIR:   add_pair(l, u, total, head); return;
	case SQUARE: add_square(l, u, total, head); return;
	}
}

/* ---- the state ---- */

struct kx *recur_from(struct lowering *l, const struct running *running, int k,
                      const struct type *type)
{
	const struct expr *from = running->from[k];
	if (!expr_checked(from))
		return x_cast(kt(type), lower_expr(l, from));
	struct lower_context before = l->now;
	lower_flag(l, "bad");
	struct kx *x = x_var(k_let(l->k, "from_value", x_cast(kt(type), lower_expr(l, from))));
	lower_record(l);
	l->now = before;
	return x;
}

static struct kx *from_value(struct lowering *l, const struct recur *u, int k)
{
	return k < u->running->froms ? recur_from(l, u->running, k, u->r->type)
	                             : lower_zero(u->r->type);
}

/* Of order 2, unless there are always both. */
static bool counts(const struct recur *u)
{
	return u->r->order > 1 && u->running->froms < u->r->order;
}

int recur_parts(const struct recur *u)
{
	return u->r->order + counts(u);
}

struct kvar **recur_part(struct recur *u, int k, const struct type **type)
{
	*type = k < u->r->order ? u->r->type : type_scalar(T_I32);
	return k < u->r->order ? &u->y[k] : &u->cells;
}

void recur_resume(struct lowering *l, struct recur *u, const struct accumulator *total)
{
	int order = u->r->order, froms = u->running->froms;
	for (int k = 0; k < order; k++)
		u->y[k] = k_var(l->k, kt(u->r->type), k ? "y_before" : "y", from_value(l, u, k));
	u->cells = counts(u) ? k_var(l->k, kt_scalar(T_I32), "cells", x_i32(froms)) : NULL;
	if (!total)
		return;
	switch (form_of(u->r)) {
	case PLAIN:  resume_plain(l, u, total); return;
	case PAIR:   resume_pair(l, u, total); return;
	case SQUARE: resume_square(l, u, total); return;
	}
}

void recur_reset(struct lowering *l, const struct recur *u)
{
	for (int k = 0; k < u->running->froms && k < u->r->order; k++)
		k_set(l->k, x_var(u->y[k]), from_value(l, u, k));
	if (u->cells)
		k_set(l->k, x_var(u->cells), x_i32(u->running->froms));
}

/* ---- cells, as the equation says ---- */

/* y[i-1-k] ○ weight, NULL where the equation does not read that cell. */
static struct kx *term_of(struct lowering *l, const struct recur *u, int k)
{
	if (u->r->weight[k])
		return times(l, u, x_var(u->y[k]), lower_expr(l, u->r->weight[k]));
	return u->r->bare[k] ? x_var(u->y[k]) : NULL;
}

static struct kx *sum_of(struct lowering *l, const struct recur *u, int cells, struct kx *rest)
{
	struct kx *sum = NULL;
	for (int k = 0; k < cells; k++)
		sum = plus(l, u, sum, term_of(l, u, k));
	return plus(l, u, sum, rest);
}

/* Of order 1: only a head may have no cell before it. */
static struct kx *first_order(struct lowering *l, const struct recur *u, struct kx *rest,
                              struct kx *head)
{
	if (!head || u->running->froms)
		return x_var(k_let(l->k, "value", sum_of(l, u, 1, rest)));
	assert(rest && "without a term for its first cell a recurrence says `from`");
	struct kx *value = x_var(k_var(l->k, kt(u->r->type), "value", rest));
	k_if(l->k, x_unary(OP_NOT, head));
	k_set(l->k, value, sum_of(l, u, 1, rest));
	k_end(l->k);
	return value;
}

struct sum { const struct recur *u; struct kx *rest; };

/* Of so many cells before. */
KTEXT_HOLE(text_sum)
{
	const struct sum *sum = state;
	return sum_of(l, sum->u, (int)arg[0]->i, sum->rest);
}

static struct kx *second_order(struct lowering *l, const struct recur *u, struct kx *rest)
{
	if (!u->cells)
		return x_var(k_let(l->k, "value", sum_of(l, u, 2, rest)));
	int names = bind_recur(l, u);
	k_bind_call(l->k, "sum_of", text_sum, &(struct sum){ u, rest });
	k_text(l->k, "second_order", rest ? rest : lower_zero(u->r->type));
	struct kx *value = k_get(l->k, "value");
	k_forget(l->k, names);
	return value;
}

struct kx *recur_cell(struct lowering *l, const struct recur *u, struct kx *head)
{
	struct kx *rest = rest_at(l, u);
	bool second = u->r->order > 1;
	struct kx *value = second ? second_order(l, u, rest) : first_order(l, u, rest, head);
	if (second)
		k_set(l->k, x_var(u->y[1]), x_var(u->y[0]));
	k_set(l->k, x_var(u->y[0]), value);
	return value;
}
