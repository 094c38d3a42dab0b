/* wave_stretch.c - a stretch of a row by compensation (Hou et al. IPDPS 2018): no cell waits for
 * the one before it.
 *
 * A right side whose only cells of its own row are the one before it, and perhaps the one before
 * that (Note [forms] in wavefront.h),
 *
 *     cell = (cell before ○ weight) ◇ (the one before that ○ weight) ◇ rest
 *
 * is a recurrence along the row as scan has it (recur.c), for the rest reads what is known: rows
 * above, old values, equations before it.  A thread computes the rests of some neighbouring cells
 * and joins them to a total; totals are scanned over lanes and warps; then each thread has the
 * value before its cells and computes them in order.
 *
 * Where a warp is alone and the weight is the same in all cells, totals need no weights of their
 * own: those of all lanes before the last with cells are of as many cells, and nothing of the lanes
 * after it is used (solve_by_powers).
 *
 * There are two copies: where all cells of a stretch are there and all neighbours in their tables
 * nothing is tested.
 *
 * Equations are solved one after another, each for the whole stretch: one after may read what is
 * before it in the tables of those before.  Rests stay in registers, so that old values are read
 * before any cell is overwritten.  What comes before the stretch is read from the table, or from
 * outside of it.  All is joined in an order that depends on places only, so results repeat bit for
 * bit. */
#include "wave_stretch.h"
#include "wave_strips.h"

struct solved {
	int equation;
	const struct wave_form *form;
	int order;                           /* how many cells before it are read: 0, 1 or 2 */
	const struct wave_term *left[MAX_ORDER];     /* the nearest first */
	/* stand for them in the recurrence; of form->type */
	struct var *before[MAX_ORDER], *rest, *weight[MAX_ORDER];
	/* a cell each; NULL: there is none, or it is a constant */
	struct kvar *rests, *weights[MAX_ORDER];
	struct recurrence recurrence;
	struct running running;
	struct recur recur;
	struct total like;
	struct total_memory memory;          /* a warp each */
};

/* ---- may it be ---- */

/* Along the axis d of the order, in its direction. */
static int64_t step_along(const struct node *node, const struct neighbour *n, int d)
{
	int k = node->wave->order[d];
	return node->wave->back[k] ? -n->step[k] : n->step[k];
}

static bool in_row(const struct node *node, const struct neighbour *n)
{
	for (int d = 0; d < node->index.n - 1; d++)
		if (step_along(node, n, d))
			return false;
	return true;
}

static bool uses(const struct wave_form *f, const struct neighbour *n)
{
	if (f->rest && expr_uses(f->rest, n->value))
		return true;
	for (int k = 0; k < f->term.n; k++)
		if (f->term.at[k].weight && expr_uses(f->term.at[k].weight, n->value))
			return true;
	return false;
}

/* Of the row itself, equation q finds the new values of those before it and the old ones of those
 * behind. */
static const char *no_neighbour(const struct node *node, int q, const struct neighbour *n)
{
	int64_t step = step_along(node, n, node->index.n - 1);
	const char *name = wave_table(node, n->equation)->var->name;
	if (!in_row(node, n) || !step)
		return NULL;
	if (n->fresh && n->equation >= q)
		return str_print(
			"`%s` is solved for a row before `%s`, whose new values it reads there",
			wave_table(node, q)->var->name, name);
	if (!n->fresh && n->equation < q)
		return str_print(
			"`%s` is solved for a row after `%s`, whose old values it reads there",
			wave_table(node, q)->var->name, name);
	return NULL;
}

/* The term of the cell so far before it; NULL: none, or several. */
static const struct wave_term *term_before(const struct node *node, const struct wave_form *f,
                                           int cells)
{
	const struct wave_term *found = NULL;
	for (int t = 0; t < f->term.n; t++)
		if (step_along(node, f->term.at[t].from, node->index.n - 1) == -cells) {
			if (found)
				return NULL;
			found = &f->term.at[t];
		}
	return found;
}

static struct recurrence recurrence_of(const struct node *node, const struct wave_form *f)
{
	struct recurrence r = {
		.acc = f->acc, .type = f->type, .order = f->term.n, .rest = f->rest
	};
	for (int k = 0; k < r.order; k++) {
		const struct wave_term *left = term_before(node, f, k + 1);
		r.weight[k] = left->weight;
		r.bare[k] = !left->weight;
		r.dist = left->weight ? f->dist : r.dist;
	}
	return r;
}

