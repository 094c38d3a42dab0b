/* tune_show.c - what patc tune has found: the schedule, the table and rows of patc bench, and a
 * picture of how many times as fast each row is. */
#include "out.h"
#include "tune.h"

#include <math.h>
#include <string.h>

/* ---- the schedule ---- */

static void comment(const char *text, FILE *out)
{
	fputs("//", out);
	for (putc(' ', out); *text; text++)
		putc(*text == '\n' ? ' ' : *text, out);
	putc('\n', out);
}

static void comment_row(const json_t *before, const json_t *after, FILE *out)
{
	const double from = row_number(before, "seconds"), to = row_number(after, "seconds");
	comment(after ? str_print("    %s: %s, before %s, %s times as fast", row_name(before),
	                          time_text(to), time_text(from), digits(from / to))
	              : str_print("    %s: %s", row_name(before), time_text(from)),
	        out);
}

static void comment_kernel(const struct tuned *t, FILE *out)
{
	putc('\n', out);
	comment(!t->before ? str_print("%s: not measured", t->name)
	        : str_print("%s: texts compiled: %d%s", t->name, t->texts,
	                    t->after ? "" : ", none is faster"),
	        out);
	for (size_t i = 0; i < json_array_size(t->before); i++)
		comment_row(json_array_get(t->before, i), json_array_get(t->after, i), out);
}

/* The name of what measured, or "". */
static const char *device_of(const struct tuned_all *all)
{
	for (int k = 0; k < all->n; k++) {
		const json_t *row = json_array_get(all->at[k].before, 0);
		const char *name = json_string_value(json_object_get(row, "device"));
		if (name)
			return name;
	}
	return "";
}

static void schedule_print(const struct tuned_all *all, const struct pins *pins,
                           const struct options *o, FILE *out)
{
	struct pins others = { 0 };
	const char *device = device_of(all);
	const char *machine = all->n ? all->at[0].machine : machine_text(o);
	comment(str_print("Pins for %s, found by patc tune%s%s.", machine, *device ? " on " : "",
	                  device), out);
	for (int k = 0; k < all->n; k++) {
		comment_kernel(&all->at[k], out);
		pins_print(pins, all->at[k].name, out);
	}
	for (int i = 0; i < pins->n; i++) {
		bool other = true;
		for (int k = 0; k < all->n; k++)
			other = other && strcmp(pins->at[i].kernel, all->at[k].name) != 0;
		if (other)
			pins_set(&others, pins->at[i]);
	}
	if (others.n)
		putc('\n', out);
	pins_print(&others, NULL, out);
}

/* ---- rows ---- */

static void add_rows(json_t *to, const json_t *rows, const char *schedule)
{
	for (size_t i = 0; i < json_array_size(rows); i++) {
		json_t *row = json_deep_copy(json_array_get(rows, i));
		json_object_set_new(row, "schedule", schedule ? json_string(schedule)
		                                              : json_null());
		json_array_append_new(to, row);
	}
}

static json_t *rows_of(const struct tuned_all *all, const struct options *o)
{
	json_t *rows = json_array();
	for (int k = 0; k < all->n; k++) {
		add_rows(rows, all->at[k].before, o->schedule);
		add_rows(rows, all->at[k].after, o->output);
	}
	return bench_grouped(rows);
}

/* ---- the picture: a bar for each row ---- */

enum { LETTER = 8, BAR = 400, NUMBER = 60, LINE = 22, TOP = 44 };
struct bars { double most; int at, lines; };     /* at: where they begin, after the names */

static void bar_print(const struct bars *b, const char *name, double times, int line, FILE *out)
{
	const int y = TOP + LINE * line;
	const double length = BAR * times / b->most;
	fprintf(out, "<text class=\"end\" x=\"%d\" y=\"%d\">", b->at - LETTER, y + LINE - 8);
	svg_text(out, name);
	fprintf(out,
	        "</text>\n<rect class=\"%s\" x=\"%d\" y=\"%d\" width=\"%.1f\" height=\"%d\"/>"
	        "<text x=\"%.1f\" y=\"%d\">%s</text>\n",
	        times > 1 ? "c2" : "c0", b->at, y + 3, length, LINE - 6, b->at + length + 6,
	        y + LINE - 8, digits(times));
}

static double times_of(const struct tuned *t, size_t row)
{
	const double after = row_number(json_array_get(t->after, row), "seconds");
	const double before = row_number(json_array_get(t->before, row), "seconds");
	return isfinite(before / after) ? before / after : 1;
}

static struct bars bars_of(const struct tuned_all *all)
{
	struct bars b = { .most = 1 };
	for (int k = 0; k < all->n; k++)
		for (size_t i = 0; i < json_array_size(all->at[k].before); i++, b.lines++) {
			const json_t *row = json_array_get(all->at[k].before, i);
			const int length = LETTER * ((int)strlen(row_name(row)) + 2);
			b.most = fmax(b.most, times_of(&all->at[k], i));
			b.at = length > b.at ? length : b.at;
		}
	return b;
}

static void picture(const struct tuned_all *all, FILE *out)
{
	const struct bars b = bars_of(all);
	const int width = b.at + BAR + NUMBER, height = TOP + LINE * (b.lines + 1);
	int line = 0;
	fprintf(out,
	        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" width=\"%d\" "
	        "height=\"%d\">\n<title>patc tune</title>\n%s"
	        "<style>rect.c0 { fill: #0b62b0 } rect.c2 { fill: #1a7f37 }</style>\n"
	        "<text x=\"%d\" y=\"24\">times as fast as before</text>\n",
	        width, height, width, height, svg_style, b.at);
	for (int k = 0; k < all->n; k++)
		for (size_t i = 0; i < json_array_size(all->at[k].before); i++)
			bar_print(&b, row_name(json_array_get(all->at[k].before, i)),
			          times_of(&all->at[k], i), line++, out);
	fprintf(out, "<path class=\"grid\" d=\"M%.1f %dv%d\"/>\n</svg>\n", b.at + BAR / b.most,
	        TOP, LINE * b.lines);
}

/* ---- all files, or none ---- */

void tune_show(const struct tuned_all *all, const struct pins *pins, const struct options *o)
{
	struct output output[3] = { 0 };
	json_t *rows = rows_of(all, o);
	int n = 0;
	FILE *out = text_open();
	schedule_print(all, pins, o, out);
	output_close(&output[n++], o->output, out);
	if (json_array_size(rows) && strcmp(o->output, "-") != 0)
		bench_table(rows);
	if (o->json) {
		bench_json(rows, out = text_open());
		output_close(&output[n++], o->json, out);
	}
	if (o->svg) {
		picture(all, out = text_open());
		output_close(&output[n++], o->svg, out);
	}
	out_commit(output, n);
}
