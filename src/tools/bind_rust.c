/* bind_rust.c - a module of Rust: `sys` has C's functions, and safe functions take slices.
 *
 * A slice has no shape, so sizes are parameters, and each slice must have as many elements as they
 * say.  A kernel of a GPU that takes pointers of the device is called through `sys`. */
#include "bind.h"
#include "skeleton.h"

#include <string.h>

static const char *type_of(const struct bind_type *scalar, const struct bind_struct *record)
{
	if (!scalar)
		return record->name;
	if (scalar->kind == 'F' && scalar->bytes < 4)
		return scalar->bytes == 2 ? "u16" : "u8";
	return scalar->name;
}

static void print_struct(const struct bind_struct *s, FILE *out)
{
	fprintf(out, "#[repr(C)]\n#[derive(Clone, Copy, Debug, PartialEq)]\npub struct %s {\n",
	        s->name);
	for (int i = 0; i < s->field.n; i++) {
		const struct bind_field *f = &s->field.at[i];
		const char *type = type_of(f->scalar, f->record);
		for (int k = f->rank - 1; k >= 0; k--)
			type = str_print("[%s; %" JSON_INTEGER_FORMAT "]", type, f->extent[k]);
		fprintf(out, "    pub %s: %s,\n", f->name, type);
	}
	fputs("}\n\n", out);
}

/* ---- C's functions ---- */

static void print_sizes(const struct bind_kernel *k, const char **comma, FILE *out)
{
	for (int i = 0; i < k->size.n; i++, *comma = ", ")
		fprintf(out, "%s%s: i64", *comma, k->size.at[i].name);
}

static void print_c(const struct bind_kernel *k, bool run, FILE *out)
{
	const char *comma = "";
	fprintf(out, "        pub fn %s(", run ? k->run : k->host);
	print_sizes(k, &comma, out);
	for (int i = 0; i < k->argument.n; i++, comma = ", ") {
		const struct bind_argument *a = &k->argument.at[i];
		fprintf(out, "%s%s: %s%s", comma, a->name,
		        !a->pointer ? "" : a->mode == BIND_IN ? "*const " : "*mut ",
		        type_of(a->scalar, a->record));
	}
	if (run)
		fprintf(out,
		        "%sworkspace: *mut c_void, workspace_bytes: usize, stream: *mut c_void",
		        comma);
	fputs(") -> i32;\n", out);
}

static void print_sys(const struct bindings *b, FILE *out)
{
	fprintf(out,
	        "/// The functions of C, as the header declares them.\npub mod sys {\n"
	        "%s    use std::os::raw::{c_char, c_void};\n    extern \"C\" {\n",
	        b->record.n ? "    use super::*;\n" : "");
	for (int i = 0; i < b->kernel.n; i++) {
		const struct bind_kernel *k = b->kernel.at[i];
		const char *comma = "";
		print_c(k, true, out);
		print_c(k, false, out);
		fprintf(out, "        pub fn %s(", k->workspace);
		print_sizes(k, &comma, out);
		fprintf(out,
		        ") -> usize;\n"
		        "        pub fn %s(workspace: *mut c_void, stream: *mut c_void) -> i32;\n"
		        "        pub fn %s(status: i32) -> *const c_char;\n",
		        k->status, k->strerror);
	}
	fputs("    }\n}\n", out);
}

/* ---- safe functions ---- */

static void print_parameters(const struct bind_kernel *k, FILE *out)
{
	const char *comma = "";
	print_sizes(k, &comma, out);
	for (int i = 0; i < k->argument.n; i++, comma = ", ") {
		const struct bind_argument *a = &k->argument.at[i];
		const char *type = type_of(a->scalar, a->record);
		fprintf(out, "%s%s: %s%s", comma, a->name,
		        !a->pointer ? "" : a->mode == BIND_IN ? "&" : "&mut ",
		        a->rank ? str_print("[%s]", type) : type);
	}
}

/* The factors of the number of cells; tiles count whole. */
static void print_factors(const struct bind_kernel *k, const struct bind_argument *a, FILE *out)
{
	for (int i = 0; i < a->rank; i++) {
		const int inner = i - (a->rank - 2);
		const bool ld = a->pitched && i == a->rank - 1;
		const char *s = bind_extent(k, ld ? &a->ld : &a->axis[i]);
		if (inner >= 0 && a->tile[inner] > 1)
			s = str_print("ceil(%s, %" JSON_INTEGER_FORMAT ") * %" JSON_INTEGER_FORMAT,
			              s, a->tile[inner], a->tile[inner]);
		fprintf(out, "%s%s", i ? ", " : "", s);
	}
}

static void print_checks(const struct bind_kernel *k, FILE *out)
{
	fputs("    {\n", out);
	for (int i = 0; i < k->size.n; i++)
		fprintf(out, "        let %s = i128::from(%s);\n", k->size.at[i].name,
		        k->size.at[i].name);
	for (int i = 0; i < k->argument.n; i++) {
		const struct bind_argument *a = &k->argument.at[i];
		if (!a->rank)
			continue;
		fprintf(out, "        fits(\"%s\", \"%s\", %s.len(), &[", k->name, a->name,
		        a->name);
		print_factors(k, a, out);
		fprintf(out, "], %" JSON_INTEGER_FORMAT ")?;\n", a->block);
	}
	fputs("    }\n", out);
}

static void print_function(const struct bind_kernel *k, FILE *out)
{
	const char *comma = "";
	fputc('\n', out);
	for (int i = 0; i < k->argument.n; i++)
		fprintf(out, "/// `%s`: `%s`, %s  \n", k->argument.at[i].name,
		        k->argument.at[i].text, bind_role(&k->argument.at[i]));
	fprintf(out, "pub fn %s(", k->name);
	print_parameters(k, out);
	fputs(") -> Result<(), Error> {\n", out);
	print_checks(k, out);
	fprintf(out, "    let status = unsafe {\n        sys::%s(", k->host);
	for (int i = 0; i < k->size.n; i++, comma = ", ")
		fprintf(out, "%s%s", comma, k->size.at[i].name);
	for (int i = 0; i < k->argument.n; i++, comma = ", ") {
		const struct bind_argument *a = &k->argument.at[i];
		fprintf(out, "%s%s%s", comma, a->name,
		        !a->rank              ? ""
		        : a->mode == BIND_IN ? ".as_ptr()"
		                             : ".as_mut_ptr()");
	}
	fprintf(out, ")\n    };\n    done(\"%s\", status, sys::%s)\n}\n", k->name, k->strerror);
}

/* ---- the module ---- */

void bind_rust(const struct bindings *b, FILE *out)
{
	fprintf(out,
	        "//! The kernels of %s (target %s).\n//!\n"
	        "//! The sizes are given, and slices have as many elements as they say.  Edition "
	        "2021.\n//!\n"
	        "//! Generated by patc %s.  patc claims no rights in this file; its text is under "
	        "0BSD.\n#![allow(dead_code, non_camel_case_types, non_snake_case, "
	        "clippy::too_many_arguments)]\n\n%s\n",
	        b->program, b->target, b->patc, skeleton_text("error.rs"));
	for (int i = 0; i < b->record.n; i++)
		print_struct(b->record.at[i], out);
	print_sys(b, out);
	for (int i = 0; i < b->kernel.n; i++)
		print_function(b->kernel.at[i], out);
}
