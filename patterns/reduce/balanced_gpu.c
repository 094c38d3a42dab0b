/* balanced_gpu.c - the kernels round the tiles of balanced_tile.c:
 *
 *   NAME_path    a thread a boundary: where each part begins
 *   NAME_rising  before parts that may not be computed twice: do the offsets rise?
 *   NAME         a block a part; where terms look cells up, even rows are a few lanes' each (balanced_lanes.c)
 *   NAME_fold    rows over several parts: a thread a boundary folds short ones, its warp or the block longer ones
 *
 * The boundaries are found apart, since a bisection at the head of a block would keep it from its loads for some
 * 10 us; so found, they take 6 us for 2^16 parts on an H200, the fold as long. */
#include "balanced.h"

enum {
	PATH_THREADS = 64,               /* each waits for its own cells: small blocks spread them */
	FEW_PARTS = 8,                   /* that a thread folds alone, */
	SOME_PARTS = 64                  /* a warp */
};

static struct kx *thread_number(struct lowering *l)
{
	struct kx *block = x_mul(x_to_i64(x_id(ID_BLOCK_X)), x_i64(l->k->block[0]));
	return x_add(block, x_to_i64(block_thread(l)));
}

static void block_of(struct lowering *l, int threads)
{
	l->k->block[0] = threads;
	l->k->block[1] = l->k->block[2] = 1;
}

/* ---- boundaries ---- */

static void path_kernel(struct balanced *b, struct plan *plan)
{
	balanced_open(b, plan, "_path");
	struct lowering *l = b->l;
	struct kernel *k = l->k;
	block_of(l, PATH_THREADS);
	k->min_blocks = 1;                       /* as in cells_gpu.c, against spills */
	struct kx *path = lower_argument(l, "path", kt_pointer(type_scalar(T_I64), false), b->path);
	struct kx *parts = lower_argument(l, "parts", kt_scalar(T_I64), b->host_parts);
	struct kx *t = x_var(k_let(k, "t", thread_number(l))), *base;
	if (b->checks) {
		struct kx *falls = lower_argument(l, "falls", kt_pointer(type_scalar(T_I32), false), b->falls);
		k_if(k, x_eq(t, x_i64(0)));
		k_set(k, x_at(falls, x_i32(0)), x_i32(0));
		k_end(k);
	}
	struct kx *begin = b->uneven ? x_var(k_var(k, kt_scalar(T_I64), "begin", x_i64(0))) : NULL;
	k_if(k, x_le(t, parts));
	struct kx *total = balanced_total(b, &base);
	struct kx *row = balanced_boundary(b, path, t, total, base);
	if (begin)
		k_set(k, begin, row);
	k_end(k);
	if (begin)
		balanced_judge(b, t, parts, begin);
	struct kx *threads = x_add(b->host_parts, x_i64(1));
	lowering_launch(l, x_div_up(threads, x_i64(PATH_THREADS)), x_i64(1), x_i64(1));
}

/* ---- offsets that fall ---- */

static void rising_kernel(struct balanced *b, struct plan *plan)
{
	balanced_open(b, plan, "_rising");
	struct lowering *l = b->l;
	struct kernel *k = l->k;
	block_launch_bounds(l);
	b->own_falls = lower_argument(l, "falls", kt_pointer(type_scalar(T_I32), false), b->falls);
	struct kx *row = x_var(k_let(k, "nth", thread_number(l))), *lo, *hi;
	k_if(k, x_lt(row, b->rows));
	balanced_bind(b, row);
	lower_range(l, b->domain, 0, &lo, &hi);
	balanced_fell(b, x_lt(hi, lo));
	k_end(k);
	lowering_launch(l, x_div_up(b->host_rows, x_i64(l->target->block)), x_i64(1), x_i64(1));
}

/* ---- rows over several parts ---- */

struct spans { struct kvar *from, *to, *row; };      /* in shared memory, a thread each */

