/* gather_inverse.c - the items y[s(i)] of a scatter, by cells: for a cell c, the indices i with
 * s(i) = c.
 *
 * The subscripts are affine, so they are solved one after another.  Of c = s(i, j, ...) one index
 * is expressed by c and the others: in y[i + j] i is c - j, and j stays free; all its values that
 * keep i in its range are items of the cell.  A factor that is not 1 divides: in y[2 * i + 1] i is
 * (c - 1) / 2, where that is whole; not beside free indices, since each of them would test it.
 *
 * Which index is solved for decides what a cell folds.  The rule: one whose factor is 1, that
 * bounds no other index, has the most values (so that the fold has the fewest terms), and steps
 * through memory as the cell does; of equals the first. */
#include "ask.h"
#include "gather_inverse.h"

/* a, the variable replaced by a form; false: a number is too large */
static bool put_form(struct affine *a, const struct var *v, const struct affine *form)
{
	int64_t factor = affine_coefficient(a, v);
	struct affine own = affine_var((struct var *)v);
	return !factor || (affine_add(a, &own, -factor) && affine_add(a, form, factor));
}

/* ---- which index ---- */

struct steps { const struct var *index; int reads; };

/* Reads whose last subscript moves with the index by one. */
static bool count_steps(struct expr *e, void *state)
{
	struct steps *s = state;
	if (e->kind == E_READ && e->affine[e->arg.n - 1].n > 0) {
		int64_t factor = affine_coefficient(&e->affine[e->arg.n - 1], s->index);
		s->reads += factor == 1 || factor == -1;
	}
	return true;
}

static int steps_of(const struct node *node, const struct var *index)
{
	struct steps s = { index, 0 };
	for (int q = 0; q < node->equation.n; q++)
		expr_walk(node->equation.at[q]->right, count_steps, &s);
	return s.reads;
}

static bool bounds_others(const struct node *node, const struct var *index)
{
	for (int k = 0; k < node->index.n; k++)
		if (bounds_use(node, k, index))
			return true;
	return false;
}

/* Values of the index: the most where not numbers say how many. */
static int64_t values_of(const struct node *node, int k)
{
	int64_t n = affine_cells(node->lo.at[k], node->hi.at[k]);
	return n < 0 ? INT64_MAX : n;
}

static bool better(const struct node *node, const struct affine *sub, int k, int than)
{
	if (than < 0)
		return true;
	struct var *a = node->index.at[k], *b = node->index.at[than];
	int64_t fa = affine_coefficient(sub, a), fb = affine_coefficient(sub, b);
	bool ua = fa == 1 || fa == -1, ub = fb == 1 || fb == -1;
	if (ua != ub)
		return ua;
	if (bounds_others(node, a) != bounds_others(node, b))
		return bounds_others(node, b);
	if (values_of(node, k) != values_of(node, than))
		return values_of(node, k) > values_of(node, than);
	return steps_of(node, a) > steps_of(node, b);
}

static int index_to_solve(const struct inverse *v, const struct affine *sub)
{
	int best = -1;
	for (int k = 0; k < v->node->index.n; k++)
		if (v->place[k] == IS_FREE && affine_coefficient(sub, v->node->index.at[k])
		    && better(v->node, sub, k, best))
			best = k;
	return best;
}

/* ---- solving ---- */

/* What is solved, in the subscript. */
static bool put_solved(const struct inverse *v, struct affine *sub)
{
	for (int k = 0; k < v->node->index.n; k++) {
		const struct var *index = v->node->index.at[k];
		if (v->place[k] != IS_SOLVED || !affine_coefficient(sub, index))
			continue;
		if (v->divisor[k] != 1 || !put_form(sub, index, &v->form[k]))
			return false;
	}
	return true;
}

/* index k, in what is solved before */
static bool put_back(struct inverse *v, int k)
{
	const struct var *index = v->node->index.at[k];
	for (int other = 0; other < v->node->index.n; other++) {
		if (other != k && v->place[other] == IS_SOLVED
		    && affine_coefficient(&v->form[other], index)
		    && (v->divisor[k] != 1
		        || !put_form(&v->form[other], index, &v->form[k])))
			return false;
	}
	return true;
}

/* Sums of so few sizes, each below 2^48 (legal.h), cannot overflow. */
static bool is_small(const struct affine *a)
{
	bool small = a->constant <= INT64_C(1) << 40 && a->constant >= -(INT64_C(1) << 40);
	for (int t = 0; t < a->n; t++)
		small &= a->term[t].coef <= 1 << 10 && a->term[t].coef >= -(1 << 10)
		         && a->term[t].var->kind != VAR_PARAM;
	return small;
}

bool inverse_small_end(const struct expr *e)
{
	struct affine a;
	if (affine_of(e, &a))
		return is_small(&a);
	if (e->kind != E_MATH || (e->math != M_min && e->math != M_max))
		return false;
	for (int k = 0; k < e->arg.n; k++)
		if (!inverse_small_end(e->arg.at[k]))
			return false;
	return true;
}

/* c == sub */
static bool solve_axis(struct inverse *v, struct var *c, struct affine sub)
{
	if (!put_solved(v, &sub) || !is_small(&sub))
		return false;
	int k = index_to_solve(v, &sub);
	struct affine cell = affine_var(c), form = affine_constant(0);
	if (k < 0)                           /* a cell that no index moves */
		return false;
	struct affine own = affine_var(v->node->index.at[k]);
	int64_t factor = affine_coefficient(&sub, v->node->index.at[k]), sign = factor < 0 ? -1 : 1;
	if (!affine_add(&sub, &own, -factor)
	    || !affine_add(&form, &cell, sign) || !affine_add(&form, &sub, -sign))
		return false;
	v->place[k] = IS_SOLVED;
	v->form[k] = form;
	v->divisor[k] = factor * sign;
	return put_back(v, k);
}

