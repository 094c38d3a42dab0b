/* wave_segments.c - what the lanes of a strip compute goes to memory by whole pieces of rows.
 *
 * A lane has its rows, memory wants columns: each row of the strip has PART places in shared memory, which its lane
 * fills.  Lanes are a step apart, so in every step a few of them complete their piece; all lanes together store those
 * before they are overwritten, neighbouring lanes neighbouring cells, a vector each where rows are aligned.
 *
 * Of 4-byte cells a piece covers half of the banks, and lanes eight apart are at the same place of it: those of every
 * other eight have their rows in pairs exchanged. */
#include "wave_strips.h"

int steps_of_piece(const struct strips *s)
{
	return PART / s->columns;
}

/* Where row r of a lane begins. */
static struct kx *row_place(const struct strips *s, struct kx *lane, struct kx *r)
{
	struct kx *turned = x_op(OP_AND, x_div(lane, x_i32(8)), x_i32(1));
	if (s->rows % 2 == 0)
		r = x_op(OP_XOR, r, turned);
	return x_mul(x_add(x_mul(lane, x_i32(s->rows)), r), x_i32(PART));
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
		struct kx *first = x_add(a->host_lo[a->n - 1], x_i64(cell->affine[a->n - 1].constant));
		all = x_and(all, x_help(kt_scalar(T_BOOL), "patc_aligned", 2, arg));
		all = x_and(all, x_eq(x_rem(lower_pitch(host, cell->var, a->n - 1), width), x_i64(0)));
		all = x_and(all, x_eq(x_rem(first, width), x_i64(0)));
	}
	return x_and(all, reads_aligned(s));
}

void segments_open(struct strips *s)
{
	for (int q = 0; q < s->axes.node->equation.n; q++) {
		struct strip_table *t = &s->table[q];
		if (!table_stored(s, q))
			continue;
		t->out = k_shared(s->axes.l->k, t->type, str_print("%s_rows", wave_table(s->axes.node, q)->var->name), strip_rows(s) * PART);
		t->out->align = 16;
	}
}

/* ---- the lane's cells of a step, a row at a time ---- */

static bool in_vectors(const struct strips *s, int q)
{
	const struct type *type = s->table[q].type;
	return s->columns > 1 && type->kind != T_STRUCT && type->kind != T_BOOL && type_size(type) * s->columns <= 16;
}

void segments_begin(struct strips *s)
{
	for (int q = 0; q < s->axes.node->equation.n; q++)
		if (table_stored(s, q) && in_vectors(s, q))
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
		if (in_vectors(s, q))
			k_set(l->k, x_lane_at(x_var(s->table[q].piece), s->c), value);
		else
			accumulator_copy(l, x_at(x_var(s->table[q].out), x_add(out_place(s), s->c)), value);
	}
}

void segments_end(struct strips *s)
{
	for (int q = 0; q < s->axes.node->equation.n; q++)
		if (table_stored(s, q) && in_vectors(s, q))
			k_vstore(s->axes.l->k, x_offset(x_var(s->table[q].out), out_place(s)), x_var(s->table[q].piece));
}

/* ---- to memory ---- */

/* Rows whose pieces a step completes, of all lanes that do. */
static int rows_of_step(const struct strips *s)
{
	return s->lanes / steps_of_piece(s) * s->rows;
}

/* The cell in the table at a row of the strip and a place. */
static struct kx *cell_at(struct strips *s, int q, struct kx *row, struct kx *column)
{
	struct axes *a = &s->axes;
	axis_bind(a, a->n - 2, x_add(s->first_row, x_to_i64(row)));
	axis_bind(a, a->n - 1, column);
	return lower_cell(a->l, wave_table(a->node, q));
}

static void store_vector(struct strips *s, int q, struct kx *row, struct kx *at, struct kx *column)
{
	struct kernel *k = s->axes.l->k;
	struct kx *cell = cell_at(s, q, row, column);
	k_vstore(k, x_offset(cell->arg[0], cell->arg[1]), x_vload(x_offset(x_var(s->table[q].out), at), lane_width(s, q)));
}

