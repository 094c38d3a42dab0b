/* legal_place.c - decides whether a statement may read the array that it writes (R45).
 *
 * Cells of a statement run in no order, so a cell may read its own place, but no place another cell
 * writes: red-black relaxation may, a[i] = a[i-1] may not.  For every read of a written array take
 * two copies of the statement's cells, one that writes and one that reads; isl is asked for a pair
 * of different cells where the place read is the place written.  None: legal.  Values unknown
 * before the run may be anything here; what cannot be expressed is not legal.
 *
 * A read at exactly the target's subscripts needs no question if those tell cells apart, nor does
 * one of the other cell of its pair (node->mirror).
 *
 * Note [places beyond an edge]
 * A read that leaves along a boundary axis reads another place of the array instead (R43).  With v
 * the subscript and e the extent, the place is, on the first stretch beyond either end:
 *	clamp    0,       e - 1          (everywhere beyond)
 *	mirror   -1 - v,  2e - 1 - v     for -e <= v < 0,     e <= v < 2e
 *	reflect  -v,      2e - 2 - v     for -(e-1) <= v < 0, e <= v <= 2e - 2
 *	wrap     v + e,   v - e          for -e <= v < 0,     e <= v < 2e
 * Farther out (arrays smaller than the offset) any place is assumed.  Behind `keep` the cell is not
 * written, so neither copy contains it; beyond a value no place of the array is read at all. */
#include "ask.h"
#include "legal.h"

#include <isl/id.h>
#include <isl/val.h>

struct found {
	struct expr *read;
	const struct scope *scope;
	const struct field *field;           /* all that is used of the cell, or NULL */
	bool outside;                        /* in a value beyond the edge */
};
struct reads { LIST(struct found) at; };

static void collect(struct walk *w, struct expr *e, const struct scope *s)
{
	struct reads *reads = w->data;
	if (e->kind == E_READ && !w->writing)
		list_add(&reads->at,
		         ((struct found){ e, s, w->whole == e ? w->field : NULL, w->outside }));
}

/* ---- the places read ---- */

struct axis { struct poly *p; isl_pw_aff *v, *e, *place; };   /* subscript, extent, place written */

static isl_pw_aff *number(struct axis *x, int64_t value)
{
	const struct affine a = affine_constant(value);
	return poly_affine(x->p, &a);
}

/* times_v * v + times_e * e + constant */
static isl_pw_aff *mix(struct axis *x, int times_v, int times_e, int64_t constant)
{
	isl_val *tv = isl_val_int_from_si(x->p->ctx, times_v);
	isl_val *te = isl_val_int_from_si(x->p->ctx, times_e);
	isl_pw_aff *a = isl_pw_aff_scale_val(isl_pw_aff_copy(x->v), tv);
	isl_pw_aff *b = isl_pw_aff_scale_val(isl_pw_aff_copy(x->e), te);
	return isl_pw_aff_add(isl_pw_aff_add(a, b), number(x, constant));
}

/* lo <= v < hi, and the place written is at; NULL: any place */
static isl_set *stretch(struct axis *x, isl_pw_aff *lo, isl_pw_aff *hi, isl_pw_aff *at)
{
	isl_set *set = poly_inside(isl_pw_aff_copy(x->v), lo, hi);
	return at ? isl_set_intersect(set, isl_pw_aff_eq_set(isl_pw_aff_copy(x->place), at)) : set;
}

static isl_set *places_within(struct axis *x)
{
	return stretch(x, number(x, 0), mix(x, 0, 1, 0), mix(x, 1, 0, 0));
}

static isl_set *places_clamp(struct axis *x)
{
	isl_set *below = isl_pw_aff_lt_set(mix(x, 1, 0, 0), number(x, 0));
	isl_set *above = isl_pw_aff_ge_set(mix(x, 1, 0, 0), mix(x, 0, 1, 0));
	below = isl_set_intersect(below,
	                          isl_pw_aff_eq_set(isl_pw_aff_copy(x->place), number(x, 0)));
	above = isl_set_intersect(above,
	                          isl_pw_aff_eq_set(isl_pw_aff_copy(x->place), mix(x, 0, 1, -1)));
	return isl_set_union(below, above);
}

