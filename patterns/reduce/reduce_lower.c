/* reduce_lower.c - folds over whole arrays, along trailing axes (rows), along leading axes (columns), and
 * everything else.
 *
 * total    no cells kept: blocks fold fixed chunks, the last one folds the partials (block.c): one launch.
 *          Chunks depend on n only; about 2048 of them measured best for 2^28 f32 on an H200.
 * rows     a cell's terms lie along lanes: 1 .. 32 or 64 lanes or a block for each cell by the number of
 *          terms; where cells are few, a cell's terms are cut into chunks for several blocks.
 * columns  neighbouring cells' terms lie along lanes: a warp across columns, warps down the terms.
 * cells    one thread a cell, terms in order: for what the others cannot do (operators without
 *          identity, several domains, accesses that are tested, indices that bound each other).
 *
 * Terms that lie one behind another are loaded 16 bytes at a time, four loads in flight a thread; for an
 * operator that does not commute each thread takes a run of neighbouring terms instead. */
#include <assert.h>
#include "../lowerings.h"
#include "../../src/lower.h"

enum { LOADS = 4, TOTAL_BLOCKS = 2048, CPU_CHUNK = 1 << 15 };

struct vector_load { const struct expr *read; struct kvar *vector[LOADS]; };

struct reduction {
	struct lowering *l;
	const struct node *node;
	struct folds folds;
	struct accumulators acc;
	const struct fold *domain;           /* the one domain of all folds */
	bool linear;                         /* reads are base + term */
	bool ordered;                        /* some operator does not commute */
	int width;
	/* while a term is lowered */
	struct kx *term;                     /* its number */
	LIST(struct vector_load) load;
	int which;                           /* of LOADS; -1: not from vectors */
	struct kx *lane;                     /* of the vector */
};

/* ---- what kind of reduction ---- */

static bool same_expr(const struct expr *a, const struct expr *b)
{
	struct affine f, g;
	return affine_of(a, &f) && affine_of(b, &g) && affine_equal(&f, &g);
}

static bool same_domain(const struct fold *a, const struct fold *b)
{
	if (a->index.n != b->index.n)
		return false;
	for (int d = 0; d < a->index.n; d++)
		if (!same_expr(a->lo.at[d], b->lo.at[d]) || !same_expr(a->hi.at[d], b->hi.at[d]))
			return false;
	return true;
}

/* Bounds use neither the fold's own earlier indices nor what only the device knows. */
static bool rectangular_term(struct expr *e, void *state)
{
	const struct fold *fold = state;
	for (int d = 0; d < fold->index.n; d++)
		if (e->kind == E_VAR && e->var == fold->index.at[d])
			return false;
	return e->kind != E_READ && !(e->kind == E_VAR && var_on_device(e->var));
}

static bool rectangular(const struct fold *fold)
{
	for (int d = 0; d < fold->index.n; d++)
		if (!expr_walk(fold->lo.at[d], rectangular_term, (void *)fold)
		    || !expr_walk(fold->hi.at[d], rectangular_term, (void *)fold))
			return false;
	return true;
}

/* Bounds do not use the node's indices: the host knows the number of terms. */
static bool uniform_domain(const struct node *node, const struct fold *fold)
{
	for (int d = 0; d < fold->index.n; d++)
		for (int k = 0; k < node->index.n; k++)
			if (expr_uses(fold->lo.at[d], node->index.at[k]) || expr_uses(fold->hi.at[d], node->index.at[k]))
				return false;
	return true;
}

static bool reads_own_targets(const struct node *node)
{
	for (int q = 0; q < node->equation.n; q++)
		for (int r = 0; r < node->equation.n; r++)
			if (expr_uses(node->equation.at[q]->right, target_read(node->equation.at[r]->target.at[0])->var))
				return true;
	return false;
}

static bool find_folds(struct reduction *r)
{
	for (int q = 0; q < r->node->equation.n; q++)
		folds_of(r->node->equation.at[q]->right, &r->folds);
	if (r->folds.n == 0 || r->folds.overflow)
		return false;
	r->domain = r->folds.at[0]->fold;
	for (int f = 0; f < r->folds.n; f++) {
		const struct expr *e = r->folds.at[f];
		if (!same_domain(r->domain, e->fold) || !op_identity(e->fold->op, e->type) || e->type->kind == T_STRUCT)
			return false;
		r->ordered |= !e->fold->op->commutative;
	}
	return true;
}

static bool whole_kept_domain(const struct node *node)
{
	for (int k = 0; k < node->index.n; k++)
		for (int d = 0; d < node->index.n; d++)
			if (expr_uses(node->lo.at[k], node->index.at[d]) || expr_uses(node->hi.at[k], node->index.at[d]))
				return false;
	return true;
}

