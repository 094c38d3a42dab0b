/* anchors.cuh - kernels as a user would write them by hand, beside which bench.cu measures ours. */
#ifndef ANCHORS_CUH
#define ANCHORS_CUH

#include <cuda_bf16.h>
#include <cuda_fp16.h>

#include <cstddef>
#include <cstdint>

/* ---- 16 bytes a thread ---- */

__global__ static void hand_copy(const float4 *__restrict__ x, float4 *__restrict__ y, size_t n)
{
	const size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x;
	if (i < n)
		y[i] = x[i];
}
__global__ static void hand_saxpy(
    float a, const float4 *__restrict__ x, float4 *__restrict__ y, size_t n)
{
	const size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x;
	if (i < n) {
		const float4 u = x[i];
		float4 v = y[i];
		v.x += a * u.x, v.y += a * u.y, v.z += a * u.z, v.w += a * u.w;
		y[i] = v;
	}
}
__global__ static void hand_saxpy_f64(
    double a, const double2 *__restrict__ x, double2 *__restrict__ y, size_t n)
{
	const size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x;
	if (i < n) {
		const double2 u = x[i];
		double2 v = y[i];
		v.x += a * u.x, v.y += a * u.y;
		y[i] = v;
	}
}
/* T2: __half2 or __nv_bfloat162, four of them in 16 bytes; one rounding in T2's own fma. */
template <class T2>
__global__ static void hand_saxpy_half(
    T2 a, const uint4 *__restrict__ x, uint4 *__restrict__ y, size_t n)
{
	const size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x;
	if (i < n) {
		const uint4 u = x[i];
		uint4 v = y[i];
		const T2 *p = (const T2 *)&u;
		T2 *q = (T2 *)&v;
#pragma unroll
		for (int k = 0; k < 4; k++)
			q[k] = __hfma2(a, p[k], q[k]);
		y[i] = v;
	}
}
__global__ static void hand_saxpy_u8(
    uint8_t a, const uint4 *__restrict__ x, uint4 *__restrict__ y, size_t n)
{
	const size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x;
	if (i < n) {
		uint4 u = x[i], v = y[i];
		const uint8_t *p = (const uint8_t *)&u;
		uint8_t *q = (uint8_t *)&v;
#pragma unroll
		for (int k = 0; k < 16; k++)
			q[k] = (uint8_t)(a * p[k] + q[k]);
		y[i] = v;
	}
}
__global__ static void hand_chain(const float4 *__restrict__ x, float4 *__restrict__ y, size_t n)
{
	const size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x;
	if (i < n) {
		float4 v = x[i];
		v.x += sqrtf(v.x * v.x + 1) * sinf(v.x), v.y += sqrtf(v.y * v.y + 1) * sinf(v.y);
		v.z += sqrtf(v.z * v.z + 1) * sinf(v.z), v.w += sqrtf(v.w * v.w + 1) * sinf(v.w);
		y[i] = v;
	}
}
/* One cell a thread, as in a text book; the edge is clamped. */
__global__ static void naive_five(const float *__restrict__ a, float *__restrict__ b, int n, int m)
{
	const int j = blockIdx.x * blockDim.x + threadIdx.x,
	    i = blockIdx.y * blockDim.y + threadIdx.y;
	if (i >= n || j >= m)
		return;
	const float *c = a + (size_t)i * m, *u = a + (size_t)max(i - 1, 0) * m,
	            *d = a + (size_t)min(i + 1, n - 1) * m;
	b[(size_t)i * m + j] =
	    0.5f * c[j] + 0.125f * (u[j] + d[j] + c[max(j - 1, 0)] + c[min(j + 1, m - 1)]);
}
/* R: the radius, 0: that of the call. */
template <int R>
__global__ static void naive_darkest(const float *__restrict__ a, float *__restrict__ b,
    int64_t *__restrict__ p, int64_t *__restrict__ q, int n, int m, int given)
{
	const int r = R ? R : given;
	const int j = blockIdx.x * blockDim.x + threadIdx.x,
	    i = blockIdx.y * blockDim.y + threadIdx.y;
	if (i >= n || j >= m)
		return;
	float best = INFINITY;
	int k_best = 0, l_best = 0;
	for (int k = -r; k <= r; k++)
		for (int l = -r; l <= r; l++) {
			const int u = min(max(i + k, 0), n - 1), v = min(max(j + l, 0), m - 1);
			const float x = a[(size_t)u * m + v];
			if (x < best) {
				best = x;
				k_best = k;
				l_best = l;
			}
		}
	b[(size_t)i * m + j] = best;
	p[(size_t)i * m + j] = k_best;
	q[(size_t)i * m + j] = l_best;
}
__global__ static void naive_window(
    const float *__restrict__ a, float *__restrict__ b, int n, int m, int r)
{
	const int j = blockIdx.x * blockDim.x + threadIdx.x,
	    i = blockIdx.y * blockDim.y + threadIdx.y;
	if (i >= n || j >= m)
		return;
	float sum = 0;
	for (int k = -r; k <= r; k++)
		for (int l = -r; l <= r; l++) {
			const int u = min(max(i + k, 0), n - 1), v = min(max(j + l, 0), m - 1);
			sum += a[(size_t)u * m + v];
		}
	b[(size_t)i * m + j] = sum;
}
/* The window along one axis, times a factor. */
template <bool ROW>
__global__ static void naive_line(
    const float *__restrict__ a, float *__restrict__ b, int n, int m, int r, float factor)
{
	const int j = blockIdx.x * blockDim.x + threadIdx.x,
	    i = blockIdx.y * blockDim.y + threadIdx.y;
	if (i >= n || j >= m)
		return;
	float sum = 0;
	for (int k = -r; k <= r; k++) {
		const int u = ROW ? i : min(max(i + k, 0), n - 1),
		    v = ROW ? min(max(j + k, 0), m - 1) : j;
		sum += a[(size_t)u * m + v];
	}
	b[(size_t)i * m + j] = sum * factor;
}
__global__ static void naive_gaussian(const float *__restrict__ a, const float *__restrict__ w,
    float *__restrict__ b, int n, int m)
{
	const int j = blockIdx.x * blockDim.x + threadIdx.x,
	    i = blockIdx.y * blockDim.y + threadIdx.y;
	if (i >= n || j >= m)
		return;
	float sum = 0;
	for (int k = 0; k < 11; k++)
		for (int l = 0; l < 11; l++) {
			const int u = min(max(i + k - 5, 0), n - 1),
			    v = min(max(j + l - 5, 0), m - 1);
			sum += w[k] * w[l] * a[(size_t)u * m + v];
		}
	b[(size_t)i * m + j] = sum;
}
/* A filter of s x s. */
__global__ static void naive_filter(const float *__restrict__ a, const float *__restrict__ w,
    float *__restrict__ b, int n, int m, int s)
{
	const int j = blockIdx.x * blockDim.x + threadIdx.x,
	    i = blockIdx.y * blockDim.y + threadIdx.y;
	if (i >= n || j >= m)
		return;
	float sum = 0;
	for (int k = 0; k < s; k++)
		for (int l = 0; l < s; l++) {
			const int u = min(max(i + k - s / 2, 0), n - 1),
			    v = min(max(j + l - s / 2, 0), m - 1);
			sum += w[k * s + l] * a[(size_t)u * m + v];
		}
	b[(size_t)i * m + j] = sum;
}
__global__ static void naive_brightest(
    const uint8_t *__restrict__ a, uint8_t *__restrict__ b, int n, int m)
{
	const int j = blockIdx.x * blockDim.x + threadIdx.x,
	    i = blockIdx.y * blockDim.y + threadIdx.y;
	if (i >= n || j >= m)
		return;
	int most = 0;
	for (int k = -10; k <= 10; k++)
		for (int l = -10; l <= 10; l++) {
			const int u = min(max(i + k, 0), n - 1), v = min(max(j + l, 0), m - 1);
			most = max(most, (int)a[(size_t)u * m + v]);
		}
	b[(size_t)i * m + j] = (uint8_t)most;
}
__global__ static void naive_patches(const float *__restrict__ a, const float *__restrict__ c,
    float *__restrict__ b, int64_t *__restrict__ p, int64_t *__restrict__ q, int n, int m)
{
	const int j = blockIdx.x * blockDim.x + threadIdx.x,
	    i = blockIdx.y * blockDim.y + threadIdx.y;
	if (i >= n || j >= m)
		return;
	float best = INFINITY;
	int u_best = 0, v_best = 0;
	for (int u = -4; u <= 4; u++)
		for (int v = -4; v <= 4; v++) {
			float sum = 0;
			for (int k = -3; k <= 3; k++)
				for (int l = -3; l <= 3; l++) {
					const int x = min(max(i + k, 0), n - 1),
					    y = min(max(j + l, 0), m - 1),
					    z = min(max(i + k + u, 0), n - 1),
					    w = min(max(j + l + v, 0), m - 1);
					sum += fabsf(a[(size_t)x * m + y] - c[(size_t)z * m + w]);
				}
			if (sum < best) {
				best = sum;
				u_best = u;
				v_best = v;
			}
		}
	b[(size_t)i * m + j] = best;
	p[(size_t)i * m + j] = u_best;
	q[(size_t)i * m + j] = v_best;
}
__global__ static void naive_inside(
    const float *__restrict__ a, float *__restrict__ b, int n, int m)
{
	const int j = blockIdx.x * blockDim.x + threadIdx.x,
	    i = blockIdx.y * blockDim.y + threadIdx.y;
	const size_t k = (size_t)i * m + j;
	if (i > 0 && j > 0 && i < n - 1 && j < m - 1)
		b[k] = 0.5f * a[k] + 0.125f * (a[k - m] + a[k + m] + a[k - 1] + a[k + 1]);
}
__global__ static void naive_box(
    const uint8_t *__restrict__ a, uint8_t *__restrict__ b, int n, int m)
{
	const int j = blockIdx.x * blockDim.x + threadIdx.x,
	    i = blockIdx.y * blockDim.y + threadIdx.y;
	if (i >= n || j >= m)
		return;
	int s = 0;
	for (int y = -1; y <= 1; y++)
		for (int x = -1; x <= 1; x++)
			s += a[(size_t)min(max(i + y, 0), n - 1) * m + min(max(j + x, 0), m - 1)];
	b[(size_t)i * m + j] = (uint8_t)(s / 9);
}
/* R: 0 for the seven points, 1 for the 27. */
template <int R>
__global__ static void naive_3d(const float *__restrict__ a, float *__restrict__ b, int n)
{
	const int k = blockIdx.x * blockDim.x + threadIdx.x,
	    j = blockIdx.y * blockDim.y + threadIdx.y,
	          i = blockIdx.z;
	if (j >= n || k >= n)
		return;
	auto at = [&](int z, int y, int x) {
		return a[((size_t)min(max(i + z, 0), n - 1) * n + min(max(j + y, 0), n - 1)) * n +
		         min(max(k + x, 0), n - 1)];
	};
	float s = 0;
	if (R == 0) {
		s = 0.4f * at(0, 0, 0) + 0.1f *
		    (at(-1, 0, 0) + at(1, 0, 0) + at(0, -1, 0) + at(0, 1, 0) +
		                                    at(0, 0, -1) + at(0, 0, 1));
	} else {
#pragma unroll
		for (int z = -1; z <= 1; z++)
#pragma unroll
			for (int y = -1; y <= 1; y++) {
				const float row = 0.25f * at(z, y, -1) + 0.5f * at(z, y, 0) +
				    0.25f * at(z, y, 1);
				s += (z ? y ? 0.0625f : 0.125f : y ? 0.125f : 0.25f) * row;
			}
	}
	b[((size_t)i * n + j) * n + k] = s;
}

