/* balanced_lanes.c - rows of nearly one length, a few lanes each.
 *
 * Where rows are even, parts of equal work are as many rows each: no boundary need be looked for,
 * no term goes through shared memory, no thread waits for its block, and no row is cut.  That
 * matters where terms look cells up: those requests are the limit (on an H200 2^26 cells at random
 * and 0.5 GB of the rest take 477 us), and anything that leaves them idle is seen.
 *
 *   short rows   a thread a row, PER_THREAD terms at a time: neighbours meet in the cache
 *   others       2 .. 32 lanes a row by its mean length, a vector of terms each at a time
 *
 * Whether rows are even is judged on the device, as the boundaries of parts are found: by the least
 * number of rows that end in a part, which also says that no row is longer than a part.  It depends
 * on the offsets alone, so results repeat bit for bit.  A row's two offsets are all that is used of
 * them: none can lead others astray.
 *
 * H200, f32, with all kernels of the call: 32 a row at random 488 us (tiles 497, cuSPARSE 491 ..
 * 504), the five points of a 4096^2 grid 216 .. 240 us (tiles 297, cuSPARSE 309).  4 lanes of 32
 * terms: 530, 16: 497; 2 lanes of 5: 357. A thread with 4, 5, 6, 8 terms at a time: 253, 237, 238,
 * 272. */
#include "balanced.h"

enum {
	PER_THREAD = 5                   /* terms of a short row at a time */
};

/* Boundary t, and its row. */
struct kx *balanced_judge(struct lowering *l, const void *balanced, struct kx *const *boundary)
{
	struct balanced *b = (struct balanced *)balanced;
	balanced_array(b, "uneven", T_I32, b->uneven, false);
	balanced_number(b, "fewest", b->host_fewest);
	k_text(l->k, "judge_part", boundary[0], boundary[1]);
	return NULL;
}

static struct kx *up_to(struct kx *n, struct kx *step)
{
	return x_mul(x_div_up(n, step), step);
}

/* As many rows a block as there are blocks for, rounded up to what its threads take in turn. */
struct kx *balanced_lanes(struct lowering *l, const void *balanced, struct kx *const *none)
{
	struct balanced *b = (struct balanced *)balanced;
	const int threads = l->k->block[0], lanes = l->target->lanes;
	struct kx *rows = x_div_up(b->host_rows, b->host_parts),
		  *share = up_to(rows, x_i64(threads));
	bool vectors = b->host_bits && b->width > 1;
	(void)none;
	b->in_registers = !vectors;
	b->at_once = vectors ? b->width : PER_THREAD;
	k_numbers(l->k, "VECTORS, WIDTH", vectors, b->at_once);
	if (vectors) {
		k_bind(l->k, "lane_bits",
		       lower_argument(l, "lane_bits", kt_scalar(T_I32), b->host_bits));
		share = up_to(x_div_up(rows, x_i64(threads / lanes)),
		              x_op(OP_SHR, x_i64(lanes), b->host_bits));
		k_bind(l->k, "strip_lo", "of_lane");
		k_bind(l->k, "strip_hi", "of_lane");
	}
	balanced_number(b, "share", share);
	k_text(l->k, vectors ? "fold_rows_by_lanes" : "fold_rows_by_threads");
	b->in_registers = false;
	b->at_once = b->width;
	return NULL;
}
