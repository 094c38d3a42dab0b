/* kircopy.c - copies statements of a kernel into another kernel, or to another place. */
#include "kircopy.h"

struct kx *kir_copy_x(struct kir_copy *c, struct kx *x)
{
	if (!x)
		return NULL;
	kx_use_same(x, NULL);
	struct kx *made = NEW(struct kx);
	*made = *x;
	if (x->var) {
		struct kvar *known = map_get(&c->var, x->var);
		made->var = known ? known : c->outer(c, x->var);
	}
	made->arg = mem_new((size_t)(x->n + 1) * sizeof *made->arg);
	for (int i = 0; i < x->n; i++)
		made->arg[i] = kir_copy_x(c, x->arg[i]);
	return made;
}

static void copy_decl(struct kir_copy *c, const struct ks *s)
{
	struct kx *value = kir_copy_x(c, s->a);
	struct kvar *made = s->var->kind == KV_LET ? k_let(c->to, s->var->wanted, value)
	                    : k_var(c->to, s->var->type, s->var->wanted, value);
	*map_at(&c->var, s->var) = made;
}

static void copy_if(struct kir_copy *c, const struct ks *s)
{
	k_if(c->to, kir_copy_x(c, s->a));
	kir_copy_list(c, &s->body);
	if (s->otherwise.n) {
		k_else(c->to);
		kir_copy_list(c, &s->otherwise);
	}
	k_end(c->to);
}

static void copy_for(struct kir_copy *c, const struct ks *s)
{
	struct kvar *made = k_for(c->to, s->var->wanted, kir_copy_x(c, s->a),
	                          kir_copy_x(c, s->b), kir_copy_x(c, s->c), s->flags);
	*map_at(&c->var, s->var) = made;
	if (c->begin)
		c->begin(c, s);
	kir_copy_list(c, &s->body);
	if (c->end)
		c->end(c, s);
	k_end(c->to);
}

static void copy_statement(struct kir_copy *c, const struct ks *s)
{
	c->to->at = s->at;
	switch (s->kind) {
	case KS_DECL: copy_decl(c, s); break;
	case KS_SET: k_set(c->to, kir_copy_x(c, s->a), kir_copy_x(c, s->b)); break;
	case KS_IF: copy_if(c, s); break;
	case KS_FOR: copy_for(c, s); break;
	case KS_WHILE:
		k_while(c->to, kir_copy_x(c, s->a));
		kir_copy_list(c, &s->body);
		k_end(c->to);
		break;
	case KS_SCOPE:
		k_scope(c->to);
		kir_copy_list(c, &s->body);
		k_end(c->to);
		break;
	case KS_DO: k_do(c->to, kir_copy_x(c, s->a)); break;
	case KS_VSTORE:
		k_vstore_at(c->to, kir_copy_x(c, s->a), kir_copy_x(c, s->c), kir_copy_x(c, s->b));
		break;
	case KS_BARRIER: k_barrier(c->to); break;
	case KS_RETURN: k_return(c->to, kir_copy_x(c, s->a)); break;
	case KS_BREAK: k_break(c->to); break;
	case KS_CONTINUE: k_continue(c->to); break;
	case KS_NOTE: k_note(c->to, "%s", s->text); break;
	case KS_LAUNCH: case KS_CLEAR: c->command(c, s); break;
	}
}

void kir_copy_list(struct kir_copy *c, const struct ks_list *list)
{
	for (int i = 0; i < list->n; i++)
		copy_statement(c, list->at[i]);
}
