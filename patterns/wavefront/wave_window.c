/* wave_window.c - what a lane of a strip keeps of the tables in registers (windows.kernel), and its
 * cells.
 *
 * It measures how far cells look, and chooses how many rows and columns a lane computes in a step:
 * the first of `steps` that fits into registers and shared memory.  To change the shape of a step,
 * change that list.
 *
 * A cell of the window that is in its table but not in the domain has what memory has, which
 * nobody writes.  Outside the table the boundary is computed where it is needed. */
#include "wave_strips.h"

/* Registers for all windows; fewer, if some shape does with them, where three tables and more go
 * to memory and a compiler keeps what moves there, too: clang for gfx1030 spilled 240 bytes of
 * three with 15 words. */
enum { WINDOW_WORDS = 96, MANY_TABLES = 3, FEWER_WORDS = 44 };

/* ---- shapes ---- */

bool neighbour_near(const struct strips *s, const struct neighbour *n, int64_t *row, int64_t *place)
{
	struct step step = step_of(s->axes.node, n);
	*row = step.row;
	*place = step.column + s->axes.slope * step.row;
	return n->fresh && step.here && (step.row || step.column);
}

static void measure(struct strips *s, struct strip_shape *shape, const struct neighbour *n)
{
	struct step step = step_of(s->axes.node, n);
	struct strip_table *t = &s->table[n->equation];
	int64_t row, place;
	t->type = n->value->type;
	if (neighbour_near(s, n, &row, &place)) {
		t->above = larger(t->above, -row);
		t->left = larger(t->left, -place);
		shape->right = larger(shape->right, step.column);
	} else if (!n->fresh && step.here && step.row > 0) {
		shape->below = larger(shape->below, step.row);
		shape->below_left = larger(shape->below_left, -step.column);
		shape->below_right = larger(shape->below_right, step.column);
	}
}

static bool has_window(const struct strip_table *t)
{
	return t->above || t->left;
}

static int64_t window_words(const struct strips *s)
{
	int64_t words = 0;
	for (int q = 0; q < s->axes.node->equation.n; q++) {
		const struct strip_table *t = &s->table[q];
		if (has_window(t))
			words += type_words(t->type) * (t->above + s->shape->rows)
			         * (t->left + s->shape->columns);
	}
	return words;
}

/* What is handed from strip to strip: rows of all tables. */
static int handed_rows(const struct strips *s)
{
	int64_t rows = 0;
	for (int q = 0; q < s->axes.node->equation.n; q++)
		rows += s->table[q].above;
	return (int)(rows < 99 ? rows : 99);
}

static bool shape_fits(const struct strips *s, int words)
{
	for (int q = 0; q < s->axes.node->equation.n; q++)
		if (s->table[q].above > s->shape->rows)
			return false;
	return window_words(s) <= words;
}

/* Rows and columns of a lane's step, the best first. */
static const int steps[][2] = { { 4, 2 }, { 4, 1 }, { 2, 2 }, { 2, 1 }, { 1, 1 }, { 8, 1 } };

static int shape_within(const struct strips *s, struct strip_shape *shape, int words, int from)
{
	for (int i = from; i < (int)(sizeof steps / sizeof *steps); i++) {
		shape->rows = steps[i][0];
		shape->columns = steps[i][1];
		if (shape_fits(s, words))
			return i;
	}
	return -1;
}

int lane_shape(const struct strips *s, struct strip_shape *shape, const struct target *target,
               int from)
{
	int stored = 0;
	for (int q = 0; q < s->axes.node->equation.n; q++)
		stored += table_stored(s, q);
	bool few = !target->unrolls && stored >= MANY_TABLES;
	int fewer = few ? shape_within(s, shape, FEWER_WORDS, from) : -1;
	return fewer >= 0 ? fewer : shape_within(s, shape, WINDOW_WORDS, from);
}

bool lanes_measure(struct strips *s, struct strip_shape *shape, const struct node *node,
                   const struct target *target)
{
	s->shape = shape;
	s->axes.node = node;
	s->axes.slope = wave_slope(node);
	s->table = mem_new(sizeof *s->table * (size_t)node->equation.n);
	for (int q = 0; q < node->equation.n; q++)
		s->table[q].type = wave_table(node, q)->type;
	for (int r = 0; r < node->wave->read.n; r++)
		measure(s, shape, node->wave->read.at[r]);
	return handed_rows(s) <= (int)(sizeof s->now.handed.at / sizeof *s->now.handed.at)
	       && lane_shape(s, shape, target, 0) >= 0;
}

/* ---- registers ---- */

static struct kx *i32(int64_t i)
{
	return x_i32((int32_t)i);
}

