/* meet_private.c - items that meet in cells of the block's own, which it combines with the array's
 * in the end (src/pass_privatise.c decides where).
 *
 * A cell of a block has copies, as many as its room holds, up to one for each bank: cell b of copy
 * c lies at b * copies + c, and a lane takes copy number lane % copies.  With a copy a bank no two
 * lanes of a warp ever use one bank, so what the items are does not matter: one hot cell costs what
 * random ones cost; with fewer copies fewer lanes meet than would in one. Cells that take more than
 * a room are cut into parts, each a block's: neighbouring blocks take the same items, each those of
 * its part, and all but the first find them in the L2 cache.  How many parts, the device's room
 * says and not that of the text's architecture: 2^27 f32 into 65536 cells took 0.37 ms on an H200
 * in 4 parts, 0.22 in 2.
 *
 * Each multiprocessor has one block, which goes from strip to strip of items, several vectors a
 * thread under way at once.  In the end it folds the copies of each cell and combines them with the
 * array's: neighbouring cells by neighbouring threads, none that has seen nothing.  Which block
 * comes first is open, as in a scatter.
 *
 * Where a histogram's cells take more than all parts, or the user says so, the block's cells may be
 * a window of them that a sample has found (private_sample.c): an item is tested, and goes there or
 * to memory.  Items are then taken as memory likes them, neighbours by neighbouring lanes, so that
 * rows need no alignment.  If the sample has found none, this kernel ends at once, else the one
 * after it does, in which all items meet in memory.
 *
 * On an H200 (2^27 f32 into 256 cells): a block of 1024 threads 4159 GB/s, 6 of 256 threads 3953; a
 * seventh for which there is no room 3429.  Items of a vector that all go to one cell, combined in
 * registers first, gain 5 in 100 where all do, and cost 25 where few do (bytes at random): they are
 * not looked for. */
#include <string.h>

#include "atomic.h"
#include "cells.h"
#include "private.h"
#include "privatise.h"
#include "ways.h"

enum {
	/* a thread takes at once, where most go to a window: neighbouring lanes neighbours */
	HOT_ITEMS = 4
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
	struct kx *host_window;              /* NULL, or: a sample has found the block's cells */
	int threads;
	int vectors;                         /* a thread, at once */
	struct kx *cells;        /* host: of the array, or of the part of it that is private; i64 */
	struct kx *host_parts, *host_each;   /* parts; cells of one; i64 */
	struct kx *lo[MAX_RANK], *count[MAX_RANK];   /* of the indices */
	struct kx *row_strips, *host_strips; /* strips of a row; NULL: there is one row; of all */
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

struct kx *private_copies_of(const struct node *node, const struct target *target, struct kx *room,
                             struct kx *host_cells)
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
	struct ktype words = kt_pointer(type_scalar(T_I64), true);
	k_numbers(o->k, "HOT_FIRST, HOT_COUNT, HOT_COPIES", HOT_FIRST, HOT_COUNT, HOT_COPIES);
	k_bind(o->k, "window", lower_argument(o->l, "window", words, o->host_window));
	k_text(o->k, "find_window");
}

/* ... a part, or all. */
static void find_part(struct own *o)
{
	struct kx *each = lower_number(o->l, "own_cells", x_to_i32(o->host_each));
	k_bind(o->k, "own_first", x_i32(0));
	k_bind(o->k, "own_count", each);
	k_bind(o->k, "own_cells", each);
	if (!o->cut)
		return;
	k_bind(o->k, "parts", lower_number(o->l, "parts", o->host_parts));
	k_bind(o->k, "cells", lower_number(o->l, "cells", x_to_i32(o->cells)));
	k_text(o->k, "find_part");
}

static void declare_bins(struct own *o)
{
	const struct var *var = private_array(o->node);
	struct kx *copies = private_copies_of(o->node, o->l->target, o->room, o->host_each);
	struct kx *all = kx_fold(x_mul(o->host_each, x_to_i64(copies)));
	int64_t count = all->kind == KX_INT ? all->i : most_cells(o);
	count = count > 0 ? count : 1;    /* an array of no cells: no loop over them makes a pass */
	bool asks = count * type_size(var->type) > o->l->target->shared_bytes;
	struct kvar *bin = (asks ? k_shared_asked : k_shared)(o->k, var->type,
	                                                      str_print("own_%s", var->name),
	                                                      count);
	if (type_size(var->type) < 4)
		bin->align = 4;          /* small cells are combined through the word around them */
	k_bind(o->k, "bin", bin);
	if (!o->host_window)
		k_bind(o->k, "copies", lower_number(o->l, "copies", x_to_i32(copies)));
}

