/* bind_python.c - a module of Python that loads the kernels' library by ctypes.
 *
 * It is the manifest, bind/runtime.py, which calls any kernel of a manifest, and a function for
 * each kernel, which names its parameters: first what is read, then results, which it allocates if
 * they are not given.  The stub (.pyi) has the same functions with types. */
#include "bind.h"
#include "skeleton.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

/* ---- functions ---- */

static bool is_result(const struct bind_argument *a)
{
	return a->mode == BIND_OUT;
}

/* The parameters, as they are declared; typed: for the stub. */
static void print_parameters(const struct bind_kernel *k, bool host,
                             bool typed, bool checks, FILE *out)
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
			fprintf(out, "%s%s", comma, a->name);
			if (typed)
				fprintf(out, ": %s%s", type, result ? " | None = ..." : "");
			else if (result)
				fputs("=None", out);
			comma = ", ";
		}
	if (k->size.n || !host)
		fprintf(out, "%s*", comma);
	for (int i = 0; i < k->size.n; i++)
		fprintf(out, ", %s%s", k->size.at[i].name, size);
	if (!host)
		fputs(typed ? ", workspace: Any = ..., stream: Any = ..." :
		              ", workspace=None, stream=None", out);
	if (checks)
		fputs(typed ? ", check: bool = ..." : ", check=False", out);
}

/* Also a leading dimension, which arrays have in their strides. */
static bool is_bound(const struct bind_kernel *k, int size)
{
	bool bound = k->size.at[size].bound;
	for (int i = 0; i < k->argument.n; i++) {
		const struct bind_argument *a = &k->argument.at[i];
		bound = bound || (a->pitched && a->ld.n == 1 && a->ld.term[0].size == size);
	}
	return bound;
}

static void print_doc(const struct bindings *b, const struct bind_kernel *k, bool host, FILE *out)
{
	fprintf(out, "    \"\"\"The kernel %s of %s (target %s).\n\n", k->name, b->program,
	        b->target);
	for (int i = 0; i < k->argument.n; i++) {
		const struct bind_argument *a = &k->argument.at[i];
		fprintf(out, "    %s: %s, %s%s\n", a->name, a->text, bind_role(a),
		        is_result(a) ? "; allocated if it is not given, and returned" : "");
	}
	for (int i = 0; i < k->size.n; i++)
		fprintf(out, "    %s: a size%s\n", k->size.at[i].name,
		        is_bound(k, i) ? ", which follows from the arrays" : "");
	if (!host && b->gpu)
		fputs("    workspace: an array of bytes; allocated if it is not given\n"
		      "    stream: of the device; that of the arrays' library if it is not given\n"
		      "    check: wait, and raise what only the data show\n", out);
	if (host)
		fputs("    Arrays are those of the host; it copies, runs and waits.\n", out);
	fputs("    \"\"\"\n", out);
}

/* In the order of C. */
static void print_arguments(const struct bind_kernel *k, FILE *out)
{
	for (int i = 0; i < k->argument.n; i++)
		fprintf(out, "%s%s", i ? ", " : "", k->argument.at[i].name);
}

/* What a call is known by: its sizes and their types, since 5.0 equals 5, and the signatures of its
 * arrays, of results if given. */
static void print_key(const struct bind_kernel *k, FILE *out)
{
	int n = 0;
	fputs("    _key = (", out);
	for (int i = 0; i < k->size.n; i++)
		fprintf(out, "%1$s%2$s is not None and (%2$s, type(%2$s))", n++ ? ", " : "",
		        k->size.at[i].name);
	for (int i = 0; i < k->argument.n; i++) {
		const struct bind_argument *a = &k->argument.at[i];
		if (!a->pointer)
			continue;
		fputs(n++ ? ", " : "", out);
		if (is_result(a))
			fprintf(out, "%s is not None and ", a->name);
		fprintf(out, "_SIGNATURE[type(%1$s)](%1$s)", a->name);
	}
	fputs(n == 1 ? ",)\n" : ")\n", out);
}

/* The arguments of the kernel and its sizes, as a method of _Kernel takes them. */
static void print_tuples(const struct bind_kernel *k, FILE *out)
{
	putc('(', out);
	print_arguments(k, out);
	fputs(k->argument.n == 1 ? ",), (" : "), (", out);
	for (int i = 0; i < k->size.n; i++)
		fprintf(out, "%s%s", i ? ", " : "", k->size.at[i].name);
	fputs(k->size.n == 1 ? ",)" : ")", out);
}

