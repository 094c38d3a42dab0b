/* show.c - values and arrays as text.
 *
 * A value is written as a program would write it, in the fewest digits that read back to the same
 * bits.  An array of at most SMALL cells is a setting, `y = [[1, 2], [3, 4]]`, which a test or the
 * command line takes as it stands; a larger one is its type and shape, the extremes and the mean of
 * what is a number, and its first and last cells. */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "eval_value.h"
#include "show.h"

enum { SMALL = 64, ENDS = 4, WIDE = 90 };

/* ---- one value ---- */

static char *float_text(const struct type *t, const void *at)
{
	char text[40], again[sizeof(double)];
	double f = num_load(t, at).f;
	if (isnan(f))
		return str_print("nan");
	if (f == trunc(f) && fabs(f) < 1e7)             /* 100, not 1e+02 */
		return str_print("%.0f", f);
	for (int digits = 1; digits <= 17; digits++) {
		snprintf(text, sizeof text, "%.*g", digits, f);
		num_store(t, again, (struct num){ .f = strtod(text, NULL) });
		if (!memcmp(again, at, (size_t)type_size(t)))
			break;
	}
	return str_print("%s", text);
}

static void put_struct(const struct record *r, const char *at, FILE *out)
{
	fprintf(out, "%s(", r->name);
	for (int i = 0; i < r->field.n; i++)
		fprintf(out, "%s%s", i ? ", " : "",
		        show_value(r->field.at[i].type, at + r->field.at[i].offset));
	putc(')', out);
}

/* Nested lists, one an axis. */
static const char *put_list(const struct type *elem, int rank, const int64_t *extent,
                            const char *at, FILE *out)
{
	if (rank == 0) {
		fputs(show_value(elem, at), out);
		return at + type_size(elem);
	}
	putc('[', out);
	for (int64_t i = 0; i < extent[0]; i++) {
		fputs(i ? ", " : "", out);
		at = put_list(elem, rank - 1, extent + 1, at, out);
	}
	putc(']', out);
	return at;
}

char *show_value(const struct type *t, const void *at)
{
	FILE *out;
	switch (type_class(t)) {
	case 'F': return float_text(t, at);
	case 'B': return str_print("%s", num_load(t, at).i ? "true" : "false");
	case 'I': return str_print("%" PRId64, num_load(t, at).i);
	case 'U': return str_print("%" PRIu64, (uint64_t)num_load(t, at).i);
	}
	out = text_open();
	if (t->kind == T_STRUCT)
		put_struct(t->record, at, out);
	else
		put_list(t->elem, t->rank, t->extent, at, out);
	return text_close(out);
}

char *show_place(const struct bound *b, int64_t cell)
{
	const char *text = "";
	for (int k = b->var->rank - 1; k >= 0; k--) {
		text = str_print("%" PRId64 "%s%s", cell % b->extent[k], *text ? ", " : "", text);
		cell /= b->extent[k];
	}
	return str_print(*text ? "%s[%s]" : "%s", b->var->name, text);
}

/* ---- arrays ---- */

static const void *cell_at(const struct bound *b, int64_t i)
{
	return (const char *)b->data + i * type_size(b->var->type);
}

/* Rows on lines of their own, lines of at most WIDE columns. */
static int64_t put_cells(const struct bound *b, int axis, int indent, int64_t cell, int *column,
	FILE *out)
{
	if (axis == b->var->rank) {
		const char *text = show_value(b->var->type, cell_at(b, cell));
		*column += fprintf(out, "%s", text);
		return cell + 1;
	}
	*column += fprintf(out, "[");
	for (int64_t i = 0; i < b->extent[axis]; i++) {
		bool breaks = i && (axis + 1 < b->var->rank || *column > WIDE);
		if (breaks)
			*column = fprintf(out, ",\n%*s", indent + axis + 1, "") - 2;
		else if (i)
			*column += fprintf(out, ", ");
		cell = put_cells(b, axis + 1, indent, cell, column, out);
	}
	*column += fprintf(out, "]");
	return cell;
}

static void put_small(const struct bound *b, FILE *out)
{
	int indent = fprintf(out, "%s = ", b->var->name), column = indent;
	put_cells(b, 0, indent, 0, &column, out);
}

static void put_shape(const struct bound *b, FILE *out)
{
	fprintf(out, "%s: %s[", b->var->name, type_name(b->var->type));
	for (int k = 0; k < b->var->rank; k++)
		fprintf(out, "%s%" PRId64, k ? ", " : "", b->extent[k]);
	putc(']', out);
}

static double as_double(const struct type *t, struct num v)
{
	return type_class(t) == 'F'   ? v.f
	       : type_class(t) == 'U' ? (double)(uint64_t)v.i
	                              : (double)v.i;
}

static bool is_less(const struct type *t, struct num a, struct num b)
{
	return type_class(t) == 'F' ? a.f < b.f
		: type_class(t) == 'U' ? (uint64_t)a.i < (uint64_t)b.i : a.i < b.i;
}

/* Of bool, how many are true: the mean says it. */
static void put_numbers(const struct bound *b, FILE *out)
{
	const struct type *t = b->var->type;
	int64_t least = -1, most = -1, n = 0;
	long double sum = 0;
	for (int64_t i = 0; i < b->cells; i++) {
		struct num v = num_load(t, cell_at(b, i));
		if (isnan(v.f))
			continue;
		least = n == 0 || is_less(t, v, num_load(t, cell_at(b, least))) ? i : least;
		most = n == 0 || is_less(t, num_load(t, cell_at(b, most)), v) ? i : most;
		sum += as_double(t, v);
		n++;
	}
	if (n > 0)
		fprintf(out, "  min %s  max %s  mean %g", show_value(t, cell_at(b, least)),
			show_value(t, cell_at(b, most)), (double)(sum / n));
	if (n < b->cells)
		fprintf(out, "  %" PRId64 " nan", b->cells - n);
}

static void put_ends(const struct bound *b, FILE *out)
{
	fputs("\n  ", out);
	for (int64_t i = 0; i < ENDS; i++)
		fprintf(out, "%s, ", show_value(b->var->type, cell_at(b, i)));
	fputs("...", out);
	for (int64_t i = b->cells - ENDS; i < b->cells; i++)
		fprintf(out, ", %s", show_value(b->var->type, cell_at(b, i)));
}

/* Cells for which the program leaves more than one value open. */
static void put_open(const struct bound *b, FILE *out)
{
	int64_t open = 0;
	for (int64_t i = 0; i < b->cells; i++)
		open += isinf(b->error[i]);
	if (open)
		fprintf(out, "  // %" PRId64 " open: rounding or an extern fn decides", open);
}

void show_param(const struct bound *b, FILE *out)
{
	if (b->cells == 0) {
		put_shape(b, out);
	} else if (b->cells <= SMALL) {
		put_small(b, out);
	} else {
		put_shape(b, out);
		if (type_class(b->var->type) != 'S')
			put_numbers(b, out);
		put_ends(b, out);
	}
	put_open(b, out);
	putc('\n', out);
}
