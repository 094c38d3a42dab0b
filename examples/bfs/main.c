/* main.c - searches a graph with a power law and the streets of a town with patc's kernel, draws
 * how far every street is and how many edges the levels have, and measures the kernel. */
#include <getopt.h>

#include "bfs.h"
#include "common.h"
#include "graph.h"
#include "plot.h"
#include "relabel.h"

struct device {                               /* where the kernel runs */
	int64_t n, m, root, most;             /* most: for so many levels there is room */
	int32_t *begin, *to, *level, *levels, *work;
	int64_t *left;
	void *workspace;
	size_t workspace_bytes;
};
struct levels { int64_t n, reached, edges; int32_t *of, *work; };

/* ---- the kernels ---- */

static int32_t *new_ints(int64_t n)
{
	return device_new((size_t)n * sizeof(int32_t));
}

/* Vertices with many edges come first from here on. */
static void renumber(struct graph *g)
{
	int64_t n = g->vertices, m = g->edges;
	size_t begin_bytes = (size_t)(n + 1) * sizeof(int32_t), bytes = (size_t)m * sizeof(int32_t),
	       workspace_bytes = relabel_workspace(n, m);
	int32_t *begin = new_ints(n + 1), *to = new_ints(m), *old = new_ints(n);
	int32_t *number = new_ints(n), *new_begin = new_ints(n + 1), *new_to = new_ints(m);
	void *workspace = device_new(workspace_bytes);
	to_device(begin, g->begin, begin_bytes);
	to_device(to, g->to, bytes);
	must_succeed(relabel(n, m, begin, to, old, number, new_begin, new_to, workspace,
			     workspace_bytes, NULL),
		     relabel_strerror, "relabel");
	to_host(g->begin, new_begin, begin_bytes);
	to_host(g->to, new_to, bytes);
	void *const all[] = { begin, to, old, number, new_begin, new_to, workspace };
	for (size_t k = 0; k < sizeof all / sizeof *all; k++)
		device_free(all[k]);
}

static void levels_room(struct device *d, int64_t most)
{
	device_free(d->work);
	device_free(d->workspace);
	d->most = most;
	d->work = device_new((size_t)most * sizeof *d->work);
	d->workspace_bytes = bfs_workspace(d->n, d->m, most);
	d->workspace = device_new(d->workspace_bytes);
}

static struct device device_open(const struct graph *g)
{
	struct device d = { .n = g->vertices, .m = g->edges };
	d.begin = new_ints(d.n + 1);
	d.to = new_ints(d.m);
	d.level = new_ints(d.n);
	d.levels = new_ints(1);
	d.left = device_new(sizeof *d.left);
	to_device(d.begin, g->begin, (size_t)(d.n + 1) * sizeof *d.begin);
	to_device(d.to, g->to, (size_t)d.m * sizeof *d.to);
	levels_room(&d, 8);
	return d;
}

static void device_close(struct device *d)
{
	void *const all[] = { d->begin, d->to,   d->level,    d->levels,
			      d->left,  d->work, d->workspace };
	for (size_t k = 0; k < sizeof all / sizeof *all; k++)
		device_free(all[k]);
}

/* An edge has both directions, so those out of a vertex are also those into it. */
static void run(void *state)
{
	struct device *d = state;
	must_succeed(bfs(d->n, d->m, d->most, d->begin, d->to, d->begin, d->to, d->root, d->level,
			 d->work, d->levels, d->left, d->workspace, d->workspace_bytes, NULL),
		     bfs_strerror, "bfs");
}

/* How many levels there are only the search shows. */
static void search(struct device *d, int64_t root)
{
	int64_t left;
	d->root = root;
	for (;;) {
		run(d);
		to_host(&left, d->left, sizeof left);
		if (!left)
			return;
		levels_room(d, 2 * d->most);
	}
}

static int32_t *fetch(const int32_t *from, int64_t n)
{
	int32_t *to = host_new((size_t)n * sizeof *to);
	to_host(to, from, (size_t)n * sizeof *to);
	return to;
}

