/* reduce_held_row.c - the kernel of statements that share their rows, each row held by its threads from the first statement
 * that reads it to the last (reduce_held.c says which rows, and where). */
#include "reduce_held.h"

/* Loads of a thread under way to shared memory; of 1 or 2 bytes, and of rows with three indices, where as many spill. */
enum { STAGED = 16, FEW_STAGED = 12 };

/* ---- one vector of the row ---- */

struct loaded { const struct expr *read; struct kx *vector; };
struct row {
	struct mates m;
	const struct held_rows *h;
	struct kvar *reg[MOST_HELD];         /* the thread's cells of each array */
	const struct node *mate;
	struct reduction *folds;             /* of one that folds, else NULL */
	const struct var *column;
	struct kx *number, *lane;            /* of the vector; of the cell in it */
	struct kx *cell;                     /* in shared memory: of the row */
	struct kx *inside;                   /* it is one of the row's; NULL: it is */
	LIST(struct loaded) loaded;          /* others, of this vector */
};

static int held_at(const struct row *r, const struct expr *read)
{
	for (int i = 0; i < r->h->at.n; i++)
		if (r->h->at.at[i].var == read->var && held_is_own(r->mate, r->m.anchor->index.n, read, r->column))
			return i;
	return -1;
}

static struct kx *held_cell(const struct row *r, int i)
{
	if (r->h->shared)
		return x_at(x_var(r->reg[i]), r->cell);
	return x_at(x_var(r->reg[i]), x_add(x_mul(r->number, x_i32(r->h->width)), r->lane));
}

static bool same_cells(const struct expr *a, const struct expr *b)
{
	bool same = a->var == b->var;
	for (int d = 0; same && d < a->arg.n - 1; d++)
		same = reduce_same_expr(a->arg.at[d], b->arg.at[d]);
	return same;
}

static struct kx *lane_of(const struct row *r, struct kx *vector)
{
	return r->h->width == 1 ? vector : x_lane_at(vector, r->lane);
}

static struct kx *row_reader(struct lowering *l, const struct expr *read)
{
	const struct row *r = l->state;
	int i = held_at(r, read);
	if (i >= 0)
		return held_cell(r, i);
	for (int k = 0; k < r->loaded.n; k++)
		if (expr_uses(read, r->column) && same_cells(r->loaded.at[k].read, read))
			return lane_of(r, r->loaded.at[k].vector);
	return lower_cell(l, read);
}

/* Of one cell: the cell. */
static struct kx *vector_of(struct row *r, const struct expr *read)
{
	struct kx *at = lower_cell(r->m.l, read);
	if (r->h->width == 1)
		return x_var(k_let(r->m.l->k, "value", at));
	return x_var(k_let(r->m.l->k, "cells", x_vload(x_offset(at->arg[0], at->arg[1]), r->h->width)));
}

static void each_lane(struct row *r)
{
	r->lane = x_i32(0);
	if (r->h->width > 1)
		r->lane = x_var(k_for(r->m.l->k, "c", x_i32(0), x_i32(r->h->width), x_i32(1), FOR_UNROLL));
}

static void end_lanes(struct row *r)
{
	if (r->h->width > 1)
		k_end(r->m.l->k);
}

static bool load_other(struct expr *e, void *state)
{
	struct row *r = state;
	if (e->kind != E_READ || !expr_uses(e, r->column) || held_at(r, e) >= 0)
		return true;
	for (int k = 0; k < r->loaded.n; k++)
		if (same_cells(r->loaded.at[k].read, e))
			return true;
	list_add(&r->loaded, ((struct loaded){ e, vector_of(r, e) }));
	return true;
}

static void bind_column(struct row *r, struct kx *at)
{
	struct lowering *l = r->m.l;
	l->term = at;
	if (!r->folds)
		lower_bind(l, r->column, at);
	for (int f = 0; r->folds && f < r->folds->folds.n; f++)
		lower_bind(l, r->folds->folds.at[f]->fold->index.at[0], at);
}

/* In shared memory a thread has every so manyth cell, in all statements the same ones. */
static struct kx *open_shared(struct row *r)
{
	struct kernel *k = r->m.l->k;
	k_if(k, r->m.live);
	r->cell = x_var(k_for(k, "cell", x_to_i32(r->m.lane), r->m.terms, r->m.group_size, 0));
	r->inside = NULL;
	r->loaded.n = 0;
	bind_column(r, x_to_i64(r->cell));
	return x_to_i64(r->cell);
}

