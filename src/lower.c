/* lower.c - expressions of the graph become KIR, with the meaning of grammar.md R1 to R12.
 *
 * Where C's operator has that meaning it is used; where C would overflow or trap a helper is called
 * (backends/rt).  Subscripts are proved to stay inside, so their arithmetic is plain.  A fold inside an
 * expression, and an access tested at run time, need statements: they are appended to the kernel before
 * the expression that uses them, inside an if when they stand behind ?:, && or ||. */
#include <assert.h>
#include <string.h>
#include "half.h"
#include "lower.h"
#include "ragged.h"

/* ---- variables ---- */

void lower_bind(struct lowering *l, const struct var *var, struct kx *x)
{
	for (int b = 0; b < l->bound.n; b++)
		if (l->bound.at[b].var == var) {
			l->bound.at[b].x = x;
			return;
		}
	list_add(&l->bound, ((struct binding){ var, x }));
}

static struct kx *bound_value(struct lowering *l, const struct var *var)
{
	for (int b = 0; b < l->bound.n; b++)
		if (l->bound.at[b].var == var)
			return l->bound.at[b].x;
	return NULL;
}

struct kx *lower_argument(struct lowering *l, const char *name, struct ktype type, struct kx *host)
{
	struct kvar *param = k_param(l->k, type, name);
	list_add(&l->arg, host);
	return x_var(param);
}

static bool kernel_writes(const struct lowering *l, const struct var *var)
{
	for (int w = 0; w < l->written.n; w++)
		if (l->written.at[w] == var)
			return true;
	return false;
}

struct kx *lower_pointer(struct lowering *l, const struct var *var)
{
	assert(l->plan && "arrays exist in kernels only");
	if (l->k == l->plan->host)
		return host_var_x(l->plan, var);
	struct kx *x = bound_value(l, var);
	if (!x) {
		struct ktype type = kt_pointer(var->type, !kernel_writes(l, var));
		x = lower_argument(l, var->name, type, host_var_x(l->plan, var));
		lower_bind(l, var, x);
	}
	return x;
}

struct kx *lower_var(struct lowering *l, const struct var *var)
{
	if (var->kind == VAR_CONST)
		return lower_expr(l, var->value);
	if (var_on_device(var))
		return x_at(lower_pointer(l, var), x_i32(0));
	struct kx *x = bound_value(l, var);
	if (x)
		return x;
	assert(l->plan && "every variable of a fn is bound");
	if (l->k == l->plan->host)
		return host_var_x(l->plan, var);
	x = lower_argument(l, var->name, kt(var->type), host_var_x(l->plan, var));
	lower_bind(l, var, x);
	return x;
}

struct kx *lower_affine(struct lowering *l, const struct affine *a)
{
	struct kx *sum = NULL;
	for (int t = 0; t < a->n; t++) {
		struct kx *x = lower_var(l, a->term[t].var);
		int64_t c = a->term[t].coef;
		if (sum && c < 0 && c != INT64_MIN)
			sum = x_sub(sum, c == -1 ? x : x_mul(x_i64(-c), x));
		else {
			x = c == 1 ? x : x_mul(x_i64(c), x);
			sum = sum ? x_add(sum, x) : x;
		}
	}
	if (!sum)
		return x_i64(a->constant);
	if (a->constant < 0 && a->constant != INT64_MIN)
		return x_sub(sum, x_i64(-a->constant));
	return a->constant ? x_add(sum, x_i64(a->constant)) : sum;
}

struct kx *lower_extent(struct lowering *l, const struct var *var, int axis)
{
	return lower_affine(l, &var->extent[axis]);
}

struct kx *lower_many(struct lowering *l, const struct ring *ring)
{
	struct kx *problems = x_i64(1);
	for (int d = 0; d < ring->problems; d++)
		problems = x_mul(problems, lower_affine(l, &ring->problem[d]));
	return x_le(x_i64(ring->many), problems);
}

