/* main.c - reads a picture from a PNG, lets patc's kernel turn it, writes it, and measures the
 * kernel for a small angle and a large one. */
#include <assert.h>
#include <getopt.h>
#include <math.h>

#include "common.h"
#include "rotate.h"

static_assert(sizeof(Rgb) == 3, "a pixel of a picture is an Rgb");

static const double PI = 3.14159265358979323846;
static const Rgb PAPER = { 236, 232, 222 };

struct device {                               /* where the kernel runs */
	int64_t rows, columns;
	double angle;
	Rgb *photo, *turned;
	void *workspace;
	size_t workspace_bytes;
};

/* ---- the kernel ---- */

static struct device device_open(const struct picture *p, double angle)
{
	struct device d = { .rows = p->rows, .columns = p->columns, .angle = angle };
	size_t bytes = (size_t)(p->rows * p->columns) * sizeof(Rgb);
	d.workspace_bytes = rotate_workspace(d.rows, d.columns);
	d.photo = device_new(bytes);
	d.turned = device_new(bytes);
	d.workspace = device_new(d.workspace_bytes);
	to_device(d.photo, p->rgb, bytes);
	return d;
}

static void device_close(struct device *d)
{
	device_free(d->photo);
	device_free(d->turned);
	device_free(d->workspace);
}

static void run(void *state)
{
	struct device *d = state;
	must_succeed(rotate(d->rows, d->columns, d->photo, (float)cos(d->angle),
			    (float)sin(d->angle), PAPER, d->turned, d->workspace,
			    d->workspace_bytes, NULL),
		     rotate_strerror, "rotate");
}

/* ---- the comparison with plain loops ---- */

/* Channel c of the picture between its pixels: what each of those around gives by how near it
 * is. */
static double light(const struct picture *p, double y, double x, int c)
{
	double sum = 0;
	for (int64_t i = (int64_t)y; i <= (int64_t)y + 1 && i < p->rows; i++)
		for (int64_t j = (int64_t)x; j <= (int64_t)x + 1 && j < p->columns; j++)
			sum += (1 - fabs(y - (double)i)) * (1 - fabs(x - (double)j))
			       * pixel(p, i, j)[c];
	return sum;
}

/* At the edge of the picture roundings decide whether a pixel is inside. */
static bool is_near(double at, int64_t n)
{
	return fabs(at) < 1e-3 || fabs(at - (double)(n - 1)) < 1e-3;
}

static double off_at(const struct picture *photo, const uint8_t *turned, double y, double x)
{
	const uint8_t paper[] = { PAPER.r, PAPER.g, PAPER.b };
	bool inside = y >= 0 && y <= (double)(photo->rows - 1) && x >= 0
		      && x <= (double)(photo->columns - 1);
	double off = 0;
	for (int c = 0; c < 3; c++)
		off = worse(off, fabs(turned[c] - (inside ? light(photo, y, x, c) : paper[c])));
	return off;
}

static void check(const struct picture *photo, const struct picture *turned, double angle)
{
	double off = 0, middle_y = (double)(photo->rows - 1) / 2,
	       middle_x = (double)(photo->columns - 1) / 2;
	for (int64_t i = 0; i < photo->rows; i++)
		for (int64_t j = 0; j < photo->columns; j++) {
			double down = (double)i - middle_y, right = (double)j - middle_x;
			double y = middle_y + cos(angle) * down + sin(angle) * right;
			double x = middle_x - sin(angle) * down + cos(angle) * right;
			if (!is_near(y, photo->rows) && !is_near(x, photo->columns))
				off = worse(off, off_at(photo, pixel(turned, i, j), y, x));
		}
	check_within("pixels", off, 0.51);
}

/* ---- figures ---- */

static void measure(const struct picture *photo)
{
	struct picture big = picture_repeated(photo);
	struct device d = device_open(&big, 0);
	char what[64];
	for (int degrees = 5; degrees <= 90; degrees += 85) {
		d.angle = degrees * PI / 180;
		snprintf(what, sizeof what, "%lld x %lld pixels by %d degrees", (long long)big.rows,
			 (long long)big.columns, degrees);
		/* the background is written first */
		print_rate(what, (double)(big.rows * big.columns), 3 * sizeof(Rgb),
			   best_time(run, &d));
	}
	device_close(&d);
	picture_free(&big);
}

/* ---- the command ---- */

static _Noreturn void usage(int status)
{
	fputs("usage: rotate [--angle=X] [--turned=FILE] [--check] [--no-measure] [picture.png]\n"
	      "  --angle=X      in degrees, against the clock (20)\n"
	      "  --turned=FILE  the turned picture (turned.png)\n"
	      "  --check        compare with plain loops\n"
	      "  --no-measure   do not measure the kernel afterwards\n"
	      "The picture is that of photo if none is named.\n", status ? stderr : stdout);
	exit(status);
}

int main(int argc, char **argv)
{
	static const struct option options[] = {
		{ "angle", required_argument, NULL, 'a' }, { "turned", required_argument, NULL, 't' },
		{ "check", no_argument, NULL, 'c' }, { "no-measure", no_argument, NULL, 'q' },
		{ "help", no_argument, NULL, 'h' }, { 0 }
	};
	const char *turned_path = "turned.png";
	double degrees = 20;
	bool checked = false, quiet = false;
	int option;
	while ((option = getopt_long(argc, argv, "", options, NULL)) != -1)
		switch (option) {
		case 'a': degrees = number("--angle", optarg, -360, 360); break;
		case 't': turned_path = optarg; break;
		case 'c': checked = true; break;
		case 'q': quiet = true; break;
		case 'h': usage(0);
		default: usage(2);
		}
	if (argc - optind > 1)
		usage(2);

	struct picture photo = picture_read(optind < argc ? argv[optind] : "../photo/input.png");
	struct device d = device_open(&photo, degrees * PI / 180);
	run(&d);
	struct picture turned = picture_fetch(d.rows, d.columns, d.turned);
	printf("%s: %lld x %lld pixels turned by %g degrees\n", platform, (long long)photo.rows,
	       (long long)photo.columns, degrees);
	picture_write(&turned, turned_path);
	if (checked)
		check(&photo, &turned, d.angle);
	device_close(&d);
	if (!quiet)
		measure(&photo);
	picture_free(&photo);
	picture_free(&turned);
	return 0;
}
