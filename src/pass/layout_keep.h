/* layout_keep.h - a caller's array in another layout while the kernel runs: layout_keep.c; what
 * that saves: layout_gain.c. */
#ifndef LAYOUT_KEEP_H
#define LAYOUT_KEEP_H

#include "pass.h"

/* Where its cells are converted. */
struct conversion { bool in, out; };

struct conversion layout_conversion(const struct entry *, const struct var *);
/* From here on the variable is a temporary, and a new one is the caller's array. */
void layout_keep(struct entry *, struct var *, struct conversion);

/* Bytes a cell that need not come and go, of arrays of structs that are swapped with one another:
 * those beside the fields asked for; if passes may share visits (pass_time.c), some of these, too.
 */
struct gain {
	double sure;                         /* in all passes of loops that are counted */
	double pass;                         /* in one pass of each of the others */
};
struct gain layout_gain(const struct entry *, struct var *const *, int n, int64_t sector,
                        bool visits);

#endif
