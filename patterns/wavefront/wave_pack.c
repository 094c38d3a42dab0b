/* wave_pack.c - many small problems of integers that fit 16 bits: two cells a word, a batch as in wave_batch.c.
 *
 * A lane is two: the low half of its words has ROWS rows of a column, the high half the next ROWS rows of the column
 * before, as the lane behind it would.  So a problem has half as many lanes, both halves are the same problem, whatever its
 * length, and hand on as lanes do: what comes from above is the low half's last row for the high one, and for the low one
 * that of the high half of the lane above, by a shuffle.  Letters move in the same way.
 *
 * Which values fit 16 bits is proved before (wave_bound.c), for problems of up to so many rows and columns, and the host
 * asks how many there are: others take the kernel of 32 bits.  So no half overflows into what a cell is made of, but:
 *
 * Note [halves without a cell]
 * In the first step the high half has no column, in the last the low one; behind the last row of the problem a lane
 * computes the last one's letters again.  There halves have anything, and may wrap, which a word does quietly.  What
 * looks at them is no cell either: the high half's rows and corner are set anew when its own first column begins; the
 * low half's, in the step behind its last column, are not looked at again; what it hands on is not taken, since the lane behind it
 * begins two steps later and ends two steps later; and rows behind the last one are handed on to such rows only.  Folds take
 * a value a row, of all columns so far: the high half's is set back with the rest, the low half's is taken before the last
 * step, and at the end only rows that there are.  Reads are of the nearest row and column that there are. */
#include "wave_batch.h"
#include "wave_bound.h"

/* ---- what can be so ---- */

struct reading { const struct node *node; bool found; };

static bool reads_place(const struct node *node, const struct expr *e)
{
	const struct wavefront *w = node->wave;
	int n = node->index.n;
	return expr_uses(e, node->index.at[w->order[n - 1]]) || expr_uses(e, node->index.at[w->order[n - 2]]);
}

static bool no_letter(struct expr *e, void *state)
{
	struct reading *r = state;
	r->found |= e->kind == E_READ && reads_place(r->node, e);
	return !r->found;
}

/* A subscript that the data of a row or column give: what is no cell may have any. */
static bool no_gather(struct expr *e, void *state)
{
	for (int a = 0; (e->kind == E_READ || e->kind == E_ELEM) && a < e->arg.n; a++)
		if (!expr_walk(e->arg.at[a], no_letter, state))
			return false;
	return true;
}

static const char *no_reads(const struct node *node)
{
	struct reading r = { .node = node };
	for (int q = 0; node_clause(node, "trusted") && q < node->equation.n; q++)
		if (!expr_walk(node->equation.at[q]->right, no_gather, &r))
			return "what data say where to read is trusted";
	return NULL;
}

/* The table whose values a fold takes as they are, or -1. */
static int folded_table(const struct axes *a, const struct expr *fold)
{
	const struct expr *term = fold->arg.at[0];
	bool plain = (fold->fold->op->kind == OPK_MAX || fold->fold->op->kind == OPK_MIN) && !fold->fold->where;
	while (term->kind == E_CAST && wave_holds_half(term->type))
		term = term->arg.at[0];
	return plain && wave_holds_half(fold->type) && term->kind == E_READ ? births_table(a, term) : -1;
}

static const char *no_births(const struct node *node)
{
	const struct axes a = { .node = node, .births = births_of(node) };
	for (int f = 0; births_fold(&a) && f < a.births->folds.n; f++)
		if (folded_table(&a, a.births->folds.at[f]) < 0)
			return "what is folded is not the least or greatest cell";
	return NULL;
}

static bool looks_left(const struct node *node, int q)
{
	for (int r = 0; r < node->wave->read.n; r++)
		if (node->wave->read.at[r]->equation == q && step_of(node, node->wave->read.at[r]).column < 0)
			return true;
	return false;
}

static const char *no_tables(const struct node *node)
{
	for (int q = 0; q < node->equation.n; q++)
		if (!wave_table(node, q)->var->on_chip)
			return str_print("`%s` is stored, and memory takes the time", wave_table(node, q)->var->name);
	for (int i = 0; i < node->wave->line.n; i++)
		if (!looks_left(node, node->wave->line.at[i].equation))
			return "a line is kept of cells that no cell looks at behind them";
	return NULL;
}

