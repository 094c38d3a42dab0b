/* meet_private.c - items that meet in cells of the block's own, which it combines with the array's in the end
 * (src/pass_privatise.c decides where).
 *
 * A cell of a block has copies, as many as its room holds, up to one for each bank: cell b of copy c lies at b * copies + c,
 * and a lane takes copy number lane % copies.  With a copy a bank no two lanes of a warp ever meet in a bank, so what the
 * items are does not matter: one hot cell costs what random ones cost; with fewer copies fewer lanes meet than would in one.
 * Cells that take more than a room are cut into parts, each a block's: blocks that stand side by side take the same items,
 * each those of its part, and all but the first find them in the L2 cache.  How many parts, the device's room says and not that
 * of the text's architecture: 2^27 f32 into 65536 cells took 0.37 ms on an H200 in 4 parts, 0.22 in 2.
 *
 * A block stands on every multiprocessor and goes from strip to strip of items, several vectors a thread under way at once.  In
 * the end it folds the copies of each cell and combines them with the array's: neighbouring cells by neighbouring threads,
 * none that has seen nothing.  Which block comes first is open, as in a scatter.
 *
 * Where a histogram's cells take more than all parts, or the user says so, the block's cells may be a window of them that a
 * sample has found (private_sample.c): an item is tested, and goes there or to memory.  Items are then taken as memory likes
 * them, neighbours by neighbouring lanes, so that rows need no alignment.  If the sample has found none, this kernel ends at once,
 * else the one behind it does, in which all items meet in memory.
 *
 * On an H200 (2^27 f32 into 256 cells): a block of 1024 threads 4159 GB/s, 6 of 256 threads 3953; a seventh for which there
 * is no room 3429.  Items of a vector that all go to one cell, combined in registers first, gain 5 in 100 where all do, and
 * cost 25 where few do (bytes at random): they are not looked for. */
#include <string.h>

#include "atomic.h"
#include "cells.h"
#include "private.h"
#include "privatise.h"

enum {
	HOT_ITEMS = 4                        /* a thread takes at once, where most go to a window: neighbouring lanes neighbours */
};

/* ---- the block's cells ---- */

struct own {
	struct cells *c;
	struct lowering *l;
	struct kernel *k;
	const struct node *node;
	const struct equation *eq;
	bool cut;                            /* into parts */
	struct kx *room;                     /* cells that a block may have: the host's i64 */
	struct kx *host_window, *window;     /* NULL, or: a sample has found the block's cells; the first of them, i64 */
	int threads;
	int vectors;                         /* a thread, at once */
	struct kx *cells;                    /* host: of the array, or of the part of it that is private; i64 */
	struct kx *host_parts, *host_each;   /* parts; cells of one; i64 */
	struct kx *parts;                    /* in the kernel, if cut: i64 */
	struct kx *first, *count, *all;      /* of the block's cells; of the array, if cut; i32 */
	struct kvar *bin;                    /* all copies */
	struct kx *copies, *copy;            /* how many; the lane's: i32 */
	struct kx *array;                    /* the cells of all */
};

static struct kx *let(struct own *o, const char *name, struct kx *value)
{
	value = kx_fold(value);
	return value->kind == KX_INT ? value : x_var(k_let(o->k, name, value));
}

static const struct type *cell_type(const struct own *o)
{
	return private_array(o->node)->type;
}

static struct kx *identity(struct own *o)
{
	return x_cast(kt(cell_type(o)), lower_identity(o->l, o->eq->combine, cell_type(o)));
}

static int64_t most_cells(const struct own *o)
{
	return private_room(o->node, o->l->target);
}

struct kx *private_copies_of(const struct node *node, const struct target *target, struct kx *room, struct kx *host_cells)
{
	struct kx *copies = x_i32(1);
	int most = node->choice.copies ? node->choice.copies : private_copies(node, target);
	for (int n = 2; n <= most; n *= 2)
		copies = x_cond(x_le(x_mul(host_cells, x_i64(n)), room), x_i32(n), copies);
	return kx_fold(copies);
}

