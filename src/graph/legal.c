/* legal.c - proves that every access is inside its array, or finds a counterexample.
 *
 * legal_walk.c shows every access with its scope: the indices and conditions that hold there.  Each
 * axis takes the first of these ways:
 *   1. an axis the boundary clause answers for (index + offset) needs no proof, but clamp, wrap,
 *      mirror and reflect need an array that has cells: where none is proved, the read is checked;
 *   2. an affine subscript is bounded by putting each index's extreme value in its place, innermost
 *      index first; if 0 <= least and greatest < extent for all sizes >= 0, it is inside.  This is
 *      exact enough for x[i], x[i+1] for i in 0..n-1, x[2*i+1], x[n-1-i], a[i, j] with j in 0..i,
 *      and costs a few additions: nearly every access of a real program ends here;
 *   3. isl: the set of all sizes and indices at which the access leaves.  Empty: inside.  Not
 *      empty, but a value nobody knows before the run decides (a parameter, a device scalar): the
 *      access is marked checked, and tested at run time.  Else an error with the smallest witness.
 * A subscript that isl cannot express is marked checked.  An exhausted quota is an error.
 *
 * Cost: about a tenth of a microsecond an access by way 2, some hundred by way 3. */
#include "legal.h"

#include <assert.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* ---- texts ---- */

const char *legal_name(const struct node *node)
{
	return node->pattern ? node->pattern->name : "repeat";
}

bool show_given(const struct seen *s, const void *data)
{
	(void)data;
	return s->var->kind != VAR_INDEX;
}

/* "n = 1, m = 2": those of the witness that are to be shown */
char *witness_values(const struct witness *w, bool (*show)(const struct seen *, const void *),
                     const void *data)
{
	char *text = str_print("%s", "");
	for (int k = 0; k < w->poly->seen.n; k++) {
		const struct seen *s = &w->poly->seen.at[k];
		if (show(s, data))
			text = str_print("%s%s%s = %" PRId64, text, *text ? ", " : "", s->var->name,
			                 w->value[k]);
	}
	return text;
}

bool over_report(struct poly *p, struct loc at, const char *what)
{
	if (!poly_over(p))
		return false;
	diag_error(at, D_LEGAL_QUOTA, "%s could not be decided within %lu operations", what,
	           p->quota);
	diag_cure("simplify the subscripts and the conditions around them");
	return true;
}

/* ---- way 2: extreme values ---- */

/* f with the index at the end of its range that makes f least: f is not less inside. */
static bool put_least(struct affine *f, const struct scope *s, int64_t coef)
{
	struct affine index = affine_var(s->index), last = affine_constant(-1);
	if (!s->is_affine || !affine_add(f, &index, -coef))
		return false;
	if (coef > 0)
		return affine_add(f, &s->low, coef);
	return affine_add(f, &s->high, coef) && affine_add(f, &last, coef);
}

/* f >= 0 in the scope for all sizes; false: not proved this way */
static bool never_negative(struct affine f, const struct scope *s)
{
	for (; s; s = s->up) {
		int64_t coef = s->index && !s->inside ? affine_coefficient(&f, s->index) : 0;
		if (coef == INT64_MIN || (coef != 0 && !put_least(&f, s, coef)))
			return false;
	}
	for (int k = 0; k < f.n; k++)
		if (f.term[k].coef < 0 ||
		    (f.term[k].var->kind != VAR_SIZE && f.term[k].var->kind != VAR_COUNTER))
			return false;
	return f.constant >= 0;
}

static const struct scope *scope_of(const struct scope *s, const struct var *index)
{
	while (s && (s->index != index || s->inside))
		s = s->up;
	return s;
}

/* The subscript is an index from 0 to that very extent.  The extent may pass 64 bits: a call
 * refuses such sizes. */
static bool along_whole_axis(const struct access *a, int axis, const struct scope *s)
{
	const struct expr *sub = a->sub[axis];
	s = sub->kind == E_VAR ? scope_of(s, sub->var) : NULL;
	return s && s->shift == 0 && s->lo && s->hi && affine_spans(s->lo, s->hi, &a->extent[axis]);
}

