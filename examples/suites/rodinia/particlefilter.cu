/* A particle filter follows a bright disk: a thread per particle, one block for what is added up */
#include "plain.cuh"

static __device__ int64_t inside(double x, int32_t d, int64_t n)
{
	int64_t i = (int64_t)round(x) + d;
	return i < 0 ? 0 : i >= n ? n - 1 : i;
}

static __global__ void move(int64_t n, const double *moveX, const double *moveY, double *x,
	double *y)
{
	int64_t p = AT_X;
	if (p >= n)
		return;
	x[p] += 1 + 5 * moveX[p];
	y[p] += -2 + 2 * moveY[p];
}

static __global__ void weigh(int64_t height, int64_t width, int64_t ones, int64_t n,
	const uint8_t *frame, const int32_t *dy, const int32_t *dx, const double *x,
	const double *y, double *weight)
{
	int64_t p = AT_X;
	if (p >= n)
		return;
	double sum = 0;
	for (int64_t k = 0; k < ones; k++) {
		double v = frame[inside(y[p], dy[k], height) * width + inside(x[p], dx[k], width)];
		sum += ((v - 100) * (v - 100) - (v - 228) * (v - 228)) / 5000;
	}
	weight[p] = exp(sum / (double)ones) / (double)n;
}

/* Weights are divided by their sum; where the disk is: the mean of the particles. */
static __global__ void estimate(int64_t n, const double *x, const double *y, double *weight,
	double *xe, double *ye)
{
	double total = 0, at_x = 0, at_y = 0;
	for (int64_t p = threadIdx.x; p < n; p += 256)
		total += weight[p];
	total = block_sum(total);
	for (int64_t p = threadIdx.x; p < n; p += 256) {
		weight[p] /= total;
		at_x += x[p] * weight[p];
		at_y += y[p] * weight[p];
	}
	at_x = block_sum(at_x);
	at_y = block_sum(at_y);
	if (threadIdx.x == 0)
		*xe = at_x, *ye = at_y;
}

/* Each of 256 threads adds up a part, after what is in the parts before. */
static __global__ void add_up(int64_t n, const double *weight, double *cdf)
{
	__shared__ double part[256];
	int64_t size = (n + 255) / 256, from = size * threadIdx.x, to = min(from + size, n);
	double sum = 0;
	for (int64_t p = from; p < to; p++)
		sum += weight[p];
	part[threadIdx.x] = sum;
	__syncthreads();
	sum = 0;
	for (unsigned t = 0; t < threadIdx.x; t++)
		sum += part[t];
	for (int64_t p = from; p < to; p++)
		cdf[p] = sum += weight[p];
}

static __global__ void draw(int64_t n, const double *u, const double *cdf, const double *x,
	const double *y, double *xj, double *yj)
{
	int64_t p = AT_X, low = 0, high = n - 1;
	if (p >= n)
		return;
	double at = (*u + (double)p) / (double)n;
	while (low < high) {
		int64_t middle = (low + high) / 2;
		if (cdf[middle] < at)
			low = middle + 1;
		else
			high = middle;
	}
	xj[p] = x[low];
	yj[p] = y[low];
}

extern "C" void particlefilter_cuda(int64_t frames, int64_t height, int64_t width, int64_t ones,
	int64_t n, const uint8_t *frame, const int32_t *dy, const int32_t *dx, const double *u,
	const double *moveX, const double *moveY, double *arrayX, double *arrayY, double *xe,
	double *ye)
{
	size_t bytes = (size_t)n * sizeof(double);
	double *weight = scratch<double>(0, n), *cdf = scratch<double>(1, n);
	double *xj = scratch<double>(2, n), *yj = scratch<double>(3, n);
	for (int64_t t = 0; t < frames; t++) {
		move<<<LINE(n)>>>(n, moveX + t * n, moveY + t * n, arrayX, arrayY);
		weigh<<<LINE(n)>>>(height, width, ones, n, frame + t * height * width, dy, dx,
			arrayX, arrayY, weight);
		estimate<<<1, 256>>>(n, arrayX, arrayY, weight, xe + t, ye + t);
		add_up<<<1, 256>>>(n, weight, cdf);
		draw<<<LINE(n)>>>(n, u + t, cdf, arrayX, arrayY, xj, yj);
		cudaMemcpy(arrayX, xj, bytes, cudaMemcpyDeviceToDevice);
		cudaMemcpy(arrayY, yj, bytes, cudaMemcpyDeviceToDevice);
	}
	finish();
}
