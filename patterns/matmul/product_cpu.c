/* product_cpu.c - a product of matrices on a CPU by packed panels, as Goto and van de Geijn order
 * it (Anatomy of High-Performance Matrix Multiplication, 2008).
 *
 * Of both operands the cells of TERMS terms at a time are packed: a panel is as many rows, or
 * columns, as the registers of a core fold at a time, its cells of a term one after another, so
 * that whatever lies across memory, or is computed (scales, conversions), is brought once.  Then
 * threads share the tiles of the result, a few panels by a few: a panel of columns stays in the
 * nearest cache while panels of rows pass by.
 *
 * The innermost loops are plain C: patc_panel_rows() rows of patc_panel_columns() sums, constants
 * that follow from the vectors that the compiler may use.  gcc -O3 makes vectors of the columns and
 * keeps all sums in registers; with -march=native they are as wide as the machine's.  Without any
 * such flag the text is valid and slower.
 *
 * The host goes through blocks of the result whose panels and sums fit the workspace, and through
 * the terms of a block.  Of more than TERMS terms the sums wait in the workspace for those that
 * follow, and are folded on: each cell takes its terms in their order, whatever the number of
 * threads.  The equation is computed where the last term is folded.
 *
 * At a ragged edge a panel has the last row or column several times, which no cell of the result
 * takes.  Products of a batch are packed together, as many as fill a block.  What is too small to
 * fill panels goes the other road: the host knows the sizes. */
#include "../lowerings.h"
#include "ktext.h"
#include "product.h"

enum {
	TERMS = 256,    /* of a slab: a panel of columns takes 32 KiB where vectors have 64 bytes */
	GROUP = 8,                           /* panels of a tile, along rows and along columns */
	FEW_STEPS = 1 << 12,            /* terms of all cells of a product, that panels are worth */
	ROW_CELLS = 128,          /* bytes that a row of sums takes at most: patc_panel_columns() */
	MOST_ROWS = 12                       /* patc_panel_rows() */
};

/* panels of a block of the result at most: of rows, of columns */
static const int block[2] = { 160, 64 };

/* A block of the result, and a slab of terms: the host's numbers. */
struct part { struct kx *product, *products, *first[2], *end[2], *term, *terms; };

struct panels {
	const struct product *p;
	struct plan *plan;
	/* the host's; batch: NULL, one product */
	struct kx *lo[2], *count[2], *first_term, *terms, *batch;
	struct kx *most[2], *at_once, *slot[2], *sums;
	struct part here;
	struct lowering *l;
	struct product_text *text;
};

static const char *const left_right[2] = { "left", "right" };

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
		s->most[side] = plan_let(plan, side ? "column_panels" : "row_panels",
		                         x_min(panels, x_i64(block[side])));
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
		s->slot[side] = x_var(plan_slot(s->plan, str_print("%s_panels", left_right[side]),
		                                s->p->operand[side].e->type, 4, count));
	}
	struct kx *count[] = { waits, s->most[ROWS], width(s, ROWS), s->most[COLUMNS],
		               width(s, COLUMNS) };
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

static struct kx *open_blocks(struct panels *s, const char *name, struct kx *lo, struct kx *count,
                              struct kx *step, struct kx **end)
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
		step[side] = plan_let(s->plan, side ? "block_columns" : "block_rows",
		                      x_mul(x_i64(block[side]), width(s, side)));
	h->product = h->products = x_i64(0);
	if (s->batch) {
		h->product = open_blocks(s, "product", x_i64(0), s->batch, s->at_once, &end);
		h->products = x_sub(end, h->product);
	}
	for (int side = ROWS; side <= COLUMNS; side++)
		h->first[side] = open_blocks(s, side ? "column" : "row", s->lo[side],
		                             s->count[side], step[side], &h->end[side]);
	h->term = open_blocks(s, "term", x_i64(0), s->terms, x_i64(TERMS), &end);
	h->terms = x_sub(end, h->term);
	return s->batch ? 4 : 3;
}

/* ---- kernels: panels.kernel ---- */

static struct kx *number(struct panels *s, const char *name, struct kx *host)
{
	return lower_argument(s->l, name, kt_scalar(T_I64), host);
}

/* A sum of products of floats may be rounded once a term, where the machine does that. */
static bool rounds_once(const struct product_text *t)
{
	const struct expr *e = t->p->term->arg.at[0];
	return t->acc.op->kind == OPK_SUM && !t->acc.strict && type_class(t->acc.type) == 'F'
	       && e->kind == E_BINARY && e->op == OP_MUL && !e->strict;
}

