/* ktext.c - kernels as text: what the parser of grammar/kernel.y calls, in the order of the text.
 *
 * Nothing is kept of a text but what the builders of kernel IR make of it.  A branch that the holes
 * decide against is read with all names unknown (`dead`): expressions are NULL in it, and
 * statements do nothing. */
#include "small.h"
#include "ktext_impl.h"
#include "kernel.h"

#include <assert.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

enum branch { BRANCH_BUILT, BRANCH_TAKEN, BRANCH_LEFT };  /* left: nothing of it is built */

void ktext_wrong(const struct ktext *t, const char *format, ...)
{
	va_list args;
	va_start(args, format);
	fprintf(stderr, "patc: %s:%d: %s: ", t->row->file, t->row->line + t->line, t->row->name);
	vfprintf(stderr, format, args);
	fputc('\n', stderr);
	va_end(args);
	assert(!"kernel text: see the line above");
	abort();
}

/* ---- what names mean ---- */

static void bind(struct kernel *k, struct known_list *to, const char *name, struct meaning means)
{
	int depth = k->open.n - 1;
	list_add(to, ((struct known){ str_name(name), means, k->open.at[depth], depth }));
}

static const struct meaning *find(const struct kernel *k, const struct known_list *in,
                                  const char *name)
{
	for (int i = in->n - 1; i >= 0; i--) {
		const struct known *at = &in->at[i];
		if (at->name == name && at->depth < k->open.n && k->open.at[at->depth] == at->body)
			return &at->means;
	}
	return NULL;
}

static struct known_list *bound(struct kernel *k)
{
	if (!k->known)
		k->known = NEW(struct known_list);
	return k->known;
}

/* In the text, in those that use it, in the kernel. */
static const struct meaning *look_up(const struct ktext *t, const char *name)
{
	const struct meaning *m = NULL;
	for (const struct ktext *in = t; in && !m; in = in->up)
		m = find(t->k, &in->own, name);
	return m || !t->k->known ? m : find(t->k, t->k->known, name);
}

/* The element that is meant: of the text, or of one that uses it.  -1: all are outside of each. */
static int element(const struct ktext *t)
{
	while (t && t->each < 0)
		t = t->up;
	return t ? t->each : -1;
}

/* An element of a list.  One that `each` has not declared yet is the one declared before. */
static const struct meaning *element_of(const struct meaning *list, int at)
{
	if (at < list->n && list->at[at].kind == MEANS_NOTHING)
		at++;
	else if (list->declared && at == list->n)
		at--;
	return at >= 0 && at < list->n ? &list->at[at] : NULL;
}

/* NULL: nothing.  Of a list its element. */
static const struct meaning *meaning(const struct ktext *t, const char *name)
{
	const struct meaning *m = look_up(t, name);
	if (!m || m->kind != MEANS_LIST)
		return m;
	if (element(t) < 0 && t->dead)
		return NULL;
	if (element(t) < 0)
		ktext_wrong(t, "%s is a list, outside of each", name);
	return element_of(m, element(t));
}

void bind_value(struct kernel *k, const char *name, struct kx *x)
{
	assert(x && "a value");
	bind(k, bound(k), name, (struct meaning){ .kind = MEANS_VALUE, .x = x });
}

void bind_variable(struct kernel *k, const char *name, struct kvar *v)
{
	bind_value(k, name, x_var(v));
}

void bind_number(struct kernel *k, const char *name, int64_t n)
{
	bind_value(k, name, x_int(T_INT_LIT, n));
}

/* The words of a list, "a, b"; NULL after the last. */
static const char *next_word(const char **list)
{
	*list += strspn(*list, ", ");
	size_t n = strcspn(*list, ", ");
	const char *word = n ? str_intern(*list, n) : NULL;
	*list += n;
	return word;
}

void bind_numbers(struct kernel *k, const char *names, int n, const int64_t *number)
{
	const char *name;
	int i = 0;
	for (; (name = next_word(&names)); i++) {
		assert(i < n && "a number for every name");
		bind_number(k, name, number[i]);
	}
	assert(i == n && "a name for every number");
}

void bind_truth(struct kernel *k, const char *name, bool b)
{
	bind_value(k, name, x_int(T_BOOL, b));
}

void bind_ktype(struct kernel *k, const char *name, struct ktype type)
{
	bind(k, bound(k), name, (struct meaning){ .kind = MEANS_TYPE, .type = type });
}

void bind_type(struct kernel *k, const char *name, const struct type *type)
{
	bind_ktype(k, name, kt(type));
}

void bind_word(struct kernel *k, const char *name, const char *word)
{
	bind(k, bound(k), name, (struct meaning){ .kind = MEANS_WORD, .word = word });
}

