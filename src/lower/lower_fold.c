/* lower_fold.c - folds inside an expression, term by term in their order: loops that are appended
 * to the kernel before the expression that uses them.  What threads fold together is
 * patterns/reduce/'s. */
#include "lower.h"
#include "ragged.h"

struct kx *lower_apply(struct lowering *l, const struct op *op, const struct type *type,
                       struct kx *a, struct kx *b, bool strict)
{
	struct var *u = NEW(struct var), *v = NEW(struct var);
	*u = (struct var){ .kind = VAR_LOCAL, .name = "a", .type = type };
	*v = (struct var){ .kind = VAR_LOCAL, .name = "b", .type = type };
	struct loc none = { 0 };
	lower_bind(l, u, a);
	lower_bind(l, v, b);
	struct expr *e = op_apply(op, expr_var(u, none), expr_var(v, none));
	e->strict = strict && type_class(type) == 'F';
	return lower_expr(l, e);
}

struct kx *lower_identity(struct lowering *l, const struct op *op, const struct type *type)
{
	struct expr *e = op_identity(op, type);
	return e ? lower_expr(l, e) : NULL;
}

struct kx *lower_better(const struct op *op, struct kx *term, struct kx *best, struct kx *tie)
{
	struct kx *better = x_op(op->kind == OPK_ARGMIN ? OP_LT : OP_GT, term, best);
	return x_or(better, x_and(x_eq(term, best), tie));
}

/* Unsigned, -1 is more than any number. */
struct kx *lower_sooner(struct kx *number, struct kx *best_number)
{
	struct ktype u64 = kt_scalar(T_U64);
	return x_lt(x_cast(u64, number), x_cast(u64, best_number));
}

/* argmin, argmax, terms in order: the first of the best stays.  A place may be any number: -1 says
 * nothing. */
static void fold_best(struct lowering *l, const struct fold *fold, struct kx *term,
                      struct kvar *acc, struct kvar *first)
{
	const struct record *best = acc->type.type->record;
	struct kx *value = x_field(x_var(acc), &best->field.at[0]);
	term = x_var(k_let(l->k, "term", term));
	k_if(l->k, lower_better(fold->op, term, value, x_var(first)));
	k_set(l->k, value, term);
	for (int d = 0; d < fold->index.n; d++)
		k_set(l->k, x_field(x_var(acc), &best->field.at[1 + d]),
		      lower_var(l, fold->index.at[d]));
	k_set(l->k, x_var(first), x_int(T_BOOL, 0));
	k_end(l->k);
}

static void fold_apply(struct lowering *l, const struct fold *fold, struct kx *term,
                       struct kvar *acc, struct kvar *first)
{
	if (first) {
		term = x_var(k_let(l->k, "term", term));
		k_if(l->k, x_var(first));
		k_set(l->k, x_var(acc), term);
		k_set(l->k, x_var(first), x_int(T_BOOL, 0));
		k_else(l->k);
	}
	k_set(l->k, x_var(acc),
	      lower_apply(l, fold->op, acc->type.type, x_var(acc), term, fold->strict));
	if (first)
		k_end(l->k);
}

/* A term that leaves an array, or whose mask does, is not folded and recorded (R34). */
void lower_term(struct lowering *l, const struct expr *fold,
                void (*add)(struct lowering *, struct kx *, void *), void *state)
{
	const struct expr *body = fold->arg.at[0], *where = fold->fold->where;
	struct lower_context before = l->now;
	bool tested = expr_checked(body) || (where && expr_checked(where));
	if (tested)
		lower_flag(l, "bad");
	struct kx *taken = where ? lower_expr(l, where) : NULL;
	if (taken && tested)
		taken = x_and(taken, lower_inside_all(l));
	if (taken)
		k_if(l->k, taken);
	struct kx *term = lower_expr(l, body);
	if (tested)
		k_if(l->k, lower_inside_all(l));
	add(l, fold->fold->op->kind == OPK_COUNT ? x_cast(kt_scalar(T_I64), term) : term, state);
	if (tested)
		k_end(l->k);
	if (taken)
		k_end(l->k);
	if (tested)
		lower_record(l);
	l->now = before;
}

struct serial { const struct fold *fold; struct kvar *acc, *first; };

static void serial_add(struct lowering *l, struct kx *term, void *state)
{
	const struct serial *s = state;
	(op_is_arg(s->fold->op) ? fold_best : fold_apply)(l, s->fold, term, s->acc, s->first);
}

struct kx *lower_given_end(struct lowering *l, const struct fold *fold, int d, bool high)
{
	const struct expr *e = (high ? fold->hi.at : fold->lo.at)[d];
	return (has_data(e) ? lower_wrapping : lower_index)(l, e);
}

