/* main.c - draws pictures, stores them in a matrix whose weights it rounds to 4 bits, recalls them
 * from copies with many wrong pixels by patc's kernels, and measures the product beside f32. */
#include <getopt.h>
#include <math.h>

#include "common.h"
#include "quantised.h"

/* WORD, GROUP: weights of a word and of a group, as in quantised.pat */
enum { WORD = 8, GROUP = 32, PICTURES = 16, GAP = 4 };

struct device {                               /* where the kernels run */
	int64_t rows, pixels;
	uint32_t *word;
	uint16_t *scale;                      /* f16 */
	float *weight, *x, *y;
	void *workspace;
	size_t workspace_bytes;
};

/* ---- the kernels ---- */

static struct device device_open(int64_t rows, int64_t pixels)
{
	struct device d = { .rows = rows, .pixels = pixels };
	size_t cells = (size_t)(rows * pixels);
	d.word = device_new(cells / 2);
	d.scale = device_new(cells / GROUP * sizeof *d.scale);
	d.weight = device_new(cells * sizeof *d.weight);
	d.x = device_new((size_t)pixels * sizeof *d.x);
	d.y = device_new((size_t)rows * sizeof *d.y);
	size_t rounded = product_workspace(rows, pixels / GROUP);
	size_t f32 = product_f32_workspace(rows, pixels);
	d.workspace_bytes = rounded > f32 ? rounded : f32;
	d.workspace = device_new(d.workspace_bytes);
	return d;
}

static void device_close(struct device *d)
{
	void *const all[] = { d->word, d->scale, d->weight, d->x, d->y, d->workspace };
	for (size_t k = 0; k < sizeof all / sizeof *all; k++)
		device_free(all[k]);
}

static void run_product(void *state)
{
	struct device *d = state;
	must_succeed(product(d->rows, d->pixels / GROUP, d->word, d->scale, d->x, d->y,
			     d->workspace, d->workspace_bytes, NULL),
		     product_strerror, "product");
}

static void run_product_f32(void *state)
{
	struct device *d = state;
	must_succeed(product_f32(d->rows, d->pixels, d->weight, d->x, d->y, d->workspace,
				 d->workspace_bytes, NULL),
		     product_f32_strerror, "product_f32");
}

/* Rows are pixels. */
static void run_decide(struct device *d)
{
	must_succeed(decide(d->rows, d->y, d->x, d->workspace, d->workspace_bytes, NULL),
		     decide_strerror, "decide");
}

/* ---- the pictures ---- */

static const char *const name[PICTURES] = {
	"stripes", "rows", "slope", "backslope", "checks", "rings", "disc", "spokes",
	"cross", "frame", "spiral", "waves", "triangle", "heart", "diamonds", "letter"
};

static double least(double a, double b)
{
	return a < b ? a : b;
}

/* Above 0 where picture k is bright; u to the right and v down are from -1 to 1. */
static double light(int k, double u, double v)
{
	double r = hypot(u, v), turn = atan2(v, u);
	double x = 1.3 * u, y = -1.3 * v, q = x * x + y * y - 0.7;
	switch (k) {
	case 0: return sin(12 * u);
	case 1: return sin(12 * v);
	case 2: return sin(9 * (u + v));
	case 3: return sin(9 * (u - v));
	case 4: return sin(10 * u) * sin(10 * v);
	case 5: return sin(20 * r);
	case 6: return 0.7 - r;
	case 7: return sin(8 * turn);
	case 8: return 0.25 - least(fabs(u), fabs(v));
	case 9: return 0.25 - least(1 - fabs(u), 1 - fabs(v));
	case 10: return sin(2 * turn + 12 * r);
	case 11: return sin(9 * u + 3 * sin(6 * v));
	case 12: return least(0.45 * (v + 0.9) - fabs(u), 0.8 - v);
	case 13: return x * x * y * y * y - q * q * q;
	case 14: return sin(14 * (fabs(u) + fabs(v)));
	default: return least(0.8 - fabs(v), fmax(0.2 - fabs(fabs(u) - 0.5),
						  least(0.2 - fabs(v), 0.5 - fabs(u))));
	}
}

/* Where the middle of pixel i of n is. */
static double middle(int64_t i, int64_t n)
{
	return (2 * (double)i + 1) / (double)n - 1;
}

/* Pixels are 1 or -1: picture k begins at k * side * side. */
static float *pictures_draw(int64_t side)
{
	float *drawn = host_new((size_t)(PICTURES * side * side) * sizeof *drawn), *at = drawn;
	for (int k = 0; k < PICTURES; k++)
		for (int64_t i = 0; i < side; i++)
			for (int64_t j = 0; j < side; j++)
				*at++ = light(k, middle(j, side), middle(i, side)) > 0 ? 1 : -1;
	return drawn;
}

