/* balanced_tile.c - a part of TILE items, one block.
 *
 * Terms first: a thread loads neighbouring cells 16 bytes at a time, all its loads before any is
 * used, from the multiple of LINE cells before the part's first term on: a warp's load that
 * straddles a line costs two requests, 10 to 30 us of 500 for a sparse matrix on an H200.  Then it
 * reads what those say, again all together, for terms of the part alone; the terms go to shared
 * memory.  Then rows: a thread folds a row where rows are many, 2 .. 32 or 64 lanes a row where
 * there are fewer, the block where there are at most eight; a row much longer than its neighbours
 * is the warp's (18 us of 690 where lengths follow a power law).  The bounds of a thread's first
 * row are loaded with the terms.
 *
 * A term that needs its row (x[r] - x[col[e]]), or that is folded with more than its value (argmax,
 * operators without identity, structs), is computed where it is folded: the same tile without the
 * first half. */
#include "balanced.h"

enum {
	MOST_BLOCK_ROWS = 8,             /* rows of a part, each of which the whole block folds */
	FAR = 8,                         /* terms a lane, more than which a row is for the warp */
	FEW_WORDS = 10,    /* of what a thread folds, at most: for more 64 registers are too few; */
	SLOW_WORDS = 4                   /* a division or a function counts for so many */
};

/* ---- terms ---- */

static struct kx *tile_read(struct lowering *l, const struct expr *read)
{
	const struct balanced *b = l->now.state;
	for (int s = 0; s < b->stream.n; s++) {
		struct kvar *held = b->vector[b->turn][s];
		if (b->stream.at[s]->var == read->var && balanced_streams(b, read))
			return held->kind == KV_REGS ? x_at(x_var(held), b->lane)
			                             : x_lane_at(x_var(held), b->lane);
	}
	if (read->checked || read->type->kind == T_STRUCT)
		return lower_cell(l, read);
	struct kx *cell = x_cond(b->mine, lower_cell(l, read), lower_zero(read->type));
	/* not ahead of its condition */
	return read->guarded ? cell : x_var(k_let(l->k, "value", cell));
}

/* Only for terms of the part: calls of what the program never calls with may not end, and cells
 * that nobody has proved to exist.  Single cells are selected by tile_read. */
static bool is_open(struct expr *e, void *unused)
{
	(void)unused;
	bool cell = (e->kind == E_READ && e->type->kind == T_STRUCT) || e->kind == E_ELEM;
	return e->kind != E_CALL && !(cell && !e->checked);
}

/* The term of one fold at the bound index, or its identity where it is skipped.  Cells that data
 * place are read for terms of the part alone: each costs a request, and nobody looks at the others.
 * */
static struct kx *term_of(struct balanced *b, const struct expr *fold)
{
	struct lowering *l = b->l;
	const struct expr *where = fold->fold->where;
	struct kx *taken = NULL;
	bool tested = expr_checked(fold->arg.at[0]) || (where && expr_checked(where));
	struct lower_context before = l->now;
	l->now.guard = b->mine;
	if (tested)
		lower_flag(l, "bad");
	if (where) {
		taken = lower_expr(l, where);
		taken = x_var(k_let(l->k, "taken", x_and(lower_inside_all(l), taken)));
		l->now.guard = x_and(b->mine, taken);
	}
	/* what the mask leaves out may lie outside */
	bool only = taken && expr_guarded(fold->arg.at[0]);
	struct kvar *value = only ? k_var(l->k, kt(fold->type), "value",
	                                  lower_identity(l, fold->fold->op, fold->type))
	                          : NULL;
	if (only)
		k_if(l->k, taken);
	struct kx *term = lower_expr(l, fold->arg.at[0]);
	if (fold->fold->op->kind == OPK_COUNT)
		term = x_cast(kt_scalar(T_I64), term);
	if (only) {
		k_set(l->k, x_var(value), term);
		k_end(l->k);
		term = x_var(value);
	}
	if (tested) {
		struct kx *outside = k_get(l->k, "outside");
		k_set(l->k, outside, x_or(outside, x_var(l->now.outside)));
		taken = x_and(taken, lower_inside_all(l));
	}
	l->now = before;
	return taken ? x_cond(taken, term, lower_identity(l, fold->fold->op, fold->type)) : term;
}