struct kx *lower_end(struct lowering *l, const struct fold *fold, int d, bool high)
{
	const struct cut *cut = fold_cut(fold, d);
	struct kx *x = lower_given_end(l, fold, d, high);
	if (!cut || !cut->end || cut->trusted)
		return x;
	return x_min(x_max(x, x_i64(0)), lower_index(l, cut->end));
}

/* Of a range that data decide: cut to its array; what is to be recorded (R34), or NULL. */
static struct kx *cut_range(struct lowering *l, const struct cut *cut, struct kx **lo,
                            struct kx **hi)
{
	*lo = x_var(k_let(l->k, "lo", *lo));
	*hi = x_var(k_let(l->k, "hi", *hi));
	struct kx *falls = cut->rises ? x_lt(*hi, *lo) : NULL, *out = NULL;
	if (cut->end) {
		struct kx *end = lower_index(l, cut->end), *from = *lo, *to = *hi;
		out = x_and(x_lt(from, to), x_or(x_lt(from, x_i64(0)), x_lt(end, to)));
		*lo = x_var(k_let(l->k, "first", x_max(from, x_i64(0))));
		*hi = x_var(k_let(l->k, "end", x_min(to, end)));
	}
	return x_or(falls, out);
}

/* What the condition reads outside is recorded by who computes it. */
struct kx *lower_if_asked(struct lowering *l, const struct fold *fold, struct kx *wrong)
{
	if (!fold->asked || !wrong)
		return wrong;
	struct lower_context before = l->now;
	bool tested = expr_checked(fold->asked);
	if (tested)
		lower_flag(l, "unknown");
	struct kx *holds = lower_expr(l, fold->asked);
	holds = x_and(holds, tested ? lower_inside_all(l) : NULL);
	l->now = before;
	return x_and(holds, wrong);
}

struct kx *lower_ends(struct lowering *l, const struct fold *fold, int d, struct kx **lo,
                      struct kx **hi)
{
	const struct cut *cut = fold_cut(fold, d);
	*lo = lower_given_end(l, fold, d, false);
	*hi = lower_given_end(l, fold, d, true);
	return cut && !cut->trusted ? lower_if_asked(l, fold, cut_range(l, cut, lo, hi)) : NULL;
}

void lower_range(struct lowering *l, const struct fold *fold, int d, struct kx **lo, struct kx **hi)
{
	struct kx *wrong = lower_ends(l, fold, d, lo, hi);
	if (wrong)
		lower_record_if(l, wrong);
}

/* count[k in lo..hi](true): how many there are, without a look at each. */
static bool counts_all(const struct expr *e)
{
	return e->fold->op->kind == OPK_COUNT && e->fold->index.n == 1 && !e->fold->where
	       && expr_true(e->arg.at[0]);
}

static void lower_length(struct lowering *l, const struct expr *e, struct kvar *acc)
{
	struct kx *lo, *hi;
	lower_range(l, e->fold, 0, &lo, &hi);
	k_set(l->k, x_var(acc), x_add(x_var(acc), x_max(x_sub(hi, lo), x_i64(0))));
}

/* ---- loops over the terms of a fold ---- */

/* The ranges of a fold, if neither its indices nor data bound them. */
struct ranges { struct kx *first[MAX_RANK], *terms[MAX_RANK], *nth[MAX_RANK]; };  /* i64, i32 */

static struct kx *first_term(struct lowering *l, const struct fold *fold, int d)
{
	return lower_wrapping(l, expr_as(fold->lo.at[d], type_scalar(T_I64)));
}

struct kx *lower_terms(struct lowering *l, const struct fold *fold, int d)
{
	struct kx *lo = first_term(l, fold, d);
	struct kx *hi = lower_wrapping(l, expr_as(fold->hi.at[d], type_scalar(T_I64)));
	return x_cond(x_lt(lo, hi), x_wrapping(OP_SUB, hi, lo), x_i64(0));
}

/* The call gives them. */
static bool is_given(const struct fold *fold)
{
	return fold && !fold_constant(fold) && fold_fixed(fold);
}

static struct kx *host_terms(struct plan *plan, const struct fold *fold, int d)
{
	return plan_number(plan, str_print("%s_terms", fold->index.at[d]->name),
	                   lower_terms(host_lowering(plan), fold, d));
}

struct search { struct plan *plan; struct few_terms few; };

/* As many along each range as leave their product below 2^31. */
static bool add_few_terms(struct expr *e, void *state)
{
	struct search *s = state;
	struct kx *all = NULL;
	for (int d = 0; is_given(e->fold) && d < e->fold->index.n; d++) {
		int64_t most = (INT64_C(1) << 31 / e->fold->index.n) - 1;
		struct kx *terms = host_terms(s->plan, e->fold, d);
		s->few.are = x_and(s->few.are, x_and(x_le(x_i64(0), terms),
		                                     x_le(terms, x_i64(most))));
		all = all ? x_wrapping(OP_MUL, all, terms) : terms;
	}
	if (all)
		s->few.all = s->few.all ? x_wrapping(OP_ADD, s->few.all, all) : all;
	return true;
}

