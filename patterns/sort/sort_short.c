/* sort_short.c - sequences whose elements fit the registers of some lanes of a warp, or of a
 * block: loaded, sorted and moved in one visit.
 *
 * Lanes load striped, so that neighbours load neighbours: networks do not care where an element
 * begins.  Then each array is moved: values are fetched by tags, from cells that this visit has
 * just had in its cache, into registers, and stored when all lanes of the sequence have theirs.
 * Values too large for that go through the workspace. */
#include "sort_gpu.h"

enum {
	MOST_WORDS = 32,                     /* of values in the registers of a thread */
	BLOCKS = 3,                          /* whose registers a multiprocessor is to have; of 4 some bytes would spill */
	BIN_BLOCKS = 6                       /* likewise */
};

struct visit {
	const struct sorter *s;
	struct lowering *l;
	struct elements *items;
	struct sequence sequence;
	struct kx *lane_bits, *lane;
	struct kx *n, *lane_rank, *wanted;   /* i32 */
	bool block;
	struct kx **memory;                  /* of the workspace, for arrays whose values do not fit; of others NULL */
};


/* ---- loading ---- */

static void load(const struct visit *v)
{
	struct kernel *k = v->l->k;
	struct kx *e = elements_open(v->items);
	struct kx *i = let(v->l, "i", x_op(OP_OR, x_op(OP_SHL, e, v->lane_bits), v->lane));
	elements_pad(v->items, e);
	k_if(k, x_lt(i, v->n));
	sort_bind_cell(v->s, v->l, x_add(v->sequence.first, x_to_i64(i)));
	elements_load(v->items, e, x_cast(kt_scalar(T_U32), i));
	k_end(k);
	k_end(k);
}

/* ---- moving ---- */

/* Opens the loop over a thread's elements that are wanted: where one goes, as a number in the
 * sequence. */
static struct kx *open_wanted(const struct visit *v, struct kx **e)
{
	*e = elements_open(v->items);
	struct kx *rank = let(v->l, "rank",
	                      elements_rank(v->items, *e, v->lane_rank, v->lane_bits, false));
	k_if(v->l->k, x_lt(rank, v->wanted));
	return x_to_i64(rank);
}

static void close_wanted(const struct visit *v)
{
	k_end(v->l->k);
	k_end(v->l->k);
}

static struct kx *fetch(const struct visit *v, const struct equation *eq, struct kx *e)
{
	sort_bind_cell(v->s, v->l, x_add(v->sequence.first, elements_tag(v->items, e)));
	return sort_value(v->l, eq);
}

static void put(const struct visit *v, const struct equation *eq, struct kx *rank, struct kx *value)
{
	sort_bind_cell(v->s, v->l, x_add(v->sequence.first, rank));
	sort_store(v->l, eq, value);
}

/* Nothing that is fetched is stored, or nothing is fetched. */
static void move_places(const struct visit *v, const struct equation *eq)
{
	struct kx *e, *rank = open_wanted(v, &e);
	put(v, eq, rank, let(v->l, "value", sort_holds(v->s, eq) ? elements_value(v->items, eq, e) : fetch(v, eq, e)));
	close_wanted(v);
}

static void all_have_theirs(const struct visit *v)
{
	if (v->block)
		k_barrier(v->l->k);
	else
		k_do(v->l->k, x_help(kt_scalar(T_I32), "patc_warp_sync", 0, NULL));
}

static bool fits(const struct visit *v, const struct type *type)
{
	return type_words(type) << v->items->bits <= MOST_WORDS;
}

static void move_values(const struct visit *v, const struct equation *eq)
{
	struct kernel *k = v->l->k;
	struct kvar *value = k_regs(k, eq->right->type, "value", INT64_C(1) << v->items->bits);
	struct kx *e, *rank;
	e = elements_open(v->items);
	accumulator_copy(v->l, x_at(x_var(value), e), lower_zero(eq->right->type));
	k_end(k);
	open_wanted(v, &e);
	accumulator_copy(v->l, x_at(x_var(value), e), fetch(v, eq, e));
	close_wanted(v);
	all_have_theirs(v);
	rank = open_wanted(v, &e);
	sort_bind_cell(v->s, v->l, x_add(v->sequence.first, rank));
	/* leaf by leaf: what pads a struct is in no register */
	accumulator_copy(v->l, lower_cell(v->l, eq->target.at[0]), x_at(x_var(value), e));
	close_wanted(v);
}