/* So many of a hundred pixels, drawn by chance, become their opposites. */
static float *pictures_spoil(const float *drawn, int64_t pixels, double percent)
{
	float *spoilt = host_new((size_t)(PICTURES * pixels) * sizeof *spoilt);
	uint64_t state = 1;
	for (int64_t at = 0; at < PICTURES * pixels; at++) {
		state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
		bool wrong = (double)(state >> 32) < percent / 100 * 0x1p32;
		spoilt[at] = wrong ? -drawn[at] : drawn[at];
	}
	return spoilt;
}

/* ---- the weights ---- */

/* Solves a x = b for many b at once, the rows of b becoming those of x; a is lost. */
static void solve(double a[PICTURES][PICTURES], float *b, int64_t columns)
{
	for (int k = 0; k < PICTURES; k++)
		for (int i = 0; i < PICTURES; i++) {
			double factor = a[i][k] / a[k][k];
			for (int j = k; i != k && j < PICTURES; j++)
				a[i][j] -= factor * a[k][j];
			for (int64_t j = 0; i != k && j < columns; j++)
				b[i * columns + j] -= (float)factor * b[k * columns + j];
		}
	for (int k = 0; k < PICTURES; k++)
		for (int64_t j = 0; j < columns; j++)
			b[k * columns + j] /= (float)a[k][k];
}

/* The projection onto what the pictures span, X' (X X')^-1 X (Personnaz and others 1986), without
 * what a pixel says of itself; times the number of pixels, since f16 has no small scales. */
static float *weights_make(const float *drawn, int64_t pixels)
{
	double gram[PICTURES][PICTURES];
	size_t bytes = (size_t)(PICTURES * pixels) * sizeof(float);
	float *dual = host_new(bytes);
	float *weight = host_new((size_t)(pixels * pixels) * sizeof *weight);
	memcpy(dual, drawn, bytes);
	for (int i = 0; i < PICTURES; i++)
		for (int j = 0; j < PICTURES; j++) {
			double sum = 0;
			for (int64_t at = 0; at < pixels; at++)
				sum += drawn[i * pixels + at] * drawn[j * pixels + at];
			gram[i][j] = sum / (double)pixels;
		}
	solve(gram, dual, pixels);
	for (int64_t i = 0; i < pixels; i++) {
		float *row = weight + i * pixels;
		memset(row, 0, (size_t)pixels * sizeof *row);
		for (int k = 0; k < PICTURES; k++)
			for (int64_t j = 0; j < pixels; j++)
				row[j] += dual[k * pixels + i] * drawn[k * pixels + j];
		row[i] = 0;
	}
	free(dual);
	return weight;
}

/* f16 of a number from 2^-14 to 65504, to the nearest; of a smaller one 0. */
static uint16_t narrow(float x)
{
	uint32_t bits;
	memcpy(&bits, &x, sizeof bits);
	bits += 0xfff + (bits >> 13 & 1) - (112u << 23);
	return x < 0x1p-14f ? 0 : (uint16_t)(bits >> 13);
}

static float wide(uint16_t half)
{
	uint32_t bits = half ? ((uint32_t)half << 13) + (112u << 23) : 0;
	float x;
	memcpy(&x, &bits, sizeof x);
	return x;
}

/* Group g of row i has the weights of the pixels g, g + groups, g + 2 groups ...; the greatest of
 * them becomes 7 or -7. */
static void quantise(const float *weight, int64_t pixels, uint32_t *word, uint16_t *scale)
{
	int64_t groups = pixels / GROUP;
	memset(word, 0, (size_t)(pixels * pixels / 2));
	for (int64_t i = 0; i < pixels; i++)
		for (int64_t g = 0; g < groups; g++) {
			const float *of = weight + i * pixels + g;
			float top = 0;
			for (int k = 0; k < GROUP; k++)
				top = fmaxf(top, fabsf(of[k * groups]));
			scale[i * groups + g] = narrow(top / 7);
			float unit = wide(scale[i * groups + g]);
			for (int k = 0; k < GROUP && unit > 0; k++) {
				uint32_t level = (uint32_t)lrintf(of[k * groups] / unit) & 15;
				word[(i * GROUP / WORD + k / WORD) * groups + g] |=
					level << 4 * (k % WORD);
			}
		}
}

/* A weight as the kernel sees it. */
static float rounded(const uint32_t *word, const uint16_t *scale, int64_t groups, int64_t i,
		     int64_t j)
{
	int64_t k = j / groups, g = j % groups;
	int level = word[(i * GROUP / WORD + k / WORD) * groups + g] >> 4 * (k % WORD) & 15;
	return (float)(level < 8 ? level : level - 16) * wide(scale[i * groups + g]);
}

