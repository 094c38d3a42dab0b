/* stencil_resident.c - a loop of stencils whose cells stay on the chip (resident.kernel).
 *
 * Where the arrays fit the shared memory of all multiprocessors, one launch computes all passes: a
 * block a multiprocessor, which keeps a tile of the arrays and a ring around it.  Memory sees the
 * cells at the beginning, at the end, and those of the rings between.  Such arrays are small, and
 * visits of memory (stencil_time_lower.c) would take most of their time to begin and to end.
 * Method: PERKS (Zhang et al., ICS 2023), with overlapped tiles between two exchanges.
 *
 * A march through a tile is a visit (struct time_plan) whose rows are in shared memory.  It makes
 * one pass, and reads one half of the tile and writes the other.  Or it is in place, where the
 * statement lets it: tiles have twice the rows then, and a march may make two passes.  Shared
 * memory is read and written once a march, which takes longer than the arithmetic of five points.
 *
 * As many passes go by between two exchanges as a visit of memory has, or a few more, so its halo
 * is that of the ring.
 *
 * Measured on an H200, 1000 passes of five points, f32: 512^2, 1024^2, 2048^2 take 0.67, 1.18, 3.19
 * ms; with one pass a march 0.86, 1.43, 3.96; with two halves 0.87, 1.45, and 2048^2 does not fit
 * (visits of memory: 4.6).  Three passes a march: 0.74, 1.21, 3.01. */
#include "pass.h"
#include "stencil_time_visit.h"
#include "../lowerings.h"

enum {
	BIG_BLOCK = 768, BLOCK = 512,            /* threads, which then have 80 or 128 registers */
	WORDS_OF_BIG = 14,                       /* of rows that a thread of a big block holds, */
	MOST_WORDS = 32,                         /* and if several passes are one march */
	MOST_PASSES = 2,                         /* of a march */
	FEWEST_OF_WARP = 2,                      /* rows: each march begins with others */
	FEWEST_ROWS = 8,                         /* of a tile: fewer are not worth their ring */
	REST_BYTES = 1024                        /* of shared memory, for what the system needs */
};

struct resident_tiles {
	struct time_plan *pass;                  /* of one march: a pass, or several */
	const struct time_plan *visit;           /* of as many passes as between two exchanges */
	int64_t above, below;                    /* rows of the ring, */
	int64_t around_above, around_below;      /* and beyond it */
	bool in_place;                           /* a pass writes the cells that it reads */
	int64_t rows;                            /* of a tile, at most */
	LIST(struct kvar *) tile;                /* by pair */
	struct kx *meeting;
};

/* ---- the shape ---- */

static int64_t row_cells(const struct time_plan *plan, const struct target *target)
{
	return (int64_t)target->lanes * plan->width;
}

/* Rows of memory that a row needs before it, beside those of a plan's steps.  Cells that no pass
 * computes are in the tile however far away: edges says whether they count. */
static int64_t memory_lag(const struct time_plan *plan, bool edges)
{
	int64_t most = 0;
	for (int i = 0; i < plan->version.n; i++) {
		const struct version *v = &plan->version.at[i];
		if (v->level < 0 && (edges || !v->edges) && v->lag > most)
			most = v->lag;
	}
	return most;
}

/* Halves of a tile: a pass reads one and writes the other. */
static int halves(const struct resident_tiles *t)
{
	return t->in_place ? 1 : 2;
}

static int64_t row_bytes(const struct resident_tiles *t, const struct target *target)
{
	int64_t bytes = 0;
	for (int i = 0; i < t->pass->pair.n; i++)
		bytes += row_cells(t->pass, target) * type_size(t->pass->pair.at[i].from->type);
	return halves(t) * bytes;
}

static bool is_source(const struct time_plan *plan, const struct var *var)
{
	bool is = false;
	for (int i = 0; i < plan->pair.n; i++)
		is |= plan->pair.at[i].from == var;
	return is;
}

