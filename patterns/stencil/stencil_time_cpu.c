/* stencil_time_cpu.c - several passes of a loop of stencils in one visit of memory, on a CPU
 * (time_cpu.kernel).
 *
 *     row        memory   pass 0   pass 1   pass 2
 *     q            x
 *     q - 1        o        x
 *     q - 2        o        o        x                x: new in this step
 *     q - 3                 o        o        x       o: in the ring of the pass
 *     q - 4                          o
 *
 * stencil_time.c executes the passes on the names of the arrays.  Here they are a loop, so what
 * they read must be the same in each of them: what statement s computes for its target q is a
 * `ring`, and a read is of a ring, so many passes before.  It is: names of arrays are exchanged in
 * the same way in each pass.  What passes before the first one would have computed is what memory
 * has.  All numbers that depend on a pass are linear in it: the row that it computes in a step, and
 * how many rows and columns beside its unit the passes after it need.
 *
 * Threads share units, strips of columns times chunks of rows, and compute the cells beside them as
 * well: no thread waits for another one within a visit.
 *
 * bench/RESULTS.md, "loops of stencils on a CPU", has what visits gain. */
#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "remark.h"
#include "stencil_time.h"
#include "stencil_time_cpu.h"

enum {
	ROOM = 256 << 10,                    /* bytes of rings: half of a usual cache of a core */
	WIDEST = 2048, NARROWEST = 256,      /* columns of a strip */
	AGO = 4,                             /* passes that a pass may look back */
	LINE = 64,                           /* bytes */
	PARTS = 128,                         /* at most so many threads work */
	LEAST_CHUNK = 8                      /* rows of a chunk, for each that it needs beside */
};

/* What a statement computes for a target, in each pass, and before the first one. */
struct row_ring {
	int statement, equation;
	const struct var *var;               /* its target */
	int behind;                          /* passes before the first one that are read */
	int64_t rows;                        /* of each pass that are kept */
	int64_t lo, hi;                      /* columns beside the own that are read */
	bool wanted;
	const struct var *memory[AGO + 1];   /* k: what k passes before the first have computed */
	bool only_edges[AGO + 1];
	const struct time_pair *pair[AGO + 1];   /* k: of what the k-th pass from the end leaves */
};
struct row_read { const struct expr *sample; int ring, ago; int64_t row, lo, hi; };
/* In the last pass: so many rows after the step, needed so many cells beside the unit. */
struct row_maker {
	const struct node *node;
	LIST(struct row_read) read;
	int *old;                            /* by equation: of `read`, or -1 */
	int64_t lag, rows_beside, columns_beside;
};
struct ring_plan {
	const struct time_plan *time;
	LIST(struct row_ring) ring;
	LIST(struct row_maker) stage;
	int64_t lag, rows_beside, columns_beside;            /* more of them each pass before */
	int64_t before, after, lowest, pad, strip;
};

/* ---- passes as a loop ---- */

static int ring_number(struct ring_plan *p, int statement, int equation)
{
	for (int r = 0; r < p->ring.n; r++)
		if (p->ring.at[r].statement == statement && p->ring.at[r].equation == equation)
			return r;
	return -1;
}

static void open_rings(struct ring_plan *p)
{
	for (int s = 0; s < p->time->statement.n; s++) {
		const struct node *node = p->time->statement.at[s];
		struct row_maker stage = { .node = node };
		stage.old = mem_new(sizeof(int) * (size_t)node->equation.n);
		list_add(&p->stage, stage);
		for (int q = 0; q < node->equation.n; q++) {
			const struct expr *target = target_read(node->equation.at[q]->target.at[0]);
			list_add(&p->ring, ((struct row_ring){ .statement = s, .equation = q,
			                                   .var = target->var, .rows = 1 }));
		}
	}
}

/* The read of a version in a pass as one of a ring, some passes ago; false: memory has it for too
 * long. */
static bool ring_of(struct ring_plan *p, const struct time_plan *steady, int version, int pass,
                    struct row_read *r)
{
	const struct version *v = &steady->version.at[version];
	if (v->level < 0)
		return false;
	const struct level *from = &steady->level.at[v->level];
	r->ring = ring_number(p, from->statement, v->equation);
	r->ago = pass - from->pass;
	return r->ago <= AGO;
}

