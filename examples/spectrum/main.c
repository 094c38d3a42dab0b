/* main.c - reads a recording from a WAV file, lets patc's kernels find its tones frame by frame,
 * normalise and weigh them, draws both, and measures the kernels. */
#include <getopt.h>
#include <math.h>

#include "common.h"
#include "spectrum.h"
#include "wav.h"

/* as in spectrum.pat; tones are the driver's choice */
enum { FRAME = 40, REACH = 640, TONES = 128 };
/* hertz; tones an octave */
static const double TURN = 6.283185307179586, LOWEST = 60, OCTAVE = 24;

struct device {                               /* where the kernels run */
	int64_t frames, tones;
	float sharpness;
	float *x, *cosine, *sine, *loud, *normal, *weight;
	void *workspace;
	size_t workspace_bytes;
};

/* ---- the kernels ---- */

static size_t most(size_t a, size_t b)
{
	return a > b ? a : b;
}

static float *new_floats(int64_t n)
{
	return device_new((size_t)n * sizeof(float));
}

static struct device device_open(int64_t frames, int64_t tones, float sharpness)
{
	struct device d = { .frames = frames, .tones = tones, .sharpness = sharpness };
	d.x = new_floats(FRAME * frames + REACH);
	d.cosine = new_floats(tones * REACH);
	d.sine = new_floats(tones * REACH);
	d.loud = new_floats(frames * tones);
	d.normal = new_floats(frames * tones);
	d.weight = new_floats(frames * tones);
	d.workspace_bytes =
		most(transform_workspace(frames, tones),
		     most(normalise_workspace(frames, tones), weigh_workspace(frames, tones)));
	d.workspace = device_new(d.workspace_bytes);
	return d;
}

static void device_close(struct device *d)
{
	void *const all[] = {
		d->x, d->cosine, d->sine, d->loud, d->normal, d->weight, d->workspace
	};
	for (size_t k = 0; k < sizeof all / sizeof *all; k++)
		device_free(all[k]);
}

static void run_transform(void *state)
{
	struct device *d = state;
	must_succeed(transform(d->frames, d->tones, d->x, d->cosine, d->sine, d->loud, d->workspace,
			       d->workspace_bytes, NULL),
		     transform_strerror, "transform");
}

static void run_normalise(void *state)
{
	struct device *d = state;
	must_succeed(normalise(d->frames, d->tones, d->loud, d->normal, d->workspace,
			       d->workspace_bytes, NULL),
		     normalise_strerror, "normalise");
}

static void run_weigh(void *state)
{
	struct device *d = state;
	must_succeed(weigh(d->frames, d->tones, d->normal, d->sharpness, d->weight, d->workspace,
			   d->workspace_bytes, NULL),
		     weigh_strerror, "weigh");
}

/* ---- the recording ---- */

/* The waves of tone k, which begin and end softly; what the recording cannot hold is silent. */
static void tune(float *cosine, float *sine, int rate)
{
	for (int k = 0; k < TONES; k++)
		for (int t = 0; t < REACH; t++) {
			double turn = LOWEST * pow(2, k / OCTAVE) / rate,
			       window = 0.5 - 0.5 * cos(TURN * t / REACH);
			cosine[k * REACH + t] =
				turn < 0.5 ? (float)(window * cos(TURN * turn * t)) : 0;
			sine[k * REACH + t] =
				turn < 0.5 ? (float)(window * sin(TURN * turn * t)) : 0;
		}
}

/* Its first channel, with silence behind it. */
static void bring(struct device *d, const struct sound *s)
{
	int64_t length = FRAME * d->frames + REACH;
	float *x = host_new((size_t)length * sizeof *x),
	      *waves = host_new(2 * TONES * REACH * sizeof *waves);
	for (int64_t i = 0; i < length; i++)
		x[i] = i < s->length ? channel(s, 0)[i] : 0;
	tune(waves, waves + TONES * REACH, s->rate);
	to_device(d->x, x, (size_t)length * sizeof *x);
	to_device(d->cosine, waves, TONES * REACH * sizeof *waves);
	to_device(d->sine, waves + TONES * REACH, TONES * REACH * sizeof *waves);
	free(x);
	free(waves);
}

/* Time goes to the right, high tones are above; dark where x is `black` or more. */
static void draw(const struct device *d, const float *from, double white, double black,
		 const char *path)
{
	float *x = floats_fetch(from, d->frames * d->tones);
	struct picture p = picture_new(d->tones, d->frames);
	for (int64_t f = 0; f < d->frames; f++)
		for (int64_t k = 0; k < d->tones; k++) {
			double ink = (x[f * d->tones + k] - white) / (black - white);
			ink = ink < 0 ? 0 : ink > 1 ? 1 : ink;
			for (int c = 0; c < 3; c++)
				pixel(&p, d->tones - 1 - k, f)[c] =
					(uint8_t)(255 * (1 - ink * (c == 2 ? 0.7 : 1)));
		}
	picture_write(&p, path);
	picture_free(&p);
	free(x);
}

/* ---- the comparison with plain loops ---- */

static void naive_loud(const struct device *d, const float *x, const float *cosine,
		       const float *sine, int64_t f, double *loud)
{
	for (int64_t k = 0; k < d->tones; k++) {
		double real = 0, imaginary = 0;
		for (int64_t t = 0; t < REACH; t++) {
			real += (double)x[FRAME * f + t] * cosine[k * REACH + t];
			imaginary += (double)x[FRAME * f + t] * sine[k * REACH + t];
		}
		loud[k] = 10 * log10(real * real + imaginary * imaginary + 1e-4);
	}
}

