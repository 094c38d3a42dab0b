/* shapes.c - sizes to try a kernel on.
 *
 * A size takes the values that break kernels: 0, 1, lanes - 1, lanes + 1, tile - 1, tile + 1,
 * primes, more than one tile, and multiples of a vector, without which no row but the first is
 * aligned.  With several sizes, shapes are chosen greedily from random candidates, each the one
 * that shows the most new values and then the most new pairs of values (AETG; Cohen et al., IEEE
 * TSE 23(7), 1997), while all arrays together have no more cells than is wanted.  Without a number
 * it goes on until a hundred choices in a row show nothing new.
 *
 * Statements that run along an axis, fold ranges that data decide, or select cells, hand on from
 * tile to tile, and from one group of tiles to the next: for that there is one more shape on
 * demand, long along the first axis that runs, or the first index of what is selected from.
 *
 * What takes several blocks, or memory between kernels, does so beyond some ten thousand cells: for
 * that there are shapes on demand whose first array has so many, or any array.  They are long along
 * one size, or along several. */
#include "compare.h"
#include "ragged.h"
#include "running.h"
#include "sample.h"

enum { CANDIDATES = 60, VALUES = 21 };

static const int64_t value_of[VALUES] = { 33,   0,   132, 1,   65,  31,   260, 7,   1025, 63, 256,
	                                  2049, 129, 257, 127, 255, 1023, 61,  521, 516,  64 };

int64_t extent_at(const struct entry *e, const struct affine *a, const int64_t *size)
{
	int64_t n = a->constant;
	for (int t = 0; t < a->n; t++)
		for (int k = 0; k < e->size.n; k++)
			if (e->size.at[k] == a->term[t].var)
				n += a->term[t].coef * size[k];
	return n;
}

/* A leading dimension that nothing else needs is a row and some more; now and then it is too small.
 * */
static void choose_ld(const struct entry *e, const struct var *v, struct sizes *s,
                      uint64_t *chances)
{
	static const int more[] = { 0, 1, 3, 4, 8, 15, -1, 64 };
	const struct affine *ld = &v->layout->ld;
	int64_t row = extent_at(e, &v->extent[v->layout->col ? 0 : v->rank - 1], s->size);
	for (int k = 0; ld->n == 1 && k < e->size.n; k++)
		if (e->size.at[k] == ld->term[0].var && extent_at(e, ld, s->size) < row) {
			s->size[k] = row + more[chance_below(chances, 8)];
			s->size[k] = s->size[k] < 0 ? 0 : s->size[k];
		}
}

static struct var *sole_size(const struct affine *a)
{
	return a->n == 1 && a->term[0].coef == 1 && a->constant == 0
	               ? (struct var *)a->term[0].var : NULL;
}

/* The sides of an array along a curve become the power of two below the first one; now and then
 * they are what they are. */
static void choose_sides(const struct entry *e, const struct var *v, struct sizes *s,
                         uint64_t *chances)
{
	int64_t first = extent_at(e, &v->extent[0], s->size), side = first > 0;
	while (side > 0 && side <= first / 2)
		side *= 2;
	if (chance_below(chances, 16) == 0)
		return;
	for (int a = 0; a < v->rank; a++)
		for (int k = 0; k < e->size.n; k++)
			if (e->size.at[k] == sole_size(&v->extent[a]))
				s->size[k] = side;
}

static void choose_layouts(const struct entry *e, struct sizes *s, uint64_t *chances)
{
	for (int i = 0; i < e->param.n; i++)
		if (is_pitched(e->param.at[i]))
			choose_ld(e, e->param.at[i], s, chances);
		else if (var_curved(e->param.at[i]))
			choose_sides(e, e->param.at[i], s, chances);
}

/* `empty` is what an axis without cells counts for. */
int64_t cells_of(const struct entry *e, const struct var *v, const int64_t *size, int empty)
{
	int64_t cells = 1;
	for (int k = 0; k < v->rank; k++) {
		int64_t n = extent_at(e, &v->extent[k], size);
		cells = n <= 0 ? cells * empty : cells > INT32_MAX ? cells : cells * n;
	}
	return cells;
}

/* What the interpreter has to do: loops over the other axes of an empty array run all the same. */
static int64_t cells_of_all(const struct entry *e, const struct sizes *s)
{
	int64_t cells = 0;
	for (int i = 0; i < e->param.n; i++)
		cells += cells_of(e, e->param.at[i], s->size, 1);
	for (int i = 0; i < e->let.n; i++)
		cells += cells_of(e, e->let.at[i], s->size, 1);
	return cells;
}

/* seen[k][a]: size k had value a; pair[...]: sizes k < l had values a and b together. */
struct cover { int sizes; bool *seen, *pair; };

static bool *cover_pair(const struct cover *c, int k, int a, int l, int b)
{
	return &c->pair[((k * c->sizes + l) * VALUES + a) * VALUES + b];
}

