/* stencil_time_lower.c - the kernel that computes several passes of a loop of stencils in one visit
 * of memory (time.kernel); stencil_time_choose.c says how many.
 *
 * At edges cells are selected, not branched to: 512^2 takes 1.5 ms instead of 2.2 on an H200.
 *
 * A chunk of rows is short where there are few of them: patc_chunk_rows. */
#include <assert.h>
#include <string.h>

#include "stencil_time_visit.h"
#include "stencil_time_cpu.h"
#include "../lowerings.h"

/* ---- the kernel under construction ---- */

static struct kx *column_of(const struct visit *v)
{
	return k_get(v->l->k, "column");
}

static int rank_of(const struct visit *v)
{
	return time_rank(v->plan);
}

static struct version *version_at(struct visit *v, int shown)
{
	return &v->plan->version.at[v->shown.at[shown]];
}

static int window_of(const struct visit *v, int version, int64_t age)
{
	return v->first_window[version] + (int)(v->plan->version.at[version].rows - 1 - age);
}

static int64_t version_size(const struct time_plan *plan, const struct version *v)
{
	return v->hi - v->lo + plan->width;
}

/* Cell e of the lane's vector, in a window. */
static struct kx *cell_in(struct visit *v, int version, int64_t age, int64_t e)
{
	struct kvar *window = v->window.at[window_of(v, version, age)];
	return x_at(x_var(window), x_i32(e - v->plan->version.at[version].lo));
}

/* NULL: the visit does not store it. */
static const struct time_pair *pair_of(const struct visit *v, int version)
{
	for (int i = 0; i < v->plan->pair.n; i++)
		if (v->plan->pair.at[i].version == version)
			return &v->plan->pair.at[i];
	return NULL;
}

/* ---- a level ---- */

static void hold_reads(struct visit *v, const struct level *level, struct cells *c, bool ends,
                       bool edge)
{
	c->stream.n = 0;
	for (int i = 0; i < level->read.n; i++) {
		const struct time_read *r = &level->read.at[i];
		const struct version *from = &v->plan->version.at[r->version];
		if (r->line) {
			list_add(&c->stream, tile_lines_read(v, level, r, ends, edge));
			continue;
		}
		int64_t age = level->lag - r->row - from->lag;
		struct stream s = { .var = r->sample->var, .sample = r->sample,
			            .lo = from->lo, .hi = from->hi };
		s.window = v->window.at[window_of(v, r->version, age)];
		list_add(&c->stream, s);
	}
	c->held = c->stream.n;
}

static struct kx *old_cell(struct visit *v, const struct level *level, int q, int64_t e)
{
	int old = level->old[q];
	return cell_in(v, old, level->lag - v->plan->version.at[old].lag, e);
}

/* The statement without equations whose arrays live in other passes only. */
static const struct node *wanted_part(const struct visit *v, const struct level *level)
{
	struct node *part = NEW(struct node);
	*part = *level->node;
	part->equation.at = NULL;
	part->equation.n = part->equation.room = 0;
	for (int q = 0; q < level->node->equation.n; q++)
		if (v->plan->version.at[level->made[q]].wanted)
			list_add(&part->equation, level->node->equation.at[q]);
	return part->equation.n == level->node->equation.n ? level->node : part;
}

static void open_rows(struct visit *v, const struct level *level, struct cells *c)
{
	c->out.n = 0;
	for (int q = 0; q < level->node->equation.n; q++) {
		if (!v->plan->version.at[level->made[q]].wanted)
			continue;
		const struct expr *target = level->node->equation.at[q]->target.at[0];
		struct kvar *out = k_var(v->l->k, kt_vector(target->type, v->plan->width),
		                         str_print("%s_new", target->var->name), NULL);
		list_add(&c->out, out);
		v->out[level->made[q]] = out;
		for (int e = 0; level->node->where && e < v->plan->width; e++)
			k_set(v->l->k, x_lane(x_var(out), e), old_cell(v, level, q, e));
	}
}

/* Row `row` of what a level computes, a vector for each equation.  ends: lines may end in the tile;
 * edge: rows may be outside. */
static void compute(struct visit *v, const struct level *level, struct kx *row, bool ends,
                    bool edge)
{
	struct cells *c = v->cells[level->statement];
	struct kernel *k = v->l->k;
	v->l->now.read = cell_read;
	v->l->now.state = c;
	if (rank_of(v) > 1)
		cells_bind(c, 0, row);
	if (rank_of(v) > 2)
		cells_bind(c, 1, k_get(k, "line"));
	if (v->plan->loop->counter)
		lower_bind(v->l, v->plan->loop->counter, x_add(v->done, x_i64(level->pass)));
	hold_reads(v, level, c, ends, edge);
	c->node = wanted_part(v, level);
	c->mode = CELL_VECTOR;
	cells_load(c, column_of(v));
	open_rows(v, level, c);
	c->lane = x_var(k_for(k, "c", x_i32(0), x_i32(c->width), x_i32(1), FOR_UNROLL));
	cells_set_column(c, x_add(column_of(v), x_to_i64(c->lane)));
	cells_body(c, CELL_VECTOR);
	k_end(k);
	c->lane = NULL;
	c->node = level->node;
}

