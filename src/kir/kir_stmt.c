/* kir_stmt.c - builders of the kernel IR: kernels, their variables and statements (k_), in order.
 *
 * The kernel keeps a stack of open bodies, so that a lowering reads like the text it makes.
 *
 * Names.  A variable keeps the user's name; it gets a `_` when the name means something in C, and a
 * number when it is taken in this kernel.  Names are unique in the whole kernel until it is
 * complete; kirnames.c gives those that are printed. */
#include "kir.h"

#include <assert.h>
#include <stdarg.h>
#include <string.h>

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
	static const char *const suffix[] = { "", "_workspace", "_host", "_status",
	                                     "_strerror", "_system" };
	reserved = (struct map){0};
	for (int i = 0; i < program->entry.n; i++)
		for (size_t s = 0; s < sizeof suffix / sizeof *suffix; s++)
			name_take(&reserved,
			          str_print("%s%s", program->entry.at[i]->c, suffix[s]));
	for (int i = 0; i < program->record.n; i++)
		name_take(&reserved, name_global(program->record.at[i]->name));
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
	return map_get(&reserved, name) != NULL;
}

/* The host's functions have variables of their own. */
static bool host_prints(const char *name)
{
	static const char *const host[] = {"failure", "arrays", "copies", "pieces", "place"};
	for (size_t i = 0; i < sizeof host / sizeof *host; i++)
		if (strcmp(name, host[i]) == 0)
			return true;
	return false;
}

static const char *safe_name(const char *name, bool host)
{
	const char *safe = str_name(name_safe(name));
	return name_is_printed(safe) || (host && host_prints(safe))
	               ? str_name(str_print("%s_", safe))
	               : safe;
}

const char *kir_safe(const char *name)
{
	return safe_name(name, true);
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

bool kernel_computes(const struct kernel *k, const struct node *anchor)
{
	bool computes = k->node == anchor;
	for (int i = 0; i < k->more.n && !computes; i++)
		computes = k->more.at[i] == anchor;
	return computes;
}

int kernel_threads(const struct kernel *k)
{
	return k->block[0] * k->block[1] * k->block[2];
}

int64_t kernel_shared_bytes(const struct kernel *k)
{
	int64_t bytes = 0;
	for (int i = 0; i < k->var.n; i++) {
		const struct kvar *v = k->var.at[i];
		if (v->kind == KV_SHARED && !v->asked)
			bytes += v->count * type_size(v->type.type) * v->type.lanes;
	}
	return bytes;
}

static struct ks *k_add(struct kernel *k, enum ks_kind kind)
{
	struct ks *s = NEW(struct ks);
	s->kind = kind;
	s->at = k->at;
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
	v->wanted = safe_name(name, k->is_host);
	v->name = name_take(&k->taken, v->wanted);
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

struct kx *k_choice(struct kernel *k, const char *name, struct kx *host)
{
	assert(k->target->gpu && !k->choice && "a kernel of a GPU makes one choice");
	host = kx_fold(host);
	if (host->kind == KX_INT)
		return host;
	k->chosen = host;
	k->choice = kvar_new(k, KV_PARAM, kt_scalar(T_BOOL), name);
	k->choice->is_choice = true;
	return x_var(k->choice);
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

struct kvar *k_shared_from(struct kernel *k, const struct type *type, const char *name,
                           struct kx *byte)
{
	struct kvar *v = k_shared(k, type, name, 1);
	const struct ks_list *body = k->open.at[k->open.n - 1];
	v->asked = true;
	body->at[body->n - 1]->b = byte;
	k->asked_bytes = k->asked_bytes ? k->asked_bytes : type_size(type);
	return v;
}

struct kvar *k_shared_asked(struct kernel *k, const struct type *type, const char *name,
                            int64_t count)
{
	int64_t byte = (k->asked_bytes + 15) / 16 * 16;
	struct kvar *v = k_shared_from(k, type, name, x_i32(byte));
	v->count = count;
	k->asked_bytes = byte + count * type_size(type);
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

struct kvar *k_for(struct kernel *k, const char *name, struct kx *lo, struct kx *hi,
                   struct kx *step, int flags)
{
	assert(kt_equal(lo->type, hi->type) && kt_equal(lo->type, step->type)
	       && "one type of bounds");
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

void k_into(struct kernel *k, struct ks_list *list)
{
	k_push(k, NULL, list);
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

static struct ks *add_launch(struct kernel *k, struct kernel *kernel, struct kx *const grid[3],
                             int n, struct kx **arg)
{
	assert(n == kernel->param.n && "a launch passes every parameter");
	struct ks *s = k_add(k, KS_LAUNCH);
	s->kernel = kernel;
	for (int i = 0; i < 3; i++)
		s->grid[i] = grid[i] ? grid[i] : x_i64(1);
	s->n = n;
	s->arg = mem_new((size_t)(n > 0 ? n : 1) * sizeof *s->arg);
	for (int i = 0; i < n; i++)
		s->arg[i] = arg[i];
	return s;
}

void k_launch(struct kernel *host, struct kernel *kernel, struct kx *gx, struct kx *gy,
              struct kx *gz, int n, struct kx **arg)
{
	struct ks *s = add_launch(host, kernel, (struct kx *[]){ gx, gy, gz }, n, arg);
	s->a = kernel->asks;
	s->b = kernel->chosen;
}

struct kvar *k_launch_together(struct kernel *host, struct kernel *kernel, struct kx *most, int n,
                               struct kx **arg)
{
	struct ks *s = add_launch(host, kernel, (struct kx *[3]){ most }, n, arg);
	s->var = kvar_new(host, KV_VAR, kt_scalar(T_BOOL), "together");
	return s->var;
}

void k_part(struct kernel *k, struct kernel *of, struct kx *number, struct kx *const grid[3], int n,
            struct kx **arg)
{
	add_launch(k, of, grid, n, arg)->a = number;
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

void kx_use_same(struct kx *x, void *unused)
{
	(void)unused;
	while (x->kind == KX_VAR && x->var->same)
		x->var = x->var->same;
}

void kx_mark_var(struct kx *x, void *map)
{
	if (x->kind == KX_VAR)
		*map_at(map, x->var) = x->var;
}
