/* compact_cpu.c - compact on a CPU, in three steps: every thread counts the items that its chunks
 * keep; the counts are added up; every thread moves the items of its chunks to places that are
 * known by then.
 *
 * Chunks are as long as the number of items says, never as the number of threads does.  Items are
 * judged twice, which costs a second read; nothing of the size of the input has to be kept.
 *
 * Note [store, then judge].  Which items are kept, no processor can guess.  So where a value can be
 * had of every item, it is stored at the next place whether it stays or not, and only then the
 * place moves on: the item kept next overwrites one that is not.  A chunk stops at its last place,
 * after which nothing is written; that has to be in every target.  Random u32, half of them kept,
 * one thread: 0.8 ns an item instead of 5.5. */
#include "../cells.h"
#include "../expand.h"
#include "compact.h"

enum {
	CHUNK = 8192,              /* items at least: its inputs stay in L2 between the two steps */
	CHUNKS = 4096                        /* at most */
};

struct chunks {
	const struct box *box;
	struct kx *length, *count;           /* host */
	struct kvar *slot[PART_COUNT];
	int parts;
};

/* ---- the functions of chunks.kernel ---- */

static struct kx *bind_row(struct lowering *l, const void *items, struct kx *const *row)
{
	(void)l;
	items_bind_row((struct items *)items, row[0]);
	return NULL;
}

static struct kx *bind_last(struct lowering *l, const void *items, struct kx *const *place)
{
	struct items *it = (struct items *)items;
	if (it->node->expand)
		expand_bind(l, it->node, place[0]);
	else
		items_bind_last(it, place[0]);
	return NULL;
}

static struct kx *store(struct lowering *l, const void *items, struct kx *const *at)
{
	(void)l;
	items_store((struct items *)items, at[0]);
	return NULL;
}

static struct kx *done(struct lowering *l, const void *items, struct kx *const *all)
{
	(void)l;
	items_note_outside((struct items *)items);
	items_finish((struct items *)items, all[PART_KEPT], all[PART_REJECTED]);
	return NULL;
}

/* Is there room for what the chunk keeps in every target? */
static struct kx *has_room(struct lowering *l, const void *items, struct kx *const *stop)
{
	const struct items *it = items;
	struct kx *room = NULL;
	for (int q = 0; q < it->node->equation.n; q++) {
		const struct equation *eq = it->node->equation.at[q];
		const struct var *var = target_read(eq->target.at[0])->var;
		if (selected_part(it->node, eq) == PART_KEPT)
			room = x_and(room, x_le(stop[0], lower_extent(l, var, var->rank - 1)));
	}
	return room;
}

/* ---- Note [store, then judge] ---- */

static bool reads_every_item(struct expr *e, void *state)
{
	const struct node *node = state;
	if (e->kind == E_FOLD || e->kind == E_CALL || e->kind == E_MATH)
		return false;
	for (int a = 0; e->kind == E_READ && a < e->arg.n; a++) {
		int k = 0;
		while (k < node->index.n
		       && !(e->arg.at[a]->kind == E_VAR && e->arg.at[a]->var == node->index.at[k]))
			k++;
		if (k == node->index.n || !cells_index_inside(node, k, &e->var->extent[a]))
			return false;
	}
	return e->kind != E_ELEM || !e->checked;
}

static bool stores_first(const struct box *b)
{
	const struct node *node = b->node;
	bool can = !node_checked(node) && !selection_has(node, PART_REJECTED) && !node->expand;
	for (int k = 0; k < b->rank; k++)
		can &= !b->open[k];
	for (int q = 0; q < node->equation.n && can; q++) {
		const struct equation *eq = node->equation.at[q];
		can = !eq->whole && eq->right->type->kind != T_STRUCT
		      && expr_walk(eq->right, reads_every_item, (void *)node);
	}
	return can;
}

/* ---- the kernels ---- */

static void bind_parts(const struct chunks *c, struct lowering *l)
{
	struct kx *slot[PART_COUNT], *number[PART_COUNT];
	for (int part = 0; part < c->parts; part++) {
		const char *name = c->slot[part]->name;
		number[part] = x_int(T_INT_LIT, part);
		slot[part] = lower_argument(l, name, kt_pointer(type_scalar(T_I64), false),
		                            x_var(c->slot[part]));
	}
	bind_values(l->k, "PART", c->parts, number);
	bind_values(l->k, "begins", c->parts, slot);
	bind_words(l->k, "sum", PART_COUNT, (const char *const[]){ "keeps", "rejects" });
	bind_words(l->k, "at", PART_COUNT, (const char *const[]){ "at", "at_rejected" });
}

static struct kx *length_of(struct kx *items)
{
	return x_max(x_div(x_add(items, x_i64(CHUNKS - 1)), x_i64(CHUNKS)), x_i64(CHUNK));
}

static struct kx *count_of(struct kx *items, struct kx *length)
{
	return x_div(x_add(items, x_sub(length, x_i64(1))), length);
}

/* By the host, or in the kernel, if data decide how many items there are. */
static void bind_lengths(const struct chunks *c, const struct items *it)
{
	struct lowering *l = it->l;
	struct kx *length, *count;
	if (it->node->expand) {
		length = x_var(k_let(l->k, "length", length_of(it->count)));
		count = x_var(k_let(l->k, "chunks", count_of(it->count, length)));
	} else {
		length = lower_argument(l, "length", kt_scalar(T_I64), c->length);
		count = lower_argument(l, "chunks", kt_scalar(T_I64), c->count);
	}
	k_bind(l->k, "length", length);
	k_bind(l->k, "chunks", count);
}

static void chunks_kernel(const struct chunks *c, const char *name, const char *note,
                          const char *text)
{
	struct items *it = items_open(c->box, name);
	struct lowering *l = it->l;
	int last = it->node->expand ? 0 : it->node->index.n - 1;
	l->k->note = note;
	bind_lengths(c, it);
	bind_parts(c, l);
	k_bind(l->k, "items", it->count);
	k_numbers(l->k, "ROWS, REJECTS, STORES_FIRST", last > 0, c->parts == PART_COUNT,
	          stores_first(c->box));
	if (last > 0)
		k_bind(l->k, "cells", it->size[last]);
	expand_bind_ranges(l, it->node);
	items_bind_calls(it);
	k_bind_calls(l->k, it, { "bind_row", bind_row },
	             { "bind_last", bind_last }, { "store_item", store }, { "done", done },
	             { "has_room", has_room });
	k_text(l->k, text);
	lowering_launch(l, x_i64(1), x_i64(1), x_i64(1));
}

void compact_cpu(const struct box *box)
{
	struct chunks c = { .box = box };
	struct plan *plan = box->plan;
	struct kx *most = x_i64(CHUNKS + 1);     /* and the end of the last */
	if (!box->node->expand) {
		c.length = plan_let(plan, "length", length_of(box->count));
		c.count = plan_let(plan, "chunks", count_of(box->count, c.length));
	}
	c.slot[PART_KEPT] = plan_slot(plan, "keeps", type_scalar(T_I64), 1, &most);
	c.parts = 1 + selection_has(box->node, PART_REJECTED);
	if (c.parts == PART_COUNT)
		c.slot[PART_REJECTED] = plan_slot(plan, "rejects", type_scalar(T_I64), 1, &most);
	chunks_kernel(&c, "_count", "Counts the items of every chunk that are kept.",
	              "count_chunks");
	chunks_kernel(&c, "_places",
	              "Where the items of every chunk begin, and how many there are.",
	              "place_chunks");
	chunks_kernel(&c, "", "Moves the items of every chunk to their places.", "move_chunks");
}
