/* type.c - scalar, struct and small fixed-array types; the function table's rows; safe names.
 *
 * Types are interned: one object per scalar, per record and per (element, extents), so that
 * == compares.  An array type is found by its name, which is unique because record names are.
 * R1 (what widens silently) and R3 (what arithmetic is done in) live here and nowhere else. */
#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "graph.h"

#define uthash_malloc(n) mem_new(n)
#define uthash_free(p, n) ((void)(p))
#include <uthash.h>

struct interned {
	const void *key;
	struct type type;
	UT_hash_handle hh;
};
static struct interned *structs, *arrays, *made;

static const struct type scalar_types[] = {
#define TYPE(id, name, c, bytes, class) [id] = { .kind = id },
#include "types.def"
#undef TYPE
	[T_INT_LIT] = { .kind = T_INT_LIT },
	[T_FLOAT_LIT] = { .kind = T_FLOAT_LIT },
};

static const struct { const char *name, *c; int bytes; char class; } rows[] = {
#define TYPE(id, name, c, bytes, class) [id] = { name, c, bytes, class },
#include "types.def"
#undef TYPE
	[T_STRUCT] = { "struct", "struct", 0, 'S' },
	[T_ARRAY] = { "array", "array", 0, 'A' },
	[T_INT_LIT] = { "an integer literal", "", 0, 'L' },
	[T_FLOAT_LIT] = { "a float literal", "", 0, 'L' },
};

const struct math_row math_table[] = {
#define MATH(name, arity, kinds, c32, c64) [M_##name] = { #name, arity, kinds, c32, c64 },
#include "math.def"
#undef MATH
	[MATH_COUNT] = { NULL, 0, NULL, NULL, NULL }
};

const struct type *type_scalar(enum scalar kind)
{
	assert(kind != T_STRUCT && kind != T_ARRAY
	       && "those are made by type_struct and type_array");
	return &scalar_types[kind];
}

const struct type *type_struct(const struct record *record)
{
	struct interned *t;

	HASH_FIND_PTR(structs, &record, t);
	if (!t) {
		t = NEW(struct interned);
		t->key = record;
		t->type.kind = T_STRUCT;
		t->type.record = record;
		HASH_ADD_PTR(structs, key, t);
	}
	return &t->type;
}

/* Fields one after the other, as C places them. */
struct record *record_made(const char *name, int n, const struct field *field)
{
	struct record *r = NEW(struct record);

	*r = (struct record) { .name = name, .align = 1, .made = true };
	for (int k = 0; k < n; k++) {
		struct field f = field[k];
		int64_t align = type_align(f.type);
		f.offset = (r->size + align - 1) / align * align;
		r->size = f.offset + type_size(f.type);
		r->align = align > r->align ? align : r->align;
		list_add(&r->field, f);
	}
	r->size = (r->size + r->align - 1) / r->align * r->align;
	return r;
}

const struct type *type_made(const char *name, int fields, const struct field *field)
{
	/* by the types themselves too: structs of two files may share a name */
	const char *key = name;
	struct interned *t;

	for (int f = 0; f < fields; f++)
		key = str_print("%s %p", key, (const void *)field[f].type);
	key = str_name(key);
	HASH_FIND_PTR(made, &key, t);
	if (!t) {
		t = NEW(struct interned);
		t->key = key;
		t->type.kind = T_STRUCT;
		t->type.record = record_made(str_name(name), fields, field);
		HASH_ADD_PTR(made, key, t);
	}
	return &t->type;
}

/* f32[4, 4] is in C a struct patc_f32_4x4, whose field is `at`. */
const struct type *type_boxed(const struct type *array)
{
	const char *name = str_print("patc_%s_", type_name(array->elem));
	for (int k = 0; k < array->rank; k++)
		name = str_print("%s%s%lld", name, k ? "x" : "", (long long)array->extent[k]);
	const struct field at = { .name = str_name("at"), .type = array };
	const struct type *box = type_made(name, 1, &at);
	((struct record *)box->record)->boxed = array;
	return box;
}

const struct type *type_unboxed(const struct type *type)
{
	return type->kind == T_STRUCT ? type->record->boxed : NULL;
}

static const char *array_name(const struct type *elem, int rank, const int64_t *extent)
{
	char *text = str_print("%s[", type_name(elem));

	for (int k = 0; k < rank; k++)
		text = str_print("%s%s%lld", text, k ? ", " : "", (long long)extent[k]);
	return str_name(str_print("%s]", text));
}

const struct type *type_array(const struct type *elem, int rank, const int64_t *extent)
{
	/* by the element itself: structs of two files may share a name */
	const char *name = str_name(
		str_print("%p %s", (const void *)elem, array_name(elem, rank, extent)));
	struct interned *t;

	assert(rank > 0 && rank <= MAX_RANK && "sema has checked the rank");
	HASH_FIND_PTR(arrays, &name, t);
	if (!t) {
		t = NEW(struct interned);
		t->key = name;
		t->type.kind = T_ARRAY;
		t->type.elem = elem;
		t->type.rank = rank;
		memcpy(t->type.extent, extent, (size_t)rank * sizeof *extent);
		HASH_ADD_PTR(arrays, key, t);
	}
	return &t->type;
}

