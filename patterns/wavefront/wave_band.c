/* wave_band.c - the rows of a tile abreast, on a CPU (band.kernel).
 *
 * Row by row a cell waits for the one to its left, and a core does one at a time.  The cells of an
 * anti-diagonal do not wait for each other: LANES rows of a tile go on together, and the compiler
 * makes vectors of the loop over them.  Along an anti-diagonal nothing lies side by side in memory,
 * so the last places of each table are kept on the stack, a line each, and so is what cells read
 * at places of their own: rows are copied there and back, some cells at a time.
 *
 * A neighbour that is not among the cells comes from memory or the boundary as its line is made, so
 * that cells test nothing, and a kernel has each cell once.
 *
 * A table that nobody else reads (wave_ring.c) is stored where it is looked at again: the last rows
 * of a band, the last places of a tile. */
#include <string.h>
#include "wave_band.h"

enum {
	LANES = 128, MARGIN = 16, PITCH = MARGIN + LANES,
	MOST_STEPS = 32, FEWEST_STEPS = 8,
	STACK = 36 << 10                     /* bytes of all lines, if that is possible: of L1 */
};

/* ---- does it fit? ---- */

static bool is_cell(struct step s)
{
	return s.here && !s.row && !s.column;
}

/* Is it in the lines of its table? */
static bool in_lines(const struct node *node, const struct neighbour *n)
{
	return n->fresh && step_of(node, n).here;
}

/* Places back to a neighbour. */
static int64_t places_back(struct step s, int64_t slope)
{
	return -(s.column + slope * s.row);
}

static bool looks_far(const struct node *node)
{
	for (int m = 0; m < node->wave->read.n; m++) {
		struct step s = step_of(node, node->wave->read.at[m]);
		if (in_lines(node, node->wave->read.at[m])
		    && (places_back(s, wave_slope(node) + 1) > BAND_BACK || -s.row > MARGIN))
			return true;
	}
	return false;
}

static const char *no_table(const struct node *node)
{
	for (int q = 0; q < node->equation.n; q++) {
		const struct expr *cell = wave_table(node, q);
		if (cell->type->kind == T_STRUCT || type_class(cell->type) == 'B')
			return "its cells are structs or bool";
		if (expr_has(node->equation.at[q]->right, E_FOLD))
			return "a cell is a fold";
	}
	return NULL;
}

const char *no_band(const struct node *node, const struct target *target)
{
	return target->gpu          ? "a lane has a row"
	       : node->index.n < 2  ? "there is one row"
	       : node->wave->far    ? "cells read others that are not neighbours"
	       : node->where        ? "a mask excludes cells"
	       : node_checked(node) ? "reads of a cell are tested at run time"
	       : !axes_even(node)   ? "an index bounds another"
	       : looks_far(node)    ? "cells look far"
	       : births_round(node) ? "a sum that rounds is folded after its cells"
	                            : no_table(node);
}

/* ---- the shape ---- */

/* Reads of other arrays at a place of the cell's own: those of neighbouring lanes are far apart in
 * memory. */
static bool add_read(struct expr *e, void *band)
{
	struct band *b = band;
	const struct axes *a = b->axes;
	bool own = e->kind == E_READ && e->type->kind != T_STRUCT && b->reads < BAND_READS;
	for (int d = a->n - 2; own && d < a->n; d++)
		own = expr_uses(e, a->node->index.at[axis_index(a, d)]);
	for (int i = 0; own && i < e->arg.n; i++)
		own = !expr_has(e->arg.at[i], E_READ);
	for (int f = 0; own && f < b->fetches; f++)
		own = !b->fetched[f].read || !expr_same(b->fetched[f].read, e);
	if (own) {
		b->fetched[b->fetches++] = (struct fetched){ .read = e };
		b->reads++;
	}
	return true;
}