const char *no_pack(const struct node *node)
{
	const char *why = no_tables(node);
	why = why ? why : no_reads(node);
	why = why ? why : wave_bound(node).why;
	return why ? why : no_births(node);
}

const char *pack_law(const struct node *node)
{
	struct wave_bound bound = wave_bound(node);
	const char *given = bound.given.n ? str_print(", if what is given is among 0 .. %d", GIVEN_MOST) : "";
	return str_print("no value is farther from 0 than %lld + %lld a row + %lld a column%s; 16 bits lose nothing up to %lld",
	                 (long long)bound.base, (long long)bound.row, (long long)bound.column, given, (long long)bound.limit);
}

struct kx *pack_fits(const struct batch *b, int64_t most_rows)
{
	const struct axes *a = &b->axes;
	struct wave_bound bound = wave_bound(a->node);
	struct kx *columns = axis_size(a, a->n - 1), *rows = axis_size(a, a->n - 2);
	struct kx *fits = x_le(columns, x_i64(BOUND_COLUMNS));
	if (bound.column || bound.base + bound.row * most_rows > bound.limit) {
		struct kx *most = x_add(x_i64(bound.base), x_add(x_mul(x_i64(bound.row), rows), x_mul(x_i64(bound.column), columns)));
		fits = x_and(fits, x_le(most, x_i64(bound.limit)));
	}
	for (int i = 0; i < bound.given.n; i++) {
		struct kx *given = x_to_i64(host_var_x(a->plan, bound.given.at[i]));
		fits = x_and(fits, x_and(x_le(x_i64(0), given), x_le(given, x_i64(GIVEN_MOST))));
	}
	return fits;
}

/* ---- a problem begins ---- */

struct pack {
	struct batch *b;
	struct wave_bound bound;
	struct kvar *best[8];                /* of each fold: a register a row */
	struct kx *first, *ends;             /* i32: the low half's column; one behind the last at which a half has one */
	struct kx *columns, *rows;           /* i32: of the problem; of it, those from the lane's first on, up to its last */
};

static struct kvar *word(struct pack *p, const char *name, const char *what)
{
	return k_var(p->b->axes.l->k, kt_scalar(T_U32), str_print("%s_%s", name, what), pack_word(0));
}

static void open_registers(struct pack *p, struct kvar *regs, int64_t both)
{
	k_set(p->b->axes.l->k, x_at(x_var(regs), batch_open_rows(p->b)), pack_word(both));
	k_end(p->b->axes.l->k);
}

static void open_tables(struct pack *p)
{
	struct batch *b = p->b;
	for (int q = 0; q < b->axes.node->equation.n; q++) {
		struct batch_table *t = &b->table[q];
		const char *name = wave_table(b->axes.node, q)->var->name;
		t->type = type_scalar(T_U32);
		if (t->looks_up) {
			t->above = word(p, name, "above");
			t->last = word(p, name, "last");
		}
		if (t->looks_across) {
			t->diagonal = word(p, name, "diagonal");
			t->corner = word(p, name, "corner");
		}
		if (!t->looks_left)
			continue;
		t->left = k_regs(b->axes.l->k, t->type, str_print("%s_left", name), b->rows);
		open_registers(p, t->left, 0);
	}
}

/* Of a fold: behind any value that a cell can have. */
static int64_t no_value(const struct pack *p, int f)
{
	return p->b->axes.births->acc.at[f].op->kind == OPK_MAX ? -HALF_MOST - 1 : HALF_MOST;
}

static void open_folds(struct pack *p)
{
	struct batch *b = p->b;
	births_start(&b->axes);
	for (int f = 0; births_fold(&b->axes) && f < b->axes.births->acc.n; f++) {
		p->best[f] = k_regs(b->axes.l->k, type_scalar(T_U32), str_print("best_%s", b->axes.births->acc.at[f].op->name), b->rows);
		open_registers(p, p->best[f], no_value(p, f));
	}
}

/* ---- beside the domain ---- */

/* wave_bound.c, Note [far boundaries] */
static struct kx *cut_far(const struct pack *p, int q, struct kx *value)
{
	struct kx *far = x_int(value->type.type->kind, p->bound.far_value), *minus = x_int(value->type.type->kind, -p->bound.far_value);
	if (p->bound.far[0][q])
		value = x_max(value, minus);
	return p->bound.far[1][q] ? x_min(value, far) : value;
}

