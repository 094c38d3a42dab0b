/* compact_begins.c - compact with `rows start` or `within r of (x, y, z)`: the statements that
 * count the items of each row, and add the counts up, before they are listed (selection.h).
 *
 * Of compact list = j where c for i in 0..m, j in 0..n rows start they are
 *
 *     let many: i64[m + 1];
 *     reduce many[i] = count[j in 0..n where c](true) for i in 0..m;
 *     scan start[i] = sum(many[i]) exclusive;
 *
 * Nothing writes many[m], so it is 0.  If start is i32, or there is none, the scan fills a
 * temporary.  Within a radius the first of them is pairs many[i] = ... within r of (x, y, z): what
 * that says of the bodies, and its grid (cutoff.h), are the compact's too. */
#include <string.h>

#include "ask.h"
#include "compact_begins.h"
#include "cutoff.h"
#include "selection.h"

struct begins {
	struct sema *s;
	const struct ast_stmt *stmt;
	struct node *node;
	struct row_begins *rows;
	struct expr *start;                  /* the target; NULL: none is named */
	bool within, apart;                  /* apart: `begin` is a temporary */
	struct affine cells;                 /* of `begin` */
	struct filling filling;
};

static bool not_built(struct loc at, const char *what, const char *cure)
{
	diag_error(at, D_FORM_NOT_BUILT, "%s: this is not supported yet", what);
	diag_cure("%s", cure);
	return false;
}

/* ---- what has rows ---- */

static const struct equation *rows_equation(const struct node *node)
{
	for (int q = 0; q < node->equation.n; q++)
		if (selected_part(node, node->equation.at[q]) == PART_ROWS)
			return node->equation.at[q];
	return NULL;
}

static bool ranges_fit(struct begins *g)
{
	const struct node *node = g->node;
	if (node->index.n != 2) {
		diag_error(node->at, g->within ? D_CUTOFF : D_SELECTION_TARGET,
		           "%s, but this statement has %d ind%s",
		           g->within ? "`within` applies to pairs of two bodies"
		                     : "`rows` counts the pairs of the first of two indices",
		           node->index.n, node->index.n == 1 ? "ex" : "ices");
		diag_cure("`for i in 0..n, j in 0..n`");
		return false;
	}
	for (int k = 0; k < 2; k++)
		if (expr_on_device(node->lo.at[k]) || expr_on_device(node->hi.at[k]))
			return not_built(node->index.at[k]->at,
			                 str_print("the range of `%s` depends on a device scalar, "
			                           "but rows are counted",
			                           node->index.at[k]->name),
			                 "use a range that depends on sizes only, and put the rest "
			                 "of the condition into `where`");
	return true;
}

/* As many rows as cells of `start` but one, from 0 on; without `start` no row is below 0. */
static bool rows_fit(struct begins *g)
{
	const struct expr *lo = g->node->lo.at[0], *hi = g->node->hi.at[0];
	struct affine first, end, one = affine_constant(1);
	const char *name = g->node->index.at[0]->name;
	if (!affine_of(lo, &first) || !affine_of(hi, &end) || !affine_never_negative(&first)
	    || !affine_never_negative(&end))
		return not_built(g->node->index.at[0]->at,
		                 str_print("the rows must be from 0 to a size, but the range of "
		                           "`%s` may differ",
		                           name),
		                 "use a range that depends on sizes only, and put the rest of the "
		                 "condition into `where`");
	g->cells = end;
	affine_add(&g->cells, &one, 1);
	if (!g->start
	    || (affine_is(lo, 0) && affine_equal(&g->cells, &g->start->var->extent[0])))
		return true;
	diag_error(g->start->at, D_SELECTION_TARGET,
	           "`%s` has %s cells, but the rows are `%s in %s..%s`", g->start->var->name,
	           affine_text(&g->start->var->extent[0]), name, expr_text(lo), expr_text(hi));
	diag_cure("declare one cell for each row from 0 on, and one more: `%s: i64[%s]`",
	          g->start->var->name, affine_text(&g->cells));
	return false;
}

/* Who counts items does not look at what they move by. */
static bool values_fit(const struct begins *g)
{
	const struct node *node = g->node;
	for (int q = 0; q < node->equation.n; q++)
		if (expr_checked(node->equation.at[q]->right))
			return not_built(node->equation.at[q]->at,
			                 "this reads at a data-dependent index, but rows are "
			                 "counted before",
			                 "store the index, and read with it in a later statement; "
			                 "or write `trusted`");
	if (!g->within || !g->stmt->otherwise)
		return true;
	return not_built(g->stmt->otherwise->at, "`else` would select all pairs that are not near",
	                 "remove `else`");
}

/* ---- the statements ---- */

/* The words of a clause, as they were written. */
static void add_clause(struct ast_stmt *to, const struct clause_use *use)
{
	const struct clause *c = use->clause;
	struct ast *word = tree_new(use->at, c->values && !c->then ? A_CALL : A_NAME, c->name);
	struct ast *then = c->then ? tree_new(use->at, A_CALL, c->then) : word;
	list_add(&to->word, word);
	if (c->then) {
		list_add(&to->word, use->value.at[0]);
		list_add(&to->word, then);
	}
	for (int k = c->then ? 1 : 0; k < use->value.n; k++)
		list_add(&then->arg, use->value.at[k]);
}

