/* reduce_gpu.c - total, rows and columns on a GPU (see reduce_lower.c for when each is taken). */
#include "reduce.h"

/* ---- total ---- */

/* One block folds what the blocks before it found, in order. */
static void fold_parts(struct reduction *r, struct plan *plan, struct kx *const *slot, struct kx *blocks)
{
	struct lowering *l = r->l = lowering_new(plan, str_print("%s_fold", r->node->name));
	struct kx *partial[8];
	lowering_writes(l, r->node);
	block_launch_bounds(l);
	struct kx *parts = lower_argument(l, "parts", kt_scalar(T_I64), blocks);
	for (int f = 0; f < r->folds.n; f++)
		partial[f] = lower_argument(l, "partial", kt_pointer(r->acc.at[f].type, true), slot[f]);
	r->acc = folds_start(l, &r->folds);
	block_fold_partials(l, &r->acc, partial, parts);
	k_if(l->k, x_eq(block_thread(l), x_i32(0)));
	reduce_finish(l, r);
	k_end(l->k);
	lowering_launch(l, x_i64(1), x_i64(1), x_i64(1));
}

/* What a block found is stored for a second kernel, which a single block does not need.  Against the ticket of
 * grid_fold this saves clearing it: on an H200 0.5 us of 5 for 2^16 f32.  In a loop the ticket is cleared once
 * and saves a launch a pass. */
static void store_part(struct reduction *r, struct kx *const *slot, struct kx *part, struct kx *parts)
{
	struct lowering *l = r->l;
	block_fold(l, &r->acc);
	k_if(l->k, x_eq(block_thread(l), x_i32(0)));
	k_if(l->k, x_eq(parts, x_i64(1)));
	reduce_finish(l, r);
	k_else(l->k);
	for (int f = 0; f < r->folds.n; f++) {
		struct kx *partial = lower_argument(l, "partial", kt_pointer(r->acc.at[f].type, false), slot[f]);
		k_set(l->k, x_at(partial, part), x_var(r->acc.at[f].var));
	}
	k_end(l->k);
	k_end(l->k);
}

void reduce_total_gpu(struct reduction *r, struct plan *plan)
{
	reduce_open(r, plan);
	struct lowering *l = r->l;
	int64_t tile = (int64_t)l->target->block * r->width * LOADS;
	struct kx *host_n = reduce_terms(r), *n = lower_argument(l, "terms", kt_scalar(T_I64), host_n);
	struct kx *share = x_div_up(host_n, x_i64(TOTAL_BLOCKS));
	struct kx *tiles = x_div_up(share, x_i64(tile));
	struct kx *host_chunk = plan_let(r->l->plan, "chunk", x_mul(x_max(tiles, x_i64(1)), x_i64(tile)));
	struct kx *blocks = x_div_up(host_n, host_chunk);
	blocks = plan_let(r->l->plan, "blocks", x_max(blocks, x_i64(1)));
	struct kx *chunk = lower_argument(l, "chunk", kt_scalar(T_I64), host_chunk);
	struct kx *parts = lower_argument(l, "parts", kt_scalar(T_I64), blocks);
	struct kx *vectors = reduce_vectors_allowed(r, host_n);
	block_launch_bounds(l);
	l->k->min_blocks = 1;                    /* as in cells_gpu.c, against spills; costs nothing here */
	r->acc = folds_start(l, &r->folds);
	struct kx *part = x_var(k_let(l->k, "part", x_to_i64(x_id(ID_BLOCK_X))));
	struct kx *lo = x_var(k_let(l->k, "lo", x_mul(part, chunk)));
	struct kx *hi = x_var(k_let(l->k, "hi", x_min(x_add(lo, chunk), n)));
	struct kx *lane = x_var(k_let(l->k, "lane", x_to_i64(block_thread(l))));
	reduce_open_cell(r);
	reduce_range(r, lo, hi, lane, x_i64(l->target->block), vectors);
	reduce_close_cell(r);
	l->read = NULL;
	if (plan_in_loop(plan)) {
		grid_fold(l, &r->acc, part, parts, x_i64(TOTAL_BLOCKS), reduce_finish, r);
		lowering_launch(l, blocks, x_i64(1), x_i64(1));
		return;
	}
	struct kx *most = x_i64(TOTAL_BLOCKS), *slot[8];
	for (int f = 0; f < r->folds.n; f++)
		slot[f] = x_var(plan_slot(plan, "partial", r->acc.at[f].type, 1, &most));
	store_part(r, slot, part, parts);
	lowering_launch(l, blocks, x_i64(1), x_i64(1));
	k_if(plan->host, x_lt(x_i64(1), blocks));
	fold_parts(r, plan, slot, blocks);
	k_end(plan->host);
}

