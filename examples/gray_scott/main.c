/* main.c - drops one chemical into another, lets patc's kernel react and diffuse them, makes a film
 * of what they draw, and measures the kernel. */
#include <getopt.h>
#include <math.h>

#include "common.h"
#include "gray_scott.h"

static const double PI = 3.14159265358979324;

/* What is fed and what is taken away decides which pattern it becomes. */
struct mixture { const char *name; float feed, kill; };
static const struct mixture mixtures[] = {
	{ "mitosis", 0.0367f, 0.0649f }, { "spots", 0.03f, 0.062f },
	{ "stripes", 0.037f, 0.06f },    { "worms", 0.046f, 0.063f },
	{ "holes", 0.039f, 0.058f },     { "chaos", 0.018f, 0.051f },
};
enum { MIXTURES = sizeof mixtures / sizeof *mixtures };

struct dish { int64_t n, m; float *u, *v; };  /* of n x m cells */
struct device {                               /* the same where the kernels run */
	float *u, *v;
	int64_t *number;
	void *workspace;
	size_t workspace_bytes;
};

/* ---- the dish ---- */

static struct dish dish_new(int64_t n, int64_t m)
{
	size_t bytes = (size_t)(n * m) * sizeof(float);
	struct dish d = { n, m, host_new(bytes), host_new(bytes) };
	for (int64_t at = 0; at < n * m; at++) {
		d.u[at] = 1;
		d.v[at] = 0;
	}
	return d;
}

static void dish_free(struct dish *d)
{
	free(d->u);
	free(d->v);
}

enum { RADIUS = 12 };                          /* of a drop */

/* A hill of v in a hollow of u, not quite even, so that what grows of it is not, either. */
static void drop(struct dish *d, int64_t row, int64_t column, uint64_t *state)
{
	for (int64_t i = -RADIUS; i <= RADIUS; i++)
		for (int64_t j = -RADIUS; j <= RADIUS; j++) {
			double high = 1 - (double)(i * i + j * j) / (RADIUS * RADIUS);
			int64_t at = (row + i + RADIUS) % d->n * d->m
				     + (column + j + RADIUS) % d->m;
			if (high <= 0)
				continue;
			d->u[at] = (float)(1 - high * (0.5 + 0.1 * random_part(state)));
			d->v[at] = (float)(0.25 * high);
		}
}

/* A drop for each 128 x 128 cells. */
static struct dish dish_with_drops(int64_t n, int64_t m)
{
	uint64_t state = 88172645463325252;
	struct dish d = dish_new(n, m);
	for (int64_t left = n * m; left > 0; left -= 128 * 128) {
		int64_t row = (int64_t)(random_part(&state) * (double)n);
		int64_t column = (int64_t)(random_part(&state) * (double)m);
		drop(&d, row, column, &state);
	}
	return d;
}

/* ---- pictures ---- */

/* From deep water over foam to sand: how much of v there is, 0 .. 0.4. */
static void colour(double v, uint8_t *rgb)
{
	static const uint8_t stop[][3] = {
		{ 8, 20, 48 }, { 14, 82, 116 }, { 64, 178, 168 }, { 238, 232, 190 }, { 214, 92, 48 }
	};
	enum { PARTS = sizeof stop / sizeof *stop - 1 };
	double x = v / 0.4 * PARTS;
	x = x < 0 ? 0 : x > PARTS ? PARTS : x;
	int part = x < PARTS ? (int)x : PARTS - 1;
	for (int c = 0; c < 3; c++)
		rgb[c] = (uint8_t)(stop[part][c] + (x - part) * (stop[part + 1][c] - stop[part][c])
				   + 0.5);
}

static void write_frame(const struct dish *d, const char *prefix, int64_t frame)
{
	struct picture p = picture_new(d->n, d->m);
	for (int64_t i = 0; i < p.rows; i++)
		for (int64_t j = 0; j < p.columns; j++)
			colour(d->v[i * d->m + j], pixel(&p, i, j));
	picture_frame(&p, prefix, frame);
	picture_free(&p);
}

/* ---- the kernels ---- */

static struct device device_open(const struct dish *d)
{
	size_t bytes = (size_t)(d->n * d->m) * sizeof(float);
	size_t one = gray_scott_workspace(d->n, d->m), other = spots_workspace(d->n, d->m);
	struct device g = { .workspace_bytes = one > other ? one : other };
	g.u = device_new(bytes);
	g.v = device_new(bytes);
	g.number = device_new(sizeof *g.number);
	g.workspace = device_new(g.workspace_bytes);
	to_device(g.u, d->u, bytes);
	to_device(g.v, d->v, bytes);
	return g;
}

static void device_close(struct device *g)
{
	device_free(g->u);
	device_free(g->v);
	device_free(g->number);
	device_free(g->workspace);
}