/* Cells one by one, those in the domain. */
static void store_cells(struct strips *s, int q, struct kx *row, struct kx *at, struct kx *column, enum strip_mode mode)
{
	struct lowering *l = s->axes.l;
	int width = lane_width(s, q);
	struct kx *e = width > 1 ? x_var(k_for(l->k, "e", x_i32(0), x_i32(width), x_i32(1), 0)) : x_i32(0), *inside = NULL;
	column = x_var(k_let(l->k, "column", x_add(column, x_to_i64(e))));
	if (mode == STRIP_EDGE)
		inside = x_and(x_and(x_le(x_i64(0), column), x_lt(column, s->all_columns)),
		               x_lt(x_add(s->first_row, x_to_i64(row)), s->all_rows));
	if (inside)
		k_if(l->k, inside);
	accumulator_copy(l, cell_at(s, q, row, column), x_at(x_var(s->table[q].out), x_add(at, e)));
	if (inside)
		k_end(l->k);
	if (width > 1)
		k_end(l->k);
}

struct piece piece_open(struct strips *s, struct kx *step, int width, enum strip_mode mode)
{
	struct kernel *k = s->axes.l->k;
	int lanes_of_row = PART / width;
	struct piece p = { .at_once = s->lanes / lanes_of_row, .rows = rows_of_step(s), .tested = mode != STRIP_PLAIN };
	struct kx *first = x_rem(x_add(step, x_i32(1)), x_i32(steps_of_piece(s)));
	struct kx *x = x_i32(0);
	if (p.rows > p.at_once)
		x = x_var(k_for(k, "x", x_i32(0), x_i32(p.rows / p.at_once), x_i32(1), FOR_UNROLL));
	struct kx *y = x_add(x_mul(x, x_i32(p.at_once)), x_div(s->lane, x_i32(lanes_of_row)));
	if (p.rows < p.at_once)
		k_if(k, x_lt(y, x_i32(p.rows)));
	p.lane = x_var(k_let(k, "of_lane", x_add(first, x_mul(x_div(y, x_i32(s->rows)), x_i32(steps_of_piece(s))))));
	p.r = x_rem(y, x_i32(s->rows));
	p.row = x_var(k_let(k, "of_row", x_add(x_mul(p.lane, x_i32(s->rows)), p.r)));
	p.within = x_mul(x_rem(s->lane, x_i32(lanes_of_row)), x_i32(width));
	p.begin = x_sub(x_sub(s->next_place, x_to_i64(x_mul(p.lane, x_i32(s->columns)))), x_i64(PART));
	p.begin = x_var(k_let(k, "begin", p.begin));
	p.tested &= !s->axes.slope && s->filled;
	if (p.tested)
		k_if(k, x_le(x_i64(0), p.begin));
	return p;
}

void piece_close(struct strips *s, const struct piece *p)
{
	for (int bodies = p->tested + (p->rows != p->at_once); bodies > 0; bodies--)
		k_end(s->axes.l->k);
}

static void store_table(struct strips *s, int q, struct kx *step, enum strip_mode mode)
{
	int width = lane_width(s, q);
	struct piece p = piece_open(s, step, width, mode);
	struct kx *column = x_add(p.begin, x_to_i64(p.within)), *at = x_add(row_place(s, p.lane, p.r), p.within);
	if (s->axes.slope)
		column = x_sub(column, x_mul(x_i64(s->axes.slope), x_to_i64(p.row)));
	if (width > 1 && mode != STRIP_EDGE)
		store_vector(s, q, p.row, at, column);
	else
		store_cells(s, q, p.row, at, column, mode);
	piece_close(s, &p);
}

void segments_store(struct strips *s, struct kx *step, enum strip_mode mode)
{
	for (int q = 0; q < s->axes.node->equation.n; q++)
		if (table_stored(s, q))
			store_table(s, q, step, mode);
}
