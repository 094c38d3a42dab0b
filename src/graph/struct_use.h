/* struct_use.h - which bytes of an array of structs a statement uses, and what comes with them. */
#ifndef STRUCT_USE_H
#define STRUCT_USE_H

#include "graph.h"

struct struct_use {
	const struct var *var;               /* its cells lie one after another, whole */
	bool *read, *written;                /* of each byte of a cell */
};
struct struct_uses { LIST(struct struct_use) at; };
struct struct_uses struct_uses_of(const struct node *);

struct amount { int64_t values, bytes; };        /* of a cell; padding is no value */
struct amount use_amount(const struct struct_use *, const bool *used);
int64_t type_values(const struct type *);         /* scalars in it */
/* Of the sectors, `bytes` each, that hold cells one after another: how many have a byte that is
 * used. */
double use_sectors(const struct struct_use *, const bool *used, int64_t bytes);

#endif
