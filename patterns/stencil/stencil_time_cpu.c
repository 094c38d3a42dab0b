/* stencil_time_cpu.c - several passes of a loop of stencils in one visit of memory, on a CPU
 * (time_cpu.kernel): the kernel, and when and how the host launches it.  What it keeps, and how
 * large its units are, is in stencil_time_rings.c.
 *
 * Threads share units, strips of columns times chunks of rows, and compute the cells beside them as
 * well: no thread waits for another one within a visit.  In arrays of three axes, a row is a tile
 * of a plane, and a strip has as many columns and lines. */
#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "stencil_time_cpu.h"
#include "stencil_time_rings.h"

enum {
	PARTS = 128,                         /* at most so many threads work */
	LEAST_CHUNK = 8                      /* rows of a chunk, for each that it needs beside */
};

/* ---- the kernel under construction ---- */

/* What the pass `early` passes before the last makes, target number nth, is stored. */
struct storing { const struct time_pair *pair; int early, nth; };

/* Cells that a statement computes: along each axis, the first one, and the one after the last. */
struct part { struct kx *first[VISIT_AXES], *end[VISIT_AXES]; };
static const char *const first_name[VISIT_AXES] = { "top", "upper", "left" };
static const char *const end_name[VISIT_AXES] = { "bottom", "lower", "right" };

struct visit {
	struct ring_plan *plan;
	struct lowering *l;
	struct kx *done, *rows, *lines, *columns;
	const struct row_maker *stage;               /* whose row is made */
	struct cells *cells;                     /* of it */
	LIST(struct kvar *) read;                /* the rows that it reads, at the first column */
	LIST(struct kvar *) made;                /* and makes: of its wanted targets */
	LIST(int) target;                        /* their equations */
	LIST(struct storing) storing;
	struct part *part;                       /* by statement */
};

static int rank_of(const struct visit *v)
{
	return time_rank(v->plan->time);
}

static bool has_planes(const struct visit *v)
{
	return rank_of(v) > 2;
}

static struct kx *stride_of(struct visit *v, const struct var *var)
{
	return rank_of(v) > 1 ? lower_extent(v->l, var, rank_of(v) - 1) : x_i64(0);
}

static enum boundary column_edge(const struct visit *v)
{
	return ring_edge(v->plan, COLUMNS);
}

/* The arrays' axis of the visit's. */
static int axis_of(const struct visit *v, enum visit_axis axis)
{
	return axis == COLUMNS ? rank_of(v) - 1 : (int)axis;
}

static bool has_axis(const struct visit *v, enum visit_axis axis)
{
	return axis == COLUMNS || rank_of(v) > (int)axis + 1;
}

static bool columns_turn(const struct visit *v)
{
	return column_edge(v) != B_NONE && column_edge(v) != B_WRAP;
}

/* u_row, u_m1: of the row before; u_row_p2, u_m1_p2: two lines on. */
static const char *row_word(const struct row_read *r)
{
	const char *name = r->sample->var->name;
	const int64_t by[] = { r->row, r->line };
	const char *word = r->row ? name : str_print("%s_row", name);
	for (int i = 0; i < 2; i++)
		if (by[i])
			word = str_print("%s_%s%lld", word, by[i] < 0 ? "m" : "p",
			                 llabs((long long)by[i]));
	return word;
}

/* ---- which cells a statement computes ---- */

/* Once for each statement, which is that of several rows. */
static void find_parts(struct visit *v)
{
	struct plan *plan = v->l->plan;
	struct lowering *host = host_lowering(plan);
	v->part = mem_new((size_t)v->plan->stage.n * sizeof *v->part);
	for (int s = 0; s < v->plan->stage.n; s++) {
		const struct node *node = v->plan->stage.at[s].node;
		struct part *part = &v->part[s];
		for (enum visit_axis axis = ROWS; axis < VISIT_AXES; axis++) {
			struct kx *first = x_i64(0), *end = x_i64(axis != COLUMNS);
			if (time_computes_part(node) && has_axis(v, axis)) {
				int d = axis_of(v, axis);
				first = plan_let(plan, first_name[axis], time_first(host, node, d));
				end = plan_let(plan, end_name[axis], time_end(host, node, d));
			}
			part->first[axis] = lower_number(v->l, first_name[axis], first);
			part->end[axis] = lower_number(v->l, end_name[axis], end);
		}
	}
}

