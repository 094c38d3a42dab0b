/* wave_blocked.c - a wavefront whose cells fold earlier cells of their own column, by blocks of
 * rows: triangular systems with many right sides.
 *
 *     wavefront x[i, c] = (b[i, c] - sum[j in 0..i](a[i, j] * x[j, c])) / a[i, i];
 *
 * The terms of rows before a block are a product, which the tiles of matmul compute; what remains
 * is a small triangle for each block (wave_solve.c).  So the statement becomes two loops of the
 * host, over blocks of SUPER_ROWS rows and the blocks of BLOCK_ROWS rows in each:
 *
 *     matmul x[i, c] = b[i, c] - sum[j in 0..super](a[i, j] * x[j, c])          rows of the super
 *         matmul x[i, c] = x[i, c] - sum[j in super..block](a[i, j] * x[j, c])  rows of the block
 *         x[i, c] = (x[i, c] - sum[j in block..i](a[i, j] * x[j, c])) / a[i, i]
 *
 * The large product has most of the terms, and rows enough for tiles on all multiprocessors; the
 * small ones keep the triangles small, whose rows wait for one another.  Between the statements a
 * cell of the table holds what its terms have come to so far, joined with what the fold is
 * subtracted from or added to.  So that part of the right side is computed once, and the fold has
 * the type of the table.
 *
 * Sums are in another order than written: `strict` of floats has no blocks.  Rows count from the
 * end that the order begins at; here they are indices, so `from below` mirrors all ranges. */
#include "ask.h"
#include "wave_blocked.h"
#include "../matmul/product.h"

struct blocked {
	const struct node *node;
	const struct expr *cell;             /* of the table */
	int row;                             /* the index that counts rows */
	bool back;                           /* they run from the high end */
	struct expr *fold;
	/* of the right side, that is kept in the table; the fold, or what it is joined with */
	const struct expr *part;
	const struct neighbour *old;         /* what the table held at the cell, or NULL */
};

/* ---- expressions ---- */

static struct expr *number(const struct blocked *b, int64_t i)
{
	return expr_int(type_scalar(T_I64), i, b->node->at);
}

static struct expr *add(const struct blocked *b, struct expr *a, int64_t times, struct var *counter)
{
	struct expr *by = expr_binary(OP_MUL, number(b, times < 0 ? -times : times),
	                              expr_var(counter, b->node->at));
	return affine_is(a, 0) && times > 0 ? by : expr_binary(times < 0 ? OP_SUB : OP_ADD, a, by);
}

static struct expr *extreme(enum math which, struct expr *x, struct expr *y)
{
	struct expr *e = expr_new(E_MATH, x->type, x->at);
	e->math = which;
	list_add(&e->arg, x);
	list_add(&e->arg, y);
	return e;
}

static bool is_index(const struct expr *e, const struct var *index, int64_t more)
{
	struct affine a;
	return affine_of(e, &a) && a.constant == more && a.n == 1 && a.term[0].var == index
	       && a.term[0].coef == 1;
}

static bool is_same(const struct expr *x, const struct expr *y)
{
	struct affine a, b;
	return affine_of(x, &a) && affine_of(y, &b) && affine_equal(&a, &b);
}

/* ---- may it be? ---- */

struct counting { const struct var *var; int n; };

static bool count_read(struct expr *e, void *state)
{
	struct counting *c = state;
	c->n += (e->kind == E_READ || e->kind == E_VAR) && e->var == c->var;
	return true;
}

static int reads_of(const struct expr *e, const struct var *var)
{
	struct counting c = { .var = var };
	expr_walk((struct expr *)e, count_read, &c);
	return c.n;
}

/* In a term: the cell of the row that the fold is at, same column. */
static bool is_above(const struct blocked *b, const struct expr *read)
{
	const struct var *j = b->fold->fold->index.at[0], *i = b->node->index.at[b->row];
	for (int a = 0; a < read->arg.n; a++) {
		const struct expr *sub = read->arg.at[a], *own = b->cell->arg.at[a];
		if (sub->kind != E_VAR || sub->var != (own->var == i ? j : own->var))
			return false;
	}
	return true;
}

static bool looks_above(struct expr *e, void *state)
{
	const struct blocked *b = state;
	return e->kind != E_READ || e->var != b->cell->var || is_above(b, e);
}

/* Above e in the right side; NULL: none, or e is on a branch. */
static const struct expr *parent_of(const struct expr *in, const struct expr *e)
{
	for (int a = 0; a < in->arg.n && !expr_lazy(in) && in->kind != E_FOLD; a++) {
		const struct expr *found = in->arg.at[a] == e ? in : parent_of(in->arg.at[a], e);
		if (found)
			return found;
	}
	return NULL;
}

