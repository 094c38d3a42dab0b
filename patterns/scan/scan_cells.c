/* scan_cells.c - a cell of a scan on a GPU: its indices, what it reads, where a sequence begins,
 * what it stores.
 *
 * Flat: all targets, and whatever is read at the cell itself, are dense arrays of the shape of the
 * domain, so that one number says where a cell lies in all of them, and neighbouring cells may move
 * as vectors.  The cells of batched sequences are then one long row, in which a sequence begins
 * wherever the axis begins anew. */
#include <assert.h>
#include "scan_gpu.h"

/* ---- what kind of scan ---- */

static const struct var *first_target(const struct node *node)
{
	return target_read(node_target(node, 0))->var;
}

bool scan_own(const struct node *node, const struct expr *read)
{
	const struct var *like = first_target(node);
	if (read->kind != E_READ || read->checked || read->var->rank != node->index.n
	    || !is_dense(read->var))
		return false;
	for (int a = 0; a < read->var->rank; a++) {
		const struct expr *sub = read->arg.at[a];
		if (sub->kind != E_VAR || sub->var != node->index.at[a]
		    || !affine_equal(&read->var->extent[a], &like->extent[a]))
			return false;
	}
	return true;
}

bool scan_is_flat(const struct node *node)
{
	if (!node->whole || node->running->axis != node->index.n - 1)
		return false;
	for (int t = 0; node_target(node, t); t++)
		if (!scan_own(node, node_target(node, t)))
			return false;
	return true;
}

bool scan_each(const struct node *node, bool (*visit)(struct expr *, void *), void *state)
{
	for (int q = 0; q < node->equation.n; q++)
		if (!equation_walk(node->equation.at[q], visit, state))
			return false;
	return !node->running->cell || node->running->segment == SEGMENT_OFFSETS
	       || expr_walk(node->running->cell, visit, state);
}

struct widest { const struct node *node; int64_t bytes; bool records; };

static bool widest_of(struct expr *e, void *state)
{
	struct widest *w = state;
	if (!scan_own(w->node, e))
		return true;
	int64_t bytes = type_size(e->var->type);
	w->records |= e->var->type->kind == T_STRUCT;
	w->bytes = bytes > w->bytes ? bytes : w->bytes;
	return true;
}

int scan_width(const struct node *node)
{
	struct widest w = { node, 1, false };
	if (!scan_is_flat(node))
		return 1;
	for (int t = 0; node_target(node, t); t++)
		widest_of(node_target(node, t), &w);
	scan_each(node, widest_of, &w);
	if (w.records || w.bytes > 8)
		return 1;
	int64_t widest = 16 / w.bytes, width = node->choice.vector ? node->choice.vector : widest;
	return (int)(width < widest ? width : widest);
}

/* ---- which of its indices does a cell need ---- */

static void use(struct scan *s, const struct expr *e, bool *uses)
{
	if (!e || (s->flat && scan_own(s->node, e)))
		return;
	for (int d = 0; e->kind == E_VAR && d < s->node->index.n; d++)
		uses[d] |= e->var == s->node->index.at[d];
	if (e->kind == E_FOLD) {
		uses[s->axis] |= op_is_arg(e->fold->op);
		use(s, e->fold->where, uses);
	}
	for (int a = 0; a < e->arg.n; a++)
		use(s, e->arg.at[a], uses);
}

static void find_uses(struct scan *s)
{
	for (int d = 0; d < s->node->index.n; d++)
		s->uses[d] = !s->flat || (s->cuts && d == s->axis);
	for (int k = 0; k < s->running->froms; k++)
		use(s, s->running->from[k], s->from_uses);
	for (int q = 0; q < s->node->equation.n; q++) {
		const struct recurrence *r = s->node->equation.at[q]->recurrence;
		use(s, s->node->equation.at[q]->right, s->uses);
		if (r)
			use(s, r->rest, s->uses);
		for (int k = 0; r && k < r->order; k++)
			use(s, r->weight[k], s->uses);
	}
}

void scan_use_from(struct scan *s)
{
	for (int d = 0; d < s->node->index.n; d++)
		s->uses[d] |= s->from_uses[d];
}

bool scan_uses_row(const struct scan *s, bool from)
{
	for (int d = 0; d < s->node->index.n; d++)
		if (d != s->axis && (s->uses[d] || (from && s->from_uses[d])))
			return true;
	return false;
}

/* ---- where a sequence begins ---- */

