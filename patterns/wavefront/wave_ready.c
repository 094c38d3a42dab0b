/* wave_ready.c - a wavefront on a GPU whose cells fold others at places that data decide
 * (wave_places.c), in one launch: a lane a cell, which waits for what it reads (ready.kernel).
 *
 * Who needs a cell has its value from a word of the workspace, that says as well that it is there
 * (state_words.c): one load, and no fence.  In the chain from cell to cell that is the time of a
 * store and a load in the second level cache, or, within a warp, that of a shuffle.
 *
 * Lanes wait in one loop, and each turn does what some lanes can do.  What a term reads of other
 * arrays is loaded before its cell is there, so that it is in no chain.
 *
 * A warp takes more cells one after another where each follows the ones before it: a warp that
 * waits for a cell of a far row keeps its place on the device. */
#include "../cells.h"
#include "ask.h"
#include "ragged.h"
#include "small.h"
#include "wave.h"
#include "../state_words.h"

enum { READY_BLOCK = 128, RUN = 128, MOST_TURNS = 8, TURN_CELLS = 1 << 18, MOST_LOADED = 8 };

struct loaded { const struct expr *read; struct kvar *var; };

struct ready {
	struct axes axes;
	int along, other;                    /* of the order: data decide; or -1: none */
	const struct expr *fold, *read;      /* of the table, in the fold's terms */
	int subscript;                       /* which of the read's data decide */
	bool backwards;                      /* terms are folded from the last on */
	bool whole;                          /* every place of the table is a cell of the domain */
	LIST(struct loaded) loaded;          /* of other arrays: what the mask of terms reads, */
	int masks, terms;                    /* up to here; then terms; then the cell */
	struct accumulators acc, cell;
	struct kvar *value, *source, *inside, *held;     /* held: what the cell held; or NULL */
	struct kx *old;                      /* the same in memory */
	struct kx *state, *turn;     /* turn: the bound cell's along `other`; or NULL */
	struct kx *begin, *end;
	int words;
};

/* ---- which wavefronts ---- */

struct seeking { const struct node *node; const struct expr *read; int reads; };

static bool is_table(const struct node *node, const struct expr *e)
{
	return e->kind == E_READ && e->var == wave_table(node, 0)->var;
}

static bool visit_read(struct expr *e, void *state)
{
	struct seeking *s = state;
	if (is_table(s->node, e)) {
		s->read = e;
		s->reads++;
	}
	return true;
}

/* The only read of the table in terms of the fold; NULL: there are none, or several. */
static const struct expr *only_read(const struct node *node, const struct expr *fold)
{
	struct seeking s = { .node = node };
	expr_walk(fold->arg.at[0], visit_read, &s);
	return s.reads == 1 ? s.read : NULL;
}

static bool reads_table(const struct node *node, const struct expr *e)
{
	struct seeking s = { .node = node };
	expr_walk((struct expr *)e, visit_read, &s);
	return s.reads > 0;
}

/* The fold of the right side that reads the table, if it is the only one and is always computed. */
static const struct expr *find_fold(const struct node *node, const struct expr *e, int *folds)
{
	const struct expr *found = NULL;
	if (e->kind == E_FOLD) {
		*folds += reads_table(node, e);
		return reads_table(node, e) ? e : NULL;
	}
	for (int a = 0; a < e->arg.n; a++) {
		const struct expr *in = find_fold(node, e->arg.at[a], folds);
		if (in && expr_lazy(e) && a > 0)
			*folds += 2;
		found = in ? in : found;
	}
	*folds += is_table(node, e) ? 2 : 0;
	return found;
}

static bool fold_fits(const struct node *node, const struct expr *e)
{
	const struct fold *fold = e->fold;
	struct folds one = { .n = 1, .at = { (struct expr *)e } };
	return !fold->sorted && fold->index.n == 1 && !fold->asked && only_read(node, e)
	       && !(fold->where && (reads_table(node, fold->where) || expr_checked(fold->where)))
	       && !expr_has_fold(e->arg.at[0]) && !(fold->where && expr_has_fold(fold->where))
	       && !(op_is_arg(fold->op) && fold_cut(fold, 0) && !fold_cut(fold, 0)->end)
	       && folds_fit(&one);
}

