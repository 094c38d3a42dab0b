/* main.c - reads a photograph from a PNG, lets patc's kernel blur it, writes it, and measures the
 * kernel for a small radius and a large one. */
#include <assert.h>
#include <getopt.h>

#include "boxblur.h"
#include "common.h"

static_assert(sizeof(Rgb) == 3, "a pixel of a picture is an Rgb");

struct device {                               /* where the kernel runs */
	int64_t rows, columns, radius;
	Rgb *photo, *soft;
	void *workspace;
	size_t workspace_bytes;
};

/* ---- the kernel ---- */

static struct device device_open(const struct picture *p, int64_t radius)
{
	struct device d = { .rows = p->rows, .columns = p->columns, .radius = radius };
	size_t bytes = (size_t)(p->rows * p->columns) * sizeof(Rgb);
	d.workspace_bytes = boxblur_workspace(d.rows, d.columns);
	d.photo = device_new(bytes);
	d.soft = device_new(bytes);
	d.workspace = device_new(d.workspace_bytes);
	to_device(d.photo, p->rgb, bytes);
	return d;
}

static void device_close(struct device *d)
{
	device_free(d->photo);
	device_free(d->soft);
	device_free(d->workspace);
}

static void run(void *state)
{
	struct device *d = state;
	must_succeed(boxblur(d->rows, d->columns, d->photo, d->radius, d->soft, d->workspace,
			     d->workspace_bytes, NULL),
		     boxblur_strerror, "boxblur");
}

/* ---- the comparison with plain loops ---- */

/* The mean of channel c in the square, pixel by pixel. */
static unsigned mean(const struct picture *p, int64_t row, int64_t column, int64_t radius, int c)
{
	uint64_t sum = 0, cells = 0;
	for (int64_t i = row - radius; i <= row + radius; i++)
		for (int64_t j = column - radius; j <= column + radius; j++)
			if (i >= 0 && i < p->rows && j >= 0 && j < p->columns) {
				sum += pixel(p, i, j)[c];
				cells++;
			}
	return (unsigned)((2 * sum + cells) / (2 * cells));
}

static void check(const struct picture *photo, const struct picture *soft, int64_t radius)
{
	int64_t wrong = 0;
	for (int64_t i = 0; i < photo->rows; i++)
		for (int64_t j = 0; j < photo->columns; j++)
			for (int c = 0; c < 3; c++)
				wrong += pixel(soft, i, j)[c] != mean(photo, i, j, radius, c);
	check_within("pixels", (double)wrong, 0);
}

/* ---- figures ---- */

static void measure(const struct picture *photo)
{
	struct picture big = picture_repeated(photo);
	struct device d = device_open(&big, 0);
	char what[80];
	for (int k = 0; k < 2; k++) {
		d.radius = k ? 100 : 2;
		snprintf(what, sizeof what, "%lld x %lld pixels, radius %lld", (long long)big.rows,
			 (long long)big.columns, (long long)d.radius);
		/* read the pixels, write and read the tables, write the pixels */
		print_rate(what, (double)(big.rows * big.columns),
			   2 * sizeof(Rgb) + 2 * 3 * sizeof(uint32_t), best_time(run, &d));
	}
	device_close(&d);
	picture_free(&big);
}

/* ---- the command ---- */

static _Noreturn void usage(int status)
{
	fputs("usage: boxblur [--radius=N] [--soft=FILE] [--check] [--no-measure] [input.png]\n"
	      "  --radius=N     of the squares, in pixels (6)\n"
	      "  --soft=FILE    the blurred picture (soft.png)\n"
	      "  --check        compare with plain loops\n"
	      "  --no-measure   do not measure the kernel afterwards\n", status ? stderr : stdout);
	exit(status);
}

int main(int argc, char **argv)
{
	static const struct option options[] = {
		{ "radius", required_argument, NULL, 'r' }, { "soft", required_argument, NULL, 's' },
		{ "check", no_argument, NULL, 'c' }, { "no-measure", no_argument, NULL, 'q' },
		{ "help", no_argument, NULL, 'h' }, { 0 }
	};
	const char *soft_path = "soft.png";
	int64_t radius = 6;
	bool checked = false, quiet = false;
	int option, which = 0;
	while ((option = getopt_long(argc, argv, "", options, &which)) != -1)
		switch (option) {
		/* below 2^24 pixels */
		case 'r': radius = (int64_t)number(options[which].name, optarg, 0, 2000); break;
		case 's': soft_path = optarg; break;
		case 'c': checked = true; break;
		case 'q': quiet = true; break;
		case 'h': usage(0);
		default: usage(2);
		}
	if (argc - optind > 1)
		usage(2);

	struct picture photo = picture_read(optind < argc ? argv[optind] : "input.png");
	struct device d = device_open(&photo, radius);
	run(&d);
	struct picture soft = picture_fetch(d.rows, d.columns, d.soft);
	printf("%s: %lld x %lld pixels, squares of %lld x %lld\n", platform, (long long)photo.rows,
	       (long long)photo.columns, (long long)(2 * radius + 1), (long long)(2 * radius + 1));
	picture_write(&soft, soft_path);
	if (checked)
		check(&photo, &soft, radius);
	device_close(&d);
	if (!quiet)
		measure(&photo);
	picture_free(&photo);
	picture_free(&soft);
	return 0;
}
