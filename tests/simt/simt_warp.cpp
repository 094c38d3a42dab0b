/* simt_warp.cpp - what a running thread calls: collectives, barriers, atomics, flags.
 *
 * Collectives.  The lanes named in a mask meet in a Group: each leaves its value, the last one
 * wakes the others, and every lane takes what it needs.  HIP's forms name no mask: there the
 * lanes that reach the same source line are a group once nothing else in the warp can run,
 * which is what lanes in divergent code do on a GPU (finish_stalled in simt.cpp).
 *
 * What is an error here though some GPUs let it pass: a barrier or a mask that counts on lanes
 * which have returned (SIMT_STRICT=0 lets it pass), and lanes of one mask that meet at
 * different source lines.  A shuffle that reads a lane which takes no part gives 0xff bytes.
 *
 * Atomics.  No other thread runs unless this one stops, so plain loads and stores will do.
 */
#include "simt_sched.h"

#include <string.h>

namespace simt {

void finish(Block &b, int warp, Group &g)
{
	g.done = true;
	g.leaving = __builtin_popcountll(g.arrived);
	if (g.sync)
		race::warp_sync(b.lin, warp, g.arrived,
				g.arrived == b.warps[(size_t)warp].alive);
	for (uint64_t m = g.arrived; m; m &= m - 1)
		b.fibers[(size_t)(warp_base(warp) + __builtin_ctzll(m))].state = RUN;
}

namespace {

/* The open group of this mask; for implied masks, of this line. */
Group &find_group(Warp &w, uint64_t mask, bool implied, int line)
{
	Group *unused = NULL;
	for (Group &g : w.groups) {
		if (g.done && !g.leaving)
			unused = &g;
		else if (!g.done && g.implied == implied &&
			 (implied ? g.line == line : g.mask == mask))
			return g;
	}
	if (!unused)
		unused = &w.groups.emplace_back();
	unused->arrived = 0; /* the values need no clearing */
	unused->done = false;
	unused->mask = mask;
	unused->implied = implied;
	unused->line = line;
	return *unused;
}

/* The existing lanes that a mask names, after the checks that need nobody else. */
uint64_t check_mask(uint64_t mask, const Warp &w, int line)
{
	mask &= low_bits(warp_size(fiber->warp));
	if (!(mask >> fiber->lane & 1))
		die("a lane is not in its own mask", line);
	if (mask & ~w.alive) {
		if (opt.strict)
			die("the mask names lanes that have returned", line);
		mask &= w.alive;
	}
	return mask;
}

/* Leaves a value and waits for the others.  The caller reads what it wants of the group at once:
 * it may be reused at the lane's next collective. */
Group &gather(bool implied, uint64_t mask, uint64_t value, bool sync, int line)
{
	Warp &w = block->warps[(size_t)fiber->warp];
	if (!implied)
		mask = check_mask(mask, w, line);
	Group &g = find_group(w, implied ? 0 : mask, implied, line);
	if (g.line != line)
		die("lanes of one mask meet at different lines", line);
	g.sync = sync;
	g.value[fiber->lane] = value;
	g.arrived |= 1ull << fiber->lane;
	if (g.arrived == (implied ? w.alive : g.mask)) {
		finish(*block, fiber->warp, g);
	} else {
		fiber->line = line;
		fiber->state = GROUP;
		to_main();
	}
	g.leaving--;
	return g;
}

int shuffle_source(Shuffle kind, int arg, int width, int me)
{
	int first = me & ~(width - 1), last = first + width - 1, src = me;
	switch (kind) {
	case INDEX:
		src = first + (arg & (width - 1));
		break;
	case XOR:
		src = me ^ arg;
		break;
	case UP:
		src = me - arg;
		return src < first ? me : src;
	case DOWN:
		src = me + arg;
		break;
	}
	return src > last || src < 0 ? me : src;
}

/* Waits at a barrier; how many threads brought a true predicate. */
int wait_barrier(int pred, int line)
{
	fiber->state = BARRIER;
	fiber->line = line;
	block->pred += pred != 0;
	to_main();
	return block->result;
}

void pause()
{
	pauses++;
	to_main();
}

/* The running thread waits for others. */
void poll(int line)
{
	polls++;
	poll_line = line;
	pause();
}

/* Gives way at one atomic in SIMT_PREEMPT, and after many in a row, which may be a spin lock. */
void maybe_pause(int line)
{
	if (++burst > 1000)
		poll(line);
	else if (opt.preempt && random_below((unsigned)opt.preempt) == 0)
		pause();
}

} /* namespace */

void nap(int line) { poll(line); }
void trap(int line) { die("trap", line); }
void *dynamic_shared() { return block->dynamic; }
int lane() { return fiber->lane; }

uint64_t shuffle(Shuffle kind, bool implied, uint64_t mask, uint64_t bits, int arg, int width,
		 int line)
{
	if (width < 1 || width > lanes || (width & (width - 1)))
		die("the width of a shuffle is not a power of two within the warp", line);
	int src = shuffle_source(kind, arg, width, fiber->lane);
	const Group &g = gather(implied, mask, bits, false, line);
	return g.arrived >> src & 1 ? g.value[src] : ~0ull;
}

uint64_t vote(Vote kind, bool implied, uint64_t mask, int pred, int line)
{
	const Group &g = gather(implied, mask, pred != 0, kind == SYNC, line);
	uint64_t yes = 0;
	for (uint64_t m = g.arrived; m; m &= m - 1)
		yes |= g.value[__builtin_ctzll(m)] << __builtin_ctzll(m);
	switch (kind) {
	case BALLOT:
	case ACTIVE:
		return yes;
	case ANY:
		return yes != 0;
	case ALL:
		return yes == g.arrived;
	case SYNC:
		break;
	}
	return 0;
}

uint64_t match(uint64_t mask, uint64_t bits, int line)
{
	const Group &g = gather(false, mask, bits, false, line);
	uint64_t same = 0;
	for (uint64_t m = g.arrived; m; m &= m - 1)
		if (g.value[__builtin_ctzll(m)] == bits)
			same |= m & -m;
	return same;
}

int64_t fold(Fold kind, uint64_t mask, int64_t v, int line)
{
	const Group &g = gather(false, mask, (uint64_t)v, false, line);
	int64_t r = (int64_t)g.value[__builtin_ctzll(g.arrived)];
	for (uint64_t m = g.arrived & (g.arrived - 1); m; m &= m - 1) {
		int64_t x = (int64_t)g.value[__builtin_ctzll(m)];
		switch (kind) {
		case ADD: r += x; break;
		case MIN: r = x < r ? x : r; break;
		case MAX: r = r < x ? x : r; break;
		case AND: r &= x; break;
		case OR: r |= x; break;
		case EXOR: r ^= x; break;
		}
	}
	return r;
}

namespace {

uint64_t load(const void *p, int size)
{
	switch (size) {
	case 1: return *(const volatile uint8_t *)p;
	case 2: return *(const volatile uint16_t *)p;
	case 4: return *(const volatile uint32_t *)p;
	default: return *(const volatile uint64_t *)p;
	}
}

void store(void *p, int size, uint64_t v)
{
	switch (size) {
	case 1: *(volatile uint8_t *)p = (uint8_t)v; break;
	case 2: *(volatile uint16_t *)p = (uint16_t)v; break;
	case 4: *(volatile uint32_t *)p = (uint32_t)v; break;
	default: *(volatile uint64_t *)p = v; break;
	}
}

} /* namespace */

uint64_t atomic_begin(void *p, int size, int line)
{
	const void *pc = __builtin_return_address(0);
	maybe_pause(line);
	race::atomic(p, size, pc);
	return load(p, size);
}

void atomic_end(void *p, int size, uint64_t bits)
{
	changes += load(p, size) != bits;
	store(p, size, bits);
}

/* A load that may spin always gives way. */
void flag_load(const void *p, void *to, int size, bool acquire, int line)
{
	const void *pc = __builtin_return_address(0);
	poll(line);
	race::flag_load(p, size, acquire, pc);
	memcpy(to, p, (size_t)size);
}

void flag_store(void *p, const void *from, int size, bool release, int line)
{
	const void *pc = __builtin_return_address(0);
	maybe_pause(line);
	race::flag_store(p, size, release, pc);
	changes += memcmp(p, from, (size_t)size) != 0;
	memcpy(p, from, (size_t)size);
	maybe_pause(line);
}

void fence(bool device)
{
	if (device)
		race::fence();
}

} /* namespace simt */

void __syncthreads(int line) { simt::wait_barrier(0, line); }
int __syncthreads_count(int pred, int line) { return simt::wait_barrier(pred, line); }
int __syncthreads_or(int pred, int line) { return simt::wait_barrier(pred, line) > 0; }
int __syncthreads_and(int pred, int line)
{
	return simt::wait_barrier(!pred, line) == 0;
}
