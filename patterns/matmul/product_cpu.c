/* product_cpu.c - a product of matrices on a CPU by packed panels, as Goto and van de Geijn order it (Anatomy of
 * High-Performance Matrix Multiplication, 2008).
 *
 * Of both operands the cells of TERMS terms at a time are packed: a panel is as many rows, or columns, as the registers
 * of a core fold at a time, its cells of a term one behind another, so that whatever lies across memory, or is
 * computed (scales, conversions), is brought once.  Then threads share the tiles of the result, a few panels by a few: a
 * panel of columns stays in the nearest cache while panels of rows pass by.
 *
 * The innermost loops are plain C: patc_panel_rows() rows of patc_panel_columns() sums, constants that follow from the
 * vectors that the compiler may use.  gcc -O3 makes vectors of the columns and keeps all sums in registers; with
 * -march=native they are as wide as the machine's.  Without any such flag the text is valid and slower.
 *
 * The host goes through blocks of the result whose panels and sums fit the workspace, and through the terms of a block.  Of
 * more than TERMS terms the sums wait in the workspace for those that follow, and are folded on: each cell takes its terms
 * in their order, whatever the number of threads.  The equation is computed where the last term is folded.
 *
 * At a ragged edge a panel has the last row or column several times, which no cell of the result takes.  Products of a
 * batch are packed together, as many as fill a block.  What is too small to fill panels goes the other road: the host
 * knows the sizes. */
#include "../lowerings.h"
#include "product.h"

enum {
	TERMS = 256,                         /* of a slab: a panel of columns takes 32 KiB where vectors have 64 bytes */
	GROUP = 8,                           /* panels of a tile, along rows and along columns */
	FEW_STEPS = 1 << 12,                 /* terms of all cells of a product, that panels are worth */
	ROW_CELLS = 128,                     /* bytes that a row of sums takes at most: patc_panel_columns() */
	MOST_ROWS = 12                       /* patc_panel_rows() */
};

static const int block[2] = { 160, 64 }; /* panels of a block of the result at most: of rows, of columns */

/* A block of the result, and a slab of terms: the host's numbers, or the kernel's. */
struct part { struct kx *product, *products, *first[2], *end[2], *term, *terms; };

struct panels {
	const struct product *p;
	struct plan *plan;
	struct kx *lo[2], *count[2], *first_term, *terms, *batch;        /* the host's; batch: NULL, one product */
	struct kx *most[2], *at_once, *slot[2], *sums;
	struct part here, at;                                            /* the host's, and the same in a kernel */
	struct lowering *l;
	struct kernel *k;
	struct kx *panels[2];                                            /* of the block, in a kernel */
	struct accumulator acc;
	struct kx *sum;
};

static const char *const left_right[2] = { "left", "right" };

static struct kx *let(struct panels *s, const char *name, struct kx *value)
{
	return x_var(k_let(s->k, name, value));
}

static struct kx *loop(struct panels *s, const char *name, struct kx *lo, struct kx *hi, int flags)
{
	return x_var(k_for(s->k, name, lo, hi, x_i64(1), flags));
}

/* Rows, or columns, of a panel. */
static struct kx *width(const struct panels *s, enum side side)
{
	struct kx *bytes = x_i64(product_bytes(s->p));
	return side == ROWS ? x_help(kt_scalar(T_I64), "patc_panel_rows", 0, NULL)
	                    : x_help(kt_scalar(T_I64), "patc_panel_columns", 1, &bytes);
}

/* ---- the host ---- */

static void count_panels(struct panels *s)
{
	struct plan *plan = s->plan;
	for (int side = ROWS; side <= COLUMNS; side++) {
		struct kx *panels = x_div_up(s->count[side], width(s, side));
		s->most[side] = plan_let(plan, side ? "column_panels" : "row_panels", x_min(panels, x_i64(block[side])));
	}
	struct kx *pairs = x_max(x_mul(s->most[ROWS], s->most[COLUMNS]), x_i64(1));
	struct kx *fit = x_div(x_i64(block[ROWS] * block[COLUMNS]), pairs);
	s->at_once = s->batch ? plan_let(plan, "at_once", x_min(s->batch, fit)) : x_i64(1);
}

