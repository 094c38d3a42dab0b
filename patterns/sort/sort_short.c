/* sort_short.c - sequences whose elements fit the registers of some lanes of a warp, or of a
 * block: loaded, sorted and moved in one visit.
 *
 * Lanes load striped, so that neighbours load neighbours: networks do not care where an element
 * begins.  Then each array is moved: values are fetched by tags, from cells that this visit has
 * just had in its cache, into registers, and stored when all lanes of the sequence have theirs.
 * Values too large for that go through the workspace. */
#include "sort_gpu.h"
#include "../kth/kth.h"

enum {
	MOST_WORDS = 32,                     /* of values in the registers of a thread */
	/* of a multiprocessor; with 4, some bytes would spill; fewer where cells are of several
	 * axes */
	BLOCKS = 3,
	BIN_BLOCKS = 6                       /* likewise */
};

struct visit {
	const struct sorter *s;
	struct lowering *l;
	struct elements *items;
	struct sequence sequence;
	struct kx *number;                   /* of the sequence; NULL: that which is bound */
	struct kx *lane_bits, *lane_rank;    /* i32 */
	const struct equation *eq;           /* that moves */
	bool block;
	int striped;                         /* threads; ranks are those of visit_striped; or 0 */
	struct kx **memory;                  /* of arrays whose values do not fit; else NULL */
};

/* ---- moving ---- */

static bool fits(const struct visit *v, const struct type *type)
{
	return type_words(type) << v->items->bits <= MOST_WORDS;
}

static void bind_place(const struct visit *v, struct kx *place)
{
	sort_bind_cell(v->l, v->s->node, x_add(v->sequence.first, place));
}

/* What the element holds, or else what is fetched by its tag. */
static struct kx *moved(const struct visit *v, struct kx *e)
{
	if (sort_holds(v->s, v->eq))
		return elements_value(v->items, v->eq, e);
	bind_place(v, elements_tag(v->items, e));
	return sort_value(v->l, v->eq);
}

static void put(const struct visit *v, struct kx *rank, struct kx *value)
{
	bind_place(v, rank);
	sort_store(v->l, v->eq, value);
}

/* Leaf by leaf: what pads a struct is in no register. */
static void store_value(const struct visit *v, struct kx *rank, struct kx *value)
{
	bind_place(v, rank);
	accumulator_copy(v->l, lower_cell(v->l, v->eq->target.at[0]), value);
}

static void move_arrays(struct visit *v)
{
	struct kernel *k = v->l->k;
	const struct node *node = v->s->node;
	if (node->sorting->value) {
		k_text(k, "move_kth");
		return;
	}
	for (int q = 0; q < node->equation.n; q++) {
		v->eq = node->equation.at[q];
		k_scope(k);
		k_bind(k, "VALUE", v->eq->right->type);
		if (node->sorting->into || sort_holds(v->s, v->eq))
			k_text(k, "move_places");
		else if (v->memory[q])
			k_text(k, "move_by_memory", v->memory[q]);
		else
			k_text(k, "move_values");
		k_end(k);
	}
}

/* ---- the kernel ---- */

/* Parameters come before what uses them. */
static void find_memory(struct visit *v)
{
	const struct node *node = v->s->node;
	v->memory = mem_new((size_t)node->equation.n * sizeof *v->memory);
	for (int q = 0; q < node->equation.n && !node->sorting->value; q++) {
		const struct equation *eq = node->equation.at[q];
		if (!node->sorting->into && !sort_holds(v->s, eq) && !fits(v, eq->right->type))
			v->memory[q] = sort_pointer(v->s, v->l, sort_fetched(v->s, q), false);
	}
}

static struct sequence bound_sequence(struct kernel *k)
{
	return (struct sequence){ k_get(k, "first"), k_get(k, "cells"), k_get(k, "base") };
}

static void open_sequence(struct visit *v)
{
	struct lowering *l = v->l;
	v->sequence = v->number ? sort_sequence(v->s, l, v->number) : bound_sequence(l->k);
}

static void load_cell(const struct visit *v, struct kx *e, struct kx *i)
{
	const struct expr *where = v->s->node->where;
	bind_place(v, x_to_i64(i));
	if (where)
		k_if(v->l->k, lower_expr(v->l, where));
	elements_load(v->items, e, x_cast(kt_scalar(T_U32), i));
	if (where)
		k_end(v->l->k);
}

/* Of a kth: cell i has one, which `where` says. */
static struct kx *is_taken(const struct visit *v, struct kx *i)
{
	bind_place(v, x_to_i64(i));
	return kth_taken(v->l, v->s->node);
}

static void sort_elements(struct visit *v, struct kx *const *arg)
{
	v->items->n = arg[2];
	elements_sort(v->items, arg[0], arg[1]);
}

static struct kx *lane_rank(const struct visit *v, struct kx *place)
{
	const struct elements *it = v->items;
	return network_lane_rank(v->l->k, it->bits, v->lane_bits, false, place, it->loops);
}

static struct kx *element_rank(const struct visit *v, struct kx *e)
{
	if (v->striped)
		return x_add(x_mul(e, x_i32(v->striped)), k_get(v->l->k, "thread"));
	return elements_rank(v->items, e, v->lane_rank, v->lane_bits, false);
}

