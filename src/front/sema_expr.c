/* sema_expr.c - expressions: names, reads, fields, calls, operators.
 *
 * Two spaces of names (R15): a name alone, with a subscript or a field is a variable; a name with
 * `(` or `[...](` is a function, operator, fold, type or struct. */
#include <assert.h>
#include <math.h>
#include <limits.h>
#include <string.h>

#include "sema_impl.h"

const struct math_row *math_find(const char *name)
{
	for (int k = 0; k < MATH_COUNT; k++)
		if (!strcmp(math_table[k].name, name))
			return &math_table[k];
	return NULL;
}

bool names_builtin(const char *name)
{
	return is_fold_name(name) || is_search(name) || math_find(name) || type_named(name);
}

/* A short form of an expression for messages: `x[...]`, `f(...)`, or its name. */
const char *ast_text(const struct ast *a)
{
	switch (a->kind) {
	case A_SUBSCRIPT: return str_print("%s[...]", a->name);
	case A_FOLD: return str_print("%s[...](...)", a->name);
	case A_CALL: return str_print("%s(...)", a->name);
	case A_FIELD: return str_print("%s.%s", ast_text(a->arg.at[0]), a->name);
	case A_LIST: return "[...]";
	case A_GROUP: return "(...)";
	case A_COND: return "... ? ... : ...";
	case A_UNARY: case A_BINARY: return str_print("an expression with `%s`", a->name);
	case A_NAME: case A_NUMBER: case A_LITERAL: case A_STRING: case A_WORD: return a->name;
	}
	assert(false && "every kind has a text");
	return "";
}

/* ---- names ---- */

static struct expr *unknown_name(struct sema *s, const struct ast *a)
{
	if (callable_find(s, a->name) || names_builtin(a->name)) {
		diag_error(a->at, D_UNKNOWN_NAME,
		           "`%s` is a function and must be called, `%s(...)`", a->name, a->name);
		return NULL;
	}
	diag_error(a->at, D_UNKNOWN_NAME, "no variable `%s` here", a->name);
	if (s->entry && s->subscripts && !is_foreign(a->name, false)
	    && !name_like(s, a->name, false).name)
		diag_cure("an index is declared by a subscript on the left, by `for %s in "
		          "0..n`, or in the brackets of a fold, `sum[%s](...)`",
		          a->name, a->name);
	else
		suggest(s, a, false);
	return NULL;
}

static struct binding *variable_find(struct sema *s, const struct ast *a)
{
	struct binding *b = name_find(s, a->name);

	if (!b)
		return unknown_name(s, a), NULL;
	if (b->decl && !b->var)
		constant_resolve(s, b);
	return b->var ? b : NULL;
}

void out_unwritten(struct loc at, const struct var *var, bool own)
{
	diag_error(at, D_OUT_READ,
	           own ? "`%s` is `out`, and this reads cells that the statement itself writes"
	               : "`%s` is `out`, and is read here before it is written",
	           var->name);
	if (own) {
		for (int k = 0; patterns[k]; k++)
			if (patterns[k]->recurs)
				sema_instead(patterns[k]->name);
		sema_cure("write `wavefront` if this is the new value of another cell, or declare "
		          "`inout %s` if the caller passes its values",
		          var->name);
	} else {
		diag_cure("declare `inout %s` if the caller passes its values", var->name);
		fix_word_before(var->at, "out", "inout");
	}
}

/* R22: an out parameter shows nothing before a statement has written it. */
static bool shows(const struct binding *b)
{
	return b->var->kind != VAR_PARAM || b->var->mode != MODE_OUT || b->written;
}

bool readable(const struct binding *b, const struct ast *a)
{
	if (!shows(b))
		out_unwritten(a->at, b->var, b->target);
	return shows(b);
}

static struct expr *check_name(struct sema *s, const struct ast *a)
{
	struct binding *b = variable_find(s, a);
	struct expr *e;

	if (!b || !readable(b, a))
		return NULL;
	if (b->given)
		return call_argument(b->given, a->at);
	if (b->var->kind == VAR_CONST && b->var->table)
		return array_table(b->var, a->at);
	if (b->var->rank) {
		diag_error(a->at, D_SUBSCRIPT,
		           "`%s` is an array; an expression needs one of its cells", a->name);
		diag_cure("give it %d subscript%s", b->var->rank, b->var->rank > 1 ? "s" : "");
		return NULL;
	}
	if (b->var->kind != VAR_CONST)
		return array_unbox(expr_var(b->var, a->at));
	if (!b->var->value)
		return NULL;
	e = expr_new(E_CONST, b->var->type, a->at);
	e->value = b->var->value->value;
	return e;
}

