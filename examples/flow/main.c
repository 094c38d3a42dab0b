/* main.c - reads a channel from a PNG, lets patc's kernels drive water through it, draws where it
 * turns, and measures the kernel.
 *
 * Colours of the input: dark is a wall, blue where the water flows in, green where it flows out,
 * everything else water.  What leaves at one side and has no wall there comes in at the other. */
#include <getopt.h>
#include <math.h>

#include "common.h"
#include "flow.h"
#include "flow_soa.h"

enum { WATER, WALL, INLET, OUTLET };          /* as in flow.pat */
enum { CHUNK = 200 };                         /* steps between two reports */

struct channel {
	int64_t rows, columns;
	uint8_t *kind;
	/* of the inlet; of the relaxation; of a force from the west */
	float speed, rate, push;
};
struct device {                               /* the same where the kernels run */
	bool planes;                          /* the nine numbers of a cell lie in nine planes */
	uint8_t *kind;
	void *cell;                           /* Cell, or float if planes */
	float *u, *v, *turn;
	void *workspace;
	size_t workspace_bytes;
};

/* The relaxation rate for a viscosity in cells^2 a step. */
static float rate_of(double viscosity)
{
	return (float)(1 / (3 * viscosity + 0.5));
}

static struct channel channel_new(int64_t rows, int64_t columns)
{
	size_t cells = (size_t)(rows * columns);
	return (struct channel){ rows, columns, memset(host_new(cells), WATER, cells), 0, 1, 0 };
}

static void channel_free(struct channel *c)
{
	free(c->kind);
}

/* ---- pictures ---- */

static uint8_t kind_of(const uint8_t *rgb)
{
	int r = rgb[0], g = rgb[1], b = rgb[2];
	return b > r + 80 && b > g + 80   ? INLET
	       : g > r + 80 && g > b + 80 ? OUTLET
	       : r + g + b < 3 * 96       ? WALL
					  : WATER;
}

static struct channel read_channel(const char *path, int scale)
{
	struct picture p = picture_read(path);
	struct channel c = channel_new(p.rows * scale, p.columns * scale);
	for (int64_t i = 0; i < c.rows; i++)
		for (int64_t j = 0; j < c.columns; j++)
			c.kind[i * c.columns + j] = kind_of(pixel(&p, i / scale, j / scale));
	picture_free(&p);
	return c;
}

static void write_turn(const struct channel *c, const float *turn, const char *path)
{
	struct picture p = picture_new(c->rows, c->columns);
	for (int64_t at = 0; at < c->rows * c->columns; at++) {
		colour_signed(turn[at] / c->speed * 12, p.rgb + 3 * at);
		if (c->kind[at] == WALL)
			memset(p.rgb + 3 * at, 60, 3);
	}
	picture_write(&p, path);
	picture_free(&p);
}

/* ---- the kernels ---- */

static size_t larger(size_t a, size_t b)
{
	return a > b ? a : b;
}

static void begin(const struct channel *c, struct device *d)
{
	int status = d->planes ? soa_start(c->rows, c->columns, d->kind, c->speed, d->cell,
					   d->workspace, d->workspace_bytes, NULL)
			       : start(c->rows, c->columns, d->kind, c->speed, d->cell,
				       d->workspace, d->workspace_bytes, NULL);
	must_succeed(status, start_strerror, "start");
}

static struct device device_open(const struct channel *c, bool planes)
{
	int64_t n = c->rows, m = c->columns;
	size_t cells = (size_t)(n * m);
	struct device d = { .planes = planes };
	d.workspace_bytes = larger(larger(flow_workspace(n, m), curl_workspace(n, m)),
	                           larger(soa_flow_workspace(n, m), soa_curl_workspace(n, m)));
	d.kind = device_new(cells);
	d.cell = device_new(cells * sizeof(Cell));
	d.u = device_new(cells * sizeof *d.u);
	d.v = device_new(cells * sizeof *d.v);
	d.turn = device_new(cells * sizeof *d.turn);
	d.workspace = device_new(d.workspace_bytes);
	to_device(d.kind, c->kind, cells);
	begin(c, &d);
	return d;
}

static void device_close(struct device *d)
{
	device_free(d->kind);
	device_free(d->cell);
	device_free(d->u);
	device_free(d->v);
	device_free(d->turn);
	device_free(d->workspace);
}

