/* solve_wide.c - a solve whose equations have more unknowns than those beside them: pentadiagonal
 * systems, and unknowns that are structs (solving.h).
 *
 * Both are block tridiagonal.  A row is K equations with K unknowns: those of a struct, or of two
 * neighbouring cells of a pentadiagonal system.  A ring is folded: a row also has the mirror images
 * of its cells, which are as far from the end as these from the start.  So the ends meet in the
 * first row, and the last one has the middle.  A thread eliminates down the rows of a strip and
 * substitutes up again, as a tridiagonal one is solved, but with matrices of K x K values for
 * numbers (wide.kernel).
 *
 *   march    a strip is a whole system
 *   strips   systems that are few and long are cut into strips.  What remains of these is a block
 *            tridiagonal system with a row a strip, whose strips are the next level (Wang 1981):
 *              NAME_strips, _strips_2     what remains of the strips of a level; of later levels
 *              NAME_top                   the rows of the last level, a thread a system
 *              NAME_ends_2, NAME_ends     the unknowns of strips whose ends are known
 *            The strips of the first level are as long as it takes to give each thread of the
 *            GPU one.  The coefficients are computed three times.
 *   sweep    on a CPU, threads share the systems */
#include <stdlib.h>

#include "running.h"
#include "../sort/sort.h"
#include "solve_rows.h"

enum {
	THREADS = 128, BLOCKS = 4,           /* of a GPU: of a block; of a multiprocessor */
	LEVELS = 3, LEAST = 16,              /* rows of a strip, at least; of later levels, all */
	SHARES = 256                         /* of a CPU: of the systems, which threads draw */
};

struct level {
	struct systems systems;
	struct kx *each, *strips;            /* rows of a strip; strips of a system */
	struct level *source;                /* whose strips the rows are; NULL: of the statement */
	struct kvar *reduced, *ends;
};

/* A band has as many cells in a row as its unknowns reach; a ring also has their images. */
int solve_wide_cells(const struct node *node)
{
	return solve_reach(node) * (node->running->ring ? 2 : 1);
}

/* The unknowns of neighbouring cells of a row; all of a row. */
static int half_of(const struct node *node)
{
	return solve_reach(node) * solve_fields(node);
}

static int unknowns_of(const struct node *node)
{
	return solve_wide_cells(node) * solve_fields(node);
}

/* ---- the rows of the statement ---- */

/* The cell of equation r of the bound row. */
static struct kx *cell_of(struct lowering *l, const struct node *node, int r)
{
	struct kx *first = x_mul(k_get(l->k, "row_at"), x_i64(solve_reach(node)));
	return x_add(first, x_i64(r % half_of(node) / solve_fields(node)));
}

/* Its mirror image in a ring. */
static struct kx *image_of(struct lowering *l, const struct node *node, int r)
{
	return x_sub(x_sub(k_get(l->k, "cells"), x_i64(1)), cell_of(l, node, r));
}

/* NULL: always, as the first cell of a row.  An image is a cell of its own after the cell. */
static struct kx *has_equation(struct lowering *l, const struct solving *s, int r)
{
	const bool ring = s->node->running->ring, first = r < solve_fields(s->node);
	if (first || (!ring && solve_reach(s->node) == 1))
		return NULL;
	if (!ring)
		return x_lt(cell_of(l, s->node, r), k_get(l->k, "cells"));
	return x_op(r < half_of(s->node) ? OP_LE : OP_LT, cell_of(l, s->node, r),
	            image_of(l, s->node, r));
}

static struct kx *bind_equation(struct lowering *l, const struct solving *s, int r)
{
	const struct var *index = sort_index(s->node);
	struct kx *cell = (r < half_of(s->node) ? cell_of : image_of)(l, s->node, r);
	cell = x_var(k_let(l->k, index->name, cell));
	lower_bind(l, index, cell);
	return cell;
}

/* Coefficient in equation r of unknown c of the row before, of this one or of the one after it. */
static struct kx *entry(struct lowering *l, const struct solving *s, enum row_part side, int r,
                        int c)
{
	const int fields = solve_fields(s->node), reach = solve_reach(s->node);
	const int steps = ((int)side - ROW_OWN) * reach + c / fields - r / fields;
	return abs(steps) > reach ? lower_zero(solve_type(s->node))
	                          : lower_expr(l, solve_part(s->node, steps, r % fields,
	                                                     c % fields));
}

