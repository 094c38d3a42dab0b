/* meet_chunks.c - items that meet in cells, on a CPU: chunks of the items have cells of their own, folded in their order
 * (src/pass_privatise.c decides where).
 *
 * By parts (meet_owned.c) every thread looks at every item: n threads do the looking n times.  Here the items are cut into
 * chunks, whose number depends on the shape alone; threads share the chunks, each combines its items in its copy of the cells,
 * from the identity on, and in the end threads share the cells, and combine with each what the chunks have for it, the first
 * chunk's first.  So the result is the same bits for any number of threads; another than that of the items' order only in
 * how floats are rounded, which is why `strict` stays with parts.
 *
 * A copy costs two passes over its cells and room in the workspace: a chunk has ITEMS_A_CELL items for each cell at least, so
 * that copies hold less than a sixteenth of the items' number of cells.  Where this leaves one chunk, items meet by parts; what
 * no item has come to is left as it is. */
#include "atomic.h"
#include "meet.h"
#include "private.h"
#include "state_words.h"
#include "privatise.h"

enum { BLOCK = 1024 };                   /* neighbouring cells that a thread folds at a time: they stay in L1 */

struct chunked {
	struct lowering *l;
	struct kernel *k;
	const struct node *node;
	const struct equation *eq;
	const struct var *array;
	int last;                            /* number of the last index */
	struct kx *host_cells, *host_items, *host_chunks;    /* i64 */
	struct kx *lo[MAX_RANK], *count[MAX_RANK];           /* of the indices; i64 */
	struct kx *cells, *items, *chunks, *pitch;           /* cells i32, others i64 */
	struct kx *copies, *base;            /* of all chunks; where this one's begins: i64 */
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
	struct kx *pitch = kx_fold(x_mul(x_div_up(c->host_cells, x_i64(64)), x_i64(64))), *count[] = { c->host_chunks, pitch };
	struct kx *slot = x_var(plan_slot(plan, str_print("own_%s", c->array->name), c->array->type, 2, count));
	c->chunks = lower_number(c->l, "chunks", c->host_chunks);
	c->cells = lower_number(c->l, "cells", x_to_i32(c->host_cells));
	c->pitch = lower_number(c->l, "pitch", pitch);
	c->items = lower_number(c->l, "items", c->host_items);
	c->copies = lower_argument(c->l, str_print("own_%s", c->array->name), kt_pointer(c->array->type, false), slot);
}

static void find_ranges(struct chunked *c, struct plan *plan)
{
	for (int d = 0; d < c->node->index.n; d++) {
		const char *name = c->node->index.at[d]->name;
		struct kx *lo = kx_fold(lower_index(host_lowering(plan), c->node->lo.at[d]));
		c->lo[d] = lower_number(c->l, str_print("%s_first", name), lo);
		if (d)
			c->count[d] = lower_number(c->l, str_print("%s_cells", name), meet_count(plan, c->node, d));
	}
}

static struct kx *own_cell(const struct chunked *c, struct kx *number)
{
	return x_at(c->copies, x_add(c->base, x_to_i64(number)));
}

static void take(struct lowering *l, struct kx *number, struct kx *value, void *state)
{
	const struct chunked *c = state;
	plain_combine(l, c->eq->combine, c->eq->right->type, own_cell(c, number), value);
}

static void bind(struct chunked *c, int d, struct kx *from_first)
{
	lower_bind(c->l, c->node->index.at[d], let(c, c->node->index.at[d]->name, x_add(c->lo[d], from_first)));
}

/* Opens the loop over the rows that the chunk's items lie in, of which it has *lo .. *hi. */
static void open_rows(struct chunked *c, struct kx **lo, struct kx **hi)
{
	struct kx *length = c->count[c->last];
	struct kx *row = x_var(k_for(c->k, "row", x_div(*lo, length), x_div_up(*hi, length), x_i64(1), 0)), *rest = row;
	for (int d = c->last - 1; d > 0; d--) {
		bind(c, d, x_rem(rest, c->count[d]));
		rest = let(c, "rest", x_div(rest, c->count[d]));
	}
	bind(c, 0, rest);
	struct kx *begin = let(c, "row_first", x_mul(row, length));
	*lo = let(c, "from", x_max(x_sub(*lo, begin), x_i64(0)));
	*hi = let(c, "to", x_min(x_sub(*hi, begin), length));
}

