/* kirrange.c - comparisons that the types decide.
 *
 * `u < 0` of an unsigned u is false whatever u is, and so is `i64(b) == 300` of a u8: a compiler
 * warns of it, and the code that it chooses between is there for nothing.  Each operand has a
 * range: a constant its value, anything else what its type holds, a conversion that changes no
 * value what went into it, `&`, `|` and `^` as many bits as their operands, a quotient no more than
 * was divided.  Both operands have one type, whose order decides. */
#include "kir.h"

/* Of values of one type; a u64 above INT64_MAX is a negative number here. */
struct range { int64_t lo, hi; };

static bool is_below(const struct type *t, int64_t a, int64_t b)
{
	return type_class(t) == 'I' ? a < b : (uint64_t)a < (uint64_t)b;
}

static bool is_number(const struct kx *x)
{
	char class = type_class(x->type.type);
	return (class == 'B' || class == 'I' || class == 'U') && !x->type.pointer
	       && x->type.lanes == 1;
}

static struct range range_whole(const struct type *t)
{
	int spare = 64 - (int)type_size(t) * 8;
	if (type_class(t) == 'B')
		return (struct range){ 0, 1 };
	if (type_class(t) == 'U')
		return (struct range){ 0, (int64_t)(UINT64_MAX >> spare) };
	return (struct range){ INT64_MIN >> spare, INT64_MAX >> spare };
}

/* Is i, a value of type from, one of type to as well? */
static bool is_kept(const struct type *from, const struct type *to, int64_t i)
{
	struct range all = range_whole(to);
	if (i < 0 && type_class(from) != type_class(to))
		return false;
	return !is_below(to, i, all.lo) && !is_below(to, all.hi, i);
}

static struct range range_of(const struct kx *);

static struct range range_hull(const struct type *t, struct range a, struct range b)
{
	return (struct range){ is_below(t, b.lo, a.lo) ? b.lo : a.lo,
		               is_below(t, a.hi, b.hi) ? b.hi : a.hi };
}

/* All ones up to the highest one of i >= 0. */
static int64_t ones(int64_t i)
{
	for (int shift = 1; shift < 64; shift *= 2)
		i |= i >> shift;
	return i;
}

/* Of small values; a u64 may be none. */
static struct range range_op(const struct kx *x)
{
	struct range all = range_whole(x->type.type), a, b;
	if (x->op == OP_BITNOT && type_class(x->type.type) == 'I') {
		a = range_of(x->arg[0]);
		return (struct range){ ~a.hi, ~a.lo };
	}
	if (x->n != 2 || type_class(x->type.type) == 'B')
		return all;
	a = range_of(x->arg[0]);
	b = range_of(x->arg[1]);
	int64_t bits = ones((a.lo ^ a.lo >> 63) | (a.hi ^ a.hi >> 63) | (b.lo ^ b.lo >> 63)
	                    | (b.hi ^ b.hi >> 63));
	bool positive = a.lo >= 0 && a.hi >= 0 && b.lo >= 0 && b.hi >= 0;
	switch (x->op) {
	case OP_AND: case OP_OR: case OP_XOR:
		return positive                          ? (struct range){ 0, bits }
		       : type_class(x->type.type) == 'I' ? (struct range){ ~bits, bits }
		                                         : all;
	case OP_DIV: case OP_REM: case OP_SHR:
		return positive ? (struct range){ 0, a.hi } : all;
	case OP_NEG:
	case OP_NOT:
	case OP_BITNOT:
	case OP_MUL:
	case OP_ADD:
	case OP_SUB:
	case OP_SHL:
	case OP_LT:
	case OP_GT:
	case OP_LE:
	case OP_GE:
	case OP_EQ:
	case OP_NE:
	case OP_LAND:
	case OP_LOR:
		return all;
	}
	return all;
}

/* What x converts: a conversion on the way to a type as wide, or a wider one, changes nothing. */
static const struct kx *behind_casts(const struct kx *x)
{
	const struct kx *a = x->arg[0];
	while (a->kind == KX_CAST && is_number(a->arg[0]) && type_class(a->type.type) != 'B'
	       && type_size(a->type.type) >= type_size(x->type.type))
		a = a->arg[0];
	return a;
}

static struct range range_of(const struct kx *x)
{
	struct range r;
	if (x->kind == KX_INT)
		return (struct range){ x->i, x->i };
	if (x->kind == KX_COND)
		return range_hull(x->type.type, range_of(x->arg[1]), range_of(x->arg[2]));
	if (x->kind == KX_OP)
		return range_op(x);
	if (x->kind == KX_CAST && is_number(x->arg[0])) {
		const struct kx *a = behind_casts(x);
		const struct type *from = a->type.type;
		r = range_of(a);
		if (is_kept(from, x->type.type, r.lo) && is_kept(from, x->type.type, r.hi))
			return r;
	}
	return range_whole(x->type.type);
}

/* (x & 4) == 3, (x | 4) == 3: a bit of the constant cannot be there, or one must be. */
static bool bits_differ(const struct kx *x, const struct kx *c)
{
	while (x->kind == KX_CAST && type_fits(x->arg[0]->type.type, x->type.type))
		x = x->arg[0];
	bool masks = x->kind == KX_OP && x->n == 2 && (x->op == OP_AND || x->op == OP_OR)
	             && c->kind == KX_INT;
	for (int k = 0; masks && k < 2; k++) {
		const struct kx *mask = x->arg[k];
		if (mask->kind == KX_INT && (x->op == OP_AND ? c->i & ~mask->i : mask->i & ~c->i))
			return true;
	}
	return false;
}

bool kx_decided(const struct kx *x, bool *holds)
{
	bool compares = x->kind == KX_OP && x->op >= OP_LT && x->op <= OP_NE;
	if (!compares || !is_number(x->arg[0]) || !is_number(x->arg[1]))
		return false;
	const struct type *t = x->arg[0]->type.type;
	struct range a = range_of(x->arg[0]), b = range_of(x->arg[1]);
	bool less = is_below(t, a.hi, b.lo), more = is_below(t, b.hi, a.lo);
	bool at_most = !is_below(t, b.lo, a.hi), at_least = !is_below(t, a.lo, b.hi);
	bool unequal = less || more || bits_differ(x->arg[0], x->arg[1])
	               || bits_differ(x->arg[1], x->arg[0]);
	switch (x->op) {
	case OP_LT: return *holds = less, less || at_least;
	case OP_GE: return *holds = at_least, less || at_least;
	case OP_GT: return *holds = more, more || at_most;
	case OP_LE: return *holds = at_most, more || at_most;
	case OP_EQ: return *holds = !unequal, unequal || (at_most && at_least);
	case OP_NE: return *holds = unequal, unequal || (at_most && at_least);
	case OP_NEG:
	case OP_NOT:
	case OP_BITNOT:
	case OP_MUL:
	case OP_DIV:
	case OP_REM:
	case OP_ADD:
	case OP_SUB:
	case OP_SHL: case OP_SHR: case OP_AND: case OP_XOR: case OP_OR: case OP_LAND: case OP_LOR:
		return false;
	}
	return false;
}
