/* solve_ring.c - a solve whose ends are beside each other, `boundary wrap`.
 *
 * The unknowns but the last one are eliminated first: with Y where it is 0, and Z where it is 1 and
 * the right sides are 0, each is x = Y + last * Z, and the last equation gives `last`.  Both are
 * systems with neighbours, which any way solves: their last row says what the last unknown is, and
 * the first one has the term with it, of Z, on its right side.  This is Gaussian elimination of
 * the rows in their order.
 *
 *   NAME          Y, where the unknown will be; NAME_border   Z, in the workspace
 *   NAME_factors  the last unknown of each system
 *   NAME_close    the sum */
#include <assert.h>

#include "running.h"
#include "solve_rows.h"

enum { THREADS = 256 };

static struct kx *number(const struct solving *s, double x)
{
	return x_float(solve_type(s->node)->kind, x);
}

struct kx *solve_ring_part(struct lowering *l, const struct solving *s, int64_t k, struct kx *x,
                           bool inside)
{
	struct kx *row = k_get(l->k, "row_at"), *first = x_eq(row, x_i64(0));
	struct kx *last = x_eq(row, x_sub(k_get(l->k, "rows"), x_i64(1)));
	struct kx *none = number(s, 0), *one = number(s, 1), *beside;
	switch ((enum row_part)k) {
	case ROW_BEFORE:
		return x_cond(inside ? last : x_or(first, last), none, x);
	case ROW_OWN:
		return x_cond(last, one, x);
	case ROW_AFTER:
		return inside ? x : x_cond(last, none, x);
	case ROW_RIGHT:
		if (s->systems->ring == RING_INNER)
			return x_cond(last, none, x);
		beside = x_unary(OP_NEG, lower_expr(l, row_part(s->node, ROW_BEFORE)));
		return x_cond(last, one, x_cond(first, beside, none));
	case ROW_PARTS:
		break;
	}
	assert(!"a part of a row");
	return NULL;
}

/* As the cells of the unknown lie: along the rows of a system, or across. */
struct kx *solve_border(struct lowering *l, const struct solving *s)
{
	struct kx *row = k_get(l->k, "row_at"), *system = k_get(l->k, "system_at");
	struct kx *place = solve_along_rows(s->node)
		? x_add(x_mul(system, k_get(l->k, "rows")), row)
		: x_add(x_mul(row, k_get(l->k, "systems")), system);
	return x_at(k_get(l->k, "border"), place);
}

struct kvar *solve_border_slot(struct plan *plan, const struct node *node, const struct systems *s)
{
	struct kx *size[] = { s->count, s->rows };
	return plan_slot(plan, "border", solve_type(node), 2, size);
}

/* ---- the last equation, and the sum ---- */

KTEXT_HOLE(last_part)
{
	const struct solving *s = state;
	int64_t part = 0;
	x_constant(arg[0], &part);
	return lower_expr(l, row_part(s->node, (enum row_part)part));
}

static struct lowering *open_kernel(const struct task *c, const char *suffix, const char *note,
                                    struct kvar *factors)
{
	struct lowering *l = solve_kernel(c, suffix, note);
	struct solving *s = NEW(struct solving);
	*s = (struct solving){ c->node, c->found };
	const bool gpu = l->target->gpu;
	if (gpu)
		solve_block(l, THREADS);
	k_bind_call(l->k, "last_part", last_part, s);
	const struct ktype pointer = kt_pointer(solve_type(c->node), false);
	k_bind(l->k, "factors", lower_argument(l, "factors", pointer, x_var(factors)));
	k_numbers(l->k, "THREADS, ON_GPU, ALONG", THREADS, gpu, solve_along_rows(c->node));
	return l;
}

static void launch(struct lowering *l, struct kx *threads)
{
	if (l->target->gpu)
		lowering_launch_strided(l, x_div_up(threads, x_i64(THREADS)));
	else
		lowering_launch(l, x_i64(1), x_i64(1), x_i64(1));
}

void solve_close(const struct task *c)
{
	const struct systems *s = c->found;
	struct kx *size[] = { s->count };
	struct kvar *factors = plan_slot(c->plan, "factors", solve_type(c->node), 1, size);
	struct lowering *l = open_kernel(c, "_factors", "Solves for the last unknown of each ring.",
	                                 factors);
	k_text(l->k, "ring_factors");
	launch(l, s->count);
	l = open_kernel(c, "_close", "Adds what the last unknown makes of the others.", factors);
	k_text(l->k, "close_rings");
	launch(l, x_mul(s->count, s->rows));
}
