/* sema.c - declarations: names, types, constants, structs.
 *
 * The order in a file is free (R15), so the declarations are taken kind by kind: every name first;
 * constants and structs, each resolved when it is first needed; signatures; bodies; the order of
 * definition, which finds recursion; laws; kernels; schedules. */
#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "sema_impl.h"
#include "warn.h"

#define MAX_STRUCT 65536    /* bytes: a struct travels in registers */

/* ---- names ---- */

struct binding *name_find(struct sema *s, const char *name)
{
	struct binding *b;

	HASH_FIND_PTR(s->vars, &name, b);
	return b;
}

struct callable *callable_find(struct sema *s, const char *name)
{
	struct callable *c;

	HASH_FIND_PTR(s->calls, &name, c);
	return c;
}

struct binding *name_declare(struct sema *s, const char *name, struct loc at)
{
	struct binding *b = name_find(s, name);

	if (b) {
		diag_error(at, D_DUPLICATE, "`%s` is already declared", name);
		if (b->var)
			diag_note(b->var->at, "here");
		diag_cure("choose another name: sizes, parameters and indices share them");
		return NULL;
	}
	b = NEW(struct binding);
	b->name = name;
	HASH_ADD_PTR(s->vars, name, b);
	list_add(&s->scope, b);
	return b;
}

struct var *var_new(struct sema *s, enum var_kind kind, const char *name,
                           const struct type *type, struct loc at)
{
	struct var *v = NEW(struct var);

	v->kind = kind;
	v->name = name;
	v->id = s->ids++;
	v->at = at;
	v->type = type;
	return v;
}

struct var *var_declare(struct sema *s, enum var_kind kind, const char *name,
                        const struct type *type, struct loc at)
{
	struct binding *b = name_declare(s, name, at);

	if (!b)
		return NULL;
	b->var = var_new(s, kind, name, type, at);
	return b->var;
}

int scope_open(const struct sema *s)
{
	return s->scope.n;
}

void scope_close(struct sema *s, int mark)
{
	while (s->scope.n > mark) {
		struct binding *b = s->scope.at[--s->scope.n];
		HASH_DELETE(hh, s->vars, b);
	}
}

/* ---- types ---- */

const char *type_of_c(const char *name)
{
	static const struct { const char *c, *here; } row[] = {
		{ "float", "f32" },     { "double", "f64" },     { "half", "f16" },
		{ "int", "i32" },       { "long", "i64" },       { "short", "i16" },
		{ "unsigned", "u32" },  { "uint", "u32" },       { "size_t", "i64" },
		{ "int8_t", "i8" },     { "int16_t", "i16" },    { "int32_t", "i32" },
		{ "int64_t", "i64" },   { "uint8_t", "u8" },     { "uint16_t", "u16" },
		{ "uint32_t", "u32" },  { "uint64_t", "u64" },   { "float16", "f16" },
		{ "float32", "f32" },   { "float64", "f64" },    { "bfloat16", "bf16" },
		{ "float8_e4m3fn", "f8e4m3" },
		{ "float8_e5m2", "f8e5m2" },
		{ "int32", "i32" },     { "int64", "i64" },      { "Bool", "bool" },
	};

	for (size_t k = 0; k < sizeof row / sizeof *row; k++)
		if (!strcmp(row[k].c, name))
			return row[k].here;
	return NULL;
}

const char *operator_of_word(const char *word)
{
	return !strcmp(word, "and") ? "&&" : !strcmp(word, "or") ? "||" : NULL;
}

static const struct type *unknown_type(const struct ast *a)
{
	const char *here = type_of_c(a->name);

	diag_error(a->at, D_UNKNOWN_TYPE, "no type `%s`", a->name);
	if (here) {
		diag_cure("in patc, it is `%s`:", here);
		diag_fix(ast_name_span(a), here);
	} else {
		diag_cure("types: bool i8 i16 i32 i64 u8 u16 u32 u64 f8e4m3 f8e5m2 f16 bf16 f32 "
		          "f64, and structs");
	}
	return NULL;
}

