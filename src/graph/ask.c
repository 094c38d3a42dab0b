/* ask.c - questions of passes and lowerings about expressions, folds and statements. */
#include <assert.h>
#include "ask.h"
#include "running.h"
#include "sorting.h"
#include "wavefront.h"

struct search { enum expr_kind kind; const struct var *var; };

static bool differs_kind(struct expr *e, void *state)
{
	return e->kind != ((struct search *)state)->kind;
}

bool expr_true(const struct expr *e)
{
	return e && e->kind == E_CONST && e->type->kind == T_BOOL && e->value.i;
}

bool expr_has(const struct expr *e, enum expr_kind kind)
{
	struct search s = { kind, NULL };
	return e && !expr_walk((struct expr *)e, differs_kind, &s);
}

static bool folds_nothing(struct expr *e, void *state)
{
	(void)state;
	return !expr_folds(e);
}

bool expr_has_fold(const struct expr *e)
{
	return e && !expr_walk((struct expr *)e, folds_nothing, NULL);
}

static bool not_guarded(struct expr *e, void *state)
{
	(void)state;
	return !e->guarded;
}

const struct expr *expr_unwidened(const struct expr *e)
{
	while (e->kind == E_CAST && type_fits(e->arg.at[0]->type, e->type)
	       && (type_class(e->arg.at[0]->type) == 'F') == (type_class(e->type) == 'F'))
		e = e->arg.at[0];
	return e;
}

bool expr_guarded(const struct expr *e)
{
	return !expr_walk((struct expr *)e, not_guarded, NULL);
}

/* ---- windows ---- */

/* The fold of a statement that has this index, and which of its indices it is. */
struct over {
	const struct node *node;
	const struct var *index;
	const struct fold *fold;
	int axis;
};

static bool not_over(struct expr *e, void *state)
{
	struct over *o = state;
	for (int d = 0; e->kind == E_FOLD && d < e->fold->index.n; d++)
		if (e->fold->index.at[d] == o->index) {
			o->fold = e->fold;
			o->axis = d;
		}
	return !o->fold;
}

static bool is_over(struct over *o, const struct var *index)
{
	o->index = index;
	o->fold = NULL;
	return index->kind == VAR_INDEX && !node_walk((struct node *)o->node, not_over, o);
}

static bool uses_no_fold(struct expr *e, void *state)
{
	return e->kind != E_VAR || !is_over(state, e->var);
}

static bool add_bound(const struct node *node, struct shift_end *end, const struct expr *bound,
                      int64_t times)
{
	struct affine a;
	struct over o = { .node = node };
	if (affine_of(bound, &a))
		return affine_add(&end->sum, &a, times);
	if (end->n == MAX_RANK || !expr_walk((struct expr *)bound, uses_no_fold, &o))
		return false;
	end->at[end->n].bound = bound;
	end->at[end->n++].times = times;
	return true;
}

/* The number among a sum's terms of an index of a fold; -1: it has none. */
static int fold_term(const struct affine *sum, struct over *o)
{
	int t = sum->n - 1;
	while (t >= 0 && !is_over(o, sum->term[t].var))
		t--;
	return t;
}

/* An end of its range takes the place of each fold's index.  The end may use indices of the folds
 * around it, so that the sum is looked at again. */
static bool shift_end(const struct node *node, const struct affine *rest, bool most,
                      struct shift_end *end)
{
	const struct affine one = affine_constant(1);
	struct over o = { .node = node };
	int t;
	*end = (struct shift_end){ .sum = *rest };
	while ((t = fold_term(&end->sum, &o)) >= 0) {
		int64_t times = end->sum.term[t].coef;
		struct affine own = affine_var(end->sum.term[t].var);
		bool last = most == (times > 0);
		const struct expr *bound = last ? o.fold->hi.at[o.axis] : o.fold->lo.at[o.axis];
		if (!affine_add(&end->sum, &own, -times) || !add_bound(node, end, bound, times)
		    || (last && !affine_add(&end->sum, &one, -times)))
			return false;
	}
	return true;
}

