/* sort_network.c - sorting networks over the registers of lanes.
 *
 * Registers of a lane sort themselves (odd-even merging), then level by level two groups of lanes
 * that are sorted merge (bitonic).  The list of steps below is all there is of a network: one
 * reader writes it as code, with loops over levels, so that one text serves every number of lanes;
 * another in tests/unit runs it on zeros and ones.
 *
 * Note [rolling].  An exchange between lanes is three things in other designs: shuffle, compare on
 * both sides, keep one of the two.  Here one bit of the register's number, `top`, rolls over the
 * bits of the lane: two lanes trade halves of their registers, one shuffle for two registers, and
 * compare within registers what they then hold. For a lane to send the right half, registers would
 * have to change places in half of the lanes first.  They need not: the comparison before leaves
 * its result where it is wanted, falling in lanes with that bit set, and a comparison in either
 * direction costs the same.  So a step costs one shuffle and one comparison for two registers, and
 * nothing else.
 *
 * Which bit of the rank stands where: register bit b is bit b of it; before level i, lane bit i is
 * bit bits + i, and lane bits below i are bits .. bits + i - 1 from above: bit bits + t in lane i -
 * 1 - t.  Level i: lanes 0 .. i trade top halves with their mirror image, registers mirrored too,
 * so that what rises meets what falls.  Then in turn lane bits 0 .. i - 1, which hold the next
 * lower bits of the rank one after another, and last lane bit i, where the first trade put the bit
 * that top had.  There other registers are still mirrored in half of the lanes.
 *
 * At the end low bits of the rank, in registers, trade places with high ones, in lanes: then
 * neighbouring lanes store neighbouring cells, whole sectors of memory.  On an H200, 2^26 pairs of
 * u32, G pairs/s with and without that: 131 and 44 in segments of 256.  Networks of 2^7, 2^9, 2^12
 * elements: 156, 109, 61; CUB sorts 1.4, 5.4, 18 there. */
#include "sort_network.h"

enum { SPREAD = 3 };                     /* 8 words are a sector of memory */

int network_spread(int bits)
{
	return bits < SPREAD ? bits : SPREAD;
}

static void step(struct network *n, struct net_step s)
{
	list_add(&n->step, s);
}

static void loop(struct network *n, enum net_what what)
{
	step(n, (struct net_step){ .what = what });
}

static void order(struct network *n, int bit, enum net_lanes lanes, int number)
{
	step(n,
	     (struct net_step){ .what = NET_ORDER, .bit = bit, .lanes = lanes, .number = number });
}

static void trade(struct network *n, int bit, enum net_lanes lanes, int number, bool mirrored)
{
	step(n, (struct net_step){ .what = NET_TRADE,
	                           .bit = bit,
	                           .lanes = lanes,
	                           .number = number,
	                           .mirrored = mirrored });
}

/* Batcher's merging of sorted runs of `span` registers. */
static void registers(struct network *n)
{
	for (int span = 1; span < 1 << n->bits; span *= 2)
		for (int apart = span; apart >= 1; apart /= 2)
			step(n,
			     (struct net_step){ .what = NET_PAIRS, .apart = apart, .span = span });
}

/* Behind the last comparison of each: its result stands twisted for this. */
static void spread(struct network *n, int bit, int lane)
{
	trade(n, bit, NET_SPREAD, lane, false);
	step(n, (struct net_step){
			.what = NET_SWAP, .bit = bit, .lanes = NET_SPREAD, .number = lane });
}

struct network *network_sort(int bits)
{
	struct network *n = NEW(struct network);
	int top = bits - 1, low = network_spread(bits);
	n->bits = bits;
	registers(n);
	loop(n, NET_LEVELS);
	trade(n, top, NET_UP_TO_LEVEL, 0, true);
	loop(n, NET_INNERS);
	order(n, top, NET_INNER, 0);
	trade(n, top, NET_INNER, 0, false);
	loop(n, NET_END);
	order(n, top, NET_LEVEL, 0);
	trade(n, top, NET_LEVEL, 0, true);
	for (int b = top; b >= 0; b--)
		order(n, b, b < low ? NET_SPREAD : NET_NONE, b);
	loop(n, NET_END);
	for (int b = 0; b < low; b++)
		spread(n, b, b);
	return n;
}

