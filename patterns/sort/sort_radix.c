/* sort_radix.c - one array sorted by the digits of its keys on a GPU, the lowest first
 * ("onesweep", Adinets and Merrill 2022): a digit costs one launch, which reads and writes each
 * key once.
 *
 *   _counts   reads the keys once, and counts all digits of all of them
 *   _course   one block: where in the result the cells of each digit begin, and which passes
 *   there are _pass     sort_radix_pass.c, for each digit: every cell to its place, from one
 *   memory to the other _back     what a last pass has left in the workspace goes to its array
 *   _fetch    by numbers, what has not been moved by the passes; _store puts it where it goes
 *
 * A pass whose digit is the same in all keys moves nothing: its blocks return, and the next one
 * reads where it would have read.  Which of the two memories a pass finds the cells in, its
 * course, is therefore known on the device only.
 *
 * One of the memories is the array itself, the other one the workspace: so a key, and some
 * scalars that move along, are moved in each pass (pairs of u32 at 34 G/s on an H200, as fast as
 * CUB's; 8.0 when they were merged).  Whatever else moves is fetched once, at the end, by the
 * number of the cell, which travels instead.  With `into` and `first` the array of keys is not
 * to be touched: _counts then copies the keys to the workspace, which has both memories.
 *
 * Below some length the launches cost more than merging does (radix_merges).
 *
 * Keys travel as they are stored; digits are those of their words (sort_order.c).  Every pass is
 * stable. */
#include "sort_radix.h"
#include "../block_scan.h"

enum { COUNT_EACH = 16 };                    /* keys a thread has in flight, and counts */

/* ---- does it fit ---- */

/* A scalar of each cell, one after another. */
static bool is_plain(const struct expr *e)
{
	return e->kind == E_READ && e->type->kind != T_STRUCT && e->type->kind != T_ARRAY
	       && e->var->type == e->type && is_dense(e->var);
}

static bool fits(const struct node *node)
{
	bool whole = node->index.n == 1 && node->running->segment == SEGMENT_NONE;
	const struct expr *key = node->sorting->key;
	return whole && sort_word_bits(node) && is_plain(key) && access_own(node, key);
}

/* In each pass or once, at the end?  That costs about what two passes over 32 bytes do. */
static bool is_moved(const struct radix *r, const struct equation *eq, int others)
{
	int64_t bytes = 2 * r->passes * type_size(eq->right->type);
	return is_plain(eq->right) && r->n < MOST_MOVED - 1 && (others == 1 || bytes <= 64);
}

static bool is_other(const struct radix *r, const struct node *node, int q)
{
	return r->apart || !sort_is_key(node, node->equation.at[q]);
}

static void find_moved(struct radix *r, const struct node *node)
{
	int others = 0;
	r->key.type = sort_key_type(node);
	r->apart = node->sorting->into || node->sorting->first;
	for (int q = 0; q < node->equation.n; q++)
		others += is_other(r, node, q);
	for (int q = 0; q < node->equation.n; q++) {
		const struct equation *eq = node->equation.at[q];
		if (!is_other(r, node, q))
			continue;
		if (!r->apart && is_moved(r, eq, others))
			r->with[r->n++] = (struct moved){ .eq = eq, .type = eq->right->type };
		else
			r->numbered = true;
	}
	if (r->numbered)
		r->with[r->n++].type = type_scalar(T_U32);
}

static struct radix look(const struct node *node, const struct target *target)
{
	struct radix r = { .passes = sort_word_bits(node) / DIGIT_BITS };
	find_moved(&r, node);
	r.each = radix_each(&r, target, &r.staged);
	return r;
}

int sort_digit_cells(const struct node *node, const struct target *target)
{
	return fits(node) ? look(node, target).each : 0;
}

/* A pass costs its launch however few cells there are; a pinned number of cells a thread always
 * sorts by digits.  Keys of less than 32 bits break even below all that blocks sort. */
int64_t radix_merges(const struct sorter *s)
{
	if (!fits(s->node))
		return INT64_MAX;
	const struct target *t = s->plan->target;
	int bits = s->node->choice.coarsen ? 0 : sort_word_bits(s->node);
	return bits == 64 ? t->radix_keys64 : bits == 32 ? t->radix_keys32 : 0;
}

/* ---- the workspace ---- */

/* Words: radix.kernel. */
static int64_t words_before_tiles(const struct radix *r)
{
	return (int64_t)r->passes * (DIGITS + 1);
}

static struct kx *tiles_of(const struct radix *r)
{
	return x_div_up(r->s->total, x_i64(r->tile));
}

