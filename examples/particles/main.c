/* main.c - draws a galaxy with a bar, lets patc's kernels move its stars, writes how the sky looks
 * before and after, and measures the kernel. */
#include <getopt.h>
#include <math.h>

#include "common.h"
#include "particles.h"

enum { SKY = 400 };                           /* pixels across */
static const double TURN = 6.283185307179586, CORE = 0.2, WIDE = 2.4 / SKY;

struct stars { int64_t n; Star *at; };
struct device {                               /* where the kernels run */
	int64_t n, steps;
	float dt;
	Star *star;
	double *total;
	float *sky;
	void *workspace;
	size_t workspace_bytes;
};

/* ---- the galaxy ---- */

static uint64_t state = 88172645463325252;    /* of what is drawn by chance */

/* In a circle, as fast as what pulls it there asks. */
static Star star_at(double radius, double angle, double z)
{
	double speed = radius / sqrt(radius * radius + z * z + CORE * CORE);
	return (Star){ .x = (float)(radius * cos(angle)),
		       .y = (float)(radius * sin(angle)),
		       .z = (float)z,
		       .u = (float)(-speed * sin(angle)),
		       .v = (float)(speed * cos(angle)),
		       .mass = (float)(0.5 + random_part(&state)) };
}

/* Two of three stars are in a bar across a disc. */
static struct stars galaxy(int64_t n)
{
	struct stars s = { n, host_new((size_t)n * sizeof *s.at) };
	for (int64_t k = 0; k < n; k++) {
		double radius = sqrt(random_part(&state)), angle = TURN * random_part(&state);
		if (k % 3)
			angle = (k % 2 ? TURN / 2 : 0)
				+ 0.1 * (random_part(&state) - 0.5) / (0.1 + radius);
		s.at[k] = star_at(radius, angle, 0.05 * (random_part(&state) - 0.5));
	}
	return s;
}

/* ---- the kernels ---- */

static struct device device_open(const struct stars *s, double dt)
{
	size_t bytes = (size_t)s->n * sizeof *s->at, move = move_workspace(s->n),
	       see = look_workspace(s->n, SKY, SKY);
	struct device d = { .n = s->n,
			    .dt = (float)dt,
			    .workspace_bytes = move > see ? move : see };
	d.star = device_new(bytes);
	d.total = device_new(sizeof *d.total);
	d.sky = device_new(SKY * SKY * sizeof *d.sky);
	d.workspace = device_new(d.workspace_bytes);
	to_device(d.star, s->at, bytes);
	return d;
}

static void device_close(struct device *d)
{
	device_free(d->star);
	device_free(d->total);
	device_free(d->sky);
	device_free(d->workspace);
}

static void run(void *state)
{
	struct device *d = state;
	must_succeed(move(d->n, d->steps, d->dt, d->star, d->total, d->workspace,
			  d->workspace_bytes, NULL),
		     move_strerror, "move");
}

static double move_by(struct device *d, int64_t steps)
{
	double total;
	d->steps = steps;
	run(d);
	to_host(&total, d->total, sizeof total);
	return total;
}

/* Bright where many are, by the logarithm. */
static void photograph(const struct device *d, const char *path)
{
	struct picture p = picture_new(SKY, SKY);
	float *sky = host_new(SKY * SKY * sizeof *sky);
	double brightest = 1e-30;
	must_succeed(look(d->n, SKY, SKY, d->star, (float)WIDE, d->sky, d->workspace,
			  d->workspace_bytes, NULL),
		     look_strerror, "look");
	to_host(sky, d->sky, SKY * SKY * sizeof *sky);
	for (int64_t k = 0; k < SKY * SKY; k++)
		brightest = sky[k] > brightest ? sky[k] : brightest;
	for (int64_t k = 0; k < SKY * SKY; k++)
		colour_light(log1p(20 * sky[k] / brightest) / log1p(20), p.rgb + 3 * k);
	picture_write(&p, path);
	picture_free(&p);
	free(sky);
}

/* ---- the comparison with plain loops ---- */

