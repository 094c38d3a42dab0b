/* main.c - reads a recording from a WAV file, takes the hum and the hiss out of it with patc's
 * kernel, writes it, draws how loud it is, and measures the kernel.
 *
 * The two filters are Butterworth's of second order, a high pass and a low pass, their coefficients
 * by the bilinear transform. */
#include <getopt.h>
#include <math.h>

#include "common.h"
#include "filter.h"
#include "wav.h"

static const float FALL = 20;                 /* decibels a second that the needle sinks by */

struct device {                               /* a channel where the kernel runs */
	int64_t length;
	float fall;                           /* a sample */
	float *x, *section, *y, *level;
	void *workspace;
	size_t workspace_bytes;
};

/* ---- the filters ---- */

/* b0, b1, b2, a1, a2 */
static void butterworth(bool high, double cut, double rate, float *section)
{
	double k = tan(acos(-1) * cut / rate), norm = 1 / (1 + sqrt(2) * k + k * k),
	       gain = high ? norm : k * k * norm;
	section[0] = section[2] = (float)gain;
	section[1] = (float)(high ? -2 * gain : 2 * gain);
	section[3] = (float)(2 * (k * k - 1) * norm);
	section[4] = (float)((1 - sqrt(2) * k + k * k) * norm);
}

/* ---- the kernel ---- */

static struct device device_open(int64_t length, int rate, const float *section)
{
	size_t bytes = (size_t)length * sizeof(float);
	struct device d = { .length = length,
			    .fall = FALL / (float)rate,
			    .workspace_bytes = filter_workspace(length) };
	d.x = device_new(bytes);
	d.y = device_new(bytes);
	d.level = device_new(bytes);
	d.section = device_new(10 * sizeof(float));
	d.workspace = device_new(d.workspace_bytes);
	to_device(d.section, section, 10 * sizeof(float));
	return d;
}

static void device_close(struct device *d)
{
	device_free(d->x);
	device_free(d->y);
	device_free(d->level);
	device_free(d->section);
	device_free(d->workspace);
}

static void run(void *state)
{
	struct device *d = state;
	must_succeed(filter(d->length, d->x, d->section, d->fall, d->y, d->level, d->workspace,
			    d->workspace_bytes, NULL),
		     filter_strerror, "filter");
}

/* ---- the comparison with a plain loop ---- */

static void naive_section(int64_t n, const double *x, const float *c, double *y)
{
	for (int64_t i = 0; i < n; i++)
		y[i] = c[0] * x[i] + (i >= 1 ? c[1] * x[i - 1] - c[3] * y[i - 1] : 0)
		     + (i >= 2 ? c[2] * x[i - 2] - c[4] * y[i - 2] : 0);
}

static void check(int64_t n, const float *x, const float *y, const float *level,
		  const float *section, float fall)
{
	double *u = host_new((size_t)n * sizeof *u), *want = host_new((size_t)n * sizeof *want);
	double off = 0, off_level = 0, needle = -INFINITY;
	for (int64_t i = 0; i < n; i++)
		want[i] = x[i];
	naive_section(n, want, section, u);
	naive_section(n, u, section + 5, want);
	for (int64_t i = 0; i < n; i++) {
		double loud = 20 * log10(fmax(fabs(y[i]), 1e-5));
		needle = fmax(needle - fall, loud);
		off = worse(off, fabs(y[i] - want[i]));
		off_level = worse(off_level, fabs(level[i] - needle));
	}
	check_within("sound", off, 1e-5);
	check_within("level", off_level, 0.01);
	free(u);
	free(want);
}

/* ---- the picture: time to the right, a channel below the other; bars of the sound, a line of the
 * level ---- */

enum { WIDTH = 800, HEIGHT = 160 };

static void draw(struct picture *p, int top, int64_t n, const float *y, const float *level)
{
	for (int column = 0; column < WIDTH && n; column++) {
		int64_t lo = n * column / WIDTH, hi = n * (column + 1) / WIDTH;
		float peak = 0, needle = -100;
		for (int64_t i = lo; i < hi; i++) {
			peak = fmaxf(peak, fabsf(y[i]));
			needle = fmaxf(needle, level[i]);
		}
		int reach = (int)(fminf(peak, 1) * (HEIGHT / 2 - 1));
		for (int row = HEIGHT / 2 - reach; row <= HEIGHT / 2 + reach; row++)
			memcpy(pixel(p, top + row, column), (uint8_t[]){ 40, 90, 160 }, 3);
		int line = (int)(fminf(fmaxf(-needle / 60, 0), 1) * (HEIGHT - 1));
		memcpy(pixel(p, top + line, column), (uint8_t[]){ 200, 40, 30 }, 3);
	}
}

