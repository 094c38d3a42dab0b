/* sample_use.c - values for parameters that point: offsets, heads, keys, subscripts.
 *
 * Chance alone would make offsets that fall and subscripts outside, and the comparison would see
 * nothing but the status of that.  So the graph is asked how a kernel uses a parameter:
 *
 *   offsets    of a scan's segments, or bounds of a fold's range `row[r] .. row[r+1]`: they rise
 *              from 0 to the size of the axis, or begin after 0 and end before; segments are of
 *              all lengths, of equal ones, mostly empty, all empty, one of everything, or few long
 *              and many short ones
 *   heads      of segments: none, few, many, all; integers other than 0 of all sizes
 *   keys       runs of every length; a key comes back later, and equal runs may meet
 *   subscripts read inside the subscript of another array: places in that axis, spread, in order,
 *   or all one
 *   length     of all segments: 1 and more
 *   links      cells of an array that a function takes: places in it, or -1: one after another,
 *              forwards, anywhere, or none
 *   ends       `j in 0 .. length[k]` of a sweep: nothing, all of the axis, or anything between
 *
 * One of the kinds is chosen for an array as a whole.  Half of the WIDE ones are then spoilt:
 * offsets fall, offsets and subscripts lie outside, by one or by far, unless a statement says
 * `trusted`.  Values that the type cannot hold are not made. */
#include <stdlib.h>
#include <string.h>

#include "eval_value.h"
#include "expansion.h"
#include "ragged.h"
#include "running.h"
#include "sample.h"

/* ---- how a parameter is used ---- */

struct search { const struct var *var; struct use use; };

static bool is_not_read(struct expr *e, void *var)
{
	return e->kind != E_READ || e->var != var;
}

static bool reads(const struct expr *e, const struct var *v)
{
	return !expr_walk((struct expr *)e, is_not_read, (void *)(intptr_t)v);
}

struct bare { const struct var *index; const struct affine *extent; };

static bool find_bare(struct expr *e, void *what)
{
	struct bare *b = what;
	for (int k = 0; e->kind == E_READ && k < e->arg.n && !b->extent; k++)
		if (e->arg.at[k]->kind == E_VAR && e->arg.at[k]->var == b->index)
			b->extent = &e->var->extent[k];
	return true;
}

static void note_use(struct search *s, enum use_kind kind, const struct affine *size)
{
	bool points = strchr("IU", type_class(s->var->type)) || kind == USE_KEYS
		|| kind == USE_SORTED
		|| (kind == USE_HEADS && type_class(s->var->type) == 'B');
	points |= kind == USE_LINKS && type_class(s->var->type) == 'S';
	bool open = s->use.kind == USE_ANY
	            || (s->use.kind == USE_SUBSCRIPT && kind == USE_SORTED);  /* w[search(x, v)] */
	if (open && points)
		s->use = (struct use){ .kind = kind,
			               .size = *size,
			               .trusted = s->use.trusted,
			               .unique = s->use.unique,
			               .blind = s->use.blind };
}

static void search_fold(struct search *s, struct expr *e)
{
	const struct fold *f = e->fold;
	if (f->sorted && searched_cell(e)->var == s->var)
		note_use(s, USE_SORTED, &(struct affine){ 0 });
	for (int d = 0; d < f->index.n; d++) {
		struct bare b = { .index = f->index.at[d] };
		if (!reads(f->lo.at[d], s->var) && !reads(f->hi.at[d], s->var))
			continue;
		expr_walk(e->arg.at[0], find_bare, &b);
		if (b.extent)
			note_use(s, USE_OFFSETS, b.extent);
	}
}

static bool search_expr(struct expr *e, void *what)
{
	struct search *s = what;
	if (expr_handed(e) && e->arg.at[0]->var == s->var)
		note_use(s, USE_LINKS, &s->var->extent[0]);
	else if (e->kind == E_FOLD)
		search_fold(s, e);
	for (int k = 0; e->kind == E_READ && k < e->arg.n; k++)
		if (reads(e->arg.at[k], s->var))
			note_use(s, USE_SUBSCRIPT, &e->var->extent[k]);
	return true;
}

struct affine axis_end(const struct node *node)
{
	struct affine end;
	return affine_of(node->hi.at[node->running->axis], &end) ? end : affine_constant(0);
}

static bool is_length(const struct expr *e, const struct var *v)
{
	while (e && e->kind == E_CAST)
		e = e->arg.at[0];
	return e && e->kind == E_VAR && e->var == v;
}

