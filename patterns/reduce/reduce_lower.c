/* reduce_lower.c - folds over whole arrays, along trailing axes (rows), along leading axes
 * (columns), and everything else.  The ways to compute them, in the order in which they are tried
 * (the table at the end):
 *
 * mates    several statements share their rows, in one kernel (reduce_mates.c).  A row is held in
 *          registers or in shared memory (reduce_held.c), is folded by several statements in one
 *          pass (reduce_online.c), or comes from a cache the second time.
 * balanced rows of any length by an array of offsets: parts of so many terms and ends of rows
 * (balanced_lower.c).
 * total    no cells kept: blocks fold fixed chunks, a second kernel folds the partials; in a repeat
 *          the last block does (block.c), which saves a launch a pass. Chunks depend on n only;
 *          about 2048 of them measured best for 2^28 f32 on an H200.
 * late     a total of a range that a scalar of the device bounds: 2048 chunks, however many terms.
 * symmetric, pinned: pairs of an array with itself, each computed once (reduce_symmetric.c).
 * pairs    what a term reads depends on the cell or on the term alone: a block shares the terms of
 *          many cells (reduce_pairs.c).
 * columns  neighbouring cells' terms lie along lanes: a warp across columns, warps down the terms.
 * rows     a cell's terms lie along lanes: 1 .. 32 or 64 lanes or a block for each cell by the
 *          number of terms; where cells are few, a cell's terms are cut into chunks for several
 *          blocks.
 * cells    one thread a cell, terms in order: on a CPU, and for what the others cannot do (several
 *          domains, accesses that are tested, indices that bound each other, structs of many
 *          words).
 *
 * Terms that lie one after another are loaded 16 bytes at a time, four loads in flight a thread;
 * for an operator that does not commute each thread takes a run of neighbouring terms instead. */
#include "balanced.h"
#include "ragged.h"
#include "reduce_held.h"
#include "../lowerings.h"
#include "../ways.h"
#include "pass.h"

/* ---- what kind of reduction ---- */

bool reduce_same_expr(const struct expr *a, const struct expr *b)
{
	struct affine f, g;
	return affine_of(a, &f) && affine_of(b, &g) && affine_equal(&f, &g);
}

static bool same_domain(const struct fold *a, const struct fold *b)
{
	if (a->index.n != b->index.n)
		return false;
	for (int d = 0; d < a->index.n; d++)
		if (!ends_equal(a->lo.at[d], b->lo.at[d])
		    || !ends_equal(a->hi.at[d], b->hi.at[d]))
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
			if (fold_bounds_use(fold, d, node->index.at[k]))
				return false;
	return true;
}

static bool uses_targets(const struct node *node, const struct expr *e)
{
	for (int t = 0; node_target(node, t); t++)
		if (expr_uses(e, target_read(node_target(node, t))->var))
			return true;
	return false;
}

static bool is_target(const struct node *node, const struct expr *e)
{
	for (int t = 0; node_target(node, t); t++)
		if (expr_same(e, target_read(node_target(node, t))))
			return true;
	return false;
}

/* For a walk, which ends where this is false.  Terms read no target; the equation around the folds
 * may read its own cell, when the thread that then writes that cell finishes it. */
static bool keeps_targets(struct expr *e, void *state)
{
	const struct node *node = state;
	if (e->fold)
		return !uses_targets(node, e);
	return !(e->kind == E_READ || e->kind == E_VAR) || is_target(node, e)
	       || !uses_targets(node, e);
}

bool reduce_adds(const struct node *node)
{
	for (int q = 0; q < node->equation.n; q++)
		if (uses_targets(node, node->equation.at[q]->right))
			return true;
	return false;
}

static bool reads_own_targets(const struct node *node)
{
	for (int q = 0; q < node->equation.n; q++)
		if (!expr_walk(node->equation.at[q]->right, keeps_targets, (struct node *)node))
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
		if (!same_domain(r->domain, e->fold) || fold_in_order(e) || e->fold->late)
			return false;
		r->ordered |= !e->fold->op->commutative;
	}
	return folds_fit(&r->folds);
}

static bool host_bounds(const struct node *node)
{
	for (int k = 0; k < node->index.n; k++)
		if (expr_on_device(node->lo.at[k])
		    || expr_on_device(node->hi.at[k]))
			return false;
	return true;
}

/* What folds read may be tested at run time (lower_term), but which cells there are may not. */
static bool cells_checked(const struct node *node)
{
	for (int t = 0; node_target(node, t); t++)
		if (expr_checked(node_target(node, t)))
			return true;
	return node->where && expr_checked(node->where);
}