static bool host_bound(struct expr *e, void *state)
{
	(void)state;
	return e->kind != E_READ && !(e->kind == E_VAR && var_on_device(e->var));
}

static bool host_bounds(const struct node *node)
{
	for (int k = 0; k < node->index.n; k++)
		if (!expr_walk(node->lo.at[k], host_bound, NULL) || !expr_walk(node->hi.at[k], host_bound, NULL))
			return false;
	return true;
}

static bool can_share(struct reduction *r)
{
	const struct node *node = r->node;
	return !node_checked(node) && find_folds(r) && rectangular(r->domain) && uniform_domain(node, r->domain)
	    && whole_kept_domain(node) && host_bounds(node) && !reads_own_targets(node);
}

/* ---- linear terms ---- */

static int domain_place(const struct fold *fold, const struct var *var)
{
	for (int d = 0; d < fold->index.n; d++)
		if (fold->index.at[d] == var)
			return d;
	return -1;
}

static bool uses_domain(const struct fold *fold, const struct expr *e)
{
	for (int d = 0; d < fold->index.n; d++)
		if (expr_uses(e, fold->index.at[d]))
			return true;
	return false;
}

/* The last axes are the fold's indices in order, each over its whole extent. */
static bool linear_read(const struct fold *fold, const struct expr *read)
{
	int first = read->var->rank - fold->index.n;
	if (first < 0)
		return false;
	for (int a = 0; a < first; a++)
		if (uses_domain(fold, read->arg.at[a]))
			return false;
	for (int d = 0; d < fold->index.n; d++) {
		const struct expr *sub = read->arg.at[first + d];
		struct affine lo, hi;
		if (sub->kind != E_VAR || sub->var != fold->index.at[d])
			return false;
		if (!affine_of(fold->lo.at[d], &lo) || lo.n || lo.constant)
			return false;
		if (!affine_of(fold->hi.at[d], &hi) || !affine_equal(&hi, &read->var->extent[first + d]))
			return false;
	}
	return true;
}

/* Folds of one domain have indices of their own: each expression is looked at with its own fold. */
static bool linear_body(const struct fold *fold, const struct expr *e)
{
	if (!e)
		return true;
	if (e->kind == E_READ && uses_domain(fold, e))
		return linear_read(fold, e);
	if (e->kind == E_VAR)
		return domain_place(fold, e->var) < 0;
	for (int a = 0; a < e->arg.n; a++)
		if (!linear_body(fold, e->arg.at[a]))
			return false;
	return e->kind != E_FOLD;
}

static bool is_linear(const struct reduction *r)
{
	for (int f = 0; f < r->folds.n; f++) {
		const struct expr *e = r->folds.at[f];
		if (!linear_body(e->fold, e->arg.at[0]) || !linear_body(e->fold, e->fold->where))
			return false;
	}
	return true;
}

struct read_list { const struct fold *fold; LIST(const struct expr *) at; };

static bool collect_read(struct expr *e, void *state)
{
	struct read_list *list = state;
	if (e->kind == E_READ && uses_domain(list->fold, e))
		list_add(&list->at, e);
	return true;
}

static struct read_list linear_reads(const struct reduction *r)
{
	struct read_list list = { 0 };
	for (int f = 0; f < r->folds.n; f++) {
		list.fold = r->folds.at[f]->fold;
		expr_walk(r->folds.at[f]->arg.at[0], collect_read, &list);
		if (list.fold->where)
			expr_walk(list.fold->where, collect_read, &list);
	}
	return list;
}

static int vector_width(const struct reduction *r)
{
	struct read_list reads = linear_reads(r);
	int64_t widest = 1;
	if (!r->linear || r->ordered || !reads.at.n)
		return 1;
	for (int i = 0; i < reads.at.n; i++) {
		int64_t bytes = type_size(reads.at.at[i]->var->type);
		if (reads.at.at[i]->var->type->kind == T_STRUCT)
			return 1;
		widest = bytes > widest ? bytes : widest;
	}
	return (int)(r->node->choice.vector ? r->node->choice.vector : 16 / widest);
}

/* ---- terms ---- */

static struct kx *plain_bound(struct lowering *l, const struct expr *e)
{
	bool was = l->index;
	l->index = true;
	struct kx *x = x_to_i64(lower_expr(l, e));
	l->index = was;
	return x;
}

static struct kx *row_base(struct reduction *r, const struct expr *read)
{
	struct kx *base = NULL;
	int kept = read->var->rank - r->domain->index.n;
	for (int a = 0; a < read->var->rank; a++) {
		struct kx *sub = a < kept ? plain_bound(r->l, read->arg.at[a]) : NULL;
		if (base)
			base = x_mul(base, lower_extent(r->l, read->var, a));
		if (sub)
			base = base ? x_add(base, sub) : sub;
	}
	return base;
}

