/* gen.c - patc-gen: turns programs into comparisons of generated code with the reference.
 *
 *   patc-gen [--target=T] [--arch=A] [--seed=N] [--shapes=N] [--cells=N] [--no-pass=NAME]
 *            OUTDIR foo.pat...
 *
 * For every file: OUTDIR/foo.{cu,hip,c} and foo.h, as patc writes them; foo.dat, inputs and what
 * eval.c expects for every kernel and shape; foo_check.c, a driver over tests/check/check.h, valid
 * as C11 and C++17, that needs the folder of check.h and OUTDIR as include paths.
 *
 * Shapes.  A size takes the values that break kernels: 0, 1, lanes - 1, lanes + 1, tile - 1,
 * tile + 1, primes, more than one tile.  With several sizes, shapes are chosen greedily from
 * random candidates, each the one that shows the most new values and then the most new pairs of
 * values (AETG; Cohen et al., IEEE TSE 23(7), 1997), while all arrays together have at most
 * --cells=N (60000).
 * --shapes=0 goes on until a hundred choices in a row show nothing new.
 *
 * Data.  Shapes take turns: tame floats in [-2, 2) and small integers; integers of the full range
 * with both extremes; tame again; floats with zeros of both signs, infinities, NaN, the largest
 * and the smallest.  Integer scalars are small, since they are counts of passes as often as not.
 * Everything follows from --seed.
 *
 * An extern fn NAME means what fn NAME_reference of the same program says, if there is one; else its
 * results are open.  The interpreter runs before the passes, on the graph as sema left it. */
#include <assert.h>
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "road.h"
#include "sample.h"

enum { CANDIDATES = 60, MANY = 400, VALUES = 16 };
enum { NAMES = 64, PIECES = 16 };                /* sizes, and parameters; their pointers: room in check.h */
enum { SHIFTED = 1, NULLS = 2 };                 /* as in check.h */

static const int64_t value_of[VALUES] = {
	33, 0, 129, 1, 65, 31, 257, 7, 1025, 127, 63, 521, 255, 1023, 61, 2049
};

static int shapes_wanted = 12;
static int64_t cells_most = 60000;
static uint64_t seed = 1;

/* ---- shapes ---- */

struct shape { int64_t size[NAMES]; int pick[NAMES]; };

static int64_t extent_at(const struct entry *e, const struct affine *a, const struct shape *s)
{
	int64_t n = a->constant;
	for (int t = 0; t < a->n; t++)
		for (int k = 0; k < e->size.n; k++)
			if (e->size.at[k] == a->term[t].var)
				n += a->term[t].coef * s->size[k];
	return n;
}

static bool is_pitched(const struct var *v)
{
	return v->layout && v->layout->pitched;
}

/* A leading dimension that nothing else wants is a row and some more; now and then it is too small. */
static void choose_ld(const struct entry *e, const struct var *v, struct shape *s)
{
	static const int more[] = { 0, 1, 3, 4, 8, 15, -1, 64 };
	const struct affine *ld = &v->layout->ld;
	int64_t row = extent_at(e, &v->extent[v->layout->col ? 0 : v->rank - 1], s);
	for (int k = 0; ld->n == 1 && k < e->size.n; k++)
		if (e->size.at[k] == ld->term[0].var && extent_at(e, ld, s) < row) {
			s->size[k] = row + more[chance_below(&seed, 8)];
			s->size[k] = s->size[k] < 0 ? 0 : s->size[k];
		}
}

static void choose_lds(const struct entry *e, struct shape *s)
{
	for (int i = 0; i < e->param.n; i++)
		if (is_pitched(e->param.at[i]))
			choose_ld(e, e->param.at[i], s);
}

/* `empty` is what an axis without cells counts for. */
static int64_t cells_of(const struct entry *e, const struct var *v, const struct shape *s, int empty)
{
	int64_t cells = 1;
	for (int k = 0; k < v->rank; k++) {
		int64_t n = extent_at(e, &v->extent[k], s);
		cells = n <= 0 ? cells * empty : cells > INT32_MAX ? cells : cells * n;
	}
	return cells;
}

