/* sema_expand.c - statements over ranges that data decide: expansion.h.
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
#include "sema_impl.h"

/* ---- which ranges ---- */

static bool refused(const struct node *node, int k, const char *why, const char *cure)
{
	diag_error(node->index.at[k]->at, D_RANGE_NOT_BUILT, "%s: this is not built yet", why);
	diag_cure("%s", cure);
	return false;
}

static bool bounds_use(const struct node *node, int k, int other)
{
	const struct var *v = node->index.at[other];

	return expr_uses(node->lo.at[k], v) || expr_uses(node->hi.at[k], v);
}

/* The index that says which range it is; -1: none, -2: several, reported. */
static int outer_of(const struct node *node, int inner)
{
	int outer = -1;

	for (int k = 0; k < inner; k++) {
		if (!bounds_use(node, inner, k))
			continue;
		if (outer >= 0) {
			refused(node, inner, "two indices say which cells bound this range",
			        "fold the two into one index");
			return -2;
		}
		outer = k;
	}
	if (outer < 0 || !(has_index(node->lo.at[outer]) || has_index(node->hi.at[outer])))
		return outer;
	refused(node, outer, str_print("another index bounds `%s`, which says what the range of "
	                               "`%s` is",
	                               node->index.at[outer]->name, node->index.at[inner]->name),
	        "give it a range over sizes");
	return -2;
}

/* Only the order of the items that is written is one range after another. */
static bool order_fits(const struct node *node, const struct expansion *x)
{
	bool in_order = node->pattern->selects || node_clause(node, "strict");

	if (!in_order || node->index.n == (x->outer < 0 ? 1 : 2))
		return true;
	return refused(node, x->inner,
	               "the order of the items counts, and there is an index beside the range and "
	               "what says which it is",
	               "write the statement without the other indices");
}

/* ---- the array that it is cut to ---- */

/* What every item of an equation comes to, the array that it goes to before what it brings. */
static bool equation_inside(const struct equation *eq, const struct var *index,
                            struct affine *extent)
{
	return always_inside(eq->target.at[0], index, extent)
	       || always_inside(eq->right, index, extent);
}

/* An array that the mask, or all equations, come to at the index. */
static struct cut node_cut(const struct node *node, int k)
{
	const struct expr *mask = node->where;
	const struct var *index = node->index.at[k];
	struct cut cut = cut_of(node->lo.at[k], node->hi.at[k], index, &mask, mask ? 1 : 0);
	struct affine all, one;

	for (int q = 0; q < node->equation.n && !mask; q++) {
		if (!equation_inside(node->equation.at[q], index, &one)
		    || (q && !affine_equal(&one, &all)))
			return cut;
		all = one;
	}
	if (!mask && node->equation.n)
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
		if (node->expand)
			return refused(node, k, "cells bound the ranges of two indices",
			               "compact the items of the first one into an array");
		x = node->expand = NEW(struct expansion);
		*x = (struct expansion){ .inner = k, .outer = outer_of(node, k) };
		if (x->outer < -1 || !order_fits(node, x))
			return false;
		x->count = count_of(node, k);
	}
	return true;
}

/* ---- the statements before it ---- */

/* LOW .. HIGH are the values of the outer index.  The right sides of the last four are the number
 * of items, the outer and the inner index of an item, and the inner one if there is one range. */
static const char text[] = "kernel made() {\n"
                           "let LENGTHS: i64[CELLS];\n"
                           "ASSIGN LENGTHS[OUTER] = 0;\n"
                           "FOLD LENGTHS[OUTER] = count[INNER in FIRST..END](true)\n"
                           "	for OUTER in LOW..HIGH;\n"
                           "let ENDS: i64[CELLS];\n"
                           "RUNNING ENDS[OUTER] = sum(LENGTHS[OUTER]);\n"
                           "ASSIGN VALUE = i64(0) < CELLS ? ENDS[CELLS - 1] : 0;\n"
                           "ASSIGN VALUE = search(ENDS, ITEM, upper);\n"
                           "ASSIGN VALUE = FROM + (ITEM - (0 < OUTER ? ENDS[OUTER - 1] : 0));\n"
                           "ASSIGN VALUE = FROM + ITEM;\n"
                           "}\n";

