/* peers.h - lanes of a warp whose items go to one cell: peers.c. */
#ifndef PEERS_H
#define PEERS_H

#include "lower.h"

/* The lanes that come here have each a value for the cell of that number.  Those that go to one
 * cell fold theirs into value, a variable of the first of them; the result: is this lane the first?
 * */
struct kx *peers_fold(struct lowering *, const struct op *, struct kx *value, struct kx *number);

#endif