/* One of each fold goes to terms[to]. */
static struct kx *compute_terms(struct lowering *l, const void *balanced, struct kx *const *arg)
{
	struct balanced *b = (struct balanced *)balanced;
	struct kernel *k = l->k;
	b->lane = arg[1];
	b->mine = x_var(k_let(k, "mine", arg[2]));
	struct lower_context before = l->now;
	l->now.read = tile_read;
	l->now.state = b;
	l->now.branchless = true;
	for (int f = 0; f < b->folds.n; f++) {
		const struct expr *fold = b->folds.at[f];
		struct kx *to = x_at(x_var(b->terms[f]), arg[0]);
		bool guarded = !expr_walk((struct expr *)fold, is_open, NULL);
		if (guarded) {
			k_set(k, to, lower_identity(l, fold->fold->op, fold->type));
			k_if(k, b->mine);
		}
		k_set(k, to, term_of(b, fold));
		if (guarded)
			k_end(k);
	}
	l->now = before;
	return NULL;
}

/* Terms that go to shared memory at a time: what the loads bring, at most 16 bytes. */
static int vector_width(const struct balanced *b, const struct type *type)
{
	int64_t most = 16 / type_size(type);
	return most < b->width ? (int)most : b->width;
}

/* The registers from number first on, which hold a vector of terms of each fold, go to place `at`
 * of the tile. */
static struct kx *store_terms(struct lowering *l, const void *balanced, struct kx *const *arg)
{
	const struct balanced *b = balanced;
	struct kernel *k = l->k;
	const int64_t first = arg[0]->i;
	for (int f = 0; f < b->folds.n; f++) {
		const struct type *type = b->folds.at[f]->type;
		struct kx *tile = x_var(b->tile_of[f]), *terms = x_var(b->terms[f]);
		int step = vector_width(b, type);
		for (int c = 0; c < b->width; c += step) {
			struct kx *place = c ? x_add(arg[1], x_i32(c)) : arg[1];
			struct kvar *held = step > 1 ? k_var(k, kt_vector(type, step), "held", NULL)
			                             : NULL;
			for (int i = 0; i < step && held; i++)
				k_set(k, x_lane(x_var(held), i), x_at(terms, x_i32(first + c + i)));
			if (held)
				k_vstore(k, x_offset(tile, place), x_var(held));
			else
				k_set(k, x_at(tile, place), x_at(terms, x_i32(first + c)));
		}
	}
	return NULL;
}

static struct kx *vectors_allowed(struct balanced *b)
{
	struct kx *all = NULL;
	for (int s = 0; s < b->stream.n; s++)
		all = x_and(all, plan_aligned(b->l->plan, b->stream.at[s]->var, b->width));
	return all ? lower_argument(b->l, "vectors", kt_scalar(T_BOOL), all) : x_int(T_BOOL, 0);
}

/* ---- what texts know of terms ---- */

/* May all arrays be read by vectors, and do so many cells from there on lie in each of them? */
static struct kx *whole(struct lowering *l, const void *balanced, struct kx *const *arg)
{
	const struct balanced *b = balanced;
	struct kx *all = b->vectors;
	for (int s = 0; s < b->stream.n; s++)
		all = x_and(all, x_le(x_add(arg[0], x_i64(arg[1]->i)),
		                      lower_extent(l, b->stream.at[s]->var, 0)));
	return all;
}

static struct kx *array(struct lowering *l, const void *b, struct kx *const *none)
{
	(void)none;
	return lower_pointer(l, ((const struct balanced *)b)->stream.at[l->k->each]->var);
}

static struct kx *extent(struct lowering *l, const void *b, struct kx *const *none)
{
	(void)none;
	return lower_extent(l, ((const struct balanced *)b)->stream.at[l->k->each]->var, 0);
}

static struct kx *use_turn(struct lowering *l, const void *balanced, struct kx *const *turn)
{
	struct balanced *b = (struct balanced *)balanced;
	struct kx *held[MOST_STREAMS];
	b->turn = (int)turn[0]->i;
	for (int s = 0; s < b->stream.n; s++)
		held[s] = x_var(b->vector[b->turn][s]);
	bind_values(l->k, "held", b->stream.n, held);
	return NULL;
}

/* Cleared: what no term loads is some value, too. */
static struct kvar *new_vector(const struct balanced *b, const struct var *var)
{
	struct kernel *k = b->l->k;
	struct kvar *held = b->in_registers
	                            ? k_regs(k, var->type, var->name, b->at_once)
	                            : k_var(k, kt_vector(var->type, b->at_once), var->name, NULL);
	for (int c = 0; c < b->at_once; c++)
		k_set(k, b->in_registers ? x_at(x_var(held), x_i32(c)) : x_lane(x_var(held), c),
		      lower_zero(var->type));
	return held;
}

