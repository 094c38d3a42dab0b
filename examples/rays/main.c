/* main.c - makes a landscape with balls on it, about 100,000 triangles, lets patc's kernels build
 * a tree over them and follow rays of light through it, writes the picture, and measures how many
 * rays a second find their triangle, by schedule of the walks. */
#include <getopt.h>
#include <math.h>

#include "common.h"
#include "count.h"
#include "rays.h"

enum { BALLS = 60, CHECKED = 500 };           /* rays that are compared with all triangles */
static const double TURN = 6.283185307179586, WIDE = 8;
static const Point EYE = { 0.3f, -6.2f, 2.6f }, TOWARD = { 0, 0, 0.1f };

struct scene { int64_t n; Tri *tri; Point *paint; };
/* On a CPU all schedules are the same. */
struct schedule {
	const char *name;
	int (*cast)(int64_t m, int64_t k, int64_t n, const Ray *, const Node *, const Tri *, Hit *,
		    void *workspace, size_t workspace_bytes, void *stream);
	size_t (*workspace)(int64_t m, int64_t k, int64_t n);
};
static const struct schedule schedules[] = {
	{ "a thread a ray", cast, cast_workspace },
	{ "refill", cast_refill, cast_refill_workspace },
	{ "packet", cast_packet, cast_packet_workspace },
};
enum { SCHEDULES = sizeof schedules / sizeof *schedules };
struct device {                               /* where the kernels run */
	int64_t n, rays, wide;
	Tri *tri, *near;
	Point *paint, *colour;
	Node *node;
	Ray *ray, *thrown;
	Hit *hit;
	Pixel *pixel;
	const struct schedule *schedule;
	const Ray *cast;                      /* those that are cast */
	void *workspace;
	size_t workspace_bytes;
};

/* ---- the scene ---- */

static void triangle(struct scene *s, Point a, Point b, Point c, Point paint)
{
	s->tri[s->n] = (Tri){ a, b, c };
	s->paint[s->n++] = paint;
}

static void square(struct scene *s, Point a, Point b, Point c, Point d, Point paint)
{
	triangle(s, a, b, c, paint);
	triangle(s, a, c, d, paint);
}

static double height(double x, double y)
{
	return 0.25 * sin(1.7 * x) * cos(1.3 * y) + 0.08 * sin(5 * x + y) * sin(4 * y - x)
	       + 0.02 * (x * x + y * y);
}

static Point on_ground(double part_x, double part_y)
{
	double x = WIDE * (part_x - 0.5), y = WIDE * (part_y - 0.5);
	return (Point){ (float)x, (float)y, (float)height(x, y) };
}

static Point on_ball(Point middle, double r, double part_turn, double part_height)
{
	double turn = TURN * part_turn, high = TURN / 2 * part_height;
	return (Point){ middle.x + (float)(r * sin(high) * cos(turn)),
			middle.y + (float)(r * sin(high) * sin(turn)),
			middle.z - (float)(r * cos(high)) };
}

static void add_ground(struct scene *s, int64_t across)
{
	double step = 1 / (double)across;
	for (int64_t i = 0; i < across; i++)
		for (int64_t j = 0; j < across; j++) {
			double x = step * (double)i, y = step * (double)j;
			square(s, on_ground(x, y), on_ground(x + step, y),
			       on_ground(x + step, y + step), on_ground(x, y + step),
			       (Point){ 0.55f, 0.6f, 0.45f });
		}
}

static void add_ball(struct scene *s, int64_t rows, uint64_t *state)
{
	double r = 0.1 + 0.25 * random_part(state), step = 1 / (double)rows;
	Point middle = on_ground(0.1 + 0.8 * random_part(state), 0.1 + 0.8 * random_part(state));
	Point paint = { (float)(0.2 + 0.75 * random_part(state)),
			(float)(0.2 + 0.75 * random_part(state)),
			(float)(0.2 + 0.75 * random_part(state)) };
	middle.z += (float)(0.9 * r);
	for (int64_t i = 0; i < 2 * rows; i++)
		for (int64_t j = 0; j < rows; j++) {
			double x = step / 2 * (double)i, y = step * (double)j;
			square(s, on_ball(middle, r, x, y), on_ball(middle, r, x + step / 2, y),
			       on_ball(middle, r, x + step / 2, y + step),
			       on_ball(middle, r, x, y + step), paint);
		}
}