enum { MERGE_LANE = 4 };                 /* the last bit of a lane that every warp has */

/* Element p begins in lane p % lanes: high bits of its place are those of the register. */
struct network *network_merge(int bits)
{
	struct network *n = NEW(struct network);
	n->bits = bits;
	for (int b = bits - 1; b > 0; b--)
		order(n, b, NET_NONE, 0);
	loop(n, NET_DOWN);
	order(n, 0, NET_INNER, 0);
	trade(n, 0, NET_INNER, 0, false);
	loop(n, NET_END);
	order(n, 0, NET_SPREAD, MERGE_LANE);
	spread(n, 0, MERGE_LANE);
	return n;
}

/* ---- ranks ---- */

int network_rank(int bits, int lane_bits, bool merged, int lane, int reg)
{
	int low = network_spread(bits) < lane_bits ? network_spread(bits) : lane_bits, rank = 0;
	for (int s = 0; s < lane_bits && merged; s++)
		rank |= (lane >> s & 1) << (s == MERGE_LANE ? 0 : s + 1);
	for (int s = 0; s < lane_bits && !merged; s++)
		rank |= (lane >> s & 1) << (s < low ? s : bits + lane_bits - 1 - s);
	for (int b = 0; b < bits && merged; b++)
		rank |= (reg >> b & 1) << (b ? lane_bits + b : MERGE_LANE + 1);
	for (int b = 0; b < bits && !merged; b++)
		rank |= (reg >> b & 1) << (b < low ? bits + lane_bits - 1 - b : b);
	return rank;
}

static struct kx *bit_of(struct kx *word, struct kx *number)
{
	return x_op(OP_AND, x_op(OP_SHR, word, number), x_i32(1));
}

static struct kx *shifted(struct kx *bit, struct kx *by)
{
	return x_op(OP_SHL, bit, by);
}

static struct kx *merged_lane_rank(struct kx *lane)
{
	struct kx *low = x_op(OP_AND, lane, x_i32((1 << MERGE_LANE) - 1));
	struct kx *high = x_op(OP_AND, lane, x_i32(~((1 << (MERGE_LANE + 1)) - 1)));
	struct kx *moved = x_op(OP_SHL, x_op(OP_OR, low, high), x_i32(1));
	return x_op(OP_OR, moved, bit_of(lane, x_i32(MERGE_LANE)));
}

struct kx *network_lane_rank(struct kernel *k, int bits, struct kx *lane_bits, bool merged,
                             struct kx *lane, int loops)
{
	if (merged)
		return x_var(k_let(k, "lane_rank", merged_lane_rank(lane)));
	if (x_is_int(lane_bits, 0))
		return x_i32(0);
	struct kx *rank = x_var(k_var(k, kt_scalar(T_I32), "lane_rank", x_i32(0)));
	struct kx *s = x_var(k_for(k, "s", x_i32(0), lane_bits, x_i32(1), loops));
	struct kx *turned = x_sub(x_add(lane_bits, x_i32(bits - 1)), s);
	struct kx *to = x_cond(x_lt(s, x_i32(network_spread(bits))), s, turned);
	k_set(k, rank, x_op(OP_OR, rank, shifted(bit_of(lane, s), to)));
	k_end(k);
	return rank;
}

struct kx *network_bit_rank(int bits, struct kx *lane_bits, bool merged, int bit)
{
	struct kx *one = x_i32(1), *own = x_i32(1 << bit);
	if (merged)
		return bit ? shifted(one, x_add(lane_bits, x_i32(bit))) : x_i32(2 << MERGE_LANE);
	if (bit >= network_spread(bits))
		return own;
	struct kx *high = shifted(one, x_sub(x_add(lane_bits, x_i32(bits - 1)), x_i32(bit)));
	return x_cond(x_lt(x_i32(bit), lane_bits), high, own);
}
