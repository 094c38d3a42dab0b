/* accumulate.c - what a thread folds terms into, and how two such values meet.
 *
 *   an operator with an identity    the value itself, which starts as the identity
 *   one without                     the value and whether there is one: threads, warps and blocks that
 *                                   were given no term then meet the others without harm
 *
 * The second has a struct that patc makes, as the user's operators may have structs of theirs; both travel
 * between lanes leaf by leaf, each leaf by a shuffle of its type, and lie whole in shared memory and in the
 * workspace.  Nothing here is an array with a computed index, so all of it stays in registers. */
#include <assert.h>
#include "lower.h"

enum { MOST_WORDS = 32 };                /* of 4 bytes, that a thread keeps for its folds: against spills */

/* ---- types ---- */

/* 32-bit registers that a value takes, small ones a whole one. */
static int64_t words_of(const struct type *type)
{
	int64_t words = 0;
	if (type->kind == T_ARRAY)
		return words_of(type->elem) * (type_size(type) / type_size(type->elem));
	if (type->kind != T_STRUCT)
		return type_size(type) > 4 ? 2 : 1;
	for (int f = 0; f < type->record->field.n; f++)
		words += words_of(type->record->field.at[f].type);
	return words;
}

const struct type *accumulator_type(const struct expr *fold)
{
	const struct field maybe[] = { { .name = "value", .type = fold->type }, { .name = "is", .type = type_scalar(T_BOOL) } };
	if (op_identity(fold->fold->op, fold->type))
		return fold->type;
	return type_made(str_print("patc_maybe_%s", type_name(fold->type)), 2, maybe);
}

bool folds_fit(const struct folds *folds)
{
	int64_t words = 0;
	for (int f = 0; f < folds->n; f++)
		words += words_of(accumulator_type(folds->at[f]));
	return words <= MOST_WORDS;
}

static struct kx *part(const struct accumulator *a, struct kx *whole, int field)
{
	return x_field(whole, &a->type->record->field.at[field]);
}

/* ---- one thread ---- */

struct kx *accumulator_start(struct lowering *l, const struct accumulator *a)
{
	return a->type == a->of ? lower_identity(l, a->op, a->of) : lower_zero(a->type);
}

struct accumulators folds_start(struct lowering *l, const struct folds *folds)
{
	struct accumulators acc = { .n = folds->n };
	for (int f = 0; f < folds->n; f++) {
		const struct expr *e = folds->at[f];
		struct accumulator *a = &acc.at[f];
		*a = (struct accumulator){ .op = e->fold->op, .of = e->type, .type = accumulator_type(e) };
		a->var = k_var(l->k, kt(a->type), a->op->name, accumulator_start(l, a));
	}
	return acc;
}

/* into is the accumulator's variable, or an element of several. */
static void fold_value(struct lowering *l, const struct accumulator *a, struct kx *into, struct kx *value)
{
	if (a->type == a->of) {
		k_set(l->k, into, lower_apply(l, a->op, a->of, into, value));
		return;
	}
	if (value->kind != KX_FIELD)
		value = x_var(k_let(l->k, "term", value));
	k_if(l->k, part(a, into, 1));
	k_set(l->k, part(a, into, 0), lower_apply(l, a->op, a->of, part(a, into, 0), value));
	k_else(l->k);
	k_set(l->k, part(a, into, 0), value);
	k_set(l->k, part(a, into, 1), x_int(T_BOOL, 1));
	k_end(l->k);
}

void accumulate_term(struct lowering *l, const struct expr *e, const struct accumulator *a, struct kx *into)
{
	if (e->fold->where)
		k_if(l->k, lower_expr(l, e->fold->where));
	struct kx *term = lower_expr(l, e->arg.at[0]);
	fold_value(l, a, into, a->op->kind == OPK_COUNT ? x_cast(kt(a->of), term) : term);
	if (e->fold->where)
		k_end(l->k);
}

void accumulate(struct lowering *l, const struct accumulator *a, struct kx *other)
{
	if (a->type == a->of) {
		fold_value(l, a, x_var(a->var), other);
		return;
	}
	if (other->kind != KX_VAR)
		other = x_var(k_let(l->k, "other", other));
	k_if(l->k, part(a, other, 1));
	fold_value(l, a, x_var(a->var), part(a, other, 0));
	k_end(l->k);
}

struct kx *accumulator_value(const struct accumulator *a)
{
	return a->type == a->of ? x_var(a->var) : part(a, x_var(a->var), 0);
}

/* ---- between threads ---- */

static struct kx *scalar_down(const struct type *type, struct kx *value, struct kx *distance)
{
	return x_help(kt(type), str_print("patc_shfl_down_%s", kt_word(type)), 2, (struct kx *[]){ value, distance });
}

static void record_down(struct lowering *l, struct kx *to, struct kx *from, struct kx *distance)
{
	const struct record *r = from->type.type->record;
	for (int f = 0; f < r->field.n; f++) {
		const struct field *field = &r->field.at[f];
		if (field->type->kind == T_STRUCT) {
			record_down(l, x_field(to, field), x_field(from, field), distance);
		} else if (field->type->kind == T_ARRAY) {
			const struct type *elem = field->type->elem;
			struct kx *n = x_i32(type_size(field->type) / type_size(elem));
			struct kx *i = x_var(k_for(l->k, "word", x_i32(0), n, x_i32(1), FOR_UNROLL));
			k_set(l->k, x_elem(to, field, i), scalar_down(elem, x_elem(from, field, i), distance));
			k_end(l->k);
		} else {
			k_set(l->k, x_field(to, field), scalar_down(field->type, x_field(from, field), distance));
		}
	}
}

struct kx *accumulator_down(struct lowering *l, const struct accumulator *a, struct kx *distance)
{
	if (a->type->kind != T_STRUCT)
		return x_var(k_let(l->k, "other", scalar_down(a->type, x_var(a->var), distance)));
	struct kvar *other = k_var(l->k, kt(a->type), "other", NULL);
	record_down(l, x_var(other), x_var(a->var), distance);
	return x_var(other);
}

/* Behind a ticket.  A scalar is loaded past the first cache; for a struct the fences of the ticket do. */
struct kx *accumulator_load(const struct accumulator *a, struct kx *array, struct kx *index)
{
	if (a->type->kind == T_STRUCT)
		return x_at(array, index);
	return x_help(kt(a->type), str_print("patc_load_%s", kt_word(a->type)), 1, (struct kx *[]){ x_offset(array, index) });
}