const struct type *type_named(const char *name)
{
	for (int k = T_BOOL; k < T_STRUCT; k++)
		if (!strcmp(rows[k].name, name))
			return &scalar_types[k];
	return NULL;
}

const char *type_name(const struct type *type)
{
	if (type_unboxed(type))
		return type_name(type->record->boxed);
	if (type->kind == T_STRUCT)
		return type->record->name;
	if (type->kind == T_ARRAY)
		return array_name(type->elem, type->rank, type->extent);
	return rows[type->kind].name;
}

const char *type_c(const struct type *type)
{
	if (type->kind == T_STRUCT)
		return name_global(type->record->name);
	return type->kind == T_ARRAY ? type_c(type->elem) : rows[type->kind].c;
}

int64_t type_cells(const struct type *type)
{
	int64_t cells = 1;

	for (int k = 0; type->kind == T_ARRAY && k < type->rank; k++)
		cells *= type->extent[k];
	return cells;
}

int64_t type_size(const struct type *type)
{
	if (type->kind == T_STRUCT)
		return type->record->size;
	if (type->kind != T_ARRAY)
		return rows[type->kind].bytes;

	int64_t size = type_size(type->elem);

	for (int k = 0; k < type->rank; k++)
		if (__builtin_mul_overflow(size, type->extent[k], &size))
			return INT64_MAX;
	return size;
}

int64_t type_align(const struct type *type)
{
	if (type->kind == T_STRUCT)
		return type->record->align;
	return type->kind == T_ARRAY ? type_align(type->elem) : rows[type->kind].bytes;
}

char type_class(const struct type *type)
{
	return rows[type->kind].class;
}

/* R1: every value of narrow is a value of wide, or an integer meets a float as that float. */
bool type_fits(const struct type *narrow, const struct type *wide)
{
	char a = type_class(narrow), b = type_class(wide);

	if (narrow == wide)
		return true;
	if (b == 'F' && (a == 'I' || a == 'U'))
		return true;
	if (a == 'F' && b == 'F')            /* two of one size hold different values */
		return type_size(narrow) < type_size(wide);
	if (a == b && (a == 'I' || a == 'U'))
		return type_size(narrow) < type_size(wide);
	return a == 'U' && b == 'I' && type_size(narrow) < type_size(wide);
}

const struct type *type_compute(const struct type *type)
{
	char class = type_class(type);

	if ((class == 'I' || class == 'U') && type_size(type) < 4)
		return type_scalar(T_I32);
	if (class == 'F' && type_size(type) < 4)
		return type_scalar(T_F32);
	return type;
}

/* ---- names that C, C++, CUDA, HIP or the generated interface have taken (R25) ---- */

/* Sorted by strcmp: a test checks it. */
static const char *const taken[] = {
#include "words.def"
};

static int compare_word(const void *key, const void *row)
{
	return strcmp(key, *(const char *const *)row);
}

static bool is_taken(const char *word)
{
	return bsearch(word, taken, sizeof taken / sizeof *taken, sizeof *taken, compare_word);
}

/* Likewise sorted. */
static const char *const functions[] = {
#include "functions.def"
};

/* cudaFree, hipFree and the like: too many to list, and more with each release.  @: an upper-case
 * letter. */
static bool is_library(const char *name)
{
	static const char *const prefix[] = { "cuda@", "cu@", "hip@", "omp_", "pthread_", "GOMP_" };

	for (size_t i = 0; i < sizeof prefix / sizeof *prefix; i++) {
		size_t n = strcspn(prefix[i], "@");
		if (!strncmp(name, prefix[i], n)
		    && (!prefix[i][n] || (name[n] >= 'A' && name[n] <= 'Z')))
			return true;
	}
	return bsearch(name, functions, sizeof functions / sizeof *functions, sizeof *functions,
	               compare_word);
}

/* A taken word gets a `_`; so does a taken word that already ends in some, which keeps
 * different names different. */
const char *name_safe(const char *name)
{
	size_t stem = strlen(name);

	if (is_taken(name))
		return str_name(str_print("%s_", name));
	while (stem > 1 && name[stem - 1] == '_')
		stem--;
	if (stem < strlen(name) && is_taken(str_intern(name, stem)))
		return str_name(str_print("%s_", name));
	return name;
}

static const char *prefix;               /* of all global names; NULL: none */

void name_prefix(const char *text)
{
	prefix = text;
}

const char *name_prefixed(const char *name)
{
	return prefix ? str_name(str_print("%s_%s", prefix, name)) : name;
}

/* That of a kernel, which the linker sees, or of a struct: those of a C program share their names
 * with its libraries'.  Structs that patc has made are in one source only. */
const char *name_global(const char *name)
{
	const char *c = strncmp(name, "patc_", 5) ? name_prefixed(name) : name;
	return is_library(c) ? str_name(str_print("%s_", c)) : name_safe(c);
}
