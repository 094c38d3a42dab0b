/* reduce_gpu.c - total, rows and columns on a GPU (see reduce_lower.c for when each is taken). */
#include "ragged.h"
#include "reduce.h"

#include <string.h>

struct kx *reduce_argument(struct lowering *l, const char *name, struct kx *host)
{
	struct kx *x = lower_argument(l, name, kt_scalar(T_I64), host);
	k_bind(l->k, name, x);
	return x;
}

/* ---- total ---- */

static void fold_parts(struct reduction *r, struct plan *plan, struct kx *blocks)
{
	struct lowering *l = reduce_open_fold(r, plan);
	block_launch_bounds(l);
	reduce_argument(l, "parts", blocks);
	reduce_bind_partial(r, true);
	k_text(l->k, "fold_parts");
	lowering_launch(l, x_i64(1), x_i64(1), x_i64(1));
}

static struct kx *fold_grid(struct lowering *l, const void *reduction, struct kx *const *part)
{
	const struct reduction *r = reduction;
	struct kx *most = x_i64(l->target->total_blocks);
	l->now.read = NULL;
	grid_fold(l, &r->acc, part[0], k_get(l->k, "parts"), most, reduce_finish, r);
	return NULL;
}

/* Terms of a block: whole tiles, of so many blocks at most. */
static struct kx *block_terms(struct reduction *r, struct kx *terms)
{
	int64_t tile = (int64_t)r->l->target->block * r->width * LOADS;
	struct kx *blocks = x_i64(r->l->target->total_blocks);
	struct kx *tiles = x_div_up(x_div_up(terms, blocks), x_i64(tile));
	return plan_let(r->l->plan, "chunk", x_mul(x_max(tiles, x_i64(1)), x_i64(tile)));
}

static void block_of_target(struct lowering *l)
{
	block_launch_bounds(l);
	k_bind(l->k, "BLOCK", l->k->block[0]);
}

/* Blocks that take a chunk each: `parts` of the text. */
static void total(struct reduction *r, struct plan *plan, struct kx *blocks)
{
	struct lowering *l = r->l;
	bool in_loop = plan_in_loop(plan);
	struct kx *most = x_i64(l->target->total_blocks);
	block_of_target(l);
	l->k->min_blocks = 1;            /* as in cells_gpu.c, against spills; costs nothing here */
	k_bind(l->k, "IN_LOOP", in_loop);
	k_bind_call(l->k, "fold_grid", fold_grid, r);
	for (int f = 0; f < r->folds.n && !in_loop; f++)
		r->slot[f] = x_var(
			plan_slot(plan, "partial", accumulator_type(r->folds.at[f]), 1, &most));
	k_text(l->k, "reduce_total");
	lowering_launch(l, blocks, x_i64(1), x_i64(1));
	if (in_loop)
		return;
	k_if(plan->host, x_lt(x_i64(1), blocks));
	fold_parts(r, plan, blocks);
	k_end(plan->host);
}

void reduce_total_gpu(struct reduction *r, struct plan *plan)
{
	reduce_open(r, plan);
	struct kx *terms = reduce_terms(r, plan);
	reduce_argument(r->l, "terms", terms);
	struct kx *chunk = block_terms(r, terms);
	struct kx *blocks = plan_let(plan, "blocks", x_max(x_div_up(terms, chunk), x_i64(1)));
	reduce_argument(r->l, "chunk", chunk);
	reduce_argument(r->l, "parts", blocks);
	reduce_bind_range(r, reduce_vectors_allowed(r, terms));
	total(r, plan, blocks);
}

/* Blocks for terms whose number only the device knows: for as many as the array has that they
 * read, four a thread. */