static bool inside_directly(const struct access *a, int axis, const struct scope *s)
{
	struct affine sub, room = a->extent[axis];
	struct affine one = affine_constant(1);
	if (along_whole_axis(a, axis, s))
		return true;
	if (!affine_of(a->sub[axis], &sub) || !affine_add(&room, &sub, -1)
	    || !affine_add(&room, &one, -1))
		return false;
	return never_negative(sub, s) && never_negative(room, s);
}

/* ---- way 3: isl ---- */

/* Declared extents are not negative: the generated stub refuses such a call (R19). */
static isl_set *extent_facts(struct poly *p, const struct access *a)
{
	isl_set *set = poly_universe(p);
	const struct affine zero = affine_constant(0);
	for (int k = 0; k < a->rank; k++)
		if (a->extent[k].n > 0 && !never_negative(a->extent[k], NULL))
			set = isl_set_intersect(set,
			                        isl_pw_aff_ge_set(poly_affine(p, &a->extent[k]),
			                                          poly_affine(p, &zero)));
	return set;
}

/* Where an open axis is outside; NULL if some subscript cannot be expressed. */
static isl_set *leaving(struct poly *p, const struct access *a)
{
	const struct affine zero = affine_constant(0);
	isl_set *out = poly_empty(p);
	for (int k = 0; k < a->rank; k++) {
		if (!a->needs[k])
			continue;
		isl_pw_aff *sub = poly_value(p, a->sub[k]);
		if (!sub) {
			isl_set_free(out);
			return NULL;
		}
		isl_set *in = poly_inside(sub, poly_affine(p, &zero),
		                          poly_affine(p, &a->extent[k]));
		out = isl_set_union(out, isl_set_complement(in));
	}
	return out;
}

/* Does the value depend on something unknown, by itself or through the bounds of an index in it? */
static bool depends_on_unknown(const struct expr *e, const struct scope *s)
{
	if (e->kind == E_VAR && var_unknown(e->var))
		return true;
	if (e->kind == E_VAR && e->var->kind == VAR_COUNTER)
		return depends_on_unknown(e->var->value, NULL);
	if (e->kind == E_VAR && (s = scope_of(s, e->var)) && s->lo && s->hi)
		return depends_on_unknown(s->lo, s->up) || depends_on_unknown(s->hi, s->up);
	for (int k = 0; k < e->arg.n; k++)
		if (depends_on_unknown(e->arg.at[k], s))
			return true;
	return false;
}

static bool access_unknown(const struct access *a, const struct scope *s)
{
	for (int k = 0; k < a->rank; k++)
		if (a->needs[k] && depends_on_unknown(a->sub[k], s))
			return true;
	return false;
}

/* What remains is fixed for the run: sizes and unknown values. */
static isl_set *without_indices(struct poly *p, isl_set *set)
{
	for (int k = 0; k < p->seen.n; k++)
		if (p->seen.at[k].var->kind != VAR_SIZE && !var_unknown(p->seen.at[k].var))
			set = poly_drop(p, set, &p->seen.at[k]);
	return set;
}

/* Are there sizes and unknown values for which the access happens and never leaves?  Then those
 * values decide, and a test at run time is what the program means. */
static bool may_be_fine(struct poly *p, isl_set *happens, isl_set *leaves)
{
	isl_set *fine = isl_set_subtract(without_indices(p, happens), without_indices(p, leaves));
	bool some = isl_set_is_empty(fine) == isl_bool_false;
	isl_set_free(fine);
	return some;
}

/* ---- the report ---- */

/* "1 row", "3 columns", "4 elements", "2 cells along axis 2" */
static char *room_text(const struct access *a, int axis, int64_t extent)
{
	static const char *const plane[] = { "row", "column" };
	const char *s = extent == 1 ? "" : "s";
	if (a->rank == 1)
		return str_print("%" PRId64 " element%s", extent, s);
	if (a->rank == 2)
		return str_print("%" PRId64 " %s%s", extent, plane[axis], s);
	return str_print("%" PRId64 " cell%s along axis %d", extent, s, axis);
}

static int64_t affine_at(const struct affine *a, const struct witness *w)
{
	uint64_t sum = (uint64_t)a->constant;
	for (int t = 0; t < a->n; t++)
		for (int k = 0; k < w->poly->seen.n; k++)
			if (w->poly->seen.at[k].var == a->term[t].var && !w->poly->seen.at[k].other)
				sum += (uint64_t)a->term[t].coef * (uint64_t)w->value[k];
	return (int64_t)sum;
}

