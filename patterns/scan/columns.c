/* columns.c - the columns of a scan: where they are, what a thread holds of them, and their cells in order.
 *
 * Every read of a cell's own place (no offset, nothing permuted) is held in registers for all positions at hand:
 * their loads are issued together, before the first is used, and the second pass over the cells needs no memory.
 * Neighbouring lanes take neighbouring columns, of which a thread takes a vector where rows are whole vectors.
 * Any other read is answered from memory, twice, and mostly by the caches. */
#include <assert.h>
#include "../access.h"
#include "columns.h"
#include "cut.h"

enum {
	DATA_WORDS = 48,                         /* registers for what is held and stored: 48 KB a block of 256 */
	TOTAL_WORDS = 24,                        /* and for the totals of a thread's columns */
	MOST_ROWS = 16, MOST_WIDTH = 8
};

/* ---- the domain ---- */

static struct cells *domain_of(struct lowering *l, const struct node *node)
{
	struct cells *c = NEW(struct cells);
	*c = (struct cells){ .l = l, .node = node, .rank = node->index.n, .column = node->index.n - 1 };
	return c;
}

static struct kx *target_cells(struct lowering *host, const struct node *node)
{
	const struct var *var = target_read(node_target(node, 0))->var;
	struct kx *cells = NULL;
	for (int a = 0; a < var->rank; a++)
		cells = a ? x_mul(cells, lower_extent(host, var, a)) : lower_extent(host, var, a);
	return cells;
}

static bool same_shape(const struct var *a, const struct var *b)
{
	bool same = a->rank == b->rank;
	for (int d = 0; same && d < a->rank; d++)
		same = affine_equal(&a->extent[d], &b->extent[d]);
	return same;
}

/* Where only a box around the domain is known, it must lie within each target to have no more cells than one. */
static bool is_boxed(const struct node *node)
{
	for (int t = 0; node_target(node, t); t++) {
		const struct expr *target = node_target(node, t), *read = target_read((struct expr *)target);
		if (target->checked || read->checked || !same_shape(read->var, target_read(node_target(node, 0))->var))
			return false;
	}
	return true;
}

struct reach columns_reach(struct plan *plan, const struct node *node)
{
	struct lowering *host = host_lowering(plan);
	struct cells *domain = domain_of(host, node);
	struct reach r = { .cells = cells_even(domain) || is_boxed(node) ? target_cells(host, node) : NULL };
	for (int d = 0; d < node->index.n; d++) {
		const char *name = node->index.at[d]->name;
		r.lo[d] = cells_range_lo(domain, d, host);
		if (!x_is_int(r.lo[d], 0))
			r.lo[d] = plan_let(plan, str_print("%s_first", name), r.lo[d]);
		struct kx *size = plan_range(plan, r.lo[d], cells_range_hi(domain, d, host));
		r.size[d] = plan_let(plan, str_print("%s_cells", name), size);
		if (d != node->running->axis)
			r.columns = r.columns ? x_mul(r.columns, r.size[d]) : r.size[d];
	}
	r.columns = r.columns ? plan_let(plan, "columns", r.columns) : x_i64(1);
	r.length = r.size[node->running->axis];
	struct kx *some = x_and(x_lt(x_i64(0), r.columns), x_lt(x_i64(0), r.length));
	cut_check(plan, node, some, NULL);
	r.cuts = column_cuts(plan, node, some);
	return r;
}

/* ---- what is held ---- */

int columns_width(const struct node *node)
{
	if (!cells_even(domain_of(NULL, node)) || node->running->axis == node->index.n - 1)
		return 1;
	int width = cells_vector(node);
	return width < MOST_WIDTH ? width : MOST_WIDTH;
}

/* Of the node's indices, which subscript a is; -1: none, or not always inside. */
static int index_at(const struct node *node, const struct expr *read, int a)
{
	for (int d = 0; d < node->index.n; d++)
		if (read->arg.at[a]->kind == E_VAR && read->arg.at[a]->var == node->index.at[d])
			return cells_index_inside(node, d, &read->var->extent[a]) ? d : -1;
	return -1;
}

