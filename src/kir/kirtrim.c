/* kirtrim.c - removes redundancy from a kernel: constants that are another name of a variable,
 * conditions that are decided by an outer condition, and, once all launches are known, parameters
 * that are never read, or, on a CPU, that always have the value of another one.
 *
 * Only what cannot change is compared: constants, parameters, loop variables and what is computed
 * from them.  A condition is learned where its branch begins, and after an `if` that leaves the
 * body. */
#include "kir.h"
#include "plan.h"

#include <assert.h>

/* ---- what cannot change ---- */

static bool is_constant(const struct kvar *v)
{
	return v->kind == KV_LET || v->kind == KV_PARAM || v->kind == KV_FOR;
}

static void find_open(struct kx *x, void *found)
{
	bool memory = x->kind == KX_AT || x->kind == KX_VLOAD;
	bool varies = (x->kind == KX_VAR && !is_constant(x->var)) || x->kind == KX_CALL
	              || kx_opaque(x);
	*(bool *)found |= memory || varies;
}

static bool is_settled(struct kx *x)
{
	bool open = false;
	kx_walk(x, find_open, &open);
	return !open;
}

/* ---- other names ---- */

/* Declared in bodies that are open; those before `first` are not looked at.  A barrier of a GPU's
 * kernel separates: what a lowering computes again after it would take a register for longer. */
struct constants { LIST(struct ks *) visible; int first; bool changed, gpu; };

static void rename_in(struct ks *s)
{
	struct ks shallow = *s, *one = &shallow;
	shallow.body = shallow.otherwise = (struct ks_list){ 0 };
	ks_walk(&(struct ks_list){ &one, 1, 1 }, kx_use_same, NULL);
}

static bool is_let(const struct ks *s)
{
	return s->kind == KS_DECL && s->var->kind == KV_LET && s->a;
}

static bool same_type(struct ktype a, struct ktype b)
{
	return kt_equal(a, b) && a.is_const == b.is_const;
}

/* A variable whose value is always that of the one that s declares; NULL: there is none. */
static struct kvar *same_constant(const struct constants *c, const struct ks *s)
{
	if (s->a->kind == KX_VAR && is_constant(s->a->var)
	    && same_type(s->var->type, s->a->var->type))
		return s->a->var;
	for (int i = c->first; i < c->visible.n && s->a->kind != KX_INT; i++) {
		const struct ks *other = c->visible.at[i];
		if (kx_same(other->a, s->a) && same_type(other->var->type, s->var->type))
			return is_settled(s->a) ? other->var : NULL;
	}
	return NULL;
}

/* A loop's variable takes its other name, which is that of a user's index, if there is only one. */
static void become(struct kvar *v, struct kvar *other)
{
	if (other->kind == KV_FOR)
		other->wanted = !other->named || other->wanted == v->wanted ? v->wanted
		                                                            : other->name;
	other->named = true;
	v->same = other;
}

/* What both branches begin with is declared before them; not in a chain of `else if`. */
static bool lift(struct ks_list *to, struct ks *s)
{
	struct ks_list *body = &s->body, *other = &s->otherwise;
	int n = 0;
	while (n < body->n && n < other->n && is_let(body->at[n]) && is_let(other->at[n])) {
		struct ks *one = body->at[n], *two = other->at[n];
		rename_in(one);
		rename_in(two);
		if (!kx_same(one->a, two->a) || !same_type(one->var->type, two->var->type)
		    || !is_settled(one->a))
			break;
		two->var->same = one->var;
		list_add(to, one);
		n++;
	}
	*body = (struct ks_list){ body->at + n, body->n - n, body->n - n };
	*other = (struct ks_list){ other->at + n, other->n - n, other->n - n };
	return n > 0;
}

static void unalias(struct constants *c, struct ks_list *list, bool chain)
{
	struct ks_list kept = { 0 };
	int mark = c->visible.n;
	for (int i = 0; i < list->n; i++) {
		struct ks *s = list->at[i];
		int first = kept.n;
		rename_in(s);
		if (s->kind == KS_IF && !(chain && list->n == 1) && !kx_has_effect(s->a))
			c->changed = lift(&kept, s) || c->changed;
		list_add(&kept, s);
		if (c->gpu && s->kind == KS_BARRIER)
			c->first = c->visible.n;
		for (int k = first; k < kept.n; k++) {
			struct ks *now = kept.at[k];
			struct kvar *other = is_let(now) ? same_constant(c, now) : NULL;
			c->changed = c->changed || other;
			if (other)
				become(now->var, other);
			else if (is_let(now))
				list_add(&c->visible, now);
		}
		unalias(c, &s->body, false);
		unalias(c, &s->otherwise, true);
	}
	c->visible.n = mark;
	c->first = c->first < mark ? c->first : mark;
	*list = kept;
}

