/* reduce_held.c - statements that share their rows (reduce_mates.c), each row read once: its cells stay in the registers of
 * its threads, from the first statement that reads them to the last.
 *
 * Every thread has the same few vectors of a row in all statements: so many that a block reaches the end of the longest
 * row that is taken here, and of a shorter row as many threads as need all of theirs, which keeps as many loads under
 * way. What a statement writes and a later one reads is held, too, and a temporary that only these statements use is not
 * stored. Arrays that one statement reads, a weight for each column say, come when they are used.
 *
 * Short rows, and rows that are not aligned for vectors, are held cell by cell in kernels of their own, the latter
 * half as many cells a thread: 32 loads with an address each and what they bring want more registers than there are.  On an
 * H200, GB/s of softmax of rows of 8, 32, 1001, 4001: 1797, 2599, 2550, 2564, by vectors or in a cache 262, 1011, 1017, 2024;
 * in blocks of 512 threads 1743, 2532, 2423, 2414.
 * A block of twice as many threads, which has a multiprocessor to itself, holds twice as much: rows of 32768 3169 and, of
 * layer-norm, 4018, folded in one pass and found in a cache 2554 and 2734.  Shared memory takes rows that no registers do, cell by
 * cell, aligned or not: of 50257 cells 2314 and 2534, in a cache 1411 and 1888; of 40000, where vectors read them, 2328 and 2996,
 * in a cache 2507 and 2693.
 *
 * What lies behind a row's end is its last vector once more, computed and neither folded nor stored: so nothing but that
 * stands under a condition, and what two statements compute of a cell is computed once by the C compiler. On an H200,
 * softmax of 16384 cells a row: 4036 GB/s, with all under conditions 3603.
 *
 * Longer rows go the other way: what folds them does so in as few passes as can be (reduce_online.c), and they find in a cache
 * what fits there. */
#include "reduce_mates.h"

enum {
	THREADS = 512,                       /* of a block: two of them keep a multiprocessor's memory busy */
	MOST_THREADS = 1024,                 /* of the block that has a multiprocessor to itself */
	SMALL_BLOCK = 256,                   /* of one that computes longer, cell by cell: while some wait for memory others do */
	WORDS = 32, FEW_WORDS = 16,          /* registers of a thread for what is held; where much else wants some */
	MOST_VECTORS = 8,                    /* of each array */
	FEWEST = 8,                          /* threads of a row: with 16 bytes each, a whole line of memory */
	SHORT = 64,                          /* cells: of aligned rows that have no more, vectors leave threads idle */
	SHORT_CELLS = 4, SHORT_THREADS = 2, MOST_SHORT = 32,     /* of short rows: a thread's, threads at least, at most */
	MOST_BESIDE = 2,                     /* reads of other arrays */
	MOST_HELD = WORDS / 4,
	STAGED = 16,                         /* loads of a thread under way to shared memory */
	REST_BYTES = 4096                    /* of shared memory for what is folded, beside a row */
};

struct held {                            /* an array */
	const struct var *var;
	const struct expr *read;             /* the first one of the row's cells, */
	const struct node *mate;             /* in this statement, */
	const struct var *column;            /* at this index */
	bool several;                        /* statements read it */
	bool loaded, stored;                 /* it is read before it is written; it is written, and others use it */
};
struct held_rows {
	LIST(struct held) at;
	const char *name;                    /* of its kernel, behind the anchor's */
	int width, vectors;                  /* cells of a vector, vectors of a thread */
	int block, fewest, most;             /* threads of a block; of a row */
	int least;                           /* cells, of which it has more */
	int min_blocks;
	bool shared;                         /* the row lies in shared memory */
};

/* ---- which arrays, and may they be ---- */

static const struct var *column_of(const struct group *group, const struct node *mate)
{
	int kept = group->anchor->index.n;
	struct folds folds = { .n = 0 };
	if (mate->index.n > kept)
		return mate->index.at[kept];
	for (int q = 0; q < mate->equation.n; q++)
		folds_of(mate->equation.at[q]->right, &folds);
	return folds.n ? folds.at[0]->fold->index.at[0] : NULL;
}

/* A cell of the row at hand, at the column. */
static bool is_own(const struct node *mate, int kept, const struct expr *read, const struct var *column)
{
	bool own = read->arg.n == kept + 1 && read->arg.at[kept]->kind == E_VAR && read->arg.at[kept]->var == column;
	for (int d = 0; own && d < kept; d++)
		own = read->arg.at[d]->kind == E_VAR && read->arg.at[d]->var == mate->index.at[d];
	return own;
}

struct seek {
	const struct group *group;
	const struct node *mate;
	const struct var *column;
	const struct expr *hi;               /* where it ends */
	int64_t widest;
	bool other;                          /* cells are read that no vector has */
	int beside;                          /* reads of arrays of which no row is the one at hand */
	bool slow;                           /* functions of several steps, and divisions */
	LIST(struct held) read;
};

