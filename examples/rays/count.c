/* count.c - the walks of rays, as the function `seen` of rays.pat makes them, and the passes that
 * the warps of a GPU make for them.
 *
 *   a thread a ray  a warp makes passes until the longest walk of its lanes ends
 *   refill          where few lanes of a warp walk, the others take the next rays
 *   packet          a pass is at one node; the lanes that are at another one wait.  Walks go
 *                   through the nodes in their order, and the one farthest behind goes first, so a
 *                   warp makes a pass for each node that any of its lanes visits.
 *
 * If a pass costs the same in all of them, passes a ray say how fast they can be at most. */
#include <math.h>

#include "common.h"
#include "count.h"

enum {
	LANES = 32, FEW = 20,                 /* as in patterns/walks.c, for CUDA */
	WARPS = 4224                          /* that an H200 holds, of 64 registers a thread */
};

/* The passes of all rays, one ray after the other: does it test a triangle? */
struct walks {
	int64_t rays, *first;                 /* rays + 1 places in tested */
	bool *tested;
};
struct tally { int64_t passes, lanes, tested; };  /* of warps; lanes that walk in them */

/* ---- a walk ---- */

static float dot(Point a, Point b)
{
	return a.x * b.x + a.y * b.y + a.z * b.z;
}

static Point minus(Point a, Point b)
{
	return (Point){ a.x - b.x, a.y - b.y, a.z - b.z };
}

static Point cross(Point a, Point b)
{
	return (Point){ a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x };
}

static float distance(const Ray *r, const Tri *t)
{
	Point ab = minus(t->b, t->a), ac = minus(t->c, t->a), p = cross(r->way, ac);
	Point s = minus(r->from, t->a), q = cross(s, ab);
	float f = 1 / dot(ab, p), u = f * dot(s, p), v = f * dot(r->way, q), far = f * dot(ac, q);
	return u >= 0 && v >= 0 && u + v <= 1 && far > 1e-3f ? far : INFINITY;
}

/* The part of the ray between two planes of a box, cut from first and last. */
static void slab(float from, float way, float lo, float hi, float *first, float *last)
{
	float a = (lo - from) * (1 / way), b = (hi - from) * (1 / way);
	*first = fmaxf(*first, fminf(a, b));
	*last = fminf(*last, fmaxf(a, b));
}

static bool meets(const Ray *r, const Box *b, float far)
{
	float first = 0, last = far;
	slab(r->from.x, r->way.x, b->lo.x, b->hi.x, &first, &last);
	slab(r->from.y, r->way.y, b->lo.y, b->hi.y, &first, &last);
	slab(r->from.z, r->way.z, b->lo.z, b->hi.z, &first, &last);
	return first <= last;
}

/* One pass from node `at`: the next node; *far is how far the ray goes. */
static int64_t pass(const Ray *r, const Node *node, const Tri *tri, int64_t at, float *far,
                    bool *tested)
{
	const Node *here = &node[at];
	bool met = meets(r, &here->box, *far);
	*tested = met && here->tri >= 0;
	if (*tested)
		*far = fminf(*far, distance(r, &tri[here->tri]));
	return met ? at + 1 : here->past;
}

/* ---- all walks, and the nodes that those of a warp visit ---- */

struct union_of { int64_t *warp; bool *tested; };        /* of each node: the last one that came */

static void visit(struct union_of *u, struct tally *packet, int64_t warp, int64_t node, bool tested)
{
	if (u->warp[node] != warp) {
		u->warp[node] = warp;
		u->tested[node] = false;
		packet->passes++;
	}
	packet->lanes++;
	packet->tested += tested && !u->tested[node];
	u->tested[node] |= tested;
}

/* There is room for one pass more. */
static int64_t make_room(struct walks *w, int64_t most, int64_t passes)
{
	if (passes < most)
		return most;
	bool *larger = host_new((size_t)(2 * most) * sizeof *larger);
	memcpy(larger, w->tested, (size_t)most * sizeof *larger);
	free(w->tested);
	w->tested = larger;
	return 2 * most;
}

