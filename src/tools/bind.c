/* bind.c - patc bind: bindings of the kernels for another language, from the manifest alone.
 *
 * The manifest is read once, into bind.h's structs, and whatever is missing or of another type ends
 * the command.  Names become part of programs: only what C takes as a name is accepted. */
#include "bind.h"
#include "options.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* ---- reading ---- */

static const char *file;                 /* of the manifest, for messages */

static _Noreturn void no_manifest(const char *what)
{
	fail_io("'%s' is not a manifest of version %d, as patc --manifest writes it: %s", file,
	        MANIFEST_VERSION, what);
}

static json_t *value(const json_t *of, const char *key)
{
	json_t *found = json_object_get(of, key);
	if (!found)
		no_manifest(str_print("there is no \"%s\"", key));
	return found;
}

static json_t *list(const json_t *of, const char *key)
{
	json_t *found = value(of, key);
	if (!json_is_array(found))
		no_manifest(str_print("\"%s\" is not a list", key));
	return found;
}

static const char *text_or_null(const json_t *of, const char *key)
{
	json_t *found = value(of, key);
	if (!json_is_string(found) && !json_is_null(found))
		no_manifest(str_print("\"%s\" is not a string", key));
	return json_string_value(found);
}

static const char *text(const json_t *of, const char *key)
{
	const char *found = text_or_null(of, key);
	if (!found)
		no_manifest(str_print("\"%s\" is null", key));
	for (const char *c = found; *c; c++)
		if ((unsigned char)*c < ' ' || strchr("\"\\", *c))
			no_manifest(str_print("\"%s\" has a quote or a backslash", key));
	return found;
}

static const char *name(const json_t *of, const char *key)
{
	const char *found = text(of, key);
	bool good = isalpha((unsigned char)*found) || *found == '_';
	for (const char *c = found; *c; c++)
		good = good && (isalnum((unsigned char)*c) || *c == '_');
	if (!good)
		no_manifest(str_print("\"%s\" is not a C identifier: '%s'", key, found));
	return found;
}

static json_int_t number(const json_t *of, const char *key)
{
	json_t *found = value(of, key);
	if (!json_is_integer(found))
		no_manifest(str_print("\"%s\" is not an integer", key));
	return json_integer_value(found);
}

static bool flag(const json_t *of, const char *key)
{
	json_t *found = value(of, key);
	if (!json_is_boolean(found))
		no_manifest(str_print("\"%s\" is neither true nor false", key));
	return json_is_true(found);
}

/* ---- types ---- */

static const struct bind_type scalars[] = {
#define TYPE(id, name, c, bytes, class) { name, c, bytes, class },
#include "types.def"
#undef TYPE
};

static void read_type(const struct bindings *b, const json_t *of,
                      const struct bind_type **scalar, const struct bind_struct **record)
{
	const char *word = name(of, "type");
	for (size_t i = 0; i < sizeof scalars / sizeof *scalars; i++)
		if (!strcmp(scalars[i].name, word))
			*scalar = &scalars[i];
	for (int i = 0; i < b->record.n; i++)
		if (!strcmp(b->record.at[i]->own, word))
			*record = b->record.at[i];
	if (!*scalar && !*record)
		no_manifest(str_print("there is no type '%s'", word));
}

static struct bind_field read_field(const struct bindings *b, const json_t *of)
{
	struct bind_field f = { .name = name(of, "c"), .offset = number(of, "offset") };
	const json_t *shape = list(of, "shape");
	read_type(b, of, &f.scalar, &f.record);
	f.rank = (int)json_array_size(shape);
	if (f.rank > MAX_RANK)
		no_manifest("a field has too many axes");
	for (int i = 0; i < f.rank; i++)
		f.extent[i] = json_integer_value(json_array_get(shape, (size_t)i));
	return f;
}

static void read_structs(struct bindings *b)
{
	size_t i, k;
	json_t *of, *field;
	json_array_foreach(list(b->json, "structs"), i, of) {
		struct bind_struct *s = NEW(struct bind_struct);
		s->name = name(of, "c");
		s->own = name(of, "name");
		s->bytes = number(of, "bytes");
		json_array_foreach(list(of, "fields"), k, field)
			list_add(&s->field, read_field(b, field));
		list_add(&b->record, s);
	}
}

