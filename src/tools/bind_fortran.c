/* bind_fortran.c - a module of Fortran 2018.
 *
 * The cells of its arrays lie column by column: of an array that the program stores row by row, the
 * axes are in the other order here, and of one with `layout col` in the program's.  A wrapper takes
 * assumed shapes and checks them.  For pointers of a device there are interfaces of C's
 * functions. */
#include "bind.h"

#include <string.h>

/* ---- types ---- */

static const char *kind_of(const struct bind_type *t)
{
	if (t->kind == 'B')
		return "logical(c_bool)";
	if (t->kind == 'F' && t->bytes >= 4)
		return t->bytes == 4 ? "real(c_float)" : "real(c_double)";
	return str_print("integer(c_int%d_t)", 8 * t->bytes);
}

static const char *type_of(const struct bind_type *scalar, const struct bind_struct *record)
{
	return scalar ? kind_of(scalar) : str_print("type(%s)", record->name);
}

static void print_struct(const struct bind_struct *s, FILE *out)
{
	fprintf(out, "  type, bind(c), public :: %s\n", s->name);
	for (int i = 0; i < s->field.n; i++) {
		const struct bind_field *f = &s->field.at[i];
		fprintf(out, "    %s :: %s", type_of(f->scalar, f->record), f->name);
		for (int k = f->rank - 1; k >= 0; k--)
			fprintf(out, "%s%" JSON_INTEGER_FORMAT "%s", k == f->rank - 1 ? "(" : ", ",
			        f->extent[k], k ? "" : ")");
		fputc('\n', out);
	}
	fprintf(out, "  end type\n\n");
}

/* ---- lists of names, a line each ---- */

static void print_list(const struct bind_kernel *k, const char *more, FILE *out)
{
	const char *comma = "";
	for (int i = 0; i < k->size.n; i++, comma = ", &\n      ")
		fprintf(out, "%s%s", comma, k->size.at[i].name);
	for (int i = 0; i < k->argument.n; i++, comma = ", &\n      ")
		fprintf(out, "%s%s", comma, k->argument.at[i].name);
	if (*more)
		fprintf(out, "%s%s", comma, more);
}

static const char *intent(const struct bind_argument *a)
{
	return a->mode == BIND_IN ? "intent(in)" : "intent(inout)";
}

/* ---- C's functions ---- */

static void print_sizes(const struct bind_kernel *k, FILE *out)
{
	for (int i = 0; i < k->size.n; i++)
		fprintf(out, "      integer(c_int64_t), value :: %s\n", k->size.at[i].name);
}

/* Arrays of the host, or (device) addresses. */
static void print_c(const struct bind_kernel *k, bool device, FILE *out)
{
	fprintf(out, "    function %s_%s( &\n      ", k->name, device ? "run" : "c");
	print_list(k, device ? "workspace, &\n      workspace_bytes, &\n      stream" : "", out);
	fprintf(out, ") bind(c, name=\"%s\") result(patc_status)\n      import\n",
	        device ? k->run : k->host);
	print_sizes(k, out);
	for (int i = 0; i < k->argument.n; i++) {
		const struct bind_argument *a = &k->argument.at[i];
		const char *type = type_of(a->scalar, a->record);
		if (a->pointer && device)
			fprintf(out, "      type(c_ptr), value :: %s\n", a->name);
		else if (!a->pointer)
			fprintf(out, "      %s, value :: %s\n", type, a->name);
		else
			fprintf(out, "      %s, %s :: %s%s\n", type, intent(a), a->name,
			        a->rank ? "(*)" : "");
	}
	if (device)
		fputs("      type(c_ptr), value :: workspace\n"
		      "      integer(c_size_t), value :: workspace_bytes\n"
		      "      type(c_ptr), value :: stream\n", out);
	fputs("      integer(c_int) :: patc_status\n    end function\n", out);
}

