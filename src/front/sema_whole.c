/* sema_whole.c - arrays of a fixed size as values: their declaration in a function, their
 * initial value, and copies of them. */
#include <string.h>

#include "sema_impl.h"

/* `spill` belongs to arrays. */
bool word_fits(const struct ast_inner *a, const struct type *type)
{
	if (!a->word || (!strcmp(a->word, "spill") && type->kind == T_ARRAY))
		return true;
	struct like like = near_begin(a->word);
	near_add(&like, "spill");
	if (strcmp(a->word, "spill"))
		diag_error(a->word_at, D_LOCAL_WORD,
		           "`%s` is not allowed after the type of a `var`", a->word);
	else
		diag_error(a->word_at, D_LOCAL_WORD,
		           "`%s` is a single %s; only arrays take `spill`", a->name,
		           type_name(type));
	if (type->kind == T_ARRAY && cure_near(&like, a->word_at))
		return false;
	diag_cure("leave it out");
	fix_leave_out(a->word_at);
	return false;
}

/* The elements of a list, as assignments that belong to the declaration. */
static bool list_assign(struct sema *s, struct inner *let, const struct ast *a, struct var *v,
                        int axis, const struct expr *elem)
{
	const struct type *type = v->type;
	bool fine = axis == type->rank
	            || list_check(a, str_print("`%s`", v->name), axis, type->extent[axis]);

	if (axis == type->rank) {
		struct inner *set = NEW(struct inner);
		set->kind = N_ASSIGN;
		set->at = a->at;
		set->target = NEW(struct expr);
		*set->target = *elem;
		set->a = expr_typed(s, a, type->elem, str_print("an element of `%s`", v->name));
		list_add(&let->body, set);
		return set->a;
	}
	for (int k = 0; fine && k < a->arg.n; k++) {
		struct expr e = *elem;
		e.arg.at = NULL;
		e.arg.n = e.arg.room = 0;
		for (int d = 0; d < axis; d++)
			list_add(&e.arg, elem->arg.at[d]);
		list_add(&e.arg, expr_int(type_scalar(T_I64), k, a->at));
		fine = list_assign(s, let, a->arg.at[k], v, axis + 1, &e);
	}
	return fine;
}

/* var a: T[n] = [...]: the elements are checked before the name is declared. */
struct inner *array_list(struct sema *s, const struct ast_inner *a, const struct type *type)
{
	struct inner *i = NEW(struct inner);
	struct expr elem = { .kind = E_ELEM, .type = type->elem, .at = a->at };

	i->kind = N_LET;
	i->at = a->at;
	i->var = elem.var = var_new(s, VAR_LOCAL, a->name, type, a->at);
	i->var->is_mutable = a->kind == I_VAR;
	bool fine = list_assign(s, i, a->value, i->var, 0, &elem);
	struct binding *b = name_declare(s, a->name, a->at);
	if (b)
		b->var = i->var;
	return fine && b ? i : NULL;
}

/* ---- by value ---- */

/* The struct whose array it is, or NULL. */
static struct expr *box_of(const struct expr *array)
{
	bool boxed = array->kind == E_FIELD && type_unboxed(array->arg.at[0]->type);

	return boxed ? array->arg.at[0] : NULL;
}

static void elements_add(struct expr *to, struct expr *array)
{
	for (int64_t k = 0; k < type_cells(array->type); k++)
		list_add(&to->arg, expr_element(array, k));
}

struct expr *array_box(struct expr *array)
{
	struct expr *e = box_of(array);

	if (e)
		return e;
	e = expr_new(E_STRUCT, type_boxed(array->type), array->at);
	elements_add(e, array);
	return e;
}

struct expr *array_unbox(struct expr *e)
{
	if (!e || !type_unboxed(e->type))
		return e;

	struct expr *array = expr_new(E_FIELD, type_unboxed(e->type), e->at);
	array->field = &e->type->record->field.at[0];
	list_add(&array->arg, e);
	return array;
}

struct expr *array_table(const struct var *v, struct loc at)
{
	int64_t extent[MAX_RANK];

	for (int k = 0; k < v->rank; k++)
		extent[k] = v->extent[k].constant;

	const struct type *type = type_array(v->type, v->rank, extent);
	struct expr *e = expr_new(E_STRUCT, type_boxed(type), at);
	for (int64_t k = 0; k < type_cells(type); k++) {
		struct expr *value = expr_new(E_CONST, v->type, at);
		value->value = v->table[k];
		list_add(&e->arg, value);
	}
	return array_unbox(e);
}

