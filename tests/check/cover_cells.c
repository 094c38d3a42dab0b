/* cover_cells.c - kernels whose cells do not wait for one another: maps, reduces, stencils,
 * compactions. */
#include <stdlib.h>
#include <string.h>
#include "cover.h"

/* ---- map ---- */

static const char *pair_of(const char *text, const char *field)
{
	return s("%s.%s", text, field);
}

static void map_body(const union row *r)
{
	char *x = s("x[%s]", own(r)), *z = s("z[%s]", own(r)), *y = s("y[%s]", own(r));
	char *two[] = { x, z };
	const char *t = T(r), *last = index_name[r->rank];
	switch (r->variant) {
	case 0: p("\tmap %s = %s;\n", y, mix(r, 2, two)); break;
	case 1:
		p("\tmap w[%s].y = %s, %s = w[%s].y;\n", own(r), pair_of(s("q[%s]", own(r)), "x"),
		  y, own(r));
		break;
	case 2: p("\tmap %s = %s where mask[%s];\n", y, x, own(r)); break;
	case 3: p("\tmap %s = %s for ", y, mix(r, 2, two));
		for (int k = 0; k <= r->rank; k++)
			p("%s%s in %d..%s", k ? ", " : "", index_name[k], k == r->rank ? 2 : 0,
			  size_name(r, k));
		p(";\n");
		break;
	case 4: p("\tmap %s %s %s;\n", y, is_bool(r) ? "^=" : "+=", x);
		if (!is_bool(r))
			p("\tmap %s max= %s;\n", y, z);
		break;
	case 5: p("\tmap %s = blend_%s(%s, %s);\n", y, t, x, z); break;
	case 6:
		p("\tmap %s = %s(%s %s W_%s[1]%s);\n", y, t, x, is_bool(r) ? "&" : "*", t,
		  is_bool(r) ? "" : s(" + %s(search(W_%s, %s, upper))", t, t, z));
		break;
	case 7:
		p("\tmap %s = %s, v[%s] = %s(%s %s %s);\n", y, x, own(r), t, y,
		  is_bool(r) ? "|" : "-", z);
		break;
	case 8:
		if (is_bool(r))
			p("\tmap %s = %s && !%s || %s %% 3 == 0;\n", y, x, z, last);
		else if (is_float(r))
			p("\tmap %s = %s > 0 ? sqrt(%s) / (1 + abs(%s)) : min(%s, %s, 1);\n", y, x,
			  x, z, x, z);
		else
			p("\tmap %s = %s(%s / %s + %s %% %s - (%s << 3) + (%s >> %s) ^ ~%s | %s & "
			  "5);\n",
			  y, t, x, z, x, z, x, x, z, z, x);
		break;
	case 9:
		p("\tlet u: %s[%s];\n\tmap u[%s] = %s;\n", t, shape(r), own(r), mix(r, 2, two));
		p("\tmap %s = %s(u[%s] %s row[%s] %s a);\n", y, t, own(r), is_bool(r) ? "^" : "+",
		  last, is_bool(r) ? "^" : "+");
		break;
	case 10:
		p("\trepeat t < steps {\n\t\tmap %s = %s(%s %s %s);\n\t\tswap y, v;\n\t}\n", y, t,
		  s("v[%s]", own(r)), is_bool(r) ? "^" : "+", x);
		break;
	default:
		p("\tmap %s = %s ? %s : %s where %s %% 2 == 0;\n", y,
		  is_bool(r) ? z : s("%s < %s", x, z), x, z, last);
		p("\tmap %s = %s where %s %% 2 == 1;\n", y, z, last);
	}
}

