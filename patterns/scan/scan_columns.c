/* scan_columns.c - a scan along another axis than the last, on a GPU.
 *
 * Many columns (MARCH_COLUMNS) or short ones (MARCH_LENGTH): a thread takes one and goes down it, some positions at
 * a time; nothing is shared.
 *
 * Else columns are cut into tiles, so that the machine is full.  A block takes a strip of columns, neighbouring
 * lanes neighbouring vectors of them; its threads stand in groups one below another, each with some positions in
 * registers.  Two passes over those: the first folds the total of each column, which groups join in shared memory;
 * the second computes the cells from what comes before them.  One read and one write of memory.
 *
 * Above the block is the look-back (Merrill and Garland 2016): a tile publishes the total of each of its columns,
 * then, once it knows it, the prefix (with what comes before).  Each group of threads waits for another of the
 * tiles above; the farthest for a prefix, so that there is always one to begin with, the others for anything.  Then
 *     before = prefix joined with the totals behind it, from the top down:
 * a fold from left to right whichever prefixes were there, so that floats repeat bit for bit.  Tiles are drawn from a
 * counter, all strips of one height before those below, so whoever is waited for has begun.
 *
 * Lanes along a strip: the fewer, the more groups, and the farther a tile looks; with as many vectors in a row as
 * lanes squared, a tile sees all those above that may be under way.  But 64 bytes of a row stay together. */
#include <assert.h>
#include "scan.h"
#include "../state_words.h"
#include "columns.h"

enum {
	MARCH_COLUMNS = 1 << 17,                 /* 16 KB of f32 in flight a multiprocessor of an H200, 64 with 4 loads */
	MARCH_LENGTH = 32,                       /* of which most threads of a tile would have no position */
	TOGETHER = 4                             /* lanes along a strip at least, if there are columns for them */
};
enum { KNOWN_TOTAL = 1, KNOWN_PREFIX = 2 };

/* ---- totals of a thread's columns ---- */

/* One a column, in registers; begins: a sequence begins among the cells, the same for all columns. */
struct column_totals { struct kvar *value[8], *begins; };

struct tiles {
	struct columns *c;
	struct accumulators kinds;
	struct kx *lane_bits;                    /* log2 of the lanes along a strip */
	struct kx *lane, *group, *groups;        /* of the thread: along the strip, i32; below one another */
	struct kx *thread, *strips, *chunks, *strip, *chunk;
	struct kx *state;
	int words;                               /* of a column's total */
	struct kvar *shared[8], *shared_begins, *warp[8], *warp_begins;
};

static const char *named(const char *what, const struct accumulator *a)
{
	return str_print("%s_%s", what, accumulator_name(a));
}

static struct column_totals totals_new(struct tiles *t, const char *name)
{
	struct column_totals s = { .begins = NULL };
	for (int a = 0; a < t->kinds.n; a++)
		s.value[a] = k_regs(t->c->l->k, t->kinds.at[a].type, named(name, &t->kinds.at[a]), t->c->width);
	if (columns_marked(t->c))
		s.begins = k_var(t->c->l->k, kt_scalar(T_BOOL), str_print("%s_begins", name), x_int(T_BOOL, 0));
	return s;
}

static struct kx *total_at(const struct tiles *t, const struct column_totals *s, int a)
{
	return x_at(x_var(s->value[a]), t->c->c);
}

static struct kvar *copied(struct lowering *l, const struct type *type, const char *name, struct kx *value)
{
	if (type->kind != T_STRUCT)
		return k_var(l->k, kt(type), name, value);
	struct kvar *copy = k_var(l->k, kt(type), name, NULL);
	accumulator_copy(l, x_var(copy), value);
	return copy;
}

/* Variables of one column, with these values. */
static struct accumulators total_of(struct tiles *t, struct kx *const *value, const char *name)
{
	struct accumulators acc = t->kinds;
	for (int a = 0; a < acc.n; a++)
		acc.at[a].var = copied(t->c->l, acc.at[a].type, name, value[a]);
	return acc;
}

static struct accumulators column_total(struct tiles *t, const struct column_totals *s, const char *name)
{
	struct kx *value[8];
	for (int a = 0; a < t->kinds.n; a++)
		value[a] = total_at(t, s, a);
	return total_of(t, value, name);
}

static void put_total(struct tiles *t, const struct column_totals *s, const struct accumulators *acc)
{
	for (int a = 0; a < acc->n; a++)
		accumulator_copy(t->c->l, total_at(t, s, a), x_var(acc->at[a].var));
}

