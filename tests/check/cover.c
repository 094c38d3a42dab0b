/* cover.c - patc-cover: writes programs that together show every pair of features.
 *
 *   patc-cover [--all] [--kernels=N] OUTDIR        writes OUTDIR/cover_00.pat, cover_01.pat, ...
 *
 * A kernel is a row (pattern, element type, boundary, rank, staging level, variant, layout); the variant
 * is what else it does: near or far offsets, several arrays, struct fields, where, for, op=,
 * functions, tables, several equations, repeat with swap; of a scan: the fold or the recurrence, the clauses
 * and what cuts sequences, while the axis that runs takes turns; of a wavefront: the law, the neighbours,
 * the direction, tables, masks and ranges; of a transpose: the order of axes; of a sort: the order, what moves, how sequences
 * are cut, mostly into short ones of one length, whose text is short; of a product: the law, transposed operands, what is
 * around it, a vector, a matrix by tiles, mostly many small ones.  The rows are a pairwise covering array,
 * built greedily (AETG; Cohen et al., IEEE TSE 23(7), 1997): every pair of values that can occur
 * together does.  --all writes the whole product.  One more factor, the target, needs no row of
 * its own: every file is compiled and run for all of them.  A file has N kernels (24), because
 * compilers and tool chains cost more a file than a kernel.  No option changes what a row means:
 * the same row is always the same text. */
#include <errno.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAP, REDUCE, STENCIL, COMPACT, SCAN, RECURRENCE, WAVE, SORT, TURN, PRODUCT, PATTERNS };
enum { NONE, CLAMP, WRAP, MIRROR, REFLECT, CONSTANT, FORMULA, KEEP, MIXED, MIXED_VALUE, MIXED_KEEP,
       VALUE_WRAP, BOUNDARIES };
enum { AUTO, L1, SHARED, STAGES };
enum { ROWS, COLUMNS, ROWS_LD, COLUMNS_LD, CROSSED, APART, LAYOUTS };
enum { TYPES = 13, RANKS = 3, VARIANTS = 12, FACTORS = 7, MOST = PATTERNS * 13 * 12 * 3 * 3 * 12 * 6 };

static const char *const type_name[TYPES] = {
	"f32", "f64", "i32", "i64", "u8", "i8", "u16", "i16", "u32", "u64", "f16", "bf16",
	"bool"
};
static const char *const pattern_name[PATTERNS] = {
	"map", "reduce", "stencil", "compact", "scan", "recur", "wave", "sort", "turn", "product"
};
static const char *const boundary_name[BOUNDARIES] = {
	"none", "clamp", "wrap", "mirror", "reflect", "constant", "formula", "keep", "mixed",
	"mixed_value", "mixed_keep", "value_wrap"
};
static const char *const stage_name[STAGES] = { "auto", "l1", "shared" };
static const char *const layout_name[LAYOUTS] = { "", "_col", "_ld", "_col_ld", "_crossed", "_apart" };
static const int limit[FACTORS] = { PATTERNS, TYPES, BOUNDARIES, RANKS, STAGES, VARIANTS, LAYOUTS };

union row {
	struct { int pattern, type, boundary, rank, stage, variant, layout; };
	int v[FACTORS];
};

/* ---- which rows there are ---- */

/* A sort of sequences of any length is much text on a GPU: few types have them. */
static bool cut_by_data(const union row *r)
{
	return r->variant == 8 || r->variant == 10;
}

/* Boundaries and staging are a stencil's; without a boundary only near offsets stay inside. */
static bool possible(const union row *r)
{
	if (r->pattern == SORT && cut_by_data(r) && r->type % 4 != 0)
		return false;
	if (r->pattern == TURN && (r->rank == 0 || r->variant % 4 == 3))
		return false;
	if (r->pattern != STENCIL)
		return r->boundary == NONE && r->stage == AUTO;
	return r->boundary != NONE || r->variant != 1;
}

/* In the whole product layouts and the variants of a stencil take turns: each meets every other value. */
static bool in_turn(const union row *r)
{
	int turn = r->type + r->boundary + 5 * r->rank + 7 * r->stage;
	if (r->layout != (turn / VARIANTS + turn + r->variant) % LAYOUTS)
		return false;
	return r->pattern != STENCIL || r->variant == turn % VARIANTS;
}

static bool seen[FACTORS][FACTORS][16][16];

static int pairs(const union row *r, bool mark)
{
	int news = 0;
	for (int a = 0; a < FACTORS; a++)
		for (int b = a + 1; b < FACTORS; b++) {
			bool *at = &seen[a][b][r->v[a]][r->v[b]];
			news += !*at;
			*at |= mark;
		}
	return news;
}

