/* run.c - patc run: a kernel, executed by the reference interpreter.
 *
 * The command line is a case of a test: its settings become the text of one, which the parser and
 * sema read as they read a program, so that there is one way to write a value and one place that
 * checks it.  What the kernel wrote is listed, or goes to files, all of them or none. */
#include <stdlib.h>
#include <string.h>

#include "case.h"
#include "npy.h"
#include "out.h"
#include "run.h"
#include "setting.h"
#include "show.h"
#include "syntax.h"

enum { MAX_RESULTS = 64 };      /* out.c has room for as many */

/* ---- the command line as a case ---- */

static const char *sole_kernel(const struct ast_file *ast)
{
	const char *name = NULL;
	for (int i = 0; i < ast->decl.n; i++) {
		const struct ast_decl *d = ast->decl.at[i];
		if (d->kind != DECL_KERNEL || d->at.file != ast->file)
			continue;
		if (name) {
			diag_error(d->at, D_CASE_KERNEL, "the file has several kernels");
			diag_cure("name the one to run: `patc run %s %s ...`",
			          source_path(ast->file), d->name);
			return NULL;
		}
		name = d->name;
	}
	if (!name)
		diag_error((struct loc){ .file = ast->file }, D_CASE_KERNEL,
		           "the file has no kernel");
	return name;
}

/* Each setting on a line of its own, so that an error in it shows nothing else. */
static struct ast_decl *command_parse(const struct ast_file *ast, const struct options *o)
{
	const char *kernel = o->kernel ? o->kernel : sole_kernel(ast);
	if (!kernel)
		return NULL;
	if (!name_is_valid(kernel, strlen(kernel)))
		fail_usage("'%s' is neither a kernel nor NAME=VALUE", kernel);
	const char *text = str_print("test run { %s(", kernel);
	for (int i = 0; i < o->setting.n; i++)
		text = str_print("%s%s\n%s", text, i ? "," : "", setting_text(o->setting.at[i]));
	return parse_command(str_print("%s\n); }\n", text), 1);
}

/* ---- results ---- */

struct result { const struct bound *bound; const char *path; bool raw; };

/* NAME=FILE of -o */
static struct result result_of(const struct bound *b, int n, const char *text)
{
	const char *equals = strchr(text, '=');
	struct result r = { .path = equals ? equals + 1 : "" };
	size_t length = equals ? (size_t)(equals - text) : 0;
	if (!value_is_file(r.path) || !strcmp(r.path, "npy:") || !strcmp(r.path, "raw:"))
		fail_usage("-o takes NAME=FILE.npy or NAME=FILE.raw, not '%s'", text);
	for (int i = 0; i < n; i++)
		if (strlen(b[i].var->name) == length && !strncmp(b[i].var->name, text, length))
			r.bound = &b[i];
	if (!r.bound)
		fail_usage("the kernel has no parameter for -o %s", text);
	r.raw = value_is_raw(r.path);
	r.path += !strncmp(r.path, "raw:", 4) || !strncmp(r.path, "npy:", 4) ? 4 : 0;
	return r;
}

static void results_write(const struct result *r, int n)
{
	struct output output[MAX_RESULTS] = { 0 };
	for (int i = 0; i < n; i++) {
		const struct bound *b = r[i].bound;
		FILE *out = text_open();
		if (r[i].raw)
			fwrite(b->data, (size_t)type_size(b->var->type), (size_t)b->cells, out);
		else
			npy_write(b->var->type, b->var->rank, b->extent, b->data, b->cells, out);
		output_close(&output[i], r[i].path, out);
	}
	out_commit(output, n);
	for (int i = 0; i < n; i++)
		free(output[i].text);
}

static bool is_result(const struct result *r, int n, const struct bound *b)
{
	for (int i = 0; i < n; i++)
		if (r[i].bound == b)
			return true;
	return false;
}

static int finish(const struct test_case *c, const struct bound *b, int status,
                  const struct result *r, int results)
{
	int sizes = c->entry->size.n;
	bool listed = status_stands(status);
	for (int i = sizes; listed && i < sizes + c->entry->param.n; i++)
		if (b[i].var->mode != MODE_IN && !is_result(r, results, &b[i]))
			show_param(&b[i], stdout);
	if (status != ST_OK) {
		diag_error(c->at, D_CASE_STATUS, "kernel `%s` returned status %d: %s",
		           c->entry->name, status, entry_status(c->entry, status));
		return WRONG;
	}
	results_write(r, results);
	return DONE;
}

/* ---- the command ---- */

static int run_case(const struct test_case *c, const struct options *o)
{
	struct result r[MAX_RESULTS];
	struct bound *b = case_bind(c, o->seed);
	int sizes = c->entry->size.n;
	if (!b)
		return WRONG;
	if (o->result.n > MAX_RESULTS)
		fail_usage("there are more than %d options -o", MAX_RESULTS);
	for (int i = 0; i < c->given.n; i++)
		if (c->given.at[i].kind == GIVEN_FILE)
			out_protect(c->given.at[i].path);
	for (int i = 0; i < o->result.n; i++) {
		r[i] = result_of(b + sizes, c->entry->param.n, o->result.at[i]);
		out_claim(r[i].path);
	}
	int status = case_run(c, b);
	if (status >= 0)
		status = finish(c, b, status, r, o->result.n);
	case_free(c, b);
	return status < 0 || diag_errors() ? WRONG : status;
}

int run_main(const struct options *o)
{
	struct ast_file *ast = parse_file(o->input.at[0], o);
	if (!ast)
		return FAILED;
	if (diag_errors() || !(ast->command = command_parse(ast, o)))
		return WRONG;
	struct program *program = sema_check(ast, o->input.at[0], o);
	if (diag_errors())
		return WRONG;
	for (int i = 0; i < program->include.n; i++)
		out_protect(program->include.at[i]);
	struct test_case *c = program->command->cases.at[0];
	c->at = (struct loc){ .file = -1 };
	return run_case(c, o);
}
