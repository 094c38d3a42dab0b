/* stencil_time_lines.c - loops of stencils on arrays of three axes: several passes in one visit.
 *
 * A block marches along the planes with a tile of lines and columns: each warp has one line of it,
 * as it has one row where planes are rows (stencil_time.c).  Cells of the planes before and after
 * are the lane's own, cells beside it are those of the lanes beside.  Cells of other lines belong
 * to other warps:
 *
 *     warp w - 1   . . x . .        x: a pass reads of plane q - 1, when plane q comes
 *     warp w       . x o x .
 *     warp w + 1   . . x . .
 *
 * So each warp leaves its line of a version's newest plane in shared memory.  It is read a step or
 * more later, and one barrier a step is enough for all passes: `slots` planes take turns.  Of a
 * plane outside, the plane is read that the boundary leads to.
 *
 * Lines at the edges of the tile are wrong after some passes, as columns are: halo_lines at each
 * side are not stored. */
#include <stdlib.h>

#include "stencil_time_visit.h"

/* Lines of a tile: those of the halo are computed in vain, so there are many, and threads then have
 * 80 or 96 registers, or 128 where several arrays are written.  Three passes of seven points take
 * 80, if rows outside are simple. */
enum { MOST_WARPS = 24, FEWER_WARPS = 20, FEWEST_WARPS = 16, REGISTERS_OF_MOST = 34 };

static bool is_simple(const struct time_plan *plan)
{
	bool simple = !plan->kept && plan->pair.n == 1;
	for (int d = 0; d < 3; d++)
		simple &= !time_reflects(plan, d);
	for (int i = 0; i < plan->version.n; i++)
		simple &= !plan->version.at[i].slanted;
	return simple;
}

/* Registers for the lines that are held, and for what each array of the loop needs beside. */
int64_t tile_lines_registers(const struct time_plan *plan)
{
	return plan->words + 8 * plan->pair.n;
}

int tile_lines(const struct time_plan *plan, const struct target *target)
{
	bool many = is_simple(plan) && tile_lines_registers(plan) <= REGISTERS_OF_MOST;
	bool busy = time_spares(plan) > 0 || plan->pair.n > 1;
	int few = busy ? FEWEST_WARPS : many ? MOST_WARPS : FEWER_WARPS;
	int most = target->max_block / target->lanes;
	return most < few ? most : few;
}

int64_t tile_lines_slots(const struct time_plan *plan)
{
	int64_t most = 0;
	for (int i = 0; i < plan->version.n; i++)
		most = plan->version.at[i].slots > most ? plan->version.at[i].slots : most;
	return most;
}

static int64_t line_cells(const struct time_plan *plan, const struct target *target)
{
	return (int64_t)target->lanes * plan->width;
}

int64_t tile_lines_bytes(const struct time_plan *plan, const struct target *target)
{
	int64_t cells = 0;
	for (int i = 0; i < plan->version.n; i++)
		if (plan->version.at[i].slots && plan->version.at[i].wanted)
			cells += type_size(plan->version.at[i].var->type);
	return cells * tile_lines_slots(plan) * tile_lines(plan, target) * line_cells(plan, target);
}

static int64_t plane_cells(const struct visit *v)
{
	return tile_lines(v->plan, v->l->target) * line_cells(v->plan, v->l->target);
}

void tile_lines_open(struct visit *v)
{
	const struct target *target = v->l->target;
	bool asks = tile_lines_bytes(v->plan, target) > target->shared_bytes;
	for (int i = 0; i < v->shown.n; i++) {
		const struct version *ver = &v->plan->version.at[v->shown.at[i]];
		int pass = ver->level < 0 ? 0 : v->plan->level.at[ver->level].pass + 1;
		if (!ver->slots)
			continue;
		struct kvar *lines = (asks ? k_shared_asked : k_shared)(
			v->l->k, ver->var->type, str_print("%s_%d_lines", ver->var->name, pass),
			tile_lines_slots(v->plan) * plane_cells(v));
		lines->align = 16;
		v->shared[v->shown.at[i]] = lines;
	}
}

/* ---- where lines are ---- */