static int each_row(union row *rows, bool turns)
{
	int n = 0, count[FACTORS] = { 0 };
	for (;;) {
		union row r;
		memcpy(r.v, count, sizeof count);
		if (possible(&r) && (!turns || in_turn(&r)))
			rows[n++] = r;
		int f = FACTORS - 1;
		while (f >= 0 && ++count[f] == limit[f])
			count[f--] = 0;
		if (f < 0)
			return n;
	}
}

/* Keeps, of all rows, the greedy covering array.  Among equals the first behind a moving start
 * wins, so that the rows differ in what no pair asks for. */
static int cover(union row *rows, int n)
{
	int kept = 0;
	for (;;) {
		int best = -1, most = 0;
		for (int k = kept; k < n; k++) {
			int i = kept + (int)((k + kept * INT64_C(7919)) % (n - kept));
			int news = pairs(&rows[i], false);
			if (news > most) {
				most = news;
				best = i;
			}
		}
		if (best < 0)
			return kept;
		union row r = rows[best];
		rows[best] = rows[kept];
		rows[kept++] = r;
		pairs(&r, true);
	}
}

/* ---- text ---- */

static FILE *out;

static void p(const char *format, ...)
{
	va_list list;
	va_start(list, format);
	vfprintf(out, format, list);
	va_end(list);
}

/* A few strings that live until the next few hundred are made. */
static char *s(const char *format, ...)
{
	static char ring[512][600];
	static int next;
	va_list list;
	char *at = ring[next++ % 512];
	va_start(list, format);
	vsnprintf(at, sizeof ring[0], format, list);
	va_end(list);
	return at;
}

static const char *T(const union row *r) { return type_name[r->type]; }
static bool is_half(const union row *r) { return strstr(T(r), "f16") != NULL; }
static bool is_float(const union row *r) { return strchr(T(r), 'f') != NULL; }
static bool is_bool(const union row *r) { return !strcmp(T(r), "bool"); }

/* The type folds of T are computed in: R3. */
static const char *wide(const union row *r)
{
	const char *t = T(r);
	return is_half(r) ? "f32" : !strcmp(t + 1, "8") || !strcmp(t + 1, "16") ? "i32" : t;
}

static const char *shape(const union row *r)
{
	static const char *const text[] = { "n", "m, n", "l, m, n" };
	return text[r->rank];
}

static const char *own(const union row *r)
{
	static const char *const text[] = { "i", "i, j", "i, j, k" };
	return text[r->rank];
}

static const char *const index_name[] = { "i", "j", "k" };
static const char *size_name(const union row *r, int axis)
{
	static const char *const text[] = { "l", "m", "n" };
	return text[axis + 2 - r->rank];
}

static char *at(const union row *r, const char *array, int axis, int offset)
{
	char *text = s("%s[", array);
	for (int k = 0; k <= r->rank; k++) {
		text = s("%s%s%s", text, k ? ", " : "", index_name[k]);
		if (k == axis && offset)
			text = s("%s %c %d", text, offset < 0 ? '-' : '+', abs(offset));
	}
	return s("%s]", text);
}

/* A combination in which every term counts differently. */
static char *mix(const union row *r, int n, char *const *term)
{
	static const char *const weight[] = { "0.5 * ", "0.25 * ", "0.125 * ", "0.75 * ", "0.375 * " };
	char *text = s("%s", "");
	for (int i = 0; i < n; i++)
		if (is_bool(r))
			text = s("%s%s%s", text, i ? " ^ " : "", term[i]);
		else if (is_float(r))
			text = s("%s%s%s%s", text, i ? i % 3 == 2 ? " - " : " + " : "", weight[i % 5], term[i]);
		else
			text = s("%s%s%s%s", text, i ? i % 3 == 2 ? " - " : " + " : "",
			         i ? s("%d * ", 2 * i + 1) : "", term[i]);
	return text;
}

static const char *literal(const union row *r)
{
	return is_bool(r) ? "true" : is_float(r) ? "0.375" : "3";
}

static const char *kernel_name(const union row *r)
{
	char *name = s("%s_%s_%d_v%d%s", pattern_name[r->pattern], T(r), r->rank + 1, r->variant,
	               layout_name[r->layout]);
	return r->pattern != STENCIL ? name
	       : s("%s_%s_%s", name, boundary_name[r->boundary], stage_name[r->stage]);
}

/* The layout of a kernel's nth array.  One axis has no rows that could stand apart; what is swapped is
 * laid out alike: crossed arrays are, behind the first. */
static const char *layout(const union row *r, bool record, int nth)
{
	switch (r->layout) {
	case COLUMNS: return record ? " layout col soa" : " layout col";
	case ROWS_LD: return r->rank ? " layout row(ld)" : "";
	case COLUMNS_LD: return r->rank ? record ? " layout aosoa(3) col(lc)" : " layout col(lc)" : "";
	case CROSSED: return nth == 0 ? " layout col" : r->rank ? " layout row(ld)" : "";
	case APART: return record ? nth % 2 ? " layout soa" : " layout aosoa(8)" : nth % 2 ? "" : " layout col";
	default: return "";
	}
}

