/* cuda.c - the target cuda: its dialect for gpu.c, and a row for each architecture of --arch. */
#include "gpu.h"
#include "matrix.h"
#include "target_gpu.h"
#include "work.h"

#include <stdlib.h>

/* "sm_90" refuses to be compiled for less than 900.  So does "sm_90a", whose own instructions are
 * left out where they do not exist: nvcc -arch=sm_90a compiles for compute_90, too. */
static void guard(const struct target *t, FILE *out)
{
	fprintf(out,
	        "#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ < %d0\n"
	        "#error \"this file was made for --arch=%s\"\n#endif\n\n",
	        t->level, t->arch);
}

static const char *const replace[] = {"PATC_KERNEL", "kernel", NULL};

static struct gpu cuda(const struct target *t)
{
	return (struct gpu){t, "<cuda_runtime.h>", "cuda", replace, guard, 0};
}

static void print(const struct program *program, struct plan *const *plan, int n,
                  const struct options *options, FILE *out)
{
	const struct gpu g = cuda(options->target);
	gpu_print(&g, program, plan, n, options, out);
}

static void helpers(const struct target *t, FILE *out)
{
	const struct gpu g = cuda(t);
	gpu_helpers(&g, out);
}

static const struct toolchain tool = {
	"NVCC", "nvcc", "-std=c++17 -O2 -x cu", "-arch=native", "-arch=%s", "",
	"-cubin -Xptxas -v", NULL
};

/* mma.sync.  First is what gains nothing on machines with few units, which leave it out. */
enum { FEW_UNITS = 2 };
static const struct fragment words = { { 16, 8 }, { 8, 4 }, { 1, 2 }, .matrices = true },
	doubles = { { 16, 8 }, { 8, 4 }, { 1, 2 }, .lines = 8 };
static const struct matrix_unit units[] = {
	{"tf32x3", T_F32, T_F32, T_F32, 8, {4, 2}, 80, PRECISION_TF32X3, &words,
	 .only_large = true},
	{"f64", T_F64, T_F64, T_F64, 4, {2, 1}, 80, PRECISION_OWN, &doubles, .has = NULL},
	{"f16", T_F16, T_F16, T_F32, 16, {4, 2}, 75, PRECISION_OWN, &words, .has = NULL},
	{"bf16", T_BF16, T_BF16, T_F32, 16, {4, 2}, 80, PRECISION_OWN, &words, .has = NULL},
	{"i8", T_I8, T_I8, T_I32, 32, {4, 2}, 75, PRECISION_OWN, &words, .has = NULL},
	{"u8", T_U8, T_U8, T_I32, 32, {4, 2}, 75, PRECISION_OWN, &words, .has = NULL},
	{"i8_u8", T_I8, T_U8, T_I32, 32, {4, 2}, 75, PRECISION_OWN, &words, .has = NULL},
	{"u8_i8", T_U8, T_I8, T_I32, 32, {4, 2}, 75, PRECISION_OWN, &words, .has = NULL},
	{"tf32", T_F32, T_F32, T_F32, 8, {4, 2}, 80, PRECISION_TF32, &words, .has = NULL},
	{"e4m3", T_F8E4M3, T_F8E4M3, T_F32, 32, {4, 2}, 89, PRECISION_OWN, &words, .has = NULL},
	{"e5m2", T_F8E5M2, T_F8E5M2, T_F32, 32, {4, 2}, 89, PRECISION_OWN, &words, .has = NULL},
	{"e4m3_e5m2", T_F8E4M3, T_F8E5M2, T_F32, 32, {4, 2}, 89, PRECISION_OWN,
	 &words, .has = NULL},
	{"e5m2_e4m3", T_F8E5M2, T_F8E4M3, T_F32, 32, {4, 2}, 89, PRECISION_OWN,
	 &words, .has = NULL},
	{.name = NULL}
};

/* What a block may use of shared memory without opting in is the same on all; a KiB of a block is
 * the system's. */