/* Of the cell's own place; of a vector of columns, consecutive cells. */
static bool is_held(const struct columns *c, const struct expr *read)
{
	bool runs = false, vector = c->width == 1;
	if (read->checked || type_words(read->type) > 8)
		return false;
	for (int a = 0; a < read->var->rank; a++) {
		int d = index_at(c->node, read, a);
		if (d < 0 || (c->width > 1 && d == c->last && a < read->var->rank - 1))
			return false;
		runs |= d == c->axis;
		vector |= d == c->last;
	}
	return runs && vector && (c->width == 1 || is_abreast(read->var, c->width));
}

static struct kvar *held_cell(const struct columns *c, const struct expr *read)
{
	for (int h = 0; h < c->held.n; h++)
		if (access_same(c->held.at[h].read, read))
			return c->held.at[h].cell;
	return NULL;
}

static bool find_held(struct expr *e, void *state)
{
	struct columns *c = state;
	for (int h = 0; e->kind == E_READ && h < c->held.n; h++)
		if (access_same(c->held.at[h].read, e))
			return true;
	if (e->kind == E_READ && is_held(c, e))
		list_add(&c->held, ((struct held){ e, NULL }));
	return true;
}

/* Consecutive cells of a thread's columns may be stored as a vector. */
static bool is_out(const struct columns *c, const struct expr *target)
{
	if (c->width == 1 || target->kind != E_READ || !is_held(c, target) || node_checked(c->node))
		return false;
	for (int q = 0, seen = 0; q < c->node->equation.n; q++)
		for (int t = 0; t < c->node->equation.at[q]->target.n; t++)
			if (target_read(c->node->equation.at[q]->target.at[t])->var == target->var && seen++)
				return false;                /* the order of stores to it matters */
	return true;
}

/* Positions at hand: as many as leave a thread enough registers. */
static int choose_rows(const struct columns *c)
{
	int64_t words = 0;
	for (int h = 0; h < c->held.n; h++)
		words += type_words(c->held.at[h].read->type);
	words = words ? words * c->width : c->width;
	int64_t rows = DATA_WORDS / words;
	return (int)(rows > MOST_ROWS ? MOST_ROWS : rows < 1 ? 1 : rows);
}

static void declare_held(struct columns *c)
{
	for (int h = 0; h < c->held.n; h++) {
		const struct expr *read = c->held.at[h].read;
		const char *name = str_print("%s_held", read->var->name);
		c->held.at[h].cell = k_regs(c->l->k, read->type, name, (int64_t)c->rows * c->width);
	}
	for (int t = 0; node_target(c->node, t); t++) {
		const struct expr *target = node_target(c->node, t);
		struct kvar *out = NULL;
		if (is_out(c, target))
			out = k_regs(c->l->k, target->type, str_print("%s_next", target->var->name), (int64_t)c->rows * c->width);
		list_add(&c->out, out);
	}
}

static struct kx *slot_at(const struct columns *c, struct kvar *regs)
{
	return x_at(x_var(regs), x_add(x_mul(c->r, x_i32(c->width)), c->c));
}

static struct kx *columns_read(struct lowering *l, const struct expr *read)
{
	const struct columns *c = l->state;
	struct kvar *cell = c->holds ? held_cell(c, read) : NULL;
	return cell ? slot_at(c, cell) : lower_cell(l, read);
}

/* ---- opening ---- */

static void domain_arguments(struct columns *c)
{
	bool first = true;
	for (int d = 0; d < c->node->index.n; d++) {
		const char *name = c->node->index.at[d]->name;
		struct kx *lo = c->reach->lo[d];
		c->lo[d] = x_is_int(lo, 0) ? lo : lower_argument(c->l, str_print("%s_first", name), kt_scalar(T_I64), lo);
		if (d == c->axis || !first)
			c->size[d] = lower_argument(c->l, str_print("%s_cells", name), kt_scalar(T_I64), c->reach->size[d]);
		first = first && d == c->axis;
	}
	c->columns = x_is_int(c->reach->columns, 1) ? c->reach->columns
	             : lower_argument(c->l, "columns", kt_scalar(T_I64), c->reach->columns);
	if (c->reach->cuts)
		c->cuts = lower_argument(c->l, "cuts", kt_pointer(type_scalar(T_U8), true), c->reach->cuts);
}

