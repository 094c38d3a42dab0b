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
	return s->served ? strip_rows(s) * 2 * s->piece : strip_rows(s) * s->piece + s->lanes / LANES_APART * gap(s);
}

int out_ring(const struct strips *s, int q)
{
	return s->table[q].ring ? RING : 2 * s->piece;
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
int lane_width(const struct strips *s, int q)
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
		all = x_and(all, x_eq(x_rem(lower_pitch(host, cell->var, cell->var->rank - 1), width), x_i64(0)));
		all = x_and(all, x_eq(x_rem(x_sub(first_column(s, q), s->host_before), width), x_i64(0)));
	}
	return x_and(all, reads_aligned(s));
}

static void line_part(struct strips *s, struct lines *line)
{
	if (line->array)
		line->left = line->columns == get(s, "all_columns") ? get(s, "part_left") : x_var(k_let(s->axes.l->k, "there", part_left(line->columns, get(s, "part_first"))));
}

void lines_part(struct strips *s)
{
	if (!s->vectors)
		return;
	for (int q = 0; q < s->axes.node->equation.n; q++) {
		line_part(s, &s->table[q].line);
		line_part(s, &s->table[q].old_line);
	}
	for (int i = 0; i < s->read.n; i++)
		line_part(s, &s->read.at[i]->line);
}

/* ---- the lane's cells of a step, a row at a time ---- */

void segments_begin(struct strips *s)
{
	for (int q = 0; q < s->axes.node->equation.n; q++)
		if (table_stored(s, q) && in_vectors(s, s->table[q].type))
			s->table[q].piece = k_var(s->axes.l->k, kt_vector(s->table[q].type, s->columns), "piece", NULL);
}

static struct kx *out_place(const struct strips *s, int q)
{
	if (!s->served)
		return x_add(row_place(s, get(s, "lane"), get(s, "r")), get(s, "in_part"));
	struct kx *place = x_op(OP_AND, x_to_i32(x_add(get(s, "place"), s->before)), x_i32(out_ring(s, q) - 1));
	struct kx *first = x_op(OP_OR, x_mul(get(s, "lane"), x_i32(s->rows * out_ring(s, q))), place);
	return x_add(first, x_mul(get(s, "r"), x_i32(out_ring(s, q))));
}

/* May cells of the step be kept only if they are not before the row's first piece, whose ring has what is old? */
static bool may_begin(const struct strips *s, int q, enum strip_mode mode)
{
	return s->served && s->table[q].ring && mode == STRIP_START;
}

/* May cells of the step be behind the last column? They are kept out of the pieces: Note [stores a step late]. */
static bool may_end(const struct strips *s, enum strip_mode mode)
{
	return s->vectors && !s->served && s->axes.l->target->unrolls && (s->loose || mode <= STRIP_END);
}

/* Where a cell is in the first vector of its row, if the first column cuts that. */
static bool keeps_first(const struct strips *s, int q, enum strip_mode mode)
{
	return s->vectors && s->table[q].firsts && (mode == STRIP_START || mode == STRIP_EDGE);
}

static struct kx *first_slot(const struct strips *s, int q, struct kx *c)
{
	struct kx *cut = x_rem(x_to_i32(s->before), x_i32(lane_width(s, q)));
	return x_add(x_add(x_to_i32(x_min(get(s, "place"), x_i64(FAR))), c), cut);
}

static struct kx *first_place(const struct strips *s, int q, struct kx *at)
{
	struct kx *row = x_add(x_mul(get(s, "lane"), x_i32(s->rows)), get(s, "r"));
	return x_add(x_mul(row, x_i32(lane_width(s, q))), at);
}

/* From column c of the step on: a cell, or a vector of them. */
static void put(struct strips *s, struct kvar *to, struct kx *at, struct kx *value)
{
	if (value->type.lanes > 1)
		k_vstore(s->axes.l->k, x_offset(x_var(to), at), value);
	else
		accumulator_copy(s->axes.l, x_at(x_var(to), at), value);
}