static int64_t value_at(struct poly *p, const struct expr *sub, const struct witness *w)
{
	struct affine a;
	if (affine_of(sub, &a))
		return affine_at(&a, w);
	return witness_value(w, poly_value(p, sub));
}

static bool mentions(const struct expr *e, const struct var *v)
{
	if (e->kind == E_VAR && e->var == v)
		return true;
	for (int k = 0; k < e->arg.n; k++)
		if (mentions(e->arg.at[k], v))
			return true;
	return false;
}

/* The indices the access speaks of. */
static bool show_index(const struct seen *s, const void *data)
{
	const struct access *a = data;
	for (int k = 0; s->var->kind == VAR_INDEX && k < a->rank; k++)
		if (mentions(a->sub[k], s->var))
			return true;
	return false;
}

/* The array's name as the program has it: a, W, or c[i].f */
static char *access_name(const struct access *a)
{
	return a->e->var ? str_print("%s", a->e->var->name) : expr_text(a->e->arg.at[0]);
}

struct finding { int axis; bool below; char *note; };        /* axis -1: isl could not say */

/* "with n = 1: i = 0 reads a[1], but a has 1 element" */
static char *finding_note(const struct access *a, const struct witness *w, int axis,
                          const char *cell)
{
	char *given = witness_values(w, show_given, NULL),
	     *index = witness_values(w, show_index, a);
	char *name = access_name(a);
	return str_print("%s%s%s%s %s %s[%s], but %s has %s", *given ? "with " : "", given,
	                 *given ? ": " : "", *index ? index : "this",
	                 a->writes ? "writes" : "reads", name, cell, name,
	                 room_text(a, axis, affine_at(&a->extent[axis], w)));
}

static struct finding finding_of(struct poly *p, const struct access *a, const struct witness *w)
{
	struct finding found = { .axis = -1 };
	char *cell = str_print("%s", "");
	for (int k = 0; k < a->rank; k++) {
		int64_t at = value_at(p, a->sub[k], w);
		cell = str_print("%s%s%" PRId64, cell, k ? ", " : "", at);
		if (found.axis >= 0 || !a->needs[k]
		    || (at >= 0 && at < affine_at(&a->extent[k], w)))
			continue;
		found.axis = k;
		found.below = at < 0;
	}
	if (isl_ctx_last_error(p->ctx) != isl_error_none)
		found.axis = -1;
	assert((found.axis >= 0 || isl_ctx_last_error(p->ctx))
	       && "the witness leaves along some axis");
	if (found.axis >= 0)
		found.note = finding_note(a, w, found.axis, cell);
	return found;
}

/* Takes the set.  Says nothing when the quota ends here: over_report will. */
static void report(struct walk *w, const struct access *a, struct poly *p, isl_set *leaves)
{
	bool array = a->e->kind == E_READ;
	struct finding found = { .axis = -1 };
	struct witness witness;
	if (poly_witness(p, leaves, &witness)) {
		found = finding_of(p, a, &witness);
		isl_set_free(witness.point);
	}
	if (found.axis < 0 && isl_ctx_last_error(p->ctx) != isl_error_none)
		return;
	diag_error(a->e->at, array ? D_BOUNDS : D_BOUNDS_TABLE, "%s: %s leaves the %s",
	           legal_name(w->node), expr_text(a->e), array ? "array" : "table");
	if (found.axis < 0) {
		diag_note(a->e->at, "the counterexample has sizes or indices of more than 64 bits");
		diag_cure("use smaller numbers in its extents and subscripts: sizes of a call are "
		          "at most 2^48");
		return;
	}
	diag_note(a->e->at, "%s", found.note);
	if (p->approximate)
		diag_note(a->e->at, "conditions that are no sums of sizes and indices are ignored "
		          "here: one may exclude this");
	access_cure(w, a, found.axis, found.below);
}

/* ---- bounds ---- */

