/* lsp.c - patc lsp: a language server over standard input and output (JSON-RPC).
 *
 * The server keeps the texts of the open documents and nothing else.  What is asked of a program is
 * answered by a child process, which reads the text in the place of the file, and writes the answer
 * to a pipe.  So every question is asked of a compiler that has just started, and a crash or a
 * failure of it costs one answer. */
#include "config.h"
#include "lsp.h"
#include "out.h"
#include "run.h"

#include <ctype.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/wait.h>
#include <unistd.h>

enum {
	MOST_MESSAGE = 64 << 20,        /* bytes */
	MOST_SECONDS = 60,              /* of an answer */
	NOT_FOUND = -32601, INVALID = -32600, PARSE = -32700, REFUSED = -32803
};

static struct {
	const struct options *options;
	json_t *documents;              /* a text for each URI */
	bool is_shut, is_over;
} server;

/* ---- messages ---- */

/* The length that the head of a message says; 0: the input has ended, -1: a wrong head. */
static long read_head(void)
{
	static char *line;
	static size_t room;
	long length = -1;
	for (;;) {
		const ssize_t n = getline(&line, &room, stdin);
		if (n <= 0)
			return 0;
		if (!strcmp(line, "\r\n") || !strcmp(line, "\n"))
			return length > 0 && length <= MOST_MESSAGE ? length : -1;
		if (!strncasecmp(line, "Content-Length:", 15))
			length = strtol(line + 15, NULL, 10);
	}
}

static void send(json_t *message)
{
	json_object_set_new(message, "jsonrpc", json_string("2.0"));
	char *text = json_dumps(message, JSON_COMPACT);
	json_decref(message);
	if (!text)
		fail_io("out of memory");
	printf("Content-Length: %zu\r\n\r\n%s", strlen(text), text);
	free(text);
	out_close();
}

static void send_result(const json_t *id, json_t *result)
{
	send(json_pack("{s:O, s:o}", "id", id, "result", result ? result : json_null()));
}

static void send_failure(const json_t *id, int code, const char *text)
{
	json_t *known = id ? json_incref((json_t *)id) : json_null();
	send(json_pack("{s:o, s:{s:i, s:s}}", "id", known, "error", "code", code, "message", text));
}

/* A result, or the failure that a question's answer is. */
static void send_answer(const json_t *id, json_t *answer)
{
	const char *failure = json_string_value(json_object_get(answer, "failure"));
	if (!failure)
		return send_result(id, answer);
	send_failure(id, REFUSED, failure);
	json_decref(answer);
}

/* ---- questions ---- */

json_t *lsp_failure(const char *text)
{
	return json_pack("{s:s}", "failure", text);
}

static const char *uri_of(const json_t *params)
{
	return json_string_value(json_object_get(json_object_get(params, "textDocument"), "uri"));
}

static int hex(char c)
{
	return isdigit((unsigned char)c) ? c - '0' : tolower((unsigned char)c) - 'a' + 10;
}

/* The path of a file; of a document that has none, its URI. */
static char *path_of(const char *uri)
{
	const bool is_file = !strncmp(uri, "file://", 7);
	char *path = mem_new(strlen(uri) + 1), *to = path;
	for (const char *c = uri + (is_file ? 7 : 0); *c; c++) {
		const bool is_coded = is_file && *c == '%' && isxdigit((unsigned char)c[1])
			&& isxdigit((unsigned char)c[2]);
		*to++ = is_coded ? (char)(16 * hex(c[1]) + hex(c[2])) : *c;
		c += is_coded ? 2 : 0;
	}
	return path;
}

static _Noreturn void answer(lsp_answer *of, const char *uri, const json_t *params, int out)
{
	const json_t *text = json_object_get(server.documents, uri);
	const int nowhere = open("/dev/null", O_RDWR);
	struct question q = { .path = path_of(uri), .uri = uri, .params = params };
	dup2(nowhere, STDIN_FILENO), dup2(nowhere, STDOUT_FILENO), dup2(nowhere, STDERR_FILENO);
	alarm(MOST_SECONDS);
	q.options = server.options;
	diag_form(FORM_KEPT);
	source_stand_in(q.path, json_string_value(text), json_string_length(text));
	q.file = source_open(q.path);
	json_t *result = q.file < 0 ? NULL : of(&q);
	json_dumpfd(result ? result : json_null(), out, JSON_ENCODE_ANY | JSON_COMPACT);
	_exit(DONE);
}

/* A new reference; NULL: no answer. */
static json_t *ask(lsp_answer *of, const json_t *params)
{
	int ends[2];
	const char *uri = uri_of(params);
	if (!uri || !json_object_get(server.documents, uri) || pipe(ends) != 0)
		return NULL;
	const pid_t child = fork();
	if (child == 0)
		answer(of, uri, params, ends[1]);
	close(ends[1]);
	json_t *result = child < 0 ? NULL : json_loadfd(ends[0], JSON_DECODE_ANY, NULL);
	close(ends[0]);
	if (child > 0)
		waitpid(child, NULL, 0);
	return result;
}

