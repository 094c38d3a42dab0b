/* naive.h - the layers of the network as plain loops, in f64. */
#ifndef NAIVE_H
#define NAIVE_H

#include <stdint.h>

/* One cell of a layer of windows: x has n x m cells of `channels`, those outside are as the nearest
 * ones; the window's middle is cell (i, j), and its weights are f. */
double naive_window(const float *x, int64_t n, int64_t m, int64_t channels, int64_t i, int64_t j,
		    const float *f, double bias);
/* The mean of 8 x 8 cells of channel o of x, which has m cells in a row; they begin at (i, j). */
double naive_mean(const float *x, int64_t m, int64_t channels, int64_t i, int64_t j, int64_t o);
/* chance[classes] of one tile */
void naive_judge(const float *feature, int64_t channels, const float *weight, int64_t classes,
		 double *chance);
/* One step of learning from weights that are all 0, for all n tiles. */
void naive_step(const float *feature, const int32_t *known, int64_t n, int64_t channels,
		int64_t classes, double rate, double *weight);

#endif