static struct kx *identity_of(struct lowering *l, const void *own, struct kx *const *none)
{
	(void)l, (void)none;
	return identity((struct own *)own);
}

static struct kx *join(struct lowering *l, const void *own, struct kx *const *arg)
{
	const struct own *o = own;
	const struct type *of = o->eq->right->type;
	plain_combine(l, o->eq->combine, of, arg[0], x_cast(kt(of), arg[1]));
	return NULL;
}

static struct kx *meet(struct lowering *l, const void *own, struct kx *const *arg)
{
	const struct own *o = own;
	const struct type *of = o->eq->right->type;
	atomic_combine(l, o->eq->combine, of, arg[0], x_cast(kt(of), arg[1]));
	return NULL;
}

static void open_bins(struct own *o)
{
	struct kernel *k = o->k;
	const struct type *type = cell_type(o);
	k_bind(k, "array", lower_pointer(o->l, private_array(o->node)));
	k_numbers(k, "THREADS, CUT, WINDOW", o->threads, o->cut, o->host_window != NULL);
	k_bind(k, "CELL", type);
	k_bind(k, "COMPARED", type_compute(type));
	k_bind_calls(k, o, { "identity", identity_of }, { "join", join }, { "meet", meet });
	o->host_window ? find_window(o) : find_part(o);
	declare_bins(o);
	struct kx *copies = k_get(k, "copies");
	k_bind(k, "own_all", let(o, "own_all", x_mul(k_get(k, "own_count"), copies)));
	k_text(k, "clear_bins");
	k_bind(k, "copy",
	       let(o, "copy", x_op(OP_AND, block_thread(o->l), x_sub(copies, x_i32(1)))));
}

/* ---- what an item does ---- */

static void take(struct lowering *l, struct kx *number, struct kx *value, void *state)
{
	struct own *o = state;
	struct kx *cell = k_value(l->k, "own_cell", x_to_i32(number));
	atomic_combine(l, o->eq->combine, o->eq->right->type, cell, value);
}

static const struct meeting *meeting_of(struct own *o)
{
	struct meeting *m = NEW(struct meeting);
	*m = (struct meeting){ .way = MEET_AT_ONCE, .take = take, .state = o };
	m->count = k_get(o->k, "own_count");
	m->first = o->host_window || o->cut ? k_get(o->k, "own_first") : NULL;
	m->all = o->cut ? k_get(o->k, "cells") : NULL;
	m->others = o->host_window || o->node->choice.first > 0;
	return m;
}

/* ---- items: the functions of meet_private.kernel ---- */

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
	return plan_let(plan, "each",
	                x_cond(x_lt(items, x_mul(host_units(), all)),
	                       x_i64(strip_of(o) / o->vectors), all));
}

static void find_strips(struct own *o, struct plan *plan)
{
	struct lowering *host = host_lowering(plan);
	struct kx *rows = x_i64(1), *count = NULL;
	int last = o->node->index.n - 1;
	for (int d = 0; d <= last; d++) {
		const char *name = o->node->index.at[d]->name;
		struct kx *lo = cells_range_lo(o->c, d, host);
		count = plan_range(plan, lo, cells_range_hi(o->c, d, host));
		o->lo[d] = x_is_int(lo, 0) ? lo
		                           : lower_argument(o->l, str_print("%s_first", name),
		                                            kt_scalar(T_I64), lo);
		o->count[d] = lower_argument(o->l, str_print("%s_cells", name), kt_scalar(T_I64),
		                             count);
		if (d < last)
			rows = x_mul(rows, count);
	}
	struct kx *each = host_each(o, plan, x_mul(rows, count)), *strips = x_div_up(count, each);
	k_bind(o->k, "strip_items", lower_number(o->l, "each", x_to_i64(each)));
	o->host_strips = plan_let(plan, "strips", x_mul(rows, strips));
	o->row_strips = last > 0 ? lower_argument(o->l, "row_strips", kt_scalar(T_I64), strips)
	                         : NULL;
	k_bind(o->k, "strips", lower_argument(o->l, "strips", kt_scalar(T_I64), o->host_strips));
	k_bind(o->k, "lo", o->lo[last]);
	k_bind(o->k, "row_items", o->count[last]);
}

