/* stencil.c - stencil b[i] = e(a[i-1], a[i], a[i+1], ...): subscripts are index ± offset.
 *
 * Per axis a read uses one of the statement's indices, in order, times a factor, plus an offset of
 * constants, sizes, parameters and indices of folds (a window: `sum[k in -r..r+1](a[2*i + k])`); or
 * no index of the domain at all.  Small windows of constant ranges are written out; the others stay
 * loops.  What leaves the array is answered by `boundary`: node->edge[] holds one answer an index
 * (R43, R44); without the clause affine.c proves that nothing leaves. */
#include <string.h>

#include "ask.h"
#include "eval.h"
#include "syntax.h"
#include "../access.h"
#include "../cells.h"
#include "../lowerings.h"
#include "stencil_runs.h"

#define MAX_WINDOW_NODES 8192   /* of an expression whose folds are written out */
/* Loops in shared memory take over: sums of 7 x 7, 9 x 9, 11 x 11 and 21 x 21 cells of 4096^2 f32
 * take 0.08, 0.21, 0.28 and 2.5 ms of an H100 written out, by loops 0.14, 0.20, 0.28 and 0.93. */
#define MAX_WINDOW_TERMS 81
/* terms of one that is folded in order: compilers count parentheses */
#define MAX_WINDOW_CHAIN 64

static const struct clause clauses[] = {
	{ .name = "boundary", .values = -1, .words = "clamp wrap mirror reflect keep constant=" },
	{ .name = "strict" }, { .name = "approx" }, { 0 }
};

/* ---- reads ---- */

/* An end of a range, or a subscript, that is the same for every cell. */
static bool is_fixed(const struct node *node, const struct expr *e)
{
	return !expr_uses_cell(node, e) && !expr_has(e, E_READ);
}

/* Every subscript moves with one index of the domain, in their order, or with none. */
static bool is_window(const struct node *node, const struct expr *read)
{
	int last = -1;
	for (int axis = 0; axis < read->var->rank; axis++) {
		struct shift s;
		if (access_shift(node, read->arg.at[axis], &s)) {
			if (s.k <= last)
				return false;
			last = s.k;
		} else if (s.k >= 0
		           || (read->affine[axis].n < 0 && !is_fixed(node, read->arg.at[axis]))) {
			return false;
		}
	}
	return true;
}

static bool node_folds(const struct node *node)
{
	bool folds = false;
	for (int q = 0; q < node->equation.n; q++)
		folds |= expr_has_fold(node->equation.at[q]->right);
	return folds;
}

static bool fits(const struct node *node, const struct expr *read)
{
	enum access kind = access_kind(node, read);
	const char *text = kind <= ACCESS_OFFSET ? "" : access_text(read);

	switch (kind) {
	case ACCESS_OWN: case ACCESS_OFFSET:
		return true;
	case ACCESS_FOLD: case ACCESS_AFFINE: case ACCESS_COMPUTED:
		if (is_window(node, read))
			return true;
		break;
	case ACCESS_ORDER:
		diag_error(read->at, D_NOT_STENCIL,
		           "this reads %s, with the indices in another order: that is a "
		           "gather, not a stencil", text);
		sema_instead("transpose");
		sema_instead("gather");
		return false;
	case ACCESS_INDIRECT:
		break;
	}
	const char *other = node_folds(node) ? "reduce" : "gather";
	diag_error(read->at, D_NOT_STENCIL,
	           "this reads %s, which is not index ± offset: that is a %s, "
	           "not a stencil", text, other);
	sema_instead("gather");
	sema_instead("reduce");
	if (node_clause(node, "boundary"))
		sema_cure("a %s has no `boundary`: `clamp` the subscripts, or guard the access",
		          other);
	return false;
}

/* Some subscript moves with the cell and with an index of the fold, or of a fold inside whose range
 * uses one. */
struct moving { const struct node *node; const struct fold *fold; };

static bool range_uses(const struct fold *inner, const struct fold *outer)
{
	bool uses = false;
	for (int k = 0; k < inner->index.n; k++)
		for (int o = 0; o < outer->index.n; o++)
			uses |= fold_bounds_use(inner, k, outer->index.at[o]);
	return uses;
}