/* ---- what is recalled ---- */

/* Pixels that are as they were drawn, of a hundred. */
static double right(const float *x, const float *drawn, int64_t n)
{
	int64_t same = 0;
	for (int64_t at = 0; at < n; at++)
		same += x[at] == drawn[at];
	return 100 * (double)same / (double)n;
}

static float *recall(struct device *d, void (*run)(void *), const float *spoilt, int steps)
{
	size_t bytes = (size_t)d->pixels * sizeof *spoilt;
	float *recalled = host_new(PICTURES * bytes);
	for (int64_t k = 0; k < PICTURES; k++) {
		to_device(d->x, spoilt + k * d->pixels, bytes);
		for (int step = 0; step < steps; step++) {
			run(d);
			run_decide(d);
		}
		to_host(recalled + k * d->pixels, d->x, bytes);
	}
	return recalled;
}

static void tell(const float *drawn, const float *spoilt, const float *of_words,
		 const float *of_f32, int64_t pixels)
{
	for (int64_t k = 0; k < PICTURES; k++) {
		int64_t at = k * pixels;
		printf("%-10s %5.1f %% right, recalled %5.1f %%, by f32 %5.1f %%\n", name[k],
		       right(spoilt + at, drawn + at, pixels),
		       right(of_words + at, drawn + at, pixels),
		       right(of_f32 + at, drawn + at, pixels));
	}
	printf("%s: %d pictures of %lld pixels: %.2f %% right, recalled %.2f %%, by f32 %.2f %%\n",
	       platform, PICTURES, (long long)pixels, right(spoilt, drawn, PICTURES * pixels),
	       right(of_words, drawn, PICTURES * pixels), right(of_f32, drawn, PICTURES * pixels));
	double cells = (double)(pixels * pixels), bytes = cells * (0.5 + 2.0 / GROUP);
	printf("the weights take %.3g MB, as f32 %.3g MB\n", bytes * 1e-6, cells * 4e-6);
}

/* Three rows: what was drawn, what was shown, what was recalled. */
static void draw(const float *const row[3], int64_t side, const char *path)
{
	struct picture p = picture_new(3 * (side + GAP) - GAP, PICTURES * (side + GAP) - GAP);
	memset(p.rgb, 160, (size_t)(3 * p.rows * p.columns));
	for (int64_t r = 0; r < 3; r++)
		for (int64_t at = 0; at < PICTURES * side * side; at++) {
			int64_t k = at / (side * side), i = at / side % side, j = at % side;
			memset(pixel(&p, r * (side + GAP) + i, k * (side + GAP) + j),
			       row[r][at] > 0 ? 255 : 30, 3);
		}
	picture_write(&p, path);
	picture_free(&p);
}

/* ---- the comparison with plain loops ---- */

/* Both products of a picture. A sum of n terms that are added in f32 in any order is off by n 2^-24
 * of their magnitudes at most; rounding moves a weight by half its scale at most. */
static void check(struct device *d, const float *weight, const uint32_t *word,
		  const uint16_t *scale, const float *x)
{
	int64_t n = d->pixels, groups = n / GROUP;
	to_device(d->x, x, (size_t)n * sizeof *x);
	run_product(d);
	float *y = floats_fetch(d->y, n);
	run_product_f32(d);
	float *y_f32 = floats_fetch(d->y, n);
	double off = 0, off_f32 = 0, lost = 0, lost_square = 0, size = 0;
	for (int64_t i = 0; i < n; i++) {
		double want = 0, want_f32 = 0, all = 0, all_f32 = 0, most = 0;
		for (int64_t g = 0; g < groups; g++)     /* scales are rounded, too: not 0.5 */
			most += GROUP * 0.501 * wide(scale[i * groups + g]);
		for (int64_t j = 0; j < n; j++) {
			double w = rounded(word, scale, groups, i, j), v = weight[i * n + j];
			want += w * x[j];
			want_f32 += v * x[j];
			all += fabs(w);
			all_f32 += fabs(v);
		}
		off = worse(off, fabs(y[i] - want) / (all + 1e-30));
		off_f32 = worse(off_f32, fabs(y_f32[i] - want_f32) / (all_f32 + 1e-30));
		lost = worse(lost, fabs(want - want_f32) / most);
		lost_square += (want - want_f32) * (want - want_f32);
		size += want_f32 * want_f32;
	}
	check_within("sums of weights of 4 bits, of their magnitudes", off, (double)n * 0x1p-24);
	check_within("sums of weights of f32, of their magnitudes", off_f32, (double)n * 0x1p-24);
	check_within("what rounding loses, of what it may lose", lost, 1);
	check_within("what rounding loses, of the sums, in squares", sqrt(lost_square / size), 0.1);
	free(y);
	free(y_f32);
}

