/* legal_written.c - finds the cells of a result that a kernel never writes.
 *
 * A cell has a coordinate along each axis, a parameter of isl's sets as the sizes are.  Each
 * statement writes the cells for which some of its indices give these coordinates; what is left of
 * the whole array after all statements is never written.  Statements under `if` and in loops count
 * as if they ran.  Where data decide (a mask, a place that is read, a selection), or where the
 * program says that cells stay (`keep`), nothing is said. */
#include "ask.h"
#include "legal.h"

#include <inttypes.h>

struct cells { struct poly *p; const struct var *of; struct var along[MAX_RANK]; };

/* A counter has another value in each pass, an unknown scalar in each call. */
static bool by_indices(const struct affine *a)
{
	bool plain = a->n >= 0;
	for (int t = 0; t < a->n; t++)
		plain &= a->term[t].var->kind == VAR_SIZE || a->term[t].var->kind == VAR_INDEX;
	return plain;
}

static bool visit_by_indices(struct expr *e, void *unused)
{
	(void)unused;
	return e->kind != E_VAR || e->var->kind == VAR_SIZE || e->var->kind == VAR_INDEX;
}

/* Does the target say for sure which cells it writes? */
static bool is_plain(const struct node *node, const struct expr *target)
{
	bool plain = target->kind == E_READ && !target->checked && !node->where && !node->sorting
	             && !node->selection && !node->expand && !node->cutoff && !node->reshapes
	             && !node->pattern->combines && !node_keeps(node);
	for (int a = 0; plain && a < target->arg.n; a++)
		plain = by_indices(&target->affine[a]);
	for (int k = 0; plain && k < node->index.n; k++)
		plain = expr_walk(node->lo.at[k], visit_by_indices, NULL)
		        && expr_walk(node->hi.at[k], visit_by_indices, NULL);
	return plain;
}

/* The cells that the target is, for all values of the statement's indices. */
static isl_set *cells_of(struct cells *c, const struct node *node, const struct expr *target)
{
	const struct scope *scope = NULL;
	for (int k = 0; k < node->index.n; k++)
		scope = scope_index(scope, node->index.at[k], node->lo.at[k], node->hi.at[k], 0);
	isl_set *set = poly_scope(c->p, scope);
	for (int a = 0; set && a < target->arg.n; a++) {
		isl_pw_aff *at = poly_value(c->p, target->arg.at[a]);
		if (!at)
			c->p->loose = true;
		else
			set = isl_set_intersect(set, isl_pw_aff_eq_set(at, poly_var(c->p,
			                                               &c->along[a])));
	}
	for (int k = 0; k < node->index.n; k++) {
		struct seen index = { .var = node->index.at[k] };
		set = poly_drop(c->p, set, &index);
	}
	return set;
}

/* Takes from *left what the statements write; false: that is not known. */
static bool take_written(struct cells *c, struct node *const *node, int n, isl_set **left)
{
	bool known = true;
	for (int i = 0; known && i < n; i++) {
		struct expr *target;
		if (node[i]->kind == NODE_SWAP)
			known = node[i]->swap[0] != c->of && node[i]->swap[1] != c->of;
		for (int t = 0; known && (target = node_target(node[i], t)); t++) {
			if (target_read(target)->var != c->of)
				continue;
			known = is_plain(node[i], target);
			if (known)
				*left = isl_set_subtract(*left, cells_of(c, node[i], target));
		}
		known = known && take_written(c, node[i]->body.at, node[i]->body.n, left);
	}
	return known;
}

static isl_set *all_cells(struct cells *c)
{
	static const char *const name[MAX_RANK] = { "i", "j", "k", "l", "m", "n", "o", "p" };
	isl_set *set = poly_universe(c->p);
	for (int a = 0; a < c->of->rank; a++) {
		struct seen seen = { .var = &c->along[a], .hi = SIZE_LIMIT };
		c->along[a] = (struct var){ .kind = VAR_INDEX, .name = name[a],
			                    .type = type_scalar(T_I64) };
		list_add(&c->p->seen, seen);
		set = isl_set_intersect(set, poly_inside(poly_var(c->p, &c->along[a]),
		                                         poly_constant(c->p, 0),
		                                         poly_affine(c->p, &c->of->extent[a])));
	}
	return set;
}

/* "with n = 1: y[0]" */
static char *cell_text(struct cells *c, const struct witness *w)
{
	char *given = witness_values(w, show_given, NULL);
	char *text = str_print("%s%s%s%s[", *given ? "with " : "", given, *given ? ": " : "",
	                       c->of->name);
	for (int a = 0; a < c->of->rank; a++)
		text = str_print("%s%s%" PRId64, text, a ? ", " : "", w->value[a]);
	return str_print("%s]", text);
}

char *cells_left(const struct entry *e, const struct var *v)
{
	struct cells c = { .p = poly_new(NULL), .of = v };
	struct witness w;
	char *text = NULL;
	isl_set *left = all_cells(&c);
	bool known = take_written(&c, e->body.at, e->body.n, &left);
	left = isl_set_intersect(left, poly_facts(c.p));
	known = known && !c.p->loose && !c.p->approximate;
	if (known && isl_set_is_empty(left) == isl_bool_false
	    && poly_witness(c.p, isl_set_copy(left), &w)) {
		text = cell_text(&c, &w);
		isl_set_free(w.point);
	}
	isl_set_free(left);
	return poly_over(c.p) ? NULL : text;
}