void k_bind_call(struct kernel *k, const char *name, ktext_hole *call, const void *state)
{
	bind(k, bound(k), name,
	     (struct meaning){ .kind = MEANS_CALL, .call = call, .state = state });
}

void bind_calls(struct kernel *k, const void *state, int n, const struct ktext_call *call)
{
	for (int i = 0; i < n; i++)
		k_bind_call(k, call[i].name, call[i].call, state);
}

static struct meaning *list_new(struct kernel *k, struct known_list *to, const char *name)
{
	struct meaning list = { .kind = MEANS_LIST, .room = 8, .at = mem_new(8 * sizeof *list.at) };
	bind(k, to, name, list);
	return &to->at[to->n - 1].means;
}

static void list_put(struct meaning *list, int at, struct meaning means)
{
	if (at >= list->room) {
		struct meaning *old = list->at;
		list->room = 2 * at;
		list->at = mem_new((size_t)list->room * sizeof *list->at);
		memcpy(list->at, old, (size_t)list->n * sizeof *list->at);
	}
	list->at[at] = means;
	list->n = at < list->n ? list->n : at + 1;
}

void bind_values(struct kernel *k, const char *name, int n, struct kx *const *x)
{
	struct meaning *list = list_new(k, bound(k), name);
	for (int i = 0; i < n; i++)
		list_put(list, i, (struct meaning){ .kind = MEANS_VALUE, .x = x[i] });
}

void bind_listed(struct kernel *k, const char *names, int n, const int64_t *number)
{
	const char *rest = names, *name;
	int columns = 0;
	while (next_word(&rest))
		columns++;
	for (int c = 0; (name = next_word(&names)); c++) {
		struct meaning *list = list_new(k, bound(k), name);
		for (int i = 0; i < n; i++)
			list_put(list, i,
			         (struct meaning){
					 .kind = MEANS_VALUE,
					 .x = x_int(T_INT_LIT, number[i * columns + c]) });
	}
}

void bind_types(struct kernel *k, const char *name, int n, const struct type *const *type)
{
	struct meaning *list = list_new(k, bound(k), name);
	for (int i = 0; i < n; i++)
		list_put(list, i, (struct meaning){ .kind = MEANS_TYPE, .type = kt(type[i]) });
}

void bind_ktypes(struct kernel *k, const char *name, int n, const struct ktype *type)
{
	struct meaning *list = list_new(k, bound(k), name);
	for (int i = 0; i < n; i++)
		list_put(list, i, (struct meaning){ .kind = MEANS_TYPE, .type = type[i] });
}

void bind_words(struct kernel *k, const char *name, int n, const char *const *word)
{
	struct meaning *list = list_new(k, bound(k), name);
	for (int i = 0; i < n; i++)
		list_put(list, i, (struct meaning){ .kind = MEANS_WORD, .word = word[i] });
}

int k_names(const struct kernel *k)
{
	return k->known ? k->known->n : 0;
}

void k_forget(struct kernel *k, int names)
{
	if (k->known)
		k->known->n = names;
}

struct kx *k_get(struct kernel *k, const char *name)
{
	const struct ktext none = { .k = k, .up = k->text, .each = k->each };
	const struct meaning *m = meaning(&none, str_name(name));
	assert(m && m->kind == MEANS_VALUE && "a name that is known here");
	return m->x;
}

/* ---- objects of C ---- */

struct object { struct kx x; void *is; };
static struct record object_record = { .name = "an object of C" };
static struct type object_type = { .kind = T_STRUCT, .record = &object_record };

struct kx *k_object(void *is)
{
	struct object *o = NEW(struct object);
	*o = (struct object){ { .kind = KX_VAR, .type = kt(&object_type) }, is };
	return &o->x;
}

void *k_object_of(const struct kx *x)
{
	assert(x->type.type == &object_type && "an object of C");
	return ((const struct object *)x)->is;
}

/* ---- words ---- */

struct kx *ktext_float(double f)
{
	struct kx *x = x_int(T_FLOAT_LIT, 0);
	x->f = f;
	return x;
}

/* The first word after a branch that is left is read before the branch ends: it needs its type. */
static struct ktype bound_type(const struct ktext *t, const char *name)
{
	const struct meaning *m = t->k ? meaning(t, name) : NULL;
	if (m && m->kind == MEANS_TYPE)
		return m->type;
	if (!t->dead)
		ktext_wrong(t, "%%%s is no type", name);
	return (struct ktype){ 0 };
}