static void print_workspace(const struct bind_kernel *k, FILE *out)
{
	const char *comma = "";
	fprintf(out, "    function %s_workspace(", k->name);
	for (int i = 0; i < k->size.n; i++, comma = ", &\n      ")
		fprintf(out, "%s%s", comma, k->size.at[i].name);
	fprintf(out, ") bind(c, name=\"%s\") result(patc_bytes)\n      import\n", k->workspace);
	print_sizes(k, out);
	fputs("      integer(c_size_t) :: patc_bytes\n    end function\n", out);
}

static void print_others(const struct bind_kernel *k, FILE *out)
{
	fprintf(out,
	        "    function %s_status(workspace, stream) bind(c, name=\"%s\") &\n"
	        "        result(patc_status)\n"
	        "      import\n      type(c_ptr), value :: workspace, stream\n"
	        "      integer(c_int) :: patc_status\n    end function\n"
	        "    function %s_strerror(status) bind(c, name=\"%s\") result(patc_text)\n"
	        "      import\n      integer(c_int), value :: status\n"
	        "      type(c_ptr) :: patc_text\n    end function\n",
	        k->name, k->status, k->name, k->strerror);
}

/* ---- wrappers ---- */

/* Of an array with a leading dimension, the first extent is that. */
static const char *extent(const struct bind_argument *a, int axis)
{
	if (a->pitched && axis == a->rank - 1)
		return NULL;
	return str_print("size(%s, %d, c_int64_t)", a->name,
	                 axis == a->rank ? 1 : a->rank - axis);
}

static void print_arguments(const struct bind_kernel *k, FILE *out)
{
	for (int i = 0; i < k->size.n; i++)
		if (!bind_size(k, i, extent, "/"))
			fprintf(out, "%s, &\n      ", k->size.at[i].name);
	for (int i = 0; i < k->argument.n; i++)
		fprintf(out, "%s, &\n      ", k->argument.at[i].name);
	fputs("status)\n", out);
}

static void print_declarations(const struct bind_kernel *k, FILE *out)
{
	for (int i = 0; i < k->size.n; i++)
		fprintf(out, "    integer(c_int64_t)%s :: %s\n",
		        bind_size(k, i, extent, "/") ? "" : ", intent(in)", k->size.at[i].name);
	for (int i = 0; i < k->argument.n; i++) {
		const struct bind_argument *a = &k->argument.at[i];
		fprintf(out, "    %s, %s%s :: %s", type_of(a->scalar, a->record), intent(a),
		        a->rank ? ", contiguous" : "", a->name);
		for (int axis = 0; axis < (a->flat ? 1 : a->rank); axis++)
			fputs(axis ? ",:" : "(:", out);
		fprintf(out, "%s  ! %s, %s\n", a->rank ? ")" : "", a->text, bind_role(a));
	}
	fputs("    integer(c_int), intent(out), optional :: status\n", out);
}

static void print_checks(const struct bind_kernel *k, FILE *out)
{
	for (int i = 0; i < k->argument.n; i++) {
		const struct bind_argument *a = &k->argument.at[i];
		for (int axis = a->rank - 1; axis >= 0 && !a->flat; axis--) {
			const bool ld = a->pitched && axis == a->rank - 1;
			fprintf(out,
			        "    if (size(%s, %d, c_int64_t) /= &\n        %s) patc_bad = &\n"
			        "      \"%s: extent %d of %s does not fit\"\n",
			        a->name, a->rank - axis,
			        bind_extent(k, ld ? &a->ld : &a->axis[axis]), k->name,
			        a->rank - axis, a->name);
		}
		if (a->flat)
			fprintf(out,
			        "    if (size(%s, 1, c_int64_t) < &\n        %s) patc_bad = &\n"
			        "      \"%s: %s has too few elements\"\n",
			        a->name, bind_elements(k, a, "patc_ceil"), k->name, a->name);
	}
}

