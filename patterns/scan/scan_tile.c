/* scan_tile.c - the cells of a tile: scan_tile.h.
 *
 * Cells are numbered in the order of the scan: from right the last cell is number 0, or a few
 * numbers later, so that vectors stay whole.  Many sequences side by side are one long one, in
 * which a cell may begin a sequence.
 *
 * Note [cells that are not there]: whoever has a number outside the array holds the cell nearest to
 * it instead, so that a tile is computed in one way whether it is whole or not.  Such cells come
 * after all others, and are not stored; only from right those of a first vector come before, and
 * are left out. */
#include <assert.h>
#include "scan_tile.h"

/* ---- the arrays ---- */

static bool hold(struct expr *e, void *state)
{
	struct holding *h = state;
	if (!scan_own(h->node, e))
		return true;
	for (int i = 0; i < h->at.n; i++)
		if (h->at.at[i] == e->var)
			return true;
	list_add(&h->at, e->var);
	return true;
}

struct holding held_arrays(const struct scan *s)
{
	struct holding h = { .node = s->node };
	if (s->flat)
		scan_each(s->node, hold, &h);
	return h;
}

struct holding flat_arrays(const struct scan *s)
{
	struct holding h = held_arrays(s);
	for (int i = 0; node_target(s->node, i); i++)
		hold(target_read(node_target(s->node, i)), &h);
	return h;
}

bool tile_counts(const struct tiles *t)
{
	return t->s->node->index.n > 1;
}

static bool has_padding(const struct tiles *t)
{
	return t->last && t->s->width > 1;
}

/* ---- what the texts of scan_tile.kernel know of the scan ---- */

KTEXT_HOLE(count)
{
	return scan_count(((const struct tiles *)state)->s);
}

KTEXT_HOLE(length)
{
	struct scan *s = ((const struct tiles *)state)->s;
	return scan_size(s, s->axis);
}

KTEXT_HOLE(uses_row)
{
	return x_int(T_BOOL, scan_uses_row(((const struct tiles *)state)->s, false));
}

KTEXT_HOLE(uses_any_row)
{
	return x_int(T_BOOL, scan_uses_row(((const struct tiles *)state)->s, true));
}

KTEXT_HOLE(use_column)
{
	struct scan *s = ((const struct tiles *)state)->s;
	s->column = arg[0]->var;
	s->row = NULL;
	return NULL;
}

KTEXT_HOLE(use_row)
{
	((const struct tiles *)state)->s->row = arg[0]->var;
	return NULL;
}

KTEXT_HOLE(row)
{
	return x_var(((const struct tiles *)state)->s->row);
}

static struct kx *row_there(const struct tiles *t)
{
	return t->s->row ? k_value(t->s->l->k, "row_there") : NULL;
}

/* The marks of a vector lie in one word: of the tile in its shared memory, or of the axis. */
KTEXT_HOLE(has_marks)
{
	const struct tiles *t = state;
	struct scan *s = t->s;
	bool global = s->marks && !tile_counts(t) && t->held && !t->last && s->width > 1
	              && x_is_int(scan_lo(s, s->axis), 0);
	return x_int(T_BOOL, global || tile_marks(t));
}

KTEXT_HOLE(use_marks)
{
	((const struct tiles *)state)->s->mark_bits = arg[0];
	return NULL;
}

/* Its number, where in its sequence, where it is held, which of a vector. */
KTEXT_HOLE(bind_cell)
{
	const struct tiles *t = state;
	struct scan *s = t->s;
	s->number = arg[0];
	s->slot = t->held ? arg[2] : NULL;
	s->lane = s->mark = arg[3];
	if (t->strips)
		s->leads = x_and(x_eq(s->lane, x_i32(0)), x_eq(s->number, k_get(l->k, "first")));
	scan_bind(s, arg[1], row_there(t));
	return NULL;
}

KTEXT_HOLE(bind_stored)
{
	struct scan *s = ((const struct tiles *)state)->s;
	s->number = arg[0];
	scan_bind(s, arg[1], NULL);
	return NULL;
}

static struct kx *or_always(struct kx *condition)
{
	return condition ? condition : x_int(T_BOOL, 1);
}

KTEXT_HOLE(guarded)
{
	struct scan *s = ((const struct tiles *)state)->s;
	return or_always(s->even ? NULL : cells_guard(s->cells));
}