static void search_running(struct search *s, const struct node *node)
{
	static const enum use_kind kind[] = { [SEGMENT_NONE] = USE_ANY,
		                              [SEGMENT_OFFSETS] = USE_OFFSETS,
		                              [SEGMENT_HEADS] = USE_HEADS,
		                              [SEGMENT_KEYS] = USE_KEYS,
		                              [SEGMENT_LENGTH] = USE_LENGTH };
	const struct running *r = node->running;
	struct affine end = axis_end(node);
	if (r->cut == s->var || is_length(r->length, s->var))
		note_use(s, kind[r->segment], &end);
}

static bool is_cell(const struct expr *e, const struct var *v)
{
	while (e->kind == E_CAST)
		e = e->arg.at[0];
	return e->kind == E_READ && e->var == v;
}

/* Bounds of a sweep's range: a cell alone is an end, cells on both sides or their difference are
 * offsets. */
static void search_ranges(struct search *s, const struct node *node)
{
	for (int k = 0; node->wave && k < node->index.n; k++) {
		struct bare b = { .index = node->index.at[k] };
		bool lo = reads(node->lo.at[k], s->var), hi = reads(node->hi.at[k], s->var);
		if (lo || hi)
			find_bare(target_read(node_target(node, 0)), &b);
		if (b.extent)
			note_use(s, !lo && is_cell(node->hi.at[k], s->var) ? USE_END : USE_OFFSETS,
			         b.extent);
	}
}

/* Bounds of a range of items: of what it is cut to, or of few, as nothing else ends it. */
static void search_expansion(struct search *s, const struct fold *f)
{
	enum { FEW = 40 };
	struct affine end = affine_constant(FEW);
	bool lo = reads(f->lo.at[0], s->var), hi = reads(f->hi.at[0], s->var);
	if (f->cut->end && !affine_of(f->cut->end, &end))
		return;
	if (lo || hi)
		note_use(s, !lo && is_cell(f->hi.at[0], s->var) ? USE_END : USE_OFFSETS, &end);
}

/* What the statement promises of the array, if it reads it; then how it uses it. */
static void search_statement(struct search *s, struct node *node)
{
	bool used = !node_walk(node, is_not_read, (void *)(intptr_t)s->var)
	            || (node->running && node->running->cut == s->var);
	bool unique = used && node_clause(node, "unique");
	bool trusted = used && node_clause(node, "trusted");
	s->use.unique |= unique;
	s->use.trusted |= trusted;
	s->use.blind |= unique && trusted;
	if (node->running)
		search_running(s, node);
	search_ranges(s, node);
	for (int k = 0; node->expand && k < node->index.n; k++)
		if (node->expand->count[k])
			search_expansion(s, node->expand->count[k]->fold);
	node_walk(node, search_expr, s);
}

static void search_nodes(struct search *s, struct node *const *at, int n)
{
	for (int i = 0; i < n; i++) {
		if (at[i]->kind == NODE_PATTERN)
			search_statement(s, at[i]);
		search_nodes(s, at[i]->body.at, at[i]->body.n);
	}
}

struct use use_of(const struct entry *e, const struct var *v)
{
	struct search s = { .var = v };
	search_nodes(&s, e->body.at, e->body.n);
	return s.use;
}

/* ---- values ---- */

static void put(const struct type *t, void *to, int64_t cell, int64_t i)
{
	num_store(t, (char *)to + cell * type_size(t), num_int(i));
}

static int64_t get(const struct type *t, const void *from, int64_t cell)
{
	return num_load(t, (const char *)from + cell * type_size(t)).i;
}

/* The largest of 0 .. n that the type holds. */
static int64_t largest(const struct type *t, int64_t n)
{
	int bits = (int)(8 * type_size(t)) - (type_class(t) == 'I');
	int64_t most = bits < 63 ? ((int64_t)1 << bits) - 1 : INT64_MAX;
	return n < most ? n : most;
}

static int order(const void *a, const void *b)
{
	int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
	return x < y ? -1 : x > y;
}

enum lengths { ANY_LENGTH, WITHIN, FEW_CUTS, ONE, EMPTY, EQUAL, POWER, TINY, LENGTHS };

static int64_t offset(uint64_t *state, enum lengths how, int64_t n, int64_t k, int64_t cells,
                      int64_t one)
{
	double u = (double)chance_to(state, 1 << 30) / (1 << 30);
	switch (how) {
	case ANY_LENGTH: case WITHIN: return chance_to(state, n);
	case FEW_CUTS: return chance_to(state, 3) * (n / 4);
	case ONE: return k > one ? n : 0;
	case EMPTY: return one < n ? one : n;
	case EQUAL: return cells > 1 ? k * n / (cells - 1) : 0;
	case POWER: return (int64_t)(u * u * u * u * u * u * (double)n);
	case TINY: return k < n ? k : n;
	case LENGTHS: break;
	}
	return 0;
}

