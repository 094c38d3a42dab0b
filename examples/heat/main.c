/* main.c - reads a floor plan from a PNG, lets patc's kernel spread the heat in it until the
 * temperatures have settled, writes what it looks like before and after, and measures the kernel.
 *
 * Colours of the input: dark is a wall, red a heater (60 degrees), blue a window (0 degrees),
 * everything else air (18 degrees). */
#include <getopt.h>

#include "common.h"
#include "heat.h"

enum { AIR, WALL, FIXED };                    /* as in heat.pat */
enum { STEPS = 100 };                         /* between two looks at the change */
enum { LOOKS = 5 };                           /* until somebody who waits is told */
static const float RATE = 0.24f; /* of a cell's difference that flows in a step: < 1/4 */
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

/* ---- pictures ---- */

static void read_cell(const uint8_t *rgb, uint8_t *cell, float *temp)
{
	int r = rgb[0], g = rgb[1], b = rgb[2];
	bool red = r > g + 80 && r > b + 80, blue = b > r + 80 && b > g + 80;
	bool dark = !red && !blue && r + g + b < 3 * 96;
	*cell = dark ? WALL : red || blue ? FIXED : AIR;
	*temp = red ? HOT : blue ? COLD : MILD;
}

static struct house read_house(const char *path, int scale)
{
	struct picture p = picture_read(path);
	struct house h = { p.rows * scale, p.columns * scale, scale, NULL, NULL };
	h.cell = host_new((size_t)(h.rows * h.columns));
	h.temp = host_new((size_t)(h.rows * h.columns) * sizeof *h.temp);
	for (int64_t i = 0; i < h.rows; i++)
		for (int64_t j = 0; j < h.columns; j++)
			read_cell(pixel(&p, i / scale, j / scale), h.cell + i * h.columns + j,
			          h.temp + i * h.columns + j);
	picture_free(&p);
	return h;
}

static void house_close(struct house *h)
{
	free(h->cell);
	free(h->temp);
}

/* Black through red and yellow to white, as glowing iron does. */
static void write_cell(uint8_t cell, float temp, uint8_t *rgb)
{
	float x = (temp - COLD) / (HOT - COLD) * 3;
	for (int c = 0; c < 3; c++) {
		float light = x - (float)c;
		rgb[c] = (uint8_t)(255 * (light < 0 ? 0 : light > 1 ? 1 : light));
	}
	if (cell == WALL)
		rgb[0] = rgb[1] = rgb[2] = 90;
}

static void write_house(const struct house *h, const char *path)
{
	struct picture p = picture_new(h->rows / h->scale, h->columns / h->scale);
	for (int64_t i = 0; i < p.rows; i++)
		for (int64_t j = 0; j < p.columns; j++) {
			int64_t at = (i * h->columns + j) * h->scale;
			write_cell(h->cell[at], h->temp[at], pixel(&p, i, j));
		}
	picture_write(&p, path);
	picture_free(&p);
}

/* ---- the kernel ---- */

static struct device device_open(const struct house *h)
{
	size_t cells = (size_t)(h->rows * h->columns);
	struct device d = { .workspace_bytes = heat_workspace(h->rows, h->columns) };
	d.cell = device_new(cells);
	d.temp = device_new(cells * sizeof *d.temp);
	d.change = device_new(sizeof *d.change);
	d.workspace = device_new(d.workspace_bytes);
	to_device(d.cell, h->cell, cells);
	to_device(d.temp, h->temp, cells * sizeof *d.temp);
	return d;
}

static void device_close(struct device *d)
{
	device_free(d->cell);
	device_free(d->temp);
	device_free(d->change);
	device_free(d->workspace);
}

static void spread(const struct house *h, struct device *d, float eps, int64_t steps,
		   int64_t looks)
{
	must_succeed(heat(h->rows, h->columns, d->cell, d->temp, RATE, eps, steps, looks, d->change,
	                  d->workspace, d->workspace_bytes, NULL), heat_strerror, "heat");
}

/* Runs in chunks, so that somebody who waits can see how far it is. */
static void settle(struct house *h, struct device *d, float eps, int64_t most)
{
	float change = 0;
	int64_t done = 0;
	double start = seconds();
	do {
		int64_t left = most - done, steps = left < STEPS ? left : STEPS;
		int64_t looks = left / steps < LOOKS ? left / steps : LOOKS;
		spread(h, d, eps, steps, looks);
		to_host(&change, d->change, sizeof change);
		done += steps * looks;
		progress("%8lld steps, change %.2e (until %.0e) ", (long long)done, change, eps);
	} while (done < most && !(change < eps));
	progress_end();
	to_host(h->temp, d->temp, (size_t)(h->rows * h->columns) * sizeof *h->temp);
	printf("%s: %lld x %lld cells, %s within %lld steps, last change %.2e, %.2f s\n", platform,
	       (long long)h->rows, (long long)h->columns, change < eps ? "settled" : "not settled",
	       (long long)done, change, seconds() - start);
}

/* ---- figures ---- */

struct run { const struct house *house; struct device *device; };

static void some_steps(void *state)           /* an eps of 0 never stops early */
{
	const struct run *r = state;
	spread(r->house, r->device, 0, STEPS, 1);
}

/* On a house too large for any cache, because that is where memory is the limit: a step reads the
 * ways and the temperatures and writes these.  Where a visit of memory computes several steps, the
 * figure is more than a copy's. */
static void measure(const char *path, const struct house *small)
{
	int scale = small->scale;
	int64_t pixels = small->rows / scale * (small->columns / scale);
	while (pixels * scale * scale * (int64_t)sizeof *small->temp < large)
		scale++;
	struct house h = read_house(path, scale);
	struct device d = device_open(&h);
	struct run r = { &h, &d };
	char what[96];
	snprintf(what, sizeof what, "%lld x %lld cells", (long long)h.rows, (long long)h.columns);
	print_rate(what, STEPS * (double)(h.rows * h.columns), 2 * sizeof *h.temp + sizeof *h.cell,
	           best_time(some_steps, &r));
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
	      "  --no-measure   do not measure the kernel afterwards\n",
	      status ? stderr : stdout);
	exit(status);
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
	int scale = 1, option, which = 0;
	bool quiet = false;
	float eps = 1e-3f;
	int64_t steps = 200000;
	while ((option = getopt_long(argc, argv, "", options, &which)) != -1)
		switch (option) {
		case 's': scale = (int)number(options[which].name, optarg, 1, 256); break;
		case 'e': eps = (float)number(options[which].name, optarg, 0, 100); break;
		case 'n': steps = (int64_t)number(options[which].name, optarg, 1, 1e12); break;
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
