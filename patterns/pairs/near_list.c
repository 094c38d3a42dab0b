/* near_list.c - compact ... within R of (x, y, z): lists of the bodies near each body.
 *
 * The statements before it have counted the near bodies of each, and added the counts up
 * (selection.h), so it is known where the items of a body begin.  A thread tests the bodies in the
 * cells around one, as those that counted them did, and the pairs that are near go to their places
 * (near_list.kernel).  So distances are computed twice, and nothing but the targets is as long as
 * the lists are.
 *
 * The order of a compact is that of its indices: the numbers of a body's neighbours are sorted, in
 * registers and shared memory.
 *
 * On an H100, 2^20 bodies with 60 near ones each in three axes of a box, which lie at random; ms:
 * 0.3 to sort them by cells, 0.5 to count, 0.9 to list, and 0.65 more to sort each list.  A warp
 * a body took 2.0 to list; a thread a body that stores its pairs at once, past shared memory,
 * 1.7; a network in shared memory alone 1.8 to sort. */
#include "ask.h"
#include "near.h"
#include "selection.h"
#include "../compact/compact.h"
#include "../ways.h"

enum {
	THREADS = 128,                       /* of a block */
	LANE_KEYS = 64,                      /* times the lanes of a warp: 8 KB of 32 */
	CPU_KEYS = 512,
	FEW = 4
};

struct lists {
	struct near near;
	struct items items;
};

KTEXT_HOLE(bind_row)
{
	const struct lists *s = state;
	struct var *row = s->near.node->index.at[0];
	struct lower_context before = l->now;
	l->now.read = NULL;                  /* of a body that is open yet, or was another one */
	lower_bind(l, row, x_var(k_let(l->k, row->name, lower_index(l, s->near.c->cell))));
	l->now = before;
	return NULL;
}

static struct kx *begin_of(struct lowering *l, const struct lists *s, int64_t next)
{
	const struct node *node = s->near.node;
	struct expr *row = expr_var(node->index.at[0], node->at);
	if (next)
		row = expr_binary(OP_ADD, row, expr_int(row->type, next, node->at));
	return lower_expr(l, expr_read(node->selection->rows->begin, &row, node->at));
}

KTEXT_HOLE(begin)
{
	return begin_of(l, state, 0);
}

KTEXT_HOLE(end)
{
	return begin_of(l, state, 1);
}

/* What the condition reads outside an array was recorded by who counted. */
KTEXT_HOLE(is_near)
{
	struct lists *s = (struct lists *)state;
	const struct node *node = s->near.node;
	struct lower_context before = l->now;
	near_term(l, &s->near, arg[0]);
	lower_bind(l, s->near.c->other, arg[0]);
	if (!expr_checked(node->where))
		return lower_expr(l, node->where);
	lower_flag(l, "outside");
	struct kx *where = x_var(k_let(l->k, "chosen", lower_expr(l, node->where)));
	struct kx *inside = x_and(where, lower_inside_all(l));
	l->now = before;
	return inside;
}

KTEXT_HOLE(move)
{
	const struct lists *s = state;
	struct var *other = s->near.node->index.at[1];
	struct lower_context before = l->now;
	l->now.read = NULL;
	lower_bind(l, other, x_var(k_let(l->k, other->name, arg[0])));
	items_move((struct items *)&s->items, PART_KEPT, x_var(k_let(l->k, "to", arg[1])));
	l->now = before;
	return NULL;
}

KTEXT_HOLE(done)
{
	const struct lists *s = state;
	const struct node *node = s->near.node;
	struct expr *end = node->hi.at[0];
	struct expr *all = expr_read(node->selection->rows->begin, &end, node->at);
	struct kx *kept = x_var(k_let(l->k, "all", lower_expr(l, all)));
	items_finish((struct items *)&s->items, kept, NULL);
	return NULL;
}

static void list_bodies(struct lists *s)
{
	struct plan *plan = s->near.plan;
	struct lowering *l = near_kernel(&s->near, "", NULL);
	bool gpu = l->target->gpu;
	s->items = (struct items){ .l = l, .node = s->near.node };
	k_numbers(l->k, "ORDERED, ON_GPU, KEYS, FEW", !s->near.node->selection->unordered, gpu,
	          gpu ? LANE_KEYS * l->target->lanes : CPU_KEYS, FEW);
	k_bind(l->k, "order", lower_pointer(l, s->near.c->order));
	k_bind(l->k, "room", lower_argument(l, "room", kt_scalar(T_I64),
	                                    items_room(host_lowering(plan), s->near.node)));
	k_bind_calls(l->k, s, { "bind_row", bind_row }, { "begin", begin }, { "end", end },
	             { "is_near", is_near }, { "move", move }, { "done", done });
	k_text(l->k, gpu ? "near_lists" : "near_lists_cpu");
	struct kx *blocks = x_max(x_div_up(s->near.bodies, x_i64(THREADS)), x_i64(1));
	lowering_launch(l, gpu ? blocks : x_i64(1), x_i64(1), x_i64(1));
}

static void lower_list(const struct task *t)
{
	struct lists *s = NEW(struct lists);
	s->near = (struct near){ .node = t->node, .c = t->node->cutoff };
	list_add(&s->near.term, s->near.c->other);
	list_add(&s->near.condition, t->node->where);
	near_open(&s->near, t->plan);
	k_if(t->plan->host, x_lt(x_i64(0), s->near.bodies));
	near_begins(&s->near);
	s->near.block = THREADS;
	k_end(t->plan->host);
	list_bodies(s);
}

static const struct way ways[] = {
	{ "lists", "a thread lists the bodies in the cells around its own", .lower = lower_list }
};

void near_list(struct plan *plan, const struct group *group)
{
	ways_lower(ways, plan, group, NULL);
}
