/* matrix.c - matrices to try a solver on: matrix.h. */
#include "common.h"
#include "matrix.h"

static struct matrix matrix_new(int64_t n, int64_t nonzeros)
{
	if (nonzeros > INT32_MAX)
		fail("matrix", "too many nonzeros for 32 bits");
	struct matrix a = { .n = n, .nonzeros = nonzeros };
	a.row = host_new((size_t)(n + 1) * sizeof *a.row);
	a.column = host_new((size_t)nonzeros * sizeof *a.column);
	a.value = host_new((size_t)nonzeros * sizeof *a.value);
	a.row[0] = 0;
	return a;
}

void matrix_free(struct matrix *a)
{
	free(a->row);
	free(a->column);
	free(a->value);
}

void matrix_times(const struct matrix *a, const double *x, double *y)
{
	for (int64_t i = 0; i < a->n; i++) {
		y[i] = 0;
		for (int32_t e = a->row[i]; e < a->row[i + 1]; e++)
			y[i] += a->value[e] * x[a->column[e]];
	}
}

struct matrix matrix_laplacian(int side)
{
	static const int step[5][2] = { { -1, 0 }, { 0, -1 }, { 0, 0 }, { 0, 1 }, { 1, 0 } };
	int64_t n = (int64_t)side * side;
	struct matrix a = matrix_new(n, 5 * n - 4 * side);
	int32_t e = 0;
	for (int64_t i = 0; i < n; i++) {
		for (int k = 0; k < 5; k++) {
			int y = (int)(i / side) + step[k][0], x = (int)(i % side) + step[k][1];
			if (y < 0 || y >= side || x < 0 || x >= side)
				continue;
			a.column[e] = y * side + x;
			a.value[e++] = k == 2 ? 4 : -1;
		}
		a.row[i + 1] = e;
	}
	return a;
}

/* The two ends of every link, one after the other: an end drawn from it is a node, the rather the
 * more links it has. */
static int32_t *draw_links(int64_t n, int links)
{
	int32_t *end = host_new((size_t)(2 * n * links) * sizeof *end);
	uint64_t x = 88172645463325252u;
	for (int64_t k = 0; k < n * links; k++) {
		int64_t node = k / links, known = 2 * links * node;
		random_bits(&x);
		end[2 * k] = (int32_t)node;
		end[2 * k + 1] = known ? end[x % (uint64_t)known] : 0;
	}
	return end;
}

struct matrix matrix_power_law(int64_t n, int links)
{
	int32_t *end = draw_links(n, links), *next = host_new((size_t)n * sizeof *next);
	int64_t ends = 2 * n * links;
	struct matrix a = matrix_new(n, ends + n);
	for (int64_t i = 0; i < n; i++)
		next[i] = 1; /* the diagonal; a link to itself adds nothing, as it should */
	for (int64_t k = 0; k < ends; k++)
		next[end[k]]++;
	for (int64_t i = 0; i < n; i++) {
		a.row[i + 1] = a.row[i] + next[i];
		a.column[a.row[i]] = (int32_t)i;
		a.value[a.row[i]] = next[i];          /* 1 + its links */
		next[i] = a.row[i] + 1;
	}
	for (int64_t k = 0; k < ends; k += 2)
		for (int side = 0; side < 2; side++) {
			int32_t at = next[end[k + side]]++;
			a.column[at] = end[k + 1 - side];
			a.value[at] = -1;
		}
	free(end);
	free(next);
	return a;
}
