/* stencil_carry.c - values that a march hands on instead of the cells that they are computed from.
 *
 * A term of a stencil's cell often reads one plane across the march only, and occurs again for
 * other planes: the sum of nine cells in each of the three planes of a box of 27.  The march
 * computes such a term when the rows of the farthest plane come in, and hands its value on from
 * step to step, as it hands on windows of cells (common subexpressions of neighbouring cells: Datta
 * et al., "Auto-tuning the 27-point stencil for multicore", 2009).  A box of 27 then takes 10
 * additions a cell instead of 26, and three rows of cells are in registers instead of nine.
 *
 * To the march a term is an array that nobody stores: the node that is computed reads its cells,
 * and a chain of windows has them (stencil_hold.c). */
#include "stencil_march.h"

enum { MOST_TERMS = 512 };               /* of an expression; each is compared with each */

/* It reads so many cells near its own, at one offset along the march, and is in so many planes. */
struct plane_term { struct expr *e; int64_t plane; int reads, planes; };
struct plane_terms { const struct node *node; int march; LIST(struct plane_term) list; };

/* ---- terms of one plane ---- */

enum { NO_PLANE = INT32_MIN, SEVERAL = INT32_MAX };      /* it reads no cell; what is no term */

static int64_t join_planes(int64_t a, int64_t b)
{
	return a == NO_PLANE ? b : b == NO_PLANE || a == b ? a : SEVERAL;
}

static bool is_number(const struct expr *e)
{
	char class = type_class(e->type);
	return class == 'I' || class == 'U' || class == 'F';
}

static int64_t plane_of_read(const struct plane_terms *t, const struct expr *read)
{
	int64_t offset[MAX_RANK];
	bool near = is_number(read) && stencil_near(t->node, read, offset);
	return near ? offset[t->march] : SEVERAL;
}

/* What is the same for all cells, or computed from what its arguments have alone. */
static bool is_plain(const struct expr *e)
{
	switch (e->kind) {
	case E_CONST: case E_UNARY: case E_BINARY: case E_COND: case E_CAST: case E_MATH:
		return true;
	case E_VAR:
		return e->var->kind != VAR_INDEX && !e->var->rank && !var_on_device(e->var);
	case E_CALL:
		return !e->fn->fails && !e->fn->uneven;
	default:
		return false;
	}
}

static int reads_of(const struct expr *e)
{
	int reads = e->kind == E_READ;
	for (int a = 0; e->kind != E_READ && a < e->arg.n; a++)
		reads += reads_of(e->arg.at[a]);
	return reads;
}

/* The plane of an expression.  Lists its terms of two cells and more, if every cell computes it. */
static int64_t find_terms(struct plane_terms *t, struct expr *e, bool always)
{
	if (e->kind == E_READ)
		return plane_of_read(t, e);
	int64_t plane = is_plain(e) ? NO_PLANE : SEVERAL;
	for (int a = 0; a < e->arg.n; a++) {
		bool too = always && !e->fold && (!expr_lazy(e) || a == 0);
		plane = join_planes(plane, find_terms(t, e->arg.at[a], too));
	}
	int reads = plane == SEVERAL || plane == NO_PLANE ? 0 : reads_of(e);
	if (always && is_number(e) && reads > 1)
		list_add(&t->list, ((struct plane_term){ e, plane, reads, 0 }));
	return plane;
}

/* ---- terms that occur for several planes ---- */

/* Do both read the same cells, b so many planes farther than a, and compute the same? */
static bool same_reads(const struct plane_terms *t, const struct expr *a, const struct expr *b,
                       int64_t farther)
{
	int64_t from[MAX_RANK], to[MAX_RANK];
	if (a->var != b->var || !stencil_near(t->node, a, from) || !stencil_near(t->node, b, to))
		return false;
	from[t->march] += farther;
	for (int d = 0; d < t->node->index.n; d++)
		if (from[d] != to[d])
			return false;
	return true;
}

static bool same_term(const struct plane_terms *t, const struct expr *a, const struct expr *b,
                      int64_t farther)
{
	if (a->kind == E_READ && b->kind == E_READ)
		return same_reads(t, a, b, farther);
	struct expr x = *a, y = *b;
	x.arg.n = y.arg.n = 0;
	bool same = expr_same(&x, &y) && a->arg.n == b->arg.n && a->approx == b->approx
	            && a->strict == b->strict;
	for (int k = 0; k < a->arg.n && same; k++)
		same = same_term(t, a->arg.at[k], b->arg.at[k], farther);
	return same;
}

static bool is_like(const struct plane_terms *t, const struct plane_term *a,
                    const struct plane_term *b)
{
	return a->reads == b->reads && same_term(t, a->e, b->e, b->plane - a->plane);
}

static void count_planes(struct plane_terms *t, struct plane_term *own)
{
	LIST(int64_t) plane = { NULL, 0, 0 };
	for (int i = 0; i < t->list.n; i++) {
		const struct plane_term *other = &t->list.at[i];
		bool new = is_like(t, own, other);
		for (int p = 0; p < plane.n && new; p++)
			new = plane.at[p] != other->plane;
		if (new)
			list_add(&plane, other->plane);
	}
	own->planes = plane.n;
}

