/* bench_svg.c - the rows of patc bench as a roofline (Williams, Waterman and Patterson, CACM 52(4),
 * 2009): operations a second over operations a byte, both axes logarithmic.
 *
 * The sloping roof of a target is the fastest copy that was measured beside its kernels, the flat
 * ones are what its plain cores compute at most.  A row is a point with a number, and the list
 * beside the plot names it; rows without operations or bytes have no place in it.  Colours are
 * those of the viewer's scheme, light or dark. */
#include "bench.h"

#include <math.h>
#include <string.h>

enum { LEFT = 70, TOP = 40, WIDTH = 480, HEIGHT = 340, LIST_AT = LEFT + WIDTH + 30, LINE = 18,
       ALL_WIDTH = LIST_AT + 330, COLOURS = 4 };

struct plot {
	double x[2], y[2];                       /* log10 of the ends of the axes */
	FILE *out;
};
struct roof { const char *target; double copy; const json_t *machine; };
struct roofs { struct roof *at; int n, room; };

/* ---- what is drawn ---- */

static double intensity(const json_t *row)
{
	return row_number(row, "flops") / row_number(row, "bytes");
}

static double speed(const json_t *row)
{
	return row_number(row, "flops") / row_number(row, "seconds");
}

static bool has_place(const json_t *row)
{
	const double x = intensity(row), y = speed(row);
	return isfinite(x) && isfinite(y) && x > 0 && y > 0;
}

static struct roofs roofs_of(const json_t *rows)
{
	struct roofs r = { 0 };
	for (size_t i = 0; i < json_array_size(rows); i++) {
		const json_t *row = json_array_get(rows, i);
		const char *target = row_text(row, "target");
		const double copy = row_number(row, "copy");
		int k = 0;
		while (k < r.n && strcmp(r.at[k].target, target))
			k++;
		if (k == r.n)
			list_add(&r, ((struct roof){ target, 0, json_object_get(row, "machine") }));
		r.at[k].copy = copy > r.at[k].copy ? copy : r.at[k].copy;
	}
	return r;
}

static int roof_number(const struct roofs *r, const json_t *row)
{
	int k = 0;
	while (k + 1 < r->n && strcmp(r->at[k].target, row_text(row, "target")))
		k++;
	return k;
}

/* ---- axes ---- */

static void widen(double axis[2], double x)
{
	if (!isfinite(x) || x <= 0)
		return;
	axis[0] = fmin(axis[0], log10(x));
	axis[1] = fmax(axis[1], log10(x));
}

/* Whole decades around all points and the roofs above them. */
static void axes_fit(struct plot *p, const json_t *rows, const struct roofs *roofs)
{
	p->x[0] = p->y[0] = INFINITY;
	p->x[1] = p->y[1] = -INFINITY;
	for (size_t i = 0; i < json_array_size(rows); i++) {
		const json_t *row = json_array_get(rows, i);
		const struct roof *r = &roofs->at[roof_number(roofs, row)];
		const double peak = row_number(r->machine, "f32");
		if (!has_place(row))
			continue;
		widen(p->x, intensity(row));
		widen(p->y, speed(row));
		widen(p->y, r->copy * intensity(row));
		widen(p->y, peak);
		widen(p->x, peak / r->copy);
	}
	for (int end = 0; end < 2; end++) {
		p->x[end] = isfinite(p->x[end]) ? p->x[end] : end - 1;
		p->y[end] = isfinite(p->y[end]) ? p->y[end] : end + 8;
	}
	p->x[0] = floor(p->x[0] - 0.1), p->x[1] = ceil(p->x[1] + 0.1);
	p->y[0] = floor(p->y[0] - 0.1), p->y[1] = ceil(p->y[1] + 0.1);
}

static double across(const struct plot *p, double log_x)
{
	return LEFT + WIDTH * (log_x - p->x[0]) / (p->x[1] - p->x[0]);
}

static double down(const struct plot *p, double log_y)
{
	return TOP + HEIGHT * (p->y[1] - log_y) / (p->y[1] - p->y[0]);
}

static void axes_print(const struct plot *p)
{
	for (double x = p->x[0]; x <= p->x[1]; x++)
		fprintf(p->out,
		        "<path class=\"grid\" d=\"M%.1f %dv%d\"/>"
		        "<text class=\"middle\" x=\"%.1f\" y=\"%d\">%g</text>\n",
		        across(p, x), TOP, HEIGHT, across(p, x), TOP + HEIGHT + LINE, pow(10, x));
	for (double y = p->y[0]; y <= p->y[1]; y++)
		fprintf(p->out,
		        "<path class=\"grid\" d=\"M%d %.1fh%d\"/>"
		        "<text class=\"end\" x=\"%d\" y=\"%.1f\">%g</text>\n",
		        LEFT, down(p, y), WIDTH, LEFT - 8, down(p, y) + 4, pow(10, y - 9));
	fprintf(p->out, "<text class=\"middle\" x=\"%d\" y=\"%d\">operations a byte</text>\n",
	        LEFT + WIDTH / 2, TOP + HEIGHT + 2 * LINE + 4);
	fprintf(p->out, "<text x=\"%d\" y=\"%d\">G operations a second</text>\n", LEFT, TOP - 12);
}

/* ---- roofs ---- */

