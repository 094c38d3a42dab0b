/* product.c - which products tiles can compute: what a term folds is a function of two values, one
 * that runs along the rows of the result and not along its columns, and one the other way round.
 *
 * These values, the operands, are the largest parts of the term that use one of two indices of the
 * cell: so a scale or a conversion of a matrix belongs to its operand, and is computed once for
 * each cell that a block brings, not for each term. The two indices are the last ones for which
 * that works; the others count products, a batch. */
#include <string.h>
#include "../cells.h"
#include "../lowerings.h"
#include "../reduce/reduce.h"
#include "product.h"

struct search { struct product *p; const char *why; };

bool product_same(const struct expr *a, const struct expr *b)
{
	bool same = a == b || (a->kind == E_READ && b->kind == E_READ && a->var == b->var);
	for (int s = 0; same && a != b && s < a->arg.n; s++)
		same = reduce_same_expr(a->arg.at[s], b->arg.at[s]);
	return same;
}

static struct expr *placeholder_for(struct search *s, enum side side, const struct expr *e)
{
	struct operand *o = &s->p->operand[side];
	if (o->e && !product_same(o->e, e))
		s->why = str_print("a term has several operands that vary along %s",
		                   side == ROWS ? "rows" : "columns");
	if (!o->e) {
		o->e = e;
		o->placeholder = NEW(struct var);
		*o->placeholder = (struct var){ .kind = VAR_LOCAL,
			                  .name = side == ROWS ? "left" : "right",
			                  .at = e->at,
			                  .type = e->type };
	}
	return expr_var(o->placeholder, e->at);
}

static bool uses_depth(const struct product *p, const struct expr *e)
{
	const struct fold *fold = p->fold->fold;
	for (int k = 0; k < fold->index.n; k++)
		if (expr_uses(e, fold->index.at[k]))
			return true;
	return false;
}

static bool uses_side(const struct product *p, const struct expr *e, enum side side)
{
	for (int d = 0; d < p->node->index.n; d++)
		if (p->part[d] == side && expr_uses(e, p->node->index.at[d]))
			return true;
	return false;
}

/* e with placeholders in the place of the operands. */
static struct expr *parted(struct search *s, const struct expr *e)
{
	bool along[2], deep = uses_depth(s->p, e);
	for (int side = ROWS; side <= COLUMNS; side++)
		along[side] = uses_side(s->p, e, side);
	if (along[ROWS] != along[COLUMNS])
		return placeholder_for(s, along[ROWS] ? ROWS : COLUMNS, e);
	if (!along[ROWS] && deep)
		s->why = "an operand of a term is the same for all rows and columns";
	if (along[ROWS] && (e->kind == E_READ || e->kind == E_VAR || e->kind == E_FOLD))
		s->why = "an operand of a term varies along both rows and columns";
	struct expr *copy = expr_bare(e);
	for (int a = 0; a < e->arg.n; a++)
		list_add(&copy->arg, s->why ? e->arg.at[a] : parted(s, e->arg.at[a]));
	return copy;
}

static const char *parts(struct product *p)
{
	struct search s = { p, NULL };
	for (int side = ROWS; side <= COLUMNS; side++)
		p->operand[side] = (struct operand){ .along = p->node->index.at[p->index[side]] };
	p->term = expr_bare(p->fold);
	list_add(&p->term->arg, parted(&s, p->fold->arg.at[0]));
	return s.why ? s.why
	       : p->operand[ROWS].e && p->operand[COLUMNS].e
	               ? NULL
	               : "an operand is the same for all rows or columns";
}

static const char *parts_by(struct product *p, int row, int column)
{
	for (int d = 0; d < p->node->index.n; d++)
		p->part[d] = d == row ? ROWS : d == column ? COLUMNS : PRODUCTS;
	p->index[ROWS] = row;
	p->index[COLUMNS] = column;
	return parts(p);
}

static const char *find_window(struct product *p)
{
	const char *why = sliding_parts(p);
	why = why ? why : parts(p);
	why = why ? why : sliding_depth(p);
	return why ? why : sliding_edges(p);
}

/* The last two indices for which it works; else why the last two don't. */
static const char *find_sides(struct product *p)
{
	const char *first = NULL;
	for (int column = p->node->index.n - 1; column >= 0; column--)
		for (int row = p->node->index.n - 1; row >= 0; row--) {
			const char *why = row == column ? "" : parts_by(p, row, column);
			if (!why)
				return NULL;
			first = first || row == column ? first : why;
		}
	return first ? first : "its result is a vector, or one value";
}