static const char *array(const union row *r, const char *type, int nth)
{
	bool swaps = r->pattern == STENCIL ? r->variant == 9 : r->variant == 10;
	return s("%s[%s]%s", type, shape(r), layout(r, type[0] == 'P', swaps ? nth | 1 : nth));
}

static const char *pairs_of(const union row *r, int nth)
{
	return array(r, s("Pair_%s", T(r)), nth);
}

/* Declarations that rows of this type share; written once a file. */
static void prelude(const union row *r)
{
	const char *t = T(r);
	p("struct Pair_%s { x, y: %s }\n", t, t);
	p("fn before_%s(a: %s, b: %s) -> bool = %s;\n", t, t, t, is_bool(r) ? "!a && b" : "a > b");
	p("fn less_%s(a: Pair_%s, b: Pair_%s) -> bool = a.y != b.y ? %s : %s;\n", t, t, t, is_bool(r) ? "b.y" : "a.y < b.y",
	  is_bool(r) ? "!a.x && b.x" : "a.x < b.x");
	if (is_bool(r)) {
		p("fn blend_bool(a: bool, b: bool) -> bool = a ? !b : b;\n");
		p("const W_bool: bool[3] = [true, false, true];\n");
		return;
	}
	p("const W_%s: %s[3] = [%s];\n", t, t, is_float(r) ? "0.5, 0.25, 2" : "1, 2, 3");
	p("fn blend_%s(a: %s, b: %s) -> %s {\n", t, t, t, t);
	p("\tvar s: %s = a;\n\tfor q in 0..3 {\n", t);
	p("\t\tif s > b { s = %s(s - W_%s[q] * b); continue; }\n", t, t);
	p("\t\ts = %s(s + W_%s[q]);\n\t}\n\treturn s;\n}\n", t, t);
	p("op larger_%s(a: %s, b: %s) -> %s = %s ? a : b\n", t, t, t, t, is_float(r) ? "a > b || b != b" : "a > b");
	p("\tidentity %s, associative, commutative;\n", is_float(r) ? "-inf" : s("%s.min", t));
	p("op better_%s(a: Pair_%s, b: Pair_%s) -> Pair_%s = a.x > b.x || (a.x == b.x && a.y >= b.y) ? a : b\n",
	  t, t, t, t);
	p("\tassociative, commutative;\n");
	p("op first_%s(a: %s, b: %s) -> %s = a != 0 ? a : b identity 0, associative;\n", t, t, t, t);
}

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
		p("\tmap w[%s].y = %s, %s = w[%s].y;\n", own(r), pair_of(s("q[%s]", own(r)), "x"), y, own(r));
		break;
	case 2: p("\tmap %s = %s where mask[%s];\n", y, x, own(r)); break;
	case 3: p("\tmap %s = %s for ", y, mix(r, 2, two));
		for (int k = 0; k <= r->rank; k++)
			p("%s%s in %d..%s", k ? ", " : "", index_name[k], k == r->rank ? 2 : 0, size_name(r, k));
		p(";\n");
		break;
	case 4: p("\tmap %s %s %s;\n", y, is_bool(r) ? "^=" : "+=", x);
		if (!is_bool(r))
			p("\tmap %s max= %s;\n", y, z);
		break;
	case 5: p("\tmap %s = blend_%s(%s, %s);\n", y, t, x, z); break;
	case 6: p("\tmap %s = %s(%s %s W_%s[1]);\n", y, t, x, is_bool(r) ? "&" : "*", t); break;
	case 7:
		p("\tmap %s = %s, v[%s] = %s(%s %s %s);\n", y, x, own(r), t, y, is_bool(r) ? "|" : "-", z);
		break;
	case 8:
		if (is_bool(r))
			p("\tmap %s = %s && !%s || %s %% 3 == 0;\n", y, x, z, last);
		else if (is_float(r))
			p("\tmap %s = %s > 0 ? sqrt(%s) / (1 + abs(%s)) : min(%s, %s, 1);\n", y, x, x, z, x, z);
		else
			p("\tmap %s = %s(%s / %s + %s %% %s - (%s << 3) + (%s >> %s) ^ ~%s | %s & 5);\n", y, t, x,
			  z, x, z, x, x, z, z, x);
		break;
	case 9:
		p("\tlet u: %s[%s];\n\tmap u[%s] = %s;\n", t, shape(r), own(r), mix(r, 2, two));
		p("\tmap %s = %s(u[%s] %s row[%s] %s a);\n", y, t, own(r), is_bool(r) ? "^" : "+", last,
		  is_bool(r) ? "^" : "+");
		break;
	case 10:
		p("\trepeat t < steps {\n\t\tmap %s = %s(%s %s %s);\n\t\tswap y, v;\n\t}\n", y, t,
		  s("v[%s]", own(r)), is_bool(r) ? "^" : "+", x);
		break;
	default:
		p("\tmap %s = %s ? %s : %s where %s %% 2 == 0;\n", y, is_bool(r) ? z : s("%s < %s", x, z), x, z,
		  last);
		p("\tmap %s = %s where %s %% 2 == 1;\n", y, z, last);
	}
}

