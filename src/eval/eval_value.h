/* eval_value.h - the interpreter's numbers: shared by the eval_*.c only. */
#ifndef EVAL_VALUE_H
#define EVAL_VALUE_H

#include "eval.h"

/* A value with its bound on what another legal evaluation may give instead; see eval_value.c.
 * i: integers (u64 as its bits), bool as 0 or 1, structs and small arrays as their address. */
struct num { int64_t i; double f, e; };

struct num num_int(int64_t);
struct num num_load(const struct type *, const void *);       /* its e is 0 */
void num_store(const struct type *, void *, struct num);
struct num num_unary(enum operation, const struct type *, struct num);
struct num num_binary(enum operation, const struct type *of_arguments, struct num, struct num);
struct num num_shift(enum operation, const struct type *of_left, struct num, int64_t count);
struct num num_cast(const struct type *to, const struct type *from, struct num);
struct num num_math(enum math, const struct type *of_arguments, int n, const struct num *);

/* eval_approx.c: the same, with the bound that `approx` allows */
struct num num_approx(enum math, const struct type *, int n, const struct num *);
struct num num_divide(const struct type *, struct num, struct num);

/* a built-in one */
struct num num_fold(const struct op *, const struct type *, struct num, struct num);

/* A fold under way: what the error of any other order can be known from at its end. */
struct total {
	struct num value;
	bool started, strict;
	int64_t terms;
	long double exact;
	double size, up, down;            /* a user's operator: size is the largest ulp of a term */
	bool wild;                           /* and some term had an infinity or NaN */
	double halves;                       /* total_halves; 0: no term is such a product */
	double rounds;                       /* of that: what rounding the factors takes away */
	/* of two floats of 8 bits: the largest term or sum of a slice; the sum so far, and its
	 * range in the last two stretches of COARSE_TERMS */
	double coarse, so_far, low[2], high[2];
	/* it does arithmetic; which may overflow in another order, as products of factors may */
	bool computes, huge;
};
void total_add(struct total *, const struct op *, const struct type *, struct num term);
/* factors of the term of a sum may be multiplied in any order, some with a partial sum */
void total_factors(struct total *, const struct type *, const struct num *factor, int n);
/* The term of a sum is a product of two f16 or bf16, which a matrix unit may add: it aligns those
 * of a slice to the largest, a subnormal number's as if it were normal, and leaves out what is
 * 2^-23 of that.  Of two floats of 8 bits it is 2^-13, and the sum of a slice is aligned too (man 7
 * patc-patterns, matmul). */
void total_halves(struct total *, const struct type *const *, const struct num *factor);
/* The same of two f32, which a unit may round first: by `precision`, which is not PRECISION_OWN. */
void total_rounded(struct total *, enum precision, const struct num *factor);
/* a user's operator has a term */
void total_user(struct total *, const struct type *, struct num term);
struct num total_end(const struct total *, const struct op *, const struct type *);

#endif
