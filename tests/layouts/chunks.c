/* chunks.c - items that meet in cells (chunks.pat) by as many chunks as there may be, two, one and
 * none: what one loop gives, and the same bits for 1, 2, 3 and 5 threads. */
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <omp.h>
#include "chunks.h"

enum { ITEMS = 300000, CELLS = 600 };

struct cells { uint32_t h[CELLS]; float s[CELLS], r[CELLS]; int32_t q[7]; P p[3]; };

static int32_t k[ITEMS];
static float x[ITEMS];
static double total[CELLS];

static void fill(int n, int m, bool hot)
{
	uint32_t seed = 1;
	for (int i = 0; i < n; i++) {
		seed = seed * 1664525u + 1013904223u;
		k[i] = hot ? m - 1 : (int32_t)(seed >> 8) % (m + 1);  /* some lie behind the last */
		x[i] = (float)(seed >> 16) / 1024.0f;
	}
}

static void expect(struct cells *c, int n, int m)
{
	memset(total, 0, sizeof total);
	for (int i = 0; i < n; i++) {
		if (k[i] >= m)
			continue;
		c->h[k[i]]++;
		c->r[k[i]] += x[i];
		total[k[i]] += (double)x[i];
	}
	for (int i = 0; i < n; i++) {
		P *p = &c->p[k[i] % 2];
		*p = (P){(double)x[i] < p->least ? (double)x[i] : p->least, p->ones + 1.0};
	}
	for (int i = 0; i < n - 2; i++)
		for (int j = 0; j < 3; j++)
			if (k[i] - j > c->q[k[i + j] % 7])
				c->q[k[i + j] % 7] = k[i] - j;
}

/* A cell that no item goes to keeps NaN, and -0. */
static void start(struct cells *c)
{
	memset(c, 0, sizeof *c);
	for (int i = 0; i < 3; i++)
		c->p[i] = (P){i < 2 ? 1e9 : (double)NAN, -0.0};
}

static bool is_right(const struct cells *c, const struct cells *want, int m)
{
	for (int b = 0; b < m; b++)
		if (fabs((double)c->s[b] - total[b]) > 1e-3 * total[b])
			return false;
	return !memcmp(c->h, want->h, sizeof c->h) && !memcmp(c->r, want->r, sizeof c->r)
	       && !memcmp(c->q, want->q, sizeof c->q) && !memcmp(c->p, want->p, sizeof c->p);
}

static bool compare(int n, int m, bool hot)
{
	static const int threads[] = {1, 2, 3, 5};
	static struct cells got[4], want;
	start(&want);
	fill(n, m, hot);
	expect(&want, n, m);
	bool ok = true;
	for (int t = 0; t < 4; t++) {
		start(&got[t]);
		omp_set_num_threads(threads[t]);
		int status = counts_host(n, m, k, x, got[t].h, got[t].s, got[t].r, got[t].q,
		                         got[t].p);
		ok &= (status == PATC_OK || (status == PATC_INDEX && !hot))
		      && is_right(&got[t], &want, m);
		ok &= memcmp(&got[t], &got[0], sizeof got[0]) == 0;
	}
	if (!ok)
		printf("%d items into %d cells differ\n", n, m);
	return ok;
}

int main(void)
{
	static const int items[] = {ITEMS, 2 * 16 * CELLS, 2 * 16 * CELLS - 1, 8193, 2, 1, 0};
	bool ok = true;
	for (int i = 0; i < (int)(sizeof items / sizeof *items); i++)
		for (int hot = 0; hot < 2; hot++)
			ok = compare(items[i], CELLS, hot) && compare(items[i], 1, hot) && ok;
	return !ok;
}