bool shift_ends(const struct node *node, const struct affine *rest, struct shift_end *least,
                struct shift_end *most)
{
	return shift_end(node, rest, false, least) && shift_end(node, rest, true, most);
}

static bool is_fixed_part(struct expr *e, void *unused)
{
	(void)unused;
	bool varies = e->kind == E_VAR && (e->var->kind == VAR_INDEX || var_on_device(e->var));
	return !varies && e->kind != E_READ && !e->fold;
}

bool expr_fixed(const struct expr *e)
{
	return expr_walk((struct expr *)e, is_fixed_part, NULL);
}

bool shift_end_number(const struct shift_end *end)
{
	return !end->n && !end->sum.n;
}

static bool few_bits(int64_t i, int bits)
{
	return i > -(INT64_C(1) << bits) && i < INT64_C(1) << bits;
}

bool shift_end_fixed(const struct shift_end *end)
{
	for (int t = 0; t < end->sum.n; t++) {
		const struct term *term = &end->sum.term[t];
		if (term->var->kind == VAR_INDEX || var_on_device(term->var)
		    || !few_bits(term->coef, 8))
			return false;
	}
	for (int b = 0; b < end->n; b++)
		if (!expr_fixed(end->at[b].bound) || !few_bits(end->at[b].times, 8))
			return false;
	return few_bits(end->sum.constant, 40);
}

struct shift_end shift_end_back(const struct shift_end *end)
{
	struct shift_end back = *end;
	back.sum = affine_constant(0);
	bool is_number = affine_add(&back.sum, &end->sum, -1);
	assert(is_number && "shift_end_fixed");
	(void)is_number;
	for (int b = 0; b < back.n; b++)
		back.at[b].times = -back.at[b].times;
	return back;
}

static bool is_quick(struct expr *e, void *state)
{
	(void)state;
	return e->kind != E_MATH && e->kind != E_CALL
	       && !(e->kind == E_BINARY && (e->op == OP_DIV || e->op == OP_REM));
}

bool expr_slow(const struct expr *e)
{
	return !expr_walk((struct expr *)e, is_quick, NULL);
}

static bool is_even(struct expr *e, void *unused)
{
	(void)unused;
	return e->kind != E_CALL || !e->fn->uneven;
}

bool node_uneven(const struct node *node)
{
	return !node_walk((struct node *)node, is_even, NULL);
}

bool node_slow(const struct node *node)
{
	for (int q = 0; q < node->equation.n; q++)
		if (expr_slow(node->equation.at[q]->right))
			return true;
	return false;
}

static bool is_whole(struct expr *e, void *state)
{
	(void)state;
	return !expr_lazy(e);
}

bool node_branches(const struct node *node)
{
	for (int q = 0; q < node->equation.n; q++)
		if (!expr_walk(node->equation.at[q]->right, is_whole, NULL))
			return true;
	return false;
}

static bool differs_var(struct expr *e, void *state)
{
	return (e->kind != E_VAR && e->kind != E_READ) || e->var != ((struct search *)state)->var;
}

bool expr_uses(const struct expr *e, const struct var *var)
{
	struct search s = { E_VAR, var };
	return e && !expr_walk((struct expr *)e, differs_var, &s);
}

bool bounds_use(const struct node *node, int k, const struct var *index)
{
	return expr_uses(node->lo.at[k], index) || expr_uses(node->hi.at[k], index);
}

bool fold_bounds_use(const struct fold *fold, int k, const struct var *index)
{
	return expr_uses(fold->lo.at[k], index) || expr_uses(fold->hi.at[k], index);
}

bool node_is_box(const struct node *node)
{
	for (int k = 0; k < node->index.n; k++)
		for (int d = 0; d < node->index.n; d++)
			if (bounds_use(node, k, node->index.at[d]))
				return false;
	return true;
}

