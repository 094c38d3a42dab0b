/* eval_impl.h - the interpreter's insides, shared by eval.c, eval_code.c and eval_run.c only:
 * an expression turned into a tree of code, and the places of variables. */
#ifndef EVAL_IMPL_H
#define EVAL_IMPL_H

#include <math.h>

#include "eval_value.h"

#define uthash_malloc(bytes) mem_new(bytes)
#define uthash_free(at, bytes) ((void)(at))
#include <uthash.h>

#define OPEN ((double)INFINITY)

struct order {                    /* shared by places whose cells were moved alike, in any order: */
	int64_t cells;                       /* the first so many ... */
	int32_t *group;       /* ... within a group of one number; 0: in none.  NULL: all are one */
};
struct place {                           /* where a variable's value is */
	struct num value;                    /* scalars that are not in memory */
	unsigned char *data;                 /* arrays, device scalars, structs, tables */
	double *error;                       /* per cell */
	const struct type *type;
	int rank;
	int64_t extent[MAX_RANK], cells;
	const struct order *order;          /* or NULL; a statement that writes the array ends it */
};

struct code;
typedef struct num runner(struct eval *, const struct code *);
struct side { int index; const struct edge *edge; struct code *value; };   /* index -1: none */
struct code {
	runner *run;
	const struct expr *expr;
	const struct type *type, *of;        /* of the result; of the first argument */
	struct place *place;
	struct num value;                    /* E_CONST */
	struct code **arg;
	int n;
	struct side *side;                   /* E_READ in a stencil: per axis */
	struct place **index;                /* of the stencil's domain */
	struct fold_code *fold;
	struct body *body;                   /* E_CALL */
	struct num *passed;                  /* E_CALL, E_MATH: values of the arguments */
	unsigned char *bytes;                /* E_STRUCT, E_CALL of a struct: the result */
};
#define MAX_FACTORS 16               /* of a term that is a product, whose order counts */
struct fold_code {
	const struct op *op;
	int n;
	struct place **index;
	struct code **lo, **hi, *where, *identity;
	struct code **end;   /* per index: where the array ends that its range is cut to; or NULL */
	struct body *user;
	struct code **factor;                /* of the term of a window's sum, or NULL */
	int factors;
	struct code *half[2];                /* factors that may be rounded, or added in slices */
	enum precision precision;            /* so they may be rounded; PRECISION_OWN: in slices */
	const struct type *half_type[2];
	bool computes;                /* the user's operator does arithmetic: floats may overflow */
	bool leftward;                       /* running from the right: a term joins at the left */
	struct num now;                      /* running: the value at the bound cell */
};
struct step {                            /* a statement of a fn body */
	const struct inner *inner;
	struct place *place;
	struct code *target, *a, *b;
	struct step *body, *otherwise;
	int n_body, n_otherwise;
};
struct body {
	const struct fn *fn;
	struct place **param;
	struct code *value;                  /* fn = value; else the steps */
	struct step *step;
	int n;
	unsigned char *open;                 /* extern fn, of a struct: a value as good as any */
};

struct keep {                            /* a read on a keep axis, the folds around it */
	struct code *read;
	int folds;
	struct code *fold[MAX_DEPTH];        /* outermost first */
};
struct targets { struct code **at; int n; };
struct cell_code {                       /* a NODE_PATTERN, ready to run */
	const struct node *node;
	int n, equations;
	struct place **index;
	struct code **lo, **hi, *where, **right;     /* right: NULL for a recurrence */
	struct code **count;                 /* of an index whose range data decide, or NULL */
	struct targets *target;              /* of each equation */
	LIST(struct keep *) keep;            /* reads that may leave on a keep axis */
	struct place *before, *after;        /* in place: the array, and its copy that is written */
};

struct known { const void *key; void *value; UT_hash_handle hh; };

struct eval {
	struct known *place, *body, *node, *expr, *met, *told;
	const struct node *stencil;          /* while compiling a node with edges */
	struct place **stencil_index;
	bool outside;                   /* a checked subscript fell outside, in this term or cell */
	bool doubt;                          /* the function being run took a branch that is open */
	bool astray;                         /* which cell a target is, is open */
	int64_t statement;                   /* how many have run */
	bool drops, trusts;                  /* the statement says so (R34) */
	bool all_open;                       /* the number of passes is open */
	bool stopped;
	bool quiet;                          /* whoever asked says that it was stopped: law_try.c */
	int status;
	int possible;    /* a status that other legal evaluations may have, or ST_OK */
	int own;         /* such a status that this evaluation has, or ST_OK */
	int64_t steps, limit;
	struct num result;                   /* of return */
	const struct entry *entry;
};