static void map_kernel(const union row *r)
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
			text = s("%s%s%s", text, *text ? ", " : "", names[names == index_name ? k : k + 2 - r->rank]);
	return text;
}

static char *target(const union row *r, const char *name)
{
	return kept_axes(r) ? s("%s[%s]", name, some_axes(r, true, index_name)) : s("%s", name);
}

static char *dims_of(const union row *r)
{
	return kept_axes(r) ? s("[%s]", some_axes(r, true, (const char *const[]){ "l", "m", "n" })) : s("%s", "");
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
		p("\treduce %s = %s[%s](%s);\n", target(r, r->variant % 3 == 2 ? "c" : "y"), f, over, x);
		p("\treduce %s = %s[%s](!%s)", target(r, "v"), fold[(r->variant + 1) % 2], over, x);
		p(";\n");
		if (r->variant % 3 != 2)
			p("\treduce %s = count[%s where %s](%s %% 2 == 0);\n", target(r, "c"), over, x, last);
		else
			p("\treduce %s = any[%s](%s && %s %% 5 == 0);\n", y, over, x, last);
		return;
	}
	switch (r->variant) {
	case 0: p("\treduce %s = sum[%s](%s);\n", y, over, x); break;
	case 1: p("\treduce %s = prod[%s](%s);\n", y, over, x); break;
	case 2: p("\treduce %s = min[%s](%s);\n", y, over, x); break;
	case 3: p("\treduce %s = max[%s](%s);\n", y, over, x); break;
	case 4: p("\treduce %s = sum[%s where %s > 0](%s * %s);\n", y, over, x, x, x); break;
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
		p("\treduce %s = better_%s[%s](q[%s]) where %s > 0;\n", target(r, "w"), t, over, own(r),
		  some_sizes(r));
		break;
	case 10:
		p("\tlet u: %s[%s];\n\tmap u[%s] = %s(%s %s %s);\n", t, shape(r), own(r), t, x,
		  is_float(r) ? "*" : "+", x);
		p("\treduce %s = max[%s](u[%s]);\n", y, over, own(r));
		break;
	default:
		p("\treduce %s = count[%s](%s > %s);\n", target(r, "c"), over, x, is_float(r) ? "0.5" : "3");
		p("\treduce %s = any[%s](%s == 0);\n", target(r, "b"), over, x);
	}
}

static void reduce_kernel(const union row *r)
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
	static const char *const lists[][RANKS] = {
		{ "wrap", "clamp", "mirror" }, { "mirror", NULL, "clamp" }, { "keep", "reflect", "wrap" },
		{ NULL, "wrap", "reflect" }
	};
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
		text = s("%s%s%s in 1..%s - 1", text, k ? ", " : "", index_name[k], size_name(r, k));
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
		p("\tlet u: %s[%s];\n\tmap u[%s] = %s(a[%s] %s a[%s]);\n", t, shape(r), own(r), t, own(r),
		  is_bool(r) ? "|" : "+", own(r));
	if (r->variant == 9)
		p("\trepeat t < steps {\n\t");
	p("\ts: stencil ");
	switch (r->variant) {
	case 6: p("%s %s %s", b, is_bool(r) ? "^=" : "+=", all); break;
	case 7: p("%s = blend_%s(%s, %s)", b, t, term[1], term[n - 1]); break;
	case 8: p("%s = %s, d[%s] = %s(%s %s %s)", b, all, own(r), t, b, is_bool(r) ? "^" : "-", term[1]);
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

static void stencil_kernel(const union row *r)
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
	case 1: p("\tcompact w, kept = q[%s] where %s else f;\n", own(r), chosen(r, s("q[%s].y", own(r)))); break;
	case 2: p("\tcompact y = %s where mask[%s] else v;\n", x, own(r)); break;
	case 3: p("\tcompact y, kept = %s where %s for ", x, some);
		for (int k = 0; k <= r->rank; k++)
			p("%s%s in %d..%s", k ? ", " : "", index_name[k], k == r->rank ? 2 : 0, size_name(r, k));
		p(";\n");
		break;
	case 4: p("\tcompact y, kept = %s, v = %s where %s;\n", x, z, some); break;
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
		p("\trepeat t < steps {\n\t\tcompact y, kept = %s where %s && (%s + t) %% 3 != 0;\n\t\tswap y, v;\n\t}\n", x,
		  some, last);
		break;
	default: p("\tcompact y, kept = %s where %s > 0 && %s != %s;\n", x, last, at(r, "x", r->rank, -1), x);
	}
}

