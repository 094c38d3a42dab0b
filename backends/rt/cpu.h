/* cpu.h - what strict C needs to say for the OpenMP text.  See common.h for the markers.
 * Text of backends/rt that is copied into the output is under 0BSD.
 * SPDX-License-Identifier: 0BSD */

/* helper patc_omp */
#define PATC_OMP(words) _Pragma(#words)

/* each P PARALLEL, DYNAMIC; p parallel, dynamic; s static, dynamic */
/* helper patc_$p: patc_omp */
/* By all cores if there are many turns: to start them takes microseconds. */
#ifdef _OPENMP
#define PATC_$P(many) PATC_OMP(omp parallel for schedule($s) if (many))
#else
#define PATC_$P(many)
#endif

/* end */
/* helper patc_parallel_simd: patc_omp */
/* clang warns about a simd loop that it leaves as it is, and vectorises without being told. */
#if defined(_OPENMP) && !defined(__clang__)
#define PATC_PARALLEL_SIMD(big) PATC_OMP(omp parallel for simd schedule(static) if (parallel: big))
#elif defined(_OPENMP)
#define PATC_PARALLEL_SIMD(big) PATC_OMP(omp parallel for schedule(static) if (big))
#else
#define PATC_PARALLEL_SIMD(big)
#endif

/* helper patc_simd */
#if defined(_OPENMP) && !defined(__clang__)
#define PATC_SIMD _Pragma("omp simd")
#else
#define PATC_SIMD
#endif

/* helper patc_short */
/* Cells of the longest sequences that pay to be sorted side by side, as vectors are wide. */
static inline int64_t patc_short(void)
{
#ifdef __AVX2__
	return 256;
#else
	return 64;
#endif
}

/* helper patc_panel_rows */
/* Rows of a product whose sums stay in registers, two vectors each: all but a few of 32, or of
 * 16. */
static inline int64_t patc_panel_rows(void)
{
#if defined(__AVX512F__) || defined(__aarch64__)
	return 12;
#else
	return 6;
#endif
}

/* helper patc_panel_columns */
/* Cells of so many bytes that two vectors hold. */
static inline int64_t patc_panel_columns(int64_t bytes)
{
#if defined(__AVX512F__)
	return 128 / bytes;
#elif defined(__AVX__)
	return 64 / bytes;
#else
	return 32 / bytes;
#endif
}

/* each t f32, f64; F F, ; f f, */
/* helper patc_add_product_$t */
/* a * b + c, rounded once where that is an instruction. */
static inline $T patc_add_product_$t($T a, $T b, $T c)
{
#ifdef FP_FAST_FMA$F
	return fma$f(a, b, c);
#else
	return a * b + c;
#endif
}

/* end */

/* helper patc_record effect */
/* Of several errors the one with the greatest number stays, whichever comes first. */
static inline void patc_record(int32_t *word, int32_t code)
{
	int32_t now = __atomic_load_n(word, __ATOMIC_RELAXED);
	while (now < code && !__atomic_compare_exchange_n(word, &now, code, 0, __ATOMIC_RELAXED,
	                                                  __ATOMIC_RELAXED))
		continue;
}

/* helper patc_earliest effect */
/* Of several numbers the complement of the least stays: of none the word is 0. */
static inline void patc_earliest(int64_t *first, int64_t number)
{
	int64_t now = __atomic_load_n(first, __ATOMIC_RELAXED);
	while ((uint64_t)now < ~(uint64_t)number
	       && !__atomic_compare_exchange_n(first, &now, ~number, 0, __ATOMIC_RELAXED,
	                                       __ATOMIC_RELAXED))
		continue;
}

/* helper patc_access effect: patc_within patc_record */
/* Is the access inside of the array `from`?  The first that is not is recorded, with the number of
 * its cell, of so many bytes. */
static inline bool patc_access(const void *at, int64_t size, const void *from, int64_t bytes,
                               int64_t cell, int32_t place, int64_t *offence, int32_t *word,
                               int32_t code)
{
	int64_t none = 0;
	if (patc_within(at, size, from, bytes))
		return true;
	if (__atomic_compare_exchange_n(offence, &none, place, 0, __ATOMIC_RELAXED,
	                                __ATOMIC_RELAXED)) {
		offence[1] = (int64_t)((uintptr_t)at - (uintptr_t)from) / cell;
		patc_record(word, code);
	}
	return false;
}