static void mark_begins(struct tiles *t, const struct column_totals *to, struct kx *other)
{
	if (to->begins)
		k_set(t->c->l->k, x_var(to->begins), x_or(x_var(to->begins), other));
}

/* acc is joined with what comes behind it, unless a sequence begins there. */
static void join(struct tiles *t, const struct accumulators *acc, const struct accumulators *behind, struct kx *begins)
{
	struct lowering *l = t->c->l;
	if (begins) {
		k_if(l->k, begins);
		for (int a = 0; a < acc->n; a++)
			accumulator_copy(l, x_var(acc->at[a].var), x_var(behind->at[a].var));
		k_else(l->k);
	}
	for (int a = 0; a < acc->n; a++)
		accumulate(l, &acc->at[a], x_var(behind->at[a].var));
	if (begins)
		k_end(l->k);
}

static struct kx *open_columns(struct tiles *t)
{
	struct columns *c = t->c;
	if (c->width > 1)
		c->c = x_var(k_for(c->l->k, "c", x_i32(0), x_i32(c->width), x_i32(1), FOR_UNROLL));
	return c->c;
}

static void close_columns(struct tiles *t)
{
	if (t->c->width > 1)
		k_end(t->c->l->k);
	t->c->c = x_i32(0);
}

/* to = from joined with behind; no two need be apart. */
static void join_all(struct tiles *t, const struct column_totals *to, const struct column_totals *from, const struct column_totals *behind)
{
	struct kx *begins = behind->begins ? x_var(behind->begins) : NULL;
	open_columns(t);
	struct accumulators acc = column_total(t, from, "joined"), other = column_total(t, behind, "behind");
	join(t, &acc, &other, begins);
	put_total(t, to, &acc);
	close_columns(t);
	if (to->begins)
		k_set(t->c->l->k, x_var(to->begins), x_or(x_var(from->begins), begins));
}

static void clear_totals(struct tiles *t, const struct column_totals *s)
{
	open_columns(t);
	for (int a = 0; a < t->kinds.n; a++)
		k_set(t->c->l->k, total_at(t, s, a), accumulator_start(t->c->l, &t->kinds.at[a]));
	close_columns(t);
}

/* ---- a block's memory ---- */

/* Of a column of this thread's, in one array a thread, in another a warp. */
static struct kx *thread_place(const struct tiles *t, struct kx *thread)
{
	return x_add(x_mul(t->c->c, x_i32(t->c->l->target->block)), thread);
}

static struct kx *warp_place(const struct tiles *t, struct kx *warp)
{
	int lanes = t->c->l->target->lanes, warps = t->c->l->target->block / lanes;
	struct kx *row = x_add(x_mul(t->c->c, x_i32(warps)), warp);
	return x_add(x_mul(row, x_i32(lanes)), t->lane);
}

static void declare_shared(struct tiles *t)
{
	struct kernel *k = t->c->l->k;
	int block = t->c->l->target->block;
	for (int a = 0; a < t->kinds.n; a++) {
		const struct type *type = t->kinds.at[a].type;
		t->shared[a] = k_shared(k, type, named("group", &t->kinds.at[a]), (int64_t)t->c->width * block);
		t->warp[a] = k_shared(k, type, named("warp", &t->kinds.at[a]), (int64_t)t->c->width * block);
	}
	t->shared_begins = k_shared(k, type_scalar(T_BOOL), "group_begins", block);
	if (columns_marked(t->c))
		t->warp_begins = k_shared(k, type_scalar(T_BOOL), "warp_begins", block);
}

typedef struct kx *place_of(const struct tiles *, struct kx *who);

static void share(struct tiles *t, const struct column_totals *s, struct kvar *const *memory, place_of *place, struct kx *who)
{
	open_columns(t);
	for (int a = 0; a < t->kinds.n; a++)
		accumulator_copy(t->c->l, x_at(x_var(memory[a]), place(t, who)), total_at(t, s, a));
	close_columns(t);
}

/* to is joined with what another thread, or warp, has shared. */
static void join_shared(struct tiles *t, const struct column_totals *to, struct kvar *const *memory, place_of *place,
                        struct kx *who, struct kx *begins)
{
	struct kx *value[8];
	open_columns(t);
	struct accumulators acc = column_total(t, to, "joined");
	for (int a = 0; a < t->kinds.n; a++)
		value[a] = x_at(x_var(memory[a]), place(t, who));
	struct accumulators other = total_of(t, value, "behind");
	join(t, &acc, &other, begins);
	put_total(t, to, &acc);
	close_columns(t);
	if (begins)
		mark_begins(t, to, begins);
}