/* Any integer type serves as a subscript; it becomes i64. */
struct expr *expr_index(struct sema *s, const struct ast *a)
{
	const struct type *i64 = type_scalar(T_I64);
	struct expr *e;

	s->subscripts++;
	e = expr_check(s, a);
	s->subscripts--;
	if (!e)
		return NULL;
	if (is_literal(e->type))
		return expr_convert(e, i64, "a subscript");
	if (type_class(e->type) != 'I' && type_class(e->type) != 'U') {
		diag_error(e->at, D_SUBSCRIPT_TYPE, "an index must be an integer, but this is %s",
		           type_name(natural(e)));
		if (type_class(e->type) == 'F') {
			diag_cure("choose the rounding: `i64(floor(...))`");
			fix_wrap(e->at, "i64(floor(", "))");
		}
		return NULL;
	}
	return expr_cast(e, i64);
}

static bool subscript_form(const struct ast *a)
{
	for (int k = 0; k < a->sub.n; k++)
		if (a->sub.at[k]->hi) {
			diag_error(a->sub.at[k]->at, D_SUBSCRIPT,
			           "a range cannot be a subscript of `%s`", a->name);
			diag_cure("ranges are allowed in folds, `sum[k in 0..n](...)`, and after "
			          "`for`");
			return false;
		}
	if (a->guard) {
		diag_error(a->guard->at, D_SUBSCRIPT, "`where` is not allowed in a subscript");
		diag_cure("use it in a fold, or as the clause of the statement");
		return false;
	}
	return true;
}

/* `a` is f32[n, m]: its cells are `a[i, ...]` */
static void cure_subscripts(const struct var *v, const struct ast *a)
{
	const char *given = "";

	diag_note(v->at, "`%s` is declared here", a->name);
	for (int k = 0; k < a->sub.n && k < v->rank; k++) {
		const struct ast *sub = a->sub.at[k]->lo;
		bool shown = sub->kind != A_UNARY && sub->kind != A_BINARY;
		given = str_print("%s%s%s", given, k ? ", " : "", shown ? ast_text(sub) : "...");
	}
	if (v->rank && v->kind != VAR_CONST && v->kind != VAR_LOCAL)
		diag_cure("`%s` is %s: a cell of it is `%s[%s%s]`", a->name,
		          axes_text(v->type, v->rank, v->extent), a->name, given,
		          a->sub.n < v->rank ? ", ..." : "");
}

/* Appends the subscripts of a to e and notes their affine forms. */
static bool add_subscripts(struct sema *s, struct expr *e, const struct ast *a, int rank)
{
	bool fine = subscript_form(a);

	if (fine && a->sub.n != rank) {
		diag_error(a->at, D_SUBSCRIPT, "`%s` has %d ax%s, but %d subscript%s here", a->name,
		           rank, rank == 1 ? "is" : "es", a->sub.n, a->sub.n == 1 ? "" : "s");
		if (e->var)
			cure_subscripts(e->var, a);
		return false;
	}
	e->affine = mem_new((size_t)(rank ? rank : 1) * sizeof *e->affine);
	for (int k = 0; fine && k < rank; k++) {
		struct expr *sub = expr_index(s, a->sub.at[k]->lo);
		if (!sub)
			return false;
		if (!affine_of(sub, &e->affine[k]))
			e->affine[k].n = -1;
		list_add(&e->arg, sub);
	}
	return fine;
}

static struct expr *check_table(struct sema *s, struct var *v, const struct ast *a)
{
	struct expr *e = expr_new(E_ELEM, v->type, a->at);

	e->var = v;
	return add_subscripts(s, e, a, v->rank) ? e : NULL;
}

/* An index of an array in registers is constant once loops are unrolled (sema_array.c), of another
 * one it is tested if nothing keeps it inside. */
static struct expr *check_local(struct sema *s, struct var *v, const struct ast *a)
{
	struct expr *e = expr_new(E_ELEM, v->type->elem, a->at);

