/* scan_columns.c - a scan along another axis than the last, on a GPU.
 *
 * Many columns (full_threads of the target) or short ones (MARCH_LENGTH): a thread takes one and
 * goes down it, some positions at a time; nothing is shared.
 *
 * Else columns are cut into tiles, so that the machine is full.  A block takes a strip of columns,
 * neighbouring lanes neighbouring vectors of them; its threads form groups one below another,
 * each with some positions in registers.  Two passes over those: the first folds the total of each
 * column, which groups join in shared memory; the second computes the cells from what comes before
 * them.  One read and one write of memory.
 *
 * Above the block is the look-back (Merrill and Garland 2016): a tile publishes the total of each
 * of its columns, then, once it knows it, the prefix (with what comes before).  Each group of
 * threads waits for another of the tiles above; the farthest for a prefix, so that there is always
 * one to begin with, the others for anything.  Then
 *     before = prefix joined with the totals after it, from the top down:
 * a fold from left to right whichever prefixes were there, so that floats repeat bit for bit.
 * Tiles are drawn from a counter, all strips of one height before those below, so whoever is waited
 * for has begun.
 *
 * Lanes along a strip: the fewer, the more groups, and the farther a tile looks; with as many
 * vectors in a row as lanes squared, a tile sees all those above that may be under way.  But 64
 * bytes of a row stay together. */
#include <assert.h>
#include "scan.h"
#include "../state_words.h"
#include "../ways.h"
#include "columns.h"

enum {
	MARCH_LENGTH = 32,              /* positions: most threads of a tile would have none */
	TOGETHER = 4               /* lanes along a strip at least, if there are columns for them */
};
enum { KNOWN_TOTAL = 1, KNOWN_PREFIX = 2 };

struct tiles {
	struct columns *c;
	struct accumulators kinds;
	struct kx *lane_bits;                    /* log2 of the lanes along a strip */
	struct kx *strips, *chunks, *state;
	int words;                               /* of a column's total */
};

/* ---- totals of a thread's columns, for scan_columns.kernel ---- */

/* A total of all columns has arrays of registers for variables; a sequence begins in all columns or
 * in none. */
struct naming { const struct tiles *t; const char *name; };
/* a block's, of a total of each thread */
struct memory { const struct tiles *t; struct kvar *value[8]; };

KTEXT_HOLE(new_totals)
{
	const struct naming *n = state;
	struct total s = { .acc = n->t->kinds };
	for (int a = 0; a < s.acc.n; a++) {
		const char *name = str_print("%s_%s", n->name, accumulator_name(&s.acc.at[a]));
		s.acc.at[a].var = k_regs(l->k, s.acc.at[a].type, name, n->t->c->width);
	}
	if (columns_marked(n->t->c))
		s.begins = k_var(l->k, kt_scalar(T_BOOL), str_print("%s_begins", n->name),
		                 x_int(T_BOOL, 0));
	return total_object(s);
}

static struct kx *of_column(const struct kx *totals, int a, struct kx *c)
{
	return x_at(x_var(total_of(totals)->acc.at[a].var), c);
}

static struct kvar *copied(struct lowering *l, const struct type *type, const char *name,
                           struct kx *value)
{
	if (type->kind != T_STRUCT)
		return k_var(l->k, kt(type), name, value);
	struct kvar *copy = k_var(l->k, kt(type), name, NULL);
	accumulator_copy(l, x_var(copy), value);
	return copy;
}

/* Variables with what one column has. */
KTEXT_HOLE(column_copy)
{
	const struct naming *n = state;
	struct total one = { .acc = n->t->kinds };
	for (int a = 0; a < one.acc.n; a++)
		one.acc.at[a].var = copied(l, one.acc.at[a].type, n->name,
		                           of_column(arg[0], a, arg[1]));
	return total_object(one);
}

KTEXT_HOLE(put)
{
	const struct total *one = total_of(arg[2]);
	for (int a = 0; a < one->acc.n; a++)
		accumulator_copy(l, of_column(arg[0], a, arg[1]), x_var(one->acc.at[a].var));
	return NULL;
}