static struct kx *right(struct lowering *l, const struct solving *s, int r)
{
	return lower_expr(l, solve_right(s->node, r % solve_fields(s->node)));
}

/* The values of a row, as eliminate_wide has them; part: NULL, or of a ring wrap_equation's. */
struct row { struct kx *before, *of, *part; int width, unknowns; };

static void read_equation(struct lowering *l, const struct solving *s, const struct row *to, int r)
{
	const int own = r * to->width, k = to->unknowns;
	bind_equation(l, s, r);
	for (int c = 0; c < k; c++)
		k_set(l->k, x_at(to->before, x_i32(r * k + c)), entry(l, s, ROW_BEFORE, r, c));
	for (int c = 0; c < k; c++)
		k_set(l->k, x_at(to->of, x_i32(own + c)), entry(l, s, ROW_OWN, r, c));
	for (int c = 0; c < k; c++)
		k_set(l->k, x_at(to->of, x_i32(own + k + c)), entry(l, s, ROW_AFTER, r, c));
	k_set(l->k, x_at(to->of, x_i32(own + 2 * k)), right(l, s, r));
}

static void read_wrapped(struct lowering *l, const struct solving *s, const struct row *to, int r)
{
	const int fields = solve_fields(s->node), reach = solve_reach(s->node);
	struct kx *cell = bind_equation(l, s, r);
	for (int k = 0; k < (2 * reach + 1) * fields; k++)
		k_set(l->k, x_at(to->part, x_i32(k)),
		      lower_expr(l, solve_part(s->node, k / fields - reach, r % fields,
		                               k % fields)));
	k_text(l->k, "wrap_equation", to->part, to->before, to->of, x_i32(to->width), x_i32(r),
	       cell);
	k_set(l->k, x_at(to->of, x_i32(r * to->width + 2 * to->unknowns)), right(l, s, r));
}

static void read_row(struct lowering *l, const struct solving *s, const struct row *to)
{
	for (int r = 0; r < to->unknowns; r++) {
		struct kx *exists = has_equation(l, s, r);
		if (exists)
			k_if(l->k, exists);
		(to->part ? read_wrapped : read_equation)(l, s, to, r);
		if (!exists)
			continue;
		k_else(l->k);
		k_text(l->k, "no_equation", to->before, to->of, x_i32(to->width), x_i32(r));
		k_end(l->k);
	}
}

/* The cell whose first equation is r. */
static void store_cell(struct lowering *l, const struct solving *s, struct kx *x, int r)
{
	const struct expr *target = node_target(s->node, 0);
	const int fields = solve_fields(s->node);
	struct kx *part[BLOCK_MOST], *exists = has_equation(l, s, r);
	for (int c = 0; c < fields; c++)
		part[c] = x_at(x, x_i32(r + c));
	if (exists)
		k_if(l->k, exists);
	bind_equation(l, s, r);
	lower_store(l, target, fields > 1 ? x_make(target->type, fields, part) : part[0]);
	if (exists)
		k_end(l->k);
}

static void store_row(struct lowering *l, const struct solving *s, struct kx *x)
{
	for (int r = 0; r < unknowns_of(s->node); r += solve_fields(s->node))
		store_cell(l, s, x, r);
}

static void find_system(struct lowering *l, const struct solving *s, struct kx *number)
{
	if (s->node->index.n > 1)
		sort_bind_row(l, s->node, number);
}

#define CALLS(DO) \
	DO(find_system, find_system(l, s, arg[0])) \
	DO(bind_row, k_bind(l->k, "row_at", arg[0])) \
	DO(read_row, read_row(l, s, &(struct row){ arg[0], arg[1], NULL, \
	                                           (int)solve_number(arg[2]), \
	                                           unknowns_of(s->node) })) \
	DO(read_ring, read_row(l, s, &(struct row){ arg[0], arg[1], arg[2], \
	                                            (int)solve_number(arg[3]), \
	                                            unknowns_of(s->node) })) \
	DO(store_row, store_row(l, s, arg[0])) \
	DO(record_system, solve_record(l, s->node, arg[0]))

