/* npy.c - reads and writes arrays in files.
 *
 * NumPy's format (numpy.lib.format, versions 1 to 3): six magic bytes, two of version, the length
 * of the header (2 bytes; 4 from version 2 on), the header, the cells.  The header is a literal of
 * Python, {'descr': '<f4', 'fortran_order': False, 'shape': (3, 4), }, of which we read what an
 * array of ours can have: a string, or for structs a list of (name, type) and (name, type, shape),
 * where an empty name is padding.  Everything else is refused by name: big-endian numbers, pickled
 * objects, types the language has not.  A type must match to the byte; converting is the
 * caller's business, and the message says how.
 *
 * Nothing is believed before it is checked.  A header has at most MAX_HEADER bytes and lists nest
 * MAX_NEST deep; a shape is only numbers until case.c has found that it fits the kernel and the
 * memory; then the cells are read, and the file must end after them.
 *
 * A raw file is the cells alone, as C lays them out. */
#include <assert.h>
#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "npy.h"

enum { MAX_HEADER = 1 << 20, MAX_NEST = 16, ALIGN = 64 };
static const char magic[] = "\x93NUMPY";
enum { MAGIC = sizeof magic - 1 };

static const struct fault fine = { NULL, NULL };

static struct fault fault(const char *why)
{
	return (struct fault){ why, NULL };
}

/* ---- types as NumPy writes them ---- */

/* NumPy has no such float. */
static bool travels_as_bits(const struct type *t)
{
	return t->kind == T_F8E4M3 || t->kind == T_F8E5M2 || t->kind == T_BF16;
}

static const char *scalar_descr(const struct type *t)
{
	int bytes = (int)type_size(t);
	char class = type_class(t) == 'B' ? 'b' : (char)tolower(type_class(t));
	if (travels_as_bits(t))
		class = 'u';
	return str_print("'%c%c%d'", bytes > 1 ? '<' : '|', class, bytes);
}

static const char *shape_text(int rank, const int64_t *extent)
{
	const char *text = "(";
	for (int k = 0; k < rank; k++)
		text = str_print("%s%" PRId64 "%s", text, extent[k], k + 1 < rank ? ", " : "");
	return str_print("%s%s)", text, rank == 1 ? "," : "");
}

static const char *padding_descr(int64_t bytes)
{
	return bytes > 0 ? str_print("('', '|V%" PRId64 "'), ", bytes) : "";
}

const char *npy_descr(const struct type *t)
{
	if (t->kind == T_ARRAY)
		return str_print("%s, %s", npy_descr(t->elem), shape_text(t->rank, t->extent));
	if (t->kind != T_STRUCT)
		return scalar_descr(t);
	const char *text = "[";
	int64_t at = 0;
	for (int i = 0; i < t->record->field.n; i++) {
		const struct field *f = &t->record->field.at[i];
		text = str_print("%s%s('%s', %s), ", text, padding_descr(f->offset - at), f->name,
			npy_descr(f->type));
		at = f->offset + type_size(f->type);
	}
	text = str_print("%s%s", text, padding_descr(type_size(t) - at));
	return str_print("%.*s]", (int)strlen(text) - 2, text);
}

/* ---- the header's text ---- */

struct reader {
	const char *at;                 /* ends with a NUL */
	const char *path;
	struct fault fault;
};

static bool fail(struct reader *r, const char *why, const char *cure)
{
	if (!r->fault.why)
		r->fault = (struct fault){ why, cure };
	return false;
}

static bool malformed(struct reader *r)
{
	return fail(r, "its header is malformed", NULL);
}

static bool take(struct reader *r, char c)
{
	r->at += strspn(r->at, " \t\n");
	if (*r->at != c)
		return false;
	r->at++;
	return true;
}

static bool need(struct reader *r, char c)
{
	return take(r, c) || malformed(r);
}

/* 'name' or "name", without escapes. */
static const char *read_string(struct reader *r)
{
	r->at += strspn(r->at, " \t\n");
	char quote = *r->at;
	size_t n = quote == '\'' || quote == '"' ? strcspn(r->at + 1, "'\"\\\n") : 0;
	if ((quote != '\'' && quote != '"') || r->at[1 + n] != quote) {
		malformed(r);
		return "";
	}
	const char *text = str_intern(r->at + 1, n);
	r->at += n + 2;
	return text;
}

