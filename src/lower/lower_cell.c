/* lower_cell.c - what a kernel knows by name: variables, parameters, and the cells of arrays, each
 * where its layout has it.
 *
 * Subscripts are proved to stay inside, so their arithmetic is plain; an access tested at run time
 * needs statements, which are appended to the kernel before the expression that uses it.  Outside
 * it is zero, with l->now.outside set: never a wild one. */
#include <assert.h>
#include "lower.h"

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
	if (!l->plan)
		return bound_value(l, var);          /* a parameter of a fn */
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

/* What an index of the axis before counts: this axis' cells, or the distance the caller gave of
 * rows. */
struct kx *lower_pitch(struct lowering *l, const struct var *var, int axis)
{
	bool pitched = var->layout && var->layout->pitched && axis == var->rank - 1;
	if (var->ring && var->ring->axis == axis) {
		struct kx *extent = lower_extent(l, var, axis);
		return x_min(lower_kept(l, var->ring), extent);
	}
	return pitched ? lower_affine(l, &var->layout->ld) : lower_extent(l, var, axis);
}

static struct kx *kept_at(struct lowering *l, const struct var *var, int axis, struct kx *sub)
{
	bool ring = var->ring && var->ring->axis == axis;
	return ring ? x_op(OP_AND, sub, kx_fold(x_sub(lower_kept(l, var->ring), x_i64(1)))) : sub;
}