/* Which cells of the array the block has: a window that a sample has found, ... */
static void find_window(struct own *o)
{
	struct kx *window = lower_argument(o->l, "window", kt_pointer(type_scalar(T_I64), true), o->host_window);
	o->first = x_i32(0);
	o->count = let(o, "own_count", x_to_i32(x_at(window, x_i32(HOT_COUNT))));
	k_if(o->k, x_eq(o->count, x_i32(0)));
	k_return(o->k, NULL);
	k_end(o->k);
	o->window = let(o, "own_first", x_at(window, x_i32(HOT_FIRST)));
	o->copies = let(o, "copies", x_to_i32(x_at(window, x_i32(HOT_COPIES))));
}

/* ... a part, or all. */
static void find_part(struct own *o)
{
	struct kx *each = lower_number(o->l, "own_cells", x_to_i32(o->host_each));
	o->first = x_i32(0);
	o->count = each;
	if (!o->cut)
		return;
	o->parts = lower_number(o->l, "parts", o->host_parts);
	o->all = lower_number(o->l, "cells", x_to_i32(o->cells));
	struct kx *part = x_to_i32(x_rem(x_to_i64(x_id(ID_BLOCK_X)), o->parts));
	o->first = let(o, "own_first", x_mul(part, each));
	o->count = let(o, "own_count", x_min(each, x_sub(o->all, o->first)));
}

static void declare_bins(struct own *o)
{
	const struct var *var = private_array(o->node);
	struct kx *copies = private_copies_of(o->node, o->l->target, o->room, o->host_each), *all = kx_fold(x_mul(o->host_each, x_to_i64(copies)));
	int64_t count = all->kind == KX_INT ? all->i : most_cells(o);
	count = count > 0 ? count : 1;           /* an array of no cells: no loop over them makes a pass */
	bool asks = count * type_size(var->type) > o->l->target->shared_bytes;
	o->bin = (asks ? k_shared_asked : k_shared)(o->k, var->type, str_print("own_%s", var->name), count);
	if (type_size(var->type) < 4)
		o->bin->align = 4;               /* small cells are combined through the word around them */
	if (!o->window)
		o->copies = lower_number(o->l, "copies", x_to_i32(copies));
}

static struct kx *bin_of(struct own *o, struct kx *number)
{
	return x_at(x_var(o->bin), x_add(x_mul(number, o->copies), o->copy));
}

static void open_bins(struct own *o)
{
	o->array = lower_pointer(o->l, private_array(o->node));
	o->host_window ? find_window(o) : find_part(o);
	declare_bins(o);
	struct kx *all = let(o, "own_all", x_mul(o->count, o->copies));
	struct kx *b = x_var(k_for(o->k, "b", block_thread(o->l), all, x_i32(o->threads), FOR_ROLLED));
	k_set(o->k, x_at(x_var(o->bin), b), identity(o));
	k_end(o->k);
	k_barrier(o->k);
	o->copy = let(o, "copy", x_op(OP_AND, block_thread(o->l), x_sub(o->copies, x_i32(1))));
}

/* The copies of a cell are folded by one thread, from a different copy on each lane: those of a row meet in no bank. */
static struct kx *all_copies(struct own *o, struct kx *b)
{
	const struct type *type = cell_type(o), *of = o->eq->right->type;
	struct kx *all = x_var(k_var(o->k, kt(type), "all", identity(o)));
	struct kx *n = x_var(k_for(o->k, "n", x_i32(0), o->copies, x_i32(1), 0));
	struct kx *copy = x_op(OP_AND, x_add(n, block_thread(o->l)), x_sub(o->copies, x_i32(1)));
	struct kx *one = x_at(x_var(o->bin), x_add(x_mul(b, o->copies), copy));
	plain_combine(o->l, o->eq->combine, of, all, x_cast(kt(of), one));
	k_end(o->k);
	return all;
}

static struct kx *place_of(const struct own *o, struct kx *b)
{
	return o->window ? x_add(o->window, x_to_i64(b)) : x_to_i64(x_add(o->first, b));
}

static void close_bins(struct own *o)
{
	const struct type *type = cell_type(o), *of = o->eq->right->type;
	k_barrier(o->k);
	struct kx *b = x_var(k_for(o->k, "b", block_thread(o->l), o->count, x_i32(o->threads), FOR_ROLLED));
	struct kx *all = all_copies(o, b);
	const struct ktype compared = kt(type_compute(type));
	k_if(o->k, x_ne(x_cast(compared, all), x_cast(compared, identity(o))));
	atomic_combine(o->l, o->eq->combine, of, x_at(o->array, place_of(o, b)), x_cast(kt(of), all));
	k_end(o->k);
	k_end(o->k);
}