/* ---- cells beside the lane's own ---- */

struct kx *visit_beside_edge(struct visit *v, struct kvar *window, int64_t lo, int64_t offset)
{
	int64_t width = v->plan->width, out = offset < 0 ? -offset : offset - width + 1;
	int last = rank_of(v) - 1;
	switch (time_edge(v->plan, last)) {
	case B_CLAMP: out = 0; break;
	case B_MIRROR: out -= 1; break;
	case B_REFLECT: break;
	case B_VALUE: return x_cast(window->type, lower_expr(v->l, time_value(v->plan, last)));
	case B_NONE: case B_KEEP: case B_WRAP: return NULL;
	}
	return x_at(x_var(window), x_i32((offset < 0 ? out : width - 1 - out) - lo));
}

static struct kx *of_neighbour(struct visit *v, int version, int64_t age, int64_t offset)
{
	const struct type *type = v->plan->version.at[version].var->type;
	int64_t width = v->plan->width;
	const char *shuffle = str_print("patc_shfl_%s_%s", offset < 0 ? "up" : "down",
	                                kt_word(type));
	struct kx *cell = cell_in(v, version, age, offset < 0 ? width + offset : offset - width);
	return x_help(kt(type), shuffle, 2, (struct kx *[]){ cell, x_i32(1) });
}

/* Cells beside a row are asked for when a level first reads them.  Rows outside are copies of rows
 * inside: where theirs are read, all rows have them as soon as they are new.  A march along planes
 * comes to the last ones with what it held before. */
static int64_t age_joined(const struct visit *v, int version, bool edge)
{
	const struct version *ver = &v->plan->version.at[version];
	bool copied = time_turns(v->plan, 0) && (edge || rank_of(v) > 2);
	return copied && ver->slanted ? 0 : ver->wide_from;
}

static void join_cell(struct visit *v, int version, int64_t age, int64_t offset, bool edge)
{
	struct kernel *k = v->l->k;
	struct kx *x = of_neighbour(v, version, age, offset);
	struct kvar *window = v->window.at[window_of(v, version, age)];
	int64_t lo = v->plan->version.at[version].lo;
	struct kx *other = edge ? visit_beside_edge(v, window, lo, offset) : NULL;
	struct kx *at_end = k_get(k, offset < 0 ? "at_left" : "at_right");
	if (other) {                         /* all lanes shuffle */
		struct kvar *got = k_let(k, offset < 0 ? "left" : "right", x);
		x = x_cond(at_end, other, x_var(got));
	}
	k_set(k, cell_in(v, version, age, offset), x);
}

static void join_beside(struct visit *v, int version, bool ends, bool edge)
{
	const struct version *ver = &v->plan->version.at[version];
	int64_t age = age_joined(v, version, edge);
	if (ver->wide_from > ver->wide_to)
		return;
	for (int64_t offset = ver->lo; offset < 0; offset++)
		join_cell(v, version, age, offset, ends);
	for (int64_t offset = 0; offset < ver->hi; offset++)
		join_cell(v, version, age, v->plan->width + offset, ends);
}

/* ---- rows outside ---- */

/* Of a row outside the cells beside the lane's own are copied too, but where the loop between the
 * edges would hold them for nothing. */
static bool copies_sides(const struct visit *v, const struct version *ver)
{
	return ver->slanted || rank_of(v) < 3;
}

static int64_t first_copied(const struct visit *v, const struct version *ver)
{
	return copies_sides(v, ver) ? ver->lo : 0;
}

static int64_t last_copied(const struct visit *v, const struct version *ver)
{
	return v->plan->width - 1 + (copies_sides(v, ver) ? ver->hi : 0);
}

static void copy_row(struct visit *v, int version, int64_t to, int64_t from)
{
	const struct version *ver = &v->plan->version.at[version];
	for (int64_t e = first_copied(v, ver); e <= last_copied(v, ver); e++)
		k_set(v->l->k, cell_in(v, version, to, e), cell_in(v, version, from, e));
}

static void fill_row(struct visit *v, int version, int64_t age)
{
	const struct version *ver = &v->plan->version.at[version];
	const struct expr *value = time_value(v->plan, 0);
	for (int64_t e = first_copied(v, ver); e <= last_copied(v, ver); e++)
		k_set(v->l->k, cell_in(v, version, age, e),
		      x_cast(kt(ver->var->type), lower_expr(v->l, value)));
}

/* The row of this age is outside: it becomes one inside, whose age is that of a row held. */
static void turn_row(struct visit *v, int version, int64_t age, struct kx *row)
{
	const struct version *ver = &v->plan->version.at[version];
	enum boundary edge = time_edge(v->plan, 0);
	if (edge == B_VALUE) {
		fill_row(v, version, age);
		return;
	}
	struct kernel *k = v->l->k;
	struct kx *at = edge_position(edge, x_to_i64(row), x_to_i64(v->rows), true);
	struct kx *from = x_var(k_let(k, "from", x_to_i32(at)));
	for (int64_t other = 0; other < ver->rows; other++) {
		if (other == age)
			continue;
		k_if(k, x_eq(from, x_add(row, x_i32(age - other))));
		copy_row(v, version, age, other);
		k_end(k);
	}
}