static unsigned blocks(size_t n, size_t each) { return (unsigned)((n + each - 1) / each); }

/* One column a thread. */
__global__ static void naive_columns(
    const float *__restrict__ a, float *__restrict__ s, int n, int m)
{
	const int j = blockIdx.x * blockDim.x + threadIdx.x;
	float mine = 0;
	for (int i = 0; j < m && i < n; i++)
		mine += a[(size_t)i * m + j];
	if (j < m)
		s[j] = mine;
}

/* All pairs: a body a thread, 256 others at a time in shared memory. */
__global__ static void tiled_gravity(const float4 *__restrict__ p, float *__restrict__ f, int n)
{
	__shared__ float4 tile[256];
	const int i = blockIdx.x * 256 + threadIdx.x;
	const float4 own = i < n ? p[i] : make_float4(0, 0, 0, 0);
	float x = 0, y = 0, z = 0;
	for (int first = 0; first < n; first += 256) {
		const int j = first + threadIdx.x;
		tile[threadIdx.x] = j < n ? p[j] : make_float4(0, 0, 0, 0);
		__syncthreads();
#pragma unroll 32
		for (int k = 0; k < 256; k++) {
			const float4 q = tile[k];
			const float dx = q.x - own.x, dy = q.y - own.y, dz = q.z - own.z;
			const float near = rsqrtf(0.01f + dx * dx + dy * dy + dz * dz);
			const float s = q.w * near * near * near;
			x += s * dx;
			y += s * dy;
			z += s * dz;
		}
		__syncthreads();
	}
	if (i < n) {
		f[3 * i] = x;
		f[3 * i + 1] = y;
		f[3 * i + 2] = z;
	}
}
/* Bodies nearer than rc in the unit cube around 0: a grid of g^3 cells, each of them cut into 8
 * along x; sorted by CUB between the first two kernels. */