/* For each of the thread's vectors in the row, from its first cell on, which is bound. */
static struct kx *open_vectors(struct row *r)
{
	struct kernel *k = r->m.l->k;
	if (r->h->shared)
		return open_shared(r);
	k_if(k, r->m.live);
	r->number = x_var(k_for(k, "number", x_i32(0), x_i32(r->h->vectors), x_i32(1), FOR_UNROLL));
	struct kx *place = x_add(x_mul(r->number, r->m.group_size), x_to_i32(r->m.lane));
	place = x_var(k_let(k, "cell", x_mul(place, x_i32(r->h->width))));
	struct kx *first = x_to_i64(x_var(k_let(k, "first", x_min(place, x_sub(r->m.terms, x_i32(r->h->width))))));
	r->inside = x_lt(place, r->m.terms);
	r->loaded.n = 0;
	bind_column(r, first);
	return first;
}

static void close_vectors(struct row *r)
{
	k_end(r->m.l->k);
	k_end(r->m.l->k);
}

static void open_lanes(struct row *r, struct kx *first)
{
	each_lane(r);
	bind_column(r, x_add(first, x_to_i64(r->lane)));
	r->m.l->read = row_reader;
	r->m.l->state = r;
}

static void close_lanes(struct row *r)
{
	r->m.l->read = NULL;
	r->m.l->term = NULL;
	end_lanes(r);
}

/* ---- statements ---- */

static void enter(struct row *r, const struct node *mate)
{
	r->mate = mate;
	r->folds = mate_folds(mate) ? mates_reduction(mate) : NULL;
	r->column = held_column(r->m.group, mate);
}

/* To shared memory: many loads, then their stores. */
static void stage_row(struct row *r, int i)
{
	struct kernel *k = r->m.l->k;
	const struct held *held = &r->h->at.at[i];
	int count = type_size(held->var->type) < 4 || held->var->rank > 3 ? FEW_STAGED : STAGED;
	struct kvar *staged = k_regs(k, held->var->type, "staged", count);
	k_if(k, r->m.live);
	struct kx *lane = x_to_i32(r->m.lane), *many = x_mul(r->m.group_size, x_i32(count));
	struct kx *base = x_var(k_for(k, "base", lane, r->m.terms, many, 0));
	struct kx *u = x_var(k_for(k, "u", x_i32(0), x_i32(count), x_i32(1), FOR_UNROLL));
	struct kx *cell = x_min(x_add(base, x_mul(u, r->m.group_size)), x_sub(r->m.terms, x_i32(1)));
	bind_column(r, x_to_i64(x_var(k_let(k, "cell", cell))));
	k_set(k, x_at(x_var(staged), u), lower_cell(r->m.l, held->read));
	k_end(k);
	u = x_var(k_for(k, "u", x_i32(0), x_i32(count), x_i32(1), FOR_UNROLL));
	r->cell = x_var(k_let(k, "cell", x_add(base, x_mul(u, r->m.group_size))));
	k_if(k, x_lt(r->cell, r->m.terms));
	k_set(k, held_cell(r, i), x_at(x_var(staged), u));
	k_end(k);
	k_end(k);
	k_end(k);
	k_end(k);
}

/* All of the row that is not written first, before anything is computed. */
static void load_row(struct row *r, int i)
{
	const struct held *held = &r->h->at.at[i];
	struct kernel *k = r->m.l->k;
	enter(r, held->mate);
	r->column = held->column;
	if (r->h->shared) {
		stage_row(r, i);
		return;
	}
	open_vectors(r);
	struct kx *v = vector_of(r, held->read);
	each_lane(r);
	k_set(k, held_cell(r, i), lane_of(r, v));
	end_lanes(r);
	close_vectors(r);
}

