/* private_sample.c - which cells most items go to, where an array has more than blocks have room for: a launch of one block
 * that looks at some of the items before all are taken (meet_private.c).
 *
 * A thread looks at one item.  They are spread over all of them evenly, but for a step that a hash of the thread's number
 * makes: what repeats in the data must not meet the sample's stride.  Every run looks at the same ones.  Each counts for two
 * windows, pieces of the array: a narrow one of so few cells that a block has room for as many copies of each as are
 * worth it, and a wide one of as many cells as it has room for.  The narrow one is for cells that so many items go to that
 * they wait for each other in memory, a few tens of a thousand being enough; the wide one for items that go to many cells
 * side by side, of which it must take a quarter more of all than the narrow one.  An array that is no larger has copies as
 * fit, too.  Else nothing is hot.
 *
 * Windows share counters where there are more of them, and two that are hot may be taken for one: then less is gained.  The
 * result never depends on the sample: what goes to other cells meets in memory. */
#include "atomic.h"
#include "private.h"
#include "privatise.h"

enum {
	COUNTERS = 2048,                     /* of windows of one width */
	NUMBER_BITS = 48,                    /* of a window, below its count */
	HASH = 40503,                        /* 2^16 by the golden ratio */
	NARROW = 0, WIDE = 1
};

struct sample {
	struct lowering *l;
	struct kernel *k;
	struct kx *place;                    /* i64: the cell of the thread's item; -1: none */
	struct kx *hits, *best;              /* shared: of each window; the count and the number of the best of each width */
	struct kx *items;                    /* of all */
	int64_t cells[2];                    /* of a window */
	int threads;
};

static struct kx *u64(struct kx *x)
{
	return x_cast(kt_scalar(T_U64), x);
}

static struct kx *let(struct sample *s, const char *name, struct kx *value)
{
	return x_var(k_let(s->k, name, kx_fold(value)));
}

/* ---- the item ---- */

static void note(struct lowering *l, struct kx *number, struct kx *value, void *state)
{
	(void)value;
	k_set(l->k, ((struct sample *)state)->place, x_to_i64(number));
}

static void bind_item(struct sample *s, struct cells *c, struct kx *rest)
{
	const struct node *node = c->node;
	struct lowering *host = host_lowering(s->l->plan);
	for (int d = node->index.n - 1; d >= 0; d--) {
		const char *name = node->index.at[d]->name;
		struct kx *lo = cells_range_lo(c, d, host), *count = plan_range(s->l->plan, lo, cells_range_hi(c, d, host));
		count = d ? lower_argument(s->l, str_print("%s_cells", name), kt_scalar(T_I64), count) : NULL;
		lo = x_is_int(lo, 0) ? lo : lower_argument(s->l, str_print("%s_first", name), kt_scalar(T_I64), lo);
		cells_bind(c, d, let(s, name, x_add(lo, count ? x_rem(rest, count) : rest)));
		if (count)
			rest = let(s, "rest", x_div(rest, count));
	}
}

static void look(struct sample *s, struct cells *c, struct kx *host_items)
{
	struct meeting *m = NEW(struct meeting);
	*m = (struct meeting){ .way = MEET_AT_ONCE, .take = note, .state = s };
	struct kx *host_step = x_max(x_div(host_items, x_i64(s->threads)), x_i64(1));
	s->items = lower_argument(s->l, "items", kt_scalar(T_I64), host_items);
	struct kx *step = lower_argument(s->l, "step", kt_scalar(T_I64), host_step), *t = x_to_i64(block_thread(s->l));
	s->place = x_var(k_var(s->k, kt_scalar(T_I64), "place", x_i64(-1)));
	struct kx *item = let(s, "item", x_add(x_mul(t, step), x_rem(x_mul(t, x_i64(HASH)), step)));
	k_if(s->k, x_lt(item, s->items));
	bind_item(s, c, item);
	c->meeting = m;
	s->l->drops = true;                  /* who takes the item will say that it lies outside */
	cells_body(c, CELL_PLAIN);
	k_end(s->k);
}

/* ---- windows ---- */

static struct kx *window_of(const struct sample *s, int width)
{
	return x_div(s->place, x_i64(s->cells[width]));
}

static struct kx *hits_of(const struct sample *s, int width)
{
	struct kx *counter = x_rem(window_of(s, width), x_i64(COUNTERS));
	return x_at(s->hits, x_add(x_to_i32(counter), x_i32(width * COUNTERS)));
}

static void clear(struct sample *s)
{
	struct kx *t = block_thread(s->l);
	struct kx *b = x_var(k_for(s->k, "b", t, x_i32(2 * COUNTERS), x_i32(s->threads), FOR_ROLLED));
	k_set(s->k, x_at(s->hits, b), x_int(T_U32, 0));
	k_end(s->k);
	k_if(s->k, x_lt(t, x_i32(2)));
	k_set(s->k, x_at(s->best, t), x_int(T_U64, 0));
	k_end(s->k);
	k_barrier(s->k);
}

