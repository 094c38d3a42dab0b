/* offence.c - what --check adds to the host's text: the first access outside of its array.
 *
 * Kernels have recorded it at the beginning of the workspace (src/lower/plan_check.c): the number
 * of a place in the program, whose file and line are in a table of the text, and that of a cell. */
#include "host.h"

#include <string.h>

void offence_define(FILE *out)
{
	fprintf(out, "#define PATC_CHECK      %d  /* " OFFENCE_TEXT " */\n\n", ST_CHECK);
	fputs("/* An access outside of its array, of that cell counted from the first one; line 0: "
	      "none. */\n"
	      "#ifndef PATC_OFFENCE\n#define PATC_OFFENCE\n"
	      "struct patc_offence { const char *file; int line; int64_t cell; };\n#endif\n\n",
	      out);
}

void offence_declare(const struct entry *e, FILE *out)
{
	fprintf(out, "int %s_offence(void *workspace, void *stream, struct patc_offence *first);\n",
	        e->c);
}

static const char *const given = "void *workspace, void *stream, struct patc_offence *first";

static void print_places(const struct plan *p, FILE *out)
{
	fputs("\tstatic const struct patc_offence place[] = {\n\t\t{\"\", 0, 0},\n", out);
	for (int i = 0; i < p->place.n; i++) {
		fputs("\t\t{\"", out);
		place_name(source_path(p->place.at[i].file), out);
		fprintf(out, "\", %d, 0},\n", p->place.at[i].line);
	}
	fputs("\t};\n", out);
}

static void print_read(const struct plan *p, const struct dialect *d, FILE *out)
{
	fprintf(out, "static int patc_offence_%s(%s)\n{\n", p->entry->c, given);
	print_places(p, out);
	fprintf(out, "\tint64_t words[%d];\n\tif (workspace == NULL)\n\t\treturn PATC_WORKSPACE;\n",
	        OFFENCE_WORDS);
	if (d->loops)
		fputs("\t(void)stream;\n\tmemcpy(words, patc_first(workspace), sizeof words);\n",
		      out);
	else
		fputs("\tconst int failure = patc_read_words(words, patc_first(workspace), "
		      "stream);\n\tif (failure != PATC_OK)\n\t\treturn failure;\n",
		      out);
	fprintf(out, "\t*first = place[words[0] > 0 && words[0] <= %d ? words[0] : 0];\n"
	        "\tfirst->cell = words[1];\n\treturn %s;\n}\n\n", p->place.n,
	        d->loops ? "*(const int32_t *)workspace" : "patc_read_status(workspace, stream)");
}

static void print_tell(const struct plan *p, FILE *out)
{
	fprintf(out,
	        "static void patc_tell_%s(void *workspace, void *stream)\n{\n"
	        "\tstruct patc_offence first;\n"
	        "\tif (patc_offence_%s(workspace, stream, &first) == PATC_CHECK)\n"
	        "\t\tfprintf(stderr, \"%%s:%%d: cell %%lld of an array is outside of it\\n\",\n"
	        "\t\t\tfirst.file, first.line, (long long)first.cell);\n}\n\n",
	        p->entry->c, p->entry->c);
}

void offence_print(const struct plan *p, const struct dialect *d, FILE *out)
{
	const char *name = p->entry->c;
	if (!p->offence)
		return;
	print_read(p, d, out);
	fprintf(out, "int %s_offence(%s)\n{\n", name, given);
	fprintf(out, "\treturn patc_offence_%s(workspace, stream, first);\n}\n\n", name);
	print_tell(p, out);
}

void offence_tell(const struct plan *p, const char *workspace, const char *stream, FILE *out)
{
	if (p->offence)
		fprintf(out, "\tif (failure == PATC_CHECK)\n\t\tpatc_tell_%s(%s, %s);\n",
		        p->entry->c, workspace, stream);
}