static int gain(const struct cover *c, const struct sizes *s, bool mark)
{
	int news = 0;
	for (int k = 0; k < c->sizes; k++) {
		bool *one = &c->seen[k * VALUES + s->pick[k]];
		news += *one ? 0 : 1000;
		*one |= mark;
		for (int l = k + 1; l < c->sizes; l++) {
			bool *two = cover_pair(c, k, s->pick[k], l, s->pick[l]);
			news += !*two;
			*two |= mark;
		}
	}
	return news;
}

static void candidate(const struct entry *e, struct sizes *s, int nth, uint64_t *chances)
{
	for (int k = 0; k < e->size.n; k++) {
		s->pick[k] = e->size.n == 1 ? nth % VALUES : chance_below(chances, VALUES);
		s->size[k] = value_of[s->pick[k]];
	}
	choose_layouts(e, s, chances);
	require_sizes(e, s->size, chances);
}

struct wanted { int64_t cells; uint64_t *chances; };

/* The best of some candidates that fit; what does not fit shrinks until it does. */
static int best_shape(const struct entry *e, const struct cover *c, const struct wanted *w,
	struct sizes *best, int nth)
{
	int most = -1;
	for (int i = 0; i < CANDIDATES; i++) {
		struct sizes s;
		candidate(e, &s, nth, w->chances);
		for (int tries = 0; cells_of_all(e, &s) > w->cells && tries < 200 && e->size.n;
		     tries++) {
			int k = chance_below(w->chances, e->size.n);
			s.pick[k] = chance_below(w->chances, VALUES);
			s.size[k] = value_of[s.pick[k]];
			choose_layouts(e, &s, w->chances);
			require_sizes(e, s.size, w->chances);
		}
		bool kept = require_sizes(e, s.size, w->chances);
		if (e->size.n && (!kept || cells_of_all(e, &s) > w->cells))
			continue;                    /* without sizes there is but one shape */
		int news = gain(c, &s, false);
		if (news > most) {
			most = news;
			*best = s;
		}
	}
	return most;
}

int shapes_choose(const struct entry *e, int wanted, int64_t cells, uint64_t *chances,
	struct sizes *shapes)
{
	const struct wanted w = { cells, chances };
	int n = e->size.n, made = 0, idle = 0;
	struct cover c = { n, mem_new((size_t)(n * VALUES + 1)),
	                   mem_new((size_t)(n * n * VALUES * VALUES + 1)) };
	if (n == 0)
		wanted = 4;
	else if (n == 1 && (wanted > VALUES || wanted == 0))
		wanted = VALUES;
	for (int nth = 0; made < (wanted ? wanted : SHAPES_MOST) && idle < 100; nth++) {
		int news = best_shape(e, &c, &w, &shapes[made], nth);
		idle = news > 0 || n == 0 ? 0 : idle + 1;
		if (news < 0 || (news == 0 && n > 0))
			continue;
		gain(&c, &shapes[made++], true);
	}
	for (int k = 0; !made && e->require.n && k < n; k++)     /* at least one that is refused */
		shapes[0].size[k] = 1;
	made += !made && e->require.n;
	return made;
}

/* Cells of the largest array, or of the first. */
static int64_t cells_of_one(const struct entry *e, const struct sizes *s, bool first)
{
	int64_t most = 0;
	for (int i = 0; i < e->param.n + e->let.n && !(first && most); i++) {
		struct var *v = i < e->param.n ? e->param.at[i] : e->let.at[i - e->param.n];
		int64_t cells = cells_of(e, v, s->size, 0);
		most = v->rank && cells > most ? cells : most;
	}
	return most;
}

/* Passes of a range that ends at `hi`; one if it is not sizes that say so. */
static double passes(const struct entry *e, const struct expr *hi, const int64_t *size)
{
	struct affine end = { 0 };
	int64_t n = affine_of(hi, &end) ? extent_at(e, &end, size) : 1;
	return n > 1 ? (double)n : 1;
}

struct folded { const struct entry *e; const int64_t *size; double terms; };

static bool add_terms(struct expr *x, void *folded)
{
	struct folded *f = folded;
	double terms = 1;
	for (int d = 0; expr_folds(x) && d < x->fold->index.n; d++)
		terms *= passes(f->e, x->fold->hi.at[d], f->size);
	f->terms += expr_folds(x) ? terms : 0;
	return true;
}

/* Cells that statements compute, terms of their folds included, in every pass of a repeat. */
static double terms_of(const struct entry *e, struct node *const *at, int n, const int64_t *size)
{
	double all = 0;
	for (int i = 0; i < n; i++) {
		const struct node *node = at[i];
		struct folded f = { e, size, 1 };
		double times = node->limit ? passes(e, node->limit, size) : 1;
		for (int d = 0; d < node->hi.n; d++)
			times *= passes(e, node->hi.at[d], size);
		if (node->kind == NODE_PATTERN)
			node_walk(at[i], add_terms, &f);
		all += times
		       * (node->body.n ? terms_of(e, node->body.at, node->body.n, size) : f.terms);
	}
	return all;
}

