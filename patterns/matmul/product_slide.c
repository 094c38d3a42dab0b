/* product_slide.c - operands of a product whose rows slide (product_window.c) are copied: a step of
 * a tile has terms of one place of the window.
 *
 * Shared memory keeps where each row, and column, of the tile begins, and where it is along the
 * axes that have an edge.  A place of the window moves all of them by as much; what is outside is
 * zeros, as are terms after the last channel (window.kernel).  Where rows are stored is found from
 * their numbers if they lie in one line, else from their indices, which shared memory keeps. */
#include "../cells.h"
#include "tiled.h"

/* ---- do all rows lie in one line? ---- */

/* The leading subscripts are the indices of rows, over whole axes. */
static bool is_line(const struct product *p, const struct expr *read)
{
	int axis = 0;
	if (read->var->layout || var_home(read->var) || read->var->ring)
		return false;
	for (int d = 0; d < p->node->index.n; d++) {
		const struct var *index = p->node->index.at[d];
		if (p->part[d] != ROWS)
			continue;
		if (axis == read->arg.n || read->arg.at[axis]->kind != E_VAR
		    || read->arg.at[axis]->var != index
		    || !affine_spans(p->node->lo.at[d], p->node->hi.at[d],
		                     &read->var->extent[axis]))
			return false;
		for (int a = axis + 1; a < read->arg.n; a++)
			if (expr_uses(read->arg.at[a], index))
				return false;
		axis++;
	}
	return true;
}

static bool uses_rows(const struct product *p, const struct expr *e)
{
	for (int d = 0; d < p->node->index.n; d++)
		if (p->part[d] == ROWS && expr_uses(e, p->node->index.at[d]))
			return true;
	return false;
}

/* All that is computed of a cell, beside its fold. */
static bool in_lines(const struct product *p, const struct expr *e)
{
	if (e == p->fold || !uses_rows(p, e))
		return true;
	if (e->kind == E_READ)
		return is_line(p, e);
	for (int a = 0; a < e->arg.n; a++)
		if (!in_lines(p, e->arg.at[a]))
			return false;
	return e->kind != E_VAR;
}

/* Then the number of a row says where its cells are, without its indices. */
bool sliding_in_lines(const struct product *p)
{
	const struct equation *eq = p->node->equation.at[0];
	for (int t = 0; t < eq->target.n; t++)
		if (eq->target.at[t]->kind != E_READ || !is_line(p, eq->target.at[t]))
			return false;
	return !p->node->where && in_lines(p, eq->right);
}

/* ---- what window.kernel leaves open ---- */

/* The least place of the window, and those after the last; of the fold's indices. */
struct sliding { const struct tiled *t; struct kx *first[MAX_RANK], *end[MAX_RANK]; };

static const struct expr *main_of(const struct tiled *t)
{
	return t->p->operand[t->k->each].main;
}

/* How far the place of the window has moved along an axis: i64. */
static struct kx *moved_along(struct lowering *l, const struct sliding *s, const struct expr *sub)
{
	const struct product *p = s->t->p;
	struct affine place;
	struct kx *by = NULL;
	affine_of(sub, &place);
	for (int n = 0; n < place.n; n++) {
		int k = sliding_place(p, place.term[n].var);
		if (k < 0)
			continue;
		struct kx *at = x_sub(lower_var(l, place.term[n].var), s->first[k]);
		at = kx_fold(at);
		at = place.term[n].coef == 1 ? at : x_mul(x_i64(place.term[n].coef), at);
		by = by ? x_add(by, at) : at;
	}
	return by ? by : x_i64(0);
}

/* The subscripts of the first channel of the bound row, at the first place of the window. */
static void at_begin(struct lowering *l, const struct sliding *s, struct kx **sub)
{
	const struct tiled *t = s->t;
	const struct fold *fold = t->p->fold->fold;
	struct kx *before[MAX_RANK];
	for (int k = 0; k < fold->index.n; k++) {
		before[k] = k == t->p->deep_index ? NULL : lower_var(l, fold->index.at[k]);
		lower_bind(l, fold->index.at[k], s->first[k]);
	}
	for (int a = 0; a < main_of(t)->arg.n; a++)
		sub[a] = lower_index(l, main_of(t)->arg.at[a]);
	for (int k = 0; k < fold->index.n; k++)
		if (before[k])
			lower_bind(l, fold->index.at[k], before[k]);
}

