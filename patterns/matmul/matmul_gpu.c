/* matmul_gpu.c - a product of matrices by tiles: block, warp, thread, term.
 *
 * A block computes a tile of the result, each thread some of its cells in registers. Of both operands the block brings the
 * cells of a few terms at a time into shared memory: copied there several steps ahead, if an operand is a matrix as it lies
 * and the machine copies by itself (product_copy.c); or loaded to registers while the terms before are computed, then
 * stored to the other one of two buffers, a barrier a step. The terms of a cell lie one behind another there, whichever
 * way the operand lies in memory, so a thread reads its share of a term, a strip of rows and one of columns, 16
 * bytes at a time, and the lanes of a warp, a rectangle of threads, read few different ones.
 *
 * An operand's value is computed where it is loaded (scales, conversions), the equation where the last term is folded
 * (alpha, beta, an activation). Terms are folded in their order, so what is strict, or does not commute, is right too.
 *
 * 16 bytes at a time are loaded where the host finds every row of an operand at a multiple of them (product_load.c). Tiles
 * are taken in groups of rows, so that blocks that run together share their operands in the L2 cache.
 *
 * Where tiles are few and terms many, blocks share the terms of a tile (product_parts.c).
 *
 * bench/RESULTS.md, "products", has what it reaches beside cuBLAS. Written by hand, 256 x 128 cells a block and 8 x 16 a thread,
 * which is what cuBLAS runs, were slower on an H200 than blocks of 64 x 128 that share a multiprocessor by fours. */
#include "../reduce/reduce.h"
#include "tiled.h"

enum {
	GROUP = 8,                           /* rows of tiles */
	LARGE_COST = 19, SMALL_COST = 20,    /* of a cell, one to the other */
	VECTOR = 16,                         /* bytes */
	STAGES = 3                           /* of copies: a fourth gains nothing on an H200 */
};

static bool is_cell(const struct expr *e)
{
	return e->kind == E_READ || (e->kind == E_CAST && e->arg.at[0]->kind == E_READ && type_size(e->type) == 4);
}

/* A sum of products of cells, or of what a conversion to 4 bytes makes of them: nothing is computed but one instruction a term,
 * which strict parts. */
static bool is_plain(const struct product *p)
{
	const struct expr *e = p->term->arg.at[0];
	return p->fold->fold->op->kind == OPK_SUM && !fold_in_order(p->fold) && e->kind == E_BINARY && e->op == OP_MUL
	    && e->arg.at[0]->kind == E_VAR && e->arg.at[1]->kind == E_VAR && is_cell(p->operand[ROWS].e) && is_cell(p->operand[COLUMNS].e);
}

/* Its operands lie in memory as they are held. */
static bool lies_whole(const struct product *p)
{
	return p->operand[ROWS].e->kind == E_READ && p->operand[COLUMNS].e->kind == E_READ;
}

/* A sum of products of f32, one product and nothing behind it, has registers for an address a load, and is 2 % faster then on an
 * H200. */
static bool is_bare(const struct tiled *t)
{
	const struct product *p = t->p;
	return is_plain(p) && product_bytes(p) == 4 && lies_whole(p) && !t->batch && p->node->equation.at[0]->right == p->fold && !t->margins;
}

/* Rows of the result lie one behind another, and the loop over terms stays one. */
static bool is_usual(const struct product *p)
{
	const struct fold *fold = p->fold->fold;
	return affine_cells(fold->lo.at[0], fold->hi.at[0]) < 0 && !target_read(node_target(p->node, 0))->var->layout;
}

/* Threads of the largest tiles have just enough registers for what is plain and usual: for all else tiles are smaller, or
 * blocks fewer. */