	e->var = v;
	if (!add_subscripts(s, e, a, v->type->rank))
		return NULL;
	for (int k = 0; v->spills && k < v->type->rank; k++)
		e->checked |= !elem_in_range(e->arg.at[k], v->type->extent[k]);
	return e;
}

static struct expr *check_boxed(struct sema *s, struct var *v, const struct ast *a)
{
	struct expr *e = expr_new(E_ELEM, type_unboxed(v->type)->elem, a->at);

	list_add(&e->arg, array_unbox(expr_var(v, a->at)));
	return add_subscripts(s, e, a, type_unboxed(v->type)->rank) ? e : NULL;
}

static struct expr *check_subscript(struct sema *s, const struct ast *a)
{
	struct binding *b = variable_find(s, a);
	struct expr *e;

	if (!b || ((!b->var->rank || !s->repeat) && !readable(b, a)))
		return NULL;
	if (b->var->kind == VAR_LOCAL && b->var->type->kind == T_ARRAY)
		return check_local(s, b->var, a);
	if (type_unboxed(b->var->type))
		return check_boxed(s, b->var, a);
	if (!b->var->rank) {
		diag_error(a->at, D_SUBSCRIPT, "`%s` is a single %s, not an array", a->name,
		           type_name(b->var->type));
		if (a->sub.n == 1 && a->sub.at[0]->lo->kind == A_NUMBER
		    && !strcmp(a->sub.at[0]->lo->name, "0")) {
			diag_cure("write its name alone");
			diag_fix(a->at, a->name);
		}
		return NULL;
	}
	if (b->var->kind == VAR_CONST)
		return check_table(s, b->var, a);
	e = expr_new(E_READ, b->var->type, a->at);
	e->var = b->var;
	if (!add_subscripts(s, e, a, b->var->rank))
		return NULL;
	if (s->inside && !read_possible(e))
		return NULL;
	e->checked = s->inside && !read_inside(e);
	return shows(b) || earlier_presume(s, e, b->target) || readable(b, a) ? e : NULL;
}

struct expr *search_cell(struct sema *s, const struct ast *name, struct var *index)
{
	struct binding *b = variable_find(s, name);
	struct expr *e;

	if (!b || !readable(b, name))
		return NULL;
	if (b->var->rank != 1) {
		diag_error(name->at, D_SUBSCRIPT,
		           b->var->rank ? "`%s` is an array of %d axes; `search` needs one axis"
		                        : "`%s` is a single value; `search` needs an array",
		           name->name, b->var->rank);
		return NULL;
	}
	e = expr_new(b->var->kind == VAR_CONST ? E_ELEM : E_READ, b->var->type, name->at);
	e->var = b->var;
	list_add(&e->arg, expr_var(index, name->at));
	e->affine = NEW(struct affine);
	*e->affine = affine_var(index);
	return e;
}

/* ---- fields; i32.min ---- */

static struct expr *check_extreme(const struct ast *a, const struct type *type)
{
	int bits = (int)type_size(type) * 8;
	bool top = !strcmp(a->name, "max");

	if (type_class(type) != 'I' && type_class(type) != 'U') {
		diag_error(a->at, D_NO_FIELD, "only integer types have `.min` and `.max`");
		if (type_class(type) == 'F')
			diag_cure("for floats, use `-inf` and `inf`");
		return NULL;
	}
	if (!top && strcmp(a->name, "min")) {
		diag_error(a->at, D_NO_FIELD, "`%s` has no `%s`, only `min` and `max`",
		           type_name(type), a->name);
		if (!strcmp(a->name, "MAX") || !strcmp(a->name, "MIN")) {
			struct loc name = a->at;
			name.col = name.end - (int)strlen(a->name);
			diag_cure("write it in lower case:");
			diag_fix(name, *(a->name + 1) == 'A' ? "max" : "min");
		}
		return NULL;
	}
	if (type_class(type) == 'U')
		return expr_int(type, top ? (int64_t)(UINT64_MAX >> (64 - bits)) : 0, a->at);
	return expr_int(type, top ? INT64_MAX >> (64 - bits) : INT64_MIN >> (64 - bits), a->at);
}

const struct field *field_find(const struct record *record, const char *name)
{
	for (int k = 0; k < record->field.n; k++)
		if (record->field.at[k].name == name)
			return &record->field.at[k];
	return NULL;
}