static void print_wrapper(const struct bind_kernel *k, FILE *out)
{
	fprintf(out, "\n  subroutine %s( &\n      ", k->name);
	print_arguments(k, out);
	print_declarations(k, out);
	fputs("    integer(c_int) :: patc_status\n    character(:), allocatable :: patc_bad\n",
	      out);
	for (int i = 0; i < k->size.n; i++) {
		const char *value = bind_size(k, i, extent, "/");
		if (value)
			fprintf(out, "    %s = %s\n", k->size.at[i].name, value);
	}
	fputs("    patc_bad = \"\"\n    patc_status = -1\n", out);
	print_checks(k, out);
	fprintf(out, "    if (len(patc_bad) == 0) then\n      patc_status = %s_c( &\n      ",
	        k->name);
	print_list(k, "", out);
	fprintf(out,
	        ")\n      if (patc_status /= 0) patc_bad = patc_words(%s_strerror(patc_status))\n"
	        "    end if\n"
	        "    if (present(status)) then\n      status = patc_status\n"
	        "    else if (patc_status /= 0) then\n      error stop patc_bad\n    end if\n"
	        "  end subroutine\n",
	        k->name);
}

/* ---- the module ---- */

static const char helpers[] =
	"\n"
	"  function patc_words(text) result(words)\n"
	"    type(c_ptr), intent(in) :: text\n"
	"    character(:), allocatable :: words\n"
	"    character(kind=c_char), pointer :: cells(:)\n"
	"    integer :: i\n"
	"    call c_f_pointer(text, cells, [1000])\n"
	"    words = \"\"\n"
	"    do i = 1, 1000\n"
	"      if (cells(i) == c_null_char) exit\n"
	"      words = words // cells(i)\n"
	"    end do\n"
	"  end function\n";
static const char ceil_function[] =
	"\n"
	"  pure function patc_ceil(a, b) result(parts)\n"
	"    integer(c_int64_t), intent(in) :: a\n"
	"    integer, intent(in) :: b\n"
	"    integer(c_int64_t) :: parts\n"
	"    parts = (a + b - 1) / b\n"
	"  end function\n";

static bool has_flat(const struct bindings *b)
{
	for (int i = 0; i < b->kernel.n; i++)
		for (int k = 0; k < b->kernel.at[i]->argument.n; k++)
			if (b->kernel.at[i]->argument.at[k].flat)
				return true;
	return false;
}

static void print_public(const struct bind_kernel *k, FILE *out)
{
	fprintf(out, "  public :: %s, %s_run, &\n    %s_workspace, %s_status, &\n    %s_strerror\n",
	        k->name, k->name, k->name, k->name, k->name);
}

void bind_fortran(const struct bindings *b, FILE *out)
{
	fprintf(out,
	        "! %s.f90 - the kernels of %s (target %s) for Fortran 2018.\n"
	        "! Generated by patc %s.  patc claims no rights in this file; its text is under "
	        "0BSD.\n"
	        "! Without its status a call that fails is an error stop.  -1: an array has "
	        "another shape.\n"
	        "module %s_kernels\n  use, intrinsic :: iso_c_binding\n"
	        "  implicit none (type, external)\n  private\n",
	        b->stem, b->program, b->target, b->patc, b->stem);
	for (int i = 0; i < b->kernel.n; i++)
		print_public(b->kernel.at[i], out);
	fputc('\n', out);
	for (int i = 0; i < b->record.n; i++)
		print_struct(b->record.at[i], out);
	fputs("  interface\n", out);
	for (int i = 0; i < b->kernel.n; i++) {
		print_c(b->kernel.at[i], false, out);
		print_c(b->kernel.at[i], true, out);
		print_workspace(b->kernel.at[i], out);
		print_others(b->kernel.at[i], out);
	}
	fputs("  end interface\n\ncontains\n", out);
	for (int i = 0; i < b->kernel.n; i++)
		print_wrapper(b->kernel.at[i], out);
	fputs(helpers, out);
	if (has_flat(b))
		fputs(ceil_function, out);
	fputs("end module\n", out);
}
