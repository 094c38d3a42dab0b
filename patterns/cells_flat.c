/* cells_flat.c - cells on a GPU whose arrays are all read and written at their own index: one long
 * row.  So is a line of structs that come to the chip whole, whatever else it reads.
 *
 * One 16-byte vector a thread, or several; the cells before the first boundary and after the last
 * full tile one by one. Structs have no such vectors: theirs come to the chip whole
 * (cells_structs.c), but for the last cells. */
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

/* ---- the functions of cells.kernel ---- */

struct flat { struct cells *c; struct whole_structs structs; int per_thread; struct kx *cells; };

static struct kx *take_cell(struct lowering *l, const void *flat, struct kx *const *place)
{
	struct cells *c = ((const struct flat *)flat)->c;
	(void)l;
	c->position = place[0];
	cells_body(c, CELL_PLAIN);
	return NULL;
}

static struct kx *take_vectors(struct lowering *l, const void *flat, struct kx *const *arg)
{
	const struct flat *f = flat;
	(void)l;
	f->c->strip = arg[0];
	flat_vectors(f->c, arg[0], arg[1], f->per_thread);
	return NULL;
}

static struct kx *take_structs(struct lowering *l, const void *flat, struct kx *const *strip)
{
	struct flat *f = (struct flat *)flat;
	(void)l;
	f->c->strip = strip[0];
	whole_structs_tile(f->c, &f->structs, strip[0], f->per_thread);
	return NULL;
}

static struct kx *take_singles(struct lowering *l, const void *flat, struct kx *const *arg)
{
	const struct flat *f = flat;
	struct strip s = { arg[0], NULL, arg[1], x_i32(l->target->block), NULL, f->cells };
	cells_singles(f->c, &s, CELL_PLAIN, 0);
	return NULL;
}

/* ---- the kernel ---- */

/* Full vectors begin at the first boundary, if the arrays agree on it; `fast`: may the fast way be
 * taken? */
static void bind_fast(struct flat *f, struct kx *host_cells)
{
	struct lowering *l = f->c->l;
	struct kx *fast = x_int(T_BOOL, 0), *head = x_i64(0);
	if (f->c->width > 1) {
		struct kx *host = plan_let(l->plan, "head", cells_head(f->c, host_cells));
		fast = lower_argument(l, "vectors", kt_scalar(T_BOOL), x_le(x_i64(0), host));
		head = lower_argument(l, "head", kt_scalar(T_I64), x_max(host, x_i64(0)));
	} else if (f->structs.at.n) {
		fast = lower_argument(l, "aligned", kt_scalar(T_BOOL),
		                      whole_structs_aligned(&f->structs, l->plan));
	}
	k_bind(l->k, "fast", fast);
	k_bind(l->k, "head", head);
}

void cells_flat_gpu(struct cells *c)
{
	struct lowering *l = c->l;
	struct flat f = { .c = c, .structs = whole_structs_of(c) };
	f.per_thread = c->node->choice.coarsen ? c->node->choice.coarsen : 1;
	int64_t tile = (int64_t)l->target->block * c->width * f.per_thread;
	struct kx *host_cells = plan_let(l->plan, "cells", cells_count(c));
	f.cells = lower_argument(l, "cells", kt_scalar(T_I64), host_cells);
	block_launch_bounds(l);
	/* as in cells_rows, against spills */
	l->k->min_blocks = f.per_thread > 1 || node_slow(c->node);
	bind_fast(&f, host_cells);
	k_bind(l->k, "cells", f.cells);
	k_numbers(l->k, "BLOCK, WIDTH, EACH, TILE", l->target->block, c->width, f.per_thread, tile);
	k_bind(l->k, "STRUCTS", f.structs.at.n > 0);
	k_bind_calls(l->k, &f, { "take_cell", take_cell }, { "take_vectors", take_vectors },
	             { "take_structs", take_structs }, { "take_singles", take_singles });
	k_text(l->k, "cells_flat");
	lowering_launch(l, x_div_up(host_cells, x_i64(tile)), x_i64(1), x_i64(1));
}
