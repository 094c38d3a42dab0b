/* main.c - reads a floor plan from a PNG, lets patc's kernel spread the heat in it until the
 * temperatures have settled, writes what it looks like before and after, and measures the kernel.
 *
 * Colours of the input: dark is a wall, red a heater (60 degrees), blue a window (0 degrees),
 * everything else air (18 degrees). */
#include <getopt.h>
#include <png.h>
#include <unistd.h>

#include "heat.h"
#include "platform.h"

enum { AIR, WALL, FIXED };                    /* as in heat.pat */
enum { CHUNK = 500 };                         /* steps between two looks at the change */
enum { LARGE = 1 << 24 };                     /* cells of the house that is measured, at least */
static const float RATE = 0.24f;              /* of a cell's difference that flows in a step: < 1/4 */
static const float COLD = 0, MILD = 18, HOT = 60;

struct house {
	int64_t rows, columns;
	int scale;                            /* cells per pixel, each way */
	uint8_t *cell;
	float *temp;
};
struct device {                               /* the same house where the kernel runs */
	uint8_t *cell;
	float *temp, *change;
	void *workspace;
	size_t workspace_bytes;
};

static _Noreturn void fail(const char *what, const char *why)
{
	fprintf(stderr, "heat: %s: %s\n", what, why);
	exit(1);
}

static void *must_have(void *p)
{
	if (!p)
		fail("memory", "not enough");
	return p;
}

static void must(bool good)
{
	if (!good)
		exit(1);                      /* the platform has said why */
}

/* ---- pictures ---- */

static void read_cell(const png_byte *rgb, uint8_t *cell, float *temp)
{
	int r = rgb[0], g = rgb[1], b = rgb[2];
	bool red = r > g + 80 && r > b + 80, blue = b > r + 80 && b > g + 80;
	bool dark = !red && !blue && r + g + b < 3 * 96;
	*cell = dark ? WALL : red || blue ? FIXED : AIR;
	*temp = red ? HOT : blue ? COLD : MILD;
}

static struct house read_house(const char *path, int scale)
{
	png_image image = { .version = PNG_IMAGE_VERSION };
	if (!png_image_begin_read_from_file(&image, path))
		fail(path, image.message);
	image.format = PNG_FORMAT_RGB;
	png_byte *pixels = must_have(malloc(PNG_IMAGE_SIZE(image)));
	if (!png_image_finish_read(&image, NULL, pixels, 0, NULL))
		fail(path, image.message);

	struct house h = { (int64_t)image.height * scale, (int64_t)image.width * scale, scale, NULL, NULL };
	h.cell = must_have(malloc((size_t)(h.rows * h.columns)));
	h.temp = must_have(malloc((size_t)(h.rows * h.columns) * sizeof *h.temp));
	for (int64_t i = 0; i < h.rows; i++)
		for (int64_t j = 0; j < h.columns; j++)
			read_cell(pixels + 3 * (i / scale * image.width + j / scale),
			          h.cell + i * h.columns + j, h.temp + i * h.columns + j);
	free(pixels);
	return h;
}

static void house_close(struct house *h)
{
	free(h->cell);
	free(h->temp);
}

/* Black through red and yellow to white, as glowing iron does. */
static void write_cell(uint8_t cell, float temp, png_byte *rgb)
{
	float x = (temp - COLD) / (HOT - COLD) * 3;
	for (int c = 0; c < 3; c++) {
		float light = x - (float)c;
		rgb[c] = (png_byte)(255 * (light < 0 ? 0 : light > 1 ? 1 : light));
	}
	if (cell == WALL)
		rgb[0] = rgb[1] = rgb[2] = 90;
}

static void write_house(const struct house *h, const char *path)
{
	png_image image = { .version = PNG_IMAGE_VERSION, .format = PNG_FORMAT_RGB };
	image.width = (png_uint_32)(h->columns / h->scale);
	image.height = (png_uint_32)(h->rows / h->scale);
	png_byte *pixels = must_have(malloc(PNG_IMAGE_SIZE(image))), *at = pixels;
	for (int64_t i = 0; i < h->rows; i += h->scale)
		for (int64_t j = 0; j < h->columns; j += h->scale, at += 3)
			write_cell(h->cell[i * h->columns + j], h->temp[i * h->columns + j], at);
	if (!png_image_write_to_file(&image, path, 0, pixels, 0, NULL))
		fail(path, image.message);
	free(pixels);
	printf("wrote %s\n", path);
}

/* ---- the kernel ---- */

static struct device device_open(const struct house *h)
{
	size_t cells = (size_t)(h->rows * h->columns);
	struct device d = { .workspace_bytes = heat_workspace(h->rows, h->columns) };
	d.cell = must_have(device_new(cells));
	d.temp = must_have(device_new(cells * sizeof *d.temp));
	d.change = must_have(device_new(sizeof *d.change));
	d.workspace = must_have(device_new(d.workspace_bytes));
	must(to_device(d.cell, h->cell, cells) && to_device(d.temp, h->temp, cells * sizeof *d.temp));
	return d;
}

static void device_close(struct device *d)
{
	device_free(d->cell);
	device_free(d->temp);
	device_free(d->change);
	device_free(d->workspace);
}

static void spread(const struct house *h, struct device *d, float eps, int64_t steps)
{
	int status = heat(h->rows, h->columns, d->cell, d->temp, RATE, eps, steps, d->change,
	                  d->workspace, d->workspace_bytes, NULL);
	if (status)
		fail("heat", heat_strerror(status));
}

