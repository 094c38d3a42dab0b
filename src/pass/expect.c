/* expect.c - how much of its bound a statement is expected to reach, and what takes the rest.
 *
 * The bound (work.c) is the time of the bytes, or of the operations, whichever is longer.  The time
 * that is expected has four terms, which overlap in part: it is the third root of the sum of their
 * cubes.
 *
 *   memory   the bytes of the bound, and those that sectors bring and nobody uses, at the rate of
 *            the bound.  Blocks that share or exchange cells reach `shared` of it, tiles that wait
 *            for the one before `behind`.
 *   cache    a cell at a place that data decide takes a piece of the cache, at the rate of reads.
 *   atomics  items that meet in cells that data decide.
 *   cores    instructions: a multiplication and an addition are one, other operations and loads one
 *            each, functions of several steps `steps32` or `steps64`; cells of fewer than 4 bytes
 *            are taken apart.  Products reach `cores` of the rate, on matrix units `units`.
 *
 * A launch takes its time beside them.  Where data decide the places, there are two ends: all of
 * them in the cache, and each in a sector of memory.  A reason is a cause; its part is what the
 * time would lose without the cause.  The rates are those of the machine (struct reached). */
#include <math.h>
#include <string.h>
#include "expect.h"
#include "remark.h"

/* ---- the model ---- */

enum cause {
	CAUSE_NONE,
	STRIDES, PLACES, MEETING, KEPT, SHARING, STAGING, WAITING, INSTRUCTIONS, STEPS, REACH,
	TURNING, BLOCKS, LAUNCHES,
	CAUSES
};
enum end { NEAR, FAR };                  /* cells at places of data: in the cache; in memory */

static double cubed(double x)
{
	return x * x * x;
}

static double memory(const struct demand *d, const struct target *t, const struct machine *m,
                     enum end end, enum cause without)
{
	double read = d->read, written = d->written;
	double far = end == FAR ? (double)t->sector : 0;
	read += without == STRIDES ? 0 : d->wasted + (end == FAR ? d->spread : 0);
	if (without != PLACES) {
		read += far * d->read_at.cells - d->read_at.bytes;
		written += far * d->written_at.cells - d->written_at.bytes;
	}
	if (without != MEETING) {
		read += far * d->met;
		written += far * d->met;
	}
	written += end == FAR && without != KEPT ? d->kept : 0;
	double reached = d->behind && without != WAITING   ? m->reached.behind
	                 : d->staged && without != STAGING ? m->reached.staged
	                 : d->shared && without != SHARING ? m->reached.shared
	                                                   : 1;
	return read + written > 0 ? work_moving(read, written, m) / reached : 0;
}

static double cores(const struct demand *d, const struct machine *m, enum cause without)
{
	const struct reached *r = &m->reached;
	double plain = without == INSTRUCTIONS ? fmin(d->counted, d->instructions)
		: d->instructions;
	double all = plain + (without == STEPS ? 0 : d->steps);
	double units = d->turned && without != TURNING ? r->turned : r->units;
	return without == REACH && !d->turned ? all + d->units : all / r->cores + d->units / units;
}

/* Seconds of a unit. */
static double seconds(const struct demand *d, const struct target *t, const struct machine *m,
                      enum end end, enum cause without)
{
	bool places = without != PLACES, meet = without != MEETING && !(end == NEAR && d->met_near);
	double cache = places ? work_moving((d->read_at.cells + d->written_at.cells) * t->piece,
	                                    0, m) : 0;
	double atomics = meet ? d->met / (m->reached.atomics * 1e9) : 0;
	double idle = d->blocks > 0 && d->blocks < d->multiprocessors && without != BLOCKS
		? d->multiprocessors / d->blocks : 1;
	double time = cbrt(cubed(memory(d, t, m, end, without)) + cubed(cache) + cubed(atomics)
	                   + cubed(cores(d, m, without)));
	double launch = d->cells > 0 && without != LAUNCHES
		? d->launches * m->reached.launch * 1e-6 / d->cells : 0;
	return fmax(idle * time, d->bound) + launch;
}

static const char *launches_text(const struct demand *d, const struct machine *m)
{
	const char *time = remark_number(d->launches * m->reached.launch);
	return d->launches == 1 ? str_print("a launch takes %s us", time)
	                        : str_print("%d launches take %s us", d->launches, time);
}