#define CALLS(DO, GET) \
	DO(open_sequence, open_sequence(v)) \
	DO(pad, elements_pad(v->items, arg[0])) \
	DO(load_cell, load_cell(v, arg[0], arg[1])) \
	DO(sort_elements, sort_elements(v, arg)) \
	DO(find_lane_rank, v->lane_rank = lane_rank(v, arg[1])) \
	DO(move_arrays, move_arrays(v)) \
	DO(clear, accumulator_copy(l, arg[0], lower_zero(v->eq->right->type))) \
	DO(copy_value, accumulator_copy(l, arg[0], arg[1])) \
	DO(put, put(v, arg[0], arg[1])) \
	DO(store_kth, sort_store_kth(l, v->s->node, x_at(x_var(v->items->key), arg[0]))) \
	DO(store_value, store_value(v, arg[0], arg[1])) \
	DO(record_kth, lower_status(l, arg[0], ST_INDEX)) \
	GET(is_pad, elements_is_pad(v->items, arg[0])) \
	GET(is_taken, is_taken(v, arg[0])) \
	GET(sequence_cells, v->sequence.n) \
	GET(workspace_first, v->sequence.base) \
	GET(wanted_of, sort_wanted(l, v->s->node, arg[0])) \
	GET(element_rank, element_rank(v, arg[0])) \
	GET(moved, moved(v, arg[0]))

#define HOLE_DO(name, call) KTEXT_CALL(struct visit, v, name, call; return NULL;)
#define HOLE_GET(name, value) KTEXT_CALL(struct visit, v, name, return value;)

CALLS(HOLE_DO, HOLE_GET)

static void visit_unit(struct visit *v, struct kx *lane_bits, struct kx *is)
{
	struct kernel *k = v->l->k;
	const struct sorting *sorting = v->s->node->sorting;
	bool together = !sorting->into && !sorting->value && !x_is_int(lane_bits, 0);
	v->lane_bits = lane_bits;
	k_numbers(k, "EACH, SEVERAL_WARPS, TOGETHER, MASKED", 1 << v->items->bits, v->block,
	          together, sorting->value && kth_may_lack(v->s->node));
	k_bind_calls(k, v, CALLS(KTEXT_ROW, KTEXT_ROW));
	k_text(k, "visit_sequence", lane_bits, is);
}

struct visit *visit_striped(const struct sorter *s, struct lowering *l, struct elements *items,
                            int threads)
{
	struct visit *v = NEW(struct visit);
	*v = (struct visit){ .s = s, .l = l, .items = items, .block = true, .striped = threads };
	find_memory(v);
	return v;
}

void visit_move(struct visit *v, int bits, bool several_warps)
{
	struct kernel *k = v->l->k;
	int names = k_names(k);
	v->sequence = bound_sequence(k);
	k_numbers(k, "EACH, SEVERAL_WARPS", 1 << bits, several_warps);
	k_bind_calls(k, v, CALLS(KTEXT_ROW, KTEXT_ROW));
	move_arrays(v);
	k_forget(k, names);
}

int64_t sort_most(const struct sorter *s, bool block)
{
	return sort_class_cells(s, (block ? sort_classes(s) : sort_warp_classes(s)) - 1);
}

/* visit(lane_bits, number, is) */
static struct kx *visit(struct lowering *l, const void *state, struct kx *const *arg)
{
	struct visit v = *(const struct visit *)state;
	(void)l;
	v.number = arg[1];
	visit_unit(&v, arg[0], arg[2]);
	return NULL;
}

static struct visit visit_open(const struct sorter *s, struct lowering *l, bool block)
{
	struct visit v = { .s = s, .l = l, .block = block };
	v.items = elements_new(s, l, "", block ? s->block_bits : s->short_bits, block);
	find_memory(&v);
	return v;
}

void sort_short(const struct sorter *s, bool block)
{
	int bits = block ? s->block_bits : s->short_bits;
	int first = block ? sort_warp_classes(s) : 0;
	int end = block ? sort_classes(s) : sort_warp_classes(s);
	const char *note = block ? "Sorts sequences that fit a block."
	                         : "Sorts sequences that fit a warp.";
	struct lowering *l = sort_kernel(s, block ? "_block" : "_warp", note);
	struct visit v = visit_open(s, l, block);
	int blocks = BLOCKS - (s->node->sorting->more > 0);
	l->k->min_blocks = block && sort_word_bits(s->node) ? blocks : 1;
	k_bind_call(l->k, "visit", visit, &v);
	sort_units(s, l, first, end, bits);
	lowering_launch(l, sort_blocks(s, first, end, bits), x_i64(1), x_i64(1));
}

/* Then it takes registers, and of so many blocks some bytes would spill. */
static bool is_computed(const struct kx *size)
{
	return size->kind != KX_VAR && size->kind != KX_INT;
}

/* visit_own(is): a thread sorts the sequence that is bound. */
static struct kx *visit_own(struct lowering *l, const void *state, struct kx *const *is)
{
	struct visit v = *(const struct visit *)state;
	(void)l;
	visit_unit(&v, x_i32(0), is[0]);
	return NULL;
}

static struct kx *visit_listed(struct lowering *l, const void *state, struct kx *const *arg)
{
	struct visit v = *(const struct visit *)state;
	v.items->loops = l->target->unrolls ? FOR_UNROLL : FOR_ROLLED;
	return visit(l, &v, arg);
}

void sort_bins(struct sorter *s)
{
	struct lowering *l = sort_kernel(
		s, "_bins", "Sorts sequences that fit a warp, and queues the longer ones.");
	struct visit v = visit_open(s, l, false);
	if (s->alone || s->carried)
		l->k->min_blocks = BIN_BLOCKS - is_computed(s->cells);
	sort_find_queues(s);
	k_bind_calls(l->k, &v, { "visit_own", visit_own }, { "visit", visit_listed });
	sort_bin_sequences(s, l);
}