static bool adds(const struct expr *e)
{
	return e->kind == E_BINARY && (e->op == OP_ADD || e->op == OP_SUB);
}

static const char *no_fold(struct blocked *b)
{
	const struct expr *right = b->node->equation.at[0]->right;
	struct folds folds = { .n = 0 };
	folds_of((struct expr *)right, &folds);
	if (folds.n != 1 || folds.overflow)
		return "its right side does not have exactly one fold";
	b->fold = folds.at[0];
	const struct fold *fold = b->fold->fold;
	if (fold->where || fold->cut || fold->late || fold->index.n != 1 || fold->sorted)
		return "its terms are masked, or have several indices";
	if (fold_in_order(b->fold) || !fold->op->commutative || !fold->op->associative)
		return "the order of its terms matters";
	if (b->fold->type != b->cell->type || accumulator_type(b->fold) != b->fold->type
	    || (type_size(b->fold->type) != 4 && type_size(b->fold->type) != 8)
	    || type_class(b->fold->type) == 'S')
		return "its fold and its table do not have the same type of 4 or 8 bytes";
	const struct expr *parent = parent_of(right, b->fold);
	if (!parent && right != b->fold)
		return "its fold is in a branch";
	b->part = parent && adds(parent) && fold->op->kind == OPK_SUM
	                          && parent->type == b->fold->type
	                  ? parent
	                  : b->fold;
	return NULL;
}

/* What the table held may be read in the part that is kept, since later it holds that. */
static const char *no_old(struct blocked *b)
{
	const struct wavefront *w = b->node->wave;
	const struct expr *right = b->node->equation.at[0]->right;
	for (int r = 0; r < w->read.n; r++) {
		const struct neighbour *n = w->read.at[r];
		for (int k = 0; k < b->node->index.n; k++)
			if (n->step[k] || n->fresh)
				return "cells also read neighbours";
		if (reads_of(right, n->value) != reads_of(b->part, n->value))
			return "old values of the table are used outside of the sum";
		b->old = n;
	}
	if (reads_of(right, b->cell->var) != reads_of(b->fold, b->cell->var)
	    || !expr_walk(b->fold->arg.at[0], looks_above, b))
		return "cells read others that are not of their column";
	return NULL;
}

/* The terms are those of all rows before the cell's. */
static const char *no_range(const struct blocked *b)
{
	const struct node *node = b->node;
	const struct fold *fold = b->fold->fold;
	const struct var *i = node->index.at[b->row];
	bool box = node_is_box(node);
	for (int k = 0; k < node->index.n; k++)
		box = box && cells_exact(node, k);
	if (!box)
		return "its domain is not a box";
	bool all = b->back ? is_index(fold->lo.at[0], i, 1)
	                             && is_same(fold->hi.at[0], node->hi.at[b->row])
	                   : is_index(fold->hi.at[0], i, 0)
	                             && (affine_is(fold->lo.at[0], 0)
	                                 || is_same(fold->lo.at[0], node->lo.at[b->row]));
	return all ? NULL : "its terms are not those of all rows before the cell's";
}

static const char *no_form(struct blocked *b, const struct node *node)
{
	*b = (struct blocked){ .node = node, .cell = node->equation.at[0]->target.at[0] };
	if (!node->wave->far || node->equation.n > 1 || node->where || node_checked(node)
	    || node_skips(node) || node->wave->far_own || node->index.n < 2)
		return "it is not one equation over several axes whose fold reads its table";
	if (node->group && (node->group->epilogue.n || node->group->mate.n > 1))
		return "its cells are folded in the kernel that computes them";
	for (int d = 0; d < node->index.n; d++)
		b->row = node->wave->far_along[d] ? d : b->row;
	b->back = node->wave->back[b->row];
	for (int a = 0; a < b->cell->arg.n; a++)
		if (b->cell->arg.at[a]->kind != E_VAR)
			return "a subscript of its target is not an index alone";
	const char *why = no_fold(b);
	why = why ? why : no_old(b);
	return why ? why : no_range(b);
}

/* ---- the statements ---- */

/* Of the first row, and after the last: a block of so many rows begins at row `first` of the order,
 * counted from an end of the range. */
static void set_rows(struct node *made, const struct blocked *b, struct expr *first, int64_t rows)
{
	struct expr **lo = mem_new((size_t)made->lo.n * sizeof *lo),
		    **hi = mem_new((size_t)made->hi.n * sizeof *hi);
	for (int k = 0; k < made->lo.n; k++) {
		lo[k] = made->lo.at[k];
		hi[k] = made->hi.at[k];
	}
	struct expr *end = expr_binary(b->back ? OP_SUB : OP_ADD, first, number(b, rows));
	lo[b->row] = b->back ? extreme(M_max, made->lo.at[b->row], end) : first;
	hi[b->row] = b->back ? first : extreme(M_min, made->hi.at[b->row], end);
	made->lo.at = lo;
	made->hi.at = hi;
}

