/* half.h - the numbers of the float types: limits of all four, and the 16-bit words of f16 and
 * bf16. */
#ifndef HALF_H
#define HALF_H

#include "graph.h"

struct float_limits {
	int digits, min_exp, max_exp;  /* as in <float.h>: FLT_MANT_DIG, FLT_MIN_EXP, FLT_MAX_EXP */
	double epsilon, most, least_normal, least;
};
const struct float_limits *float_limits(const struct type *);

bool is_half(const struct type *);                    /* f16 or bf16: a word that no machine adds */
double float_round(const struct type *, double);   /* the nearest value of the type, ties to even */
double float_of_int(const struct type *, bool is_unsigned, int64_t);     /* rounded once */
uint16_t half_bits(const struct type *, double);         /* the word of the nearest f16 or bf16 */
double half_value(const struct type *, uint16_t word);
double digits_odd(const char *digits);            /* a double that rounds on as the number itself */

#endif
