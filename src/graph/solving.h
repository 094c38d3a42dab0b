/* solving.h - what a statement that solves equations has in the graph: solve.
 *
 * patterns/solve/solve_sema.c fills it, the interpreter and the lowerings read it.  The target is
 * the unknown, all cells of it.  node->running->axis is the index along which the equation reads
 * its neighbours; a system is the cells along it at fixed other indices.  The right side of the one
 * equation is an E_STRUCT with a value for each enum below, of the target's type:
 *
 *     before * x[i-1] + own * x[i] + after * x[i+1] = right
 *
 * `before` is 0 in the first row of a system, `after` in the last. */
#ifndef SOLVING_H
#define SOLVING_H

#include "graph.h"

enum row_part { ROW_BEFORE, ROW_OWN, ROW_AFTER, ROW_RIGHT, ROW_PARTS };

static inline const struct expr *row_part(const struct node *node, enum row_part part)
{
	return node->equation.at[0]->right->arg.at[part];
}

#endif