/* Of cells that lie in lines the last index takes the number. */
KTEXT_HOLE(line_cell)
{
	const struct tiled *t = ((const struct sliding *)state)->t;
	const struct batch *axes = &t->text->cells[ROWS];
	for (int n = 0; n < axes->n; n++)
		lower_bind(l, axes->index[n], n ? x_i64(0) : arg[0]);
	return NULL;
}

/* Numbers of 32 bits are enough for vectors: what is farther than the host allows is outside. */
static struct kx *place_number(const struct tiled *t, struct kx *place)
{
	if (!t->vectors)
		return place;
	return x_to_i32(x_min(x_max(place, x_i64(-2 * SLIDING_FAR)), x_i64(2 * SLIDING_FAR)));
}

/* Cells from the beginning of the array to that of the row; and where it is along axes that have
 * edges. */
KTEXT_HOLE(keep_line)
{
	const struct tiled *t = ((const struct sliding *)state)->t;
	const struct expr *main = main_of(t);
	struct kx *sub[MAX_RANK];
	int n = 0;
	at_begin(l, state, sub);
	k_set(l->k, x_at(arg[0], arg[2]), lower_linear(l, main->var, sub));
	for (int a = 0; a < main->arg.n; a++)
		if (cell_edged_along(t->p->node, main, a))
			k_set(l->k, x_at(arg[1], x_add(x_i32(n++ * t->form.size[t->k->each]),
			                               arg[2])), place_number(t, sub[a]));
	return NULL;
}

static struct kx *table_cell(const struct tiled *t, struct kx *const *arg, int n)
{
	const int size = t->form.size[ROWS];
	struct kx *axis = x_add(x_mul(x_to_i32(arg[1]), x_i32(t->text->cells[ROWS].n)), x_i32(n));
	return x_at(arg[0], x_add(x_mul(axis, x_i32(size)), x_to_i32(arg[2])));
}

KTEXT_HOLE(keep_cell)
{
	const struct tiled *t = ((const struct sliding *)state)->t;
	const struct batch *axes = &t->text->cells[ROWS];
	for (int n = 0; n < axes->n; n++)
		k_set(l->k, table_cell(t, arg, n), lower_var(l, axes->index[n]));
	return NULL;
}

KTEXT_HOLE(kept_cell)
{
	const struct tiled *t = ((const struct sliding *)state)->t;
	const struct batch *axes = &t->text->cells[ROWS];
	for (int n = 0; n < axes->n; n++)
		lower_bind(l, axes->index[n],
		           x_var(k_let(l->k, axes->index[n]->name, table_cell(t, arg, n))));
	return NULL;
}

/* From there, in cells, at the present place and channel. */
KTEXT_HOLE(moved)
{
	const struct tiled *t = ((const struct sliding *)state)->t;
	const struct expr *main = main_of(t);
	struct kx *sub[MAX_RANK];
	for (int a = 0; a < main->arg.n; a++)
		sub[a] = moved_along(l, state, main->arg.at[a]);
	sub[main->arg.n - 1] = arg[0];
	return lower_linear(l, main->var, sub);
}

/* One comparison of numbers without a sign. */
static struct kx *inside_of(struct kx *at, struct kx *extent)
{
	struct ktype type = kt_scalar(type_size(at->type.type) == 4 ? T_U32 : T_U64);
	return x_lt(x_cast(type, at), x_cast(type, extent));
}

KTEXT_HOLE(inside)
{
	const struct tiled *t = ((const struct sliding *)state)->t;
	const struct expr *main = main_of(t);
	const int loads = (int)arg[3]->i;
	struct kx *is = arg[2];
	int n = 0;
	for (int a = 0; a < main->arg.n; a++) {
		if (!cell_edged_along(t->p->node, main, a))
			continue;
		struct kx *at = x_at(arg[0], x_add(x_i32(n++ * loads), arg[1])),
			  *by = moved_along(l, state, main->arg.at[a]),
			  *extent = lower_extent(l, main->var, a);
		at = t->vectors ? x_add(at, x_to_i32(by)) : x_add(at, by);
		is = x_op(OP_AND, is, inside_of(at, t->vectors ? x_to_i32(extent) : extent));
	}
	return is;
}

KTEXT_HOLE(array)
{
	return lower_pointer(l, main_of(((const struct sliding *)state)->t)->var);
}

/* Variables of the kernel: the place. */
KTEXT_HOLE(first_place)
{
	const struct sliding *s = state;
	const struct product *p = s->t->p;
	const struct fold *fold = p->fold->fold;
	for (int k = 0; k < fold->index.n; k++)
		if (k != p->deep_index)
			lower_bind(l, fold->index.at[k],
			           x_var(k_var(l->k, kt_scalar(T_I64), fold->index.at[k]->name,
			                       s->first[k])));
	return NULL;
}

