/* main.c - reads who knows whom, multiplies that matrix by itself with patc's kernels, says who
 * ought to meet since they have many acquaintances in common, and measures the kernels. */
#include <getopt.h>

#include "common.h"
#include "matrix.h"
#include "spgemm.h"

struct device {                               /* where the kernels run: C = A A */
	int64_t n, nonzeros, products, cells;
	int32_t *row, *column, *busy, *product_column, *c_column;
	float *value, *product_value, *c_value;
	int64_t *start, *end, *before;
	bool *head;
	void *workspace;
	size_t workspace_bytes;
};

/* ---- the kernels ---- */

static struct device device_open(const struct matrix *a)
{
	size_t n = (size_t)a->n, nonzeros = (size_t)a->nonzeros;
	struct device d = { .n = a->n, .nonzeros = a->nonzeros };
	d.row = device_new((n + 1) * sizeof *d.row);
	d.column = device_new(nonzeros * sizeof *d.column);
	d.value = device_new(nonzeros * sizeof *d.value);
	d.busy = device_new(nonzeros * sizeof *d.busy);
	d.start = device_new((nonzeros + 1) * sizeof *d.start);
	d.end = device_new((n + 1) * sizeof *d.end);
	d.before = device_new((n + 1) * sizeof *d.before);
	to_device(d.row, a->row, (n + 1) * sizeof *d.row);
	to_device(d.column, a->column, nonzeros * sizeof *d.column);
	to_device(d.value, a->value, nonzeros * sizeof *d.value);
	return d;
}

static void device_close(struct device *d)
{
	void *const all[] = { d->row,           d->column, d->value,    d->busy,
			      d->start,         d->end,    d->before,   d->product_column,
			      d->product_value, d->head,   d->c_column, d->c_value,
			      d->workspace };
	for (size_t k = 0; k < sizeof all / sizeof *all; k++)
		device_free(all[k]);
}

/* Room in the workspace for another kernel. */
static void make_room(struct device *d, size_t bytes)
{
	if (bytes == SIZE_MAX)
		fail("the matrix", "is too large");
	if (d->workspace && bytes <= d->workspace_bytes)
		return;
	device_free(d->workspace);
	d->workspace = device_new(bytes);
	d->workspace_bytes = bytes;
}

static void run_count(struct device *d)
{
	must_succeed(count(d->n + 1, d->nonzeros, d->n + 1, d->row, d->column, d->row, d->start,
			   d->end, d->busy, d->workspace, d->workspace_bytes, NULL),
		     count_strerror, "count");
}

static void run_expand(struct device *d)
{
	must_succeed(expand(d->nonzeros, d->n + 1, d->nonzeros, d->n + 1, d->products, d->column,
			    d->value, d->row, d->column, d->value, d->start, d->end, d->busy,
			    d->product_column, d->product_value, d->head, d->before, d->workspace,
			    d->workspace_bytes, NULL),
		     expand_strerror, "expand");
}

static void run_compress(struct device *d)
{
	must_succeed(compress(d->products, d->cells, d->product_column, d->product_value, d->head,
			      d->c_column, d->c_value, d->workspace, d->workspace_bytes, NULL),
		     compress_strerror, "compress");
}

static void run(void *state)
{
	run_count(state);
	run_expand(state);
	run_compress(state);
}

/* How many products there are is known once they are counted, how many cells once the products are
 * sorted. */
static void square(struct device *d)
{
	make_room(d, count_workspace(d->n + 1, d->nonzeros, d->n + 1));
	run_count(d);
	to_host(&d->products, d->start + d->nonzeros, sizeof d->products);
	size_t products = (size_t)d->products;
	d->product_column = device_new(products * sizeof *d->product_column);
	d->product_value = device_new(products * sizeof *d->product_value);
	d->head = device_new(products * sizeof *d->head);
	make_room(d, expand_workspace(d->nonzeros, d->n + 1, d->nonzeros, d->n + 1, d->products));
	run_expand(d);
	to_host(&d->cells, d->before + d->n, sizeof d->cells);
	d->c_column = device_new((size_t)d->cells * sizeof *d->c_column);
	d->c_value = device_new((size_t)d->cells * sizeof *d->c_value);
	make_room(d, compress_workspace(d->products, d->cells));
	run_compress(d);
}

static struct matrix square_of(const struct device *d)
{
	struct matrix c = matrix_new(d->n, d->cells);
	int64_t *before = host_new((size_t)(d->n + 1) * sizeof *before);
	to_host(before, d->before, (size_t)(d->n + 1) * sizeof *before);
	to_host(c.column, d->c_column, (size_t)d->cells * sizeof *c.column);
	to_host(c.value, d->c_value, (size_t)d->cells * sizeof *c.value);
	for (int64_t i = 0; i <= d->n; i++)
		c.row[i] = (int32_t)before[i];
	free(before);
	return c;
}

/* ---- who ought to meet ---- */

struct pair { int32_t one, other; float common; };