/* The word after the statement that begins there: the one after its `;` or its last brace. */
static int statement_end(const struct ktext_tokens *tokens, int at)
{
	for (int depth = 0; at < tokens->n - 1; at++) {
		int kind = tokens->at[at].kind;
		depth += (kind == '{' || kind == '(') - (kind == '}' || kind == ')');
		if (depth == 0 && (kind == ';' || kind == '}'))
			return at + 1;
	}
	return at;
}

int ktext_lex(union KTEXT_STYPE *value, struct ktext *t)
{
	int start = t->start;
	t->start = 0;
	if (start || t->next == t->end)
		return start;
	const struct ktext_token *token = &t->tokens->at[t->next++];
	t->line = token->line;
	switch (token->kind) {
	case NAME: case NOTE: value->name = token->name; break;
	case NUMBER: value->x = token->x; break;
	case TYPE: value->type = token->type; break;
	case HOLE_TYPE: value->type = bound_type(t, token->name); return TYPE;
	case EACH:
		value->number = t->next - 1;
		t->next = statement_end(t->tokens, t->next);
		return REPEATED;
	default: value->number = token->number; break;
	}
	return token->kind;
}

/* Parses the tokens from one on. */
static void read_tokens(struct ktext *t, int from, int end, int start)
{
	t->next = from;
	t->end = end;
	t->start = start;
	ktext_parse(t);
}

/* ---- types of values ---- */

static bool is_number(const struct kx *x)
{
	return x->kind == KX_INT
	       && (x->type.type->kind == T_INT_LIT || x->type.type->kind == T_FLOAT_LIT);
}

static bool is_scalar(struct ktype t)
{
	return !t.pointer && t.lanes == 1;
}

static bool is_integer(struct ktype t)
{
	return is_scalar(t) && strchr("IU", type_class(t.type));
}

/* No value is lost. */
static bool widens(struct ktype from, struct ktype to)
{
	bool same = type_class(from.type) == type_class(to.type);
	return is_integer(from) && is_integer(to) && (same || type_class(to.type) == 'I')
	       && type_size(from.type) < type_size(to.type);
}

static const char *ktype_text(struct ktype t)
{
	return t.pointer ? str_print("a pointer to %s", type_name(t.type))
	       : t.lanes > 1 ? str_print("%sx%d", type_name(t.type), t.lanes) : type_name(t.type);
}

struct kx *ktext_as(struct ktext *t, struct kx *x, struct ktype type)
{
	if (t->dead)
		return NULL;
	if (is_number(x) && is_scalar(type) && type_class(type.type) == 'F')
		return x_float(type.type->kind,
		               x->type.type->kind == T_INT_LIT ? (double)x->i : x->f);
	if (is_number(x) && x->type.type->kind == T_INT_LIT && is_integer(type))
		return x_int(type.type->kind, x->i);
	if (kt_equal(x->type, type))
		return x;
	if (!widens(x->type, type))
		ktext_wrong(t, "%s where %s is needed", ktype_text(x->type), ktype_text(type));
	return x_cast(type, x);
}

/* A number by itself: of a subscript, a shift. */
static struct kx *typed(struct kx *x)
{
	if (!is_number(x))
		return x;
	return x->i >= INT32_MIN && x->i <= INT32_MAX ? x_i32(x->i) : x_i64(x->i);
}

/* Both have the type of one of them. */
static void unify(struct ktext *t, struct kx **a, struct kx **b)
{
	struct ktype type = is_number(*a) || (!is_number(*b) && widens((*a)->type, (*b)->type))
	                            ? (*b)->type
	                            : (*a)->type;
	*a = ktext_as(t, *a, type);
	*b = ktext_as(t, *b, type);
}

/* ---- expressions ---- */

/* Arithmetic that the text does with its numbers. */
static struct kx *number_op(struct ktext *t, enum operation op, int64_t a, int64_t b)
{
	if ((op == OP_DIV || op == OP_REM) && b == 0)
		ktext_wrong(t, "a division by zero");
	switch (op) {
	case OP_MUL: return x_int(T_INT_LIT, a * b);
	case OP_DIV: return x_int(T_INT_LIT, a / b);
	case OP_REM: return x_int(T_INT_LIT, a % b);
	case OP_ADD: return x_int(T_INT_LIT, a + b);
	case OP_SUB: return x_int(T_INT_LIT, a - b);
	case OP_SHL: return x_int(T_INT_LIT, (int64_t)((uint64_t)a << b));
	case OP_SHR: return x_int(T_INT_LIT, a >> b);
	case OP_AND: return x_int(T_INT_LIT, a & b);
	case OP_XOR: return x_int(T_INT_LIT, a ^ b);
	case OP_OR: return x_int(T_INT_LIT, a | b);
	case OP_LT: return x_int(T_BOOL, a < b);
	case OP_GT: return x_int(T_BOOL, a > b);
	case OP_LE: return x_int(T_BOOL, a <= b);
	case OP_GE: return x_int(T_BOOL, a >= b);
	case OP_EQ: return x_int(T_BOOL, a == b);
	case OP_NE: return x_int(T_BOOL, a != b);
	case OP_NEG: case OP_NOT: case OP_BITNOT: case OP_LAND: case OP_LOR: break;
	}
	ktext_wrong(t, "numbers have no such operation");
}

