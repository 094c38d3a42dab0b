/* solve_joins.c - a solve with `pivot` on a GPU whose systems threads share (joins.kernel).
 *
 * Two neighbouring rows have the unknown before them, their own two and the one after them.  So do
 * two neighbours of such pairs, once the two unknowns where they meet are eliminated from their
 * four equations, which are the only ones that have these: the pivots are the greatest of all.  A
 * thread joins rows, a group of threads joins what they have.  Systems that are longer than a group
 * has rows are divided into parts, which are the rows of the next level:
 *
 *   NAME_reduce, _reduce_2, _reduce_3     the equations of each part of a level
 *   NAME_top                              the ends of the parts of the last one: a block a system
 *   NAME_parts_3, _parts_2, _parts        the unknowns of parts whose ends are known
 *
 * The levels have 2^35 rows: the checks of a call refuse longer systems.  The coefficients are
 * computed twice, and nothing of a part but its two equations and its ends is stored.
 *
 * To change the shape: sizes in solve_gpu.c, for systems of a group; first, later here. */
#include "running.h"
#include "solve_rows.h"

static const struct solve_size first = { 256, 8, 1 }, later = { 256, 1, 1 };
enum { PART = 256 * 8, JOINED = 256, LEVELS = 3, PAIR = 10, SLOT = 11 };

/* The rows are those of the statement, or (source) the parts of another level. */
struct level {
	struct systems systems;
	struct kx *parts;                    /* of a system */
	struct level *source;
	struct kvar *reduced, *firsts, *lasts;
};

/* ---- kernels ---- */

void solve_bind_joins(struct lowering *l, const struct solve_size *size, bool rows)
{
	const int turned = size->group * (size->each + 1);
	const int slots = SLOT * (size->group + size->group / 32);
	k_numbers(l->k, "ROWS, SPACE", rows, slots > turned ? slots : turned);
}

static struct lowering *open_level(const struct task *c, struct level *level,
                                   const char *suffix, const char *note)
{
	struct task here = *c;
	here.found = &level->systems;
	const struct solve_size *size = level->source ? &later : &first;
	struct lowering *l = solve_kernel(&here, suffix, note);
	solve_bind_size(l, size);
	solve_bind_rows(&here, l);
	solve_bind_joins(l, size, !level->source);
	k_numbers(l->k, "PART", size->group * size->each);
	if (level->source)
		solve_bind_array(c, l, "source", level->source->reduced, true);
	return l;
}

static void bind_unknowns(const struct task *c, struct lowering *l, const struct level *level)
{
	if (!level->source)
		return;
	solve_bind_array(c, l, "element_firsts", level->source->firsts, false);
	solve_bind_array(c, l, "element_lasts", level->source->lasts, false);
}

static const char *numbered(const char *step, int k)
{
	return k ? str_print("%s_%d", step, k + 1) : step;
}

static void launch_parts(struct lowering *l, const struct level *level)
{
	lowering_launch_strided(l, x_mul(level->systems.count, level->parts));
}

static void reduce(const struct task *c, struct level *level, int k)
{
	struct lowering *l = open_level(c, &level[k], numbered("_reduce", k),
	                                "Joins the rows of each part of a system.");
	solve_bind_array(c, l, "reduced", level[k].reduced, false);
	k_text(l->k, "join_parts");
	launch_parts(l, &level[k]);
}

static void solve_top(const struct task *c, struct level *level)
{
	struct lowering *l = open_level(c, level, "_top", "Solves for the ends of parts.");
	bind_unknowns(c, l, level);
	k_text(l->k, "join_systems");
	lowering_launch_strided(l, level->systems.count);
}

static void solve_between(const struct task *c, struct level *level, int k)
{
	struct lowering *l = open_level(c, &level[k], numbered("_parts", k),
	                                "Solves each part, whose ends are known.");
	bind_unknowns(c, l, &level[k]);
	solve_bind_array(c, l, "firsts", level[k].firsts, true);
	solve_bind_array(c, l, "lasts", level[k].lasts, true);
	k_text(l->k, "solve_joined");
	launch_parts(l, &level[k]);
}

/* ---- the levels ---- */

static struct kvar *slot(const struct task *c, const char *name, const struct level *level,
                         int kinds)
{
	struct kx *all = x_mul(level->systems.count, level->parts);
	return solve_long_slot(c, name, all, kinds);
}

static void open_levels(const struct task *c, struct level *level)
{
	const struct systems *s = c->found;
	level[0].systems = *s;
	for (int k = 0; k < LEVELS; k++) {
		struct kx *rows = level[k].systems.rows, *most = x_i64(k ? JOINED : PART);
		level[k].parts = plan_number(c->plan, "parts", x_div_up(rows, most));
		level[k].reduced = slot(c, "reduced", &level[k], PAIR);
		level[k].firsts = slot(c, "firsts", &level[k], 1);
		level[k].lasts = slot(c, "lasts", &level[k], 1);
		level[k + 1] = (struct level){
			.systems = { .count = s->count, .rows = level[k].parts },
			.source = &level[k]
		};
	}
}

void solve_joins(const struct task *c)
{
	struct level level[LEVELS + 1] = { 0 };
	solve_limit_rows(c, (int64_t)PART * JOINED * JOINED * JOINED);
	open_levels(c, level);
	for (int k = 0; k < LEVELS; k++)
		reduce(c, level, k);
	solve_top(c, &level[LEVELS]);
	for (int k = LEVELS - 1; k >= 0; k--)
		solve_between(c, level, k);
}