/* ---- what an item does ---- */

static void take(struct lowering *l, struct kx *number, struct kx *value, void *state)
{
	struct own *o = state;
	atomic_combine(l, o->eq->combine, o->eq->right->type, bin_of(o, x_to_i32(number)), value);
}

static const struct meeting *meeting_of(struct own *o)
{
	struct meeting *m = NEW(struct meeting);
	*m = (struct meeting){ .way = MEET_AT_ONCE, .take = take, .state = o };
	m->count = o->count;
	m->first = o->window ? o->window : o->cut ? o->first : NULL;
	m->all = o->all;
	m->others = o->window || o->node->choice.first > 0;
	return m;
}

/* ---- items ---- */

struct strips { struct kx *lo[MAX_RANK], *count[MAX_RANK], *each, *row, *all, *host_all; };   /* items of one; of a row; of all rows */

static int64_t strip_of(const struct own *o)
{
	return (int64_t)o->vectors * o->c->width * o->threads;
}

static struct kx *host_units(void)
{
	return x_max(x_help(kt_scalar(T_I64), "patc_units", 0, NULL), x_i64(1));
}

/* Items of a strip: so few, where there are few, that all multiprocessors have one. */
static struct kx *host_each(struct own *o, struct plan *plan, struct kx *items)
{
	struct kx *all = x_i64(strip_of(o));
	if (o->vectors == 1 || o->node->choice.coarsen)
		return all;
	return plan_let(plan, "each", x_cond(x_lt(items, x_mul(host_units(), all)), x_i64(strip_of(o) / o->vectors), all));
}

static void find_strips(struct own *o, struct plan *plan, struct strips *s)
{
	struct lowering *host = host_lowering(plan);
	struct kx *rows = x_i64(1), *count = NULL;
	for (int d = 0; d < o->node->index.n; d++) {
		const char *name = o->node->index.at[d]->name;
		struct kx *lo = cells_range_lo(o->c, d, host);
		count = plan_range(plan, lo, cells_range_hi(o->c, d, host));
		s->lo[d] = x_is_int(lo, 0) ? lo : lower_argument(o->l, str_print("%s_first", name), kt_scalar(T_I64), lo);
		s->count[d] = lower_argument(o->l, str_print("%s_cells", name), kt_scalar(T_I64), count);
		if (d < o->node->index.n - 1)
			rows = x_mul(rows, count);
	}
	struct kx *each = host_each(o, plan, x_mul(rows, count)), *strips = x_div_up(count, each);
	s->each = lower_number(o->l, "each", x_to_i64(each));
	s->host_all = plan_let(plan, "strips", x_mul(rows, strips));
	s->row = o->node->index.n > 1 ? lower_argument(o->l, "row_strips", kt_scalar(T_I64), strips) : NULL;
	s->all = lower_argument(o->l, "strips", kt_scalar(T_I64), s->host_all);
}

/* Binds the indices but the last; the strip's number in its row. */
static struct kx *place_strip(struct own *o, const struct strips *s, struct kx *strip)
{
	if (!s->row)
		return strip;
	struct kx *rest = let(o, "row", x_div(strip, s->row));
	for (int d = o->node->index.n - 2; d >= 0; d--) {
		struct kx *at = d ? x_rem(rest, s->count[d]) : rest;
		cells_bind(o->c, d, let(o, o->node->index.at[d]->name, x_add(s->lo[d], at)));
		if (d)
			rest = let(o, "rest", x_div(rest, s->count[d]));
	}
	return x_rem(strip, s->row);
}

/* Forgets what the last vector has loaded. */
static void next_vector(struct cells *c)
{
	memset(&c->stream, 0, sizeof c->stream);
	memset(&c->base, 0, sizeof c->base);
}

static struct kx *vector_at(struct own *o, struct kx *first, struct kx *v)
{
	struct kx *lane = x_add(block_thread(o->l), x_mul(v, x_i32(o->threads)));
	return let(o, o->node->index.at[o->c->column]->name, x_add(first, x_to_i64(x_mul(lane, x_i32(o->c->width)))));
}

static void take_vector(struct own *o, struct kx *at)
{
	cells_bind(o->c, o->c->column, at);
	cells_compute_vector(o->c, at, CELL_VECTOR);
}

