/* cuda.c - NVIDIA: gpu.c's text in CUDA's words, valid from the architecture of --arch on. */
#include "gpu.h"

#include <stdlib.h>

extern const struct target target_cuda;

/* "sm_90" refuses to be compiled for less than 900; nothing of the `a` architectures is used. */
static void guard(const char *arch, FILE *out)
{
	fprintf(out, "#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ < %d0\n"
	        "#error \"this file was made for --arch=%s\"\n#endif\n\n", atoi(arch + 3), arch);
}

static const char *const replace[] = {"PATC_KERNEL", "kernel", NULL};

static void print(const struct program *program, struct plan *const *plan, int n,
                  const struct options *options, FILE *out)
{
	const struct gpu cuda = {&target_cuda, "<cuda_runtime.h>", "cuda", replace, guard};
	gpu_print(&cuda, program, plan, n, options, out);
}

static const char *const archs[] = {
	"sm_75", "sm_80", "sm_86", "sm_89", "sm_90", "sm_100", "sm_120", NULL
};

const struct target target_cuda = {
	.name = "cuda", .suffix = ".cu", .arch = "sm_75", .archs = archs, .gpu = true, .lanes = 32,
	.block = 256, .max_block = 1024, .shared_bytes = 48 * 1024, .flight_bytes = 48 * 1024,
	.max_grid_x = 2147483647, .max_grid_y = 65535, .print = print,
};
