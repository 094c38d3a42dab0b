/* lower.c - expressions of the graph become KIR, with the meaning of grammar.md R1 to R12.
 *
 * Where C's operator has that meaning it is used; where C would overflow or trap a helper is called
 * (backends/rt).  A fold inside an expression (lower_fold.c), and an access tested at run time
 * (lower_cell.c), need statements: they are appended to the kernel before the expression that uses
 * them, inside an if when they follow ?:, && or ||. */
#include <assert.h>
#include "small.h"
#include "lower.h"

/* ---- operators ---- */

static struct kx *help(const char *operation, const struct type *type, const struct type *result,
                       int n, struct kx **arg)
{
	return x_help(kt(result), str_print("patc_%s_%s", operation, type_name(type)), n, arg);
}

static struct kx *help2(const char *operation, const struct type *t, struct kx *a, struct kx *b)
{
	return help(operation, t, t, 2, (struct kx *[]){ a, b });
}

static struct kx *lower_shared(struct lowering *, const struct expr *);

/* Two fields, or elements of fields; words of floats are not compared as words. */
static struct kx *scalar_equal(struct kx *a, struct kx *b)
{
	struct ktype type = kt(type_compute(a->type.type));
	return is_small(a->type.type) ? x_eq(x_cast(type, a), x_cast(type, b)) : x_eq(a, b);
}

static struct kx *record_equal(const struct type *, struct kx *a, struct kx *b);

static struct kx *value_equal(struct kx *a, struct kx *b)
{
	const struct type *type = a->type.type;
	return type->kind == T_STRUCT ? record_equal(type, a, b) : scalar_equal(a, b);
}

static struct kx *record_equal(const struct type *type, struct kx *a, struct kx *b)
{
	struct kx *equal = NULL;
	for (int f = 0; f < type->record->field.n; f++) {
		const struct field *field = &type->record->field.at[f];
		if (field->type->kind == T_ARRAY) {
			for (int64_t c = 0; c < type_cells(field->type); c++)
				equal = x_and(equal, value_equal(x_elem(a, field, x_i64(c)),
				                                 x_elem(b, field, x_i64(c))));
			continue;
		}
		equal = x_and(equal, value_equal(x_field(a, field), x_field(b, field)));
	}
	return equal ? equal : x_int(T_BOOL, 1);
}

static const char *const helper_of[] = {
	[OP_ADD] = "add", [OP_SUB] = "sub", [OP_MUL] = "mul", [OP_DIV] = "div", [OP_REM] = "rem",
	[OP_SHL] = "shl", [OP_SHR] = "shr",
};

static bool safe_divisor(const struct kx *b)
{
	int64_t v;
	return x_constant(b, &v) && v > 0;
}

static struct kx *arithmetic(struct lowering *l, enum operation op, struct kx *a, struct kx *b,
                             const struct type *type)
{
	char class = type_class(type);
	switch (op) {
	case OP_ADD: case OP_SUB: case OP_MUL:
		if (class != 'I' || l->now.no_wrap)
			return x_op(op, a, b);
		return help2(helper_of[op], type, a, b);
	case OP_DIV: case OP_REM:
		/* compilers warn of a division by a zero that they see */
		if (class == 'F' ? b->kind != KX_FLOAT || b->f != 0 : safe_divisor(b))
			return x_op(op, a, b);
		return help2(helper_of[op], type, a, b);
	case OP_SHL: case OP_SHR:
		return help2(helper_of[op], type, a, x_to_i64(b));
	case OP_NEG: case OP_NOT: case OP_BITNOT: case OP_AND: case OP_XOR: case OP_OR: case OP_LT:
	case OP_GT: case OP_LE: case OP_GE: case OP_EQ: case OP_NE: case OP_LAND: case OP_LOR:
		return x_op(op, a, b);
	}
	assert(!"an operation");
	return NULL;
}

/* From the last part on: C does not say in which order the arguments of a call are computed, and
 * parameters are numbered as they are first needed. */
static struct kx *lower_at_once(struct lowering *l, const struct expr *e)
{
	struct kx *otherwise = lower_expr(l, e->arg.at[2]), *value = lower_expr(l, e->arg.at[1]);
	return x_cond(lower_expr(l, e->arg.at[0]), value, otherwise);
}

