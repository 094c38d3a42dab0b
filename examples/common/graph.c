/* graph.c - see graph.h. */
#include "common.h"
#include "graph.h"

struct link { int32_t one, other; };
struct links { struct link *at; int64_t n; };

/* ---- edges, vertex by vertex ---- */

static struct links links_new(int64_t most)
{
	if (2 * most > INT32_MAX)
		fail("graph", "too many edges for 32 bits");
	return (struct links){ .at = host_new((size_t)most * sizeof(struct link)) };
}

static void join(struct links *l, int64_t one, int64_t other)
{
	l->at[l->n++] = (struct link){ (int32_t)one, (int32_t)other };
}

static void count_edges(struct graph *g, const struct links *l)
{
	memset(g->begin, 0, (size_t)(g->vertices + 1) * sizeof *g->begin);
	for (int64_t k = 0; k < l->n; k++) {
		g->begin[l->at[k].one]++;
		g->begin[l->at[k].other]++;
	}
	for (int64_t v = 0; v < g->vertices; v++)
		g->begin[v + 1] += g->begin[v];
}

/* Frees the links.  While edges are placed, from the last of a vertex to its first, begin[v] is
 * where the one before was. */
static struct graph graph_of(struct links *l, int64_t vertices)
{
	struct graph g = { .vertices = vertices, .edges = 2 * l->n };
	g.begin = host_new((size_t)(vertices + 1) * sizeof *g.begin);
	g.to = host_new((size_t)g.edges * sizeof *g.to);
	count_edges(&g, l);
	for (int64_t k = l->n - 1; k >= 0; k--) {
		g.to[--g.begin[l->at[k].one]] = l->at[k].other;
		g.to[--g.begin[l->at[k].other]] = l->at[k].one;
	}
	free(l->at);
	return g;
}

void graph_free(struct graph *g)
{
	free(g->begin);
	free(g->to);
}

/* ---- a power law ---- */

/* So many of 2^16 pairs are in the first quarter of a table, in the first two, in the first
 * three: a = 0.57, b = c = 0.19. */
enum { A = 37356, AB = 49807, ABC = 62259 };

/* A bit of each end is drawn for each halving, by 16 of 64 bits of chance. */
static struct link draw_link(int scale, uint64_t *x)
{
	uint32_t one = 0, other = 0;
	uint64_t bits = 0;
	for (int k = 0; k < scale; k++) {
		bits = k % 4 ? bits >> 16 : random_bits(x);
		uint32_t part = bits & 0xffff;
		one = 2 * one + (part >= AB);
		other = 2 * other + ((part >= A) ^ (part >= AB) ^ (part >= ABC));
	}
	return (struct link){ (int32_t)one, (int32_t)other };
}

/* Any order of the numbers below n (Fisher and Yates). */
static int32_t *shuffled(int64_t n, uint64_t *x)
{
	int32_t *number = host_new((size_t)n * sizeof *number);
	for (int64_t v = 0; v < n; v++) {
		int64_t u = (int64_t)(random_bits(x) % (uint64_t)(v + 1));
		number[v] = number[u];
		number[u] = (int32_t)v;
	}
	return number;
}

struct graph graph_kronecker(int scale, int edges_a_vertex)
{
	int64_t vertices = INT64_C(1) << scale, edges = vertices * edges_a_vertex;
	uint64_t x = 88172645463325252u;
	struct links l = links_new(edges);
	int32_t *number = shuffled(vertices, &x);
	for (int64_t k = 0; k < edges; k++) {
		struct link drawn = draw_link(scale, &x);
		join(&l, number[drawn.one], number[drawn.other]);
	}
	free(number);
	return graph_of(&l, vertices);
}

/* ---- streets ---- */

static bool is_street(const uint8_t *rgb)
{
	return rgb[0] >= 128 || rgb[1] >= 128 || rgb[2] >= 128;
}

struct graph graph_streets(const struct picture *p)
{
	struct links l = links_new(2 * p->rows * p->columns);
	for (int64_t i = 0; i < p->rows; i++)
		for (int64_t j = 0; j < p->columns; j++) {
			int64_t v = i * p->columns + j;
			if (!is_street(pixel(p, i, j)))
				continue;
			if (j + 1 < p->columns && is_street(pixel(p, i, j + 1)))
				join(&l, v, v + 1);
			if (i + 1 < p->rows && is_street(pixel(p, i + 1, j)))
				join(&l, v, v + p->columns);
		}
	return graph_of(&l, p->rows * p->columns);
}

struct graph graph_town(int64_t side)
{
	struct links l = links_new(2 * side * side);
	uint64_t x = 88172645463325252u;
	for (int64_t v = 0; v < side * side; v++) {
		uint64_t drawn = random_bits(&x);
		if (v % side + 1 < side && drawn >> 62)
			join(&l, v, v + 1);
		if (v / side + 1 < side && drawn >> 60 & 3)
			join(&l, v, v + side);
	}
	return graph_of(&l, side * side);
}

struct graph graph_star(int64_t vertices)
{
	struct links l = links_new(vertices);
	for (int64_t v = 0; v + 1 < vertices; v++)
		join(&l, v, vertices - 1);
	return graph_of(&l, vertices);
}

/* ---- weights and roots ---- */

/* Multiplied by odd numbers, and the upper bits folded into the lower ones. */
static uint64_t mixed(uint64_t x)
{
	x *= UINT64_C(0x9e3779b97f4a7c15);
	x ^= x >> 32;
	x *= UINT64_C(0xd6e8feb86659fd93);
	return x ^ x >> 32;
}

int32_t *graph_weights(const struct graph *g, int32_t most)
{
	int32_t *weight = host_new((size_t)g->edges * sizeof *weight);
	for (int64_t v = 0; v < g->vertices; v++)
		for (int32_t e = g->begin[v]; e < g->begin[v + 1]; e++) {
			uint64_t low = (uint64_t)(v < g->to[e] ? v : g->to[e]);
			uint64_t high = (uint64_t)(v < g->to[e] ? g->to[e] : v);
			weight[e] = 1 + (int32_t)(mixed(low << 32 | high) % (uint64_t)most);
		}
	return weight;
}

int64_t graph_root(const struct graph *g, int64_t k)
{
	int64_t v = (int64_t)(mixed((uint64_t)k + 1) % (uint64_t)g->vertices);
	for (int64_t u = 0; u < g->vertices; u++, v = (v + 1) % g->vertices)
		if (g->begin[v] < g->begin[v + 1])
			return v;
	return -1;
}
