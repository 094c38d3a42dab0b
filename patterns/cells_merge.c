/* cells_merge.c - cells on a GPU that search a sorted array, search(x, v).  The values sought are
 * often sorted too, as in a join of two sorted tables.
 *
 * A block takes a tile of cells.  Its threads compute the value that each cell seeks, and the block
 * folds the least and the greatest of them.  Two warps search all of x for these two: the lanes of
 * a warp look at one part of x each, so that 6 steps are enough for 2^26 cells.  The places of all
 * values of the tile are in the segment of x between these two.  The block copies a short segment
 * to shared memory and searches it there; a longer one is searched in memory.  So the result does
 * not depend on the order of the values; where they are sorted, the blocks read x once, one
 * segment after another.
 *
 * A comparison with NaN never holds: NaN takes no part in the least and the greatest, and its place
 * is 0, or the end of x with `upper`. */
#include "cells_merge.h"
#include "block_scan.h"

enum { SEGMENT_BYTES = 16384, CELLS_OF_4 = 8, CELLS_OF_8 = 4, FEWER = 8 };

struct merge {
	struct cells *c;
	const struct expr *search;           /* the first one of the statement */
	const struct var *array;
	const struct type *sought;           /* what it is compared with */
};

/* ---- which statements ---- */

static const struct expr *probe_of(const struct expr *search)
{
	return search_compare(search)->arg.at[1];
}

static bool is_known_index(struct expr *e, void *node)
{
	const struct node *n = node;
	if (e->kind == E_READ && node_writes(n, e->var))
		return false;
	if (e->kind != E_VAR || (e->var->kind != VAR_INDEX && e->var->kind != VAR_LOCAL))
		return true;
	return e->var == n->index.at[0];
}

/* Every thread may compute it first, once more, whatever the conditions around the search are, and
 * it can be recognised (a constant NaN is not expr_same). */
static bool may_precede(const struct node *node, const struct expr *probe)
{
	return !needs_statements(probe) && !expr_guarded(probe) && !expr_slow(probe)
	       && !expr_has(probe, E_OR_ZERO) && expr_uses(probe, node->index.at[0])
	       && expr_same(probe, probe)
	       && expr_walk((struct expr *)probe, is_known_index, (void *)node);
}

/* Arrays that the program writes are searched cell by cell: this is not built for them. */
static bool array_fits(const struct expr *cell)
{
	return cell->kind == E_READ && cell->var->kind == VAR_PARAM && cell->var->mode == MODE_IN
	       && cell->var->rank == 1 && is_dense(cell->var);
}

struct finding { const struct node *node; const struct expr *search; };

static bool find_search(struct expr *e, void *state)
{
	struct finding *f = state;
	if (e->kind == E_FOLD && e->fold->sorted && array_fits(searched_cell(e))
	    && may_precede(f->node, probe_of(e)))
		f->search = e;
	return !f->search;
}

static const struct expr *search_of(const struct node *node)
{
	struct finding f = { .node = node };
	for (int q = 0; q < node->equation.n && !f.search; q++)
		expr_walk(node->equation.at[q]->right, find_search, &f);
	return f.search;
}

bool merge_fits(const struct task *task)
{
	const struct cells *c = task->found;
	const struct node *node = task->node;
	return node->index.n == 1 && cells_exact(node, 0) && !targets_checked(node) && !c->edged
	       && !c->meeting && !task->group->epilogue.n && !task->group->mate.n
	       && search_of(node);
}

/* ---- how many cells ---- */

static int each_of(const struct merge *m)
{
	return type_size(m->array->type) < 8 ? CELLS_OF_4 : CELLS_OF_8;
}

static int64_t segment_of(const struct var *array)
{
	int64_t size = type_size(array->type);
	return SEGMENT_BYTES / (size < 4 ? 4 : size);
}

static struct kx *cells_of(struct cells *c)
{
	struct lowering *host = host_lowering(c->l->plan);
	return x_max(x_sub(cells_range_hi(c, 0, host), cells_range_lo(c, 0, host)), x_i64(0));
}

/* A segment of x is no longer than shared memory where cells are not much fewer than those of x. */
struct kx *merge_pays(const struct task *task)
{
	struct cells *c = task->found;
	const struct var *array = searched_cell(search_of(task->node))->var;
	struct kx *all = lower_extent(host_lowering(task->plan), array, 0);
	return x_and(x_lt(x_i64(segment_of(array)), all),
	             x_le(all, x_mul(cells_of(c), x_i64(FEWER))));
}

/* ---- in the kernel ---- */

/* The cell of x whose value is known, as the search compares it. */
static struct kx *known_cell(struct lowering *l, const struct expr *read)
{
	(void)read;
	return (struct kx *)l->now.state;
}

/* Does the place lie after this cell? */
static struct kx *is_before(struct lowering *l, bool upper, const struct expr *search,
                            struct kx *cell, struct kx *sought)
{
	struct lower_context before = l->now;
	l->now.read = known_cell;
	l->now.state = cell;
	struct kx *value = lower_expr(l, search_compare(search)->arg.at[0]);
	l->now = before;
	return upper ? x_unary(OP_NOT, x_op(OP_GT, value, sought)) : x_op(OP_LT, value, sought);
}