/* The newest row is after the last one. */
static void turn_after(struct visit *v, int version, struct kx *row)
{
	k_if(v->l->k, x_le(v->rows, row));
	turn_row(v, version, 0, row);
	k_end(v->l->k);
}

/* Rows before the first one, once the rows are held that they become. */
static void turn_before(struct visit *v, int version, struct kx *row)
{
	const struct version *ver = &v->plan->version.at[version];
	for (int64_t age = time_edge(v->plan, 0) == B_VALUE ? 0 : 1; age < ver->rows; age++) {
		struct kx *at = x_sub(row, x_i32(age));
		k_if(v->l->k, x_lt(at, x_i32(0)));
		turn_row(v, version, age, at);
		k_end(v->l->k);
	}
}

/* ---- functions of time.kernel ---- */

static const struct version *shown(const struct visit *v, const struct lowering *l)
{
	return &v->plan->version.at[v->shown.at[l->k->each]];
}

static const struct level *level_of(const struct visit *v, const struct lowering *l)
{
	return &v->plan->level.at[shown(v, l)->level];
}

static struct kx *stride_of(struct visit *v, const struct var *var)
{
	if (v->tiles && tile_has(v, var))
		return tile_pitch(v);
	struct kx *stride = rank_of(v) > 1 ? lower_extent(v->l, var, 1) : x_i64(0);
	return rank_of(v) > 2 ? x_mul(stride, lower_extent(v->l, var, 2)) : stride;
}

/* The lane's first cell of row 0. */
static struct kx *own_cell(struct visit *v, const struct var *var)
{
	struct kx *column = column_of(v);
	if (rank_of(v) < 3)
		return column;
	return x_add(x_mul(k_get(v->l->k, "line"), lower_extent(v->l, var, 2)), column);
}

static struct kx *first_cell(struct visit *v, const struct var *var)
{
	if (v->tiles && tile_has(v, var))
		return tile_cell(v, var);
	struct kx *own = own_cell(v, var);
	return x_offset(lower_pointer(v->l, var), own);
}

static struct kx *place(struct visit *v, int version, struct kx *row)
{
	const struct var *into = pair_of(v, version)->into;
	if (v->tiles)
		return x_offset(tile_cell(v, into), x_mul(row, tile_pitch(v)));
	struct kx *own = own_cell(v, into);
	struct kx *at = x_add(x_mul(row, stride_of(v, into)), own);
	return x_offset(lower_pointer(v->l, into), at);
}

static struct kx *old(struct visit *v, struct lowering *l, struct kx *e)
{
	const struct level *level = level_of(v, l);
	int number = level->old[shown(v, l)->equation];
	int64_t age = level->lag - v->plan->version.at[number].lag;
	struct kvar *window = v->window.at[window_of(v, number, age)];
	return x_at(x_var(window), x_add(x_to_i32(e), x_i32(-v->plan->version.at[number].lo)));
}

/* The loop is there twice, and each has its windows. */
static void hold(struct visit *v, struct lowering *l, struct kvar *window)
{
	v->window.n = l->k->each ? v->window.n : 0;
	list_add(&v->window, window);
}

/* The cells of the lane's vector that a statement computes, a bit each. */
static struct kx *all_bits(struct visit *v, struct lowering *l)
{
	struct kx *bits = NULL, *first = v->first[l->k->each], *end = v->end[l->k->each];
	for (int e = 0; e < v->plan->width; e++) {
		struct kx *at = x_add(column_of(v), x_i64(e));
		struct kx *is = x_and(x_le(first, at), x_lt(at, end));
		struct kx *bit = x_cond(is, x_i32(1 << e), x_i32(0));
		bits = bits ? x_op(OP_OR, bits, bit) : bit;
	}
	return bits;
}

/* Does the statement compute cell e of the lane's vector?  It computes most of them in any lane. */
static struct kx *has_column(struct visit *v, struct lowering *l, struct kx *e, struct kx *bits)
{
	const struct node *node = v->plan->statement.at[shown(v, l)->statement];
	int64_t first, last;
	if (time_margins(node, node->index.n - 1, &first, &last) && first <= e->i
	    && e->i < v->plan->width - last)
		return x_int(T_BOOL, 1);
	return x_ne(x_op(OP_AND, bits, x_i32(INT64_C(1) << e->i)), x_i32(0));
}

static struct kx *wrapped(struct kx *at, struct kx *extent)
{
	return edge_position(B_WRAP, at, extent, true);
}