void map_kernel(const union row *r)
{
	const char *t = T(r);
	p("kernel %s(x: %s, z: %s, %sy: %s", kernel_name(r), array(r, t, 0), array(r, t, 1),
	  r->variant == 4 || r->variant == 10 ? "inout " : "out ", array(r, t, 2));
	if (r->variant == 1)
		p(", q: %s, inout w: %s", pairs_of(r, 3), pairs_of(r, 4));
	if (r->variant == 2)
		p(", mask: %s", array(r, "bool", 3));
	if (r->variant == 7 || r->variant == 10)
		p(", %s v: %s", r->variant == 7 ? "out" : "inout", array(r, t, 2));
	if (r->variant == 9)
		p(", row: %s[n], a: %s", t, t);
	if (r->variant == 10)
		p(", steps: i32");
	p(") {\n");
	map_body(r);
	p("}\n\n");
}

/* ---- reduce ---- */

/* Which axes the target keeps, by variant: bit k for axis k; 0: a scalar. */
static int kept_axes(const union row *r)
{
	static const int choice[RANKS][4] = { { 0, 0, 0, 0 }, { 0, 1, 2, 0 }, { 0, 1, 5, 6 } };
	return choice[r->rank][r->variant % 4];
}

static char *some_axes(const union row *r, bool kept, const char *const *names)
{
	char *text = s("%s", "");
	for (int k = 0; k <= r->rank; k++)
		if ((kept_axes(r) >> k & 1) == kept)
			text = s("%s%s%s", text, *text ? ", " : "",
			         names[names == index_name ? k : k + 2 - r->rank]);
	return text;
}

static char *target(const union row *r, const char *name)
{
	return kept_axes(r) ? s("%s[%s]", name, some_axes(r, true, index_name)) : s("%s", name);
}

static char *dims_of(const union row *r)
{
	return kept_axes(r) ? s("[%s]", some_axes(r, true, (const char *const[]){ "l", "m", "n" }))
	                    : s("%s", "");
}

/* The places of an argmax, one per folded axis: as targets, or as parameters. */
static char *places(const union row *r, bool declared)
{
	char *text = s("%s", "");
	for (int k = 0; k <= r->rank; k++)
		if (!(kept_axes(r) >> k & 1))
			text = declared ? s("%s, out at%d: i64%s", text, k, dims_of(r))
			                : s("%s, %s", text, target(r, s("at%d", k)));
	return text;
}

/* Not 0 where the folded axes have terms. */
static char *some_sizes(const union row *r)
{
	char *text = s("%s", "");
	for (int k = 0; k <= r->rank; k++)
		if (!(kept_axes(r) >> k & 1))
			text = s("%s%s%s", text, *text ? " > 0 && " : "", size_name(r, k));
	return text;
}

