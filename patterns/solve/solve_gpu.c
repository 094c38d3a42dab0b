/* solve_gpu.c - a solve on a GPU.
 *
 *   along_N, across_N   some threads share a system of at most N rows, each with some of them in
 *           registers: one read and one write of memory.  Along the last axis they are lanes of a
 *           warp, or a block; along another one they are in different warps, whose lanes have
 *           neighbouring systems. */
#include "ask.h"
#include "running.h"
#include "solve_rows.h"

enum { THREADS = 128 };                  /* of a block, at least */

void solve_block(struct lowering *l, int threads)
{
	l->k->block[0] = threads;
	l->k->block[1] = l->k->block[2] = 1;
	l->k->min_blocks = 1;                    /* against spills */
}

/* ---- some threads a system ---- */

/* By the form of a way. */
static const struct solve_size sizes[] = {
	{ 16, 4, 1 }, { 32, 4, 1 }, { 32, 8, 1 }, { 32, 16, 1 }, { 128, 8, 1 }, { 256, 16, 1 },
	{ 8, 4, 32 }, { 8, 16, 32 }, { 8, 32, 32 }, { 8, 8, 1 }, { 16, 8, 1 }
};
enum { CACHED = 4 };                     /* rows of a thread that a cache turns as fast */

static bool with_pivots(const struct task *c)
{
	return node_clause(c->node, "pivot");
}

/* The rows of a thread stay in registers: the widest kernel of a kind has those of 32 bits.  With
 * pivots they are five values, not four. */
static bool keeps_rows(const struct task *c, const struct solve_size *size)
{
	const bool narrow = type_size(solve_type(c->node)) == 4;
	if (with_pivots(c))
		return size->each <= (narrow ? 16 : 8);
	const bool widest = size->pitch == 1 ? size->group * size->each == 4096 : size->each == 32;
	return !widest || narrow;
}

/* Is there a group that a system fits? */
struct kx *solve_has_group(const struct task *c)
{
	const struct systems *s = c->found;
	const bool along = solve_along_rows(c->node);
	int64_t most = 0;
	for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++) {
		const int64_t rows = (int64_t)sizes[k].group * sizes[k].each;
		bool fits = along == (sizes[k].pitch == 1) && keeps_rows(c, &sizes[k]);
		most = fits && rows > most ? rows : most;
	}
	return kx_fold(x_le(s->rows, x_i64(most)));
}

struct kvar *solve_slot_when(const struct task *c, const char *name, struct kx *all, int kinds,
                             struct kx *taken)
{
	taken = x_and(x_unary(OP_NOT, solve_has_group(c)), taken);
	struct kx *count[] = { kx_fold(x_cond(taken, all, x_i64(0))), x_i64(kinds) };
	return plan_slot(c->plan, name, solve_type(c->node), 2, count);
}

struct kvar *solve_long_slot(const struct task *c, const char *name, struct kx *all, int kinds)
{
	return solve_slot_when(c, name, all, kinds, solve_no_strips(c));
}

void solve_limit_rows(const struct task *c, int64_t most)
{
	const struct affine *extent = &node_target(c->node, 0)->var->extent[c->node->running->axis];
	if (extent->n || extent->constant > most)
		plan_limit(c->plan, 1, &extent, most);
}

static bool reads(const struct node *node, enum row_part part)
{
	return expr_has(row_part(node, part), E_READ);
}

bool solve_along(const struct task *c)
{
	return solve_along_rows(c->node) && keeps_rows(c, &sizes[c->way->form]);
}

bool solve_across(const struct task *c)
{
	return !solve_along_rows(c->node) && keeps_rows(c, &sizes[c->way->form]);
}

struct kx *solve_fits_group(const struct task *c)
{
	const struct systems *s = c->found;
	const struct solve_size *size = &sizes[c->way->form];
	return kx_fold(x_le(s->rows, x_i64((int64_t)size->group * size->each)));
}

int solve_threads(const struct solve_size *size)
{
	return size->pitch > 1 ? size->group * size->pitch
	       : size->group > THREADS ? size->group : THREADS;
}

void solve_bind_size(struct lowering *l, const struct solve_size *size)
{
	const bool along = size->pitch == 1, shuffled = along && size->group <= l->target->lanes;
	solve_block(l, solve_threads(size));
	k_bind(l->k, "thread", x_var(k_let(l->k, "thread", block_thread(l))));
	k_numbers(l->k, "GROUP, GROUP_BITS, EACH, EACH_BITS, PITCH, THREADS", size->group,
	          log2_of(size->group), size->each, log2_of(size->each), size->pitch,
	          solve_threads(size));
	k_numbers(l->k, "SHUFFLED, TURNED, STAGED, LINKS", shuffled, along,
	          along && size->each > CACHED, 3);
}

void solve_bind_rows(const struct task *c, struct lowering *l)
{
	const bool guarded = node_clause(c->node, "boundary");
	const struct systems *s = c->found;
	const enum row_part right = s->ring == RING_BORDER ? ROW_BEFORE : ROW_RIGHT;
	k_numbers(l->k, "BEFORE_FROM, AFTER_LESS, TELLS", guarded, guarded, 1);
	k_numbers(l->k, "BEFORE_READS, OWN_READS, AFTER_READS, RIGHT_READS",
	          reads(c->node, ROW_BEFORE), reads(c->node, ROW_OWN), reads(c->node, ROW_AFTER),
	          reads(c->node, right));
}

void solve_groups(const struct task *c)
{
	const struct systems *s = c->found;
	const struct solve_size *size = &sizes[c->way->form];
	const bool pivots = with_pivots(c);
	const char *note = str_print("%d threads share a system of at most %d rows, %s.",
	                             size->group, size->group * size->each,
	                             pivots ? "which they join" : "by cyclic reduction");
	struct lowering *l = solve_kernel(c, ways_suffix(c), note);
	solve_bind_size(l, size);
	solve_bind_rows(c, l);
	solve_bind_joins(l, size, true);
	k_text(l->k, pivots ? "join_systems" : "solve_by_groups");
	lowering_launch_strided(l, x_div_up(s->count, x_i64(solve_threads(size) / size->group)));
}
