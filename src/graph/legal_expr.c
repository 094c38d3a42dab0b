/* legal_expr.c - integer expressions and conditions as isl has them: the language of the proofs.
 *
 * Beyond affine forms isl knows division and remainder by positive constants, so those are taken in
 * C's meaning (R5), and with them shifts and masks by constants, min, max, abs, clamp and ?: .
 * Every function comes with the range of its values: Note [values that fit].
 *
 * An expression that cannot be expressed is NULL; a condition that cannot becomes the universe,
 * i.e. it is not believed, and the question is marked approximate. */
#include "legal.h"

#include <assert.h>
#include <isl/val.h>

/* Note [limits]
 * isl counts allocations, not time: numbers that grow with every division nested into another, and
 * unions that double with every condition, are slow long before the quota is spent.  A question of
 * a real program has one or two of either; beyond these limits nothing is expressible. */
enum {
	MAX_STEPS = 4096,                    /* expressions */
	MAX_DIVISIONS = 8                    /* of which / % >> & */
};

/* ---- integer expressions ---- */

static const struct num none;

static bool is_integer(const struct type *type)
{
	return type_class(type) == 'I' || type_class(type) == 'U';
}

/* The function, if all its values fit the type: Note [values that fit]. */
struct num num_fit(isl_pw_aff *pa, __int128 lo, __int128 hi, const struct type *type)
{
	int64_t least, most;
	type_range(type, &least, &most);
	if (pa && lo >= least && hi <= most && isl_pw_aff_n_piece(pa) <= MAX_PIECES)
		return (struct num){ pa, (int64_t)lo, (int64_t)hi };
	isl_pw_aff_free(pa);
	return none;
}

static struct num num_constant(struct poly *p, const struct expr *e)
{
	int64_t v = e->value.i;
	if (e->type->kind == T_U64 && v < 0)
		return none;
	return (struct num){ poly_constant(p, v), v, v };
}

static struct num num_var(struct poly *p, const struct expr *e)
{
	if (e->var->kind == VAR_CONST)
		return e->var->value ? num_of(p, e->var->value) : none;
	int k = seen_var(p, e->var);
	if (k < 0)
		return none;
	return (struct num){ poly_var(p, e->var), p->seen.at[k].lo, p->seen.at[k].hi };
}

static void num_free(struct num a)
{
	isl_pw_aff_free(a.pa);
}

static struct num num_scale(struct poly *p, struct num a, int64_t by, const struct type *type)
{
	__int128 x = (__int128)a.lo * by, y = (__int128)a.hi * by;
	return num_fit(poly_scale(p, a.pa, by), x < y ? x : y, x < y ? y : x, type);
}

static struct num num_mul(struct poly *p, struct num a, struct num b, const struct type *type)
{
	if (a.lo == a.hi) {
		struct num swap = a;
		a = b;
		b = swap;
	}
	num_free(b);
	if (b.lo == b.hi)
		return num_scale(p, a, b.lo, type);
	num_free(a);
	return none;
}

static bool is_division(const struct expr *e)
{
	return e->kind == E_BINARY &&
	       (e->op == OP_DIV || e->op == OP_REM || e->op == OP_SHR || e->op == OP_AND);
}

static struct num num_floor(struct poly *p, struct num a, int64_t by, const struct type *type)
{
	isl_pw_aff *q = isl_pw_aff_scale_down_val(a.pa, isl_val_int_from_si(p->ctx, by));
	int64_t lo = a.lo / by - (a.lo % by < 0), hi = a.hi / by - (a.hi % by < 0);
	return num_fit(isl_pw_aff_floor(q), lo, hi, type);
}

static struct num num_mod(struct poly *p, struct num a, int64_t by, const struct type *type)
{
	isl_pw_aff *r = isl_pw_aff_mod_val(a.pa, isl_val_int_from_si(p->ctx, by));
	return num_fit(r, 0, a.lo >= 0 && a.hi < by ? a.hi : by - 1, type);
}