/* Arrays of the host: the call has a function of its own from its second time on. */
static void print_host_call(const struct bind_kernel *k, int number, bool workspace, FILE *out)
{
	fprintf(out, "    _call = _kernels[%d].calls.get(_key)\n", number);
	fprintf(out, "    if _call%s:\n        return _call(",
	        workspace ? " and workspace is None" : "");
	print_arguments(k, out);
	fprintf(out, ")\n    return _kernels[%d].call(_key, ", number);
	print_tuples(k, out);
	fputs(workspace ? ", workspace)\n" : ")\n", out);
}

static void print_function(const struct bindings *b, int number, bool host, FILE *out)
{
	const struct bind_kernel *k = b->kernel.at[number];
	fprintf(out, "\n\ndef %s(", host ? k->host : k->name);
	print_parameters(k, host, false, !host && b->gpu, out);
	fputs("):\n", out);
	print_doc(b, k, host, out);
	print_key(k, out);
	if (host || !b->gpu) {
		print_host_call(k, number, !host, out);
		return;
	}
	fprintf(out, "    return _kernels[%d].enqueue(_key, ", number);
	print_tuples(k, out);
	fputs(", workspace, stream, check)\n", out);
}

/* NAME.prepare, after the function NAME. */
static void print_prepare(const struct bindings *b, int number, FILE *out)
{
	const struct bind_kernel *k = b->kernel.at[number];
	fputs("\n\ndef _prepare(", out);
	print_parameters(k, false, false, false, out);
	fprintf(out,
	        "):\n    \"\"\"A function without arguments that makes this call of %s whenever it "
	        "is called: %s.\n\n    It keeps the arrays, which are not looked at again.\n"
	        "    \"\"\"\n    return _kernels[%d].prepare(",
	        k->name, b->gpu ? "on the current stream, or on that given here" : "on the host",
	        number);
	print_tuples(k, out);
	fputs(", workspace, stream)\n\n\n", out);
	fprintf(out, "%1$s.prepare, %1$s._kernel = _prepare, _kernels[%2$d]\n", k->name, number);
}

/* ---- files ---- */

/* The manifest without what no call needs. */
static void print_manifest(const struct bindings *b, FILE *out)
{
	json_object_del(b->json, "remarks");
	char *text = json_dumps(b->json, JSON_COMPACT | JSON_ENSURE_ASCII);
	fputs("_MANIFEST = _json.loads(r\"\"\"", out);
	for (const char *c = text; *c; c++) {
		putc(*c, out);
		if (!strncmp(c, "},{", 3))
			fputs(",\n", out), c++;
	}
	fputs("\"\"\")\n", out);
	free(text);
}

void bind_python(const struct bindings *b, FILE *out)
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
		        b->record.at[i]->name, i);
	for (int i = 0; i < b->kernel.n; i++) {
		print_function(b, i, false, out);
		print_prepare(b, i, out);
		if (b->gpu)
			print_function(b, i, true, out);
	}
}

static const char *returned(const struct bind_kernel *k)
{
	bool any = false;
	for (int i = 0; i < k->argument.n; i++)
		any = any || is_result(&k->argument.at[i]);
	return any ? "Any" : "None";
}

/* NAME, which has the method prepare, as an object of a class. */
static void print_stub(const struct bindings *b, int number, FILE *out)
{
	const struct bind_kernel *k = b->kernel.at[number];
	const char *type = returned(k);
	fprintf(out, "class _%s:\n    def __call__(self, ", k->name);
	print_parameters(k, false, true, b->gpu, out);
	fprintf(out, ") -> %s: ...\n    def prepare(self, ", type);
	print_parameters(k, false, true, false, out);
	fprintf(out, ") -> Callable[%s, %s]: ...\n%s: _%s\n", b->gpu ? "..." : "[]", type, k->name,
	        k->name);
}

static void print_host_stub(const struct bind_kernel *k, FILE *out)
{
	fprintf(out, "def %s(", k->host);
	print_parameters(k, true, true, false, out);
	fprintf(out, ") -> %s: ...\n", returned(k));
}

void bind_python_stub(const struct bindings *b, FILE *out)
{
	fprintf(out,
	        "# The types of %s.py, generated by patc %s.\n"
	        "from typing import Any, Callable\n\n"
	        "class Error(RuntimeError):\n    kernel: str\n    status: int\n\n"
	        "def load(path: str | None = ...) -> None: ...\n",
	        b->stem, b->patc);
	for (int i = 0; i < b->record.n; i++)
		fprintf(out, "%s: Any\n", b->record.at[i]->name);
	for (int i = 0; i < b->kernel.n; i++) {
		print_stub(b, i, out);
		if (b->gpu)
			print_host_stub(b->kernel.at[i], out);
	}
}
