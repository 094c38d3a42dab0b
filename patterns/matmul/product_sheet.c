/* product_sheet.c - how the matrices of many small products come into shared memory, and how
 * results leave it.
 *
 * Where the products of an array lie one after another, a block's share is one piece of memory,
 * and moves as such: 16 bytes a thread, neighbours by neighbours, whatever the rows' lengths; which
 * row and product a cell belongs to matters only where its value, or what follows the fold, uses an
 * index. All loads of a block are under way before the first is stored. The last block may have
 * less, and arrays need not begin at a multiple of 16 bytes: then cells are moved one by one, in
 * the order of memory too. So are arrays that lie otherwise (other layouts, a batch that is the
 * last index). */
#include <string.h>
#include "product_small.h"

enum { VECTOR = 16 };                    /* bytes */

/* ---- how arrays lie ---- */

static const struct expr *target_of(const struct product *p)
{
	return p->node->equation.at[0]->target.at[0];
}

static bool is_index(const struct expr *sub, const struct var *index)
{
	return sub->kind == E_VAR && sub->var == index;
}

/* The subscript, an index of the node or of the fold, runs from 0 to the end of the axis. */
static bool runs_whole(const struct product *p, const struct expr *sub, const struct affine *extent)
{
	const struct fold *fold = p->fold->fold;
	const struct expr *lo = fold->lo.at[0], *hi = fold->hi.at[0];
	for (int d = 0; d < p->node->index.n; d++)
		if (is_index(sub, p->node->index.at[d]))
			lo = p->node->lo.at[d], hi = p->node->hi.at[d];
	return affine_spans(lo, hi, extent);
}

/* The leading subscripts are those that count products, all of them in their order. */
static bool counts_in_order(const struct product *p, const struct expr *read, int lead)
{
	int a = 0;
	for (int d = 0; d < p->node->index.n; d++)
		if (product_counts(p, d)) {
			if (a >= lead || !is_index(read->arg.at[a], p->node->index.at[d])
			    || !runs_whole(p, read->arg.at[a], &read->var->extent[a]))
				return false;
			a++;
		}
	return a == lead;
}

static bool is_flat(const struct product *p, const struct sheet *h, const struct expr *read)
{
	const struct var *v = read->var;
	int lead = v->rank - 2, slow = h->turned;
	if (lead < 0 || !is_dense(v) || v->ring || !strchr("BIUF", type_class(v->type))
	    || h->across)
		return false;
	for (int side = 0; side < 2; side++) {
		const struct expr *sub = read->arg.at[lead + side];
		if (!is_index(sub, h->index[side ? !slow : slow])
		    || !runs_whole(p, sub, &v->extent[lead + side]))
			return false;
	}
	return h->single ? lead == 0 : counts_in_order(p, read, lead);
}

struct sight { const struct product *p; struct sheet *h; const struct expr *main; };

static bool find_main(struct expr *e, void *state)
{
	struct sight *s = state;
	if (e->kind == E_READ && (!s->main || s->main->var->rank < e->var->rank))
		s->main = e;
	return e->kind != E_FOLD;
}

static bool find_flat(struct expr *e, void *state)
{
	struct sight *s = state;
	bool known = e->kind != E_READ || !is_flat(s->p, s->h, e);
	for (int f = 0; !known && f < s->h->flat.n; f++)
		known = product_same(s->h->flat.at[f], e);
	if (!known)
		list_add(&s->h->flat, e);
	return e->kind != E_FOLD;
}

/* What its largest array has as neighbours. */
static void find_order(struct sight *s)
{
	const struct expr *last = s->main ? s->main->arg.at[s->main->var->rank - 1] : NULL;
	s->h->turned = last && is_index(last, s->h->index[0]);
	for (int d = 0; last && d < s->p->node->index.n; d++)
		s->h->across |= product_counts(s->p, d) && is_index(last, s->p->node->index.at[d]);
}

