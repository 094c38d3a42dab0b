/* eval_wave.c - a wavefront (wavefront.h) as it is written: cell after cell in its order, each from its
 * neighbours in the tables, which hold new values where the order has been and old ones elsewhere. */
#include <string.h>

#include "eval_impl.h"
#include "wavefront.h"

struct wave_code {                       /* a statement, ready to run */
	struct cell_code *cells;
	int reads;
	struct wave_read { const struct neighbour *n; struct place *value, *table; struct code *cell, *outside; } *read;
};

static struct wave_code *compile(struct eval *ev, const struct node *node)
{
	const struct wavefront *w = node->wave;
	struct wave_code *wc = known_add(&ev->node, w, NEW(struct wave_code));
	wc->read = array_new(w->read.n, sizeof *wc->read);
	wc->reads = w->read.n;
	for (int k = 0; k < w->read.n; k++) {
		struct wave_read *r = &wc->read[k];
		r->n = w->read.at[k];
		r->value = place_of(ev, r->n->value);
		if (in_memory(r->n->value->type))
			r->value->data = array_new(1, (size_t)type_size(r->n->value->type));
	}
	wc->cells = compile_cells(ev, node);
	for (int k = 0; k < w->read.n; k++) {
		struct wave_read *r = &wc->read[k];
		r->cell = wc->cells->target[r->n->equation].at[0];
		r->table = r->cell->place;
		r->outside = r->n->outside ? code_of(ev, r->n->outside) : NULL;
	}
	return wc;
}

/* The indices stand for the neighbour's place, or for the cell's again. */
static void move(const struct wave_code *wc, const struct neighbour *n, int64_t times)
{
	for (int k = 0; k < wc->cells->n; k++)
		wc->cells->index[k]->value.i += times * n->step[k];
}

static bool is_inside(const struct wave_read *r, const int64_t *at)
{
	for (int d = 0; d < r->table->rank; d++)
		if (at[d] < 0 || at[d] >= r->table->extent[d])
			return false;
	return true;
}

static int64_t cell_number(const struct wave_read *r, const int64_t *at)
{
	int64_t cell = 0;
	for (int d = 0; d < r->table->rank; d++)
		cell = cell * r->table->extent[d] + at[d];
	return cell;
}

/* A place outside without a boundary is one whose value is not used. */
static void bind(struct eval *ev, const struct wave_code *wc, struct wave_read *r)
{
	int64_t at[MAX_RANK];
	struct num v = { 0 };
	move(wc, r->n, 1);
	subscripts(ev, r->cell, at);
	if (is_inside(r, at)) {
		int64_t cell = cell_number(r, at);
		v = num_load(r->table->type, r->table->data + cell * type_size(r->table->type));
		v.e = r->table->error[cell];
	} else if (r->outside) {
		v = run(ev, r->outside);
	}
	move(wc, r->n, -1);
	place_set(r->value, v);
}

static void bind_all(struct eval *ev, struct wave_code *wc)
{
	ev->outside = false;
	for (int k = 0; k < wc->reads; k++)
		bind(ev, wc, &wc->read[k]);
}

/* Equations see what those before them gave to the cell; what reads outside an array leaves its cell. */
static void run_equation(struct eval *ev, struct wave_code *wc, int q, bool open)
{
	const struct cell_code *cells = wc->cells;
	bind_all(ev, wc);
	struct num v = run(ev, cells->right[q]);
	if (!ev->outside)
		write_cells(ev, &cells->target[q], cells->right[q]->type, v, open);
	if (ev->outside)
		record(ev);
}

static void run_cell(struct eval *ev, struct wave_code *wc)
{
	bool open;
	bind_all(ev, wc);
	if (cell_masked(ev, wc->cells, &open))
		return;
	for (int q = 0; q < wc->cells->equations; q++)
		run_equation(ev, wc, q, open);
}

static void run_axis(struct eval *ev, struct wave_code *wc, int d)
{
	const struct cell_code *cells = wc->cells;
	if (d == cells->n) {
		run_cell(ev, wc);
		return;
	}
	int k = cells->node->wave->order[d];
	struct num lo = run(ev, cells->lo[k]), hi = run(ev, cells->hi[k]);
	ev->all_open |= lo.e > 0 || hi.e > 0;
	for (int64_t i = lo.i; i < hi.i && step_on(ev, cells->node->at); i++) {
		cells->index[k]->value = num_int(cells->node->wave->back[k] ? hi.i - 1 - (i - lo.i) : i);
		run_axis(ev, wc, d + 1);
	}
}

void eval_wavefront(struct eval *ev, const struct node *node)
{
	struct wave_code *wc = known_find(ev->node, node->wave);     /* compile_cells has node */
	run_axis(ev, wc ? wc : compile(ev, node), 0);
}