static struct kx *group_lanes(const struct tiles *t)
{
	return x_op(OP_SHL, x_i32(1), t->lane_bits);
}

/* What the groups of this block before this one come to, in order: those of its warp, behind the warps before. */
static struct column_totals join_groups(struct tiles *t, const struct column_totals *own)
{
	struct lowering *l = t->c->l;
	struct kernel *k = l->k;
	struct column_totals before = totals_new(t, "before"), front = totals_new(t, "front");
	struct kx *lanes = x_i32(l->target->lanes), *begins = NULL;
	struct kx *warp = x_var(k_let(k, "warp", x_div(t->thread, lanes)));
	clear_totals(t, &before);
	clear_totals(t, &front);
	share(t, own, t->shared, thread_place, t->thread);
	if (own->begins)
		k_set(k, x_at(x_var(t->shared_begins), t->thread), x_var(own->begins));
	k_barrier(k);
	struct kx *other = x_var(k_for(k, "other", x_add(x_mul(warp, lanes), t->lane), t->thread, group_lanes(t), FOR_ROLLED));
	if (own->begins)
		begins = x_at(x_var(t->shared_begins), other);
	join_shared(t, &before, t->shared, thread_place, other, begins);
	k_end(k);
	k_if(k, x_le(lanes, x_add(x_rem(t->thread, lanes), group_lanes(t))));
	join_all(t, &front, &before, own);
	share(t, &front, t->warp, warp_place, warp);
	if (own->begins)
		k_set(k, x_at(x_var(t->warp_begins), x_add(x_mul(warp, lanes), t->lane)), x_var(front.begins));
	clear_totals(t, &front);
	if (own->begins)
		k_set(k, x_var(front.begins), x_int(T_BOOL, 0));
	k_end(k);
	k_barrier(k);
	struct kx *w = x_var(k_for(k, "w", x_i32(0), warp, x_i32(1), FOR_ROLLED));
	if (own->begins)
		begins = x_at(x_var(t->warp_begins), x_add(x_mul(w, lanes), t->lane));
	join_shared(t, &front, t->warp, warp_place, w, begins);
	k_end(k);
	join_all(t, &before, &front, &before);
	return before;
}

/* ---- look-back ---- */

static struct kx *word_place(const struct tiles *t, struct kx *chunk, int word)
{
	struct kx *row = x_add(x_mul(chunk, x_i64(t->words)), x_i64(word));
	return x_add(x_add(x_mul(row, t->c->columns), x_add(t->c->column, x_to_i64(t->c->c))), x_i64(1));
}

static void publish(struct tiles *t, const struct column_totals *s, struct kx *known)
{
	struct kx *place[STATE_WORDS];
	open_columns(t);
	struct accumulators acc = column_total(t, s, "published");
	for (int i = 0; i < t->words; i++)
		place[i] = x_offset(t->state, word_place(t, t->chunk, i));
	state_store(t->c->l, place, &acc, known);
	close_columns(t);
}

static struct kx *word_of(const struct tiles *t, struct kvar *words, int i)
{
	return x_at(x_var(words), x_add(x_mul(t->c->c, x_i32(t->words)), x_i32(i)));
}

/* Waits until `least` is known of all columns of the tile at that height, of all of them the same. */
static struct kx *wait_for(struct tiles *t, struct kvar *words, struct kx *chunk, struct kx *least)
{
	struct kernel *k = t->c->l->k;
	struct kx *known = x_var(k_var(k, kt_scalar(T_U32), "known", x_int(T_U32, 0)));
	k_while(k, x_lt(known, least));
	open_columns(t);
	for (int i = 0; i < t->words; i++)
		k_set(k, word_of(t, words, i), state_load(x_offset(t->state, word_place(t, chunk, i))));
	close_columns(t);
	k_set(k, known, state_known(x_at(x_var(words), x_i32(0))));
	open_columns(t);
	for (int i = 0; i < t->words; i++) {
		k_if(k, x_ne(state_known(word_of(t, words, i)), known));
		k_set(k, known, x_int(T_U32, 0));
		k_end(k);
	}
	close_columns(t);
	k_end(k);
	return known;
}

