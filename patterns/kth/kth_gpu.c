/* kth_gpu.c - a value of each sequence by its place, on a GPU.
 *
 * Short sequences are sorted in registers, as those of a sort.  Of longer ones the words of the
 * keys are counted in bins, from the highest bits down (kth.kernel): by a block a sequence, where
 * there are many; else by all blocks, a launch for each pass, in a window of words that a sample
 * guesses.  The first pass then reads each cell once, and lists the words in the window, some 5 of
 * 100, which the others read; a window that is too small is seen, and costs passes over all
 * cells. */
#include "kth.h"
#include "../sort/sort_gpu.h"
#include "../ways.h"

enum {
	BIN_BITS = 10, BINS = 1 << BIN_BITS,
	STATE = 6,                           /* words of a sequence's state */
	LIST_SHARE = 6,                      /* of the cells that may be listed */
	STAGED_EACH = 20,                    /* words a thread stages: more than it has at once */
	/* of a multiprocessor; fewer where words are tested, and where cells are of several axes */
	PASS_BLOCKS = 4,
	ALL_CELLS = 1 << 16                  /* from which on all blocks read a sequence */
};

struct selector {
	struct sorter *s;                    /* of words: its elements have no tags */
	struct kx *place;                    /* host; or NULL */
	/* states, pass after pass; bins, counters and tickets; words that are listed */
	struct kvar *states, *bins, *below, *ticket, *listed, *list;
	struct kx *room;
	struct elements *word, *listed_word;
	struct kvar *taken;                  /* registers: do words count; or NULL: all do */
};

static const struct node *node_of(const struct selector *k)
{
	return k->s->node;
}

static int word_bits(const struct selector *k)
{
	return sort_word_bits(node_of(k));
}

/* ---- texts ---- */

static void list_word(const struct selector *k, struct lowering *l, struct kx *to, struct kx *word)
{
	k_set(l->k, x_at(k->listed_word->keys, to), word);
}

static struct kx *word_of(const struct selector *k, struct kx *e)
{
	return x_at(x_var(k->word->key), e);
}

static struct kx *taken_at(const struct selector *k, struct kx *e)
{
	return x_at(x_var(k->taken), e);
}

static void load_word(const struct selector *k, struct lowering *l, struct kx *e)
{
	if (k->taken) {
		k_set(l->k, taken_at(k, e), kth_taken(l, node_of(k)));
		k_if(l->k, taken_at(k, e));
	}
	elements_load(k->word, e, NULL);
	if (k->taken)
		k_end(l->k);
}

#define CALLS(DO, GET) \
	DO(find_place, kth_bind_own_place(l, node_of(k))) \
	DO(load_word, load_word(k, l, arg[0])) \
	GET(is_taken, taken_at(k, arg[0])) \
	DO(take, k_set(l->k, taken_at(k, arg[0]), x_int(T_BOOL, 1))) \
	DO(record, lower_status(l, arg[0], ST_INDEX)) \
	GET(word, word_of(k, arg[0])) \
	DO(word_listed, elements_get(k->listed_word, arg[0], arg[1])) \
	DO(list_word, list_word(k, l, arg[0], arg[1])) \
	DO(store, sort_store_kth(l, node_of(k), arg[0]))

#define HOLE_DO(name, call) KTEXT_CALL(const struct selector, k, name, call; return NULL;)
#define HOLE_GET(name, value) KTEXT_CALL(const struct selector, k, name, return value;)

CALLS(HOLE_DO, HOLE_GET)

static struct lowering *open_kernel(struct selector *k, const char *suffix, const char *note)
{
	struct lowering *l = sort_kernel(k->s, suffix, note);
	int each = 1 << k->s->block_bits;
	k_bind(l->k, "thread", let(l, "thread", block_thread(l)));
	k_bind(l->k, "WORD", k->s->key);
	k_numbers(l->k, "WARPS, EACH, TILE, BINS, BIN_BITS, WORD_BITS, WIDE, STATE",
	          SORT_THREADS / l->target->lanes, each, each * SORT_THREADS, BINS, BIN_BITS,
	          word_bits(k), (int)(8 * type_size(k->s->key)), STATE);
	k_bind(l->k, "NONE", x_int(T_U64, -1));
	k_bind(l->k, "MASKED", kth_may_lack(node_of(k)));
	if (kth_may_lack(node_of(k)))
		k->taken = k_regs(l->k, type_scalar(T_BOOL), "taken", each);
	kth_bind_place(l, node_of(k), k->place);
	return l;
}

/* ---- by blocks ---- */

