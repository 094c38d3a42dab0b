/* stencil_stage.c - where a stencil keeps the cells that it reads again, and the tile of one in
 * shared memory: its part of pass_stage.c and pass_tile.c.
 *
 * Stage: registers where a march saves loads, if the windows fit: in space (three axes and more)
 * from one row held on, in a plane from four; else L1.  On an H200, f32, Gcell/s through registers
 * and L1: 7 points of 640^3 484 and 374, 27 points 432 and 187; in a plane of 16384^2 5 points 448
 * and 495, 9 points 446 and 467 (the cache already answers the neighbours), 25 points 386 and 311.
 * Shared memory, which adds a barrier and an extra copy (5 points: 410), is taken for windows that
 * stay loops, and when it is pinned; then a tile that does not fit is an error.
 *
 * Runs: long windows along one axis, on every target; stencil_runs.c.
 *
 * Tile: four cells a thread of a block, or as many as `coarsen` pins; a warp or more along the last
 * axis, so that rows load whole sectors; the rest as square as the rank allows, since the halo
 * grows with the surface (1 row: all along the axis; 2: 8 x 128; 3: 4 x 8 x 32).  Cells too far for
 * shared memory are read through L1; a pinned tile that does not fit even then is refused.  A halo
 * that the call gives may be wide: it is least around 32 x 32. */
#include "remark.h"
#include "work.h"
#include "stencil_march.h"
#include "stencil_runs.h"
#include "../cells.h"
#include "../lowerings.h"

/* ---- tiles that fit ---- */

/* What is read at an offset from the cell, whatever the tile is; NULL: nothing. */
static const struct tile_plan *plan_of_cell(const struct node *node, const struct options *o)
{
	const int cell[MAX_RANK] = { 1, 1, 1, 1, 1, 1, 1, 1 };
	return tile_plan_of(node, cell, o->target->shared_bytes);
}

/* of a cell a thread */
static const int shape[3][3] = { { 256 }, { 2, 128 }, { 1, 8, 32 } }, square[] = { 8, 32 };

static void default_tile(struct node *node, const struct options *o)
{
	int rank = node->index.n, first = rank > 3 ? rank - 3 : 0;
	const struct tile_plan *plan = plan_of_cell(node, o);
	const int *cells = rank == 2 && plan && plan->given.n ? square : shape[rank - first - 1];
	for (int d = 0; d < rank; d++)
		node->choice.tile[d] = d < first ? 1 : cells[d - first];
	node->choice.tile[first] *= node->pin.coarsen ? node->pin.coarsen : 4;
}

static struct tile_plan *plan_of(const struct node *node, const struct options *o)
{
	return tile_plan_of(node, node->choice.tile, o->target->shared_bytes - FOLD_BYTES);
}

static bool has_room(const struct node *node, const struct options *o)
{
	const struct tile_plan *plan = plan_of(node, o);
	return plan && plan->bytes <= o->target->shared_bytes - FOLD_BYTES;
}

/* Halves the longest axis of a tile that nobody pinned until it fits. */
static void shrink(struct node *node, const struct options *o)
{
	while (!has_room(node, o)) {
		int longest = 0;
		for (int d = 1; d < node->index.n; d++)
			if (node->choice.tile[d] > node->choice.tile[longest])
				longest = d;
		if (node->choice.tile[longest] <= 1)
			return;
		node->choice.tile[longest] /= 2;
	}
}

/* A window that stays a loop reads each cell of the tile often. */
static bool loops_fit(const struct node *node, const struct options *o)
{
	struct node open = *node;
	default_tile(&open, o);
	shrink(&open, o);
	const struct tile_plan *plan = plan_of(&open, o);
	return plan && plan->loops && has_room(&open, o);
}

/* ---- the level ---- */

/* Rows of an array that a step finds in registers, at most. */
static int64_t rows_held(const struct register_plan *plan)
{
	int64_t most = 0;
	for (int i = 0; plan && i < plan->chain.n; i++) {
		int64_t rows = plan->chain.at[i].to - plan->chain.at[i].from;
		most = rows > most ? rows : most;
	}
	return most;
}

