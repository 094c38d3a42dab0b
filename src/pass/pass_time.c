/* pass_time.c - decides how many passes of a loop one visit of memory computes (temporal
 * blocking).
 *
 *     repeat t < steps {
 *         stencil b[i, j] = 0.25 * (a[i-1, j] + a[i+1, j] + a[i, j-1] + a[i, j+1]) boundary keep;
 *         swap a, b;
 *     }
 *
 * Launched pass by pass, such a loop reads and writes its arrays once a pass, and memory decides
 * its time.  A kernel that computes several passes of a tile before it stores them does so once for
 * all of them; the cells around the tile are computed by its neighbours as well.
 *
 * Needs: pins, statements as they are lowered.  Leaves: choice.time of repeats whose statements a
 * pattern computes so (struct passes), and choice.last_apart.
 *
 * So are the passes of `repeat until C every K` between those that ask.
 *
 * The host takes such visits as long as enough passes are left, and computes the rest pass by
 * pass.  Arrays that are only used inside of a visit are not written by it.  Where the caller, or a
 * statement after the loop, sees what the last pass leaves in them, that pass is launched by
 * itself.
 *
 * A visit does not write what it reads: its tiles read cells that others compute.  Where the loop
 * has no array for the new cells, as in `repeat { b = f(a); a = f(b); }`, a temporary is added, a
 * spare, with which each visit exchanges names. */
#include <string.h>

#include "ask.h"
#include "pass.h"
#include "remark.h"

enum { FIRST_ID = (1 << 30) + (1 << 20) };       /* of temporaries: after all others */

static bool read_by(struct node *const *at, int n, const struct node *but, const struct var *var)
{
	bool found = false;
	for (int i = 0; i < n && !found; i++) {
		if (at[i] == but)
			continue;
		found = (at[i]->kind == NODE_SWAP
		         && (at[i]->swap[0] == var || at[i]->swap[1] == var))
		        || (at[i]->kind == NODE_PATTERN
		            && node_reads(at[i], var))
		        || read_by(at[i]->body.at, at[i]->body.n, but, var);
	}
	return found;
}

/* Does anything but the loop see the cells of an array that it writes? */
static bool seen_after(const struct entry *entry, const struct node *loop, const struct var *var)
{
	return var->kind != VAR_LET || read_by(entry->body.at, entry->body.n, loop, var);
}

/* Does anything see cells that visits leave so? */
static bool left_seen(const struct entry *entry, const struct node *loop, const struct lefts *left,
                      enum leaving how)
{
	bool seen = false;
	for (int i = 0; i < left->n; i++)
		seen |= left->at[i].how == how && seen_after(entry, loop, left->at[i].var);
	return seen;
}

/* ---- spare arrays ---- */

/* That of another loop serves again. */
static struct var *known_spare(struct node *const *at, int n, const struct var *var)
{
	struct var *known = NULL;
	for (int i = 0; i < n && !known; i++)
		known = at[i]->kind == NODE_SPARE && at[i]->swap[0] == var
			? at[i]->swap[1] : known_spare(at[i]->body.at, at[i]->body.n, var);
	return known;
}

static struct var *new_spare(struct entry *entry, const struct var *var)
{
	struct var *spare = NEW(struct var);
	*spare = (struct var){ .kind = VAR_LET,
		               .name = str_name(str_print("%s_spare", var->name)),
		               .id = FIRST_ID + entry->let.n,
		               .at = var->at,
		               .type = var->type,
		               .rank = var->rank,
		               .mode = MODE_INOUT,
		               .spare = true };
	memcpy(spare->extent, var->extent, sizeof spare->extent);
	list_add(&entry->let, spare);
	return spare;
}

static void add_spare(struct entry *entry, struct node *loop, const struct var *var)
{
	struct var *spare = known_spare(entry->body.at, entry->body.n, var);
	struct node *node = NEW(struct node);
	node->kind = NODE_SPARE;
	node->at = loop->at;
	node->name = "spare";
	node->swap[0] = (struct var *)var;
	node->swap[1] = spare ? spare : new_spare(entry, var);
	list_add(&loop->body, node);
}

