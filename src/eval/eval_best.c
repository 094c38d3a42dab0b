/* eval_best.c - argmin and argmax in the interpreter (R9): the first of the best terms, NaN left
 * out.
 *
 * Terms come in row-major order, so a later one has to be better to win, or from the right: then it
 * wins unless the other is better.  When is the place open? Every term has a bound e: another
 * evaluation may see it anywhere within.  If one of the others reaches the winner that way, and not
 * both of them are exact, another evaluation may name another place; two exact terms that are equal
 * are a tie, which the order decides everywhere. */
#include <string.h>

#include "eval_impl.h"

static bool is_better(const struct code *c, struct num a, struct num b)
{
	const struct type *type = c->arg[0]->type;
	bool least = c->fold->op->kind == OPK_ARGMIN;

	return num_binary(least ? OP_LT : OP_GT, type, a, b).i;
}

/* Of two that are equal the smaller index wins. */
static bool wins(const struct code *c, struct num later, struct num sooner)
{
	return c->fold->leftward ? !is_better(c, sooner, later) : is_better(c, later, sooner);
}

/* How good the term may be elsewhere: greater is better.  Integers are exact, or open. */
static double reach(const struct code *c, struct num v)
{
	double size = type_class(c->arg[0]->type) == 'F' ? v.f : 0;

	return (c->fold->op->kind == OPK_ARGMIN ? -size : size) + v.e;
}

static void note_rival(struct best *b, const struct code *c, struct num v)
{
	double *most = v.e > 0 ? &b->doubtful : &b->exact;

	*most = worse(*most, reach(c, v));
}

void best_add(struct best *b, const struct code *c, struct num v)
{
	bool is_float = type_class(c->arg[0]->type) == 'F';

	if (is_float && isnan(v.f)) {
		b->open |= v.e > 0;
		return;
	}
	b->open |= v.e >= OPEN;
	if (b->found && !wins(c, v, b->value)) {
		note_rival(b, c, v);
		return;
	}
	if (b->found)
		note_rival(b, c, b->value);
	b->found = true;
	b->value = v;
	for (int k = 0; k < c->fold->n; k++)
		b->at[k] = c->fold->index[k]->value.i;
}

static bool is_open(const struct best *b, const struct code *c)
{
	double low = reach(c, b->value) - 2 * b->value.e;

	if (b->open || type_class(c->arg[0]->type) != 'F')
		return b->open;
	return (b->doubtful > -OPEN && b->doubtful >= low) || (b->value.e > 0 && b->exact >= low);
}

struct num best_end(struct eval *ev, const struct best *b, const struct code *c)
{
	const struct record *r = c->type->record;
	struct num v = run(ev, c->fold->identity);

	memcpy(c->bytes, (const void *)(intptr_t)v.i, (size_t)r->size);
	for (int k = 0; k < r->field.n && b->found; k++)
		num_store(r->field.at[k].type, c->bytes + r->field.at[k].offset,
		          k ? num_int(b->at[k - 1]) : b->value);
	return (struct num){ .i = (int64_t)(intptr_t)c->bytes,
		             .e = is_open(b, c) ? OPEN : b->value.e };
}
