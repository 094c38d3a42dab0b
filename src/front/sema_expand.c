/* sema_expand.c - statements over data-dependent ranges: expansion.h.
 *
 * Which ranges these are, and to which array their cells are cut, is found before the statement is
 * proved.  Afterwards the statements that come before it are made: their text is below, with the
 * names of this statement put in.  They are checked as if the program had them. */
#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "ask.h"
#include "expansion.h"
#include "ragged.h"
#include "running.h"
#include "selection.h"
#include "sema_impl.h"

/* ---- which ranges ---- */

static bool refused(const struct node *node, int k, const char *why, const char *cure)
{
	diag_error(node->index.at[k]->at, D_RANGE_NOT_BUILT, "%s: this is not supported yet", why);
	diag_cure("%s", cure);
	return false;
}

static bool same_for_all(const struct node *node, int k, const char *why)
{
	if (!has_index(node->lo.at[k]) && !has_index(node->hi.at[k]))
		return true;
	return refused(node, k,
	               str_print("the range of `%s` depends on another index%s",
	                         node->index.at[k]->name, why),
	               "give it a range that depends on sizes only, and put the rest of the "
	               "condition into `where`");
}

/* The indices that say which range it is: those that bound it, or, where each item is numbered by
 * all indices, all before it; and those of an item, after it. */
static bool find_others(const struct node *node, struct expansion *x)
{
	const bool all = node->pattern->selects;

	for (int k = 0; k < x->inner; k++) {
		if (!all && !bounds_use(node, x->inner, node->index.at[k]))
			continue;
		if (!same_for_all(node, k, ", by which ranges are numbered"))
			return false;
		list_add(&x->outer, k);
	}
	for (int k = x->inner + 1; all && k < node->index.n; k++) {
		if (has_data(node->lo.at[k]) || has_data(node->hi.at[k]))
			return true;             /* expansion_find refuses it */
		if (!same_for_all(node, k, ", and the order of the items matters"))
			return false;
		list_add(&x->after, k);
	}
	return true;
}

/* ---- the array that it is cut to ---- */

/* An array that every item of the equation writes or reads at the index. */
static bool equation_inside(const struct equation *eq, const struct var *index,
                            struct affine *extent)
{
	return always_inside(eq->target.at[0], index, extent)
	       || always_inside(eq->right, index, extent);
}

/* The extent of the array that all equations write or read at the index. */
static bool all_inside(const struct node *node, const struct var *index, struct affine *extent)
{
	struct affine one;

	for (int q = 0; q < node->equation.n; q++)
		if (!equation_inside(node->equation.at[q], index, q ? &one : extent)
		    || (q && !affine_equal(&one, extent)))
			return false;
	return node->equation.n;
}

/* A compact moves an item by all equations or by none: the array of one that keeps items is
 * enough. */
static bool one_inside(const struct node *node, const struct var *index, struct affine *extent)
{
	for (int q = 0; q < node->equation.n; q++)
		if (selected_part(node, node->equation.at[q]) == PART_KEPT
		    && equation_inside(node->equation.at[q], index, extent))
			return true;
	return false;
}

/* An array that a later range, the mask, or the equations come to at the index. */
static struct cut node_cut(const struct node *node, int k)
{
	const struct expr *mask = expr_true(node->where) ? NULL : node->where;
	const struct expr *first[2 * MAX_RANK + 1];
	const struct var *index = node->index.at[k];
	struct affine all;
	int n = 0;

	for (int j = k + 1; j < node->index.n; j++) {
		first[n++] = node->lo.at[j];
		first[n++] = node->hi.at[j];
	}
	if (mask)
		first[n++] = mask;
	struct cut cut = cut_of(node->lo.at[k], node->hi.at[k], index, first, n);
	if (!cut.end && !mask
	    && (node->pattern->selects ? one_inside : all_inside)(node, index, &all))
		cut.end = extent_expr(&all, index->at);
	return cut;
}

static struct expr *count_of(const struct node *node, int k)
{
	struct fold *fold = NEW(struct fold);
	struct expr *e = expr_new(E_FOLD, type_scalar(T_I64), node->at);
	struct expr *each = expr_new(E_CONST, type_scalar(T_BOOL), node->at);

	each->value.i = 1;
	fold->op = op_own(OPK_COUNT);
	list_add(&fold->index, node->index.at[k]);
	list_add(&fold->lo, node->lo.at[k]);
	list_add(&fold->hi, node->hi.at[k]);
	fold->cut = NEW(struct cut);
	*fold->cut = node_cut(node, k);
	e->fold = fold;
	list_add(&e->arg, each);
	return e;
}

