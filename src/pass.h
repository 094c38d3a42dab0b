/* pass.h - shared by the passes: walking the statements of an entry, and what the user pinned. */
#ifndef PASS_H
#define PASS_H

#include "patc.h"

/* Calls visit for every pattern statement, those inside repeats included. */
void pass_each(struct entry *, void (*visit)(struct node *, const struct options *), const struct options *);

#endif