static void compact_kernel(const union row *r)
{
	const char *t = T(r), *c = packed(r, false);
	int v = r->variant;
	p("kernel %s(x: %s, z: %s, %s y: %s, out kept: %s", kernel_name(r), array(r, t, 0), array(r, t, 1),
	  v == 10 ? "inout" : "out", c, v % 2 ? "i64" : "i32");
	if (v == 1)
		p(", q: %s, out w: %s, out f: %s", pairs_of(r, 3), packed(r, true), packed(r, true));
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
	static const char *const clause[] = {
		"", "exclusive", "from right", "segments off", "heads head from right", "keys key exclusive", "of c",
		"from true", "from right exclusive", "segments off exclusive from right", "heads head from false", "of (c + 1)"
	};
	static const char *const fold[] = { "any", "all" };
	p("\tscan %s = %s %s;\n", y, running(r, fold[r->variant % 2], x), clause[r->variant]);
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
	case 3: p("\tscan %s = max[%s where %s %% 5 != 2](%s);\n", y, axis, axis, x); break;
	case 4: p("\tscan %s = %s from right;\n", y, running(r, s("larger_%s", t), x)); break;
	case 5: p("\tscan %s = %s exclusive from right;\n", y, running(r, s("first_%s", t), x)); break;
	case 6: p("\tscan %s, %s = %s from right;\n", y, many, running(r, "argmax", x)); break;
	case 7:
		p("\tscan %s = %s(%s - %s), %s = %s + %s(%s > 0);\n", y, t, running(r, "max", x), x, many,
		  running(r, "count", s("%s > 0", x)), "i64", y);
		break;
	case 8: p("\tscan %s = %s(%s) segments off from right;\n", y, t, running(r, "sum", x)); break;
	case 9:
		p("\tscan w[%s] = %s heads head from right;\n", own(r), running(r, s("better_%s", t), s("q[%s]", own(r))));
		break;
	case 10:
		p("\tlet u: %s[%s];\n\tmap u[%s] = %s(%s + %s);\n", t, shape(r), own(r), t, x, x);
		p("\tscan %s = %s(%s) keys key exclusive from %s strict;\n", y, t, running(r, "sum", s("u[%s]", own(r))),
		  literal(r));
		break;
	default:
		p("\tscan %s = %s of c;\n", many, running(r, "count", s("%s > %s", x, literal(r))));
		p("\tscan %s = %s segments off exclusive from %s;\n", y, running(r, "max", x), literal(r));
	}
}

static void scan_kernel(const union row *r)
{
	const char *t = T(r);
	p("kernel %s(x: %s, inout y: %s, inout many: %s", kernel_name(r), array(r, t, 0), array(r, t, 1),
	  array(r, "i64", 2));
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
	char *y1 = at(r, "y", runs(r), -1), *y2 = at(r, "y", runs(r), -2), *next = at(r, "y", runs(r), 1);
	const char *c = literal(r);
	bool whole = !is_float(r);
	p("\tscan %s = ", y);
	if (is_bool(r)) {
		static const char *const clause[] = { "", "from true", "segments off", "heads head", "keys key", "of c" };
		p("(%s ○ %s) ◇ %s using ○ = %s, ◇ = %s %s;\n", r->variant % 5 ? y1 : next, b, x,
		  r->variant % 2 ? "&&" : "||", r->variant % 2 ? "||" : "&&", clause[r->variant / 2]);
		return;
	}
	switch (r->variant) {
	case 0: p("%s * %s + %s;\n", y1, whole ? "3" : "0.75", x); break;
	case 1: p("%s * %s + %s;\n", y1, b, x); break;
	case 2: p("%s + W_%s[1] * %s from %s;\n", x, T(r), y1, c); break;
	case 3: p("%s * %s + %s;\n", next, b, x); break;
	case 4: p("max(%s + %s, %s);\n", y1, b, x); break;
	case 5: p("min(max(%s, %s), %s);\n", y1, b, x); break;
	case 6: p("%s%s %s %s%s + %s;\n", whole ? "" : "0.5 * ", y1, whole ? "+" : "-", whole ? "" : "0.25 * ", y2, x);
		break;
	case 7: p("(%s ○ %s) ◇ %s using ○ = +, ◇ = min from %s;\n", y1, b, x, c); break;
	case 8: p("%s * %s + %s segments off;\n", y1, b, x); break;
	case 9: p("%s * %s + %s heads head from %s;\n", next, whole ? "2" : "0.5", x, c); break;
	case 10: p("(%s ○ %s) ◇ %s using ○ = +, ◇ = + keys key;\n", y1, b, x); break;
	default: p("max(min(%s, %s), %s) of c;\n", y1, b, x);
	}
}

static void recurrence_kernel(const union row *r)
{
	const char *t = T(r);
	p("kernel %s(x: %s, b: %s, inout y: %s", kernel_name(r), array(r, t, 0), array(r, t, 1), array(r, t, 2));
	cuts(r);
	recurrence_body(r);
	p("}\n\n");
}