static void cut_slots(struct panels *s)
{
	struct kx *depth = plan_let(s->plan, "slab", x_min(s->terms, x_i64(TERMS)));
	struct kx *waits = x_cond(x_lt(x_i64(TERMS), s->terms), s->at_once, x_i64(0));
	for (int side = ROWS; side <= COLUMNS; side++) {
		struct kx *count[] = { s->at_once, s->most[side], width(s, side), depth };
		s->slot[side] = x_var(plan_slot(s->plan, str_print("%s_panels", left_right[side]), s->p->operand[side].e->type, 4, count));
	}
	struct kx *count[] = { waits, s->most[ROWS], width(s, ROWS), s->most[COLUMNS], width(s, COLUMNS) };
	s->sums = x_var(plan_slot(s->plan, "sums", s->p->fold->type, 5, count));
}

/* There are so many rows, columns and terms that panels pay. */
static struct kx *pays(const struct panels *s)
{
	struct kx *cells = x_min(x_mul(s->count[ROWS], s->count[COLUMNS]), x_i64(FEW_STEPS));
	struct kx *enough = x_le(x_i64(FEW_STEPS), x_mul(cells, x_min(s->terms, x_i64(FEW_STEPS))));
	for (int side = ROWS; side <= COLUMNS; side++)
		enough = x_and(enough, x_le(width(s, side), x_mul(s->count[side], x_i64(2))));
	return enough;
}

static struct kx *open_blocks(struct panels *s, const char *name, struct kx *lo, struct kx *count, struct kx *step, struct kx **end)
{
	struct kx *behind = plan_let(s->plan, str_print("%s_end", name), x_add(lo, count));
	struct kx *first = x_var(k_for(s->plan->host, name, lo, behind, step, 0));
	*end = plan_let(s->plan, str_print("%s_to", name), x_min(x_add(first, step), behind));
	return first;
}

/* Products, rows, columns and terms: returns how many loops are open. */
static int open_parts(struct panels *s)
{
	struct part *h = &s->here;
	struct kx *step[2], *end;
	for (int side = ROWS; side <= COLUMNS; side++)
		step[side] = plan_let(s->plan, side ? "block_columns" : "block_rows", x_mul(x_i64(block[side]), width(s, side)));
	h->product = h->products = x_i64(0);
	if (s->batch) {
		h->product = open_blocks(s, "product", x_i64(0), s->batch, s->at_once, &end);
		h->products = x_sub(end, h->product);
	}
	for (int side = ROWS; side <= COLUMNS; side++)
		h->first[side] = open_blocks(s, side ? "column" : "row", s->lo[side], s->count[side], step[side], &h->end[side]);
	h->term = open_blocks(s, "term", x_i64(0), s->terms, x_i64(TERMS), &end);
	h->terms = x_sub(end, h->term);
	return s->batch ? 4 : 3;
}

/* ---- kernels: what both have ---- */

static struct kx *number(struct panels *s, const char *name, struct kx *host)
{
	return lower_argument(s->l, name, kt_scalar(T_I64), host);
}

static void open_kernel(struct panels *s, const char *what)
{
	s->l = lowering_new(s->plan, str_print("%s_%s", s->p->node->name, what));
	s->k = s->l->k;
	lowering_writes(s->l, s->p->node);
	const struct part *h = &s->here;
	struct part *at = &s->at;
	if (s->batch) {
		at->product = number(s, "product", h->product);
		at->products = number(s, "products", h->products);
	}
	for (int side = ROWS; side <= COLUMNS; side++) {
		at->first[side] = number(s, side ? "column_first" : "row_first", h->first[side]);
		at->end[side] = number(s, side ? "column_end" : "row_end", h->end[side]);
	}
	at->term = number(s, "term_first", h->term);
	at->terms = number(s, "terms", h->terms);
}

static void count_in_kernel(struct panels *s)
{
	for (int side = ROWS; side <= COLUMNS; side++) {
		struct kx *cells = x_sub(s->at.end[side], s->at.first[side]);
		s->panels[side] = let(s, side ? "column_panels" : "row_panels", x_div_up(cells, width(s, side)));
	}
}

/* The product of the batch that the unit belongs to is bound; returns its number in the block, *in is the rest. */
static struct kx *find_product(struct panels *s, struct kx *unit, struct kx *units, struct kx **in)
{
	*in = unit;
	if (!s->batch)
		return x_i64(0);
	struct kx *nth = let(s, "nth", product_rest(s->l, unit, units, in));
	const struct batch batch = product_axes(s->l, s->p);
	product_bind(s->l, &batch, x_add(s->at.product, nth));
	return nth;
}