static void take_items(struct chunked *c, struct kx *lo, struct kx *hi)
{
	const struct meeting m = { .way = MEET_AT_ONCE, .take = take, .state = c, .count = c->cells };
	if (c->last)
		open_rows(c, &lo, &hi);
	const char *name = c->node->index.at[c->last]->name;
	struct kx *first = c->lo[c->last];
	struct kx *at = x_var(k_for(c->k, name, kx_fold(x_add(first, lo)), kx_fold(x_add(first, hi)), x_i64(1), 0));
	lower_bind(c->l, c->node->index.at[c->last], at);
	meet_item(c->l, c->node, &m);
	k_end(c->k);
	if (c->last)
		k_end(c->k);
}

static void fill_copies(struct chunked *c)
{
	struct kx *chunk = x_var(k_for(c->k, "chunk", x_i64(0), c->chunks, x_i64(1), FOR_PARALLEL));
	c->base = let(c, "base", x_mul(chunk, c->pitch));
	struct kx *b = x_var(k_for(c->k, "b", x_i32(0), c->cells, x_i32(1), 0));
	k_set(c->k, own_cell(c, b), identity(c));
	k_end(c->k);
	struct kx *each = let(c, "each", x_div_up(c->items, c->chunks));
	struct kx *lo = let(c, "first", x_mul(chunk, each));
	take_items(c, lo, let(c, "end", x_min(x_add(lo, each), c->items)));
	k_end(c->k);
}

/* Does a scalar of it differ from what a copy begins with? */
static struct kx *is_something(struct kx *own, struct kx *none)
{
	struct kx *is = NULL;
	struct values got = { { NULL, 0, 0 } }, start = got;
	state_leaves(&got, own);
	state_leaves(&start, none);
	for (int i = 0; i < got.at.n; i++) {
		struct ktype type = kt(type_compute(got.at.at[i]->type.type));
		is = x_or(is, x_ne(x_cast(type, got.at.at[i]), x_cast(type, start.at.at[i])));
	}
	return is;
}

/* What a chunk has for a cell comes to the array's, unless that is nothing: the cell may hold NaN, or -0. */
static void join_cell(struct chunked *c, struct kx *array, struct kx *none, struct kx *b)
{
	const struct type *of = c->eq->right->type;
	k_if(c->k, is_something(own_cell(c, b), none));
	plain_combine(c->l, c->eq->combine, of, x_at(array, x_to_i64(b)), x_cast(kt(of), own_cell(c, b)));
	k_end(c->k);
}

static void join_copies(struct chunked *c)
{
	struct kx *array = lower_pointer(c->l, c->array), *cells = x_to_i64(c->cells);
	struct kx *none = identity(c);
	if (c->array->type->kind == T_STRUCT)
		none = x_var(k_let(c->k, "none", none));
	struct kx *block = x_var(k_for(c->k, "block", x_i64(0), kx_fold(x_div_up(cells, x_i64(BLOCK))), x_i64(1), FOR_PARALLEL));
	struct kx *from = let(c, "from", x_mul(block, x_i64(BLOCK)));
	struct kx *to = let(c, "to", x_min(x_add(from, x_i64(BLOCK)), cells));
	struct kx *chunk = x_var(k_for(c->k, "chunk", x_i64(0), c->chunks, x_i64(1), 0));
	c->base = let(c, "base", x_mul(chunk, c->pitch));
	join_cell(c, array, none, x_var(k_for(c->k, "b", from, to, x_i64(1), 0)));
	k_end(c->k);
	k_end(c->k);
	k_end(c->k);
}

static void chunks_kernel(struct chunked *c, struct plan *plan)
{
	c->l = lowering_new(plan, str_print("%s_chunks", c->node->name));
	c->k = c->l->k;
	lowering_writes(c->l, c->node);
	open_copies(c, plan);
	find_ranges(c, plan);
	fill_copies(c);
	join_copies(c);
	lowering_launch(c->l, x_i64(1), x_i64(1), x_i64(1));
}

void meet_chunks(struct plan *plan, const struct group *group)
{
	const struct node *node = group->anchor;
	struct chunked c = { .node = node, .eq = private_equation(node), .array = private_array(node), .last = node->index.n - 1 };
	c.host_cells = kx_fold(meet_cells(plan, node));
	c.host_items = kx_fold(meet_items(plan, node));
	c.host_chunks = plan_let(plan, "chunks", host_chunks(&c));
	k_if(plan->host, x_le(x_i64(node->pin.privatise > 0 ? 1 : 2), c.host_chunks));
	chunks_kernel(&c, plan);
	k_else(plan->host);
	meet_owned(plan, group);
	k_end(plan->host);
}
