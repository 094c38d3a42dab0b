/* What the emulator's cuda_fp16.h, cuda_bf16.h and hip_fp16.h have in common: by arithmetic on
 * numbers, where patc's own text for machines without these headers works on bits. */
#ifndef SIMT_HALF_H
#define SIMT_HALF_H

#include <math.h>

namespace simt {

/* A word of 16 bits with so many digits whose least normal number is 2^(least - 1). */
template <int digits, int least>
struct half {
	static constexpr int one = 1 << (digits - 1), inf = 0x8000 - one;
	unsigned short x;

	double value() const
	{
		const int exponent = x % 0x8000 / one, fraction = x % one;
		const double size = x % 0x8000 >= inf ? (fraction ? NAN : INFINITY)
			: exponent == 0 ? ldexp(fraction, least - digits)
			: ldexp(one + fraction, exponent - 1 + least - digits);
		return x & 0x8000 ? -size : size;
	}

	static half nearest(double f)
	{
		const unsigned short sign = signbit(f) ? 0x8000 : 0;
		int exponent;
		frexp(f, &exponent);
		if (isnan(f))
			return {0x7fff};
		if (isinf(f))
			return {(unsigned short)(sign | inf)};
		exponent = f == 0 || exponent < least ? least : exponent;
		const double places = rint(ldexp(fabs(f), digits - exponent));
		/* a carry moves the exponent */
		const double word = places + (double)(exponent - least) * one;
		return {(unsigned short)(sign | (word < inf ? (int)word : inf))};
	}
};

}

#endif
