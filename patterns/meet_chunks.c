/* meet_chunks.c - items that meet in cells, on a CPU: chunks of the items have cells of their own,
 * folded in their order (src/pass_privatise.c decides where).
 *
 * By parts (meet_owned.c) every thread looks at every item: n threads do the looking n times.  Here
 * the items are cut into chunks, whose number depends on the shape alone; threads share the chunks,
 * each combines its items in its copy of the cells, from the identity on, and in the end threads
 * share the cells, and combine with each what the chunks have for it, the first chunk's first.  So
 * the result is the same bits for any number of threads; another than that of the items' order only
 * in how floats are rounded, which is why `strict` stays with parts.
 *
 * A copy costs two passes over its cells and room in the workspace: a chunk has ITEMS_A_CELL items
 * for each cell at least, so that copies hold less than a sixteenth of the items' number of cells.
 * Where this leaves one chunk, items meet by parts; what no item has come to is left as it is. */
#include "atomic.h"
#include "meet.h"
#include "private.h"
#include "state_words.h"
#include "privatise.h"

enum { BLOCK = 1024 };       /* neighbouring cells that a thread folds at a time: they stay in L1 */

struct chunked {
	struct lowering *l;
	struct kernel *k;
	const struct node *node;
	const struct equation *eq;
	const struct var *array;
	int last;                            /* number of the last index */
	struct kx *host_cells, *host_items, *host_chunks;    /* i64 */
	struct kx *lo[MAX_RANK], *count[MAX_RANK];           /* of the indices; i64 */
	struct kx *cells, *none;             /* how many, i32; what a copy begins with */
};

/* As many as have enough to do; numbers of private cells have 31 bits. */
static struct kx *host_chunks(const struct chunked *c)
{
	const struct node *node = c->node;
	struct kx *each = x_max(x_mul(c->host_cells, x_i64(ITEMS_A_CELL)), x_i64(ITEMS_A_CHUNK));
	struct kx *chunks = node->pin.privatise > 0 ? c->host_items : x_div(c->host_items, each);
	chunks = x_min(chunks, x_i64(node->choice.copies ? node->choice.copies : MOST_CHUNKS));
	return kx_fold(x_cond(x_le(c->host_cells, x_i64(INT32_MAX)), chunks, x_i64(0)));
}

/* ---- in the kernel ---- */

static struct kx *let(struct chunked *c, const char *name, struct kx *value)
{
	value = kx_fold(value);
	return value->kind == KX_INT ? value : x_var(k_let(c->k, name, value));
}

static struct kx *identity(struct chunked *c)
{
	return x_cast(kt(c->array->type), lower_identity(c->l, c->eq->combine, c->array->type));
}

/* Copies begin at a multiple of 64 cells: threads share no cache line. */
static void open_copies(struct chunked *c, struct plan *plan)
{
	struct kx *pitch = kx_fold(x_mul(x_div_up(c->host_cells, x_i64(64)), x_i64(64))),
		  *count[] = { c->host_chunks, pitch };
	struct kx *slot = x_var(
		plan_slot(plan, str_print("own_%s", c->array->name), c->array->type, 2, count));
	const char *name = str_print("own_%s", c->array->name);
	k_bind(c->k, "chunks", lower_number(c->l, "chunks", c->host_chunks));
	c->cells = lower_number(c->l, "cells", x_to_i32(c->host_cells));
	k_bind(c->k, "cells", c->cells);
	k_bind(c->k, "pitch", lower_number(c->l, "pitch", pitch));
	k_bind(c->k, "items", lower_number(c->l, "items", c->host_items));
	k_bind(c->k, "copies", lower_argument(c->l, name, kt_pointer(c->array->type, false), slot));
}

static void find_ranges(struct chunked *c, struct plan *plan)
{
	for (int d = 0; d < c->node->index.n; d++) {
		const char *name = c->node->index.at[d]->name;
		struct kx *lo = kx_fold(lower_index(host_lowering(plan), c->node->lo.at[d]));
		c->lo[d] = lower_number(c->l, str_print("%s_first", name), lo);
		if (d)
			c->count[d] = lower_number(c->l, str_print("%s_cells", name),
			                           meet_count(plan, c->node, d));
	}
}

/* ---- the functions of meet_chunks.kernel ---- */

static void take(struct lowering *l, struct kx *number, struct kx *value, void *state)
{
	const struct chunked *c = state;
	struct kx *cell = k_value(l->k, "chunk_cell", number);
	plain_combine(l, c->eq->combine, c->eq->right->type, cell, value);
}

