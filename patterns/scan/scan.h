/* scan.h - the lowerings of scan, each for a kind of machine and axis: scan_lower.c chooses. */
#ifndef SCAN_H
#define SCAN_H

#include "../../src/lower.h"

void scan_cpu(struct plan *, const struct group *);

#endif
