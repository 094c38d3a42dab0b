/* report.c - writes diagnostics as one document: JSON in patc's own format, which
 * diagnostics.schema.json describes, or SARIF 2.1.0 (OASIS), which other tools read.
 *
 * Messages are kept until patc ends, and the document then goes to standard error, where the text
 * would be.  It is whole whatever happens, but for an internal error; without memory it has the
 * last message alone.  Lines and columns count from 1, columns count code points, and an end is one
 * after: both forms have it so.  A place is on one line; what goes on is cut at its end. */
#include "report.h"
#include "config.h"

#include <limits.h>
#include <string.h>

#include "source.h"

static LIST(struct message) messages;
static enum diag_form form;

static const char *const kind_names[] = {
	[KIND_ERROR] = "error", [KIND_WARNING] = "warning", [KIND_REMARK] = "remark",
	[KIND_FIXED] = "fixed"
};

void diag_form(enum diag_form wanted)
{
	form = wanted;
}

bool report_wanted(void)
{
	return form != FORM_TEXT;
}

void report_message(enum kind kind, struct loc at, enum diag code, const char *text)
{
	list_add(&messages, ((struct message){ kind, at, code, str_name(text), .help = { 0 } }));
}

const struct message *report_messages(int *n)
{
	*n = messages.n;
	return messages.at;
}

static struct message *last(void)
{
	return &messages.at[messages.n - 1];
}

void report_note(struct loc at, const char *text)
{
	list_add(&last()->note, ((struct place){ at, str_name(text) }));
}

void report_help(const char *text)
{
	list_add(&last()->help, str_name(text));
}

void report_edit(struct loc at, const char *text)
{
	list_add(&last()->edit, ((struct place){ at, str_name(text) }));
}

/* ---- what both forms have ---- */

static FILE *out;
static const char *separator;            /* before the next part of a list */

static void begin(void)
{
	separator = "";
}

static void next(void)
{
	fputs(separator, out);
	separator = ", ";
}

static void pair(const char *key, const char *value)
{
	fprintf(out, "\"%s\": ", key);
	text_json(out, value);
}

/* One after its last column, on its line. */
static int end_of(struct loc at)
{
	if (at.end == INT_MAX)
		return source_columns(at) + 1;
	return at.end > at.col ? at.end : at.col;
}

static void region(struct loc at)
{
	fprintf(out, "\"startLine\": %d, \"startColumn\": %d, \"endLine\": %d, \"endColumn\": %d",
	        at.line, at.col, at.line, end_of(at));
}

static int count(enum kind kind)
{
	int n = 0;
	for (int i = 0; i < messages.n; i++)
		n += messages.at[i].kind == kind;
	return n;
}

/* ---- JSON ---- */

static void json_place(struct loc at)
{
	fputs("\"location\": ", out);
	if (at.file < 0) {
		fputs("null", out);
		return;
	}
	putc('{', out);
	pair("file", source_path(at.file));
	if (at.line > 0) {
		fputs(", ", out);
		region(at);
	}
	putc('}', out);
}

static void json_places(const char *key, const char *text, const struct place *p, int n)
{
	fprintf(out, ",\n    \"%s\": [", key);
	begin();
	for (int i = 0; i < n; i++) {
		next();
		fputs("{", out);
		json_place(p[i].at);
		fputs(", ", out);
		pair(text, p[i].text);
		putc('}', out);
	}
	putc(']', out);
}

static void json_code(enum diag code)
{
	const char *option = warning_name(code);
	fprintf(out, "\"code\": \"P%04d\", ", (int)code);
	pair("name", diag_name(code));
	fputs(", ", out);
	if (option)
		pair("option", str_print("-W%s", option));
	else
		fputs("\"option\": null", out);
}

static void json_message(const struct message *m)
{
	fputs("{", out);
	pair("severity", kind_names[m->kind]);
	fputs(", ", out);
	if (m->code != D_NONE)
		json_code(m->code);
	else
		fputs("\"code\": null, \"name\": null, \"option\": null", out);
	fputs(",\n    ", out);
	json_place(m->at);
	fputs(",\n    ", out);
	pair("message", m->text);
	fputs(",\n    \"help\": [", out);
	begin();
	for (int i = 0; i < m->help.n; i++)
		next(), text_json(out, m->help.at[i]);
	putc(']', out);
	json_places("notes", "message", m->note.at, m->note.n);
	json_places("edits", "text", m->edit.at, m->edit.n);
	putc('}', out);
}