/* The row of thread i by some threads, each of which takes neighbouring parts: what the first then holds. */
static void join_runs(struct balanced *b, const struct spans *s, struct kx *i, struct kx *thread, int threads)
{
	struct kernel *k = b->l->k;
	struct kx *first = x_var(k_let(k, "first", x_at(x_var(s->from), i))), *last = x_var(k_let(k, "last", x_at(x_var(s->to), i)));
	struct kx *run = x_var(k_let(k, "run", x_div_up(x_add(x_sub(last, first), x_i64(1)), x_i64(threads))));
	struct kx *lo = x_var(k_let(k, "lo", x_add(first, x_mul(x_to_i64(thread), run))));
	balanced_clear(b);
	struct kx *end = x_var(k_let(k, "end", x_min(x_add(lo, run), x_add(last, x_i64(1)))));
	balanced_join(b, lo, end, last);
}

static void finish_span(struct balanced *b, const struct spans *s, struct kx *i, struct kx *thread)
{
	k_if(b->l->k, x_eq(thread, x_i32(0)));
	balanced_bind(b, x_at(x_var(s->row), i));
	balanced_finish(b);
	k_end(b->l->k);
}

/* Threads of a set, one after another. */
static struct kx *each_of(struct kernel *k, struct kx *set)
{
	k_while(k, x_ne(set, x_int(T_U64, 0)));
	struct kx *bit = x_var(k_let(k, "bit", x_help(kt_scalar(T_I32), "patc_ctz_u64", 1, &set)));
	k_set(k, set, x_op(OP_AND, set, x_sub(set, x_int(T_U64, 1))));
	return bit;
}

/* Rows of some parts: the warp of the thread that found them.  One after another by the block they took 6 us more of
 * 720 where row lengths follow a power law. */
static void fold_some(struct balanced *b, const struct spans *s, struct kx *waits)
{
	struct kernel *k = b->l->k;
	int lanes = b->l->target->lanes;
	struct kx *lane = x_var(k_let(k, "lane", x_rem(block_thread(b->l), x_i32(lanes))));
	struct kx *left = x_var(k_var(k, kt_scalar(T_U64), "left", x_help(kt_scalar(T_U64), "patc_ballot", 1, &waits)));
	struct kx *bit = each_of(k, left);
	struct kx *thread = x_var(k_let(k, "thread", x_add(x_sub(block_thread(b->l), lane), bit)));
	join_runs(b, s, thread, lane, lanes);
	balanced_fold_lanes(b, x_i32(lanes));
	finish_span(b, s, thread, lane);
	k_end(k);
}

/* Rows of many: the block, warp by warp those of its threads that have such a row; mostly none has. */
static void fold_many(struct balanced *b, const struct spans *s, struct kvar *waiting)
{
	struct lowering *l = b->l;
	struct kernel *k = l->k;
	int lanes = l->target->lanes, warps = l->target->block / lanes;
	struct kx *warp = x_var(k_for(k, "warp", x_i32(0), x_i32(warps), x_i32(1), FOR_ROLLED));
	struct kx *left = x_var(k_var(k, kt_scalar(T_U64), "left", x_at(x_var(waiting), warp)));
	struct kx *bit = each_of(k, left);
	struct kx *thread = x_var(k_let(k, "thread", x_add(x_mul(warp, x_i32(lanes)), bit)));
	join_runs(b, s, thread, block_thread(l), l->target->block);
	block_fold(l, &b->acc);
	finish_span(b, s, thread, block_thread(l));
	k_barrier(k);
	k_end(k);
	k_end(k);
}

static void fold_waiting(struct balanced *b, const struct spans *s, struct kx *some, struct kx *many)
{
	struct lowering *l = b->l;
	struct kernel *k = l->k;
	int lanes = l->target->lanes;
	struct kvar *waiting = k_shared(k, type_scalar(T_U64), "waiting", l->target->block / lanes);
	struct kx *those = x_var(k_let(k, "those", x_help(kt_scalar(T_U64), "patc_ballot", 1, &many)));
	k_if(k, x_eq(x_rem(block_thread(l), x_i32(lanes)), x_i32(0)));
	k_set(k, x_at(x_var(waiting), x_div(block_thread(l), x_i32(lanes))), those);
	k_end(k);
	k_barrier(k);
	fold_some(b, s, some);
	fold_many(b, s, waiting);
}

