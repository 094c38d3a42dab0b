/* An array in order
 * shapes: n=131; n=1; n=0; n=5003
 * bench: n=1000000 */
#include <stdint.h>
#include <stdlib.h>

static int before(const void *a, const void *b)
{
	float x = *(const float *)a, y = *(const float *)b;
	return (x > y) - (x < y);
}

void hybridsort_reference(int64_t n, float x[n])
{
	qsort(x, (size_t)n, sizeof *x, before);
}
