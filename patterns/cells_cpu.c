/* cells_cpu.c - cells on a CPU: rows are shared among threads, the inner loop over columns whose
 * neighbours are all inside is simd, and the columns at the edges are handled before and after
 * it.  One row alone is cut into chunks.  Threads take the next row or chunk when they are done,
 * if cells take as long as data decide.  What is folded after the cells goes to one place a row
 * and is folded in order. */
#include "cells.h"

enum {
	CPU_CHUNK = 8192,                /* cells: 64 KiB of f64, half a usual L2 for two arrays */
	FEW_COLUMNS = 8,                 /* of a tile: fewer are no loop of their own */
	CPU_FOLDS = 16     /* cells that each fold an axis of their own, or loop as data say */
};

/* The host's view of the domain, passed to the kernel: lo and size per index. */
struct ranges {
	struct kx *lo[MAX_RANK], *size[MAX_RANK], *host_lo[MAX_RANK], *host_size[MAX_RANK];
	struct kx *rows, *host_rows;
};

static void find_ranges(struct cells *c, struct ranges *r)
{
	struct lowering *l = c->l, *host = host_lowering(l->plan);
	r->host_rows = x_i64(1);
	for (int d = 0; d < c->rank; d++) {
		const char *name = c->node->index.at[d]->name;
		r->host_lo[d] = cells_range_lo(c, d, host);
		struct kx *hi = cells_range_hi(c, d, host);
		if (!x_is_int(r->host_lo[d], 0))
			r->host_lo[d] = plan_let(c->l->plan, str_print("%s_first", name),
			                         r->host_lo[d]);
		struct kx *size = plan_range(c->l->plan, r->host_lo[d], hi);
		r->host_size[d] = plan_let(c->l->plan, str_print("%s_cells", name), size);
		r->lo[d] = x_is_int(r->host_lo[d], 0)
		                   ? r->host_lo[d]
		                   : lower_argument(l, str_print("%s_first", name),
		                                    kt_scalar(T_I64), r->host_lo[d]);
		if (d == c->column || d > 0)
			r->size[d] = lower_argument(l, str_print("%s_cells", name),
			                            kt_scalar(T_I64), r->host_size[d]);
		if (d != c->column)
			r->host_rows = d ? x_mul(r->host_rows, r->host_size[d]) : r->host_size[d];
	}
	if (c->rank > 1) {
		r->host_rows = plan_let(c->l->plan, "rows", r->host_rows);
		r->rows = lower_argument(l, "rows", kt_scalar(T_I64), r->host_rows);
	}
}

static void cpu_columns(struct cells *c, struct kx *lo, struct kx *hi, int flags,
                        enum cell_mode mode)
{
	struct kernel *k = c->l->k;
	struct kvar *j = k_for(k, c->node->index.at[c->column]->name, lo, hi, x_i64(1), flags);
	cells_bind(c, c->column, x_var(j));
	c->l->along.column = j;
	cells_body_guarded(c, mode);
	k_end(k);
}

static int simd_flag(const struct cells *c)
{
	bool plain = !c->meeting && node_walk((struct node *)c->node, cells_no_fold, NULL);
	return !plain || node_checked(c->node) ? 0 : FOR_SIMD;
}

struct tiling { const struct var *column; int64_t cells; };

static bool find_tiles(struct expr *e, void *state)
{
	struct tiling *t = state;
	if (e->kind != E_READ || !var_tiled(e->var))
		return true;
	const struct expr *last = e->arg.at[e->arg.n - 1];
	int64_t cells = e->var->layout->tile[1];
	if (last->kind == E_VAR && last->var == t->column && cells >= FEW_COLUMNS
	    && (!t->cells || cells < t->cells))
		t->cells = cells;
	return true;
}

/* The columns whose neighbours are all inside; where arrays lie in tiles, those of one after those
 * of another. */
static void cpu_inside(struct cells *c, struct kx *lo, struct kx *hi)
{
	struct kernel *k = c->l->k;
	struct tiling t = { c->node->index.at[c->column], 0 };
	struct kx *first, *last;
	node_walk((struct node *)c->node, find_tiles, &t);
	if (!t.cells) {
		cpu_columns(c, lo, hi, simd_flag(c), CELL_PLAIN);
		return;
	}
	lower_lane(t.cells, lo, &first);
	lower_lane(t.cells, x_add(hi, x_i64(t.cells - 1)), &last);
	c->l->along.cells = t.cells;
	c->l->along.tile = x_var(k_for(k, "tile", first, last, x_i64(1), 0));
	struct kx *begin = x_mul(c->l->along.tile, x_i64(t.cells));
	struct kx *from = x_var(k_let(k, "from", x_is_int(lo, 0) ? begin : x_max(lo, begin)));
	struct kx *to = x_var(k_let(k, "to", x_min(x_add(begin, x_i64(t.cells)), hi)));
	cpu_columns(c, from, to, simd_flag(c), CELL_PLAIN);
	c->l->along.tile = NULL;
	k_end(k);
}

