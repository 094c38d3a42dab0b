/* sort_cpu.c - sorts on a CPU, in a workspace of two places a cell.
 *
 * A sequence is loaded, sorted and stored: short ones side by side, others from runs that are
 * merged.  With a key goes what moves along, if that is one scalar; of more, or of structs, the
 * number of its cell, by which they are fetched at the end: 3 passes over each.
 *
 * Threads take parts of the sequences as they come to them: so many that one can be slow without
 * the others waiting. A long sequence, for which that would not do, is left to NAME_long (and is
 * all there is to `sort`): there all threads sort it, if it is worth their while, by its digits
 * if keys have words, else by merging.  What is sorted how depends on lengths only, so the
 * result is the same for every number of threads. */
#include "../ways.h"
#include "sort.h"

enum {
	RUN = 16,                            /* cells sorted by insertion */
	/* of a long sequence: its keys fit L2; an even number of doublings from RUN */
	CHUNK = 1 << 14,
	TILE = 1 << 13,                      /* divides CHUNK */
	LONG = 1 << 16,                      /* cells from which on threads share a sequence, ... */
	SHARES = 64,                       /* ... if so many of its length would be all there are */
	SOLO = 1 << 12,                      /* or if there is only one */
	PARTS = 1024,                        /* of the sequences */
	DIGIT_BITS = 8,
	DIGITS = 1 << DIGIT_BITS,
	STRETCHES = 256,      /* of a long sequence: cells whose digits are counted together, ... */
	STRETCH = 1 << 12,                   /* ... at least so many */
	BATCH = 16,                          /* short sequences sorted side by side */
	MOST = 256,                          /* cells of one: patc_short() says how many pay */
	LEAST = 8                            /* of a run that is sorted so */
};

struct fetched { const struct equation *eq; struct kvar *slot; struct kx *at; };
struct cpu_sort {
	struct plan *plan;
	const struct node *node;
	struct lowering *l;
	struct kx *host_cells, *host_total;  /* of the running axis, of the array */
	const struct type *with;             /* what goes with a key; NULL: nothing */
	const struct equation *direct;       /* whose value that is; NULL: the number of the cell */
	LIST(struct fetched) fetched;
	struct kvar *key_slot, *with_slot, *cut_slot, *long_slot, *count_slot;
	struct kx *fallen;                   /* host, or NULL */
};

/* ---- the workspace ---- */

static void choose_with(struct cpu_sort *s)
{
	int others = 0;
	for (int q = 0; q < s->node->equation.n; q++) {
		const struct equation *eq = s->node->equation.at[q];
		if (sort_is_key(s->node, eq))
			continue;
		s->direct = others++ ? NULL : eq;
	}
	if (!others)
		return;
	if (s->direct && s->direct->right->type->kind == T_STRUCT)
		s->direct = NULL;
	s->with = s->direct ? s->direct->right->type : type_scalar(T_I64);
}

/* The array is one sequence. */
static bool is_one(const struct cpu_sort *s)
{
	return s->node->index.n == 1 && s->node->running->segment == SEGMENT_NONE;
}

static void find_long_slots(struct cpu_sort *s, struct kx *cells)
{
	struct kx *tiles = x_add(x_div_up(cells, x_i64(TILE)), x_i64(1));
	struct kx *digits[] = { x_i64(STRETCHES), x_i64(DIGITS) };
	if (sort_word_bits(s->node))
		s->count_slot = plan_slot(s->plan, "counts", type_scalar(T_I64), 2, digits);
	else
		s->cut_slot = plan_slot(s->plan, "cuts", type_scalar(T_I64), 1, &tiles);
}

static void find_slots(struct cpu_sort *s)
{
	struct lowering *host = host_lowering(s->plan);
	struct kx *rows = sort_rows(host, s->node), *cells = sort_cells(host, s->node);
	struct kx *two[] = { rows, cells, x_i64(2) }, *parts = x_i64(PARTS);
	s->key_slot = plan_slot(s->plan, "keys", sort_code_type(s->node), 3, two);
	if (s->with)
		s->with_slot = plan_slot(s->plan, s->direct ? "with" : "places", s->with, 3, two);
	for (int q = 0; q < s->node->equation.n && s->with && !s->direct; q++) {
		struct fetched f = { .eq = s->node->equation.at[q] };
		if (sort_is_key(s->node, f.eq))
			continue;
		f.slot = plan_slot(s->plan, "fetched", f.eq->right->type, 2, two);
		list_add(&s->fetched, f);
	}
	find_long_slots(s, cells);
	if (!is_one(s))
		s->long_slot = plan_slot(s->plan, "longs", type_scalar(T_BOOL), 1, &parts);
	s->host_cells = cells;
	s->host_total = plan_let(s->plan, "total", kx_fold(x_mul(rows, cells)));
}