static int64_t rows_wanted(const struct node *node)
{
	return node->index.n >= 3 ? 1 : 4;
}

static const char *no_room(const struct runs *r, const struct node *node, const struct options *o)
{
	int64_t most = runs_most(r, o->target);
	if (most < runs_least(r, node, o->target))
		return str_print("its terms have %lld bytes, and a thread has registers for fewer",
		                 (long long)r->bytes);
	return r->terms <= most ? NULL
	                        : str_print("windows have %lld terms, and no more than %lld fit",
	                                    (long long)r->terms, (long long)most);
}

/* Why windows are not folded from runs, if one is long or `stage runs` is pinned; *runs: those that
 * can be. */
static const char *no_runs(const struct node *node, const struct options *o,
                           const struct runs **runs)
{
	const char *why;
	const struct runs *r = *runs = runs_of(node, false, &why);
	if (!r && node->pin.stage == STAGE_RUNS)
		r = runs_of(node, true, &why);
	return r ? no_room(r, node, o) : why;
}

static bool has_runs(const struct node *node, const struct options *o)
{
	const struct runs *r;
	return !no_runs(node, o, &r) && r && runs_pay(r, node, o);
}

/* Why the level that the user pinned cannot be; NULL: it can, or none is pinned. */
static const char *no_level(const struct node *node, const struct register_plan *plan,
                            const char *why, const struct options *o)
{
	const struct runs *r;
	if (node->pin.stage == STAGE_RUNS) {
		const char *no = no_runs(node, o, &r);
		return r || no ? no : "it has no window of several terms along a single axis";
	}
	if (node->pin.stage > STAGE_L1 && !o->target->gpu)
		return no_stage(node, o);
	if (node->pin.stage == STAGE_REGISTERS && !plan)
		return why;
	if (node->pin.stage == STAGE_SHARED && !plan_of_cell(node, o))
		return "no array is read at a constant offset from the cell";
	return NULL;
}

static void tell_runs(struct node *node, const char *how, const struct options *o)
{
	const char *why;
	const struct runs *r = runs_of(node, false, &why);
	const char *along = node->index.at[r->index]->name;
	const char *terms = r->terms >= 0 ? str_print("%lld", (long long)r->terms)
	                                  : str_print("%lld to %lld",
	                                              (long long)runs_least(r, node, o->target),
	                                              (long long)runs_most(r, o->target));
	const char *others = r->others ? str_print("; others, %d, are folded term by term",
	                                           r->others) : "";
	remark_did(node, PASS_STAGE, EFFICIENCY,
	           "runs%s: a window of %s terms along `%s` is folded by 3 applications a cell, as "
	           "the end of a segment and the beginning of the next%s",
	           how, terms, along, others);
}

/* What the rows that a march hands on are rows of. */
static const char *of_terms(const struct register_plan *plan)
{
	int terms = plan->carries ? plan->carries->term.n : 0;
	return terms == 0   ? ""
	       : terms == 1 ? " of a term, which it computes once"
	                    : str_print(" of %d terms, which it computes once", terms);
}

static void tell_level(struct node *node, const struct register_plan *plan, const char *why,
                       const struct options *o)
{
	const struct work w = work_of(node);
	const struct runs *runs;
	const char *no = no_runs(node, o, &runs);
	no = no ? str_print("; not in runs: %s", no) : "";
	const char *slides = matmul_slides_not(node, o->target);
	no = slides ? str_print("%s; no product of matrices: %s", no, slides) : no;
	const char *how = node->pin.stage             ? ", as pinned"
	                  : !pass_enabled(o, "stage") ? ", by --no-pass=stage"
	                                              : "";
	const char *reads = str_print("%d reads a cell, %d of them from memory", w.reads,
	                              w.streams);
	int64_t rows = rows_held(plan);
	switch (node->choice.stage) {
	case STAGE_REGISTERS:
		remark_did(node, PASS_STAGE, BANDWIDTH,
		           "registers%s: %s; the march keeps %lld rows%s, and neighbours come by "
		           "warp shuffle",
		           how, reads, (long long)rows, of_terms(plan));
		return;
	case STAGE_SHARED:
		remark_did(node, PASS_STAGE, BANDWIDTH, "shared memory%s: %s%s", how, reads, no);
		return;
	case STAGE_RUNS:
		tell_runs(node, how, o);
		return;
	case STAGE_AUTO: case STAGE_L1: case STAGE_COUNT:
		break;
	}
	if (w.reads <= w.streams && !*no)
		remark_none(node, PASS_STAGE, "every cell is read once");
	else
		remark_did(node, PASS_STAGE, BANDWIDTH, "l1%s: %s, the others hit in the cache%s%s",
		           how, reads,
		           *how    ? ""
		           : !plan ? str_print("; not in registers: %s", why)
		                   : str_print("; a march would keep %lld rows, which pays from "
		                               "%lld on",
		                               (long long)rows, (long long)rows_wanted(node)),
		           no);
}

