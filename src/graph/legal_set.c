/* legal_set.c - questions to isl: variables, scopes as sets, counterexamples.
 *
 * Every variable (size, index, counter, unknown scalar) is a parameter of zero-dimensional sets, so
 * a condition is a set, an integer expression a piecewise quasi-affine function (legal_expr.c), and
 * "this can happen" is "this set is not empty".
 *
 * isl runs under a quota.  Errors make its functions return NULL and pass NULL on; nobody looks at
 * the pieces, the one who asks looks at the answer and at poly_over. */
#include "config.h"
#include "legal.h"

#include <assert.h>
#include <isl/id.h>
#include <isl/local_space.h>
#include <isl/map.h>
#include <isl/options.h>
#include <isl/point.h>
#include <isl/space.h>
#include <isl/val.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#ifdef HAVE___GMP_SET_MEMORY_FUNCTIONS
#include <gmp.h>
#endif

unsigned long legal_quota = 2000000;

static isl_ctx *context;                 /* one for the run of the compiler, made when needed */
static int exhausted;                    /* each exhausted quota halves the next: bad input ends */

#ifdef HAVE___GMP_SET_MEMORY_FUNCTIONS
/* GMP itself would abort. */
static void *number_new(size_t bytes)
{
	void *p = malloc(bytes);
	if (!p)
		fail_io("out of memory");
	return p;
}

static void *number_widen(void *old, size_t old_bytes, size_t bytes)
{
	void *p = realloc(old, bytes);
	(void)old_bytes;
	if (!p)
		fail_io("out of memory");
	return p;
}

static void number_free(void *p, size_t bytes)
{
	(void)bytes;
	free(p);
}
#endif

static void no_memory(int number)
{
	(void)number;
	fail_io("out of memory");
}

/* isl_ctx_alloc reports a lack of memory to the context that it could not make: it crashes there.
 * */
static isl_ctx *context_new(void)
{
	struct sigaction before, crash = { .sa_handler = no_memory };
#ifdef HAVE___GMP_SET_MEMORY_FUNCTIONS
	mp_set_memory_functions(number_new, number_widen, number_free);
#endif
	sigaction(SIGSEGV, &crash, &before);
	isl_ctx *new = isl_ctx_alloc();
	sigaction(SIGSEGV, &before, NULL);
	if (!new)
		fail_io("out of memory");
	isl_options_set_on_error(new, ISL_ON_ERROR_CONTINUE);
	return new;
}

struct poly *poly_new(const struct node *node)
{
	struct poly *p = NEW(struct poly);
	if (!context)
		context = context_new();
	isl_ctx_reset_error(context);
	isl_ctx_reset_operations(context);
	p->quota = exhausted < 16 ? legal_quota >> exhausted : 1;
	isl_ctx_set_max_operations(context, p->quota + 1);     /* 0 would mean no limit */
	p->ctx = context;
	p->node = node;
	return p;
}

bool poly_over(struct poly *p)
{
	enum isl_error error = isl_ctx_last_error(p->ctx);
	bool over = error != isl_error_none;
	if (error == isl_error_alloc)
		fail_io("out of memory");
	exhausted += over;
	isl_ctx_reset_error(p->ctx);
	isl_ctx_set_max_operations(p->ctx, 0);      /* what is left to do is to free */
	return over;
}

/* ---- variables ---- */

/* The values of a type, as far as i64 can hold them. */
void type_range(const struct type *type, int64_t *lo, int64_t *hi)
{
	int bits = (int)type_size(type) * 8;
	bool is_signed = type_class(type) == 'I';
	*hi = bits == 64 ? INT64_MAX : ((int64_t)1 << (bits - is_signed)) - 1;
	*lo = is_signed ? -*hi - 1 : 0;
}

bool var_unknown(const struct var *v)
{
	if (v->kind == VAR_COUNTER)
		return !v->value;
	return v->rank == 0 && (v->kind == VAR_PARAM || v->kind == VAR_LET);
}

/* A device scalar that the statement itself sets has two values while it runs. */
static bool is_written(const struct node *node, const struct var *v)
{
	for (int q = 0; node && q < node->equation.n; q++)
		for (int t = 0; t < node->equation.at[q]->target.n; t++)
			if (target_read(node->equation.at[q]->target.at[t])->var == v)
				return true;
	return false;
}

static int seen_find(const struct poly *p, const struct var *v)
{
	for (int k = 0; k < p->seen.n; k++)
		if (p->seen.at[k].var == v && !p->seen.at[k].other)
			return k;
	return -1;
}

