/* stencil_time_choose.c - how many passes of a loop of stencils a visit of memory computes.
 *
 * Model: a visit of P passes moves the bytes of one pass, and computes P times; a pass takes the
 * sum of both times.  Of the cells that a strip computes, those in its halo and in the rows before
 * its first one are computed in vain, the more the more passes.  Registers hold (rows - 1) * WIDTH
 * cells of each version: beyond MOST_WORDS fewer warps hide the latency of memory, or ptxas spills.
 *
 * Measured on an H200, f32, 16384^2: five points with 1, 3, 5, 7 passes 494, 1013, 1552, 2127
 * Gcell/s; a gradient of five points 482, 929, 1125, 1272; nine points and a division 461, 695, 742
 * (5), 694 (6). */
#include <string.h>

#include "remark.h"
#include "work.h"
#include "stencil_time_visit.h"
#include "stencil_time_cpu.h"

enum {
	MOST_PASSES = 16,
	MOST_WORDS = 64,                     /* registers for rows that are held, */
	MOST_TURNED = 52,                    /* and where rows outside are made of rows inside, */
	OF_SPARE = 6,                        /* and for an array that goes to a spare one, */
	OF_OTHER = 8,                        /* for a second array whose rows are reflected, */
	MOST_OF_PLANES = 40,                 /* and where rows are lines: tile_lines_registers */
	MOST_STEPS = 128                     /* rows of a chunk: patc_chunk_rows */
};
static const double OVERHEAD = 1.5;      /* instructions a cell beside those of its expression */

/* Of f32: an addition and a product are one instruction where one takes the other's result. */
static double instructions_of(const struct node *node, const struct work *w)
{
	double slow = node_clause(node, "approx") ? 2 : 8;
	double products = 0, sums = 0;
	for (int i = 0; i < w->operation.n; i++) {
		const struct count *c = &w->operation.at[i];
		products += strcmp(c->name, "*") ? 0 : c->times;
		sums += strcmp(c->name, "+") && strcmp(c->name, "-") ? 0 : c->times;
	}
	double joined = products < sums ? products : sums;
	double all = w->f32 + 2 * w->f64 + w->integer + slow * w->slow32 + 16 * w->slow64;
	return all - joined + OVERHEAD;
}

double time_instructions(const struct time_plan *plan)
{
	double instructions = 0;
	for (int i = 0; i < plan->statement.n; i++) {
		struct work w = work_of(plan->statement.at[i]);
		instructions += instructions_of(plan->statement.at[i], &w);
	}
	return instructions;
}

double time_bytes(const struct time_plan *plan)
{
	double bytes = 0;
	for (int i = 0; i < plan->version.n; i++) {
		const struct version *v = &plan->version.at[i];
		if (v->level < 0 && v->wanted && !v->edges)
			bytes += (double)type_size(v->var->type);
	}
	for (int i = 0; i < plan->pair.n; i++)
		bytes += (double)type_size(plan->pair.at[i].from->type);
	for (int i = 0; i < plan->constant.n; i++)
		if (plan->constant.at[i]->rank == plan->pair.at[0].from->rank)
			bytes += (double)type_size(plan->constant.at[i]->type);
	return bytes;
}

int time_warps(const struct time_plan *plan, const struct target *target)
{
	return time_rank(plan) > 2 ? tile_lines(plan, target) : target->block / target->lanes;
}

int64_t time_lines_stored(const struct time_plan *plan, const struct target *target)
{
	return tile_lines(plan, target) - 2 * plan->halo_lines;
}

/* Of the cells that a visit computes, those that it stores. */
static double used_part(const struct time_plan *plan, const struct target *target)
{
	double used = (double)time_strip(plan, target) / (target->lanes * plan->width);
	used *= MOST_STEPS / (double)(MOST_STEPS + plan->before + plan->after);
	if (time_rank(plan) > 2)
		used *= (double)time_lines_stored(plan, target) / tile_lines(plan, target);
	return used;
}

/* Of a cell and pass. */
static double seconds_of(const struct time_plan *plan, const struct target *target)
{
	const struct machine *m = machine_of(target, NULL);
	double used = used_part(plan, target);
	double moved = time_bytes(plan) / (m->copy * 1e9) / plan->passes / used;
	double computed = time_instructions(plan) / (m->f32 * 0.5e12) / used;
	return moved + computed;
}

/* Does a block get the shared memory for its lines, and are most of them stored? */
static bool lines_fit(const struct time_plan *plan, const struct target *target)
{
	return tile_lines_bytes(plan, target) <= target->unit_shared - target->block_shared
	       && time_lines_stored(plan, target) * 2 >= tile_lines(plan, target);
}

