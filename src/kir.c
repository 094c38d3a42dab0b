/* kir.c - builders of the kernel IR.
 *
 * The tree is built bottom up for expressions (x_) and in order for statements (k_); the kernel keeps
 * a stack of open bodies, so that a lowering reads like the text it makes.  Builders check what they
 * can see at once (equal operand types, an open body); the rest is kircheck's.
 *
 * Names.  A variable keeps the user's name; it gets a `_` when the name means something in C, and a
 * number when it is taken in this kernel.  Names are unique in the whole kernel, not in a scope:
 * nothing ever hides anything, which is what -Wshadow asks and what a reader wants. */
#include "half.h"
#include "kir.h"

#include <assert.h>
#include <stdarg.h>
#include <string.h>

/* ---- types ---- */

struct ktype kt(const struct type *type)
{
	return (struct ktype){.type = type, .lanes = 1};
}

struct ktype kt_scalar(enum scalar kind)
{
	return kt(type_scalar(kind));
}

struct ktype kt_pointer(const struct type *type, bool is_const)
{
	return (struct ktype){.type = type, .lanes = 1, .pointer = true, .is_const = is_const};
}

struct ktype kt_vector(const struct type *type, int lanes)
{
	return (struct ktype){.type = type, .lanes = lanes};
}

const char *kt_word(const struct type *type)
{
	return is_half(type) ? "u16" : type_name(type);
}

static bool kt_equal(struct ktype a, struct ktype b)
{
	return a.type == b.type && a.lanes == b.lanes && a.pointer == b.pointer;
}

static bool kt_plain(struct ktype t)
{
	return !t.pointer && t.lanes == 1;
}

/* ---- names ---- */

static const char *name_take(struct map *taken, const char *wanted)
{
	const char *name = str_name(wanted);
	int *next = map_get(taken, name);
	while (map_get(taken, name))
		name = str_name(str_print("%s_%d", wanted, (*next)++));
	next = NEW(int);
	*next = 2;
	*map_at(taken, name) = next;
	return name;
}

static struct map reserved;

/* The types and functions of one output; those of an earlier output are forgotten. */
void kir_reserve(const struct program *program)
{
	static const char *const suffix[] = {"", "_workspace", "_host", "_status", "_strerror"};
	reserved = (struct map){0};
	for (int i = 0; i < program->entry.n; i++)
		for (size_t s = 0; s < sizeof suffix / sizeof *suffix; s++)
			name_take(&reserved, str_print("%s%s", program->entry.at[i]->name, suffix[s]));
	for (int i = 0; i < program->record.n; i++)
		name_take(&reserved, name_safe(program->record.at[i]->name));
	for (int i = 0; i < program->fn.n; i++)
		if (program->fn.at[i]->from)
			name_take(&reserved, program->fn.at[i]->name);
}

/* A name no other function of the output has: wanted, wanted_2, ... */
const char *kir_function(const char *wanted)
{
	return name_take(&reserved, wanted);
}

/* What the printed text itself uses: a variable of that name would hide a function it calls. */
static bool name_is_printed(const char *name)
{
	static const char *const prefix[] = {"patc_", "fn_", "table_", "PATC_"};
	for (size_t i = 0; i < sizeof prefix / sizeof *prefix; i++)
		if (strncmp(name, prefix[i], strlen(prefix[i])) == 0)
			return true;
	static const char *const host[] = {"failure", "arrays", "copies", "pieces", "place"};
	for (size_t i = 0; i < sizeof host / sizeof *host; i++)
		if (strcmp(name, host[i]) == 0)
			return true;
	return map_get(&reserved, name) != NULL;
}

const char *kir_safe(const char *name)
{
	const char *safe = str_name(name_safe(name));
	return name_is_printed(safe) ? str_name(str_print("%s_", safe)) : safe;
}

static const char *kernel_name(struct kernel *k, const char *wanted)
{
	return name_take(&k->taken, kir_safe(wanted));
}

/* ---- expressions ---- */

static struct kx *x_new(enum kx_kind kind, struct ktype type)
{
	struct kx *x = NEW(struct kx);
	x->kind = kind;
	x->type = type;
	return x;
}