/* NULL: it is no term. */
static const struct plane_term *term_of(const struct plane_terms *t, const struct expr *e)
{
	for (int i = 0; i < t->list.n; i++)
		if (t->list.at[i].e == e)
			return &t->list.at[i];
	return NULL;
}

static int most_planes(const struct plane_terms *t, const struct expr *e)
{
	const struct plane_term *term = term_of(t, e);
	int most = term ? term->planes : 0;
	for (int a = 0; a < e->arg.n && e->kind != E_READ; a++) {
		int planes = most_planes(t, e->arg.at[a]);
		most = planes > most ? planes : most;
	}
	return most;
}

/* ---- the node that reads them ---- */

struct carrier { const struct plane_terms *terms; struct carries *made; int64_t far; };

static const char *name_of(const struct expr *term)
{
	const struct expr *e = term;
	while (e->kind != E_READ && e->kind != E_CALL && e->arg.n)
		e = reads_of(e->arg.at[0]) ? e->arg.at[0] : e->arg.at[e->arg.n - 1];
	return e->kind == E_CALL ? e->fn->name : str_print("%s_term", e->var->name);
}

static bool any_read(struct expr *e, void *state)
{
	if (e->kind == E_READ)
		*(struct expr **)state = e;
	return e->kind != E_READ;
}

/* The same, so many planes farther along the march. */
static struct expr *moved(const struct plane_terms *t, struct expr *e, int64_t planes)
{
	struct var *index = t->node->index.at[t->march];
	struct expr *far = expr_binary(OP_ADD, expr_var(index, e->at),
	                               expr_int(index->type, planes, e->at));
	return planes ? expr_substitute(e, &index, &far, 1) : e;
}

static const struct var *array_of(struct carrier *c, const struct plane_term *term)
{
	const struct plane_terms *t = c->terms;
	for (int i = 0; i < c->made->term.n; i++)
		if (same_term(t, term->e, c->made->term.at[i].term, c->far - term->plane))
			return c->made->term.at[i].var;
	struct expr *read = NULL;
	expr_walk(term->e, any_read, &read);
	struct var *var = NEW(struct var);
	*var = *read->var;
	var->name = name_of(term->e);
	var->type = term->e->type;
	struct expr *far = moved(t, term->e, c->far - term->plane);
	list_add(&c->made->term, ((struct carried){ var, far }));
	return var;
}

/* The term's cell at the node's own index, in its plane. */
static struct expr *read_of(struct carrier *c, const struct plane_term *term)
{
	const struct node *node = c->terms->node;
	struct expr *sub[MAX_RANK];
	for (int d = 0; d < node->index.n; d++)
		sub[d] = expr_var(node->index.at[d], term->e->at);
	struct expr *own = expr_read((struct var *)array_of(c, term), sub, term->e->at);
	return moved(c->terms, own, term->plane);
}

/* Of terms within each other the one that occurs in the most planes, and of those the largest. */
static struct expr *carry(struct carrier *c, struct expr *e)
{
	const struct plane_term *term = term_of(c->terms, e);
	if (term && term->planes > 1 && term->planes == most_planes(c->terms, e))
		return read_of(c, term);
	struct expr *copy = expr_bare(e);
	bool same = true;
	for (int a = 0; a < e->arg.n; a++) {
		struct expr *arg = e->kind == E_READ ? e->arg.at[a] : carry(c, e->arg.at[a]);
		same &= arg == e->arg.at[a];
		list_add(&copy->arg, arg);
	}
	return same ? e : copy;
}

static struct node *reading(struct carrier *c, const struct node *node)
{
	struct node *made = NEW(struct node);
	*made = *node;
	made->equation.at = NULL;
	made->equation.n = made->equation.room = 0;
	for (int q = 0; q < node->equation.n; q++) {
		struct equation *copy = NEW(struct equation);
		*copy = *node->equation.at[q];
		copy->right = carry(c, copy->right);
		list_add(&made->equation, copy);
	}
	return made;
}

const struct carries *carries_of(const struct node *node, int march)
{
	struct plane_terms t = { .node = node, .march = march };
	struct carrier c = { .terms = &t, .made = NEW(struct carries), .far = NO_PLANE };
	if (march < 0 || node_keeps(node))
		return NULL;             /* an edge that keeps a cell looks at each of its reads */
	for (int q = 0; q < node->equation.n; q++)
		find_terms(&t, node->equation.at[q]->right, true);
	for (int i = 0; i < t.list.n && t.list.n <= MOST_TERMS; i++) {
		count_planes(&t, &t.list.at[i]);
		if (t.list.at[i].planes > 1 && t.list.at[i].plane > c.far)
			c.far = t.list.at[i].plane;
	}
	if (c.far == NO_PLANE)
		return NULL;
	c.made->far = c.far;
	c.made->node = reading(&c, node);
	return c.made;
}
