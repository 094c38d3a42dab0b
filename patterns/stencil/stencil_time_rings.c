/* stencil_time_rings.c - what a visit on a CPU must keep, which tile fits into the cache of a core,
 * and what the visit costs.
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
 * how many rows, lines and columns beside its unit the passes after it need.
 *
 * bench/RESULTS.md, "loops of stencils on a CPU", has what visits gain. */
#include "remark.h"
#include "stencil_time_cpu.h"
#include "stencil_time_rings.h"

enum {
	ROOM = 256 << 10,                    /* bytes of rings: half of a usual cache of a core, */
	ROOM_OF_PLANES = 1 << 20,            /* all of it: the fewer lines, the more in vain */
	WIDEST = 2048, NARROWEST = 256,      /* columns of a strip, */
	WIDEST_OF_PLANES = 512,              /* where rows have lines */
	VECTOR = 16,                         /* cells: lines of planes begin at multiples */
	LINE = 64,                           /* bytes */
	CHUNK = 512,                         /* rows of a chunk, for the model, */
	LINE_COST = 128                      /* and cells that the beginning of a line is worth */
};

/* ---- passes as a loop ---- */

int ring_number(const struct ring_plan *p, int statement, int equation)
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
		struct row_read r = { .sample = of->sample, .row = of->row, .line = of->line,
			              .lo = of->lo, .hi = of->hi };
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

enum boundary ring_edge(const struct ring_plan *p, enum visit_axis axis)
{
	int rank = time_rank(p->time);
	if (axis == COLUMNS)
		return time_edge(p->time, rank - 1);
	return rank > (int)axis + 1 ? time_edge(p->time, (int)axis) : B_NONE;
}

