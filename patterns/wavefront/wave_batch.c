/* wave_batch.c - many small problems at once: a wavefront whose problems are a few lanes' each, all rows in registers.
 *
 * A problem is the rows and columns at some indices of the axes along which nothing waits.  Its group of lanes, a warp
 * or a part of one, has all its rows, ROWS a lane.  In a step a lane computes its rows of one column, and is a column
 * behind the lane above, which sends the value of its last row by a shuffle.  So nothing is handed on through memory,
 * no strip is started in the middle of a problem, and rows that are missing cost the lanes that would have them.
 *
 * A step has one copy: what is asked of columns is one test a step and lane, and lanes behind the last row compute it
 * again and store nothing.  What stands beside the domain is asked for when a lane begins its rows, and by the first
 * lane in each column.  What cells read of other arrays comes from registers and from lane to lane: wave_batch_reads.c.
 *
 * What is computed goes to memory by pieces of rows, a sector each, through shared memory (Note [sectors]).
 *
 * Blocks are a warp, so whoever is done early makes room: problems may be of any lengths.  Where rows do not fit into a
 * group of all lanes, or there are too few problems for that many warps, the host launches strips instead.  Where
 * all values fit 16 bits, two cells share a word: wave_pack.c. */
#include "wave_batch.h"

enum {
	MOST_ROWS = 8,                       /* of a lane */
	VALUE_WORDS = 32,                    /* registers for the values it keeps */
	FEW_LANES = 8,                       /* of the smaller group */
	MANY_PROBLEMS = 1024                 /* fewer keep more lanes busy in strips */
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
		return "its cells look farther than the row above and the column before, or at old values";
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
		return "cells may keep what they held";
	for (int q = 0; q < node->equation.n && !why; q++)
		why = no_table(node, q);
	for (int r = 0; r < node->wave->read.n && !why; r++)
		why = no_neighbour(node, node->wave->read.at[r]);
	return why ? why : words_kept(node) > VALUE_WORDS ? "a lane has not registers enough for its cells" : NULL;
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
		bytes += is_stored(b, q) ? type_size(b->table[q].type) * piece_columns(b, q) * rows * b->lanes : 0;
	return bytes;
}

static void measure_rows(struct batch *b, const struct target *target)
{
	b->rows = MOST_ROWS;
	while (b->rows > 1 && (b->rows * words_kept(b->axes.node) > VALUE_WORDS || shared_bytes(b, b->rows) > target->shared_bytes))
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

/* Does the domain begin along axis d where the table of equation q does, so that nothing before it is in the table? */
static bool begins_with(const struct node *node, int d, int q)
{
	int k = node->wave->order[d];
	const struct expr *cell = wave_table(node, q);
	int a = wave_subscript(node, cell, k);
	struct affine end;
	if (axis_reads_cut(node, d))
		return false;
	struct affine first = affine_constant(-cell->affine[a].constant), last = cell->var->extent[a];
	if (!node->wave->back[k])
		return affine_of(node->lo.at[k], &end) && affine_equal(&end, &first);
	return affine_of(node->hi.at[k], &end) && affine_add(&last, &first, 1) && affine_equal(&end, &last);
}

struct kx *batch_outside(struct batch *b, int q)
{
	const struct wavefront *w = b->axes.node->wave;
	for (int r = 0; r < w->read.n; r++)
		if (w->read.at[r]->equation == q && w->read.at[r]->outside)
			return lower_expr(b->axes.l, w->read.at[r]->outside);
	return lower_zero(b->table[q].type);
}

/* What table q has at a row and column of which one is -1. */
static void edge(struct batch *b, int q, struct kx *to, struct kx *row, struct kx *column, bool outside)
{
	struct axes *a = &b->axes;
	struct kernel *k = a->l->k;
	const struct expr *cell = wave_table(a->node, q);
	axis_bind(a, a->n - 2, row);
	axis_bind(a, a->n - 1, column);
	outside |= !is_stored(b, q);
	if (!outside) {
		k_if(k, wave_inside(a->l, a->node, cell));
		k_set(k, to, lower_cell(a->l, cell));
		k_else(k);
	}
	k_set(k, to, batch_outside(b, q));
	if (!outside)
		k_end(k);
}

/* Row r of the lane, or where that is behind the last one, the last one. */
struct kx *batch_row(const struct batch *b, struct kx *r)
{
	return x_min(x_add(b->first_row, x_to_i64(r)), x_sub(b->all_rows, x_i64(1)));
}

struct kx *batch_open_rows(struct batch *b)
{
	return x_var(k_for(b->axes.l->k, "r", x_i32(0), x_i32(b->rows), x_i32(1), FOR_UNROLL));
}

/* Above the first row, in each column. */
static void edges_above(struct batch *b)
{
	const struct node *node = b->axes.node;
	k_if(b->axes.l->k, x_eq(b->member, x_i32(0)));
	for (int q = 0; q < node->equation.n; q++)
		if (b->table[q].looks_up)
			edge(b, q, x_var(b->table[q].above), x_i64(-1), b->column, begins_with(node, node->index.n - 2, q));
	k_end(b->axes.l->k);
}

/* Before the first column. */
static void edges_left(struct batch *b)
{
	const struct node *node = b->axes.node;
	struct kernel *k = b->axes.l->k;
	int n = node->index.n;
	k_if(k, x_eq(b->column, x_i64(0)));
	for (int q = 0; q < node->equation.n; q++) {
		struct batch_table *t = &b->table[q];
		if (!t->looks_left)
			continue;
		struct kx *r = batch_open_rows(b);
		edge(b, q, x_at(x_var(t->left), r), batch_row(b, r), x_i64(-1), begins_with(node, n - 1, q));
		k_end(k);
		if (t->looks_across)
			edge(b, q, x_var(t->corner), x_sub(x_min(b->first_row, b->all_rows), x_i64(1)), x_i64(-1), begins_with(node, n - 1, q));
	}
	k_end(k);
}

struct kx *batch_shuffled(struct batch *b, const struct type *type, struct kx *value, const char *how, struct kx *by)
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
		return s.column == 0 ? x_var(t->value) : x_at(x_var(t->left), b->r);
	return x_var(s.column == 0 ? t->above : t->diagonal);
}