enum made { LET_LENGTHS, CLEAR, COUNT, LET_ENDS, ADD_UP, LAST_END, OWNER, PLACE, ALONE };

struct filling {
	struct loc at;
	struct { const char *hole; const char *name; struct ast *tree; } hole[16];
	int n;
};

static void fill_name(struct filling *f, const char *hole, const char *name)
{
	f->hole[f->n].hole = str_name(hole);
	f->hole[f->n++].name = str_name(name);
}

static void fill_tree(struct filling *f, const char *hole, struct ast *tree)
{
	f->hole[f->n].hole = str_name(hole);
	f->hole[f->n++].tree = tree;
}

static const char *filled_name(const struct filling *f, const char *name)
{
	for (int k = 0; k < f->n; k++)
		if (f->hole[k].name && f->hole[k].hole == name)
			return f->hole[k].name;
	return name;
}

static struct ast *filled(const struct filling *, struct ast *);

static void fill_range(const struct filling *f, struct ast_range *r)
{
	r->at = f->at;
	r->name = filled_name(f, r->name);
	r->lo = filled(f, r->lo);
	r->hi = filled(f, r->hi);
}

static struct ast *filled(const struct filling *f, struct ast *a)
{
	for (int k = 0; a && k < f->n; k++)
		if (a->kind == A_NAME && f->hole[k].tree && f->hole[k].hole == a->name)
			return f->hole[k].tree;
	if (!a)
		return NULL;
	a->at = f->at;
	a->name = filled_name(f, a->name);
	for (int k = 0; k < a->arg.n; k++)
		a->arg.at[k] = filled(f, a->arg.at[k]);
	for (int k = 0; k < a->sub.n; k++)
		fill_range(f, a->sub.at[k]);
	return a;
}

static void fill_statement(const struct filling *f, struct ast_stmt *a)
{
	a->at = f->at;
	a->name = filled_name(f, a->name);
	a->type = filled(f, a->type);
	for (int k = 0; k < a->equation.n; k++) {
		struct ast_equation *q = a->equation.at[k];
		q->at = f->at;
		q->target.at[0] = filled(f, q->target.at[0]);
		q->right = filled(f, q->right);
	}
	for (int k = 0; k < a->range.n; k++)
		fill_range(f, a->range.at[k]);
}

/* ---- with what the holes are filled ---- */

static const char *free_name(struct sema *s, const char *name)
{
	const char *free = str_name(name);

	for (int k = 2; name_find(s, free); k++)
		free = str_name(str_print("%s%d", name, k));
	return free;
}

static struct ast *tree_of(struct loc at, enum ast_kind kind, const char *name)
{
	struct ast *a = NEW(struct ast);

	*a = (struct ast){ .kind = kind, .at = at, .name = str_name(name) };
	return a;
}

static struct ast *binary_of(struct loc at, const char *op, struct ast *left, struct ast *right)
{
	struct ast *a = tree_of(at, A_BINARY, op);

	list_add(&a->arg, left);
	list_add(&a->arg, right);
	return a;
}

static struct ast *number_of(struct loc at, int64_t n)
{
	return tree_of(at, A_NUMBER, str_print("%lld", (long long)n));
}

/* An affine form over sizes, without negative parts. */
static struct ast *affine_tree(const struct affine *a, struct loc at)
{
	struct ast *sum = NULL;