static struct vector_load *load_of(struct reduction *r, const struct expr *read)
{
	for (int i = 0; i < r->load.n; i++) {
		const struct expr *other = r->load.at[i].read;
		bool same = other->var == read->var;
		for (int a = 0; same && a < read->var->rank - r->domain->index.n; a++)
			same = same_expr(other->arg.at[a], read->arg.at[a]);
		if (same)
			return &r->load.at[i];
	}
	return NULL;
}

static struct kx *term_read(struct lowering *l, const struct expr *read)
{
	struct reduction *r = (struct reduction *)l->state;
	bool of_term = false;
	for (int f = 0; f < r->folds.n; f++)
		of_term |= uses_domain(r->folds.at[f]->fold, read);
	if (!r->linear || !of_term)
		return lower_cell(l, read);
	struct vector_load *v = r->which >= 0 ? load_of(r, read) : NULL;
	if (v)
		return x_lane_at(x_var(v->vector[r->which]), r->lane);
	struct kx *base = row_base(r, read);
	return x_at(lower_pointer(l, read->var), base ? x_add(base, r->term) : r->term);
}

/* Term number -> the indices of every fold, unless reads are linear. */
static void bind_term(struct reduction *r, struct kx *term)
{
	struct lowering *l = r->l;
	r->term = term;
	if (r->linear)
		return;
	const struct fold *fold = r->domain;
	struct kx *rest = term;
	for (int d = fold->index.n - 1; d >= 0; d--) {
		struct kx *lo = plain_bound(l, fold->lo.at[d]);
		struct kx *size = x_sub(plain_bound(l, fold->hi.at[d]), lo);
		struct kx *at = x_add(lo, d ? x_rem(rest, size) : rest);
		at = x_var(k_let(l->k, fold->index.at[d]->name, at));
		for (int f = 0; f < r->folds.n; f++)
			lower_bind(l, r->folds.at[f]->fold->index.at[d], at);
		if (d)
			rest = x_var(k_let(l->k, "rest", x_div(rest, size)));
	}
}

static void all_steps(struct reduction *r)
{
	for (int f = 0; f < r->folds.n; f++)
		fold_step(r->l, r->folds.at[f], &r->acc.at[f]);
}

/* Terms first, first + stride, ... below end, one at a time. */
static void single_terms(struct reduction *r, struct kx *first, struct kx *end, struct kx *stride)
{
	r->which = -1;
	struct kvar *e = k_for(r->l->k, "e", first, end, stride, 0);
	bind_term(r, x_var(e));
	all_steps(r);
	k_end(r->l->k);
}

static void load_vectors(struct reduction *r, struct kx *at, struct kx *stride, int loads)
{
	struct read_list reads = linear_reads(r);
	struct kernel *k = r->l->k;
	r->load.n = 0;
	for (int i = 0; i < reads.at.n; i++)
		if (!load_of(r, reads.at.at[i]))
			list_add(&r->load, ((struct vector_load){ .read = reads.at.at[i] }));
	for (int i = 0; i < r->load.n; i++) {
		const struct expr *read = r->load.at[i].read;
		struct kx *base = row_base(r, read);
		struct kx *row = base ? x_offset(lower_pointer(r->l, read->var), base) : lower_pointer(r->l, read->var);
		for (int u = 0; u < loads; u++) {
			struct kx *offset = u ? x_add(at, x_mul(x_i64(u), stride)) : at;
			r->load.at[i].vector[u] = k_let(k, str_print("%s%d", read->var->name, r->width),
			                                x_vload(x_offset(row, offset), r->width));
		}
	}
}

/* Whole tiles of loads x lanes x width terms; `at` moves on to the first term behind them. */
static void vector_terms(struct reduction *r, struct kvar *at, struct kx *end, struct kx *lane, struct kx *lanes, int loads)
{
	struct kernel *k = r->l->k;
	struct kx *stride = x_mul(lanes, x_i64(r->width)), *tile = x_mul(stride, x_i64(loads));
	k_while(k, x_le(x_add(x_var(at), tile), end));
	struct kx *e = x_var(k_let(k, "e", x_add(x_var(at), x_mul(lane, x_i64(r->width)))));
	load_vectors(r, e, stride, loads);
	r->lane = x_var(k_for(k, "c", x_i32(0), x_i32(r->width), x_i32(1), FOR_UNROLL));
	for (r->which = 0; r->which < loads; r->which++)
		all_steps(r);
	r->which = -1;
	k_end(k);
	k_set(k, x_var(at), x_add(x_var(at), tile));
	k_end(k);
}

