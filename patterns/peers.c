/* peers.c - lanes of a warp whose items go to one cell combine them before memory sees them.
 *
 * A word of memory takes one operation after another: where all items go to one cell an H200 adds 0.6 G floats a second, and
 * 17 where a warp brings one sum (of 16-bit cells in order, which are put back word by word: 7 and 122).  At random, nearly every
 * item is alone, and what finds that out, an instruction and a vote, is hidden behind the memory (95.8 and 95.7 G/s).
 *
 * Each lane's peers are known to all of them (backends/rt, patc_peers).  In rounds, every second of those that are left gives its
 * value to the one before it, until the first has all: as many rounds as the largest group's logarithm.  A warp need not be
 * whole: those that come here know of each other. */
#include "block_scan.h"
#include "peers.h"
#include "state_words.h"

static struct kx *ask(struct lowering *l, const char *name, int n, struct kx **arg)
{
	return x_cast(no_lanes(l)->type, x_help(kt_scalar(T_U64), name, n, arg));
}

static struct kx *among(struct lowering *l, struct kx *here, struct kx *is)
{
	return ask(l, "patc_among", 2, (struct kx *[]){ here, is });
}

static struct kx *some(struct lowering *l, struct kx *mask)
{
	return x_ne(mask, no_lanes(l));
}

/* Was it made of 32 bits?  They say as much in half the time. */
static bool is_small(const struct kx *number)
{
	while (number->kind == KX_VAR && number->var->kind == KV_LET)
		number = number->var->value;
	return number->kind == KX_CAST && type_class(number->arg[0]->type.type) != 'F' && type_size(number->arg[0]->type.type) <= 4;
}

static struct kx *peers_of(struct lowering *l, struct kx *here, struct kx *number)
{
	const struct type *type = type_scalar(is_small(number) ? T_U32 : T_U64);
	struct kx *arg[] = { here, x_cast(kt(type), number) };
	return ask(l, str_print("patc_peers_%s", type_name(type)), 2, arg);
}

static struct kx *scalar_of_lane(struct kx *here, struct kx *value, struct kx *lane)
{
	struct kx *bits = state_bits(value), *arg[] = { here, bits, lane };
	return state_of_bits(value->type.type, x_help(bits->type, str_print("patc_of_lane_%s", type_name(bits->type.type)), 3, arg));
}

/* What another lane has. */
static struct kx *of_lane(struct lowering *l, struct kx *here, struct kx *value, struct kx *lane)
{
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

static void open_rounds(struct lowering *l, struct kx *here, struct kx *behind)
{
	k_while(l->k, some(l, among(l, here, some(l, behind))));
}

static void round_of(struct lowering *l, const struct op *op, struct kx *here, struct kx *value, struct kx *behind, struct kx *rank, struct kx *lane)
{
	const char *ctz = str_print("patc_ctz_%s", type_name(behind->type.type));
	struct kx *next = x_var(k_let(l->k, "next", x_cond(some(l, behind), x_help(kt_scalar(T_I32), ctz, 1, &behind), lane)));
	struct kx *other = of_lane(l, here, value, next);
	k_if(l->k, some(l, behind));
	k_set(l->k, value, x_cast(value->type, lower_apply(l, op, value->type.type, value, other, false)));
	k_end(l->k);
	k_set(l->k, behind, x_op(OP_AND, behind, among(l, here, x_eq(x_op(OP_AND, rank, x_i32(1)), x_i32(0)))));
	k_set(l->k, rank, x_op(OP_SHR, rank, x_i32(1)));
}

struct kx *peers_fold(struct lowering *l, const struct op *op, struct kx *value, struct kx *number)
{
	struct kernel *k = l->k;
	struct kx *warp, *lane = lane_of(l, &warp);
	struct kx *here = x_var(k_let(k, "here", x_help(kt_scalar(T_U64), "patc_here", 0, NULL)));
	struct kx *peers = x_var(k_let(k, "peers", peers_of(l, here, number)));
	struct kx *before = x_op(OP_AND, peers, lanes_before(l, lane, 0));
	struct kx *with = x_op(OP_AND, peers, lanes_before(l, lane, 1));
	const char *count = str_print("patc_popcount_%s", type_name(no_lanes(l)->type.type));
	struct kx *rank = x_var(k_var(k, kt_scalar(T_I32), "rank", x_to_i32(x_help(kt_scalar(T_I32), count, 1, &before))));
	struct kx *behind = x_var(k_var(k, no_lanes(l)->type, "behind", x_op(OP_XOR, peers, with)));
	struct kx *first = x_var(k_let(k, "first", x_eq(rank, x_i32(0))));
	open_rounds(l, here, behind);
	round_of(l, op, here, value, behind, rank, lane);
	k_end(k);
	return first;
}
