/* sort_bins.c - sequences whose lengths are data: short ones are sorted where they lie, the others put into queues.
 *
 * A block takes SORT_THREADS neighbouring sequences, a thread each, and bins them by classes of lengths (powers of
 * two).  What fits the registers of a thread it sorts at once, before anything is counted.  Of the others the lanes of a
 * warp with the same class draw places in it together, from a counter of the block.  What fits the registers of a
 * warp's lanes is listed in the block's memory, class by class, and sorted by its warps at once: so
 * neighbouring lanes mostly load neighbouring sequences, and nothing of a short sequence but its cells is moved.
 * Of the longer classes the block takes room in queues on the device, by one atomic each; a warp lists the tiles of those
 * longer than a block sorts.
 *
 * Queues stand one behind the other: at most total / 2^(k-1) sequences have more than 2^(k-1) cells, so room for that
 * many of each is enough whatever the lengths are. */
#include "sort_gpu.h"
#include "../block_scan.h"

struct bins {
	const struct sorter *s;
	struct lowering *l;
	struct kx *lane, *warp, *count;      /* of sequences */
	struct kx *queue, *counts, *tile_sequence, *tile_number, *total;
	/* of the block: by class, and behind them whether any thread left its sequence to others; room in queues; short
	 * sequences, of each class so many as threads */
	struct kvar *counted, *room, *list;
	struct kx *first;                    /* sequence of the block */
	/* of the thread */
	struct kx *class;                    /* -1: nothing is to be done with it here */
	struct kx *cells;                    /* of one longer than a block sorts, or 0 */
	struct kvar *slot;                   /* its place among those of its class in the block */
};

static struct kx *deal(struct kx *counter, struct kx *n)
{
	return x_help(kt_scalar(T_I64), "patc_deal", 2, (struct kx *[]){ counter, n });
}

static struct kx *from_lane(struct kx *value, struct kx *lane)
{
	return x_help(value->type, str_print("patc_shfl_%s", type_name(value->type.type)), 2, (struct kx *[]){ value, lane });
}

static struct kx *count_lanes(struct kx *mask)
{
	const char *name = str_print("patc_popcount_%s", type_name(mask->type.type));
	return x_help(kt_scalar(T_I32), name, 1, &mask);
}

/* The number of its sequence. */
static struct kx *of_thread(const struct bins *b)
{
	return x_add(b->first, x_to_i64(block_thread(b->l)));
}

/* ---- queues ---- */

/* Sequences of this class and longer ones: so many at most. */
static struct kx *most_from(const struct sorter *s, struct kx *total, struct kx *c)
{
	return x_op(OP_SHR, total, x_add(c, x_i32(s->short_bits - 2)));
}

struct kx *sort_queue_begin(const struct sorter *s, struct kx *total, struct kx *c)
{
	return x_sub(most_from(s, total, x_i32(sort_warp_classes(s))), most_from(s, total, c));
}

void sort_find_queues(struct sorter *s)
{
	struct kx *room = x_add(most_from(s, s->total, x_i32(sort_warp_classes(s))), x_i64(1));
	struct kx *counts = sort_counts(s);
	struct kx *tiles = x_add(x_div(s->total, x_i64(s->tile / 2)), x_i64(1));
	s->queue = plan_slot(s->plan, "queue", type_scalar(T_U32), 1, &room);
	s->counts = plan_slot(s->plan, "counts", type_scalar(T_U64), 1, &counts);
	s->tile_sequence = plan_slot(s->plan, "tile_sequence", type_scalar(T_U32), 1, &tiles);
	s->tile_number = plan_slot(s->plan, "tile_number", type_scalar(T_U32), 1, &tiles);
	k_clear(s->plan->host, x_var(s->counts), x_mul(counts, x_i64(8)));
}

/* ---- a block's sequences ---- */

static void find_class(struct bins *b, struct kx *is, struct kx *n)
{
	struct kx *c = x_i32(0), *tile = x_i64(b->s->tile);
	for (int i = 0; i < sort_classes(b->s) - 1; i++)
		c = x_add(c, x_cast(kt_scalar(T_I32), x_lt(x_i64(sort_class_cells(b->s, i)), n)));
	is = x_and(is, x_lt(x_i64(b->s->node->sorting->into ? 0 : 1), n));
	b->class = let(b->l, "class", x_cond(x_and(is, x_le(n, tile)), c, x_i32(-1)));
	b->cells = let(b->l, "long_cells", x_cond(x_and(is, x_lt(tile, n)), n, x_i64(0)));
}

