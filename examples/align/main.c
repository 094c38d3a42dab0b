/* main.c - reads a protein and a database of proteins from FASTA files, finds by patc's kernels
 * which of them are like it, shows how the best one is aligned with it, and measures the kernels.
 *
 * The database goes through the kernel in batches, sorted by length so that little of their rows is
 * padding. */
#include <getopt.h>

#include "align.h"
#include "common.h"
#include "naive.h"

struct gaps { int open, extend; };            /* one of k letters costs open + k * extend */
struct hit { const struct protein *protein; int32_t score; };

/* ---- many: the scores ---- */

static int by_length(const void *a, const void *b)
{
	int64_t x = ((const struct hit *)a)->protein->length,
		y = ((const struct hit *)b)->protein->length;
	return (x < y) - (x > y);
}

/* Their order in the file is kept among equals: qsort alone would not. */
static int by_score(const void *a, const void *b)
{
	const struct hit *x = a, *y = b;
	if (x->score != y->score)
		return x->score < y->score ? 1 : -1;
	return (x->protein > y->protein) - (x->protein < y->protein);
}

struct batch {                                /* where the kernel runs */
	int64_t query_length, count, longest;
	struct gaps gaps;
	uint8_t *query, *letter;
	int32_t *length, *best;
	void *workspace;
	size_t workspace_bytes;
};

static struct batch batch_open(const struct protein *q, const struct hit *hit, int64_t count,
			       struct gaps gaps)
{
	struct batch b = { .query_length = q->length,
			   .count = count,
			   .longest = hit[0].protein->length,
			   .gaps = gaps };
	size_t rows = (size_t)count, row = (size_t)b.longest;
	uint8_t *letter = host_new(rows * row);
	int32_t *length = host_new(rows * sizeof *length);
	memset(letter, PAD, rows * row);
	for (size_t k = 0; k < rows; k++) {
		length[k] = (int32_t)hit[k].protein->length;
		if (length[k])
			memcpy(letter + k * row, hit[k].protein->letter, (size_t)length[k]);
	}
	b.workspace_bytes = search_workspace(b.query_length, b.count, b.longest);
	b.query = device_new((size_t)q->length);
	b.letter = device_new(rows * row);
	b.length = device_new(rows * sizeof *b.length);
	b.best = device_new(rows * sizeof *b.best);
	b.workspace = device_new(b.workspace_bytes);
	to_device(b.query, q->letter, (size_t)q->length);
	to_device(b.letter, letter, rows * row);
	to_device(b.length, length, rows * sizeof *length);
	free(letter);
	free(length);
	return b;
}

static void batch_close(struct batch *b)
{
	device_free(b->query);
	device_free(b->letter);
	device_free(b->length);
	device_free(b->best);
	device_free(b->workspace);
}

static void run_search(void *state)
{
	struct batch *b = state;
	must_succeed(search(b->query_length, b->count, b->longest, b->query, b->letter, b->length,
			    b->gaps.open + b->gaps.extend, b->gaps.extend, b->best, b->workspace,
			    b->workspace_bytes, NULL),
		     search_strerror, "search");
}

/* How many of the next fit into the memory that a batch may take: its tables are of 32 bits, three
 * a cell. */
static int64_t batch_size(const struct protein *q, const struct hit *hit, int64_t left)
{
	int64_t fit = large / (12 * q->length * (hit->protein->length + 1)) + 1;
	return fit < left ? fit : left;
}

/* Sorted by score, the best first. */
static struct hit *search_all(const struct protein *q, const struct proteins *base,
			      struct gaps gaps)
{
	struct hit *hit = host_new((size_t)base->n * sizeof *hit);
	int64_t total = 0, batches = 0;
	for (int64_t k = 0; k < base->n; k++) {
		hit[k] = (struct hit){ &base->at[k], 0 };
		total += base->at[k].length;
	}
	qsort(hit, (size_t)base->n, sizeof *hit, by_length);
	for (int64_t k = 0, count; k < base->n; k += count, batches++) {
		count = batch_size(q, hit + k, base->n - k);
		struct batch b = batch_open(q, hit + k, count, gaps);
		run_search(&b);
		int32_t *best = host_new((size_t)count * sizeof *best);
		to_host(best, b.best, (size_t)count * sizeof *best);
		for (int64_t i = 0; i < count; i++)
			hit[k + i].score = best[i] > 0 ? best[i] : 0;
		free(best);
		batch_close(&b);
	}
	qsort(hit, (size_t)base->n, sizeof *hit, by_score);
	printf("%s: %s, %lld letters, against %lld proteins of %lld letters in %lld batch%s\n",
	       platform, q->name, (long long)q->length, (long long)base->n, (long long)total,
	       (long long)batches, batches == 1 ? "" : "es");
	return hit;
}