static void add_clauses(const struct begins *g, struct ast_stmt *to)
{
	static const char *const kept[] = {
		"within", "wrap", "drop", "trusted"
	};
	for (size_t k = 0; k < sizeof kept / sizeof *kept; k++)
		if (node_clause(g->node, kept[k]))
			add_clause(to, node_clause(g->node, kept[k]));
	list_add(&to->word, tree_new(to->at, A_NAME, "strict"));
}

static const char *template_of(const struct begins *g)
{
	return str_print("kernel made() {\n"
	                 "let MANY: i64[CELLS];\n"
	                 "%s MANY[ROW] = count[OTHER in LOW..HIGH%s](true) for ROW in FIRST..END;\n"
	                 "%s"
	                 "scan BEGIN[ROW] = sum(MANY[ROW]) exclusive;\n"
	                 "%s"
	                 "}\n",
	                 g->within ? "pairs" : "FOLD", g->stmt->where ? " where CONDITION" : "",
	                 g->apart ? "let BEGIN: i64[CELLS];\n" : "",
	                 g->rows->narrow ? "ASSIGN START[ROW] = i32(min(BEGIN[ROW], 2147483647));\n"
	                                 : "");
}

static void fill(struct begins *g)
{
	struct filling *f = &g->filling;
	const struct node *node = g->node;
	*f = (struct filling){ .at = node->at };
	fill_name(f, "ASSIGN", pattern_assign->name);
	fill_name(f, "FOLD", pattern_assign_fold->name);
	fill_name(f, "MANY", name_free(g->s, "many"));
	fill_name(f, "BEGIN", g->apart ? name_free(g->s, "begin") : name_here(g->s, g->start->var));
	if (g->start)
		fill_name(f, "START", name_here(g->s, g->start->var));
	fill_name(f, "ROW", node->index.at[0]->name);
	fill_name(f, "OTHER", node->index.at[1]->name);
	fill_tree(f, "CELLS", tree_affine(g->s, &g->cells, node->at));
	fill_tree(f, "FIRST", index_bound(g->s, g->stmt, node, 0, false));
	fill_tree(f, "END", index_bound(g->s, g->stmt, node, 0, true));
	fill_tree(f, "LOW", index_bound(g->s, g->stmt, node, 1, false));
	fill_tree(f, "HIGH", index_bound(g->s, g->stmt, node, 1, true));
	fill_tree(f, "CONDITION", g->stmt->where);
}

/* The condition of the terms that are counted is that of the items.  It is strict: kernels that
 * count and kernels that list find the same ones. */
static void take_condition(struct begins *g, const struct node *count)
{
	struct node *node = g->node;
	const struct cutoff *c = count->cutoff;
	struct folds folds = { .n = 0 };
	folds_of(count->equation.at[0]->right, &folds);
	const struct fold *fold = folds.at[0]->fold;
	struct var *from[] = { count->index.at[0], fold->index.at[0] };
	struct expr *to[] = { expr_var(node->index.at[0], node->at),
		              expr_var(node->index.at[1], node->at) };
	node->where = expr_substitute(fold->where, from, to, 2);
	if (!c)
		return;
	node->cutoff = NEW(struct cutoff);
	*node->cutoff = (struct cutoff){ .axes = c->axes, .at = c->at, .box = c->box,
		                         .bodies = c->bodies, .wraps = c->wraps };
}

static bool add_statement(struct begins *g, struct ast_stmt *a)
{
	fill_statement(&g->filling, a);
	if (a->kind == S_LET) {
		let_check(g->s, a);
		return true;
	}
	if (!g->rows->made.n)
		add_clauses(g, a);
	a->label = str_name(str_print("%s_rows%d", g->node->name, g->rows->made.n + 1));
	g->s->listed = g->node;
	struct node *made = made_try(g->s, a);
	g->s->listed = NULL;
	if (!made)
		return false;
	if (!g->rows->made.n)
		take_condition(g, made);
	list_add(&g->rows->made, made);
	return true;
}

static bool add_statements(struct begins *g)
{
	int mark = scope_open(g->s);
	bool fine = true;
	fill(g);
	const char *begin = g->filling.hole[3].name;
	struct ast_decl *kernel = parse_template(template_of(g));
	for (int k = 0; fine && k < kernel->body.n; k++)
		fine = add_statement(g, kernel->body.at[k]);
	if (fine)
		g->rows->begin = name_find(g->s, begin)->var;
	scope_close(g->s, mark);
	return fine;
}

bool begins_made(struct sema *s, const struct ast_stmt *a, struct node *node)
{
	const struct equation *rows = rows_equation(node);
	struct begins g = { .s = s, .stmt = a, .node = node,
		            .within = node_clause(node, "within") };
	const struct clause_use *wrap = node_clause(node, "wrap");
	if (wrap && !g.within) {
		diag_error(wrap->at, D_CUTOFF, "`wrap` without `within`");
		diag_cure("`within r of (x, y) wrap (lx, ly)`");
		return false;
	}
	if (!rows && !g.within)
		return true;
	g.start = rows ? rows->target.at[0] : NULL;
	g.rows = node->selection->rows = NEW(struct row_begins);
	*g.rows = (struct row_begins){ .narrow = rows && g.start->type->kind == T_I32 };
	g.apart = !rows || g.rows->narrow;
	return ranges_fit(&g) && rows_fit(&g) && values_fit(&g) && add_statements(&g);
}
