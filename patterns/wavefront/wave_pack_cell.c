/* wave_pack_cell.c - right sides of a wavefront for two cells at once, a half of a word of 32 bits
 * each.
 *
 * wave_bound.c has taken them apart and knows that no half overflows.  max, min, + and - of cells
 * are helpers for both halves; the targets have instructions for them, and CUDA's compiler joins a
 * sum and what it goes into.
 *
 * What has no cells is computed once where the halves cannot differ, is a word already where it is
 * what a lane holds of an array (wave_batch_reads.c), and else is computed for each half, in its
 * own type, and put together.  Letters are compared in both halves at once: the lesser of 1 and
 * what differs is 0 or 1, and one multiplication chooses between two numbers by that.  What ?: may
 * not compute is computed in a half only if its condition holds: no half is asked alone where both
 * sides read nothing. */
#include "wave_batch.h"
#include "wave_bound.h"

static struct kx *help(const char *name, int n, struct kx **arg)
{
	return x_help(kt_scalar(T_U32), name, n, arg);
}

/* ---- words ---- */

struct kx *pack_word(int64_t both)
{
	int64_t bits = both & 0xffff;
	return x_int(T_U32, bits << 16 | bits);
}

struct kx *pack_two(struct kx *low, struct kx *high)
{
	return help("patc_pack2", 2, (struct kx *[]){ x_to_i32(low), x_to_i32(high) });
}

struct kx *pack_join(struct kx *low, struct kx *high, struct kx *keep)
{
	return x_op(OP_OR, x_op(OP_AND, low, keep), x_op(OP_AND, high, x_unary(OP_BITNOT, keep)));
}

struct kx *pack_half(struct kx *word, int half)
{
	return x_help(kt_scalar(T_I32), half ? "patc_high2" : "patc_low2", 1, &word);
}

struct kx *pack_next(struct kx *up, struct kx *own)
{
	return x_op(OP_OR, x_op(OP_SHL, own, x_i32(16)), x_op(OP_SHR, up, x_i32(16)));
}

void pack_bind(struct batch *b, int half)
{
	struct axes *a = &b->axes;
	b->half = half;
	axis_bind(a, a->n - 2,
	          batch_row(b,
	                    half ? x_add(batch_get(b, "r"), x_i32(b->rows)) : batch_get(b, "r")));
	axis_bind(a, a->n - 1, batch_get(b, half ? "high_column" : "column"));
}

/* ---- what has no cells ---- */

static bool uses_place(const struct batch *b, const struct expr *e)
{
	const struct axes *a = &b->axes;
	return expr_uses(e, a->node->index.at[axis_index(a, a->n - 2)])
	       || expr_uses(e, a->node->index.at[axis_index(a, a->n - 1)]);
}

static struct kx *both_words(struct batch *b, const struct expr *e)
{
	struct kx *value[2];
	if (!uses_place(b, e)) {
		value[0] = lower_expr(b->axes.l, e);
		int64_t known;
		return x_constant(value[0], &known) ? pack_word(known)
		                                    : pack_two(value[0], value[0]);
	}
	for (int half = 0; half < 2; half++) {
		pack_bind(b, half);
		value[half] = lower_expr(b->axes.l, e);
	}
	return pack_two(value[0], value[1]);
}

/* What it converts, as far as all values stay the same. */
static const struct expr *bare(const struct expr *e)
{
	while (e->kind == E_CAST && type_fits(e->arg.at[0]->type, e->type))
		e = e->arg.at[0];
	return e;
}

static bool is_letter(const struct batch *b, const struct expr *e)
{
	char class = type_class(e->type);
	return e->kind == E_CONST ? e->value.i >= 0 && e->value.i < 128 && class != 'F'
	                          : batch_pair(b, e) != NULL;
}

/* Both are of 16 bits with a sign, or both without: then the halves are equal where the values are.
 * */
static bool letters_alike(const struct expr *x, const struct expr *y)
{
	bool wide = (x->kind != E_CONST && x->type->kind == T_U16)
	            || (y->kind != E_CONST && y->type->kind == T_U16);
	return !wide
	       || ((x->kind == E_CONST || type_class(x->type) != 'I')
	           && (y->kind == E_CONST || type_class(y->type) != 'I'));
}

static struct kx *letter_word(const struct batch *b, const struct expr *e)
{
	return e->kind == E_CONST ? pack_word(e->value.i) : batch_pair(b, e);
}

