/* sema_impl.h - what the sema_*.c share: one walk over the syntax tree, in this order:
 *
 *   sema.c         declarations: names, types, constants, structs
 *   sema_fn.c      fn and op: signatures, bodies, the order of definition;
 *                  sema_extern.c: extern fn; sema_law.c: claims
 *   sema_kernel.c  kernels: sizes, parameters; sema_layout.c: what the caller has in memory;
 *                  sema_call.c: what a kernel calls
 *   sema_stmt.c    pattern statements: equations, names; sema_clause.c: their words;
 *                  sema_assign.c: `op=`; sema_domain.c: their indices;
 *                  sema_flow.c: let, repeat, swap
 *   sema_expr.c    expressions: names, reads, calls; sema_fold.c: folds and ranges
 *                  sema_near.c: did you mean; sema_instead.c: another pattern's word
 *                  sema_reshape.c: arrays that end in another shape
 *   sema_conv.c    R1 to R6: conversions, operators; sema_literal.c: literals;
 *                  sema_const.c: constant folding
 *   sema_pin.c     schedule blocks; sema_test.c: tests
 *
 * What only one pattern has is in its folder: patterns/scan/scan_sema.c, sort/sort_sema.c,
 * compact/compact_sema.c, wavefront/wave_sema.c; struct front says where they are called.
 *
 * An expression that was diagnosed is NULL, and whoever meets it is silent: errors do not cascade.
 * */
#ifndef SEMA_IMPL_H
#define SEMA_IMPL_H

#include "syntax.h"

#define uthash_malloc(n) mem_new(n)
#define uthash_free(p, n) ((void)(p))
#include <uthash.h>

/* R15, the first space: parameters, let, indices, sizes, constants.  No name hides another. */
struct binding {
	const char *name;
	struct var *var;                     /* NULL: declared, but diagnosed: say nothing more */
	bool written;                        /* out: some statement above wrote it (R22) */
	                                     /* a size: it stands alone in some shape (R19) */
	bool target;                      /* of the statement whose right sides are being checked */
	const struct ast_decl *decl;         /* a constant's, until it is resolved */
	bool open;                           /* being resolved: meeting it again is a cycle */
	/* of a kernel that is called: what a size or a scalar is there; NULL: the variable */
	struct expr *given;
	UT_hash_handle hh;
};

/* clauses that say how operations are done, or that no subscript of a function is tested */
enum manner { APPROX, STRICT, TRUSTED, MANNERS };

/* R15, the second space: functions, operators, structs. */
struct callable {
	const char *name;
	const struct ast_decl *decl;
	struct record *record;
	struct fn *fn;
	struct op *op;
	struct callable *given;              /* op: the condition of its laws, or NULL */
	bool is_condition;                   /* it is one itself */
	bool open, done;                     /* records: being resolved, resolved */
	int mark;                            /* functions: 0 not met, 1 on the path, 2 placed */
	LIST(struct callable *) callee;
	int nest;                            /* laws.c: calls below it */
	const char *outside;                 /* laws.c: an extern fn that it calls, or NULL */
	struct fn *twin[MANNERS];           /* sema_manner.c: what statements of that manner call */
	UT_hash_handle hh;
};

struct label { const char *name; struct loc at; UT_hash_handle hh; };

