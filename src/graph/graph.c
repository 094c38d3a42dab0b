/* graph.c - the pattern graph: constructors, operators, substitution and walks.
 *
 * An expression is a DAG of typed nodes that nobody changes after sema: a pass that needs another
 * one builds it with expr_substitute, which copies only the path down to what it replaces.  A walk
 * sees a shared node once for every way to it; depth is bounded by MAX_DEPTH times the few layers
 * fusion may stack. */
#include <assert.h>
#include <string.h>
#include <math.h>

#include "small.h"
#include "ask.h"
#include "cutoff.h"
#include "expansion.h"
#include "running.h"
#include "wavefront.h"
#include "selection.h"
#include "sorting.h"

const char *const operation_text[] = {
	[OP_NEG] = "-", [OP_NOT] = "!", [OP_BITNOT] = "~", [OP_MUL] = "*",  [OP_DIV] = "/",
	[OP_REM] = "%", [OP_ADD] = "+", [OP_SUB] = "-",    [OP_SHL] = "<<", [OP_SHR] = ">>",
	[OP_AND] = "&", [OP_XOR] = "^", [OP_OR] = "|",     [OP_LT] = "<",   [OP_GT] = ">",
	[OP_LE] = "<=", [OP_GE] = ">=", [OP_EQ] = "==",    [OP_NE] = "!=",  [OP_LAND] = "&&",
	[OP_LOR] = "||"
};
const char *const sweep_text[] = {
	[SWEEP_AUTO] = "",
#define SWEEP(id, name) [SWEEP_##id] = name,
#include "sweep.def"
#undef SWEEP
};
const char *const walk_text[] = {
	[WALK_AUTO] = "",
#define WALK(id, name) [WALK_##id] = name,
#include "walk.def"
#undef WALK
};
const char *const stage_text[] = {
	[STAGE_AUTO] = "auto",
#define STAGE(id, name) [STAGE_##id] = name,
#include "stage.def"
#undef STAGE
};

/* ---- constructors ---- */

bool var_on_device(const struct var *v)
{
	if (v->rank > 0)
		return false;
	return v->kind == VAR_LET || (v->kind == VAR_PARAM && v->mode != MODE_IN);
}

static bool not_on_device(struct expr *e, void *unused)
{
	(void)unused;
	return e->kind != E_READ && !(e->kind == E_VAR && var_on_device(e->var));
}

bool expr_on_device(const struct expr *e)
{
	return !expr_walk((struct expr *)e, not_on_device, NULL);
}

struct expr *expr_new(enum expr_kind kind, const struct type *type, struct loc at)
{
	struct expr *e = NEW(struct expr);
	e->kind = kind;
	e->type = type;
	e->at = at;
	return e;
}

struct expr *expr_bare(const struct expr *e)
{
	struct expr *copy = NEW(struct expr);
	*copy = *e;
	copy->written = NULL;
	memset(&copy->arg, 0, sizeof copy->arg);
	return copy;
}

struct expr *expr_copy(const struct expr *e)
{
	if (!e)
		return NULL;
	struct expr *copy = expr_bare(e);
	for (int a = 0; a < e->arg.n; a++)
		list_add(&copy->arg, expr_copy(e->arg.at[a]));
	if (!e->fold)
		return copy;
	copy->fold = NEW(struct fold);
	*copy->fold = *e->fold;
	memset(&copy->fold->lo, 0, sizeof copy->fold->lo);
	memset(&copy->fold->hi, 0, sizeof copy->fold->hi);
	for (int d = 0; d < e->fold->index.n; d++) {
		list_add(&copy->fold->lo, expr_copy(e->fold->lo.at[d]));
		list_add(&copy->fold->hi, expr_copy(e->fold->hi.at[d]));
	}
	copy->fold->where = expr_copy(e->fold->where);
	copy->fold->asked = expr_copy(e->fold->asked);
	return copy;
}

