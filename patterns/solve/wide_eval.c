/* wide_eval.c - the interpreter on the wide systems of solving.h, whose equations have more
 * unknowns than those beside them: pentadiagonal ones, and those of structs.
 *
 * Both become lines of one form, an equation a line.  K lines are a block: the equations of a
 * cell, or of two neighbouring cells of a band (K = 2).  A line has 3 K coefficients, those of the
 * unknowns of the block before, of its own and of the block after.  A ring is folded: a block also
 * has the mirror images of its cells, those that are as far from the end as these from the start.
 * Where the last block has less cells, its other lines say that their unknowns are 0.
 *
 * Elimination goes from the first line to the last, each operation rounded to the type of the
 * unknowns.  The pivot of a column is its greatest coefficient among the lines of the block that
 * are left; lines of different blocks are not exchanged.  Other orders of elimination round
 * otherwise.  As in solve_eval.c, each solves a system (A + E) x = d + f that differs by few
 * roundings of each coefficient and, as lines of a block may be exchanged, of those above and
 * below it in its block:
 *
 *     |E[s,t]| <= SLACK u max[k](|A[k,t]|) + what the coefficient itself may be off
 *
 * for k in the block of s, and likewise f.  If all A + E are H-matrices, then
 *
 *     |x - x'| <= M^-1 (|E| |x| + |f|)
 *
 * where M has |A[s,s]| - |E[s,s]| on its diagonal and -|A[s,t]| - |E[s,t]| beside it: then the
 * elimination of M without exchanges meets positive pivots alone (Ostrowski).  In that case there
 * is no zero pivot, either.  A has its lines as given, or else as the elimination exchanged them:
 * a block may have zeros on its diagonal.  Of other systems the result is open. */
#include <float.h>
#include <math.h>
#include <string.h>

#include "small.h"
#include "solve_eval.h"

enum { SLACK = 32, RIGHT = 3 * BLOCK_MOST };

struct line { struct num part[RIGHT + 1]; };         /* the first 3 K are coefficients */

struct wide {
	const struct type *type;
	int fields;                          /* of a cell */
	int reach;                           /* cells to a neighbour, and of half a block */
	bool ring;
	int block;                           /* K */
	int64_t all;                         /* cells of a system */
	int64_t n, room;                     /* lines of a system, and those there is memory for */
	struct line *line, *exchanged;       /* as given; in the order of the pivots */
	struct line *work;                   /* while they are eliminated */
	struct num *x, *off;                 /* the unknowns and their bounds */
};

struct matrix { const struct type *type; struct line *line; const struct wide *of; };

static int64_t block_of(const struct wide *w, int64_t s)
{
	return s - s % w->block;
}

/* The number of the unknown whose coefficient is part[0] of line s; it may be outside. */
static int64_t first_of(const struct wide *w, int64_t s)
{
	return block_of(w, s) - w->block;
}

/* ---- elimination ---- */

static void swap(struct line *line, int64_t s, int64_t k)
{
	const struct line other = line[s];
	line[s] = line[k];
	line[k] = other;
}

/* Of the lines from s on in its block the one with the greatest part[c] becomes line s. */
static void exchange(const struct wide *w, int64_t s, int c)
{
	int64_t best = s;

	for (int64_t k = s + 1; k < block_of(w, s) + w->block; k++)
		best = fabs(w->work[k].part[c].f) > fabs(w->work[best].part[c].f) ? k : best;
	swap(w->work, s, best);
	swap(w->exchanged, s, best);
}

/* Part c of line `up` is of the unknown of part c - apart of line `down`, which becomes 0. */
static void subtract(const struct matrix *m, struct line *down, const struct line *up, int c,
                     int apart)
{
	const struct type *t = m->type;
	const struct num factor = num_binary(OP_DIV, t, down->part[c - apart], up->part[c]);

	for (int j = c + 1; j < 3 * m->of->block; j++) {
		struct num *part = &down->part[j - apart];
		*part = minus_product(t, *part, factor, up->part[j]);
	}
	down->part[RIGHT] = minus_product(t, down->part[RIGHT], factor, up->part[RIGHT]);
}