static bool no_other(struct expr *e, void *state)
{
	(void)state;
	return e->kind != E_READ
	       && (e->kind != E_VAR || e->var->kind == VAR_SIZE || e->var->kind == VAR_CONST);
}

bool expr_by_sizes(const struct expr *e)
{
	return expr_walk((struct expr *)e, no_other, NULL);
}

static bool ends_are(bool (*is)(const struct expr *), int n, struct expr *const *lo,
                     struct expr *const *hi)
{
	for (int d = 0; d < n; d++)
		if (!is(lo[d]) || !is(hi[d]))
			return false;
	return true;
}

bool node_by_sizes(const struct node *node)
{
	return ends_are(expr_by_sizes, node->index.n, node->lo.at, node->hi.at);
}

bool fold_by_sizes(const struct fold *fold)
{
	return ends_are(expr_by_sizes, fold->index.n, fold->lo.at, fold->hi.at);
}

bool fold_fixed(const struct fold *fold)
{
	return ends_are(expr_fixed, fold->index.n, fold->lo.at, fold->hi.at);
}

bool expr_uses_cell(const struct node *node, const struct expr *e)
{
	for (int k = 0; k < node->index.n; k++)
		if (expr_uses(e, node->index.at[k]))
			return true;
	return false;
}

bool node_exchanges(const struct node *node)
{
	return node->kind == NODE_SWAP || node->kind == NODE_SPARE;
}

bool is_dense(const struct var *var)
{
	return !var_home(var) && !(var->layout && var->layout->pitched);
}

static bool writes_line(const struct node *node, const struct var *var)
{
	for (int i = 0; node->wave && i < node->wave->line.n; i++)
		if (node->wave->line.at[i].cell->var == var)
			return true;
	return false;
}

bool node_writes(const struct node *node, const struct var *var)
{
	for (int q = 0; q < node->equation.n; q++)
		for (int t = 0; t < node->equation.at[q]->target.n; t++)
			if (target_read(node->equation.at[q]->target.at[t])->var == var)
				return true;
	return writes_line(node, var);
}

bool node_edged(const struct node *node)
{
	for (int d = 0; d < node->index.n; d++)
		if (node->edge[d].kind != B_NONE)
			return true;
	return false;
}

bool node_keeps(const struct node *node)
{
	for (int d = 0; d < node->index.n; d++)
		if (node->edge[d].kind == B_KEEP)
			return true;
	return false;
}

/* Cells may lie in no segment, and segments that are no segments run nothing. */
static bool leaves_gaps(const struct running *r)
{
	return r
	       && (r->segment == SEGMENT_OFFSETS
	           || (r->segment == SEGMENT_LENGTH && r->length->kind != E_CONST));
}

/* Writes every cell of var, unless a test at run time keeps it from it (node_checked). */
bool node_in_order(const struct node *node)
{
	const struct expr *cell = node_target(node, 0);
	bool is = cell->kind == E_READ && cell->arg.n == node->index.n;
	for (int d = 0; is && d < node->index.n; d++)
		is = cell->arg.at[d]->kind == E_VAR && cell->arg.at[d]->var == node->index.at[d];
	return is;
}

bool node_fills(const struct node *node, const struct var *var)
{
	if (node->kind != NODE_PATTERN || !node->whole || node->where || node_keeps(node)
	    || leaves_gaps(node->running))
		return false;
	for (int q = 0; q < node->equation.n; q++)
		for (int t = 0; t < node->equation.at[q]->target.n; t++) {
			const struct expr *target = node->equation.at[q]->target.at[t];
			bool elements = target->var && target->var->part
			                && target->var->part->type->kind == T_ARRAY;
			if (target->var == var && !elements
			    && (target->kind == E_READ || target->kind == E_VAR))
				return true;
		}
	return writes_line(node, var);
}

