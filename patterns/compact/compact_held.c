/* compact_held.c - tiles whose values are held in registers.
 *
 * Where all that is moved are scalars, and what the condition reads it reads at the item itself, a thread loads
 * what it needs of all its items first, as whole vectors, judges them, and leaves the values of those that stay in
 * shared memory, those of all equations.  Nothing is read twice.  A warp stores them from there as vectors of 16
 * bytes, but for what stands before the first boundary and behind the last.
 *
 * On an H200 (2^28 items of u32, half of them kept; ms): 128 threads with 16 rows of 16 bytes and 5 blocks a
 * multiprocessor 0.42, 14 rows 0.43, 12 rows 0.44; by hand, 256 threads with 8 rows 1 % and 4 blocks instead of 5
 * 4 % slower than that, 24 rows in 3 blocks 4 %, 512 threads 4 to 24 %; loads and stores marked as streaming 9 %.
 *
 * An item that lies behind the last one reads as zero and is of no part: no test stands in the way of a full tile.
 * None is skipped: what is not kept is rejected, so that ranks of the ones give those of the others. */
#include "pass.h"
#include "compact_tile.h"

enum {
	THREADS = 128,                       /* of a block */
	BLOCKS = 5,                          /* of a multiprocessor, where shared memory allows */
	SLOW_BLOCKS = 3,                     /* the same where divisions, functions and halves want registers: ptxas spilled */
	ARRAYS = 8,                          /* held at most */
	WORDS = 64,                          /* registers of what a thread holds; no more items than a mask has bits */
	COMPUTED_WORDS = 56,                 /* the same where values are computed on their way to shared memory */
	STAGED = 32768                       /* bytes of a tile's values */
};

/* ---- which reads ---- */

static bool is_own(const struct box *b, const struct expr *read)
{
	const struct node *node = b->node;
	if (read->var->rank != node->index.n || read->checked || var_home(read->var) || read->type->kind == T_STRUCT)
		return false;
	for (int k = 0; k < node->index.n; k++) {
		struct affine hi;
		bool bare = read->arg.at[k]->kind == E_VAR && read->arg.at[k]->var == node->index.at[k];
		if (!bare || (node->index.n > 1 && !x_is_int(b->lo[k], 0)))
			return false;
		if (k && (!is_dense(read->var) || !affine_of(node->hi.at[k], &hi) || !affine_equal(&hi, &read->var->extent[k])))
			return false;
	}
	return true;
}

/* Of an array that is read at the item itself; all its reads are, or nothing is held. */
static const struct held *held_of(const struct tile *t, const struct expr *read)
{
	for (int h = 0; h < t->held.n; h++)
		if (t->held.at[h].read->var == read->var)
			return &t->held.at[h];
	return NULL;
}

/* Everything an item needs: held, or the same for all items. */
static bool collect(struct expr *e, void *state)
{
	struct tile *t = state;
	if (e->kind == E_FOLD || e->guarded || (e->kind == E_ELEM && e->checked))
		return false;
	if (e->kind != E_READ)
		return true;
	if (!is_own(t->it->box, e))
		return false;
	if (!held_of(t, e))
		list_add(&t->held, ((struct held){ e, NULL }));
	return true;
}

static bool moves_scalars(const struct node *node)
{
	for (int q = 0; q < node->equation.n; q++) {
		const struct equation *eq = node->equation.at[q];
		const struct expr *cell = target_read(eq->target.at[0]);
		if (eq->whole || cell->type->kind == T_STRUCT || cell->var->rank > 1 || var_home(cell->var))
			return false;
	}
	return true;
}

/* Bytes of one item: kept and rejected ones of a type share memory. */
static int64_t staged_bytes(const struct node *node)
{
	const struct equation *eq[PART_COUNT];
	int64_t bytes = 0;
	for (int nth = 0;; nth++) {
		for (int a = 0; a < PART_COUNT; a++)
			eq[a] = tile_nth(node, (enum part)a, nth);
		if (!eq[PART_KEPT] && !eq[PART_REJECTED])
			return bytes;
		for (int a = 0; a < PART_COUNT; a++)
			if (eq[a] && !(a && eq[0] && eq[0]->right->type == eq[a]->right->type))
				bytes += type_size(eq[a]->right->type);
	}
}

