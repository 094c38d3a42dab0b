/* gpu.h - the differences between CUDA and HIP: a table of names and texts for gpu.c. */
#ifndef GPU_H
#define GPU_H

#include "host.h"

struct gpu {
	const struct target *target;
	const char *include;                 /* <cuda_runtime.h> */
	const char *prefix;          /* "cuda", "hip": of types and functions of the run time */
	const char *const *replace;          /* words of rt/gpu_host.h: pairs, ends with NULL */
	void (*guard)(const struct target *, FILE *);   /* refuses what the file was not made for */
	int simds;                           /* as in struct dialect */
};
void gpu_helpers(const struct gpu *, FILE *);
void gpu_print(const struct gpu *, const struct program *, struct plan *const *, int n,
               const struct options *, FILE *);
/* ptxas.c: writes what NVIDIA's assembler translates wrong another way */
void ptxas_mend(struct kernel *);
#endif