static int add_spares(struct entry *entry, struct node *loop, const struct lefts *left)
{
	int spares = 0;
	for (int i = 0; i < left->n; i++) {
		if (left->at[i].how != LEAVES_SPARE)
			continue;
		add_spare(entry, loop, left->at[i].var);
		spares++;
	}
	return spares;
}

/* ---- the choice ---- */

/* What a statement of the loop pins, by its label if one does: they have one kernel. */
static const struct node *pinned_node(const struct node *loop)
{
	const struct node *pinned = NULL;
	for (int i = 0; i < loop->body.n; i++) {
		const struct node *s = loop->body.at[i];
		if (s->pin.time
		    && (!pinned || (s->pinned[PIN_TIME].own && !pinned->pinned[PIN_TIME].own)))
			pinned = s;
	}
	return pinned;
}

static void refuse_others(const struct node *loop, const struct node *pinned)
{
	for (int i = 0; i < loop->body.n; i++) {
		const struct node *s = loop->body.at[i];
		if (s->pin.time && s->pin.time != pinned->pin.time)
			pin_unfit(s, PIN_TIME,
			          "the statements of a loop share its visits, and `%s` has the pin "
			          "`%s`", pinned->name,
			          pinned->pin.time < 0 ? "no time"
			                               : str_print("time %d", pinned->pin.time));
	}
}

static void tell_not(struct node *first, const struct node *at, const struct node *pinned,
                     const char *why)
{
	if (pinned && pinned->pin.time > 1
	    && pin_refused(pinned, PIN_TIME, D_PIN_UNFIT, "one kernel cannot compute %d passes: %s",
	                   pinned->pin.time, why)) {
		diag_cure("remove the pin: --remarks then shows what patc chooses");
		fix_leave_out_pin(pinned->pinned[PIN_TIME].at);
	}
	struct node *told = at ? (struct node *)at : first;
	(told->pattern->passes ? remark_not : remark_none)(told, PASS_TIME, "%s", why);
}

static bool writes_either(const struct node *node, const struct node *swap)
{
	return node->kind != NODE_PATTERN || node_writes(node, swap->swap[0])
	       || node_writes(node, swap->swap[1]);
}

static bool copies_cell(const struct equation *q, const struct var *from)
{
	const struct expr *target = q->target.at[0], *right = q->right;
	bool is = right->kind == E_READ && right->var == from && right->arg.n == target->arg.n;
	for (int d = 0; is && d < target->arg.n; d++)
		is = expr_same(right->arg.at[d], target->arg.at[d]);
	return is;
}

/* map to[i, j] = from[i, j] */
static bool copies(const struct node *node, const struct var *to, const struct var *from)
{
	bool is = node->kind == NODE_PATTERN && node_in_order(node) && node_fills(node, to)
	          && !node_writes(node, from);
	for (int q = 0; is && q < node->equation.n; q++) {
		const struct expr *target = node->equation.at[q]->target.at[0];
		is = target->var != to || copies_cell(node->equation.at[q], from);
	}
	return is;
}

/* Of a loop that is in no other. */
static bool copied_before(const struct entry *entry, const struct node *loop,
                          const struct node *swap)
{
	const struct node *last = NULL;
	for (int i = 0; i < entry->body.n && entry->body.at[i] != loop; i++)
		last = writes_either(entry->body.at[i], swap) ? entry->body.at[i] : last;
	return last && (copies(last, swap->swap[0], swap->swap[1])
	                || copies(last, swap->swap[1], swap->swap[0]));
}

static bool all_alike(const struct entry *entry, const struct node *loop)
{
	bool all = true;
	for (int i = 0; i < loop->body.n; i++)
		if (loop->body.at[i]->kind == NODE_SWAP)
			all &= copied_before(entry, loop, loop->body.at[i]);
	return all;
}

