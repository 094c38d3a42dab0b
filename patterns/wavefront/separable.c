/* separable.c - which wavefronts are separable (Note [separable]), and the parts of their cells
 * that every target computes alike. */
#include "separable.h"

/* ---- the terms ---- */

static bool is_from(const struct node *node, const struct wave_term *t, int64_t rows,
                    int64_t columns)
{
	const struct wavefront *w = node->wave;
	int n = node->index.n;
	for (int d = 0; d < n; d++) {
		int k = w->order[d];
		int64_t step = w->back[k] ? t->from->step[k] : -t->from->step[k];
		if (step != (d == n - 1 ? columns : d == n - 2 ? rows : 0))
			return false;
	}
	return true;
}

static const char *find_terms(struct separable *s)
{
	for (int k = 0; k < s->form->term.n; k++) {
		const struct wave_term *t = &s->form->term.at[k];
		if (is_from(s->node, t, 0, 1))
			s->left = t;
		else if (is_from(s->node, t, 1, 0))
			s->up = t;
		else if (is_from(s->node, t, 1, 1))
			s->corner = t;
		else
			return "it reads more than its left, upper and upper left neighbours";
	}
	return s->left && s->up ? NULL
	                        : "its cells do not depend on others along both rows and columns: "
	                          "that is a scan";
}

static bool is_term(const struct wave_form *f, const struct neighbour *n)
{
	for (int k = 0; k < f->term.n; k++)
		if (f->term.at[k].from == n)
			return true;
	return false;
}

static bool reads_others(const struct separable *s)
{
	for (int k = 0; k < s->node->wave->read.n; k++)
		if (!is_term(s->form, s->node->wave->read.at[k]))
			return true;
	return false;
}

/* ---- weights ---- */

static double number(const struct expr *e)
{
	return !e ? 1 : type_class(e->type) == 'F' ? e->value.f : (double)e->value.i;
}

static bool is_number(const struct expr *e, double value)
{
	return e && e->kind == E_CONST && number(e) == value;
}

/* e is -of; *of what is left without the sign */
static bool is_negative(const struct expr *e, const struct expr **of)
{
	*of = e;
	if (e->kind == E_UNARY && e->op == OP_NEG)
		*of = e->arg.at[0];
	return *of != e;
}

static bool is_constant(const struct wave_term *t)
{
	return !t->weight || t->weight->kind == E_CONST;
}

static bool are(const struct expr *w, const struct expr *a, const struct expr *v,
                const struct expr *b)
{
	return expr_same(w, a) && expr_same(v, b);
}

/* w is a * b, in either order; NULL: 1 */
static bool is_product(const struct expr *w, const struct expr *a, const struct expr *b)
{
	if (!a || !b)
		return a || b ? expr_same(w, a ? a : b) : is_number(w, 1);
	if (w->kind != E_BINARY || w->op != OP_MUL)
		return false;
	const struct expr *first = w->arg.at[0], *second = w->arg.at[1];
	return are(first, a, second, b) || are(first, b, second, a);
}

/* Of integers, which wrap. */
static bool is_minus_modulo(const struct expr *w, const struct expr *a, const struct expr *b)
{
	uint64_t x = a ? (uint64_t)a->value.i : 1, y = b ? (uint64_t)b->value.i : 1;
	return ((uint64_t)w->value.i + x * y) << (64 - 8 * type_size(w->type)) == 0;
}

/* -(a * b), (-a) * b, a * (-b) */
static bool is_minus_product(const struct separable *s)
{
	const struct expr *w = s->corner->weight, *a = s->left->weight, *b = s->up->weight, *of,
			  *part;
	if (!w)
		return false;
	if (is_constant(s->corner) && is_constant(s->left) && is_constant(s->up))
		return type_class(w->type) == 'F' ? number(w) == -(number(a) * number(b))
		     : is_minus_modulo(w, a, b);
	if (is_negative(w, &of))
		return is_product(of, a, b);
	if (w->kind != E_BINARY || w->op != OP_MUL || !a || !b)
		return false;
	for (int k = 0; k < 2; k++) {
		const struct expr *other = w->arg.at[1 - k];
		bool minus = is_negative(w->arg.at[k], &part);
		if (minus && (are(part, a, other, b) || are(part, b, other, a)))
			return true;
	}
	return false;
}