static int seen_add(struct poly *p, const struct var *v, int64_t lo, int64_t hi)
{
	struct seen s = { .var = v, .lo = lo, .hi = hi };
	list_add(&p->seen, s);
	return p->seen.n - 1;
}

/* The variable's place among the seen; -1: nothing may be said of it. */
int seen_var(struct poly *p, const struct var *v)
{
	int k = seen_find(p, v);
	int64_t lo, hi;
	if (k >= 0)
		return k;
	if (v->kind == VAR_SIZE || v->kind == VAR_COUNTER)
		return seen_add(p, v, 0, SIZE_LIMIT);
	if (!var_unknown(v) || !strchr("IU", type_class(v->type)) || v->type->kind == T_U64 ||
	    is_written(p->node, v))
		return -1;
	type_range(v->type, &lo, &hi);
	return seen_add(p, v, lo, hi);
}

isl_id *poly_id(struct poly *p, const struct var *v, bool other)
{
	return isl_id_alloc(p->ctx, other ? str_print("%s'", v->name) : v->name, (void *)v);
}

/* ---- functions and sets ---- */

static isl_space *space(struct poly *p)
{
	return isl_space_set_alloc(p->ctx, 0, 0);
}

isl_set *poly_universe(struct poly *p)
{
	return isl_set_universe(space(p));
}

isl_set *poly_empty(struct poly *p)
{
	return isl_set_empty(space(p));
}

isl_pw_aff *poly_constant(struct poly *p, int64_t value)
{
	isl_local_space *ls = isl_local_space_from_space(space(p));
	isl_val *v = isl_val_int_from_si(p->ctx, value);
	return isl_pw_aff_from_aff(isl_aff_val_on_domain(ls, v));
}

isl_pw_aff *poly_var(struct poly *p, const struct var *v)
{
	return isl_pw_aff_param_on_domain_id(poly_universe(p), poly_id(p, v, false));
}

isl_pw_aff *poly_scale(struct poly *p, isl_pw_aff *a, int64_t by)
{
	return isl_pw_aff_scale_val(a, isl_val_int_from_si(p->ctx, by));
}

isl_pw_aff *poly_affine(struct poly *p, const struct affine *a)
{
	isl_pw_aff *sum = poly_constant(p, a->constant);
	for (int k = 0; k < a->n; k++) {
		seen_var(p, a->term[k].var);
		sum = isl_pw_aff_add(sum,
		                     poly_scale(p, poly_var(p, a->term[k].var), a->term[k].coef));
	}
	return sum;
}

isl_set *poly_inside(isl_pw_aff *a, isl_pw_aff *lo, isl_pw_aff *hi)
{
	isl_set *above = isl_pw_aff_ge_set(isl_pw_aff_copy(a), lo);
	return isl_set_intersect(above, isl_pw_aff_lt_set(a, hi));
}

/* ---- scopes and facts ---- */

static struct num bound_at(struct poly *p, const struct expr *e, int64_t shift)
{
	struct num a = { 0 };
	if (e)
		a = num_of(p, e);
	if (!a.pa)
		return a;
	return num_fit(isl_pw_aff_add(a.pa, poly_constant(p, shift)), (__int128)a.lo + shift,
	               (__int128)a.hi + shift, e->type);
}

static isl_set *index_between(struct poly *p, const struct scope *s)
{
	struct num lo = bound_at(p, s->lo, s->shift), hi = bound_at(p, s->hi, s->shift);
	isl_set *set = poly_universe(p);
	int k = seen_find(p, s->index);
	if (k < 0)
		k = seen_add(p, s->index, 0, 0);
	p->seen.at[k].lo = lo.pa ? lo.lo : INT64_MIN;
	p->seen.at[k].hi = hi.pa && hi.hi > INT64_MIN ? hi.hi - 1 : INT64_MAX;
	p->loose |= s->part || !lo.pa || !hi.pa;
	if (lo.pa)
		set = isl_set_intersect(set, isl_pw_aff_ge_set(poly_var(p, s->index), lo.pa));
	if (hi.pa)
		set = isl_set_intersect(set, isl_pw_aff_lt_set(poly_var(p, s->index), hi.pa));
	return set;
}

static isl_set *cell_inside(struct poly *p, const struct scope *s)
{
	isl_pw_aff *at = isl_pw_aff_add(poly_var(p, s->index), poly_constant(p, s->offset));
	isl_set *in = poly_inside(at, poly_constant(p, 0),
	                          poly_affine(p, &s->inside->extent[s->axis]));
	return s->holds ? in : isl_set_complement(in);
}

