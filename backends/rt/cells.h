/* cells.h - what check.h and bench.h share: the parameters of a kernel as a driver describes them,
 * where a cell of an array lies in memory, and what number it is.  C11 and C++17.
 *
 * A data file holds every array densely, row-major, in whole structs; in memory it is laid out as
 * the parameter says, in one image for each pointer that C takes.
 *
 * The driver defines CHECK_CUDA or CHECK_HIP when its code runs on a device. */
#ifndef CELLS_H
#define CELLS_H

#include <inttypes.h>
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#if defined CHECK_CUDA
#include <cuda_runtime.h>
#define CHECK_GPU(name) cuda##name
#define CHECK_DEVICE struct cudaDeviceProp
#elif defined CHECK_HIP
#include <hip/hip_runtime.h>
#define CHECK_GPU(name) hip##name
#define CHECK_DEVICE hipDeviceProp_t
#endif

enum { CHECK_SIZES = 64, CHECK_PARAMS = 64, CHECK_RANK = 8 };
enum { CHECK_PIECES = 16 };                      /* pointers of one parameter */

/* A number within a cell: at `offset` of the struct in FOO.dat; in memory at `inner` of element
 * `elem` of a value of piece `piece` (a struct is one value unless its fields lie apart). */
struct patc_check_leaf {
	const char *name;
	char kind;                               /* B I U F, H f16, T bf16, 4 f8e4m3, 5 f8e5m2 */
	int bytes, offset, piece, elem, inner;
};
/* A pointer: values, `elems` of them a cell; field: where they start in a block of aosoa. */
struct patc_check_piece { int64_t bytes, elems, field; };
struct patc_check_param {
	const char *name;
	bool by_value, written, col, pitched;
	int rank;
	int64_t bytes;                           /* of an element */
	int64_t tile[2];                         /* tiled: rows and columns of a tile; 0: none */
	int32_t curve;                           /* 1: Morton's, 2: Hilbert's; 0: none */
	int64_t block, block_bytes;              /* aosoa: cells of a block; 0: none */
	int pieces;                              /* of aosoa: those of one pointer */
	const struct patc_check_piece *piece;
	int leaves;
	const struct patc_check_leaf *leaf;
};
struct patc_check_kernel {
	const char *name;
	int sizes, params;
	const char *const *size_name;
	const struct patc_check_param *param;
	/* sizes; pointers, those of one parameter together */
	int (*host)(const int64_t *, void *const *);
	int (*run)(const int64_t *, void *const *, void *, size_t, void *);
	size_t (*workspace)(const int64_t *);
	int (*status)(void *, void *);
};

/* guard, shift, memory of one pointer, guard */
struct patc_check_image {
	unsigned char *at, *before;              /* now; before the call */
	bool *owned;                             /* by a cell */
	int64_t bytes, start;
};
struct patc_check_array {
	int64_t cells, extent[CHECK_RANK], ld;
	unsigned char *initial, *expected;       /* cells elements each */
	float *error;                            /* per cell, or NULL: exact */
	/* so many first cells are those of one order, in any; 0: none */
	int64_t moved;
	/* ... within a group of one number (0: in none); NULL: all are one */
	int32_t order, *group;
	struct patc_check_image image[CHECK_PIECES];
};
static void patc_check_die(const char *what)
{
	fprintf(stderr, "check: %s\n", what);
	exit(2);
}

static void *patc_check_room(int64_t bytes)
{
	void *p = calloc((size_t)(bytes > 0 ? bytes : 1), 1);
	if (!p)
		patc_check_die("out of memory");
	return p;
}

static void patc_check_read(FILE *f, void *to, int64_t bytes)
{
	if (bytes > 0 && fread(to, 1, (size_t)bytes, f) != (size_t)bytes)
		patc_check_die("the data file ends early: it belongs to another driver");
}

static int32_t patc_check_i32(FILE *f)
{
	int32_t x = 0;
	patc_check_read(f, &x, sizeof x);
	return x;
}