static struct kx *declare_vectors(struct lowering *l, const void *balanced, struct kx *const *turn)
{
	struct balanced *b = (struct balanced *)balanced;
	(void)l;
	for (int s = 0; s < b->stream.n; s++)
		b->vector[turn[0]->i][s] = new_vector(b, b->stream.at[s]->var);
	return NULL;
}

static struct kx *declare_terms(struct lowering *l, const void *balanced, struct kx *const *turns)
{
	struct balanced *b = (struct balanced *)balanced;
	struct kx *terms[8];
	for (int f = 0; f < b->folds.n; f++) {
		b->terms[f] = k_regs(l->k, b->folds.at[f]->type, "terms", turns[0]->i * b->at_once);
		terms[f] = x_var(b->terms[f]);
	}
	bind_values(l->k, "terms", b->folds.n, terms);
	return NULL;
}

static struct kx *declare_tile(struct lowering *l, const void *balanced, struct kx *const *none)
{
	struct balanced *b = (struct balanced *)balanced;
	struct kx *tile[8];
	(void)none;
	for (int f = 0; f < b->folds.n; f++) {
		b->tile_of[f] = k_shared(l->k, b->folds.at[f]->type, "tile", SLOTS);
		b->tile_of[f]->align = 16;
		tile[f] = x_var(b->tile_of[f]);
	}
	bind_values(l->k, "tile", b->folds.n, tile);
	return NULL;
}

/* ---- what texts know of rows ---- */

static struct kx *offset(struct lowering *l, const void *b, struct kx *const *behind)
{
	return lower_given_end(l, ((const struct balanced *)b)->domain, 0, behind[0]->i);
}

static struct kx *end_of_terms(struct lowering *l, const void *b, struct kx *const *none)
{
	(void)none;
	return lower_index(l, ((const struct balanced *)b)->domain->cut->end);
}

static struct kx *if_asked(struct lowering *l, const void *b, struct kx *const *wrong)
{
	struct kx *asked = lower_if_asked(l, ((const struct balanced *)b)->domain, wrong[0]);
	return asked ? asked : x_int(T_BOOL, 0);
}

static struct kx *record_if(struct lowering *l, const void *b, struct kx *const *outside)
{
	(void)b;
	lower_record_if(l, outside[0]);
	return NULL;
}

/* log2 of the threads a row. */
static struct kx *bits_of(struct lowering *l, const void *b, struct kx *const *count)
{
	const int threads = l->k->block[0];
	struct kx *bits = x_i32(0);
	(void)b;
	for (int n = 1; 1 << n <= l->target->lanes; n++)
		bits = x_cond(x_le(x_op(OP_SHL, count[0], x_i32(n)), x_i32(threads)), x_i32(n),
		              bits);
	return x_cond(x_le(count[0], x_i32(MOST_BLOCK_ROWS)), x_i32(log2_of(threads)), bits);
}

static struct kx *shuffled(struct lowering *l, const void *balanced, struct kx *const *lane)
{
	const struct accumulator *acc = &((const struct balanced *)balanced)->acc.at[l->k->each];
	return accumulator_shuffle(l, acc, x_var(acc->var), "", lane[0]);
}

static struct kx *set_aside(struct lowering *l, const void *balanced, struct kx *const *none)
{
	struct balanced *b = (struct balanced *)balanced;
	struct kx *kept[8];
	(void)none;
	b->kept = b->acc;
	b->acc = folds_start(l, &b->folds);
	for (int a = 0; a < b->kept.n; a++)
		kept[a] = x_var(b->kept.at[a].var);
	bind_values(l->k, "kept", b->kept.n, kept);
	bind_accumulators(l, &b->acc);
	return NULL;
}

static struct kx *take_back(struct lowering *l, const void *balanced, struct kx *const *none)
{
	struct balanced *b = (struct balanced *)balanced;
	(void)none;
	b->acc = b->kept;
	bind_accumulators(l, &b->acc);
	return NULL;
}

/* ---- the kernel: balanced_tile.kernel ---- */

/* How many reads deep the places of a term are looked up. */
static int reads_deep(const struct expr *e)
{
	int deepest = 0;
	for (int a = 0; a < e->arg.n; a++) {
		int deep = reads_deep(e->arg.at[a]);
		deepest = deep > deepest ? deep : deepest;
	}
	return deepest + (e->kind == E_READ);
}

static bool count_words(struct expr *e, void *words)
{
	if (e->kind == E_READ)
		*(int64_t *)words += type_words(e->type);
	return true;
}

/* Is every row the sum of products of what lies one after another, the numbers of 4 bytes or the
 * floats of 8? */