#define CALLS(DO, GET) \
	DO(hold, hold(v, l, arg[0]->var)) \
	DO(compute, compute(v, level_of(v, l), arg[0], arg[1]->i != 0, arg[2]->i != 0)) \
	DO(turn_after, turn_after(v, v->shown.at[l->k->each], arg[0])) \
	DO(turn_before, turn_before(v, v->shown.at[l->k->each], arg[0])) \
	DO(join_beside, join_beside(v, v->shown.at[l->k->each], arg[0]->i != 0, arg[1]->i != 0)) \
	GET(all_bits, all_bits(v, l)) \
	GET(has_column, has_column(v, l, arg[0], arg[1])) \
	GET(wrapped, wrapped(arg[0], arg[1])) \
	GET(first_cell, first_cell(v, shown(v, l)->var)) \
	GET(stride, stride_of(v, shown(v, l)->var)) \
	GET(old, old(v, l, arg[0])) \
	GET(made, x_lane_at(x_var(v->out[v->shown.at[l->k->each]]), x_to_i32(arg[0]))) \
	GET(made_row, x_var(v->out[v->shown.at[l->k->each]])) \
	DO(load_row, k_do(l->k, x_help(kt_scalar(T_I32), "patc_get_row", 2, (struct kx **)arg))) \
	DO(store_from, k_do(l->k, x_help(kt_scalar(T_I32), "patc_put_row", 3, (struct kx **)arg))) \
	DO(open_lines, tile_lines_open(v)) \
	DO(find_places, tile_lines_find(v)) \
	GET(kept_place, tile_lines_kept(v, v->shown.at[l->k->each], arg[0])) \
	GET(place, place(v, v->shown.at[l->k->each], arg[0]))

#define HOLE_DO(name, call) KTEXT_CALL(struct visit, v, name, call; return NULL;)
#define HOLE_GET(name, value) KTEXT_CALL(struct visit, v, name, return value;)

CALLS(HOLE_DO, HOLE_GET)

/* ---- what time.kernel is told ---- */

static int64_t most_lag(const struct time_plan *plan)
{
	int64_t most = 0;
	for (int i = 0; i < plan->version.n; i++)
		most = plan->version.at[i].lag > most ? plan->version.at[i].lag : most;
	return most;
}

/* Does a level read what another one leaves in the version, or keep its cells? */
static bool is_last(const struct visit *, int version);

static bool is_read_on(const struct visit *v, int version)
{
	bool read = false;
	for (int l = 0; l < v->plan->level.n; l++) {
		const struct level *level = &v->plan->level.at[l];
		for (int i = 0; i < level->read.n; i++)
			read |= level->read.at[i].version == version;
		for (int q = 0; q < level->node->equation.n; q++)
			read |= level->old[q] == version
			        && (level->node->where || !is_last(v, level->made[q]));
	}
	return read;
}

/* It is stored only: cells that its statement keeps are in their place. */
static bool is_last(const struct visit *v, int version)
{
	const struct time_pair *pair = pair_of(v, version);
	return v->plan->version.at[version].level >= 0 && !is_read_on(v, version)
	       && !(pair && pair->whole);
}

/* Of the first row that is stored only: before it comes, windows are filled.  -before: all steps
 * compute. */
static int64_t first_lag(const struct visit *v)
{
	int64_t least = INT64_MAX;
	for (int i = 0; i < v->shown.n; i++) {
		const struct version *ver = &v->plan->version.at[v->shown.at[i]];
		if (is_last(v, v->shown.at[i]) && ver->lag < least)
			least = ver->lag;
	}
	return least < INT64_MAX ? least : -v->plan->before;
}

static void bind_shape(struct visit *v)
{
	struct time_plan *plan = v->plan;
	struct kernel *k = v->l->k;
	const struct target *t = v->l->target;
	int last = rank_of(v) - 1, warps = time_warps(plan, t);
	bool rows = last > 0, planes = last > 1;
	k_numbers(k, "WARPS, WIDTH, USED, HALO", warps, plan->width, time_strip(plan, t),
	          plan->halo);
	k_numbers(k, "BEFORE, AFTER, LOWEST", plan->before, plan->after,
	          rows ? plan->before + most_lag(plan) : 0);
	k_numbers(k, "WRAPS_ROWS, WRAPS_COLUMNS", rows && time_edge(plan, 0) == B_WRAP,
	          time_edge(plan, last) == B_WRAP);
	k_numbers(k, "TURNS, ENDS, TWICE", rows && time_turns(plan, 0), time_turns(plan, last),
	          t->unrolls);
	k_numbers(k, "PLANES, SLOTS, WRAPS_LINES", planes, tile_lines_slots(plan),
	          planes && time_edge(plan, 1) == B_WRAP);
	k_numbers(k, "FILLED, IN_PLACE, FIRST_LAG, REFLECTS", v->tiles != NULL,
	          v->tiles && tile_in_place(v), first_lag(v), rows && time_reflects(plan, 0));
	k_numbers(k, "HALO_LINES, USED_LINES, SIDES_ALIKE", plan->halo_lines,
	          time_lines_stored(plan, t), planes && !plan->kept);
	k_numbers(k, "ANYWHERE, CUT", v->anywhere, v->cut);
}