static void json_document(void)
{
	fputs("{\"format\": \"patc-diagnostics-1\", \"version\": \"" PACKAGE_VERSION "\", ", out);
	fprintf(out, "\"errors\": %d, \"warnings\": %d,\n  \"diagnostics\": [", count(KIND_ERROR),
	        count(KIND_WARNING));
	for (int i = 0; i < messages.n; i++) {
		fputs(i ? ",\n   " : "\n   ", out);
		json_message(&messages.at[i]);
	}
	fputs("]}\n", out);
}

/* ---- SARIF ---- */

/* A reference of RFC 3986: the path itself if it is relative. */
static void sarif_uri(const char *path)
{
	static const char plain[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"
	                            "-._~/";
	fprintf(out, "\"artifactLocation\": {\"uri\": \"%s", *path == '/' ? "file://" : "");
	for (; *path; path++)
		fprintf(out, strchr(plain, *path) ? "%c" : "%%%02X", (unsigned char)*path);
	fputs("\"}", out);
}

static void sarif_region(const char *key, struct loc at)
{
	fprintf(out, "\"%s\": {", key);
	region(at);
	putc('}', out);
}

static void sarif_place(struct loc at)
{
	fputs("\"physicalLocation\": {", out);
	sarif_uri(source_path(at.file));
	if (at.line > 0) {
		fputs(", ", out);
		sarif_region("region", at);
	}
	putc('}', out);
}

static void sarif_text(const char *key, const char *text)
{
	fprintf(out, "\"%s\": {", key);
	pair("text", text);
	putc('}', out);
}

static const char *level_of(const struct message *m)
{
	return m->kind == KIND_ERROR ? "error" : m->kind == KIND_WARNING ? "warning" : "note";
}

static const char *rule_of(const struct message *m)
{
	return m->code == D_NONE ? kind_names[m->kind] : str_print("P%04d", (int)m->code);
}

/* What is about the command, or about patc's files, is about no program. */
static bool is_result(const struct message *m)
{
	return m->code != D_NONE || m->at.file >= 0;
}

static bool same_rule(const struct message *a, const struct message *b)
{
	return is_result(a) && is_result(b) && a->code == b->code
	       && (a->code != D_NONE || a->kind == b->kind);
}

/* The first result of its rule; rules are listed in their order. */
static bool is_first(const struct message *m)
{
	for (int i = 0; i < messages.n && &messages.at[i] != m; i++)
		if (same_rule(&messages.at[i], m))
			return false;
	return is_result(m);
}

static int rule_index(const struct message *m)
{
	int index = 0;
	for (int i = 0; i < messages.n; i++) {
		if (same_rule(&messages.at[i], m))
			return index;
		index += is_first(&messages.at[i]);
	}
	return index;
}

static void sarif_rule(const struct message *m)
{
	FILE *text = text_open();
	fputs("{", out);
	pair("id", rule_of(m));
	if (m->code != D_NONE) {
		fputs(", ", out);
		pair("name", diag_name(m->code));
		fputs(", ", out);
		sarif_text("shortDescription", diag_summary(m->code));
		diag_explain(rule_of(m), text);
	}
	const char *help = text_close(text);
	if (*help) {
		fputs(", ", out);
		sarif_text("help", help);
	}
	fprintf(out, ", \"defaultConfiguration\": {\"level\": \"%s\"}}",
	        m->kind == KIND_ERROR && warning_name(m->code) ? "warning" : level_of(m));
}

const char *report_text(const struct message *m, const char *text)
{
	for (int i = 0; i < m->help.n; i++)
		text = str_print("%s\nhelp: %s", text, m->help.at[i]);
	return text;
}

static void sarif_related(const struct message *m)
{
	fputs(",\n      \"relatedLocations\": [", out);
	begin();
	for (int i = 0; i < m->note.n; i++) {
		next();
		fprintf(out, "{\"id\": %d, ", i);
		if (m->note.at[i].at.file >= 0) {
			sarif_place(m->note.at[i].at);
			fputs(", ", out);
		}
		sarif_text("message", m->note.at[i].text);
		putc('}', out);
	}
	putc(']', out);
}

/* All edits of a message belong together, and are in one file. */
static void sarif_fix(const struct message *m)
{
	fputs(",\n      \"fixes\": [{", out);
	if (m->help.n) {
		sarif_text("description", m->help.at[m->help.n - 1]);
		fputs(", ", out);
	}
	fputs("\"artifactChanges\": [{", out);
	sarif_uri(source_path(m->edit.at[0].at.file));
	fputs(", \"replacements\": [", out);
	begin();
	for (int i = 0; i < m->edit.n; i++) {
		next();
		putc('{', out);
		sarif_region("deletedRegion", m->edit.at[i].at);
		fputs(", ", out);
		sarif_text("insertedContent", m->edit.at[i].text);
		putc('}', out);
	}
	fputs("]}]}]", out);
}

static void sarif_result(const struct message *m)
{
	fputs("{", out);
	pair("ruleId", rule_of(m));
	fprintf(out, ", \"ruleIndex\": %d, \"level\": \"%s\",\n      ", rule_index(m), level_of(m));
	sarif_text("message", report_text(m, m->text));
	if (m->at.file >= 0) {
		fputs(",\n      \"locations\": [{", out);
		sarif_place(m->at);
		fputs("}]", out);
	}
	if (m->note.n)
		sarif_related(m);
	if (m->edit.n)
		sarif_fix(m);
	putc('}', out);
}

static void sarif_notice(const struct message *m)
{
	fprintf(out, "{\"level\": \"%s\", ", level_of(m));
	sarif_text("message", report_text(m, m->text));
	putc('}', out);
}

/* Of the messages that are results, or of the others; rules: of each code the first. */
static void sarif_list(void (*put)(const struct message *), bool results, bool rules)
{
	const char *comma = "";
	for (int i = 0; i < messages.n; i++) {
		const struct message *m = &messages.at[i];
		if (rules ? !is_first(m) : is_result(m) != results)
			continue;
		fprintf(out, "%s\n    ", comma);
		put(m);
		comma = ",";
	}
}

static void sarif_document(void)
{
	fputs("{\"$schema\": \"https://json.schemastore.org/sarif-2.1.0.json\", \"version\": "
	      "\"2.1.0\",\n \"runs\": [{\"columnKind\": \"unicodeCodePoints\",\n  \"tool\": "
	      "{\"driver\": {\"name\": \"patc\", \"version\": \"" PACKAGE_VERSION
	      "\", \"rules\": [", out);
	sarif_list(sarif_rule, true, true);
	fputs("]}},\n  \"invocations\": [{\"executionSuccessful\": ", out);
	bool failed = false;
	for (int i = 0; i < messages.n; i++)
		failed |= !is_result(&messages.at[i]) && messages.at[i].kind == KIND_ERROR;
	fprintf(out, "%s, \"toolExecutionNotifications\": [", failed ? "false" : "true");
	sarif_list(sarif_notice, false, false);
	fputs("]}],\n  \"results\": [", out);
	sarif_list(sarif_result, true, false);
	fputs("]}]}\n", out);
}

/* ---- the end ---- */

static void document(FILE *to)
{
	out = to;
	if (form == FORM_JSON)
		json_document();
	else
		sarif_document();
}

void diag_close(void)
{
	if (form == FORM_TEXT || form == FORM_KEPT)
		return;
	document(text_open());
	fputs(text_close(out), stderr);
	form = FORM_TEXT;
}

void report_failure(const char *text, const char *help)
{
	static struct message alone = { .kind = KIND_ERROR, .at = { .file = -1 } };
	static bool again;
	if (!again) {
		again = true;
		report_message(KIND_ERROR, alone.at, D_NONE, text);
		if (help)
			report_help(help);
		diag_close();
		return;
	}
	alone.text = text;                   /* there is no memory for more */
	messages.at = &alone;
	messages.n = 1;
	document(stderr);
}
