/* balanced_gpu.c - the kernels round the tiles of balanced_tile.c:
 *
 *   NAME_path    a thread a boundary: where each part begins
 *   NAME_rising  before parts that may not be computed twice: do the offsets rise?
 *   NAME         a block a part; where terms look cells up, even rows are a few lanes' each
 *                (balanced_lanes.c)
 *   NAME_fold    rows over several parts: a thread a boundary folds short ones, its warp or the
 *                block longer ones
 *
 * The boundaries are found apart, since a bisection at the head of a block would keep it from its
 * loads for some 10 us; so found, they take 6 us for 2^16 parts on an H200, the fold as long. */
#include "balanced.h"

enum {
	PATH_THREADS = 64,              /* each waits for its own cells: small blocks spread them */
	FEW_PARTS = 8,                   /* that a thread folds alone, */
	SOME_PARTS = 64                  /* a warp */
};

void balanced_block(struct balanced *b, int threads)
{
	struct kernel *k = b->l->k;
	k->block[0] = threads;
	k->block[1] = k->block[2] = 1;
	k_bind(k, "BLOCK", threads);
}

/* NAME and its suffix, of blocks of so many threads. */
static void open_kernel(struct balanced *b, struct plan *plan, const char *suffix, int threads)
{
	balanced_open(b, plan, suffix);
	balanced_block(b, threads);
}

static void launch(struct balanced *b, const char *text, struct kx *threads)
{
	k_text(b->l->k, text);
	lowering_launch(b->l, x_div_up(threads, x_i64(b->l->k->block[0])), x_i64(1), x_i64(1));
}

static void find_path(struct balanced *b, struct plan *plan)
{
	open_kernel(b, plan, "_path", PATH_THREADS);
	b->l->k->min_blocks = 1;                 /* as in cells_gpu.c, against spills */
	balanced_array(b, "path", T_I64, b->path, false);
	balanced_number(b, "parts", b->host_parts);
	if (b->checks)
		balanced_array(b, "falls", T_I32, b->falls, false);
	if (b->uneven)
		k_bind_call(b->l->k, "judge", balanced_judge, b);
	launch(b, "find_path", x_add(b->host_parts, x_i64(1)));
}

static void check_rows(struct balanced *b, struct plan *plan)
{
	open_kernel(b, plan, "_rising", plan->target->block);
	balanced_array(b, "falls", T_I32, b->falls, false);
	launch(b, "check_rows", b->host_rows);
}

static void fold_rows_of_parts(struct balanced *b, struct plan *plan)
{
	open_kernel(b, plan, "_fold", plan->target->block);
	b->l->k->min_blocks = 1;                 /* as in cells_gpu.c, against spills */
	balanced_array(b, "path", T_I64, b->path, true);
	balanced_slots(b, false);
	balanced_number(b, "parts", b->host_parts);
	if (b->uneven)
		balanced_array(b, "uneven", T_I32, b->uneven, true);
	if (b->checks)
		balanced_array(b, "falls", T_I32, b->falls, true);
	k_numbers(b->l->k, "FEW_PARTS, SOME_PARTS", FEW_PARTS, SOME_PARTS);
	k_bind(b->l->k, "whose", "thread");
	launch(b, "fold_rows_of_parts", b->host_parts);
}

/* ---- how terms are computed ---- */

bool balanced_streams(const struct balanced *b, const struct expr *read)
{
	bool bare = false;
	if (read->checked || read->var->rank != 1 || !is_dense(read->var)
	    || read->type->kind == T_STRUCT)
		return false;
	for (int f = 0; f < b->folds.n; f++)
		bare |= read->arg.at[0]->kind == E_VAR
		        && read->arg.at[0]->var == b->folds.at[f]->fold->index.at[0];
	return bare;
}

static bool note_read(struct expr *e, void *state)
{
	struct balanced *b = state;
	if (e->kind != E_READ)
		return true;
	for (int s = 0; s < b->stream.n; s++)
		if (b->stream.at[s]->var == e->var)
			return true;
	if (b->stream.n < MOST_STREAMS && balanced_streams(b, e))
		list_add(&b->stream, e);
	b->gathers |= has_data(e->arg.at[0]);
	return true;
}

/* Its value is all that is folded, and nothing of its row is needed to know it. */
static bool stands_alone(const struct balanced *b, const struct expr *fold)
{
	const struct expr *part[] = { fold->arg.at[0], fold->fold->where };
	for (int p = 0; p < 2; p++)
		if (part[p]
		    && (expr_uses(part[p], b->node->index.at[0]) || expr_has(part[p], E_FOLD)))
			return false;
	return accumulator_type(fold) == fold->type && fold->type->kind != T_STRUCT;
}

static void choose(struct balanced *b, const struct target *target)
{
	int64_t bytes = 0, widest = 2;   /* vectors of at most eight: a thread has enough of them */
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
		if (type_size(b->stream.at[s]->var->type) > widest)
			widest = type_size(b->stream.at[s]->var->type);
	b->width = b->stream.n ? (int)(16 / widest) : 1;
}

/* ---- the whole ---- */

/* log2 of the lanes a row: a vector of terms each, of the mean row. */
static struct kx *lane_bits(struct balanced *b, const struct target *target, struct kx *terms)
{
	struct kx *bits = x_i32(1);
	for (int n = 2; 1 << n <= target->lanes; n++)
		bits = x_cond(x_le(x_mul(x_i64((int64_t)b->width << n), b->host_rows), terms),
		              x_i32(n), bits);
	return bits;
}

/* Even rows: of those that would end in each part if all had one length, so many do; fewer where a
 * row has some lanes. Where they would be few, none are even. */
static void ask_rows(struct balanced *b, struct plan *plan, struct kx *terms, struct kx *are_long)
{
	struct kx *mean = x_div(x_mul(x_i64(TILE), b->host_rows), x_add(b->host_rows, terms));
	struct kx *most = x_div(x_mul(mean, x_cond(are_long, x_i64(2), x_i64(3))), x_i64(4));
	b->uneven = plan_flag(plan, "uneven", b->checks && !node_clause(b->node, "drop"));
	b->host_fewest = x_cond(x_lt(mean, x_i64(8)), x_i64(TILE + 1), most);
}

/* Terms that look other cells up want many threads with few terms each; others want few threads
 * with many.  A prototype on an H200, 128 and 256 threads: a matrix of 2^26 cells, 32 a row at
 * random, 506 and 498 us. */
void balanced_gpu(struct balanced *b, struct plan *plan)
{
	struct kernel *host = plan->host;
	struct kx *terms = lower_index(host_lowering(plan), b->domain->cut->end);
	struct kx *are_long = x_lt(x_mul(x_i64(8), b->host_rows), terms);
	choose(b, plan->target);
	k_if(host, x_lt(x_i64(0), b->host_parts));
	if (b->gathers && !b->ordered)
		ask_rows(b, plan, terms, are_long);
	find_path(b, plan);
	if (b->checks && b->after)
		check_rows(b, plan);
	if (b->gathers) {
		k_if(host, are_long);
		balanced_tiles(b, plan, "_long", 256, lane_bits(b, plan->target, terms));
		k_else(host);
	}
	balanced_tiles(b, plan, "", b->gathers ? 256 : 128, NULL);
	if (b->gathers)
		k_end(host);
	fold_rows_of_parts(b, plan);
	k_end(host);
}
