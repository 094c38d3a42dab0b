/* sema_whole.c - arrays of a fixed size as a whole: what a declaration in a function says of one,
 * what it begins with, and what is copied. */
#include <string.h>

#include "sema_impl.h"

/* `spill` belongs to arrays. */
bool word_fits(const struct ast_inner *a, const struct type *type)
{
	if (!a->word || (!strcmp(a->word, "spill") && type->kind == T_ARRAY))
		return true;
	if (strcmp(a->word, "spill"))
		diag_error(a->word_at, D_LOCAL_WORD, "`%s` means nothing after the type of a `var`",
		           a->word);
	else
		diag_error(a->word_at, D_LOCAL_WORD,
		           "`%s` is a single %s; only arrays take `spill`", a->name,
		           type_name(type));
	return false;
}

bool array_value(const struct expr *e)
{
	if (e->kind == E_VAR || e->kind == E_FIELD)
		return true;
	diag_error(e->at, D_FORM_NOT_BUILT, "an array is copied from a variable or a field");
	diag_cure("choose with `if`, or copy element by element");
	return false;
}

/* The elements of a list, as assignments that belong to the declaration. */
static bool list_assign(struct sema *s, struct inner *let, const struct ast *a, struct var *v,
                        int axis, const struct expr *elem)
{
	const struct type *type = v->type;
	bool fine = axis == type->rank || list_check(a, v->name, axis, type->extent[axis]);

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

/* Can the elements of it be read one by one? */
static bool is_path(const struct expr *e)
{
	while (e->kind == E_FIELD || (e->kind == E_ELEM && !e->var))
		e = e->arg.at[0];
	return e->kind == E_VAR || e->kind == E_READ || e->kind == E_ELEM;
}

/* Element `cell` of an array, counted along its rows. */
static struct expr *element_of(struct expr *array, int64_t cell)
{
	const struct type *type = array->type;
	struct expr *e = expr_new(E_ELEM, type->elem, array->at);
	int64_t sub[MAX_RANK];

	if (array->kind == E_VAR)
		e->var = array->var;
	else
		list_add(&e->arg, array);
	e->affine = mem_new((size_t)type->rank * sizeof *e->affine);
	for (int k = type->rank - 1; k >= 0; cell /= type->extent[k--])
		sub[k] = cell % type->extent[k];
	for (int k = 0; k < type->rank; k++) {
		list_add(&e->arg, expr_int(type_scalar(T_I64), sub[k], array->at));
		e->affine[k] = (struct affine){ .constant = sub[k] };
	}
	return e;
}

/* A field that is an array, from another one of its type. */
bool array_add(struct sema *s, struct expr *e, const struct ast *a, const struct field *field)
{
	struct expr *array = expr_typed(s, a, field->type, str_print("field `%s`", field->name));

	if (!array)
		return false;
	if (!is_path(array)) {
		diag_error(a->at, D_FORM_NOT_BUILT,
		           "an array is copied from a variable, a cell or a field of one");
		diag_cure("name the value by `let` first");
		return false;
	}
	for (int64_t k = 0; k < type_cells(field->type); k++)
		list_add(&e->arg, element_of(array, k));
	return true;
}