static bool same_for_all(const struct product *p, const struct expr *e)
{
	for (int d = 0; d < p->node->index.n; d++)
		if (product_counts(p, d) && expr_uses(e, p->node->index.at[d]))
			return false;
	return true;
}

/* Cells that are moved at a time: 16 bytes of the widest, or as many as are chosen, such that a
 * block's share is a number of them; of the result those that a thread has in a row, if it has as
 * few. */
static int width_of(const struct product *p, const struct sheet *h)
{
	int64_t bytes = h->e ? type_size(h->type) : 1;
	int chosen = p->node->choice.vector,
	    share = h->single ? h->cells : h->cells * p->small.products;
	for (int f = 0; f < h->flat.n; f++)
		bytes = type_size(h->flat.at[f]->var->type) > bytes
		                ? type_size(h->flat.at[f]->var->type)
		                : bytes;
	int width = h->flat.n ? VECTOR / (int)bytes : 1;
	width = chosen && chosen < width ? chosen : width;
	if (!h->e && width % p->small.thread[COLUMNS] == 0 && p->small.thread[COLUMNS] > 1)
		width = p->small.thread[COLUMNS];
	while (share % width)
		width /= 2;
	return width;
}

/* Side 0 of the right operand and side 1 of the left one run along the terms. */
static bool is_deep(int which, int side)
{
	return which == (side ? LEFT : RIGHT);
}

static void of_result(const struct product *p, struct sheet *h)
{
	const struct expr *target = target_of(p);
	struct sight s = { p, h, target_read((struct expr *)target) };
	h->type = p->term->type;
	find_order(&s);
	if (target->kind != E_READ || !is_flat(p, h, target) || p->node->where
	    || p->node->equation.at[0]->whole)
		return;
	list_add(&h->flat, target);
	expr_walk(p->node->equation.at[0]->right, find_flat, &s);
}

static void of_operand(const struct product *p, struct sheet *h, int which)
{
	struct sight s = { p, h, NULL };
	h->e = p->operand[which].e;
	h->type = h->e->type;
	h->single = same_for_all(p, h->e);
	expr_walk((struct expr *)h->e, find_main, &s);
	find_order(&s);
	expr_walk((struct expr *)h->e, find_flat, &s);
}

struct sheet sheet_lies(const struct product *p, int which)
{
	struct sheet h = { .size = { 0 } };
	const struct fold *fold = p->fold->fold;
	for (int side = 0; side < 2; side++) {
		bool deep = is_deep(which, side);
		int d = p->index[side];
		h.index[side] = deep ? p->depth : p->node->index.at[d];
		h.lo[side] = deep ? fold->lo.at[0] : p->node->lo.at[d];
	}
	if (which == RESULT)
		of_result(p, &h);
	else
		of_operand(p, &h, which);
	return h;
}

struct sheet sheet_of(const struct product *p, int which)
{
	struct sheet h = sheet_lies(p, which);
	for (int side = 0; side < 2; side++) {
		h.size[side] = p->small.cells[is_deep(which, side) ? 2 : side];
		h.extent[side] = x_i32(h.size[side]);
	}
	h.cells = h.size[0] * h.size[1];
	h.each = x_i32(h.cells);
	h.width = width_of(p, &h);
	return h;
}

/* ---- the host ---- */

struct kx *sheets_aligned(const struct few *t, struct plan *plan)
{
	struct kx *all = NULL;
	for (int s = 0; s < SHEETS; s++)
		for (int f = 0; t->sheet[s].width > 1 && f < t->sheet[s].flat.n; f++)
			all = x_and(all, plan_aligned(plan, t->sheet[s].flat.at[f]->var,
			                              t->sheet[s].width));
	return all;
}

/* ---- places ---- */

static struct kx *few_let(struct few *t, const char *name, struct kx *value)
{
	return x_var(k_let(t->k, name, value));
}