static void bind_part(struct visit *v, int s)
{
	k_bind(v->l->k, "PART", time_computes_part(v->plan->stage.at[s].node));
	for (enum visit_axis axis = ROWS; axis < VISIT_AXES; axis++) {
		k_bind(v->l->k, first_name[axis], v->part[s].first[axis]);
		k_bind(v->l->k, end_name[axis], v->part[s].end[axis]);
	}
}

/* ---- rows of memory ---- */

static void bind_beside(struct visit *v, const struct row_maker *stage, int64_t lag)
{
	k_numbers(v->l->k, "LAG, ROWS_BESIDE, LINES_BESIDE, COLUMNS_BESIDE", lag,
	          stage->beside[ROWS], stage->beside[LINES], stage->beside[COLUMNS]);
}

static void take_row(struct visit *v, int number, int before)
{
	const struct row_ring *ring = &v->plan->ring.at[number];
	const struct var *var = ring->memory[before];
	struct kernel *k = v->l->k;
	const struct row_maker *stage = &v->plan->stage.at[ring->statement];
	bind_beside(v, stage, stage->lag - before * v->plan->lag);
	k_bind(k, "BACK", before);
	bind_part(v, ring->statement);
	if (!ring->only_edges[before])
		k_bind(k, "PART", false);
	k_numbers(k, "ONLY_EDGES, RING, SLOT, RING_ROWS", ring->only_edges[before], number,
	          ring->behind - before, ring->rows);
	k_numbers(k, "LEFT, RIGHT", columns_turn(v) ? -ring->lo : 0,
	          columns_turn(v) ? ring->hi : 0);
	k_bind(k, "memory", lower_pointer(v->l, var));
	k_bind(k, "stride", stride_of(v, var));
	k_bind(k, "cells", str_print("%s_in", var->name));
	k_bind(k, "taken", str_print("%s_row", var->name));
	k_text(k, "take_ring_row");
}

static void take_rows(struct visit *v)
{
	for (int r = 0; r < v->plan->ring.n; r++)
		for (int k = v->plan->ring.at[r].behind; k > 0; k--)
			if (v->plan->ring.at[r].memory[k])
				take_row(v, r, k);
}

/* ---- rows of a statement ---- */

static void bind_reads(struct visit *v, const struct row_maker *stage)
{
	int n = stage->read.n;
	int64_t (*is)[5] = mem_new((size_t)n * sizeof *is);
	const char **word = mem_new((size_t)n * sizeof *word);
	for (int i = 0; i < n; i++) {
		const struct row_read *r = &stage->read.at[i];
		const struct row_ring *ring = &v->plan->ring.at[r->ring];
		const int64_t of[] = { r->row, r->line, r->ring, ring->behind - r->ago,
			               ring->rows };
		memcpy(is[i], of, sizeof of);
		word[i] = row_word(r);
	}
	for (int q = 0; q < stage->node->equation.n; q++)
		if (stage->old[q] >= 0)
			word[stage->old[q]] = str_print("%s_old", v->plan->ring.at[ring_number(
				v->plan, (int)(stage - v->plan->stage.at), q)].var->name);
	bind_listed(v->l->k, "ROW, LINE, RING, SLOT, RING_ROWS", n, is[0]);
	bind_words(v->l->k, "cells", n, word);
}

static void bind_storing(struct visit *v)
{
	int n = v->storing.n;
	int64_t (*is)[2] = mem_new((size_t)n * sizeof *is);
	const char **word = mem_new((size_t)n * sizeof *word);
	for (int i = 0; i < n; i++) {
		is[i][0] = v->storing.at[i].early;
		is[i][1] = v->storing.at[i].pair->whole;
		word[i] = str_print("%s_out", v->storing.at[i].pair->into->name);
	}
	bind_listed(v->l->k, "EARLY, WHOLE", n, is[0]);
	bind_words(v->l->k, "stored_row", n, word);
}

