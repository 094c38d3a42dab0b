/* op_parts.c - operators on structs that combine them part by part, each by an operator of the
 * language's own:
 *
 *   op joined(a: Pair, b: Pair) -> Pair = Pair(max(a.most, b.most), a.count + b.count)
 *
 * Items that such an operator combines need not meet as wholes: nobody sees a struct between two of
 * its parts.  So y[k[i]] joined= p[i] is y[k[i]].most max= p[i].most, y[k[i]].count += p[i].count,
 * for which machines have operations. */
#include "ask.h"
#include "op_parts.h"

/* e is what the language's operator of that kind makes of its two values. */
static bool is_applied(enum op_kind kind, const struct expr *e)
{
	const struct expr *like = op_apply(op_own(kind), e->arg.at[0], e->arg.at[1]);
	return like->kind == e->kind
	       && (e->kind == E_BINARY ? like->op == e->op
	                               : e->kind == E_MATH && like->math == e->math);
}

/* The operator that this applies to two values, or NULL. */
static const struct op *op_of(const struct expr *e)
{
	for (int kind = 0; e->arg.n == 2 && kind < OPK_USER; kind++)
		if (kind != OPK_COUNT && !op_is_arg(op_own(kind)) && is_applied(kind, e))
			return op_own(kind);
	return NULL;
}

static const struct expr *uncast(const struct expr *e)
{
	while (e->kind == E_CAST)
		e = e->arg.at[0];
	return e;
}

/* Where a value of a struct lies: its field, and which element of that. */
struct place { const struct field *field; struct expr *sub[MAX_RANK]; };

/* e is the part of `whole` at this place. */
static bool is_part(const struct expr *e, const struct var *whole, const struct place *p)
{
	const struct expr *field = e->kind == E_ELEM && !e->var ? e->arg.at[0] : e;
	if (field->kind != E_FIELD || field->field != p->field || field->arg.at[0]->kind != E_VAR
	    || field->arg.at[0]->var != whole)
		return false;
	for (int a = 1; e->kind == E_ELEM && a < e->arg.n; a++)
		if (!affine_is(e->arg.at[a], p->sub[a - 1]->value.i))
			return false;
	return true;
}

static bool combines_part(const struct fn *fn, const struct expr *value, const struct place *p)
{
	const struct expr *e = uncast(value);
	if (!op_of(e))
		return false;
	const struct expr *x = uncast(e->arg.at[0]), *y = uncast(e->arg.at[1]);
	const struct var *a = fn->param.at[0], *b = fn->param.at[1];
	return (is_part(x, a, p) && is_part(y, b, p)) || (is_part(x, b, p) && is_part(y, a, p));
}

/* The places of a struct in their order: calls visit for each until it says no. */
static bool each_place(const struct record *record,
                       bool (*visit)(const struct place *, int, void *), void *state)
{
	int n = 0;
	for (int f = 0; f < record->field.n; f++) {
		struct place p = { .field = &record->field.at[f] };
		const struct type *type = p.field->type;
		if (type->kind == T_STRUCT)
			return false;
		for (int64_t c = 0; c < type_cells(type); c++) {
			int64_t rest = c;
			for (int a = type->kind == T_ARRAY ? type->rank - 1 : -1; a >= 0;
			     rest /= type->extent[a--])
				p.sub[a] = expr_int(type_scalar(T_I64), rest % type->extent[a],
				                    (struct loc){ 0 });
			if (!visit(&p, n++, state))
				return false;
		}
	}
	return true;
}

static bool visit_combined(const struct place *p, int n, void *state)
{
	const struct fn *fn = state;
	return combines_part(fn, fn->value->arg.at[n], p);
}

bool op_in_parts(const struct op *op)
{
	const struct fn *fn = op->kind == OPK_USER ? op->fn : NULL;
	if (!fn || !fn->value || fn->value->kind != E_STRUCT)
		return false;
	return each_place(fn->type->record, visit_combined, (void *)fn);
}

struct splitting { const struct equation *eq; struct equations *out; };

static bool visit_split(const struct place *p, int n, void *state)
{
	const struct splitting *s = state;
	const struct expr *e = uncast(s->eq->combine->fn->value->arg.at[n]);
	struct expr *right = expr_part(s->eq->right, p->field, p->sub);
	struct equation *part = NEW(struct equation);
	*part = (struct equation){ .at = s->eq->at, .whole = s->eq->right, .combine = op_of(e) };
	list_add(&part->target, expr_part(s->eq->target.at[0], p->field, p->sub));
	part->right = expr_as(right, e->type);
	list_add(&s->out->at, part);
	return true;
}

void op_split(const struct equation *eq, struct equations *out)
{
	each_place(eq->combine->fn->type->record, visit_split, &(struct splitting){ eq, out });
}
