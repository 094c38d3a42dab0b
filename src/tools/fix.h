/* fix.h - --fix: the fix-its of the errors of a program, applied to its file (fix.c). */
#ifndef FIX_H
#define FIX_H

#include "base.h"

struct fixing;
struct fixing *fix_begin(const char *path);     /* fail_usage, fail_io if it is no file to change */
/* Those of the errors since the last call, in the text that source_open reads from now on.
 * False if there is nothing to fix, or after too many calls. */
bool fix_apply(struct fixing *);
void fix_end(struct fixing *);                  /* writes the file, if it changes, and says how */

#endif