/* a / c and a % c with C's signs; c is a positive constant. */
static struct num num_div(struct poly *p, struct num a, struct num c, const struct type *type)
{
	if (a.lo >= 0) {
		num_free(c);
		return num_floor(p, a, c.lo, type);
	}
	return num_fit(isl_pw_aff_tdiv_q(a.pa, c.pa), a.lo / c.lo, a.hi / c.lo, type);
}

static struct num num_rem(struct poly *p, struct num a, struct num c, const struct type *type)
{
	if (a.lo >= 0) {
		num_free(c);
		return num_mod(p, a, c.lo, type);
	}
	int64_t lo = a.lo > 1 - c.lo ? a.lo : 1 - c.lo;
	int64_t hi = a.hi < 0 ? 0 : a.hi < c.lo ? a.hi : c.lo - 1;
	return num_fit(isl_pw_aff_tdiv_r(a.pa, c.pa), lo, hi, type);
}

/* a << c, a >> c, a & (2^k - 1) with constant right sides. */
static struct num num_bits(struct poly *p, enum operation op, struct num a, int64_t c,
                           const struct type *type)
{
	int64_t bits = type_size(type) * 8;
	if (op == OP_SHL && c >= 0 && c < bits - 1)
		return num_scale(p, a, (int64_t)1 << c, type);
	if (op == OP_SHR && c >= 0 && c < bits - 1)
		return num_floor(p, a, (int64_t)1 << c, type);
	if (op == OP_AND && c >= 0 && c < INT64_MAX && (c & (c + 1)) == 0)
		return num_mod(p, a, c + 1, type);
	num_free(a);
	return none;
}

static struct num num_arithmetic(struct poly *p, const struct expr *e, struct num a, struct num b)
{
	bool positive = b.lo == b.hi && b.lo > 0;
	if (e->op == OP_ADD)
		return num_fit(isl_pw_aff_add(a.pa, b.pa), (__int128)a.lo + b.lo,
		               (__int128)a.hi + b.hi, e->type);
	if (e->op == OP_SUB)
		return num_fit(isl_pw_aff_sub(a.pa, b.pa), (__int128)a.lo - b.hi,
		               (__int128)a.hi - b.lo, e->type);
	if (e->op == OP_MUL)
		return num_mul(p, a, b, e->type);
	if (e->op == OP_DIV && positive)
		return num_div(p, a, b, e->type);
	if (e->op == OP_REM && positive)
		return num_rem(p, a, b, e->type);
	num_free(b);
	if (b.lo == b.hi)
		return num_bits(p, e->op, a, b.lo, e->type);
	num_free(a);
	return none;
}

/* Both operands, or neither. */
static bool num_pair(struct poly *p, const struct expr *x, const struct expr *y,
                     struct num *a, struct num *b)
{
	*a = num_of(p, x);
	*b = a->pa ? num_of(p, y) : none;
	if (b->pa)
		return true;
	num_free(*a);
	return false;
}

static struct num num_unary(struct poly *p, const struct expr *e)
{
	struct num a = num_of(p, e->arg.at[0]);
	if (!a.pa || (e->op == OP_BITNOT && type_class(e->type) == 'U')) {
		num_free(a);
		return none;
	}
	int64_t one = e->op == OP_BITNOT;           /* ~a is -a - 1 */
	isl_pw_aff *pa = isl_pw_aff_sub(isl_pw_aff_neg(a.pa), poly_constant(p, one));
	return num_fit(pa, -(__int128)a.hi - one, -(__int128)a.lo - one, e->type);
}

static struct num num_least(struct num a, struct num b, const struct type *type)
{
	return num_fit(isl_pw_aff_min(a.pa, b.pa), a.lo < b.lo ? a.lo : b.lo,
	               a.hi < b.hi ? a.hi : b.hi, type);
}

static struct num num_most(struct num a, struct num b, const struct type *type)
{
	return num_fit(isl_pw_aff_max(a.pa, b.pa), a.lo > b.lo ? a.lo : b.lo,
	               a.hi > b.hi ? a.hi : b.hi, type);
}

