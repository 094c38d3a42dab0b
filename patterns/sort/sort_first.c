/* sort_first.c - few first elements of long sequences: first.kernel.
 *
 * A block goes over a sequence once, chunk by chunk, and keeps in shared memory what is not after
 * a limit: an element that as many as are wanted are known not to be after.  Where another chunk
 * might not find room, what is kept is sorted, only the wanted ones stay, and the last of them is
 * the limit from there on.  So nothing depends on luck: keys that fall cost a sort for each chunk
 * or two, and no more memory.
 *
 * A first limit is found in the first chunk, without sorting it: each warp sorts the first ones of
 * two groups of each lane's elements, and takes as many of them as are its share.  Of a row of 8192
 * keys some dozens are kept then where 8 are wanted, and a warp sorts them.  A chunk after one with
 * many elements before the limit is looked at likewise.
 *
 * Where sequences are many, a warp goes over each.  It sorts in batches of a few registers; with
 * registers for all that it keeps it took 0.160 ms in place of 0.123 on an H100, for the places of
 * the first 8 of each row of 8192^2 keys.  A warp that keeps more than 32 takes longer chunks, of
 * which it finds the first ones of more groups: with twice as many words as are wanted the limit is
 * seldom far off.
 *
 * Where lengths are data, or a block each would be too few, blocks keep the first elements of parts
 * of the long sequences, from the list of tiles that is sorted otherwise.  A second launch keeps
 * those of all parts of a sequence, and moves them.
 *
 * Sequences too few to keep a machine busy have their candidates picked before: sort_pick.c. */
#include "sort_gpu.h"

enum set { FEW, SOME, ALL, SETS };           /* of registers that sort: first.kernel */
enum {
	SOME_BITS = 2,                       /* elements of a lane: 2^bits */
	WARP_CHUNK_BITS = 10,                /* elements of a chunk at most, of a warp */
	WARP_SPARE = 512,                    /* elements it keeps beside a chunk, at most */
	PART_TILES = 16,                     /* of a part of a sequence */
	PART_BLOCKS = 8                      /* of a multiprocessor, that stride */
};
enum { BLOCKS = 3 };                         /* whose registers a multiprocessor is to have */

struct keeper {
	const struct sorter *s;
	struct keeping {
		int threads;                 /* of a block, which may be one warp */
		/* 2^bits elements a thread: of a chunk, in groups, of FEW, of the wanted ones */
		int scanned, bound, few, moved;
		int chunk, room;             /* elements: of a chunk, that are kept */
	} is;
	struct elements *set[SETS], *one;    /* places of all are in what the block keeps */
	struct elements *word, *bound, *limit, *found;   /* of words */
	struct elements *picked, *part;      /* places are those of candidates; or NULL */
	struct visit *visit;                 /* that moves what is kept */
	struct kx *lane_bits;                /* of a warp */
	enum { NO_PARTS, EACH_PART, OF_PARTS } parts;    /* goes over parts, or what these keep */
};

int64_t sort_first_most(const struct sorter *s)
{
	return s->tile / 2;
}

int64_t sort_first_part(const struct sorter *s)
{
	return PART_TILES * s->tile;
}

/* With some bytes for what the threads have in common. */
bool sort_first_fits(const struct sorter *s)
{
	int64_t bytes = s->tile * (type_size(s->key) + (s->tag ? type_size(s->tag) : 0)) + 1024;
	return bytes <= s->plan->target->shared_bytes;
}

static int least(int a, int b)
{
	return a < b ? a : b;
}

static int some_bits(const struct sorter *s)
{
	return least(s->block_bits, SOME_BITS);
}

static struct keeping keeping_of_block(const struct sorter *s)
{
	int bits = s->block_bits;
	return (struct keeping){ SORT_THREADS, .scanned = bits - 1, .bound = 1,
		                 .few = some_bits(s), .moved = bits - 1,
		                 .chunk = SORT_THREADS << (bits - 1),
		                 .room = SORT_THREADS << bits };
}