static bool is_box(const struct node *node)
{
	for (int k = 0; k < node->index.n; k++)
		if (!cells_exact(node, k))
			return false;
	return !wave_table(node, 0)->checked && !node->where;
}

static bool is_word(const struct type *type)
{
	return type->kind != T_STRUCT && !is_small(type);
}

const char *no_ready(const struct node *node, const struct target *target)
{
	int folds = 0;
	if (!target->gpu)
		return "a CPU computes its rows in their order";
	if (!node->wave->by_data)
		return "it reads no cells at data-dependent indices";
	if (node->equation.n > 1 || node->index.n > 2)
		return "it has several equations, or more than two indices";
	if (!is_box(node) || !is_word(wave_table(node, 0)->type))
		return "a part of its range has no cells, or its cells are 16-bit floats";
	if (births_of(node))
		return "reductions follow its cells";
	const struct expr *fold = find_fold(node, node->equation.at[0]->right, &folds);
	if (!fold || folds != 1 || !fold_fits(node, fold))
		return "such reads are not those of one fold, one a term, that each cell computes";
	return NULL;
}

/* ---- what is loaded of other arrays before cells come ---- */

static bool is_loaded(const struct ready *r, const struct expr *e)
{
	for (int i = 0; i < r->loaded.n; i++)
		if (r->loaded.at[i].read == e)
			return true;
	return false;
}

/* Those that every evaluation comes to, inner ones first. */
static void find_loaded(struct ready *r, const struct expr *e)
{
	int n = expr_lazy(e) ? 1 : e->kind == E_FOLD ? 0 : e->arg.n;
	for (int a = 0; a < n; a++)
		find_loaded(r, e->arg.at[a]);
	if (e->kind == E_READ && !e->checked && e->var != r->read->var && is_word(e->type)
	    && !is_loaded(r, e) && r->loaded.n < MOST_LOADED)
		list_add(&r->loaded, ((struct loaded){ .read = e }));
}

static void find_all(struct ready *r)
{
	if (r->fold->fold->where)
		find_loaded(r, r->fold->fold->where);
	r->masks = r->loaded.n;
	find_loaded(r, r->fold->arg.at[0]);
	r->terms = r->loaded.n;
	find_loaded(r, r->axes.node->equation.at[0]->right);
}

static void load(struct ready *r, int from, int to)
{
	struct lowering *l = r->axes.l;
	for (int i = from; i < to; i++)
		k_set(l->k, x_var(r->loaded.at[i].var), lower_cell(l, r->loaded.at[i].read));
}

/* struct lower_context's: what a term or the cell reads. */
static struct kx *read_term(struct lowering *l, const struct expr *e)
{
	const struct ready *r = l->now.state;
	for (int i = 0; i < r->loaded.n; i++)
		if (r->loaded.at[i].read == e)
			return x_var(r->loaded.at[i].var);
	if (e != r->read)
		return lower_cell(l, e);
	return e->checked ? lower_tested(l, e, l->now.guard, x_var(r->inside), x_var(r->value))
	                  : x_var(r->value);
}

static struct lower_context open_context(struct ready *r)
{
	struct lower_context before = r->axes.l->now;
	r->axes.l->now.read = read_term;
	r->axes.l->now.state = r;
	return before;
}

/* ---- a cell ---- */

static void bind_cell(struct ready *r, struct kx *number)
{
	struct axes *a = &r->axes;
	if (r->other < 0) {
		axis_bind(a, r->along, number);
		return;
	}
	struct kx *beside = axis_count(a, r->other);
	r->turn = x_var(k_let(a->l->k, "beside", x_rem(number, beside)));
	axis_bind(a, r->along, x_div(number, beside));
	axis_bind(a, r->other, r->turn);
}

/* What a term reads. */
static void declare_term(struct ready *r)
{
	struct lowering *l = r->axes.l;
	const struct type *type = wave_table(r->axes.node, 0)->type;
	r->value = k_var(l->k, kt(type), "value", lower_zero(type));
	r->source = k_var(l->k, kt_scalar(T_I64), "source", x_i64(-1));
	r->inside = k_var(l->k, kt_scalar(T_BOOL), "inside", x_int(T_BOOL, 1));
	for (int i = 0; i < r->loaded.n; i++) {
		const struct expr *read = r->loaded.at[i].read;
		r->loaded.at[i].var = k_var(l->k, kt(read->type), read->var->name,
		                            lower_zero(read->type));
	}
}

