/* state_words.c - a total cut into pieces of 32 bits, each in a word of 64 with what is known in
 * its upper half, stored and loaded by relaxed atomics of the device.  Every word tells by itself
 * whether it is there, so there is no fence, and a total may be of any size. */
#include <assert.h>
#include "state_words.h"

void state_leaves(struct values *l, struct kx *x)
{
	const struct type *type = x->type.type;
	if (type->kind != T_STRUCT) {
		list_add(&l->at, x);
		return;
	}
	for (int f = 0; f < type->record->field.n; f++) {
		const struct field *field = &type->record->field.at[f];
		if (field->type->kind != T_ARRAY)
			state_leaves(l, x_field(x, field));
		for (int64_t c = 0; field->type->kind == T_ARRAY && c < type_cells(field->type);
		     c++)
			list_add(&l->at, x_elem(x, field, x_i32(c)));
	}
}

static struct values leaves_of_all(const struct accumulators *acc)
{
	struct values l = { { NULL, 0, 0 } };
	for (int a = 0; a < acc->n; a++)
		state_leaves(&l, x_var(acc->at[a].var));
	return l;
}

int state_words(const struct accumulators *acc)
{
	int64_t words = 0;
	for (int a = 0; a < acc->n; a++)
		words += type_words(acc->at[a].type);
	assert(words <= STATE_WORDS && "as many as a thread may carry");
	return (int)words;
}

static bool is_wide(const struct kx *leaf)
{
	return type_size(leaf->type.type) > 4;
}

struct kx *state_bits(struct kx *leaf)
{
	struct ktype type = kt_scalar(is_wide(leaf) ? T_U64 : T_U32);
	if (type_class(leaf->type.type) != 'F')
		return x_cast(type, leaf);
	return x_help(type, str_print("patc_bits_%s", kt_word(leaf->type.type)), 1, &leaf);
}

struct kx *state_of_bits(const struct type *type, struct kx *bits)
{
	if (type->kind == T_BOOL)
		return x_ne(bits, x_int(T_U32, 0));
	if (type_class(type) != 'F')
		return x_cast(kt(type), bits);
	return x_help(kt(type), str_print("patc_from_bits_%s", kt_word(type)), 1, &bits);
}

static void store_word(struct lowering *l, struct kx *place, struct kx *bits, struct kx *known)
{
	struct kx *arg[] = { place, x_cast(kt_scalar(T_U32), bits), known };
	k_do(l->k, x_help(kt_scalar(T_I32), "patc_state_store", 3, arg));
}

void state_store(struct lowering *l, struct kx *const *place, const struct accumulators *acc,
                 struct kx *known)
{
	struct values leaf = leaves_of_all(acc);
	for (int i = 0, word = 0; i < leaf.at.n; i++) {
		struct kx *bits = state_bits(leaf.at.at[i]);
		if (is_wide(leaf.at.at[i])) {
			bits = x_var(k_let(l->k, "bits", bits));
			store_word(l, place[word++], bits, known);
			bits = x_op(OP_SHR, bits, x_i32(32));
		}
		store_word(l, place[word++], bits, known);
	}
}

void state_cut(struct lowering *l, struct values *word, struct kx *value)
{
	struct values leaf = { { NULL, 0, 0 } };
	state_leaves(&leaf, value);
	for (int i = 0; i < leaf.at.n; i++) {
		struct kx *bits = state_bits(leaf.at.at[i]);
		if (is_wide(leaf.at.at[i]))
			bits = x_var(k_let(l->k, "bits", bits));
		list_add(&word->at, x_cast(kt_scalar(T_U32), bits));
		if (is_wide(leaf.at.at[i]))
			list_add(&word->at,
			         x_cast(kt_scalar(T_U32), x_op(OP_SHR, bits, x_i32(32))));
	}
}

void state_store_if(struct lowering *l, struct kx *place, bool pairs, const struct values *value,
                    struct kx *known, struct kx *is)
{
	struct values word = { { NULL, 0, 0 } };
	for (int i = 0; i < value->at.n; i++)
		state_cut(l, &word, value->at.at[i]);
	for (int i = 0; i < word.at.n; i++) {
		struct kx *at = x_offset(place, x_i64(i)), **w = &word.at.at[i];
		if (pairs && i + 1 < word.at.n) {
			k_do(l->k, x_help(kt_scalar(T_I32), "patc_state_store_2_if", 5,
			                  (struct kx *[]){ at, w[0], w[1], known, is }));
			i++;
		} else {
			k_do(l->k, x_help(kt_scalar(T_I32), "patc_state_store_if", 4,
			                  (struct kx *[]){ at, w[0], known, is }));
		}
	}
}

struct kx *state_load(struct kx *place)
{
	return x_help(kt_scalar(T_U64), "patc_state_load", 1, &place);
}

struct kx *state_known(struct kx *word)
{
	return x_cast(kt_scalar(T_U32), x_op(OP_SHR, word, x_i32(32)));
}

int state_join(struct lowering *l, struct kx *to, struct kx *const *word)
{
	struct values leaf = { { NULL, 0, 0 } };
	struct ktype u32 = kt_scalar(T_U32), u64 = kt_scalar(T_U64);
	int n = 0;
	state_leaves(&leaf, to);
	for (int i = 0; i < leaf.at.n; i++) {
		struct kx *bits = x_cast(u32, word[n++]);
		if (is_wide(leaf.at.at[i]))
			bits = x_op(OP_OR, x_op(OP_SHL, x_cast(u64, word[n++]), x_i32(32)),
			            x_cast(u64, bits));
		k_set(l->k, leaf.at.at[i], state_of_bits(leaf.at.at[i]->type.type, bits));
	}
	return n;
}

void state_take(struct lowering *l, struct kx *const *word, const struct accumulators *to)
{
	for (int a = 0; a < to->n; a++)
		word += state_join(l, x_var(to->at[a].var), word);
}