/* ---- what the texts leave open: cells ---- */

static struct kx *bind_cell(struct lowering *l, const void *sort, struct kx *const *cell)
{
	const struct var *index = sort_index(((const struct cpu_sort *)sort)->node);
	lower_bind(l, index, x_var(k_let(l->k, index->name, cell[0])));
	return NULL;
}

static struct kx *cell_key(struct lowering *l, const void *sort, struct kx *const *none)
{
	const struct node *node = ((const struct cpu_sort *)sort)->node;
	(void)none;
	return sort_code(l, node, sort_key(l, node));
}

static struct kx *cell_value(struct lowering *l, const void *sort, struct kx *const *none)
{
	const struct cpu_sort *s = sort;
	(void)none;
	return s->direct ? sort_value(l, s->direct) : lower_var(l, sort_index(s->node));
}

static struct kx *before(struct lowering *l, const void *sort, struct kx *const *keys)
{
	return sort_code_before(l, ((const struct cpu_sort *)sort)->node, keys[0], keys[1]);
}

static struct kx *word_of(struct lowering *l, const void *sort, struct kx *const *key)
{
	return sort_word_of_code(l, ((const struct cpu_sort *)sort)->node, key[0]);
}

static struct kx *fetch_values(struct lowering *l, const void *sort, struct kx *const *place)
{
	const struct cpu_sort *s = sort;
	for (int f = 0; f < s->fetched.n; f++)
		k_set(l->k, x_at(s->fetched.at[f].at, place[0]),
		      sort_value(l, s->fetched.at[f].eq));
	return NULL;
}

static struct kx *store_values(struct lowering *l, const void *sort, struct kx *const *place)
{
	const struct cpu_sort *s = sort;
	int f = 0;
	for (int q = 0; q < s->node->equation.n; q++) {
		const struct equation *eq = s->node->equation.at[q];
		if (sort_is_key(s->node, eq))
			sort_store(l, eq, sort_from_code(l, s->node, k_get(l->k, "key")));
		else
			sort_store(l, eq,
			           s->direct ? k_get(l->k, "with")
			                     : x_at(s->fetched.at[f++].at, place[0]));
	}
	return NULL;
}

/* ---- sequences ---- */

static struct kx *cells_of(struct lowering *l, const void *sort, struct kx *const *none)
{
	(void)none;
	return sort_cells(l, ((const struct cpu_sort *)sort)->node);
}

static struct kx *segments_of(struct lowering *l, const void *sort, struct kx *const *none)
{
	(void)none;
	return sort_segments(l, ((const struct cpu_sort *)sort)->node);
}

static struct kx *rows_of(struct lowering *l, const void *sort, struct kx *const *none)
{
	(void)none;
	return sort_rows(l, ((const struct cpu_sort *)sort)->node);
}

static struct kx *wanted_of(struct lowering *l, const void *sort, struct kx *const *n)
{
	return sort_wanted(l, ((const struct cpu_sort *)sort)->node, n[0]);
}

static struct kx *let(struct lowering *l, const char *name, struct kx *x)
{
	return x_var(k_let(l->k, name, x));
}

static struct kx *find_sequence(struct lowering *l, const void *sort, struct kx *const *number)
{
	const struct node *node = ((const struct cpu_sort *)sort)->node;
	struct kx *segment = number[0], *row = NULL, *first, *end;
	if (node->index.n > 1) {
		bool whole = node->running->segment == SEGMENT_NONE;
		row = whole ? number[0]
		            : let(l, "row_number", x_div(number[0], k_get(l->k, "segments")));
		segment = whole ? x_i64(0)
		                : let(l, "segment", x_rem(number[0], k_get(l->k, "segments")));
		sort_bind_row(l, node, row);
	}
	sort_range(l, node, segment, &first, &end);
	k_bind(l->k, "origin", first);
	k_bind(l->k, "n", x_is_int(first, 0) ? end : let(l, "count", x_sub(end, first)));
	k_bind(l->k, "base",
	       row ? let(l, "base", x_add(x_mul(row, k_get(l->k, "cells")), first)) : first);
	return NULL;
}

/* ---- side by side ---- */

static bool by_lanes(const struct node *node)
{
	return node->sorting->order != ORDER_LESS;
}

/* Keys alone, and no two that are equal can be told apart. */
static bool is_plain(const struct cpu_sort *s)
{
	return !s->with && !s->node->sorting->stable;
}

