/* wave_sema.c - statements whose cells read neighbours that their order reaches before them
 * (wavefront.h): wavefront.
 *
 * All equations are for the same cell: index k of the statement, plus a constant, is a subscript of
 * every target. A read of a target outside folds that is a fixed number of steps away is a
 * neighbour; legal_before.c looks at the others.  The order settles which neighbours are fresh
 * (R46, R47); `boundary` says what the others see outside (R48), and where there is no such clause
 * legal.c proves that none leaves: so reads become variables before that proof with the clause, and
 * after it without. */
#include <string.h>

#include "ask.h"
#include "legal.h"
#include "../lowerings.h"
#include "sema_impl.h"
#include "wave_sema.h"

#define MAX_STEP 64             /* rows and columns away: what lies between is kept on the chip */
#define MAX_NEIGHBOURS 64

/* ---- words ---- */

static bool wave_open(struct sema *s, const struct ast_stmt *a, struct node *node)
{
	if (!signs_check(s, a))
		return false;
	s->fresh.n = 0;
	node->wave = NEW(struct wavefront);
	return true;
}

/* ---- targets ---- */

const struct expr *wave_target(const struct node *node, int q)
{
	return target_read(node->equation.at[q]->target.at[0]);
}

static bool no_wave(struct loc at, const char *text)
{
	diag_error(at, D_WAVEFRONT, "%s", text);
	sema_cure("a wavefront has the form `A[i, j] = e`, where e reads A at index ± constant: "
	          "`A[i-1, j]`, `A[i, j-1]`; folds read cells that are computed before: `sum[k in "
	          "0..j](A[i, k])`");
	return false;
}

/* The index that a subscript has, once and with factor 1; -1: it has another form. */
static int index_in(const struct node *node, const struct affine *a, int64_t *constant)
{
	int found = -1;

	if (a->n != 1 || a->term[0].coef != 1)
		return -1;
	for (int k = 0; k < node->index.n; k++)
		found = node->index.at[k] == a->term[0].var ? k : found;
	*constant = a->constant;
	return found;
}

static bool target_fits(struct node *node, int q)
{
	const struct equation *eq = node->equation.at[q];
	const struct expr *target = eq->target.at[0], *first = wave_target(node, 0);
	unsigned met = 0;
	int64_t constant;

	if (eq->target.n > 1)
		return no_wave(target->at, "an equation of a wavefront must have one target");
	if (target->kind != E_READ)
		return no_wave(target->at,
		               str_print("`%s` is not a whole cell of an array, which an equation "
		                         "must compute",
		                         target_read((struct expr *)target)->var->name));
	if (target->arg.n != node->index.n || target->arg.n != first->arg.n)
		return no_wave(target->at,
		               str_print("`%s` has %d ax%s, but the statement has %d ind%s, and "
		                         "each must be a subscript",
		                         target->var->name, target->arg.n,
		                         target->arg.n == 1 ? "is" : "es", node->index.n,
		                         node->index.n == 1 ? "ex" : "ices"));
	for (int d = 0; d < target->arg.n; d++) {
		int k = index_in(node, &target->affine[d], &constant);
		if (k < 0 || met >> k & 1)
			return no_wave(target->arg.at[d]->at, "a subscript of a wavefront's target "
			                                      "must be an index plus a constant");
		met |= 1u << k;
		if (q == 0)
			node->wave->order[d] = k;
		else if (node->wave->order[d] != k)
			return no_wave(target->arg.at[d]->at,
			               str_print("`%s` has its indices in another order than `%s`",
			                         target->var->name, first->var->name));
	}
	for (int p = 0; p < q; p++)
		if (wave_target(node, p)->var == target->var) {
			diag_error(target->at, D_WRITE_TWICE, "`%s` is a target twice",
			           target->var->name);
			diag_cure("write one equation that contains both right sides");
			return false;
		}
	return true;
}

static bool directions(struct node *node)
{
	static const char *const word[] = { "from right", "from below" };
	int n = node->index.n;

	for (int k = 0; k < 2; k++) {
		const struct clause_use *use = node_clause(node, word[k]);
		if (!use)
			continue;
		if (k >= n)
			return no_wave(use->at, "`from below` reverses the second to last index, "
			                        "but there is only one index");
		node->wave->back[node->wave->order[n - 1 - k]] = true;
	}
	return true;
}

/* ---- reads of targets ---- */

struct waving {                          /* right sides being settled */
	struct sema *s;
	struct node *node;
	int equation;                        /* whose right side it is */
	const struct ast *boundary[MAX_EQUATIONS];
	bool failed;
};