static void spoil_offsets(uint64_t *state, const struct type *t, int64_t n, int64_t cells, void *to)
{
	int64_t at = chance_to(state, cells - 1);
	switch (chance_below(state, 4)) {
	case 0: put(t, to, at, -1 - chance_to(state, 1) * 1000); break;
	case 1: put(t, to, cells - 1, n + 1); break;
	case 2: put(t, to, at, get(t, to, 0) - 1); break;
	default: put(t, to, at, chance_to(state, n));
	}
}

static void sample_offsets(uint64_t *state, const struct type *t, enum lengths how, int64_t n,
                           int64_t cells, void *to)
{
	int64_t most = largest(t, n), one = chance_to(state, cells);
	int64_t *at = mem_new((size_t)(cells + 1) * sizeof *at);
	for (int64_t k = 0; k < cells; k++)
		at[k] = offset(state, how, most, k, cells, one);
	qsort(at, (size_t)cells, sizeof *at, order);
	if (cells > 0 && (how == ANY_LENGTH || how == FEW_CUTS || how == POWER)) {
		at[0] = 0;
		at[cells - 1] = cells > 1 ? most : 0;
	}
	for (int64_t k = 0; k < cells; k++)
		put(t, to, k, at[k]);
}

static void sample_heads(uint64_t *state, const struct type *t, int64_t cells, void *to)
{
	static const int64_t head[] = {
		1, 1, 1, 2, -1, 128, 1 << 8, 1 << 16, INT64_C(1) << 31, INT64_C(1) << 32
	};
	static const int one_in[] = { 1, 2, 8, 200, 1 << 30 };
	int of = one_in[chance_below(state, 5)];
	for (int64_t k = 0; k < cells; k++)
		put(t, to, k,
		    chance_below(state, of) ? 0
		    : type_class(t) == 'B'  ? 1
		                            : head[chance_below(state, 10)]);
}

static void sample_keys(uint64_t *state, const struct type *t, enum flavour how, int64_t cells,
                        char *to)
{
	enum { DIFFERENT = 5 };
	static const int run[] = { 1, 3, 40, 1000, 1 << 30 };
	int most = run[chance_below(state, 5)];
	size_t each = (size_t)type_size(t);
	char *key = mem_new(DIFFERENT * each);
	for (int k = 0; k < DIFFERENT; k++)
		sample(state, t, how, false, key + (size_t)k * each);
	for (int64_t k = 0, left = 0, now = 0; k < cells; k++, left--) {
		if (left <= 0) {
			left = 1 + chance_below(state, most);
			now = chance_below(state, DIFFERENT);
		}
		memcpy(to + (size_t)k * each, key + (size_t)now * each, each);
	}
}

static int64_t outside(uint64_t *state, int64_t n)
{
	const int64_t far = INT64_C(1) << 32,
		      list[] = { -1,  n,  n + 1,   INT64_MIN, INT64_MAX,   INT32_MAX,
		                 far, -n, far / 2, -far / 2,  far + n / 2, far - 1 };
	return list[chance_below(state, sizeof list / sizeof *list)];
}

static void sample_subscripts(uint64_t *state, const struct type *t, int64_t n, bool spoilt,
                              bool even, int64_t cells, void *to)
{
	int how = even ? 3 : chance_below(state, 4);
	int64_t most = largest(t, n - 1), one = n > 0 ? chance_to(state, most) : 0;
	for (int64_t k = 0; k < cells; k++) {
		bool wrong = n < 1 || (spoilt && chance_below(state, 8) == 0);
		put(t, to, k, wrong ? outside(state, n) : how == 0 ? one : how == 1 ? k % (most + 1)
			: chance_to(state, most));
	}
}

/* A step that comes to all of n places before one twice: to the next, back, or far. */
static int64_t step_through(uint64_t *state, int64_t n)
{
	int how = chance_below(state, 4);
	int64_t step = how == 0 ? 1 : how == 1 ? n - 1 : chance_to(state, n - 1);
	while (gcd(step, n) != 1)
		step++;
	return step;
}

/* Of a statement that says `unique`: no place twice; where there are no more, those after the
 * array, unless nobody looks whether they are. */
static void sample_places(uint64_t *state, const struct type *t, int64_t n, bool blind,
                          int64_t cells, void *to)
{
	int64_t places = largest(t, n - 1) + 1, from = n > 0 ? chance_to(state, places - 1) : 0;
	bool behind = !blind && largest(t, n) == n;
	int64_t step = n > 0 ? step_through(state, places) : 0;
	for (int64_t k = 0; k < cells; k++) {
		int64_t at = n > 0 ? (from + k % places * step) % places : 0;
		put(t, to, k, behind && k >= places ? n : at);
	}
}

