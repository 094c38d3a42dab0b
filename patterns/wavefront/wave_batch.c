/* wave_batch.c - many small problems at once (batch.kernel): some lanes have a problem, all its
 * rows in registers.
 *
 * A problem is the rows and columns at some indices of the axes along which nothing waits.  Nothing
 * is handed on through memory.  Lanes after the last row compute it again and store nothing.  A
 * block is a warp, so problems may be of any lengths.  What cells read of other arrays comes from
 * registers and from lane to lane: wave_batch_reads.c.
 *
 * Where rows do not fit into a group of all lanes, or there are too few problems for that many
 * warps, the host launches strips instead.  Where all values fit 16 bits, two cells share a
 * word: wave_pack.c. */
#include "wave_batch.h"

enum {
	MOST_ROWS = 8,                       /* of a lane */
	VALUE_WORDS = 32,                    /* registers for the values it keeps */
	FEW_LANES = 8                        /* of the smaller group */
};

/* ---- what can be so ---- */

static bool is_near(const struct node *node, const struct neighbour *n)
{
	struct step s = step_of(node, n);
	return n->fresh && s.here && s.row <= 0 && s.row >= -1 && s.column <= 0 && s.column >= -1;
}

static const char *no_table(const struct node *node, int q)
{
	const struct expr *table = wave_table(node, q);
	if (table->type->kind == T_STRUCT || var_home(table->var))
		return "its cells are structs";
	return table->checked ? "its range may leave the tables" : NULL;
}

static const char *no_neighbour(const struct node *node, const struct neighbour *n)
{
	if (!is_near(node, n))
		return "its cells read farther than the previous row and column, or old values";
	return n->outside && expr_has(n->outside, E_READ) ? "its boundary reads an array" : NULL;
}

static int64_t words_kept(const struct node *node)
{
	int64_t words = 0;
	for (int q = 0; q < node->equation.n; q++)
		words += type_words(wave_table(node, q)->type);
	return words;
}

const char *no_batch(const struct node *node, const struct target *target)
{
	const char *why = NULL;
	if (!target->gpu)
		return "a CPU has no warps";
	for (int d = 0; d < node->index.n - 2; d++)
		if (axis_waits(node, d))
			return "its problems are not independent";
	if (node->index.n < 3)
		return "it is a single problem";
	if (!axes_even(node))
		return "an index bounds another";
	if (node->where || node_skips(node))
		return "cells may keep their values";
	for (int q = 0; q < node->equation.n && !why; q++)
		why = no_table(node, q);
	for (int r = 0; r < node->wave->read.n && !why; r++)
		why = no_neighbour(node, node->wave->read.at[r]);
	return why ? why
	       : words_kept(node) > VALUE_WORDS
	               ? "a lane does not have enough registers for its cells"
	               : NULL;
}

struct kx *batch_get(const struct batch *b, const char *name)
{
	return k_get(b->axes.l->k, name);
}

/* ---- how many rows, which reads ---- */

/* What nobody else reads has no memory, and its cells are looked back at in registers. */
static bool is_stored(const struct batch *b, int q)
{
	return !wave_table(b->axes.node, q)->var->on_chip;
}

/* Columns of a piece: as many as memory gives at once, but no more than a group has lanes. */
static int piece_columns(const struct batch *b, int q)
{
	int columns = (int)(b->axes.plan->target->piece / type_size(b->table[q].type));
	return columns < b->group ? columns : b->group;
}

static int64_t shared_bytes(const struct batch *b, int rows)
{
	int64_t bytes = 0;
	for (int q = 0; q < b->axes.node->equation.n; q++)
		bytes += is_stored(b, q) ? type_size(b->table[q].type) * piece_columns(b, q) * rows
		                                   * b->lanes
		                         : 0;
	return bytes;
}

static void measure_rows(struct batch *b, const struct target *target)
{
	b->rows = MOST_ROWS;
	while (b->rows > 1
	       && (b->rows * words_kept(b->axes.node) > VALUE_WORDS
	           || shared_bytes(b, b->rows) > target->shared_bytes))
		b->rows /= 2;
}