/* ---- rows ---- */

void reduce_bind_cell(struct reduction *r, struct kx *cell, const struct kept *kept)
{
	struct lowering *l = r->l;
	struct kx *rest = cell;
	for (int d = r->node->index.n - 1; d >= 0; d--) {
		struct kx *at = x_add(kept->lo[d], d ? x_rem(rest, kept->size[d]) : rest);
		lower_bind(l, r->node->index.at[d], x_var(k_let(l->k, r->node->index.at[d]->name, at)));
		if (d)
			rest = x_var(k_let(l->k, "rest", x_div(rest, kept->size[d])));
	}
}

void reduce_kept_arguments(struct reduction *r, struct kept *kept)
{
	for (int d = 0; d < r->node->index.n; d++) {
		const char *name = r->node->index.at[d]->name;
		struct kx *lo = kept->host_lo[d], *size = kept->host_size[d];
		kept->lo[d] = x_is_int(lo, 0) ? lo : lower_argument(r->l, str_print("%s_first", name), kt_scalar(T_I64), lo);
		kept->size[d] = d ? lower_argument(r->l, str_print("%s_cells", name), kt_scalar(T_I64), size) : NULL;
	}
	kept->cells = lower_argument(r->l, "cells", kt_scalar(T_I64), kept->host_cells);
}

struct kept reduce_host_cells(struct plan *plan, const struct node *node)
{
	struct kept kept = { .strip = 1 };
	struct kx *cells = NULL;
	struct lowering *host = host_lowering(plan);
	for (int d = 0; d < node->index.n; d++) {
		kept.host_lo[d] = lower_index(host, node->lo.at[d]);
		kept.host_size[d] = reduce_size(host, node->lo.at[d], node->hi.at[d]);
		cells = d ? x_mul(cells, kept.host_size[d]) : kept.host_size[d];
	}
	kept.slot_cells = node_by_sizes(node) ? cells : plan_most_cells(plan, node);
	kept.host_cells = plan_let(plan, "cells", cells);
	return kept;
}

struct kept reduce_kept_cells(struct reduction *r)
{
	struct kept kept = reduce_host_cells(r->l->plan, r->node);
	reduce_kept_arguments(r, &kept);
	return kept;
}

/* log2 of the threads a cell: enough for one vector each, up to a warp; a whole block for long rows. */
struct kx *reduce_group_bits(struct reduction *r, struct kx *terms)
{
	int lanes = r->l->target->lanes, block_bits = log2_of(r->l->target->block);
	struct kx *bits = x_i32(0);
	for (int b = 1; 1 << b <= lanes; b++)
		bits = x_cond(x_lt(x_i64((int64_t)(1 << b) / 2 * r->width), terms), x_i32(b), bits);
	return x_cond(x_lt(x_i64((int64_t)lanes * r->width * LOADS), terms), x_i32(block_bits), bits);
}

void reduce_group_fold(struct reduction *r, struct kx *group)
{
	group_fold(r->l, &r->acc, group);
}

/* What the chunks of cells found: a slot an accumulator; of each chunk its cells side by side. */
struct chunked { struct kx *slot[8], *ticket; };

static struct chunked cut_slots(struct reduction *r, const struct kept *kept)
{
	struct plan *plan = r->l->plan;
	struct chunked c = { .ticket = NULL };
	/* strips x chunks <= max(TOTAL_BLOCKS, strips): choose_chunks; what is cut has no more strips than that */
	struct kx *share = x_i64(TOTAL_BLOCKS * kept->strip), *cells = kept->slot_cells ? kept->slot_cells : share;
	struct kx *most = x_add(cells, share);
	for (int a = 0; a < r->acc.n; a++)
		c.slot[a] = x_var(plan_slot(plan, "partial", r->acc.at[a].type, 1, &most));
	if (plan_in_loop(plan))
		c.ticket = x_var(plan_ticket(plan, 1, &cells));
	return c;
}