/* What a hole decides: C's conditions are numbers. */
static bool is_truth(const struct kx *x)
{
	return x->kind == KX_INT
	       && (x->type.type->kind == T_BOOL || x->type.type->kind == T_INT_LIT);
}

/* What the holes decide is decided: names on the other side need not exist. */
static struct kx *logical(enum operation op, struct kx *a, struct kx *b)
{
	bool decides = op == OP_LOR;
	if (is_truth(a))
		return (a->i != 0) == decides ? a : b;
	if (is_truth(b) && (b->i != 0) != decides)
		return a;
	return x_op(op, a, b);
}

struct kx *ktext_op(struct ktext *t, enum operation op, struct kx *a, struct kx *b)
{
	if (t->dead)
		return NULL;
	if (op == OP_LAND || op == OP_LOR)
		return logical(op, a, b);
	if (is_number(a) && is_number(b))
		return number_op(t, op, a->i, b->i);
	if (a->type.pointer && op == OP_ADD)
		return x_offset(a, typed(b));
	if (op == OP_SHL || op == OP_SHR)
		return x_op(op, typed(a), typed(b));
	unify(t, &a, &b);
	return x_op(op, a, b);
}

struct kx *ktext_unary(struct ktext *t, enum operation op, struct kx *a)
{
	if (t->dead)
		return NULL;
	if (is_truth(a) && op == OP_NOT)
		return x_int(T_BOOL, !a->i);
	if (is_number(a) && a->type.type->kind == T_FLOAT_LIT)
		return ktext_float(-a->f);
	if (is_number(a))
		return number_op(t, OP_SUB, op == OP_BITNOT ? -1 : 0, a->i);
	return x_unary(op, a);
}

struct kx *ktext_choose(struct ktext *t, struct kx *c, struct kx *a, struct kx *b)
{
	if (t->dead)
		return NULL;
	if (is_truth(c))
		return c->i ? a : b;
	unify(t, &a, &b);
	return x_cond(c, a, b);
}

struct kx *ktext_cast(struct ktext *t, struct ktype type, struct kx *x)
{
	if (t->dead)
		return NULL;
	if (is_number(x))
		return ktext_as(t, x, type);
	if (kt_equal(type, kt_scalar(T_I64)))
		return x_to_i64(x);
	return kt_equal(type, kt_scalar(T_I32)) ? x_to_i32(x) : x_cast(type, x);
}

struct kx *ktext_at(struct ktext *t, struct kx *a, struct kx *index)
{
	if (t->dead)
		return NULL;
	return a->type.lanes > 1 ? x_lane_at(a, typed(index)) : x_at(a, typed(index));
}

struct kx *ktext_field(struct ktext *t, struct kx *a, const char *name)
{
	if (t->dead)
		return NULL;
	const struct record *record = a->type.type->record;
	for (int i = 0; record && i < record->field.n; i++)
		if (!strcmp(record->field.at[i].name, name))
			return x_field(a, &record->field.at[i]);
	ktext_wrong(t, "no field %s", name);
}

struct kx *ktext_name(struct ktext *t, const char *name)
{
	if (t->dead)
		return NULL;
	const struct meaning *m = meaning(t, name);
	if (!m || m->kind != MEANS_VALUE)
		ktext_wrong(t, "%s has no value here", name);
	return m->x;
}

/* What a name meant at the end of pass n of a counted each. */
static const char *in_pass(const char *name, int64_t n)
{
	return str_name(str_print("%s@%" PRId64, name, n));
}

struct kx *ktext_listed(struct ktext *t, const char *name, struct kx *at)
{
	if (t->dead)
		return NULL;
	const struct meaning *m = is_number(at) ? meaning(t, in_pass(name, at->i)) : NULL;
	const struct meaning *list = m ? NULL : look_up(t, name);
	if (list && list->kind == MEANS_LIST && is_number(at) && at->i < list->n)
		m = &list->at[at->i];
	if (!m || m->kind != MEANS_VALUE)
		ktext_wrong(t, "no such element in a list %s", name);
	return m->x;
}

