/* plot.h - a picture of how residuals fall, as SVG. */
#ifndef PLOT_H
#define PLOT_H

#include <stdint.h>

struct fall { const char *name, *colour; int64_t passes; double *residual; };

/* Passes to the right, residuals by powers of ten, from `top` down to `bottom`; `unit` is what is
 * counted. */
void plot_falls(const struct fall *, int n, double top, double bottom, const char *unit,
		const char *path);

#endif