static const struct type *lane_word(const struct cpu_sort *s)
{
	return is_plain(s) ? sort_code_type(s->node) : sort_word_type(s->node);
}

/* Vectors of 64 bits hold half as many. */
static int lane_share(const struct node *node)
{
	return sort_word_bits(node) > 32 ? 2 : 1;
}

/* Are there sequences that may be short enough?  Of a known length, all are or none. */
static bool by_groups(const struct cpu_sort *s)
{
	struct lowering *host = host_lowering(s->plan);
	struct kx *cells = sort_cells(host, s->node);
	bool alike = x_is_int(sort_segments(host, s->node), 1) && cells->kind == KX_INT;
	return by_lanes(s->node) && !(alike && cells->i * lane_share(s->node) > MOST);
}

static struct kx *most_cells(struct lowering *l, const void *sort, struct kx *const *none)
{
	int share = lane_share(((const struct cpu_sort *)sort)->node);
	struct kx *most = x_help(kt_scalar(T_I64), "patc_short", 0, NULL);
	(void)l, (void)none;
	return share > 1 ? x_div(most, x_i64(share)) : most;
}

static struct kx *last_word(struct lowering *l, const void *sort, struct kx *const *none)
{
	const struct cpu_sort *s = sort;
	const struct type *type = lane_word(s);
	int bits = (int)(8 * type_size(type));
	bool up = s->node->sorting->order == ORDER_UP,
	     own = is_plain(s) && type_class(sort_key_type(s->node)) != 'F';
	(void)l, (void)none;
	if (own && type_class(type) == 'I')
		return x_int(type->kind, up ? INT64_MAX >> (64 - bits) : INT64_MIN >> (64 - bits));
	return x_int(type->kind, own && !up ? 0 : (int64_t)(UINT64_MAX >> (64 - bits)));
}

static void bind_lanes(const struct cpu_sort *s, struct kernel *k)
{
	k_numbers(k, "BATCH, LANE_CELLS, LEAST, PLAIN", BATCH, MOST * BATCH / lane_share(s->node),
	          LEAST, is_plain(s));
	k_bind(k, "LANE_WORD", lane_word(s));
	k_bind(k, "WORD", sort_word_type(s->node));
	k_bind(k, "KEY", sort_code_type(s->node));
	k_bind_calls(k, s, { "most_cells", most_cells }, { "last_word", last_word },
	             { "word_of", word_of });
	if (s->with)
		k_bind(k, "WITH_TYPE", s->with);
}

/* ---- functions ---- */

static void bind_numbers_of(const struct cpu_sort *s, struct kernel *k)
{
	const struct sorting *sorting = s->node->sorting;
	k_numbers(k, "RUN, CHUNK, TILE, PARTS, LONG, SHARES, SOLO", RUN, CHUNK, TILE, PARTS, LONG,
	          SHARES, SOLO);
	k_numbers(k, "DIGITS, DIGIT_BITS, WORD_BITS, STRETCHES, STRETCH", DIGITS, DIGIT_BITS,
	          sort_word_bits(s->node), STRETCHES, STRETCH);
	k_numbers(k, "WITH, FETCHES, INTO, STABLE, FIRST", s->with != NULL, s->fetched.n > 0,
	          sorting->into, sorting->stable, sorting->first != NULL);
	k_numbers(k, "BY_LANES, BY_GROUPS, BY_DIGITS, FUNCTION", by_lanes(s->node), by_groups(s),
	          s->count_slot != NULL, sorting->order == ORDER_LESS);
	k_bind(k, "ONE_ROW", x_is_int(sort_rows(host_lowering(s->plan), s->node), 1));
}

static void bind_functions(const struct cpu_sort *s, struct kernel *k)
{
	k_bind_calls(k, s, { "bind_cell", bind_cell }, { "cell_key", cell_key },
	             { "cell_value", cell_value }, { "before", before },
	             { "fetch_values", fetch_values }, { "store_values", store_values });
	k_bind_calls(k, s, { "cells_of", cells_of }, { "segments_of", segments_of },
	             { "rows_of", rows_of },
	             { "wanted_of", wanted_of }, { "find_sequence", find_sequence });
	if (by_lanes(s->node))
		bind_lanes(s, k);
}

static struct kx *pointer(const struct cpu_sort *s, const char *name, struct kvar *slot)
{
	struct kx *p = slot ? lower_argument(s->l, slot->name, kt_pointer(slot->type.type, false),
	                                     x_var(slot)) : NULL;
	if (slot)
		k_bind(s->l->k, name, p);
	return p;
}