static int64_t width(const struct strips *s, int q)
{
	return s->table[q].left + s->shape->columns;
}

static const char *table_name(const struct strips *s, int q)
{
	return wave_table(s->axes.node, q)->var->name;
}

struct kx *window_at(const struct strips *s, int q, struct kx *row, struct kx *column)
{
	return x_at(x_var(s->table[q].window), x_add(x_mul(row, i32(width(s, q))), column));
}

void shared_clear(struct strips *s, struct kvar *v, int64_t n)
{
	struct kernel *k = s->axes.l->k;
	struct kx *i = x_var(
		k_for(k, "i", get(s, "thread"), i32(n), x_i32(threads_of(s)), FOR_ROLLED));
	k_set(k, x_at(x_var(v), i), lower_zero(v->type.type));
	k_end(k);
}

void bind_window(struct strips *s, int q)
{
	const struct strip_table *t = &s->table[q];
	struct kernel *k = s->axes.l->k;
	s->now.cell = wave_table(s->axes.node, q);
	k_numbers(k, "TABLE, ABOVE, LEFT, SPAN", q, t->above, t->left, width(s, q));
	k_numbers(k, "RECORD, STORED, EDGE_KEPT", t->type->kind == T_STRUCT, table_stored(s, q),
	          t->edge != NULL);
	k_bind(k, "CELL", t->type);
	if (t->window)
		k_bind(k, "near", t->window);
	if (t->edge)
		k_bind(k, "edge", t->edge);
	if (t->next)
		k_bind(k, "from_strip", t->next);
	if (t->value)
		k_bind(k, "value", t->value);
}

/* A text of windows.kernel, for table q. */
void window_text(struct strips *s, int q, const char *text, struct kx *a, struct kx *b)
{
	struct kernel *k = s->axes.l->k;
	int names = k_names(k);
	bind_window(s, q);
	k_text(k, text, a, b);
	k_forget(k, names);
}

/* For every table that has a window, or an edge. */
void for_windows(struct strips *s, const char *text)
{
	for (int q = 0; q < s->axes.node->equation.n; q++)
		if (s->table[q].window)
			window_text(s, q, text, NULL, NULL);
}

void for_edges(struct strips *s, const char *text, struct kx *column, struct kx *tested)
{
	for (int q = 0; q < s->axes.node->equation.n; q++)
		if (s->table[q].edge)
			window_text(s, q, text, column, tested);
}

/* Behind a chunk there is room for what the step after its last one would want. */
static void top_open(struct strips *s, int q)
{
	struct kernel *k = s->axes.l->k;
	struct strip_table *t = &s->table[q];
	int64_t places = t->above * top_places(s);
	t->top = k_shared(k, t->type, str_print("%s_top", table_name(s, q)), places);
	t->top->align = 16;
	t->next = k_regs(k, t->type, str_print("%s_next", table_name(s, q)),
	                 t->above * s->shape->columns);
	shared_clear(s, t->top, places);
}

void windows_open(struct strips *s)
{
	struct kernel *k = s->axes.l->k;
	for (int q = 0; q < s->axes.node->equation.n; q++) {
		struct strip_table *t = &s->table[q];
		if (!has_window(t))
			continue;
		int64_t cells = (t->above + s->shape->rows) * width(s, q);
		t->window = k_regs(k, t->type, str_print("%s_near", table_name(s, q)), cells);
		window_text(s, q, "open_window", NULL, NULL);
		if (t->above)
			top_open(s, q);
	}
}

bool in_vectors(const struct strips *s, const struct type *type)
{
	return s->shape->columns > 1 && type->kind != T_STRUCT && type->kind != T_BOOL
	       && type_size(type) * s->shape->columns <= 16;
}

void coming_ask(struct strips *s, struct kvar *to, struct kx *first, struct kvar *from,
                struct kx *at)
{
	struct kx *loaded = NULL;
	if (in_vectors(s, from->type.type))
		loaded = x_var(k_let(s->axes.l->k, "loaded",
		                     x_vload(x_offset(x_var(from), at), s->shape->columns)));
	list_add(&s->now.coming, ((struct coming){ to, from, first, at, loaded }));
}

void coming_take(struct strips *s)
{
	for (int i = 0; i < s->now.coming.n; i++) {
		const struct coming *n = &s->now.coming.at[i];
		for (int c = 0; c < s->shape->columns; c++) {
			struct kx *value = n->loaded ? x_lane(n->loaded, c)
			                             : x_at(x_var(n->from), x_add(n->at, x_i32(c)));
			accumulator_copy(s->axes.l, x_at(x_var(n->to), x_add(n->first, x_i32(c))),
			                 value);
		}
	}
	s->now.coming.n = 0;
}