/* Each group shares what one of the tiles above shows, the first group that of the nearest. */
static void share_above(struct tiles *t, const struct column_totals *above)
{
	struct kernel *k = t->c->l->k;
	struct kvar *words = k_regs(k, type_scalar(T_U64), "word", (int64_t)t->c->width * t->words);
	struct kx *shows = x_var(k_var(k, kt_scalar(T_BOOL), "shows", x_int(T_BOOL, 1))), *word[STATE_WORDS];
	struct kx *chunk = x_sub(x_sub(t->chunk, x_i64(1)), x_to_i64(t->group));
	chunk = x_var(k_let(k, "above", chunk));
	k_if(k, x_and(x_le(x_i64(0), chunk), columns_live(t->c)));
	struct kx *farthest = x_or(x_eq(chunk, x_i64(0)), x_eq(t->group, x_sub(t->groups, x_i32(1))));
	struct kx *least = x_cond(farthest, x_int(T_U32, KNOWN_PREFIX), x_int(T_U32, KNOWN_TOTAL));
	least = x_var(k_let(k, "least", least));
	k_set(k, shows, x_eq(wait_for(t, words, chunk, least), x_int(T_U32, KNOWN_PREFIX)));
	open_columns(t);
	for (int i = 0; i < t->words; i++)
		word[i] = word_of(t, words, i);
	struct accumulators acc = column_total(t, above, "shown");
	state_take(t->c->l, word, &acc);
	put_total(t, above, &acc);
	close_columns(t);
	k_end(k);
	share(t, above, t->shared, thread_place, t->thread);
	k_set(k, x_at(x_var(t->shared_begins), t->thread), shows);
	k_barrier(k);
}

/* From the nearest tile above that shows its prefix down to this one. */
static void fold_above(struct tiles *t, const struct column_totals *above)
{
	struct kernel *k = t->c->l->k;
	struct kx *at = x_var(k_var(k, kt_scalar(T_I32), "at", t->lane)), *none = x_i32(0);
	k_while(k, x_unary(OP_NOT, x_at(x_var(t->shared_begins), at)));
	k_set(k, at, x_add(at, group_lanes(t)));
	k_end(k);
	clear_totals(t, above);
	k_while(k, x_le(none, at));
	join_shared(t, above, t->shared, thread_place, at, NULL);
	k_set(k, at, x_sub(at, group_lanes(t)));
	k_end(k);
}

static struct kx *in_last_group(struct tiles *t)
{
	return x_and(x_eq(t->group, x_sub(t->groups, x_i32(1))), columns_live(t->c));
}

/* before, of this block, becomes that of all tiles above too. */
static void look_back(struct tiles *t, const struct column_totals *before, const struct column_totals *own)
{
	struct kernel *k = t->c->l->k;
	struct column_totals all = totals_new(t, "all"), above = totals_new(t, "above");
	struct kx *first = x_eq(t->chunk, x_i64(0)), *whole = first;
	join_all(t, &all, before, own);
	if (all.begins)
		whole = x_var(k_let(k, "whole", x_or(first, x_var(all.begins))));
	k_if(k, in_last_group(t));
	publish(t, &all, x_cond(whole, x_int(T_U32, KNOWN_PREFIX), x_int(T_U32, KNOWN_TOTAL)));
	k_end(k);
	clear_totals(t, &above);
	share_above(t, &above);
	k_if(k, x_lt(x_i64(0), t->chunk));
	fold_above(t, &above);
	k_if(k, x_and(in_last_group(t), x_unary(OP_NOT, whole)));
	join_all(t, &all, &above, &all);
	publish(t, &all, x_int(T_U32, KNOWN_PREFIX));
	k_end(k);
	join_all(t, before, &above, before);
	k_end(k);
}

/* ---- tiles ---- */

static void fold_totals(struct tiles *t, const struct column_totals *own)
{
	struct columns *c = t->c;
	columns_each(c);
	struct accumulators total = carry_total(c->carry);
	struct kx *head = columns_cell(c);
	carry_add(c->carry, &total, head);
	columns_cell_end(c);
	put_total(t, own, &total);
	columns_each_end(c);
	if (!own->begins)
		return;
	struct kx *marked = c->heads ? x_ne(x_var(c->heads), x_int(T_U32, 0))
	                             : x_and(x_eq(c->first, x_i64(0)), x_lt(x_i32(0), c->count));
	k_set(c->l->k, x_var(own->begins), marked);
}

