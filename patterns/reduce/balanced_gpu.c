/* balanced_gpu.c - the kernels round the tiles of balanced_tile.c:
 *
 *   NAME_path    a thread a boundary: where each part begins
 *   NAME_rising  before parts that may not be computed twice: do the offsets rise?
 *   NAME         a block a part
 *   NAME_fold    rows over several parts: a thread a boundary folds short ones, the block long ones together
 *
 * The boundaries are found apart, since a bisection at the head of a block would keep it from its loads for some
 * 10 us; so found, they take 6 us for 2^16 parts on an H200, the fold as long. */
#include "balanced.h"

enum {
	PATH_THREADS = 64,               /* each waits for its own cells: small blocks spread them */
	FEW_PARTS = 8                    /* that a thread folds alone */
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
	k_if(k, x_le(t, parts));
	struct kx *total = balanced_total(b, &base);
	balanced_boundary(b, path, t, total, base);
	k_end(k);
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

/* The row of the thread that left its parts in shared memory: each thread takes neighbouring parts. */
static void fold_many(struct balanced *b, struct kx *i, struct kvar *from, struct kvar *to, struct kvar *row)
{
	struct lowering *l = b->l;
	struct kernel *k = l->k;
	struct kx *threads = x_i64(l->target->block);
	struct kx *first = x_var(k_let(k, "first", x_at(x_var(from), i))), *last = x_var(k_let(k, "last", x_at(x_var(to), i)));
	struct kx *run = x_var(k_let(k, "run", x_div_up(x_add(x_sub(last, first), x_i64(1)), threads)));
	struct kx *lo = x_var(k_let(k, "lo", x_add(first, x_mul(x_to_i64(block_thread(l)), run))));
	balanced_clear(b);
	struct kx *end = x_var(k_let(k, "end", x_min(x_add(lo, run), x_add(last, x_i64(1)))));
	balanced_join(b, lo, end, last);
	block_fold(l, &b->acc);
	k_if(k, x_eq(block_thread(l), x_i32(0)));
	balanced_bind(b, x_at(x_var(row), i));
	balanced_finish(b);
	k_end(k);
	k_barrier(k);
}

/* Warp by warp, those of its threads that have such a row; mostly none has. */
static void fold_waiting(struct balanced *b, struct kx *waits, struct kvar *from, struct kvar *to, struct kvar *row)
{
	struct lowering *l = b->l;
	struct kernel *k = l->k;
	int lanes = l->target->lanes, warps = l->target->block / lanes;
	struct kvar *waiting = k_shared(k, type_scalar(T_U64), "waiting", warps);
	struct kx *those = x_var(k_let(k, "those", x_help(kt_scalar(T_U64), "patc_ballot", 1, &waits)));
	k_if(k, x_eq(x_rem(block_thread(l), x_i32(lanes)), x_i32(0)));
	k_set(k, x_at(x_var(waiting), x_div(block_thread(l), x_i32(lanes))), those);
	k_end(k);
	k_barrier(k);
	struct kx *warp = x_var(k_for(k, "warp", x_i32(0), x_i32(warps), x_i32(1), FOR_ROLLED));
	struct kx *left = x_var(k_var(k, kt_scalar(T_U64), "left", x_at(x_var(waiting), warp)));
	k_while(k, x_ne(left, x_int(T_U64, 0)));
	struct kx *bit = x_var(k_let(k, "bit", x_help(kt_scalar(T_I32), "patc_ctz_u64", 1, &left)));
	k_set(k, left, x_op(OP_AND, left, x_sub(left, x_int(T_U64, 1))));
	fold_many(b, x_var(k_let(k, "thread", x_add(x_mul(warp, x_i32(lanes)), bit))), from, to, row);
	k_end(k);
	k_end(k);
}

static void fold_spans(struct balanced *b, struct kx *parts)
{
	struct lowering *l = b->l;
	struct kernel *k = l->k;
	struct kvar *from = k_shared(k, type_scalar(T_I64), "span_first", l->target->block);
	struct kvar *to = k_shared(k, type_scalar(T_I64), "span_last", l->target->block);
	struct kvar *row = k_shared(k, type_scalar(T_I64), "span_row", l->target->block);
	struct kx *thread = block_thread(l), *t = x_var(k_let(k, "t", x_add(thread_number(l), x_i64(1))));
	b->acc = folds_start(l, &b->folds);
	struct kx *waits = x_var(k_var(k, kt_scalar(T_BOOL), "waits", x_int(T_BOOL, 0)));
	k_if(k, x_lt(t, parts));
	struct span s = balanced_span(b, t);
	k_if(k, s.spans);
	k_if(k, x_lt(x_sub(s.last, t), x_i64(FEW_PARTS)));
	balanced_fold_span(b, t, &s);
	k_else(k);
	k_set(k, waits, x_int(T_BOOL, 1));
	k_set(k, x_at(x_var(from), thread), x_sub(t, x_i64(1)));
	k_set(k, x_at(x_var(to), thread), s.last);
	k_set(k, x_at(x_var(row), thread), s.row);
	k_end(k);
	k_end(k);
	k_end(k);
	fold_waiting(b, waits, from, to, row);
}

static void fold_kernel(struct balanced *b, struct plan *plan)
{
	balanced_open(b, plan, "_fold");
	struct lowering *l = b->l;
	struct kernel *k = l->k;
	block_launch_bounds(l);
	b->own_path = lower_argument(l, "path", kt_pointer(type_scalar(T_I64), true), b->path);
	balanced_slots(b, false);
	struct kx *parts = lower_argument(l, "parts", kt_scalar(T_I64), b->host_parts), *block = x_i64(l->target->block);
	if (b->checks) {
		struct kx *falls = lower_argument(l, "falls", kt_pointer(type_scalar(T_I32), true), b->falls);
		k_if(k, x_ne(x_at(falls, x_i32(0)), x_i32(0)));
		balanced_rows(b, thread_number(l), x_mul(x_to_i64(x_id(ID_GRID_X)), block));
		k_else(k);
	}
	fold_spans(b, parts);
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
		bytes += (TILE + 8 + target->block) * type_size(accumulator_type(fold));
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

/* Terms that look other cells up want many threads with few terms each; short rows want few threads with many.  A
 * prototype on an H200, 128 and 256 threads: a matrix of 2^26 cells, 32 a row at random, 506 and 498 us.  So the
 * mean row decides, which the host knows. */
void balanced_gpu(struct balanced *b, struct plan *plan)
{
	struct kernel *host = plan->host;
	choose(b, plan->target);
	k_if(host, x_lt(x_i64(0), b->host_parts));
	path_kernel(b, plan);
	if (b->checks && b->after)
		rising_kernel(b, plan);
	if (b->gathers) {
		struct kx *terms = lower_index(host_lowering(plan), b->domain->cut->end);
		k_if(host, x_lt(x_mul(x_i64(8), b->host_rows), terms));
		balanced_tiles(b, plan, "_long", 256);
		k_else(host);
	}
	balanced_tiles(b, plan, "", 128);
	if (b->gathers)
		k_end(host);
	fold_kernel(b, plan);
	k_end(host);
}