/* A tile has a half for each array of a pair, and what a pass does not compute stays there. */
static bool turns_in_pairs(const struct time_plan *plan)
{
	bool all = !time_spares(plan);
	for (int i = 0; i < plan->pair.n; i++)
		all &= !plan->pair.at[i].whole;
	return all;
}

/* One statement, which reads rows as they come, and stores a row when those after it have come: a
 * warp then reads what other warps write before its march.  Cells that no pass computes are in one
 * array of a pair as in the other.  Rows outside that are any of those inside take registers. */
static bool may_be_in_place(const struct node *loop, const struct time_plan *pass)
{
	bool may = pass->statement.n == 1 && !pass->statement.at[0]->where && pass->after > 0
	           && pass->level.at[pass->level.n - 1].lag == pass->after
	           && turns_in_pairs(pass) && !time_reflects(pass, 0)
	           && (!pass->kept || loop->choice.alike);
	for (int i = 0; may && i < pass->version.n; i++) {
		const struct version *v = &pass->version.at[i];
		if (v->wanted && v->level < 0)
			may = v->lag == 0 && !v->edges && is_source(pass, v->var);
	}
	return may;
}

/* Registers of the rows that a march in place holds: those of its windows, and those later ones. */
static int64_t words_in_place(const struct time_plan *pass)
{
	int64_t words = pass->words;
	for (int i = 0; i < pass->pair.n; i++)
		words += pass->after * pass->width * type_words(pass->pair.at[i].from->type);
	return words;
}

static int64_t rows_around(const struct resident_tiles *t)
{
	return t->above + t->below + t->around_above + t->around_below;
}

static struct resident_tiles *tiles_new(const struct target *target, struct time_plan *pass,
                                        const struct time_plan *visit, bool in_place)
{
	struct resident_tiles *t = NEW(struct resident_tiles);
	t->pass = pass;
	t->visit = visit;
	t->above = visit->before + memory_lag(visit, false);
	t->below = visit->after;
	t->around_above = pass->before + memory_lag(pass, true);
	t->around_below = pass->after + 1;       /* a row is asked for a step before */
	t->in_place = in_place;
	t->rows = (target->asked_bytes - REST_BYTES) / row_bytes(t, target) - rows_around(t);
	return t;
}

/* Tiles in which a march makes so many passes; NULL: it cannot. */
static struct resident_tiles *tiles_in_place(const struct node *loop, const struct target *target,
                                             int passes)
{
	const int period = (loop->choice.time + passes - 1) / passes * passes;
	struct time_plan *pass = time_plan_alike(loop, target, passes);
	struct time_plan *visit = time_plan_alike(loop, target, period);
	if (!pass || !visit || !may_be_in_place(loop, pass)
	    || (passes > 1 && (words_in_place(pass) > MOST_WORDS || time_turns(pass, 0))))
		return NULL;
	return tiles_new(target, pass, visit, true);
}

static struct resident_tiles *tiles_of(const struct node *loop, const struct target *target)
{
	struct resident_tiles *t = NULL;
	for (int passes = MOST_PASSES; passes > 0 && !t; passes--)
		t = tiles_in_place(loop, target, passes);
	return t ? t : tiles_new(target, visit_plan(loop, target, 1),
	                         visit_plan(loop, target, loop->choice.time), false);
}

int64_t resident_fits(const struct node *loop, const struct target *target, int64_t *columns)
{
	if (!target->gpu || target->max_block < BLOCK || loop->kind != NODE_REPEAT_COUNT)
		return 0;
	const struct resident_tiles *t = tiles_of(loop, target);
	if (time_rank(t->pass) != 2 || !turns_in_pairs(t->pass) || !turns_in_pairs(t->visit))
		return 0;
	*columns = time_strip(t->visit, target);
	return t->rows >= FEWEST_ROWS ? t->rows : 0;
}

/* ---- tiles ---- */

/* The pair of an array that is its source or target; -1: none. */
static int resident_pair(const struct visit *v, const struct var *var)
{
	int found = -1;
	for (int i = 0; i < v->plan->pair.n; i++)
		if (v->plan->pair.at[i].from == var || v->plan->pair.at[i].into == var)
			found = i;
	return found;
}