struct tile_form product_form(const struct product *p, const struct target *t, int which)
{
	bool wide = product_bytes(p) > 4, small = which, plain = is_plain(p), usual = is_usual(p), full = wide && !(plain && usual);
	/* clang for AMD sums products of integers in two registers each */
	bool twice = !t->unrolls && !wide && p->fold->fold->op->kind == OPK_SUM && type_class(p->fold->type) != 'F';
	bool narrow = small || twice || full, short_ = plain && !wide, copied = short_ && product_copied(p, t);
	bool high = !small && (full || twice || (short_ && !copied));
	struct tile_form f = { .size = { high ? 128 : 64, narrow ? 64 : 128 }, .depth = 8, .stages = 2 };
	f.thread[ROWS] = 8;
	f.thread[COLUMNS] = narrow ? 4 : 8;
	f.lanes[COLUMNS] = narrow ? 8 : t->lanes / 8;
	f.lanes[ROWS] = t->lanes / f.lanes[COLUMNS];
	f.threads = f.size[ROWS] / f.thread[ROWS] * (f.size[COLUMNS] / f.thread[COLUMNS]);
	f.min_blocks = (small || copied || !(plain || wide) ? 3 : 2) - (full || !usual);
	return f;
}

bool product_takes(const struct product *p, const struct target *t, const int *tile, int which)
{
	const struct tile_form f = product_form(p, t, which);
	return !tile[0] || (tile[0] == f.size[0] && tile[1] == f.size[1]);
}

/* ---- which tile, which cells ---- */

struct kx *tiled_let(struct tiled *t, const char *name, struct kx *value)
{
	return x_var(k_let(t->k, name, value));
}

/* Blocks go down a group of rows of tiles first. */
static void find_tile(struct tiled *t)
{
	struct kx *tiles[2], *in, *down, *block = x_to_i64(x_id(ID_BLOCK_X));
	struct batch axes = product_axes(t->l, t->p);
	for (int side = ROWS; side <= COLUMNS; side++)
		tiles[side] = lower_argument(t->l, side ? "column_tiles" : "row_tiles", kt_scalar(T_I64), t->tiles[side]);
	if (t->batch) {
		t->product = tiled_let(t, "product", product_rest(t->l, block, x_mul(tiles[ROWS], tiles[COLUMNS]), &block));
		product_bind(t->l, &axes, t->product);
	}
	struct kx *group = x_mul(product_rest(t->l, block, x_mul(x_i64(GROUP), tiles[COLUMNS]), &in), x_i64(GROUP));
	group = tiled_let(t, "group", group);
	struct kx *rows = tiled_let(t, "group_rows", x_min(x_i64(GROUP), x_sub(tiles[ROWS], group)));
	struct kx *right = product_rest(t->l, in, rows, &down);
	struct kx *tile[2] = { x_add(group, down), right };
	for (int side = ROWS; side <= COLUMNS; side++) {
		struct kx *lo = lower_index(host_lowering(t->l->plan), t->p->node->lo.at[t->p->index[side]]);
		struct kx *size = x_i64(t->form.size[side]);
		struct kx *begin = x_add(x_mul(tile[side], size), product_first(t->l, t->p, side));
		struct staged *s = &t->staged[side];
		s->tile = tile[side];
		s->end = lower_argument(t->l, side ? "end_column" : "end_row", kt_scalar(T_I64), x_add(lo, t->count[side]));
		s->first = tiled_let(t, side ? "tile_column" : "tile_row", t->inside ? x_min(begin, x_sub(s->end, size)) : begin);
		if (t->inside)
			s->skip = tiled_let(t, side ? "skip_columns" : "skip_rows", x_to_i32(x_sub(begin, s->first)));
	}
}

/* Which cells of the tile are the thread's: those of a rectangle of lanes, of a rectangle of warps. */
static void find_share(struct tiled *t)
{
	const struct tile_form *f = &t->form;
	struct kx *thread = block_thread(t->l), *warp = tiled_let(t, "warp", x_div(thread, x_i32(t->l->target->lanes)));
	struct kx *lane = tiled_let(t, "lane", x_rem(thread, x_i32(t->l->target->lanes)));
	int warps = f->size[ROWS] / (f->lanes[ROWS] * f->thread[ROWS]);
	struct kx *at[2] = { x_rem(warp, x_i32(warps)), x_div(warp, x_i32(warps)) };
	struct kx *in[2] = { x_rem(lane, x_i32(f->lanes[ROWS])), x_div(lane, x_i32(f->lanes[ROWS])) };
	if (t->copied) {
		in[ROWS] = x_rem(x_div(lane, x_i32(2)), x_i32(f->lanes[ROWS]));
		in[COLUMNS] = x_add(x_mul(x_div(lane, x_i32(2 * f->lanes[ROWS])), x_i32(2)), x_rem(lane, x_i32(2)));
	}
	for (int side = ROWS; side <= COLUMNS; side++) {
		struct staged *s = &t->staged[side];
		struct kx *begin = x_mul(at[side], x_i32(f->lanes[side] * f->thread[side]));
		s->warp = at[side];
		s->lane = in[side];
		s->share = tiled_let(t, side ? "own_column" : "own_row", x_add(begin, x_mul(in[side], x_i32(s->wide))));
	}
}

