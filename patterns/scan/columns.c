/* columns.c - the columns of a scan: where they are, what a thread holds of them, and their cells
 * in order.
 *
 * Every read of a cell's own place (no offset, nothing permuted) is held in registers for all
 * positions at hand: their loads are issued together, before the first is used, and the second pass
 * over the cells needs no memory. Neighbouring lanes take neighbouring columns, of which a thread
 * takes a vector where rows are whole vectors. Any other read is answered from memory, twice, and
 * mostly by the caches. */
#include <assert.h>
#include "../access.h"
#include "columns.h"
#include "cut.h"

enum {
	DATA_WORDS = 48,           /* registers for what is held and stored: 48 KB a block of 256 */
	TOTAL_WORDS = 24,                        /* and for the totals of a thread's columns */
	MOST_ROWS = 16, MOST_WIDTH = 8
};

/* ---- the domain ---- */

static struct cells *domain_of(struct lowering *l, const struct node *node)
{
	struct cells *c = NEW(struct cells);
	*c = (struct cells){
		.l = l, .node = node, .rank = node->index.n, .column = node->index.n - 1
	};
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

/* Where only a box around the domain is known, it must lie within each target to have no more cells
 * than one. */
static bool is_boxed(const struct node *node)
{
	for (int t = 0; node_target(node, t); t++) {
		const struct expr *target = node_target(node, t),
				  *read = target_read((struct expr *)target);
		if (target->checked || read->checked
		    || !same_shape(read->var, target_read(node_target(node, 0))->var))
			return false;
	}
	return true;
}

struct reach columns_reach(struct plan *plan, const struct node *node)
{
	struct lowering *host = host_lowering(plan);
	struct cells *domain = domain_of(host, node);
	struct reach r = { .cells = cells_even(domain) || is_boxed(node) ? target_cells(host, node)
		                                                         : NULL };
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
			if (target_read(c->node->equation.at[q]->target.at[t])->var == target->var
			    && seen++)
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
			out = k_regs(c->l->k, target->type, str_print("%s_next", target->var->name),
			             (int64_t)c->rows * c->width);
		list_add(&c->out, out);
	}
}

static struct kx *slot_at(const struct columns *c, struct kvar *regs)
{
	return x_at(x_var(regs), x_add(x_mul(c->r, x_i32(c->width)), c->c));
}

static struct kx *columns_read(struct lowering *l, const struct expr *read)
{
	const struct columns *c = l->now.state;
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
		c->lo[d] = x_is_int(lo, 0) ? lo
		                           : lower_argument(c->l, str_print("%s_first", name),
		                                            kt_scalar(T_I64), lo);
		if (d == c->axis || !first)
			c->size[d] = lower_argument(c->l, str_print("%s_cells", name),
			                            kt_scalar(T_I64), c->reach->size[d]);
		first = first && d == c->axis;
	}
	c->columns = x_is_int(c->reach->columns, 1) ? c->reach->columns
	             : lower_argument(c->l, "columns", kt_scalar(T_I64), c->reach->columns);
	if (c->reach->cuts)
		c->cuts = lower_argument(c->l, "cuts", kt_pointer(type_scalar(T_U8), true),
		                         c->reach->cuts);
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
	       && target->block * (2 * width * bytes + 2) + 8 * (2 * kinds.n + 1)
	                  <= target->shared_bytes;
}

struct columns *columns_open(struct plan *plan, const struct node *node, const struct reach *reach,
                             const char *suffix, int width)
{
	struct columns *c = NEW(struct columns);
	struct lowering *l = lowering_new(plan, str_print("%s%s", node->name, suffix));
	*c = (struct columns){ .l = l,
		               .node = node,
		               .running = node->running,
		               .reach = reach,
		               .domain = domain_of(l, node),
		               .axis = node->running->axis,
		               .last = node->index.n - 1,
		               .width = width,
		               .c = x_i32(0) };
	lowering_writes(l, node);
	l->now.read = columns_read;
	l->now.state = c;
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
		struct kx *at = x_var(
			k_let(k, name,
		              x_add(c->lo[d], c->size[d] ? x_rem(rest, c->size[d]) : rest)));
		bind(c, d, at);
		c->at_last = d == c->last ? at : c->at_last;
		if (c->size[d])
			rest = x_var(k_let(k, "rest", x_div(rest, c->size[d])));
	}
}

bool columns_marked(const struct columns *c)
{
	return c->running->segment != SEGMENT_NONE || carry_marks(c->carry);
}

/* ---- for the texts of columns.kernel ---- */

static carry_store columns_store;

KTEXT_HOLE(text_bind_column)
{
	bind_column((struct columns *)state, arg[0]);
	return NULL;
}

KTEXT_HOLE(text_declare_held)
{
	struct columns *c = (struct columns *)state;
	bool vectors = false;
	declare_held(c);
	for (int t = 0; t < c->out.n; t++)
		vectors |= c->out.at[t] != NULL;
	k_bind(l->k, "VECTORS", vectors);
	return NULL;
}

