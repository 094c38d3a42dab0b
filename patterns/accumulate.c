/* accumulate.c - what a thread folds terms into, and how two such values meet.
 *
 *   an operator with an identity    the value itself, which starts as the identity
 *   one without                     the value and whether there is one: threads, warps and blocks
 *                                   that were given no term then meet the others without harm
 *   argmin, argmax                  the value and the number of its term, -1 before the first; the
 *                                   smaller number wins a tie, so that any order of terms will do
 *
 * The last two have structs that patc makes, as the user's operators may have structs of theirs;
 * all travel between lanes leaf by leaf, each leaf by a shuffle of its type, and lie whole in
 * shared memory and in the workspace.  Nothing here is an array with a computed index, so all of it
 * stays in registers. */
#include <assert.h>
#include <string.h>
#include "lower.h"
#include "ragged.h"

/* ---- types ---- */

bool accumulators_fit(const struct accumulators *acc)
{
	int64_t words = 0;
	for (int a = 0; a < acc->n; a++)
		words += type_words(acc->at[a].type);
	return words_fit(words);
}

struct accumulator accumulator_sum(struct kvar *var)
{
	const struct type *i64 = type_scalar(T_I64);
	return (struct accumulator){ .op = op_own(OPK_SUM), .of = i64, .type = i64, .var = var };
}

static struct kx *part(const struct accumulator *a, struct kx *whole, int field)
{
	return x_field(whole, &a->type->record->field.at[field]);
}

static bool is_maybe(const struct accumulator *a)
{
	return a->type != a->of && !op_is_arg(a->op);
}

/* Those of a recurrence may have an operator that is a sign, or none. */
const char *accumulator_name(const struct accumulator *a)
{
	return a->op && !strchr("&|^", a->op->name[0]) ? a->op->name : "total";
}

/* ---- one thread ---- */

struct kx *accumulator_start(struct lowering *l, const struct accumulator *a)
{
	if (a->start)
		return a->start(l, a);
	return is_maybe(a) ? lower_zero(a->type) : lower_identity(l, a->op, a->type);
}

struct accumulators folds_start(struct lowering *l, const struct folds *folds)
{
	struct accumulators acc = { .n = folds->n };
	for (int f = 0; f < folds->n; f++) {
		const struct expr *e = folds->at[f];
		struct accumulator *a = &acc.at[f];
		*a = (struct accumulator){ .op = e->fold->op,
			                   .of = e->type,
			                   .type = accumulator_type(e) };
		a->var = k_var(l->k, kt(a->type), a->op->name, accumulator_start(l, a));
	}
	return acc;
}

static struct kx *applied(struct lowering *l, const struct accumulator *a, struct kx *before,
                          struct kx *behind)
{
	return a->mirrored ? lower_apply(l, a->op, a->of, behind, before, a->strict)
	                   : lower_apply(l, a->op, a->of, before, behind, a->strict);
}

static void fold_best(struct lowering *l, const struct accumulator *a, struct kx *into,
                      struct kx *value, struct kx *at)
{
	struct kx *number = part(a, into, 1);
	k_if(l->k, lower_better(a->op, value, part(a, into, 0), lower_sooner(at, number)));
	k_set(l->k, part(a, into, 0), value);
	k_set(l->k, part(a, into, 1), at);
	k_end(l->k);
}

/* into is the accumulator's variable, or an element of several. */
static void fold_value(struct lowering *l, const struct accumulator *a, struct kx *into,
                       struct kx *value)
{
	if (op_is_arg(a->op)) {
		assert(l->term && "whoever binds the indices of an argmin numbers its terms");
		fold_best(l, a, into, x_var(k_let(l->k, "term", value)), l->term);
		return;
	}
	if (!is_maybe(a)) {
		k_set(l->k, into, applied(l, a, into, value));
		return;
	}
	if (value->kind != KX_FIELD)
		value = x_var(k_let(l->k, "term", value));
	k_if(l->k, part(a, into, 1));
	k_set(l->k, part(a, into, 0), applied(l, a, part(a, into, 0), value));
	k_else(l->k);
	k_set(l->k, part(a, into, 0), value);
	k_set(l->k, part(a, into, 1), x_int(T_BOOL, 1));
	k_end(l->k);
}

void accumulate_value(struct lowering *l, const struct accumulator *a, struct kx *term)
{
	fold_value(l, a, x_var(a->var), term);
}

struct target_of { const struct accumulator *a; struct kx *into, *only; };

static void add_term(struct lowering *l, struct kx *term, void *state)
{
	const struct target_of *to = state;
	if (to->only) {
		term = x_var(k_let(l->k, "term", term));
		k_if(l->k, to->only);
	}
	fold_value(l, to->a, to->into, term);
	if (to->only)
		k_end(l->k);
}

void accumulate_term(struct lowering *l, const struct expr *e, const struct accumulator *a,
                     struct kx *into)
{
	lower_term(l, e, add_term, &(struct target_of){ a, into, NULL });
}

void accumulate_only(struct lowering *l, const struct expr *e, const struct accumulator *a,
                     struct kx *only)
{
	lower_term(l, e, add_term, &(struct target_of){ a, x_var(a->var), only });
}

void accumulate(struct lowering *l, const struct accumulator *a, struct kx *other)
{
	if (a->join) {
		a->join(l, a, other);
		return;
	}
	if (a->type == a->of && !op_is_arg(a->op)) {
		fold_value(l, a, x_var(a->var), other);
		return;
	}
	if (other->kind != KX_VAR)
		other = x_var(k_let(l->k, "other", other));
	k_if(l->k, is_maybe(a) ? part(a, other, 1) : x_le(x_i64(0), part(a, other, 1)));
	if (is_maybe(a))
		fold_value(l, a, x_var(a->var), part(a, other, 0));
	else
		fold_best(l, a, x_var(a->var), part(a, other, 0), part(a, other, 1));
	k_end(l->k);
}

