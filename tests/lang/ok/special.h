/* special.h - what extern.pat brings: one text for C11, C++17, CUDA and HIP.  The types of its
 * structs come from the header that patc writes, which the output includes before this one. */
#ifndef SPECIAL_H
#define SPECIAL_H

static inline PATC_DEVICE float softstep(float x, float width)
{
	return x <= -width ? 0.0f : x >= width ? 1.0f : 0.5f + 0.5f * x / width;
}

static inline PATC_DEVICE double area(double x)
{
	return x * x;
}

#define square_of(x) ((x) * (x))

static inline PATC_DEVICE int64_t half_of(int64_t n)
{
	return n / 2;
}

static inline PATC_DEVICE uint8_t darker(uint8_t level, int8_t by)
{
	return (uint8_t)(level > by ? level - by : 0);
}

static inline PATC_DEVICE bool is_prime(uint32_t n)
{
	for (uint32_t k = 2; k < 50 && k * k <= n; k++)
		if (n % k == 0)
			return false;
	return n > 1;
}

static inline PATC_DEVICE int32_t seven(void)
{
	return 7;
}

#endif
