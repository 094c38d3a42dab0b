/* main.c - reads a text, foretells each letter from what is before it by patc's kernels, draws what
 * a head looks back at, and measures one kernel beside three. */
#include <ctype.h>
#include <getopt.h>
#include <math.h>

#include "attention.h"
#include "common.h"

/* WIDTH, LETTERS: as in attention.pat; head h looks at h + 1 letters */
enum { WIDTH = 64, LETTERS = 64, HEADS = 4 };

struct device {                               /* where the kernels run */
	int64_t places;
	float sharpness;
	uint16_t *q, *k, *v, *weight;         /* bf16 */
	float *o, *score;
	void *workspace;
	size_t workspace_bytes;
};

/* ---- the kernels ---- */

static size_t most(size_t a, size_t b)
{
	return a > b ? a : b;
}

static struct device device_open(int64_t places, float sharpness)
{
	struct device d = { .places = places, .sharpness = sharpness };
	size_t n = (size_t)places, half = sizeof *d.q, cell = sizeof *d.o;
	d.q = device_new(HEADS * n * WIDTH * half);
	d.k = device_new(HEADS * n * WIDTH * half);
	d.v = device_new(n * LETTERS * half);
	d.o = device_new(HEADS * n * LETTERS * cell);
	d.score = device_new(HEADS * n * n * cell);
	d.weight = device_new(HEADS * n * n * half);
	d.workspace_bytes = most(most(attend_workspace(HEADS, places), scores_workspace(HEADS, places)),
				 most(weigh_workspace(HEADS, places), mix_workspace(HEADS, places)));
	d.workspace = device_new(d.workspace_bytes);
	return d;
}

static void device_close(struct device *d)
{
	void *const all[] = { d->q, d->k, d->v, d->o, d->score, d->weight, d->workspace };
	for (size_t k = 0; k < sizeof all / sizeof *all; k++)
		device_free(all[k]);
}

static void run_attend(void *state)
{
	struct device *d = state;
	must_succeed(attend(HEADS, d->places, d->q, d->k, d->v, d->sharpness, d->o, d->workspace,
			    d->workspace_bytes, NULL),
		     attend_strerror, "attend");
}

static void run_apart(void *state)
{
	struct device *d = state;
	must_succeed(scores(HEADS, d->places, d->q, d->k, d->sharpness, d->score, d->workspace,
			    d->workspace_bytes, NULL),
		     scores_strerror, "scores");
	must_succeed(weigh(HEADS, d->places, d->score, d->weight, d->workspace, d->workspace_bytes,
			   NULL),
		     weigh_strerror, "weigh");
	must_succeed(mix(HEADS, d->places, d->weight, d->v, d->o, d->workspace, d->workspace_bytes,
			 NULL),
		     mix_strerror, "mix");
}

/* ---- the text ---- */

/* The number of a character in the alphabet; 0: it is not in it. */
static int letter(int c)
{
	static const char known[] = " \n.,;:()-'\"0123456789";
	const char *at = c ? strchr(known, c) : NULL;
	return isalpha(c) ? 1 + tolower(c) - 'a' : at ? 27 + (int)(at - known) : 0;
}

/* The first letters of the file, again and again if there are fewer. */
static int *text_read(const char *path, int64_t n)
{
	FILE *in = fopen(path, "r");
	int *text = host_new(((size_t)n + 1) * sizeof *text), c;
	int64_t length = 0;
	if (!in)
		fail(path, "cannot be read");
	while (length <= n && (c = getc(in)) != EOF)
		text[length++] = letter(c);
	fclose(in);
	if (!length)
		fail(path, "is empty");
	for (int64_t i = length; i <= n; i++)
		text[i] = text[i - length];
	return text;
}

/* Cell c of the vector of a letter so many places back: 1 or -1, by chance. */
static float sign(int back, int text, int c)
{
	uint32_t x = (uint32_t)(back * LETTERS + text) * WIDTH + (uint32_t)c + 1;
	for (int turn = 0; turn < 3; turn++) {
		x = (x ^ x >> 16) * 0x7feb352du;
		x = (x ^ x >> 15) * 0x846ca68bu;
	}
	return x & 1 ? 1 : -1;
}