static void reduce_body(const union row *r)
{
	char *x = s("x[%s]", own(r)), *y = target(r, "y"), *over = some_axes(r, false, index_name);
	const char *t = T(r), *last = over + strlen(over) - 1;
	if (is_bool(r)) {
		static const char *const fold[] = { "any", "all", "count" };
		const char *f = fold[r->variant % 3];
		p("\treduce %s = %s[%s](%s);\n", target(r, r->variant % 3 == 2 ? "c" : "y"), f,
		  over, x);
		p("\treduce %s = %s[%s](!%s ^ %s)", target(r, "v"), fold[(r->variant + 1) % 2],
		  over, x, guarded(r, "x", "true"));
		p(";\n");
		if (r->variant % 3 != 2)
			p("\treduce %s = count[%s where %s](%s %% 2 == 0);\n", target(r, "c"), over,
			  x, last);
		else
			p("\treduce %s = any[%s](%s && %s %% 5 == 0);\n", y, over, x, last);
		return;
	}
	switch (r->variant) {
	case 0: p("\treduce %s = sum[%s](%s);\n", y, over, x); break;
	case 1: p("\treduce %s = prod[%s](%s);\n", y, over, x); break;
	case 2: p("\treduce %s = min[%s](%s);\n", y, over, guarded(r, "x", x)); break;
	case 3: p("\treduce %s = max[%s](%s);\n", y, over, x); break;
	case 4:
		p("\treduce %s = sum[%s where %s > 0](%s * %s);\n", y, over, guarded(r, "x", x), x,
		  x);
		break;
	case 5: p("\treduce %s = larger_%s[%s](%s);\n", y, t, over, x); break;
	case 6: p("\treduce %s = first_%s[%s](%s);\n", y, t, over, x); break;
	case 7: p("\treduce %s = min[%s](%s), %s%s = argmax[%s](%s);\n", y, over, x, target(r, "v"),
		  places(r, false), over, x);
		break;
	case 8:
		p("\treduce %s += sum[%s](%s) strict;\n", y, over, x);
		p("\treduce %s += sum[%s](%s);\n", y, over, x);
		break;
	case 9: p("\treduce %s = sum[%s](q[%s].x * q[%s].y);\n", y, over, own(r), own(r));
		p("\treduce %s = better_%s[%s](q[%s]) where %s > 0;\n", target(r, "w"), t, over,
		  own(r), some_sizes(r));
		break;
	case 10:
		p("\tlet u: %s[%s];\n\tmap u[%s] = %s(%s %s %s);\n", t, shape(r), own(r), t, x,
		  is_float(r) ? "*" : "+", x);
		p("\treduce %s = max[%s](u[%s]);\n", y, over, own(r));
		break;
	default:
		p("\treduce %s = count[%s](%s > %s);\n", target(r, "c"), over, x,
		  is_float(r) ? "0.5" : "3");
		p("\treduce %s = any[%s](%s == 0);\n", target(r, "b"), over, x);
	}
}

void reduce_kernel(const union row *r)
{
	const char *t = T(r);
	char *dims = dims_of(r);
	const char *acc = r->variant == 5 || r->variant == 6 || r->variant == 2 || r->variant == 3
	                  || r->variant == 7 || r->variant == 10 ? t : wide(r);
	p("kernel %s(x: %s", kernel_name(r), array(r, t, 0));
	if (is_bool(r))
		p(", out y: bool%s, out v: bool%s, out c: i64%s", dims, dims, dims);
	else if (r->variant == 11)
		p(", out c: i64%s, out b: bool%s", dims, dims);
	else
		p(", %s y: %s%s", r->variant == 8 ? "inout" : "out", acc, dims);
	if (!is_bool(r) && r->variant == 7)
		p(", out v: %s%s%s", acc, dims, places(r, true));
	if (!is_bool(r) && r->variant == 9)
		p(", q: %s, out w: Pair_%s%s", pairs_of(r, 1), t, dims);
	p(") {\n");
	reduce_body(r);
	p("}\n\n");
}

/* ---- stencil ---- */

/* What lies outside has the type of what is read: for variant 3 a struct. */
static const char *outside(const union row *r, const char *value)
{
	return r->variant == 3 ? s("Pair_%s(%s, %s)", T(r), value, value) : value;
}

static const char *formula(const union row *r)
{
	char *sum = s("%s", "i");
	for (int k = 1; k <= r->rank; k++)
		sum = s("%s + %d * %s", sum, k + 1, index_name[k]);
	return is_bool(r) ? s("(%s) %% 3 == 0", sum) : s("%s(%s)", T(r), sum);
}

static void boundary(const union row *r)
{
	static const char *const lists[][RANKS] = { { "wrap", "clamp", "mirror" },
		                                    { "mirror", NULL, "clamp" },
		                                    { "keep", "reflect", "wrap" },
		                                    { NULL, "wrap", "reflect" } };
	switch (r->boundary) {
	case NONE: return;
	case CONSTANT: p(" boundary constant %s", outside(r, literal(r))); return;
	case FORMULA: p(" boundary (%s)", outside(r, formula(r))); return;
	case MIXED: case MIXED_VALUE: case MIXED_KEEP: case VALUE_WRAP: break;
	default: p(" boundary %s", boundary_name[r->boundary]); return;
	}
	const char *const *list = lists[r->boundary - MIXED];
	p(" boundary ");
	p(r->rank ? "(" : "");
	for (int k = 0; k <= r->rank; k++)
		p("%s%s", k ? ", " : "", list[k] ? list[k] : outside(r, literal(r)));
	p(r->rank ? ")" : "");
}