static void select_by_blocks(struct selector *k)
{
	struct lowering *l = open_kernel(
		k, "", "Counts the words of a sequence, from their highest bits down.");
	k->word = elements_new(k->s, l, "word_", k->s->block_bits, false);
	k_bind(l->k, "sequences",
	       lower_argument(l, "sequences", kt_scalar(T_I64), k->s->sequences));
	k_bind_calls(l->k, k, CALLS(KTEXT_ROW, KTEXT_ROW));
	k_text(l->k, "select_by_blocks");
	lowering_launch_strided(l, k->s->sequences);
}

/* ---- by all blocks ---- */

/* As many as are needed: one that finds the guess to be wrong, or its words to be too many; one for
 * the bits of each bin; one that lists words. */
static int passes_of(const struct selector *k)
{
	int passes = 2;
	for (int bits = word_bits(k); bits > 0; bits -= BIN_BITS)
		passes++;
	return passes;
}

/* So many sequences are long, and too few for a block each. */
static struct kx *are_shared(const struct selector *k, struct kx *sequences)
{
	struct kx *few = x_le(sequences, x_i64(k->s->plan->target->units));
	return kx_fold(x_and(few, x_lt(x_i64(ALL_CELLS), k->s->cells)));
}

/* None where blocks take one each: over sizes, since counters are cleared before all statements. */
static void find_slots(struct selector *k)
{
	struct plan *plan = k->s->plan;
	struct kx *rows = sort_rows(host_lowering(plan), node_of(k));
	struct kx *sequences = kx_fold(x_cond(are_shared(k, rows), rows, x_i64(0)));
	k->room = plan_let(plan, "room", kx_fold(x_div(k->s->cells, x_i64(LIST_SHARE))));
	struct kx *states[] = { sequences, x_i64(STATE * (passes_of(k) + 1)) };
	struct kx *bins[] = { sequences, x_i64(BINS) }, *list[] = { sequences, k->room };
	k->states = plan_slot(plan, "states", type_scalar(T_U64), 2, states);
	k->list = plan_slot(plan, "list", k->s->key, 2, list);
	k->bins = plan_zeros(plan, "all_bins", type_scalar(T_U32), 2, bins);
	k->below = plan_zeros(plan, "all_below", type_scalar(T_U64), 1, &sequences);
	k->listed = plan_zeros(plan, "listed_count", type_scalar(T_U64), 1, &sequences);
	k->ticket = plan_ticket(plan, 1, &sequences);
}

/* The states after so many passes. */
static struct kx *states(const struct selector *k, struct lowering *l, const char *name,
                         struct kx *passes, bool is_const)
{
	struct kx *each = x_mul(k->s->sequences, x_i64(STATE));
	return lower_argument(l, name, kt_pointer(type_scalar(T_U64), is_const),
	                      x_offset(x_var(k->states), x_mul(passes, each)));
}

static void guess(struct selector *k)
{
	struct lowering *l = open_kernel(
		k, "_guess", "Guesses by a sample in which window of words the value is.");
	k->word = elements_new(k->s, l, "word_", k->s->block_bits, true);
	elements_bind(k->word, false);
	k_bind_calls(l->k, k, CALLS(KTEXT_ROW, KTEXT_ROW));
	k_bind(l->k, "next", states(k, l, "next", x_i64(0), false));
	k_text(l->k, "guess_window");
	lowering_launch(l, k->s->sequences, x_i64(1), x_i64(1));
}

static void narrow(struct selector *k, struct kx *pass)
{
	struct lowering *l = open_kernel(
		k, "_narrow", "Counts the words of a window in bins, and takes one of these.");
	const struct target *t = l->target;
	struct elements *listed = NEW(struct elements);
	int fewer = (k->taken != NULL) + (node_of(k)->sorting->more > 0);
	l->k->min_blocks = t->unrolls ? PASS_BLOCKS - fewer : 1;
	k->word = elements_new(k->s, l, "word_", k->s->block_bits, false);
	*listed = *k->word;
	listed->keys = sort_pointer(k->s, l, k->list, false);
	k->listed_word = listed;
	int64_t staged = (int64_t)SORT_THREADS * STAGED_EACH;
	k_bind(l->k, "staged_words", k_shared(l->k, k->s->key, "staged_words", staged));
	k_bind(l->k, "STAGED", staged);
	k_bind(l->k, "state", states(k, l, "state", pass, true));
	k_bind(l->k, "next", states(k, l, "next", x_add(pass, x_i64(1)), false));
	k_bind(l->k, "all_bins", sort_pointer(k->s, l, k->bins, false));
	k_bind(l->k, "all_below", sort_pointer(k->s, l, k->below, false));
	k_bind(l->k, "listed_count", sort_pointer(k->s, l, k->listed, false));
	k_bind(l->k, "ticket", sort_pointer(k->s, l, k->ticket, false));
	k_bind(l->k, "room", lower_argument(l, "room", kt_scalar(T_I64), k->room));
	k_bind_calls(l->k, k, CALLS(KTEXT_ROW, KTEXT_ROW));
	k_text(l->k, "narrow_window");
	struct kx *blocks = x_div_up(x_i64(PASS_BLOCKS * t->units), k->s->sequences);
	struct kx *tiles = x_div_up(k->s->cells, x_i64(SORT_THREADS << k->s->block_bits));
	lowering_launch(l, x_min(blocks, tiles), k->s->sequences, x_i64(1));
}