struct expr *expr_exchange(struct expr *e, const struct expr *part, struct expr *other)
{
	bool same = true;
	if (e == part)
		return other;
	struct expr *copy = expr_bare(e);
	for (int a = 0; a < e->arg.n; a++) {
		list_add(&copy->arg, expr_exchange(e->arg.at[a], part, other));
		same &= copy->arg.at[a] == e->arg.at[a];
	}
	return same ? e : copy;
}

struct expr *expr_int(const struct type *type, int64_t i, struct loc at)
{
	struct expr *e = expr_new(E_CONST, type, at);
	e->value.i = i;
	return e;
}

struct expr *expr_float(const struct type *type, double f, struct loc at)
{
	struct expr *e = expr_new(E_CONST, type, at);
	e->value.f = type_class(type) == 'F' ? float_round(type, f) : f;
	return e;
}

struct expr *expr_var(struct var *v, struct loc at)
{
	struct expr *e = expr_new(E_VAR, v->type, at);
	e->var = v;
	return e;
}

struct expr *expr_read(struct var *v, struct expr *const *sub, struct loc at)
{
	struct expr *e = expr_new(E_READ, v->type, at);
	e->var = v;
	e->affine = mem_new((size_t)(v->rank + 1) * sizeof *e->affine);
	for (int a = 0; a < v->rank; a++) {
		list_add(&e->arg, sub[a]);
		if (!affine_of(sub[a], &e->affine[a]))
			e->affine[a].n = -1;
	}
	return e;
}

static bool is_comparison(enum operation op)
{
	return op >= OP_LT && op <= OP_NE;
}

struct expr *expr_binary(enum operation op, struct expr *a, struct expr *b)
{
	bool gives_bool = is_comparison(op) || op == OP_LAND || op == OP_LOR;
	struct expr *e = expr_new(E_BINARY, gives_bool ? type_scalar(T_BOOL) : a->type, a->at);
	e->op = op;
	list_add(&e->arg, a);
	list_add(&e->arg, b);
	return e;
}

/* ---- operators a fold can use ---- */

static struct expr *number(const struct type *type, int64_t i)
{
	const struct loc nowhere = { 0 };
	if (type_class(type) == 'F')
		return expr_float(type, (double)i, nowhere);
	return expr_int(type, i, nowhere);
}

/* The greatest value of the type (sign > 0) or the least: what min and max leave alone. */
static struct expr *extreme(const struct type *type, int sign)
{
	const struct loc nowhere = { 0 };
	int bits = (int)(8 * type_size(type));
	switch (type_class(type)) {
	case 'F':
		return expr_float(type, sign > 0 ? INFINITY : -INFINITY, nowhere);
	case 'I':
		return expr_int(type,
		                sign > 0 ? INT64_MAX >> (64 - bits) : INT64_MIN >> (64 - bits),
		                nowhere);
	case 'U':
		return expr_int(type, sign > 0 ? (int64_t)(UINT64_MAX >> (64 - bits)) : 0, nowhere);
	case 'B':
		return expr_int(type, sign > 0, nowhere);
	}
	return NULL;
}

/* The value whose bits are all set: -1 for signed types, the greatest for the others. */
static struct expr *all_ones(const struct type *type)
{
	return type_class(type) == 'I' ? number(type, -1) : extreme(type, 1);
}

/* Folds have the names of those before OPK_BITAND; generated text calls variables by all of them.
 * */
#define OWN(kind_, name_) [kind_] = { \
	.name = name_, .kind = kind_, .associative = true, .commutative = true }
static const struct op own[OPK_USER] = { OWN(OPK_SUM, "sum"),       OWN(OPK_PROD, "prod"),
	                                 OWN(OPK_MIN, "min"),       OWN(OPK_MAX, "max"),
	                                 OWN(OPK_ALL, "all"),       OWN(OPK_ANY, "any"),
	                                 OWN(OPK_COUNT, "count"),   OWN(OPK_ARGMIN, "argmin"),
	                                 OWN(OPK_ARGMAX, "argmax"), OWN(OPK_BITAND, "band"),
	                                 OWN(OPK_BITOR, "bor"),     OWN(OPK_BITXOR, "bxor") };