/* Lanes of a row, then, where a row has several warps, these in order; a row's first thread has the result. */
static void fold_row(struct row *r, const struct accumulators *acc)
{
	struct lowering *l = r->m.l;
	struct kernel *k = l->k;
	int lanes = l->target->lanes;
	struct kvar *shared[8];
	warp_fold_part(l, acc, r->m.group_size);
	if (r->h->most <= lanes)
		return;
	for (int a = 0; a < acc->n; a++)
		shared[a] = k_shared(k, acc->at[a].type, str_print("warp_%s", accumulator_name(&acc->at[a])), r->h->block / lanes);
	k_if(k, x_lt(x_i32(lanes), r->m.group_size));
	struct kx *warp = x_var(k_let(k, "warp", x_div(block_thread(l), x_i32(lanes))));
	k_if(k, x_eq(x_rem(block_thread(l), x_i32(lanes)), x_i32(0)));
	for (int a = 0; a < acc->n; a++)
		k_set(k, x_at(x_var(shared[a]), warp), x_var(acc->at[a].var));
	k_end(k);
	k_barrier(k);
	k_if(k, r->m.first);
	struct kx *end = x_add(warp, x_div(r->m.group_size, x_i32(lanes)));
	struct kx *w = x_var(k_for(k, "w", x_add(warp, x_i32(1)), end, x_i32(1), FOR_ROLLED));
	for (int a = 0; a < acc->n; a++)
		accumulate(l, &acc->at[a], x_at(x_var(shared[a]), w));
	k_end(k);
	k_end(k);
	k_end(k);
}

static void fold_held(struct row *r)
{
	struct lowering *l = r->m.l;
	struct reduction *folds = r->folds;
	reduce_enter(folds, l);
	l->read = NULL;
	folds->acc = folds_start(l, &folds->folds);
	struct kx *first = open_vectors(r);
	for (int f = 0; f < folds->folds.n; f++) {
		const struct expr *e = folds->folds.at[f];
		r->column = e->fold->index.at[0];
		expr_walk(e->arg.at[0], load_other, r);
		expr_walk(e->fold->where, load_other, r);
	}
	open_lanes(r, first);
	for (int f = 0; f < folds->folds.n; f++) {
		r->column = folds->folds.at[f]->fold->index.at[0];
		accumulate_only(l, folds->folds.at[f], &folds->acc.at[f], r->inside);
	}
	close_lanes(r);
	close_vectors(r);
	fold_row(r, &folds->acc);
	k_if(l->k, x_and(r->m.first, r->m.live));
	reduce_finish(l, folds);
	k_end(l->k);
}

static bool is_stored(const struct row *r, const struct expr *target)
{
	int i = held_at(r, target);
	return i < 0 || r->h->at.at[i].stored;
}

static void cells_equation(struct row *r, struct kx *first, const struct equation *eq)
{
	struct lowering *l = r->m.l;
	struct kernel *k = l->k;
	const struct expr *target = eq->target.at[0];
	int held = held_at(r, target);
	struct ktype type = r->h->width > 1 ? kt_vector(target->type, r->h->width) : kt(target->type);
	struct kvar *out = is_stored(r, target) ? k_var(k, type, "out", NULL) : NULL;
	open_lanes(r, first);
	struct kx *value = x_var(k_let(k, "value", lower_result(eq, 0, lower_expr(l, eq->right))));
	if (held >= 0)
		k_set(k, held_cell(r, held), value);
	if (out)
		k_set(k, lane_of(r, x_var(out)), value);
	close_lanes(r);
	bind_column(r, first);
	if (!out)
		return;
	struct kx *at = lower_cell(l, target);
	if (r->inside)
		k_if(k, r->inside);
	if (r->h->width > 1)
		k_vstore(k, x_offset(at->arg[0], at->arg[1]), x_var(out));
	else
		k_set(k, at, x_var(out));
	if (r->inside)
		k_end(k);
}

static void cells_held(struct row *r)
{
	struct kx *first = open_vectors(r);
	node_walk((struct node *)r->mate, load_other, r);
	for (int q = 0; q < r->mate->equation.n; q++)
		cells_equation(r, first, r->mate->equation.at[q]);
	close_vectors(r);
	r->m.l->term = NULL;
}

static void mate_held(struct row *r, const struct node *mate)
{
	mates_begin(&r->m, mate);
	enter(r, mate);
	if (mate_folds(mate))
		fold_held(r);
	else if (mate_cells(&r->m, mate))
		cells_held(r);
	else
		mates_row_value(&r->m, mate);
}

/* ---- the host ---- */

/* Arrays whose rows vectors lie in: all that are read or written along the column, which has their whole rows if they lie one
 * behind another. */
struct aligning { struct plan *plan; const struct row *r; struct map seen; struct kx *all; };