static void react(const struct dish *d, struct device *g, const struct mixture *x, int64_t steps)
{
	must_succeed(gray_scott(d->n, d->m, x->feed, x->kill, steps, g->u, g->v, g->workspace,
				g->workspace_bytes, NULL),
		     gray_scott_strerror, "gray_scott");
}

static int64_t count_spots(const struct dish *d, struct device *g)
{
	int64_t number;
	must_succeed(spots(d->n, d->m, g->v, g->number, g->workspace, g->workspace_bytes, NULL),
		     spots_strerror, "spots");
	to_host(&number, g->number, sizeof number);
	return number;
}

/* Only v comes back, once a frame; between two frames both stay where the kernel runs. */
static void film(struct dish *d, struct device *g, const struct mixture *x, int64_t steps,
		 int64_t frames, const char *prefix)
{
	double start = seconds();
	for (int64_t frame = 0, done = 0; frame < frames; frame++) {
		int64_t then = frames > 1 ? steps * frame / (frames - 1) : steps;
		react(d, g, x, then - done);
		done = then;
		to_host(d->v, g->v, (size_t)(d->n * d->m) * sizeof *d->v);
		write_frame(d, prefix, frame);
		printf("%s%04lld.png: step %lld, %lld spots\n", prefix, (long long)frame,
		       (long long)done, (long long)count_spots(d, g));
	}
	printf("%s: %lld x %lld cells, %s, %lld steps, %.2f s\n", platform, (long long)d->n,
	       (long long)d->m, x->name, (long long)steps, seconds() - start);
}

/* ---- checks ---- */

/* Without v, a wave of u dies away as is known, on the grid too: in a step it shrinks by what is
 * fed, and by four times the diffusion, times the sum of the squares of the sines of half its wave
 * numbers. */
static void check_wave(void)
{
	struct dish d = dish_new(60, 96);
	const struct mixture fed = { "fed", 0.01f, 0.05f };
	const int64_t steps = 103;
	double row = 2 * PI * 2 / (double)d.n, column = 2 * PI * 3 / (double)d.m, worst = 0;
	double sines = pow(sin(row / 2), 2) + pow(sin(column / 2), 2);
	double left = pow(1 - fed.feed - 4 * 0.2097152 * sines, (double)steps);
	double *wave = host_new((size_t)(d.n * d.m) * sizeof *wave);
	for (int64_t at = 0; at < d.n * d.m; at++) {
		wave[at] = 0.5 * cos(row * (double)(at / d.m)) * cos(column * (double)(at % d.m));
		d.u[at] = (float)(1 + wave[at]);
	}
	struct device g = device_open(&d);
	react(&d, &g, &fed, steps);
	to_host(d.u, g.u, (size_t)(d.n * d.m) * sizeof *d.u);
	for (int64_t at = 0; at < d.n * d.m; at++)
		worst = worse(worst, fabs(d.u[at] - 1 - left * wave[at]));
	check_within("a wave of u after 103 steps", worst, 1e-5);
	free(wave);
	device_close(&g);
	dish_free(&d);
}

static double naive_laplace(const double *x, int64_t n, int64_t m, int64_t i, int64_t j)
{
	return x[(i + n - 1) % n * m + j] + x[(i + 1) % n * m + j] + x[i * m + (j + m - 1) % m]
	       + x[i * m + (j + 1) % m] - 4 * x[i * m + j];
}

static void naive_step(int64_t n, int64_t m, const struct mixture *x, const double *u,
		       const double *v, double *next_u, double *next_v)
{
	for (int64_t i = 0; i < n; i++)
		for (int64_t j = 0; j < m; j++) {
			int64_t at = i * m + j;
			double made = u[at] * v[at] * v[at];
			next_u[at] = u[at] + 0.2097152 * naive_laplace(u, n, m, i, j) - made
				     + x->feed * (1 - u[at]);
			next_v[at] = v[at] + 0.1048576 * naive_laplace(v, n, m, i, j) + made
				     - (x->feed + x->kill) * v[at];
		}
}

/* Plain loops in doubles; rows of 64 cells are whole vectors of a GPU, those of 45 are not. */
static void check_drops(int64_t n, int64_t m)
{
	const int64_t cells = n * m, steps = 200;
	struct dish d = dish_with_drops(n, m);
	struct device g = device_open(&d);
	double *both[4], worst = 0;
	for (int k = 0; k < 4; k++)
		both[k] = host_new((size_t)cells * sizeof **both);
	for (int64_t at = 0; at < cells; at++) {
		both[0][at] = d.u[at];
		both[1][at] = d.v[at];
	}
	for (int64_t t = 0; t < steps; t++) {
		int now = t % 2 * 2, next = 2 - now;
		naive_step(n, m, mixtures, both[now], both[now + 1], both[next], both[next + 1]);
	}
	react(&d, &g, mixtures, steps);
	to_host(d.u, g.u, (size_t)cells * sizeof *d.u);
	to_host(d.v, g.v, (size_t)cells * sizeof *d.v);
	for (int64_t at = 0; at < cells; at++)
		worst = worse(worst, worse(fabs(d.u[at] - both[0][at]),
					   fabs(d.v[at] - both[1][at])));
	check_within("drops after 200 steps", worst, 1e-4);
	for (int k = 0; k < 4; k++)
		free(both[k]);
	device_close(&g);
	dish_free(&d);
}

