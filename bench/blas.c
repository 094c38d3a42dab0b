/* blas.c - the cpu target's products of matrices beside OpenBLAS, in one process on the same
 * threads.
 *
 *   blas [SAMPLES]            31 samples unless said
 *
 * Both take turns, sample by sample; a figure is the median, +- half the distance between the
 * quartiles.  Ratio: the time of OpenBLAS over ours, above 1 when ours is faster.  Which kernels
 * OpenBLAS has chosen is said first: on a machine that it does not know it takes old ones, and
 * OPENBLAS_CORETYPE names others. */
#include <cblas.h>
#include <inttypes.h>
#include <math.h>
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>

#include "matmul.h"

char *openblas_get_config(void), *openblas_get_corename(void);     /* not in every cblas.h */

enum { WARM = 2, MOST = 1000 };

static void *a, *b, *ours, *theirs, *workspace;

static void check(bool fine, const char *what)
{
	if (fine)
		return;
	fprintf(stderr, "blas: %s\n", what);
	exit(1);
}

/* ---- the contestants: n x l times l x m ---- */

struct size { int n, l, m; };

static int our_f32(struct size s, size_t bytes)
{
	return product_f32(s.n, s.l, s.m, a, b, ours, workspace, bytes, NULL);
}
static int our_transposed(struct size s, size_t bytes)
{
	return product_transposed(s.l, s.n, s.m, a, b, ours, workspace, bytes, NULL);
}
static int our_f64(struct size s, size_t bytes)
{
	return product_f64(s.n, s.l, s.m, a, b, ours, workspace, bytes, NULL);
}
static size_t room_f32(struct size s) { return product_f32_workspace(s.n, s.l, s.m); }
static size_t room_transposed(struct size s) { return product_transposed_workspace(s.l, s.n, s.m); }
static size_t room_f64(struct size s) { return product_f64_workspace(s.n, s.l, s.m); }
static void blas_f32(struct size s)
{
	cblas_sgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, s.n, s.m, s.l, 1, a, s.l, b, s.m, 0,
	    theirs, s.m);
}
static void blas_transposed(struct size s)
{
	cblas_sgemm(CblasRowMajor, CblasTrans, CblasTrans, s.n, s.m, s.l, 1, a, s.n, b, s.l, 0,
	    theirs, s.m);
}
static void blas_f64(struct size s)
{
	cblas_dgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, s.n, s.m, s.l, 1, a, s.l, b, s.m, 0,
	    theirs, s.m);
}

static const struct work {
	const char *name;
	int (*ours)(struct size, size_t);
	size_t (*room)(struct size);
	void (*theirs)(struct size);
	struct size size;
	int times; /* a sample */
	bool is_f64;
} work[] = {
	{ "product f32", our_f32, room_f32, blas_f32, { 64, 64, 64 }, 100, false },
	{ "product f32", our_f32, room_f32, blas_f32, { 256, 256, 256 }, 10, false },
	{ "product f32", our_f32, room_f32, blas_f32, { 1024, 1024, 1024 }, 1, false },
	{ "product f32", our_f32, room_f32, blas_f32, { 1021, 1023, 1019 }, 1, false },
	{ "product f32", our_f32, room_f32, blas_f32, { 2048, 2048, 2048 }, 1, false },
	{ "both transposed f32", our_transposed, room_transposed, blas_transposed,
	    { 1024, 1024, 1024 }, 1, false },
	{ "product f64", our_f64, room_f64, blas_f64, { 1024, 1024, 1024 }, 1, true },
};
enum { COUNT = sizeof work / sizeof work[0] };

/* ---- measuring ---- */

struct figure { double median, spread; };

