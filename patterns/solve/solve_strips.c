/* solve_strips.c - a solve of long systems that lie beside one another, on a GPU: a thread has some
 * neighbouring rows of a system, a strip, and neighbouring threads have neighbouring systems.  So
 * all reads and writes of a warp are side by side.  What remains of the strips of a system is a
 * system of its own, a row a strip, whose strips are the next level:
 *
 *   NAME_strips_reduce, _reduce_2, ...     what remains of the strips of a level (strips.kernel)
 *   NAME_strips_top                        systems that threads of some warps share (solve.kernel,
 *                                          with pivots joins.kernel)
 *   NAME_strips, ..., _strips_2            the unknowns of strips whose ends are known
 *
 * The coefficients are computed twice, and a strip is short enough to stay in registers on the way
 * back, so nothing but what remains of it and its ends is stored. */
#include "running.h"
#include "solve_rows.h"

enum { LEVELS = 4, THREADS = 128, SIX = 6, TEN = 10, BESIDE = 32 };

/* Rows of a strip, of the statement and of later levels; those of the statement that are read at
 * once; threads of the top. */
struct form { int levels, first, later, batch; struct solve_size top; };

static const struct form form_f32 = { 3, 32, 32, 8, { 8, 16, 32 } },
                         form_f64 = { 3, 16, 16, 4, { 8, 8, 32 } },
                         pivots_f32 = { 4, 16, 8, 8, { 16, 1, 32 } },
                         pivots_f64 = { 4, 16, 8, 4, { 16, 1, 32 } };

struct level {
	struct systems systems;
	struct kx *strips;                   /* of a system */
	struct level *source;                /* whose strips the rows are; NULL: of the statement */
	struct kvar *reduced, *firsts, *lasts;
};

static bool with_pivots(const struct task *c)
{
	return node_clause(c->node, "pivot");
}

static const struct form *form_of(const struct task *c)
{
	const bool is_f32 = type_size(solve_type(c->node)) == 4;
	if (with_pivots(c))
		return is_f32 ? &pivots_f32 : &pivots_f64;
	return is_f32 ? &form_f32 : &form_f64;
}

static int strip_rows(const struct form *f, struct level *level)
{
	return level->source ? f->later : f->first;
}

/* ---- where ---- */

bool solve_strips_fit(const struct task *c)
{
	return !solve_along_rows(c->node);
}

/* A warp has as many systems as lie side by side, and the top is a group. */
struct kx *solve_strips_when(const struct task *c)
{
	const struct systems *s = c->found;
	const struct form *f = form_of(c);
	int64_t most = (int64_t)f->first * f->top.group * f->top.each;
	for (int k = 1; k < f->levels; k++)
		most *= f->later;
	return kx_fold(x_and(x_le(x_i64(BESIDE), s->count), x_le(s->rows, x_i64(most))));
}

struct kx *solve_no_strips(const struct task *c)
{
	return solve_along_rows(c->node) ? NULL : x_unary(OP_NOT, solve_strips_when(c));
}

/* ---- kernels ---- */

static struct lowering *open_joined(const struct task *c, struct level *level,
                                    const struct solve_size *size, const char *suffix,
                                    const char *note)
{
	struct task here = *c;
	here.found = &level->systems;
	struct lowering *l = solve_kernel(&here, suffix, note);
	solve_bind_size(l, size);
	solve_bind_rows(&here, l);
	solve_bind_joins(l, size, !level->source);
	if (level->source)
		solve_bind_array(c, l, "source", level->source->reduced, true);
	return l;
}

static struct lowering *open_sized(const struct task *c, struct level *level,
                                   const struct solve_size *size, const char *suffix,
                                   const char *note)
{
	if (with_pivots(c))
		return open_joined(c, level, size, suffix, note);
	const struct level *of = level->source;
	const struct solve_rows rows = { of ? of->reduced : NULL, of ? of->lasts : NULL };
	return solve_open_level(c, &level->systems, &rows, size, suffix, note);
}

