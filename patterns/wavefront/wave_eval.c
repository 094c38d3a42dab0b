/* wave_eval.c - a wavefront (wavefront.h) as it is written: cell after cell in its order, each from
 * its neighbours in the tables, which hold new values where the order has been and old ones
 * elsewhere. */
#include <string.h>

#include "../lowerings.h"
#include "wave_eval.h"

struct wave_code {                       /* a statement, ready to run */
	struct cell_code *cells;
	int reads;
	struct wave_read *read;
	struct sway **sway;                  /* of each equation */
	int within;
	struct code **inside;                /* reads whose place must be in their array */
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
	wc->within = w->within.n;
	wc->inside = array_new(w->within.n, sizeof *wc->inside);
	for (int k = 0; k < w->within.n; k++)
		wc->inside[k] = code_of(ev, w->within.at[k].read);
	wc->sway = array_new(wc->cells->equations, sizeof *wc->sway);
	for (int q = 0; q < wc->cells->equations; q++)
		wc->sway[q] = sway_open(ev, node, q, wc->cells->target[q].at[0]->place);
	return wc;
}

/* The indices stand for the neighbour's place, or for the cell's again. */
static void move(const struct wave_code *wc, const struct neighbour *n, int64_t times)
{
	for (int k = 0; k < wc->cells->n; k++)
		wc->cells->index[k]->value.i += times * n->step[k];
}

/* The number of the cell that a target's subscripts name; -1: outside. */
static int64_t cell_number(struct eval *ev, const struct code *target)
{
	int64_t at[MAX_RANK], cell = 0;
	subscripts(ev, target, at);
	for (int d = 0; d < target->place->rank; d++) {
		if (at[d] < 0 || at[d] >= target->place->extent[d])
			return -1;
		cell = cell * target->place->extent[d] + at[d];
	}
	return cell;
}

/* A place outside without a boundary is one whose value is not used. */
static void bind(struct eval *ev, const struct wave_code *wc, struct wave_read *r)
{
	struct num v = { 0 };
	move(wc, r->n, 1);
	r->at = cell_number(ev, r->cell);
	if (r->at >= 0) {
		v = num_load(r->table->type, r->table->data + r->at * type_size(r->table->type));
		v.e = r->table->error[r->at];
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

/* Equations see what those before them gave to the cell; what reads outside an array leaves its
 * cell. */
static void run_equation(struct eval *ev, struct wave_code *wc, int q, bool open)
{
	const struct cell_code *cells = wc->cells;
	bind_all(ev, wc);
	struct num v = run(ev, cells->right[q]);
	int64_t cell = wc->sway[q] && !ev->outside ? cell_number(ev, cells->target[q].at[0]) : -1;
	if (cell >= 0)
		v.e = sway_step(ev, wc->sway[q], wc->read, cell, v);
	if (!ev->outside)
		write_cells(ev, &cells->target[q], cells->right[q]->type, v, open);
	if (ev->outside)
		record(ev);
}

/* Data took the range beyond what the tables have, or an array that each cell reads: wavefront.h,
 * Note [ranges that are cut]. */
static bool is_cut_off(struct eval *ev, struct wave_code *wc)
{
	const struct node *node = wc->cells->node;
	bool cut = false;
	for (int k = 0; k < wc->cells->n; k++)
		cut |= node->wave->cut[k].lo != NULL;
	cut = cut && cell_number(ev, wc->cells->target[0].at[0]) < 0;
	for (int k = 0; k < wc->within; k++)
		cut |= cell_number(ev, wc->inside[k]) < 0;
	if (!cut)
		return false;
	ev->outside = true;
	record(ev);
	return true;
}

static void run_cell(struct eval *ev, struct wave_code *wc)
{
	bool open;
	if (is_cut_off(ev, wc))
		return;
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
		cells->index[k]->value = num_int(cells->node->wave->back[k] ? hi.i - 1 - (i - lo.i)
		                                                            : i);
		run_axis(ev, wc, d + 1);
	}
}

void wavefront_eval(struct eval *ev, const struct node *node)
{
	struct wave_code *wc = known_find(ev->node, node->wave);     /* compile_cells has node */
	wc = wc ? wc : compile(ev, node);
	for (int q = 0; q < wc->cells->equations; q++)
		if (wc->sway[q])
			sway_start(wc->sway[q]);
	run_axis(ev, wc, 0);
}
