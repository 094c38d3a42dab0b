/* simt_race.cpp - races, uninitialised reads, coalescing and bank conflicts.
 *
 * The generated file is compiled with -fsanitize=thread, which calls __tsan_read4 and the like
 * before every access, but it is linked with the functions below instead of libtsan.  This file
 * itself is compiled without.
 *
 * Shadow.  Each 4-byte word of device and shared memory remembers its last write and up to three
 * reads: the last one, one by another warp of that block and one by another block.  Two accesses
 * that overlap, one of them a write, not both atomic, race unless one of these orders them:
 *   same thread; a barrier of their block; a __syncwarp that both lanes took part in (shuffles
 *   and votes order no memory); from block to block, what the first block wrote before a
 *   __threadfence followed by an atomic, or before a release, once the second block has read that
 *   word by an acquire, or by an atomic followed by a __threadfence.  The last is kept as vector
 *   clocks with a component a block.
 * Each word also remembers which of its bytes were ever written: reading others is an error.
 * Shared words start anew with every block.  Reports name each pair of places once; the launch
 * that had any ends the program with status 98.
 *
 * Profile (SIMT_PROF=1 prints a table at exit, SIMT_PROF_FILE=path appends lines).  The accesses
 * by one warp at one place, the n-th time, are one request.  Global memory: distinct 32-byte
 * sectors, against the fewest that could hold the distinct words.  Shared memory: the largest
 * number of distinct words in one of 32 banks, against the fewest possible.  Build with
 * -fno-tree-sra, or g++ splits a float4 into four accesses.
 *
 * Limits: an acquire by one thread orders its whole block; equal values written twice are
 * reported; what the compiler would vectorise counts as it is written.
 */
#include "simt_int.h"

#include <algorithm>
#include <map>
#include <set>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <string>
#include <unistd.h>
#include <unordered_map>