/* In a loop the last of a cell's chunks to arrive folds their partials in order, one thread for each of them. */
static void fold_last(struct reduction *r, const struct chunked *c, struct kx *const *partial, const struct kept *kept,
                      struct kx *cell, struct kx *chunks)
{
	struct lowering *l = r->l;
	struct kernel *k = l->k;
	struct kx *ticket = lower_argument(l, "ticket", kt_pointer(type_scalar(T_U32), false), c->ticket);
	struct kx *arg[] = { x_offset(ticket, cell), x_cast(kt_scalar(T_U32), x_sub(chunks, x_i64(1))) };
	k_note(k, "the chunk of this cell that arrives last folds them all");
	k_if(k, x_help(kt_scalar(T_BOOL), "patc_ticket", 2, arg));
	k_set(k, x_at(ticket, cell), x_int(T_U32, 0));
	for (int a = 0; a < r->acc.n; a++)
		k_set(k, x_var(r->acc.at[a].var), accumulator_load(&r->acc.at[a], partial[a], cell));
	struct kx *p = x_var(k_for(k, "p", x_i64(1), chunks, x_i64(1), 0));
	for (int a = 0; a < r->acc.n; a++)
		accumulate(l, &r->acc.at[a], accumulator_load(&r->acc.at[a], partial[a], x_add(x_mul(p, kept->cells), cell)));
	k_end(k);
	reduce_finish(l, r);
	k_end(k);
}

static void finish_cell(struct reduction *r, const struct chunked *c, const struct kept *kept,
                        struct kx *cell, struct kx *chunk, struct kx *chunks)
{
	struct lowering *l = r->l;
	struct kx *partial[8];
	k_if(l->k, x_eq(chunks, x_i64(1)));
	reduce_finish(l, r);
	k_else(l->k);
	for (int a = 0; a < r->acc.n; a++) {
		partial[a] = lower_argument(l, "partial", kt_pointer(r->acc.at[a].type, false), c->slot[a]);
		k_set(l->k, x_at(partial[a], x_add(x_mul(chunk, kept->cells), cell)), x_var(r->acc.at[a].var));
	}
	if (c->ticket)
		fold_last(r, c, partial, kept, cell, chunks);
	k_end(l->k);
}

void reduce_fold_chunks(struct reduction *r, struct plan *plan, struct kx *const *slot, struct kept kept, struct kx *host_chunks)
{
	struct lowering *l = r->l = lowering_new(plan, str_print("%s_fold", r->node->name));
	lowering_writes(l, r->node);
	block_launch_bounds(l);
	l->k->min_blocks = r->folds.n > 2;       /* as in reduce_rows_gpu, against spills */
	reduce_kept_arguments(r, &kept);
	struct kx *chunks = lower_argument(l, "chunks", kt_scalar(T_I64), host_chunks), *partial[8];
	struct kx *block = x_i64(l->target->block);
	for (int a = 0; a < r->folds.n; a++)
		partial[a] = lower_argument(l, "partial", kt_pointer(accumulator_type(r->folds.at[a]), true), slot[a]);
	struct kx *cell = x_add(x_mul(x_to_i64(x_id(ID_BLOCK_X)), block), x_to_i64(block_thread(l)));
	cell = x_var(k_let(l->k, "cell", cell));
	k_if(l->k, x_lt(cell, kept.cells));
	r->acc = folds_start(l, &r->folds);
	struct kx *p = x_var(k_for(l->k, "p", x_i64(0), chunks, x_i64(1), 0));
	for (int a = 0; a < r->acc.n; a++)
		accumulate(l, &r->acc.at[a], x_at(partial[a], x_add(x_mul(p, kept.cells), cell)));
	k_end(l->k);
	reduce_bind_cell(r, cell, &kept);
	reduce_finish(l, r);
	k_end(l->k);
	lowering_launch(l, x_div_up(kept.host_cells, block), x_i64(1), x_i64(1));
}

/* Elsewhere a second kernel does, a thread a cell; on an H200 11.5 us for the columns of 1024^2 f32 with tickets. */
static void fold_chunks(struct reduction *r, const struct chunked *c, struct kept kept, struct kx *host_chunks)
{
	struct plan *plan = r->l->plan;
	k_if(plan->host, x_lt(x_i64(1), host_chunks));
	reduce_fold_chunks(r, plan, c->slot, kept, host_chunks);
	k_end(plan->host);
}

/* Chunks a cell: one unless cells alone leave the machine empty; each chunk has a few tiles. */
static struct kx *choose_chunks(struct reduction *r, struct kx *cells, struct kx *terms, int64_t least)
{
	struct kx *want = x_div(x_i64(TOTAL_BLOCKS), x_max(cells, x_i64(1)));
	struct kx *most = x_div(terms, x_i64(least));
	return x_max(x_min(x_min(want, most), x_i64(r->l->target->max_grid_y)), x_i64(1));
}