static struct scene scene_new(int64_t detail)
{
	int64_t across = 9 * detail, most = 2 * across * across + BALLS * 4 * detail * detail;
	struct scene s = { 0, host_new((size_t)most * sizeof *s.tri),
			   host_new((size_t)most * sizeof *s.paint) };
	uint64_t state = 88172645463325252;
	add_ground(&s, across);
	for (int k = 0; k < BALLS; k++)
		add_ball(&s, detail, &state);
	return s;
}

static void scene_free(struct scene *s)
{
	free(s->tri);
	free(s->paint);
}

/* ---- the kernels ---- */

static size_t larger(size_t a, size_t b)
{
	return a > b ? a : b;
}

static struct device device_open(const struct scene *s, int64_t wide, int64_t high)
{
	int64_t nodes = 2 * s->n - 1, rays = wide * high;
	size_t tris = (size_t)s->n * sizeof(Tri), paints = (size_t)s->n * sizeof(Point);
	struct device d = { .n = s->n, .rays = rays, .wide = wide, .schedule = schedules };
	d.workspace_bytes = larger(build_workspace(s->n), look_workspace(nodes, s->n, rays));
	d.workspace_bytes = larger(d.workspace_bytes, cast_at_all_workspace(CHECKED, s->n));
	for (int k = 0; k < SCHEDULES; k++)
		d.workspace_bytes = larger(d.workspace_bytes,
					   schedules[k].workspace(rays, nodes, s->n));
	d.tri = device_new(tris);
	d.near = device_new(tris);
	d.paint = device_new(paints);
	d.colour = device_new(paints);
	d.node = device_new((size_t)nodes * sizeof *d.node);
	d.ray = device_new((size_t)rays * sizeof *d.ray);
	d.thrown = device_new((size_t)rays * sizeof *d.thrown);
	d.hit = device_new((size_t)rays * sizeof *d.hit);
	d.pixel = device_new((size_t)rays * sizeof *d.pixel);
	d.workspace = device_new(d.workspace_bytes);
	to_device(d.tri, s->tri, tris);
	to_device(d.paint, s->paint, paints);
	return d;
}

static void device_close(struct device *d)
{
	device_free(d->tri);
	device_free(d->near);
	device_free(d->paint);
	device_free(d->colour);
	device_free(d->node);
	device_free(d->ray);
	device_free(d->thrown);
	device_free(d->hit);
	device_free(d->pixel);
	device_free(d->workspace);
}

static void run_build(void *state)
{
	struct device *d = state;
	must_succeed(build(d->n, d->tri, d->paint, d->node, d->near, d->colour, d->workspace,
			   d->workspace_bytes, NULL),
		     build_strerror, "build");
}

static void run_cast(void *state)
{
	struct device *d = state;
	must_succeed(d->schedule->cast(d->rays, 2 * d->n - 1, d->n, d->cast, d->node, d->near,
				       d->hit, d->workspace, d->workspace_bytes, NULL),
		     cast_strerror, d->schedule->name);
}

/* A walk that does not end would have left rays without a triangle. */
static void aim(struct device *d)
{
	must_succeed(primary(d->rays, EYE, TOWARD, d->wide, d->ray, d->workspace,
			     d->workspace_bytes, NULL),
		     primary_strerror, "primary");
	d->cast = d->ray;
	run_cast(d);
	must_succeed(cast_status(d->workspace, NULL), cast_strerror, "cast");
	must_succeed(diffuse(d->rays, d->n, d->ray, d->hit, d->near, d->thrown, d->workspace,
			     d->workspace_bytes, NULL),
		     diffuse_strerror, "diffuse");
}