bool reduce_is_box(const struct node *node, const struct fold *fold)
{
	return !cells_checked(node) && !fold->cut && rectangular(fold) && uniform_domain(node, fold)
	       && node_is_box(node) && host_bounds(node);
}

bool reduce_can_share(struct reduction *r)
{
	r->one_range = find_folds(r);
	return r->one_range && reduce_is_box(r->node, r->domain) && !reads_own_targets(r->node);
}

/* ---- linear terms ---- */

static int domain_place(const struct fold *fold, const struct var *var)
{
	for (int d = 0; d < fold->index.n; d++)
		if (fold->index.at[d] == var)
			return d;
	return -1;
}

bool reduce_uses(const struct fold *fold, const struct expr *e)
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
	if (first < 0 || var_home(read->var) || (fold->index.n > 1 && !is_dense(read->var)))
		return false;
	for (int a = 0; a < first; a++)
		if (reduce_uses(fold, read->arg.at[a]))
			return false;
	for (int d = 0; d < fold->index.n; d++) {
		const struct expr *sub = read->arg.at[first + d];
		if (sub->kind != E_VAR || sub->var != fold->index.at[d])
			return false;
		if (!affine_spans(fold->lo.at[d], fold->hi.at[d], &read->var->extent[first + d]))
			return false;
	}
	return true;
}

/* Folds of one domain have indices of their own: each expression is looked at with its own fold. */
static bool linear_body(const struct fold *fold, const struct expr *e)
{
	if (!e)
		return true;
	if (e->kind == E_READ && reduce_uses(fold, e))
		return linear_read(fold, e);
	if (e->kind == E_VAR)
		return domain_place(fold, e->var) < 0;
	for (int a = 0; a < e->arg.n; a++)
		if (!linear_body(fold, e->arg.at[a]))
			return false;
	return e->kind != E_FOLD;
}

bool reduce_is_linear(const struct reduction *r)
{
	for (int f = 0; f < r->folds.n; f++) {
		const struct expr *e = r->folds.at[f];
		if (!linear_body(e->fold, e->arg.at[0]) || !linear_body(e->fold, e->fold->where)
		    || expr_checked(e))
			return false;
	}
	return true;
}

static bool collect_read(struct expr *e, void *state)
{
	struct read_list *list = state;
	if (e->kind == E_READ && reduce_uses(list->fold, e))
		list_add(&list->at, e);
	return true;
}

struct read_list reduce_reads(const struct reduction *r)
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

int reduce_width(const struct reduction *r)
{
	struct read_list reads = reduce_reads(r);
	int64_t widest = 1;
	if (!r->linear || r->ordered || !reads.at.n)
		return 1;
	for (int i = 0; i < reads.at.n; i++) {
		int64_t bytes = type_size(reads.at.at[i]->var->type);
		if (reads.at.at[i]->var->type->kind == T_STRUCT)
			return 1;
		widest = bytes > widest ? bytes : widest;
	}
	int64_t most = 16 / widest, chosen = r->node->choice.vector;
	/* other statements' arrays may be wider */
	return (int)(chosen && chosen < most ? chosen : most);
}

/* Neighbouring cells read neighbouring memory: the last index of the cells runs along the last
 * axis. What does not depend on it is the same for all lanes. */
bool reduce_along_cells(const struct reduction *r)
{
	const struct var *column = r->node->index.at[r->node->index.n - 1];
	struct read_list reads = reduce_reads(r);
	int along = 0;
	for (int i = 0; i < reads.at.n; i++) {
		const struct expr *read = reads.at.at[i];
		if (expr_uses(read, column))
			along += expr_uses(read->arg.at[read->var->rank - 1], column) ? 1 : -1;
	}
	return along > 0;
}

/* Columns keep what every thread of a block has folded in shared memory. */
static bool down_fits(const struct reduction *r, const struct target *target)
{
	int64_t bytes = 0;
	for (int f = 0; f < r->folds.n; f++)
		bytes += type_size(accumulator_type(r->folds.at[f]));
	return bytes * target->block <= target->shared_bytes;
}

/* ---- what the passes may decide ---- */

const char *rows_unfit(const struct node *node)
{
	struct reduction r = { .node = node };
	if (!reduce_can_share(&r))
		return "its folds do not have one range that depends on sizes only, or read what "
		       "it writes";
	if (r.domain->index.n > 1)
		return "it folds over several indices";
	return reduce_along_cells(&r)
	               ? "it folds columns: neighbouring cells are adjacent in memory, not terms"
	               : NULL;
}