/* What the interpreter has to do: loops over the other axes of an empty array run all the same. */
static int64_t cells_of_all(const struct entry *e, const struct shape *s)
{
	int64_t cells = 0;
	for (int i = 0; i < e->param.n; i++)
		cells += cells_of(e, e->param.at[i], s, 1);
	for (int i = 0; i < e->let.n; i++)
		cells += cells_of(e, e->let.at[i], s, 1);
	return cells;
}

/* seen[k][a]: size k had value a; pair[...]: sizes k < l had values a and b together. */
struct cover { int sizes; bool *seen, *pair; };

static bool *cover_pair(const struct cover *c, int k, int a, int l, int b)
{
	return &c->pair[((k * c->sizes + l) * VALUES + a) * VALUES + b];
}

static int gain(const struct cover *c, const struct shape *s, bool mark)
{
	int news = 0;
	for (int k = 0; k < c->sizes; k++) {
		bool *one = &c->seen[k * VALUES + s->pick[k]];
		news += *one ? 0 : 1000;
		*one |= mark;
		for (int l = k + 1; l < c->sizes; l++) {
			bool *two = cover_pair(c, k, s->pick[k], l, s->pick[l]);
			news += !*two;
			*two |= mark;
		}
	}
	return news;
}

static void candidate(const struct entry *e, struct shape *s, int nth)
{
	for (int k = 0; k < e->size.n; k++) {
		s->pick[k] = e->size.n == 1 ? nth % VALUES : chance_below(&seed, VALUES);
		s->size[k] = value_of[s->pick[k]];
	}
	choose_lds(e, s);
}

/* The best of some candidates that fit; what does not fit shrinks until it does. */
static int best_shape(const struct entry *e, const struct cover *c, struct shape *best, int nth)
{
	int most = -1;
	for (int i = 0; i < CANDIDATES; i++) {
		struct shape s;
		candidate(e, &s, nth);
		for (int tries = 0; cells_of_all(e, &s) > cells_most && tries < 200 && e->size.n; tries++) {
			int k = chance_below(&seed, e->size.n);
			s.pick[k] = chance_below(&seed, VALUES);
			s.size[k] = value_of[s.pick[k]];
			choose_lds(e, &s);
		}
		if (cells_of_all(e, &s) > cells_most)
			continue;
		int news = gain(c, &s, false);
		if (news > most) {
			most = news;
			*best = s;
		}
	}
	return most;
}

static int choose_shapes(const struct entry *e, struct shape *shapes)
{
	int n = e->size.n, wanted = shapes_wanted, made = 0, idle = 0;
	struct cover c = { n, mem_new((size_t)(n * VALUES + 1)),
	                   mem_new((size_t)(n * n * VALUES * VALUES + 1)) };
	if (n == 0)
		wanted = 4;
	else if (n == 1 && (wanted > VALUES || wanted == 0))
		wanted = VALUES;
	for (int nth = 0; made < (wanted ? wanted : MANY) && idle < 100; nth++) {
		int news = best_shape(e, &c, &shapes[made], nth);
		idle = news > 0 || n == 0 ? 0 : idle + 1;
		if (news < 0 || (news == 0 && n > 0))
			continue;
		gain(&c, &shapes[made++], true);
	}
	return made;
}

/* ---- foo.dat ---- */

static bool by_value(const struct var *v)
{
	return v->rank == 0 && v->mode == MODE_IN;
}

static void put(const void *at, size_t bytes, FILE *out)
{
	if (bytes && fwrite(at, 1, bytes, out) != bytes)
		fail_io("cannot write the data file: %s", strerror(errno));
}

static void put_i32(int32_t x, FILE *out)
{
	put(&x, sizeof x, out);
}

static void *room(int64_t bytes)
{
	void *p = calloc((size_t)bytes + 1, 1);
	if (!p)
		fail_io("out of memory");
	return p;
}

static void put_error(const struct bound *b, FILE *out)
{
	bool exact = true;
	for (int64_t i = 0; i < b->cells; i++)
		exact &= b->error[i] == 0;
	put_i32(!exact, out);
	for (int64_t i = 0; i < b->cells && !exact; i++) {
		float e = nextafterf((float)b->error[i], INFINITY);
		if (b->error[i] == 0)
			e = 0;
		put(&e, sizeof e, out);
	}
}

