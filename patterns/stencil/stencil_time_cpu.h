/* stencil_time_cpu.h - several passes of a loop of stencils in one visit of memory, on a CPU. */
#ifndef STENCIL_TIME_CPU_H
#define STENCIL_TIME_CPU_H

#include "stencil_time.h"

/* Seconds a cell and pass by the model, on one core; negative, and the reason, and the statement
 * that is the reason: no visit of so many passes fits. */
double rings_seconds(const struct node *loop, const struct target *, int passes, const char **why,
                     const struct node **at);
/* What the remark says of a visit that fits. */
const char *rings_told(const struct node *loop, const struct target *, int passes);
/* As in struct passes. */
struct kx *rings_when(struct plan *, const struct node *loop);
struct kx *rings_passes(struct plan *, const struct node *loop, struct kx *left);
void rings_launch(struct plan *, const struct node *loop, struct kx *done, struct kx *passes);

#endif