/* One stretch of e - skip cells beyond either end, and any place beyond. */
static isl_set *places_fold(struct axis *x, int64_t skip, isl_pw_aff *below, isl_pw_aff *above)
{
	isl_set *near = stretch(x, mix(x, 0, -1, skip), number(x, 0), below);
	near = isl_set_union(near, stretch(x, mix(x, 0, 1, 0), mix(x, 0, 2, -skip), above));
	isl_set *low = isl_pw_aff_lt_set(mix(x, 1, 0, 0), mix(x, 0, -1, skip));
	isl_set *high = isl_pw_aff_ge_set(mix(x, 1, 0, 0), mix(x, 0, 2, -skip));
	isl_set *inside = stretch(x, number(x, 0), mix(x, 0, 1, 0), NULL);
	return isl_set_union(near, isl_set_subtract(isl_set_union(low, high), inside));
}

static isl_set *places_behind(struct axis *x, enum boundary kind)
{
	switch (kind) {
	case B_CLAMP:
		return places_clamp(x);
	case B_MIRROR:
		return places_fold(x, 0, mix(x, -1, 0, -1), mix(x, -1, 2, -1));
	case B_REFLECT:
		return places_fold(x, 1, mix(x, -1, 0, 0), mix(x, -1, 2, -2));
	case B_WRAP:
		return places_fold(x, 0, mix(x, 1, 1, 0), mix(x, 1, -1, 0));
	case B_NONE: case B_VALUE: case B_KEEP:
		break;
	}
	return poly_empty(x->p);
}

/* Where the place read along the axis is the place written; takes the functions.  Without an edge
 * the read is inside, or is tested at run time: one equation. */
static isl_set *same_place(struct poly *p, const struct affine *extent, enum boundary kind,
                           isl_pw_aff *read, isl_pw_aff *place)
{
	if (kind == B_NONE)
		return isl_pw_aff_eq_set(read, place);
	struct axis x = { p, read, poly_affine(p, extent), place };
	isl_set *same = isl_set_union(places_within(&x), places_behind(&x, kind));
	isl_pw_aff_free(x.v);
	isl_pw_aff_free(x.e);
	isl_pw_aff_free(x.place);
	return same;
}

static enum boundary edge_of(const struct node *node, const struct found *f, int axis)
{
	struct shift s;
	if (f->outside || !access_shift(node, f->read->arg.at[axis], &s))
		return B_NONE;
	return node->edge[s.k].kind;
}

/* ---- the two copies ---- */

/* Cells whose neighbourhood leaves along a `keep` axis are in neither copy. */
static const struct scope *scope_kept(const struct node *node, const struct reads *reads,
                                      const struct scope *s)
{
	int64_t offset;
	int k;
	for (int r = 0; r < reads->at.n; r++) {
		const struct expr *read = reads->at.at[r].read;
		for (int axis = 0; axis < read->arg.n; axis++)
			if (edge_of(node, &reads->at.at[r], axis) == B_KEEP &&
			    access_offset(node, read, axis, &k, &offset))
				s = scope_cell(s, node->index.at[k], offset, read->var, axis, true);
	}
	return s;
}

/* The read is the target moved along some axis, no edge in the way: another cell for sure. */
static bool moved(const struct node *node, const struct expr *target, const struct found *f)
{
	struct affine a, b;
	bool other = false;
	for (int axis = 0; axis < target->arg.n; axis++) {
		if (edge_of(node, f, axis) != B_NONE)
			return false;
		if (!affine_of(target->arg.at[axis], &a) || !affine_of(f->read->arg.at[axis], &b) ||
		    !affine_add(&a, &b, -1) || a.n > 0)
			continue;
		other |= a.constant != 0;
	}
	return other;
}