/* A condition that would make too many pieces is not believed. */
static isl_set *scope_guarded(struct poly *p, isl_set *outer, isl_set *guard)
{
	isl_set *both = isl_set_intersect(isl_set_copy(outer), guard);
	if (!both || isl_set_n_basic_set(both) <= MAX_PIECES) {
		isl_set_free(outer);
		return both;
	}
	isl_set_free(both);
	p->approximate = true;
	return outer;
}

isl_set *poly_scope(struct poly *p, const struct scope *s)
{
	if (!s)
		return poly_universe(p);
	isl_set *outer = poly_scope(p, s->up);
	if (s->guard)
		return scope_guarded(p, outer, poly_condition(p, s->guard, s->holds));
	if (s->inside)
		return isl_set_intersect(outer, cell_inside(p, s));
	int k = seen_find(p, s->index);             /* bound again: the outer one is hidden */
	isl_set *inner = index_between(p, s);
	return isl_set_intersect(k < 0 ? outer : poly_drop(p, outer, &p->seen.at[k]), inner);
}

/* lo <= v <= hi, without the limits that say nothing */
static isl_set *fact_range(struct poly *p, const struct var *v, int64_t lo, int64_t hi)
{
	isl_set *set = poly_universe(p);
	if (lo > INT64_MIN)
		set = isl_set_intersect(set,
		                        isl_pw_aff_ge_set(poly_var(p, v), poly_constant(p, lo)));
	if (hi < SIZE_LIMIT)
		set = isl_set_intersect(set,
		                        isl_pw_aff_le_set(poly_var(p, v), poly_constant(p, hi)));
	return set;
}

static isl_set *fact(struct poly *p, struct seen s)
{
	if (s.other
	    || (s.var->kind != VAR_SIZE && s.var->kind != VAR_COUNTER && !var_unknown(s.var)))
		return poly_universe(p);    /* an index: its scope says it all */
	isl_set *set = fact_range(p, s.var, s.lo, s.hi);
	if (s.var->kind != VAR_COUNTER || !s.var->value)
		return set;
	isl_pw_aff *limit = poly_value(p, s.var->value);
	p->loose |= !limit;
	return limit ? isl_set_intersect(set, isl_pw_aff_lt_set(poly_var(p, s.var), limit)) : set;
}

isl_set *poly_facts(struct poly *p)
{
	isl_set *set = poly_universe(p);
	for (int k = 0; k < p->seen.n; k++)         /* a limit may show further variables */
		set = isl_set_intersect(set, fact(p, p->seen.at[k]));
	return set;
}

/* The place of a variable among the parameters of a space, or -1; takes the space. */
static int place_of(struct poly *p, isl_space *sp, const struct var *v, bool other)
{
	isl_id *id = poly_id(p, v, other);
	int at = isl_space_find_dim_by_id(sp, isl_dim_param, id);
	isl_id_free(id);
	isl_space_free(sp);
	return at;
}

isl_set *poly_drop(struct poly *p, isl_set *set, const struct seen *s)
{
	int at = place_of(p, isl_set_get_space(set), s->var, s->other);
	return at < 0 ? set : isl_set_project_out(set, isl_dim_param, (unsigned)at, 1);
}

isl_set *poly_other(struct poly *p, isl_set *set, const struct var *v)
{
	int at = place_of(p, isl_set_get_space(set), v, false);
	return at < 0 ? set
	              : isl_set_set_dim_id(set, isl_dim_param, (unsigned)at, poly_id(p, v, true));
}

isl_pw_aff *poly_other_value(struct poly *p, isl_pw_aff *a, const struct var *v)
{
	int at = place_of(p, isl_pw_aff_get_domain_space(a), v, false);
	return at < 0 ? a
	              : isl_pw_aff_set_dim_id(a, isl_dim_param, (unsigned)at, poly_id(p, v, true));
}

/* ---- witnesses ---- */

/* Sizes first, so that the smallest are found; unknown values last. */
static int rank_of(const struct seen *s)
{
	if (s->var->kind == VAR_SIZE)
		return 0;
	return var_unknown(s->var) ? 4 : s->var->kind == VAR_COUNTER ? 1 : s->other ? 3 : 2;
}

/* order[] lists the seen by rank, then as they came. */
static void seen_order(const struct poly *p, int *order)
{
	int n = 0;
	for (int rank = 0; rank <= 4; rank++)
		for (int k = 0; k < p->seen.n; k++)
			if (rank_of(&p->seen.at[k]) == rank)
				order[n++] = k;
}

