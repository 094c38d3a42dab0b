/* warn.h - the warnings about programs without errors: warn.c, warn_graph.c. */
#ifndef WARN_H
#define WARN_H

#include "front.h"

void warn(const struct ast_file *, const struct program *);
/* Of the kernels of that file: what statements overwrite, convert and need not test. */
void warn_graph(const struct program *, int file);

#endif
