/* pass_privatise.c - decides which cells of a histogram or scatter a block has private copies of,
 * which it adds to the array at its end.
 *
 * Needs: pins; statements that compute their cells themselves are maps by now (pass_gather.c).
 * Leaves: choice.privatise, .copies, .first and .hot. Rule (Hwu's privatisation): memory combines
 * 92 G items a second on an H200, and 1.4 where all go to one cell; a block in shared memory, on
 * all multiprocessors, 900 and more.  So one block stands on each, with all its shared memory: for
 * a copy of the cells for each bank while these fit, so that lanes never meet; then for fewer
 * copies; then for a part of the cells, while parts are few, since each looks at all items.  But
 * where cells are many, only if the items are many enough to pay for what a block begins and ends
 * with.  A histogram says that its cells are few; a scatter must show it.  Where a histogram's
 * cells do not fit, data may still go to few of them: of many items a launch looks at some first,
 * and blocks have the cells that most of these go to (patterns/private_sample.c): on an H200 2^26
 * items of a power law into 2^20 cells take 0.43 ms so, 8.3 in memory, and random ones 0.74, 0.67
 * in memory.  A scatter must pin that: random items are what it is for, and what the sample costs
 * there is 4 in 100.  All others meet in memory.
 *
 * On a CPU there is no such memory, and threads that meet in none look at all items, each for its
 * cells.  So chunks of the items, a number by the shape alone, have all cells of their own, where a
 * chunk has ITEMS_A_CELL items for each: folded in the order of the chunks they are the same bits
 * for any number of threads.
 *
 * Pins: `privatise` whatever the number of items is, `privatise 8` with so many copies at most,
 * `privatise first 4096` only the first cells, others in memory: for data most of which goes there,
 * `privatise hot` those that a sample finds. */
#include "pass.h"
#include "privatise.h"
#include "remark.h"

static int64_t room_for(const struct shape *s, const struct options *o)
{
	return o->target->asked_bytes / s->cell_bytes;
}

/* ---- may it, should it ---- */

static bool is_few(const struct shape *s, const struct options *o)
{
	int64_t few = o->target->private_bytes;
	return s->few_cells || (s->cells >= 0 && s->cells * s->cell_bytes <= few);
}

static const char *no_privacy(const struct node *node, const struct shape *s,
                              const struct options *o)
{
	if (s->no_private)
		return s->no_private;
	if (node->choice.tiles > 0 && node->pin.gather > 0)
		return "`gather` is pinned";
	if (s->chunked)
		return node->pin.first || node->pin.hot
		               ? "chunks of items have copies of all cells or of none"
		               : NULL;
	const char *room = remark_bytes((double)o->target->asked_bytes);
	if (node->pin.first > room_for(s, o))
		return str_print("%d cells of %lld bytes are more than the %s of a block",
		                 node->pin.first, (long long)s->cell_bytes, room);
	bool some = node->pin.first || node->choice.hot;
	if (!is_few(s, o) && !some && node->pin.privatise <= 0)
		return "the number of cells is not known to be small";
	return some || s->cells <= MOST_PARTS * room_for(s, o)
	               ? NULL
	               : str_print("%lld cells are more than %d parts of %s", (long long)s->cells,
	                           MOST_PARTS, room);
}

/* Where a histogram's cells may be more than blocks have room for, a sample tells which of them
 * most items go to. */
static enum hot hot_of(const struct node *node, const struct shape *s, const struct options *o)
{
	if (node->pin.privatise)
		return node->pin.hot;
	if (!is_few(s, o))
		return HOT_NO;
	return s->cells > MOST_PARTS * room_for(s, o) ? HOT_ALL : s->cells < 0 ? HOT_REST : HOT_NO;
}

/* ---- remarks ---- */

static int copies_of(const struct node *node, const struct shape *s, int64_t cells,
                     const struct options *o)
{
	int copies = 1, most = node->choice.copies ? node->choice.copies : s->copies;
	while (2 * copies <= most && 2 * copies * cells <= room_for(s, o))
		copies *= 2;
	return copies;
}

static const char *items_text(const struct node *node, const struct shape *s, int64_t cells,
                              const struct options *o)
{
	if (node->pin.privatise > 0)
		return ", as pinned";
	return cells >= 0 && cells * s->cell_bytes <= o->target->private_bytes
	               ? ""
	               : str_print(", where there are %d items for each%s", ITEMS_A_CELL,
	                           cells < 0 ? ", or few cells" : "");
}

static void tell_room(struct node *node, const struct shape *s, int64_t cells,
                      const struct options *o)
{
	int copies = copies_of(node, s, cells, o);
	remark_did(node, PASS_PRIVATISE, CONTENTION,
	           "a block has its own %s%lld cells, %d cop%s of each: %s, a block of %d threads "
	           "on a "
	           "multiprocessor%s",
	           node->choice.first ? "first " : "", (long long)cells, copies,
	           copies > 1 ? "ies" : "y", remark_bytes((double)(cells * copies * s->cell_bytes)),
	           s->threads, items_text(node, s, cells, o));
}

