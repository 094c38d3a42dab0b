/* Random access: streams of pseudorandom words flip bits of a table
 * shapes: streams=131 cells=64 rounds=5; streams=1 cells=1 rounds=3; streams=67 cells=1024 rounds=4
 * bench: streams=262144 cells=4194304 rounds=16 */
#include <stdint.h>

void random_access_init(int64_t streams, int64_t cells, int64_t rounds, uint64_t word[streams], uint64_t table[cells])
{
	(void)rounds;
	for (int64_t s = 0; s < streams; s++)
		word[s] = (uint64_t)(s + 1) * 0x9e3779b97f4a7c15u;
	for (int64_t i = 0; i < cells; i++)
		table[i] = (uint64_t)i;
}

void random_access_reference(int64_t streams, int64_t cells, int64_t rounds, uint64_t word[streams],
	uint64_t table[cells])
{
	for (int64_t t = 0; t < rounds; t++)
#pragma omp parallel for
		for (int64_t s = 0; s < streams; s++) {
			word[s] = (word[s] << 1) ^ ((int64_t)word[s] < 0 ? 7 : 0);
			uint64_t *cell = &table[word[s] % (uint64_t)cells];
#pragma omp atomic
			*cell ^= word[s];
		}
}