static bool find_reads(struct ring_plan *p, const struct time_plan *steady, int s)
{
	struct row_maker *stage = &p->stage.at[s];
	int pass = steady->passes - 1, n = p->stage.n;
	const struct level *level = &steady->level.at[pass * n + s];
	for (int i = 0; i < level->read.n; i++) {
		const struct time_read *of = &level->read.at[i];
		struct row_read r = { .sample = of->sample, .row = of->row, .lo = of->lo,
			              .hi = of->hi };
		if (!ring_of(p, steady, of->version, pass, &r))
			return false;
		list_add(&stage->read, r);
	}
	for (int q = 0; q < stage->node->equation.n; q++) {
		struct row_read r = { .sample = stage->node->equation.at[q]->target.at[0] };
		stage->old[q] = -1;
		if (level->old[q] < 0)
			continue;
		if (!ring_of(p, steady, level->old[q], pass, &r))
			return false;
		stage->old[q] = stage->read.n;
		list_add(&stage->read, r);
	}
	return true;
}

/* Of a pass: the version that a read has is that of the ring, or what memory has for it. */
static bool note_read(struct ring_plan *p, const struct row_read *r, int pass, int version)
{
	const struct version *v = &p->time->version.at[version];
	struct row_ring *ring = &p->ring.at[r->ring];
	int before = r->ago - pass;
	if (v->level >= 0) {
		const struct level *from = &p->time->level.at[v->level];
		return from->pass == pass - r->ago && from->statement == ring->statement
		       && v->equation == ring->equation;
	}
	if (before < 1 || (ring->memory[before] && ring->memory[before] != v->var))
		return false;
	ring->memory[before] = v->var;
	ring->only_edges[before] = v->level < 0 && v->edges;
	ring->behind = before > ring->behind ? before : ring->behind;
	return true;
}

static bool find_memory(struct ring_plan *p)
{
	const struct time_plan *time = p->time;
	bool alike = true;
	for (int l = 0; l < time->level.n; l++) {
		const struct level *level = &time->level.at[l];
		const struct row_maker *stage = &p->stage.at[level->statement];
		for (int i = 0; i < level->read.n; i++)
			alike &= note_read(p, &stage->read.at[i], level->pass,
			                   level->read.at[i].version);
		for (int q = 0; q < stage->node->equation.n; q++)
			if (stage->old[q] >= 0)
				alike &= note_read(p, &stage->read.at[stage->old[q]], level->pass,
				                   level->old[q]);
	}
	return alike;
}

static bool find_stored(struct ring_plan *p)
{
	const struct time_plan *time = p->time;
	for (int i = 0; i < time->pair.n; i++) {
		const struct version *v = &time->version.at[time->pair.at[i].version];
		if (v->level < 0 && time->passes == 1)       /* which are not launched */
			continue;
		if (v->level < 0)
			return false;
		const struct level *from = &time->level.at[v->level];
		int early = time->passes - 1 - from->pass;
		if (early > AGO)
			return false;
		int number = ring_number(p, from->statement, v->equation);
		p->ring.at[number].pair[early] = &time->pair.at[i];
	}
	return true;
}

static void find_wanted(struct ring_plan *p)
{
	for (int i = 0; i < p->time->version.n; i++) {
		const struct version *v = &p->time->version.at[i];
		if (v->level < 0)
			continue;
		int s = p->time->level.at[v->level].statement;
		p->ring.at[ring_number(p, s, v->equation)].wanted |= v->wanted;
	}
}

/* ---- lags, rows and columns beside ---- */

static int64_t most(int64_t a, int64_t b)
{
	return a > b ? a : b;
}

static bool rows_turn(const struct ring_plan *p)
{
	enum boundary edge = time_edge(p->time, 0);
	return p->time->statement.at[0]->index.n > 1 && (edge == B_MIRROR || edge == B_REFLECT);
}

/* By a reflection at an edge, rows as far on the other side are needed too. */
static int64_t rows_after(const struct ring_plan *p, const struct row_read *r)
{
	return rows_turn(p) ? most(r->row, -r->row) : r->row;
}