static int most_words(const struct node *node)
{
	for (int q = 0; q < node->equation.n; q++)
		if (selected_part(node, node->equation.at[q]) != PART_COUNT && node->equation.at[q]->right->kind != E_READ)
			return COMPUTED_WORDS;
	return WORDS;
}

/* As many rows of vectors as registers and shared memory hold.  false: none. */
static bool choose_rows(struct tile *t)
{
	int most = most_words(t->it->node);
	int64_t widest = 1, words = 0, staged = staged_bytes(t->it->node) * THREADS;
	for (int h = 0; h < t->held.n; h++) {
		const struct type *type = t->held.at[h].read->type;
		widest = type_size(type) > widest ? type_size(type) : widest;
		words += type_words(type);
	}
	t->width = (int)(16 / widest);
	while (t->width > 2 && (t->width * staged > STAGED || t->width * words > most))
		t->width /= 2;
	t->rows = (int)(most / (words * t->width));
	while (t->rows > 1 && t->rows * t->width * staged > STAGED)
		t->rows--;
	t->rows = t->rows < 1 ? 1 : t->rows;
	return t->width * staged <= STAGED;
}

/* Halves are widened to be looked at, which takes registers too. */
static bool is_slow(const struct tile *t)
{
	const struct node *node = t->it->node;
	bool slow = expr_slow(node->where) || node_slow(node);
	for (int h = 0; h < t->held.n; h++) {
		const struct type *type = t->held.at[h].read->type;
		slow |= type_class(type) == 'F' && type_compute(type) != type;
	}
	return slow;
}

/* Registers for as many blocks as fit. */
static void choose_blocks(struct tile *t)
{
	struct kernel *k = t->it->l->k;
	int most = is_slow(t) ? SLOW_BLOCKS : BLOCKS;
	int64_t shared = t->rows * t->width * THREADS * staged_bytes(t->it->node);
	int blocks = blocks_of_unit(k->target, THREADS, shared);
	k->block[0] = THREADS;
	k->min_blocks = blocks < most ? blocks : most;
}

bool held_find(struct tile *t)
{
	const struct node *node = t->it->node;
	bool open = false;
	t->held.n = 0;
	for (int k = 0; k < t->it->box->rank; k++)
		open |= t->it->box->open[k];
	bool can = !open && !node_checked(node) && moves_scalars(node) && expr_walk(node->where, collect, t);
	for (int q = 0; can && q < node->equation.n; q++)
		can = expr_walk(node->equation.at[q]->right, collect, t);
	struct tile held = *t;
	if (!can || !t->held.n || t->held.n > ARRAYS || !choose_rows(&held)) {
		t->held.n = 0;
		return false;
	}
	*t = held;
	choose_blocks(t);
	return true;
}

/* ---- loading ---- */

/* Of the array, the cell of the first item. */
static struct kx *start_of(struct lowering *l, const struct box *b, const struct held *h, struct kx *lo)
{
	struct kx *pointer = lower_pointer(l, h->read->var);
	return b->rank == 1 && !x_is_int(lo, 0) ? x_offset(pointer, lo) : pointer;
}

static struct kx *vectors_allowed(struct tile *t)
{
	struct lowering *host = host_lowering(t->it->l->plan);
	struct kx *all = NULL;
	for (int h = 0; h < t->held.n; h++) {
		int64_t bytes = type_size(t->held.at[h].read->type) * t->width;
		struct kx *arg[] = { start_of(host, t->it->box, &t->held.at[h], t->it->box->lo[0]), x_i64(bytes) };
		all = x_and(all, x_help(kt_scalar(T_BOOL), "patc_aligned", 2, arg));
	}
	return all;
}

static struct kx *place_of_row(struct tile *t, struct kx *row)
{
	struct kx *place = x_add(t->first, x_to_i64(tile_number(t, row)));
	return x_var(k_let(t->it->l->k, "place", place));
}

static struct kx *of_thread(struct tile *t, struct kx *row, struct kx *c)
{
	return x_add(x_mul(row, x_i32(t->width)), c);
}

