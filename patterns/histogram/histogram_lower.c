/* histogram_lower.c - items go to bins: on a GPU to bins of the block's own where they fit into its shared memory, else to
 * the array itself, as those of a scatter do (meet.c); on a CPU every thread takes the items of the bins that it owns.
 *
 * A bin of a block has copies, as many as fit, up to one for each bank: bin b of copy c lies at b * copies + c, and a lane
 * takes copy number lane % copies. With a copy a bank no two lanes of a warp ever meet in a bank, so what the items are does
 * not matter: one hot bin costs what random ones cost; with fewer copies fewer lanes meet than would in one.
 *
 * As many blocks run as the machine holds at a time, each from strip to strip of items, several vectors a thread under way
 * at once. In the end a block folds the copies of each bin and combines them with the array's: neighbouring bins by
 * neighbouring threads, none that has seen nothing. Which block comes first is open, as in a scatter. */
#include <string.h>

#include "../atomic.h"
#include "../cells.h"
#include "../lowerings.h"
#include "../meet.h"

enum {
	OWN_BYTES = 1 << 15,                 /* of a block's bins */
	BANKS = 32,
	VECTORS = 4,                         /* a thread, at once, but no more items than ... */
	ITEMS = 32
};

static const struct var *bins_of(const struct node *node)
{
	return target_read(node->equation.at[0]->target.at[0])->var;
}

/* Can a block have bins of its own? Items must be combined one by one in any order, in bins that lie one behind another and
 * that something can stand in before the first comes. */
static bool has_own(const struct node *node, const struct target *target)
{
	const struct equation *eq = node->equation.at[0];
	const struct expr *cell = eq->target.at[0];
	if (!target->gpu || meeting_way(node, target) != MEET_AT_ONCE || node->equation.n != 1 || cell->type->kind == T_STRUCT)
		return false;
	return cell->kind == E_READ && is_dense(cell->var) && !var_home(cell->var) && op_identity(eq->combine, cell->type);
}

static int64_t most_bins(const struct node *node)
{
	return OWN_BYTES / type_size(bins_of(node)->type);
}

static struct kx *count_of(struct plan *plan, const struct node *node)
{
	struct kx *count = x_i64(1);
	for (int a = 0; a < bins_of(node)->rank; a++)
		count = x_mul(count, lower_extent(host_lowering(plan), bins_of(node), a));
	return kx_fold(count);
}

/* The statement without the bins that it writes: what its items are made of, each read along the last index by vectors. */
static const struct node *items_of(const struct node *node)
{
	const struct expr *cell = node->equation.at[0]->target.at[0];
	struct node *items = NEW(struct node);
	*items = *node;
	memset(&items->equation, 0, sizeof items->equation);
	for (int a = -1; a < cell->arg.n; a++) {
		struct equation *eq = NEW(struct equation);
		*eq = (struct equation){ .at = node->at, .right = a < 0 ? node->equation.at[0]->right : cell->arg.at[a] };
		list_add(&items->equation, eq);
	}
	return items;
}

static int vectors_of(int width)
{
	return VECTORS * width > ITEMS ? ITEMS / width : VECTORS;
}

void histogram_shape(const struct node *node, const struct target *target, struct shape *s)
{
	scatter_shape(node, target, s);
	if (!has_own(node, target))
		return;
	struct node items = *items_of(node);
	items.choice.vector = 0;
	s->vector = cells_width(&items);
	s->pieces = 0;
	s->no_pieces = "a block runs over many strips of items";
}

/* ---- the block's bins ---- */

struct own {
	struct cells *c;
	struct lowering *l;
	struct kernel *k;
	const struct node *node;
	const struct equation *eq;
	struct kvar *bin;                    /* all copies */
	struct kx *copies, *bins;            /* i32 */
	struct kx *array;                    /* the bins of all */
};

static struct kx *let(struct own *o, const char *name, struct kx *value)
{
	value = kx_fold(value);
	return value->kind == KX_INT ? value : x_var(k_let(o->k, name, value));
}

static struct kx *identity(struct own *o)
{
	return x_cast(kt(bins_of(o->node)->type), lower_identity(o->l, o->eq->combine, bins_of(o->node)->type));
}

/* Copies as the bins leave room for, a power of two: the host's, or known here. */
static struct kx *host_copies(const struct node *node, struct kx *bins)
{
	struct kx *copies = x_i32(1);
	for (int n = 2; n <= BANKS; n *= 2)
		copies = x_cond(x_le(x_mul(bins, x_i64(n)), x_i64(most_bins(node))), x_i32(n), copies);
	return kx_fold(copies);
}

