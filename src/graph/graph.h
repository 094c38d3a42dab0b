/* graph.h - the pattern graph: what a program means, for everything from the checks to the
 * lowerings. */
#ifndef GRAPH_H
#define GRAPH_H

#include "base.h"

struct recurrence;
struct selection;
struct sorting;
struct wavefront;
struct running;
struct expansion;
struct cutoff;
struct cut;
struct test;
struct remark; struct kx; struct matrix_unit; struct ast_pin; struct ast_file;
struct shape; struct plan; struct lowering; struct eval; struct target; struct ast; struct options;
struct node; struct expr; struct var; struct fn; struct record;

/* ---- type.c: scalar, struct and small fixed-array types; interned, so == compares ---- */

enum scalar {
#define TYPE(id, name, c, bytes, class) id,
#include "types.def"
#undef TYPE
	T_STRUCT,       /* a user's struct */
	T_ARRAY,        /* f32[9] as a struct field or a constant table; not a parameter's shape */
	T_INT_LIT,      /* an integer literal whose type nothing has fixed yet (sema only) */
	T_FLOAT_LIT     /* likewise a float literal */
};
struct type {
	enum scalar kind;
	const struct record *record;         /* T_STRUCT */
	const struct type *elem;             /* T_ARRAY */
	int rank; int64_t extent[MAX_RANK];  /* T_ARRAY */
};
struct field { const char *name; const struct type *type; int64_t offset; };   /* bytes, as in C */
struct record {
	const char *name; struct loc at; LIST(struct field) field; int64_t size, align;
	bool made;                           /* by type_made: no struct of the program's */
	const struct type *boxed;            /* made for this array, its only field: type_boxed */
	const struct record *of;             /* a block of aosoa: the user's struct */
};

const struct type *type_scalar(enum scalar);
const struct type *type_struct(const struct record *);
const struct type *type_array(const struct type *elem, int rank, const int64_t *extent);
/* A struct that generated code uses and no header shows; one name, one struct. */
struct record *record_made(const char *name, int fields, const struct field *);
const struct type *type_made(const char *name, int fields, const struct field *);
/* The struct in which an array is passed by value, and the array of such a struct, else NULL. */
const struct type *type_boxed(const struct type *array), *type_unboxed(const struct type *);
const struct type *type_named(const char *name);         /* a scalar type's, else NULL */
const char *type_name(const struct type *);              /* "f32", "Atom", "f32[9]" */
const char *type_c(const struct type *);                 /* "float", "Atom" */
int64_t type_size(const struct type *);                  /* bytes */
int64_t type_cells(const struct type *);                 /* elements of an array, else 1 */
int64_t type_align(const struct type *);
char type_class(const struct type *);                    /* B I U F, S struct, A array, L literal */
bool type_fits(const struct type *narrow, const struct type *wide);    /* widens silently: R1 */
const struct type *type_compute(const struct type *);    /* R3: the type arithmetic is done in */
const char *name_safe(const char *);                 /* as printed: a taken word gets a `_` (R25) */
/* of a kernel, a struct: what libraries define gets one too, and all begin with --prefix */
const char *name_global(const char *);
void name_prefix(const char *);                      /* sets it; NULL: none */
const char *name_prefixed(const char *);             /* only with the prefix */

/* ---- graph.c: variables, expressions, statements ---- */

enum var_kind {
	VAR_SIZE,       /* n of f32[n]: i64, never negative */
	VAR_PARAM,      /* of a kernel, or of a fn when rank is 0 and mode MODE_IN */
	VAR_LET,        /* temporary array (rank > 0) or device scalar (rank 0) */
	VAR_INDEX,      /* i of a domain or of a fold: i64 */
	VAR_COUNTER,    /* t of repeat t < n: i64 */
	VAR_LOCAL,      /* let, var or for index inside a fn */
	VAR_CONST       /* const, scalar or table */
};
enum mode { MODE_IN, MODE_OUT, MODE_INOUT };

struct term { struct var *var; int64_t coef; };
/* sorted by var->id, coef != 0 */
struct affine { int64_t constant; int n; struct term term[MAX_RANK]; };

