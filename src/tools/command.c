/* command.c - the command line: options.h.
 *
 * options.def is the table; getopt_long_only reads it, so -target=cuda works as --target=cuda
 * does. What asks for text only (--help, --explain, ...) is answered here and ends the run. */
#include "config.h"
#include "compare.h"
#include "fmt.h"
#include "out.h"
#include "run.h"
#include "src/tools/build.h"
#include "work.h"

#include <assert.h>
#include <ctype.h>
#include <errno.h>
#include <getopt.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum option_id {
	OPTION_FIRST_ = 256,    /* above every letter */
#define OPTION(id, commands, name, letter, argument, help) OPTION_##id,
#include "options.def"
#undef OPTION
};

struct row {
	enum option_id id;
	const char *commands;           /* the letters of those that take it */
	const char *name;
	char letter;
	const char *argument, *help;
};
static const struct row rows[] = {
#define OPTION(id, commands, name, letter, argument, help) \
	{ OPTION_##id, commands, name, letter, argument, help },
#include "options.def"
#undef OPTION
};
enum { ROWS = sizeof rows / sizeof *rows };

static const char *const pass_names[] = {
#define PASS(id, name, help) name,
#include "pass.def"
#undef PASS
	NULL
};
static const char *const stage_names[] = {
	"ast", "types", "graph", "schedule", "plan", "kir", NULL
};

/* ---- answers ---- */

static _Noreturn void end_answer(void)
{
	out_close();
	exit(0);
}

static void help_row(const struct row *row)
{
	const char *equals = *row->argument && *row->argument != '[' ? "=" : "";
	const char *left = *row->argument == '['
	                           ? str_print("--%s[=%s", row->name, row->argument + 1)
	                   : *row->name ? str_print("--%s%s%s", row->name, equals, row->argument)
	                                : str_print("-%c %s", row->letter, row->argument);
	printf("  %-20s  %s\n", left, row->help);
}

static const struct command_row {
	const char *name;
	char letter;
	const char *usage, *summary;
} commands[] = {
	[COMMAND_COMPILE] = { "", 'c', "patc [options] FILE.pat...",
	                      "Compile parallel patterns to CUDA, HIP or OpenMP C, with a C "
	                      "header.\n"
	                      "Also: patc new, patc run, patc test, patc bench, patc tune, "
	                      "patc fmt, patc check, patc bind,\n"
	                      "patc lsp (patc new --help, ...)." },
	[COMMAND_RUN] = { "run", 'r', "patc run FILE.pat [KERNEL] [NAME=VALUE...] [options]",
	                  "Run a kernel with the reference interpreter.  A VALUE is a number (for "
	                  "an array: of\n"
	                  "all cells), a list [1, 2, 3], random, FILE.npy or FILE.raw." },
	[COMMAND_TEST] = { "test", 't', "patc test [options] FILE.pat...",
	                   "Run the tests in programs with the reference interpreter.\n"
	                   "With --target, also compare compiled code with it on random shapes." },
	[COMMAND_NEW] = { "new", 'n', "patc new NAME [options]",
	                  "Create the folder NAME with a kernel and its test, a program that calls "
	                  "it, a build file\n"
	                  "and a README.  The program builds and runs unchanged." },
	[COMMAND_FMT] = { "fmt", 'f', "patc fmt [options] FILE.pat...",
	                  "Format programs in place.  - formats standard input to standard "
	                  "output." },
	[COMMAND_BENCH] = { "bench", 'b', "patc bench FILE.pat [KERNEL] NAME=VALUE... [options]",
	                    "Compile kernels for a target and measure them.  A size may be a list, "
	                    "n=1024,4096.\n"
	                    "Parameters without a VALUE are random." },
	[COMMAND_TUNE] = { "tune", 'u',
	                   "patc tune FILE.pat [KERNEL] NAME=VALUE... -o FILE "
	                   "[options]",
	                   "Find the fastest pins of kernels, and write them as a schedule.\n"
	                   "VALUEs are as for patc bench; n=2^16..2^28 is a range of sizes." },
	[COMMAND_CHECK] = { "check", 'k', "patc check [options] FILE.pat...",
	                    "Report the errors and warnings of programs, and write no file.  - is "
	                    "standard input." },
	[COMMAND_BIND] = { "bind", 'i', "patc bind --lang=NAME FILE.json [options]",
	                   "Generate a module that calls the kernels from another language.  "
	                   "FILE.json "
	                   "is the file\nof --manifest." },
	[COMMAND_LSP] = { "lsp", 'l', "patc lsp [options]",
	                  "Serve an editor through the Language Server Protocol, over standard "
	                  "input and output." },
};
enum { COMMANDS = sizeof commands / sizeof *commands };
static const struct command_row *command = commands;        /* the one that was called */

static bool is_of_command(const struct row *row)
{
	return strchr(row->commands, command->letter);
}

static _Noreturn void help(void)
{
	printf("usage: %s\n%s\n\n", command->usage, command->summary);
	for (int i = 0; i < ROWS; i++)
		if (is_of_command(&rows[i]))
			help_row(&rows[i]);
	puts("\nExit status: 0 done, 1 an error in the program, 2 an error in the command,\n"
	     "3 a file or memory failed, 70 an error in patc.");
	end_answer();
}

static _Noreturn void list_patterns(void)
{
	for (int i = 0; patterns[i]; i++)
		printf("%-10s  %s\n", patterns[i]->name, patterns[i]->summary);
	end_answer();
}

static _Noreturn void list_targets(void)
{
	for (int i = 0; targets[i]; i++)
		for (const struct target *t = targets[i]; t->name; t++)
			printf("%-5s %-5s --arch=%-8s %2d lane%s%s\n", t->name, t->suffix, t->arch,
			       t->lanes, t->lanes > 1 ? "s" : "",
			       t == targets[i] ? ", default" : "");
	end_answer();
}

static _Noreturn void list_words(void)
{
	const struct vocabulary *all = vocabulary();
	for (int i = 0; i < all->n; i++)
		printf("%s %s\n", all->at[i].kind, all->at[i].text);
	end_answer();
}

static _Noreturn void version(void)
{
	puts("patc " PACKAGE_VERSION);
	if (*PATC_BUILD)
		puts(PATC_BUILD);
	end_answer();
}

static _Noreturn void explain(const char *code)
{
	if (!diag_explain(code, stdout))
		fail_usage("there is no code or warning '%s'; codes look like P0101", code);
	end_answer();
}

/* ---- values ---- */

static const char *join(const char *text, const char *name)
{
	return *text ? str_print("%s, %s", text, name) : name;
}

static const char *join_all(const char *const *names)
{
	const char *text = "";
	for (; *names; names++)
		text = join(text, *names);
	return text;
}

static bool is_among(const char *name, const char *const *names)
{
	while (*names && strcmp(*names, name))
		names++;
	return *names;
}

static const struct target *target_named(const char *name)
{
	const struct target *found = target_find(name);
	const char *all = "";
	if (found)
		return found;
	for (int i = 0; targets[i]; i++)
		all = join(all, targets[i]->name);
	fail_usage("there is no target '%s'; there are: %s", name, all);
}

/* "cuda,hip"; the last option counts */
static void targets_named(struct options *o, const char *list)
{
	o->contest.n = 0;
	for (const char *s = list;; s += strcspn(s, ",") + 1) {
		const struct target *t = target_named(str_intern(s, strcspn(s, ",")));
		for (int i = 0; i < o->contest.n; i++)
			if (o->contest.at[i] == t)
				fail_usage("--target names %s twice", t->name);
		list_add(&o->contest, t);
		if (!s[strcspn(s, ",")])
			break;
	}
	o->target = o->contest.at[0];
}

static const char *pass_named(const char *name)
{
	if (!is_among(name, pass_names))
		fail_usage("there is no pass '%s'; there are: %s", name, join_all(pass_names));
	return name;
}

static const char *stages_named(const char *list)
{
	for (const char *s = list; ; s += strcspn(s, ",") + 1) {
		const char *stage = str_intern(s, strcspn(s, ","));
		if (!is_among(stage, stage_names))
			fail_usage("there is no stage '%s'; there are: %s", stage,
				join_all(stage_names));
		if (!s[strcspn(s, ",")])
			return list;
	}
}

static int color_named(const char *when)
{
	static const char *const names[] = { "auto", "never", "always", NULL };
	for (int i = 0; names[i]; i++)
		if (!strcmp(names[i], when))
			return i - 1;
	fail_usage("--color must be auto, always or never, not '%s'", when);
}

static enum diag_form form_named(const char *name)
{
	static const char *const names[] = { "text", "json", "sarif", NULL };
	for (int i = 0; names[i]; i++)
		if (!strcmp(names[i], name))
			return (enum diag_form)i;
	fail_usage("--diagnostics must be text, json or sarif, not '%s'", name);
}

static int remarks_named(const char *form)
{
	static const char *const forms[] = {
		[REMARKS_MISSED] = "missed", [REMARKS_ALL] = "all", [REMARKS_JSON] = "json",
		[REMARKS_HTML] = "html"
	};
	for (int i = REMARKS_MISSED; form && i <= REMARKS_HTML; i++)
		if (!strcmp(form, forms[i]))
			return i;
	if (form)
		fail_usage("--remarks must be missed, all, json or html, not '%s'", form);
	return REMARKS_MISSED;
}

static const char *file_named(const char *option, const char *path)
{
	if (!*path)
		fail_usage("%s needs the name of a file", option);
	if (strchr(path, '\n'))
		fail_usage("a file name contains a line break");
	return path;
}

/* It is included by its name. */
static const char *helpers_named(const char *path)
{
	if (!strcmp(path, "-"))
		fail_usage("--helpers needs a file that the source can include, not standard "
		           "output");
	return file_named("--helpers", path);
}

/* What the helpers are called is refused, too. */
static const char *prefix_named(const char *name)
{
	enum { LONGEST = 64 };
	size_t n = 0;
	while (isalnum((unsigned char)name[n]) || (n && name[n] == '_'))
		n++;
	if (name[n] || n == 0 || n > LONGEST || isdigit((unsigned char)*name))
		fail_usage("--prefix must have at most %d letters, digits and '_', and begin with "
		           "a letter, not '%s'",
		           LONGEST, name);
	if (name[n - 1] == '_')
		fail_usage("--prefix adds the '_' itself: --prefix=%.*s", (int)n - 1, name);
	if (!strncasecmp(name, "patc", 4) && (n == 4 || name[4] == '_'))
		fail_usage("--prefix=%s: these names are reserved for the helpers of patc", name);
	return name;
}

static uint64_t number(const char *option, const char *text)
{
	char *end;
	errno = 0;
	uint64_t n = strtoull(text, &end, 10);
	if (*text < '0' || *text > '9' || *end || errno)
		fail_usage("%s needs an integer, not '%s'", option, text);
	return n;
}

static int shapes_named(const char *text)
{
	uint64_t n = number("--shapes", text);
	if (n < 1 || n > SHAPES_MOST)
		fail_usage("--shapes must be from 1 to %d, not '%s'", SHAPES_MOST, text);
	return (int)n;
}

static const char *against_named(const char *text)
{
	const char *colon = strrchr(text, ':');
	if (!colon || colon == text || !colon[1])
		fail_usage("--against takes LIBRARY:FUNCTION, as ./mine.so:saxpy, not '%s'", text);
	return text;
}

static int time_named(const char *text)
{
	enum { HOUR = 3600000 };
	uint64_t n = number("--time", text);
	if (n > HOUR)
		fail_usage("--time must be at most %d milliseconds, not '%s'", HOUR, text);
	return (int)n;
}

/* Seconds; "10m" are minutes. */
static int budget_named(const char *text)
{
	enum { DAY = 86400 };
	const size_t n = strlen(text);
	const int unit = n > 1 && text[n - 1] == 'm' ? 60 : 1;
	const uint64_t count = number("--budget", str_print("%.*s", (int)n - (unit > 1), text));
	if (count > (uint64_t)(DAY / unit))
		fail_usage("--budget must be at most a day, not '%s'", text);
	return (int)count * unit;
}

static void spell(struct options *o, enum spelling spelling)
{
	if (o->spelling && o->spelling != (int)spelling)
		fail_usage("use either --ascii or --unicode");
	o->spelling = (int)spelling;
}

static void set(struct options *o, enum option_id id, const char *value)
{
	switch (id) {
	case OPTION_TARGET: targets_named(o, value); break;
	case OPTION_ARCH: o->arch = value; break;
	case OPTION_OUTPUT: o->output = file_named("-o", value); break;
	case OPTION_HEADER: o->header = file_named("--header", value); break;
	case OPTION_PREFIX: name_prefix(prefix_named(value)); break;
	case OPTION_HELPERS: o->helpers = helpers_named(value); break;
	case OPTION_DEPFILE: o->depfile = file_named("--depfile", value); break;
	case OPTION_MANIFEST: o->manifest = file_named("--manifest", value); break;
	case OPTION_INCLUDE: list_add(&o->include, file_named("-I", value)); break;
	case OPTION_SCHEDULE: o->schedule = file_named("--schedule", value); break;
	case OPTION_REMARKS: o->remarks = remarks_named(value); break;
	case OPTION_RESOURCES: o->resources = true; break;
	case OPTION_MACHINE: o->machine = value; break;
	case OPTION_NO_PASS: list_add(&o->no_pass, pass_named(value)); break;
	case OPTION_DUMP: o->dump = stages_named(value); break;
	case OPTION_BUILD: o->build = build_named(value); break;
	case OPTION_LANGUAGE: o->language = language_named(value); break;
	case OPTION_BOUND: o->output = file_named("-o", value); break;
	case OPTION_RESULT: list_add(&o->result, value); break;
	case OPTION_BUILT: o->target = target_named(value); break;
	case OPTION_MEASURED: list_add(&o->contest, target_named(value)); break;
	case OPTION_TUNED: o->target = target_named(value); break;
	case OPTION_FOUND: o->output = file_named("-o", value); break;
	case OPTION_BEGIN: o->schedule = file_named("--schedule", value); break;
	case OPTION_BUDGET: o->budget = budget_named(value); break;
	case OPTION_WRITE: case OPTION_WRITE_ALL: o->write = file_named("--write", value); break;
	case OPTION_READ: case OPTION_READ_ALL: o->read = file_named("--read", value); break;
	case OPTION_SVG: case OPTION_BARS: o->svg = file_named("--svg", value); break;
	case OPTION_JSON: o->json = file_named("--json", value); break;
	case OPTION_PINS: list_add(&o->pins, file_named("--schedule", value)); break;
	case OPTION_AGAINST: o->against = against_named(value); break;
	case OPTION_TIME: case OPTION_LAST_TIME: o->milliseconds = time_named(value); break;
	case OPTION_SHAPES: o->shapes = shapes_named(value); break;
	case OPTION_STEPS: eval_limit((int64_t)(number("--steps", value) & INT64_MAX)); break;
	case OPTION_SEED: o->seed = number("--seed", value); break;
	case OPTION_COLOR: diag_color(o->color = color_named(value)); break;
	case OPTION_DIAGNOSTICS: diag_form(form_named(value)); break;
	case OPTION_WARN: warning_option(value); break;
	case OPTION_IF_CHANGED: o->if_changed = true; break;
	case OPTION_DEBUG: o->debug = true; break;
	case OPTION_CHECK_ACCESSES: o->check_accesses = true; break;
	case OPTION_FIX: o->fix = true; break;
	case OPTION_CHECK: o->check = true; break;
	case OPTION_ASCII: spell(o, SPELLING_ASCII); break;
	case OPTION_UNICODE: spell(o, SPELLING_UNICODE); break;
	case OPTION_EXPLAIN: explain(value);
	case OPTION_LIST_PATTERNS: list_patterns();
	case OPTION_LIST_TARGETS: list_targets();
	case OPTION_LIST_WORDS: list_words();
	case OPTION_VERSION: version();
	case OPTION_HELP: help();
	case OPTION_FIRST_: assert(0 && "not an option");
	}
}

/* ---- reading the command ---- */

static enum option_id id_of(int found)
{
	for (int i = 0; i < ROWS; i++)
		if (rows[i].letter && rows[i].letter == found && is_of_command(&rows[i]))
			return rows[i].id;
	return (enum option_id)found;
}

static int fill_tables(struct option *longs, char *shorts)
{
	int n = 0;
	*shorts++ = ':';                /* tells a missing argument from an unknown option */
	for (int i = 0; i < ROWS; i++) {
		int takes = *rows[i].argument == '[' ? optional_argument
			: *rows[i].argument ? required_argument : no_argument;
		if (!is_of_command(&rows[i]))
			continue;
		if (*rows[i].name)
			longs[n++] = (struct option){ rows[i].name, takes, NULL, (int)rows[i].id };
		if (rows[i].letter)
			*shorts++ = rows[i].letter;
		if (rows[i].letter && takes)
			*shorts++ = ':';
	}
	*shorts = '\0';
	return n;
}

/* It changes its inputs and writes nothing else: what would write is another command. */
static void check_fix(const struct options *o)
{
	const char *other = o->output   ? "-o"
	                  : o->header   ? "--header"
	                  : o->helpers  ? "--helpers"
	                  : o->depfile  ? "--depfile"
	                  : o->manifest ? "--manifest"
	                  : o->dump     ? "--dump"
	                  : o->remarks  ? "--remarks"
	                  : o->resources ? "--resources"
	                                 : NULL;
	if (other)
		fail_usage("--fix changes the programs and writes nothing else: remove %s, and "
		           "compile afterwards",
		           other);
	for (int i = 0; i < o->input.n; i++)
		if (!strcmp(o->input.at[i], "-"))
			fail_usage("--fix changes files, but '-' is standard input; write ./- for "
			           "a file of that name");
}

/* Of several targets one is enough. */
static bool has_machine(const struct options *o)
{
	bool known = machine_of(o->target, o->machine);
	for (int i = 0; i < o->contest.n; i++)
		known = known || machine_of(o->contest.at[i], o->machine);
	return known;
}

/* What is about one target, or would be written several times. */
static void check_targets(const struct options *o)
{
	const char *other = o->arch      ? "--arch"
	                  : o->against   ? "--against"
	                  : o->output    ? "-o"
	                  : o->depfile   ? "--depfile"
	                  : o->manifest  ? "--manifest"
	                  : o->helpers   ? "--helpers"
	                  : o->resources ? "--resources"
	                  : o->fix       ? "--fix"
	                                 : NULL;
	if (!other && o->command != COMMAND_BENCH)
		other = o->machine                      ? "--machine"
		        : o->remarks == REMARKS_HTML    ? "--remarks=html"
		        : o->command == COMMAND_NEW     ? "patc new"
		        : o->command == COMMAND_LSP     ? "patc lsp"
		                                        : NULL;
	for (int i = 0; i < o->input.n && !other; i++)
		if (path_is_standard(o->input.at[i]))
			other = "standard input";
	if (other)
		fail_usage("%s needs a single --target", other);
}

static void check(struct options *o)
{
	if (o->contest.n > 1)
		check_targets(o);
	if (o->fix)
		check_fix(o);
	static const char only[] = "with several inputs, %s would be written several times";
	const char *const single = o->output   ? "-o"
	                         : o->header   ? "--header"
	                         : o->depfile  ? "--depfile"
	                         : o->manifest ? "--manifest"
	                                       : NULL;
	const bool helpers_alone = o->helpers && !single;
	if (o->command == COMMAND_NEW && !o->kernel)
		fail_usage("no name given: patc new NAME creates a folder of that name");
	if (o->input.n == 0 && !helpers_alone && o->command != COMMAND_NEW
	    && o->command != COMMAND_LSP && !o->read)
		fail_usage(o->command == COMMAND_BIND ? "no input: name a file of --manifest"
		                                      : "no input file: name a .pat file");
	if (o->command == COMMAND_BIND && o->language < 0)
		fail_usage("no language given: use for example --lang=python");
	if (o->command == COMMAND_BIND && o->input.n > 1)
		fail_usage("bindings are made of one manifest, not of '%s' too",
		           o->input.at[1]);
	if (o->read && (o->input.n > 0 || o->write))
		fail_usage("--read shows measured rows: remove %s",
		           o->input.n ? "the program" : "--write");
	if (o->write && (o->json || o->svg || o->output))
		fail_usage("--write does not run anything: call `%s/measure.sh > rows.json`, then "
		           "`patc %s --read=rows.json %s...`",
		           o->write, command->name,
		           o->json  ? "--json="
		           : o->svg ? "--svg="
		                    : "-o ");
	if (o->command == COMMAND_TUNE && !o->output && !o->write)
		fail_usage("-o FILE names the schedule that is written");
	if (o->input.n > 1 && single)
		fail_usage(only, single);
	if (o->input.n > 1 && o->schedule)
		fail_usage("--schedule needs a single input, since it is for the kernels of one "
		           "program");
	if (o->dump && o->output && !strcmp(o->output, "-"))
		fail_usage("--dump and -o - both write to standard output");
	if (o->command == COMMAND_LSP && o->input.n > 0)
		fail_usage("patc lsp receives programs from the editor, not '%s'", o->input.at[0]);
	if (!o->target && (o->command == COMMAND_COMPILE || o->command == COMMAND_CHECK
	                   || o->command == COMMAND_NEW
	                   || o->command == COMMAND_LSP || o->command == COMMAND_BENCH
	                   || o->command == COMMAND_TUNE))
		o->target = o->contest.n ? o->contest.at[0] : targets[0];
	if (o->arch && !o->target)
		fail_usage("--arch needs --target");
	if (o->remarks >= REMARKS_JSON && (o->dump || (o->output && !strcmp(o->output, "-"))))
		fail_usage("--remarks=%s and %s both write to standard output",
		           o->remarks == REMARKS_HTML ? "html" : "json",
		           o->dump ? "--dump" : "-o -");
	if (o->remarks == REMARKS_HTML && o->input.n > 1)
		fail_usage("--remarks=html needs a single input");
	if (o->resources && !o->target->tool->resources)
		fail_usage("--resources is for GPU kernels, but target %s has none",
		           o->target->name);
	if (o->resources && !o->remarks)
		o->remarks = REMARKS_MISSED;
	const struct target *table = o->target;
	if (o->arch && !(o->target = target_arch(table, o->arch)))
		fail_usage("target %s has no architecture '%s'; it has: %s", table->name, o->arch,
			target_archs(table));
	if (o->machine && !has_machine(o))
		fail_usage("target %s has no machine '%s'; there are: %s", o->target->name,
		           o->machine, o->target->machines ? machine_names(o->target) : "none");
}

/* `patc run ...`: the first word is the command's; a file of that name is ./run. */
static void command_parse(struct options *o, int *argc, char ***argv)
{
	*o = (struct options){ .color = -1, .seed = 1, .shapes = 8, .budget = 300,
	                      .language = -1 };
	for (int i = 1; i < COMMANDS && *argc > 1; i++)
		if (!strcmp((*argv)[1], commands[i].name)) {
			command = &commands[i];
			o->command = (enum command)i;
			--*argc, ++*argv;
			return;
		}
}

static bool takes_settings(enum command c)
{
	return c == COMMAND_RUN || c == COMMAND_BENCH || c == COMMAND_TUNE;
}

/* These take one program, then a kernel and settings; patc new a name. */
static void operand(struct options *o, const char *word)
{
	if (o->command == COMMAND_NEW && o->kernel)
		fail_usage("patc new creates one folder, not '%s' and '%s'", o->kernel, word);
	else if (o->command == COMMAND_NEW)
		o->kernel = word;
	else if (!takes_settings(o->command) || o->input.n == 0)
		list_add(&o->input, file_named("the input", word));
	else if (strchr(word, '='))
		list_add(&o->setting, word);
	else if (o->kernel)
		fail_usage("'%s' and '%s' cannot both be the kernel", o->kernel, word);
	else
		o->kernel = word;
}

void options_parse(struct options *o, int argc, char **argv)
{
	struct option longs[ROWS + 1] = { 0 };
	char shorts[2 * ROWS + 2];
	int found;
	command_parse(o, &argc, &argv);
	o->milliseconds = o->command == COMMAND_TUNE ? 100 : 500;
	fill_tables(longs, shorts);
	opterr = 0;
	while ((found = getopt_long_only(argc, argv, shorts, longs, NULL)) != -1) {
		if (found == '?')
			fail_usage("patc%s%s has no option '%s', or it takes no value",
			           o->command == COMMAND_COMPILE ? "" : " ",
			           o->command == COMMAND_COMPILE ? "" : command->name,
			           argv[optind - 1]);
		if (found == ':')
			fail_usage("'%s' needs a value", argv[optind - 1]);
		set(o, id_of(found), optarg);
	}
	for (; optind < argc; optind++)
		operand(o, argv[optind]);
	check(o);
}