/* (3, 4)  (3,)  () */
static bool read_shape(struct reader *r, int *rank, int64_t *extent)
{
	*rank = 0;
	if (!need(r, '('))
		return false;
	while (!take(r, ')')) {
		char *end;
		r->at += strspn(r->at, " \t\n");
		errno = 0;
		int64_t n = *r->at >= '0' && *r->at <= '9' ? strtoll(r->at, &end, 10) : -1;
		if (n < 0)
			return malformed(r);
		if (errno)
			return fail(r, "its shape has an axis of more than 2^63 cells", NULL);
		if (*rank == MAX_RANK)
			return fail(r, str_print("it has more than %d axes", MAX_RANK), NULL);
		extent[(*rank)++] = n;
		r->at = end;
		if (!take(r, ',') && (*rank == 1 || *(r->at += strspn(r->at, " \t\n")) != ')'))
			return malformed(r);
	}
	return true;
}

/* ---- is it our type? ---- */

static bool differs(struct reader *r, const char *has, const struct type *t)
{
	const char *numpy = npy_descr(t);
	const char *why = str_print("it holds %s, and %s is %s there", has, type_name(t), numpy);
	return fail(r, why,
	            str_print("in Python: numpy.save(\"%s\", x.astype(%s))", r->path, numpy));
}

/* What stands for a type that is no list of fields. */
static bool word_matches(struct reader *r, const struct type *t)
{
	const char *has = read_string(r), *text = has;
	if (r->fault.why)
		return false;
	if (!strcmp(text, "O") || !strcmp(text, "|O"))
		return fail(r,
		            "it holds pickled Python objects, which are programs, and are not run",
		            "in Python: save an array of numbers, x.astype(float)");
	if (t->kind == T_STRUCT)
		return differs(r, str_print("'%s'", has), t);
	if (*text == '>' && text[1] && strcmp(text + 2, "1"))
		return fail(r, str_print("its numbers are big-endian ('%s')", text),
		            str_print("in Python: numpy.save(\"%s\", x.astype(%s))", r->path,
		                      scalar_descr(t)));
	if (*text && strchr("<|=>", *text))
		text++;
	const char *wanted = scalar_descr(t) + 2;       /* f4' */
	if (strlen(text) + 1 == strlen(wanted) && !strncmp(text, wanted, strlen(text)))
		return true;
	const char *raw = str_print("V%d", (int)type_size(t));
	return (travels_as_bits(t) && !strcmp(text, raw)) || differs(r, str_print("'%s'", has), t);
}

static bool type_matches(struct reader *, const struct type *, int nest);

/* The bytes of ('', '|V4'), whose name has been read; a field has 0. */
static int64_t read_padding(struct reader *r)
{
	const char *text = read_string(r);
	char *end;
	if (*text == '|')
		text++;
	int64_t n = *text == 'V' && text[1] >= '0' && text[1] <= '9' ? strtoll(text + 1, &end, 10)
	                                                             : -1;
	if (n < 0 || n > INT32_MAX || *end)
		malformed(r);
	return n;
}

static bool field_matches(struct reader *r, const struct field *f, int nest)
{
	const struct type *t = f->type;
	int rank;
	int64_t extent[MAX_RANK];
	if (!type_matches(r, t->kind == T_ARRAY ? t->elem : t, nest + 1))
		return false;
	if (take(r, ',')) {
		r->at += strspn(r->at, " \t\n");
		if (*r->at == ')')
			return t->kind != T_ARRAY || malformed(r);
		if (!read_shape(r, &rank, extent))
			return false;
		if (t->kind == T_ARRAY && rank == t->rank
		    && !memcmp(extent, t->extent, (size_t)rank * sizeof *extent))
			return true;
	} else if (t->kind != T_ARRAY)
		return true;
	return fail(r, str_print("its field `%s` has another shape than %s", f->name, type_name(t)),
		NULL);
}

static bool layout_differs(struct reader *r, const struct type *t, const char *what)
{
	return fail(r, str_print("%s", what),
		str_print("%s as C lays it out is numpy.dtype(%s)", type_name(t), npy_descr(t)));
}

