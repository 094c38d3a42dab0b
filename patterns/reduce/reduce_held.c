/* reduce_held.c - statements that share their rows (reduce_mates.c), each row read once: its cells
 * stay in the registers of its threads, or in shared memory, from the first statement that reads
 * them to the last.  Here: which rows are, in which of the kernels that reduce_held_row.c writes.
 *
 * Every thread has the same few vectors of a row in all statements: so many that a block reaches
 * the end of the longest row that is taken here, and of a shorter row as many threads as need all
 * of theirs, which keeps as many loads under way. What a statement writes and a later one reads is
 * held, too, and a temporary that only these statements use is not stored. Arrays that one
 * statement reads, a weight for each column say, come when they are used.
 *
 * Short aligned rows have a vector a thread: on an H100, softmax of rows of 8, 32 and 100 takes
 * 0.356, 0.356 and 0.389 ms, a copy of as many bytes 0.357, and cell by cell, or by the kernel of
 * longer rows, 0.678, 0.424 and 0.473.
 *
 * Rows that are not aligned for vectors are held cell by cell in kernels of their own, long ones
 * half as many cells a thread: 32 loads with an address each and what they bring want more
 * registers than there are.  On an H200, GB/s of softmax of rows of 8, 32, 1001, 4001:
 * 1797, 2599, 2550, 2564, by vectors or in a cache 262, 1011, 1017, 2024; in blocks of 512 threads
 * 1743, 2532, 2423, 2414. A block of twice as many threads, which has a multiprocessor to itself,
 * holds twice as much: rows of 32768 3169 and, of layer-norm, 4018, folded in one pass and found in
 * a cache 2554 and 2734.  Shared memory takes rows that no registers do, cell by cell, aligned or
 * not: of 50257 cells 2314 and 2534, in a cache 1411 and 1888; of 40000, where vectors read them,
 * 2328 and 2996, in a cache 2507 and 2693.
 *
 * What lies after a row's end is its last vector once more, computed and neither folded nor
 * stored; where functions are computed, a thread without a row has the last row.  So nothing but
 * that stands under a condition, and what two statements compute of a cell is computed once by the
 * C compiler.  On an H200, softmax of 16384 cells a row: 4036 GB/s, with all under conditions 3603.
 *
 * Longer rows go the other way: what folds them does so in as few passes as can be
 * (reduce_online.c), and they find in a cache what fits there. */
#include "reduce_held.h"

enum {
	THREADS = 512,       /* of a block: two of them keep a multiprocessor's memory busy */
	MOST_THREADS = 1024, /* of the block that has a multiprocessor to itself */
	/* of one that computes longer, cell by cell: while some wait for memory others do */
	SMALL_BLOCK = 256,
	/* registers of a thread for what is held; where much else needs some */
	WORDS = 32,
	FEW_WORDS = 16,
	MOST_VECTORS = 8, /* of each array */
	FEWEST = 8,       /* threads of a row: with 16 bytes each, a whole line of memory */
	/* of short rows: a thread's cells, where it has no vector; threads at least, at most */
	SHORT_CELLS = 4,
	SHORT_THREADS = 2,
	MOST_SHORT = 32,
	MOST_BESIDE = 2, /* reads of other arrays */
	NARROW = 4       /* cells of 16 bytes, at least */
};

/* ---- which arrays, and may they be ---- */

const struct var *held_column(const struct group *group, const struct node *mate)
{
	int kept = group->anchor->index.n;
	struct folds folds = { .n = 0 };
	if (mate->index.n > kept)
		return mate->index.at[kept];
	for (int q = 0; q < mate->equation.n; q++)
		folds_of(mate->equation.at[q]->right, &folds);
	return folds.n ? folds.at[0]->fold->index.at[0] : NULL;
}