static const char *no_term(const struct node *node, const struct wave_form *f)
{
	struct running running = { .froms = f->term.n };
	if (!f->term.n)
		return NULL;
	if (f->term.n > MAX_ORDER || !term_before(node, f, 1) || !term_before(node, f, f->term.n))
		return "in its row it reads more than the previous one or two cells";
	struct recurrence r = recurrence_of(node, f);
	struct recur u = { .r = &r, .running = &running, .strict = node_clause(node, "strict") };
	if (!recur_joins(&u))
		return u.strict ? "`strict` applies operators as written"
		                : "the two previous cells have no weights that can be composed";
	struct accumulators kind = { .n = 1, .at = { recur_kind(&u) } };
	return accumulators_fit(&kind) ? NULL : "its cells are too large for registers";
}

static const char *no_equation(const struct node *node, int q)
{
	const struct wave_algebra *a = &node->wave->algebra.at[q];
	if (node->equation.at[q]->target.n > 1 || node->equation.at[q]->whole)
		return "an equation has several targets";
	if (!a->row)
		return a->no_row;
	const char *why = no_term(node, a->row);
	for (int r = 0; r < node->wave->read.n && !why; r++)
		if (uses(a->row, node->wave->read.at[r]))
			why = no_neighbour(node, q, node->wave->read.at[r]);
	return why;
}

const char *no_stretch(const struct node *node, const struct target *target)
{
	struct cells domain = { .node = node, .rank = node->index.n };
	const char *why = NULL;
	if (!target->gpu)
		return "on a CPU a thread computes the cells of a row one after another";
	if (node->where)
		return "a mask excludes cells";
	if (node_checked(node))
		return "it reads at data-dependent indices";
	if (!cells_even(&domain))
		return "an index bounds another";
	for (int q = 0; q < node->equation.n && !why; q++)
		why = no_equation(node, q);
	return why;
}

const char *stretch_law(const struct node *node)
{
	for (int q = 0; q < node->wave->algebra.n; q++)
		if (node->wave->algebra.at[q].row->dist)
			return node->wave->algebra.at[q].law;
	return NULL;
}

int stretch_cells(const struct node *node, int words)
{
	int64_t most = 1;
	for (int q = 0; q < node->equation.n; q++) {
		int64_t value = type_words(node->wave->algebra.at[q].row->type);
		most = value > most ? value : most;
	}
	return (int)(words / most < 1 ? 1 : words / most);
}

/* ---- what the block holds ---- */

static struct var *stand_in(const char *name, const struct type *type)
{
	struct var *v = NEW(struct var);
	*v = (struct var){ .kind = VAR_LOCAL, .name = name, .type = type };
	return v;
}

static int warps_of(const struct stretch *s)
{
	const struct lowering *l = s->axes->l;
	return l->k->block[0] / l->target->lanes;
}

static void open_before(struct stretch *s, struct solved *e, int cells)
{
	struct loc at = s->axes->node->at;
	const struct wave_term *left = e->left[cells] = term_before(s->axes->node, e->form,
	                                                            cells + 1);
	e->before[cells] = stand_in("before", e->form->type);
	e->running.from[cells] = expr_var(e->before[cells], at);
	if (left->uniform)
		return;
	e->weight[cells] = stand_in("weight", e->form->type);
	e->weights[cells] = k_regs(s->axes->l->k, e->form->type, "weights", s->cells);
	e->recurrence.weight[cells] = expr_var(e->weight[cells], at);
}

/* The recurrence with registers for its rest and, where they are none already, its weights. */
static void open_recurrence(struct stretch *s, struct solved *e)
{
	struct lowering *l = s->axes->l;
	e->recurrence = recurrence_of(s->axes->node, e->form);
	if (e->form->rest)
		e->recurrence.rest = expr_var(e->rest, s->axes->node->at);
	e->running.froms = e->order;
	for (int k = 0; k < e->order; k++)
		open_before(s, e, k);
	e->recur = (struct recur){ .r = &e->recurrence,
		                   .running = &e->running,
		                   .strict = node_clause(s->axes->node, "strict") };
	e->like.acc.n = 1;
	e->like.acc.at[0] = recur_kind(&e->recur);
	if (warps_of(s) > 1)
		e->memory = total_memory(l, &e->like, "warp", warps_of(s));
}

static void open_equation(struct stretch *s, int q)
{
	struct solved *e = &s->solved[q];
	const struct wave_form *form = s->axes->node->wave->algebra.at[q].row;
	e->equation = q;
	e->form = form;
	e->order = form->term.n;
	e->rest = stand_in("rest", form->type);
	if (form->rest)
		e->rests = k_regs(s->axes->l->k, form->type, "rests", s->cells);
	if (e->order)
		open_recurrence(s, e);
}