/* Where a condition keeps reads inside their arrays, cells do them one by one. */
static void find_fetched(struct band *b)
{
	const struct node *node = b->axes->node;
	for (int m = 0; m < node->wave->read.n; m++) {
		const struct neighbour *n = node->wave->read.at[m];
		if (!in_lines(node, n))
			b->fetched[b->fetches++] = (struct fetched){ .from = n };
	}
	for (int q = 0; q < node->equation.n; q++)
		if (!expr_guarded(node->equation.at[q]->right))
			expr_walk(node->equation.at[q]->right, add_read, b);
}

static void find_reach(struct band *b)
{
	const struct node *node = b->axes->node;
	for (int m = 0; m < node->wave->read.n; m++) {
		struct step s = step_of(node, node->wave->read.at[m]);
		if (!in_lines(node, node->wave->read.at[m]))
			continue;
		b->depth = larger(b->depth, places_back(s, b->axes->slope));
		b->above = larger(b->above, -s.row);
		b->left = larger(b->left, -s.column);
		b->right = larger(b->right, s.column);
	}
}

static const struct type *fetched_type(const struct fetched *f)
{
	return f->from ? f->from->value->type : f->read->type;
}

static void find_steps(struct band *b)
{
	const struct node *node = b->axes->node;
	int64_t bytes = 0;
	for (int q = 0; q < node->equation.n; q++)
		bytes += type_size(wave_table(node, q)->type);
	for (int f = 0; f < b->fetches; f++)
		bytes += type_size(fetched_type(&b->fetched[f]));
	b->steps = MOST_STEPS;
	while (b->steps > FEWEST_STEPS && b->steps * PITCH * bytes > STACK)
		b->steps /= 2;
}

static bool is_looked_up(const struct node *node, int q)
{
	for (int m = 0; m < node->wave->read.n; m++) {
		const struct neighbour *n = node->wave->read.at[m];
		if (n->equation == q && in_lines(node, n) && !is_cell(step_of(node, n)))
			return true;
	}
	return false;
}

static struct kvar *new_line(struct band *b, const struct type *type, const char *name)
{
	return k_shared(b->axes->l->k, type, str_print("%s_lines", name),
	                (b->depth + b->steps) * PITCH);
}

/* Of an argmin the value and the number of its term lie apart, as vectors like it. */
static void open_folds(struct band *b)
{
	struct kernel *k = b->axes->l->k;
	for (int f = 0; births_fold(b->axes) && f < b->axes->births->acc.n; f++) {
		const struct accumulator *acc = &b->axes->births->acc.at[f];
		const struct type *type = acc->type;
		b->number[f] = NULL;
		if (op_is_arg(acc->op)) {
			type = type->record->field.at[0].type;
			b->number[f] = k_shared(k, type_scalar(T_I64), "lane_number", LANES);
		}
		b->lane[f] = k_shared(k, type, str_print("lane_%s", accumulator_name(acc)), LANES);
	}
}

static void open_band(struct band *b)
{
	const struct node *node = b->axes->node;
	struct kx *table[64];
	int tables = 0;
	for (int q = 0; q < node->equation.n; q++) {
		b->line[q] = new_line(b, wave_table(node, q)->type, wave_table(node, q)->var->name);
		if (is_looked_up(node, q))
			table[tables++] = x_var(b->line[q]);
	}
	bind_values(b->axes->l->k, "table", tables, table);
	for (int f = 0; f < b->fetches; f++) {
		struct fetched *one = &b->fetched[f];
		one->line = new_line(b, fetched_type(one), one->from ? one->from->value->name
		                                                     : one->read->var->name);
	}
	open_folds(b);
}

/* ---- cells ---- */

static void bind_cell(struct band *b, struct kx *lane, struct kx *place)
{
	struct axes *a = b->axes;
	struct kx *row = x_add(k_get(a->l->k, "first_row"), lane);
	axis_bind(a, a->n - 2, row);
	axis_bind(a, a->n - 1, x_sub(place, x_mul(x_i64(a->slope), row)));
	b->row = row;
	b->place = place;
}

static bool reads_array(const struct neighbour *n)
{
	return n->outside && expr_has(n->outside, E_READ);
}

