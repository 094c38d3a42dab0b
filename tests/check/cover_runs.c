/* cover_runs.c - kernels that run along an axis, order or move cells, or multiply: scans,
 * recurrences, wavefronts, sorts, transposes, products. */
#include <stdlib.h>
#include <string.h>
#include "cover.h"

/* ---- scan ---- */

static int runs(const union row *r)
{
	return (r->type + r->variant) % (r->rank + 1);
}

/* What cuts sequences, as parameters; variants say which they use. */
static void cuts(const union row *r)
{
	const char *n = size_name(r, runs(r));
	p(", off: i32[s], head: u8[%s], key: %s[%s], c: i32) {\n", n, T(r), n);
}

static char *running(const union row *r, const char *fold, const char *term)
{
	return s("%s[%s](%s)", fold, index_name[runs(r)], term);
}

static void scan_bool(const union row *r, const char *x, const char *y)
{
	static const char *const clause[] = { "",
		                              "exclusive",
		                              "from right",
		                              "segments off",
		                              "heads head from right",
		                              "keys key exclusive",
		                              "of c",
		                              "from true",
		                              "from right exclusive",
		                              "segments off exclusive from right",
		                              "heads head from false",
		                              "of (c + 1)" };
	static const char *const fold[] = { "any", "all" };
	p("\tscan %s = %s %s;\n", y,
	  running(r, fold[r->variant % 2], r->variant % 3 ? x : guarded(r, "x", x)),
	  clause[r->variant]);
	p("\tscan many[%s] = %s %s;\n", own(r), running(r, "count", s("!%s", x)),
	  strstr(clause[r->variant], "from ") ? "" : clause[r->variant]);
}

static void scan_body(const union row *r)
{
	char *x = s("x[%s]", own(r)), *y = s("y[%s]", own(r)), *many = s("many[%s]", own(r));
	const char *t = T(r), *axis = index_name[runs(r)];
	if (is_bool(r)) {
		scan_bool(r, x, y);
		return;
	}
	switch (r->variant) {
	case 0: p("\tscan %s = %s(%s);\n", y, t, running(r, "sum", x)); break;
	case 1: p("\tscan %s = %s(%s) exclusive from right;\n", y, t, running(r, "prod", x)); break;
	case 2: p("\tscan %s = %s from %s;\n", y, running(r, "min", x), literal(r)); break;
	case 3:
		p("\tscan %s = max[%s where %s %% 5 != 2](%s);\n", y, axis, axis,
		  guarded(r, "x", x));
		break;
	case 4:
		p("\tscan %s = %s from right;\n", y,
		  running(r, s("larger_%s", t), guarded(r, "x", x)));
		break;
	case 5:
		p("\tscan %s = %s exclusive from right;\n", y, running(r, s("first_%s", t), x));
		break;
	case 6: p("\tscan %s, %s = %s from right;\n", y, many, running(r, "argmax", x)); break;
	case 7:
		p("\tscan %s = %s(%s - %s), %s = %s + %s(%s > 0);\n", y, t, running(r, "max", x), x,
		  many, running(r, "count", s("%s > 0", x)), "i64", y);
		break;
	case 8:
		p("\tscan %s = %s(%s) segments off from right;\n", y, t, running(r, "sum", x));
		break;
	case 9:
		p("\tscan w[%s] = %s heads head from right;\n", own(r),
		  running(r, s("better_%s", t), s("q[%s]", own(r))));
		break;
	case 10:
		p("\tlet u: %s[%s];\n\tmap u[%s] = %s(%s + %s);\n", t, shape(r), own(r), t, x, x);
		p("\tscan %s = %s(%s) keys key exclusive from %s strict;\n", y, t,
		  running(r, "sum", s("u[%s]", own(r))), literal(r));
		break;
	default:
		p("\tscan %s = %s of c;\n", many, running(r, "count", s("%s > %s", x, literal(r))));
		p("\tscan %s = %s segments off exclusive from %s;\n", y, running(r, "max", x),
		  literal(r));
	}
}

void scan_kernel(const union row *r)
{
	const char *t = T(r);
	p("kernel %s(x: %s, inout y: %s, inout many: %s", kernel_name(r), array(r, t, 0),
	  array(r, t, 1), array(r, "i64", 2));
	if (!is_bool(r) && r->variant == 9)
		p(", q: %s, inout w: %s", pairs_of(r, 3), pairs_of(r, 4));
	cuts(r);
	scan_body(r);
	p("}\n\n");
}

