/* layout_keep.h - a caller's array is kept in a layout of the kernel's own: layout_keep.c. */
#ifndef LAYOUT_KEEP_H
#define LAYOUT_KEEP_H

#include "patc.h"

/* Where its cells are converted. */
struct conversion { bool in, out; };

struct conversion layout_conversion(const struct entry *, const struct var *);
/* From here on the variable is a temporary, and a new one is the caller's array. */
void layout_keep(struct entry *, struct var *, struct conversion);

#endif