/* Two memories in the workspace, or one beside an array. */
static void find_memories(const struct radix *r, const char *name, struct kx *array,
                          struct moved *m)
{
	const struct sorter *s = r->s;
	struct kx *cells = array ? s->total : x_mul(s->total, x_i64(2));
	struct kx *slot = x_var(plan_slot(s->plan, name, m->type, 1, &cells));
	m->memory[0] = array ? array : slot;
	m->memory[1] = array ? slot : x_offset(slot, s->total);
}

static void find_slots(struct radix *r)
{
	struct plan *plan = r->s->plan;
	struct kx *words = x_add(x_i64(words_before_tiles(r)),
	                         x_mul(tiles_of(r), x_i64(DIGITS))), *course = x_i64(r->passes + 1);
	r->source = host_var_x(plan, r->s->node->sorting->key->var);
	find_memories(r, "keys", r->apart ? NULL : r->source, &r->key);
	for (int w = 0; w < r->n; w++) {
		struct moved *m = &r->with[w];
		find_memories(r, "values", m->eq ? host_var_x(plan, m->eq->right->var) : NULL, m);
	}
	r->course = plan_slot(plan, "course", type_scalar(T_I32), 1, &course);
	r->words = plan_slot(plan, "words", type_scalar(T_U64), 1, &words);
	k_clear(plan->host, x_var(r->words), x_mul(words, x_i64(8)));
}

struct kx *radix_pointer(struct lowering *l, const char *name, struct kx *host)
{
	return lower_argument(l, name, host->type, host);
}

struct kx *radix_words(const struct radix *r, struct lowering *l)
{
	return radix_pointer(l, "words", x_var(r->words));
}

static struct kx *course_pointer(const struct radix *r, struct lowering *l, bool is_const)
{
	return sort_pointer(r->s, l, r->course, is_const);
}

static const struct moved *numbers(const struct radix *r)
{
	return &r->with[r->n - 1];
}

/* ---- kernels: radix.kernel ---- */

static struct kx *word(struct lowering *l, const void *node, struct kx *const *key)
{
	return sort_word(l, node, key[0]);
}

void radix_bind(const struct radix *r, struct lowering *l)
{
	k_bind(l->k, "DIGITS", DIGITS);
	k_bind(l->k, "DIGIT_BITS", DIGIT_BITS);
	k_bind(l->k, "PASSES", r->passes);
	k_bind(l->k, "KEY", r->key.type);
	k_bind(l->k, "WORD", sort_word_type(r->s->node));
	k_bind_call(l->k, "word", word, r->s->node);
}

static struct kx *words(struct lowering *l, const void *radix, struct kx *const *arg)
{
	(void)arg;
	return radix_words(radix, l);
}

static struct kx *striding(const struct radix *r, int64_t each)
{
	return x_min(x_div_up(r->s->total, x_i64(each)), x_i64(block_most(r->s->plan->target)));
}

static void count_digits(const struct radix *r)
{
	const int64_t chunk = (int64_t)SORT_THREADS * COUNT_EACH;
	struct lowering *l = sort_kernel(r->s, "_counts", "Counts the digits of the keys.");
	k_bind(l->k, "source", radix_pointer(l, "source", r->source));
	if (r->apart)
		k_bind(l->k, "keys", radix_pointer(l, "keys", r->key.memory[0]));
	if (r->numbered)
		k_bind(l->k, "numbers", radix_pointer(l, "numbers", numbers(r)->memory[0]));
	k_bind(l->k, "total", lower_argument(l, "total", kt_scalar(T_I64), r->s->total));
	k_bind_call(l->k, "words", words, r);
	k_bind(l->k, "APART", r->apart);
	k_bind(l->k, "NUMBERED", r->numbered);
	k_bind(l->k, "COUNT_THREADS", SORT_THREADS);
	k_bind(l->k, "COUNT_EACH", COUNT_EACH);
	k_bind(l->k, "CHUNK", chunk);
	radix_bind(r, l);
	k_text(l->k, "count_digits");
	lowering_launch(l, striding(r, chunk), x_i64(1), x_i64(1));
}

static void find_course(const struct radix *r)
{
	struct lowering *l = sort_kernel(r->s, "_course",
	                                 "Where digits begin, and which passes there are.");
	k_bind(l->k, "words", radix_words(r, l));
	k_bind(l->k, "course", course_pointer(r, l, false));
	k_bind(l->k, "total", lower_argument(l, "total", kt_scalar(T_I64), r->s->total));
	radix_bind(r, l);
	k_text(l->k, "find_course");
	lowering_launch(l, x_i64(1), x_i64(1), x_i64(1));
}

/* ---- after the passes ---- */

static void bind_cells(const struct radix *r, struct lowering *l)
{
	k_bind(l->k, "total", lower_argument(l, "total", kt_scalar(T_I64), r->s->total));
	k_numbers(l->k, "PASSES", r->passes);
}

static void launch_cells(const struct radix *r, struct lowering *l, const char *text)
{
	k_text(l->k, text);
	lowering_launch(l, striding(r, SORT_THREADS), x_i64(1), x_i64(1));
}