/* ---- two: the alignment ---- */

struct pair {                                 /* where the kernel runs */
	int64_t m, n;
	struct gaps gaps;
	uint8_t *q, *d, *way;
	int32_t *best;
	int64_t *place;                       /* row, column */
	void *workspace;
	size_t workspace_bytes;
};

static struct pair pair_open(const struct protein *q, const struct protein *d, struct gaps gaps)
{
	struct pair p = { .m = q->length, .n = d->length, .gaps = gaps };
	p.workspace_bytes = align_workspace(p.m, p.n);
	p.q = device_new((size_t)p.m);
	p.d = device_new((size_t)p.n);
	p.way = device_new((size_t)(p.m * p.n));
	p.best = device_new(sizeof *p.best);
	p.place = device_new(2 * sizeof *p.place);
	p.workspace = device_new(p.workspace_bytes);
	to_device(p.q, q->letter, (size_t)p.m);
	to_device(p.d, d->letter, (size_t)p.n);
	return p;
}

static void pair_close(struct pair *p)
{
	device_free(p->q);
	device_free(p->d);
	device_free(p->way);
	device_free(p->best);
	device_free(p->place);
	device_free(p->workspace);
}

static void run_align(void *state)
{
	struct pair *p = state;
	must_succeed(align(p->m, p->n, p->q, p->d, p->gaps.open + p->gaps.extend, p->gaps.extend,
			   p->way, p->best, p->place, p->place + 1, p->workspace,
			   p->workspace_bytes, NULL),
		     align_strerror, "align");
}

/* Pairs of letters as they stand below each other, GAP where there is none. */
enum { GAP = 24 };
/* row, column: where it begins */
struct alignment { int32_t score; int64_t n, row, column; uint8_t *q, *d; };

static void put(struct alignment *a, uint8_t q, uint8_t d)
{
	a->q[a->n] = q;
	a->d[a->n++] = d;
}

static void turn_round(uint8_t *at, int64_t n)
{
	for (int64_t i = 0; i < n / 2; i++) {
		uint8_t first = at[i];
		at[i] = at[n - 1 - i];
		at[n - 1 - i] = first;
	}
}

/* From where the best one ends back to where nothing more is gained; `way` says from where each
 * cell came. */
static void walk_back(struct alignment *a, const struct protein *q, const struct protein *d,
		      const uint8_t *way, int64_t row, int64_t column)
{
	/* as in align.pat */
	enum { END, PAIR, IN_E, IN_F, SOURCE = 3, E_GOES_ON = 4, F_GOES_ON = 8 };
	int table = PAIR;
	while (row >= 0 && column >= 0) {
		uint8_t w = way[row * d->length + column];
		if (table == PAIR && (w & SOURCE) != PAIR) {
			table = w & SOURCE;
			if (table == END)
				break;
		}
		put(a, table == IN_E ? GAP : q->letter[row],
		    table == IN_F ? GAP : d->letter[column]);
		row -= table != IN_E;
		column -= table != IN_F;
		if (table == IN_E ? !(w & E_GOES_ON) : !(w & F_GOES_ON))
			table = PAIR;
	}
	a->row = row + 1;
	a->column = column + 1;
	turn_round(a->q, a->n);
	turn_round(a->d, a->n);
}

