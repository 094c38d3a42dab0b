/* wave_strips.h - a wavefront in strips of rows, a warp each: what wave_strips.c and the files that
 * it names share.
 *
 * Places: in the strip at hand a column counts `slope` more a row, so that no cell waits for one of
 * a larger row or place.  Steps along rows and places are counted in the order, whichever way its
 * axes run. */
#ifndef WAVE_STRIPS_H
#define WAVE_STRIPS_H

#include "wave.h"

enum { PART = 32 };                      /* places that a strip takes from the one above together */
enum { RING = 2 * PART };                /* places of a row that a ring of an array has */

/* What is known of the cells of some steps: enum strip_mode below.
 *
 * Note [strips that overrun] Where cells may be computed beyond the last row and column, and no
 * cell reads one beyond them, all strips take START's steps and then PLAIN's to their end: whether
 * a cell exists is tested when it is stored, which costs little. Steps of their own for the end
 * would be read into the instruction cache by each strip anew, and all others wait for it. */
enum strip_mode {
	STRIP_EDGE,                          /* nothing: every cell is tested */
	STRIP_END,                           /* no cell is before the first column */
	/* no cell is past the last row or column, or reads one that is; only the first strip reads
	 * above the first row */
	STRIP_START,
	STRIP_PLAIN                          /* both END and START */
};

/* FAR: places that 32 bits hold, more than any step reaches */
enum { MOST_TURNS = 8, FAR = 1 << 20 };
/* Cells of an array at the pieces of rows that a step completes: in each turn the index of this
 * lane's first one, would the first of these lanes be lane 0 and the next place 0; how much further
 * it is for the next lane. */
struct lines {
	struct kx *array, *at[MOST_TURNS], *step;
	struct kx *rows[MOST_TURNS];         /* of the strip that there are from that row on: i32 */
	/* place after the vector, would the first of these lanes be lane 0: i32 */
	struct kx *past[MOST_TURNS];
	struct kx *cursor[MOST_TURNS];     /* the index in the step at hand; NULL: it is computed */
	struct kx *rings[MOST_TURNS];        /* where that row is in the ring it fills: i32 */
	struct kx *columns, *left;           /* that there are, i64; from the part on, i32 */
};

/* What the next step reads: columns of a step, loaded if they are a vector. */
struct coming { struct kvar *to, *from; struct kx *first, *at, *loaded; };

/* What a lane keeps of a table while the strip passes: a window of its own rows and those above
 * them.  All variables are of one kernel, and NULL where it needs none. */
struct strip_table {
	/* measured: lanes_measure */
	const struct type *type;
	int64_t above, left;           /* rows above a cell, places before it, that cells look at */
	/* the workspace: old values of the rows of the strip below, or NULL: below_open */
	struct kvar *below;

	/* the cell and its window: wave_window.c, wave_edge.c */
	struct kvar *value;                  /* of the cell at hand */
	struct kvar *window;  /* registers: above + rows rows of left + columns; NULL: none looks */
	struct kvar *edge;              /* registers: what its rows show left of the first column */
	/* shared: what the strip above leaves, a row of a chunk after the other */
	struct kvar *top;
	struct kvar *next;                   /* registers: of that, what the next step reads */

	/* old values that are loaded ahead: wave_reads.c */
	struct kvar *ring;                   /* shared, as of a strip_read */
	/* registers: of these, what this step reads, and some columns on; or NULL */
	struct kvar *old;
	int64_t ahead;                       /* columns that old has after those of the step */
	struct kx *below_x, *below_rows;     /* `below`; how many rows the table has there: i64 */
	struct lines old_line;               /* with vectors: where they come from */

	/* cells on their way to memory: wave_segments.c */
	struct kvar *out, *piece;       /* shared: a segment of each row; a row's cells of a step */
	/* shared: the first vector of each row, where the first column may cut it */
	struct kvar *firsts;
	struct lines line;                   /* with vectors: where segments go */
	/* Note [stores a step late] */
	struct late { struct kx *is, *value, *at; } late[MOST_TURNS];
};