/* All terms lo .. hi, shared among `lanes` threads of which this is `lane` (i64). */
static void fold_range(struct reduction *r, struct kx *lo, struct kx *hi, struct kx *lane, struct kx *lanes, struct kx *vectors)
{
	struct kernel *k = r->l->k;
	if (r->ordered) {
		struct kx *run = x_div(x_add(x_sub(hi, lo), x_sub(lanes, x_i64(1))), lanes);
		run = x_var(k_let(k, "run", run));
		struct kx *from = x_var(k_let(k, "from", x_add(lo, x_mul(lane, run))));
		single_terms(r, from, x_min(x_add(from, run), hi), x_i64(1));
		return;
	}
	struct kvar *start = k_var(k, kt_scalar(T_I64), "at", lo);
	if (vectors) {
		k_if(k, vectors);
		vector_terms(r, start, hi, lane, lanes, LOADS);
		vector_terms(r, start, hi, lane, lanes, 1);
		k_end(k);
	}
	single_terms(r, x_add(x_var(start), lane), hi, lanes);
}

/* ---- host side ---- */

static struct kx *host_let(struct reduction *r, const char *name, struct kx *value)
{
	return x_var(k_let(r->l->plan->host, name, value));
}

static struct kx *range_size(struct lowering *l, const struct expr *lo, const struct expr *hi)
{
	struct kx *first = plain_bound(l, lo);
	return x_max(x_is_int(first, 0) ? plain_bound(l, hi) : x_sub(plain_bound(l, hi), first), x_i64(0));
}

static struct kx *host_terms(struct reduction *r)
{
	struct lowering *host = host_lowering(r->l->plan);
	struct kx *terms = NULL;
	for (int d = 0; d < r->domain->index.n; d++) {
		struct kx *size = range_size(host, r->domain->lo.at[d], r->domain->hi.at[d]);
		terms = terms ? x_mul(terms, size) : size;
	}
	return host_let(r, "terms", terms);
}

/* Every array that vectors are loaded from starts at a multiple of 16 bytes, its rows too. */
static struct kx *vectors_allowed(struct reduction *r, struct kx *terms)
{
	struct read_list reads = linear_reads(r);
	struct kx *all = NULL;
	if (r->width == 1)
		return NULL;
	for (int i = 0; i < reads.at.n; i++) {
		const struct expr *read = reads.at.at[i];
		bool seen = false;
		for (int j = 0; j < i; j++)
			seen |= reads.at.at[j]->var == read->var;
		struct kx *arg[] = { host_var_x(r->l->plan, read->var), x_i64(type_size(read->var->type) * r->width) };
		if (!seen)
			all = x_and(all, x_help(kt_scalar(T_BOOL), "patc_aligned", 2, arg));
	}
	if (r->node->index.n)
		all = x_and(all, x_eq(x_rem(terms, x_i64(r->width)), x_i64(0)));
	return lower_argument(r->l, "vectors", kt_scalar(T_BOOL), all);
}

static void open_kernel(struct reduction *r, struct plan *plan)
{
	r->l = lowering_new(plan, r->node->name);
	r->l->read = term_read;
	r->l->state = r;
	r->which = -1;
	lowering_writes(r->l, r->node);
	r->linear = is_linear(r);
	r->width = plan->target->gpu ? vector_width(r) : 1;
}

static void finish(struct lowering *l, const void *state)
{
	const struct reduction *r = state;
	fold_finish(l, r->node, &r->folds, &r->acc);
}

/* ---- total ---- */

static void total_gpu(struct reduction *r, struct plan *plan)
{
	open_kernel(r, plan);
	struct lowering *l = r->l;
	int64_t tile = (int64_t)l->target->block * r->width * LOADS;
	struct kx *host_n = host_terms(r), *n = lower_argument(l, "terms", kt_scalar(T_I64), host_n);
	struct kx *share = x_div(x_add(host_n, x_i64(TOTAL_BLOCKS - 1)), x_i64(TOTAL_BLOCKS));
	struct kx *tiles = x_div(x_add(share, x_i64(tile - 1)), x_i64(tile));
	struct kx *host_chunk = host_let(r, "chunk", x_mul(x_max(tiles, x_i64(1)), x_i64(tile)));
	struct kx *blocks = x_div(x_add(host_n, x_sub(host_chunk, x_i64(1))), host_chunk);
	blocks = host_let(r, "blocks", x_max(blocks, x_i64(1)));
	struct kx *chunk = lower_argument(l, "chunk", kt_scalar(T_I64), host_chunk);
	struct kx *parts = lower_argument(l, "parts", kt_scalar(T_I64), blocks);
	struct kx *vectors = vectors_allowed(r, host_n);
	block_launch_bounds(l);
	r->acc = folds_start(l, &r->folds);
	struct kx *part = x_var(k_let(l->k, "part", x_to_i64(x_id(ID_BLOCK_X))));
	struct kx *lo = x_var(k_let(l->k, "lo", x_mul(part, chunk)));
	struct kx *hi = x_var(k_let(l->k, "hi", x_min(x_add(lo, chunk), n)));
	struct kx *lane = x_var(k_let(l->k, "lane", x_to_i64(block_thread(l))));
	fold_range(r, lo, hi, lane, x_i64(l->target->block), vectors);
	l->read = NULL;
	grid_fold(l, &r->acc, part, parts, x_i64(TOTAL_BLOCKS), finish, r);
	lowering_launch(l, blocks, x_i64(1), x_i64(1));
}