static struct kx *all_units(const struct panels *s, struct kx *units)
{
	return s->batch ? x_mul(s->at.products, units) : units;
}

/* Where the panel begins among the packed ones. */
static struct kx *begin_of(struct panels *s, enum side side, struct kx *nth, struct kx *panel)
{
	struct kx *before = x_add(x_mul(nth, s->panels[side]), panel);
	return let(s, str_print("%s_begin", left_right[side]), x_mul(x_mul(before, width(s, side)), s->at.terms));
}

static struct kx *first_of(struct panels *s, enum side side, struct kx *panel)
{
	return let(s, side ? "panel_column" : "panel_row", x_add(s->at.first[side], x_mul(panel, width(s, side))));
}

/* ---- packing ---- */

/* The cell at the bound indices becomes number i of a term's in the panel. */
static void pack_cell(struct panels *s, enum side side, struct kx *panel, struct kx *term, struct kx *i)
{
	struct kx *to = x_at(panel, x_add(x_mul(term, width(s, side)), i));
	k_set(s->k, to, lower_expr(s->l, s->p->operand[side].e));
}

static void bind_term(struct panels *s, struct kx *term)
{
	struct kx *lo = lower_index(host_lowering(s->plan), s->p->fold->fold->lo.at[0]), *at = x_add(s->at.term, term);
	if (!x_is_int(lo, 0))
		at = x_add(at, number(s, "first_term", lo));
	lower_bind(s->l, s->p->depth, let(s, s->p->depth->name, at));
}

/* Terms of a row or column lie one behind another: one at a time, the last one for those that are none. */
static void pack_deep(struct panels *s, enum side side, struct kx *panel, struct kx *first)
{
	const struct var *along = s->p->operand[side].along;
	struct kx *i = loop(s, "i", x_i64(0), width(s, side), 0);
	struct kx *cell = let(s, along->name, x_min(x_add(first, i), x_sub(s->at.end[side], x_i64(1))));
	lower_bind(s->l, along, cell);
	struct kx *term = loop(s, "term", x_i64(0), s->at.terms, FOR_SIMD);
	bind_term(s, term);
	pack_cell(s, side, panel, term, i);
	k_end(s->k);
	k_end(s->k);
}

/* Rows or columns of a term do. */
static void pack_flat(struct panels *s, enum side side, struct kx *panel, struct kx *first)
{
	const struct var *along = s->p->operand[side].along;
	struct kx *have = let(s, "have", x_min(x_sub(s->at.end[side], first), width(s, side)));
	struct kx *term = loop(s, "term", x_i64(0), s->at.terms, 0);
	bind_term(s, term);
	struct kx *i = loop(s, "i", x_i64(0), have, FOR_SIMD);
	lower_bind(s->l, along, let(s, along->name, x_add(first, i)));
	pack_cell(s, side, panel, term, i);
	k_end(s->k);
	i = loop(s, "i", have, width(s, side), 0);
	lower_bind(s->l, along, let(s, along->name, x_sub(s->at.end[side], x_i64(1))));
	pack_cell(s, side, panel, term, i);
	k_end(s->k);
	k_end(s->k);
}

static void pack_panel(struct panels *s, enum side side, struct kx *to, struct kx *nth, struct kx *panel)
{
	struct kx *first = first_of(s, side, panel);
	to = x_offset(to, begin_of(s, side, nth, panel));
	to = let(s, str_print("%s_panel", left_right[side]), to);
	(s->p->operand[side].deep ? pack_deep : pack_flat)(s, side, to, first);
}

static void pack_kernel(struct panels *s)
{
	struct kx *to[2], *in;
	open_kernel(s, "pack");
	for (int side = ROWS; side <= COLUMNS; side++)
		to[side] = lower_argument(s->l, left_right[side], kt_pointer(s->p->operand[side].e->type, false), s->slot[side]);
	count_in_kernel(s);
	struct kx *units = let(s, "units", x_add(s->panels[ROWS], s->panels[COLUMNS]));
	struct kx *unit = loop(s, "unit", x_i64(0), all_units(s, units), FOR_PARALLEL);
	struct kx *nth = find_product(s, unit, units, &in);
	k_if(s->k, x_lt(in, s->panels[ROWS]));
	pack_panel(s, ROWS, to[ROWS], nth, in);
	k_else(s->k);
	pack_panel(s, COLUMNS, to[COLUMNS], nth, x_sub(in, s->panels[ROWS]));
	k_end(s->k);
	k_end(s->k);
	lowering_launch(s->l, x_i64(1), x_i64(1), x_i64(1));
}

