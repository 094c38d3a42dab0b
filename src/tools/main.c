/* main.c - patc: the road of a program, and what happens when it ends early.
 *
 * compile() is the picture of the whole compiler: one call a stage, each followed by its dump. */
#include "fix.h"
#include "manifest.h"
#include "out.h"
#include "patc.h"
#include "remarks_page.h"
#include "resources.h"
#include "run.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* ---- where outputs go ---- */

/* Is the source text a file, which has its header beside it?  No: standard output, a device. */
static bool is_file(const struct options *o)
{
	return o->output && !path_is_standard(o->output) && strncmp(o->output, "/dev/", 5) != 0;
}

/* path without its folder and, if it has one, its suffix */
static const char *stem(const char *path, bool keep_folder)
{
	if (path_is_standard(path))
		return "stdin";
	const char *slash = strrchr(path, '/'), *base = slash ? slash + 1 : path;
	const char *dot = strrchr(base, '.'), *start = keep_folder ? path : base;
	return dot && dot > base ? str_intern(start, (size_t)(dot - start)) : start;
}

/* The source text includes the header by its name. */
static void check_include(const char *header)
{
	for (const char *c = path_base(header); *c; c++)
		if (strchr("\"\\?", *c) || (unsigned char)*c < ' ' || *c == 127)
			fail_usage("the name of a header cannot contain quotes, backslashes, "
			           "question marks or control characters, since the output "
			           "includes it; name another file with --header or --helpers");
}

/* The options as they are for one input: its output and its header named. */
static struct options options_for(const struct options *given, const char *input)
{
	struct options o = *given;
	if (!o.output && !o.dump && !o.fix && o.command != COMMAND_CHECK)
		o.output = str_print("%s%s", stem(input, false), o.target->suffix);
	if (!o.header)
		o.header = str_print("%s.h", is_file(&o) ? stem(o.output, true)
		                                         : stem(input, false));
	if (o.output)
		check_include(o.header);
	if (o.output && o.helpers && !strcmp(path_base(o.helpers), path_base(o.header)))
		fail_usage("the source would include two headers named '%s': name another file "
		           "with --helpers or --header",
		           path_base(o.helpers));
	return o;
}

/* ---- the end of the road: texts, then files ---- */

/* One file for all programs of the command: the first that is written claims it. */
static struct output helpers_output(const struct options *o)
{
	static bool claimed;
	/* alone it may be the target of a rule */
	struct output output = { .once = o->input.n > 0 };
	FILE *out = text_open();
	check_include(o->helpers);
	o->target->helpers(o->target, out);
	output_close(&output, o->helpers, out);
	if (!claimed)
		out_claim(o->helpers);
	claimed = true;
	return output;
}

static void write_helpers(const struct options *o)
{
	struct output output = helpers_output(o);
	out_commit(&output, 1);
	free(output.text);
}

/* Standard output: as the file would be called. */
static const char *own_name(const struct program *program, const struct options *o)
{
	return is_file(o) ? o->output
	       : str_print("%s%s", stem(program->path, false), o->target->suffix);
}

/* The source text; with -g its statements are at their lines of the program. */
static FILE *source_text_of(const struct program *program, const struct plans *plans,
	const struct options *o)
{
	FILE *out = text_open();
	o->target->print(program, plans->at, plans->n, o, out);
	if (o->debug) {
		const char *text = text_close(out);
		out = text_open();
		places_resolve(text, own_name(program, o), out);
	}
	return out;
}

static void write_outputs(const struct program *program, const struct plans *plans,
	bool with_header, const struct options *o)
{
	struct output output[5] = { 0 };
	LIST(const char *) source = { 0 };
	int n = 0;
	if (!path_is_standard(program->path))
		list_add(&source, program->path);
	for (int i = 0; i < program->include.n; i++) {
		list_add(&source, program->include.at[i]);
		out_protect(program->include.at[i]);
	}
	FILE *out = source_text_of(program, plans, o);
	output_close(&output[n++], o->output, out);
	if (with_header) {
		out = text_open();
		header_print(program, o, path_base(o->header), out);
		output_close(&output[n++], o->header, out);
	}
	if (o->depfile) {
		out = text_open();
		out_depfile(output, n, source.at, source.n, out);
		output_close(&output[n++], o->depfile, out);
	}
	if (o->manifest) {
		out = text_open();
		manifest_print(program, plans, path_base(own_name(program, o)), o, out);
		output_close(&output[n++], o->manifest, out);
	}
	for (int i = 0; i < n; i++) {
		out_claim(output[i].path);
		output[i].once = o->if_changed;
	}
	if (o->helpers)
		output[n++] = helpers_output(o);
	out_commit(output, n);
	for (int i = 0; i < n; i++)
		free(output[i].text);
}

/* ---- the road ---- */

static void plans_dump(const struct plans *plans)
{
	for (int i = 0; i < plans->n; i++)
		plan_dump(plans->at[i], stdout);
}

static void kernels_dump(const struct plans *plans)
{
	for (int i = 0; i < plans->n; i++)
		for (int k = 0; k < plans->at[i]->kernel.n; k++)
			kernel_dump(plans->at[i]->kernel.at[k], stdout);
}

