/* private_sample.c - which cells most items go to, where an array has more than blocks have room
 * for: a launch of one block that looks at some of the items before all are taken (meet_private.c).
 *
 * A thread looks at one item.  They are spread over all of them evenly, but for a step that a hash
 * of the thread's number makes: what repeats in the data must not coincide with the sample's
 * stride.  Every run looks at the same ones.  Each counts for two windows, pieces of the array: a
 * narrow one of so few cells that a block has room for as many copies of each as are worth it, and
 * a wide one of as many cells as it has room for.  The narrow one is for cells that so many items
 * go to that they wait for each other in memory, a few tens of a thousand being enough; the wide
 * one for items that go to many cells side by side, of which it must take a quarter more of all
 * than the narrow one.  An array that is no larger has copies as fit, too.  Else nothing is hot.
 *
 * Windows share counters where there are more of them, and two that are hot may be taken for one:
 * then less is gained.  The result never depends on the sample: what goes to other cells meets in
 * memory. */
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
	struct cells *c;
	struct kx *place;                    /* i64: the cell of the thread's item; -1: none */
	int64_t cells[2];                    /* of a window */
	int threads;
};

/* ---- the functions of private_sample.kernel ---- */

static struct kx *let(struct sample *s, const char *name, struct kx *value)
{
	return x_var(k_let(s->l->k, name, kx_fold(value)));
}

static void note(struct lowering *l, struct kx *number, struct kx *value, void *state)
{
	(void)value;
	k_set(l->k, ((struct sample *)state)->place, x_to_i64(number));
}

static void bind_item(struct sample *s, struct kx *rest)
{
	struct cells *c = s->c;
	const struct node *node = c->node;
	struct lowering *host = host_lowering(s->l->plan);
	for (int d = node->index.n - 1; d >= 0; d--) {
		const char *name = node->index.at[d]->name;
		struct kx *lo = cells_range_lo(c, d, host), *hi = cells_range_hi(c, d, host);
		struct kx *count = plan_range(s->l->plan, lo, hi);
		count = d ? lower_argument(s->l, str_print("%s_cells", name), kt_scalar(T_I64),
		                           count)
		          : NULL;
		lo = x_is_int(lo, 0) ? lo
		                     : lower_argument(s->l, str_print("%s_first", name),
		                                      kt_scalar(T_I64), lo);
		cells_bind(c, d, let(s, name, x_add(lo, count ? x_rem(rest, count) : rest)));
		if (count)
			rest = let(s, "rest", x_div(rest, count));
	}
}

static struct kx *look(struct lowering *l, const void *sample, struct kx *const *item)
{
	struct sample *s = (struct sample *)sample;
	struct meeting *m = NEW(struct meeting);
	*m = (struct meeting){ .way = MEET_AT_ONCE, .take = note, .state = s };
	s->place = k_get(l->k, "place");
	bind_item(s, item[0]);
	s->c->meeting = m;
	struct lower_context before = l->now;
	l->now.drops = true;               /* who takes the item records it if it is outside */
	cells_body(s->c, CELL_PLAIN);
	l->now = before;
	return NULL;
}

static struct kx *count(struct lowering *l, const void *none, struct kx *const *counter)
{
	(void)none;
	atomic_combine(l, op_own(OPK_SUM), type_scalar(T_U32), counter[0], x_int(T_U32, 1));
	return NULL;
}

static struct kx *raise_to(struct lowering *l, const void *none, struct kx *const *arg)
{
	(void)none;
	atomic_combine(l, op_own(OPK_MAX), type_scalar(T_U64), arg[0], arg[1]);
	return NULL;
}

/* ---- the kernel ---- */

static void bind_items(struct sample *s, struct kx *host_items)
{
	struct kernel *k = s->l->k;
	struct kx *step = x_max(x_div(host_items, x_i64(s->threads)), x_i64(1));
	k_bind(k, "items", lower_argument(s->l, "items", kt_scalar(T_I64), host_items));
	k_bind(k, "step", lower_argument(s->l, "step", kt_scalar(T_I64), step));
	k_numbers(k, "COUNTERS, NUMBER_BITS, HASH, THREADS", COUNTERS, NUMBER_BITS, HASH,
	          s->threads);
	k_numbers(k, "NARROW_CELLS, WIDE_CELLS", s->cells[NARROW], s->cells[WIDE]);
	k_bind_calls(k, s, { "look", look }, { "count", count }, { "raise_to", raise_to });
}

/* A wide one is worth having where items are many: every block has to bring its cells home. */
static void bind_wide(struct sample *s, const struct node *node, struct kx *host_cells,
                      struct kx *host_items)
{
	struct kernel *k = s->l->k;
	const struct target *target = s->l->target;
	struct kx *cells = kx_fold(x_min(host_cells, x_i64(s->cells[WIDE])));
	struct kx *pays = x_le(x_mul(cells, x_i64(WIDE_ITEMS)), host_items);
	if (node->pin.hot)
		k_bind(k, "pays", true);
	else
		k_bind(k, "pays", lower_argument(s->l, "pays", kt_scalar(T_BOOL), pays));
	k_bind(k, "most", lower_argument(s->l, "most", kt_scalar(T_I64), cells));
	struct kx *copies = private_copies_of(node, target, x_i64(private_room(node, target)),
	                                      cells);
	k_bind(k, "copies", lower_argument(s->l, "copies", kt_scalar(T_I32), copies));
}

static void bind_window(struct sample *s, const struct node *node, struct kx *window,
                        struct kx *host_cells)
{
	struct kernel *k = s->l->k;
	k_bind(k, "window",
	       lower_argument(s->l, "window", kt_pointer(type_scalar(T_I64), false), window));
	k_bind(k, "cells", lower_argument(s->l, "cells", kt_scalar(T_I64), host_cells));
	k_numbers(k, "HOT_FIRST, HOT_COUNT, HOT_COPIES", HOT_FIRST, HOT_COUNT, HOT_COPIES);
	k_numbers(k, "WIDE_SHARE, NARROW_SHARE", WIDE_SHARE, NARROW_SHARE);
	k_numbers(k, "NARROW_COPIES", private_copies(node, s->l->target));
}

void private_sample(struct plan *plan, const struct group *group, struct kx *window,
                    struct kx *host_cells, struct kx *host_items)
{
	const struct node *node = group->anchor;
	struct sample s = { .c = cells_open(plan, group, false, "_sample"),
		            .threads = plan->target->max_block };
	s.l = s.c->l;
	s.cells[WIDE] = private_room(node, plan->target);
	s.cells[NARROW] = s.cells[WIDE] / private_copies(node, plan->target);
	struct kernel *k = s.l->k;
	k->note = "A sample of the items: which cells most of them go to.";
	k->block[0] = s.threads;
	k->block[1] = k->block[2] = 1;
	bind_items(&s, host_items);
	k_text(k, "sample_items");
	bind_wide(&s, node, host_cells, host_items);
	bind_window(&s, node, window, host_cells);
	k_text(k, "choose_window");
	lowering_launch(s.l, x_i64(1), x_i64(1), x_i64(1));
}
