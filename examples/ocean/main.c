/* main.c - reads a sea chart from a PNG, lets patc's kernel find the circulation that a steady wind
 * drives in it, draws the stream function with its contour lines, and measures the kernel.
 *
 * Blue of the chart is water, everything else land.  The wind blows westward in the south and
 * eastward in the north, so that its curl is a half wave from the lower edge to the upper; units
 * are such that psi is near 1. */
#include <getopt.h>
#include <math.h>

#include "common.h"
#include "naive.h"
#include "ocean.h"

enum { LAND, WATER };                         /* as in ocean.pat */
enum { SWEEPS = 10 };                         /* between two looks at the residual */
enum { LOOKS = 5 };                           /* until somebody who waits is told */
enum { CONTOURS = 12 };                       /* lines between nothing and the largest value */
static const double PI = 3.14159265358979324;
/* 1 / BETA cells: half the width of the western current */
static const double BETA = 0.1;

struct ocean {
	int64_t rows, columns;
	int scale;                            /* cells per pixel, each way */
	uint8_t *cell;
	double *curl, *psi;
	double omega;                         /* of the over-relaxation */
};
struct device {                               /* the same ocean where the kernel runs */
	uint8_t *cell;
	double *curl, *psi, *rest;
	int64_t *done;
	void *workspace;
	size_t workspace_bytes;
};

/* ---- pictures ---- */

static bool is_water(const uint8_t *rgb)
{
	return rgb[2] > rgb[0] && rgb[2] > rgb[1];
}

/* Young's omega, for the Jacobi iteration's spectral radius in a rectangle of this size: no basin
 * within it has a larger one. */
static double best_omega(int64_t n, int64_t m)
{
	double radius = (cos(PI / (double)n) + sqrt(1 - BETA * BETA) * cos(PI / (double)m)) / 2;
	return 2 / (1 + sqrt(1 - radius * radius));
}

static struct ocean read_ocean(const char *path, int scale)
{
	struct picture p = picture_read(path);
	struct ocean o = { .rows = p.rows * scale, .columns = p.columns * scale, .scale = scale };
	size_t cells = (size_t)(o.rows * o.columns);
	o.cell = host_new(cells);
	o.curl = host_new((size_t)o.rows * sizeof *o.curl);
	o.psi = host_new(cells * sizeof *o.psi);
	for (int64_t i = 0; i < o.rows; i++) {
		double latitude = PI * ((double)i + 0.5) / (double)o.rows;
		o.curl[i] = -4 * BETA * sin(latitude) / (double)o.columns;
		for (int64_t j = 0; j < o.columns; j++) {
			o.cell[i * o.columns + j] =
				is_water(pixel(&p, i / scale, j / scale)) ? WATER : LAND;
			o.psi[i * o.columns + j] = 0;
		}
	}
	o.omega = best_omega(o.rows, o.columns);
	picture_free(&p);
	return o;
}

static void ocean_free(struct ocean *o)
{
	free(o->cell);
	free(o->curl);
	free(o->psi);
}

static double largest(const struct ocean *o)
{
	double most = 0;
	for (int64_t at = 0; at < o->rows * o->columns; at++)
		most = fmax(most, fabs(o->psi[at]));
	return most;
}

/* A line goes where the next pixel, to the right or below, lies between other contours. */
static void write_ocean(const struct ocean *o, const char *path)
{
	struct picture p = picture_new(o->rows / o->scale, o->columns / o->scale);
	double unit = largest(o) > 0 ? largest(o) : 1;
	for (int64_t i = 0; i < p.rows; i++)
		for (int64_t j = 0; j < p.columns; j++) {
			int64_t at = (i * o->columns + j) * o->scale;
			int64_t right = j + 1 < p.columns ? at + o->scale : at;
			int64_t below = i + 1 < p.rows ? at + o->scale * o->columns : at;
			double level = floor(o->psi[at] / unit * CONTOURS);
			colour_signed(o->psi[at] / unit, pixel(&p, i, j));
			if (o->cell[at] != WATER)
				memcpy(pixel(&p, i, j), (uint8_t[]){ 150, 116, 66 }, 3);
			else if (level != floor(o->psi[right] / unit * CONTOURS)
			         || level != floor(o->psi[below] / unit * CONTOURS))
				memset(pixel(&p, i, j), 40, 3);
		}
	picture_write(&p, path);
	picture_free(&p);
}

/* ---- the kernel ---- */

static struct device device_open(const struct ocean *o)
{
	size_t cells = (size_t)(o->rows * o->columns);
	struct device d = { .workspace_bytes = ocean_workspace(o->rows, o->columns) };
	d.cell = device_new(cells);
	d.curl = device_new((size_t)o->rows * sizeof *d.curl);
	d.psi = device_new(cells * sizeof *d.psi);
	d.rest = device_new(sizeof *d.rest);
	d.done = device_new(sizeof *d.done);
	d.workspace = device_new(d.workspace_bytes);
	to_device(d.cell, o->cell, cells);
	to_device(d.curl, o->curl, (size_t)o->rows * sizeof *d.curl);
	to_device(d.psi, o->psi, cells * sizeof *d.psi);
	return d;
}

static void device_close(struct device *d)
{
	device_free(d->cell);
	device_free(d->curl);
	device_free(d->psi);
	device_free(d->rest);
	device_free(d->done);
	device_free(d->workspace);
}

static void relax(const struct ocean *o, struct device *d, double eps, int64_t sweeps,
		  int64_t looks)
{
	must_succeed(ocean(o->rows, o->columns, d->cell, d->curl, BETA, o->omega, eps, sweeps,
			   looks, d->psi, d->rest, d->done, d->workspace, d->workspace_bytes, NULL),
		     ocean_strerror, "ocean");
}

