/* simt.cpp - runs kernels: a fiber per GPU thread, one OS thread in all (x86-64, ELF).
 *
 * Scheduling.  A warp runs lane by lane until every lane has blocked or polls a flag, then the
 * next warp; when all live threads of the block wait at the same barrier, it opens.  By default
 * one block is resident and runs to its end before the next; SIMT_RESIDENT=n interleaves n blocks,
 * whose shared variables (one ELF section) are swapped in and out: each runs to its next barrier
 * or poll.  SIMT_REV and SIMT_SEED choose other orders; the random one gives each block, in every
 * second launch, a pace of its own, so that some fall far behind.  SIMT_PREEMPT=k gives way at one
 * atomic in k.
 * All orders are deterministic.
 *
 * Livelock.  A turn of a block in which some thread polled, and nothing happened that a poll could
 * see (a flag or an atomic with a new value, a thread that ended, a block that began), is idle;
 * after SIMT_SPIN polls in such turns in a row, nothing will ever happen.  Polls are counted, not
 * turns: a lane alone that looks at many cells before it changes one takes as many turns.
 *
 * The cost of a switch is about 10 ns; each fiber has a 64 KiB stack over a guard page.  Stack
 * tops are staggered, as 4 KiB-aligned tops of many fibers would share a few cache sets.
 */
#include "simt_sched.h"

#include <algorithm>
#include <memory>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#ifdef __SANITIZE_ADDRESS__
#include <sanitizer/common_interface_defs.h>
#endif

uint3 threadIdx, blockIdx;
dim3 blockDim, gridDim;

