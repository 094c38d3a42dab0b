/* naive.h - Stommel's equation solved by the plainest loops: what the kernel is compared with. */
#include <stdint.h>

/* Relaxes psi in place, cell after cell, until no equation of a WATER cell is off by eps; the
 * sweeps that took. */
int64_t naive_ocean(int64_t n, int64_t m, const uint8_t *cell, const double *curl, double b,
		    double eps, double *psi);
