/* pass_cse.c - common sub-expressions: what costs something is computed once.
 *
 * Needs: the kernels of a plan, folded.  Leaves: kernels in which an expression that holds a call,
 * a division, a function of the table or a wrapped index, and that occurs twice with equal
 * operands, is a constant of its own before the statement that needs it first.
 *
 * Method: value numbering over a body, in the order of execution (Cocke and Schwartz 1970; hashed,
 * as in Briggs, Cooper and Simpson, SP&E 27(6), 1997).  A variable's number changes with each
 * assignment, that of memory which may change with each store, barrier and call for an effect.  An
 * occurrence is a place for the constant if it is reached whenever its statement is: not after ?:,
 * && or ||.  It serves the rest of its body and what is nested in it; what is found inside a branch
 * or a loop serves no one outside.  So nothing is computed that was not, and nothing is read
 * earlier than it was but within one statement that reads it anyway.
 *
 * Loads alone are left to the compilers of the targets: the parameters are restrict.  Bodies are
 * walked twice by the same code, first to count, then to write. */
#include "plan.h"
#include "kir.h"
#include "pass.h"
#include "remark.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#define uthash_malloc(n) mem_new(n)
#define uthash_free(p, n) ((void)(p))
#include <uthash.h>

struct key {                             /* an expression without arguments, or a pair of numbers */
	int kind, op, math, id, lanes, flags;
	const void *type, *var, *other;
	int64_t i, version;
	double f;
};
struct site { int uses; struct kvar *kept; };
struct number { struct key key; int64_t id; struct site *site; UT_hash_handle hh; };

/* An expression with the number of its value; worth: something in it costs. */
struct seen { struct kx *x; struct number *value; bool worth; struct seen *arg; };

struct cse {
	struct kernel *kernel;
	struct number *numbers;
	int64_t given, clock;               /* both only grow */
	struct map version;                  /* of a variable: int64_t * */
	int64_t memory;
	LIST(struct number *) open;           /* have a site, innermost last */
	LIST(struct site *) site;            /* in the order of the walk */
	int next;
	bool writes;                         /* the second walk */
	struct ks_list *out;
};

/* ---- numbers ---- */

static struct number *value_of(struct cse *c, const struct key *key)
{
	struct number *v;
	HASH_FIND(hh, c->numbers, key, sizeof *key, v);
	if (v)
		return v;
	v = NEW(struct number);
	v->key = *key;
	v->id = ++c->given;
	HASH_ADD(hh, c->numbers, key, sizeof v->key, v);
	return v;
}

static struct number *value_pair(struct cse *c, const struct number *a, const struct number *b)
{
	struct key key;
	memset(&key, 0, sizeof key);
	key.kind = -1;
	key.i = a->id;
	key.version = b->id;
	return value_of(c, &key);
}

static int64_t *version_of(struct cse *c, const struct kvar *v)
{
	void **at = map_at(&c->version, v);
	if (!*at)
		*at = NEW(int64_t);
	return *at;
}

/* Keys are compared as bytes; there is no padding in them. */
static struct key key_of(struct cse *c, struct kx *x)
{
	struct key key;
	memset(&key, 0, sizeof key);
	key.kind = (int)x->kind;
	key.type = x->type.type;
	key.lanes = x->type.lanes;
	key.flags = x->type.pointer * 2 + x->type.is_const;
	key.op = (int)x->op;
	key.math = (int)x->math;
	key.id = (int)x->id;
	key.i = x->i;
	key.f = x->f;
	key.var = x->kind == KX_VAR    ? (const void *)x->var
	          : x->kind == KX_CALL ? (const void *)x->fn
	                               : x->table;
	key.other = x->name;
	if (x->kind == KX_VAR)
		key.version = *version_of(c, x->var);
	if (kx_memory(x) == MEMORY_OPEN)
		key.version = c->memory;
	if (kx_opaque(x))
		key.version = ++c->clock;
	return key;
}

