/* wave_pack.c - many small problems of integers that fit 16 bits (`pairs` in batch.kernel): two
 * cells a word.
 *
 * The low half of a lane's words has ROWS rows of a column, the high half the next ROWS rows of the
 * column before.  So a problem has half as many lanes.  From above, the high half takes the low
 * half's last row, and the low half that of the high half of the lane above, by a shuffle.  Letters
 * move in the same way.
 *
 * wave_bound.c proves which values fit 16 bits, for problems of up to so many rows and columns.
 * The host compares these with the sizes, and launches the kernel of 32 bits for other problems.
 *
 * Note [halves without a cell]
 * In the first step the high half has no column, in the last the low one; after the last row of
 * the problem a lane computes the last one's letters again.  There halves have anything, and may
 * wrap, which a word does quietly.  What looks at them is no cell either: the high half's rows
 * and corner are set anew when its own first column begins; the low half's, in the step after
 * its last column, are not looked at again; what it hands on is not taken, since the lane after
 * it begins two steps later and ends two steps later; and rows after the last one are handed on
 * to such rows only.  Folds take a value a row, of all columns so far: the high half's is set
 * back with the rest, the low half's is taken before the last step, and at the end only rows
 * that there are.  Reads are of the nearest row and column that there are. */
#include "wave_batch.h"
#include "wave_bound.h"

/* ---- what can be so ---- */

struct reading { const struct node *node; bool found; };

static bool reads_place(const struct node *node, const struct expr *e)
{
	const struct wavefront *w = node->wave;
	int n = node->index.n;
	return expr_uses(e, node->index.at[w->order[n - 1]])
	       || expr_uses(e, node->index.at[w->order[n - 2]]);
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
			return "data-dependent reads are trusted";
	return NULL;
}

/* The table whose values a fold takes as they are, or -1. */
static int folded_table(const struct axes *a, const struct expr *fold)
{
	const struct expr *term = fold->arg.at[0];
	bool plain = (fold->fold->op->kind == OPK_MAX || fold->fold->op->kind == OPK_MIN)
	             && !fold->fold->where;
	while (term->kind == E_CAST && wave_holds_half(term->type))
		term = term->arg.at[0];
	return plain && wave_holds_half(fold->type) && term->kind == E_READ ? births_table(a, term)
	                                                                    : -1;
}

static const char *no_births(const struct node *node)
{
	const struct axes a = { .node = node, .births = births_of(node) };
	for (int f = 0; births_fold(&a) && f < a.births->folds.n; f++)
		if (folded_table(&a, a.births->folds.at[f]) < 0)
			return "the fold is not a minimum or maximum of its cells";
	return NULL;
}

static bool looks_left(const struct node *node, int q)
{
	for (int r = 0; r < node->wave->read.n; r++)
		if (node->wave->read.at[r]->equation == q
		    && step_of(node, node->wave->read.at[r]).column < 0)
			return true;
	return false;
}

static const char *no_tables(const struct node *node)
{
	for (int q = 0; q < node->equation.n; q++)
		if (!wave_table(node, q)->var->on_chip)
			return str_print("`%s` is stored, so memory limits the speed",
			                 wave_table(node, q)->var->name);
	for (int i = 0; i < node->wave->line.n; i++)
		if (!looks_left(node, node->wave->line.at[i].equation))
			return "a line of cells is kept that no later cell reads";
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
	const char *given =
		bound.given.n ? str_print(", if the inputs are in 0..%d", GIVEN_MOST) : "";
	return str_print("absolute values are at most %lld + %lld a row + %lld a column%s; 16 bits "
	                 "are exact up to %lld",
	                 (long long)bound.base, (long long)bound.row, (long long)bound.column,
	                 given, (long long)bound.limit);
}