static void record_resolve(struct sema *, struct callable *);

/* The type named by a, whatever shape follows. */
const struct type *element_type(struct sema *s, const struct ast *a)
{
	const struct type *type = type_named(a->name);
	struct callable *c = callable_find(s, a->name);

	if (type)
		return type;
	if (!c || c->decl->kind != DECL_STRUCT)
		return unknown_type(a);
	record_resolve(s, c);
	return c->record ? type_struct(c->record) : NULL;
}

const struct type *type_check(struct sema *s, const struct ast *a)
{
	if (a->kind == A_NAME)
		return element_type(s, a);
	diag_error(a->at, D_SHAPE, "an array is not allowed here, only a single value");
	diag_cure("arrays are parameters of kernels, or named by `let`");
	return NULL;
}

static bool shape_rank(const struct ast *a)
{
	if (a->sub.n > MAX_RANK) {
		diag_error(a->at, D_SHAPE, "an array has at most %d axes, but this one has %d",
		           MAX_RANK, a->sub.n);
		return false;
	}
	for (int k = 0; k < a->sub.n; k++)
		if (a->sub.at[k]->hi || a->guard) {
			diag_error(a->sub.at[k]->at, D_SHAPE, "a shape lists sizes, not ranges");
			diag_cure("the indices of `f32[n]` are 0..n");
			return false;
		}
	return true;
}

bool extent_check(struct sema *s, const struct ast *a, struct affine *extent)
{
	struct expr *e = expr_index(s, a);

	if (!e)
		return false;
	if (!affine_of(e, extent)) {
		diag_error(a->at, D_SHAPE,
		           "an extent must be a sum of sizes and constants: `n`, `n+1`, `2*n-1`");
		return false;
	}
	for (int k = 0; k < extent->n; k++)
		if (extent->term[k].var->kind != VAR_SIZE) {
			diag_error(a->at, D_SHAPE,
			           "`%s` is not a size, so a shape cannot contain it",
			           extent->term[k].var->name);
			if (extent->term[k].var->kind == VAR_PARAM) {
				diag_cure("declare it `size %s: i64`", extent->term[k].var->name);
				fix_insert(extent->term[k].var->at, "size ");
			}
			return false;
		}
	if (!extent->n && extent->constant < 0) {
		diag_error(a->at, D_SHAPE, "an axis cannot have %lld cells",
		           (long long)extent->constant);
		return false;
	}
	return true;
}

/* What the sizes leave constant must not overflow on its own. */
static bool shape_bytes(const struct ast *a, const struct var *v)
{
	int64_t bytes = type_size(v->type);

	for (int k = 0; k < v->rank; k++)
		if (!v->extent[k].n
		    && __builtin_mul_overflow(bytes, v->extent[k].constant, &bytes)) {
			diag_error(a->at, D_SHAPE,
			           "an array of this shape has more than 2^63 bytes");
			return false;
		}
	return true;
}

bool shape_check(struct sema *s, const struct ast *a, struct var *v)
{
	bool fine = true;

	v->type = element_type(s, a);
	if (!v->type || a->kind == A_NAME)
		return v->type;
	if (!shape_rank(a))
		return false;
	v->rank = a->sub.n;
	for (int k = 0; k < v->rank; k++)
		fine = extent_check(s, a->sub.at[k]->lo, &v->extent[k]) && fine;
	return fine && shape_bytes(a, v);
}

/* ---- constants ---- */

static struct expr *constant_value(struct sema *s, const struct ast *a, const struct type *type)
{
	struct expr *e = expr_typed(s, a, type, "the constant");

	return e && e->kind != E_CONST ? not_constant(e->at) : e;
}

bool list_check(const struct ast *a, const char *what, int axis, int64_t extent)
{
	if (a->kind == A_LIST && a->arg.n == extent)
		return true;
	diag_error(a->at, D_TABLE, "axis %d of %s has %lld element%s, but here %s %d", axis + 1,
	           what, (long long)extent, extent == 1 ? "" : "s",
	           a->kind == A_LIST && a->arg.n != 1 ? "are" : "is",
	           a->kind == A_LIST ? a->arg.n : 1);
	diag_cure("nest the lists, one level for each axis: `[[1, 2], [3, 4]]` for `[2, 2]`");
	return false;
}