/* Every axis, both sides, and the cell itself; far: beyond a warp and beyond a tile. */
static int offsets(const union row *r, const char *array, const char *other, const char *field,
                   char **term)
{
	int n = 0;
	bool far = r->variant == 1;
	term[n++] = s("%s%s", at(r, array, 0, 0), field);
	for (int k = 0; k <= r->rank; k++) {
		term[n++] = s("%s%s", at(r, array, k, far ? -(33 + 97 * k) : -1), field);
		term[n++] = s("%s%s", at(r, other, k, far ? 3 + 130 * (k == r->rank) : 1), field);
	}
	return n;
}

static char *inside(const union row *r)
{
	char *text = s(" for ");
	for (int k = 0; k <= r->rank; k++)
		text = s("%s%s%s in 1..%s - 1", text, k ? ", " : "", index_name[k],
		         size_name(r, k));
	return text;
}

static void tail(const union row *r)
{
	if (r->variant == 5 || r->boundary == NONE)
		p("%s", inside(r));
	if (r->variant == 4)
		p(" where mask[%s]", own(r));
	boundary(r);
	p(";\n");
}

static void stencil_body(const union row *r)
{
	char *term[12], *b = s("b[%s]", own(r));
	const char *t = T(r);
	const char *from = r->variant == 3 ? "q" : r->variant == 10 ? "u" : "a";
	int n = offsets(r, from, r->variant == 2 ? "c" : from, r->variant == 3 ? ".y" : "", term);
	char *all = s("%s(%s)", t, mix(r, n, term));
	if (r->variant == 10)
		p("\tlet u: %s[%s];\n\tmap u[%s] = %s(a[%s] %s a[%s]);\n", t, shape(r), own(r), t,
		  own(r), is_bool(r) ? "|" : "+", own(r));
	if (r->variant == 9)
		p("\trepeat t < steps {\n\t");
	p("\ts: stencil ");
	switch (r->variant) {
	case 6: p("%s %s %s", b, is_bool(r) ? "^=" : "+=", all); break;
	case 7: p("%s = blend_%s(%s, %s)", b, t, term[1], guarded(r, from, term[n - 1])); break;
	case 8:
		p("%s = %s, d[%s] = %s(%s %s %s)", b, all, own(r), t, b, is_bool(r) ? "^" : "-",
		  term[1]);
		break;
	case 11: p("%s = %s(%s %s W_%s[2] %s %s)", b, t, term[1], is_bool(r) ? "&" : "*", t,
		   is_bool(r) ? "^" : "+", term[n - 1]);
		break;
	default: p("%s = %s", b, all);
	}
	tail(r);
	if (r->variant == 9)
		p("\t\tswap a, b;\n\t}\n");
}

void stencil_kernel(const union row *r)
{
	const char *t = T(r);
	bool swaps = r->variant == 9;
	p("kernel %s(%sa: %s, %sb: %s", kernel_name(r), swaps ? "inout " : "", array(r, t, 0),
	  swaps || r->variant == 6 ? "inout " : "out ", array(r, t, 1));
	if (r->variant == 2)
		p(", c: %s", array(r, t, 2));
	if (r->variant == 3)
		p(", q: %s", pairs_of(r, 2));
	if (r->variant == 4)
		p(", mask: %s", array(r, "bool", 2));
	if (r->variant == 8)
		p(", out d: %s", array(r, t, 2));
	if (swaps)
		p(", steps: i32");
	p(") {\n");
	stencil_body(r);
	p("}\n");
	for (int g = 0; g < 2 && r->stage != AUTO; g++)
		p("schedule %s for %s { s: stage %s; }\n", kernel_name(r), g ? "hip" : "cuda",
		  stage_name[r->stage]);
	p("\n");
}