void stretch_open(struct stretch *s, struct axes *a, int cells)
{
	int n = a->node->equation.n;
	*s = (struct stretch){ .axes = a,
		               .cells = cells,
		               .solved = mem_new((size_t)n * sizeof *s->solved) };
	s->lane = lane_of(a->l, &s->warp);
	for (int q = 0; q < n; q++)
		open_equation(s, q);
}

int64_t stretch_columns(const struct stretch *s)
{
	return (int64_t)s->axes->l->k->block[0] * s->cells;
}

/* ---- the cells of a thread ---- */

/* Opens the loop over them, and unless they are plain the test whether there is one: its number. */
static struct kx *open_cells(struct stretch *s, struct kx *first, struct kx *end)
{
	struct lowering *l = s->axes->l;
	struct kernel *k = l->k;
	struct kx *own = x_mul(block_thread(l), x_i32(s->cells));
	struct kx *c = x_var(k_for(k, "c", x_i32(0), x_i32(s->cells), x_i32(1), FOR_UNROLL));
	struct kx *column = x_var(k_let(k, "column", x_add(first, x_to_i64(x_add(own, c)))));
	if (!s->plain)
		k_if(k, x_lt(column, end));
	axis_bind(s->axes, s->axes->n - 1, column);
	return c;
}

static void close_cells(struct stretch *s)
{
	if (!s->plain)
		k_end(s->axes->l->k);
	k_end(s->axes->l->k);
}

static bool leaves_cell(const struct node *node, const struct neighbour *n)
{
	for (int d = 0; d < node->index.n; d++)
		if (step_along(node, n, d))
			return true;
	return false;
}

static void bind_neighbour(struct stretch *s, const struct neighbour *n)
{
	struct lowering *l = s->axes->l;
	const struct node *node = s->axes->node;
	struct kx *cell = wave_memory(l, node, n);
	lower_bind(l, n->value,
	           !s->plain && leaves_cell(node, n) ? wave_neighbour(l, node, n, cell) : cell);
}

static void keep(struct stretch *s, struct kvar *registers, struct kx *c, const struct expr *value)
{
	struct lowering *l = s->axes->l;
	accumulator_copy(l, x_at(x_var(registers), c),
	                 x_var(k_let(l->k, "kept", lower_expr(l, value))));
}

static void bind_kept(struct stretch *s, struct solved *e, struct kx *c)
{
	struct lowering *l = s->axes->l;
	if (e->rests)
		lower_bind(l, e->rest, x_at(x_var(e->rests), c));
	for (int k = 0; k < e->order; k++)
		if (e->weights[k])
			lower_bind(l, e->weight[k], x_at(x_var(e->weights[k]), c));
}

/* What the cells have apart from the one before them; total (NULL: none is asked for): what they
 * come to. */
static void take_rests(struct stretch *s, struct solved *e, struct kx *first, struct kx *end,
                       const struct total *total)
{
	const struct node *node = s->axes->node;
	struct kx *c = open_cells(s, first, end);
	for (int r = 0; r < node->wave->read.n; r++)
		if (uses(e->form, node->wave->read.at[r]))
			bind_neighbour(s, node->wave->read.at[r]);
	if (e->rests)
		keep(s, e->rests, c, e->form->rest);
	for (int k = 0; k < e->order; k++)
		if (e->weights[k])
			keep(s, e->weights[k], c, e->left[k]->weight);
	bind_kept(s, e, c);
	if (total)
		recur_add(s->axes->l, &e->recur, &total->acc.at[0], NULL);
	close_cells(s);
}

static struct kx *converted(struct lowering *l, struct kx *x, const struct type *from,
                            const struct type *to, struct loc at)
{
	struct var *v = stand_in("value", from);
	struct expr *cast = expr_new(E_CAST, to, at);
	lower_bind(l, v, x);
	list_add(&cast->arg, expr_var(v, at));
	return from == to ? x : lower_expr(l, cast);
}

static void store_cells(struct stretch *s, struct solved *e, struct kx *first, struct kx *end)
{
	struct lowering *l = s->axes->l;
	const struct expr *table = wave_table(s->axes->node, e->equation);
	struct kx *c = open_cells(s, first, end);
	bind_kept(s, e, c);
	struct kx *value = e->order ? recur_cell(l, &e->recur, NULL) : x_at(x_var(e->rests), c);
	lower_store(l, table, converted(l, value, e->form->type, table->type, table->at));
	close_cells(s);
}

/* ---- the stretch ---- */

