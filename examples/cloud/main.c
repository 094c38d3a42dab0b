/* main.c - makes a point cloud of a picture's heights, lets patc's kernel part what stands on the
 * ground from the ground, draws both from above, and measures the kernel. */
#include <getopt.h>
#include <math.h>

#include "cloud.h"
#include "common.h"

enum { FITS = 5 };                            /* of the plane */

struct cloud { int64_t n; Point *at; };
struct found { int64_t count; float a, b, c, highest, middle; };
struct device {                               /* where the kernel runs */
	int64_t n;
	float clear;
	Point *cloud, *kept, *ground;
	struct found *found;
	void *workspace;
	size_t workspace_bytes;
};

/* ---- the cloud ---- */

/* A pixel is a metre; each is met `times` times, a little beside its middle, in no order of the
 * scene. */
static struct cloud cloud_of(const struct picture *p, int64_t times)
{
	struct cloud c = { p->rows * p->columns * times, NULL };
	uint32_t x = 2463534242u;
	c.at = host_new((size_t)c.n * sizeof *c.at);
	memset(c.at, 0, (size_t)c.n * sizeof *c.at);
	for (int64_t i = 0; i < c.n; i++) {
		x ^= x << 13;
		x ^= x >> 17;
		x ^= x << 5;
		int64_t row = i / p->columns % p->rows, column = (i * 7 + x % 3) % p->columns;
		const uint8_t *rgb = pixel(p, row, column);
		float beside = (float)(x >> 8) / (1 << 24);
		c.at[i] = (Point){ (float)column + beside, (float)row + 1 - beside, rgb[0] + beside,
				   rgb[1] };
	}
	return c;
}

/* ---- the kernel ---- */

static struct device device_open(const struct cloud *c, float clear)
{
	size_t bytes = (size_t)c->n * sizeof(Point);
	struct device d = { .n = c->n, .clear = clear, .workspace_bytes = sift_workspace(c->n) };
	d.cloud = device_new(bytes);
	d.kept = device_new(bytes);
	d.ground = device_new(bytes);
	d.found = device_new(sizeof *d.found);
	d.workspace = device_new(d.workspace_bytes);
	to_device(d.cloud, c->at, bytes);
	return d;
}

static void device_close(struct device *d)
{
	device_free(d->cloud);
	device_free(d->kept);
	device_free(d->ground);
	device_free(d->found);
	device_free(d->workspace);
}

static void run(void *state)
{
	struct device *d = state;
	must_succeed(sift(d->n, d->cloud, d->clear, FITS, d->kept, d->ground, &d->found->count,
			  &d->found->a, &d->found->b, &d->found->c, &d->found->highest,
			  &d->found->middle, d->workspace, d->workspace_bytes, NULL),
		     sift_strerror, "sift");
}

/* ---- the comparison with a plain loop ---- */

static bool same_point(const Point *p, const Point *q)
{
	return p->x == q->x && p->y == q->y && p->z == q->z && p->light == q->light;
}

/* By the plane that was found every point is where it belongs, and in the order of the cloud. */
static void check(const struct cloud *c, const Point *kept, const Point *ground,
		  const struct found *f, float clear)
{
	int64_t above = 0, below = 0, wrong = 0;
	for (int64_t i = 0; i < c->n; i++) {
		const Point *p = &c->at[i];
		double over = p->z - ((double)f->a * p->x + (double)f->b * p->y + f->c);
		bool is_kept = above < f->count && same_point(p, &kept[above]);
		wrong += fabs(over - clear) > 1e-3 && is_kept != (over > clear);
		wrong += !is_kept && !(below < c->n - f->count && same_point(p, &ground[below]));
		above += is_kept;
		below += !is_kept;
	}
	check_within("points", (double)(wrong + (above != f->count)), 0);
}

/* ---- the picture from above: what is kept by its height, the ground by its light ---- */

static void draw(struct picture *p, const Point *at, int64_t n, const struct found *f, bool kept)
{
	for (int64_t i = 0; i < n; i++) {
		int64_t row = (int64_t)at[i].y, column = (int64_t)at[i].x;
		float over = at[i].z - (f->a * at[i].x + f->b * at[i].y + f->c),
		      part = over / f->highest;
		if (row < 0 || row >= p->rows || column < 0 || column >= p->columns)
			continue;
		uint8_t *rgb = pixel(p, row, column),
			high = (uint8_t)(255 * fminf(fmaxf(part, 0), 1));
		memcpy(rgb, kept ? (uint8_t[]){ 255, (uint8_t)(220 - high * 3 / 4), 40 }
		                 : (uint8_t[]){ at[i].light / 2, at[i].light, at[i].light / 2 }, 3);
	}
}