/* Among which places a fold's index is numbered: where data bound it, those of the array it is cut
 * to. */
static struct kx *places_lo(struct lowering *l, const struct fold *fold, int d)
{
	return fold_cut(fold, d) ? x_i64(0) : lower_index(l, fold->lo.at[d]);
}

static struct kx *places_size(struct lowering *l, const struct fold *fold, int d)
{
	const struct cut *cut = fold_cut(fold, d);
	assert((!cut || cut->end) && "who numbers terms has asked where their array ends");
	if (cut)
		return lower_index(l, cut->end);
	struct kx *lo = lower_index(l, fold->lo.at[d]);
	return x_sub(lower_index(l, fold->hi.at[d]), lo);
}

struct kx *fold_number(struct lowering *l, const struct fold *fold)
{
	struct kx *number = NULL;
	for (int d = 0; d < fold->index.n; d++) {
		struct kx *lo = places_lo(l, fold, d);
		struct kx *at = x_sub(lower_var(l, fold->index.at[d]), lo);
		number = number ? x_add(x_mul(number, places_size(l, fold, d)), at) : at;
	}
	return number;
}

/* The number of the best term becomes the indices it had. */
static struct kx *placed(struct lowering *l, const struct accumulator *a, const struct fold *fold)
{
	if (fold->index.n == 1 && x_is_int(places_lo(l, fold, 0), 0))
		return x_var(a->var);
	struct kx *arg[1 + MAX_RANK] = { part(a, x_var(a->var), 0) },
			   *number = part(a, x_var(a->var), 1), *rest = number;
	struct kx *none = x_lt(number, x_i64(0));
	for (int d = fold->index.n - 1; d >= 0; d--) {
		struct kx *lo = places_lo(l, fold, d), *size = d ? places_size(l, fold, d) : NULL;
		arg[1 + d] = x_cond(none, x_i64(-1), x_add(lo, d ? x_rem(rest, size) : rest));
		if (d)
			rest = x_var(
				k_let(l->k, "rest", x_cond(none, x_i64(0), x_div(rest, size))));
	}
	return x_var(k_let(l->k, "best", x_make(a->of, 1 + fold->index.n, arg)));
}

struct kx *accumulator_value(struct lowering *l, const struct accumulator *a,
                             const struct fold *fold)
{
	if (op_is_arg(a->op))
		return placed(l, a, fold);
	return is_maybe(a) ? part(a, x_var(a->var), 0) : x_var(a->var);
}

/* ---- between threads ---- */

static struct kx *scalar_shuffle(const struct type *type, const char *how, struct kx *value,
                                 struct kx *by)
{
	if (!how)
		return value;
	return x_help(kt(type), str_print("patc_shfl_%s%s", how, kt_word(type)), 2,
	              (struct kx *[]){ value, by });
}

static void record_shuffle(struct lowering *l, const char *how, struct kx *to, struct kx *from,
                           struct kx *by)
{
	const struct record *r = from->type.type->record;
	for (int f = 0; f < r->field.n; f++) {
		const struct field *field = &r->field.at[f];
		if (field->type->kind == T_STRUCT) {
			record_shuffle(l, how, x_field(to, field), x_field(from, field), by);
		} else if (field->type->kind == T_ARRAY) {
			const struct type *elem = field->type->elem;
			struct kx *n = x_i32(type_size(field->type) / type_size(elem));
			struct kx *i = x_var(
				k_for(l->k, "word", x_i32(0), n, x_i32(1), FOR_UNROLL));
			k_set(l->k, x_elem(to, field, i),
			      scalar_shuffle(elem, how, x_elem(from, field, i), by));
			k_end(l->k);
		} else {
			k_set(l->k, x_field(to, field),
			      scalar_shuffle(field->type, how, x_field(from, field), by));
		}
	}
}

struct kx *accumulator_shuffle(struct lowering *l, const struct accumulator *a, struct kx *value,
                               const char *how, struct kx *by)
{
	if (a->type->kind != T_STRUCT)
		return x_var(k_let(l->k, "other", scalar_shuffle(a->type, how, value, by)));
	struct kvar *other = k_var(l->k, kt(a->type), "other", NULL);
	record_shuffle(l, how, x_var(other), value, by);
	return x_var(other);
}

struct kx *accumulator_down(struct lowering *l, const struct accumulator *a, struct kx *distance)
{
	return accumulator_shuffle(l, a, x_var(a->var), "down_", distance);
}

/* Of a struct copied whole, clang for AMD keeps the padding in memory. */
void accumulator_copy(struct lowering *l, struct kx *to, struct kx *from)
{
	if (to->type.type->kind == T_STRUCT)
		record_shuffle(l, NULL, to, from, NULL);
	else
		k_set(l->k, to, from);
}

struct kx *accumulator_copy_call(struct lowering *l, const void *none, struct kx *const *arg)
{
	(void)none;
	accumulator_copy(l, arg[0], arg[1]);
	return NULL;
}

/* After a ticket.  A scalar is loaded past the first cache; for a struct the fences of the ticket
 * do.  What a kernel before has stored is constant. */
struct kx *accumulator_load(const struct accumulator *a, struct kx *array, struct kx *index)
{
	if (a->type->kind == T_STRUCT || array->type.is_const)
		return x_at(array, index);
	return x_help(kt(a->type), str_print("patc_load_%s", kt_word(a->type)), 1,
	              (struct kx *[]){ x_offset(array, index) });
}
