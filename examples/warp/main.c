/* main.c - reads two recordings from WAV files, lets patc's kernels find how the one must be warped
 * to become the other, draws the way, and measures the kernel. */
#include <getopt.h>
#include <math.h>

#include "common.h"
#include "warp.h"
#include "wav.h"

/* as in warp.pat; tones are the driver's choice */
enum { FRAME = 80, REACH = 320, TONES = 24 };
static const double LOWEST = 100, STEP = 5;              /* hertz; tones an octave */

struct frames { int64_t n; float *loud; };               /* TONES each */
struct device {                               /* where warp() runs */
	int64_t m, n;
	float *one, *other, *cost;
	uint8_t *way;
	void *workspace;
	size_t workspace_bytes;
};
struct path { int64_t n; struct { int64_t one, other; } *at; };
struct warping { float cost; struct path path; };

/* ---- the tones of a recording ---- */

/* Turns a sample; what the recording cannot hold is silent in both. */
static void tune(float *turns, int rate)
{
	for (int k = 0; k < TONES; k++) {
		double turn = LOWEST * pow(2, k / STEP) / rate;
		turns[k] = turn < 0.5 ? (float)turn : 0;
	}
}

/* Both channels are one; as much silence behind the end as a frame may ask for. */
static float *mixed(const struct sound *s, int64_t length)
{
	float *x = host_new((size_t)length * sizeof *x);
	for (int64_t i = 0; i < length; i++) {
		x[i] = 0;
		for (int c = 0; c < s->channels && i < s->length; c++)
			x[i] += channel(s, c)[i] / (float)s->channels;
	}
	return x;
}

static struct frames frames_of(const struct sound *s)
{
	struct frames f = { .n = (s->length + FRAME - 1) / FRAME };
	int64_t length = FRAME * f.n + REACH;
	size_t loud_bytes = (size_t)f.n * TONES * sizeof(float),
	       workspace_bytes = tones_workspace(f.n, TONES);
	float *samples = mixed(s, length), turns[TONES];
	float *x = device_new((size_t)length * sizeof *x), *t = device_new(sizeof turns),
	      *loud = device_new(loud_bytes);
	void *workspace = device_new(workspace_bytes);
	tune(turns, s->rate);
	to_device(x, samples, (size_t)length * sizeof *x);
	to_device(t, turns, sizeof turns);
	must_succeed(tones(f.n, TONES, x, t, loud, workspace, workspace_bytes, NULL),
		     tones_strerror, "tones");
	f.loud = host_new(loud_bytes);
	to_host(f.loud, loud, loud_bytes);
	device_free(x);
	device_free(t);
	device_free(loud);
	device_free(workspace);
	free(samples);
	return f;
}

/* ---- the warping ---- */

static struct device device_open(const struct frames *one, const struct frames *other)
{
	struct device d = { .m = one->n,
			    .n = other->n,
			    .workspace_bytes = warp_workspace(one->n, TONES, other->n) };
	size_t m = (size_t)d.m, n = (size_t)d.n, frame = TONES * sizeof(float);
	d.one = device_new(m * frame);
	d.other = device_new(n * frame);
	d.way = device_new(m * n);
	d.cost = device_new(sizeof *d.cost);
	d.workspace = device_new(d.workspace_bytes);
	to_device(d.one, one->loud, m * frame);
	to_device(d.other, other->loud, n * frame);
	return d;
}

static void device_close(struct device *d)
{
	device_free(d->one);
	device_free(d->other);
	device_free(d->way);
	device_free(d->cost);
	device_free(d->workspace);
}

static void run(void *state)
{
	struct device *d = state;
	must_succeed(warp(d->m, TONES, d->n, d->one, d->other, d->way, d->cost, d->workspace,
			  d->workspace_bytes, NULL),
		     warp_strerror, "warp");
}

/* From the last pair of frames to the first, and turned round. */
static struct path walk_back(const uint8_t *way, int64_t m, int64_t n)
{
	enum { BOTH, ONE, OTHER };                   /* as in warp.pat: which was a frame before */
	struct path p = { 0, host_new((size_t)(m + n) * sizeof *p.at) };
	for (int64_t i = m - 1, j = n - 1; i >= 0 && j >= 0; ) {
		p.at[p.n].one = i;
		p.at[p.n++].other = j;
		uint8_t from = way[i * n + j];
		i -= from != OTHER;
		j -= from != ONE;
	}
	for (int64_t k = 0; k < p.n / 2; k++) {
		int64_t one = p.at[k].one, other = p.at[k].other;
		p.at[k] = p.at[p.n - 1 - k];
		p.at[p.n - 1 - k].one = one;
		p.at[p.n - 1 - k].other = other;
	}
	return p;
}