static struct kx *fold_once(struct lowering *l, const void *text, struct kx *const *sum)
{
	const struct product_text *t = text;
	const struct expr *e = t->p->term->arg.at[0];
	lower_bind(l, t->p->operand[ROWS].placeholder, sum[1]);
	lower_bind(l, t->p->operand[COLUMNS].placeholder, sum[2]);
	struct kx *arg[] = { lower_expr(l, e->arg.at[0]), lower_expr(l, e->arg.at[1]), sum[0] };
	const char *add = str_print("patc_add_product_%s", type_name(t->acc.type));
	k_set(l->k, sum[0], x_help(kt(t->acc.type), add, 3, arg));
	return NULL;
}

/* What variables are called. */
static void bind_words_of(struct kernel *k)
{
	static const struct { const char *name, *word[2]; } words[] = {
		{ "panels", { "row_panels", "column_panels" } },
		{ "panel", { "row_panel", "column_panel" } },
		{ "begin", { "left_begin", "right_begin" } },
		{ "panel_at", { "left_panel", "right_panel" } },
		{ "panel_first", { "panel_row", "panel_column" } },
	};
	for (size_t i = 0; i < sizeof words / sizeof *words; i++)
		bind_words(k, words[i].name, 2, words[i].word);
	k_bind(k, "c", "cell");
	k_bind(k, "down", "rest");
}

static void open_kernel(struct panels *s, const char *what)
{
	const struct part *h = &s->here;
	struct kx *first[2], *end[2];
	struct lowering *l = s->l = lowering_new(s->plan,
	                                         str_print("%s_%s", s->p->node->name, what));
	lowering_writes(l, s->p->node);
	s->text = product_text(l, s->p);
	if (s->batch) {
		k_bind(l->k, "product", number(s, "product", h->product));
		k_bind(l->k, "products", number(s, "products", h->products));
	}
	for (int side = ROWS; side <= COLUMNS; side++) {
		first[side] = number(s, side ? "column_first" : "row_first", h->first[side]);
		end[side] = number(s, side ? "column_end" : "row_end", h->end[side]);
	}
	bind_values(l->k, "first", 2, first);
	bind_values(l->k, "end", 2, end);
	k_bind(l->k, "term_first", number(s, "term_first", h->term));
	k_bind(l->k, "terms", number(s, "terms", h->terms));
	bind_words_of(l->k);
}

static void bind_packed(struct panels *s, bool is_const)
{
	struct kx *packed[2], *deep[2];
	for (int side = ROWS; side <= COLUMNS; side++) {
		const struct operand *o = &s->p->operand[side];
		packed[side] = lower_argument(s->l, left_right[side],
		                              kt_pointer(o->e->type, is_const), s->slot[side]);
		deep[side] = x_int(T_INT_LIT, o->deep);
	}
	bind_values(s->l->k, "packed", 2, packed);
	bind_values(s->l->k, "DEEP", 2, deep);
}

static void close_kernel(struct panels *s, const char *text)
{
	int64_t bytes = product_bytes(s->p);
	k_numbers(s->l->k, "BYTES, GROUP, SUMS, BATCH", bytes, GROUP, MOST_ROWS * ROW_CELLS / bytes,
	          s->batch != NULL);
	k_text(s->l->k, text);
	lowering_launch(s->l, x_i64(1), x_i64(1), x_i64(1));
}

static void pack_kernel(struct panels *s)
{
	open_kernel(s, "pack");
	bind_packed(s, false);
	if (s->batch)
		s->text->axes = product_axes(s->l, s->p);
	struct kx *lo = lower_index(host_lowering(s->plan), s->p->fold->fold->lo.at[0]);
	k_bind(s->l->k, "first_term", x_is_int(lo, 0) ? lo : number(s, "first_term", lo));
	close_kernel(s, "pack");
}

static void tiles_kernel(struct panels *s)
{
	open_kernel(s, "tiles");
	bind_packed(s, true);
	k_bind(s->l->k, "sums",
	       lower_argument(s->l, "sums", kt_pointer(s->p->fold->type, false), s->sums));
	k_bind(s->l->k, "all_terms", number(s, "all_terms", s->terms));
	if (s->batch)
		s->text->axes = product_axes(s->l, s->p);
	if (rounds_once(s->text))
		k_bind_call(s->l->k, "fold", fold_once, s->text);
	close_kernel(s, "tiles");
}

/* ---- which road ---- */

void product_panels(const struct product *p, struct plan *plan, const struct group *group)
{
	struct panels *s = NEW(struct panels);
	*s = (struct panels){ .p = p, .plan = plan, .batch = product_batch(plan, p) };
	for (int side = ROWS; side <= COLUMNS; side++) {
		s->count[side] = plan_let(plan, side ? "columns" : "rows",
		                          product_cells(plan, p, p->index[side]));
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
