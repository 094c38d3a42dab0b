/* gpu_divide.h - quotients by a divisor that does not change, without dividing: the bits are those
 * of a division.  src/kir/reciprocal.c says why; src/pass/pass_divide.c writes the numbers.  See
 * common.h for the markers.  Text of backends/rt that is copied into the output is under 0BSD.
 * SPDX-License-Identifier: 0BSD */

/* each t f32, f64; f f, ; o 1.0f, 1.0; w 0x1p100f, 0x1p900; m 0x1.fffffep127f, 0x1.fffffffffffffp1023; h 0x1p126f, 0x1p1022; l 0x1p-100f, 0x1p-960; b 0x1p-125f, 0x1p-1021; I INFINITY, (double)INFINITY; u 0x1p90f, 0x1p576; v 0x1p-90f, 0x1p-576; x 0x1p-60f, 0x1p-499; y 0x1p-89f, 0x1p-575 */
/* helper patc_over_$t */
/* a / d, where near + rest is 1 / d: the product is rounded once. */
PATC_FN $T patc_over_$t($T a, $T near, $T rest)
{
	return fma$f(a, near, a * rest);
}

/* helper patc_small_quotient_$t: patc_over_$t */
/* The same, where the products would lose bits, or a is 0: of a times a power of two.  If dividing
 * by that again rounds to the even neighbour of a tie, the remainder tells whether it is one. */
PATC_FN $T
patc_small_quotient_$t($T a, $T d, $T near, $T rest)
{
	const $T larger = a * $u, quotient = patc_over_$t(larger, near, rest);
	const $T remainder = fma$f(-quotient, d, larger);
	const $T rounded = quotient * $v, lost = quotient - rounded * $u;
	const bool beyond = (lost > 0) == ((remainder > 0) == (d > 0));
	const bool wrong = fabs$f(lost) == $x && remainder != 0 && beyond;
	return wrong ? rounded + lost * $y : rounded;
}

/* helper patc_quotient_$t: patc_over_$t patc_small_quotient_$t */
/* The same, of any a. */
PATC_FN $T
patc_quotient_$t($T a, $T d, $T near, $T rest, $T least)
{
	$T quotient = patc_over_$t(a, near, rest);
	if (fabs$f(a) < least)
		quotient = patc_small_quotient_$t(a, d, near, rest);
	return quotient;
}

/* helper patc_quotients_$t effect: patc_over_$t patc_small_quotient_$t */
/* The same of neighbours: one branch for all of them. */
template <int N>
static __device__ __forceinline__ void
patc_quotients_$t($T (&a)[N], $T d, $T near, $T rest, $T least)
{
	$T quotient[N];
	bool small = false;
	#pragma unroll
	for (int i = 0; i < N; i++) {
		quotient[i] = patc_over_$t(a[i], near, rest);
		small |= fabs$f(a[i]) < least;
	}
	if (small) {
		#pragma unroll
		for (int i = 0; i < N; i++)
			if (fabs$f(a[i]) < least)
				quotient[i] = patc_small_quotient_$t(a[i], d, near, rest);
	}
	#pragma unroll
	for (int i = 0; i < N; i++)
		a[i] = quotient[i];
}

/* helper patc_nearly_$t */
/* a / d, where near is 1 / d: what the quotient leaves of a corrects it. */
PATC_FN $T patc_nearly_$t($T a, $T d, $T near)
{
	const $T quotient = a * near;
	return fma$f(fma$f(-quotient, d, a), near, quotient);
}

/* helper patc_outside_$t */
/* a / d, where the correction may not be exact.  A zero, which is most of some arrays, is quick. */
PATC_FN $T
patc_outside_$t($T a, $T d, $T near, $T least, $T most)
{
	return a == 0 && least <= most ? a * near : a / d;
}

/* helper patc_corrected_$t: patc_nearly_$t patc_outside_$t */
/* The same, of any a: the correction is exact from `least` to `most`. */
PATC_FN $T
patc_corrected_$t($T a, $T d, $T near, $T least, $T most)
{
	$T quotient = patc_nearly_$t(a, d, near);
	if (!(fabs$f(a) >= least && fabs$f(a) <= most))
		quotient = patc_outside_$t(a, d, near, least, most);
	return quotient;
}

/* helper patc_all_corrected_$t effect: patc_nearly_$t patc_outside_$t */
/* The same of neighbours: one branch for all of them. */
template <int N>
static __device__ __forceinline__ void
patc_all_corrected_$t($T (&a)[N], $T d, $T near, $T least, $T most)
{
	$T quotient[N];
	bool inside = true;
	#pragma unroll
	for (int i = 0; i < N; i++) {
		quotient[i] = patc_nearly_$t(a[i], d, near);
		inside &= fabs$f(a[i]) >= least && fabs$f(a[i]) <= most;
	}
	if (!inside) {
		#pragma unroll
		for (int i = 0; i < N; i++)
			quotient[i] = patc_outside_$t(a[i], d, near, least, most);
	}
	#pragma unroll
	for (int i = 0; i < N; i++)
		a[i] = quotient[i];
}

/* helper patc_least_$t */
/* From which a on patc_nearly is right; infinity: of this d it never is. */
PATC_FN $T patc_least_$t($T d)
{
	const $T size = fabs$f(d);
	return size >= $o / $w && size <= $w ? fmax$f($l, size * $b) : $I;
}

/* helper patc_most_$t */
/* Up to which a it is. */
PATC_FN $T patc_most_$t($T d)
{
	return fmin$f($m, fabs$f(d) * $h);
}

/* end */