const struct op *op_own(enum op_kind kind)
{
	return &own[kind];
}

bool op_chooses(const struct op *op)
{
	enum op_kind kind = op->kind;
	return kind == OPK_MIN || kind == OPK_MAX || kind == OPK_ALL || kind == OPK_ANY;
}

bool op_is_arg(const struct op *op)
{
	return op->kind == OPK_ARGMIN || op->kind == OPK_ARGMAX;
}

bool expr_folds(const struct expr *e)
{
	return e->kind == E_FOLD && !e->fold->sorted && !e->fold->handed;
}

bool expr_handed(const struct expr *e)
{
	return e->kind == E_FOLD && e->fold->handed;
}

const struct expr *search_compare(const struct expr *search)
{
	const struct expr *test = search->arg.at[0];
	return test->kind == E_UNARY ? test->arg.at[0] : test;
}

const struct expr *searched_cell(const struct expr *search)
{
	const struct expr *cell = search_compare(search)->arg.at[0];
	while (cell->kind != E_READ && cell->kind != E_ELEM)
		cell = cell->arg.at[0];
	return cell;
}

bool fold_constant(const struct fold *fold)
{
	for (int k = 0; k < fold->index.n; k++)
		if (fold->lo.at[k]->kind != E_CONST || fold->hi.at[k]->kind != E_CONST)
			return false;
	return true;
}

const char *fold_name(const struct fold *fold)
{
	return fold->handed ? "array" : fold->sorted ? "search" : fold->op->name;
}

bool fold_in_order(const struct expr *e)
{
	const struct op *op = e->fold->op;
	bool exact = op->kind != OPK_USER && (type_class(e->type) != 'F' || op_is_arg(op));
	return e->fold->strict && !exact;
}

/* The places where it stands are numbers from 0, or -1: nowhere (R9). */
const struct type *type_best(const struct type *value, int indices)
{
	const struct type *at = type_scalar(T_I64);
	struct field field[1 + MAX_RANK] = { { .name = "value", .type = value },
		                             { .name = "at", .type = at } };
	const char *name = str_print("patc_best_%s", type_name(value));

	for (int k = 0; k < indices && indices > 1; k++)
		field[1 + k] = (struct field){ .name = str_name(str_print("at%d", k)), .type = at };
	return type_made(indices > 1 ? str_print("%s_%d", name, indices) : name, 1 + indices,
	                 field);
}

const struct type *fn_result(const struct fn *fn)
{
	struct field field[] = { { .name = "value", .type = fn->type },
		                 { .name = "wrong", .type = type_scalar(T_I32) } };

	const char *name = fn->type->kind == T_STRUCT ? fn->type->record->name
	                                              : type_name(fn->type);

	if (!fn->fails)
		return fn->type;
	return type_made(str_print("patc_result_%s", name), 2, field);
}

static struct expr *nowhere(const struct type *best, int sign)
{
	const struct loc unwritten = { 0 };
	struct expr *e = expr_new(E_STRUCT, best, unwritten);

	list_add(&e->arg, extreme(best->record->field.at[0].type, sign));
	for (int k = 1; k < best->record->field.n; k++)
		list_add(&e->arg, number(type_scalar(T_I64), -1));
	return e;
}

/* What saturates has none: an infinity does not stay one. */
static bool loses_infinity(const struct type *type)
{
	return type_class(type) == 'F' && float_limits(type)->saturates;
}

