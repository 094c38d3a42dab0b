/* reduce_held_row.c - the kernel of statements that share their rows, each row held by its threads
 * from the first statement that reads it to the last (reduce_held.c says which rows, and where). */
#include "reduce_held.h"

/* Loads of a thread under way to shared memory; of 1 or 2 bytes, and of rows with three indices,
 * where as many spill. */
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
	/* what the statement does with a vector of the row, and with a cell of it */
	void (*take_vector)(struct row *, struct kx *first), (*take_lane)(struct row *);
	int which;                           /* array, equation */
	struct kx *taken;                    /* the vector */
};

static int held_at(const struct row *r, const struct expr *read)
{
	for (int i = 0; i < r->h->at.n; i++)
		if (r->h->at.at[i].var == read->var
		    && held_is_own(r->mate, r->m.anchor->index.n, read, r->column))
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
	const struct row *r = l->now.state;
	int i = held_at(r, read);
	if (i >= 0)
		return held_cell(r, i);
	for (int k = 0; k < r->loaded.n; k++)
		if (expr_uses(read, r->column) && same_cells(r->loaded.at[k].read, read))
			return lane_of(r, r->loaded.at[k].vector);
	return lower_cell(l, read);
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

/* Where the row has its cells from `first` on.  Its beginning is the same for all vectors of a
 * thread: so the address of each is one multiplication and addition. */
static struct kx *in_row(struct row *r, const struct expr *read, struct kx *first)
{
	bind_column(r, x_i64(0));
	struct kx *begin = lower_cell(r->m.l, read);
	bind_column(r, first);
	const char *name = str_print("row_of_%s", read->var->name);
	struct kx *row = x_var(k_let(r->m.l->k, name, x_offset(begin->arg[0], begin->arg[1])));
	return x_offset(row, first);
}

/* From the cell that is bound; of one cell: the cell. */
static struct kx *vector_of(struct row *r, const struct expr *read)
{
	struct kx *at = in_row(r, read, r->m.l->term);
	if (r->h->width == 1)
		return x_var(k_let(r->m.l->k, "value", x_at(at->arg[0], at->arg[1])));
	return x_var(k_let(r->m.l->k, "cells", x_vload(at, r->h->width)));
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

static struct kx *at_lane(struct lowering *l, const void *row, struct kx *const *lane)
{
	struct row *r = (struct row *)row;
	(void)l;
	r->lane = lane[0];
	r->take_lane(r);
	return NULL;
}

static void each_lane(struct row *r, void (*take_lane)(struct row *))
{
	r->take_lane = take_lane;
	k_text(r->m.l->k, "each_lane");
}

static struct kx *at_vector(struct lowering *l, const void *row, struct kx *const *first)
{
	struct row *r = (struct row *)row;
	r->cell = k_get(l->k, "cell");
	r->number = r->h->shared ? NULL : k_get(l->k, "number");
	r->inside = r->h->shared ? NULL : k_get(l->k, "inside");
	r->loaded.n = 0;
	bind_column(r, first[0]);
	r->take_vector(r, first[0]);
	return NULL;
}

/* For each of the thread's vectors in the row, from its first cell on, which is bound. */
static void each_vector(struct row *r, void (*take_vector)(struct row *, struct kx *))
{
	r->take_vector = take_vector;
	k_text(r->m.l->k, "each_vector");
}

/* The statement's reads are of the row.  Returns the context before. */
static struct lower_context open_reads(struct row *r, struct kx *first)
{
	struct lower_context before = r->m.l->now;
	bind_column(r, x_add(first, x_to_i64(r->lane)));
	r->m.l->now.read = row_reader;
	r->m.l->now.state = r;
	return before;
}

/* ---- statements ---- */

static void enter(struct row *r, const struct node *mate)
{
	r->mate = mate;
	r->folds = mate_folds(mate) ? mates_reduction(mate) : NULL;
	r->column = held_column(r->m.group, mate);
}

static struct kx *row_cell(struct lowering *l, const void *row, struct kx *const *column)
{
	struct row *r = (struct row *)row;
	bind_column(r, column[0]);
	return lower_cell(l, r->h->at.at[r->which].read);
}

static void stage_row(struct row *r)
{
	struct kernel *k = r->m.l->k;
	const struct var *var = r->h->at.at[r->which].var;
	k_bind(k, "CELL", var->type);
	k_bind(k, "COUNT", type_size(var->type) < 4 || var->rank > 3 ? FEW_STAGED : STAGED);
	k_bind(k, "held_row", x_var(r->reg[r->which]));
	k_bind_call(k, "row_cell", row_cell, r);
	k_text(k, "stage_row");
}

static void hold_lane(struct row *r)
{
	k_set(r->m.l->k, held_cell(r, r->which), lane_of(r, r->taken));
}

static void load_vector(struct row *r, struct kx *first)
{
	(void)first;
	r->taken = vector_of(r, r->h->at.at[r->which].read);
	each_lane(r, hold_lane);
}

/* All of the row that is not written first, before anything is computed. */
static void load_row(struct row *r, int i)
{
	const struct held *held = &r->h->at.at[i];
	enter(r, held->mate);
	r->column = held->column;
	r->which = i;
	if (r->h->shared)
		stage_row(r);
	else
		each_vector(r, load_vector);
}

static void fold_lane(struct row *r)
{
	struct reduction *folds = r->folds;
	struct lower_context before = open_reads(r, r->taken);
	for (int f = 0; f < folds->folds.n; f++) {
		r->column = folds->folds.at[f]->fold->index.at[0];
		accumulate_only(r->m.l, folds->folds.at[f], &folds->acc.at[f], r->inside);
	}
	r->m.l->now = before;
}

static void fold_vector(struct row *r, struct kx *first)
{
	for (int f = 0; f < r->folds->folds.n; f++) {
		const struct expr *e = r->folds->folds.at[f];
		r->column = e->fold->index.at[0];
		expr_walk(e->arg.at[0], load_other, r);
		expr_walk(e->fold->where, load_other, r);
	}
	r->taken = first;
	each_lane(r, fold_lane);
}

static struct kx *fold_vectors(struct lowering *l, const void *row, struct kx *const *none)
{
	struct reduction *folds = ((const struct row *)row)->folds;
	const char *name[8];
	(void)none;
	for (int a = 0; a < folds->acc.n; a++)
		name[a] = str_print("warp_%s", accumulator_name(&folds->acc.at[a]));
	bind_words(l->k, "row_acc", folds->acc.n, name);
	each_vector((struct row *)row, fold_vector);
	return NULL;
}

static void fold_held(struct row *r)
{
	reduce_enter(r->folds, r->m.l);
	r->m.l->now.read = NULL;
	k_bind_call(r->m.l->k, "fold_vectors", fold_vectors, r);
	k_text(r->m.l->k, "fold_held_statement");
}

static bool is_stored(const struct row *r, const struct expr *target)
{
	int i = held_at(r, target);
	return i < 0 || r->h->at.at[i].stored;
}

static struct kx *target(struct lowering *l, const void *row, struct kx *const *none)
{
	struct row *r = (struct row *)row;
	(void)l, (void)none;
	return in_row(r, r->mate->equation.at[r->which]->target.at[0], r->taken);
}

static struct kx *store_out(struct lowering *l, const void *row, struct kx *const *arg)
{
	if (((const struct row *)row)->h->width > 1)
		k_vstore(l->k, arg[0], arg[1]);
	else
		k_set(l->k, x_at(arg[0]->arg[0], arg[0]->arg[1]), arg[1]);
	return NULL;
}

static void compute_lane(struct row *r)
{
	struct lowering *l = r->m.l;
	const struct equation *eq = r->mate->equation.at[r->which];
	const struct expr *target = eq->target.at[0];
	int held = held_at(r, target);
	struct lower_context before = open_reads(r, r->taken);
	struct kx *value = x_var(
		k_let(l->k, "value", lower_result(eq, 0, lower_expr(l, eq->right))));
	if (held >= 0)
		k_set(l->k, held_cell(r, held), value);
	if (is_stored(r, target))
		k_set(l->k, lane_of(r, k_get(l->k, "out")), value);
	r->m.l->now = before;
}

static void map_vector(struct row *r, struct kx *first)
{
	struct kernel *k = r->m.l->k;
	node_walk((struct node *)r->mate, load_other, r);
	r->taken = first;
	r->take_lane = compute_lane;
	for (r->which = 0; r->which < r->mate->equation.n; r->which++) {
		const struct expr *target = r->mate->equation.at[r->which]->target.at[0];
		k_bind(k, "STORED", is_stored(r, target));
		k_bind(k, "OUT",
		       r->h->width > 1 ? kt_vector(target->type, r->h->width) : kt(target->type));
		k_text(k, "map_held");
		bind_column(r, first);
	}
}

static void map_held(struct row *r)
{
	k_bind_calls(r->m.l->k, r, { "target", target }, { "store_out", store_out });
	each_vector(r, map_vector);
}

static void mate_held(struct row *r, const struct node *mate)
{
	mates_begin(&r->m, mate);
	enter(r, mate);
	if (mate_folds(mate))
		fold_held(r);
	else if (mate_cells(&r->m, mate))
		map_held(r);
	else
		mates_row_value(&r->m, mate);
}

/* ---- the host ---- */

/* Arrays whose rows vectors lie in: all that are read or written along the column, which has their
 * whole rows if they lie one after another. */
struct aligning { struct plan *plan; const struct row *r; struct map seen; struct kx *all; };

static bool align_read(struct expr *e, void *state)
{
	struct aligning *s = state;
	int width = s->r->h->width;
	if (e->kind != E_READ || !s->r->column || !expr_uses(e, s->r->column)
	    || *map_at(&s->seen, e->var))
		return true;
	*map_at(&s->seen, e->var) = e;
	s->all = x_and(s->all, plan_aligned(s->plan, e->var, width));
	if (!is_dense(e->var))
		s->all = x_and(s->all, x_eq(x_rem(lower_pitch(host_lowering(s->plan), e->var,
		                                              e->var->rank - 1),
		                                  x_i64(width)),
		                            x_i64(0)));
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

static struct kx *statements(struct lowering *l, const void *row, struct kx *const *none)
{
	struct row *r = (struct row *)row;
	const struct group *group = r->m.group;
	(void)l, (void)none;
	for (int i = 0; i < r->h->at.n; i++)
		r->reg[i] = room_for(r, r->h->at.at[i].var);
	for (int i = 0; i < r->h->at.n; i++)
		if (r->h->at.at[i].loaded)
			load_row(r, i);
	for (int i = 0; i < group->mate.n; i++) {
		if (i)
			mates_pass_on(&r->m, group->mate.at[i - 1]);
		mate_held(r, group->mate.at[i]);
	}
	return NULL;
}

/* The host takes this kernel if rows fit. */
static void if_fits(struct row *r)
{
	const struct held_rows *h = r->h;
	struct kx *terms = r->m.host_terms, *some = x_lt(x_i64(h->least), terms);
	struct kx *aligned, *fits = fits_held(h, terms);
	aligned = h->width > 1 ? rows_aligned(r, r->m.plan) : NULL;
	k_if(r->m.plan->host, x_and(x_and(some, fits), aligned));
}

static void bind_held(struct row *r)
{
	const struct held_rows *h = r->h;
	struct kernel *k = r->m.l->k;
	k->block[0] = h->block;
	k->block[1] = k->block[2] = 1;
	k->min_blocks = h->min_blocks;
	k_numbers(k, "SHARED, WIDTH, VECTORS, ROW_WARPS, SPARE", h->shared, h->width, h->vectors,
	          h->most > k->target->lanes, h->spare && !h->shared);
	k_bind_calls(k, r, { "at_vector", at_vector }, { "at_lane", at_lane });
	mates_bind(&r->m, statements, r);
}

void held_lower(const struct held_rows *h, struct plan *plan, const struct group *group)
{
	struct row *r = NEW(struct row);
	r->h = h;
	r->m = (struct mates){ .plan = plan,
		               .group = group,
		               .anchor = group->anchor,
		               .most_rows = h->block / h->fewest };
	struct lowering *l = r->m.l = mates_open(plan, group,
	                                         str_print("%s_%s", group->anchor->name, h->name));
	struct reduction *anchor = r->m.reduction = mates_reduction(group->anchor);
	reduce_enter(anchor, l);
	r->m.host_terms = reduce_terms(anchor, plan);
	if_fits(r);
	k_bind(l->k, "terms",
	       lower_argument(l, "terms", kt_scalar(T_I32), x_to_i32(r->m.host_terms)));
	struct kept kept = reduce_kept_cells(anchor);
	r->m.kept = &kept;
	struct kx *bits = plan_let(plan, "group_bits", row_bits(r));
	mates_bind_group(l, bits);
	bind_held(r);
	k_text(l->k, "share_rows");
	struct kx *rows = x_op(OP_SHR, x_i64(h->block), bits);       /* of a block */
	lowering_launch(l, x_div_up(kept.host_cells, rows), x_i64(1), x_i64(1));
	k_else(plan->host);
}
