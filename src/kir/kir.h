/* kir.h - kernel IR: the small C-like tree that every pattern lowers to, for GPU kernels, CPU loops
 * and the host function that launches them; built by the k_ and x_ functions, checked by kircheck
 * after every lowering, simplified by kirfold, printed by cprint with the dialect of a target.
 *
 * x_ builds expressions, k_ appends statements to the kernel under construction.  k_if, k_for,
 * k_while and k_scope open a body, k_end closes it.  A name that is taken gets a suffix, x, x_2,
 * x_3: in the whole kernel while it is built, in the bodies that see the other x when it is
 * printed. */
#ifndef KIR_H
#define KIR_H

#include "graph.h"
#include "target.h"

/* ---- types and variables ---- */

/* lanes > 1: short vector */
struct ktype { const struct type *type; int lanes; bool pointer, is_const; };
struct ktype kt(const struct type *);                     /* a value */
struct ktype kt_scalar(enum scalar);
struct ktype kt_pointer(const struct type *, bool is_const);
struct ktype kt_vector(const struct type *, int lanes);
bool kt_equal(struct ktype, struct ktype);
const char *kt_word(const struct type *);                 /* what moves it: bf16 is u16 */

enum kvar_kind {
	KV_PARAM, /* of a kernel, or of the host function */
	KV_LET,   /* declared with a value, never assigned: printed const */
	KV_VAR,   /* assigned */
	KV_REGS,  /* T r[n]: every index is constant after unrolling (kircheck) */
	/* one per block: T s[n], or what the launch requests: T *s; on a CPU the thread's own */
	KV_SHARED,
	KV_FOR /* the variable of a for */
};
struct kvar {
	enum kvar_kind kind;
	/* wanted: what kirnames calls it where nothing of that name is visible */
	const char *name, *wanted;
	struct ktype type;
	int64_t count;                        /* KV_REGS, KV_SHARED */
	bool is_local;             /* KV_REGS of a user's fn: sema_array.c has judged the indices */
	int align;                            /* KV_SHARED: bytes, 0: that of its type */
	bool asked;                           /* KV_SHARED: of what the launch requests */
	struct kx *value;                     /* KV_LET: what it was declared with */
	bool restrict_;                   /* KV_PARAM pointer: no other pointer reaches its cells */
	bool is_given;                   /* k_name: declared before the body by whoever prints it */
	struct kvar *same;        /* a variable that has its value and is used instead: kirtrim.c */
	bool named;                           /* KV_FOR: it is the `same` of others */
	bool is_wide;      /* printed outside of its body as well: no other variable has its name */
	bool is_choice;                  /* KV_PARAM: of the template: Note [choices] */
};

/* ---- expressions ---- */

enum kx_kind {
	KX_INT, KX_FLOAT,                     /* a constant of type */
	KX_VAR,
	KX_OP,                          /* C's operator; no overflow may happen here (see x_help) */
	KX_COND,
	KX_CAST,                              /* C's conversion, the value known to fit */
	KX_AT,                                /* arg[0][arg[1]]: pointer, regs or shared */
	KX_OFFSET,                            /* arg[0] + arg[1]: pointer arithmetic */
	KX_FIELD,                             /* arg[0].name */
	KX_ELEM,                         /* arg[0].name[arg[1]]: a field that is an array (name), */
	                                      /* or of a constant table (table, arg[1]) */
	KX_LANE,                            /* element i, or arg[1], of vector arg[0]; assignable */
	KX_VLOAD,                            /* the vector at pointer arg[0], aligned to its size */
	KX_MAKE,                              /* (Record){arg...} */
	KX_CALL,                              /* the user's fn; of a header, if it has a name */
	KX_HELP,                              /* helper NAME(arg...): a row of the helper table */
	KX_MATH,                              /* C's math.h function of that type */
	KX_ID                                 /* thread.x ... by enum kid */
};
enum kid {
	ID_THREAD_X,
	ID_THREAD_Y,
	ID_THREAD_Z,
	ID_BLOCK_X,
	ID_BLOCK_Y,
	ID_BLOCK_Z,
	ID_GRID_X,
	ID_GRID_Y,
	ID_GRID_Z
};

struct kx {
	enum kx_kind kind;
	struct ktype type;
	enum operation op;
	enum math math;
	enum kid id;
	int64_t i; double f;
	struct kvar *var;
	const struct var *table;
	const struct fn *fn;
	const char *name;
	int n; struct kx **arg;
};