static int sheet_count(const struct few *t, const struct sheet *h)
{
	return h->single ? h->cells : h->cells * t->form.products;
}

void sheet_open(struct few *t, struct sheet *h)
{
	const char *name = h == &t->sheet[RESULT]  ? "sums"
	                   : h == &t->sheet[RIGHT] ? "right_cells"
	                                           : "left_cells";
	for (int f = 0; h->width > 1 && f < h->flat.n; f++) {
		const struct var *v = h->flat.at[f]->var;
		struct kx *at = lower_pointer(t->l, v);
		at = h->single ? at : x_offset(at, x_mul(t->first, x_i64(h->cells)));
		list_add(&h->base, k_let(t->k, str_print("%s_block", v->name), at));
	}
	if (h->e || !t->direct) {
		h->shared = k_shared(t->k, h->type, name, sheet_count(t, h));
		h->shared->align = VECTOR;
	}
}

/* Cells lie in shared memory as in the array. */
static bool in_order(const struct sheet *h)
{
	return !h->turned && (!h->across || h->single);
}

static struct kx *place_in(const struct sheet *h, const struct place *p)
{
	struct kx *cell = x_add(x_mul(p->cell[0], h->extent[1]), p->cell[1]);
	return h->single ? cell : x_add(x_mul(p->product, h->each), cell);
}

/* Cell number n of the block in the order of memory. */
static struct place place_of(struct few *t, const struct sheet *h, struct kx *n)
{
	struct kx *cell = n, *product = x_i32(0);
	if (!h->single) {
		product = few_let(t, "product", h->across ? x_rem(n, t->share) : x_div(n, h->each));
		cell = few_let(t, "cell", h->across ? x_div(n, t->share) : x_rem(n, h->each));
	}
	struct kx *size = h->extent[!h->turned], *slow = x_div(cell, size),
		  *fast = x_rem(cell, size);
	struct place p = { .product = product,
		           .cell = { h->turned ? fast : slow, h->turned ? slow : fast } };
	p.in = in_order(h) ? n : place_in(h, &p);
	return p;
}

static void bind_place(struct few *t, const struct sheet *h, const struct place *p)
{
	product_bind(t->l, &t->axes, x_add(t->first, x_to_i64(p->product)));
	for (int side = 0; side < 2; side++) {
		struct kx *at = x_add(lower_index(t->l, h->lo[side]), x_to_i64(p->cell[side]));
		lower_bind(t->l, h->index[side], few_let(t, h->index[side]->name, at));
	}
}

/* ---- vectors of an array's cells ---- */

struct lanes { const struct sheet *h; struct kx *vector[8]; int lane; };

static struct kx *lane_reader(struct lowering *l, const struct expr *read)
{
	const struct lanes *v = l->now.state;
	for (int f = 0; f < v->h->flat.n; f++)
		if (product_same(v->h->flat.at[f], read))
			return x_lane(v->vector[f], v->lane);
	return lower_cell(l, read);
}

static bool is_read(const struct few *t, const struct sheet *h, const struct expr *read)
{
	return h->e || expr_uses(t->p->node->equation.at[0]->right, read->var);
}

/* Vector number n of the block: from here on reads are answered by its lanes. */
static void load_lanes(struct few *t, const struct sheet *h, struct kx *n, struct lanes *v)
{
	v->h = h;
	for (int f = 0; f < h->flat.n; f++)
		if (is_read(t, h, h->flat.at[f])) {
			struct kx *at = x_offset(x_var(h->base.at[f]), x_mul(n, x_i32(h->width)));
			v->vector[f] = few_let(t, "cells", x_vload(at, h->width));
		}
	t->l->now.read = lane_reader;
	t->l->now.state = v;
}

static struct kx *operand_at(struct few *t, const struct sheet *h, const struct place *p)
{
	bind_place(t, h, p);
	return lower_expr(t->l, h->e);
}

/* ---- operands: a whole share ---- */