static void step(double at[3], double speed[3], double dt)
{
	double squared = CORE * CORE;
	for (int c = 0; c < 3; c++) {
		at[c] += dt / 2 * speed[c];
		squared += at[c] * at[c];
	}
	for (int c = 0; c < 3; c++) {
		speed[c] -= dt / squared * at[c];
		at[c] += dt / 2 * speed[c];
	}
}

static double way_off(const Star *from, const Star *to, int64_t steps, double dt)
{
	double at[3] = { from->x, from->y, from->z }, speed[3] = { from->u, from->v, from->w };
	for (int64_t t = 0; t < steps; t++)
		step(at, speed, dt);
	return worse(fabs(at[0] - to->x), worse(fabs(at[1] - to->y), fabs(at[2] - to->z)));
}

static void check(const struct stars *from, const struct device *d, double before, double after)
{
	struct stars to = { from->n, host_new((size_t)from->n * sizeof *to.at) };
	double off = 0;
	to_host(to.at, d->star, (size_t)to.n * sizeof *to.at);
	for (int64_t k = 0; k < to.n; k++)
		off = worse(off, way_off(&from->at[k], &to.at[k], d->steps, d->dt));
	check_within("places", off, 1e-3);
	check_within("energy", fabs(after - before) / fabs(before), 1e-3);
	free(to.at);
}

/* ---- figures ---- */

static void measure(void)
{
	struct stars s = galaxy(large / (int64_t)sizeof(Star));
	struct device d = device_open(&s, 0.01);
	char what[64];
	d.steps = 10;
	snprintf(what, sizeof what, "%lld stars, %lld steps", (long long)s.n, (long long)d.steps);
	/* read and written in each step, and read for their energy */
	print_rate(what, (double)(s.n * d.steps), (2 + 0.1) * sizeof(Star), best_time(run, &d));
	device_close(&d);
	free(s.at);
}

/* ---- the command ---- */

static _Noreturn void usage(int status)
{
	fputs("usage: particles [--stars=N] [--steps=N] [--before=FILE] [--after=FILE] [--check] [--no-measure]\n"
	      "  --stars=N      in the galaxy (30000)\n"
	      "  --steps=N      of a hundredth of a unit of time (400)\n"
	      "  --before=FILE  the sky at the beginning (before.png)\n"
	      "  --after=FILE   and at the end (after.png)\n"
	      "  --check        compare with plain loops\n"
	      "  --no-measure   do not measure the kernel afterwards\n",
	      status ? stderr : stdout);
	exit(status);
}

int main(int argc, char **argv)
{
	static const struct option options[] = {
		{ "stars", required_argument, NULL, 'n' }, { "steps", required_argument, NULL, 's' },
		{ "before", required_argument, NULL, 'b' }, { "after", required_argument, NULL, 'a' },
		{ "check", no_argument, NULL, 'c' }, { "no-measure", no_argument, NULL, 'q' },
		{ "help", no_argument, NULL, 'h' }, { 0 }
	};
	const char *before_path = "before.png", *after_path = "after.png";
	int64_t stars = 30000, steps = 400;
	bool checked = false, quiet = false;
	int option;
	while ((option = getopt_long(argc, argv, "", options, NULL)) != -1)
		switch (option) {
		case 'n': stars = (int64_t)number("--stars", optarg, 1, 1e9); break;
		case 's': steps = (int64_t)number("--steps", optarg, 0, 1e9); break;
		case 'b': before_path = optarg; break;
		case 'a': after_path = optarg; break;
		case 'c': checked = true; break;
		case 'q': quiet = true; break;
		case 'h': usage(0);
		default: usage(2);
		}
	if (argc != optind)
		usage(2);

	struct stars s = galaxy(stars);
	struct device d = device_open(&s, 0.01);
	double before = move_by(&d, 0);
	photograph(&d, before_path);
	double after = move_by(&d, steps);
	photograph(&d, after_path);
	printf("%s: %lld stars, %lld steps, energy %.6g, then %.6g\n", platform, (long long)stars,
	       (long long)steps, before, after);
	if (checked)
		check(&s, &d, before, after);
	device_close(&d);
	free(s.at);
	if (!quiet)
		measure();
	return 0;
}
