/* private.h - items that meet in cells of a block's own: what private_ask.c says of a statement,
 * and its kernels share. */
#ifndef PRIVATE_H
#define PRIVATE_H

#include "cells.h"
#include "meet.h"

const struct equation *private_equation(const struct node *);
const struct var *private_array(const struct node *);            /* of the cells */
/* The statement without the cells that it writes: what its items are made of, each read along the
 * last index by vectors. */
const struct node *private_items(const struct node *);
/* Of a cell, that are worth their room: one a bank, so that lanes never meet; what is tried again
 * is so less often where warps do not meet either. */
int private_copies(const struct node *, const struct target *);
int private_threads(const struct node *, const struct target *);         /* of a block */
/* cells that a block has room for */
int64_t private_room(const struct node *, const struct target *);
int private_width(const struct node *);                                  /* of a vector of items */
int private_vectors(const struct node *, int width);       /* that a thread has under way at once */

/* meet_private.c: of each of so many cells, as they leave room for, a power of two: the host's i32,
 * or known here. */
struct kx *private_copies_of(const struct node *, const struct target *, struct kx *host_room,
                             struct kx *host_cells);

/* private_sample.c: a launch that leaves in `window` (privatise.h) where most of the items go. */
void private_sample(struct plan *, const struct group *, struct kx *window, struct kx *host_cells,
                    struct kx *host_items);

#endif
