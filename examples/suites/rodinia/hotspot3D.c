/* The temperatures of a stack of chips; at the sides no heat flows
 * shapes: nz=3 ny=17 nx=23 steps=3 cc=0.3f cw=0.1f cn=0.1f ct=0.1f amb=80; nz=1 ny=1 nx=1 steps=2; nz=5 ny=7 nx=67 steps=2 amb=80
 * bench: nz=8 ny=512 nx=512 steps=20
 * within: 1e-5 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

static int64_t within(int64_t i, int64_t n)
{
	return i < 0 ? 0 : i >= n ? n - 1 : i;
}

void hotspot3D_reference(int64_t nz, int64_t ny, int64_t nx, int64_t steps, float cc, float cw, float cn, float ct,
	float stepDivCap, float amb, float pIn[nz][ny][nx], float tIn[nz][ny][nx])
{
	float (*tOut)[ny][nx] = malloc(sizeof(float[nz][ny][nx]));
	for (int64_t t = 0; t < steps; t++) {
#pragma omp parallel for
		for (int64_t z = 0; z < nz; z++)
			for (int64_t y = 0; y < ny; y++)
				for (int64_t x = 0; x < nx; x++)
					tOut[z][y][x] = cc * tIn[z][y][x] +
							cw * (tIn[z][y][within(x - 1, nx)] + tIn[z][y][within(x + 1, nx)]) +
							cn * (tIn[z][within(y - 1, ny)][x] + tIn[z][within(y + 1, ny)][x]) +
							ct * (tIn[within(z - 1, nz)][y][x] + tIn[within(z + 1, nz)][y][x]) +
							stepDivCap * pIn[z][y][x] + ct * amb;
		memcpy(tIn, tOut, sizeof(float[nz][ny][nx]));
	}
	free(tOut);
}