/* The bit of the bound cell. */
static struct kx *marked(const struct scan *s, struct kx *cell)
{
	struct kx *word = x_at(s->marks, x_op(OP_SHR, cell, x_i32(5)));
	struct kx *bit = x_op(OP_SHL, x_int(T_U32, 1), x_to_i32(x_op(OP_AND, cell, x_i64(31))));
	return x_ne(x_op(OP_AND, word, bit), x_int(T_U32, 0));
}

struct kx *scan_head(struct scan *s, struct kx *column)
{
	struct lowering *l = s->l;
	int axis = s->axis;
	if (s->mark_bits)
		return x_ne(x_op(OP_AND, x_op(OP_SHR, s->mark_bits, s->mark), x_int(T_U32, 1)),
		            x_int(T_U32, 0));
	struct kx *lo, *hi, *cell = s->uses[axis] ? lower_var(l, s->node->index.at[axis]) : NULL;
	if (s->running->segment == SEGMENT_NONE && s->even)
		return x_eq(column, x_i64(0));
	if (s->even) {
		lo = scan_lo(s, axis);
		hi = x_add(lo, scan_size(s, axis));
	} else {
		lo = lower_index(l, s->node->lo.at[axis]);
		hi = lower_index(l, s->node->hi.at[axis]);
	}
	if (!s->marks)
		return cut_head(l, s->node, cell, lo, hi);
	return x_or(x_eq(cell, s->running->from_right ? x_sub(hi, x_i64(1)) : lo), marked(s, cell));
}

struct kx *scan_inside(struct scan *s)
{
	if (!s->first_offset)
		return NULL;
	struct kx *cell = lower_var(s->l, s->node->index.at[s->axis]);
	return x_and(x_le(s->first_offset, cell), x_lt(cell, s->last_offset));
}

struct kx *scan_all_inside(struct scan *s)
{
	if (!s->first_offset)
		return NULL;
	struct kx *lo = scan_lo(s, s->axis), *hi = x_add(lo, scan_size(s, s->axis));
	return x_and(x_le(s->first_offset, lo), x_le(hi, s->last_offset));
}

/* ---- lengths ---- */

void scan_check_length(struct scan *s)
{
	struct lowering *l = s->l;
	if (s->running->segment != SEGMENT_LENGTH || s->running->length->kind == E_CONST)
		return;
	struct kx *bad = x_var(k_var(l->k, kt_scalar(T_BOOL), "bad",
	                             x_lt(lower_index(l, s->running->length), x_i64(1))));
	lower_record_if(l, bad);
	k_if(l->k, bad);
	k_return(l->k, NULL);
	k_end(l->k);
}

/* ---- numbers ---- */

struct kx *scan_lo(struct scan *s, int d)
{
	const char *name = str_print("%s_first", s->node->index.at[d]->name);
	if (!s->lo[d])
		s->lo[d] = x_is_int(s->host_lo[d], 0)
		                   ? s->host_lo[d]
		                   : lower_argument(s->l, name, kt_scalar(T_I64), s->host_lo[d]);
	return s->lo[d];
}

struct kx *scan_size(struct scan *s, int d)
{
	const char *name = str_print("%s_cells", s->node->index.at[d]->name);
	if (!s->size[d])
		s->size[d] = lower_argument(s->l, name, kt_scalar(T_I64), s->host_size[d]);
	return s->size[d];
}

struct kx *scan_count(struct scan *s)
{
	if (s->node->index.n == 1)
		return scan_size(s, 0);
	if (!s->count)
		s->count = lower_argument(s->l, "cells", kt_scalar(T_I64), s->host_cells);
	return s->count;
}

static void find_domain(struct scan *s)
{
	struct plan *plan = s->l->plan;
	for (int d = 0; d < s->node->index.n; d++) {
		const char *name = s->node->index.at[d]->name;
		struct lowering *host = host_lowering(plan);
		struct kx *lo = cells_range_lo(s->cells, d, host),
			  *hi = cells_range_hi(s->cells, d, host);
		s->host_lo[d] = x_is_int(lo, 0) ? lo
		                                : plan_let(plan, str_print("%s_first", name), lo);
		s->host_size[d] = plan_let(plan, str_print("%s_cells", name),
		                           plan_range(plan, s->host_lo[d], hi));
		s->host_cells = d ? x_mul(s->host_cells, s->host_size[d]) : s->host_size[d];
	}
	if (s->node->index.n > 1)
		s->host_cells = plan_let(plan, "cells", s->host_cells);
}

/* Some index but the running one, of number d or less, is used. */
static bool uses_up_to(const struct scan *s, int d)
{
	while (d >= 0 && (d == s->axis || !s->uses[d]))
		d--;
	return d >= 0;
}

