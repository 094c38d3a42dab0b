/* used.h - the helpers and the functions of the program that one output uses: used.c. */
#ifndef USED_H
#define USED_H

#include "helper.h"
#include "lower.h"

/* by the device (or the only machine there is), by the host */
struct used_fn { const struct fn *fn; struct kernel *kernel; bool device, host; };
struct used_table { const struct var *table; bool device, host; };
struct used_vector { const struct type *type; int lanes; };
/* of the helpers: all; those of a file that shares the others; those */
enum used_part { USED_ALL, USED_OWN, USED_COMMON };
struct used {
	const struct target *target;
	const struct options *options;
	enum used_part part;                 /* what is printed of the helpers */
	bool host;                           /* what is added now is called by the host */
	bool *row, *row_host;                /* by index in rt_rows */
	LIST(struct used_fn *) fn;
	LIST(struct used_table *) table;
	struct map seen;                     /* the row of a function, of a table */
	LIST(struct used_vector) vector;
	LIST(const struct record *) record;  /* made by patc: the header shows the others */
};

/* What a target replaces in the texts of helpers. */
struct used_words {
	const struct target *target;
	const char *includes;                /* lines that include what the texts need */
	/* for PATC_FN: of what the device calls alone, of what the host calls too */
	const char *prefix, *prefix_host;
	const char *const *replace;          /* other words: pairs of from, to; NULL ends them */
};

struct used *used_new(const struct options *);
/* every helper, called by both: the header of --helpers */
struct used *used_all(const struct target *);
void used_helper(struct used *, const char *name);   /* and what it needs; asserts that it exists */
void used_kernel(struct used *, const struct kernel *);  /* helpers, functions, tables, vectors */
/* The user's headers that its functions come from, in the order of the program; device: what stands
 * before such a function there. */
void used_headers(const struct used *, const struct program *, const char *device, FILE *);
/* The structs that patc made, and the helpers' text in the order of the files, but what one needs
 * before it. */
void used_print(const struct used *, const struct used_words *, FILE *);
/* helpers.c: the header of --helpers; a source includes it */
void helpers_print(const struct used_words *, FILE *);
void helpers_include(const struct used_words *, const struct options *, FILE *);
void struct_print(const struct record *, FILE *);        /* header.c: its typedef */

#endif
