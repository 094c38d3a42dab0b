/* expect_demand.c - what a statement needs on a GPU beside its bound: instructions, counted from
 * the graph as the work is (work.c); what its kernels waste, and share, by the accesses of their
 * warps (kiraccess.c); launches and blocks, by the host's plan.
 *
 * Of kernels among which the host chooses, the best is taken: the others are for sizes and places
 * at which that does not hold. */
#include <math.h>
#include <string.h>
#include "ask.h"
#include "expect.h"
#include "kirlanes.h"
#include "matrix.h"
#include "running.h"

/* ---- instructions ---- */

static double times_of(const struct work *w, const char *name)
{
	for (int i = 0; i < w->operation.n; i++)
		if (!strcmp(w->operation.at[i].name, name))
			return w->operation.at[i].times;
	return 0;
}

/* Instructions of a load of less than a word, and of keeping the best cell and its place. */
enum { UNPACKED = 3, WORD_BYTES = 4, BEST = 4 };

/* Of the steps of a function, where nvcc's code for f32 has far fewer than in the middle. */
static const struct { const char *name; double share; } quick[] = {
	{ "rsqrt", 0.3 }, { "exp2", 0.3 }, { "exp", 0.6 }, { "sqrt", 0.6 }, { "/", 0.6 }
};

static double slow_in_full(const struct work *w)
{
	double slow = w->slow32;
	for (size_t i = 0; i < sizeof quick / sizeof *quick; i++)
		slow -= fmin(times_of(w, quick[i].name), w->slow32) * (1 - quick[i].share);
	return fmax(slow, 0);
}

/* Seconds at the rates of the data sheet. */
static void count_instructions(const struct work *w, bool selects, const struct machine *m,
                               struct demand *d)
{
	double rate32 = m->f32 * 0.5e12, rate64 = m->f64 * 0.5e12, floats = w->f32 + w->f64;
	bool units = work_on_units(w, m), wide = w->f64 > 0 && w->f32 <= 0;
	double pairs = fmin(times_of(w, "*"), times_of(w, "+") + times_of(w, "-"));
	double fused = units ? 0 : fmin(pairs, floats / 2);
	double united = units ? w->united : 0, of64 = units && w->unit->sum == T_F64 ? united : 0;
	double in32 = w->f32 - w->slow32 + w->integer - (united - of64) - (wide ? 0 : fused),
	       in64 = w->f64 - w->slow64 - of64 - (wide ? fused : 0);
	double words = w->widest > 0 && w->widest < WORD_BYTES ? UNPACKED : 1;
	double loads = w->of_term && w->read <= 0 ? 0 : words * w->loads;
	in32 += (BEST - 1) * (times_of(w, "argmin") + times_of(w, "argmax"));
	in32 += selects ? m->reached.kept : 0;
	d->count = in32 + in64 + loads;
	d->instructions = (in32 + loads) / rate32 + in64 / rate64;
	d->counted = ((w->f32 - w->slow32 - united + of64) * 0.5 + w->integer) / rate32
		   + (w->f64 - w->slow64 - of64) * 0.5 / rate64;
	d->steps = slow_in_full(w) * m->reached.steps32 / rate32
		 + w->slow64 * m->reached.steps64 / rate64;
	d->units = units ? united / work_unit_rate(w, m) * 1e-12 : 0;
}

struct turning { const struct fold *fold; const char *array; };

static bool note_turned(struct expr *e, void *data)
{
	struct turning *t = data;
	const struct expr *last = e->kind == E_READ && e->var->rank ? e->arg.at[e->var->rank - 1]
		: NULL;
	if (last && type_size(e->var->type) == 1 && !expr_uses(last, t->fold->index.at[0]))
		t->array = e->var->name;
	return true;
}

/* The operand of matrix units whose cells are bytes, and do not lie along the terms; or NULL. */
static const char *turned_in(const struct node *node)
{
	struct turning t = { node->united.fold ? node->united.fold->fold : NULL, NULL };
	if (t.fold)
		expr_walk(node->united.fold->arg.at[0], note_turned, &t);
	return t.array;
}

/* ---- what its kernels access ---- */

static bool has_array(const struct access *a, const char *name)
{
	return !strcmp(a->array->name, name);
}

/* Bytes that move for one that is used: 1 if the kernel also reads or writes neighbours together,
 * for the other accesses are those of edges; 0: it has none. near: lanes share sectors, so that no
 * other warp comes back to them.  alone: nothing else is read of the array. */
static double waste_of(const struct accesses *all, const struct moved_stream *s, bool write,
                       bool alone, int sector, bool *near)
{
	double least = 0;
	for (int i = 0; i < all->at.n; i++) {
		const struct access *a = &all->at.at[i];
		bool strided = a->kind == ACCESS_STRIDED && !s->structs && a->stride != s->size;
		double moved = strided ? a->moved : 1;
		if (strided && alone && a->stride > 0)
			moved = fmin((double)a->stride, sector) / (double)s->size;
		if (a->helper || a->write != write || !has_array(a, s->array)
		    || a->kind == ACCESS_BROADCAST)
			continue;
		*near |= strided && (s->column || (0 < a->stride && a->stride < sector));
		least = least <= 0 || moved < least ? moved : least;
	}
	return least;
}