struct kx *pack_fits(const struct batch *b, int64_t most_rows)
{
	const struct axes *a = &b->axes;
	struct wave_bound bound = wave_bound(a->node);
	struct kx *columns = axis_size(a, a->n - 1), *rows = axis_size(a, a->n - 2);
	struct kx *fits = x_le(columns, x_i64(BOUND_COLUMNS));
	if (bound.column || bound.base + bound.row * most_rows > bound.limit) {
		struct kx *most = x_add(x_i64(bound.base),
		                        x_add(x_mul(x_i64(bound.row), rows),
		                              x_mul(x_i64(bound.column), columns)));
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
};

static struct kvar *word(struct pack *p, const char *name, const char *what)
{
	return k_var(p->b->axes.l->k, kt_scalar(T_U32), str_print("%s_%s", name, what),
	             pack_word(0));
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

/* Of a fold: after any value that a cell can have. */
static int64_t no_value(const struct pack *p, int f)
{
	return p->b->axes.births->acc.at[f].op->kind == OPK_MAX ? -HALF_MOST - 1 : HALF_MOST;
}

static void open_folds(struct pack *p)
{
	struct batch *b = p->b;
	births_start(&b->axes);
	for (int f = 0; births_fold(&b->axes) && f < b->axes.births->acc.n; f++) {
		p->best[f] = k_regs(b->axes.l->k, type_scalar(T_U32),
		                    str_print("best_%s", b->axes.births->acc.at[f].op->name),
		                    b->rows);
		open_registers(p, p->best[f], no_value(p, f));
	}
}

/* ---- beside the domain ---- */

/* wave_bound.c, Note [far boundaries] */
static struct kx *cut_far(const struct pack *p, int q, struct kx *value)
{
	struct kx *far = x_int(value->type.type->kind, p->bound.far_value),
		  *minus = x_int(value->type.type->kind, -p->bound.far_value);
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
	struct kx *low = outside(p, q, low_row, x_i64(-1)),
		  *high = outside(p, q, high_row, x_i64(-1));
	return pack_two(low, high);
}

static void edges_above(struct pack *p)
{
	struct batch *b = p->b;
	for (int q = 0; q < b->axes.node->equation.n; q++) {
		if (!b->table[q].looks_up)
			continue;
		struct kx *above = x_var(b->table[q].above),
			  *value = outside(p, q, x_i64(-1), batch_get(b, "column"));
		k_set(b->axes.l->k, above,
		      pack_join(pack_two(value, x_i32(0)), above, x_int(T_U32, 0xffff)));
	}
}

static struct kx *row_before(const struct batch *b, int half)
{
	struct kx *first = half ? x_add(batch_get(b, "first_row"), x_i64(b->rows))
	                        : batch_get(b, "first_row");
	return x_sub(x_min(first, batch_get(b, "all_rows")), x_i64(1));
}

static void edge_left(struct pack *p, int q, struct kx *keep)
{
	struct batch *b = p->b;
	struct batch_table *t = &b->table[q];
	struct kernel *k = b->axes.l->k;
	if (!t->looks_left)
		return;
	struct kx *r = batch_open_rows(b), *left = x_at(x_var(t->left), r);
	k_set(k, left,
	      pack_join(left,
	                outside_left(p, q, batch_row(b, r), batch_row(b, x_add(r, x_i32(b->rows)))),
	                keep));
	k_end(k);
	if (t->looks_across)
		k_set(k, x_var(t->corner),
		      pack_join(x_var(t->corner),
		                outside_left(p, q, row_before(b, 0), row_before(b, 1)), keep));
}

/* In the low half's first column, and in the high one's: Note [halves without a cell]. */
static void edges_left(struct pack *p, struct kx *keep)
{
	struct batch *b = p->b;
	struct kernel *k = b->axes.l->k;
	for (int q = 0; q < b->axes.node->equation.n; q++)
		edge_left(p, q, keep);
	for (int f = 0; births_fold(&b->axes) && f < b->axes.births->acc.n; f++) {
		struct kx *best = x_at(x_var(p->best[f]), batch_open_rows(b));
		k_set(k, best, pack_join(best, pack_word(no_value(p, f)), keep));
		k_end(k);
	}
}

/* ---- a column ---- */

static struct kx *row_there(const struct pack *p, int half, struct kx *r)
{
	return x_lt(half ? x_add(r, x_i32(p->b->rows)) : r, batch_get(p->b, "own_rows"));
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
		accumulate(l, acc,
		           x_cast(kt(acc->type), pack_half(x_at(x_var(p->best[f]), r), half)));
		k_end(l->k);
		k_end(l->k);
	}
}

static void fold_cell(struct pack *p)
{
	struct axes *a = &p->b->axes;
	for (int f = 0; births_fold(a) && f < a->births->acc.n; f++) {
		int q = folded_table(a, a->births->folds.at[f]);
		struct kx *best = x_at(x_var(p->best[f]), batch_get(p->b, "r"));
		const char *name = a->births->acc.at[f].op->kind == OPK_MAX ? "patc_max2"
		                                                            : "patc_min2";
		k_set(a->l->k, best,
		      x_help(kt_scalar(T_U32), name, 2,
		             (struct kx *[]){ best, x_var(p->b->table[q].value) }));
	}
}

static void compute_cell(struct pack *p)
{
	struct batch *b = p->b;
	const struct node *node = b->axes.node;
	struct lowering *l = b->axes.l;
	for (int q = 0; q < node->equation.n; q++)
		b->table[q].value = k_var(l->k, kt_scalar(T_U32), wave_table(node, q)->var->name,
		                          NULL);
	struct lower_context before = l->now;
	l->now.read = batch_read;
	l->now.state = b;
	for (int q = 0; q < node->equation.n; q++)
		k_set(l->k, x_var(b->table[q].value), pack_expr(b, node->equation.at[q]->right));
	l->now = before;
	fold_cell(p);
}

static struct kx *read_kept(struct lowering *l, const struct expr *e)
{
	const struct batch *b = l->now.state;
	int q = births_table(&b->axes, e);
	if (q < 0)
		return lower_cell(l, e);
	return x_cast(kt(e->type),
	              pack_half(x_at(x_var(b->table[q].left), batch_get(b, "r")), b->half));
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

/* Lines of the tables go to memory: what cells look at after them is the column at hand. */
static void keep_lines(struct pack *p)
{
	struct batch *b = p->b;
	struct lowering *l = b->axes.l;
	for (int half = 0; b->axes.node->wave->line.n && half < 2; half++) {
		struct kx *first = batch_get(b, "first"),
			  *is = half ? x_lt(x_i32(0), first) : x_lt(first, batch_get(b, "count"));
		k_bind(l->k, "r", x_i32(0));
		pack_bind(b, half);
		k_if(l->k, x_and(is, column_kept(b)));
		k_bind(l->k, "r", batch_open_rows(b));
		k_if(l->k, row_there(p, half, batch_get(b, "r")));
		pack_bind(b, half);
		struct lower_context before = l->now;
		l->now.read = read_kept;
		l->now.state = b;
		births_lines(&b->axes);
		l->now = before;
		k_end(l->k);
		k_end(l->k);
		k_end(l->k);
	}
}

/* ---- the kernel ---- */

/* Left to itself nvcc keeps addresses that no step needs, and a multiprocessor holds fewer
 * warps. */
enum { WARPS = 16 };

/* The functions that the texts call: the name in the text, and the C function. */
#define CALLS(DO, GET) \
	DO(bind_problem, batch_bind_problem(s->b, arg[0], arg[1])) \
	DO(open_tables, open_tables(s)) \
	DO(open_folds, open_folds(s)) \
	DO(begin_reads, batch_begin_reads(s->b)) \
	DO(step_reads, batch_step_reads(s->b)) \
	DO(shift_above, batch_tables(s->b, "shift_table")) \
	DO(edges_above, edges_above(s)) \
	DO(edges_left, edges_left(s, arg[0])) \
	DO(begin_columns, batch_tables(s->b, "begin_column")) \
	DO(end_columns, batch_tables(s->b, "end_column")) \
	DO(keep_cells, batch_tables(s->b, "keep_cell")) \
	DO(compute_cell, compute_cell(s)) \
	DO(take_folds, take_folds(s, (int)arg[0]->i)) \
	DO(keep_lines, keep_lines(s)) \
	DO(fold_groups, batch_fold_groups(s->b)) \
	DO(finish_births, births_finish(&s->b->axes)) \
	DO(store_births, births_store(&s->b->axes, arg[0], NULL)) \
	GET(longest, batch_longest(s->b)) \
	GET(next_half, pack_next(arg[0], arg[1])) \
	GET(from_above, batch_shuffled(s->b, s->b->type, arg[0], "up_", x_i32(1)))

#define HOLE_DO(name, call) KTEXT_CALL(struct pack, s, name, call; return NULL;)
#define HOLE_GET(name, value) KTEXT_CALL(struct pack, s, name, return value;)

CALLS(HOLE_DO, HOLE_GET)

static void kernel(struct batch *b)
{
	struct pack pack = { .b = b, .bound = wave_bound(b->axes.node) };
	struct axes *a = &b->axes;
	struct lowering *l = a->l = lowering_new(a->plan,
	                                         str_print("%s_pairs%d", a->node->name, b->group));
	struct kernel *k = l->k;
	k->note = "Problems of a few lanes each, all rows in registers, two cells a word.";
	k->block[0] = b->lanes;
	k->block[1] = k->block[2] = 1;
	k->min_blocks = l->target->unrolls ? WARPS : 1;
	if (births_final(a))
		births_written(a);
	lowering_writes(l, a->node);
	batch_bind(b);
	k_bind_calls(k, &pack, CALLS(KTEXT_ROW, KTEXT_ROW));
	k_text(k, "pairs");
	struct kx *blocks = x_min(batch_units(b), x_i64(l->target->turn_blocks));
	lowering_launch(l, blocks, x_i64(1), x_i64(1));
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
