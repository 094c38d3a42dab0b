/* kirtrim.c - what a kernel says twice: constants that are another name of a variable, conditions that a condition around
 * them decides, and, once all launches are known, parameters that nothing reads or that always have the value of another.
 *
 * Only what cannot change is compared: constants, parameters, loop variables and what is computed from them.  A condition
 * is learned where its branch begins, and after an `if` that leaves the body. */
#include "kir.h"
#include "plan.h"

#include <assert.h>

/* ---- other names ---- */

static bool is_constant(const struct kvar *v)
{
	return v->kind == KV_LET || v->kind == KV_PARAM || v->kind == KV_FOR;
}

static void note_aliases(const struct ks_list *list, struct map *alias)
{
	for (int i = 0; i < list->n; i++) {
		const struct ks *s = list->at[i];
		bool is_alias = s->kind == KS_DECL && s->var->kind == KV_LET && s->a && s->a->kind == KX_VAR
		                && is_constant(s->a->var) && kt_equal(s->var->type, s->a->var->type)
		                && s->var->type.is_const == s->a->var->type.is_const;
		if (is_alias)
			*map_at(alias, s->var) = s->a->var;
		note_aliases(&s->body, alias);
		note_aliases(&s->otherwise, alias);
	}
}

/* A loop's variable takes its other name, which is that of a user's index, if there is only one. */
static void take_names(const struct ks_list *list, const struct map *alias, struct map *named)
{
	for (int i = 0; i < list->n; i++) {
		const struct ks *s = list->at[i];
		struct kvar *other = s->kind == KS_DECL ? map_get(alias, s->var) : NULL;
		while (other && map_get(alias, other))
			other = map_get(alias, other);
		if (other && other->kind == KV_FOR) {
			const char *before = map_get(named, other);
			other->wanted = !before || before == s->var->wanted ? s->var->wanted : other->name;
			*map_at(named, other) = (void *)other->wanted;
		}
		take_names(&s->body, alias, named);
		take_names(&s->otherwise, alias, named);
	}
}

static void rename_var(struct kx *x, void *alias)
{
	struct kvar *other;
	while (x->kind == KX_VAR && (other = map_get(alias, x->var)))
		x->var = other;
}

void kir_unalias(struct kernel *k)
{
	struct map alias = { 0 }, named = { 0 };
	note_aliases(&k->body, &alias);
	take_names(&k->body, &alias, &named);
	ks_walk(&k->body, rename_var, &alias);
	map_free(&alias);
	map_free(&named);
}

/* ---- conditions ---- */

struct fact { struct kx *x; bool holds; };
struct facts { LIST(struct fact) at; };

static void find_open(struct kx *x, void *found)
{
	bool varies = (x->kind == KX_VAR && !is_constant(x->var)) || x->kind == KX_CALL || kx_opaque(x)
	              || kx_memory(x) == MEMORY_OPEN || (x->kind == KX_AT && x->arg[0]->kind == KX_VAR && x->arg[0]->var->count);
	*(bool *)found |= varies;
}

static bool is_settled(struct kx *x)
{
	bool open = false;
	kx_walk(x, find_open, &open);
	return !open;
}

static bool is_logic(const struct kx *x, enum operation op)
{
	return x->kind == KX_OP && x->op == op;
}

static void learn(struct facts *f, struct kx *x, bool holds)
{
	if (is_logic(x, OP_NOT)) {
		learn(f, x->arg[0], !holds);
	} else if (is_logic(x, holds ? OP_LAND : OP_LOR)) {
		learn(f, x->arg[0], holds);
		learn(f, x->arg[1], holds);
	} else if (is_settled(x)) {
		list_add(&f->at, ((struct fact){ x, holds }));
	}
}

/* a < b is not a >= b, but of floats. */
static bool is_opposite(const struct kx *a, const struct kx *b)
{
	static const enum operation opposite[] = {
		[OP_LT] = OP_GE, [OP_GT] = OP_LE, [OP_LE] = OP_GT, [OP_GE] = OP_LT, [OP_EQ] = OP_NE, [OP_NE] = OP_EQ
	};
	bool compare = a->kind == KX_OP && b->kind == KX_OP && a->op >= OP_LT && a->op <= OP_NE && opposite[a->op] == b->op;
	return compare && type_class(a->arg[0]->type.type) != 'F' && kx_same(a->arg[0], b->arg[0]) && kx_same(a->arg[1], b->arg[1]);
}

static bool is_known(const struct facts *f, const struct kx *x, bool *holds)
{
	for (int i = 0; i < f->at.n; i++) {
		const struct fact *fact = &f->at.at[i];
		bool opposite = is_opposite(fact->x, x);
		*holds = fact->holds != opposite;
		if (opposite || kx_same(fact->x, x))
			return true;
	}
	return false;
}