static bool fields_match(struct reader *r, const struct type *t, int nest)
{
	int64_t at = 0;
	int n = 0;
	while (!take(r, ']')) {
		const char *name = need(r, '(') ? read_string(r) : "";
		if (r->fault.why || !need(r, ','))
			return malformed(r);
		const struct field *f = n < t->record->field.n ? &t->record->field.at[n] : NULL;
		if (!*name) {
			at += read_padding(r);
		} else if (!f || strcmp(f->name, name)) {
			return layout_differs(
				r, t,
				f ? str_print("its field `%s` is where %s has `%s`", name,
			                      type_name(t), f->name)
				  : str_print("%s has no field `%s`", type_name(t), name));
		} else if (f->offset != at) {
			return layout_differs(r, t,
			                      str_print("its field `%s` begins at byte %" PRId64
			                                ", that of %s at %" PRId64,
			                                name, at, type_name(t), f->offset));
		} else {
			field_matches(r, f, nest);
			at += type_size(f->type);
			n++;
		}
		take(r, ',');
		if (r->fault.why || !need(r, ')'))
			return malformed(r);
		take(r, ',');
	}
	if (n == t->record->field.n && at == type_size(t))
		return true;
	return layout_differs(r, t,
	                      str_print("its cells have %" PRId64 " bytes, those of %s %" PRId64,
	                                at, type_name(t), type_size(t)));
}

static bool type_matches(struct reader *r, const struct type *t, int nest)
{
	if (nest > MAX_NEST)
		return fail(r, "its structs are nested too deep", NULL);
	if (!take(r, '['))
		return word_matches(r, t);
	return t->kind == T_STRUCT ? fields_match(r, t, nest) : differs(r, "structs", t);
}

/* ---- the header ---- */

static bool read_bool(struct reader *r, bool *b)
{
	r->at += strspn(r->at, " \t\n");
	*b = !strncmp(r->at, "True", 4);
	if (!*b && strncmp(r->at, "False", 5))
		return malformed(r);
	r->at += *b ? 4 : 5;
	return true;
}

/* Each of the three keys once, in any order. */
static bool read_dict(struct reader *r, const struct type *t, struct array_file *a)
{
	static const char *const keys[] = { "descr", "fortran_order", "shape" };
	int seen = 0;
	if (!need(r, '{'))
		return false;
	while (!take(r, '}')) {
		const char *key = read_string(r);
		int k = 0;
		while (k < 3 && strcmp(key, keys[k]))
			k++;
		if (r->fault.why || k == 3 || seen & 1 << k || !need(r, ':'))
			return malformed(r);
		seen |= 1 << k;
		if (!(k == 0 ? type_matches(r, t, 0) : k == 1 ? read_bool(r, &a->fortran)
		      : read_shape(r, &a->rank, a->extent)))
			return false;
		if (!take(r, ',') && *(r->at += strspn(r->at, " \t\n")) != '}')
			return malformed(r);
	}
	r->at += strspn(r->at, " \t\n");
	return (seen == 7 && !*r->at) || malformed(r);
}

static bool read_bytes(FILE *f, void *to, size_t n)
{
	return fread(to, 1, n, f) == n;
}

/* The length of the header after the magic and the version; -1: none of NumPy's. */
static int64_t header_length(FILE *f)
{
	unsigned char head[MAGIC + 2], n[4] = { 0 };
	if (!read_bytes(f, head, sizeof head) || memcmp(head, magic, MAGIC))
		return -1;
	if (head[MAGIC] < 1 || head[MAGIC] > 3 || head[MAGIC + 1] != 0)
		return -1;
	if (!read_bytes(f, n, head[MAGIC] == 1 ? 2 : 4))
		return -1;
	return (int64_t)n[0] | (int64_t)n[1] << 8 | (int64_t)n[2] << 16 | (int64_t)n[3] << 24;
}

static struct fault read_header(struct array_file *a, const struct type *t)
{
	int64_t n = header_length(a->file);
	if (n < 0)
		return fault("it is not a NumPy file (version 1 to 3)");
	if (n > MAX_HEADER)
		return fault(str_print("its header claims %" PRId64 " bytes", n));
	char *text = mem_new((size_t)n + 1);
	if (!read_bytes(a->file, text, (size_t)n))
		return fault("it ends within its header");
	if (memchr(text, 0, (size_t)n))
		return fault("its header is malformed");
	struct reader r = { .at = text, .path = a->path };
	read_dict(&r, t, a);
	return r.fault;
}

/* ---- opening and reading ---- */

static struct fault failed(const char *what)
{
	return fault(str_print("%s: %s", what, strerror(errno)));
}