static const char *cause_text(enum cause cause, const struct demand *d, const struct target *t,
                              const struct machine *m)
{
	const struct reached *r = &m->reached;
	switch (cause) {
	case STRIDES: return str_print("strided cells of `%s` waste %s%s a %s", d->strided,
		                       d->spread > 0 ? "up to " : "",
		                       remark_bytes(d->wasted + d->spread), d->unit);
	case PLACES: return str_print("random places of `%s`, %d B of memory each if no cache has "
		                      "them", d->random, t->sector);
	case MEETING: return str_print("atomic operations at random cells of `%s`", d->meets);
	case KEPT: return str_print("data decide how much is written");
	case SHARING: return str_print("blocks that share cells reach %s of a copy",
		                       remark_number(r->shared));
	case STAGING: return str_print("blocks that fill tiles first reach %s of a copy",
		                       remark_number(r->staged));
	case WAITING: return str_print("tiles that wait for the one before reach %s of a copy",
		                       remark_number(r->behind));
	case INSTRUCTIONS: return str_print("%s instructions a %s",
		                            remark_number(d->count), d->unit);
	case STEPS: return "functions of several steps";
	case REACH: return d->units > 0 ? str_print("%s of the matrix units' rate is reached",
		                                    remark_number(r->units))
		                        : str_print("%s of the cores' rate is reached",
		                                    remark_number(r->cores));
	case TURNING: return str_print("bytes of `%s` are turned one by one", d->turned);
	case BLOCKS: return str_print("too few blocks: %.0f for %.0f multiprocessors", d->blocks,
		                      d->multiprocessors);
	case LAUNCHES: return launches_text(d, m);
	case CAUSE_NONE:
	case CAUSES: break;
	}
	return NULL;
}

enum { LEAST_PERCENT = 2 };              /* of the time: less is no reason */

static void add_reason(struct expected *e, struct reason reason)
{
	int at = e->n < MOST_REASONS ? e->n++ : MOST_REASONS;
	for (; at > 0 && e->reason[at - 1].part < reason.part; at--)
		if (at < MOST_REASONS)
			e->reason[at] = e->reason[at - 1];
	if (at < MOST_REASONS)
		e->reason[at] = reason;
}

struct expected expect(const struct demand *d, const struct target *t, const struct machine *m)
{
	double near = seconds(d, t, m, NEAR, CAUSE_NONE), far = seconds(d, t, m, FAR, CAUSE_NONE);
	double launch = d->launches * m->reached.launch;
	struct expected e = { .share = d->bound / near, .low = d->bound / far, .cells = d->cells,
		              .launch = launches_text(d, m), .unit = d->unit };
	e.from = d->cells > 0 ? 0 : exp2(ceil(log2(9 * launch * 1e-6 / near)));
	for (enum cause c = CAUSE_NONE + 1; c < CAUSES; c++) {
		double part = 1 - seconds(d, t, m, FAR, c) / far;
		if (part * 100 >= LEAST_PERCENT)
			add_reason(&e, (struct reason){ cause_text(c, d, t, m), part });
	}
	return e;
}

/* ---- a statement ---- */

bool expected_of(const struct plan *plan, const struct node *node, const struct machine *m,
                 struct expected *e)
{
	struct work w = work_of(node);
	bool computed = false, at_most = false;
	const char *unknown = NULL;
	for (int k = 0; k < plan->kernel.n; k++)
		computed |= kernel_computes(plan->kernel.at[k], node);
	if (!m || !plan->target->gpu || !computed || !work_roofline(&w, m).by)
		return false;
	struct demand d = demand_of(plan, node, &w, m, &unknown, &at_most);
	*e = (struct expected){ .share = 0 };
	if (!unknown || at_most)
		*e = expect(&d, plan->target, m);
	e->unknown = unknown;
	e->at_most = at_most;
	return true;
}

/* ---- text ---- */

static const char *share_text(double share)
{
	return str_print("%.2f", share);
}

static const char *size_text(const struct expected *e)
{
	if (e->cells > 0)
		return str_print(" at %.0f %s%s", e->cells, e->unit, e->cells > 1 ? "s" : "");
	return str_print(" from 2^%.0f %ss on (%s)", log2(e->from), e->unit, e->launch);
}

const char *expected_text(const struct expected *e)
{
	const char *low = share_text(e->low), *share = share_text(e->share);
	if (e->unknown)
		return str_print("not known: %s%s", e->unknown,
		                 e->at_most ? str_print("; at most %s of the bound", share) : "");
	const char *text = e->share < 0.005     ? "less than 0.01 of the bound"
	                 : strcmp(low, share)   ? str_print("%s to %s of the bound", low, share)
	                 : strcmp(low, "1.00")  ? str_print("%s of the bound", share)
	                                        : "all of the bound";
	text = str_print("%s%s", text, size_text(e));
	for (int i = 0; i < e->n; i++)
		text = str_print("%s%s%s", text, i ? ", " : "; the rest: ", e->reason[i].text);
	return text;
}