static void measure_tables(struct batch *b)
{
	const struct node *node = b->axes.node;
	b->table = mem_new((size_t)node->equation.n * sizeof *b->table);
	for (int q = 0; q < node->equation.n; q++)
		b->table[q].type = wave_table(node, q)->type;
	for (int r = 0; r < node->wave->read.n; r++) {
		struct step s = step_of(node, node->wave->read.at[r]);
		struct batch_table *t = &b->table[node->wave->read.at[r]->equation];
		t->looks_left |= s.column < 0;
		t->looks_up |= s.row < 0;
		t->looks_across |= s.row < 0 && s.column < 0;
	}
}

/* ---- beside the domain ---- */

/* Does the domain begin along axis d where the table of equation q does, so that nothing before
 * it is in the table? */
static bool begins_with(const struct node *node, int d, int q)
{
	int k = node->wave->order[d];
	const struct expr *cell = wave_table(node, q);
	int a = wave_subscript(node, cell, k);
	struct affine end;
	if (axis_reads_cut(node, d))
		return false;
	struct affine first = affine_constant(-cell->affine[a].constant),
		      last = cell->var->extent[a];
	if (!node->wave->back[k])
		return affine_of(node->lo.at[k], &end) && affine_equal(&end, &first);
	return affine_of(node->hi.at[k], &end) && affine_add(&last, &first, 1)
	       && affine_equal(&end, &last);
}

struct kx *batch_outside(struct batch *b, int q)
{
	const struct wavefront *w = b->axes.node->wave;
	for (int r = 0; r < w->read.n; r++)
		if (w->read.at[r]->equation == q && w->read.at[r]->outside)
			return lower_expr(b->axes.l, w->read.at[r]->outside);
	return lower_zero(b->table[q].type);
}

struct kx *batch_row(const struct batch *b, struct kx *r)
{
	return k_value(b->axes.l->k, "lane_row", r);
}

struct kx *batch_open_rows(struct batch *b)
{
	return x_var(k_for(b->axes.l->k, "r", x_i32(0), x_i32(b->rows), x_i32(1), FOR_UNROLL));
}

struct kx *batch_shuffled(struct batch *b, const struct type *type, struct kx *value,
                          const char *how, struct kx *by)
{
	struct accumulator one = { .of = type, .type = type };
	return accumulator_shuffle(b->axes.l, &one, value, how, by);
}

/* ---- a column of a lane ---- */

struct kx *batch_neighbour(const struct batch *b, const struct neighbour *n)
{
	const struct batch_table *t = &b->table[n->equation];
	struct step s = step_of(b->axes.node, n);
	if (s.row == 0)
		return s.column == 0 ? x_var(t->value) : x_at(x_var(t->left), batch_get(b, "r"));
	return x_var(s.column == 0 ? t->above : t->diagonal);
}

static struct kx *read_born(struct lowering *l, const struct expr *e)
{
	const struct batch *b = l->now.state;
	int q = births_table(&b->axes, e);
	return q < 0 ? batch_read(l, e) : x_var(b->table[q].value);
}

static void fold_cell(struct batch *b)
{
	struct lowering *l = b->axes.l;
	struct lower_context before = l->now;
	l->now.read = read_born;
	l->now.state = b;
	births_cell(&b->axes);
	l->now = before;
}

static void compute_cell(struct batch *b)
{
	const struct node *node = b->axes.node;
	struct lowering *l = b->axes.l;
	for (int q = 0; q < node->equation.n; q++)
		b->table[q].value = k_var(l->k, kt(b->table[q].type),
		                          wave_table(node, q)->var->name, NULL);
	for (int r = 0; r < node->wave->read.n; r++)
		lower_bind(l, node->wave->read.at[r]->value,
		           batch_neighbour(b, node->wave->read.at[r]));
	struct lower_context before = l->now;
	l->now.read = batch_read;
	l->now.state = b;
	for (int q = 0; q < node->equation.n; q++)
		k_set(l->k, x_var(b->table[q].value),
		      lower_result(node->equation.at[q], 0,
		                   lower_expr(l, node->equation.at[q]->right)));
	l->now = before;
}

