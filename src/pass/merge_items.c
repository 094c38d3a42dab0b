/* merge_items.c - the items of a few values of several indices become one row with those of the
 * index before them.
 *
 *     scatter rho[cell[p] + a, row[p] + b] += ... for p in 0..n, a in -1..2, b in -1..2;
 *
 * A block of a GPU takes strips of b and bands of a, so that 9 of its 256 threads have items.  With
 * item = 9 p + 3 (a + 1) + b + 1, in 0 .. 9 n, all have, and what neighbours combine is near.  An
 * H100, 2^24 bodies at random, a weight a cell: 2 x 2 cells 3.80 ms -> 0.57, 3 x 3 4.11 -> 1.02,
 * 3 x 3 x 3 38.1 -> 4.03 (a thread a body, by hand: 3 x 3 1.70, 3 x 3 x 3 5.07).
 *
 * Only where data decide places: lanes look for others that go to the same cell then, whatever the
 * form of the subscripts. */
#include <string.h>

#include "ask.h"
#include "gather_inverse.h"
#include "merge_items.h"

enum { ITEM_ID = (1 << 29) + 2 * MAX_RANK };   /* after those of gather_reach.c */

bool places_by_data(const struct node *node)
{
	for (int q = 0; q < node->equation.n; q++) {
		const struct expr *cell = target_read(node->equation.at[q]->target.at[0]);
		bool data = false;
		for (int a = 0; a < cell->arg.n; a++)
			data |= expr_has(cell->arg.at[a], E_READ);
		if (!data)
			return false;
	}
	return true;
}

int first_of_few(const struct node *node, int64_t *items)
{
	int first = node->index.n;
	*items = 1;
	while (first > 0) {
		int64_t n = affine_cells(node->lo.at[first - 1], node->hi.at[first - 1]);
		if (n <= 0 || n > FEW_ITEMS / *items)
			break;
		*items *= n;
		first--;
	}
	return first;
}

static struct expr *integer(int64_t value, struct loc at)
{
	return expr_int(type_scalar(T_I64), value, at);
}

static struct expr *plus(struct expr *e, struct expr *lo)
{
	return affine_is(lo, 0) ? e : expr_binary(OP_ADD, e, lo);
}

/* item / step % values + lo */
static struct expr *digit(struct var *item, int64_t step, int64_t values, struct expr *lo)
{
	struct expr *e = expr_var(item, lo->at);
	if (step > 1)
		e = expr_binary(OP_DIV, e, integer(step, lo->at));
	if (values)
		e = expr_binary(OP_REM, e, integer(values, lo->at));
	return plus(e, lo);
}

static struct var *index_of_items(const struct node *node)
{
	struct var *item = NEW(struct var);
	*item = *node->index.at[0];
	item->name = str_name("item");
	item->id = ITEM_ID;
	return item;
}

/* Neighbours that have one struct go on sharing it. */
static void put(struct node *node, struct var *const *from, struct expr *const *to, int n)
{
	const struct expr *shared = NULL;
	struct expr *whole = NULL;
	for (int q = 0; q < node->equation.n; q++) {
		struct equation *eq = node->equation.at[q];
		if (eq->whole && eq->whole != shared) {
			shared = eq->whole;
			whole = expr_substitute(shared, from, to, n);
		}
		eq->whole = eq->whole ? whole : NULL;
		eq->target.at[0] = expr_substitute(eq->target.at[0], from, to, n);
		eq->right = expr_substitute(eq->right, from, to, n);
	}
	if (node->where)
		node->where = expr_substitute(node->where, from, to, n);
}

/* The statement as it is now: equations of its own, which put() does not change. */
static const struct node *copy_of(const struct node *node)
{
	struct node *copy = NEW(struct node);
	*copy = *node;
	memset(&copy->index, 0, sizeof copy->index);
	memset(&copy->lo, 0, sizeof copy->lo);
	memset(&copy->hi, 0, sizeof copy->hi);
	memset(&copy->equation, 0, sizeof copy->equation);
	for (int k = 0; k < node->index.n; k++) {
		list_add(&copy->index, node->index.at[k]);
		list_add(&copy->lo, node->lo.at[k]);
		list_add(&copy->hi, node->hi.at[k]);
	}
	for (int q = 0; q < node->equation.n; q++) {
		const struct equation *eq = node->equation.at[q];
		struct equation *own = NEW(struct equation);
		*own = *eq;
		memset(&own->target, 0, sizeof own->target);
		list_add(&own->target, eq->target.at[0]);
		list_add(&copy->equation, own);
	}
	return copy;
}

const char *merge_items(struct node *node)
{
	int64_t items, step = 1;
	int few = first_of_few(node, &items), row = few - 1;
	const char *names = "";
	if (row < 0 || node->index.n - few < 2 || node->expand || !node_is_box(node)
	    || !inverse_small_end(node->lo.at[row]) || !inverse_small_end(node->hi.at[row])
	    || !places_by_data(node))
		return NULL;
	node->unmerged = copy_of(node);
	struct var *item = index_of_items(node), *from[MAX_RANK];
	struct expr *to[MAX_RANK];
	for (int k = node->index.n - 1; k >= row; k--) {
		struct expr *lo = node->lo.at[k];
		int64_t values = k == row ? 0 : affine_cells(lo, node->hi.at[k]);
		from[k - row] = node->index.at[k];
		to[k - row] = digit(item, step, values, lo);
		step *= values;
		names = str_print("%s%s%s", node->index.at[k]->name, *names ? ", " : "", names);
	}
	put(node, from, to, node->index.n - row);
	struct expr *rows = node->hi.at[row];
	if (!affine_is(node->lo.at[row], 0))
		rows = expr_binary(OP_SUB, rows, node->lo.at[row]);
	node->index.at[row] = item;
	node->hi.at[row] = expr_binary(OP_MUL, rows, integer(items, node->at));
	node->lo.at[row] = integer(0, node->at);
	node->index.n = node->lo.n = node->hi.n = few;
	return names;
}