struct kx *lower_kept(struct lowering *l, const struct ring *ring)
{
	if (ring->alone == ring->cells)
		return x_i64(ring->cells);
	if (l->k != l->plan->host)
		return lower_var(l, ring->kept);
	return kx_fold(x_cond(lower_many(l, ring), x_i64(ring->alone), x_i64(ring->cells)));
}

/* What an index of the axis before counts: this axis' cells, or the distance the caller gave of rows. */
struct kx *lower_pitch(struct lowering *l, const struct var *var, int axis)
{
	bool pitched = var->layout && var->layout->pitched && axis == var->rank - 1;
	if (var->ring && var->ring->axis == axis)
		return x_min(lower_kept(l, var->ring), lower_extent(l, var, axis));
	return pitched ? lower_affine(l, &var->layout->ld) : lower_extent(l, var, axis);
}

static struct kx *kept_at(struct lowering *l, const struct var *var, int axis, struct kx *sub)
{
	bool ring = var->ring && var->ring->axis == axis;
	return ring ? x_op(OP_AND, sub, kx_fold(x_sub(lower_kept(l, var->ring), x_i64(1)))) : sub;
}

static struct kx *linear(struct lowering *l, const struct var *var, int from, int to, struct kx *const *sub)
{
	struct kx *x = kept_at(l, var, from, sub[from]);
	for (int a = from + 1; a < to; a++)
		x = x_add(x_mul(x, lower_pitch(l, var, a)), kept_at(l, var, a, sub[a]));
	return x;
}

struct kx *lower_linear(struct lowering *l, const struct var *var, struct kx *const *sub)
{
	assert(var->rank > 0 && !var_home(var) && "an array of its own");
	return linear(l, var, 0, var->rank, sub);
}

/* Cells are never negative: of a power of two, shifts and masks do. */
struct kx *lower_lane(int64_t cells, struct kx *cell, struct kx **block)
{
	int bits = 0;
	while (cells >> bits > 1)
		bits++;
	bool power = cells == INT64_C(1) << bits;
	*block = power ? x_op(OP_SHR, cell, x_i64(bits)) : x_div(cell, x_i64(cells));
	return power ? x_op(OP_AND, cell, x_i64(cells - 1)) : x_rem(cell, x_i64(cells));
}

/* Cell number `cell` of a part: blocks hold some cells, one element of a field after another. */
static struct kx *in_block(const struct var *part, struct kx *blocks, struct kx *cell, struct kx *elem)
{
	const struct layout *layout = part->layout;
	const struct field *field = layout->record->field.at;
	while (field->name != part->part->name)
		field++;
	struct kx *block, *at = lower_lane(layout->block, cell, &block);
	if (elem)
		at = x_add(x_mul(elem, x_i64(layout->block)), at);
	return x_elem(x_at(blocks, block), field, at);
}

struct kx *lower_place(struct lowering *l, const struct var *var, struct kx *const *sub)
{
	for (int h = 0; h < l->held.n; h++)
		if (l->held.at[h].var == var)
			return l->held.at[h].x;
	const struct var *home = var_home(var);
	if (!home)
		return x_at(lower_pointer(l, var), lower_linear(l, var, sub));
	if (var_tiled(var))
		return x_at(lower_pointer(l, var), lower_tiled(l, var, sub));
	int inner = var->rank - home->rank;
	struct kx *elem = inner ? linear(l, var, 0, inner, sub) : NULL;
	struct kx *cell = linear(l, var, inner, var->rank, sub);
	return in_block(var, lower_pointer(l, home), cell, elem);
}

/* ---- accesses ---- */

struct kx *lower_zero(const struct type *type)
{
	if (type->kind == T_STRUCT)
		return x_make(type, 0, NULL);
	return type_class(type) == 'F' ? x_float(type->kind, 0) : x_int(type->kind, 0);
}

struct kx *lower_index(struct lowering *l, const struct expr *e)
{
	bool was = l->index;
	l->index = true;
	struct kx *x = x_to_i64(lower_expr(l, e));
	l->index = was;
	return x;
}

