/* Random access: a thread per stream of pseudorandom words,
 * which flip bits of a table by atomics */
#include "plain.cuh"

static __global__ void flip(int64_t streams, int64_t cells, uint64_t *word, uint64_t *table)
{
	int64_t s = AT_X;
	if (s >= streams)
		return;
	uint64_t w = (word[s] << 1) ^ ((int64_t)word[s] < 0 ? 7 : 0);
	word[s] = w;
	atomicXor((unsigned long long *)&table[w % (uint64_t)cells], (unsigned long long)w);
}

extern "C" void random_access_cuda(int64_t streams, int64_t cells, int64_t rounds, uint64_t *word,
	uint64_t *table)
{
	for (int64_t t = 0; t < rounds; t++)
		flip<<<LINE(streams)>>>(streams, cells, word, table);
	finish();
}