/* The order of the cells of arrays whose sides are one power of two: lower_curve.c. */
enum curve { CURVE_NONE, CURVE_MORTON, CURVE_HILBERT };
struct layout {                     /* what the caller has in memory; NULL: rows of whole structs */
	bool col;                            /* the first subscript is fastest */
	bool pitched;                        /* rows (columns) start ld elements apart */
	struct affine ld;                    /* over VAR_SIZE */
	/* cells whose values of a field lie together: aosoa; 0: one, -1: all (soa) */
	int64_t block;
	const struct record *record;         /* aosoa: a block, in C */
	int64_t tile[2];             /* cells of a tile along the innermost two axes; 0: no tiles */
	enum curve curve;
};

/* Of an array along one axis no more cells than these are kept, a power of two: cell x lies at x &
 * (cells - 1). */
struct ring {
	int axis, index;                     /* index: of the statement that computes it */
	int64_t cells;
	/* if these give `many` or more, `alone` of each are enough; many 0: never */
	struct affine problem[MAX_RANK];
	int problems;
	int64_t many, alone;
	struct var *kept;                /* if that differs: how many are, a number of the host's */
};

struct var {
	enum var_kind kind;
	const char *name;
	int id;                              /* order of declaration within its file */
	struct loc at;
	const struct type *type;             /* of one element */
	int rank;                            /* 0: a scalar */
	struct affine extent[MAX_RANK];      /* over VAR_SIZE */
	enum mode mode;
	const struct layout *layout;         /* VAR_PARAM; after relay.c also what goes with it */
	const struct var *whole;             /* relay.c: stands for a field of this struct array, */
	const struct field *part;            /* soa or aosoa: this one */
	/* VAR_LOCAL declared with var; VAR_LET fused so that it has no memory */
	bool is_mutable, on_chip;
	bool spare;                       /* VAR_LET of NODE_SPARE: visits write all of it */
	bool in_block;          /* on_chip, but a loop that one block runs has it in memory */
	bool spills;                         /* VAR_LOCAL array: in memory, data may index it */
	bool reshaped;                       /* VAR_PARAM: a statement of the kernel reshapes it */
	const struct ring *ring;             /* VAR_LET; NULL: all its cells are kept */
	struct node *scope;                /* VAR_LET: the repeat whose body declares it, or NULL */
	struct expr *value;            /* VAR_CONST scalar; VAR_COUNTER: the limit it stays below */
	struct value *table;                 /* VAR_CONST array: the elements, row-major */
};
/* let scalar, out or inout scalar: lives in device memory */
bool var_on_device(const struct var *);
bool expr_on_device(const struct expr *);    /* does it read cells, or a scalar on the device? */

/* by the type: f for floats (f32 rounded), i else; bool 0, 1 */
struct value { int64_t i; double f; };

enum expr_kind {
	E_CONST,        /* value */
	E_VAR,          /* var: size, scalar parameter, device scalar, index, counter, local */
	E_READ,         /* var[arg...]: a cell of an array; subscripts are i64 */
	E_FIELD,        /* arg[0].field */
	/* element of a T_ARRAY: arg[0] (E_FIELD) or var (VAR_CONST, VAR_LOCAL), subscripts last */
	E_ELEM,
	E_STRUCT,     /* Record(arg...); a field that is an array has all its elements among them */
	E_UNARY,        /* op arg[0] */
	E_BINARY,       /* arg[0] op arg[1], both of one type (shifts: any two integers) */
	E_COND,         /* arg[0] ? arg[1] : arg[2] */
	E_CAST,         /* arg[0] to type: R2 */
	E_CALL,         /* fn(arg...) */
	E_MATH,         /* math(arg...) of the function table, all of one float or integer type */
	/* fold of arg[0]; arg[0], or zero where it reads outside an array: pass_fuse_into.c */
	E_FOLD, E_OR_ZERO
};
enum operation {    /* unary and binary, in the meaning of R3 to R8 */
	OP_NEG, OP_NOT, OP_BITNOT,
	OP_MUL, OP_DIV, OP_REM, OP_ADD, OP_SUB, OP_SHL, OP_SHR, OP_AND, OP_XOR, OP_OR,
	OP_LT, OP_GT, OP_LE, OP_GE, OP_EQ, OP_NE, OP_LAND, OP_LOR
};
extern const char *const operation_text[];               /* "-", "!", ..., "||" */

