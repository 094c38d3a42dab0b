/* bind_julia.c - a module of Julia, which calls the library by ccall.
 *
 * Its arrays lie column by column, so of an array that the program stores row by row the axes are
 * in the other order, as in Fortran.  Arrays are those of the host. */
#include "bind.h"

#include <string.h>

static const char *type_of(const struct bind_type *scalar, const struct bind_struct *record)
{
	static const struct { const char *own, *name; } names[] = {
		{ "bool", "Bool" },     { "f16", "Float16" },   { "bf16", "UInt16" },
		{ "f8e4m3", "UInt8" },  { "f8e5m2", "UInt8" },  { "f32", "Float32" },
		{ "f64", "Float64" },
	};
	if (!scalar)
		return record->name;
	for (size_t i = 0; i < sizeof names / sizeof *names; i++)
		if (!strcmp(names[i].own, scalar->name))
			return names[i].name;
	return str_print("%sInt%d", scalar->kind == 'U' ? "U" : "", 8 * scalar->bytes);
}

static void print_struct(const struct bind_struct *s, FILE *out)
{
	fprintf(out, "struct %s\n", s->name);
	for (int i = 0; i < s->field.n; i++) {
		const struct bind_field *f = &s->field.at[i];
		json_int_t cells = 1;
		for (int k = 0; k < f->rank; k++)
			cells *= f->extent[k];
		if (f->rank)
			fprintf(out, "    %s::NTuple{%" JSON_INTEGER_FORMAT ", %s}\n", f->name,
			        cells, type_of(f->scalar, f->record));
		else
			fprintf(out, "    %s::%s\n", f->name, type_of(f->scalar, f->record));
	}
	fprintf(out, "end\n\n");
}

/* Of an array with a leading dimension, the first extent is that. */
static const char *extent(const struct bind_argument *a, int axis)
{
	if (a->pitched && axis == a->rank - 1)
		return NULL;
	return str_print("size(%s, %d)", a->name, axis == a->rank ? 1 : a->rank - axis);
}

/* f16 and smaller are integers of their bits in C. */
static bool is_small(const struct bind_argument *a)
{
	return !a->pointer && a->scalar && a->scalar->kind == 'F' && a->scalar->bytes < 4;
}

static const char *argument_type(const struct bind_argument *a)
{
	const char *type = type_of(a->scalar, a->record);
	if (a->pointer)
		return a->rank ? str_print("Array{%s, %d}", type, a->flat ? 1 : a->rank)
		               : str_print("Ref{%s}", type);
	if (!a->scalar || is_small(a) || a->scalar->kind == 'B')
		return type;
	return a->scalar->kind == 'F' ? "Real" : "Integer";
}

static void print_checks(const struct bind_kernel *k, FILE *out)
{
	for (int i = 0; i < k->argument.n; i++) {
		const struct bind_argument *a = &k->argument.at[i];
		if (a->flat)
			fprintf(out,
			        "    length(%s) >= %s ||\n        throw(DimensionMismatch(\"%s: "
			        "%s has too few elements\"))\n",
			        a->name, bind_elements(k, a, "cld"), k->name, a->name);
		if (!a->rank || a->flat)
			continue;
		fprintf(out, "    fits(\"%s\", \"%s\", \"%s\", size(%s), (", k->name, a->name,
		        a->text, a->name);
		for (int axis = a->rank - 1; axis >= 0; axis--)
			fprintf(out, "%s,%s",
			        bind_extent(k, a->pitched && axis == a->rank - 1 ? &a->ld
			                                                         : &a->axis[axis]),
			        axis ? " " : "");
		fputs("))\n", out);
	}
}

static void print_types(const struct bind_kernel *k, FILE *out)
{
	fputc('(', out);
	for (int i = 0; i < k->size.n; i++)
		fputs("Int64, ", out);
	for (int i = 0; i < k->argument.n; i++) {
		const struct bind_argument *a = &k->argument.at[i];
		const char *type = type_of(a->scalar, a->record);
		if (is_small(a))
			type = str_print("UInt%d", 8 * a->scalar->bytes);
		fprintf(out, a->pointer ? a->rank ? "Ptr{%s}, " : "Ref{%s}, " : "%s, ", type);
	}
	fputs(")", out);
}