/* Ranges of free indices are those of a fold, and ranges of owners those of the cells. */
static bool known_after(const struct inverse *v, int k, int other)
{
	return v->place[other] == IS_SOLVED
	       || (v->place[k] == IS_OWNER && v->place[other] == IS_FREE);
}

static const char *ranges_depend(const struct inverse *v)
{
	const struct node *node = v->node;
	for (int k = 0; k < node->index.n; k++)
		for (int other = 0; other < node->index.n; other++)
			if (v->place[k] != IS_SOLVED && known_after(v, k, other)
			    && bounds_use(node, k, node->index.at[other]))
				return str_print("the range of `%s` depends on `%s`",
				                 node->index.at[k]->name,
				                 node->index.at[other]->name);
	return NULL;
}

/* What is computed with has ends that cannot overflow. */
static const char *ends_large(const struct inverse *v)
{
	const struct node *node = v->node;
	for (int k = 0; k < node->index.n; k++) {
		bool counts = v->place[k] == IS_SOLVED;
		for (int s = 0; s < node->index.n; s++)
			counts |= v->place[s] == IS_SOLVED
			          && affine_coefficient(&v->form[s], node->index.at[k]);
		if (counts && (!inverse_small_end(node->lo.at[k])
		               || !inverse_small_end(node->hi.at[k])))
			return str_print("the range of `%s` depends on more than sizes",
			                 node->index.at[k]->name);
	}
	return NULL;
}

/* A quotient is tested for each term. */
static const char *divides_often(const struct inverse *v)
{
	for (int k = 0; k < v->node->index.n; k++)
		if (v->place[k] == IS_SOLVED && v->divisor[k] != 1
		    && inverse_last_free(v, &v->form[k]) >= 0)
			return str_print("no index has the factor 1 where `%s` has %lld",
			                 v->node->index.at[k]->name, (long long)v->divisor[k]);
	return NULL;
}

const char *inverse_solve(struct inverse *v, const struct node *node, const struct expr *cell,
                          struct var *const *axis)
{
	int64_t unused;
	*v = (struct inverse){ .node = node };
	for (int a = 0; a < cell->arg.n; a++) {
		const struct var *owner = axis[a] ? NULL : affine_index(&cell->affine[a], &unused);
		for (int k = 0; owner && k < node->index.n; k++)
			if (node->index.at[k] == owner)
				v->place[k] = IS_OWNER;
	}
	for (int a = 0; a < cell->arg.n; a++)
		if (axis[a] && !solve_axis(v, axis[a], cell->affine[a]))
			return str_print("the subscripts of `%s` are not solved for the indices",
			                 cell->var->name);
	const char *why = ranges_depend(v);
	why = why ? why : ends_large(v);
	return why ? why : divides_often(v);
}

const char *inverse_free(const struct inverse *v)
{
	const char *names = "";
	for (int k = 0; k < v->node->index.n; k++)
		if (v->place[k] == IS_FREE)
			names = str_print("%s%s%s", names, *names ? ", " : "",
			                  v->node->index.at[k]->name);
	return names;
}

int inverse_last_free(const struct inverse *v, const struct affine *form)
{
	int last = -1;
	for (int k = 0; k < v->node->index.n; k++)
		if (v->place[k] == IS_FREE && affine_coefficient(form, v->node->index.at[k]))
			last = k;
	return last;
}

static struct expr *term(const struct term *t, int64_t factor, struct loc at)
{
	struct expr *v = expr_var(t->var, at);
	if (factor == 1)
		return v;
	return expr_binary(OP_MUL, expr_int(type_scalar(T_I64), factor, at), v);
}

/* n - i, not -i + n */
struct expr *form_expr(const struct affine *a, struct loc at)
{
	struct expr *sum = NULL;
	for (int t = 0; t < a->n; t++)
		if (a->term[t].coef > 0) {
			struct expr *e = term(&a->term[t], a->term[t].coef, at);
			sum = sum ? expr_binary(OP_ADD, sum, e) : e;
		}
	if (!sum || a->constant > 0) {
		struct expr *e = expr_int(type_scalar(T_I64), a->constant, at);
		sum = sum ? expr_binary(OP_ADD, sum, e) : e;
	} else if (a->constant < 0) {
		sum = expr_binary(OP_SUB, sum, expr_int(type_scalar(T_I64), -a->constant, at));
	}
	for (int t = 0; t < a->n; t++)
		if (a->term[t].coef < 0)
			sum = expr_binary(OP_SUB, sum, term(&a->term[t], -a->term[t].coef, at));
	return sum;
}

static struct expr *solved(const struct inverse *v, int k, struct loc at)
{
	struct expr *form = form_expr(&v->form[k], at);
	if (v->divisor[k] == 1)
		return form;
	return expr_binary(OP_DIV, form, expr_int(type_scalar(T_I64), v->divisor[k], at));
}

/* The indices of one kind, by what they are. */
static struct expr *put(const struct inverse *v, const struct expr *e, enum place place)
{
	struct var *from[MAX_RANK];
	struct expr *to[MAX_RANK];
	int n = 0;
	for (int k = 0; k < v->node->index.n; k++) {
		if (v->place[k] != place || (place == IS_FREE && !v->value[k]))
			continue;
		from[n] = v->node->index.at[k];
		to[n++] = v->value[k] ? v->value[k] : solved(v, k, e->at);
	}
	return expr_substitute(e, from, to, n);
}

struct expr *inverse_put(const struct inverse *v, const struct expr *e)
{
	return put(v, put(v, e, IS_SOLVED), IS_FREE);
}