static struct levels levels_of(const struct device *d)
{
	int32_t n;
	to_host(&n, d->levels, sizeof n);
	struct levels l = { .n = n };
	l.of = fetch(d->level, d->n);
	l.work = fetch(d->work, n);
	for (int64_t v = 0; v < d->n; v++)
		l.reached += l.of[v] >= 0;
	for (int64_t k = 0; k < n; k++)
		l.edges += l.work[k];
	l.edges /= 2;
	return l;
}

static void levels_free(struct levels *l)
{
	free(l->of);
	free(l->work);
}

/* ---- the comparison with a plain queue ---- */

static int32_t *plain_levels(const struct graph *g, int64_t root)
{
	int32_t *level = host_new((size_t)g->vertices * sizeof *level),
		*queue = host_new((size_t)g->vertices * sizeof *queue);
	int64_t known = 0;
	for (int64_t v = 0; v < g->vertices; v++)
		level[v] = -1;
	level[root] = 0;
	queue[known++] = (int32_t)root;
	for (int64_t f = 0; f < known; f++)
		for (int32_t e = g->begin[queue[f]]; e < g->begin[queue[f] + 1]; e++)
			if (level[g->to[e]] < 0) {
				level[g->to[e]] = level[queue[f]] + 1;
				queue[known++] = g->to[e];
			}
	free(queue);
	return level;
}

static void check(const struct graph *g, const struct levels *l, int64_t root)
{
	int32_t *level = plain_levels(g, root);
	int64_t wrong = 0, edges = 0;
	for (int64_t v = 0; v < g->vertices; v++) {
		wrong += l->of[v] != level[v];
		edges += level[v] >= 0 ? g->begin[v + 1] - g->begin[v] : 0;
	}
	check_within("levels of vertices", (double)wrong, 0);
	check_within("edges", (double)llabs(l->edges - edges / 2), 0);
	free(level);
}

/* ---- what is shown ---- */

static void print_search(const char *what, const struct graph *g, const struct levels *l)
{
	printf("%s: %s: %lld vertices, %lld edges; %lld levels reach %lld vertices\n", platform,
	       what, (long long)g->vertices, (long long)g->edges / 2, (long long)l->n,
	       (long long)l->reached);
}

/* The kernel's rule: bottom up where there are more edges than vertices. */
static void print_levels(const struct graph *g, const struct levels *l)
{
	for (int64_t k = 0; k < l->n; k++)
		printf("level %lld: %d edges, %s\n", (long long)k, l->work[k],
		       l->work[k] > g->vertices ? "bottom up" : "top down");
}

static void plot(const struct levels *l, const char *path)
{
	double *work = host_new((size_t)l->n * sizeof *work), top = 10;
	for (int64_t k = 0; k < l->n; k++) {
		work[k] = (double)l->work[k];
		top = work[k] > top ? work[k] : top;
	}
	struct fall fall = { "edges", "#b04030", l->n, work };
	plot_falls(&fall, 1, top, 1, "levels", path);
	free(work);
}

/* Near streets are blue, far ones red, with a line every 32 levels; the others stay as they are. */
static void draw(struct picture *p, const struct levels *l, const char *path)
{
	for (int64_t v = 0; v < p->rows * p->columns; v++)
		if (l->of[v] >= 0 && l->of[v] % 32)
			colour_signed(2.0 * l->of[v] / (double)l->n - 1, p->rgb + 3 * v);
		else if (l->of[v] >= 0)
			memset(p->rgb + 3 * v, 0, 3);
	picture_write(p, path);
}

/* ---- the searches ---- */

static struct levels searched(const struct graph *g, int64_t root, bool checked)
{
	struct device d = device_open(g);
	search(&d, root);
	struct levels l = levels_of(&d);
	if (checked)
		check(g, &l, root);
	device_close(&d);
	return l;
}

static void search_power_law(const struct graph *g, const char *path, bool checked)
{
	struct levels l = searched(g, graph_root(g, 0), checked);
	print_search("a power law", g, &l);
	print_levels(g, &l);
	plot(&l, path);
	levels_free(&l);
}

static int64_t square_of(const struct picture *p, const char *path)
{
	for (int64_t v = 0; v < p->rows * p->columns; v++)
		if (p->rgb[3 * v] > 200 && p->rgb[3 * v + 1] < 100 && p->rgb[3 * v + 2] < 100)
			return v;
	fail(path, "has no red square to begin at");
}

