/* count.h - how many passes the warps of a GPU make for the walks of rays, by schedule: counted
 * here, in plain C. */
#ifndef COUNT_H
#define COUNT_H

#include <stdint.h>

#include "rays.h"

/* Prints, for each schedule, the passes of warps a ray, what part of their lanes walks, and in
 * what part of the passes a lane tests a triangle, which all lanes wait for.  Node and near are
 * those of the kernel `build`, n the triangles. */
void count_passes(const char *what, int64_t rays, const Ray *, int64_t n, const Node *,
                  const Tri *near);

#endif
