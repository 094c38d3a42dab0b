/* kirask.c - queries of the passes over kernel IR: whether an expression is worth keeping,
 * whether it reads memory that may change, and what statements assign. */
#include "kir.h"

#include <string.h>

static void find_effect(struct kx *x, void *found)
{
	if (x->kind == KX_HELP && helper_has_effect(x->name))
		*(bool *)found = true;
}

bool kx_has_effect(struct kx *x)
{
	bool found = false;
	kx_walk(x, find_effect, &found);
	return found;
}

/* Of the functions and helpers that are more than an instruction or two. */
static bool math_costs(enum math m)
{
	static const enum math cheap[] = { M_abs,   M_min,  M_max,   M_clamp, M_copysign,
		                           M_fma,   M_fmin, M_fmax,  M_fabs,  M_fdim,
		                           M_floor, M_ceil, M_round, M_rint,  M_trunc };
	for (size_t i = 0; i < sizeof cheap / sizeof *cheap; i++)
		if (m == cheap[i])
			return false;
	return true;
}

static bool helper_costs(const char *name)
{
	static const char *const dear[] = { "patc_approx_", "patc_div_", "patc_hilbert",
		                            "patc_mirror", "patc_reflect", "patc_rem_",
		                            "patc_rsqrt_", "patc_wrap" };
	for (size_t i = 0; i < sizeof dear / sizeof *dear; i++)
		if (!strncmp(name, dear[i], strlen(dear[i])))
			return true;
	return false;
}

/* Nothing is left of it in the instance of a kernel that is compiled for a choice. */
bool kx_fixed(const struct kx *x)
{
	if (x->kind == KX_VAR)
		return x->var->is_choice
		       || (x->var->kind == KV_LET && x->var->value && kx_fixed(x->var->value));
	bool fixed = x->kind == KX_INT || x->kind == KX_OP || x->kind == KX_COND
	             || x->kind == KX_CAST;
	for (int i = 0; fixed && i < x->n; i++)
		fixed = kx_fixed(x->arg[i]);
	return fixed;
}

bool kx_costs(const struct kx *x)
{
	switch (x->kind) {
	case KX_CALL: return true;
	case KX_MATH: return math_costs(x->math);
	case KX_HELP: return helper_costs(x->name);
	case KX_OP: return (x->op == OP_DIV || x->op == OP_REM) && !kx_fixed(x->arg[1]);
	case KX_INT:
	case KX_FLOAT:
	case KX_VAR:
	case KX_COND:
	case KX_CAST:
	case KX_AT:
	case KX_OFFSET:
	case KX_FIELD: case KX_ELEM: case KX_LANE: case KX_VLOAD: case KX_MAKE: case KX_ID:
		return false;
	}
	return false;
}

/* A division by an extent of 0 traps, and wrapping round it never ends: those of the language do
 * neither, and are the helpers patc_div_ and patc_rem_. */
bool kx_hazard(const struct kx *x)
{
	bool index = x->kind == KX_HELP
	             && (!strncmp(x->name, "patc_wrap", 9) || !strncmp(x->name, "patc_mirror", 11)
	                 || !strncmp(x->name, "patc_reflect", 12));
	bool quotient = x->kind == KX_OP && kx_costs(x) && type_class(x->type.type) != 'F';
	return index || quotient || x->kind == KX_CALL || kx_memory(x) != MEMORY_NONE;
}

/* A struct's copy, read at an index that varies, would live in memory; what a function gives is
 * one. */
bool kx_keeps(const struct kx *x)
{
	bool whole = x->type.type->kind == T_STRUCT && x->kind != KX_CALL;
	return !x->type.pointer && x->type.lanes == 1 && x->kind != KX_VAR && !whole;
}

struct kx *kx_unless_known(struct kx *x)
{
	return x->kind == KX_INT ? NULL : x;
}

/* A function that is given an address may read what others write. */
bool kx_opaque(struct kx *x)
{
	if (x->kind != KX_HELP && x->kind != KX_CALL)
		return false;
	for (int i = 0; i < x->n; i++)
		if (x->arg[i]->type.pointer)
			return true;
	return x->kind == KX_HELP && helper_has_effect(x->name);
}

bool kx_same(const struct kx *a, const struct kx *b)
{
	bool equal = a->kind == b->kind && a->type.type == b->type.type && a->op == b->op
	             && a->math == b->math && a->id == b->id && a->i == b->i
	             && !memcmp(&a->f, &b->f, sizeof a->f) && a->var == b->var
	             && a->table == b->table && a->fn == b->fn && a->name == b->name && a->n == b->n
	             && a->type.lanes == b->type.lanes && a->type.pointer == b->type.pointer;
	for (int i = 0; equal && i < a->n; i++)
		equal = kx_same(a->arg[i], b->arg[i]);
	return equal;
}