static struct kx *outside(struct pack *p, int q, struct kx *row, struct kx *column)
{
	struct axes *a = &p->b->axes;
	axis_bind(a, a->n - 2, row);
	axis_bind(a, a->n - 1, column);
	struct kx *value = batch_outside(p->b, q);
	value = value->type.type->kind == T_I64 ? value : x_to_i32(value);
	return x_to_i32(x_var(k_let(a->l->k, "outside", cut_far(p, q, value))));
}

/* Before the first column: what each half has at a row, the low half's low_row. */
static struct kx *outside_left(struct pack *p, int q, struct kx *low_row, struct kx *high_row)
{
	struct kx *low = outside(p, q, low_row, x_i64(-1)), *high = outside(p, q, high_row, x_i64(-1));
	return pack_two(low, high);
}

static void edges_above(struct pack *p)
{
	struct batch *b = p->b;
	struct kernel *k = b->axes.l->k;
	k_if(k, x_eq(b->member, x_i32(0)));
	for (int q = 0; q < b->axes.node->equation.n; q++) {
		if (!b->table[q].looks_up)
			continue;
		struct kx *above = x_var(b->table[q].above), *value = outside(p, q, x_i64(-1), b->half_column[0]);
		k_set(k, above, pack_join(pack_two(value, x_i32(0)), above, x_int(T_U32, 0xffff)));
	}
	k_end(k);
}

static struct kx *row_before(const struct batch *b, int half)
{
	struct kx *first = half ? x_add(b->first_row, x_i64(b->rows)) : b->first_row;
	return x_sub(x_min(first, b->all_rows), x_i64(1));
}

static void edge_left(struct pack *p, int q, struct kx *keep)
{
	struct batch *b = p->b;
	struct batch_table *t = &b->table[q];
	struct kernel *k = b->axes.l->k;
	if (!t->looks_left)
		return;
	struct kx *r = batch_open_rows(b), *left = x_at(x_var(t->left), r);
	k_set(k, left, pack_join(left, outside_left(p, q, batch_row(b, r), batch_row(b, x_add(r, x_i32(b->rows)))), keep));
	k_end(k);
	if (t->looks_across)
		k_set(k, x_var(t->corner), pack_join(x_var(t->corner), outside_left(p, q, row_before(b, 0), row_before(b, 1)), keep));
}

/* In the low half's first column, and in the high one's: Note [halves without a cell]. */
static void edges_left(struct pack *p)
{
	struct batch *b = p->b;
	struct kernel *k = b->axes.l->k;
	k_if(k, x_le(p->first, x_i32(1)));
	struct kx *keep = x_var(k_let(k, "keep", x_cond(x_eq(p->first, x_i32(0)), x_int(T_U32, 0), x_int(T_U32, 0xffff))));
	for (int q = 0; q < b->axes.node->equation.n; q++)
		edge_left(p, q, keep);
	for (int f = 0; births_fold(&b->axes) && f < b->axes.births->acc.n; f++) {
		struct kx *best = x_at(x_var(p->best[f]), batch_open_rows(b));
		k_set(k, best, pack_join(best, pack_word(no_value(p, f)), keep));
		k_end(k);
	}
	k_end(k);
}

/* ---- a column ---- */

static struct kx *row_there(const struct pack *p, int half, struct kx *r)
{
	return x_lt(half ? x_add(r, x_i32(p->b->rows)) : r, p->rows);
}

/* What the rows of a half have come to joins the fold. */
static void take_folds(struct pack *p, int half)
{
	struct batch *b = p->b;
	struct lowering *l = b->axes.l;
	for (int f = 0; births_fold(&b->axes) && f < b->axes.births->acc.n; f++) {
		const struct accumulator *acc = &b->axes.births->acc.at[f];
		struct kx *r = batch_open_rows(b);
		k_if(l->k, row_there(p, half, r));
		accumulate(l, acc, x_cast(kt(acc->type), pack_half(x_at(x_var(p->best[f]), r), half)));
		k_end(l->k);
		k_end(l->k);
	}
}