namespace simt {
namespace {

typedef std::vector<unsigned> Clock; /* by block; absent components are 0 */

struct Access {
	const void *pc;
	int block, thread;
	unsigned barriers, warp_syncs, part_syncs, releases; /* the counts when it happened */
	uint8_t bytes; /* which of the word's four; 0 if there was no access */
	bool atomic;
};

struct Word {
	unsigned age; /* the launch or block that the accesses belong to */
	uint8_t written;
	Access write, read[3]; /* last, of another warp, of another block */
};

struct Region {
	uintptr_t lo, hi;
	bool shared;
	unsigned age;
	std::vector<Word> words;
};

struct WarpState {
	unsigned full, part;  /* __syncwarp of all live lanes, and of some */
	std::vector<unsigned> pair; /* [64 * lane + lane]: "part" when the two last met */
};

struct BlockState {
	unsigned barriers, releases;
	Clock clock;                 /* what this block has seen of the others */
	Clock pending;               /* seen by atomics and relaxed loads; a fence makes it count */
	std::vector<WarpState> warps;
	std::map<int, Clock> fenced; /* by thread: the clock at its last fence */
};

struct Report {
	const char *kind;
	bool shared;
	size_t offset;
	Access before;
	const void *pc;
	int block, thread;
};

/* The regions by address; the static shared variables have one for each slot instead, as slots
 * use the same addresses in turn. */
std::map<uintptr_t, Region *> regions;
std::vector<Region *> static_regions, dynamic_regions;
Region *last;

const void *kernel;
int lanes, slot, block = -1, thread, warp, lane_id;
unsigned age;
std::vector<BlockState> states;
BlockState *state; /* of the running block */
std::unordered_map<uintptr_t, Clock> flags; /* what an acquire of this word makes visible */
std::set<std::pair<const void *, const void *>> seen;
std::vector<Report> reports;
long count;

void join(Clock &to, const Clock &from)
{
	if (to.size() < from.size())
		to.resize(from.size());
	for (size_t i = 0; i < from.size(); i++)
		to[i] = std::max(to[i], from[i]);
}

/* ---- profile ---- */

struct Request {
	const void *pc;
	int thread_or_warp, nth;
	bool operator==(const Request &o) const
	{
		return pc == o.pc && thread_or_warp == o.thread_or_warp && nth == o.nth;
	}
};
struct RequestHash {
	size_t operator()(const Request &r) const
	{
		return ((size_t)r.pc * 31 + (size_t)r.thread_or_warp) * 131 + (size_t)r.nth;
	}
};
struct Span {
	uintptr_t at;
	int size;
};
struct Site {
	bool shared, write;
	int size;
	long requests, moved, ideal;
};

bool profiling;
/* of the blocks that are resident, by slot */
std::vector<std::unordered_map<Request, std::vector<Span>, RequestHash>> requests;
std::vector<std::unordered_map<Request, int, RequestHash>> times;
std::map<std::pair<const void *, const void *>, Site> sites; /* by kernel and place */

void profile(uintptr_t a, int size, bool write, bool shared, const void *pc)
{
	int n = times[(size_t)slot][{pc, thread, 0}]++;
	requests[(size_t)slot][{pc, warp, n}].push_back({a, size});
	Site &s = sites[{kernel, pc}];
	s.shared = shared;
	s.write = write;
	s.size = size;
}

long distinct(std::vector<uintptr_t> &v)
{
	std::sort(v.begin(), v.end());
	v.erase(std::unique(v.begin(), v.end()), v.end());
	return (long)v.size();
}

void count_request(Site &s, const std::vector<Span> &spans)
{
	std::vector<uintptr_t> words, sectors;
	for (const Span &p : spans) {
		for (uintptr_t w = p.at / 4; w <= (p.at + (uintptr_t)p.size - 1) / 4; w++)
			words.push_back(w);
		for (uintptr_t w = p.at / 32; w <= (p.at + (uintptr_t)p.size - 1) / 32; w++)
			sectors.push_back(w);
	}
	long n = distinct(words), ways[32] = {0};
	s.requests++;
	if (s.shared) {
		for (uintptr_t w : words)
			ways[w % 32]++;
		s.moved += *std::max_element(ways, ways + 32);
		s.ideal += (n + 31) / 32;
	} else {
		s.moved += distinct(sectors);
		s.ideal += (n + 7) / 8;
	}
}

void print_site(FILE *f, bool table, const std::string &name, const std::string &at, const Site &s)
{
	const char *text = table ? "%-24s %-20s %-6s %-5s %5d %9ld %9ld %9ld %7.2f\n"
				 : "kernel=%s at=%s space=%s op=%s bytes=%d requests=%ld moved=%ld "
				   "ideal=%ld ratio=%.2f\n";
	fprintf(f, text, name.c_str(), at.c_str(), s.shared ? "shared" : "global",
		s.write ? "store" : "load", s.size, s.requests, s.moved, s.ideal,
		(double)s.moved / (double)s.ideal);
}

/* Every place, and for each kernel, space and operation the sum, whose place is "*". */
void print_profile(FILE *f, bool table)
{
	std::vector<const void *> code;
	std::map<std::string, Site> sums;
	for (auto &s : sites) {
		code.push_back(s.first.first);
		code.push_back((const char *)s.first.second - 1);
	}
	std::vector<Place> p = places(code);
	size_t i = 0;
	if (table)
		fprintf(f, "%-24s %-20s %-6s %-5s %5s %9s %9s %9s %7s\n", "kernel", "at", "space",
			"op", "bytes", "requests", "moved", "ideal", "ratio");
	for (auto &s : sites) {
		const std::string &name = p[i].function, &at = p[i + 1].line;
		i += 2;
		print_site(f, table, name, at, s.second);
		Site &sum = sums[name + (s.second.shared ? "\1s" : "\1g") +
				 (s.second.write ? "w" : "r")];
		sum.shared = s.second.shared;
		sum.write = s.second.write;
		sum.requests += s.second.requests;
		sum.moved += s.second.moved;
		sum.ideal += s.second.ideal;
	}
	for (auto &s : sums)
		print_site(f, table, s.first.substr(0, s.first.find('\1')), "*", s.second);
}

struct AtExit {
	~AtExit()
	{
		const char *path = getenv("SIMT_PROF_FILE");
		if (sites.empty())
			return;
		if (knob("SIMT_PROF", 0))
			print_profile(stderr, true);
		FILE *f = path ? fopen(path, "a") : NULL;
		if (f) {
			print_profile(f, false);
			fclose(f);
		}
	}
} at_exit;

/* ---- races ---- */

bool ordered(const Access &p)
{
	if (p.block != block)
		return state->clock.size() > (size_t)p.block &&
		       state->clock[(size_t)p.block] > p.releases;
	if (p.thread == thread || p.barriers < state->barriers)
		return true;
	if (p.thread / lanes != warp)
		return false;
	const WarpState &w = state->warps[(size_t)warp];
	size_t pair = (size_t)(64 * (p.thread % lanes) + lane_id);
	return p.warp_syncs < w.full || (!w.pair.empty() && w.pair[pair] > p.part_syncs);
}

void report(const char *kind, const Region &r, uintptr_t a, const Access &before, const void *pc)
{
	count++;
	if (seen.insert({before.pc, pc}).second)
		reports.push_back({kind, r.shared, a - r.lo, before, pc, block, thread});
}

void check(const Access &p, const Access &now, const char *kind, const Region &r, uintptr_t a)
{
	if ((p.bytes & now.bytes) && !(p.atomic && now.atomic) && !ordered(p))
		report(kind, r, a, p, now.pc);
}

/* Keeps reads of different warps and blocks: a later write must be ordered with each. */
void remember_read(Word &w, const Access &now)
{
	Access old = w.read[0];
	if (old.bytes && old.block != now.block)
		w.read[2] = old;
	else if (old.bytes && old.thread / lanes != now.thread / lanes)
		w.read[1] = old;
	w.read[0] = now;
	if (old.bytes && old.block == now.block && old.thread == now.thread)
		w.read[0].bytes |= old.bytes;
}

void touch(Region &r, Word &w, const Access &now, bool read, bool write, uintptr_t a)
{
	if (w.age != r.age) {
		uint8_t written = r.shared ? 0 : w.written;
		w = Word();
		w.written = written;
		w.age = r.age;
	}
	if (read && (w.written & now.bytes) != now.bytes) {
		Access none = Access();
		report("uninitialised read", r, a, none, now.pc);
		w.written |= now.bytes; /* once is enough */
	}
	check(w.write, now, write ? "write-after-write" : "read-after-write", r, a);
	if (!write) {
		remember_read(w, now);
		return;
	}
	for (const Access &p : w.read)
		check(p, now, "write-after-read", r, a);
	w.write = now;
	w.written |= now.bytes;
	for (Access &p : w.read)
		p = Access();
}

Region *find_region(uintptr_t a)
{
	if (last && a >= last->lo && a < last->hi)
		return last;
	if (a >= (uintptr_t)__start_simt_shared && a < (uintptr_t)__stop_simt_shared)
		return last = static_regions[(size_t)slot];
	auto r = regions.upper_bound(a);
	if (r == regions.begin())
		return NULL;
	--r;
	if (a >= r->second->hi)
		return NULL;
	last = r->second;
	if (!last->shared)
		last->age = age;
	return last;
}

enum Kind { READ = 1, WRITE = 2, ATOMIC = 4 };

void access(const void *p, size_t size, int kind, const void *pc)
{
	uintptr_t a = (uintptr_t)p, end = a + size;
	if (block < 0 || !size)
		return;
	Region *r = find_region(a);
	if (!r)
		return;
	end = std::min(end, r->hi);
	if (profiling && !(kind & ATOMIC))
		profile(a, (int)size, kind & WRITE, r->shared, pc);
	const WarpState &w = state->warps[(size_t)warp];
	Access now = {pc, block, thread, state->barriers, w.full, w.part, state->releases, 0,
		      (kind & ATOMIC) != 0};
	for (uintptr_t i = (a - r->lo) / 4; r->lo + 4 * i < end; i++) {
		uintptr_t at = r->lo + 4 * i;
		now.bytes = 0;
		for (unsigned b = 0; b < 4; b++)
			if (at + b >= a && at + b < end)
				now.bytes |= (uint8_t)(1 << b);
		touch(*r, r->words[i], now, kind & READ, kind & WRITE, std::max(a, at));
	}
}

/* ---- reports ---- */

void print_report(const Report &r, const Place &before, const Place &now)
{
	fprintf(stderr, "RACE %s %s+%zu: ", r.kind, r.shared ? "shared" : "global", r.offset);
	if (r.before.pc)
		fprintf(stderr, "block %d thread %d (%s) then ", r.before.block, r.before.thread,
			before.line.c_str());
	fprintf(stderr, "block %d thread %d (%s)\n", r.block, r.thread, now.line.c_str());
}

[[noreturn]] void print_reports()
{
	std::vector<const void *> code = {kernel};
	for (const Report &r : reports) {
		code.push_back((const char *)r.before.pc - (r.before.pc != NULL));
		code.push_back((const char *)r.pc - 1);
	}
	std::vector<Place> p = places(code);
	fflush(stdout);
	for (size_t i = 0; i < reports.size(); i++)
		print_report(reports[i], p[2 * i + 1], p[2 * i + 2]);
	fprintf(stderr, "simt: kernel %s: %ld bad accesses, %zu distinct\n", p[0].function.c_str(),
		count, reports.size());
	fflush(NULL);
	_exit(EXIT_RACE);
}

Region *new_region(void *p, size_t n, bool shared)
{
	Region *r = new Region{(uintptr_t)p, (uintptr_t)p + n, shared, 0, {}};
	r->words.resize((n + 3) / 4);
	return r;
}

void drop(Region *r)
{
	if (last == r)
		last = NULL;
	if (r)
		regions.erase(r->lo);
	delete r;
}

} /* namespace */

/* ---- what the rest of the emulator tells ---- */

namespace race {

void launch_begin(const void *k, int warp_lanes, int slots)
{
	size_t n = (size_t)(__stop_simt_shared - __start_simt_shared);
	kernel = k;
	lanes = warp_lanes;
	age++;
	last = NULL;
	states.clear();
	flags.clear();
	profiling = knob("SIMT_PROF", 0) || getenv("SIMT_PROF_FILE");
	while (static_regions.size() < (size_t)slots)
		static_regions.push_back(new_region(__start_simt_shared, n, true));
	dynamic_regions.resize(static_regions.size());
	requests.resize(static_regions.size());
	times.resize(static_regions.size());
}

void launch_end()
{
	for (Region *&r : dynamic_regions) {
		drop(r);
		r = NULL;
	}
	if (count)
		print_reports();
}

void block_begin(int s, int b, int threads, void *dynamic, size_t n)
{
	if (states.size() <= (size_t)b)
		states.resize((size_t)b + 1);
	states[(size_t)b].warps.resize((size_t)((threads + lanes - 1) / lanes));
	static_regions[(size_t)s]->age++;
	last = NULL;
	if (!n)
		return;
	Region *&r = dynamic_regions[(size_t)s];
	if (!r)
		r = regions[(uintptr_t)dynamic] = new_region(dynamic, n, true);
	r->age++;
}

void block_end(int s, int b)
{
	for (auto &r : requests[(size_t)s])
		count_request(sites[{kernel, r.first.pc}], r.second);
	requests[(size_t)s].clear();
	times[(size_t)s].clear();
	states[(size_t)b].warps.clear();
	states[(size_t)b].fenced.clear();
}

void enter(int s, int b, int t)
{
	if (s != slot)
		last = NULL;
	slot = s;
	block = b;
	thread = t;
	warp = t / lanes;
	lane_id = t % lanes;
	state = &states[(size_t)b];
}

void leave() { block = -1; }
void barrier(int b) { states[(size_t)b].barriers++; }

void warp_sync(int b, int w, uint64_t who, bool all)
{
	WarpState &s = states[(size_t)b].warps[(size_t)w];
	if (all) {
		s.full++;
		return;
	}
	s.part++;
	s.pair.resize(64 * 64);
	for (uint64_t i = who; i; i &= i - 1)
		for (uint64_t j = who; j; j &= j - 1)
			s.pair[(size_t)(64 * __builtin_ctzll(i) + __builtin_ctzll(j))] = s.part;
}

/* A new epoch of this block, which whoever acquires the clock has seen the old ones of. */
static const Clock &release_clock()
{
	if (state->clock.size() <= (size_t)block)
		state->clock.resize((size_t)block + 1);
	state->clock[(size_t)block] = ++state->releases;
	return state->clock;
}

void fence()
{
	if (block < 0)
		return;
	join(state->clock, state->pending);
	state->pending.clear();
	state->fenced[thread] = release_clock();
}

static void acquire(const void *p, Clock &into)
{
	auto f = flags.find((uintptr_t)p);
	if (f != flags.end())
		join(into, f->second);
}

/* Publishes what this thread fenced, if it did. */
static void publish(const void *p)
{
	auto f = state->fenced.find(thread);
	if (f != state->fenced.end())
		join(flags[(uintptr_t)p], f->second);
}

void atomic(void *p, int size, const void *pc)
{
	access(p, (size_t)size, READ | WRITE | ATOMIC, pc);
	acquire(p, state->pending);
	publish(p);
}

void flag_load(const void *p, int size, bool acquires, const void *pc)
{
	access(p, (size_t)size, READ | ATOMIC, pc);
	acquire(p, acquires ? state->clock : state->pending);
}

void flag_store(void *p, int size, bool releases, const void *pc)
{
	access(p, (size_t)size, WRITE | ATOMIC, pc);
	if (releases)
		join(flags[(uintptr_t)p], release_clock());
	else
		publish(p);
}

void allocated(void *p, size_t n) { regions[(uintptr_t)p] = new_region(p, n, false); }

void freed(void *p)
{
	auto r = regions.find((uintptr_t)p);
	if (r != regions.end())
		drop(r->second);
}

/* By memcpy or memset. */
void written(void *p, size_t n)
{
	last = NULL;
	auto r = regions.upper_bound((uintptr_t)p);
	if (r == regions.begin() || !n)
		return;
	Region &g = *(--r)->second;
	uintptr_t a = (uintptr_t)p, end = a + n;
	for (uintptr_t i = (a - g.lo) / 4; a < g.hi && g.lo + 4 * i < end; i++)
		for (unsigned b = 0; b < 4; b++)
			if (g.lo + 4 * i + b >= a && g.lo + 4 * i + b < end)
				g.words[i].written |= (uint8_t)(1 << b);
}

} /* namespace race */
} /* namespace simt */

