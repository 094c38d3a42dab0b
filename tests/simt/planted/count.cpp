/* count.cpp - one call of a planted program on n x m cells, for its profile. */
#include HEADER

#include <stdlib.h>
#include <vector>

int main(int, char **argv)
{
	const int64_t n = atoll(argv[1]), m = atoll(argv[2]);
	std::vector<float> cells((size_t)(n * m), 1.0f), result((size_t)(n * m));
	const float *in = cells.data();
	float *out = result.data();
	return CALL;
}
