/* pass_sweep.c - in which order cells that wait for their neighbours are computed.
 *
 * Needs: pins.  Leaves: choice.sweep.
 * Rule: the pattern says which orders the statement's neighbours and laws allow, and which of them it takes to be the
 * fastest on the target (its shape() says by what model); --no-pass=sweep leaves the one that needs no law. */
#include "pass.h"
#include "remark.h"

static const char *const name_of[] = {
	"",
#define SWEEP(id, name, how) name,
#include "sweep.def"
#undef SWEEP
};
static const char *const how_of[] = {
	"",
#define SWEEP(id, name, how) how,
#include "sweep.def"
#undef SWEEP
};

static void pass_by(const struct node *node)
{
	if (node->pin.sweep)
		pin_refused(node, PIN_SWEEP, D_PIN_UNFIT, "`%s` has no order that could be chosen: no cell of it waits for another",
		            node->name);
	remark_not((struct node *)node, PASS_SWEEP, "no cell waits for another");
}

static enum sweep chosen(const struct node *node, const struct shape *s, const struct options *o)
{
	if (node->pin.sweep && !s->no_sweep[node->pin.sweep])
		return node->pin.sweep;
	if (node->pin.sweep && pin_refused(node, PIN_SWEEP, D_PIN_UNFIT, "`%s` cannot be swept `%s`: %s", node->name,
	                                   name_of[node->pin.sweep], s->no_sweep[node->pin.sweep]))
		return SWEEP_DIAGONAL;
	return pass_enabled(o, "sweep") ? s->sweep : SWEEP_DIAGONAL;
}

static void choose(struct node *node, const struct options *o)
{
	const struct shape s = shape_of(node, o);
	if (!s.sweep) {
		pass_by(node);
		return;
	}
	node->choice.sweep = chosen(node, &s, o);
	const char *way = node->choice.sweep == node->pin.sweep ? ", as pinned" : pass_enabled(o, "sweep") ? "" : ", by --no-pass=sweep";
	remark_did(node, PASS_SWEEP, EFFICIENCY, "%s%s: %s%s%s", name_of[node->choice.sweep], way, how_of[node->choice.sweep],
	           s.law ? "; " : "", s.law ? s.law : "");
}

void pass_sweep(struct entry *entry, const struct options *o)
{
	pass_each(entry, choose, o);
}
