/* pass_coarsen.c - decides how much work one thread does.
 *
 * Needs: pins, choice.stage and .vector.  Leaves: choice.coarsen; 0 lets the lowering's host code
 * decide. Rule: Little's law (algorithms 1.4).  A multiprocessor must have target.flight_bytes
 * under way to keep the memory busy, of which loads are the share that reads have in what is moved:
 * a copy stores the other half. A full complement of threads with one 16-byte vector an input array
 * has threads x arrays x 16 bytes under way.  Where that is less, a thread takes two vectors, four,
 * ..., all loaded before the first is used.
 *
 * On an H200 (48 KiB) that gives one vector for every map of 16-byte accesses: a copy has 32 KiB
 * under way and needs 24, saxpy 64 of 32; measured 4,260 and 4,360 GB/s, saxpy with two 4,287, with
 * four 4,265.  Where a cell takes half the instructions that fit beside its bytes, two: what a
 * thread does once is shared, and functions of several steps overlap (sqrt(x x + 1) sin(x) + x:
 * 0.556 ms with one, 0.523 with two, 0.526 with four).  Rows of a stencil come one after another
 * and put nothing more under way: one, which measured best too.  Structs of 2 and 3 words that come
 * whole: 0.86 and 0.94 of copy with one, 1.01 and 0.99 with two, 0.98 with four; of 4 words 0.99,
 * 0.97. Switched off: one. */
#include "merge_items.h"
#include "pass.h"
#include "remark.h"
#include "work.h"

/* What a thread has under way with one piece; what all of a multiprocessor's should have. */
struct flight { int threads; double each, needed; };

/* Structs that come whole: a warp stores nothing until all of its loads are there, so a quarter
 * more. */
static struct flight flight_of(const struct node *node, const struct work *w, bool whole,
                               const struct options *o)
{
	const struct target *t = o->target;
	double moved = w->read + w->written;
	struct flight f = { .threads = blocks_of_unit(t, t->block, 0) * t->block,
		            .each = w->read * node->choice.vector };
	f.needed = moved > 0 ? (double)t->flight_bytes * w->read / moved : 0;
	f.needed *= whole ? 1.25 : 1;
	return f;
}

static const char *flight_text(const struct flight *f, int pieces)
{
	return str_print("%d threads x %s = %s in flight a multiprocessor, %s needed", f->threads,
	                 remark_bytes(f->each * pieces),
	                 remark_bytes(f->each * pieces * f->threads), remark_bytes(f->needed));
}

static int pieces_for(const struct flight *f, int most)
{
	int pieces = 1;
	while (2 * pieces <= most && f->each * pieces * f->threads < f->needed)
		pieces *= 2;
	return pieces;
}

static void coarsen_less(const struct node *node, const struct shape *s)
{
	if (!pin_refused(node, PIN_COARSEN, D_PIN_UNFIT, "a thread of `%s` takes at most %d %ss",
	                 node->name, s->pieces, s->piece))
		return;
	diag_cure("pin `coarsen %d`, or less", s->pieces);
	fix_pin_value(node->pinned[PIN_COARSEN].at, str_print("coarsen %d", s->pieces));
}

static void refuse(const struct node *node, const struct shape *s)
{
	if (s->pieces > 1)
		coarsen_less(node, s);
	else
		pin_unfit(node, PIN_COARSEN, "a thread of `%s` cannot take more: %s", node->name,
		          s->no_pieces);
}

enum { SLOW = 16 };                      /* instructions of a function of several steps, about */

static bool is_busy(const struct work *w, const struct target *t)
{
	double all = w->f32 + w->f64 + w->integer + SLOW * (w->slow32 + w->slow64);
	return all >= t->busy_steps * (w->read + w->written);
}

static void by_flight(struct node *node, const struct shape *s, const struct options *o)
{
	struct work w = work_of(node);
	struct flight f = flight_of(node, &w, s->whole, o);
	int pieces = pieces_for(&f, s->pieces);
	bool busy = pieces == 1 && s->pieces > 1 && is_busy(&w, o->target);
	node->choice.coarsen = busy ? 2 : pieces;
	if (busy)
		remark_did(node, PASS_COARSEN, EFFICIENCY,
		           "2 %ss a thread: the operations of a cell take about as long as its "
		           "bytes",
		           s->piece);
	else if (pieces > 1)
		remark_did(node, PASS_COARSEN, BANDWIDTH, "%d %ss a thread: %s",
		           node->choice.coarsen, s->piece, flight_text(&f, node->choice.coarsen));
	else
		remark_none(node, PASS_COARSEN, "one %s a thread: %s", s->piece,
		            f.each > 0 ? flight_text(&f, 1)
		                       : "it reads nothing that could be in flight");
}

/* Items that meet: short rows would leave most threads of a block without any. */
static void by_rows(struct node *node, const struct shape *s)
{
	const char *merged = merge_items(node);
	if (merged)
		remark_did(node, PASS_COARSEN, EFFICIENCY,
		           "items along `%s` are one row, so that all threads of a block have some",
		           merged);
	else
		remark_none(node, PASS_COARSEN, "%s", s->no_pieces);
}

static void choose(struct node *node, const struct options *o)
{
	const struct shape s = shape_of(node, o);
	bool pinned = node->pin.coarsen && node->pin.coarsen <= s.pieces;
	if (node->pin.coarsen && !pinned)
		refuse(node, &s);
	node->choice.coarsen = pinned ? node->pin.coarsen : pass_enabled(o, "coarsen") ? 0 : 1;
	if (pinned)
		remark_did(node, PASS_COARSEN, EFFICIENCY, "%d %s%s a thread, as pinned",
		           node->pin.coarsen, s.piece, node->pin.coarsen > 1 ? "s" : "");
	else if (!pass_enabled(o, "coarsen"))
		remark_none(node, PASS_COARSEN, "--no-pass=coarsen");
	else if (s.at_once)
		by_flight(node, &s, o);
	else if (s.meet && !s.owned && o->target->gpu && node->choice.vector <= 1)
		by_rows(node, &s);
	else
		remark_none(node, PASS_COARSEN, "%s", s.no_pieces);
}

void pass_coarsen(struct entry *entry, const struct options *o)
{
	pass_each(entry, choose, o);
}