/* c ? a : b, a && b, a || b whose later parts need statements. */
static struct kx *lower_lazily(struct lowering *l, const struct expr *e)
{
	bool cond = e->kind == E_COND;
	struct kvar *result = k_var(l->k, kt(e->type), "chosen", NULL);
	struct kx *first = lower_expr(l, e->arg.at[0]);
	k_if(l->k, first);
	k_set(l->k, x_var(result),
	      cond || e->op == OP_LAND ? lower_expr(l, e->arg.at[1]) : x_int(T_BOOL, 1));
	k_else(l->k);
	k_set(l->k, x_var(result), cond ? lower_expr(l, e->arg.at[2])
	      : e->op == OP_LAND ? x_int(T_BOOL, 0) : lower_expr(l, e->arg.at[1]));
	k_end(l->k);
	return x_var(result);
}

/* The helper that the target has instead, if the statement says `approx`; else NULL. */
static struct kx *lower_approx(struct lowering *l, const struct expr *e, const char *name, int n,
                               struct kx **arg)
{
	const char *operation = str_print("approx_%s", name);
	const char *helper = str_print("patc_%s_%s", operation, type_name(e->type));
	if (!e->approx || !helper_known(helper, l->target))
		return NULL;
	return help(operation, e->type, e->type, n, arg);
}

/* Of sizes, which are below 2^48 (legal.h), in few: it cannot overflow. */
static bool sum_of_sizes(const struct expr *e)
{
	enum { FEW = 1 << 8 };
	struct affine a;
	if (!affine_of(e, &a) || a.constant > FEW || a.constant < -FEW)
		return false;
	for (int t = 0; t < a.n; t++)
		if (a.term[t].var->kind != VAR_SIZE || a.term[t].coef > FEW
		    || a.term[t].coef < -FEW)
			return false;
	return true;
}

static struct kx *lower_binary(struct lowering *l, const struct expr *e)
{
	bool lazy = e->op == OP_LAND || e->op == OP_LOR;
	if (lazy && needs_statements(e->arg.at[1]))
		return lower_lazily(l, e);
	const struct type *type = e->arg.at[0]->type;
	bool whole = type->kind == T_STRUCT;
	struct kx *a = (whole ? lower_shared : lower_expr)(l, e->arg.at[0]);
	struct kx *b = (whole ? lower_shared : lower_expr)(l, e->arg.at[1]);
	if (whole) {
		struct kx *equal = record_equal(type, a, b);
		return e->op == OP_EQ ? equal : x_unary(OP_NOT, equal);
	}
	if (e->strict && e->op == OP_MUL)        /* no compiler may melt it into a sum */
		return help2("times", type, a, b);
	struct kx *quick = lower_approx(l, e, "div", 2, (struct kx *[]){ a, b });
	if (!quick && sum_of_sizes(e) && sum_of_sizes(e->arg.at[0]) && sum_of_sizes(e->arg.at[1]))
		return x_op(e->op, a, b);
	return quick ? quick : arithmetic(l, e->op, a, b, type);
}

static struct kx *lower_unary(struct lowering *l, const struct expr *e)
{
	struct kx *a = lower_expr(l, e->arg.at[0]);
	if (e->op != OP_NEG || type_class(e->type) == 'F' || l->now.no_wrap)
		return x_unary(e->op, a);
	return help("neg", e->type, e->type, 1, &a);
}

static struct kx *lower_cast(struct lowering *l, const struct expr *e)
{
	const struct type *from = e->arg.at[0]->type;
	struct kx *a = lower_expr(l, e->arg.at[0]);
	if (is_small(from)) {
		from = type_compute(from);
		a = x_cast(kt(from), a);
	}
	if (type_class(from) == 'F' && type_class(e->type) != 'F')
		return x_help(kt(e->type),
		              str_print("patc_%s_to_%s", type_name(from), type_name(e->type)), 1,
		              &a);
	return x_cast(kt(e->type), a);
}