/* ---- recurrences ---- */

static void recurrence_body(const union row *r)
{
	char *x = s("x[%s]", own(r)), *b = s("b[%s]", own(r)), *y = at(r, "y", 0, 0);
	char *y1 = at(r, "y", runs(r), -1), *y2 = at(r, "y", runs(r), -2),
	     *next = at(r, "y", runs(r), 1);
	const char *c = literal(r);
	bool whole = !is_float(r);
	p("\tscan %s = ", y);
	if (is_bool(r)) {
		static const char *const clause[] = { "",           "from true", "segments off",
			                              "heads head", "keys key",  "of c" };
		p("(%s ○ %s) ◇ %s using ○ = %s, ◇ = %s %s;\n", r->variant % 5 ? y1 : next, b, x,
		  r->variant % 2 ? "&&" : "||", r->variant % 2 ? "||" : "&&",
		  clause[r->variant / 2]);
		return;
	}
	switch (r->variant) {
	case 0: p("%s * %s + %s;\n", y1, whole ? "3" : "0.75", x); break;
	case 1: p("%s * %s + %s;\n", y1, b, x); break;
	case 2: p("%s + W_%s[1] * %s from %s;\n", x, T(r), y1, c); break;
	case 3: p("%s * %s + %s;\n", next, b, x); break;
	case 4: p("max(%s + %s, %s);\n", y1, b, x); break;
	case 5: p("min(max(%s, %s), %s);\n", y1, b, x); break;
	case 6:
		p("%s%s %s %s%s + %s;\n", whole ? "" : "0.5 * ", y1, whole ? "+" : "-",
		  whole ? "" : "0.25 * ", y2, x);
		break;
	case 7: p("(%s ○ %s) ◇ %s using ○ = +, ◇ = min from %s;\n", y1, b, x, c); break;
	case 8: p("%s * %s + %s segments off;\n", y1, b, x); break;
	case 9: p("%s * %s + %s heads head from %s;\n", next, whole ? "2" : "0.5", x, c); break;
	case 10: p("(%s ○ %s) ◇ %s using ○ = +, ◇ = + keys key;\n", y1, b, x); break;
	default: p("max(min(%s, %s), %s) of c;\n", y1, b, x);
	}
}

void recurrence_kernel(const union row *r)
{
	const char *t = T(r);
	p("kernel %s(x: %s, b: %s, inout y: %s", kernel_name(r), array(r, t, 0), array(r, t, 1),
	  array(r, t, 2));
	cuts(r);
	recurrence_body(r);
	p("}\n\n");
}

/* ---- wavefronts ---- */

/* The cell of a table `rows` and `columns` away along the last two axes; with one axis the columns
 * alone. */
static char *far_cell(const union row *r, const char *array, int rows, int columns)
{
	char *text = s("%s[", array);
	for (int k = 0; k <= r->rank; k++) {
		int by = k == r->rank ? columns : k == r->rank - 1 ? rows : 0;
		text = s("%s%s%s%s", text, k ? ", " : "", index_name[k],
		         by ? s(" %c %d", by < 0 ? '-' : '+', abs(by)) : "");
	}
	return s("%s]", text);
}

static void wave_of_bits(const union row *r, const char *x)
{
	const char *left = far_cell(r, "y", 0, -1), *above = far_cell(r, "y", -1, -2),
		   *old = far_cell(r, "y", 1, 1);
	p("\twavefront y[%s] = %s %s %s %s %s boundary %s;\n", own(r), left,
	  r->variant % 2 ? "^" : "||", above, r->variant % 3 ? "&&" : "^", r->variant % 4 ? x : old,
	  r->variant % 5 ? "true" : "false");
}