static struct row_maker *stage_of(struct ring_plan *p, const struct row_read *r)
{
	return &p->stage.at[p->ring.at[r->ring].statement];
}

/* Rounded up, and not negative. */
static int64_t share(int64_t a, int64_t b)
{
	return a > 0 ? (a + b - 1) / b : 0;
}

static void find_lags(struct ring_plan *p)
{
	for (int s = 0; s < p->stage.n; s++)
		for (int i = 0; i < p->stage.at[s].read.n; i++) {
			struct row_maker *stage = &p->stage.at[s];
			const struct row_read *r = &stage->read.at[i];
			if (!r->ago)
				stage->lag = most(stage->lag,
				                  stage_of(p, r)->lag + rows_after(p, r));
		}
	for (int s = 0; s < p->stage.n; s++)
		for (int i = 0; i < p->stage.at[s].read.n; i++) {
			const struct row_read *r = &p->stage.at[s].read.at[i];
			int64_t more = stage_of(p, r)->lag - p->stage.at[s].lag + rows_after(p, r);
			if (r->ago)
				p->lag = most(p->lag, share(more, r->ago));
		}
}

static int64_t reach_of(const struct row_read *r, bool rows)
{
	return rows ? most(r->row, -r->row) : most(-r->lo, r->hi);
}

/* Of the last pass, from its last statement on; then what each pass before needs more.  `rows`, or
 * columns. */
static void find_beside(struct ring_plan *p, bool rows)
{
	int64_t *of_pass = rows ? &p->rows_beside : &p->columns_beside;
	for (int s = p->stage.n - 1; s >= 0; s--)
		for (int i = 0; i < p->stage.at[s].read.n; i++) {
			const struct row_read *r = &p->stage.at[s].read.at[i];
			struct row_maker *at = &p->stage.at[s], *from = stage_of(p, r);
			int64_t *beside = rows ? &from->rows_beside : &from->columns_beside;
			int64_t needed = rows ? at->rows_beside : at->columns_beside;
			if (!r->ago)
				*beside = most(*beside, needed + reach_of(r, rows));
		}
	for (int s = 0; s < p->stage.n; s++)
		for (int i = 0; i < p->stage.at[s].read.n; i++) {
			const struct row_read *r = &p->stage.at[s].read.at[i];
			struct row_maker *at = &p->stage.at[s], *from = stage_of(p, r);
			int64_t more = rows ? at->rows_beside - from->rows_beside
			                    : at->columns_beside - from->columns_beside;
			if (r->ago)
				*of_pass = most(*of_pass, share(more + reach_of(r, rows), r->ago));
		}
}

static void find_rows(struct ring_plan *p)
{
	for (int s = 0; s < p->stage.n; s++)
		for (int i = 0; i < p->stage.at[s].read.n; i++) {
			const struct row_read *r = &p->stage.at[s].read.at[i];
			struct row_ring *ring = &p->ring.at[r->ring];
			int64_t age = p->lag * r->ago + p->stage.at[s].lag - stage_of(p, r)->lag;
			int64_t oldest = age - (rows_turn(p) && r->row > 0 ? -r->row : r->row);
			ring->rows = most(ring->rows, oldest + 1);
			ring->lo = r->lo < ring->lo ? r->lo : ring->lo;
			ring->hi = most(ring->hi, r->hi);
		}
}

/* Passes from the last one: that of memory k passes before the first. */
static int64_t passes_left(const struct ring_plan *p, int before)
{
	return p->time->passes - 1 + before;
}

static void find_steps(struct ring_plan *p)
{
	int64_t widest = 0, rows = 0;
	for (int r = 0; r < p->ring.n; r++) {
		const struct row_ring *ring = &p->ring.at[r];
		const struct row_maker *stage = &p->stage.at[ring->statement];
		for (int k = 0; k <= ring->behind; k++) {
			int64_t left = passes_left(p, k), lag = stage->lag - k * p->lag;
			int64_t beside = stage->rows_beside + left * p->rows_beside;
			int64_t last_lag = stage->lag + (p->time->passes - 1) * p->lag;
			p->before = most(p->before, beside - lag);
			p->after = most(p->after, beside + lag);
			p->after = most(p->after, stage->rows_beside + last_lag);
			rows = most(rows, beside);
			widest = most(widest, stage->columns_beside + left * p->columns_beside);
		}
		p->pad = most(p->pad, most(-ring->lo, ring->hi));
	}
	p->pad += widest;
	p->lowest = rows + p->pad + p->before;
}

