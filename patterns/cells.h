/* cells.h - the state of a kernel that computes cells (cells.c, cell_read.c, stencil_lower.c). */
#ifndef CELLS_H
#define CELLS_H

#include "lower.h"
#include "pass.h"

enum { FLAT_VECTORS = 8 };               /* a thread holds at most at a time */

/* How a read is answered at the place where the code stands. */
enum cell_mode {
	CELL_PLAIN,     /* every access is inside: load it */
	CELL_VECTOR,  /* inside, and along the last axis from registers filled for a whole vector */
	CELL_BORDER,    /* an access with an edge may be outside: the edge answers */
	CELL_TILE,      /* from the tile in shared memory */
	CELL_HELD       /* near cells from registers, edges applied; others may be outside */
};

/* Cells of one array in one row, read at several offsets along the last axis by a vector of cells.
 * */
struct stream {
	const struct var *var;
	const struct expr *sample;          /* a read of it: its subscripts but for the last axis */
	int64_t lo, hi;                      /* offsets along the last axis, both included */
	struct kvar *cell;                   /* lo = hi, one cell a thread: that cell */
	struct kvar *vector;                 /* lo = hi = 0: the vector itself */
	struct kvar *window;                 /* else registers for offsets lo .. hi + width - 1, */
	bool row;                            /* or a pointer to where offset 0 of lane 0 is */
};

struct base { const struct var *var; struct kvar *pointer; };
struct fresh { const struct expr *target; struct kx *value; };   /* written at this cell just now */
struct tile_array { const struct var *var; struct kvar *shared; };

struct cells {
	struct lowering *l;
	const struct group *group;
	const struct node *node;
	int rank;                            /* domain indices */
	int column;                          /* the one threads and vectors run along: the last */
	int march;                          /* the index whose loop is inside all others; -1 none */
	int width;                           /* cells a thread takes in a strip; of a vector */
	bool vectors;                        /* rows are whole vectors, or shifted */
	bool shifted;                        /* rows begin anywhere (cells_shifted.c) */
	bool flat;                           /* all arrays as one long row */
	bool edged;                          /* some access may need an edge */
	enum cell_mode mode;
	struct kx *lane;                     /* cell within the vector, i32; NULL: 0 */
	struct kx *position;                 /* flat: the linear index of the cell */
	struct kx *strip, *strip_lane; /* flat: the block's first cell; the vector of this thread */
	struct kx *index[MAX_RANK];          /* of the cell */
	LIST(struct stream) stream;      /* the first `held` were filled before the vector's turn */
	int held;
	LIST(struct base) base;              /* CELL_VECTOR: each array at the bound indices */
	LIST(struct fresh) fresh;
	/* CELL_VECTOR: per equation, the vector or row it fills, or the cell, or NULL */
	LIST(struct kvar *) out;
	/* cells_tested.c: per equation, which cells of the vector read outside */
	LIST(struct kvar *) bad;
	struct kvar *zeroed;                     /* l->now.zeroed while they are computed */
	LIST(struct tile_array) tile;
	/* the halo before and after that constants need; a call may need more */
	int64_t tile_lo[MAX_RANK], tile_hi[MAX_RANK];
	struct kx *tile_before[MAX_RANK];    /* halo before the tile, i64 */
	struct kx *tile_size[MAX_RANK];      /* extent of the shared tile, i32 */
	struct kx *tile_origin[MAX_RANK];    /* index of the tile's first cell (without halo) */
	struct kx *tile_at[MAX_RANK];        /* the cell's place in the tile, i32 */
	/* NULL, or: no cells are computed, items go to cells (meet.h) */
	const struct meeting *meeting;
	struct accumulators acc;             /* of the epilogue's folds */
	struct folds folds;
};

/* cell_read.c */
/* lowering.read of such kernels */
struct kx *cell_read(struct lowering *, const struct expr *read);
bool cell_edged(const struct node *, const struct expr *read);      /* some axis may need an edge */
bool cell_edged_along(const struct node *, const struct expr *read, int axis);
/* The subscript along the axis, of the bound indices. */
struct kx *cell_place(struct cells *, const struct expr *read, int axis);
/* The index along the axis is near the array, however far a window reaches from it. */
bool cell_index_near(const struct node *, const struct expr *read, int axis);
/* A read at index `axis` + rest along that axis, which is from least to most over all terms of the
 * folds that the read is in.  False: it is no such read. */