struct earlier { const struct expr *read; bool own; };   /* own: of a target of the statement */
struct sema {
	struct program *program;
	const struct ast_file *file;
	struct binding *vars;
	struct callable *calls, *kernels;
	LIST(struct binding *) scope;        /* in order of declaration: what scope_close undoes */
	LIST(struct callable *) callables;   /* in order of the file */
	bool constants;                      /* constants and structs: nothing can be called yet */
	struct callable *inside;             /* the function whose body is being checked */
	struct entry *entry;                 /* the kernel, or NULL */
	const struct ast_decl *kernel;       /* likewise, as written */
	int locals;                          /* of scope: where the names of this kernel begin */
	struct call *call;                   /* sema_call.c: the innermost that is open, or NULL */
	int called;                          /* calls in this kernel so far, those in calls too */
	struct node *repeat;                 /* the innermost repeat or if around this statement */
	const struct premise *premise;       /* what holds where this statement runs */
	struct node *running;      /* whose folds run: its right sides are being checked; or NULL */
	bool in_fold;                        /* in the terms of such a fold */
	/* the range of indices that subscript nothing: pairs within a radius; or NULL */
	const struct affine *bodies;
	/* a selection of pairs while they are counted: it may read bodies; else NULL */
	const struct node *listed;
	const struct ast_stmt *signs;        /* whose `using` says what ○ and ◇ are, or NULL */
	/* targets of it that are out and written by nothing before */
	LIST(const struct var *) fresh;
	/* reads of what an earlier pass must have written: sema_flow.c */
	LIST(struct earlier) earlier;
	struct map distributed;              /* expressions that were written with ○ */
	bool runnable;                       /* no function has an error: laws.c may run them */
	bool names_condition;                /* a fix-it declares the condition of an `if` */
	struct trial *trial;                 /* laws.c: of pairs that no claim speaks of */
	LIST(struct pair *) pairs;
	/* kernels of other files that were called: checked by themselves, once */
	LIST(struct tried { const struct ast_decl *kernel; bool wrong; }) tried;
	struct label *labels;
	int loops;                           /* open around this statement of a body */
	int subscripts;                      /* open around this expression */
	int depth;                           /* of lazily resolved constants and structs */
	int ids;
	int errors;                          /* before this program */
	bool twins_done[MANNERS];            /* every callable has its twin */
	int ordinal[64];                     /* statements so far, by position in patterns[] */
	const struct options *options;
	int variant;                         /* of the kernel's statements: sema_when.c */
	bool in_when;                        /* a condition of a schedule is checked */
};

/* sema.c */
struct binding *name_find(struct sema *, const char *);
struct binding *name_declare(struct sema *, const char *, struct loc);   /* NULL: taken,
reported */
struct var *var_new(struct sema *, enum var_kind, const char *, const struct type *, struct loc);
struct var *var_declare(struct sema *, enum var_kind, const char *, const struct type *,
                        struct loc);
struct callable *callable_find(struct sema *, const char *);
int scope_open(const struct sema *);
void scope_close(struct sema *, int mark);
void constant_resolve(struct sema *, struct binding *);
const struct type *type_check(struct sema *, const struct ast *);        /* without a shape */
const struct type *element_type(struct sema *, const struct ast *);      /* whatever the shape */
/* with or without a shape, whose extents are constants: of a field, of a local */
const struct type *fixed_type(struct sema *, const struct ast *);
/* a list of so many, or reports */
bool list_check(const struct ast *, const char *what, int axis, int64_t extent);
bool shape_check(struct sema *, const struct ast *type, struct var *);   /* type, rank, extents */
bool extent_check(struct sema *, const struct ast *, struct affine *);

/* sema_near.c */
struct like name_like(struct sema *, const char *name, bool callable);
bool is_foreign(const char *name, bool callable);        /* is it another language's? */
/* the cure of an unknown name */
/* Tells of the name that is certainly meant instead of the one there, and fixes it; else false. */
bool cure_near(const struct like *, struct loc at);
void suggest(struct sema *, const struct ast *, bool callable);
struct loc ast_name_span(const struct ast *);            /* of the name that it begins with */

/* sema_kernel.c */
bool param_is_size(const struct ast_param *);                    /* size k: i64 */
void kernel_check(struct sema *, const struct ast_decl *);
/* What a kernel of another file has wrong is told; nothing is made of it. */
void kernel_try(struct sema *, const struct ast_decl *);
void kernel_names(const struct program *);                       /* no two of one C name */

/* sema_flow.c: the words after a condition, `every K at most N` */
struct loop_words { struct ast *const *at; int n, next; };
const struct ast *words_most(struct loop_words *);       /* N of `most N` at the end, or NULL */