static struct kx *blocks_of_array(const struct reduction *r, struct plan *plan)
{
	struct kx *most = x_i64(r->l->target->total_blocks), *cells = NULL;
	struct affine extent;
	for (int f = 0; f < r->folds.n && !cells; f++) {
		const struct expr *e = r->folds.at[f];
		if (always_inside(e->arg.at[0], e->fold->index.at[0], &extent))
			cells = lower_affine(host_lowering(plan), &extent);
	}
	struct kx *own = cells ? x_div_up(cells, x_i64(4 * (int64_t)r->l->target->block)) : most;
	return plan_let(plan, "blocks", cells ? x_max(x_min(own, most), x_i64(1)) : most);
}

void reduce_late_gpu(struct reduction *r, struct plan *plan)
{
	reduce_open(r, plan);
	struct kernel *k = r->l->k;
	struct kx *blocks = blocks_of_array(r, plan);
	struct kx *terms = x_var(k_let(k, "terms", lower_terms(r->l, r->domain, 0)));
	struct kx *parts = reduce_argument(r->l, "parts", blocks);
	k_bind(k, "terms", terms);
	k_bind(k, "chunk", x_var(k_let(k, "chunk", x_div_up(terms, parts))));
	reduce_bind_range(r, NULL);
	total(r, plan, blocks);
}

/* ---- rows ---- */

void reduce_bind_cell(struct reduction *r, struct kx *cell, const struct kept *kept)
{
	struct lowering *l = r->l;
	struct kx *rest = cell;
	for (int d = r->node->index.n - 1; d >= 0; d--) {
		struct kx *at = x_add(kept->lo[d], d ? x_rem(rest, kept->size[d]) : rest);
		lower_bind(l, r->node->index.at[d],
		           x_var(k_let(l->k, r->node->index.at[d]->name, at)));
		if (d)
			rest = x_var(k_let(l->k, "rest", x_div(rest, kept->size[d])));
	}
}