/* Cells differ in some index. */
static isl_set *different(struct poly *p, const struct node *node)
{
	isl_set *set = poly_empty(p);
	for (int k = 0; k < node->index.n; k++) {
		const struct var *v = node->index.at[k];
		isl_pw_aff *a = isl_pw_aff_param_on_domain_id(poly_universe(p),
		                                              poly_id(p, v, false));
		isl_pw_aff *b = isl_pw_aff_param_on_domain_id(poly_universe(p),
		                                              poly_id(p, v, true));
		set = isl_set_union(set, isl_pw_aff_ne_set(a, b));
	}
	return set;
}

/* The index of the cell that writes. */
static isl_pw_aff *written(struct poly *p, const struct node *node, const struct expr *sub)
{
	isl_pw_aff *at = poly_value(p, sub);
	for (int k = 0; at && k < node->index.n; k++)
		at = poly_other_value(p, at, node->index.at[k]);
	return at;
}

static isl_set *writers(struct poly *p, const struct node *node, isl_set *set)
{
	for (int k = 0; k < node->index.n; k++) {
		struct seen other = { .var = node->index.at[k], .other = true };
		set = poly_other(p, set, node->index.at[k]);
		list_add(&p->seen, other);
	}
	return set;
}

/* Where all axes agree.  A subscript that cannot be expressed may agree anywhere: *open. */
static isl_set *same_cell(struct poly *p, const struct node *node, const struct expr *target,
                          const struct found *f, bool *open)
{
	isl_set *same = poly_universe(p);
	for (int axis = 0; axis < target->arg.n; axis++) {
		isl_pw_aff *read = poly_value(p, f->read->arg.at[axis]);
		isl_pw_aff *place = written(p, node, target->arg.at[axis]);
		if (read && place) {
			same = isl_set_intersect(same,
			                         same_place(p, &target->var->extent[axis],
			                                    edge_of(node, f, axis), read, place));
			continue;
		}
		isl_pw_aff_free(read);
		isl_pw_aff_free(place);
		*open = true;
	}
	return same;
}

/* ---- the report ---- */

static bool show_reader(const struct seen *s, const void *data)
{
	(void)data;
	return s->var->kind == VAR_INDEX && !s->other;
}

static bool show_writer(const struct seen *s, const void *data)
{
	(void)data;
	return s->other;
}

/* "a[1, 0]": the place the witness's cells meet at */
static char *place_text(struct poly *p, const struct node *node, const struct expr *target,
                        const struct witness *w)
{
	char *text = str_print("%s[", target->var->name);
	for (int axis = 0; axis < target->arg.n; axis++) {
		int64_t at = witness_value(w, written(p, node, target->arg.at[axis]));
		text = str_print("%s%s%lld", text, axis ? ", " : "", (long long)at);
	}
	return str_print("%s]", text);
}

static void report(const struct node *node, const struct expr *target, const struct found *f)
{
	diag_error(f->read->at, D_IN_PLACE,
	           "%s: %s may be a cell of `%s` that the same statement writes", legal_name(node),
	           expr_text(f->read), target->var->name);
}

/* New values are those of a wavefront, where the cells read are at indices plus constants. */
static void report_cure(const struct node *node, const struct expr *target, const struct expr *read)
{
	int64_t offset;
	int k;
	bool near = true;
	for (int axis = 0; axis < read->arg.n; axis++)
		near &= access_offset(node, read, axis, &k, &offset)
		        && access_offset(node, target, axis, &k, &offset);
	diag_cure("write to a second array and `swap` it with `%s`%s", target->var->name,
	          near ? ", or use `wavefront` if the new values are meant" : "");
}

static bool over(struct poly *p, const struct found *f)
{
	return over_report(p, f->read->at, str_print("whether another cell writes %s",
	                                             expr_text(f->read)));
}

static bool not_provable(struct poly *p, const struct node *node, const struct expr *target,
                         const struct found *f)
{
	if (!over(p, f)) {
		report(node, target, f);
		report_cure(node, target, f->read);
	}
	return false;
}