/* ---- a tile: its sums ---- */

static struct kx *cells_of_tile(const struct panels *s)
{
	return x_mul(width(s, ROWS), width(s, COLUMNS));
}

struct waiting { struct kx *sums, *begin; };      /* in the workspace */

static void start_sums(struct panels *s, const struct waiting *w)
{
	k_if(s->k, x_eq(s->at.term, x_i64(0)));
	struct kx *c = loop(s, "cell", x_i64(0), cells_of_tile(s), FOR_SIMD);
	k_set(s->k, x_at(s->sum, c), lower_identity(s->l, s->acc.op, s->acc.type));
	k_end(s->k);
	k_else(s->k);
	c = loop(s, "cell", x_i64(0), cells_of_tile(s), FOR_SIMD);
	k_set(s->k, x_at(s->sum, c), x_at(w->sums, x_add(w->begin, c)));
	k_end(s->k);
	k_end(s->k);
}

/* A sum of products of floats may be rounded once a term, where the machine does that. */
static bool rounds_once(const struct panels *s)
{
	const struct expr *e = s->p->term->arg.at[0];
	return s->acc.op->kind == OPK_SUM && !s->acc.strict && type_class(s->acc.type) == 'F' && e->kind == E_BINARY
	    && e->op == OP_MUL && !e->strict;
}

static void fold_term(struct panels *s, struct kx *sum)
{
	const struct expr *e = s->p->term->arg.at[0];
	if (!rounds_once(s)) {
		accumulate_term(s->l, s->p->term, &s->acc, sum);
		return;
	}
	struct kx *arg[] = { lower_expr(s->l, e->arg.at[0]), lower_expr(s->l, e->arg.at[1]), sum };
	k_set(s->k, sum, x_help(kt(s->acc.type), str_print("patc_add_product_%s", type_name(s->acc.type)), 3, arg));
}

/* All loops but that over terms make constant numbers of passes, so the sums are registers. */
static void fold_slab(struct panels *s, struct kx *left, struct kx *right)
{
	struct kx *term = loop(s, "term", x_i64(0), s->at.terms, 0);
	struct kx *row = loop(s, "row", x_i64(0), width(s, ROWS), 0);
	struct kx *a = let(s, "left_cell", x_at(left, x_add(x_mul(term, width(s, ROWS)), row)));
	struct kx *c = loop(s, "column", x_i64(0), width(s, COLUMNS), FOR_SIMD);
	lower_bind(s->l, s->p->operand[ROWS].stand, a);
	lower_bind(s->l, s->p->operand[COLUMNS].stand, x_at(right, x_add(x_mul(term, width(s, COLUMNS)), c)));
	fold_term(s, x_at(s->sum, x_add(x_mul(row, width(s, COLUMNS)), c)));
	k_end(s->k);
	k_end(s->k);
	k_end(s->k);
}

static void put_aside(struct panels *s, const struct waiting *w)
{
	struct kx *c = loop(s, "cell", x_i64(0), cells_of_tile(s), FOR_SIMD);
	k_set(s->k, x_at(w->sums, x_add(w->begin, c)), x_at(s->sum, c));
	k_end(s->k);
}

static struct kx *open_cells(struct panels *s, enum side side, struct kx *first)
{
	struct kx *end = let(s, side ? "columns" : "rows", x_min(x_sub(s->at.end[side], first), width(s, side)));
	struct kx *i = loop(s, side ? "column" : "row", x_i64(0), end, side ? FOR_SIMD : 0);
	const struct var *along = s->p->operand[side].along;
	lower_bind(s->l, along, let(s, along->name, x_add(first, i)));
	return i;
}

static void finish_cells(struct panels *s, struct kx *const *first)
{
	struct kx *row = open_cells(s, ROWS, first[ROWS]), *column = open_cells(s, COLUMNS, first[COLUMNS]);
	struct kx *sum = x_at(s->sum, x_add(x_mul(row, width(s, COLUMNS)), column));
	product_finish(s->l, s->p, sum);
	k_end(s->k);
	k_end(s->k);
}

/* ---- tiles ---- */