static struct expr *no_field(const struct ast *a, const struct type *type)
{
	struct like like = near_begin(a->name);
	struct loc name = a->at;

	diag_error(a->at, D_NO_FIELD, "%s has no field `%s`", type_name(type), a->name);
	for (int k = 0; type_class(type) == 'S' && k < type->record->field.n; k++)
		near_add(&like, type->record->field.at[k].name);
	name.col = name.end - (int)strlen(a->name);
	if (a->sub.n)
		name.end = INT_MAX;          /* its subscripts follow: no fix */
	if (!cure_near(&like, name) && type_class(type) == 'S' && type->record->field.n)
		diag_cure("its first field is `%s`", type->record->field.at[0].name);
	return NULL;
}

static struct expr *check_element(struct sema *s, struct expr *field, const struct ast *a)
{
	const struct type *type = field->type;
	struct expr *e;

	if (type->kind != T_ARRAY) {
		diag_error(a->at, D_SUBSCRIPT, "field `%s` is a single %s, not an array", a->name,
		           type_name(type));
		return NULL;
	}
	e = expr_new(E_ELEM, type->elem, a->at);
	list_add(&e->arg, field);
	return add_subscripts(s, e, a, type->rank) ? e : NULL;
}

static struct expr *check_field(struct sema *s, const struct ast *a)
{
	const struct ast *from = a->arg.at[0];
	struct expr *record, *e;
	const struct field *field;

	if (from->kind == A_NAME && !name_find(s, from->name) && type_named(from->name)
	    && !a->sub.n)
		return check_extreme(a, type_named(from->name));
	record = expr_check(s, from);
	if (!record)
		return NULL;
	if (type_class(record->type) != 'S' || !(field = field_find(record->type->record, a->name)))
		return no_field(a, record->type);
	e = expr_new(E_FIELD, field->type, a->at);
	e->field = field;
	list_add(&e->arg, record);
	return a->sub.n || a->guard ? check_element(s, e, a) : e;
}

/* ---- calls ---- */

bool arguments(const struct ast *a, int wanted)
{
	if (a->arg.n == wanted)
		return true;
	diag_error(a->at, D_ARGUMENTS, "`%s` takes %d argument%s, but there %s %d", a->name, wanted,
	           wanted == 1 ? "" : "s", a->arg.n == 1 ? "is" : "are", a->arg.n);
	return false;
}

/* What the field starts with: a value, for an array a list as deep as it has axes, or an array. */
static bool add_values(struct sema *s, struct expr *e, const struct ast *a,
                       const struct field *field)
{
	const char *what = str_print("field `%s`", field->name);

	if (field->type->kind == T_ARRAY)
		return array_add(s, e, a, field->type, what);

	struct expr *value = expr_typed(s, a, field->type, what);
	if (value)
		list_add(&e->arg, value);
	return value;
}

static struct expr *check_construct(struct sema *s, const struct record *record,
                                    const struct ast *a)
{
	struct expr *e = expr_new(E_STRUCT, type_struct(record), a->at);
	bool fine = arguments(a, record->field.n);

	for (int k = 0; fine && k < record->field.n; k++)
		fine = add_values(s, e, a->arg.at[k], &record->field.at[k]);
	return fine ? e : NULL;
}

static struct expr *check_function(struct sema *s, struct callable *c, const struct ast *a)
{
	struct expr *e;
	bool fine;

	if (!c->fn || !c->fn->type)          /* its declaration was diagnosed */
		return NULL;
	e = expr_new(E_CALL, c->fn->type, a->at);
	e->fn = c->fn;
	if (s->inside)
		list_add(&s->inside->callee, c);
	fine = arguments(a, c->fn->param.n);
	for (int k = 0; fine && k < a->arg.n; k++) {
		const struct var *p = c->fn->param.at[k];
		const char *what = str_print("parameter `%s` of `%s`", p->name, a->name);
		struct expr *arg = p->rank ? array_argument(s, p, a->arg.at[k], a->name)
		                           : expr_typed(s, a->arg.at[k], p->type, what);
		if (!arg)
			return NULL;
		list_add(&e->arg, arg);
	}
	e->checked = !s->inside && c->fn->fails;
	return fine && sizes_given(e) ? array_unbox(e) : NULL;
}

