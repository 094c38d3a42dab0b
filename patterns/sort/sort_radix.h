/* sort_radix.h - one array sorted by the digits of its keys on a GPU: sort_radix.c has the design.
 * */
#ifndef SORT_RADIX_H
#define SORT_RADIX_H

#include "sort_gpu.h"

/* threads: of a block of a pass */
enum { DIGIT_BITS = 8, DIGITS = 1 << DIGIT_BITS, RADIX_THREADS = 384 };

/* What passes move: from one memory to the other, and back.  Memories are the host's. */
struct moved {
	/* NULL: keys, or the cells' numbers, by which the rest is fetched */
	const struct equation *eq;
	const struct type *type;             /* as it is stored */
	struct kx *memory[2];
};
enum { MOST_MOVED = 4 };                 /* with the keys: each one adds to the text */

struct radix {
	const struct sorter *s;              /* NULL: a statement is only looked at */
	struct moved key, with[MOST_MOVED];
	int n;                               /* of them; ... */
	bool numbered;                       /* ... the last are numbers */
	const struct type *staged;          /* u32 or u64: holds one of anything in shared memory */
	bool apart;                          /* keys stay in their array: it is read once */
	int passes, each;                    /* digits of a key; cells a thread takes */
	int64_t tile;                        /* cells of a block */
	/* host */
	struct kx *source;                   /* the array of keys */
	struct kvar *words;        /* u64: counts of digits, counters, what tiles have: radix_... */
	/* i32, of each pass: 2 if it has nothing to do, plus 1 if what it moves ... */
	struct kvar *course;
};                          /* ... is in the second memory; and after the last one of the result */

/* the names of radix.kernel that all kernels have */
void radix_bind(const struct radix *, struct lowering *);
struct kx *radix_pointer(struct lowering *, const char *name, struct kx *host);
struct kx *radix_words(const struct radix *, struct lowering *);      /* the pointer, of a kernel */

/* up to so many cells merging is quicker; INT64_MAX: no digits */
int64_t radix_merges(const struct sorter *);
void radix_sort(struct sorter *);                        /* launches */
/* sort_radix_pass.c: how many cells a thread may take, and as what they are staged. */
int radix_each(const struct radix *, const struct target *, const struct type **staged);
void radix_pass(const struct radix *, struct kx *host_pass);             /* a launch */

#endif
