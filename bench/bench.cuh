/* bench.cuh - what the works of bench share: memory, the row of a table and the time it shows, and
 * whether two results are equal.  bench.cu says how a row comes about. */
#ifndef BENCH_CUH
#define BENCH_CUH

#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_runtime.h>

#include <cmath>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>
#include <vector>

[[noreturn]] void die(const char *what, int code);
#define CUDA(call) do { const int rc_ = (int)(call); if (rc_) die(#call, rc_); } while (0)
#define EACH(...) __VA_ARGS__
/* OURS(saxpy_f32, (n), a, x, y): the generated function, with its workspace, on the stream. */
#define OURS(kernel, sizes, ...) do { \
		const size_t need_ = kernel##_workspace sizes; \
		void *const room_ = room(need_); \
		const int rc_ = kernel(EACH sizes, __VA_ARGS__, room_, need_, stream); \
		if (rc_) \
			die(#kernel, rc_); \
	} while (0)

extern cudaStream_t stream;

/* ---- memory: three pools that calls walk through, results, workspaces ---- */

extern char *pool[3];
extern size_t pool_bytes;
extern char *ours_result, *anchor_result;        /* of reductions */
extern void *scratch;                            /* the anchors' workspace */
extern size_t scratch_bytes;

/* A place of `bytes` in a pool for call number `call`. */
template <class T> static T *place(int which, size_t bytes, int call)
{
	const size_t each = (bytes + 255) / 256 * 256;
	if (each > pool_bytes)
		die("a pool is too small", which);
	return (T *)(pool[which] + each * ((size_t)call % (pool_bytes / each)));
}
template <class T> static T *allocate(size_t n)
{
	void *p = nullptr;
	CUDA(cudaMalloc(&p, n * sizeof(T)));
	return (T *)p;
}
void *room(size_t bytes);                        /* the workspace of at least so many bytes */

enum fill { FLOATS, DOUBLES, HALVES, BRAINS, BITS };
void fill_pools(fill kind);
__global__ void fill_words(void *p, size_t words, fill kind, uint32_t seed);

/* ---- time, rows ---- */

using call_fn = std::function<void(int)>;        /* enqueues call number n */
struct figure { double ms, spread; };

enum bound { COPY, SUM, NONE };
enum unit { BYTES, CELLS, FLOPS };
enum { AS_MANY_AS_NEEDED = 0 };

struct row {
	std::string name, size;
	double bytes, cells;                         /* FLOPS: operations */
	unit shown;
	bound against;
	call_fn ours;
	std::string anchor_name;
	call_fn anchor;
	/* what both wrote; larger than 1: they disagree */
	std::function<double()> difference;
	int calls = AS_MANY_AS_NEEDED;               /* in a row, a sample */
	/* before each call of ours, one a sample; not timed */
	call_fn prepare = nullptr;
	/* what it must reach: times as fast, G cells/s */
	double must_ratio = 0, must_rate = 0;
};
void measure(const call_fn &ours, const call_fn &anchor, figure &a, figure &b, int calls,
    const call_fn &prepare = nullptr);
bool wanted(const std::string &name);            /* by the command line */
figure print_row(const row &);

std::string power(size_t n);                     /* 2^20 */

/* ---- are they equal: the largest difference over the tolerance ---- */

/* What two sums of n random values in [-0.5, 0.5) may differ by, in f32 and in any order. */
static inline double rounding(size_t n) { return 6e-6 * sqrt((double)n); }

template <class T> __device__ static double number(T x) { return (double)x; }
__device__ static inline double number(__half x) { return (double)__half2float(x); }
__device__ static inline double number(__nv_bfloat16 x) { return (double)__bfloat162float(x); }
/* of a pair (weight, value) */
__device__ static inline double number(float2 x) { return (double)x.y; }

template <class T, class U>
__global__ static void compare(const T *a, const U *b, size_t n, double tolerance, float *worst)
{
	float mine = 0;
	for (size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x; i < n;
	     i += (size_t)gridDim.x * blockDim.x) {
		const double x = number(a[i]), y = number(b[i]);
		const float off = x == y ? 0 : (float)(fabs(x - y) / tolerance);
		mine = off > mine || isnan(off) ? isnan(off) ? 1e30f : off : mine;
	}
	/* not negative: ordered like integers */
	atomicMax((int *)worst, __float_as_int(mine));
}
template <class T, class U = T>
static double differ(const void *a, const void *b, size_t n, double tolerance)
{
	float *worst = (float *)scratch, host = 0;
	CUDA(cudaMemsetAsync(worst, 0, 4, stream));
	compare<<<1024, 256, 0, stream>>>((const T *)a, (const U *)b, n, tolerance, worst);
	CUDA(cudaMemcpyAsync(&host, worst, 4, cudaMemcpyDeviceToHost, stream));
	CUDA(cudaStreamSynchronize(stream));
	return host;
}

/* ---- segments of 1 to twice the mean length, cut in three ways, on the device ---- */

template <class T> static T *upload(const std::vector<T> &from)
{
	T *const p = allocate<T>(from.size());
	CUDA(cudaMemcpy(p, from.data(), from.size() * sizeof(T), cudaMemcpyHostToDevice));
	return p;
}
struct segments {
	/* where each starts and the last ends; its number */
	int32_t *offset, *key;
	uint8_t *head;                               /* 1 where one starts */
	int64_t count;
	segments(size_t n, int mean);                /* sparse.cu */
	~segments();
	segments(const segments &) = delete;
};

/* ---- the works; big: the largest array's cells of 4 bytes ---- */

void cell_works(size_t big);                     /* cells.cu */
void sequence_works(size_t big);                 /* sequence.cu */
void selection_works(size_t big);                /* selection.cu */
void sparse_works(size_t big);                   /* sparse.cu */
void wave_works(size_t big);                     /* wave.cu */
void sort_works(size_t big);                     /* sorting.cu */
void dense_works(size_t big);                    /* dense.cu */
void system_works(size_t big);                   /* systems.cu */
void fetch_works(size_t big);                    /* fetching.cu */
void spread_works(size_t big);                   /* spreading.cu */
void range_works(size_t big);                    /* over_ranges.cu */
void join_works(size_t big);                     /* joining.cu */
void solve_works(size_t big);                    /* solves.cu */
void loop_works();                               /* stepping.cu */
void evolve_works();                             /* evolving.cu */
void band_works();                               /* band.cu */
void little_works();                             /* little.cu */
void move_works(size_t big);                     /* moving.cu */
void layout_works(size_t big);                   /* layouts.cu */

#endif
