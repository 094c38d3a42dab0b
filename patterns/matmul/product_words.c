/* product_words.c - what registers and shared memory hold of an operand: words.
 *
 * A thread reads its share of a term from shared memory, 16 bytes at a time, which are a few of its
 * cells. So a value of 8 or 16 bits is held as what arithmetic makes of it anyway, i32 or f32, and
 * a bool as a u32, 0 or 1. Then `any` and `all` of bools are operations on words, and with the `&&`
 * or `||` of a term in front of them one instruction.
 *
 * On a CPU vectors hold cells of any size: only f16 and bf16 are held as f32. */
#include "product.h"

static const struct type *word_of(const struct type *type, const struct target *t)
{
	if (!t->gpu && type_class(type) != 'F')
		return type;
	return type_class(type) == 'B' ? type_scalar(T_U32) : type_compute(type);
}

static struct expr *cast(const struct type *type, struct expr *e)
{
	struct expr *made = expr_new(E_CAST, type, e->at);
	list_add(&made->arg, e);
	return made;
}

struct words { struct product *p; struct var *placeholder[2]; };   /* for the word of an operand */

static struct expr *word_at(const struct words *w, const struct expr *e)
{
	for (int side = ROWS; e->kind == E_VAR && side <= COLUMNS; side++)
		if (e->var == w->p->operand[side].placeholder
		    && e->type != w->placeholder[side]->type)
			return expr_var(w->placeholder[side], e->at);
	return NULL;
}

/* e, of words in the place of operands. */
static struct expr *of_words(const struct words *w, struct expr *e)
{
	struct expr *word = word_at(w, e);
	if (word && type_class(e->type) == 'B')
		return expr_binary(OP_NE, word, expr_int(word->type, 0, e->at));
	if (word)
		return cast(e->type, word);
	struct expr *copy = expr_bare(e);
	for (int a = 0; a < e->arg.n; a++)
		list_add(&copy->arg, of_words(w, e->arg.at[a]));
	return copy;
}

/* The same of a bool: 0 or 1, a u32. */
static struct expr *flag_of(const struct words *w, struct expr *e)
{
	struct expr *word = word_at(w, e);
	if (word)
		return word;
	if (e->kind == E_BINARY && (e->op == OP_LAND || e->op == OP_LOR))
		return expr_binary(e->op == OP_LAND ? OP_AND : OP_OR, flag_of(w, e->arg.at[0]),
		                   flag_of(w, e->arg.at[1]));
	if (e->kind == E_UNARY && e->op == OP_NOT)
		return expr_binary(OP_XOR, flag_of(w, e->arg.at[0]),
		                   expr_int(type_scalar(T_U32), 1, e->at));
	return cast(type_scalar(T_U32), of_words(w, e));
}

/* any and all of words; count adds them. */
static void fold_flags(const struct words *w, struct expr *term)
{
	struct fold *fold = NEW(struct fold);
	*fold = *term->fold;
	term->arg.at[0] = flag_of(w, term->arg.at[0]);
	if (fold->op->kind == OPK_COUNT)
		return;
	fold->op = op_own(fold->op->kind == OPK_ANY ? OPK_BITOR : OPK_BITAND);
	term->fold = fold;
	term->type = type_scalar(T_U32);
}

void product_words(struct product *p, const struct target *target)
{
	struct words w = { .p = p };
	for (int side = ROWS; side <= COLUMNS; side++) {
		w.placeholder[side] = NEW(struct var);
		*w.placeholder[side] = *p->operand[side].placeholder;
		w.placeholder[side]->type = word_of(p->operand[side].e->type, target);
	}
	enum op_kind kind = p->fold->fold->op->kind;
	if (target->gpu && (kind == OPK_ANY || kind == OPK_ALL || kind == OPK_COUNT))
		fold_flags(&w, p->term);
	else
		p->term->arg.at[0] = of_words(&w, p->term->arg.at[0]);
	for (int side = ROWS; side <= COLUMNS; side++) {
		struct operand *o = &p->operand[side];
		if (w.placeholder[side]->type == o->placeholder->type)
			continue;
		o->e = cast(w.placeholder[side]->type, (struct expr *)o->e);
		o->placeholder = w.placeholder[side];
	}
}

struct kx *product_sum(const struct product *p, struct kx *sum)
{
	return p->term->type == p->fold->type ? sum : x_ne(sum, x_int(T_U32, 0));
}