/* ---- rows ---- */

static void bind_cell(struct reduction *r, struct kx *cell, struct kx *const *lo, struct kx *const *size)
{
	struct lowering *l = r->l;
	struct kx *rest = cell;
	for (int d = r->node->index.n - 1; d >= 0; d--) {
		struct kx *at = x_add(lo[d], d ? x_rem(rest, size[d]) : rest);
		lower_bind(l, r->node->index.at[d], x_var(k_let(l->k, r->node->index.at[d]->name, at)));
		if (d)
			rest = x_var(k_let(l->k, "rest", x_div(rest, size[d])));
	}
}

/* slots are cut before any host variable exists: slot_cells is over sizes alone */
struct kept { struct kx *lo[MAX_RANK], *size[MAX_RANK], *host_cells, *slot_cells, *cells; int64_t strip; };

static struct kept kept_cells(struct reduction *r)
{
	struct kept kept = { .strip = 1 };
	struct lowering *l = r->l, *host = host_lowering(l->plan);
	for (int d = 0; d < r->node->index.n; d++) {
		const char *name = r->node->index.at[d]->name;
		struct kx *lo = plain_bound(host, r->node->lo.at[d]);
		struct kx *cells = range_size(host, r->node->lo.at[d], r->node->hi.at[d]);
		kept.slot_cells = d ? x_mul(kept.slot_cells, cells) : cells;
		kept.lo[d] = x_is_int(lo, 0) ? lo : lower_argument(l, str_print("%s_first", name), kt_scalar(T_I64), lo);
		kept.size[d] = d ? lower_argument(l, str_print("%s_cells", name), kt_scalar(T_I64), cells) : NULL;
	}
	kept.host_cells = host_let(r, "cells", kept.slot_cells);
	kept.cells = lower_argument(l, "cells", kt_scalar(T_I64), kept.host_cells);
	return kept;
}

/* log2 of the threads a cell: enough for one vector each, up to a warp; a whole block for long rows. */
static struct kx *choose_group_bits(struct reduction *r, struct kx *terms)
{
	int lanes = r->l->target->lanes, block_bits = 0;
	struct kx *bits = x_i32(0);
	for (int b = 1; 1 << b <= lanes; b++)
		bits = x_cond(x_lt(x_i64((int64_t)(1 << b) / 2 * r->width), terms), x_i32(b), bits);
	while (r->l->target->block >> (block_bits + 1))
		block_bits++;
	return x_cond(x_lt(x_i64((int64_t)lanes * r->width * LOADS), terms), x_i32(block_bits), bits);
}

/* Lanes of a group fold in order; the group's first lane holds the result. */
static void group_fold(struct reduction *r, struct kx *group /* i32 */)
{
	struct lowering *l = r->l;
	int lanes = l->target->lanes, bits = 0;
	while (lanes >> (bits + 1))
		bits++;
	/* neighbours first, as in block.c */
	struct kvar *step = k_for(l->k, "step", x_i32(0), x_i32(bits), x_i32(1), FOR_UNROLL);
	struct kx *distance = x_var(k_let(l->k, "distance", x_op(OP_SHL, x_i32(1), x_var(step))));
	for (int a = 0; a < r->acc.n; a++) {
		struct accumulator *acc = &r->acc.at[a];
		struct kx *arg[] = { x_var(acc->var), distance };
		struct kvar *other = k_let(l->k, "other",
			x_help(kt(acc->type), str_print("patc_shfl_down_%s", type_name(acc->type)), 2, arg));
		k_if(l->k, x_lt(distance, group));
		k_set(l->k, x_var(acc->var), lower_apply(l, acc->op, acc->type, x_var(acc->var), x_var(other)));
		k_end(l->k);
	}
	k_end(l->k);
}

