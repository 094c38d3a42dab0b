/* wave_segments.c - what the lanes of a strip compute goes to memory by whole pieces of rows
 * (segments.kernel).
 *
 * Each row of the strip has a piece in shared memory, which its lane fills column by column.  In
 * every step a few lanes complete theirs, and all lanes together store those: neighbouring lanes
 * neighbouring cells, vectors where rows are aligned.  A piece begins at a multiple of its bytes in
 * memory, so the first one of a row may begin left of the domain.
 *
 * Of 4-byte cells half a part covers half of the banks, and lanes eight apart are at the same
 * place of it: the rows of every eight lanes begin a piece further on (gap). */
#include "wave_strips.h"

enum { LANES_APART = 8 };

int steps_of_piece(const struct strips *s)
{
	return s->shape->piece / s->shape->columns;
}

static int gap(const struct strips *s)
{
	return s->shape->piece < PART ? s->shape->piece : 0;
}

int64_t segment_cells(const struct strips *s)
{
	return s->kind->served ? strip_rows(s) * 2 * s->shape->piece
	                 : strip_rows(s) * s->shape->piece + s->shape->lanes / LANES_APART * gap(s);
}

int out_ring(const struct strips *s, int q)
{
	return s->table[q].ring ? RING : 2 * s->shape->piece;
}

/* Elements of a lane's access. */
static int lane_width(const struct strips *s, int q)
{
	return s->kind->vectors ? (int)(16 / type_size(s->table[q].type)) : 1;
}

/* Its last subscript has the index of columns. */
static bool by_rows(const struct node *node, const struct expr *cell)
{
	return !var_home(cell->var)
	       && wave_index_of(node, cell->arg.at[cell->arg.n - 1])
	                  == node->wave->order[node->index.n - 1];
}

/* Columns of a problem's own may begin anywhere. */
static bool begins_known(const struct strips *s)
{
	const struct node *node = s->axes.node;
	const struct expr *cell = wave_table(node, 0);
	int d = s->axes.n - 1, k = node->wave->order[d];
	struct affine lo;
	return !axis_own(node, d)
	       || (!axis_reads_cut(node, d) && affine_of(node->lo.at[k], &lo) && !lo.n
	           && lo.constant == -cell->affine[wave_subscript(node, cell, k)].constant);
}

bool segments_have_vectors(const struct strips *s)
{
	const struct node *node = s->axes.node;
	if (s->axes.slope || node->wave->back[axis_index(&s->axes, s->axes.n - 1)]
	    || !begins_known(s))
		return false;
	for (int q = 0; q < node->equation.n; q++)
		if (table_stored(s, q)
		    && (s->table[q].type->kind == T_STRUCT || s->table[q].type->kind == T_BOOL
		        || !by_rows(node, wave_table(node, q))))
			return false;
	return true;
}

/* Host: the column of the table where its rows in the domain begin. */
static struct kx *first_column(const struct strips *s, int q)
{
	const struct axes *a = &s->axes;
	const struct expr *cell = wave_table(a->node, q);
	return x_add(a->host_lo[a->n - 1], x_i64(cell->affine[cell->arg.n - 1].constant));
}

/* Most elements of a vector that is stored. */
static int64_t most_elements(const struct strips *s)
{
	int64_t width = 1;
	for (int q = 0; q < s->axes.node->equation.n; q++)
		if (table_stored(s, q) && 16 / type_size(s->table[q].type) > width)
			width = 16 / type_size(s->table[q].type);
	return width;
}

struct kx *segments_before(const struct strips *s)
{
	int64_t constant;
	struct kx *before = kx_fold(x_rem(first_column(s, 0), x_i64(most_elements(s))));
	return x_constant(before, &constant) ? before : plan_let(s->axes.plan, "before", before);
}

/* Host: pieces of rows are whole vectors at multiples of 16 bytes. */
struct kx *segments_aligned(const struct strips *s)
{
	const struct axes *a = &s->axes;
	struct lowering *host = host_lowering(a->plan);
	struct kx *all = NULL;
	for (int q = 0; q < a->node->equation.n; q++) {
		const struct expr *cell = wave_table(a->node, q);
		if (!table_stored(s, q))
			continue;
		struct kx *width = x_i64(16 / type_size(cell->type));
		all = x_and(all, plan_aligned(a->plan, cell->var, 16 / type_size(cell->type)));
		all = x_and(all,
		            x_eq(x_rem(lower_pitch(host, cell->var, cell->var->rank - 1), width),
		                 x_i64(0)));
		all = x_and(all, x_eq(x_rem(x_sub(first_column(s, q), s->host.before), width),
		                      x_i64(0)));
	}
	return x_and(all, reads_aligned(s));
}

