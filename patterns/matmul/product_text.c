/* product_text.c - what the texts of kernels for products share: tiled.kernel, plain.kernel.
 *
 * A list has an element for each side of the result: the rows, with the left operand, and the
 * columns, with the right one.
 *
 *   side                 0, 1
 *   terms, first_term    how many there are, and the lowest index of them
 *   tiles, origin, end   along a side: tiles, the lowest index, the one after the highest
 *   at_product(n)        the indices of the batch are those of product n
 *   indices(cell, term)  those of an operand
 *   operand()            its value there; operand(x): where its main array has x
 *   fold(sum, x, y)      the term of these operands joins the sum
 *   nothing()            a sum of no terms
 *   index(cell)          of the result
 *   finish(sum)          the statement there
 *   cell, depth          variables of these names are called as the program calls their index */
#include "../cells.h"
#include "ktext.h"
#include "product.h"

static const struct operand *operand_of(const struct product_text *t)
{
	return &t->p->operand[t->l->k->each];
}

static struct kx *at_product(struct lowering *l, const void *text, struct kx *const *number)
{
	struct product_text *t = (struct product_text *)text;
	t->product = number[0];
	product_bind(l, &t->axes, number[0]);
	return NULL;
}

/* Those that count the cells of the side at hand. */
static void bind_cell(const struct product_text *t, struct kx *cell)
{
	if (t->p->window)
		product_bind(t->l, &t->cells[t->l->k->each], cell);
	else
		lower_bind(t->l, operand_of(t)->along, cell);
}

static struct kx *indices(struct lowering *l, const void *text, struct kx *const *cell_term)
{
	const struct product_text *t = text;
	bind_cell(t, cell_term[0]);
	if (t->p->window && !t->term.n)
		((struct product_text *)text)->term = sliding_axes(l, t->p);
	if (t->p->window)
		product_bind(l, &t->term, cell_term[1]);
	else
		lower_bind(l, t->p->depth, cell_term[1]);
	return NULL;
}

struct loaded { const struct expr *main; struct kx *cell; };

static struct kx *loaded_reader(struct lowering *l, const struct expr *read)
{
	const struct loaded *v = l->now.state;
	return product_same(read, v->main) ? v->cell : lower_cell(l, read);
}

/* What is outside of an array has an edge. */
static void read_at_edges(struct lowering *l, const struct product_text *t)
{
	const struct product *p = t->p;
	l->now.read = cell_read;
	l->now.state = t->reader;
	for (int d = 0; d < p->node->index.n; d++)
		if (p->part[d] == PRODUCTS || p->part[d] == (enum side)l->k->each)
			cells_bind(t->reader, d, lower_var(l, p->node->index.at[d]));
}

static struct kx *operand(struct lowering *l, const void *text, struct kx *const *cell)
{
	const struct operand *o = operand_of(text);
	struct loaded loaded = { o->main, cell[0] };
	struct lower_context before = l->now;
	l->now.read = cell[0] ? loaded_reader : NULL;
	l->now.state = &loaded;
	if (((const struct product_text *)text)->reader)
		read_at_edges(l, text);
	struct kx *value = lower_expr(l, o->e);
	l->now = before;
	return value;
}

static struct kx *nothing(struct lowering *l, const void *text, struct kx *const *none)
{
	const struct accumulator *acc = &((const struct product_text *)text)->acc;
	(void)none;
	return lower_identity(l, acc->op, acc->type);
}

static struct kx *fold(struct lowering *l, const void *text, struct kx *const *sum)
{
	const struct product_text *t = text;
	lower_bind(l, t->p->operand[ROWS].placeholder, sum[1]);
	lower_bind(l, t->p->operand[COLUMNS].placeholder, sum[2]);
	accumulate_term(l, t->p->term, &t->acc, sum[0]);
	return NULL;
}

static struct kx *bind_index(struct lowering *l, const void *text, struct kx *const *cell)
{
	(void)l;
	bind_cell(text, cell[0]);
	return NULL;
}

static struct kx *finish(struct lowering *l, const void *text, struct kx *const *sum)
{
	product_finish(l, ((const struct product_text *)text)->p, sum[0]);
	return NULL;
}

static struct cells *reader_of(struct lowering *l, const struct product *p)
{
	struct lower_context before = l->now;
	struct cells *c = cells_beside(l, p->node);
	c->mode = CELL_BORDER;
	l->now = before;
	return c;
}

struct product_text *product_text(struct lowering *l, const struct product *p)
{
	struct product_text *t = NEW(struct product_text);
	struct kx *side[] = { x_int(T_INT_LIT, ROWS), x_int(T_INT_LIT, COLUMNS) };
	const char *cell[] = { p->operand[ROWS].along->name, p->operand[COLUMNS].along->name };
	*t = (struct product_text){ .p = p, .l = l, .acc = product_accumulator(p) };
	t->reader = p->window ? reader_of(l, p) : NULL;
	bind_values(l->k, "side", 2, side);
	bind_words(l->k, "cell", 2, cell);
	k_bind(l->k, "depth", p->depth->name);
	k_bind(l->k, "SUM", t->acc.type);
	k_bind_calls(l->k, t, { "at_product", at_product }, { "indices", indices },
	             { "operand", operand }, { "nothing", nothing }, { "fold", fold },
	             { "index", bind_index }, { "finish", finish });
	return t;
}

/* ---- parameters ---- */

void product_text_terms(struct product_text *t, struct kx *host)
{
	struct kernel *k = t->l->k;
	struct kx *lo = t->p->window ? x_i64(0)
	                             : lower_index(host_lowering(t->l->plan),
	                                           t->p->fold->fold->lo.at[0]);
	k_bind(k, "terms", lower_argument(t->l, "terms", kt_scalar(T_I64), host));
	k_bind(k, "first_term",
	       x_is_int(lo, 0) ? lo : lower_argument(t->l, "first_term", kt_scalar(T_I64), lo));
}

bool product_names_columns(const struct product *p, enum side side)
{
	return (side == COLUMNS) != p->across;
}

/* Of tiles the parameter of `side` comes first; NULL: the kernel does not need their number along
 * that side. */
void product_text_tiles(struct product_text *t, enum side side, struct kx *const *host,
                        struct kx *const *count)
{
	const struct ktype i64 = kt_scalar(T_I64);
	struct kx *tiles[2] = { x_i64(0) }, *end[2], *origin[2];
	t->axes = product_axes(t->l, t->p);
	for (int n = 0; t->p->window && n < 2; n++)
		t->cells[n] = product_side_axes(t->l, t->p, n);
	for (int n = 0; n < 2; n++, side = !side)
		if (host[side])
			tiles[side] = lower_argument(t->l,
			                             product_names_columns(t->p, side)
			                                     ? "column_tiles"
			                                     : "row_tiles",
			                             i64, host[side]);
	for (side = ROWS; side <= COLUMNS; side++) {
		const struct expr *lo = t->p->node->lo.at[t->p->index[side]];
		struct kx *behind = t->p->window ? count[side]
		                                 : x_add(lower_index(host_lowering(t->l->plan),
		                                                     lo), count[side]);
		origin[side] = product_first(t->l, t->p, side);
		end[side] = lower_argument(t->l,
		                           product_names_columns(t->p, side) ? "end_column"
		                                                             : "end_row",
		                           i64, behind);
	}
	bind_values(t->l->k, "tiles", 2, tiles);
	bind_values(t->l->k, "origin", 2, origin);
	bind_values(t->l->k, "end", 2, end);
}