/* bf16 is the upper half of an f32; what is stored here needs no more. */
static uint16_t narrow(float x)
{
	uint32_t bits;
	memcpy(&bits, &x, sizeof bits);
	return (uint16_t)(bits >> 16);
}

static float wide(uint16_t half)
{
	uint32_t bits = (uint32_t)half << 16;
	float x;
	memcpy(&x, &bits, sizeof x);
	return x;
}

/* The letters up to a place, as head h sees them. */
static void ending(const int *text, int64_t place, int64_t h, uint16_t *cell)
{
	for (int c = 0; c < WIDTH; c++) {
		float sum = 0;
		for (int back = 0; back <= h && back <= place; back++)
			sum += sign(back, text[place - back], c) / 8;
		cell[c] = narrow(sum);
	}
}

/* A place looks for others by the letters up to it, and is found by those before it. */
static void bring(struct device *d, const int *text)
{
	size_t n = (size_t)d->places, bytes = HEADS * n * WIDTH * sizeof(uint16_t);
	uint16_t *q = host_new(bytes), *k = host_new(bytes), *v = host_new(n * LETTERS * sizeof *v);
	for (int64_t h = 0; h < HEADS; h++)
		for (int64_t i = 0; i < d->places; i++) {
			ending(text, i, h, &q[(h * d->places + i) * WIDTH]);
			ending(text, i - 1, h, &k[(h * d->places + i) * WIDTH]);
		}
	for (int64_t i = 0; i < d->places; i++)
		for (int c = 0; c < LETTERS; c++)
			v[i * LETTERS + c] = narrow(text[i] == c);
	to_device(d->q, q, bytes);
	to_device(d->k, k, bytes);
	to_device(d->v, v, n * LETTERS * sizeof *v);
	free(q);
	free(k);
	free(v);
}

static float *fetch_wide(const uint16_t *from, int64_t n)
{
	uint16_t *half = host_new((size_t)n * sizeof *half);
	float *to = host_new((size_t)n * sizeof *to);
	to_host(half, from, (size_t)n * sizeof *half);
	for (int64_t i = 0; i < n; i++)
		to[i] = wide(half[i]);
	free(half);
	return to;
}

/* Letters that the last head, which looks at most of them, gives most weight. */
static int64_t foretold(const struct device *d, const int *text)
{
	float *o = floats_fetch(d->o, HEADS * d->places * LETTERS);
	int64_t right = 0;
	for (int64_t i = 0; i < d->places; i++) {
		const float *of = o + ((HEADS - 1) * d->places + i) * LETTERS;
		int best = 0;
		for (int c = 1; c < LETTERS; c++)
			best = of[c] > of[best] ? c : best;
		right += best == text[i + 1];
	}
	free(o);
	return right;
}

/* Places go down, what they look back at to the right; dark where a weight is a quarter or more. */
static void draw(const struct device *d, const char *path)
{
	int64_t n = d->places;
	float *weight = fetch_wide(d->weight, HEADS * n * n);
	struct picture p = picture_new(n, n);
	for (int64_t i = 0; i < n; i++)
		for (int64_t j = 0; j < n; j++) {
			double ink = 4 * weight[((HEADS - 1) * n + i) * n + j];
			ink = j > i ? 0.1 : ink > 1 ? 1 : ink;
			for (int c = 0; c < 3; c++)
				pixel(&p, i, j)[c] = (uint8_t)(255 * (1 - ink * (c == 2 ? 0.6 : 1)));
		}
	picture_write(&p, path);
	picture_free(&p);
	free(weight);
}

/* ---- the comparison with plain loops ---- */

static void naive_place(const float *q, const float *k, const float *v, int64_t i, double sharpness,
			double *o)
{
	double total = 0;
	for (int c = 0; c < LETTERS; c++)
		o[c] = 0;
	for (int64_t j = 0; j <= i; j++) {
		double score = 0;
		for (int c = 0; c < WIDTH; c++)
			score += (double)q[i * WIDTH + c] * k[j * WIDTH + c];
		double weight = exp(sharpness * (score - HEADS));       /* no score is more */
		total += weight;
		for (int c = 0; c < LETTERS; c++)
			o[c] += weight * v[j * LETTERS + c];
	}
	for (int c = 0; c < LETTERS; c++)
		o[c] /= total;
}