struct kx *x_int(enum scalar, int64_t);
struct kx *x_i64(int64_t);
struct kx *x_i32(int64_t);
struct kx *x_float(enum scalar, double);
struct kx *x_value(const struct type *, struct value);
struct kx *x_var(struct kvar *);
struct kx *x_op(enum operation, struct kx *, struct kx *);        /* types equal, but for shifts */
struct kx *x_unary(enum operation, struct kx *);
struct kx *x_add(struct kx *, struct kx *), *x_sub(struct kx *, struct kx *),
	*x_mul(struct kx *, struct kx *);
struct kx *x_div(struct kx *, struct kx *), *x_rem(struct kx *, struct kx *);
struct kx *x_div_up(struct kx *, struct kx *);            /* i64, a >= 0, b > 0: ceiling of a / b */
struct kx *x_lt(struct kx *, struct kx *), *x_le(struct kx *, struct kx *);
struct kx *x_eq(struct kx *, struct kx *), *x_ne(struct kx *, struct kx *);
/* && ||; NULL is neutral */
struct kx *x_and(struct kx *, struct kx *), *x_or(struct kx *, struct kx *);
struct kx *x_cond(struct kx *, struct kx *, struct kx *);
/* integers: helpers */
struct kx *x_min(struct kx *, struct kx *), *x_max(struct kx *, struct kx *);
struct kx *x_cast(struct ktype, struct kx *);                    /* nothing if the type is equal; */
		/* a helper to and from small floats */
struct kx *x_to_i64(struct kx *), *x_to_i32(struct kx *);
struct kx *x_at(struct kx *, struct kx *);
struct kx *x_offset(struct kx *, struct kx *);
struct kx *x_field(struct kx *, const struct field *);
struct kx *x_elem(struct kx *record, const struct field *, struct kx *index);
struct kx *x_table(const struct var *, struct kx *index);
struct kx *x_lane(struct kx *vector, int lane);
struct kx *x_lane_at(struct kx *vector, struct kx *lane);         /* constant once unrolled */
struct kx *x_vload(struct kx *pointer, int lanes);
struct kx *x_make(const struct type *, int n, struct kx **);
struct kx *x_call(const struct fn *, int n, struct kx **);
struct kx *x_outside(const struct fn *, int n, struct kx **);     /* an extern fn itself */
struct kx *x_help(struct ktype result, const char *name, int n, struct kx **);
/* i64 that may wrap: OP_ADD, OP_SUB, OP_MUL */
struct kx *x_wrapping(enum operation, struct kx *, struct kx *);
struct kx *x_math(enum math, const struct type *, int n, struct kx **);
struct kx *x_id(enum kid);                                        /* i32 */
bool x_is_int(const struct kx *, int64_t);                        /* a constant of that value */
bool x_constant(const struct kx *, int64_t *);

/* ---- statements ---- */

enum ks_kind {
	KS_DECL,    /* var [= a], or from byte b on of what the launch requests */
	KS_SET,     /* a = b */
	KS_IF,      /* if (a) body else otherwise */
	KS_FOR,     /* for (var = a; var < b; var += c) body */
	KS_WHILE,   /* while (a) body */
	KS_SCOPE,   /* { body } */
	KS_DO,      /* a: a helper called for its effect */
	KS_VSTORE,  /* the vector at pointer a, or number c from there on, = b */
	KS_BARRIER, /* of the block; every thread of it arrives */
	KS_RETURN,  /* [a] */
	KS_BREAK,
	KS_CONTINUE,
	KS_NOTE, /* text: a comment line */
	/* host: kernel, grid[3], arg..., asking for a bytes, its choice is b; on a CPU a call.
	 * With a var, which it declares: of all blocks that the device holds at a time, at most
	 * grid[0]; was it launched?  In a kernel: block a of that grid is computed here, by
	 * kernel->part */
	KS_LAUNCH,
	KS_CLEAR /* host: b bytes at pointer a become 0, in stream order */
};
enum {
	FOR_UNROLL = 1, FOR_PARALLEL = 2, FOR_SIMD = 4,
	FOR_ROLLED = 8,                       /* never unroll */
	FOR_DYNAMIC = 16,          /* of a parallel one, threads take the next when they are done */
	FOR_EIGHTS = 32,                     /* eight passes at once */
	FOR_TWOS = 64,                       /* two passes at once, */
	FOR_FOURS = 128                     /* or four */
};
struct ks_list { struct ks **at; int n, room; };
/* A `repeat until` as the host's loop over its passes.  stop: a word of the device that is not 0
 * once no pass is to follow; those of the loops and branches around it: if one is not 0, no pass is
 * to be.  order: after so many passes each pointer is where it was. */