/* ---- what the texts know of a table ---- */

/* Note [sectors]
 * Each row of the problem has a sector's cells in shared memory, which its lane fills column by
 * column.  Lanes are a column apart, so in each step one lane of so many neighbours completes its
 * sectors, and all of them store those: a row a time, neighbouring lanes neighbouring cells.
 *
 * Lanes lie side by side as their columns pass by: the lanes of a step and the cells of a sector
 * both are in different banks (twice the lane plus the column, in each group of neighbours). */
static void bind_registers(struct batch *b, const struct batch_table *t)
{
	const struct { const char *name; struct kvar *var; } at[]
			= { { "left", t->left }, { "last", t->last }, { "corner", t->corner },
		{ "above", t->above }, { "diagonal", t->diagonal }, { "value", t->value },
				{ "out", t->out } };
	for (int i = 0; i < (int)(sizeof at / sizeof *at); i++)
		if (at[i].var)
			k_bind(b->axes.l->k, at[i].name, at[i].var);
}

static void bind_table(struct batch *b, int q)
{
	const struct batch_table *t = &b->table[q];
	const struct node *node = b->axes.node;
	struct kernel *k = b->axes.l->k;
	b->cell = wave_table(node, q);
	b->type = t->type;
	k_numbers(k, "TABLE, LEFT, UP, ACROSS, STORED, PIECE", q, t->looks_left, t->looks_up,
	          t->looks_across, is_stored(b, q), piece_columns(b, q));
	k_bind(k, "BARE_ABOVE", begins_with(node, node->index.n - 2, q));
	k_bind(k, "BARE_LEFT", begins_with(node, node->index.n - 1, q));
	bind_registers(b, t);
}

static void table_text(struct batch *b, int q, const char *text)
{
	struct kernel *k = b->axes.l->k;
	int names = k_names(k);
	bind_table(b, q);
	k_text(k, text);
	k_forget(k, names);
}

void batch_tables(struct batch *b, const char *text)
{
	for (int q = 0; q < b->axes.node->equation.n; q++)
		table_text(b, q, text);
}

static void store_pieces(struct batch *b)
{
	for (int q = 0; q < b->axes.node->equation.n; q++)
		if (is_stored(b, q))
			table_text(b, q, "store_piece_of_rows");
}

/* ---- a problem ---- */

static void tables_open(struct batch *b)
{
	struct kernel *k = b->axes.l->k;
	for (int q = 0; q < b->axes.node->equation.n; q++) {
		struct batch_table *t = &b->table[q];
		const char *name = wave_table(b->axes.node, q)->var->name;
		struct kx *zero = lower_zero(t->type);
		if (t->looks_left)
			t->left = k_regs(k, t->type, str_print("%s_left", name), b->rows);
		if (t->looks_up) {
			t->above = k_var(k, kt(t->type), str_print("%s_above", name), zero);
			t->last = k_var(k, kt(t->type), str_print("%s_last", name), zero);
		}
		if (t->looks_across) {
			t->diagonal = k_var(k, kt(t->type), str_print("%s_diagonal", name), zero);
			t->corner = k_var(k, kt(t->type), str_print("%s_corner", name), zero);
		}
		if (is_stored(b, q))
			t->out = k_shared(k, t->type, str_print("%s_rows", name),
			                  (int64_t)b->lanes * piece_columns(b, q) * b->rows);
		if (t->looks_left)
			table_text(b, q, "clear_left");
	}
}

/* Of the problems of a warp. */
struct kx *batch_longest(struct batch *b)
{
	struct kernel *k = b->axes.l->k;
	const struct type *type = type_scalar(T_I64);
	if (b->group == b->lanes)
		return batch_get(b, "all_columns");
	struct kvar *most = k_var(k, kt(type), "longest", batch_get(b, "all_columns"));
	for (int by = b->group; by < b->lanes; by *= 2)
		k_set(k, x_var(most),
		      x_max(x_var(most),
		            batch_shuffled(b, type, x_var(most), "",
		                           x_op(OP_XOR, batch_get(b, "lane"), x_i32(by)))));
	return x_var(most);
}