/* Binds the indices but the last; the strip's number in its row. */
static struct kx *strip_in_row(struct lowering *l, const void *own, struct kx *const *strip)
{
	struct own *o = (struct own *)own;
	(void)l;
	if (!o->row_strips)
		return strip[0];
	struct kx *rest = let(o, "row", x_div(strip[0], o->row_strips));
	for (int d = o->node->index.n - 2; d >= 0; d--) {
		struct kx *at = d ? x_rem(rest, o->count[d]) : rest;
		cells_bind(o->c, d, let(o, o->node->index.at[d]->name, x_add(o->lo[d], at)));
		if (d)
			rest = let(o, "rest", x_div(rest, o->count[d]));
	}
	return x_rem(strip[0], o->row_strips);
}

/* Forgets what the last vector has loaded. */
static void next_vector(struct cells *c)
{
	memset(&c->stream, 0, sizeof c->stream);
	memset(&c->base, 0, sizeof c->base);
}

static void load_vector(struct cells *c, struct kx *at)
{
	c->mode = CELL_VECTOR;
	cells_load(c, at);
}

static void use_vector(struct cells *c, struct kx *at)
{
	cells_bind(c, c->column, at);
	cells_compute_vector(c, at, CELL_VECTOR);
}

/* All vectors of a thread are loaded before the first is used. */
static struct kx *take_vectors(struct lowering *l, const void *own, struct kx *const *first)
{
	const struct own *o = own;
	struct cells loaded[MOST_VECTORS], *c = o->c;
	struct kx *at[MOST_VECTORS];
	for (int v = 0; v < o->vectors; v++) {
		struct kx *place = kx_fold(k_value(l->k, "vector_at", first[0], x_i32(v)));
		at[v] = x_var(k_let(l->k, o->node->index.at[c->column]->name, place));
		load_vector(c, at[v]);
		loaded[v] = *c;
		next_vector(c);
	}
	for (int v = 0; v < o->vectors; v++) {
		*c = loaded[v];
		use_vector(c, at[v]);
	}
	next_vector(c);
	return NULL;
}

static struct kx *take_vector(struct lowering *l, const void *own, struct kx *const *at)
{
	struct cells *c = ((const struct own *)own)->c;
	(void)l;
	load_vector(c, at[0]);
	use_vector(c, at[0]);
	next_vector(c);
	return NULL;
}

static struct kx *take_item(struct lowering *l, const void *own, struct kx *const *at)
{
	struct cells *c = ((const struct own *)own)->c;
	(void)l;
	cells_bind(c, c->column, at[0]);
	cells_body(c, CELL_PLAIN);
	return NULL;
}

static void take_strips(struct own *o, bool vectors)
{
	const char *name = o->node->index.at[o->c->column]->name;
	k_numbers(o->k, "WHOLE, WIDTH, EACH, STRIP", vectors, o->c->width, o->vectors, strip_of(o));
	k_bind(o->k, "item", name);
	k_bind(o->k, "first_item", name);
	k_bind_calls(o->k, o, { "strip_in_row", strip_in_row }, { "take_vectors", take_vectors },
	             { "take_vector", take_vector }, { "take_item", take_item });
	k_text(o->k, "take_strips");
}

/* ---- the kernels ---- */

/* cells: the host's number of private ones; room: of those that a block may have; window: or of
 * all, of which a sample finds those */
struct form { bool cut; struct kx *cells, *room; int width; struct kx *window; };

/* One on a multiprocessor; where parts are blocks', as many for each. */
static struct kx *host_blocks(const struct own *o)
{
	if (!o->cut)
		return x_min(o->host_strips, host_units());
	return x_mul(x_min(o->host_strips, x_max(x_div(host_units(), o->host_parts), x_i64(1))),
	             o->host_parts);
}

static void divide(struct own *o, struct plan *plan)
{
	o->host_parts = o->cut ? plan_number(plan, "parts", x_div_up(o->cells, o->room)) : x_i64(1);
	if (o->host_window) {
		o->host_each = x_i64(most_cells(o));
		return;
	}
	o->host_each = o->cut ? plan_number(plan, "own_cells", x_div_up(o->cells, o->host_parts))
	                      : o->cells;
}