/* What a statement computes, if that is not all cells: rows top .. bottom, columns first .. end. */
enum side { TOP, BOTTOM, ABOVE, BELOW, FIRST, END, SIDES };
static const char *const side_name[SIDES] = {
	"top", "bottom", "line_first", "line_end", "first", "end"
};
static const char *const inner_name[SIDES] = {
	"inner_first", "inner_end", "inner_above", "inner_below", "inner_left", "inner_right"
};

static bool is_start(enum side side)
{
	return side == TOP || side == ABOVE || side == FIRST;
}

/* Host.  Rows are numbered by 32 bits, columns by 64. */
static struct kx *side_of(struct visit *v, const struct node *node, enum side side)
{
	struct lowering *host = host_lowering(v->l->plan);
	int last = rank_of(v) - 1;
	if (side >= ABOVE)
		return (is_start(side) ? time_first : time_end)(host, node,
		                                                side >= FIRST ? last : 1);
	if (!last)
		return x_i32(side == BOTTOM);
	return x_to_i32((is_start(side) ? time_first : time_end)(host, node, 0));
}

/* One side of each statement's cells, and of the cells that all of them compute. */
static struct kx **bind_side(struct visit *v, enum side side, struct kx *whole)
{
	int n = v->plan->statement.n;
	struct kx **own = mem_new((size_t)n * sizeof *own), *all = NULL, *inner = whole;
	for (int s = 0; s < n; s++) {
		const struct node *node = v->plan->statement.at[s];
		own[s] = x_i32(0);
		if (!time_computes_part(node))
			continue;
		struct kx *x = plan_let(v->l->plan, side_name[side], side_of(v, node, side));
		own[s] = lower_argument(v->l, side_name[side], x->type, x);
		all = !all ? x : is_start(side) ? x_max(all, x) : x_min(all, x);
	}
	if (all && (rank_of(v) > 1 || side >= FIRST))
		inner = n == 1 ? own[0] : lower_argument(v->l, inner_name[side], all->type, all);
	k_bind(v->l->k, inner_name[side], inner);
	return own;
}

static void bind_statements(struct visit *v)
{
	int n = v->plan->statement.n;
	int64_t *kept = mem_new((size_t)n * sizeof *kept);
	for (int s = 0; s < n; s++)
		kept[s] = time_computes_part(v->plan->statement.at[s]);
	bind_listed(v->l->k, "KEPT", n, kept);
	bind_values(v->l->k, "top", n, bind_side(v, TOP, x_i32(0)));
	bind_values(v->l->k, "bottom", n, bind_side(v, BOTTOM, v->rows));
	if (rank_of(v) > 2) {
		bind_values(v->l->k, "line_first", n, bind_side(v, ABOVE, x_i64(0)));
		bind_values(v->l->k, "line_end", n, bind_side(v, BELOW, v->lines));
	}
	v->first = bind_side(v, FIRST, x_i64(0));
	v->end = bind_side(v, END, v->columns);
}

static void find_shown(struct visit *v)
{
	int windows = 0;
	v->first_window = mem_new((size_t)v->plan->version.n * sizeof(int));
	for (int i = 0; i < v->plan->version.n; i++) {
		const struct version *ver = &v->plan->version.at[i];
		if (!ver->wanted || (ver->level < 0 && ver->edges && !is_read_on(v, i)))
			continue;
		list_add(&v->shown, i);
		v->first_window[i] = windows;
		windows += (int)ver->rows;
	}
}

/* Do levels read it where they compute cells, too? */
static bool is_read_inside(const struct visit *v, int version)
{
	bool reads = false;
	for (int l = 0; l < v->plan->level.n; l++) {
		const struct level *level = &v->plan->level.at[l];
		for (int i = 0; i < level->read.n; i++)
			reads |= level->read.at[i].version == version;
		for (int q = 0; level->node->where && q < level->node->equation.n; q++)
			reads |= level->old[q] == version;
	}
	return reads;
}

/* Is it read at the edges alone?  A level computes all its versions, or none. */
static bool only_edges(const struct visit *v, int version)
{
	const struct version *ver = &v->plan->version.at[version];
	bool only = ver->level >= 0 || ver->edges;
	for (int i = 0; i < v->shown.n; i++) {
		const int other = v->shown.at[i];
		if (ver->level >= 0 && v->plan->version.at[other].level == ver->level)
			only &= !is_read_inside(v, other) && !pair_of(v, other);
	}
	return only;
}

/* After the steps that fill windows, is the row that a step makes one of begin .. stop? */
static bool is_exact(const struct visit *v, int version)
{
	int64_t lag = v->plan->version.at[version].lag;
	return v->tiles && is_last(v, version) && lag == first_lag(v) && lag == v->plan->after;
}