static void seek_own(struct seek *s, const struct expr *read)
{
	for (int i = 0; i < s->read.n; i++)
		if (s->read.at[i].var == read->var) {
			s->read.at[i].several |= s->read.at[i].mate != s->mate;
			return;
		}
	list_add(&s->read, ((struct held){ .var = read->var, .read = read, .mate = s->mate, .column = s->column }));
}

/* Cells of e, one behind another along the column, make vectors: rows that lie side by side are whole ones. */
static bool has_vectors(const struct seek *s, const struct expr *e)
{
	const struct expr *last = e->arg.at[e->arg.n - 1];
	struct affine end;
	bool whole = affine_of(s->hi, &end) && affine_equal(&end, &e->var->extent[e->arg.n - 1]);
	for (int a = 0; a < e->arg.n - 1; a++)
		if (expr_uses(e->arg.at[a], s->column))
			return false;
	return last->kind == E_VAR && last->var == s->column && !e->checked && !var_home(e->var)
	    && e->var->type->kind != T_STRUCT && (whole || e->arg.n == 1 || !is_dense(e->var));
}

static void widen(struct seek *s, const struct var *var)
{
	s->widest = type_size(var->type) > s->widest ? type_size(var->type) : s->widest;
}

static bool seek_read(struct expr *e, void *state)
{
	struct seek *s = state;
	if (e->kind != E_READ || !expr_uses(e, s->column))
		return true;
	s->other |= !has_vectors(s, e);
	widen(s, e->var);
	if (is_own(s->mate, s->group->anchor->index.n, e, s->column))
		seek_own(s, e);
	else
		s->beside++;
	return true;
}

static bool is_written(const struct group *group, const struct var *var)
{
	for (int i = 0; i < group->mate.n; i++)
		if (node_writes(group->mate.at[i], var))
			return true;
	return false;
}

static bool seek_folds(struct seek *s)
{
	struct reduction *r = mates_reduction(s->mate);
	for (int f = 0; f < r->folds.n; f++) {
		const struct fold *fold = r->folds.at[f]->fold;
		s->column = fold->index.at[0];
		s->hi = fold->hi.at[0];
		expr_walk(r->folds.at[f]->arg.at[0], seek_read, s);
		expr_walk(fold->where, seek_read, s);
		s->slow |= expr_slow(r->folds.at[f]->arg.at[0]);
	}
	return !r->ordered && affine_is(r->domain->lo.at[0], 0);
}

static bool seek_cells(struct seek *s)
{
	const struct node *node = s->mate;
	s->column = column_of(s->group, node);
	s->hi = node->hi.at[s->group->anchor->index.n];
	for (int q = 0; q < node->equation.n; q++) {
		const struct equation *eq = node->equation.at[q];
		const struct expr *target = eq->target.at[0];
		expr_walk(eq->right, seek_read, s);
		s->slow |= expr_slow(eq->right);
		if (eq->target.n != 1 || target->kind != E_READ || !has_vectors(s, target)
		    || !is_own(node, s->group->anchor->index.n, target, s->column))
			return false;
		widen(s, target->var);
	}
	for (int d = 0; d < node->index.n; d++)
		if (node->edge[d].kind != B_NONE)
			return false;
	return !node->where && affine_is(node->lo.at[s->group->anchor->index.n], 0);
}

static bool seek_all(struct seek *s)
{
	bool fits = true;
	for (int i = 0; fits && i < s->group->mate.n; i++) {
		s->mate = s->group->mate.at[i];
		bool row = s->mate->index.n == s->group->anchor->index.n && !mate_folds(s->mate);
		fits = row || (mate_folds(s->mate) ? seek_folds(s) : seek_cells(s));
	}
	return fits && !s->other;
}

static bool is_inner(const struct group *group, const struct var *var)
{
	for (int i = 0; i < group->inner.n; i++)
		if (group->inner.at[i] == var)
			return true;
	return false;
}

/* Read before it is written: in an equation, or by a statement, before any that writes it. */
static bool is_loaded(const struct group *group, const struct var *var)
{
	for (int i = 0; i < group->mate.n; i++)
		for (int q = 0; q < group->mate.at[i]->equation.n; q++) {
			const struct equation *eq = group->mate.at[i]->equation.at[q];
			if (expr_uses(eq->right, var))
				return true;
			if (target_read(eq->target.at[0])->var == var)
				return false;
		}
	return false;
}

