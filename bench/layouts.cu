/* layouts.cu - structs of so many words that change their layout, beside a copy of as many
 * bytes. */
#include <utility>

#include "bench.cuh"
#include "layout.h"

static void copy(size_t bytes, int call)
{
	CUDA(cudaMemcpyAsync(place<char>(2, bytes, call), place<char>(0, bytes, call), bytes,
	    cudaMemcpyDeviceToDevice, stream));
}

/* The kernel with the fields of one side, n cells of T each, as arguments. */
template <auto kernel, auto workspace, class T, class S, size_t... K>
static void apart(int64_t n, const S *from, T *to, std::index_sequence<K...>)
{
	const size_t need = workspace(n);
	CUDA(kernel(n, from, to + (int64_t)K * n..., room(need), need, stream));
}
template <auto kernel, auto workspace, class T, class S, size_t... K>
static void together(int64_t n, const T *from, S *to, std::index_sequence<K...>)
{
	const size_t need = workspace(n);
	CUDA(kernel(n, from + (int64_t)K * n..., to, room(need), need, stream));
}

/* `moved` bytes a cell, of `bytes` in an array: the copy moves as many. */
static row beside_copy(const char *name, const std::string &size, int64_t n, size_t bytes,
    double moved, double must)
{
	row r = { name, size, moved * (double)n, (double)n, BYTES, COPY, nullptr, "cudaMemcpy",
	    nullptr, nullptr };
	const size_t half = (size_t)(moved / 2 * (double)n);
	r.anchor = [=](int c) { copy(half < bytes ? half : bytes, c); };
	r.must_ratio = must;
	return r;
}

/* Structs in half as many bytes as the largest array has; one of S holds `blocked` of them. */
template <class S>
static int64_t cells_of(size_t big) { return (int64_t)(big * 2 / sizeof(S) / 32 * 32); }

template <auto kernel, auto workspace, class T, class S, int blocked = 1>
static void to_soa(const char *name, const char *size, size_t big, double must)
{
	const int64_t n = cells_of<S>(big);
	const size_t bytes = (size_t)n * sizeof(S);
	row r = beside_copy(name, size, n * blocked, bytes, 2.0 * sizeof(S) / blocked, must);
	r.ours = [=](int c) {
		apart<kernel, workspace>(n * blocked, place<S>(0, bytes, c), place<T>(1, bytes, c),
		    std::make_index_sequence<sizeof(S) / sizeof(T) / blocked>());
	};
	print_row(r);
}
template <auto kernel, auto workspace, class T, class S>
static void to_aos(const char *name, const char *size, size_t big, double must)
{
	const int64_t n = cells_of<S>(big);
	const size_t bytes = (size_t)n * sizeof(S);
	row r = beside_copy(name, size, n, bytes, 2.0 * sizeof(S), must);
	r.ours = [=](int c) {
		together<kernel, workspace>(n, place<T>(0, bytes, c), place<S>(1, bytes, c),
		    std::make_index_sequence<sizeof(S) / sizeof(T)>());
	};
	print_row(r);
}

#define WORDS(R, must) \
	to_soa<apart_##R, apart_##R##_workspace, float, W##R>( \
	    "AoS to SoA", #R " words", big, must); \
	to_aos<together_##R, together_##R##_workspace, float, W##R>( \
	    "SoA to AoS", #R " words", big, must)
#define UNBLOCK(R) \
	to_soa<unblock_##R, unblock_##R##_workspace, float, W##R##_x32, 32>( \
	    "AoSoA(32) to SoA", #R " words", big, 0)

/* A kernel over n structs in pool 0, and what it makes of them in pool 1. */
template <class S, class F>
static void fields(const char *name, const char *size, size_t big, double moved, F ours)
{
	const int64_t n = cells_of<S>(big);
	const size_t bytes = (size_t)n * sizeof(S);
	row r = beside_copy(name, size, n, bytes, moved, 0);
	r.ours = [=](int c) { ours(n, place<S>(0, bytes, c), place<char>(1, bytes, c)); };
	print_row(r);
}

