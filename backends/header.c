/* header.c - the header: plain C99 that is valid C++ and needs no GPU header.
 *
 * The statuses are macros without a guard: several generated headers may define them, equally. A
 * struct has a guard of its own name and fields: two programs may share it (R25), and where theirs
 * differ C says so. */
#include "ask.h"
#include "host.h"

#include <ctype.h>
#include <inttypes.h>
#include <string.h>

/* The name by which a source file includes the header; main has refused what would end it early. */
const char *header_name(const struct options *options)
{
	const char *slash = strrchr(options->header, '/');
	return slash ? slash + 1 : options->header;
}

static const char *guard_name(const char *file)
{
	char *guard = str_print("PATC_%s", file_base(file));
	for (char *c = guard; *c; c++)
		*c = (char)(isalnum((unsigned char)*c) ? toupper((unsigned char)*c) : '_');
	return guard;
}

#define STATUS(id, number, text) {#id, number, text},
static const struct { const char *id; int number; const char *text; } statuses[] = {
#include "status.def"
};
#undef STATUS

void print_statuses(FILE *out)
{
	fputs("/* What the functions return. */\n", out);
	for (size_t i = 0; i < sizeof statuses / sizeof *statuses; i++)
		fprintf(out, "#define PATC_%-10s %d  /* %s */\n",
		        statuses[i].id + 3, statuses[i].number,
		        statuses[i].text);
	fputc('\n', out);
}

const char *required_name(int k)
{
	return k ? str_print("PATC_REQUIRED + %d", k) : "PATC_REQUIRED";
}

static bool has_own_statuses(const struct entry *e, const struct options *options)
{
	return e->require.n || options->check_accesses;
}

/* What the kernel requires; NULL: of none. */
static void print_required(const struct entry *e, FILE *out)
{
	for (int k = 0; e && k < e->require.n; k++)
		fprintf(out, "\tcase %s: return \"%s\";\n", required_name(k),
		        entry_status(e, ST_REQUIRED + k));
}

static void print_own_statuses(const struct entry *e, const struct options *options, FILE *out)
{
	if (options && options->check_accesses)
		fputs("\tcase PATC_CHECK: return \"" OFFENCE_TEXT "\";\n", out);
	print_required(e, out);
}

static void print_strerror(const char *storage, const char *name, const struct entry *e,
                           const struct options *options, FILE *out)
{
	fprintf(out, "%sconst char *%s(int status)\n{\n\tswitch (status) {\n", storage, name);
	for (size_t i = 0; i < sizeof statuses / sizeof *statuses; i++)
		fprintf(out, "\tcase PATC_%s: return \"%s\";\n", statuses[i].id + 3,
		        statuses[i].text);
	print_own_statuses(e, options, out);
	fputs("\t}\n\treturn \"unknown status\";\n}\n", out);
}

/* One function alone has the list of its own. */
static bool is_list_shared(const struct program *program, const struct options *options)
{
	return options->helpers || program->entry.n > 1;
}

void strerror_print(const struct program *program, const struct entry *e,
                    const struct options *options, FILE *out)
{
	if (!is_list_shared(program, options)) {
		print_strerror("", str_print("%s_strerror", e->c), e, options, out);
		return;
	}
	fprintf(out, "const char *%s_strerror(int status)\n{\n", e->c);
	if (has_own_statuses(e, options)) {
		fputs("\tswitch (status) {\n", out);
		print_own_statuses(e, options, out);
		fputs("\t}\n", out);
	}
	fputs("\treturn patc_strerror(status);\n}\n", out);
}

void strerror_print_shared(const struct program *program, const struct options *options, FILE *out)
{
	if (!options->helpers && is_list_shared(program, options)) {
		print_strerror("static ", "patc_strerror", NULL, NULL, out);
		fputc('\n', out);
	}
}

void strerror_print_helper(FILE *out)
{
	print_strerror("static inline ", "patc_strerror", NULL, NULL, out);
	fputc('\n', out);
}

static int64_t array_cells(const struct type *t)
{
	int64_t cells = 1;
	for (int i = 0; i < t->rank; i++)
		cells *= t->extent[i];
	return cells;
}

/* A name of C, and that of the .pat where it is another. */
static const char *called(const char *c, const char *own)
{
	return strcmp(c, own) ? str_print("%s (%s in the program)", c, own) : c;
}

