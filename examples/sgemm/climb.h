/* climb.h - a picture of a ladder: flops a second over flops a byte, as SVG. */
#ifndef CLIMB_H
#define CLIMB_H

struct rung_figure { const char *name; double flops_a_byte, gflops; };

void climb_draw(const struct rung_figure *, int n, const char *path);

#endif
