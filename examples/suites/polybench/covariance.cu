/* cov of the m columns of data: a thread per column, then per cell */
#include "plain.cuh"

static __global__ void means(int64_t n, int64_t m, const double *data, double *mean)
{
	int64_t j = AT_X;
	if (j >= m)
		return;
	double sum = 0;
	for (int64_t i = 0; i < n; i++)
		sum += data[i * m + j];
	mean[j] = sum / (double)n;
}

static __global__ void centre(int64_t n, int64_t m, const double *data, const double *mean,
	double *centred)
{
	int64_t i = AT_Y, j = AT_X;
	if (i < n && j < m)
		centred[i * m + j] = data[i * m + j] - mean[j];
}

static __global__ void products(int64_t n, int64_t m, const double *centred, double *cov)
{
	int64_t i = AT_Y, j = AT_X;
	if (i >= m || j >= m)
		return;
	double sum = 0;
	for (int64_t k = 0; k < n; k++)
		sum += centred[k * m + i] * centred[k * m + j];
	cov[i * m + j] = sum / ((double)n - 1);
}

extern "C" void covariance_cuda(int64_t n, int64_t m, const double *data, double *mean, double *cov)
{
	double *centred = scratch<double>(0, n * m);
	means<<<LINE(m)>>>(n, m, data, mean);
	centre<<<PLANE(n, m)>>>(n, m, data, mean, centred);
	products<<<PLANE(m, m)>>>(n, m, centred, cov);
	finish();
}