struct cell_span { struct affine rest; struct shift_end least, most; };
bool cell_span(const struct node *, const struct expr *read, int axis, struct cell_span *);
bool span_number(const struct cell_span *);          /* both ends are numbers; */
bool span_given(const struct cell_span *);           /* of a window, and the call gives them */
void cells_find_streams(struct cells *);
void cells_load_streams(struct cells *, struct kx *column);           /* before the vector's loop */
/* Leads a place outside to one that may be far inside the array; along some index of the node?
 * Such places are found by loops or divisions: around several at a time compilers spill. */
bool leads_far(enum boundary);
bool node_leads_far(const struct node *);
struct kx *edge_position(enum boundary, struct kx *position, struct kx *extent, bool near);
const struct expr *edge_value(const struct var *, struct expr *const *sub,
                              const struct expr *value);
int edge_axis(const struct var *, int nth);      /* nth axis in the order as written */
/* cells from one index to the next */
struct kx *cells_stride(struct cells *, const struct var *, int axis);
/* Both read at the same place along each axis but the last. */
bool cells_same_row(const struct expr *, const struct expr *);
/* pointer to the cell there */
struct kx *cells_row(struct cells *, const struct expr *read, struct kx *column);
/* index k < extent always */
bool cells_index_inside(const struct node *, int k, const struct affine *extent);
enum { FAR_FACTOR = 1 << 14 };   /* an index, which is below 2^48, times this does not overflow */

/* cell_reach.c */
/* An i64 plus the end, which parameters may make anything: arithmetic wraps. */
struct kx *shift_end_value(struct lowering *, struct kx *from, const struct shift_end *);
/* Are its numbers so small that no sum of them wraps?  NULL: always. */
struct kx *shift_end_small(struct lowering *, const struct shift_end *);
/* Every access of the cells first .. last (along the column; other indices as bound) is inside. */
struct kx *cells_inside(struct cells *, struct kx *first, struct kx *last);
/* narrows to inside columns */
void cells_column_range(struct cells *, struct kx **lo, struct kx **hi);
struct kx *cells_inside_rows(struct cells *);               /* of the other indices; NULL: always */
/* The bound cell has all neighbours that keep asks for along an axis, or along all but it; NULL:
 * always. */
struct kx *cells_kept(struct cells *, int axis, bool alone);
bool cells_each_read(struct cells *, bool (*visit)(struct expr *, void *), void *);

/* cells_domain.c */
/* bounding range, host or kernel */
struct kx *cells_range_lo(struct cells *, int k, struct lowering *host);
struct kx *cells_range_hi(struct cells *, int k, struct lowering *host);
bool cells_exact(const struct node *, int k);                         /* the host knows the range */
/* the bound cell is in the domain (triangles, device bounds) */
struct kx *cells_guard(struct cells *);
struct kx *cells_guard_index(struct cells *, int k);    /* likewise along one index; NULL: always */
/* In a kernel, what bounds index k being bound: its range, cut to where some target has a cell. */
void cells_own_range(struct lowering *, const struct node *, int k, struct kx **lo, struct kx **hi);
bool cells_even(struct cells *);             /* no index bounds another: the domain is a box */
/* records what lies outside every target */
void cells_check_ranges(struct plan *, const struct node *);

/* cells.c */
/* vectors: rows are aligned for 16-byte accesses; suffix: of the kernel's name */
struct cells *cells_open(struct plan *, const struct group *, bool vectors, const char *suffix);
/* in a kernel that others share */
struct cells *cells_beside(struct lowering *, const struct node *);
void cells_bind(struct cells *, int k, struct kx *index);
/* Binds the indices of row number `row`, the last one fastest; those whose bits are in `others` are
 * none of a row's. */
void cells_bind_row(struct cells *, struct kx *row, struct kx *const *lo, struct kx *const *size,
                    uint64_t others);
