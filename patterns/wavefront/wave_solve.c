/* wave_solve.c - the rows of a block of a wavefront by blocks, on a GPU: solve.kernel has the
 * design, wave_blocked.c what the block is part of.
 *
 * The terms are those of the product before it, one operand a matrix that is the same for all
 * columns, one the table.  Reads outside of the fold that are the same for all columns, such as the
 * diagonal of the matrix, come to shared memory with it. */
#include "ask.h"
#include "ktext.h"
#include "wave_blocked.h"
#include "../matmul/product.h"

enum { STEP_BYTES = 128, SOLVE_THREADS = 64, AHEAD = 8, MOST_LEVEL = 4, VECTOR = 16 };

struct solve {
	const struct node *node;
	const struct wave_block *block;
	struct product p;
	enum side row, column;               /* the operand with the matrix; with the table */
	struct lowering *l;
	struct product_text *text;
	struct batch axes;
	int step;
	LIST(const struct expr *) level;
	struct kx *held[MOST_LEVEL], *place; /* of level values; NULL: they are read */
	struct kx *value;                    /* of the table at the bound term, or NULL */
};

static const struct var *table(const struct solve *s)
{
	return wave_table(s->node, 0)->var;
}

/* ---- reads that are the same for all columns ---- */

static bool is_level(const struct solve *s, const struct expr *e)
{
	if (e->kind != E_READ || e->checked || e->guarded || e->var == table(s))
		return false;
	for (int k = 0; k < s->node->index.n; k++)
		if ((k == s->block->row) != expr_uses(e, s->node->index.at[k]))
			return false;
	return true;
}

static int level_number(const struct solve *s, const struct expr *e)
{
	int n = 0;
	while (n < s->level.n && !product_same(s->level.at[n], e))
		n++;
	return n;
}

static void find_level(struct solve *s, const struct expr *e)
{
	if (e->kind == E_FOLD)
		return;
	if (is_level(s, e) && level_number(s, e) == s->level.n && s->level.n < MOST_LEVEL)
		list_add(&s->level, e);
	for (int a = 0; e->kind != E_READ && a < e->arg.n; a++)
		find_level(s, e->arg.at[a]);
}

/* ---- what solve.kernel leaves open ---- */

static struct kx *reader(struct lowering *l, const struct expr *e)
{
	const struct solve *s = l->now.state;
	if (s->value && e->var == table(s))
		return s->value;
	int n = s->place ? level_number(s, e) : s->level.n;
	return n < s->level.n ? x_at(s->held[n], s->place) : lower_cell(l, e);
}

static struct kx *read_so(struct solve *s, const struct expr *e)
{
	struct lower_context before = s->l->now;
	s->l->now.read = reader;
	s->l->now.state = s;
	struct kx *value = lower_expr(s->l, e);
	s->l->now = before;
	s->value = s->place = NULL;
	return value;
}

static void bind_index(struct solve *s, const struct var *index, struct kx *at)
{
	lower_bind(s->l, index, x_var(k_let(s->l->k, index->name, at)));
}

static struct kx *memory_of(struct solve *s, const struct type *type, const char *name,
                            int64_t cells)
{
	struct kvar *v = k_shared(s->l->k, type, name, cells);
	v->align = VECTOR;
	return x_var(v);
}

static int strip_of(const struct solve *s)
{
	return VECTOR / (int)type_size(s->p.operand[s->row].e->type);
}

static struct kx *matrix_memory(struct solve *s)
{
	return memory_of(s, s->p.operand[s->row].e->type, "matrix",
	                 (int64_t)s->step * (s->step + strip_of(s)));
}

static struct kx *level_memory(struct solve *s)
{
	int n = s->l->k->each;
	return s->held[n] = memory_of(s, s->level.at[n]->type, "level", s->step);
}

static struct kx *solved(struct solve *s, struct kx *value)
{
	s->value = value;
	return read_so(s, s->p.operand[s->column].e);
}

static void fold_term(struct solve *s, struct kx *const *arg)
{
	lower_bind(s->l, s->p.operand[s->row].placeholder, arg[1]);
	lower_bind(s->l, s->p.operand[s->column].placeholder, arg[2]);
	const struct accumulator acc = product_accumulator(&s->p);
	accumulate_term(s->l, s->p.term, &acc, arg[0]);
}

static struct kx *result(struct solve *s, struct kx *const *arg)
{
	const struct equation *eq = s->node->equation.at[0];
	lower_bind(s->l, s->block->own, arg[0]);
	list_add(&s->l->folded, ((struct folded){ s->block->fold, product_sum(&s->p, arg[1]) }));
	s->place = arg[2];
	struct kx *value = lower_result(eq, 0, read_so(s, eq->right));
	s->l->folded.n = 0;
	return value;
}

static void keep(struct solve *s, struct kx *value)
{
	lower_store(s->l, s->node->equation.at[0]->target.at[0], value);
}

static struct kx *nothing(const struct solve *s)
{
	const struct accumulator acc = product_accumulator(&s->p);
	return lower_identity(s->l, acc.op, acc.type);
}