static bool has_kind(const struct accesses *all, const struct moved_stream *s,
                     enum access_kind kind)
{
	for (int i = 0; i < all->at.n; i++)
		if (all->at.at[i].kind == kind && has_array(&all->at.at[i], s->array))
			return true;
	return false;
}

/* A function combines items in cells that data decide: in which array? */
static const char *meets_in(const struct accesses *all)
{
	for (int i = 0; i < all->at.n; i++)
		if (all->at.at[i].kind == ACCESS_RANDOM && all->at.at[i].helper)
			return all->at.at[i].array->name;
	return NULL;
}

struct kernels { LIST(const struct kernel *) at; };

static struct kernels kernels_of(const struct plan *plan, const struct node *anchor)
{
	struct kernels all = { 0 };
	for (int i = 0; i < plan->kernel.n; i++)
		if (kernel_computes(plan->kernel.at[i], anchor))
			list_add(&all.at, plan->kernel.at[i]);
	return all;
}

/* The best of its kernels: the others are for sizes or places at which that does not hold. */
static void count_stream(const struct moved_stream *s, const struct accesses *all, int kernels,
                         bool alone, int sector, struct demand *d)
{
	double waste[2] = { 0, 0 };
	bool random = false, open = false, near = false;
	for (int k = 0; k < kernels; k++) {
		random |= has_kind(&all[k], s, ACCESS_RANDOM);
		open |= has_kind(&all[k], s, ACCESS_OPEN);
		for (int w = 0; w < 2; w++) {
			double one = waste_of(&all[k], s, w, alone, sector, &near);
			waste[w] = one > 0 && (waste[w] <= 0 || one < waste[w]) ? one : waste[w];
		}
	}
	if (s->by_data && random) {
		d->random = s->array;
		d->read_at.cells += s->read > 0;
		d->read_at.bytes += s->read;
		d->written_at.cells += s->written > 0;
		d->written_at.bytes += s->written;
		return;
	}
	d->open = s->by_data && open ? s->array : d->open;
	double wasted = fmax(waste[0] - 1, 0) * s->read + fmax(waste[1] - 1, 0) * s->written;
	d->strided = wasted > d->wasted + d->spread ? s->array : d->strided;
	*(near ? &d->wasted : &d->spread) += wasted;
}

static void count_meetings(const struct work *w, const struct accesses *all, int kernels,
                           struct demand *d)
{
	for (int k = 0; k < kernels; k++) {
		const char *array = meets_in(&all[k]);
		d->meets = array ? array : d->meets;
		d->met_near |= !array;
	}
	d->met = d->meets ? w->met : 0;
}

/* ---- how they are launched ---- */

static const struct ks *launch_in(const struct ks_list *list, const struct kernel *k)
{
	for (int i = 0; i < list->n; i++) {
		const struct ks *s = list->at[i], *inside = NULL;
		if (s->kind == KS_LAUNCH && s->kernel == k)
			return s;
		inside = launch_in(&s->body, k);
		inside = inside ? inside : launch_in(&s->otherwise, k);
		if (inside)
			return inside;
	}
	return NULL;
}

/* One after the other, at most: of branches the longer one. */
static int launches_in(const struct ks_list *list, const struct node *anchor)
{
	int n = 0;
	for (int i = 0; i < list->n; i++) {
		const struct ks *s = list->at[i];
		int body = launches_in(&s->body, anchor);
		int other = launches_in(&s->otherwise, anchor);
		n += s->kind == KS_LAUNCH && kernel_computes(s->kernel, anchor);
		n += body > other ? body : other;
	}
	return n;
}

static bool combined(const struct kx *x, double a, double b, double *n)
{
	bool help = x->kind == KX_HELP;
	if (help && !strncmp(x->name, "patc_max_", 9))
		return *n = fmax(a, b), true;
	if (help && !strncmp(x->name, "patc_min_", 9))
		return *n = fmin(a, b), true;
	if (x->kind != KX_OP)
		return false;
	switch (x->op) {
	case OP_ADD: return *n = a + b, true;
	case OP_SUB: return *n = a - b, true;
	case OP_MUL: return *n = a * b, true;
	case OP_DIV: return *n = b > 0 ? floor(a / b) : 0, b > 0;
	default: return false;
	}
}

/* Of the host: what constants make of it. */
static bool number_of(const struct kx *x, double *n)
{
	double a, b;
	if (x->kind == KX_INT)
		return *n = (double)x->i, true;
	if (x->kind == KX_VAR && x->var->kind == KV_LET && x->var->value)
		return number_of(x->var->value, n);
	if (x->kind == KX_CAST)
		return number_of(x->arg[0], n);
	return x->n == 2 && number_of(x->arg[0], &a) && number_of(x->arg[1], &b)
	       && combined(x, a, b, n);
}