/* The right side of && is evaluated where the left one holds, of || where it does not. */
static struct kx *decide(struct facts *f, struct kx *x)
{
	bool holds;
	if (is_known(f, x, &holds))
		return x_int(T_BOOL, holds);
	if (is_logic(x, OP_NOT))
		return kx_fold(x_unary(OP_NOT, decide(f, x->arg[0])));
	if (!is_logic(x, OP_LAND) && !is_logic(x, OP_LOR))
		return x;
	int mark = f->at.n;
	struct kx *left = decide(f, x->arg[0]);
	learn(f, x->arg[0], x->op == OP_LAND);
	struct kx *right = decide(f, x->arg[1]);
	f->at.n = mark;
	return left == x->arg[0] && right == x->arg[1] ? x : kx_fold(x_op(x->op, left, right));
}

static void decide_list(struct facts *f, struct ks_list *list)
{
	int mark = f->at.n;
	for (int i = 0; i < list->n; i++) {
		struct ks *s = list->at[i];
		int outer = f->at.n;
		if (s->kind == KS_IF)
			learn(f, s->a = decide(f, s->a), true);
		decide_list(f, &s->body);
		f->at.n = outer;
		if (s->kind == KS_IF)
			learn(f, s->a, false);
		decide_list(f, &s->otherwise);
		if (s->kind != KS_IF || s->otherwise.n || !ks_never_passed(&s->body))
			f->at.n = outer;
	}
	f->at.n = mark;
}

void kir_decide(struct kernel *k)
{
	struct facts facts = { 0 };
	decide_list(&facts, &k->body);
}

/* ---- parameters ---- */

struct launches { const struct kernel *kernel; LIST(struct ks *) at; };

static void note_launches(struct launches *l, const struct ks_list *list)
{
	for (int i = 0; i < list->n; i++) {
		if (list->at[i]->kind == KS_LAUNCH && list->at[i]->kernel == l->kernel)
			list_add(&l->at, list->at[i]);
		note_launches(l, &list->at[i]->body);
		note_launches(l, &list->at[i]->otherwise);
	}
}

static bool always_equal(const struct launches *l, int a, int b)
{
	const struct kvar *one = l->kernel->param.at[a], *other = l->kernel->param.at[b];
	bool equal = !one->type.pointer && kt_equal(one->type, other->type);
	for (int i = 0; equal && i < l->at.n; i++)
		equal = kx_same(l->at.at[i]->arg[a], l->at.at[i]->arg[b]) && !kx_has_effect(l->at.at[i]->arg[a]);
	return equal;
}

static void mark_use(struct kx *x, void *used)
{
	if (x->kind == KX_VAR)
		*map_at(used, x->var) = x->var;
}

static void drop_parameters(struct kernel *k, const struct launches *l)
{
	struct map used = { 0 };
	int kept = 0;
	ks_walk(&k->body, mark_use, &used);
	for (int p = 0; p < k->param.n; p++) {
		if (!map_get(&used, k->param.at[p]))
			continue;
		for (int i = 0; i < l->at.n; i++)
			l->at.at[i]->arg[kept] = l->at.at[i]->arg[p];
		k->param.at[kept++] = k->param.at[p];
	}
	for (int i = 0; i < l->at.n; i++)
		l->at.at[i]->n = kept;
	k->param.n = kept;
	map_free(&used);
}

/* Of the two names that of the host's variable is better. */
static void merge_parameter(struct map *alias, const struct launches *l, int p, int into)
{
	struct kvar *one = l->kernel->param.at[p], *other = l->kernel->param.at[into];
	const struct kx *x = l->at.n ? l->at.at[0]->arg[p] : NULL;
	if (x && x->kind == KX_VAR && x->var->wanted == one->wanted)
		other->wanted = one->wanted;
	*map_at(alias, one) = other;
}

static void trim_parameters(struct kernel *k, const struct launches *l)
{
	struct map alias = { 0 };
	int equal = 0;
	for (int p = 1; p < k->param.n; p++)
		for (int q = 0; q < p; q++)
			if (!map_get(&alias, k->param.at[q]) && always_equal(l, p, q)) {
				merge_parameter(&alias, l, p, q);
				equal++;
				break;
			}
	ks_walk(&k->body, rename_var, &alias);
	map_free(&alias);
	if (equal)
		kirfold(k);
	drop_parameters(k, l);
	kircheck(k);
}

void kirtrim(struct plan *plan)
{
	for (int k = 0; k < plan->kernel.n; k++) {
		struct launches l = { .kernel = plan->kernel.at[k] };
		note_launches(&l, &plan->host->body);
		trim_parameters(plan->kernel.at[k], &l);
	}
	kirfold(plan->host);
}