static int moves_of(const struct few *t, const struct sheet *h)
{
	return sheet_count(t, h) / h->width;
}

static int rounds_of(const struct few *t, const struct sheet *h)
{
	return (moves_of(t, h) + t->form.threads - 1) / t->form.threads;
}

/* Opens the loop over a thread's moves, and the test whether there is such a one: 0 to 2 levels. */
static struct kx *open_moves(struct few *t, const struct sheet *h, struct kx **round)
{
	int rounds = rounds_of(t, h), moves = moves_of(t, h);
	*round = rounds == 1 ? x_i32(0)
	                     : x_var(k_for(t->k, "round", x_i32(0), x_i32(rounds), x_i32(1),
	                                   FOR_UNROLL));
	struct kx *n = few_let(t, "number",
	                       x_add(block_thread(t->l), x_mul(*round, x_i32(t->form.threads))));
	if (moves % t->form.threads)
		k_if(t->k, x_lt(n, x_i32(moves)));
	return n;
}

static void close_moves(struct few *t, const struct sheet *h)
{
	for (int level = 0; level < (rounds_of(t, h) > 1) + (moves_of(t, h) % t->form.threads > 0);
	     level++)
		k_end(t->k);
}

static struct kx *waiting(const struct sheet *h, struct kx *round, int lane)
{
	return x_at(x_var(h->next), x_add(x_mul(round, x_i32(h->width)), x_i32(lane)));
}

static void load_share(struct few *t, struct sheet *h)
{
	struct lanes v = { .lane = 0 };
	struct kx *round, *n;
	h->next = k_regs(t->k, h->type, h == &t->sheet[LEFT] ? "left_next" : "right_next",
	                 rounds_of(t, h) * h->width);
	n = open_moves(t, h, &round);
	if (h->width > 1)
		load_lanes(t, h, n, &v);
	for (v.lane = 0; v.lane < h->width; v.lane++) {
		struct place p = place_of(t, h, x_add(x_mul(n, x_i32(h->width)), x_i32(v.lane)));
		k_set(t->k, waiting(h, round, v.lane), operand_at(t, h, &p));
	}
	t->l->now.read = NULL;
	close_moves(t, h);
}

static void store_share(struct few *t, const struct sheet *h)
{
	struct kx *round, *n = open_moves(t, h, &round);
	bool vector = in_order(h) && h->width > 1;
	struct kvar *v = vector ? k_var(t->k, kt_vector(h->type, h->width), "cells", NULL) : NULL;
	for (int lane = 0; lane < h->width; lane++) {
		struct kx *at = x_add(x_mul(n, x_i32(h->width)), x_i32(lane));
		if (vector) {
			k_set(t->k, x_lane(x_var(v), lane), waiting(h, round, lane));
			continue;
		}
		k_set(t->k, x_at(x_var(h->shared), place_of(t, h, at).in), waiting(h, round, lane));
	}
	if (vector)
		k_vstore(t->k, x_offset(x_var(h->shared), x_mul(n, x_i32(h->width))), x_var(v));
	close_moves(t, h);
}

/* ---- cells one by one ---- */

/* Opens a loop over the thread's cells of what there is. */
static struct place open_cells(struct few *t, const struct sheet *h)
{
	struct kx *end = h->single ? h->each : x_mul(h->across ? t->share : t->left, h->each);
	struct kx *n = x_var(
		k_for(t->k, "number", block_thread(t->l), end, x_i32(t->form.threads), 0));
	struct place p = place_of(t, h, n);
	if (h->across && !h->single)
		k_if(t->k, x_lt(p.product, t->left));
	return p;
}

static void close_cells(struct few *t, const struct sheet *h)
{
	if (h->across && !h->single)
		k_end(t->k);
	k_end(t->k);
}

void sheet_bring_cells(struct few *t, const struct sheet *h)
{
	struct place p = open_cells(t, h);
	k_set(t->k, x_at(x_var(h->shared), p.in), operand_at(t, h, &p));
	close_cells(t, h);
}

