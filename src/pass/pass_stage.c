/* pass_stage.c - decides which level of the memory hierarchy keeps the cells that a statement
 * reads again.
 *
 * Needs: pins (schedule.c).  Leaves: choice.stage. The pattern decides (struct staging in pass.h):
 * stencils in stencil_stage.c, products in product_stage.c, transposes in turn_stage.c, structs in
 * cells_stage.c, rows in reduce_stage.c.  All others read through L1. */
#include "pass.h"
#include "remark.h"

/* ---- what the patterns share ---- */

void stage_refuse(const struct node *node, const char *why)
{
	const char *in = node->pin.stage > STAGE_SHARED
	                         ? str_print(" in %s", stage_text[node->pin.stage]) : "";
	if (node->pin.stage > STAGE_L1
	    && pin_refused(node, PIN_STAGE, D_PIN_STAGE, "`%s` cannot be staged%s: %s", node->name,
	                   in, why)) {
		diag_cure("pin `stage l1`, or leave the level to the compiler");
		fix_leave_out_pin(node->pinned[PIN_STAGE].at);
	}
}

/* The pins and switches that keep the statement in L1; NULL: none. */
static const char *kept_in_l1(const struct node *node, const struct options *o)
{
	if (node->pin.stage > STAGE_L1 || (!node->pin.stage && pass_enabled(o, "stage")))
		return NULL;
	return node->pin.stage ? "l1, as pinned" : "--no-pass=stage";
}

/* Of a statement that has none: it cannot be staged as pinned; or NULL. */
static const char *no_windows(const struct node *node)
{
	return node->pin.stage != STAGE_RUNS ? NULL
	       : str_print("a %s has no windows", node->pattern->name);
}

bool stage_settles(struct node *node, enum stage level, const char *why, const struct options *o)
{
	if (!why)
		why = no_windows(node);
	const char *l1 = why ? why : kept_in_l1(node, o);
	if (why)
		stage_refuse(node, why);
	node->choice.stage = l1 ? STAGE_L1 : level;
	if (l1)
		(o->target->gpu ? remark_not : remark_none)(node, PASS_STAGE, "%s", l1);
	return !l1;
}

const char *stage_as_pinned(const struct node *node)
{
	return node->pin.stage ? ", as pinned" : "";
}

const char *stage_no_tiles(const struct node *node, const char *what, const struct options *o)
{
	return node->pin.stage == STAGE_REGISTERS ? what
	       : !pass_enabled(o, "tile") && !node->pin.tile[0]
	               ? "shared memory needs a tile, and --no-pass=tile leaves none"
	               : NULL;
}

/* ---- what they are asked ---- */

const char *no_stage(const struct node *node, const struct options *o)
{
	return !o->target->gpu ? "the caches of a CPU hold what is read again"
	     : !node->index.n ? "it computes a scalar"
	     : str_print("a %s reads no neighbours", node->pattern->name);
}

const char *unstaged(const struct node *node, const struct shape *s, const struct options *o)
{
	const char *why = s->staging->why_not(node, s, o);
	if (!why && s->births_staged)
		why = no_windows(node);
	return why ? why : kept_in_l1(node, o);
}

const char *no_shared(const struct node *node, const struct options *o)
{
	struct node pinned = *node;
	pinned.pin.stage = STAGE_SHARED;
	const struct shape s = shape_of(&pinned, o);
	return s.staging ? s.staging->why_not(&pinned, &s, o) : no_stage(&pinned, o);
}

/* ---- the pass ---- */

void stage_none(struct node *node, const struct options *o)
{
	const char *why = no_stage(node, o);
	stage_refuse(node, why);
	node->choice.stage = STAGE_L1;
	remark_none(node, PASS_STAGE, "%s", why);
}

static void choose(struct node *node, const struct options *o)
{
	const struct shape s = shape_of(node, o);
	if (s.staging)
		s.staging->stage(node, &s, o);
	else
		stage_none(node, o);
}

void pass_stage(struct entry *entry, const struct options *o)
{
	pass_each(entry, choose, o);
}
