/* main.c - lets patc's kernel play Conway's game of life from a pattern or a soup, makes a film of
 * it, counts who lives, and measures the kernel. */
#include <getopt.h>

#include "common.h"
#include "life.h"

/* Where it begins: lines whose O are cells that live, or NULL for a soup; in a square world. */
struct pattern { const char *name, *const *line; int64_t size, generations; };

/* Gosper's gun shoots a glider every 30 generations. */
static const char *const gun[] = {
	"........................O...........",
	"......................O.O...........",
	"............OO......OO............OO",
	"...........O...O....OO............OO",
	"OO........O.....O...OO..............",
	"OO........O...O.OO....O.O...........",
	"..........O.....O.......O...........",
	"...........O...O....................",
	"............OO......................", NULL
};
static const char *const glider[] = { ".O.", "..O", "OOO", NULL };
static const char *const pentomino[] = { ".OO", "OO.", ".O.", NULL };
static const struct pattern patterns[] = {
	{ "gun", gun, 128, 300 }, { "glider", glider, 32, 128 },
	{ "pentomino", pentomino, 512, 1103 }, { "soup", NULL, 512, 1000 },
};
enum { PATTERNS = sizeof patterns / sizeof *patterns };

struct world { int64_t n, m; uint8_t *cell; };
struct device {                               /* the same where the kernel runs */
	uint8_t *cell;
	int64_t *alive;
	void *workspace;
	size_t workspace_bytes;
};

/* ---- the world ---- */

static struct world world_new(int64_t n, int64_t m)
{
	return (struct world){ n, m, memset(host_new((size_t)(n * m)), 0, (size_t)(n * m)) };
}

static void put(struct world *w, const char *const *line, int64_t row, int64_t column)
{
	for (int64_t i = 0; line[i]; i++)
		for (int64_t j = 0; line[i][j]; j++)
			w->cell[(row + i) % w->n * w->m + (column + j) % w->m] =
				line[i][j] == 'O';
}

/* Three of eight cells live. */
static void stir(struct world *w)
{
	uint64_t state = 88172645463325252;
	for (int64_t at = 0; at < w->n * w->m; at++)
		w->cell[at] = (random_bits(&state) >> 20) % 8 < 3;
}

static struct world world_of(const struct pattern *p, int64_t size)
{
	struct world w = world_new(size, size);
	if (!p->line)
		stir(&w);
	else if (p->line == gun)
		put(&w, p->line, size / 16, size / 16);
	else
		put(&w, p->line, size / 2, size / 2);
	return w;
}

/* ---- the kernel ---- */

static struct device device_open(const struct world *w)
{
	struct device d = { .workspace_bytes = life_workspace(w->n, w->m) };
	d.cell = device_new((size_t)(w->n * w->m));
	d.alive = device_new(sizeof *d.alive);
	d.workspace = device_new(d.workspace_bytes);
	to_device(d.cell, w->cell, (size_t)(w->n * w->m));
	return d;
}

static void device_close(struct device *d)
{
	device_free(d->cell);
	device_free(d->alive);
	device_free(d->workspace);
}

static void play(const struct world *w, struct device *d, int64_t generations)
{
	must_succeed(life(w->n, w->m, generations, d->cell, d->alive, d->workspace,
			  d->workspace_bytes, NULL), life_strerror, "life");
}

/* How many live after so many generations more. */
static int64_t alive_after(const struct world *w, struct device *d, int64_t generations)
{
	int64_t alive;
	play(w, d, generations);
	to_host(&alive, d->alive, sizeof alive);
	return alive;
}

/* ---- the film ---- */

/* What has died glows for some frames. */
static void glow(const struct world *w, uint8_t *light)
{
	for (int64_t at = 0; at < w->n * w->m; at++)
		light[at] = w->cell[at] ? 255 : (uint8_t)(light[at] * 5 / 8);
}

static void colour(uint8_t cell, uint8_t light, uint8_t *rgb)
{
	rgb[0] = cell ? 255 : (uint8_t)(14 + light * 7 / 16);
	rgb[1] = cell ? 240 : (uint8_t)(16 + light / 8);
	rgb[2] = cell ? 200 : (uint8_t)(30 + light / 4);
}

/* Each cell is a square of pixels if there are few. */
static void write_frame(const struct world *w, const uint8_t *light, const char *prefix,
			int64_t frame)
{
	const int64_t zoom = w->n < 512 ? 512 / w->n : 1;
	struct picture p = picture_new(w->n * zoom, w->m * zoom);
	for (int64_t i = 0; i < p.rows; i++)
		for (int64_t j = 0; j < p.columns; j++) {
			int64_t at = i / zoom * w->m + j / zoom;
			colour(w->cell[at], light[at], pixel(&p, i, j));
		}
	picture_frame(&p, prefix, frame);
	picture_free(&p);
}