void sheets_bring(struct few *t)
{
	if (t->whole) {
		k_if(t->k, t->whole);
		for (int s = LEFT; s <= RIGHT; s++)
			load_share(t, &t->sheet[s]);
		for (int s = LEFT; s <= RIGHT; s++)
			store_share(t, &t->sheet[s]);
		k_else(t->k);
	}
	for (int s = LEFT; s <= RIGHT; s++)
		sheet_bring_cells(t, &t->sheet[s]);
	if (t->whole)
		k_end(t->k);
	k_barrier(t->k);
}

/* ---- results ---- */

void sheet_finish_cell(struct few *t, const struct place *p, struct kx *sum)
{
	bind_place(t, &t->sheet[RESULT], p);
	product_finish(t->l, t->p, sum);
}

/* A lane of a vector of results. */
static void finish_lane(struct few *t, struct kvar *out, struct lanes *v, const struct place *p,
                        struct kx *sum)
{
	bind_place(t, &t->sheet[RESULT], p);
	k_set(t->k, x_lane(x_var(out), v->lane), product_value(t->l, t->p, sum));
}

static struct kvar *open_vector(struct few *t, struct kx *n, struct lanes *v)
{
	const struct sheet *h = &t->sheet[RESULT];
	load_lanes(t, h, n, v);
	return k_var(t->k, kt_vector(target_of(t->p)->type, h->width), "results", NULL);
}

static void close_vector(struct few *t, struct kx *n, struct kvar *out)
{
	t->l->now.read = NULL;
	k_vstore_at(t->k, x_var(t->sheet[RESULT].base.at[0]), n, x_var(out));
}

static void finish_share(struct few *t)
{
	const struct sheet *h = &t->sheet[RESULT];
	struct lanes v = { .lane = 0 };
	struct kx *round, *n = open_moves(t, h, &round);
	struct kvar *out = open_vector(t, n, &v);
	for (v.lane = 0; v.lane < h->width; v.lane++) {
		struct place p = place_of(t, h, x_add(x_mul(n, x_i32(h->width)), x_i32(v.lane)));
		finish_lane(t, out, &v, &p, x_at(x_var(h->shared), p.in));
	}
	close_vector(t, n, out);
	close_moves(t, h);
}

void sheet_finish(struct few *t)
{
	const struct sheet *h = &t->sheet[RESULT];
	bool vectors = t->whole && h->width > 1;
	k_barrier(t->k);
	if (vectors) {
		k_if(t->k, t->whole);
		finish_share(t);
		k_else(t->k);
	}
	struct place p = open_cells(t, h);
	sheet_finish_cell(t, &p, x_at(x_var(h->shared), p.in));
	close_cells(t, h);
	if (vectors)
		k_end(t->k);
}

void sheet_finish_row(struct few *t, struct kx *product, struct kx *row, struct kx *column,
                      struct kx *sums)
{
	const struct sheet *h = &t->sheet[RESULT];
	struct lanes v = { .lane = 0 };
	struct place at = { .product = product, .cell = { row, column } };
	k_if(t->k, t->vectors);
	struct kx *n = few_let(t, "number", x_div(place_in(h, &at), x_i32(h->width)));
	struct kvar *out = open_vector(t, n, &v);
	for (v.lane = 0; v.lane < h->width; v.lane++) {
		struct place p = { .product = product,
			           .cell = { row, x_add(column, x_i32(v.lane)) } };
		finish_lane(t, out, &v, &p, x_at(t->sums, x_add(sums, x_i32(v.lane))));
	}
	close_vector(t, n, out);
	k_else(t->k);
	for (int c = 0; c < h->width; c++) {
		struct place p = { .product = product, .cell = { row, x_add(column, x_i32(c)) } };
		sheet_finish_cell(t, &p, x_at(t->sums, x_add(sums, x_i32(c))));
	}
	k_end(t->k);
}
