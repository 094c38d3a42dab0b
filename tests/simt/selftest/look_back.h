/* look_back.h - the prefix sums of tiles by decoupled look-back, as patc's scans find them, and
 * what may be wrong with it.  look_back.cu and look_back.hip define the words of their language,
 * then include this.
 *
 * A tile publishes the total of its cells as soon as it knows it, looks back over the totals of the
 * tiles before it until one shows its prefix, and publishes its own.  Whoever waits must wait for
 * tiles that have begun: their numbers come from a ticket. */
#include <stdint.h>
#include <string>

#include "selftest.h"

enum { T = 256, TILES = 80, LANES = warpSize, WARPS = T / LANES };
enum { EMPTY, TOTAL, PREFIX }; /* the upper half of a tile's word; the value is below */
enum bug { NONE, BLOCK_FOR_TICKET, NO_BARRIER, TOO_EARLY, UNPUBLISHED, WINDOW, APART,
    APART_RELAXED };

struct Look {
	uint64_t *word; /* of each tile */
	int *apart;     /* APART: the values, two a tile, which the word only announces */
	int bug;
};

static __device__ void publish(const Look &l, int tile, int state, int value)
{
	uint64_t word = (uint64_t)state << 32 | (uint32_t)value;
	if (l.bug < APART) {
		STORE(&l.word[tile], word);
		return;
	}
	l.apart[2 * tile + state - TOTAL] = value;
	if (l.bug == APART)
		STORE_RELEASE(&l.word[tile], word);
	else
		STORE(&l.word[tile], word);
}

static __device__ uint64_t seen(const Look &l, int tile)
{
	if (tile < 0)
		return (uint64_t)PREFIX << 32;
	uint64_t word = l.bug == APART ? LOAD_ACQUIRE(&l.word[tile]) : LOAD(&l.word[tile]);
	int state = (int)(word >> 32);
	if (l.bug >= APART && state != EMPTY)
		word = (uint64_t)state << 32 | (uint32_t)l.apart[2 * tile + state - TOTAL];
	return word;
}

/* By one warp: the sum of all tiles before this one. */
static __device__ int before(const Look &l, int tile)
{
	int lane = (int)threadIdx.x % LANES, sum = 0;
	for (int at = tile - 1 - lane;; at -= l.bug == WINDOW ? LANES - 1 : LANES) {
		uint64_t word = seen(l, at);
		while (ANY(word >> 32 == EMPTY))
			word = seen(l, at);
		uint64_t prefixes = BALLOT(word >> 32 == PREFIX);
		int nearest = prefixes ? __ffsll((long long)prefixes) - 1 : LANES - 1;
		int value = lane <= nearest ? (int)word : 0;
		for (int d = LANES / 2; d; d /= 2)
			value += SHFL_XOR(value, d);
		sum += value;
		if (prefixes)
			return sum;
	}
}

static __global__ void __launch_bounds__(T) prefix_sums(const int *in, int *out, int *ticket,
    Look l)
{
	__shared__ int total[WARPS], drawn, found;
	int lane = (int)threadIdx.x % LANES, warp = (int)threadIdx.x / LANES;
	if (threadIdx.x == 0)
		drawn = l.bug == BLOCK_FOR_TICKET ? (int)blockIdx.x : atomicAdd(ticket, 1);
	__syncthreads();
	int tile = drawn, at = tile * T + (int)threadIdx.x, v = in[at];
	for (int d = 1; d < LANES; d *= 2) {
		int left = SHFL_UP(v, d);
		v += lane >= d ? left : 0;
	}
	if (lane == LANES - 1)
		total[warp] = v;
	if (l.bug == TOO_EARLY && threadIdx.x == 0)
		publish(l, tile, TOTAL, v);
	if (l.bug != NO_BARRIER)
		__syncthreads();
	int front = 0, all = 0;
	for (int w = 0; w < WARPS; w++) {
		front += w < warp ? total[w] : 0;
		all += total[w];
	}
	bool shows = l.bug != UNPUBLISHED || tile != 3;
	if (warp == 0) {
		if (lane == 0 && shows)
			publish(l, tile, TOTAL, all);
		int sum = before(l, tile);
		if (lane == 0)
			found = sum;
		if (lane == 0 && shows)
			publish(l, tile, PREFIX, sum + all);
	}
	__syncthreads();
	out[at] = found + front + v;
}

/* The sums of cells that are all `each`, twice with the same words. */
static int run_twice(int bug, bool clear)
{
	Buffer ticket((size_t)1), word((size_t)(2 * TILES)), apart((size_t)(2 * TILES)),
	    out((size_t)(T * TILES));
	for (int each = 1; each <= 2; each++) {
		Buffer in(std::vector<int>((size_t)(T * TILES), each));
		cudaMemset(ticket.d, 0, ticket.size());
		if (clear || each == 1)
			cudaMemset(word.d, 0, word.size());
		const Look look = {(uint64_t *)word.d, apart.d, bug};
		int status = go(prefix_sums, TILES, T, in.d, out.d, ticket.d, look);
		if (status || differs(out.fetch(), [=](int i) { return (i + 1) * each; }))
			return 1;
	}
	return 0;
}
static int run(int bug) { return run_twice(bug, true); }

/* With many blocks at a time, until one of many schedules finds the bug. */
static int hunt(int bug, bool clear, const char *resident)
{
	int found = 0;
	setenv("SIMT_REV", "2", 1);
	setenv("SIMT_RESIDENT", resident, 1);
	setenv("SIMT_PREEMPT", "4", 1);
	for (int seed = 1; seed <= 30 && !found; seed++) {
		setenv("SIMT_SEED", std::to_string(seed).c_str(), 1);
		found = run_twice(bug, clear);
	}
	return found;
}

static int blocks_instead_of_tickets(int bug)
{
	if (bug)
		setenv("SIMT_REV", "1", 1);
	return run(bug ? BLOCK_FOR_TICKET : NONE);
}
static int warp_totals_without_barrier(int bug) { return run(bug ? NO_BARRIER : NONE); }
static int total_published_too_early(int bug)
{
	return bug ? hunt(TOO_EARLY, true, "8") : run(NONE);
}
static int tile_never_published(int bug) { return bug ? hunt(UNPUBLISHED, true, "8") : run(NONE); }
static int window_too_short(int bug) { return bug ? hunt(WINDOW, true, "80") : run(NONE); }
static int stale_words(int bug) { return bug ? hunt(NONE, false, "8") : run(NONE); }
static int value_apart_from_relaxed_flag(int bug) { return run(bug ? APART_RELAXED : APART); }

#define CASE(name, build, words) {#name, name, build, words}
static const Case cases[] = {
	CASE(blocks_instead_of_tickets, "plain", "livelock.*79 of 80 blocks have not started"),
	CASE(warp_totals_without_barrier, "race", "RACE .*shared"),
	CASE(total_published_too_early, "plain", "wrong"),
	CASE(tile_never_published, "plain", "livelock"),
	CASE(window_too_short, "plain", "wrong"),
	CASE(stale_words, "plain", "wrong"),
	CASE(value_apart_from_relaxed_flag, "race", "RACE read-after-write global"),
};

int main(int argc, char **argv)
{
	return selftest_main(cases, (int)(sizeof cases / sizeof *cases), argc, argv);
}