static struct kx *lower_math(struct lowering *l, const struct expr *e)
{
	struct kx **arg = mem_new(sizeof *arg * (size_t)e->arg.n);
	const struct type *type = e->arg.at[0]->type;
	for (int i = 0; i < e->arg.n; i++)
		arg[i] = lower_expr(l, e->arg.at[i]);
	const struct math_row *row = &math_table[e->math];
	struct kx *quick = lower_approx(l, e, row->name, e->arg.n, arg);
	if (quick)
		return quick;
	/* C's fmin and fmax are calls on a CPU, and no compiler turns them into vectors; which zero
	 * they give is open */
	bool order = (e->math == M_min || e->math == M_max) && (!l->target->gpu || e->strict);
	/* nor sqrt, which would have to set errno */
	bool root = e->math == M_sqrt && !l->target->gpu && !is_small(type);
	if (type_class(type) == 'F' && row->c32[0] && !order && !root)
		return x_math(e->math, type, e->arg.n, arg);
	return help(row->name, type, e->type, e->arg.n, arg);
}

/* What is computed, and used more than once: needs_statements has said so. */
static struct kx *lower_shared(struct lowering *l, const struct expr *e)
{
	struct kx *x = lower_expr(l, e);
	const char *name = e->kind == E_CALL ? e->fn->name : "chosen";
	return expr_computed(e) && x->kind != KX_VAR ? x_var(k_let(l->k, name, x)) : x;
}

/* The elements of an array that is computed are neighbours. */
static struct kx *lower_struct(struct lowering *l, const struct expr *e)
{
	struct kx **arg = mem_new(sizeof *arg * (size_t)(e->arg.n + 1)), *value = NULL;
	const struct expr *last = NULL;
	for (int i = 0; i < e->arg.n; i++) {
		const struct expr *elem = e->arg.at[i], *from = element_computed(elem);
		if (from && !(last && expr_same(last, from)))
			value = lower_shared(l, from);
		last = from;
		arg[i] = from ? lower_element(l, elem, value) : lower_expr(l, elem);
	}
	return x_make(e->type, e->arg.n, arg);
}

static struct kx *folded_already(const struct lowering *l, const struct expr *e)
{
	for (int f = 0; f < l->folded.n; f++)
		if (l->folded.at[f].fold == e)
			return l->folded.at[f].x;
	return NULL;
}

static struct kx *lower_fold(struct lowering *l, const struct expr *e)
{
	struct kx *shared = l->now.fold ? l->now.fold(l, e) : NULL;
	if (shared)
		return shared;
	if (e->fold->sorted)
		return lower_search(l, e);
	struct kx *start = lower_identity(l, e->fold->op, e->type);
	struct kvar *acc = k_var(l->k, kt(e->type), e->fold->op->name,
	                         start ? start : lower_zero(e->type));
	lower_fold_into(l, e, acc);
	return x_var(acc);
}

static struct kx *given_already(const struct lowering *l, const struct expr *e)
{
	for (int g = 0; l->now.given && g < l->now.given->list.n; g++) {
		const struct given_value *v = &l->now.given->list.at[g];
		for (int b = 0; v->e == e && b < l->k->open.n; b++)
			if (l->k->open.at[b] == v->body)
				return v->x;
	}
	return NULL;
}

/* A cell that is read as it is is zero already, unless zero stands for what a subscript reads:
 * lower_tested. */
static bool is_zero_already(const struct expr *e)
{
	bool is = e->kind == E_READ;
	for (int a = 0; is && a < e->arg.n; a++)
		is = !expr_skips(e->arg.at[a]);
	return is;
}

static struct kx *zero_if_lost(struct lowering *l, const struct expr *e, struct kx *x)
{
	if (is_zero_already(e->arg.at[0]))
		return x;
	struct kvar *value = k_var(l->k, kt(e->type), "or_zero", x);
	k_if(l->k, x_var(l->now.outside));
	k_set(l->k, x_var(value), lower_zero(e->type));
	k_end(l->k);
	return x_var(value);
}

/* What falls outside in it is its own: whoever reads the value goes on with zero. */
static struct kx *lower_or_zero(struct lowering *l, const struct expr *e)
{
	struct kx *known = given_already(l, e);
	if (known)
		return known;
	struct lower_context before = l->now;
	struct kx *lost = x_var(lower_flag(l, "lost"));
	l->now.no_wrap = false;
	struct kx *value = zero_if_lost(l, e, lower_expr(l, e->arg.at[0]));
	l->now = before;
	if (l->now.zeroed && !e->drops)
		k_set(l->k, x_var(l->now.zeroed), x_or(x_var(l->now.zeroed), lost));
	else if (!e->drops)
		lower_record_zeroed(l, lost);
	if (l->now.given)
		list_add(&l->now.given->list,
		         ((struct given_value){ e, value, l->k->open.at[l->k->open.n - 1] }));
	return value;
}