/* From a lane to the one whose share is so many further along that side, a power of two. */
int tiled_apart(const struct tiled *t, enum side side, int step)
{
	if (side == ROWS)
		return t->copied ? 2 * step : step;
	return t->copied && step == 1 ? 1 : step * t->form.lanes[ROWS];
}

/* Where the thread's cell number i along a side is in the tile: lanes take a vector each, by turns. */
struct kx *tiled_own(const struct tiled *t, enum side side, struct kx *i)
{
	const struct staged *s = &t->staged[side];
	struct kx *turn = x_mul(x_div(i, x_i32(s->wide)), x_i32(t->form.lanes[side] * s->wide));
	return x_add(s->share, x_add(turn, x_rem(i, x_i32(s->wide))));
}

/* ---- places ---- */

/* Sums of the largest tiles leave no registers for where the tile is, and its product, while whole tiles of terms are folded:
 * shared memory holds it until it is asked for again. */
static bool is_crowded(const struct tiled *t)
{
	return t->target->unrolls && (t->batch || !lies_whole(t->p)) && t->form.thread[ROWS] * t->form.thread[COLUMNS] * t->form.threads == 128 * 128;
}

static struct kx *place_at(const struct tiled *t, int n)
{
	return x_at(x_var(t->places), x_i32(n));
}

/* Of each side two, then an index of the batch each. */
static void keep_places(struct tiled *t)
{
	const struct node *node = t->p->node;
	int n = 4;
	t->places = k_shared(t->k, type_scalar(T_I64), "places", 2 + node->index.n);
	k_if(t->k, x_eq(block_thread(t->l), x_i32(0)));
	for (int side = ROWS; side <= COLUMNS; side++) {
		k_set(t->k, place_at(t, 2 * side), t->staged[side].first);
		if (t->inside)
			k_set(t->k, place_at(t, 2 * side + 1), x_to_i64(t->staged[side].skip));
	}
	for (int d = 0; d < node->index.n; d++)
		if (product_counts(t->p, d))
			k_set(t->k, place_at(t, n++), lower_var(t->l, node->index.at[d]));
	k_end(t->k);
	k_barrier(t->k);
}

static void find_places(struct tiled *t)
{
	const struct node *node = t->p->node;
	int n = 4;
	for (int side = ROWS; side <= COLUMNS; side++) {
		struct staged *s = &t->staged[side];
		s->first = tiled_let(t, side ? "tile_column" : "tile_row", place_at(t, 2 * side));
		if (t->inside)
			s->skip = tiled_let(t, side ? "skip_columns" : "skip_rows", x_to_i32(place_at(t, 2 * side + 1)));
	}
	for (int d = 0; d < node->index.n; d++)
		if (product_counts(t->p, d))
			lower_bind(t->l, node->index.at[d], tiled_let(t, node->index.at[d]->name, place_at(t, n++)));
}

/* ---- terms ---- */

/* A cell of the thread's share of a term; of copied operands there are two shares, halves of what holds them. */
static struct kx *part_at(const struct tiled *t, enum side side, struct kx *half, struct kx *i)
{
	return x_at(x_var(t->staged[side].part), x_add(x_mul(half, x_i32(t->form.thread[side])), i));
}

