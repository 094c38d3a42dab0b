/* main.c - makes the weights of a small network, the last layer's by learning from tiles that it
 * draws, and tells by patc's kernels what the tiles of a photograph show. */
#include <getopt.h>
#include <math.h>

#include "classify.h"
#include "common.h"
#include "naive.h"
#include "teach.h"

static const float RATE = 1.0f;               /* of learning */

static const struct { const char *name, *mark; uint8_t rgb[3]; } of_class[CLASSES] = {
	{ "bright", ".", { 255, 255, 255 } }, { "dark", ":", { 0, 0, 0 } },
	{ "coloured", "o", { 255, 160, 0 } }, { "level edge", "-", { 230, 0, 0 } },
	{ "upright edge", "|", { 0, 0, 230 } }, { "slanted edge", "/", { 200, 0, 200 } },
	{ "texture", "#", { 0, 160, 0 } }
};

struct device {                               /* where the kernels run */
	int64_t pictures, rows, columns;      /* rows and columns of tiles in each */
	uint8_t *photo;
	float *first, *first_bias, *second, *second_bias, *weight, *one, *two, *feature, *chance;
	int32_t *class;
	void *workspace;
	size_t workspace_bytes;
};

/* ---- the kernels ---- */

static int64_t tiles(const struct device *d)
{
	return d->pictures * d->rows * d->columns;
}

static size_t most(size_t a, size_t b)
{
	return a > b ? a : b;
}

static float *floats_device(int64_t n)
{
	return device_new((size_t)n * sizeof(float));
}

static struct device device_open(int64_t pictures, int64_t rows, int64_t columns)
{
	int64_t tiles = pictures * rows * columns;
	struct device d = { .pictures = pictures, .rows = rows, .columns = columns };
	d.photo = device_new((size_t)(tiles * TILE * TILE * 3));
	d.first = floats_device(FIRST * 9 * 3);
	d.first_bias = floats_device(FIRST);
	d.second = floats_device(SECOND * 9 * FIRST);
	d.second_bias = floats_device(SECOND);
	d.weight = floats_device(CLASSES * SECOND);
	d.one = floats_device(tiles * TILE * TILE * FIRST);
	d.two = floats_device(tiles * TILE * TILE / 4 * SECOND);
	d.feature = floats_device(tiles * SECOND);
	d.chance = floats_device(tiles * CLASSES);
	d.class = device_new((size_t)tiles * sizeof *d.class);
	d.workspace_bytes = most(look_workspace(pictures, rows, columns, FIRST, SECOND),
				 most(judge_workspace(tiles, SECOND, CLASSES),
				      learn_workspace(tiles, SECOND, CLASSES)));
	d.workspace = device_new(d.workspace_bytes);
	return d;
}

static void device_close(struct device *d)
{
	void *const all[] = { d->photo, d->first, d->first_bias, d->second, d->second_bias,
			      d->weight, d->one, d->two, d->feature, d->chance, d->class,
			      d->workspace };
	for (size_t k = 0; k < sizeof all / sizeof *all; k++)
		device_free(all[k]);
}

static void run_look(void *state)
{
	struct device *d = state;
	must_succeed(look(d->pictures, d->rows, d->columns, FIRST, SECOND, d->photo, d->first,
			  d->first_bias, d->second, d->second_bias, d->one, d->two, d->feature,
			  d->workspace, d->workspace_bytes, NULL),
		     look_strerror, "look");
}

static void run_judge(struct device *d)
{
	must_succeed(judge(tiles(d), SECOND, CLASSES, d->feature, d->weight, d->chance,
			   d->class, d->workspace, d->workspace_bytes, NULL),
		     judge_strerror, "judge");
}

/* The classes that the tiles are known to have are in `class`. */
static void run_learn(struct device *d, int32_t steps, float rate)
{
	must_succeed(learn(tiles(d), SECOND, CLASSES, d->feature, d->class, steps, rate,
			   d->weight, d->workspace, d->workspace_bytes, NULL),
		     learn_strerror, "learn");
}

static void layers_bring(struct device *d, const struct layers *l)
{
	to_device(d->first, l->first, sizeof l->first);
	to_device(d->first_bias, l->first_bias, sizeof l->first_bias);
	to_device(d->second, l->second, sizeof l->second);
	to_device(d->second_bias, l->second_bias, sizeof l->second_bias);
}

/* ---- the comparison with plain loops ---- */

