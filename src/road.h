/* road.h - stretches of the road that several commands take (road.c). */
#ifndef ROAD_H
#define ROAD_H

#include "kir.h"

enum { MOST_MIB = 192 };                 /* from the tree to the kernels of a program */
void program_begin(size_t bytes);        /* of it, so many are taken already */
bool program_fits(struct loc);           /* false: it does not, which is reported once */

struct plans { struct plan **at; int n, room; };         /* one a kernel */

void program_schedule(struct program *, const struct options *);         /* pins, then the passes */
struct plans program_lower(const struct program *, const struct options *);

#endif
