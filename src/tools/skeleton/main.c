/* main.c - calls the kernel of @name@.pat and checks what it computed. */
#include <stdio.h>

#include "@name@.h"

enum { N = 1000 };

int main(void)
{
	float x[N], y[N];
	for (int i = 0; i < N; i++) {
		x[i] = (float)i;
		y[i] = 1;
	}
	int code = @name@_host(N, 2, x, y);
	if (code != 0) {
		fprintf(stderr, "@name@: %s\n", @name@_strerror(code));
		return 1;
	}
	for (int i = 0; i < N; i++)
		if (y[i] != 2 * (float)i + 1) {
			fprintf(stderr, "@name@: y[%d] is %g, not %d\n", i, y[i], 2 * i + 1);
			return 1;
		}
	printf("@name@: all %d cells are right\n", N);
	return 0;
}
