/* driver.c - drivers: C, valid as C++ too, that calls the kernels of a program through rt/check.h
 * or rt/bench.h and describes their parameters to it. */
#include "compare.h"

#include <ctype.h>
#include <inttypes.h>
#include <string.h>

enum { PIECES = 16 };                    /* pointers of a parameter: room in cells.h */

static bool by_value(const struct var *v)
{
	return v->rank == 0 && v->mode == MODE_IN;
}

/* Where the leaves of a value lie: in which piece, in which element of it, where in that. */
struct place { int piece; int64_t elem, inner; };

static int leaves_print(const struct type *t, const char *name, int64_t offset, struct place at,
                        FILE *out)
{
	int n = 0;
	if (t->kind == T_STRUCT) {
		for (int i = 0; i < t->record->field.n; i++) {
			const struct field *f = &t->record->field.at[i];
			struct place in = { at.piece, at.elem, at.inner + f->offset };
			n += leaves_print(f->type, str_print("%s.%s", name, f->name),
			                  offset + f->offset, in, out);
		}
		return n;
	}
	if (t->kind == T_ARRAY) {
		int64_t each = type_size(t->elem), count = type_size(t) / each;
		for (int64_t i = 0; i < count; i++) {
			struct place in = { at.piece, at.elem, at.inner + i * each };
			n += leaves_print(t->elem, str_print("%s[%" PRId64 "]", name, i),
			                  offset + i * each, in, out);
		}
		return n;
	}
	const char kind = t->kind == T_F16      ? 'H'
	                  : t->kind == T_BF16   ? 'T'
	                  : t->kind == T_F8E4M3 ? '4'
	                  : t->kind == T_F8E5M2 ? '5'
	                                        : type_class(t);
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
			const char *name = str_print(array ? ".%s[%" PRId64 "]" : ".%s", f->name,
			                             k);
			n += leaves_print(value, name, f->offset + k * type_size(value),
			                  (struct place){ i, k, 0 }, out);
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
		fprintf(out, "\t{ %d, %d, %" PRId64 " },\n", (int)each, (int)(type_size(t) / each),
		        field);
	}
}

static void argument_print(const struct var *v, int at, FILE *out)
{
	const char *is_const = v->mode == MODE_IN ? "const " : "";
	for (int k = 0; k < pointers_of(v); k++) {
		const char *c = type_c(v->type);
		if (is_apart(v))
			c = v->layout->block > 0 ? name_global(v->layout->record->name)
			                         : type_c(v->type->record->field.at[k].type);
		fprintf(out, ", %s(%s%s *)patc_p[%d]", by_value(v) ? "*" : "", is_const, c, at + k);
	}
}

/* The arguments, without the comma before the first. */
static void arguments_print(const struct entry *e, bool sizes_only, const char *rest, FILE *out)
{
	FILE *f = text_open();
	for (int k = 0; k < e->size.n; k++)
		fprintf(f, ", patc_n[%d]", k);
	for (int i = 0, at = 0; i < e->param.n && !sizes_only; i++) {
		argument_print(e->param.at[i], at, f);
		at += pointers_of(e->param.at[i]);
	}
	fputs(rest, f);
	const char *text = text_close(f);
	fputs(*text ? text + 2 : "", out);
}

static const char with_workspace[] = ", patc_w, patc_bytes, patc_stream";

void driver_arguments(const struct entry *e, FILE *out)
{
	arguments_print(e, false, with_workspace, out);
}

/* What is declared has names that no kernel has. */
static void thunks_print(const struct entry *e, FILE *out)
{
	const char *unused = "\t(void)patc_n, (void)patc_p;\n";
	fprintf(out,
	        "\nstatic int patc_host_%s(const int64_t *patc_n, void *const "
	        "*patc_p)\n{\n%s\treturn %s_host(",
	        e->c, unused, e->c);
	arguments_print(e, false, "", out);
	fprintf(out,
	        ");\n}\n\nstatic int patc_run_%s(const int64_t *patc_n, void *const *patc_p, "
	        "void *patc_w, size_t patc_bytes, void *patc_stream)\n{\n%s\treturn %s(",
	        e->c, unused, e->c);
	arguments_print(e, false, with_workspace, out);
	fprintf(out,
	        ");\n}\n\nstatic size_t patc_workspace_%s(const int64_t "
	        "*patc_n)\n{\n\t(void)patc_n;\n\treturn "
	        "%s_workspace(",
	        e->c, e->c);
	arguments_print(e, true, "", out);
	fputs(");\n}\n", out);
}