/* Each layer from what the kernel made of the one before. */
static void check(const struct device *d, const struct picture *photo, const struct layers *l,
		  const float *weight, const int32_t *class)
{
	int64_t n = d->rows * TILE, m = d->columns * TILE, count = tiles(d);
	float *x = host_new((size_t)(n * m * 3) * sizeof *x);
	float *one = floats_fetch(d->one, n * m * FIRST);
	float *two = floats_fetch(d->two, n * m / 4 * SECOND);
	float *feature = floats_fetch(d->feature, count * SECOND);
	float *chance = floats_fetch(d->chance, count * CLASSES);
	double off[4] = { 0 }, wrong = 0, want[CLASSES];
	for (int64_t at = 0; at < n * m * 3; at++)
		x[at] = (float)pixel(photo, at / (3 * m), at / 3 % m)[at % 3] / 255;
	for (int64_t at = 0; at < n * m * FIRST; at++) {
		int64_t i = at / FIRST / m, j = at / FIRST % m, o = at % FIRST;
		double cell = naive_window(x, n, m, 3, i, j, l->first[o][0], l->first_bias[o]);
		off[0] = worse(off[0], fabs(one[at] - cell));
	}
	for (int64_t at = 0; at < n * m / 4 * SECOND; at++) {
		int64_t i = at / SECOND / (m / 2), j = at / SECOND % (m / 2), o = at % SECOND;
		double cell = naive_window(one, n, m, FIRST, 2 * i, 2 * j, l->second[o][0],
					   l->second_bias[o]);
		off[1] = worse(off[1], fabs(two[at] - cell));
	}
	for (int64_t at = 0; at < count * SECOND; at++) {
		int64_t i = at / SECOND / d->columns * 8, j = at / SECOND % d->columns * 8;
		double mean = naive_mean(two, m / 2, SECOND, i, j, at % SECOND);
		off[2] = worse(off[2], fabs(feature[at] - sqrt(mean)));
	}
	for (int64_t t = 0; t < count; t++) {
		naive_judge(feature + t * SECOND, SECOND, weight, CLASSES, want);
		for (int k = 0; k < CLASSES; k++) {
			off[3] = worse(off[3], fabs(chance[t * CLASSES + k] - want[k]));
			wrong += want[class[t]] < want[k] - 1e-4;
		}
	}
	check_within("first layer", off[0], 1e-5);
	check_within("second layer", off[1], 1e-4);
	check_within("features", off[2], 1e-4);
	check_within("chances", off[3], 1e-4);
	check_within("tiles of another class", wrong, 0);
	float *const all[] = { x, one, two, feature, chance };
	for (size_t k = 0; k < sizeof all / sizeof *all; k++)
		free(all[k]);
}

/* One step of learning. */
static void check_step(struct device *d, const int32_t *known)
{
	float *feature = floats_fetch(d->feature, LESSONS * SECOND);
	double want[CLASSES * SECOND], off = 0;
	float none[CLASSES * SECOND] = { 0 };
	to_device(d->weight, none, sizeof none);
	run_learn(d, 1, RATE);
	float *weight = floats_fetch(d->weight, CLASSES * SECOND);
	naive_step(feature, known, LESSONS, SECOND, CLASSES, RATE, want);
	for (int at = 0; at < CLASSES * SECOND; at++)
		off = worse(off, fabs(weight[at] - want[at]));
	check_within("a step of learning", off, 1e-5);
	free(feature);
	free(weight);
}

/* ---- learning and telling ---- */

static void show_tiles(struct device *d, uint64_t seed, int32_t *known)
{
	uint8_t *rgb = host_new(LESSONS * TILE * TILE * 3);
	tiles_draw(seed, rgb, known);
	to_device(d->photo, rgb, LESSONS * TILE * TILE * 3);
	run_look(d);
	free(rgb);
}

/* Tells the classes of tiles: right ones, of a hundred. */
static double tiles_told(struct device *d, uint64_t seed)
{
	int32_t known[LESSONS], told[LESSONS], right = 0;
	show_tiles(d, seed, known);
	run_judge(d);
	to_host(told, d->class, sizeof told);
	for (int t = 0; t < LESSONS; t++)
		right += told[t] == known[t];
	return 100.0 * right / LESSONS;
}

/* Takes the last layer's weights some steps on, by tiles whose classes are known. */
static void teach(const struct layers *l, int32_t steps, bool checked, float *weight)
{
	enum { SEED = 1, OTHER_SEED = 2 };
	struct device d = device_open(LESSONS, 1, 1);
	int32_t known[LESSONS];
	size_t bytes = CLASSES * SECOND * sizeof *weight;
	layers_bring(&d, l);
	show_tiles(&d, SEED, known);
	to_device(d.class, known, sizeof known);
	if (checked)
		check_step(&d, known);
	to_device(d.weight, weight, bytes);
	run_learn(&d, steps, RATE);
	to_host(weight, d.weight, bytes);
	double learned = tiles_told(&d, SEED), other = tiles_told(&d, OTHER_SEED);
	printf("%s: %d tiles learned from: %.1f %% right; as many others: %.1f %% right\n",
	       platform, LESSONS, learned, other);
	device_close(&d);
}

/* With the whole tiles of the photograph. */
static struct device device_of(const struct picture *p, const struct layers *l, const float *weight)
{
	int64_t rows = p->rows / TILE, columns = p->columns / TILE;
	struct device d = device_open(1, rows, columns);
	for (int64_t i = 0; i < rows * TILE; i++)
		to_device(d.photo + i * columns * TILE * 3, pixel(p, i, 0),
			  (size_t)(columns * TILE * 3));
	layers_bring(&d, l);
	to_device(d.weight, weight, CLASSES * SECOND * sizeof *weight);
	return d;
}