static void fold_cell(struct pack *p)
{
	struct axes *a = &p->b->axes;
	for (int f = 0; births_fold(a) && f < a->births->acc.n; f++) {
		int q = folded_table(a, a->births->folds.at[f]);
		struct kx *best = x_at(x_var(p->best[f]), p->b->r);
		const char *name = a->births->acc.at[f].op->kind == OPK_MAX ? "patc_max2" : "patc_min2";
		k_set(a->l->k, best, x_help(kt_scalar(T_U32), name, 2, (struct kx *[]){ best, x_var(p->b->table[q].value) }));
	}
}

static void cell(struct pack *p)
{
	struct batch *b = p->b;
	const struct node *node = b->axes.node;
	struct lowering *l = b->axes.l;
	for (int q = 0; q < node->equation.n; q++)
		b->table[q].value = k_var(l->k, kt_scalar(T_U32), wave_table(node, q)->var->name, NULL);
	l->read = batch_read;
	l->state = b;
	for (int q = 0; q < node->equation.n; q++)
		k_set(l->k, x_var(b->table[q].value), pack_expr(b, node->equation.at[q]->right));
	l->read = NULL;
	fold_cell(p);
	batch_keep(b);
}

static void columns_at_hand(struct pack *p)
{
	struct batch *b = p->b;
	struct kernel *k = b->axes.l->k;
	struct kx *last = x_sub(p->columns, x_i32(1)), *high = x_sub(p->first, x_i32(1));
	b->half_column[0] = x_var(k_let(k, "column", x_to_i64(x_min(p->first, last))));
	b->half_column[1] = x_var(k_let(k, "high_column", x_to_i64(x_max(high, x_i32(0)))));
}

static struct kx *read_kept(struct lowering *l, const struct expr *e)
{
	const struct batch *b = l->state;
	int q = births_table(&b->axes, e);
	if (q < 0)
		return lower_cell(l, e);
	return x_cast(kt(e->type), pack_half(x_at(x_var(b->table[q].left), b->r), b->half));
}

/* Is the half's column one of those that some line asks for?  NULL: any may be. */
static struct kx *column_kept(const struct batch *b)
{
	const struct axes *a = &b->axes;
	const struct var *column = a->node->index.at[axis_index(a, a->n - 1)];
	struct kx *is = NULL;
	for (int i = 0; i < a->node->wave->line.n; i++) {
		const struct wave_line *line = &a->node->wave->line.at[i];
		const struct expr *table = wave_table(a->node, line->equation), *at = NULL;
		for (int d = 0; d < table->arg.n; d++)
			at = line->at[d] && expr_uses(table->arg.at[d], column) ? line->at[d] : at;
		if (!at)
			return NULL;
		struct kx *same = x_eq(lower_var(a->l, column), lower_index(a->l, at));
		is = is ? x_op(OP_LOR, is, same) : same;
	}
	return is;
}

/* Lines of the tables go to memory: what cells look at behind them is the column at hand. */
static void keep_lines(struct pack *p)
{
	struct batch *b = p->b;
	struct lowering *l = b->axes.l;
	for (int half = 0; b->axes.node->wave->line.n && half < 2; half++) {
		b->r = x_i32(0);
		pack_bind(b, half);
		struct kx *is = half ? x_lt(x_i32(0), p->first) : x_lt(p->first, p->columns);
		k_if(l->k, x_and(is, column_kept(b)));
		b->r = batch_open_rows(b);
		k_if(l->k, row_there(p, half, b->r));
		pack_bind(b, half);
		l->read = read_kept;
		l->state = b;
		births_lines(&b->axes);
		l->read = NULL;
		k_end(l->k);
		k_end(l->k);
		k_end(l->k);
	}
}

static void column(struct pack *p)
{
	struct batch *b = p->b;
	struct kernel *k = b->axes.l->k;
	k_if(k, x_and(x_le(x_i32(0), p->first), x_lt(p->first, p->ends)));
	columns_at_hand(p);
	edges_above(p);
	edges_left(p);
	if (births_fold(&b->axes)) {
		k_if(k, x_eq(p->first, p->columns));
		take_folds(p, 0);
		k_end(k);
	}
	for (int q = 0; q < b->axes.node->equation.n; q++)
		if (b->table[q].looks_across) {
			k_set(k, x_var(b->table[q].diagonal), x_var(b->table[q].corner));
			k_set(k, x_var(b->table[q].corner), x_var(b->table[q].above));
		}
	b->r = batch_open_rows(b);
	cell(p);
	k_end(k);
	for (int q = 0; q < b->axes.node->equation.n; q++)
		if (b->table[q].looks_up)
			k_set(k, x_var(b->table[q].last), x_var(b->table[q].above));
	keep_lines(p);
	k_end(k);
}