/* Runs in chunks, so that somebody who waits can see how far it is. */
static void solve(struct ocean *o, struct device *d, double eps, int64_t most)
{
	double rest = 0, start = seconds();
	int64_t done = 0, passes;
	do {
		int64_t left = most - done, sweeps = left < SWEEPS ? left : SWEEPS;
		relax(o, d, eps, sweeps, left / sweeps < LOOKS ? left / sweeps : LOOKS);
		to_host(&rest, d->rest, sizeof rest);
		to_host(&passes, d->done, sizeof passes);
		done += passes;
		progress("%8lld sweeps, residual %.2e (until %.0e)", (long long)done, rest, eps);
	} while (done < most && !(rest < eps));
	progress_end();
	to_host(o->psi, d->psi, (size_t)(o->rows * o->columns) * sizeof *o->psi);
	printf("%s: %lld x %lld cells, %s after %lld sweeps, residual %.2e, largest psi %.4f, %.2f s\n",
	       platform, (long long)o->rows, (long long)o->columns,
	       rest < eps ? "converged" : "not converged", (long long)done, rest, largest(o),
	       seconds() - start);
}

/* ---- the comparison with plain loops ---- */

static void check(const struct ocean *o, double eps)
{
	int64_t cells = o->rows * o->columns;
	double *want = host_new((size_t)cells * sizeof *want), worst = 0;
	for (int64_t at = 0; at < cells; at++)
		want[at] = 0;
	int64_t sweeps = naive_ocean(o->rows, o->columns, o->cell, o->curl, BETA, eps, want);
	for (int64_t at = 0; at < cells; at++)
		worst = worse(worst, fabs(want[at] - o->psi[at]));
	/* no residual is amplified by more than the solution for a residual of 1 everywhere, about columns^2 / 8 */
	double allowed = eps * (double)(o->columns * o->columns);
	printf("check: Gauss-Seidel row by row took %lld sweeps\n", (long long)sweeps);
	check_within("psi", worst, allowed);
	free(want);
}

/* ---- figures ---- */

struct run { const struct ocean *ocean; struct device *device; };

static void some_sweeps(void *state)          /* an eps of 0 never stops early */
{
	const struct run *r = state;
	relax(r->ocean, r->device, 0, SWEEPS, 1);
}

/* On an ocean too large for any cache, because that is where memory is the limit.  Where a visit of
 * memory computes several passes, the figure is more than a copy's. */
static void measure(const char *path, const struct ocean *small)
{
	int scale = small->scale;
	int64_t pixels = small->rows / scale * (small->columns / scale);
	while (pixels * scale * scale * (int64_t)sizeof *small->psi < large)
		scale++;
	struct ocean o = read_ocean(path, scale);
	struct device d = device_open(&o);
	struct run r = { &o, &d };
	char what[96];
	snprintf(what, sizeof what, "%lld x %lld cells", (long long)o.rows, (long long)o.columns);
	/* each colour reads psi and the chart and writes psi; the residual reads both again */
	print_rate(what, SWEEPS * (double)(o.rows * o.columns),
		   2 * (8 + 1 + 8) + (8 + 1) / (double)SWEEPS, best_time(some_sweeps, &r));
	device_close(&d);
	ocean_free(&o);
}

/* ---- the command ---- */

static _Noreturn void usage(int status)
{
	fputs("usage: ocean [--scale=K] [--eps=E] [--sweeps=N] [--out=FILE] [--check] [--no-measure] [input.png]\n"
	      "  --scale=K      make every pixel K x K cells (1)\n"
	      "  --eps=E        stop when no cell's equation is off by more (1e-9)\n"
	      "  --sweeps=N     and after N sweeps at most (100000)\n"
	      "  --out=FILE     the stream function as a picture (psi.png)\n"
	      "  --check        compare with plain loops\n"
	      "  --no-measure   do not measure the kernel afterwards\n",
	      status ? stderr : stdout);
	exit(status);
}

int main(int argc, char **argv)
{
	static const struct option options[] = {
		{ "scale", required_argument, NULL, 's' }, { "eps", required_argument, NULL, 'e' },
		{ "sweeps", required_argument, NULL, 'n' }, { "out", required_argument, NULL, 'o' },
		{ "check", no_argument, NULL, 'c' }, { "no-measure", no_argument, NULL, 'q' },
		{ "help", no_argument, NULL, 'h' }, { 0 }
	};
	const char *out = "psi.png";
	int scale = 1, option, which = 0;
	bool checked = false, quiet = false;
	double eps = 1e-9;
	int64_t sweeps = 100000;
	while ((option = getopt_long(argc, argv, "", options, &which)) != -1)
		switch (option) {
		case 's': scale = (int)number(options[which].name, optarg, 1, 256); break;
		case 'e': eps = number(options[which].name, optarg, 0, 1); break;
		case 'n': sweeps = (int64_t)number(options[which].name, optarg, 1, 1e12); break;
		case 'o': out = optarg; break;
		case 'c': checked = true; break;
		case 'q': quiet = true; break;
		case 'h': usage(0);
		default: usage(2);
		}
	if (argc - optind > 1)
		usage(2);

	const char *input = optind < argc ? argv[optind] : "input.png";
	struct ocean o = read_ocean(input, scale);
	struct device d = device_open(&o);
	solve(&o, &d, eps, sweeps);
	write_ocean(&o, out);
	device_close(&d);
	if (checked)
		check(&o, eps);
	if (!quiet)
		measure(input, &o);
	ocean_free(&o);
	return 0;
}