static void own_kernel(struct plan *plan, const struct group *group, const struct form *f,
                       bool vectors, const char *suffix)
{
	struct own o = { .c = cells_open(plan, group, vectors, suffix),
		         .node = group->anchor,
		         .eq = private_equation(group->anchor),
		         .cut = f->cut,
		         .cells = f->cells,
		         .room = f->room,
		         .host_window = f->window };
	o.threads = private_threads(o.node, plan->target);
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
	find_strips(&o, plan);
	open_bins(&o);
	o.c->meeting = meeting_of(&o);
	take_strips(&o, vectors);
	k_text(o.k, "join_bins");
	lowering_launch(o.l, host_blocks(&o), x_i64(1), x_i64(1));
}

/* Host: rows are aligned for vectors, and the first item of one is at a vector's beginning; or
 * known here. */
static struct kx *are_aligned(struct plan *plan, const struct node *node, int *width)
{
	struct cells any = { .node = private_items(node),
		             .rank = node->index.n,
		             .column = node->index.n - 1 };
	any.l = host_lowering(plan);
	*width = any.width = cells_width(any.node);
	struct kx *aligned = any.width > 1 ? cells_aligned(&any) : x_int(T_BOOL, 0);
	if (!aligned)
		return x_int(T_BOOL, 1);                  /* nothing is read along the last index */
	struct kx *first = cells_range_lo(&any, any.column, any.l);
	return kx_fold(x_and(aligned, x_eq(x_rem(first, x_i64(any.width)), x_i64(0))));
}

static void own_kernels(struct plan *plan, const struct group *group, struct form f,
                        const char *suffix)
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

/* Host: does a block get the room that cells ask for, if the device says that it may have so many
 * bytes? */
static struct kx *may_ask(const struct target *target, struct kx *bytes)
{
	return must_ask(target) ? x_le(x_i64(target->asked_bytes), bytes) : x_int(T_BOOL, 1);
}

/* Host: there are items enough for what a block begins and ends with. */
static struct kx *are_worth(struct plan *plan, const struct node *node, struct kx *cells)
{
	int64_t bytes = plan->target->private_bytes;
	struct kx *few = x_le(cells, x_i64(bytes / type_size(private_array(node)->type)));
	struct kx *many = x_le(x_mul(cells, x_i64(ITEMS_A_CELL)), meet_items(plan, node));
	return node->pin.privatise > 0 ? x_int(T_BOOL, 1) : x_or(few, many);
}

/* Host: the cells that a part may have: those of the device, which may be of a later architecture
 * than the text. */
static struct kx *room_of_device(struct plan *plan, const struct node *node, struct kx *bytes)
{
	if (!must_ask(plan->target))
		return x_i64(private_room(node, plan->target));
	return plan_let(plan, "room", x_div(bytes, x_i64(type_size(private_array(node)->type))));
}

/* Host: up to so many cells are the blocks' own; of a number that is known, no more is asked for
 * than they need. */
static struct kx *are_own(struct plan *plan, const struct node *node, struct kx *cells,
                          struct kx *most, struct kx *bytes)
{
	struct kx *fit = kx_fold(x_and(x_le(cells, most), are_worth(plan, node, cells)));
	if (x_is_int(fit, 0)
	    || (cells->kind == KX_INT
	        && cells->i * type_size(private_array(node)->type)
	                   <= plan->target->private_bytes))
		return fit;
	return kx_fold(x_and(fit, may_ask(plan->target, bytes)));
}

/* Host: there are items enough for a look at some of them. */
static struct kx *are_sampled(struct plan *plan, const struct node *node, struct kx *bytes)
{
	if (node->choice.hot == HOT_NO)
		return x_int(T_BOOL, 0);
	struct kx *many = x_le(x_i64(plan->target->sample_items), meet_items(plan, node));
	struct kx *may = may_ask(plan->target, bytes);
	return kx_fold(node->pin.hot ? may : x_and(many, may));
}

