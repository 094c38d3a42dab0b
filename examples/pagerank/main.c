/* main.c - ranks the vertices of a graph with a power law with patc's kernels, by the numbers that
 * they were drawn with and by those that relabelling by degree gives them, and measures both. */
#include <getopt.h>
#include <math.h>

#include "common.h"
#include "graph.h"
#include "pagerank.h"
#include "relabel.h"

struct device {                               /* where the kernels run */
	int64_t n, m, most;
	int32_t *begin, *to, *number, *new_begin, *new_to, *passes;
	float damping, *rank;
	double eps, *change;
	bool relabelled;                      /* which numbers are used */
	void *workspace;
	size_t workspace_bytes;
};

/* ---- the kernels ---- */

static int32_t *new_ints(int64_t n)
{
	return device_new((size_t)n * sizeof(int32_t));
}

static struct device device_open(const struct graph *g, double damping, double eps, int64_t most)
{
	struct device d = { .n = g->vertices,
			    .m = g->edges,
			    .most = most,
			    .damping = (float)damping,
			    .eps = eps };
	size_t pagerank_bytes = pagerank_workspace(d.n, d.m),
	       relabel_bytes = relabel_workspace(d.n, d.m);
	d.begin = new_ints(d.n + 1);
	d.to = new_ints(d.m);
	d.number = new_ints(d.n);
	d.new_begin = new_ints(d.n + 1);
	d.new_to = new_ints(d.m);
	d.passes = new_ints(1);
	d.rank = device_new((size_t)d.n * sizeof *d.rank);
	d.change = device_new(sizeof *d.change);
	d.workspace_bytes = pagerank_bytes > relabel_bytes ? pagerank_bytes : relabel_bytes;
	d.workspace = device_new(d.workspace_bytes);
	to_device(d.begin, g->begin, (size_t)(d.n + 1) * sizeof *d.begin);
	to_device(d.to, g->to, (size_t)d.m * sizeof *d.to);
	return d;
}

static void device_close(struct device *d)
{
	void *const all[] = { d->begin,  d->to,     d->number, d->new_begin, d->new_to,
			      d->passes, d->change, d->rank,   d->workspace };
	for (size_t k = 0; k < sizeof all / sizeof *all; k++)
		device_free(all[k]);
}

static void run_relabel(struct device *d)
{
	int32_t *old = new_ints(d->n);
	must_succeed(relabel(d->n, d->m, d->begin, d->to, old, d->number, d->new_begin, d->new_to,
			     d->workspace, d->workspace_bytes, NULL),
		     relabel_strerror, "relabel");
	device_wait();
	device_free(old);
}

/* An edge has both directions, so as many edges go out of a vertex as come into it. */
static void run(void *state)
{
	struct device *d = state;
	const int32_t *begin = d->relabelled ? d->new_begin : d->begin,
		      *to = d->relabelled ? d->new_to : d->to;
	must_succeed(pagerank(d->n, d->m, begin, to, begin, d->damping, d->eps, d->most, d->rank,
			      d->passes, d->change, d->workspace, d->workspace_bytes, NULL),
		     pagerank_strerror, "pagerank");
}

static int32_t passes_of(const struct device *d)
{
	int32_t passes;
	to_host(&passes, d->passes, sizeof passes);
	return passes;
}

/* By the numbers that the vertices were drawn with. */
static float *ranks_of(const struct device *d)
{
	size_t n = (size_t)d->n;
	float *rank = host_new(n * sizeof *rank), *drawn = host_new(n * sizeof *drawn);
	int32_t *number = host_new(n * sizeof *number);
	to_host(rank, d->rank, n * sizeof *rank);
	to_host(number, d->number, n * sizeof *number);
	for (size_t v = 0; v < n; v++)
		drawn[v] = rank[d->relabelled ? (size_t)number[v] : v];
	free(number);
	free(rank);
	return drawn;
}

/* ---- the comparison with plain loops ---- */

static void plain_pass(const struct graph *g, double damping, const double *rank, double *next)
{
	double lost = 0;
	for (int64_t v = 0; v < g->vertices; v++)
		lost += g->begin[v] == g->begin[v + 1] ? rank[v] : 0;
	for (int64_t v = 0; v < g->vertices; v++)
		next[v] = (1 - damping + damping * lost) / (double)g->vertices;
	for (int64_t v = 0; v < g->vertices; v++)
		for (int32_t e = g->begin[v]; e < g->begin[v + 1]; e++)
			next[g->to[e]] += damping * rank[v] / (g->begin[v + 1] - g->begin[v]);
}