/* Only what has a whole block may be worth several. */
struct kx *reduce_row_chunks(struct reduction *r, struct kx *group, struct kx *cells, struct kx *terms)
{
	int64_t block = r->l->target->block;
	struct kx *many = choose_chunks(r, cells, terms, block * r->width * LOADS);
	return plan_let(r->l->plan, "chunks", x_cond(x_eq(group, x_i64(block)), many, x_i64(1)));
}

static bool fold_wants_registers(const struct reduction *r, const struct expr *fold)
{
	const struct expr *term = fold->arg.at[0], *mask = fold->fold->where;
	return expr_slow(term) || (mask && expr_slow(mask)) || (r->width > 1 && term->type->kind == T_BOOL)
	    || (r->width >= 4 && op_is_arg(fold->fold->op));
}

/* ptxas spills a few bytes to fit one block more: of functions and divisions, in masks too, and, of vectors, of conditions
 * and of the best and its place. */
static bool wants_registers(const struct reduction *r)
{
	for (int f = 0; f < r->folds.n; f++)
		if (fold_wants_registers(r, r->folds.at[f]))
			return true;
	return false;
}

void reduce_rows_gpu(struct reduction *r, struct plan *plan)
{
	reduce_open(r, plan);
	struct lowering *l = r->l;
	struct kernel *k = l->k;
	int64_t block = l->target->block;
	struct kx *host_n = reduce_terms(r), *n = lower_argument(l, "terms", kt_scalar(T_I64), host_n);
	struct kept kept = reduce_kept_cells(r);
	struct kx *host_bits = plan_let(r->l->plan, "group_bits", reduce_group_bits(r, host_n));
	struct kx *host_group = plan_let(r->l->plan, "group", x_op(OP_SHL, x_i64(1), host_bits));
	struct kx *bits = lower_argument(l, "group_bits", kt_scalar(T_I32), host_bits);
	struct kx *host_chunks = reduce_row_chunks(r, host_group, kept.host_cells, host_n);
	struct kx *chunks = lower_argument(l, "chunks", kt_scalar(T_I64), host_chunks);
	struct kx *share = x_div_up(host_n, host_chunks);
	struct kx *host_chunk = x_mul(x_div_up(share, x_i64(r->width)), x_i64(r->width));
	struct kx *length = lower_argument(l, "chunk_terms", kt_scalar(T_I64), host_chunk);
	struct kx *vectors = reduce_vectors_allowed(r, host_n);
	block_launch_bounds(l);
	k->min_blocks = wants_registers(r);
	struct kx *thread = block_thread(l), *whole = x_i32(block);
	struct kx *group = x_var(k_let(k, "group", x_op(OP_SHL, x_i32(1), bits)));
	struct kx *lane = x_var(k_let(k, "lane", x_op(OP_AND, thread, x_sub(group, x_i32(1)))));
	struct kx *groups = x_op(OP_SHR, whole, bits), *mine = x_op(OP_SHR, thread, bits);
	struct kx *cell = x_add(x_mul(x_to_i64(x_id(ID_BLOCK_X)), x_to_i64(groups)), x_to_i64(mine));
	cell = x_var(k_let(k, "cell", cell));
	struct kx *chunk = x_var(k_let(k, "chunk", x_to_i64(x_id(ID_BLOCK_Y))));
	r->acc = folds_start(l, &r->folds);
	k_if(k, x_lt(cell, kept.cells));
	reduce_bind_cell(r, cell, &kept);
	struct kx *lo = x_var(k_let(k, "lo", x_mul(chunk, length)));
	struct kx *hi = x_var(k_let(k, "hi", x_min(x_add(lo, length), n)));
	reduce_open_cell(r);
	reduce_range(r, lo, hi, x_to_i64(lane), x_to_i64(group), vectors);
	reduce_close_cell(r);
	k_end(k);
	l->read = NULL;
	reduce_group_fold(r, group);
	k_if(k, x_and(x_eq(lane, x_i32(0)), x_lt(cell, kept.cells)));
	reduce_bind_cell(r, cell, &kept);
	struct chunked chunked = cut_slots(r, &kept);
	finish_cell(r, &chunked, &kept, cell, chunk, chunks);
	k_end(k);
	struct kx *host_groups = x_div(x_i64(block), host_group);
	struct kx *blocks = x_div_up(kept.host_cells, host_groups);
	lowering_launch(l, blocks, host_chunks, x_i64(1));
	if (!chunked.ticket)
		fold_chunks(r, &chunked, kept, host_chunks);
}