static int table_of(const struct node *node, const struct var *v)
{
	for (int q = 0; q < node->equation.n; q++)
		if (wave_target(node, q)->var == v)
			return q;
	return -1;
}

static bool is_no_table(struct expr *e, void *node)
{
	return e->kind != E_READ || table_of(node, e->var) < 0;
}

/* Is it a fixed number of cells away, along each index? */
static bool is_near(const struct waving *w, const struct expr *read, int q)
{
	const struct expr *cell = wave_target(w->node, q);
	int64_t constant;

	for (int d = 0; d < read->arg.n; d++) {
		int k = index_in(w->node, &read->affine[d], &constant);
		if (k < 0 || k != w->node->wave->order[d]
		    || index_in(w->node, &cell->affine[d], &constant) != k)
			return false;
	}
	return true;
}

/* How far the read of table q is from the cell. */
static bool steps_of(const struct waving *w, const struct expr *read, int q, int64_t *step)
{
	const struct expr *cell = wave_target(w->node, q);

	for (int d = 0; d < read->arg.n; d++) {
		int64_t there = 0, here = 0;
		int k = index_in(w->node, &read->affine[d], &there);
		index_in(w->node, &cell->affine[d], &here);
		step[k] = there - here;
		if (step[k] > MAX_STEP || step[k] < -MAX_STEP) {
			diag_error(read->at, D_TOO_MANY,
			           "this reads %s: a wavefront can read at most %d cells away "
			           "along an index",
			           expr_text(read), MAX_STEP);
			return false;
		}
	}
	return true;
}

/* Has the order been at that place before?  At the cell itself, in an equation before this one? */
static bool is_fresh(const struct waving *w, const int64_t *step, int q)
{
	for (int d = 0; d < w->node->index.n; d++) {
		int k = w->node->wave->order[d];
		if (step[k])
			return (step[k] < 0) != w->node->wave->back[k];
	}
	return q < w->equation;
}

static bool old_value(const struct waving *w, const struct expr *read)
{
	for (int k = 0; k < w->s->fresh.n; k++)
		if (w->s->fresh.at[k] == read->var) {
			diag_error(read->at, D_OUT_READ,
			           "this reads %s before it is computed, and `%s` is `out`, so it "
			           "has no value",
			           expr_text(read), read->var->name);
			diag_cure("declare `inout %s` if the caller passes its values",
			          read->var->name);
			return false;
		}
	return true;
}

static struct neighbour *neighbour_find(const struct node *node, int q, const int64_t *step,
                                        bool fresh)
{
	for (int k = 0; k < node->wave->read.n; k++) {
		struct neighbour *n = node->wave->read.at[k];
		if (n->equation == q && n->fresh == fresh && !memcmp(n->step, step, sizeof n->step))
			return n;
	}
	return NULL;
}

/* H_1_1 for H[i-1, j-1], H_0_p1 for H[i, j+1] */
static const char *neighbour_name(const struct node *node, const struct var *table,
                                  const int64_t *step)
{
	char *name = str_print("%s", table->name);

	for (int d = 0; d < node->index.n; d++) {
		int64_t by = step[node->wave->order[d]];
		name = str_print("%s_%s%lld", name, by > 0 ? "p" : "",
		                 (long long)(by < 0 ? -by : by));
	}
	return str_name(name);
}

static bool leaves(const struct node *node, const int64_t *step)
{
	for (int k = 0; k < node->index.n; k++)
		if (step[k])
			return true;
	return false;
}

static bool value_reads(struct waving *w, struct expr *e)
{
	struct node *node = w->node;
	bool folds = expr_has_fold(e);

	if (expr_walk(e, is_no_table, node) && !folds)
		return true;
	diag_error(e->at, D_BOUNDARY,
	           folds ? "a boundary value cannot contain a fold"
	                 : "a boundary value cannot read a target of the statement");
	return false;
}

static struct expr *outside_of(struct waving *w, int q)
{
	const struct ast *a = w->boundary[q];
	struct expr *e =
		a ? expr_typed(w->s, a, wave_target(w->node, q)->type, "the boundary value") : NULL;

	if (a && (!e || !value_reads(w, e)))
		w->failed = true;
	return e;
}

static struct expr *neighbour_read(struct waving *w, struct expr *read, int q)
{
	struct neighbour *n;
	int64_t step[MAX_RANK] = { 0 };
	bool fresh;