enum flow { GO_ON, BREAK, CONTINUE, RETURN };

/* ---- eval.c: what statements share ---- */

struct cell_code *compile_cells(struct eval *, const struct node *);
void write_cells(struct eval *, const struct targets *, const struct type *, struct num, bool open);
/* NULL: outside */
unsigned char *target_at(struct eval *, const struct code *target, double **error);
void mark_open(struct eval *, const struct cell_code *);         /* the targets at the bound cell */
/* `where` leaves the bound cell out; open: or not */
bool cell_masked(struct eval *, const struct cell_code *, bool *open);

/* ---- eval_combine.c: an item that may meet others in its cell ---- */

void combine_cell(struct eval *, const struct cell_code *, int equation, struct num, bool open);

/* ---- eval_code.c: places, and expressions into code ---- */

void *known_find(struct known *, const void *key);
void *known_add(struct known **, const void *key, void *value);
void *array_new(int64_t n, size_t each);
struct place *place_of(struct eval *, const struct var *);
void place_set(struct place *, struct num);
struct num place_get(const struct place *);
struct code *code_of(struct eval *, const struct expr *);
struct code **code_list(struct eval *, struct expr *const *, int n);
struct body *compile_body(struct eval *, const struct fn *);
bool fn_computes(const struct fn *);     /* more than choosing among floats */

/* ---- eval_best.c: argmin and argmax ---- */

struct best {                            /* under way; greater is better, for both */
	bool found, open;
	struct num value;                    /* the best so far, */
	int64_t at[MAX_RANK];                /* and where it was met */
	double exact, doubtful;   /* how far up the others reach, those with e = 0 and with more; */
};                                       /* both begin at -inf */
void best_add(struct best *, const struct code *fold, struct num term);  /* at the fold's indices */
struct num best_end(struct eval *, const struct best *, const struct code *fold);

/* ---- eval_run.c: what code does ---- */

struct folding {                         /* a fold under way */
	struct total total;
	struct best best;
	double e;                            /* of what says which terms there are */
	struct num factor[MAX_FACTORS];      /* of a term */
};
void folding_start(struct eval *, const struct code *fold, struct folding *);
/* at the bound indices */
void folding_term(struct eval *, const struct code *fold, struct folding *);
struct num folding_end(struct eval *, const struct code *fold, const struct folding *);
struct num call(struct eval *, const struct body *, const struct num *passed);
/* reports, once for an operator: the condition of its laws is not true of a value that it folds */
void folded_value(struct eval *, const struct op *, struct num, struct loc);
struct num kept(const struct code *, struct num);        /* a struct, in the code's own memory */
struct num equal_values(const struct type *, struct num, struct num);

runner *runner_of(const struct expr *, const struct place *);
void record_status(struct eval *, int status);
/* One that other evaluations need not have; here: this one has it. */
void record_possible(struct eval *, int status, bool here);
void record(struct eval *);            /* the data lead outside, unless the statement says `drop` */
bool step_on(struct eval *, struct loc);                 /* false: it has run for too long */
/* eval_cut.c: offsets of segments; they rise, and none is beyond n (open: some is not known) */
struct num cut_at(const struct place *cut, int64_t k);
bool offsets_rise(struct eval *, const struct node *, const struct place *cut, int64_t n,
                  bool *open);
/* A range that data decide: what lies outside the array is left out, a range of offsets does not
 * fall. */
void cut_range(struct eval *, const struct code *fold, int k, int64_t *lo, int64_t *hi);
/* The range of an index of the domain; false: it reads outside an array, and that is recorded. */
struct range_code { struct code *lo, *hi, *count; };     /* count: data decide it; or NULL */
struct code **expansion_codes(struct eval *, const struct node *);       /* a count an index */
bool range_of(struct eval *, const struct range_code *, int64_t *lo, int64_t *hi);
double subscripts(struct eval *, const struct code *, int64_t *at);      /* their bound */
struct num locate(struct eval *, const struct code *, const int64_t *at, double e);
int64_t element(struct eval *, const struct code *, int first, const int64_t *extent, double *e);

static inline struct num run(struct eval *ev, const struct code *c)
{
	return c->run(ev, c);
}

static inline bool in_memory(const struct type *t)
{
	return t->kind == T_STRUCT || t->kind == T_ARRAY;
}

static inline double worse(double a, double b)
{
	return a > b ? a : b;
}

#endif