static void declare(struct ready *r)
{
	struct lowering *l = r->axes.l;
	const struct type *type = wave_table(r->axes.node, 0)->type;
	struct folds one = { .n = 1, .at = { (struct expr *)r->fold } };
	r->acc = folds_start(l, &one);
	r->cell.n = 1;
	r->cell.at[0] = (struct accumulator){
		.of = type, .type = type, .var = k_var(l->k, kt(type), "cell", lower_zero(type))
	};
	wave_neighbours(l, r->axes.node);
	for (int n = 0; n < r->axes.node->wave->read.n; n++) {
		const struct var *own = r->axes.node->wave->read.at[n]->value;
		r->old = lower_var(l, own);
		r->held = k_var(l->k, kt(own->type), own->name, lower_zero(own->type));
		lower_bind(l, own, x_var(r->held));
	}
}

/* What the cell needs but its fold. */
static void load_cell(struct ready *r)
{
	struct lower_context before = open_context(r);
	load(r, r->terms, r->loaded.n);
	if (r->held)
		k_set(r->axes.l->k, x_var(r->held), r->old);
	r->axes.l->now = before;
}

/* ---- a term ---- */

static struct kx *cell_number(struct ready *r, struct kx *turn)
{
	return r->other < 0 ? turn : x_add(x_mul(turn, axis_count(&r->axes, r->other)), r->turn);
}

/* What the table has outside the domain, before its first cell. */
static void outside_domain(struct ready *r, struct kx *turn)
{
	struct lowering *l = r->axes.l;
	struct expr *plain = NEW(struct expr);
	*plain = *r->read;
	plain->checked = false;
	k_if(l->k, x_lt(turn, x_i64(0)));
	k_set(l->k, x_var(r->value), lower_cell(l, plain));
	k_end(l->k);
}

static void find_source(struct ready *r)
{
	struct lowering *l = r->axes.l;
	const struct expr *sub = r->read->arg.at[r->subscript];
	const struct expr *cell = wave_table(r->axes.node, 0);
	if (expr_checked(sub))
		lower_flag(l, "unknown");
	struct kx *at = x_var(k_let(l->k, "at", lower_wrapping(l, sub))), *ok = NULL;
	if (r->read->checked)
		ok = x_and(lower_inside(at, lower_extent(l, r->read->var, r->subscript)),
		           expr_checked(sub) ? lower_inside_all(l) : NULL);
	if (ok) {
		k_set(l->k, x_var(r->source), x_i64(-1));
		k_set(l->k, x_var(r->inside), ok);
		k_if(l->k, x_var(r->inside));
	}
	struct kx *turn = axis_turn(&r->axes, r->along,
	                            x_sub(at, x_i64(cell->affine[r->subscript].constant)));
	turn = x_var(k_let(l->k, "place", turn));
	if (r->whole) {
		k_set(l->k, x_var(r->source), cell_number(r, turn));
	} else {
		k_set(l->k, x_var(r->source),
		      x_cond(x_le(x_i64(0), turn), cell_number(r, turn), x_i64(-1)));
		outside_domain(r, turn);
	}
	if (ok)
		k_end(l->k);
}

/* Its index is bound. */
static void bind_term(struct ready *r, struct kx *next)
{
	if (r->backwards)
		next = x_sub(x_add(r->begin, r->end), x_add(next, x_i64(1)));
	lower_bind(r->axes.l, r->fold->fold->index.at[0], next);
}

/* Of the mask. */
static struct kx *takes(struct ready *r, struct kx *next)
{
	struct lowering *l = r->axes.l;
	struct lower_context before = open_context(r);
	bind_term(r, next);
	load(r, 0, r->masks);
	struct kx *takes = lower_expr(l, r->fold->fold->where);
	l->now = before;
	return takes;
}

/* What it reads but the cell, and which cell that is. */
static void open_term(struct ready *r, struct kx *next)
{
	struct lowering *l = r->axes.l;
	struct lower_context before = open_context(r);
	bind_term(r, next);
	load(r, 0, r->terms);
	find_source(r);
	l->now = before;
}

