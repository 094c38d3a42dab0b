/* bench_show.c - the rows of patc bench as a table. */
#include "bench.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

enum { SHORT = 12 };

/* ---- numbers of a row; NAN: there is none ---- */

double row_number(const json_t *row, const char *key)
{
	const json_t *x = json_object_get(row, key);
	return json_is_number(x) ? json_number_value(x) : (double)NAN;
}

/* Bytes a second. */
static double rate(const json_t *row)
{
	return row_number(row, "bytes") / row_number(row, "seconds");
}

/* ---- as text; "-" for what there is not ---- */

const char *digits(double x)
{
	return str_print("%.*f", x < 9.995 ? 2 : x < 99.95 ? 1 : 0, x);
}

const char *time_text(double s)
{
	static const struct { double of; const char *name; } units[] = { { 1, "s" },
		                                                         { 1e-3, "ms" },
		                                                         { 1e-6, "us" },
		                                                         { 1e-9, "ns" } };
	int u = 0;
	while (u < 3 && s < 0.9995 * units[u].of)
		u++;
	return str_print("%s %s", digits(s / units[u].of), units[u].name);
}

static const char *share_text(double x)
{
	return isfinite(x) ? str_print("%.0f %%", 100 * x) : "-";
}

static const char *giga_text(double x)
{
	return isfinite(x) && x > 0 ? digits(x / 1e9) : "-";
}

/* ---- columns ---- */

const char *row_text(const json_t *row, const char *key)
{
	const char *text = json_string_value(json_object_get(row, key));
	return text ? text : "-";
}

/* Sizes, and the other values that are short enough for a table: all, if whole. */
static const char *sizes_text(const json_t *row, bool whole)
{
	const char *text = "", *name;
	json_t *of;
	json_object_foreach(json_object_get(row, "sizes"), name, of)
		text = str_print("%s%s%s=%" PRId64, text, *text ? " " : "", name,
		                 (int64_t)json_integer_value(of));
	json_object_foreach(json_object_get(row, "values"), name, of)
		if (json_is_string(of) && (whole || json_string_length(of) <= SHORT))
			text = str_print("%s%s%s=%s", text, *text ? " " : "", name,
			                 json_string_value(of));
	return *text ? text : "-";
}

const char *row_name(const json_t *row)
{
	return str_print("%s %s", row_text(row, "kernel"), sizes_text(row, false));
}

static const char *case_text(const json_t *row)
{
	return sizes_text(row, false);
}

static const char *kernel_text(const json_t *row)
{
	return row_text(row, "kernel");
}

static const char *median_text(const json_t *row)
{
	return time_text(row_number(row, "seconds"));
}

/* Times as fast as the first row of the same kernel and sizes, which has none. */
static const char *faster_text(const json_t *row)
{
	return isfinite(row_number(row, "faster")) ? digits(row_number(row, "faster")) : "-";
}

/* Half the distance between the quartiles. */
static const char *spread_text(const json_t *row)
{
	const double share = (row_number(row, "high") - row_number(row, "low"))
	                     / row_number(row, "seconds");
	return isfinite(share) ? str_print("%.1f %%", 50 * share) : "-";
}

/* What follows from the bytes, of which there may be more. */
static const char *moved_text(const json_t *row, const char *text)
{
	const bool least = json_is_false(json_object_get(row, "exact")) && *text != '-';
	return least ? str_print(">= %s", text) : text;
}

static const char *rate_text(const json_t *row)
{
	return moved_text(row, giga_text(rate(row)));
}

static const char *copy_text(const json_t *row)
{
	const double share = rate(row) / row_number(row, "copy");
	return moved_text(row, row_number(row, "bytes") > 0 ? share_text(share) : "-");
}

static const char *flops_text(const json_t *row)
{
	return giga_text(row_number(row, "flops") / row_number(row, "seconds"));
}

static const char *bound_text(const json_t *row)
{
	return share_text(row_number(row, "bound") / row_number(row, "seconds"));
}

static const char *target_text(const json_t *row)
{
	return row_text(row, "target");
}

static const char *schedule_text(const json_t *row)
{
	return row_text(row, "schedule");
}

static const char *function_text(const json_t *row)
{
	return row_text(row, "function");
}

/* When a column is shown: always; if a row has something in it; if two rows differ in it. */
enum shown { ALWAYS, FILLED, VARIES };
static const struct column {
	const char *head;
	const char *(*text)(const json_t *row);
	bool number;
	enum shown shown;
} columns[] = {
	{ "kernel", kernel_text, false, ALWAYS },    { "sizes", case_text, false, ALWAYS },
	{ "target", target_text, false, VARIES },    { "schedule", schedule_text, false, VARIES },
	{ "function", function_text, false, FILLED }, { "time", median_text, true, ALWAYS },
	{ "+-", spread_text, true, ALWAYS },         { "faster", faster_text, true, FILLED },
	{ "GB/s", rate_text, true, ALWAYS },         { "of copy", copy_text, true, ALWAYS },
	{ "Gflop/s", flops_text, true, FILLED },     { "of bound", bound_text, true, FILLED },
};
enum { COLUMNS = sizeof columns / sizeof *columns };

static bool is_shown(const struct column *c, const json_t *rows)
{
	bool filled = false, varies = false;
	const char *first = c->text(json_array_get(rows, 0));
	for (size_t i = 0; i < json_array_size(rows); i++) {
		const char *text = c->text(json_array_get(rows, i));
		filled = filled || strcmp(text, "-") != 0;
		varies = varies || strcmp(text, first) != 0;
	}
	return c->shown == ALWAYS || (c->shown == FILLED ? filled : varies);
}

static int width_of(const struct column *c, const json_t *rows)
{
	size_t width = strlen(c->head);
	for (size_t i = 0; i < json_array_size(rows); i++) {
		const size_t n = strlen(c->text(json_array_get(rows, i)));
		width = n > width ? n : width;
	}
	return (int)width;
}

/* row NULL: the heads */
static void print_row(const json_t *rows, const json_t *row)
{
	bool first = true;
	FILE *line = text_open();
	for (int k = 0; k < COLUMNS; k++) {
		const struct column *c = &columns[k];
		const int width = width_of(c, rows);
		if (!is_shown(c, rows))
			continue;
		fprintf(line, "%s%*s", first ? "" : "  ", c->number ? width : -width,
		        row ? c->text(row) : c->head);
		first = false;
	}
	puts(text_close(line));
}

static bool same_work(const json_t *a, const json_t *b)
{
	return !strcmp(row_text(a, "kernel"), row_text(b, "kernel"))
	       && !strcmp(sizes_text(a, true), sizes_text(b, true));
}

json_t *bench_grouped(const json_t *rows)
{
	json_t *to = json_array();
	for (size_t i = 0; i < json_array_size(rows); i++) {
		json_t *first = json_array_get(rows, i);
		bool new = true;
		for (size_t k = 0; k < i; k++)
			new = new && !same_work(json_array_get(rows, k), first);
		for (size_t k = i; new && k < json_array_size(rows); k++) {
			json_t *row = json_array_get(rows, k);
			if (!same_work(row, first))
				continue;
			if (k > i)
				json_object_set_new(row, "faster",
				                    json_real(row_number(first, "seconds")
				                              / row_number(row, "seconds")));
			json_array_append(to, row);
		}
	}
	return to;
}

void bench_table(const json_t *rows)
{
	print_row(rows, NULL);
	for (size_t i = 0; i < json_array_size(rows); i++)
		print_row(rows, json_array_get(rows, i));
}
