/* run.h - the commands beside the compiler itself. */
#ifndef RUN_H
#define RUN_H

#include "patc.h"

int run_main(const struct options *);    /* patc run: run.c; the exit status */
int test_main(const struct options *);   /* patc test: test.c */

#endif
