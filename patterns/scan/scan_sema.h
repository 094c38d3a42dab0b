/* scan_sema.h - how statements of scan are read: scan_sema.c; recur_sema.c: recurrences, in the
 * operators themselves or with ○ and ◇. */
#ifndef SCAN_SEMA_H
#define SCAN_SEMA_H

#include "running.h"
#include "sema_impl.h"

/* Something runs along this axis; false: another thing does so along another, or the other way. */
bool scan_runs_along(struct node *, int axis, bool right, struct loc);

/* it reads its target elsewhere, in no fold */
bool recurrence_is(struct equation *, const struct node *);
bool recurrence_settle(struct sema *, struct node *, struct equation *);

#endif
