/* sema_array.c - arrays in the bodies of functions: are their indices inside, and do they stay in
 * registers?
 *
 * A register has no index, so an array of a function stays in registers only if every subscript is
 * a constant once loops are unrolled.  An expression of integers is `fixed` if it consists of
 * constants, indices of loops whose bounds are fixed, and `let`s of fixed values.  A subscript of
 * an array that does not say `spill` must be fixed; the loops whose indices it uses are marked, and
 * lower_fn.c has the compiler unroll them.
 *
 * Then the body is walked as it runs, each pass of each marked loop, so that a fixed subscript has
 * one value and is compared with the extent.  An `if`, ?:, && or || whose condition is fixed is
 * decided; of another one all sides are walked.  Indices of tables and of fields which no interval
 * (sema_fn.c) keeps inside are proved so, too. */
#include <string.h>

#include "eval_value.h"
#include "sema_impl.h"

enum {
	WORDS = 192,        /* registers of 32 bits for the arrays of a function, of 255 in all */
	BYTES = 65536,      /* of those that spill: a thread of a GPU has 512 KiB */
	STEPS = 8192        /* statements at most, once loops are unrolled */
};

struct fact {                            /* of a `let`, or of the index of a `for` */
	struct inner *home;                  /* its statement */
	bool fixed, walked;                  /* walked: each pass of this loop is */
	bool known; struct num now;          /* its value in this pass */
};

struct walk {
	struct map fact;                     /* by variable */
	const struct fn *fn;
	bool failed;                         /* one error a function */
	int loops; int64_t steps;            /* in how many walked loops, and statements there */
	int64_t all;                         /* statements there and elsewhere */
	struct loc at;                       /* of the first marked loop */
};

static struct fact *fact_of(const struct walk *w, const struct var *v)
{
	return map_get((struct map *)&w->fact, v);
}

/* ---- fixed expressions ---- */

static bool whole_number(const struct type *t)
{
	return type_class(t) == 'I' || type_class(t) == 'U' || type_class(t) == 'B';
}

/* The first part that is not fixed, or NULL. */
static const struct expr *open_part(const struct walk *w, const struct expr *e)
{
	const struct fact *f = e->kind == E_VAR ? fact_of(w, e->var) : NULL;

	if (!whole_number(e->type))
		return e;
	switch ((int)e->kind) {              /* int: any other kind is not fixed */
	case E_CONST: return NULL;
	case E_VAR: return f && f->fixed ? NULL : e;
	case E_ELEM:
		if (!e->var || e->var->kind != VAR_CONST)
			return e;
		break;
	case E_UNARY: case E_BINARY: case E_COND: case E_CAST: case E_MATH: break;
	default: return e;
	}
	for (int k = 0; k < e->arg.n; k++) {
		const struct expr *part = open_part(w, e->arg.at[k]);
		if (part)
			return part;
	}
	return NULL;
}

/* The statements before this one are known: a `let` is declared before it is used. */
static void facts_collect(struct walk *w, struct inner *const *at, int n)
{
	for (int k = 0; k < n; k++) {
		struct inner *s = at[k];
		bool has = s->kind == N_FOR || (s->kind == N_LET && !s->var->is_mutable && s->a);

		if (has && whole_number(s->var->type)) {
			struct fact *f = NEW(struct fact);
			f->home = s;
			f->fixed = !open_part(w, s->a) && (!s->b || !open_part(w, s->b));
			*map_at(&w->fact, s->var) = f;
		}
		facts_collect(w, s->body.at, s->body.n);
		facts_collect(w, s->otherwise.at, s->otherwise.n);
	}
}

/* The loops whose indices e uses. */
static void mark_loops(struct walk *w, const struct expr *e, bool unrolled)
{
	struct fact *f = e->kind == E_VAR ? fact_of(w, e->var) : NULL;

	if (f && (!f->walked || (unrolled && !f->home->unrolled))) {
		f->walked = true;
		f->home->unrolled |= unrolled;
		if (!w->at.line)
			w->at = f->home->at;
		mark_loops(w, f->home->a, unrolled);
		if (f->home->b)
			mark_loops(w, f->home->b, unrolled);
	}
	for (int k = 0; k < e->arg.n; k++)
		mark_loops(w, e->arg.at[k], unrolled);
}

/* ---- which subscripts there are ---- */

static int first_subscript(const struct expr *elem)
{
	return elem->var ? 0 : 1;
}

static int64_t extent_of(const struct expr *elem, int k)
{
	if (!elem->var)
		return elem->arg.at[0]->type->extent[k];
	return elem->var->kind == VAR_LOCAL ? elem->var->type->extent[k]
	                                    : elem->var->extent[k].constant;
}