/* The last of a cell's chunks to arrive folds their partials in order, one thread for each of them. */
static void fold_chunks(struct reduction *r, struct kept *kept, struct kx *cell, struct kx *chunk, struct kx *chunks)
{
	struct lowering *l = r->l;
	struct kernel *k = l->k;
	struct kx *partial[8];
	/* strips x chunks <= max(TOTAL_BLOCKS, strips): choose_chunks */
	struct kx *most = x_add(kept->slot_cells, x_i64(TOTAL_BLOCKS * kept->strip));
	for (int a = 0; a < r->acc.n; a++)
		partial[a] = lower_argument(l, "partial", kt_pointer(r->acc.at[a].type, false),
		                            x_var(plan_slot(l->plan, "partial", r->acc.at[a].type, 1, &most)));
	struct kx *ticket = lower_argument(l, "ticket", kt_pointer(type_scalar(T_U32), false),
	                                   x_var(plan_ticket(l->plan, 1, &kept->slot_cells)));
	struct kx *mine = x_mul(cell, chunks);
	k_note(k, "the chunk of this cell that arrives last folds them all");
	for (int a = 0; a < r->acc.n; a++)
		k_set(k, x_at(partial[a], x_add(mine, chunk)), x_var(r->acc.at[a].var));
	struct kx *arg[] = { x_offset(ticket, cell), x_cast(kt_scalar(T_U32), x_sub(chunks, x_i64(1))) };
	k_if(k, x_help(kt_scalar(T_BOOL), "patc_ticket", 2, arg));
	k_set(k, x_at(ticket, cell), x_int(T_U32, 0));
	for (int a = 0; a < r->acc.n; a++) {
		struct accumulator *acc = &r->acc.at[a];
		struct kx *load[] = { x_offset(partial[a], mine) };
		k_set(k, x_var(acc->var), x_help(kt(acc->type), str_print("patc_load_%s", type_name(acc->type)), 1, load));
	}
	struct kx *p = x_var(k_for(k, "p", x_i64(1), chunks, x_i64(1), 0));
	for (int a = 0; a < r->acc.n; a++) {
		struct accumulator *acc = &r->acc.at[a];
		struct kx *load[] = { x_offset(partial[a], x_add(mine, p)) };
		struct kx *value = x_help(kt(acc->type), str_print("patc_load_%s", type_name(acc->type)), 1, load);
		k_set(k, x_var(acc->var), lower_apply(l, acc->op, acc->type, x_var(acc->var), value));
	}
	k_end(k);
	finish(l, r);
	k_end(k);
}

static void finish_cell(struct reduction *r, struct kept *kept, struct kx *cell, struct kx *chunk, struct kx *chunks)
{
	k_if(r->l->k, x_eq(chunks, x_i64(1)));
	finish(r->l, r);
	k_else(r->l->k);
	fold_chunks(r, kept, cell, chunk, chunks);
	k_end(r->l->k);
}

/* Chunks a cell: one unless cells alone leave the machine empty; each chunk has a few tiles. */
static struct kx *choose_chunks(struct reduction *r, struct kx *cells, struct kx *terms, int64_t least)
{
	struct kx *want = x_div(x_i64(TOTAL_BLOCKS), x_max(cells, x_i64(1)));
	struct kx *most = x_div(terms, x_i64(least));
	return x_max(x_min(x_min(want, most), x_i64(r->l->target->max_grid_y)), x_i64(1));
}