static bool moves_not(struct expr *e, void *state)
{
	const struct moving *m = state;
	if (expr_folds(e) && range_uses(e->fold, m->fold)
	    && !expr_walk(e->arg.at[0], moves_not, &(struct moving){ m->node, e->fold }))
		return false;
	for (int axis = 0; e->kind == E_READ && axis < e->arg.n; axis++) {
		struct shift s;
		if (!access_shift(m->node, e->arg.at[axis], &s))
			continue;
		for (int t = 0; t < s.rest.n; t++)
			for (int k = 0; k < m->fold->index.n; k++)
				if (s.rest.term[t].var == m->fold->index.at[k])
					return false;
	}
	return true;
}

static bool visit_fold(struct expr *e, void *state)
{
	const struct node *node = state;
	if (!expr_folds(e))
		return true;
	bool window = !expr_walk(e, moves_not, &(struct moving){ node, e->fold });
	for (int k = 0; k < e->fold->index.n; k++) {
		const struct expr *lo = e->fold->lo.at[k], *hi = e->fold->hi.at[k];
		if ((lo->kind == E_CONST && hi->kind == E_CONST)
		    || (window && is_fixed(node, lo) && is_fixed(node, hi)))
			continue;
		const char *name = e->fold->index.at[k]->name;
		diag_error(e->at, D_NOT_STENCIL,
		           window ? "the range of `%s` differs from cell to cell: that is a "
		                    "reduce, not a stencil"
		                  : "no subscript moves with the cell and `%s`: that is a reduce, "
		                    "not a stencil", name);
		sema_instead("reduce");
		if (window || !node_clause(node, "boundary"))
			sema_cure("a window must have the same range for all cells: "
			          "`[%s in -r..r+1]`", name);
		else
			sema_cure("fold over the offsets too, `sum[p in -1..2, %s](x[i + p, %s])`: "
			          "a reduce has no `boundary`", name, name);
		return false;
	}
	return true;
}

/* ---- boundary ---- */

/* Is this axis' index its own, without an offset, but not known to stay inside? */
static bool own_leaves(const struct node *node, const struct expr *read, int axis)
{
	int k;
	int64_t offset;

	return access_offset(node, read, axis, &k, &offset) && !offset
	       && !cells_index_inside(node, k, &read->var->extent[axis]);
}

/* A struct's own cell: no value of a field's type continues an array of structs. */
static bool struct_leaves(const struct node *node, const struct expr *read)
{
	bool leaves = false;

	for (int axis = 0; axis < read->var->rank; axis++)
		leaves = leaves || own_leaves(node, read, axis);
	return leaves && read->type->kind == T_STRUCT && access_kind(node, read) == ACCESS_OWN;
}

/* The type of what is read at an offset, which a VALUE must have; NULL: nothing is. */
struct window { const struct node *node; const struct type *type; bool several; };

static bool visit_window(struct expr *e, void *what)
{
	struct window *w = what;
	enum access kind;

	if (e->kind != E_READ)
		return true;
	kind = access_kind(w->node, e);
	if (kind == ACCESS_OWN && !struct_leaves(w->node, e))
		return true;
	w->several = w->several || (w->type && w->type != e->type);
	w->type = e->type;
	return true;
}

static struct window window_of(const struct node *node)
{
	struct window w = { node, NULL, false };

	for (int k = 0; k < node->equation.n; k++)
		expr_walk(node->equation.at[k]->right, visit_window, &w);
	if (node->where)
		expr_walk(node->where, visit_window, &w);
	return w;
}

/* Fields, or cells of several types, are read at offsets: no one value is what every read would
 * give. Then sema itself writes `inside ? read : value` for each (Note below), and no edge is left.
 * */
static bool answers_each(const struct window *w, const struct ast *a)
{
	while (a->kind == A_GROUP)
		a = a->arg.at[0];
	if (w->several)
		return true;
	return w->type && w->type->kind == T_STRUCT
	    && !(a->kind == A_CALL && a->name == w->type->record->name);
}

static bool folds_nothing(const struct expr *value)
{
	if (!expr_has_fold(value))
		return true;
	diag_error(value->at, D_BOUNDARY, "a boundary value cannot contain a fold");
	return false;
}

static bool value_edge(const struct node *node, const struct ast *a, struct edge *edge)
{
	struct window w = window_of(node);

	edge->kind = B_VALUE;
	edge->value = answers_each(&w, a) ? NULL : sema_value(a, w.type);
	if (!edge->value && !answers_each(&w, a) && a->kind == A_NAME)
		diag_cure("the modes are clamp, wrap, mirror, reflect and keep; anything else is a "
		          "value");
	if (answers_each(&w, a))
		return true;
	return edge->value && folds_nothing(edge->value);
}

