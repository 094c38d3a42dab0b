/* main.c - lets patc's kernel find the shortest ways from a vertex of a graph with a power law, of
 * a town and of a star, whose edges have lengths from 1 to 255, and measures the kernel. */
#include <getopt.h>

#include "common.h"
#include "graph.h"
#include "sssp.h"

struct device {                               /* where the kernel runs */
	int64_t n, m, root, most;             /* most: so many passes may be needed */
	int32_t delta, *begin, *to, *length, *distance, *passes, *nearest;
	void *workspace;
	size_t workspace_bytes;
};
struct ways { int64_t reached, edges; int32_t passes, longest, *distance; };

enum { LONGEST = 255, ROOTS = 8 };

/* ---- the kernel ---- */

static int32_t *new_ints(int64_t n)
{
	return device_new((size_t)n * sizeof(int32_t));
}

static struct device device_open(const struct graph *g, const int32_t *length, int32_t delta)
{
	struct device d = { .n = g->vertices, .m = g->edges, .most = 64, .delta = delta };
	d.begin = new_ints(d.n + 1);
	d.to = new_ints(d.m);
	d.length = new_ints(d.m);
	d.distance = new_ints(d.n);
	d.passes = new_ints(1);
	d.nearest = new_ints(1);
	d.workspace_bytes = sssp_workspace(d.n, d.m);
	d.workspace = device_new(d.workspace_bytes);
	to_device(d.begin, g->begin, (size_t)(d.n + 1) * sizeof *d.begin);
	to_device(d.to, g->to, (size_t)d.m * sizeof *d.to);
	to_device(d.length, length, (size_t)d.m * sizeof *d.length);
	return d;
}

static void device_close(struct device *d)
{
	void *const all[] = { d->begin,  d->to,      d->length,   d->distance,
			      d->passes, d->nearest, d->workspace };
	for (size_t k = 0; k < sizeof all / sizeof *all; k++)
		device_free(all[k]);
}

static void run(void *state)
{
	struct device *d = state;
	must_succeed(sssp(d->n, d->m, d->begin, d->to, d->length, d->root, d->delta, d->most,
			  d->distance, d->passes, d->nearest, d->workspace, d->workspace_bytes,
			  NULL),
		     sssp_strerror, "sssp");
}

/* How many passes are needed only the search shows. */
static void search(struct device *d, int64_t root)
{
	d->root = root;
	for (int32_t nearest = 0; nearest != INT32_MAX; ) {
		run(d);
		to_host(&nearest, d->nearest, sizeof nearest);
		if (nearest != INT32_MAX)
			d->most *= 2;
	}
}

static struct ways ways_of(const struct device *d, const struct graph *g)
{
	struct ways w = { .distance = host_new((size_t)d->n * sizeof *w.distance) };
	to_host(w.distance, d->distance, (size_t)d->n * sizeof *w.distance);
	to_host(&w.passes, d->passes, sizeof w.passes);
	for (int64_t v = 0; v < d->n; v++) {
		if (w.distance[v] == INT32_MAX)
			continue;
		w.reached++;
		w.edges += g->begin[v + 1] - g->begin[v];
		w.longest = w.distance[v] > w.longest ? w.distance[v] : w.longest;
	}
	w.edges /= 2;
	return w;
}

/* ---- the comparison with a plain queue (Moore 1957) ---- */

/* Vertices whose distances have fallen, round and round; no vertex is there twice. */
struct queue { int32_t *vertex; bool *waits; int64_t room, first, n; };

static void put(struct queue *q, int32_t v)
{
	if (q->waits[v])
		return;
	q->waits[v] = true;
	q->vertex[(q->first + q->n++) % q->room] = v;
}

static int32_t take(struct queue *q)
{
	int32_t v = q->vertex[q->first];
	q->first = (q->first + 1) % q->room;
	q->n--;
	q->waits[v] = false;
	return v;
}

static void follow(const struct graph *g, const int32_t *length, int32_t v, int32_t *distance,
		   struct queue *q)
{
	for (int32_t e = g->begin[v]; e < g->begin[v + 1]; e++)
		if (distance[v] + length[e] < distance[g->to[e]]) {
			distance[g->to[e]] = distance[v] + length[e];
			put(q, g->to[e]);
		}
}