static struct warping warp_frames(const struct frames *one, const struct frames *other)
{
	struct device d = device_open(one, other);
	struct warping w;
	uint8_t *way = host_new((size_t)(d.m * d.n));
	run(&d);
	to_host(&w.cost, d.cost, sizeof w.cost);
	to_host(way, d.way, (size_t)(d.m * d.n));
	w.path = walk_back(way, d.m, d.n);
	free(way);
	device_close(&d);
	return w;
}

/* ---- the comparison with plain loops ---- */

static double naive_loud(const struct sound *s, int64_t frame, double turn)
{
	double re = 0, im = 0, full = 2 * acos(-1);
	for (int64_t t = 0; t < REACH && FRAME * frame + t < s->length; t++) {
		double x = 0, window = 0.5 - 0.5 * cos(full * (double)t / REACH);
		for (int c = 0; c < s->channels; c++)
			x += channel(s, c)[FRAME * frame + t] / s->channels;
		re += x * window * cos(full * turn * (double)t);
		im += x * window * sin(full * turn * (double)t);
	}
	return 10 * log10(re * re + im * im + 1e-3);
}

static void check_tones(const struct sound *s, const struct frames *f)
{
	float turns[TONES];
	double off = 0;
	tune(turns, s->rate);
	for (int64_t at = 0; at < f->n * TONES; at++)
		off = worse(off, fabs(naive_loud(s, at / TONES, turns[at % TONES]) - f->loud[at]));
	check_within("decibels", off, 0.02);
}

static double apart(const struct frames *one, const struct frames *other, int64_t i, int64_t j)
{
	double sum = 0;
	for (int k = 0; k < TONES; k++) {
		double by = (double)one->loud[i * TONES + k] - other->loud[j * TONES + k];
		sum += by * by;
	}
	return sqrt(sum);
}

/* Row by row, two of them at a time. */
static double naive_cost(const struct frames *one, const struct frames *other)
{
	int64_t n = other->n;
	double *row = host_new((size_t)(n + 1) * sizeof *row), last;
	for (int64_t j = 0; j <= n; j++)
		row[j] = j ? INFINITY : 0;
	for (int64_t i = 0; i < one->n; i++) {
		double corner = row[0];
		row[0] = INFINITY;
		for (int64_t j = 1; j <= n; j++) {
			double best = fmin(corner, fmin(row[j], row[j - 1]));
			corner = row[j];
			row[j] = best + apart(one, other, i, j - 1);
		}
	}
	last = row[n];
	free(row);
	return last;
}

/* The path goes from corner to corner, a frame at most at a time, and costs what the kernel
 * says. */
static void check_path(const struct frames *one, const struct frames *other,
		       const struct warping *w)
{
	const struct path *p = &w->path;
	double sum = 0;
	int64_t wrong = p->n == 0 || p->at[0].one || p->at[0].other
			|| p->at[p->n - 1].one != one->n - 1
			|| p->at[p->n - 1].other != other->n - 1;
	for (int64_t k = 0; k < p->n; k++) {
		sum += apart(one, other, p->at[k].one, p->at[k].other);
		int64_t by = k ? p->at[k].one - p->at[k - 1].one : 1,
			along = k ? p->at[k].other - p->at[k - 1].other : 1;
		wrong += by < 0 || by > 1 || along < 0 || along > 1 || by + along == 0;
	}
	double want = naive_cost(one, other), allowed = 1e-5 * (want + 1);
	check_within("cost", fabs(w->cost - want), allowed);
	check_within("cost of the path", fabs(sum - want), allowed);
	check_within("steps of the path", (double)wrong, 0);
}

/* ---- the picture: one recording along the left, the other along the bottom, the path between them
 * ---- */

enum { SIDE = 480, STRIP = 60, MARGIN = 12 };

/* As bars, upright along the bottom or lying along the left. */
static void draw_sound(FILE *out, const struct sound *s, bool upright)
{
	fprintf(out, "<path fill=\"none\" stroke=\"#36c\" d=\"");
	for (int at = 0; at < SIDE && s->length; at++) {
		float peak = 0;
		for (int64_t i = s->length * at / SIDE; i < s->length * (at + 1) / SIDE; i++)
			peak = fmaxf(peak, fabsf(channel(s, 0)[i]));
		double reach = peak * (STRIP / 2 - 2);
		if (upright)
			fprintf(out, "M%d %.1fv%.1f", MARGIN + STRIP + at,
				MARGIN + SIDE + STRIP / 2.0 - reach, 2 * reach);
		else
			fprintf(out, "M%.1f %dh%.1f", MARGIN + STRIP / 2.0 - reach,
				MARGIN + SIDE - at, 2 * reach);
	}
	fprintf(out, "\"/>\n");
}