enum math {
#define MATH(name, arity, kinds, c32, c64) M_##name,
#include "math.def"
#undef MATH
	MATH_COUNT
};
struct math_row { const char *name; int arity; const char *kinds; const char *c32, *c64; };
extern const struct math_row math_table[];               /* type.c; see math.def */

struct op {                              /* an operator a fold can use */
	const char *name;                    /* sum prod min ... argmax, or the user's */
	enum op_kind { OPK_SUM, OPK_PROD, OPK_MIN, OPK_MAX, OPK_ALL, OPK_ANY, OPK_COUNT, OPK_ARGMIN,
	               OPK_ARGMAX, OPK_BITAND, OPK_BITOR, OPK_BITXOR, OPK_USER } kind;
	const struct fn *fn;                 /* OPK_USER: two values of one type to the same */
	bool associative, commutative;
	struct expr *identity;               /* OPK_USER: a constant of the type, or NULL */
	LIST(const char *) over;             /* OPK_USER: operators it claims to distribute over */
	const struct fn *given;              /* OPK_USER: the condition of its laws, or NULL */
};
const struct op *op_own(enum op_kind);  /* the language's operator of that kind; none is OPK_USER */
struct expr *op_identity(const struct op *, const struct type *);      /* NULL if it has none */
/* as E_BINARY, E_MATH, E_CALL */
struct expr *op_apply(const struct op *, struct expr *, struct expr *);
bool op_chooses(const struct op *); /* min, max, all, any: of equal values it gives that value */
bool op_is_arg(const struct op *);   /* argmin or argmax: not applied, and the fold's type is ... */
/* ... { value, at } or { value, at0, ... } */
const struct type *type_best(const struct type *, int indices);

/* how exactly the f32 factors of a sum's terms are multiplied: man 7 patc-patterns, matmul */
enum precision { PRECISION_OWN, PRECISION_TF32, PRECISION_TF32X3 };
struct fold {
	enum precision precision;
	const struct op *op;                 /* count: arg[0] is bool, the result i64 */
	LIST(struct var *) index;
	LIST(struct expr *) lo, hi;          /* one each per index; may use earlier indices */
	/* or NULL; asked: guard.c: what is to hold if a wrong range is to be recorded */
	struct expr *where, *asked;
	/* in the order of the terms, if that can be seen; waits for other folds: guard.c */
	bool strict, late;
	bool terms_only;                     /* the first term begins it, not the identity */
	bool running;                        /* of a scan: running.h */
	/* search(x, v): counts the cells of x for which arg[0] holds, which come first: halving
	 * finds where they end.  One index, all cells of one axis. */
	bool sorted;
	/* folded by nobody: all its cells are an argument of a function that takes an array.
	 * arg[0] reads them, by an index an axis. */
	bool handed;
	struct cut *cut;                /* an index each, or NULL: data decide no range: ragged.h */
};
/* is it a fold that visits all its terms: no search, no array that is handed to a function? */
bool expr_folds(const struct expr *);
bool expr_handed(const struct expr *);   /* is it an array that is an argument of a function? */
/* x[k] < v, with `upper` x[k] > v; and x[k] without conversions */
const struct expr *search_compare(const struct expr *search), *searched_cell(const struct expr *);
bool fold_constant(const struct fold *);                 /* its ranges are numbers */
const char *fold_name(const struct fold *);              /* "sum", "search" */
bool fold_in_order(const struct expr *); /* strict, and another order may give another value */

