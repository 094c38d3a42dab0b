/* main.c - reads a photograph from a PNG, lets patc's kernels soften it and find its edges, writes
 * both as pictures, and measures the kernels. */
#include <assert.h>
#include <getopt.h>
#include <math.h>

#include "common.h"
#include "naive.h"

static_assert(sizeof(Rgb) == 3, "a pixel of a picture is an Rgb");

struct device {                               /* where the kernels run */
	int64_t rows, columns;
	Rgb *photo, *soft;
	float *slope, *threshold;
	uint8_t *edge;
	int32_t *passes;
	void *workspace;
	size_t workspace_bytes;
};

/* ---- the kernels ---- */

static struct device device_open(const struct picture *p)
{
	int64_t n = p->rows, m = p->columns;
	size_t cells = (size_t)(n * m), blur = blur_workspace(n, m), sobel = sobel_workspace(n, m);
	struct device d = { .rows = n,
			    .columns = m,
			    .workspace_bytes = blur > sobel ? blur : sobel };
	d.photo = device_new(cells * sizeof *d.photo);
	d.soft = device_new(cells * sizeof *d.soft);
	d.slope = device_new(cells * sizeof *d.slope);
	d.edge = device_new(cells);
	d.threshold = device_new(sizeof *d.threshold);
	d.passes = device_new(sizeof *d.passes);
	d.workspace = device_new(d.workspace_bytes);
	to_device(d.photo, p->rgb, cells * sizeof *d.photo);
	return d;
}

static void device_close(struct device *d)
{
	device_free(d->photo);
	device_free(d->soft);
	device_free(d->slope);
	device_free(d->edge);
	device_free(d->threshold);
	device_free(d->passes);
	device_free(d->workspace);
}

static void soften(void *state)
{
	struct device *d = state;
	must_succeed(blur(d->rows, d->columns, d->photo, d->soft, d->workspace, d->workspace_bytes,
			  NULL),
		     blur_strerror, "blur");
}

static void find_edges(void *state)
{
	struct device *d = state;
	must_succeed(sobel(d->rows, d->columns, d->soft, d->slope, d->edge, d->threshold, d->passes,
	                   d->workspace, d->workspace_bytes, NULL), sobel_strerror, "sobel");
}

/* Edges are drawn black on white. */
static struct picture fetch_edges(const struct device *d)
{
	struct picture p = picture_new(d->rows, d->columns);
	size_t cells = (size_t)(d->rows * d->columns), edges = 0;
	uint8_t *edge = host_new(cells);
	float threshold;
	int32_t passes;
	to_host(edge, d->edge, cells);
	to_host(&threshold, d->threshold, sizeof threshold);
	to_host(&passes, d->passes, sizeof passes);
	for (size_t at = 0; at < cells; at++) {
		memset(p.rgb + 3 * at, 255 - edge[at], 3);
		edges += edge[at] != 0;
	}
	free(edge);
	printf("%s: %lld x %lld pixels, threshold %.2f after %d passes, %.1f %% are edges\n",
	       platform, (long long)d->rows, (long long)d->columns, threshold, passes,
	       100.0 * (double)edges / (double)cells);
	return p;
}

/* ---- the comparison with plain loops ---- */

/* The photograph, softened, and from the softened one the slopes and their threshold. */
static void check(const struct picture *photo, const struct picture *soft, const struct device *d)
{
	int64_t n = d->rows, m = d->columns, cells = n * m;
	double *want = host_new((size_t)cells * 3 * sizeof *want), off = 0;
	naive_blur(n, m, (const Rgb *)photo->rgb, want);
	for (int64_t at = 0; at < 3 * cells; at++)
		off = worse(off, fabs(soft->rgb[at] - want[at]));
	check_within("blur", off, 0.5001);

	float *slope = host_new((size_t)cells * sizeof *slope), threshold;
	uint8_t *edge = host_new((size_t)cells);
	to_host(slope, d->slope, (size_t)cells * sizeof *slope);
	to_host(edge, d->edge, (size_t)cells);
	to_host(&threshold, d->threshold, sizeof threshold);
	naive_slope(n, m, (const Rgb *)soft->rgb, want);
	off = 0;
	for (int64_t at = 0; at < cells; at++)
		off = worse(off, fabs(slope[at] - want[at]));
	check_within("slopes", off, 1e-3);
	check_within("threshold", fabs(threshold - naive_threshold(cells, want)), 0.05);
	int64_t wrong = 0;
	for (int64_t at = 0; at < cells; at++)
		wrong += (edge[at] == 255) != (slope[at] > threshold) || edge[at] % 255 != 0;
	check_within("edges", (double)wrong, 0);
	free(edge);
	free(slope);
	free(want);
}

/* ---- figures ---- */

static void measure(const struct picture *photo)
{
	struct picture big = picture_repeated(photo);
	struct device d = device_open(&big);
	int64_t cells = big.rows * big.columns;
	int32_t passes;
	char what[80];
	snprintf(what, sizeof what, "blur of %lld x %lld pixels", (long long)big.rows,
		 (long long)big.columns);
	/* read the pixels, write and read what is between the two passes, write the pixels */
	print_rate(what, (double)cells, 2 * sizeof(Rgb) + 2 * sizeof(Light), best_time(soften, &d));
	double took = best_time(find_edges, &d);
	to_host(&passes, d.passes, sizeof passes);
	snprintf(what, sizeof what, "sobel with %d passes for its threshold", passes);
	/* pixels and their light, written and read; slopes written, and read in every pass and at the end */
	print_rate(what, (double)cells, sizeof(Rgb) + (3 + passes + 1) * sizeof(float) + 1, took);
	device_close(&d);
	picture_free(&big);
}

/* ---- the command ---- */

static _Noreturn void usage(int status)
{
	fputs("usage: photo [--soft=FILE] [--edges=FILE] [--check] [--no-measure] [input.png]\n"
	      "  --soft=FILE    the softened picture (soft.png)\n"
	      "  --edges=FILE   its edges (edges.png)\n"
	      "  --check        compare with plain loops\n"
	      "  --no-measure   do not measure the kernels afterwards\n", status ? stderr : stdout);
	exit(status);
}

int main(int argc, char **argv)
{
	static const struct option options[] = {
		{ "soft", required_argument, NULL, 's' }, { "edges", required_argument, NULL, 'e' },
		{ "check", no_argument, NULL, 'c' }, { "no-measure", no_argument, NULL, 'q' },
		{ "help", no_argument, NULL, 'h' }, { 0 }
	};
	const char *soft_path = "soft.png", *edges_path = "edges.png";
	bool checked = false, quiet = false;
	int option;
	while ((option = getopt_long(argc, argv, "", options, NULL)) != -1)
		switch (option) {
		case 's': soft_path = optarg; break;
		case 'e': edges_path = optarg; break;
		case 'c': checked = true; break;
		case 'q': quiet = true; break;
		case 'h': usage(0);
		default: usage(2);
		}
	if (argc - optind > 1)
		usage(2);

	struct picture photo = picture_read(optind < argc ? argv[optind] : "input.png");
	struct device device = device_open(&photo);
	soften(&device);
	find_edges(&device);
	struct picture soft = picture_fetch(device.rows, device.columns, device.soft),
		       edges = fetch_edges(&device);
	picture_write(&soft, soft_path);
	picture_write(&edges, edges_path);
	if (checked)
		check(&photo, &soft, &device);
	device_close(&device);
	if (!quiet)
		measure(&photo);
	picture_free(&photo);
	picture_free(&soft);
	picture_free(&edges);
	return 0;
}
