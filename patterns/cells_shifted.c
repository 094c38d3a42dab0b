/* cells_shifted.c - vectors of cells in rows that begin anywhere.
 *
 * A row whose length is no multiple of a vector begins at another place of a word than the row
 * before it.  So the strips of each row begin at a line of memory: there the target's vectors, and
 * what is read at the target's own row, are whole words.  A vector of another row lies in two words
 * that follow one another, and is shifted out of them (patc_shifted).  The first and the last
 * columns of a row are computed one by one, as all strips that are no whole vectors.
 *
 * Kernels written by hand to choose the way, on an H200, 16383 x 16385 cells, five points of f32:
 * 466 Gcell/s, 403 a cell at a time, 461 if strips begin at a vector instead of a line, 387 if the
 * own row is shifted too.  bench/RESULTS.md has what patc writes. */
#include "cells.h"

enum {
	LINE = 128,                      /* bytes that caches move at a time */
	MOST_ROWS = 12                   /* that are shifted: more would not stay in registers */
};

static const struct expr *first_target(const struct cells *c)
{
	return target_read(c->node->equation.at[0]->target.at[0]);
}

bool cells_whole_rows(const struct var *var, int width)
{
	const struct affine *row = &var->extent[var->rank - 1];
	bool whole = row->constant % width == 0;
	for (int t = 0; t < row->n; t++)
		whole &= row->term[t].coef % width == 0;
	return whole && is_dense(var);
}

/* Are rows of both equally far from one another? */
static bool same_pitches(const struct var *a, const struct var *b)
{
	if (a == b)
		return true;
	bool same = a->rank == b->rank && is_dense(a) && is_dense(b);
	for (int x = 1; same && x < a->rank; x++)
		same = affine_equal(&a->extent[x], &b->extent[x]);
	return same;
}

bool cells_own_row(const struct cells *c, const struct expr *read)
{
	const struct expr *target = first_target(c);
	return same_pitches(read->var, target->var) && cells_same_row(read, target);
}

/* Words are of 4 bytes.  Other cells of an array that is written are other threads' to write while
 * words of it are read. */
static bool may_be_shifted(struct expr *e, void *state)
{
	const struct cells *c = state;
	if (e->kind != E_READ || !expr_uses(e, c->node->index.at[c->column])
	    || cells_own_row(c, e))
		return true;
	return !var_home(e->var) && !node_writes(c->node, e->var)
	       && type_size(e->var->type) * c->width >= 4;
}

static int rows_shifted(struct cells *c)
{
	int rows = 0;
	c->stream.n = 0;
	cells_find_streams(c);
	for (int s = 0; s < c->stream.n; s++)
		rows += !cells_own_row(c, c->stream.at[s].sample);
	c->stream.n = 0;
	return rows;
}

bool cells_shift(struct cells *c)
{
	struct node *node = (struct node *)c->node;
	const struct var *own = first_target(c)->var;
	if (c->rank < 2 || c->width == 1 || c->meeting || node_checked(node) || !cells_even(c)
	    || var_home(own) || cells_whole_rows(own, c->width))
		return false;
	for (int q = 0; q < node->equation.n; q++) {
		const struct expr *target = target_read(node->equation.at[q]->target.at[0]);
		if (var_home(target->var) || !cells_own_row(c, target))
			return false;
	}
	return node_walk(node, may_be_shifted, c) && rows_shifted(c) <= MOST_ROWS;
}

struct agreeing { struct cells *c; struct kx *head, *all; LIST(const struct var *) seen; };

static bool agrees(struct expr *e, void *state)
{
	struct agreeing *a = state;
	if (e->kind != E_READ || !expr_uses(e, a->c->node->index.at[a->c->column])
	    || !cells_own_row(a->c, e))
		return true;
	for (int i = 0; i < a->seen.n; i++)
		if (a->seen.at[i] == e->var)
			return true;
	list_add(&a->seen, e->var);
	a->all = x_and(a->all, x_eq(cells_before_vector(a->c, e->var), a->head));
	return true;
}

struct kx *cells_agree(struct cells *c)
{
	const struct var *target = first_target(c)->var;
	struct agreeing a = { .c = c, .head = cells_before_vector(c, target) };
	list_add(&a.seen, target);
	node_walk((struct node *)c->node, agrees, &a);
	return a.all;
}

/* A strip that is shorter begins at a multiple of its own length. */
struct kx *cells_line(const struct cells *c, struct kx *lanes)
{
	int64_t vector = c->width * type_size(first_target(c)->var->type);
	return x_min(x_mul(lanes, x_i64(vector)), x_i64(LINE));
}

struct kx *cells_past_line(struct cells *c, struct kx *first, struct kx *line)
{
	const struct expr *target = first_target(c);
	int64_t size = type_size(target->var->type);
	cells_set_column(c, first);
	struct kx *cell = lower_cell(c->l, target);
	struct kx *arg[] = { x_offset(cell->arg[0], cell->arg[1]), line };
	struct kx *past = x_help(kt_scalar(T_I32), "patc_past", 2, arg);
	return x_to_i64(size == 1 ? past : x_div(past, x_i32(size)));
}

/* Cells from a strip on that vectors bring for those `far` away; one cell alone comes by itself. */
static int64_t vectors_reach(const struct cells *c, int64_t far, bool own)
{
	int64_t w = c->width, whole = far % w == 1 ? far - 1 : (far + w - 1) / w * w;
	return own ? whole : whole + w - 1;
}

struct kx *cells_readable(struct cells *c, struct kx *first, struct kx *end)
{
	int64_t before = 0, after = 0;
	LIST(const struct affine *) extent = { .n = 0 };
	struct kx *inside = NULL;
	c->stream.n = c->held;
	cells_find_streams(c);
	for (int s = 0; s < c->stream.n; s++) {
		const struct stream *st = &c->stream.at[s];
		const struct affine *row = &st->var->extent[st->var->rank - 1];
		bool own = !c->shifted || cells_own_row(c, st->sample), seen = false;
		before = larger(before, vectors_reach(c, larger(-st->lo, 0), own));
		after = larger(after, vectors_reach(c, larger(st->hi, 0), own));
		for (int i = 0; i < extent.n; i++)
			seen |= affine_equal(extent.at[i], row);
		if (!seen)
			list_add(&extent, row);
	}
	for (int i = 0; i < extent.n; i++)
		inside = x_and(inside, x_le(x_add(end, x_i64(after)),
		                            lower_affine(c->l, extent.at[i])));
	if (before)
		inside = x_and(x_le(x_i64(before), first), inside);
	return before || after ? inside : NULL;
}