static void go_on(const struct channel *c, struct device *d, int64_t steps)
{
	int status = d->planes ? soa_flow(c->rows, c->columns, d->kind, c->rate, c->push, steps,
					  d->cell, d->workspace, d->workspace_bytes, NULL)
			       : flow(c->rows, c->columns, d->kind, c->rate, c->push, steps,
				      d->cell, d->workspace, d->workspace_bytes, NULL);
	must_succeed(status, flow_strerror, "flow");
}

static void look(const struct channel *c, struct device *d)
{
	int status = d->planes
		? soa_curl(c->rows, c->columns, d->kind, d->cell, d->u, d->v, d->turn, d->workspace,
		           d->workspace_bytes, NULL)
		: curl(c->rows, c->columns, d->kind, d->cell, d->u, d->v, d->turn, d->workspace,
		       d->workspace_bytes, NULL);
	must_succeed(status, curl_strerror, "curl");
}

static float *fetched(const struct channel *c, const float *from)
{
	size_t bytes = (size_t)(c->rows * c->columns) * sizeof *from;
	float *to = host_new(bytes);
	to_host(to, from, bytes);
	return to;
}

/* Runs in chunks, so that somebody who waits can see how far it is. */
static void run(const struct channel *c, bool planes, int64_t steps, const char *out)
{
	struct device d = device_open(c, planes);
	double start = seconds(), fastest = 0;
	for (int64_t done = 0; done < steps; done += CHUNK) {
		go_on(c, &d, steps - done < CHUNK ? steps - done : CHUNK);
		device_wait();
		progress("step %lld of %lld", (long long)done, (long long)steps);
	}
	progress_end();
	look(c, &d);
	float *u = fetched(c, d.u), *v = fetched(c, d.v), *turn = fetched(c, d.turn);
	for (int64_t at = 0; at < c->rows * c->columns; at++)
		fastest = worse(fastest, hypot(u[at], v[at]));
	printf("%s: %lld x %lld cells, %lld steps, %.2f s, fastest %.3f of the inlet's speed\n",
	       platform, (long long)c->rows, (long long)c->columns, (long long)steps,
	       seconds() - start, fastest / c->speed);
	if (!(fastest < 0.577))
		fail("flow", "it went faster than sound; try a lower speed or a higher viscosity");
	write_turn(c, turn, out);
	free(u);
	free(v);
	free(turn);
	device_close(&d);
}

/* ---- the checks ---- */

/* Between two walls a force drives a parabola of velocities (Poiseuille's flow); at this one
 * viscosity the method has it exactly, walls halfway between cells.  A cell's velocity is that in
 * the middle of a step; the particles have just been given the force of a whole one. */
static void check_parabola(bool planes)
{
	enum { HEIGHT = 14, COLUMNS = 37 };
	const double relaxation = 0.5 + sqrt(3.0) / 4, viscosity = (relaxation - 0.5) / 3,
		     most = 0.05;
	const double force = 8 * viscosity * most / (HEIGHT * HEIGHT);
	struct channel c = channel_new(HEIGHT + 2, COLUMNS);
	memset(c.kind, WALL, COLUMNS);
	memset(c.kind + (HEIGHT + 1) * COLUMNS, WALL, COLUMNS);
	c.rate = rate_of(viscosity);
	c.push = (float)(force * relaxation);
	struct device d = device_open(&c, planes);
	go_on(&c, &d, 2500);
	look(&c, &d);
	float *u = fetched(&c, d.u), *v = fetched(&c, d.v);
	double off = 0, across = 0;
	for (int64_t i = 1; i <= HEIGHT; i++)
		for (int64_t j = 0; j < COLUMNS; j++) {
			double y = (double)i - 0.5,
			       want = force / (2 * viscosity) * y * (HEIGHT - y);
			off = worse(off, fabs(u[i * COLUMNS + j] - force / 2 - want));
			across = worse(across, fabs(v[i * COLUMNS + j]));
		}
	check_within("Poiseuille's parabola", off / most, 2e-4);
	check_within("nothing flows across it", across / most, 1e-4);
	free(u);
	free(v);
	device_close(&d);
	channel_free(&c);
}

/* The particles after some steps, in the order of the planes. */
static float *particles(const struct channel *c, bool planes)
{
	size_t cells = (size_t)(c->rows * c->columns), bytes = cells * sizeof(Cell);
	struct device d = device_open(c, planes);
	float *from = host_new(bytes), *to = host_new(bytes);
	go_on(c, &d, 101);
	to_host(from, d.cell, bytes);
	for (size_t at = 0; at < 9 * cells; at++)
		to[at] = planes ? from[at] : from[at % cells * 9 + at / cells];
	free(from);
	device_close(&d);
	return to;
}

