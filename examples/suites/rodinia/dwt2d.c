/* A level of the wavelet 5/3 of JPEG 2000: rows, then columns; what is smooth comes first, then the details
 * shapes: h=7 w=13; h=1 w=1; h=33 w=17
 * bench: h=1024 w=1024 */
#include <stdint.h>
#include <stdlib.h>

/* a line of 2 n cells, `step` apart; x: as many to work in */
static void line(int64_t n, int32_t *cell, int64_t step, int32_t *x)
{
	for (int64_t i = 0; i < 2 * n; i++)
		x[i] = cell[i * step];
	for (int64_t i = 0; i < n; i++)
		cell[(n + i) * step] = x[2 * i + 1] - ((x[2 * i] + x[i + 1 < n ? 2 * i + 2 : 2 * i]) >> 1);
	for (int64_t i = 0; i < n; i++)
		cell[i * step] = x[2 * i] + ((cell[(n + (i ? i - 1 : 0)) * step] + cell[(n + i) * step] + 2) >> 2);
}

void dwt2d_reference(int64_t h, int64_t w, int32_t image[2 * h][2 * w])
{
#pragma omp parallel
	{
		int32_t *x = malloc((size_t)(2 * (h > w ? h : w)) * sizeof *x);
#pragma omp for
		for (int64_t i = 0; i < 2 * h; i++)
			line(w, image[i], 1, x);
#pragma omp for
		for (int64_t j = 0; j < 2 * w; j++)
			line(h, &image[0][j], 2 * w, x);
		free(x);
	}
}