void ktext_add(struct ktext *t, struct ktext_list *list, struct kx *x)
{
	if (list->n == MOST_ARGUMENTS)
		ktext_wrong(t, "more than %d arguments", MOST_ARGUMENTS);
	list->at[list->n++] = x;
}

/* ---- functions ---- */

/* The folder of a file, as written in an address of it. */
static const char *folder_of(const char *file)
{
	const char *end = strrchr(file, '/'), *start = end;
	while (start && start > file && start[-1] != '/')
		start--;
	return start ? str_intern(start, (size_t)(end - start)) : "";
}

static const char *row_key(const char *folder, const char *name)
{
	return str_name(str_print("%s/%s", folder, name));
}

/* All texts, by folder and name. */
static const struct map *rows(void)
{
	static struct map rows;
	bool first = rows.n == 0;
	for (const struct ktext_row *row = ktext_rows; first && row->file; row++) {
		void **at = map_at(&rows, row_key(folder_of(row->file), row->name));
		assert(!*at && "one text of a name in a folder");
		*at = (void *)row;
	}
	return &rows;
}

/* The text called `name`, as a file sees it: a text of the same folder, or of patterns/ itself.
 * NULL: there is none. */
static const struct ktext_row *row_of(const char *file, const char *name, bool value)
{
	const struct ktext_row *row = map_get(rows(), row_key(folder_of(file), name));
	if (!row)
		row = map_get(rows(), row_key("patterns", name));
	return row && row->value == value ? row : NULL;
}

/* In a text: as in its file, or in those of the texts that use it. */
static const struct ktext_row *row_in(const struct ktext *t, const char *name, bool value)
{
	const struct ktext_row *row = NULL;
	for (; t && !row; t = t->up)
		row = row_of(t->row->file, name, value);
	return row;
}

/* Of a row of the table; once. */
static const struct ktext_tokens *tokens_of(const struct ktext_row *row)
{
	static struct map scanned;
	void **tokens = map_at(&scanned, row);
	if (!*tokens) {
		*tokens = NEW(struct ktext_tokens);
		*(struct ktext_tokens *)*tokens = ktext_scan(row->body);
	}
	return *tokens;
}

static void bind_arguments(struct ktext *t, struct kx *const *arg, int n)
{
	const char *params = t->row->params, *name;
	int i = 0;
	for (; (name = next_word(&params)); i++) {
		if (i >= n)
			ktext_wrong(t, "no argument for %s", name);
		bind(t->k, &t->own, name, (struct meaning){ .kind = MEANS_VALUE, .x = arg[i] });
	}
	if (i != n)
		ktext_wrong(t, "%d arguments for %d parameters", n, i);
}

/* Is this element the next one of the list, in the order of `each`? */
static bool is_next(const struct ktext *t, const struct meaning *list)
{
	const int at = t->each;
	if (!t->back)
		return at == list->n;
	return at + 1 < list->n && list->at[at].kind == MEANS_NOTHING
	       && list->at[at + 1].kind != MEANS_NOTHING;
}

/* Inside of `each` a declared name is a list, and this is its next element. */
static void named(struct ktext *t, const char *name, struct kx *x)
{
	struct meaning means = { .kind = MEANS_VALUE, .x = x };
	if (t->each < 0) {
		bind(t->k, &t->own, name, means);
		return;
	}
	struct meaning *list = (struct meaning *)find(t->k, &t->own, name);
	if (!list || list->kind != MEANS_LIST || !is_next(t, list)) {
		list = list_new(t->k, &t->own, name);
		list->declared = true;
	}
	list_put(list, t->each, means);
}

static void give(struct ktext *t)
{
	const char *gives = t->row->gives, *name;
	while ((name = next_word(&gives))) {
		const struct meaning *m = find(t->k, &t->own, name);
		if (m && t->up && m->kind == MEANS_VALUE)
			named(t->up, name, m->x);
		else if (m)
			bind(t->k, t->up ? &t->up->own : bound(t->k), name, *m);
	}
}

static struct kx *substitute(struct kernel *k, const struct ktext_row *row, struct kx *const *arg,
                             int n)
{
	struct ktext t = {
		.k = k, .row = row, .up = k->text, .each = -1, .tokens = tokens_of(row)
	};
	bind_arguments(&t, arg, n);
	k->text = &t;
	read_tokens(&t, 0, t.tokens->n, row->value ? EXPRESSION : STATEMENTS);
	k->text = t.up;
	give(&t);
	return t.result;
}