bool expansion_find(struct node *node)
{
	struct expansion *x;

	if (!node->pattern->expands)
		return true;
	for (int k = 0; k < node->index.n; k++) {
		if (!has_data(node->lo.at[k]) && !has_data(node->hi.at[k]))
			continue;
		x = node->expand;
		if (x && node->pattern->selects)
			return refused(node, k,
			               "the ranges of two indices depend on cells, and the order "
			               "of the items matters",
			               "compact the items of the first index into an array");
		if (!x) {
			x = node->expand = NEW(struct expansion);
			*x = (struct expansion){ .inner = k };
			if (!find_others(node, x))
				return false;
		}
		x->count[k] = count_of(node, k);
	}
	return true;
}

/* ---- the statements before it ---- */

enum made { LET_ENDS, COUNT, FROM };

/* The ends, of as many axes as there are outer indices, or of one range.  LOW .. HIGH are the
 * values of an outer index, of 0 .. CELLS; EACH are the items of a cell of the range. */
static const char *template_of(const struct expansion *x)
{
	const char *cells = "", *at = "", *in = "";

	for (int d = 0; d < x->outer.n || !d; d++) {
		const char *comma = d ? ", " : "";
		cells = str_print("%s%sCELLS%d", cells, comma, d);
		at = str_print("%s%sOUTER%d", at, comma, d);
		in = str_print("%s%sOUTER%d in LOW%d..HIGH%d", in, comma, d, d, d);
	}
	return str_print("kernel made() {\n"
	                 "let ENDS: i64[%s];\n"
	                 "FOLD ENDS[%s] = count[INNER in FIRST..END](true)%s for %s;\n"
	                 "ASSIGN VALUE = FROM;\n"
	                 "}\n",
	                 cells, at, x->after.n ? " * EACH" : "", in);
}

static bool over_sizes(const struct affine *a)
{
	for (int k = 0; k < a->n; k++)
		if (a->term[k].var->kind != VAR_SIZE)
			return false;
	return true;
}

/* Without the terms that make it less. */
static struct affine positive_part(const struct affine *a)
{
	struct affine more = affine_constant(a->constant > 0 ? a->constant : 0);

	for (int k = 0; k < a->n; k++)
		if (a->term[k].coef > 0)
			more.term[more.n++] = a->term[k];
	return more;
}

/* Cells for all values of the outer index k, from 0 on. */
static bool outer_cells(const struct node *node, int k, struct affine *cells)
{
	const struct expansion *x = node->expand;
	const struct var *outer = node->index.at[k];
	struct affine hi, lo;
	bool known = affine_of(node->lo.at[k], &lo) && affine_of(node->hi.at[k], &hi)
	             && over_sizes(&lo) && over_sizes(&hi);

	if (known)
		*cells = positive_part(&hi);
	struct affine least = known ? positive_part(&lo) : affine_constant(0);
	if (known ? affine_equal(&least, &lo)
	          : always_inside(node->lo.at[x->inner], outer, cells)
	            || always_inside(node->hi.at[x->inner], outer, cells))
		return true;
	return refused(node, k,
	               known ? str_print("`%s` may be less than 0", outer->name)
	                     : str_print("neither sizes nor an array give the number of values of "
	                                 "`%s`",
	                                 outer->name),
	               "use a range from 0 to a size, and put the rest of the condition into "
	               "`where`");
}

/* An index that `for` does not name has the range that was found for it, over sizes. */
static struct ast *bound_tree(struct sema *s, const struct ast_range *r, bool high,
                              const struct expr *bound)
{
	struct affine form;

	if (r)
		return high ? r->hi : r->lo;
	bool known = affine_of(bound, &form);
	assert(known && "what subscripts give is 0 to an extent");
	return tree_affine(s, &form, bound->at);
}

/* Of the inner range. */
static const struct cut *expansion_cut(const struct expansion *x)
{
	return x->count[x->inner]->fold->cut;
}

/* Of a range that is cut to an array: its first cell there. */
static struct ast *from_tree(const struct expansion *x, struct ast *lo)
{
	const struct cut *cut = expansion_cut(x);
	struct ast *from = tree_call(lo->at, type_name(type_scalar(T_I64)), lo, NULL);

	return !cut->end || cut->trusted
	               ? from
	               : tree_call(lo->at, "max", from, tree_number(lo->at, 0));
}

struct ast *index_bound(struct sema *s, const struct ast_stmt *a, const struct node *node, int k,
                        bool high)
{
	return bound_tree(s, range_named(a, node->index.at[k]->name), high,
	                  high ? node->hi.at[k] : node->lo.at[k]);
}