static bool is_product(const struct balanced *b)
{
	const struct node *node = b->node;
	bool is = b->stream.n == 2;
	for (int s = 0; s < b->stream.n; s++)
		is &= type_size(b->stream.at[s]->type) >= 4;
	for (int q = 0; is && q < node->equation.n; q++) {
		const struct expr *e = node->equation.at[q]->right;
		is = e->kind == E_FOLD && e->fold->op->kind == OPK_SUM && !e->fold->where
		  && (type_class(e->type) == 'F' || type_words(e->type) == 1);
	}
	return is;
}

/* Beside what is recorded of wrong rows, several folds or a struct take one register too many. */
static bool records_much(const struct balanced *b)
{
	return b->checks && (b->folds.n > 1 || b->folds.at[0]->type->kind == T_STRUCT);
}

/* So few registers that as many blocks run as hide the latency of what terms look up, where a term
 * needs few: the product of a sparse matrix takes 32 of a thread with a short row, 48 of one of
 * several lanes, both without spills. What is more takes 40 to 64, or up to 100; with fewer, or
 * left alone, ptxas spills 4 to 160 bytes of it. */
static int fewest_blocks(const struct balanced *b, const struct target *target, bool short_rows)
{
	int64_t words = 0;
	for (int f = 0; f < b->folds.n; f++) {
		const struct expr *fold = b->folds.at[f];
		if (reads_deep(fold->arg.at[0]) > 2)
			return 1;                        /* as in cells_gpu.c, against spills */
		words += type_words(fold->type) + (expr_slow(fold->arg.at[0]) ? SLOW_WORDS : 0);
		expr_walk(fold->arg.at[0], count_words, &words);
		if (fold->fold->where)
			expr_walk(fold->fold->where, count_words, &words);
	}
	if (!b->gathers || target->lanes != 32)
		return records_much(b);
	if (is_product(b) && words <= FEW_WORDS)
		return short_rows && words <= 4 ? 8 : 5;
	return words <= FEW_WORDS ? 4 : 2;
}

static void bind_turns(struct balanced *b, int turns)
{
	struct kx *turn[MOST_TURNS];
	for (int v = 0; v < turns; v++)
		turn[v] = x_int(T_INT_LIT, v);
	bind_values(b->l->k, "turn", turns, turn);
	k_numbers(b->l->k, "TURNS, WIDTH, STREAMS, SLOTS, LINE", turns, b->width, b->stream.n,
	          SLOTS, LINE);
	b->at_once = b->width;
	b->in_registers = false;
}

static void bind_calls_of_tile(struct balanced *b)
{
	struct kernel *k = b->l->k;
	k_bind_calls(k, b, { "compute_terms", compute_terms }, { "store_terms", store_terms },
	             { "whole", whole }, { "array", array }, { "extent", extent },
	             { "use_turn", use_turn }, { "declare_vectors", declare_vectors },
	             { "declare_terms", declare_terms }, { "declare_tile", declare_tile });
	k_bind_calls(k, b, { "offset", offset }, { "end_of_terms", end_of_terms },
	             { "if_asked", if_asked }, { "record_if", record_if }, { "bits_of", bits_of },
	             { "shuffled", shuffled }, { "copy", accumulator_copy_call },
	             { "set_aside", set_aside }, { "take_back", take_back });
	k_bind(k, "given_lo", "lo");
	k_bind(k, "given_hi", "hi");
}

void balanced_tiles(struct balanced *b, struct plan *plan, const char *suffix, int threads,
                    struct kx *host_bits)
{
	balanced_open(b, plan, suffix);
	balanced_block(b, threads);
	b->l->k->min_blocks = fewest_blocks(b, plan->target, b->uneven && !host_bits);
	balanced_array(b, "path", T_I64, b->path, true);
	balanced_slots(b, true);
	if (b->checks)
		balanced_array(b, "falls", T_I32, b->falls, b->after);
	b->vectors = b->staged ? vectors_allowed(b) : NULL;
	if (b->uneven)
		balanced_array(b, "uneven", T_I32, b->uneven, true);
	k_numbers(b->l->k, "STAGED, ORDERED, FAR", b->staged, b->ordered, FAR);
	bind_turns(b, SLOTS / b->width / threads);
	bind_calls_of_tile(b);
	b->host_bits = host_bits;
	k_bind_call(b->l->k, "fold_even_rows", balanced_lanes, b);
	k_text(b->l->k, "compute_part");
	lowering_launch(b->l, b->host_parts, x_i64(1), x_i64(1));
}