/* All vectors of a thread are loaded before the first is used. */
static void take_vectors(struct own *o, struct kx *first)
{
	struct cells loaded[MOST_VECTORS], *c = o->c;
	struct kx *at[MOST_VECTORS];
	for (int v = 0; v < o->vectors; v++) {
		at[v] = vector_at(o, first, x_i32(v));
		c->mode = CELL_VECTOR;
		cells_load(c, at[v]);
		loaded[v] = *c;
		next_vector(c);
	}
	for (int v = 0; v < o->vectors; v++) {
		*c = loaded[v];
		take_vector(o, at[v]);
	}
	next_vector(c);
}

static void take_single(struct own *o, struct kx *at, struct kx *end)
{
	k_if(o->k, x_lt(at, end));
	cells_bind(o->c, o->c->column, at);
	cells_body(o->c, CELL_PLAIN);
	k_end(o->k);
}

/* A strip that ends early: vector by vector, the last one item by item. */
static void take_rest(struct own *o, struct kx *first, struct kx *end)
{
	const char *name = o->node->index.at[o->c->column]->name;
	struct kx *at = vector_at(o, first, x_var(k_for(o->k, "v", x_i32(0), x_i32(o->vectors), x_i32(1), FOR_ROLLED)));
	k_if(o->k, x_le(x_add(at, x_i64(o->c->width)), end));
	o->c->mode = CELL_VECTOR;
	cells_load(o->c, at);
	take_vector(o, at);
	next_vector(o->c);
	k_else(o->k);
	struct kx *n = x_var(k_for(o->k, "n", x_i32(0), x_i32(o->c->width), x_i32(1), FOR_ROLLED));
	take_single(o, let(o, name, x_add(at, x_to_i64(n))), end);
	k_end(o->k);
	k_end(o->k);
	k_end(o->k);
}

static void take_singles(struct own *o, struct kx *first, struct kx *end)
{
	struct kx *n = x_var(k_for(o->k, "n", x_i32(0), x_i32(o->vectors * o->c->width), x_i32(1), FOR_ROLLED));
	struct kx *lane = x_add(block_thread(o->l), x_mul(n, x_i32(o->threads)));
	take_single(o, let(o, o->node->index.at[o->c->column]->name, x_add(first, x_to_i64(lane))), end);
	k_end(o->k);
}

static void take_strip(struct own *o, struct kx *first, struct kx *end, bool vectors)
{
	if (!vectors) {
		take_singles(o, first, end);
		return;
	}
	k_if(o->k, x_le(x_add(first, x_i64(strip_of(o))), end));
	take_vectors(o, first);
	k_else(o->k);
	if (o->c->width > 1)
		take_rest(o, first, end);
	else
		take_singles(o, first, end);
	k_end(o->k);
}

static void take_strips(struct own *o, const struct strips *s, bool vectors)
{
	int last = o->c->column;
	struct kx *from = x_to_i64(x_id(ID_BLOCK_X)), *step = x_to_i64(x_id(ID_GRID_X));
	if (o->cut)
		from = x_div(from, o->parts), step = x_div(step, o->parts);
	struct kx *strip = x_var(k_for(o->k, "strip", from, s->all, step, FOR_ROLLED));
	struct kx *number = place_strip(o, s, strip);
	struct kx *first = let(o, "first", x_add(s->lo[last], x_mul(number, s->each)));
	struct kx *end = let(o, "end", x_min(x_add(first, s->each), x_add(s->lo[last], s->count[last])));
	take_strip(o, first, end, vectors);
	k_end(o->k);
}

/* ---- the kernels ---- */

/* cells: the host's number of private ones; room: of those that a block may have; window: or of all, of which a sample finds those */
struct form { bool cut; struct kx *cells, *room; int width; struct kx *window, *sampled; };

/* One on a multiprocessor; where parts are blocks', as many for each. */
static struct kx *host_blocks(const struct own *o, const struct strips *s)
{
	if (!o->cut)
		return x_min(s->host_all, host_units());
	return x_mul(x_min(s->host_all, x_max(x_div(host_units(), o->host_parts), x_i64(1))), o->host_parts);
}