static struct alignment align_pair(const struct protein *q, const struct protein *d,
				   struct gaps gaps)
{
	struct pair p = pair_open(q, d, gaps);
	struct alignment a = { .q = host_new((size_t)(p.m + p.n)),
			       .d = host_new((size_t)(p.m + p.n)) };
	uint8_t *way = host_new((size_t)(p.m * p.n));
	int64_t place[2];
	run_align(&p);
	to_host(&a.score, p.best, sizeof a.score);
	to_host(place, p.place, sizeof place);
	to_host(way, p.way, (size_t)(p.m * p.n));
	/* of no cells the best is the least that there is */
	a.score = a.score > 0 ? a.score : 0;
	walk_back(&a, q, d, way, place[0], place[1]);
	free(way);
	pair_close(&p);
	return a;
}

static void alignment_free(struct alignment *a)
{
	free(a->q);
	free(a->d);
}

/* ---- what is printed ---- */

static char letter_of(uint8_t place)
{
	return place == GAP ? '-' : letters[place];
}

static int64_t print_line(const char *name, const uint8_t *at, int64_t n, int64_t first)
{
	int64_t last = first;
	printf("%-8s %5lld ", name, (long long)first + 1);
	for (int64_t i = 0; i < n; i++) {
		putchar(letter_of(at[i]));
		last += at[i] != GAP;
	}
	printf(" %lld\n", (long long)last);
	return last;
}

static void print_alignment(const struct alignment *a, const struct scores *s)
{
	enum { WIDTH = 60 };
	int64_t row = a->row, column = a->column;
	for (int64_t at = 0; at < a->n; at += WIDTH) {
		int64_t n = a->n - at < WIDTH ? a->n - at : WIDTH;
		row = print_line("query", a->q + at, n, row);
		printf("%15s", "");
		for (int64_t i = at; i < at + n; i++)
			putchar(a->q[i] == GAP || a->d[i] == GAP ? ' ' : a->q[i] == a->d[i] ? '|'
			      : s->of[a->q[i]][a->d[i]] > 0 ? '+' : ' ');
		putchar('\n');
		column = print_line("other", a->d + at, n, column);
		putchar('\n');
	}
}

static void print_figures(const struct alignment *a, const char *name)
{
	int64_t same = 0, in_gaps = 0;
	for (int64_t i = 0; i < a->n; i++) {
		same += a->q[i] == a->d[i];
		in_gaps += a->q[i] == GAP || a->d[i] == GAP;
	}
	printf("\n%s\nscore %d, %lld letters long, %lld the same, %lld in gaps\n\n", name, a->score,
	       (long long)a->n, (long long)same, (long long)in_gaps);
}

/* ---- the comparison with plain loops ---- */

/* What the printed alignment is worth, gap by gap. */
static int worth(const struct alignment *a, const struct scores *s, struct gaps gaps)
{
	int sum = 0;
	for (int64_t i = 0; i < a->n; i++) {
		if (a->q[i] != GAP && a->d[i] != GAP) {
			sum += s->of[a->q[i]][a->d[i]];
			continue;
		}
		const uint8_t *side = a->q[i] == GAP ? a->q : a->d;
		sum -= gaps.extend + (i && side[i - 1] == GAP ? 0 : gaps.open);
	}
	return sum;
}

static void check(const struct protein *q, const struct hit *hit, int64_t n,
		  const struct alignment *a, struct gaps gaps)
{
	const struct scores s = blosum62();
	int64_t wrong = 0;
	for (int64_t k = 0; k < n; k++)
		wrong += hit[k].score != naive_score(q, hit[k].protein, &s, gaps.open, gaps.extend);
	check_within("scores", (double)wrong, 0);
	check_within("alignment", (double)abs(worth(a, &s, gaps) - hit[0].score), 0);
	check_within("its score", (double)abs(a->score - hit[0].score), 0);
}

/* ---- figures ---- */

static struct protein any_protein(int64_t length, uint32_t seed)
{
	struct protein p = { .letter = host_new((size_t)length), .length = length };
	for (int64_t i = 0; i < length; i++)
		p.letter[i] = (uint8_t)((seed = seed * 1664525 + 1013904223) >> 16) % 20;
	return p;
}