	if (!steps_of(w, read, q, step)
	    || (!(fresh = is_fresh(w, step, q)) && !old_value(w, read))) {
		w->failed = true;
		return read;
	}
	n = neighbour_find(w->node, q, step, fresh);
	if (!n) {
		n = NEW(struct neighbour);
		n->value = var_new(w->s, VAR_LOCAL, neighbour_name(w->node, read->var, step),
		                   read->type, read->at);
		n->equation = q;
		n->read = read;
		n->fresh = fresh;
		memcpy(n->step, step, sizeof step);
		n->outside = leaves(w->node, step) ? outside_of(w, q) : NULL;
		list_add(&w->node->wave->read, n);
		if (w->node->wave->read.n > MAX_NEIGHBOURS) {
			diag_error(read->at, D_TOO_MANY,
			           "a wavefront can read at most %d different neighbours",
			           MAX_NEIGHBOURS);
			w->failed = true;
		}
	}
	return expr_var(n->value, read->at);
}

static bool ranges_apart(const struct fold *f, struct node *node)
{
	for (int d = 0; d < f->index.n; d++)
		if (!expr_walk(f->lo.at[d], is_no_table, node)
		    || !expr_walk(f->hi.at[d], is_no_table, node))
			return false;
	return true;
}

/* It reads tables in memory. */
static struct expr *fold_far(struct waving *w, struct expr *e)
{
	w->node->wave->far |= !expr_walk(e, is_no_table, w->node);
	if (!ranges_apart(e->fold, w->node)) {
		no_wave(e->at, "a range of a fold that depends on the statement's own targets");
		w->failed = true;
	}
	return e;
}

/* The expression with its neighbours for the reads of targets. */
static struct expr *waved(struct waving *w, struct expr *e)
{
	struct expr *copy;
	int q = e->kind == E_READ ? table_of(w->node, e->var) : -1;

	if (q >= 0 && is_near(w, e, q))
		return neighbour_read(w, e, q);
	w->node->wave->far |= q >= 0;
	if (expr_folds(e))
		return fold_far(w, e);
	copy = expr_bare(e);
	for (int k = 0; k < e->arg.n; k++)
		list_add(&copy->arg, w->failed ? e->arg.at[k] : waved(w, e->arg.at[k]));
	if (map_get(&w->s->distributed, e))
		*map_at(&w->s->distributed, copy) = copy;
	return copy;
}

/* A mask is computed before the cell: of that it sees what it held. */
static bool reads_become_neighbours(struct waving *w)
{
	if (w->node->where)
		w->node->where = waved(w, w->node->where);
	for (int q = 0; q < w->node->equation.n && !w->failed; q++) {
		w->equation = q;
		w->node->equation.at[q]->right = waved(w, w->node->equation.at[q]->right);
	}
	return !w->failed;
}

/* ---- boundary ---- */

/* `constant v` is v, and so is `constant (v)`. */
static const struct ast *plain_value(const struct ast *a)
{
	return a->kind == A_CALL && !strcmp(a->name, "constant") && a->arg.n == 1 ? a->arg.at[0]
	                                                                          : a;
}

/* `wrap` and its like continue an array from what is in it: here that may not be known yet. */
static bool is_mode(struct sema *s, const struct ast *a)
{
	static const char *const mode[] = { "clamp", "wrap", "mirror", "reflect", "keep", NULL };
	int k = 0;

	while (a->kind == A_NAME && mode[k] && strcmp(mode[k], a->name))
		k++;
	if (a->kind != A_NAME || !mode[k] || name_find(s, a->name))
		return false;
	diag_error(a->at, D_BOUNDARY,
	           "the boundary of a wavefront must be a value, but `%s` is not one", a->name);
	diag_cure("write `boundary 0` or another value, which may depend on the indices outside: "
	          "`boundary (i < 0 ? 1 : 2)`");
	return true;
}

static bool boundary_read(struct waving *w)
{
	const struct clause_use *use = node_clause(w->node, "boundary");
	int n = use ? use->value.n : 0, tables = w->node->equation.n, first = 0;

	if (n == 2 && use->value.at[0]->kind == A_NAME
	    && !strcmp(use->value.at[0]->name, "constant"))
		first = 1, n = 1;
	if (use && n != 1 && n != tables) {
		diag_error(use->at, D_BOUNDARY, "there are %d boundaries for %d target%s", n,
		           tables, tables == 1 ? "" : "s");
		diag_cure("give one for all targets, or one for each: `boundary (LOW, LOW, 0)`");
		fix_one_value(use);
		return false;
	}
	for (int q = 0; use && q < tables; q++) {
		w->boundary[q] = plain_value(use->value.at[n == 1 ? first : q]);
		if (is_mode(w->s, w->boundary[q]))
			return false;
	}
	return true;
}