/* Of a boundary that reads arrays: some cell of the problem looks at the bound place. */
static struct kx *is_looked_at(struct band *b, struct step s)
{
	struct axes *a = b->axes;
	struct kx *row = x_sub(b->row, x_i64(s.row)),
		  *column = x_sub(x_sub(b->place, x_mul(x_i64(a->slope), b->row)),
	                          x_i64(s.column));
	return x_and(lower_inside(row, axes_rows(a)), lower_inside(column, axes_columns(a)));
}

static bool has_boundary(const struct band *b, const struct neighbour *n, int q)
{
	return n->equation == q && n->outside && in_lines(b->axes->node, n);
}

/* Without a boundary it is not used. */
static void look_outside(struct band *b, int q, struct kx *to)
{
	const struct node *node = b->axes->node;
	struct lowering *l = b->axes->l;
	for (int m = 0; m < node->wave->read.n; m++) {
		const struct neighbour *n = node->wave->read.at[m];
		if (has_boundary(b, n, q) && !reads_array(n)) {
			k_set(l->k, to, lower_expr(l, n->outside));
			return;
		}
	}
	k_set(l->k, to, lower_zero(wave_table(node, q)->type));
	for (int m = 0; m < node->wave->read.n; m++) {
		const struct neighbour *n = node->wave->read.at[m];
		if (!has_boundary(b, n, q))
			continue;
		k_if(l->k, is_looked_at(b, step_of(node, n)));
		k_set(l->k, to, lower_expr(l, n->outside));
		k_end(l->k);
	}
}

/* A place that is not among the band's cells: what memory has, or the boundary. */
static void look(struct band *b, struct kx *lane, struct kx *place)
{
	struct lowering *l = b->axes->l;
	const struct node *node = b->axes->node;
	bind_cell(b, lane, place);
	for (int q = 0; q < node->equation.n; q++) {
		const struct expr *cell = wave_table(node, q);
		if (!is_looked_up(node, q))
			continue;
		struct kx *to = x_at(x_var(b->line[q]), x_add(k_value(l->k, "line", place), lane));
		k_if(l->k, wave_inside(l, node, cell));
		k_set(l->k, to, lower_cell(l, cell));
		k_else(l->k);
		look_outside(b, q, to);
		k_end(l->k);
	}
}

/* Without a boundary it is proved to be inside, but for one that is used in some cells only. */
static struct kx *fetched_value(struct band *b, const struct fetched *f)
{
	struct lowering *l = b->axes->l;
	const struct node *node = b->axes->node;
	if (!f->from)
		return lower_cell(l, f->read);
	struct kx *memory = wave_memory(l, node, f->from);
	return wave_proved(node, f->from) ? memory : wave_neighbour(l, node, f->from, memory);
}

static void fetch(struct band *b, struct kx *at)
{
	for (int f = 0; f < b->fetches; f++)
		k_set(b->axes->l->k, x_at(x_var(b->fetched[f].line), at),
		      fetched_value(b, &b->fetched[f]));
}

static struct kx *read_fetched(struct lowering *l, const struct expr *e)
{
	const struct band *b = l->now.state;
	for (int f = 0; f < b->fetches; f++)
		if (b->fetched[f].read && expr_same(b->fetched[f].read, e))
			return x_at(x_var(b->fetched[f].line), b->at);
	return lower_cell(l, e);
}

/* The lines that cells look at. */
static void look_back(struct band *b, struct kx *here)
{
	const struct node *node = b->axes->node;
	memset(b->back, 0, sizeof b->back);
	for (int m = 0; m < node->wave->read.n; m++) {
		struct step s = step_of(node, node->wave->read.at[m]);
		int64_t back = places_back(s, b->axes->slope);
		if (!in_lines(node, node->wave->read.at[m]) || is_cell(s) || b->back[back])
			continue;
		b->back[back] = x_var(k_let(b->axes->l->k, str_print("back_%lld", (long long)back),
		                            x_sub(here, x_i64(back * PITCH))));
	}
}