/* ---- kernels ---- */

static int size_number(const json_t *kernel, const char *size)
{
	size_t i;
	json_t *of;
	json_array_foreach(list(kernel, "sizes"), i, of)
		if (!strcmp(text(of, "name"), size))
			return (int)i;
	no_manifest(str_print("there is no size '%s'", size));
}

static struct bind_affine read_affine(const json_t *kernel, const json_t *of)
{
	struct bind_affine a = { .text = text(of, "text"), .constant = number(of, "constant") };
	const json_t *terms = list(of, "terms");
	a.n = (int)json_array_size(terms);
	if (a.n > MAX_RANK)
		no_manifest("an extent has too many terms");
	for (int i = 0; i < a.n; i++) {
		const json_t *term = json_array_get(terms, (size_t)i);
		a.term[i].size = size_number(kernel, text(term, "size"));
		a.term[i].factor = number(term, "factor");
	}
	return a;
}

static const char *declared(const json_t *parameter)
{
	const char *s = text(parameter, "type"), *layout = text_or_null(parameter, "layout");
	const json_t *shape = list(parameter, "shape");
	for (size_t i = 0; i < json_array_size(shape); i++)
		s = str_print("%s%s%s", s, i ? ", " : "[", text(json_array_get(shape, i), "text"));
	if (json_array_size(shape))
		s = str_print("%s]", s);
	return layout ? str_print("%s layout %s", s, text(parameter, "layout")) : s;
}

static void read_axes(const json_t *kernel, const json_t *parameter, const json_t *of,
                      struct bind_argument *a)
{
	const json_t *axes = list(of, "axes"), *ld = value(of, "ld"), *tile = value(of, "tile");
	a->rank = (int)json_array_size(axes);
	a->own = a->rank - (int)json_array_size(list(parameter, "shape"));
	if (a->rank > 2 * MAX_RANK || a->own < 0)
		no_manifest("an argument has too many axes, or too few");
	for (int i = 0; i < a->rank; i++)
		a->axis[i] = read_affine(kernel, json_array_get(axes, (size_t)i));
	a->pitched = !json_is_null(ld);
	if (a->pitched)
		a->ld = read_affine(kernel, ld);
	a->block = number(of, "block");
	for (size_t i = 0; i < 2; i++)
		a->tile[i] = json_is_null(tile) ? 1 : json_integer_value(json_array_get(tile, i));
	if (a->block < 1 || a->tile[0] < 1 || a->tile[1] < 1)
		no_manifest("a tile or a block without cells");
	a->flat = a->block > 1 || !json_is_null(tile) || text_or_null(of, "curve");
}

static void read_argument(const struct bindings *b, const json_t *kernel,
                          const json_t *parameter, const json_t *of, struct bind_kernel *k)
{
	const char *mode = text(parameter, "mode"), *field = text_or_null(of, "field");
	const char *layout = text_or_null(parameter, "layout");
	struct bind_argument a = { .name = name(of, "name"), .c = text(of, "c") };
	a.text = field ? str_print("field %s of %s: %s", name(of, "field"),
	                           text(parameter, "name"), declared(parameter))
	               : declared(parameter);
	read_type(b, of, &a.scalar, &a.record);
	a.mode = !strcmp(mode, "in") ? BIND_IN : !strcmp(mode, "out") ? BIND_OUT : BIND_INOUT;
	a.pointer = flag(of, "pointer");
	a.turned = layout && !strncmp(layout, "col", 3);
	read_axes(kernel, parameter, of, &a);
	list_add(&k->argument, a);
}