static struct num num_extreme(struct poly *p, const struct expr *e)
{
	struct num a = num_of(p, e->arg.at[0]);
	for (int k = 1; a.pa && k < e->arg.n; k++) {
		struct num b = num_of(p, e->arg.at[k]);
		if (b.pa) {
			a = e->math == M_min ? num_least(a, b, e->type) : num_most(a, b, e->type);
			continue;
		}
		num_free(a);
		a = none;
	}
	return a;
}

static struct num num_abs(struct poly *p, const struct expr *e)
{
	struct num a = num_of(p, e->arg.at[0]);
	if (!a.pa)
		return none;
	isl_pw_aff *minus = isl_pw_aff_neg(isl_pw_aff_copy(a.pa));
	__int128 hi = -(__int128)a.lo > a.hi ? -(__int128)a.lo : a.hi;
	return num_fit(isl_pw_aff_max(a.pa, minus), 0, hi, e->type);
}

static struct num num_clamp(struct poly *p, const struct expr *e)
{
	struct num a, lo, hi = num_of(p, e->arg.at[2]);
	if (hi.pa && num_pair(p, e->arg.at[0], e->arg.at[1], &a, &lo)) {
		a = num_most(a, lo, e->type);
		if (a.pa)
			return num_least(a, hi, e->type);
	}
	num_free(hi);
	return none;
}

static struct num num_math(struct poly *p, const struct expr *e)
{
	if (e->math == M_min || e->math == M_max)
		return num_extreme(p, e);
	if (e->math == M_abs)
		return num_abs(p, e);
	return e->math == M_clamp ? num_clamp(p, e) : none;
}

/* a where yes holds, b where no does; the two are complements. */
static struct num num_either(isl_set *yes, struct num a, isl_set *no, struct num b,
                             const struct type *type)
{
	isl_pw_aff *x = isl_pw_aff_intersect_domain(a.pa, yes);
	isl_pw_aff *y = isl_pw_aff_intersect_domain(b.pa, no);
	return num_fit(isl_pw_aff_union_add(x, y), a.lo < b.lo ? a.lo : b.lo,
	               a.hi > b.hi ? a.hi : b.hi, type);
}

static struct num num_choice(struct poly *p, const struct expr *condition,
                             struct num a, struct num b, const struct type *type)
{
	bool before = p->approximate;
	p->approximate = false;
	isl_set *yes = poly_condition(p, condition, true);
	isl_set *no = poly_condition(p, condition, false);
	bool exact = !p->approximate;
	p->approximate = before;
	if (exact)
		return num_either(yes, a, no, b, type);
	isl_set_free(yes);
	isl_set_free(no);
	num_free(a);
	num_free(b);
	return none;
}

static struct num num_cond(struct poly *p, const struct expr *e)
{
	struct num a, b;
	if (!num_pair(p, e->arg.at[1], e->arg.at[2], &a, &b))
		return none;
	return num_choice(p, e->arg.at[0], a, b, e->type);
}

static struct num num_cast(struct poly *p, const struct expr *e)
{
	const struct expr *x = e->arg.at[0];
	if (x->type->kind == T_BOOL) {
		struct num one = { poly_constant(p, 1), 1, 1 },
			   zero = { poly_constant(p, 0), 0, 0 };
		return num_choice(p, x, one, zero, e->type);
	}
	struct num a = num_of(p, x);
	return a.pa ? num_fit(a.pa, a.lo, a.hi, e->type) : none;
}

struct num num_of(struct poly *p, const struct expr *e)
{
	struct num a, b;
	if (!is_integer(e->type) || ++p->steps > MAX_STEPS)
		return none;
	if (is_division(e) && ++p->divisions > MAX_DIVISIONS)
		return none;
	if (e->kind == E_CONST)
		return num_constant(p, e);
	if (e->kind == E_VAR)
		return num_var(p, e);
	if (e->kind == E_UNARY)
		return num_unary(p, e);
	if (e->kind == E_BINARY)
		return num_pair(p, e->arg.at[0], e->arg.at[1], &a, &b) ? num_arithmetic(p, e, a, b)
		                                                       : none;
	if (e->kind == E_COND)
		return num_cond(p, e);
	if (e->kind == E_CAST)
		return num_cast(p, e);
	return e->kind == E_MATH ? num_math(p, e) : none;
}