static void bind_made(struct visit *v, const struct row_maker *stage)
{
	int n = stage->node->equation.n, s = (int)(stage - v->plan->stage.at);
	int64_t (*is)[6] = mem_new((size_t)n * sizeof *is);
	const char **word = mem_new((size_t)n * sizeof *word);
	v->target.n = v->storing.n = 0;
	for (int q = 0; q < n; q++) {
		int number = ring_number(v->plan, s, q);
		const struct row_ring *ring = &v->plan->ring.at[number];
		if (!ring->wanted)
			continue;
		for (int early = 0; early <= AGO; early++)
			if (ring->pair[early] && !ring_last_stored(v->plan, ring))
				list_add(&v->storing, ((struct storing){ ring->pair[early], early,
				                                         v->target.n }));
		const int64_t of[] = {
			number, ring->behind, ring->rows, ring_last_stored(v->plan, ring),
			columns_turn(v) ? -ring->lo : 0, columns_turn(v) ? ring->hi : 0
		};
		memcpy(is[v->target.n], of, sizeof of);
		word[v->target.n] = str_print("%s_new", ring->var->name);
		list_add(&v->target, q);
	}
	bind_listed(v->l->k, "RING_MADE, SLOT_MADE, RING_ROWS_MADE, LAST_STORED, LEFT, RIGHT",
	            v->target.n, is[0]);
	bind_words(v->l->k, "made", v->target.n, word);
	bind_storing(v);
}

static const struct node *wanted_part(const struct visit *v)
{
	struct node *part = NEW(struct node);
	*part = *v->stage->node;
	part->equation.at = NULL;
	part->equation.n = part->equation.room = 0;
	for (int i = 0; i < v->target.n; i++)
		list_add(&part->equation, v->stage->node->equation.at[v->target.at[i]]);
	return part->equation.n == v->stage->node->equation.n ? v->stage->node : part;
}

static void make_rows(struct visit *v)
{
	for (int s = 0; s < v->plan->stage.n; s++) {
		v->stage = &v->plan->stage.at[s];
		v->read.n = v->made.n = 0;
		bind_beside(v, v->stage, v->stage->lag);
		bind_part(v, s);
		bind_reads(v, v->stage);
		bind_made(v, v->stage);
		if (!v->target.n)
			continue;
		v->cells = cells_beside(v->l, v->stage->node);
		k_text(v->l->k, "make_ring_row");
	}
}

static struct kx *turned(struct visit *v, enum visit_axis axis, struct kx *at, struct kx *extent)
{
	enum boundary edge = ring_edge(v->plan, axis);
	if (edge == B_NONE || edge == B_WRAP || edge == B_VALUE)
		return at;
	return edge_position(edge, at, extent, true);
}

static struct kx *old(struct visit *v, struct kx *c, int nth)
{
	return x_at(x_var(v->read.at[v->stage->old[v->target.at[nth]]]), c);
}

/* Cell c of the row.  A mask selects of the cell before and what is computed. */
static void compute(struct visit *v, struct kx *lane, struct kx *column)
{
	struct cells *c = v->cells;
	struct kernel *k = v->l->k;
	v->l->now.read = cell_read;
	v->l->now.state = c;
	if (rank_of(v) > 1)
		cells_bind(c, 0, k_value(k, "own_row"));
	if (has_planes(v))
		cells_bind(c, 1, k_value(k, "own_line"));
	if (v->plan->time->loop->counter)
		lower_bind(v->l, v->plan->time->loop->counter, x_add(v->done, k_get(k, "pass")));
	cells_bind(c, rank_of(v) - 1, column);
	c->lane = lane;
	c->node = wanted_part(v);
	c->stream.n = c->out.n = 0;
	for (int i = 0; i < v->read.n; i++) {
		const struct row_read *r = &v->stage->read.at[i];
		struct stream s = { .var = r->sample->var, .sample = r->sample,
			            .lo = r->lo, .hi = r->hi, .window = v->read.at[i],
			            .row = true };
		list_add(&c->stream, s);
	}
	for (int i = 0; i < v->target.n; i++) {
		struct kvar *out = v->made.at[i];
		if (c->node->where)
			out = k_var(k, kt(out->type.type), str_print("%s_cell", out->name),
			            old(v, lane, i));
		list_add(&c->out, out);
	}
	cells_body(c, CELL_VECTOR);
	for (int i = 0; c->node->where && i < v->target.n; i++)
		k_set(k, x_at(x_var(v->made.at[i]), lane), x_var(c->out.at[i]));
	c->lane = NULL;
	c->node = v->stage->node;
}