static void load_vectors(struct tile *t)
{
	struct kernel *k = t->it->l->k;
	struct kx *row = x_var(k_for(k, "row", x_i32(0), x_i32(t->rows), x_i32(1), FOR_UNROLL)), *vector[ARRAYS];
	struct kx *place = place_of_row(t, row);
	for (int h = 0; h < t->held.n; h++) {
		struct kx *from = x_offset(start_of(t->it->l, t->it->box, &t->held.at[h], t->it->lo[0]), place);
		const char *name = t->held.at[h].read->var->name;
		vector[h] = x_var(k_let(k, str_print("%s%d", name, t->width), x_vload(from, t->width)));
	}
	struct kx *c = x_var(k_for(k, "c", x_i32(0), x_i32(t->width), x_i32(1), FOR_UNROLL));
	for (int h = 0; h < t->held.n; h++)
		k_set(k, x_at(x_var(t->held.at[h].value), of_thread(t, row, c)), x_lane_at(vector[h], c));
	k_end(k);
	k_end(k);
}

static void load_singles(struct tile *t)
{
	struct kernel *k = t->it->l->k;
	enum scalar word = tile_mask(t);
	struct kx *row = x_var(k_for(k, "row", x_i32(0), x_i32(t->rows), x_i32(1), FOR_UNROLL));
	struct kx *place = place_of_row(t, row);
	struct kx *c = x_var(k_for(k, "c", x_i32(0), x_i32(t->width), x_i32(1), FOR_UNROLL));
	struct kx *there = x_lt(x_add(place, x_to_i64(c)), t->it->count), *at = of_thread(t, row, c);
	for (int h = 0; h < t->held.n; h++)
		k_set(k, x_at(x_var(t->held.at[h].value), at), lower_zero(t->held.at[h].read->type));
	k_if(k, there);
	for (int h = 0; h < t->held.n; h++) {
		struct kx *from = start_of(t->it->l, t->it->box, &t->held.at[h], t->it->lo[0]);
		k_set(k, x_at(x_var(t->held.at[h].value), at), x_at(from, x_add(place, x_to_i64(c))));
	}
	k_set(k, x_var(t->mask[PART_KEPT]), x_op(OP_OR, x_var(t->mask[PART_KEPT]), x_op(OP_SHL, x_int(word, 1), at)));
	k_end(k);
	k_end(k);
	k_end(k);
}

void held_open(struct tile *t)
{
	for (int h = 0; h < t->held.n; h++) {
		const struct expr *read = t->held.at[h].read;
		const char *name = str_print("%s_held", read->var->name);
		t->held.at[h].value = k_regs(t->it->l->k, read->type, name, t->rows * t->width);
	}
}

/* Leaves in the mask of what is kept the items that there are. */
void held_load(struct tile *t)
{
	struct kernel *k = t->it->l->k;
	enum scalar word = tile_mask(t);
	int items = t->rows * t->width, bits = word == T_U64 ? 64 : 32;
	struct kx *whole = x_op(OP_SHR, x_unary(OP_BITNOT, x_int(word, 0)), x_i32(bits - items));
	struct kx *vectors = lower_argument(t->it->l, "vectors", kt_scalar(T_BOOL), vectors_allowed(t));
	k_if(k, x_and(vectors, x_le(x_add(t->first, x_i64(t->items)), t->it->count)));
	load_vectors(t);
	k_set(k, x_var(t->mask[PART_KEPT]), whole);
	k_else(k);
	load_singles(t);
	k_end(k);
}

/* ---- judging ---- */

static struct kx *held_read(struct lowering *l, const struct expr *read)
{
	const struct tile *t = l->state;
	const struct held *h = held_of(t, read);
	return h ? x_at(x_var(h->value), t->at) : lower_cell(l, read);
}

/* The item of the thread, which is bound; its number in the tile is that of its row and c more. */
static void bind_item(struct tile *t, struct kx *row, struct kx *c)
{
	struct kx *number = x_add(tile_number(t, row), c);
	t->at = of_thread(t, row, c);
	items_bind(t->it, x_var(k_let(t->it->l->k, "place", x_add(t->first, x_to_i64(number)))));
	t->it->l->read = held_read;
	t->it->l->state = t;
}

void held_judge(struct tile *t)
{
	struct items *it = t->it;
	struct kernel *k = it->l->k;
	enum scalar word = tile_mask(t);
	struct kvar *keep = t->mask[PART_KEPT];
	struct kvar *there = k_let(k, "there", x_var(keep));
	struct kvar *chosen = k_var(k, kt_scalar(word), "chosen", x_int(word, 0));
	struct kx *row = x_var(k_for(k, "row", x_i32(0), x_i32(t->rows), x_i32(1), FOR_UNROLL));
	struct kx *c = x_var(k_for(k, "c", x_i32(0), x_i32(t->width), x_i32(1), FOR_UNROLL));
	bind_item(t, row, c);
	struct kx *bit = x_op(OP_SHL, x_cast(kt_scalar(word), lower_expr(it->l, it->node->where)), t->at);
	k_set(k, x_var(chosen), x_op(OP_OR, x_var(chosen), bit));
	k_end(k);
	k_end(k);
	k_set(k, x_var(keep), x_op(OP_AND, x_var(there), x_var(chosen)));
	if (selection_has(it->node, PART_REJECTED))
		k_set(k, x_var(t->mask[PART_REJECTED]), x_op(OP_AND, x_var(there), x_unary(OP_BITNOT, x_var(chosen))));
}

