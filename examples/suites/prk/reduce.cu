/* Vectors, one a row, are added to one: a thread per column */
#include "plain.cuh"

static __global__ void columns(int64_t number, int64_t length, const double *x, double *total)
{
	int64_t j = AT_X;
	if (j >= length)
		return;
	double sum = total[j];
	for (int64_t i = 0; i < number; i++)
		sum += x[i * length + j];
	total[j] = sum;
}

extern "C" void vectors_cuda(int64_t number, int64_t length, int64_t iterations, const double *x,
	double *total)
{
	for (int64_t t = 0; t < iterations; t++)
		columns<<<LINE(length)>>>(number, length, x, total);
	finish();
}