static struct bind_kernel *read_kernel(const struct bindings *b, const json_t *of)
{
	struct bind_kernel *k = NEW(struct bind_kernel);
	const json_t *functions = value(of, "functions");
	size_t i, j;
	json_t *each, *argument;
	*k = (struct bind_kernel){ .name = name(of, "c"), .run = name(functions, "run"),
		                   .host = name(functions, "host"),
		                   .workspace = name(functions, "workspace"),
		                   .status = name(functions, "status"),
		                   .strerror = name(functions, "strerror") };
	json_array_foreach(list(of, "sizes"), i, each) {
		const struct bind_size size = { name(each, "argument"),
			                        json_array_size(list(each, "bound_by")) > 0 };
		list_add(&k->size, size);
	}
	json_array_foreach(list(of, "parameters"), i, each)
		json_array_foreach(list(each, "arguments"), j, argument)
			read_argument(b, of, each, argument, k);
	return k;
}

/* ---- all of it ---- */

static void read_statuses(struct bindings *b)
{
	size_t i;
	json_t *of;
	json_array_foreach(list(b->json, "statuses"), i, of) {
		const struct bind_status s = { name(of, "name"), text(of, "text"),
			                       number(of, "status") };
		list_add(&b->status, s);
	}
}

static json_t *load(const char *path)
{
	json_error_t error;
	FILE *in = strcmp(path, "-") ? fopen(path, "r") : stdin;
	if (!in)
		fail_io("cannot read '%s': %s", path, strerror(errno));
	json_t *all = json_loadf(in, JSON_REJECT_DUPLICATES, &error);
	if (!all)
		no_manifest(str_print("line %d: %s", error.line, error.text));
	if (in != stdin)
		fclose(in);
	return all;
}

static struct bindings read_manifest(const char *path)
{
	struct bindings b = { 0 };
	size_t i;
	json_t *kernel;
	file = path;
	manifest_memory();
	b.json = load(path);
	if (number(b.json, "version") != MANIFEST_VERSION)
		no_manifest(str_print("its version is %" JSON_INTEGER_FORMAT,
		                      number(b.json, "version")));
	b.source = text(b.json, "source"), b.program = text(b.json, "program");
	b.header = text(b.json, "header"), b.target = name(b.json, "target");
	b.patc = text(b.json, "patc"), b.gpu = flag(b.json, "gpu");
	read_statuses(&b);
	read_structs(&b);
	json_array_foreach(list(b.json, "kernels"), i, kernel)
		list_add(&b.kernel, read_kernel(&b, kernel));
	return b;
}

/* ---- what languages share ---- */

static const char *safe(const char *name, const char *words)
{
	const size_t n = strlen(name);
	if (*name == '_' && strstr(words, "_*"))
		return str_print("%s_", name);
	for (const char *w = strstr(words, name); w; w = strstr(w + 1, name))
		if ((w == words || w[-1] == ' ') && (w[n] == ' ' || !w[n]))
			return str_print("%s_", name);
	return name;
}

const char *bind_role(const struct bind_argument *a)
{
	return a->mode == BIND_IN ? "read" : a->mode == BIND_OUT ? "written" : "read and written";
}

const char *bind_extent(const struct bind_kernel *k, const struct bind_affine *a)
{
	const char *s = "";
	for (int i = 0; i < a->n; i++) {
		const char *size = k->size.at[a->term[i].size].name;
		const char *plus = *s ? " + " : "";
		s = a->term[i].factor == 1
		            ? str_print("%s%s%s", s, plus, size)
		            : str_print("%s%s%" JSON_INTEGER_FORMAT " * %s", s, plus,
		                        a->term[i].factor, size);
	}
	if (a->constant || !a->n)
		s = str_print(a->constant < 0 ? "%s - %" JSON_INTEGER_FORMAT
		              : *s            ? "%s + %" JSON_INTEGER_FORMAT
		                              : "%s%" JSON_INTEGER_FORMAT,
		              s, a->constant < 0 ? -a->constant : a->constant);
	return s;
}

static const char *factor_text(const struct bind_kernel *k, const struct bind_affine *a)
{
	const char *s = bind_extent(k, a);
	return a->n > 1 || (a->n && a->constant) ? str_print("(%s)", s) : s;
}