static void check(const struct device *d, const char *what)
{
	int64_t n = d->places;
	float *q = fetch_wide(d->q, HEADS * n * WIDTH), *k = fetch_wide(d->k, HEADS * n * WIDTH);
	float *v = fetch_wide(d->v, n * LETTERS), *o = floats_fetch(d->o, HEADS * n * LETTERS);
	double want[LETTERS], off = 0;
	for (int64_t h = 0; h < HEADS; h++)
		for (int64_t i = 0; i < n; i++) {
			naive_place(q + h * n * WIDTH, k + h * n * WIDTH, v, i, d->sharpness, want);
			for (int c = 0; c < LETTERS; c++)
				off = worse(off, fabs(o[(h * n + i) * LETTERS + c] - want[c]));
		}
	check_within(what, off, 1.0 / 256);     /* a place of bf16 */
	free(q);
	free(k);
	free(v);
	free(o);
}

/* ---- figures ---- */

static void measure(const char *path, float sharpness)
{
	enum { PLACES = 4096 };
	struct device d = device_open(PLACES, sharpness);
	int *text = text_read(path, PLACES);
	bring(&d, text);
	double once = best_time(run_attend, &d), apart = best_time(run_apart, &d);
	printf("%d heads, %d places: %.3f ms as one kernel, %.3f ms as three\n", HEADS, PLACES,
	       1e3 * once, 1e3 * apart);
	free(text);
	device_close(&d);
}

/* ---- the command ---- */

static _Noreturn void usage(int status)
{
	fputs("usage: attention [--places=N] [--sharpness=X] [--map=FILE] [--check] [--no-measure] [text]\n"
	      "  --places=N     letters of the text (400)\n"
	      "  --sharpness=X  how much places that end alike outweigh others (6)\n"
	      "  --map=FILE     a picture of what each place looks back at (map.png)\n"
	      "  --check        compare with plain loops\n"
	      "  --no-measure   do not measure the kernels afterwards\n"
	      "The text is that of suffix_array if none is named.\n",
	      status ? stderr : stdout);
	exit(status);
}

struct wishes { const char *map; int64_t places; float sharpness; bool checked, quiet; };

static struct wishes wishes_read(int argc, char **argv)
{
	static const struct option options[] = {
		{ "places", required_argument, NULL, 'p' }, { "sharpness", required_argument, NULL, 's' },
		{ "map", required_argument, NULL, 'm' }, { "check", no_argument, NULL, 'c' },
		{ "no-measure", no_argument, NULL, 'q' }, { "help", no_argument, NULL, 'h' }, { 0 }
	};
	struct wishes w = { "map.png", 400, 6, false, false };
	int option;
	while ((option = getopt_long(argc, argv, "", options, NULL)) != -1)
		switch (option) {
		case 'p': w.places = (int64_t)number("--places", optarg, 1, 4096); break;
		case 's': w.sharpness = (float)number("--sharpness", optarg, 0, 100); break;
		case 'm': w.map = optarg; break;
		case 'c': w.checked = true; break;
		case 'q': w.quiet = true; break;
		case 'h': usage(0);
		default: usage(2);
		}
	if (argc - optind > 1)
		usage(2);
	return w;
}

int main(int argc, char **argv)
{
	const struct wishes w = wishes_read(argc, argv);
	const char *path = optind < argc ? argv[optind] : "../suffix_array/constitution.txt";
	struct device d = device_open(w.places, w.sharpness);
	int *text = text_read(path, w.places);
	bring(&d, text);
	run_apart(&d);
	if (w.checked)
		check(&d, "three kernels");
	run_attend(&d);
	if (w.checked)
		check(&d, "one kernel");
	printf("%s: %lld of %lld letters foretold\n", platform, (long long)foretold(&d, text),
	       (long long)w.places);
	draw(&d, w.map);
	free(text);
	device_close(&d);
	if (!w.quiet)
		measure(path, w.sharpness);
	return 0;
}