/* ---- how operands lie in memory ---- */

struct reading { struct operand *o; const struct var *depth; };

static bool find_main(struct expr *e, void *state)
{
	struct reading *r = state;
	if (e->kind != E_READ || (r->o->main && r->o->main->var->rank >= e->var->rank))
		return true;
	const struct expr *last = e->arg.at[e->var->rank - 1];
	for (int a = 0; a < e->var->rank - 1; a++)
		if (last->kind == E_VAR && expr_uses(e->arg.at[a], last->var))
			return true;
	if (last->kind != E_VAR || (last->var != r->depth && last->var != r->o->along))
		return true;
	r->o->main = e;
	r->o->deep = last->var == r->depth;
	return true;
}

/* ---- may they? ---- */

bool product_adds(const struct product *p)
{
	const struct expr *e = p->term->arg.at[0];
	return p->fold->fold->op->kind == OPK_SUM && e->kind == E_BINARY && e->op == OP_MUL
	       && e->arg.at[0]->kind == E_VAR && e->arg.at[1]->kind == E_VAR
	       && e->arg.at[0]->var != e->arg.at[1]->var;
}

int64_t product_bytes(const struct product *p)
{
	int64_t bytes = type_size(p->term->type);
	for (int side = ROWS; side <= COLUMNS; side++)
		bytes = type_size(p->operand[side].e->type) > bytes
		                ? type_size(p->operand[side].e->type)
		                : bytes;
	return bytes;
}

/* Floats of 2 bytes are computed as f32. */
static bool is_sum(const struct type *t)
{
	return strchr("BIUF", type_class(t)) && (type_class(t) != 'F' || type_size(t) >= 4);
}

static const char *no_fold(const struct product *p)
{
	const struct expr *e = p->fold;
	if (op_is_arg(e->fold->op))
		return "it searches the position of a term";
	if (accumulator_type(e) != e->type || !is_sum(e->type))
		return "its terms are not numbers with an identity";
	if (e->fold->where || (e->fold->index.n != 1 && !p->window))
		return "its terms are masked, or have several indices";
	return NULL;
}

static const char *no_values(const struct product *p)
{
	for (int side = ROWS; side <= COLUMNS; side++)
		if (!strchr("BIUF", type_class(p->operand[side].e->type)))
			return "an operand is not a number";
	return NULL;
}

/* On a CPU panels lie in the workspace, whose size depends on sizes alone. */
static const char *no_room(const struct product *p, const struct target *target)
{
	bool sized = node_by_sizes(p->node) && fold_by_sizes(p->fold->fold);
	return sized || target->gpu ? NULL
	                            : "its number of cells or terms depends on more than sizes";
}

/* A tile brings what all of its cells want, those too that `where` or a branch leaves out. */
static bool guard_matters(const struct product *p)
{
	return expr_guarded(p->operand[ROWS].e) || expr_guarded(p->operand[COLUMNS].e);
}

const char *product_find(struct product *p, const struct node *node, const struct target *target)
{
	struct folds folds = { .n = 0 };
	*p = (struct product){ .node = node };
	folds_of(node->equation.at[0]->right, &folds);
	if (node->equation.n != 1)
		return "it has several equations";
	if (folds.n != 1)
		return "it does not have exactly one fold";
	if (node_checked(node))
		return "it has accesses that are tested at run time";
	if (!reduce_is_box(node, folds.at[0]->fold))
		return "a range depends on another index, or on a value on the device";
	p->fold = folds.at[0];
	p->depth = p->fold->fold->index.at[0];
	p->window = target->gpu
	            && (p->fold->fold->index.n > 1 || node->pattern->lower != matmul_lower);
	const char *why = no_fold(p);
	why = why ? why : p->window ? find_window(p) : find_sides(p);
	why = why ? why : no_values(p);
	if (!why)
		product_words(p, target);
	why = why ? why : no_room(p, target);
	why = why                ? why
	      : guard_matters(p) ? "its `where`, or a branch, may keep a read in bounds"
	                         : NULL;
	why = why || p->window ? why : product_few(p, target);
	for (int side = ROWS; !why && side <= COLUMNS; side++)
		expr_walk((struct expr *)p->operand[side].e, find_main,
		          &(struct reading){ &p->operand[side], p->depth });
	return why;
}