/* Its lanes take turns: each tile by another one. */
static void list_tiles(const struct bins *b, struct kx *first, struct kx *n)
{
	struct lowering *l = b->l;
	struct kernel *k = l->k;
	struct kx *tiles = let(l, "tiles", x_div_up(n, x_i64(b->s->tile)));
	struct kx *at = x_var(k_var(k, kt_scalar(T_I64), "at", x_i64(0)));
	k_if(k, x_eq(b->lane, x_i32(0)));
	k_set(k, at, deal(x_offset(b->counts, x_i32(sort_classes(b->s))), tiles));
	sort_need_passes(b->s, l, b->counts, tiles);
	k_end(k);
	k_set(k, at, from_lane(at, x_i32(0)));
	struct kx *tile = x_var(k_for(k, "tile", x_to_i64(b->lane), tiles, x_i64(l->target->lanes), FOR_ROLLED));
	k_set(k, x_at(b->tile_sequence, x_add(at, tile)), x_cast(kt_scalar(T_U32), first));
	k_set(k, x_at(b->tile_number, x_add(at, tile)), x_cast(kt_scalar(T_U32), tile));
	k_end(k);
}

static void list_long(const struct bins *b)
{
	struct lowering *l = b->l;
	struct kernel *k = l->k;
	struct kx *cells = b->cells, *lanes = lanes_where(l, x_lt(x_i64(0), cells));
	k_if(k, x_ne(lanes, no_lanes(l)));
	struct kx *of = x_var(k_for(k, "of", x_i32(0), x_i32(l->target->lanes), x_i32(1), FOR_ROLLED));
	struct kx *n = let(l, "n", from_lane(cells, of));
	k_if(k, x_lt(x_i64(0), n));
	struct kx *place = x_add(x_mul(b->warp, x_i32(l->target->lanes)), of);
	list_tiles(b, x_add(b->first, x_to_i64(place)), n);
	k_end(k);
	k_end(k);
	k_end(k);
}

/* Places for all sequences of one class in the warp. */
static void draw(const struct bins *b, struct kx *c, struct kx *lanes)
{
	struct kernel *k = b->l->k;
	struct kx *at = x_var(k_var(k, kt_scalar(T_I32), "at", x_i32(0)));
	struct kx *arg[] = { x_offset(x_var(b->counted), c), count_lanes(lanes) };
	k_if(k, x_eq(b->lane, x_i32(0)));
	k_set(k, at, x_help(kt_scalar(T_I32), "patc_deal_u32", 2, arg));
	k_end(k);
	k_set(k, at, from_lane(at, x_i32(0)));
	k_if(k, x_eq(b->class, c));
	k_set(k, x_var(b->slot), x_add(at, count_lanes(x_op(OP_AND, lanes, lanes_before(b->l, b->lane, 0)))));
	k_end(k);
}

static void draw_classes(const struct bins *b)
{
	struct kernel *k = b->l->k;
	struct kx *mark[] = { x_offset(x_var(b->counted), x_i32(sort_classes(b->s))), x_int(T_U32, 1) };
	k_if(k, x_ne(lanes_where(b->l, x_lt(x_i32(0), b->class)), no_lanes(b->l)));
	k_if(k, x_eq(b->lane, x_i32(0)));
	k_do(k, x_help(kt_scalar(T_I32), "patc_mark", 2, mark));
	k_end(k);
	struct kx *c = x_var(k_for(k, "c", x_i32(1), x_i32(sort_classes(b->s)), x_i32(1), FOR_ROLLED));
	struct kx *lanes = let(b->l, "lanes", lanes_where(b->l, x_eq(b->class, c)));
	k_if(k, x_ne(lanes, no_lanes(b->l)));
	draw(b, c, lanes);
	k_end(k);
	k_end(k);
	k_end(k);
}

static struct kx *list_place(const struct bins *b, struct kx *c, struct kx *slot)
{
	return x_at(x_var(b->list), x_add(x_mul(c, x_i32(SORT_THREADS)), slot));
}

static void list_short(const struct bins *b)
{
	struct kernel *k = b->l->k;
	struct kx *class = b->class;
	k_if(k, x_and(x_lt(x_i32(0), class), x_lt(class, x_i32(sort_warp_classes(b->s)))));
	k_set(k, list_place(b, class, x_var(b->slot)), x_cast(kt_scalar(T_U8), block_thread(b->l)));
	k_end(k);
}

/* A thread a class: room for what the block has of it. */
static void take_room(const struct bins *b)
{
	struct kernel *k = b->l->k;
	struct kx *c = block_thread(b->l);
	k_if(k, x_and(x_le(x_i32(sort_warp_classes(b->s)), c), x_lt(c, x_i32(sort_classes(b->s)))));
	struct kx *n = let(b->l, "sum", x_cast(kt_scalar(T_I64), x_at(x_var(b->counted), c)));
	k_if(k, x_lt(x_i64(0), n));
	struct kx *at = let(b->l, "at", deal(x_offset(b->counts, c), n));
	k_set(k, x_at(x_var(b->room), c), x_add(at, sort_queue_begin(b->s, b->total, c)));
	k_end(k);
	k_end(k);
}