/* The cells come back once a frame; between two frames they stay where the kernel runs. */
static void film(struct world *w, const char *name, int64_t generations, int64_t frames,
		 const char *prefix)
{
	struct device d = device_open(w);
	size_t cells = (size_t)(w->n * w->m);
	uint8_t *light = memset(host_new(cells), 0, cells);
	double start = seconds();
	for (int64_t frame = 0, done = 0; frame < frames; frame++) {
		int64_t then = frames > 1 ? generations * frame / (frames - 1) : generations;
		int64_t alive = alive_after(w, &d, then - done);
		done = then;
		to_host(w->cell, d.cell, cells);
		glow(w, light);
		write_frame(w, light, prefix, frame);
		printf("%s%04lld.png: generation %lld, %lld live\n", prefix, (long long)frame,
		       (long long)done, (long long)alive);
	}
	printf("%s: %lld x %lld cells, %s, %lld generations, %.2f s\n", platform, (long long)w->n,
	       (long long)w->m, name, (long long)generations, seconds() - start);
	free(light);
	device_close(&d);
}

/* ---- checks ---- */

/* Cells that differ from what they were, moved so far down and to the right. */
static int64_t moved_wrong(const struct world *was, const uint8_t *is, int64_t far)
{
	int64_t wrong = 0;
	for (int64_t i = 0; i < was->n; i++)
		for (int64_t j = 0; j < was->m; j++)
			wrong += was->cell[i * was->m + j]
				 != is[(i + far) % was->n * was->m + (j + far) % was->m];
	return wrong;
}

/* A glider is one cell further after four generations, and comes back round the torus. */
static void check_glider(void)
{
	const int64_t size = 48;
	struct world w = world_new(size, size);
	uint8_t *is = host_new((size_t)(size * size));
	int64_t wrong = 0;
	put(&w, glider, 3, 5);
	struct device d = device_open(&w);
	for (int64_t far = 1; far <= size; far++) {
		play(&w, &d, 4);
		to_host(is, d.cell, (size_t)(size * size));
		wrong += moved_wrong(&w, is, far);
	}
	check_within("a glider on its way round the world", (double)wrong, 0);
	free(is);
	device_close(&d);
	free(w.cell);
}

/* A glider is five cells. */
static void check_gun(void)
{
	struct world w = world_of(&patterns[0], 128);
	struct device d = device_open(&w);
	double worst = 0;
	for (int64_t shot = 0; shot <= 10; shot++) {
		int64_t alive = alive_after(&w, &d, shot ? 30 : 0);
		worst = worse(worst, llabs((long long)(alive - 36 - 5 * shot)));
	}
	check_within("a gun and its gliders, every 30 generations", worst, 0);
	device_close(&d);
	free(w.cell);
}

/* The R-pentomino comes to rest in generation 1103: 116 cells in still lifes, blinkers and
 * gliders. */
static void check_pentomino(void)
{
	struct world w = world_new(512, 512);
	put(&w, pentomino, 256, 256);
	struct device d = device_open(&w);
	double off = llabs((long long)(alive_after(&w, &d, 1102) - 118));
	for (int k = 0; k < 10; k++)
		off = worse(off, llabs((long long)(alive_after(&w, &d, 1) - 116)));
	check_within("the R-pentomino from generation 1102 to 1112", off, 0);
	device_close(&d);
	free(w.cell);
}

static void naive_generation(const struct world *now, struct world *next)
{
	const int64_t n = now->n, m = now->m;
	for (int64_t i = 0; i < n; i++)
		for (int64_t j = 0; j < m; j++) {
			int neighbours = -now->cell[i * m + j];
			for (int64_t p = n - 1; p <= n + 1; p++)
				for (int64_t q = m - 1; q <= m + 1; q++)
					neighbours += now->cell[(i + p) % n * m + (j + q) % m];
			next->cell[i * m + j] = neighbours == 3
				|| (neighbours == 2 && now->cell[i * m + j]);
		}
}

