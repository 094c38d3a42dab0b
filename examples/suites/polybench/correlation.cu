/* corr of the m columns of data: a thread per column, then per cell */
#include "plain.cuh"

static __global__ void moments(int64_t n, int64_t m, const double *data, double *mean,
	double *stddev)
{
	int64_t j = AT_X;
	if (j >= m)
		return;
	double sum = 0, squares = 0;
	for (int64_t i = 0; i < n; i++)
		sum += data[i * m + j];
	sum /= (double)n;
	for (int64_t i = 0; i < n; i++)
		squares += (data[i * m + j] - sum) * (data[i * m + j] - sum);
	squares = sqrt(squares / (double)n);
	mean[j] = sum;
	stddev[j] = squares <= 0.1 ? 1 : squares;
}

static __global__ void scale(int64_t n, int64_t m, const double *data, const double *mean,
	const double *stddev, double *scaled)
{
	int64_t i = AT_Y, j = AT_X;
	if (i < n && j < m)
		scaled[i * m + j] = (data[i * m + j] - mean[j]) / (sqrt((double)n) * stddev[j]);
}

static __global__ void products(int64_t n, int64_t m, const double *scaled, double *corr)
{
	int64_t i = AT_Y, j = AT_X;
	if (i >= m || j >= m)
		return;
	double sum = 0;
	for (int64_t k = 0; k < n; k++)
		sum += scaled[k * m + i] * scaled[k * m + j];
	corr[i * m + j] = i == j ? 1 : sum;
}

extern "C" void correlation_cuda(int64_t n, int64_t m, const double *data, double *mean,
	double *stddev, double *corr)
{
	double *scaled = scratch<double>(0, n * m);
	moments<<<LINE(m)>>>(n, m, data, mean, stddev);
	scale<<<PLANE(n, m)>>>(n, m, data, mean, stddev, scaled);
	products<<<PLANE(m, m)>>>(n, m, scaled, corr);
	finish();
}