/* Until the last lane has computed its last column, or stored its last pieces: a multiple of
 * these. */
static int whole_steps(const struct batch *b)
{
	int piece = 1;
	for (int q = 0; q < b->axes.node->equation.n; q++)
		piece = is_stored(b, q) && piece_columns(b, q) > piece ? piece_columns(b, q)
		                                                       : piece;
	return piece;
}

void batch_bind_problem(struct batch *b, struct kx *problem, struct kx *some)
{
	struct axes *a = &b->axes;
	struct kernel *k = a->l->k;
	axes_bind_outer(a, problem);
	k_bind(k, "all_rows", axes_rows(a));
	bool always = some->kind == KX_INT;
	if (axis_own(a->node, a->n - 2))
		some = x_and(always ? NULL : some, x_lt(x_i64(0), batch_get(b, "all_rows")));
	else if (always)
		some = NULL;
	struct kx *columns = axes_columns(a);
	k_bind(k, "all_columns",
	       some ? x_var(k_let(k, "own_columns", x_cond(some, columns, x_i64(0)))) : columns);
}

void batch_fold_groups(struct batch *b)
{
	const struct births *births = b->axes.births;
	warp_fold_groups(b->axes.l, &births->acc, births->each ? b->group : b->lanes);
}

struct kx *batch_units(const struct batch *b)
{
	return x_div_up(b->axes.host_problems, x_i64(b->lanes / b->group));
}

void batch_bind(struct batch *b)
{
	struct axes *a = &b->axes;
	struct kernel *k = a->l->k;
	k_bind(k, "lane", block_thread(a->l));
	k_bind(k, "member", block_thread(a->l));
	k_bind(k, "units", axes_argument(a, "units", batch_units(b)));
	if (b->group < b->lanes)
		k_bind(k, "problems", axes_argument(a, "problems", a->host_problems));
	k_numbers(k, "GROUP, ROWS, WHOLE, STORES, PAIRS", b->group, b->rows, whole_steps(b),
	          shared_bytes(b, b->rows) > 0, b->packed);
	k_numbers(k, "BIRTHS, FOLDS", a->births != NULL, births_fold(a));
	k_numbers(k, "EACH, FINAL", a->births && a->births->each, births_final(a));
}

/* The functions that the texts call: the name in the text, and the C function. */
#define CALLS(DO, GET) \
	DO(bind_problem, batch_bind_problem(s, arg[0], arg[1])) \
	DO(bind_row, axis_bind(&s->axes, s->axes.n - 2, arg[0])) \
	DO(bind_column, axis_bind(&s->axes, s->axes.n - 1, arg[0])) \
	DO(open_tables, tables_open(s)) \
	DO(begin_reads, batch_begin_reads(s)) \
	DO(step_reads, batch_step_reads(s)) \
	DO(shift_above, batch_tables(s, "shift_table")) \
	DO(edges_above, batch_tables(s, "edge_above")) \
	DO(edges_left, batch_tables(s, "edge_left")) \
	DO(begin_columns, batch_tables(s, "begin_column")) \
	DO(end_columns, batch_tables(s, "end_column")) \
	DO(keep_cells, batch_tables(s, "keep_cell")) \
	DO(compute_cell, compute_cell(s)) \
	DO(fold_cell, fold_cell(s)) \
	DO(store_pieces, store_pieces(s)) \
	DO(start_births, births_start(&s->axes)) \
	DO(fold_groups, batch_fold_groups(s)) \
	DO(finish_births, births_finish(&s->axes)) \
	DO(store_births, births_store(&s->axes, arg[0], NULL)) \
	GET(longest, batch_longest(s)) \
	GET(from_above, batch_shuffled(s, s->type, arg[0], "up_", x_i32(1))) \
	GET(outside, batch_outside(s, (int)batch_get(s, "TABLE")->i)) \
	GET(cell, lower_cell(l, s->cell)) \
	GET(cell_inside, wave_inside(l, s->axes.node, s->cell)) \
	GET(zero, lower_zero(s->type))