/* With each step of `wide` twice as many are wanted, of chunks that are twice as long; the first
 * elements of twice as many groups give the limit. */
static struct keeping keeping_of_warp(const struct sorter *s, int wide)
{
	int lanes = s->plan->target->lanes, lane_bits = log2_of(lanes);
	struct keeping is = { lanes, .scanned = s->block_bits - 1, .bound = 1,
		              .few = some_bits(s) };
	if (wide) {
		is.scanned = least(is.scanned + wide, WARP_CHUNK_BITS - lane_bits);
		is.bound += wide;
		is.few = least(is.few + (wide + 1) / 2, s->block_bits);
		for (int64_t most = sort_first_warps_most(wide); lanes << is.moved < most;)
			is.moved++;
	}
	is.chunk = lanes << is.scanned;
	is.room = is.chunk + least(is.chunk, WARP_SPARE);
	return is;
}

int64_t sort_first_warps_most(int wide)
{
	return INT64_C(32) << wide;
}

int64_t sort_first_warps_cells(const struct sorter *s, int wide)
{
	return keeping_of_warp(s, wide).chunk;
}

/* A batch has room for as many others as are wanted, and a limit does not need all words. */
bool sort_first_warps_fit(const struct sorter *s, int wide)
{
	struct keeping is = keeping_of_warp(s, wide);
	int64_t batch = (int64_t)is.threads << is.few;
	return !wide || (is.bound < is.scanned && 2 * sort_first_warps_most(wide) <= batch);
}

/* ---- elements ---- */

/* While it is sorted, what is kept is traded in the same memory. */
static struct elements *kept(const struct keeper *k, struct lowering *l, const char *prefix,
                             int bits, bool block, struct kvar *keys, struct kvar *tags)
{
	const struct sorter *s = k->s;
	struct elements *it = elements_new(s, l, prefix, bits, false);
	it->keys = x_var(keys);
	it->tags = tags ? x_var(tags) : NULL;
	it->key_memory = block ? keys : NULL;
	it->tag_memory = block ? tags : NULL;
	return it;
}

static void find_elements(struct keeper *k, struct lowering *l)
{
	const struct sorter *s = k->s, *words = sorter_of_words(s);
	int64_t room = k->is.room;
	int warps = k->is.threads / l->target->lanes;
	bool block = warps > 1;
	struct kvar *keys = k_shared(l->k, s->key, "kept_key", room);
	struct kvar *tags = s->tag ? k_shared(l->k, s->tag, "kept_tag", room) : NULL;
	struct kvar *limits = k_shared(l->k, words->key, "warp_limit", warps);
	if (block) {
		k->set[ALL] = kept(k, l, "", s->block_bits, true, keys, tags);
		k->set[SOME] = kept(k, l, "some_", some_bits(s), true, keys, tags);
	}
	k->set[FEW] = kept(k, l, "few_", k->is.few, false, keys, tags);
	k->one = kept(k, l, "one_", 0, false, keys, tags);
	k->word = elements_new(words, l, "word_", k->is.scanned, false);
	k->limit = elements_new(words, l, "limit_", 0, false);
	k->found = elements_new(words, l, "found_", 0, false);
	k->bound = elements_new(words, l, "bound_", k->is.bound, false);
	k->bound->keys = x_var(limits);
}

static void elements_are(const struct keeper *k, struct kx *n)
{
	for (int set = 0; set < SETS; set++)
		if (k->set[set])
			k->set[set]->n = n;
}

/* The set that a text names by its number. */
static const struct elements *set_of(const struct keeper *k, struct kx *number)
{
	int64_t set;
	return x_constant(number, &set) ? k->set[set] : NULL;
}

static struct kx *lane_bits_of(const struct keeper *k, const struct elements *it)
{
	return it->key_memory ? x_i32(SORT_LANE_BITS) : k->lane_bits;
}

static struct kx *first_rank(const struct keeper *k, const struct elements *it, struct kx *lane)
{
	return network_lane_rank(it->l->k, it->bits, lane_bits_of(k, it), false, lane, it->loops);
}