/* ---- figures ---- */

static void measure(int rate, const float *section)
{
	int64_t n = large / (int64_t)sizeof(float);
	struct device d = device_open(n, rate, section);
	float *x = host_new((size_t)n * sizeof *x);
	for (int64_t i = 0; i < n; i++)
		x[i] = (float)(i * 2654435761 % 1000) / 1000 - 0.5f;
	to_device(d.x, x, (size_t)n * sizeof *x);
	free(x);
	char what[96];
	snprintf(what, sizeof what, "two filters and a meter, %lld samples", (long long)n);
	/* each of the three reads one array and writes one */
	print_rate(what, (double)n, 6 * sizeof(float), best_time(run, &d));
	device_close(&d);
}

/* ---- the command ---- */

static _Noreturn void usage(int status)
{
	fputs("usage: filter [--low=HZ] [--high=HZ] [--sound=FILE] [--level=FILE] [--check] [--no-measure] [input.wav]\n"
	      "  --low=HZ       what is deeper goes away (120)\n"
	      "  --high=HZ      what is higher goes away (3000)\n"
	      "  --sound=FILE   the filtered recording (filtered.wav)\n"
	      "  --level=FILE   a picture of it and of its loudness (level.png)\n"
	      "  --check        compare with plain loops\n"
	      "  --no-measure   do not measure the kernel afterwards\n",
	      status ? stderr : stdout);
	exit(status);
}

int main(int argc, char **argv)
{
	static const struct option options[] = {
		{ "low", required_argument, NULL, 'l' }, { "high", required_argument, NULL, 'h' },
		{ "sound", required_argument, NULL, 's' }, { "level", required_argument, NULL, 'p' },
		{ "check", no_argument, NULL, 'c' }, { "no-measure", no_argument, NULL, 'q' },
		{ "help", no_argument, NULL, '?' + 256 }, { 0 }
	};
	const char *sound_path = "filtered.wav", *level_path = "level.png";
	double low = 120, high = 3000;
	bool checked = false, quiet = false;
	int option, which = 0;
	while ((option = getopt_long(argc, argv, "", options, &which)) != -1)
		switch (option) {
		case 'l': low = number(options[which].name, optarg, 1, 100000); break;
		case 'h': high = number(options[which].name, optarg, 1, 100000); break;
		case 's': sound_path = optarg; break;
		case 'p': level_path = optarg; break;
		case 'c': checked = true; break;
		case 'q': quiet = true; break;
		case '?' + 256: usage(0);
		default: usage(2);
		}
	if (argc - optind > 1)
		usage(2);

	struct sound in = sound_read(optind < argc ? argv[optind] : "input.wav");
	if (2 * low >= in.rate || 2 * high >= in.rate)
		fail("--low, --high", "half the rate of the recording is the highest tone in it");
	float section[10];
	butterworth(true, low, in.rate, section);
	butterworth(false, high, in.rate, section + 5);
	struct device d = device_open(in.length, in.rate, section);
	struct sound out = sound_new(in.length, in.channels, in.rate);
	struct picture p = picture_new(HEIGHT * in.channels, WIDTH);
	memset(p.rgb, 255, (size_t)(3 * p.rows * p.columns));
	float *level = host_new((size_t)in.length * sizeof *level);
	for (int c = 0; c < in.channels; c++) {
		size_t bytes = (size_t)in.length * sizeof(float);
		to_device(d.x, channel(&in, c), bytes);
		run(&d);
		to_host(channel(&out, c), d.y, bytes);
		to_host(level, d.level, bytes);
		draw(&p, c * HEIGHT, in.length, channel(&out, c), level);
		if (checked)
			check(in.length, channel(&in, c), channel(&out, c), level, section, d.fall);
	}
	printf("%s: %lld samples, %d channels, %d a second\n", platform, (long long)in.length,
	       in.channels, in.rate);
	sound_write(&out, sound_path);
	picture_write(&p, level_path);
	free(level);
	picture_free(&p);
	device_close(&d);
	sound_free(&in);
	sound_free(&out);
	if (!quiet)
		measure(16000, section);
	return 0;
}