static struct kx *beside_edge(struct visit *v, struct kx *cells, struct kx *column)
{
	if (column_edge(v) == B_VALUE)
		return x_cast(kt(cells->type.type),
		              lower_expr(v->l, time_value(v->plan->time, rank_of(v) - 1)));
	struct kx *at = edge_position(column_edge(v), x_to_i64(column), v->columns, true);
	return x_at(cells, x_sub(at, k_get(v->l->k, "from")));
}

static struct kx *value_outside(struct visit *v, int ring)
{
	const struct type *type = v->plan->ring.at[ring].var->type;
	enum visit_axis axis = ring_has_value(v->plan, ROWS) ? ROWS : LINES;
	return x_cast(kt(type), lower_expr(v->l, time_value(v->plan->time, axis_of(v, axis))));
}

/* Where line number `line` of the array is stored. */
static struct kx *place_in(struct visit *v, const struct var *into, struct kx *line)
{
	return x_offset(lower_pointer(v->l, into), x_mul(line, stride_of(v, into)));
}

static struct kx *place(struct visit *v, int nth, struct kx *line)
{
	return place_in(v, v->storing.at[nth].pair->into, line);
}

/* Of target number nth, which the last pass stores. */
static struct kx *place_made(struct visit *v, int nth, struct kx *line)
{
	int s = (int)(v->stage - v->plan->stage.at);
	int number = ring_number(v->plan, s, v->target.at[nth]);
	return place_in(v, v->plan->ring.at[number].pair[0]->into, line);
}

static struct kx *stored_cell(struct visit *v, int nth, struct kx *c)
{
	return x_at(x_var(v->made.at[v->storing.at[nth].nth]), c);
}

#define CALLS(DO, GET) \
	DO(take_rows, take_rows(v)) \
	DO(make_rows, make_rows(v)) \
	DO(hold_read, list_add(&v->read, arg[0]->var)) \
	DO(hold_made, list_add(&v->made, arg[0]->var)) \
	DO(compute, compute(v, arg[0], arg[1])) \
	GET(turned_row, turned(v, ROWS, arg[0], v->rows)) \
	GET(turned_line, turned(v, LINES, arg[0], v->lines)) \
	GET(old, old(v, arg[0], l->k->each)) \
	GET(beside_edge, beside_edge(v, arg[0], arg[1])) \
	GET(value_outside, value_outside(v, l->k->each)) \
	GET(wrapped, edge_position(B_WRAP, arg[0], arg[1], true)) \
	GET(place, place(v, l->k->each, arg[0])) \
	GET(place_made, place_made(v, l->k->each, arg[0])) \
	GET(stored_cell, stored_cell(v, l->k->each, arg[0]))

#define HOLE_DO(name, call) KTEXT_CALL(struct visit, v, name, call; return NULL;)
#define HOLE_GET(name, value) KTEXT_CALL(struct visit, v, name, return value;)

CALLS(HOLE_DO, HOLE_GET)

/* ---- the host ---- */

/* Tiles of a row: strips of columns, times those of lines (host). */
static struct kx *tiles_of(struct visit *v, const struct var *var, struct kx *strips)
{
	if (!has_planes(v))
		return strips;
	struct kx *lines = lower_extent(host_lowering(v->l->plan), var, 1);
	return x_mul(strips, x_div_up(lines, x_i64(v->plan->lines)));
}

static void bind_extents(struct visit *v, const struct var *var)
{
	struct kernel *k = v->l->k;
	v->rows = rank_of(v) > 1 ? lower_extent(v->l, var, 0) : x_i64(1);
	v->lines = has_planes(v) ? lower_extent(v->l, var, 1) : x_i64(1);
	v->columns = lower_extent(v->l, var, var->rank - 1);
	k_bind(k, "rows", v->rows);
	k_bind(k, "lines", v->lines);
	k_bind(k, "columns", v->columns);
}