static struct kx *math_call(struct ktext *t, enum math m, const struct ktext_list *list)
{
	struct kx *arg[MOST_ARGUMENTS];
	memcpy(arg, list->at, sizeof arg);
	for (int i = 1; i < list->n; i++)
		unify(t, &arg[0], &arg[i]);
	for (int i = 1; i < list->n; i++)
		arg[i] = ktext_as(t, arg[i], arg[0]->type);
	bool counts = m == M_popcount || m == M_clz || m == M_ctz;
	bool tests = m == M_isnan || m == M_isinf || m == M_isfinite;
	const struct type *type = counts  ? type_scalar(T_I32)
	                          : tests ? type_scalar(T_BOOL)
	                                  : arg[0]->type.type;
	return x_math(m, type, list->n, arg);
}

/* Numbers among the arguments of a helper have the types of its parameters. */
static struct kx *helper_call(struct ktext *t, const char *name, const struct ktext_list *list)
{
	struct kx *arg[MOST_ARGUMENTS];
	struct ktype type, param[MOST_ARGUMENTS];
	int n = helper_signature(name, t->k->target, &type, param, MOST_ARGUMENTS);
	if (n != list->n)
		ktext_wrong(t, "%s takes %d arguments, not %d", name, n, list->n);
	for (int i = 0; i < n; i++)
		arg[i] = is_number(list->at[i]) || widens(list->at[i]->type, param[i])
		                 ? ktext_as(t, list->at[i], param[i])
		                 : list->at[i];
	return x_help(type, name, n, arg);
}

/* A function of the language, or of the text's own: NULL if it is none. */
static struct kx *known_call(struct ktext *t, const char *name, const struct ktext_list *list)
{
	if (!strcmp(name, "div_up") && list->n == 2) {
		struct kx *a = ktext_as(t, list->at[0], kt_scalar(T_I64));
		return x_div_up(a, ktext_as(t, list->at[1], kt_scalar(T_I64)));
	}
	if (!strcmp(name, "vector") && list->n == 2)
		return x_vload(list->at[0], (int)list->at[1]->i);
	for (int m = 0; m < MATH_COUNT; m++)
		if (!strcmp(math_table[m].name, name))
			return math_call(t, (enum math)m, list);
	return NULL;
}

/* patc_NAME_T for a first argument of type T, or the helper of that name; NULL: there is none. */
static const char *helper_of(const struct ktext *t, const char *name, const struct ktext_list *list)
{
	const char *typed = list->n && !is_number(list->at[0])
	                            ? str_print("patc_%s_%s", name, kt_word(list->at[0]->type.type))
	                            : name;
	return helper_known(typed, t->k->target)  ? typed
	       : helper_known(name, t->k->target) ? name
	                                          : NULL;
}

struct kx *ktext_call(struct ktext *t, const char *name, const struct ktext_list *list)
{
	if (t->dead)
		return NULL;
	const struct meaning *m = meaning(t, name);
	if (m && m->kind == MEANS_CALL)
		return m->call(t->k->lowering, m->state, list->at);
	const struct ktext_row *row = row_in(t, name, true);
	if (row)
		return substitute(t->k, row, list->at, list->n);
	struct kx *x = known_call(t, name, list);
	const char *helper = x ? NULL : helper_of(t, name, list);
	if (!x && !helper)
		ktext_wrong(t, "no function %s", name);
	return x ? x : helper_call(t, helper, list);
}

/* ---- statements ---- */

void ktext_say(struct ktext *t, const char *words)
{
	if (!t->dead)
		k_note(t->k, "%s", words);
}

/* What a variable is called in the kernel. */
static const char *printed(const struct ktext *t, const char *name)
{
	const int each = element(t);
	for (int i = t->k->known ? t->k->known->n - 1 : -1; i >= 0; i--) {
		const struct known *at = &t->k->known->at[i];
		const struct meaning *m = at->name != name ? NULL
		                          : at->means.kind == MEANS_LIST && each >= 0
		                                          && each < at->means.n
		                                  ? &at->means.at[each]
		                                  : &at->means;
		if (m && m->kind == MEANS_WORD)
			return m->word;
	}
	return name;
}

static void declared(struct ktext *t, const char *name, struct kvar *v)
{
	named(t, name, x_var(v));
}

void ktext_alias(struct ktext *t, const char *name, struct kx *x)
{
	if (!t->dead)
		named(t, name, x);
}

void ktext_let(struct ktext *t, const char *name, struct kx *value)
{
	if (!t->dead)
		declared(t, name, k_let(t->k, printed(t, name), typed(value)));
}

void ktext_var(struct ktext *t, const char *name, struct kx *value)
{
	if (!t->dead)
		declared(t, name,
		         k_var(t->k, t->type, printed(t, name),
		               value ? ktext_as(t, value, t->type) : NULL));
}

