/* resources.c - --resources: the registers that the kernels of a GPU take, as its compiler says.
 *
 * What would be written is written to a folder of our own, and compiled for the architecture as far
 * as kernels need.  ptxas and the HIP compiler name each instance of a kernel, and then what it
 * takes, in lines of their own. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "built.h"
#include "out.h"
#include "resources.h"

static const char stem[] = "program";

/* ---- compiling ---- */

static void write_program(const struct program *p, const struct plans *plans,
                          const struct options *given, const char *dir)
{
	struct options o = *given;
	FILE *text = text_open();
	o.output = str_print("%s/%s%s", dir, stem, o.target->suffix);
	o.header = str_print("%s.h", stem);
	o.helpers = NULL;
	o.target->print(p, plans->at, plans->n, &o, text);
	built_text(dir, path_base(o.output), text_close(text));
	text = text_open();
	header_print(p, &o, o.header, text);
	built_text(dir, o.header, text_close(text));
}

static struct words command(const struct program *p, const struct options *o, const char *dir)
{
	const struct toolchain *tool = o->target->tool;
	const char *machine = tool->machine ? tool->machine(o->target) : o->target->arch;
	struct words w = { 0 };
	built_words(&w, built_compiler(tool));
	built_words(&w, tool->flags);
	built_words(&w, str_print("%.*s%s", (int)strcspn(tool->arch, "%"), tool->arch, machine));
	built_words(&w, tool->resources);
	list_add(&w, str_print("-I%s", dir));
	list_add(&w, str_print("-I%s", built_folder(p->path)));
	for (int i = 0; i < o->include.n; i++)
		list_add(&w, str_print("-I%s", o->include.at[i]));
	list_add(&w, str_print("%s/%s%s", dir, stem, o->target->suffix));
	list_add(&w, str_print("-o"));
	list_add(&w, str_print("%s/code", dir));
	list_add(&w, NULL);
	return w;
}

static void compile(const struct words *w, const struct options *o, const char *log)
{
	int status = built_run(w->at, NULL, log, log);
	if (status == BUILT_MISSING)
		fail_io("--resources needs `%s`, which was not found; set %s to use another "
		        "compiler",
		        w->at[0], o->target->tool->variable);
	if (status == 0)
		return;
	built_show(log);
	fail_io("`%s` failed to compile the output for target %s: exit status %d", w->at[0],
	        o->target->name, status);
}

/* ---- what it says ---- */

/* _ZL11heat_reduceILb1EEvPKf is an instance of heat_reduce: a name has its length before it. */
static bool is_named(const char *symbol, const char *name)
{
	size_t n = strlen(name);
	const char *number = symbol + strcspn(symbol, "0123456789");
	char *rest;
	if (strncmp(symbol, "_Z", 2) != 0)
		return !strncmp(symbol, name, n) && !symbol[n + strspn(symbol + n, "\r\n")];
	return strtoul(number, &rest, 10) == n && !strncmp(rest, name, n);
}

static struct kernel *kernel_named(const struct plans *plans, const char *symbol)
{
	for (int p = 0; p < plans->n; p++)
		for (int k = 0; k < plans->at[p]->kernel.n; k++)
			if (is_named(symbol, plans->at[p]->kernel.at[k]->name))
				return plans->at[p]->kernel.at[k];
	return NULL;
}

/* Raises *most to the number after these words, if the line has them. */
static void raise_to(int *most, const char *line, const char *words)
{
	const char *at = strstr(line, words);
	int number = at ? (int)strtol(at + strlen(words), NULL, 10) : 0;
	*most = number > *most ? number : *most;
}

/* Of ptxas, of the HIP compiler: what comes before the name of an instance, its registers, and the
 * bytes that it spills. */
static const struct { const char *name, *registers, *spilled; } forms[] = {
	{ "Compiling entry function '", " Used ", " bytes stack frame, " },
	{ "Function Name: ", " VGPRs: ", "ScratchSize [bytes/lane]: " }
};

static void read_line(const struct plans *plans, const char *line, struct kernel **now)
{
	for (int form = 0; form < 2; form++) {
		const char *at = strstr(line, forms[form].name);
		if (at)
			*now = kernel_named(plans, at + strlen(forms[form].name));
		if (!*now)
			continue;
		if (!(*now)->usage)
			(*now)->usage = NEW(struct usage);
		raise_to(&(*now)->usage->registers, line, forms[form].registers);
		raise_to(&(*now)->usage->spilled, line, forms[form].spilled);
	}
}

static void read_log(const struct plans *plans, const char *log)
{
	char line[4000];
	struct kernel *now = NULL;
	FILE *f = fopen(log, "r");
	while (f && fgets(line, sizeof line, f))
		read_line(plans, line, &now);
	if (f)
		fclose(f);
}

void resources_find(const struct program *p, const struct plans *plans, const struct options *o)
{
	const char *source = str_print("%s%s", stem, o->target->suffix);
	const char *const files[] = { source, "program.h", "code", "log", NULL };
	char *dir = out_scratch(files), *log = str_print("%s/log", dir);
	write_program(p, plans, o, dir);
	struct words w = command(p, o, dir);
	compile(&w, o, log);
	read_log(plans, log);
	out_discard();
}