/* Rows of 96 cells are whole vectors of a GPU, those of 45 are not. */
static void check_soup(int64_t n, int64_t m)
{
	struct world w[2] = { world_new(n, m), world_new(n, m) };
	uint8_t *is = host_new((size_t)(n * m));
	const int64_t generations = 61;
	stir(&w[0]);
	struct device d = device_open(&w[0]);
	int64_t alive = alive_after(&w[0], &d, generations), living = 0;
	for (int64_t t = 0; t < generations; t++)
		naive_generation(&w[t % 2], &w[1 - t % 2]);
	to_host(is, d.cell, (size_t)(n * m));
	for (int64_t at = 0; at < n * m; at++)
		living += w[1].cell[at];
	check_within("a soup, by plain loops", (double)moved_wrong(&w[1], is, 0), 0);
	check_within("how many of it live", (double)llabs((long long)(alive - living)), 0);
	device_close(&d);
	free(is);
	free(w[0].cell);
	free(w[1].cell);
}

/* ---- figures ---- */

enum { GENERATIONS = 40 };                    /* of a measurement */
struct run { const struct world *world; struct device *device; };

static void some_generations(void *state)
{
	const struct run *r = state;
	play(r->world, r->device, GENERATIONS);
}

/* In a world too large for any cache. A generation reads it and writes it; where a visit of memory
 * computes several generations, the figure may be more than a copy's. */
static void measure(void)
{
	int64_t side = 256;
	while (side * side < large)
		side *= 2;
	struct world w = world_of(&patterns[PATTERNS - 1], side);
	struct device d = device_open(&w);
	struct run r = { &w, &d };
	char what[96];
	snprintf(what, sizeof what, "%lld x %lld cells", (long long)side, (long long)side);
	print_rate(what, GENERATIONS * (double)(side * side), 2, best_time(some_generations, &r));
	device_close(&d);
	free(w.cell);
}

/* ---- the command ---- */

static _Noreturn void usage(int status)
{
	fputs("usage: life [--pattern=NAME] [--size=N] [--generations=N] [--frames=N] [--film=PREFIX]\n"
	      "            [--check] [--no-measure]\n"
	      "  --pattern=NAME   gun, glider, pentomino, soup (gun)\n"
	      "  --size=N         N x N cells (as many as the pattern needs)\n"
	      "  --generations=N  how long (as long as the pattern is worth a look)\n"
	      "  --frames=N       pictures, the first of the start, the last of the end (11)\n"
	      "  --film=PREFIX    PREFIX0000.png and so on (film)\n"
	      "  --check          compare with what is known, and with plain loops\n"
	      "  --no-measure     do not measure the kernel afterwards\n",
	      status ? stderr : stdout);
	exit(status);
}

static const struct pattern *pattern_named(const char *name)
{
	for (int k = 0; k < PATTERNS; k++)
		if (!strcmp(name, patterns[k].name))
			return &patterns[k];
	fprintf(stderr, "life: --pattern=%s: there is no such pattern\n", name);
	usage(2);
}

int main(int argc, char **argv)
{
	static const struct option options[] = {
		{ "pattern", required_argument, NULL, 'p' }, { "size", required_argument, NULL, 's' },
		{ "generations", required_argument, NULL, 'n' },
		{ "frames", required_argument, NULL, 'f' },
		{ "film", required_argument, NULL, 'o' }, { "check", no_argument, NULL, 'c' },
		{ "no-measure", no_argument, NULL, 'q' }, { "help", no_argument, NULL, 'h' }, { 0 }
	};
	const struct pattern *pattern = patterns;
	const char *prefix = "film";
	int64_t size = 0, generations = -1, frames = 11;
	bool checked = false, quiet = false;
	int option, which = 0;
	while ((option = getopt_long(argc, argv, "", options, &which)) != -1)
		switch (option) {
		case 'p': pattern = pattern_named(optarg); break;
		case 's': size = (int64_t)number(options[which].name, optarg, 40, 65536); break;
		case 'n':
			generations = (int64_t)number(options[which].name, optarg, 0, 1e9);
			break;
		case 'f': frames = (int64_t)number(options[which].name, optarg, 1, 10000); break;
		case 'o': prefix = optarg; break;
		case 'c': checked = true; break;
		case 'q': quiet = true; break;
		case 'h': usage(0);
		default: usage(2);
		}
	if (argc > optind)
		usage(2);

	struct world world = world_of(pattern, size ? size : pattern->size);
	film(&world, pattern->name, generations < 0 ? pattern->generations : generations, frames,
	     prefix);
	free(world.cell);
	if (checked) {
		check_glider();
		check_gun();
		check_pentomino();
		check_soup(64, 96);
		check_soup(70, 45);
	}
	if (!quiet)
		measure();
	return 0;
}