static void count(struct sample *s)
{
	k_if(s->k, x_le(x_i64(0), s->place));
	for (int width = NARROW; width <= WIDE; width++)
		atomic_combine(s->l, op_own(OPK_SUM), type_scalar(T_U32), hits_of(s, width), x_int(T_U32, 1));
	k_end(s->k);
	k_barrier(s->k);
}

static void find_best(struct sample *s)
{
	k_if(s->k, x_le(x_i64(0), s->place));
	for (int width = NARROW; width <= WIDE; width++) {
		struct kx *many = x_op(OP_SHL, u64(hits_of(s, width)), x_i32(NUMBER_BITS));
		atomic_combine(s->l, op_own(OPK_MAX), type_scalar(T_U64), x_at(s->best, x_i32(width)),
		               x_op(OP_OR, many, u64(window_of(s, width))));
	}
	k_end(s->k);
	k_barrier(s->k);
}

static struct kx *items_in(struct sample *s, int width)
{
	struct kx *best = x_op(OP_SHR, x_at(s->best, x_i32(width)), x_i32(NUMBER_BITS));
	return let(s, width == WIDE ? "wide" : "narrow", x_to_i64(best));
}

/* Its first cell. */
static struct kx *first_of(struct sample *s, int width)
{
	struct kx *number = x_op(OP_AND, x_at(s->best, x_i32(width)), x_int(T_U64, (INT64_C(1) << NUMBER_BITS) - 1));
	return x_mul(x_to_i64(number), x_i64(s->cells[width]));
}

/* What the host knows of a wide window, in the kernel. */
struct wide { struct kx *pays, *cells, *copies; };

/* A wide one is worth having where items are many: every block has to bring its cells home. */
static struct wide wide_of(struct sample *s, const struct node *node, struct kx *host_cells, struct kx *host_items)
{
	struct kx *cells = kx_fold(x_min(host_cells, x_i64(s->cells[WIDE])));
	struct kx *pays = node->pin.hot ? NULL : x_le(x_mul(cells, x_i64(WIDE_ITEMS)), host_items);
	struct wide w = { .pays = pays ? lower_argument(s->l, "pays", kt_scalar(T_BOOL), pays) : NULL };
	w.cells = lower_argument(s->l, "most", kt_scalar(T_I64), cells);
	w.copies = lower_argument(s->l, "copies", kt_scalar(T_I32), private_copies_of(node, s->l->target, x_i64(private_room(node, s->l->target)), cells));
	return w;
}

static void choose(struct sample *s, const struct node *node, const struct wide *w, struct kx *window, struct kx *all)
{
	k_if(s->k, x_eq(block_thread(s->l), x_i32(0)));
	struct kx *narrow = items_in(s, NARROW), *wide = items_in(s, WIDE), *looked = x_min(s->items, x_i64(s->threads));
	struct kx *is_wide = let(s, "is_wide", x_and(w->pays, x_lt(looked, x_mul(x_sub(wide, narrow), x_i64(WIDE_SHARE)))));
	struct kx *is_hot = x_or(is_wide, x_le(looked, x_mul(narrow, x_i64(NARROW_SHARE))));
	struct kx *first = let(s, "first", x_cond(is_wide, first_of(s, WIDE), first_of(s, NARROW)));
	struct kx *most = x_cond(is_wide, w->cells, x_i64(s->cells[NARROW])), *none = x_i64(0);
	struct kx *copies = x_cond(is_wide, w->copies, x_i32(private_copies(node, s->l->target)));
	k_set(s->k, x_at(window, x_i32(HOT_FIRST)), first);
	k_set(s->k, x_at(window, x_i32(HOT_COUNT)), x_cond(is_hot, x_min(most, x_sub(all, first)), none));
	k_set(s->k, x_at(window, x_i32(HOT_COPIES)), x_to_i64(copies));
	k_end(s->k);
}

void private_sample(struct plan *plan, const struct group *group, struct kx *window, struct kx *host_cells, struct kx *host_items)
{
	const struct node *node = group->anchor;
	struct cells *c = cells_open(plan, group, false, "_sample");
	struct sample s = { .l = c->l, .k = c->l->k, .threads = plan->target->max_block };
	s.cells[WIDE] = private_room(node, plan->target);
	s.cells[NARROW] = s.cells[WIDE] / private_copies(node, plan->target);
	s.k->note = "A sample of the items: which cells most of them go to.";
	s.k->block[0] = s.threads;
	s.k->block[1] = s.k->block[2] = 1;
	s.hits = x_var(k_shared(s.k, type_scalar(T_U32), "hits", 2 * COUNTERS));
	s.best = x_var(k_shared(s.k, type_scalar(T_U64), "best", 2));
	look(&s, c, host_items);
	clear(&s);
	count(&s);
	find_best(&s);
	struct wide wide = wide_of(&s, node, host_cells, host_items);
	struct kx *to = lower_argument(s.l, "window", kt_pointer(type_scalar(T_I64), false), window);
	choose(&s, node, &wide, to, lower_argument(s.l, "cells", kt_scalar(T_I64), host_cells));
	lowering_launch(s.l, x_i64(1), x_i64(1), x_i64(1));
}
