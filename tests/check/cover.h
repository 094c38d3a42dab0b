/* cover.h - the rows of patc-cover (cover.c) and how they become text: cover_text.c has what all
 * patterns write, cover_cells.c, cover_runs.c and cover_meet.c the kernels of each. */
#ifndef COVER_H
#define COVER_H

#include <stdbool.h>
#include <stdio.h>

enum { MAP, REDUCE, STENCIL, COMPACT, SCAN, RECURRENCE, WAVE, SORT, TURN, PRODUCT, MEET, PATTERNS };
enum { NONE, CLAMP, WRAP, MIRROR, REFLECT, CONSTANT, FORMULA, KEEP, MIXED, MIXED_VALUE, MIXED_KEEP,
       VALUE_WRAP, BOUNDARIES };
enum { AUTO, L1, SHARED, STAGES };
enum { ROWS, COLUMNS, ROWS_LD, COLUMNS_LD, CROSSED, APART, LAYOUTS };
enum {
	TYPES = 13,
	RANKS = 3,
	VARIANTS = 12,
	FACTORS = 7,
	MOST = PATTERNS * 13 * 12 * 3 * 3 * 12 * 6
};

union row {
	struct { int pattern, type, boundary, rank, stage, variant, layout; };
	int v[FACTORS];
};

/* cover.c */
bool cut_by_data(const union row *);     /* a sort of sequences of any length */

/* cover_text.c */
extern FILE *out;
extern const char *const boundary_name[BOUNDARIES], *const stage_name[STAGES],
							    *const index_name[RANKS];
void p(const char *format, ...);         /* into out */
char *s(const char *format, ...);        /* lives until the next few hundred are made */
const char *T(const union row *);        /* the name of its type */
bool is_half(const union row *), is_float(const union row *), is_bool(const union row *);
const char *wide(const union row *);     /* the type that folds of T are computed in */
const char *shape(const union row *), *own(const union row *);           /* "m, n"; "i, j" */
const char *size_name(const union row *, int axis);
char *at(const union row *, const char *array, int axis, int offset);    /* "a[i, j + 1]" */
char *mix(const union row *, int n, char *const *term);
/* a neighbour along the last axis, if there is one */
char *guarded(const union row *, const char *array, const char *otherwise);
const char *literal(const union row *), *kernel_name(const union row *);
const char *layout(const union row *, bool record, int nth);           /* of a kernel's nth array */
const char *array(const union row *, const char *type, int nth),
	*pairs_of(const union row *, int nth);
void prelude(const union row *);

/* cover_cells.c */
void map_kernel(const union row *), reduce_kernel(const union row *),
	stencil_kernel(const union row *), compact_kernel(const union row *);
/* cover_runs.c */
void scan_kernel(const union row *), recurrence_kernel(const union row *),
	wave_kernel(const union row *), sort_kernel(const union row *),
	turn_kernel(const union row *), product_kernel(const union row *);
/* cover_meet.c */
void meet_kernel(const union row *);

#endif
