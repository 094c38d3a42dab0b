/* pass_stage.c - which level of the memory hierarchy holds the cells a stencil reads again.
 *
 * Needs: pins (schedule.c).  Leaves: choice.stage.
 * Rule: registers where a march saves loads, if the windows fit: in space (three axes and more) from one row
 * held on, in a plane from four; else L1.  On an H200, f32, Gcell/s through registers and L1: 7 points of 640^3 484
 * and 374, 27 points 432 and 187; in a plane of 16384^2 5 points 448 and 495, 9 points 446 and 467 (the
 * cache already answers the neighbours), 25 points 386 and 311.  Shared memory, which adds a barrier and an
 * extra copy (5 points: 410), is taken when it is pinned; a tile that does not fit is an error (pass_tile). */
#include "pass.h"
#include "remark.h"
#include "work.h"
#include "../patterns/stencil/stencil_march.h"

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

/* ---- pins that cannot hold ---- */

static void refuse(const struct node *node, const char *why)
{
	if (node->pin.stage > STAGE_L1 && pin_refused(node, PIN_STAGE, D_PIN_STAGE, "`%s` cannot be staged%s: %s", node->name,
	                                              node->pin.stage == STAGE_REGISTERS ? " in registers" : "", why))
		diag_cure("pin `stage l1`, or leave the level to the compiler");
}

static const char *no_stage(const struct node *node, const struct options *o)
{
	return !o->target->gpu ? "the caches of a CPU hold what is read again"
	     : !node->index.n ? "it computes a scalar"
	     : str_print("a %s reads no neighbours", node->pattern->name);
}

/* Nothing to choose: the statement, or the machine, has no such cells. */
static void pass_by(struct node *node, const struct options *o)
{
	const char *why = no_stage(node, o);
	refuse(node, why);
	node->choice.stage = STAGE_L1;
	remark_not(node, PASS_STAGE, "%s", why);
}

/* Some array is read at a constant offset from the cell. */
static bool has_near(const struct node *node, const struct options *o)
{
	const int cell[MAX_RANK] = { 1, 1, 1, 1, 1, 1, 1, 1 };
	return tile_plan_of(node, cell, o->target->shared_bytes);
}

/* Why the level that the user pinned cannot be; NULL: it can, or none is pinned. */
static const char *no_level(const struct node *node, const struct register_plan *plan, const char *why,
	const struct options *o)
{
	if (node->pin.stage == STAGE_REGISTERS && !plan)
		return why;
	if (node->pin.stage == STAGE_SHARED && !has_near(node, o))
		return "no array is read at a constant offset from the cell";
	return NULL;
}

/* ---- remarks ---- */

static void tell(struct node *node, const struct register_plan *plan, const char *why, const struct options *o)
{
	const struct work w = work_of(node);
	const char *how = node->pin.stage ? ", as pinned" : !pass_enabled(o, "stage") ? ", by --no-pass=stage" : "";
	const char *reads = str_print("%d reads a cell, %d of them from memory", w.reads, w.streams);
	int64_t rows = rows_held(plan);
	switch (node->choice.stage) {
	case STAGE_REGISTERS:
		remark_did(node, PASS_STAGE, BANDWIDTH, "registers%s: %s; the march hands on %lld rows, neighbours come by shuffle",
		           how, reads, (long long)rows);
		return;
	case STAGE_SHARED:
		remark_did(node, PASS_STAGE, BANDWIDTH, "shared memory%s: %s", how, reads);
		return;
	case STAGE_AUTO: case STAGE_L1:
		break;
	}
	if (w.reads <= w.streams)
		remark_not(node, PASS_STAGE, "every cell is read once");
	else
		remark_did(node, PASS_STAGE, BANDWIDTH, "l1%s: %s, the others meet in the cache%s", how, reads, *how ? ""
		           : !plan ? str_print("; not in registers: %s", why)
		           : str_print("; a march would hand on %lld rows, which pays from %lld on", (long long)rows,
		                       (long long)rows_wanted(node)));
}

/* ---- what is no stencil ---- */

/* The pins and switches that keep the statement in L1; NULL: none. */
static const char *kept_in_l1(const struct node *node, const struct options *o)
{
	if (node->pin.stage > STAGE_L1 || (!node->pin.stage && pass_enabled(o, "stage")))
		return NULL;
	return node->pin.stage ? "l1, as pinned" : "--no-pass=stage";
}

/* It is at that level, unless `why` not: then that is told. */
static bool settled(struct node *node, enum stage level, const char *why, const struct options *o)
{
	const char *l1 = why ? why : kept_in_l1(node, o);
	if (why)
		refuse(node, why);
	node->choice.stage = l1 ? STAGE_L1 : level;
	if (l1)
		remark_not(node, PASS_STAGE, "%s", l1);
	return !l1;
}

static const char *as_pinned(const struct node *node)
{
	return node->pin.stage ? ", as pinned" : "";
}

/* Tiles in shared memory, which all threads of a block share. */
static const char *no_tiles(const struct node *node, const char *what, const struct options *o)
{
	return node->pin.stage == STAGE_REGISTERS ? what
	     : !pass_enabled(o, "tile") && !node->pin.tile[0] ? "shared memory wants a tile, and --no-pass=tile leaves none"
	     : NULL;
}

