/* wave_segments.c - what the lanes of a strip compute goes to memory by whole pieces of rows.
 *
 * A lane has its rows, memory wants columns: each row of the strip has a piece in shared memory, which its lane fills.
 * Lanes are a step apart, so in every step a few of them complete theirs; all lanes together take those before they
 * are overwritten, and store them: neighbouring lanes neighbouring cells, a vector each where rows are aligned.
 *
 * A piece begins at a multiple of its bytes in memory, so the first one of a row may begin left of the domain.
 *
 * Of 4-byte cells half a chunk covers half of the banks, and lanes eight apart are at the same place of it: every
 * eight lanes' rows begin as much further on. */
#include "wave_strips.h"

enum { LANES_APART = 8 };

int steps_of_piece(const struct strips *s)
{
	return s->piece / s->columns;
}

static int gap(const struct strips *s)
{
	return s->piece < PART ? s->piece : 0;
}

int64_t segment_cells(const struct strips *s)
{
	return strip_rows(s) * s->piece + s->lanes / LANES_APART * gap(s);
}

/* Where row r of a lane begins. */
static struct kx *row_place(const struct strips *s, struct kx *lane, struct kx *r)
{
	struct kx *place = x_mul(lane, x_i32(s->rows * s->piece));
	if (gap(s))
		place = x_add(place, x_mul(x_div(lane, x_i32(LANES_APART)), x_i32(gap(s))));
	return x_add(place, x_mul(r, x_i32(s->piece)));
}

/* Elements of a lane's access. */
static int lane_width(const struct strips *s, int q)
{
	return s->vectors ? (int)(16 / type_size(s->table[q].type)) : 1;
}

/* Its last subscript has the index of columns. */
static bool by_rows(const struct node *node, const struct expr *cell)
{
	return !var_home(cell->var) && wave_index_of(node, cell->arg.at[cell->arg.n - 1]) == node->wave->order[node->index.n - 1];
}

/* Columns of a problem's own may begin anywhere. */
static bool begins_known(const struct strips *s)
{
	const struct node *node = s->axes.node;
	const struct expr *cell = wave_table(node, 0);
	int d = s->axes.n - 1, k = node->wave->order[d];
	struct affine lo;
	return !axis_own(node, d) || (!axis_reads_cut(node, d) && affine_of(node->lo.at[k], &lo) && !lo.n
		&& lo.constant == -cell->affine[wave_subscript(node, cell, k)].constant);
}

