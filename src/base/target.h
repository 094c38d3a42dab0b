/* target.h - what a pass and a lowering may know of a machine.  The rows are in backends/. */
#ifndef TARGET_H
#define TARGET_H

#include "options.h"

struct program; struct plan; struct kernel; struct machine; struct matrix_unit;

struct target;
struct toolchain {                      /* how a target is built: variable names another compiler */
	const char *variable, *program, *flags, *native, *arch, *libs;
	const char *resources;           /* flags: it says what kernels take; NULL: it does not */
	/* the machine to compile for; NULL: the architecture is one */
	const char *(*machine)(const struct target *);
};

struct target {                          /* what a pass and a lowering may know of a machine */
	const char *name, *suffix;           /* "cuda" ".cu" */
	const char *arch;                    /* "sm_75": each architecture of a target is a row */
	/* long loops unrolled stay in registers; it fills shared memory by itself; two i16 at once
	 * */
	bool gpu, unrolls, copies, halves;
	bool masks;                          /* operations of a warp name the lanes in it */
	/* of a warp, 1 on a CPU; of shared memory; bytes that memory moves at a time, at least */
	int lanes, banks, sector, piece;
	int block, max_block;                /* threads of a block: by default, at most */
	/* matrix.h, or NULL; the architecture that their rows are compared with: 75 of sm_75 */
	const struct matrix_unit *matrix_units; int level;
	bool groups;             /* four warps have a unit that reads shared memory (wgmma) */
	int64_t shared_bytes, asked_bytes;   /* a block may use without opting in; if it asks */
	int64_t flight_bytes;            /* to keep in flight per multiprocessor (algorithms 1.4) */
	/* multiprocessors of the machine that a text is tuned for; it runs on any number */
	int units;
	/* a multiprocessor holds at a time; threads on any that texts are for, or 0 */
	int unit_threads, unit_blocks, fit_threads;
	/* bytes of shared memory it has for them; taken by a block that has any */
	int64_t unit_shared, block_shared;
	/* that its blocks together hold cells in while they wait for others; 0: too few */
	int64_t held_bytes;
	/* Chosen on one GPU (backends/target_gpu.h).  Blocks that share a fold of everything, that
	 * a fold of cells or a march along an axis is cut into, that take tile after tile. */
	int total_blocks, fold_blocks, march_blocks, tile_blocks;
	/* Blocks that fold a row together, up to which one block a row is faster, because it reads
	 * the row once less. */
	int row_blocks;
	/* threads, and problems of a warp each, that keep its memory busy by themselves */
	int full_threads, full_warps;
	/* keys of 32 and of 64 bits, from which on sorting by digits is faster than merging */
	int64_t radix_keys32, radix_keys64;
	/* operations of a lane for a byte that it moves, from which on they decide its time */
	int busy_steps;
	/* bytes of shared memory that a block clears and adds to the array, however few items
	 * there are */
	int64_t private_bytes;
	/* items, from which on a look at some of them and a launch more pay (private_sample.c) */
	int sample_items;
	/* least bytes of shared memory that a strip of a wavefront has for what it hands on and
	 * for its columns */
	int64_t strip_bytes;
	/* bytes of a block's operands, of products of few cells: up to which a thread takes
	 * several products; at most */
	int64_t batch_few, batch_most;
	/* work.h: what remarks measure against, or NULL; by default */
	const struct machine *machines; const char *machine;
	void (*mend)(struct kernel *);    /* rewrites what its compiler translates wrong; or NULL */
	int64_t max_grid_x, max_grid_y;      /* blocks of a launch */
	int64_t turn_blocks;                 /* the same, where blocks take what is left in turns */
	void (*print)(const struct program *, struct plan *const *, int n, const struct options *,
	              FILE *);
	/* --helpers: the header that sources share */
	void (*helpers)(const struct target *, FILE *);
	const struct toolchain *tool;        /* that the tests build with */
};
/* backends/targets.c: tables, NULL after the last; the first row is the default of --arch, one
 * without a name the end. */
extern const struct target *const targets[];
const struct target *target_find(const char *name);                         /* or NULL */
/* of that table, or NULL */
const struct target *target_arch(const struct target *, const char *arch);
const char *target_archs(const struct target *);        /* "sm_75, sm_80, ..." */
/* the C header */
void header_print(const struct program *, const struct options *, const char *name, FILE *);

#endif