KTEXT_HOLE(goes_on)
{
	const struct merge *m = state;
	return is_before(l, arg[0]->i, m->search, arg[1], arg[2]);
}

/* Of find.kernel, whose key is `upper`. */
KTEXT_HOLE(is_passed)
{
	const struct merge *m = state;
	struct kx *cell = x_at(k_get(l->k, "x"), arg[0]);
	return x_var(k_let(l->k, "before", is_before(l, arg[1]->i, m->search, cell, arg[2])));
}

static struct kx *bind_cell(const struct merge *m, struct kx *at)
{
	cells_bind(m->c, 0, at);
	return lower_var(m->c->l, m->c->node->index.at[0]);
}

KTEXT_HOLE(probe)
{
	const struct merge *m = state;
	bind_cell(m, arg[0]);
	return x_var(k_let(l->k, "sought", lower_expr(l, probe_of(m->search))));
}

KTEXT_HOLE(take)
{
	const struct merge *m = state;
	bind_cell(m, arg[0]);
	cells_body(m->c, CELL_PLAIN);
	return NULL;
}

/* lowering.fold: of the same array and what the first one looks for. */
static struct kx *merge_search(struct lowering *l, const struct expr *e)
{
	const struct merge *m = l->now.fold_state;
	if (!e->fold->sorted || searched_cell(e)->kind != E_READ
	    || searched_cell(e)->var != m->array || !expr_same(probe_of(e), probe_of(m->search)))
		return NULL;
	struct kx *sought = x_var(k_let(l->k, "sought", lower_expr(l, probe_of(e))));
	int names = k_names(l->k);
	k_text(l->k, "halve", sought, x_int(T_BOOL, search_compare(e)->op == OP_GT));
	struct kx *place = k_get(l->k, "place");
	k_forget(l->k, names);
	return place;
}

static void bind_ends(struct merge *m, struct accumulators *acc)
{
	static const enum op_kind kind[] = { OPK_MIN, OPK_MAX };
	struct lowering *l = m->c->l;
	acc->n = 2;
	for (int a = 0; a < acc->n; a++) {
		acc->at[a] = (struct accumulator){
			.op = op_own(kind[a]), .of = m->sought, .type = m->sought
		};
		acc->at[a].var = k_var(l->k, kt(m->sought), a ? "most" : "least",
		                       accumulator_start(l, &acc->at[a]));
	}
	k_bind(l->k, "least", acc->at[0].var);
	k_bind(l->k, "most", acc->at[1].var);
}

KTEXT_HOLE(fold_ends)
{
	block_fold(l, state);
	return NULL;
}

static void bind_shape(const struct merge *m)
{
	struct kernel *k = m->c->l->k;
	int each = each_of(m), block = k->block[0];
	k_numbers(k, "BLOCK, EACH, CELLS, SEGMENT", block, each, each * block,
	          segment_of(m->array));
	k_bind(k, "IS_FLOAT", type_class(m->sought) == 'F');
	k_bind(k, "CELL", m->array->type);
	k_bind(k, "SOUGHT", m->sought);
}

static void merge_text(struct merge *m, struct kx *count)
{
	struct lowering *l = m->c->l;
	struct accumulators acc = { 0 };
	struct kx *warp, *lane = lane_of(l, &warp);
	bind_shape(m);
	bind_ends(m, &acc);
	k_bind(l->k, "lane", lane);
	k_bind(l->k, "warp", warp);
	k_bind(l->k, "x", lower_pointer(l, m->array));
	k_bind(l->k, "all", lower_extent(l, m->array, 0));
	k_bind(l->k, "cells_first", cells_argument(m->c, "%s_first", 0, m->c->index[0]));
	k_bind(l->k, "count", count);
	k_bind_calls(l->k, m, { "is_passed", is_passed }, { "goes_on", goes_on },
	             { "probe", probe }, { "take", take });
	k_bind_call(l->k, "fold_ends", fold_ends, &acc);
	l->now.fold = merge_search;
	l->now.fold_state = m;
	k_text(l->k, "merge_cells");
}

void merge_lower(const struct task *task)
{
	struct merge m = { .c = cells_open(task->plan, task->group, false, "_merge") };
	struct cells *c = m.c;
	struct lowering *l = c->l;
	m.search = search_of(c->node);
	m.array = searched_cell(m.search)->var;
	m.sought = probe_of(m.search)->type;
	block_launch_bounds(l);
	l->k->min_blocks = 1;            /* as in cells_gpu.c, against spills */
	l->k->note = "Searches the segment of the array that all searches of a block end in.";
	struct kx *cells = cells_of(c);
	c->index[0] = cells_range_lo(c, 0, host_lowering(task->plan));
	merge_text(&m, lower_argument(l, "cells", kt_scalar(T_I64), cells));
	lowering_launch(l, x_div_up(cells, x_i64((int64_t)each_of(&m) * l->k->block[0])), x_i64(1),
	                x_i64(1));
}
