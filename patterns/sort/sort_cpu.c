/* sort_cpu.c - sorts on a CPU, in a workspace of two places a cell.
 *
 * A sequence is loaded, sorted and stored: short ones side by side, others from runs that are merged.  With a key goes
 * what moves along, if that is one scalar; of more, or of structs, the number of its cell, by which they are fetched at
 * the end: 3 passes over each.
 *
 * Threads take parts of the sequences as they come to them: so many that one can be slow without the others waiting.
 * A long sequence, for which that would not do, is left to NAME_long (and is all there is to `sort`): there all threads
 * sort it, if it is worth their while, by its digits if keys have words, else by merging.  What is sorted how depends on
 * lengths only, so the result is the same for every number of threads. */
#include "sort_cpu.h"

struct kx *cpu_let(const struct cpu_sort *s, const char *name, struct kx *x)
{
	return x_var(k_let(s->k, name, x));
}

struct kx *cpu_var(const struct cpu_sort *s, const char *name, struct kx *x)
{
	return x_var(k_var(s->k, kt_scalar(T_I64), name, x));
}

void cpu_bind(const struct cpu_sort *s, struct kx *cell)
{
	const struct var *index = sort_index(s->node);
	lower_bind(s->l, index, cpu_let(s, index->name, cell));
}

struct kx *cpu_for(const struct cpu_sort *s, const char *name, struct kx *lo, struct kx *hi, int flags)
{
	return x_var(k_for(s->k, name, lo, hi, x_i64(1), flags));
}

struct kx *cpu_load(const struct cpu_sort *s, const struct piece *p, struct kx *i, struct kx **with)
{
	cpu_bind(s, x_add(p->origin, i));
	*with = NULL;
	if (s->with)
		*with = cpu_let(s, "with", s->direct ? sort_value(s->l, s->direct) : lower_var(s->l, sort_index(s->node)));
	return cpu_let(s, "key", sort_code(s->l, s->node, sort_key(s->l, s->node)));
}

void cpu_put(const struct cpu_sort *s, struct kx *to, struct kx *key, struct kx *with)
{
	k_set(s->k, x_at(s->keys, to), key);
	if (s->with)
		k_set(s->k, x_at(s->withs, to), with);
}

void cpu_copy(const struct cpu_sort *s, struct kx *to, struct kx *from)
{
	cpu_put(s, to, x_at(s->keys, from), s->with ? x_at(s->withs, from) : NULL);
}

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

static struct kx *pointer(struct cpu_sort *s, struct kvar *slot)
{
	return lower_argument(s->l, slot->name, kt_pointer(slot->type.type, false), x_var(slot));
}

static void open_function(struct cpu_sort *s, const char *suffix, const char *note)
{
	s->l = lowering_new(s->plan, str_print("%s%s", s->node->name, suffix));
	s->k = s->l->k;
	s->k->note = note;
	lowering_writes(s->l, s->node);
	s->keys = pointer(s, s->key_slot);
	s->withs = s->with ? pointer(s, s->with_slot) : NULL;
	for (int f = 0; f < s->fetched.n; f++)
		s->fetched.at[f].at = pointer(s, s->fetched.at[f].slot);
	s->total = lower_argument(s->l, "total", kt_scalar(T_I64), s->host_total);
	if (s->fallen) {
		struct kx *fallen = lower_argument(s->l, "fallen", kt_pointer(type_scalar(T_I32), true), s->fallen);
		k_if(s->k, x_ne(x_at(fallen, x_i32(0)), x_i32(0)));
		k_return(s->k, NULL);
		k_end(s->k);
	}
}

static void close_function(struct cpu_sort *s)
{
	lowering_launch(s->l, x_i64(1), x_i64(1), x_i64(1));
}

/* ---- storing ---- */

static struct held held_at(const struct cpu_sort *s, const struct sorted *by, struct kx *i)
{
	struct kx *from = by->lane ? NULL : cpu_let(s, "from", x_add(by->first, i));
	return by->lane ? cpu_lanes_cell(s, by->lane, i)
	                : (struct held){ x_at(s->keys, from), s->with ? x_at(s->withs, from) : NULL };
}

static void store_cell(const struct cpu_sort *s, const struct piece *p, const struct sorted *by, struct kx *i)
{
	struct held held = held_at(s, by, i);
	int f = 0;
	cpu_bind(s, x_add(p->origin, i));
	for (int q = 0; q < s->node->equation.n; q++) {
		const struct equation *eq = s->node->equation.at[q];
		if (sort_is_key(s->node, eq))
			sort_store(s->l, eq, sort_from_code(s->l, s->node, held.key));
		else if (s->direct)
			sort_store(s->l, eq, held.with);
		else
			sort_store(s->l, eq, x_at(s->fetched.at[f++].at, x_add(p->base, i)));
	}
}