void struct_print(const struct record *r, FILE *out)
{
	const char *name = name_global(r->name);
	if (strcmp(name, r->name))
		fprintf(out, "/* %s */\n", called(name, r->name));
	fprintf(out, "typedef struct %s {\n", name);
	for (int i = 0; i < r->field.n; i++) {
		const struct field *f = &r->field.at[i];
		fprintf(out, "\t%s %s", type_c(f->type), name_safe(f->name));
		if (f->type->kind == T_ARRAY)
			fprintf(out, "[%" PRId64 "]", array_cells(f->type));
		bool renamed = strcmp(name_safe(f->name), f->name) != 0;
		const char *note = str_print("  /* %s in the program */", f->name);
		fprintf(out, ";%s\n", renamed ? note : "");
	}
	fprintf(out, "} %s;\n", name);
}

static void print_struct(const struct record *r, FILE *out)
{
	FILE *text = text_open();
	struct_print(r, text);
	const char *s = text_close(text), *guard = str_print("PATC_STRUCT_%s_%016" PRIx64,
	                                                     name_global(r->name), text_hash(s));
	fprintf(out, "#ifndef %s\n#define %s\n%s#endif\n\n", guard, guard, s);
}

/* What the caller must have room for. */
static const char *tiles(const struct var *v)
{
	const int64_t *tile = v->layout->tile;
	const struct affine *extent = &v->extent[v->rank - 2];
	return str_print("room for whole tiles: %s to a multiple of %" PRId64 ", %s of %" PRId64,
	                 affine_text(&extent[0]), tile[0], affine_text(&extent[1]), tile[1]);
}

/* Where a cell lies. */
static const char *along_curve(const struct var *v)
{
	const char *side = affine_text(&v->extent[0]), *at = v->rank == 2 ? "i, j" : "i, j, k";
	if (v->layout->curve == CURVE_MORTON)
		return str_print("sides of %s, 0 or a power of two: the number of [%s] has their "
		                 "bits by turns, i's highest",
		                 side, at);
	return str_print("sides of %s, 0 or a power of two: the number of [%s] is hilbert%d(%s, "
	                 "%s) of patc-language(7)",
	                 side, at, v->rank, side, at);
}

/* As the .pat declares it: pass_layout has turned the shape of col and taken structs apart. */
static const char *shape(const struct var *v)
{
	const char *s = "", *type = type_name(v->type);
	bool col = v->layout && v->layout->col;
	if (v->layout && v->layout->block > 0)
		type = v->type->record->of->name;
	for (int i = 0; i < v->rank; i++)
		s = str_print("%s%s%s", s, i ? ", " : "",
		              affine_text(&v->extent[col ? v->rank - 1 - i : i]));
	s = v->rank ? str_print("%s[%s]", type, s) : type;
	s = v->layout ? str_print("%s layout %s", s, layout_text(v->layout)) : s;
	if (var_curved(v))
		return str_print("%s (%s)", s, along_curve(v));
	return var_tiled(v) ? str_print("%s (%s)", s, tiles(v)) : s;
}

/* A field that is an array: [9][n] values, in memory element after element. */
static const char *part(const struct var *v)
{
	const char *s = str_print("field %s of %s: %s", v->part->name, v->whole->name,
	                          shape(v->whole));
	if (v->part->type->kind != T_ARRAY)
		return s;
	return str_print("%s, element after element", s);
}

static const char *role(const struct var *v)
{
	if (v->rank == 0 && !var_on_device(v))
		return "";
	const char *role = v->mode == MODE_IN    ? ", read"
	                   : v->mode == MODE_OUT ? ", written"
	                                         : ", read and written";
	if (!v->reshaped)
		return role;
	return str_print("%s; its cells lie as %s[%s, %s] then", role, type_name(v->type),
	                 affine_text(&v->extent[1]), affine_text(&v->extent[0]));
}

/* Of several targets those whose pointers are the host's, and the others. */
static int targets_of(const struct options *o, bool gpu)
{
	int n = o->contest.n == 0 && o->target && o->target->gpu == gpu;
	for (int i = 0; i < o->contest.n; i++)
		n += o->contest.at[i]->gpu == gpu;
	return n;
}