static int32_t *plain_distances(const struct graph *g, const int32_t *length, int64_t root)
{
	size_t n = (size_t)g->vertices;
	int32_t *distance = host_new(n * sizeof *distance);
	struct queue q = { .room = g->vertices };
	q.vertex = host_new(n * sizeof *q.vertex);
	q.waits = host_new(n * sizeof *q.waits);
	for (size_t v = 0; v < n; v++) {
		distance[v] = INT32_MAX;
		q.waits[v] = false;
	}
	distance[root] = 0;
	put(&q, (int32_t)root);
	while (q.n)
		follow(g, length, take(&q), distance, &q);
	free(q.vertex);
	free(q.waits);
	return distance;
}

static void check(const struct graph *g, const int32_t *length, int64_t root, const struct ways *w)
{
	int32_t *distance = plain_distances(g, length, root);
	int64_t wrong = 0;
	for (int64_t v = 0; v < g->vertices; v++)
		wrong += w->distance[v] != distance[v];
	check_within("distances", (double)wrong, 0);
	free(distance);
}

/* ---- what is shown ---- */

/* Edges a second as Graph500 counts them: those of the part that is reached, once each; the
 * harmonic mean over some roots. */
static void measure(struct device *d, const char *what, const struct graph *g)
{
	double took = 0, an_edge = 0;
	for (int64_t k = 0; k < ROOTS; k++) {
		search(d, graph_root(g, k));
		struct ways w = ways_of(d, g);
		double best = best_time(run, d);
		took += best / ROOTS;
		an_edge += best / (double)w.edges / ROOTS;
		free(w.distance);
	}
	printf("%s: %s, %d roots: %.3g ms a search, %.4g MTEPS\n", platform, what, ROOTS,
	       1e3 * took, 1e-6 / an_edge);
}

static void find_ways(const char *what, const struct graph *g, int32_t delta, bool checked,
		      bool quiet)
{
	int32_t *length = graph_weights(g, LONGEST);
	struct device d = device_open(g, length, delta);
	int64_t root = graph_root(g, 0);
	search(&d, root);
	struct ways w = ways_of(&d, g);
	printf("%s: %s: %lld vertices, %lld edges: %lld reached in %d passes, the longest way %d\n",
	       platform, what, (long long)g->vertices, (long long)g->edges / 2,
	       (long long)w.reached, w.passes, w.longest);
	if (checked)
		check(g, length, root, &w);
	if (!quiet)
		measure(&d, what, g);
	free(w.distance);
	device_close(&d);
	free(length);
}

/* ---- the command ---- */

static _Noreturn void usage(int status)
{
	fputs("usage: sssp [--scale=N] [--edges=N] [--delta=N] [--check] [--no-measure]\n"
	      "  --scale=N      each graph has 2^N vertices, a town half of them if N is odd (12)\n"
	      "  --edges=N      that with a power law has so many edges for each (16)\n"
	      "  --delta=N      a bucket is so long (128)\n"
	      "  --check        compare with a plain queue\n"
	      "  --no-measure   do not measure the kernel afterwards\n",
	      status ? stderr : stdout);
	exit(status);
}

int main(int argc, char **argv)
{
	static const struct option options[] = {
		{ "scale", required_argument, NULL, 's' },
		{ "edges", required_argument, NULL, 'e' },
		{ "delta", required_argument, NULL, 'd' },
		{ "check", no_argument, NULL, 'c' },
		{ "no-measure", no_argument, NULL, 'q' },
		{ "help", no_argument, NULL, 'h' },
		{ 0 }
	};
	int scale = 12, edges = 16;
	int32_t delta = 128;
	bool checked = false, quiet = false;
	int option;
	while ((option = getopt_long(argc, argv, "", options, NULL)) != -1)
		switch (option) {
		case 's': scale = (int)number("scale", optarg, 2, 30); break;
		case 'e': edges = (int)number("edges", optarg, 1, 1024); break;
		case 'd': delta = (int32_t)number("delta", optarg, 1, 1e9); break;
		case 'c': checked = true; break;
		case 'q': quiet = true; break;
		case 'h': usage(0);
		default: usage(2);
		}
	if (argc != optind)
		usage(2);

	struct graph g = graph_kronecker(scale, edges);
	find_ways("a power law", &g, delta, checked, quiet);
	graph_free(&g);
	g = graph_town(INT64_C(1) << scale / 2);
	find_ways("a town", &g, delta, checked, quiet);
	graph_free(&g);
	g = graph_star(INT64_C(1) << scale);
	find_ways("a star", &g, delta, checked, quiet);
	graph_free(&g);
	return 0;
}
