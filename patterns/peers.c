/* peers.c - lanes of a warp whose items go to one cell combine them before memory sees them.
 *
 * A word of memory takes one operation after another: where all items go to one cell an H200 adds
 * 0.6 G floats a second, and 17 where a warp brings one sum (of 16-bit cells in order, which are
 * put back word by word: 7 and 122).  At random, nearly every item is alone, and what finds that
 * out, an instruction and a vote, is hidden after the memory (95.8 and 95.7 G/s).
 *
 * Each lane's peers are known to all of them (backends/rt, patc_peers).  In rounds, every second of
 * those that are left gives its value to the one before it, until the first has all: as many rounds
 * as the largest group's logarithm.  A warp need not be whole: those that come here know of each
 * other. */
#include "peers.h"
#include "state_words.h"

/* Was it made of 32 bits?  They say as much in half the time. */
static bool is_small(const struct kx *number)
{
	while (number->kind == KX_VAR && number->var->kind == KV_LET)
		number = number->var->value;
	return number->kind == KX_CAST && type_class(number->arg[0]->type.type) != 'F'
	       && type_size(number->arg[0]->type.type) <= 4;
}

static struct kx *scalar_of_lane(struct kx *here, struct kx *value, struct kx *lane)
{
	struct kx *bits = state_bits(value), *arg[] = { here, bits, lane };
	return state_of_bits(value->type.type,
	                     x_help(bits->type,
	                            str_print("patc_of_lane_%s", type_name(bits->type.type)), 3,
	                            arg));
}

/* What another lane has. */
static struct kx *of_lane(struct lowering *l, const void *none, struct kx *const *arg)
{
	struct kx *here = arg[0], *value = arg[1], *lane = arg[2];
	(void)none;
	if (value->type.type->kind != T_STRUCT)
		return x_var(k_let(l->k, "other", scalar_of_lane(here, value, lane)));
	struct kx *other = x_var(k_var(l->k, value->type, "other", NULL));
	struct values to = { { NULL, 0, 0 } }, from = { { NULL, 0, 0 } };
	state_leaves(&to, other);
	state_leaves(&from, value);
	for (int i = 0; i < to.at.n; i++)
		k_set(l->k, to.at.at[i], scalar_of_lane(here, from.at.at[i], lane));
	return other;
}

static struct kx *join(struct lowering *l, const void *op, struct kx *const *arg)
{
	const struct type *type = arg[0]->type.type;
	k_set(l->k, arg[0], x_cast(kt(type), lower_apply(l, op, type, arg[0], arg[1], false)));
	return NULL;
}

struct kx *peers_fold(struct lowering *l, const struct op *op, struct kx *value, struct kx *number)
{
	int names = k_names(l->k);
	k_bind(l->k, "SMALL", is_small(number));
	k_bind_call(l->k, "of_lane", of_lane, NULL);
	k_bind_call(l->k, "join", join, op);
	k_text(l->k, "peers_fold", value, number);
	struct kx *first = k_get(l->k, "first");
	k_forget(l->k, names);
	return first;
}
