/* meet_carried.c - what a bunch of items carries with it when bunches are sorted (meet_tiles.c):
 * the cells that its items read by the bunch's own indices, as words of 32 bits side by side.
 *
 * A sorted order of numbers alone would read these cells at random, 32 bytes for each.  A record of
 * 1, 2, 4 or 8 words is written and read whole.  The number of the bunch is one of its words, if
 * the items use it for anything else.  If all that is more than 8 words, the number is the record.
 */
#include <string.h>

#include "meet_tiles.h"
#include "state_words.h"

enum { MOST_WORDS = 8, VECTOR = 4 };

static bool is_outer(const struct carried *c, const struct var *var)
{
	for (int k = 0; k < c->outer; k++)
		if (c->node->index.at[k] == var)
			return true;
	return false;
}

/* Smaller floats have no words of their own. */
static bool has_words(const struct type *type)
{
	if (type->kind == T_ARRAY)
		return has_words(type->elem);
	if (type->kind != T_STRUCT)
		return type_class(type) != 'F' || type_size(type) >= 4;
	for (int f = 0; f < type->record->field.n; f++)
		if (!has_words(type->record->field.at[f].type))
			return false;
	return true;
}

/* By the bunch's indices, and no others. */
static bool is_own(const struct carried *c, const struct expr *e)
{
	bool own = false;
	if (e->kind != E_READ || e->checked || e->guarded || !has_words(e->type))
		return false;
	for (int a = 0; a < e->arg.n; a++)
		for (int t = 0; t < e->affine[a].n || e->affine[a].n < 0; t++) {
			if (e->affine[a].n < 0)
				return false;
			const struct var *var = e->affine[a].term[t].var;
			if (var->kind == VAR_INDEX && !is_outer(c, var))
				return false;
			own |= is_outer(c, var);
		}
	return own;
}

static int number_of(const struct carried *c, const struct expr *e)
{
	int i = 0;
	while (i < c->read.n && !expr_same(c->read.at[i], e))
		i++;
	return i;
}

static bool add_read(struct expr *e, void *state)
{
	struct carried *c = state;
	if (is_own(c, e) && number_of(c, e) == c->read.n)
		list_add(&c->read, e);
	return true;
}

static bool uses_number(const struct carried *c, const struct expr *e)
{
	if (is_own(c, e))
		return false;
	for (int k = 0; k < c->outer && (e->kind == E_VAR || e->fold); k++)
		if (expr_uses(e, c->node->index.at[k]))
			return true;
	for (int i = 0; i < e->arg.n; i++)
		if (uses_number(c, e->arg.at[i]))
			return true;
	return false;
}

static bool is_numbered(const struct carried *c)
{
	bool uses = c->node->where && uses_number(c, c->node->where);
	for (int q = 0; q < c->node->equation.n; q++) {
		const struct equation *eq = c->node->equation.at[q];
		const struct expr *cell = target_read(eq->target.at[0]);
		uses |= uses_number(c, eq->right);
		for (int a = 0; a < cell->arg.n; a++)
			uses |= uses_number(c, cell->arg.at[a]);
	}
	return uses;
}

static bool shares_structs(const struct node *node)
{
	for (int q = 0; q < node->equation.n; q++)
		if (node->equation.at[q]->whole)
			return true;
	return false;
}

static void find_reads(struct carried *c)
{
	if (c->node->where)
		expr_walk(c->node->where, add_read, c);
	for (int q = 0; q < c->node->equation.n; q++) {
		const struct equation *eq = c->node->equation.at[q];
		const struct expr *cell = target_read(eq->target.at[0]);
		expr_walk(eq->right, add_read, c);
		for (int a = 0; a < cell->arg.n; a++)
			expr_walk(cell->arg.at[a], add_read, c);
	}
}

struct carried carried_of(const struct node *node, int outer)
{
	struct carried c = { .node = node, .outer = outer };
	int64_t words = 0;
	if (!shares_structs(node))
		find_reads(&c);
	c.numbered = !c.read.n || is_numbered(&c);
	for (int i = 0; i < c.read.n; i++)
		words += type_words(c.read.at[i]->type);
	if (words + c.numbered > MOST_WORDS)
		c.read.n = 0, c.numbered = true, words = 0;
	c.words = 1;
	while (c.words < words + c.numbered)
		c.words *= 2;
	return c;
}

/* ---- in kernels ---- */

static int lanes_of(const struct carried *c)
{
	return c->words < VECTOR ? c->words : VECTOR;
}

void carried_store(struct lowering *l, const struct carried *c, struct kx *order, struct kx *at,
                   struct kx *number)
{
	const struct type *u32 = type_scalar(T_U32);
	struct values word = { { NULL, 0, 0 } };
	int lanes = lanes_of(c);
	for (int i = 0; i < c->read.n; i++)
		state_cut(l, &word, lower_cell(l, c->read.at[i]));
	if (c->numbered)
		list_add(&word.at, x_cast(kt(u32), number));
	while (word.at.n < c->words)
		list_add(&word.at, x_int(T_U32, 0));
	for (int first = 0; first < c->words; first += lanes) {
		struct kx *to = x_offset(order, x_add(at, x_i64(first)));
		if (lanes == 1) {
			k_set(l->k, x_at(order, at), word.at.at[0]);
			continue;
		}
		struct kvar *some = k_var(l->k, kt_vector(u32, lanes), "words", NULL);
		for (int i = 0; i < lanes; i++)
			k_set(l->k, x_lane(x_var(some), i), word.at.at[first + i]);
		k_vstore(l->k, to, x_var(some));
	}
}

static void load_words(struct lowering *l, const struct carried *c, struct kx *order, struct kx *at,
                       struct kx **word)
{
	int lanes = lanes_of(c);
	for (int first = 0; first < c->words; first += lanes) {
		struct kx *from = x_offset(order, x_add(at, x_i64(first)));
		if (lanes == 1) {
			word[0] = x_var(k_let(l->k, "word", x_at(order, at)));
			continue;
		}
		struct kx *some = x_var(k_let(l->k, "words", x_vload(from, lanes)));
		for (int i = 0; i < lanes; i++)
			word[first + i] = x_lane(some, i);
	}
}

struct kx *carried_load(struct lowering *l, struct carried *c, struct kx *order, struct kx *at)
{
	struct kx *words[MOST_WORDS], **word = words;
	load_words(l, c, order, at, words);
	memset(&c->value, 0, sizeof c->value);
	for (int i = 0; i < c->read.n; i++) {
		const struct expr *e = c->read.at[i];
		struct kvar *value = k_var(l->k, kt(e->type), str_print("own_%s", e->var->name),
		                           NULL);
		word += state_join(l, x_var(value), word);
		list_add(&c->value, value);
	}
	return c->numbered ? x_to_i64(*word) : NULL;
}

struct kx *carried_read(struct lowering *l, const struct expr *e)
{
	const struct carried *c = l->now.state;
	int i = is_own(c, e) ? number_of(c, e) : c->read.n;
	return i < c->read.n ? x_var(c->value.at[i]) : lower_cell(l, e);
}
