/* solve_lower.c - which way a solve goes, and what its kernels share. */
#include <float.h>
#include <math.h>

#include "pass.h"
#include "remark.h"
#include "running.h"
#include "../lowerings.h"
#include "../sort/sort.h"
#include "solve_rows.h"

void solve_shape(const struct node *node, const struct target *target, struct shape *s)
{
	(void)node;
	s->vector = 1;
	s->no_vector = target->gpu ? "a lane has rows of its own"
	                           : "the C compiler makes vectors of neighbouring systems";
	s->piece = "row";
	s->pieces = 1;
	s->no_pieces = "the rows of a lane follow from how long a system is";
}

const struct type *solve_type(const struct node *node)
{
	const struct type *type = node_target(node, 0)->type;
	return type->kind == T_STRUCT ? type->record->field.at[0].type : type;
}

/* The axis is the last of the target. */
bool solve_along_rows(const struct node *node)
{
	const struct expr *target = node_target(node, 0);
	return expr_uses(target->arg.at[target->var->rank - 1],
	                 node->index.at[node->running->axis]);
}

/* ---- kernels ---- */

int64_t solve_number(const struct kx *x)
{
	int64_t number = 0;
	x_constant(x, &number);
	return number;
}

void solve_bind_array(const struct task *c, struct lowering *l, const char *name,
                      struct kvar *array, bool is_const)
{
	const struct ktype pointer = kt_pointer(solve_type(c->node), is_const);
	k_bind(l->k, name, lower_argument(l, name, pointer, x_var(array)));
}

static const struct expr *part_numbered(const struct node *node, const struct kx *number)
{
	return row_part(node, (enum row_part)solve_number(number));
}

/* Without the condition that `boundary` is: solve_sema.c. */
static const struct expr *inside(const struct node *node, const struct kx *number)
{
	const struct expr *part = part_numbered(node, number);
	const bool beside = part == row_part(node, ROW_BEFORE) || part == row_part(node, ROW_AFTER);
	const bool bounded = beside && node_clause(node, "boundary") && !node->running->ring
		&& part->kind == E_COND;
	return bounded ? part->arg.at[1] : part;
}

static void bind_row(struct lowering *l, const struct node *node, struct kx *row)
{
	const struct var *index = node->index.at[node->running->axis];
	struct kx *bound = x_var(k_let(l->k, index->name, row));
	lower_bind(l, index, bound);
	k_bind(l->k, "row_at", bound);
}

static void bind_column(struct lowering *l, const struct node *node, struct kx *column)
{
	const struct var *index = dense_column(node);
	lower_bind(l, index, x_var(k_let(l->k, index->name, column)));
}

static void find_system(struct lowering *l, const struct solving *s, struct kx *number)
{
	if (s->systems->ring)
		k_bind(l->k, "system_at", x_var(k_let(l->k, "system_at", number)));
	if (s->node->index.n > 1)
		sort_bind_row(l, s->node, number);
}

static struct kx *part(struct lowering *l, const struct solving *s, struct kx *number,
                       bool is_inside)
{
	struct kx *x = lower_expr(l, (is_inside ? inside : part_numbered)(s->node, number));
	return s->systems->ring ? solve_ring_part(l, s, solve_number(number), x, is_inside) : x;
}

static struct kx *cell(struct lowering *l, const struct solving *s)
{
	return s->systems->ring == RING_BORDER ? solve_border(l, s)
	                                       : lower_cell(l, node_target(s->node, 0));
}

static void store(struct lowering *l, const struct solving *s, struct kx *x)
{
	if (s->systems->ring == RING_BORDER)
		k_set(l->k, solve_border(l, s), x);
	else
		lower_store(l, node_target(s->node, 0), x);
}

void solve_record(struct lowering *l, const struct node *node, struct kx *system)
{
	int statement;
	struct kx *first = plan_systems(l->plan, node, &statement), *arg[2];
	arg[0] = lower_argument(l, "first_system", kt_pointer(type_scalar(T_I64), false), first);
	arg[1] = x_add(x_i64((int64_t)statement << SYSTEM_BITS), system);
	lower_status(l, x_int(T_BOOL, 1), ST_PIVOT);
	k_do(l->k, x_help(kt_scalar(T_I64), "patc_earliest", 2, arg));
}