static void open_bins(struct own *o, struct plan *plan)
{
	const struct var *var = bins_of(o->node);
	struct kx *bins = count_of(plan, o->node), *copies = host_copies(o->node, bins);
	bool known = bins->kind == KX_INT;
	o->array = lower_pointer(o->l, var);
	o->bins = known ? x_to_i32(bins) : lower_argument(o->l, "bins", kt_scalar(T_I32), x_to_i32(bins));
	o->copies = known ? copies : lower_argument(o->l, "copies", kt_scalar(T_I32), copies);
	o->bin = k_shared(o->k, var->type, str_print("own_%s", var->name), known ? bins->i * copies->i : most_bins(o->node));
	if (type_size(var->type) < 4)
		o->bin->align = 4;               /* small cells are combined through the word around them */
	struct kx *all = let(o, "own_bins", x_mul(o->bins, o->copies));
	struct kx *b = x_var(k_for(o->k, "b", block_thread(o->l), all, x_i32(o->l->target->block), FOR_ROLLED));
	k_set(o->k, x_at(x_var(o->bin), b), identity(o));
	k_end(o->k);
	k_barrier(o->k);
	lower_bind(o->l, var, x_var(o->bin));
	o->l->spread = (struct spread){ var, o->copies, let(o, "copy", x_op(OP_AND, block_thread(o->l), x_sub(o->copies, x_i32(1)))) };
}

/* The copies of a bin are folded by one thread, from a different copy on each lane: those of a row meet in no bank. */
static void close_bins(struct own *o)
{
	const struct type *type = bins_of(o->node)->type, *of = o->eq->right->type;
	k_barrier(o->k);
	struct kx *b = x_var(k_for(o->k, "b", block_thread(o->l), o->bins, x_i32(o->l->target->block), FOR_ROLLED));
	struct kx *all = x_var(k_var(o->k, kt(type), "all", identity(o)));
	struct kx *n = x_var(k_for(o->k, "n", x_i32(0), o->copies, x_i32(1), FOR_ROLLED));
	struct kx *copy = x_op(OP_AND, x_add(n, block_thread(o->l)), x_sub(o->copies, x_i32(1)));
	struct kx *one = x_at(x_var(o->bin), x_add(x_mul(b, o->copies), copy));
	plain_combine(o->l, o->eq->combine, of, all, x_cast(kt(of), one));
	k_end(o->k);
	bool half = type != type_compute(type) && type_class(type) == 'F';
	struct kx *seen = half ? NULL : x_ne(all, identity(o));
	if (seen)
		k_if(o->k, seen);
	atomic_combine(o->l, o->eq->combine, of, x_at(o->array, x_to_i64(b)), x_cast(kt(of), all));
	if (seen)
		k_end(o->k);
	k_end(o->k);
}

/* ---- items ---- */

struct strips { struct kx *lo[MAX_RANK], *count[MAX_RANK], *row, *all, *host_all; };   /* of a row; of all rows */