static const char *no_vector(const struct reduction *r, const struct target *target)
{
	if (!target->gpu)
		return "the C compiler makes vectors of the inner loop";
	if (r->node->index.n && reduce_along_cells(r))
		return "the lanes take neighbouring cells, not terms";
	if (!r->linear)
		return "its terms are not adjacent in memory";
	if (r->ordered)
		return "an operator does not commute, so a thread takes neighbouring terms";
	return "its terms are structs";
}

static const char *rows_held(const struct node *node, const struct target *target)
{
	bool shares = node->group && node->group->anchor == node && node->group->mate.n;
	const struct held_rows *held = shares ? held_rows_of(node->group, target) : NULL;
	if (!held)
		return NULL;
	bool more = held_kinds(held, node->group, target) > HELD_SHARED;
	return str_print("rows of up to %lld cells of %s are read once, of up to %lld if they are "
	                 "not aligned%s; longer ones are read again from a cache",
	                 (long long)held_cells(held_kind(held, HELD_WIDE)), held_names(held),
	                 (long long)held_cells(held_kind(held, HELD_SINGLE)),
	                 more ? str_print(", from %lld cells on as many as shared memory holds",
	                                  (long long)held_cells(held) + 1)
	                      : "");
}

static void offer_symmetric(struct reduction *r, const struct target *target, struct shape *s)
{
	s->pairs = true;
	s->no_symmetric = reduce_not_symmetric(r, target);
}

void reduce_shape(const struct node *node, const struct target *target, struct shape *s)
{
	struct reduction r = { .node = node };
	struct balanced balanced = { .node = node };
	balanced_shape(node, target, s);
	if (balanced_fits(&balanced, target)) {
		s->no_vector = target->gpu ? "its terms are loaded 16 bytes at a time if possible"
		                           : "the C compiler makes vectors of the inner loop";
		s->piece = "term";
		s->no_pieces = "the number of terms of a thread is that of a part";
		return;
	}
	if (!reduce_can_share(&r)) {
		cells_shape(node, target, s);
		s->no_vector = target->gpu ? "one thread folds the terms of a cell in order"
		                           : s->no_vector;
		return;
	}
	const char *held = rows_held(node, target);
	const struct pairs_shape *pairs = held ? NULL : reduce_pairs_shape(&r, target);
	bool has = pairs && !pairs->why;
	s->staged = held ? held : has ? (const void *)pairs : NULL;
	s->staging = held ? &rows_staging : has ? &pairs_staging : NULL;
	if (has)
		offer_symmetric(&r, target, s);
	r.linear = reduce_is_linear(&r);
	struct node open = *node;
	open.choice.vector = 0;
	r.node = &open;
	s->vector = target->gpu && !(node->index.n && reduce_along_cells(&r)) ? reduce_width(&r)
	                                                                      : 1;
	s->no_vector = no_vector(&r, target);
	s->vectors = target->gpu && !(node->index.n && reduce_along_cells(&r));
	s->piece = s->vector > 1 ? "vector" : "term";
	s->pieces = 1;
	s->no_pieces = !target->gpu    ? "threads share the terms, as many as OpenMP gives"
	               : s->vector > 1 ? str_print(
				 "a thread has %d vectors in flight, whatever the machine", LOADS)
	                               : "a thread takes its terms one by one";
}

/* ---- the ways ---- */

struct found {
	struct reduction *r;
	struct balanced *balanced;
	bool one_range;                  /* all folds have one */
	bool shares;                     /* threads can share the terms of a cell */
};

static const struct found *found_by(const struct task *c)
{
	return c->found;
}

static bool has_mates(const struct task *c)
{
	return c->group->mate.n;
}

static void lower_mates(const struct task *c)
{
	reduce_mates(c->plan, c->group);
}

static bool balances(const struct task *c)
{
	return c->node->choice.regular >= 0
	       && !balanced_not(found_by(c)->balanced, c->plan->target);
}

static void lower_balanced(const struct task *c)
{
	balanced_lower(found_by(c)->balanced, c->plan);
}