KTEXT_HOLE(clear)
{
	const struct accumulators *kinds = &((const struct tiles *)state)->kinds;
	for (int a = 0; a < kinds->n; a++)
		k_set(l->k, of_column(arg[0], a, arg[1]), accumulator_start(l, &kinds->at[a]));
	return NULL;
}

KTEXT_HOLE(keep)
{
	const struct memory *m = state;
	for (int a = 0; a < m->t->kinds.n; a++)
		accumulator_copy(l, x_at(x_var(m->value[a]), arg[0]), of_column(arg[1], a, arg[2]));
	return NULL;
}

KTEXT_HOLE(kept)
{
	const struct memory *m = state;
	struct total one = { .acc = m->t->kinds };
	for (int a = 0; a < one.acc.n; a++)
		one.acc.at[a].var = copied(l, one.acc.at[a].type, "behind",
		                           x_at(x_var(m->value[a]), arg[0]));
	return total_object(one);
}

KTEXT_HOLE(new_total)
{
	return total_object(
		(struct total){ .acc = carry_total(((const struct tiles *)state)->c->carry) });
}

KTEXT_HOLE(resume)
{
	carry_resume(((const struct tiles *)state)->c->carry, &total_of(arg[0])->acc);
	return NULL;
}

/* ---- what tiles publish ---- */

static struct kx *word_place(struct lowering *l, const struct tiles *t, struct kx *chunk, int word,
                             struct kx *c)
{
	return x_offset(t->state, k_value(l->k, "word_place", chunk, x_i64(word), c));
}

static struct kx *word_of(const struct tiles *t, struct kx *words, struct kx *c, int i)
{
	return x_at(words, x_add(x_mul(c, x_i32(t->words)), x_i32(i)));
}

KTEXT_HOLE(store_words)
{
	const struct tiles *t = state;
	struct kx *place[STATE_WORDS];
	for (int i = 0; i < t->words; i++)
		place[i] = word_place(l, t, arg[0], i, arg[1]);
	state_store(l, place, &total_of(arg[2])->acc, arg[3]);
	return NULL;
}

KTEXT_HOLE(load_words)
{
	const struct tiles *t = state;
	for (int i = 0; i < t->words; i++)
		k_set(l->k, word_of(t, arg[0], arg[2], i),
		      state_load(word_place(l, t, arg[1], i, arg[2])));
	return NULL;
}

KTEXT_HOLE(same_known)
{
	const struct tiles *t = state;
	for (int i = 0; i < t->words; i++) {
		k_if(l->k, x_ne(state_known(word_of(t, arg[0], arg[1], i)), arg[2]));
		k_set(l->k, arg[2], x_int(T_U32, 0));
		k_end(l->k);
	}
	return NULL;
}

KTEXT_HOLE(take_words)
{
	const struct tiles *t = state;
	struct kx *word[STATE_WORDS];
	for (int i = 0; i < t->words; i++)
		word[i] = word_of(t, arg[0], arg[1], i);
	state_take(l, word, &total_of(arg[2])->acc);
	return NULL;
}

/* ---- tiles ---- */

static void bind_names(const struct tiles *t, const char *format, ktext_hole *call, int n,
                       const char *const *name)
{
	for (int i = 0; i < n; i++) {
		struct naming *naming = NEW(struct naming);
		*naming = (struct naming){ t, name[i] };
		k_bind_call(t->c->l->k, str_print(format, name[i]), call, naming);
	}
}

