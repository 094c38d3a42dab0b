/* selection.h - what a statement that keeps a selection of its cells has in the graph: compact.
 *
 * patterns/compact/compact_sema.c fills it, the interpreter and the lowerings read it.  The items
 * are the cells of the domain in row-major order of the node's indices; node->where says of each
 * whether it is kept or rejected.  One that reads outside an array, in `where` or in an equation
 * that it would move by, is neither, and is recorded (R34).
 *
 * Every equation has one target, and is for one part of the items:
 *   y[kept] = e          an item that is kept goes to the place that says how many were kept before
 *                        it
 *   z[rejected] = e      likewise (`else z`)
 *   count = total        once, after all items
 *   start[row] = kept    before the items of each row, and after those of the last (`rows start`)
 * kept, rejected, total and row are variables of the statement's own, bound by whoever runs it.
 * Places after the end of a target are recorded, and nothing is written (R41). */
#ifndef SELECTION_H
#define SELECTION_H

#include "graph.h"

/* The items of each value of the first of two indices, a row.  Before the statement is lowered the
 * statements in `made` fill begin, and what `rows` names (src/pass/pass_bin.c): the first of them
 * counts the items of each row that are kept, the next adds the counts up. */
struct row_begins {
	struct var *begin;                   /* i64: of each row, and at last the number of all */
	bool narrow;                         /* the program has them as i32 */
	LIST(struct node *) made;
};
struct selection {
	struct var *kept, *rejected, *total, *row;
	bool unordered;       /* places may be dealt out in any order, but alike in all equations */
	struct row_begins *rows;             /* of `rows start`, or of pairs within a radius */
};

enum part { PART_KEPT, PART_REJECTED, PART_COUNT, PART_ROWS };
enum part selected_part(const struct node *, const struct equation *);
bool selection_has(const struct node *, enum part);      /* an equation for it */

#endif
