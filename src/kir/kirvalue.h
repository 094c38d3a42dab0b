/* kirvalue.h - how the values of a kernel's variables differ between the lanes of a warp:
 * kirvalue.c. */
#ifndef KIRVALUE_H
#define KIRVALUE_H

#include "kirlanes.h"

struct values {
	const struct kernel *kernel;
	int n;                               /* lanes */
	struct map value;                    /* struct lanes *, by variable */
	struct map body;                     /* ks_list * that declares a variable ... */
	struct map spread;                   /* ... and those that others assign too */
	struct map home;                     /* of a pointer that is assigned: its first array */
	bool changed;
};
struct values values_begin(const struct kernel *);
void values_end(struct values *);
/* data: it is in a branch that data decide */
void values_statement(struct values *, const struct ks *, bool data);
/* of a pointer its byte */
struct lanes value_of(const struct values *, const struct kx *);
/* of an element, or of a pointer to it, the first byte */
struct lanes value_byte(const struct values *, const struct kx *);
bool value_by_data(const struct values *, const struct kx *);    /* false if there is none */
/* The variable that points to memory of all blocks; NULL: it is shared memory, or registers. */
const struct kvar *value_array(const struct values *, const struct kx *pointer);
bool name_begins(const char *name, const char *with);

#endif