/* Border columns left and right of the inside ones, in one loop that is written once. */
static void cpu_border(struct cells *c, struct kx *lo, struct kx *hi, struct kx *first,
                       struct kx *last)
{
	struct kernel *k = c->l->k;
	struct kvar *side = k_for(k, "side", x_i32(0), x_i32(2), x_i32(1), 0);
	struct kx *left = x_eq(x_var(side), x_i32(0));
	struct kx *from = x_var(k_let(k, "from", x_cond(left, lo, last)));
	struct kx *to = x_var(k_let(k, "to", x_cond(left, first, hi)));
	cpu_columns(c, from, to, 0, CELL_BORDER);
	k_end(k);
}

static void cpu_row(struct cells *c, struct kx *lo, struct kx *hi)
{
	struct kernel *k = c->l->k;
	if (!c->edged) {
		cpu_inside(c, lo, hi);
		return;
	}
	struct kx *first = lo, *last = hi, *rows = cells_inside_rows(c);
	cells_column_range(c, &first, &last);
	/* first <= last, both within lo .. hi; both hi when the row itself is at an edge */
	first = x_max(lo, x_min(first, hi));
	if (rows)
		first = x_cond(rows, first, hi);
	first = x_var(k_let(k, "inside_first", first));
	last = x_var(k_let(k, "inside_last",
	                   rows ? x_cond(rows, x_max(last, first), hi) : x_max(last, first)));
	cpu_border(c, lo, hi, first, last);
	cpu_inside(c, first, last);
}

void cells_find_partials(struct cells *c, struct kx *parts, struct kx **slot, struct kx **partial)
{
	cells_find_folds(c);
	for (int f = 0; f < c->folds.n; f++) {
		const struct type *type = accumulator_type(c->folds.at[f]);
		slot[f] = x_var(plan_slot(c->l->plan, "partial", type, 1, &parts));
		partial[f] = lower_argument(c->l, "partial", kt_pointer(type, false), slot[f]);
	}
}

static void set_column(void *state, struct kx *column)
{
	struct cells *c = state;
	cells_bind(c, c->column, column);
}

/* The folds after the cells run over each row again, while it is still in the cache. */
static void rows_cpu(struct cells *c)
{
	struct lowering *l = c->l;
	struct kernel *k = l->k;
	struct ranges r = { .rows = NULL };
	find_ranges(c, &r);
	bool chunked = c->rank == 1;
	const bool uneven = node_uneven(c->node);
	bool short_cells = !uneven && node_walk((struct node *)c->node, cells_no_fold, NULL);
	int64_t chunk = short_cells ? CPU_CHUNK : CPU_FOLDS;
	struct kx *host_rows = chunked ? x_div_up(r.host_size[0], x_i64(chunk)) : r.host_rows;
	if (chunked) {
		host_rows = plan_let(c->l->plan, "chunks", host_rows);
		r.rows = lower_argument(l, "chunks", kt_scalar(T_I64), host_rows);
	}
	struct kx *slot[FOLDS_MOST], *partial[FOLDS_MOST];
	cells_find_partials(c, host_rows, slot, partial);
	struct kx *row = x_var(
		k_for(k, chunked ? "chunk" : "row", x_i64(0), r.rows, x_i64(1),
	              FOR_PARALLEL | (uneven ? FOR_DYNAMIC : 0)));
	struct kx *lo = r.lo[c->column], *hi = x_add(lo, r.size[c->column]);
	if (chunked) {
		lo = x_var(k_let(k, "lo", x_add(lo, x_mul(row, x_i64(chunk)))));
		hi = x_var(k_let(k, "hi", x_min(x_add(lo, x_i64(chunk)), hi)));
	} else {
		cells_bind_row(c, row, r.lo, r.size, UINT64_C(1) << c->column);
	}
	cpu_row(c, lo, hi);
	c->acc = folds_start(l, &c->folds);
	c->mode = CELL_PLAIN;
	c->fresh.n = 0;
	if (c->folds.n)
		lanes_fold(l, &c->folds, &c->acc, lo, hi, set_column, c);
	for (int f = 0; f < c->folds.n; f++)
		k_set(k, x_at(partial[f], row), x_var(c->acc.at[f].var));
	k_end(k);
	lowering_launch(l, x_i64(1), x_i64(1), x_i64(1));
	if (c->folds.n)
		behind_join(l->plan, c->group, &c->folds, slot, host_rows);
}

static void flat_cpu(struct cells *c)
{
	struct lowering *l = c->l;
	struct kx *n = lower_argument(l, "cells", kt_scalar(T_I64), cells_count(c));
	struct kvar *i = k_for(l->k, "i", x_i64(0), n, x_i64(1), FOR_PARALLEL | FOR_SIMD);
	c->position = x_var(i);
	cells_body(c, CELL_PLAIN);
	k_end(l->k);
	lowering_launch(l, x_i64(1), x_i64(1), x_i64(1));
}

void cells_cpu(struct plan *plan, const struct group *group)
{
	struct cells *c = cells_open(plan, group, false, "");
	if (c->flat)
		flat_cpu(c);
	else
		rows_cpu(c);
}
