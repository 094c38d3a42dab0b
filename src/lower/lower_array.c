/* lower_array.c - arrays in the bodies of functions.
 *
 * An array stays in registers if its indices are constant once loops are unrolled, which
 * sema_array.c has proved.  One that says `spill` lies in memory and may have any index: outside it
 * a read is zero and an assignment does nothing.  So along each axis it has one cell more, which
 * stays zero, and a read takes the smaller of its index and that of this cell, as numbers without a
 * sign.  An assignment tests its index. */
#include "lower.h"

static int64_t extent_of(const struct var *v, int axis)
{
	return v->type->extent[axis] + (v->spills ? 1 : 0);
}

static int64_t cells_of(const struct var *v)
{
	int64_t cells = 1;
	for (int a = 0; a < v->type->rank; a++)
		cells *= extent_of(v, a);
	return cells;
}

static struct kx *cell_of(struct lowering *l, const struct var *v, struct kx *const *sub)
{
	struct kx *x = sub[0];
	for (int a = 1; a < v->type->rank; a++)
		x = x_add(x_mul(x, x_i64(extent_of(v, a))), sub[a]);
	return x_at(lower_var(l, v), x);
}

static struct kx *at_most(struct kx *index, int64_t end)
{
	return x_to_i64(x_min(x_cast(kt_scalar(T_U64), index), x_int(T_U64, end)));
}

struct kx *lower_local(struct lowering *l, const struct expr *e)
{
	struct kx *sub[MAX_RANK];
	for (int a = 0; a < e->arg.n; a++) {
		sub[a] = (e->wraps ? lower_wrapping : lower_index)(l, e->arg.at[a]);
		if (e->checked)
			sub[a] = at_most(sub[a], e->var->type->extent[a]);
	}
	return cell_of(l, e->var, sub);
}

/* Element `at`, counted along the rows, of a variable or of a field of record. */
static struct kx *numbered(struct lowering *l, const struct expr *e, struct kx *record,
                           struct kx *at)
{
	const struct type *type = e->type;
	struct kx *sub[MAX_RANK];
	if (e->kind == E_FIELD)
		return x_elem(record, e->field, at);
	if (!e->var->spills)
		return x_at(lower_var(l, e->var), at);
	for (int a = type->rank - 1; a >= 0; a--) {
		sub[a] = a ? x_rem(at, x_i64(type->extent[a])) : at;
		at = a ? x_div(at, x_i64(type->extent[a])) : at;
	}
	return cell_of(l, e->var, sub);
}

/* What is indexed by constants only once loops are unrolled stays in registers. */
static int flags_of(const struct expr *e)
{
	return e->kind == E_VAR && e->var->spills ? 0 : FOR_UNROLL;
}

static void copy(struct lowering *l, const struct expr *to, const struct expr *from)
{
	const struct expr *side[] = { to, from };
	struct kx *record[2] = { NULL, NULL }, *cell[2];
	if (to->kind == E_FIELD)
		record[0] = lower_target(l, to->arg.at[0]);
	if (from->kind == E_FIELD)
		record[1] = lower_expr(l, from->arg.at[0]);
	if (record[1] && from->arg.at[0]->kind != E_VAR)
		record[1] = x_var(k_let(l->k, "record", record[1]));
	struct kvar *k = k_for(l->k, "k", x_i64(0), x_i64(type_cells(to->type)), x_i64(1),
	                       flags_of(to) & flags_of(from));
	for (int i = 0; i < 2; i++)
		cell[i] = numbered(l, side[i], record[i], x_var(k));
	k_set(l->k, cell[0], cell[1]);
	k_end(l->k);
}

void lower_array(struct lowering *l, const struct inner *s)
{
	const struct type *elem = s->var->type->elem;
	struct kvar *array = k_regs(l->k, elem, s->var->name, cells_of(s->var));
	array->is_local = true;
	lower_bind(l, s->var, x_var(array));
	if (s->a) {
		struct expr to = { .kind = E_VAR, .type = s->var->type, .var = s->var };
		copy(l, &to, s->a);
		return;
	}
	if (s->body.n)                           /* a list gives every element */
		return;
	struct kvar *k = k_for(l->k, "k", x_i64(0), x_i64(cells_of(s->var)), x_i64(1),
	                       s->var->spills ? 0 : FOR_UNROLL);
	k_set(l->k, x_at(x_var(array), x_var(k)), lower_zero(elem));
	k_end(l->k);
}

/* An element outside is not assigned. */
static void assign_tested(struct lowering *l, const struct inner *s, const struct expr *under)
{
	struct kx *sub[MAX_RANK], *ok = NULL;
	for (int a = 0; a < under->arg.n; a++) {
		sub[a] = x_var(k_let(l->k, "at", lower_wrapping(l, under->arg.at[a])));
		ok = x_and(ok, lower_inside(sub[a], x_i64(under->var->type->extent[a])));
	}
	k_if(l->k, ok);
	struct kx *value = x_cast(kt(s->target->type), lower_expr(l, s->a));
	k_set(l->k, lower_path(l, s->target, cell_of(l, under->var, sub)), value);
	k_end(l->k);
}

/* The variable, or the element of a local array, that fields and elements of it belong to. */
static const struct expr *root_of(const struct expr *e)
{
	while (e->kind != E_VAR && !(e->kind == E_ELEM && e->var))
		e = e->arg.at[0];
	return e;
}

struct kx *lower_target(struct lowering *l, const struct expr *e)
{
	const struct expr *under = root_of(e);
	return lower_path(l, e, under->kind == E_VAR ? lower_var(l, under->var)
	                                             : lower_local(l, under));
}

void lower_assign(struct lowering *l, const struct inner *s)
{
	const struct expr *under = root_of(s->target);
	if (s->target->type->kind == T_ARRAY)
		copy(l, s->target, s->a);
	else if (under->checked)
		assign_tested(l, s, under);
	else {
		struct kx *value = x_cast(kt(s->target->type), lower_expr(l, s->a));
		k_set(l->k, lower_target(l, s->target), value);
	}
}
