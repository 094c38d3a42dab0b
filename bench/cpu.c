/* cpu.c - the cpu target's map, stencil and sum beside copies of the same arrays, in one process.
 *
 *   cpu [SAMPLES]            31 samples unless said
 *
 * Two copies: an OpenMP loop as a user would write it, and memcpy on each thread's part, which
 * does not read what it is about to overwrite.  All take turns, sample by sample; a figure is the
 * median, +- half the distance between the quartiles.  Arrays are touched first by the
 * threads that use them, are random, and are much larger than the caches.  The share is our
 * bandwidth (bytes that must move) over the better copy's. */
#include <inttypes.h>
#include <math.h>
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "heat.h"
#include "map.h"
#include "reduce.h"
#include "stencil.h"

enum { SIDE = 8192, WARM = 2, MOST = 1000 };
static const int64_t cells = (int64_t)SIDE * SIDE;

static float *x, *y, *z;
static unsigned char *walls;
static void *workspace;
static size_t workspace_bytes;
static float result;

static void check(int status, const char *what)
{
	if (!status)
		return;
	fprintf(stderr, "cpu: %s returned %d\n", what, status);
	exit(1);
}

/* ---- the contestants: each works on all cells ---- */

static void copy_loop(void)
{
#pragma omp parallel for simd schedule(static)
	for (int64_t i = 0; i < cells; i++)
		y[i] = x[i];
}
static void copy_memcpy(void)
{
#pragma omp parallel
	{
		const int64_t each = (cells + omp_get_num_threads() - 1) / omp_get_num_threads();
		const int64_t lo = each * omp_get_thread_num(),
		    hi = lo + each < cells ? lo + each : cells;
		if (lo < hi)
			memcpy(y + lo, x + lo, (size_t)(hi - lo) * sizeof *x);
	}
}
static void our_copy(void)
{
	check(copy_f32(cells, x, y, workspace, workspace_bytes, NULL), "copy");
}
static void our_saxpy(void)
{
	check(saxpy_f32(cells, 0.5f, x, y, workspace, workspace_bytes, NULL), "saxpy");
}
static void our_chain(void)
{
	check(chain(cells, x, y, workspace, workspace_bytes, NULL), "chain");
}
static void our_chain_approx(void)
{
	check(chain_approx(cells, x, y, workspace, workspace_bytes, NULL), "chain, approx");
}
static void our_sum(void)
{
	check(sum_f32(cells, x, &result, workspace, workspace_bytes, NULL), "sum");
}
static void our_five(void)
{
	check(five(SIDE, SIDE, x, y, workspace, workspace_bytes, NULL), "five");
}
static void our_change(void)
{
	check(five_change(SIDE, SIDE, x, y, &result, workspace, workspace_bytes, NULL),
	    "five + max of change");
}
static void our_heat(void)
{
	check(heat(SIDE, SIDE, walls, z, 0.2f, 0, 2, 1, &result, workspace, workspace_bytes,
	          NULL),
	    "heat");
}

static const struct contestant {
	const char *name;
	void (*work)(void);
	double bytes;
} contestant[] = {
	{ "copy, OpenMP loop", copy_loop, 8 }, /* the two copies come first: shares are of them */
	{ "copy, memcpy a thread", copy_memcpy, 8 },
	{ "patc map: y = x", our_copy, 8 },
	{ "patc map: saxpy", our_saxpy, 12 },
	{ "patc map: chain", our_chain, 8 },
	{ "patc map: chain, approx", our_chain_approx, 8 },
	{ "patc reduce: sum", our_sum, 4 },
	{ "patc stencil: five", our_five, 8 },
	{ "patc five + max of change", our_change, 8 },
	{ "patc heat, 2 steps", our_heat, 18 },
};
enum { COUNT = sizeof contestant / sizeof contestant[0] };

/* ---- measuring ---- */

static double ms[COUNT][MOST];

static double seconds(void (*work)(void))
{
	const double start = omp_get_wtime();
	work();
	return omp_get_wtime() - start;
}
static int ascending(const void *a, const void *b)
{
	const double p = *(const double *)a, q = *(const double *)b;
	return (p > q) - (p < q);
}
static void measure(int samples)
{
	for (int s = -WARM; s < samples; s++)
		for (int c = 0; c < COUNT; c++) {
			const double took = 1e3 * seconds(contestant[c].work);
			if (s >= 0)
				ms[c][s] = took;
		}
	for (int c = 0; c < COUNT; c++)
		qsort(ms[c], (size_t)samples, sizeof ms[c][0], ascending);
}
static double rate(int c, int samples)
{
	return contestant[c].bytes * (double)cells / ms[c][samples / 2] * 1e-6;
}
static void print(int samples)
{
	const double top = fmax(rate(0, samples), rate(1, samples));
	printf("| %-26s | %-9s | %-18s | %9s | %9s | share of copy |\n", "work", "size", "ms",
	    "GB/s", "Gcell/s");
	printf("|---|---|---|---|---|---|\n");
	for (int c = 0; c < COUNT; c++) {
		const double mid = ms[c][samples / 2],
		             quartiles = ms[c][samples - 1 - samples / 4] - ms[c][samples / 4];
		printf("| %-26s | %d^2 f32 | %10.3f ±%4.1f%% | %9.2f | %9.3f | %.3f |\n",
		    contestant[c].name, SIDE, mid, 50 * quartiles / mid, rate(c, samples),
		    (double)cells / mid * 1e-6, rate(c, samples) / top);
	}
}

/* ---- arrays ---- */

static void *room(size_t bytes)
{
	void *p = aligned_alloc(4096, (bytes / 4096 + 1) * 4096);
	if (p)
		return p;
	fprintf(stderr, "cpu: out of memory\n");
	exit(1);
}
static size_t most(size_t a, size_t b) { return a > b ? a : b; }

static void prepare(void)
{
	x = room((size_t)cells * sizeof *x);
	y = room((size_t)cells * sizeof *y);
	z = room((size_t)cells * sizeof *z);
	walls = room((size_t)cells);
	workspace_bytes =
	    most(heat_workspace(SIDE, SIDE),
	        most(sum_f32_workspace(cells),
	            most(chain_workspace(cells), chain_approx_workspace(cells))));
	workspace_bytes =
	    most(workspace_bytes,
	        most(five_workspace(SIDE, SIDE), five_change_workspace(SIDE, SIDE)));
	workspace_bytes =
	    most(workspace_bytes, most(copy_f32_workspace(cells), saxpy_f32_workspace(cells)));
	workspace = room(workspace_bytes);
#pragma omp parallel for schedule(static)
	for (int64_t i = 0; i < cells; i++) {
		const uint32_t bits = (uint32_t)i * 2654435761u,
		    mixed = (bits ^ bits >> 15) * 0x85ebca6bu;
		x[i] = (float)(mixed >> 8) * 0x1p-24f - 0.5f;
		y[i] = z[i] = -x[i];
		walls[i] = 0;
	}
}

int main(int argc, char **argv)
{
	const int wanted = argc > 1 ? atoi(argv[1]) : 31, samples = wanted < 1      ? 1
	                                                            : wanted > MOST ? MOST
	                                                                            : wanted;
	prepare();
	measure(samples);
	printf("%d threads, %d samples\n\n", omp_get_max_threads(), samples);
	print(samples);
	return 0;
}