static struct kx *linear(struct lowering *l, const struct var *var, int from, int to,
                         struct kx *const *sub)
{
	struct kx *x = kept_at(l, var, from, sub[from]);
	for (int a = from + 1; a < to; a++) {
		struct kx *at = kept_at(l, var, a, sub[a]);
		x = x_add(x_mul(x, lower_pitch(l, var, a)), at);
	}
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
static struct kx *in_block(const struct var *part, struct kx *blocks, struct kx *cell,
                           struct kx *elem)
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

/* The place is lowered before the pointer: parameters are numbered as they are first needed, and C
 * does not say in which order the arguments of a call are computed. */
static struct kx *pointed(struct lowering *l, const struct var *var, struct kx *at)
{
	return x_at(lower_pointer(l, var), at);
}

struct kx *lower_place(struct lowering *l, const struct var *var, struct kx *const *sub)
{
	for (int h = 0; h < l->held.n; h++)
		if (l->held.at[h].var == var)
			return l->held.at[h].x;
	const struct var *home = var_home(var);
	if (!home)
		return pointed(l, var, lower_linear(l, var, sub));
	if (var_tiled(var))
		return pointed(l, var, lower_tiled(l, var, sub));
	if (var_curved(var))
		return pointed(l, var, lower_curved(l, var, sub));
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

static struct kx *lower_i64(struct lowering *l, const struct expr *e, bool no_wrap)
{
	struct lower_context before = l->now;
	l->now.no_wrap = no_wrap;
	struct kx *x = x_to_i64(lower_expr(l, e));
	l->now = before;
	return x;
}

struct kx *lower_index(struct lowering *l, const struct expr *e)
{
	return lower_i64(l, e, true);
}

/* An integer that data, or a caller's parameter, may make anything: its arithmetic wraps. */
struct kx *lower_wrapping(struct lowering *l, const struct expr *e)
{
	return lower_i64(l, e, false);
}

struct kx *lower_inside(struct kx *sub, struct kx *extent)
{
	return x_and(x_le(x_i64(0), sub), x_lt(sub, extent));
}

struct kx *lower_subscript_inside(struct lowering *l, const struct expr *read, int axis)
{
	struct kx *extent = lower_extent(l, read->var, axis);
	return lower_inside(lower_index(l, read->arg.at[axis]), extent);
}

struct kvar *lower_flag(struct lowering *l, const char *name)
{
	return l->now.outside = k_var(l->k, kt_scalar(T_BOOL), name, x_int(T_BOOL, 0));
}

void lower_mark(struct lowering *l, struct kx *is)
{
	k_set(l->k, x_var(l->now.outside), is);
	l->marked = l->now.outside;
}

struct kx *lower_inside_all(struct lowering *l)
{
	return l->now.outside ? x_unary(OP_NOT, x_var(l->now.outside)) : NULL;
}

struct kx *lower_tested(struct lowering *l, const struct expr *read, struct kx *guard,
                        struct kx *ok, struct kx *cell)
{
	struct kx *outside = x_var(l->now.outside);
	if (l->now.branchless && read->type->kind != T_STRUCT) {
		ok = x_var(k_let(l->k, "inside", x_and(guard, ok)));
		lower_mark(l, x_or(outside, x_and(guard, x_unary(OP_NOT, ok))));
		return x_var(k_let(l->k, "value", x_cond(ok, cell, lower_zero(read->type))));
	}
	struct kvar *value = k_var(l->k, kt(read->type), "value", NULL);
	k_if(l->k, x_and(guard, ok));
	k_set(l->k, x_var(value), cell);
	k_else(l->k);
	k_set(l->k, x_var(value), lower_zero(read->type));
	lower_mark(l, guard ? x_or(outside, guard) : x_int(T_BOOL, 1));
	k_end(l->k);
	return x_var(value);
}

/* The same in one comparison: no extent is negative. */
static struct kx *inside_at_once(struct kx *sub, struct kx *extent)
{
	struct ktype u64 = kt_scalar(T_U64);
	return x_lt(x_cast(u64, sub), x_cast(u64, extent));
}

/* CUDA's compiler loads a struct field by field, since nothing says that it begins at a multiple
 * of 16 bytes; HIP's does not need that. */
static struct kx *fetched(struct lowering *l, struct kx *cell)
{
	const struct type *type = cell->type.type;
	if (!l->target->masks || cell->kind != KX_AT || type->kind != T_STRUCT
	    || type_size(type) % 16)
		return cell;
	return x_help(kt(type), "patc_whole", 1,
	              (struct kx *[]){ x_offset(cell->arg[0], cell->arg[1]) });
}

/* In a function the call fails: Note [walks] in lower_fn.c. */
static struct kx *cell_or_fail(struct lowering *l, struct kx *ok, struct kx *cell)
{
	lower_fail(l, x_unary(OP_NOT, ok), x_i32(ST_INDEX));
	return fetched(l, cell);
}

static struct kx *checked_cell(struct lowering *l, const struct expr *read)
{
	struct kx *sub[MAX_RANK] = { NULL }, *ok = NULL;
	const struct expr *part = l->now.part;
	if (!part || target_read((struct expr *)part) != read)
		part = read;
	for (int a = 0; a < read->var->rank; a++) {
		sub[a] = x_var(k_let(l->k, "at", lower_wrapping(l, read->arg.at[a])));
		struct kx *end = lower_extent(l, read->var, a);
		ok = x_and(ok, l->now.branchless ? inside_at_once(sub[a], end)
		                                 : lower_inside(sub[a], end));
	}
	struct kx *cell = lower_path(l, part, lower_place(l, read->var, sub));
	return l->plan ? lower_tested(l, part, l->now.guard, ok, cell) : cell_or_fail(l, ok, cell);
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
static struct kx *element_index(struct lowering *l, const struct expr *e, int first,
                                const int64_t *extent)
{
	struct kx *x = NULL;
	for (int a = first; a < e->arg.n; a++) {
		struct kx *s = (e->wraps ? lower_wrapping : lower_index)(l, e->arg.at[a]);
		x = x ? x_add(x_mul(x, x_i64(extent[a - first])), s) : s;
	}
	return x;
}

/* Subscripts that only the data can show, from arg[first] on: outside it is element 0, with bad
 * set. */
static struct kx *checked_element(struct lowering *l, const struct expr *e, int first,
                                  const int64_t *extent)
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
	lower_mark(l, x_int(T_BOOL, 1));
	k_end(l->k);
	return x_var(at);
}

struct kx *lower_table(struct lowering *l, const struct expr *e)
{
	int64_t extent[MAX_RANK];
	for (int a = 0; a < e->var->rank; a++)
		extent[a] = e->var->extent[a].constant;
	return x_table(e->var, (e->checked ? checked_element : element_index)(l, e, 0, extent));
}

struct kx *lower_element(struct lowering *l, const struct expr *e, struct kx *record)
{
	struct kx *x = (e->checked ? checked_element : element_index)(l, e, 1,
	                                                              e->arg.at[0]->type->extent);
	return x_elem(record, e->arg.at[0]->field, x);
}

struct kx *lower_path(struct lowering *l, const struct expr *e, struct kx *cell)
{
	if (e->kind == E_FIELD)
		return x_field(lower_path(l, e->arg.at[0], cell), e->field);
	if (e->kind == E_ELEM && e->arg.at[0]->kind == E_FIELD)
		return lower_element(l, e, lower_path(l, e->arg.at[0]->arg.at[0], cell));
	return cell;
}