static int ascending(const void *p, const void *q)
{
	const double x = *(const double *)p, y = *(const double *)q;
	return (x > y) - (x < y);
}
static struct figure figure_of(double *ms, int samples)
{
	qsort(ms, (size_t)samples, sizeof *ms, ascending);
	const double half = (ms[samples - 1 - samples / 4] - ms[samples / 4]) / 2;
	return (struct figure){ ms[samples / 2], 100 * half / ms[samples / 2] };
}
static double run_ours(const struct work *w, size_t bytes)
{
	const double start = omp_get_wtime();
	for (int i = 0; i < w->times; i++)
		check(w->ours(w->size, bytes) == 0, "a product fails");
	return 1e3 * (omp_get_wtime() - start) / w->times;
}
static double run_theirs(const struct work *w)
{
	const double start = omp_get_wtime();
	for (int i = 0; i < w->times; i++)
		w->theirs(w->size);
	return 1e3 * (omp_get_wtime() - start) / w->times;
}
static void *room(size_t bytes)
{
	void *p = aligned_alloc(4096, (bytes / 4096 + 1) * 4096);
	check(p != NULL, "out of memory");
	return p;
}

/* ---- operands, and the same answer ---- */

static double random_cell(size_t i)
{
	const uint32_t bits = (uint32_t)i * 2654435761u, mixed = (bits ^ bits >> 15) * 0x85ebca6bu;
	return (mixed >> 8) * 0x1p-24 - 0.5;
}
static void fill(void *to, size_t cells, bool is_f64, size_t first)
{
	for (size_t i = 0; i < cells; i++)
		if (is_f64)
			((double *)to)[i] = random_cell(first + i);
		else
			((float *)to)[i] = (float)random_cell(first + i);
}
static void compare(const struct work *w)
{
	const size_t cells = (size_t)w->size.n * (size_t)w->size.m;
	double most = 0;
	for (size_t i = 0; i < cells; i++) {
		const double off = w->is_f64 ? ((double *)ours)[i] - ((double *)theirs)[i]
		                             : (double)(((float *)ours)[i] - ((float *)theirs)[i]);
		most = fmax(most, fabs(off));
	}
	check(most <= (w->is_f64 ? 0x1p-52 : 0x1p-23) * w->size.l, "the answers differ");
}

static void measure(const struct work *w, int samples)
{
	static double ms[2][MOST];
	const size_t n = (size_t)w->size.n, l = (size_t)w->size.l, m = (size_t)w->size.m,
	    bytes = w->room(w->size);
	a = room(n * l * 8), b = room(l * m * 8), ours = room(n * m * 8), theirs = room(n * m * 8),
	    workspace = room(bytes);
	fill(a, n * l, w->is_f64, 1);
	fill(b, l * m, w->is_f64, n * l);
	for (int s = -WARM; s < samples; s++) {
		const double mine = run_ours(w, bytes), other = run_theirs(w);
		if (s >= 0)
			ms[0][s] = mine, ms[1][s] = other;
	}
	compare(w);
	const struct figure f = figure_of(ms[0], samples), g = figure_of(ms[1], samples);
	const double work = 2e-6 * (double)n * (double)l * (double)m;
	printf("| %-19s | %dx%dx%d | %9.3f ±%4.1f%% | %7.1f | %9.3f ±%4.1f%% | %7.1f | %.3f |\n",
	    w->name, w->size.n, w->size.l, w->size.m, f.median, f.spread, work / f.median, g.median,
	    g.spread, work / g.median, g.median / f.median);
	free(a), free(b), free(ours), free(theirs), free(workspace);
}

int main(int argc, char **argv)
{
	const int wanted = argc > 1 ? atoi(argv[1]) : 31,
	    samples = wanted < 1 ? 1 : wanted > MOST ? MOST : wanted;
	printf("%s, kernels for %s; %d threads, %d samples\n\n", openblas_get_config(),
	    openblas_get_corename(), omp_get_max_threads(), samples);
	printf("| work | size | ours, ms | GFLOP/s | OpenBLAS, ms | GFLOP/s | ratio |\n"
	       "|---|---|---|---|---|---|---|\n");
	for (int i = 0; i < COUNT; i++)
		measure(&work[i], samples);
	return 0;
}