static void params_print(const struct entry *e, FILE *out)
{
	int *leaves = mem_new((size_t)(e->param.n + 1) * sizeof *leaves);
	for (int i = 0; i < e->param.n; i++) {
		const struct var *v = e->param.at[i];
		fprintf(out, "\nstatic const struct patc_check_leaf patc_leaf_%s_%d[] = {\n",
		        e->c, i);
		leaves[i] = is_apart(v)
		                    ? parts_print(v->type->record, out)
		                    : leaves_print(v->type, "", 0, (struct place){ 0, 0, 0 }, out);
		fprintf(out, "};\nstatic const struct patc_check_piece patc_piece_%s_%d[] = {\n",
		        e->c, i);
		pieces_print(v, out);
		fputs("};\n", out);
	}
	fprintf(out, "\nstatic const struct patc_check_param patc_param_%s[] = {\n", e->c);
	for (int i = 0; i < e->param.n; i++) {
		const struct var *v = e->param.at[i];
		bool blocks = v->layout && v->layout->block > 0;
		fprintf(out,
		        "\t{ \"%s\", %s, %s, %s, %s, %d, %d, { %d, %d }, %d, %d, %d, %d, "
		        "patc_piece_%s_%d, %d, patc_leaf_%s_%d },\n",
		        v->name, by_value(v) ? "true" : "false",
		        v->mode == MODE_IN ? "false" : "true",
		        v->layout && v->layout->col ? "true" : "false",
		        is_pitched(v) ? "true" : "false", v->rank, (int)type_size(v->type),
		        v->layout ? (int)v->layout->tile[0] : 0,
		        v->layout ? (int)v->layout->tile[1] : 0,
		        v->layout ? (int)v->layout->curve : 0,
		        blocks ? (int)v->layout->block : 0,
		        blocks ? (int)v->layout->record->size : 0, pieces_of(v), e->c, i,
		        leaves[i], e->c, i);
	}
	fprintf(out, "%s};\n", e->param.n ? "" : "\t{ 0 }\n");
	fprintf(out, "static const char *const patc_size_%s[] = { ", e->c);
	for (int k = 0; k < e->size.n; k++)
		fprintf(out, "\"%s\", ", e->size.at[k]->name);
	fputs("0 };\n", out);
}

static const char *in_capitals(const char *name)
{
	char *text = str_print("%s", name);
	for (char *c = text; *c; c++)
		*c = (char)toupper((unsigned char)*c);
	return text;
}

int kernel_number(const struct program *p, const struct entry *e)
{
	int i = 0;
	while (p->entry.at[i] != e)
		i++;
	return i;
}

bool driver_fits(const struct program *p)
{
	for (int i = 0; i < p->entry.n; i++) {
		const struct entry *e = p->entry.at[i];
		bool good = e->size.n <= NAMES && e->param.n <= NAMES;
		for (int k = 0; k < e->param.n; k++)
			good &= pieces_of(e->param.at[k]) <= PIECES;
		if (good)
			continue;
		diag_error(e->at, D_TEST_BUILD,
		           "kernel `%s` has too many parameters for a program that calls it",
		           e->name);
		diag_cure("%d sizes, %d parameters, %d fields of a parameter in pieces", NAMES,
		          NAMES, PIECES);
		return false;
	}
	return true;
}

void driver_kernels(const struct program *p, const struct target *target, const char *stem,
                    const char *common, FILE *out)
{
	if (target->gpu)
		fprintf(out, "#define CHECK_%s 1\n", in_capitals(target->name));
	fprintf(out, "#include \"%s\"\n#include \"%s.h\"\n", common, stem);
	for (int i = 0; i < p->entry.n; i++) {
		thunks_print(p->entry.at[i], out);
		params_print(p->entry.at[i], out);
	}
	fputs("\nstatic const struct patc_check_kernel patc_kernels[] = {\n", out);
	for (int i = 0; i < p->entry.n; i++) {
		const struct entry *e = p->entry.at[i];
		const char *c = e->c;
		fprintf(out,
		        "\t{ \"%s\", %d, %d, patc_size_%s, patc_param_%s, patc_host_%s, "
		        "patc_run_%s, patc_workspace_%s, "
		        "%s_status },\n",
		        e->name, e->size.n, e->param.n, c, c, c, c, c, c);
	}
	fputs("};\n", out);
}

void driver_print(const struct program *p, const struct target *target, const char *stem, FILE *out)
{
	fprintf(out, "/* Compares the kernels of %s with %s.dat. */\n", stem, stem);
	driver_kernels(p, target, stem, "check.h", out);
	fprintf(out, "\nint main(int argc, char **argv)\n{\n"
	        "\treturn patc_check_main(argc, argv, \"%s\", \"%s.dat\", patc_kernels, %d);\n}\n",
	        stem, stem, p->entry.n);
}
