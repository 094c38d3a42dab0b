/* cuda.c - NVIDIA: gpu.c's text in CUDA's words, valid from the architecture of --arch on. */
#include "compare.h"
#include "gpu.h"

#include <stdlib.h>

/* "sm_90" refuses to be compiled for less than 900; nothing of the `a` architectures is used. */
static void guard(const struct target *t, FILE *out)
{
	fprintf(out, "#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ < %d0\n"
	        "#error \"this file was made for --arch=%s\"\n#endif\n\n", atoi(t->arch + 3), t->arch);
}

static const char *const replace[] = {"PATC_KERNEL", "kernel", NULL};

static void print(const struct program *program, struct plan *const *plan, int n,
                  const struct options *options, FILE *out)
{
	const struct gpu cuda = {options->target, "<cuda_runtime.h>", "cuda", replace, guard};
	gpu_print(&cuda, program, plan, n, options, out);
}

/* Shared memory is what a block may use without opting in, the same on all. */
static const struct toolchain tool = {
	"NVCC", "nvcc", "-std=c++17 -O2 -x cu", "-arch=native", "-arch=%s", ""
};

#define ARCH(arch_, flight) { \
	.name = "cuda", .suffix = ".cu", .arch = arch_, .gpu = true, .lanes = 32, \
	.block = 256, .max_block = 1024, .shared_bytes = 48 * 1024, .flight_bytes = (flight) * 1024, \
	.max_grid_x = 2147483647, .max_grid_y = 65535, .print = print, .tool = &tool }

const struct target target_cuda[] = {
	/*   arch     KiB in flight */
	ARCH("sm_75",  48),     /* the default text runs on the later ones too: the needs of an H200 */
	ARCH("sm_80",  16),
	ARCH("sm_86",  16),
	ARCH("sm_89",  16),
	ARCH("sm_90",  48),     /* H200; an H100 is content with 32 */
	ARCH("sm_100", 64),
	ARCH("sm_120", 32),
	{.name = NULL}
};