void reduce_kept_arguments(struct reduction *r, struct kept *kept)
{
	for (int d = 0; d < r->node->index.n; d++) {
		const char *name = r->node->index.at[d]->name;
		struct kx *lo = kept->host_lo[d], *size = kept->host_size[d];
		kept->lo[d] = x_is_int(lo, 0) ? lo
		                              : lower_argument(r->l, str_print("%s_first", name),
		                                               kt_scalar(T_I64), lo);
		kept->size[d] = d ? lower_argument(r->l, str_print("%s_cells", name),
		                                   kt_scalar(T_I64), size)
		                  : NULL;
	}
	kept->cells = lower_argument(r->l, "cells", kt_scalar(T_I64), kept->host_cells);
	k_bind(r->l->k, "cells", kept->cells);
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

/* log2 of the threads a cell: enough for one vector each, up to a warp; a whole block for long
 * rows. */
struct kx *reduce_group_bits(struct reduction *r, struct kx *terms)
{
	int lanes = r->l->target->lanes, block_bits = log2_of(r->l->target->block);
	struct kx *bits = x_i32(0);
	for (int b = 1; 1 << b <= lanes; b++)
		bits = x_cond(x_lt(x_i64((int64_t)(1 << b) / 2 * r->width), terms), x_i32(b), bits);
	return x_cond(x_lt(x_i64((int64_t)lanes * r->width * LOADS), terms), x_i32(block_bits),
	              bits);
}

/* What the chunks of cells found: a slot an accumulator; of each chunk its cells side by side. */
static void cut_slots(struct reduction *r, const struct kept *kept)
{
	struct plan *plan = r->l->plan;
	/* strips x chunks <= max(total_blocks, strips), by choose_chunks; what is cut has no more
	 * strips than that */
	struct kx *share = x_i64(r->l->target->total_blocks * kept->strip),
		  *cells = kept->slot_cells ? kept->slot_cells : share;
	struct kx *most = x_add(cells, share);
	if (kept->slot_cells && kept->slot_chunks)
		most = x_min(most, x_mul(cells, kept->slot_chunks));
	for (int f = 0; f < r->folds.n; f++)
		r->slot[f] = x_var(
			plan_slot(plan, "partial", accumulator_type(r->folds.at[f]), 1, &most));
	r->ticket_slot = plan_in_loop(plan) ? x_var(plan_ticket(plan, 1, &cells)) : NULL;
	k_bind(r->l->k, "IN_LOOP", r->ticket_slot != NULL);
}

/* What every thread has folded goes to shared memory. */
static struct kx *share_down(struct lowering *l, const void *reduction, struct kx *const *none)
{
	const struct reduction *r = reduction;
	(void)none;
	struct kx *shared[8];
	for (int a = 0; a < r->acc.n; a++) {
		const char *name = str_print("row_%s", r->acc.at[a].var->name);
		shared[a] = x_var(k_shared(l->k, r->acc.at[a].type, name, l->k->block[0]));
		k_set(l->k, x_at(shared[a], k_get(l->k, "thread")), x_var(r->acc.at[a].var));
	}
	bind_values(l->k, "row_acc", r->acc.n, shared);
	return NULL;
}

/* Warps of a block: as many as memory for what their threads have folded. */
static int64_t fold_threads(const struct reduction *r, const struct target *target)
{
	int64_t block = FOLD_BLOCK, bytes = 0;
	for (int f = 0; f < r->folds.n; f++)
		bytes += type_size(accumulator_type(r->folds.at[f]));
	while (block > target->lanes && block * bytes > target->shared_bytes)
		block /= 2;
	return block;
}

void reduce_fold_chunks(struct reduction *r, struct plan *plan, struct kx *const *slot,
                        struct kept kept, struct kx *host_chunks)
{
	struct lowering *l = reduce_open_fold(r, plan);
	int64_t block = fold_threads(r, l->target);
	l->k->block[0] = (int)block;
	l->k->block[1] = l->k->block[2] = 1;
	k_numbers(l->k, "BLOCK, WARPS", block, block / l->target->lanes);
	k_bind_call(l->k, "share_down", share_down, r);
	l->k->min_blocks = 1;                    /* against spills; it costs nothing here */
	reduce_kept_arguments(r, &kept);
	reduce_argument(l, "chunks", host_chunks);
	r->kept = &kept;
	memcpy(r->slot, slot, sizeof r->slot);
	reduce_bind_partial(r, true);
	k_text(l->k, "fold_chunks");
	struct kx *blocks = x_div_up(kept.host_cells, x_i64(l->target->lanes));
	lowering_launch(l, blocks, x_i64(1), x_i64(1));
}

/* In a loop blocks take tickets.  Elsewhere a second kernel folds what they found; on an H200
 * 11.5 us for the columns of 1024^2 f32 with tickets. */
static void fold_chunks(struct reduction *r, struct kept kept, struct kx *host_chunks)
{
	struct plan *plan = r->l->plan;
	struct kx *slot[8];
	memcpy(slot, r->slot, sizeof slot);
	if (r->ticket_slot)
		return;
	k_if(plan->host, x_lt(x_i64(1), host_chunks));
	reduce_fold_chunks(r, plan, slot, kept, host_chunks);
	k_end(plan->host);
}

/* Chunks a cell: one unless cells alone leave the machine empty; each chunk has a few tiles. */
static struct kx *choose_chunks(struct reduction *r, struct kx *cells, struct kx *terms,
                                int64_t least)
{
	struct kx *want = x_div(x_i64(r->l->target->total_blocks), x_max(cells, x_i64(1)));
	struct kx *most = x_div(terms, x_i64(least));
	return x_max(x_min(x_min(want, most), x_i64(r->l->target->max_grid_y)), x_i64(1));
}

/* Only what has a whole block may be worth several. */
struct kx *reduce_row_chunks(struct reduction *r, struct kx *group, struct kx *cells,
                             struct kx *terms)
{
	int64_t block = r->l->target->block;
	struct kx *many = choose_chunks(r, cells, terms, block * r->width * LOADS);
	return plan_let(r->l->plan, "chunks", x_cond(x_eq(group, x_i64(block)), many, x_i64(1)));
}

static bool fold_wants_registers(const struct reduction *r, const struct expr *fold)
{
	const struct expr *term = fold->arg.at[0], *mask = fold->fold->where;
	return expr_slow(term) || (mask && expr_slow(mask)) || term->type->kind == T_STRUCT
	       || (r->width > 1 && term->type->kind == T_BOOL)
	       || (r->width >= 4 && op_is_arg(fold->fold->op));
}

/* ptxas spills a few bytes to fit one block more: of functions and divisions, in masks too, of
 * structs, of results that are added to, and, of vectors, of conditions and of the best and its
 * place. */
static bool wants_registers(const struct reduction *r)
{
	if (reduce_adds(r->node))
		return true;
	for (int f = 0; f < r->folds.n; f++)
		if (fold_wants_registers(r, r->folds.at[f]))
			return true;
	return false;
}

void reduce_rows_gpu(struct reduction *r, struct plan *plan)
{
	reduce_open(r, plan);
	struct lowering *l = r->l;
	struct kx *terms = reduce_terms(r, plan);
	reduce_argument(l, "terms", terms);
	struct kept kept = reduce_kept_cells(r);
	struct kx *bits = plan_let(plan, "group_bits", reduce_group_bits(r, terms));
	struct kx *group = plan_let(plan, "group", x_op(OP_SHL, x_i64(1), bits));
	k_bind(l->k, "group_bits", lower_argument(l, "group_bits", kt_scalar(T_I32), bits));
	struct kx *chunks = reduce_row_chunks(r, group, kept.host_cells, terms);
	reduce_argument(l, "chunks", chunks);
	struct kx *width = x_i64(r->width);
	reduce_argument(l, "chunk_terms", x_mul(x_div_up(x_div_up(terms, chunks), width), width));
	reduce_bind_range(r, reduce_vectors_allowed(r, terms));
	block_of_target(l);
	l->k->min_blocks = wants_registers(r);
	r->kept = &kept;
	cut_slots(r, &kept);
	k_text(l->k, "reduce_rows");
	struct kx *cells = x_div(x_i64(l->k->block[0]), group);      /* of a block */
	lowering_launch(l, x_div_up(kept.host_cells, cells), chunks, x_i64(1));
	fold_chunks(r, kept, chunks);
}

/* ---- strips of cells ---- */

void reduce_strips(struct reduction *r, struct kx *terms, const struct kept *kept, int64_t least,
                   const char *text)
{
	struct lowering *l = r->l;
	struct kx *strip = kept->across ? kept->across : x_i64(kept->strip);
	struct kx *strips = x_div_up(kept->host_cells, strip);
	strips = plan_let(l->plan, "strips", strips);
	struct kx *chunks = plan_let(l->plan, "chunks", choose_chunks(r, strips, terms, least));
	reduce_argument(l, "chunks", chunks);
	reduce_argument(l, "chunk_terms", x_div_up(terms, chunks));
	r->kept = kept;
	cut_slots(r, kept);
	k_text(l->k, text);
	lowering_launch(l, strips, chunks, x_i64(1));
	fold_chunks(r, *kept, chunks);
}

/* ---- columns ---- */

void reduce_columns_gpu(struct reduction *r, struct plan *plan)
{
	reduce_open(r, plan);
	struct lowering *l = r->l;
	int lanes = l->target->lanes, rows = l->target->block / lanes;
	struct kx *terms = reduce_terms(r, plan);
	reduce_argument(l, "terms", terms);
	struct kept kept = reduce_kept_cells(r);
	/* few terms are not cut into chunks */
	struct kx *few = plan_let(plan, "few", x_lt(terms, x_i64((int64_t)rows * FEW_TERMS)));
	kept.strip = lanes;                 /* cells that one chunk of a block folds side by side */
	kept.across = x_cond(few, x_i64(l->target->block), x_i64(lanes));
	block_of_target(l);
	k_bind(l->k, "few", k_choice(l->k, "few", few));
	k_bind_call(l->k, "share_down", share_down, r);
	reduce_strips(r, terms, &kept, (int64_t)rows * LOADS, "reduce_columns");
}