bool tile_has(const struct visit *v, const struct var *var)
{
	return resident_pair(v, var) >= 0;
}

bool tile_in_place(const struct visit *v)
{
	return v->tiles->in_place;
}

static struct kx *half_of(const struct visit *v, int pair, bool into)
{
	struct kx *at = k_get(v->l->k, into ? "into_at" : "from_at");
	return x_offset(x_var(v->tiles->tile.at[pair]), at);
}

struct kx *tile_cell(struct visit *v, const struct var *var)
{
	int pair = resident_pair(v, var);
	return half_of(v, pair, v->plan->pair.at[pair].into == var);
}

struct kx *tile_pitch(const struct visit *v)
{
	return x_i64(row_cells(v->plan, v->l->target));
}

/* ---- functions of resident.kernel ---- */

static void begin_pass(struct visit *v, struct kx *done)
{
	v->done = done;
}

static void meet(struct visit *v, struct kx *number)
{
	struct kx *arg[] = { v->tiles->meeting, number };
	k_do(v->l->k, x_help(kt_scalar(T_I32), "patc_blocks_meet", 2, arg));
}

#define CALLS(DO, GET) \
	DO(begin_pass, begin_pass(v, arg[0])) \
	DO(meet, meet(v, arg[0])) \
	GET(from_tile, half_of(v, l->k->each, false)) \
	GET(into_tile, half_of(v, l->k->each, true))

#define HOLE_DO(name, call) KTEXT_CALL(struct visit, v, name, call; return NULL;)
#define HOLE_GET(name, value) KTEXT_CALL(struct visit, v, name, return value;)

CALLS(HOLE_DO, HOLE_GET)

/* ---- what resident.kernel is told ---- */

static int warps_of(const struct visit *v)
{
	int64_t words = v->tiles->in_place ? words_in_place(v->plan) : v->plan->words;
	bool big = words <= WORDS_OF_BIG && !time_turns(v->plan, 0);
	return (big ? BIG_BLOCK : BLOCK) / v->l->target->lanes;
}

static void bind_pairs(struct visit *v, int64_t cells)
{
	const int n = v->plan->pair.n;
	struct kx **from = mem_new((size_t)n * sizeof *from);
	struct kx **into = mem_new((size_t)n * sizeof *into);
	for (int i = 0; i < n; i++) {
		const struct time_pair *p = &v->plan->pair.at[i];
		struct kvar *tile = k_shared_asked(v->l->k, p->from->type,
		                                   str_print("%s_tile", p->from->name),
		                                   halves(v->tiles) * cells);
		tile->align = 16;
		list_add(&v->tiles->tile, tile);
		from[i] = lower_pointer(v->l, p->from);
		into[i] = lower_pointer(v->l, p->into);
	}
	bind_values(v->l->k, "from", n, from);
	bind_values(v->l->k, "into", n, into);
}

static void bind_tiles(struct visit *v)
{
	const struct resident_tiles *t = v->tiles;
	const int64_t pitch = row_cells(v->plan, v->l->target);
	const int64_t cells = (t->rows + rows_around(t)) * pitch;
	int64_t fewest = t->in_place ? t->pass->after + 1 : FEWEST_OF_WARP;
	k_numbers(v->l->k, "WARPS, PITCH, CELLS, PERIOD, STEP, FEWEST", warps_of(v),
	          pitch, cells, t->visit->passes, t->pass->passes, fewest);
	k_numbers(v->l->k, "RING, ABOVE, BELOW, AROUND_ABOVE, AROUND_BELOW", t->visit->halo,
	          t->above, t->below, t->around_above, t->around_below);
	bind_pairs(v, cells);
	k_bind_calls(v->l->k, v, CALLS(KTEXT_ROW, KTEXT_ROW));
}

/* ---- the host ---- */

struct extents { struct kx *rows, *columns, *strips, *tile_rows; };