static struct kx *x_args(struct kx *x, int n, struct kx *const *arg)
{
	x->n = n;
	x->arg = mem_new((size_t)(n > 0 ? n : 1) * sizeof *x->arg);
	for (int i = 0; i < n; i++) {
		assert(arg[i] != NULL && "an operand is missing");
		x->arg[i] = arg[i];
	}
	return x;
}

#define X_ARGS(x, ...) \
	x_args(x, (int)(sizeof (struct kx *[]){__VA_ARGS__} / sizeof(struct kx *)), \
	       (struct kx *[]){__VA_ARGS__})

struct kx *x_int(enum scalar kind, int64_t i)
{
	struct kx *x = x_new(KX_INT, kt_scalar(kind));
	x->i = i;
	return x;
}

struct kx *x_i64(int64_t i)
{
	return x_int(T_I64, i);
}

struct kx *x_i32(int64_t i)
{
	assert(i >= INT32_MIN && i <= INT32_MAX && "an i32 constant holds it");
	return x_int(T_I32, i);
}

struct kx *x_float(enum scalar kind, double f)
{
	struct kx *x = x_new(KX_FLOAT, kt_scalar(kind));
	assert(type_class(x->type.type) == 'F' && "a float type");
	x->f = f;
	return x;
}

struct kx *x_value(const struct type *type, struct value value)
{
	return type_class(type) == 'F' ? x_float(type->kind, value.f) : x_int(type->kind, value.i);
}

struct kx *x_var(struct kvar *var)
{
	struct kx *x = x_new(KX_VAR, var->type);
	x->var = var;
	if (var->kind == KV_REGS || var->kind == KV_SHARED)
		x->type = kt_pointer(var->type.type, false);
	return x;
}

static bool op_compares(enum operation op)
{
	return op >= OP_LT && op <= OP_NE;
}

struct kx *x_op(enum operation op, struct kx *a, struct kx *b)
{
	bool shift = op == OP_SHL || op == OP_SHR;
	bool pointers = a->type.pointer && b->type.pointer && (op == OP_EQ || op == OP_NE);
	assert((pointers || (kt_plain(a->type) && kt_plain(b->type))) && "operators take scalars");
	assert((shift || a->type.type == b->type.type) && "operand types are equal");
	bool is_bool = op_compares(op) || op == OP_LAND || op == OP_LOR;
	struct kx *x = x_new(KX_OP, is_bool ? kt_scalar(T_BOOL) : a->type);
	x->op = op;
	return X_ARGS(x, a, b);
}

struct kx *x_unary(enum operation op, struct kx *a)
{
	assert(op <= OP_BITNOT && kt_plain(a->type) && "a unary operator takes a scalar");
	struct kx *x = x_new(KX_OP, a->type);
	x->op = op;
	return X_ARGS(x, a);
}

struct kx *x_add(struct kx *a, struct kx *b) { return x_op(OP_ADD, a, b); }
struct kx *x_sub(struct kx *a, struct kx *b) { return x_op(OP_SUB, a, b); }
struct kx *x_mul(struct kx *a, struct kx *b) { return x_op(OP_MUL, a, b); }
struct kx *x_div(struct kx *a, struct kx *b) { return x_op(OP_DIV, a, b); }
struct kx *x_rem(struct kx *a, struct kx *b) { return x_op(OP_REM, a, b); }

struct kx *x_div_up(struct kx *a, struct kx *b)
{
	int64_t n;
	if (!x_constant(b, &n))
		return x_div(x_add(a, x_sub(b, x_i64(1))), b);
	return n == 1 ? a : x_div(x_add(a, x_i64(n - 1)), b);
}

struct kx *x_lt(struct kx *a, struct kx *b) { return x_op(OP_LT, a, b); }
struct kx *x_le(struct kx *a, struct kx *b) { return x_op(OP_LE, a, b); }
struct kx *x_eq(struct kx *a, struct kx *b) { return x_op(OP_EQ, a, b); }
struct kx *x_ne(struct kx *a, struct kx *b) { return x_op(OP_NE, a, b); }

struct kx *x_and(struct kx *a, struct kx *b)
{
	return !a ? b : !b ? a : x_op(OP_LAND, a, b);
}

