/* walks.h - ways of map, for cells that are a call of a function with a loop: walks.c. */
#ifndef WALKS_H
#define WALKS_H

#include "lower.h"
#include "ways.h"

/* The part of a shape that pass_walk.c asks for. */
void walks_shape(const struct node *, const struct target *, struct shape *);
/* Are the passes of its calls made by one of these ways? */
bool walks_scheduled(const struct node *);
bool walks_refill(const struct task *), walks_packet(const struct task *);
void walks_lower_refill(const struct task *), walks_lower_packet(const struct task *);

#endif