static void bind_versions(struct visit *v)
{
	struct time_plan *plan = v->plan;
	int n = v->shown.n;
	int64_t (*is)[15] = mem_new((size_t)n * sizeof *is);
	struct ktype *row = mem_new((size_t)n * sizeof *row);
	const struct type **held = mem_new((size_t)n * sizeof *held);
	const char **word = mem_new(3 * (size_t)n * sizeof *word);
	for (int i = 0; i < n; i++) {
		const struct version *ver = version_at(v, i);
		const struct level *level = ver->level < 0 ? NULL : &plan->level.at[ver->level];
		bool part = level && time_computes_part(level->node);
		const struct time_pair *pair = pair_of(v, v->shown.at[i]);
		const int64_t of[15] = {
			i, ver->level < 0, ver->statement,
			level && (!i || version_at(v, i - 1)->level != ver->level), ver->lag,
			window_of(v, v->shown.at[i], 0),
			-ver->lo, ver->slots > 0, pair != NULL, part,
			only_edges(v, v->shown.at[i]), pair && pair->whole,
			v->tiles && tile_has(v, ver->var), is_last(v, v->shown.at[i]),
			is_exact(v, v->shown.at[i])
		};
		memcpy(is[i], of, sizeof of);
		held[i] = ver->var->type;
		row[i] = kt_vector(held[i], plan->width);
		word[i] = str_print("%s_next", ver->var->name);
		word[n + i] = str_print("%s_column", ver->var->name);
		word[2 * n + i] = str_print("%s_later", ver->var->name);
	}
	bind_listed(v->l->k, "VERSION, MEMORY, STATEMENT, FIRST, LAG, NEW, LEFT, LINES, STORED, "
	            "PART, ONLY_EDGES, WHOLE, TILED, LAST, EXACT", n, is[0]);
	bind_ktypes(v->l->k, "ROW", n, row);
	bind_types(v->l->k, "HELD", n, held);
	bind_words(v->l->k, "next", n, word);
	bind_words(v->l->k, "base", n, word + n);
	bind_words(v->l->k, "later", n, word + 2 * n);
}

/* a_2: the array after two passes; a_2m1: the row before its newest one. */
static const char *window_name(const struct time_plan *plan, const struct version *v, int64_t age)
{
	int pass = v->level < 0 ? 0 : plan->level.at[v->level].pass + 1;
	return age ? str_print("%s_%dm%lld", v->var->name, pass, (long long)age)
	           : str_print("%s_%d", v->var->name, pass);
}

static void bind_windows(struct visit *v)
{
	int n = 0, handed = 0, most = 0;
	for (int i = 0; i < v->shown.n; i++)
		most += (int)version_at(v, i)->rows;
	const struct type **type = mem_new((size_t)most * sizeof *type);
	const char **word = mem_new((size_t)most * sizeof *word);
	int64_t (*size)[2] = mem_new((size_t)most * sizeof *size);
	int64_t (*is)[3] = mem_new((size_t)most * sizeof *is);
	for (int i = 0; i < v->shown.n; i++) {
		const struct version *ver = version_at(v, i);
		for (int64_t age = ver->rows - 1; age >= 0; age--, n++) {
			type[n] = ver->var->type;
			word[n] = window_name(v->plan, ver, age);
			size[n][0] = version_size(v->plan, ver);
			size[n][1] = age;
			const int64_t of[3] = { n, n + 1, size[n][0] };
			if (age > 0)
				memcpy(is[handed++], of, sizeof of);
		}
	}
	bind_types(v->l->k, "CELL", n, type);
	bind_words(v->l->k, "window", n, word);
	bind_listed(v->l->k, "SIZE, AGE", n, size[0]);
	bind_listed(v->l->k, "NEAR, FAR, SIZE_HANDED", handed, is[0]);
}

static void bind_names(struct visit *v)
{
	const struct node *node = v->plan->statement.at[0];
	const char *column = node->index.at[node->index.n - 1]->name;
	const char *row = node->index.n > 1 ? node->index.at[0]->name : "row";
	struct kernel *k = v->l->k;
	k_bind(k, "column", column);
	k_bind(k, "column_wanted", str_print("%s_wanted", column));
	k_bind(k, "strip_column", str_print("%s_strip", column));
	k_bind(k, "row", row);
	k_bind(k, "q", str_print("%s_coming", row));
	k_bind(k, "begin", str_print("%s_begin", row));
	k_bind(k, "stop", str_print("%s_stop", row));
}

/* ---- the host ---- */

static struct kx *around(const struct time_plan *plan)
{
	return x_i64(plan->before + plan->after);
}

/* Rows of a chunk, planes of one: backends/rt/gpu_host.h has the models. */
static struct kx *choose_steps(struct visit *v, struct kx *rows, struct kx *strips)
{
	const struct target *t = v->l->target;
	struct kx *arg[] = { rows, strips, around(v->plan), x_i64(t->units),
		             x_i64(time_warps(v->plan, t)) };
	return time_rank(v->plan) > 2 ? x_help(kt_scalar(T_I64), "patc_chunk_planes", 4, arg)
	       : x_help(kt_scalar(T_I64), "patc_chunk_rows", 5, arg);
}

/* Of a row (host). */
static struct kx *strips_of(struct plan *plan, const struct time_plan *time)
{
	const struct var *var = time->pair.at[0].from;
	struct kx *columns = lower_extent(host_lowering(plan), var, var->rank - 1);
	return x_div_up(columns, x_i64(time_strip(time, plan->target)));
}