#define CALLS(DO, GET) \
	DO(find_system, find_system(l, s, arg[0])) \
	DO(bind_row, bind_row(l, s->node, arg[0])) \
	DO(store, store(l, s, arg[0])) \
	DO(record_system, solve_record(l, s->node, arg[0])) \
	GET(part, part(l, s, arg[0], false)) \
	GET(coefficient, part(l, s, arg[0], true)) \
	GET(cell, cell(l, s)) \
	GET(border_cell, solve_border(l, s)) \
	DO(bind_column, bind_column(l, s->node, arg[0])) \
	GET(entry, lower_expr(l, dense_entry(s->node))) \
	GET(right, lower_expr(l, dense_right(s->node)))

#define HOLE_DO(name, call) KTEXT_CALL(const struct solving, s, name, call; return NULL;)
#define HOLE_GET(name, value) KTEXT_CALL(const struct solving, s, name, return value;)

CALLS(HOLE_DO, HOLE_GET)

struct lowering *solve_open(const struct task *c, const struct systems *s, const char *suffix,
                            const char *note)
{
	const char *phase = s->ring == RING_BORDER ? "_border" : "";
	const char *name = str_print("%s%s%s", c->node->name, phase, suffix);
	struct lowering *l = lowering_new(c->plan, name);
	l->k->note = note;
	lowering_writes(l, c->node);
	k_bind(l->k, "VALUE", solve_type(c->node));
	const enum scalar kind = solve_type(c->node)->kind;
	k_bind(l->k, "most", x_float(kind, kind == T_F32 ? (double)FLT_MAX : DBL_MAX));
	k_bind(l->k, "systems", lower_number(l, "systems", s->count));
	if (!solve_is_dense(c->node))
		k_bind(l->k, "rows", lower_number(l, "rows", s->rows));
	return l;
}

struct lowering *solve_kernel(const struct task *c, const char *suffix, const char *note)
{
	const struct systems *systems = c->found;
	struct lowering *l = solve_open(c, systems, suffix, note);
	struct solving *s = NEW(struct solving);
	*s = (struct solving){ c->node, systems };
	if (systems->ring)
		k_bind(l->k, "border",
		       lower_argument(l, "border", kt_pointer(solve_type(c->node), false),
		                      x_var(systems->border)));
	k_bind_calls(l->k, s, CALLS(KTEXT_ROW, KTEXT_ROW));
	return l;
}

struct lowering *dense_kernel(const struct task *c, const char *note)
{
	struct lowering *l = solve_kernel(c, ways_suffix(c), note);
	const bool positive = node_clause(c->node, "symmetric positive");
	k_numbers(l->k, "N, POSITIVE", dense_size(c->node), positive);
	k_bind(l->k, "not_positive", x_float(solve_type(c->node)->kind, (double)NAN));
	return l;
}

/* Slots are there for every call: of one that goes another way they have no cells. */
struct kx *solve_slot(const struct task *c, struct lowering *l, const char *name, struct kx *taken,
                      struct kx *systems)
{
	const struct systems *s = c->found;
	const struct type *type = solve_type(c->node);
	struct kx *size[] = { taken ? kx_fold(x_cond(taken, systems, x_i64(0))) : systems,
		              s->rows };
	struct kvar *slot = plan_slot(c->plan, name, type, 2, size);
	return lower_argument(l, name, kt_pointer(type, false), x_var(slot));
}

/* ---- the ways ---- */