/* The terms of the rows from `from` to before `to`, in the order. */
static struct expr *fold_of(const struct blocked *b, struct expr *from, struct expr *to)
{
	struct expr *e = NEW(struct expr), **bound = mem_new(2 * sizeof *bound);
	struct fold *fold = NEW(struct fold);
	*fold = *b->fold->fold;
	bound[0] = b->back ? to : from;
	bound[1] = b->back ? from : to;
	fold->lo.at = bound;
	fold->hi.at = bound + 1;
	fold->lo.room = fold->hi.room = 1;
	*e = *b->fold;
	e->fold = fold;
	return e;
}

/* What the cell has so far, and more terms. */
static struct expr *joined(const struct blocked *b, struct expr *own, struct expr *fold)
{
	if (b->part == b->fold)
		return op_apply(b->fold->fold->op, own, fold);
	bool takes = b->part->op == OP_SUB && b->part->arg.at[1] == b->fold;
	struct expr *e = expr_bare(b->part);
	e->op = takes ? OP_SUB : OP_ADD;
	list_add(&e->arg, own);
	list_add(&e->arg, fold);
	return e;
}

static struct node *statement(const struct blocked *b, const char *name, struct expr *right,
                              struct expr *first, int64_t rows)
{
	struct node *made = NEW(struct node);
	struct equation *eq = NEW(struct equation);
	*eq = *b->node->equation.at[0];
	eq->right = right;
	*made = (struct node){ .kind = NODE_PATTERN,
		               .at = b->node->at,
		               .premise = b->node->premise,
		               .name = str_print("%s_%s", b->node->name, name),
		               .pattern = pattern_find("matmul"),
		               .index = b->node->index,
		               .lo = b->node->lo,
		               .hi = b->node->hi,
		               .clause = b->node->clause };
	list_add(&made->equation, eq);
	set_rows(made, b, first, rows);
	return made;
}

/* Of rows of the table that are done, into cells that hold nothing yet. */
static struct node *first_product(const struct blocked *b, struct expr *from, struct expr *to,
                                  int64_t rows)
{
	struct expr *fold = fold_of(b, from, to);
	struct expr *right = expr_exchange((struct expr *)b->part, b->fold, fold);
	struct expr *cell = (struct expr *)b->cell;
	if (b->old)
		right = expr_substitute(right, (struct var *[]){ b->old->value },
		                        (struct expr *[]){ cell }, 1);
	return statement(b, "far", right, to, rows);
}

static struct node *next_product(const struct blocked *b, struct expr *from, struct expr *to)
{
	struct expr *right = joined(b, (struct expr *)b->cell, fold_of(b, from, to));
	return statement(b, "near", right, to, BLOCK_ROWS);
}

/* The rows of a block. */
static struct node *last_rows(const struct blocked *b, struct expr *first,
                              const struct node *product)
{
	struct var *own = NEW(struct var);
	struct wave_block *block = NEW(struct wave_block);
	struct wavefront *wave = NEW(struct wavefront);
	struct expr *index = expr_var(b->node->index.at[b->row], b->node->at);
	struct expr *fold = b->back ? fold_of(b, first,
	                                      expr_binary(OP_ADD, index, number(b, 1)))
	                            : fold_of(b, first, index);
	*own = (struct var){ .kind = VAR_LOCAL, .name = "own", .at = b->node->at,
		             .type = b->cell->type };
	*block = (struct wave_block){ .row = b->row, .fold = fold, .own = own, .product = product };
	*wave = *b->node->wave;
	wave->read.at = NULL;
	wave->read.n = wave->read.room = 0;
	wave->block = block;
	struct expr *right = expr_exchange(b->node->equation.at[0]->right, b->part,
	                                   joined(b, expr_var(own, b->node->at), fold));
	struct node *made = statement(b, "rows", right, first, BLOCK_ROWS);
	made->pattern = b->node->pattern;
	made->wave = wave;
	return made;
}

/* A loop of the host; its counter. */
static struct node *loop(const struct blocked *b, const char *name, struct expr *limit)
{
	struct node *made = NEW(struct node);
	struct var *counter = NEW(struct var);
	*counter = (struct var){ .kind = VAR_COUNTER, .name = name, .at = b->node->at,
		                 .type = type_scalar(T_I64), .value = limit };
	*made = (struct node){ .kind = NODE_REPEAT_COUNT, .at = b->node->at,
		               .premise = b->node->premise, .counter = counter, .limit = limit };
	return made;
}