/* ---- the shape ---- */

/* Whole cache lines, of any type. */
static int64_t pitch_of(const struct ring_plan *p)
{
	return (p->strip + 2 * p->pad + LINE - 1) / LINE * LINE;
}

static bool has_value_row(const struct ring_plan *p)
{
	return p->time->statement.at[0]->index.n > 1 && time_edge(p->time, 0) == B_VALUE;
}

static int64_t ring_slots(const struct ring_plan *p, const struct row_ring *r)
{
	return (p->time->passes + r->behind) * r->rows;
}

static int64_t ring_cells(const struct ring_plan *p, const struct row_ring *r)
{
	return (ring_slots(p, r) + has_value_row(p)) * pitch_of(p);
}

static int64_t rings_bytes(const struct ring_plan *p)
{
	int64_t bytes = 0;
	for (int r = 0; r < p->ring.n; r++)
		bytes += ring_cells(p, &p->ring.at[r]) * type_size(p->ring.at[r].var->type);
	return bytes;
}

static bool find_strip(struct ring_plan *p)
{
	p->strip = WIDEST;
	while (p->strip > NARROWEST && rings_bytes(p) > ROOM)
		p->strip /= 2;
	return rings_bytes(p) <= ROOM && p->pad * 8 <= p->strip;
}

static struct ring_plan *ring_plan_of(const struct node *loop, const struct target *target,
                                      int passes, const char **why, const struct node **at)
{
	struct ring_plan *p = NEW(struct ring_plan);
	p->time = time_plan_of(loop, target, passes, why, at);
	const struct time_plan *steady = time_plan_of(loop, target, passes + AGO, why, at);
	if (!p->time || !steady)
		return NULL;
	*at = p->time->statement.at[0];
	*why = "a pass reads what another one has written long before";
	open_rings(p);
	for (int s = 0; s < p->stage.n; s++)
		if (!find_reads(p, steady, s))
			return NULL;
	if (!find_stored(p) || !find_memory(p))
		return NULL;
	find_wanted(p);
	find_lags(p);
	find_beside(p, true);
	find_beside(p, false);
	find_rows(p);
	find_steps(p);
	*why = "so many passes do not fit into the cache of a core";
	return find_strip(p) ? p : NULL;
}

/* ---- what it costs ---- */

enum { CHUNK = 512 };                    /* rows of a chunk, for the model */
static const double CORE_BYTES = 8e9, CORE_INSTRUCTIONS = 16e9;     /* of a core, in a second */

double rings_seconds(const struct node *loop, const struct target *target, int passes,
                     const char **why, const struct node **at)
{
	const struct ring_plan *p = ring_plan_of(loop, target, passes, why, at);
	if (!p)
		return -1;
	double beside = (double)p->columns_beside * passes, above = (double)p->rows_beside * passes;
	double used = (double)p->strip / ((double)p->strip + beside) * CHUNK / (CHUNK + above);
	return time_bytes(p->time) / CORE_BYTES / passes / used
	       + time_instructions(p->time) / CORE_INSTRUCTIONS / used;
}

const char *rings_told(const struct node *loop, const struct target *target, int passes)
{
	const char *why;
	const struct node *at;
	const struct ring_plan *p = ring_plan_of(loop, target, passes, &why, &at);
	return str_print("and rows of passes take %s KiB of a core's cache, in strips of %lld "
	                 "columns", remark_number((double)rings_bytes(p) / 1024),
	                 (long long)p->strip);
}

/* ---- the kernel under construction ---- */

/* What the pass `early` passes before the last makes, target number nth, is stored. */
struct storing { const struct time_pair *pair; int early, nth; };

enum side { TOP, BOTTOM, LEFT, RIGHT, SIDES };
static const char *const side_name[SIDES] = { "top", "bottom", "left", "right" };
struct part { struct kx *side[SIDES]; };

struct visit {
	struct ring_plan *plan;
	struct lowering *l;
	struct kx *done, *rows, *columns;
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
	return v->plan->time->statement.at[0]->index.n;
}

