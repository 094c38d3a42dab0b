/* common.c - see common.h.  TARGET_CUDA or TARGET_HIP says where the kernels run; the two run-time
 * libraries differ in a prefix only. */
#include <errno.h>
#include <math.h>
#include <png.h>
#include <stdarg.h>
#include <time.h>
#include <unistd.h>

#include "common.h"

_Noreturn void fail(const char *what, const char *why)
{
	progress_end();
	fprintf(stderr, "%s: %s: %s\n", program_invocation_short_name, what, why);
	exit(1);
}

void must_succeed(int status, const char *(*words)(int), const char *what)
{
	if (status)
		fail(what, words(status));
}

static void *must_have(void *p)
{
	if (!p)
		fail("memory", "not enough");
	return p;
}

void *host_new(size_t bytes)
{
	return must_have(malloc(bytes ? bytes : 1));
}

/* ---- where the kernels run ---- */

#if defined TARGET_CUDA || defined TARGET_HIP

#ifdef TARGET_CUDA
#include <cuda_runtime_api.h>
#define GPU(name) cuda##name
const char platform[] = "cuda";
#else
#include <hip/hip_runtime_api.h>
#define GPU(name) hip##name
const char platform[] = "hip";
#endif
const int64_t large = INT64_C(1) << 29;

static void must_work(GPU(Error_t) e)
{
	if (e != GPU(Success))
		fail(platform, GPU(GetErrorString)(e));
}

void *device_new(size_t bytes)
{
	void *p = NULL;
	must_work(GPU(Malloc)(&p, bytes ? bytes : 1));
	return p;
}

void device_free(void *p)
{
	must_work(GPU(Free)(p));
}

void to_device(void *to, const void *from, size_t bytes)
{
	must_work(GPU(Memcpy)(to, from, bytes, GPU(MemcpyHostToDevice)));
}

void to_host(void *to, const void *from, size_t bytes)
{
	must_work(GPU(Memcpy)(to, from, bytes, GPU(MemcpyDeviceToHost)));
}

void device_copy(void *to, const void *from, size_t bytes)
{
	must_work(GPU(MemcpyAsync)(to, from, bytes, GPU(MemcpyDeviceToDevice), NULL));
}

void device_wait(void)
{
	must_work(GPU(DeviceSynchronize)());
}

#else

const char platform[] = "cpu";
const int64_t large = INT64_C(1) << 26;

void *device_new(size_t bytes)
{
	return must_have(aligned_alloc(256, (bytes / 256 + 1) * 256));
}

void device_free(void *p)
{
	free(p);
}

void to_device(void *to, const void *from, size_t bytes)
{
	memcpy(to, from, bytes);
}

void to_host(void *to, const void *from, size_t bytes)
{
	memcpy(to, from, bytes);
}

/* By all cores, as the kernels run. */
void device_copy(void *to, const void *from, size_t bytes)
{
	const size_t part = 1 << 16;
	#pragma omp parallel for schedule(static)
	for (size_t at = 0; at < bytes; at += part)
		memcpy((char *)to + at, (const char *)from + at,
		       bytes - at < part ? bytes - at : part);
}

void device_wait(void)
{
}
#endif

float *floats_fetch(const float *from, int64_t n)
{
	float *to = host_new((size_t)n * sizeof *to);
	to_host(to, from, (size_t)n * sizeof *to);
	return to;
}

/* ---- time and figures ---- */