static void move_by_memory(const struct visit *v, const struct equation *eq, struct kx *memory)
{
	struct kx *e, *rank = open_wanted(v, &e);
	k_set(v->l->k, x_at(memory, x_add(v->sequence.base, rank)), fetch(v, eq, e));
	close_wanted(v);
	all_have_theirs(v);
	rank = open_wanted(v, &e);
	put(v, eq, rank, x_at(memory, x_add(v->sequence.base, rank)));
	close_wanted(v);
}

static void move(const struct visit *v, const struct equation *eq, struct kx *memory)
{
	k_scope(v->l->k);
	if (v->s->node->sorting->into || sort_holds(v->s, eq))
		move_places(v, eq);
	else if (memory)
		move_by_memory(v, eq, memory);
	else
		move_values(v, eq);
	k_end(v->l->k);
}

/* ---- the kernel ---- */

/* Parameters come before what uses them. */
static void find_memory(struct visit *v)
{
	const struct node *node = v->s->node;
	v->memory = mem_new((size_t)node->equation.n * sizeof *v->memory);
	for (int q = 0; q < node->equation.n; q++) {
		const struct equation *eq = node->equation.at[q];
		if (!node->sorting->into && !sort_holds(v->s, eq) && !fits(v, eq->right->type))
			v->memory[q] = sort_pointer(v->s, v->l, sort_fetched(v->s, q), false);
	}
}

static struct sequence bound_sequence(struct kernel *k)
{
	return (struct sequence){ k_get(k, "first"), k_get(k, "cells"), k_get(k, "base") };
}

/* number: of the sequence; NULL: that which is bound. */
static void visit_unit(struct visit *v, struct kx *lane_bits, struct kx *number, struct kx *is)
{
	struct lowering *l = v->l;
	const struct node *node = v->s->node;
	struct kx *lanes = x_op(OP_SHL, x_i32(1), lane_bits);
	v->lane_bits = lane_bits;
	v->lane = let(l, "place", x_op(OP_AND, block_thread(l), x_sub(lanes, x_i32(1))));
	v->sequence = number ? sort_sequence(v->s, l, number) : bound_sequence(l->k);
	v->n = let(l, "n", x_cond(is, x_to_i32(v->sequence.n), x_i32(0)));
	v->items->n = let(l, "elements", x_cast(kt_scalar(T_U32), v->n));
	load(v);
	elements_sort(v->items, v->lane_bits, v->lane);
	if (!node->sorting->into && !x_is_int(v->lane_bits, 0))
		all_have_theirs(v);
	v->lane_rank = network_lane_rank(l->k, v->items->bits, v->lane_bits, false, v->lane, v->items->loops);
	v->wanted = let(l, "wanted", x_to_i32(sort_wanted(l, node, x_to_i64(v->n))));
	for (int q = 0; q < node->equation.n; q++)
		move(v, node->equation.at[q], v->memory[q]);
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
	visit_unit(&v, arg[0], arg[1], arg[2]);
	return NULL;
}

static struct visit visit_open(const struct sorter *s, struct lowering *l, bool block)
{
	struct visit v = { .s = s, .l = l, .block = block };
	v.items = elements_new(s, l, block ? s->block_bits : s->short_bits, block);
	find_memory(&v);
	return v;
}

void sort_short(const struct sorter *s, bool block)
{
	int bits = block ? s->block_bits : s->short_bits;
	int first = block ? sort_warp_classes(s) : 0, end = block ? sort_classes(s) : sort_warp_classes(s);
	struct lowering *l = sort_kernel(s, block ? "_block" : "_warp",
	                                 block ? "Sorts sequences that fit a block." : "Sorts sequences that fit a warp.");
	struct visit v = visit_open(s, l, block);
	l->k->min_blocks = block && sort_word_bits(s->node) ? BLOCKS : 1;
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
	visit_unit(&v, x_i32(0), NULL, is[0]);
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
	struct lowering *l = sort_kernel(s, "_bins",
	                                 "Sorts sequences that fit a warp, and queues the longer ones.");
	struct visit v = visit_open(s, l, false);
	if (s->alone || s->carried)
		l->k->min_blocks = BIN_BLOCKS - is_computed(s->cells);
	sort_find_queues(s);
	k_bind_calls(l->k, &v, { "visit_own", visit_own }, { "visit", visit_listed });
	sort_bin_sequences(s, l);
}