static void check(const struct graph *g, const struct device *d, const float *rank)
{
	size_t n = (size_t)g->vertices;
	double *now = host_new(n * sizeof *now), *next = host_new(n * sizeof *next), off = 0;
	for (size_t v = 0; v < n; v++)
		now[v] = 1.0 / (double)n;
	for (int32_t pass = passes_of(d); pass; pass--) {
		plain_pass(g, d->damping, now, next);
		double *other = now;
		now = next;
		next = other;
	}
	for (size_t v = 0; v < n; v++)
		off = worse(off, fabs(rank[v] - now[v]) / now[v]);
	check_within("ranks", off, 1e-4);
	free(now);
	free(next);
}

/* ---- what is shown ---- */

static void print_first(const struct graph *g, const float *rank, int most)
{
	double above = 2;
	for (int k = 0; k < most && k < g->vertices; k++) {
		int64_t first = -1;
		for (int64_t v = 0; v < g->vertices; v++)
			if (rank[v] < above && (first < 0 || rank[v] > rank[first]))
				first = v;
		if (first < 0)
			return;
		above = rank[first];
		printf("vertex %lld of %d edges: %.4g\n", (long long)first,
		       g->begin[first + 1] - g->begin[first], above);
	}
}

static float *ranked(struct device *d, const struct graph *g, const char *what, bool checked,
		     bool quiet)
{
	run(d);
	float *rank = ranks_of(d);
	int32_t passes = passes_of(d);
	double change;
	to_host(&change, d->change, sizeof change);
	printf("%s: %s: %lld vertices, %lld edges: %ssettled after %d passes\n", platform, what,
	       (long long)g->vertices, (long long)g->edges / 2, change < d->eps ? "" : "not ",
	       passes);
	if (checked)
		check(g, d, rank);
	if (!quiet) {
		double took = best_time(run, d) / passes;
		printf("%s: %s: %.3g ms a pass, %.4g MTEPS\n", platform, what, 1e3 * took,
		       1e-6 * (double)g->edges / took);
	}
	return rank;
}

/* ---- the command ---- */

static _Noreturn void usage(int status)
{
	fputs("usage: pagerank [--scale=N] [--edges=N] [--damping=X] [--eps=X] [--passes=N]\n"
	      "                [--first=N] [--check] [--no-measure]\n"
	      "  --scale=N      the graph has 2^N vertices (14)\n"
	      "  --edges=N      and so many edges for each (16)\n"
	      "  --damping=X    this part goes along edges (0.85)\n"
	      "  --eps=X        until a pass changes no more (1e-6)\n"
	      "  --passes=N     at most (100)\n"
	      "  --first=N      so many are named (5)\n"
	      "  --check        compare with plain loops\n"
	      "  --no-measure   do not measure the kernel\n",
	      status ? stderr : stdout);
	exit(status);
}

int main(int argc, char **argv)
{
	static const struct option options[] = {
		{ "scale", required_argument, NULL, 's' },
		{ "edges", required_argument, NULL, 'e' },
		{ "damping", required_argument, NULL, 'd' },
		{ "eps", required_argument, NULL, 'x' },
		{ "passes", required_argument, NULL, 'p' },
		{ "first", required_argument, NULL, 'f' },
		{ "check", no_argument, NULL, 'c' },
		{ "no-measure", no_argument, NULL, 'q' },
		{ "help", no_argument, NULL, 'h' },
		{ 0 }
	};
	int scale = 14, edges = 16, first = 5;
	int64_t passes = 100;
	double damping = 0.85, eps = 1e-6;
	bool checked = false, quiet = false;
	int option;
	while ((option = getopt_long(argc, argv, "", options, NULL)) != -1)
		switch (option) {
		case 's': scale = (int)number("scale", optarg, 0, 30); break;
		case 'e': edges = (int)number("edges", optarg, 0, 1024); break;
		case 'd': damping = number("damping", optarg, 0, 1); break;
		case 'x': eps = number("eps", optarg, 0, 1); break;
		case 'p': passes = (int64_t)number("passes", optarg, 1, 1e6); break;
		case 'f': first = (int)number("first", optarg, 0, 1e6); break;
		case 'c': checked = true; break;
		case 'q': quiet = true; break;
		case 'h': usage(0);
		default: usage(2);
		}
	if (argc != optind)
		usage(2);

	struct graph g = graph_kronecker(scale, edges);
	struct device d = device_open(&g, damping, eps, passes);
	run_relabel(&d);
	float *rank = ranked(&d, &g, "as drawn", checked, quiet);
	print_first(&g, rank, first);
	free(rank);
	d.relabelled = true;
	free(ranked(&d, &g, "by degrees", checked, quiet));
	device_close(&d);
	graph_free(&g);
	return 0;
}