struct kx *x_or(struct kx *a, struct kx *b)
{
	return !a ? b : !b ? a : x_op(OP_LOR, a, b);
}

struct kx *x_cond(struct kx *c, struct kx *a, struct kx *b)
{
	assert(c->type.type->kind == T_BOOL && "a condition is bool");
	assert(kt_equal(a->type, b->type) && "both arms have one type");
	return X_ARGS(x_new(KX_COND, a->type), c, a, b);
}

struct kx *x_min(struct kx *a, struct kx *b)
{
	return x_math(M_min, a->type.type, 2, (struct kx *[]){a, b});
}

struct kx *x_max(struct kx *a, struct kx *b)
{
	return x_math(M_max, a->type.type, 2, (struct kx *[]){a, b});
}

static struct kx *x_convert(struct kx *a, const char *from, const char *to)
{
	struct kx *arg[] = {a};
	return x_help(kt(type_named(to)), str_print("patc_%s_to_%s", from, to), 1, arg);
}

/* Rounded once: an f16 has no integers that f32 rounds and it does not, a bf16 has.  Up to 16 bits
 * f32 is exact, up to 32 f64. */
static struct kx *int_to_half(const struct type *half, struct kx *a)
{
	int64_t bytes = type_size(a->type.type);
	if (half->kind == T_F16 || bytes < 4)
		return x_convert(x_cast(kt_scalar(T_F32), a), "f32", type_name(half));
	if (bytes == 4)
		return x_convert(x_cast(kt_scalar(T_F64), a), "f64", type_name(half));
	return x_convert(a, type_name(a->type.type), type_name(half));
}

/* f16 and bf16 are words: whoever computes with one converts it, by helpers, through f32. */
static struct kx *half_cast(const struct type *to, struct kx *a)
{
	const struct type *from = a->type.type;
	if (a->kind == KX_FLOAT && type_class(to) == 'F')
		return x_float(to->kind, float_round(to, a->f));
	if (is_half(from))
		return x_cast(kt(to), x_convert(a, type_name(from), "f32"));
	if (type_class(from) != 'F')
		return int_to_half(to, a);
	return x_convert(a, type_name(from), type_name(to));
}

struct kx *x_cast(struct ktype type, struct kx *a)
{
	if (kt_equal(type, a->type) && type.is_const == a->type.is_const)
		return a;
	if (kt_plain(type) && kt_plain(a->type) && (is_half(type.type) || is_half(a->type.type)))
		return half_cast(type.type, a);
	return X_ARGS(x_new(KX_CAST, type), a);
}

struct kx *x_to_i64(struct kx *a)
{
	return a->kind == KX_INT ? x_i64(a->i) : x_cast(kt_scalar(T_I64), a);
}

struct kx *x_to_i32(struct kx *a)
{
	bool fits = a->kind == KX_INT && a->i >= INT32_MIN && a->i <= INT32_MAX;
	return fits ? x_i32(a->i) : x_cast(kt_scalar(T_I32), a);
}

struct kx *x_at(struct kx *a, struct kx *index)
{
	assert(a->type.pointer && "only memory is indexed");
	return X_ARGS(x_new(KX_AT, kt(a->type.type)), a, index);
}

struct kx *x_offset(struct kx *a, struct kx *index)
{
	assert(a->type.pointer && "an offset moves a pointer");
	return x_is_int(index, 0) ? a : X_ARGS(x_new(KX_OFFSET, a->type), a, index);
}

struct kx *x_field(struct kx *a, const struct field *field)
{
	assert(a->type.type->kind == T_STRUCT && kt_plain(a->type) && "a struct has fields");
	struct kx *x = x_new(KX_FIELD, kt(field->type));
	x->name = name_safe(field->name);
	return X_ARGS(x, a);
}

struct kx *x_elem(struct kx *a, const struct field *field, struct kx *index)
{
	assert(field->type->kind == T_ARRAY && "the field is an array");
	struct kx *x = x_new(KX_ELEM, kt(field->type->elem));
	x->name = name_safe(field->name);
	return X_ARGS(x, a, index);
}