/* Of one axis the neighbours above are those of the same row. */
static void wave_body(const union row *r)
{
	const char *left = far_cell(r, "y", 0, -1), *above = far_cell(r, "y", -1, r->rank ? 0 : -2);
	const char *corner = far_cell(r, "y", -1, r->rank ? -1 : -3),
		   *knight = far_cell(r, "y", -1, r->rank ? 2 : -1);
	const char *after = far_cell(r, "y", 0, 1), *below = far_cell(r, "y", 1, r->rank ? 0 : 2);
	const char *x = s("x[%s]", own(r)), *b = s("b[%s]", own(r)), *y = s("y[%s]", own(r)),
		   *t = T(r);
	const char *half = is_float(r) ? "0.25 * " : "3 * ", *last = index_name[r->rank],
		   *c = literal(r);
	switch (r->variant) {
	case 0:
		p("\twavefront %s = %s(%s + %s + %s - %s) boundary 0;\n", y, t, x, left, above,
		  corner);
		break;
	case 1:
		p("\twavefront %s = max(max(%s(%s - 2), %s(%s - 2)), max(%s(%s + %s), %s)) "
		  "boundary %s;\n",
		  y, t, left, t, above, t, corner, x, b, c);
		break;
	case 2:
		p("\twavefront %s = %s(%s%s + %s%s - %s%s + %s) boundary %s(%s);\n", y, t, half,
		  left, half, knight, half, corner, x, t, last);
		break;
	case 3:
		p("\twavefront %s = %s(%s + %s%s + %s%s + %s%s) boundary %s;\n", y, t, y, half,
		  left, half, above, half, below, c);
		break;
	case 4:
		p("\twavefront %s = %s(%s%s - %s%s + %s) boundary %s from right;\n", y, t, half,
		  after, half, far_cell(r, "y", r->rank ? -1 : 0, r->rank ? 0 : 2), x, c);
		break;
	case 5: p("\twavefront %s = %s(%s%s + %s%s + %s) boundary 0%s;\n", y, t, half, left, half,
		  r->rank ? below : corner, b, r->rank ? " from below" : "");
		break;
	case 6:
		p("\twavefront %s = %s(%s%s + %s) boundary 0 where %s %% 3 != 1;\n", y, t, half,
		  above, x, last);
		break;
	case 7:
		p("\twavefront %s = %s(%s%s + %s%s) boundary %s for %s in 2..%s;\n", y, t, half,
		  left, half, corner, c, last, size_name(r, r->rank));
		break;
	case 8:
		p("\twavefront %s = max(%s(%s - 1), %s(%s - 3)), b[%s] = %s(%s - %s) boundary (%s, "
		  "0);\n",
		  y, t, left, t, far_cell(r, "b", -1, r->rank ? 0 : -1), own(r), t, y,
		  far_cell(r, "b", 0, -1), c);
		break;
	case 9: p("\twavefront %s = blend_%s(%s, %s) boundary %s;\n", y, t, left, corner, c); break;
	case 10:
		p("\twavefront %s = larger_%s(larger_%s(%s, %s), %s) boundary %s;\n", y, t, t, left,
		  above, x, c);
		break;
	default:
		p("\twavefront %s = (%s ○ %s) ◇ (%s ○ %s) ◇ %s using ○ = %s, ◇ = min boundary "
		  "%s;\n",
		  y, left, b, above, b, x, is_half(r) ? "max" : "+", c);
	}
}

void wave_kernel(const union row *r)
{
	const char *t = T(r);
	p("kernel %s(x: %s, inout b: %s, inout y: %s) {\n", kernel_name(r), array(r, t, 0),
	  array(r, t, 1), array(r, t, 2));
	if (is_bool(r))
		wave_of_bits(r, s("x[%s]", own(r)));
	else
		wave_body(r);
	p("}\n\n");
}

/* ---- sorts ---- */

/* Rows of a length that is known, or an array cut into such pieces. */
static const char *sorted_array(const union row *r, const char *type, int nth)
{
	static const char *const short_rows[] = { "n", "m, 21", "l, m, 6" };
	return s("%s[%s]%s", type, cut_by_data(r) ? shape(r) : short_rows[r->rank],
	         layout(r, type[0] == 'P', nth));
}

static const char *order(const union row *r)
{
	static const char *const by[] = { "", "by >", "by <", "by >", "" };
	return is_bool(r)       ? "by before_bool"
	       : r->variant % 5 ? by[r->variant % 5]
	                        : s("by before_%s", T(r));
}