struct held_rows *held_rows_of(const struct group *group, const struct target *target)
{
	struct held_rows *h = NEW(struct held_rows);
	struct seek s = { .group = group, .widest = 4 };
	int64_t words = 0;
	if (!target->gpu || target->max_block < MOST_THREADS || !seek_all(&s) || (s.widest > 4 && s.slow))
		return NULL;
	bool wants = false;                  /* vectors of other arrays, while some of these change */
	for (int i = 0; i < s.read.n; i++) {
		struct held *held = &s.read.at[i];
		bool written = is_written(group, held->var);
		held->loaded = is_loaded(group, held->var);
		held->stored = written && !is_inner(group, held->var);
		if (written || held->several)
			list_add(&h->at, *held);
	}
	for (int i = 0; i < h->at.n; i++) {
		words += type_words(h->at.at[i].var->type);
		wants |= h->at.at[i].stored && s.beside + s.read.n > h->at.n;
	}
	h->name = "held";
	h->width = (int)(16 / s.widest);
	h->fewest = FEWEST;
	h->block = h->most = THREADS;
	h->least = SHORT;
	h->min_blocks = s.beside > MOST_BESIDE ? 1 : 2;
	int64_t most = wants || s.widest > 4 ? FEW_WORDS : WORDS;
	for (h->vectors = MOST_VECTORS; h->vectors && words * h->width * h->vectors > most; h->vectors /= 2)
		;
	return h->at.n && h->vectors ? h : NULL;
}

struct held_rows *held_kind(const struct held_rows *h, enum held_kind kind)
{
	struct held_rows *made = NEW(struct held_rows);
	*made = *h;
	made->name = (const char *[]){ "held", "short", "single", "wide", "shared" }[kind];
	if (kind == HELD_VECTORS)
		return made;
	if (kind == HELD_WIDE || kind == HELD_SHARED) {
		made->block = made->most = made->fewest = MOST_THREADS;
		made->least = held_cells(h);
		made->min_blocks = 1;
		made->shared = kind == HELD_SHARED;
		made->width = made->shared ? 1 : h->width;
		return made;
	}
	made->width = 1;
	made->least = 0;
	made->block = SMALL_BLOCK;
	made->min_blocks = h->min_blocks * THREADS / SMALL_BLOCK;
	made->vectors = kind == HELD_SHORT ? SHORT_CELLS : h->vectors * h->width / 2;
	made->fewest = kind == HELD_SHORT ? SHORT_THREADS : h->fewest;
	made->most = kind == HELD_SHORT ? MOST_SHORT : SMALL_BLOCK;
	return made;
}

/* One array may lie in shared memory, of which a block may ask for more than it has by itself. */
int held_kinds(const struct held_rows *h, const struct group *group, const struct target *target)
{
	int64_t rest = 8 * group->mate.n;        /* what is held of the row, and the folds of its warps */
	for (int i = 0; i < group->mate.n; i++) {
		struct reduction *r = mate_folds(group->mate.at[i]) ? mates_reduction(group->mate.at[i]) : NULL;
		for (int f = 0; r && f < r->folds.n; f++)
			rest += type_size(accumulator_type(r->folds.at[f])) * (MOST_THREADS / target->lanes);
	}
	return h->at.n == 1 && rest <= REST_BYTES && target->asked_bytes > target->shared_bytes ? HELD_SHARED + 1 : HELD_SHARED;
}

int64_t held_cells(const struct held_rows *h)
{
	return (int64_t)h->most * h->width * h->vectors;
}

const char *held_names(const struct held_rows *h)
{
	const char *names = "";
	for (int i = 0; i < h->at.n; i++)
		names = str_print("%s%s`%s`", names, i ? ", " : "", h->at.at[i].var->name);
	return names;
}

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
		if (r->h->at.at[i].var == read->var && is_own(r->mate, r->m.anchor->index.n, read, r->column))
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
	r->column = column_of(r->m.group, mate);
}

/* To shared memory: many loads, then their stores. */
static void stage_row(struct row *r, int i)
{
	struct kernel *k = r->m.l->k;
	const struct held *held = &r->h->at.at[i];
	struct kvar *staged = k_regs(k, held->var->type, "staged", STAGED);
	k_if(k, r->m.live);
	struct kx *lane = x_to_i32(r->m.lane), *many = x_mul(r->m.group_size, x_i32(STAGED));
	struct kx *base = x_var(k_for(k, "base", lane, r->m.terms, many, 0));
	struct kx *u = x_var(k_for(k, "u", x_i32(0), x_i32(STAGED), x_i32(1), FOR_UNROLL));
	struct kx *cell = x_min(x_add(base, x_mul(u, r->m.group_size)), x_sub(r->m.terms, x_i32(1)));
	bind_column(r, x_to_i64(x_var(k_let(k, "cell", cell))));
	k_set(k, x_at(x_var(staged), u), lower_cell(r->m.l, held->read));
	k_end(k);
	u = x_var(k_for(k, "u", x_i32(0), x_i32(STAGED), x_i32(1), FOR_UNROLL));
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
	return x_le(x_add(bytes, x_i64(REST_BYTES)), x_help(kt_scalar(T_I64), "patc_may_ask", 0, NULL));
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