/* The remark comes with those of pass_together.c. */
static void choose_resident(const struct entry *entry, struct node *loop, const struct node *first,
                            const struct options *o)
{
	loop->choice.alike = all_alike(entry, loop);
	const struct passes *passes = first->pattern->passes;
	int64_t columns;
	loop->choice.resident = passes->tile && passes->tile(loop, o->target, &columns)
	                        && pass_enabled(o, "together");
}

static void choose(struct entry *entry, struct node *loop, const struct options *o)
{
	struct node *first = loop_first(loop);
	const struct node *at = first, *pinned = pinned_node(loop);
	const char *why = "--no-pass=time";
	int time = 1;
	if (!first)
		return;
	if (pinned)
		refuse_others(loop, pinned);
	if (pinned && pinned->pin.time < 0)
		why = "pinned";
	else if (!first->pattern->passes)
		why = str_print("no kernel computes several passes of a %s", first->pattern->name);
	else if (pass_enabled(o, "time") || pinned)
		time = first->pattern->passes->choose(loop, o->target,
		                                      pinned ? pinned->pin.time : 0, &why, &at);
	struct lefts left = { 0 };
	if (time > 1)
		left = first->pattern->passes->leaves(loop, o->target, time);
	if (left_seen(entry, loop, &left, LEAVES_LOST)) {
		why = "an array that passes write but do not read is read after the loop";
		time = 1;
	}
	if (time < 2) {
		tell_not(first, at, pinned, why);
		return;
	}
	loop->choice.time = time;
	loop->choice.last_apart = left_seen(entry, loop, &left, LEAVES_LATER);
	int spares = add_spares(entry, loop, &left);
	remark_did(first, PASS_TIME, BANDWIDTH, "%d passes a launch%s: %s%s", time,
	           pinned ? ", as pinned" : "", why,
	           spares ? str_print("; a visit also writes %d array%s besides those of the loop",
	                              spares, spares > 1 ? "s" : "")
	                  : "");
	choose_resident(entry, loop, first, o);
}

static bool in_visits(const struct node *loop)
{
	return loop->kind == NODE_REPEAT_COUNT || (loop->kind == NODE_REPEAT_UNTIL && loop->asks);
}

/* Which pass is the last is known after it only. */
static void tell_until(const struct node *loop, const struct options *o)
{
	struct node *first = loop_first(loop);
	if (first && first->pattern->passes && pass_enabled(o, "time"))
		remark_not(first, PASS_TIME,
		           "its loop tests its condition after each pass; with `repeat until C "
		           "every K`, the passes in between share a visit");
}

static void choose_all(struct entry *entry, struct node *const *at, int n, const struct options *o)
{
	for (int i = 0; i < n; i++) {
		if (in_visits(at[i]))
			choose(entry, at[i], o);
		else if (at[i]->kind == NODE_REPEAT_UNTIL)
			tell_until(at[i], o);
		choose_all(entry, at[i]->body.at, at[i]->body.n, o);
	}
}

/* Of statements that are in no counted loop.  A pin of the whole kernel is one of loops, too: they
 * have none yet. */
static void refuse_pins(struct node *const *at, int n, const struct node *loop,
                        const struct options *o)
{
	for (int i = 0; i < n; i++) {
		bool repeats = at[i]->kind == NODE_REPEAT_COUNT || at[i]->kind == NODE_REPEAT_UNTIL;
		refuse_pins(at[i]->body.at, at[i]->body.n, repeats ? at[i] : loop, o);
		if (repeats)
			at[i]->choice.time = at[i]->choice.resident = 0;
		if (at[i]->kind != NODE_PATTERN || at[i]->pin.time < 2)
			continue;
		if (!loop || !in_visits(loop))
			pin_unfit(at[i], PIN_TIME,
			          "`%s` is not in a loop that runs several passes without testing "
			          "a condition",
			          at[i]->name);
	}
}

void pass_time(struct entry *entry, const struct options *o)
{
	refuse_pins(entry->body.at, entry->body.n, NULL, o);
	choose_all(entry, entry->body.at, entry->body.n, o);
}