/* An integer that data, or a caller's parameter, may make anything: its arithmetic wraps. */
struct kx *lower_wrapping(struct lowering *l, const struct expr *e)
{
	bool was = l->index;
	l->index = false;
	struct kx *x = x_to_i64(lower_expr(l, e));
	l->index = was;
	return x;
}

struct kx *lower_inside(struct kx *sub, struct kx *extent)
{
	return x_and(x_le(x_i64(0), sub), x_lt(sub, extent));
}

struct kx *lower_tested(struct lowering *l, const struct expr *read, struct kx *asked, struct kx *ok, struct kx *cell)
{
	if (l->selects && read->type->kind != T_STRUCT) {
		ok = x_var(k_let(l->k, "inside", x_and(asked, ok)));
		k_set(l->k, x_var(l->bad), x_or(x_var(l->bad), x_and(asked, x_unary(OP_NOT, ok))));
		return x_var(k_let(l->k, "value", x_cond(ok, cell, lower_zero(read->type))));
	}
	struct kvar *value = k_var(l->k, kt(read->type), "value", NULL);
	k_if(l->k, x_and(asked, ok));
	k_set(l->k, x_var(value), cell);
	k_else(l->k);
	k_set(l->k, x_var(value), lower_zero(read->type));
	k_set(l->k, x_var(l->bad), asked ? x_or(x_var(l->bad), asked) : x_int(T_BOOL, 1));
	k_end(l->k);
	return x_var(value);
}

/* The same in one comparison: no extent is negative. */
static struct kx *inside_at_once(struct kx *sub, struct kx *extent)
{
	struct ktype u64 = kt_scalar(T_U64);
	return x_lt(x_cast(u64, sub), x_cast(u64, extent));
}

static struct kx *checked_cell(struct lowering *l, const struct expr *read)
{
	struct kx *sub[MAX_RANK] = { NULL }, *ok = NULL;
	for (int a = 0; a < read->var->rank; a++) {
		sub[a] = x_var(k_let(l->k, "at", lower_wrapping(l, read->arg.at[a])));
		struct kx *end = lower_extent(l, read->var, a);
		ok = x_and(ok, l->selects ? inside_at_once(sub[a], end) : lower_inside(sub[a], end));
	}
	return lower_tested(l, read, l->asked, ok, lower_place(l, read->var, sub));
}

struct kx *lower_cell(struct lowering *l, const struct expr *read)
{
	if (read->checked)
		return checked_cell(l, read);
	struct kx *sub[MAX_RANK] = { NULL };
	for (int a = 0; a < read->var->rank; a++)
		sub[a] = lower_index(l, read->arg.at[a]);
	return lower_place(l, read->var, sub);
}

/* The position in a T_ARRAY: row-major over its constant extents. */
static struct kx *element_index(struct lowering *l, const struct expr *e, int first, const int64_t *extent)
{
	struct kx *x = NULL;
	for (int a = first; a < e->arg.n; a++) {
		struct kx *s = lower_index(l, e->arg.at[a]);
		x = x ? x_add(x_mul(x, x_i64(extent[a - first])), s) : s;
	}
	return x;
}

/* Subscripts that only the data can show, from arg[first] on: outside it is element 0, with bad set. */
static struct kx *checked_element(struct lowering *l, const struct expr *e, int first, const int64_t *extent)
{
	struct kx *sub[MAX_RANK], *ok = NULL;
	int n = e->arg.n - first;
	for (int a = 0; a < n; a++) {
		sub[a] = x_var(k_let(l->k, "at", lower_wrapping(l, e->arg.at[first + a])));
		ok = x_and(ok, lower_inside(sub[a], x_i64(extent[a])));
	}
	struct kvar *at = k_var(l->k, kt_scalar(T_I64), "element", x_i64(0));
	k_if(l->k, ok);
	struct kx *x = sub[0];
	for (int a = 1; a < n; a++)
		x = x_add(x_mul(x, x_i64(extent[a])), sub[a]);
	k_set(l->k, x_var(at), x);
	k_else(l->k);
	k_set(l->k, x_var(l->bad), x_int(T_BOOL, 1));
	k_end(l->k);
	return x_var(at);
}

