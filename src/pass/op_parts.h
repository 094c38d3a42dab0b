/* op_parts.h - operators on structs that combine them part by part: op_parts.c. */
#ifndef OP_PARTS_H
#define OP_PARTS_H

#include "pass.h"

struct equations { LIST(struct equation *) at; };

bool op_in_parts(const struct op *);
/* y[k] op= e of such an operator: an equation for each part. */
void op_split(const struct equation *, struct equations *out);

#endif