bool segments_have_vectors(const struct strips *s)
{
	const struct node *node = s->axes.node;
	if (s->axes.slope || node->wave->back[axis_index(&s->axes, s->axes.n - 1)] || !begins_known(s))
		return false;
	for (int q = 0; q < node->equation.n; q++)
		if (table_stored(s, q) && (s->table[q].type->kind == T_STRUCT || s->table[q].type->kind == T_BOOL
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

struct kx *segments_before(const struct strips *s)
{
	int64_t size = 16;
	for (int q = 0; q < s->axes.node->equation.n; q++)
		if (table_stored(s, q) && type_size(s->table[q].type) < size)
			size = type_size(s->table[q].type);
	struct kx *before = kx_fold(x_rem(first_column(s, 0), x_i64(16 / size)));
	return x_constant(before, &size) ? before : plan_let(s->axes.plan, "before", before);
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
		struct kx *width = x_i64(16 / type_size(cell->type)), *arg[] = { host_var_x(a->plan, cell->var), x_i64(16) };
		all = x_and(all, x_help(kt_scalar(T_BOOL), "patc_aligned", 2, arg));
		all = x_and(all, x_eq(x_rem(lower_pitch(host, cell->var, cell->var->rank - 1), width), x_i64(0)));
		all = x_and(all, x_eq(x_rem(x_sub(first_column(s, q), s->host_before), width), x_i64(0)));
	}
	return x_and(all, reads_aligned(s));
}

/* ---- the lane's cells of a step, a row at a time ---- */

void segments_begin(struct strips *s)
{
	for (int q = 0; q < s->axes.node->equation.n; q++)
		if (table_stored(s, q) && in_vectors(s, s->table[q].type))
			s->table[q].piece = k_var(s->axes.l->k, kt_vector(s->table[q].type, s->columns), "piece", NULL);
}

static struct kx *out_place(const struct strips *s)
{
	return x_add(row_place(s, s->lane, s->r), s->in_part);
}

/* The values at hand. */
void segments_cell(struct strips *s)
{
	struct lowering *l = s->axes.l;
	for (int q = 0; q < s->axes.node->equation.n; q++) {
		struct kx *value = x_var(s->table[q].value);
		if (!table_stored(s, q))
			continue;
		if (in_vectors(s, s->table[q].type))
			k_set(l->k, x_lane_at(x_var(s->table[q].piece), s->c), value);
		else
			accumulator_copy(l, x_at(x_var(s->table[q].out), x_add(out_place(s), s->c)), value);
	}
}

void segments_end(struct strips *s)
{
	for (int q = 0; q < s->axes.node->equation.n; q++)
		if (table_stored(s, q) && in_vectors(s, s->table[q].type))
			k_vstore(s->axes.l->k, x_offset(x_var(s->table[q].out), out_place(s)), x_var(s->table[q].piece));
}

/* ---- to memory ---- */

/* Rows whose pieces a step completes, of all lanes that do. */
static int rows_of_step(const struct strips *s)
{
	return s->lanes / steps_of_piece(s) * s->rows;
}

static int rows_at_once(const struct strips *s, int width)
{
	return s->lanes / (s->piece / width);
}

int piece_turns(const struct strips *s, int width)
{
	int rows = rows_of_step(s), at_once = rows_at_once(s, width);
	return rows > at_once ? rows / at_once : 1;
}

/* ---- where pieces are in memory ---- */

static struct kx *cell_at(struct strips *s, const struct expr *cell, struct kx *row, struct kx *column)
{
	struct axes *a = &s->axes;
	axis_bind(a, a->n - 2, x_add(s->first_row, x_to_i64(row)));
	axis_bind(a, a->n - 1, column);
	return lower_cell(a->l, cell);
}

void lines_open(struct strips *s, struct lines *line, const struct expr *cell, int width)
{
	struct kernel *k = s->axes.l->k;
	int lanes_of_row = s->piece / width;
	for (int x = 0; x < piece_turns(s, width); x++) {
		struct kx *y = x_add(x_i32(x * rows_at_once(s, width)), x_div(s->lane, x_i32(lanes_of_row)));
		struct kx *lane = x_mul(x_div(y, x_i32(s->rows)), x_i32(steps_of_piece(s)));
		struct kx *row = x_add(x_mul(lane, x_i32(s->rows)), x_rem(y, x_i32(s->rows)));
		struct kx *within = x_mul(x_rem(s->lane, x_i32(lanes_of_row)), x_i32(width));
		struct kx *column = x_sub(x_sub(within, x_mul(lane, x_i32(s->columns))), x_i32(s->piece));
		struct kx *first = cell_at(s, cell, row, x_to_i64(column));
		line->array = first->arg[0];
		line->at[x] = x_var(k_let(k, "line", first->arg[1]));
	}
	struct kx *here = cell_at(s, cell, x_i32(0), x_i64(0)), *below = cell_at(s, cell, x_i32(s->rows), x_i64(s->columns));
	here = x_sub(below->arg[1], here->arg[1]);
	line->step = x_var(k_let(k, "line_step", x_sub(here, x_i64(2 * s->columns))));
}

struct kx *lines_at(const struct strips *s, const struct lines *line, struct kx *step, int turn, int64_t further)
{
	struct kx *lane = x_rem(x_add(step, x_i32(1)), x_i32(steps_of_piece(s)));
	struct kx *at = x_add(line->at[turn], x_mul(x_to_i64(lane), line->step));
	return x_offset(line->array, x_add(at, x_add(s->next_place, x_i64(further))));
}

struct piece piece_of(struct strips *s, struct kx *step, int width, struct kx *turn)
{
	struct kernel *k = s->axes.l->k;
	int lanes_of_row = s->piece / width;
	struct piece p = { .has = NULL };
	struct kx *first = x_rem(x_add(step, x_i32(1)), x_i32(steps_of_piece(s)));
	struct kx *y = x_add(x_mul(turn, x_i32(rows_at_once(s, width))), x_div(s->lane, x_i32(lanes_of_row)));
	if (rows_of_step(s) < rows_at_once(s, width))
		p.has = x_lt(y, x_i32(rows_of_step(s)));
	p.lane = x_var(k_let(k, "of_lane", x_add(first, x_mul(x_div(y, x_i32(s->rows)), x_i32(steps_of_piece(s))))));
	p.r = x_rem(y, x_i32(s->rows));
	p.row = x_var(k_let(k, "of_row", x_add(x_mul(p.lane, x_i32(s->rows)), p.r)));
	p.within = x_mul(x_rem(s->lane, x_i32(lanes_of_row)), x_i32(width));
	p.begin = x_sub(x_sub(s->next_place, x_to_i64(x_mul(p.lane, x_i32(s->columns)))), x_i64(s->piece));
	p.begin = x_var(k_let(k, "begin", p.begin));
	return p;
}

/* Has the lane been at the piece? */
struct kx *piece_some(const struct strips *s, const struct piece *p, enum strip_mode mode)
{
	bool some = mode == STRIP_PLAIN || mode == STRIP_END || s->axes.slope || !s->filled;
	return x_and(p->has, some ? NULL : not_before(x_add(p->begin, s->before), mode));
}

static struct kx *piece_column(const struct strips *s, const struct piece *p)
{
	struct kx *column = x_add(p->begin, x_to_i64(p->within));
	return s->axes.slope ? x_sub(column, x_mul(x_i64(s->axes.slope), x_to_i64(p->row))) : column;
}

static struct kx *piece_at(const struct strips *s, const struct piece *p)
{
	return x_add(row_place(s, p->lane, p->r), p->within);
}

/* Lanes may take pieces where nothing has been yet. */
static void clear_segments(struct strips *s, int q)
{
	struct kernel *k = s->axes.l->k;
	const struct strip_table *t = &s->table[q];
	int width = lane_width(s, q);
	struct kvar *nothing = k_var(k, kt_vector(t->type, width), "nothing", NULL);
	for (int i = 0; i < width; i++)
		k_set(k, x_lane(x_var(nothing), i), lower_zero(t->type));
	struct kx *i = x_var(k_for(k, "i", x_mul(s->lane, x_i32(width)), x_i32((int32_t)segment_cells(s)), x_i32(s->lanes * width), FOR_ROLLED));
	k_vstore(k, x_offset(x_var(t->out), i), x_var(nothing));
	k_end(k);
}

void segments_open(struct strips *s)
{
	for (int q = 0; q < s->axes.node->equation.n; q++) {
		struct strip_table *t = &s->table[q];
		if (!table_stored(s, q))
			continue;
		t->out = k_shared(s->axes.l->k, t->type, str_print("%s_rows", wave_table(s->axes.node, q)->var->name), segment_cells(s));
		t->out->align = 16;
		if (!s->vectors)
			continue;
		clear_segments(s, q);
		lines_open(s, &t->line, wave_table(s->axes.node, q), lane_width(s, q));
	}
}

/* ---- whole vectors: those of a step are taken, then stored ---- */

/* Its elements that are in the domain, one by one. */
static void store_elements(struct strips *s, int q, const struct piece *p, struct kx *vector, enum strip_mode mode)
{
	struct lowering *l = s->axes.l;
	struct kx *e = x_var(k_for(l->k, "e", x_i32(0), x_i32(lane_width(s, q)), x_i32(1), FOR_UNROLL));
	struct kx *column = x_var(k_let(l->k, "column", x_add(piece_column(s, p), x_to_i64(e))));
	k_if(l->k, mode == STRIP_START ? not_before(column, mode) : x_lt(column, s->all_columns));
	struct kx *taken = vector->kind == KX_VAR ? x_lane_at(vector, e) : x_at(x_var(s->table[q].out), x_add(piece_at(s, p), e));
	k_set(l->k, cell_at(s, wave_table(s->axes.node, q), p->row, column), taken);
	k_end(l->k);
	k_end(l->k);
}

/* Where all of the vector is in the domain; NULL: always. */
static struct kx *vector_inside(struct strips *s, int q, struct kx *column, enum strip_mode mode)
{
	if (mode == STRIP_END)
		return x_le(x_add(column, x_i64(lane_width(s, q))), s->all_columns);
	return mode == STRIP_START && !x_is_int(s->before, 0) ? not_before(column, mode) : NULL;
}

static void store_vector(struct strips *s, int q, const struct piece *p, struct kx *to, struct kx *vector, enum strip_mode mode)
{
	struct kernel *k = s->axes.l->k;
	struct kx *column = piece_column(s, p), *some = piece_some(s, p, mode);
	struct kx *inside = vector_inside(s, q, column, mode);
	if (mode == STRIP_END)
		some = x_and(some, x_lt(x_add(s->first_row, x_to_i64(p->row)), s->all_rows));
	if (some)
		k_if(k, some);
	if (inside)
		k_if(k, inside);
	k_vstore(k, to, vector);
	if (inside) {
		k_else(k);
		store_elements(s, q, p, vector, mode);
		k_end(k);
	}
	if (some)
		k_end(k);
}

/* In loops registers would not stay registers: there it is taken as it is stored. */
static struct kx *take_vector(struct strips *s, int q, const struct piece *p)
{
	struct kernel *k = s->axes.l->k;
	struct kx *here = x_vload(x_offset(x_var(s->table[q].out), piece_at(s, p)), lane_width(s, q));
	if (!k->target->unrolls)
		return here;
	struct kvar *taken = k_var(k, kt_vector(s->table[q].type, lane_width(s, q)), "taken", NULL);
	if (p->has)
		k_if(k, p->has);
	k_set(k, x_var(taken), here);
	if (p->has)
		k_end(k);
	return x_var(taken);
}

static int turns_of(const struct strips *s, int q)
{
	return table_stored(s, q) ? piece_turns(s, lane_width(s, q)) : 0;
}

/* The lanes may go on as soon as all has been taken. */
static void store_vectors(struct strips *s, struct kx *step, enum strip_mode mode)
{
	int n = s->axes.node->equation.n;
	struct piece (*piece)[MOST_TURNS] = mem_new(sizeof *piece * (size_t)n);
	struct kx *(*taken)[MOST_TURNS] = mem_new(sizeof *taken * (size_t)n), *(*to)[MOST_TURNS] = mem_new(sizeof *to * (size_t)n);
	for (int q = 0; q < n; q++)
		for (int x = 0; x < turns_of(s, q); x++) {
			piece[q][x] = piece_of(s, step, lane_width(s, q), x_i32(x));
			to[q][x] = x_var(k_let(s->axes.l->k, "to", lines_at(s, &s->table[q].line, step, x, 0)));
			taken[q][x] = take_vector(s, q, &piece[q][x]);
		}
	if (s->axes.l->target->unrolls)
		warp_sync(s->axes.l);
	for (int q = 0; q < n; q++)
		for (int x = 0; x < turns_of(s, q); x++)
			store_vector(s, q, &piece[q][x], to[q][x], taken[q][x], mode);
	if (!s->axes.l->target->unrolls)
		warp_sync(s->axes.l);
}

/* ---- cell by cell ---- */

static void store_cells(struct strips *s, int q, const struct piece *p, enum strip_mode mode)
{
	struct lowering *l = s->axes.l;
	int width = lane_width(s, q);
	struct kx *e = width > 1 ? x_var(k_for(l->k, "e", x_i32(0), x_i32(width), x_i32(1), 0)) : x_i32(0), *inside = NULL;
	struct kx *column = x_var(k_let(l->k, "column", x_add(piece_column(s, p), x_to_i64(e))));
	if (mode != STRIP_PLAIN)
		inside = x_le(x_i64(0), column);
	if (mode < STRIP_START)
		inside = x_and(x_and(inside, x_lt(column, s->all_columns)), x_lt(x_add(s->first_row, x_to_i64(p->row)), s->all_rows));
	if (inside)
		k_if(l->k, inside);
	accumulator_copy(l, cell_at(s, wave_table(s->axes.node, q), p->row, column), x_at(x_var(s->table[q].out), x_add(piece_at(s, p), e)));
	if (inside)
		k_end(l->k);
	if (width > 1)
		k_end(l->k);
}

static void store_table(struct strips *s, int q, struct kx *step, enum strip_mode mode)
{
	struct kernel *k = s->axes.l->k;
	int width = lane_width(s, q), turns = piece_turns(s, width);
	struct kx *x = turns > 1 ? x_var(k_for(k, "x", x_i32(0), x_i32(turns), x_i32(1), FOR_UNROLL)) : x_i32(0);
	struct piece p = piece_of(s, step, width, x);
	struct kx *some = piece_some(s, &p, mode);
	if (some)
		k_if(k, some);
	store_cells(s, q, &p, mode);
	if (some)
		k_end(k);
	if (turns > 1)
		k_end(k);
}

void segments_store(struct strips *s, struct kx *step, enum strip_mode mode)
{
	if (s->vectors && mode != STRIP_EDGE) {
		store_vectors(s, step, mode);
		return;
	}
	for (int q = 0; q < s->axes.node->equation.n; q++)
		if (table_stored(s, q))
			store_table(s, q, step, mode);
	warp_sync(s->axes.l);
}