bool held_is_own(const struct node *mate, int kept, const struct expr *read,
                 const struct var *column)
{
	bool own = read->arg.n == kept + 1 && read->arg.at[kept]->kind == E_VAR
	           && read->arg.at[kept]->var == column;
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
	int beside;                         /* reads of arrays of which no row is the one at hand */
	bool slow, wide;         /* functions of several steps, and divisions; terms of two words */
	/* folds into two words, masks beside several steps, any, all: they take registers, too */
	bool costly;
	int weighed;            /* statements that fold arrays of which no row is the one at hand */
	LIST(struct held) read;
};

static void seek_own(struct seek *s, const struct expr *read)
{
	for (int i = 0; i < s->read.n; i++)
		if (s->read.at[i].var == read->var) {
			s->read.at[i].several |= s->read.at[i].mate != s->mate;
			return;
		}
	list_add(&s->read,
	         ((struct held){
			 .var = read->var, .read = read, .mate = s->mate, .column = s->column }));
}

/* Cells of e, one after another along the column, make vectors: rows that lie side by side are
 * whole ones.  They are loaded ahead of all conditions. */
static bool has_vectors(const struct seek *s, const struct expr *e)
{
	const struct expr *last = e->arg.at[e->arg.n - 1];
	struct affine end;
	bool whole = affine_of(s->hi, &end) && affine_equal(&end, &e->var->extent[e->arg.n - 1]);
	for (int a = 0; a < e->arg.n - 1; a++)
		if (expr_uses(e->arg.at[a], s->column))
			return false;
	return last->kind == E_VAR && last->var == s->column && !e->checked && !e->guarded
	       && !var_home(e->var) && e->var->type->kind != T_STRUCT
	       && (whole || e->arg.n == 1 || !is_dense(e->var));
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
	if (held_is_own(s->mate, s->group->anchor->index.n, e, s->column))
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
	int beside = s->beside;
	for (int f = 0; f < r->folds.n; f++) {
		const struct fold *fold = r->folds.at[f]->fold;
		s->column = fold->index.at[0];
		s->hi = fold->hi.at[0];
		expr_walk(r->folds.at[f]->arg.at[0], seek_read, s);
		expr_walk(fold->where, seek_read, s);
		s->slow |= expr_slow(r->folds.at[f]->arg.at[0]);
		s->wide |= type_size(r->folds.at[f]->arg.at[0]->type) > 4;
		const struct type *into = accumulator_type(r->folds.at[f]);
		bool slow = expr_slow(r->folds.at[f]->arg.at[0]);
		s->costly |= type_size(into) > 4 || into->kind == T_BOOL
		             || (fold->where && (slow || expr_slow(fold->where)));
	}
	s->weighed += s->beside > beside;
	return !r->ordered && affine_is(r->domain->lo.at[0], 0);
}