struct expr *op_identity(const struct op *op, const struct type *type)
{
	if (op->kind != OPK_USER && loses_infinity(type))
		return NULL;
	switch (op->kind) {
	case OPK_SUM: case OPK_COUNT: case OPK_BITOR: case OPK_BITXOR: case OPK_ANY:
		return number(type, 0);
	case OPK_PROD: case OPK_ALL:
		return number(type, 1);
	case OPK_MIN:
		return extreme(type, 1);
	case OPK_MAX:
		return extreme(type, -1);
	case OPK_ARGMIN:
		return nowhere(type, 1);
	case OPK_ARGMAX:
		return nowhere(type, -1);
	case OPK_BITAND:
		return all_ones(type);
	case OPK_USER:
		return op->identity;
	}
	assert(0 && "an operator has one of the kinds above");
	return NULL;
}

struct expr *expr_as(struct expr *e, const struct type *type)
{
	if (e->type == type)
		return e;
	struct expr *made = expr_new(E_CAST, type, e->at);
	list_add(&made->arg, e);
	return made;
}

/* count folds bools into an i64, and adds i64s when partial counts meet. */
static struct expr *counted(struct expr *e)
{
	if (type_class(e->type) != 'B')
		return e;
	return expr_as(e, type_scalar(T_I64));
}

static struct expr *apply(enum expr_kind kind, const struct type *type,
                          struct expr *a, struct expr *b)
{
	struct expr *e = expr_new(kind, type, a->at);
	list_add(&e->arg, a);
	list_add(&e->arg, b);
	return e;
}

static struct expr *apply_math(enum math math, struct expr *a, struct expr *b)
{
	struct expr *e = apply(E_MATH, a->type, a, b);
	e->math = math;
	return e;
}

struct expr *op_apply(const struct op *op, struct expr *a, struct expr *b)
{
	struct expr *e;
	switch (op->kind) {
	case OPK_SUM:    return expr_binary(OP_ADD, a, b);
	case OPK_COUNT:  return expr_binary(OP_ADD, counted(a), counted(b));
	case OPK_PROD:   return expr_binary(OP_MUL, a, b);
	case OPK_ALL:    return expr_binary(OP_LAND, a, b);
	case OPK_ANY:    return expr_binary(OP_LOR, a, b);
	case OPK_BITAND: return expr_binary(OP_AND, a, b);
	case OPK_BITOR:  return expr_binary(OP_OR, a, b);
	case OPK_BITXOR: return expr_binary(OP_XOR, a, b);
	case OPK_MIN:    return apply_math(M_min, a, b);
	case OPK_MAX:    return apply_math(M_max, a, b);
	case OPK_USER:
		e = apply(E_CALL, op->fn->type, a, b);
		e->fn = op->fn;
		return e;
	case OPK_ARGMIN: case OPK_ARGMAX:
		break;                        /* a term has a place: that is more than two values */
	}
	assert(0 && "an operator that is applied has one of the kinds above");
	return NULL;
}

/* ---- substitution ---- */

struct swap_list { struct var *const *from; struct expr *const *to; int n; };

static struct expr *replace(const struct expr *, const struct swap_list *);

static bool replace_list(struct expr *const *old, int n, struct expr **made,
                         const struct swap_list *s)
{
	bool changed = false;
	for (int i = 0; i < n; i++) {
		made[i] = replace(old[i], s);
		changed |= made[i] != old[i];
	}
	return changed;
}

static struct expr **list_room(int n)
{
	return mem_new((size_t)(n + 1) * sizeof(struct expr *));
}

/* The fold with its bounds and condition replaced; the same fold if nothing in it changes. */
static struct fold *replace_fold(struct fold *old, const struct swap_list *s)
{
	struct expr **lo = list_room(old->lo.n), **hi = list_room(old->hi.n);
	struct expr *where = old->where ? replace(old->where, s) : NULL;
	bool changed = replace_list(old->lo.at, old->lo.n, lo, s);
	changed |= replace_list(old->hi.at, old->hi.n, hi, s);
	struct expr *asked = old->asked ? replace(old->asked, s) : NULL;
	if (!changed && where == old->where && asked == old->asked)
		return old;
	struct fold *made = NEW(struct fold);
	*made = *old;
	made->lo.at = lo;
	made->lo.room = old->lo.n;
	made->hi.at = hi;
	made->hi.room = old->hi.n;
	made->where = where;
	made->asked = asked;
	return made;
}