/* exchanges: of the lines of the system itself */
static void eliminate(const struct matrix *m, bool exchanges)
{
	const struct wide *w = m->of;

	for (int64_t s = 0; s < w->n; s++) {
		const int64_t end = block_of(w, s) + w->block;
		const int c = (int)(s - first_of(w, s));
		if (exchanges)
			exchange(w, s, c);
		for (int64_t k = s + 1; k < end; k++)
			subtract(m, &m->line[k], &m->line[s], c, 0);
		for (int64_t k = end; k < end + w->block && k < w->n; k++)
			subtract(m, &m->line[k], &m->line[s], c, w->block);
	}
}

static void substitute(const struct matrix *m, struct num *x)
{
	const struct wide *w = m->of;

	for (int64_t s = w->n; s-- > 0; ) {
		const int64_t first = first_of(w, s);
		const struct num *part = m->line[s].part;
		x[s] = part[RIGHT];
		for (int64_t k = s + 1; k < first + 3 * w->block && k < w->n; k++)
			x[s] = minus_product(m->type, x[s], part[k - first], x[k]);
		x[s] = num_binary(OP_DIV, m->type, x[s], part[s - first]);
	}
}

static void solve_values(const struct wide *w)
{
	const struct matrix m = { w->type, w->work, w };

	memcpy(w->work, w->line, (size_t)w->n * sizeof *w->line);
	memcpy(w->exchanged, w->line, (size_t)w->n * sizeof *w->line);
	eliminate(&m, true);
	substitute(&m, w->x);
}

/* ---- the bounds ---- */

/* |E[s,t]| for part j of line s, or |f[s]| for its right side */
static double off_by(const struct wide *w, const struct line *line, int64_t s, int j)
{
	double most = 0;
	for (int64_t k = block_of(w, s); k < block_of(w, s) + w->block; k++)
		most = fmax(most, fabs(line[k].part[j].f));
	return SLACK * float_limits(w->type)->epsilon * most + line[s].part[j].e;
}

/* Line s of M, whose right side is that of |E| |x| + |f|. */
static struct line bound_line(const struct wide *w, const struct line *line, int64_t s)
{
	const int64_t first = first_of(w, s);
	struct line m = { .part[RIGHT].f = off_by(w, line, s, RIGHT) + DBL_MIN };

	for (int j = 0; j < 3 * w->block; j++) {
		const double size = fabs(line[s].part[j].f), off = off_by(w, line, s, j);
		const int64_t k = first + j;
		m.part[j].f = k == s ? size - off : -size - off;
		if (0 <= k && k < w->n)
			m.part[RIGHT].f += off * fabs(w->x[k].f);
	}
	return m;
}

/* Gives the solution x its bounds, from the lines in one order.  False: it has none. */
static bool solve_bounds(const struct wide *w, const struct line *line)
{
	const struct matrix m = { type_scalar(T_F64), w->work, w };
	bool known = true;

	for (int64_t s = 0; s < w->n; s++)
		w->work[s] = bound_line(w, line, s);
	eliminate(&m, false);
	substitute(&m, w->off);
	for (int64_t s = 0; s < w->n; s++) {
		w->x[s].e = w->off[s].f;
		known &= w->work[s].part[s - first_of(w, s)].f > 0;
		known &= isfinite(w->x[s].f) && isfinite(w->x[s].e);
	}
	return known;
}

/* Targets multiply coefficients of two lines: does no such product overflow? */
static bool products_fit(const struct wide *w)
{
	const double most = sqrt(float_limits(w->type)->most) / 2;
	bool fit = true;
	for (int64_t s = 0; s < w->n; s++)
		for (int j = 0; j <= RIGHT; j++)
			fit &= fabs(w->line[s].part[j].f) <= most;
	return fit;
}

/* Each target divides by the first block, and meets a zero pivot if one of its columns is 0, as
 * it does if a coefficient is NaN. */
static bool pivots_zero(const struct wide *w)
{
	bool zero = false;
	for (int j = w->block; j < 2 * w->block; j++) {
		bool empty = true;
		for (int s = 0; s < w->block; s++)
			empty &= !w->line[s].part[j].f && !w->line[s].part[j].e;
		zero |= empty;
	}
	for (int64_t s = 0; s < w->n; s++)
		for (int j = 0; j <= RIGHT; j++)
			zero |= isnan(w->line[s].part[j].f) && !(w->line[s].part[j].e > 0);
	return zero;
}

/* ---- a system ---- */

