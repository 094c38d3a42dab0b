/* simt_later.cpp - what a thread begins and waits for: asynchronous copies (cp.async), and what the
 * unit of a group of warps multiplies (wgmma).  `instances` wraps the helpers whose text has these
 * instructions.
 *
 * On a GPU it happens at any time until the thread has waited for it, so text is right only if it
 * is right for the earliest and for the latest time.  SIMT_REV chooses: 0 the latest, 1 the
 * earliest, 2 one or the other for each copy, and for each part of a unit's work, the same of all
 * lanes of a warp.  A thread's copies of a part may land in any order; a unit multiplies in order.
 */
#include "simt_sched.h"

#include <string.h>

namespace simt {

static bool is_early(const Fiber &f)
{
	unsigned x = (unsigned)(opt.seed * 31 + block->lin * 17 + f.warp) * 2654435761u + f.asked;
	x = (x ^ x >> 15) * 0x2c1b3c6du;
	return opt.order == 1 || (opt.order > 1 && (x ^ x >> 13) % 2);
}

static void run_until(Fiber &f, Later kind, int part)
{
	auto &all = f.later[kind];
	size_t done = 0;
	while (done < all.size() && all[done].part < part) {
		all[done].run(all[done].state);
		done++;
	}
	all.erase(all.begin(), all.begin() + (long)done);
}

void later_add(Later kind, void (*run)(void *), const void *state, size_t bytes)
{
	Fiber &f = *fiber;
	Deferred d;
	f.asked++;
	d.run = run;
	d.part = f.parts[kind];
	memcpy(d.state, state, bytes);
	if (kind == COPIES && is_early(f))
		d.run(d.state);
	else
		f.later[kind].push_back(d);
}

void later_end(Later kind)
{
	Fiber &f = *fiber;
	f.asked++;
	f.parts[kind]++;
	if (kind == UNITS && is_early(f))
		run_until(f, kind, f.parts[kind]);
}

void later_wait(Later kind, int parts)
{
	run_until(*fiber, kind, fiber->parts[kind] - parts);
}

void later_wait_all(Later kind)
{
	run_until(*fiber, kind, fiber->parts[kind] + 1);
}

} /* namespace simt */