/* ---- moving ---- */

static struct kx *is_set(const struct tile *t, enum part part)
{
	enum scalar word = tile_mask(t);
	return x_ne(x_op(OP_AND, x_op(OP_SHR, x_var(t->mask[part]), t->at), x_int(word, 1)), x_int(word, 0));
}

/* All items of a warp have places of their own there, also those behind the last: where both parts move a value of
 * one type, it goes to the item's place without a question. */
static void stage_either(struct tile *t, int nth, const struct equation *const *eq, struct kx *keeps, struct kx *const *rank)
{
	struct kx *memory = x_var(tile_staged(t, nth, eq[0]->right->type));
	struct kx *value = x_cond(keeps, lower_expr(t->it->l, eq[0]->right), lower_expr(t->it->l, eq[1]->right));
	k_set(t->it->l->k, x_at(memory, x_cond(keeps, rank[0], rank[1])), value);
}

static void stage_value(struct tile *t, int nth, const struct equation *eq, struct kx *rank)
{
	k_set(t->it->l->k, x_at(x_var(tile_staged(t, nth, eq->right->type)), rank), lower_expr(t->it->l, eq->right));
}

/* What the equations move of the bound item, where all rejected ones are dropped. */
static void stage_kept(struct tile *t, struct kx *rank)
{
	struct kernel *k = t->it->l->k;
	const struct equation *eq;
	k_if(k, is_set(t, PART_KEPT));
	for (int nth = 0; (eq = tile_nth(t->it->node, PART_KEPT, nth)); nth++)
		stage_value(t, nth, eq, rank);
	k_set(k, rank, x_add(rank, x_i32(1)));   /* here: with a sum of all bits, 0.410 ms where this takes 0.393 */
	k_end(k);
}

static void stage_nth(struct tile *t, int nth, const struct equation *const *eq, struct kx *keeps, struct kx *const *rank)
{
	struct kernel *k = t->it->l->k;
	if (eq[0] && eq[1] && eq[0]->right->type == eq[1]->right->type) {
		stage_either(t, nth, eq, keeps, rank);
		return;
	}
	for (int a = 0; a < PART_COUNT; a++) {
		if (!eq[a])
			continue;
		k_if(k, a ? is_set(t, PART_REJECTED) : keeps);
		stage_value(t, nth, eq[a], rank[a]);
		k_end(k);
	}
}

/* The same of both parts; rank: the item's in each, if it is of that. */
static void stage_both(struct tile *t, struct kx *const *rank)
{
	struct kx *keeps = x_var(k_let(t->it->l->k, "keeps_it", is_set(t, PART_KEPT)));
	const struct equation *eq[PART_COUNT];
	for (int nth = 0;; nth++) {
		for (int a = 0; a < PART_COUNT; a++)
			eq[a] = tile_nth(t->it->node, (enum part)a, nth);
		if (!eq[0] && !eq[1])
			break;
		stage_nth(t, nth, eq, keeps, rank);
	}
	k_set(t->it->l->k, rank[0], x_add(rank[0], x_cast(kt_scalar(T_I32), keeps)));
}

/* Of item c of a row, if it is rejected; kept: the rank of the next item that is kept.  Less that, from where the item
 * would be if all were rejected that are not behind it. */
static struct kx *rejected_rank(const struct tile *t, struct kx *const *begin, struct kx *row, struct kx *c, struct kx *kept)
{
	struct kx *lane = x_add(x_mul(row, x_i32(t->it->l->target->lanes)), t->lane);
	struct kx *all = x_add(x_add(begin[PART_KEPT], begin[PART_REJECTED]), x_add(x_mul(lane, x_i32(t->width)), c));
	return x_var(k_let(t->it->l->k, "rejected_rank", x_sub(all, kept)));
}

