/* main.c - multiplies two matrices by each rung of the ladder, measures them, and draws how they
 * climb. */
#include <getopt.h>
#include <math.h>

#include "climb.h"
#include "common.h"
#include "sgemm.h"

struct size { int64_t n, l, m; };             /* of the result n x m, of l terms */
struct device {                               /* where the kernels run */
	struct size size;
	float *a, *b, *c;
	void *workspace;
	size_t workspace_bytes;
};
typedef int product(int64_t l, int64_t n, int64_t m, const float *a, const float *b, float *c,
		    void *workspace, size_t workspace_bytes, void *stream);

/* What brings its cells for a tile of so many rows and columns asks memory for rows + columns a
 * term. */
static const struct rung {
	const char *name;
	product *run;
	size_t (*workspace)(int64_t l, int64_t n, int64_t m);
	const char *(*words)(int);
	int64_t rows, columns;                /* 0: the whole matrix, in panels */
	bool on_cpu;
} ladder[] = {
	{ "cells", sgemm_cells, sgemm_cells_workspace, sgemm_cells_strerror, 1, 1, true },
	{ "textbook", sgemm_textbook, sgemm_textbook_workspace, sgemm_textbook_strerror, 16, 16, false },
	{ "strips", sgemm_strips, sgemm_strips_workspace, sgemm_strips_strerror, 128, 16, false },
	{ "tiles", sgemm_tiles, sgemm_tiles_workspace, sgemm_tiles_strerror, 64, 128, true }
};
enum { RUNGS = sizeof ladder / sizeof *ladder };

static bool is_cpu(void)
{
	return !strcmp(platform, "cpu");
}

/* On a CPU there is nothing between a thread a row and panels. */
static bool is_here(const struct rung *r)
{
	return r->on_cpu || !is_cpu();
}

/* ---- the operands: fractions of 64, so that sums of EXACT products are exact in any order ---- */

enum { EXACT = 4096 };

static float cell_of(int64_t k)
{
	uint32_t bits = (uint32_t)k * 2654435761u, mixed = (bits ^ bits >> 15) * 0x85ebca6bu;
	return (float)((int32_t)(mixed >> 25) - 64) / 64;
}

static float *drawn(int64_t count, int64_t first)
{
	float *all = host_new((size_t)count * sizeof *all);
	for (int64_t k = 0; k < count; k++)
		all[k] = cell_of(first + k);
	return all;
}

static float *sent(int64_t count, int64_t first)
{
	float *here = drawn(count, first), *there = device_new((size_t)count * sizeof *there);
	to_device(there, here, (size_t)count * sizeof *here);
	free(here);
	return there;
}

static struct device device_open(struct size s)
{
	struct device d = { .size = s };
	d.a = sent(s.l * s.n, 1);
	d.b = sent(s.l * s.m, s.l * s.n + 1);
	d.c = device_new((size_t)(s.n * s.m) * sizeof *d.c);
	for (const struct rung *r = ladder; r < ladder + RUNGS; r++) {
		size_t bytes = r->workspace(s.l, s.n, s.m);
		if (bytes == SIZE_MAX)
			fail("the matrices", "are too large");
		d.workspace_bytes = bytes > d.workspace_bytes ? bytes : d.workspace_bytes;
	}
	d.workspace = device_new(d.workspace_bytes);
	return d;
}

static void device_close(struct device *d)
{
	device_free(d->a);
	device_free(d->b);
	device_free(d->c);
	device_free(d->workspace);
}

/* ---- a rung ---- */

struct work { const struct rung *rung; const struct device *d; };

static void run(void *state)
{
	const struct work *w = state;
	const struct device *d = w->d;
	must_succeed(w->rung->run(d->size.l, d->size.n, d->size.m, d->a, d->b, d->c, d->workspace,
				  d->workspace_bytes, NULL),
		     w->rung->words, w->rung->name);
}