/* The variable of the function whose array it is, or NULL. */
static const struct var *array_of(const struct expr *elem)
{
	const struct expr *box = elem->var ? NULL : elem->arg.at[0]->arg.at[0];

	if (elem->var)
		return elem->var->kind == VAR_LOCAL ? elem->var : NULL;
	return box->kind == E_VAR && type_unboxed(box->type) ? box->var : NULL;
}

static bool in_registers(const struct expr *elem)
{
	const struct var *v = array_of(elem);

	return v && !v->spills;
}

static bool proved(const struct expr *elem)
{
	int first = first_subscript(elem);

	for (int k = first; k < elem->arg.n; k++)
		if (!elem_in_range(elem->arg.at[k], extent_of(elem, k - first)))
			return false;
	return true;
}

/* Is each of its values looked at?  That of an array that spills is tested when it runs. */
static bool walked(const struct expr *elem)
{
	return elem->kind == E_ELEM && !elem->checked && !proved(elem);
}

static char *because(const struct walk *w, const struct expr *e)
{
	const struct fact *f = e->kind == E_VAR ? fact_of(w, e->var) : NULL;

	if (type_class(e->type) == 'F')
		return str_print("this is computed from floats");
	if (e->kind == E_VAR && e->var->kind == VAR_PARAM)
		return str_print("`%s` is a parameter", e->var->name);
	if (f && f->home->kind == N_FOR)
		return str_print("the bounds of the loop over `%s` are not constant",
		                 e->var->name);
	if (e->kind == E_VAR)
		return str_print(e->var->is_mutable ? "`%s` is a `var`"
		                                    : "the value of `%s` is not constant",
		                 e->var->name);
	if (e->kind == E_CALL)
		return str_print("a call of `%s` is not", e->fn->name);
	return str_print("`%s` is not", expr_text((struct expr *)e));
}

static void not_fixed(struct walk *w, const struct expr *elem, const struct expr *part,
                      int64_t extent)
{
	const struct var *v = array_of(elem);

	w->failed = true;
	if (!in_registers(elem)) {
		diag_error(part->at, D_ELEMENT, "this index may be outside 0..%lld",
		           (long long)extent);
		diag_cure("use the index of a `for` loop with constant bounds, or `clamp(..., 0, "
		          "%lld)`",
		          (long long)extent - 1);
		fix_wrap(part->at, "clamp(", str_print(", 0, %lld)", (long long)extent - 1));
		return;
	}
	diag_error(part->at, D_REGISTERS,
	           "`%s` is kept in registers, so its indices must be constant after loop "
	           "unrolling; %s",
	           v->name, because(w, part));
	/* A loop that compares its index with this one is no cure: nvcc makes v[at] of it. */
	diag_cure("%s`var %s: %s spill;`, which keeps the array in memory",
	          v->kind == VAR_PARAM ? "copy it to a " : "say ",
	          v->kind == VAR_PARAM ? "copy" : v->name, type_name(v->type));
	if (v->kind != VAR_PARAM)
		fix_after_type(v->at, " spill");
}

static bool elem_settle(struct expr *e, void *walk)
{
	struct walk *w = walk;
	int first = e->kind == E_ELEM ? first_subscript(e) : 0;

	for (int k = first; e->kind == E_ELEM && k < e->arg.n && !w->failed; k++) {
		int64_t extent = extent_of(e, k - first);
		const struct expr *part = open_part(w, e->arg.at[k]);
		e->wraps |= !index_exact(e->arg.at[k]);
		bool inside = e->checked || elem_in_range(e->arg.at[k], extent);
		if (inside && !in_registers(e))
			continue;
		if (part)
			not_fixed(w, e, in_registers(e) ? part : e->arg.at[k], extent);
		else
			mark_loops(w, e->arg.at[k], in_registers(e));
	}
	return !w->failed;
}

static void elems_settle(struct walk *w, struct inner *const *at, int n)
{
	for (int k = 0; k < n && !w->failed; k++) {
		struct expr *part[] = { at[k]->target, at[k]->a, at[k]->b };
		for (int p = 0; p < 3; p++)
			expr_walk(part[p], elem_settle, w);
		elems_settle(w, at[k]->body.at, at[k]->body.n);
		elems_settle(w, at[k]->otherwise.at, at[k]->otherwise.n);
	}
}

/* ---- room ---- */

struct room { int64_t words, bytes; };   /* of registers, of memory */

static void no_room(struct walk *w, const struct var *v, struct loc at, const char *of, int most)
{
	w->failed = true;
	diag_error(at, D_REGISTERS, "the arrays of `%s` take more than %d %s, including `%s`",
	           w->fn->name, most, of, v->name);
	if (v->kind == VAR_PARAM)
		diag_cure("pass a part of it");
	else if (!v->spills) {
		diag_cure("write `var %s: %s spill;` to keep the array in memory", v->name,
		          type_name(v->type));
		fix_after_type(v->at, " spill");
	}
}