/* ---- wavefronts ---- */

/* The cell of a table `rows` and `columns` away along the last two axes; with one axis the columns alone. */
static char *far_cell(const union row *r, const char *array, int rows, int columns)
{
	char *text = s("%s[", array);
	for (int k = 0; k <= r->rank; k++) {
		int by = k == r->rank ? columns : k == r->rank - 1 ? rows : 0;
		text = s("%s%s%s%s", text, k ? ", " : "", index_name[k], by ? s(" %c %d", by < 0 ? '-' : '+', abs(by)) : "");
	}
	return s("%s]", text);
}

static void wave_of_bits(const union row *r, const char *x)
{
	const char *left = far_cell(r, "y", 0, -1), *above = far_cell(r, "y", -1, -2), *old = far_cell(r, "y", 1, 1);
	p("\twavefront y[%s] = %s %s %s %s %s boundary %s;\n", own(r), left, r->variant % 2 ? "^" : "||", above,
	  r->variant % 3 ? "&&" : "^", r->variant % 4 ? x : old, r->variant % 5 ? "true" : "false");
}

/* Of one axis the neighbours above are those of the same row. */
static void wave_body(const union row *r)
{
	const char *left = far_cell(r, "y", 0, -1), *above = far_cell(r, "y", -1, r->rank ? 0 : -2);
	const char *corner = far_cell(r, "y", -1, r->rank ? -1 : -3), *knight = far_cell(r, "y", -1, r->rank ? 2 : -1);
	const char *after = far_cell(r, "y", 0, 1), *below = far_cell(r, "y", 1, r->rank ? 0 : 2);
	const char *x = s("x[%s]", own(r)), *b = s("b[%s]", own(r)), *y = s("y[%s]", own(r)), *t = T(r);
	const char *half = is_float(r) ? "0.25 * " : "3 * ", *last = index_name[r->rank], *c = literal(r);
	switch (r->variant) {
	case 0: p("\twavefront %s = %s(%s + %s + %s - %s) boundary 0;\n", y, t, x, left, above, corner); break;
	case 1: p("\twavefront %s = max(max(%s(%s - 2), %s(%s - 2)), max(%s(%s + %s), %s)) boundary %s;\n", y, t, left, t,
		  above, t, corner, x, b, c);
		break;
	case 2: p("\twavefront %s = %s(%s%s + %s%s - %s%s + %s) boundary %s(%s);\n", y, t, half, left, half, knight, half, corner,
		  x, t, last);
		break;
	case 3: p("\twavefront %s = %s(%s + %s%s + %s%s + %s%s) boundary %s;\n", y, t, y, half, left, half, above, half, below, c);
		break;
	case 4: p("\twavefront %s = %s(%s%s - %s%s + %s) boundary %s from right;\n", y, t, half, after, half,
		  far_cell(r, "y", r->rank ? -1 : 0, r->rank ? 0 : 2), x, c);
		break;
	case 5: p("\twavefront %s = %s(%s%s + %s%s + %s) boundary 0%s;\n", y, t, half, left, half,
		  r->rank ? below : corner, b, r->rank ? " from below" : "");
		break;
	case 6: p("\twavefront %s = %s(%s%s + %s) boundary 0 where %s %% 3 != 1;\n", y, t, half, above, x, last); break;
	case 7: p("\twavefront %s = %s(%s%s + %s%s) boundary %s for %s in 2..%s;\n", y, t, half, left, half, corner, c, last,
		  size_name(r, r->rank));
		break;
	case 8:
		p("\twavefront %s = max(%s(%s - 1), %s(%s - 3)), b[%s] = %s(%s - %s) boundary (%s, 0);\n", y, t, left, t,
		  far_cell(r, "b", -1, r->rank ? 0 : -1), own(r), t, y, far_cell(r, "b", 0, -1), c);
		break;
	case 9: p("\twavefront %s = blend_%s(%s, %s) boundary %s;\n", y, t, left, corner, c); break;
	case 10: p("\twavefront %s = larger_%s(larger_%s(%s, %s), %s) boundary %s;\n", y, t, t, left, above, x, c); break;
	default:
		p("\twavefront %s = (%s ○ %s) ◇ (%s ○ %s) ◇ %s using ○ = %s, ◇ = min boundary %s;\n", y, left, b, above, b, x,
		  is_half(r) ? "max" : "+", c);
	}
}

static void wave_kernel(const union row *r)
{
	const char *t = T(r);
	p("kernel %s(x: %s, inout b: %s, inout y: %s) {\n", kernel_name(r), array(r, t, 0), array(r, t, 1), array(r, t, 2));
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
	return s("%s[%s]%s", type, cut_by_data(r) ? shape(r) : short_rows[r->rank], layout(r, type[0] == 'P', nth));
}

