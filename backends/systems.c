/* systems.c - NAME_system() of a kernel that solves systems of equations: it returns the first
 * system with a zero pivot.
 *
 * The kernels have recorded it in a piece of the workspace (plan_systems): the complement of the
 * least number of a statement and a system, or 0. */
#include "host.h"

void systems_define(FILE *out)
{
	fputs("/* A system of equations with a zero pivot, and its statement; \"\": none. */\n"
	      "#ifndef PATC_SYSTEM\n#define PATC_SYSTEM\n"
	      "struct patc_system { const char *statement; int64_t number; };\n#endif\n\n",
	      out);
}

void systems_declare(const struct entry *e, FILE *out)
{
	fprintf(out, "int %s_system(void *workspace, void *stream, struct patc_system *first);\n",
	        e->c);
}

static void print_statements(const struct plan *p, FILE *out)
{
	fputs("\tstatic const char *const name[] = { ", out);
	for (int i = 0; i < p->solved.n; i++)
		fprintf(out, "\"%s\", ", p->solved.at[i]->name);
	fputs("\"\" };\n", out);
}

/* The piece is the workspace's first, or (--check) the second. */
static void print_read(const struct plan *p, const struct dialect *d, FILE *out)
{
	const char *from = p->offence ? "patc_first(workspace) + 256" : "patc_first(workspace)";
	fprintf(out, "\tint64_t words[%d];\n\tif (workspace == NULL)\n\t\treturn PATC_WORKSPACE;\n",
	        OFFENCE_WORDS);
	if (d->loops)
		fprintf(out, "\t(void)stream;\n\tmemcpy(words, %s, sizeof words);\n", from);
	else
		fprintf(out,
		        "\tconst int failure = patc_read_words(words, %s, stream);\n"
		        "\tif (failure != PATC_OK)\n\t\treturn failure;\n",
		        from);
}

void systems_print(const struct plan *p, const struct dialect *d, FILE *out)
{
	if (!p->systems)
		return;
	fprintf(out, "int %s_system(void *workspace, void *stream, struct patc_system *first)\n{\n",
	        p->entry->c);
	print_statements(p, out);
	print_read(p, d, out);
	fprintf(out, "\tconst int64_t found = words[0] ? ~words[0] : INT64_C(%d) << %d;\n"
	        "\tfirst->statement = name[found >> %d];\n"
	        "\tfirst->number = found & ((INT64_C(1) << %d) - 1);\n\treturn %s;\n}\n\n",
	        p->solved.n, SYSTEM_BITS, SYSTEM_BITS, SYSTEM_BITS,
	        d->loops ? "*(const int32_t *)workspace" : "patc_read_status(workspace, stream)");
}
