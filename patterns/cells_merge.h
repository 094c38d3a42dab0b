/* cells_merge.h - a way of cells_gpu.c, for cells that search a sorted array: cells_merge.c. */
#ifndef CELLS_MERGE_H
#define CELLS_MERGE_H

#include "cells.h"
#include "ways.h"

bool merge_fits(const struct task *);
struct kx *merge_pays(const struct task *);              /* host */
void merge_lower(const struct task *);

#endif
