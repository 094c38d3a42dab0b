/* hip.c - the target hip: its dialect for gpu.c, and its architectures, with 64 lanes or with 32.
 *
 * wave64 is for every machine of 64 lanes (gfx90a, gfx942), wave32 for every one of 32 (gfx10,
 * gfx11, gfx12).  The other width is refused: shuffles and the places of partial results are laid
 * out for one. Who translates HIP to another machine and takes care of both may define
 * PATC_ANY_LANES.
 *
 * Compilers tell the width by __AMDGCN_WAVEFRONT_SIZE__, the newest by the generation only.  On the
 * host's pass they tell of a machine that is not there: it counts only where __HIP_DEVICE_COMPILE__
 * does. */
#include "gpu.h"
#include "matrix.h"
#include "target_gpu.h"
#include "work.h"

#include <string.h>

static bool is_any(const struct target *t)
{
	return strncmp(t->arch, "wave", 4) == 0;
}

static void guard(const struct target *t, FILE *out)
{
	fputs("#if !defined(PATC_ANY_LANES) && (defined(__HIP_DEVICE_COMPILE__) || "
	      "defined(__CUDA_ARCH__))\n"
	      "#if defined(__CUDA_ARCH__)\n#define PATC_LANES 32\n"
	      "#elif defined(__AMDGCN_WAVEFRONT_SIZE__)\n#define PATC_LANES "
	      "__AMDGCN_WAVEFRONT_SIZE__\n"
	      "#elif defined(__GFX10__) || defined(__GFX11__) || defined(__GFX12__)\n#define "
	      "PATC_LANES 32\n"
	      "#else\n#define PATC_LANES 64\n#endif\n",
	      out);
	fprintf(out,
	        "#if PATC_LANES != %d\n#error \"this file was made for waves of %d "
	        "lanes\"\n#endif\n",
	        t->lanes, t->lanes);
	if (!is_any(t))
		fprintf(out,
		        "#if !defined(__%s__)\n#error \"this file was made for "
		        "--arch=%s\"\n#endif\n",
		        t->arch, t->arch);
	fputs("#undef PATC_LANES\n#endif\n\n", out);
}

static const char *const replace[] = { "PATC_KERNEL",
	                               "reinterpret_cast<const void *>(kernel)",
	                               "cudaDeviceAttr",
	                               "hipDeviceAttribute_t",
	                               "cudaDevAttrMultiProcessorCount",
	                               "hipDeviceAttributeMultiprocessorCount",
	                               "cudaDevAttrCooperativeLaunch",
	                               "hipDeviceAttributeCooperativeLaunch",
	                               "cudaDevAttrMaxSharedMemoryPerBlockOptin",
	                               "hipDeviceAttributeMaxSharedMemoryPerBlock",
	                               "cudaDevAttrL2CacheSize",
	                               "hipDeviceAttributeL2CacheSize",
	                               "cuda*",
	                               "hip",
	                               NULL };

/* The second number of HIP's launch bounds is of warps that a SIMD keeps; a multiprocessor, on RDNA
 * a pair of them that compilers take for one, has four. */
enum { SIMDS = 4 };

static struct gpu hip(const struct target *t)
{
	return (struct gpu){t, "<hip/hip_runtime.h>", "hip", replace, guard, SIMDS};
}

static void print(const struct program *program, struct plan *const *plan, int n,
                  const struct options *options, FILE *out)
{
	const struct gpu g = hip(options->target);
	gpu_print(&g, program, plan, n, options, out);
}

static void helpers(const struct target *t, FILE *out)
{
	const struct gpu g = hip(t);
	gpu_helpers(&g, out);
}

/* Of those that a text for all of one width is for. */
static const char *machine(const struct target *t)
{
	return strncmp(t->arch, "wave", 4) ? t->arch : t->lanes == 64 ? "gfx90a" : "gfx1030";
}

static const struct toolchain tool = {
	"HIPCC", "hipcc", "-std=c++17 -O2 -x hip", "--offload-arch=native", "--offload-arch=%s", "",
	"-S --cuda-device-only -Rpass-analysis=kernel-resource-usage", machine
};

/* MFMA of gfx90a and gfx942: a lane has four neighbours of a column, of f64 every fourth. */
#define FRAGMENT(rows) {{16, 16}, {4, 16}, {rows, 1}, .lines = 16, .next_lane = true}
static const struct fragment quads = FRAGMENT(4), fourths = FRAGMENT(1);
static const struct matrix_unit units[] = {
	{ "f16", T_F16, T_F16, T_F32, 16, { 2, 2 }, 90, PRECISION_OWN, &quads, .has = NULL },
	{ "bf16", T_BF16, T_BF16, T_F32, 16, { 2, 2 }, 90, PRECISION_OWN, &quads, .has = NULL },
	{ "i8", T_I8, T_I8, T_I32, 32, { 2, 2 }, 90, PRECISION_OWN, &quads, .has = NULL },
	{ "f32", T_F32, T_F32, T_F32, 4, { 1, 1 }, 90, PRECISION_OWN, &quads, .has = NULL },
	{ "f64", T_F64, T_F64, T_F64, 4, { 1, 1 }, 90, PRECISION_OWN, &fourths, .has = NULL },
	{ .name = NULL }
};