/* What a text declares by this name is called so, with the name of the index for %s: a list. */
void cells_words(struct cells *, const char *name, const char *format);
/* A parameter, an i64, about index d, whose name is in this form; 0 stays a number. */
struct kx *cells_argument(struct cells *, const char *format, int d, struct kx *host);
void cells_body(struct cells *, enum cell_mode);                  /* equations and epilogue terms */
void cells_body_guarded(struct cells *, enum cell_mode);          /* if the cell is in the domain */
struct kx *cells_count(struct cells *);      /* host: cells of a flat node */
bool cells_no_fold(struct expr *, void *);   /* for walks */
bool cells_windows(const struct node *);     /* of a stencil with a boundary, that stay loops */
bool cells_no_struct(struct expr *, void *);
bool cells_no_curve(struct expr *, void *);
bool cells_flat(const struct node *);        /* all arrays as one long row */
void cells_find_folds(struct cells *);       /* the epilogue's */
/* On a CPU: these, and for each the memory for what every part finds: slot of the host, partial of
 * the kernel. */
void cells_find_partials(struct cells *, struct kx *parts, struct kx **slot, struct kx **partial);
void cells_start_folds(struct cells *);      /* acc = identity */
/* cells of the widest vector that all accesses allow: 1 with folds */
int cells_width(const struct node *);
/* cells_stage.c: the tile of a step, pinned or none. */
void tile_registers(struct node *, const struct shape *, const struct options *);
int cells_vector(const struct node *);       /* the same, whatever folds there are */
/* registers for what a vector of so many cells reads, */
int64_t cells_words_read(const struct node *, int width);
bool cells_fit(const struct node *, int width);                 /* and whether a thread has them */
void cells_store_folds(struct lowering *, const void *cells);
/* The vector of cells that begins at `first` (cells_gpu.c): what it reads, but for the streams held
 * already; its values, stored where they are not whole vectors; the whole vectors. */
void cells_load(struct cells *, struct kx *first);
void cells_compute_vector(struct cells *, struct kx *first, enum cell_mode);
void cells_store_vector(struct cells *, struct kx *first);
/* cells_tested.c: the same where cells may read outside; the store of whole vectors stands between
 * open and k_end. */
bool cells_tested(const struct cells *);
void cells_declare_tested(struct cells *);
void cells_compute_tested(struct cells *);
void cells_store_tested(struct cells *, int q, struct kx *pointer, struct kx *vector);
/* A strip of columns and the lanes that share it: its cells one by one. */
struct strip { struct kx *first, *width, *lane, *lanes, *lo, *end; };
void cells_singles(struct cells *, const struct strip *, enum cell_mode, int flags);
void cells_set_column(struct cells *, struct kx *column);
/* Host: cells of the array before its first whole vector. */
struct kx *cells_before_vector(struct cells *, const struct var *);
/* Host: cells before the first boundary that every array shares, at most count; -1 if they share
 * none. */
struct kx *cells_head(struct cells *, struct kx *count);
/* cells_shifted.c */
/* Are rows whole vectors of so many cells, whatever the sizes are?  Only an array that begins
 * between two vectors has others then. */
bool cells_whole_rows(const struct var *, int width);
/* May vectors be taken of rows that begin anywhere, and does it take that? */
bool cells_shift(struct cells *);
/* Host: all vectors of the target's own row begin at multiples of a vector where its own do. */
struct kx *cells_agree(struct cells *);
/* The read's vectors begin where those of the target do: only others are shifted. */
bool cells_own_row(const struct cells *, const struct expr *read);
/* Host: bytes of the target's row at whose multiples strips of so many lanes begin. */
struct kx *cells_line(const struct cells *, struct kx *lanes);
/* Columns from such a multiple to column `first` of the bound row; line: bytes, i32. */
struct kx *cells_past_line(struct cells *, struct kx *first, struct kx *line);
/* The vectors that are read for the columns first .. end - 1 are inside of their arrays, or the
 * words that they are shifted out of.  NULL: always. */
struct kx *cells_readable(struct cells *, struct kx *first, struct kx *end);
/* host: rows are whole vectors at multiples of 16 bytes */
struct kx *cells_aligned(struct cells *);
void cells_rows(struct cells *);   /* one instance of the kernel over rows, neighbours through L1 */
void cells_gpu(struct plan *, const struct group *);
void cells_flat_gpu(struct cells *);         /* cells_flat.c */
/* the bound cell of an array at its own index */
struct kx *cells_flat_place(struct cells *, const struct var *);
void cells_cpu(struct plan *, const struct group *);      /* cells_cpu.c */
void cells_finish(struct cells *, struct kx *part, struct kx *parts, struct kx *host_parts);

#endif
