/* cells_flat.c - cells on a GPU whose arrays are all read and written at their own index: one long row.  So is a line of
 * structs that come to the chip whole, whatever else it reads.
 *
 * One 16-byte vector a thread, or several; the cells before the first boundary and behind the last full tile one by one.
 * Structs have no such vectors: theirs come to the chip whole (cells_structs.c), but for the last cells. */
#include <string.h>
#include "cells_structs.h"

/* The vectors of a thread, a block apart: all are loaded before the first is used. */
static void flat_vectors(struct cells *c, struct kx *strip, struct kx *lane, int vectors)
{
	struct kx *vector[FLAT_VECTORS], *at[FLAT_VECTORS];
	struct cells loaded[FLAT_VECTORS];
	for (int v = 0; v < vectors; v++) {
		vector[v] = v ? x_add(lane, x_i32(v * c->l->target->block)) : lane;
		at[v] = x_add(strip, x_to_i64(x_mul(vector[v], x_i32(c->width))));
		at[v] = x_var(k_let(c->l->k, "i", at[v]));
		c->mode = CELL_VECTOR;
		cells_load(c, at[v]);
		loaded[v] = *c;
		memset(&c->stream, 0, sizeof c->stream);
	}
	for (int v = 0; v < vectors; v++) {
		*c = loaded[v];
		c->strip_lane = vector[v];
		cells_set_column(c, at[v]);
		cells_compute_vector(c, at[v], CELL_VECTOR);
		cells_store_vector(c, at[v]);
	}
}

/* The cells of a tile one by one: of every vector in turn. */
static void flat_singles(struct cells *c, const struct strip *s, int vectors)
{
	struct strip part = *s;
	if (vectors > 1) {
		struct kvar *v = k_for(c->l->k, "v", x_i32(0), x_i32(vectors), x_i32(1), FOR_ROLLED);
		part.first = x_add(s->first, x_to_i64(x_mul(x_var(v), x_mul(s->lanes, x_i32(c->width)))));
		part.first = x_var(k_let(c->l->k, "part", part.first));
	}
	cells_singles(c, &part, CELL_PLAIN, 0);
	if (vectors > 1)
		k_end(c->l->k);
}

/* The kernel's numbers: cells there are, cells of a block; the block's first; its threads. */
struct flat { struct kx *count, *n, *head, *first, *lane, *fast; int64_t tile; int per_thread; };

static struct flat flat_open(struct cells *c)
{
	struct lowering *l = c->l;
	struct flat f = { .per_thread = c->node->choice.coarsen ? c->node->choice.coarsen : 1, .head = x_i64(0) };
	f.tile = (int64_t)l->target->block * c->width * f.per_thread;
	f.count = plan_let(l->plan, "cells", cells_count(c));
	f.n = lower_argument(l, "cells", kt_scalar(T_I64), f.count);
	block_launch_bounds(l);
	l->k->min_blocks = f.per_thread > 1 || node_slow(c->node);     /* as in cells_rows, against spills */
	f.lane = x_var(k_let(l->k, "lane", block_thread(l)));
	return f;
}

/* The cells before the first boundary, one by one; full vectors begin there, if the arrays agree on it. */
static void flat_head(struct cells *c, struct flat *f)
{
	struct lowering *l = c->l;
	struct kx *host_head = plan_let(l->plan, "head", cells_head(c, f->count));
	f->fast = lower_argument(l, "vectors", kt_scalar(T_BOOL), x_le(x_i64(0), host_head));
	f->head = lower_argument(l, "head", kt_scalar(T_I64), x_max(host_head, x_i64(0)));
	k_note(l->k, "cells before the first 16-byte boundary");
	k_if(l->k, x_and(x_eq(x_id(ID_BLOCK_X), x_i32(0)), x_lt(x_to_i64(f->lane), f->head)));
	c->position = x_to_i64(f->lane);
	cells_body(c, CELL_PLAIN);
	k_end(l->k);
}

void cells_flat_gpu(struct cells *c)
{
	struct lowering *l = c->l;
	struct whole_structs structs = whole_structs_of(c);
	struct flat f = flat_open(c);
	if (c->width > 1)
		flat_head(c, &f);
	else if (structs.at.n)
		f.fast = lower_argument(l, "aligned", kt_scalar(T_BOOL), whole_structs_aligned(&structs, l->plan));
	f.first = x_add(f.head, x_mul(x_to_i64(x_id(ID_BLOCK_X)), x_i64(f.tile)));
	f.first = x_var(k_let(l->k, "strip", f.first));
	if (f.fast) {
		k_if(l->k, x_and(f.fast, x_le(x_add(f.first, x_i64(f.tile)), f.n)));
		k_note(l->k, structs.at.n ? "a warp brings and sends the structs of its cells whole" : "full vectors");
		c->strip = f.first;
		if (structs.at.n)
			whole_structs_tile(c, &structs, f.first, f.per_thread);
		else
			flat_vectors(c, f.first, f.lane, f.per_thread);
		k_else(l->k);
	}
	flat_singles(c, &(struct strip){ f.first, NULL, f.lane, x_i32(l->target->block), NULL, f.n }, f.per_thread);
	if (f.fast)
		k_end(l->k);
	lowering_launch(l, x_div_up(f.count, x_i64(f.tile)), x_i64(1), x_i64(1));
}