/* Segments below a length of 1 are recorded (cut_check), and nothing runs. */
static void check_length(struct columns *c)
{
	const struct expr *length = c->running->length;
	if (!length || length->kind == E_CONST)
		return;
	k_if(c->l->k, x_lt(lower_index(c->l, length), x_i64(1)));
	k_return(c->l->k, NULL);
	k_end(c->l->k);
}

bool columns_fit(const struct target *target, const struct carry *carry, int width)
{
	struct accumulators kinds = carry_kinds(carry);
	int64_t words = 0, bytes = 0;
	for (int a = 0; a < kinds.n; a++) {
		words += type_words(kinds.at[a].type);
		bytes += type_size(kinds.at[a].type);
	}
	/* twice each thread's totals; two flags; the number of the tile */
	return (width == 1 || width * words <= TOTAL_WORDS)
	       && target->block * (2 * width * bytes + 2) + 8 * (2 * kinds.n + 1) <= target->shared_bytes;
}

struct columns *columns_open(struct plan *plan, const struct node *node, const struct reach *reach, const char *suffix, int width)
{
	struct columns *c = NEW(struct columns);
	struct lowering *l = lowering_new(plan, str_print("%s%s", node->name, suffix));
	*c = (struct columns){ .l = l, .node = node, .running = node->running, .reach = reach, .domain = domain_of(l, node),
	                       .axis = node->running->axis, .last = node->index.n - 1, .width = width, .c = x_i32(0) };
	lowering_writes(l, node);
	l->read = columns_read;
	l->state = c;
	c->carry = carry_open(l, node);
	while (c->width > 1 && !columns_fit(l->target, c->carry, c->width))
		c->width /= 2;
	domain_arguments(c);
	block_launch_bounds(l);
	l->k->min_blocks = 1;                    /* as in cells_gpu.c, against spills */
	check_length(c);
	for (int q = 0; q < node->equation.n; q++)
		equation_walk(node->equation.at[q], find_held, c);
	c->rows = choose_rows(c);
	return c;
}

/* ---- a thread's columns ---- */

static void bind(struct columns *c, int d, struct kx *index)
{
	cells_bind(c->domain, d, index);
}

/* Its indices, from its number. */
static void bind_column(struct columns *c, struct kx *column)
{
	struct kernel *k = c->l->k;
	struct kx *rest = column;
	for (int d = c->last; d >= 0; d--) {
		const char *name = c->node->index.at[d]->name;
		if (d == c->axis)
			continue;
		struct kx *at = x_var(k_let(k, name, x_add(c->lo[d], c->size[d] ? x_rem(rest, c->size[d]) : rest)));
		bind(c, d, at);
		c->at_last = d == c->last ? at : c->at_last;
		if (c->size[d])
			rest = x_var(k_let(k, "rest", x_div(rest, c->size[d])));
	}
}

/* Where other indices bound the axis, or device scalars do, every column has a range of its own. */
static void own_range(struct columns *c, struct kx *live)
{
	struct kernel *k = c->l->k;
	struct kx *begin = x_var(k_var(k, kt_scalar(T_I64), "begin", x_i64(0)));
	struct kx *length = x_var(k_var(k, kt_scalar(T_I64), "length", x_i64(0)));
	k_if(k, live);
	k_set(k, begin, lower_index(c->l, c->node->lo.at[c->axis]));
	k_set(k, length, x_sub(lower_index(c->l, c->node->hi.at[c->axis]), begin));
	/* the axis itself is inside, unless that is empty; the others are asked */
	bind(c, c->axis, begin);
	struct kx *guard = cells_guard(c->domain);
	k_if(k, x_unary(OP_NOT, guard));
	k_set(k, length, x_i64(0));
	k_end(k);
	k_end(k);
	c->begin = begin;
	c->length = length;
}