static void rows_gpu(struct reduction *r, struct plan *plan)
{
	open_kernel(r, plan);
	struct lowering *l = r->l;
	struct kernel *k = l->k;
	int64_t block = l->target->block, tile = block * r->width * LOADS;
	struct kx *host_n = host_terms(r), *n = lower_argument(l, "terms", kt_scalar(T_I64), host_n);
	struct kept kept = kept_cells(r);
	struct kx *host_bits = host_let(r, "group_bits", choose_group_bits(r, host_n));
	struct kx *host_group = host_let(r, "group", x_op(OP_SHL, x_i64(1), host_bits));
	struct kx *bits = lower_argument(l, "group_bits", kt_scalar(T_I32), host_bits);
	struct kx *host_chunks = x_cond(x_eq(host_group, x_i64(block)), choose_chunks(r, kept.host_cells, host_n, tile), x_i64(1));
	host_chunks = host_let(r, "chunks", host_chunks);
	struct kx *chunks = lower_argument(l, "chunks", kt_scalar(T_I64), host_chunks);
	struct kx *share = x_div(x_add(host_n, x_sub(host_chunks, x_i64(1))), host_chunks);
	struct kx *host_chunk = x_mul(x_div(x_add(share, x_i64(r->width - 1)), x_i64(r->width)), x_i64(r->width));
	struct kx *length = lower_argument(l, "chunk_terms", kt_scalar(T_I64), host_chunk);
	struct kx *vectors = vectors_allowed(r, host_n);
	block_launch_bounds(l);
	struct kx *thread = block_thread(l), *whole = x_i32(block);
	struct kx *group = x_var(k_let(k, "group", x_op(OP_SHL, x_i32(1), bits)));
	struct kx *lane = x_var(k_let(k, "lane", x_op(OP_AND, thread, x_sub(group, x_i32(1)))));
	struct kx *groups = x_op(OP_SHR, whole, bits), *mine = x_op(OP_SHR, thread, bits);
	struct kx *cell = x_add(x_mul(x_to_i64(x_id(ID_BLOCK_X)), x_to_i64(groups)), x_to_i64(mine));
	cell = x_var(k_let(k, "cell", cell));
	struct kx *chunk = x_var(k_let(k, "chunk", x_to_i64(x_id(ID_BLOCK_Y))));
	r->acc = folds_start(l, &r->folds);
	k_if(k, x_lt(cell, kept.cells));
	bind_cell(r, cell, kept.lo, kept.size);
	struct kx *lo = x_var(k_let(k, "lo", x_mul(chunk, length)));
	struct kx *hi = x_var(k_let(k, "hi", x_min(x_add(lo, length), n)));
	fold_range(r, lo, hi, x_to_i64(lane), x_to_i64(group), vectors);
	k_end(k);
	l->read = NULL;
	k_if(k, x_eq(group, whole));
	block_fold(l, &r->acc);
	k_else(k);
	group_fold(r, group);
	k_end(k);
	k_if(k, x_and(x_eq(lane, x_i32(0)), x_lt(cell, kept.cells)));
	bind_cell(r, cell, kept.lo, kept.size);
	finish_cell(r, &kept, cell, chunk, chunks);
	k_end(k);
	struct kx *host_groups = x_div(x_i64(block), host_group);
	struct kx *blocks = x_div(x_add(kept.host_cells, x_sub(host_groups, x_i64(1))), host_groups);
	lowering_launch(l, blocks, host_chunks, x_i64(1));
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
	for (int a = 0; a < r->acc.n; a++) {
		struct accumulator *acc = &r->acc.at[a];
		struct kx *other = x_at(x_var(shared[a]), x_add(x_mul(y, x_i32(lanes)), lane_x));
		k_set(k, x_var(acc->var), lower_apply(l, acc->op, acc->type, x_var(acc->var), other));
	}
	k_end(k);
	k_end(k);
}

static void columns_gpu(struct reduction *r, struct plan *plan)
{
	open_kernel(r, plan);
	struct lowering *l = r->l;
	struct kernel *k = l->k;
	int lanes = l->target->lanes, rows = l->target->block / lanes;
	struct kx *host_n = host_terms(r), *n = lower_argument(l, "terms", kt_scalar(T_I64), host_n);
	struct kept kept = kept_cells(r);
	kept.strip = lanes;                      /* cells that one chunk of a block folds side by side */
	struct kx *strips = x_div(x_add(kept.host_cells, x_i64(lanes - 1)), x_i64(lanes));
	strips = host_let(r, "strips", strips);
	struct kx *host_chunks = host_let(r, "chunks", choose_chunks(r, strips, host_n, (int64_t)rows * LOADS));
	struct kx *chunks = lower_argument(l, "chunks", kt_scalar(T_I64), host_chunks);
	struct kx *host_length = x_div(x_add(host_n, x_sub(host_chunks, x_i64(1))), host_chunks);
	struct kx *length = lower_argument(l, "chunk_terms", kt_scalar(T_I64), host_length);
	block_launch_bounds(l);
	struct kx *lane_x = x_var(k_let(k, "lane_x", x_rem(block_thread(l), x_i32(lanes))));
	struct kx *lane_y = x_var(k_let(k, "lane_y", x_div(block_thread(l), x_i32(lanes))));
	struct kx *cell = x_add(x_mul(x_to_i64(x_id(ID_BLOCK_X)), x_i64(lanes)), x_to_i64(lane_x));
	cell = x_var(k_let(k, "cell", cell));
	struct kx *chunk = x_var(k_let(k, "chunk", x_to_i64(x_id(ID_BLOCK_Y))));
	r->acc = folds_start(l, &r->folds);
	k_if(k, x_lt(cell, kept.cells));
	bind_cell(r, cell, kept.lo, kept.size);
	struct kx *lo = x_var(k_let(k, "lo", x_mul(chunk, length)));
	struct kx *hi = x_var(k_let(k, "hi", x_min(x_add(lo, length), n)));
	struct kx *run = x_div(x_add(x_sub(hi, lo), x_i64(rows - 1)), x_i64(rows));
	run = x_var(k_let(k, "run", run));
	struct kx *from = x_var(k_let(k, "from", x_add(lo, x_mul(x_to_i64(lane_y), run))));
	single_terms(r, from, x_min(x_add(from, run), hi), x_i64(1));
	k_end(k);
	l->read = NULL;
	down_fold(r, lane_x, lane_y, lanes, rows);
	k_if(k, x_and(x_eq(lane_y, x_i32(0)), x_lt(cell, kept.cells)));
	bind_cell(r, cell, kept.lo, kept.size);
	finish_cell(r, &kept, cell, chunk, chunks);
	k_end(k);
	lowering_launch(l, strips, host_chunks, x_i64(1));
}