static struct kx *lane_cell(const struct visit *v)
{
	return x_mul(k_get(v->l->k, "lane"), x_i32(v->plan->width));
}

/* The line of the tile, which has what a line so many after the own leads to. */
static struct kx *line_of_tile(struct visit *v, int64_t offset)
{
	struct kernel *k = v->l->k;
	enum boundary boundary = time_edge(v->plan, 1);
	struct kx *line = x_add(k_get(k, "warp"), x_i32(offset));
	if (boundary != B_NONE && boundary != B_WRAP && boundary != B_VALUE) {
		struct kx *wanted = x_add(k_get(k, "line_wanted"), x_i64(offset));
		struct kx *at = edge_position(boundary, wanted, v->lines, true);
		line = x_to_i32(x_sub(at, k_get(k, "tile_line")));
	}
	return x_min(x_max(line, x_i32(0)), x_i32(tile_lines(v->plan, v->l->target) - 1));
}

/* line_before, 2_lines_after ... */
static const char *words_of(int64_t offset)
{
	const char *side = offset < 0 ? "before" : "after";
	long long lines = llabs((long long)offset);
	return lines == 1 ? str_print("line_%s", side) : str_print("%lld_lines_%s", lines, side);
}

static void find_place(struct visit *v, int64_t offset)
{
	struct kernel *k = v->l->k;
	const char *word = words_of(offset);
	struct line_place p = { .offset = offset };
	for (int i = 0; i < v->place.n; i++)
		if (v->place.at[i].offset == offset)
			return;
	struct kx *line = line_of_tile(v, offset);
	p.first = x_var(k_let(k, str_print("at_%s", word),
	                      x_mul(line, x_i32(line_cells(v->plan, v->l->target)))));
	if (time_edge(v->plan, 1) == B_VALUE) {
		struct kx *at = x_add(k_get(k, "line_wanted"), x_i64(offset));
		struct kx *outside = x_or(x_lt(at, x_i64(0)), x_le(v->lines, at));
		p.outside = x_var(k_let(k, str_print("outside_%s", word), outside));
	}
	list_add(&v->place, p);
}

void tile_lines_find(struct visit *v)
{
	v->place.n = 0;
	for (int l = 0; l < v->plan->level.n; l++) {
		const struct level *level = &v->plan->level.at[l];
		for (int i = 0; i < level->read.n; i++)
			if (level->read.at[i].line)
				find_place(v, level->read.at[i].line);
	}
}

static const struct line_place *place_of(const struct visit *v, int64_t offset)
{
	int i = 0;
	while (v->place.at[i].offset != offset)
		i++;
	return &v->place.at[i];
}

/* The slot of the plane of that age. */
static struct kx *slot_of(struct visit *v, struct kx *age)
{
	struct kx *slot = k_get(v->l->k, "slot");
	struct kx *wrapped = x_add(slot, x_sub(x_i32(tile_lines_slots(v->plan)), age));
	return x_cond(x_le(age, slot), x_sub(slot, age), wrapped);
}

static struct kx *plane_wanted(struct visit *v, const struct time_read *r)
{
	return x_add(k_get(v->l->k, "row"), x_i32(r->row));
}

/* By steps, of the plane that a level reads.  What planes outside are made of does not matter. */
static struct kx *age_of(struct visit *v, const struct level *level, const struct time_read *r,
                         bool outside)
{
	const struct version *from = &v->plan->version.at[r->version];
	enum boundary edge = time_edge(v->plan, 0);
	if (!outside || !r->row || !time_turns(v->plan, 0) || edge == B_VALUE)
		return x_i32(level->lag - r->row - from->lag);
	struct kx *at = edge_position(edge, x_to_i64(plane_wanted(v, r)), x_to_i64(v->rows), true);
	struct kx *newest = x_add(k_get(v->l->k, "row"), x_i32(level->lag - from->lag));
	struct kx *age = x_sub(newest, x_to_i32(at));
	age = x_min(x_max(age, x_i32(1)), x_i32(from->slots - 1));
	return x_var(k_let(v->l->k, "age", age));
}