#define HOLE(name, call) KTEXT_CALL(const struct solving, s, name, call; return NULL;)

CALLS(HOLE)

/* ---- kernels ---- */

/* A kernel of the rows of a level. */
static struct lowering *open_level(const struct task *c, const struct level *level,
                                   const char *suffix, const char *note)
{
	struct lowering *l = solve_open(c, &level->systems, suffix, note);
	struct solving *s = NEW(struct solving);
	*s = (struct solving){ c->node, &level->systems };
	k_bind_calls(l->k, s, CALLS(KTEXT_ROW));
	k_numbers(l->k, "K, ROWS, BESIDE, THREADS", unknowns_of(c->node), !level->source,
	          l->target->gpu, THREADS);
	k_numbers(l->k, "RING, HALF, FIELDS, REACH", c->node->running->ring, half_of(c->node),
	          solve_fields(c->node), solve_reach(c->node));
	if (level->source) {
		solve_bind_array(c, l, "source", level->source->reduced, true);
		/* a constant as well: levels share kernels */
		k_bind(l->k, "rows",
		       lower_argument(l, "rows", kt_scalar(T_I64), level->systems.rows));
	} else if (solve_wide_cells(c->node) > 1)
		k_bind(l->k, "cells", lower_number(l, "cells", level->systems.cells));
	k_bind(l->k, "strip_rows", level->each ? lower_number(l, "strip_rows", level->each)
	                                 : k_get(l->k, "rows"));
	if (l->target->gpu)
		solve_block(l, THREADS);
	return l;
}

/* Memory for what the threads know of the rows of a strip; only if taken (host; NULL: always). */
static void bind_factors(const struct task *c, struct lowering *l, struct kx *taken,
                         struct kx *slots, struct kx *each)
{
	const int k = unknowns_of(c->node);
	struct kx *size[] = { taken ? kx_fold(x_cond(taken, slots, x_i64(0))) : slots, each,
		              x_i64((int64_t)(k + 1) * k) };
	struct kvar *slot = plan_slot(c->plan, "factors", solve_type(c->node), 3, size);
	solve_bind_array(c, l, "factors", slot, false);
}

/* Blocks for so many strips: the threads go on if there are more. */
static struct kx *blocks_of(const struct task *c, struct lowering *l, struct kx *strips)
{
	struct kx *most = x_i64((int64_t)BLOCKS * l->target->units);
	return plan_let(c->plan, "blocks", x_min(x_div_up(strips, x_i64(THREADS)), most));
}

static struct kx *all_strips(const struct level *level)
{
	return x_mul(level->systems.count, level->strips);
}

static struct kernel *launch(struct lowering *l, struct kx *blocks, const char *text)
{
	struct kernel *made = l->k;
	k_text(l->k, text);
	lowering_launch(l, blocks, x_i64(1), x_i64(1));
	return made;
}

/* ---- a thread a system ---- */

static void march(const struct task *c, struct level *level, const char *suffix,
                  const char *note, struct kx *taken)
{
	struct lowering *l = open_level(c, level, suffix, note);
	struct kx *blocks = blocks_of(c, l, level->systems.count);
	k_numbers(l->k, "ENDS", 0);
	if (level->source)
		solve_bind_array(c, l, "solved", level->source->ends, false);
	bind_factors(c, l, taken, x_mul(blocks, x_i64(THREADS)), level->systems.rows);
	launch(l, blocks, "solve_wide");
}

void solve_wide_march(const struct task *c)
{
	struct level level = { .systems = *(struct systems *)c->found };
	march(c, &level, ways_suffix(c), "A thread eliminates down a system, then substitutes up "
	      "again.", x_unary(OP_NOT, solve_wide_when(c)));
}

