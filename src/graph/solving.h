/* solving.h - what a statement that solves equations has in the graph: solve.
 *
 * patterns/solve/solve_sema.c fills it, the interpreter and the lowerings read it.  The target is
 * the unknown, all cells of it.  node->running->axis is the index along which the equation reads
 * it; a system is the cells along it at fixed other indices.  The right side of the one equation is
 * an E_STRUCT with a value for each enum below, of the target's type.
 *
 * Of neighbours, row_part:
 *
 *     before * x[i-1] + own * x[i] + after * x[i+1] = right
 *
 * `before` is 0 in the first row of a system, `after` in the last; unless the system is a ring
 * (running->ring): there x[-1] is the last unknown, and x[n] the first.
 *
 * Of a dense system (solve_is_dense), whose size is a number, dense_entry and dense_right:
 *
 *     sum[j](entry * x[j]) = right
 *
 * In the struct the entry is the fold sum[j](entry), which has j and its range, 0 .. size; nobody
 * computes that sum.
 *
 * A wide system (solve_is_wide) has unknowns up to solve_reach = 2 cells away (pentadiagonal), or
 * an unknown that is a struct of solve_fields = 2 .. 4 fields, all f32 or all f64.  A cell has an
 * equation for each field.  solve_part(steps, r, c) is the coefficient, in equation r of cell i, of
 * field c of x[i + steps]; solve_right(r) is its right side.  All are of the fields' type.  A
 * coefficient is 0 where its unknown is outside of the system, unless that is a ring, which has at
 * most SOLVE_RING_MOST fields. */
#ifndef SOLVING_H
#define SOLVING_H

#include "graph.h"

enum row_part { ROW_BEFORE, ROW_OWN, ROW_AFTER, ROW_RIGHT, ROW_PARTS };
enum dense_part { DENSE_ENTRY, DENSE_RIGHT, DENSE_PARTS };
enum { DENSE_MOST = 32 };                /* unknowns of a dense system */
enum { BAND_REACH = 2, BAND_PARTS = 2 * BAND_REACH + 2, BLOCK_MOST = 4 };
enum { SOLVE_RING_MOST = BLOCK_MOST / 2 };      /* fields: a ring is folded */

static inline const struct expr *row_part(const struct node *node, enum row_part part)
{
	return node->equation.at[0]->right->arg.at[part];
}

static inline bool solve_is_dense(const struct node *node)
{
	return node->equation.at[0]->right->arg.n == DENSE_PARTS;
}

static inline const struct expr *dense_entry(const struct node *node)
{
	return node->equation.at[0]->right->arg.at[DENSE_ENTRY]->arg.at[0];
}

/* j, the index of the entry's column */
static inline struct var *dense_column(const struct node *node)
{
	return node->equation.at[0]->right->arg.at[DENSE_ENTRY]->fold->index.at[0];
}

static inline const struct expr *dense_right(const struct node *node)
{
	return node->equation.at[0]->right->arg.at[DENSE_RIGHT];
}

/* unknowns of a dense system */
static inline int dense_size(const struct node *node)
{
	const struct fold *row = node->equation.at[0]->right->arg.at[DENSE_ENTRY]->fold;
	return (int)affine_cells(row->lo.at[0], row->hi.at[0]);
}

/* cells to the farthest unknown in an equation with neighbours */
static inline int solve_reach(const struct node *node)
{
	return node->equation.at[0]->right->arg.n == BAND_PARTS ? BAND_REACH : 1;
}

/* fields of the unknown; 1: it is a number */
static inline int solve_fields(const struct node *node)
{
	const int parts = node->equation.at[0]->right->arg.n;
	int fields = BLOCK_MOST;
	while (fields > 1 && parts != (3 * fields + 1) * fields)
		fields--;
	return fields;
}

static inline const struct expr *solve_part(const struct node *node, int steps, int r, int c)
{
	const int fields = solve_fields(node), side = solve_reach(node) + steps;
	return node->equation.at[0]->right->arg.at[(side * fields + r) * fields + c];
}

static inline const struct expr *solve_right(const struct node *node, int r)
{
	return solve_part(node, solve_reach(node) + 1, 0, r);
}

/* An equation has more unknowns than those beside it. */
static inline bool solve_is_wide(const struct node *node)
{
	return solve_reach(node) > 1 || solve_fields(node) > 1;
}

#endif