/* Takes both sets. */
static void judge(struct walk *w, struct access *a, const struct scope *s, struct poly *p,
                  isl_set *happens, isl_set *leaves)
{
	isl_bool inside = isl_set_is_empty(leaves);
	if (inside == isl_bool_false &&
	    (p->loose || (access_unknown(a, s) &&
	                  may_be_fine(p, isl_set_copy(happens), isl_set_copy(leaves))))) {
		a->e->checked = true;
		inside = isl_bool_true;
	}
	isl_set_free(happens);
	if (inside == isl_bool_false) {
		w->failed = true;
		report(w, a, p, leaves);
		return;
	}
	isl_set_free(leaves);
}

static void inside_by_isl(struct walk *w, struct access *a, const struct scope *s)
{
	struct poly *p = poly_new(w->node);
	isl_set *happens = poly_scope(p, s), *out = leaving(p, a);
	if (!out && isl_ctx_last_error(p->ctx) == isl_error_none) {
		a->e->checked = true;
		isl_set_free(happens);
		poly_over(p);
		return;
	}
	happens = isl_set_intersect(happens, extent_facts(p, a));
	happens = isl_set_intersect(happens, poly_facts(p));
	judge(w, a, s, p, happens, isl_set_intersect(isl_set_copy(happens), out));
	w->failed |= over_report(p, a->e->at,
	                         str_print("whether %s stays inside", expr_text(a->e)));
}

/* Along the domain's index k. */
static bool has_edge(const struct walk *w, const struct access *a, int axis, int *k)
{
	struct shift s;
	if (w->outside || a->writes || a->e->kind != E_READ
	    || !access_shift(w->node, a->sub[axis], &s))
		return false;
	*k = s.k;
	return w->node->edge[s.k].kind != B_NONE;
}

/* ---- edges ---- */

static bool continued(const struct walk *w, const struct access *a, int axis, int *k)
{
	if (!has_edge(w, a, axis, k))
		return false;
	switch (w->node->edge[*k].kind) {
	case B_CLAMP: case B_WRAP: case B_MIRROR: case B_REFLECT: return true;
	case B_NONE: case B_VALUE: case B_KEEP: return false;
	}
	return false;
}

/* The index that runs along the axis has a value, and its range is no longer than the axis. */
static bool has_cell_directly(const struct access *a, int axis, const struct var *index,
                              const struct scope *s)
{
	struct affine room = a->extent[axis];
	for (; s; s = s->up)
		if (s->index == index && !s->inside && s->is_affine)
			return affine_add(&room, &s->high, -1) && affine_add(&room, &s->low, 1)
			    && never_negative(room, s->up);
	return false;
}

static bool has_cell_by_isl(const struct walk *w, const struct access *a, int axis,
                            const struct scope *s)
{
	struct poly *p = poly_new(w->node);
	const struct affine one = affine_constant(1);
	isl_set *none = isl_pw_aff_lt_set(poly_affine(p, &a->extent[axis]), poly_affine(p, &one));
	none = isl_set_intersect(none, poly_scope(p, s));
	none = isl_set_intersect(none, extent_facts(p, a));
	none = isl_set_intersect(none, poly_facts(p));
	bool proved = isl_set_is_empty(none) == isl_bool_true;
	isl_set_free(none);
	return !poly_over(p) && proved;
}

/* An edge continues the cells of the array: there must be one, or the read is tested at run time.
 * */
static bool may_lack_cell(const struct walk *w, const struct access *a, int axis,
                          const struct scope *s)
{
	int k;
	if (!continued(w, a, axis, &k))
		return false;
	return !has_cell_directly(a, axis, w->node->index.at[k], s)
	       && !has_cell_by_isl(w, a, axis, s);
}

static bool access_of(struct expr *e, bool writes, struct access *a)
{
	if (e->kind != E_READ && e->kind != E_ELEM)
		return false;
	const struct type *type = e->var ? NULL : e->arg.at[0]->type;
	a->e = e;
	a->writes = writes;
	a->rank = e->var ? e->var->rank : type->rank;
	a->sub = e->arg.at + (e->var ? 0 : 1);
	for (int k = 0; k < a->rank; k++)
		a->extent[k] = e->var ? e->var->extent[k] : affine_constant(type->extent[k]);
	return true;
}

static bool is_premise(const struct node *node, const struct expr *guard)
{
	const struct premise *g = node->premise;
	while (g && g->condition != guard)
		g = g->up;
	return g;
}