static struct kx *in_line(struct band *b, const struct neighbour *n, struct kx *lane)
{
	struct step s = step_of(b->axes->node, n);
	struct kx *line = b->back[places_back(s, b->axes->slope)];
	return x_at(x_var(b->line[n->equation]), x_add(line, x_add(lane, x_i64(s.row))));
}

static void bind_neighbours(struct band *b, struct kx *lane)
{
	struct lowering *l = b->axes->l;
	const struct node *node = b->axes->node;
	for (int m = 0, f = 0; m < node->wave->read.n; m++) {
		const struct neighbour *n = node->wave->read.at[m];
		if (!in_lines(node, n))
			lower_bind(l, n->value, x_at(x_var(b->fetched[f++].line), b->at));
		else if (!is_cell(step_of(node, n)))
			lower_bind(l, n->value,
			           x_var(k_let(l->k, n->value->name, in_line(b, n, lane))));
	}
}

/* Equations after this one see what it has computed. */
static void show_value(struct band *b, int q, struct kx *value)
{
	const struct node *node = b->axes->node;
	for (int m = 0; m < node->wave->read.n; m++) {
		const struct neighbour *n = node->wave->read.at[m];
		if (n->equation == q && n->fresh && is_cell(step_of(node, n)))
			lower_bind(b->axes->l, n->value, value);
	}
}

static void compute(struct band *b, struct kx *at, struct kx *lane)
{
	struct lowering *l = b->axes->l;
	const struct node *node = b->axes->node;
	struct lower_context before = l->now;
	b->at = at;
	bind_neighbours(b, lane);
	l->now.read = read_fetched;
	l->now.state = b;
	for (int q = 0; q < node->equation.n; q++) {
		lower_whole(l, node, q);
		struct kx *right = lower_expr(l, node->equation.at[q]->right);
		struct kvar *value = k_let(l->k, wave_table(node, q)->var->name,
		                           lower_result(node->equation.at[q], 0, right));
		k_set(l->k, x_at(x_var(b->line[q]), at), x_var(value));
		show_value(b, q, x_var(value));
	}
	l->now = before;
}

/* ---- what comes after the cells ---- */

static struct kx *read_born(struct lowering *l, const struct expr *e)
{
	const struct band *b = l->now.state;
	int q = births_table(b->axes, e);
	return q < 0 ? lower_cell(l, e) : x_at(x_var(b->line[q]), b->at);
}

struct best { const struct op *op; struct kx *value, *number; };

/* Without branches, for the loop over lanes. */
static void take_best(struct lowering *l, struct kx *term, void *state)
{
	const struct best *b = state;
	term = x_var(k_let(l->k, "term", term));
	struct kx *better = lower_better(b->op, term, b->value,
	                                 lower_sooner(l->term, b->number));
	better = x_var(k_let(l->k, "better", better));
	k_set(l->k, b->value, x_cond(better, term, b->value));
	k_set(l->k, b->number, x_cond(better, l->term, b->number));
}

static void fold_into(struct band *b, int f, struct kx *lane)
{
	struct lowering *l = b->axes->l;
	const struct expr *fold = b->axes->births->folds.at[f];
	struct kx *into = x_at(x_var(b->lane[f]), lane);
	if (!b->number[f]) {
		accumulate_term(l, fold, &b->axes->births->acc.at[f], into);
		return;
	}
	struct best best = { fold->fold->op, into, x_at(x_var(b->number[f]), lane) };
	l->term = x_var(k_let(l->k, "number", fold_number(l, fold->fold)));
	lower_term(l, fold, take_best, &best);
}

static void fold(struct band *b, struct kx *at, struct kx *lane)
{
	struct lowering *l = b->axes->l;
	struct lower_context before = l->now;
	b->at = at;
	l->now.read = read_born;
	l->now.state = b;
	births_lines(b->axes);
	for (int f = 0; births_fold(b->axes) && f < b->axes->births->folds.n; f++)
		fold_into(b, f, lane);
	l->now = before;
}

