/* lsp_study.c - what the compiler says of a program, for patc lsp: its errors with their fix-its,
 * the remarks on a statement, the kernels that it becomes, its text as `patc fmt` has it. */
#include "fmt.h"
#include "lsp.h"
#include "remark_told.h"
#include "report.h"
#include "road.h"

#include <string.h>

/* ---- places ---- */

/* UTF-16 units of a text in UTF-8. */
static int units_of(const char *text, size_t length)
{
	int n = 0;
	for (size_t i = 0; i < length; i++)
		n += ((unsigned char)text[i] & 0xc0) != 0x80 ? 1 + ((unsigned char)text[i] >= 0xf0)
			: 0;
	return n;
}

json_t *lsp_position(int file, int line, int col)
{
	const struct loc at = { .file = file, .line = line };
	const char *text = source_text(file, &(size_t){ 0 });
	const size_t begin = source_offset(at, 1), end = source_offset(at, col);
	return json_pack("{s:i, s:i}", "line", line - 1, "character",
	                 units_of(text + begin, end - begin));
}

json_t *lsp_range(struct span at)
{
	return json_pack("{s:o, s:o}", "start", lsp_position(at.file, at.line, at.col), "end",
	                 lsp_position(at.file, at.last_line, at.last_col));
}

static struct span span_of(struct loc at)
{
	const int end = at.end > at.col ? at.end : at.col + 1;
	return (struct span){ at.file, at.line, at.col, at.line, end };
}

/* ---- errors ---- */

/* The road up to the remarks, or to the first stage with errors. */
static struct plans compile(const struct question *q)
{
	const struct plans none = { 0 };
	const struct ast_file *ast = parse_file(q->path, q->options);
	struct program *program = ast && !diag_errors() ? sema_check(ast, q->path, q->options)
		: NULL;
	if (!program || diag_errors())
		return none;
	program_schedule(program, q->options);
	if (diag_errors())
		return none;
	const struct plans plans = program_lower(program, q->options);
	struct options o = *q->options;
	o.remarks = REMARKS_MISSED;
	if (diag_errors())
		return none;
	remarks_print(program, plans.at, &o);
	return plans;
}

/* An error or a warning; not one of the question's own source, which compiling reads again. */
static bool is_told(const struct question *q, const struct message *m)
{
	return (m->kind == KIND_ERROR || m->kind == KIND_WARNING) && m->at.file != q->file;
}

static bool is_here(const struct question *q, struct loc at)
{
	return at.file >= 0 && !strcmp(source_path(at.file), q->path);
}

enum { LSP_ERROR = 1, LSP_WARNING = 2 };

/* The message with its helps; one of a file that this one uses is told at the beginning. */
static json_t *diagnostic(const struct question *q, const struct message *m)
{
	const bool here = is_here(q, m->at);
	const char *text = m->text;
	if (!here && m->at.file >= 0)
		text = str_print("%s:%d:%d: %s", source_path(m->at.file), m->at.line, m->at.col,
		                 text);
	text = report_text(m, text);
	const struct span first = { q->file, 1, 1, 1, 1 };
	return json_pack("{s:o, s:i, s:s, s:s, s:s}", "range",
	                 lsp_range(here ? span_of(m->at) : first), "severity",
	                 m->kind == KIND_ERROR ? LSP_ERROR : LSP_WARNING, "code",
	                 str_print("P%04d", (int)m->code), "source", "patc", "message", text);
}

json_t *lsp_diagnose(const struct question *q)
{
	int n;
	json_t *all = json_array();
	compile(q);
	const struct message *m = report_messages(&n);
	for (int i = 0; i < n; i++)
		if (is_told(q, &m[i]))
			json_array_append_new(all, diagnostic(q, &m[i]));
	return all;
}

/* ---- fix-its ---- */

static int line_asked(const struct question *q, const char *end)
{
	const json_t *range = json_object_get(q->params, "range");
	const json_t *line = json_object_get(json_object_get(range, end), "line");
	return (int)json_integer_value(line) + 1;
}