const char *bind_elements(const struct bind_kernel *k, const struct bind_argument *a,
                          const char *ceil)
{
	const char *s = "";
	for (int i = 0; i < a->rank; i++) {
		const int inner = i - (a->rank - 2);
		const struct bind_affine *axis = a->pitched && i == a->rank - 1 ? &a->ld
		                                                                : &a->axis[i];
		const char *extent = factor_text(k, axis);
		if (inner >= 0 && a->tile[inner] > 1)
			extent = str_print("%s(%s, %" JSON_INTEGER_FORMAT
			                   ") * %" JSON_INTEGER_FORMAT,
			                   ceil, bind_extent(k, axis), a->tile[inner],
			                   a->tile[inner]);
		s = *s ? str_print("%s * %s", s, extent) : extent;
	}
	if (a->block > 1)
		s = str_print("%s(%s, %" JSON_INTEGER_FORMAT ")", ceil, s, a->block);
	return *s ? s : "1";
}

int bind_place(const struct bind_argument *a, int axis)
{
	return a->turned && axis >= a->own ? a->own + a->rank - 1 - axis : axis;
}

const char *bind_stride(const struct bind_kernel *k, const struct bind_argument *a, int axis)
{
	const char *s = "";
	for (int i = axis + 1; i < a->rank; i++) {
		const bool ld = a->pitched && i == a->rank - 1;
		s = str_print("%s%s%s", s, *s ? " * " : "",
		              factor_text(k, ld ? &a->ld : &a->axis[i]));
	}
	return *s ? s : "1";
}

/* (extent - constant) / factor */
static const char *solved(const struct bind_affine *a, int size, const char *extent,
                          const char *over)
{
	if (!extent || a->n != 1 || a->term[0].size != size)
		return NULL;
	if (a->constant)
		extent = str_print("(%s - (%" JSON_INTEGER_FORMAT "))", extent, a->constant);
	if (a->term[0].factor == 1)
		return extent;
	return str_print("%s %s (%" JSON_INTEGER_FORMAT ")", extent, over, a->term[0].factor);
}

const char *bind_size(const struct bind_kernel *k, int size,
                      const char *(*extent)(const struct bind_argument *, int axis),
                      const char *over)
{
	for (int i = 0; i < k->argument.n; i++) {
		const struct bind_argument *a = &k->argument.at[i];
		const char *s = NULL;
		for (int axis = 0; axis < a->rank && !a->flat && !s; axis++)
			s = solved(&a->axis[axis], size, extent(a, axis), over);
		if (!s && a->pitched && a->rank > 1)
			s = solved(&a->ld, size, extent(a, a->rank), over);
		if (s)
			return s;
	}
	return NULL;
}

/* ---- the command ---- */

struct names { LIST(const char *) at; };


/* What sizes, parameters, fields, structs and kernels cannot be called: words of the language, and
 * what the module uses; `_*`: names that begin so.  (Those of C++ are not among the names that patc
 * gives in C.) */
static const char python_words[] =
	"False None True and as assert async await break class continue def del elif else except "
	"finally for from global if import in is lambda nonlocal not or pass raise return try "
	"while with yield "
	"_* Any AttributeError Callable RuntimeError TypeError ValueError Error any bool check "
	"enumerate float "
	"getattr hasattr int isinstance len list load range reversed sorted stream str sum super "
	"tuple type workspace zip";
static const char rust_words[] =
	"Self abstract as async await become box crate dyn fn final impl in let loop macro match "
	"mod move mut override priv pub ref self super trait type unsafe unsized use where yield "
	"Error bool ceil done f32 f64 fits i16 i32 i64 i8 status stream sys u16 u32 u64 u8 "
	"workspace workspace_bytes";
static const char julia_words[] =
	"abstract baremodule begin catch const elseif end export finally function global import in "
	"isa let local macro module mutable primitive quote struct try using where type "
	"KernelError Libdl ccall cld fits length library nothing opened reinterpret size status "
	"symbol throw unsafe_string";
/* What the subroutines declare; the intrinsic functions that they use. */
static const char fortran_words[] =
	"status workspace workspace_bytes stream size len present c_int c_ptr c_float c_double";

