/* search_tile.c - rows on a GPU that search a sorted array, search(x, v).  The values sought are
 * often sorted too, as in a join of two sorted tables.
 *
 * A block takes a tile of rows.  If these are sorted, all of them end in the segment of x between
 * the places of the first row and the last.  A kernel before it finds these two for every tile, a
 * thread each: a block would wait for several accesses of memory, one after another.  The block
 * copies its segment to shared memory, and each thread halves it for all of its rows at once, whose
 * loads overlap.  The search for the end of a run begins from its first cell.
 *
 * A segment that is too long is halved in memory.  If a value is not between those of the first row
 * and the last, the rows of the tile halve all of x: the result does not depend on their order.
 *
 * H100, a join of 2^26 sorted rows of u32 (a prototype of compact_rows.c): 1.16 ms if each block
 * finds its segment and a thread searches one row after another; 0.99 with the kernel before it;
 * 0.79 with the rows together and less to compute for each item. */
#include <string.h>
#include "search_tile.h"

enum {
	SEGMENT_BYTES = 12288, NEAR_BITS = 3,
	ROWS = 8, ROWS_OF_8 = 4              /* of a thread; where it seeks values of 8 bytes */
};

/* ---- which searches ---- */

static const struct expr *value_of(const struct expr *search)
{
	return search_compare(search)->arg.at[1];
}

struct indices { const struct node *node; struct var *const *at; int n; };

static bool is_known_index(struct expr *e, void *indices)
{
	const struct indices *i = indices;
	if (e->kind == E_READ && node_writes(i->node, e->var))
		return false;
	if (e->kind != E_VAR || (e->var->kind != VAR_INDEX && e->var->kind != VAR_LOCAL))
		return true;
	for (int k = 0; k < i->n; k++)
		if (e->var == i->at[k])
			return true;
	return false;
}

static bool uses_any(const struct expr *e, const struct indices *i)
{
	for (int k = 0; k < i->n; k++)
		if (expr_uses(e, i->at[k]))
			return true;
	return false;
}

/* Every thread may compute it first, once more, whatever the conditions around the search are, and
 * it can be recognised (a constant NaN is not expr_same). */
static bool may_precede(const struct indices *i, const struct expr *value)
{
	return !needs_statements(value) && !expr_guarded(value) && !expr_slow(value)
	       && !expr_has(value, E_OR_ZERO) && uses_any(value, i) && expr_same(value, value)
	       && expr_walk((struct expr *)value, is_known_index, (void *)i);
}

/* Arrays that the program writes are searched cell by cell: this is not supported for them. */
static bool array_fits(const struct expr *cell)
{
	return cell->kind == E_READ && cell->var->kind == VAR_PARAM && cell->var->mode == MODE_IN
	       && cell->var->rank == 1 && is_dense(cell->var);
}

static bool is_of(const struct tile_search *ts, const struct expr *e)
{
	return e->kind == E_FOLD && e->fold->sorted && searched_cell(e)->kind == E_READ
	       && searched_cell(e)->var == ts->array && value_of(e)->type == ts->sought;
}

static bool is_upper(const struct expr *search)
{
	return search_compare(search)->op == OP_GT;
}

/* Its number, or -1. */
static int known(const struct tile_search *ts, const struct expr *e)
{
	for (int k = 0; k < ts->n && is_of(ts, e); k++)
		if (is_upper(e) == is_upper(ts->search[k])
		    && expr_same(value_of(e), ts->value[ts->value_of[k]]))
			return k;
	return -1;
}

static void add(struct tile_search *ts, const struct expr *search)
{
	int v = 0;
	while (v < ts->values && !expr_same(ts->value[v], value_of(search)))
		v++;
	ts->value[v] = value_of(search);
	ts->values = v < ts->values ? ts->values : v + 1;
	ts->value_of[ts->n] = v;
	ts->search[ts->n++] = search;
}

struct finding { struct tile_search *ts; struct indices of; };

static bool find_search(struct expr *e, void *state)
{
	struct finding *f = state;
	struct tile_search *ts = f->ts;
	if (e->kind != E_FOLD || !e->fold->sorted || !array_fits(searched_cell(e))
	    || !may_precede(&f->of, value_of(e)))
		return true;
	if (!ts->array) {
		ts->array = searched_cell(e)->var;
		ts->sought = value_of(e)->type;
		ts->each = type_size(ts->sought) < 8 && type_size(ts->array->type) < 8 ? ROWS
		                                                                       : ROWS_OF_8;
	}
	if (is_of(ts, e) && known(ts, e) < 0 && ts->n < MOST_SEARCHES)
		add(ts, e);
	return true;
}

void tile_search_find(struct tile_search *ts, const struct node *node, struct var *const *index,
                      int n, const struct expr *e)
{
	struct finding f = { ts, { node, index, n } };
	expr_walk((struct expr *)e, find_search, &f);
}

/* ---- in the kernel ---- */

/* The cell of x whose value is known, as the search compares it. */
static struct kx *known_cell(struct lowering *l, const struct expr *read)
{
	(void)read;
	return (struct kx *)l->now.state;
}

KTEXT_HOLE(passes)
{
	const struct tile_search *ts = state;
	struct lower_context before = l->now;
	l->now.read = known_cell;
	l->now.state = arg[1];
	struct kx *value = lower_expr(l, search_compare(ts->search[0])->arg.at[0]);
	l->now = before;
	return arg[0]->i ? x_unary(OP_NOT, x_op(OP_GT, value, arg[2])) : x_op(OP_LT, value, arg[2]);
}

