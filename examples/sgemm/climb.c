/* climb.c - see climb.h.  Both axes are powers of two. */
#include <math.h>

#include "climb.h"
#include "common.h"

enum { WIDTH = 640, HEIGHT = 400, MARGIN = 60 };
struct axis { double low, high; };                       /* logarithms */

static struct axis axis_of(const struct rung_figure *f, int n,
			   double (*value)(const struct rung_figure *))
{
	struct axis a = { 1e9, -1e9 };
	for (int k = 0; k < n; k++) {
		a.low = fmin(a.low, floor(log2(value(&f[k]))) - 1);
		a.high = fmax(a.high, ceil(log2(value(&f[k]))) + 1);
	}
	return a;
}

static double flops_a_byte(const struct rung_figure *f) { return f->flops_a_byte; }
static double gflops(const struct rung_figure *f) { return f->gflops; }

static double along(const struct axis *a, double value, double from, double to)
{
	return from + (to - from) * (log2(value) - a->low) / (a->high - a->low);
}

static void lines(FILE *out, const struct axis *x, const struct axis *y)
{
	for (double k = y->low; k <= y->high; k++)
		fprintf(out, "<text x=\"%d\" y=\"%.1f\" text-anchor=\"end\">%g</text>\n",
			MARGIN - 8, along(y, pow(2, k), HEIGHT - MARGIN, MARGIN) + 4, pow(2, k));
	for (double k = x->low; k <= x->high; k++)
		fprintf(out, "<text x=\"%.1f\" y=\"%d\" text-anchor=\"middle\">%g</text>\n",
			along(x, pow(2, k), MARGIN, WIDTH - MARGIN), HEIGHT - MARGIN + 18,
			pow(2, k));
	fprintf(out,
		"<path d=\"M%d,%d V%d H%d\" fill=\"none\" stroke=\"#888\"/>\n<text x=\"%d\" y=\"%d\" text-anchor=\"middle\">"
		"flops a byte</text>\n<text x=\"%d\" y=\"%d\">GFLOP/s</text>\n",
		MARGIN, MARGIN, HEIGHT - MARGIN, WIDTH - MARGIN, WIDTH / 2, HEIGHT - 20,
		MARGIN - 40, MARGIN - 20);
}

void climb_draw(const struct rung_figure *f, int n, const char *path)
{
	FILE *out = fopen(path, "w");
	if (!out)
		fail(path, "cannot be written");
	const struct axis x = axis_of(f, n, flops_a_byte), y = axis_of(f, n, gflops);
	fprintf(out,
		"<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" font-family=\"sans-serif\" "
		"font-size=\"12\">\n<rect width=\"%d\" height=\"%d\" fill=\"white\"/>\n",
		WIDTH, HEIGHT, WIDTH, HEIGHT);
	lines(out, &x, &y);
	for (int k = 0; k < n; k++) {
		double right = along(&x, f[k].flops_a_byte, MARGIN, WIDTH - MARGIN),
		       up = along(&y, f[k].gflops, HEIGHT - MARGIN, MARGIN);
		fprintf(out,
			"<circle cx=\"%.1f\" cy=\"%.1f\" r=\"4\" fill=\"#c33\"/>\n<text x=\"%.1f\" y=\"%.1f\">%s</text>\n",
			right, up, right + 8, up - 6, f[k].name);
	}
	fputs("</svg>\n", out);
	if (ferror(out) | fclose(out))
		fail(path, "cannot be written");
	printf("%s written\n", path);
}
