/* cover.c - patc-cover: writes programs that together show every pair of features.
 *
 *   patc-cover [--all] [--kernels=N] OUTDIR        writes OUTDIR/cover_00.pat, cover_01.pat, ...
 *
 * A kernel is a row (pattern, element type, boundary, rank, staging level, variant, layout); the
 * variant is what else it does: near or far offsets, several arrays, struct fields, where, for,
 * op=, functions, tables, several equations, repeat with swap; of a scan: the fold or the
 * recurrence, the clauses and what cuts sequences, while the axis that runs takes turns; of a
 * wavefront: the law, the neighbours, the direction, tables, masks and ranges; of a transpose: the
 * order of axes; of a sort: the order, what moves, how sequences are cut, mostly into short ones of
 * one length, whose text is short; of a product: the law, transposed operands, what is around it, a
 * vector, a matrix by tiles, mostly many small ones; of what comes from anywhere or goes there:
 * gather, scatter or histogram, the operator.  The rows are a pairwise covering array, built
 * greedily (AETG; Cohen et al., IEEE TSE 23(7), 1997): every pair of values that can occur together
 * does.  --all writes the whole product.  One more factor, the target, needs no row of its own:
 * every file is compiled and run for all of them.  A file has N kernels (24), because compilers and
 * tool chains cost more a file than a kernel.  No option changes what a row means: the same row is
 * always the same text. */
#include <errno.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include "cover.h"

static const int limit[FACTORS] = { PATTERNS, TYPES, BOUNDARIES, RANKS, STAGES, VARIANTS, LAYOUTS };

/* ---- which rows there are ---- */

/* A sort of sequences of any length is much text on a GPU: few types have them. */
bool cut_by_data(const union row *r)
{
	return r->variant == 8 || r->variant == 10;
}

/* Boundaries and staging are a stencil's; without a boundary only near offsets stay inside. */
static bool possible(const union row *r)
{
	if (r->pattern == SORT && cut_by_data(r) && r->type % 4 != 0)
		return false;
	if (r->pattern == TURN && (r->rank == 0 || r->variant % 4 == 3))
		return false;
	if (r->pattern != STENCIL)
		return r->boundary == NONE && r->stage == AUTO;
	return r->boundary != NONE || r->variant != 1;
}

/* In the whole product layouts and the variants of a stencil take turns: each meets every other
 * value. */
static bool in_turn(const union row *r)
{
	int turn = r->type + r->boundary + 5 * r->rank + 7 * r->stage;
	if (r->layout != (turn / VARIANTS + turn + r->variant) % LAYOUTS)
		return false;
	return r->pattern != STENCIL || r->variant == turn % VARIANTS;
}

static bool seen[FACTORS][FACTORS][16][16];

static int pairs(const union row *r, bool mark)
{
	int news = 0;
	for (int a = 0; a < FACTORS; a++)
		for (int b = a + 1; b < FACTORS; b++) {
			bool *at = &seen[a][b][r->v[a]][r->v[b]];
			news += !*at;
			*at |= mark;
		}
	return news;
}

static int each_row(union row *rows, bool turns)
{
	int n = 0, count[FACTORS] = { 0 };
	for (;;) {
		union row r;
		memcpy(r.v, count, sizeof count);
		if (possible(&r) && (!turns || in_turn(&r)))
			rows[n++] = r;
		int f = FACTORS - 1;
		while (f >= 0 && ++count[f] == limit[f])
			count[f--] = 0;
		if (f < 0)
			return n;
	}
}

/* Keeps, of all rows, the greedy covering array.  Among equals the first behind a moving start
 * wins, so that the rows differ in what no pair asks for. */
static int cover(union row *rows, int n)
{
	int kept = 0;
	for (;;) {
		int best = -1, most = 0;
		for (int k = kept; k < n; k++) {
			int i = kept + (int)((k + kept * INT64_C(7919)) % (n - kept));
			int news = pairs(&rows[i], false);
			if (news > most) {
				most = news;
				best = i;
			}
		}
		if (best < 0)
			return kept;
		union row r = rows[best];
		rows[best] = rows[kept];
		rows[kept++] = r;
		pairs(&r, true);
	}
}

/* ---- files ---- */

static void file_print(const union row *rows, int n, const char *path)
{
	static void (*const kernel[PATTERNS])(const union row *) = {
		map_kernel,  reduce_kernel,     stencil_kernel, compact_kernel,
		scan_kernel, recurrence_kernel, wave_kernel,    sort_kernel,
		turn_kernel, product_kernel,    meet_kernel
	};
	bool told[TYPES] = { false };
	out = fopen(path, "w");
	if (!out) {
		fprintf(stderr, "patc-cover: cannot write %s: %s\n", path, strerror(errno));
		exit(3);
	}
	p("// Written by patc-cover: rows of a covering array; see tests/check/cover.c.\n\n");
	for (int i = 0; i < n; i++) {
		if (!told[rows[i].type])
			prelude(&rows[i]);
		told[rows[i].type] = true;
	}
	p("\n");
	for (int i = 0; i < n; i++)
		kernel[rows[i].pattern](&rows[i]);
	if (fclose(out)) {
		fprintf(stderr, "patc-cover: cannot write %s: %s\n", path, strerror(errno));
		exit(3);
	}
}

static int by_type(const void *a, const void *b)
{
	const union row *x = a, *y = b;
	return x->type != y->type ? x->type - y->type : memcmp(x->v, y->v, sizeof x->v);
}

int main(int argc, char **argv)
{
	static union row rows[MOST];
	int per_file = 24, all = 0, first = 1;
	for (; first < argc && argv[first][0] == '-'; first++)
		if (!strcmp(argv[first], "--all"))
			all = 1;
		else if (!strncmp(argv[first], "--kernels=", 10) && atoi(argv[first] + 10) > 0)
			per_file = atoi(argv[first] + 10);
		else
			first = argc;
	if (first + 1 != argc) {
		fprintf(stderr, "usage: patc-cover [--all] [--kernels=N] OUTDIR\n");
		return 2;
	}
	int n = each_row(rows, all);
	if (!all) {
		n = cover(rows, n);
		qsort(rows, (size_t)n, sizeof *rows, by_type);
	}
	int files = (n + per_file - 1) / per_file;
	for (int i = 0; i < files; i++) {
		int from = (int)((int64_t)n * i / files), to = (int)((int64_t)n * (i + 1) / files);
		file_print(rows + from, to - from, s("%s/cover_%03d.pat", argv[first], i));
	}
	printf("%d kernels in %d files\n", n, files);
	return 0;
}