static void draw(const struct sound *one, const struct sound *other, const struct frames *rows,
                 const struct frames *columns, const struct path *p, const char *file)
{
	const int size = SIDE + STRIP + 2 * MARGIN, left = MARGIN + STRIP, bottom = MARGIN + SIDE;
	FILE *out = fopen(file, "w");
	if (!out)
		fail(file, "cannot be written");
	fprintf(out, "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\">\n"
	        "<rect width=\"%d\" height=\"%d\" fill=\"white\"/>\n"
	        "<rect x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\" fill=\"none\" stroke=\"#ddd\"/>\n"
	        "<line x1=\"%d\" y1=\"%d\" x2=\"%d\" y2=\"%d\" stroke=\"#ddd\"/>\n", size, size, size, size, left, MARGIN,
	        SIDE, SIDE, left, bottom, left + SIDE, MARGIN);
	draw_sound(out, one, false);
	draw_sound(out, other, true);
	fprintf(out, "<polyline fill=\"none\" stroke=\"#c33\" stroke-width=\"1.5\" points=\"");
	for (int64_t k = 0; k < p->n; k++)
		fprintf(out, "%.1f,%.1f ",
			left + SIDE * ((double)p->at[k].other + 0.5) / (double)columns->n,
			bottom - SIDE * ((double)p->at[k].one + 0.5) / (double)rows->n);
	fprintf(out, "\"/>\n</svg>\n");
	if (ferror(out) | fclose(out))
		fail(file, "cannot be written");
	printf("%s written\n", file);
}

/* ---- figures ---- */

static void measure(void)
{
	int64_t side = 1;
	while (4 * side * side * 8 < large)
		side *= 2;
	struct frames f = { side, host_new((size_t)side * TONES * sizeof *f.loud) };
	for (int64_t at = 0; at < side * TONES; at++)
		f.loud[at] = (float)(at * 2654435761 % 1000) / 1000;
	struct device d = device_open(&f, &f);
	char what[80];
	snprintf(what, sizeof what, "%lld frames against %lld", (long long)side, (long long)side);
	/* distances written and read, a byte of the way back */
	print_rate(what, (double)side * (double)side, 2 * sizeof(float) + 1, best_time(run, &d));
	device_close(&d);
	free(f.loud);
}

/* ---- the command ---- */

static _Noreturn void usage(int status)
{
	fputs("usage: warp [--path=FILE] [--check] [--no-measure] [one.wav other.wav]\n"
	      "  --path=FILE    how the one becomes the other (path.svg)\n"
	      "  --check        compare with plain loops\n"
	      "  --no-measure   do not measure the kernel afterwards\n"
	      "The recordings are input.one.wav and input.other.wav if none are named.\n", status ? stderr : stdout);
	exit(status);
}

static void report(const struct sound *one, const struct sound *other, const struct warping *w)
{
	int64_t most = 0, at = 0;
	for (int64_t k = 0; k < w->path.n; k++) {
		int64_t by = FRAME * (w->path.at[k].other - w->path.at[k].one);
		if (llabs(by) > llabs(most)) {
			most = by;
			at = FRAME * w->path.at[k].one;
		}
	}
	printf("%s: %.2f s against %.2f s, %.2f decibels apart on the way; farthest from it %.2f s in: %.2f s %s\n",
	       platform, (double)one->length / one->rate, (double)other->length / other->rate,
	       w->path.n ? w->cost / sqrt(TONES) / (double)w->path.n : 0, (double)at / one->rate,
	       fabs((double)most / one->rate), most < 0 ? "early" : "late");
}

int main(int argc, char **argv)
{
	static const struct option options[] = {
		{ "path", required_argument, NULL, 'p' }, { "check", no_argument, NULL, 'c' },
		{ "no-measure", no_argument, NULL, 'q' }, { "help", no_argument, NULL, 'h' }, { 0 }
	};
	const char *path = "path.svg";
	bool checked = false, quiet = false;
	int option;
	while ((option = getopt_long(argc, argv, "", options, NULL)) != -1)
		switch (option) {
		case 'p': path = optarg; break;
		case 'c': checked = true; break;
		case 'q': quiet = true; break;
		case 'h': usage(0);
		default: usage(2);
		}
	if (argc - optind > 2)
		usage(2);

	struct sound one = sound_read(optind < argc ? argv[optind] : "input.one.wav");
	struct sound other = sound_read(optind + 1 < argc ? argv[optind + 1] : "input.other.wav");
	if (!one.length || !other.length)
		fail("the recordings", "are not both longer than nothing");
	if (one.rate != other.rate)
		fail("the recordings", "have not as many samples a second");
	struct frames rows = frames_of(&one), columns = frames_of(&other);
	struct warping w = warp_frames(&rows, &columns);
	report(&one, &other, &w);
	draw(&one, &other, &rows, &columns, &w.path, path);
	if (checked) {
		check_tones(&one, &rows);
		check_tones(&other, &columns);
		check_path(&rows, &columns, &w);
	}
	free(w.path.at);
	free(rows.loud);
	free(columns.loud);
	sound_free(&one);
	sound_free(&other);
	if (!quiet)
		measure();
	return 0;
}