/* The name that subscripts and that nothing has declared; "" if there are two. */
static void index_only(struct sema *s, const struct ast *a, const char **index)
{
	for (int k = 0; k < a->arg.n; k++)
		index_only(s, a->arg.at[k], index);
	for (int k = 0; a->kind == A_SUBSCRIPT && k < a->sub.n; k++) {
		const struct ast *lo = a->sub.at[k]->lo;
		if (lo && lo->kind == A_NAME && !name_find(s, lo->name))
			*index = !*index || *index == lo->name ? lo->name : "";
	}
}

/* sum(x[i]) is sum[i](x[i]), if one index alone can be meant. */
static void cure_index(struct sema *s, const struct ast *a)
{
	const char *index = NULL;

	diag_cure("a fold has its index in brackets: `%s[i](...)`", a->name);
	for (int k = 0; k < a->arg.n; k++)
		index_only(s, a->arg.at[k], &index);
	if (index && *index)
		diag_fix(ast_name_span(a), str_print("%s[%s]", a->name, index));
}

static struct expr *check_math(struct sema *s, const struct math_row *row, const struct ast *a)
{
	struct expr **arg = mem_new((size_t)(a->arg.n ? a->arg.n : 1) * sizeof *arg);
	bool fine = true;

	if (row->arity < 0 && a->arg.n < -row->arity) {
		diag_error(a->at, D_ARGUMENTS, "`%s` takes %d or more arguments, but there %s %d",
		           a->name, -row->arity, a->arg.n == 1 ? "is" : "are", a->arg.n);
		if (is_fold_name(a->name) && a->arg.n == 1)
			cure_index(s, a);
		return NULL;
	}
	if (row->arity >= 0 && !arguments(a, row->arity))
		return NULL;
	for (int k = 0; k < a->arg.n; k++)
		fine = (arg[k] = expr_check(s, a->arg.at[k])) && fine;
	return fine ? make_math((enum math)(row - math_table), arg, a->arg.n, a->at) : NULL;
}

static struct expr *check_cast(struct sema *s, const struct type *type, const struct ast *a)
{
	if (!arguments(a, 1))
		return NULL;
	return cast_check(expr_check(s, a->arg.at[0]), type, a->at);
}

static struct expr *unknown_call(struct sema *s, const struct ast *a)
{
	if (is_fold_name(a->name) || is_kth(s, a->name)) {
		diag_error(a->at, D_FOLD_PLACE, "the fold `%s` has no index", a->name);
		cure_index(s, a);
	} else if (name_find(s, a->name)) {
		diag_error(a->at, D_UNKNOWN_CALL, "`%s` is a variable, not a function", a->name);
		diag_cure("write a subscript as `%s[...]`", a->name);
	} else {
		const char *type = type_of_c(a->name);
		diag_error(a->at, D_UNKNOWN_CALL, "no function `%s`", a->name);
		if (!type)
			return suggest(s, a, true), NULL;
		diag_cure("in patc, this conversion is `%s`:", type);
		diag_fix(ast_name_span(a), type);
	}
	return NULL;
}

struct expr *not_constant(struct loc at)
{
	diag_error(at, D_NOT_CONSTANT, "this is not a compile-time constant");
	diag_cure("a constant may use numbers, other constants, operators, casts, abs, min, max, "
	          "clamp, floor, ceil, trunc and sqrt");
	return NULL;
}

static struct expr *check_call(struct sema *s, const struct ast *a)
{
	const struct math_row *row = math_find(a->name);
	const struct type *type = type_named(a->name);
	struct callable *c = callable_find(s, a->name);

	if (type)
		return check_cast(s, type, a);
	if (s->running && a->arg.n == 1 && fold_find(s, a->name))    /* R35 */
		return check_fold(s, a);
	if (row)
		return check_math(s, row, a);
	if (is_search(a->name))
		return check_search(s, a);
	if (!c)
		return unknown_call(s, a);
	if (s->constants)
		return not_constant(a->at);
	if (c->decl->kind == DECL_STRUCT)
		return c->record ? check_construct(s, c->record, a) : NULL;
	return check_function(s, c, a);
}

/* ---- operators and the rest ---- */