/* Note [sectors]
 * Each row of the problem has a sector's cells in shared memory, which its lane fills column by column.  Lanes are a
 * column apart, so in each step one lane of so many neighbours completes its sectors, and all of them store those: a
 * row a time, neighbouring lanes neighbouring cells.
 *
 * Lanes lie side by side as their columns pass by: the lanes of a step and the cells of a sector both are in different
 * banks (twice the lane plus the column, in each group of neighbours). */
static struct kx *out_place(const struct batch *b, int q, struct kx *r, struct kx *lane, struct kx *column)
{
	int piece = piece_columns(b, q);
	struct kx *among = x_op(OP_AND, lane, x_i32(piece - 1)), *others = x_sub(lane, among);
	struct kx *turned = x_op(OP_AND, x_add(x_mul(lane, x_i32(2)), column), x_i32(piece - 1));
	struct kx *place = x_add(x_mul(among, x_i32(b->lanes)), x_add(others, turned));
	return x_add(x_mul(r, x_i32(b->lanes * piece)), place);
}

void batch_keep(struct batch *b)
{
	struct kernel *k = b->axes.l->k;
	for (int q = 0; q < b->axes.node->equation.n; q++) {
		struct batch_table *t = &b->table[q];
		if (t->looks_across)
			k_set(k, x_var(t->diagonal), x_at(x_var(t->left), b->r));
		if (t->looks_left)
			k_set(k, x_at(x_var(t->left), b->r), x_var(t->value));
		if (t->looks_up)
			k_set(k, x_var(t->above), x_var(t->value));
		if (is_stored(b, q))
			k_set(k, x_at(x_var(t->out), out_place(b, q, b->r, b->lane, x_to_i32(b->column))), x_var(t->value));
	}
}

static struct kx *read_born(struct lowering *l, const struct expr *e)
{
	const struct batch *b = l->state;
	int q = births_table(&b->axes, e);
	return q < 0 ? batch_read(l, e) : x_var(b->table[q].value);
}

/* The last row computed again is no cell. */
static void born(struct batch *b)
{
	struct lowering *l = b->axes.l;
	if (!b->axes.births)
		return;
	k_if(l->k, x_lt(x_add(b->first_row, x_to_i64(b->r)), b->all_rows));
	l->read = read_born;
	births_cell(&b->axes);
	l->read = NULL;
	k_end(l->k);
}

static void cell(struct batch *b)
{
	const struct node *node = b->axes.node;
	struct lowering *l = b->axes.l;
	axis_bind(&b->axes, b->axes.n - 2, batch_row(b, b->r));
	for (int q = 0; q < node->equation.n; q++)
		b->table[q].value = k_var(l->k, kt(b->table[q].type), wave_table(node, q)->var->name, NULL);
	for (int r = 0; r < node->wave->read.n; r++)
		lower_bind(l, node->wave->read.at[r]->value, batch_neighbour(b, node->wave->read.at[r]));
	l->read = batch_read;
	l->state = b;
	for (int q = 0; q < node->equation.n; q++)
		k_set(l->k, x_var(b->table[q].value), lower_result(node->equation.at[q], 0, lower_expr(l, node->equation.at[q]->right)));
	l->read = NULL;
	born(b);
	batch_keep(b);
}

