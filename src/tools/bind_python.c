/* bind_python.c - a module of Python that loads the kernels' library by ctypes.
 *
 * It is the manifest, bind/runtime.py, which calls any kernel of a manifest, and a function for each
 * kernel, which names its parameters: first what is read, then results, which it allocates if they
 * are not given.  The stub (.pyi) has the same functions with types. */
#include "bind.h"
#include "skeleton.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

/* What parameters and functions cannot be called: words of Python, what the runtime uses. */
static const char taken[] =
	"False None True and as assert async await break class continue def del elif else except "
	"finally for from global if import in is lambda nonlocal not or pass raise return try "
	"while with yield "
	"AttributeError RuntimeError TypeError ValueError Error any bool check enumerate float "
	"getattr hasattr int isinstance len list load range reversed sorted stream str sum super "
	"tuple type workspace zip";

static const char *safe(const char *name)
{
	return bind_safe(name, taken);
}

/* ---- functions ---- */

static bool is_result(const struct bind_argument *a)
{
	return a->mode == BIND_OUT;
}

/* The parameters, as they are declared; typed: for the stub. */
static void print_parameters(const struct bind_module *b, const struct bind_kernel *k, bool host,
                             bool typed, FILE *out)
{
	const char *size = typed ? ": int | None = ..." : "=None", *comma = "";
	for (int result = 0; result < 2; result++)
		for (int i = 0; i < k->argument.n; i++) {
			const struct bind_argument *a = &k->argument.at[i];
			const char *type = a->pointer || !a->scalar      ? "Any"
			                   : a->scalar->kind == 'F'      ? "float"
			                   : a->scalar->kind == 'B'      ? "bool"
			                                                 : "int";
			if (is_result(a) != result)
				continue;
			fprintf(out, "%s%s", comma, safe(a->name));
			if (typed)
				fprintf(out, ": %s%s", type, result ? " | None = ..." : "");
			else if (result)
				fputs("=None", out);
			comma = ", ";
		}
	if (k->size.n || !host)
		fprintf(out, "%s*", comma);
	for (int i = 0; i < k->size.n; i++)
		fprintf(out, ", %s%s", safe(k->size.at[i].name), size);
	if (!host)
		fputs(typed ? ", workspace: Any = ..., stream: Any = ..." :
		              ", workspace=None, stream=None", out);
	if (!host && b->gpu)
		fputs(typed ? ", check: bool = ..." : ", check=False", out);
}

static void print_doc(const struct bind_module *b, const struct bind_kernel *k, bool host, FILE *out)
{
	fprintf(out, "    \"\"\"The kernel %s of %s (target %s).\n\n", k->name, b->program,
	        b->target);
	for (int i = 0; i < k->argument.n; i++) {
		const struct bind_argument *a = &k->argument.at[i];
		fprintf(out, "    %s: %s, %s%s\n", safe(a->name), a->text, bind_role(a),
		        is_result(a) ? "; allocated if it is not given, and returned" : "");
	}
	for (int i = 0; i < k->size.n; i++)
		fprintf(out, "    %s: a size%s\n", safe(k->size.at[i].name),
		        k->size.at[i].bound ? ", which follows from the arrays" : "");
	if (!host && b->gpu)
		fputs("    workspace: an array of bytes; allocated if it is not given\n"
		      "    stream: of the device; that of the arrays' library if it is not given\n"
		      "    check: wait, and raise what only the data show\n", out);
	if (host)
		fputs("    Arrays are those of the host; it copies, runs and waits.\n", out);
	fputs("    \"\"\"\n", out);
}

static void print_name(const char *name, int i, int n, FILE *out)
{
	fprintf(out, "%s%s%s", i ? ", " : "", safe(name), n == 1 ? "," : "");
}

/* In the order of C. */
static void print_tuples(const struct bind_kernel *k, FILE *out)
{
	fputc('(', out);
	for (int i = 0; i < k->argument.n; i++)
		print_name(k->argument.at[i].name, i, k->argument.n, out);
	fputs("), (", out);
	for (int i = 0; i < k->size.n; i++)
		print_name(k->size.at[i].name, i, k->size.n, out);
	fputc(')', out);
}

static void print_function(const struct bind_module *b, int number, bool host, FILE *out)
{
	const struct bind_kernel *k = b->kernel.at[number];
	fprintf(out, "\n\ndef %s(", host ? k->host : safe(k->run));
	print_parameters(b, k, host, false, out);
	fputs("):\n", out);
	print_doc(b, k, host, out);
	fprintf(out, "    return _kernels[%d](", number);
	print_tuples(k, out);
	fputs(host    ? ", host=True)\n"
	      : b->gpu ? ", workspace, stream, check)\n"
	               : ", workspace, stream)\n",
	      out);
}

/* ---- files ---- */

/* The manifest without what no call needs. */
static void print_manifest(const struct bind_module *b, FILE *out)
{
	json_object_del(b->json, "remarks");
	char *text = json_dumps(b->json, JSON_COMPACT | JSON_ENSURE_ASCII);
	if (!text)
		fail_io("out of memory");
	fputs("_MANIFEST = _json.loads(r\"\"\"", out);
	for (const char *c = text; *c; c++) {
		putc(*c, out);
		if (!strncmp(c, "},{", 3))
			fputs(",\n", out), c++;
	}
	fputs("\"\"\")\n", out);
	free(text);
}

void bind_python(const struct bind_module *b, FILE *out)
{
	const char *runtime = skeleton_text("runtime.py");
	const char *after = strstr(runtime, "\n\n");
	assert(after && "imports, then what uses the manifest");
	fprintf(out,
	        "\"\"\"%s - the kernels of %s (target %s), called by ctypes.\n\n"
	        "Generated by patc %s.  patc claims no rights in this file; its text is under "
	        "0BSD.\n\"\"\"\n%.*s\n",
	        b->stem, b->program, b->target, b->patc, (int)(after - runtime), runtime);
	print_manifest(b, out);
	fprintf(out, "%s\n\n_kernels = [_Kernel(k) for k in _MANIFEST[\"kernels\"]]\n", after + 2);
	for (int i = 0; i < b->record.n; i++)
		fprintf(out, "%s = _dtype(_MANIFEST[\"structs\"][%d][\"name\"])\n",
		        safe(b->record.at[i]->name), i);
	for (int i = 0; i < b->kernel.n; i++) {
		print_function(b, i, false, out);
		if (b->gpu)
			print_function(b, i, true, out);
	}
}

static void print_stub(const struct bind_module *b, int number, bool host, FILE *out)
{
	const struct bind_kernel *k = b->kernel.at[number];
	bool any = false;
	fprintf(out, "def %s(", host ? k->host : safe(k->run));
	print_parameters(b, k, host, true, out);
	for (int i = 0; i < k->argument.n; i++)
		any = any || is_result(&k->argument.at[i]);
	fprintf(out, ") -> %s: ...\n", any ? "Any" : "None");
}

void bind_python_stub(const struct bind_module *b, FILE *out)
{
	fprintf(out,
	        "# The types of %s.py, generated by patc %s.\n"
	        "from typing import Any\n\n"
	        "class Error(RuntimeError):\n    kernel: str\n    status: int\n\n"
	        "def load(path: str | None = ...) -> None: ...\n",
	        b->stem, b->patc);
	for (int i = 0; i < b->record.n; i++)
		fprintf(out, "%s: Any\n", safe(b->record.at[i]->name));
	for (int i = 0; i < b->kernel.n; i++) {
		print_stub(b, i, false, out);
		if (b->gpu)
			print_stub(b, i, true, out);
	}
}
