/* wave_hand.c - what a strip of a wavefront hands to the next one: the rows at its end, place by
 * place.
 *
 * The last lane stores what these rows have at the places of a step, words that tell by
 * themselves whether they are there (state_words.c).  The next strip takes them by chunks of
 * PART places, a place a lane, and asks for each a chunk ahead (strips.kernel).  With them come
 * the columns' own values (wave_reads.c).  Both wait in shared memory, and what a step reads of
 * them is loaded at the end of the one before it. */
#include "wave_strips.h"
#include "../state_words.h"

void handed_open(struct strips *s)
{
	struct kernel *k = s->axes.l->k;
	int n = 0;
	for (int q = 0; q < s->axes.node->equation.n; q++)
		for (int64_t x = 0; x < s->table[q].above; x++) {
			const struct type *type = s->table[q].type;
			s->now.handed.at[n++] = (struct accumulator){
				.of = type,
				.type = type,
				.var = k_var(k, kt(type), "handed", lower_zero(type))
			};
		}
	s->now.handed.n = n;
	for (int w = 0; w < s->shape->words; w++)
		s->now.word[w] = k_var(k, kt_scalar(T_U64), "word", x_int(T_U64, 0));
	if (n)
		k_text(k, "find_hands");
}

/* ---- the last lane ---- */

/* What the rows at the end have in a column of the step. */
static void rows_handed(struct strips *s, int c, struct values *value)
{
	for (int q = 0; q < s->axes.node->equation.n; q++)
		for (int64_t x = 0; x < s->table[q].above; x++)
			list_add(&value->at, window_at(s, q, x_i32((int32_t)(s->shape->rows + x)),
			                               x_i32((int32_t)(c + s->table[q].left))));
}

void store_words(struct strips *s, struct kx *place, struct kx *is)
{
	struct values value = { { NULL, 0, 0 } };
	struct kx *number = x_cast(kt_scalar(T_U32), x_add(get(s, "strip"), x_i64(1))),
		  *to = k_value(s->axes.l->k, "word_place", place);
	for (int c = 0; c < s->shape->columns; c++)
		rows_handed(s, c, &value);
	state_store_if(s->axes.l, x_offset(to, x_i64(0)),
	               s->shape->words * s->shape->columns % 2 == 0, &value, number, is);
}

/* ---- the next strip ---- */

void load_words(struct strips *s, struct kx *place)
{
	for (int w = 0; w < s->shape->words; w++)
		k_set(s->axes.l->k, x_var(s->now.word[w]),
		      state_load(x_offset(k_value(s->axes.l->k, "word_place", place), x_i64(w))));
}

void rows_before(struct strips *s, struct kx *place)
{
	for (int q = 0, n = 0; q < s->axes.node->equation.n; q++)
		for (int64_t x = 0; x < s->table[q].above; x++, n++) {
			int64_t up = s->table[q].above - x;
			edge_above(s, q, s->now.handed.at[n].var, up,
			           x_add(place, x_sub(x_i64(s->axes.slope * up), s->now.before)));
		}
}

struct kx *words_known(const struct strips *s)
{
	struct kx *all = NULL;
	for (int w = 0; w < s->shape->words; w++)
		all = x_and(all, x_eq(state_known(x_var(s->now.word[w])),
		                      x_cast(kt_scalar(T_U32), get(s, "strip"))));
	return all;
}

/* Of a row: where the strip is served, a chunk is filled while the one before it is read. */
int top_places(const struct strips *s)
{
	return s->kind->served ? 2 * s->shape->chunk : PART + s->shape->columns;
}

struct kx *top_place(const struct strips *s, struct kx *place)
{
	return x_op(OP_AND, place, x_i32(2 * s->shape->chunk - 1));
}

void decode_words(struct strips *s)
{
	struct kx *at[STATE_WORDS];
	for (int w = 0; w < s->shape->words; w++)
		at[w] = x_var(s->now.word[w]);
	state_take(s->axes.l, at, &s->now.handed);
}

void put_top(struct strips *s, struct kx *at)
{
	for (int q = 0, n = 0; q < s->axes.node->equation.n; q++)
		for (int64_t x = 0; x < s->table[q].above; x++, n++) {
			struct kx *top = x_at(x_var(s->table[q].top),
			                      x_add(x_i32((int32_t)(x * top_places(s))), at));
			accumulator_copy(s->axes.l, top, x_var(s->now.handed.at[n].var));
		}
}