struct fault array_open(struct array_file *a, const char *path, bool raw, const struct type *t)
{
	struct stat st;
	*a = (struct array_file){ .path = path, .raw = raw, .rank = -1, .bytes = -1 };
	a->file = fopen(path, "rbe");
	if (!a->file || fstat(fileno(a->file), &st))
		return failed("it cannot be read");
	if (S_ISDIR(st.st_mode)) {
		errno = EISDIR;
		return failed("it cannot be read");
	}
	if (raw)
		a->bytes = S_ISREG(st.st_mode) ? (int64_t)st.st_size : -1;
	if (raw && a->bytes % type_size(t) > 0)
		return fault(str_print("its %" PRId64
		                       " bytes are no whole number of cells of %s, which have "
		                       "%" PRId64,
		                       a->bytes, type_name(t), type_size(t)));
	return raw ? fine : read_header(a, t);
}

void array_close(struct array_file *a)
{
	if (a->file)
		fclose(a->file);
	a->file = NULL;
}

/* The cells stand with the first axis fastest: counts through them, last axis fastest. */
static void to_row_major(const struct array_file *a, size_t each, int64_t cells, char *to)
{
	char *from = malloc((size_t)cells * each + 1);
	int64_t at[MAX_RANK] = { 0 }, stride[MAX_RANK] = { 1 };
	if (!from)
		fail_io("out of memory");
	memcpy(from, to, (size_t)cells * each);
	for (int k = 1; k < a->rank; k++)
		stride[k] = stride[k - 1] * a->extent[k - 1];
	for (int64_t i = 0; i < cells; i++) {
		int64_t place = 0;
		for (int k = 0; k < a->rank; k++)
			place += at[k] * stride[k];
		memcpy(to + (size_t)i * each, from + (size_t)place * each, each);
		for (int k = a->rank - 1; k >= 0 && ++at[k] == a->extent[k]; k--)
			at[k] = 0;
	}
	free(from);
}

/* A byte of bool is 0 or 1 in C; another one would be neither. */
static bool bools_are_good(const struct type *t, const unsigned char *at)
{
	bool good = true;
	if (t->kind == T_BOOL)
		return *at <= 1;
	for (int i = 0; t->kind == T_STRUCT && i < t->record->field.n; i++)
		good &= bools_are_good(t->record->field.at[i].type,
		                       at + t->record->field.at[i].offset);
	for (int64_t i = 0; t->kind == T_ARRAY && i < type_size(t); i += type_size(t->elem))
		good &= bools_are_good(t->elem, at + i);
	return good;
}

struct fault array_read(struct array_file *a, const struct type *t, int64_t cells, void *to)
{
	size_t each = (size_t)type_size(t), got = fread(to, each, (size_t)cells, a->file);
	bool broken = ferror(a->file), longer = !broken && fgetc(a->file) != EOF;
	array_close(a);
	if (broken)
		return failed("it cannot be read");
	if (got != (size_t)cells)
		return fault(str_print("it ends after %zu of %" PRId64 " cells", got, cells));
	if (longer)
		return fault(str_print("it goes on after its %" PRId64 " cells", cells));
	for (int64_t i = 0; i < cells; i++)
		if (!bools_are_good(t, (unsigned char *)to + (size_t)i * each))
			return fault(str_print("cell %" PRId64
			                       " holds a bool that is neither 0 nor 1",
			                       i));
	if (a->fortran && a->rank > 1)
		to_row_major(a, each, cells, to);
	return fine;
}

/* ---- writing: version 1, or 2 for a header that needs it ---- */

void npy_write(const struct type *t, int rank, const int64_t *extent, const void *cells, int64_t n,
	FILE *out)
{
	const char *dict = str_print("{'descr': %s, 'fortran_order': False, 'shape': %s, }",
		npy_descr(t), shape_text(rank, extent));
	size_t length = strlen(dict) + 1, before = MAGIC + 4;
	bool wide = length + ALIGN > UINT16_MAX;
	before += wide ? 2 : 0;
	size_t padded = (before + length + ALIGN - 1) / ALIGN * ALIGN - before;
	fwrite(magic, 1, MAGIC, out);
	putc(wide ? 2 : 1, out);
	putc(0, out);
	for (int i = 0; i < (wide ? 4 : 2); i++)
		putc((int)(padded >> 8 * i & 0xff), out);
	fprintf(out, "%s%*s\n", dict, (int)(padded - length), "");
	fwrite(cells, (size_t)type_size(t), (size_t)n, out);
}