static void open_sums(struct panels *s)
{
	const struct expr *fold = s->p->fold;
	int64_t cells = MOST_ROWS * ROW_CELLS / product_bytes(s->p);
	s->acc = (struct accumulator){ .op = fold->fold->op, .of = fold->type, .type = fold->type, .strict = fold->strict };
	s->sum = x_var(k_shared(s->k, fold->type, "sum", cells));
}

/* Those of the group's panels: a loop is opened. */
static struct kx *panels_of_group(struct panels *s, enum side side, struct kx *group)
{
	struct kx *from = let(s, "from", x_mul(group, x_i64(GROUP)));
	struct kx *to = let(s, "to", x_min(x_add(from, x_i64(GROUP)), s->panels[side]));
	return loop(s, side ? "column_panel" : "row_panel", from, to, 0);
}

struct packed { struct kx *panel[2], *sums, *last; };    /* arguments of the kernel */

static void one_tile(struct panels *s, const struct packed *from, struct kx *nth, struct kx *const *panel)
{
	struct kx *part[2], *first[2];
	for (int side = ROWS; side <= COLUMNS; side++) {
		struct kx *begin = begin_of(s, side, nth, panel[side]);
		part[side] = let(s, str_print("%s_panel", left_right[side]), x_offset(from->panel[side], begin));
		first[side] = first_of(s, side, panel[side]);
	}
	struct kx *tile = x_add(x_mul(x_add(x_mul(nth, s->panels[COLUMNS]), panel[COLUMNS]), s->panels[ROWS]), panel[ROWS]);
	const struct waiting w = { from->sums, let(s, "waiting", x_mul(tile, cells_of_tile(s))) };
	start_sums(s, &w);
	fold_slab(s, part[ROWS], part[COLUMNS]);
	k_if(s->k, from->last);
	finish_cells(s, first);
	k_else(s->k);
	put_aside(s, &w);
	k_end(s->k);
}

static struct packed packed_arguments(struct panels *s)
{
	struct packed from;
	for (int side = ROWS; side <= COLUMNS; side++)
		from.panel[side] = lower_argument(s->l, left_right[side], kt_pointer(s->p->operand[side].e->type, true), s->slot[side]);
	from.sums = lower_argument(s->l, "sums", kt_pointer(s->p->fold->type, false), s->sums);
	struct kx *all = number(s, "all_terms", s->terms);
	from.last = let(s, "last", x_eq(x_add(s->at.term, s->at.terms), all));
	return from;
}

static void tiles_kernel(struct panels *s)
{
	struct kx *in, *down, *panel[2];
	open_kernel(s, "tiles");
	const struct packed from = packed_arguments(s);
	count_in_kernel(s);
	struct kx *row_groups = let(s, "row_groups", x_div_up(s->panels[ROWS], x_i64(GROUP)));
	struct kx *units = let(s, "units", x_mul(row_groups, x_div_up(s->panels[COLUMNS], x_i64(GROUP))));
	struct kx *unit = loop(s, "unit", x_i64(0), all_units(s, units), FOR_PARALLEL | FOR_DYNAMIC);
	open_sums(s);
	struct kx *nth = find_product(s, unit, units, &in);
	struct kx *right = let(s, "column_group", product_rest(s->l, in, row_groups, &down));
	panel[COLUMNS] = panels_of_group(s, COLUMNS, right);
	panel[ROWS] = panels_of_group(s, ROWS, down);
	one_tile(s, &from, nth, panel);
	for (int loops = 0; loops < 3; loops++)
		k_end(s->k);
	lowering_launch(s->l, x_i64(1), x_i64(1), x_i64(1));
}

/* ---- which road ---- */

void product_panels(const struct product *p, struct plan *plan, const struct group *group)
{
	struct panels *s = NEW(struct panels);
	*s = (struct panels){ .p = p, .plan = plan, .batch = product_batch(plan, p) };
	for (int side = ROWS; side <= COLUMNS; side++) {
		s->count[side] = plan_let(plan, side ? "columns" : "rows", product_cells(plan, p, p->index[side]));
		s->lo[side] = lower_index(host_lowering(plan), p->node->lo.at[p->index[side]]);
	}
	s->terms = product_terms(plan, p);
	count_panels(s);
	cut_slots(s);
	k_if(plan->host, pays(s));
	int loops = open_parts(s);
	pack_kernel(s);
	tiles_kernel(s);
	for (int i = 0; i < loops; i++)
		k_end(plan->host);
	k_else(plan->host);
	reduce_lower(plan, group);
	k_end(plan->host);
}
