/* naive.h - what photo.pat computes, by the plainest loops: what the kernels are compared with. */
#include "photo.h"

/* three doubles a pixel */
void naive_blur(int64_t n, int64_t m, const Rgb *photo, double *soft);
void naive_slope(int64_t n, int64_t m, const Rgb *photo, double *slope);
double naive_threshold(int64_t cells, const double *slope);