struct wide *solve_wide_new(const struct node *node, const struct type *type)
{
	struct wide *w = NEW(struct wide);
	w->type = type;
	w->fields = solve_fields(node);
	w->reach = solve_reach(node);
	w->ring = node->running->ring;
	w->block = w->fields * w->reach * (w->ring ? 2 : 1);
	return w;
}

/* The number of a field of a cell among the unknowns, which is that of its equation's line. */
static int64_t number_of(const struct wide *w, int64_t cell, int field)
{
	const int64_t image = w->all - 1 - cell;
	const bool far = w->ring && image < cell;
	const int64_t end = far ? image : cell;

	return end / w->reach * w->block + (far ? w->block / 2 : 0) + end % w->reach * w->fields
	       + field;
}

static void make_room(struct wide *w)
{
	if (w->n <= w->room)
		return;
	w->room = w->n;
	w->line = array_new(w->n, sizeof *w->line);
	w->exchanged = array_new(w->n, sizeof *w->exchanged);
	w->work = array_new(w->n, sizeof *w->work);
	w->x = array_new(w->n, sizeof *w->x);
	w->off = array_new(w->n, sizeof *w->off);
}

/* Equation r of the bound cell. */
static void read_line(struct eval *ev, const struct solve_code *c, int64_t cell, int r)
{
	const struct wide *w = c->wide;
	const int64_t s = number_of(w, cell, r);
	struct line *line = &w->line[s];

	*line = (struct line){ 0 };
	for (int k = 0; k < (2 * w->reach + 1) * w->fields; k++) {
		const struct num x = run(ev, c->part[(k / w->fields * w->fields + r) * w->fields
		                                     + k % w->fields]);
		int64_t to = cell + k / w->fields - w->reach;
		if (w->ring)
			to = (to + w->reach * w->all) % w->all;
		if (to < 0 || w->all <= to)
			continue;
		struct num *part = &line->part[number_of(w, to, k % w->fields) - first_of(w, s)];
		*part = num_binary(OP_ADD, w->type, *part, x);
	}
	line->part[RIGHT] = run(ev, c->part[(2 * w->reach + 1) * w->fields * w->fields + r]);
}

static void read_lines(struct eval *ev, const struct solve_code *c, int64_t cells)
{
	struct wide *w = c->wide;
	const int of_block = w->block / w->fields;

	w->all = cells;
	w->n = (cells + of_block - 1) / of_block * w->block;
	make_room(w);
	for (int64_t s = 0; s < w->n; s++) {
		w->line[s] = (struct line){ 0 };
		w->line[s].part[s - first_of(w, s)].f = 1;
	}
	for (int64_t i = 0; i < cells && step_on(ev, c->cells->node->at); i++) {
		c->cells->index[c->axis]->value = num_int(i);
		for (int r = 0; r < w->fields; r++)
			read_line(ev, c, i, r);
	}
}

/* Each cell's unknown, a number or a struct. */
static struct num *cells_of(const struct solve_code *c)
{
	const struct wide *w = c->wide;
	const struct type *type = c->cells->target[0].at[0]->type;
	unsigned char *bytes = array_new(w->all, (size_t)type_size(type));
	struct num *all = array_new(w->all, sizeof *all);

	for (int64_t i = 0; i < w->all; i++) {
		unsigned char *cell = bytes + i * type_size(type);
		if (type->kind != T_STRUCT) {
			all[i] = w->x[number_of(w, i, 0)];
			continue;
		}
		all[i].i = (int64_t)(intptr_t)cell;
		for (int r = 0; r < w->fields; r++) {
			const struct num x = w->x[number_of(w, i, r)];
			num_store(w->type, cell + type->record->field.at[r].offset, x);
			all[i].e = worse(all[i].e, x.e);
		}
	}
	return all;
}

void solve_wide_run(struct eval *ev, const struct solve_code *c)
{
	const struct wide *w = c->wide;
	const int64_t cells = run(ev, c->cells->hi[c->axis]).i;

	read_lines(ev, c, cells);
	if (ev->stopped || !cells)
		return;
	solve_values(w);
	const bool known = products_fit(w)
	                   && (solve_bounds(w, w->line) || solve_bounds(w, w->exchanged));
	solve_tell(ev, (struct pivots){ pivots_zero(w), known }, w->x);
	solve_write(ev, c, cells_of(c), cells, known);
}