static int compile(const char *path, const struct options *given)
{
	const struct options o = options_for(given, path);
	const int errors = diag_errors();

	const struct ast_file *ast = parse_file(path, &o);
	if (!ast)
		return FAILED;
	if (diag_errors() > errors)
		return WRONG;
	if (options_dump(&o, "ast"))
		ast_dump(ast, stdout);

	struct program *program = sema_check(ast, path, &o);
	if (diag_errors() > errors)
		return WRONG;
	if (!sema_tuning(program, &o))
		return FAILED;
	if (diag_errors() > errors)
		return WRONG;
	if (options_dump(&o, "types"))
		types_dump(program, stdout);
	if (options_dump(&o, "graph"))
		graph_dump(program, stdout);

	program_schedule(program, &o);
	if (diag_errors() > errors)
		return WRONG;
	if (options_dump(&o, "schedule"))
		schedule_dump(program, stdout);

	struct plans plans = program_lower(program, &o);
	if (diag_errors() > errors)
		return WRONG;
	if (o.resources)
		resources_find(program, &plans, &o);
	if (o.remarks == REMARKS_HTML)
		remarks_page(program, &plans, &o);
	else if (o.remarks)
		remarks_print(program, plans.at, &o);
	if (options_dump(&o, "plan"))
		plans_dump(&plans);
	if (options_dump(&o, "kir"))
		kernels_dump(&plans);

	/* of several targets the first writes the header */
	const bool with_header = (given->header || is_file(&o))
	                         && (o.contest.n < 2 || o.target == o.contest.at[0]);
	if (o.output)
		write_outputs(program, &plans, with_header, &o);
	return DONE;
}

/* For each target; what is wrong is told of once. */
static int compile_all(const char *path, const struct options *given)
{
	struct options o = *given;
	int status = compile(path, &o);
	diag_repeated(true);
	for (int i = 1; i < o.contest.n && status == DONE; i++) {
		o.target = o.contest.at[i];
		status = compile(path, &o);
	}
	diag_repeated(false);
	return status;
}

/* --fix: as often as that changes something; then what is left is told of the file as it is. */
static int fix(const char *path, const struct options *given)
{
	struct fixing *f = fix_begin(path);
	do {
		diag_quiet(true);
		compile(path, given);
		diag_quiet(false);
	} while (fix_apply(f));
	fix_end(f);
	return compile(path, given);
}

/* ---- when patc itself is wrong ---- */

static void say(const char *text)
{
	ssize_t n = write(STDERR_FILENO, text, strlen(text));
	(void)n;
}

/* A failed assertion has said what is wrong; a stack that has run out can only be told of here. */
static void on_crash(int number)
{
	out_discard();
	say(number == SIGABRT ? "patc: internal error"
		: "patc: internal error: memory was accessed wrongly, or the stack ran out");
	say("\n  this is a bug in patc; please report it with the program that shows it\n");
	_exit(INTERNAL);
}

static void catch_crashes(void)
{
	static char stack[1 << 16];
	static const int crashes[] = { SIGABRT, SIGSEGV, SIGBUS, SIGFPE, SIGILL };
	const stack_t other = { .ss_sp = stack, .ss_size = sizeof stack };
	const struct sigaction action = { .sa_handler = on_crash, .sa_flags = SA_ONSTACK };
#ifdef __SANITIZE_ADDRESS__
	return;                         /* its report says more than we can */
#endif
	sigaltstack(&other, NULL);
	for (size_t i = 0; i < sizeof crashes / sizeof *crashes; i++)
		sigaction(crashes[i], &action, NULL);
}

/* A standard stream that the caller closed must not become the number of a file that we open: it
 * is opened the wrong way round, so that using it fails as it would have. */
static void hold_streams(void)
{
	for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++)
		if (fcntl(fd, F_GETFD) < 0 && errno == EBADF
		    && open("/dev/null", fd == STDIN_FILENO ? O_WRONLY : O_RDONLY) != fd)
			_exit(FAILED);
}

int main(int argc, char **argv)
{
	struct options options;
	int status = DONE;
	hold_streams();
	catch_crashes();
	atexit(out_discard);            /* whatever the end is */
	signal(SIGPIPE, SIG_IGN);       /* write() says so instead */
	signal(SIGXFSZ, SIG_IGN);
	options_parse(&options, argc, argv);
	for (int i = 0; i < options.input.n; i++)
		out_protect(options.input.at[i]);
	if (options.command == COMMAND_RUN)
		status = run_main(&options);
	if (options.command == COMMAND_TEST)
		status = test_main(&options);
	if (options.command == COMMAND_NEW)
		status = new_main(&options);
	if (options.command == COMMAND_LSP)
		status = lsp_main(&options);
	if (options.command == COMMAND_BENCH)
		status = bench_main(&options);
	if (options.command == COMMAND_TUNE)
		status = tune_main(&options);
	if (options.command == COMMAND_BIND)
		status = bind_main(&options);
	if (options.command == COMMAND_FMT)
		status = fmt_main(&options);
	const bool compiles = options.command == COMMAND_COMPILE
	                      || options.command == COMMAND_CHECK;
	for (int i = 0; i < options.input.n && compiles; i++) {
		int one = (options.fix ? fix : compile_all)(options.input.at[i], &options);
		status = one > status ? one : status;
	}
	if (options.command == COMMAND_COMPILE && options.input.n == 0)
		write_helpers(&options);
	if (options.command == COMMAND_COMPILE)
		remarks_close(&options);
	out_close();
	diag_close();
	return status;
}