static bool align_read(struct expr *e, void *state)
{
	struct aligning *s = state;
	int width = s->r->h->width;
	if (e->kind != E_READ || !s->r->column || !expr_uses(e, s->r->column) || *map_at(&s->seen, e->var))
		return true;
	*map_at(&s->seen, e->var) = e;
	s->all = x_and(s->all, plan_aligned(s->plan, e->var, width));
	if (!is_dense(e->var))
		s->all = x_and(s->all, x_eq(x_rem(lower_pitch(host_lowering(s->plan), e->var, e->var->rank - 1), x_i64(width)), x_i64(0)));
	return true;
}

static struct kx *rows_aligned(struct row *r, struct plan *plan)
{
	struct aligning s = { .plan = plan, .r = r };
	for (int i = 0; i < r->m.group->mate.n; i++) {
		const struct node *mate = r->m.group->mate.at[i];
		enter(r, mate);
		node_walk((struct node *)mate, align_read, &s);
		for (int t = 0; mate_cells(&r->m, mate) && node_target(mate, t); t++)
			align_read(node_target(mate, t), &s);
	}
	return x_and(s.all, x_eq(x_rem(r->m.host_terms, x_i64(r->h->width)), x_i64(0)));
}

/* log2 of the threads of a row: as few as hold it. */
static struct kx *row_bits(const struct row *r)
{
	int64_t each = (int64_t)r->h->width * r->h->vectors;
	struct kx *bits = x_i32(log2_of(r->h->fewest));
	for (int b = log2_of(r->h->fewest) + 1; 1 << b <= r->h->most; b++)
		bits = x_cond(x_lt(x_i64(each << (b - 1)), r->m.host_terms), x_i32(b), bits);
	return bits;
}

/* Host. */
static struct kx *fits_held(const struct held_rows *h, struct kx *terms)
{
	if (!h->shared)
		return x_le(terms, x_i64(held_cells(h)));
	struct kx *bytes = x_mul(terms, x_i64(type_size(h->at.at[0].var->type)));
	return x_le(x_add(bytes, x_i64(REST_BYTES)), block_may_ask());
}

static struct kvar *room_for(const struct row *r, const struct var *var)
{
	struct kernel *k = r->m.l->k;
	const char *name = str_print("held_%s", var->name);
	if (!r->h->shared)
		return k_regs(k, var->type, name, (int64_t)r->h->width * r->h->vectors);
	k->asks = x_to_i32(x_mul(r->m.host_terms, x_i64(type_size(var->type))));
	return k_shared_asked(k, var->type, name, 1);
}

void held_lower(const struct held_rows *h, struct plan *plan, const struct group *group)
{
	struct row *r = NEW(struct row);
	r->h = h;
	r->m = (struct mates){ .plan = plan, .group = group, .anchor = group->anchor, .most_rows = h->block / h->fewest };
	struct lowering *l = r->m.l = mates_open(plan, group, str_print("%s_%s", group->anchor->name, h->name));
	struct reduction *anchor = mates_reduction(group->anchor);
	reduce_enter(anchor, l);
	r->m.host_terms = reduce_terms(anchor);
	struct kx *some = x_lt(x_i64(h->least), r->m.host_terms), *fits = fits_held(h, r->m.host_terms);
	k_if(plan->host, x_and(x_and(some, fits), h->width > 1 ? rows_aligned(r, plan) : NULL));
	r->m.terms = lower_argument(l, "terms", kt_scalar(T_I32), x_to_i32(r->m.host_terms));
	struct kept kept = reduce_kept_cells(anchor);
	struct kx *bits = plan_let(plan, "group_bits", row_bits(r));
	struct kx *rows = x_op(OP_SHR, x_i64(h->block), bits);
	l->k->block[0] = h->block;
	l->k->block[1] = l->k->block[2] = 1;
	l->k->min_blocks = h->min_blocks;
	mates_place(&r->m, anchor, &kept, lower_argument(l, "group_bits", kt_scalar(T_I32), bits));
	l->read = NULL;
	for (int i = 0; i < h->at.n; i++)
		r->reg[i] = room_for(r, h->at.at[i].var);
	for (int i = 0; i < h->at.n; i++)
		if (h->at.at[i].loaded)
			load_row(r, i);
	for (int i = 0; i < group->mate.n; i++) {
		if (i)
			mates_pass_on(&r->m, group->mate.at[i - 1]);
		mate_held(r, group->mate.at[i]);
	}
	lowering_launch(l, x_div_up(kept.host_cells, rows), x_i64(1), x_i64(1));
	k_else(plan->host);
}