#define HOLE_DO(name, call) KTEXT_CALL(struct batch, s, name, call; return NULL;)
#define HOLE_GET(name, value) KTEXT_CALL(struct batch, s, name, return value;)

CALLS(HOLE_DO, HOLE_GET)

static void kernel(struct batch *b)
{
	struct axes *a = &b->axes;
	struct lowering *l = a->l = lowering_new(a->plan,
	                                         b->group < b->lanes
	                                                 ? str_print("%s_small", a->node->name)
	                                                 : a->node->name);
	struct kernel *k = l->k;
	k->note = "Problems of a few lanes each, all rows in registers.";
	k->block[0] = b->lanes;
	k->block[1] = k->block[2] = 1;
	k->min_blocks = 1;
	if (births_final(a))
		births_written(a);
	lowering_writes(l, a->node);
	batch_bind(b);
	k_bind_calls(k, b, CALLS(KTEXT_ROW, KTEXT_ROW));
	k_text(k, "batch");
	struct kx *blocks = x_min(batch_units(b), x_i64(l->target->turn_blocks));
	lowering_launch(l, blocks, x_i64(1), x_i64(1));
}

/* ---- the host ---- */

void batch_run(struct batch *b, void (*kernel_of)(struct batch *))
{
	bool final = births_final(&b->axes), each = b->axes.births && b->axes.births->each;
	if (!final)
		births_open(&b->axes, axes_most_problems(&b->axes),
		            each ? b->axes.host_problems : batch_units(b));
	kernel_of(b);
	if (!final)
		births_close(&b->axes);
}

static void grouped(struct batch b, int group, const struct target *target)
{
	b.group = group;
	measure_rows(&b, target);
	batch_find_reads(&b);
	batch_run(&b, kernel);
}

/* Cells of 32 bits, or where all values are small, two of them a word. */
static void sized(const struct batch *b, int group, const struct target *target)
{
	struct batch packed = *b;
	packed.group = group;
	measure_rows(&packed, target);
	if (b->axes.node->choice.pack != 16) {
		grouped(*b, group, target);
		return;
	}
	k_if(b->axes.plan->host, pack_fits(b, (int64_t)group * packed.rows));
	wave_pack(packed);
	k_else(b->axes.plan->host);
	grouped(*b, group, target);
	k_end(b->axes.plan->host);
}

static struct kx *rows_fit(struct batch *b, int group, struct kx *rows)
{
	b->group = group;
	measure_rows(b, b->axes.plan->target);
	return x_le(rows, x_i64((int64_t)group * b->rows));
}

/* Where all rows that the tables have room for fit, only few problems come to strips: the
 * workspace has no room for more. */
static void otherwise(struct batch *b, struct plan *plan, const struct node *node)
{
	const struct axes *a = &b->axes;
	struct kx *fits = rows_fit(b, b->lanes, axis_most(a, a->n - 2)),
		  *all = axes_most_problems(a);
	int few = node->pin.sweep ? 0 : plan->target->full_warps - 1;
	if (no_strips(node, plan->target))
		wave_tiles(plan, node);
	else
		wave_strips(plan, node, x_cond(fits, x_i64(few), all));
}

void wave_batch(struct plan *plan, const struct node *node)
{
	const struct target *target = plan->target;
	struct kernel *host = plan->host;
	struct batch *b = NEW(struct batch);
	axes_open(&b->axes, plan, node);
	b->lanes = target->lanes;
	measure_tables(b);
	struct kx *rows = axis_size(&b->axes, b->axes.n - 2), *fits = rows_fit(b, b->lanes, rows);
	if (!node->pin.sweep)
		fits = x_and(fits, x_le(x_i64(target->full_warps), b->axes.host_problems));
	k_if(host, x_and(fits, axes_some(&b->axes)));
	k_if(host, rows_fit(b, FEW_LANES, rows));
	sized(b, FEW_LANES, target);
	k_else(host);
	sized(b, b->lanes, target);
	k_end(host);
	k_else(host);
	otherwise(b, plan, node);
	k_end(host);
}