/* Of each thread, and of each group's part of a warp, a total. */
static void declare_shared(const struct tiles *t, struct memory *thread, struct memory *warp)
{
	struct kernel *k = t->c->l->k;
	int block = t->c->l->target->block;
	thread->t = warp->t = t;
	for (int a = 0; a < t->kinds.n; a++) {
		const char *name = accumulator_name(&t->kinds.at[a]);
		const struct type *type = t->kinds.at[a].type;
		thread->value[a] = k_shared(k, type, str_print("group_%s", name),
		                            (int64_t)t->c->width * block);
		warp->value[a] = k_shared(k, type, str_print("warp_%s", name),
		                          (int64_t)t->c->width * block);
	}
	k_bind(k, "group_begins", k_shared(k, type_scalar(T_BOOL), "group_begins", block));
	if (columns_marked(t->c))
		k_bind(k, "warp_begins", k_shared(k, type_scalar(T_BOOL), "warp_begins", block));
	k_bind_calls(k, thread, { "keep_thread", keep }, { "of_thread", kept });
	k_bind_calls(k, warp, { "keep_warp", keep }, { "of_warp", kept });
}

static void bind_tile(const struct tiles *t, struct memory *thread, struct memory *warp)
{
	struct kernel *k = t->c->l->k;
	static const char *const all[] = { "own", "before", "front", "all", "above" };
	static const char *const one[] = { "joined", "behind", "published", "shown", "entry" };
	columns_bind(t->c);
	bind_totals(t->c->l, NULL);
	declare_shared(t, thread, warp);
	k_numbers(k, "WORDS, MARKED, TOTAL, PREFIX", t->words, columns_marked(t->c), KNOWN_TOTAL,
	          KNOWN_PREFIX);
	k_bind(k, "lane_bits", t->lane_bits);
	k_bind(k, "strips", t->strips);
	k_bind(k, "chunks", t->chunks);
	k_bind(k, "state", t->state);
	bind_names(t, "%s_totals", new_totals, 5, all);
	bind_names(t, "%s", column_copy, 5, one);
	k_bind_calls(k, t, { "put", put }, { "clear", clear }, { "new_total", new_total },
	             { "resume", resume }, { "store_words", store_words },
	             { "load_words", load_words }, { "same_known", same_known },
	             { "take_words", take_words });
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

/* The tiles, and what they publish: a word each of a total, a column and a height; the first counts
 * tiles. */
static struct kx *host_tiles(struct tiles *t, struct plan *plan, struct kx **bytes)
{
	struct columns *c = t->c;
	const struct reach *r = c->reach;
	struct kx *vectors = x_div_up(r->columns, x_i64(c->width)),
		  *block = x_i64(c->l->target->block);
	struct kx *bits = plan_let(plan, "lane_bits", choose_lane_bits(t, vectors));
	struct kx *height = x_mul(x_op(OP_SHR, block, bits), x_i64(c->rows));
	struct kx *strips = plan_let(plan, "strips",
	                             x_div_up(vectors, x_op(OP_SHL, x_i64(1), bits)));
	struct kx *chunks = plan_let(plan, "chunks", x_div_up(r->length, height));
	t->lane_bits = lower_argument(c->l, "lane_bits", kt_scalar(T_I32), bits);
	t->strips = lower_argument(c->l, "strips", kt_scalar(T_I64), strips);
	t->chunks = lower_argument(c->l, "chunks", kt_scalar(T_I64), chunks);
	struct kx *words = x_mul(x_mul(chunks, r->columns), x_i64(t->words));
	*bytes = x_cond(x_lt(x_i64(1), chunks), x_mul(x_add(words, x_i64(1)), x_i64(8)), x_i64(0));
	return x_mul(strips, chunks);
}

/* Two tiles and more in a column: fewer words than twice the cells by the least height of a tile.
 * */
static struct kx *most_words(struct tiles *t)
{
	struct columns *c = t->c;
	int64_t least = (int64_t)c->l->target->block / c->l->target->lanes * c->rows;
	return x_add(x_mul(x_div(c->reach->cells, x_i64(least)), x_i64(2 * t->words)), x_i64(1));
}

/* What the ways share. */
struct found {
	struct reach reach;
	int width;                           /* columns of a vector */
	bool tiled;                          /* columns can be cut into tiles */
	struct kx *state;                    /* workspace of the tiles, once it is there */
};

/* The single columns use the words of the vectors, which are more: their tiles are higher. */
static void lower_tiles(const struct task *task)
{
	struct found *f = task->found;
	struct plan *plan = task->plan;
	const int width = task->way->when ? f->width : 1;
	const char *suffix = f->state ? "_single" : "_tiles";
	struct tiles t = { .c = columns_open(plan, task->node, &f->reach, suffix, width) };
	struct lowering *l = t.c->l;
	t.kinds = carry_kinds(t.c->carry);
	t.words = state_words(&t.kinds);
	struct kx *most = most_words(&t), *bytes, *tiles = host_tiles(&t, plan, &bytes);
	if (!f->state)
		f->state = x_var(plan_slot(plan, "state", type_scalar(T_U64), 1, &most));
	t.state = lower_argument(l, "state", kt_pointer(type_scalar(T_U64), false), f->state);
	l->k->note = "Tiles of columns: their totals, what comes before them, then their cells.";
	struct memory thread, warp;
	bind_tile(&t, &thread, &warp);
	k_text(l->k, "scan_tile");
	k_clear(plan->host, f->state, bytes);
	lowering_launch(l, tiles, x_i64(1), x_i64(1));
}

/* ---- one thread a column ---- */

static void lower_march(const struct task *task)
{
	const struct reach *reach = &((const struct found *)task->found)->reach;
	struct columns *c = columns_open(task->plan, task->node, reach, "", 1);
	struct lowering *l = c->l;
	l->k->note = "A thread goes down a column, cell after cell.";
	columns_bind(c);
	bind_totals(l, NULL);
	k_text(l->k, "march_columns");
	lowering_launch(l, x_div_up(reach->columns, x_i64(l->target->block)), x_i64(1), x_i64(1));
}

/* ---- the ways ---- */

/* Many columns, or short ones. */
static struct kx *march_pays(const struct task *task)
{
	const struct found *f = task->found;
	int64_t full = task->plan->target->full_threads;
	return f->tiled ? x_or(x_le(x_i64(full), f->reach.columns),
	                       x_le(f->reach.length, x_i64(MARCH_LENGTH)))
	                : NULL;
}

static bool has_vectors(const struct task *task)
{
	return ((const struct found *)task->found)->width > 1;
}

/* Rows are whole vectors at multiples of a vector. */
static struct kx *rows_aligned(const struct task *task)
{
	const struct found *f = task->found;
	struct cells *c = cells_beside(host_lowering(task->plan), task->node);
	int last = task->node->index.n - 1;
	struct kx *width = x_i64(f->width), *lo = f->reach.lo[last];
	struct kx *whole = x_eq(x_rem(f->reach.size[last], width), x_i64(0));
	if (!x_is_int(lo, 0))
		whole = x_and(x_eq(x_rem(lo, width), x_i64(0)), whole);
	c->width = f->width;
	return x_and(whole, cells_aligned(c));
}

static const struct way ways[] = {
	/* above; also where folds cannot be joined */
	{ "march", "a thread goes down a column", "there are many columns, or they are short",
	  .when = march_pays, .lower = lower_march },
	/* above */
	{ "tiles", "tiles of columns, 16 bytes an access", "rows begin at multiples of 16 bytes",
	  "`vectorise` has chosen one element an access", .fits = has_vectors, .when = rows_aligned,
	  .lower = lower_tiles },
	/* above */
	{ "single", "tiles of columns, a cell an access", .lower = lower_tiles }
};

void scan_columns(const struct task *c)
{
	cells_check_ranges(c->plan, c->node);
	const struct carry *carry = carry_open(NULL, c->node);
	const struct accumulators kinds = carry_kinds(carry);
	struct found found = { .reach = columns_reach(c->plan, c->node),
		               .width = columns_width(c->node) };
	found.tiled = carry_joins(carry) && accumulators_fit(&kinds)
	              && columns_fit(c->plan->target, carry, 1) && found.reach.cells;
	ways_lower(ways, c->plan, c->group, &found);
}