struct expr {
	enum expr_kind kind;
	const struct type *type;
	const struct type *narrow;        /* R3: computed in type, may go back to this; sema only */
	struct loc at;
	enum operation op;
	enum math math;
	struct value value;
	struct var *var;
	const struct field *field;
	const struct fn *fn;
	struct fold *fold;
	struct affine *affine;          /* E_READ, E_ELEM: per subscript; .n = -1 when not affine */
	/* E_READ, E_ELEM: not provable before the data: test at run time; E_CALL: the function may
	 * fail; only a condition keeps it inside */
	bool checked, guarded;
	bool wraps;                          /* E_ELEM of a function: arithmetic of an index may */
	bool if_inside;      /* a condition that holds if all that is read is inside the arrays */
	bool approx;                 /* E_MATH, / of f32: a fast function will do (sema_manner.c) */
	/* arithmetic of floats, rounded as written; E_OR_ZERO: nothing is recorded; of a fold,
	 * written out */
	bool strict, drops, window;
	/* stencil.c: the fold that was written out as this expression, or NULL */
	const struct expr *written;
	LIST(struct expr *) arg;
};

enum inner_kind { N_LET, N_ASSIGN, N_IF, N_WHILE, N_FOR, N_RETURN, N_BREAK, N_CONTINUE };
struct inner {                           /* a statement of a fn body, typed */
	enum inner_kind kind; struct loc at;
	struct var *var;                     /* N_LET: also for `var`; N_FOR: the index */
	struct expr *target;                 /* N_ASSIGN: E_VAR, or E_FIELD / E_ELEM of one */
	bool unrolled;                       /* N_FOR: so that arrays stay in registers */
	/* value, condition; N_FOR: lo, hi; N_WHILE: b is how many passes are allowed, or NULL */
	struct expr *a, *b;
	LIST(struct inner *) body, otherwise;        /* N_LET: sets elements that a list gives */
};
struct fn {                              /* fn_result(): what a call of it gives in C */
	const char *name; struct loc at;
	LIST(struct var *) param;            /* rank > 0: an array, whose cells it reads */
	LIST(struct var *) size;             /* those of the arrays: a call gives them last */
	const struct type *type;
	/* A call may fail: a subscript outside an array, or more passes than `at most` says
	 * (limits).  It ends then, has no value, and says why: Note [walks] in lower_fn.c. */
	bool fails, limits;
	bool uneven;                         /* data decide how long a call takes: `while` */
	struct expr *value;                  /* fn f(...) -> T = value; else the body */
	LIST(struct inner *) body;
	const char *from;                    /* extern fn: the header that defines it, else NULL */
	const struct fn *meaning;          /* extern fn: what the interpreter runs, or NULL: open */
	bool sound;                          /* its body has no error */
	/* its statements once loops are unrolled, and those of what it calls */
	int64_t steps;
	const struct walk *walk;             /* walk.h: NULL if nobody has asked; */
	int part;                            /* and which part of it this is: enum walk_part */
};

/* Its type, or of one that may fail { value, wrong }: wrong is ST_OK, ST_INDEX or ST_ENDLESS. */
const struct type *fn_result(const struct fn *);

enum boundary { B_NONE, B_CLAMP, B_WRAP, B_MIRROR, B_REFLECT, B_VALUE, B_KEEP };
struct edge { enum boundary kind; struct expr *value; };  /* value may use the domain's indices */

struct clause_use { const struct clause *clause; struct loc at; LIST(struct ast *) value; };
struct equation {
	struct loc at;
	LIST(struct expr *) target;      /* E_READ, or E_FIELD / E_ELEM of one, or E_VAR (scalar) */
	struct expr *right;               /* y op= e is already y = op(y, e); several targets: an */
	                                     /* E_FOLD of argmin or argmax, whose fields they get */
	struct expr *whole;           /* relay.c: right is a value of this struct, which is known */
		/* before the first of neighbouring equations that have it */
	/* or NULL: sema_combine.c; of a scan, running.h */
	const struct op *combine; struct recurrence *recurrence;
};