#define CALLS(DO, GET) \
	DO(bind_problem, product_bind(l, &s->axes, arg[0])) \
	DO(bind_row, bind_index(s, s->node->index.at[s->block->row], arg[0])) \
	DO(bind_term, bind_index(s, s->p.depth, arg[0])) \
	DO(bind_column, bind_index(s, s->p.operand[s->column].along, arg[0])) \
	DO(fold, fold_term(s, arg)) \
	DO(keep, keep(s, arg[0])) \
	GET(memory, matrix_memory(s)) \
	GET(level_memory, level_memory(s)) \
	GET(level_value, lower_expr(l, s->level.at[l->k->each])) \
	GET(matrix, lower_expr(l, s->p.operand[s->row].e)) \
	GET(above, lower_expr(l, s->p.operand[s->column].e)) \
	GET(solved, solved(s, arg[0])) \
	GET(own_cell, lower_cell(l, wave_table(s->node, 0))) \
	GET(result, result(s, arg)) \
	GET(nothing, nothing(s)) \
	GET(zero, lower_zero(s->p.operand[s->row].e->type))

#define HOLE_DO(name, call) KTEXT_CALL(struct solve, s, name, call; return NULL;)
#define HOLE_GET(name, value) KTEXT_CALL(struct solve, s, name, return value;)

CALLS(HOLE_DO, HOLE_GET)

/* ---- the kernel ---- */

static struct kx *host_end(struct solve *s, int k, bool high)
{
	return lower_index(host_lowering(s->l->plan),
	                   high ? s->node->hi.at[k] : s->node->lo.at[k]);
}

static void bind_rows(struct solve *s)
{
	struct lowering *l = s->l;
	const int k = s->block->row;
	bool back = s->node->wave->back[k];
	struct kx *rows = plan_range(l->plan, host_end(s, k, false), host_end(s, k, true)),
		  *first = back ? x_sub(host_end(s, k, true), x_i64(1)) : host_end(s, k, false);
	k_bind(l->k, "rows", lower_argument(l, "rows", kt_scalar(T_I32),
	                                    x_cast(kt_scalar(T_I32), rows)));
	k_bind(l->k, "row_first", lower_argument(l, "row_first", kt_scalar(T_I64), first));
	k_numbers(l->k, "SIGN", back ? -1 : 1);
}

/* The blocks of all columns. */
static struct kx *bind_columns(struct solve *s)
{
	struct lowering *l = s->l;
	const int k = s->p.index[s->column];
	struct kx *columns = plan_let(l->plan, "columns", product_cells(l->plan, &s->p, k)),
		  *blocks = plan_let(l->plan, "column_blocks",
	                             x_div_up(columns, x_i64(SOLVE_THREADS))),
		  *batch = product_batch(l->plan, &s->p);
	k_bind(l->k, "columns", lower_argument(l, "columns", kt_scalar(T_I64), columns));
	k_bind(l->k, "column_first", lower_number(l, "column_first", host_end(s, k, false)));
	k_bind(l->k, "column_blocks",
	       batch ? lower_argument(l, "column_blocks", kt_scalar(T_I64), blocks) : x_i64(1));
	k_numbers(l->k, "BATCH", batch != NULL);
	s->axes = product_axes(l, &s->p);
	return batch ? x_mul(blocks, batch) : blocks;
}

static void bind_shape(struct solve *s)
{
	struct kernel *k = s->l->k;
	const struct operand *matrix = &s->p.operand[s->row];
	struct kx *numbers[MOST_LEVEL];
	for (int n = 0; n < s->level.n; n++)
		numbers[n] = x_int(T_INT_LIT, n);
	bind_values(k, "level", s->level.n, numbers);
	k_numbers(k, "STEP, PITCH, STRIP, THREADS, EACH, AHEAD, DEEP", s->step,
	          s->step + strip_of(s), strip_of(s), SOLVE_THREADS,
	          s->step * s->step / SOLVE_THREADS, AHEAD, matrix->deep);
	k_bind(k, "SUM", s->p.term->type);
	k_bind(k, "CELL", s->p.operand[s->column].e->type);
	k_bind(k, "TABLE", table(s)->type);
	k_bind_calls(k, s, CALLS(KTEXT_ROW, KTEXT_ROW));
}

void wave_solve(struct plan *plan, const struct node *node)
{
	struct solve *s = NEW(struct solve);
	s->node = node;
	s->block = node->wave->block;
	product_find(&s->p, s->block->product, plan->target);
	s->row = s->p.index[ROWS] == s->block->row ? ROWS : COLUMNS;
	s->column = s->row == ROWS ? COLUMNS : ROWS;
	s->step = STEP_BYTES / (int)type_size(s->p.term->type);
	find_level(s, node->equation.at[0]->right);
	struct lowering *l = s->l = lowering_new(plan, node->name);
	l->k->note = "The rows of a block, whose terms of rows before it are folded already.";
	lowering_writes(l, node);
	l->k->block[0] = SOLVE_THREADS;
	l->k->block[1] = l->k->block[2] = 1;
	bind_rows(s);
	struct kx *blocks = bind_columns(s);
	bind_shape(s);
	k_text(l->k, "solve_rows");
	lowering_launch(l, blocks, x_i64(1), x_i64(1));
}