/* A value before column `first`, where the stretch has any column. */
static void find_before(struct stretch *s, struct solved *e, int cells, struct kx *first,
                        struct kx *end)
{
	struct lowering *l = s->axes->l;
	const struct neighbour *n = e->left[cells]->from;
	struct kx *before = x_var(
		k_var(l->k, kt(e->form->type), "before", lower_zero(e->form->type)));
	k_if(l->k, x_lt(first, end));
	axis_bind(s->axes, s->axes->n - 1, first);
	bind_neighbour(s, n);
	struct kx *value = converted(l, lower_var(l, n->value), n->value->type, e->form->type,
	                             n->read->at);
	accumulator_copy(l, before, x_var(k_let(l->k, "from", value)));
	k_end(l->k);
	lower_bind(l, e->before[cells], before);
}

/* Every thread of the block arrives: what they wrote before, all find behind. */
static void arrive(struct stretch *s)
{
	if (warps_of(s) > 1)
		k_barrier(s->axes->l->k);
	else
		warp_sync(s->axes->l);
}

/* What the warps before this one come to.  Every thread of the block arrives: all rests have been
 * read. */
static void join_warps(struct stretch *s, struct solved *e, const struct total *total,
                       const struct total *before)
{
	struct lowering *l = s->axes->l;
	struct kernel *k = l->k;
	if (warps_of(s) > 1) {
		k_if(k, x_eq(s->lane, x_i32(l->target->lanes - 1)));
		total_store(l, &e->memory, s->warp, total);
		k_end(k);
	}
	arrive(s);
	if (warps_of(s) == 1)
		return;
	struct kx *w = x_var(k_for(k, "w", x_i32(0), s->warp, x_i32(1), FOR_ROLLED));
	struct total one = total_load(l, &e->memory, w, &e->like);
	total_join(l, before, &one);
	k_end(k);
}

/* From the cells of each thread to all cells of the stretch before it. */
static struct total scan_totals(struct stretch *s, struct solved *e, struct total *total)
{
	struct lowering *l = s->axes->l;
	struct total before = total_new(l, &e->like);
	lanes_scan(l, total, s->lane, l->target->lanes);
	join_warps(s, e, total, &before);
	struct total lanes = total_shuffle(l, total, "up_", x_i32(1));
	k_if(l->k, x_lt(x_i32(0), s->lane));
	total_join(l, &before, &lanes);
	k_end(l->k);
	return before;
}

static void solve_along(struct stretch *s, struct solved *e, struct kx *first, struct kx *end)
{
	struct lowering *l = s->axes->l;
	for (int k = 0; k < e->order; k++)
		find_before(s, e, k, first, end);
	struct total total = total_new(l, &e->like);
	take_rests(s, e, first, end, &total);
	struct total before = scan_totals(s, e, &total);
	recur_resume(l, &e->recur, &before.acc.at[0]);
	store_cells(s, e, first, end);
}

/* ---- the same weight in all cells, one warp ---- */

/* A plain form with a weight has it in its terms. */
static bool has_powers(const struct stretch *s, const struct solved *e)
{
	bool weighs = e->order == 1 && e->left[0]->weight;
	return warps_of(s) == 1 && e->order == 1 && e->rests && e->left[0]->uniform
	       && (!weighs || e->like.acc.at[0].join);
}

/* The weight of so many cells. */
static struct kx *power_of(struct lowering *l, const struct solved *e, struct kx *weight, int times)
{
	struct kx *power = NULL;
	for (struct kx *square = weight; weight && times; times >>= 1) {
		if (times & 1)
			power = power ? x_var(k_let(l->k, "power",
			                            recur_weights(l, &e->recur, power, square)))
			              : square;
		if (times > 1)
			square = x_var(
				k_let(l->k, "square", recur_weights(l, &e->recur, square, square)));
	}
	return power;
}

static struct kx *own_variable(struct lowering *l, const char *name, struct kx *x)
{
	struct kx *own = x ? x_var(k_var(l->k, x->type, name, NULL)) : NULL;
	if (own)
		accumulator_copy(l, own, x);
	return own;
}

/* Each rest becomes what the lane's cells up to it come to; the result: all of them.  The first
 * lane's go on from `before`. */
static struct kx *join_cells(struct stretch *s, struct solved *e, struct kx *first, struct kx *end,
                             struct kx *weight)
{
	struct lowering *l = s->axes->l;
	struct kx *total = own_variable(l, "total", lower_var(l, e->before[0]));
	struct kx *c = open_cells(s, first, end), *rest = x_at(x_var(e->rests), c);
	k_if(l->k, x_or(x_lt(x_i32(0), c), x_eq(s->lane, x_i32(0))));
	accumulator_copy(l, rest,
	                 x_var(k_let(l->k, "joined",
	                             recur_behind(l, &e->recur, total, weight, rest))));
	k_end(l->k);
	accumulator_copy(l, total, rest);
	close_cells(s);
	return total;
}