void ktext_array(struct ktext *t, const char *name, struct kx *count, bool shared)
{
	if (t->dead)
		return;
	if (!is_number(count))
		ktext_wrong(t, "%s has a number of elements that the text knows", name);
	declared(t, name,
	         (shared ? k_shared : k_regs)(t->k, t->type.type, printed(t, name), count->i));
}

void ktext_set(struct ktext *t, struct kx *to, struct kx *value)
{
	if (!t->dead)
		k_set(t->k, to, ktext_as(t, value, to->type));
}

void ktext_set_by(struct ktext *t, struct kx *to, int op, struct kx *value)
{
	if (!t->dead)
		ktext_set(t, to, ktext_op(t, (enum operation)op, to, value));
}

void ktext_do(struct ktext *t, const char *name, const struct ktext_list *list)
{
	if (t->dead)
		return;
	const struct meaning *m = meaning(t, name);
	const struct ktext_row *row = row_in(t, name, false);
	if (m && m->kind == MEANS_CALL)
		m->call(t->k->lowering, m->state, list->at);
	else if (row)
		substitute(t->k, row, list->at, list->n);
	else if (!strcmp(name, "store") && list->n == 2)
		k_vstore(t->k, list->at[0], list->at[1]);
	else if (helper_of(t, name, list))
		k_do(t->k, helper_call(t, helper_of(t, name, list), list));
	else
		ktext_wrong(t, "no text, function or helper %s", name);
}

void ktext_leave(struct ktext *t, enum ks_kind kind, struct kx *value)
{
	if (t->dead)
		return;
	switch (kind) {
	case KS_RETURN: k_return(t->k, value); return;
	case KS_BREAK: k_break(t->k); return;
	case KS_CONTINUE: k_continue(t->k); return;
	default: k_barrier(t->k); return;
	}
}

/* ---- bodies ---- */

static void branch_open(struct ktext *t, enum branch b)
{
	list_add(&t->branch, b);
	t->dead += b == BRANCH_LEFT;
}

void ktext_if(struct ktext *t, struct kx *condition)
{
	if (t->dead || is_truth(condition)) {
		branch_open(t, t->dead || !condition->i ? BRANCH_LEFT : BRANCH_TAKEN);
		return;
	}
	k_if(t->k, condition);
	branch_open(t, BRANCH_BUILT);
}

void ktext_arm(struct ktext *t, struct kx *condition, bool holds)
{
	bool left = t->dead || (is_truth(condition) && (condition->i != 0) != holds);
	branch_open(t, left ? BRANCH_LEFT : BRANCH_TAKEN);
}

/* Of a dead if both branches are. */
void ktext_else(struct ktext *t)
{
	int *b = &t->branch.at[t->branch.n - 1];
	if (*b == BRANCH_BUILT)
		k_else(t->k);
	else if (*b == BRANCH_TAKEN) {
		*b = BRANCH_LEFT;
		t->dead++;
	} else if (t->dead == 1) {
		*b = BRANCH_TAKEN;
		t->dead--;
	}
}

void ktext_end(struct ktext *t)
{
	enum branch b = (enum branch)t->branch.at[--t->branch.n];
	if (b == BRANCH_BUILT)
		k_end(t->k);
	t->dead -= b == BRANCH_LEFT;
}

struct ktext_loop ktext_range(struct ktext *t, struct ktype type, const char *name, struct kx *lo,
                              struct kx *hi, struct kx *step, bool same)
{
	if (!same)
		ktext_wrong(t, "a loop counts %s up to an end", name);
	return (struct ktext_loop){ name, ktext_as(t, lo, type), ktext_as(t, hi, type),
		                    ktext_as(t, step, type) };
}

void ktext_for(struct ktext *t, int flags, const struct ktext_loop *loop)
{
	branch_open(t, t->dead ? BRANCH_LEFT : BRANCH_BUILT);
	if (!t->dead)
		declared(t, loop->name,
		         k_for(t->k, printed(t, loop->name), loop->lo, loop->hi, loop->step,
		               flags));
}

void ktext_while(struct ktext *t, struct kx *condition)
{
	branch_open(t, t->dead ? BRANCH_LEFT : BRANCH_BUILT);
	if (!t->dead)
		k_while(t->k, condition);
}

/* ---- each (list) statement ---- */

/* The statement once more, for an element of lists. */
static void each_element(struct ktext *part, int each, int from, int end)
{
	part->k->each = part->each = each;
	read_tokens(part, from, end, STATEMENTS);
}

/* The statement once more, with a name for a number; what it declares is also known as NAME@NUMBER.
 * */
