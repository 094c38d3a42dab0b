/* ktext.h - kernels as text: files NAME.kernel beside the lowerings say what the kernels do, in the
 * syntax that `patc --dump=kir` prints; C decides which text is used, and fills its holes.
 *
 *     text count_keys(digit) gives total {
 *         unroll for (i32 e = 0; e < EACH; e++)
 *             patc_count(counts + warp * DIGITS + digit(e));
 *         const i64 total = ...;
 *     }
 *     value count_at(warp, digit) = warp * DIGITS + digit;
 *
 * k_text(k, "count_keys", digit) appends the statements to the body that is open; k_value is the
 * expression of a value. A text may use others like functions: `count_keys(d);`, `count_at(w, d)`.
 * They are substituted, not called: an argument is computed where it is written.
 *
 * A name means, in this order: a parameter of the text, or what it declared in a body that is still
 * open; the same of the text that uses this one; what was bound to the kernel (k_bind), or given by
 * a text before, in a body that is still open.  What a text declares is its own, but for what it
 * gives.  A name of none of these is a failed assertion with file and line.
 *
 *   types      bool i8 .. u64 f32 f64, and %NAME for one that is bound; f32x4 is a vector of four;
 *              TYPE(x) converts
 *   const      `const i64 n = ...;` is a constant, `i64 n = ...;` a variable, `const auto p = ...;`
 *              has its value's type
 *   let        `let p = ...;` is a name for the expression: it is computed where p is written
 *   arrays     `%KEY key[EACH];` in registers, `shared i32 count[8];` in shared memory
 *   loops      for (T i = lo; i < hi; i += step), after unroll, rolled, eights, fours or
 *              twos (so many passes at once), parallel, dynamic or simd
 *   functions  those of the language (min, max, popcount ...), div_up, vector(pointer, lanes),
 *              helpers of backends/rt; shfl_up(x, by) is the helper patc_shfl_up_T for x of type T,
 *              if there is one
 *   effects    barrier; store(pointer, vector); helpers of backends/rt with an effect
 *   notes      a // comment that begins a line is a comment of the kernel as well
 *
 * Known to all texts of kernels are LANES (of a warp), LANE_BITS, %MASK (an unsigned integer with a
 * bit a lane), MASK_BITS of it, and, on a GPU, thread (in its block, i32).
 *
 * A number without a type has the type of its other operand.  An integer widens by itself where no
 * value is lost; everything else is converted by name.  `if` of a condition that the holes decide
 * leaves nothing of the other branch: names in it need not exist.  The same holds for the other
 * side of such a condition in `?:`, `&&` and `||`. */
#ifndef KTEXT_H
#define KTEXT_H

#include "kir.h"

/* k_text(k, "name", x, y), k_value(k, "name", x): as many values follow as the text has parameters,
 * struct kx * each. The text is one of the folder of the C file, or of patterns/ itself; so two
 * patterns may use the same name. */
#define k_text(...) k_text_of(__FILE__, __VA_ARGS__)
#define k_value(...) k_value_of(__FILE__, __VA_ARGS__)
void k_text_of(const char *file, struct kernel *, const char *name, ...);
struct kx *k_value_of(const char *file, struct kernel *, const char *name, ...);

/* The value of a name that is bound, or that a text has given. */
struct kx *k_get(struct kernel *, const char *name);

/* What a name means from here to the end of the body that is open: a value, a number, a type, or a
 * word (a variable that a text declares by this name is called so in the kernel). */
#define k_bind(k, name, meaning)                                                                   \
	_Generic((meaning), \
	struct kx *: bind_value, struct kvar *: bind_variable, \
	int: bind_number, int64_t: bind_number, bool: bind_truth, \
	const struct type *: bind_type, struct ktype: bind_ktype, \
	char *: bind_word, const char *: bind_word)(k, name, meaning)
void bind_value(struct kernel *, const char *name, struct kx *),
	bind_variable(struct kernel *, const char *name, struct kvar *);
void bind_number(struct kernel *, const char *name, int64_t),
	bind_truth(struct kernel *, const char *name, bool);