/* ---- where a cell lies ---- */

static int64_t patc_check_row(const struct patc_check_param *p, const struct patc_check_array *a)
{
	return p->rank ? a->extent[p->col ? 0 : p->rank - 1] : 1;
}

static int64_t patc_check_tiles(const struct patc_check_param *p, const struct patc_check_array *a,
                                int along)
{
	return (a->extent[p->rank - 2 + along] + p->tile[along] - 1) / p->tile[along];
}

/* Cells from the first to the last, with what lies between rows. */
static int64_t patc_check_span(const struct patc_check_param *p, const struct patc_check_array *a,
                               int64_t elems)
{
	int64_t row = patc_check_row(p, a);
	if (a->cells == 0)
		return 0;
	if (p->tile[0])
		return a->cells / (row * a->extent[p->rank - 2]) * patc_check_tiles(p, a, 0)
		       * patc_check_tiles(p, a, 1) * p->tile[0] * p->tile[1];
	return p->pitched ? (elems * a->cells / row - 1) * a->ld + row : elems * a->cells;
}

static int64_t patc_check_in_tiles(const struct patc_check_param *p,
                                   const struct patc_check_array *a, const int64_t *at,
                                   int64_t plane)
{
	int64_t i = at[p->rank - 2], j = at[p->rank - 1];
	int64_t nth = (plane * patc_check_tiles(p, a, 0) + i / p->tile[0])
	              * patc_check_tiles(p, a, 1) + j / p->tile[1];
	return (nth * p->tile[0] + i % p->tile[0]) * p->tile[1] + j % p->tile[1];
}

/* Skilling's AxestoTranspose: subscripts whose bits, taken by turns, number Hilbert's curve. */
static void patc_check_hilbert(int64_t *x, int n, int64_t side)
{
	int64_t t = 0;
	for (int64_t q = side / 2; q > 1; q /= 2)
		for (int a = 0; a < n; a++) {
			int64_t change = x[a] & q ? 0 : (x[0] ^ x[a]) & (q - 1);
			x[0] ^= x[a] & q ? q - 1 : change;
			x[a] ^= change;
		}
	for (int a = 1; a < n; a++)
		x[a] ^= x[a - 1];
	for (int64_t q = side / 2; q > 1; q /= 2)
		t ^= x[n - 1] & q ? q - 1 : 0;
	for (int a = 0; a < n; a++)
		x[a] ^= t;
}

/* A call with sides that no curve has is refused, wherever its cells lie. */
static bool patc_check_curved(const struct patc_check_param *p, const struct patc_check_array *a)
{
	bool fits = p->curve;
	for (int k = 0; fits && k < p->rank; k++)
		fits = a->extent[k] == a->extent[0] && !(a->extent[k] & (a->extent[k] - 1));
	return fits;
}

static int64_t patc_check_along_curve(const struct patc_check_param *p,
                                      const struct patc_check_array *a, int64_t *at)
{
	int64_t n = 0;
	if (p->curve == 2)
		patc_check_hilbert(at, p->rank, a->extent[0]);
	for (int64_t bit = a->extent[0] / 2; bit > 0; bit /= 2)
		for (int k = 0; k < p->rank; k++)
			n = 2 * n + (at[k] & bit ? 1 : 0);
	return n;
}

/* Number of a cell in memory, from its row-major number. */
static int64_t patc_check_number(const struct patc_check_param *p, const struct patc_check_array *a,
                                 int64_t cell)
{
	int64_t at[CHECK_RANK], n = 0, row = patc_check_row(p, a);
	for (int k = p->rank - 1; k >= 0; k--) {
		at[k] = cell % a->extent[k];
		cell /= a->extent[k];
	}
	if (patc_check_curved(p, a))
		return patc_check_along_curve(p, a, at);
	for (int k = 0; k < p->rank; k++) {
		int axis = p->col ? p->rank - 1 - k : k;
		n = n * a->extent[axis] + at[axis];
	}
	if (p->tile[0])
		return patc_check_in_tiles(p, a, at, n / row / a->extent[p->rank - 2]);
	return p->pitched ? n / row * a->ld + n % row : n;
}