static void keep(struct strips *s, int q, struct kx *c, struct kx *value, enum strip_mode mode)
{
	struct kernel *k = s->axes.l->k;
	if (keeps_first(s, q, mode)) {
		struct kx *at = first_slot(s, q, c);
		k_if(k, x_and(x_le(x_i32(0), at), x_lt(at, x_i32(lane_width(s, q)))));
		put(s, s->table[q].firsts, first_place(s, q, at), value);
		k_end(k);
	}
	bool asks = may_end(s, mode), begins = may_begin(s, q, mode);
	if (asks || begins)
		k_if(k, begins ? not_before(s, x_add(get(s, "place"), s->before), mode) : x_lt(x_add(get(s, "in_step"), c), get(s, "left")));
	put(s, s->table[q].out, x_add(out_place(s, q), c), value);
	if (asks || begins)
		k_end(k);
}

/* The values at hand. */
void segments_cell(struct strips *s, enum strip_mode mode)
{
	for (int q = 0; q < s->axes.node->equation.n; q++) {
		struct kx *value = x_var(s->table[q].value);
		if (!table_stored(s, q))
			continue;
		if (in_vectors(s, s->table[q].type))
			k_set(s->axes.l->k, x_lane_at(x_var(s->table[q].piece), get(s, "c")), value);
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

/* Of the pieces that a step completes, would the first of their lanes be lane 0, the one that is this lane's in a turn: of which
 * lane and which of its rows, how many places that lane is behind, this lane's first element in it. */
struct share { struct kx *y, *lane, *r, *behind, *within; };
static struct share share_of(const struct strips *s, int width, struct kx *turn)
{
	int lanes_of_row = s->piece / width;
	struct kx *y = x_add(x_mul(turn, x_i32(rows_at_once(s, width))), x_div(get(s, "lane"), x_i32(lanes_of_row)));
	struct kx *owner = x_div(y, x_i32(s->rows)), *within = x_mul(x_rem(get(s, "lane"), x_i32(lanes_of_row)), x_i32(width));
	return (struct share){ y, x_mul(owner, x_i32(steps_of_piece(s))), x_rem(y, x_i32(s->rows)), x_mul(owner, x_i32(s->piece)), within };
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
	return node->wave->back[k] ? x_add(at, x_i64(1)) : x_sub(lower_extent(s->axes.l, cell->var, a), at);
}

struct kx *columns_from(struct strips *s, const struct expr *cell)
{
	int last = cell->arg.n - 1;
	cell_at(s, cell, x_i32(0), x_i64(0));
	return x_sub(lower_extent(s->axes.l, cell->var, last), lower_index(s->axes.l, cell->arg.at[last]));
}

void lines_open(struct strips *s, struct lines *line, const struct expr *cell, int width, bool old)
{
	struct kernel *k = s->axes.l->k;
	for (int x = 0; x < piece_turns(s, width); x++) {
		struct share share = share_of(s, width, x_i32(x));
		struct kx *row = line->row[x] = x_add(x_mul(share.lane, x_i32(s->rows)), share.r);
		struct kx *column = x_sub(x_sub(share.within, x_mul(share.lane, x_i32(s->columns))), x_i32(s->piece));
		struct kx *first = cell_at(s, cell, row, x_to_i64(column));
		line->array = first->arg[0];
		line->at[x] = x_var(k_let(k, "line", first->arg[1]));
		struct kx *rows = x_min(rows_from(s, cell, row, old), x_i64(strip_rows(s)));
		line->rows[x] = x_var(k_let(k, "lines", x_to_i32(rows)));
		line->past[x] = x_var(k_let(k, "past", x_add(column, x_i32(width))));
		if (k->target->unrolls && s->rings && reads_bytes(s))
			line->cursor[x] = k_var(k, kt_scalar(T_I64), "cursor", x_i64(0));
	}
	line->columns = old ? columns_from(s, cell) : get(s, "all_columns");
	struct kx *here = cell_at(s, cell, x_i32(0), x_i64(0)), *below = cell_at(s, cell, x_i32(s->rows), x_i64(s->columns));
	here = x_sub(below->arg[1], here->arg[1]);
	line->step = x_var(k_let(k, "line_step", x_sub(here, x_i64(2 * s->columns))));
}

struct kx *step_lane(const struct strips *s, struct kx *step)
{
	return x_rem(x_add(step, x_i32(1)), x_i32(steps_of_piece(s)));
}

struct kx *lines_row(const struct strips *s, const struct lines *line, struct kx *step, int turn)
{
	return x_lt(x_mul(step_lane(s, step), x_i32(s->rows)), line->rows[turn]);
}

struct kx *part_left(struct kx *columns, struct kx *first)
{
	return x_to_i32(x_min(x_sub(columns, first), x_i64(FAR)));
}

/* Lane and step cancel out in all steps but the last of a piece. */
static struct kx *places_turned(const struct strips *s, struct kx *step)
{
	struct kx *steps = x_sub(x_add(x_add(get(s, "round"), step), x_i32(1)), step_lane(s, step));
	return x_mul(steps, x_i32(s->columns));
}

struct kx *lines_column(const struct strips *s, const struct lines *line, struct kx *step, int turn, int64_t further)
{
	return x_le(line->past[turn], x_sub(line->left, x_add(places_turned(s, step), x_i32((int32_t)further))));
}

static struct kx *line_index(const struct strips *s, const struct lines *line, struct kx *step, int turn)
{
	struct kx *next = x_to_i64(x_mul(x_add(x_add(get(s, "round"), step), x_i32(1)), x_i32(s->columns)));
	return x_add(x_add(line->at[turn], x_mul(x_to_i64(step_lane(s, step)), line->step)), x_add(get(s, "part_first"), next));
}

struct kx *lines_at(const struct strips *s, const struct lines *line, struct kx *step, int turn, int64_t further)
{
	struct kx *at = line->cursor[turn] ? x_var(line->cursor[turn]) : line_index(s, line, step, turn);
	return x_add(at, x_i64(further));
}

/* Where registers stay registers, and lines are many, a cursor goes along: a lane and a step in each step, back in the last. */
static void cursors(struct strips *s, struct lines *line, struct kx *step)
{
	struct kernel *k = s->axes.l->k;
	for (int x = 0; x < MOST_TURNS && line->cursor[x]; x++) {
		struct kx *at = x_var(line->cursor[x]), *back = x_i64(-(steps_of_piece(s) - 1));
		if (!step) {
			k_set(k, at, line_index(s, line, x_i32(0), x));
			continue;
		}
		struct kx *last = x_eq(step_lane(s, x_add(step, x_i32(1))), x_i32(0));
		struct kx *by = x_add(x_mul(x_cond(last, back, x_i64(1)), line->step), x_i64(s->columns));
		struct kx *moved[] = { x_add(at, by) };
		k_set(k, at, x_help(kt_scalar(T_I64), "patc_kept_i64", 1, moved));
	}
}

void lines_move(struct strips *s, struct kx *step)
{
	if (!s->vectors)
		return;
	for (int q = 0; q < s->axes.node->equation.n; q++)
		cursors(s, s->table[q].line.cursor[0] ? &s->table[q].line : &s->table[q].old_line, step);
	for (int i = 0; i < s->read.n; i++)
		cursors(s, &s->read.at[i]->line, step);
}

struct piece piece_of(struct strips *s, struct kx *step, int width, struct kx *turn)
{
	struct kernel *k = s->axes.l->k;
	struct share share = share_of(s, width, turn);
	struct piece p = { .r = share.r, .within = share.within };
	struct kx *turned = places_turned(s, step), *back = x_add(share.behind, x_i32(s->piece));
	if (rows_of_step(s) < rows_at_once(s, width))
		p.has = x_lt(share.y, x_i32(rows_of_step(s)));
	p.lane = x_var(k_let(k, "of_lane", x_add(step_lane(s, step), share.lane)));
	p.row = x_var(k_let(k, "of_row", x_add(x_mul(p.lane, x_i32(s->rows)), p.r)));
	p.begin = x_sub(x_sub(get(s, "next_place"), x_to_i64(x_mul(p.lane, x_i32(s->columns)))), x_i64(s->piece));
	p.begin = x_var(k_let(k, "begin", p.begin));
	p.begun = x_le(back, x_add(get(s, "part_at"), turned));
	p.place = x_sub(x_add(x_sub(x_add(get(s, "part_at"), turned), back), p.within), x_to_i32(s->before));
	p.behind = x_sub(x_add(get(s, "part_turn"), turned), back);
	return p;
}

/* Has the lane been at the piece? */
struct kx *piece_some(const struct strips *s, const struct piece *p, enum strip_mode mode)
{
	bool some = mode == STRIP_PLAIN || mode == STRIP_END || s->axes.slope || !s->filled;
	return x_and(p->has, some ? NULL : p->begun);
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
static struct kx *clear_segments(struct strips *s, int q)
{
	struct kernel *k = s->axes.l->k;
	const struct strip_table *t = &s->table[q];
	int width = lane_width(s, q);
	struct kvar *nothing = k_var(k, kt_vector(t->type, width), "nothing", NULL);
	for (int i = 0; i < width; i++)
		k_set(k, x_lane(x_var(nothing), i), lower_zero(t->type));
	struct kx *i = x_var(k_for(k, "i", x_mul(get(s, "lane"), x_i32(width)), x_i32((int32_t)segment_cells(s)), x_i32(s->lanes * width), FOR_ROLLED));
	k_vstore(k, x_offset(x_var(t->out), i), x_var(nothing));
	k_end(k);
	return x_var(nothing);
}

/* Note [stores a step late]
 * What a step takes from shared memory it would have to wait for if it stored it, and all that is behind the store with
 * it.  So the next step stores it.
 *
 * Vectors that the first or the last column cuts are stored when the strip ends, for to ask for them in each step would cost
 * them all: the lanes keep the first cells of their rows beside the pieces, and pieces are not written behind the last
 * column, so that what is there is still the last vector. */
static bool stores_late(const struct strips *s, enum strip_mode mode)
{
	return s->vectors && !s->served && s->axes.l->target->unrolls && mode != STRIP_EDGE;
}

static void late_open(struct strips *s, int q, struct kx *nothing)
{
	struct kernel *k = s->axes.l->k;
	struct strip_table *t = &s->table[q];
	if (!x_is_int(s->before, 0)) {
		t->firsts = k_shared(k, t->type, str_print("%s_firsts", wave_table(s->axes.node, q)->var->name), strip_rows(s) * lane_width(s, q));
		t->firsts->align = 16;
	}
	for (int x = 0; x < piece_turns(s, lane_width(s, q)); x++) {
		t->late[x].is = k_var(k, kt_scalar(T_BOOL), "late", x_int(T_BOOL, 0));
		t->late[x].value = k_var(k, kt_vector(t->type, lane_width(s, q)), "late_cells", nothing);
		t->late[x].at = k_var(k, kt_scalar(T_I64), "late_at", x_i64(0));
	}
}

void segments_open(struct strips *s)
{
	for (int q = 0; q < s->axes.node->equation.n; q++) {
		struct strip_table *t = &s->table[q];
		if (!table_stored(s, q))
			continue;
		if (s->served && s->rings && old_ring(s, q)) {
			t->out = t->ring;
			continue;
		}
		t->out = k_shared(s->axes.l->k, t->type, str_print("%s_rows", wave_table(s->axes.node, q)->var->name), segment_cells(s));
		t->out->align = 16;
		if (!s->vectors || s->served)
			continue;
		struct kx *nothing = clear_segments(s, q);
		lines_open(s, &t->line, wave_table(s->axes.node, q), lane_width(s, q), false);
		if (stores_late(s, STRIP_PLAIN))
			late_open(s, q, nothing);
	}
}

/* ---- whole vectors: those of a step are taken, then stored ---- */

/* Its elements that are in the domain, one by one. */
static void store_elements(struct strips *s, int q, const struct piece *p, enum strip_mode mode)
{
	struct lowering *l = s->axes.l;
	struct kx *e = x_var(k_for(l->k, "e", x_i32(0), x_i32(lane_width(s, q)), x_i32(1), FOR_UNROLL));
	struct kx *column = x_var(k_let(l->k, "column", x_add(piece_column(s, p), x_to_i64(e))));
	k_if(l->k, mode == STRIP_START ? not_before(s, column, mode) : x_lt(column, get(s, "all_columns")));
	struct kx *taken = x_at(x_var(s->table[q].out), x_add(piece_at(s, p), e));
	k_set(l->k, cell_at(s, wave_table(s->axes.node, q), p->row, column), taken);
	k_end(l->k);
	k_end(l->k);
}

/* Where all of the vector is in the domain; NULL: always. */
static struct kx *vector_inside(struct strips *s, int q, struct kx *column, enum strip_mode mode)
{
	if (mode == STRIP_END)
		return x_le(x_add(column, x_i64(lane_width(s, q))), get(s, "all_columns"));
	return mode == STRIP_START && !x_is_int(s->before, 0) ? not_before(s, column, mode) : NULL;
}

/* Is there anything to store in a turn?  NULL: always. */
static struct kx *vector_some(struct strips *s, int q, const struct piece *p, struct kx *step, int turn, enum strip_mode mode)
{
	struct kx *row = s->loose || mode == STRIP_END ? lines_row(s, &s->table[q].line, step, turn) : NULL;
	return x_and(piece_some(s, p, mode), row);
}

static void store_vector(struct strips *s, int q, const struct piece *p, struct kx *to, struct kx *vector, struct kx *some, enum strip_mode mode)
{
	struct kernel *k = s->axes.l->k;
	struct kx *inside = vector_inside(s, q, piece_column(s, p), mode);
	if (some)
		k_if(k, some);
	if (inside)
		k_if(k, inside);
	k_vstore(k, to, vector);
	if (inside) {
		k_else(k);
		store_elements(s, q, p, mode);
		k_end(k);
	}
	if (some)
		k_end(k);
}

static int turns_of(const struct strips *s, int q)
{
	return table_stored(s, q) ? piece_turns(s, lane_width(s, q)) : 0;
}

/* Those of a step, as they are taken. */
static void store_vectors(struct strips *s, struct kx *step, enum strip_mode mode)
{
	for (int q = 0; q < s->axes.node->equation.n; q++)
		for (int x = 0; x < turns_of(s, q); x++) {
			struct piece p = piece_of(s, step, lane_width(s, q), x_i32(x));
			struct kx *at = lines_at(s, &s->table[q].line, step, x, 0);
			struct kx *to = x_var(k_let(s->axes.l->k, "to", x_offset(s->table[q].line.array, at)));
			struct kx *from = x_vload(x_offset(x_var(s->table[q].out), piece_at(s, &p)), lane_width(s, q));
			store_vector(s, q, &p, to, from, x_and(p.has, vector_some(s, q, &p, step, x, mode)), mode);
		}
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
		inside = not_before(s, column, mode);
	if (mode < STRIP_START || s->loose)
		inside = x_and(x_and(inside, x_lt(column, get(s, "all_columns"))), x_lt(x_add(get(s, "first_row"), x_to_i64(p->row)), get(s, "all_rows")));
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

/* ---- whole vectors, a step late ---- */

static void store_late(struct strips *s)
{
	for (int q = 0; q < s->axes.node->equation.n; q++)
		for (int x = 0; x < turns_of(s, q); x++) {
			const struct late *late = &s->table[q].late[x];
			struct kx *to = x_offset(s->table[q].line.array, x_var(late->at));
			struct kx *arg[] = { to, x_var(late->value), x_var(late->is) };
			k_do(s->axes.l->k, x_help(kt_scalar(T_I32), "patc_store_16_if", 3, arg));
		}
}

static void take_late(struct strips *s, int q, int x, struct kx *step, enum strip_mode mode)
{
	struct kernel *k = s->axes.l->k;
	const struct strip_table *t = &s->table[q];
	const struct late *late = &t->late[x];
	struct piece p = piece_of(s, step, lane_width(s, q), x_i32(x));
	struct kx *some = vector_some(s, q, &p, step, x, mode), *column = piece_column(s, &p);
	struct kx *first = mode == STRIP_START && !x_is_int(s->before, 0) ? x_le(x_i32(0), p.place) : NULL;
	struct kx *last = s->loose ? lines_column(s, &t->line, step, x, 0) : vector_inside(s, q, column, mode);
	struct kx *is = x_and(some, x_and(first, last));
	k_set(k, x_var(late->at), lines_at(s, &t->line, step, x, 0));
	k_set(k, x_var(late->is), is ? is : x_int(T_BOOL, 1));
	if (p.has)
		k_if(k, p.has);
	k_set(k, x_var(late->value), x_vload(x_offset(x_var(t->out), piece_at(s, &p)), lane_width(s, q)));
	if (p.has)
		k_end(k);
}

static void store_vectors_late(struct strips *s, struct kx *step, enum strip_mode mode)
{
	store_late(s);
	for (int q = 0; q < s->axes.node->equation.n; q++)
		for (int x = 0; x < turns_of(s, q); x++)
			take_late(s, q, x, step, mode);
	warp_sync(s->axes.l);
}

/* The first or the last vector of each row, if it is cut. */
static void store_end(struct strips *s, int q, bool last)
{
	struct kernel *k = s->axes.l->k;
	int width = lane_width(s, q);
	struct kx *cut = x_rem(last ? x_add(get(s, "all_columns"), s->before) : s->before, x_i64(width));
	k_if(k, x_ne(cut, x_i64(0)));
	struct kx *i = x_var(k_for(k, "i", get(s, "lane"), x_i32((int32_t)strip_rows(s) * width), x_i32(s->lanes), FOR_ROLLED));
	struct kx *row = x_div(i, x_i32(width)), *e = x_to_i64(x_rem(i, x_i32(width)));
	struct kx *column = x_add(last ? x_sub(get(s, "all_columns"), cut) : x_unary(OP_NEG, cut), e);
	column = x_var(k_let(k, "column", column));
	k_if(k, x_and(x_lt(x_add(get(s, "first_row"), x_to_i64(row)), get(s, "all_rows")), lower_inside(column, get(s, "all_columns"))));
	struct kx *place = x_op(OP_AND, x_to_i32(x_add(column, s->before)), x_i32(s->piece - 1));
	struct kx *from = x_add(row_place(s, x_div(row, x_i32(s->rows)), x_rem(row, x_i32(s->rows))), place);
	struct kx *cell = last ? x_at(x_var(s->table[q].out), from) : x_at(x_var(s->table[q].firsts), i);
	k_set(k, cell_at(s, wave_table(s->axes.node, q), row, column), cell);
	k_end(k);
	k_end(k);
	k_end(k);
}

/* When a strip ends. */
void segments_close(struct strips *s)
{
	if (!s->staged || !stores_late(s, STRIP_PLAIN))
		return;
	store_late(s);
	warp_sync(s->axes.l);
	for (int q = 0; q < s->axes.node->equation.n; q++)
		if (table_stored(s, q)) {
			if (s->table[q].firsts)
				store_end(s, q, false);
			store_end(s, q, true);
		}
	warp_sync(s->axes.l);
}

void segments_flush(struct strips *s, enum strip_mode mode)
{
	if (!s->staged || mode != STRIP_EDGE || !stores_late(s, STRIP_PLAIN))
		return;
	store_late(s);
	for (int q = 0; q < s->axes.node->equation.n; q++)
		for (int x = 0; x < turns_of(s, q); x++)
			k_set(s->axes.l->k, x_var(s->table[q].late[x].is), x_int(T_BOOL, 0));
}

void segments_store(struct strips *s, struct kx *step, enum strip_mode mode)
{
	if (stores_late(s, mode)) {
		store_vectors_late(s, step, mode);
		return;
	}
	if (s->vectors && mode != STRIP_EDGE) {
		store_vectors(s, step, mode);
		return;
	}
	for (int q = 0; q < s->axes.node->equation.n; q++)
		if (table_stored(s, q))
			store_table(s, q, step, mode);
	warp_sync(s->axes.l);
}
