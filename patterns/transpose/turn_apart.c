/* turn_apart.c - a tile whose rows begin anywhere in memory, turned by aligned accesses of 16 bytes all the same.
 *
 * A chunk is the cells of an access: it begins at a multiple of them in memory. Every row has its own past, the cells from
 * the beginning of the chunk that holds its first cell to that cell. The tile holds the chunks around its cells, so rows
 * have one chunk more; what is written in chunks wants cells of rows in front of the tile, the halo: a chunk's but one.
 * Chunks of which a row's end takes a part are moved cell by cell, so nothing is read or written that is not the row's.
 *
 * In the tile, chunk c of row r is number r * pitch + r / vector + c: eight lanes that gather the cells of a chunk of the
 * other side, from as many rows, find eight different chunks of the banks, if a vector of rows is a multiple of eight.
 *
 * All loads of a thread are under way before the first is stored: where a chunk does not lie in a row of the array, the
 * nearest one that does is loaded and stored in its stead. On an H200 f32 16387 x 16379 takes 0.67 ms so, cell by cell
 * 0.84; u8 16385 x 16383 0.20 and 0.62; u16 0.38. Rows that are aligned are turned faster by what knows that (turn_gpu.c). */
#include "turn.h"

/* ---- the tile ---- */

static int chunks_of(const struct turn_form *f)
{
	return f->size[FROM] / f->vector + 1;
}

static int rows_of(const struct turn_form *f)
{
	return f->size[TO] + f->halo;
}

static int pitch_of(const struct turn_form *f)
{
	int step = f->vector < TURN_CHUNKS ? TURN_CHUNKS / f->vector : 1;
	return (chunks_of(f) + step - 1) / step * step;
}

int64_t turn_apart_cells(const struct turn_form *f)
{
	return ((int64_t)rows_of(f) * pitch_of(f) + rows_of(f) / f->vector + 1) * f->vector;
}

/* ---- the kernel: turn_apart.kernel ---- */

static void bind_arrays(struct mover *m)
{
	struct kx *bytes[TURN_READS];
	for (int r = 0; r < m->turn->reads; r++)
		bytes[r] = x_int(T_INT_LIT, type_size(m->turn->read[r]->type));
	bind_values(m->k, "BYTES", m->turn->reads, bytes);
	k_bind(m->k, "OUT_BYTES", type_size(m->turn->target->type));
	mover_words(m, "array_past", "_past");
	mover_words(m, "array_more", "_more");
	k_bind(m->k, "target_past", str_print("%s_past", m->turn->target->var->name));
	k_bind(m->k, "target_more", str_print("%s_more", m->turn->target->var->name));
}

void turn_apart(const struct turn *t, struct plan *plan, struct turn_form form, const char *suffix)
{
	struct kx *size[2] = { x_i64(form.size[FROM]), x_i64(form.size[TO]) };
	struct mover m = mover_open(t, plan, form, suffix);
	bind_arrays(&m);
	k_numbers(m.k, "COLUMNS, ROWS, HALO, WIDTH, PITCH, CHUNKS", form.size[FROM], form.size[TO], form.halo,
	          chunks_of(&form), pitch_of(&form), TURN_CHUNKS);
	mover_kernel(&m, "turn_apart", size);
}