static void column(struct batch *b)
{
	struct axes *a = &b->axes;
	struct kernel *k = a->l->k;
	k_if(k, x_and(x_le(x_i64(0), b->column), x_lt(b->column, b->all_columns)));
	edges_above(b);
	edges_left(b);
	for (int q = 0; q < a->node->equation.n; q++)
		if (b->table[q].looks_across) {
			k_set(k, x_var(b->table[q].diagonal), x_var(b->table[q].corner));
			k_set(k, x_var(b->table[q].corner), x_var(b->table[q].above));
		}
	axis_bind(a, a->n - 1, b->column);
	b->r = batch_open_rows(b);
	cell(b);
	k_end(k);
	for (int q = 0; q < a->node->equation.n; q++)
		if (b->table[q].looks_up)
			k_set(k, x_var(b->table[q].last), x_var(b->table[q].above));
	k_end(k);
}

/* ---- to memory ---- */

/* The sectors that the step completes: Note [sectors]. */
static void store_sectors(struct batch *b, int q)
{
	struct axes *a = &b->axes;
	struct kernel *k = a->l->k;
	int piece = piece_columns(b, q);
	struct kx *among = x_op(OP_AND, b->lane, x_i32(piece - 1));
	struct kx *done = x_op(OP_AND, x_add(x_to_i32(b->step), x_i32(1)), x_i32(piece - 1));
	struct kx *owner = x_var(k_let(k, "owner", x_add(x_sub(b->lane, among), done)));
	struct kx *member = x_op(OP_AND, owner, x_i32(b->group - 1));
	struct kx *begin = x_var(k_let(k, "begin", x_sub(b->step, x_to_i64(x_add(member, x_i32(piece - 1))))));
	struct kx *at = x_var(k_let(k, "at", x_add(begin, x_to_i64(among))));
	struct kx *first = x_var(k_let(k, "owner_row", x_to_i64(x_mul(member, x_i32(b->rows)))));
	k_if(k, x_and(x_le(x_i64(0), begin), x_lt(at, b->all_columns)));
	axis_bind(a, a->n - 1, at);
	struct kx *r = batch_open_rows(b), *row = x_add(first, x_to_i64(r));
	k_if(k, x_lt(row, b->all_rows));
	axis_bind(a, a->n - 2, row);
	k_set(k, lower_cell(a->l, wave_table(a->node, q)), x_at(x_var(b->table[q].out), out_place(b, q, r, owner, among)));
	k_end(k);
	k_end(k);
	k_end(k);
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
			t->out = k_shared(k, t->type, str_print("%s_rows", name), (int64_t)b->lanes * piece_columns(b, q) * b->rows);
		if (!t->looks_left)
			continue;
		k_set(k, x_at(x_var(t->left), batch_open_rows(b)), zero);
		k_end(k);
	}
}

/* Of the problems of a warp. */
struct kx *batch_longest(struct batch *b)
{
	struct kernel *k = b->axes.l->k;
	const struct type *type = type_scalar(T_I64);
	if (b->group == b->lanes)
		return b->all_columns;
	struct kvar *most = k_var(k, kt(type), "longest", b->all_columns);
	for (int by = b->group; by < b->lanes; by *= 2)
		k_set(k, x_var(most), x_max(x_var(most), batch_shuffled(b, type, x_var(most), "", x_op(OP_XOR, b->lane, x_i32(by)))));
	return x_var(most);
}

/* Until the last lane has computed its last column, or stored its last sectors. */
static struct kx *steps(struct batch *b)
{
	int piece = 1;
	for (int q = 0; q < b->axes.node->equation.n; q++)
		piece = is_stored(b, q) && piece_columns(b, q) > piece ? piece_columns(b, q) : piece;
	struct kx *most = batch_longest(b), *whole = x_mul(x_div_up(most, x_i64(piece)), x_i64(piece));
	return x_var(k_let(b->axes.l->k, "steps", x_cond(x_lt(x_i64(0), most), x_add(whole, x_i64(b->group - 1)), x_i64(0))));
}

static void step(struct batch *b)
{
	struct lowering *l = b->axes.l;
	batch_step_reads(b);
	for (int q = 0; q < b->axes.node->equation.n; q++)
		if (b->table[q].looks_up)
			k_set(l->k, x_var(b->table[q].above), batch_shuffled(b, b->table[q].type, x_var(b->table[q].last), "up_", x_i32(1)));
	b->column = x_var(k_let(l->k, "column", x_sub(b->step, x_to_i64(b->member))));
	column(b);
	if (!shared_bytes(b, b->rows))
		return;
	warp_sync(l);
	for (int q = 0; q < b->axes.node->equation.n; q++)
		if (is_stored(b, q))
			store_sectors(b, q);
	warp_sync(l);
}