static struct kx *stride_of(struct visit *v, const struct var *var)
{
	return rank_of(v) > 1 ? lower_extent(v->l, var, 1) : x_i64(0);
}

static enum boundary column_edge(const struct visit *v)
{
	return time_edge(v->plan->time, rank_of(v) - 1);
}

static bool columns_turn(const struct visit *v)
{
	return column_edge(v) != B_NONE && column_edge(v) != B_WRAP;
}

static const char *row_word(const struct expr *sample, int64_t row)
{
	const char *name = sample->var->name, *side = row < 0 ? "m" : "p";
	return row ? str_print("%s_%s%lld", name, side, llabs((long long)row))
	           : str_print("%s_row", name);
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
		int last = node->index.n - 1;
		struct kx *side[SIDES] = { x_i64(0), x_i64(1), x_i64(0), x_i64(0) };
		if (time_computes_part(node) && last) {
			side[TOP] = plan_let(plan, side_name[TOP], time_first(host, node, 0));
			side[BOTTOM] = plan_let(plan, side_name[BOTTOM], time_end(host, node, 0));
		}
		if (time_computes_part(node)) {
			side[LEFT] = plan_let(plan, side_name[LEFT], time_first(host, node, last));
			side[RIGHT] = plan_let(plan, side_name[RIGHT], time_end(host, node, last));
		}
		for (int d = 0; d < SIDES; d++)
			v->part[s].side[d] = lower_number(v->l, side_name[d], side[d]);
	}
}

static void bind_part(struct visit *v, int s)
{
	k_bind(v->l->k, "PART", time_computes_part(v->plan->stage.at[s].node));
	for (int d = 0; d < SIDES; d++)
		k_bind(v->l->k, side_name[d], v->part[s].side[d]);
}

/* ---- rows of memory ---- */