/* An array that cells read at their own row, column or both: wave_reads.c. */
struct strip_read {
	const struct expr *read;
	const struct var *column;            /* the index of columns */
	bool rows, columns;                  /* which of the two it follows */
	struct kvar *held;       /* registers: a value a row, or a column, or a cell, of the step */
	/* by column: of all lanes in this part (shared); of the next chunk */
	struct kvar *near, *asked;
	struct kvar *ring;                   /* shared: some places of every row */
	struct lines line;                   /* with vectors: where they come from */
};

/* An array whose cells other warps move (wave_serve.c): pieces of it out of a ring, or RING places
 * on into it, or both. */
struct moved {
	const struct expr *cell;
	struct kvar *ring;
	int places, width;                   /* of a row of the ring; elements of a vector */
	bool out, in, old;            /* old: what is there is what the array has, not the domain */
	/* line: the index of this thread's first vector, were its piece the first one */
	struct kx *array, *line, *pitch;
	struct kx *rows, *rows_in; /* from this thread's row on, to take out and to bring in: i32 */
	struct kx *all;                      /* are all rows of the strip there? */
	struct kx *columns;                  /* that can be brought in, i64 */
};

/* How large a strip and its steps are.  lanes_measure and lane_shape (wave_window.c) find what
 * cells look at and what a lane computes in a step, shape_strips (wave_strips.c) the rest; the
 * strips that move vectors have a copy of their own (with_vectors).  Constant while kernels are
 * written. */
struct strip_shape {
	int lanes;                           /* of a warp */
	int rows, columns;                   /* that a lane computes in a step */
	int64_t right;               /* columns after its own that a cell looks at in rows above */
	/* rows below the strip whose old values it reads; columns beside */
	int64_t below, below_left, below_right;
	int words;                           /* of 64 bits that a strip hands on for each place */
	int piece;                           /* places of a row that go to memory together */
	/* places taken from above together; before the first one, where the first step begins */
	int chunk, shift;
};

/* Note [kinds of strips]
 * What is decided about strips, by shape_strips (wave_strips.c); with_vectors decides `vectors`
 * again, and `served`.  A line begins with the decisions that it implies:
 *
 *   filled    no slope, all problems alike, and boundaries may be computed early (edges_fill)
 *   staged    filled; no mask and no cell that is skipped; pieces of rows fit into shared memory
 *   rings     staged; the rings of what cells read (reads_bytes) fit into it, too
 *   overrun_safe  staged; all other arrays are read by way of `rings`, rows or columns
 *             (reads_harmless)
 *   overruns  overrun_safe; the compiler unrolls, and no cell reads places beyond the table
 *   vectors   staged; rows of the tables are vectors (segments_have_vectors), which the host tests
 *             (segments_aligned).  Where nothing is moved by pieces it is always set.
 *   served    vectors, overruns; no fold over the cells; all fits into shared memory (can_serve)
 *
 * Where strips are not staged, each lane stores its own cells, and reads other arrays as it needs
 * them. */
struct strip_kind {
	bool filled;             /* what is outside the tables is in the windows: wave_edge.c */
	bool staged;                     /* cells go to memory by pieces of rows: wave_segments.c */
	bool rings;                          /* some arrays are kept in rings: wave_reads.c */
	bool overrun_safe;            /* places beyond the table may be computed: wave_reads.c */
	bool overruns;                       /* Note [strips that overrun] */
	bool vectors;                        /* pieces are moved by vectors */
	bool served;                         /* pieces are moved by other warps: wave_serve.c */
	bool slow;                          /* a cell is so much work that steps are not unrolled */
};

/* Numbers of the host.  host_strips (wave_strips.c) finds them, with_vectors its own `before`. */
struct strip_host {
	/* places before the first column at which lanes begin: whole steps, or, where windows are
	 * filled, up to a multiple of 16 bytes */
	struct kx *before;
	struct kx *strips;                   /* of a problem */
	struct kx *most_strips, *most_columns;       /* of all problems; over the sizes alone */
};

/* Variables of the kernel that is written now, and what its texts are about.  Empty when a kernel
 * begins. */
struct strip_now {
	struct kx *before;                   /* that of the host: bind_arguments */
	/* what the rows at a strip's end leave at a place, of the last lane: handed_open */
	struct accumulators handed;
	struct kvar *word[64];               /* of the strip above, asked for: handed_open */
	LIST(struct coming) coming;          /* from coming_ask to coming_take */
	const struct expr *cell;             /* of the array at hand: bind_array */
};