static int64_t array_count(int rank, const int64_t *extent)
{
	int64_t n = 1;
	for (int a = 0; a < rank; a++)
		n *= extent[a];
	return n;
}

static struct kx *table_element(struct lowering *l, const struct expr *e)
{
	int64_t extent[MAX_RANK];
	for (int a = 0; a < e->var->rank; a++)
		extent[a] = e->var->extent[a].constant;
	return x_table(e->var, (e->checked ? checked_element : element_index)(l, e, 0, extent));
}

static struct kx *field_element(struct lowering *l, const struct expr *e, struct kx *record)
{
	struct kx *x = (e->checked ? checked_element : element_index)(l, e, 1, e->arg.at[0]->type->extent);
	return x_elem(record, e->arg.at[0]->field, x);
}

struct kx *lower_path(struct lowering *l, const struct expr *e, struct kx *cell)
{
	if (e->kind == E_FIELD)
		return x_field(lower_path(l, e->arg.at[0], cell), e->field);
	if (e->kind == E_ELEM && e->arg.at[0]->kind == E_FIELD)
		return field_element(l, e, lower_path(l, e->arg.at[0]->arg.at[0], cell));
	return cell;
}

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

/* Two fields, or elements of fields; words of floats are not compared as words. */
static struct kx *scalar_equal(struct kx *a, struct kx *b)
{
	struct ktype type = kt(type_compute(a->type.type));
	return is_half(a->type.type) ? x_eq(x_cast(type, a), x_cast(type, b)) : x_eq(a, b);
}