static void each_number(struct ktext *part, const char *name, int number, int from, int end)
{
	bind(part->k, &part->own, name,
	     (struct meaning){ .kind = MEANS_VALUE, .x = x_int(T_INT_LIT, number) });
	const int before = part->own.n;
	read_tokens(part, from, end, STATEMENTS);
	for (int i = before, n = part->each < 0 ? part->own.n : 0; i < n; i++) {
		struct known declared = part->own.at[i];
		declared.name = in_pass(declared.name, number);
		list_add(&part->own, declared);
	}
}

/* A number, or its name. */
static int number_at(const struct ktext *t, const struct ktext_token *token)
{
	const struct kx *x = token->kind == NUMBER ? token->x
	                                           : ktext_name((struct ktext *)t, token->name);
	if (!is_number(x))
		ktext_wrong(t, "each of a number of times, or of an element, that the text knows");
	return (int)x->i;
}

static int list_length(const struct ktext *t, const char *name)
{
	const struct meaning *list = look_up(t, name);
	if (!list || list->kind != MEANS_LIST)
		ktext_wrong(t, "%s is no list", name);
	return list->n;
}

/* (list), (list == element), or (name < number). */
static bool is_head(const struct ktext_token *head, int n, bool *compares)
{
	bool opens = n >= 4 && head[1].kind == '(' && head[2].kind == NAME;
	*compares = opens && n >= 6 && (head[3].kind == '<' || head[3].kind == EQ)
	            && head[5].kind == ')';
	return opens
	       && (head[3].kind == ')'
	           || (*compares && (head[4].kind == NUMBER || head[4].kind == NAME)));
}

void ktext_each(struct ktext *t, int at)
{
	struct ktext part = *t;
	bool compares;
	part.back = t->tokens->at[at + 1].kind == NAME
	            && !strcmp(t->tokens->at[at + 1].name, "back");
	at += part.back;
	const struct ktext_token *head = &t->tokens->at[at];
	if (!is_head(head, t->end - at, &compares))
		ktext_wrong(t, "each [back] (list) statement");
	part.branch = (typeof(part.branch)){ 0 };
	const int from = at + (compares ? 6 : 4);
	if (t->dead) {
		read_tokens(&part, from, t->next, STATEMENTS);
		return;
	}
	int outer = t->k->each;
	const bool counts = compares && head[3].kind == '<';
	const int number = compares ? number_at(t, &head[4]) : 0,
		  length = counts ? 0 : list_length(t, head[2].name);
	const int first = compares && !counts ? number : 0, end = counts     ? number
	                                                          : compares ? number + 1
	                                                                     : length;
	t->k->text = &part;
	for (int n = 0; n < end - first; n++) {
		const int i = part.back ? end - 1 - n : first + n;
		if (counts)
			each_number(&part, head[2].name, i, from, t->next);
		else
			each_element(&part, i, from, t->next);
	}
	t->k->text = t;
	t->k->each = outer;
	t->own = part.own;
}

/* ---- from outside ---- */

static struct kx *from_outside(struct kernel *k, const struct ktext_row *row, va_list args)
{
	struct kx *arg[MOST_ARGUMENTS];
	const char *params = row->params;
	int n = 0;
	while (next_word(&params)) {
		assert(n < MOST_ARGUMENTS && "as many arguments as a text may have");
		arg[n++] = va_arg(args, struct kx *);
	}
	return substitute(k, row, arg, n);
}

void k_text_of(const char *file, struct kernel *k, const char *name, ...)
{
	const struct ktext_row *row = row_of(file, name, false);
	assert(row && "a text of that name");
	va_list args;
	va_start(args, name);
	from_outside(k, row, args);
	va_end(args);
}

struct kx *k_value_of(const char *file, struct kernel *k, const char *name, ...)
{
	const struct ktext_row *row = row_of(file, name, true);
	assert(row && "a value of that name");
	va_list args;
	va_start(args, name);
	struct kx *x = from_outside(k, row, args);
	va_end(args);
	return x;
}

void ktext_source(struct kernel *k, const char *statements)
{
	struct ktext_row *row = NEW(struct ktext_row);
	*row = (struct ktext_row){
		.file = "source", .name = "text", .params = "", .gives = "", .body = statements
	};
	substitute(k, row, NULL, 0);
}

void ktext_check(void)
{
	for (const struct ktext_row *row = ktext_rows; row->file; row++) {
		struct ktext t = { .row = row, .each = -1, .dead = 1, .tokens = tokens_of(row) };
		read_tokens(&t, 0, t.tokens->n, row->value ? EXPRESSION : STATEMENTS);
	}
}
