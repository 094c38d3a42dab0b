/* scan.h - the lowerings of scan, each for a kind of machine and axis: scan_lower.c chooses. */
#ifndef SCAN_H
#define SCAN_H

#include "lower.h"

void scan_cpu(struct plan *, const struct group *);
/* scan_columns.c */
struct task;
void scan_columns(const struct task *);          /* ../ways.h */
/* columns a thread may take: of the widest vector all accesses allow */
int columns_width(const struct node *);
void scan_rows(struct plan *, const struct node *);           /* a GPU, the last axis */
void scan_serial(struct plan *, const struct node *);     /* a GPU: a sequence a thread, any axis */

#endif