static void look_to(struct device *d, int64_t samples, int64_t bounces, const char *path)
{
	must_succeed(look(2 * d->n - 1, d->n, d->rays, EYE, TOWARD, d->wide, samples, bounces,
			  d->node, d->near, d->colour, d->pixel, d->workspace, d->workspace_bytes,
			  NULL),
		     look_strerror, "look");
	must_succeed(look_status(d->workspace, NULL), look_strerror, "look");
	struct picture p = picture_fetch(d->rays / d->wide, d->wide, d->pixel);
	picture_write(&p, path);
	picture_free(&p);
}

/* ---- the comparison with all triangles ---- */

/* What part of some rays meets another triangle, which is not as near.  Where a ray touches an
 * edge, rounding decides. */
static double part_off(struct device *d, const Ray *ray)
{
	int64_t some = d->rays < CHECKED ? d->rays : CHECKED, stride = d->rays / some, off = 0;
	Ray *all = host_new((size_t)d->rays * sizeof *all);
	Ray *few = host_new((size_t)some * sizeof *few);
	Hit *tree = host_new((size_t)some * sizeof *tree);
	Hit *plain = host_new((size_t)some * sizeof *plain);
	Ray *checked = device_new((size_t)some * sizeof *checked);
	to_host(all, ray, (size_t)d->rays * sizeof *all);
	for (int64_t k = 0; k < some; k++)
		few[k] = all[k * stride];
	to_device(checked, few, (size_t)some * sizeof *few);
	must_succeed(cast(some, 2 * d->n - 1, d->n, checked, d->node, d->near, d->hit, d->workspace,
			  d->workspace_bytes, NULL),
		     cast_strerror, "cast");
	to_host(tree, d->hit, (size_t)some * sizeof *tree);
	must_succeed(cast_at_all(some, d->n, checked, d->near, d->hit, d->workspace,
				 d->workspace_bytes, NULL),
		     cast_at_all_strerror, "cast_at_all");
	to_host(plain, d->hit, (size_t)some * sizeof *plain);
	for (int64_t k = 0; k < some; k++)
		off += tree[k].tri != plain[k].tri
		       && !(fabsf(tree[k].t - plain[k].t) <= 1e-4f * plain[k].t);
	device_free(checked);
	free(all);
	free(few);
	free(tree);
	free(plain);
	return (double)off / (double)some;
}

/* Every schedule gives the same bits. */
static void check_schedules(struct device *d, const Ray *ray)
{
	size_t bytes = (size_t)d->rays * sizeof(Hit);
	Hit *plain = host_new(bytes), *other = host_new(bytes);
	d->cast = ray;
	for (int k = 0; k < SCHEDULES; k++) {
		d->schedule = &schedules[k];
		run_cast(d);
		to_host(k ? other : plain, d->hit, bytes);
		if (k && memcmp(plain, other, bytes))
			fail(d->schedule->name, "it gives other hits than a thread a ray");
	}
	free(plain);
	free(other);
}

/* ---- figures ---- */

static void measure_cast(struct device *d, const char *what, const Ray *ray)
{
	d->cast = ray;
	for (int k = 0; k < SCHEDULES; k++) {
		d->schedule = &schedules[k];
		printf("%s: %s, %s: %.3g Mrays/s\n", platform, what, d->schedule->name,
		       1e-6 * (double)d->rays / best_time(run_cast, d));
	}
}

static void measure(struct device *d)
{
	printf("%s: a tree over %lld triangles: %.3g ms\n", platform, (long long)d->n,
	       1e3 * best_time(run_build, d));
	measure_cast(d, "rays from the eye", d->ray);
	measure_cast(d, "rays that surfaces throw back", d->thrown);
}

