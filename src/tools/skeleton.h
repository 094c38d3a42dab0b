/* skeleton.h - the files that `patc new` and `patc bind` write, as skeleton/embed.sh has put
 * them into a table. */
#ifndef SKELETON_H
#define SKELETON_H

#include <stddef.h>

/* "main.c", "Makefile.cu": for one target; "README.md": for all */
struct skeleton_row { const char *name, *text; };
extern const struct skeleton_row skeleton_rows[];       /* a row without a name is the end */
const char *skeleton_text(const char *name);             /* new.c; NULL: there is none */

#endif