/* Of a cell of the range: by the indices after it. */
static struct ast *items_tree(struct sema *s, const struct ast_stmt *a, const struct node *node)
{
	const struct expansion *x = node->expand;
	const char *wide = type_name(type_scalar(T_I64));
	struct ast *all = tree_number(a->at, 1);

	for (int d = 0; d < x->after.n; d++) {
		struct ast *end[2];
		for (int high = 0; high < 2; high++)
			end[high] = tree_call(a->at, wide,
			                    index_bound(s, a, node, x->after.at[d], high),
			                    NULL);
		struct ast *size = tree_call(a->at, "max", tree_binary(a->at, "-", end[1], end[0]),
		                           tree_number(a->at, 0));
		all = d ? tree_binary(a->at, "*", all, size) : size;
	}
	return all;
}

static void fill_outer(struct filling *f, int d, const char *name, struct ast *cells,
                       struct ast *low, struct ast *high)
{
	fill_name(f, str_print("OUTER%d", d), name);
	fill_tree(f, str_print("CELLS%d", d), cells);
	fill_tree(f, str_print("LOW%d", d), low);
	fill_tree(f, str_print("HIGH%d", d), high);
}

/* false: reported */
static bool fill(struct sema *s, const struct ast_stmt *a, const struct node *node,
                 struct filling *f)
{
	const struct expansion *x = node->expand;
	const struct ast_range *inner = range_named(a, node->index.at[x->inner]->name);
	struct affine cells;

	*f = (struct filling){ .at = a->at };
	fill_name(f, "ENDS", name_free(s, "ends"));
	fill_name(f, "INNER", node->index.at[x->inner]->name);
	fill_name(f, "ASSIGN", pattern_assign->name);
	fill_name(f, "FOLD", pattern_assign_fold->name);
	fill_tree(f, "FROM", from_tree(x, inner->lo));
	fill_tree(f, "FIRST", inner->lo);
	fill_tree(f, "END", inner->hi);
	fill_tree(f, "EACH", items_tree(s, a, node));
	if (!x->outer.n)
		fill_outer(f, 0, name_free(s, "range"), tree_number(a->at, 1),
		           tree_number(a->at, 0), tree_number(a->at, 1));
	for (int d = 0; d < x->outer.n; d++) {
		int k = x->outer.at[d];
		if (!outer_cells(node, k, &cells))
			return false;
		fill_outer(f, d, node->index.at[k]->name, tree_affine(s, &cells, a->at),
		           index_bound(s, a, node, k, false),
		           index_bound(s, a, node, k, true));
	}
	return true;
}

/* ---- they are checked ---- */

static bool mark_plain(struct expr *e, void *unused)
{
	(void)unused;
	e->checked = false;              /* who counts the items has tested it */
	e->guarded |= e->kind == E_READ;
	return true;
}

/* In the scope of the statement, whose indices are known. */
static struct expr *item_value(struct sema *s, struct node *node, const struct ast_stmt *made)
{
	const struct expansion *x = node->expand;
	int mark = scope_open(s);

	for (int d = 0; d < x->outer.n; d++) {
		struct var *outer = node->index.at[x->outer.at[d]];
		name_declare(s, outer->name, node->at)->var = outer;
	}
	struct expr *e = expr_index(s, made->equation.at[0]->right);
	assert(e && "the template is right");
	expr_walk(e, mark_plain, NULL);
	scope_close(s, mark);
	return e;
}

static bool set_cut(struct expr *e, void *cut)
{
	if (e->kind == E_FOLD)
		*e->fold->cut = *(const struct cut *)cut;
	return e->kind != E_FOLD;
}

static struct expr *running_sum(struct expr *each)
{
	struct expr *e = expr_new(E_FOLD, each->type, each->at);

	e->fold = NEW(struct fold);
	e->fold->op = op_own(OPK_SUM);
	e->fold->running = true;
	list_add(&e->arg, each);
	return e;
}

static void add_words(const struct ast_stmt *from, struct ast_stmt *to)
{
	for (int k = 0; k < from->word.n; k++)
		if (from->word.at[k]->kind == A_NAME
		    && (!strcmp(from->word.at[k]->name, "drop")
		        || !strcmp(from->word.at[k]->name, "trusted")))
			list_add(&to->word, from->word.at[k]);
}

/* What the statement of the template counts runs: it stores the sum so far. */
static struct node *make_ends(struct sema *s, struct ast_stmt *const *stmt,
                              const struct ast_stmt *from, struct node *node)
{
	let_check(s, stmt[LET_ENDS]);
	stmt[COUNT]->label = str_name(str_print("%s_ends", node->name));
	add_words(from, stmt[COUNT]);
	struct node *ends = made_try(s, stmt[COUNT]);
	assert(ends && "the template is right");
	struct equation *eq = ends->equation.at[0];
	expr_walk(eq->right, set_cut, (void *)expansion_cut(node->expand));
	eq->right = running_sum(eq->right);
	ends->pattern = pattern_running;
	ends->running = NEW(struct running);
	ends->running->counts = true;
	return ends;
}