enum node_kind {
	NODE_PATTERN, NODE_SWAP, NODE_REPEAT_COUNT, NODE_REPEAT_UNTIL, NODE_IF,
	NODE_SPARE      /* of a repeat: each of its visits exchanges two names; pass_time.c */
};
/* A condition on scalars that holds, or does not, where a statement runs, and those around it. */
struct premise { const struct premise *up; const struct expr *condition; bool holds; };
#include "choice.h"
struct node {
	enum node_kind kind; struct loc at;
	const struct premise *premise;       /* what the call and each `if` around it have tested */
	bool called;                         /* it is a statement of a kernel that is called */
	int variant;         /* it runs where this condition of entry->when holds, from 1 on; 0 */
	bool bare;                           /* as written, its equations are all of it */
	bool idle_trust;                     /* `trusted`, though nothing would be tested without */
	const char *label;                   /* or NULL */
	const char *name;                 /* for generated names: label, else pattern and ordinal */
	const struct pattern *pattern;
	/* domain: index[k] in lo[k] .. hi[k]; axis k of the first target unless for says otherwise
	 * */
	LIST(struct var *) index;
	LIST(struct expr *) lo, hi;
	/* items of several indices are one row: the statement with these indices; merge_items.c */
	const struct node *unmerged;
	/* index[k] is subscript k of every target, 0 .. extent; relay_order.c: the last first */
	bool whole, turned;
	/* of a statement in place: cells whose indices differ in that these two are exchanged are
	 * computed together, from what both have been; NULL: each cell by itself */
	struct var *mirror[2];
	/* then, of an array that is not square: all its cells are moved, and lie as those of an
	 * array with its two extents exchanged */
	bool reshapes;
	struct expr *where;
	LIST(struct equation *) equation;
	LIST(struct clause_use) clause;
	struct edge edge[MAX_RANK];          /* stencil: per domain index */
	struct running *running;             /* scan, or NULL: running.h */
	struct expansion *expand;            /* or NULL: expansion.h */
	struct cutoff *cutoff;               /* of near bodies alone, or NULL: cutoff.h */
	/* or NULL: selection.h ... */
	struct selection *selection; struct wavefront *wave; struct sorting *sorting;
	/* repeat, if, swap and spare */
	struct var *counter;                 /* REPEAT_COUNT; also counts passes for REPEAT_UNTIL */
	struct expr *limit;                  /* passes at most: uniform on the host */
	struct expr *until;                  /* over scalars; NODE_IF: tested before the body */
	/* REPEAT_UNTIL: only in passes in which this holds is `until` asked; NULL: in each one.
	 * It holds in every pass whose number, counted from 1, is a multiple of `every` (i64). */
	struct expr *asks, *every;
	bool is_else;                        /* NODE_IF: the other branch of the one before it */
	LIST(struct node *) body;
	struct var *swap[2];
	/* passes */
	LIST(struct remark *) remark;        /* what each pass did, and why not: remark.c */
	struct choice choice, pin;
	struct pinned pinned[PIN_COUNT];
	struct group *group;
	struct node *into;        /* fused: the statement in whose kernel it is computed, or NULL */
	/* lowered: a matrix unit multiplies the fold's terms, where the device has it; or NULL */
	struct { const struct expr *fold; const struct matrix_unit *unit; } united;
};
struct group {                           /* one kernel, or one family: what fuse makes */
	struct node *anchor;
	LIST(struct node *) epilogue;  /* applied where the anchor's value is computed */
	LIST(struct node *) mate;      /* of rows: its statements in order, the anchor among them */
	/* temporaries: its one cell is on chip; nobody else uses its cells */
	LIST(const struct var *) held, inner;
	bool apart;                          /* the host may launch the mates one by one instead */
	/* computed tile by tile, as the anchor needs their cells: a product, and folds of its rows
	 * */
	LIST(struct node *) chain;
};

/* A condition of a schedule's lines: its number, from 1 on; 0: it is of another machine. */
struct when { const struct ast_pin *line; const char *text; int variant; };

