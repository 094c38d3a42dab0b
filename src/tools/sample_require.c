/* sample_require.c - sizes and scalars that keep what a kernel requires.
 *
 * What chance gave is changed until all conditions hold, one size or scalar at a time: it gets a
 * number of the conditions, a multiple of it, or a size, or a neighbour of these.  Scalars that no
 * condition reads are left: the limit of a loop must not become the largest number of bodies.  If
 * none of some hundred tries holds, the last one is kept: its call returns a status. */
#include <string.h>

#include "eval_value.h"
#include "sample.h"

enum { TRIES = 400 };

struct numbers { LIST(int64_t) at; LIST(const struct var *) var; };

/* What the conditions are about: the numbers in them, and the scalars. */
static bool add_number(struct expr *e, void *numbers)
{
	struct numbers *n = numbers;
	if (e->kind == E_CONST && strchr("IU", type_class(e->type)))
		list_add(&n->at, e->value.i);
	if (e->kind == E_VAR)
		list_add(&n->var, e->var);
	return true;
}

static bool is_asked(const struct numbers *n, const struct var *var)
{
	for (int i = 0; i < n->var.n; i++)
		if (n->var.at[i] == var)
			return true;
	return false;
}

static struct numbers numbers_of(const struct entry *e)
{
	struct numbers n = { .at.n = 0 };
	for (int k = 0; k < e->require.n; k++)
		expr_walk(e->require.at[k], add_number, &n);
	return n;
}

/* A number that some condition may be about. */
static int64_t guess(const struct numbers *n, const struct bound *b, int sizes, uint64_t *chances)
{
	int64_t x = chance_below(chances, 4) ? chance_below(chances, 300) : 1;
	if (n->at.n && chance_below(chances, 4))
		x = n->at.at[chance_below(chances, n->at.n)];
	if (sizes && !chance_below(chances, 3))
		x = *(const int64_t *)b[chance_below(chances, sizes)].data;
	if (x > 0 && x < 1000 && chance_below(chances, 2))
		x *= 1 + chance_below(chances, 12);
	return x + (chance_below(chances, 3) ? 0 : chance_below(chances, 3) - 1);
}

bool require_sizes(const struct entry *e, int64_t *size, uint64_t *chances)
{
	if (!e->require.n || !e->size.n)
		return true;
	struct numbers n = numbers_of(e);
	struct bound *b = mem_new((size_t)(e->size.n + 1) * sizeof *b);
	for (int k = 0; k < e->size.n; k++) {
		b[k].var = e->size.at[k];
		b[k].data = &size[k];
	}
	for (int i = 0; i < TRIES; i++) {
		if (eval_required(e, b, e->size.n))
			return true;
		int64_t x = guess(&n, b, e->size.n, chances);
		size[chance_below(chances, e->size.n)] = x < 0 ? 0 : x;
	}
	return false;
}

static void guess_scalar(const struct numbers *n, const struct entry *e, struct bound *b,
                         struct bound *to, uint64_t *chances)
{
	int64_t x = guess(n, b, e->size.n, chances);
	const char class = type_class(to->var->type);
	if (class == 'B' || (class == 'F' && chance_below(chances, 4)))
		sample(chances, to->var->type, TAME, true, to->data);
	else if (class != 'S')
		num_store(to->var->type, to->data, (struct num){ .i = x, .f = (double)x });
}

void require_scalars(const struct entry *e, struct bound *b,
                     bool (*may)(const struct var *, void *), void *state, uint64_t *chances)
{
	struct numbers n = numbers_of(e);
	int all = e->size.n + e->param.n, tries = e->require.n && e->param.n ? TRIES : 0;
	for (int i = 0; i < tries && !eval_required(e, b, all); i++) {
		struct bound *to = &b[e->size.n + chance_below(chances, e->param.n)];
		bool by_value = to->var->rank == 0 && to->var->mode == MODE_IN;
		if (by_value && is_asked(&n, to->var) && (!may || may(to->var, state)))
			guess_scalar(&n, e, b, to, chances);
	}
}