struct few_terms lower_few_terms(struct plan *plan, const struct node *node)
{
	struct search s = { .plan = plan };
	node_walk((struct node *)node, add_few_terms, &s);
	return s.few;
}

/* What the call gives is the host's: a GPU may round floats otherwise. */
static void find_ranges(struct lowering *l, const struct fold *fold, struct ranges *r)
{
	for (int d = 0; d < fold->index.n; d++) {
		const char *name = fold->index.at[d]->name;
		if (fold_constant(fold)) {
			r->first[d] = first_term(l, fold, d);
			r->terms[d] = x_to_i32(lower_terms(l, fold, d));
			continue;
		}
		const char *first = str_print("%s_first", name);
		struct kx *lo = first_term(host_lowering(l->plan), fold, d);
		r->first[d] = lower_number(l, first, plan_number(l->plan, first, lo));
		r->terms[d] = lower_number(l, str_print("%s_terms", name),
		                           x_to_i32(host_terms(l->plan, fold, d)));
	}
}

/* A loop of 32 bits takes fewer registers and instructions: an argmin of radius 5 of 4096^2 f32
 * takes 0.77 ms of an H200 instead of 1.01; eight terms at once 0.73, and a filter of 5 x 5 0.24
 * instead of 0.36. */
static void open_few(struct lowering *l, const struct expr *e, struct ranges *r, bool rolled)
{
	const struct fold *fold = e->fold;
	bool nested = expr_has_fold(e->arg.at[0]) || expr_has_fold(fold->where);
	for (int d = 0; d < fold->index.n; d++) {
		const char *name = fold->index.at[d]->name;
		bool inner = d == fold->index.n - 1 && !nested;
		struct kvar *nth = k_for(l->k, str_print("%s_nth", name), x_i32(0), r->terms[d],
		                         x_i32(1), rolled ? FOR_ROLLED : inner ? FOR_EIGHTS : 0);
		struct kx *at = x_add(r->first[d], x_to_i64(x_var(nth)));
		r->nth[d] = x_var(nth);
		lower_bind(l, fold->index.at[d], x_var(k_let(l->k, name, at)));
	}
}

static void open_loops(struct lowering *l, const struct fold *fold, int flags)
{
	for (int d = 0; d < fold->index.n; d++) {
		struct kx *lo, *hi;
		lower_range(l, fold, d, &lo, &hi);
		struct kvar *i = k_for(l->k, fold->index.at[d]->name, lo, hi, x_i64(1), flags);
		lower_bind(l, fold->index.at[d], x_var(i));
	}
}

static void close_loops(struct lowering *l, const struct fold *fold)
{
	for (int d = 0; d < fold->index.n; d++)
		k_end(l->k);
}

/* ---- argmin and argmax of terms in order ----
 *
 * The best starts as the worst value there is, with no place: then a term takes a comparison and
 * two selections.  If none is better than that, the first one that is a number is the best: the
 * terms are looked at once more. */

struct best_run lower_best_run(struct lowering *l, const struct op *op, struct kx *value)
{
	struct kvar *place = k_var(l->k, kt_scalar(T_I32), "place", x_i32(-1));
	return (struct best_run){ .op = op, .value = value, .place = place };
}

struct kx *lower_run_empty(const struct best_run *run)
{
	return x_lt(x_var(run->place), x_i32(0));
}

void lower_run_term(struct lowering *l, const struct best_run *run, struct kx *term,
                    struct kx *number, bool any)
{
	term = x_var(k_let(l->k, "term", term));
	struct kx *is_number = type_class(term->type.type) == 'F' ? x_eq(term, term) : NULL;
	k_if(l->k, any ? x_and(lower_run_empty(run), is_number)
	               : x_op(run->op->kind == OPK_ARGMIN ? OP_LT : OP_GT, term, run->value));
	k_set(l->k, run->value, term);
	k_set(l->k, x_var(run->place), number);
	k_end(l->k);
}

/* ---- argmin and argmax over a window of few terms ----
 *
 * A term has a number, in order, of 32 bits.  Constants tell that the terms are few; where the call
 * gives the ranges the host tests it (lower_few_terms). */

struct window_best {
	const struct fold *fold;
	struct ranges range;
	struct best_run run;
	bool any;                            /* the second look */
};

static bool has_few_terms(const struct fold *fold)
{
	int64_t terms = 1;
	for (int d = 0; d < fold->index.n; d++) {
		int64_t n = affine_cells(fold->lo.at[d], fold->hi.at[d]);
		if (n <= 0 || n > INT32_MAX / terms)
			return false;
		terms *= n;
	}
	return true;
}