static struct seen see(struct cse *c, struct kx *x)
{
	struct seen s = { .x = x, .worth = kx_costs(x) };
	struct key key = key_of(c, x);
	s.value = value_of(c, &key);
	s.arg = mem_new((size_t)(x->n + 1) * sizeof *s.arg);
	for (int i = 0; i < x->n; i++) {
		s.arg[i] = see(c, x->arg[i]);
		s.value = value_pair(c, s.value, s.arg[i].value);
		s.worth |= s.arg[i].worth;
	}
	return s;
}

static void renew(struct cse *c, const struct kvar *v)
{
	*version_of(c, v) = ++c->clock;
}

static void renew_all(struct cse *c, const struct kir_changes *changes)
{
	for (int i = 0; i < changes->var.room; i++)
		if (changes->var.row[i].key)
			renew(c, changes->var.row[i].key);
	if (changes->memory)
		c->memory = ++c->clock;
}

/* ---- expressions ---- */

static void find_cost(struct kx *x, void *found)
{
	*(bool *)found |= kx_costs(x);
}

static bool is_dear(struct kx *x)
{
	bool found = false;
	kx_walk(x, find_cost, &found);
	return found;
}

static struct kx *use(struct cse *, const struct seen *, bool sure);

static struct kx *with_args(struct cse *c, const struct seen *s, bool sure)
{
	struct kx *x = s->x, *made = NEW(struct kx);
	bool lazy = x->kind == KX_COND
	            || (x->kind == KX_OP && (x->op == OP_LAND || x->op == OP_LOR));
	*made = *x;
	made->arg = mem_new((size_t)(x->n + 1) * sizeof *made->arg);
	for (int i = 0; i < x->n; i++)
		made->arg[i] = use(c, &s->arg[i], sure && !(lazy && i > 0));
	return made;
}

static struct site *site_open(struct cse *c, struct number *v)
{
	if (!c->writes)
		list_add(&c->site, NEW(struct site));
	v->site = c->site.at[c->next++];
	v->site->uses += !c->writes;
	list_add(&c->open, v);
	return v->site;
}

/* Nothing is kept whose dear parts are. */
static struct kx *keep(struct cse *c, struct site *site, struct kx *value)
{
	if (!is_dear(value))
		return value;
	list_add(&c->kernel->open, c->out);
	site->kept = k_let(c->kernel, kx_word(value), value);
	c->kernel->open.n--;
	return x_var(site->kept);
}

/* The expression as it is written from here on: the second walk's result counts. */
static struct kx *use(struct cse *c, const struct seen *s, bool sure)
{
	struct site *site = s->value->site;
	if (!s->worth)
		return s->x;
	if (site) {
		site->uses += !c->writes;
		return !c->writes ? s->x : site->kept ? x_var(site->kept) : with_args(c, s, false);
	}
	if (!sure || !kx_keeps(s->x))
		return with_args(c, s, sure);
	site = site_open(c, s->value);
	struct kx *made = with_args(c, s, true);
	return c->writes && site->uses > 1 ? keep(c, site, made) : made;
}

static struct kx *rewrite(struct cse *c, struct kx *x)
{
	if (!x || !is_dear(x))                   /* most are not, and need no numbers */
		return x;
	const struct seen s = see(c, x);
	return use(c, &s, true);
}

/* Of what is assigned only the place is evaluated. */
static struct kx *rewrite_target(struct cse *c, struct kx *x)
{
	if (x->kind == KX_VAR || !x->n)
		return x;
	struct kx *made = NEW(struct kx);
	*made = *x;
	made->arg = mem_new((size_t)x->n * sizeof *made->arg);
	for (int i = 0; i < x->n; i++)
		made->arg[i] = i == 0 ? rewrite_target(c, x->arg[i]) : rewrite(c, x->arg[i]);
	return made;
}

/* ---- statements ---- */

static struct ks_list share(struct cse *, const struct ks_list *);

static void scope_close(struct cse *c, int mark)
{
	while (c->open.n > mark)
		c->open.at[--c->open.n]->site = NULL;
}