/* Each pass has its counter, and what it computes of that alone. */
static int64_t counter_words(const struct time_plan *plan)
{
	bool used = false;
	for (int s = 0; plan->loop->counter && s < plan->statement.n; s++)
		for (int q = 0; q < plan->statement.at[s]->equation.n; q++)
			used |= expr_uses(plan->statement.at[s]->equation.at[q]->right,
			                  plan->loop->counter);
	return used ? 3 * plan->passes : 0;
}

static bool has_room(const struct time_plan *plan, const struct target *target)
{
	int64_t words = plan->words + counter_words(plan) + OF_SPARE * time_spares(plan);
	bool wide = time_strip(plan, target) * 2 >= target->lanes * plan->width;
	if (time_rank(plan) > 2)
		return wide && tile_lines_registers(plan) <= MOST_OF_PLANES
		       && lines_fit(plan, target);
	if (time_reflects(plan, 0))
		words += OF_OTHER * (plan->pair.n - 1);
	return wide && words <= (time_turns(plan, 0) ? MOST_TURNED : MOST_WORDS);
}

/* Of a pass, if visits of so many take `seconds` a pass, and launches of one `first`: a round of
 * `repeat until C every K` is one launch at least, and others where no visit fits. */
static double mean_seconds(const struct node *loop, const struct target *target, int passes,
                           double seconds, double first)
{
	struct affine every;
	const char *why;
	const struct node *at;
	if (!loop->asks || !affine_of(loop->every, &every) || every.n)
		return seconds;
	const struct time_plan *plan = time_plan_of(loop, target, passes, &why, &at);
	int together = target->gpu && time_spares(plan) ? 2 * passes : passes;
	double all = (double)every.constant;
	double visited = (double)((every.constant - 1) / together * together);
	return (visited * seconds + (all - visited) * first) / all;
}

/* Seconds of a cell and pass; negative, and why: so many passes do not fit. */
static double try_passes(const struct node *loop, const struct target *target, int passes,
                         const char **why, const struct node **at)
{
	if (!target->gpu)
		return rings_seconds(loop, target, passes, why, at);
	const struct time_plan *plan = time_plan_of(loop, target, passes, why, at);
	if (!plan)
		return -1;
	*at = plan->statement.at[0];
	*why = "so many passes do not fit into the registers of a thread, or into the strip of a "
	       "warp";
	return passes > 1 && !has_room(plan, target) ? -1 : seconds_of(plan, target);
}

/* One, unless several gain a tenth. */
static int best_passes(const struct node *loop, const struct target *target)
{
	const char *why;
	const struct node *at;
	int best = 1;
	double seconds = 0, first = 0;
	for (int passes = 1; passes <= MOST_PASSES; passes++) {
		double s = try_passes(loop, target, passes, &why, &at);
		if (s < 0)
			continue;
		first = passes == 1 ? s : first;
		s = mean_seconds(loop, target, passes, s, first);
		if (passes == 1 || s < seconds * 0.97) {
			best = passes;
			seconds = s;
		}
	}
	return seconds < 0.9 * first ? best : 1;
}

static const char *told(const struct node *loop, const struct target *target, int passes)
{
	const char *why;
	const struct node *at;
	const struct time_plan *plan = time_plan_of(loop, target, passes, &why, &at);
	const char *where = !target->gpu ? rings_told(loop, target, passes)
		: str_print("rows of passes take %lld registers a thread, and of the %d columns of "
		            "a warp's strip %lld are stored", (long long)plan->words,
		            target->lanes * plan->width, (long long)time_strip(plan, target));
	if (target->gpu && time_rank(plan) > 2)
		where = str_print("lines of passes take %lld registers a thread, and of a tile of "
		                  "%d x %d cells %lld x %lld are stored", (long long)plan->words,
		                  tile_lines(plan, target), target->lanes * plan->width,
		                  (long long)time_lines_stored(plan, target),
		                  (long long)time_strip(plan, target));
	return str_print("memory moves %s B a cell and pass instead of %s, %s",
	                 remark_number(time_bytes(plan) / passes),
	                 remark_number(time_bytes(plan)), where);
}

int time_choose(const struct node *loop, const struct target *target, int pinned, const char **why,
                const struct node **at)
{
	if (!time_plan_of(loop, target, 1, why, at))
		return 1;
	int passes = pinned > 0 ? pinned : best_passes(loop, target);
	if (try_passes(loop, target, passes, why, at) < 0)
		return 1;
	*why = passes > 1 ? told(loop, target, passes) : "its computation takes as long as memory";
	return passes;
}

struct lefts time_leaves(const struct node *loop, const struct target *target, int passes)
{
	const char *why;
	const struct node *at;
	return time_plan_of(loop, target, passes, &why, &at)->left;
}