struct named_call { const char *label, *kernel; };
struct entry {                           /* a user's kernel: becomes a C function */
	const char *name, *c; struct loc at;          /* in the program, in C */
	LIST(struct var *) size;             /* in order of first appearance */
	LIST(struct var *) param, let;
	LIST(struct expr *) require;         /* of every call: bool, over sizes and scalars */
	LIST(struct node *) body;
	LIST(struct pin_set) pin;
	LIST(struct when) when;
	LIST(struct node *) inside;          /* statements that fuse has put into others */
	LIST(struct named_call) called;          /* calls with a label, which pins cannot name */
};
struct program {
	const char *path;                    /* as given */
	LIST(const char *) include;          /* every other file read, for the depfile */
	LIST(struct record *) record;        /* in order of definition, after those they contain */
	LIST(struct var *) constant;
	LIST(struct fn *) fn;                /* callees before callers */
	LIST(struct entry *) entry;          /* of the file itself, not of those it uses */
	LIST(struct test *) test;            /* likewise; case.h */
	const struct ast_file *tuning;       /* of --schedule, or NULL */
	/* what `patc run` was given, or NULL; that it took up to the graph */
	struct test *command; size_t bytes;
};

char *expr_text(const struct expr *);    /* as .pat text */
const char *entry_status(const struct entry *, int status);      /* in words */
struct expr *expr_new(enum expr_kind, const struct type *, struct loc);
struct expr *expr_bare(const struct expr *);              /* a copy that has no arguments yet */
struct expr *expr_copy(const struct expr *);     /* all of it, with the same variables */
/* e with another expression in the place of this one, which is a part of e */
struct expr *expr_exchange(struct expr *e, const struct expr *part, struct expr *other);
struct expr *expr_int(const struct type *, int64_t, struct loc);
struct expr *expr_float(const struct type *, double, struct loc);
struct expr *expr_var(struct var *, struct loc);
/* var[sub...], with the affine forms of its subscripts */
struct expr *expr_read(struct var *, struct expr *const *sub, struct loc);
struct expr *expr_binary(enum operation, struct expr *, struct expr *); /* type of arg 0, or bool */
struct expr *expr_substitute(const struct expr *, struct var *const *from, struct expr *const *to,
                             int n);
/* A call of a function whose body is an expression of numbers and structs: that, with the arguments
 * in the place of the parameters; else NULL. */
struct expr *expr_inlined(const struct expr *);
struct expr *expr_as(struct expr *, const struct type *);          /* nothing if it has that type */
struct expr *expr_part(struct expr *record, const struct field *, struct expr *const *elem);
struct expr *expr_element(struct expr *array, int64_t cell);      /* counted along its rows */
bool expr_walk(struct expr *, bool (*visit)(struct expr *, void *), void *);  /* stops at false */
/* every expression in it */
bool node_walk(struct node *, bool (*visit)(struct expr *, void *), void *);
struct expr *target_read(struct expr *target);           /* the E_READ or E_VAR under fields */
const char *layout_text(const struct layout *);          /* "col(ld) soa" */
bool layout_same(const struct var *, const struct var *);
/* cells that follow each other in a row do not do so in memory */
bool layout_turns(const struct var *);
bool var_tiled(const struct var *),
	var_curved(const struct var *),
	is_pitched(const struct var *);
/* of cells in blocks, in tiles or along a curve: what holds them, else NULL */
const struct var *var_home(const struct var *);
const char *part_name(const struct var *, const struct field *);     /* in C, of an soa parameter */
struct expr *node_target(const struct node *, int k);   /* of all equations; NULL after the last */
/* their affine forms are equal, or they are written alike: of ends of ranges */
bool ends_equal(const struct expr *, const struct expr *);
/* written alike, without folds; tests at run time; is ?:, && or || */
bool expr_same(const struct expr *, const struct expr *), expr_checked(const struct expr *),
	expr_lazy(const struct expr *);
void types_dump(const struct program *, FILE *), graph_dump(const struct program *, FILE *),
	expr_print(const struct expr *, FILE *), expr_print_written(const struct expr *, FILE *);

/* ---- patterns/NAME/NAME.c: what a statement may be; patterns.c lists them ---- */