/* helper patc_contract own */
/* gcc forgets about products and sums for the file, clang for each product. */
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC optimize("fp-contract=off")
#endif

/* each t f32, f64 */
/* helper patc_times_$t: patc_contract */
/* a * b, which no compiler makes one operation with a sum. */
static inline $T patc_times_$t($T a, $T b)
{
#ifdef __clang__
#pragma clang fp contract(off)
#endif
	return a * b;
}

/* end */

/* helper patc_vector */
/* In its vectors gcc calls the vector functions of the GNU C library, clang if it is told
 * -fveclib=libmvec.  Those of PATC_VECTOR_MORE came with version 2.35. */
#if defined(__GLIBC__) && defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__)
#define PATC_VECTOR __attribute__((__simd__("notinbranch"), __const__))
#if __GLIBC__ > 2 || __GLIBC_MINOR__ >= 35
#define PATC_VECTOR_MORE PATC_VECTOR
#endif
#endif

/* each t f32, f64; f f, */
/* each g exp, log, sin, cos, exp2, log2, log10, tan, tanh; M , , , , _MORE, _MORE, _MORE, _MORE, _MORE */
/* helper patc_approx_$g_$t: patc_vector */
#ifndef PATC_VECTOR$M
static inline $T patc_approx_$g_$t($T x)
{
	return $g$f(x);
}
#else
PATC_VECTOR$M $T patc_approx_$g_$t($T x) __asm__("$g$f");
#endif

/* end */
/* helper patc_approx_pow_$t: patc_vector */
#ifndef PATC_VECTOR
static inline $T patc_approx_pow_$t($T x, $T y)
{
	return pow$f(x, y);
}
#else
PATC_VECTOR $T patc_approx_pow_$t($T x, $T y) __asm__("pow$f");
#endif

/* helper patc_sqrt_$t */
/* Without errno, which nobody reads here, it is an instruction of vectors. */
#ifdef __GNUC__
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wredundant-decls"
extern __attribute__((__const__)) $T sqrt$f($T x);
#pragma GCC diagnostic pop
#endif
static inline $T patc_sqrt_$t($T x)
{
	return sqrt$f(x);
}

/* end */

/* helper patc_threads */
/* How many threads a loop has. */
#ifdef _OPENMP
extern int omp_get_max_threads(void);
#endif
static inline int64_t patc_threads(void)
{
#ifdef _OPENMP
	return omp_get_max_threads();
#else
	return 1;
#endif
}

/* helper patc_rows_of_chunk: patc_threads patc_min_i64 patc_max_i64 */
/* Rows of a chunk: four units a thread, of strips times chunks, if a chunk then has so many rows at
 * least. */
static inline int64_t patc_rows_of_chunk(int64_t rows, int64_t strips, int64_t least)
{
	const int64_t chunks = (4 * patc_threads() + strips - 1) / patc_max_i64(strips, 1);
	const int64_t even = (rows + chunks - 1) / chunks;
	return patc_max_i64(patc_min_i64(patc_max_i64(even, least), rows), 1);
}

/* helper patc_visit_pays */
/* Bytes of arrays that the caches of the cores hold together: a loop over them gains nothing by
 * visits of several passes.  0: it takes them whatever its arrays are. */
#ifndef PATC_CACHE
#define PATC_CACHE (INT64_C(32) << 20)
#endif
/* Of arrays that have so many bytes a cell.  Short rows take longer to begin than to compute. */
static inline bool patc_visit_pays(int64_t rows, int64_t columns, int64_t bytes)
{
	return PATC_CACHE == 0 || (64 <= columns && PATC_CACHE / bytes / columns <= rows);
}

/* helper patc_owner */
/* The one of so many threads that a cell belongs to, with its neighbours of a cache line or two. */
static inline int64_t patc_owner(int64_t cell, int64_t parts)
{
	const uint32_t line = (uint32_t)(cell >> 5) * 2654435769u;
	return (int64_t)((uint64_t)(line >> 16) * (uint64_t)parts >> 16);
}