/* x ◇ x = x */
static bool is_idempotent(const struct op *op)
{
	switch (op->kind) {
	case OPK_MIN: case OPK_MAX: case OPK_ALL: case OPK_ANY: case OPK_BITAND: case OPK_BITOR:
		return true;
	case OPK_SUM: case OPK_PROD: case OPK_COUNT: case OPK_ARGMIN: case OPK_ARGMAX:
	case OPK_BITXOR: case OPK_USER:
		return false;
	}
	return false;
}

static bool is_bare(const struct separable *s)
{
	return !s->left->weight && !s->up->weight && (!s->corner || !s->corner->weight);
}

/* What a step adds, of sums. */
static double added(const struct wave_term *t)
{
	return t->weight ? number(t->weight) : 0;
}

/* The corner adds nothing to two steps: of max and +, it weighs no more. */
static bool is_dominated(const struct separable *s)
{
	bool sums = s->form->dist && s->form->dist->kind == OPK_SUM;
	if (!s->corner || is_bare(s))
		return true;
	if (!sums || !is_constant(s->corner) || !is_constant(s->left) || !is_constant(s->up))
		return false;
	double one = added(s->corner), two = added(s->left) + added(s->up);
	return s->form->acc->kind == OPK_MAX ? one <= two : one >= two;
}

static const char *no_weights(const struct separable *s)
{
	const struct op *acc = s->form->acc;
	for (int k = 0; k < s->form->term.n; k++)
		if (!s->form->term.at[k].uniform)
			return "a weight differs from cell to cell";
	if (is_idempotent(acc))
		return is_dominated(s) ? NULL
		                       : "the upper left neighbour may give more than two steps do";
	if (acc->kind == OPK_BITXOR)
		return s->corner && is_bare(s)
		               ? NULL
		               : "nothing removes what is counted twice, by both paths";
	if (acc->kind == OPK_SUM)
		return s->corner && is_minus_product(s)
		               ? NULL
		               : "what is counted twice, by both paths, is not removed: the weight "
		                 "of the upper left neighbour is not -(left * above)";
	return "only +, ^, min, max, &, |, && and || can be";
}

/* Sums with the value that stands for no cell must not wrap. */
static bool may_wrap(const struct separable *s)
{
	bool extreme = s->form->acc->kind == OPK_MAX || s->form->acc->kind == OPK_MIN;
	const struct expr *stored = wave_table(s->node, 0);
	bool sums = s->form->dist && s->form->dist->kind == OPK_SUM;
	return extreme && sums && type_class(s->form->type) != 'F' && type_size(stored->type) == 8;
}

/* ---- may it be ---- */

static const char *no_domain(const struct node *node)
{
	struct cells c = { .node = node, .rank = node->index.n };
	if (node->index.n < 2)
		return "it runs along one index: that is a scan";
	if (node->equation.n > 1)
		return "it has several tables";
	if (node->where)
		return "a mask excludes cells";
	if (!cells_even(&c))
		return "an index bounds another";
	for (int d = 0; d < node->index.n - 2; d++)
		if (axis_waits(node, d))
			return "its cells depend on others along a third axis";
	return node_checked(node) ? "it reads at data-dependent indices" : NULL;
}

static const char *no_form(struct separable *s)
{
	const struct wave_algebra *a = &s->node->wave->algebra.at[0];
	s->form = a->all;
	if (!a->all)
		return a->no_all;
	if (reads_others(s))
		return "it reads old values of cells";
	if (!s->form->acc || type_class(s->form->type) == 'S')
		return "its cells are structs";
	if (s->form->rest && expr_has(s->form->rest, E_FOLD))
		return "a fold is computed in each cell";
	const char *why = find_terms(s);
	return why ? why : may_wrap(s) ? "sums of 64-bit integers may wrap" : no_weights(s);
}

const char *no_separable(const struct node *node, struct separable *s)
{
	*s = (struct separable){ .node = node };
	const char *why = no_domain(node);
	return why ? why : no_form(s);
}

const char *separable_law(const struct node *node)
{
	const char *law = node->wave->algebra.at[0].law;
	struct separable s;
	no_separable(node, &s);
	const char *why = is_idempotent(s.form->acc) ? "what comes by both paths counts once"
	                                             : "the upper left neighbour removes what is "
	                                               "counted twice, by both paths";
	return law ? str_print("%s, and %s", law, why) : why;
}

/* ---- parts of a cell ---- */

struct kx *separable_weight(struct lowering *l, const struct wave_term *t, const char *name)
{
	return t->weight ? x_var(k_let(l->k, name, lower_expr(l, t->weight))) : NULL;
}