/* Subscripts changed, so their affine forms did: those after arg[skip..]. */
static void affine_renew(struct expr *e)
{
	int skip = e->kind == E_ELEM && !e->var ? 1 : 0;
	int n = e->arg.n - skip;
	e->affine = mem_new((size_t)(n + 1) * sizeof(struct affine));
	for (int i = 0; i < n; i++)
		if (!affine_of(e->arg.at[i + skip], &e->affine[i]))
			e->affine[i].n = -1;
}

static struct expr *replace(const struct expr *e, const struct swap_list *s)
{
	if (e->kind == E_VAR)
		for (int i = 0; i < s->n; i++)
			if (e->var == s->from[i])
				return s->to[i];
	struct expr **arg = list_room(e->arg.n);
	struct fold *fold = e->fold ? replace_fold(e->fold, s) : NULL;
	bool changed = replace_list(e->arg.at, e->arg.n, arg, s);
	if (!changed && fold == e->fold)
		return (struct expr *)e;
	struct expr *made = NEW(struct expr);
	*made = *e;
	made->fold = fold;
	made->written = e->written ? replace(e->written, s) : NULL;
	made->arg.at = arg;
	made->arg.room = e->arg.n;
	if (e->affine)
		affine_renew(made);
	return made;
}

/* Fold indices keep their variables: copies of a fold may share them, since each binds anew. */
struct expr *expr_substitute(const struct expr *e, struct var *const *from,
                             struct expr *const *to, int n)
{
	struct swap_list s = { from, to, n };
	return replace(e, &s);
}

struct expr *expr_inlined(const struct expr *e)
{
	const struct fn *fn = e->kind == E_CALL ? e->fn : NULL;

	if (!fn || !fn->value || fn->from || e->arg.n != fn->param.n)
		return NULL;
	for (int k = 0; k < fn->param.n; k++)
		if (fn->param.at[k]->rank)
			return NULL;
	return expr_substitute(fn->value, fn->param.at, e->arg.at, e->arg.n);
}

bool expr_lazy(const struct expr *e)
{
	return e->kind == E_COND || (e->kind == E_BINARY && (e->op == OP_LAND || e->op == OP_LOR));
}

/* ---- comparing ---- */

/* 0.0 and -0.0 differ. */
static bool same_bits(double a, double b)
{
	return memcmp(&a, &b, sizeof a) == 0;
}

bool expr_same(const struct expr *a, const struct expr *b)
{
	bool same = a->kind == b->kind && a->type == b->type && a->op == b->op && a->var == b->var
	            && a->fn == b->fn && a->math == b->math && a->field == b->field
	            && a->arg.n == b->arg.n && !a->fold && !b->fold;
	if (same && a->kind == E_CONST)
		same = a->value.i == b->value.i && same_bits(a->value.f, b->value.f);
	for (int k = 0; k < a->arg.n && same; k++)
		same = expr_same(a->arg.at[k], b->arg.at[k]);
	return same;
}

bool ends_equal(const struct expr *a, const struct expr *b)
{
	struct affine x, y;
	return (affine_of(a, &x) && affine_of(b, &y) && affine_equal(&x, &y)) || expr_same(a, b);
}

/* ---- walks ---- */

typedef bool visitor(struct expr *, void *);

static bool walk_list(struct expr **at, int n, visitor *visit, void *data)
{
	for (int i = 0; i < n; i++)
		if (!expr_walk(at[i], visit, data))
			return false;
	return true;
}