static enum stage chosen(const struct node *node, const struct register_plan *plan,
                         const struct options *o)
{
	if (node->pin.stage == STAGE_SHARED && !node->pin.tile[0] && !pass_enabled(o, "tile"))
		return STAGE_L1;              /* a tile is wanted, and --no-pass=tile leaves none */
	if (node->pin.stage)
		return node->pin.stage;
	if (has_runs(node, o))
		return STAGE_RUNS;
	if (pass_enabled(o, "stage") && pass_enabled(o, "tile") && loops_fit(node, o))
		return STAGE_SHARED;
	return pass_enabled(o, "stage") && rows_held(plan) >= rows_wanted(node) ? STAGE_REGISTERS
	                                                                        : STAGE_L1;
}

static const char *why_not(const struct node *node, const struct shape *s, const struct options *o)
{
	const char *why = NULL;
	const struct register_plan *plan = register_plan_of(node, &why);
	(void)s;
	return no_level(node, plan, why, o);
}

static void stage(struct node *node, const struct shape *s, const struct options *o)
{
	if (!o->target->gpu && node->pin.stage != STAGE_RUNS && !has_runs(node, o)) {
		stage_none(node, o);
		return;
	}
	const char *why = NULL, *wrong = why_not(node, s, o);
	const struct register_plan *plan = register_plan_of(node, &why);
	if (wrong) {
		stage_refuse(node, wrong);
		node->choice.stage = STAGE_L1;
		remark_not(node, PASS_STAGE, "%s", wrong);
		return;
	}
	node->choice.stage = chosen(node, plan, o);
	if (node->pin.stage > STAGE_L1 && node->choice.stage == STAGE_L1)
		remark_not(node, PASS_STAGE,
		           "shared memory needs a tile, and --no-pass=tile leaves none: cells come "
		           "through l1");
	else
		tell_level(node, plan, why, o);
}

/* ---- the tile ---- */

/* As it is pinned: along the indices as written. */
static const char *chosen_text(const struct node *node)
{
	int64_t tile[MAX_RANK];
	for (int d = 0; d < node->index.n; d++)
		tile[d] = node->choice.tile[d];
	return tile_text(node, tile, node->index.n);
}

/* What the compiler would take of a stencil, with this coarsening; NULL: no tile fits. */
static const char *fitting_tile(const struct node *node, const struct options *o)
{
	struct node open = *node;
	default_tile(&open, o);
	shrink(&open, o);
	return has_room(&open, o) ? chosen_text(&open) : NULL;
}

static int64_t cells_of(const struct node *node, const int *tile)
{
	int64_t cells = 1;
	for (int d = 0; d < node->index.n && cells <= INT32_MAX; d++)
		cells *= tile[d];
	return cells;
}

/* A pinned tile has the axes of the statement. */
static int axes_of(const struct node *node)
{
	int axes = 0;
	while (axes < MAX_RANK && node->pin.tile[axes])
		axes++;
	return axes;
}