struct clause {                          /* a row of a pattern's clause table */
	const char *name;
	int values;                      /* how many it takes; -1: one, or a list in parentheses; */
	                                     /* -2: every value up to the next clause */
	const char *words;               /* mode words, space separated: they win over variables; */
	                                     /* `word=` takes one value more */
	const char *then;            /* a word that follows, with values: within r OF x */
};
struct elsewhere {         /* a word of other patterns or languages, and what it is here */
	const char *word, *here;
	bool value;                      /* a number follows */
};
struct row_folds {       /* of a pattern whose folds of rows may share a kernel: pass_fuse_rows.c */
	/* why threads cannot share its terms; NULL: they can */
	const char *(*unfit)(const struct node *);
	/* the members that fold a row in one pass on a GPU, or NULL */
	const char *(*in_one_pass)(const struct group *);
};
/* What an array of a loop has after launches of several passes: the cells of the last pass, some
 * in memory beside the loop's (spare), or those that one more pass by itself leaves, or neither. */
enum leaving { LEAVES, LEAVES_SPARE, LEAVES_LATER, LEAVES_LOST };
struct left { const struct var *var; enum leaving how; };
struct lefts { LIST(struct left); };
/* Of patterns whose cells one kernel computes for several passes of a loop: pass_time.c. */
struct passes {
	/* Passes of a launch: as pinned, or (0) as many as pay, and what they cost.  1, why not
	 * more, and which statement is the reason. */
	int (*choose)(const struct node *loop, const struct target *, int pinned, const char **why,
	              const struct node **at);
	/* Of launches of so many passes, which `choose` has returned. */
	struct lefts (*leaves)(const struct node *loop, const struct target *, int passes);
	/* Host: can this call take the launch?  NULL: always.  On a CPU the passes of the next one,
	 * if so many are left: breaks from the host's loop if they are too few.  The launch;
	 * `done` passes were before it. */
	struct kx *(*when)(struct plan *, const struct node *loop);
	struct kx *(*passes)(struct plan *, const struct node *loop, struct kx *left);
	void (*launch)(struct plan *, const struct node *loop, struct kx *done, struct kx *passes);
	/* Rows and columns of a tile, if blocks that run at the same time may keep a tile each
	 * through all passes; 0: they may not.  Host: that launch, of the passes before `end`; done
	 * becomes end where it was possible.  NULL: no pattern's text does so. */
	int64_t (*tile)(const struct node *loop, const struct target *, int64_t *columns);
	void (*reside)(struct plan *, const struct node *loop, struct kx *done, struct kx *end);
};
struct pattern {                         /* patterns/NAME/NAME.c ends with one of these */
	const char *name, *summary;
	const struct clause *clauses;        /* ends with a row without name */
	const struct elsewhere *elsewhere;   /* ends with a row without word; or NULL */
	/* front.h: how its statements are read, or NULL: as those of cells */
	const struct front *front;
	bool (*check)(struct node *);        /* does the equation fit; reports, returns false */
	void (*lower)(struct plan *, const struct group *);      /* GPU or loops, by plan->target */
	/* its folds may be windows, which few terms are written out of; NULL: none is one */
	struct expr *(*write_out)(struct expr *fold, bool strict);
	/* then: those that it computes as folds on the target are folds again; before fusion */
	void (*fold_back)(struct node *, const struct options *);
	/* one block computes the statement: patterns/one_block.c; NULL: it cannot */
	void (*block)(struct lowering *, const struct node *);
	void (*eval)(struct eval *, const struct node *);       /* sequential meaning: the oracle */
	int fuse;                            /* roles in pass_fuse */
	/* of products: why the anchor cannot be computed with the group's chain; NULL: it can;
	 * *pays: why it should not */
	const char *(*chain)(const struct group *, const struct target *, const char **pays);
	const struct row_folds *rows;        /* or NULL */
	const struct passes *passes;         /* or NULL */
	void (*shape)(const struct node *, const struct target *, struct shape *);   /* pass.h */
	/* selection.h, wavefront.h, sorting.h, sema_combine.c */
	bool selects, sweeps, sorts, combines;
	bool unmasked;                       /* it has no `where` */
	bool expands;                        /* data may bound ranges of `for`: expansion.h */
	bool recurs;                         /* its cells may read cells that it has computed */
	bool solves;                   /* its equation is solved for all of the target: solving.h */
};
enum {
	/* its value may be put into a reader; a producer into its reads */
	FUSE_INTO = 1,
	FUSE_READS = 2,
	FUSE_FRONT = 4,  /* folds may be applied where its cells are computed */
	FUSE_BEHIND = 8, /* its folds may run after another statement's cells */
	FUSE_ROWS = 16,  /* it may share a kernel with others, row by row */
	FUSE_ONTO = 32,  /* a map of its cells may be computed in its kernel */
	FUSE_BESIDE = 64 /* it and another one over the same cells may be one statement */
};
extern const struct pattern *const patterns[];           /* patterns/patterns.c; ends with NULL */
extern const struct pattern *const pattern_assign, *const pattern_assign_fold,
	*const pattern_running;
                                                         /* what `let s: f64 = e;` becomes */