/* Note [one value, several types]: `stencil y[i] = p[i-1].u + q[i+1] boundary 0;`, the value typed
 * anew for every type it stands for.  Axis after axis, in order: outside this one the value
 * answers, with the indices at the place that was asked for (R44). */
struct behind { struct node *node; const struct ast *value[MAX_RANK]; bool failed; };

/* A cell, or a field or element of one, that is read at an offset, or where the array may have
 * ended. */
static const struct expr *offset_read(const struct node *node, const struct expr *e)
{
	const struct expr *read = e;

	while (read->kind == E_FIELD || (read->kind == E_ELEM && !read->var))
		read = read->arg.at[0];
	if (read->kind != E_READ)
		return NULL;
	return access_kind(node, read) != ACCESS_OWN || struct_leaves(node, read) ? read : NULL;
}

static struct expr *inside_axis(const struct expr *read, int axis)
{
	struct expr *at = read->arg.at[axis],
		    *end = extent_expr(&read->var->extent[axis], read->at);
	struct expr *above = expr_binary(OP_GE, at, expr_int(at->type, 0, read->at));

	return expr_binary(OP_LAND, above, expr_binary(OP_LT, at, end));
}

/* The value for a read of this type, the domain's indices standing where the read went. */
static struct expr *value_behind(struct behind *b, const struct ast *value, const struct expr *read,
                                 const struct type *type)
{
	struct var *from[MAX_RANK];
	struct expr *to[MAX_RANK], *e = sema_value(value, type);
	struct shift s;
	int n = 0;

	for (int axis = 0; axis < read->var->rank; axis++)
		if (access_shift(b->node, read->arg.at[axis], &s)) {
			from[n] = b->node->index.at[s.k];
			to[n++] = read->arg.at[axis];
		}
	b->failed = b->failed || !e || !folds_nothing(e);
	return e ? expr_substitute(e, from, to, n) : NULL;
}

static struct expr *answered(struct behind *b, struct expr *e, const struct expr *read)
{
	struct shift s;

	for (int axis = read->var->rank - 1; axis >= 0 && !b->failed; axis--) {
		bool own = !(read->type->kind == T_STRUCT && own_leaves(b->node, read, axis));
		if (!access_shift(b->node, read->arg.at[axis], &s) || !b->value[s.k]
		    || (own && s.coef == 1 && !s.rest.n && !s.rest.constant))
			continue;
		struct expr *cond = expr_new(E_COND, e->type, e->at);
		struct expr *value = value_behind(b, b->value[s.k], read, e->type);
		list_add(&cond->arg, inside_axis(read, axis));
		list_add(&cond->arg, e);
		list_add(&cond->arg, value);
		e = cond;
	}
	return e;
}

static struct expr *answer_each(struct behind *b, struct expr *e)
{
	const struct expr *read = offset_read(b->node, e);
	struct expr *copy;

	if (read)
		return answered(b, e, read);
	copy = expr_bare(e);
	for (int k = 0; k < e->arg.n && !b->failed; k++)
		list_add(&copy->arg, answer_each(b, e->arg.at[k]));
	return copy;
}

static bool answer_all(struct behind *b)
{
	struct node *node = b->node;

	for (int k = 0; k < node->equation.n && !b->failed; k++)
		node->equation.at[k]->right = answer_each(b, node->equation.at[k]->right);
	if (node->where && !b->failed)
		node->where = answer_each(b, node->where);
	for (int k = 0; k < node->index.n; k++)
		if (b->value[k])
			node->edge[k].kind = B_NONE;
	return !b->failed;
}

static enum boundary mode_of(const struct ast *a)
{
	static const struct { const char *name; enum boundary kind; } modes[] = {
		{ "clamp", B_CLAMP }, { "wrap", B_WRAP }, { "mirror", B_MIRROR },
		{ "reflect", B_REFLECT },
		{ "keep", B_KEEP }
	};

	for (size_t k = 0; a->kind == A_NAME && k < sizeof modes / sizeof *modes; k++)
		if (!strcmp(a->name, modes[k].name))
			return modes[k].kind;
	return B_NONE;
}

/* `constant (v)` is v */
static const struct ast *constant_value(const struct ast *a)
{
	return a->kind == A_CALL && !strcmp(a->name, "constant") && a->arg.n == 1 ? a->arg.at[0]
	                                                                          : a;
}