struct ks_repeat { struct kx *stop; LIST(struct kx *) around; int64_t order; };
struct ks {
	enum ks_kind kind;
	struct loc at;                        /* in the .pat; line 0: it is no statement's */
	struct kvar *var;
	struct kx *a, *b, *c;
	int flags;
	const char *text;
	struct ks_list body, otherwise;
	struct kernel *kernel;
	struct kx *grid[3];
	int n; struct kx **arg;
	const struct ks_repeat *repeat;       /* host, KS_FOR: it is one, or NULL */
	bool passes;                          /* host, a loop: of passes of the repeat around it */
};

/* Note [choices] A choice is a condition that the host decides and that shapes a whole kernel of a
 * GPU: whether its rows begin at multiples of 16 bytes, so that copies are wide.  It is a parameter
 * of the kernel's template.  So the text has the kernel once, and each value has its own machine
 * code, whose registers, trip counts and addresses are those of a kernel for this value alone.
 *
 * A condition that selects a few statements, and costs nothing when it is tested in the kernel, is
 * an ordinary parameter (k_param).  Kernels that share little text are two texts.  Test which one
 * it is: in products, a test at run time cost 2 to 7 %.  Sizes of arrays and indices of registers
 * are numbers that do not depend on the choice. */
/* What a compiler says that a thread takes, the most of all instances of the kernel. */
struct usage { int registers, spilled; };               /* spilled: bytes that go to memory */
struct kernel {
	const char *name;
	const char *note;                     /* what it does: printed above it */
	const struct target *target;
	bool is_host;                         /* the body of an entry's function */
	LIST(struct kvar *) param;
	struct kvar *choice;                  /* or NULL; not among param: Note [choices] */
	struct kx *chosen;                    /* host: what it is in the next launch */
	LIST(struct kvar *) var;              /* every variable, parameters included */
	struct map taken;                    /* names in use, interned: the number each gets next */
	struct ks_list body;
	struct node *node;                /* the statement that it computes, or NULL: for remarks */
	LIST(const struct node *) more;       /* others that it computes, as a loop has; or all */
	int block[3];                         /* threads; 0 in host functions and CPU loops */
	/* registers for so many blocks of a multiprocessor; 0: as the compiler likes */
	int min_blocks;
	const char *part;      /* of a GPU: the function with what one block computes, or NULL */
	int64_t asked_bytes;   /* of shared memory that the launch requests, at least; */
	struct kx *asks;                      /* host, i32: of so many; NULL: of those */
	LIST(struct ks_list *) open;          /* the builder's stack of bodies */
	LIST(struct ks *) opener;
	struct usage *usage;                  /* or NULL: nobody has asked */
	struct loc at;                        /* given to the statements that follow */
	struct lowering *lowering;            /* that makes it, or NULL */
	struct known_list *known;             /* names of kernel text: ktext.c; ... */
	/* ... the text that is read; the element of lists that it is at */
	struct ktext *text; int each;
};

struct kernel *kernel_new(const char *name, const struct target *);
int kernel_threads(const struct kernel *);                     /* of a block; 0: a function */
bool kernel_computes(const struct kernel *, const struct node *anchor);
/* Bytes of shared memory that a block has, without what a launch requests. */
int64_t kernel_shared_bytes(const struct kernel *);
/* before plans are made: no variable hides a struct or an extern fn */
void kir_reserve(const struct program *);
/* of a kernel: no other function of the output has it */
const char *kir_function(const char *wanted);
/* C's words, the helpers' prefixes and reserved names get a `_` */
const char *kir_safe(const char *name);
/* no statement */
struct kvar *k_name(struct kernel *, enum kvar_kind, struct ktype, const char *name);
struct kvar *k_param(struct kernel *, struct ktype, const char *name);      /* pointers: restrict */
/* The parameter of the kernel's template, which has one at most.  If the host's condition is a
 * constant, that constant, and the kernel is no template. */