static void take_share(struct tiled *t, enum side side, struct kx *term, struct kx *half)
{
	const struct staged *s = &t->staged[side];
	int turns = t->form.thread[side] / s->wide;
	struct kx *turn = x_var(k_for(t->k, "turn", x_i32(0), x_i32(turns), x_i32(1), FOR_UNROLL));
	struct kx *at = x_add(s->share, x_mul(turn, x_i32(t->form.lanes[side] * s->wide)));
	struct kx *row = operand_row(t, s, x_var(t->buffer), term);
	struct kx *v = tiled_let(t, "cells", x_vload(x_offset(x_var(s->shared), x_add(row, at)), s->wide));
	for (int w = 0; w < s->wide; w++)
		k_set(t->k, part_at(t, side, half, x_add(x_mul(turn, x_i32(s->wide)), x_i32(w))), x_lane(v, w));
	k_end(t->k);
}

static void take_shares(struct tiled *t, struct kx *term, struct kx *half)
{
	take_share(t, ROWS, term, half);
	take_share(t, COLUMNS, term, half);
}

static struct kx *sum_at(const struct tiled *t, struct kx *i, struct kx *j)
{
	return x_at(x_var(t->sum), x_add(x_mul(i, x_i32(t->form.thread[COLUMNS])), j));
}

struct kx *tiled_each(struct tiled *t, enum side side)
{
	return x_var(k_for(t->k, side ? "j" : "i", x_i32(0), x_i32(t->form.thread[side]), x_i32(1), FOR_UNROLL));
}

/* A row of the thread's cells; back: from its end. */
static void fold_row(struct tiled *t, struct kx *half, struct kx *row, bool back)
{
	struct kx *j = tiled_each(t, COLUMNS), *column = back ? x_sub(x_i32(t->form.thread[COLUMNS] - 1), j) : j;
	lower_bind(t->l, t->p->operand[ROWS].stand, part_at(t, ROWS, half, row));
	lower_bind(t->l, t->p->operand[COLUMNS].stand, part_at(t, COLUMNS, half, column));
	accumulate_term(t->l, t->p->term, &t->acc, sum_at(t, row, column));
	k_end(t->k);
}

/* To and fro: an operand at hand at the turn is used once more, which spares a read of a bank of registers where three are
 * read at a time. */
static void fold_shares(struct tiled *t, struct kx *half)
{
	struct kx *turn = x_var(k_for(t->k, "turn", x_i32(0), x_i32(t->form.thread[ROWS] / 2), x_i32(1), FOR_UNROLL));
	struct kx *i = x_mul(turn, x_i32(2));
	fold_row(t, half, i, false);
	fold_row(t, half, x_add(i, x_i32(1)), t->p->fold->fold->op->kind == OPK_SUM || type_class(t->p->fold->type) != 'F');
	k_end(t->k);
}

static void fold_terms(struct tiled *t, struct kx *terms, int flags)
{
	struct kx *term = x_var(k_for(t->k, "term", x_i32(0), terms, x_i32(1), flags));
	take_shares(t, term, x_i32(0));
	fold_shares(t, x_i32(0));
	k_end(t->k);
}

/* Terms that make no whole tile. */
static void fold_rest(struct tiled *t, struct kx *whole)
{
	whole = x_to_i64(whole);
	k_if(t->k, x_lt(whole, t->terms));
	operands_load(t, x_add(t->first_term, whole), false);
	operands_store(t);
	k_barrier(t->k);
	fold_terms(t, x_to_i32(x_sub(t->terms, whole)), FOR_ROLLED);
	k_end(t->k);
}

/* While a tile is folded the next one comes, from its first term on. */
static void fold_whole(struct tiled *t, struct kx *whole)
{
	struct kernel *k = t->k;
	struct kx *depth = x_int(whole->type.type->kind, t->form.depth);
	operands_start(t);
	operands_store(t);
	k_barrier(k);
	struct kx *from = x_var(k_for(k, "from", depth, x_add(whole, depth), depth, FOR_ROLLED));
	operands_next(t, from, whole);
	/* clang would fetch what all terms need before the first is folded, and spill */
	fold_terms(t, x_i32(t->form.depth), t->target->unrolls ? FOR_UNROLL : FOR_ROLLED);
	k_set(k, x_var(t->buffer), x_sub(x_i32(1), x_var(t->buffer)));
	operands_store(t);
	k_barrier(k);
	k_end(k);
}