/* A node comes before its arguments; a fold's bounds and condition before its term. */
bool expr_walk(struct expr *e, visitor *visit, void *data)
{
	if (!e)
		return true;
	if (!visit(e, data))
		return false;
	if (e->fold && (!walk_list(e->fold->lo.at, e->fold->lo.n, visit, data)
	                || !walk_list(e->fold->hi.at, e->fold->hi.n, visit, data)
	                || !expr_walk(e->fold->where, visit, data)))
		return false;
	return walk_list(e->arg.at, e->arg.n, visit, data);
}

static bool not_checked(struct expr *e, void *data)
{
	(void)data;
	return !e->checked;
}

bool expr_checked(const struct expr *e)
{
	return !expr_walk((struct expr *)e, not_checked, NULL);
}

struct expr *expr_element(struct expr *array, int64_t cell)
{
	const struct type *type = array->type;
	struct expr *e = expr_new(E_ELEM, type->elem, array->at);
	int64_t sub[MAX_RANK];

	if (array->kind == E_VAR)
		e->var = array->var;
	else
		list_add(&e->arg, array);
	e->affine = mem_new((size_t)type->rank * sizeof *e->affine);
	for (int k = type->rank - 1; k >= 0; cell /= type->extent[k--])
		sub[k] = cell % type->extent[k];
	for (int k = 0; k < type->rank; k++) {
		list_add(&e->arg, expr_int(type_scalar(T_I64), sub[k], array->at));
		e->affine[k] = (struct affine){ .constant = sub[k] };
	}
	return e;
}

bool equation_walk(struct equation *q, visitor *visit, void *data)
{
	struct recurrence *r = q->recurrence;
	return expr_walk(q->right, visit, data)
	       && (!r
	           || (walk_list(r->weight, MAX_ORDER, visit, data)
	               && expr_walk(r->rest, visit, data)));
}

bool running_walk(struct running *r, visitor *visit, void *data)
{
	return !r || (walk_list(r->from, MAX_ORDER, visit, data) && expr_walk(r->cell, visit, data)
	              && expr_walk(r->length, visit, data));
}

bool wave_walk(struct wavefront *w, visitor *visit, void *data)
{
	for (int k = 0; w && k < w->read.n; k++)
		if (!expr_walk(w->read.at[k]->outside, visit, data))
			return false;
	return true;
}

bool sorting_walk(struct sorting *s, visitor *visit, void *data)
{
	return !s || (expr_walk(s->key, visit, data) && expr_walk(s->first, visit, data));
}

int sorting_more(const struct node *node)
{
	return node->sorting ? node->sorting->more : 0;
}

bool sorting_runs(const struct node *node, int d)
{
	int first = node->running->axis;
	return first <= d && d <= first + sorting_more(node);
}

bool axes_have(const struct axes *axes, int k)
{
	for (int d = 0; d < axes->n; d++)
		if (axes->at[d] == k)
			return true;
	return false;
}

const struct var *expansion_ends(const struct expansion *x)
{
	return target_read(node_target(x->ends, 0))->var;
}

void expansion_outer(const struct node *node, struct var **index)
{
	for (int d = 0; d < node->expand->outer.n; d++)
		index[d] = node->index.at[node->expand->outer.at[d]];
}

static bool expansion_walk(struct expansion *x, visitor *visit, void *data)
{
	for (int v = 0; x && v < x->value.n; v++)
		if (!expr_walk(x->value.at[v].value, visit, data))
			return false;
	return !x
	       || (walk_list(x->count, MAX_RANK, visit, data) && expr_walk(x->end, visit, data)
	           && expr_walk(x->from, visit, data));
}

/* What a statement that looks at near bodies reads beside its equations. */
static bool cutoff_walk(struct cutoff *c, visitor *visit, void *data)
{
	if (!c || !c->binned)
		return true;
	for (int k = 0; k < c->read.n; k++)
		if (!expr_walk(c->read.at[k], visit, data))
			return false;
	return expr_walk(c->cell, visit, data)
	       && walk_list(c->number.at, c->number.n, visit, data);
}