/* The set with its parameters, in that order, as dimensions. */
static isl_set *set_of_points(struct poly *p, isl_set *set, const int *order)
{
	unsigned n = (unsigned)p->seen.n;
	isl_space *model = isl_space_set_alloc(p->ctx, n, 0);
	for (unsigned k = 0; k < n; k++) {
		const struct seen *s = &p->seen.at[order[k]];
		model = isl_space_set_dim_id(model, isl_dim_param, k, poly_id(p, s->var, s->other));
	}
	set = isl_set_align_params(set, model);
	return isl_set_move_dims(set, isl_dim_set, 0, isl_dim_param, 0, n);
}

/* Is there a point with 0 <= sign * x <= most? */
static bool some_within(struct poly *p, isl_set *set, unsigned dim, int sign, int64_t most)
{
	isl_val *end = isl_val_int_from_si(p->ctx, sign * most);
	isl_set *part = isl_set_copy(set);
	if (sign > 0)
		part = isl_set_upper_bound_val(isl_set_lower_bound_si(part, isl_dim_set, dim, 0),
		                               isl_dim_set, dim, end);
	else
		part = isl_set_lower_bound_val(isl_set_upper_bound_si(part, isl_dim_set, dim, 0),
		                               isl_dim_set, dim, end);
	bool some = isl_set_is_empty(part) == isl_bool_false;
	isl_set_free(part);
	return some;
}

/* The value of the dimension nearest to 0, not negative if possible.  A search by emptiness: isl's
 * lexmin would say it at once, but its time is not bounded by the quota. */
static bool nearest(struct poly *p, isl_set *set, unsigned dim, int64_t *value)
{
	int sign = some_within(p, set, dim, 1, INT64_MAX) ? 1 : -1;
	int64_t below = -1, most = 0;               /* nothing up to below, something up to most */
	while (!some_within(p, set, dim, sign, most)) {
		if (most == INT64_MAX)
			return false;
		below = most;
		most = most == 0 ? 1 : most > INT64_MAX / 2 ? INT64_MAX : 2 * most;
	}
	while (most - below > 1) {
		int64_t middle = below + (most - below) / 2;
		if (some_within(p, set, dim, sign, middle))
			most = middle;
		else
			below = middle;
	}
	*value = sign * most;
	return true;
}

static int64_t val_take(isl_val *v)
{
	int64_t value = isl_val_is_int(v) == isl_bool_true ? isl_val_get_num_si(v) : 0;
	isl_val_free(v);
	return value;
}

/* The set of that one point, to evaluate functions on. */
static isl_set *point_set(struct poly *p, const int64_t *value)
{
	isl_set *set = poly_universe(p);
	for (int k = 0; k < p->seen.n; k++) {
		isl_id *id = poly_id(p, p->seen.at[k].var, p->seen.at[k].other);
		isl_pw_aff *v = isl_pw_aff_param_on_domain_id(poly_universe(p), id);
		set = isl_set_intersect(set, isl_pw_aff_eq_set(v, poly_constant(p, value[k])));
	}
	return set;
}

bool poly_witness(struct poly *p, isl_set *set, struct witness *w)
{
	int *order = mem_new(sizeof(int) * (size_t)(p->seen.n + 1));
	bool found = true;
	w->poly = p;
	w->value = mem_new(sizeof(int64_t) * (size_t)(p->seen.n + 1));
	seen_order(p, order);
	set = set_of_points(p, set, order);
	for (int k = 0; found && k < p->seen.n; k++) {
		int64_t *value = &w->value[order[k]];
		found = nearest(p, set, (unsigned)k, value);
		set = isl_set_fix_val(set, isl_dim_set, (unsigned)k,
		                      isl_val_int_from_si(p->ctx, *value));
	}
	isl_set_free(set);
	w->point = found ? point_set(p, w->value) : NULL;
	p->divisions = 0;                           /* the same functions again, to evaluate them */
	return found;
}

int64_t witness_value(const struct witness *w, isl_pw_aff *a)
{
	isl_map *graph = isl_map_intersect_domain(isl_map_from_pw_aff(a), isl_set_copy(w->point));
	isl_point *at = isl_set_sample_point(isl_map_range(graph));
	int64_t value = val_take(isl_point_get_coordinate_val(at, isl_dim_set, 0));
	isl_point_free(at);
	return value;
}