/* Units and their shape; memory for the rings of as many parts as there may be units. */
static void bind_units(struct visit *v)
{
	struct plan *plan = v->l->plan;
	struct lowering *host = host_lowering(plan);
	struct kernel *k = v->l->k;
	const struct var *var = v->plan->time->pair.at[0].from;
	bool marches = var->rank > 1;
	int64_t beside = 2 * v->plan->beside[ROWS] * v->plan->time->passes;
	struct kx *rows = marches ? lower_extent(host, var, 0) : x_i64(1);
	struct kx *columns = lower_extent(host, var, var->rank - 1);
	struct kx *strips = x_div_up(columns, x_i64(v->plan->strip));
	struct kx *least = x_i64(marches && beside ? beside * LEAST_CHUNK : 1);
	struct kx *most_units = x_mul(tiles_of(v, var, strips), x_div_up(rows, least));
	struct kx *most_parts = x_min(most_units, x_i64(PARTS));
	strips = plan_let(plan, "strips", strips);
	struct kx *tiles = strips;
	if (has_planes(v))
		tiles = plan_let(plan, "tiles", tiles_of(v, var, strips));
	struct kx *arg[] = { rows, tiles, least };
	struct kx *steps = x_i64(1);
	if (marches)
		steps = plan_let(plan, "steps",
		                 x_help(kt_scalar(T_I64), "patc_rows_of_chunk", 3, arg));
	struct kx *units = plan_let(plan, "units", x_mul(tiles, x_div_up(rows, steps)));
	struct kx *parts = plan_let(plan, "parts", x_min(units, x_i64(PARTS)));
	bind_extents(v, var);
	k_bind(k, "strips", lower_argument(v->l, "strips", strips->type, strips));
	if (has_planes(v))
		k_bind(k, "tiles", lower_argument(v->l, "tiles", tiles->type, tiles));
	k_bind(k, "steps", lower_number(v->l, "steps", steps));
	k_bind(k, "units", lower_argument(v->l, "units", units->type, units));
	k_bind(k, "parts", lower_argument(v->l, "parts", parts->type, parts));
	int n = v->plan->ring.n;
	struct kx **all = mem_new((size_t)n * sizeof *all);
	for (int r = 0; r < n; r++) {
		const struct row_ring *ring = &v->plan->ring.at[r];
		const char *name = str_print("%s_rows", ring->var->name);
		const struct type *type = ring->var->type;
		struct kx *size[] = { most_parts, x_i64(ring_cells(v->plan, ring)) };
		struct kvar *slot = plan_slot(plan, name, type, 2, size);
		all[r] = lower_argument(v->l, name, kt_pointer(type, false), x_var(slot));
	}
	bind_values(k, "rows_of_all", n, all);
}

static void bind_rings(struct visit *v)
{
	int n = v->plan->ring.n;
	int64_t (*is)[2] = mem_new((size_t)n * sizeof *is);
	const char **word = mem_new((size_t)n * sizeof *word);
	for (int r = 0; r < n; r++) {
		const struct row_ring *ring = &v->plan->ring.at[r];
		is[r][0] = ring_cells(v->plan, ring);
		is[r][1] = ring_has_outside(v->plan)
			? ring_slots(v->plan, ring) * ring_lines(v->plan) : -1;
		word[r] = str_print("%s_held", ring->var->name);
	}
	bind_listed(v->l->k, "SIZE, OUTSIDE", n, is[0]);
	bind_words(v->l->k, "held", n, word);
}

static void bind_shape(struct visit *v)
{
	const struct ring_plan *p = v->plan;
	const struct node *node = p->time->statement.at[0];
	struct kernel *k = v->l->k;
	k_numbers(k, "PLANES, STRIP, PITCH, PAD, TILE, KEPT_LINES, LINE_PAD", has_planes(v),
	          p->strip, ring_pitch(p), p->pad, p->lines, ring_lines(p), p->line_pad);
	k_numbers(k, "BEFORE, AFTER, LOWEST", p->before, p->after, p->lowest);
	k_numbers(k, "LAG_OF_PASS, ROWS_OF_PASS, LINES_OF_PASS, COLUMNS_OF_PASS", p->lag,
	          p->beside[ROWS], p->beside[LINES], p->beside[COLUMNS]);
	k_numbers(k, "WRAPS_ROWS, WRAPS_LINES, WRAPS_COLUMNS", ring_edge(p, ROWS) == B_WRAP,
	          ring_edge(p, LINES) == B_WRAP, ring_edge(p, COLUMNS) == B_WRAP);
	k_numbers(k, "HAS_OUTSIDE, ROWS_HAVE_VALUE, LINES_HAVE_VALUE", ring_has_outside(p),
	          ring_has_value(p, ROWS), ring_has_value(p, LINES));
	k_bind(k, "row", rank_of(v) > 1 ? node->index.at[0]->name : "row");
	k_bind(k, "q", str_print("%s_coming", rank_of(v) > 1 ? node->index.at[0]->name : "row"));
	if (has_planes(v))
		k_bind(k, "line", node->index.at[1]->name);
	else
		k_bind(k, "line", x_i64(0));
	k_bind(k, "from", str_print("%s_first", node->index.at[node->index.n - 1]->name));
}