/* From the left edge, or where it comes in below, to the flat roof or the edge above. */
static void slope_print(const struct plot *p, const struct roof *r, int colour, double peak)
{
	const double copy = log10(r->copy), top = isfinite(peak) ? log10(peak) : p->y[1];
	const double from = fmax(p->x[0], p->y[0] - copy), to = fmin(p->x[1], top - copy);
	if (r->copy <= 0 || to <= from)
		return;
	fprintf(p->out,
	        "<path class=\"roof c%d\" d=\"M%.1f %.1fL%.1f %.1f\"><title>%s: a copy, %.4g "
	        "GB/s</title></path>\n",
	        colour, across(p, from), down(p, from + copy), across(p, to), down(p, to + copy),
	        r->target, r->copy / 1e9);
}

static void flat_print(const struct plot *p, const struct roof *r, int colour, const char *type)
{
	const double peak = row_number(r->machine, type);
	if (!isfinite(peak) || r->copy <= 0)
		return;
	const double y = log10(peak), x = fmax(p->x[0], y - log10(r->copy));
	if (x >= p->x[1] || y > p->y[1] || y < p->y[0])
		return;
	fprintf(p->out,
	        "<path class=\"roof c%d\" d=\"M%.1f %.1fH%d\"/>"
	        "<text class=\"end\" x=\"%d\" y=\"%.1f\">%s, %s</text>\n",
	        colour, across(p, x), down(p, y), LEFT + WIDTH, LEFT + WIDTH - 4,
	        down(p, y) + (strcmp(type, "f32") ? LINE - 4 : -5),
	        row_text(r->machine, "name"), type);
}

static void roofs_print(const struct plot *p, const struct roofs *roofs)
{
	for (int k = 0; k < roofs->n; k++) {
		const struct roof *r = &roofs->at[k];
		slope_print(p, r, k % COLOURS, row_number(r->machine, "f32"));
		flat_print(p, r, k % COLOURS, "f32");
		flat_print(p, r, k % COLOURS, "f64");
	}
}

/* ---- points and their list ---- */

void svg_text(FILE *out, const char *text)
{
	for (; *text; text++)
		if (*text == '<' || *text == '&' || *text == '>')
			fprintf(out, "&#%d;", *text);
		else
			putc(*text, out);
}

static void list_line(const struct plot *p, int line, int colour, const char *text)
{
	fprintf(p->out,
	        "<circle class=\"c%d\" cx=\"%d\" cy=\"%d\" r=\"4\"/><text x=\"%d\" "
	        "y=\"%d\">",
	        colour, LIST_AT, TOP + LINE * line, LIST_AT + 12, TOP + LINE * line + 4);
	svg_text(p->out, text);
	fputs("</text>\n", p->out);
}

static void points_print(const struct plot *p, const json_t *rows, const struct roofs *roofs)
{
	int line = 0;
	for (int k = 0; k < roofs->n; k++)
		list_line(p, line++, k % COLOURS,
		          str_print("%s: a copy moves %.4g GB/s", roofs->at[k].target,
		                    roofs->at[k].copy / 1e9));
	for (size_t i = 0; i < json_array_size(rows); i++) {
		const json_t *row = json_array_get(rows, i);
		const int colour = roof_number(roofs, row) % COLOURS;
		const char *name = str_print("%d  %s%s", (int)i + 1, row_name(row),
		                             has_place(row) ? "" : " (no operations counted)");
		list_line(p, line++, colour, name);
		if (!has_place(row))
			continue;
		const double x = across(p, log10(intensity(row))),
			     y = down(p, log10(speed(row)));
		fprintf(p->out,
		        "<circle class=\"c%d\" cx=\"%.1f\" cy=\"%.1f\" r=\"4\"/>"
		        "<text x=\"%.1f\" y=\"%.1f\">%d</text>\n",
		        colour, x, y, x + 6, y - 5, (int)i + 1);
	}
}

const char svg_style[] =
	"<style>\n"
	"svg { background: #fff } text { font: 12px sans-serif; fill: #222 }\n"
	".end { text-anchor: end } .middle { text-anchor: middle }\n"
	".grid { stroke: #ddd; fill: none } .roof { fill: none; stroke-width: 2 }\n"
	".c0 { stroke: #0b62b0 } .c1 { stroke: #b0450b } .c2 { stroke: #1a7f37 } .c3 { stroke: "
	"#8250df }\n"
	"circle.c0 { fill: #0b62b0 } circle.c1 { fill: #b0450b } circle.c2 { fill: #1a7f37 } "
	"circle.c3 { fill: #8250df }\n"
	"@media (prefers-color-scheme: dark) {\n"
	"svg { background: #111 } text { fill: #ddd } .grid { stroke: #333 }\n"
	".c0 { stroke: #6cb6ff } .c1 { stroke: #ffa657 } .c2 { stroke: #7ee787 } .c3 { stroke: "
	"#d2a8ff }\n"
	"circle.c0 { fill: #6cb6ff } circle.c1 { fill: #ffa657 } circle.c2 { fill: #7ee787 } "
	"circle.c3 { fill: #d2a8ff }\n"
	"}\n</style>\n";

void bench_roofline(const json_t *rows, FILE *out)
{
	const struct roofs roofs = roofs_of(rows);
	struct plot p = { .out = out };
	const int lines = TOP + LINE * ((int)json_array_size(rows) + roofs.n + 1);
	const int below = TOP + HEIGHT + 3 * LINE, height = lines > below ? lines : below;
	axes_fit(&p, rows, &roofs);
	fprintf(out,
	        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" width=\"%d\" "
	        "height=\"%d\">\n<title>Roofline</title>\n%s",
	        ALL_WIDTH, height, ALL_WIDTH, height, svg_style);
	axes_print(&p);
	roofs_print(&p, &roofs);
	points_print(&p, rows, &roofs);
	fputs("</svg>\n", out);
}
