/* sort.h - what the lowerings of sort and segsort share.
 *
 * What a node of a sort is says sorting.h; this header asks it in the words of a lowering:
 *   keys       sort_key() at the bound indices.  Never evaluated but at cells of the array
 *   what moves the node's equations, one an array (or a part of one, where its fields lie apart):
 *              with the running index bound to the cell that comes, sort_value() is what moves;
 *              with it bound to the place, sort_store() puts it there.  `into`: the value is the
 *              running index itself
 *   order      sort_before(): does the second key go before the first?  sort_word(): an unsigned
 *              integer that orders as the key does, for radix and for networks of min and max
 *   sequences  rows x segments, numbered; sort_range() is where one lies, cut to its axis whatever
 *              the data say
 *   stable, first    node->sorting; sort_wanted() is how many places of a sequence are written
 * sort_order.c is the one place that knows how keys compare.
 *
 * Note [some permutation].  A function of the program that is no strict order may say anything, and
 * the result is still to be a permutation.  So who merges two runs in parts, each found by a binary
 * search of its own, lets the parts end where the next ones begin, and sees to it that those places
 * rise. */
#ifndef SORT_H
#define SORT_H

#include "lower.h"
#include "running.h"
#include "sorting.h"

/* ---- sort_order.c: keys as values ---- */

struct var *sort_index(const struct node *);             /* the running index */
/* as it is stored: small floats are words (kt_word) */
const struct type *sort_key_type(const struct node *);
/* The key of the cell to which the indices are bound. */
struct kx *sort_key(struct lowering *, const struct node *);
/* b goes before a, of two keys, each a variable or a cell: never both ways, whatever NaN and zeros
 * there are; a function of the program may say anything.  A stable sort lets the later cell go
 * first only where this says so. */
struct kx *sort_before(struct lowering *, const struct node *, struct kx *b, struct kx *a);
/* What a key is held as while it is sorted, from which it comes back bit by bit: floats as integers
 * (Note [codes]), all others as they are.  Codes of floats compare much faster than floats; unless
 * `stable`, by < alone, whichever order it is.  A code has the bytes of its key. */
const struct type *sort_code_type(const struct node *);
struct kx *sort_code(struct lowering *, const struct node *, struct kx *key);
struct kx *sort_from_code(struct lowering *, const struct node *, struct kx *code);
struct kx *sort_code_before(struct lowering *, const struct node *, struct kx *b, struct kx *a);
/* Words compare by < as keys do in the order of the statement, for radix: u32, or u64 where the key
 * has more bits, of which sort_word_bits are used.  If `stable`, keys that are equal have one word:
 * NaN, zeros. */
int sort_word_bits(const struct node *);          /* 0: the order is a function's, there are none */
const struct type *sort_word_type(const struct node *);  /* NULL: likewise */
struct kx *sort_word(struct lowering *, const struct node *, struct kx *key);
struct kx *sort_word_of_code(struct lowering *, const struct node *, struct kx *code);
bool sort_word_tells(const struct node *);               /* which key it is of, bit by bit: */
struct kx *sort_from_word(struct lowering *, const struct node *, struct kx *word);

/* ---- sort_move.c: arrays and sequences ---- */

/* of the bound cell, to be moved */
struct kx *sort_value(struct lowering *, const struct equation *);
/* at the bound place */
void sort_store(struct lowering *, const struct equation *, struct kx *value);
/* Of a kth: what the sequence gets, whose other indices are bound, if that is the word. */
void sort_store_kth(struct lowering *, const struct node *, struct kx *word);
/* it moves the array of keys, all of it */
bool sort_is_key(const struct node *, const struct equation *);
/* How many places of a sequence of n cells (i64, not negative) are written; of a kth, how many are
 * before the one that it takes, n: there is no such place. */
struct kx *sort_wanted(struct lowering *, const struct node *, struct kx *n);

/* of the axes that run; host or kernel */
struct kx *sort_cells(struct lowering *, const struct node *);
/* the other axes, multiplied; likewise */
struct kx *sort_rows(struct lowering *, const struct node *);
/* Of each row; none where a length is below 1.  On the host only if it knows the length
 * (sort_host_segments). */
struct kx *sort_segments(struct lowering *, const struct node *);
bool sort_host_segments(const struct node *);
/* there are others */
bool sort_has_rows(const struct node *);
/* Binds every other index, from the number of a row. */
void sort_bind_row(struct lowering *, const struct node *, struct kx *row);
/* Binds what runs: of one axis to that cell, of several from a number of their cells, from 0. */
void sort_bind_cell(struct lowering *, const struct node *, struct kx *cell);
/* The cells first .. end (i64) of a segment, within the axis; of several axes, their numbers. */
void sort_range(struct lowering *, const struct node *, struct kx *segment, struct kx **first,
                struct kx **end);
/* Launches what looks at offsets and lengths, and records.  Host: an i32, not 0 where offsets fall
 * or lie outside: then segments may overlap, and nothing must be sorted; NULL: they cannot. */
struct kx *sort_check(struct plan *, const struct node *, struct kx *host_some);
/* `into`: its type cannot hold every place: nothing is sorted, ST_FULL is recorded; NULL: it can.
 * */
struct kx *sort_too_many(struct lowering *, const struct node *);
void sort_record_full(struct plan *, const struct node *);                /* a launch */
void sort_record(struct plan *, const struct node *, int code, const char *note);

void sort_cpu(struct plan *, const struct group *);
void sort_gpu(struct plan *, const struct group *);
/* sort_radix.c: the most cells a thread of a GPU takes where the statement is sorted by digits; 0:
 * it never is. */
int sort_digit_cells(const struct node *, const struct target *);

#endif
