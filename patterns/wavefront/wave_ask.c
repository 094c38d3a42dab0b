/* wave_ask.c - what the lowerings of a wavefront ask of its neighbours. */
#include "wave.h"

const struct expr *wave_table(const struct node *node, int equation)
{
	return node->equation.at[equation]->target.at[0];
}

/* Not the order's: an array that pass_layout has turned round has its subscripts in the order of
 * memory. */
int wave_index_of(const struct node *node, const struct expr *subscript)
{
	int k = 0;
	while (!expr_uses(subscript, node->index.at[k]))
		k++;
	return k;
}

int wave_subscript(const struct node *node, const struct expr *cell, int k)
{
	int a = 0;
	while (wave_index_of(node, cell->arg.at[a]) != k)
		a++;
	return a;
}

struct step step_of(const struct node *node, const struct neighbour *n)
{
	const struct wavefront *w = node->wave;
	struct step step = { .here = true };
	for (int d = 0; d < node->index.n; d++) {
		int k = w->order[d];
		int64_t by = w->back[k] ? -n->step[k] : n->step[k];
		if (d == node->index.n - 1)
			step.column = by;
		else if (d == node->index.n - 2)
			step.row = by;
		else
			step.here &= by == 0;
	}
	return step;
}

/* Note [who waits for whom] */
struct wave_vectors wave_vectors(const struct node *node)
{
	const struct wavefront *w = node->wave;
	struct wave_vectors v = { 0 };
	for (int r = 0; r < w->read.n; r++) {
		const struct neighbour *n = w->read.at[r];
		bool any = false;
		for (int d = 0; d < node->index.n; d++) {
			int k = w->order[d];
			int64_t step = w->back[k] ? -n->step[k] : n->step[k];
			v.at[v.n][d] = n->fresh ? step : -step;
			any |= step != 0;
		}
		v.n += any;
	}
	return v;
}

/* Vectors that an outer axis has satisfied do not count. */
int64_t wave_slope(const struct node *node)
{
	struct wave_vectors v = wave_vectors(node);
	int n = node->index.n;
	int64_t slope = 0;
	for (int i = 0; i < v.n && n > 1; i++) {
		int64_t rows = -v.at[i][n - 2], columns = v.at[i][n - 1];
		bool outer = false;
		for (int d = 0; d < n - 2; d++)
			outer |= v.at[i][d] != 0;
		if (!outer && rows > 0 && columns > 0 && (columns + rows - 1) / rows > slope)
			slope = (columns + rows - 1) / rows;
	}
	return slope;
}