/* WMMA of 32 lanes.  A lane of gfx11 has every other row of a column, and all terms of a line,
 * which another lane has, too; one of gfx12 has eight neighbours, and half of the terms.  The text
 * for all of 32 lanes has the first, whose words gfx12 cannot multiply. */
#define WMMA(rows) {{16, 16}, {2, 16}, {rows, 1}, .lines = 16, .next_lane = true}
static const struct fragment twos = WMMA(1), eights = WMMA(8);
#define UNIT(name_, left_, right_, sum_, words_, least_, fragment_, has_)                          \
	{ name_, left_, right_, sum_, 16, { words_, words_ }, least_, PRECISION_OWN, &fragment_, \
	  false, has_ }
#define UNITS(n, bits16, bits8, fragment_, has_)                                                   \
	UNIT("wmma" #n "_f16", T_F16, T_F16, T_F32, bits16, n * 10, fragment_, has_),              \
	UNIT("wmma" #n "_bf16", T_BF16, T_BF16, T_F32, bits16, n * 10, fragment_, has_),           \
	UNIT("wmma" #n "_i8", T_I8, T_I8, T_I32, bits8, n * 10, fragment_, has_),                  \
	UNIT("wmma" #n "_u8", T_U8, T_U8, T_I32, bits8, n * 10, fragment_, has_),                  \
	UNIT("wmma" #n "_i8_u8", T_I8, T_U8, T_I32, bits8, n * 10, fragment_, has_),               \
	UNIT("wmma" #n "_u8_i8", T_U8, T_I8, T_I32, bits8, n * 10, fragment_, has_),               \
	{ .name = NULL }
static const struct matrix_unit units11[] = { UNITS(11, 8, 4, twos, "patc_has_wmma11") };
static const struct matrix_unit units12[] = { UNITS(12, 4, 2, eights, NULL) };

/* In flight: by Little's law, a multiprocessor's share of the bandwidth for about a microsecond. */
#define ARCH(arch_, width, level_, matrix, flight, units_, threads, machine_)                      \
	{                                                                                          \
		.name = "hip", .suffix = ".hip", .arch = arch_, .gpu = true, .halves = true,       \
		.level = level_, .matrix_units = matrix,                                           \
		.lanes = width, .banks = 32, .sector = 64, .piece = 32, .block = 256,              \
		.max_block = 1024, .shared_bytes = 64 * 1024, .asked_bytes = 64 * 1024,            \
		.flight_bytes = (flight)*1024, .units = units_, .unit_threads = threads,           \
		.unit_blocks = 32, .unit_shared = 64 * 1024, .machines = machines,                 \
		.machine = machine_, .max_grid_x = 2147483647, .max_grid_y = 65535, TURN_BLOCKS,   \
		CHOSEN_ON_H200,                                                                    \
		.print = print, .helpers = helpers, .tool = &tool                                  \
	}

/* Data sheets; copy and read ceilings by public measurements, on RDNA by the share that an H200
 * reaches.  Rates of matrix units are dense; a die of the MI250X has half of its data sheet's. */
static const struct machine machines[] = {
	{.name = "MI300X", .copy = 4200, .read = 4400, REACHED(4200), .f32 = 163.4, .f64 = 81.7,
	 .units = { .f16 = 1307.4, .f32 = 163.4, .f64 = 163.4, .i8 = 2614.9 }},
	/* one die */
	{.name = "MI250X", .copy = 1300, .read = 1400, REACHED(1300), .f32 = 23.9, .f64 = 23.9,
	 .units = { .f16 = 191.5, .f32 = 47.9, .f64 = 47.9, .i8 = 191.5 }},
	{.name = "RX-5700-XT", .copy = 403, .read = 421, REACHED(403), .f32 = 9.75, .f64 = 0.61},
	{.name = "RX-6900-XT", .copy = 461, .read = 481, REACHED(461), .f32 = 23.0, .f64 = 1.44},
	{.name = "RX-7900-XTX", .copy = 864, .read = 902, REACHED(864), .f32 = 61.4, .f64 = 1.92,
	 .units = { .f16 = 122.8, .i8 = 122.8 }},
	{.name = "RX-9060-XT", .copy = 288, .read = 301, REACHED(288), .f32 = 25.6, .f64 = 0.40,
	 .units = { .f16 = 103, .i8 = 205 }},
	{.name = NULL}
};

const struct target target_hip[] = {
	/*   arch      lanes, its number or 0: any; units of warps, KiB in flight,
	 *             multiprocessors, threads of one */
	ARCH("wave64",   64,  0, units, 16, 304, 2048, "MI300X"),
	ARCH("gfx90a",   64, 90, units, 16, 110, 2048, "MI250X"),
	ARCH("gfx942",   64, 94, units, 16, 304, 2048, "MI300X"),
	ARCH("wave32",   32,   0, units11,  8,  48, 1024, "RX-7900-XTX"),
	ARCH("gfx1010",  32,   0, NULL,     8,  20, 1280, "RX-5700-XT"),
	ARCH("gfx1030",  32,   0, NULL,     8,  40, 1024, "RX-6900-XT"),
	ARCH("gfx1100",  32, 110, units11,  8,  48, 1024, "RX-7900-XTX"),
	ARCH("gfx1200",  32, 120, units12,  8,  16, 1024, "RX-9060-XT"),
	{.name = NULL}
};