/* ---- what -fsanitize=thread calls ---- */

using namespace simt;

#define CALLER __builtin_return_address(0)
#define HOOKS(n) \
	void __tsan_read##n(void *p) { access(p, n, READ, CALLER); } \
	void __tsan_write##n(void *p) { access(p, n, WRITE, CALLER); } \
	void __tsan_unaligned_read##n(void *p) { access(p, n, READ, CALLER); } \
	void __tsan_unaligned_write##n(void *p) { access(p, n, WRITE, CALLER); } \
	void __tsan_volatile_read##n(void *p) { access(p, n, READ, CALLER); } \
	void __tsan_volatile_write##n(void *p) { access(p, n, WRITE, CALLER); }

/* __atomic builtins; in kernels they count as relaxed, and stubs use them on their own state. */
#define ATOMICS(bits, T) \
	T __tsan_atomic##bits##_load(const volatile T *p, int) \
	{ \
		access((const void *)p, sizeof(T), READ | ATOMIC, CALLER); \
		return *p; \
	} \
	void __tsan_atomic##bits##_store(volatile T *p, T v, int) \
	{ \
		access((const void *)p, sizeof(T), WRITE | ATOMIC, CALLER); \
		*p = v; \
	} \
	T __tsan_atomic##bits##_exchange(volatile T *p, T v, int) \
	{ \
		access((const void *)p, sizeof(T), READ | WRITE | ATOMIC, CALLER); \
		return __atomic_exchange_n(p, v, __ATOMIC_SEQ_CST); \
	} \
	T __tsan_atomic##bits##_fetch_add(volatile T *p, T v, int) \
	{ \
		access((const void *)p, sizeof(T), READ | WRITE | ATOMIC, CALLER); \
		return __atomic_fetch_add(p, v, __ATOMIC_SEQ_CST); \
	} \
	int __tsan_atomic##bits##_compare_exchange_strong(volatile T *p, T *c, T v, int, int) \
	{ \
		access((const void *)p, sizeof(T), READ | WRITE | ATOMIC, CALLER); \
		return __atomic_compare_exchange_n(p, c, v, false, __ATOMIC_SEQ_CST, \
						   __ATOMIC_SEQ_CST); \
	} \
	int __tsan_atomic##bits##_compare_exchange_weak(volatile T *p, T *c, T v, int, int) \
	{ \
		return __tsan_atomic##bits##_compare_exchange_strong(p, c, v, 0, 0); \
	}

extern "C" {
void __tsan_init() {}
void __tsan_func_entry(void *) {}
void __tsan_func_exit() {}
void __tsan_vptr_update(void **, void *) {}
void __tsan_vptr_read(void **) {}
HOOKS(1)
HOOKS(2)
HOOKS(4)
HOOKS(8)
HOOKS(16)
void __tsan_read_range(void *p, size_t n) { access(p, n, READ, CALLER); }
void __tsan_write_range(void *p, size_t n) { access(p, n, WRITE, CALLER); }
ATOMICS(8, uint8_t)
ATOMICS(16, uint16_t)
ATOMICS(32, uint32_t)
ATOMICS(64, uint64_t)
}