static void leave_if_fallen(const struct cpu_sort *s)
{
	struct kernel *k = s->l->k;
	k_bind(k, "fallen",
	       lower_argument(s->l, "fallen", kt_pointer(type_scalar(T_I32), true), s->fallen));
	k_text(k, "sort_leave_if_fallen");
}

static void open_function(struct cpu_sort *s, const char *suffix, const char *note)
{
	s->l = lowering_new(s->plan, str_print("%s%s", s->node->name, suffix));
	s->l->k->note = note;
	lowering_writes(s->l, s->node);
	pointer(s, "keys", s->key_slot);
	pointer(s, "withs", s->with_slot);
	for (int f = 0; f < s->fetched.n; f++)
		s->fetched.at[f].at = pointer(s, "fetched", s->fetched.at[f].slot);
	k_bind(s->l->k, "total", lower_argument(s->l, "total", kt_scalar(T_I64), s->host_total));
	bind_numbers_of(s, s->l->k);
	bind_functions(s, s->l->k);
	if (s->fallen)
		leave_if_fallen(s);
}

static void find_long_pointers(const struct cpu_sort *s)
{
	pointer(s, "counts", s->count_slot);
	pointer(s, "cuts", s->cut_slot);
}

static void close_function(const struct cpu_sort *s, const char *text)
{
	k_text(s->l->k, text);
	lowering_launch(s->l, x_i64(1), x_i64(1), x_i64(1));
}

static void sort_short(struct cpu_sort *s)
{
	open_function(s, "", "Sorts every sequence that is not long.");
	pointer(s, "longs", s->long_slot);
	close_function(s, "cpu_sort_short");
}

static void sort_longs(struct cpu_sort *s)
{
	open_function(s, "_long", "Sorts the long sequences one after another, with all threads.");
	pointer(s, "longs", s->long_slot);
	find_long_pointers(s);
	close_function(s, "cpu_sort_longs");
}

static void sort_one(struct cpu_sort *s)
{
	open_function(s, "", "Sorts the array with all threads.");
	find_long_pointers(s);
	close_function(s, "cpu_sort_one");
}

/* ---- the host's choices ---- */

/* A choice that sizes in the program make: nothing is written that would not be called. */
static bool never(struct kx *condition)
{
	return x_is_int(kx_fold(condition), 0);
}

static bool always(struct kx *condition)
{
	return x_is_int(kx_fold(condition), 1);
}

/* ---- the ways ---- */

static bool has_one(const struct task *c)
{
	return is_one(c->found);
}

static void lower_one(const struct task *c)
{
	sort_one(c->found);
}

static bool has_many(const struct task *c)
{
	return !is_one(c->found);
}

static void lower_short(const struct task *c)
{
	sort_short(c->found);
}

static struct kx *are_long(const struct task *c)
{
	return x_le(x_i64(LONG), ((const struct cpu_sort *)c->found)->host_cells);
}

static bool may_be_long(const struct task *c)
{
	return has_many(c) && !never(are_long(c));
}

static void lower_longs(const struct task *c)
{
	sort_longs(c->found);
}

static const struct way ways[] = {
	{ "one", "all threads sort the array together", .no = "there are several sequences",
	  .fits = has_one, .lower = lower_one },
	{ "short", "a thread sorts a sequence after another", .no = "the array is one sequence",
	  .fits = has_many, .lower = lower_short },
	/* those that would keep one thread too long */
	{ "long", "all threads sort a sequence together", "sequences are long",
	  "no sequence of several is long", .fits = may_be_long, .when = are_long,
	  .lower = lower_longs },
	{ 0 }
};

void sort_cpu(struct plan *plan, const struct group *group)
{
	const struct node *node = group->anchor;
	struct cpu_sort *s = NEW(struct cpu_sort);
	struct kernel *host = plan->host;
	struct kx *full = sort_too_many(host_lowering(plan), node);
	full = full && never(full) ? NULL : full;
	*s = (struct cpu_sort){ .plan = plan, .node = node };
	choose_with(s);
	find_slots(s);
	struct kx *some = x_lt(x_i64(0), s->host_total);
	if (never(some))
		return;
	if (full) {
		k_if(host, x_and(some, full));
		sort_record_full(plan, node);
		k_end(host);
	}
	if (full && always(full))
		return;
	s->fallen = sort_check(plan, node, some);
	k_if(host, full ? x_and(some, x_unary(OP_NOT, full)) : some);
	ways_each(ways, plan, group, s);
	k_end(host);
}