/* Cells from their neighbours, products, pairs: what a scatter may become (gather_cells.c). */
extern const struct pattern *const pattern_windows, *const pattern_products,
	*const pattern_all_pairs;
extern const struct pattern *const pattern_in_box;       /* of pairs: cutoff.h */
extern const struct pattern *const pattern_kth_value;    /* a `reduce` that takes one value */
const struct pattern *pattern_find(const char *name);
const struct clause_use *node_clause(const struct node *, const char *name);
extern const struct clause no_clauses[];

/* ---- affine.c: affine forms of subscripts ---- */

struct affine affine_constant(int64_t), affine_var(struct var *);
/* false: overflow or too wide */
bool affine_add(struct affine *, const struct affine *, int64_t times);
bool affine_of(const struct expr *, struct affine *);    /* false: not affine */
int64_t affine_coefficient(const struct affine *, const struct var *);   /* 0: it is not in it */
/* the one index in it, and its factor; NULL: none, or several */
struct var *affine_index(const struct affine *, int64_t *coef);
/* e is that number */
bool affine_equal(const struct affine *, const struct affine *),
	affine_is(const struct expr *, int64_t);
/* over sizes alone, and whatever they are */
bool affine_never_negative(const struct affine *);
char *affine_text(const struct affine *);
/* "f32[n, m]" */
char *axes_text(const struct type *, int rank, const struct affine *extent);
/* some index of a fold is part of it */
bool affine_folded(const struct node *, const struct affine *);
/* lo..hi is 0..extent */
bool affine_spans(const struct expr *lo, const struct expr *hi, const struct affine *extent);
/* of lo..hi; -1: sizes or data say how many */
int64_t affine_cells(const struct expr *lo, const struct expr *hi);
/* read[axis] is the node's domain index k plus *offset; false when of any other form */
bool access_offset(const struct node *, const struct expr *read, int axis, int *k, int64_t *offset);
/* A subscript that is coef times index k of the domain, plus rest, which has no index of the
 * domain: sizes, parameters, indices of folds. */
struct shift { int k; int64_t coef; struct affine rest; };
bool access_shift(const struct node *, const struct expr *subscript, struct shift *);
/* bare indices in order, or uniform */
bool access_own(const struct node *, const struct expr *read);

/* ---- legal.c, legal_place.c: is every access inside, does every place hold ---- */

/* legal.c, legal_place.c: isl is the judge.  One statement (not its body) at a time.
 * Every read and write of the node stays inside its array, or has a boundary, or is marked checked;
 * reports with isl's witness otherwise.  Guards (where, for, ?:, &&, ||) count.  P04xx. */
bool affine_check_bounds(struct node *);
/* No cell written by the node is read by another cell of it (R45). */
bool affine_check_in_place(struct node *);
/* a wavefront's reads that are no neighbours; fresh: tables without values before it */
bool affine_check_order(struct node *, const struct var *const *fresh, int n);
/* legal_written.c: a cell of an `out` array that no statement writes, as "with n = 1: y[0]"; NULL:
 * all are written, or data decide. */
char *cells_left(const struct entry *, const struct var *);
/* Wherever the node comes to the fold, the fold has a term: no identity is needed. */
bool affine_nonempty(const struct node *, const struct fold *);

#endif