static bool table_fill(struct sema *s, const struct ast *a, struct var *v, int axis, int64_t *next)
{
	bool fine = true;

	if (axis == v->rank) {
		struct expr *e = constant_value(s, a, v->type);
		if (e)
			v->table[(*next)++] = e->value;
		return e;
	}
	if (!list_check(a, str_print("`%s`", v->name), axis, v->extent[axis].constant))
		return false;
	for (int k = 0; fine && k < a->arg.n; k++)
		fine = table_fill(s, a->arg.at[k], v, axis + 1, next);
	return fine;
}

/* The list bounds the table: allocate what the first lists of every axis promise. */
static int64_t list_cells(const struct ast *a, int rank)
{
	int64_t cells = 1;

	for (int k = 0; k < rank && a->kind == A_LIST && a->arg.n; k++, a = a->arg.at[0])
		cells *= a->arg.n;
	return cells;
}

static bool table_check(struct sema *s, const struct ast_decl *d, struct var *v)
{
	int64_t cells = 1, next = 0;

	for (int k = 0; k < v->rank; k++) {
		if (v->extent[k].n || !v->extent[k].constant) {
			diag_error(d->type->at, D_TABLE,
			           "the sizes of a table must be constants of at least 1");
			return false;
		}
		if (__builtin_mul_overflow(cells, v->extent[k].constant, &cells))
			cells = INT64_MAX;
	}
	if (cells > list_cells(d->value, v->rank) && cells > (1 << 20)) {
		diag_error(d->value->at, D_TABLE, "`%s` has %lld elements, but the list does not",
		           v->name, (long long)cells);
		return false;
	}
	v->table = mem_new((size_t)cells * sizeof *v->table);
	if (table_fill(s, d->value, v, 0, &next))
		return true;
	if (v->rank == 1 && d->value->kind == A_LIST && d->value->arg.n > 0
	    && d->value->arg.n != v->extent[0].constant
	    && d->type->sub.at[0]->lo->kind == A_NUMBER)
		diag_fix(d->type->sub.at[0]->lo->at, str_print("%d", d->value->arg.n));
	return false;
}

static struct var *constant_check(struct sema *s, const struct ast_decl *d)
{
	struct var *v = var_new(s, VAR_CONST, d->name, NULL, d->at);

	if (!shape_check(s, d->type, v))
		return NULL;
	if (type_class(v->type) == 'S') {
		diag_error(d->type->at, D_NOT_CONSTANT,
		           "a constant must be a number, a bool or a table of them");
		return NULL;
	}
	if (v->rank)
		return table_check(s, d, v) ? v : NULL;
	v->value = constant_value(s, d->value, v->type);
	return v->value ? v : NULL;
}

static bool too_deep(struct sema *s, struct loc at)
{
	if (s->depth < MAX_DEPTH)
		return false;
	diag_error(at, D_RECURSION, "definitions depend on each other more than %d levels deep",
	           MAX_DEPTH);
	diag_cure("put what is used before what uses it");
	return true;
}

void constant_resolve(struct sema *s, struct binding *b)
{
	const struct ast_decl *d = b->decl;

	if (b->open) {
		diag_error(d->at, D_RECURSION,
		           "the definition of the constant `%s` depends on itself", b->name);
		b->decl = NULL;
		return;
	}
	if (too_deep(s, d->at))
		return;
	b->open = true;
	s->depth++;
	b->var = constant_check(s, d);
	s->depth--;
	b->open = false;
	b->decl = NULL;
	assert((b->var || diag_errors()) && "nothing fails in silence");
	if (b->var)
		list_add(&s->program->constant, b->var);
}

/* ---- structs ---- */

