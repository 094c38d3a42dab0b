/* sort_eval.c - the interpreter on statements that sort: sorting.h says what they do.
 *
 * A sequence's cells are numbered, the numbers are sorted by a stable merge, and every array is
 * rewritten from a copy.  What another correct sort may give instead is said cell by cell:
 *
 *   Equal keys of a sort that is not stable may come in any order, the same in all arrays: such
 *   cells are open, and share the number of a group (struct order), so that whoever compares can
 *   see that the group's cells are those expected, in some order.  A group of which `first` takes a
 *   part only has no number. A function that is no strict order on these keys may give any
 *   permutation: the sequence is one group. Keys with a bound on their error stay within the
 *   largest of those bounds, since sorting does not widen the distance of two sequences; what moves
 *   along is open.
 *
 * Offsets that fall or lie outside the axis are recorded, and all cells are open: which sequence a
 * cell is in, nothing says.  So is a length below 1, which sorts nothing (R34). */
#include <math.h>
#include <string.h>

#include "../lowerings.h"
#include "eval_impl.h"
#include "running.h"
#include "sorting.h"

struct moved {                           /* an array of the statement */
	struct place *place;
	unsigned char *old;    /* the sequence before it was sorted, its bounds after each other */
	double *error;
	bool keys;             /* what its cells hold follows from the order alone, but for zeros */
};
struct sort_code {
	const struct node *node;
	struct place *key, *cut;
	struct body *less;
	struct code *length, *first;
	int n;
	struct moved *moved;
	int64_t *number, *scratch;           /* cells of a sequence, in order */
	struct order *order;                 /* of this run */
	int64_t groups;
	bool doubt; /* what the function said depends on rounding, or is open */
	double bound;                        /* the largest of the sequence's keys */
};

static struct sort_code *compile(struct eval *ev, const struct node *node)
{
	struct sort_code *c = known_add(&ev->node, node, NEW(struct sort_code));
	const struct sorting *s = node->sorting;
	c->node = node;
	c->key = place_of(ev, s->key->var);
	c->cut = node->running->cut ? place_of(ev, node->running->cut) : NULL;
	c->less = s->less ? compile_body(ev, s->less) : NULL;
	c->length = node->running->length ? code_of(ev, node->running->length) : NULL;
	c->first = s->first ? code_of(ev, s->first) : NULL;
	c->n = node->equation.n;
	c->moved = array_new(c->n, sizeof *c->moved);
	int64_t most = c->key->extent[c->key->rank - 1];
	for (int q = 0; q < c->n; q++) {
		const struct var *v = node->equation.at[q]->target.at[0]->var;
		struct moved *m = &c->moved[q];
		m->place = place_of(ev, v);
		m->old = array_new(most, (size_t)type_size(v->type));
		m->error = array_new(most, sizeof *m->error);
		m->keys = v == s->key->var && s->order != ORDER_LESS;
	}
	c->number = array_new(most, sizeof *c->number);
	c->scratch = array_new(most, sizeof *c->scratch);
	return c;
}

/* ---- the order ---- */

static struct num key_at(const struct sort_code *c, int64_t cell)
{
	return num_load(c->key->type, c->key->data + cell * type_size(c->key->type));
}

static bool below(const struct type *type, struct num a, struct num b)
{
	if (type_class(type) == 'F')
		return a.f < b.f;
	return type_class(type) == 'U' ? (uint64_t)a.i < (uint64_t)b.i : a.i < b.i;
}

/* Does the key of cell i come before that of cell j? */
static bool before(struct eval *ev, struct sort_code *c, int64_t i, int64_t j)
{
	const struct sorting *s = c->node->sorting;
	struct num two[2] = { key_at(c, i), key_at(c, j) };
	if (s->order == ORDER_LESS) {
		struct num said = call(ev, c->less, two);
		c->doubt |= said.e > 0;
		return said.i;
	}
	if (type_class(c->key->type) == 'F' && (isnan(two[0].f) || isnan(two[1].f)))
		return !isnan(two[0].f);
	return below(c->key->type, two[s->order == ORDER_DOWN], two[s->order == ORDER_UP]);
}

static void merge(struct eval *ev, struct sort_code *c, int64_t lo, int64_t mid, int64_t hi)
{
	int64_t a = lo, b = mid;
	for (int64_t to = lo; to < hi && step_on(ev, c->node->at); to++) {
		bool right = b < hi && (a == mid || before(ev, c, c->number[b], c->number[a]));
		c->scratch[to] = right ? c->number[b++] : c->number[a++];
	}
	memcpy(c->number + lo, c->scratch + lo, (size_t)(hi - lo) * sizeof *c->number);
}