/* A target counts as read only for what its subscripts use. */
static bool target_uses(const struct expr *target, const struct var *var)
{
	for (int a = 0; a < target->arg.n; a++)
		if ((a == 0 && target->kind != E_READ && target->kind != E_VAR)
		    ? target_uses(target->arg.at[a], var) : expr_uses(target->arg.at[a], var))
			return true;
	return false;
}

/* A neighbour may have what the table held before the statement: old ones, and cells that it leaves
 * out. */
static bool wave_reads(const struct node *node, const struct var *var)
{
	bool leaves = !node->whole || node->where;
	for (int k = 0; node->wave && k < node->wave->read.n; k++) {
		const struct neighbour *n = node->wave->read.at[k];
		if ((leaves || !n->fresh)
		    && target_read(node->equation.at[n->equation]->target.at[0])->var == var)
			return true;
	}
	return false;
}

bool node_put_off(const struct node *repeat, const struct node *node)
{
	return node->kind == NODE_IF && repeat->asks && node->until == repeat->asks;
}

bool node_reads(const struct node *node, const struct var *var)
{
	struct search s = { E_VAR, var };
	if (wave_reads(node, var) || !wave_walk(node->wave, differs_var, &s))
		return true;
	if (!running_walk(node->running, differs_var, &s)
	    || !sorting_walk(node->sorting, differs_var, &s))
		return true;
	for (int q = 0; q < node->equation.n; q++) {
		struct equation *eq = node->equation.at[q];
		if (!equation_walk(eq, differs_var, &s))
			return true;
		for (int t = 0; t < eq->target.n; t++)
			if (target_uses(eq->target.at[t], var)
			    || (eq->combine && target_read(eq->target.at[t])->var == var))
				return true;
	}
	for (int d = 0; d < node->index.n; d++)
		if (bounds_use(node, d, var) || expr_uses(node->edge[d].value, var))
			return true;
	return expr_uses(node->where, var);
}

static bool not_checked(struct expr *e, void *state)
{
	(void)state;
	return !e->checked;
}

bool node_checked(const struct node *node)
{
	return !node_walk((struct node *)node, not_checked, NULL);
}

/* With the two indices exchanged. */
static struct affine mirrored(const struct node *node, const struct affine *a)
{
	struct var *const *pair = node->mirror;
	struct affine sum = affine_constant(a->constant);
	for (int k = 0; k < a->n; k++) {
		struct var *v = a->term[k].var;
		struct affine term = affine_var(v == pair[0] ? pair[1]
		                                : v == pair[1] ? pair[0] : v);
		affine_add(&sum, &term, a->term[k].coef);
	}
	return sum;
}

bool node_mirrors(const struct node *node, const struct expr *cell, const struct expr *read)
{
	bool same = node->mirror[0] && cell->kind == E_READ && cell->var == read->var;
	for (int a = 0; same && a < cell->var->rank; a++) {
		struct affine other = mirrored(node, &cell->affine[a]);
		same = cell->affine[a].n >= 0 && affine_equal(&other, &read->affine[a]);
	}
	return same;
}

/* Some access of a cell is checked, beside those of the terms that are folded: a term is skipped
 * alone. */
bool expr_skips(const struct expr *e)
{
	if (!e || e->checked)
		return e;
	if (e->kind == E_OR_ZERO)
		return false;
	for (int d = 0; e->fold && d < e->fold->index.n; d++)
		if (expr_skips(e->fold->lo.at[d]) || expr_skips(e->fold->hi.at[d]))
			return true;
	for (int a = 0; !expr_folds(e) && a < e->arg.n; a++)
		if (expr_skips(e->arg.at[a]))
			return true;
	return false;
}

bool targets_checked(const struct node *node)
{
	for (int t = 0; node_target(node, t); t++)
		if (node_target(node, t)->checked || target_read(node_target(node, t))->checked)
			return true;
	return false;
}