static void find_strips(struct own *o, struct plan *plan, struct strips *s, int64_t each)
{
	struct lowering *host = host_lowering(plan);
	struct kx *rows = x_i64(1), *strips = NULL;
	for (int d = 0; d < o->node->index.n; d++) {
		const char *name = o->node->index.at[d]->name;
		struct kx *lo = cells_range_lo(o->c, d, host), *count = plan_range(plan, lo, cells_range_hi(o->c, d, host));
		s->lo[d] = x_is_int(lo, 0) ? lo : lower_argument(o->l, str_print("%s_first", name), kt_scalar(T_I64), lo);
		s->count[d] = lower_argument(o->l, str_print("%s_cells", name), kt_scalar(T_I64), count);
		if (d < o->node->index.n - 1)
			rows = x_mul(rows, count);
		else
			strips = x_div_up(count, x_i64(each));
	}
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

/* All vectors of a thread are loaded before the first is used. */
static void take_vectors(struct own *o, struct kx *first)
{
	struct cells loaded[VECTORS], *c = o->c;
	struct kx *at[VECTORS];
	for (int v = 0; v < vectors_of(c->width); v++) {
		struct kx *lane = x_add(block_thread(o->l), x_i32(v * o->l->target->block));
		at[v] = let(o, o->node->index.at[c->column]->name, x_add(first, x_to_i64(x_mul(lane, x_i32(c->width)))));
		c->mode = CELL_VECTOR;
		cells_load(c, at[v]);
		loaded[v] = *c;
		memset(&c->stream, 0, sizeof c->stream);
		memset(&c->base, 0, sizeof c->base);
	}
	for (int v = 0; v < vectors_of(c->width); v++) {
		*c = loaded[v];
		cells_bind(c, c->column, at[v]);
		cells_compute_vector(c, at[v], CELL_VECTOR);
	}
}

static void take_singles(struct own *o, struct kx *first, struct kx *end)
{
	int64_t each = (int64_t)vectors_of(o->c->width) * o->c->width;
	struct kx *n = x_var(k_for(o->k, "n", x_i32(0), x_i32(each), x_i32(1), FOR_ROLLED));
	struct kx *lane = x_add(block_thread(o->l), x_mul(n, x_i32(o->l->target->block)));
	struct kx *at = let(o, o->node->index.at[o->c->column]->name, x_add(first, x_to_i64(lane)));
	k_if(o->k, x_lt(at, end));
	cells_bind(o->c, o->c->column, at);
	cells_body(o->c, CELL_PLAIN);
	k_end(o->k);
	k_end(o->k);
}

static void take_strips(struct own *o, const struct strips *s, int64_t each, bool vectors)
{
	int last = o->c->column;
	struct kx *strip = x_var(k_for(o->k, "strip", x_to_i64(x_id(ID_BLOCK_X)), s->all, x_to_i64(x_id(ID_GRID_X)), FOR_ROLLED));
	struct kx *number = place_strip(o, s, strip);
	struct kx *first = let(o, "first", x_add(s->lo[last], x_mul(number, x_i64(each))));
	struct kx *end = let(o, "end", x_add(s->lo[last], s->count[last]));
	if (vectors) {
		k_if(o->k, x_le(x_add(first, x_i64(each)), end));
		take_vectors(o, first);
		k_else(o->k);
	}
	take_singles(o, first, end);
	if (vectors)
		k_end(o->k);
	k_end(o->k);
}

/* ---- the kernels ---- */

static void own_kernel(struct plan *plan, const struct group *group, int width, bool vectors, const char *suffix)
{
	struct own o = { .c = cells_open(plan, group, vectors, suffix), .node = group->anchor, .eq = group->anchor->equation.at[0] };
	struct strips s = { .row = NULL };
	o.l = o.c->l;
	o.k = o.l->k;
	o.c->width = width;
	int64_t each = (int64_t)vectors_of(width) * width * o.l->target->block;
	block_launch_bounds(o.l);
	o.k->min_blocks = 1;                 /* as in cells_rows, against spills */
	find_strips(&o, plan, &s, each);
	open_bins(&o, plan);
	take_strips(&o, &s, each, vectors);
	close_bins(&o);
	int blocks = blocks_of_unit(o.l->target, o.l->target->block, OWN_BYTES);
	struct kx *units = x_max(x_help(kt_scalar(T_I64), "patc_units", 0, NULL), x_i64(1));
	lowering_launch(o.l, x_min(s.host_all, x_mul(units, x_i64(blocks))), x_i64(1), x_i64(1));
}

/* Vectors where the host finds that rows are aligned for them. */
static void own_kernels(struct plan *plan, const struct group *group)
{
	const struct node *node = group->anchor;
	struct cells any = { .node = items_of(node), .rank = node->index.n, .column = node->index.n - 1 };
	any.l = host_lowering(plan);
	any.width = cells_width(any.node);
	struct kx *aligned = any.width > 1 ? cells_aligned(&any) : x_int(T_BOOL, 0);
	aligned = aligned ? kx_fold(aligned) : x_int(T_BOOL, 1);     /* nothing is read along the last index */
	if (aligned->kind == KX_INT) {
		own_kernel(plan, group, any.width, aligned->i, "");
		return;
	}
	k_if(plan->host, aligned);
	own_kernel(plan, group, any.width, true, "");
	k_else(plan->host);
	own_kernel(plan, group, any.width, false, "_single");
	k_end(plan->host);
}

void histogram_lower(struct plan *plan, const struct group *group)
{
	const struct node *node = group->anchor;
	if (!has_own(node, plan->target)) {
		meet_lower(plan, group);
		return;
	}
	struct kx *fits = kx_fold(x_le(count_of(plan, node), x_i64(most_bins(node))));
	bool always = x_is_int(fits, 1), never = x_is_int(fits, 0);
	if (!always && !never)
		k_if(plan->host, fits);
	if (!never)
		own_kernels(plan, group);
	if (!always && !never)
		k_else(plan->host);
	if (!always)
		meet_lower(plan, group);
	if (!always && !never)
		k_end(plan->host);
}