static bool edge_read(const struct node *node, const struct ast *a, struct edge *edge)
{
	edge->kind = mode_of(a);
	if (edge->kind != B_NONE)
		return true;
	return value_edge(node, constant_value(a), edge);
}

static bool edges_read(struct node *node)
{
	const struct clause_use *use = node_clause(node, "boundary");
	struct behind behind = { .node = node };
	int n = use ? use->value.n : 0;
	bool each = false;

	if (!use)
		return true;
	if (n == 2 && use->value.at[0]->kind == A_NAME
	    && !strcmp(use->value.at[0]->name, "constant")) {
		use->value.at[0] = use->value.at[1];
		n = 1;
	}
	if (n != 1 && n != node->index.n) {
		diag_error(use->at, D_BOUNDARY, "there are %d boundaries for %d ax%s", n,
		           node->index.n, node->index.n == 1 ? "is" : "es");
		diag_cure("give one for all axes, or one for each: `boundary (wrap, clamp)`");
		fix_one_value(use);
		return false;
	}
	for (int d = 0; d < node->index.n; d++) {
		const struct ast *a = use->value.at[n == 1 ? 0 : d];
		if (!edge_read(node, a, &node->edge[d]))
			return false;
		if (node->edge[d].kind == B_VALUE && !node->edge[d].value)
			behind.value[d] = constant_value(a);
		each = each || behind.value[d];
	}
	return !each || answer_all(&behind);
}

/* ---- windows: a fold over a constant range is written out, so that every read is index ±
 * constant, which boundaries, staging in shared memory and registers understand.  The terms are
 * combined as balanced trees, one for each axis: folds may be reordered (R13), and the expression
 * stays shallow.
 * Under `strict` they are a chain instead, as far as that can be seen. ---- */

static bool visit_count(struct expr *e, void *count)
{
	(void)e;
	return ++*(int64_t *)count <= MAX_WINDOW_NODES;
}

static bool window_empty(const struct fold *fold)
{
	bool empty = false;

	for (int k = 0; k < fold->index.n; k++)
		empty = empty || fold->lo.at[k]->value.i >= fold->hi.at[k]->value.i;
	return empty;
}

/* Terms of the fold, -1 if too many to write out. */
static int64_t window_terms(const struct fold *fold, struct expr *arg)
{
	int64_t terms = 1, nodes = 0;

	if (!fold_constant(fold))
		return -1;
	if (window_empty(fold))
		return 0;
	if (op_is_arg(fold->op))
		return -1;               /* nothing applies it to two terms without their places */
	if (fold->where && !op_identity(fold->op, arg->type))
		return -1;               /* no value is that of a term that is left out */
	expr_walk(arg, visit_count, &nodes);
	for (int k = 0; k < fold->index.n; k++) {
		int64_t n;
		if (__builtin_sub_overflow(fold->hi.at[k]->value.i, fold->lo.at[k]->value.i, &n)
		    || n > MAX_WINDOW_TERMS || (terms *= n) > MAX_WINDOW_TERMS
		    || terms * nodes > MAX_WINDOW_NODES)
			return -1;
	}
	return terms;
}

static int64_t indices_along(const struct fold *fold, int k)
{
	return fold->hi.at[k]->value.i - fold->lo.at[k]->value.i;
}

static struct expr *window_term(const struct fold *fold, const struct expr *arg, int64_t number)
{
	struct expr *at[MAX_RANK], *e, *masked;

	for (int k = fold->index.n - 1; k >= 0; k--) {
		int64_t lo = fold->lo.at[k]->value.i, n = indices_along(fold, k);
		at[k] = expr_int(fold->index.at[k]->type, lo + number % n, arg->at);
		number /= n;
	}
	e = expr_substitute(arg, fold->index.at, at, fold->index.n);
	if (!fold->where)
		return e;
	masked = expr_new(E_COND, e->type, e->at);
	list_add(&masked->arg, expr_substitute(fold->where, fold->index.at, at, fold->index.n));
	list_add(&masked->arg, e);
	list_add(&masked->arg, op_identity(fold->op, e->type));
	return masked;
}

/* In order, from the identity on. */
static struct expr *window_chain(const struct fold *fold, const struct expr *arg, int64_t n)
{
	struct expr *e = op_identity(fold->op, arg->type);

	for (int64_t k = 0; k < n; k++) {
		struct expr *term = window_term(fold, arg, k);
		e = e ? op_apply(fold->op, e, term) : term;
	}
	return e;
}