static bool pinned_axes(const struct node *node, const struct options *o)
{
	int axes = axes_of(node);
	if (axes && axes != node->index.n
	    && pin_refused(node, PIN_TILE, D_PIN_UNFIT, "a tile of `%s` has %d ax%s, not %d",
	                   node->name, node->index.n, node->index.n == 1 ? "is" : "es", axes)) {
		const char *tile = fitting_tile(node, o);
		diag_cure(tile ? "write one number for each index, in order: `tile %s`"
		               : "leave the tile out%s",
		          tile ? tile : "");
	}
	return axes == node->index.n;
}

static void check_coarsen(const struct node *node, const struct options *o)
{
	int64_t cells = cells_of(node, node->choice.tile), threads = o->target->block;
	if (node->pin.coarsen && node->pin.coarsen * threads != cells
	    && pin_refused(node, PIN_COARSEN, D_PIN_UNFIT,
	                   "a tile of %lld cells is %lld a thread of %lld threads, not %d",
	                   (long long)cells, (long long)((cells + threads - 1) / threads),
	                   (long long)threads, node->pin.coarsen))
		diag_cure("pin one of `tile` and `coarsen`: the other follows");
}

/* A tile goes with shared memory only. */
static void cure_size(const struct node *node, const struct options *o, enum pin pin)
{
	const char *tile = pin == PIN_TILE ? fitting_tile(node, o) : NULL;
	if (tile)
		diag_cure("pin a smaller tile, `tile %s`, or `stage l1` and no tile", tile);
	else
		diag_cure("pin `stage l1`%s", node->pin.tile[0] ? " and no tile" : "");
}

static void refuse(const struct node *node, const struct options *o, int64_t bytes)
{
	long long most = o->target->shared_bytes - FOLD_BYTES;
	enum pin pin = node->pinned[PIN_TILE].own ? PIN_TILE : PIN_STAGE;
	if (pin_refused(node, pin, D_PIN_STAGE,
	                "the tile with its halo takes %lld bytes of shared memory; a block "
	                "of %s has %lld",
	                (long long)bytes, o->target->name, most))
		cure_size(node, o, pin);
}

static void tell_tile(struct node *node, bool pinned, const struct options *o)
{
	const struct tile_plan *plan = plan_of(node, o);
	int reads = 0;
	if (plan->given.n) {
		remark_did(node, PASS_TILE, BANDWIDTH,
		           "%s cells%s, with a halo and shared memory that depend on the call",
		           chosen_text(node), pinned ? ", as pinned" : "");
		return;
	}
	for (int i = 0; i < plan->need.n; i++)
		reads += plan->need.at[i].reads;
	double reuse = (double)cells_of(node, node->choice.tile) * reads
	               / ((double)plan->cells * plan->need.n);
	remark_did(node, PASS_TILE, BANDWIDTH,
	           "%s cells%s, with the halo %s: each loaded cell is read %s times; %s a block, "
	           "%d blocks of %d threads a multiprocessor, by threads and shared memory",
	           chosen_text(node), pinned ? ", as pinned" : "",
	           tile_text(node, plan->size, node->index.n), remark_number(reuse),
	           remark_bytes((double)plan->bytes),
	           blocks_of_unit(o->target, o->target->block, plan->bytes + FOLD_BYTES),
	           o->target->block);
}

/* In registers the tile is what a block computes in a step: cells_stage.c. */
static void tile(struct node *node, const struct shape *s, const struct options *o)
{
	bool pinned;
	if (node->choice.stage == STAGE_REGISTERS) {
		tile_registers(node, s, o);
		return;
	}
	pinned = pinned_axes(node, o);
	if (!pinned) {
		default_tile(node, o);
		shrink(node, o);
	}
	if (!has_room(node, o)) {
		const struct tile_plan *plan = plan_of(node, o);
		refuse(node, o, plan ? plan->bytes : 0);
		node->choice.stage = STAGE_L1;
		tile_set(node, NULL);
		remark_not(node, PASS_TILE, "the tile does not fit: cells come through l1");
		return;
	}
	check_coarsen(node, o);
	tell_tile(node, pinned, o);
}

static bool fits(const struct node *node, const struct shape *s, const struct options *o)
{
	(void)s;
	return axes_of(node) == node->index.n && has_room(node, o);
}

const struct staging stencil_staging = { why_not, stage, tile, fits };