static struct tally walk_all(struct walks *w, const Ray *ray, int64_t nodes, const Node *node,
                             const Tri *tri)
{
	struct union_of u = { host_new((size_t)nodes * sizeof *u.warp),
			      host_new((size_t)nodes * sizeof *u.tested) };
	struct tally packet = { 0 };
	int64_t most = 1 << 20, passes = 0;
	w->tested = host_new((size_t)most * sizeof *w->tested);
	w->first = host_new((size_t)(w->rays + 1) * sizeof *w->first);
	for (int64_t k = 0; k < nodes; k++)
		u.warp[k] = -1;
	for (int64_t i = 0; i < w->rays; i++) {
		float far = INFINITY;
		int64_t at = dot(ray[i].way, ray[i].way) > 0 ? 0 : nodes;
		w->first[i] = passes;
		for (int64_t next; at < nodes; at = next) {
			most = make_room(w, most, passes);
			next = pass(&ray[i], node, tri, at, &far, &w->tested[passes]);
			visit(&u, &packet, i / LANES, at, w->tested[passes]);
			passes++;
		}
	}
	w->first[w->rays] = passes;
	free(u.warp);
	free(u.tested);
	return packet;
}

/* ---- warps ---- */

struct warp { int64_t ray[LANES], at[LANES]; bool walks[LANES]; int walking; };

static void take(struct warp *p, int lane, const struct walks *w, int64_t ray)
{
	p->ray[lane] = ray;
	p->at[lane] = w->first[ray];
	p->walks[lane] = w->first[ray] < w->first[ray + 1];
	p->walking += p->walks[lane];
}

static void warp_pass(struct warp *p, const struct walks *w, struct tally *t)
{
	bool tested = false;
	t->passes++;
	t->lanes += p->walking;
	for (int lane = 0; lane < LANES; lane++)
		if (p->walks[lane]) {
			tested |= w->tested[p->at[lane]++];
			p->walks[lane] = p->at[lane] < w->first[p->ray[lane] + 1];
			p->walking -= !p->walks[lane];
		}
	t->tested += tested;
}

static struct tally thread_a_ray(const struct walks *w)
{
	struct tally t = { 0 };
	for (int64_t first = 0; first < w->rays; first += LANES) {
		struct warp p = { .walking = 0 };
		for (int lane = 0; lane < LANES && first + lane < w->rays; lane++)
			take(&p, lane, w, first + lane);
		while (p.walking)
			warp_pass(&p, w, &t);
	}
	return t;
}

static void fill_up(struct warp *p, const struct walks *w, int64_t *next)
{
	for (int lane = 0; lane < LANES && *next < w->rays; lane++)
		if (!p->walks[lane])
			take(p, lane, w, (*next)++);
}

/* Warps take turns, a pass each. */
static struct tally refill(const struct walks *w)
{
	struct warp *p = host_new(WARPS * sizeof *p);
	struct tally t = { 0 };
	int64_t next = 0;
	memset(p, 0, WARPS * sizeof *p);
	for (bool busy = true; busy;) {
		busy = false;
		for (int k = 0; k < WARPS; k++) {
			if (p[k].walking <= FEW)
				fill_up(&p[k], w, &next);
			if (p[k].walking)
				warp_pass(&p[k], w, &t);
			busy |= p[k].walking || next < w->rays;
		}
	}
	free(p);
	return t;
}

/* ---- figures ---- */

static void print_tally(const char *schedule, struct tally t, int64_t rays)
{
	printf("  %-14s %6.2f passes of a warp a ray, %4.1f of %d lanes walk, %4.1f %% test\n",
	       schedule, (double)t.passes / (double)rays, (double)t.lanes / (double)t.passes, LANES,
	       100 * (double)t.tested / (double)t.passes);
}

void count_passes(const char *what, int64_t rays, const Ray *ray, int64_t n, const Node *node,
                  const Tri *near)
{
	struct walks w = { .rays = rays };
	struct tally packet = walk_all(&w, ray, 2 * n - 1, node, near);
	printf("%s: %.1f passes each\n", what, (double)w.first[rays] / (double)rays);
	print_tally("a thread a ray", thread_a_ray(&w), rays);
	print_tally("refill", refill(&w), rays);
	print_tally("packet", packet, rays);
	free(w.first);
	free(w.tested);
}