/* A thread has a strip. */
static struct lowering *open_strips(const struct task *c, struct level *level,
                                    const char *step, int k, const char *note)
{
	const struct form *f = form_of(c);
	const int rows = strip_rows(f, level), each = with_pivots(c) && !k ? rows / 2 : rows;
	const struct solve_size size = { 1, each, THREADS };
	const char *suffix = k ? str_print("%s_%d", step, k + 1) : step;
	struct lowering *l = open_sized(c, level, &size, suffix, note);
	k_numbers(l->k, "STRIP, BATCH, ELEMENTS", rows, f->batch, k ? f->batch / 4 : f->batch / 2);
	return l;
}

static void launch_strips(struct lowering *l, struct level *level, const char *text)
{
	struct kx *all = x_mul(level->systems.count, level->strips);
	k_text(l->k, text);
	lowering_launch_strided(l, x_div_up(all, x_i64(THREADS)));
}

/* With pivots: the unknowns of strips that are rows of this level. */
static void bind_unknowns(const struct task *c, struct lowering *l, struct level *level)
{
	if (!with_pivots(c) || !level->source)
		return;
	solve_bind_array(c, l, "element_firsts", level->source->firsts, false);
	solve_bind_array(c, l, "element_lasts", level->source->lasts, false);
}

static void reduce(const struct task *c, struct level *level, int k)
{
	struct lowering *l = open_strips(c, level, "_strips_reduce", k,
	                                 "Reduces each strip of a system to what its ends need.");
	solve_bind_array(c, l, "reduced", level->reduced, false);
	launch_strips(l, level, with_pivots(c) ? "join_strips" : "reduce_strips");
}

static void solve_top(const struct task *c, struct level *level)
{
	const struct solve_size *size = &form_of(c)->top;
	struct lowering *l = open_sized(c, level, size, "_strips_top",
	                                "Solves for the ends of strips.");
	bind_unknowns(c, l, level);
	k_text(l->k, with_pivots(c) ? "join_systems" : "solve_by_groups");
	lowering_launch_strided(l, x_div_up(level->systems.count, x_i64(size->pitch)));
}

static void solve_between(const struct task *c, struct level *level, int k)
{
	struct lowering *l = open_strips(c, level, "_strips", k,
	                                 "Solves each strip, whose ends are known.");
	bind_unknowns(c, l, level);
	if (with_pivots(c)) {
		solve_bind_array(c, l, "firsts", level->firsts, true);
		solve_bind_array(c, l, "lasts", level->lasts, true);
	} else
		solve_bind_array(c, l, "ends", level->lasts, true);
	launch_strips(l, level, with_pivots(c) ? "solve_joined_strips" : "solve_strips");
}

/* ---- the levels ---- */

static struct kvar *slot(const struct task *c, const char *name, struct level *level,
                         int kinds)
{
	struct kx *all = x_mul(level->systems.count, level->strips);
	return solve_slot_when(c, name, all, kinds, solve_strips_when(c));
}

static void open_levels(const struct task *c, struct level *level)
{
	const struct systems *s = c->found;
	const struct form *f = form_of(c);
	level[0].systems = *s;
	for (int k = 0; k < f->levels; k++) {
		struct kx *most = x_i64(strip_rows(f, &level[k]));
		level[k].strips = plan_number(c->plan, "strips",
		                              x_div_up(level[k].systems.rows, most));
		level[k].reduced = slot(c, "reduced", &level[k], with_pivots(c) ? TEN : SIX);
		if (with_pivots(c))
			level[k].firsts = slot(c, "firsts", &level[k], 1);
		level[k].lasts = slot(c, "lasts", &level[k], 1);
		level[k + 1] = (struct level){
			.systems = { .count = s->count, .rows = level[k].strips },
			.source = &level[k]
		};
	}
}

void solve_strips(const struct task *c)
{
	struct level level[LEVELS + 1] = { 0 };
	const int levels = form_of(c)->levels;
	open_levels(c, level);
	for (int k = 0; k < levels; k++)
		reduce(c, &level[k], k);
	solve_top(c, &level[levels]);
	for (int k = levels - 1; k >= 0; k--)
		solve_between(c, &level[k], k);
}
