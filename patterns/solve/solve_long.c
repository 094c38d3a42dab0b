/* solve_long.c - a solve of long systems on a GPU: blocks eliminate within parts of a system, and
 * what remains is a system with a row a part (solve.kernel, "a long system").
 *
 *   NAME_reduce     the parts of the system
 *   NAME_reduce_2   the parts of the system that their last rows are
 *   NAME_top        the system that the last rows of these are: a block a system
 *   NAME_parts_2    the unknowns between, of the second; NAME_parts of the first
 *
 * The levels have 2^33 rows: the checks of a call refuse longer systems.  The coefficients are
 * computed twice, and nothing of a part but its last rows is stored. */
#include "running.h"
#include "solve_rows.h"

static const struct solve_size size = { 256, 8, 1 };
enum { PART = 256 * 8, LEVELS = 2, KINDS = 6, LINKS = 5 };

struct level {
	struct systems systems;
	struct kx *parts;                    /* of a system */
	struct solve_rows of;
	struct kvar *reduced, *ends;
};

/* ---- rows that are parts ---- */

static const char *const part_value[] = { "part_before", "part_own", "part_after", "part_right" };

static void bind_unit(struct lowering *l, const char *name, struct kx *x)
{
	k_bind(l->k, name, x_var(k_let(l->k, name, x)));
}

static struct kx *value_numbered(struct lowering *l, const struct kx *number)
{
	return k_value(l->k, part_value[solve_number(number)]);
}

static void store_end(struct lowering *l, struct kx *ends, struct kx *x)
{
	k_set(l->k, x_at(ends, k_value(l->k, "level_place", k_get(l->k, "at"))), x);
}

#define CALLS(DO, GET) \
	DO(find_system, bind_unit(l, "system_at", arg[0])) \
	DO(bind_row, bind_unit(l, "at", arg[0])) \
	DO(store, store_end(l, ends, arg[0])) \
	GET(coefficient, value_numbered(l, arg[0]))

#define HOLE_DO(name, call) KTEXT_CALL(struct kx, ends, name, call; return NULL;)
#define HOLE_GET(name, value) KTEXT_CALL(struct kx, ends, name, return value;)

CALLS(HOLE_DO, HOLE_GET)

struct lowering *solve_open_level(const struct task *c, const struct systems *rows,
                                  const struct solve_rows *of, const struct solve_size *its,
                                  const char *suffix, const char *note)
{
	if (!of->source) {
		struct lowering *l = solve_kernel(c, suffix, note);
		solve_bind_size(l, its);
		solve_bind_rows(c, l);
		return l;
	}
	struct lowering *l = solve_open(c, rows, suffix, note);
	solve_bind_array(c, l, "solved", of->ends, false);
	struct kx *ends = k_get(l->k, "solved");
	solve_bind_size(l, its);
	solve_bind_array(c, l, "source", of->source, true);
	k_numbers(l->k, "BEFORE_FROM, AFTER_LESS, TELLS", 0, 0, 0);
	k_numbers(l->k, "BEFORE_READS, OWN_READS, AFTER_READS, RIGHT_READS", 1, 1, 1, 1);
	k_bind_calls(l->k, ends, CALLS(KTEXT_ROW, KTEXT_ROW));
	return l;
}

static struct lowering *open_level(const struct task *c, const struct level *level,
                                   const char *suffix, const char *note)
{
	return solve_open_level(c, &level->systems, &level->of, &size, suffix, note);
}

/* ---- the levels ---- */

static void launch_parts(struct lowering *l, const struct level *level)
{
	lowering_launch_strided(l, x_mul(level->systems.count, level->parts));
}

static void reduce(const struct task *c, const struct level *level, const char *suffix)
{
	struct lowering *l = open_level(c, level, suffix,
	                                "Eliminates within each part of a system.");
	k_numbers(l->k, "PART, LINKS", PART, LINKS);
	solve_bind_array(c, l, "reduced", level->reduced, false);
	k_text(l->k, "reduce_parts");
	launch_parts(l, level);
}

static void solve_between(const struct task *c, const struct level *level, const char *suffix)
{
	const char *note = "Solves each part, whose ends are known.";
	struct lowering *l = open_level(c, level, suffix, note);
	k_numbers(l->k, "PART", PART);
	solve_bind_array(c, l, "ends", level->ends, true);
	k_text(l->k, "solve_parts");
	launch_parts(l, level);
}

static void solve_top(const struct task *c, const struct level *level)
{
	struct lowering *l = open_level(c, level, "_top", "Solves for the last unknowns of parts.");
	k_text(l->k, "solve_by_groups");
	lowering_launch_strided(l, level->systems.count);
}

static struct kvar *slot(const struct task *c, const char *name, const struct level *level,
                         int kinds)
{
	struct kx *all = x_mul(level->systems.count, level->parts);
	return solve_long_slot(c, name, all, kinds);
}

static void open_levels(const struct task *c, struct level *level)
{
	level[0].systems = *(const struct systems *)c->found;
	for (int k = 0; k <= LEVELS; k++) {
		if (k > 0) {
			level[k].systems = (struct systems){ .count = level[0].systems.count,
				                             .rows = level[k - 1].parts };
			level[k].of = (struct solve_rows){ level[k - 1].reduced,
				                           level[k - 1].ends };
		}
		if (k == LEVELS)
			return;
		level[k].parts = plan_number(c->plan, "parts",
		                             x_div_up(level[k].systems.rows, x_i64(PART)));
		level[k].reduced = slot(c, "reduced", &level[k], KINDS);
		level[k].ends = slot(c, "ends", &level[k], 1);
	}
}

void solve_long(const struct task *c)
{
	struct level level[LEVELS + 1] = { 0 };
	solve_limit_rows(c, (int64_t)PART * PART * PART);
	open_levels(c, level);
	reduce(c, &level[0], "_reduce");
	reduce(c, &level[1], "_reduce_2");
	solve_top(c, &level[2]);
	solve_between(c, &level[1], "_parts_2");
	solve_between(c, &level[0], "_parts");
}