static void print_call(const struct bind_kernel *k, FILE *out)
{
	fprintf(out, "    status = ccall(symbol(:%s), Cint, ", k->host);
	print_types(k, out);
	for (int i = 0; i < k->size.n; i++)
		fprintf(out, ", %s", k->size.at[i].name);
	for (int i = 0; i < k->argument.n; i++) {
		const struct bind_argument *a = &k->argument.at[i];
		if (is_small(a))
			fprintf(out, ", reinterpret(UInt%d, %s)", 8 * a->scalar->bytes, a->name);
		else
			fprintf(out, ", %s", a->name);
	}
	fprintf(out,
	        ")\n    status == 0 || throw(KernelError(\"%s\", status,\n"
	        "        unsafe_string(ccall(symbol(:%s), Cstring, (Cint,), status))))\n"
	        "    nothing\nend\n",
	        k->name, k->strerror);
}

static void print_function(const struct bind_kernel *k, FILE *out)
{
	const char *comma = "";
	fprintf(out, "\n\"\"\"\n    %s(...)\n\n", k->name);
	for (int i = 0; i < k->argument.n; i++)
		fprintf(out, "- `%s`: %s, %s\n", k->argument.at[i].name, k->argument.at[i].text,
		        bind_role(&k->argument.at[i]));
	fprintf(out, "\"\"\"\nfunction %s(", k->name);
	for (int i = 0; i < k->size.n; i++)
		if (!bind_size(k, i, extent, "÷")) {
			fprintf(out, "%s%s::Integer", comma, k->size.at[i].name);
			comma = ", ";
		}
	for (int i = 0; i < k->argument.n; i++, comma = ", ")
		fprintf(out, "%s%s::%s", comma, k->argument.at[i].name,
		        argument_type(&k->argument.at[i]));
	fputs(")\n", out);
	for (int i = 0; i < k->size.n; i++) {
		const char *value = bind_size(k, i, extent, "÷");
		if (value)
			fprintf(out, "    %s = %s\n", k->size.at[i].name, value);
	}
	print_checks(k, out);
	print_call(k, out);
}

static const char helpers[] =
	"struct KernelError <: Exception\n"
	"    kernel::String\n"
	"    status::Int\n"
	"    text::String\n"
	"end\n"
	"Base.showerror(io::IO, e::KernelError) =\n"
	"    print(io, e.kernel, \": \", e.text, \" (status \", e.status, \")\")\n\n"
	"function symbol(name)\n"
	"    opened[] == C_NULL && (opened[] = Libdl.dlopen(library[]))\n"
	"    Libdl.dlsym(opened[], name)\n"
	"end\n\n"
	"function fits(kernel, name, text, shape, expected)\n"
	"    shape == expected || throw(DimensionMismatch(\n"
	"        \"$kernel: $name has the shape $shape, but $text is $expected here\"))\n"
	"end\n\n";

void bind_julia(const struct bindings *b, FILE *out)
{
	const char *dot = strrchr(b->source, '.');
	fprintf(out,
	        "# %s.jl - the kernels of %s (target %s).\n"
	        "# Generated by patc %s.  patc claims no rights in this file; its text is under "
	        "0BSD.\nmodule %s_kernels\n\n"
	        "using Libdl\n\n"
	        "# The shared library; another one, before the first call: library[] = path\n"
	        "const library = Ref(joinpath(@__DIR__, \"lib%.*s.so\"))\n"
	        "const opened = Ref{Ptr{Cvoid}}(C_NULL)\n\n%s",
	        b->stem, b->program, b->target, b->patc, b->stem,
	        (int)(dot ? (size_t)(dot - b->source) : strlen(b->source)), b->source, helpers);
	for (int i = 0; i < b->record.n; i++)
		print_struct(b->record.at[i], out);
	for (int i = 0; i < b->kernel.n; i++)
		print_function(b->kernel.at[i], out);
	fputs("\nend\n", out);
}