static void bind_beside(struct visit *v, const struct row_maker *stage, int64_t lag)
{
	k_numbers(v->l->k, "LAG, ROWS_BESIDE, COLUMNS_BESIDE", lag, stage->rows_beside,
	          stage->columns_beside);
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
	int64_t (*is)[4] = mem_new((size_t)n * sizeof *is);
	const char **word = mem_new((size_t)n * sizeof *word);
	for (int i = 0; i < n; i++) {
		const struct row_read *r = &stage->read.at[i];
		const struct row_ring *ring = &v->plan->ring.at[r->ring];
		const int64_t of[4] = { r->row, r->ring, ring->behind - r->ago, ring->rows };
		memcpy(is[i], of, sizeof of);
		word[i] = row_word(r->sample, r->row);
	}
	for (int q = 0; q < stage->node->equation.n; q++)
		if (stage->old[q] >= 0)
			word[stage->old[q]] = str_print("%s_old", v->plan->ring.at[ring_number(
				v->plan, (int)(stage - v->plan->stage.at), q)].var->name);
	bind_listed(v->l->k, "ROW, RING, SLOT, RING_ROWS", n, is[0]);
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
	int64_t (*is)[5] = mem_new((size_t)n * sizeof *is);
	const char **word = mem_new((size_t)n * sizeof *word);
	v->target.n = v->storing.n = 0;
	for (int q = 0; q < n; q++) {
		int number = ring_number(v->plan, s, q);
		const struct row_ring *ring = &v->plan->ring.at[number];
		if (!ring->wanted)
			continue;
		for (int early = 0; early <= AGO; early++)
			if (ring->pair[early])
				list_add(&v->storing, ((struct storing){ ring->pair[early], early,
				                                         v->target.n }));
		const int64_t of[5] = {
			number, ring->behind, ring->rows,
			columns_turn(v) ? -ring->lo : 0, columns_turn(v) ? ring->hi : 0
		};
		memcpy(is[v->target.n], of, sizeof of);
		word[v->target.n] = str_print("%s_new", ring->var->name);
		list_add(&v->target, q);
	}
	bind_listed(v->l->k, "RING_MADE, SLOT_MADE, RING_ROWS_MADE, LEFT, RIGHT",
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

static struct kx *turned(struct visit *v, struct kx *row)
{
	enum boundary edge = rank_of(v) > 1 ? time_edge(v->plan->time, 0) : B_NONE;
	if (edge == B_NONE || edge == B_WRAP || edge == B_VALUE)
		return row;
	return edge_position(edge, row, v->rows, true);
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
	return x_cast(kt(type), lower_expr(v->l, time_value(v->plan->time, 0)));
}

static struct kx *place(struct visit *v, int nth, struct kx *row)
{
	const struct var *into = v->storing.at[nth].pair->into;
	struct kx *at = x_mul(row, stride_of(v, into));
	return x_offset(lower_pointer(v->l, into), at);
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
	GET(turned, turned(v, arg[0])) \
	GET(old, old(v, arg[0], l->k->each)) \
	GET(beside_edge, beside_edge(v, arg[0], arg[1])) \
	GET(value_outside, value_outside(v, l->k->each)) \
	GET(wrapped, edge_position(B_WRAP, arg[0], arg[1], true)) \
	GET(place, place(v, l->k->each, arg[0])) \
	GET(stored_cell, stored_cell(v, l->k->each, arg[0]))

#define HOLE_DO(name, call) KTEXT_CALL(struct visit, v, name, call; return NULL;)
#define HOLE_GET(name, value) KTEXT_CALL(struct visit, v, name, return value;)

CALLS(HOLE_DO, HOLE_GET)

/* ---- the host ---- */

/* Units and their shape; memory for the rings of as many parts as there may be units. */
static void bind_units(struct visit *v)
{
	struct plan *plan = v->l->plan;
	struct lowering *host = host_lowering(plan);
	struct kernel *k = v->l->k;
	const struct var *var = v->plan->time->pair.at[0].from;
	bool planes = var->rank > 1;
	int64_t beside = 2 * v->plan->rows_beside * v->plan->time->passes;
	struct kx *rows = planes ? lower_extent(host, var, 0) : x_i64(1);
	struct kx *columns = lower_extent(host, var, var->rank - 1);
	struct kx *strips = x_div_up(columns, x_i64(v->plan->strip));
	struct kx *least = x_i64(planes && beside ? beside * LEAST_CHUNK : 1);
	struct kx *most_units = x_mul(strips, x_div_up(rows, least));
	struct kx *most_parts = x_min(most_units, x_i64(PARTS));
	strips = plan_let(plan, "strips", strips);
	struct kx *arg[] = { rows, strips, least };
	struct kx *steps = x_i64(1);
	if (planes)
		steps = plan_let(plan, "steps",
		                 x_help(kt_scalar(T_I64), "patc_rows_of_chunk", 3, arg));
	struct kx *units = plan_let(plan, "units", x_mul(strips, x_div_up(rows, steps)));
	struct kx *parts = plan_let(plan, "parts", x_min(units, x_i64(PARTS)));
	v->rows = planes ? lower_extent(v->l, var, 0) : x_i64(1);
	v->columns = lower_extent(v->l, var, var->rank - 1);
	k_bind(k, "rows", v->rows);
	k_bind(k, "columns", v->columns);
	k_bind(k, "strips", lower_argument(v->l, "strips", strips->type, strips));
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
		is[r][1] = has_value_row(v->plan) ? ring_slots(v->plan, ring) : -1;
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
	bool planes = rank_of(v) > 1;
	k_numbers(k, "STRIP, PITCH, PAD", p->strip, pitch_of(p), p->pad);
	k_numbers(k, "BEFORE, AFTER, LOWEST", p->before, p->after, p->lowest);
	k_numbers(k, "LAG_OF_PASS, ROWS_OF_PASS, COLUMNS_OF_PASS", p->lag, p->rows_beside,
	          p->columns_beside);
	k_numbers(k, "WRAPS_ROWS, WRAPS_COLUMNS, HAS_VALUE",
	          planes && time_edge(p->time, 0) == B_WRAP, column_edge(v) == B_WRAP,
	          has_value_row(p));
	k_bind(k, "row", planes ? node->index.at[0]->name : "row");
	k_bind(k, "q", str_print("%s_coming", planes ? node->index.at[0]->name : "row"));
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
	struct kx *rows = var->rank > 1 ? lower_extent(host, var, 0) : x_i64(1);
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