KTEXT_HOLE(seek)
{
	const struct tile_search *ts = state;
	ts->bind(l, ts->state, arg[0]);
	return lower_expr(l, ts->value[arg[1]->i]);
}

int64_t tile_search_cells(const struct tile_search *ts)
{
	int64_t size = type_size(ts->array->type);
	return SEGMENT_BYTES / (size < 4 ? 4 : size);
}

int64_t tile_search_bytes(const struct tile_search *ts)
{
	int64_t cells = ts->array ? tile_search_cells(ts) + (1 << NEAR_BITS) : 0;
	return cells ? cells * type_size(ts->array->type) : 0;
}

static void bind_searches(struct kernel *k, const struct tile_search *ts)
{
	int64_t row[MOST_SEARCHES * 4], number[MOST_SEARCHES];
	for (int s = 0; s < ts->n; s++) {
		int after = -1;
		for (int t = 0; t < s && is_upper(ts->search[s]); t++)
			if (!is_upper(ts->search[t]) && ts->value_of[t] == ts->value_of[s])
				after = t;
		memcpy(&row[s * 4],
		       (int64_t[]){ s, is_upper(ts->search[s]), ts->value_of[s], after },
		       4 * sizeof *row);
	}
	for (int v = 0; v < ts->values; v++)
		number[v] = v;
	bind_listed(k, "SEARCH, UPPER, PROBE, AFTER", ts->n, row);
	bind_listed(k, "VALUE", ts->values, number);
}

static void bind_tile(struct lowering *l, const struct tile_search *ts, struct kvar *places,
                      bool finds)
{
	struct kernel *k = l->k;
	bind_searches(k, ts);
	int64_t cells = tile_search_cells(ts);
	k_numbers(k, "SEGMENT, SEGMENT_BITS", cells, log2_of((int)cells) + 1);
	k_numbers(k, "NEAR, NEAR_BITS", 1 << NEAR_BITS, NEAR_BITS);
	k_bind(k, "CELL", ts->array->type);
	k_bind(k, "SOUGHT", ts->sought);
	k_bind(k, "x", lower_pointer(l, ts->array));
	k_bind(k, "x_cells", lower_extent(l, ts->array, 0));
	struct kx *first = ts->first ? ts->first : x_i64(0);
	k_bind(k, "first_row", lower_number(l, "first", first));
	k_bind(k, "places", lower_argument(l, "places", kt_pointer(type_scalar(T_I64), !finds),
	                                   x_var(places)));
	k_bind_calls(k, ts, { "seek", seek }, { "passes", passes });
}

void tile_search_shape(struct lowering *l, const struct tile_search *ts)
{
	int block = l->k->block[0];
	k_numbers(l->k, "BLOCK, WARPS, EACH, TILE", block, block / l->target->lanes, ts->each,
	          (int64_t)ts->each * block);
}

void tile_search_bind(struct lowering *l, const struct tile_search *ts, struct kvar *places)
{
	bind_tile(l, ts, places, false);
}

struct kvar *tile_search_places(struct plan *plan, const struct tile_search *ts, const char *name,
                                struct kx *rows, struct kx *tiles)
{
	struct lowering *l = lowering_new(plan, str_print("%s_places", name));
	struct kx *count = x_mul(tiles, x_i64(2));
	struct kvar *places = plan_slot(plan, "places", type_scalar(T_I64), 1, &count);
	block_launch_bounds(l);
	l->k->note = "Finds the segment of the array that the rows of each tile seek.";
	tile_search_shape(l, ts);
	k_bind(l->k, "rows", lower_argument(l, "rows", kt_scalar(T_I64), rows));
	k_bind(l->k, "tiles", lower_argument(l, "tiles", kt_scalar(T_I64), tiles));
	bind_tile(l, ts, places, true);
	k_text(l->k, "find_places");
	lowering_launch(l, x_div_up(x_mul(tiles, x_i64(2)), x_i64(l->k->block[0])), x_i64(1),
	                x_i64(1));
	return places;
}

/* The value may have become a variable of the kernel: it is computed for the bound row. */
static struct kx *in_memory(struct lowering *l, const struct tile_search *ts, int s)
{
	struct kx *sought = x_var(k_let(l->k, "sought", lower_expr(l, ts->value[ts->value_of[s]])));
	int names = k_names(l->k);
	k_text(l->k, "find_in_memory", x_int(T_BOOL, is_upper(ts->search[s])), sought);
	struct kx *place = k_get(l->k, "place");
	k_forget(l->k, names);
	return place;
}

struct tile_row tile_search_row(const struct tile_search *ts, struct kx *e)
{
	return (struct tile_row){ ts, x_is_int(kx_fold(e), -1) ? NULL : e };
}

struct kx *tile_search_place(struct lowering *l, const struct expr *e)
{
	const struct tile_row *row = l->now.fold_state;
	int s = e->fold->sorted ? known(row->ts, e) : -1;
	if (s < 0)
		return NULL;
	if (!row->e)
		return in_memory(l, row->ts, s);
	return x_var(k_let(l->k, "place", k_value(l->k, "found_at", row->e, x_int(T_INT_LIT, s))));
}

struct kx *tile_search_between(struct lowering *l, const struct tile_row *row,
                               const struct expr *from, const struct expr *to)
{
	int first = known(row->ts, from), end = known(row->ts, to);
	if (!row->e || first < 0 || end < 0)
		return NULL;
	return k_value(l->k, "found_between", row->e, x_int(T_INT_LIT, first),
	               x_int(T_INT_LIT, end));
}
