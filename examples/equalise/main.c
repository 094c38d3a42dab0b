/* main.c - reads a photograph from a PNG, lets patc's kernel spread its light evenly, writes it,
 * and measures the kernel. */
#include <assert.h>
#include <getopt.h>

#include "common.h"
#include "equalise.h"

static_assert(sizeof(Rgb) == 3, "a pixel of a picture is an Rgb");

enum { LEVELS = 256 };                        /* as in equalise.pat */

struct device {                               /* where the kernel runs */
	int64_t rows, columns;
	Rgb *photo, *even;
	int64_t *pixels;
	void *workspace;
	size_t workspace_bytes;
};

/* ---- the kernel ---- */

static struct device device_open(const struct picture *p)
{
	struct device d = { .rows = p->rows,
			    .columns = p->columns,
			    .workspace_bytes = equalise_workspace(p->rows, p->columns) };
	size_t bytes = (size_t)(p->rows * p->columns) * sizeof(Rgb);
	d.photo = device_new(bytes);
	d.even = device_new(bytes);
	d.pixels = device_new(LEVELS * sizeof *d.pixels);
	d.workspace = device_new(d.workspace_bytes);
	to_device(d.photo, p->rgb, bytes);
	return d;
}

static void device_close(struct device *d)
{
	device_free(d->photo);
	device_free(d->even);
	device_free(d->pixels);
	device_free(d->workspace);
}

static void run(void *state)
{
	struct device *d = state;
	must_succeed(equalise(d->rows, d->columns, d->photo, d->even, d->pixels, d->workspace,
			      d->workspace_bytes, NULL),
		     equalise_strerror, "equalise");
}

/* ---- light ---- */

static int level(const uint8_t *rgb)
{
	return (299 * rgb[0] + 587 * rgb[1] + 114 * rgb[2] + 500) / 1000;
}

static void count(const struct picture *p, int64_t pixels[LEVELS])
{
	memset(pixels, 0, LEVELS * sizeof *pixels);
	for (int64_t i = 0; i < p->rows * p->columns; i++)
		pixels[level(p->rgb + 3 * i)]++;
}

/* Half of the pixels are darker. */
static int middle(const struct picture *p)
{
	int64_t pixels[LEVELS], darker = 0;
	int k = 0;
	count(p, pixels);
	for (; k < LEVELS && 2 * (darker + pixels[k]) <= p->rows * p->columns; k++)
		darker += pixels[k];
	return k;
}

/* ---- the comparison with plain loops ---- */

static int scaled(int x, int old, int new)
{
	int y = old ? (x * new + old / 2) / old : new;
	return y < 255 ? y : 255;
}

static void check(const struct picture *photo, const struct picture *even, const struct device *d)
{
	int64_t pixels[LEVELS], found[LEVELS], darker = 0, wrong = 0,
					       cells = photo->rows * photo->columns;
	int becomes[LEVELS];
	count(photo, pixels);
	to_host(found, d->pixels, sizeof found);
	check_within("counts of levels", memcmp(pixels, found, sizeof found) != 0, 0);
	for (int k = 0; k < LEVELS; k++) {
		becomes[k] = (int)((LEVELS - 1) * (2 * darker + pixels[k]) / (2 * cells));
		darker += pixels[k];
	}
	for (int64_t i = 0; i < cells; i++) {
		int old = level(photo->rgb + 3 * i);
		for (int c = 0; c < 3; c++)
			wrong += even->rgb[3 * i + c]
				 != scaled(photo->rgb[3 * i + c], old, becomes[old]);
	}
	check_within("pixels", (double)wrong, 0);
}

/* ---- figures ---- */

static void measure(const struct picture *photo)
{
	struct picture big = picture_repeated(photo);
	struct device d = device_open(&big);
	char what[64];
	snprintf(what, sizeof what, "%lld x %lld pixels", (long long)big.rows,
		 (long long)big.columns);
	/* read to be counted, read and written to be lit */
	print_rate(what, (double)(big.rows * big.columns), 3 * sizeof(Rgb), best_time(run, &d));
	device_close(&d);
	picture_free(&big);
}

/* ---- the command ---- */

static _Noreturn void usage(int status)
{
	fputs("usage: equalise [--even=FILE] [--check] [--no-measure] [photo.png]\n"
	      "  --even=FILE    the picture with its light spread (even.png)\n"
	      "  --check        compare with plain loops\n"
	      "  --no-measure   do not measure the kernel afterwards\n"
	      "The photograph is that of boxblur if none is named.\n", status ? stderr : stdout);
	exit(status);
}

int main(int argc, char **argv)
{
	static const struct option options[] = {
		{ "even", required_argument, NULL, 'e' }, { "check", no_argument, NULL, 'c' },
		{ "no-measure", no_argument, NULL, 'q' }, { "help", no_argument, NULL, 'h' }, { 0 }
	};
	const char *even_path = "even.png";
	bool checked = false, quiet = false;
	int option;
	while ((option = getopt_long(argc, argv, "", options, NULL)) != -1)
		switch (option) {
		case 'e': even_path = optarg; break;
		case 'c': checked = true; break;
		case 'q': quiet = true; break;
		case 'h': usage(0);
		default: usage(2);
		}
	if (argc - optind > 1)
		usage(2);

	struct picture photo = picture_read(optind < argc ? argv[optind] : "../boxblur/input.png");
	struct device d = device_open(&photo);
	run(&d);
	struct picture even = picture_fetch(d.rows, d.columns, d.even);
	printf("%s: %lld x %lld pixels, half of them darker than %d of %d, then than %d\n",
	       platform, (long long)photo.rows, (long long)photo.columns, middle(&photo),
	       LEVELS - 1, middle(&even));
	picture_write(&even, even_path);
	if (checked)
		check(&photo, &even, &d);
	device_close(&d);
	if (!quiet)
		measure(&photo);
	picture_free(&photo);
	picture_free(&even);
	return 0;
}