static void fold_term(struct ready *r, struct kx *next)
{
	struct lowering *l = r->axes.l;
	struct lower_context before = open_context(r);
	struct kx *term = l->term;
	bind_term(r, next);
	if (op_is_arg(r->fold->fold->op))
		l->term = fold_number(l, r->fold->fold);
	accumulate_term(l, r->fold, &r->acc.at[0], x_var(r->acc.at[0].var));
	l->term = term;
	l->now = before;
}

/* ---- hand over ---- */

static struct kx *word_place(const struct ready *r, struct kx *number, int word)
{
	return x_offset(r->state, x_add(x_mul(number, x_i64(r->words)), x_i64(word + 1)));
}

static struct kx *near_value(struct ready *r, struct kx *lane)
{
	const struct accumulator *cell = &r->cell.at[0];
	return accumulator_shuffle(r->axes.l, cell, x_var(cell->var), "", lane);
}

/* Loads the words; is the cell there? */
static struct kx *take_far(struct ready *r)
{
	struct lowering *l = r->axes.l;
	struct kx *word[STATE_WORDS], *all = NULL;
	struct accumulators to = r->cell;
	to.at[0].var = r->value;
	for (int w = 0; w < r->words; w++) {
		word[w] = x_var(k_let(l->k, "word",
		                      state_load(word_place(r, x_var(r->source), w))));
		all = x_and(all, x_ne(state_known(word[w]), x_int(T_U32, 0)));
	}
	state_take(l, word, &to);
	return x_var(k_let(l->k, "known", all));
}

/* struct lower_context's: the fold is known. */
static struct kx *folded(struct lowering *l, const struct expr *e)
{
	const struct ready *r = l->now.fold_state;
	return e == r->fold ? accumulator_value(l, &r->acc.at[0], e->fold) : NULL;
}

/* The bound cell gets its value, unless it reads outside an array. */
static void compute(struct ready *r)
{
	const struct node *node = r->axes.node;
	const struct equation *eq = node->equation.at[0];
	struct lowering *l = r->axes.l;
	struct kx *cell = x_var(r->cell.at[0].var);
	if (node_skips(node)) {
		k_set(l->k, cell, lower_cell(l, wave_table(node, 0)));
		lower_flag(l, "bad");
	}
	struct kx *value = lower_result(eq, 0, lower_right(l, eq->right));
	if (l->now.outside)
		k_if(l->k, lower_inside_all(l));
	k_set(l->k, cell, value);
	lower_store(l, eq->target.at[0], cell);
	if (l->now.outside) {
		k_end(l->k);
		lower_record(l);
	}
}

static void finish(struct ready *r, struct kx *number)
{
	struct lowering *l = r->axes.l;
	struct lower_context before = open_context(r);
	struct kx *place[STATE_WORDS];
	l->now.fold = folded;
	l->now.fold_state = r;
	l->now.given = NEW(struct given_values);
	compute(r);
	l->now = before;
	for (int w = 0; w < r->words; w++)
		place[w] = word_place(r, number, w);
	state_store(l, place, &r->cell, x_int(T_U32, 1));
}

/* ---- the kernel ---- */

/* The functions that the text calls: the name in the text, and the C function. */
#define CALLS(DO, GET) \
	DO(bind_cell, bind_cell(s, arg[0])) \
	DO(open_range, lower_range(l, s->fold->fold, 0, &s->begin, &s->end)) \
	DO(declare_term, declare_term(s)) \
	DO(declare, declare(s)) \
	DO(load_cell, load_cell(s)) \
	DO(open_term, open_term(s, arg[0])) \
	DO(fold_term, fold_term(s, arg[0])) \
	DO(finish, finish(s, arg[0])) \
	DO(take_near, k_set(l->k, x_var(s->value), arg[0])) \
	GET(near_value, near_value(s, arg[0])) \
	GET(takes, takes(s, arg[0])) \
	GET(take_far, take_far(s)) \
	GET(range_begin, s->begin) \
	GET(range_end, s->end) \
	GET(source, x_var(s->source))

#define HOLE_DO(name, call) KTEXT_CALL(struct ready, s, name, call; return NULL;)
#define HOLE_GET(name, value) KTEXT_CALL(struct ready, s, name, return value;)

CALLS(HOLE_DO, HOLE_GET)

static struct kx *all_words(const struct ready *r, struct kx *cells)
{
	return x_add(x_mul(cells, x_i64(r->words)), x_i64(1));
}