static bool seek_cells(struct seek *s)
{
	const struct node *node = s->mate;
	s->column = held_column(s->group, node);
	s->hi = node->hi.at[s->group->anchor->index.n];
	for (int q = 0; q < node->equation.n; q++) {
		const struct equation *eq = node->equation.at[q];
		const struct expr *target = eq->target.at[0];
		expr_walk(eq->right, seek_read, s);
		s->slow |= expr_slow(eq->right);
		if (eq->target.n != 1 || target->kind != E_READ || !has_vectors(s, target)
		    || !held_is_own(node, s->group->anchor->index.n, target, s->column))
			return false;
		widen(s, target->var);
	}
	return !node_edged(node) && !node->where
	       && affine_is(node->lo.at[s->group->anchor->index.n], 0);
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

static bool reads(const struct group *group, const struct var *var)
{
	for (int i = 0; i < group->mate.n; i++)
		for (int q = 0; q < group->mate.at[i]->equation.n; q++)
			if (expr_uses(group->mate.at[i]->equation.at[q]->right, var))
				return true;
	return false;
}

static bool on_chip(const struct group *group, const struct var *var)
{
	for (int i = 0; i < group->held.n; i++)
		if (group->held.at[i] == var)
			return true;
	return is_inner(group, var);
}

/* Threads that have no row may read another one: nothing in memory that its own threads change. */
static bool may_spare(const struct group *group)
{
	for (int i = 0; i < group->mate.n; i++) {
		const struct node *mate = group->mate.at[i];
		for (int t = 0; node_target(mate, t); t++) {
			const struct var *var = target_read(node_target(mate, t))->var;
			if (!on_chip(group, var) && reads(group, var))
				return false;
		}
	}
	return true;
}

struct held_rows *held_rows_of(const struct group *group, const struct target *target)
{
	struct held_rows *h = NEW(struct held_rows);
	struct seek s = { .group = group, .widest = 4 };
	int64_t words = 0;
	if (!target->gpu || target->max_block < MOST_THREADS || !seek_all(&s)
	    || ((s.widest > 4 || s.wide) && s.slow))
		return NULL;
	bool wants = false;                /* vectors of other arrays, while some of these change */
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
	h->spare = s.slow && may_spare(group);
	h->width = (int)(16 / s.widest);
	h->fewest = FEWEST;
	h->block = h->most = THREADS;
	h->min_blocks = s.beside > MOST_BESIDE ? 1 : 2;
	int64_t most = wants || s.widest > 4 || s.wide || s.costly || s.weighed > 1 ? FEW_WORDS
	                                                                            : WORDS;
	/* a row's number is taken apart into its indices, and each array has a pointer to it */
	int indices = group->anchor->index.n;
	if (indices > 2 && most > FEW_WORDS)
		most = FEW_WORDS;
	if ((s.weighed > 1 && s.beside > MOST_BESIDE) || (indices > 1 && s.costly))
		most = FEW_WORDS / 2;
	for (h->vectors = MOST_VECTORS; h->vectors && words * h->width * h->vectors > most;
	     h->vectors /= 2)
		;
	return h->at.n && h->vectors ? h : NULL;
}

struct held_rows *held_kind(const struct held_rows *h, enum held_kind kind)
{
	struct held_rows *made = NEW(struct held_rows);
	*made = *h;
	made->name = (const char *[]){ "few", "held", "short", "single", "wide", "shared" }[kind];
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
	bool single = kind == HELD_SINGLE;
	made->spare &= !single;              /* it gains nothing there */
	made->width = kind == HELD_FEW ? h->width : 1;
	made->block = SMALL_BLOCK;
	made->min_blocks = h->min_blocks * THREADS / SMALL_BLOCK;
	made->vectors = single             ? h->vectors * h->width / 2
	                : kind == HELD_FEW ? 1
	                                   : SHORT_CELLS;
	made->fewest = single ? h->fewest : kind == HELD_FEW ? 1 : SHORT_THREADS;
	made->most = single ? SMALL_BLOCK : MOST_SHORT;
	return made;
}

/* One array may lie in shared memory, of which a block may ask for more than it has by itself. */
int held_kinds(const struct held_rows *h, const struct group *group, const struct target *target)
{
	int64_t rest = 8 * group->mate.n;  /* what is held of the row, and the folds of its warps */
	bool narrow = h->width >= NARROW;   /* 1024 threads that fold wider values in loops spill */
	for (int i = 0; i < group->mate.n; i++) {
		struct reduction *r = mate_folds(group->mate.at[i])
		                              ? mates_reduction(group->mate.at[i])
		                              : NULL;
		for (int f = 0; r && f < r->folds.n; f++) {
			int64_t bytes = type_size(accumulator_type(r->folds.at[f]));
			rest += bytes * (MOST_THREADS / target->lanes);
			narrow &= bytes <= 4;
		}
	}
	return h->at.n == 1 && narrow && rest <= REST_BYTES
	                       && target->asked_bytes > target->shared_bytes
	               ? HELD_SHARED + 1
	               : HELD_SHARED;
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