struct kx *x_table(const struct var *table, struct kx *index)
{
	const struct type *type = table->type;
	struct kx *x = x_new(KX_ELEM, kt(type->kind == T_ARRAY ? type->elem : type));
	x->table = table;
	return X_ARGS(x, index);
}

struct kx *x_lane(struct kx *a, int lane)
{
	assert(lane >= 0 && lane < a->type.lanes && "the vector has that lane");
	struct kx *x = x_new(KX_LANE, kt(a->type.type));
	x->i = lane;
	return X_ARGS(x, a);
}

struct kx *x_lane_at(struct kx *a, struct kx *lane)
{
	int64_t constant;
	if (x_constant(lane, &constant))
		return x_lane(a, (int)constant);
	struct kx *x = x_new(KX_LANE, kt(a->type.type));
	return X_ARGS(x, a, lane);
}

struct kx *x_vload(struct kx *pointer, int lanes)
{
	assert(pointer->type.pointer && lanes > 1 && "a vector is read through a pointer");
	return X_ARGS(x_new(KX_VLOAD, kt_vector(pointer->type.type, lanes)), pointer);
}

struct kx *x_make(const struct type *type, int n, struct kx **arg)
{
	return x_args(x_new(KX_MAKE, kt(type)), n, arg);
}

struct kx *x_call(const struct fn *fn, int n, struct kx **arg)
{
	assert(n == fn->param.n && "as many values as parameters");
	struct kx *x = x_new(KX_CALL, kt(fn->type));
	x->fn = fn;
	return x_args(x, n, arg);
}

struct kx *x_outside(const struct fn *fn, int n, struct kx **arg)
{
	assert(fn->from && "a function of the user's header");
	struct kx *x = x_call(fn, n, arg);
	x->name = fn->name;
	return x;
}

struct kx *x_help(struct ktype result, const char *name, int n, struct kx **arg)
{
	struct kx *x = x_new(KX_HELP, result);
	x->name = str_name(name);
	return x_args(x, n, arg);
}

/* C has these as functions of one float type; the rest are helpers, whose predicates give bool and
 * whose counts give i32. */
static struct kx *math_help(enum math m, const struct type *operand, int n, struct kx **arg)
{
	bool test = m == M_isnan || m == M_isinf || m == M_isfinite;
	bool count = m == M_popcount || m == M_clz || m == M_ctz;
	const struct type *result = test ? type_scalar(T_BOOL) : count ? type_scalar(T_I32) : operand;
	const char *name = str_print("patc_%s_%s", math_table[m].name, type_name(operand));
	return x_help(kt(result), name, n, arg);
}

/* min(a, b, c) is min(min(a, b), c). */
static struct kx *math_fold(enum math m, const struct type *type, int n, struct kx **arg)
{
	struct kx *x = arg[0];
	for (int i = 1; i < n; i++)
		x = x_math(m, type, 2, (struct kx *[]){x, arg[i]});
	return x;
}

/* abs of an unsigned value is that value. */
struct kx *x_math(enum math m, const struct type *type, int n, struct kx **arg)
{
	const struct math_row *row = &math_table[m];
	const struct type *operand = arg[0]->type.type;
	if (row->arity == -2 && n != 2)
		return math_fold(m, type, n, arg);
	assert(n == (row->arity < 0 ? 2 : row->arity) && "as many operands as the function takes");
	if (m == M_abs && type_class(operand) == 'U')
		return arg[0];
	if (type_class(operand) != 'F' || !*row->c32)
		return x_cast(kt(type), math_help(m, operand, n, arg));
	struct kx *x = x_new(KX_MATH, kt(operand));
	x->math = m;
	return x_args(x, n, arg);
}

struct kx *x_id(enum kid id)
{
	struct kx *x = x_new(KX_ID, kt_scalar(T_I32));
	x->id = id;
	return x;
}

bool x_is_int(const struct kx *x, int64_t i)
{
	return x->kind == KX_INT && x->i == i;
}

bool x_constant(const struct kx *x, int64_t *i)
{
	if (x->kind == KX_INT)
		*i = x->i;
	return x->kind == KX_INT;
}

/* ---- statements ---- */