static struct kx *take_item(struct lowering *l, const void *chunked, struct kx *const *item)
{
	struct chunked *c = (struct chunked *)chunked;
	const struct meeting m = {
		.way = MEET_AT_ONCE, .take = take, .state = c, .count = c->cells
	};
	lower_bind(l, c->node->index.at[c->last], item[0]);
	meet_item(l, c->node, &m);
	return NULL;
}

static struct kx *identity_of(struct lowering *l, const void *chunked, struct kx *const *none)
{
	(void)l, (void)none;
	return identity((struct chunked *)chunked);
}

/* Items of a chunk: may be known here. */
static struct kx *chunk_items(struct lowering *l, const void *chunked, struct kx *const *arg)
{
	(void)l;
	return let((struct chunked *)chunked, "each", x_div_up(arg[0], arg[1]));
}

static void bind(struct chunked *c, int d, struct kx *from_first)
{
	lower_bind(c->l, c->node->index.at[d],
	           let(c, c->node->index.at[d]->name, x_add(c->lo[d], from_first)));
}

static struct kx *bind_row(struct lowering *l, const void *chunked, struct kx *const *row)
{
	struct chunked *c = (struct chunked *)chunked;
	struct kx *rest = row[0];
	(void)l;
	for (int d = c->last - 1; d > 0; d--) {
		bind(c, d, x_rem(rest, c->count[d]));
		rest = let(c, "rest", x_div(rest, c->count[d]));
	}
	bind(c, 0, rest);
	return NULL;
}

/* Does a scalar of it differ from what a copy begins with? */
static struct kx *is_something(struct lowering *l, const void *chunked, struct kx *const *own)
{
	struct kx *is = NULL;
	(void)l;
	struct values got = { { NULL, 0, 0 } }, start = got;
	state_leaves(&got, own[0]);
	state_leaves(&start, ((const struct chunked *)chunked)->none);
	for (int i = 0; i < got.at.n; i++) {
		struct ktype type = kt(type_compute(got.at.at[i]->type.type));
		is = x_or(is, x_ne(x_cast(type, got.at.at[i]), x_cast(type, start.at.at[i])));
	}
	return is;
}

static struct kx *join(struct lowering *l, const void *chunked, struct kx *const *arg)
{
	const struct chunked *c = chunked;
	const struct type *of = c->eq->right->type;
	plain_combine(l, c->eq->combine, of, arg[0], x_cast(kt(of), arg[1]));
	return NULL;
}

/* ---- the kernel ---- */

static void bind_array(struct chunked *c)
{
	k_bind(c->k, "array", lower_pointer(c->l, c->array));
	c->none = identity(c);
	if (c->array->type->kind == T_STRUCT)
		c->none = x_var(k_let(c->k, "none", c->none));
}

static void bind_items(struct chunked *c)
{
	k_numbers(c->k, "ROWS, BLOCK", c->last > 0, BLOCK);
	k_bind(c->k, "lo", c->lo[c->last]);
	if (c->last)
		k_bind(c->k, "row_items", c->count[c->last]);
	k_bind(c->k, "item", c->node->index.at[c->last]->name);
	k_bind_calls(c->k, c, { "take_item", take_item }, { "identity", identity_of },
	             { "chunk_items", chunk_items }, { "bind_row", bind_row },
	             { "is_something", is_something }, { "join", join });
}

static void chunks_kernel(struct chunked *c, struct plan *plan)
{
	c->l = lowering_new(plan, str_print("%s_chunks", c->node->name));
	c->k = c->l->k;
	lowering_writes(c->l, c->node);
	open_copies(c, plan);
	find_ranges(c, plan);
	bind_items(c);
	k_text(c->k, "fill_copies");
	bind_array(c);
	k_text(c->k, "join_copies");
	lowering_launch(c->l, x_i64(1), x_i64(1), x_i64(1));
}

void meet_chunks(struct plan *plan, const struct group *group)
{
	const struct node *node = group->anchor;
	struct chunked c = { .node = node,
		             .eq = private_equation(node),
		             .array = private_array(node),
		             .last = node->index.n - 1 };
	c.host_cells = kx_fold(meet_cells(plan, node));
	c.host_items = kx_fold(meet_items(plan, node));
	c.host_chunks = plan_let(plan, "chunks", host_chunks(&c));
	k_if(plan->host, x_le(x_i64(node->pin.privatise > 0 ? 1 : 2), c.host_chunks));
	chunks_kernel(&c, plan);
	k_else(plan->host);
	meet_owned(plan, group);
	k_end(plan->host);
}
