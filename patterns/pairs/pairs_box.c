/* pairs_box.c - the statement before pairs ... wrap (lx, ly): bodies outside of the box are
 * recorded, or cells whose place is.  Its `where` is true of those inside (src/graph/cutoff.h). */
#include "eval_impl.h"
#include "near.h"
#include "../cells.h"
#include "pass.h"

KTEXT_HOLE(record_outside)
{
	struct cells *box = (struct cells *)state;
	near_bind(box, arg[0]);
	lower_status(l, x_unary(OP_NOT, lower_expr(l, box->node->where)), ST_BOX);
	return NULL;
}

static void lower(struct plan *plan, const struct group *group)
{
	const struct node *box = group->anchor;
	bool gpu = plan->target->gpu;
	struct lowering *l = lowering_new(plan, box->name);
	struct kx *bodies = plan_let(plan, "bodies", near_count(box, host_lowering(plan)));
	l->k->note = "Records bodies outside the box.";
	if (l->target->gpu)
		block_launch_bounds(l);
	k_bind(l->k, "bodies", lower_argument(l, "bodies", kt_scalar(T_I64), bodies));
	k_numbers(l->k, "BLOCK", l->k->block[0]);
	k_bind_call(l->k, "record_outside", record_outside, cells_beside(l, box));
	k_text(l->k, gpu ? "look_at_box" : "look_at_box_cpu");
	lowering_launch(l, gpu ? x_div_up(bodies, x_i64(l->k->block[0])) : x_i64(1), x_i64(1),
	                x_i64(1));
}

static bool check(struct node *node)
{
	(void)node;
	return true;
}

static void eval_cell(struct eval *ev, const struct cell_code *box)
{
	struct num inside = run(ev, box->where);
	ev->all_open |= inside.e > 0;
	if (!inside.i)
		record_status(ev, ST_BOX);
}

/* From index k on. */
static void eval_box(struct eval *ev, const struct cell_code *box, int k)
{
	int64_t end = run(ev, box->hi[k]).i;
	for (int64_t at = run(ev, box->lo[k]).i; at < end && step_on(ev, box->node->at); at++) {
		box->index[k]->value = num_int(at);
		if (k + 1 < box->node->index.n)
			eval_box(ev, box, k + 1);
		else
			eval_cell(ev, box);
	}
}

static void eval(struct eval *ev, const struct node *node)
{
	struct cell_code *known = known_find(ev->node, node);
	const struct cell_code *box = known ? known : compile_cells(ev, node);
	eval_box(ev, box, 0);
}

static void shape(const struct node *node, const struct target *target, struct shape *s)
{
	(void)node, (void)target;
	s->vector = 1;
	s->no_vector = "bodies are tested one by one";
	s->piece = "body";
	s->pieces = 1;
	s->no_pieces = "a thread tests a body";
}

static const struct clause clauses[] = { { 0 } };
const struct pattern pattern_box = { .name = "box",
	                             .summary = "bodies are inside a periodic box",
	                             .clauses = clauses,
	                             .check = check,
	                             .lower = lower,
	                             .eval = eval,
	                             .shape = shape };
