/* wave_hand.c - what a strip of a wavefront hands to the next one: the rows at its end, place by place.
 *
 * The last lane stores what these rows have at the places of a step, words that tell by themselves whether they are
 * there (state_words.c).  The next strip takes them by chunks of PART places, a place a lane, and asks for each a chunk
 * ahead.  With them come the columns' own values (wave_reads.c).  Both wait in shared memory, and what a step wants of
 * them is read at the end of the one before it. */
#include "wave_strips.h"
#include "../state_words.h"

void handed_open(struct strips *s)
{
	struct kernel *k = s->axes.l->k;
	int n = 0;
	for (int q = 0; q < s->axes.node->equation.n; q++)
		for (int64_t x = 0; x < s->table[q].above; x++) {
			const struct type *type = s->table[q].type;
			s->handed.at[n++] = (struct accumulator){ .of = type, .type = type, .var = k_var(k, kt(type), "handed", lower_zero(type)) };
		}
	s->handed.n = n;
	for (int w = 0; w < s->words; w++)
		s->word[w] = k_var(k, kt_scalar(T_U64), "word", x_int(T_U64, 0));
	if (n)
		s->hands = x_var(k_let(k, "hands", x_and(x_eq(s->lane, x_i32(s->lanes - 1)), x_lt(x_add(s->strip, x_i64(1)), s->strips))));
}

/* ---- the last lane ---- */

static struct kx *word_place(const struct strips *s, struct kx *place, int word)
{
	return x_offset(s->state, x_add(x_add(s->own_at, x_mul(place, x_i64(s->words))), x_i64(word)));
}

/* What the rows at the end have in a column of the step. */
static void rows_handed(struct strips *s, int c, struct values *value)
{
	for (int q = 0; q < s->axes.node->equation.n; q++)
		for (int64_t x = 0; x < s->table[q].above; x++)
			list_add(&value->at, window_at(s, q, x_i32((int32_t)(s->rows + x)), x_i32((int32_t)(c + s->table[q].left))));
}

void hand_on(struct strips *s, enum strip_mode mode)
{
	struct lowering *l = s->axes.l;
	bool inside = s->filled && (mode == STRIP_PLAIN || mode == STRIP_END);
	struct values value = { { NULL, 0, 0 } };
	if (!s->handed.n)
		return;
	struct kx *there = x_add(s->place, x_sub(s->before, x_i64(s->axes.slope * strip_rows(s))));
	there = x_var(k_let(l->k, "there", there));
	struct kx *is = x_and(s->hands, inside ? NULL : not_before(s, there, mode));
	if (!s->loose && (mode < STRIP_START || !s->filled))
		is = x_and(is, x_lt(there, s->places));
	is = x_var(k_let(l->k, "is", is));
	for (int c = 0; c < s->columns; c++)
		rows_handed(s, c, &value);
	state_store_if(l, word_place(s, there, 0), s->words * s->columns % 2 == 0, &value, x_cast(kt_scalar(T_U32), x_add(s->strip, x_i64(1))), is);
}

/* ---- the next strip ---- */

/* The place in a chunk that is this lane's. */
static struct kx *chunk_place(const struct strips *s, struct kx *part)
{
	struct kx *place = x_add(x_mul(part, x_i64(s->chunk)), x_to_i64(s->lane));
	return s->shift ? x_sub(place, x_i64(s->shift)) : place;
}

struct kx *has_place(const struct strips *s)
{
	return s->lanes > s->chunk ? x_lt(s->lane, x_i32(s->chunk)) : NULL;
}

static struct kx *is_handed(const struct strips *s, struct kx *place)
{
	struct kx *inside = x_lt(place, s->places);
	if (s->shift)
		inside = x_and(x_le(x_i64(0), place), inside);
	return x_and(has_place(s), x_and(x_lt(x_i64(0), s->strip), inside));
}

static void load_words(struct strips *s, struct kx *place)
{
	for (int w = 0; w < s->words; w++)
		k_set(s->axes.l->k, x_var(s->word[w]), state_load(word_place(s, place, w)));
}