struct strips {
	struct axes axes;
	const struct strip_shape *shape;
	const struct strip_kind *kind;
	struct strip_host host;
	struct strip_now now;
	/* Arrays: what is known of each, and its variables in the kernel that is written now.
	 * Every kernel begins with its own copy (strips_anew), which has no variables yet. */
	struct strip_table *table;           /* per equation: lanes_measure */
	LIST(struct strip_read *) read;      /* other arrays, if staged: reads_find */
	LIST(struct moved) moved;            /* by the warps that serve: serve_open */
};

/* wave_strips.c: a name of the texts (strips.kernel), where C is called by them */
struct kx *get(const struct strips *, const char *name);
int64_t strip_rows(const struct strips *);
bool table_stored(const struct strips *, int q);         /* else no cell of it is ever in memory */
void warp_sync(struct lowering *);
/* of shared memory: what most strips hand on, columns */
int64_t other_bytes(const struct strips *);

/* wave_window.c */
/* what cells look at, and the first step that fits; false: none does */
bool lanes_measure(struct strips *, struct strip_shape *, const struct node *,
                   const struct target *);
/* rows and columns of the next step that fits into registers, from that number on; -1: none */
int lane_shape(const struct strips *, struct strip_shape *, const struct target *, int from);
void windows_open(struct strips *);
void shared_clear(struct strips *, struct kvar *, int64_t n);
/* may the columns of a step be moved at once? */
bool in_vectors(const struct strips *, const struct type *);
/* Those of a step: to[first] .. = from[at] .., in registers of their own until all that was asked
 * for is taken. */
void coming_ask(struct strips *, struct kvar *to, struct kx *first, struct kvar *from,
                struct kx *at);
void coming_take(struct strips *);
/* i32; row 0: the highest kept */
struct kx *window_at(const struct strips *, int q, struct kx *row, struct kx *column);
/* Is it in a window, and how far away there: places count the slope. */
bool neighbour_near(const struct strips *, const struct neighbour *, int64_t *row, int64_t *place);
/* what the next step needs of the strip above: at (i32) in the chunk */
void windows_ask(struct strips *, struct kx *at);
bool has_records(const struct strips *);     /* are cells structs? */
void bind_window(struct strips *, int q);    /* names of the texts, until k_forget */
/* with two arguments, or fewer */
void window_text(struct strips *, int q, const char *text, struct kx *, struct kx *);
/* Called by windows.kernel. */
void for_windows(struct strips *, const char *text),
	for_edges(struct strips *, const char *text, struct kx *, struct kx *);
void values_open(struct strips *), bind_neighbours(struct strips *, enum strip_mode),
	compute_equations(struct strips *);
void keep_old(struct strips *), show_memory(struct strips *), fold_strip_cell(struct strips *);
struct kx *from_above(struct strips *, struct kx *sent), *is_cell(struct strips *);

/* wave_edge.c */
/* may what is outside be asked for without asking who looks at it? */
bool edges_fill(const struct strips *);
void edges_open(struct strips *);        /* what is left of the first column, when a strip begins */
/* row (i32) of the window */
struct kx *edge_at(const struct strips *, int q, struct kx *row, struct kx *column);
/* called by windows.kernel */
void ask_outside(struct strips *, struct kx *to, struct kx *row, struct kx *column);
/* above the first row */
void edge_above(struct strips *, int q, struct kvar *, int64_t up, struct kx *column);

/* wave_hand.c: called by strips.kernel */
void handed_open(struct strips *);
void store_words(struct strips *, struct kx *place, struct kx *is);  /* of the step at hand */
void load_words(struct strips *, struct kx *place), decode_words(struct strips *);
struct kx *words_known(const struct strips *);       /* are all there? */
void rows_before(struct strips *, struct kx *place);  /* above the first strip */
void put_top(struct strips *, struct kx *at);        /* to shared memory */
int top_places(const struct strips *);       /* of a row handed on, in shared memory */
/* where a place is there, if strips are served: i32 */
struct kx *top_place(const struct strips *, struct kx *place);