static void room_add(struct walk *w, const struct var *v, struct loc at, struct room *r)
{
	const struct type *type = v->type->kind == T_ARRAY ? v->type : type_unboxed(v->type);

	if (type && v->spills)
		r->bytes += type_size(type);
	else if (type)
		r->words += type_cells(type) * ((type_size(type->elem) + 3) / 4);
	if (r->words > WORDS)
		no_room(w, v, at, "registers of 32 bits", WORDS);
	else if (r->bytes > BYTES)
		no_room(w, v, at, "bytes of memory", BYTES);
}

static void room_check(struct walk *w, struct inner *const *at, int n, struct room *r)
{
	for (int k = 0; k < n && !w->failed; k++) {
		if (at[k]->kind == N_LET)
			room_add(w, at[k]->var, at[k]->at, r);
		room_check(w, at[k]->body.at, at[k]->body.n, r);
		room_check(w, at[k]->otherwise.at, at[k]->otherwise.n, r);
	}
}

/* ---- the walk ---- */

static bool value_of(const struct walk *, const struct expr *, struct num *);

/* All of them, or false. */
static bool values_of(const struct walk *w, const struct expr *e, struct num *at, int room)
{
	for (int k = 0; k < e->arg.n; k++)
		if (k == room || !value_of(w, e->arg.at[k], &at[k]))
			return false;
	return true;
}

static bool table_value(const struct expr *e, const struct num *at, struct num *v)
{
	int64_t cell = 0;

	for (int k = 0; k < e->arg.n; k++) {
		if (at[k].i < 0 || at[k].i >= extent_of(e, k))
			return false;
		cell = cell * extent_of(e, k) + at[k].i;
	}
	*v = num_int(e->var->table[cell].i);
	return true;
}

static bool is_lazy(const struct expr *e)
{
	return e->kind == E_BINARY && (e->op == OP_LAND || e->op == OP_LOR);
}

static bool lazy_value(const struct walk *w, const struct expr *e, struct num *v)
{
	if (!value_of(w, e->arg.at[0], v))
		return false;
	if (e->kind == E_COND)
		return value_of(w, e->arg.at[v->i ? 1 : 2], v);
	return v->i == (e->op == OP_LOR) || value_of(w, e->arg.at[1], v);
}

/* Of a fixed expression, where its loops are walked. */
static bool value_of(const struct walk *w, const struct expr *e, struct num *v)
{
	const struct fact *f = e->kind == E_VAR ? fact_of(w, e->var) : NULL;
	struct num at[MAX_RANK];

	if (!whole_number(e->type))
		return false;
	if (e->kind == E_COND || is_lazy(e))
		return lazy_value(w, e, v);
	if (e->kind == E_CONST || (f && f->known)) {
		*v = e->kind == E_CONST ? num_int(e->value.i) : f->now;
		return true;
	}
	bool table = e->kind == E_ELEM && e->var && e->var->kind == VAR_CONST;
	if (!(table || e->kind == E_UNARY || e->kind == E_BINARY || e->kind == E_CAST
	      || e->kind == E_MATH) || !values_of(w, e, at, MAX_RANK))
		return false;
	const struct type *of = e->arg.at[0]->type;
	if (table)
		return table_value(e, at, v);
	if (e->kind == E_UNARY)
		*v = num_unary(e->op, of, at[0]);
	else if (e->kind == E_CAST)
		*v = num_cast(e->type, of, at[0]);
	else if (e->kind == E_MATH)
		*v = num_math(e->math, of, e->arg.n, at);
	else if (e->op == OP_SHL || e->op == OP_SHR)
		*v = num_shift(e->op, of, at[0], at[1].i);
	else
		*v = num_binary(e->op, of, at[0], at[1]);
	return true;
}

struct saying { const struct walk *w; char *text; };

/* " where `i` is 3 and `k` is 15": of the variables in an index. */
static bool value_say(struct expr *e, void *saying)
{
	struct saying *s = saying;
	const struct fact *f = e->kind == E_VAR ? fact_of(s->w, e->var) : NULL;

	if (f && !strstr(s->text, str_print("`%s`", e->var->name)))
		s->text = str_print("%s %s `%s` is %lld", s->text, *s->text ? "and" : "where",
		                    e->var->name, (long long)f->now.i);
	return true;
}

static char *values_text(const struct walk *w, struct expr *e)
{
	struct saying s = { w, str_print("%s", "") };

	expr_walk(e, value_say, &s);
	return s.text;
}

static void cell_check(struct walk *w, const struct expr *e)
{
	int first = first_subscript(e);

	for (int k = first; k < e->arg.n && !w->failed; k++) {
		int64_t extent = extent_of(e, k - first);
		struct num v;
		if (!value_of(w, e->arg.at[k], &v) || (v.i >= 0 && v.i < extent))
			continue;
		w->failed = true;
		diag_error(e->arg.at[k]->at, D_ELEMENT, "this index is %lld%s, outside 0..%lld",
		           (long long)v.i, values_text(w, e->arg.at[k]), (long long)extent);
		diag_cure("the largest index is %lld; in a loop, an `if` may guard the access",
		          (long long)extent - 1);
	}
}