static void start_lane(struct band *b, struct kx *lane)
{
	const struct accumulators *acc = &b->axes->births->acc;
	struct kernel *k = b->axes->l->k;
	for (int f = 0; f < acc->n; f++) {
		struct kx *start = accumulator_start(b->axes->l, &acc->at[f]);
		if (b->number[f]) {
			const struct field *field = acc->at[f].type->record->field.at;
			k_set(k, x_at(x_var(b->number[f]), lane), x_field(start, &field[1]));
			start = x_field(start, &field[0]);
		}
		k_set(k, x_at(x_var(b->lane[f]), lane), start);
	}
}

static void join_lane(struct band *b, struct kx *lane)
{
	const struct accumulators *acc = &b->axes->births->acc;
	for (int f = 0; f < acc->n; f++) {
		struct kx *part[] = { x_at(x_var(b->lane[f]), lane),
			              b->number[f] ? x_at(x_var(b->number[f]), lane) : NULL };
		accumulate(b->axes->l, &acc->at[f],
		           b->number[f] ? x_make(acc->at[f].type, 2, part) : part[0]);
	}
}

/* No lane of a place waits for another one. */
static bool lanes_fold_apart(const struct axes *a)
{
	for (int f = 0; births_fold(a) && f < a->births->folds.n; f++)
		if (expr_checked(a->births->folds.at[f]))
			return false;
	return !a->node->wave->line.n;
}

/* Nobody else reads it, and its rows follow one another. */
static bool is_kept(const struct node *node, int q)
{
	const struct ring *ring = wave_table(node, q)->var->ring;
	return ring && ring->index == node->wave->order[node->index.n - 2];
}

static bool has_tables(const struct node *node, bool kept)
{
	for (int q = 0; q < node->equation.n; q++)
		if (is_kept(node, q) == kept)
			return true;
	return false;
}

static void store(struct band *b, struct kx *at, bool kept)
{
	const struct node *node = b->axes->node;
	for (int q = 0; q < node->equation.n; q++)
		if (is_kept(node, q) == kept)
			lower_store(b->axes->l, wave_table(node, q),
			            x_at(x_var(b->line[q]), at));
}

/* ---- the text ---- */

#define CALLS(DO) \
	DO(open_band, open_band(s)) \
	DO(bind_cell, bind_cell(s, arg[0], arg[1])) \
	DO(look_back, look_back(s, arg[0])) \
	DO(look, look(s, arg[0], arg[1])) \
	DO(fetch, fetch(s, arg[0])) \
	DO(compute, compute(s, arg[0], arg[1])) \
	DO(fold, fold(s, arg[0], arg[1])) \
	DO(start_lane, start_lane(s, arg[0])) \
	DO(join_lane, join_lane(s, arg[0])) \
	DO(store, store(s, arg[0], false)) \
	DO(keep, store(s, arg[0], true))

#define HOLE_DO(name, call) KTEXT_CALL(struct band, s, name, call; return NULL;)
CALLS(HOLE_DO)

void band_bind(struct band *b, struct axes *a)
{
	const struct node *node = a->node;
	struct kernel *k = a->l->k;
	*b = (struct band){ .axes = a,
		            .line = mem_new((size_t)node->equation.n * sizeof *b->line) };
	find_fetched(b);
	find_reach(b);
	find_steps(b);
	k_numbers(k, "LANES, MARGIN, PITCH, STEPS, DEPTH", LANES, MARGIN, PITCH, b->steps,
	          b->depth);
	k_numbers(k, "ABOVE, LEFT, RIGHT, FETCHES", b->above, b->left, b->right, b->fetches);
	k_numbers(k, "BORN, APART, STORED, KEPT", a->births != NULL, lanes_fold_apart(a),
	          has_tables(node, false), has_tables(node, true));
	k_bind_calls(k, b, CALLS(KTEXT_ROW));
}
