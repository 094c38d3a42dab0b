/* targets.c - the list of targets.  A new one is a file like cuda.c and a line here. */
#include "patc.h"

extern const struct target target_cuda, target_hip, target_cpu;

const struct target *const targets[] = {&target_cuda, &target_hip, &target_cpu, NULL};