/* ---- columns ---- */

/* Threads down the terms of one column of cells: their results are folded in shared memory, in order. */
static void down_fold(struct reduction *r, struct kx *lane_x, struct kx *lane_y, int lanes, int rows)
{
	struct lowering *l = r->l;
	struct kernel *k = l->k;
	struct kvar *shared[8];
	for (int a = 0; a < r->acc.n; a++) {
		shared[a] = k_shared(k, r->acc.at[a].type, str_print("row_%s", r->acc.at[a].var->name), (int64_t)lanes * rows);
		k_set(k, x_at(x_var(shared[a]), x_add(x_mul(lane_y, x_i32(lanes)), lane_x)), x_var(r->acc.at[a].var));
	}
	k_barrier(k);
	k_if(k, x_eq(lane_y, x_i32(0)));
	struct kx *y = x_var(k_for(k, "y", x_i32(1), x_i32(rows), x_i32(1), 0));
	for (int a = 0; a < r->acc.n; a++)
		accumulate(l, &r->acc.at[a], x_at(x_var(shared[a]), x_add(x_mul(y, x_i32(lanes)), lane_x)));
	k_end(k);
	k_end(k);
}

void reduce_columns_gpu(struct reduction *r, struct plan *plan)
{
	reduce_open(r, plan);
	struct lowering *l = r->l;
	struct kernel *k = l->k;
	int lanes = l->target->lanes, rows = l->target->block / lanes;
	struct kx *host_n = reduce_terms(r), *n = lower_argument(l, "terms", kt_scalar(T_I64), host_n);
	struct kept kept = reduce_kept_cells(r);
	kept.strip = lanes;                      /* cells that one chunk of a block folds side by side */
	struct kx *strips = x_div_up(kept.host_cells, x_i64(lanes));
	strips = plan_let(r->l->plan, "strips", strips);
	struct kx *host_chunks = plan_let(r->l->plan, "chunks", choose_chunks(r, strips, host_n, (int64_t)rows * LOADS));
	struct kx *chunks = lower_argument(l, "chunks", kt_scalar(T_I64), host_chunks);
	struct kx *host_length = x_div_up(host_n, host_chunks);
	struct kx *length = lower_argument(l, "chunk_terms", kt_scalar(T_I64), host_length);
	block_launch_bounds(l);
	struct kx *lane_x = x_var(k_let(k, "lane_x", x_rem(block_thread(l), x_i32(lanes))));
	struct kx *lane_y = x_var(k_let(k, "lane_y", x_div(block_thread(l), x_i32(lanes))));
	struct kx *cell = x_add(x_mul(x_to_i64(x_id(ID_BLOCK_X)), x_i64(lanes)), x_to_i64(lane_x));
	cell = x_var(k_let(k, "cell", cell));
	struct kx *chunk = x_var(k_let(k, "chunk", x_to_i64(x_id(ID_BLOCK_Y))));
	r->acc = folds_start(l, &r->folds);
	k_if(k, x_lt(cell, kept.cells));
	reduce_bind_cell(r, cell, &kept);
	struct kx *lo = x_var(k_let(k, "lo", x_mul(chunk, length)));
	struct kx *hi = x_var(k_let(k, "hi", x_min(x_add(lo, length), n)));
	struct kx *run = x_div_up(x_sub(hi, lo), x_i64(rows));
	run = x_var(k_let(k, "run", run));
	struct kx *from = x_var(k_let(k, "from", x_add(lo, x_mul(x_to_i64(lane_y), run))));
	reduce_open_cell(r);
	reduce_singles(r, from, x_min(x_add(from, run), hi), x_i64(1));
	reduce_close_cell(r);
	k_end(k);
	l->read = NULL;
	down_fold(r, lane_x, lane_y, lanes, rows);
	k_if(k, x_and(x_eq(lane_y, x_i32(0)), x_lt(cell, kept.cells)));
	reduce_bind_cell(r, cell, &kept);
	struct chunked chunked = cut_slots(r, &kept);
	finish_cell(r, &chunked, &kept, cell, chunk, chunks);
	k_end(k);
	lowering_launch(l, strips, host_chunks, x_i64(1));
	if (!chunked.ticket)
		fold_chunks(r, &chunked, kept, host_chunks);
}