/* The same where operands are copied: the share of a term is taken while the one before is folded, over the barrier, too. */
static void fold_copies(struct tiled *t, struct kx *from, struct kx *whole)
{
	const int last = t->form.depth - 1;
	struct kx *term = x_var(k_for(t->k, "term", x_i32(0), x_i32(last), x_i32(1), FOR_UNROLL)), *next = x_add(term, x_i32(1));
	take_shares(t, next, x_rem(next, x_i32(2)));
	fold_shares(t, x_rem(term, x_i32(2)));
	k_end(t->k);
	copies_turn(t, from, whole);
	take_shares(t, x_i32(0), x_i32(0));
	fold_shares(t, x_i32(last % 2));
}

static void fold_copied(struct tiled *t, struct kx *whole, struct kx *terms)
{
	enum scalar scalar = whole->type.type->kind;
	for (int side = ROWS; side <= COLUMNS; side++)
		operand_walk(t, side);
	k_if(t->k, x_lt(x_int(scalar, 0), whole));
	copies_start(t, whole);
	take_shares(t, x_i32(0), x_i32(0));
	struct kx *from = x_var(k_for(t->k, "from", x_int(scalar, 0), whole, x_int(scalar, t->form.depth), FOR_ROLLED));
	copies_next(t, from, whole);
	fold_copies(t, from, whole);
	k_end(t->k);
	k_end(t->k);
	k_if(t->k, x_lt(whole, terms));
	struct kx *left = tiled_let(t, "left_terms", x_to_i32(x_sub(terms, whole)));
	copies_rest(t, left);
	fold_terms(t, left, FOR_ROLLED);
	k_end(t->k);
}

static void fold_all(struct tiled *t)
{
	struct kx *terms = t->inside ? x_to_i32(t->terms) : t->terms;    /* registers are short there */
	enum scalar scalar = terms->type.type->kind;
	struct kx *whole = tiled_let(t, "whole", x_sub(terms, x_rem(terms, x_int(scalar, t->form.depth))));
	if (t->copied) {
		fold_copied(t, whole, terms);
		return;
	}
	k_if(t->k, x_lt(x_int(scalar, 0), whole));
	fold_whole(t, whole);
	k_end(t->k);
	if (t->places)
		find_places(t);
	fold_rest(t, whole);
}

/* ---- the result ---- */

static void start_sums(struct tiled *t)
{
	int cells = t->form.thread[ROWS] * t->form.thread[COLUMNS];
	t->acc = product_accumulator(t->p);
	t->sum = k_regs(t->k, t->acc.type, "sum", cells);
	product_start(t->l, &t->acc, t->sum, cells);
}

void tiled_open(struct tiled *t, enum side side, struct kx *place)
{
	const struct staged *s = &t->staged[side];
	struct kx *cell = tiled_let(t, s->o->along->name, x_add(s->first, x_to_i64(place)));
	lower_bind(t->l, s->o->along, cell);
	k_if(t->k, t->inside ? x_le(s->skip, place) : x_lt(cell, s->end));
}

/* Of the thread: equations, or what a part found. */
static void finish_cells(struct tiled *t, bool part)
{
	struct kx *i = tiled_each(t, ROWS);
	tiled_open(t, ROWS, tiled_own(t, ROWS, i));
	struct kx *j = tiled_each(t, COLUMNS);
	tiled_open(t, COLUMNS, tiled_own(t, COLUMNS, j));
	if (part)
		parts_store(t, sum_at(t, i, j));
	else
		product_finish(t->l, t->p, sum_at(t, i, j));
	for (int ends = 0; ends < 4; ends++)
		k_end(t->k);
}

static void finish(struct tiled *t)
{
	if (t->parts) {
		k_if(t->k, parts_several(t));
		finish_cells(t, true);
		k_else(t->k);
	}
	if (t->margins)
		margins_fold(t, t->margins);
	else
		finish_cells(t, false);
	if (t->parts)
		k_end(t->k);
}

struct kx *tiled_value(struct tiled *t, struct kx *i, struct kx *j)
{
	return tiled_let(t, "cell", product_value(t->l, t->p, sum_at(t, i, j)));
}