/* ---- the statement ---- */

static bool bounds_apart(struct node *node)
{
	for (int k = 0; k < node->index.n; k++)
		if (!expr_walk(node->lo.at[k], is_no_table, node)
		    || !expr_walk(node->hi.at[k], is_no_table, node))
			return no_wave(node->at,
			               "a range that depends on the statement's own targets");
	return true;
}

/* A range may lean on an index that the order moves before it. */
static bool ranges_fit(const struct node *node)
{
	bool leans = false, moved = false;

	for (int k = 0; k < node->index.n; k++) {
		leans |= has_index(node->lo.at[k]) || has_index(node->hi.at[k]);
		moved |= node->wave->order[k] != k;
	}
	if (!leans || !moved)
		return true;
	diag_error(node->at, D_FORM_NOT_BUILT,
	           "a range that depends on an index with a later subscript is not supported yet");
	diag_cure("put the outer index first: `for i in 0..m, j in 0..i` with `A[i, j]`");
	return false;
}

static bool reads_others(const struct node *node)
{
	for (int r = 0; r < node->wave->read.n; r++)
		if (leaves(node, node->wave->read.at[r]->step))
			return true;
	return node->wave->far;
}

static bool settle(struct waving *w)
{
	if (!reads_become_neighbours(w))
		return false;
	if (reads_others(w->node))
		return true;
	no_wave(w->node->at,
	        "no cell here reads another cell of the targets: that is a map or a stencil");
	sema_instead("map");
	sema_instead("stencil");
	return false;
}

static bool wave_close(struct sema *s, struct node *node)
{
	struct waving w = { .s = s, .node = node };
	bool fine = bounds_apart(node);

	for (int q = 0; q < node->equation.n && fine; q++)
		fine = target_fits(node, q);
	if (fine)
		ranges_cut(node);
	return fine && ranges_fit(node) && directions(node) && places_tested(node)
	    && boundary_read(&w)
	    && (!node_clause(node, "boundary") || settle(&w));
}

static bool is_proved(struct expr *e, void *waving)
{
	const struct waving *w = waving;
	int q = e->kind == E_READ ? table_of(w->node, e->var) : -1;

	if (q < 0 || !e->checked || !is_near(w, e, q))
		return true;
	diag_error(e->at, D_BOUNDARY,
	           "whether %s is inside `%s` depends on data, and there is no boundary value",
	           expr_text(e), e->var->name);
	diag_cure("add `boundary 0`, or another value");
	return false;
}

static bool read_elsewhere(const struct node *node, int q)
{
	for (int k = 0; k < node->wave->read.n; k++)
		if (node->wave->read.at[k]->equation == q
		    && leaves(node, node->wave->read.at[k]->step))
			return true;
	return false;
}

static bool leans_on(const struct node *node, const struct var *index)
{
	for (int k = 0; k < node->index.n; k++)
		if (bounds_use(node, k, index))
			return true;
	return false;
}

/* Along an index, a neighbour of a cell of the domain is in the domain too, or outside the table.
 * */
static bool stays(const struct node *node, const struct neighbour *n, int k, int d)
{
	const struct expr *cell = wave_target(node, n->equation);
	struct affine lo, hi, end = cell->var->extent[d];
	struct affine first = affine_constant(-cell->affine[d].constant);

	if (n->step[k] == 0)
		return true;
	if (leans_on(node, node->index.at[k]))
		return false;
	if (n->step[k] < 0)
		return affine_of(node->lo.at[k], &lo) && affine_equal(&lo, &first);
	return affine_of(node->hi.at[k], &hi) && affine_add(&end, &first, 1)
	       && affine_equal(&hi, &end);
}

/* Is a neighbour that is inside its table in the domain, too? */
static bool stays_inside(const struct node *node, const struct neighbour *n)
{
	for (int d = 0; d < node->index.n; d++)
		if (!stays(node, n, node->wave->order[d], d))
			return false;
	return true;
}

/* No cell of the table that the statement leaves out is looked at. */
static bool looks_inside(const struct node *node, int q)
{
	for (int r = 0; r < node->wave->read.n; r++)
		if (node->wave->read.at[r]->equation == q
		    && !stays_inside(node, node->wave->read.at[r]))
			return false;
	return !node->where;
}