static void select_by_all(struct selector *k)
{
	struct kernel *host = k->s->plan->host;
	find_slots(k);
	guess(k);
	struct kx *pass = x_var(k_for(host, "pass", x_i64(0), x_i64(passes_of(k)), x_i64(1),
	                              0));
	narrow(k, pass);
	k_end(host);
}

/* ---- the ways ---- */

static bool may_exceed(const struct selector *k, int64_t cells)
{
	int64_t n;
	return !x_constant(k->s->cells, &n) || n > cells;
}

static struct kx *has_at_most(const struct selector *k, int64_t cells)
{
	return kx_fold(x_le(k->s->cells, x_i64(cells)));
}

static struct kx *fit_warps(const struct task *c)
{
	const struct selector *k = c->found;
	return has_at_most(k, sort_most(k->s, false));
}

static void lower_warps(const struct task *c)
{
	sort_short(((const struct selector *)c->found)->s, false);
}

static bool may_fit_blocks(const struct task *c)
{
	const struct selector *k = c->found;
	return may_exceed(k, sort_most(k->s, false));
}

static struct kx *fit_blocks(const struct task *c)
{
	const struct selector *k = c->found;
	return has_at_most(k, sort_most(k->s, true));
}

static void lower_blocks(const struct task *c)
{
	sort_short(((const struct selector *)c->found)->s, true);
}

static bool may_be_long(const struct task *c)
{
	const struct selector *k = c->found;
	return may_exceed(k, sort_most(k->s, true));
}

static bool may_need_all(const struct task *c)
{
	return may_exceed(c->found, ALL_CELLS);
}

static struct kx *are_few(const struct task *c)
{
	const struct selector *k = c->found;
	return are_shared(k, k->s->sequences);
}

static void lower_all(const struct task *c)
{
	select_by_all(c->found);
}

static void lower_bins(const struct task *c)
{
	select_by_blocks(c->found);
}

static const struct way ways[] = {
	{ "warps", "sequences are sorted in the registers of a warp", "they fit these",
	  .when = fit_warps, .lower = lower_warps },
	{ "blocks", "sequences are sorted in the registers of a block", "they fit these",
	  .fits = may_fit_blocks, .when = fit_blocks, .lower = lower_blocks },
	{ "all", "all blocks count the words of a window, which a sample guesses",
	  "few sequences are long", "no sequence is long", .fits = may_need_all, .when = are_few,
	  .lower = lower_all },
	{ "bins", "a block counts the words of a sequence, from their highest bits down",
	  .fits = may_be_long, .lower = lower_bins },
	{ 0 }
};

/* Numbers of cells within a sequence are u32. */
static void limit_cells(struct plan *plan, const struct node *node)
{
	const struct affine *extent[MAX_RANK];
	int n = 0;
	for (int d = 0; d < node->index.n; d++) {
		struct affine *a = NEW(struct affine);
		if (sorting_runs(node, d) && affine_of(node->hi.at[d], a))
			extent[n++] = a;
	}
	plan_limit(plan, n, extent, UINT32_MAX);
}

void kth_gpu(struct plan *plan, const struct group *group, struct kx *place)
{
	const struct node *node = group->anchor;
	struct lowering *host = host_lowering(plan);
	struct sorter *s = NEW(struct sorter);
	*s = (struct sorter){ .plan = plan, .node = node };
	sorter_types(s);
	s = sorter_of_words(s);
	s->cells = s->longest = sort_cells(host, node);
	s->sequences = plan_let(plan, "sequences", sort_rows(host, node));
	s->total = s->room = plan_let(plan, "total", kx_fold(x_mul(s->sequences, s->cells)));
	limit_cells(plan, node);
	struct selector *k = NEW(struct selector);
	*k = (struct selector){ .s = s, .place = place };
	ways_lower(ways, plan, group, k);
}
