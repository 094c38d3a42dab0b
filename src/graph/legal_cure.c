/* legal_cure.c - suggests corrections for an access that is out of bounds: a range or a boundary
 * that keeps the statement inside, a guard, one size for two, or another name for the index. */
#include "legal.h"
#include "running.h"

#include <inttypes.h>
#include <string.h>

/* All cells of the unknown: there is no `for`. */
static bool solves(const struct node *node)
{
	return node->pattern && node->pattern->solves;
}

/* For all that it reads. */
static bool takes_boundary(const struct node *node)
{
	const struct clause *c = node->pattern && !solves(node) ? node->pattern->clauses : NULL;
	for (; c && c->name; c++)
		if (strcmp(c->name, "boundary") == 0)
			return true;
	return false;
}

struct halo {                            /* of all reads along one index */
	const struct node *node;
	int index;
	int64_t least, most;                 /* offsets */
	struct affine extent;                /* .n = -1: none yet */
	bool one;                            /* it is the same for all */
};

static bool widen(struct expr *e, void *data)
{
	struct halo *h = data;
	int64_t offset;
	int k;
	for (int axis = 0; e->kind == E_READ && axis < e->arg.n; axis++) {
		if (!access_offset(h->node, e, axis, &k, &offset) || k != h->index)
			continue;
		h->one &= h->extent.n < 0 || affine_equal(&h->extent, &e->var->extent[axis]);
		h->extent = e->var->extent[axis];
		h->least = offset < h->least ? offset : h->least;
		h->most = offset > h->most ? offset : h->most;
	}
	return true;
}

/* "i in 1..n-1": where every offset read along index k is inside; "" if there is no such range */
static char *range_inside(const struct node *node, int k)
{
	struct halo h = { .node = node, .index = k, .extent = { .n = -1 }, .one = true };
	struct affine one = affine_constant(1);
	for (int q = 0; q < node->equation.n; q++)
		expr_walk(node->equation.at[q]->right, widen, &h);
	if (!h.one || h.extent.n < 0 || (h.least == 0 && h.most == 0) || h.least == INT64_MIN ||
	    !affine_add(&h.extent, &one, -h.most))
		return str_print("%s", "");
	return str_print("%s in %" PRId64 "..%s", node->index.at[k]->name, -h.least,
	                 affine_text(&h.extent));
}

static char *ranges_inside(const struct node *node)
{
	char *text = str_print("%s", "");
	for (int k = 0; k < node->index.n && !solves(node); k++) {
		char *range = range_inside(node, k);
		if (*range)
			text = str_print("%s%s%s", text, *text ? ", " : "", range);
	}
	return text;
}

/* A condition that keeps the subscript inside on the side where it left. */
static char *guard_text(const struct access *a, int axis, bool below)
{
	char *sub = expr_text(a->sub[axis]);
	if (below)
		return str_print("%s >= 0", sub);
	return str_print("%s < %s", sub, affine_text(&a->extent[axis]));
}

struct movers { const struct node *node; bool own; const struct var *folded; };

static bool visit_movers(struct expr *e, void *what)
{
	struct movers *m = what;
	bool own = false;
	for (int k = 0; k < m->node->index.n; k++)
		own |= e->kind == E_VAR && e->var == m->node->index.at[k];
	m->own |= own;
	if (e->kind == E_VAR && e->var->kind == VAR_INDEX && !own)
		m->folded = e->var;
	return true;
}

/* What to say of the indices of the subscript: the statement's have `for`, a fold's its brackets.
 * */
static const char *restrict_text(const struct walk *w, struct expr *sub)
{
	struct movers m = { .node = w->node };
	expr_walk(sub, visit_movers, &m);
	return m.folded ? str_print("restrict the range of `%s`, or ", m.folded->name)
	     : m.own && !solves(w->node) ? "restrict the index with `for`, or " : "";
}

static const struct var *size_alone(const struct affine *a)
{
	bool alone = a->n == 1 && a->term[0].coef == 1 && !a->constant;
	return alone && a->term[0].var->kind == VAR_SIZE ? a->term[0].var : NULL;
}

