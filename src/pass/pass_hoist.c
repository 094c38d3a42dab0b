/* pass_hoist.c - moves loop-invariant computations out of loops.
 *
 * Needs: the kernels of a plan, folded.  Leaves: loops before which a constant holds each call,
 * division, function of the table and load that does not depend on the loop: in sum[k](a[i] *
 * w(c[i]) * b[k]) the product a[i] * w(c[i]) is computed once.
 *
 * Rule: an expression moves if no variable in it is declared or assigned in the loop, no memory it
 * reads can be written there, and the first pass is sure to reach it: it stands at the top of the
 * body, not after ?:, && or ||, and nothing before it leaves.  A loop may make no pass at all, and
 * then an address may be wild and a call may never have been meant: what can do harm (kx_hazard) is
 * computed only if there is a first pass, unless constants say so.  The largest such expression
 * moves, which keeps its value exactly: sums and products are not rearranged, so a * sum(b) is left
 * to whoever writes it.
 *
 * Inner loops first, so that what leaves an inner loop may leave the outer one too.  Conditions of
 * loops stay where they are. */
#include "plan.h"
#include "kir.h"
#include "pass.h"
#include "remark.h"

#include <string.h>

struct kept { struct kx *x; struct kvar *var; };
struct hoist {
	struct kernel *kernel;
	const struct ks *loop;
	struct kir_changes changes;          /* what its body does */
	LIST(struct kept) kept;
	struct ks_list *out;                 /* what stands before the loop */
};

/* ---- which expressions ---- */

struct question { const struct hoist *h; bool varies, worth, hazard; };

static void ask_node(struct kx *x, void *state)
{
	struct question *q = state;
	enum kx_memory memory = kx_memory(x);
	q->varies |= kx_opaque(x) || (memory == MEMORY_OPEN && q->h->changes.memory)
	             || (x->kind == KX_VAR && map_get(&q->h->changes.var, x->var));
	q->worth |= memory != MEMORY_NONE || kx_costs(x);
	q->hazard |= kx_hazard(x);
}

static struct question ask(const struct hoist *h, struct kx *x)
{
	struct question q = { .h = h };
	kx_walk(x, ask_node, &q);
	return q;
}

/* ---- moving one ---- */

static bool runs(const struct ks *loop)
{
	return loop->a->kind == KX_INT && loop->b->kind == KX_INT && loop->a->i < loop->b->i;
}

static struct kx *zero(struct ktype type)
{
	if (type.type->kind == T_STRUCT)
		return x_make(type.type, 0, NULL);
	return type_class(type.type) == 'F' ? x_float(type.type->kind, 0)
	                                    : x_int(type.type->kind, 0);
}

static struct kx *guarded(const struct hoist *h, struct kx *x, bool hazard)
{
	return hazard && !runs(h->loop) ? x_cond(x_lt(h->loop->a, h->loop->b), x, zero(x->type))
	                                : x;
}

static struct kx *move(struct hoist *h, struct kx *x, bool hazard)
{
	for (int i = 0; i < h->kept.n; i++)
		if (kx_same(h->kept.at[i].x, x))
			return x_var(h->kept.at[i].var);
	k_into(h->kernel, h->out);
	struct kvar *var = k_let(h->kernel, kx_word(x), guarded(h, x, hazard));
	k_end(h->kernel);
	list_add(&h->kept, ((struct kept){ x, var }));
	return x_var(var);
}

static struct kx *hoist(struct hoist *h, struct kx *x)
{
	struct question q = ask(h, x);
	bool lazy = x->kind == KX_COND
	            || (x->kind == KX_OP && (x->op == OP_LAND || x->op == OP_LOR));
	if (!q.worth)
		return x;
	if (!q.varies && kx_keeps(x))
		return move(h, x, q.hazard);
	struct kx *made = NEW(struct kx);
	*made = *x;
	made->arg = mem_new((size_t)(x->n + 1) * sizeof *made->arg);
	for (int i = 0; i < x->n; i++)
		made->arg[i] = lazy && i > 0 ? x->arg[i] : hoist(h, x->arg[i]);
	return made;
}