static struct kvar *state_open(struct ready *r, struct kx *host_cells)
{
	struct plan *plan = r->axes.plan;
	struct kx *cells = axis_most(&r->axes, r->along);
	if (r->other >= 0)
		cells = x_mul(cells, axis_most(&r->axes, r->other));
	struct kx *most = all_words(r, cells);
	struct kvar *state = plan_slot(plan, "state", type_scalar(T_U64), 1, &most);
	k_clear(plan->host, x_var(state), x_mul(all_words(r, host_cells), x_i64(8)));
	return state;
}

/* Where the device cannot have all warps at once, each draws several groups. */
static void bind_groups(struct ready *r, struct kx *host_cells, struct kx **blocks)
{
	struct axes *a = &r->axes;
	struct plan *plan = a->plan;
	struct kernel *k = a->l->k;
	const struct target *target = a->l->target;
	struct kx *groups = plan_let(plan, "groups", x_div_up(host_cells, x_i64(target->lanes))),
		  *turns = plan_let(plan, "turns", x_max(x_i64(1), x_min(x_i64(MOST_TURNS),
	                                              x_div(host_cells, x_i64(TURN_CELLS)))));
	struct kx *each = x_mul(turns, x_i64(READY_BLOCK / target->lanes));
	*blocks = x_min(x_div_up(groups, each), x_i64(target->turn_blocks));
	k_bind(k, "cells", axes_argument(a, "cells", host_cells));
	k_bind(k, "groups", axes_argument(a, "groups", groups));
}

static void kernel(struct ready *r, struct kx *host_cells)
{
	struct axes *a = &r->axes;
	struct lowering *l = a->l = lowering_new(a->plan, a->node->name);
	struct kernel *k = l->k;
	struct kvar *state = state_open(r, host_cells);
	struct kx *blocks;
	k->note = "A lane a cell, which takes its terms as the cells that they read come.";
	k->block[0] = READY_BLOCK;
	k->block[1] = k->block[2] = 1;
	k->min_blocks = 1;
	lowering_writes(l, a->node);
	r->state = lower_argument(l, "state", kt_pointer(type_scalar(T_U64), false), x_var(state));
	k_bind(k, "state", r->state);
	bind_groups(r, host_cells, &blocks);
	k_numbers(k, "LAST, MASKED, RUN", l->target->lanes - 1, r->fold->fold->where != NULL,
	          RUN);
	k_bind_calls(k, r, CALLS(KTEXT_ROW, KTEXT_ROW));
	k_text(k, "ready");
	lowering_launch(l, blocks, x_i64(1), x_i64(1));
}

/* Rows mostly have their entries in the order of places, so that in an order from the last cell on
 * the first one is of the nearest cell, which comes last. */
static bool folds_backwards(const struct ready *r)
{
	const struct node *node = r->axes.node;
	const struct op *op = r->fold->fold->op;
	return node->wave->back[node->wave->data_index] && op->associative && op->commutative
	       && !op_is_arg(op) && !fold_in_order(r->fold);
}

static void find_parts(struct ready *r, const struct node *node)
{
	int folds = 0;
	for (int d = 0; d < node->index.n; d++)
		if (node->wave->order[d] == node->wave->data_index)
			r->along = d;
	r->other = node->index.n > 1 ? 1 - r->along : -1;
	r->fold = find_fold(node, node->equation.at[0]->right, &folds);
	r->read = only_read(node, r->fold);
	r->subscript = wave_subscript(node, wave_table(node, 0), node->wave->data_index);
	r->backwards = folds_backwards(r);
	r->whole = wave_covers(node, 0, node->wave->data_index);
	r->words = (int)type_words(wave_table(node, 0)->type);
	find_all(r);
}

void wave_ready(struct plan *plan, const struct node *node)
{
	struct ready *r = NEW(struct ready);
	axes_open(&r->axes, plan, node);
	find_parts(r, node);
	struct kx *cells = axis_size(&r->axes, 0);
	if (node->index.n > 1)
		cells = x_mul(cells, axis_size(&r->axes, 1));
	cells = plan_let(plan, "cells", cells);
	k_if(plan->host, axes_some(&r->axes));
	kernel(r, cells);
	k_end(plan->host);
}