static struct kx *rank(const struct keeper *k, const struct elements *it, struct kx *e,
                       struct kx *first)
{
	return elements_rank(it, e, first, lane_bits_of(k, it), false);
}

static void take(const struct keeper *k, struct kx *place)
{
	elements_put(k->one, x_i32(0), place);
}

static void take_cell(const struct keeper *k, struct kx *number, struct kx *place)
{
	elements_load(k->one, x_i32(0), number);
	take(k, place);
}

static void take_picked(const struct keeper *k, struct kx *at, struct kx *place)
{
	elements_get(k->picked, x_i32(0), at);
	take(k, place);
}

#define CALLS(DO, GET) \
	DO(elements_are, elements_are(k, arg[0])) \
	DO(load_word, elements_load(k->word, arg[0], NULL)) \
	DO(word_picked, elements_get_word(k->word, arg[0], k->picked, arg[1])) \
	DO(get_limit, elements_get_word(k->limit, x_i32(0), k->one, arg[0])) \
	GET(before_limit, elements_first(k->word, arg[0], k->limit, x_i32(0))) \
	GET(limit_before, elements_first(k->limit, x_i32(0), k->word, arg[0])) \
	DO(take_cell, take_cell(k, arg[0], arg[1])) \
	DO(take_picked, take_picked(k, arg[0], arg[1])) \
	DO(put_part, elements_put(k->part, arg[0], arg[1])) \
	GET(before_bound, elements_first(k->word, arg[0], k->bound, arg[1])) \
	DO(copy_bound, elements_copy(k->bound, arg[0], k->word, arg[1])) \
	DO(sort_bound, elements_sort(k->bound, k->lane_bits, arg[0])) \
	GET(bound_first_rank, first_rank(k, k->bound, arg[0])) \
	GET(bound_rank, rank(k, k->bound, arg[0], arg[1])) \
	DO(put_warp_limit, elements_put(k->bound, arg[0], arg[1])) \
	DO(get_found, elements_get_word(k->found, x_i32(0), k->bound, arg[0])) \
	GET(found_before, elements_at_first(k->found, x_i32(0), k->bound, arg[0])) \
	GET(found_before_limit, elements_first(k->found, x_i32(0), k->limit, x_i32(0))) \
	DO(take_found, elements_copy(k->limit, x_i32(0), k->found, x_i32(0))) \
	DO(pad, elements_pad(set_of(k, arg[0]), arg[1])) \
	DO(get, elements_get(set_of(k, arg[0]), arg[1], arg[2])) \
	DO(put, elements_put(set_of(k, arg[0]), arg[1], arg[2])) \
	DO(sort, elements_sort(set_of(k, arg[0]), lane_bits_of(k, set_of(k, arg[0])), arg[1])) \
	GET(first_rank, first_rank(k, set_of(k, arg[0]), arg[1])) \
	GET(rank, rank(k, set_of(k, arg[0]), arg[1], arg[2])) \
	DO(move_arrays, visit_move(k->visit, k->is.moved, k->set[ALL] != NULL))

#define HOLE_DO(name, call) KTEXT_CALL(const struct keeper, k, name, call; return NULL;)
#define HOLE_GET(name, value) KTEXT_CALL(const struct keeper, k, name, return value;)

CALLS(HOLE_DO, HOLE_GET)

/* ---- the kernels ---- */

static void bind_keeping(const struct keeper *keeper, struct kernel *k)
{
	const struct keeping *is = &keeper->is;
	const struct sorter *s = keeper->s;
	int some = some_bits(s), lanes = s->plan->target->lanes;
	k_numbers(k, "THREADS, WARPS, SCANNED, CHUNK, ROOM", is->threads, is->threads / lanes,
	          1 << is->scanned, is->chunk, is->room);
	k_numbers(k, "EACH, SOME_EACH, FEW_EACH, MOVED", 1 << s->block_bits, 1 << some,
	          1 << is->few, 1 << is->moved);
	k_numbers(k, "FEW, SOME, ALL, FEW_CELLS, SOME_CELLS", FEW, SOME, ALL, lanes << is->few,
	          is->threads << some);
	k_numbers(k, "GROUPS, MOST_BOUND, FUNCTION", 1 << is->bound,
	          is->threads << (is->bound - 1), s->node->sorting->order == ORDER_LESS);
	k_numbers(k, "PICKED, MIXED, PARTS", s->picked || keeper->parts == OF_PARTS,
	          s->picked != NULL, keeper->parts == OF_PARTS);
	k_numbers(k, "PART, PART_TILES", sort_first_part(s), PART_TILES);
}