static void some_fields(size_t big)
{
	fields<W3>("scaled structs", "3 words", big, 24, [](int64_t n, W3 *p, char *q) {
		OURS(scaled_3, (n), p, (W3 *)q, 0.5f);
	});
	fields<W9>("scaled structs", "9 words", big, 72, [](int64_t n, W9 *p, char *q) {
		OURS(scaled_9, (n), p, (W9 *)q, 0.5f);
	});
	fields<W3>("length of structs", "3 words", big, 16, [](int64_t n, W3 *p, char *q) {
		OURS(length_3, (n), p, (float *)q);
	});
	fields<W3>("one field += in place", "of 3 words", big, 24, [](int64_t n, W3 *p, char *) {
		OURS(push, (n), p, 0x1p-20f);
	});
	fields<Particle>("x += dt v in place", "6 of 8 words", big, 64,
	    [](int64_t n, Particle *p, char *) { OURS(drift, (n), p, 0x1p-20f); });
	fields<W4>("one field read", "of 4 words", big, 20, [](int64_t n, W4 *p, char *q) {
		OURS(field_4, (n), p, (float *)q);
	});
	fields<W16>("one field read", "of 16 words", big, 36, [](int64_t n, W16 *p, char *q) {
		OURS(field_16, (n), p, (float *)q);
	});
}

/* Columns that become rows. */
static void columns(int64_t n)
{
	const size_t bytes = (size_t)(n * n) * 4;
	row r = beside_copy("columns to rows", std::to_string(n) + "^2 f32", n * n, bytes, 8, 0.85);
	r.ours = [=](int c) {
		OURS(rows_of_columns, (n, n), place<float>(0, bytes, c), place<float>(1, bytes, c));
	};
	print_row(r);
}

/* Rows into tiles, and back. */
template <class T, class F>
static void tiles(const char *name, const std::string &what, int64_t n, F ours)
{
	const size_t bytes = (size_t)(n * n) * sizeof(T);
	row r = beside_copy(name, std::to_string(n) + "^2 " + what, n * n, bytes, 2.0 * sizeof(T),
	    0.85);
	r.ours = [=](int c) { ours(place<T>(0, bytes, c), place<T>(1, bytes, c)); };
	print_row(r);
}

#define TILES(side, type, T) \
	tiles<T>("rows to tiles", #type " in " #side "^2", n, \
	    [n](T *x, T *y) { OURS(into_tiles_##side##_##type, (n, n), x, y); }); \
	tiles<T>("tiles to rows", #type " in " #side "^2", n, \
	    [n](T *x, T *y) { OURS(from_tiles_##side##_##type, (n, n), x, y); })

static void all_tiles(int64_t n)
{
	TILES(8, f32, float);
	TILES(32, f32, float);
	TILES(8, u8, uint8_t);
	TILES(32, u8, uint8_t);
}

void layout_works(size_t big)
{
	fill_pools(FLOATS);
	WORDS(2, 0);
	WORDS(3, 0.85);
	WORDS(4, 0.85);
	WORDS(5, 0.85);
	WORDS(6, 0.85);
	WORDS(7, 0.85);
	WORDS(8, 0.85);
	WORDS(9, 0.85);
	WORDS(12, 0);
	WORDS(16, 0);
	to_soa<planes, planes_workspace, uint8_t, Pixel>("AoS to SoA", "3 u8", big, 0);
	to_aos<pixels, pixels_workspace, uint8_t, Pixel>("SoA to AoS", "3 u8", big, 0);
	UNBLOCK(3);
	UNBLOCK(8);
	fields<W3>("AoS to AoSoA(32)", "3 words", big, 24, [](int64_t n, W3 *p, char *q) {
		OURS(block_3, (n), p, (W3_x32 *)q);
	});
	some_fields(big);
	columns(big >= (size_t)1 << 28 ? 16384 : 8192);
	all_tiles(big >= (size_t)1 << 28 ? 16384 : 8192);
}