static void sort_body(const union row *r)
{
	static const char *const says[] = { "",
		                            "with z",
		                            "with z, mask stable",
		                            "into at first 3 stable",
		                            "",
		                            "with z, many stable",
		                            "with z first 2",
		                            "",
		                            "with q segments off stable",
		                            "with z stable",
		                            "with z of c",
		                            "into at stable" };
	const char *cut = r->rank || cut_by_data(r) ? "" : r->variant % 2 ? "of 13" : "of 5";
	switch (r->variant) {
	case 4: p("\tsegsort q with z, many by less_%s %s;\n", T(r), cut); break;
	case 7:
		p("\tlet u: %s[%s];\n\tmap u[%s] = z[%s];\n", T(r),
		  r->rank ? r->rank > 1 ? "l, m, 6" : "m, 21" : "n", own(r), own(r));
		p("\tsegsort u with many %s stable %s;\n\tmap x[%s] = u[%s];\n", order(r), cut,
		  own(r), own(r));
		break;
	case 9:
		p("\trepeat t < steps {\n\t\tsegsort x %s %s %s;\n\t\tswap x, z;\n\t}\n", says[9],
		  order(r), cut);
		break;
	default: p("\tsegsort x %s %s %s;\n", says[r->variant], order(r), cut);
	}
}

void sort_kernel(const union row *r)
{
	const char *t = T(r);
	int v = r->variant;
	p("kernel %s(inout x: %s, inout z: %s", kernel_name(r), sorted_array(r, t, v == 9 ? 1 : 0),
	  sorted_array(r, t, 1));
	p(", inout many: %s, inout at: %s", sorted_array(r, "i64", 2),
	  sorted_array(r, v % 2 ? "i32" : "u64", 3));
	p(", inout q: %s, inout mask: %s", sorted_array(r, s("Pair_%s", t), 3),
	  sorted_array(r, "bool", 2));
	p(v == 8 ? ", off: i32[s]" : v == 10 ? ", c: i32" : v == 9 ? ", steps: i32" : "");
	p(") {\n");
	sort_body(r);
	p("}\n\n");
}

/* ---- transpose ---- */

/* Axes as the target has them: those of x, in another order. */
static const char *turned(const union row *r, const char *const *name)
{
	static const int order[5][3] = {
		{ 0, 2, 1 }, { 1, 0, 2 }, { 1, 2, 0 }, { 2, 0, 1 }, { 2, 1, 0 }
	};
	const int *o = order[r->variant % 5];
	return r->rank == 1 ? s("%s, %s", name[1], name[0])
	                    : s("%s, %s, %s", name[o[0]], name[o[1]], name[o[2]]);
}

void turn_kernel(const union row *r)
{
	static const char *const axis[] = { "l", "m", "n" };
	const char *t = T(r), *dims = turned(r, axis + 2 - r->rank);
	char *x = s("x[%s]", own(r)), *z = s("z[%s]", own(r)),
	     *y = s("y[%s]", turned(r, index_name));
	char *two[] = { x, z };
	p("kernel %s(x: %s, z: %s, q: %s, inout y: %s[%s]%s, out w: Pair_%s[%s]%s) {\n",
	  kernel_name(r), array(r, t, 0), array(r, t, 1), pairs_of(r, 3), t, dims,
	  layout(r, false, 2), t, dims, layout(r, true, 4));
	switch (r->variant % 4) {
	case 0: p("\ttranspose %s = %s;\n", y, r->variant ? mix(r, 2, two) : x); break;
	case 1:
		p("\ttranspose w[%s] = q[%s];\n\ttranspose %s = q[%s].y where i %% 2 == 0;\n",
		  turned(r, index_name), own(r), y, own(r));
		break;
	default:
		p("\tlet u: %s[%s];\n\tmap u[%s] = blend_%s(%s, %s);\n", t, shape(r), own(r), t, x,
		  z);
		p("\ttranspose %s %s u[%s];\n", y, is_bool(r) ? "^=" : "+=", own(r));
	}
	p("}\n\n");
}

/* ---- products ---- */

enum { VECTOR, MATRIX, SMALL }; /* what is computed: a vector, a matrix by tiles, many small ones */

/* Tiles are much text: few rows have them. */
static int form(const union row *r)
{
	static const int of[] = { SMALL, MATRIX, SMALL, VECTOR };
	return of[(r->rank + r->variant) % 4];
}

static const char *result(const union row *r)
{
	static const char *const text[] = { "i", "i, j", "i, j, k" };
	return text[form(r)];
}