static struct kx *plane_at(const struct visit *v, struct kx *slot)
{
	return x_mul(slot, x_i32(plane_cells(v)));
}

struct kx *tile_lines_kept(struct visit *v, int version, struct kx *slot)
{
	struct kx *line = x_mul(k_get(v->l->k, "warp"),
	                        x_i32(line_cells(v->plan, v->l->target)));
	struct kx *cell = x_add(x_add(plane_at(v, slot), line), lane_cell(v));
	return x_offset(x_var(v->shared[version]), cell);
}

/* ---- what a level reads ---- */

/* A cell beside the lane's own.  Lines begin and end with cells in the halo. */
static struct kx *cell_beside(struct visit *v, struct kx *line, struct kvar *window, int64_t lo,
                              int64_t offset, bool edge)
{
	struct kx *cell = x_add(lane_cell(v), x_i32(offset));
	cell = offset < 0 ? x_max(cell, x_i32(0))
	       : x_min(cell, x_i32(line_cells(v->plan, v->l->target) - 1));
	struct kx *x = x_at(line, cell);
	struct kx *other = edge ? visit_beside_edge(v, window, lo, offset) : NULL;
	return other ? x_cond(k_get(v->l->k, offset < 0 ? "at_left" : "at_right"), other, x) : x;
}

static void fill_sides(struct visit *v, const struct time_read *r, struct kx *line,
                       struct kvar *window, bool edge)
{
	int64_t width = v->plan->width;
	for (int64_t e = r->lo; e < width + r->hi; e++)
		if (e < 0 || e >= width)
			k_set(v->l->k, x_at(x_var(window), x_i32(e - r->lo)),
			      cell_beside(v, line, window, r->lo, e, edge));
}

/* Is all of the line outside, which then has the boundary's value?  NULL: it is not. */
static struct kx *line_outside(struct visit *v, const struct time_read *r, bool outside)
{
	struct kx *is = place_of(v, r->line)->outside;
	if (!outside || !r->row || time_edge(v->plan, 0) != B_VALUE)
		return is;
	struct kx *plane = plane_wanted(v, r);
	struct kx *other = x_or(x_lt(plane, x_i32(0)), x_le(v->rows, plane));
	return is ? x_or(is, other) : other;
}

/* All cells of a line outside of the array have the boundary's value. */
static void fill_outside(struct visit *v, struct kvar *window, struct kx *outside)
{
	int axis = time_edge(v->plan, 1) == B_VALUE ? 1 : 0;
	struct kx *value = x_cast(window->type, lower_expr(v->l, time_value(v->plan, axis)));
	k_if(v->l->k, outside);
	for (int64_t e = 0; e < window->count; e++)
		k_set(v->l->k, x_at(x_var(window), x_i32(e)), value);
	k_end(v->l->k);
}

struct stream tile_lines_read(struct visit *v, const struct level *level, const struct time_read *r,
                              bool edge, bool outside)
{
	struct kernel *k = v->l->k;
	const struct version *from = &v->plan->version.at[r->version];
	const struct line_place *place = place_of(v, r->line);
	int64_t width = v->plan->width;
	struct kx *nowhere = line_outside(v, r, outside);
	const char *name = str_print("%s_%s", from->var->name, words_of(r->line));
	struct stream s = { .var = r->sample->var, .sample = r->sample, .lo = r->lo, .hi = r->hi };
	struct kx *line = x_offset(x_var(v->shared[r->version]),
	                           x_add(plane_at(v, slot_of(v, age_of(v, level, r, outside))),
	                                 place->first));
	struct kvar *own = k_let(k, name, x_vload(x_offset(line, lane_cell(v)), (int)width));
	if (!nowhere && !r->lo && !r->hi) {
		s.vector = own;
		return s;
	}
	s.window = k_regs(k, from->var->type, name, width + r->hi - r->lo);
	for (int e = 0; e < width; e++)
		k_set(k, x_at(x_var(s.window), x_i32(e - r->lo)), x_lane(x_var(own), e));
	fill_sides(v, r, line, s.window, edge);
	if (nowhere)
		fill_outside(v, s.window, nowhere);
	return s;
}