static void tell_parts(struct node *node, const struct shape *s, const struct options *o)
{
	int64_t room = room_for(s, o);
	remark_did(node, PASS_PRIVATISE, CONTENTION,
	           "%lld cells are at most %lld parts: a block has a copy of one, in %s of shared "
	           "memory, and reads all items for it%s",
	           (long long)s->cells, (long long)((s->cells + room - 1) / room),
	           remark_bytes((double)o->target->asked_bytes), items_text(node, s, s->cells, o));
}

static void tell_open(struct node *node, const struct shape *s, const struct options *o)
{
	const char *hot = node->choice.hot ? str_print("; of even more cells, those that a sample "
	                                               "finds hot, if there are %d items",
	                                               o->target->sample_items)
	                                   : "";
	remark_did(node, PASS_PRIVATISE, CONTENTION,
	           "a block has its own cells, up to %d copies of each, while they are %lld; more "
	           "are up to %d "
	           "parts of at least as many%s%s",
	           copies_of(node, s, 1, o), (long long)room_for(s, o), MOST_PARTS,
	           items_text(node, s, -1, o), hot);
}

static void tell_hot(struct node *node, const struct shape *s, const struct options *o)
{
	const int items = o->target->sample_items;
	const char *when = node->pin.hot ? "as pinned"
	                                 : str_print("where there are %d items", items);
	remark_did(node, PASS_PRIVATISE, CONTENTION,
	           "a sample of %d items finds the hot cells; a block has %d copies of %lld of "
	           "them, or fewer copies of up to %lld; all other items are combined in "
	           "memory; %s",
	           o->target->max_block, s->copies, (long long)(room_for(s, o) / s->copies),
	           (long long)room_for(s, o), when);
}

static const char *chunk_text(const struct node *node, const struct shape *s)
{
	int64_t each = s->cells * ITEMS_A_CELL;
	if (node->pin.privatise > 0)
		return ", as pinned";
	return s->cells < 0 ? str_print(", where it has %d items, and %d for each cell",
	                                ITEMS_A_CHUNK, ITEMS_A_CELL)
	                    : str_print(", where it has %lld items",
	                                (long long)(each < ITEMS_A_CHUNK ? ITEMS_A_CHUNK : each));
}

static void tell_chunks(struct node *node, const struct shape *s)
{
	int chunks = node->choice.copies ? node->choice.copies : MOST_CHUNKS;
	const char *own = s->cells < 0
	                          ? "cells of its own"
	                          : str_print("its own %lld cells, %s", (long long)s->cells,
	                                      remark_bytes((double)(s->cells * s->cell_bytes)));
	remark_did(node, PASS_PRIVATISE, CONTENTION,
	           "each of up to %d chunk%s of the items has %s, folded in their order%s", chunks,
	           chunks > 1 ? "s" : "", own, chunk_text(node, s));
}

static void tell(struct node *node, const struct shape *s, const struct options *o)
{
	if (s->chunked) {
		tell_chunks(node, s);
		return;
	}
	int first = node->choice.first;
	int64_t cells = first && (s->cells < 0 || s->cells > first) ? first : s->cells;
	if (node->choice.hot == HOT_ALL)
		tell_hot(node, s, o);
	else if (cells < 0)
		tell_open(node, s, o);
	else if (cells <= room_for(s, o))
		tell_room(node, s, cells, o);
	else
		tell_parts(node, s, o);
}

/* ---- the pass ---- */

/* Items of several threads may come to one cell. */
static bool meets(const struct node *node, const struct shape *s)
{
	return !s->owned && !node_clause(node, "unique");
}

static void choose(struct node *node, const struct options *o)
{
	if (!node->pattern->combines) {
		if (node->pin.privatise)
			pin_unfit(node, PIN_PRIVATISE, "no items are combined in the cells of `%s`",
			          node->name);
		node->choice.privatise = 0;
		return;
	}
	const struct shape s = shape_of(node, o);
	node->choice.hot = s.no_private || s.chunked ? HOT_NO : hot_of(node, &s, o);
	const char *why = no_privacy(node, &s, o);
	bool wanted = node->pin.privatise ? node->pin.privatise > 0 : pass_enabled(o, "privatise");
	if (why && node->pin.privatise > 0)
		pin_unfit(node, PIN_PRIVATISE, "blocks cannot have private copies of `%s`: %s",
		          node->name, why);
	node->choice.privatise = !why && wanted ? 1 : -1;
	if (node->choice.privatise > 0)
		tell(node, &s, o);
	else
		(meets(node, &s) ? remark_not : remark_none)(
			node, PASS_PRIVATISE, "%s",
			why                       ? why
			: node->pin.privatise < 0 ? "pinned"
			                          : "--no-pass=privatise");
}

void pass_privatise(struct entry *entry, const struct options *o)
{
	pass_each(entry, choose, o);
}