static void bind(const struct entry *e, struct var *v, const struct shape *s, enum flavour how,
                 struct bound *b)
{
	b->var = v;
	b->cells = cells_of(e, v, s, 0);
	for (int k = 0; k < v->rank; k++)
		b->extent[k] = extent_at(e, &v->extent[k], s);
	int64_t each = type_size(v->type);
	unsigned char *data = b->data = room(b->cells * each);
	b->error = room(b->cells * (int64_t)sizeof(double));
	for (int64_t i = 0; i < b->cells; i++)
		sample(&seed, v->type, how, by_value(v), data + i * each);
}

static struct bound *bind_all(const struct entry *e, struct shape *s, enum flavour how)
{
	struct bound *b = room((e->size.n + e->param.n) * (int64_t)sizeof *b);
	for (int k = 0; k < e->size.n; k++) {
		b[k].var = e->size.at[k];
		b[k].data = &s->size[k];
	}
	for (int i = 0; i < e->param.n; i++)
		bind(e, e->param.at[i], s, how, &b[e->size.n + i]);
	return b;
}

/* What is too small is refused before it matters: then any distance will do that keeps rows apart. */
static int64_t pitch_at(const struct entry *e, const struct var *v, const struct shape *s)
{
	if (!is_pitched(v))
		return 0;
	int64_t ld = extent_at(e, &v->layout->ld, s);
	int64_t row = extent_at(e, &v->extent[v->layout->col ? 0 : v->rank - 1], s);
	return ld < row ? row : ld;
}

static void put_case(const struct entry *e, int kernel, struct shape *s, int nth, FILE *out)
{
	static const enum flavour turn[] = { TAME, WIDE, TAME, SPECIAL };
	int n = e->size.n + e->param.n;
	struct bound *b = bind_all(e, s, turn[nth % 4]);
	unsigned char **initial = room(n * (int64_t)sizeof *initial);
	for (int i = e->size.n; i < n; i++) {
		int64_t bytes = b[i].cells * type_size(b[i].var->type);
		initial[i] = room(bytes);
		memcpy(initial[i], b[i].data, (size_t)bytes);
	}
	int status = eval_entry(e, b, n);
	put_i32(kernel, out);
	put_i32((nth % 3 == 2 ? SHIFTED : 0) | (nth % 2 ? NULLS : 0), out);
	put_i32(status, out);
	put(s->size, (size_t)e->size.n * sizeof s->size[0], out);
	for (int i = e->size.n; i < n; i++) {
		size_t bytes = (size_t)(b[i].cells * type_size(b[i].var->type));
		put(&b[i].cells, sizeof b[i].cells, out);
		put(b[i].extent, (size_t)b[i].var->rank * sizeof b[i].extent[0], out);
		int64_t ld = pitch_at(e, b[i].var, s);
		put(&ld, sizeof ld, out);
		put(initial[i], bytes, out);
		if (b[i].var->mode != MODE_IN) {
			put(b[i].data, bytes, out);
			put_error(&b[i], out);
		}
		free(initial[i]);
		free(b[i].data);
		free(b[i].error);
	}
	free(initial);
	free(b);
}

static void data_print(const struct program *p, FILE *out)
{
	int32_t cases = 0;
	put("PATCDAT2", 8, out);
	put_i32(cases, out);
	for (int i = 0; i < p->entry.n; i++) {
		struct shape *shapes = mem_new(MANY * sizeof *shapes);
		int n = choose_shapes(p->entry.at[i], shapes);
		for (int k = 0; k < n; k++, cases++)
			put_case(p->entry.at[i], i, &shapes[k], k, out);
	}
	if (fseek(out, 8, SEEK_SET))
		fail_io("cannot write the data file: %s", strerror(errno));
	put_i32(cases, out);
}

/* ---- foo_check.c ---- */

/* Where the leaves of a value lie: in which piece, in which element of it, where in that. */
struct place { int piece; int64_t elem, inner; };