/* What `from` reads is there if there are cells. */
static void compute_cells(struct tiles *t, const struct column_totals *before)
{
	struct columns *c = t->c;
	k_if(c->l->k, x_lt(x_i32(0), c->count));
	columns_each(c);
	struct accumulators state = column_total(t, before, "entry");
	carry_resume(c->carry, &state);
	carry_cell(c->carry, columns_cell(c), columns_store, c);
	columns_cell_end(c);
	columns_each_end(c);
	columns_flush(c);
	k_end(c->l->k);
}

/* The tile's number: drawn where tiles wait for each other. */
static struct kx *draw_tile(struct tiles *t)
{
	struct kernel *k = t->c->l->k;
	struct kvar *drawn = k_shared(k, type_scalar(T_I64), "drawn", 1);
	struct kx *tile = x_var(k_var(k, kt_scalar(T_I64), "tile", x_to_i64(x_id(ID_BLOCK_X)))), *arg[] = { t->state };
	k_if(k, x_lt(x_i64(1), t->chunks));
	k_if(k, x_eq(t->thread, x_i32(0)));
	k_set(k, x_at(x_var(drawn), x_i32(0)), x_help(kt_scalar(T_I64), "patc_draw", 1, arg));
	k_end(k);
	k_barrier(k);
	k_set(k, tile, x_at(x_var(drawn), x_i32(0)));
	k_end(k);
	return tile;
}

static void place_thread(struct tiles *t)
{
	struct lowering *l = t->c->l;
	struct kernel *k = l->k;
	t->thread = x_var(k_let(k, "thread", block_thread(l)));
	t->lane = x_var(k_let(k, "lane", x_op(OP_AND, t->thread, x_sub(group_lanes(t), x_i32(1)))));
	t->group = x_var(k_let(k, "group", x_op(OP_SHR, t->thread, t->lane_bits)));
	t->groups = x_var(k_let(k, "groups", x_op(OP_SHR, x_i32(l->target->block), t->lane_bits)));
	struct kx *tile = draw_tile(t);
	t->chunk = x_var(k_let(k, "chunk", x_div(tile, t->strips)));
	t->strip = x_var(k_let(k, "strip", x_rem(tile, t->strips)));
	struct kx *vector = x_add(x_mul(t->strip, x_to_i64(group_lanes(t))), x_to_i64(t->lane));
	columns_place(t->c, x_mul(vector, x_i64(t->c->width)));
}

/* log2 of the lanes along a strip. */
static struct kx *choose_lane_bits(struct tiles *t, struct kx *vectors)
{
	struct kx *bits = x_i32(0);
	for (int b = 1; 1 << b <= t->c->l->target->lanes; b++) {
		struct kx *few = x_le(x_i64((int64_t)1 << 2 * b), vectors);
		if (1 << b <= TOGETHER)
			few = x_lt(x_i64((int64_t)1 << (b - 1)), vectors);
		bits = x_cond(few, x_i32(b), bits);
	}
	return bits;
}

/* The tiles, and what they publish: a word each of a total, a column and a height; the first counts tiles. */
static struct kx *host_tiles(struct tiles *t, struct plan *plan, struct kx **bytes)
{
	struct columns *c = t->c;
	const struct reach *r = c->reach;
	struct kx *vectors = x_div_up(r->columns, x_i64(c->width)), *block = x_i64(c->l->target->block);
	struct kx *bits = plan_let(plan, "lane_bits", choose_lane_bits(t, vectors));
	struct kx *height = x_mul(x_op(OP_SHR, block, bits), x_i64(c->rows));
	struct kx *strips = plan_let(plan, "strips", x_div_up(vectors, x_op(OP_SHL, x_i64(1), bits)));
	struct kx *chunks = plan_let(plan, "chunks", x_div_up(r->length, height));
	t->lane_bits = lower_argument(c->l, "lane_bits", kt_scalar(T_I32), bits);
	t->strips = lower_argument(c->l, "strips", kt_scalar(T_I64), strips);
	t->chunks = lower_argument(c->l, "chunks", kt_scalar(T_I64), chunks);
	struct kx *words = x_mul(x_mul(chunks, r->columns), x_i64(t->words));
	*bytes = x_cond(x_lt(x_i64(1), chunks), x_mul(x_add(words, x_i64(1)), x_i64(8)), x_i64(0));
	return x_mul(strips, chunks);
}

/* Two tiles and more in a column: fewer words than twice the cells by the least height of a tile. */
static struct kx *most_words(struct tiles *t)
{
	struct columns *c = t->c;
	int64_t least = (int64_t)c->l->target->block / c->l->target->lanes * c->rows;
	return x_add(x_mul(x_div(c->reach->cells, x_i64(least)), x_i64(2 * t->words)), x_i64(1));
}