/* Neighbouring cells read neighbouring memory: the last index of the cells runs along the last axis. */
static bool along_cells(const struct reduction *r)
{
	const struct var *column = r->node->index.at[r->node->index.n - 1];
	struct read_list reads = linear_reads(r);
	int along = 0;
	for (int i = 0; i < reads.at.n; i++) {
		const struct expr *read = reads.at.at[i];
		along += expr_uses(read->arg.at[read->var->rank - 1], column) ? 1 : -1;
	}
	return along > 0;
}

/* ---- CPU ---- */

static void set_term(void *state, struct kx *term)
{
	bind_term(state, term);
}

/* The chunks' results, in order, and what the equations make of them. */
static void fold_parts_cpu(struct reduction *r, struct plan *plan, struct kx *const *slot, struct kx *host_parts)
{
	struct lowering *l = r->l = lowering_new(plan, str_print("%s_fold", r->node->name));
	lowering_writes(l, r->node);
	struct kx *parts = lower_argument(l, "chunks", kt_scalar(T_I64), host_parts), *partial[8];
	for (int f = 0; f < r->folds.n; f++)
		partial[f] = lower_argument(l, "partial", kt_pointer(r->folds.at[f]->type, true), slot[f]);
	r->acc = folds_start(l, &r->folds);
	struct kx *part = x_var(k_for(l->k, "chunk", x_i64(0), parts, x_i64(1), 0));
	for (int f = 0; f < r->folds.n; f++) {
		struct accumulator *acc = &r->acc.at[f];
		k_set(l->k, x_var(acc->var), lower_apply(l, acc->op, acc->type, x_var(acc->var), x_at(partial[f], part)));
	}
	k_end(l->k);
	finish(l, r);
	lowering_launch(l, x_i64(1), x_i64(1), x_i64(1));
}

/* Chunks of fixed length: the result does not depend on the number of threads. */
static void total_cpu(struct reduction *r, struct plan *plan)
{
	open_kernel(r, plan);
	struct lowering *l = r->l;
	struct kernel *k = l->k;
	struct kx *host_n = host_terms(r), *n = lower_argument(l, "terms", kt_scalar(T_I64), host_n);
	struct kx *host_parts = x_div(x_add(host_n, x_i64(CPU_CHUNK - 1)), x_i64(CPU_CHUNK));
	host_parts = host_let(r, "chunks", host_parts);
	struct kx *parts = lower_argument(l, "chunks", kt_scalar(T_I64), host_parts), *partial[8], *slot[8];
	for (int f = 0; f < r->folds.n; f++) {
		slot[f] = x_var(plan_slot(plan, "partial", r->folds.at[f]->type, 1, &host_parts));
		partial[f] = lower_argument(l, "partial", kt_pointer(r->folds.at[f]->type, false), slot[f]);
	}
	struct kx *part = x_var(k_for(k, "chunk", x_i64(0), parts, x_i64(1), FOR_PARALLEL));
	struct kx *lo = x_var(k_let(k, "lo", x_mul(part, x_i64(CPU_CHUNK))));
	struct kx *hi = x_var(k_let(k, "hi", x_min(x_add(lo, x_i64(CPU_CHUNK)), n)));
	r->acc = folds_start(l, &r->folds);
	if (r->linear && !r->ordered)
		lanes_fold(l, &r->folds, &r->acc, lo, hi, set_term, r);
	else
		single_terms(r, lo, hi, x_i64(1));
	for (int f = 0; f < r->folds.n; f++)
		k_set(k, x_at(partial[f], part), x_var(r->acc.at[f].var));
	k_end(k);
	lowering_launch(l, x_i64(1), x_i64(1), x_i64(1));
	fold_parts_cpu(r, plan, slot, host_parts);
}

/* ---- entry points ---- */

void reduce_lower(struct plan *plan, const struct group *group)
{
	struct reduction *r = NEW(struct reduction);
	r->node = group->anchor;
	if (!can_share(r)) {
		cells_lower(plan, group);
		return;
	}
	if (!r->node->index.n)
		(plan->target->gpu ? total_gpu : total_cpu)(r, plan);
	else if (!plan->target->gpu)
		cells_lower(plan, group);
	else if (along_cells(r))
		columns_gpu(r, plan);
	else
		rows_gpu(r, plan);
}