static struct expr *first_end(const struct node *ends)
{
	struct expr *zero[MAX_RANK];

	for (int d = 0; d < ends->index.n; d++)
		zero[d] = expr_int(type_scalar(T_I64), 0, ends->at);
	struct expr *end = expr_substitute(node_target(ends, 0), ends->index.at, zero,
	                                   ends->index.n);
	mark_plain(end, NULL);
	return end;
}

/* ---- statements with the same ranges share them ---- */

static bool same_bound(const struct node *a, const struct node *b, const struct expr *of_a,
                       const struct expr *of_b)
{
	const struct expansion *x = a->expand, *y = b->expand;
	struct var *from[MAX_RANK];
	struct expr *to[MAX_RANK];

	for (int d = 0; d < y->outer.n; d++) {
		from[d] = b->index.at[y->outer.at[d]];
		to[d] = expr_var(a->index.at[x->outer.at[d]], from[d]->at);
	}
	return expr_same(of_a, expr_substitute(of_b, from, to, y->outer.n));
}

static bool same_range(const struct node *a, const struct node *b, int k, int l)
{
	return same_bound(a, b, a->lo.at[k], b->lo.at[l])
	       && same_bound(a, b, a->hi.at[k], b->hi.at[l]);
}

static bool same_axes(const struct node *a, const struct node *b, const struct axes *of_a,
                      const struct axes *of_b)
{
	if (of_a->n != of_b->n)
		return false;
	for (int d = 0; d < of_a->n; d++)
		if (!same_range(a, b, of_a->at[d], of_b->at[d]))
			return false;
	return true;
}

static bool same_cut(const struct cut *a, const struct cut *b)
{
	return a->rises == b->rises && a->trusted == b->trusted && !a->end == !b->end
	       && (!a->end || expr_same(a->end, b->end));
}

static bool same_ranges(const struct node *a, const struct node *b)
{
	const struct expansion *x = a->expand, *y = b->expand;

	return x && x->outer.n == y->outer.n
	       && !node_clause(a, "drop") == !node_clause(b, "drop")
	       && same_axes(a, b, &x->outer, &y->outer) && same_axes(a, b, &x->after, &y->after)
	       && same_range(a, b, x->inner, y->inner)
	       && same_cut(expansion_cut(x), expansion_cut(y));
}

static bool not_written(struct expr *e, void *by)
{
	const struct node *node = by;
	const bool swapped = e->var && (e->var == node->swap[0] || e->var == node->swap[1]);

	return !swapped && !(e->var && node_writes(node, e->var));
}

/* Nothing that says what the ranges are is written by the statement `by`. */
static bool ranges_kept(const struct node *node, struct node *by)
{
	const struct expansion *x = node->expand;

	if (by->kind != NODE_PATTERN && by->kind != NODE_SWAP)
		return false;
	for (int k = 0; k < node->index.n; k++)
		if ((k == x->inner || axes_have(&x->outer, k) || axes_have(&x->after, k))
		    && !(expr_walk(node->lo.at[k], not_written, by)
		         && expr_walk(node->hi.at[k], not_written, by)))
			return false;
	return true;
}

/* The scan whose ends a statement before it in the same block uses; NULL: none. */
static struct node *known_ends(const struct node *node, const struct made_nodes *made)
{
	for (int k = made->earlier - 1; k >= 0; k--) {
		struct node *by = made->before[k];
		if (!ranges_kept(node, by))
			return NULL;
		if (same_ranges(by, node))
			return by->expand->ends;
	}
	return NULL;
}

bool expansion_made(struct sema *s, const struct ast_stmt *a, struct node *node,
                    struct made_nodes *made)
{
	struct expansion *x = node->expand;
	struct filling f;

	if (!x)
		return true;
	if (!fill(s, a, node, &f))
		return false;
	struct ast_decl *kernel = parse_template(template_of(x));
	struct ast_stmt **stmt = kernel->body.at;
	for (int k = 0; k <= FROM; k++)
		fill_statement(&f, stmt[k]);
	x->ends = known_ends(node, made);
	if (!x->ends) {
		x->ends = make_ends(s, stmt, a, node);
		list_add(made, x->ends);
	}
	x->end = first_end(x->ends);
	x->from = item_value(s, node, stmt[FROM]);
	return true;
}