/* ---- what the editor says ---- */

static void publish(const json_t *params)
{
	json_t *found = ask(lsp_diagnose, params);
	send(json_pack("{s:s, s:{s:s, s:o}}", "method", "textDocument/publishDiagnostics",
	               "params", "uri", uri_of(params), "diagnostics",
	               json_is_array(found) ? found : json_array()));
}

static void keep(const json_t *params, const json_t *text)
{
	if (uri_of(params) && json_is_string(text)) {
		json_object_set(server.documents, uri_of(params), (json_t *)text);
		publish(params);
	}
}

static void did_open(const json_t *params)
{
	keep(params, json_object_get(json_object_get(params, "textDocument"), "text"));
}

static void did_change(const json_t *params)
{
	const json_t *changes = json_object_get(params, "contentChanges");
	const size_t n = json_array_size(changes);
	keep(params, n ? json_object_get(json_array_get(changes, n - 1), "text") : NULL);
}

static void did_close(const json_t *params)
{
	if (uri_of(params)) {
		json_object_del(server.documents, uri_of(params));
		publish(params);
	}
}

static void exit_now(const json_t *params)
{
	(void)params;
	server.is_over = true;
}

static const struct { const char *method; void (*take)(const json_t *); } notices[] = {
	{ "textDocument/didOpen", did_open },   { "textDocument/didChange", did_change },
	{ "textDocument/didClose", did_close }, { "exit", exit_now },
};

static const struct { const char *method; lsp_answer *answer; } requests[] = {
	{ "textDocument/codeAction", lsp_actions },
	{ "textDocument/formatting", lsp_format },
	{ "textDocument/hover", lsp_hover },
	{ "textDocument/definition", lsp_definition },
	{ "textDocument/references", lsp_references },
	{ "textDocument/rename", lsp_rename },
	{ "textDocument/inlayHint", lsp_inlay },
	{ "textDocument/documentSymbol", lsp_symbols },
	{ "textDocument/completion", lsp_complete },
};

static json_t *initialized(void)
{
	return json_pack("{s:{s:i, s:b, s:b, s:b, s:b, s:b, s:b, s:b, s:b, s:{}}, s:{s:s, s:s}}",
	                 "capabilities", "textDocumentSync", 1, "codeActionProvider", 1,
	                 "documentFormattingProvider", 1, "hoverProvider", 1,
	                 "definitionProvider", 1, "referencesProvider", 1, "renameProvider", 1,
	                 "inlayHintProvider", 1,
	                 "documentSymbolProvider", 1, "completionProvider",
	                 "serverInfo", "name", "patc", "version", PACKAGE_VERSION);
}

static void take_request(const json_t *id, const char *method, const json_t *params)
{
	if (!strcmp(method, "initialize"))
		return send_result(id, initialized());
	if (!strcmp(method, "shutdown")) {
		server.is_shut = true;
		return send_result(id, NULL);
	}
	for (size_t i = 0; i < sizeof requests / sizeof *requests; i++)
		if (!strcmp(method, requests[i].method))
			return send_answer(id, ask(requests[i].answer, params));
	send_failure(id, NOT_FOUND, "patc lsp has no such method");
}

static void take_notice(const char *method, const json_t *params)
{
	for (size_t i = 0; i < sizeof notices / sizeof *notices; i++)
		if (!strcmp(method, notices[i].method))
			notices[i].take(params);
}

static void take(const json_t *message)
{
	const json_t *id = json_object_get(message, "id");
	const char *method = json_string_value(json_object_get(message, "method"));
	const json_t *params = json_object_get(message, "params");
	if (!method)
		send_failure(id, INVALID, "a message without a method");
	else if (id)
		take_request(id, method, params);
	else
		take_notice(method, params);
}

/* False: the input has ended. */
static bool take_next(void)
{
	const long length = read_head();
	if (length <= 0) {
		if (length < 0)
			fail_usage("a message without a length, or of more than 64 MiB");
		return false;
	}
	char *text = malloc((size_t)length);
	if (!text)
		fail_io("out of memory");
	const bool is_whole = fread(text, 1, (size_t)length, stdin) == (size_t)length;
	json_t *message = is_whole ? json_loadb(text, (size_t)length, 0, NULL) : NULL;
	free(text);
	if (is_whole && !message)
		send_failure(NULL, PARSE, "a message that is no JSON");
	else if (message)
		take(message);
	json_decref(message);
	return is_whole;
}

int lsp_main(const struct options *o)
{
	server.options = o;
	server.documents = json_object();
	while (!server.is_over && take_next())
		;
	json_decref(server.documents);
	return server.is_shut ? DONE : WRONG;
}