static double blocks_of(const struct plan *plan, const struct kernel *k)
{
	const struct ks *s = launch_in(&plan->host->body, k);
	double blocks = 1;
	for (int d = 0; d < 3; d++) {
		double n = 1;
		if (!s || (s->grid[d] && !number_of(s->grid[d], &n)))
			return 0;
		blocks *= n;
	}
	return blocks;
}

/* Of the kernel that has most; 0: not all are known. */
static double most_blocks(const struct plan *plan, const struct kernels *all)
{
	double most = 0, least = 1;
	for (int k = 0; k < all->at.n; k++) {
		double blocks = blocks_of(plan, all->at.at[k]);
		most = fmax(most, blocks);
		least = fmin(least, blocks);
	}
	return least > 0 ? most : 0;
}

static double cells_of(const struct node *node)
{
	double cells = 1;
	for (int d = 0; d < node->index.n; d++) {
		int64_t n = affine_cells(node->lo.at[d], node->hi.at[d]);
		cells *= n > 0 ? (double)n : 0;
	}
	return cells;
}

/* ---- a statement ---- */

/* What no model of one pass over its cells says. */
static const char *unknown_of(const struct node *node, const struct work *w,
                              const struct kernels *all)
{
	for (int k = 0; k < all->at.n; k++)
		if (all->at.at[k]->more.n)
			return "passes of its loop share a launch";
	if (node->pattern->sweeps)
		return "cells wait for those before them, level after level";
	if (node->pattern->solves)
		return "the steps of a system wait for one another";
	if (node->pattern->sorts || node->sorting)
		return "keys and lengths decide how often they are moved";
	for (int q = 0; q < node->equation.n; q++)
		if (node->equation.at[q]->recurrence && node->equation.at[q]->recurrence->order > 1)
			return "what a tile gives to the next is a matrix";
	if (w->at_least || node->expand || node->cutoff)
		return "data decide how many terms or passes there are";
	return NULL;
}

/* No other stream is of the same array. */
static bool is_alone(const struct work *w, int stream)
{
	int same = 0;
	for (int i = 0; i < w->stream.n; i++)
		same += !strcmp(w->stream.at[i].array, w->stream.at[stream].array);
	return same == 1;
}

static bool loops_by_data(const struct kernels *all, const struct accesses *accesses, bool each)
{
	bool loops = each;
	for (int k = 0; k < all->at.n; k++)
		loops = each ? loops && accesses[k].loops : loops || accesses[k].loops;
	return loops;
}

static bool has_shared(const struct kernels *all)
{
	bool shared = false;
	for (int k = 0; k < all->at.n; k++)
		shared |= kernel_shared_bytes(all->at.at[k]) + all->at.at[k]->asked_bytes > 0;
	return shared;
}

struct demand demand_of(const struct plan *plan, const struct node *node, const struct work *w,
                        const struct machine *m, const char **not, bool *at_most)
{
	const struct roofline bound = work_roofline(w, m);
	const struct kernels all = kernels_of(plan, node);
	struct demand d = { .bound = 1 / bound.per_second, .read = w->read, .written = w->written,
		            .unit = w->of_term ? "term" : "cell" };
	*not = unknown_of(node, w, &all);
	if (*not)
		return d;
	struct accesses *accesses = mem_new(sizeof *accesses * (size_t)all.at.n);
	for (int k = 0; k < all.at.n; k++)
		accesses[k] = kir_accesses(all.at.at[k]);
	bool selects = node->selection && w->written <= 0, writes = w->written > 0 || selects;
	count_instructions(w, selects, m, &d);
	d.counted = strcmp(bound.by, "memory-bound") ? d.counted : 0;
	for (int i = 0; i < w->stream.n; i++)
		count_stream(&w->stream.at[i], accesses, all.at.n, is_alone(w, i),
		             plan->target->sector, &d);
	count_meetings(w, accesses, all.at.n, &d);
	d.turned = d.units > 0 ? turned_in(node) : NULL;
	d.kept = selects ? w->read : 0;
	d.behind = loops_by_data(&all, accesses, false) && (node->running || node->selection);
	d.staged = writes && w->shifted && node->choice.stage == STAGE_SHARED;
	d.shared = writes && (w->shifted || has_shared(&all));
	/* what tiles tell one another is cleared before */
	d.launches = launches_in(&plan->host->body, node) + d.behind;
	d.cells = w->of_term ? 0 : cells_of(node);
	d.blocks = most_blocks(plan, &all);
	d.multiprocessors = plan->target->units;
	*at_most = loops_by_data(&all, accesses, true) && !d.behind && d.met <= 0;
	*not = *at_most ? "data decide how long rows are, or blocks wait"
	     : d.open && !d.random && d.met <= 0
	                ? str_print("which cells of `%s` lanes access", d.open) : NULL;
	*at_most |= *not != NULL;
	return d;
}