static bool walk_targets(struct equation *q, visitor *visit, void *data)
{
	return walk_list(q->target.at, q->target.n, visit, data) && equation_walk(q, visit, data);
}

/* Targets are visited too, whole: their E_READ is a write, their subscripts are reads. */
bool node_walk(struct node *node, visitor *visit, void *data)
{
	if (!walk_list(node->lo.at, node->lo.n, visit, data)
	    || !walk_list(node->hi.at, node->hi.n, visit, data)
	    || !expr_walk(node->where, visit, data))
		return false;
	for (int i = 0; i < node->equation.n; i++)
		if (!walk_targets(node->equation.at[i], visit, data))
			return false;
	if (!running_walk(node->running, visit, data) || !wave_walk(node->wave, visit, data)
	    || !sorting_walk(node->sorting, visit, data)
	    || !expansion_walk(node->expand, visit, data)
	    || !cutoff_walk(node->cutoff, visit, data))
		return false;
	for (int i = 0; i < node->index.n && i < MAX_RANK; i++)
		if (node->edge[i].kind == B_VALUE && !expr_walk(node->edge[i].value, visit, data))
			return false;
	if (!expr_walk(node->limit, visit, data) || !expr_walk(node->asks, visit, data)
	    || !expr_walk(node->until, visit, data))
		return false;
	for (int i = 0; i < node->body.n; i++)
		if (!node_walk(node->body.at[i], visit, data))
			return false;
	return true;
}

bool layout_turns(const struct var *v)
{
	return v->layout && (v->layout->col || v->layout->block || v->layout->tile[0]
	                     || v->layout->curve);
}

bool is_pitched(const struct var *v)
{
	return v->layout && v->layout->pitched;
}

bool var_tiled(const struct var *v)
{
	return v->layout && v->layout->tile[0];
}

bool var_curved(const struct var *v)
{
	return v->layout && v->layout->curve;
}

const struct var *var_home(const struct var *v)
{
	if (var_tiled(v) || var_curved(v))
		return v;
	return v->whole && v->layout->block > 0 ? v->whole : NULL;
}

const char *part_name(const struct var *whole, const struct field *field)
{
	return str_name(str_print("%s_%s", whole->name, field->name));
}

const struct clause no_clauses[] = { { 0 } };

const struct clause_use *node_clause(const struct node *node, const char *name)
{
	for (int k = 0; k < node->clause.n; k++)
		if (!strcmp(node->clause.at[k].clause->name, name))
			return &node->clause.at[k];
	return NULL;
}

struct expr *node_target(const struct node *node, int k)
{
	for (int q = 0; q < node->equation.n; k -= node->equation.at[q++]->target.n)
		if (k < node->equation.at[q]->target.n)
			return node->equation.at[q]->target.at[k];
	return NULL;
}

enum part selected_part(const struct node *node, const struct equation *eq)
{
	const struct expr *cell = target_read(eq->target.at[0]);
	if (cell->kind == E_VAR)
		return PART_COUNT;
	for (int a = 0; a < cell->arg.n; a++) {
		const struct expr *place = cell->arg.at[a];
		if (place->kind == E_VAR && place->var == node->selection->rejected)
			return PART_REJECTED;
		if (place->kind == E_VAR && place->var == node->selection->row)
			return PART_ROWS;
	}
	return PART_KEPT;
}

bool selection_has(const struct node *node, enum part part)
{
	for (int q = 0; q < node->equation.n; q++)
		if (selected_part(node, node->equation.at[q]) == part)
			return true;
	return false;
}

struct expr *target_read(struct expr *target)
{
	while (target->kind == E_FIELD || target->kind == E_ELEM)
		target = target->arg.at[0];
	return target;
}