/* ---- figures ---- */

static void measure(const struct picture *p, float clear)
{
	int64_t pixels = p->rows * p->columns;
	struct cloud c = cloud_of(p, large / (int64_t)sizeof(Point) / pixels + 1);
	struct device d = device_open(&c, clear);
	struct found f;
	double took = best_time(run, &d);
	to_host(&f, d.found, sizeof f);
	double kept = (double)f.count / (double)c.n;
	char what[96];
	snprintf(what, sizeof what, "%lld points, %d fits of the plane", (long long)c.n, FITS);
	/* a fit reads all, writes and reads those near the ground; at the end all are read and written, the kept read */
	print_rate(what, (double)c.n, sizeof(Point) * (FITS * (1 + 2 * (1 - kept)) + 2 + kept),
		   took);
	device_close(&d);
	free(c.at);
}

/* ---- the command ---- */

static _Noreturn void usage(int status)
{
	fputs("usage: cloud [--clear=M] [--times=N] [--picture=FILE] [--check] [--no-measure] [input.png]\n"
	      "  --clear=M       what is so many metres over the ground is kept (8)\n"
	      "  --times=N       points a pixel (4)\n"
	      "  --picture=FILE  the scene from above (kept.png)\n"
	      "  --check         compare with a plain loop\n"
	      "  --no-measure    do not measure the kernel afterwards\n",
	      status ? stderr : stdout);
	exit(status);
}

int main(int argc, char **argv)
{
	static const struct option options[] = {
		{ "clear", required_argument, NULL, 'm' }, { "times", required_argument, NULL, 't' },
		{ "picture", required_argument, NULL, 'p' }, { "check", no_argument, NULL, 'c' },
		{ "no-measure", no_argument, NULL, 'q' }, { "help", no_argument, NULL, 'h' }, { 0 }
	};
	const char *path = "kept.png";
	float clear = 8;
	int64_t times = 4;
	bool checked = false, quiet = false;
	int option, which = 0;
	while ((option = getopt_long(argc, argv, "", options, &which)) != -1)
		switch (option) {
		case 'm': clear = (float)number(options[which].name, optarg, 0, 1000); break;
		case 't': times = (int64_t)number(options[which].name, optarg, 1, 1e6); break;
		case 'p': path = optarg; break;
		case 'c': checked = true; break;
		case 'q': quiet = true; break;
		case 'h': usage(0);
		default: usage(2);
		}
	if (argc - optind > 1)
		usage(2);

	struct picture scene = picture_read(optind < argc ? argv[optind] : "input.png");
	struct cloud c = cloud_of(&scene, times);
	struct device d = device_open(&c, clear);
	struct found f;
	run(&d);
	to_host(&f, d.found, sizeof f);
	Point *kept = host_new((size_t)f.count * sizeof *kept),
	      *ground = host_new((size_t)(c.n - f.count) * sizeof *ground);
	to_host(kept, d.kept, (size_t)f.count * sizeof *kept);
	to_host(ground, d.ground, (size_t)(c.n - f.count) * sizeof *ground);
	printf("%s: %lld points, %lld stand on the ground z = %.3f x + %.3f y + %.1f, %.1f m high at most, %.1f m on average\n",
	       platform, (long long)c.n, (long long)f.count, f.a, f.b, f.c, f.highest, f.middle);
	struct picture above = picture_new(scene.rows, scene.columns);
	memset(above.rgb, 0, (size_t)(3 * above.rows * above.columns));
	draw(&above, ground, c.n - f.count, &f, false);
	draw(&above, kept, f.count, &f, true);
	picture_write(&above, path);
	if (checked)
		check(&c, kept, ground, &f, clear);
	device_close(&d);
	if (!quiet)
		measure(&scene, clear);
	picture_free(&above);
	picture_free(&scene);
	free(kept);
	free(ground);
	free(c.at);
	return 0;
}