/* Of a plane, a block each (host). */
static struct kx *tiles_of(struct plan *plan, const struct time_plan *time, struct kx *strips)
{
	const struct var *var = time->pair.at[0].from;
	struct kx *lines = lower_extent(host_lowering(plan), var, 1);
	return x_mul(strips, x_div_up(lines, x_i64(time_lines_stored(time, plan->target))));
}

/* Host.  Columns that a row is short of whole vectors. */
static struct kx *columns_short(const struct time_plan *time, struct kx *columns)
{
	struct kx *width = x_i64(time->width);
	return x_rem(x_sub(width, x_rem(columns, width)), width);
}

static struct kx *find_tiles(struct visit *v, struct kx *strips)
{
	struct kx *tiles = plan_let(v->l->plan, "tiles", tiles_of(v->l->plan, v->plan, strips));
	v->lines = lower_extent(v->l, v->plan->pair.at[0].from, 1);
	k_bind(v->l->k, "lines", v->lines);
	k_bind(v->l->k, "tiles", lower_argument(v->l, "tiles", tiles->type, tiles));
	return tiles;
}

static struct kx *find_units(struct visit *v)
{
	struct plan *plan = v->l->plan;
	struct lowering *host = host_lowering(plan);
	const struct var *var = v->plan->pair.at[0].from;
	bool has_rows = var->rank > 1;
	struct kx *rows = has_rows ? lower_extent(host, var, 0) : x_i64(1);
	struct kx *strips = plan_let(plan, "strips", strips_of(plan, v->plan));
	struct kx *tiles = var->rank > 2 ? find_tiles(v, strips) : strips;
	struct kx *steps = x_i64(1);
	if (has_rows)
		steps = plan_let(plan, "steps", choose_steps(v, rows, tiles));
	struct kx *units = plan_let(plan, "units", x_mul(tiles, x_div_up(rows, steps)));
	v->rows = x_i32(1);
	if (has_rows)
		v->rows = lower_argument(v->l, "rows", kt_scalar(T_I32), x_to_i32(rows));
	v->columns = lower_extent(v->l, var, var->rank - 1);
	k_bind(v->l->k, "rows", v->rows);
	k_bind(v->l->k, "columns", v->columns);
	k_bind(v->l->k, "strips", lower_argument(v->l, "strips", strips->type, strips));
	if (v->anywhere) {
		struct kx *columns = lower_extent(host, var, var->rank - 1);
		struct kx *back = kx_fold(columns_short(v->plan, columns));
		v->cut = !x_is_int(back, 0);
		if (v->cut)
			back = lower_argument(v->l, "back", kt_scalar(T_I64),
			                      plan_let(plan, "back", back));
		k_bind(v->l->k, "back", back);
	}
	k_bind(v->l->k, "steps", lower_number(v->l, "steps", x_to_i32(steps)));
	k_bind(v->l->k, "units", lower_argument(v->l, "units", units->type, units));
	return units;
}

void visit_open(struct visit *v)
{
	v->cells = mem_new((size_t)v->plan->statement.n * sizeof(struct cells *));
	for (int s = 0; s < v->plan->statement.n; s++) {
		v->cells[s] = cells_beside(v->l, v->plan->statement.at[s]);
		v->cells[s]->width = v->plan->width;
	}
	for (int i = 0; i < v->plan->pair.n; i++)
		list_add(&v->l->written, v->plan->pair.at[i].into);
}

struct time_plan *visit_plan(const struct node *loop, const struct target *target, int passes)
{
	const char *why;
	const struct node *at;
	struct time_plan *plan = time_plan_of(loop, target, passes, &why, &at);
	assert(plan && "pass_time has asked before");
	return plan;
}

static struct time_plan *plan_of(const struct node *loop, const struct target *target)
{
	return visit_plan(loop, target, loop->choice.time);
}

/* NULL: every device has that shared memory. */
static struct kx *may_ask(const struct time_plan *plan, const struct target *target)
{
	int64_t bytes = tile_lines_bytes(plan, target);
	return bytes > target->asked_bytes ? x_le(x_i64(bytes), block_may_ask()) : NULL;
}

static struct kx *planes_pay(struct plan *plan, const struct time_plan *time)
{
	struct lowering *host = host_lowering(plan);
	const struct var *var = time->pair.at[0].from;
	const struct target *t = plan->target;
	struct kx *planes = lower_extent(host, var, 0), *cells = planes;
	for (int a = 1; a < 3; a++)
		cells = x_mul(cells, lower_extent(host, var, a));
	struct kx *tile = x_i64((int64_t)tile_lines(time, t) * t->lanes * time->width);
	struct kx *arg[] = { planes, cells, tiles_of(plan, time, strips_of(plan, time)), tile,
		             around(time), x_mul(cells, x_i64((int64_t)time_bytes(time))) };
	return x_help(kt_scalar(T_BOOL), "patc_planes_pay", 6, arg);
}

