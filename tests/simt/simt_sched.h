/* simt_sched.h - threads, warps and blocks, between simt.cpp (who runs when) and simt_warp.cpp
 * (what a running thread may call). */
#ifndef SIMT_SCHED_H
#define SIMT_SCHED_H

#include "simt_int.h"

#include <deque>

namespace simt {

enum State : char { RUN, BARRIER, GROUP, DONE };

struct Group {
	uint64_t mask, arrived;
	uint64_t value[64];
	int line, leaving;
	bool implied, done, sync;
};

struct Deferred {
	void (*run)(void *);
	int part;
	alignas(16) char state[LATER_BYTES];
};

struct Fiber {
	void *sp;
	char *stack;
	uint3 tid;
	int thread, warp, lane, line;
	State state;
	std::vector<Deferred> later[2]; /* simt_later.cpp, by Later; parts that are closed */
	int parts[2];
	unsigned asked;
};

struct Warp {
	uint64_t alive;
	std::deque<Group> groups; /* reused; a deque, as lanes hold references to its elements */
};

struct Block {
	uint3 idx;
	int lin, slot, alive;
	unsigned pace; /* it takes a turn in one round of so many */
	int pred; /* how many threads brought a true predicate to the barrier that is filling */
	int result; /* the same of the barrier that has just opened */
	std::vector<Fiber> fibers;
	std::vector<Warp> warps;
	char *dynamic;
};

struct Options {
	int order, seed, resident, preempt, strict, spin; /* SIMT_REV, SIMT_SEED, ... */
};

/* The launch that is running. */
extern int threads, lanes; /* of a block, of a warp */
extern Block *block;       /* whose thread runs, or ran last */
extern Fiber *fiber;
extern long polls;         /* loads of flags, and naps */
extern long changes;       /* of what they could see */
extern long pauses;        /* times that a thread gave way to other warps */
extern int poll_line;      /* where the last was */
extern int burst;          /* atomics in a row by the running thread */
extern Options opt;

[[noreturn]] void die(const char *what, int line);
unsigned random_below(unsigned n);
void to_main(); /* the running thread stops, in the state that it has set */
void finish(Block &b, int warp, Group &g); /* wakes the lanes of a group */

/* simt_shared.cpp: static shared variables, 0xff when a block begins */
void shared_launch(int slots);
void shared_launched();
void shared_begin(const Block &b);
void shared_in_place(const Block &b); /* its turn has come */
void shared_end();                    /* of the block in place */
bool shared_touched(const void *address); /* by a kernel; false: it is no closed page of them */

static inline int warp_base(int warp) { return warp * lanes; }
static inline int warp_size(int warp)
{
	int n = threads - warp_base(warp);
	return n < lanes ? n : lanes;
}
static inline uint64_t low_bits(int n) { return n >= 64 ? ~0ull : (1ull << n) - 1; }

} /* namespace simt */

#endif