static struct kx *flag(struct kernel *k, const char *name)
{
	return x_var(k_var(k, kt_scalar(T_BOOL), name, x_int(T_BOOL, 0)));
}

static void fold_spans(struct balanced *b, struct kx *parts)
{
	struct lowering *l = b->l;
	struct kernel *k = l->k;
	const struct type *i64 = type_scalar(T_I64);
	int threads = l->target->block;
	const struct spans s = { k_shared(k, i64, "span_first", threads), k_shared(k, i64, "span_last", threads),
	                         k_shared(k, i64, "span_row", threads) };
	struct kx *thread = block_thread(l), *t = x_var(k_let(k, "t", x_add(thread_number(l), x_i64(1))));
	b->acc = folds_start(l, &b->folds);
	struct kx *some = flag(k, "some"), *many = flag(k, "many");
	k_if(k, x_lt(t, parts));
	struct span found = balanced_span(b, t);
	k_if(k, found.spans);
	struct kx *length = x_sub(found.last, t);
	k_if(k, x_lt(length, x_i64(FEW_PARTS)));
	balanced_fold_span(b, t, &found);
	k_else(k);
	k_set(k, some, x_lt(length, x_i64(SOME_PARTS)));
	k_set(k, many, x_unary(OP_NOT, some));
	k_set(k, x_at(x_var(s.from), thread), x_sub(t, x_i64(1)));
	k_set(k, x_at(x_var(s.to), thread), found.last);
	k_set(k, x_at(x_var(s.row), thread), found.row);
	k_end(k);
	k_end(k);
	k_end(k);
	fold_waiting(b, &s, some, many);
}

static void fold_kernel(struct balanced *b, struct plan *plan)
{
	balanced_open(b, plan, "_fold");
	struct lowering *l = b->l;
	struct kernel *k = l->k;
	block_launch_bounds(l);
	k->min_blocks = 1;                       /* as in cells_gpu.c, against spills */
	b->own_path = lower_argument(l, "path", kt_pointer(type_scalar(T_I64), true), b->path);
	balanced_slots(b, false);
	struct kx *parts = lower_argument(l, "parts", kt_scalar(T_I64), b->host_parts), *block = x_i64(l->target->block);
	struct kx *even = b->uneven ? balanced_is_even(b) : NULL;        /* both flags are loaded together */
	if (b->checks) {
		struct kx *falls = lower_argument(l, "falls", kt_pointer(type_scalar(T_I32), true), b->falls);
		k_if(k, x_var(k_let(k, "fell", x_ne(x_at(falls, x_i32(0)), x_i32(0)))));
		balanced_rows(b, thread_number(l), x_mul(x_to_i64(x_id(ID_GRID_X)), block));
		k_else(k);
	}
	if (b->uneven)
		k_if(k, x_unary(OP_NOT, even));
	fold_spans(b, parts);
	if (b->uneven)
		k_end(k);
	if (b->checks)
		k_end(k);
	lowering_launch(l, x_div_up(b->host_parts, block), x_i64(1), x_i64(1));
}

/* ---- how terms are computed ---- */

bool balanced_streams(const struct balanced *b, const struct expr *read)
{
	bool bare = false;
	if (read->checked || read->var->rank != 1 || !is_dense(read->var) || read->type->kind == T_STRUCT)
		return false;
	for (int f = 0; f < b->folds.n; f++)
		bare |= read->arg.at[0]->kind == E_VAR && read->arg.at[0]->var == b->folds.at[f]->fold->index.at[0];
	return bare;
}

static bool note_read(struct expr *e, void *state)
{
	struct balanced *b = state;
	if (e->kind != E_READ)
		return true;
	for (int s = 0; s < b->stream.n; s++)
		if (b->stream.at[s].read->var == e->var)
			return true;
	if (balanced_streams(b, e))
		list_add(&b->stream, ((struct tile_stream){ .read = e }));
	b->gathers |= has_data(e->arg.at[0]);
	return true;
}