struct kernel *kernel_new(const char *name, const struct target *target)
{
	struct kernel *k = NEW(struct kernel);
	k->name = str_name(name);
	k->target = target;
	name_take(&k->taken, k->name);
	list_add(&k->open, &k->body);
	list_add(&k->opener, NULL);
	return k;
}

static struct ks *k_add(struct kernel *k, enum ks_kind kind)
{
	struct ks *s = NEW(struct ks);
	s->kind = kind;
	s->line = k->line;
	list_add(k->open.at[k->open.n - 1], s);
	return s;
}

static void k_push(struct kernel *k, struct ks *opener, struct ks_list *body)
{
	list_add(&k->open, body);
	list_add(&k->opener, opener);
}

static struct kvar *kvar_new(struct kernel *k, enum kvar_kind kind, struct ktype type,
                             const char *name)
{
	struct kvar *v = NEW(struct kvar);
	v->kind = kind;
	v->type = type;
	v->name = kernel_name(k, name);
	list_add(&k->var, v);
	return v;
}

struct kvar *k_param(struct kernel *k, struct ktype type, const char *name)
{
	struct kvar *v = kvar_new(k, KV_PARAM, type, name);
	v->restrict_ = type.pointer;
	list_add(&k->param, v);
	return v;
}

struct kvar *k_name(struct kernel *k, enum kvar_kind kind, struct ktype type, const char *name)
{
	struct kvar *v = kvar_new(k, kind, type, name);
	v->is_given = true;
	return v;
}

static struct kvar *k_decl(struct kernel *k, struct kvar *v, struct kx *value)
{
	struct ks *s = k_add(k, KS_DECL);
	s->var = v;
	s->a = value;
	return v;
}

struct kvar *k_let(struct kernel *k, const char *name, struct kx *value)
{
	struct kvar *v = kvar_new(k, KV_LET, value->type, name);
	v->value = value;
	return k_decl(k, v, value);
}

struct kvar *k_var(struct kernel *k, struct ktype type, const char *name, struct kx *value)
{
	assert((!value || kt_equal(type, value->type)) && "the value has the variable's type");
	return k_decl(k, kvar_new(k, KV_VAR, type, name), value);
}

struct kvar *k_regs(struct kernel *k, const struct type *type, const char *name, int64_t count)
{
	assert(count > 0 && "registers are counted from one");
	struct kvar *v = kvar_new(k, KV_REGS, kt(type), name);
	v->count = count;
	return k_decl(k, v, NULL);
}

struct kvar *k_shared(struct kernel *k, const struct type *type, const char *name, int64_t count)
{
	assert(count > 0 && "an array has elements");
	struct kvar *v = kvar_new(k, KV_SHARED, kt(type), name);
	v->count = count;
	return k_decl(k, v, NULL);
}

struct kvar *k_shared_asked(struct kernel *k, const struct type *type, const char *name, int64_t count)
{
	struct kvar *v = k_shared(k, type, name, count);
	v->asked = true;
	v->offset = (k->asked_bytes + 15) / 16 * 16;
	k->asked_bytes = v->offset + count * type_size(type);
	return v;
}

void k_set(struct kernel *k, struct kx *target, struct kx *value)
{
	assert(kt_equal(target->type, value->type) && "the value has the target's type");
	struct ks *s = k_add(k, KS_SET);
	s->a = target;
	s->b = value;
}

void k_if(struct kernel *k, struct kx *condition)
{
	struct ks *s = k_add(k, KS_IF);
	s->a = condition;
	k_push(k, s, &s->body);
}

void k_else(struct kernel *k)
{
	struct ks *s = k->opener.at[k->opener.n - 1];
	assert(s && s->kind == KS_IF && k->open.at[k->open.n - 1] == &s->body && "else follows if");
	k->open.at[k->open.n - 1] = &s->otherwise;
}

struct kvar *k_for(struct kernel *k, const char *name, struct kx *lo, struct kx *hi, struct kx *step,
                   int flags)
{
	assert(kt_equal(lo->type, hi->type) && kt_equal(lo->type, step->type) && "one type of bounds");
	struct ks *s = k_add(k, KS_FOR);
	s->var = kvar_new(k, KV_FOR, lo->type, name);
	s->a = lo;
	s->b = hi;
	s->c = step;
	s->flags = flags;
	k_push(k, s, &s->body);
	return s->var;
}