struct kx *visit_aligned(struct plan *plan, const struct time_plan *time)
{
	struct kx *aligned = NULL;
	for (int s = 0; s < time->statement.n; s++) {
		const struct node *node = time->statement.at[s];
		struct cells c = { .l = host_lowering(plan), .node = node, .width = time->width,
			           .rank = node->index.n, .column = node->index.n - 1 };
		aligned = x_and(aligned, cells_aligned(&c));
	}
	return aligned;
}

static bool rows_whole(const struct time_plan *time)
{
	return cells_whole_rows(time->pair.at[0].from, time->width);
}

/* Rows are whole vectors, or so long that no strip has both ends of one. */
static struct kx *rows_end_well(struct plan *plan, const struct time_plan *time,
                                struct kx *columns)
{
	int64_t longer = time_strip(time, plan->target) + time->halo;
	return x_or(x_eq(x_rem(columns, x_i64(time->width)), x_i64(0)),
	            x_le(x_i64(longer), columns));
}

static struct kx *when(struct plan *plan, const struct node *loop)
{
	if (!plan->target->gpu)
		return rings_when(plan, loop);
	struct time_plan *time = plan_of(loop, plan->target);
	const struct var *var = time->pair.at[0].from;
	struct kx *columns = lower_extent(host_lowering(plan), var, var->rank - 1);
	struct kx *some = x_lt(x_i64(0), columns);
	struct kx *rows = var->rank > 1 ? lower_extent(host_lowering(plan), var, 0) : NULL;
	/* A single row begins and ends with a whole vector. */
	if (!rows)
		return x_and(x_and(some, x_eq(x_rem(columns, x_i64(time->width)), x_i64(0))),
		             visit_aligned(plan, time));
	some = x_and(some, x_lt(rows, x_i64(INT32_MAX / 2)));
	some = x_and(some, rows_whole(time) ? visit_aligned(plan, time)
	                                    : rows_end_well(plan, time, columns));
	if (var->rank > 2)
		some = x_and(x_and(some, may_ask(time, plan->target)), planes_pay(plan, time));
	return some;
}

void visit_describe(struct visit *v, const char *what)
{
	v->l->k->node = (struct node *)v->plan->statement.at[0];
	for (int s = 1; s < v->plan->statement.n; s++)
		list_add(&v->l->k->more, v->plan->statement.at[s]);
	v->l->k->note = what;
	v->l->k->at = v->plan->loop->at;
}

void visit_bind(struct visit *v)
{
	find_shown(v);
	bind_shape(v);
	bind_names(v);
	bind_statements(v);
	bind_versions(v);
	bind_windows(v);
	k_bind_calls(v->l->k, v, CALLS(KTEXT_ROW, KTEXT_ROW));
}

static const char *counted(const struct time_plan *plan, const char *what)
{
	return str_print("%d %s", plan->passes, what);
}

static void launch_visits(struct plan *plan, const struct node *loop, struct kx *done,
                          bool anywhere, const char *suffix)
{
	struct time_plan *time = plan_of(loop, plan->target);
	struct visit v = { .plan = time, .anywhere = anywhere };
	const struct node *first = v.plan->statement.at[0];
	v.l = lowering_new(plan, str_print("%s_%d_passes%s", first->name, v.plan->passes, suffix));
	struct kernel *k = v.l->k;
	visit_describe(&v, counted(v.plan, "passes of the loop in one visit of memory."));
	block_launch_bounds(v.l);
	k->block[0] = time_warps(v.plan, plan->target) * plan->target->lanes;
	block_fewest(v.l, 0, time_rank(v.plan) > 2 ? 1 : 2);
	visit_open(&v);
	if (loop->counter)
		v.done = lower_argument(v.l, "done", kt_scalar(T_I64), done);
	struct kx *units = find_units(&v);
	visit_bind(&v);
	k_text(k, "visit");
	int64_t warps = rank_of(&v) > 2 ? 1 : time_warps(v.plan, plan->target);
	lowering_launch(v.l, x_div_up(units, x_i64(warps)), x_i64(1), x_i64(1));
}

/* Whether a row begins with a whole vector is asked row by row, if sizes decide it, which costs
 * nothing in a plane.  Lines of planes have a kernel for that: the seven-point stencil of 512^3 on
 * an H200 took 33.0 ms for 200 steps, and 40.2 where each line asks. */
static void launch(struct plan *plan, const struct node *loop, struct kx *done, struct kx *passes)
{
	if (!plan->target->gpu) {
		rings_launch(plan, loop, done, passes);
		return;
	}
	struct time_plan *time = plan_of(loop, plan->target);
	int rank = time_rank(time);
	bool anywhere = rank > 1 && !rows_whole(time);
	if (rank > 2 && anywhere) {
		k_if(plan->host, visit_aligned(plan, time));
		launch_visits(plan, loop, done, false, "");
		k_else(plan->host);
		launch_visits(plan, loop, done, true, "_anywhere");
		k_end(plan->host);
	} else {
		launch_visits(plan, loop, done, anywhere, "");
	}
	for (int i = 0; i < time->pair.n; i++)
		time_exchange(plan, &time->pair.at[i]);
}

const struct passes stencil_passes = {
	time_choose, time_leaves, when, rings_passes, launch, resident_fits, resident_launch
};