void scan_bind_row(struct scan *s, struct kx *row)
{
	struct kernel *k = s->l->k;
	int outermost = s->axis == 0;
	for (int d = s->node->index.n - 1; row && uses_up_to(s, d); d--) {
		if (d == s->axis)
			continue;
		struct kx *at = x_add(scan_lo(s, d),
		                      d > outermost ? x_rem(row, scan_size(s, d)) : row);
		if (s->uses[d])
			cells_bind(s->cells, d, x_var(k_let(k, s->node->index.at[d]->name, at)));
		if (uses_up_to(s, d - 1))
			row = x_var(k_let(k, "rest", x_div(row, scan_size(s, d))));
	}
}

void scan_bind(struct scan *s, struct kx *column, struct kx *row)
{
	if (s->uses[s->axis] && s->running->from_right)
		column = x_sub(x_sub(scan_size(s, s->axis), x_i64(1)), column);
	if (s->uses[s->axis])
		cells_bind(s->cells, s->axis, x_add(scan_lo(s, s->axis), column));
	scan_bind_row(s, row);
}

/* ---- reads and stores ---- */

static const struct held *held_of(const struct scan *s, const struct var *var)
{
	for (int h = 0; s->slot && h < s->held.n; h++)
		if (s->held.at[h].var == var)
			return &s->held.at[h];
	return NULL;
}

/* The key before the cell's own, of an array whose cells are held (scan_strips.c). */
static bool is_key_before(const struct scan *s, const struct expr *read)
{
	bool before = s->leads && s->running->segment == SEGMENT_KEYS && held_of(s, read->var);
	for (int a = 0; before && a < read->var->rank; a++) {
		int k;
		int64_t offset;
		before = access_offset(s->node, read, a, &k, &offset) && k == a
		         && offset == (a == s->axis ? -1 : 0);
	}
	return before;
}

/* It is in the slot before, unless another warp brings it. */
static struct kx *key_before(struct scan *s, const struct expr *read)
{
	struct kx *slot = x_sub(s->slot, x_i32(1));
	struct kx *held = x_at(x_var(held_of(s, read->var)->cells), slot);
	return x_cond(s->leads, lower_cell(s->l, read), held);
}

static struct kx *scan_read(struct lowering *l, const struct expr *read)
{
	struct scan *s = (struct scan *)l->now.state;
	if (is_key_before(s, read))
		return key_before(s, read);
	if (!s->flat || !scan_own(s->node, read))
		return lower_cell(l, read);
	const struct held *held = held_of(s, read->var);
	return held ? x_at(x_var(held->cells), s->slot)
	            : x_at(lower_pointer(l, read->var), s->number);
}

static int target_number(const struct node *node, const struct expr *target)
{
	int t = 0;
	while (node_target(node, t) != target)
		t++;
	return t;
}

/* What reads the target after this equation gets the new value. */
static void store_target(struct scan *s, const struct expr *target, struct kx *value)
{
	struct lowering *l = s->l;
	const struct var *var = target_read((struct expr *)target)->var;
	const struct held *held = held_of(s, var);
	if (held || s->out.n)
		value = x_var(k_let(l->k, str_print("new_%s", var->name), value));
	if (held)
		k_set(l->k, x_at(x_var(held->cells), s->slot), value);
	if (s->out.n) {
		k_set(l->k, x_lane_at(x_var(s->out.at[target_number(s->node, target)]), s->lane),
		      value);
		return;
	}
	if (s->flat)
		k_set(l->k, x_at(lower_pointer(l, var), s->number), value);
	else
		lower_store(l, target, value);
}

void scan_store(void *state, const struct equation *eq, struct kx *value)
{
	struct scan *s = state;
	if (s->stores && !s->out.n)
		k_if(s->l->k, s->stores);
	for (int t = 0; t < eq->target.n; t++)
		store_target(s, eq->target.at[t], lower_result(eq, t, value));
	if (s->stores && !s->out.n)
		k_end(s->l->k);
}

/* ---- opening ---- */

struct scan *scan_begin(struct plan *plan, const struct node *node, bool flat)
{
	struct scan *s = NEW(struct scan);
	struct lowering *l = lowering_new(plan, node->name);
	*s = (struct scan){
		.l = l, .node = node, .running = node->running, .axis = node->running->axis
	};
	lowering_writes(l, node);
	s->cells = cells_beside(l, node);
	s->carry = carry_open(l, node);
	s->flat = flat && scan_is_flat(node);
	s->even = cells_even(s->cells);
	s->width = scan_width(node);
	s->cuts = node->running->segment != SEGMENT_NONE;
	find_uses(s);
	l->now.read = scan_read;
	l->now.state = s;
	find_domain(s);
	return s;
}