void held_stage(struct tile *t, const struct ranks *r, struct kx *const *begin)
{
	struct kernel *k = t->it->l->k;
	struct kx *row_begin = x_var(k_var(k, kt_scalar(T_I32), "row_begin", begin[PART_KEPT]));
	struct kx *row = x_var(k_for(k, "row", x_i32(0), x_i32(t->rows), x_i32(1), FOR_UNROLL));
	struct kx *rank[PART_COUNT] = { NULL };
	rank[0] = x_var(k_var(k, kt_scalar(T_I32), "rank", x_add(row_begin, tile_row_rank(r, r->before, row))));
	struct kx *c = x_var(k_for(k, "c", x_i32(0), x_i32(t->width), x_i32(1), FOR_UNROLL));
	bind_item(t, row, c);
	if (selection_has(t->it->node, PART_REJECTED)) {
		rank[1] = rejected_rank(t, begin, row, c, rank[0]);
		stage_both(t, rank);
	} else {
		stage_kept(t, rank[0]);
	}
	k_end(k);
	k_set(k, row_begin, x_add(row_begin, tile_row_rank(r, r->whole, row)));
	k_end(k);
}

/* Values staged from `begin` on go to places from `to` on; end of their ranks. */
struct moving { struct kx *array, *to, *staged, *begin, *end; };

static struct kx *place_of(const struct moving *m, struct kx *rank)
{
	return x_add(m->to, x_to_i64(rank));
}

static struct kx *value_of(const struct moving *m, struct kx *rank)
{
	return x_at(m->staged, x_add(m->begin, rank));
}

static void move_cell(struct kernel *k, const struct moving *m, struct kx *rank)
{
	k_if(k, x_and(x_le(x_i32(0), rank), x_lt(rank, m->end)));
	k_set(k, x_at(m->array, place_of(m, rank)), value_of(m, rank));
	k_end(k);
}

/* As many neighbours as a vector has, from `rank` on. */
static void move_vector(struct kernel *k, const struct moving *m, const struct var *var, struct kx *rank, struct kx *aligned)
{
	int cells = (int)(16 / type_size(var->type));
	k_if(k, x_and(aligned, x_and(x_le(x_i32(0), rank), x_le(x_add(rank, x_i32(cells)), m->end))));
	struct kvar *vector = k_var(k, kt_vector(var->type, cells), str_print("%s%d", var->name, cells), NULL);
	struct kx *c = x_var(k_for(k, "c", x_i32(0), x_i32(cells), x_i32(1), FOR_UNROLL));
	k_set(k, x_lane_at(x_var(vector), c), value_of(m, x_add(rank, c)));
	k_end(k);
	k_vstore(k, x_offset(m->array, place_of(m, rank)), x_var(vector));
	k_else(k);
	c = x_var(k_for(k, "c", x_i32(0), x_i32(cells), x_i32(1), FOR_ROLLED));
	move_cell(k, m, x_var(k_let(k, "single", x_add(rank, c))));
	k_end(k);
	k_end(k);
}

void held_move(struct tile *t, enum part part, int nth, struct kx *begin, struct kx *count, struct kx *to)
{
	const struct equation *eq = tile_nth(t->it->node, part, nth);
	struct lowering *l = t->it->l;
	struct kernel *k = l->k;
	const struct var *var = eq->target.at[0]->var;
	int cells = (int)(16 / type_size(var->type));
	struct moving m = { lower_pointer(l, var), to, x_var(tile_staged(t, nth, eq->right->type)), begin, NULL };
	struct kx *room = x_sub(lower_extent(l, var, 0), to), *arg[] = { host_var_x(l->plan, var), x_i64(16) };
	struct kx *aligned = x_help(kt_scalar(T_BOOL), "patc_aligned", 2, arg);
	aligned = lower_argument(l, str_print("%s_vectors", var->name), kt_scalar(T_BOOL), aligned);
	m.end = x_var(k_let(k, "end", x_to_i32(x_min(x_max(room, x_i64(0)), x_to_i64(count)))));
	struct kx *past = x_to_i32(x_op(OP_AND, to, x_i64(cells - 1)));
	struct kx *first = x_sub(x_mul(t->lane, x_i32(cells)), past);
	struct kx *rank = x_var(k_for(k, "rank", first, m.end, x_i32(l->target->lanes * cells), 0));
	move_vector(k, &m, var, rank, aligned);
	k_end(k);
}
