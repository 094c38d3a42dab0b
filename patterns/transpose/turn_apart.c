/* turn_apart.c - tiles whose rows begin anywhere in memory, turned by aligned accesses of 16 bytes.
 *
 * A chunk is the cells of an access: it begins at a multiple of them in memory.  Every row has its
 * own past: the cells before its first one, from the beginning of the chunk that holds it.  The
 * tile holds the chunks around its cells, so rows have one chunk more.  What is written in chunks
 * needs cells of rows before the tile, the halo: all of a chunk but one.  Of a chunk that a row's
 * end cuts the cells are moved one by one, so only those of the row are read and written.
 *
 * In the tile, chunk c of row r is number r * pitch + r / vector + c: eight lanes that gather the
 * cells of a chunk of the other side, from as many rows, use all banks, if a vector of rows is a
 * multiple of eight chunks.
 *
 * All loads of a thread are under way before the first is stored: where a chunk is not inside of a
 * row of the array, the nearest one that is is loaded and stored instead.  On an H200 f32
 * 16387 x 16379 takes 0.67 ms, cell by cell 0.84; u8 16385 x 16383 0.20 and 0.62; u16 0.38.  Rows
 * that are aligned are turned faster by the kernel for them (turn_gpu.c). */
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

static void bind_bytes(struct mover *m)
{
	struct kx *bytes[TURN_READS];
	for (int r = 0; r < m->turn->reads; r++)
		bytes[r] = x_int(T_INT_LIT, type_size(m->turn->read[r]->type));
	bind_values(m->k, "BYTES", m->turn->reads, bytes);
	k_bind(m->k, "OUT_BYTES", type_size(m->turn->target->type));
	mover_words(m, "array_past", "target_past", "_past");
	mover_words(m, "array_more", "target_more", "_more");
}

void turn_apart(const struct turn *t, struct plan *plan, struct turn_form form,
                const char *suffix)
{
	struct mover m = mover_open(t, plan, form, suffix);
	bind_bytes(&m);
	k_numbers(m.k, "HALO, WIDTH, PITCH", form.halo, chunks_of(&form), pitch_of(&form));
	mover_kernel(&m, "turn_apart");
}