/* Runs in chunks, so that somebody who waits can see how far it is. */
static void settle(struct house *h, struct device *d, float eps, int64_t most)
{
	bool terminal = isatty(STDERR_FILENO);
	float change = 0;
	int64_t done = 0;
	double start = seconds();
	do {
		int64_t steps = most - done < CHUNK ? most - done : CHUNK;
		spread(h, d, eps, steps);
		must(to_host(&change, d->change, sizeof change));
		done += steps;
		if (terminal)
			fprintf(stderr, "\r%8lld steps, change %.2e (until %.0e) ", (long long)done, change, eps);
	} while (done < most && !(change < eps));
	if (terminal)
		fputs("\r\033[K", stderr);
	must(to_host(h->temp, d->temp, (size_t)(h->rows * h->columns) * sizeof *h->temp));
	printf("%s: %lld x %lld cells, %s within %lld steps, last change %.2e, %.2f s\n", platform,
	       (long long)h->rows, (long long)h->columns, change < eps ? "settled" : "not settled",
	       (long long)done, change, seconds() - start);
}

/* ---- figures ---- */

/* The best of five: seconds for one copy of the temperatures. */
static double time_copy(const struct house *h, struct device *d)
{
	size_t bytes = (size_t)(h->rows * h->columns) * sizeof *h->temp;
	void *to = must_have(device_new(bytes));
	const int times = 10;
	double best = 1e9;
	for (int k = 0; k < 5; k++) {
		must(device_wait());
		double start = seconds();
		for (int i = 0; i < times; i++)
			must(device_copy(to, d->temp, bytes));
		must(device_wait());
		double took = (seconds() - start) / times;
		best = took < best ? took : best;
	}
	device_free(to);
	return best;
}

/* Likewise for one step; eps 0 never stops early. */
static double time_step(const struct house *h, struct device *d)
{
	const int64_t steps = 10;
	double best = 1e9;
	for (int k = 0; k < 5; k++) {
		must(device_wait());
		double start = seconds();
		spread(h, d, 0, steps);
		must(device_wait());
		double took = (seconds() - start) / (double)steps;
		best = took < best ? took : best;
	}
	return best;
}

/* On a house too large for any cache, because that is where memory is the limit. */
static void measure(const char *path, const struct house *small)
{
	int scale = small->scale;
	int64_t pixels = small->rows / scale * (small->columns / scale);
	while (pixels * scale * scale < LARGE)
		scale++;
	struct house h = read_house(path, scale);
	struct device d = device_open(&h);
	double cells = (double)(h.rows * h.columns);
	double copy = cells * 2 * sizeof *h.temp / time_copy(&h, &d);
	double rate = cells / time_step(&h, &d);
	double traffic = rate * (2 * sizeof *h.temp + sizeof *h.cell);
	printf("%s: %lld x %lld cells, %.3g Gcell/s; that moves %.1f GB/s, %.0f %% of a copy's %.1f GB/s\n",
	       platform, (long long)h.rows, (long long)h.columns, rate * 1e-9, traffic * 1e-9,
	       100 * traffic / copy, copy * 1e-9);
	device_close(&d);
	house_close(&h);
}

/* ---- the command ---- */

static _Noreturn void usage(int status)
{
	fputs("usage: heat [--scale=K] [--eps=E] [--steps=N] [--before=FILE] [--after=FILE] [--no-measure]\n"
	      "            [input.png]\n"
	      "  --scale=K      make every pixel K x K cells (1)\n"
	      "  --eps=E        stop when no cell changes by more in a step (1e-3)\n"
	      "  --steps=N      and after N steps at most (200000)\n"
	      "  --before=FILE  the start as a picture (before.png)\n"
	      "  --after=FILE   the end as a picture (after.png)\n"
	      "  --no-measure   do not measure the kernel afterwards\n", status ? stderr : stdout);
	exit(status);
}

static double number(const char *text, double low, double high)
{
	char *end;
	double x = strtod(text, &end);
	if (end == text || *end || !(x >= low && x <= high))
		usage(2);
	return x;
}

int main(int argc, char **argv)
{
	static const struct option options[] = {
		{ "scale", required_argument, NULL, 's' }, { "eps", required_argument, NULL, 'e' },
		{ "steps", required_argument, NULL, 'n' }, { "before", required_argument, NULL, 'b' },
		{ "after", required_argument, NULL, 'a' },
		{ "no-measure", no_argument, NULL, 'q' }, { "help", no_argument, NULL, 'h' }, { 0 }
	};
	const char *before = "before.png", *after = "after.png";
	int scale = 1, option;
	bool quiet = false;
	float eps = 1e-3f;
	int64_t steps = 200000;
	while ((option = getopt_long(argc, argv, "", options, NULL)) != -1)
		switch (option) {
		case 's': scale = (int)number(optarg, 1, 256); break;
		case 'e': eps = (float)number(optarg, 0, 100); break;
		case 'n': steps = (int64_t)number(optarg, 1, 1e12); break;
		case 'b': before = optarg; break;
		case 'a': after = optarg; break;
		case 'q': quiet = true; break;
		case 'h': usage(0);
		default: usage(2);
		}
	if (argc - optind > 1)
		usage(2);

	const char *input = optind < argc ? argv[optind] : "input.png";
	struct house house = read_house(input, scale);
	write_house(&house, before);
	struct device device = device_open(&house);
	settle(&house, &device, eps, steps);
	write_house(&house, after);
	device_close(&device);
	if (!quiet)
		measure(input, &house);
	house_close(&house);
	return 0;
}