static int leaves_print(const struct type *t, const char *name, int64_t offset, struct place at, FILE *out)
{
	int n = 0;
	if (t->kind == T_STRUCT) {
		for (int i = 0; i < t->record->field.n; i++) {
			const struct field *f = &t->record->field.at[i];
			struct place in = { at.piece, at.elem, at.inner + f->offset };
			n += leaves_print(f->type, str_print("%s.%s", name, f->name), offset + f->offset, in, out);
		}
		return n;
	}
	if (t->kind == T_ARRAY) {
		int64_t each = type_size(t->elem), count = type_size(t) / each;
		for (int64_t i = 0; i < count; i++) {
			struct place in = { at.piece, at.elem, at.inner + i * each };
			n += leaves_print(t->elem, str_print("%s[%" PRId64 "]", name, i), offset + i * each, in, out);
		}
		return n;
	}
	const char kind = t->kind == T_F16 ? 'H' : t->kind == T_BF16 ? 'T' : type_class(t);
	fprintf(out, "\t{ \"%s\", '%c', %d, %d, %d, %d, %d },\n", name, kind, (int)type_size(t),
	        (int)offset, at.piece, (int)at.elem, (int)at.inner);
	return 1;
}

/* Of a struct whose fields lie apart, every field is a piece, every element of it a value. */
static int parts_print(const struct record *r, FILE *out)
{
	int n = 0;
	for (int i = 0; i < r->field.n; i++) {
		const struct field *f = &r->field.at[i];
		bool array = f->type->kind == T_ARRAY;
		const struct type *value = array ? f->type->elem : f->type;
		int64_t count = type_size(f->type) / type_size(value);
		for (int64_t k = 0; k < count; k++) {
			const char *name = str_print(array ? ".%s[%" PRId64 "]" : ".%s", f->name, k);
			n += leaves_print(value, name, f->offset + k * type_size(value), (struct place){ i, k, 0 }, out);
		}
	}
	return n;
}

static bool is_apart(const struct var *v)
{
	return v->layout && v->layout->block;
}

static int pieces_of(const struct var *v)
{
	return is_apart(v) ? v->type->record->field.n : 1;
}

/* Pointers that C takes. */
static int pointers_of(const struct var *v)
{
	return v->layout && v->layout->block > 0 ? 1 : pieces_of(v);
}

static void pieces_print(const struct var *v, FILE *out)
{
	if (!is_apart(v))
		fprintf(out, "\t{ %d, 1, 0 },\n", (int)type_size(v->type));
	for (int i = 0; is_apart(v) && i < v->type->record->field.n; i++) {
		const struct type *t = v->type->record->field.at[i].type;
		int64_t each = type_size(t->kind == T_ARRAY ? t->elem : t), field = 0;
		if (v->layout->block > 0)
			field = v->layout->record->field.at[i].offset;
		fprintf(out, "\t{ %d, %d, %" PRId64 " },\n", (int)each, (int)(type_size(t) / each), field);
	}
}

static void argument_print(const struct var *v, int at, FILE *out)
{
	const char *is_const = v->mode == MODE_IN ? "const " : "";
	for (int k = 0; k < pointers_of(v); k++) {
		const char *c = type_c(v->type);
		if (is_apart(v))
			c = v->layout->block > 0 ? name_safe(v->layout->record->name)
			                         : type_c(v->type->record->field.at[k].type);
		fprintf(out, ", %s(%s%s *)p[%d]", by_value(v) ? "*" : "", is_const, c, at + k);
	}
}

/* The arguments, without the comma before the first. */
static void arguments_print(const struct entry *e, bool sizes_only, const char *rest, FILE *out)
{
	char *text;
	size_t length;
	FILE *f = open_memstream(&text, &length);
	for (int k = 0; k < e->size.n; k++)
		fprintf(f, ", n[%d]", k);
	for (int i = 0, at = 0; i < e->param.n && !sizes_only; i++) {
		argument_print(e->param.at[i], at, f);
		at += pointers_of(e->param.at[i]);
	}
	fputs(rest, f);
	fclose(f);
	fputs(length > 2 ? text + 2 : "", out);
	free(text);
}

static void thunks_print(const struct entry *e, FILE *out)
{
	const char *unused = "\t(void)n, (void)p;\n";
	fprintf(out, "\nstatic int host_%s(const int64_t *n, void *const *p)\n{\n%s\treturn %s_host(",
	        e->name, unused, e->name);
	arguments_print(e, false, "", out);
	fprintf(out, ");\n}\n\nstatic int run_%s(const int64_t *n, void *const *p, void *w, "
	        "size_t bytes, void *stream)\n{\n%s\treturn %s(", e->name, unused, e->name);
	arguments_print(e, false, ", w, bytes, stream", out);
	fprintf(out, ");\n}\n\nstatic size_t workspace_%s(const int64_t *n)\n{\n\t(void)n;\n\treturn "
	        "%s_workspace(", e->name, e->name);
	arguments_print(e, true, "", out);
	fputs(");\n}\n", out);
}