static void divide(struct own *o, struct plan *plan)
{
	o->host_parts = o->cut ? plan_number(plan, "parts", x_div_up(o->cells, o->room)) : x_i64(1);
	if (o->host_window) {
		o->host_each = x_i64(most_cells(o));
		return;
	}
	o->host_each = o->cut ? plan_number(plan, "own_cells", x_div_up(o->cells, o->host_parts)) : o->cells;
}

static void own_kernel(struct plan *plan, const struct group *group, const struct form *f, bool vectors, const char *suffix)
{
	struct own o = { .c = cells_open(plan, group, vectors, suffix), .node = group->anchor, .eq = private_equation(group->anchor),
	                 .cut = f->cut, .cells = f->cells, .room = f->room, .host_window = f->window, .threads = private_threads(group->anchor, plan->target) };
	struct strips s = { .row = NULL };
	o.l = o.c->l;
	o.k = o.l->k;
	o.c->width = f->width;
	o.vectors = f->window ? HOT_ITEMS : private_vectors(o.node, f->width);
	block_launch_bounds(o.l);
	o.k->block[0] = o.threads;
	o.k->min_blocks = 1;                 /* ptxas would make room for a second */
	if (f->room->kind != KX_INT)
		o.k->asks = x_to_i32(x_mul(f->room, x_i64(type_size(cell_type(&o)))));
	divide(&o, plan);
	find_strips(&o, plan, &s);
	open_bins(&o);
	o.c->meeting = meeting_of(&o);
	take_strips(&o, &s, vectors);
	close_bins(&o);
	lowering_launch(o.l, host_blocks(&o, &s), x_i64(1), x_i64(1));
}

/* Host: rows are aligned for vectors, and the first item of one is at a vector's beginning; or known here. */
static struct kx *are_aligned(struct plan *plan, const struct node *node, int *width)
{
	struct cells any = { .node = private_items(node), .rank = node->index.n, .column = node->index.n - 1 };
	any.l = host_lowering(plan);
	*width = any.width = cells_width(any.node);
	struct kx *aligned = any.width > 1 ? cells_aligned(&any) : x_int(T_BOOL, 0);
	if (!aligned)
		return x_int(T_BOOL, 1);                             /* nothing is read along the last index */
	struct kx *first = cells_range_lo(&any, any.column, any.l);
	return kx_fold(x_and(aligned, x_eq(x_rem(first, x_i64(any.width)), x_i64(0))));
}

static void own_kernels(struct plan *plan, const struct group *group, struct form f, const char *suffix)
{
	struct kx *aligned = are_aligned(plan, group->anchor, &f.width);
	if (aligned->kind == KX_INT) {
		own_kernel(plan, group, &f, aligned->i, suffix);
		return;
	}
	k_if(plan->host, aligned);
	own_kernel(plan, group, &f, true, suffix);
	k_else(plan->host);
	own_kernel(plan, group, &f, false, str_print("%s_single", suffix));
	k_end(plan->host);
}

static struct kx *host_cells(struct plan *plan, const struct node *node)
{
	struct kx *count = meet_cells(plan, node);
	return kx_fold(node->choice.first ? x_min(count, x_i64(node->choice.first)) : count);
}

static bool must_ask(const struct target *target)
{
	return target->asked_bytes > target->shared_bytes;
}

/* Host: does a block get the room that cells ask for, if the device says that it may have so many bytes? */
static struct kx *may_ask(const struct target *target, struct kx *bytes)
{
	return must_ask(target) ? x_le(x_i64(target->asked_bytes), bytes) : x_int(T_BOOL, 1);
}

/* Host: there are items enough for what a block begins and ends with. */
static struct kx *are_worth(struct plan *plan, const struct node *node, struct kx *cells)
{
	struct kx *few = x_le(cells, x_i64(FEW_BYTES / type_size(private_array(node)->type)));
	struct kx *many = x_le(x_mul(cells, x_i64(ITEMS_A_CELL)), meet_items(plan, node));
	return node->pin.privatise > 0 ? x_int(T_BOOL, 1) : x_or(few, many);
}

/* Host: the cells that a part may have: those of the device, which may be of a later architecture than the text. */
static struct kx *room_of_device(struct plan *plan, const struct node *node, struct kx *bytes)
{
	if (!must_ask(plan->target))
		return x_i64(private_room(node, plan->target));
	return plan_let(plan, "room", x_div(bytes, x_i64(type_size(private_array(node)->type))));
}