struct kx *columns_live(const struct columns *c)
{
	return x_lt(c->column, c->columns);
}

void columns_place(struct columns *c, struct kx *column)
{
	c->column = x_var(k_let(c->l->k, "column", column));
	bind_column(c, c->column);
	declare_held(c);
	if (cells_even(c->domain)) {
		c->begin = c->lo[c->axis];
		c->length = x_var(k_let(c->l->k, "length", x_cond(columns_live(c), c->size[c->axis], x_i64(0))));
	} else {
		own_range(c, columns_live(c));
	}
}

/* ---- the positions at hand ---- */

bool columns_marked(const struct columns *c)
{
	return c->running->segment != SEGMENT_NONE || carry_marks(c->carry);
}

static struct kx *position(const struct columns *c)
{
	return x_add(c->first, x_to_i64(c->r));
}

/* Opens the loop over the positions at hand that there are; the place of the axis is bound. */
static void open_positions(struct columns *c)
{
	struct kernel *k = c->l->k;
	c->r = x_var(k_for(k, "r", x_i32(0), x_i32(c->rows), x_i32(1), FOR_UNROLL));
	k_if(k, x_lt(c->r, c->count));
	struct kx *end = x_add(c->begin, x_sub(c->length, x_i64(1)));
	struct kx *at = c->running->from_right ? x_sub(end, position(c)) : x_add(c->begin, position(c));
	bind(c, c->axis, x_var(k_let(k, c->node->index.at[c->axis]->name, at)));
}

static void close_positions(struct columns *c)
{
	k_end(c->l->k);
	k_end(c->l->k);
	c->r = NULL;
}

static void load_held(struct columns *c)
{
	struct kernel *k = c->l->k;
	if (!c->held.n)
		return;
	c->holds = false;
	open_positions(c);
	for (int h = 0; h < c->held.n; h++) {
		const struct held *held = &c->held.at[h];
		struct kx *cell = lower_cell(c->l, held->read);
		if (c->width == 1) {
			k_set(k, slot_at(c, held->cell), cell);
			continue;
		}
		struct kx *vector = x_vload(x_offset(cell->arg[0], cell->arg[1]), c->width);
		vector = x_var(k_let(k, str_print("%s%d", held->read->var->name, c->width), vector));
		c->c = x_var(k_for(k, "c", x_i32(0), x_i32(c->width), x_i32(1), FOR_UNROLL));
		k_set(k, slot_at(c, held->cell), x_lane_at(vector, c->c));
		k_end(k);
		c->c = x_i32(0);
	}
	close_positions(c);
	c->holds = true;
}

static struct kx *bit(struct kx *is, struct kx *place)
{
	return x_op(OP_SHL, x_cast(kt_scalar(T_U32), is), place);
}

static void add_bit(struct columns *c, struct kvar *set, struct kx *is)
{
	k_set(c->l->k, x_var(set), x_op(OP_OR, x_var(set), bit(is, c->r)));
}

static struct kx *has_bit(const struct columns *c, const struct kvar *set)
{
	struct kx *shifted = x_op(OP_SHR, x_var((struct kvar *)set), c->r);
	return x_ne(x_op(OP_AND, shifted, x_int(T_U32, 1)), x_int(T_U32, 0));
}

