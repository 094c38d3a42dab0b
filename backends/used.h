/* used.h - the part of the constant text, and of the program, that one output uses: used.c. */
#ifndef USED_H
#define USED_H

#include "helper.h"
#include "lower.h"

/* by the device (or the only machine there is), by the host */
struct used_fn { const struct fn *fn; struct kernel *kernel; bool device, host; };
struct used_table { const struct var *table; bool device, host; };
struct used_vector { const struct type *type; int lanes; };
struct used {
	const struct target *target;
	bool host;                           /* what is added now is called by the host */
	bool *row, *row_host;                /* by index in rt_rows */
	LIST(struct used_fn *) fn;
	LIST(struct used_table *) table;
	struct map seen;                     /* the row of a function, of a table */
	LIST(struct used_vector) vector;
	LIST(const struct record *) record;  /* made by patc: the header shows the others */
};

struct used *used_new(const struct target *);
void used_helper(struct used *, const char *name);       /* and what it needs; asserts that it exists */
void used_kernel(struct used *, const struct kernel *);  /* helpers, functions, tables, vectors */
/* The user's headers that its functions come from, in the order of the program; device: what stands
 * before such a function there. */
void used_headers(const struct used *, const struct program *, const char *device, FILE *);
/* The structs that patc made, and the helpers' text in the order of the files, but what one needs
 * before it.  Words of it are replaced: pairs of from, to; a NULL ends them.  PATC_FN becomes
 * prefix, or prefix_host for what the host calls too. */
void used_print(const struct used *, const char *prefix, const char *prefix_host,
                const char *const *replace, FILE *);
void struct_print(const struct record *, FILE *);        /* header.c: its typedef */

#endif