/* 5 terms a cell. */
static const char *factor(const union row *r, const char *type, int nth)
{
	static const char *const text[3][3][2] = {
		{ { "n, 5", "5, n" }, { "5", "5" }, { "n", "n" } },
		{ { "m, 5", "5, m" }, { "5, n", "n, 5" }, { "m, n", "m, n" } },
		{ { "l, 4, 5", "l, 5, 4" }, { "l, 5, 3", "l, 3, 5" }, { "l, 4, 3", "l, 4, 3" } }
	};
	bool rows = form(r) || nth == 0;
	return s("%s[%s]%s", type, text[form(r)][nth][r->variant % 3 == 1],
	         rows ? layout(r, false, nth) : "");
}

/* A factor as it is folded: in the type that folds of it have. */
static const char *factor_at(const union row *r, const char *array, int nth)
{
	static const char *const text[3][2][2] = {
		{ { "i, e", "e, i" }, { "e", "e" } }, { { "i, e", "e, i" }, { "e, j", "j, e" } },
		{ { "i, j, e", "i, e, j" }, { "i, e, k", "i, k, e" } }
	};
	const char *cell = s("%s[%s]", array, text[form(r)][nth][r->variant % 3 == 1]);
	return strcmp(wide(r), T(r)) ? s("%s(%s)", wide(r), cell) : cell;
}

static void product_of_bits(const union row *r, const char *x, const char *z)
{
	const char *tail = r->variant == 2 ? " where mask[" : "";
	p("\tmatmul y[%s] %s %s[e](%s %s %s)%s%s;\n", result(r), r->variant == 4 ? "^=" : "=",
	  r->variant % 2 ? "any" : "all", x, r->variant % 4 ? "&&" : "^", z, tail,
	  *tail ? s("%s]", result(r)) : "");
}

static void product_body(const union row *r)
{
	const char *t = T(r), *y = s("y[%s]", result(r)), *x = factor_at(r, "x", 0),
		   *z = factor_at(r, "z", 1);
	const char *sum = s("sum[e](%s * %s)", x, z), *last = index_name[form(r)];
	switch (r->variant) {
	case 0: case 1: p("\tmatmul %s = %s(%s);\n", y, t, sum); break;
	case 2: p("\tmatmul %s = %s(%s) where mask[%s];\n", y, t, sum, result(r)); break;
	case 3:
		p("\tmatmul %s = %s(%s) for i in 1..%s;\n", y, t, sum,
		  form(r) == SMALL ? "l"
		  : form(r)        ? "m"
		                   : "n");
		break;
	case 4: p("\tmatmul %s += %s(%s);\n", y, t, sum); break;
	case 5: p("\tmatmul %s = %s(min[e](%s + %s));\n", y, t, x, z); break;
	case 6: p("\tmatmul %s = %s(max[e](min(%s, %s)));\n", y, t, x, z); break;
	case 7:
		p("\tmatmul %s = %s_%s[e](%s(%s * %s));\n", y, is_float(r) ? "larger" : "first", t,
		  t, x, z);
		break;
	case 8: p("\tmatmul %s = %s(2 * %s + %s(%s) * 3);\n", y, t, sum, wide(r), y); break;
	case 9:
		p("\tlet u: %s[%s];\n\tmatmul u[%s] = %s;\n", wide(r),
		  form(r) == SMALL ? "l, 4, 3"
		  : form(r)        ? "m, n"
		                   : "n",
		  result(r), sum);
		p("\tmap %s = %s(max(u[%s], 0) + u[%s]);\n", y, t, result(r), result(r));
		break;
	case 10: p("\tmatmul %s = %s(%s) strict;\n", y, t, sum); break;
	default:
		p("\tmatmul %s = %s(sum[e in 1..4](%s * %s) + %s(%s));\n", y, t, x, z, wide(r),
		  last);
	}
}

/* Of tiles one form only, and mostly one way to load: each is a kernel. */
void product_kernel(const union row *r)
{
	const char *t = T(r);
	p("kernel %s(x: %s, z: %s, inout y: %s", kernel_name(r), factor(r, t, 0), factor(r, t, 1),
	  factor(r, t, 2));
	p(r->variant == 2 ? ", mask: %s) {\n" : ") {\n", factor(r, "bool", 2));
	if (is_bool(r))
		product_of_bits(r, factor_at(r, "x", 0), factor_at(r, "z", 1));
	else
		product_body(r);
	p("}\n");
	for (int g = 0; g < 2 && form(r) == MATRIX; g++)
		p("schedule %s for %s { tile 64 x 64%s; }\n", kernel_name(r), g ? "hip" : "cuda",
		  r->variant % 4 ? ", vector 1" : "");
	p("\n");
}