static void branch(struct cse *c, const struct ks *from, struct ks *s)
{
	struct kir_changes changes = { 0 };
	kir_changes(&from->body, &changes);
	kir_changes(&from->otherwise, &changes);
	s->a = rewrite(c, from->a);
	s->body = share(c, &from->body);
	renew_all(c, &changes);                  /* the other branch sees none of it */
	s->otherwise = share(c, &from->otherwise);
	renew_all(c, &changes);
	map_free(&changes.var);
}

/* Conditions and steps are evaluated in every pass and left as they are. */
static void loop(struct cse *c, const struct ks *from, struct ks *s)
{
	struct kir_changes changes = { 0 };
	kir_changes(&from->body, &changes);
	if (from->kind == KS_FOR)
		s->a = rewrite(c, from->a);
	renew_all(c, &changes);
	s->body = share(c, &from->body);
	renew_all(c, &changes);
	map_free(&changes.var);
}

/* Without a body: its expressions, then what it changes. */
static void plain(struct cse *c, const struct ks *from, struct ks *s)
{
	struct ks *one = (struct ks *)from;
	struct kir_changes changes = { 0 };
	s->b = rewrite(c, from->b);
	s->a = from->kind == KS_SET ? rewrite_target(c, from->a) : rewrite(c, from->a);
	if (s->kind == KS_DECL && s->var->value)
		s->var->value = s->a;            /* folded, for both walks: kx_fixed() */
	kir_changes(&(struct ks_list){ &one, 1, 1 }, &changes);
	renew_all(c, &changes);
	map_free(&changes.var);
}

static void statement(struct cse *c, const struct ks *from)
{
	struct ks counted, *s = c->writes ? NEW(struct ks) : &counted;
	*s = *from;
	switch (from->kind) {
	case KS_IF: branch(c, from, s); break;
	case KS_FOR: case KS_WHILE: loop(c, from, s); break;
	case KS_SCOPE: s->body = share(c, &from->body); break;
	case KS_DECL: case KS_SET: case KS_DO: case KS_VSTORE: case KS_BARRIER: case KS_RETURN:
	case KS_BREAK: case KS_CONTINUE: case KS_NOTE: case KS_LAUNCH: case KS_CLEAR:
		plain(c, from, s);
		break;
	}
	if (c->writes)
		list_add(c->out, s);
}

static struct ks_list share(struct cse *c, const struct ks_list *list)
{
	struct ks_list made = { 0 }, *outer = c->out;
	int mark = c->open.n;
	c->out = &made;
	for (int i = 0; i < list->n; i++)
		statement(c, list->at[i]);
	c->out = outer;
	scope_close(c, mark);
	return made;
}

static bool is_shared(const struct cse *c)
{
	for (int i = 0; i < c->site.n; i++)
		if (c->site.at[i]->uses > 1)
			return true;
	return false;
}

/* How many values are computed once that were computed again and again. */
static int kernel_share(struct kernel *k)
{
	int kept = 0;
	struct cse c = { .kernel = k };
	share(&c, &k->body);
	map_free(&c.version);
	if (!is_shared(&c))
		return 0;
	struct cse again = { .kernel = k, .site = c.site, .writes = true };
	k->body = share(&again, &k->body);
	map_free(&again.version);
	assert(again.next == c.site.n && "both walks are one");
	kircheck(k);
	for (int i = 0; i < c.site.n; i++)
		kept += c.site.at[i]->kept != NULL;
	return kept;
}

void pass_cse(struct plan *plan, const struct options *o)
{
	bool on = pass_enabled(o, "cse");
	for (int k = 0; on && k < plan->kernel.n; k++) {
		int kept = kernel_share(plan->kernel.at[k]);
		if (kept && plan->kernel.at[k]->node)
			remark_did(plan->kernel.at[k]->node, PASS_CSE, EFFICIENCY,
			           "%s: %d value%s computed once", plan->kernel.at[k]->name, kept,
			           kept == 1 ? " is" : "s are");
	}
	remark_others(plan, PASS_CSE,
	              on ? "no expensive value is computed twice" : "--no-pass=cse");
}