/* Host: up to so many cells are the blocks' own; of a number that is known, no more is asked for than they need. */
static struct kx *are_own(struct plan *plan, const struct node *node, struct kx *cells, struct kx *most, struct kx *bytes)
{
	struct kx *fit = kx_fold(x_and(x_le(cells, most), are_worth(plan, node, cells)));
	if (x_is_int(fit, 0) || (cells->kind == KX_INT && cells->i * type_size(private_array(node)->type) <= FEW_BYTES))
		return fit;
	return kx_fold(x_and(fit, may_ask(plan->target, bytes)));
}

/* Host: there are items enough for a look at some of them. */
static struct kx *are_sampled(struct plan *plan, const struct node *node, struct kx *bytes)
{
	if (node->choice.hot == HOT_NO)
		return x_int(T_BOOL, 0);
	struct kx *many = x_le(x_i64(SAMPLED_ITEMS), meet_items(plan, node));
	struct kx *may = may_ask(plan->target, bytes);
	return kx_fold(node->pin.hot ? may : x_and(many, may));
}

struct way { struct kx *when; void (*lower)(struct plan *, const struct group *, const struct form *); struct form form; };

static void in_room(struct plan *plan, const struct group *group, const struct form *f)
{
	own_kernels(plan, group, *f, f->cut ? "_parts" : "");
}

/* Two launches before the one that does nothing if one of them has done it. */
static struct kx *in_window(struct plan *plan, const struct group *group, struct form f, struct kx *sampled)
{
	struct kx *words = x_i64(HOT_WORDS);
	f.window = x_var(plan_slot(plan, "window", type_scalar(T_I64), 1, &words));
	f.width = 1;
	if (sampled)
		k_if(plan->host, sampled);
	private_sample(plan, group, f.window, f.cells, plan_let(plan, "items", meet_items(plan, group->anchor)));
	own_kernel(plan, group, &f, true, "_hot");
	if (sampled)
		k_end(plan->host);
	return x_offset(f.window, x_i32(HOT_COUNT));
}

static void in_memory(struct plan *plan, const struct group *group, const struct form *f)
{
	if (x_is_int(f->sampled, 0)) {
		meet_in_memory(plan, group);
		return;
	}
	struct kx *sampled = f->sampled->kind == KX_INT ? NULL : plan_let(plan, "sampled", f->sampled);
	struct kx *done = in_window(plan, group, *f, sampled);
	plan_unless(plan, sampled, done);
	meet_in_memory(plan, group);
	plan_unless(plan, NULL, NULL);
}

/* The first way whose time it is: the host's choice, unless it is known here. */
static void choose_way(struct plan *plan, const struct group *group, const struct way *way)
{
	if (x_is_int(way->when, 0)) {
		choose_way(plan, group, way + 1);
		return;
	}
	bool open = way->when->kind != KX_INT;
	if (open)
		k_if(plan->host, way->when);
	way->lower(plan, group, &way->form);
	if (!open)
		return;
	k_else(plan->host);
	choose_way(plan, group, way + 1);
	k_end(plan->host);
}

void meet_private(struct plan *plan, const struct group *group)
{
	const struct node *node = group->anchor;
	struct kx *cells = host_cells(plan, node);
	struct kx *room = x_i64(private_room(node, plan->target));
	bool all = node->choice.hot == HOT_ALL;
	struct kx *bytes = block_may_ask();
	struct kx *whole = all ? x_int(T_BOOL, 0) : are_own(plan, node, cells, room, bytes);
	bool cannot = all || x_is_int(whole, 1) || node->choice.first;
	if (!cannot && must_ask(plan->target)) {        /* once: where asking fails, it would contradict itself */
		bytes = plan_let(plan, "asked", bytes);
		whole = are_own(plan, node, cells, room, bytes);
	}
	struct kx *most = cannot ? room : room_of_device(plan, node, bytes);
	struct way way[] = {
		{ whole, in_room, { .cells = cells, .room = room } },
		{ cannot ? x_int(T_BOOL, 0) : are_own(plan, node, cells, x_mul(x_i64(MOST_PARTS), most), bytes), in_room,
		  { .cut = true, .cells = cells, .room = most } },
		{ x_int(T_BOOL, 1), in_memory, { .cells = cells, .room = room, .sampled = are_sampled(plan, node, bytes) } }
	};
	choose_way(plan, group, way);
}