static void params_print(const struct entry *e, FILE *out)
{
	int *leaves = mem_new((size_t)(e->param.n + 1) * sizeof *leaves);
	for (int i = 0; i < e->param.n; i++) {
		const struct var *v = e->param.at[i];
		fprintf(out, "\nstatic const struct check_leaf leaf_%s_%d[] = {\n", e->name, i);
		leaves[i] = is_apart(v) ? parts_print(v->type->record, out)
		                        : leaves_print(v->type, "", 0, (struct place){ 0, 0, 0 }, out);
		fprintf(out, "};\nstatic const struct check_piece piece_%s_%d[] = {\n", e->name, i);
		pieces_print(v, out);
		fputs("};\n", out);
	}
	fprintf(out, "\nstatic const struct check_param param_%s[] = {\n", e->name);
	for (int i = 0; i < e->param.n; i++) {
		const struct var *v = e->param.at[i];
		bool blocks = v->layout && v->layout->block > 0;
		fprintf(out, "\t{ \"%s\", %s, %s, %s, %s, %d, %d, %d, %d, %d, piece_%s_%d, %d, leaf_%s_%d },\n", v->name,
		        by_value(v) ? "true" : "false", v->mode == MODE_IN ? "false" : "true",
		        v->layout && v->layout->col ? "true" : "false", is_pitched(v) ? "true" : "false", v->rank,
		        (int)type_size(v->type), blocks ? (int)v->layout->block : 0,
		        blocks ? (int)v->layout->record->size : 0, pieces_of(v), e->name, i, leaves[i], e->name, i);
	}
	fprintf(out, "%s};\n", e->param.n ? "" : "\t{ 0 }\n");
	fprintf(out, "static const char *const size_%s[] = { ", e->name);
	for (int k = 0; k < e->size.n; k++)
		fprintf(out, "\"%s\", ", e->size.at[k]->name);
	fputs("0 };\n", out);
}

static void driver_print(const struct program *p, const struct options *o, const char *stem,
                         FILE *out)
{
	fprintf(out, "/* Written by patc-gen: compares the kernels of %s with %s.dat. */\n", stem, stem);
	if (o->target->gpu)
		fprintf(out, "#define CHECK_%s 1\n", strcmp(o->target->name, "hip") ? "CUDA" : "HIP");
	fprintf(out, "#include \"check.h\"\n#include \"%s.h\"\n", stem);
	for (int i = 0; i < p->entry.n; i++) {
		thunks_print(p->entry.at[i], out);
		params_print(p->entry.at[i], out);
	}
	fputs("\nstatic const struct check_kernel kernels[] = {\n", out);
	for (int i = 0; i < p->entry.n; i++) {
		const struct entry *e = p->entry.at[i];
		const char *k = e->name;
		fprintf(out, "\t{ \"%s\", %d, %d, size_%s, param_%s, host_%s, run_%s, workspace_%s, "
		        "%s_status },\n", k, e->size.n, e->param.n, k, k, k, k, k, k);
	}
	fprintf(out, "};\n\nint main(int argc, char **argv)\n{\n"
	        "\treturn check_main(argc, argv, \"%s\", \"%s.dat\", kernels, %d);\n}\n",
	        stem, stem, p->entry.n);
}

/* ---- one file ---- */

static FILE *create(const char *path)
{
	FILE *f = fopen(path, "wb");
	if (!f)
		fail_io("cannot write %s: %s", path, strerror(errno));
	return f;
}

static void finish(FILE *f, const char *path)
{
	if (ferror(f) | fclose(f))
		fail_io("cannot write %s: %s", path, strerror(errno));
}

static bool source_print(struct program *p, const struct options *o, const char *stem,
                         const char *dir)
{
	char *header = str_print("%s/%s.h", dir, stem);
	program_schedule(p, o);
	if (diag_errors())
		return false;
	struct plans plans = program_lower(p, o);
	FILE *f = create(o->output);
	o->target->print(p, plans.at, plans.n, o, f);
	finish(f, o->output);
	f = create(header);
	header_print(p, o, str_print("%s.h", stem), f);
	finish(f, header);
	return !diag_errors();
}