/* ---- what the texts know of a table, and of the pieces of a turn ---- */

/* Note [stores a step late]
 * A step that stored what it takes from shared memory would wait for it, and so would all that
 * comes after the store. So the next step stores it.
 *
 * Vectors that the first or the last column cuts are stored when the strip ends, since a test in
 * each step would cost all of them: the lanes keep the first cells of their rows beside the
 * pieces, and pieces are not written after the last column, so that what is there is still the
 * last vector. */
bool stores_late(const struct strips *s)
{
	return s->kind->vectors && !s->kind->served && s->axes.plan->target->unrolls;
}

/* Rows whose pieces a step completes, of all lanes that do. */
static int rows_of_step(const struct strips *s)
{
	return s->shape->lanes / steps_of_piece(s) * s->shape->rows;
}

int piece_turns(const struct strips *s, int width)
{
	int rows = rows_of_step(s), at_once = s->shape->lanes / (s->shape->piece / width);
	return rows > at_once ? rows / at_once : 1;
}

static int turns_of(const struct strips *s, int q)
{
	return table_stored(s, q) ? piece_turns(s, lane_width(s, q)) : 0;
}

void segments_bind(struct strips *s)
{
	struct kernel *k = s->axes.l->k;
	k_numbers(k, "GAP, SEGMENT_CELLS, ROWS_OF_STEP", gap(s), segment_cells(s), rows_of_step(s));
}

void bind_array(struct strips *s, const struct expr *cell, int width)
{
	struct kernel *k = s->axes.l->k;
	s->now.cell = cell;
	k_bind(k, "WIDTH", width);
	k_bind(k, "CELLS", kt_vector(cell->type, width));
}

static void bind_table(struct strips *s, int q)
{
	const struct strip_table *t = &s->table[q];
	struct kernel *k = s->axes.l->k;
	bind_array(s, wave_table(s->axes.node, q), lane_width(s, q));
	k_numbers(k, "TURNS, IN_VECTORS, OUT_RING", turns_of(s, q), in_vectors(s, t->type),
	          out_ring(s, q));
	k_numbers(k, "FIRSTS, OLD_RING", t->firsts != NULL, s->kind->served && t->ring);
	if (t->out)
		k_bind(k, "out", t->out);
	if (t->firsts)
		k_bind(k, "firsts", t->firsts);
}

void bind_line(struct strips *s, const struct lines *line, int x)
{
	struct kernel *k = s->axes.l->k;
	k_numbers(k, "TURN, CURSOR", x, line->cursor[x] != NULL);
	if (!line->array)
		return;
	k_bind(k, "array", line->array);
	k_bind(k, "line_start", line->at[x]);
	k_bind(k, "line_rows", line->rows[x]);
	k_bind(k, "line_past", line->past[x]);
	k_bind(k, "line_stride", line->step);
	if (line->left)
		k_bind(k, "lines_left", line->left);
	if (line->cursor[x])
		k_bind(k, "line_cursor", line->cursor[x]);
	if (line->rings[x])
		k_bind(k, "ring_line", line->rings[x]);
}

static void bind_late(struct strips *s, const struct late *late)
{
	if (!stores_late(s))
		return;
	k_bind(s->axes.l->k, "is_late", late->is);
	k_bind(s->axes.l->k, "cells_late", late->value);
	k_bind(s->axes.l->k, "at_late", late->at);
}

/* A text for every turn of every table. */
void for_turns(struct strips *s, const char *text, struct kx *step, struct kx *mode)
{
	struct kernel *k = s->axes.l->k;
	for (int q = 0; q < s->axes.node->equation.n; q++)
		for (int x = 0; x < turns_of(s, q); x++) {
			int names = k_names(k);
			bind_table(s, q);
			bind_line(s, &s->table[q].line, x);
			bind_late(s, &s->table[q].late[x]);
			k_text(k, text, step, mode);
			k_forget(k, names);
		}
}

void store_tables(struct strips *s, struct kx *step, struct kx *mode)
{
	struct kernel *k = s->axes.l->k;
	for (int q = 0; q < s->axes.node->equation.n; q++)
		if (table_stored(s, q)) {
			int names = k_names(k);
			bind_table(s, q);
			k_text(k, "store_table", step, mode);
			k_forget(k, names);
		}
}

