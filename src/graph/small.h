/* small.h - the numbers of the float types: limits of all of them, and the words of the small ones,
 * f8e4m3, f8e5m2, f16 and bf16. */
#ifndef SMALL_H
#define SMALL_H

#include "graph.h"

struct float_limits {
	int digits, min_exp, max_exp;  /* as in <float.h>: FLT_MANT_DIG, FLT_MIN_EXP, FLT_MAX_EXP */
	double epsilon, most, least_normal, least;
	bool no_infinity;              /* and one NaN of each sign */
	bool saturates;                /* a conversion gives `most` for what is larger */
};
const struct float_limits *float_limits(const struct type *);

bool is_small(const struct type *);               /* of 8 or 16 bits: a word that no machine adds */
/* The nearest value of the type, ties to even; an infinity stays one where the type has it. */
double float_round(const struct type *, double);
double float_convert(const struct type *, double);       /* likewise, by a cast: may saturate */
bool float_holds(const struct type *, double);           /* is it larger than any of the type? No */
double float_of_int(const struct type *, bool is_unsigned, int64_t);     /* rounded once */
uint64_t float_nans(const struct type *);                /* words of NaN of one sign */
uint16_t small_bits(const struct type *, double);        /* the word of what float_round gives */
double small_value(const struct type *, uint16_t word);
double digits_odd(const char *digits);            /* a double that rounds on as the number itself */

#endif