#define ARCH(arch_, level_, groups_, matrix, halves_, flight, units_, threads, blocks, fit, \
             shared, asked, machine_)                                                              \
	{                                                                                          \
		.name = "cuda", .suffix = ".cu", .arch = arch_, .gpu = true, .unrolls = true,      \
		.copies = true, .halves = halves_, .masks = true, .lanes = 32, .banks = 32,        \
		.sector = 64, .level = level_, .groups = groups_, .matrix_units = matrix,          \
		.piece = 32, .block = 256, .max_block = 1024, .shared_bytes = 48 * 1024,           \
		.asked_bytes = (asked)*1024, .flight_bytes = (flight)*1024, .units = units_,       \
		.unit_threads = threads, .unit_blocks = blocks, .fit_threads = fit,                \
		.unit_shared = (shared)*1024, .block_shared = 1024,                                \
		CHOSEN_ON_H200,                                                                    \
		.held_bytes = (shared) < 228 ? 0 : 216 * 1024, .machines = machines,               \
		.machine = machine_, .max_grid_x = 2147483647, .max_grid_y = 65535, TURN_BLOCKS,   \
		.mend = ptxas_mend, .print = print, .helpers = helpers, .tool = &tool              \
	}

/* Data sheets; what a copy and a read reach was measured on the H200 (bench/RESULTS.md: 90 and 94
 * of 100) and is taken for the others by that share.
 *
 * Rates of matrix units are dense: half of those that a data sheet gives with sparsity.  B200: an
 * eighth of the data sheet of HGX B200.  RTX PRO 6000: its data sheet has 4000 for sparse f4, of
 * which twice the bits are half.  A data sheet without f64 on matrix units leaves it 0. */
#define SHEET(gigabytes)                                                                           \
	.copy = 0.90 * (gigabytes), .read = 0.94 * (gigabytes), REACHED(0.90 * (gigabytes))
#define UNITS(tf32_, f16_, bits8, f64_)                                                            \
	.units = { .tf32 = tf32_, .f16 = f16_, .i8 = bits8, .f8 = bits8, .f64 = f64_ }
static const struct machine machines[] = {
	{.name = "H200", .copy = 4300, .read = 4500, REACHED(4300), .f32 = 67, .f64 = 34,
	 UNITS(494, 989, 1979, 67)},
	{.name = "H100", SHEET(3352), .f32 = 67, .f64 = 34, UNITS(494, 989, 1979, 67)},
	{.name = "A100", SHEET(2039), .f32 = 19.5, .f64 = 9.7,
	 .units = { .tf32 = 156, .f16 = 312, .i8 = 624, .f64 = 19.5 }},
	{.name = "A40", SHEET(696), .f32 = 37.4, .f64 = 0.58,
	 .units = { .tf32 = 74.8, .f16 = 149.7, .i8 = 299.3 }},
	{.name = "L40S", SHEET(864), .f32 = 91.6, .f64 = 1.43, UNITS(183, 362, 733, 0)},
	{.name = "B200", SHEET(8000), .f32 = 75, .f64 = 37, UNITS(1125, 2250, 4500, 37)},
	{.name = "RTX-PRO-6000", SHEET(1792), .f32 = 125, .f64 = 1.95, UNITS(250, 500, 1000, 0)},
	{.name = "T4", SHEET(320), .f32 = 8.1, .f64 = 0.25, .units = { .f16 = 65, .i8 = 130 }},
	{.name = NULL}
};

const struct target target_cuda[] = {
	/*   arch, its number, units of groups, of warps; two i16 at once, KiB in flight;
	 *            multiprocessors; of one the threads, blocks,
	 *            threads that all later ones hold too,
	 *   KiB of shared memory; a block's */
	/* the default text runs on the later ones too: the needs of an H200 */
	ARCH("sm_75", 75, false, units, false, 48, 132, 2048, 32, 1024, 228,  64, "H200"),
	ARCH("sm_80", 80, false, units, false, 16, 108, 2048, 32, 1536, 164, 163, "A100"),
	ARCH("sm_86", 86, false, units + FEW_UNITS, false, 16, 84, 1536, 16, 1536, 100,  99, "A40"),
	ARCH("sm_89", 89, false, units + FEW_UNITS, false, 16, 142, 1536, 24, 1536, 100,  99,
	     "L40S"),
	/* H200; an H100 is content with 32 */
	ARCH("sm_90", 90, false, units, true,  48, 132, 2048, 32, 1536, 228, 227, "H200"),
	ARCH("sm_90a", 90, true, units, true,  48, 132, 2048, 32, 1536, 228, 227, "H200"),
	ARCH("sm_100", 100, false, units, true,  64, 148, 2048, 32, 1536, 228, 227, "B200"),
	ARCH("sm_120", 120, false, units + FEW_UNITS, true,  32, 188, 1536, 24, 1536, 100,  99,
	     "RTX-PRO-6000"),
	{.name = NULL}
};