static void check_layouts(const struct channel *c)
{
	size_t count = (size_t)(c->rows * c->columns) * 9, differ = 0;
	float *one = particles(c, false), *other = particles(c, true);
	for (size_t at = 0; at < count; at++)
		differ += memcmp(one + at, other + at, sizeof *one) != 0;
	check_within("cells and planes have the same bits", (double)differ, 0);
	free(one);
	free(other);
}

/* ---- figures ---- */

enum { STEPS = 5 };                           /* of a measurement */
struct run { const struct channel *channel; struct device *device; };

static void some_steps(void *state)
{
	const struct run *r = state;
	go_on(r->channel, r->device, STEPS);
}

/* In a channel too large for any cache, because that is where memory is the limit. */
static void measure(const char *path, const struct channel *small, int scale, bool planes)
{
	int64_t pixels = small->rows / scale * (small->columns / scale);
	while (pixels * scale * scale * (int64_t)sizeof(Cell) < large)
		scale++;
	struct channel c = read_channel(path, scale);
	c.speed = small->speed;
	c.rate = small->rate;
	struct device d = device_open(&c, planes);
	struct run r = { &c, &d };
	char what[96];
	snprintf(what, sizeof what, "%lld x %lld cells, layout %s", (long long)c.rows,
		 (long long)c.columns, planes ? "soa" : "aos");
	print_rate(what, STEPS * (double)(c.rows * c.columns), 2 * sizeof(Cell) + 1,
		   best_time(some_steps, &r));
	device_close(&d);
	channel_free(&c);
}

/* ---- the command ---- */

static _Noreturn void usage(int status)
{
	fputs("usage: flow [--speed=U] [--viscosity=V] [--steps=N] [--scale=K] [--layout=aos|soa] [--out=FILE]\n"
	      "            [--check] [--no-measure] [input.png]\n"
	      "  --speed=U      of the water at the inlet, in cells a step (0.1)\n"
	      "  --viscosity=V  in cells^2 a step (0.02)\n"
	      "  --steps=N      steps in time (9000)\n"
	      "  --scale=K      make every pixel K x K cells (1)\n"
	      "  --layout=NAME  aos: the numbers of a cell together; soa: in planes (aos)\n"
	      "  --out=FILE     where the water turns, as a picture (turn.png)\n"
	      "  --check        compare with the known flow between two walls, and the layouts\n"
	      "  --no-measure   do not measure the kernel afterwards\n",
	      status ? stderr : stdout);
	exit(status);
}

int main(int argc, char **argv)
{
	static const struct option options[] = {
		{ "speed", required_argument, NULL, 'u' }, { "viscosity", required_argument, NULL, 'v' },
		{ "steps", required_argument, NULL, 'n' }, { "scale", required_argument, NULL, 's' },
		{ "layout", required_argument, NULL, 'l' },
		{ "out", required_argument, NULL, 'o' }, { "check", no_argument, NULL, 'c' },
		{ "no-measure", no_argument, NULL, 'q' }, { "help", no_argument, NULL, 'h' }, { 0 }
	};
	const char *out = "turn.png";
	int option, which = 0, scale = 1;
	bool planes = false, checked = false, quiet = false;
	double speed = 0.1, viscosity = 0.02;
	int64_t steps = 9000;
	while ((option = getopt_long(argc, argv, "", options, &which)) != -1)
		switch (option) {
		case 'u': speed = number(options[which].name, optarg, 1e-4, 0.3); break;
		case 'v': viscosity = number(options[which].name, optarg, 1e-4, 1); break;
		case 'n': steps = (int64_t)number(options[which].name, optarg, 0, 1e12); break;
		case 's': scale = (int)number(options[which].name, optarg, 1, 256); break;
		case 'l':
			planes = !strcmp(optarg, "soa");
			if (!planes && strcmp(optarg, "aos"))
				usage(2);
			break;
		case 'o': out = optarg; break;
		case 'c': checked = true; break;
		case 'q': quiet = true; break;
		case 'h': usage(0);
		default: usage(2);
		}
	if (argc - optind > 1)
		usage(2);

	const char *input = optind < argc ? argv[optind] : "input.png";
	struct channel channel = read_channel(input, scale);
	channel.speed = (float)speed;
	channel.rate = rate_of(viscosity);
	run(&channel, planes, steps, out);
	if (checked) {
		check_parabola(planes);
		check_layouts(&channel);
	}
	if (!quiet)
		measure(input, &channel, scale, planes);
	channel_free(&channel);
	return 0;
}
