/* plot.c - see plot.h. */
#include <math.h>

#include "common.h"
#include "plot.h"

enum { WIDTH = 640, HEIGHT = 400, MARGIN = 50 };

struct scale { double top; int decades; int64_t most; };

static double down(const struct scale *s, double residual)
{
	double part = log10(s->top / fmax(residual, 1e-300)) / s->decades;
	return MARGIN + (HEIGHT - 2 * MARGIN) * fmin(fmax(part, 0), 1);
}

static void lines(FILE *out, const struct scale *s)
{
	for (int k = 0; k <= s->decades; k += s->decades > 8 ? 2 : 1) {
		double value = s->top * pow(10, -k), y = down(s, value);
		fprintf(out, "<line x1=\"%d\" x2=\"%d\" y1=\"%.1f\" y2=\"%.1f\" stroke=\"#ddd\"/>"
		        "<text x=\"%d\" y=\"%.1f\" text-anchor=\"end\">1e%d</text>\n", MARGIN, WIDTH - MARGIN, y, y,
		        MARGIN - 5, y + 4, (int)lround(log10(value)));
	}
}

static void curve(FILE *out, const struct scale *s, const struct fall *f, int number,
		  const char *unit)
{
	fprintf(out, "<polyline fill=\"none\" stroke=\"%s\" stroke-width=\"1.5\" points=\"",
		f->colour);
	for (int64_t i = 0; i < f->passes; i += 1 + s->most / (2 * WIDTH))
		fprintf(out, "%.1f,%.1f ",
			MARGIN + (double)((WIDTH - 2 * MARGIN) * (i + 1)) / (double)s->most,
			down(s, f->residual[i]));
	fprintf(out,
		"\"/>\n<text x=\"%d\" y=\"%d\" text-anchor=\"end\" fill=\"%s\">%s, %lld %s</text>\n",
		WIDTH - MARGIN, 20 + 16 * number, f->colour, f->name, (long long)f->passes, unit);
}

void plot_falls(const struct fall *f, int n, double top, double bottom, const char *unit,
		const char *path)
{
	FILE *out = fopen(path, "w");
	struct scale s = { .most = 1 };
	if (!out)
		fail(path, "cannot be written");
	s.top = pow(10, ceil(log10(top)));
	s.decades = (int)fmax(ceil(log10(s.top / bottom)), 1);
	for (int k = 0; k < n; k++)
		s.most = f[k].passes > s.most ? f[k].passes : s.most;
	fprintf(out,
		"<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" font-family=\"sans-serif\" "
		"font-size=\"12\">\n<rect width=\"%d\" height=\"%d\" fill=\"white\"/>\n",
		WIDTH, HEIGHT, WIDTH, HEIGHT);
	lines(out, &s);
	for (int k = 0; k < n; k++)
		curve(out, &s, &f[k], k, unit);
	fprintf(out,
		"<text x=\"%d\" y=\"%d\" text-anchor=\"middle\">%s, up to %lld</text>\n</svg>\n",
		WIDTH / 2, HEIGHT - 15, unit, (long long)s.most);
	if (ferror(out) | fclose(out))
		fail(path, "cannot be written");
	printf("%s written\n", path);
}
