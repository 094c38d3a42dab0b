/* main.c - draws two galaxies, lets patc's kernels move their bodies through each other, writes how
 * the sky looks before and after, and measures the tree beside all pairs. */
#include <getopt.h>
#include <math.h>

#include "barnes_hut.h"
#include "common.h"

enum { SKY = 400 };                           /* pixels across */
static const double TURN = 6.283185307179586, WIDE = 6.0 / SKY, SOFT = 0.1;

struct bodies { int64_t n; Body *at; };
struct device {                               /* where the kernels run */
	int64_t n, steps;
	float dt, open;
	Body *body;
	Pull *draw;
	double *total;
	float *sky;
	void *workspace;
	size_t workspace_bytes;
};

/* ---- two galaxies ---- */

static uint64_t state = 88172645463325252;    /* of what is drawn by chance */

/* Of a disc with a heavy middle, in a circle, as fast as the mass inside of it says. */
static Body body_of_disc(double mass)
{
	double r = 0.1 + 0.9 * random_part(&state), angle = TURN * random_part(&state);
	double speed = r * sqrt((0.3 + 0.2 * r) / pow(r * r + SOFT * SOFT, 1.5));
	return (Body){ .x = (float)(r * cos(angle)),
		       .y = (float)(r * sin(angle)),
		       .z = (float)(0.05 * (random_part(&state) - 0.5)),
		       .u = (float)(-speed * sin(angle)),
		       .v = (float)(speed * cos(angle)),
		       .mass = (float)mass };
}

static void put(Body *b, double side, double tilt)
{
	const double y = b->y, z = b->z, v = b->v, w = b->w;
	b->x += (float)(1.3 * side);
	b->y = (float)(y * cos(tilt) - z * sin(tilt) + 0.6 * side);
	b->z = (float)(y * sin(tilt) + z * cos(tilt));
	b->u -= (float)(0.35 * side);
	b->v = (float)(v * cos(tilt) - w * sin(tilt));
	b->w = (float)(v * sin(tilt) + w * cos(tilt));
}

/* The mass of each galaxy is one half.  The body in its middle has three fifths of that. */
static struct bodies galaxies(int64_t n)
{
	struct bodies s = { n, host_new((size_t)n * sizeof *s.at) };
	for (int64_t k = 0; k < n; k++) {
		Body *b = &s.at[k];
		*b = k < 2 ? (Body){ .mass = 0.3f } : body_of_disc(0.4 / (double)n);
		put(b, k % 2 ? 1 : -1, k % 2 ? 0.9 : 0);
	}
	return s;
}

/* ---- the kernels ---- */

static struct device device_open(const struct bodies *s, double open)
{
	size_t bytes = (size_t)s->n * sizeof *s->at;
	size_t need[] = { move_workspace(s->n), gravity_workspace(s->n), pairwise_workspace(s->n),
			  energy_workspace(s->n), look_workspace(s->n, SKY, SKY) };
	struct device d = { .n = s->n, .dt = 0.01f, .open = (float)open };
	for (int k = 0; k < 5; k++)
		d.workspace_bytes = need[k] > d.workspace_bytes ? need[k] : d.workspace_bytes;
	d.body = device_new(bytes);
	d.draw = device_new((size_t)s->n * sizeof *d.draw);
	d.total = device_new(sizeof *d.total);
	d.sky = device_new(SKY * SKY * sizeof *d.sky);
	d.workspace = device_new(d.workspace_bytes);
	to_device(d.body, s->at, bytes);
	return d;
}

static void device_close(struct device *d)
{
	device_free(d->body);
	device_free(d->draw);
	device_free(d->total);
	device_free(d->sky);
	device_free(d->workspace);
}

static void run_tree(void *state)
{
	struct device *d = state;
	must_succeed(gravity(d->n, d->body, d->open, d->draw, d->workspace, d->workspace_bytes,
			     NULL),
		     gravity_strerror, "gravity");
}

static void run_pairs(void *state)
{
	struct device *d = state;
	must_succeed(pairwise(d->n, d->body, d->draw, d->workspace, d->workspace_bytes, NULL),
		     pairwise_strerror, "pairwise");
}

static double energy_of(const struct device *d)
{
	double total;
	must_succeed(energy(d->n, d->body, d->total, d->workspace, d->workspace_bytes, NULL),
		     energy_strerror, "energy");
	to_host(&total, d->total, sizeof total);
	return total;
}

/* A walk that does not end would have left bodies without a pull. */
static void move_by(const struct device *d, int64_t steps)
{
	must_succeed(move(d->n, steps, d->dt, d->open, d->body, d->workspace, d->workspace_bytes,
			  NULL),
		     move_strerror, "move");
	must_succeed(move_status(d->workspace, NULL), move_strerror, "move");
}

/* Bright where much mass is, by the logarithm. */
static struct picture photograph(const struct device *d)
{
	struct picture p = picture_new(SKY, SKY);
	float *sky = host_new(SKY * SKY * sizeof *sky);
	must_succeed(look(d->n, SKY, SKY, d->body, (float)WIDE, d->sky, d->workspace,
			  d->workspace_bytes, NULL),
		     look_strerror, "look");
	to_host(sky, d->sky, SKY * SKY * sizeof *sky);
	for (int64_t k = 0; k < SKY * SKY; k++) {
		double light = log1p(sky[k] * (double)d->n) / log1p(12);
		colour_light(light < 1 ? light : 1, p.rgb + 3 * k);
	}
	free(sky);
	return p;
}

static void photograph_to(const struct device *d, const char *path)
{
	struct picture p = photograph(d);
	picture_write(&p, path);
	picture_free(&p);
}