/* "declare `b: f32[n]`, or " */
static const char *declared_text(const struct access *a, int axis, const struct affine *size)
{
	struct affine extent[MAX_RANK];
	const struct var *v = a->e->kind == E_READ ? a->e->var : NULL;
	if (!v || v->rank != a->rank)
		return "";
	memcpy(extent, a->extent, sizeof extent);
	extent[axis] = *size;
	return str_print("declare `%s: %s`, or ", v->name, axes_text(v->type, v->rank, extent));
}

/* The index runs over one size and the axis has another, which the program may mean to be equal. */
static const char *equal_text(const struct walk *w, const struct access *a, int axis)
{
	const struct var *has = size_alone(&a->extent[axis]), *runs = NULL;
	struct affine end;
	for (int k = 0; k < w->node->index.n; k++)
		if (a->sub[axis]->kind == E_VAR && a->sub[axis]->var == w->node->index.at[k]
		    && affine_of(w->node->hi.at[k], &end))
			runs = size_alone(&end);
	return has && runs ? str_print("%sadd `require %s == %s` if they are equal, ",
	                               declared_text(a, axis, &end), runs->name, has->name)
	                   : "";
}

/* The subscript is the extent: somebody means the last cell, or an index. */
static const struct var *extent_alone(const struct access *a, int axis)
{
	const struct var *size = size_alone(&a->extent[axis]);
	return a->sub[axis]->kind == E_VAR && a->sub[axis]->var == size ? size : NULL;
}

static void cure_extent(const struct var *size)
{
	diag_cure("`%s` is a size here, the number of cells: give the index another name; the last "
	          "cell is at `%s-1`",
	          size->name, size->name);
}

/* A read of what the statement solves for. */
static bool is_unknown(const struct node *node, const struct access *a)
{
	return solves(node) && a->e->var == target_read(node_target(node, 0))->var;
}

void access_cure(const struct walk *w, const struct access *a, int axis, bool below)
{
	const char *narrower = str_print("%s%s", equal_text(w, a, axis),
	                                 restrict_text(w, a->sub[axis]));
	char *range = ranges_inside(w->node), *guard = guard_text(a, axis, below);
	int64_t offset;
	int k;
	if (w->node->running && a->e == w->node->running->cell) {
		diag_cure("an array that says where sequences begin must have one cell for each "
		          "cell of the axis");
		return;
	}
	if (a->extent[axis].n == 0 && a->sub[axis]->kind == E_CONST)
		return;                            /* no guard helps a place that never is inside */
	if (extent_alone(a, axis)) {
		cure_extent(extent_alone(a, axis));
		return;
	}
	struct shift shift;
	bool shifted = a->e->kind == E_READ && access_offset(w->node, a->e, axis, &k, &offset);
	bool window = a->e->kind == E_READ && access_shift(w->node, a->sub[axis], &shift);
	if (is_unknown(w->node, a) && a->e->type->kind == T_STRUCT)
		diag_cure("give a boundary, `clamp` or a value of %s, or guard it: "
		          "`%s ? ... : ...`",
		          type_name(a->e->type), guard);
	else if (is_unknown(w->node, a))
		diag_cure("give a boundary value, `boundary 0`, or guard it: `%s ? ... * %s : 0`",
		          guard, expr_text(a->e));
	else if (shifted && !a->writes && *range && w->node->wave)
		diag_cure("give a boundary value, `boundary 0`, or restrict with `for %s`", range);
	else if (shifted && !a->writes && *range && takes_boundary(w->node)) {
		diag_cure("add `boundary clamp` (or wrap, mirror, reflect, keep, a value), "
		          "or restrict with `for %s`", range);
		if (!w->node->where)
			fix_append(a->e->at, "boundary clamp");
	}
	else if (shifted && !a->writes && *range)
		diag_cure("restrict with `for %s`, or guard it: `%s ? %s : ...`", range, guard,
		          expr_text(a->e));
	else if (window && !a->writes && takes_boundary(w->node))
		diag_cure("add `boundary clamp` (or wrap, mirror, reflect, keep, a value), or "
		          "%sguard it: `%s ? %s : ...`", narrower, guard, expr_text(a->e));
	else if (a->writes)
		diag_cure("%smask cells: `where %s`", narrower, guard);
	else
		diag_cure("%sguard it: `%s ? %s : ...`", narrower, guard, expr_text(a->e));
}
