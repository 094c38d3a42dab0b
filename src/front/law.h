/* law.h - a law that an operator claims: laws.c says which, law_try.c whether it holds. */
#ifndef LAW_H
#define LAW_H

#include "front.h"

struct law {                             /* left == right for all values of var[0 .. vars) */
	int vars;
	struct var *var[3];                  /* all three are there, of one type */
	struct expr *left, *right;
	const struct fn *given[2];           /* where these are true of each variable; or NULL */
	const struct op *op;                 /* with given: it makes more such values of two */
	bool kept;                           /* `right` is true instead: a condition, of `left` */
	const struct expr *identity;         /* the operator's own, or NULL: sampled often */
	bool ring;                           /* no infinities but those in inf */
	bool inf[2];                         /* +inf, -inf */
};
/* OPEN: no sample can tell; FEW: too few values are found for which `given` is true */
enum verdict { LAW_HOLDS, LAW_FALSE, LAW_OPEN, LAW_SLOW, LAW_FEW };

#define LAW_ENOUGH 16                    /* values that a condition must leave, counted as drawn */

struct trial;
struct trial *trial_new(int laws);       /* how many it will be given: they share its time */
enum verdict law_try(struct trial *, const struct law *);
const char *law_text(struct trial *, const struct expr *);      /* with the values of the sample */
char *law_counterexample(struct trial *, const struct law *);    /* after LAW_FALSE */
char *law_found(const struct trial *);                           /* after LAW_FEW: "3 of 4096" */

#endif