const struct type *fixed_type(struct sema *s, const struct ast *a)
{
	const struct type *type = element_type(s, a);
	int64_t extent[MAX_RANK];

	if (!type || a->kind == A_NAME)
		return type;
	if (!shape_rank(a))
		return NULL;
	int64_t cells = 1;
	for (int k = 0; k < a->sub.n; k++) {
		struct expr *e = constant_value(s, a->sub.at[k]->lo, type_scalar(T_I64));
		if (!e) {
			diag_cure("the sizes here must be numbers: `%s[4]`; an array of variable "
			          "size can be a parameter of a function, `x: %s[n]`, or of a "
			          "kernel, whose statements fold it: `sum[k](x[k])`",
			          a->name, a->name);
			return NULL;
		}
		extent[k] = e->value.i;
		if (extent[k] < 1 || extent[k] > MAX_STRUCT / cells) {
			diag_error(e->at, D_STRUCT_SIZE,
			           "an array of fixed size must have 1 to %d elements", MAX_STRUCT);
			return NULL;
		}
		cells *= extent[k];
	}
	return type_array(type, a->sub.n, extent);
}

static int64_t round_up(int64_t n, int64_t to)
{
	return (n + to - 1) / to * to;
}

/* Offsets as C lays them out. */
static bool field_add(struct record *r, const char *name, const struct type *type, struct loc at)
{
	int64_t align = type_align(type), offset = round_up(r->size, align), size = type_size(type);

	for (int k = 0; k < r->field.n; k++)
		if (r->field.at[k].name == name) {
			diag_error(at, D_DUPLICATE, "struct %s already has a field `%s`", r->name,
			           name);
			return false;
		}
	if (size > MAX_STRUCT || offset + size > MAX_STRUCT) {
		diag_error(at, D_STRUCT_SIZE, "struct %s is larger than %d bytes", r->name,
		           MAX_STRUCT);
		diag_cure("pass an array instead");
		return false;
	}
	list_add(&r->field, ((struct field) { name, type, offset }));
	r->size = offset + size;
	r->align = r->align > align ? r->align : align;
	return true;
}

static bool record_check(struct sema *s, const struct ast_decl *d, struct record *r)
{
	bool fine = true;

	r->name = d->name;
	r->at = d->at;
	r->align = 1;
	for (int k = 0; fine && k < d->field.n; k++) {
		const struct ast_names *names = d->field.at[k];
		const struct type *type = fixed_type(s, names->type);
		fine = type;
		for (int j = 0; fine && j < names->name.n; j++)
			fine = field_add(r, names->name.at[j], type, names->at);
	}
	r->size = round_up(r->size, r->align);
	return fine;
}

static void record_resolve(struct sema *s, struct callable *c)
{
	struct record *r;

	if (c->done)
		return;
	if (c->open) {
		diag_error(c->decl->at, D_RECURSION, "struct `%s` contains itself", c->name);
		c->done = true;
		return;
	}
	if (too_deep(s, c->decl->at))
		return;
	c->open = true;
	s->depth++;
	r = NEW(struct record);
	if (record_check(s, c->decl, r)) {
		c->record = r;
		list_add(&s->program->record, r);
	}
	s->depth--;
	c->open = false;
	c->done = true;
}

/* ---- every name first ---- */

static void declare_callable(struct sema *s, const struct ast_decl *d)
{
	struct callable *c = callable_find(s, d->name);

	if (names_builtin(d->name)) {
		diag_error(d->at, D_RESERVED_NAME, "`%s` is a built-in name", d->name);
		diag_cure("choose another name");
		return;
	}
	if (c && extern_equal(c->decl, d))
		return;
	if (c) {
		diag_error(d->at, D_DUPLICATE, "`%s` is already %s", d->name,
		           d->kind == DECL_EXTERN ? "declared differently" : "defined");
		diag_note(c->decl->at, "here");
		return;
	}
	c = NEW(struct callable);
	c->name = d->name;
	c->decl = d;
	HASH_ADD_PTR(s->calls, name, c);
	list_add(&s->callables, c);
}