/* A group without a problem takes the last one and none of its columns; so does one whose problem has no rows. */
void batch_open_problem(struct batch *b, struct kx *unit)
{
	struct axes *a = &b->axes;
	struct kernel *k = a->l->k;
	struct kx *problem = unit, *some = NULL;
	if (b->group < b->lanes) {
		struct kx *problems = axes_argument(a, "problems", a->host_problems);
		struct kx *mine = x_to_i64(x_div(b->lane, x_i32(b->group)));
		problem = x_var(k_let(k, "mine", x_add(x_mul(unit, x_i64(b->lanes / b->group)), mine)));
		some = x_lt(problem, problems);
		problem = x_min(problem, x_sub(problems, x_i64(1)));
	}
	b->there = some;
	b->problem = x_var(k_let(k, "problem", problem));
	axes_bind_outer(a, b->problem);
	b->all_rows = axes_rows(a);
	if (axis_own(a->node, a->n - 2))
		some = x_and(some, x_lt(x_i64(0), b->all_rows));
	b->all_columns = axes_columns(a);
	if (some)
		b->all_columns = x_var(k_let(k, "own_columns", x_cond(some, b->all_columns, x_i64(0))));
}

/* A problem is a part of what is folded, or all of it; or the problems of a warp are a part. */
void batch_store_births(struct batch *b, struct kx *unit)
{
	struct lowering *l = b->axes.l;
	const struct births *births = b->axes.births;
	if (!births_fold(&b->axes))
		return;
	warp_fold_groups(l, &births->acc, births->each ? b->group : b->lanes);
	k_if(l->k, births->each ? x_and(x_eq(b->member, x_i32(0)), b->there) : x_eq(b->lane, x_i32(0)));
	if (births_final(&b->axes))
		births_finish(&b->axes);
	else
		births_store(&b->axes, births->each ? b->problem : unit, NULL);
	k_end(l->k);
}

struct kx *batch_units(const struct batch *b)
{
	return x_div_up(b->axes.host_problems, x_i64(b->lanes / b->group));
}

static void kernel(struct batch *b)
{
	struct axes *a = &b->axes;
	struct lowering *l = a->l = lowering_new(a->plan, b->group < b->lanes ? str_print("%s_small", a->node->name) : a->node->name);
	struct kernel *k = l->k;
	struct kx *host_units = batch_units(b);
	k->note = "Problems of a few lanes each, all rows in registers.";
	k->block[0] = b->lanes;
	k->block[1] = k->block[2] = 1;
	k->min_blocks = 1;
	if (births_final(a))
		births_written(a);
	lowering_writes(l, a->node);
	b->lane = block_thread(l);
	b->member = b->group < b->lanes ? x_var(k_let(k, "member", x_op(OP_AND, b->lane, x_i32(b->group - 1)))) : b->lane;
	b->first_row = x_var(k_let(k, "first_row", x_to_i64(x_mul(b->member, x_i32(b->rows)))));
	struct kx *first = x_to_i64(x_id(ID_BLOCK_X)), *grid = x_to_i64(x_id(ID_GRID_X));
	struct kx *unit = x_var(k_for(k, "unit", first, axes_argument(a, "units", host_units), grid, FOR_ROLLED));
	batch_open_problem(b, unit);
	tables_open(b);
	births_start(a);
	batch_begin_reads(b);
	b->step = x_var(k_for(k, "step", x_i64(0), steps(b), x_i64(1), FOR_ROLLED));
	step(b);
	k_end(k);
	batch_store_births(b, unit);
	k_end(k);
	lowering_launch(l, x_min(host_units, x_i64(BATCH_BLOCKS)), x_i64(1), x_i64(1));
}

/* ---- the host ---- */

void batch_run(struct batch *b, void (*kernel_of)(struct batch *))
{
	bool final = births_final(&b->axes), each = b->axes.births && b->axes.births->each;
	if (!final)
		births_open(&b->axes, axes_most_problems(&b->axes), each ? b->axes.host_problems : batch_units(b));
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

/* Where all rows that the tables have room for fit, only few problems come to strips: the workspace has no room for more. */
static void otherwise(struct batch *b, struct plan *plan, const struct node *node)
{
	const struct axes *a = &b->axes;
	struct kx *fits = rows_fit(b, b->lanes, axis_most(a, a->n - 2)), *all = axes_most_problems(a);
	if (no_strips(node, plan->target))
		wave_tiles(plan, node);
	else
		wave_strips(plan, node, x_cond(fits, x_i64(node->pin.sweep ? 0 : MANY_PROBLEMS - 1), all));
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
		fits = x_and(fits, x_le(x_i64(MANY_PROBLEMS), b->axes.host_problems));
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
