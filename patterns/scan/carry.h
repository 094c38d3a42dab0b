/* carry.h - what a scan carries along a sequence, in KIR; scan_cpu.c, scan_rows.c and
 * scan_columns.c say which thread runs over which cells.
 *
 *   total   some neighbouring cells of one sequence folded together: of a running fold its
 *           accumulator, of a recurrence the map from what comes before those cells to what comes
 *           after (its weights and its value).  Totals join in the order of the scan (accumulate),
 *           which is associative: from right, what comes after is the left operand.  What `from`
 *           gives is in no total.
 *   state   what a cell needs of the cells before it: the folds so far; y[i-1], y[i-2].
 *
 * Every lowering works in two passes over the cells of a thread: the first folds their total;
 * totals are scanned over threads, warps and blocks; the second begins with the state that the
 * totals before give and computes the cells in order, exactly as the statement is written.  A cell
 * that begins a sequence is a head: what was carried up to it is dropped.  Whoever joins totals
 * keeps apart those with a head among their cells: nothing is joined before them. */
#ifndef CARRY_H
#define CARRY_H

#include "lower.h"
#include "running.h"

struct carry;
bool carry_fits(const struct node *);    /* no more folds and recurrences than a thread can carry */
struct carry *carry_open(struct lowering *, const struct node *);        /* NULL: to ask only */
/* The first cell of a sequence must be given as a head even if there is one sequence only: without
 * `from` a recurrence begins with what it is without its own cells. */
bool carry_marks(const struct carry *);
/* Totals can be joined.  If not (strict floats, an operator that does not associate), one thread
 * computes the cells of a sequence one after another. */
bool carry_joins(const struct carry *);
bool carry_recurs(const struct carry *);         /* there are recurrences */
/* A term joins by operations without branches, which a processor cannot foretell if they depend on
 * few terms. */
bool carry_branchless(const struct carry *);
/* Accumulators without variables: what totals are made of. */
struct accumulators carry_kinds(const struct carry *);
/* New variables that hold the total of no cells. */
struct accumulators carry_total(struct carry *);
/* The cell at the bound indices joins the total; head (bool; NULL: it is none): it begins a
 * sequence. */
void carry_add(struct carry *, const struct accumulators *total, struct kx *head);
/* Products of weights in totals may leave the floats, and have guards (recur.c, Note [weights that
 * overflow]).  Without them totals that carry_numbers (bool) are the same: what a guard prevents is
 * a NaN, which stays one. */
bool carry_guards(const struct carry *);
void carry_guard(struct carry *, bool guarded);
struct kx *carry_numbers(const struct carry *, const struct accumulators *total);
/* All that is carried, if its terms may join a total in any order; else NULL. */
const struct folds *carry_any_order(const struct carry *);
/* Declares the state, which is that after the cells of total, the first of which begins a sequence;
 * total of no cells, or NULL: that before a sequence. */
void carry_resume(struct carry *, const struct accumulators *total);
/* Whoever keeps several states elsewhere: the types of one's parts, at most CARRY_PARTS; it is
 * declared with these values; what each part is now. */
enum { CARRY_PARTS = 3 * 8 };
int carry_parts(const struct carry *, const struct type *type[CARRY_PARTS]);
void carry_enter(struct carry *, struct kx *const *value);
struct kx *carry_part(const struct carry *, int k);
/* From here on the terms of cells are folded by themselves, and that joins what the state has been
 * here: of several cells none waits for the one before.  Until carry_joined. */
void carry_apart(struct carry *);
void carry_joined(struct carry *);
/* The bound cell is computed and the state moves past it; store() gets what each equation's targets
 * get: lower_result() makes the value of one of it. */
typedef void carry_store(void *, const struct equation *, struct kx *);
void carry_cell(struct carry *, struct kx *head, carry_store *, void *);

#endif