/* Byte of an image where the value begins that holds this leaf of a cell. */
static int64_t patc_check_value(const struct patc_check_param *p, const struct patc_check_array *a,
                           const struct patc_check_leaf *l, int64_t cell)
{
	const struct patc_check_piece *piece = &p->piece[l->piece];
	int64_t n = patc_check_number(p, a, cell),
	        pitch = p->pitched ? a->ld : patc_check_row(p, a);
	if (p->block)
		return a->image[0].start + n / p->block * p->block_bytes + piece->field
		       + (l->elem * p->block + n % p->block) * piece->bytes;
	/* of one element of all cells */
	int64_t all = a->cells ? a->cells / patc_check_row(p, a) * pitch : 0;
	return a->image[l->piece].start + (l->elem * all + n) * piece->bytes;
}

static struct patc_check_image *patc_check_image_of(const struct patc_check_param *p,
                                                    struct patc_check_array *a,
                                                    const struct patc_check_leaf *l)
{
	return &a->image[p->block ? 0 : l->piece];
}

/* Pointers that C takes. */
static int patc_check_pointers_of(const struct patc_check_param *p)
{
	return p->block ? 1 : p->pieces;
}

/* Bytes of an image without guards. */
static int64_t patc_check_image_bytes(const struct patc_check_param *p,
                                      const struct patc_check_array *a, int i)
{
	if (p->block)
		return (patc_check_span(p, a, 1) + p->block - 1) / p->block * p->block_bytes;
	return patc_check_span(p, a, p->piece[i].elems) * p->piece[i].bytes;
}

/* ---- numbers ---- */

/* A word of a small float: `one` is the lowest bit of its exponent, 2^`low` its least value, `inf`
 * the word of infinity, or of the first NaN where there is none. */
static double patc_check_small(unsigned word, unsigned sign, unsigned one, int low, unsigned inf)
{
	const unsigned exponent = word % sign / one, fraction = word % one;
	double f = exponent ? ldexp((double)(one + fraction), (int)exponent - 1 + low)
	                    : ldexp((double)fraction, low);
	if (word % sign >= inf)
		f = fraction ? (double)NAN : (double)INFINITY;
	return word & sign ? -f : f;
}

static double patc_check_float(const unsigned char *p, const struct patc_check_leaf *l)
{
	uint16_t word = 0;
	float f = 0;
	double d = 0;
	switch (l->bytes) {
	case 1:
		return l->kind == '4' ? patc_check_small(*p, 0x80, 1u << 3, -9, 0x7f)
		                      : patc_check_small(*p, 0x80, 1u << 2, -16, 0x7c);
	case 2:
		memcpy(&word, p, 2);
		return l->kind == 'H' ? patc_check_small(word, 0x8000, 1u << 10, -24, 0x7c00)
		                      : patc_check_small(word, 0x8000, 1u << 7, -133, 0x7f80);
	case 4:
		memcpy(&f, p, 4);
		return (double)f;
	default:
		memcpy(&d, p, 8);
		return d;
	}
}

static bool patc_check_is_float(const struct patc_check_leaf *l)
{
	return strchr("FHT45", l->kind) != NULL;
}

static int64_t patc_check_int(const unsigned char *p, const struct patc_check_leaf *l)
{
	uint64_t x = 0;
	for (int i = l->bytes - 1; i >= 0; i--)          /* little-endian, as every target is */
		x = x << 8 | p[i];
	if (l->kind == 'I' && l->bytes < 8 && x >> (8 * l->bytes - 1))
		x |= ~(uint64_t)0 << (8 * l->bytes);
	return (int64_t)x;
}

#endif