	for (int k = 0; k < a->n; k++) {
		struct ast *term = tree_of(at, A_NAME, a->term[k].var->name);
		if (a->term[k].coef != 1)
			term = binary_of(at, "*", number_of(at, a->term[k].coef), term);
		sum = sum ? binary_of(at, "+", sum, term) : term;
	}
	if (sum && !a->constant)
		return sum;
	struct ast *constant = number_of(at, a->constant);
	return sum ? binary_of(at, "+", sum, constant) : constant;
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

/* Cells for all values of the outer index, from 0 on; exact: it takes all of them. */
static bool outer_cells(const struct node *node, struct affine *cells, bool *exact)
{
	const struct expansion *x = node->expand;
	struct affine hi, lo;

	*cells = affine_constant(1);
	*exact = true;
	if (x->outer < 0)
		return true;
	const struct var *outer = node->index.at[x->outer];
	bool known = affine_of(node->lo.at[x->outer], &lo) && affine_of(node->hi.at[x->outer], &hi)
	             && over_sizes(&lo) && over_sizes(&hi);
	if (known)
		*cells = positive_part(&hi);
	struct affine least = known ? positive_part(&lo) : affine_constant(0);
	*exact = known && lo.n == 0 && lo.constant == 0 && affine_equal(cells, &hi);
	if (known ? affine_equal(&least, &lo)
	          : always_inside(node->lo.at[x->inner], outer, cells)
	            || always_inside(node->hi.at[x->inner], outer, cells))
		return true;
	return refused(node, x->outer,
	               known ? str_print("`%s` may be less than 0", outer->name)
	                     : str_print("neither sizes nor an array say how many `%s` there are",
	                                 outer->name),
	               "a range from 0 to a size, with the rest of the condition in `where`");
}

/* An index that `for` does not name has the range that was found for it, over sizes. */
static struct ast *bound_tree(const struct ast_range *r, bool high, const struct expr *bound)
{
	struct affine form;

	if (r)
		return high ? r->hi : r->lo;
	bool known = affine_of(bound, &form);
	assert(known && "what subscripts give is 0 to an extent");
	return affine_tree(&form, bound->at);
}

/* Of a range that is cut to an array: its first cell there. */
static struct ast *from_tree(const struct expansion *x, struct ast *lo)
{
	const struct cut *cut = x->count->fold->cut;
	struct ast *from = tree_of(lo->at, A_CALL, type_name(type_scalar(T_I64)));

	list_add(&from->arg, lo);
	if (!cut->end || cut->trusted)
		return from;
	struct ast *most = tree_of(lo->at, A_CALL, "max");
	list_add(&most->arg, from);
	list_add(&most->arg, number_of(lo->at, 0));
	return most;
}

static void fill(struct sema *s, const struct ast_stmt *a, const struct node *node,
                 const struct affine *cells, struct filling *f)
{
	const struct expansion *x = node->expand;
	const struct ast_range *inner = range_named(a, node->index.at[x->inner]->name);

	*f = (struct filling){ .at = a->at };
	fill_name(f, "LENGTHS", free_name(s, "lengths"));
	fill_name(f, "ENDS", x->ends ? expansion_ends(x)->name : free_name(s, "ends"));
	fill_name(f, "ITEM", x->item->name);
	fill_name(f, "INNER", node->index.at[x->inner]->name);
	fill_name(f, "OUTER", x->outer < 0 ? free_name(s, "range")
	                                   : node->index.at[x->outer]->name);
	fill_name(f, "ASSIGN", pattern_assign->name);
	fill_name(f, "FOLD", pattern_assign_fold->name);
	fill_name(f, "RUNNING", pattern_running->name);
	fill_tree(f, "CELLS", affine_tree(cells, a->at));
	fill_tree(f, "FROM", from_tree(x, inner->lo));
	fill_tree(f, "FIRST", inner->lo);
	fill_tree(f, "END", inner->hi);
	const struct ast_range *outer = x->outer < 0 ? NULL
	        : range_named(a, node->index.at[x->outer]->name);
	fill_tree(f, "LOW", x->outer < 0 ? number_of(a->at, 0)
	                                 : bound_tree(outer, false, node->lo.at[x->outer]));
	fill_tree(f, "HIGH", x->outer < 0 ? number_of(a->at, 1)
	                                  : bound_tree(outer, true, node->hi.at[x->outer]));
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
	struct var *v[] = { node->expand->item,
		            node->expand->outer < 0 ? NULL : node->index.at[node->expand->outer] };
	int mark = scope_open(s);

	for (int k = 0; k < 2; k++)
		if (v[k])
			name_declare(s, v[k]->name, node->at)->var = v[k];
	struct expr *e = expr_index(s, made->equation.at[0]->right);
	assert(e && "the template is right");
	expr_walk(e, mark_plain, NULL);
	scope_close(s, mark);
	return e;
}

static void add_made(struct sema *s, struct ast_stmt *a, const char *what, struct made_nodes *made,
                     const struct node *node)
{
	struct node *one;

	if (a->kind == S_LET) {
		let_check(s, a);
		return;
	}
	a->label = str_name(str_print("%s_%s", node->name, what));
	one = pattern_try(s, a);
	assert(one && "the template is right");
	list_add(made, one);
	if (one->running || one->equation.at[0]->right->kind != E_FOLD)
		return;
	*one->equation.at[0]->right->fold->cut = *node->expand->count->fold->cut;
	one->pattern = pattern_assign;   /* a length is no work that threads could share */
}

static void add_words(const struct ast_stmt *from, struct ast_stmt *to)
{
	for (int k = 0; k < from->word.n; k++)
		if (from->word.at[k]->kind == A_NAME
		    && (!strcmp(from->word.at[k]->name, "drop")
		        || !strcmp(from->word.at[k]->name, "trusted")))
			list_add(&to->word, from->word.at[k]);
}

/* The statements of the template that count and add up; exact: all lengths are stored. */
static void make_ends(struct sema *s, struct ast_stmt *const *stmt, struct node *node, bool exact,
                      struct made_nodes *made)
{
	static const char *const name[] = { [CLEAR] = "none", [COUNT] = "lengths",
		                            [ADD_UP] = "ends" };

