/* main.c - lets patc's kernel find the parts of a graph with a power law, of a town whose streets
 * are closed here and there, and of a star, and measures the kernel. */
#include <getopt.h>

#include "common.h"
#include "components.h"
#include "graph.h"

struct device {                               /* where the kernel runs */
	int64_t n, m;
	int32_t *begin, *to, *part, *passes;
	int64_t *parts, *changed;
	void *workspace;
	size_t workspace_bytes;
};
struct parts { int64_t n, changed; int32_t passes, *of; };

/* ---- the kernel ---- */

static struct device device_open(const struct graph *g)
{
	struct device d = { .n = g->vertices, .m = g->edges };
	size_t begin_bytes = (size_t)(d.n + 1) * sizeof *d.begin,
	       to_bytes = (size_t)d.m * sizeof *d.to;
	d.begin = device_new(begin_bytes);
	d.to = device_new(to_bytes);
	d.part = device_new((size_t)d.n * sizeof *d.part);
	d.passes = device_new(sizeof *d.passes);
	d.parts = device_new(sizeof *d.parts);
	d.changed = device_new(sizeof *d.changed);
	d.workspace_bytes = components_workspace(d.n, d.m);
	d.workspace = device_new(d.workspace_bytes);
	to_device(d.begin, g->begin, begin_bytes);
	to_device(d.to, g->to, to_bytes);
	return d;
}

static void device_close(struct device *d)
{
	void *const all[] = {
		d->begin, d->to, d->part, d->passes, d->parts, d->changed, d->workspace
	};
	for (size_t k = 0; k < sizeof all / sizeof *all; k++)
		device_free(all[k]);
}

static void run(void *state)
{
	struct device *d = state;
	must_succeed(components(d->n, d->m, d->begin, d->to, d->part, d->parts, d->passes,
				d->changed, d->workspace, d->workspace_bytes, NULL),
		     components_strerror, "components");
}

static struct parts parts_of(const struct device *d)
{
	struct parts p = { .of = host_new((size_t)d->n * sizeof *p.of) };
	to_host(p.of, d->part, (size_t)d->n * sizeof *p.of);
	to_host(&p.n, d->parts, sizeof p.n);
	to_host(&p.changed, d->changed, sizeof p.changed);
	to_host(&p.passes, d->passes, sizeof p.passes);
	if (p.changed)
		fail("components", "the passes were too few");
	return p;
}

/* ---- the comparison with a plain union of sets ---- */

static int32_t root_of(int32_t *above, int32_t v)
{
	while (above[v] != v)
		v = above[v] = above[above[v]];
	return v;
}

static int32_t *plain_parts(const struct graph *g)
{
	int32_t *above = host_new((size_t)g->vertices * sizeof *above);
	for (int32_t v = 0; v < g->vertices; v++)
		above[v] = v;
	for (int32_t v = 0; v < g->vertices; v++)
		for (int32_t e = g->begin[v]; e < g->begin[v + 1]; e++) {
			int32_t one = root_of(above, v), other = root_of(above, g->to[e]);
			above[one > other ? one : other] = one < other ? one : other;
		}
	for (int32_t v = 0; v < g->vertices; v++)
		above[v] = above[above[v]];                  /* smaller ones are done */
	return above;
}

static void check(const struct graph *g, const struct parts *p)
{
	int32_t *part = plain_parts(g);
	int64_t wrong = 0, parts = 0;
	for (int64_t v = 0; v < g->vertices; v++) {
		wrong += p->of[v] != part[v];
		parts += part[v] == v;
	}
	check_within("vertices in wrong parts", (double)wrong, 0);
	check_within("parts", (double)llabs(p->n - parts), 0);
	free(part);
}

/* ---- what is shown ---- */

static int64_t largest(const struct graph *g, const struct parts *p)
{
	int32_t *size = host_new((size_t)g->vertices * sizeof *size), most = 0;
	memset(size, 0, (size_t)g->vertices * sizeof *size);
	for (int64_t v = 0; v < g->vertices; v++) {
		int32_t now = ++size[p->of[v]];
		most = now > most ? now : most;
	}
	free(size);
	return most;
}

static void find_parts(const char *what, const struct graph *g, bool checked, bool quiet)
{
	struct device d = device_open(g);
	run(&d);
	struct parts p = parts_of(&d);
	printf("%s: %s: %lld vertices, %lld edges: %lld parts, the largest of %lld, %d passes\n",
	       platform, what, (long long)g->vertices, (long long)g->edges / 2, (long long)p.n,
	       (long long)largest(g, &p), p.passes);
	if (checked)
		check(g, &p);
	if (!quiet) {
		double took = best_time(run, &d);
		printf("%s: %s: %.3g ms, %.4g MTEPS\n", platform, what, 1e3 * took,
		       1e-6 * (double)g->edges / 2 / took);
	}
	free(p.of);
	device_close(&d);
}

/* ---- the command ---- */

static _Noreturn void usage(int status)
{
	fputs("usage: components [--scale=N] [--edges=N] [--check] [--no-measure]\n"
	      "  --scale=N      each graph has 2^N vertices, a town half of them if N is odd (14)\n"
	      "  --edges=N      that with a power law has so many edges for each (2)\n"
	      "  --check        compare with a plain union of sets\n"
	      "  --no-measure   do not measure the kernel afterwards\n",
	      status ? stderr : stdout);
	exit(status);
}

int main(int argc, char **argv)
{
	static const struct option options[] = {
		{ "scale", required_argument, NULL, 's' },
		{ "edges", required_argument, NULL, 'e' },
		{ "check", no_argument, NULL, 'c' },
		{ "no-measure", no_argument, NULL, 'q' },
		{ "help", no_argument, NULL, 'h' },
		{ 0 }
	};
	int scale = 14, edges = 2;
	bool checked = false, quiet = false;
	int option;
	while ((option = getopt_long(argc, argv, "", options, NULL)) != -1)
		switch (option) {
		case 's': scale = (int)number("scale", optarg, 0, 30); break;
		case 'e': edges = (int)number("edges", optarg, 0, 1024); break;
		case 'c': checked = true; break;
		case 'q': quiet = true; break;
		case 'h': usage(0);
		default: usage(2);
		}
	if (argc != optind)
		usage(2);

	struct graph g = graph_kronecker(scale, edges);
	find_parts("a power law", &g, checked, quiet);
	graph_free(&g);
	g = graph_town(INT64_C(1) << scale / 2);
	find_parts("a town", &g, checked, quiet);
	graph_free(&g);
	g = graph_star(INT64_C(1) << scale);
	find_parts("a star", &g, checked, quiet);
	graph_free(&g);
	return 0;
}