static void sample_length(uint64_t *state, const struct type *t, bool spoilt, void *to)
{
	static const int64_t length[] = { 1, 2, 3, 7, 31, 32, 33, 64, 100, 127, 1000, 2000 };
	put(t, to, 0, spoilt ? -chance_to(state, 1) : largest(t, length[chance_below(state, 12)]));
}

static void sample_ends(uint64_t *state, const struct type *t, int64_t n, bool spoilt,
                        int64_t cells, void *to)
{
	int64_t most = largest(t, n);
	for (int64_t k = 0; k < cells; k++) {
		int how = chance_below(state, 5);
		put(t, to, k, how == 0 ? 0 : how == 1 ? most : chance_to(state, most));
	}
	if (spoilt && cells > 0)
		put(t, to, chance_to(state, cells - 1),
		    chance_below(state, 2) ? largest(t, n + 1 + chance_to(state, 40)) : -1);
}

static int64_t link_of(uint64_t *state, int how, int64_t k, int64_t n)
{
	switch (how) {
	case 0: return k + 1 < n ? k + 1 : -1;
	case 1: return k + 1 < n ? k + 1 + chance_to(state, n - k - 2) : -1;
	case 2: return chance_to(state, n) - 1;
	default: return -1;
	}
}

/* Every integer of a cell is a link. */
struct links { int how; int64_t n; bool spoilt; };

static void put_links(uint64_t *state, const struct links *l, const struct type *t, int64_t k,
                      char *to)
{
	bool wrong = l->spoilt && chance_below(state, 8) == 0;
	if (strchr("IU", type_class(t)))
		put(t, to, 0, wrong ? outside(state, l->n)
		                    : largest(t, link_of(state, l->how, k, l->n)));
	for (int f = 0; type_class(t) == 'S' && f < t->record->field.n; f++) {
		const struct field *field = &t->record->field.at[f];
		put_links(state, l, field->type, k, to + field->offset);
	}
}

static void sample_links(uint64_t *state, const struct type *t, int64_t n, bool spoilt,
                         int64_t cells, char *to)
{
	const struct links l = { chance_below(state, 4), n, spoilt };
	for (int64_t k = 0; k < cells; k++)
		put_links(state, &l, t, k, to + k * type_size(t));
}

static int float_order(const void *a, const void *b)
{
	double x = ((const struct num *)a)->f, y = ((const struct num *)b)->f;
	return x < y ? -1 : x > y;
}

static int signed_order(const void *a, const void *b)
{
	return order(&((const struct num *)a)->i, &((const struct num *)b)->i);
}

static int unsigned_order(const void *a, const void *b)
{
	uint64_t x = (uint64_t)((const struct num *)a)->i, y = (uint64_t)((const struct num *)b)->i;
	return x < y ? -1 : x > y;
}

/* Of what is searched: any values that do not fall, without NaN. */
static void sample_sorted(uint64_t *state, const struct type *t, enum flavour how, int64_t cells,
                          char *to)
{
	char class = type_class(t);
	struct num *value = mem_new((size_t)(cells + 1) * sizeof *value);
	for (int64_t k = 0; k < cells; k++) {
		char *at = to + k * type_size(t);
		sample(state, t, how, false, at);
		value[k] = num_load(t, at);
		if (class == 'F' && value[k].f != value[k].f)
			value[k].f = 0;
	}
	qsort(value, (size_t)cells, sizeof *value,
	      class == 'F' ? float_order : class == 'U' ? unsigned_order : signed_order);
	for (int64_t k = 0; k < cells; k++)
		num_store(t, to + k * type_size(t), value[k]);
}

void sample_use(uint64_t *state, const struct use *use, int64_t n, const struct type *t,
                enum flavour how, int64_t cells, void *to)
{
	bool spoilt = how == WIDE && chance_below(state, 2) && !use->trusted, even = how == EVEN;
	switch (use->kind) {
	case USE_ANY: return;
	case USE_OFFSETS:
		sample_offsets(state, t, even ? EQUAL : (enum lengths)chance_below(state, LENGTHS),
		               n < 0 ? 0 : n, cells, to);
		if (spoilt && cells > 0)
			spoil_offsets(state, t, n, cells, to);
		return;
	case USE_HEADS: sample_heads(state, t, cells, to); return;
	case USE_KEYS: sample_keys(state, t, how, cells, to); return;
	case USE_SUBSCRIPT:
		if (use->unique) {
			sample_places(state, t, n, use->blind, cells, to);
			return;
		}
		sample_subscripts(state, t, n, spoilt, even, cells, to);
		return;
	case USE_END: sample_ends(state, t, n < 0 ? 0 : n, spoilt, cells, to); return;
	case USE_SORTED: sample_sorted(state, t, how, cells, to); return;
	case USE_LENGTH: sample_length(state, t, spoilt, to); return;
	case USE_LINKS: sample_links(state, t, n, spoilt, cells, to); return;
	}
}
