/* lattice.c - the kernels of lattice.pat, one a layout, give the same bits. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "lattice.h"

enum { N = 37, M = 44, CELLS = N * M, STEPS = 7, BLOCKS = (CELLS + 7) / 8 };

static Cell aos[CELLS];
static float soa[9][CELLS], col[9][CELLS];
static Cell_x8 aosoa[BLOCKS];
static Cell tiled[(N + 7) / 8 * ((M + 3) / 4) * 32];

static float start(int i, int j, int k)
{
	return 0.1f + (float)((i * 31 + j * 17 + k * 7) % 64) / 256;
}

static int in_tiles(int i, int j)
{
	return (i / 8 * ((M + 3) / 4) + j / 4) * 32 + i % 8 * 4 + j % 4;
}

static int differs(const char *name, int i, int j, int k, float other)
{
	const float *own = &aos[i * M + j].f[k];
	if (memcmp(own, &other, sizeof other) == 0)
		return 0;
	printf("%s: cell (%d, %d), element %d is %.9g, not %.9g\n", name, i, j, k, (double)other,
	       (double)*own);
	return 1;
}

int main(void)
{
	int wrong = 0;
	for (int c = 0; c < CELLS * 9; c++) {
		int k = c % 9, j = c / 9 % M, i = c / 9 / M, at = i * M + j;
		aos[at].f[k] = soa[k][at] = col
			[k][j * N + i] = aosoa[at / 8].f[k * 8 + at % 8] = tiled[in_tiles(i, j)]
		                                                                   .f[k] = start(i,
		                                                                                 j,
		                                                                                 k);
	}
	if (lattice_aos_host(N, M, STEPS, aos) || lattice_soa_host(N, M, STEPS, soa[0])
	    || lattice_col_host(N, M, STEPS, col[0]) || lattice_aosoa_host(N, M, STEPS, aosoa)
	    || lattice_tiled_host(N, M, STEPS, tiled)) {
		puts("a call failed");
		return 2;
	}
	for (int c = 0; c < CELLS * 9 && wrong < 5; c++) {
		int k = c % 9, j = c / 9 % M, i = c / 9 / M, at = i * M + j;
		wrong += differs("soa", i, j, k, soa[k][at])
		         + differs("col soa", i, j, k, col[k][j * N + i])
		         + differs("aosoa(8)", i, j, k, aosoa[at / 8].f[k * 8 + at % 8])
		         + differs("tiled(8, 4)", i, j, k, tiled[in_tiles(i, j)].f[k]);
	}
	if (aos[M + 3].f[2] == start(1, 3, 2)) {
		puts("nothing has moved");
		return 1;
	}
	return wrong != 0;
}