/* Of the axis in the thread's columns. */
KTEXT_HOLE(low)
{
	const struct columns *c = state;
	return lower_index(l, c->node->lo.at[c->axis]);
}

KTEXT_HOLE(high)
{
	const struct columns *c = state;
	return lower_index(l, c->node->hi.at[c->axis]);
}

KTEXT_HOLE(bind_axis)
{
	bind((struct columns *)state, ((const struct columns *)state)->axis, arg[0]);
	return NULL;
}

/* The axis itself is inside, unless that is empty; the others are tested. */
KTEXT_HOLE(guard)
{
	return cells_guard(((const struct columns *)state)->domain);
}

KTEXT_HOLE(bind_position)
{
	struct columns *c = (struct columns *)state;
	c->r = arg[0];
	bind(c, c->axis, arg[1]);
	return NULL;
}

KTEXT_HOLE(is_head)
{
	return cut_head(l, ((const struct columns *)state)->node, arg[0], arg[1], arg[2]);
}

KTEXT_HOLE(load_held)
{
	struct columns *c = (struct columns *)state;
	c->holds = false;
	for (int h = 0; h < c->held.n; h++) {
		const struct held *held = &c->held.at[h];
		struct kx *cell = lower_cell(l, held->read);
		if (c->width == 1) {
			k_set(l->k, slot_at(c, held->cell), cell);
			continue;
		}
		k_bind(l->k, "vector", str_print("%s%d", held->read->var->name, c->width));
		k_text(l->k, "load_columns", x_var(held->cell),
		       x_offset(cell->arg[0], cell->arg[1]), arg[0]);
	}
	c->holds = true;
	return NULL;
}

/* One of the thread's columns is bound; then the first again. */
KTEXT_HOLE(at_column)
{
	struct columns *c = (struct columns *)state;
	c->c = arg[0];
	if (c->width > 1)
		bind(c, c->last,
		     x_var(k_let(l->k, c->node->index.at[c->last]->name,
		                 x_add(c->at_last, x_to_i64(c->c)))));
	return NULL;
}

KTEXT_HOLE(leave_columns)
{
	struct columns *c = (struct columns *)state;
	c->c = x_i32(0);
	if (c->width > 1)
		bind(c, c->last, c->at_last);
	return NULL;
}

KTEXT_HOLE(add_cell)
{
	carry_add(((const struct columns *)state)->carry, &total_of(arg[0])->acc,
	          kx_unless_known(arg[1]));
	return NULL;
}

KTEXT_HOLE(compute_cell)
{
	carry_cell(((const struct columns *)state)->carry, kx_unless_known(arg[0]), columns_store,
	           (void *)state);
	return NULL;
}

KTEXT_HOLE(begin_sequence)
{
	carry_resume(((const struct columns *)state)->carry, NULL);
	return NULL;
}

static void columns_store(void *state, const struct equation *eq, struct kx *value)
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

KTEXT_HOLE(address)
{
	struct kx *cell = lower_cell(l, state);
	return x_offset(cell->arg[0], cell->arg[1]);
}

KTEXT_HOLE(store_out)
{
	const struct columns *c = state;
	for (int t = 0; t < c->out.n; t++) {
		const struct expr *target = node_target(c->node, t);
		if (!c->out.at[t])
			continue;
		k_bind(l->k, "vector", str_print("%s%d", target->var->name, c->width));
		k_bind(l->k, "VECTOR", kt_vector(target->type, c->width));
		k_bind_call(l->k, "address", address, target);
		k_text(l->k, "store_columns", x_var(c->out.at[t]), arg[0]);
	}
	return NULL;
}

void columns_bind(struct columns *c)
{
	struct kernel *k = c->l->k;
	bool cuts = c->cuts != NULL, looks = c->running->segment != SEGMENT_NONE,
	     even = cells_even(c->domain);
	k_numbers(k, "BLOCK, WIDTH, ROWS, CUT_INSIDE", c->l->target->block, c->width, c->rows,
	          CUT_INSIDE);
	k_numbers(k, "EVEN, RIGHT, HOLDS", even, c->running->from_right, c->held.n > 0);
	k_numbers(k, "LOOKS, CUT, MARKS", looks, looks && cuts, carry_marks(c->carry));
	k_bind(k, "columns", c->columns);
	k_bind(k, "begin", c->lo[c->axis]);
	if (even)
		k_bind(k, "size", c->size[c->axis]);
	if (cuts)
		k_bind(k, "cuts", c->cuts);
	k_bind(k, "place", c->node->index.at[c->axis]->name);
	k_bind_calls(k, c, { "bind_column", text_bind_column },
	             { "declare_held", text_declare_held }, { "low", low }, { "high", high },
	             { "bind_axis", bind_axis }, { "guard", guard },
	             { "bind_position", bind_position }, { "is_head", is_head },
	             { "load_held", load_held }, { "at_column", at_column },
	             { "leave_columns", leave_columns }, { "add_cell", add_cell },
	             { "compute_cell", compute_cell }, { "begin_sequence", begin_sequence },
	             { "store_out", store_out });
}