/* The keys and what moves with them: where the result belongs, and where it is. */
static int moved_arrays(const struct radix *r, struct lowering *l, struct kx **to, struct kx **from)
{
	int n = 0;
	to[n] = radix_pointer(l, "keys", r->key.memory[0]);
	from[n++] = radix_pointer(l, "from", r->key.memory[1]);
	for (int w = 0; w < r->n; w++) {
		if (!r->with[w].eq)
			continue;
		to[n] = radix_pointer(l, "values", r->with[w].memory[0]);
		from[n++] = radix_pointer(l, "from", r->with[w].memory[1]);
	}
	return n;
}

static void move_back(const struct radix *r)
{
	struct lowering *l = sort_kernel(r->s, "_back",
	                                 "Moves what is in the workspace to its array.");
	struct kx *to[MOST_MOVED + 1], *from[MOST_MOVED + 1];
	k_bind(l->k, "course", course_pointer(r, l, true));
	bind_cells(r, l);
	int n = moved_arrays(r, l, to, from);
	bind_values(l->k, "to", n, to);
	bind_values(l->k, "from", n, from);
	launch_cells(r, l, "move_back");
}

struct move { const struct radix *r; const struct equation *eq; struct kx *memory; };

static void put(const struct move *m, struct lowering *l, struct kx *i, struct kx *value)
{
	sort_bind_cell(l, m->r->s->node, i);
	sort_store(l, m->eq, value);
}

/* Of the bound cell: where it goes in the result is i. */
static struct kx *put_value(struct lowering *l, const void *move, struct kx *const *i)
{
	const struct move *m = move;
	struct kx *value = sort_value(l, m->eq);
	if (m->memory)
		k_set(l->k, x_at(m->memory, i[0]), value);
	else
		put(m, l, i[0], let(l, "value", value));
	return NULL;
}

static struct kx *store_fetched(struct lowering *l, const void *move, struct kx *const *i)
{
	const struct move *m = move;
	put(m, l, i[0], x_at(m->memory, i[0]));
	return NULL;
}

/* Blocks store what others still have to fetch, unless nothing reads it: through memory then. */
static void fetch_values(const struct radix *r, const struct equation *eq, struct kvar *fetched)
{
	struct lowering *l = sort_kernel(r->s, "_fetch", "Fetches what moves with the keys.");
	struct move m = { .r = r, .eq = eq };
	k_bind(l->k, "numbers_a", radix_pointer(l, "numbers_a", numbers(r)->memory[0]));
	k_bind(l->k, "numbers_b", radix_pointer(l, "numbers_b", numbers(r)->memory[1]));
	m.memory = fetched ? sort_pointer(r->s, l, fetched, false) : NULL;
	k_bind(l->k, "course", course_pointer(r, l, true));
	bind_cells(r, l);
	k_bind_call(l->k, "put_value", put_value, &m);
	launch_cells(r, l, "fetch_numbered");
}

static void store_values(const struct radix *r, const struct equation *eq, struct kvar *fetched)
{
	struct lowering *l = sort_kernel(r->s, "_store", "Stores what was fetched.");
	struct move m = { .r = r, .eq = eq, .memory = sort_pointer(r->s, l, fetched, true) };
	bind_cells(r, l);
	k_bind_call(l->k, "store_fetched", store_fetched, &m);
	launch_cells(r, l, "store_all_fetched");
}

static bool moves(const struct radix *r, const struct equation *eq)
{
	for (int w = 0; w < r->n; w++)
		if (r->with[w].eq == eq)
			return true;
	return false;
}

static void move_rest(const struct radix *r)
{
	const struct node *node = r->s->node;
	for (int q = 0; q < node->equation.n; q++) {
		const struct equation *eq = node->equation.at[q];
		if (!is_other(r, node, q) || moves(r, eq))
			continue;
		struct kvar *fetched = node->sorting->into ? NULL : sort_fetched(r->s, q);
		fetch_values(r, eq, fetched);
		if (fetched)
			store_values(r, eq, fetched);
	}
}

/* ---- all of it ---- */

void radix_sort(struct sorter *s)
{
	struct radix r = look(s->node, s->plan->target);
	struct kernel *host = s->plan->host;
	r.s = s;
	if (s->node->choice.coarsen)
		r.each = s->node->choice.coarsen;
	r.tile = (int64_t)r.each * RADIX_THREADS;
	find_slots(&r);
	count_digits(&r);
	find_course(&r);
	struct kx *pass = x_var(k_for(host, "pass", x_i64(0), x_i64(r.passes), x_i64(1), 0));
	radix_pass(&r, pass);
	k_end(host);
	if (!r.apart)
		move_back(&r);
	if (r.numbered)
		move_rest(&r);
}