static const struct way ways[] = {
	/* solve_gpu.c */
	{ "along_64", "16 lanes share a system, by cyclic reduction",
	  "it has at most 64 rows", "its cells do not lie side by side", .on = ON_GPU,
	  .fits = solve_along, .when = solve_fits_group, .lower = solve_groups, .form = 0 },
	{ "along_128", "32 lanes share a system, by cyclic reduction",
	  "it has at most 128 rows", .on = ON_GPU,
	  .fits = solve_along, .when = solve_fits_group, .lower = solve_groups, .form = 1 },
	{ "along_256", "32 lanes share a system, by cyclic reduction",
	  "it has at most 256 rows", .on = ON_GPU,
	  .fits = solve_along, .when = solve_fits_group, .lower = solve_groups, .form = 2 },
	{ "along_512", "32 lanes share a system, by cyclic reduction",
	  "it has at most 512 rows", .on = ON_GPU,
	  .fits = solve_along, .when = solve_fits_group, .lower = solve_groups, .form = 3 },
	{ "along_1024", "128 threads share a system, by cyclic reduction",
	  "it has at most 1024 rows", .on = ON_GPU,
	  .fits = solve_along, .when = solve_fits_group, .lower = solve_groups, .form = 4 },
	{ "along_4096", "256 threads share a system, by cyclic reduction",
	  "it has at most 4096 rows", "its cells do not lie side by side, or have 64 bits",
	  .on = ON_GPU, .fits = solve_along, .when = solve_fits_group,
	  .lower = solve_groups, .form = 5 },
	{ "across_32", "threads of 8 warps share a system, by cyclic reduction",
	  "it has at most 32 rows", "its cells lie side by side", .on = ON_GPU,
	  .fits = solve_across, .when = solve_fits_group, .lower = solve_groups, .form = 6 },
	{ "across_128", "threads of 8 warps share a system, by cyclic reduction",
	  "it has at most 128 rows", .on = ON_GPU,
	  .fits = solve_across, .when = solve_fits_group, .lower = solve_groups, .form = 7 },
	{ "across_256", "threads of 8 warps share a system, by cyclic reduction",
	  "it has at most 256 rows", "its cells lie side by side, or have 64 bits", .on = ON_GPU,
	  .fits = solve_across, .when = solve_fits_group, .lower = solve_groups, .form = 8 },
	/* solve_strips.c */
	{ "strips", "threads eliminate within strips of a system, then their last rows are solved",
	  "there are 32 systems or more of at most 2^22 rows, 2^18 of 64 bits",
	  "its cells lie side by side", .on = ON_GPU,
	  .fits = solve_strips_fit, .when = solve_strips_when, .lower = solve_strips },
	/* solve_long.c */
	{ "parts", "blocks eliminate within parts of a system, then their last rows are solved",
	  .on = ON_GPU, .lower = solve_long },
	/* solve_cpu.c */
	{ "tiles", "a thread goes down systems by tiles of 128 rows, and up again",
	  "there are 8 systems or more", "the cells of a system do not lie side by side",
	  .on = ON_CPU,
	  .fits = solve_tiles_fit, .when = solve_tiles_when, .lower = solve_tiles },
	{ "sweep", "a thread goes down neighbouring systems, and up again", .on = ON_CPU,
	  .lower = solve_sweep }
};

static const struct way pivot_ways[] = {
	/* solve_gpu.c */
	{ "along_64", "8 lanes share a system, and join its rows",
	  "it has at most 64 rows", "its cells do not lie side by side", .on = ON_GPU,
	  .fits = solve_along, .when = solve_fits_group, .lower = solve_groups, .form = 9 },
	{ "along_128", "16 lanes share a system, and join its rows",
	  "it has at most 128 rows", .on = ON_GPU,
	  .fits = solve_along, .when = solve_fits_group, .lower = solve_groups, .form = 10 },
	{ "along_256", "32 lanes share a system, and join its rows",
	  "it has at most 256 rows", .on = ON_GPU,
	  .fits = solve_along, .when = solve_fits_group, .lower = solve_groups, .form = 2 },
	{ "along_512", "32 lanes share a system, and join its rows",
	  "it has at most 512 rows", "its cells do not lie side by side, or have 64 bits",
	  .on = ON_GPU, .fits = solve_along, .when = solve_fits_group, .lower = solve_groups,
	  .form = 3 },
	{ "along_1024", "128 threads share a system, and join its rows",
	  "it has at most 1024 rows", .on = ON_GPU,
	  .fits = solve_along, .when = solve_fits_group, .lower = solve_groups, .form = 4 },
	{ "along_4096", "256 threads share a system, and join its rows",
	  "it has at most 4096 rows", "its cells do not lie side by side, or have 64 bits",
	  .on = ON_GPU, .fits = solve_along, .when = solve_fits_group,
	  .lower = solve_groups, .form = 5 },
	{ "across_32", "threads of 8 warps share a system, and join its rows",
	  "it has at most 32 rows", "its cells lie side by side", .on = ON_GPU,
	  .fits = solve_across, .when = solve_fits_group, .lower = solve_groups, .form = 6 },
	{ "across_128", "threads of 8 warps share a system, and join its rows",
	  "it has at most 128 rows", "its cells lie side by side, or have 64 bits", .on = ON_GPU,
	  .fits = solve_across, .when = solve_fits_group, .lower = solve_groups, .form = 7 },
	/* solve_strips.c */
	{ "strips", "threads join the rows of strips of a system, then the strips",
	  "there are 32 systems or more of at most 2^17 rows", "its cells lie side by side",
	  .on = ON_GPU,
	  .fits = solve_strips_fit, .when = solve_strips_when, .lower = solve_strips },
	/* solve_joins.c */
	{ "parts", "blocks join the rows of parts of a system, then the parts",
	  .on = ON_GPU, .lower = solve_joins },
	/* solve_pivot.c */
	{ "sweep", "a thread goes down neighbouring systems, and up again", .on = ON_CPU,
	  .lower = solve_sweep_pivots }
};