/* sema_walk.c: functions that read arrays, loops that a limit ends */
struct loop_words;
bool names_size(struct sema *, const struct ast *type);          /* does its shape name a size? */
/* An array of any size, of an operator or a function of C: says so. */
bool array_refused(struct sema *, const struct ast_decl *, const struct ast_param *);
bool array_param(struct sema *, struct fn *, const struct ast_param *, struct var *);
void sizes_declare(struct sema *, const struct fn *);
bool sizes_bound_by(const struct fn *);          /* is every size what a call says; or reports */
bool read_inside(const struct expr *read);       /* proved, in a function */
bool read_possible(const struct expr *read);     /* no subscript is a constant outside: says so */
void index_range(struct var *, const struct expr *lo, const struct expr *hi);
bool while_limit(struct sema *, const struct ast_inner *, struct inner *);
/* the arguments that are arrays, and after them the sizes; NULL or false: reported */
struct expr *array_argument(struct sema *, const struct var *param, const struct ast *,
                            const char *function);
bool sizes_given(struct expr *call);
void walks_settle(struct sema *);        /* which functions may fail; after fn_order */
/* What no statement computes for a cell: a call in it that may fail is reported. */
bool never_fails(struct expr *);

/* sema_call.c */
/* The statements of a call, added to those that are made. */
struct made_nodes;
void call_check(struct sema *, const struct ast_stmt *, struct made_nodes *);
struct loc call_place(const struct sema *);             /* of the innermost call */
const char *call_kernel(const struct sema *);
struct expr *call_argument(const struct expr *, struct loc);     /* binding's `given`, once more */
/* The label of a statement: in a call that of the call is put before it; NULL: it has none. */
const char *call_label(const struct sema *, const char *label);
void call_labels(struct sema *, const struct ast_stmt *);        /* collects those in a call */

/* sema_layout.c */
/* of a block of aosoa, or of a tile along an axis, at most; sema_pin.c reads them, too */
enum { LAYOUT_CELLS = 1024 };
const struct ast *layout_ld(const struct ast_param *);           /* as written, or NULL */
bool layout_check(struct sema *, const struct ast_param *, struct var *);
void layout_names(const struct entry *);                       /* no two parameters of one C name */

/* sema_expr.c */
/* reports; own: a target of the statement */
void out_unwritten(struct loc, const struct var *, bool own);
struct expr *expr_check(struct sema *, const struct ast *);      /* may have a literal's type */
struct expr *expr_typed(struct sema *, const struct ast *, const struct type *, const char *what);
struct expr *expr_value(struct sema *, const struct ast *);      /* of some definite type */
struct expr *expr_bool(struct sema *, const struct ast *, const char *what);
struct expr *expr_index(struct sema *, const struct ast *);      /* any integer, as i64 */
struct expr *not_constant(struct loc);                           /* reports; NULL */
bool arguments(const struct ast *call, int wanted);              /* or reports */
const struct field *field_find(const struct record *, const char *name);         /* or NULL */
bool readable(const struct binding *, const struct ast *name);   /* R22; or reports */
/* of the array of one axis, or the table, that is named: its cell at that index */
struct expr *search_cell(struct sema *, const struct ast *name, struct var *index);
const struct math_row *math_find(const char *name);              /* NULL: none */
const char *ast_text(const struct ast *);                        /* short, for messages */
bool names_builtin(const char *);

/* sema_search.c */
bool is_search(const char *name);
bool search_names(const struct ast *, int arg);   /* a search's array, or its word: no value */
struct expr *check_search(struct sema *, const struct ast *);

/* sema_expand.c: expansion.h */
bool expansion_find(struct node *);      /* before its proofs; false: reported */
/* the statements that come before it; false: reported.  before: of its block, what is made */
struct made_nodes { struct node **at; int n, room; struct node *const *before; int earlier; };
bool expansion_made(struct sema *, const struct ast_stmt *, struct node *, struct made_nodes *);

