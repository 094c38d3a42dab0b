/* main.c - reads a section through the ground from a PNG, lets patc's kernel send a sound into it,
 * draws what can be heard in the middle plane, and measures the kernel.
 *
 * Rows of the picture are depths; it is continued across the third axis.  The lighter, the faster
 * is sound: 0.15 to 0.5 cells a step (more than 0.577 = 1 / sqrt(3) would not be stable). */
#include <getopt.h>
#include <math.h>

#include "common.h"
#include "wave.h"

enum { CHUNK = 20 };                          /* steps between two reports */
enum { SIDE = 24 };                           /* cells of a side that takes waves out */
static const float PERIOD = 36;               /* of the source, in steps */
static const double PI = 3.14159265358979324;

/* l x n x m cells: depth, across, along the picture */
struct ground {
	int64_t l, n, m;
	float *speed2, *now, *before, *loss_k, *loss_i, *loss_j;
	int64_t source[3];
};
struct device {                               /* the same where the kernels run */
	float *speed2, *now, *before, *loss_k, *loss_i, *loss_j;
	void *workspace;
	size_t workspace_bytes;
};

static int64_t cells(const struct ground *g)
{
	return g->l * g->n * g->m;
}

/* A ground at rest, without a source, whose speed the caller fills in. */
static struct ground ground_new(int64_t l, int64_t n, int64_t m)
{
	struct ground g = { .l = l, .n = n, .m = m, .source = { -1, -1, -1 } };
	size_t bytes = (size_t)cells(&g) * sizeof(float);
	g.speed2 = host_new(bytes);
	g.now = memset(host_new(bytes), 0, bytes);
	g.before = memset(host_new(bytes), 0, bytes);
	g.loss_k = memset(host_new((size_t)l * sizeof(float)), 0, (size_t)l * sizeof(float));
	g.loss_i = memset(host_new((size_t)n * sizeof(float)), 0, (size_t)n * sizeof(float));
	g.loss_j = memset(host_new((size_t)m * sizeof(float)), 0, (size_t)m * sizeof(float));
	return g;
}

static void ground_free(struct ground *g)
{
	free(g->speed2);
	free(g->now);
	free(g->before);
	free(g->loss_k);
	free(g->loss_i);
	free(g->loss_j);
}

/* ---- pictures ---- */

/* Grows towards the sides with the square of the distance; the surface, if any, gives everything
 * back. */
static void lose(float *loss, int64_t n, bool surface)
{
	for (int64_t at = 0; at < n; at++) {
		int64_t near = surface || n - 1 - at < at ? n - 1 - at : at;
		double into = near < SIDE ? (double)(SIDE - near) / SIDE : 0;
		loss[at] = (float)(0.1 * into * into);
	}
}

static struct ground read_ground(const char *path, int64_t across)
{
	struct picture p = picture_read(path);
	struct ground g = ground_new(p.rows, across, p.columns);
	for (int64_t at = 0; at < cells(&g); at++) {
		int light = pixel(&p, at / (g.m * g.n), at % g.m)[1];
		float speed = 0.15f + 0.35f * (float)light / 255;
		g.speed2[at] = speed * speed;
	}
	lose(g.loss_k, g.l, true);
	lose(g.loss_i, g.n, false);
	lose(g.loss_j, g.m, false);
	g.source[0] = 3;
	g.source[1] = g.n / 2;
	g.source[2] = g.m / 3;
	picture_free(&p);
	return g;
}

/* The middle plane: the ground in grey, what moves in it red and blue. */
static void write_slice(const struct ground *g, const char *path)
{
	struct picture p = picture_new(g->l, g->m);
	const float *now = g->now + g->n / 2 * g->m, *speed2 = g->speed2 + g->n / 2 * g->m;
	double loudest = 1e-30;
	for (int64_t k = 0; k < g->l; k++)
		for (int64_t j = 0; j < g->m; j++)
			loudest = fmax(loudest, fabs(now[k * g->n * g->m + j]));
	for (int64_t k = 0; k < g->l; k++)
		for (int64_t j = 0; j < g->m; j++) {
			int64_t at = k * g->n * g->m + j;
			double ground = 0.55 + 0.45 * (sqrt(speed2[at]) - 0.15) / 0.35;
			uint8_t *rgb = pixel(&p, k, j);
			/* so that the faint is seen too */
			colour_signed(cbrt(now[at] / loudest) * 1.2, rgb);
			for (int c = 0; c < 3; c++)
				rgb[c] = (uint8_t)(rgb[c] * ground);
		}
	picture_write(&p, path);
	picture_free(&p);
}