struct kx *separable_join(struct lowering *l, const struct separable *s, struct kx *a, struct kx *b)
{
	return lower_apply(l, s->form->acc, s->form->type, a, b, false);
}

struct kx *separable_scale(struct lowering *l, const struct separable *s, struct kx *x,
                           struct kx *weight)
{
	return weight ? lower_apply(l, s->form->dist, s->form->type, x, weight, false) : x;
}

struct kx *separable_power(struct lowering *l, const struct separable *s, const char *name,
                           struct kx *weight, int64_t times)
{
	struct kx *power = NULL;
	for (struct kx *square = weight; weight && times; times >>= 1) {
		if (times & 1)
			power = power ? x_var(
					k_let(l->k, name, separable_scale(l, s, power, square)))
			              : square;
		if (times > 1)
			square = x_var(k_let(l->k, name, separable_scale(l, s, square, square)));
	}
	return power;
}

/* Half of what the type has: a few weights more, and it does not wrap. */
struct kx *separable_zero(struct lowering *l, const struct separable *s)
{
	const struct op *acc = s->form->acc, *dist = s->form->dist;
	bool extreme = acc->kind == OPK_MAX || acc->kind == OPK_MIN;
	if (extreme && dist && dist->kind == OPK_SUM && type_class(s->form->type) != 'F')
		return x_i64(acc->kind == OPK_MAX ? INT64_MIN / 2 : INT64_MAX / 2);
	return lower_identity(l, acc, s->form->type);
}

struct kx *separable_rest(struct lowering *l, const struct separable *s)
{
	return s->form->rest ? lower_expr(l, s->form->rest) : separable_zero(l, s);
}

/* Nothing comes from outside there: 0 of a sum, times what it may be. */
static bool is_nothing(const struct separable *s, const struct wave_term *t)
{
	bool is_zero = t->from->outside && is_number(t->from->outside, 0);
	return s->form->acc->kind == OPK_SUM && is_zero && s->node->whole;
}

static bool comes_into(const struct separable *s, const struct wave_term *t, bool row)
{
	return t && !is_nothing(s, t) && t != (row ? s->left : s->up);
}

bool separable_has_border(const struct separable *s, bool row)
{
	return comes_into(s, s->left, row) || comes_into(s, s->up, row)
	       || comes_into(s, s->corner, row);
}

static void border_term(struct lowering *l, const struct separable *s, const struct wave_term *t,
                        struct kx *outside, struct kx *value)
{
	if (!t || is_nothing(s, t) || x_is_int(outside, 0))
		return;
	k_if(l->k, outside);
	/* of a table that is not stored no cell beside the domain is looked at */
	bool stored = !wave_table(s->node, 0)->var->on_chip;
	struct kx *inside = stored ? wave_memory(l, s->node, t->from)
	                           : lower_zero(t->from->value->type);
	struct kx *from = wave_neighbour(l, s->node, t->from, inside);
	struct var *v = NEW(struct var);
	*v = (struct var){ .kind = VAR_LOCAL, .name = "from", .type = t->from->value->type };
	lower_bind(l, v, from);
	struct expr *cast = expr_new(E_CAST, s->form->type, t->from->read->at);
	list_add(&cast->arg, expr_var(v, t->from->read->at));
	if (cast->arg.at[0]->type != cast->type)
		from = x_var(k_let(l->k, "from", lower_expr(l, cast)));
	struct kx *weight = t->weight ? lower_expr(l, t->weight) : NULL;
	k_set(l->k, value, separable_join(l, s, value, separable_scale(l, s, from, weight)));
	k_end(l->k);
}

void separable_border(struct lowering *l, const struct separable *s, struct kx *first_row,
                      struct kx *first_column, struct kx *value)
{
	border_term(l, s, s->left, first_column, value);
	border_term(l, s, s->up, first_row, value);
	border_term(l, s, s->corner, x_or(first_row, first_column), value);
}

struct kx *separable_stored(struct lowering *l, const struct separable *s, struct kx *value)
{
	const struct expr *table = wave_table(s->node, 0);
	struct var *v = NEW(struct var);
	*v = (struct var){ .kind = VAR_LOCAL, .name = "value", .type = s->form->type };
	lower_bind(l, v, value);
	struct expr *cast = expr_new(E_CAST, table->type, table->at);
	list_add(&cast->arg, expr_var(v, table->at));
	return table->type == s->form->type ? value : lower_expr(l, cast);
}