KTEXT_HOLE(inside)
{
	return or_always(scan_inside(((const struct tiles *)state)->s));
}

KTEXT_HOLE(all_inside)
{
	return or_always(scan_all_inside(((const struct tiles *)state)->s));
}

KTEXT_HOLE(vectors)
{
	return or_always(((const struct tiles *)state)->aligned);
}

KTEXT_HOLE(head_here)
{
	const struct tiles *t = state;
	return scan_head(t->s, tile_counts(t) ? x_var(t->s->column) : NULL);
}

/* ---- the two passes ---- */

KTEXT_HOLE(add)
{
	carry_add(((const struct tiles *)state)->s->carry, &total_of(arg[0])->acc,
	          kx_unless_known(arg[1]));
	return NULL;
}

KTEXT_HOLE(compute)
{
	struct scan *s = ((const struct tiles *)state)->s;
	s->stores = kx_unless_known(arg[1]);
	carry_cell(s->carry, kx_unless_known(arg[0]), scan_store, s);
	return NULL;
}

KTEXT_HOLE(resume)
{
	const struct tiles *t = state;
	if (t->s->running->froms && t->s->row)
		scan_bind_row(t->s, row_there(t));
	carry_resume(t->s->carry, &total_of(arg[0])->acc);
	return NULL;
}

KTEXT_HOLE(use_from)
{
	scan_use_from(((const struct tiles *)state)->s);
	return NULL;
}

/* Vectors for what the targets get. */
KTEXT_HOLE(declare_out)
{
	const struct tiles *t = state;
	struct scan *s = t->s;
	s->out.n = 0;
	for (int i = 0; t->held && s->width > 1 && node_target(s->node, i); i++) {
		const struct var *var = target_read(node_target(s->node, i))->var;
		list_add(&s->out, k_var(l->k, kt_vector(var->type, s->width),
		                        str_print("%s%d", var->name, s->width), NULL));
	}
	return NULL;
}

KTEXT_HOLE(load_held)
{
	struct scan *s = ((const struct tiles *)state)->s;
	for (int h = 0; h < s->held.n; h++)
		k_text(l->k, "load_cells", x_var(s->held.at[h].cells),
		       lower_pointer(l, s->held.at[h].var), arg[0]);
	return NULL;
}

void tile_bind(struct tiles *t)
{
	struct scan *s = t->s;
	struct kernel *k = s->l->k;
	bool by_head = tile_counts(t) || !s->even || s->cuts;
	k_numbers(k, "BLOCK, WIDTH, VECTORS, STRETCH, CELLS", k->block[0], s->width, t->vectors,
	          t->stretch, t->cells);
	k_numbers(k, "RIGHT, STRIPS, HELD, COUNTS", t->last != NULL, t->strips, t->held,
	          tile_counts(t));
	k_numbers(k, "PADDED, BY_HEAD, HEADS", has_padding(t), by_head,
	          by_head || carry_marks(s->carry));
	k_numbers(k, "OFFSETS, GLOBAL_MARKS, TILE_MARKS", s->first_offset != NULL, s->marks != NULL,
	          tile_marks(t));
	k_bind(k, "BACK", t->strips ? t->stretch : (int64_t)s->width);
	k_bind(k, "tile", t->tile);
	k_bind(k, "tiles", t->back->tiles);
	k_bind(k, "lane", t->back->lane);
	k_bind(k, "warp", t->back->warp);
	if (t->last)
		k_bind(k, "last", t->last);
	if (s->marks)
		k_bind(k, "heads", s->marks);
	k_bind_calls(k, t, { "count", count }, { "length", length }, { "uses_row", uses_row },
	             { "uses_any_row", uses_any_row }, { "use_column", use_column },
	             { "use_row", use_row }, { "row", row }, { "has_marks", has_marks },
	             { "use_marks", use_marks }, { "bind_cell", bind_cell },
	             { "bind_stored", bind_stored }, { "guarded", guarded }, { "inside", inside },
	             { "all_inside", all_inside }, { "vectors", vectors },
	             { "head_here", head_here }, { "add", add }, { "compute", compute },
	             { "resume", resume }, { "use_from", use_from }, { "declare_out", declare_out },
	             { "load_held", load_held });
}