/* A mark for each tile, and how many there are of each class. */
static void tell(const struct device *d, const int32_t *class)
{
	int64_t count[CLASSES] = { 0 };
	for (int64_t i = 0; i < d->rows; i++) {
		for (int64_t j = 0; j < d->columns; j++) {
			int32_t k = class[i * d->columns + j];
			fputs(of_class[k].mark, stdout);
			count[k]++;
		}
		puts("");
	}
	printf("%s: %lld tiles", platform, (long long)tiles(d));
	for (int k = 0; k < CLASSES; k++)
		printf("%s%lld %s %s", k ? ", " : ": ", (long long)count[k], of_class[k].name,
		       of_class[k].mark);
	puts("");
}

/* The photograph, each tile half in the colour of its class. */
static void draw(const struct device *d, const struct picture *photo, const int32_t *class,
		 const char *path)
{
	struct picture p = picture_new(d->rows * TILE, d->columns * TILE);
	for (int64_t i = 0; i < p.rows; i++)
		for (int64_t j = 0; j < p.columns; j++) {
			int32_t k = class[i / TILE * d->columns + j / TILE];
			const uint8_t *from = pixel(photo, i, j);
			for (int c = 0; c < 3; c++)
				pixel(&p, i, j)[c] = (uint8_t)((from[c] + of_class[k].rgb[c]) / 2);
		}
	picture_write(&p, path);
	picture_free(&p);
}

/* ---- figures ---- */

static void measure(const struct picture *photo, const struct layers *l, const float *weight)
{
	int64_t times = large >> 25;
	struct picture big = picture_new(times * photo->rows, times * photo->columns);
	for (int64_t at = 0; at < big.rows * times; at++)
		memcpy(big.rgb + at * 3 * photo->columns, pixel(photo, at / times % photo->rows, 0),
		       (size_t)(3 * photo->columns));
	struct device d = device_of(&big, l, weight);
	double took = best_time(run_look, &d), pixels = (double)(tiles(&d) * TILE * TILE);
	double flops = pixels * 2 * (FIRST * 9 * 3 + SECOND * 9 * FIRST / 4.0);
	printf("%s: %lld tiles: %.3f ms, %.3g Mpixel/s, %.3g Gflop/s\n", platform,
	       (long long)tiles(&d), 1e3 * took, 1e-6 * pixels / took, 1e-9 * flops / took);
	device_close(&d);
	picture_free(&big);
}

/* ---- the command ---- */

static _Noreturn void usage(int status)
{
	fputs("usage: classify [--steps=N] [--classes=FILE] [--check] [--no-measure] [input.png]\n"
	      "  --steps=N       of learning (1000)\n"
	      "  --classes=FILE  the picture, its tiles coloured by their classes (classes.png)\n"
	      "  --check         compare with plain loops\n"
	      "  --no-measure    do not measure the kernels afterwards\n"
	      "The picture is that of photo if none is named.\n",
	      status ? stderr : stdout);
	exit(status);
}

struct wishes { const char *classes; int32_t steps; bool checked, quiet; };

static struct wishes wishes_read(int argc, char **argv)
{
	static const struct option options[] = {
		{ "steps", required_argument, NULL, 's' },
		{ "classes", required_argument, NULL, 'p' },
		{ "check", no_argument, NULL, 'c' }, { "no-measure", no_argument, NULL, 'q' },
		{ "help", no_argument, NULL, 'h' }, { 0 }
	};
	struct wishes w = { "classes.png", 1000, false, false };
	int option;
	while ((option = getopt_long(argc, argv, "", options, NULL)) != -1)
		switch (option) {
		case 's': w.steps = (int32_t)number("steps", optarg, 0, 1e6); break;
		case 'p': w.classes = optarg; break;
		case 'c': w.checked = true; break;
		case 'q': w.quiet = true; break;
		case 'h': usage(0);
		default: usage(2);
		}
	if (argc - optind > 1)
		usage(2);
	return w;
}

int main(int argc, char **argv)
{
	const struct wishes w = wishes_read(argc, argv);
	struct picture photo = picture_read(optind < argc ? argv[optind] : "../photo/input.png");
	if (photo.rows < TILE || photo.columns < TILE)
		fail("picture", "less than a tile of 16 x 16 pixels");
	const struct layers layers = layers_make();
	float weight[CLASSES * SECOND] = { 0 };
	teach(&layers, w.steps, w.checked, weight);

	struct device d = device_of(&photo, &layers, weight);
	int32_t *class = host_new((size_t)(d.rows * d.columns) * sizeof *class);
	run_look(&d);
	run_judge(&d);
	to_host(class, d.class, (size_t)(d.rows * d.columns) * sizeof *class);
	tell(&d, class);
	draw(&d, &photo, class, w.classes);
	if (w.checked)
		check(&d, &photo, &layers, weight, class);
	device_close(&d);
	if (!w.quiet)
		measure(&photo, &layers, weight);
	picture_free(&photo);
	free(class);
	return 0;
}