/* What the warps of a GPU do for the rays, counted here. */
static void count(const struct device *d)
{
	size_t nodes = (size_t)(2 * d->n - 1);
	Node *node = host_new(nodes * sizeof *node);
	Tri *near = host_new((size_t)d->n * sizeof *near);
	Ray *ray = host_new((size_t)d->rays * sizeof *ray);
	to_host(node, d->node, nodes * sizeof *node);
	to_host(near, d->near, (size_t)d->n * sizeof *near);
	to_host(ray, d->ray, (size_t)d->rays * sizeof *ray);
	count_passes("rays from the eye", d->rays, ray, d->n, node, near);
	to_host(ray, d->thrown, (size_t)d->rays * sizeof *ray);
	count_passes("rays that surfaces throw back", d->rays, ray, d->n, node, near);
	free(node);
	free(near);
	free(ray);
}

/* ---- the command ---- */

static _Noreturn void usage(int status)
{
	fputs("usage: rays [--detail=N] [--wide=N] [--high=N] [--samples=N] [--bounces=N]\n"
	      "            [--picture=FILE] [--check] [--count] [--no-measure]\n"
	      "  --detail=N      402 N * N triangles (16)\n"
	      "  --wide=N        pixels (480)\n"
	      "  --high=N        pixels (320)\n"
	      "  --samples=N     paths through a pixel (16)\n"
	      "  --bounces=N     how often surfaces throw a path back (3)\n"
	      "  --picture=FILE  what the eye sees (picture.png)\n"
	      "  --check         compare with all triangles, and the schedules with each other\n"
	      "  --count         count the passes that warps of 32 lanes make, by schedule\n"
	      "  --no-measure    do not measure the kernels afterwards\n",
	      status ? stderr : stdout);
	exit(status);
}

int main(int argc, char **argv)
{
	static const struct option options[] = {
		{ "detail", required_argument, NULL, 'd' },
		{ "wide", required_argument, NULL, 'w' },
		{ "high", required_argument, NULL, 'y' },
		{ "samples", required_argument, NULL, 's' },
		{ "bounces", required_argument, NULL, 'b' },
		{ "picture", required_argument, NULL, 'p' },
		{ "check", no_argument, NULL, 'c' }, { "count", no_argument, NULL, 'o' },
		{ "no-measure", no_argument, NULL, 'q' }, { "help", no_argument, NULL, 'h' }, { 0 }
	};
	const char *path = "picture.png";
	int64_t detail = 16, wide = 480, high = 320, samples = 16, bounces = 3;
	bool checked = false, counted = false, quiet = false;
	int option;
	while ((option = getopt_long(argc, argv, "", options, NULL)) != -1)
		switch (option) {
		case 'd': detail = (int64_t)number("--detail", optarg, 1, 1000); break;
		case 'w': wide = (int64_t)number("--wide", optarg, 1, 1e5); break;
		case 'y': high = (int64_t)number("--high", optarg, 1, 1e5); break;
		case 's': samples = (int64_t)number("--samples", optarg, 1, 1e6); break;
		case 'b': bounces = (int64_t)number("--bounces", optarg, 0, 1e6); break;
		case 'p': path = optarg; break;
		case 'c': checked = true; break;
		case 'o': counted = true; break;
		case 'q': quiet = true; break;
		case 'h': usage(0);
		default: usage(2);
		}
	if (argc != optind)
		usage(2);

	struct scene s = scene_new(detail);
	struct device d = device_open(&s, wide, high);
	run_build(&d);
	must_succeed(build_status(d.workspace, NULL), build_strerror, "build");
	aim(&d);
	printf("%s: %lld triangles, %lld rays\n", platform, (long long)d.n,
	       (long long)(d.rays * samples * (bounces + 1)));
	if (checked) {
		check_within("rays from the eye", part_off(&d, d.ray), 0.005);
		check_within("rays thrown back", part_off(&d, d.thrown), 0.005);
		check_schedules(&d, d.ray);
		check_schedules(&d, d.thrown);
	}
	if (counted)
		count(&d);
	look_to(&d, samples, bounces, path);
	if (!quiet)
		measure(&d);
	device_close(&d);
	scene_free(&s);
	return 0;
}