struct kx *k_choice(struct kernel *, const char *name, struct kx *host);
struct kvar *k_let(struct kernel *, const char *name, struct kx *value); /* const T name = value; */
/* value or NULL */
struct kvar *k_var(struct kernel *, struct ktype, const char *name, struct kx *value);
struct kvar *k_regs(struct kernel *, const struct type *, const char *name, int64_t count);
struct kvar *k_shared(struct kernel *, const struct type *, const char *name, int64_t count);
/* The same from memory that the launch requests, at a multiple of 16 bytes: a block may have more
 * of it. */
struct kvar *k_shared_asked(struct kernel *, const struct type *, const char *name, int64_t count);
/* From byte (i32) on of as many as the kernel requests: their number is known at run time. */
struct kvar *k_shared_from(struct kernel *, const struct type *, const char *name, struct kx *byte);
void k_set(struct kernel *, struct kx *target, struct kx *value);
void k_if(struct kernel *, struct kx *condition);
void k_else(struct kernel *);
struct kvar *k_for(struct kernel *, const char *name, struct kx *lo, struct kx *hi, struct kx *step,
                   int flags);
/* type of lo */
void k_while(struct kernel *, struct kx *condition);
void k_scope(struct kernel *);
void k_into(struct kernel *, struct ks_list *);           /* at the end of that list */
void k_end(struct kernel *);
void k_do(struct kernel *, struct kx *);
void k_vstore(struct kernel *, struct kx *pointer, struct kx *vector);
void k_vstore_at(struct kernel *, struct kx *pointer, struct kx *index, struct kx *vector);
void k_barrier(struct kernel *);
void k_return(struct kernel *, struct kx *);
void k_break(struct kernel *), k_continue(struct kernel *);
void k_note(struct kernel *, const char *format, ...) __attribute__((format(printf, 2, 3)));
void k_launch(struct kernel *host, struct kernel *, struct kx *gx, struct kx *gy, struct kx *gz,
              int n, struct kx **arg);
/* Of all blocks that the device holds at a time, at most `most`: was it launched? */
struct kvar *k_launch_together(struct kernel *host, struct kernel *, struct kx *most, int n,
                               struct kx **arg);
/* In a kernel of a GPU: what block `number` (i64) of that grid of another kernel computes. */
void k_part(struct kernel *, struct kernel *of, struct kx *number, struct kx *const grid[3], int n,
            struct kx **arg);
void k_clear(struct kernel *host, struct kx *pointer, struct kx *bytes);

typedef void kx_visit(struct kx *, void *);                      /* an expression, operands first */
void kx_walk(struct kx *, kx_visit *, void *);
void ks_walk(const struct ks_list *, kx_visit *, void *);
/* a visit: a variable that has another name is that one */
void kx_use_same(struct kx *, void *unused);
void kx_mark_var(struct kx *, void *map);             /* a visit: which variables there are */

/* ---- kirask.c: what the passes over kernels ask ---- */

bool kx_has_effect(struct kx *);          /* may its evaluation be left out? */
bool kx_fixed(const struct kx *);         /* a constant in each instance: Note [choices] */
bool kx_costs(const struct kx *);         /* of its own: a call, a division, a function */
bool kx_hazard(const struct kx *);   /* not to be evaluated where it was not: a load, a call, ... */
bool kx_keeps(const struct kx *);         /* may a variable hold it? */
struct kx *kx_unless_known(struct kx *);  /* NULL: its value is known, so it is no condition */
bool kx_opaque(struct kx *);     /* never equal to another: a helper with an effect or an address */
bool kx_same(const struct kx *, const struct kx *);               /* written alike */
enum kx_memory { MEMORY_NONE, MEMORY_CONST, MEMORY_OPEN };   /* open: it may be written meanwhile */
enum kx_memory kx_memory(const struct kx *);
struct kir_changes { struct map var; bool memory; };            /* variables declared or assigned */
void kir_changes(const struct ks_list *, struct kir_changes *);
bool ks_has(const struct ks_list *, enum ks_kind);      /* such a statement, at any depth? */
bool ks_leaves(const struct ks *);        /* a return, break or continue is in it */
const char *kx_word(const struct kx *);   /* a name for a variable that holds it, or NULL */
int kx_multiple(const struct kx *);   /* kirmultiple.c: a float is one of 2^-that; or large */

/* ---- pass_cse.c, pass_hoist.c, pass_divide.c, pass_together.c: over the kernels of a plan ---- */