static void step(struct pack *p, struct kx *number)
{
	struct batch *b = p->b;
	struct kernel *k = b->axes.l->k;
	b->step = x_to_i64(number);
	batch_step_reads(b);
	for (int q = 0; q < b->axes.node->equation.n; q++) {
		const struct batch_table *t = &b->table[q];
		if (t->looks_up)
			k_set(k, x_var(t->above), pack_next(batch_shuffled(b, t->type, x_var(t->last), "up_", x_i32(1)), x_var(t->last)));
	}
	p->first = x_var(k_let(k, "first", x_sub(number, x_mul(b->member, x_i32(2)))));
	column(p);
}

/* ---- the kernel ---- */

/* Left to itself nvcc keeps addresses that no step needs, and a multiprocessor holds fewer warps. */
enum { WARPS = 16 };

/* Until the last lane's high half has computed its last column. */
static struct kx *steps(const struct batch *b, struct kx *most)
{
	return x_var(k_let(b->axes.l->k, "steps", x_cond(x_lt(x_i32(0), most), x_add(most, x_i32(2 * b->group - 1)), x_i32(0))));
}

static void problem(struct pack *p)
{
	struct batch *b = p->b;
	struct kernel *k = b->axes.l->k;
	p->columns = x_var(k_let(k, "count", x_to_i32(b->all_columns)));
	p->ends = x_var(k_let(k, "ends", x_cond(x_lt(x_i32(0), p->columns), x_add(p->columns, x_i32(1)), x_i32(0))));
	struct kx *left = x_min(x_sub(b->all_rows, b->first_row), x_i64(2 * b->rows));
	p->rows = x_var(k_let(k, "own_rows", x_to_i32(left)));
	open_tables(p);
	open_folds(p);
	batch_begin_reads(b);
	struct kx *most = x_to_i32(batch_longest(b));
	step(p, x_var(k_for(k, "step", x_i32(0), steps(b, most), x_i32(1), FOR_ROLLED)));
	k_end(k);
	if (!births_fold(&b->axes))
		return;
	k_if(k, x_lt(x_i32(0), p->columns));
	take_folds(p, 1);
	k_end(k);
}

static void kernel(struct batch *b)
{
	struct pack pack = { .b = b, .bound = wave_bound(b->axes.node) };
	struct axes *a = &b->axes;
	struct lowering *l = a->l = lowering_new(a->plan, str_print("%s_pairs%d", a->node->name, b->group));
	struct kernel *k = l->k;
	struct kx *host_units = batch_units(b);
	k->note = "Problems of a few lanes each, all rows in registers, two cells a word.";
	k->block[0] = b->lanes;
	k->block[1] = k->block[2] = 1;
	k->min_blocks = l->target->unrolls ? WARPS : 1;
	if (births_final(a))
		births_written(a);
	lowering_writes(l, a->node);
	b->lane = block_thread(l);
	b->member = x_var(k_let(k, "member", x_op(OP_AND, b->lane, x_i32(b->group - 1))));
	b->first_row = x_var(k_let(k, "first_row", x_to_i64(x_mul(b->member, x_i32(2 * b->rows)))));
	struct kx *first = x_to_i64(x_id(ID_BLOCK_X)), *grid = x_to_i64(x_id(ID_GRID_X));
	struct kx *unit = x_var(k_for(k, "unit", first, axes_argument(a, "units", host_units), grid, FOR_ROLLED));
	batch_open_problem(b, unit);
	problem(&pack);
	batch_store_births(b, unit);
	k_end(k);
	lowering_launch(l, x_min(host_units, x_i64(BATCH_BLOCKS)), x_i64(1), x_i64(1));
}

void wave_pack(struct batch b)
{
	struct batch_table *table = mem_new((size_t)b.axes.node->equation.n * sizeof *table);
	for (int q = 0; q < b.axes.node->equation.n; q++)
		table[q] = b.table[q];
	b.table = table;
	b.group /= 2;
	b.packed = true;
	batch_find_reads(&b);
	batch_run(&b, kernel);
}
