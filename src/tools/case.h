/* case.h - a case of given.h: its arrays are made, and it runs (case.c). */
#ifndef CASE_H
#define CASE_H

#include "eval.h"
#include "given.h"

enum { CASE_BYTES = 1 << 30 };           /* arrays and their bounds, all together */
struct bound *case_bind(const struct test_case *, uint64_t seed);        /* NULL: reported */
/* The same for a kernel that is called and not interpreted.  What it reads and is not given is
 * random, there are no error bounds, and data has the first made[i] cells of parameter i: the
 * others repeat them, and of 0 all are zero: of random ones `period` cells. */
struct bound *case_bind_short(const struct test_case *, uint64_t seed, int64_t period,
                              int64_t *made);
int case_run(const struct test_case *, struct bound *);                  /* eval_entry's status */
/* What is expected of a parameter, as the cells of its shape; false: reported. */
bool case_expected(const struct given *, const struct bound *got, struct bound *to);
void case_free(const struct test_case *, struct bound *);

#endif