/* One range whose ends are scalars, which only the device knows. */
static bool is_late(const struct task *c)
{
	struct reduction *r = found_by(c)->r;
	if (c->node->index.n || !found_by(c)->one_range || r->domain->index.n != 1
	    || r->domain->cut || cells_checked(c->node) || reads_own_targets(c->node))
		return false;
	const struct expr *lo = r->domain->lo.at[0], *hi = r->domain->hi.at[0];
	return (expr_on_device(lo) || expr_on_device(hi)) && !has_data(lo) && !has_data(hi);
}

static void lower_late(const struct task *c)
{
	reduce_late_gpu(found_by(c)->r, c->plan);
}

static bool is_total(const struct task *c)
{
	return found_by(c)->shares && !c->node->index.n;
}

static void lower_total(const struct task *c)
{
	(c->plan->target->gpu ? reduce_total_gpu : reduce_total_cpu)(found_by(c)->r, c->plan);
}

static bool shares_rows(const struct task *c)
{
	return found_by(c)->shares;
}

static void lower_rows(const struct task *c)
{
	reduce_rows_gpu(found_by(c)->r, c->plan);
}

/* Neighbouring cells read neighbouring memory, and what a block folds fits its shared memory. */
static bool shares_columns(const struct task *c)
{
	const struct reduction *r = found_by(c)->r;
	return shares_rows(c) && reduce_along_cells(r) && down_fits(r, c->plan->target);
}

static void lower_columns(const struct task *c)
{
	reduce_columns_gpu(found_by(c)->r, c->plan);
}

static bool is_symmetric(const struct task *c)
{
	return shares_rows(c) && c->node->choice.symmetric > 0
	       && !reduce_not_symmetric(found_by(c)->r, c->plan->target);
}

static struct kx *many_symmetric(const struct task *c)
{
	return reduce_many_symmetric(found_by(c)->r, c->plan);
}

static void lower_symmetric(const struct task *c)
{
	reduce_symmetric_gpu(found_by(c)->r, c->plan);
}

static bool has_pairs(const struct task *c)
{
	const struct pairs_shape *pairs = shares_rows(c) ? reduce_pairs_shape(found_by(c)->r,
	                                                                      c->plan->target)
	                                                 : NULL;
	return pairs && !pairs->why && c->node->choice.stage == STAGE_SHARED;
}

static struct kx *many_pairs(const struct task *c)
{
	return reduce_many_pairs(found_by(c)->r, c->plan);
}

static void lower_pairs(const struct task *c)
{
	reduce_pairs_gpu(found_by(c)->r, c->plan);
}

static const struct way ways[] = {
	/* reduce_mates.c */
	{ "mates", "one kernel of all statements over the same rows", .fits = has_mates,
	  .lower = lower_mates },
	/* rows given by an array of offsets; `regularise` says why not: balanced_lower.c */
	{ "balanced", "parts of equal work", .fits = balances, .lower = lower_balanced },
	/* reduce_gpu.c, reduce_cpu.c */
	{ "total", "threads fold chunks", .fits = is_total, .lower = lower_total },
	/* reduce_gpu.c */
	{ "late", "blocks fold chunks of a range that the device knows", .fits = is_late,
	  .lower = lower_late, .on = ON_GPU },
	/* reduce_symmetric.c */
	{ "symmetric", "a block computes the pairs of two tiles of results, each pair once",
	  .where = "there are more results than a tile has", .fits = is_symmetric,
	  .when = many_symmetric, .lower = lower_symmetric, .on = ON_GPU },
	/* reduce_pairs.c */
	{ "pairs", "a thread folds several results, and a block shares their terms",
	  .where = "there are many results and terms", .fits = has_pairs, .when = many_pairs,
	  .lower = lower_pairs, .on = ON_GPU },
	/* reduce_gpu.c; threads of a CPU take whole results */
	{ "columns", "neighbouring lanes fold neighbouring results",
	  .no = "lanes would not read neighbouring cells, or cannot share terms",
	  .fits = shares_columns, .lower = lower_columns, .on = ON_GPU },
	/* reduce_gpu.c */
	{ "rows", "lanes share the terms of a result",
	  .no = "lanes cannot share the terms of a result", .fits = shares_rows,
	  .lower = lower_rows, .on = ON_GPU },
	/* ../cells.c */
	{ "cells", "a thread folds the terms of a result in order", .lower = ways_cells }
};

void reduce_lower(struct plan *plan, const struct group *group)
{
	struct reduction *r = NEW(struct reduction);
	struct balanced balanced = { .node = group->anchor };
	r->node = group->anchor;
	bool shares = reduce_can_share(r);
	struct found found = { r, &balanced, r->one_range, shares };
	ways_lower(ways, plan, group, &found);
}