/* Not before the first block: it has no such terms. */
static struct node *unless_first(const struct blocked *b, struct var *counter, struct node *product)
{
	struct node *made = NEW(struct node);
	*made = (struct node){ .kind = NODE_IF, .at = b->node->at, .premise = b->node->premise };
	made->until = expr_binary(OP_LT, number(b, 0), expr_var(counter, b->node->at));
	list_add(&made->body, product);
	return made;
}

static struct expr *rows_of(const struct blocked *b)
{
	struct expr *lo = b->node->lo.at[b->row], *hi = b->node->hi.at[b->row];
	return affine_is(lo, 0) ? hi : expr_binary(OP_SUB, hi, lo);
}

/* So many blocks. */
static struct expr *parts(const struct blocked *b, struct expr *rows, int64_t size)
{
	return expr_binary(OP_DIV, expr_binary(OP_ADD, rows, number(b, size - 1)),
	                   number(b, size));
}

static void split(const struct blocked *b, struct node *node)
{
	const int sign = b->back ? -1 : 1;
	const struct fold *fold = b->fold->fold;
	struct expr *begin = b->back ? node->hi.at[b->row] : node->lo.at[b->row],
		    *origin = b->back ? fold->hi.at[0] : fold->lo.at[0];
	struct node *outer = loop(b, "super", parts(b, rows_of(b), SUPER_ROWS));
	struct expr *left = add(b, rows_of(b), -SUPER_ROWS, outer->counter);
	struct node *inner = loop(b, "block", extreme(M_min, number(b, SUPER_ROWS / BLOCK_ROWS),
	                                              parts(b, left, BLOCK_ROWS)));
	struct expr *super = add(b, begin, sign * SUPER_ROWS, outer->counter),
		    *block = add(b, super, sign * BLOCK_ROWS, inner->counter);
	struct node *product = next_product(b, super, block);
	list_add(&outer->body, first_product(b, origin, super, SUPER_ROWS));
	list_add(&inner->body, unless_first(b, inner->counter, product));
	list_add(&inner->body, last_rows(b, block, product));
	list_add(&outer->body, inner);
	list_add(&node->body, outer);
}

void blocked_split(struct node *node)
{
	struct blocked b;
	if (!node->wave->block && !no_form(&b, node))
		split(&b, node);
}

/* ---- the way ---- */

/* The kernel that solves the rows of a block (wave_solve.c) loads the two operands of the block's
 * product.  So the statements are made on a copy, and their product must have a form that matmul
 * knows; one operand is a matrix that does not read the table; and a value of either has the size
 * of a term. */
static const char *no_operands(const struct blocked *b, const struct target *target)
{
	struct node trial = *b->node;
	struct product p;
	trial.body.at = NULL;
	trial.body.n = trial.body.room = 0;
	split(b, &trial);
	const char *why = product_find(&p, trial.body.at[0]->body.at[1]->body.at[0]->body.at[0],
	                               target);
	if (why)
		return why;
	const enum side row = p.index[ROWS] == b->row ? ROWS : COLUMNS;
	if (p.index[row] != b->row || reads_of(p.operand[row].e, b->cell->var))
		return "its fold is not a product of a matrix and the table";
	for (int side = ROWS; side <= COLUMNS; side++)
		if (type_size(p.operand[side].e->type) != type_size(p.term->type))
			return "its operands are of several sizes";
	return p.small.products ? "its sizes are small" : NULL;
}

const char *no_blocked(const struct node *node, const struct target *target)
{
	struct blocked b;
	if (node->wave->block)
		return NULL;
	const char *why = target->gpu ? no_form(&b, node) : "cells of a CPU run row by row";
	return why ? why : no_operands(&b, target);
}

/* As pinned, or where there are rows and columns enough. */
struct kx *blocked_pays(struct plan *plan, const struct node *node)
{
	struct blocked b;
	struct lowering *host = host_lowering(plan);
	struct kx *columns = NULL, *rows = NULL;
	no_form(&b, node);
	for (int k = 0; k < node->index.n; k++) {
		struct kx *size = plan_range(plan, lower_index(host, node->lo.at[k]),
		                             lower_index(host, node->hi.at[k]));
		if (k == b.row)
			rows = size;
		else
			columns = columns ? x_mul(columns, size) : size;
	}
	return node->pin.sweep ? NULL
	                       : x_and(x_le(x_i64(LEAST_ROWS), rows),
	                               x_le(x_i64(LEAST_COLUMNS), columns));
}