/* an end of the range of index k, as the program says it, or as subscripts give it */
struct ast *index_bound(struct sema *, const struct ast_stmt *, const struct node *, int k,
                        bool high);

/* sema_made.c: a text of the compiler's own, whose holes are names or expressions */
struct filling {
	struct loc at;
	struct { const char *hole; const char *name; struct ast *tree; } hole[8 + 4 * MAX_RANK];
	int n;
};
void fill_name(struct filling *, const char *hole, const char *name);
void fill_tree(struct filling *, const char *hole, struct ast *);
void fill_statement(const struct filling *, struct ast_stmt *);
const char *name_free(struct sema *, const char *);              /* it, or it with a number */
struct ast *tree_new(struct loc, enum ast_kind, const char *name);
struct ast *tree_binary(struct loc, const char *op, struct ast *left, struct ast *right);
struct ast *tree_number(struct loc, int64_t);                    /* not negative */
struct ast *tree_affine(struct sema *, const struct affine *, struct loc);
/* As pattern_try, of a statement whose label the compiler has made. */
struct node *made_try(struct sema *, const struct ast_stmt *);
/* What a variable is called here: in a call its name there, or one that is declared for it. */
const char *name_here(struct sema *, const struct var *);
/* second may be NULL */
struct ast *tree_call(struct loc, const char *name, struct ast *first, struct ast *second);

/* sema_fold.c */
bool is_uniform(struct expr *);           /* one value for all cells of a statement */
struct expr *check_fold(struct sema *, const struct ast *);
/* argmin, argmax with all their results */
struct expr *fold_whole(struct sema *, const struct ast *);
struct expr *fold_result(struct expr *fold, int k);       /* of them: the value, then the indices */
/* lo or hi of a range; data: cells may bound it */
struct expr *range_bound(struct sema *, const struct ast *, bool data);
bool domain_infer(struct var *, struct expr *const *in, int n, struct affine *size, bool *clash);
const struct op *fold_find(struct sema *, const char *name);
bool folds_lawful(struct node *);                                /* R17 */
bool is_kth(struct sema *, const char *name);    /* no fold: patterns/kth/kth_sema.c */
/* The indices of a fold's brackets, their ranges, its `where`, and what it folds; NULL:
 * reported. */
struct expr *fold_terms(struct sema *, const struct ast *, struct fold *);
bool is_fold_name(const char *);

/* sema_literal.c */
struct expr *literal_number(const struct ast *, bool negative);
struct expr *literal_float(double, struct loc);
void literal_negate(struct expr *);
struct expr *expr_retype(struct expr *, const struct type *);    /* a tree of literals */
struct expr *expr_settle(struct expr *);                         /* no literal type left */

/* sema_conv.c */
bool is_literal(const struct type *);
bool is_int(const struct type *);                                /* literals too */
bool is_float(const struct type *);
bool is_numeric(const struct type *);
const struct type *natural(const struct expr *);                 /* R3: before promotion */
struct expr *expr_cast(struct expr *, const struct type *);      /* folds; no questions */
struct expr *expr_convert(struct expr *, const struct type *, const char *what);
struct expr *cast_check(struct expr *, const struct type *, struct loc);
struct expr *make_unary(enum operation, struct expr *, struct loc);
struct expr *make_binary(enum operation, struct expr *, struct expr *, struct loc);
struct expr *make_cond(struct expr *, struct expr *, struct expr *, struct loc);
struct expr *make_math(enum math, struct expr **arg, int n, struct loc);

/* sema_const.c: the constant, or the expression as it is */
struct expr *fold_cast(const struct expr *constant, const struct type *);
struct expr *fold_operation(struct expr *);
struct expr *fold_math(struct expr *);
bool is_comparison(enum operation);

/* sema_fn.c */
void fn_signature(struct sema *, struct callable *);
void fn_body(struct sema *, struct callable *);
void fn_order(struct sema *);
bool elem_in_range(const struct expr *subscript, int64_t extent);
bool index_exact(const struct expr *subscript);
struct expr *zero_of(const struct type *, struct loc);           /* NULL: it holds arrays */