/* Above the first strip. */
static void rows_before(struct strips *s, struct kx *place)
{
	for (int q = 0, n = 0; q < s->axes.node->equation.n; q++)
		for (int64_t x = 0; x < s->table[q].above; x++, n++) {
			int64_t up = s->table[q].above - x;
			edge_above(s, q, s->handed.at[n].var, up, x_add(place, x_sub(x_i64(s->axes.slope * up), s->before)));
		}
}

/* Lanes that want nothing ask for the last place: a load that only some make is waited for where it stands. */
static void ask(struct strips *s, struct kx *part)
{
	struct kernel *k = s->axes.l->k;
	struct kx *place = x_var(k_let(k, "next", chunk_place(s, part)));
	if (reads_by_column(s))
		reads_ask(s, x_sub(place, s->before));
	if (!s->handed.n)
		return;
	k_if(k, x_eq(s->strip, x_i64(0)));
	rows_before(s, place);
	k_else(k);
	bool none = axis_own(s->axes.node, s->axes.n - 1);   /* a problem of its own may have no column */
	if (none)
		k_if(k, is_handed(s, place));
	struct kx *asked = none ? place : x_min(place, x_sub(s->places, x_i64(1)));
	load_words(s, s->shift && !none ? x_max(asked, x_i64(0)) : asked);
	if (none)
		k_end(k);
	k_end(k);
}

static struct kx *words_known(const struct strips *s)
{
	struct kx *all = NULL;
	for (int w = 0; w < s->words; w++)
		all = x_and(all, x_eq(state_known(x_var(s->word[w])), x_cast(kt_scalar(T_U32), s->strip)));
	return all;
}

/* All lanes wait together. */
static void wait_for_words(struct strips *s, struct kx *place)
{
	struct kernel *k = s->axes.l->k;
	struct kx *wanted = x_var(k_let(k, "wanted", is_handed(s, place)));
	struct kx *missing = x_and(wanted, x_unary(OP_NOT, words_known(s)));
	k_while(k, x_ne(x_help(kt_scalar(T_U64), "patc_ballot", 1, &missing), x_int(T_U64, 0)));
	k_if(k, missing);
	load_words(s, place);
	k_end(k);
	k_end(k);
}

/* Of a row: where the strip is served, a chunk is filled while the one before it is read. */
int top_places(const struct strips *s)
{
	return s->served ? 2 * s->chunk : PART + s->columns;
}

struct kx *top_place(const struct strips *s, struct kx *place)
{
	return x_op(OP_AND, place, x_i32(2 * s->chunk - 1));
}

/* The chunk of this part, a place a lane, goes into shared memory. */
static void take_handed(struct strips *s, struct kx *part)
{
	struct lowering *l = s->axes.l;
	struct kernel *k = l->k;
	struct kx *at[STATE_WORDS], *place = x_var(k_let(k, "chunk", chunk_place(s, part)));
	struct kx *at_top = s->served ? top_place(s, x_to_i32(place)) : s->lane;
	k_if(k, x_lt(x_i64(0), s->strip));
	wait_for_words(s, place);
	for (int w = 0; w < s->words; w++)
		at[w] = x_var(s->word[w]);
	state_take(l, at, &s->handed);
	k_end(k);
	if (has_place(s))
		k_if(k, has_place(s));
	for (int q = 0, n = 0; q < s->axes.node->equation.n; q++)
		for (int64_t x = 0; x < s->table[q].above; x++, n++)
			accumulator_copy(l, x_at(x_var(s->table[q].top), x_add(x_i32((int32_t)(x * top_places(s))), at_top)), x_var(s->handed.at[n].var));
	if (has_place(s))
		k_end(k);
}

void first_chunk(struct strips *s, struct kx *part)
{
	ask(s, part);
}

void next_chunk(struct strips *s, struct kx *part)
{
	if (s->handed.n)
		take_handed(s, part);
	reads_take(s, part);
	ask(s, x_add(part, x_i64(chunks_apart(s))));
}

void take_chunk(struct strips *s, struct kx *part)
{
	next_chunk(s, part);
	warp_sync(s->axes.l);
	windows_ask(s, x_i32(0));
	reads_ask_columns(s, x_i32(0));
	coming_take(s);
}