KTEXT_HOLE(same_place)
{
	const struct sliding *s = state;
	const struct product *p = s->t->p;
	for (int k = 0; k < p->fold->fold->index.n; k++)
		if (k != p->deep_index)
			k_set(l->k, lower_var(l, p->fold->fold->index.at[k]), s->first[k]);
	return NULL;
}

/* The last index runs fastest; nothing follows the last place. */
KTEXT_HOLE(next_place)
{
	const struct sliding *s = state;
	const struct product *p = s->t->p;
	const struct fold *fold = p->fold->fold;
	int opened = 0, slowest = p->deep_index == 0 ? 1 : 0;
	for (int k = fold->index.n - 1; k >= slowest; k--) {
		if (k == p->deep_index)
			continue;
		struct kx *at = lower_var(l, fold->index.at[k]);
		k_set(l->k, at, x_add(at, x_i64(1)));
		if (k == slowest)
			break;
		k_if(l->k, x_le(s->end[k], at));
		k_set(l->k, at, s->first[k]);
		opened++;
	}
	while (opened--)
		k_end(l->k);
	return NULL;
}

static int edges_of(const struct product *p, enum side side)
{
	const struct expr *main = p->operand[side].main;
	int n = 0;
	for (int a = 0; a < main->arg.n; a++)
		n += cell_edged_along(p->node, main, a);
	return n;
}

int64_t sliding_shared(const struct product *p, const struct tile_form *f)
{
	int64_t bytes = 0, rows = 0;
	for (int d = 0; d < p->node->index.n; d++)
		rows += p->part[d] == ROWS;
	for (int side = ROWS; side <= COLUMNS; side++)
		bytes += (1 + edges_of(p, side) + (side == ROWS ? 2 * rows : 0)) * f->size[side]
		         * (int64_t)sizeof(int64_t);
	return bytes;
}

static struct sliding *sliding_of(const struct tiled *t)
{
	const struct fold *fold = t->p->fold->fold;
	struct lowering *host = host_lowering(t->l->plan);
	struct sliding *s = NEW(struct sliding);
	s->t = t;
	for (int k = 0; k < fold->index.n; k++) {
		const char *name = fold->index.at[k]->name;
		s->first[k] = lower_number(t->l, str_print("%s_first", name),
		                           lower_index(host, fold->lo.at[k]));
		if (k != t->p->deep_index)
			s->end[k] = lower_number(t->l, str_print("%s_end", name),
			                         lower_index(host, fold->hi.at[k]));
	}
	return s;
}

void sliding_bind(const struct tiled *t)
{
	bool is = t->p->window && t->copied;
	bool lines = is && sliding_in_lines(t->p);
	struct kx *edges[2], *cells[2] = { x_int(T_INT_LIT, lines ? 0 : t->text->cells[ROWS].n),
		                           x_int(T_INT_LIT, 0) };
	k_numbers(t->k, "WINDOW, KEPT, LINES", is, t->form.group, lines);
	if (!is)
		return;
	for (int side = ROWS; side <= COLUMNS; side++)
		edges[side] = x_int(T_INT_LIT, edges_of(t->p, side));
	bind_values(t->k, "EDGES", 2, edges);
	bind_values(t->k, "CELLS", 2, cells);
	k_bind(t->k, "NOWHERE", INT64_MIN / 2);
	k_bind(t->k, "PLACE", type_scalar(t->vectors ? T_I32 : T_I64));
	bind_words(t->k, "held_at", 2, (const char *[]){ "left_from", "right_from" });
	bind_words(t->k, "held_place", 2, (const char *[]){ "left_near", "right_near" });
	bind_words(t->k, "begins", 2, (const char *[]){ "left_begins", "right_begins" });
	bind_words(t->k, "places", 2, (const char *[]){ "left_places", "right_places" });
	bind_words(t->k, "by", 2, (const char *[]){ "left_by", "right_by" });
	k_bind(t->k, "channels",
	       lower_argument(t->l, "channels", kt_scalar(T_I64),
	                      sliding_channels(t->l->plan, t->p)));
	k_bind_calls(t->k, sliding_of(t), { "keep_line", keep_line }, { "keep_cell", keep_cell },
	             { "kept_cell", kept_cell }, { "line_cell", line_cell }, { "moved", moved },
	             { "inside", inside },
	             { "array", array }, { "first_place", first_place },
	             { "same_place", same_place }, { "next_place", next_place });
}