/* ---- a kernel, and which one ---- */

static bool is_quick(struct expr *e, void *state)
{
	if (e->kind == E_MATH)
		return e->math == M_min || e->math == M_max || e->math == M_abs || e->math == M_fma;
	if (e->kind == E_CALL)
		return e->fn->value && expr_walk(e->fn->value, is_quick, state);
	return e->kind != E_BINARY || (e->op != OP_DIV && e->op != OP_REM);
}

/* Functions of several steps, and divisions, need many registers. */
static bool is_slow(const struct product *p)
{
	return !expr_walk(p->node->equation.at[0]->right, is_quick, NULL);
}

static void kernel_of(const struct tiled *host, struct plan *plan, bool small)
{
	struct tiled *t = NEW(struct tiled);
	*t = *host;
	t->parts = small ? t->parts : NULL;
	const char *name = str_print("%s_%dx%d%s%s", t->p->node->name, t->form.size[0], t->form.size[1], t->inside ? "_walk" : "",
	                             t->vectors ? "" : "_any");
	t->l = lowering_new(plan, name);
	t->k = t->l->k;
	if (!target_read(node_target(t->p->node, 0))->var->on_chip)
		lowering_writes(t->l, t->p->node);
	t->k->block[0] = t->form.threads;
	t->k->block[1] = t->k->block[2] = 1;
	bool many = t->form.size[ROWS] > 64 && !(t->vectors && (is_bare(t) || t->margins));      /* an address a load */
	bool roomy = t->inside ? t->margins != NULL : is_slow(t->p) || many;
	bool spills = t->copied ? t->batch != NULL
	                        : t->inside && !t->target->unrolls && t->form.min_blocks > 1;    /* clang, with conversions */
	t->k->min_blocks = roomy ? 1 : t->form.min_blocks - spills;
	t->terms = lower_argument(t->l, "terms", kt_scalar(T_I64), t->host_terms);
	struct kx *lo = lower_index(host_lowering(plan), t->p->fold->fold->lo.at[0]);
	t->first_term = x_is_int(lo, 0) ? lo : lower_argument(t->l, "first_term", kt_scalar(T_I64), lo);
	if (t->parts)
		parts_enter(t);
	for (int side = ROWS; side <= COLUMNS; side++)
		operand_open(t, side);
	find_tile(t);
	for (int side = ROWS; side <= COLUMNS; side++)
		operand_last(t, side);
	find_share(t);
	start_sums(t);
	t->buffer = k_var(t->k, kt_scalar(T_I32), "buffer", x_i32(0));
	if (is_crowded(t))
		keep_places(t);
	fold_all(t);
	finish(t);
	struct kx *blocks = x_mul(t->tiles[ROWS], t->tiles[COLUMNS]);
	lowering_launch(t->l, t->batch ? x_mul(blocks, t->batch) : blocks, t->parts ? t->parts->host : x_i64(1), x_i64(1));
}

/* More terms a step, and stages as far as shared memory has room for the blocks. No registers wait for cells: that is room for
 * a block more of 64 sums of a thread, of a term that is one instruction. */
static void copied_form(const struct tiled *t, struct tile_form *f)
{
	bool wide = product_bytes(t->p) > 4;
	f->depth = wide ? 8 : 16;
	f->min_blocks += !wide && is_plain(t->p) && f->thread[COLUMNS] == 8;
	f->stages = STAGES;
	while (f->stages > 2 && blocks_of_unit(t->target, f->threads, operands_shared(t->p, f)) < f->min_blocks)
		f->stages--;
}

static void kernel_of_form(struct tiled *t, struct plan *plan, int form)
{
	t->form = product_form(t->p, plan->target, form);
	t->copied = (t->inside || form == 1) && product_copied(t->p, t->target);
	if (t->copied)
		copied_form(t, &t->form);
	for (int side = ROWS; side <= COLUMNS; side++)
		t->tiles[side] = plan_let(plan, side ? "column_tiles" : "row_tiles", x_div_up(t->count[side], x_i64(t->form.size[side])));
	for (int side = ROWS; t->margins && side <= COLUMNS; side++)
		k_set(plan->host, x_var(t->launched[side]), t->tiles[side]);
	kernel_of(t, plan, form == 1);
}