/* Nobody writes through a pointer to const while the kernel runs; registers are variables. */
enum kx_memory kx_memory(const struct kx *x)
{
	if (x->kind != KX_AT && x->kind != KX_VLOAD)
		return MEMORY_NONE;
	const struct kx *from = x->arg[0];
	if (from->kind == KX_VAR && from->var->kind == KV_REGS)
		return MEMORY_NONE;
	return from->type.pointer && from->type.is_const ? MEMORY_CONST : MEMORY_OPEN;
}

/* ---- what statements change ---- */

static void note_effect(struct kx *x, void *changes)
{
	if (kx_opaque(x))
		((struct kir_changes *)changes)->memory = true;
}

static void note_target(struct kir_changes *c, const struct kx *target)
{
	c->memory = c->memory || kx_memory(target) != MEMORY_NONE;
	while (target->kind != KX_VAR && target->n) {
		target = target->arg[0];
		c->memory = c->memory || kx_memory(target) != MEMORY_NONE;
	}
	if (target->kind == KX_VAR)
		*map_at(&c->var, target->var) = target->var;
}

/* Registers that a helper is handed. */
static void note_handed(struct kir_changes *c, const struct kx *call)
{
	for (int i = 0; i < call->n; i++)
		if (call->arg[i]->type.pointer)
			note_target(c, call->arg[i]);
}

static void note_statement(struct kir_changes *c, const struct ks *s)
{
	if (s->var)
		*map_at(&c->var, s->var) = s->var;
	if (s->kind == KS_SET)
		note_target(c, s->a);
	if (s->kind == KS_DO)
		note_handed(c, s->a);
	if (s->kind == KS_VSTORE || s->kind == KS_BARRIER || s->kind == KS_DO)
		c->memory = true;
}

static void note_list(struct kir_changes *c, const struct ks_list *list)
{
	for (int i = 0; i < list->n; i++) {
		note_statement(c, list->at[i]);
		note_list(c, &list->at[i]->body);
		note_list(c, &list->at[i]->otherwise);
	}
}

/* Adds what the statements declare, assign and store. */
void kir_changes(const struct ks_list *list, struct kir_changes *c)
{
	note_list(c, list);
	if (!c->memory)
		ks_walk(list, note_effect, c);
}

bool ks_has(const struct ks_list *list, enum ks_kind kind)
{
	for (int i = 0; i < list->n; i++) {
		const struct ks *s = list->at[i];
		if (s->kind == kind || ks_has(&s->body, kind) || ks_has(&s->otherwise, kind))
			return true;
	}
	return false;
}

static bool list_leaves(const struct ks_list *list)
{
	for (int i = 0; i < list->n; i++)
		if (ks_leaves(list->at[i]))
			return true;
	return false;
}

bool ks_leaves(const struct ks *s)
{
	return s->kind == KS_RETURN || s->kind == KS_BREAK || s->kind == KS_CONTINUE
	       || list_leaves(&s->body) || list_leaves(&s->otherwise);
}

/* ---- names of what is kept ---- */

static const char *math_word(const struct kx *x)
{
	return x->kind == KX_MATH ? math_table[x->math].name : NULL;
}

/* patc_div_i32: "div" */
static const char *helper_word(const char *name)
{
	const char *word = name + strlen("patc_");
	if (!strncmp(word, "approx_", 7))
		word += 7;
	return str_intern(word, strcspn(word, "_"));
}

static const char *array_word(const struct kx *x)
{
	while (x->kind != KX_VAR && x->n)
		x = x->arg[0];
	return x->kind == KX_VAR ? str_print("%s_cell", x->var->wanted) : "cell";
}

/* What a variable that holds x is called: after what is dear in it, or the array it is read from.
 * */
const char *kx_word(const struct kx *x)
{
	if (x->kind == KX_CALL)
		return x->fn->name;
	if (x->kind == KX_MATH)
		return str_print("%s_of", math_word(x));
	if (x->kind == KX_OP && (x->op == OP_DIV || x->op == OP_REM))
		return x->op == OP_DIV ? "quotient" : "rest";
	if (x->kind == KX_HELP && kx_costs(x))
		return str_print("%s_of", helper_word(x->name));
	if (kx_memory(x) != MEMORY_NONE)
		return array_word(x);
	for (int i = 0; i < x->n; i++) {
		const char *word = kx_word(x->arg[i]);
		if (word)
			return word;
	}
	return NULL;
}