static bool rows_turn(const struct ring_plan *p)
{
	enum boundary edge = ring_edge(p, ROWS);
	return edge == B_MIRROR || edge == B_REFLECT;
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

static int64_t reach_of(const struct row_read *r, enum visit_axis axis)
{
	const int64_t reach[] = { most(r->row, -r->row), most(r->line, -r->line),
		                  most(-r->lo, r->hi) };
	return reach[axis];
}

/* Of the last pass, from its last statement on; then what each pass before needs more. */
static void find_beside(struct ring_plan *p, enum visit_axis axis)
{
	for (int s = p->stage.n - 1; s >= 0; s--)
		for (int i = 0; i < p->stage.at[s].read.n; i++) {
			const struct row_read *r = &p->stage.at[s].read.at[i];
			int64_t *beside = &stage_of(p, r)->beside[axis];
			int64_t needed = p->stage.at[s].beside[axis] + reach_of(r, axis);
			if (!r->ago)
				*beside = most(*beside, needed);
		}
	for (int s = 0; s < p->stage.n; s++)
		for (int i = 0; i < p->stage.at[s].read.n; i++) {
			const struct row_read *r = &p->stage.at[s].read.at[i];
			int64_t needed = p->stage.at[s].beside[axis] + reach_of(r, axis);
			int64_t more = needed - stage_of(p, r)->beside[axis];
			if (r->ago)
				p->beside[axis] = most(p->beside[axis], share(more, r->ago));
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
	int64_t widest = 0, lines = 0, rows = 0;
	for (int r = 0; r < p->ring.n; r++) {
		const struct row_ring *ring = &p->ring.at[r];
		const struct row_maker *stage = &p->stage.at[ring->statement];
		for (int k = 0; k <= ring->behind; k++) {
			int64_t left = passes_left(p, k), lag = stage->lag - k * p->lag;
			int64_t beside = stage->beside[ROWS] + left * p->beside[ROWS];
			int64_t last_lag = stage->lag + (p->time->passes - 1) * p->lag;
			p->before = most(p->before, beside - lag);
			p->after = most(p->after, beside + lag);
			p->after = most(p->after, stage->beside[ROWS] + last_lag);
			rows = most(rows, beside);
			lines = most(lines, stage->beside[LINES] + left * p->beside[LINES]);
			widest = most(widest, stage->beside[COLUMNS] + left * p->beside[COLUMNS]);
		}
		p->pad = most(p->pad, most(-ring->lo, ring->hi));
	}
	p->pad += widest;
	p->line_pad = lines;
	if (time_rank(p->time) > 2)
		p->pad = (p->pad + VECTOR - 1) / VECTOR * VECTOR;
	p->lowest = rows + p->pad + p->before;
}

/* ---- the shape ---- */

/* Whole cache lines, of any type. */
int64_t ring_pitch(const struct ring_plan *p)
{
	return (p->strip + 2 * p->pad + LINE - 1) / LINE * LINE;
}

/* Does the pass of a statement itself read what it computes? */
static bool read_at_once(const struct ring_plan *p, const struct row_ring *ring)
{
	bool read = false;
	for (int s = 0; s < p->stage.n; s++)
		for (int i = 0; i < p->stage.at[s].read.n; i++) {
			const struct row_read *r = &p->stage.at[s].read.at[i];
			read |= !r->ago && &p->ring.at[r->ring] == ring;
		}
	return read;
}

bool ring_last_stored(const struct ring_plan *p, const struct row_ring *ring)
{
	const struct row_maker *stage = &p->stage.at[ring->statement];
	const struct time_pair *pair = ring->pair[0];
	bool stored = time_rank(p->time) > 2 && pair && !read_at_once(p, ring)
	              && (pair->whole || !time_computes_part(stage->node));
	for (int early = 1; early <= AGO; early++)
		stored &= !ring->pair[early];
	for (enum visit_axis axis = ROWS; axis < VISIT_AXES; axis++)
		stored &= !stage->beside[axis];
	return stored;
}

int64_t ring_lines(const struct ring_plan *p)
{
	return p->lines + 2 * p->line_pad;
}

bool ring_has_value(const struct ring_plan *p, enum visit_axis axis)
{
	return ring_edge(p, axis) == B_VALUE;
}

bool ring_has_outside(const struct ring_plan *p)
{
	return ring_has_value(p, ROWS) || ring_has_value(p, LINES);
}

int64_t ring_slots(const struct ring_plan *p, const struct row_ring *r)
{
	return (p->time->passes - ring_last_stored(p, r) + r->behind) * r->rows;
}

int64_t ring_cells(const struct ring_plan *p, const struct row_ring *r)
{
	return (ring_slots(p, r) * ring_lines(p) + ring_has_outside(p)) * ring_pitch(p);
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
	p->lines = 1;
	p->strip = WIDEST;
	while (p->strip > NARROWEST && rings_bytes(p) > ROOM)
		p->strip /= 2;
	return rings_bytes(p) <= ROOM && p->pad * 8 <= p->strip;
}

/* Of the cells that a visit computes, those that it stores. */
static double used_part(const struct ring_plan *p)
{
	bool planes = time_rank(p->time) > 2;
	int passes = p->time->passes;
	double columns = (double)p->strip, lines = (double)p->lines;
	double beside = (double)p->beside[COLUMNS] * passes + (planes ? LINE_COST : 0);
	double used = columns / (columns + beside);
	used *= CHUNK / (CHUNK + (double)p->beside[ROWS] * passes);
	return used * lines / (lines + (double)p->beside[LINES] * passes);
}

/* As many lines as fit, if the strip has so many columns; 0: not one. */
static int64_t lines_fitting(struct ring_plan *p)
{
	p->lines = 0;
	int64_t beside = rings_bytes(p);
	p->lines = 1;
	int64_t each = rings_bytes(p) - beside;
	return beside < ROOM_OF_PLANES ? (ROOM_OF_PLANES - beside) / each : 0;
}

/* The tile whose cells are computed in vain the least. */
static bool find_tile(struct ring_plan *p)
{
	int64_t strip = 0, lines = 0;
	double most_used = 0;
	for (p->strip = WIDEST_OF_PLANES; p->strip >= LINE; p->strip /= 2) {
		p->lines = lines_fitting(p);
		double used = used_part(p);
		if (p->lines > 0 && used > most_used) {
			most_used = used;
			strip = p->strip;
			lines = p->lines;
		}
	}
	p->strip = strip;
	p->lines = lines;
	return lines > 0;
}

struct ring_plan *ring_plan_of(const struct node *loop, const struct target *target, int passes,
                               const char **why, const struct node **at)
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
	for (enum visit_axis axis = ROWS; axis < VISIT_AXES; axis++)
		find_beside(p, axis);
	find_rows(p);
	find_steps(p);
	*why = "so many passes do not fit into the cache of a core";
	return (time_rank(p->time) > 2 ? find_tile(p) : find_strip(p)) ? p : NULL;
}

/* ---- what it costs ---- */

static const double CORE_BYTES = 8e9, CORE_INSTRUCTIONS = 16e9;     /* of a core, in a second */

double rings_seconds(const struct node *loop, const struct target *target, int passes,
                     const char **why, const struct node **at)
{
	const struct ring_plan *p = ring_plan_of(loop, target, passes, why, at);
	if (!p)
		return -1;
	double used = used_part(p);
	return time_bytes(p->time) / CORE_BYTES / passes / used
	       + time_instructions(p->time) / CORE_INSTRUCTIONS / used;
}

const char *rings_told(const struct node *loop, const struct target *target, int passes)
{
	const char *why;
	const struct node *at;
	const struct ring_plan *p = ring_plan_of(loop, target, passes, &why, &at);
	const char *room = remark_number((double)rings_bytes(p) / 1024);
	if (time_rank(p->time) > 2)
		return str_print("and planes of passes take %s KiB of a core's cache, in tiles of "
		                 "%lld lines and %lld columns", room, (long long)p->lines,
		                 (long long)p->strip);
	return str_print("and rows of passes take %s KiB of a core's cache, in strips of %lld "
	                 "columns", room, (long long)p->strip);
}
