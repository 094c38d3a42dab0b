/* host.h - checks of the host functions, for C and C++.  See common.h for the markers.
 *
 * Sizes.  Everything the host computes from sizes has to stay in int64: a first pass with these
 * saturating helpers bounds every extent, every product and thereby every later sum by PATC_LIMIT
 * (2^62), so that the text behind it may use plain arithmetic.  Zero counts as one: a stride of
 * an empty array must fit too.
 *
 * Text of backends/rt that is copied into the output is under 0BSD.
 * SPDX-License-Identifier: 0BSD */

/* helper patc_limit */
/* More bytes or cells than this are refused as too large. */
#define PATC_LIMIT (INT64_C(1) << 62)

/* helper patc_largest */
/* A size above this is refused: no machine has as many cells, and indices rely on it. */
#define PATC_LARGEST (INT64_C(1) << 48)

/* helper patc_product: patc_limit */
/* a * b, each counted as one at least; anything above PATC_LIMIT is PATC_LIMIT + 1. */
PATC_HOST int64_t patc_product(int64_t a, int64_t b)
{
	a = a > 1 ? a : 1;
	b = b > 1 ? b : 1;
	return b > PATC_LIMIT / a ? PATC_LIMIT + 1 : a * b;
}

/* helper patc_sum: patc_limit */
/* a + b of numbers that are not negative; anything above PATC_LIMIT is PATC_LIMIT + 1. */
PATC_HOST int64_t patc_sum(int64_t a, int64_t b)
{
	return a > PATC_LIMIT || b > PATC_LIMIT - a ? PATC_LIMIT + 1 : a + b;
}

/* helper patc_pitched */
/* Elements from the first cell to the last, of rows that start ld apart. */
PATC_HOST int64_t patc_pitched(int64_t rows, int64_t row, int64_t ld)
{
	return rows > 0 && row > 0 ? (rows - 1) * ld + row : 0;
}

/* helper patc_blocks */
/* Blocks of so many cells, the last one whole. */
PATC_HOST int64_t patc_blocks(int64_t cells, int64_t block)
{
	return (cells + block - 1) / block;
}

/* helper patc_gcd */
/* The greatest common divisor of two numbers that are not negative; of two zeros 1. */
PATC_HOST int64_t patc_gcd(int64_t a, int64_t b)
{
	while (b != 0) {
		const int64_t rest = a % b;
		a = b;
		b = rest;
	}
	return a > 0 ? a : 1;
}

/* helper patc_inverse */
/* x < m, such that a * x % m is 1 % m; a and m > 0 have no common divisor. */
PATC_HOST int64_t patc_inverse(int64_t a, int64_t m)
{
	int64_t rest = m, next = a % m, x = 0, y = 1;
	while (next != 0) {
		const int64_t times = rest / next, after = rest % next, z = x - times * y;
		rest = next;
		next = after;
		x = y;
		y = z;
	}
	return (x % m + m) % m;
}

/* helper patc_used */
/* The bytes of the workspace that a call writes; none of one that is refused. */
PATC_HOST int64_t patc_used(const void *workspace, size_t bytes, size_t needed)
{
	return workspace == NULL || bytes < needed ? 0 : (int64_t)needed;
}

/* helper patc_arrays_status */
/* An array or a scalar result of the caller. */
struct patc_array { const void *at; int64_t bytes, align; bool written; };

/* What is written overlaps nothing; arrays without cells may be anywhere. */
PATC_HOST int patc_arrays_status(const struct patc_array *a, int n)
{
	for (int i = 0; i < n; i++)
		if (a[i].at == NULL && a[i].bytes > 0)
			return PATC_NULL;
	for (int i = 0; i < n; i++)
		if (a[i].bytes > 0 && (uintptr_t)a[i].at % (uintptr_t)a[i].align != 0)
			return PATC_ALIGN;
	for (int i = 0; i < n; i++)
		for (int j = 0; j < n; j++)      /* does j begin in i? */
			if (i != j && (a[i].written || a[j].written) && a[j].bytes > 0
			    && (uintptr_t)a[j].at - (uintptr_t)a[i].at < (uintptr_t)a[i].bytes)
				return PATC_OVERLAP;
	return PATC_OK;
}

/* helper patc_workspace_status */
PATC_HOST int patc_workspace_status(const void *workspace, size_t bytes, size_t needed)
{
	const bool bad = workspace == NULL || bytes < needed || (uintptr_t)workspace % 8 != 0;
	return bad ? PATC_WORKSPACE : PATC_OK;
}

/* helper patc_total: patc_sum */
/* The bytes of a workspace: the status word, the way to a multiple of 256, the pieces. */
PATC_HOST size_t patc_total(const int64_t *pieces, int n)
{
	int64_t bytes = 8 + 255;
	for (int i = 0; i < n; i++)
		bytes = patc_sum(bytes, patc_sum(pieces[i], 255) / 256 * 256);
	return bytes > PATC_LIMIT ? SIZE_MAX : (size_t)bytes;
}

/* helper patc_take */
/* The next piece of the workspace; each starts at a multiple of 256. */
PATC_HOST void *patc_take(char **place, int64_t bytes)
{
	char *const piece = *place;
	*place += (bytes + 255) / 256 * 256;
	return piece;
}

/* helper patc_first */
/* Where the pieces start: behind the status word, at a multiple of 256. */
PATC_HOST char *patc_first(void *workspace)
{
	char *const behind = (char *)workspace + 8;
	return behind + (256 - (uintptr_t)behind % 256) % 256;
}

/* helper patc_aligned */
/* Whether vectors of that many bytes may be read and written from this address on. */
PATC_FN bool patc_aligned(const void *at, int64_t bytes)
{
	return (uintptr_t)at % (uintptr_t)bytes == 0;
}

/* helper patc_head */
/* Cells of so many bytes before the first multiple of a vector's. */
PATC_FN int64_t patc_head(const void *at, int64_t cell, int64_t vector)
{
	const int64_t over = (int64_t)((uintptr_t)at % (uintptr_t)vector);
	return over == 0 ? 0 : (vector - over) / cell;
}