/* Per half 1 where the letters differ, or NULL: it is no such comparison. */
static struct kx *letters_differ(const struct batch *b, const struct expr *e)
{
	if (e->kind != E_BINARY || (e->op != OP_EQ && e->op != OP_NE))
		return NULL;
	const struct expr *x = bare(e->arg.at[0]), *y = bare(e->arg.at[1]);
	if (!is_letter(b, x) || !is_letter(b, y) || !letters_alike(x, y))
		return NULL;
	return help("patc_differ2", 2, (struct kx *[]){ letter_word(b, x), letter_word(b, y) });
}

/* The same for both halves, and computed whether it is chosen or not. */
static bool is_plain(const struct batch *b, const struct expr *e)
{
	return !uses_place(b, e) && !expr_has(e, E_READ) && !expr_has(e, E_ELEM)
	       && !expr_has(e, E_CALL);
}

/* Between two numbers, by letters. */
static struct kx *number_picked(struct batch *b, const struct expr *e)
{
	struct kx *which = e->kind == E_COND ? letters_differ(b, e->arg.at[0]) : NULL;
	if (!which)
		return NULL;
	bool equal = bare(e->arg.at[0])->op == OP_EQ;
	const struct expr *same = e->arg.at[equal ? 1 : 2], *other = e->arg.at[equal ? 2 : 1];
	if (!is_plain(b, same) || !is_plain(b, other))
		return NULL;
	struct kx *value[] = { which, x_to_i32(lower_expr(b->axes.l, same)),
		               x_to_i32(lower_expr(b->axes.l, other)) };
	return help("patc_pick2", 3, value);
}

static struct kx *apart(struct batch *b, const struct expr *e)
{
	const struct expr *inlined = expr_inlined(e), *inner = bare(e);
	if (inner != e)
		return apart(b, inner);
	if (inlined)
		return apart(b, inlined);
	struct kx *held = batch_pair(b, e), *picked = held ? NULL : number_picked(b, e);
	return held ? held : picked ? picked : both_words(b, e);
}

/* ---- cells ---- */

/* A sum goes into a max in one instruction, a difference does not. */
static struct kx *difference(struct batch *b, const struct expr *e)
{
	struct kx *cells = pack_expr(b, e->arg.at[0]), *less = pack_expr(b, e->arg.at[1]), *minus;
	int64_t known;
	if (x_constant(less, &known))
		minus = pack_word(-(known & 0xffff));
	else if (!uses_place(b, e->arg.at[1]))
		minus = help("patc_sub2", 2, (struct kx *[]){ pack_word(0), less });
	else
		return help("patc_sub2", 2, (struct kx *[]){ cells, less });
	return help("patc_add2", 2, (struct kx *[]){ cells, minus });
}

static struct kx *joined(struct batch *b, const char *name, const struct expr *e)
{
	struct kx *x = pack_expr(b, e->arg.at[0]);
	for (int a = 1; a < e->arg.n; a++)
		x = help(name, 2, (struct kx *[]){ x, pack_expr(b, e->arg.at[a]) });
	return x;
}

static struct kx *chosen(struct batch *b, const struct expr *e)
{
	const struct expr *test = e->arg.at[0];
	struct kx *which = letters_differ(b, test), *yes = pack_expr(b, e->arg.at[1]),
		  *no = pack_expr(b, e->arg.at[2]);
	bool equal = !which || test->op == OP_EQ;
	if (!which)
		which = x_op(OP_XOR, both_words(b, test), pack_word(1));
	return help("patc_blend2", 3, (struct kx *[]){ which, equal ? yes : no, equal ? no : yes });
}

static struct kx *cell_word(const struct batch *b, const struct expr *e)
{
	const struct wavefront *w = b->axes.node->wave;
	int r = 0;
	while (w->read.at[r]->value != e->var)
		r++;
	return batch_neighbour(b, w->read.at[r]);
}

struct kx *pack_expr(struct batch *b, const struct expr *e)
{
	const struct expr *inlined = expr_inlined(e);
	if (!wave_has_cell(b->axes.node, e))
		return apart(b, e);
	if (inlined)
		return pack_expr(b, inlined);
	switch ((int)e->kind) {              /* int: wave_bound.c has refused the others */
	case E_VAR: return cell_word(b, e);
	case E_CAST: return pack_expr(b, e->arg.at[0]);
	case E_COND: return chosen(b, e);
	case E_MATH: return joined(b, e->math == M_max ? "patc_max2" : "patc_min2", e);
	default: return e->op == OP_ADD ? joined(b, "patc_add2", e) : difference(b, e);
	}
}