/* cell.field[computed], of a cell that is tested. */
static bool is_computed_part(const struct expr *e)
{
	bool computed = false;
	for (; e->kind == E_FIELD || (e->kind == E_ELEM && !e->var); e = e->arg.at[0])
		for (int a = 1; a < e->arg.n; a++)
			computed |= e->arg.at[a]->kind != E_CONST;
	return computed && e->kind == E_READ && e->checked;
}

/* It alone is read, where the cell is tested (checked_cell): whole structs in variables lie in
 * memory once they are indexed.  A reader that gives the whole struct is known by its type. */
static struct kx *lower_part(struct lowering *l, const struct expr *e)
{
	const struct expr *read = target_read((struct expr *)e);
	struct lower_context before = l->now;
	l->now.part = e;
	struct kx *x = lower_expr(l, read);
	l->now = before;
	return x->type.type == read->type ? lower_path(l, e, x) : x;
}

static struct kx *lower_here(struct lowering *l, const struct expr *e)
{
	if (is_computed_part(e))
		return lower_part(l, e);
	if (e == l->now.whole)
		return l->now.whole_value;
	struct kx *known = e->window || e->kind == E_FOLD ? folded_already(l, e) : NULL;
	if (known)
		return known;
	switch (e->kind) {
	case E_CONST:  return x_value(e->type, e->value);
	case E_VAR:    return lower_var(l, e->var);
	case E_READ:   return l->now.read ? l->now.read(l, e) : lower_cell(l, e);
	case E_FIELD:  return x_field(lower_expr(l, e->arg.at[0]), e->field);
	case E_ELEM:
		if (e->var)
			return (e->var->kind == VAR_LOCAL ? lower_local : lower_table)(l, e);
		return lower_element(l, e, lower_expr(l, e->arg.at[0]->arg.at[0]));
	case E_STRUCT: return lower_struct(l, e);
	case E_UNARY:  return lower_unary(l, e);
	case E_BINARY:
		return e->if_inside && l->now.all_inside ? x_int(T_BOOL, 1) : lower_binary(l, e);
	case E_COND:
		if (needs_statements(e->arg.at[1]) || needs_statements(e->arg.at[2]))
			return lower_lazily(l, e);
		return lower_at_once(l, e);
	case E_CAST:   return lower_cast(l, e);
	case E_CALL:   return lower_call(l, e);
	case E_MATH:   return lower_math(l, e);
	case E_FOLD:   return lower_fold(l, e);
	case E_OR_ZERO: return lower_or_zero(l, e);
	}
	assert(!"an expression kind");
	return NULL;
}

/* The statements that it needs are at its own line. */
struct kx *lower_expr(struct lowering *l, const struct expr *e)
{
	const struct loc before = l->k->at;
	l->k->at = e->at.line ? e->at : before;
	struct kx *x = lower_here(l, e);
	l->k->at = before;
	return x;
}

/* ---- the equations of a cell ---- */

void lower_status(struct lowering *l, struct kx *is, int status)
{
	k_if(l->k, is);
	if (!l->status)
		l->status = lower_argument(l, "status", kt_pointer(type_scalar(T_I32), false),
		                           plan_status(l->plan));
	k_do(l->k, x_help(kt_scalar(T_I32), "patc_record", 2,
	                  (struct kx *[]){ l->status, x_i32(status) }));
	k_end(l->k);
}

void lower_record_zeroed(struct lowering *l, struct kx *outside)
{
	lower_status(l, outside, ST_INDEX);
}

void lower_record_if(struct lowering *l, struct kx *outside)
{
	if (!l->now.drops)
		lower_status(l, outside, ST_INDEX);
}

void lower_record(struct lowering *l)
{
	lower_record_if(l, x_var(l->now.outside));
}

/* Are there subscripts after a field that are tested at run time? */
static bool part_checked(const struct expr *target)
{
	for (; target->kind == E_FIELD || target->kind == E_ELEM; target = target->arg.at[0])
		if (target->kind == E_ELEM && target->checked)
			return true;
	return false;
}