static void measure(struct gaps gaps)
{
	char what[96];
	int64_t side = 1;
	while (4 * side * side * 13 < 8 * large)             /* bytes of tables a cell */
		side *= 2;
	struct protein q = any_protein(side, 1), d = any_protein(side, 2);
	struct pair p = pair_open(&q, &d, gaps);
	snprintf(what, sizeof what, "%lld letters against %lld, and the way back", (long long)side,
		 (long long)side);
	/* a byte of the way back */
	print_rate(what, (double)side * (double)side, 1, best_time(run_align, &p));
	pair_close(&p);
	free(q.letter);

	enum { LENGTH = 256 };
	q = any_protein(LENGTH, 3);
	int64_t count = large / (12 * LENGTH * LENGTH) + 1;
	struct hit *hit = host_new((size_t)count * sizeof *hit);
	/* all of them alike: the time does not ask for letters */
	d.length = LENGTH;
	for (int64_t k = 0; k < count; k++)
		hit[k] = (struct hit){ &d, 0 };
	struct batch b = batch_open(&q, hit, count, gaps);
	double cells = (double)count * LENGTH * LENGTH;
	printf("%s: %d letters against %lld times %d, scores: %.3g Gcell/s\n", platform, LENGTH,
	       (long long)count, LENGTH, cells * 1e-9 / best_time(run_search, &b));
	batch_close(&b);
	free(hit);
	free(q.letter);
	free(d.letter);
}

/* ---- the command ---- */

static _Noreturn void usage(int status)
{
	fputs("usage: align [--open=N] [--extend=N] [--hits=N] [--check] [--no-measure] [query.fasta [database.fasta]]\n"
	      "  --open=N       what a gap costs (11)\n"
	      "  --extend=N     and each letter in it (1)\n"
	      "  --hits=N       how many of the best to list (5)\n"
	      "  --check        compare with plain loops\n"
	      "  --no-measure   do not measure the kernels afterwards\n"
	      "Of the query's file the first protein is taken; the files are input.query.fasta and\n"
	      "input.database.fasta if none are named.\n",
	      status ? stderr : stdout);
	exit(status);
}

int main(int argc, char **argv)
{
	static const struct option options[] = {
		{ "open", required_argument, NULL, 'o' }, { "extend", required_argument, NULL, 'e' },
		{ "hits", required_argument, NULL, 'n' }, { "check", no_argument, NULL, 'c' },
		{ "no-measure", no_argument, NULL, 'q' }, { "help", no_argument, NULL, 'h' }, { 0 }
	};
	struct gaps gaps = { 11, 1 };
	int hits = 5, option, which = 0;
	bool checked = false, quiet = false;
	while ((option = getopt_long(argc, argv, "", options, &which)) != -1)
		switch (option) {
		case 'o': gaps.open = (int)number(options[which].name, optarg, 0, 1000); break;
		case 'e': gaps.extend = (int)number(options[which].name, optarg, 0, 1000); break;
		case 'n': hits = (int)number(options[which].name, optarg, 0, 1e6); break;
		case 'c': checked = true; break;
		case 'q': quiet = true; break;
		case 'h': usage(0);
		default: usage(2);
		}
	if (argc - optind > 2)
		usage(2);

	struct proteins queries = fasta_read(optind < argc ? argv[optind] : "input.query.fasta");
	struct proteins base =
		fasta_read(optind + 1 < argc ? argv[optind + 1] : "input.database.fasta");
	const struct protein *q = &queries.at[0];
	if (!q->length)
		fail(q->name, "has no letters");
	const struct scores s = blosum62();
	struct hit *hit = search_all(q, &base, gaps);
	for (int64_t k = 0; k < hits && k < base.n; k++)
		printf("%6d  %s\n", hit[k].score, hit[k].protein->name);
	struct alignment a = align_pair(q, hit[0].protein, gaps);
	print_figures(&a, hit[0].protein->name);
	print_alignment(&a, &s);
	if (checked)
		check(q, hit, base.n, &a, gaps);
	alignment_free(&a);
	free(hit);
	fasta_free(&queries);
	fasta_free(&base);
	if (!quiet)
		measure(gaps);
	return 0;
}