static struct kx *tiles_of(const struct tiled *t, int which)
{
	const struct tile_form form = product_form(t->p, t->target, which);
	struct kx *tiles = t->batch;
	for (int side = ROWS; side <= COLUMNS; side++) {
		struct kx *along = x_div_up(t->count[side], x_i64(form.size[side]));
		tiles = tiles ? x_mul(tiles, along) : along;
	}
	return tiles;
}

/* What the busiest multiprocessor computes: cells, at so much each. */
static struct kx *busiest(const struct tiled *t, int which, int cost)
{
	const struct tile_form form = product_form(t->p, t->target, which);
	return x_mul(x_div_up(tiles_of(t, which), x_i64(t->target->units)), x_i64(form.size[ROWS] * form.size[COLUMNS] * cost));
}

static struct kx *enough_tiles(const struct tiled *t)
{
	struct kx *sooner = x_le(busiest(t, 0, LARGE_COST), busiest(t, 1, SMALL_COST));
	return x_and(sooner, t->parts ? x_eq(t->parts->host, x_i64(1)) : NULL);
}

/* And terms that an i32 counts. */
static struct kx *fills_tile(const struct tiled *t)
{
	const struct tile_form form = product_form(t->p, t->target, 0);
	struct kx *fills = x_le(t->host_terms, x_i64(INT32_MAX));
	for (int side = ROWS; side <= COLUMNS; side++)
		fills = x_and(fills, x_le(x_i64(form.size[side]), t->count[side]));
	return fills;
}

/* Threads of a large tile walk if their operands are copied; or if they may and there are registers for it. */
static bool is_walked(const struct tiled *t)
{
	const struct product *p = t->p;
	bool may = product_walks(p, ROWS) && product_walks(p, COLUMNS);
	return may && (product_copied(p, t->target) || !(t->vectors && (is_bare(t) || t->margins)));
}

/* The large tile, or another. One by one, addresses take more registers than a large one leaves, unless threads walk. */
static void kernels_by_size(struct tiled *t, struct plan *plan)
{
	const int *tile = t->p->node->choice.tile;
	bool small = product_takes(t->p, t->target, tile, 1), walks = is_walked(t);
	bool large = product_takes(t->p, t->target, tile, 0) && (t->vectors || walks || !small);
	t->inside = large && walks;
	bool other = small || t->inside;
	if (large && other)
		k_if(plan->host, x_and(small ? enough_tiles(t) : NULL, t->inside ? fills_tile(t) : NULL));
	if (large)
		kernel_of_form(t, plan, 0);
	t->inside = false;
	if (large && other)
		k_else(plan->host);
	if (other)
		kernel_of_form(t, plan, small);
	if (large && other)
		k_end(plan->host);
}

/* With 16 bytes at a time where the host finds that they may be. */
void product_tiles(const struct product *p, const struct group *group, struct plan *plan)
{
	struct tiled t = { .p = p, .margins = margins_open(p, group, plan), .target = plan->target, .batch = product_batch(plan, p) };
	for (int side = ROWS; side <= COLUMNS; side++)
		t.count[side] = plan_let(plan, side ? "columns" : "rows", product_cells(plan, p, p->index[side]));
	t.host_terms = product_terms(plan, p);
	for (int side = ROWS; t.margins && side <= COLUMNS; side++)
		t.launched[side] = k_var(plan->host, kt_scalar(T_I64), side ? "column_parts" : "row_parts", x_i64(0));
	t.parts = parts_open(&t, plan);
	struct kx *vectors = product_vectors_allowed(plan, p, t.count, t.host_terms);
	if (vectors) {
		k_if(plan->host, vectors);
		t.vectors = true;
		kernels_by_size(&t, plan);
		k_else(plan->host);
	}
	t.vectors = false;
	kernels_by_size(&t, plan);
	if (vectors)
		k_end(plan->host);
	if (t.parts)
		parts_close(&t, plan);
	if (t.margins)
		margins_close(t.margins, plan, t.launched);
}