/* The sorted cells of the piece, to their arrays. */
static void store(const struct cpu_sort *s, const struct piece *p, const struct sorted *by, int flags)
{
	struct kernel *k = s->k;
	struct kx *wanted = cpu_let(s, "wanted", sort_wanted(s->l, s->node, p->n));
	if (s->fetched.n) {
		struct kx *i = cpu_for(s, "next", x_i64(0), wanted, flags);
		cpu_bind(s, held_at(s, by, i).with);
		for (int f = 0; f < s->fetched.n; f++)
			k_set(k, x_at(s->fetched.at[f].at, x_add(p->base, i)), sort_value(s->l, s->fetched.at[f].eq));
		k_end(k);
	}
	store_cell(s, p, by, cpu_for(s, "next", x_i64(0), wanted, flags));
	k_end(k);
}

static void store_merged(const struct cpu_sort *s, const struct piece *p, struct kx *first, int flags)
{
	store(s, p, &(struct sorted){ .first = first }, flags);
}

/* ---- sequences by the part ---- */

static void open_parts(struct cpu_sort *s)
{
	s->cells = cpu_let(s, "cells", sort_cells(s->l, s->node));
	s->segments = cpu_let(s, "segments", sort_segments(s->l, s->node));
	s->long_cells = cpu_let(s, "long_cells", x_max(x_div(s->total, x_i64(SHARES)), x_i64(LONG)));
	struct kx *rows = sort_rows(s->l, s->node);
	s->sequences = x_is_int(rows, 1) ? s->segments : cpu_let(s, "sequences", x_mul(rows, s->segments));
}

static struct piece sequence_at(const struct cpu_sort *s, struct kx *number)
{
	struct kx *segment = number, *row = NULL, *first, *end;
	if (s->node->index.n > 1) {
		bool whole = s->node->running->segment == SEGMENT_NONE;
		row = whole ? number : cpu_let(s, "row_number", x_div(number, s->segments));
		segment = whole ? x_i64(0) : cpu_let(s, "segment", x_rem(number, s->segments));
		sort_bind_row(s->l, s->node, row);
	}
	sort_range(s->l, s->node, segment, &first, &end);
	struct piece p = { .origin = first };
	p.n = x_is_int(first, 0) ? end : cpu_let(s, "count", x_sub(end, first));
	p.base = row ? cpu_let(s, "base", x_add(x_mul(row, s->cells), first)) : first;
	return p;
}

/* Opens the loop over the sequences of a part, by the step. */
static struct kx *open_sequences(const struct cpu_sort *s, struct kx *part, struct kx *parts, int64_t step,
                                 struct kx **behind)
{
	struct kx *begin = cpu_let(s, "begin", x_div(x_mul(part, s->sequences), parts));
	*behind = cpu_let(s, "behind", x_div(x_mul(x_add(part, x_i64(1)), s->sequences), parts));
	return x_var(k_for(s->k, step > 1 ? "group" : "sequence", begin, *behind, x_i64(step), 0));
}

static void sort_alone(const struct cpu_sort *s, struct kx *number, struct kx *some_long)
{
	struct kernel *k = s->k;
	struct piece p = sequence_at(s, number);
	k_if(k, x_lt(p.n, s->long_cells));
	store_merged(s, &p, cpu_merge_sort(s, &p), 0);
	k_else(k);
	k_set(k, some_long, x_int(T_BOOL, 1));
	k_end(k);
}

/* How long the longest of the group's sequences is, and all together. */
static struct kx *find_longest(const struct cpu_sort *s, struct kx *group, struct kx *end, struct kx **all)
{
	struct kernel *k = s->k;
	struct kx *longest = cpu_var(s, "longest", x_i64(0));
	*all = cpu_var(s, "all", x_i64(0));
	struct piece p = sequence_at(s, cpu_for(s, "sequence", group, end, 0));
	k_set(k, longest, x_max(longest, p.n));
	k_set(k, *all, x_add(*all, p.n));
	k_end(k);
	return longest;
}

static void sort_group(const struct cpu_sort *s, struct kx *group, struct kx *end, struct kx *longest)
{
	struct kernel *k = s->k;
	struct kx *number = cpu_for(s, "sequence", group, end, 0);
	struct piece p = sequence_at(s, number);
	cpu_lanes_load(s, &p, cpu_let(s, "lane", x_sub(number, group)), longest);
	k_end(k);
	cpu_lanes_fill(s, cpu_for(s, "lane", x_sub(end, group), x_i64(LANES), 0), x_i64(0), longest);
	k_end(k);
	cpu_lanes_sort(s, longest);
	number = cpu_for(s, "sequence", group, end, 0);
	p = sequence_at(s, number);
	struct sorted by = { .lane = cpu_let(s, "lane", x_sub(number, group)) };
	store(s, &p, &by, 0);
	k_end(k);
}