/* `boundary` is of the table; a program may have meant that of the domain: a remark tells. */
static const struct neighbour *beside(const struct node *node)
{
	for (int r = 0; node_clause(node, "boundary") && r < node->wave->read.n; r++)
		if (!stays_inside(node, node->wave->read.at[r]))
			return node->wave->read.at[r];
	return NULL;
}

/* Cells that the statement leaves out show what the table held before. */
static bool fresh_whole(const struct sema *s, const struct node *node)
{
	for (int q = 0; q < node->equation.n; q++) {
		const struct var *table = wave_target(node, q)->var;
		bool fresh = false;
		for (int k = 0; k < s->fresh.n; k++)
			fresh |= s->fresh.at[k] == table;
		if (!fresh || !read_elsewhere(node, q) || looks_inside(node, q))
			continue;
		diag_error(node->at, D_OUT_READ,
		           "cells of `%s` that the statement does not write are read, and `%s` is "
		           "`out`, so they have no value",
		           table->name, table->name);
		diag_cure("declare `inout %s` if the caller passes their values, or write them in "
		          "an earlier statement",
		          table->name);
		return false;
	}
	return true;
}

/* ---- values outside that are tested ---- */

/* Note [values outside that are tested] What a test at run time finds outside its array leaves the
 * cell out (R34), but only where it is used.  So a boundary with such a test becomes part of the
 * right sides: `place inside ? neighbour : value there`, and the neighbour is one that nobody uses
 * outside. */

static struct expr *moved(struct var *index, int64_t by)
{
	struct expr *i = expr_var(index, index->at);

	return by ? expr_binary(OP_ADD, i, expr_int(i->type, by, index->at)) : i;
}

static struct expr *and_also(struct expr *a, struct expr *b)
{
	return a ? expr_binary(OP_LAND, a, b) : b;
}

static struct expr *place_inside(const struct node *node, const struct neighbour *n)
{
	const struct expr *cell = wave_target(node, n->equation);
	struct expr *inside = NULL;

	for (int d = 0; d < cell->arg.n; d++) {
		int k = node->wave->order[d];
		struct expr *at = moved(node->index.at[k], n->step[k] + cell->affine[d].constant);
		if (!n->step[k])
			continue;
		inside = and_also(inside, expr_binary(OP_LE, expr_int(at->type, 0, cell->at), at));
		inside = and_also(inside,
		                  expr_binary(OP_LT, at,
		                              extent_expr(&cell->var->extent[d], cell->at)));
	}
	return inside;
}

static struct expr *value_there(const struct node *node, const struct neighbour *n)
{
	struct expr *at[MAX_RANK];

	for (int k = 0; k < node->index.n; k++)
		at[k] = moved(node->index.at[k], n->step[k]);
	return expr_substitute(n->outside, node->index.at, at, node->index.n);
}

static void outside_where_used(struct node *node, struct neighbour *n)
{
	struct expr *choice = expr_new(E_COND, n->value->type, n->value->at);

	list_add(&choice->arg, place_inside(node, n));
	list_add(&choice->arg, expr_var(n->value, n->value->at));
	list_add(&choice->arg, value_there(node, n));
	n->outside = NULL;
	if (node->where)
		node->where = expr_substitute(node->where, &n->value, &choice, 1);
	for (int q = 0; q < node->equation.n; q++)
		node->equation.at[q]->right = expr_substitute(node->equation.at[q]->right,
		                                              &n->value, &choice, 1);
}

static void settle_tested(struct node *node)
{
	for (int r = 0; r < node->wave->read.n; r++)
		if (expr_checked(node->wave->read.at[r]->outside))
			outside_where_used(node, node->wave->read.at[r]);
}

/* What has no boundary: after the proof that none leaves. */
static bool settle_inside(struct sema *s, struct node *node)
{
	struct waving w = { .s = s, .node = node };

	for (int q = 0; q < node->equation.n; q++)
		if (!expr_walk(node->equation.at[q]->right, is_proved, &w))
			return false;
	return expr_walk(node->where, is_proved, &w) && settle(&w);
}

static bool wave_settle(struct sema *s, struct node *node)
{
	settle_tested(node);
	if (!ranges_proved(node) || (!node_clause(node, "boundary") && !settle_inside(s, node))
	    || !fresh_whole(s, node)
	    || !affine_check_order(node, s->fresh.at, s->fresh.n))
		return false;
	node->wave->beside = beside(node);
	wave_forms(s, node);
	return true;
}

const struct front wavefront_front = { .open = wave_open,
	                               .close = wave_close,
	                               .settle = wave_settle };
