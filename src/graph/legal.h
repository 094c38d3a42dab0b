/* legal.h - shared by legal.c (bounds, and their report), legal_cure.c (what would fit),
 * legal_place.c (in place), legal_walk.c (every access with what holds there), legal_set.c and
 * legal_expr.c (isl sets). */
#ifndef LEGAL_H
#define LEGAL_H

#include "graph.h"

#include <isl/aff.h>
#include <isl/ctx.h>
#include <isl/set.h>

/* What holds where an expression is evaluated: a chain of facts, innermost first. */
struct scope {
	const struct scope *up;
	struct var *index;                   /* index in lo + shift .. hi + shift, or ... */
	const struct expr *lo, *hi;          /* NULL: not known */
	int64_t shift;
	struct affine low, high;             /* the same with the shift, if is_affine */
	bool is_affine;
	bool part;                           /* the index takes some of lo .. hi, data say which */
	int64_t reach;                       /* |index| at most; see Note [values that fit] */
	const struct expr *guard;            /* ... a condition that has the value holds, or ... */
	bool holds;
	const struct var *inside;          /* ... whether this array has a cell at index + offset */
	int axis; int64_t offset;            /* along axis; holds: it has */
};

struct walk {                            /* over one statement */
	struct node *node;
	void (*visit)(struct walk *, struct expr *, const struct scope *);   /* every expression */
	void *data;                          /* the visitor's */
	bool writing;                        /* visiting what a target writes */
	bool failed;                         /* the visitor has reported an error */
	bool outside; /* visiting a value beyond the edge: no boundary applies */
	const struct scope *domain;          /* every index of the node and its where, once known */
	const struct expr *whole;            /* the E_READ of which only this field is used */
	const struct field *field;
	struct walk *behind; /* legal_walk.c: whose values beyond the edge to visit */
};

/* ---- legal_walk.c ---- */

const struct scope *scope_premises(const struct node *);    /* what was tested before it runs */
void walk_node(struct walk *);           /* bounds, where, equations, boundary values, until */
void walk(struct walk *, struct expr *, const struct scope *);
const struct scope *scope_index(const struct scope *up, struct var *index, const struct expr *lo,
                                const struct expr *hi, int64_t shift);
const struct scope *scope_fold(const struct scope *up, const struct fold *, int index);
const struct scope *scope_guard(const struct scope *up, const struct expr *guard, bool holds);
const struct scope *scope_cell(const struct scope *up, struct var *index, int64_t offset,
                               const struct var *array, int axis, bool holds);

/* Note [values that fit]
 * isl computes with integers, the program modulo 2^64 (or 2^32 ...).  Both agree as long as every
 * intermediate value fits its type, and that is proved from ranges before isl is asked: sizes and
 * counters lie in 0 .. 2^48 (no machine has more cells; the generated stub refuses larger sizes),
 * indices within their bounds, parameters anywhere in their type.  What might wrap is not
 * expressible; a subscript is then tested at run time, a guard is not believed. */
#define SIZE_LIMIT ((int64_t)1 << 48)
/* of an array its bytes, of a domain its cells: what rt/host.h refuses */
#define CELLS_LIMIT ((int64_t)1 << 62)

/* ---- legal_set.c ---- */

struct seen {                            /* a variable that became a parameter of the sets */
	const struct var *var;
	int64_t lo, hi;                      /* the range it surely has */
	bool other;                          /* the second copy of an index: legal.c, in place */
};

struct poly {                            /* one question to isl */
	isl_ctx *ctx;
	const struct node *node;
	unsigned long quota;
	LIST(struct seen) seen;
	bool loose;                    /* some bound could not be expressed: the set is too large */
	bool approximate;                    /* some condition could not be expressed: likewise */
	int steps, divisions;                /* expressions translated; bounded */
};

extern unsigned long legal_quota;        /* operations of isl for one question */

struct poly *poly_new(const struct node *);      /* opens the question: the quota starts */
bool poly_over(struct poly *);           /* the quota is spent; closes the question */
isl_set *poly_scope(struct poly *, const struct scope *);
isl_set *poly_facts(struct poly *);      /* of the variables seen so far; call it last */
isl_set *poly_universe(struct poly *);
isl_set *poly_empty(struct poly *);
isl_set *poly_inside(isl_pw_aff *, isl_pw_aff *lo, isl_pw_aff *hi);    /* lo <= . < hi */
isl_set *poly_drop(struct poly *, isl_set *, const struct seen *);     /* projects it out */
isl_pw_aff *poly_constant(struct poly *, int64_t);
isl_pw_aff *poly_var(struct poly *, const struct var *);
isl_pw_aff *poly_scale(struct poly *, isl_pw_aff *, int64_t by);
isl_pw_aff *poly_affine(struct poly *, const struct affine *);         /* of sizes */
isl_id *poly_id(struct poly *, const struct var *, bool other);
int seen_var(struct poly *, const struct var *); /* its place; -1: nothing may be said of it */
void type_range(const struct type *, int64_t *lo, int64_t *hi);
bool var_unknown(const struct var *);    /* nothing is known of its value before the run */
/* the set, or the function, about the other copy of the variable */
isl_set *poly_other(struct poly *, isl_set *, const struct var *);
isl_pw_aff *poly_other_value(struct poly *, isl_pw_aff *, const struct var *);

struct witness { const struct poly *poly; int64_t *value; isl_set *point; };  /* value: as seen */
bool poly_witness(struct poly *, isl_set *, struct witness *);   /* smallest sizes; takes the set */
int64_t witness_value(const struct witness *, isl_pw_aff *);     /* takes the function */

/* ---- legal_expr.c ---- */

#define MAX_PIECES 32                    /* of a function, of a set: Note [limits] */

struct num { isl_pw_aff *pa; int64_t lo, hi; };  /* pa NULL: not expressible */

struct num num_of(struct poly *, const struct expr *);
struct num num_fit(isl_pw_aff *, __int128 lo, __int128 hi, const struct type *);
isl_pw_aff *poly_value(struct poly *, const struct expr *);            /* NULL: not expressible */
isl_set *poly_condition(struct poly *, const struct expr *, bool holds);       /* or a larger set */

/* ---- legal_cure.c ---- */

/* One access: an array's, a constant table's, or that of an array in a struct. */
struct access {
	struct expr *e;
	int rank;
	struct expr *const *sub;
	struct affine extent[MAX_RANK];
	bool writes, needs[MAX_RANK];        /* axes that ways 1 and 2 leave open */
};

/* of the error that was reported; below: it leaves at the low end */
void access_cure(const struct walk *, const struct access *, int axis, bool below);

/* ---- legal.c ---- */

const char *legal_name(const struct node *);     /* of its pattern */
char *witness_values(const struct witness *, bool (*show)(const struct seen *, const void *),
                     const void *data);
bool show_given(const struct seen *, const void *);      /* sizes, counters, unknown values */
bool over_report(struct poly *, struct loc, const char *what);    /* closes; true after an error */

#endif
