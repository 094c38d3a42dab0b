/* atomic.c - a value meets what memory holds, while other threads of the launch do the same.
 *
 *   sums of integers and floats, min and max of integers, & | ^ one operation, whose result nobody
 *   waits for everything else of 1, 2, 4 or 8 bytes, structs too the word is looked at, combined,
 *   and put back if it
 *                                                                    still is what it was; else
 *                                                                    once more
 *
 * Machines have both for aligned words of 4 and 8 bytes; smaller cells go through the word around
 * them (backends/rt/NAME_atomic.h).  A value that changes nothing is not put back: of min, max, &&
 * and || that is nearly every one, once the cell has seen a few.  In which order values come is
 * open, and so are the last bits of a sum of floats. */
#include <assert.h>
#include <string.h>
#include "atomic.h"
#include "state_words.h"

bool atomic_can(const struct type *cell)
{
	int64_t bytes = type_size(cell);
	return cell->kind != T_STRUCT || bytes == 1 || bytes == 2 || bytes == 4 || bytes == 8;
}

bool atomic_anywhere(const struct type *cell)
{
	return cell->kind != T_STRUCT || type_align(cell) == type_size(cell);
}

static bool is_word(const struct type *cell)
{
	return cell->kind != T_STRUCT && type_size(cell) >= 4;
}

bool atomic_native(const struct op *op, const struct type *cell, const struct type *of)
{
	if (!is_word(cell) || cell != of)
		return false;
	switch (op->kind) {
	case OPK_SUM:
		return true;
	case OPK_MIN: case OPK_MAX: case OPK_BITAND: case OPK_BITOR: case OPK_BITXOR:
		return type_class(cell) != 'F';
	case OPK_PROD:
	case OPK_ALL:
	case OPK_ANY:
	case OPK_COUNT:
	case OPK_ARGMIN:
	case OPK_ARGMAX:
	case OPK_USER:
		return false;
	}
	return false;
}

/* ---- where it is ---- */

static struct kx *part_of(struct kx *record, struct kx *bytes)
{
	struct kx *arg[] = { record, bytes };
	return x_help(kt_pointer(type_scalar(T_U8), false), "patc_part", 2, arg);
}

static const struct field *field_of(const struct kx *x)
{
	const struct field *f = x->arg[0]->type.type->record->field.at;
	while (strcmp(f->name, x->name))
		f++;
	return f;
}

static struct kx *address(struct kx *cell)
{
	if (cell->kind == KX_AT)
		return x_offset(cell->arg[0], cell->arg[1]);
	assert((cell->kind == KX_FIELD || cell->kind == KX_ELEM)
	       && "a cell of an array, or a part of one");
	struct kx *bytes = x_i64(field_of(cell)->offset);
	if (cell->kind == KX_ELEM)
		bytes = x_add(bytes,
		              x_mul(x_to_i64(cell->arg[1]), x_i64(type_size(cell->type.type))));
	return part_of(address(cell->arg[0]), kx_fold(bytes));
}

/* ---- one operation ---- */

static const struct type *native_type(const struct op *op, const struct type *type)
{
	if (op->kind == OPK_MIN || op->kind == OPK_MAX || type_class(type) == 'F')
		return type;
	return type_scalar(type_size(type) > 4 ? T_U64 : T_U32);     /* signs do not count */
}

static void by_machine(struct lowering *l, const struct op *op, struct kx *cell, struct kx *value)
{
	const struct type *type = native_type(op, cell->type.type);
	struct kx *arg[] = { address(cell), x_cast(kt(type), value) };
	k_do(l->k, x_help(kt_scalar(T_I32), str_print("patc_meet_%s_%s", op->name, type_name(type)),
	                  2, arg));
}

/* ---- looked at, combined, put back ---- */

static struct kx *word_help(const char *what, const struct type *word, int n, struct kx **arg)
{
	return x_help(kt(word), str_print("patc_%s_%s", what, type_name(word)), n, arg);
}

static const struct type *word_of(const struct type *cell)
{
	return type_scalar(type_size(cell) > 4 ? T_U64 : T_U32);
}

static struct kx *scalar_of_word(const struct type *type, struct kx *word)
{
	struct kx *bits = x_cast(kt_scalar(type_size(type) > 4 ? T_U64 : T_U32), word);
	if (type_size(type) < 4)
		bits = x_op(OP_AND, bits, x_int(T_U32, (INT64_C(1) << 8 * type_size(type)) - 1));
	return state_of_bits(type, bits);
}

/* Where a scalar of a variable lies, in bits. */
static struct kx *place_of(const struct kx *leaf)
{
	int64_t bytes = 0;
	for (; leaf->kind != KX_VAR; leaf = leaf->arg[0]) {
		bytes += field_of(leaf)->offset;
		if (leaf->kind == KX_ELEM)
			bytes += leaf->arg[1]->i * type_size(leaf->type.type);
	}
	return x_i32(8 * bytes);
}