/* sema_whole.c: arrays of a fixed size */
bool word_fits(const struct ast_inner *, const struct type *);           /* `spill`; or reports */
/* var a: T[n] = [...] */
struct inner *array_list(struct sema *, const struct ast_inner *, const struct type *);
/* to the arguments of a constructor: the elements of an array, or of a list */
bool array_add(struct sema *, struct expr *, const struct ast *, const struct type *,
               const char *what);
struct expr *array_box(struct expr *);                           /* an array, as type_boxed */
struct expr *array_unbox(struct expr *);                         /* and back; others stay */
struct expr *array_table(const struct var *, struct loc);        /* the value of a constant table */
struct expr *array_typed(struct sema *, const struct ast *, const struct type *, const char *what);
/* of a local: the type, boxed if its array is passed as a value; ... */
const struct type *array_local(struct sema *, const struct ast_inner *, const struct type *);
/* ... likewise what it begins with */
struct expr *array_begin(struct sema *, const struct ast_inner *, struct expr *);
void array_assign(struct inner *);                               /* boxed to boxed: the struct */

/* sema_array.c: the indices of arrays in a function, whose body has no error */
void arrays_settle(struct fn *);

/* sema_law.c */
void op_claims(struct sema *, struct callable *);

/* sema_manner.c */
void manner_statement(struct sema *, struct node *, enum manner);        /* marks what it touches */

/* sema_extern.c */
const char *extern_header(const struct ast_decl *);              /* of `from`; NULL: reported */
/* one declaration, said twice */
bool extern_equal(const struct ast_decl *, const struct ast_decl *);

/* laws.c: are the claims of operators true */
void laws_check(struct sema *);
bool law_distributes(struct sema *, const struct op *dist, const struct op *acc,
                     const struct type *);
/* who says that it does */
char *law_source(struct sema *, const struct op *dist, const struct op *acc, const struct type *);
/* or NULL */
char *law_refuted(struct sema *, const struct op *dist, const struct op *acc, const struct type *);
/* "`*`, `min`": what distributes over it */
char *law_fitting(const struct op *acc, const struct type *);

/* sema_clause.c */
bool clauses_split(const struct pattern *, const struct ast_stmt *, struct node *);
/* not both */
bool clauses_agree(const struct node *, const char *name, const char *other, const char *why);
bool own_forms(const struct pattern *, const struct ast_stmt *); /* else, using, in */

/* sema_domain.c */
struct domain { LIST(struct var *) index; LIST(struct expr *) lo, hi; };
bool domain_collect(struct sema *, const struct ast_stmt *, const struct pattern *,
                    struct domain *);
bool domain_complete(struct node *);
/* the range that `for` gives this index, or NULL */
const struct ast_range *range_named(const struct ast_stmt *, const char *name);
bool has_index(struct expr *);            /* of a statement or a fold */
/* every cell of it, but for a mask */
bool target_whole(const struct node *, const struct expr *read);
bool domain_whole(const struct node *);

/* sema_stmt.c */
void labels_collect(struct sema *, struct ast_stmt *const *, int n);
void stmts_check(struct sema *, struct ast_stmt *const *, int n, struct node ***at, int *count,
                 int *room);
#define MAX_EQUATIONS 256
/* The cell that a target names, and its variable in *root; NULL: reported. */
struct expr *target_cell(struct sema *, const struct ast *, struct binding **root);
struct binding *target_binding(struct sema *, const struct ast *);       /* NULL: reported */
const struct ast *target_root_ast(const struct ast *);   /* the variable under its fields */
struct node *node_new(const struct sema *, const struct ast_stmt *, enum node_kind);
void equation_add(struct node *, struct expr *target, struct expr *right);
const char *node_name(struct sema *, const struct node *);
bool node_check(struct sema *, struct node *);
/* the node, complete; NULL after an error */
struct node *pattern_try(struct sema *, const struct ast_stmt *);