/* All sizes multiplied: an array may have no cells, and the places that its neighbours are kept in
 * as many as all others. */
static double all_sizes(const struct entry *e, const struct sizes *s)
{
	double all = 1;
	for (int k = 0; k < e->size.n; k++)
		all *= (double)(s->size[k] > 1 ? s->size[k] : 1);
	return all;
}

/* The side of the least square, or cube, that has so many cells. */
static int64_t side_of(int64_t cells, int rank)
{
	int64_t x = 1;
	while ((rank == 2 ? x * x : x * x * x) < cells)
		x++;
	return x;
}

/* Of sizes of any length, the first that give so many cells, and not many times as many; folds of
 * all sizes end, too. */
bool shape_large(const struct entry *e, int64_t cells, bool first, uint64_t *chances,
                 struct sizes *s)
{
	enum { TRIES = 4000, ARRAYS = 12, TERMS = 300 };
	const int arrays = e->param.n + e->let.n > ARRAYS ? e->param.n + e->let.n : ARRAYS;
	const int64_t square = side_of(cells, 2), cube = side_of(cells, 3);
	const int64_t any[] = { 1,
		                2,
		                3,
		                33,
		                65,
		                260,
		                521,
		                1025,
		                2049,
		                square,
		                cube,
		                cells / 33 + 1,
		                cells / 3 + 1,
		                cells,
		                cells + 1 };
	for (int i = 0; i < TRIES; i++) {
		for (int k = 0; k < e->size.n; k++)
			s->size[k] = any[chance_below(chances, sizeof any / sizeof *any)];
		choose_layouts(e, s, chances);
		if (!require_sizes(e, s->size, chances))
			continue;
		double terms = terms_of(e, e->body.at, e->body.n, s->size), all = all_sizes(e, s);
		if (cells_of_one(e, s, first) >= cells && cells_of_all(e, s) <= arrays * cells
			&& terms <= TERMS * (double)cells && all <= TERMS * (double)cells)
			return true;
	}
	return false;
}

static const struct node *first_running(struct node *const *at, int n)
{
	const struct node *found = NULL;
	for (int i = 0; i < n && !found; i++)
		found = at[i]->running ? at[i] : first_running(at[i]->body.at, at[i]->body.n);
	return found;
}

const struct node *entry_running(const struct entry *e)
{
	return first_running(e->body.at, e->body.n);
}

/* Where the array ends that data cut a range of some fold to. */
static bool no_cut(struct expr *e, void *end)
{
	for (int d = 0; e->kind == E_FOLD && d < e->fold->index.n; d++) {
		const struct cut *cut = fold_cut(e->fold, d);
		if (cut && cut->end)
			return !affine_of(cut->end, end);
	}
	return true;
}

static bool cut_end(struct node *const *at, int n, struct affine *end)
{
	for (int i = 0; i < n; i++)
		if (!node_walk(at[i], no_cut, end))
			return true;
	return false;
}

static bool selection_end(struct node *const *at, int n, struct affine *end)
{
	for (int i = 0; i < n; i++)
		if (at[i]->selection ? affine_of(at[i]->hi.at[0], end)
		                     : selection_end(at[i]->body.at, at[i]->body.n, end))
			return true;
	return false;
}

/* The other sizes of what runs are small; rows of ranges that data decide may be many too. */
bool shape_long(const struct entry *e, int64_t cells, uint64_t *chances, struct sizes *s)
{
	static const int64_t small[] = { 1, 2, 3, 33 }, rows[] = { 1, 33, 521, 2049 };
	const struct node *node = entry_running(e);
	struct affine end;
	if (node)
		end = axis_end(node);
	else if (!cut_end(e->body.at, e->body.n, &end)
	         && !selection_end(e->body.at, e->body.n, &end))
		return false;
	for (int k = 0; k < e->size.n; k++) {
		bool is_long = end.n && end.term[0].var == e->size.at[k];
		s->size[k] = is_long ? cells : (node ? small : rows)[chance_below(chances, 4)];
	}
	for (int k = 0; k < e->size.n; k++)
		while (cells_of_all(e, s) > 8 * cells && s->size[k] > 1 && s->size[k] < cells)
			s->size[k] /= 2;
	for (int k = 0; k < e->size.n; k++)
		while (cells_of_all(e, s) > 8 * cells && s->size[k] > 1)
			s->size[k] /= 2;             /* it is long along several axes of an array */
	choose_layouts(e, s, chances);
	return !e->require.n
	       || (require_sizes(e, s->size, chances) && cells_of_all(e, s) <= 8 * cells);
}
