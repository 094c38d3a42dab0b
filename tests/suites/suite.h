/* suite.h - what the drivers that driver.py writes share. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#ifdef SUITE_GPU
#include <cuda_runtime_api.h>
#endif

/* The same numbers in every run and on every machine. */
static inline uint64_t suite_word(void)
{
	static uint64_t x = 88172645463325252u;
	x ^= x << 13;
	x ^= x >> 7;
	x ^= x << 17;
	return x;
}
static inline double suite_random(void) { return (double)(suite_word() >> 11) * 0x1p-53; }
static inline int suite_whole(bool byte) { return (int)(suite_word() >> 33) % (byte ? 2 : 100); }

/* One byte at least, so that an empty array is not a failure. */
static inline void *suite_array(int64_t cells, size_t size)
{
	void *p = calloc((size_t)cells + 1, size);
	if (!p)
		exit(3);
	return p;
}
static inline void *suite_copy(const void *from, int64_t cells, size_t size)
{
	return memcpy(suite_array(cells, size), from, (size_t)cells * size);
}

static inline bool suite_far(double x, double y, double within)
{
	if (isnan(x) || isnan(y) || isinf(x) || isinf(y))
		return !(isnan(x) && isnan(y)) && x != y;
	return fabs(x - y) > within * fmax(1, fabs(y));
}
static inline const char *suite_wrong(const char *name, int64_t at, double x, double y)
{
	static char said[200];
	snprintf(said, sizeof said, "%s, cell %lld: %.17g instead of %.17g", name, (long long)at, x, y);
	return said;
}
static inline int suite_said(const char *name, const char *shape, const char *wrong)
{
	printf(wrong ? "not ok %s, %s: %s\n" : "ok %s, %s\n", name, shape, wrong);
	return wrong != NULL;
}

static inline double suite_now(void)
{
	struct timespec t;
	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec * 1e3 + (double)t.tv_nsec * 1e-6;
}
/* Prints a line: kernel, sizes, milliseconds of ours and of the plain version (0: none), the difference. */
static inline void suite_time(const char *name, const char *shape, double ours, double plain, const char *wrong)
{
	printf("%s\t%s\t%.3f\t%.3f\t%s\n", name, shape, ours, plain, wrong ? wrong : "");
}

/* The memory of the machine that runs the kernels. */
#ifdef SUITE_GPU
#define SUITE_PLAIN(name) name##_cuda
static inline void suite_refill(void *to, const void *from, int64_t cells, size_t size)
{
	if (cudaMemcpy(to, from, (size_t)cells * size, cudaMemcpyHostToDevice))
		exit(3);
}
static inline void *suite_device(const void *from, int64_t cells, size_t size)
{
	void *p;
	if (cudaMalloc(&p, ((size_t)cells + 1) * size))
		exit(3);
	if (from)
		suite_refill(p, from, cells, size);
	return p;
}
static inline void *suite_back(const void *from, int64_t cells, size_t size)
{
	void *to = suite_array(cells, size);
	if (cudaMemcpy(to, from, (size_t)cells * size, cudaMemcpyDeviceToHost))
		exit(3);
	return to;
}
static inline void suite_free(void *p) { cudaFree(p); }
#else
#define SUITE_PLAIN(name) name##_reference
static inline void suite_refill(void *to, const void *from, int64_t cells, size_t size)
{
	memcpy(to, from, (size_t)cells * size);
}
static inline void *suite_device(const void *from, int64_t cells, size_t size)
{
	return from ? suite_copy(from, cells, size) : suite_array(cells, size);
}
static inline void *suite_back(const void *from, int64_t cells, size_t size) { return suite_copy(from, cells, size); }
static inline void suite_free(void *p) { free(p); }
#endif