/* Of what is assigned only the place is evaluated. */
static struct kx *hoist_target(struct hoist *h, struct kx *x)
{
	if (x->kind == KX_VAR || !x->n)
		return x;
	struct kx *made = NEW(struct kx);
	*made = *x;
	made->arg = mem_new((size_t)x->n * sizeof *made->arg);
	for (int i = 0; i < x->n; i++)
		made->arg[i] = i == 0 ? hoist_target(h, x->arg[i]) : hoist(h, x->arg[i]);
	return made;
}

/* ---- statements ---- */

/* A constant that does not vary leaves the loop under its own name. */
static bool leaves_whole(struct hoist *h, struct ks *s)
{
	if (s->kind != KS_DECL || s->var->kind != KV_LET || !kx_keeps(s->a))
		return false;
	struct question q = ask(h, s->a);
	if (q.varies || !q.worth)
		return false;
	s->var->value = s->a = guarded(h, s->a, q.hazard);
	memset(map_at(&h->changes.var, s->var), 0, sizeof(void *));
	list_add(h->out, s);
	return true;
}

static void hoist_statement(struct hoist *h, struct ks *s)
{
	switch (s->kind) {
	case KS_DECL:
		if (s->a)
			s->a = hoist(h, s->a);
		if (s->var->value)
			s->var->value = s->a;
		return;
	case KS_SET:
		s->a = hoist_target(h, s->a);
		s->b = hoist(h, s->b);
		return;
	case KS_IF: case KS_FOR:
		s->a = hoist(h, s->a);
		return;
	case KS_VSTORE:
		s->b = hoist(h, s->b);
		return;
	case KS_WHILE: case KS_SCOPE: case KS_DO: case KS_BARRIER: case KS_RETURN: case KS_BREAK:
	case KS_CONTINUE: case KS_NOTE: case KS_LAUNCH: case KS_CLEAR:
		return;
	}
}

static void empty_loop(struct hoist *h, struct ks *loop)
{
	struct ks_list kept = { 0 };
	bool reached = true;
	for (int i = 0; i < loop->body.n; i++) {
		struct ks *s = loop->body.at[i];
		reached = reached && !ks_leaves(s);
		if (reached && leaves_whole(h, s))
			continue;
		if (reached)
			hoist_statement(h, s);
		list_add(&kept, s);
	}
	loop->body = kept;
}

/* How many values leave loops. */
static int hoist_list(struct kernel *k, struct ks_list *list)
{
	struct ks_list made = { 0 };
	int moved = 0;
	for (int i = 0; i < list->n; i++) {
		struct ks *s = list->at[i];
		moved += hoist_list(k, &s->body) + hoist_list(k, &s->otherwise);
		if (s->kind == KS_FOR && !kx_has_effect(s->b)) {
			struct hoist h = { .kernel = k, .loop = s, .out = &made };
			struct ks *one = s;
			kir_changes(&(struct ks_list){ &one, 1, 1 }, &h.changes);
			int before = s->body.n;
			empty_loop(&h, s);
			moved += h.kept.n + before - s->body.n;
			map_free(&h.changes.var);
		}
		list_add(&made, s);
	}
	*list = made;
	return moved;
}

void pass_hoist(struct plan *plan, const struct options *o)
{
	bool on = pass_enabled(o, "hoist");
	for (int k = 0; on && k < plan->kernel.n; k++) {
		struct kernel *kernel = plan->kernel.at[k];
		int moved = hoist_list(kernel, &kernel->body);
		kircheck(kernel);
		if (moved && kernel->node)
			remark_did(kernel->node, PASS_HOIST, EFFICIENCY,
			           "%s: %d value%s computed before a loop", kernel->name, moved,
			           moved == 1 ? " is" : "s are");
	}
	remark_others(plan, PASS_HOIST,
	              on ? "no loop has loop-invariant values" : "--no-pass=hoist");
}
