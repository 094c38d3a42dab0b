#include "agree.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum { N = 5, M = 7 };

static void bits(double x)
{
	uint64_t word;
	memcpy(&word, &x, sizeof word);
	printf("%016" PRIx64 "\n", word);
}

int main(void)
{
	static float a[N][M];
	static double b[M][N], y[N][M], total;
	static Mass p[N];
	int64_t row;
	for (int i = 0; i < N; i++) {
		p[i] = (Mass){ { i, 0.1 * i + 0.3 }, (float)i / 3 };
		for (int j = 0; j < M; j++) {
			a[i][j] = 1.0f / (float)(1 + 7 * i + j);
			b[j][i] = (3 * i + j) / 7.0;
			y[i][j] = i - j;
		}
	}
	if (agree_host(N, M, &a[0][0], &b[0][0], p, 1.5f, true, &y[0][0], &total, &row))
		return 1;
	for (int i = 0; i < N; i++)
		for (int j = 0; j < M; j++)
			bits(y[i][j]);
	bits(total);
	printf("%" PRId64 "\n", row);
	puts(agree_strerror(agree_host(N, M, &a[0][0], &b[0][0], p, -1, true, &y[0][0], &total, &row)));
	return 0;
}