static void search_streets(const char *from, const char *path, bool checked)
{
	struct picture p = picture_read(from);
	struct graph g = graph_streets(&p);
	struct levels l = searched(&g, square_of(&p, from), checked);
	print_search("streets", &g, &l);
	draw(&p, &l, path);
	levels_free(&l);
	graph_free(&g);
	picture_free(&p);
}

/* From a tip, and from the middle. */
static void check_star(int64_t vertices)
{
	struct graph g = graph_star(vertices);
	for (int64_t root = 0; root < vertices; root += vertices - 1) {
		struct levels l = searched(&g, root, true);
		levels_free(&l);
	}
	graph_free(&g);
}

/* ---- figures ---- */

enum { ROOTS = 16 };

/* Edges a second as Graph500 counts them: those of the part that is reached, once each; the
 * harmonic mean over some roots. */
static void measure(const char *what, const struct graph *g)
{
	struct device d = device_open(g);
	double took = 0, an_edge = 0;
	for (int64_t k = 0; k < ROOTS; k++) {
		search(&d, graph_root(g, k));
		struct levels l = levels_of(&d);
		double best = best_time(run, &d);
		took += best / ROOTS;
		an_edge += best / (double)l.edges / ROOTS;
		levels_free(&l);
	}
	printf("%s: %s: %lld vertices, %lld edges, %d roots: %.3g ms a search, %.4g MTEPS\n",
	       platform, what, (long long)g->vertices, (long long)g->edges / 2, ROOTS, 1e3 * took,
	       1e-6 / an_edge);
	device_close(&d);
}

/* ---- the command ---- */

static _Noreturn void usage(int status)
{
	fputs("usage: bfs [--scale=N] [--edges=N] [--levels=FILE] [--reached=FILE] [--check]\n"
	      "           [--no-measure] [streets.png]\n"
	      "  --scale=N      the graph with a power law has 2^N vertices (14)\n"
	      "  --edges=N      and so many edges for each (16)\n"
	      "  --levels=FILE  how many edges its levels have (levels.svg)\n"
	      "  --reached=FILE how far the streets are (reached.png)\n"
	      "  --check        compare with a plain queue, on a star as well\n"
	      "  --no-measure   do not measure the kernel afterwards\n"
	      "The streets are those of input.png if none are named, and the search begins\n"
	      "at a red pixel.\n",
	      status ? stderr : stdout);
	exit(status);
}

int main(int argc, char **argv)
{
	static const struct option options[] = {
		{ "scale", required_argument, NULL, 's' },
		{ "edges", required_argument, NULL, 'e' },
		{ "levels", required_argument, NULL, 'l' },
		{ "reached", required_argument, NULL, 'r' },
		{ "check", no_argument, NULL, 'c' },
		{ "no-measure", no_argument, NULL, 'q' },
		{ "help", no_argument, NULL, 'h' },
		{ 0 }
	};
	const char *levels_path = "levels.svg", *reached_path = "reached.png";
	int scale = 14, edges = 16;
	bool checked = false, quiet = false;
	int option;
	while ((option = getopt_long(argc, argv, "", options, NULL)) != -1)
		switch (option) {
		case 's': scale = (int)number("scale", optarg, 2, 30); break;
		case 'e': edges = (int)number("edges", optarg, 1, 1024); break;
		case 'l': levels_path = optarg; break;
		case 'r': reached_path = optarg; break;
		case 'c': checked = true; break;
		case 'q': quiet = true; break;
		case 'h': usage(0);
		default: usage(2);
		}
	if (argc - optind > 1)
		usage(2);

	struct graph g = graph_kronecker(scale, edges);
	renumber(&g);
	search_power_law(&g, levels_path, checked);
	search_streets(optind < argc ? argv[optind] : "input.png", reached_path, checked);
	if (checked)
		check_star(INT64_C(1) << scale);
	if (!quiet) {
		struct graph town = graph_town(INT64_C(1) << scale / 2);
		measure("a power law", &g);
		measure("a town", &town);
		graph_free(&town);
	}
	graph_free(&g);
	return 0;
}