static bool list_add_values(struct sema *s, struct expr *e, const struct ast *a,
                            const struct type *type, const char *what, int axis)
{
	bool fine = axis == type->rank || list_check(a, what, axis, type->extent[axis]);

	if (axis == type->rank) {
		struct expr *value = expr_typed(s, a, type->elem, what);
		if (value)
			list_add(&e->arg, value);
		return value;
	}
	for (int k = 0; fine && k < a->arg.n; k++)
		fine = list_add_values(s, e, a->arg.at[k], type, what, axis + 1);
	return fine;
}

bool array_add(struct sema *s, struct expr *e, const struct ast *a, const struct type *type,
               const char *what)
{
	if (a->kind == A_LIST)
		return list_add_values(s, e, a, type, what, 0);

	struct expr *array = array_typed(s, a, type, what);
	if (array)
		elements_add(e, array);
	return array;
}

struct expr *array_typed(struct sema *s, const struct ast *a, const struct type *type,
                         const char *what)
{
	if (a->kind == A_GROUP && a->arg.n == 1)
		return array_typed(s, a->arg.at[0], type, what);
	if (a->kind == A_COND) {
		struct expr *c = expr_bool(s, a->arg.at[0], "the condition");
		struct expr *x = array_typed(s, a->arg.at[1], type, what);
		return make_cond(c, x, array_typed(s, a->arg.at[2], type, what), a->at);
	}
	if (a->kind != A_LIST)
		return expr_convert(expr_check(s, a), type, what);

	struct expr *e = expr_new(E_STRUCT, type_boxed(type), a->at);
	return array_add(s, e, a, type, what) ? array_unbox(e) : NULL;
}

/* ---- which variables are such structs: those that a function takes or gives, or ?: or == ---- */

static bool names(const struct ast *a, const char *name)
{
	while (a->kind == A_GROUP && a->arg.n == 1)
		a = a->arg.at[0];
	return a->kind == A_NAME && a->name == name;
}

static bool calls_function(struct sema *s, const struct ast *a)
{
	const struct callable *c = a->kind == A_CALL ? callable_find(s, a->name) : NULL;

	return c && c->decl->kind != DECL_STRUCT;
}

static bool passes(struct sema *s, const struct ast *a, const char *name)
{
	bool equal = a->kind == A_BINARY && (!strcmp(a->name, "==") || !strcmp(a->name, "!="));
	bool takes = equal || a->kind == A_COND || calls_function(s, a);

	for (int k = 0; k < a->arg.n; k++)
		if ((takes && names(a->arg.at[k], name)) || passes(s, a->arg.at[k], name))
			return true;
	for (int k = 0; k < a->sub.n; k++)
		if (passes(s, a->sub.at[k]->lo, name))
			return true;
	return false;
}

static bool list_passes(struct sema *s, struct ast_inner *const *at, int n, const char *name)
{
	for (int k = 0; k < n; k++) {
		const struct ast *v = at[k]->value;
		bool given = v && (v->kind == A_COND || calls_function(s, v));
		if ((v && passes(s, v, name)) || (at[k]->kind == I_RETURN && names(v, name))
		    || (given && at[k]->target && names(at[k]->target, name))
		    || list_passes(s, at[k]->body.at, at[k]->body.n, name)
		    || list_passes(s, at[k]->otherwise.at, at[k]->otherwise.n, name))
			return true;
	}
	return false;
}

static bool is_passed(struct sema *s, const char *name)
{
	const struct ast_decl *d = s->inside->decl;

	return list_passes(s, d->block.at, d->block.n, name);
}

const struct type *array_local(struct sema *s, const struct ast_inner *a, const struct type *type)
{
	bool boxed = type && type->kind == T_ARRAY && !a->word && is_passed(s, a->name);

	return boxed ? type_boxed(type) : type;
}

struct expr *array_begin(struct sema *s, const struct ast_inner *a, struct expr *e)
{
	if (!e || e->type->kind != T_ARRAY)
		return e;
	return box_of(e) || is_passed(s, a->name) ? array_box(e) : e;
}

void array_assign(struct inner *i)
{
	struct expr *to = i->target->type->kind == T_ARRAY ? box_of(i->target) : NULL;
	struct expr *from = to ? box_of(i->a) : NULL;

	if (!from)
		return;
	i->target = to;
	i->a = from;
}