static bool are_joined(const struct matrix *a, int64_t i, int32_t j)
{
	for (int32_t e = a->row[i]; e < a->row[i + 1]; e++)
		if (a->column[e] == j)
			return true;
	return false;
}

static int by_common(const void *a, const void *b)
{
	const struct pair *x = a, *y = b;
	if (x->common != y->common)
		return x->common < y->common ? 1 : -1;
	return x->one != y->one ? (x->one > y->one) - (x->one < y->one)
				: (x->other > y->other) - (x->other < y->other);
}

/* A cell of A A counts the ways from one to the other in two steps. */
static void print_pairs(const struct matrix *a, const struct matrix *c, int64_t most)
{
	struct pair *pair = host_new((size_t)c->nonzeros * sizeof *pair);
	int64_t n = 0;
	for (int64_t i = 0; i < c->n; i++)
		for (int32_t e = c->row[i]; e < c->row[i + 1]; e++)
			if (i < c->column[e] && !are_joined(a, i, c->column[e]))
				pair[n++] = (struct pair){ (int32_t)i, c->column[e], c->value[e] };
	qsort(pair, (size_t)n, sizeof *pair, by_common);
	for (int64_t k = 0; k < n && k < most; k++)
		printf("%d and %d do not meet, and have %g acquaintances in common\n",
		       pair[k].one + 1, pair[k].other + 1, (double)pair[k].common);
	free(pair);
}

/* ---- the comparison with a plain loop ---- */

static void check(const struct matrix *a, const struct matrix *c)
{
	struct matrix want = matrix_square(a);
	int64_t wrong = want.nonzeros != c->nonzeros;
	double off = 0;
	for (int64_t i = 0; i <= a->n; i++)
		wrong += want.row[i] != c->row[i];
	for (int64_t e = 0; e < want.nonzeros && !wrong; e++) {
		wrong += want.column[e] != c->column[e];
		off = worse(off,
			    (double)(want.value[e] > c->value[e] ? want.value[e] - c->value[e]
								 : c->value[e] - want.value[e]));
	}
	check_within("rows and columns of cells", (double)wrong, 0);
	check_within("values of cells", off, 0);            /* sums of small fractions: exact */
	matrix_free(&want);
}

/* ---- figures ---- */

static void measure(void)
{
	struct matrix a = graph_draw(large / 4096, 4);
	struct device d = device_open(&a);
	square(&d);
	/* what the statements of the three kernels move for a product */
	char what[96];
	snprintf(what, sizeof what, "a network of %lld nodes, %lld cells, products", (long long)a.n,
		 (long long)d.cells);
	print_rate(what, (double)d.products, 130, best_time(run, &d));
	device_close(&d);
	matrix_free(&a);
}

/* ---- the command ---- */

static _Noreturn void usage(int status)
{
	fputs("usage: spgemm [--nodes=N] [--pairs=N] [--check] [--no-measure] [graph.txt]\n"
	      "  --nodes=N      a network of so many is drawn, with weights, and none is read\n"
	      "  --pairs=N      so many are named that ought to meet (6)\n"
	      "  --check        compare with plain loops\n"
	      "  --no-measure   do not measure the kernels afterwards\n"
	      "The graph is karate.txt if none is named: two nodes a line, numbers from 1 on.\n", status ? stderr : stdout);
	exit(status);
}

int main(int argc, char **argv)
{
	static const struct option options[] = {
		{ "nodes", required_argument, NULL, 'n' }, { "pairs", required_argument, NULL, 'p' },
		{ "check", no_argument, NULL, 'c' }, { "no-measure", no_argument, NULL, 'q' },
		{ "help", no_argument, NULL, 'h' }, { 0 }
	};
	bool checked = false, quiet = false;
	int64_t nodes = 0, pairs = 6;
	int option;
	while ((option = getopt_long(argc, argv, "", options, NULL)) != -1)
		switch (option) {
		case 'n': nodes = (int64_t)number("--nodes", optarg, 1, 1e8); break;
		case 'p': pairs = (int64_t)number("--pairs", optarg, 0, 1e8); break;
		case 'c': checked = true; break;
		case 'q': quiet = true; break;
		case 'h': usage(0);
		default: usage(2);
		}
	if (argc - optind > 1)
		usage(2);

	struct matrix a = nodes ? graph_draw(nodes, 4)
				: graph_read(optind < argc ? argv[optind] : "karate.txt");
	struct device d = device_open(&a);
	square(&d);
	struct matrix c = square_of(&d);
	printf("%s: %lld nodes, %lld links; squared: %lld cells of %lld products\n", platform,
	       (long long)a.n, (long long)a.nonzeros / 2, (long long)d.cells,
	       (long long)d.products);
	if (!nodes)
		print_pairs(&a, &c, pairs);
	if (checked)
		check(&a, &c);
	device_close(&d);
	matrix_free(&a);
	matrix_free(&c);
	if (!quiet)
		measure();
	return 0;
}