static void sort_groups(const struct cpu_sort *s, struct kx *group, struct kx *behind, struct kx *some_long)
{
	struct kernel *k = s->k;
	struct kx *end = cpu_let(s, "group_end", x_min(x_add(group, x_i64(LANES)), behind)), *all;
	k_note(k, "sequences side by side, unless that wastes lanes");
	struct kx *longest = find_longest(s, group, end, &all), *room = x_mul(longest, x_i64(LANES));
	if (!s->node->sorting->into) {           /* of one cell, nothing moves */
		k_if(k, x_le(longest, x_i64(1)));
		k_continue(k);
		k_end(k);
	}
	k_if(k, x_and(x_le(longest, cpu_lanes_most(s)), x_le(room, x_mul(all, x_i64(4)))));
	sort_group(s, group, end, longest);
	k_else(k);
	sort_alone(s, cpu_for(s, "sequence", group, end, 0), some_long);
	k_end(k);
	k_end(k);
}

static void sort_short(struct cpu_sort *s)
{
	struct kernel *k;
	bool lanes = cpu_lanes_can(s);
	open_function(s, "", "Sorts every sequence that is not long.");
	k = s->k;
	struct kx *longs = pointer(s, s->long_slot), *behind;
	open_parts(s);
	struct kx *parts = cpu_let(s, "parts", x_min(s->sequences, x_i64(PARTS)));
	struct kx *part = cpu_for(s, "part", x_i64(0), parts, FOR_PARALLEL | FOR_DYNAMIC);
	struct kx *some = x_var(k_var(k, kt_scalar(T_BOOL), "some_long", x_int(T_BOOL, 0)));
	if (lanes)
		cpu_lanes_open(s);
	struct kx *first = open_sequences(s, part, parts, lanes ? LANES : 1, &behind);
	if (lanes)
		sort_groups(s, first, behind, some);
	else
		sort_alone(s, first, some);
	k_end(k);
	k_set(k, x_at(longs, part), some);
	k_end(k);
	close_function(s);
}

/* ---- long sequences ---- */

static void find_long_pointers(struct cpu_sort *s)
{
	s->counts = s->count_slot ? pointer(s, s->count_slot) : NULL;
	s->cuts = s->cut_slot ? pointer(s, s->cut_slot) : NULL;
}

/* All threads sort one sequence. */
static void sort_long(const struct cpu_sort *s, const struct piece *p)
{
	store_merged(s, p, s->counts ? cpu_radix_sort(s, p) : cpu_merge_tiles(s, p), FOR_PARALLEL);
}

static void sort_longs(struct cpu_sort *s)
{
	struct kernel *k;
	open_function(s, "_long", "Sorts the long sequences one after another, with all threads.");
	k = s->k;
	struct kx *longs = pointer(s, s->long_slot), *behind;
	find_long_pointers(s);
	open_parts(s);
	struct kx *parts = cpu_let(s, "parts", x_min(s->sequences, x_i64(PARTS)));
	struct kx *part = cpu_for(s, "part", x_i64(0), parts, 0);
	k_if(k, x_unary(OP_NOT, x_at(longs, part)));
	k_continue(k);
	k_end(k);
	struct piece p = sequence_at(s, open_sequences(s, part, parts, 1, &behind));
	k_if(k, x_le(s->long_cells, p.n));
	sort_long(s, &p);
	k_end(k);
	k_end(k);
	k_end(k);
	close_function(s);
}

static void sort_one(struct cpu_sort *s)
{
	open_function(s, "", "Sorts the array with all threads.");
	find_long_pointers(s);
	struct piece p = { x_i64(0), cpu_let(s, "cells", sort_cells(s->l, s->node)), x_i64(0) };
	if (cpu_lanes_can(s))
		cpu_lanes_open(s);
	k_if(s->k, x_lt(p.n, x_i64(SOLO)));
	store_merged(s, &p, cpu_merge_sort(s, &p), 0);
	k_else(s->k);
	sort_long(s, &p);
	k_end(s->k);
	close_function(s);
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

static void sort_sequences(struct cpu_sort *s)
{
	struct kernel *host = s->plan->host;
	struct kx *has_long = x_le(x_i64(LONG), s->host_cells);
	if (is_one(s)) {
		sort_one(s);
		return;
	}
	sort_short(s);
	if (never(has_long))
		return;
	k_if(host, has_long);
	sort_longs(s);
	k_end(host);
}

void sort_cpu(struct plan *plan, const struct node *node)
{
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
	sort_sequences(s);
	k_end(host);
}