struct hand_grid { int g; float rc; };
__device__ static int hand_cell(float x, int cells)
{
	return min(max((int)floorf((x + 0.5f) * cells), 0), cells - 1);
}
__global__ static void grid_slots(
    const float4 *__restrict__ p, uint32_t *slot, int *number, int n, hand_grid grid)
{
	const int i = blockIdx.x * 256 + threadIdx.x, g = grid.g;
	if (i < n) {
		slot[i] = hand_cell(p[i].x, 8 * g)
		          + 8 * g * (hand_cell(p[i].y, g) + g * hand_cell(p[i].z, g));
		number[i] = i;
	}
}
__global__ static void grid_bodies(const float4 *__restrict__ p, const int *__restrict__ order,
    const uint32_t *__restrict__ slot, float4 *q, int *begins, int n, hand_grid grid)
{
	const int i = blockIdx.x * 256 + threadIdx.x;
	const int slots = 8 * grid.g * grid.g * grid.g;
	if (i > n)
		return;
	if (i < n)
		q[i] = p[order[i]];
	const int from = i ? (int)slot[i - 1] + 1 : 0, to = i < n ? (int)slot[i] : slots;
	for (int s = from; s <= to; s++)
		begins[s] = i;
}
__global__ static void grid_gravity(const float4 *__restrict__ q, const int *__restrict__ order,
    const int *__restrict__ begins, float *__restrict__ f, int n, hand_grid grid)
{
	const int i = blockIdx.x * 256 + threadIdx.x, g = grid.g;
	if (i >= n)
		return;
	const float4 own = q[i];
	const int cx = hand_cell(own.x, 8 * g), cy = hand_cell(own.y, g), cz = hand_cell(own.z, g);
	float x = 0, y = 0, z = 0;
	for (int r = 0; r < 9; r++) {
		const int ry = cy + r % 3 - 1, rz = cz + r / 3 - 1, row = 8 * g * (ry + g * rz);
		if (ry < 0 || ry >= g || rz < 0 || rz >= g)
			continue;
		const int end = begins[row + min(cx + 9, 8 * g)];
#pragma unroll 4
		for (int j = begins[row + max(cx - 8, 0)]; j < end; j++) {
			const float4 o = q[j];
			const float dx = o.x - own.x, dy = o.y - own.y, dz = o.z - own.z;
			const float distance = dx * dx + dy * dy + dz * dz;
			const float near = rsqrtf(0.01f + distance);
			const float s = distance < grid.rc * grid.rc ? o.w * near * near * near : 0;
			x += s * dx;
			y += s * dy;
			z += s * dz;
		}
	}
	float *to = f + 3 * (size_t)order[i];
	to[0] = x;
	to[1] = y;
	to[2] = z;
}
/* Denser around 0: by the square of each coordinate. */
__global__ static void crowd_bodies(const float4 *__restrict__ p, float4 *__restrict__ q, int n)
{
	const int i = blockIdx.x * 256 + threadIdx.x;
	if (i < n)
		q[i] = make_float4(2 * p[i].x * fabsf(p[i].x), 2 * p[i].y * fabsf(p[i].y),
		    2 * p[i].z * fabsf(p[i].z), p[i].w);
}
__global__ static void tiled_nearest(const float *__restrict__ x, const float *__restrict__ y,
    const float *__restrict__ u, const float *__restrict__ v, float *__restrict__ d,
    int64_t *__restrict__ at, int n, int m)
{
	__shared__ float2 tile[256];
	const int i = blockIdx.x * 256 + threadIdx.x;
	const float own_x = i < n ? x[i] : 0, own_y = i < n ? y[i] : 0;
	float best = INFINITY;
	int place = 0;
	for (int first = 0; first < m; first += 256) {
		const int j = first + threadIdx.x;
		tile[threadIdx.x] = j < m ? make_float2(u[j], v[j]) : make_float2(INFINITY, 0);
		__syncthreads();
#pragma unroll 32
		for (int k = 0; k < 256; k++) {
			const float dx = own_x - tile[k].x, dy = own_y - tile[k].y;
			const float square = dx * dx + dy * dy;
			if (square < best) {
				best = square;
				place = first + k;
			}
		}
		__syncthreads();
	}
	if (i < n) {
		d[i] = best;
		at[i] = place;
	}
}

#endif