static const struct way dense_ways[] = {
	/* dense_gpu.c */
	{ "threads", "a thread has a system in registers",
	  .no = "it has more than 8 unknowns, or more than 4 and entries side by side",
	  .on = ON_GPU, .fits = dense_fits_thread, .lower = dense_threads },
	{ "lanes", "lanes of a warp share a system, a row each", .on = ON_GPU,
	  .lower = dense_lanes },
	/* dense_cpu.c */
	{ "sweep", "a thread eliminates neighbouring systems together", .on = ON_CPU,
	  .lower = dense_sweep }
};

static const struct way wide_ways[] = {
	/* solve_wide.c */
	{ "strips", "threads eliminate within strips of a system, then their last rows are solved",
	  "systems are few and have more than 64 rows", .on = ON_GPU,
	  .when = solve_wide_when, .lower = solve_wide_strips },
	{ "march", "a thread goes down a system, and up again", .on = ON_GPU,
	  .lower = solve_wide_march },
	{ "sweep", "a thread goes down a system, and up again", .on = ON_CPU,
	  .lower = solve_wide_sweep }
};

/* ---- are the equations dominant? ---- */

/* Of a coefficient that is a number; NAN of others.  The condition at an end makes it 0. */
static double size_of(const struct expr *e)
{
	if (e->kind == E_COND && e->arg.at[2]->kind == E_CONST && e->arg.at[2]->value.f == 0)
		e = e->arg.at[1];
	return e->kind == E_CONST ? fabs(e->value.f) : (double)NAN;
}

/* In each equation: is the own coefficient a number, and at least the sum of the others? */
static bool is_dominant(const struct node *node)
{
	const int fields = solve_fields(node), reach = solve_reach(node);
	bool dominant = true;
	for (int r = 0; r < fields; r++) {
		double sum = 0;
		for (int steps = -reach; steps <= reach; steps++)
			for (int c = 0; c < fields; c++)
				sum += steps || c != r ? size_of(solve_part(node, steps, r, c)) : 0;
		const struct expr *own = solve_part(node, 0, r, r);
		dominant &= own->kind == E_CONST && size_of(own) >= sum;
	}
	return dominant;
}

static void remark_order(const struct node *node)
{
	struct node *told = (struct node *)node;
	remark_way(told, told->remark.n,
	           node_clause(node, "pivot")
	           ? "neighbouring equations are exchanged where that makes the pivot greater"
	           : is_dominant(node)
	           ? "equations are not exchanged: each is dominated by its own unknown"
	           : "equations are not exchanged, and nothing here proves that each is "
	             "dominated by its own unknown: a pivot may be small");
}

/* A ring is two systems without one: solve_ring.c. */
static void lower_ring(struct plan *plan, const struct group *group, const struct systems *found)
{
	struct systems inner = *found, border = *found;
	const char *within = plan->way;
	inner.ring = RING_INNER;
	border.ring = RING_BORDER;
	inner.border = border.border = solve_border_slot(plan, group->anchor, found);
	ways_lower(ways, plan, group, &inner);
	plan->way = "border";
	ways_lower(ways, plan, group, &border);
	plan->way = within;
	solve_close(&(struct task){ .plan = plan, .group = group, .node = group->anchor,
	                            .found = &inner });
}

static const struct way *ways_of(const struct node *node)
{
	return solve_is_dense(node)           ? dense_ways
	       : solve_is_wide(node)          ? wide_ways
	       : node_clause(node, "pivot") ? pivot_ways
	                                      : ways;
}

void solve_lower(struct plan *plan, const struct group *group)
{
	const struct node *node = group->anchor;
	struct lowering *host = host_lowering(plan);
	struct systems found = { .count = sort_rows(host, node), .rows = sort_cells(host, node) };
	found.count = plan_number(plan, "systems", found.count);
	if (solve_is_wide(node)) {
		found.cells = plan_number(plan, "cells", found.rows);
		found.rows = x_div_up(found.cells, x_i64(solve_wide_cells(node)));
	}
	found.rows = plan_number(plan, "rows", found.rows);
	k_if(plan->host, x_and(x_lt(x_i64(0), found.count), x_lt(x_i64(0), found.rows)));
	if (node->running->ring && !solve_is_wide(node))
		lower_ring(plan, group, &found);
	else
		ways_lower(ways_of(node), plan, group, &found);
	if (!solve_is_dense(node))
		remark_order(node);
	k_end(plan->host);
}