struct plan;
void pass_cse(struct plan *, const struct options *);
void pass_hoist(struct plan *, const struct options *);
void pass_divide(struct plan *, const struct options *);
void pass_together(struct plan *, const struct options *);     /* after all that change kernels */
/* of a user's function, for a GPU */
void divide_function(struct kernel *, const struct options *);

/* ---- kircheck.c, kirfold.c, kirtrim.c, kirrange.c, kirnames.c, cprint.c ---- */

void kircheck(const struct kernel *);   /* asserts: types, declared before use, constant register */
                                          /* indices, barriers only under uniform control flow */
struct kx *kx_fold(struct kx *);
bool kx_decided(const struct kx *, bool *holds);   /* a comparison, by the ranges of its operands */
void kirfold(struct kernel *);            /* constants, x + 0, x * 1, if (true), empty bodies */
bool ks_never_passed(const struct ks_list *);                  /* nothing that follows is reached */
/* constants that name others; known conditions: any? */
bool kir_unalias(struct kernel *), kir_decide(struct kernel *);
void kirtrim(struct plan *);           /* parameters that nothing reads, or that are always equal */
/* of a kernel that is complete: names are free after their bodies */
void kirnames(struct kernel *);
void kernel_dump(const struct kernel *, FILE *);

struct dialect {                          /* the spelling of one target; see backends/ */
	const char *kernel_prefix;            /* "static __global__ void" */
	const char *shared_prefix;            /* "__shared__ " */
	const char *function_prefix;          /* "static __device__ __forceinline__ " */
	const char *table_prefix;             /* "static __device__ const " */
	const char *barrier;                  /* "__syncthreads();" */
	const char *unroll;                   /* "#pragma unroll" */
	const char *restrict_;                /* "__restrict__" */
	const char *const *id;                /* "(int32_t)threadIdx.x", ... by enum kid */
	bool cpp;                             /* C++: Record{...}; C: (Record){...} */
	bool loops;                           /* CPU: prints omp pragmas */
	bool places;                   /* -g: statements are at their lines of the .pat */
	bool host;                      /* functions and tables are the host's: patc_host_fn_NAME */
	const char *const *part_id;           /* id, in the part of a kernel */
	int simds;     /* of a multiprocessor, if launch bounds count the warps of one; 0: blocks */
	const struct target *target;
	void (*launch)(const struct ks *, int depth, FILE *);   /* KS_LAUNCH */
	void (*clear)(const struct ks *, int depth, FILE *);    /* KS_CLEAR */
};
void cprint_kernel(const struct kernel *, const struct dialect *, FILE *);
/* every machine that the text is for holds min_blocks of its blocks */
bool cprint_bounds_fit(const struct kernel *);
/* lower_function has made the kernel */
void cprint_function(const struct fn *, const struct kernel *, const struct dialect *, FILE *);
void cprint_body(const struct ks_list *, const struct dialect *, int depth, FILE *);
void cprint_expr(const struct kx *, const struct dialect *, FILE *);
void cprint_line(const char *, int depth, FILE *);                    /* broken before column 100 */
void cprint_table(const struct var *, const struct dialect *, FILE *);       /* const W: f32[5] */
const char *ktype_c(struct ktype);        /* "const float *", "patc_f32x4" */

/* ---- place.c: which lines of an output are the program's (-g) ---- */

/* What follows, from the next line on, is of that place; of line 0: of the output itself. */
void place_print(struct loc, FILE *);
void place_name(const char *, FILE *);    /* of a file, within a string of C */
/* Lines of an output in which places were printed, without the line feed; at.line 0: of the output
 * itself. */
typedef void place_line(void *state, struct loc at, const char *line, size_t length);
void places_lines(const char *text, place_line *, void *state);
/* The whole output, with directives #line in their stead; own: its name. */
void places_resolve(const char *text, const char *own, FILE *);

/* ---- helper.c: the helper table, from the texts in backends/rt ---- */

bool helper_has_effect(const char *name); /* interned; it may not be left out, moved or repeated */
/* its result is the same in all threads of a block */
bool helper_is_uniform(const char *name);
bool helper_known(const char *name, const struct target *);
/* How many parameters it takes, and their types and its own; -1: more than `most`, or of types that
 * KIR has not. */
int helper_signature(const char *name, const struct target *, struct ktype *result,
                     struct ktype *param, int most);

struct lowering;                          /* lower.h */

#endif