static const struct { const char *text; enum operation op; } binary_row[] = {
	{ "*", OP_MUL }, { "/", OP_DIV }, { "%", OP_REM }, { "+", OP_ADD }, { "-", OP_SUB },
	{ "<<", OP_SHL }, { ">>", OP_SHR }, { "&", OP_AND }, { "^", OP_XOR }, { "|", OP_OR },
	{ "<", OP_LT }, { ">", OP_GT }, { "<=", OP_LE }, { ">=", OP_GE }, { "==", OP_EQ },
	{ "!=", OP_NE }, { "&&", OP_LAND }, { "||", OP_LOR },
};

static struct expr *check_binary(struct sema *s, const struct ast *a)
{
	struct expr *x = expr_check(s, a->arg.at[0]), *y = expr_check(s, a->arg.at[1]);

	for (size_t k = 0; k < sizeof binary_row / sizeof *binary_row; k++)
		if (!strcmp(binary_row[k].text, a->name))
			return make_binary(binary_row[k].op, x, y, a->at);
	return sign_apply(s, a, x, y);
}

static struct expr *check_unary(struct sema *s, const struct ast *a)
{
	const struct ast *of = a->arg.at[0];
	enum operation op = *a->name == '-' ? OP_NEG : *a->name == '!' ? OP_NOT : OP_BITNOT;

	if (op == OP_NEG && of->kind == A_NUMBER) {
		struct expr *e = literal_number(of, true);
		if (e)
			e->at = a->at;
		return e;
	}
	return make_unary(op, expr_check(s, of), a->at);
}

static struct expr *check_literal(const struct ast *a)
{
	if (!strcmp(a->name, "true") || !strcmp(a->name, "false"))
		return expr_int(type_scalar(T_BOOL), *a->name == 't', a->at);
	return literal_float(*a->name == 'i' ? (double)INFINITY : (double)NAN, a->at);
}

static struct expr *not_a_value(const struct ast *a)
{
	diag_error(a->at, D_NOT_A_VALUE, "%s is no value", a->kind == A_LIST ? "a list" :
	           a->kind == A_STRING ? "a string" : "this");
	if (a->kind == A_LIST)
		diag_cure("a list can initialise an array: `const W: f32[3] = [1, 2, 1];`, a `var` "
		          "with a type, an argument or a field");
	return NULL;
}

struct expr *expr_check(struct sema *s, const struct ast *a)
{
	struct expr *e;

	switch (a->kind) {
	case A_NAME: return check_name(s, a);
	case A_CALL: return check_call(s, a);
	case A_SUBSCRIPT: return check_subscript(s, a);
	case A_FOLD: return check_fold(s, a);
	case A_FIELD: return check_field(s, a);
	case A_NUMBER: return literal_number(a, false);
	case A_LITERAL: return check_literal(a);
	case A_UNARY: return check_unary(s, a);
	case A_BINARY: return check_binary(s, a);
	case A_GROUP:
		return a->arg.n == 1 ? expr_check(s, a->arg.at[0]) : not_a_value(a);
	case A_COND:
		e = expr_bool(s, a->arg.at[0], "the condition");
		struct expr *x = expr_check(s, a->arg.at[1]), *y = expr_check(s, a->arg.at[2]);
		return make_cond(e, x, y, a->at);
	case A_STRING: case A_LIST: case A_WORD:
		return not_a_value(a);
	}
	assert(false && "every kind of syntax has a meaning or an error");
	return NULL;
}

struct expr *expr_typed(struct sema *s, const struct ast *a, const struct type *type,
                        const char *what)
{
	const struct type *array = type ? type_unboxed(type) : NULL;

	if (array)
		return expr_convert(array_typed(s, a, array, what), type, what);
	return expr_convert(expr_check(s, a), type, what);
}

struct expr *expr_value(struct sema *s, const struct ast *a)
{
	return expr_settle(expr_check(s, a));
}

struct expr *expr_bool(struct sema *s, const struct ast *a, const char *what)
{
	struct expr *e = expr_check(s, a);

	if (!e || e->type->kind == T_BOOL)
		return e;
	diag_error(e->at, D_NOT_BOOL, "%s must be a bool, but this is %s", what,
	           type_name(natural(e)));
	if (type_class(e->type) == 'A')
		diag_cure("name an element of the array, and compare it: `... != 0`");
	else
		diag_cure("compare it: `... != 0`");
	if (is_numeric(e->type) && (a->kind == A_NAME || a->kind == A_SUBSCRIPT
	                            || a->kind == A_CALL || a->kind == A_FIELD))
		fix_wrap(e->at, "", " != 0");
	return NULL;
}