/* The single columns use the words of the vectors, which are more: their tiles are higher. */
static void lower_tiles(struct plan *plan, const struct node *node, const struct reach *reach, int width, struct kx **state)
{
	struct tiles t = { .c = columns_open(plan, node, reach, *state ? "_single" : "_tiles", width) };
	struct lowering *l = t.c->l;
	t.kinds = carry_kinds(t.c->carry);
	t.words = state_words(&t.kinds);
	struct kx *most = most_words(&t), *bytes, *tiles = host_tiles(&t, plan, &bytes);
	if (!*state)
		*state = x_var(plan_slot(plan, "state", type_scalar(T_U64), 1, &most));
	t.state = lower_argument(l, "state", kt_pointer(type_scalar(T_U64), false), *state);
	l->k->note = "Tiles of columns: their totals, what comes before them, then their cells.";
	declare_shared(&t);
	place_thread(&t);
	struct kx *position = x_add(x_mul(t.chunk, x_to_i64(t.groups)), x_to_i64(t.group));
	columns_take(t.c, x_mul(position, x_i64(t.c->rows)));
	struct column_totals own = totals_new(&t, "own");
	fold_totals(&t, &own);
	struct column_totals before = join_groups(&t, &own);
	k_if(l->k, x_lt(x_i64(1), t.chunks));
	look_back(&t, &before, &own);
	k_end(l->k);
	compute_cells(&t, &before);
	k_clear(plan->host, *state, bytes);
	lowering_launch(l, tiles, x_i64(1), x_i64(1));
}

/* ---- one thread a column ---- */

static void lower_march(struct plan *plan, const struct node *node, const struct reach *reach, const char *suffix)
{
	struct columns *c = columns_open(plan, node, reach, suffix, 1);
	struct lowering *l = c->l;
	struct kx *block = x_i64(l->target->block);
	l->k->note = "A thread goes down a column, cell after cell.";
	columns_place(c, x_add(x_mul(x_to_i64(x_id(ID_BLOCK_X)), block), x_to_i64(block_thread(l))));
	k_if(l->k, x_lt(x_i64(0), c->length));
	carry_resume(c->carry, NULL);
	columns_take(c, x_var(k_for(l->k, "top", x_i64(0), c->length, x_i64(c->rows), FOR_ROLLED)));
	carry_cell(c->carry, columns_cell(c), columns_store, c);
	columns_cell_end(c);
	k_end(l->k);
	k_end(l->k);
	lowering_launch(l, x_div_up(reach->columns, block), x_i64(1), x_i64(1));
}

/* ---- which of them ---- */

/* Rows are whole vectors at multiples of a vector. */
static struct kx *rows_aligned(struct plan *plan, const struct node *node, const struct reach *reach, int width)
{
	struct cells *c = cells_beside(host_lowering(plan), node);
	int last = node->index.n - 1;
	struct kx *whole = x_eq(x_rem(reach->size[last], x_i64(width)), x_i64(0));
	if (!x_is_int(reach->lo[last], 0))
		whole = x_and(x_eq(x_rem(reach->lo[last], x_i64(width)), x_i64(0)), whole);
	c->width = width;
	return x_and(whole, cells_aligned(c));
}

void scan_columns(struct plan *plan, const struct node *node)
{
	cells_check_ranges(plan, node);
	struct reach reach = columns_reach(plan, node);
	const struct carry *carry = carry_open(NULL, node);
	const struct accumulators kinds = carry_kinds(carry);
	struct kx *state = NULL;
	int width = columns_width(node);
	if (!carry_joins(carry) || !accumulators_fit(&kinds) || !columns_fit(plan->target, carry, 1) || !reach.cells) {
		lower_march(plan, node, &reach, "");
		return;
	}
	k_if(plan->host, x_or(x_le(x_i64(MARCH_COLUMNS), reach.columns), x_le(reach.length, x_i64(MARCH_LENGTH))));
	lower_march(plan, node, &reach, "");
	k_else(plan->host);
	if (width > 1) {
		k_if(plan->host, rows_aligned(plan, node, &reach, width));
		lower_tiles(plan, node, &reach, width, &state);
		k_else(plan->host);
	}
	lower_tiles(plan, node, &reach, 1, &state);
	if (width > 1)
		k_end(plan->host);
	k_end(plan->host);
}