void store_cuts(struct strips *s)
{
	struct kernel *k = s->axes.l->k;
	for (int q = 0; q < s->axes.node->equation.n; q++)
		if (table_stored(s, q)) {
			int names = k_names(k);
			bind_table(s, q);
			if (s->table[q].firsts)
				k_text(k, "store_cut", x_int(T_BOOL, 0));
			k_text(k, "store_cut", x_int(T_BOOL, 1));
			k_forget(k, names);
		}
}

/* ---- the lane's cells of a step, a row at a time ---- */

void segments_begin(struct strips *s)
{
	for (int q = 0; q < s->axes.node->equation.n; q++) {
		struct strip_table *t = &s->table[q];
		if (table_stored(s, q) && in_vectors(s, t->type))
			t->piece = k_var(s->axes.l->k, kt_vector(t->type, s->shape->columns),
			                 "piece", NULL);
	}
}

static void keep(struct strips *s, int q, struct kx *c, struct kx *value, enum strip_mode mode)
{
	struct kernel *k = s->axes.l->k;
	int names = k_names(k);
	bind_table(s, q);
	k_text(k, "keep", c, value, x_int(T_INT_LIT, mode));
	k_forget(k, names);
}

/* The values at hand. */
void segments_cell(struct strips *s, enum strip_mode mode)
{
	for (int q = 0; q < s->axes.node->equation.n; q++) {
		struct kx *value = x_var(s->table[q].value);
		if (!table_stored(s, q))
			continue;
		if (in_vectors(s, s->table[q].type))
			k_set(s->axes.l->k, x_lane_at(x_var(s->table[q].piece), get(s, "c")),
			      value);
		else
			keep(s, q, get(s, "c"), value, mode);
	}
}

void segments_end(struct strips *s, enum strip_mode mode)
{
	for (int q = 0; q < s->axes.node->equation.n; q++)
		if (table_stored(s, q) && in_vectors(s, s->table[q].type))
			keep(s, q, x_i32(0), x_var(s->table[q].piece), mode);
}

/* ---- where pieces are in memory ---- */

struct kx *cell_at(struct strips *s, const struct expr *cell, struct kx *row, struct kx *column)
{
	struct axes *a = &s->axes;
	axis_bind(a, a->n - 2, x_add(get(s, "first_row"), x_to_i64(row)));
	axis_bind(a, a->n - 1, column);
	return lower_cell(a->l, cell);
}

struct kx *rows_from(struct strips *s, const struct expr *cell, struct kx *row, bool old)
{
	const struct node *node = s->axes.node;
	int k = node->wave->order[node->index.n - 2], a = old ? wave_subscript(node, cell, k) : 0;
	if (!old)
		return x_sub(x_sub(get(s, "all_rows"), get(s, "first_row")), x_to_i64(row));
	struct kx *at = lower_index(s->axes.l, cell->arg.at[a]);
	return node->wave->back[k] ? x_add(at, x_i64(1))
	                           : x_sub(lower_extent(s->axes.l, cell->var, a), at);
}

struct kx *columns_from(struct strips *s, const struct expr *cell)
{
	int last = cell->arg.n - 1;
	cell_at(s, cell, x_i32(0), x_i64(0));
	struct kx *from = lower_index(s->axes.l, cell->arg.at[last]);
	return x_sub(lower_extent(s->axes.l, cell->var, last), from);
}

/* In a turn. */
static void line_open(struct strips *s, struct lines *line, const struct expr *cell, int x,
                      bool old)
{
	struct kernel *k = s->axes.l->k;
	struct kx *turn = x_i32(x), *row = k_value(k, "line_row", turn),
		  *column = k_value(k, "line_column", turn);
	struct kx *first = cell_at(s, cell, row, x_to_i64(column));
	k_bind(k, "CURSOR", k->target->unrolls && s->kind->rings && reads_bytes(s));
	k_text(k, "open_line", turn, first->arg[1], rows_from(s, cell, row, old));
	line->array = first->arg[0];
	line->at[x] = get(s, "line");
	line->rows[x] = get(s, "lines");
	line->past[x] = get(s, "past");
	line->cursor[x] = get(s, "CURSOR")->i ? get(s, "cursor") : NULL;
}