/* Which positions at hand begin sequences, and are in one at all. */
static void find_heads(struct columns *c)
{
	struct kernel *k = c->l->k;
	if (c->running->segment == SEGMENT_NONE)
		return;
	c->heads = k_var(k, kt_scalar(T_U32), "heads", x_int(T_U32, 0));
	if (c->cuts)
		c->inside = k_var(k, kt_scalar(T_U32), "inside", x_int(T_U32, 0));
	open_positions(c);
	struct kx *at = c->domain->index[c->axis];
	if (c->cuts) {
		struct kx *what = x_var(k_let(k, "what", x_cast(kt_scalar(T_U32), x_at(c->cuts, at))));
		struct kx *head = x_op(OP_SHR, what, x_i32(1)), *in = x_op(OP_AND, what, x_int(T_U32, CUT_INSIDE));
		k_set(k, x_var(c->heads), x_op(OP_OR, x_var(c->heads), x_op(OP_SHL, head, c->r)));
		k_set(k, x_var(c->inside), x_op(OP_OR, x_var(c->inside), x_op(OP_SHL, in, c->r)));
	} else {
		struct kx *end = x_add(c->begin, c->length);
		add_bit(c, c->heads, cut_head(c->l, c->node, at, c->begin, end));
	}
	close_positions(c);
}

void columns_take(struct columns *c, struct kx *first)
{
	struct kernel *k = c->l->k;
	c->first = x_var(k_let(k, "first", first));
	struct kx *count = x_max(x_min(x_sub(c->length, c->first), x_i64(c->rows)), x_i64(0));
	c->count = x_var(k_let(k, "count", x_to_i32(count)));
	load_held(c);
	find_heads(c);
}

/* ---- cells ---- */

void columns_each(struct columns *c)
{
	struct kernel *k = c->l->k;
	if (c->width == 1)
		return;
	c->c = x_var(k_for(k, "c", x_i32(0), x_i32(c->width), x_i32(1), FOR_UNROLL));
	bind(c, c->last, x_var(k_let(k, c->node->index.at[c->last]->name, x_add(c->at_last, x_to_i64(c->c)))));
}

void columns_each_end(struct columns *c)
{
	if (c->width == 1)
		return;
	k_end(c->l->k);
	c->c = x_i32(0);
	bind(c, c->last, c->at_last);
}

struct kx *columns_cell(struct columns *c)
{
	open_positions(c);
	if (c->inside)
		k_if(c->l->k, has_bit(c, c->inside));
	if (c->heads)
		return has_bit(c, c->heads);
	return carry_marks(c->carry) ? x_eq(position(c), x_i64(0)) : NULL;
}

void columns_cell_end(struct columns *c)
{
	if (c->inside)
		k_end(c->l->k);
	close_positions(c);
}

void columns_store(void *state, const struct equation *eq, struct kx *value)
{
	struct columns *c = state;
	for (int t = 0; t < eq->target.n; t++) {
		const struct expr *target = eq->target.at[t];
		struct kvar *out = NULL;
		for (int n = 0; c->width > 1 && node_target(c->node, n); n++)
			out = node_target(c->node, n) == target ? c->out.at[n] : out;
		if (out)
			k_set(c->l->k, slot_at(c, out), lower_result(eq, t, value));
		else
			lower_store(c->l, target, lower_result(eq, t, value));
	}
}

static void flush_vector(struct columns *c, const struct expr *target, struct kvar *out)
{
	struct kernel *k = c->l->k;
	struct kx *vector = x_var(k_var(k, kt_vector(target->type, c->width), str_print("%s%d", target->var->name, c->width), NULL));
	c->c = x_var(k_for(k, "c", x_i32(0), x_i32(c->width), x_i32(1), FOR_UNROLL));
	k_set(k, x_lane_at(vector, c->c), slot_at(c, out));
	k_end(k);
	c->c = x_i32(0);
	struct kx *cell = lower_cell(c->l, target);
	k_vstore(k, x_offset(cell->arg[0], cell->arg[1]), vector);
}

void columns_flush(struct columns *c)
{
	bool some = false;
	for (int t = 0; t < c->out.n; t++)
		some |= c->out.at[t] != NULL;
	if (!some)
		return;
	columns_cell(c);
	for (int t = 0; t < c->out.n; t++)
		if (c->out.at[t])
			flush_vector(c, node_target(c->node, t), c->out.at[t]);
	columns_cell_end(c);
}
