/* manifest.h - --manifest: what tools of other languages need to call the kernels (manifest.c). */
#ifndef MANIFEST_H
#define MANIFEST_H

#include "road.h"

enum { MANIFEST_VERSION = 1 };           /* of the format that patc writes and reads */

/* From now on jansson ends the command, with status 3, if there is no memory. */
void manifest_memory(void);
/* After the lowering; source: the name of the source text.  man/manifest.schema.json says what is
 * written. */
void manifest_print(const struct program *, const struct plans *, const char *source,
                    const struct options *, FILE *);

#endif
