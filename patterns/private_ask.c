/* private_ask.c - items that meet in cells of a block's own: what the passes ask of such
 * statements, and what their kernels (meet_private.c, private_sample.c) are made by: how many
 * threads, vectors under way, copies of a cell. */
#include <string.h>

#include "atomic.h"
#include "private.h"
#include "privatise.h"

enum {
	ITEMS = 64,                    /* a thread takes at once, at most, where it takes vectors */
	LARGE = 64     /* bytes: more of a struct are not worth a comparison of each of its parts */
};

const struct equation *private_equation(const struct node *node)
{
	return node->equation.at[0];
}

const struct var *private_array(const struct node *node)
{
	return target_read(private_equation(node)->target.at[0])->var;
}

/* Parts of the threads own cells.  On a CPU that is how all items meet, and they need not where
 * chunks of them can be cut. */
static const char *owned_cannot(const struct node *node, const struct target *target)
{
	if (target->gpu)
		return "every warp already owns its cells";
	if (node_clause(node, "strict"))
		return "every thread already owns its cells, and combines their items in order";
	if (!node_by_sizes(node))
		return "the number of items depends on more than sizes";
	return node->index.n ? NULL : "there is one item";
}

/* Items must be combined one by one in any order, in cells that lie one after another and that
 * something can stand in before the first comes. */
const char *private_cannot(const struct node *node, const struct target *target)
{
	const struct equation *eq = private_equation(node);
	const struct expr *cell = eq->target.at[0];
	const enum meeting_way way = meeting_way(node, target);
	const char *no = way == MEET_OWNED ? owned_cannot(node, target) : NULL;
	if (meet_counted_late(node))
		return "the number of items depends on data";
	if (way == MEET_ALONE)
		return "no two items have the same cell, as `unique` says";
	if (no)
		return no;
	if (node->equation.n != 1 && (cell->kind != E_READ || cell->var->whole))
		return "the fields of its structs are combined one by one";
	if (node->equation.n != 1)
		return "several equations bring items";
	if (cell->kind != E_READ || !is_dense(cell->var) || var_home(cell->var))
		return "its cells are not adjacent in memory";
	if (cell->type->kind == T_STRUCT && target->gpu)
		return "structs are written whole, and shared memory has no words for them";
	if (type_size(cell->type) > LARGE)
		return str_print("copies of structs of more than %d bytes are not compared with "
		                 "their initial value",
		                 LARGE);
	return op_identity(eq->combine, cell->type)
	               ? NULL
	               : str_print("`%s` has no identity, which a copy needs", eq->combine->name);
}

static int64_t known_cells(const struct node *node)
{
	const struct var *var = private_array(node);
	int64_t cells = 1;
	for (int a = 0; a < var->rank; a++) {
		if (var->extent[a].n)
			return -1;
		cells *= var->extent[a].constant;    /* no array is larger than 2^62 */
	}
	return cells;
}

const struct node *private_items(const struct node *node)
{
	const struct expr *cell = private_equation(node)->target.at[0];
	struct node *items = NEW(struct node);
	*items = *node;
	memset(&items->equation, 0, sizeof items->equation);
	for (int a = -1; a < cell->arg.n; a++) {
		struct equation *eq = NEW(struct equation);
		*eq = (struct equation){ .at = node->at,
			                 .right = a < 0 ? private_equation(node)->right
			                                : cell->arg.at[a] };
		list_add(&items->equation, eq);
	}
	return items;
}

/* Shared memory combines integers by one operation; all else is tried until nobody has come
 * between. */
static bool is_native(const struct node *node)
{
	const struct type *cell = private_array(node)->type;
	return atomic_native(private_equation(node)->combine, cell,
	                     private_equation(node)->right->type)
	       && type_class(cell) != 'F';
}

static bool is_word(const struct node *node)
{
	const struct type *cell = private_array(node)->type;
	return type_size(cell) == 4
	       && atomic_native(private_equation(node)->combine, cell,
	                        private_equation(node)->right->type);
}

int private_copies(const struct node *node, const struct target *target)
{
	return is_native(node) ? target->banks : target->banks * GROUPS;
}

/* Nothing to test or to find for an item but its cell, all of which are private. */
static bool is_simple(const struct node *node)
{
	return is_word(node) && !node->choice.first && node->index.n == 1
	       && private_array(node)->rank == 1 && !expr_slow(private_equation(node)->right);
}

/* A full block's have 64 registers each: enough for what is simple. */
int private_threads(const struct node *node, const struct target *target)
{
	return is_simple(node) ? target->max_block : target->max_block / 2;
}

int64_t private_room(const struct node *node, const struct target *target)
{
	return target->asked_bytes / type_size(private_array(node)->type);
}

int private_width(const struct node *node)
{
	struct node items = *private_items(node);
	items.choice.vector = 0;
	return cells_width(&items);
}

struct arrays { const struct var **at; int n, room; const struct var *index; };

static bool seen_before(const struct arrays *a, const struct var *var)
{
	for (int i = 0; i < a->n; i++)
		if (a->at[i] == var)
			return true;
	return false;
}

static bool add_array(struct expr *e, void *arrays)
{
	struct arrays *a = arrays;
	if (e->kind == E_READ && expr_uses(e, a->index) && !seen_before(a, e->var))
		list_add(a, e->var);
	return true;
}

/* Vectors that a thread has under way at once: four, of all arrays together. */
int private_vectors(const struct node *node, int width)
{
	struct arrays a = { .index = node->index.at[node->index.n - 1] };
	if (node->choice.coarsen)
		return node->choice.coarsen;
	node_walk((struct node *)private_items(node), add_array, &a);
	int most = a.n > 1 ? (MOST_VECTORS + 1) / a.n : MOST_VECTORS,
	    items = is_simple(node) ? ITEMS : ITEMS / 4;
	most = most * width > items ? items / width : most;
	return most > 1 ? most : 1;
}

void private_shape(const struct node *node, const struct target *target, struct shape *s)
{
	s->cells = known_cells(node);
	s->cell_bytes = type_size(private_array(node)->type);
	s->chunked = !target->gpu;
	if (s->chunked)
		return;
	s->copies = private_copies(node, target);
	s->threads = private_threads(node, target);
	if (node->choice.privatise <= 0 || node->choice.hot == HOT_ALL)
		return;
	s->vector = private_width(node);
	s->piece = "vector";
	s->pieces = MOST_VECTORS;
	s->no_pieces = "a block runs over many strips of items";
}