void bind_type(struct kernel *, const char *name, const struct type *),
	bind_ktype(struct kernel *, const char *name, struct ktype);
void bind_word(struct kernel *, const char *name, const char *word);

/* Several numbers: k_numbers(k, "ROWS, COLS", rows, cols). */
#define k_numbers(k, names, ...) bind_numbers(k, names, \
	sizeof (const int64_t[]){ __VA_ARGS__ } / sizeof(int64_t), \
	(const int64_t[]){ __VA_ARGS__ })
void bind_numbers(struct kernel *, const char *names, int n, const int64_t *);

/* What was bound since k_names is forgotten. */
int k_names(const struct kernel *);
void k_forget(struct kernel *, int names);

/* Lists: `each (NAME) statement` in a text repeats the statement for their elements, side by side;
 * what is declared in it, or given by a text that it uses, is a list as well, and such a text is
 * about the same element.  `name@1` is the second element of a list; `name@N` one whose number the
 * text knows.  `each (NAME == 1) statement`: for that element alone. `each (w < 4) statement`
 * repeats it with w = 0, 1, 2, 3; outside of other `each`, `name@w` is what pass w declared, of
 * lists the element at hand.  `each back (NAME) statement` begins with the last element.  A name
 * that the statement declares means, before it does so, what the element before has declared, or
 * what it meant before `each`.  k->each is the number of the element while a function of C runs. */
void bind_values(struct kernel *, const char *name, int n, struct kx *const *);
/* Of numbers; with several names, "A, B", they are the columns of a table of n rows. */
void bind_listed(struct kernel *, const char *names, int n, const int64_t *);
void bind_types(struct kernel *, const char *name, int n, const struct type *const *);
void bind_ktypes(struct kernel *, const char *name, int n, const struct ktype *);
void bind_words(struct kernel *, const char *name, int n, const char *const *);

/* A function of C: `name(x, y)` in a text gives what it returns (may be NULL where it is a
 * statement). */
typedef struct kx *ktext_hole(struct lowering *, const void *state, struct kx *const *arg);
/* The head of one, which need not use all that it is given. */
#define KTEXT_HOLE(name) static struct kx *name(struct lowering *l __attribute__((unused)), \
	const void *state __attribute__((unused)), struct kx *const *arg __attribute__((unused)))
void k_bind_call(struct kernel *, const char *name, ktext_hole *, const void *state);
/* Many with one state, as a list CALLS(DO, GET) of rows DO(name, statement) and GET(name, value).
 * A row uses the state by the name that KTEXT_CALL gets, the lowering `l`, and the arguments `arg`:
 *
 *     #define HOLE_DO(name, call) KTEXT_CALL(struct visit, s, name, call; return NULL;)
 *     #define HOLE_GET(name, value) KTEXT_CALL(struct visit, s, name, return value;)
 *     CALLS(HOLE_DO, HOLE_GET)
 *     k_bind_calls(k, state, CALLS(KTEXT_ROW, KTEXT_ROW)); */
#define KTEXT_CALL(type, s, name, body) \
	KTEXT_HOLE(call_##name) { type *s = (type *)state; (void)s; body }
#define KTEXT_ROW(name, call) { #name, call_##name },

/* Several with one state: k_bind_calls(k, state, { "load", load }, { "word", word }). */
struct ktext_call { const char *name; ktext_hole *call; };
#define k_bind_calls(k, state, ...)                                                                \
	bind_calls(k, state,                                                                       \
	           sizeof(const struct ktext_call[]){ __VA_ARGS__ } / sizeof(struct ktext_call),   \
	           (const struct ktext_call[]){ __VA_ARGS__ })
void bind_calls(struct kernel *, const void *state, int n, const struct ktext_call *);

/* What only functions of C can look into, such as the variables of a total: a text names it (let),
 * and hands it on. */
struct kx *k_object(void *);
void *k_object_of(const struct kx *);

/* Every text is read, with every name unknown: for the unit test.  Asserts. */
void ktext_check(void);

#endif