void lines_open(struct strips *s, struct lines *line, const struct expr *cell, int width, bool old)
{
	struct kernel *k = s->axes.l->k;
	int names = k_names(k);
	bind_array(s, cell, width);
	for (int x = 0; x < piece_turns(s, width); x++)
		line_open(s, line, cell, x, old);
	line->columns = old ? columns_from(s, cell) : get(s, "all_columns");
	struct kx *here = cell_at(s, cell, x_i32(0), x_i64(0)),
		  *below = cell_at(s, cell, x_i32(s->shape->rows), x_i64(s->shape->columns));
	k_text(k, "open_line_step", here->arg[1], below->arg[1]);
	line->step = get(s, "line_step");
	k_forget(k, names);
}

static void line_part(struct strips *s, struct lines *line)
{
	struct kernel *k = s->axes.l->k;
	if (line->array && line->columns == get(s, "all_columns"))
		line->left = get(s, "part_left");
	else if (line->array)
		line->left = x_var(
			k_let(k, "there",
		              k_value(k, "columns_left", line->columns, get(s, "part_first"))));
}

void lines_part(struct strips *s)
{
	if (!s->kind->vectors)
		return;
	for (int q = 0; q < s->axes.node->equation.n; q++) {
		line_part(s, &s->table[q].line);
		line_part(s, &s->table[q].old_line);
	}
	for (int i = 0; i < s->read.n; i++)
		line_part(s, &s->read.at[i]->line);
}

static void move_line(struct strips *s, struct lines *line, struct kx *step)
{
	struct kernel *k = s->axes.l->k;
	for (int x = 0; x < MOST_TURNS && line->cursor[x]; x++) {
		int names = k_names(k);
		bind_line(s, line, x);
		k_text(k, step ? "move_cursor" : "begin_cursor", step);
		k_forget(k, names);
	}
}

void lines_move(struct strips *s, struct kx *step)
{
	if (!s->kind->vectors)
		return;
	for (int q = 0; q < s->axes.node->equation.n; q++)
		move_line(s, s->table[q].line.cursor[0] ? &s->table[q].line : &s->table[q].old_line,
		          step);
	for (int i = 0; i < s->read.n; i++)
		move_line(s, &s->read.at[i]->line, step);
}

/* ---- a strip begins ---- */

/* Lanes may take pieces where nothing has been yet. */
static void clear_segments(struct strips *s, int q)
{
	struct kernel *k = s->axes.l->k;
	int width = lane_width(s, q);
	struct kvar *nothing = k_var(k, kt_vector(s->table[q].type, width), "nothing", NULL);
	for (int i = 0; i < width; i++)
		k_set(k, x_lane(x_var(nothing), i), lower_zero(s->table[q].type));
	k_bind(k, "nothing", nothing);
	k_text(k, "clear_pieces");
}

static void late_open(struct strips *s, int q)
{
	struct kernel *k = s->axes.l->k;
	struct strip_table *t = &s->table[q];
	if (!x_is_int(s->now.before, 0)) {
		t->firsts = k_shared(k, t->type,
		                     str_print("%s_firsts", wave_table(s->axes.node, q)->var->name),
		                     strip_rows(s) * lane_width(s, q));
		t->firsts->align = 16;
	}
	for (int x = 0; x < turns_of(s, q); x++) {
		k_text(k, "open_late");
		t->late[x] = (struct late){ get(s, "late"), get(s, "late_cells"),
			                    get(s, "late_at") };
	}
}

static void segment_open(struct strips *s, int q)
{
	struct kernel *k = s->axes.l->k;
	struct strip_table *t = &s->table[q];
	int names = k_names(k);
	t->out = k_shared(k, t->type, str_print("%s_rows", wave_table(s->axes.node, q)->var->name),
	                  segment_cells(s));
	t->out->align = 16;
	bind_table(s, q);
	if (s->kind->vectors && !s->kind->served) {
		clear_segments(s, q);
		lines_open(s, &t->line, wave_table(s->axes.node, q), lane_width(s, q), false);
		if (stores_late(s))
			late_open(s, q);
	}
	k_forget(k, names);
}

void segments_open(struct strips *s)
{
	for (int q = 0; q < s->axes.node->equation.n; q++)
		if (s->kind->served && s->kind->rings && old_ring(s, q) && table_stored(s, q))
			s->table[q].out = s->table[q].ring;
		else if (table_stored(s, q))
			segment_open(s, q);
}