static json_t *action(const struct question *q, const struct message *m, const struct place *fix)
{
	const char *title = *fix->text ? str_print("Write `%s`", fix->text) : "Delete this";
	return json_pack("{s:s, s:s, s:[o], s:{s:{s:[{s:o, s:s}]}}}", "title", title, "kind",
	                 "quickfix", "diagnostics", diagnostic(q, m), "edit", "changes",
	                 q->uri, "range", lsp_range(span_of(fix->at)), "newText", fix->text);
}

json_t *lsp_actions(const struct question *q)
{
	int n;
	const int first = line_asked(q, "start"), last = line_asked(q, "end");
	json_t *all = json_array();
	compile(q);
	const struct message *m = report_messages(&n);
	for (int i = 0; i < n; i++)
		for (int e = 0; is_told(q, &m[i]) && e < m[i].edit.n; e++) {
			const struct place *fix = &m[i].edit.at[e];
			if (is_here(q, fix->at) && fix->at.line >= first && fix->at.line <= last)
				json_array_append_new(all, action(q, &m[i], fix));
		}
	return all;
}

/* ---- the kernels of statements ---- */

/* Those of a GPU that compute the statement: one for each way, as the host chooses. */
static const char *kernels_of(const struct plan *plan, const struct node *node)
{
	const char *text = "";
	for (int i = 0; i < plan->kernel.n; i++) {
		const struct kernel *k = plan->kernel.at[i];
		if (kernel_computes(k, anchor_of(node)))
			text = str_print("%s%s%s", text, *text ? ", " : "", k->name);
	}
	return text;
}

/* After the last character of the statement's line. */
static json_t *line_end(struct loc at)
{
	size_t length;
	const char *text = source_text(at.file, &length);
	const size_t begin = source_offset(at, 1);
	size_t end = begin;
	while (end < length && text[end] != '\n' && text[end] != '\r')
		end++;
	return json_pack("{s:i, s:i}", "line", at.line - 1, "character",
	                 units_of(text + begin, end - begin));
}

static void add_hints(const struct question *q, const struct plan *plan, json_t *all)
{
	const struct statements s = statements_of(plan->entry);
	const int first = line_asked(q, "start"), last = line_asked(q, "end");
	for (int i = 0; plan->target->gpu && i < s.at.n; i++) {
		const struct loc at = s.at.at[i].node->at;
		const char *text = kernels_of(plan, s.at.at[i].node);
		if (*text && is_here(q, at) && first <= at.line && at.line <= last)
			json_array_append_new(all, json_pack("{s:o, s:s, s:b}", "position",
				line_end(at), "label", text, "paddingLeft", 1));
	}
}

json_t *lsp_inlay(const struct question *q)
{
	json_t *all = json_array();
	const struct plans plans = compile(q);
	for (int i = 0; i < plans.n; i++)
		add_hints(q, plans.at[i], all);
	return all;
}

/* ---- remarks, layout ---- */

json_t *lsp_remarks(const struct question *q, struct span at)
{
	int n;
	const char *text = "";
	compile(q);
	const struct message *m = report_messages(&n);
	for (int i = 0; i < n; i++)
		if (m[i].kind == KIND_REMARK && is_here(q, m[i].at) && m[i].at.line == at.line
		    && m[i].at.col == at.col)
			text = str_print("%s%s%s", text, *text ? "\n" : "", m[i].text);
	return *text ? json_string(text) : NULL;
}

json_t *lsp_format(const struct question *q)
{
	size_t before, length;
	const char *old = source_text(q->file, &before);
	const char *text = diag_errors() ? NULL : fmt_text(q->file, SPELLING_KEEP, &length);
	if (!text || (before == length && !memcmp(old, text, length)))
		return json_array();
	int lines = 1;
	for (size_t i = 0; i < before; i++)
		lines += old[i] == '\n';
	return json_pack("[{s:{s:{s:i, s:i}, s:{s:i, s:i}}, s:s}]", "range", "start", "line", 0,
	                 "character", 0, "end", "line", lines, "character", 0, "newText", text);
}