/* wave_serve.c */
int threads_of(const struct strips *);       /* of a block */
int chunks_apart(const struct strips *);     /* those that a warp takes */
/* may other warps serve the strips, pieces of half a part? */
bool can_serve(const struct strips *);
void serve_bind(struct strips *), serve_open(struct strips *);
/* called by serve.kernel */
void below_half(struct strips *, struct kx *half), move_arrays(struct strips *);
void strips_sync(struct strips *);           /* all threads: what is in shared memory is seen */

/* wave_segments.c */
bool segments_have_vectors(const struct strips *);
int64_t segment_cells(const struct strips *); /* that a table has in shared memory, but in a ring */
/* where strips are served: places of a row that there are */
int out_ring(const struct strips *, int q);
/* row of the strip, i32 */
struct kx *cell_at(struct strips *, const struct expr *cell, struct kx *row, struct kx *column);
/* of the array, from the first one of the domain on */
struct kx *columns_from(struct strips *, const struct expr *cell);
/* host: places from a multiple of 16 bytes to the first column */
struct kx *segments_before(const struct strips *);
struct kx *segments_aligned(const struct strips *);
void segments_open(struct strips *), segments_bind(struct strips *);
bool stores_late(const struct strips *);     /* Note [stores a step late] */
void segments_begin(struct strips *), segments_cell(struct strips *, enum strip_mode),
	segments_end(struct strips *, enum strip_mode);
int piece_turns(const struct strips *, int width);
int steps_of_piece(const struct strips *);
/* Names of the texts, until k_forget: an array's, those of a turn. */
void bind_array(struct strips *, const struct expr *cell, int width),
	bind_line(struct strips *, const struct lines *, int turn);
/* Rows from this one (i32) of the strip on, i64: of the domain; or old: of the array, with the cell
 * bound there. */
struct kx *rows_from(struct strips *, const struct expr *cell, struct kx *row, bool old);
/* old: what is there is what the array has, not the domain. */
void lines_open(struct strips *, struct lines *, const struct expr *cell, int width, bool old);
void lines_part(struct strips *);            /* of all lines, when a part begins */
/* after a step of pieces; NULL: before the first */
void lines_move(struct strips *, struct kx *step);
/* Called by segments.kernel. */
void for_turns(struct strips *, const char *text, struct kx *step, struct kx *mode);
void store_tables(struct strips *, struct kx *step, struct kx *mode), store_cuts(struct strips *);

/* wave_reads.c */
void reads_find(struct strips *);
int64_t reads_bytes(const struct strips *);  /* of shared memory, for all rings */
int64_t reads_near_bytes(const struct strips *);      /* likewise, for columns */
bool reads_by_column(const struct strips *);
bool old_ring(const struct strips *, int q);    /* if s->kind->rings */
/* columns after those of a step whose old values its cells see: whole steps */
int64_t old_ahead(const struct strips *, int q);
int near_ring(const struct strips *);  /* places of columns in shared memory: Note [columns near] */
/* names of the texts, until k_forget: of a table's old values */
void bind_old(struct strips *, int q);
struct kx *reads_aligned(const struct strips *);     /* host: whole vectors */
void reads_open(struct strips *);            /* when a strip begins */
/* May a cell read whatever is there, beyond the rows and columns? */
bool reads_harmless(struct strips *);
void reads_ask(struct strips *, struct kx *place);   /* of a chunk */
/* Called by rings.kernel. */
void put_columns(struct strips *, struct kx *at),
	bind_cell(struct strips *, struct kx *row, struct kx *column);
struct kx *cell_address(struct strips *);
/* What the next step needs: at (i32) in the chunk. */
void reads_ask_columns(struct strips *, struct kx *at), reads_ask_rings(struct strips *);
void reads_move(struct strips *);            /* old values, before what was asked for is taken */
void reads_fill(struct strips *, struct kx *step, enum strip_mode);
/* where its old value is, or NULL */
struct kx *old_held(struct strips *, const struct neighbour *);
struct kx *strip_read(struct lowering *, const struct expr *);       /* lowering.read of a cell */

/* wave_below.c */
void below_open(struct strips *);            /* launches the kernel that keeps them */
/* that, or what is kept */
struct kx *below_cell(struct strips *, const struct neighbour *, struct kx *memory);

#endif