/* Two launches before the one that does nothing if one of them has done it. */
static struct kx *in_window(struct plan *plan, const struct group *group, struct form f,
                            struct kx *sampled)
{
	struct kx *words = x_i64(HOT_WORDS);
	f.window = x_var(plan_slot(plan, "window", type_scalar(T_I64), 1, &words));
	f.width = 1;
	if (sampled)
		k_if(plan->host, sampled);
	private_sample(plan, group, f.window, f.cells,
	               plan_let(plan, "items", meet_items(plan, group->anchor)));
	own_kernel(plan, group, &f, true, "_hot");
	if (sampled)
		k_end(plan->host);
	return x_offset(f.window, x_i32(HOT_COUNT));
}

/* ---- the ways ---- */

/* What they share, of the host's. */
struct found {
	struct kx *cells;                    /* of the array, or of the part that is private */
	struct kx *room, *most;              /* cells that a block, or a part, has room for */
	struct kx *bytes;                    /* of shared memory that a block gets */
	struct kx *whole;                    /* a block has room for all cells */
	bool cannot;                         /* be cut into parts */
};

static struct kx *are_all(const struct task *c)
{
	return ((const struct found *)c->found)->whole;
}

static void lower_all(const struct task *c)
{
	const struct found *f = c->found;
	own_kernels(c->plan, c->group, (struct form){ .cells = f->cells, .room = f->room }, "");
}

static bool may_be_parts(const struct task *c)
{
	return !((const struct found *)c->found)->cannot;
}

static struct kx *are_parts(const struct task *c)
{
	const struct found *f = c->found;
	struct kx *most = x_mul(x_i64(MOST_PARTS), f->most);
	return are_own(c->plan, c->node, f->cells, most, f->bytes);
}

static void lower_parts(const struct task *c)
{
	const struct found *f = c->found;
	const struct form form = { .cut = true, .cells = f->cells, .room = f->most };
	own_kernels(c->plan, c->group, form, "_parts");
}

static bool may_sample(const struct task *c)
{
	const struct found *f = c->found;
	return !x_is_int(are_sampled(c->plan, c->node, f->bytes), 0);
}

static void lower_sampled(const struct task *c)
{
	const struct found *f = c->found;
	struct plan *plan = c->plan;
	const struct group *group = c->group;
	const struct form form = { .cells = f->cells, .room = f->room };
	struct kx *sampled = are_sampled(plan, c->node, f->bytes);
	sampled = sampled->kind == KX_INT ? NULL : plan_let(plan, "sampled", sampled);
	struct kx *done = in_window(plan, group, form, sampled);
	plan_unless(plan, sampled, done);
	meet_in_memory(plan, group);
	plan_unless(plan, NULL, NULL);
}

static void lower_memory(const struct task *c)
{
	meet_in_memory(c->plan, c->group);
}

static const struct way ways[] = {
	/* above */
	{ "all", "a block has private copies of all cells",
	  "a block has room for all cells, and enough items for them", .when = are_all,
	  .lower = lower_all },
	/* above */
	{ "parts", "a block has copies of a part of the cells, and skips other items",
	  "a few blocks have room for all", "a sample finds the cells, or they are pinned",
	  .fits = may_be_parts, .when = are_parts, .lower = lower_parts },
	/* private_sample.c */
	{ "sampled", "a sample finds the cells of most items, and blocks have copies of them",
	  .no = "blocks may lack copies of some cells, and no sample finds them",
	  .fits = may_sample, .lower = lower_sampled },
	/* meet.c */
	{ "memory", "items are combined in memory", .lower = lower_memory }
};

void meet_private(struct plan *plan, const struct group *group)
{
	const struct node *node = group->anchor;
	struct kx *cells = host_cells(plan, node);
	struct kx *room = x_i64(private_room(node, plan->target));
	bool all = node->choice.hot == HOT_ALL;
	struct kx *bytes = block_may_ask();
	struct kx *whole = all ? x_int(T_BOOL, 0) : are_own(plan, node, cells, room, bytes);
	bool cannot = all || x_is_int(whole, 1) || node->choice.first;
	/* once: where asking fails, it would contradict itself */
	if (!cannot && must_ask(plan->target)) {
		bytes = plan_let(plan, "asked", bytes);
		whole = are_own(plan, node, cells, room, bytes);
	}
	struct kx *most = cannot ? room : room_of_device(plan, node, bytes);
	struct found found = { cells, room, most, bytes, whole, cannot };
	ways_lower(ways, plan, group, &found);
}