void lower_set(struct lowering *l, const struct expr *target, struct kx *cell, struct kx *value)
{
	if (!part_checked(target)) {
		k_set(l->k, lower_path(l, target, cell), value);
		return;
	}
	struct kvar *outside = l->now.outside, *beyond = lower_flag(l, "beyond");
	struct kx *part = lower_path(l, target, cell);
	l->now.outside = outside;
	k_if(l->k, x_unary(OP_NOT, x_var(beyond)));
	k_set(l->k, part, value);
	k_else(l->k);
	lower_mark(l, x_int(T_BOOL, 1));
	k_end(l->k);
}

static void store(struct lowering *l, const struct expr *target, struct kx *value)
{
	const struct expr *under = target_read((struct expr *)target);
	struct kx *cell = under->kind == E_VAR ? x_at(lower_pointer(l, under->var), x_i32(0))
	                                       : lower_cell(l, under);
	lower_set(l, target, cell, value);
}

/* A target tested at run time: outside it is recorded, not written. */
static struct kx *target_inside(struct lowering *l, const struct expr *target)
{
	const struct expr *under = target_read((struct expr *)target);
	struct kx *ok = NULL;
	if (under->kind == E_READ && under->checked)
		for (int a = 0; a < under->var->rank; a++) {
			struct kx *end = lower_extent(l, under->var, a);
			ok = x_and(ok, lower_inside(lower_wrapping(l, under->arg.at[a]), end));
		}
	return ok;
}

void lower_store(struct lowering *l, const struct expr *target, struct kx *value)
{
	struct kx *ok = target_inside(l, target);
	if (!ok) {
		store(l, target, value);
		return;
	}
	const struct expr *under = target_read((struct expr *)target);
	struct expr *plain_read = NEW(struct expr);
	*plain_read = *under;
	plain_read->checked = false;
	k_if(l->k, ok);
	struct kx *cell = lower_cell(l, plain_read);
	lower_set(l, target, cell, value);
	k_else(l->k);
	lower_mark(l, x_int(T_BOOL, 1));
	k_end(l->k);
}

bool same_whole(const struct node *node, int q)
{
	return q && node->equation.at[q]->whole
	       && node->equation.at[q]->whole == node->equation.at[q - 1]->whole;
}

void lower_whole(struct lowering *l, const struct node *node, int q)
{
	struct expr *whole = node->equation.at[q]->whole;
	if (node->equation.at[q]->at.line)
		l->k->at = node->equation.at[q]->at;
	if (same_whole(node, q))
		return;
	l->now.whole = NULL;
	if (whole)
		l->now.whole_value = x_var(k_let(l->k, "whole", lower_expr(l, whole)));
	l->now.whole = whole;
}

void lower_unmark(struct lowering *l, const struct node *node, int q)
{
	if (q && l->now.outside && !same_whole(node, q))
		lower_mark(l, x_int(T_BOOL, 0));
}

/* Several targets: right is a variable with the results. */
struct kx *lower_result(const struct equation *eq, int t, struct kx *right)
{
	struct kx *x = eq->target.n > 1 ? x_field(right, &eq->right->type->record->field.at[t])
	                                : right;
	return x_cast(kt(eq->target.at[t]->type), x);
}

static void lower_equation(struct lowering *l, const struct equation *eq)
{
	struct kx *value = lower_right(l, eq->right);
	if (l->now.outside)
		k_if(l->k, lower_inside_all(l));
	for (int t = 0; t < eq->target.n; t++)
		lower_store(l, eq->target.at[t], lower_result(eq, t, value));
	if (!l->now.outside)
		return;
	k_end(l->k);
	lower_record(l);
}

struct kx *lower_mask(struct lowering *l, const struct expr *where)
{
	struct kx *taken = lower_expr(l, where);
	if (!l->now.outside || !expr_checked(where))
		return taken;
	taken = x_var(k_let(l->k, "taken", x_and(lower_inside_all(l), taken)));
	lower_record(l);
	return taken;
}

void lower_equations(struct lowering *l, const struct node *node)
{
	struct lower_context before = l->now;
	l->now.given = NEW(struct given_values);
	if (node_skips(node))
		lower_flag(l, "bad");
	if (node->where)
		k_if(l->k, lower_mask(l, node->where));
	for (int q = 0; q < node->equation.n; q++) {
		lower_unmark(l, node, q);
		lower_whole(l, node, q);
		lower_equation(l, node->equation.at[q]);
	}
	if (node->where)
		k_end(l->k);
	l->now = before;
}
