/* atomic.h - a value meets what memory holds while other threads of the launch do the same:
 * atomic.c. */
#ifndef ATOMIC_H
#define ATOMIC_H

#include "lower.h"

/* On a GPU: may cells of this type be combined so?  Structs of a word's size. */
bool atomic_can(const struct type *cell);
/* else where a cell begins at a multiple of its size */
bool atomic_anywhere(const struct type *cell);
/* ... by one operation of the machine; of: the type that the operator computes in */
bool atomic_native(const struct op *, const struct type *cell, const struct type *of);
/* cell = op(cell, value) at once; cell: what could be assigned, in memory of the device or the
 * block; value: of type `of`. */
void atomic_combine(struct lowering *, const struct op *, const struct type *of, struct kx *cell,
                    struct kx *value);
/* The same by a plain load and store: nobody else writes the cell now. */
void plain_combine(struct lowering *, const struct op *, const struct type *of, struct kx *cell,
                   struct kx *value);

#endif