void windows_ask(struct strips *s, struct kx *at)
{
	if (s->kind->served)
		at = top_place(s, x_add(get(s, "part_at"), at));
	for (int q = 0; q < s->axes.node->equation.n; q++) {
		const struct strip_table *t = &s->table[q];
		for (int64_t x = 0; x < t->above; x++)
			coming_ask(s, t->next, i32(x * s->shape->columns), t->top,
			           x_add(i32(x * top_places(s)), at));
	}
}

/* A row above: of the lane above, the same number of its own rows from their end. */
struct kx *from_above(struct strips *s, struct kx *sent)
{
	struct accumulator one = { .of = s->now.cell->type, .type = s->now.cell->type };
	return accumulator_shuffle(s->axes.l, &one, sent, "up_", x_i32(1));
}

/* ---- a cell ---- */

/* Where a neighbour of the cell at hand is in its window; NULL: in none. */
static struct kx *neighbour_kept(const struct strips *s, const struct neighbour *n)
{
	const struct strip_table *t = &s->table[n->equation];
	int64_t row, place;
	if (!neighbour_near(s, n, &row, &place))
		return NULL;
	return window_at(s, n->equation, x_add(get(s, "r"), i32(t->above + row)),
	                 x_add(get(s, "c"), i32(t->left + place)));
}

/* May it lie outside its table? */
static bool may_leave(const struct strips *s, const struct neighbour *n, bool kept,
                      enum strip_mode mode)
{
	struct step step = step_of(s->axes.node, n);
	if (mode == STRIP_PLAIN || (kept && s->kind->filled))
		return false;
	return mode < STRIP_START || !step.here || step.column < 0;
}

bool has_records(const struct strips *s)
{
	for (int q = 0; q < s->axes.node->equation.n; q++)
		if (s->table[q].type->kind == T_STRUCT)
			return true;
	return false;
}

/* Where lanes begin before the first column, what is read is tested, which keeps cells quick
 * that wait for each other. */
static bool selects(const struct strips *s, enum strip_mode mode)
{
	return !has_records(s) && s->kind->overruns && mode == STRIP_START
	       && !x_is_int(s->now.before, 0);
}

static struct kx *seen(struct strips *s, const struct neighbour *n, struct kx *kept)
{
	struct step step = step_of(s->axes.node, n);
	struct kx *row = x_add(get(s, "r"), i32(s->table[n->equation].above + step.row)),
		  *column = x_add(get(s, "column"), x_i64(step.column));
	return step.column < 0 ? x_cond(k_value(s->axes.l->k, "not_before", column,
	                                        x_int(T_INT_LIT, STRIP_START)),
	                                kept, edge_at(s, n->equation, row, column))
	                       : kept;
}

static struct kx *neighbour_value(struct strips *s, const struct neighbour *n, enum strip_mode mode)
{
	struct lowering *l = s->axes.l;
	struct kx *kept = neighbour_kept(s, n), *held = kept ? NULL : old_held(s, n),
		  *here = kept ? kept : held;
	if (!here)
		here = below_cell(s, n, wave_memory(l, s->axes.node, n));
	if (may_leave(s, n, kept, mode))
		return wave_neighbour(l, s->axes.node, n, here);
	if (kept)
		return selects(s, mode) ? seen(s, n, kept) : kept;
	struct kvar *v = k_var(l->k, kt(n->value->type), n->value->name, NULL);
	accumulator_copy(l, x_var(v), here);
	return x_var(v);
}

static bool at_cell(const struct node *node, const struct neighbour *n)
{
	struct step step = step_of(node, n);
	return step.here && !step.row && !step.column;
}

/* What memory has at the cell itself: bound cells are in their tables. */
static struct kx *own_memory(struct strips *s, int q)
{
	return lower_cell(s->axes.l, wave_table(s->axes.node, q));
}

static struct kx *own_old(struct strips *s, const struct neighbour *n)
{
	struct lowering *l = s->axes.l;
	struct kvar *v = k_var(l->k, kt(n->value->type), n->value->name, NULL);
	struct kx *held = old_held(s, n);
	accumulator_copy(l, x_var(v), held ? held : own_memory(s, n->equation));
	return x_var(v);
}

void bind_neighbours(struct strips *s, enum strip_mode mode)
{
	const struct node *node = s->axes.node;
	for (int r = 0; r < node->wave->read.n; r++) {
		const struct neighbour *n = node->wave->read.at[r];
		bool own = at_cell(node, n);
		lower_bind(s->axes.l, n->value, own && n->fresh ? x_var(s->table[n->equation].value)
		           : own ? own_old(s, n) : neighbour_value(s, n, mode));
	}
}