static const struct language {
	const char *name, *suffix, *other;       /* other: of a second file, or NULL */
	const char *words;
	bool plain;      /* letters have no case, and names begin with one */
	void (*print)(const struct bindings *, FILE *);
	void (*print_other)(const struct bindings *, FILE *);
} languages[] = {
	{ "python", ".py", ".pyi", python_words, false, bind_python, bind_python_stub },
	{ "c++", ".hpp", NULL, "", false, bind_cpp, NULL },
	{ "fortran", ".f90", NULL, fortran_words, true, bind_fortran, NULL },
	{ "rust", ".rs", NULL, rust_words, false, bind_rust, NULL },
	{ "julia", ".jl", NULL, julia_words, false, bind_julia, NULL },
};
enum { LANGUAGES = sizeof languages / sizeof *languages };

int language_named(const char *name)
{
	const char *all = "";
	for (int i = 0; i < LANGUAGES; i++) {
		if (!strcmp(languages[i].name, name))
			return i;
		all = str_print("%s%s%s", all, i ? ", " : "", languages[i].name);
	}
	fail_usage("there are no bindings for '%s'; there are: %s", name, all);
}

/* As the language takes it, and as none of the others is called. */
static const char *renamed(const char *name, const struct language *to, struct names *others)
{
	const char *s = safe(name, to->words);
	if (to->plain && !isalpha((unsigned char)*s))
		s = str_print("p%s", s);
	for (int i = 0; i < others->at.n; i++)
		if (!(to->plain ? strcasecmp : strcmp)(others->at.at[i], s))
			s = str_print("%s_", s), i = -1;
	list_add(&others->at, s);
	return s;
}

static void rename_kernel(struct bind_kernel *k, const struct language *to)
{
	struct names names = { 0 };
	for (int i = 0; i < k->size.n; i++)
		k->size.at[i].name = renamed(k->size.at[i].name, to, &names);
	for (int i = 0; i < k->argument.n; i++)
		k->argument.at[i].name = renamed(k->argument.at[i].name, to, &names);
}

static void rename_all(struct bindings *b, const struct language *to)
{
	struct names global = { 0 };
	for (int i = 0; i < b->record.n; i++) {
		struct bind_struct *s = b->record.at[i];
		struct names fields = { 0 };
		s->name = renamed(s->name, to, &global);
		for (int k = 0; k < s->field.n; k++)
			s->field.at[k].name = renamed(s->field.at[k].name, to, &fields);
	}
	for (int i = 0; i < b->kernel.n; i++) {
		b->kernel.at[i]->name = renamed(b->kernel.at[i]->name, to, &global);
		rename_kernel(b->kernel.at[i], to);
	}
}

/* The name of the module is part of its text. */
static const char *stem_of(const char *path)
{
	const char *base = path_base(path), *dot = strrchr(base, '.');
	const char *stem = str_intern(base, dot ? (size_t)(dot - base) : strlen(base));
	bool good = isalpha((unsigned char)*stem);
	for (const char *c = stem; *c; c++)
		good = good && (isalnum((unsigned char)*c) || *c == '_');
	if (!good)
		fail_usage("'%s' cannot be the name of a module: name another file with -o, of "
		           "letters, digits and _",
		           stem);
	return stem;
}

static void print_to(struct output *output, const char *path, const struct bindings *b,
                     void (*print)(const struct bindings *, FILE *))
{
	FILE *out = text_open();
	print(b, out);
	output_close(output, path, out);
	out_claim(path);
}

int bind_main(const struct options *o)
{
	const struct language *to = &languages[o->language];
	struct output output[2] = { 0 };
	int n = 0;
	struct bindings b = read_manifest(o->input.at[0]);
	rename_all(&b, to);
	b.stem = stem_of(o->output && strcmp(o->output, "-") ? o->output : b.source);
	const char *path = o->output ? o->output : str_print("%s%s", b.stem, to->suffix);
	print_to(&output[n++], path, &b, to->print);
	if (to->other && strcmp(path, "-")) {
		const char *dot = strrchr(path_base(path), '.');
		const int length = (int)(dot ? (size_t)(dot - path) : strlen(path));
		print_to(&output[n++], str_print("%.*s%s", length, path, to->other), &b,
		         to->print_other);
	}
	out_commit(output, n);
	for (int i = 0; i < n; i++)
		free(output[i].text);
	json_decref(b.json);
	return DONE;
}