static bool is_window(const struct lowering *l, const struct expr *e)
{
	const struct fold *fold = e->fold;
	if (!op_is_arg(fold->op) || expr_checked(e->arg.at[0])
	    || (fold->where && expr_checked(fold->where)))
		return false;
	return fold_constant(fold) ? has_few_terms(fold) : l->now.few_terms && is_given(fold);
}

static struct kx *number_of_term(struct lowering *l, const struct window_best *w)
{
	const struct ranges *r = &w->range;
	struct kx *number = NULL;
	for (int d = 0; d < w->fold->index.n; d++) {
		struct kx *at = r->nth[d];
		if (!at)
			at = x_to_i32(x_sub(lower_var(l, w->fold->index.at[d]), r->first[d]));
		number = number ? x_add(x_mul(number, r->terms[d]), at) : at;
	}
	return number;
}

static void window_term(struct lowering *l, struct kx *term, void *state)
{
	const struct window_best *w = state;
	lower_run_term(l, &w->run, term, number_of_term(l, w), w->any);
}

static void window_pass(struct lowering *l, const struct expr *e, struct window_best *w, bool any)
{
	w->any = any;
	if (any)
		k_if(l->k, lower_run_empty(&w->run));
	if (fold_constant(e->fold))
		open_loops(l, e->fold, any ? FOR_ROLLED : 0);
	else
		open_few(l, e, &w->range, any);
	lower_term(l, e, window_term, w);
	close_loops(l, e->fold);
	if (any)
		k_end(l->k);
}

static void window_into(struct lowering *l, const struct expr *e, struct kvar *acc)
{
	const struct record *best = acc->type.type->record;
	struct window_best w = { .fold = e->fold };
	find_ranges(l, e->fold, &w.range);
	w.run = lower_best_run(l, e->fold->op, x_field(x_var(acc), &best->field.at[0]));
	window_pass(l, e, &w, false);
	window_pass(l, e, &w, true);
	k_if(l->k, x_le(x_i32(0), x_var(w.run.place)));
	struct kx *rest = x_var(w.run.place);
	for (int d = e->fold->index.n - 1; d >= 0; d--) {
		struct kx *at = d ? x_rem(rest, w.range.terms[d]) : rest;
		k_set(l->k, x_field(x_var(acc), &best->field.at[1 + d]),
		      x_add(x_to_i64(at), w.range.first[d]));
		rest = x_div(rest, w.range.terms[d]);
	}
	k_end(l->k);
}

void lower_fold_into(struct lowering *l, const struct expr *e, struct kvar *acc)
{
	const struct fold *fold = e->fold;
	struct serial s = { fold, acc, NULL };
	if (counts_all(e)) {
		lower_length(l, e, acc);
		return;
	}
	if (is_window(l, e)) {
		window_into(l, e, acc);
		return;
	}
	if (op_is_arg(fold->op) || fold->terms_only || !op_identity(fold->op, acc->type.type))
		s.first = k_var(l->k, kt_scalar(T_BOOL), "first", x_int(T_BOOL, 1));
	if (l->now.few_terms && is_given(fold)) {
		struct ranges r = { .nth = { NULL } };
		find_ranges(l, fold, &r);
		open_few(l, e, &r, false);
	} else {
		open_loops(l, fold, 0);
	}
	lower_term(l, e, serial_add, &s);
	close_loops(l, fold);
}

/* ---- search ---- */

/* By halving: `first` is where the cells for which it holds may end at least, `last` at most.  What
 * is sought is computed once, before. */
struct kx *lower_search(struct lowering *l, const struct expr *e)
{
	const struct expr *compare = search_compare(e);
	bool upper = compare->op == OP_GT;
	struct kx *sought = x_var(k_let(l->k, "sought", lower_expr(l, compare->arg.at[1])));
	struct kvar *first = k_var(l->k, kt_scalar(T_I64), "first", x_i64(0));
	struct kvar *last = k_var(l->k, kt_scalar(T_I64), "last",
	                          lower_index(l, e->fold->hi.at[0]));
	k_while(l->k, x_lt(x_var(first), x_var(last)));
	struct kx *step = x_div(x_sub(x_var(last), x_var(first)), x_i64(2));
	struct kx *middle = x_var(k_let(l->k, "middle", x_add(x_var(first), step)));
	lower_bind(l, e->fold->index.at[0], middle);
	struct kx *cell = lower_expr(l, compare->arg.at[0]);
	struct kx *past = x_add(middle, x_i64(1));
	k_if(l->k, x_op(compare->op, cell, sought));
	k_set(l->k, x_var(upper ? last : first), upper ? middle : past);
	k_else(l->k);
	k_set(l->k, x_var(upper ? first : last), upper ? past : middle);
	k_end(l->k);
	k_end(l->k);
	return x_var(first);
}
