/* atomic.c - a value meets what memory holds, while other threads of the launch do the same.
 *
 *   sums of integers and floats, min and max of integers, & | ^      one operation, whose result nobody waits for
 *   everything else of 1, 2, 4 or 8 bytes                            the word is looked at, combined, and put back if it
 *                                                                    still is what it was; else once more
 *
 * Machines have both for aligned words of 4 and 8 bytes; smaller cells go through the word around them
 * (backends/rt/NAME_atomic.h).  A value that changes nothing is not put back: of min, max, && and || that is nearly every
 * one, once the cell has seen a few.  In which order values come is open, and so are the last bits of a sum of floats. */
#include <assert.h>
#include <string.h>
#include "atomic.h"
#include "state_words.h"

bool atomic_can(const struct type *cell)
{
	return cell->kind != T_STRUCT && cell->kind != T_ARRAY;
}

static bool is_word(const struct type *cell)
{
	return type_size(cell) >= 4;
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
	case OPK_PROD: case OPK_ALL: case OPK_ANY: case OPK_COUNT: case OPK_ARGMIN: case OPK_ARGMAX: case OPK_USER:
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
	assert((cell->kind == KX_FIELD || cell->kind == KX_ELEM) && "a cell of an array, or a part of one");
	struct kx *bytes = x_i64(field_of(cell)->offset);
	if (cell->kind == KX_ELEM)
		bytes = x_add(bytes, x_mul(x_to_i64(cell->arg[1]), x_i64(type_size(cell->type.type))));
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
	k_do(l->k, x_help(kt_scalar(T_I32), str_print("patc_meet_%s_%s", op->name, type_name(type)), 2, arg));
}

/* ---- looked at, combined, put back ---- */

static struct kx *word_help(const char *what, const struct type *word, int n, struct kx **arg)
{
	return x_help(kt(word), str_print("patc_%s_%s", what, type_name(word)), n, arg);
}

static const struct type *word_of(const struct type *cell)
{
	switch (type_size(cell)) {
	case 1: return type_scalar(T_U8);
	case 2: return type_scalar(T_U16);
	case 4: return type_scalar(T_U32);
	}
	return type_scalar(T_U64);
}

static struct kx *from_word(const struct type *cell, struct kx *word)
{
	return state_of_bits(cell, x_cast(kt_scalar(type_size(cell) > 4 ? T_U64 : T_U32), word));
}

static struct kx *combined(struct lowering *l, const struct op *op, const struct type *of, const struct type *cell, struct kx *held, struct kx *value)
{
	return x_cast(kt(cell), lower_apply(l, op, of, x_cast(kt(of), held), value, false));
}

static void by_turns(struct lowering *l, const struct op *op, const struct type *of, struct kx *cell, struct kx *value)
{
	struct kernel *k = l->k;
	const struct type *type = cell->type.type, *word = word_of(type);
	struct kx *at = x_var(k_let(k, "cell", address(cell)));
	value = x_var(k_let(k, "term", value));
	struct kx *seen = x_var(k_var(k, kt(word), "seen", word_help("peek", word, 1, &at)));
	k_while(k, x_int(T_BOOL, 1));
	struct kx *was = x_var(k_let(k, "was", seen));
	struct kx *next = combined(l, op, of, type, x_var(k_let(k, "held", from_word(type, was))), value);
	next = x_var(k_let(k, "next", x_cast(kt(word), state_bits(x_var(k_let(k, "now", next))))));
	k_if(k, x_eq(next, was));
	k_break(k);
	k_end(k);
	k_set(k, seen, word_help("swap", word, 3, (struct kx *[]){ at, was, next }));
	k_if(k, x_eq(seen, was));
	k_break(k);
	k_end(k);
	k_end(k);
}

void atomic_combine(struct lowering *l, const struct op *op, const struct type *of, struct kx *cell, struct kx *value)
{
	assert(l->target->gpu && atomic_can(cell->type.type) && "a scalar in memory of a GPU");
	if (atomic_native(op, cell->type.type, of))
		by_machine(l, op, cell, value);
	else
		by_turns(l, op, of, cell, value);
}

void plain_combine(struct lowering *l, const struct op *op, const struct type *of, struct kx *cell, struct kx *value)
{
	k_set(l->k, cell, combined(l, op, of, cell->type.type, cell, value));
}