void solve_wide_sweep(const struct task *c)
{
	struct level level = { .systems = *(struct systems *)c->found };
	struct lowering *l = open_level(c, &level, ways_suffix(c),
	                                "Eliminates down each system, then substitutes up again.");
	struct kx *slots = plan_let(c->plan, "shares", x_min(level.systems.count, x_i64(SHARES)));
	k_numbers(l->k, "ENDS", 0);
	k_bind(l->k, "slots", lower_argument(l, "shares", kt_scalar(T_I64), slots));
	bind_factors(c, l, NULL, slots, level.systems.rows);
	launch(l, x_i64(1), "sweep_wide");
}

/* ---- strips ---- */

static struct kx *threads_of(const struct task *c)
{
	return x_i64((int64_t)BLOCKS * THREADS * c->plan->target->units);
}

/* Systems leave most threads idle, and are long enough to be cut. */
struct kx *solve_wide_when(const struct task *c)
{
	const struct systems *s = c->found;
	struct kx *few = x_le(x_mul(s->count, x_i64(2)), threads_of(c));
	return kx_fold(x_and(few, x_lt(x_i64(4 * LEAST), s->rows)));
}

static struct kvar *slot(const struct task *c, const char *name, const struct level *level,
                         int kinds)
{
	struct kx *all = kx_fold(x_cond(solve_wide_when(c), all_strips(level), x_i64(0)));
	struct kx *size[] = { all, x_i64(kinds) };
	return plan_slot(c->plan, name, solve_type(c->node), 2, size);
}

static void open_levels(const struct task *c, struct level *level)
{
	const int k = unknowns_of(c->node);
	const struct systems *s = c->found;
	struct kx *share = x_div_up(x_mul(s->count, s->rows), threads_of(c));
	level[0].systems = *s;
	level[0].each = plan_number(c->plan, "strip_rows", x_max(share, x_i64(LEAST)));
	for (int at = 0; at < LEVELS; at++) {
		struct level *here = &level[at];
		here->strips = plan_number(c->plan, "strips",
		                           x_div_up(here->systems.rows, here->each));
		here->reduced = slot(c, "reduced", here, 2 * k + 4 * k * k);
		here->ends = slot(c, "ends", here, k);
		level[at + 1] = (struct level){
			.systems = { .count = s->count, .rows = here->strips },
			.each = at + 1 < LEVELS ? x_i64(LEAST) : NULL,
			.source = here
		};
	}
}

/* The kernel of rows that are strips is the same in each level: `made`, once there is one. */
static struct kernel *launch_level(struct lowering *l, struct kx *blocks, const char *text,
                                   struct kernel *made)
{
	if (!made)
		return launch(l, blocks, text);
	lowering_launch_again(l, made, blocks);
	return made;
}

static struct kernel *reduce(const struct task *c, struct level *level, struct kernel *made)
{
	struct lowering *l = open_level(c, level, level->source ? "_strips_2" : "_strips",
	                                "Reduces each strip of a system to what its ends need.");
	solve_bind_array(c, l, "reduced", level->reduced, false);
	return launch_level(l, blocks_of(c, l, all_strips(level)), "reduce_wide", made);
}

static struct kernel *solve_between(const struct task *c, struct level *level,
                                    struct kernel *made)
{
	struct lowering *l = open_level(c, level, level->source ? "_ends_2" : "_ends",
	                                "Solves each strip, whose ends are known.");
	struct kx *blocks = blocks_of(c, l, all_strips(level));
	k_numbers(l->k, "ENDS", 1);
	solve_bind_array(c, l, "ends", level->ends, true);
	if (level->source)
		solve_bind_array(c, l, "solved", level->source->ends, false);
	bind_factors(c, l, solve_wide_when(c), x_mul(blocks, x_i64(THREADS)), level->each);
	return launch_level(l, blocks, "solve_wide", made);
}

void solve_wide_strips(const struct task *c)
{
	struct level level[LEVELS + 1] = { 0 };
	struct kernel *reduces = NULL, *solves = NULL;
	open_levels(c, level);
	for (int at = 0; at < LEVELS; at++)
		reduces = reduce(c, &level[at], at > 1 ? reduces : NULL);
	march(c, &level[LEVELS], "_top", "Solves for the ends of strips.", solve_wide_when(c));
	for (int at = LEVELS - 1; at >= 0; at--)
		solves = solve_between(c, &level[at], at > 0 ? solves : NULL);
}