static const char *stem_of(const char *path)
{
	const char *slash = strrchr(path, '/');
	char *stem = str_print("%s", slash ? slash + 1 : path);
	char *dot = strrchr(stem, '.');
	if (dot && dot != stem)
		*dot = 0;
	return stem;
}

static struct fn *fn_named(const struct program *p, const char *name)
{
	for (int i = 0; i < p->fn.n; i++)
		if (!strcmp(p->fn.at[i]->name, name))
			return p->fn.at[i];
	return NULL;
}

static void meanings(const struct program *p)
{
	for (int i = 0; i < p->fn.n; i++) {
		struct fn *f = p->fn.at[i], *means;
		if (!f->from || !(means = fn_named(p, str_print("%s_reference", f->name))))
			continue;
		bool equal = means->type == f->type && means->param.n == f->param.n;
		for (int k = 0; equal && k < f->param.n; k++)
			equal = means->param.at[k]->type == f->param.at[k]->type;
		if (!equal)
			fail_usage("%s and %s_reference differ in their types", f->name, f->name);
		f->meaning = means;
	}
}

static bool generate(const char *path, const char *dir, struct options *o)
{
	const char *stem = stem_of(path);
	struct ast_file *tree = parse_file(path, o);
	struct program *p = diag_errors() ? NULL : sema_check(tree, path, o);
	if (!p || diag_errors())
		return false;
	for (int i = 0; i < p->entry.n; i++)
		if (p->entry.at[i]->size.n > NAMES || p->entry.at[i]->param.n > NAMES)
			fail_usage("%s: %s has more than %d parameters", path, p->entry.at[i]->name, NAMES);
	for (int i = 0; i < p->entry.n; i++)
		for (int k = 0; k < p->entry.at[i]->param.n; k++)
			if (pieces_of(p->entry.at[i]->param.at[k]) > PIECES)
				fail_usage("%s: a parameter of %s has more than %d fields", path, p->entry.at[i]->name, PIECES);
	meanings(p);
	o->output = str_print("%s/%s%s", dir, stem, o->target->suffix);
	o->header = str_print("%s.h", stem);
	char *data = str_print("%s/%s.dat", dir, stem), *driver = str_print("%s/%s_check.c", dir, stem);
	FILE *f = create(data);
	data_print(p, f);
	finish(f, data);
	f = create(driver);
	driver_print(p, o, stem, f);
	finish(f, driver);
	return source_print(p, o, stem, dir);
}

/* The value of --NAME=VALUE, or NULL. */
static const char *option(const char *word, const char *name)
{
	size_t n = strlen(name);
	return !strncmp(word, name, n) && word[n] == '=' ? word + n + 1 : NULL;
}

static void option_take(const char *word, struct options *o)
{
	const char *v;
	if ((v = option(word, "--target")))
		o->target = target_find(v);
	else if ((v = option(word, "--arch")))
		o->arch = v;
	else if ((v = option(word, "--seed")))
		seed = strtoull(v, NULL, 10);
	else if ((v = option(word, "--shapes")))
		shapes_wanted = atoi(v) < 0 || atoi(v) > MANY ? MANY : atoi(v);
	else if ((v = option(word, "--cells")))
		cells_most = atoi(v) > 0 ? atoi(v) : cells_most;
	else if ((v = option(word, "--no-pass")))
		list_add(&o->no_pass, v);
	else
		fail_usage("patc-gen: no option %s", word);
}

int main(int argc, char **argv)
{
	struct options o = { .color = 0 };
	const char *dir = NULL;
	int first = 1;
	o.target = target_find("cpu");
	for (; first < argc && argv[first][0] == '-'; first++)
		option_take(argv[first], &o);
	if (argc - first < 2)
		fail_usage("patc-gen [--target=T] [--arch=A] [--seed=N] [--shapes=N] [--cells=N] "
		           "OUTDIR foo.pat...");
	if (o.target && o.arch)
		o.target = target_arch(o.target, o.arch);
	if (!o.target)
		fail_usage("patc-gen: no such target or architecture");
	dir = argv[first++];
	bool fine = true;
	uint64_t start = seed;
	for (; first < argc; first++) {
		seed = start;
		fine &= generate(argv[first], dir, &o);
	}
	return fine ? 0 : 1;
}