static void naive_normal(int64_t n, const double *loud, double *normal)
{
	double mean = 0, variance = 0;
	for (int64_t k = 0; k < n; k++)
		mean += loud[k] / (double)n;
	for (int64_t k = 0; k < n; k++)
		variance += (loud[k] - mean) * (loud[k] - mean) / (double)n;
	for (int64_t k = 0; k < n; k++)
		normal[k] = (loud[k] - mean) / sqrt(variance + 1e-5);
}

static void naive_weight(int64_t n, const double *normal, double sharpness, double *weight)
{
	double total = 0;
	for (int64_t k = 0; k < n; k++)
		total += exp(sharpness * normal[k]);
	for (int64_t k = 0; k < n; k++)
		weight[k] = exp(sharpness * normal[k]) / total;
}

static double farthest(int64_t n, const float *got, const double *want)
{
	double off = 0;
	for (int64_t k = 0; k < n; k++)
		off = worse(off, fabs(got[k] - want[k]));
	return off;
}

static void check(const struct device *d)
{
	int64_t cells = d->frames * d->tones, waves = d->tones * REACH;
	float *x = floats_fetch(d->x, FRAME * d->frames + REACH),
	      *cosine = floats_fetch(d->cosine, waves), *sine = floats_fetch(d->sine, waves);
	float *loud = floats_fetch(d->loud, cells), *normal = floats_fetch(d->normal, cells),
	      *weight = floats_fetch(d->weight, cells);
	double want[TONES], before[TONES], off[3] = { 0 };
	for (int64_t f = 0; f < d->frames; f++) {
		int64_t at = f * d->tones;
		naive_loud(d, x, cosine, sine, f, want);
		off[0] = worse(off[0], farthest(d->tones, loud + at, want));
		naive_normal(d->tones, want, before);
		off[1] = worse(off[1], farthest(d->tones, normal + at, before));
		naive_weight(d->tones, before, d->sharpness, want);
		off[2] = worse(off[2], farthest(d->tones, weight + at, want));
	}
	check_within("decibels", off[0], 0.01);
	check_within("normalised", off[1], 0.005);
	check_within("weights", off[2], 0.005);
	void *const all[] = { x, cosine, sine, loud, normal, weight };
	for (size_t k = 0; k < sizeof all / sizeof *all; k++)
		free(all[k]);
}

/* ---- figures ---- */

/* Rows of one length, and of another one. */
static void measure(void)
{
	for (int64_t tones = 128; tones <= 8192; tones *= 64) {
		struct device d = device_open(large / 4 / tones, tones, 3);
		char what[64];
		double cells = (double)(d.frames * tones);
		snprintf(what, sizeof what, "layer-norm of %lld rows of %lld", (long long)d.frames,
			 (long long)tones);
		print_rate(what, cells, 8, best_time(run_normalise, &d));
		snprintf(what, sizeof what, "softmax of %lld rows of %lld", (long long)d.frames,
			 (long long)tones);
		print_rate(what, cells, 8, best_time(run_weigh, &d));
		device_close(&d);
	}
}

/* ---- the command ---- */

static _Noreturn void usage(int status)
{
	fputs("usage: spectrum [--sharpness=X] [--normal=FILE] [--weight=FILE] [--check] [--no-measure] [recording.wav]\n"
	      "  --sharpness=X  how much louder tones outweigh others (3)\n"
	      "  --normal=FILE  a picture of the tones, each frame normalised (normal.png)\n"
	      "  --weight=FILE  and of their weights (weight.png)\n"
	      "  --check        compare with plain loops\n"
	      "  --no-measure   do not measure the kernels afterwards\n"
	      "The recording is the first of warp if none is named.\n",
	      status ? stderr : stdout);
	exit(status);
}

int main(int argc, char **argv)
{
	static const struct option options[] = {
		{ "sharpness", required_argument, NULL, 's' }, { "normal", required_argument, NULL, 'n' },
		{ "weight", required_argument, NULL, 'w' }, { "check", no_argument, NULL, 'c' },
		{ "no-measure", no_argument, NULL, 'q' }, { "help", no_argument, NULL, 'h' }, { 0 }
	};
	const char *normal_path = "normal.png", *weight_path = "weight.png";
	double sharpness = 3;
	bool checked = false, quiet = false;
	int option;
	while ((option = getopt_long(argc, argv, "", options, NULL)) != -1)
		switch (option) {
		case 's': sharpness = number("--sharpness", optarg, 0, 100); break;
		case 'n': normal_path = optarg; break;
		case 'w': weight_path = optarg; break;
		case 'c': checked = true; break;
		case 'q': quiet = true; break;
		case 'h': usage(0);
		default: usage(2);
		}
	if (argc - optind > 1)
		usage(2);

	struct sound s = sound_read(optind < argc ? argv[optind] : "../warp/input.one.wav");
	struct device d = device_open((s.length + FRAME - 1) / FRAME, TONES, (float)sharpness);
	bring(&d, &s);
	run_transform(&d);
	run_normalise(&d);
	run_weigh(&d);
	printf("%s: %.2f seconds, %lld frames of %d tones\n", platform, (double)s.length / s.rate,
	       (long long)d.frames, TONES);
	draw(&d, d.normal, -1, 3, normal_path);
	draw(&d, d.weight, 0, 0.2, weight_path);
	if (checked)
		check(&d);
	device_close(&d);
	sound_free(&s);
	if (!quiet)
		measure();
	return 0;
}