static void steps_add(struct walk *w, int64_t steps)
{
	w->all = w->all + steps > STEPS ? STEPS : w->all + steps;
	w->steps += w->loops ? steps : 0;
}

static void walk_expr(struct walk *w, const struct expr *e)
{
	struct num v;

	if (!e || w->failed)
		return;
	if (e->kind == E_COND || is_lazy(e)) {
		walk_expr(w, e->arg.at[0]);
		bool known = value_of(w, e->arg.at[0], &v);
		bool second = !known || (e->kind == E_COND ? v.i : v.i != (e->op == OP_LOR));
		if (second)
			walk_expr(w, e->arg.at[1]);
		if (e->kind == E_COND && (!known || !v.i))
			walk_expr(w, e->arg.at[2]);
		return;
	}
	for (int k = 0; k < e->arg.n; k++)
		walk_expr(w, e->arg.at[k]);
	if (e->kind == E_CALL)
		steps_add(w, e->fn->steps);
	if (walked(e))
		cell_check(w, e);
}

/* Where control goes after a statement, in every run; GO_ON if some run goes on. */
enum way { GO_ON, CONTINUE, BREAK, RETURN };

static enum way walk_list(struct walk *, struct inner *const *, int n);

static enum way walk_if(struct walk *w, const struct inner *s)
{
	struct num v;
	bool known = value_of(w, s->a, &v);
	enum way yes = GO_ON, no = GO_ON;

	if (!known || v.i)
		yes = walk_list(w, s->body.at, s->body.n);
	if (!known || !v.i)
		no = walk_list(w, s->otherwise.at, s->otherwise.n);
	return known ? (v.i ? yes : no) : yes < no ? yes : no;
}

static enum way walk_for(struct walk *w, const struct inner *s)
{
	struct fact *f = fact_of(w, s->var);
	struct num lo, hi;
	enum way way = GO_ON;

	f->known = f->walked && value_of(w, s->a, &lo) && value_of(w, s->b, &hi);
	if (!f->known) {
		walk_list(w, s->body.at, s->body.n);
		return GO_ON;
	}
	for (int64_t i = lo.i; i < hi.i && way < BREAK && !w->failed; i++) {
		f->now = num_int(i);
		w->steps++;
		w->loops++;
		way = walk_list(w, s->body.at, s->body.n);
		w->loops--;
	}
	return way == RETURN ? RETURN : GO_ON;
}

static enum way walk_one(struct walk *w, const struct inner *s)
{
	struct fact *f = s->kind == N_LET ? fact_of(w, s->var) : NULL;

	walk_expr(w, s->target);
	walk_expr(w, s->a);
	walk_expr(w, s->b);
	switch (s->kind) {
	case N_LET:
		if (f)
			f->known = value_of(w, s->a, &f->now);
		return walk_list(w, s->body.at, s->body.n);
	case N_ASSIGN: return GO_ON;
	case N_IF: return walk_if(w, s);
	case N_WHILE:
		walk_list(w, s->body.at, s->body.n);
		return GO_ON;
	case N_FOR: return walk_for(w, s);
	case N_RETURN: return RETURN;
	case N_BREAK: return BREAK;
	case N_CONTINUE: return CONTINUE;
	}
	return GO_ON;
}

static enum way walk_list(struct walk *w, struct inner *const *at, int n)
{
	enum way way = GO_ON;

	for (int k = 0; k < n && way == GO_ON && !w->failed; k++) {
		steps_add(w, 1);
		if (w->steps > STEPS) {
			w->failed = true;
			diag_error(w->at, D_REGISTERS,
			           "the loops of `%s` that index arrays have more than %d "
			           "statements after unrolling",
			           w->fn->name, STEPS);
			diag_cure("declare the arrays with `spill`");
		}
		way = walk_one(w, at[k]);
	}
	return way;
}

void arrays_settle(struct fn *f)
{
	struct walk w = { .fn = f };
	struct room room = { 0 };

	for (int k = 0; k < f->param.n && !w.failed; k++)
		room_add(&w, f->param.at[k], f->param.at[k]->at, &room);
	if (f->value)
		expr_walk(f->value, elem_settle, &w);
	room_check(&w, f->body.at, f->body.n, &room);
	facts_collect(&w, f->body.at, f->body.n);
	elems_settle(&w, f->body.at, f->body.n);
	if (f->value)
		walk_expr(&w, f->value);
	walk_list(&w, f->body.at, f->body.n);
	f->steps = w.all;
	map_free(&w.fact);
}