static void film(const struct device *d, const char *prefix, int64_t every)
{
	for (int64_t t = 0; t < d->steps; t += every) {
		struct picture p = photograph(d);
		picture_frame(&p, prefix, t / every);
		picture_free(&p);
		move_by(d, d->steps - t < every ? d->steps - t : every);
		progress("step %lld of %lld", (long long)t, (long long)d->steps);
	}
	progress_end();
}

/* ---- the comparison with all pairs ---- */

/* How far the tree's pulls are off, as a part of all of them, by the root of the mean square. */
static double force_error(struct device *d)
{
	size_t bytes = (size_t)d->n * sizeof(Pull);
	Pull *tree = host_new(bytes), *pairs = host_new(bytes);
	double off = 0, all = 0;
	run_tree(d);
	must_succeed(gravity_status(d->workspace, NULL), gravity_strerror, "gravity");
	to_host(tree, d->draw, bytes);
	run_pairs(d);
	to_host(pairs, d->draw, bytes);
	for (int64_t k = 0; k < d->n; k++) {
		double x = tree[k].x - pairs[k].x, y = tree[k].y - pairs[k].y,
		       z = tree[k].z - pairs[k].z;
		off += x * x + y * y + z * z;
		all += (double)pairs[k].x * pairs[k].x + (double)pairs[k].y * pairs[k].y
		       + (double)pairs[k].z * pairs[k].z;
	}
	free(tree);
	free(pairs);
	return sqrt(off / (all > 0 ? all : 1));
}

/* ---- figures ---- */

static void measure(double open)
{
	const int64_t most = large / 512, few = most / 8;
	struct bodies s = galaxies(most);
	struct device d = device_open(&s, open);
	double tree = best_time(run_tree, &d);
	d.n = few;
	double pairs = best_time(run_pairs, &d) * (double)(most * most) / (double)(few * few);
	printf("%s: %lld bodies: the tree takes %.3g ms, all pairs %.3g ms (from %lld bodies): "
	       "%.3g times\n",
	       platform, (long long)most, 1e3 * tree, 1e3 * pairs, (long long)few, pairs / tree);
	device_close(&d);
	free(s.at);
}

/* ---- the command ---- */

static _Noreturn void usage(int status)
{
	fputs("usage: barnes_hut [--bodies=N] [--steps=N] [--open=X] [--before=FILE] [--after=FILE]\n"
	      "                  [--film=PREFIX] [--every=N] [--check] [--no-measure]\n"
	      "  --bodies=N     in both galaxies (12000)\n"
	      "  --steps=N      of a hundredth of a unit of time (400)\n"
	      "  --open=X       a node counts as one body if its side is less than X of its distance (0.5)\n"
	      "  --before=FILE  the sky at the beginning (before.png)\n"
	      "  --after=FILE   and at the end (after.png)\n"
	      "  --film=PREFIX  pictures of the way, PREFIX0000.png and so on\n"
	      "  --every=N      steps from one to the next (10)\n"
	      "  --check        compare with all pairs, and the energy at the end with that before\n"
	      "  --no-measure   do not measure the kernels afterwards\n",
	      status ? stderr : stdout);
	exit(status);
}

int main(int argc, char **argv)
{
	static const struct option options[] = {
		{ "bodies", required_argument, NULL, 'n' }, { "steps", required_argument, NULL, 's' },
		{ "open", required_argument, NULL, 'o' }, { "before", required_argument, NULL, 'b' },
		{ "after", required_argument, NULL, 'a' }, { "film", required_argument, NULL, 'f' },
		{ "every", required_argument, NULL, 'e' }, { "check", no_argument, NULL, 'c' },
		{ "no-measure", no_argument, NULL, 'q' }, { "help", no_argument, NULL, 'h' }, { 0 }
	};
	const char *before_path = "before.png", *after_path = "after.png", *prefix = NULL;
	int64_t n = 12000, steps = 400, every = 10;
	double open = 0.5;
	bool checked = false, quiet = false;
	int option;
	while ((option = getopt_long(argc, argv, "", options, NULL)) != -1)
		switch (option) {
		case 'n': n = (int64_t)number("--bodies", optarg, 1, 1e9); break;
		case 's': steps = (int64_t)number("--steps", optarg, 0, 1e9); break;
		case 'o': open = number("--open", optarg, 0, 10); break;
		case 'b': before_path = optarg; break;
		case 'a': after_path = optarg; break;
		case 'f': prefix = optarg; break;
		case 'e': every = (int64_t)number("--every", optarg, 1, 1e9); break;
		case 'c': checked = true; break;
		case 'q': quiet = true; break;
		case 'h': usage(0);
		default: usage(2);
		}
	if (argc != optind)
		usage(2);

	struct bodies s = galaxies(n);
	struct device d = device_open(&s, open);
	d.steps = steps;
	photograph_to(&d, before_path);
	double before = energy_of(&d), off = checked ? force_error(&d) : 0;
	if (prefix)
		film(&d, prefix, every);
	else
		move_by(&d, steps);
	photograph_to(&d, after_path);
	double after = energy_of(&d);
	printf("%s: %lld bodies, %lld steps, energy %.6g, then %.6g\n", platform, (long long)n,
	       (long long)steps, before, after);
	if (checked) {
		check_within("pulls", off, open <= 0.5 ? 0.01 : 1);
		check_within("energy", fabs(after - before) / fabs(before), 0.01);
	}
	device_close(&d);
	free(s.at);
	if (!quiet)
		measure(open);
	return 0;
}
