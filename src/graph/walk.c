/* walk.c - a function as the passes of its loop.
 *
 * Note [passes].  A function that is one loop, and what comes before and after it:
 *
 *	fn find(node: Node[k], key: i32) -> i32 {
 *		var at: i32 = 0;
 *		while node[at].key != key at most k { at = node[at].next; }
 *		return at;
 *	}
 *
 * can be called pass by pass.  `start` computes what is before the loop, `pass` one pass; both give
 * the state, a struct of the parameters that are values, the variables from before the loop, and
 * what has come of the call.  They end with the loop's condition: where it does not hold they
 * compute what is after the loop, so that the state has the result once no pass is to be made.
 * lower_walk.c makes their texts. */
#include "walk.h"

static const char *no_loop(const struct walk *w)
{
	return str_print("`%s` has no loop `while ... at most` outside of other statements, "
	                 "or several", w->fn->name);
}

static const char *find_loop(struct walk *w)
{
	int loops = 0;
	for (int k = 0; k < w->fn->body.n; k++) {
		const struct inner *s = w->fn->body.at[k];
		if (s->kind != N_WHILE)
			continue;
		loops++;
		w->loop = s;
		w->at = k;
	}
	return loops == 1 && w->loop->b ? NULL : no_loop(w);
}

static const char *find_kept(struct walk *w)
{
	for (int k = 0; k < w->fn->param.n; k++)
		if (!w->fn->param.at[k]->rank)
			list_add(&w->kept, w->fn->param.at[k]);
	for (int k = 0; k < w->at; k++)
		if (w->fn->body.at[k]->kind == N_LET)
			list_add(&w->kept, w->fn->body.at[k]->var);
	for (int k = 0; k < w->kept.n; k++)
		if (w->kept.at[k]->type->kind == T_ARRAY)
			return str_print("`%s` of `%s` is an array, which belongs to a thread",
			                 w->kept.at[k]->name, w->fn->name);
	return w->fn->type->kind == T_ARRAY ? str_print("`%s` returns an array", w->fn->name)
	                                    : NULL;
}

/* ---- the cursor: the first i32 in the condition that passes may change ---- */

static bool no_cursor(struct expr *e, void *walk)
{
	struct walk *w = walk;
	if (e->kind != E_VAR || !e->var->is_mutable || e->type != type_scalar(T_I32))
		return true;
	w->cursor = e->var;
	return false;
}

/* ---- the state ---- */

static bool is_taken(const struct field *field, int n, const char *name)
{
	for (int k = 0; k < n; k++)
		if (field[k].name == name)
			return true;
	return false;
}

static void add_field(struct field *field, int *n, const char *plain, const struct type *type)
{
	const char *name = str_name(plain);
	for (int k = 2; is_taken(field, *n, name); k++)
		name = str_name(str_print("%s_%d", plain, k));
	field[(*n)++] = (struct field){ .name = name, .type = type };
}

enum { OUTCOME = 5 };

static void make_state(struct walk *w)
{
	struct field *field = mem_new((size_t)(w->kept.n + OUTCOME) * sizeof *field);
	const struct type *count = type_scalar(T_I64);
	int n = 0;
	for (int k = 0; k < w->kept.n; k++)
		add_field(field, &n, w->kept.at[k]->name, w->kept.at[k]->type);
	add_field(field, &n, "passes", count);
	add_field(field, &n, "most", count);
	add_field(field, &n, "wrong", type_scalar(T_I32));
	add_field(field, &n, "goes_on", type_scalar(T_BOOL));
	add_field(field, &n, "value", w->fn->type);
	w->state = type_made(str_print("patc_walk_%s", w->fn->name), n, field);
	const struct field *outcome = &w->state->record->field.at[w->kept.n];
	w->passes = outcome;
	w->most = outcome + 1;
	w->wrong = outcome + 2;
	w->goes_on = outcome + 3;
	w->value = outcome + 4;
}

/* ---- the functions ---- */

static struct fn *part_of(const struct walk *w, enum walk_part part, const char *name)
{
	struct fn *made = NEW(struct fn);
	made->name = str_name(str_print("patc_%s_%s", w->fn->name, name));
	made->at = w->fn->at;
	made->type = w->state;
	made->walk = w;
	made->part = part;
	made->size = w->fn->size;
	made->uneven = part == WALK_PASS;
	return made;
}

static void make_parts(struct walk *w)
{
	struct fn *start = part_of(w, WALK_START, "start"), *pass = part_of(w, WALK_PASS, "pass");
	struct var *state = NEW(struct var);
	state->kind = VAR_LOCAL;
	state->name = str_name("before");
	state->type = w->state;
	start->param = w->fn->param;
	list_add(&pass->param, state);
	for (int k = 0; k < w->fn->param.n; k++)
		if (w->fn->param.at[k]->rank)
			list_add(&pass->param, w->fn->param.at[k]);
	w->start = start;
	w->pass = pass;
}

const struct walk *walk_of(const struct fn *fn, const char **why)
{
	if (fn->walk)
		return fn->walk;
	struct walk *w = NEW(struct walk);
	w->fn = fn;
	*why = find_loop(w);
	if (!*why)
		*why = find_kept(w);
	if (*why)
		return NULL;
	expr_walk(w->loop->a, no_cursor, w);
	make_state(w);
	make_parts(w);
	((struct fn *)fn)->walk = w;
	return w;
}