bool kir_unalias(struct kernel *k)
{
	struct constants constants = { .gpu = k->target->gpu && !k->is_host };
	unalias(&constants, &k->body, false);
	return constants.changed;
}

/* ---- conditions ---- */

struct fact { struct kx *x; bool holds; };
struct facts { LIST(struct fact) at; bool changed; };

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

/* a < b is not a >= b, nor b <= a, but of floats. */
static bool is_opposite(const struct kx *a, const struct kx *b)
{
	static const enum operation
		opposite[] = { [OP_LT] = OP_GE, [OP_GT] = OP_LE, [OP_LE] = OP_GT,
		               [OP_GE] = OP_LT, [OP_EQ] = OP_NE, [OP_NE] = OP_EQ },
		turned[] = { [OP_LT] = OP_LE, [OP_GT] = OP_GE, [OP_LE] = OP_LT,
		             [OP_GE] = OP_GT, [OP_EQ] = OP_NE, [OP_NE] = OP_EQ };
	bool compare = a->kind == KX_OP && b->kind == KX_OP && a->op >= OP_LT && a->op <= OP_NE;
	if (!compare || type_class(a->arg[0]->type.type) == 'F')
		return false;
	bool straight = opposite[a->op] == b->op && kx_same(a->arg[0], b->arg[0])
	                && kx_same(a->arg[1], b->arg[1]);
	bool crossed = turned[a->op] == b->op && kx_same(a->arg[0], b->arg[1])
	               && kx_same(a->arg[1], b->arg[0]);
	return straight || crossed;
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
	if (is_logic(x, OP_NOT)) {
		struct kx *a = decide(f, x->arg[0]);
		return a == x->arg[0] ? x : kx_fold(x_unary(OP_NOT, a));
	}
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
		struct kx *decided = s->kind == KS_IF ? decide(f, s->a) : s->a;
		f->changed = f->changed || decided != s->a;
		s->a = decided;
		if (s->kind == KS_IF)
			learn(f, s->a, true);
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

bool kir_decide(struct kernel *k)
{
	struct facts facts = { 0 };
	decide_list(&facts, &k->body);
	return facts.changed;
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
		equal = kx_same(l->at.at[i]->arg[a], l->at.at[i]->arg[b])
		        && !kx_has_effect(l->at.at[i]->arg[a]);
	return equal;
}

static void drop_choice(struct kernel *k, const struct launches *l)
{
	k->choice = NULL;
	for (int i = 0; i < l->at.n; i++)
		l->at.at[i]->b = NULL;
}

static void drop_parameters(struct kernel *k, const struct launches *l)
{
	struct map used = { 0 };
	int kept = 0;
	ks_walk(&k->body, kx_mark_var, &used);
	if (k->choice && !map_get(&used, k->choice))
		drop_choice(k, l);
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
static void merge_parameter(const struct launches *l, int p, int into)
{
	struct kvar *one = l->kernel->param.at[p], *other = l->kernel->param.at[into];
	const struct kx *x = l->at.n ? l->at.at[0]->arg[p] : NULL;
	if (x && x->kind == KX_VAR && x->var->wanted == one->wanted)
		other->wanted = one->wanted;
	one->same = other;
}

/* Note [the end and the extent] Of a GPU's kernel, parameters that are always equal stay apart.  If
 * nvcc sees that a loop ends where a row does, it drops tests and takes more registers for the
 * loads that it then puts together: on an H100 the five-point stencil of rows that are not aligned
 * was 10 % slower, with a fold after it 12 %, a product of f16 5 %, a scan of columns 3 %. */
static void merge_parameters(struct kernel *k, const struct launches *l)
{
	bool equal = false;
	for (int p = 1; p < k->param.n; p++)
		for (int q = 0; q < p && !k->param.at[p]->same; q++)
			if (!k->param.at[q]->same && always_equal(l, p, q)) {
				merge_parameter(l, p, q);
				equal = true;
			}
	if (equal) {
		ks_walk(&k->body, kx_use_same, NULL);
		kirfold(k);
	}
}

/* What the sizes of the workspace are made of. */
static void rename_sizes(struct kx *x, void *state)
{
	kx_use_same(x, state);
	if (x->kind == KX_VAR)
		kx_walk(x->var->value, rename_sizes, state);
}

void kirtrim(struct plan *plan)
{
	for (int k = 0; k < plan->kernel.n; k++) {
		struct launches l = { .kernel = plan->kernel.at[k] };
		note_launches(&l, &plan->host->body);
		if (!plan->target->gpu)
			merge_parameters(plan->kernel.at[k], &l);
		drop_parameters(plan->kernel.at[k], &l);
		kircheck(plan->kernel.at[k]);
	}
	kirfold(plan->host);
	for (int s = 0; s < plan->slot.n; s++)
		for (int c = 0; c < plan->slot.at[s]->count.n; c++)
			kx_walk(plan->slot.at[s]->count.at[c], rename_sizes, NULL);
}