static void sort_numbers(struct eval *ev, struct sort_code *c, int64_t n)
{
	for (int64_t width = 1; width < n && !ev->stopped; width *= 2)
		for (int64_t lo = 0; lo + width < n && !ev->stopped; lo += 2 * width)
			merge(ev, c, lo, lo + width, lo + 2 * width < n ? lo + 2 * width : n);
}

/* How many cells from the first on have equal keys: in order, the first that is not before the next
 * ends it. */
static int64_t group_end(struct eval *ev, struct sort_code *c, int64_t from, int64_t n)
{
	int64_t to = from + 1;
	while (to < n && !before(ev, c, c->number[to - 1], c->number[to]))
		to++;
	return to;
}

/* Is the function a strict order on these keys?  All pairs must say what their places say; of a
 * long sequence, neighbours and those eight apart. */
static bool is_strict(struct eval *ev, struct sort_code *c, int64_t n)
{
	int64_t far = n <= 200 ? n : 8, group = 0, *of = c->scratch;
	for (int64_t from = 0, to; from < n; from = to) {
		to = group_end(ev, c, from, n);
		for (int64_t i = from; i < to; i++)
			of[i] = group;
		group++;
	}
	for (int64_t i = 0; i < n && step_on(ev, c->node->at); i++)
		for (int64_t j = i; j < n && j <= i + far; j++)
			if (before(ev, c, c->number[j], c->number[i])
			    || before(ev, c, c->number[i], c->number[j]) != (of[i] < of[j]))
				return false;
	return true;
}

/* ---- what is written ---- */

static void keep_old(struct sort_code *c, int64_t lo, int64_t n)
{
	for (int q = 0; q < c->n; q++) {
		struct moved *m = &c->moved[q];
		size_t each = (size_t)type_size(m->place->type);
		memcpy(m->old, m->place->data + lo * (int64_t)each, (size_t)n * each);
		memcpy(m->error, m->place->error + lo, (size_t)n * sizeof *m->error);
	}
}

static void write_places(struct sort_code *c, int64_t lo, int64_t n, int64_t row)
{
	for (int q = 0; q < c->n; q++) {
		struct moved *m = &c->moved[q];
		int64_t each = type_size(m->place->type);
		for (int64_t p = 0; p < n; p++) {
			int64_t from = c->number[p] - lo;
			if (c->node->sorting->into)
				num_store(m->place->type, m->place->data + (lo + p) * each,
				          num_int(c->number[p] - row));
			else
				memcpy(m->place->data + (lo + p) * each, m->old + from * each,
				       (size_t)each);
			m->place->error[lo + p] = c->node->sorting->into ? 0 : m->error[from];
		}
	}
}

/* Zeros of both signs, of which nobody says where they are. */
static bool both_zeros(const struct sort_code *c, int64_t from, int64_t to)
{
	bool minus = false, plus = false;
	for (int64_t p = from; p < to && type_class(c->key->type) == 'F'; p++) {
		double f = key_at(c, p).f;
		minus |= f == 0 && signbit(f);
		plus |= f == 0 && !signbit(f);
	}
	return minus && plus;
}

/* Places from .. to, of which those before `end` were written, may hold any order of the same
 * cells. */
static void open_group(struct sort_code *c, int64_t from, int64_t to, int64_t end)
{
	bool exact = to <= end;
	for (int q = 0; q < c->n; q++)
		for (int64_t p = from; p < to && p < end; p++)
			exact &= c->moved[q].place->error[p] == 0;
	for (int64_t p = from; p < to && p < end; p++)
		c->order->group[p] = exact ? c->groups + 1 : 0;
	c->groups += exact;
	for (int q = 0; q < c->n; q++) {
		bool known = c->moved[q].keys && !both_zeros(c, from, to < end ? to : end);
		for (int64_t p = from; p < to && p < end && !known; p++)
			c->moved[q].place->error[p] = OPEN;
	}
}

/* Keys that may be off: the order of the cells is anybody's guess. */
static void open_vague(struct sort_code *c, int64_t from, int64_t to)
{
	for (int q = 0; q < c->n; q++)
		for (int64_t p = from; p < to; p++)
			c->moved[q].place->error[p] = c->moved[q].keys ? c->bound : OPEN;
}

static int64_t wanted(struct eval *ev, const struct sort_code *c, int64_t n)
{
	struct num k = c->first ? run(ev, c->first) : num_int(n);
	ev->all_open |= k.e > 0;
	return k.i < 0 ? 0 : k.i < n ? k.i : n;
}

