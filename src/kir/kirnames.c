/* kirnames.c - the names that variables are printed with.
 *
 * While a kernel is built its names are unique, since nobody knows yet which bodies will be open
 * where a variable is declared.  When it is complete, each variable gets its wanted name, with a
 * number only where a variable of that name is visible: a name is free again after the body that
 * declares it.  No declaration hides another, as -Wshadow requires.  Variables are named in the
 * order of their declarations, so the text depends on nothing else.
 *
 * In kernels of a GPU, where a body is unrolled by its lowering, the same few names come again and
 * again in one body: a constant whose name and type an earlier one has that nothing reads any more
 * is an assignment to that one. */
#include "kir.h"

/* ---- scopes that are not needed ---- */

static bool wants(const struct ks_list *list, const char *name)
{
	for (int i = 0; i < list->n; i++) {
		const struct ks *s = list->at[i];
		if ((s->var && s->var->wanted == name) || wants(&s->body, name)
		    || wants(&s->otherwise, name))
			return true;
	}
	return false;
}

static bool declares(const struct ks_list *list, const char *name)
{
	for (int i = 0; i < list->n; i++)
		if (list->at[i]->kind == KS_DECL && list->at[i]->var->wanted == name)
			return true;
	return false;
}

/* Nothing before the scope in its body has a name that it declares, and nothing after it gets one.
 * */
static bool is_loose(const struct ks *scope, const struct ks_list *before,
                     const struct ks_list *after)
{
	for (int i = 0; i < scope->body.n; i++) {
		const struct ks *s = scope->body.at[i];
		const char *name = s->kind == KS_DECL ? s->var->wanted : NULL;
		if (name && (declares(before, name) || wants(after, name)))
			return false;
	}
	return true;
}

static void open_scopes(struct ks_list *list)
{
	struct ks_list kept = { 0 };
	for (int i = 0; i < list->n; i++) {
		struct ks *s = list->at[i];
		open_scopes(&s->body);
		open_scopes(&s->otherwise);
		const struct ks_list after = { list->at + i + 1, list->n - i - 1, 0 };
		if (s->kind != KS_SCOPE || !is_loose(s, &kept, &after)) {
			list_add(&kept, s);
			continue;
		}
		for (int b = 0; b < s->body.n; b++)
			list_add(&kept, s->body.at[b]);
	}
	*list = kept;
}

/* ---- names that are assigned again ---- */

struct search { const struct kvar *var; bool found; };

static void find_use(struct kx *x, void *search)
{
	struct search *s = search;
	kx_use_same(x, NULL);
	s->found |= x->kind == KX_VAR && x->var == s->var;
}

/* In the statements of the list from `first` on. */
static bool is_used(const struct ks_list *list, int first, const struct kvar *v)
{
	struct search s = { .var = v };
	ks_walk(&(struct ks_list){ list->at + first, list->n - first, 0 }, find_use, &s);
	return s.found;
}

static bool is_plain(const struct ks *s)
{
	const struct kvar *v = s->var;
	bool plain = s->kind == KS_DECL && (v->kind == KV_LET || v->kind == KV_VAR);
	return plain && !v->type.pointer && !v->count;
}

/* The variable of that name and type, declared before in the body, that nothing reads any more. */
static struct kvar *free_before(const struct ks_list *list, int at)
{
	const struct kvar *v = list->at[at]->var;
	for (int i = at - 1; i >= 0; i--) {
		struct ks *s = list->at[i];
		bool matches = is_plain(s) && s->var->wanted == v->wanted
		             && kt_equal(s->var->type, v->type);
		if (matches && !is_used(list, at + 1, s->var))
			return s->var;
	}
	return NULL;
}

static void become_assignment(struct ks *s, struct kvar *v)
{
	s->var->same = v;
	v->kind = KV_VAR;
	s->kind = KS_SET;
	s->var = NULL;
	s->b = s->a;
	s->a = x_var(v);
}

static void assign_again(struct ks_list *list)
{
	for (int i = 0; i < list->n; i++) {
		struct ks *s = list->at[i];
		struct kvar *before = is_plain(s) && s->a ? free_before(list, i) : NULL;
		if (before)
			become_assignment(s, before);
		assign_again(&s->body);
		assign_again(&s->otherwise);
	}
}

/* A copy of what is read no more is that itself. */
static void drop_copies(struct ks_list *list)
{
	int kept = 0;
	for (int i = 0; i < list->n; i++) {
		struct ks *s = list->at[i];
		drop_copies(&s->body);
		drop_copies(&s->otherwise);
		if (s->kind != KS_SET || s->a->kind != KX_VAR || !kx_same(s->a, s->b))
			list->at[kept++] = s;
	}
	list->n = kept;
}

static void name_again(struct kernel *k)
{
	assign_again(&k->body);
	ks_walk(&k->body, kx_use_same, NULL);
	drop_copies(&k->body);
}

/* ---- names ---- */

struct naming { struct map visible; LIST(const char *) open; struct map used; };

static void show(struct naming *n, const char *name)
{
	*map_at(&n->visible, name) = n;
	*map_at(&n->used, name) = n;
	list_add(&n->open, name);
}

static void hide(struct naming *n, int mark)
{
	while (n->open.n > mark)
		*map_at(&n->visible, n->open.at[--n->open.n]) = NULL;
}

static void declare(struct naming *n, struct kvar *v)
{
	v->name = v->wanted;
	for (int i = 2; map_get(&n->visible, v->name); i++)
		v->name = str_name(str_print("%s_%d", v->wanted, i));
	show(n, v->name);
}

static bool is_outer(const struct kvar *v)
{
	return v->kind == KV_PARAM || v->is_given || v->is_wide;
}

static void name_body(struct naming *n, const struct ks_list *list)
{
	int mark = n->open.n;
	for (int i = 0; i < list->n; i++) {
		const struct ks *s = list->at[i];
		int loop = n->open.n;
		if (s->var && !is_outer(s->var))
			declare(n, s->var);
		name_body(n, &s->body);
		name_body(n, &s->otherwise);
		if (s->kind == KS_FOR)
			hide(n, loop);
	}
	hide(n, mark);
}

void kirnames(struct kernel *k)
{
	struct naming n = { 0 };
	open_scopes(&k->body);
	if (k->block[0])
		name_again(k);
	show(&n, k->name);
	for (int i = 0; i < k->var.n; i++)
		if (is_outer(k->var.at[i]))
			declare(&n, k->var.at[i]);
	name_body(&n, &k->body);
	map_free(&n.visible);
	map_free(&k->taken);
	k->taken = n.used;
}