static struct kx *form_joined(struct strips *s, const struct wave_form *f, struct kx *sum, bool row)
{
	for (int k = 0; k < f->term.n; k++) {
		const struct wave_term *t = &f->term.at[k];
		if ((step_of(s->axes.node, t->from).row == 0) != row)
			continue;
		struct kx *term = lower_var(s->axes.l, t->from->value);
		if (t->weight)
			term = lower_apply(s->axes.l, f->dist, f->type, term,
			                   lower_expr(s->axes.l, t->weight), false);
		sum = sum ? lower_apply(s->axes.l, f->acc, f->type, sum, term, false) : term;
	}
	return sum;
}

/* Sums of floats by their form (wavefront.h): cells of the same row come last, those above
 * before them, so what waits for a cell waits for a product and a sum.  All else as written. */
static struct kx *right_side(struct strips *s, int q)
{
	const struct wave_form *f = s->axes.node->wave->algebra.at[q].all;
	const struct expr *right = s->axes.node->equation.at[q]->right;
	bool sums = f && f->acc && f->acc->kind == OPK_SUM && f->type == right->type
	            && type_class(f->type) == 'F';
	if (!sums)
		return lower_expr(s->axes.l, right);
	return form_joined(s, f,
	                   form_joined(s, f, f->rest ? lower_expr(s->axes.l, f->rest) : NULL,
	                               false),
	                   true);
}

static void equation(struct strips *s, int q)
{
	struct lowering *l = s->axes.l;
	const struct equation *eq = s->axes.node->equation.at[q];
	struct kx *value = right_side(s, q);
	if (l->now.outside)
		k_if(l->k, lower_inside_all(l));
	k_set(l->k, x_var(s->table[q].value), lower_result(eq, 0, value));
	if (!s->kind->staged && table_stored(s, q))
		lower_store(l, eq->target.at[0], x_var(s->table[q].value));
	if (!l->now.outside)
		return;
	k_end(l->k);
	lower_record(l);
}

/* As lower_equations, but that each value stays at hand. */
static void equations(struct strips *s)
{
	const struct node *node = s->axes.node;
	struct lowering *l = s->axes.l;
	struct lower_context before = l->now;
	if (node_skips(node))
		lower_flag(l, "bad");
	if (node->where)
		k_if(l->k, lower_expr(l, node->where));
	for (int q = 0; q < node->equation.n; q++) {
		if (q && l->now.outside)
			lower_mark(l, x_int(T_BOOL, 0));
		equation(s, q);
	}
	if (node->where)
		k_end(l->k);
	l->now = before;
}

/* By an equation after this one. */
static bool read_at_cell(const struct node *node, int q)
{
	for (int r = 0; r < node->wave->read.n; r++) {
		const struct neighbour *n = node->wave->read.at[r];
		if (n->equation == q && n->fresh && at_cell(node, n))
			return true;
	}
	return false;
}

/* A cell that is left out shows what it held. */
void keep_old(struct strips *s)
{
	if (!s->axes.node->where && !node_skips(s->axes.node))
		return;
	for (int q = 0; q < s->axes.node->equation.n; q++)
		if (s->table[q].window || read_at_cell(s->axes.node, q) || births_read(&s->axes, q))
			accumulator_copy(s->axes.l, x_var(s->table[q].value), own_memory(s, q));
}

/* Not in the domain. */
void show_memory(struct strips *s)
{
	for (int q = 0; q < s->axes.node->equation.n; q++)
		if (s->table[q].window && table_stored(s, q))
			window_text(s, q, "show_cell", NULL, NULL);
}

/* Behind the equations: what a table has just got is at hand. */
static struct kx *read_born(struct lowering *l, const struct expr *e)
{
	const struct strips *s = l->now.state;
	int q = births_table(&s->axes, e);
	return q < 0 ? strip_read(l, e) : x_var(s->table[q].value);
}

void compute_equations(struct strips *s)
{
	struct lowering *l = s->axes.l;
	struct lower_context before = l->now;
	l->now.read = strip_read;
	l->now.state = s;
	equations(s);
	l->now = before;
}

void fold_strip_cell(struct strips *s)
{
	struct lowering *l = s->axes.l;
	struct lower_context before = l->now;
	l->now.read = read_born;
	l->now.state = s;
	births_cell(&s->axes);
	l->now = before;
}

struct kx *is_cell(struct strips *s)
{
	struct kx *guard = axes_guard(&s->axes);
	return guard ? guard : x_int(T_BOOL, 1);
}

void values_open(struct strips *s)
{
	for (int q = 0; q < s->axes.node->equation.n; q++) {
		const struct type *type = s->table[q].type;
		s->table[q].value = k_var(s->axes.l->k, kt(type), table_name(s, q),
		                          lower_zero(type));
	}
}