/* It is as deep as it has terms; what stands for a masked one must change no bit. */
static bool chain_will_do(const struct fold *fold, int64_t terms)
{
	return terms <= MAX_WINDOW_CHAIN && !(fold->where && fold->op->kind == OPK_USER);
}

/* The terms of n indices along axis k, from term number `first` on.  Those of each index are one
 * tree, so that rows and planes of a window are values of their own: stencil_carry.c. */
static struct expr *window_tree(const struct fold *fold, const struct expr *arg, int k,
                                int64_t first, int64_t n)
{
	int64_t terms = 1, half = n / 2;
	for (int inner = k + 1; inner < fold->index.n; inner++)
		terms *= indices_along(fold, inner);
	if (n == 1 && k + 1 == fold->index.n)
		return window_term(fold, arg, first);
	if (n == 1)
		return window_tree(fold, arg, k + 1, first, indices_along(fold, k + 1));
	struct expr *e = op_apply(fold->op, window_tree(fold, arg, k, first, half),
	                          window_tree(fold, arg, k, first + half * terms, n - half));
	e->window = true;
	return e;
}

static struct expr *write_out(struct expr *e, bool strict)
{
	const struct expr *written = e;
	struct expr *copy = expr_bare(e);
	bool changed = false;
	int64_t terms;

	for (int k = 0; k < e->arg.n; k++) {
		struct expr *arg = write_out(e->arg.at[k], strict);
		changed |= arg != e->arg.at[k];
		list_add(&copy->arg, arg);
	}
	e = changed ? copy : e;
	if (e->kind == E_FOLD)
		e->fold->strict = strict;
	terms = expr_folds(e) ? window_terms(e->fold, e->arg.at[0]) : -1;
	bool in_order = terms > 0 && fold_in_order(e);
	if (terms < 0 || (in_order && !chain_will_do(e->fold, terms)))
		return e;
	if (!terms)
		return op_identity(e->fold->op, e->type);
	struct expr *tree = in_order ? window_chain(e->fold, e->arg.at[0], terms)
	                             : window_tree(e->fold, e->arg.at[0], 0, 0,
	                                           indices_along(e->fold, 0));
	/* A count of one bool is not counted yet; one term is the reader's own node. */
	copy = expr_as(tree, e->type);
	if (terms > 1)
		copy->written = written;
	return copy;
}

static bool is_no_index(struct expr *e, void *state)
{
	(void)state;
	return e->kind != E_VAR || e->var->kind != VAR_INDEX;
}

/* A cell keeps its value if an end of one of its windows is outside.  The ends are known without a
 * loop if no range depends on another. */
static bool keeps_boxes(struct expr *e, void *state)
{
	const struct node *node = state;
	if (!node_keeps(node) || !expr_folds(e))
		return true;
	for (int k = 0; k < e->fold->index.n; k++)
		if (!expr_walk(e->fold->lo.at[k], is_no_index, NULL)
		    || !expr_walk(e->fold->hi.at[k], is_no_index, NULL)) {
			diag_error(e->at, D_FORM_NOT_BUILT,
			           "the range of `%s` depends on another index of a fold: "
			           "`boundary keep` with such a window is not supported yet",
			           e->fold->index.at[k]->name);
			diag_cure("give each index its own range and exclude terms by `where`, or "
			          "use another boundary");
			return false;
		}
	return true;
}

static bool check(struct node *node)
{
	bool strict = node_clause(node, "strict");

	if (!access_each(node, fits))
		return false;
	for (int k = 0; k < node->equation.n; k++)
		if (!expr_walk(node->equation.at[k]->right, visit_fold, node))
			return false;
	if (node->where && !expr_walk(node->where, visit_fold, node))
		return false;
	for (int k = 0; k < node->equation.n; k++)
		node->equation.at[k]->right = write_out(node->equation.at[k]->right, strict);
	if (node->where)
		node->where = write_out(node->where, strict);
	return access_writes_once(node) && edges_read(node)
	       && node_walk(node, keeps_boxes, node);
}

const struct pattern pattern_stencil = { .name = "stencil",
	                                 .summary = "computes each cell from its neighbours",
	                                 .clauses = clauses,
	                                 .check = check,
	                                 .lower = stencil_lower,
	                                 .write_out = write_out,
	                                 .fold_back = runs_fold_back,
	                                 .block = block_cells,
	                                 .passes = &stencil_passes,
	                                 .eval = eval_cells,
	                                 .fuse = FUSE_READS | FUSE_FRONT | FUSE_BESIDE,
	                                 .shape = stencil_shape };