static void check(const struct rung *r, const struct device *d)
{
	const struct size s = d->size;
	float *a = drawn(s.l * s.n, 1), *b = drawn(s.l * s.m, s.l * s.n + 1),
	      *c = host_new((size_t)(s.n * s.m) * sizeof *c);
	double off = 0;
	run(&(struct work){ r, d });
	to_host(c, d->c, (size_t)(s.n * s.m) * sizeof *c);
	for (int64_t i = 0; i < s.n; i++)
		for (int64_t j = 0; j < s.m; j++) {
			double sum = 0;
			for (int64_t k = 0; k < s.l; k++)
				sum += (double)a[k * s.n + i] * (double)b[k * s.m + j];
			off = worse(off, fabs(sum - (double)c[i * s.m + j]));
		}
	check_within(r->name, off, s.l > EXACT ? 0x1p-24 * (double)s.l * (double)s.l : 0);
	free(a);
	free(b);
	free(c);
}

static double flops_a_byte(const struct rung *r, struct size s)
{
	bool whole = is_cpu() && r->rows > 1;
	double rows = (double)(whole ? s.n : r->rows), columns = (double)(whole ? s.m : r->columns);
	return 2 * rows * columns / ((rows + columns) * sizeof(float));
}

static struct rung_figure measure(const struct rung *r, const struct device *d, double before)
{
	const struct size s = d->size;
	struct work w = { r, d };
	double took = best_time(run, &w),
	       gflops = 2e-9 * (double)s.n * (double)s.l * (double)s.m / took;
	struct rung_figure f = { r->name, flops_a_byte(r, s), gflops };
	printf("%s: %-8s %6.2f flops a byte, %9.3f ms, %8.1f GFLOP/s", platform, f.name,
	       f.flops_a_byte, took * 1e3, gflops);
	printf(before > 0 ? ", %.1f times the rung below\n" : "\n", gflops / before);
	return f;
}

static void climb(const struct device *d, const char *path)
{
	struct rung_figure f[RUNGS];
	int n = 0;
	for (const struct rung *r = ladder; r < ladder + RUNGS; r++)
		if (is_here(r)) {
			f[n] = measure(r, d, n ? f[n - 1].gflops : 0);
			n++;
		}
	climb_draw(f, n, path);
}

/* ---- the command ---- */

static _Noreturn void usage(int status)
{
	fputs("usage: sgemm [--rows=N] [--columns=N] [--terms=N] [--plot=FILE] [--check] [--no-measure]\n"
	      "  --rows=N, --columns=N   of the result, --terms=N of a cell (4096; 512 on a CPU)\n"
	      "  --plot=FILE    how the rungs climb (climb.svg)\n"
	      "  --check        compare with plain loops\n"
	      "  --no-measure   do not measure the kernels\n",
	      status ? stderr : stdout);
	exit(status);
}

int main(int argc, char **argv)
{
	static const struct option options[] = {
		{ "rows", required_argument, NULL, 'r' }, { "columns", required_argument, NULL, 'm' },
		{ "terms", required_argument, NULL, 't' }, { "plot", required_argument, NULL, 'p' },
		{ "check", no_argument, NULL, 'c' }, { "no-measure", no_argument, NULL, 'q' },
		{ "help", no_argument, NULL, 'h' }, { 0 }
	};
	const int64_t usual = is_cpu() ? 512 : 4096;
	struct size s = { usual, usual, usual };
	const char *plot = "climb.svg";
	bool checked = false, quiet = false;
	int option;
	while ((option = getopt_long(argc, argv, "", options, NULL)) != -1)
		switch (option) {
		case 'r': s.n = (int64_t)number("--rows", optarg, 0, 1e6); break;
		case 'm': s.m = (int64_t)number("--columns", optarg, 0, 1e6); break;
		case 't': s.l = (int64_t)number("--terms", optarg, 0, 1e6); break;
		case 'p': plot = optarg; break;
		case 'c': checked = true; break;
		case 'q': quiet = true; break;
		case 'h': usage(0);
		default: usage(2);
		}
	if (optind < argc || (!quiet && (!s.n || !s.m || !s.l)))
		usage(2);

	struct device d = device_open(s);
	printf("%s: %lld x %lld cells of %lld terms\n", platform, (long long)s.n, (long long)s.m,
	       (long long)s.l);
	for (const struct rung *r = ladder; checked && r < ladder + RUNGS; r++)
		check(r, &d);
	if (!quiet)
		climb(&d, plot);
	device_close(&d);
	return 0;
}