/* sema_assign.c */
struct expr *assign_op(struct sema *, const char *assign, struct expr *target, struct expr *right,
                       struct loc);                              /* y op= e is y = op(y, e) */

/* sema_reshape.c: of a kernel's statements, when all are known */
void reshapes_check(struct entry *);

/* sema_instead.c: sema_instead and sema_cure are in front.h */
struct before {                          /* what checking a statement changes, beside its node */
	LIST(struct written { struct binding *at; bool written; }) target;
	int earlier, fresh;
	int ordinal[sizeof ((struct sema *)NULL)->ordinal / sizeof(int)];
};
struct before before_of(struct sema *, const struct ast_stmt *);
void before_put_back(struct sema *, const struct before *);
void instead_clear(void);                /* before a statement is checked */
/* the cure of its last error */
void instead_say(struct sema *, const struct ast_stmt *, const struct before *);

/* How a pattern reads its statements, where it is not done as with those of cells; each may be
 * NULL. */
struct front {
	/* all of it, its indices too */
	bool (*statement)(struct sema *, const struct ast_stmt *, struct node *);
	/* before the equations */
	bool (*open)(struct sema *, const struct ast_stmt *, struct node *);
	/* a running fold in one of them, `sum(e)` or `sum[i](e)`; may it have no terms */
	bool (*fold)(struct sema *, struct fold *, const struct ast *);
	bool (*may_be_empty)(const struct node *, const struct fold *);
	/* instead of typing each */
	bool (*equations)(struct sema *, const struct ast_stmt *, struct node *);
	bool (*close)(struct sema *, struct node *);                      /* after they are typed */
	bool (*settle)(struct sema *, struct node *);            /* after the proof of its bounds */
	/* once it is right, out of its scope: statements that come with it */
	bool (*made)(struct sema *, const struct ast_stmt *, struct node *);
};

/* sema_cut.c */
bool cuts_agree(const struct node *);    /* one clause at most says where sequences begin */
bool cuts_settle(struct sema *, struct node *);

/* sema_sign.c: ○ and ◇ */
bool signs_check(struct sema *, const struct ast_stmt *);
struct expr *sign_apply(struct sema *, const struct ast *, struct expr *, struct expr *);
const struct op *sign_op(const char *text);                  /* & | ^ as operators; NULL: no such */
const char *op_symbol(const struct op *);                      /* as it is written between values */

/* sema_combine.c: the operator of an equation whose items may meet in one cell */
bool combine_close(struct sema *, const struct node *, const struct ast_equation *,
                   struct equation *);

/* sema_flow.c */
struct node *swap_check(struct sema *, const struct ast_stmt *);
struct node *let_check(struct sema *, const struct ast_stmt *);
/* One more condition of every call of this kernel, if it is new; false: too many, reported. */
bool require(struct sema *, struct expr *condition, struct loc);
void require_check(struct sema *, const struct ast_stmt *);
/* its branches, and the let of their condition; NULL: no such one */
enum { IF_NODES = 3 };
void if_check(struct sema *, const struct ast_stmt *, struct node *made[IF_NODES]);
struct node *repeat_count(struct sema *, const struct ast_stmt *);
struct node *repeat_until(struct sema *, const struct ast_stmt *);
/* sema_every.c: what only the condition of such a loop needs is put off */
void every_put_off(struct entry *);
/* may a pass before have written it?  The repeat will say */
bool earlier_presume(struct sema *, const struct expr *read, bool own);

/* sema_test.c */
struct test *test_check(struct sema *, const struct ast_decl *);

/* sema_pin.c */
void pins_check(struct program *, const struct ast_decl *, bool tuning);   /* a schedule block */

/* sema_when.c */
bool whens_any(const struct sema *, const struct ast_decl *kernel);
/* what has the statements of s->entry with its variants; NULL: reported */
const struct ast_stmt *whens_body(struct sema *, const struct ast_decl *kernel);
void variant_begin(struct sema *, int variant);

#endif
