/* hip.c - AMD: gpu.c's text in HIP's words, for 64 lanes.
 *
 * The default text is for every machine of 64 lanes (gfx90a, gfx942).  One with 32 lanes is
 * refused: the shuffles and the places of partial results are laid out for 64.  Who translates
 * HIP to another machine and knows that a file uses neither may define PATC_ANY_LANES. */
#include "gpu.h"

#include <string.h>

extern const struct target target_hip;

static void guard(const char *arch, FILE *out)
{
	fputs("#if !defined(PATC_ANY_LANES)\n"
	      "#if defined(__CUDA_ARCH__) || ((defined(__GFX10__) || defined(__GFX11__) || defined(__GFX12__)) && \\\n"
	      "\t(!defined(__AMDGCN_WAVEFRONT_SIZE__) || __AMDGCN_WAVEFRONT_SIZE__ != 64))\n"
	      "#error \"this file was made for waves of 64 lanes\"\n#endif\n#endif\n", out);
	if (strcmp(arch, target_hip.arch) != 0)
		fprintf(out, "#if defined(__AMDGCN__) && !defined(__%s__)\n"
		        "#error \"this file was made for --arch=%s\"\n#endif\n", arch, arch);
	fputc('\n', out);
}

static const char *const replace[] = {
	"PATC_KERNEL", "reinterpret_cast<const void *>(kernel)", "cuda*", "hip", NULL
};

static void print(const struct program *program, struct plan *const *plan, int n,
                  const struct options *options, FILE *out)
{
	const struct gpu hip = {&target_hip, "<hip/hip_runtime.h>", "hip", replace, guard};
	gpu_print(&hip, program, plan, n, options, out);
}

static const char *const archs[] = {"wave64", "gfx90a", "gfx942", NULL};

const struct target target_hip = {
	.name = "hip", .suffix = ".hip", .arch = "wave64", .archs = archs, .gpu = true, .lanes = 64,
	.block = 256, .max_block = 1024, .shared_bytes = 64 * 1024, .flight_bytes = 48 * 1024,
	.max_grid_x = 2147483647, .max_grid_y = 65535, .print = print,
};