static const char *pointers(const struct options *o)
{
	if (targets_of(o, false) && targets_of(o, true))
		return " * For the target cpu, pointers are the host's and stream is ignored.  For "
		       "others, those of\n"
		       " * the first function are the device's; it enqueues on the stream and "
		       "returns.  What is\n"
		       " * written overlaps nothing else.\n";
	if (targets_of(o, false))
		return " * Pointers are the host's; stream is ignored.  What is written overlaps "
		       "nothing else.\n";
	return " * Pointers of the first function are the device's; it enqueues on the stream "
	       "and\n"
	       " * returns.  What is written overlaps nothing else.\n";
}

/* One line for each argument, as the .pat declares it. */
static void print_comment(const struct entry *e, const struct options *o, FILE *out)
{
	fprintf(out, "/* %s\n", called(e->c, e->name));
	for (int i = 0; i < e->size.n; i++)
		fprintf(out, " *   %s: a size, not negative\n",
		        called(kir_safe(e->size.at[i]->name), e->size.at[i]->name));
	for (int i = 0; i < e->param.n; i++) {
		const struct var *v = e->param.at[i];
		fprintf(out, " *   %s: %s%s\n", called(kir_safe(v->name), v->name),
		        v->whole ? part(v) : shape(v), role(v));
	}
	for (int k = 0; k < e->require.n; k++)
		fprintf(out, " *   requires %s (else %s)\n", expr_text(e->require.at[k]),
		        required_name(k));
	fputs(pointers(o), out);
	fputs(" * The workspace has *_workspace() bytes (SIZE_MAX: the sizes are refused), starts "
	      "at a\n"
	      " * multiple of 8 and belongs to one call at a time.  *_status() waits and returns "
	      "what\n"
	      " * only the data showed; *_host() takes pointers of the host, copies, runs, waits, "
	      "frees. */\n",
	      out);
}

static void print_entry(const struct entry *e, const struct options *options, FILE *out)
{
	print_comment(e, options, out);
	cprint_line(str_print("size_t %s_workspace(%s);", e->c, size_params(e)), 0, out);
	cprint_line(
		str_print("int %s(%s);", e->c,
	                  entry_params(e, "void *workspace, size_t workspace_bytes, void *stream")),
		0, out);
	cprint_line(str_print("int %s_host(%s);", e->c, entry_params(e, "")), 0, out);
	fprintf(out, "int %s_status(void *workspace, void *stream);\n", e->c);
	fprintf(out, "const char *%s_strerror(int status);\n", e->c);
	if (options->check_accesses)
		offence_declare(e, out);
	if (nodes_solve(e->body.at, e->body.n))
		systems_declare(e, out);
	fputc('\n', out);
}

static bool has_requirements(const struct program *program)
{
	for (int i = 0; i < program->entry.n; i++)
		if (program->entry.at[i]->require.n)
			return true;
	return false;
}

static bool has_systems(const struct program *program)
{
	bool any = false;
	for (int i = 0; i < program->entry.n; i++)
		any |= nodes_solve(program->entry.at[i]->body.at, program->entry.at[i]->body.n);
	return any;
}

void header_print(const struct program *program, const struct options *options, const char *name,
                  FILE *out)
{
	const char *guard = guard_name(name_prefixed(name));
	kir_reserve(program);
	print_origin(program, out);
	fprintf(out,
	        "#ifndef %s\n#define %s\n\n#include <stdbool.h>\n#include <stddef.h>\n"
	        "#include <stdint.h>\n\n#ifdef __cplusplus\nextern \"C\" {\n#endif\n\n",
	        guard, guard);
	print_statuses(out);
	if (has_requirements(program))
		fprintf(out,
		        "#define PATC_REQUIRED   %d  /* the first condition that a kernel requires "
		        "does not hold; the next is one more */\n\n",
		        ST_REQUIRED);
	if (options->check_accesses)
		offence_define(out);
	if (has_systems(program))
		systems_define(out);
	for (int i = 0; i < program->record.n; i++)
		print_struct(program->record.at[i], out);
	for (int i = 0; i < program->entry.n; i++)
		print_entry(program->entry.at[i], options, out);
	fputs("#ifdef __cplusplus\n}\n#endif\n\n#endif\n", out);
}
