/* cover_text.c - what kernels of all patterns write: names, types, layouts, terms, and what a file
 * declares first. */
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include "cover.h"

static const char *const type_name[TYPES] = {
	"f32", "f64", "i32", "i64", "u8", "i8", "u16", "i16", "u32", "u64", "f16", "bf16",
	"bool"
};
static const char *const pattern_name[PATTERNS] = { "map",  "reduce",  "stencil", "compact",
	                                            "scan", "recur",   "wave",    "sort",
	                                            "turn", "product", "meet" };
const char *const boundary_name[BOUNDARIES] = {
	"none", "clamp", "wrap", "mirror", "reflect", "constant", "formula", "keep", "mixed",
	"mixed_value", "mixed_keep", "value_wrap"
};
const char *const stage_name[STAGES] = { "auto", "l1", "shared" };
static const char *const layout_name[LAYOUTS] = {
	"", "_col", "_ld", "_col_ld", "_crossed", "_apart"
};

FILE *out;

void p(const char *format, ...)
{
	va_list list;
	va_start(list, format);
	vfprintf(out, format, list);
	va_end(list);
}

/* A few strings that live until the next few hundred are made. */
char *s(const char *format, ...)
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

const char *T(const union row *r) { return type_name[r->type]; }
bool is_half(const union row *r) { return strstr(T(r), "f16") != NULL; }
bool is_float(const union row *r) { return strchr(T(r), 'f') != NULL; }
bool is_bool(const union row *r) { return !strcmp(T(r), "bool"); }

/* The type folds of T are computed in: R3. */
const char *wide(const union row *r)
{
	const char *t = T(r);
	return is_half(r) ? "f32" : !strcmp(t + 1, "8") || !strcmp(t + 1, "16") ? "i32" : t;
}

const char *shape(const union row *r)
{
	static const char *const text[] = { "n", "m, n", "l, m, n" };
	return text[r->rank];
}

const char *own(const union row *r)
{
	static const char *const text[] = { "i", "i, j", "i, j, k" };
	return text[r->rank];
}

const char *const index_name[RANKS] = { "i", "j", "k" };
const char *size_name(const union row *r, int axis)
{
	static const char *const text[] = { "l", "m", "n" };
	return text[axis + 2 - r->rank];
}

char *at(const union row *r, const char *array, int axis, int offset)
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
char *mix(const union row *r, int n, char *const *term)
{
	static const char *const weight[] = { "0.5 * ", "0.25 * ", "0.125 * ", "0.75 * ",
		                              "0.375 * " };
	char *text = s("%s", "");
	for (int i = 0; i < n; i++)
		if (is_bool(r))
			text = s("%s%s%s", text, i ? " ^ " : "", term[i]);
		else if (is_float(r))
			text = s("%s%s%s%s", text, i ? i % 3 == 2 ? " - " : " + " : "",
			         weight[i % 5], term[i]);
		else
			text = s("%s%s%s%s", text, i ? i % 3 == 2 ? " - " : " + " : "",
			         i ? s("%d * ", 2 * i + 1) : "", term[i]);
	return text;
}

/* Which side, and how it is asked, take turns: only the condition keeps the read inside. */
char *guarded(const union row *r, const char *array, const char *otherwise)
{
	const char *last = index_name[r->rank], *size = size_name(r, r->rank);
	switch ((r->variant + r->type + r->layout) % 4) {
	case 0: return s("(%s > 0 ? %s : %s)", last, at(r, array, r->rank, -1), otherwise);
	case 1:
		return s("(%s + 1 < %s ? %s : %s)", last, size, at(r, array, r->rank, 1),
		         otherwise);
	case 2:
		return s("(%s == 0 || %s >= %s ? %s : %s)", last, last, size, otherwise,
		         at(r, array, r->rank, -1));
	default:
		return s("(%s >= 2 && %s - 1 < %s ? %s : %s)", last, last, size,
		         at(r, array, r->rank, -2), otherwise);
	}
}

const char *literal(const union row *r)
{
	return is_bool(r) ? "true" : is_float(r) ? "0.375" : "3";
}

const char *kernel_name(const union row *r)
{
	char *name = s("%s_%s_%d_v%d%s", pattern_name[r->pattern], T(r), r->rank + 1, r->variant,
	               layout_name[r->layout]);
	return r->pattern != STENCIL ? name
	       : s("%s_%s_%s", name, boundary_name[r->boundary], stage_name[r->stage]);
}

/* The layout of a kernel's nth array.  One axis has no rows that could stand apart; what is swapped
 * is laid out alike: crossed arrays are, behind the first. */
const char *layout(const union row *r, bool record, int nth)
{
	switch (r->layout) {
	case COLUMNS: return record ? " layout col soa" : " layout col";
	case ROWS_LD: return r->rank ? " layout row(ld)" : "";
	case COLUMNS_LD:
		return r->rank ? record ? " layout aosoa(3) col(lc)" : " layout col(lc)" : "";
	case CROSSED: return nth == 0 ? " layout col" : r->rank ? " layout row(ld)" : "";
	case APART:
		return record         ? nth % 2 ? " layout soa" : " layout aosoa(8)"
		       : nth % 2 == 0 ? " layout col"
		       : r->rank      ? " layout tiled(4, 6)"
		                      : "";
	default: return "";
	}
}

const char *array(const union row *r, const char *type, int nth)
{
	bool swaps = r->pattern == STENCIL ? r->variant == 9 : r->variant == 10;
	return s("%s[%s]%s", type, shape(r), layout(r, type[0] == 'P', swaps ? nth | 1 : nth));
}

const char *pairs_of(const union row *r, int nth)
{
	return array(r, s("Pair_%s", T(r)), nth);
}

/* Declarations that rows of this type share; written once a file. */
void prelude(const union row *r)
{
	const char *t = T(r);
	p("struct Pair_%s { x, y: %s }\n", t, t);
	p("fn before_%s(a: %s, b: %s) -> bool = %s;\n", t, t, t, is_bool(r) ? "!a && b" : "a > b");
	p("fn less_%s(a: Pair_%s, b: Pair_%s) -> bool = a.y != b.y ? %s : %s;\n", t, t, t,
	  is_bool(r) ? "b.y" : "a.y < b.y", is_bool(r) ? "!a.x && b.x" : "a.x < b.x");
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
	p("op larger_%s(a: %s, b: %s) -> %s = %s ? a : b\n", t, t, t, t,
	  is_float(r) ? "a > b || b != b" : "a > b");
	p("\tidentity %s, associative, commutative;\n", is_float(r) ? "-inf" : s("%s.min", t));
	p("op better_%s(a: Pair_%s, b: Pair_%s) -> Pair_%s = a.x > b.x || (a.x == b.x && a.y >= "
	  "b.y) ? a : b\n",
	  t, t, t, t);
	p("\tassociative, commutative;\n");
	p("op first_%s(a: %s, b: %s) -> %s = a != 0 ? a : b identity 0, associative;\n", t, t, t,
	  t);
}
