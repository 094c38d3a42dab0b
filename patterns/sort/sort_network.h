/* sort_network.h - networks that sort in the registers of lanes, as lists of steps: sort_network.c.
 * */
#ifndef SORT_NETWORK_H
#define SORT_NETWORK_H

#include "kir.h"

/* Which lanes a step asks.  In the loops of a network `level` and `inner` are the numbers of bits
 * of the lane. */
enum net_lanes {
	NET_NONE,
	NET_LEVEL, NET_INNER,        /* one bit of the lane */
	NET_UP_TO_LEVEL,             /* bits 0 .. level */
	NET_SPREAD                 /* bit `number`, in the last level, where there is such a lane */
};
enum net_what {
	/* registers r and r + apart in order, both in the same 2 * span of them, where bit */
	NET_PAIRS,
	                             /* `apart` of (r - apart % span) is 0: odd-even merging */
	NET_ORDER,    /* registers r and r with `bit` in order; falling in lanes whose bit is set */
	/* registers with `bit` come from the lane with those bits of its number flipped; */
	NET_TRADE,
	                             /* mirrored: from the register whose lower bits are flipped too
	                              * */
	NET_SWAP,         /* registers r and r with `bit` change places in lanes whose bit is set */
	/* loops: level over all bits; inner below level; inner over all, from above */
	NET_LEVELS, NET_INNERS, NET_DOWN,
	NET_END
};
struct net_step {
	enum net_what what;
	int bit;
	enum net_lanes lanes;
	int number;
	bool mirrored;
	int apart, span;
};
struct network { int bits; LIST(struct net_step) step; };        /* 2^bits registers a lane */

struct network *network_sort(int bits);      /* anything becomes sorted */
/* what rises and then falls, striped over 32 lanes or more, does */
struct network *network_merge(int bits);
/* so many low bits of the rank end up in lanes, if there are so many lanes */
int network_spread(int bits);

/* Where a network over 2^lane_bits lanes leaves things: an element's rank; merged: network_merge */
int network_rank(int bits, int lane_bits, bool merged, int lane, int reg);
/* Of register 0; i32.  loops: how compilers are to treat loops over levels, FOR_ROLLED, or
 * FOR_UNROLL where they will know how many lanes there are. */
struct kx *network_lane_rank(struct kernel *, int bits, struct kx *lane_bits, bool merged,
                             struct kx *lane, int loops);
/* what a bit of the register adds */
struct kx *network_bit_rank(int bits, struct kx *lane_bits, bool merged, int bit);

#endif