double seconds(void)
{
	struct timespec t;
	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

double best_time(void (*work)(void *), void *state)
{
	double best = 1e9;
	for (int k = 0; k < 5; k++) {
		device_wait();
		double start = seconds();
		work(state);
		device_wait();
		double took = seconds() - start;
		best = took < best ? took : best;
	}
	return best;
}

enum { COPIES = 10 };
struct copy { void *to, *from; };

static void copy_some(void *state)
{
	const struct copy *c = state;
	for (int k = 0; k < COPIES; k++)
		device_copy(c->to, c->from, (size_t)large);
}

/* Bytes a second that a copy moves: it reads them and writes them. */
static double copy_rate(void)
{
	struct copy c = { device_new((size_t)large), device_new((size_t)large) };
	device_copy(c.from, c.to, (size_t)large);            /* so that the pages are there */
	double rate = COPIES * 2.0 * (double)large / best_time(copy_some, &c);
	device_free(c.to);
	device_free(c.from);
	return rate;
}

void print_rate(const char *what, double cells, double bytes_per_cell, double took)
{
	static double copy;
	if (!copy)
		copy = copy_rate();
	double rate = cells / took, traffic = rate * bytes_per_cell;
	printf("%s: %s: %.3g Gcell/s; that moves %.1f GB/s, %.0f %% of a copy's %.1f GB/s\n",
	       platform, what, rate * 1e-9, traffic * 1e-9, 100 * traffic / copy, copy * 1e-9);
}

static bool line_is_open;

void progress(const char *format, ...)
{
	if (!isatty(STDERR_FILENO))
		return;
	va_list args;
	va_start(args, format);
	fputs("\r\033[K", stderr);
	vfprintf(stderr, format, args);
	va_end(args);
	fflush(stderr);
	line_is_open = true;
}

void progress_end(void)
{
	if (line_is_open)
		fputs("\r\033[K", stderr);
	line_is_open = false;
}

/* ---- pictures ---- */

struct picture picture_new(int64_t rows, int64_t columns)
{
	return (struct picture){ rows, columns, host_new((size_t)(3 * rows * columns)) };
}

struct picture picture_read(const char *path)
{
	png_image image = { .version = PNG_IMAGE_VERSION };
	if (!png_image_begin_read_from_file(&image, path))
		fail(path, image.message);
	image.format = PNG_FORMAT_RGB;
	struct picture p = picture_new(image.height, image.width);
	if (!png_image_finish_read(&image, NULL, p.rgb, 0, NULL))
		fail(path, image.message);
	return p;
}

struct picture picture_fetch(int64_t rows, int64_t columns, const void *rgb)
{
	struct picture p = picture_new(rows, columns);
	to_host(p.rgb, rgb, (size_t)(3 * rows * columns));
	return p;
}

static void write_png(const struct picture *p, const char *path)
{
	png_image image = { .version = PNG_IMAGE_VERSION, .format = PNG_FORMAT_RGB };
	image.width = (png_uint_32)p->columns;
	image.height = (png_uint_32)p->rows;
	if (!png_image_write_to_file(&image, path, 0, p->rgb, 0, NULL))
		fail(path, image.message);
}

void picture_write(const struct picture *p, const char *path)
{
	write_png(p, path);
	printf("wrote %s\n", path);
}

void picture_frame(const struct picture *p, const char *prefix, int64_t frame)
{
	char path[4096];
	if (snprintf(path, sizeof path, "%s%04lld.png", prefix, (long long)frame)
	    >= (int)sizeof path)
		fail(prefix, "too long");
	write_png(p, path);
}

struct picture picture_repeated(const struct picture *p)
{
	int64_t times = 1;
	while (p->rows * p->columns * times * times < large / 4)
		times++;
	struct picture big = picture_new(p->rows * times, p->columns * times);
	for (int64_t i = 0; i < big.rows; i++)
		for (int64_t k = 0; k < times; k++)
			memcpy(pixel(&big, i, k * p->columns), pixel(p, i % p->rows, 0),
			       (size_t)(3 * p->columns));
	return big;
}

void picture_free(struct picture *p)
{
	free(p->rgb);
	p->rgb = NULL;
}

static uint8_t shade(double x)
{
	return (uint8_t)(255 * (x < 0 ? 0 : x > 1 ? 1 : x) + 0.5);
}

void colour_signed(double x, uint8_t *rgb)
{
	rgb[0] = shade(1 + x);
	rgb[1] = shade(1 - (x < 0 ? -x : x));
	rgb[2] = shade(1 - x);
}

void colour_light(double light, uint8_t *rgb)
{
	rgb[0] = (uint8_t)(255 * light * light);
	rgb[1] = (uint8_t)(255 * light);
	rgb[2] = (uint8_t)(255 * sqrt(light));
}

/* ---- chance ---- */

uint64_t random_bits(uint64_t *state)
{
	*state ^= *state << 13;
	*state ^= *state >> 7;
	*state ^= *state << 17;
	return *state;
}

double random_part(uint64_t *state)
{
	return (double)(random_bits(state) >> 11) / 9007199254740992.0;
}

/* ---- checks and options ---- */

void check_within(const char *what, double off, double allowed)
{
	printf("check: %s: off by %.2g, %.2g is allowed\n", what, off, allowed);
	if (!(off <= allowed))
		fail("check", what);
}

double number(const char *option, const char *text, double low, double high)
{
	char *end;
	double x = strtod(text, &end);
	if (end == text || *end || !(x >= low && x <= high)) {
		fprintf(stderr, "%s: --%s=%s: a number from %g to %g is wanted\n",
		        program_invocation_short_name, option, text, low, high);
		exit(2);
	}
	return x;
}