/* ---- compact ---- */

/* An array of size c, which fewer cells may have than are kept. */
static const char *packed(const union row *r, bool record)
{
	const char *t = record ? s("Pair_%s", T(r)) : T(r);
	return s("%s[c]%s", t, !record ? "" : r->layout == APART ? " layout soa"
	         : r->layout == COLUMNS_LD ? " layout aosoa(3)" : "");
}

static char *chosen(const union row *r, const char *x)
{
	return is_bool(r) ? s("%s", x) : s("%s > %s", x, literal(r));
}

static void compact_body(const union row *r)
{
	char *x = s("x[%s]", own(r)), *z = s("z[%s]", own(r)), *some = chosen(r, x);
	const char *t = T(r), *last = index_name[r->rank];
	switch (r->variant) {
	case 0: p("\tcompact y, kept = %s where %s;\n", x, some); break;
	case 1:
		p("\tcompact w, kept = q[%s] where %s else f;\n", own(r),
		  chosen(r, s("q[%s].y", own(r))));
		break;
	case 2: p("\tcompact y = %s where mask[%s] else v;\n", guarded(r, "x", x), own(r)); break;
	case 3: p("\tcompact y, kept = %s where %s for ", x, some);
		for (int k = 0; k <= r->rank; k++)
			p("%s%s in %d..%s", k ? ", " : "", index_name[k], k == r->rank ? 2 : 0,
			  size_name(r, k));
		p(";\n");
		break;
	case 4:
		p("\tcompact y, kept = %s, v = %s where %s;\n", x, z,
		  chosen(r, guarded(r, "x", x)));
		break;
	case 5: p("\tcompact y, kept = blend_%s(%s, %s) where %s;\n", t, x, z, some); break;
	case 6: p("\tcompact at, kept = %s, y = %s where %s;\n", last, x, some); break;
	case 7: p("\tcompact y, kept = %s, v = %s where %s unordered;\n", x, z, some); break;
	case 8: p("\tcompact y, kept = %s, v = %s where %s else (at, u);\n", x, z, some); break;
	case 9:
		p("\tlet u: %s[%s];\n\tmap u[%s] = %s(%s %s %s);\n", t, shape(r), own(r), t, x,
		  is_bool(r) ? "^" : "+", z);
		p("\tcompact y, kept = u[%s] where %s;\n", own(r), chosen(r, s("u[%s]", own(r))));
		p("\tmap v[e] = y[e] for e in 0..kept;\n");
		break;
	case 10:
		p("\trepeat t < steps {\n\t\tcompact y, kept = %s where %s && (%s + t) %% 3 != "
		  "0;\n\t\tswap y, v;\n\t}\n",
		  x, some, last);
		break;
	default:
		p("\tcompact y, kept = %s where %s > 0 && %s != %s;\n", x, last,
		  at(r, "x", r->rank, -1), x);
	}
}

void compact_kernel(const union row *r)
{
	const char *t = T(r), *c = packed(r, false);
	int v = r->variant;
	p("kernel %s(x: %s, z: %s, %s y: %s, out kept: %s", kernel_name(r), array(r, t, 0),
	  array(r, t, 1), v == 10 ? "inout" : "out", c, v % 2 ? "i64" : "i32");
	if (v == 1)
		p(", q: %s, out w: %s, out f: %s", pairs_of(r, 3), packed(r, true),
		  packed(r, true));
	if (v == 2)
		p(", mask: %s", array(r, "bool", 3));
	if (v == 2 || v == 4 || (v >= 7 && v <= 10))
		p(", %s v: %s", v == 10 ? "inout" : "out", c);
	if (v == 6)
		p(", out at: i64[c]");
	if (v == 8)
		p(", out at: %s, out u: %s", c, c);
	if (v == 10)
		p(", steps: i32");
	p(") {\n");
	compact_body(r);
	p("}\n\n");
}