void k_while(struct kernel *k, struct kx *condition)
{
	struct ks *s = k_add(k, KS_WHILE);
	s->a = condition;
	k_push(k, s, &s->body);
}

void k_scope(struct kernel *k)
{
	struct ks *s = k_add(k, KS_SCOPE);
	k_push(k, s, &s->body);
}

void k_end(struct kernel *k)
{
	assert(k->open.n > 1 && "a body is open");
	k->open.n--;
	k->opener.n--;
}

void k_do(struct kernel *k, struct kx *call)
{
	assert(call->kind == KX_HELP && "only a helper is called for its effect");
	k_add(k, KS_DO)->a = call;
}

void k_vstore(struct kernel *k, struct kx *pointer, struct kx *vector)
{
	assert(pointer->type.pointer && vector->type.lanes > 1 && "a vector goes to a pointer");
	assert(pointer->type.type == vector->type.type && "of the same elements");
	struct ks *s = k_add(k, KS_VSTORE);
	s->a = pointer;
	s->b = vector;
}

void k_vstore_at(struct kernel *k, struct kx *pointer, struct kx *index, struct kx *vector)
{
	k_vstore(k, pointer, vector);
	struct ks_list *body = k->open.at[k->open.n - 1];
	body->at[body->n - 1]->c = index;
}

void k_barrier(struct kernel *k)
{
	k_add(k, KS_BARRIER);
}

void k_return(struct kernel *k, struct kx *value)
{
	k_add(k, KS_RETURN)->a = value;
}

void k_break(struct kernel *k)
{
	k_add(k, KS_BREAK);
}

void k_continue(struct kernel *k)
{
	k_add(k, KS_CONTINUE);
}

void k_note(struct kernel *k, const char *format, ...)
{
	char line[400];
	va_list args;
	va_start(args, format);
	vsnprintf(line, sizeof line, format, args);
	va_end(args);
	k_add(k, KS_NOTE)->text = str_print("%s", line);
}

void k_launch(struct kernel *host, struct kernel *kernel, struct kx *gx, struct kx *gy, struct kx *gz,
              int n, struct kx **arg)
{
	assert(n == kernel->param.n && "a launch passes every parameter");
	struct ks *s = k_add(host, KS_LAUNCH);
	s->kernel = kernel;
	s->a = kernel->asks;
	s->grid[0] = gx ? gx : x_i64(1);
	s->grid[1] = gy ? gy : x_i64(1);
	s->grid[2] = gz ? gz : x_i64(1);
	s->n = n;
	s->arg = mem_new((size_t)(n > 0 ? n : 1) * sizeof *s->arg);
	for (int i = 0; i < n; i++)
		s->arg[i] = arg[i];
}

void k_clear(struct kernel *host, struct kx *pointer, struct kx *bytes)
{
	assert(pointer->type.pointer && "memory is cleared through a pointer");
	struct ks *s = k_add(host, KS_CLEAR);
	s->a = pointer;
	s->b = bytes;
}

/* ---- walks ---- */

void kx_walk(struct kx *x, kx_visit *visit, void *with)
{
	if (x == NULL)
		return;
	for (int i = 0; i < x->n; i++)
		kx_walk(x->arg[i], visit, with);
	visit(x, with);
}

static void walk_one(const struct ks *s, kx_visit *visit, void *with)
{
	kx_walk(s->a, visit, with);
	kx_walk(s->b, visit, with);
	kx_walk(s->c, visit, with);
	for (int i = 0; i < 3; i++)
		kx_walk(s->grid[i], visit, with);
	for (int i = 0; i < s->n; i++)
		kx_walk(s->arg[i], visit, with);
	ks_walk(&s->body, visit, with);
	ks_walk(&s->otherwise, visit, with);
}

void ks_walk(const struct ks_list *list, kx_visit *visit, void *with)
{
	for (int i = 0; i < list->n; i++)
		walk_one(list->at[i], visit, with);
}