/* Its value is all that is folded, and nothing of its row is needed to know it. */
static bool stands_alone(const struct balanced *b, const struct expr *fold)
{
	const struct expr *part[] = { fold->arg.at[0], fold->fold->where };
	for (int p = 0; p < 2; p++)
		if (part[p] && (expr_uses(part[p], b->node->index.at[0]) || expr_has(part[p], E_FOLD)))
			return false;
	return accumulator_type(fold) == fold->type && fold->type->kind != T_STRUCT;
}

static void choose(struct balanced *b, const struct target *target)
{
	int64_t bytes = 0, widest = 2;           /* vectors of at most eight: a thread has enough of them */
	b->staged = true;
	for (int f = 0; f < b->folds.n; f++) {
		const struct expr *fold = b->folds.at[f];
		bytes += (SLOTS + target->block) * type_size(accumulator_type(fold));
		b->staged &= stands_alone(b, fold);
		expr_walk(fold->arg.at[0], note_read, b);
		if (fold->fold->where)
			expr_walk(fold->fold->where, note_read, b);
	}
	b->staged &= bytes <= target->shared_bytes;
	b->gathers &= b->staged;
	for (int s = 0; s < b->stream.n; s++)
		if (type_size(b->stream.at[s].read->var->type) > widest)
			widest = type_size(b->stream.at[s].read->var->type);
	b->width = b->stream.n ? (int)(16 / widest) : 1;
}

/* ---- the whole ---- */

/* log2 of the lanes a row: a vector of terms each, of the mean row. */
static struct kx *lane_bits(struct balanced *b, const struct target *target, struct kx *terms)
{
	struct kx *bits = x_i32(1);
	for (int n = 2; 1 << n <= target->lanes; n++)
		bits = x_cond(x_le(x_mul(x_i64((int64_t)b->width << n), b->host_rows), terms), x_i32(n), bits);
	return bits;
}

/* Even rows: of those that would end in each part if all had one length, so many do; fewer where a row has some lanes.
 * Where they would be few, none are even. */
static void ask_rows(struct balanced *b, struct plan *plan, struct kx *terms, struct kx *are_long)
{
	struct kx *mean = x_div(x_mul(x_i64(TILE), b->host_rows), x_add(b->host_rows, terms));
	struct kx *most = x_div(x_mul(mean, x_cond(are_long, x_i64(2), x_i64(3))), x_i64(4));
	b->uneven = plan_flag(plan, "uneven", b->checks && !node_clause(b->node, "drop"));
	b->host_fewest = x_cond(x_lt(mean, x_i64(8)), x_i64(TILE + 1), most);
}

/* Terms that look other cells up want many threads with few terms each; others want few threads with many.  A
 * prototype on an H200, 128 and 256 threads: a matrix of 2^26 cells, 32 a row at random, 506 and 498 us. */
void balanced_gpu(struct balanced *b, struct plan *plan)
{
	struct kernel *host = plan->host;
	struct kx *terms = lower_index(host_lowering(plan), b->domain->cut->end);
	struct kx *are_long = x_lt(x_mul(x_i64(8), b->host_rows), terms);
	choose(b, plan->target);
	k_if(host, x_lt(x_i64(0), b->host_parts));
	if (b->gathers && !b->ordered)
		ask_rows(b, plan, terms, are_long);
	path_kernel(b, plan);
	if (b->checks && b->after)
		rising_kernel(b, plan);
	if (b->gathers) {
		k_if(host, are_long);
		balanced_tiles(b, plan, "_long", 256, lane_bits(b, plan->target, terms));
		k_else(host);
	}
	balanced_tiles(b, plan, "", b->gathers ? 256 : 128, NULL);
	if (b->gathers)
		k_end(host);
	fold_kernel(b, plan);
	k_end(host);
}
