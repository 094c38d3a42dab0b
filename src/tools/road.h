/* road.h - stretches of the road that several commands take (road.c). */
#ifndef ROAD_H
#define ROAD_H

#include "lower.h"
#include "pass.h"

struct plans { struct plan **at; int n, room; };         /* one a kernel */

void program_schedule(struct program *, const struct options *);         /* pins, then the passes */
struct plans program_lower(const struct program *, const struct options *);

#endif