static struct extents find_extents(struct plan *plan, const struct resident_tiles *t)
{
	struct lowering *host = host_lowering(plan);
	const struct var *var = t->visit->pair.at[0].from;
	struct extents e = { lower_extent(host, var, 0), lower_extent(host, var, 1), NULL, NULL };
	int64_t stored = time_strip(t->visit, plan->target);
	e.strips = plan_let(plan, "strips", x_div_up(e.columns, x_i64(stored)));
	struct kx *arg[] = { e.rows, e.strips, x_i64(t->rows) };
	e.tile_rows = plan_let(plan, "tile_rows",
	                       x_help(kt_scalar(T_I64), "patc_tile_rows", 3, arg));
	return e;
}

static void bind_extents(struct visit *v, const struct extents *e)
{
	const struct var *var = v->plan->pair.at[0].from;
	struct kernel *k = v->l->k;
	v->rows = lower_argument(v->l, "rows", kt_scalar(T_I32), x_to_i32(e->rows));
	v->columns = lower_extent(v->l, var, 1);
	k_bind(k, "rows", v->rows);
	k_bind(k, "columns", v->columns);
	k_bind(k, "strips", lower_argument(v->l, "strips", kt_scalar(T_I64), e->strips));
	k_bind(k, "tile_rows", lower_number(v->l, "tile_rows", x_to_i32(e->tile_rows)));
}

static void make_kernel(struct visit *v, const struct extents *e, struct kx *meeting,
                        struct kx *passes)
{
	struct kernel *k = v->l->k;
	visit_describe(v, "All passes of a loop, by blocks that run at the same time and keep "
	               "their cells.");
	for (int i = 0; i < v->plan->pair.n; i++)
		list_add(&v->l->written, v->plan->pair.at[i].from);
	visit_open(v);
	v->tiles->meeting = lower_argument(v->l, "meeting", kt_pointer(type_scalar(T_U64), false),
	                                   meeting);
	k_bind(k, "passes", lower_argument(v->l, "passes", kt_scalar(T_I64), passes));
	bind_extents(v, e);
	visit_bind(v);
	bind_tiles(v);
	k->block[0] = warps_of(v) * v->l->target->lanes;
	k->block[1] = k->block[2] = 1;
	k->min_blocks = 1;
	k_text(k, "stay");
	lowering_shares(v->l);
}

/* Of whole marches: the passes that are left have launches of their own. */
static struct kx *passes_of(const struct resident_tiles *t, struct kx *end)
{
	struct kx *step = x_i64(t->pass->passes);
	return t->pass->passes > 1 ? x_sub(end, x_rem(end, step)) : end;
}

/* Taken where visits would be, of more passes than one visit has: tiles for all cells, a
 * multiprocessor each, and a device on which blocks may wait for one another. */
void resident_launch(struct plan *plan, const struct node *loop, struct kx *done, struct kx *end)
{
	struct kernel *host = plan->host;
	struct resident_tiles *tiles = tiles_of(loop, plan->target);
	struct visit v = { .plan = tiles->pass, .tiles = tiles };
	struct kx *one = x_i64(1);
	struct kvar *meeting = plan_slot(plan, "meeting", type_scalar(T_U64), 1, &one);
	struct kx *many = x_lt(x_i64(loop->choice.time), end);
	struct kx *aligned = visit_aligned(plan, visit_plan(loop, plan->target, loop->choice.time));
	k_if(host, x_and(x_and(stencil_passes.when(plan, loop), aligned), many));
	struct extents e = find_extents(plan, tiles);
	k_if(host, x_lt(x_i64(0), e.tile_rows));
	k_clear(host, x_var(meeting), x_i64(8));
	v.l = lowering_new(plan, str_print("%s_resident", v.plan->statement.at[0]->name));
	struct kx *passes = passes_of(tiles, end);
	make_kernel(&v, &e, x_var(meeting), passes);
	struct kx *blocks = x_mul(e.strips, x_div_up(e.rows, e.tile_rows));
	k_if(host, lowering_launch_together(v.l, blocks));
	k_set(host, done, passes);
	k_end(host);
	k_end(host);
	k_end(host);
}
