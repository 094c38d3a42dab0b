/* pass_vectorise.c - decides how many cells one memory access moves.
 *
 * Needs: pins, choice.stage.  Leaves: choice.vector. Rule: 16-byte accesses, the widest a lane can
 * make, need the fewest instructions for the bytes in flight (algorithms 1.4): 16 bytes of the
 * widest array, if every access allows it.  Switched off, every access moves one element. */
#include "pass.h"
#include "remark.h"

static void refuse(const struct node *node, const struct shape *s)
{
	if (s->vector == 1)
		pin_unfit(node, PIN_VECTOR, "`%s` has no vectors: %s", node->name, s->no_vector);
	else if (pin_refused(node, PIN_VECTOR, D_PIN_UNFIT,
	                     "a vector of %d does not fit the 16 bytes of an access: "
	                     "`%s` can have %d",
	                     node->pin.vector, node->name, s->vector)) {
		diag_cure("pin `vector %d`, or a smaller one", s->vector);
		fix_pin_value(node->pinned[PIN_VECTOR].at, str_print("vector %d", s->vector));
	}
}

static void tell(struct node *node, const struct shape *s, const struct options *o)
{
	const char *how = node->choice.vector == node->pin.vector ? ", as pinned" : "";
	if (node->choice.vector > 1)
		remark_did(node, PASS_VECTORISE, BANDWIDTH, "%d elements an access%s",
		           node->choice.vector, how);
	else if (s->vector == 1)
		(s->vectors ? remark_not : remark_none)(node, PASS_VECTORISE, "%s", s->no_vector);
	else
		remark_not(node, PASS_VECTORISE,
		           pass_enabled(o, "vectorise") ? "pinned" : "--no-pass=vectorise");
}

static void choose(struct node *node, const struct options *o)
{
	const struct shape s = shape_of(node, o);
	int most = pass_enabled(o, "vectorise") ? s.vector : 1;
	if (node->pin.vector > s.vector)
		refuse(node, &s);
	bool pinned = node->pin.vector && node->pin.vector <= s.vector;
	node->choice.vector = pinned ? node->pin.vector : most;
	tell(node, &s, o);
}

void pass_vectorise(struct entry *entry, const struct options *o)
{
	pass_each(entry, choose, o);
}