static const char *no_product(const struct node *node, const struct shape *s, const struct options *o)
{
	if (s->no_product)
		return s->no_product;
	if (o->target->gpu)
		return no_tiles(node, "the tiles of its operands are for all threads of a block", o);
	return node->pin.stage == STAGE_REGISTERS ? "the panels of its operands are for all threads" : NULL;
}

const char *product_unstaged(const struct node *node, const struct shape *s, const struct options *o)
{
	const char *why = no_product(node, s, o);
	return why ? why : kept_in_l1(node, o);
}

/* Both operands of a product are read again for each column, or row, of a tile of the result: on a CPU they are packed. */
static void stage_product(struct node *node, const struct shape *s, const struct options *o)
{
	if (!settled(node, STAGE_SHARED, no_product(node, s, o), o))
		return;
	if (o->target->gpu)
		remark_did(node, PASS_STAGE, BANDWIDTH, "shared memory%s: %s", as_pinned(node), s->product);
	else
		remark_did(node, PASS_STAGE, BANDWIDTH, "packed panels%s, where the host finds enough rows, columns and terms: %s",
		           as_pinned(node), s->product);
}

static const char *not_turned(const struct node *node, const struct shape *s, const struct options *o)
{
	return s->no_turned ? s->no_turned : no_tiles(node, "its tiles are for all threads of a block", o);
}

/* Rows of what a transpose reads are columns of what it writes. */
static void stage_turned(struct node *node, const struct shape *s, const struct options *o)
{
	const char *why = not_turned(node, s, o);
	if (settled(node, STAGE_SHARED, why, o))
		remark_did(node, PASS_STAGE, BANDWIDTH, "shared memory%s: %s", as_pinned(node), s->turned);
}

static const char *not_moved(const struct node *node, const struct shape *s)
{
	return s->no_moved ? s->no_moved : node->pin.stage == STAGE_REGISTERS ? "structs come whole to shared memory" : NULL;
}

/* Structs that lanes would load and store each for its own cell. */
static void stage_moved(struct node *node, const struct shape *s, const struct options *o)
{
	const char *why = not_moved(node, s);
	if (settled(node, STAGE_SHARED, why, o))
		remark_did(node, PASS_STAGE, BANDWIDTH, "shared memory%s: %s", as_pinned(node), s->moved);
}

static const char *no_rows(const struct node *node)
{
	return node->pin.stage == STAGE_SHARED ? "registers hold its rows, or a cache has them" : NULL;
}

/* Rows that statements share. */
static void stage_rows(struct node *node, const struct shape *s, const struct options *o)
{
	const char *why = no_rows(node);
	if (settled(node, STAGE_REGISTERS, why, o))
		remark_did(node, PASS_STAGE, BANDWIDTH, "registers%s: %s", as_pinned(node), s->rows);
}

const char *no_shared(const struct node *node, const struct options *o)
{
	struct node pinned = *node;
	pinned.pin.stage = STAGE_SHARED;
	const struct shape s = shape_of(&pinned, o);
	if (s.product || s.no_product)
		return no_product(&pinned, &s, o);
	if (s.turned || s.no_turned)
		return not_turned(&pinned, &s, o);
	if (s.moved || s.no_moved)
		return not_moved(&pinned, &s);
	if (s.rows)
		return no_rows(&pinned);
	return s.stages ? no_level(&pinned, NULL, NULL, o) : no_stage(&pinned, o);
}

/* ---- the pass ---- */

static enum stage chosen(const struct node *node, const struct register_plan *plan, const struct options *o)
{
	if (node->pin.stage == STAGE_SHARED && !node->pin.tile[0] && !pass_enabled(o, "tile"))
		return STAGE_L1;                     /* a tile is wanted, and --no-pass=tile leaves none */
	if (node->pin.stage)
		return node->pin.stage;
	return pass_enabled(o, "stage") && rows_held(plan) >= rows_wanted(node) ? STAGE_REGISTERS : STAGE_L1;
}

static void choose(struct node *node, const struct options *o)
{
	const struct shape s = shape_of(node, o);
	if (s.product || s.no_product) {
		stage_product(node, &s, o);
		return;
	}
	if (s.turned || s.no_turned) {
		stage_turned(node, &s, o);
		return;
	}
	if (s.moved || s.no_moved) {
		stage_moved(node, &s, o);
		return;
	}
	if (s.rows) {
		stage_rows(node, &s, o);
		return;
	}
	if (!s.stages) {
		pass_by(node, o);
		return;
	}
	const char *why = NULL;
	const struct register_plan *plan = register_plan_of(node, &why);
	const char *wrong = no_level(node, plan, why, o);
	if (wrong) {
		refuse(node, wrong);
		node->choice.stage = STAGE_L1;
		remark_not(node, PASS_STAGE, "%s", wrong);
		return;
	}
	node->choice.stage = chosen(node, plan, o);
	if (node->pin.stage > STAGE_L1 && node->choice.stage == STAGE_L1)
		remark_not(node, PASS_STAGE, "shared memory wants a tile, and --no-pass=tile leaves none: cells come through l1");
	else
		tell(node, plan, why, o);
}

void pass_stage(struct entry *entry, const struct options *o)
{
	pass_each(entry, choose, o);
}