/* Ends of the groups of sorted cells, before the arrays that hold the keys are written. */
static int64_t *find_groups(struct eval *ev, struct sort_code *c, int64_t n)
{
	int64_t *end = array_new(n, sizeof *end), groups = 0;
	bool any = c->doubt || (c->less && !is_strict(ev, c, n));
	for (int64_t from = 0; from < n; from = end[groups++])
		end[groups] = any                        ? n
		              : c->node->sorting->stable ? from + 1
		                                         : group_end(ev, c, from, n);
	return end;
}

/* Cells lo .. lo + n of a row that begins at cell `row`. */
static void sort_sequence(struct eval *ev, struct sort_code *c, int64_t lo, int64_t n, int64_t row)
{
	c->doubt = false;
	c->bound = 0;
	for (int64_t i = 0; i < n; i++) {
		c->number[i] = lo + i;
		c->bound = worse(c->bound, c->key->error[lo + i]);
	}
	sort_numbers(ev, c, n);
	if (ev->stopped || n < 1)
		return;
	int64_t first = wanted(ev, c, n), *end = find_groups(ev, c, n);
	keep_old(c, lo, n);
	write_places(c, lo, first, row);
	if (c->bound > 0) {
		open_vague(c, lo, lo + first);
		return;
	}
	for (int64_t from = 0, g = 0; from < first; from = end[g++])
		if (end[g] > from + 1)
			open_group(c, lo + from, lo + end[g], lo + first);
}

/* ---- sequences ---- */

static void open_row(struct sort_code *c, int64_t row, int64_t cells)
{
	for (int q = 0; q < c->n; q++)
		for (int64_t p = row; p < row + cells; p++)
			c->moved[q].place->error[p] = OPEN;
}

static void sort_offsets(struct eval *ev, struct sort_code *c, int64_t row, int64_t cells)
{
	bool open = false, rise = offsets_rise(ev, c->node, c->cut, cells, &open);
	if (!rise)
		record(ev);
	if (!rise || open)
		open_row(c, row, cells);
	for (int64_t k = 0; k + 1 < c->cut->cells && rise && !open && step_on(ev, c->node->at); k++)
		sort_sequence(ev, c, row + cut_at(c->cut, k).i,
		              cut_at(c->cut, k + 1).i - cut_at(c->cut, k).i, row);
}

static void sort_lengths(struct eval *ev, struct sort_code *c, int64_t row, int64_t cells)
{
	struct num length = run(ev, c->length);
	if (length.e > 0) {
		open_row(c, row, cells);
		return;
	}
	if (length.i < 1)
		record(ev);
	for (int64_t at = 0; length.i >= 1 && at < cells && step_on(ev, c->node->at);) {
		int64_t n = length.i < cells - at ? length.i : cells - at;
		sort_sequence(ev, c, row + at, n, row);
		at += n;
	}
}

static void sort_row(struct eval *ev, struct sort_code *c, int64_t row, int64_t cells)
{
	switch (c->node->running->segment) {
	case SEGMENT_NONE: sort_sequence(ev, c, row, cells, row); return;
	case SEGMENT_OFFSETS: sort_offsets(ev, c, row, cells); return;
	case SEGMENT_LENGTH: sort_lengths(ev, c, row, cells); return;
	case SEGMENT_HEADS: case SEGMENT_KEYS: return;           /* no clause of what sorts */
	}
}

/* Places that the type of `into` cannot hold. */
static bool too_many(struct eval *ev, const struct sort_code *c, int64_t cells)
{
	const struct type *to = c->moved[0].place->type;
	int bits = (int)(8 * type_size(to)) - (type_class(to) == 'I');
	if (!c->node->sorting->into || bits >= 63 || cells <= INT64_C(1) << bits)
		return false;
	record_status(ev, ST_FULL);
	return true;
}

void sort_eval(struct eval *ev, const struct node *node)
{
	struct sort_code *c = known_find(ev->node, node);
	c = c ? c : compile(ev, node);
	int64_t cells = c->key->extent[c->key->rank - 1];
	if (c->key->cells == 0 || too_many(ev, c, cells))
		return;
	c->order = NEW(struct order);
	c->order->cells = c->key->cells;
	c->order->group = array_new(c->key->cells, sizeof *c->order->group);
	c->groups = 0;
	for (int64_t row = 0; row < c->key->cells && step_on(ev, node->at); row += cells)
		sort_row(ev, c, row, cells);
	for (int q = 0; q < c->n && c->groups; q++)
		c->moved[q].place->order = c->order;
}