/* ---- the kernels ---- */

static float *brought(const float *from, int64_t count)
{
	float *to = device_new((size_t)count * sizeof *to);
	to_device(to, from, (size_t)count * sizeof *to);
	return to;
}

static struct device device_open(const struct ground *g)
{
	size_t one = wave_workspace(g->l, g->n, g->m), other = sound_workspace(g->l, g->n, g->m);
	struct device d = { .workspace_bytes = one > other ? one : other };
	d.speed2 = brought(g->speed2, cells(g));
	d.now = brought(g->now, cells(g));
	d.before = brought(g->before, cells(g));
	d.loss_k = brought(g->loss_k, g->l);
	d.loss_i = brought(g->loss_i, g->n);
	d.loss_j = brought(g->loss_j, g->m);
	d.workspace = device_new(d.workspace_bytes);
	return d;
}

static void device_close(struct device *d)
{
	device_free(d->speed2);
	device_free(d->now);
	device_free(d->before);
	device_free(d->loss_k);
	device_free(d->loss_i);
	device_free(d->loss_j);
	device_free(d->workspace);
}

static void go_on(const struct ground *g, struct device *d, int64_t first, int64_t steps)
{
	must_succeed(wave(g->l, g->n, g->m, d->speed2, d->loss_k, d->loss_i, d->loss_j,
			  g->source[0], g->source[1], g->source[2], PERIOD, first, steps, d->now,
			  d->before, d->workspace, d->workspace_bytes, NULL),
		     wave_strerror, "wave");
}

/* Runs in chunks, so that somebody who waits can see how far it is. */
static void listen(struct ground *g, int64_t steps)
{
	struct device d = device_open(g);
	double start = seconds();
	for (int64_t done = 0; done < steps; done += CHUNK) {
		go_on(g, &d, done, steps - done < CHUNK ? steps - done : CHUNK);
		device_wait();
		progress("step %lld of %lld", (long long)done, (long long)steps);
	}
	progress_end();
	to_host(g->now, d.now, (size_t)cells(g) * sizeof *g->now);
	printf("%s: %lld x %lld x %lld cells, %lld steps, %.2f s\n", platform, (long long)g->l,
	       (long long)g->n, (long long)g->m, (long long)steps, seconds() - start);
	device_close(&d);
}

/* ---- checks ---- */

/* A wave that stands in a box is known, on the grid too: in a step its phase moves by an angle
 * whose sine's square, halved, is the speed's square times the sum of those of its wave numbers. */
static void check_standing(void)
{
	const int64_t size[3] = { 31, 40, 53 }, steps = 200;
	const int half_waves[3] = { 1, 2, 3 };
	const double speed2 = 0.2;
	struct ground g = ground_new(size[0], size[1], size[2]);
	double sum = 0, worst = 0, wave[3];
	for (int a = 0; a < 3; a++) {
		wave[a] = PI * half_waves[a] / (double)(size[a] - 1);
		sum += pow(sin(wave[a] / 2), 2);
	}
	double angle = 2 * asin(sqrt(speed2 * sum));
	for (int64_t at = 0; at < cells(&g); at++) {
		double shape = sin(wave[0] * (double)(at / (g.m * g.n)))
			       * sin(wave[1] * (double)(at / g.m % g.n))
			       * sin(wave[2] * (double)(at % g.m));
		g.speed2[at] = (float)speed2;
		g.now[at] = (float)shape;
		g.before[at] = (float)(shape * cos(angle));
	}
	struct device d = device_open(&g);
	float *now = host_new((size_t)cells(&g) * sizeof *now);
	go_on(&g, &d, 0, steps);
	to_host(now, d.now, (size_t)cells(&g) * sizeof *now);
	for (int64_t at = 0; at < cells(&g); at++)
		worst = worse(worst, fabs(now[at] - g.now[at] * cos(angle * (double)steps)));
	check_within("a standing wave after 200 steps", worst, 2e-4);
	free(now);
	device_close(&d);
	ground_free(&g);
}

