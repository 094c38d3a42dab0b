/* law_impl.h - what law_try.c and law_draw.c share: a trial of laws, and its samples. */
#ifndef LAW_IMPL_H
#define LAW_IMPL_H

#include "eval_impl.h"
#include "law.h"

struct choices { struct num at[64]; int n; };
struct leaf { const struct type *type; int64_t offset; struct num identity; };

struct pool {                            /* values for which the law's conditions hold */
	LIST(struct num *) at;               /* all different; of each, its leaves */
	LIST(struct code *) part;            /* of the conditions: what && joins */
	LIST(const struct expr *) constant;  /* in them */
	struct place *whose[2];              /* the parameters of the conditions */
	struct code *join;                   /* the operator, of the law's first two variables */
	int found, tries;
};

struct trial {
	struct eval ev;                  /* first: what the interpreter gets, watched() gets back */
	struct known *laced;                 /* bodies whose nodes are watched already */
	double ulp;                          /* the largest among the intermediates */
	int64_t soft, spent;
	uint64_t random;
	struct choices *choices[T_STRUCT];
	const struct type *type;
	LIST(struct leaf) leaf;              /* of a value of the type */
	bool has_identity;
	struct num *value[3];                /* the sample: per variable and leaf */
	struct place *place[3];
	struct code *left, *right;
	struct num l, r;
	bool overflow;                       /* a signed integer did, in this sample */
	struct pool pool;
};

/* law_draw.c: draws values of all variables */
void law_draw(struct trial *, const struct law *, int sample);
/* makes the pool; false: too few */
bool law_pool(struct trial *, const struct law *);
bool law_fits(struct trial *, const struct num *value);          /* the conditions hold for it */
const struct choices *law_choices(struct trial *, const struct type *);  /* small numbers first */
bool law_allows(const struct trial *, const struct law *, const struct leaf *, struct num);

/* law_try.c */
void law_bind(const struct trial *, struct place *, const struct num *value);
struct num law_leaf(const struct trial *, const struct leaf *, struct num whole);
struct code *law_code(struct trial *, const struct expr *);      /* it counts what it does */

static inline bool is_float_type(const struct type *t)
{
	return type_class(t) == 'F';
}

#endif