static struct kx *from_word(struct lowering *l, const struct type *cell, struct kx *word)
{
	if (cell->kind != T_STRUCT)
		return x_var(k_let(l->k, "held", scalar_of_word(cell, word)));
	struct kx *held = x_var(k_var(l->k, kt(cell), "held", NULL));
	struct values leaf = { { NULL, 0, 0 } };
	state_leaves(&leaf, held);
	for (int i = 0; i < leaf.at.n; i++)
		k_set(l->k, leaf.at.at[i],
		      scalar_of_word(leaf.at.at[i]->type.type,
		                     x_op(OP_SHR, word, place_of(leaf.at.at[i]))));
	return held;
}

static struct kx *to_word(const struct type *word, struct kx *now)
{
	if (now->type.type->kind != T_STRUCT)
		return x_cast(kt(word), state_bits(now));
	struct kx *all = NULL;
	struct values leaf = { { NULL, 0, 0 } };
	state_leaves(&leaf, now);
	for (int i = 0; i < leaf.at.n; i++) {
		struct kx *x = leaf.at.at[i], *bits = state_bits(x);
		if (type_size(x->type.type) < 4)
			bits = x_op(OP_AND, bits,
			            x_int(T_U32, (INT64_C(1) << 8 * type_size(x->type.type)) - 1));
		bits = x_op(OP_SHL, x_cast(kt(word), bits), place_of(x));
		all = all ? x_op(OP_OR, all, bits) : bits;
	}
	return all;
}

static struct kx *combined(struct lowering *l, const struct op *op, const struct type *of,
                           const struct type *cell, struct kx *held, struct kx *value)
{
	return x_cast(kt(cell), lower_apply(l, op, of, x_cast(kt(of), held), value, false));
}

/* The word that a cell is in, and if it is a part of it, where it begins there. */
struct word { const struct type *type; struct kx *at, *shift; };

static struct word word_around(struct lowering *l, struct kx *cell)
{
	struct word w = { .type = word_of(cell->type.type), .at = address(cell) };
	if (type_size(cell->type.type) < 4) {
		w.shift = x_var(
			k_let(l->k, "shift", x_help(kt_scalar(T_I32), "patc_place", 1, &w.at)));
		w.at = x_help(kt_pointer(type_scalar(T_U8), false), "patc_around", 1, &w.at);
	}
	w.at = x_var(k_let(l->k, "cell", w.at));
	return w;
}

/* What the word becomes when the cell does. */
static struct kx *replaced(const struct word *w, struct kx *was, struct kx *now)
{
	struct kx *bits = to_word(w->type, now);
	if (!w->shift)
		return bits;
	struct kx *mask = x_int(T_U32, (INT64_C(1) << 8 * type_size(now->type.type)) - 1);
	if (now->type.type->kind != T_STRUCT)
		bits = x_op(OP_AND, bits, mask);
	struct kx *others = x_op(OP_AND, was, x_unary(OP_BITNOT, x_op(OP_SHL, mask, w->shift)));
	return x_op(OP_OR, others, x_op(OP_SHL, bits, w->shift));
}

struct turns { const struct op *op; const struct type *of, *cell; struct word word; };

static struct kx *peek(struct lowering *l, const void *turns, struct kx *const *none)
{
	struct word w = ((const struct turns *)turns)->word;
	(void)l, (void)none;
	return word_help("peek", w.type, 1, &w.at);
}

static struct kx *swap(struct lowering *l, const void *turns, struct kx *const *arg)
{
	const struct word *w = &((const struct turns *)turns)->word;
	(void)l;
	return word_help("swap", w->type, 3, (struct kx *[]){ w->at, arg[0], arg[1] });
}

static struct kx *cell_in(struct lowering *l, const void *turns, struct kx *const *was)
{
	const struct turns *t = turns;
	return from_word(l, t->cell, t->word.shift ? x_op(OP_SHR, was[0], t->word.shift) : was[0]);
}

static struct kx *combine(struct lowering *l, const void *turns, struct kx *const *arg)
{
	const struct turns *t = turns;
	return combined(l, t->op, t->of, t->cell, arg[0], arg[1]);
}

static struct kx *word_with(struct lowering *l, const void *turns, struct kx *const *arg)
{
	(void)l;
	return replaced(&((const struct turns *)turns)->word, arg[0], arg[1]);
}

static void by_turns(struct lowering *l, const struct op *op, const struct type *of,
                     struct kx *cell, struct kx *value)
{
	struct turns t = { op, of, cell->type.type, word_around(l, cell) };
	int names = k_names(l->k);
	k_bind(l->k, "TURNS_WORD", t.word.type);
	k_bind_calls(l->k, &t, { "peek", peek }, { "swap", swap }, { "cell_in", cell_in },
	             { "combine", combine }, { "word_with", word_with });
	k_text(l->k, "combine_by_turns", value);
	k_forget(l->k, names);
}

void atomic_combine(struct lowering *l, const struct op *op, const struct type *of, struct kx *cell,
                    struct kx *value)
{
	assert(l->target->gpu && atomic_can(cell->type.type) && "a word in memory of a GPU");
	if (atomic_native(op, cell->type.type, of))
		by_machine(l, op, cell, value);
	else
		by_turns(l, op, of, cell, value);
}

void plain_combine(struct lowering *l, const struct op *op, const struct type *of, struct kx *cell,
                   struct kx *value)
{
	k_set(l->k, cell, combined(l, op, of, cell->type.type, cell, value));
}
