/* Branches that data decide: in every round cells go one of three ways
 * shapes: n=1031 rounds=5; n=1 rounds=3; n=67 rounds=20
 * bench: n=1000000 rounds=20 */
#include <stdint.h>

static int32_t turn(int32_t x, int32_t t)
{
	if ((x ^ t) % 3 == 0)
		return x + t;
	for (int k = 0; k < 4; k++)
		x = x & 1 ? (int32_t)((uint32_t)x * 3 + 1) : x / 2;
	return x;
}

void branch_reference(int64_t n, int32_t rounds, int32_t x[n])
{
#pragma omp parallel for
	for (int64_t i = 0; i < n; i++)
		for (int32_t t = 0; t < rounds; t++) {
			if (x[i] >= 0)
				x[i] = turn(x[i], t);
			if (x[i] < 0)
				x[i] = -x[i] - 1;
		}
}