bool node_skips(const struct node *node)
{
	for (int t = 0; node_target(node, t); t++)
		if (expr_skips(node_target(node, t)))
			return true;
	for (int q = 0; q < node->equation.n; q++)
		if (expr_skips(node->equation.at[q]->right))
			return true;
	return expr_skips(node->where);
}

bool expr_computed(const struct expr *e)
{
	return e->kind == E_CALL || e->kind == E_COND;
}

const struct expr *element_computed(const struct expr *e)
{
	const struct expr *from = e->kind == E_ELEM && !e->var ? e->arg.at[0]->arg.at[0] : NULL;
	return from && expr_computed(from) ? from : NULL;
}

/* Is a struct in it computed, and used value by value? */
static bool shares(const struct expr *e)
{
	bool equal = e->kind == E_BINARY && e->arg.at[0]->type->kind == T_STRUCT;
	bool found = equal && (expr_computed(e->arg.at[0]) || expr_computed(e->arg.at[1]));
	for (int k = 0; e->kind == E_STRUCT && k < e->arg.n && !found; k++)
		found = element_computed(e->arg.at[k]);
	return found;
}

/* Needs statements of its own: a fold, an access that is tested at run time, or a variable for
 * what is shared. */
static bool plain(struct expr *e, void *state)
{
	(void)state;
	return e->kind != E_FOLD && e->kind != E_OR_ZERO && !e->checked && !shares(e);
}

bool needs_statements(const struct expr *e)
{
	return !expr_walk((struct expr *)e, plain, NULL);
}

/* ---- folds ---- */

enum { MOST_WORDS = 32 };        /* of 4 bytes, that a thread keeps for its folds: against spills */

bool words_fit(int64_t words)
{
	return words <= MOST_WORDS;
}

void folds_of(struct expr *e, struct folds *folds)
{
	if (!e)
		return;
	if (expr_folds(e)) {
		for (int f = 0; f < folds->n; f++)
			if (folds->at[f] == e)
				return;                      /* shared: equation.whole */
		folds->overflow |= folds->n == 8;
		if (folds->n < 8)
			folds->at[folds->n++] = e;
		return;
	}
	for (int a = 0; a < e->arg.n; a++)
		folds_of(e->arg.at[a], folds);
}

int64_t type_words(const struct type *type)
{
	int64_t words = 0;
	if (type->kind == T_ARRAY)
		return type_words(type->elem) * (type_size(type) / type_size(type->elem));
	if (type->kind != T_STRUCT)
		return type_size(type) > 4 ? 2 : 1;
	for (int f = 0; f < type->record->field.n; f++)
		words += type_words(type->record->field.at[f].type);
	return words;
}

const struct type *accumulator_type_of(const struct op *op, const struct type *type)
{
	const struct field maybe[] = {
		{ .name = "value", .type = type },
		{ .name = "is", .type = type_scalar(T_BOOL) }
	};
	if (op_identity(op, type))
		return type;
	return type_made(str_print("patc_maybe_%s", type_name(type)), 2, maybe);
}

const struct type *accumulator_type(const struct expr *fold)
{
	if (op_is_arg(fold->fold->op))
		return type_best(fold->arg.at[0]->type, 1);
	return accumulator_type_of(fold->fold->op, fold->type);
}

bool folds_fit(const struct folds *folds)
{
	int64_t words = 0;
	for (int f = 0; f < folds->n; f++)
		words += type_words(accumulator_type(folds->at[f]));
	return words_fit(words);
}

struct node *loop_first(const struct node *loop)
{
	for (int i = 0; i < loop->body.n; i++)
		if (loop->body.at[i]->kind == NODE_PATTERN && !loop->body.at[i]->into)
			return loop->body.at[i];
	return NULL;
}

bool nodes_solve(struct node *const *at, int n)
{
	bool any = false;
	for (int i = 0; i < n && !any; i++)
		any = (at[i]->pattern && at[i]->pattern->solves)
		      || nodes_solve(at[i]->body.at, at[i]->body.n);
	return any;
}