/* Way 2 looks at no condition: what it leaves open may be inside because of one, other than those
 * that hold whenever the statement runs. */
static bool has_guard(const struct walk *w, const struct scope *s)
{
	while (s && (!s->guard || is_premise(w->node, s->guard)))
		s = s->up;
	return s;
}

static void bounds_visit(struct walk *w, struct expr *e, const struct scope *s)
{
	struct access a;
	bool open = false;
	if (!access_of(e, w->writing, &a) || (a.writes && w->node->selection))
		return;                       /* whoever deals out its places looks for their end */
	for (int k = 0, index; k < a.rank; k++) {
		a.needs[k] = !has_edge(w, &a, k, &index) && !inside_directly(&a, k, s);
		open |= a.needs[k];
		e->checked |= may_lack_cell(w, &a, k, s);
	}
	if (open)
		inside_by_isl(w, &a, s);
	e->guarded |= open && !e->checked && has_guard(w, s);
}

/* Where the value that answers outside is tested, so is the read: after all bounds, which say what
 * is tested. */
static void answer_visit(struct walk *w, struct expr *e, const struct scope *s)
{
	struct access a;
	(void)s;
	if (!access_of(e, w->writing, &a))
		return;
	for (int axis = 0, k; axis < a.rank; axis++)
		if (has_edge(w, &a, axis, &k) && w->node->edge[k].kind == B_VALUE)
			e->checked |= expr_checked(w->node->edge[k].value);
}

bool affine_check_bounds(struct node *node)
{
	struct walk w = { .node = node, .visit = bounds_visit },
		    answers = { .node = node, .visit = answer_visit };
	walk_node(&w);
	walk_node(&answers);
	return !w.failed;
}

/* ---- folds that are never empty ---- */

struct search { const struct fold *fold; const struct scope *at; bool found; };

static void fold_visit(struct walk *w, struct expr *e, const struct scope *s)
{
	struct search *search = w->data;
	if (e->kind != E_FOLD || e->fold != search->fold)
		return;
	search->at = s;
	search->found = true;
}

static const struct scope *fold_scope(const struct fold *f, const struct scope *s)
{
	for (int k = 0; k < f->index.n; k++)
		s = scope_fold(s, f, k);
	return f->where ? scope_guard(s, f->where, true) : s;
}

/* lo < hi for every index, by way 2 */
static bool nonempty_directly(const struct fold *f, const struct scope *inner)
{
	const struct affine one = affine_constant(1);
	if (f->where)
		return false;
	for (int k = 0; k < f->index.n; k++, inner = inner->up) {
		struct affine room = inner->high;
		if (inner->part || !inner->is_affine || !affine_add(&room, &inner->low, -1) ||
		    !affine_add(&room, &one, -1) || !never_negative(room, inner->up))
			return false;
	}
	return true;
}

/* No point outside the fold is without one inside; what isl cannot express proves nothing. */
static bool nonempty_by_isl(const struct node *node, const struct fold *f,
                            const struct scope *outer, const struct scope *inner)
{
	struct poly *p = poly_new(node);
	isl_set *all = poly_scope(p, outer);
	p->loose = p->approximate = false;
	isl_set *some = poly_scope(p, inner);
	bool exact = !p->loose && !p->approximate;
	isl_set *facts = poly_facts(p);
	some = isl_set_intersect(some, isl_set_copy(facts));
	for (int k = 0; k < f->index.n; k++)
		some = poly_drop(p, some, &(struct seen){ .var = f->index.at[k] });
	all = isl_set_subtract(isl_set_intersect(all, facts), some);
	bool proved = isl_set_is_empty(all) == isl_bool_true && exact;
	isl_set_free(all);
	return !poly_over(p) && proved;
}

bool affine_nonempty(const struct node *node, const struct fold *f)
{
	struct search search = { .fold = f };
	struct walk w = { .node = (struct node *)node, .visit = fold_visit, .data = &search };
	walk_node(&w);
	assert(search.found && "the fold is one of this statement");
	const struct scope *inner = fold_scope(f, search.at);
	return nonempty_directly(f, inner) || nonempty_by_isl(node, f, search.at, inner);
}