static void report_witness(struct poly *p, const struct node *node, const struct expr *target,
                           const struct found *f, isl_set *conflict)
{
	struct witness w;
	if (!poly_witness(p, conflict, &w)) {
		not_provable(p, node, target, f);       /* out of quota, or of 64 bits */
		return;
	}
	char *given = witness_values(&w, show_given, NULL);
	report(node, target, f);
	diag_note(f->read->at, "%s%s%s%s reads %s, which %s writes", *given ? "with " : "", given,
	          *given ? ": " : "", witness_values(&w, show_reader, NULL),
	          place_text(p, node, target, &w), witness_values(&w, show_writer, NULL));
	report_cure(node, target, f->read);
	isl_set_free(w.point);
}

/* ---- the check ---- */

/* Every index of the domain is a subscript of the target: different cells, different places. */
static bool tells_apart(const struct node *node, const struct expr *target)
{
	unsigned bare = 0;
	int64_t offset;
	int k;
	for (int axis = 0; axis < target->arg.n; axis++)
		if (access_offset(node, target, axis, &k, &offset))
			bare |= 1u << k;
	return bare == (1u << node->index.n) - 1;
}

static bool same_subscripts(const struct expr *a, const struct expr *b)
{
	struct affine x, y;
	for (int axis = 0; axis < a->arg.n; axis++)
		if (!affine_of(a->arg.at[axis], &x) || !affine_of(b->arg.at[axis], &y)
		    || !affine_equal(&x, &y))
			return false;
	return true;
}

static bool conflict_free(const struct node *node, const struct scope *domain,
                          const struct expr *target, const struct found *f,
                          const struct reads *reads)
{
	struct poly *p = poly_new(node);
	const struct scope *kept = scope_kept(node, reads, domain);
	isl_set *cells = poly_scope(p, kept);
	isl_set *set = f->scope == domain ? isl_set_copy(cells)
	                                  : poly_scope(p, scope_kept(node, reads, f->scope));
	set = isl_set_intersect(set, writers(p, node, cells));
	bool open = false;
	set = isl_set_intersect(set, same_cell(p, node, target, f, &open));
	if (!moved(node, target, f))
		set = isl_set_intersect(set, different(p, node));
	set = isl_set_intersect(set, poly_facts(p));
	isl_bool fine = isl_set_is_empty(set);
	if (fine == isl_bool_false && open) {
		isl_set_free(set);
		return not_provable(p, node, target, f);
	}
	if (fine == isl_bool_false)
		report_witness(p, node, target, f, isl_set_copy(set));
	isl_set_free(set);
	return !over(p, f) && fine == isl_bool_true;
}

/* The field of the place that a target writes; NULL: all of it */
static const struct field *field_written(const struct expr *target)
{
	const struct field *field = NULL;
	while (target->kind == E_FIELD || (target->kind == E_ELEM && !target->var)) {
		if (target->kind == E_FIELD)
			field = target->field;
		target = target->arg.at[0];
	}
	return field;
}

static bool check_target(const struct node *node, const struct scope *domain, struct expr *target,
                         const struct reads *reads)
{
	const struct expr *cell = target_read(target);
	const struct field *field = field_written(target);
	bool fine = true;
	for (int r = 0; fine && cell->kind == E_READ && r < reads->at.n; r++) {
		const struct found *f = &reads->at.at[r];
		bool apart = field && f->field && field != f->field;
		if (f->read->var != cell->var || apart)
			continue;
		if (!f->outside && tells_apart(node, cell) && same_subscripts(cell, f->read))
			continue;
		if (node_mirrors(node, cell, f->read) && !node_checked(node))
			continue;
		fine = conflict_free(node, domain, cell, f, reads);
	}
	return fine;
}

bool affine_check_in_place(struct node *node)
{
	struct reads reads = { 0 };
	struct walk w = { .node = node, .visit = collect, .data = &reads };
	bool fine = true;
	walk_node(&w);
	for (int q = 0; q < node->equation.n; q++)
		for (int t = 0; t < node->equation.at[q]->target.n; t++)
			fine &= check_target(node, w.domain, node->equation.at[q]->target.at[t],
			                     &reads);
	return fine;
}
