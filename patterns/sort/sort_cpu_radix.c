/* sort_cpu_radix.c - a long sequence sorted by the digits of its words, the lowest first, on a CPU.
 *
 * For each digit, of DIGIT bits: threads count in each stretch of cells how many have which digit; one adds up, digit
 * by digit and within one stretch by stretch, where those begin; threads move every stretch's cells to their places, in
 * their order, from one half of the workspace to the other.  A digit that is the same in all cells moves nothing.
 * Stretches depend on the length only.  Per digit: the keys are read twice and all is moved once. */
#include "sort_cpu.h"

/* The digit's number among DIGITS, of a key in the workspace. */
static struct kx *digit_of(const struct cpu_sort *s, struct kx *code, struct kx *shift)
{
	struct kx *word = sort_word_of_code(s->l, s->node, code);
	struct ktype type = word->type;
	return x_to_i64(x_op(OP_AND, x_op(OP_SHR, word, shift), x_int(type.type->kind, DIGITS - 1)));
}

static void load(const struct cpu_sort *s, const struct piece *p)
{
	struct kx *i = cpu_for(s, "next", x_i64(0), p->n, FOR_PARALLEL), *with;
	struct kx *key = cpu_load(s, p, i, &with);
	cpu_put(s, x_add(p->base, i), key, with);
	k_end(s->k);
}

struct stretches { struct kx *cells, *count; };   /* of each, how many there are */

static struct stretches cut(const struct cpu_sort *s, const struct piece *p)
{
	struct kx *cells = cpu_let(s, "stretch_cells", x_max(x_div_up(p->n, x_i64(STRETCHES)), x_i64(STRETCH)));
	return (struct stretches){ cells, cpu_let(s, "stretches", x_div_up(p->n, cells)) };
}

/* Opens the loop over the cells of a stretch. */
static struct kx *open_stretch(const struct cpu_sort *s, const struct piece *p, const struct stretches *t, struct kx *stretch)
{
	struct kx *first = cpu_let(s, "stretch_first", x_mul(stretch, t->cells));
	struct kx *end = cpu_let(s, "stretch_end", x_min(x_add(first, t->cells), p->n));
	return cpu_for(s, "next", first, end, 0);
}

static struct kx *count_at(const struct cpu_sort *s, struct kx *stretch, struct kx *digit)
{
	return x_at(s->counts, x_add(x_mul(stretch, x_i64(DIGITS)), digit));
}

static void count(const struct cpu_sort *s, const struct piece *p, struct kx *from, struct kx *shift,
                  const struct stretches *t)
{
	struct kernel *k = s->k;
	k_note(k, "how many cells of each stretch have which digit");
	struct kx *stretch = cpu_for(s, "stretch", x_i64(0), t->count, FOR_PARALLEL);
	struct kx *each = cpu_for(s, "digit", x_i64(0), x_i64(DIGITS), 0);
	k_set(k, count_at(s, stretch, each), x_i64(0));
	k_end(k);
	struct kx *i = open_stretch(s, p, t, stretch);
	struct kx *code = cpu_let(s, "key", x_at(s->keys, x_add(from, i)));
	struct kx *place = count_at(s, stretch, cpu_let(s, "digit", digit_of(s, code, shift)));
	k_set(k, place, x_add(place, x_i64(1)));
	k_end(k);
	k_end(k);
}

/* Counts become the places of the first; gives whether one digit is that of all cells. */
static struct kx *add_up(const struct cpu_sort *s, const struct piece *p, const struct stretches *t)
{
	struct kernel *k = s->k;
	k_note(k, "where those go");
	struct kx *ahead = cpu_var(s, "ahead", x_i64(0));
	struct kx *same = x_var(k_var(k, kt_scalar(T_BOOL), "same", x_int(T_BOOL, 0)));
	struct kx *digit = cpu_for(s, "digit", x_i64(0), x_i64(DIGITS), 0);
	struct kx *before = cpu_let(s, "before", ahead);
	struct kx *place = count_at(s, cpu_for(s, "stretch", x_i64(0), t->count, 0), digit);
	struct kx *held = cpu_let(s, "held", place);
	k_set(k, place, ahead);
	k_set(k, ahead, x_add(ahead, held));
	k_end(k);
	k_if(k, x_eq(x_sub(ahead, before), p->n));
	k_set(k, same, x_int(T_BOOL, 1));
	k_end(k);
	k_end(k);
	return same;
}

static void move(const struct cpu_sort *s, const struct piece *p, struct kx *from, struct kx *to, struct kx *shift,
                 const struct stretches *t)
{
	struct kernel *k = s->k;
	struct kx *stretch = cpu_for(s, "stretch", x_i64(0), t->count, FOR_PARALLEL);
	struct kx *i = open_stretch(s, p, t, stretch), *cell = x_add(from, i);
	struct kx *code = cpu_let(s, "key", x_at(s->keys, cell));
	struct kx *place = count_at(s, stretch, cpu_let(s, "digit", digit_of(s, code, shift)));
	cpu_put(s, cpu_let(s, "place", x_add(to, place)), code, s->with ? x_at(s->withs, cell) : NULL);
	k_set(k, place, x_add(place, x_i64(1)));
	k_end(k);
	k_end(k);
}

struct kx *cpu_radix_sort(const struct cpu_sort *s, const struct piece *p)
{
	struct kernel *k = s->k;
	struct stretches t = cut(s, p);
	struct kx *from = cpu_var(s, "from", p->base), *to = cpu_var(s, "to", x_add(p->base, s->total));
	load(s, p);
	struct kx *shift = x_var(k_for(k, "shift", x_i64(0), x_i64(sort_word_bits(s->node)), x_i64(DIGIT), 0));
	count(s, p, from, shift, &t);
	k_if(k, x_unary(OP_NOT, add_up(s, p, &t)));
	move(s, p, from, to, shift, &t);
	struct kx *held = cpu_let(s, "held", from);
	k_set(k, from, to);
	k_set(k, to, held);
	k_end(k);
	k_end(k);
	return from;
}