/* Each lane's total becomes that of the lanes up to it; the result: of those before it. */
static struct kx *join_lanes(struct stretch *s, struct solved *e, struct kx *total,
                             struct kx *power)
{
	struct lowering *l = s->axes->l;
	const struct accumulator like = { .type = e->form->type };
	power = own_variable(l, "power", power);
	struct kvar *step = k_for(l->k, "step", x_i32(0), x_i32(log2_of(l->target->lanes)),
	                          x_i32(1), FOR_UNROLL);
	struct kx *distance = x_var(k_let(l->k, "distance", x_op(OP_SHL, x_i32(1), x_var(step))));
	struct kx *other = accumulator_shuffle(l, &like, total, "up_", distance);
	k_if(l->k, x_le(distance, s->lane));
	accumulator_copy(l, total,
	                 x_var(k_let(l->k, "joined",
	                             recur_behind(l, &e->recur, other, power, total))));
	k_end(l->k);
	if (power)
		k_set(l->k, power, recur_weights(l, &e->recur, power, power));
	k_end(l->k);
	return accumulator_shuffle(l, &like, total, "up_", x_i32(1));
}

static void store_joined(struct stretch *s, struct solved *e, struct kx *first, struct kx *end,
                         struct kx *lanes, struct kx *weight)
{
	struct lowering *l = s->axes->l;
	const struct expr *table = wave_table(s->axes->node, e->equation);
	struct kx *reach = own_variable(l, "reach", weight);
	struct kx *c = open_cells(s, first, end), *rest = x_at(x_var(e->rests), c);
	struct kx *value = own_variable(l, "value", rest);
	k_if(l->k, x_lt(x_i32(0), s->lane));
	accumulator_copy(l, value,
	                 x_var(k_let(l->k, "joined",
	                             recur_behind(l, &e->recur, lanes, reach, rest))));
	k_end(l->k);
	if (reach)
		k_set(l->k, reach, recur_weights(l, &e->recur, reach, weight));
	lower_store(l, table, converted(l, value, e->form->type, table->type, table->at));
	close_cells(s);
}

static void solve_by_powers(struct stretch *s, struct solved *e, struct kx *first, struct kx *end)
{
	struct lowering *l = s->axes->l;
	const struct expr *weight = e->left[0]->weight;
	struct kx *one = weight ? x_var(k_let(l->k, "weight", lower_expr(l, weight))) : NULL;
	find_before(s, e, 0, first, end);
	take_rests(s, e, first, end, NULL);
	struct kx *total = join_cells(s, e, first, end, one);
	struct kx *lanes = join_lanes(s, e, total, power_of(l, e, one, s->cells));
	arrive(s);
	store_joined(s, e, first, end, lanes, one);
}

static void solve(struct stretch *s, struct solved *e, struct kx *first, struct kx *end)
{
	struct kernel *k = s->axes->l->k;
	k_scope(k);
	if (has_powers(s, e)) {
		solve_by_powers(s, e, first, end);
	} else if (e->order) {
		solve_along(s, e, first, end);
	} else {
		take_rests(s, e, first, end, NULL);
		arrive(s);
		store_cells(s, e, first, end);
	}
	k_end(k);
	arrive(s);
}

/* The tables are boxes: what is inside at both ends is so between them. */
static struct kx *is_plain(struct stretch *s, struct kx *first, struct kx *end)
{
	struct axes *a = s->axes;
	struct kx *is = x_eq(x_sub(end, first), x_i64(stretch_columns(s)));
	for (int last = 0; last < 2; last++) {
		axis_bind(a, a->n - 1, last ? x_sub(end, x_i64(1)) : first);
		for (int r = 0; r < a->node->wave->read.n; r++)
			if (leaves_cell(a->node, a->node->wave->read.at[r]))
				is = x_and(is, wave_is_inside(a->l, a->node,
				                              a->node->wave->read.at[r]));
	}
	return is;
}

static void solve_all(struct stretch *s, struct kx *first, struct kx *end, bool plain)
{
	s->plain = plain;
	for (int q = 0; q < s->axes->node->equation.n; q++)
		solve(s, &s->solved[q], first, end);
}

void stretch_solve(struct stretch *s, struct kx *first, struct kx *end)
{
	struct kernel *k = s->axes->l->k;
	k_if(k, is_plain(s, first, end));
	solve_all(s, first, end, true);
	k_else(k);
	solve_all(s, first, end, false);
	k_end(k);
}