/* ---- the visit ---- */

static struct ring_plan *chosen(const struct node *loop, const struct target *target)
{
	const char *why;
	const struct node *at;
	struct ring_plan *p = ring_plan_of(loop, target, loop->choice.time, &why, &at);
	assert(p && "pass_time has asked before");
	return p;
}

struct kx *rings_when(struct plan *plan, const struct node *loop)
{
	const struct time_plan *time = chosen(loop, plan->target)->time;
	const struct var *var = time->pair.at[0].from;
	struct lowering *host = host_lowering(plan);
	struct kx *rows = x_i64(1);
	for (int d = 0; d < var->rank - 1; d++)
		rows = d ? x_mul(rows, lower_extent(host, var, d)) : lower_extent(host, var, d);
	struct kx *columns = lower_extent(host, var, var->rank - 1);
	struct kx *some = x_and(x_lt(x_i64(0), rows), x_lt(x_i64(0), columns));
	struct kx *arg[] = { rows, columns, x_i64((int64_t)time_bytes(time)) };
	return x_and(some, x_help(kt_scalar(T_BOOL), "patc_visit_pays", 3, arg));
}

/* Fewer would find in memory what passes of the visit compute. */
static int least_passes(const struct ring_plan *p)
{
	int least = 2;
	for (int r = 0; r < p->ring.n; r++)
		for (int k = 0; k <= AGO; k++)
			if (k >= least && (p->ring.at[r].pair[k] || p->ring.at[r].behind >= k))
				least = k + 1;
	return least;
}

struct kx *rings_passes(struct plan *plan, const struct node *loop, struct kx *left)
{
	const struct ring_plan *p = chosen(loop, plan->target);
	struct kx *many = x_min(left, x_i64(p->time->passes));
	if (p->time->passes % 2)                 /* odd, where that is needed */
		many = x_sub(many, x_sub(x_i64(1), x_rem(many, x_i64(2))));
	many = x_var(k_let(plan->host, "passes", many));
	k_if(plan->host, x_lt(many, x_i64(least_passes(p))));
	k_break(plan->host);
	k_end(plan->host);
	return many;
}

void rings_launch(struct plan *plan, const struct node *loop, struct kx *done, struct kx *passes)
{
	struct visit v = { .plan = chosen(loop, plan->target) };
	const struct time_plan *time = v.plan->time;
	const struct node *first = time->statement.at[0];
	v.l = lowering_new(plan, str_print("%s_%d_passes", first->name, time->passes));
	v.l->k->node = (struct node *)first;
	v.l->k->note = str_print("So many passes of the loop in one visit of memory, %d at most.",
	                         time->passes);
	v.l->k->at = loop->at;
	for (int i = 0; i < time->pair.n; i++)
		list_add(&v.l->written, time->pair.at[i].into);
	if (loop->counter)
		v.done = lower_argument(v.l, "done", kt_scalar(T_I64), done);
	k_bind(v.l->k, "passes", lower_argument(v.l, "passes", kt_scalar(T_I64), passes));
	bind_units(&v);
	bind_rings(&v);
	find_parts(&v);
	bind_shape(&v);
	k_bind_calls(v.l->k, &v, CALLS(KTEXT_ROW, KTEXT_ROW));
	k_text(v.l->k, "visit_on_cpu");
	lowering_launch(v.l, x_i64(1), x_i64(1), x_i64(1));
	for (int i = 0; i < time->pair.n; i++)
		time_exchange(plan, &time->pair.at[i]);
}