/* ---- figures ---- */

/* The same rows again and again, until no cache holds their weights. */
static void measure(const float *weight, const uint32_t *word, const uint16_t *scale,
		    int64_t pixels)
{
	int64_t cells = pixels * pixels, times = large / cells + 1;
	struct device d = device_open(times * pixels, pixels);
	for (int64_t k = 0; k < times; k++) {
		to_device(d.word + k * cells / WORD, word, (size_t)cells / 2);
		to_device(d.scale + k * cells / GROUP, scale,
			  (size_t)cells / GROUP * sizeof *scale);
		to_device(d.weight + k * cells, weight, (size_t)cells * sizeof *weight);
	}
	to_device(d.x, weight, (size_t)pixels * sizeof *weight);
	double took = best_time(run_product, &d), took_f32 = best_time(run_product_f32, &d);
	print_rate("weights of 4 bits", (double)(times * cells), 0.5 + 2.0 / GROUP, took);
	print_rate("weights of f32", (double)(times * cells), 4, took_f32);
	printf("%s: %.3f ms beside %.3f ms: %.2f times as fast\n", platform, 1e3 * took,
	       1e3 * took_f32, took_f32 / took);
	device_close(&d);
}

/* ---- the command ---- */

static _Noreturn void usage(int status)
{
	fputs("usage: quantised [--side=N] [--wrong=PERCENT] [--steps=N] [--recalled=FILE]\n"
	      "                 [--check] [--no-measure]\n"
	      "  --side=N         rows and columns of a picture, a multiple of 8 (64)\n"
	      "  --wrong=PERCENT  of the pixels that are shown (40)\n"
	      "  --steps=N        products until a picture is recalled (4)\n"
	      "  --recalled=FILE  what was drawn, shown and recalled (recalled.png)\n"
	      "  --check          compare with plain loops\n"
	      "  --no-measure     do not measure the kernels afterwards\n",
	      status ? stderr : stdout);
	exit(status);
}

struct wishes { const char *recalled; int64_t side; double wrong; int steps; bool checked, quiet; };

static struct wishes wishes_read(int argc, char **argv)
{
	static const struct option options[] = {
		{ "side", required_argument, NULL, 's' }, { "wrong", required_argument, NULL, 'w' },
		{ "steps", required_argument, NULL, 'n' },
		{ "recalled", required_argument, NULL, 'r' },
		{ "check", no_argument, NULL, 'c' }, { "no-measure", no_argument, NULL, 'q' },
		{ "help", no_argument, NULL, 'h' }, { 0 }
	};
	struct wishes w = { "recalled.png", 64, 40, 4, false, false };
	int option;
	while ((option = getopt_long(argc, argv, "", options, NULL)) != -1)
		switch (option) {
		case 's': w.side = (int64_t)number("side", optarg, 16, 128); break;
		case 'w': w.wrong = number("wrong", optarg, 0, 100); break;
		case 'n': w.steps = (int)number("steps", optarg, 0, 100); break;
		case 'r': w.recalled = optarg; break;
		case 'c': w.checked = true; break;
		case 'q': w.quiet = true; break;
		case 'h': usage(0);
		default: usage(2);
		}
	if (optind < argc || w.side % 8)
		usage(2);
	return w;
}

int main(int argc, char **argv)
{
	const struct wishes w = wishes_read(argc, argv);
	int64_t pixels = w.side * w.side, cells = pixels * pixels;
	float *drawn = pictures_draw(w.side), *spoilt = pictures_spoil(drawn, pixels, w.wrong);
	float *weight = weights_make(drawn, pixels);
	uint32_t *word = host_new((size_t)cells / 2);
	uint16_t *scale = host_new((size_t)(cells / GROUP) * sizeof *scale);
	quantise(weight, pixels, word, scale);

	struct device d = device_open(pixels, pixels);
	to_device(d.word, word, (size_t)cells / 2);
	to_device(d.scale, scale, (size_t)(cells / GROUP) * sizeof *scale);
	to_device(d.weight, weight, (size_t)cells * sizeof *weight);
	float *of_words = recall(&d, run_product, spoilt, w.steps);
	float *of_f32 = recall(&d, run_product_f32, spoilt, w.steps);
	tell(drawn, spoilt, of_words, of_f32, pixels);
	draw((const float *const[]){ drawn, spoilt, of_words }, w.side, w.recalled);
	if (w.checked)
		check(&d, weight, word, scale, spoilt);
	device_close(&d);
	if (!w.quiet)
		measure(weight, word, scale, pixels);
	void *const all[] = { drawn, spoilt, weight, word, scale, of_words, of_f32 };
	for (size_t k = 0; k < sizeof all / sizeof *all; k++)
		free(all[k]);
	return 0;
}