static const char *order(const union row *r)
{
	static const char *const by[] = { "", "by >", "by <", "by >", "" };
	return is_bool(r) ? "by before_bool" : r->variant % 5 ? by[r->variant % 5] : s("by before_%s", T(r));
}

static void sort_body(const union row *r)
{
	static const char *const says[] = {
		"", "with z", "with z, mask stable", "into at first 3 stable", "", "with z, many stable", "with z first 2", "",
		"with q segments off stable", "with z stable", "with z of c", "into at stable"
	};
	const char *cut = r->rank || cut_by_data(r) ? "" : r->variant % 2 ? "of 13" : "of 5";
	switch (r->variant) {
	case 4: p("\tsegsort q with z, many by less_%s %s;\n", T(r), cut); break;
	case 7:
		p("\tlet u: %s[%s];\n\tmap u[%s] = z[%s];\n", T(r), r->rank ? r->rank > 1 ? "l, m, 6" : "m, 21" : "n", own(r), own(r));
		p("\tsegsort u with many %s stable %s;\n\tmap x[%s] = u[%s];\n", order(r), cut, own(r), own(r));
		break;
	case 9: p("\trepeat t < steps {\n\t\tsegsort x %s %s %s;\n\t\tswap x, z;\n\t}\n", says[9], order(r), cut); break;
	default: p("\tsegsort x %s %s %s;\n", says[r->variant], order(r), cut);
	}
}

static void sort_kernel(const union row *r)
{
	const char *t = T(r);
	int v = r->variant;
	p("kernel %s(inout x: %s, inout z: %s", kernel_name(r), sorted_array(r, t, v == 9 ? 1 : 0), sorted_array(r, t, 1));
	p(", inout many: %s, inout at: %s", sorted_array(r, "i64", 2), sorted_array(r, v % 2 ? "i32" : "u64", 3));
	p(", inout q: %s, inout mask: %s", sorted_array(r, s("Pair_%s", t), 3), sorted_array(r, "bool", 2));
	p(v == 8 ? ", off: i32[s]" : v == 10 ? ", c: i32" : v == 9 ? ", steps: i32" : "");
	p(") {\n");
	sort_body(r);
	p("}\n\n");
}

/* ---- transpose ---- */

/* Axes as the target has them: those of x, in another order. */
static const char *turned(const union row *r, const char *const *name)
{
	static const int order[5][3] = { { 0, 2, 1 }, { 1, 0, 2 }, { 1, 2, 0 }, { 2, 0, 1 }, { 2, 1, 0 } };
	const int *o = order[r->variant % 5];
	return r->rank == 1 ? s("%s, %s", name[1], name[0]) : s("%s, %s, %s", name[o[0]], name[o[1]], name[o[2]]);
}

static void turn_kernel(const union row *r)
{
	static const char *const axis[] = { "l", "m", "n" };
	const char *t = T(r), *dims = turned(r, axis + 2 - r->rank);
	char *x = s("x[%s]", own(r)), *z = s("z[%s]", own(r)), *y = s("y[%s]", turned(r, index_name));
	char *two[] = { x, z };
	p("kernel %s(x: %s, z: %s, q: %s, inout y: %s[%s]%s, out w: Pair_%s[%s]%s) {\n", kernel_name(r), array(r, t, 0), array(r, t, 1),
	  pairs_of(r, 3), t, dims, layout(r, false, 2), t, dims, layout(r, true, 4));
	switch (r->variant % 4) {
	case 0: p("\ttranspose %s = %s;\n", y, r->variant ? mix(r, 2, two) : x); break;
	case 1: p("\ttranspose w[%s] = q[%s];\n\ttranspose %s = q[%s].y where i %% 2 == 0;\n", turned(r, index_name), own(r), y, own(r)); break;
	default:
		p("\tlet u: %s[%s];\n\tmap u[%s] = blend_%s(%s, %s);\n", t, shape(r), own(r), t, x, z);
		p("\ttranspose %s %s u[%s];\n", y, is_bool(r) ? "^=" : "+=", own(r));
	}
	p("}\n\n");
}

/* ---- products ---- */

enum { VECTOR, MATRIX, SMALL };          /* what is computed: a vector, a matrix by tiles, many small ones */

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
	return s("%s[%s]%s", type, text[form(r)][nth][r->variant % 3 == 1], rows ? layout(r, false, nth) : "");
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
	p("\tmatmul y[%s] %s %s[e](%s %s %s)%s%s;\n", result(r), r->variant == 4 ? "^=" : "=", r->variant % 2 ? "any" : "all", x,
	  r->variant % 4 ? "&&" : "^", z, tail, *tail ? s("%s]", result(r)) : "");
}