/* A kernel that keeps elements, but for what it goes over. */
static struct lowering *open_keeper(struct keeper *k, const char *suffix, const char *note)
{
	const struct sorter *s = k->s;
	struct lowering *l = sort_kernel(s, suffix, note);
	const struct target *t = l->target;
	bool warp = k->is.threads == t->lanes;
	bool one = warp || k->parts || s->picked || !sort_word_bits(s->node);
	k->lane_bits = x_i32(log2_of(t->lanes));
	l->k->block[0] = k->is.threads;
	l->k->min_blocks = one ? 1 : BLOCKS;
	k_bind(l->k, "thread", let(l, "thread", block_thread(l)));
	find_elements(k, l);
	k->visit = visit_striped(s, l, k->set[warp ? FEW : ALL], k->is.threads);
	bind_keeping(k, l->k);
	return l;
}

static void first_by(const struct sorter *s, struct keeping is, const char *suffix,
                     const char *note)
{
	struct keeper k = { .s = s, .is = is };
	struct lowering *l = open_keeper(&k, suffix, note);
	if (s->picked)
		k.picked = sort_bind_picked(s, l, k.one);
	k_bind(l->k, "sequences", lower_argument(l, "sequences", kt_scalar(T_I64), s->sequences));
	k_bind_calls(l->k, &k, CALLS(KTEXT_ROW, KTEXT_ROW));
	k_text(l->k, "keep_first");
	lowering_launch_strided(l, s->sequences);
}

void sort_first_blocks(const struct sorter *s)
{
	first_by(s, keeping_of_block(s), "_first", "Keeps the first elements of each sequence.");
}

/* A warp is a block of its own: where four shared one, compilers did not see what is the same in
 * all lanes, and rows of 8192 keys took 0.184 ms in place of 0.160 on an H100. */
void sort_first_warps(const struct sorter *s, int wide)
{
	const char *suffix = wide ? str_print("_first_%d", (int)sort_first_warps_most(wide))
	                          : "_first_warps";
	first_by(s, keeping_of_warp(s, wide), suffix,
	         "Keeps the first elements of each sequence, a warp a sequence.");
}

/* The same registers; places are in the workspace. */
static struct elements *in_workspace(const struct elements *of)
{
	struct elements *it = NEW(struct elements);
	*it = *of;
	elements_workspace(it);
	return it;
}

static void keep_parts(struct keeper k, const char *suffix, const char *note)
{
	struct lowering *l = open_keeper(&k, suffix, note);
	int64_t most = (int64_t)PART_BLOCKS * l->target->units;
	if (k.parts == EACH_PART)
		k.part = in_workspace(k.set[ALL]);
	else
		k.picked = in_workspace(k.one);
	sort_bind_tiles(k.s, l, NULL);
	k_bind_calls(l->k, &k, CALLS(KTEXT_ROW, KTEXT_ROW));
	k_text(l->k, "keep_parts");
	lowering_launch(l, x_min(x_div_up(sort_tiles_of(k.s), x_i64(PART_TILES)), x_i64(most)),
	                x_i64(1), x_i64(1));
}

void sort_first_parts(const struct sorter *s)
{
	struct keeper k = { .s = s, .is = keeping_of_block(s), .parts = EACH_PART };
	keep_parts(k, "_parts", "Keeps the first elements of each part of long sequences.");
	k.parts = OF_PARTS;
	keep_parts(k, "_of_parts", "Keeps the first elements of those that parts keep.");
}