	for (int k = 0; k <= ADD_UP; k++)
		if (k != CLEAR || !exact)
			add_made(s, stmt[k], name[k], made, node);
	node->expand->ends = made->at[made->n - 1];
	node->expand->ends->running->lengths = made->at[made->n - 2];
}

/* ---- statements with the same ranges share them ---- */

static bool same_bound(const struct node *a, const struct node *b, const struct expr *of_a,
                       const struct expr *of_b)
{
	if (b->expand->outer < 0)
		return expr_same(of_a, of_b);
	struct var *from = b->index.at[b->expand->outer];
	struct expr *to = expr_var(a->index.at[a->expand->outer], from->at);
	return expr_same(of_a, expr_substitute(of_b, &from, &to, 1));
}

static bool same_range(const struct node *a, const struct node *b, int k, int l)
{
	return same_bound(a, b, a->lo.at[k], b->lo.at[l])
	       && same_bound(a, b, a->hi.at[k], b->hi.at[l]);
}

static bool same_cut(const struct cut *a, const struct cut *b)
{
	return a->rises == b->rises && a->trusted == b->trusted && !a->end == !b->end
	       && (!a->end || expr_same(a->end, b->end));
}

static bool same_ranges(const struct node *a, const struct node *b)
{
	const struct expansion *x = a->expand, *y = b->expand;

	return x && (x->outer < 0) == (y->outer < 0)
	       && !node_clause(a, "drop") == !node_clause(b, "drop")
	       && (x->outer < 0 || same_range(a, b, x->outer, y->outer))
	       && same_range(a, b, x->inner, y->inner)
	       && same_cut(x->count->fold->cut, y->count->fold->cut);
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
		if ((k == x->inner || k == x->outer)
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
	struct affine cells;
	struct filling f;
	bool exact;

	if (!x)
		return true;
	if (!outer_cells(node, &cells, &exact))
		return false;
	x->item = var_new(s, VAR_INDEX, free_name(s, "item"), type_scalar(T_I64), a->at);
	x->ends = known_ends(node, made);
	fill(s, a, node, &cells, &f);
	struct ast_decl *kernel = parse_template(text);
	struct ast_stmt **stmt = kernel->body.at;
	for (int k = 0; k <= ALONE; k++)
		fill_statement(&f, stmt[k]);
	add_words(a, stmt[COUNT]);
	/* lengths that nobody stores are those of no range */
	exact &= !expr_checked(node->lo.at[x->inner]) && !expr_checked(node->hi.at[x->inner]);
	if (!x->ends)
		make_ends(s, stmt, node, exact, made);
	x->items = item_value(s, node, stmt[LAST_END]);
	x->owner = x->outer < 0 ? NULL : item_value(s, node, stmt[OWNER]);
	x->cell = item_value(s, node, stmt[x->outer < 0 ? ALONE : PLACE]);
	return true;
}