static void declare_constant(struct sema *s, const struct ast_decl *d)
{
	struct binding *b = name_find(s, d->name);

	if (b) {
		diag_error(d->at, D_DUPLICATE, "the constant `%s` is already declared", d->name);
		diag_note(b->decl->at, "here");
		return;
	}
	b = name_declare(s, d->name, d->at);
	b->decl = d;
}

static void declare_all(struct sema *s)
{
	for (int k = 0; k < s->file->decl.n; k++) {
		const struct ast_decl *d = s->file->decl.at[k];
		switch (d->kind) {
		case DECL_CONST:
			declare_constant(s, d);
			break;
		case DECL_STRUCT: case DECL_FN: case DECL_OP: case DECL_EXTERN:
			declare_callable(s, d);
			break;
		case DECL_USE: case DECL_KERNEL: case DECL_SCHEDULE: case DECL_TEST:
			break;
		}
	}
}

static void constants_and_structs(struct sema *s)
{
	int n = s->scope.n;

	s->constants = true;
	for (int k = 0; k < n; k++)
		if (s->scope.at[k]->decl)
			constant_resolve(s, s->scope.at[k]);
	for (int k = 0; k < s->callables.n; k++)
		if (s->callables.at[k]->decl->kind == DECL_STRUCT)
			record_resolve(s, s->callables.at[k]);
	s->constants = false;
}

static void functions(struct sema *s)
{
	for (int k = 0; k < s->callables.n; k++)
		fn_signature(s, s->callables.at[k]);
	for (int k = 0; k < s->callables.n; k++)
		op_claims(s, s->callables.at[k]);
	for (int k = 0; k < s->callables.n; k++)
		fn_body(s, s->callables.at[k]);
	fn_order(s);
	walks_settle(s);
	for (int k = 0; k < s->program->fn.n; k++)
		if (s->program->fn.at[k]->sound)
			arrays_settle(s->program->fn.at[k]);
	laws_check(s);
}

static bool in_main_file(const struct sema *s, const struct ast_decl *d)
{
	return !strcmp(source_path(d->at.file), s->program->path);
}

static void kernels_and_schedules(struct sema *s)
{
	const struct ast_file *f = s->file;

	for (int k = 0; k < f->decl.n; k++)
		if (f->decl.at[k]->kind == DECL_KERNEL && in_main_file(s, f->decl.at[k]))
			kernel_check(s, f->decl.at[k]);
	kernel_names(s->program);
	for (int k = 0; k < f->decl.n; k++)
		if (f->decl.at[k]->kind == DECL_SCHEDULE && in_main_file(s, f->decl.at[k]))
			pins_check(s->program, f->decl.at[k], false);
}

/* Only of kernels that are right: a test of another has nothing to say. */
static void tests(struct sema *s)
{
	const struct ast_file *f = s->file;

	if (diag_errors() > s->errors)
		return;
	for (int k = 0; k < f->decl.n; k++)
		if (f->decl.at[k]->kind == DECL_TEST && in_main_file(s, f->decl.at[k]))
			list_add(&s->program->test, test_check(s, f->decl.at[k]));
	if (f->command)
		s->program->command = test_check(s, f->command);
}

struct program *sema_check(const struct ast_file *file, const char *path,
                           const struct options *options)
{
	const size_t before = mem_used() - file->bytes;
	program_begin(file->bytes);
	struct sema *s = NEW(struct sema);

	s->options = options;
	s->program = NEW(struct program);
	if (options->schedule && source_exists(options->schedule))
		s->program->tuning = parse_file(options->schedule, options);
	s->file = file;
	s->program->path = path;
	s->errors = diag_errors();
	for (int k = 0; k < file->include.n; k++)
		list_add(&s->program->include, file->include.at[k]);
	declare_all(s);
	constants_and_structs(s);
	functions(s);
	kernels_and_schedules(s);
	s->program->bytes = mem_used() - before;
	tests(s);
	if (diag_errors() == s->errors)
		warn(file, s->program);
	return s->program;
}