namespace simt {

int threads, lanes, burst;
long polls, changes, pauses;
int poll_line;
Block *block;
Fiber *fiber;
Options opt;

namespace {

const Start *start;
long idle;         /* polls since the last change, in turns that all polled */
int begun, blocks_in_all;
bool uneven;       /* blocks have a pace of their own */

enum { STACK = 64 << 10, GUARD = 4 << 10, MAX_THREADS = 1024 };
/* at a time: Linux gives a process 65,530 maps, and a stack is two */
enum { MOST_FIBERS = 24 << 10 };
int slots;
void *main_sp;
uint64_t random_state;

std::vector<std::unique_ptr<Block>> blocks; /* by slot; kept from launch to launch */
std::vector<char *> stacks;

} /* namespace */

unsigned random_below(unsigned n)
{
	random_state ^= random_state << 13;
	random_state ^= random_state >> 7;
	random_state ^= random_state << 17;
	return (unsigned)((random_state >> 33) % n);
}

namespace {

template <class T> void shuffle_vector(std::vector<T> &v)
{
	for (size_t i = v.size(); i > 1; i--)
		std::swap(v[i - 1], v[random_below((unsigned)i)]);
}

/* 0..n-1 in the order that SIMT_REV asks for. */
void put_order(std::vector<int> &v, int n)
{
	v.resize((size_t)n);
	for (int i = 0; i < n; i++)
		v[(size_t)i] = opt.order == 1 ? n - 1 - i : i;
	if (opt.order > 1)
		shuffle_vector(v);
}

} /* namespace */

[[noreturn]] void die(const char *what, int line)
{
	std::string name = start ? places({start->kernel})[0].function : "?";
	fflush(stdout);
	fprintf(stderr,
		"simt: %s: line %d, kernel %s, block (%u,%u,%u) thread (%u,%u,%u)\n",
		what, line, name.c_str(), blockIdx.x, blockIdx.y, blockIdx.z,
		threadIdx.x, threadIdx.y, threadIdx.z);
	fflush(NULL);
	_exit(EXIT_ERROR);
}

namespace {

[[noreturn]] void die_at(const Fiber &f, const char *what)
{
	threadIdx = f.tid;
	die(what, f.line);
}

/* ---- fibers ---- */

#ifdef __SANITIZE_ADDRESS__
/* AddressSanitizer wants to know whose stack is in use. */
const void *main_bottom;
size_t main_size;
void *fake_main;
void before_main(bool last, void **fake)
{
	__sanitizer_start_switch_fiber(last ? NULL : fake, main_bottom, main_size);
}
void after_main(void *fake) { __sanitizer_finish_switch_fiber(fake, NULL, NULL); }
void first_time() { __sanitizer_finish_switch_fiber(NULL, &main_bottom, &main_size); }
void before_fiber(const Fiber &f)
{
	__sanitizer_start_switch_fiber(&fake_main, f.stack, STACK);
}
void after_fiber() { __sanitizer_finish_switch_fiber(fake_main, NULL, NULL); }
#else
inline void before_main(bool, void **) {}
inline void after_main(void *) {}
inline void first_time() {}
inline void before_fiber(const Fiber &) {}
inline void after_fiber() {}
#endif

/* Leaves the stack pointer at *save and goes on where `load` was left.  It jumps, and is part of
 * its two callers: a call and its return would each be mispredicted, as the processor expects
 * returns to where calls came from, and that is in the other stack.  The compiler keeps what
 * registers hold. */
inline __attribute__((always_inline)) void switch_stack(void **save, void *load)
{
	asm volatile("leaq -128(%%rsp),%%rsp\n\t" /* the red zone */
		     "pushq %%rbp\n\t"
		     "leaq 1f(%%rip),%%rax\n\t"
		     "pushq %%rax\n\t"
		     "movq %%rsp,(%0)\n\t"
		     "movq %1,%%rsp\n\t"
		     "popq %%rax\n\t"
		     "jmp *%%rax\n"
		     "1:\tpopq %%rbp\n\t"
		     "leaq 128(%%rsp),%%rsp"
		     : "+D"(save), "+S"(load)
		     :
		     : "rax", "rbx", "rcx", "rdx", "r8", "r9", "r10", "r11", "r12", "r13", "r14",
		       "r15", "xmm0", "xmm1", "xmm2", "xmm3", "xmm4", "xmm5", "xmm6", "xmm7",
		       "xmm8", "xmm9", "xmm10", "xmm11",
		       "xmm12", "xmm13", "xmm14", "xmm15", "cc", "memory");
}

} /* namespace */

void to_main()
{
	Fiber *me = fiber;
	void *fake = NULL;
	before_main(me->state == DONE, &fake);
	switch_stack(&me->sp, main_sp);
	after_main(fake);
}

namespace {

/* The bottom of every fiber. */
void entry()
{
	first_time();
	start->call(start->self);
	fiber->state = DONE;
	changes++;
	block->alive--;
	block->warps[(size_t)fiber->warp].alive &= ~(1ull << fiber->lane);
	to_main();
	abort();
}

void resume(Fiber &f)
{
	fiber = &f;
	threadIdx = f.tid;
	burst = 0;
	race::enter(block->slot, block->lin, f.thread);
	before_fiber(f);
	switch_stack(&main_sp, f.sp);
	after_fiber();
	race::leave();
}

char *new_stack()
{
	void *p = mmap(NULL, STACK + GUARD, PROT_READ | PROT_WRITE,
		       MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	if (p == MAP_FAILED || mprotect(p, GUARD, PROT_NONE)) {
		perror("simt: no room for stacks");
		_exit(EXIT_ERROR);
	}
	return (char *)p + GUARD;
}

/* A stack that switch_stack can take up: it jumps to what lies on top.  entry() finds it aligned as
 * behind a call. */
void *fresh_stack(char *stack, int thread)
{
	void **sp = (void **)(stack + STACK - thread % 61 * 320 / 64 * 64) - 2;
	sp[0] = (void *)entry;
	return sp;
}

/* ---- barriers ---- */

/* Opens the barrier if every live thread waits at it. */
bool open_barrier(Block &b)
{
	const Fiber *first = NULL;
	int waiting = 0;
	for (const Fiber &f : b.fibers) {
		if (f.state != BARRIER)
			continue;
		if (first && f.line != first->line)
			die_at(f, "threads of one block wait at different barriers");
		if (!first)
			first = &f;
		waiting++;
	}
	if (!waiting || waiting != b.alive)
		return false;
	if (waiting != threads && opt.strict)
		die_at(*first, "barrier after some threads of the block have returned");
	b.result = b.pred;
	b.pred = 0;
	for (Fiber &f : b.fibers)
		if (f.state == BARRIER)
			f.state = RUN;
	race::barrier(b.lin);
	return true;
}

/* Whether all that this lane's group lacks is lanes that have returned. */
bool waits_for_returned(const Block &b, const Fiber &f)
{
	const Warp &w = b.warps[(size_t)f.warp];
	for (const Group &g : w.groups)
		if (!g.done && (g.arrived >> f.lane & 1))
			return !(g.mask & ~g.arrived & w.alive);
	return false;
}

[[noreturn]] void deadlock(const Block &b)
{
	for (const Fiber &f : b.fibers)
		if (f.state == GROUP)
			die_at(f, waits_for_returned(b, f)
					  ? "not all lanes named in the mask arrive: "
					    "the others have returned"
					  : "deadlock: not all lanes named in the mask arrive");
	for (const Fiber &f : b.fibers)
		if (f.state == BARRIER)
			die_at(f, "deadlock: barrier in divergent code");
	die("deadlock", 0);
}

/* ---- schedule ---- */

/* Says what is waited for, and whether it could come from a block that is not there. */
[[noreturn]] void livelock()
{
	std::string text = "livelock: all threads spin, or wait for those that do";
	if (begun < blocks_in_all)
		text += "; " + std::to_string(blocks_in_all - begun) + " of " +
			std::to_string(blocks_in_all) +
			" blocks have not started, and may not as long as others wait for them";
	die(text.c_str(), poll_line);
}

/* Resumes every runnable lane once: true if there was one.  With many blocks resident, the stacks
 * are in no cache: the one of the lane after next is asked for while this one runs. */
bool pass(Block &b, int warp)
{
	bool any = false;
	int n = warp_size(warp);
	Fiber *lane = &b.fibers[(size_t)warp_base(warp)];
	for (int i = 0; i < n; i++) {
		Fiber &f = lane[opt.order ? n - 1 - i : i];
		if (i + 2 < n)
			__builtin_prefetch(lane[opt.order ? n - 3 - i : i + 2].sp, 1);
		if (f.state != RUN)
			continue;
		resume(f);
		any = true;
	}
	return any;
}

/* With no lane of the warp able to run, the lanes at one line of mask-free code are a group. */
bool finish_stalled(Block &b, int warp)
{
	Warp &w = b.warps[(size_t)warp];
	for (int i = 0; i < warp_size(warp); i++)
		if (b.fibers[(size_t)(warp_base(warp) + i)].state == RUN)
			return false;
	for (Group &g : w.groups) {
		bool enough = g.implied || (!opt.strict && !(g.mask & ~g.arrived & w.alive));
		if (!g.done && g.arrived && enough) {
			finish(b, warp, g);
			return true;
		}
	}
	return false;
}

/* Until every lane has blocked, or one has given way; true if a lane ran. */
bool run_warp(Block &b, int warp)
{
	bool any = false;
	for (;;) {
		long before = pauses;
		bool ran = pass(b, warp);
		any |= ran;
		if (pauses != before || (!ran && !finish_stalled(b, warp)))
			return any;
	}
}

/* A turn of a block: every warp runs, and a barrier opens if all have come to it. */
void step(Block &b)
{
	static std::vector<int> order;
	long polls_before = polls, changes_before = changes;
	bool any = false;
	block = &b;
	blockIdx = b.idx;
	put_order(order, (int)b.warps.size());
	for (int w : order)
		any |= run_warp(b, w);
	if (!open_barrier(b) && b.alive && !any)
		deadlock(b);
	idle = polls == polls_before || changes != changes_before ? 0
							       : idle + polls - polls_before;
	if (idle > opt.spin)
		livelock();
}

/* ---- launch ---- */

void begin_threads(Block &b)
{
	dim3 d = start->block;
	b.fibers.resize((size_t)threads);
	b.warps.resize((size_t)((threads + lanes - 1) / lanes));
	for (size_t w = 0; w < b.warps.size(); w++) {
		b.warps[w].alive = low_bits(warp_size((int)w));
		b.warps[w].groups.clear();
	}
	while (stacks.size() < (size_t)(b.slot + 1) * (size_t)threads)
		stacks.push_back(new_stack());
	for (int t = 0; t < threads; t++) {
		Fiber &f = b.fibers[(size_t)t];
		for (Later kind : {COPIES, UNITS}) {
			f.later[kind].clear();
			f.parts[kind] = 0;
		}
		f.asked = 0;
		unsigned u = (unsigned)t;
		f.tid = {u % d.x, u / d.x % d.y, u / d.x / d.y};
		f.thread = t;
		f.warp = t / lanes;
		f.lane = t % lanes;
		f.state = RUN;
		f.stack = stacks[(size_t)(b.slot * threads + t)];
		f.sp = fresh_stack(f.stack, t);
	}
}

void begin_block(Block &b, int slot, int lin)
{
	dim3 g = start->grid;
	unsigned u = (unsigned)lin;
	b.slot = slot;
	b.lin = lin;
	b.idx = {u % g.x, u / g.x % g.y, u / g.x / g.y};
	b.alive = threads;
	b.pred = b.result = 0;
	b.pace = uneven ? 1u << random_below(6) : 1;
	begun++;
	changes++;
	begin_threads(b);
	if (start->shared)
		memset(b.dynamic, 0xff, start->shared);
	shared_begin(b);
	race::block_begin(slot, lin, threads, b.dynamic, start->shared);
}

/* Keeps the slots filled with blocks in the wanted order, and steps them in turn. */
void run_blocks(int nblocks)
{
	std::vector<int> order;
	std::vector<Block *> active, unused;
	int next = 0;
	put_order(order, nblocks);
	for (int s = slots; s--;)
		unused.push_back(blocks[(size_t)s].get());
	while (next < nblocks || !active.empty()) {
		while (next < nblocks && !unused.empty()) {
			Block *b = unused.back();
			unused.pop_back();
			begin_block(*b, b->slot, order[(size_t)next++]);
			active.push_back(b);
		}
		if (opt.order > 1)
			shuffle_vector(active);
		for (size_t i = 0; i < active.size();) {
			Block *b = active[i];
			if (slots > 1 && random_below(b->pace)) {
				i++;
				continue;
			}
			shared_in_place(*b);
			do
				step(*b);
			while (slots == 1 && b->alive);
			if (b->alive) {
				i++;
				continue;
			}
			race::block_end(b->slot, b->lin);
			shared_end();
			unused.push_back(b);
			active.erase(active.begin() + (long)i);
		}
	}
}

void prepare_slots()
{
	while (blocks.size() < (size_t)slots)
		blocks.emplace_back(new Block());
	for (int s = 0; s < slots; s++) {
		Block &b = *blocks[(size_t)s];
		b.slot = s;
		b.dynamic = NULL;
		void *p = NULL;
		/* exact size, so that AddressSanitizer's red zone is right behind */
		if (start->shared && posix_memalign(&p, 1024, start->shared))
			die("out of host memory", 0);
		b.dynamic = (char *)p;
	}
}

void release_slots()
{
	for (int s = 0; s < slots; s++)
		free(blocks[(size_t)s]->dynamic);
}

void read_knobs()
{
	static int launches;
	opt.order = knob("SIMT_REV", 0);
	opt.seed = knob("SIMT_SEED", 1);
	opt.resident = knob("SIMT_RESIDENT", 1);
	if (opt.resident < 1)
		opt.resident = 1;
	opt.preempt = knob("SIMT_PREEMPT", 0);
	opt.strict = knob("SIMT_STRICT", 1);
	opt.spin = knob("SIMT_SPIN", 500000);
	random_state = 0x9e3779b97f4a7c15ull * (uint64_t)(unsigned)(opt.seed + 1) +
		       (uint64_t)launches++ * 0xbf58476d1ce4e5b9ull + 1;
}

/* What the hardware refuses; NULL if nothing. */
const char *refusal(const Start &s, cudaError_t &error)
{
	uint64_t n = (uint64_t)s.block.x * s.block.y * s.block.z;
	error = cudaErrorInvalidConfiguration;
	if (!s.grid.x || !s.grid.y || !s.grid.z || !n)
		return "a dimension is 0";
	if (s.grid.x > 2147483647u || s.grid.y > 65535 || s.grid.z > 65535)
		return "grid too large";
	if (s.block.x > 1024 || s.block.y > 1024 || s.block.z > 64 || n > MAX_THREADS)
		return "block too large";
	error = cudaErrorInvalidValue;
	if (s.shared > (size_t)dynamic_limit(s.kernel, s.warp))
		return "too much dynamic shared memory";
	error = cudaSuccess;
	return NULL;
}

cudaError_t check_start(const Start &s)
{
	cudaError_t error;
	const char *what = refusal(s, error);
	if (what)
		fprintf(stderr,
			"simt: bad launch: %s: kernel %s, grid (%u,%u,%u) block (%u,%u,%u)\n",
			what, places({s.kernel})[0].function.c_str(), s.grid.x, s.grid.y,
			s.grid.z, s.block.x, s.block.y, s.block.z);
	return error;
}

/* A kernel that spins on a plain load never comes back to the scheduler; one that strays from all
 * memory, or fills its stack, goes no further.  AddressSanitizer says more about the second. */
void interrupted(int cause)
{
	char text[200];
	if (!start) { /* the host's own */
		signal(cause, SIG_DFL);
		return;
	}
	int n = snprintf(text, sizeof text,
	    "simt: %s: kernel %s, block (%u,%u,%u) thread (%u,%u,%u)\n",
			 cause == SIGALRM ? "timeout: a thread does not return" : "wild access",
			 places({start->kernel})[0].function.c_str(),
			 blockIdx.x, blockIdx.y, blockIdx.z, threadIdx.x, threadIdx.y,
			 threadIdx.z);
	n = (int)write(2, text, (size_t)n);
	_exit(EXIT_ERROR);
}

#ifndef __SANITIZE_ADDRESS__
/* Not strayed: the kernel's first look at a page of its shared variables. */
void touched(int cause, siginfo_t *info, void *)
{
	if (start && shared_touched(info->si_addr))
		return;
	strayed(info->si_addr);
	interrupted(cause);
}
#endif

void catch_signals()
{
	signal(SIGALRM, interrupted);
	alarm((unsigned)knob("SIMT_TIMEOUT", 60));
#ifndef __SANITIZE_ADDRESS__
	static char room[64 << 10];
	stack_t other = {room, 0, sizeof room};
	struct sigaction action = {};
	action.sa_sigaction = touched;
	action.sa_flags = SA_ONSTACK | SA_SIGINFO;
	sigaltstack(&other, NULL);
	sigaction(SIGSEGV, &action, NULL);
#endif
}

} /* namespace */

cudaError_t run(const Start &s)
{
	cudaError_t bad = check_start(s);
	if (bad)
		return bad;
	if (count_launch(s.stream))
		return cudaErrorLaunchFailure;
	if (s.cooperative && knob("SIMT_COOPERATIVE", 1) == 2)
		return cudaErrorCooperativeLaunchTooLarge;
	if (start)
		die("a kernel launches a kernel", 0);
	uint64_t nblocks = (uint64_t)s.grid.x * s.grid.y * s.grid.z;
	if (nblocks > 2147483647)
		die("more blocks than the emulator can hold", 0);
	read_knobs();
	start = &s;
	threads = (int)(s.block.x * s.block.y * s.block.z);
	lanes = s.warp;
	slots = std::min(opt.resident, std::max(1, MOST_FIBERS / threads));
	slots = s.cooperative || (uint64_t)slots > nblocks ? (int)nblocks : slots;
	idle = begun = 0;
	blocks_in_all = (int)nblocks;
	uneven = opt.order > 1 && random_below(2);
	blockDim = s.block;
	gridDim = s.grid;
	catch_signals();
	prepare_slots();
	shared_launch(slots);
	device_visible(true);
	race::launch_begin(s.kernel, lanes, slots);
	run_blocks((int)nblocks);
	race::launch_end();
	shared_launched();
	device_visible(false);
	release_slots();
	alarm(0);
	start = NULL;
	fiber = NULL;
	return cudaSuccess;
}

} /* namespace simt */
