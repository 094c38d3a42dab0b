/* turn_cpu.c - a transpose on a CPU: threads share the tiles.
 *
 * A thread copies the rows of a tile into memory of its own, each cache line once, and writes the rows of the target from
 * there. Read in place, rows whose distance is a power of two would all want the same few places of the cache. */
#include "turn.h"

enum { TILE = 64, WIDE_TILE = 32, PAD = 1 };     /* cells along a side; of more than 8 bytes */

static struct kx *left_in(struct mover *m, int side, int size)
{
	return x_min(x_i64(size), x_sub(m->count[side], m->first[side]));
}

static void fill(struct mover *m, int size, struct kx *rows, struct kx *columns)
{
	for (int r = 0; r < m->turn->reads; r++) {
		struct kx *to = x_var(k_for(m->k, "to", x_i64(0), rows, x_i64(1), 0));
		struct kx *from = x_var(k_for(m->k, "from", x_i64(0), columns, x_i64(1), FOR_SIMD));
		struct kx *cell = x_at(x_var(m->tile[r]), x_add(x_mul(to, x_i64(size + PAD)), from));
		k_set(m->k, cell, x_at(m->in[r], x_add(x_mul(to, m->in_step[r]), from)));
		k_end(m->k);
		k_end(m->k);
	}
}

static void empty(struct mover *m, int size, struct kx *rows, struct kx *columns)
{
	struct kx *from = x_var(k_for(m->k, "from", x_i64(0), columns, x_i64(1), 0));
	struct kx *to = x_var(k_for(m->k, "to", x_i64(0), rows, x_i64(1), 0));
	struct kx *into = x_at(m->out, x_add(x_mul(from, m->out_step), to));
	mover_place_all(m, x_add(x_mul(to, x_i64(size + PAD)), from));
	mover_store(m, from, to, into, into);
	k_end(m->k);
	k_end(m->k);
}

static int tile_side(const struct turn *t)
{
	int side = TILE;
	for (int r = 0; r < t->reads; r++)
		side = type_size(t->read[r]->type) > 8 ? WIDE_TILE : side;
	return side;
}

void turn_cpu(const struct turn *t, struct plan *plan)
{
	int side = tile_side(t);
	struct kx *size[2] = { x_i64(side), x_i64(side) };
	struct mover m = mover_open(t, plan, (struct turn_form){ .size = { side, side } }, "");
	struct kx *tiles = lower_argument(m.l, "tiles", kt_scalar(T_I64), plan_let(plan, "tiles", mover_tiles(&m, size)));
	struct kx *number = x_var(k_for(m.k, "number", x_i64(0), tiles, x_i64(1), FOR_PARALLEL));
	mover_place(&m, number, size, size);
	for (int r = 0; r < t->reads; r++)
		m.tile[r] = k_shared(m.k, t->read[r]->type, str_print("%s_tile", t->read[r]->var->name), side * (side + PAD));
	struct kx *rows = x_var(k_let(m.k, "rows", left_in(&m, TO, side)));
	struct kx *columns = x_var(k_let(m.k, "columns", left_in(&m, FROM, side)));
	fill(&m, side, rows, columns);
	empty(&m, side, rows, columns);
	k_end(m.k);
	lowering_launch(m.l, x_i64(1), x_i64(1), x_i64(1));
}