/* ---- figures ---- */

enum { STEPS = 20 };                          /* of a measurement */
struct run { const struct dish *dish; struct device *device; };

static void some_steps(void *state)
{
	const struct run *r = state;
	react(r->dish, r->device, mixtures, STEPS);
}

/* In a dish too large for any cache. A step reads both and writes both; where a visit of memory
 * computes several steps, the figure is more than a copy's. */
static void measure(void)
{
	int64_t side = 256;
	while (side * side * (int64_t)sizeof(float) < large)
		side *= 2;
	struct dish d = dish_with_drops(side, side);
	struct device g = device_open(&d);
	struct run r = { &d, &g };
	char what[96];
	snprintf(what, sizeof what, "%lld x %lld cells", (long long)side, (long long)side);
	print_rate(what, STEPS * (double)(side * side), 4 * sizeof(float),
		   best_time(some_steps, &r));
	device_close(&g);
	dish_free(&d);
}

/* ---- the command ---- */

static _Noreturn void usage(int status)
{
	fputs("usage: gray_scott [--mixture=NAME] [--feed=F] [--kill=K] [--size=N] [--steps=N]\n"
	      "                  [--frames=N] [--film=PREFIX] [--check] [--no-measure]\n"
	      "  --mixture=NAME mitosis, spots, stripes, worms, holes, chaos (mitosis)\n"
	      "  --feed=F       how much of u is fed, and\n"
	      "  --kill=K       of v taken away in a step, instead of the mixture's\n"
	      "  --size=N       N x N cells (256)\n"
	      "  --steps=N      steps in time (10000)\n"
	      "  --frames=N     pictures, the first of the start, the last of the end (11)\n"
	      "  --film=PREFIX  PREFIX0000.png and so on (film)\n"
	      "  --check        compare with a known wave, and with plain loops\n"
	      "  --no-measure   do not measure the kernel afterwards\n",
	      status ? stderr : stdout);
	exit(status);
}

static struct mixture mixture_named(const char *name)
{
	for (int k = 0; k < MIXTURES; k++)
		if (!strcmp(name, mixtures[k].name))
			return mixtures[k];
	fprintf(stderr, "gray_scott: --mixture=%s: there is no such mixture\n", name);
	usage(2);
}

int main(int argc, char **argv)
{
	static const struct option options[] = {
		{ "mixture", required_argument, NULL, 'x' }, { "feed", required_argument, NULL, 'f' },
		{ "kill", required_argument, NULL, 'k' }, { "size", required_argument, NULL, 's' },
		{ "steps", required_argument, NULL, 'n' }, { "frames", required_argument, NULL, 'p' },
		{ "film", required_argument, NULL, 'o' }, { "check", no_argument, NULL, 'c' },
		{ "no-measure", no_argument, NULL, 'q' }, { "help", no_argument, NULL, 'h' }, { 0 }
	};
	struct mixture mixture = mixtures[0];
	const char *prefix = "film";
	int64_t size = 256, steps = 10000, frames = 11;
	bool checked = false, quiet = false;
	int option, which = 0;
	while ((option = getopt_long(argc, argv, "", options, &which)) != -1)
		switch (option) {
		case 'x': mixture = mixture_named(optarg); break;
		case 'f': mixture.feed = (float)number(options[which].name, optarg, 0, 1); break;
		case 'k': mixture.kill = (float)number(options[which].name, optarg, 0, 1); break;
		case 's': size = (int64_t)number(options[which].name, optarg, 1, 65536); break;
		case 'n': steps = (int64_t)number(options[which].name, optarg, 0, 1e9); break;
		case 'p': frames = (int64_t)number(options[which].name, optarg, 1, 10000); break;
		case 'o': prefix = optarg; break;
		case 'c': checked = true; break;
		case 'q': quiet = true; break;
		case 'h': usage(0);
		default: usage(2);
		}
	if (argc > optind)
		usage(2);

	struct dish dish = dish_with_drops(size, size);
	struct device device = device_open(&dish);
	film(&dish, &device, &mixture, steps, frames, prefix);
	device_close(&device);
	dish_free(&dish);
	if (checked) {
		check_wave();
		check_drops(64, 64);
		check_drops(70, 45);
	}
	if (!quiet)
		measure();
	return 0;
}