static void enqueue(const struct bins *b)
{
	struct kernel *k = b->l->k;
	k_if(k, x_le(x_i32(sort_warp_classes(b->s)), b->class));
	struct kx *at = x_add(x_at(x_var(b->room), b->class), x_to_i64(x_var(b->slot)));
	k_set(k, x_at(b->queue, at), x_cast(kt_scalar(T_U32), of_thread(b)));
	k_end(k);
}

static void clear_counted(const struct bins *b)
{
	struct kernel *k = b->l->k;
	struct kx *thread = block_thread(b->l);
	k_if(k, x_le(thread, x_i32(sort_classes(b->s))));
	k_set(k, x_at(x_var(b->counted), thread), x_int(T_U32, 0));
	k_end(k);
}

static void bin_block(struct bins *b)
{
	struct kernel *k = b->l->k;
	b->slot = k_var(k, kt_scalar(T_I32), "slot", x_i32(0));
	draw_classes(b);
	list_short(b);
	list_long(b);
	k_barrier(k);
	k_if(k, x_eq(x_at(x_var(b->counted), x_i32(sort_classes(b->s))), x_int(T_U32, 0)));
	k_return(k, NULL);
	k_end(k);
	take_room(b);
	k_barrier(k);
	enqueue(b);
}

/* ---- the kernel ---- */

static struct bins *bins_open(const struct sorter *s, struct lowering *l)
{
	struct bins *b = NEW(struct bins);
	*b = (struct bins){ .s = s, .l = l };
	b->queue = sort_pointer(s, l, s->queue, false);
	b->counts = sort_pointer(s, l, s->counts, false);
	b->tile_sequence = sort_pointer(s, l, s->tile_sequence, false);
	b->tile_number = sort_pointer(s, l, s->tile_number, false);
	b->total = lower_argument(l, "total", kt_scalar(T_I64), s->total);
	b->counted = k_shared(l->k, type_scalar(T_U32), "counted", sort_classes(s) + 1);
	b->room = k_shared(l->k, type_scalar(T_I64), "room", sort_classes(s));
	b->list = k_shared(l->k, type_scalar(T_U8), "list", (int64_t)SORT_THREADS * sort_warp_classes(s));
	b->lane = lane_of(l, &b->warp);
	b->count = sort_sequences(s, l);
	return b;
}

/* What the lanes of this warp take of one class; each begins with another warp. */
static struct unit open_class(const struct bins *b, struct kx *c)
{
	struct unit u = { .lane_bits = c };
	struct lowering *l = b->l;
	int lanes = l->target->lanes, warps = SORT_THREADS / lanes;
	struct kx *count = let(l, "count", x_cast(kt_scalar(T_I32), x_at(x_var(b->counted), c)));
	struct kx *all = let(l, "all_lanes", x_op(OP_SHL, count, c));
	struct kx *from = x_mul(x_rem(x_add(b->warp, c), x_i32(warps)), x_i32(lanes));
	struct kx *at = x_var(k_for(l->k, "lanes_from", from, all, x_i32(warps * lanes), FOR_ROLLED));
	struct kx *unit = let(l, "unit", x_op(OP_SHR, x_add(at, b->lane), c));
	u.is = let(l, "is", x_lt(unit, count));
	struct kx *place = list_place(b, c, x_min(unit, x_sub(count, x_i32(1))));
	u.number = let(l, "number", x_add(b->first, x_to_i64(x_cast(kt_scalar(T_I32), place))));
	return u;
}

/* No block goes on to other sequences: of what a loop over them left unchanged compilers would keep more in registers
 * than they save, which cost one block of five on a multiprocessor. */
struct bins *sort_open_bins(const struct sorter *s, struct lowering *l, struct unit *own)
{
	struct bins *b = bins_open(s, l);
	struct sequence *q = NEW(struct sequence);
	b->first = let(l, "from", x_mul(x_to_i64(x_id(ID_BLOCK_X)), x_i64(SORT_THREADS)));
	k_if(l->k, x_le(b->count, b->first));
	k_return(l->k, NULL);
	k_end(l->k);
	clear_counted(b);
	k_barrier(l->k);
	struct kx *number = let(l, "number", of_thread(b)), *last = x_sub(b->count, x_i64(1));
	struct kx *valid = let(l, "own", x_min(number, last));
	*q = sort_sequence(s, l, valid);
	find_class(b, x_lt(number, b->count), q->n);
	*own = (struct unit){ x_i32(0), valid, let(l, "is", x_eq(b->class, x_i32(0))), q };
	return b;
}

struct unit sort_open_listed(struct bins *b)
{
	int loops = b->l->target->unrolls ? FOR_UNROLL : FOR_ROLLED;
	bin_block(b);
	return open_class(b, x_var(k_for(b->l->k, "c", x_i32(1), x_i32(sort_warp_classes(b->s)), x_i32(1), loops)));
}

void sort_close_bins(const struct bins *b)
{
	k_end(b->l->k);
	k_end(b->l->k);
}

struct kx *sort_bin_blocks(const struct sorter *s)
{
	return x_div_up(s->sequences, x_i64(SORT_THREADS));
}