/* The two coupled equations give the pressure that the one gives. */
static void check_coupled(void)
{
	struct ground g = ground_new(37, 24, 45);
	size_t bytes = (size_t)cells(&g) * sizeof(float),
	       flow_bytes = (size_t)cells(&g) * sizeof(Flow);
	for (int64_t k = 0; k < g.l; k++)
		for (int64_t i = 0; i < g.n; i++)
			for (int64_t j = 0; j < g.m; j++) {
				int64_t at = (k * g.n + i) * g.m + j;
				int64_t off = (k - 20) * (k - 20) + (i - 9) * (i - 9)
					      + (j - 15) * (j - 15);
				g.speed2[at] = k < 18 ? 0.05f : 0.22f;
				g.now[at] = g.before[at] = off < 36 ? 1 - (float)off / 36 : 0;
			}
	struct device d = device_open(&g);
	float *p = brought(g.now, cells(&g));
	Flow *rest = memset(host_new(flow_bytes), 0, flow_bytes), *flow = device_new(flow_bytes);
	to_device(flow, rest, flow_bytes);
	const int64_t steps = 90;
	go_on(&g, &d, 0, steps);
	must_succeed(sound(g.l, g.n, g.m, d.speed2, steps, p, flow, d.workspace, d.workspace_bytes,
			   NULL),
		     sound_strerror, "sound");
	to_host(g.now, d.now, bytes);
	to_host(g.before, p, bytes);
	double worst = 0, loudest = 0;
	for (int64_t at = 0; at < cells(&g); at++) {
		worst = worse(worst, fabs(g.now[at] - g.before[at]));
		loudest = worse(loudest, fabs(g.now[at]));
	}
	check_within("one equation and two coupled ones", worst, 1e-3 * loudest);
	device_free(p);
	device_free(flow);
	free(rest);
	device_close(&d);
	ground_free(&g);
}

/* ---- figures ---- */

enum { STEPS = 10 };                          /* of a measurement */
struct run { const struct ground *ground; struct device *device; };

static void some_steps(void *state)
{
	const struct run *r = state;
	go_on(r->ground, r->device, 0, STEPS);
}

/* A cube too large for any cache, because that is where memory is the limit. */
static void measure(void)
{
	int64_t side = 32;
	while (side * side * side * (int64_t)sizeof(float) < large)
		side += 32;
	struct ground g = ground_new(side, side, side);
	for (int64_t at = 0; at < cells(&g); at++)
		g.speed2[at] = 0.1f;
	struct device d = device_open(&g);
	struct run r = { &g, &d };
	char what[96];
	snprintf(what, sizeof what, "%lld x %lld x %lld cells", (long long)side, (long long)side,
		 (long long)side);
	/* now and the speeds are read, before is read and written */
	print_rate(what, STEPS * (double)cells(&g), 4 * sizeof(float), best_time(some_steps, &r));
	device_close(&d);
	ground_free(&g);
}

/* ---- the command ---- */

static _Noreturn void usage(int status)
{
	fputs("usage: wave [--across=N] [--steps=N] [--out=FILE] [--check] [--no-measure] [input.png]\n"
	      "  --across=N     cells across the picture (96)\n"
	      "  --steps=N      steps in time (420)\n"
	      "  --out=FILE     the middle plane as a picture (slice.png)\n"
	      "  --check        compare with a known wave, and with two coupled equations\n"
	      "  --no-measure   do not measure the kernel afterwards\n",
	      status ? stderr : stdout);
	exit(status);
}

int main(int argc, char **argv)
{
	static const struct option options[] = {
		{ "across", required_argument, NULL, 'a' }, { "steps", required_argument, NULL, 'n' },
		{ "out", required_argument, NULL, 'o' }, { "check", no_argument, NULL, 'c' },
		{ "no-measure", no_argument, NULL, 'q' }, { "help", no_argument, NULL, 'h' }, { 0 }
	};
	const char *out = "slice.png";
	int option, which = 0;
	bool checked = false, quiet = false;
	int64_t across = 96, steps = 420;
	while ((option = getopt_long(argc, argv, "", options, &which)) != -1)
		switch (option) {
		case 'a': across = (int64_t)number(options[which].name, optarg, 1, 4096); break;
		case 'n': steps = (int64_t)number(options[which].name, optarg, 0, 1e9); break;
		case 'o': out = optarg; break;
		case 'c': checked = true; break;
		case 'q': quiet = true; break;
		case 'h': usage(0);
		default: usage(2);
		}
	if (argc - optind > 1)
		usage(2);

	struct ground ground = read_ground(optind < argc ? argv[optind] : "input.png", across);
	listen(&ground, steps);
	write_slice(&ground, out);
	ground_free(&ground);
	if (checked) {
		check_standing();
		check_coupled();
	}
	if (!quiet)
		measure();
	return 0;
}