static struct kx *record_equal(struct lowering *l, const struct type *type, struct kx *a, struct kx *b)
{
	struct kx *equal = NULL;
	for (int f = 0; f < type->record->field.n; f++) {
		const struct field *field = &type->record->field.at[f];
		if (field->type->kind == T_ARRAY) {
			for (int64_t c = 0; c < array_count(field->type->rank, field->type->extent); c++)
				equal = x_and(equal, scalar_equal(x_elem(a, field, x_i64(c)), x_elem(b, field, x_i64(c))));
			continue;
		}
		struct kx *u = x_field(a, field), *v = x_field(b, field);
		equal = x_and(equal, field->type->kind == T_STRUCT ? record_equal(l, field->type, u, v)
		                                                   : scalar_equal(u, v));
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
		if (class != 'I' || l->index)
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

/* c ? a : b, a && b, a || b whose later parts need statements. */
static struct kx *lower_lazily(struct lowering *l, const struct expr *e)
{
	bool cond = e->kind == E_COND;
	struct kvar *result = k_var(l->k, kt(e->type), "chosen", NULL);
	struct kx *first = lower_expr(l, e->arg.at[0]);
	k_if(l->k, first);
	k_set(l->k, x_var(result), cond || e->op == OP_LAND ? lower_expr(l, e->arg.at[1]) : x_int(T_BOOL, 1));
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

static struct kx *lower_binary(struct lowering *l, const struct expr *e)
{
	bool lazy = e->op == OP_LAND || e->op == OP_LOR;
	if (lazy && needs_statements(e->arg.at[1]))
		return lower_lazily(l, e);
	struct kx *a = lower_expr(l, e->arg.at[0]), *b = lower_expr(l, e->arg.at[1]);
	const struct type *type = e->arg.at[0]->type;
	if (type->kind == T_STRUCT) {
		struct kx *equal = record_equal(l, type, a, b);
		return e->op == OP_EQ ? equal : x_unary(OP_NOT, equal);
	}
	if (e->strict && e->op == OP_MUL)        /* no compiler may melt it into a sum */
		return help2("times", type, a, b);
	struct kx *quick = lower_approx(l, e, "div", 2, (struct kx *[]){ a, b });
	return quick ? quick : arithmetic(l, e->op, a, b, type);
}

static struct kx *lower_unary(struct lowering *l, const struct expr *e)
{
	struct kx *a = lower_expr(l, e->arg.at[0]);
	if (e->op != OP_NEG || type_class(e->type) == 'F' || l->index)
		return x_unary(e->op, a);
	return help("neg", e->type, e->type, 1, &a);
}

static struct kx *lower_cast(struct lowering *l, const struct expr *e)
{
	const struct type *from = e->arg.at[0]->type;
	struct kx *a = lower_expr(l, e->arg.at[0]);
	if (is_half(from)) {
		from = type_compute(from);
		a = x_cast(kt(from), a);
	}
	if (type_class(from) == 'F' && type_class(e->type) != 'F')
		return x_help(kt(e->type), str_print("patc_%s_to_%s", type_name(from), type_name(e->type)), 1, &a);
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
	/* C's fmin and fmax are calls on a CPU, and no compiler turns them into vectors; which zero they give is
	 * open */
	bool order = (e->math == M_min || e->math == M_max) && (!l->target->gpu || e->strict);
	if (type_class(type) == 'F' && row->c32[0] && !order)
		return x_math(e->math, type, e->arg.n, arg);
	return help(row->name, type, e->type, e->arg.n, arg);
}

static struct kx **lower_args(struct lowering *l, const struct expr *e)
{
	struct kx **arg = mem_new(sizeof *arg * (size_t)(e->arg.n + 1));
	for (int i = 0; i < e->arg.n; i++)
		arg[i] = lower_expr(l, e->arg.at[i]);
	return arg;
}

static struct kx *lower_fold(struct lowering *l, const struct expr *e)
{
	for (int f = 0; f < l->folded.n; f++)
		if (l->folded.at[f].fold == e)
			return l->folded.at[f].x;
	struct kx *start = lower_identity(l, e->fold->op, e->type);
	struct kvar *acc = k_var(l->k, kt(e->type), e->fold->op->name,
	                         start ? start : lower_zero(e->type));
	lower_fold_into(l, e, acc);
	return x_var(acc);
}

void lower_shares(struct lowering *l, bool shares)
{
	l->given.n = 0;
	l->shares = shares;
}

static struct kx *given_already(const struct lowering *l, const struct expr *e)
{
	for (int g = 0; g < l->given.n; g++)
		for (int b = 0; l->given.at[g].e == e && b < l->k->open.n; b++)
			if (l->k->open.at[b] == l->given.at[g].body)
				return l->given.at[g].x;
	return NULL;
}

/* A cell that is read as it is is zero already, unless zero stands for what a subscript reads: lower_tested. */
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
	k_if(l->k, x_var(l->bad));
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
	struct kvar *outer = l->bad, *bad = l->bad = k_var(l->k, kt_scalar(T_BOOL), "lost", x_int(T_BOOL, 0));
	bool index = l->index;
	l->index = false;
	struct kx *value = zero_if_lost(l, e, lower_expr(l, e->arg.at[0]));
	l->index = index;
	l->bad = outer;
	if (l->lost && !e->drops)
		k_set(l->k, x_var(l->lost), x_or(x_var(l->lost), x_var(bad)));
	else if (!e->drops)
		lower_record_lost(l, x_var(bad));
	if (l->shares)
		list_add(&l->given, ((struct given){ e, value, l->k->open.at[l->k->open.n - 1] }));
	return value;
}

struct kx *lower_expr(struct lowering *l, const struct expr *e)
{
	if (e == l->whole)
		return l->whole_x;
	switch (e->kind) {
	case E_CONST:  return x_value(e->type, e->value);
	case E_VAR:    return lower_var(l, e->var);
	case E_READ:   return l->read ? l->read(l, e) : lower_cell(l, e);
	case E_FIELD:  return x_field(lower_expr(l, e->arg.at[0]), e->field);
	case E_ELEM:   return e->var ? table_element(l, e)
	                             : field_element(l, e, lower_expr(l, e->arg.at[0]->arg.at[0]));
	case E_STRUCT: return x_make(e->type, e->arg.n, lower_args(l, e));
	case E_UNARY:  return lower_unary(l, e);
	case E_BINARY: return lower_binary(l, e);
	case E_COND:
		if (needs_statements(e->arg.at[1]) || needs_statements(e->arg.at[2]))
			return lower_lazily(l, e);
		return x_cond(lower_expr(l, e->arg.at[0]), lower_expr(l, e->arg.at[1]), lower_expr(l, e->arg.at[2]));
	case E_CAST:   return lower_cast(l, e);
	case E_CALL:   return x_call(e->fn, e->arg.n, lower_args(l, e));
	case E_MATH:   return lower_math(l, e);
	case E_FOLD:   return lower_fold(l, e);
	case E_OR_ZERO: return lower_or_zero(l, e);
	}
	assert(!"an expression kind");
	return NULL;
}

/* ---- folds ---- */

struct kx *lower_apply(struct lowering *l, const struct op *op, const struct type *type,
                       struct kx *a, struct kx *b, bool strict)
{
	struct var *u = NEW(struct var), *v = NEW(struct var);
	*u = (struct var){ .kind = VAR_LOCAL, .name = "a", .type = type };
	*v = (struct var){ .kind = VAR_LOCAL, .name = "b", .type = type };
	struct loc none = { 0 };
	lower_bind(l, u, a);
	lower_bind(l, v, b);
	struct expr *e = op_apply(op, expr_var(u, none), expr_var(v, none));
	e->strict = strict && type_class(type) == 'F';
	return lower_expr(l, e);
}

struct kx *lower_identity(struct lowering *l, const struct op *op, const struct type *type)
{
	struct expr *e = op_identity(op, type);
	return e ? lower_expr(l, e) : NULL;
}

struct kx *lower_better(const struct op *op, struct kx *term, struct kx *best, struct kx *none, struct kx *tie)
{
	bool is_float = type_class(term->type.type) == 'F';
	struct kx *better = x_op(op->kind == OPK_ARGMIN ? OP_LT : OP_GT, term, best);
	if (tie)
		better = x_or(better, x_and(x_eq(term, best), tie));
	return is_float ? x_cond(none, x_eq(term, term), better) : x_or(none, better);
}

/* argmin, argmax, terms in order: the first of the best stays.  A place may be any number: -1 says nothing. */
static void fold_best(struct lowering *l, const struct fold *fold, struct kx *term, struct kvar *acc, struct kvar *first)
{
	const struct record *best = acc->type.type->record;
	struct kx *value = x_field(x_var(acc), &best->field.at[0]);
	term = x_var(k_let(l->k, "term", term));
	k_if(l->k, lower_better(fold->op, term, value, x_var(first), NULL));
	k_set(l->k, value, term);
	for (int d = 0; d < fold->index.n; d++)
		k_set(l->k, x_field(x_var(acc), &best->field.at[1 + d]), lower_var(l, fold->index.at[d]));
	k_set(l->k, x_var(first), x_int(T_BOOL, 0));
	k_end(l->k);
}

static void fold_apply(struct lowering *l, const struct fold *fold, struct kx *term, struct kvar *acc, struct kvar *first)
{
	if (first) {
		term = x_var(k_let(l->k, "term", term));
		k_if(l->k, x_var(first));
		k_set(l->k, x_var(acc), term);
		k_set(l->k, x_var(first), x_int(T_BOOL, 0));
		k_else(l->k);
	}
	k_set(l->k, x_var(acc), lower_apply(l, fold->op, acc->type.type, x_var(acc), term, fold->strict));
	if (first)
		k_end(l->k);
}

/* A term that leaves an array, or whose mask does, is not folded and recorded (R34). */
void lower_term(struct lowering *l, const struct expr *fold, void (*add)(struct lowering *, struct kx *, void *), void *state)
{
	const struct expr *body = fold->arg.at[0], *where = fold->fold->where;
	struct kvar *outer = l->bad, *bad = NULL;
	if (expr_checked(body) || (where && expr_checked(where)))
		l->bad = bad = k_var(l->k, kt_scalar(T_BOOL), "bad", x_int(T_BOOL, 0));
	struct kx *taken = where ? lower_expr(l, where) : NULL;
	if (taken && bad)
		taken = x_and(taken, x_unary(OP_NOT, x_var(bad)));
	if (taken)
		k_if(l->k, taken);
	struct kx *term = lower_expr(l, body);
	if (bad)
		k_if(l->k, x_unary(OP_NOT, x_var(bad)));
	add(l, fold->fold->op->kind == OPK_COUNT ? x_cast(kt_scalar(T_I64), term) : term, state);
	if (bad)
		k_end(l->k);
	if (taken)
		k_end(l->k);
	if (bad)
		lower_record(l);
	l->bad = outer;
}

struct serial { const struct fold *fold; struct kvar *acc, *first; };

static void serial_add(struct lowering *l, struct kx *term, void *state)
{
	const struct serial *s = state;
	(op_is_arg(s->fold->op) ? fold_best : fold_apply)(l, s->fold, term, s->acc, s->first);
}

struct kx *lower_given_end(struct lowering *l, const struct fold *fold, int d, bool high)
{
	const struct expr *e = (high ? fold->hi.at : fold->lo.at)[d];
	return (has_data(e) ? lower_wrapping : lower_index)(l, e);
}

struct kx *lower_end(struct lowering *l, const struct fold *fold, int d, bool high)
{
	const struct cut *cut = fold_cut(fold, d);
	struct kx *x = lower_given_end(l, fold, d, high);
	if (!cut || !cut->end || cut->trusted)
		return x;
	return x_min(x_max(x, x_i64(0)), lower_index(l, cut->end));
}

/* Of a range that data decide: cut to its array; what is to be recorded (R34), or NULL. */
static struct kx *cut_range(struct lowering *l, const struct cut *cut, struct kx **lo, struct kx **hi)
{
	*lo = x_var(k_let(l->k, "lo", *lo));
	*hi = x_var(k_let(l->k, "hi", *hi));
	struct kx *falls = cut->rises ? x_lt(*hi, *lo) : NULL, *out = NULL;
	if (cut->end) {
		struct kx *end = lower_index(l, cut->end), *from = *lo, *to = *hi;
		out = x_and(x_lt(from, to), x_or(x_lt(from, x_i64(0)), x_lt(end, to)));
		*lo = x_var(k_let(l->k, "first", x_max(from, x_i64(0))));
		*hi = x_var(k_let(l->k, "end", x_min(to, end)));
	}
	return x_or(falls, out);
}

struct kx *lower_ends(struct lowering *l, const struct fold *fold, int d, struct kx **lo, struct kx **hi)
{
	const struct cut *cut = fold_cut(fold, d);
	*lo = lower_given_end(l, fold, d, false);
	*hi = lower_given_end(l, fold, d, true);
	return cut && !cut->trusted ? cut_range(l, cut, lo, hi) : NULL;
}

void lower_range(struct lowering *l, const struct fold *fold, int d, struct kx **lo, struct kx **hi)
{
	struct kx *wrong = lower_ends(l, fold, d, lo, hi);
	if (wrong)
		lower_record_if(l, wrong);
}

void lower_fold_into(struct lowering *l, const struct expr *e, struct kvar *acc)
{
	const struct fold *fold = e->fold;
	struct serial s = { fold, acc, NULL };
	if (op_is_arg(fold->op) || !op_identity(fold->op, acc->type.type))
		s.first = k_var(l->k, kt_scalar(T_BOOL), "first", x_int(T_BOOL, 1));
	for (int d = 0; d < fold->index.n; d++) {
		struct kx *lo, *hi;
		lower_range(l, fold, d, &lo, &hi);
		struct kvar *i = k_for(l->k, fold->index.at[d]->name, lo, hi, x_i64(1), 0);
		lower_bind(l, fold->index.at[d], x_var(i));
	}
	lower_term(l, e, serial_add, &s);
	for (int d = 0; d < fold->index.n; d++)
		k_end(l->k);
}

/* ---- the equations of a cell ---- */

void lower_record_if(struct lowering *l, struct kx *outside)
{
	if (l->drops)
		return;
	k_if(l->k, outside);
	if (!l->status)
		l->status = lower_argument(l, "status", kt_pointer(type_scalar(T_I32), false), plan_status(l->plan));
	k_do(l->k, x_help(kt_scalar(T_I32), "patc_record", 2, (struct kx *[]){ l->status, x_i32(ST_INDEX) }));
	k_end(l->k);
}

void lower_record_lost(struct lowering *l, struct kx *outside)
{
	bool drops = l->drops;
	l->drops = false;
	lower_record_if(l, outside);
	l->drops = drops;
}

void lower_record(struct lowering *l)
{
	lower_record_if(l, x_var(l->bad));
}

static void store(struct lowering *l, const struct expr *target, struct kx *value)
{
	const struct expr *under = target_read((struct expr *)target);
	struct kx *cell = under->kind == E_VAR ? x_at(lower_pointer(l, under->var), x_i32(0))
	                                       : lower_cell(l, under);
	k_set(l->k, lower_path(l, target, cell), value);
}

/* A target tested at run time: outside it is recorded, not written. */
static struct kx *target_inside(struct lowering *l, const struct expr *target)
{
	const struct expr *under = target_read((struct expr *)target);
	struct kx *ok = NULL;
	if (under->kind == E_READ && under->checked)
		for (int a = 0; a < under->var->rank; a++)
			ok = x_and(ok, lower_inside(lower_wrapping(l, under->arg.at[a]), lower_extent(l, under->var, a)));
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
	k_set(l->k, lower_path(l, target, cell), value);
	k_else(l->k);
	k_set(l->k, x_var(l->bad), x_int(T_BOOL, 1));
	k_end(l->k);
}

bool same_whole(const struct node *node, int q)
{
	return q && node->equation.at[q]->whole && node->equation.at[q]->whole == node->equation.at[q - 1]->whole;
}

void lower_whole(struct lowering *l, const struct node *node, int q)
{
	struct expr *whole = node->equation.at[q]->whole;
	if (same_whole(node, q))
		return;
	l->whole = NULL;
	if (whole)
		l->whole_x = x_var(k_let(l->k, "whole", lower_expr(l, whole)));
	l->whole = whole;
}

/* Several targets: right is a variable with the results. */
struct kx *lower_result(const struct equation *eq, int t, struct kx *right)
{
	struct kx *x = eq->target.n > 1 ? x_field(right, &eq->right->type->record->field.at[t]) : right;
	return x_cast(kt(eq->target.at[t]->type), x);
}

static void lower_equation(struct lowering *l, const struct equation *eq)
{
	struct kx *value = lower_expr(l, eq->right);
	if (l->bad)
		k_if(l->k, x_unary(OP_NOT, x_var(l->bad)));
	for (int t = 0; t < eq->target.n; t++)
		lower_store(l, eq->target.at[t], lower_result(eq, t, value));
	if (l->bad)
		k_end(l->k);
}

struct kx *lower_mask(struct lowering *l, const struct expr *where)
{
	struct kx *taken = lower_expr(l, where);
	if (!l->bad || !expr_checked(where))
		return taken;
	taken = x_var(k_let(l->k, "taken", x_and(x_unary(OP_NOT, x_var(l->bad)), taken)));
	lower_record(l);
	return taken;
}

void lower_equations(struct lowering *l, const struct node *node)
{
	struct kvar *outer = l->bad;
	lower_shares(l, true);
	if (node_skips(node))
		l->bad = k_var(l->k, kt_scalar(T_BOOL), "bad", x_int(T_BOOL, 0));
	if (node->where)
		k_if(l->k, lower_mask(l, node->where));
	for (int q = 0; q < node->equation.n; q++) {
		if (q && l->bad && !same_whole(node, q))
			k_set(l->k, x_var(l->bad), x_int(T_BOOL, 0));
		lower_whole(l, node, q);
		lower_equation(l, node->equation.at[q]);
		if (l->bad)
			lower_record(l);
	}
	l->whole = NULL;
	if (node->where)
		k_end(l->k);
	lower_shares(l, false);
	l->bad = outer;
}