isl_pw_aff *poly_value(struct poly *p, const struct expr *e)
{
	p->steps = 0;                               /* whatever the conditions around it took */
	return num_of(p, e).pa;
}

/* ---- conditions ---- */

static isl_set *condition_unknown(struct poly *p)
{
	p->approximate = true;
	return poly_universe(p);
}

/* The set, or all if it has too many pieces: Note [limits]. */
static isl_set *condition_fit(struct poly *p, isl_set *set)
{
	if (!set || isl_set_n_basic_set(set) <= MAX_PIECES)
		return set;
	isl_set_free(set);
	return condition_unknown(p);
}

/* Both hold, or at least one does. */
static isl_set *condition_join(struct poly *p, bool both, isl_set *a, isl_set *b)
{
	if (!both)
		return condition_fit(p, isl_set_union(a, b));
	if (a && b && isl_set_n_basic_set(a) * isl_set_n_basic_set(b) <= MAX_PIECES * MAX_PIECES)
		return condition_fit(p, isl_set_intersect(a, b));
	isl_set_free(a);
	isl_set_free(b);
	return condition_unknown(p);
}

static isl_set *compare(enum operation op, isl_pw_aff *a, isl_pw_aff *b)
{
	if (op == OP_LT)
		return isl_pw_aff_lt_set(a, b);
	if (op == OP_LE)
		return isl_pw_aff_le_set(a, b);
	if (op == OP_GT)
		return isl_pw_aff_gt_set(a, b);
	if (op == OP_GE)
		return isl_pw_aff_ge_set(a, b);
	assert((op == OP_EQ || op == OP_NE) && "a comparison");
	return op == OP_EQ ? isl_pw_aff_eq_set(a, b) : isl_pw_aff_ne_set(a, b);
}

static enum operation negated(enum operation op)
{
	static const enum operation opposite[][2] = {
		{ OP_LT, OP_GE }, { OP_GE, OP_LT }, { OP_GT, OP_LE },
		{ OP_LE, OP_GT }, { OP_EQ, OP_NE }, { OP_NE, OP_EQ }
	};
	int k = 0;
	while (opposite[k][0] != op)
		k++;
	return opposite[k][1];
}

static isl_set *condition_compare(struct poly *p, const struct expr *e, bool holds)
{
	struct num a, b;
	if (!num_pair(p, e->arg.at[0], e->arg.at[1], &a, &b))
		return condition_unknown(p);
	return compare(holds ? e->op : negated(e->op), a.pa, b.pa);
}

static isl_set *condition_binary(struct poly *p, const struct expr *e, bool holds)
{
	bool is_and = e->op == OP_LAND || e->op == OP_AND;
	if (e->op >= OP_LT && e->op <= OP_NE)
		return condition_compare(p, e, holds);
	if (!is_and && e->op != OP_LOR && e->op != OP_OR)
		return condition_unknown(p);
	return condition_join(p, is_and == holds, poly_condition(p, e->arg.at[0], holds),
	                      poly_condition(p, e->arg.at[1], holds));
}

static isl_set *condition_cond(struct poly *p, const struct expr *e, bool holds)
{
	isl_set *yes = condition_join(p, true, poly_condition(p, e->arg.at[0], true),
	                              poly_condition(p, e->arg.at[1], holds));
	isl_set *no = condition_join(p, true, poly_condition(p, e->arg.at[0], false),
	                             poly_condition(p, e->arg.at[2], holds));
	return condition_join(p, false, yes, no);
}

isl_set *poly_condition(struct poly *p, const struct expr *e, bool holds)
{
	if (++p->steps > MAX_STEPS)
		return condition_unknown(p);
	if (e->kind == E_CONST)
		return (e->value.i != 0) == holds ? poly_universe(p) : poly_empty(p);
	if (e->kind == E_UNARY && e->op == OP_NOT)
		return poly_condition(p, e->arg.at[0], !holds);
	if (e->kind == E_BINARY)
		return condition_binary(p, e, holds);
	return e->kind == E_COND ? condition_cond(p, e, holds) : condition_unknown(p);
}
