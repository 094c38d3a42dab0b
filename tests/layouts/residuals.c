/* residuals.c - `solve` with `pivot` on matrices that are hard: residuals beside those of elimination with partial
 * pivoting as LAPACK's dgtsv does it, which is written here. */
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "residuals.h"

enum { ROWS = 2048 * 256 + 1, KINDS = 12 };        /* on a GPU: parts of parts */
typedef double vector[ROWS];
struct matrix { vector a, b, c; };

static double chance(void)
{
	static uint64_t state = 12345;
	state = state * 6364136223846793005u + 1442695040888963407u;
	return (double)(state >> 11) / 4503599627370496.0 - 1;
}

/* Those of Venetis et al., "A direct tridiagonal solver based on Givens rotations for GPU architectures", and of Chang
 * et al., "A scalable, numerically stable, high-performance tridiagonal solver using GPUs", by what makes them hard. */
static void make(struct matrix *m, int kind, int n)
{
	for (int i = 0; i < n; i++) {
		double a = chance(), b = chance(), c = chance();
		switch (kind) {
		case 0: break;                                           /* random */
		case 1: a = 1, b = 1e8, c = 1; break;                    /* Toeplitz, dominant */
		case 2: a = c = 1, b = 0; break;                         /* no diagonal */
		case 3: a = 1, b = 1e-8, c = 1; break;                   /* a small diagonal */
		case 4: b *= 1e-50; break;                               /* random, a tiny diagonal */
		case 5: b = i == n / 2 ? 1e-50 * b : b; break;           /* one tiny pivot */
		case 6: a = pow(10, -10 * i / (double)n), b = a, c = a * chance(); break;      /* graded */
		case 7: m->b[i] = pow(2, 50 * chance()), a *= m->b[i], b *= m->b[i], c *= m->b[i]; break;     /* rows */
		case 8: a = c = 1, b = -2; break;                        /* Poisson */
		case 9: b = a + c + 1e-13 * b; break;                    /* nearly singular rows */
		case 10: b = chance() > 0.5 ? 0 : b; break;              /* zeros on the diagonal */
		case 11: a = 1, b = -1 + 1e-12 * i, c = 1e-3; break;     /* ill-conditioned Toeplitz */
		}
		m->a[i] = i ? a : 0;
		m->b[i] = b;
		m->c[i] = i + 1 < n ? c : 0;
	}
}

static void gtsv(const struct matrix *of, const double *right, double *x, int n)
{
	static struct matrix m;
	static vector second;
	double *dl = m.a + 1, *d = m.b, *du = m.c;
	m = *of;
	memset(second, 0, sizeof second);
	memcpy(x, right, (size_t)n * sizeof *x);
	for (int i = 0; i + 1 < n; i++) {
		if (fabs(d[i]) >= fabs(dl[i])) {
			const double factor = dl[i] / d[i];
			d[i + 1] -= factor * du[i];
			x[i + 1] -= factor * x[i];
			second[i] = 0;
		} else {
			const double factor = d[i] / dl[i], own = d[i + 1], side = x[i];
			d[i] = dl[i];
			d[i + 1] = du[i] - factor * own;
			second[i] = du[i + 1];
			du[i + 1] *= -factor;
			du[i] = own;
			x[i] = x[i + 1];
			x[i + 1] = side - factor * x[i + 1];
		}
	}
	for (int i = n - 1; i >= 0; i--) {
		x[i] -= i + 1 < n ? du[i] * x[i + 1] : 0;
		x[i] = (x[i] - (i + 2 < n ? second[i] * x[i + 2] : 0)) / d[i];
	}
}

/* In the greatest norm, relative to that of the matrix and the solution. */
static double residual(const struct matrix *m, const double *right, const double *x, int n)
{
	double most = 0, size = DBL_MIN;
	for (int i = 0; i < n; i++) {
		const double before = i ? x[i - 1] : 0, after = i + 1 < n ? x[i + 1] : 0;
		const double left = m->a[i] * before + m->b[i] * x[i] + m->c[i] * after;
		const double all = fabs(m->a[i] * before) + fabs(m->b[i] * x[i]) + fabs(m->c[i] * after);
		most = fmax(most, isfinite(left) ? fabs(left - right[i]) : INFINITY);
		size = fmax(size, all + fabs(right[i]));
	}
	return most / size;
}

static int check(int kind, int n)
{
	static struct matrix m;
	static vector right, x, reference;
	make(&m, kind, n);
	for (int i = 0; i < n; i++)
		right[i] = chance();
	gtsv(&m, right, reference, n);
	const int status = residuals_host(n, m.a, m.b, m.c, right, x);
	const double own = residual(&m, right, x, n), theirs = residual(&m, right, reference, n);
	const int good = !isfinite(theirs) || (status == 0 && (own <= 10 * theirs || own <= 10 * DBL_EPSILON));
	if (!good)
		printf("kind %d, %d rows: status %d, residual %g, of gtsv %g\n", kind, n, status, own, theirs);
	return !good;
}

int main(void)
{
	static const int rows[] = { 1, 2, 3, 31, 100, 128, 129, 512, 513, 1025, 2049, 4097, 9001, ROWS };
	int wrong = 0;
	for (int kind = 0; kind < KINDS; kind++)
		for (size_t k = 0; k < sizeof rows / sizeof *rows; k++)
			wrong += check(kind, rows[k]);
	return wrong > 0;
}