static void product_body(const union row *r)
{
	const char *t = T(r), *y = s("y[%s]", result(r)), *x = factor_at(r, "x", 0), *z = factor_at(r, "z", 1);
	const char *sum = s("sum[e](%s * %s)", x, z), *last = index_name[form(r)];
	switch (r->variant) {
	case 0: case 1: p("\tmatmul %s = %s(%s);\n", y, t, sum); break;
	case 2: p("\tmatmul %s = %s(%s) where mask[%s];\n", y, t, sum, result(r)); break;
	case 3: p("\tmatmul %s = %s(%s) for i in 1..%s;\n", y, t, sum, form(r) == SMALL ? "l" : form(r) ? "m" : "n"); break;
	case 4: p("\tmatmul %s += %s(%s);\n", y, t, sum); break;
	case 5: p("\tmatmul %s = %s(min[e](%s + %s));\n", y, t, x, z); break;
	case 6: p("\tmatmul %s = %s(max[e](min(%s, %s)));\n", y, t, x, z); break;
	case 7: p("\tmatmul %s = %s_%s[e](%s(%s * %s));\n", y, is_float(r) ? "larger" : "first", t, t, x, z); break;
	case 8: p("\tmatmul %s = %s(2 * %s + %s(%s) * 3);\n", y, t, sum, wide(r), y); break;
	case 9:
		p("\tlet u: %s[%s];\n\tmatmul u[%s] = %s;\n", wide(r), form(r) == SMALL ? "l, 4, 3" : form(r) ? "m, n" : "n", result(r), sum);
		p("\tmap %s = %s(max(u[%s], 0) + u[%s]);\n", y, t, result(r), result(r));
		break;
	case 10: p("\tmatmul %s = %s(%s) strict;\n", y, t, sum); break;
	default: p("\tmatmul %s = %s(sum[e in 1..4](%s * %s) + %s(%s));\n", y, t, x, z, wide(r), last);
	}
}

/* Of tiles one form only, and mostly one way to load: each is a kernel. */
static void product_kernel(const union row *r)
{
	const char *t = T(r);
	p("kernel %s(x: %s, z: %s, inout y: %s", kernel_name(r), factor(r, t, 0), factor(r, t, 1), factor(r, t, 2));
	p(r->variant == 2 ? ", mask: %s) {\n" : ") {\n", factor(r, "bool", 2));
	if (is_bool(r))
		product_of_bits(r, factor_at(r, "x", 0), factor_at(r, "z", 1));
	else
		product_body(r);
	p("}\n");
	for (int g = 0; g < 2 && form(r) == MATRIX; g++)
		p("schedule %s for %s { tile 64 x 64%s; }\n", kernel_name(r), g ? "hip" : "cuda", r->variant % 4 ? ", vector 1" : "");
	p("\n");
}

/* ---- files ---- */

static void file_print(const union row *rows, int n, const char *path)
{
	static void (*const kernel[PATTERNS])(const union row *) = {
		map_kernel, reduce_kernel, stencil_kernel, compact_kernel, scan_kernel, recurrence_kernel, wave_kernel, sort_kernel,
		turn_kernel, product_kernel
	};
	bool told[TYPES] = { false };
	out = fopen(path, "w");
	if (!out) {
		fprintf(stderr, "patc-cover: cannot write %s: %s\n", path, strerror(errno));
		exit(3);
	}
	p("// Written by patc-cover: rows of a covering array; see tests/check/cover.c.\n\n");
	for (int i = 0; i < n; i++) {
		if (!told[rows[i].type])
			prelude(&rows[i]);
		told[rows[i].type] = true;
	}
	p("\n");
	for (int i = 0; i < n; i++)
		kernel[rows[i].pattern](&rows[i]);
	if (fclose(out)) {
		fprintf(stderr, "patc-cover: cannot write %s: %s\n", path, strerror(errno));
		exit(3);
	}
}

static int by_type(const void *a, const void *b)
{
	const union row *x = a, *y = b;
	return x->type != y->type ? x->type - y->type : memcmp(x->v, y->v, sizeof x->v);
}

int main(int argc, char **argv)
{
	static union row rows[MOST];
	int per_file = 24, all = 0, first = 1;
	for (; first < argc && argv[first][0] == '-'; first++)
		if (!strcmp(argv[first], "--all"))
			all = 1;
		else if (!strncmp(argv[first], "--kernels=", 10) && atoi(argv[first] + 10) > 0)
			per_file = atoi(argv[first] + 10);
		else
			first = argc;
	if (first + 1 != argc) {
		fprintf(stderr, "usage: patc-cover [--all] [--kernels=N] OUTDIR\n");
		return 2;
	}
	int n = each_row(rows, all);
	if (!all) {
		n = cover(rows, n);
		qsort(rows, (size_t)n, sizeof *rows, by_type);
	}
	int files = (n + per_file - 1) / per_file;
	for (int i = 0; i < files; i++) {
		int from = (int)((int64_t)n * i / files), to = (int)((int64_t)n * (i + 1) / files);
		file_print(rows + from, to - from, s("%s/cover_%03d.pat", argv[first], i));
	}
	printf("%d kernels in %d files\n", n, files);
	return 0;
}
