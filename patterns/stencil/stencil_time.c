/* stencil_time.c - what one visit of memory must hold to compute several passes of a loop.
 *
 *     repeat t < steps {
 *         stencil b[i, j] = f(a[i-1, j], a[i, j-1], a[i, j], a[i, j+1], a[i+1, j]) boundary keep;
 *         swap a, b;
 *     }
 *
 * A warp takes a strip of columns and marches along the rows.  In a step one row of a comes from
 * memory.  The first pass then computes the row before it, whose neighbours are all known; of that
 * row and the two before, the second pass computes the row before, and so on:
 *
 *     row      memory   pass 1   pass 2   pass 3
 *     q          x
 *     q - 1      o        x
 *     q - 2      o        o        x                x: new in this step
 *     q - 3               o        o        x       o: held in registers
 *     q - 4                        o
 *
 * So each version of the array is held by as many rows as are read of it, and memory is read and
 * written once for all passes of a visit.  Method: AN5D (Matsumura et al., CGO 2020), with
 * registers and shuffles of one warp in the place of shared memory and barriers.
 *
 * The passes of a visit are executed here symbolically, on the names of the arrays: a statement
 * makes a new version of its targets, `swap` exchanges two names.  Each read then says which
 * version it reads, how many rows away, and with it how long rows are held and how far the passes
 * lag after each other.
 *
 * Cells that no pass computes (`boundary keep`, ranges of `for`) keep what their array has.  Two
 * arrays that are swapped in each pass have two sets of such cells.  After an odd number of passes
 * each buffer is where the program has it, with its own set. */
#include <stdlib.h>
#include <string.h>

#include "ask.h"
#include "stencil_time.h"

enum {
	MOST_VERSIONS = 192,
	MOST_OF_A_THREAD = 48,               /* versions whose rows are in registers */
	MOST_WIDTH = 4,                      /* cells a lane: more would leave no registers */
	MOST_ROWS = 9                        /* of a version */
};

static const char TOO_MANY[] = "so many passes do not fit into the registers of a thread";
static const char KEPT_APART[]
	= "cells keep their value in an array that it exchanges, and that no pass reads";

/* An array that the loop writes, or swaps. */
struct moving {
	const struct var *var;
	int version;                         /* at present; -1: none yet */
	int memory;                          /* the version that memory has; -1: nothing reads it */
	int origin;                          /* whose cells that no pass computes it has now */
	int set;                             /* one number for all arrays that swaps exchange */
	int after_one, origin_after_one;     /* the version, and whose cells, after one pass */
};

struct trace {
	struct time_plan *plan;
	const struct target *target;
	LIST(struct moving) moving;
	bool alike;          /* cells that no pass computes are the same in swapped arrays */
	const char *why;
	const struct node *at;
};

static bool refuse(struct trace *t, const struct node *at, const char *why)
{
	if (!t->why) {
		t->why = why;
		t->at = at;
	}
	return false;
}

/* ---- the arrays that the loop moves ---- */

static struct moving *moving_of(struct trace *t, const struct var *var)
{
	for (int i = 0; i < t->moving.n; i++)
		if (t->moving.at[i].var == var)
			return &t->moving.at[i];
	return NULL;
}

static void add_moving(struct trace *t, const struct var *var)
{
	const int number = t->moving.n;
	if (!moving_of(t, var))
		list_add(&t->moving, ((struct moving){ .var = var, .version = -1, .memory = -1,
		                                       .origin = number, .set = number,
		                                       .after_one = -1,
		                                       .origin_after_one = number }));
}

static void join_sets(struct trace *t, const struct node *swap)
{
	const int set = moving_of(t, swap->swap[0])->set, old = moving_of(t, swap->swap[1])->set;
	for (int i = 0; i < t->moving.n; i++)
		if (t->moving.at[i].set == old)
			t->moving.at[i].set = set;
}

static void find_moving(struct trace *t)
{
	const struct node *loop = t->plan->loop;
	for (int i = 0; i < loop->body.n; i++) {
		const struct node *s = loop->body.at[i];
		for (int k = 0; s->kind == NODE_SWAP && k < 2; k++)
			add_moving(t, s->swap[k]);
		if (s->kind == NODE_SWAP)
			join_sets(t, s);
		for (int q = 0; s->kind == NODE_PATTERN && q < s->equation.n; q++)
			add_moving(t, target_read(s->equation.at[q]->target.at[0])->var);
	}
}

static bool arrays_alike(struct trace *t, const struct node *at)
{
	const struct var *first = t->moving.n ? t->moving.at[0].var : NULL;
	for (int i = 0; i < t->moving.n; i++) {
		const struct var *v = t->moving.at[i].var;
		bool same = v->rank == first->rank && v->type->kind != T_STRUCT && is_dense(v);
		for (int a = 0; same && a < v->rank; a++)
			same = affine_equal(&v->extent[a], &first->extent[a]);
		if (!same)
			return refuse(t, at, "its arrays are not of one shape, row after row");
	}
	return true;
}

/* ---- which statements ---- */

struct read_test { struct trace *t; const struct node *node; };

static bool has_planes(const struct var *var)
{
	return var->rank > 2;
}

/* How far a read is from the cell, along each axis. */
static bool distance_of(const struct node *node, const struct expr *read, int64_t *offset)
{
	if (read->var->rank != node->index.n)
		return false;
	for (int a = 0; a < read->var->rank; a++) {
		int k;
		if (!access_offset(node, read, a, &k, &offset[a]) || k != a)
			return false;
	}
	return true;
}

/* A visit computes the values of all cells, also of those that no pass computes, and drops
 * these. */
static bool has_all_cells(const struct trace *t, const struct node *node, const struct expr *e)
{
	const struct var *moving = t->moving.at[0].var;
	for (int a = 0; a < e->arg.n; a++) {
		int k;
		int64_t offset;
		if (!access_offset(node, e, a, &k, &offset) || k >= moving->rank
		    || !affine_equal(&e->var->extent[a], &moving->extent[k]))
			return false;
	}
	return true;
}

/* A cell of an array that no pass changes: each level reads it again, through the caches. */
static bool constant_fits(struct trace *t, const struct node *node, const struct expr *e)
{
	struct time_plan *plan = t->plan;
	bool known = false;
	if (!access_own(node, e) || var_home(e->var) || e->type->kind == T_STRUCT)
		return refuse(t, node,
		              "it reads an array that no pass changes at other cells than its own");
	if (!has_all_cells(t, node, e))
		return refuse(t, node, "an array that no pass changes has no cell for each of its "
		              "own");
	for (int i = 0; i < plan->constant.n; i++)
		known |= plan->constant.at[i] == e->var;
	if (!known)
		list_add(&plan->constant, e->var);
	return true;
}

/* How far along a row a cell may be: in the next lane, and if the array ends there, in the own one
 * when it is reflected. */
static int lane_reach(const struct read_test *r, int last)
{
	return r->t->plan->width - (r->node->edge[last].kind == B_REFLECT);
}

static bool read_fits(struct expr *e, void *state)
{
	const struct read_test *r = state;
	int64_t offset[MAX_RANK];
	const int last = e->kind == E_READ ? e->var->rank - 1 : 0;
	if (e->kind == E_FOLD || e->kind == E_OR_ZERO)
		return refuse(r->t, r->node, "a fold inside reads cells one after another");
	if (e->kind == E_VAR && var_on_device(e->var) && moving_of(r->t, e->var))
		return refuse(r->t, r->node, "a scalar changes from pass to pass");
	if (e->kind != E_READ)
		return true;
	if (!moving_of(r->t, e->var))
		return constant_fits(r->t, r->node, e);
	if (!distance_of(r->node, e, offset))
		return refuse(r->t, r->node, "it reads cells that are not near its own");
	if (r->t->target->gpu && llabs((long long)offset[last]) > lane_reach(r, last))
		return refuse(r->t, r->node, "it reaches farther along a row than the next lane");
	return true;
}

/* The same in all passes. */
static bool is_fixed(const struct time_plan *plan, const struct expr *e)
{
	return expr_fixed(e) && (!plan->loop->counter || !expr_uses(e, plan->loop->counter));
}

static bool ends_fixed(const struct time_plan *plan, const struct node *node)
{
	for (int d = 0; d < node->index.n; d++)
		if (!is_fixed(plan, node->lo.at[d]) || !is_fixed(plan, node->hi.at[d]))
			return false;
	return true;
}

static bool writes_structs(const struct node *node)
{
	bool writes = false;
	for (int q = 0; q < node->equation.n; q++)
		writes |= target_read(node->equation.at[q]->target.at[0])->var->type->kind
		          == T_STRUCT;
	return writes;
}

static bool target_fits(struct trace *t, const struct node *node, const struct equation *e)
{
	const struct expr *target = e->target.at[0];
	if (e->target.n != 1 || target->kind != E_READ || target->checked || e->combine
	    || e->whole || !access_own(node, target) || target->var->rank != node->index.n)
		return refuse(t, node, "a target is not a cell of its own index");
	return true;
}

static bool statement_fits(struct trace *t, const struct node *node)
{
	const struct group *g = node->group;
	if (node->index.n < 1 || node->index.n > 3)
		return refuse(t, node,
		              "only arrays of one to three axes are kept from pass to pass");
	if (writes_structs(node))
		return refuse(t, node,
		              "its cells are structs, which are kept from pass to pass only if "
		              "their fields are stored apart: `layout soa`");
	if (g && (g->epilogue.n || g->mate.n || g->chain.n || g->anchor != node))
		return refuse(t, node, "folds share its kernel");
	if (node_checked(node) || node->mirror[0] || node->expand)
		return refuse(t, node, "an index is tested at run time");
	if (!node_is_box(node) || !ends_fixed(t->plan, node) || !node_in_order(node))
		return refuse(t, node,
		              "its range depends on more than sizes and scalar parameters");
	for (int q = 0; q < node->equation.n; q++)
		if (!target_fits(t, node, node->equation.at[q]))
			return false;
	return node_walk((struct node *)node, read_fits, &(struct read_test){ t, node });
}

static bool statements_fit(struct trace *t)
{
	const struct node *loop = t->plan->loop;
	for (int i = 0; i < loop->body.n; i++) {
		const struct node *s = loop->body.at[i];
		if (node_exchanges(s) || s->into || node_put_off(loop, s))
			continue;
		if (s->kind != NODE_PATTERN)
			return refuse(t, NULL, "a loop or a branch is inside of it");
		if (!s->pattern->passes)
			return refuse(t, s, str_print("no kernel computes several passes of a %s",
			                              s->pattern->name));
		int width = s->index.n ? cells_width(s) : MOST_WIDTH;
		t->plan->width = width < t->plan->width ? width : t->plan->width;
		list_add(&t->plan->statement, s);
	}
	for (int i = 0; i < t->plan->statement.n; i++)
		if (!statement_fits(t, t->plan->statement.at[i]))
			return false;
	const struct node *first = t->plan->statement.n ? t->plan->statement.at[0] : NULL;
	if (t->target->gpu && t->plan->width < 2)
		return refuse(t, first, "its rows are not vectors");
	return arrays_alike(t, first);
}

/* ---- boundaries: all statements that reach over an edge do so in the same way ---- */

static bool is_open(enum boundary b)
{
	return b == B_NONE || b == B_KEEP;
}

struct reaching { const struct node *node; int axis; bool reaches; };

static bool reaches_along(struct expr *e, void *state)
{
	struct reaching *r = state;
	int64_t offset[MAX_RANK];
	if (e->kind == E_READ && distance_of(r->node, e, offset))
		r->reaches |= offset[r->axis] != 0;
	return true;
}

static bool node_reaches(const struct node *node, int axis)
{
	struct reaching r = { node, axis, false };
	node_walk((struct node *)node, reaches_along, &r);
	return r.reaches;
}

static const struct node *reaching_node(const struct time_plan *plan, int d)
{
	for (int i = 0; i < plan->statement.n; i++)
		if (node_reaches(plan->statement.at[i], d))
			return plan->statement.at[i];
	return NULL;
}

enum boundary time_edge(const struct time_plan *plan, int d)
{
	const struct node *node = reaching_node(plan, d);
	return !node || is_open(node->edge[d].kind) ? B_NONE : node->edge[d].kind;
}

bool time_reflects(const struct time_plan *plan, int d)
{
	enum boundary edge = time_edge(plan, d);
	return edge == B_MIRROR || edge == B_REFLECT;
}

bool time_turns(const struct time_plan *plan, int d)
{
	enum boundary edge = time_edge(plan, d);
	return edge != B_NONE && edge != B_WRAP;
}

const struct expr *time_value(const struct time_plan *plan, int d)
{
	return reaching_node(plan, d)->edge[d].value;
}

static bool same_edge(const struct edge *a, const struct edge *b)
{
	if (is_open(a->kind) || is_open(b->kind))
		return is_open(a->kind) && is_open(b->kind);
	return a->kind == b->kind && (a->kind != B_VALUE || expr_same(a->value, b->value));
}

static bool edges_alike(struct trace *t)
{
	const struct edge *value = NULL;
	for (int d = 0; d < t->plan->statement.at[0]->index.n; d++) {
		const struct node *first = reaching_node(t->plan, d);
		for (int i = 0; i < t->plan->statement.n; i++) {
			const struct node *s = t->plan->statement.at[i];
			if (node_reaches(s, d) && !same_edge(&first->edge[d], &s->edge[d]))
				return refuse(t, s, "an earlier statement has another boundary");
		}
		if (!first || first->edge[d].kind != B_VALUE)
			continue;
		if (!is_fixed(t->plan, first->edge[d].value)
		    || (value && !same_edge(value, &first->edge[d])))
			return refuse(t, first, "the boundary value is not the same everywhere");
		value = &first->edge[d];
	}
	return true;
}

/* ---- the passes, on the names of the arrays ---- */

static int version_new(struct trace *t, const struct var *var, int level, int equation)
{
	struct version v = { .var = var, .level = level, .equation = equation, .statement = -1,
		             .rows = 1, .wide_from = INT32_MAX, .wide_to = -1,
		             .edges = true };
	list_add(&t->plan->version, v);
	return t->plan->version.n - 1;
}

/* The version that an array has now; one that memory has, if no pass has written it yet. */
static int version_now(struct trace *t, const struct var *var, const struct expr *sample,
                       bool edges)
{
	struct moving *m = moving_of(t, var);
	if (m->version < 0)
		m->version = m->memory = version_new(t, var, -1, 0);
	struct version *v = &t->plan->version.at[m->version];
	v->sample = v->sample ? v->sample : sample;
	v->edges &= edges;
	return m->version;
}

struct collecting { struct trace *t; struct level *level; };

static struct time_read *read_of(struct level *level, const struct expr *e, int64_t row,
                                 int64_t line)
{
	for (int i = 0; i < level->read.n; i++) {
		struct time_read *r = &level->read.at[i];
		if (r->sample->var == e->var && r->row == row && r->line == line)
			return r;
	}
	list_add(&level->read, ((struct time_read){ .sample = e, .row = row, .line = line,
	                                            .version = -1 }));
	return &level->read.at[level->read.n - 1];
}

static bool collect_read(struct expr *e, void *state)
{
	struct collecting *c = state;
	int64_t offset[MAX_RANK];
	if (e->kind != E_READ || !moving_of(c->t, e->var))
		return true;
	distance_of(c->level->node, e, offset);
	int last = e->var->rank - 1;
	struct time_read *r = read_of(c->level, e, last ? offset[0] : 0,
	                              has_planes(e->var) ? offset[1] : 0);
	r->lo = offset[last] < r->lo ? offset[last] : r->lo;
	r->hi = offset[last] > r->hi ? offset[last] : r->hi;
	r->version = version_now(c->t, e->var, e, false);
	return true;
}

/* The other array that the loop swaps with it. */
static struct moving *partner_of(struct trace *t, const struct moving *m)
{
	const struct node *loop = t->plan->loop;
	for (int i = 0; i < loop->body.n; i++) {
		const struct node *s = loop->body.at[i];
		for (int k = 0; s->kind == NODE_SWAP && k < 2; k++)
			if (s->swap[k] == m->var)
				return moving_of(t, s->swap[1 - k]);
	}
	return NULL;
}

/* Are cells that this statement does not compute those of another one? */
static bool keeps_of_another(const struct node *node, const struct version *old, int statement)
{
	bool other = old->statement >= 0 && old->statement != statement;
	return other && (old->level < 0 ? old->edges : time_computes_part(node));
}

static bool same_cells(const struct node *a, const struct node *b)
{
	bool same = a == b || (!node_keeps(a) && !node_keeps(b));
	for (int d = 0; a != b && same && d < a->index.n; d++)
		same = ends_equal(a->lo.at[d], b->lo.at[d]) && ends_equal(a->hi.at[d], b->hi.at[d]);
	return same;
}

static bool writes_set(struct trace *t, const struct node *node, int set)
{
	bool writes = false;
	for (int q = 0; q < node->equation.n; q++)
		writes |= moving_of(t, node->equation.at[q]->target.at[0]->var)->set == set;
	return writes;
}

/* Does another statement compute cells of the array that this one leaves?  Then they are not the
 * same after each pass, and a visit stores them. */
static bool changed_by_another(struct trace *t, const struct node *node, const struct var *var)
{
	const int set = moving_of(t, var)->set;
	bool changed = false;
	for (int i = 0; i < t->plan->statement.n; i++) {
		const struct node *s = t->plan->statement.at[i];
		changed |= writes_set(t, s, set) && !same_cells(s, node);
	}
	return changed;
}

/* The version that a statement leaves cells of.  If several leave some of memory's, not all in the
 * same places, all are read. */
static int version_kept(struct trace *t, const struct node *node, int statement,
                        const struct expr *target)
{
	const struct moving *partner = t->alike ? partner_of(t, moving_of(t, target->var)) : NULL;
	const struct var *var = partner ? partner->var : target->var;
	int number = version_now(t, var, target, !node->where);
	struct version *old = &t->plan->version.at[number];
	if (keeps_of_another(node, old, statement)) {
		old->mixed = true;
		old->edges = false;
	}
	if (old->level < 0 && changed_by_another(t, node, var))
		old->edges = false;
	old->statement = old->level < 0 ? statement : old->statement;
	return number;
}

static void run_statement(struct trace *t, const struct node *node, int pass, int statement)
{
	int n = node->equation.n;
	struct level level = { .node = node, .pass = pass, .statement = statement };
	level.made = mem_new(sizeof(int) * (size_t)n);
	level.old = mem_new(sizeof(int) * (size_t)n);
	struct collecting collecting = { t, &level };
	expr_walk(node->where, collect_read, &collecting);
	for (int q = 0; q < n; q++)          /* of `b[i] += e` the right side reads b[i] */
		expr_walk(node->equation.at[q]->right, collect_read, &collecting);
	for (int q = 0; q < n; q++) {
		const struct expr *target = node->equation.at[q]->target.at[0];
		level.old[q] = -1;
		if (node->where || time_computes_part(node))
			level.old[q] = version_kept(t, node, statement, target);
	}
	for (int q = 0; q < n; q++) {
		const struct expr *target = node->equation.at[q]->target.at[0];
		level.made[q] = version_new(t, target->var, t->plan->level.n, q);
		t->plan->version.at[level.made[q]].sample = target;
		t->plan->version.at[level.made[q]].statement = statement;
		if (level.old[q] >= 0 && time_computes_part(node))
			t->plan->version.at[level.made[q]].mixed
				= t->plan->version.at[level.old[q]].mixed;
		moving_of(t, target->var)->version = level.made[q];
	}
	t->plan->kept |= time_computes_part(node);
	list_add(&t->plan->level, level);
}

static void run_swap(struct trace *t, const struct node *swap)
{
	struct moving *a = moving_of(t, swap->swap[0]), *b = moving_of(t, swap->swap[1]);
	struct moving was = *a;
	for (int k = 0; k < 2; k++)          /* what no pass has written yet is named now */
		if (moving_of(t, swap->swap[k])->version < 0)
			version_now(t, swap->swap[k], NULL, true);
	was = *a;
	a->version = b->version;
	a->origin = b->origin;
	b->version = was.version;
	b->origin = was.origin;
}

static bool run_pass(struct trace *t, int pass)
{
	const struct node *loop = t->plan->loop;
	const int most = t->target->gpu ? MOST_OF_A_THREAD : MOST_VERSIONS;
	for (int i = 0, statement = 0; i < loop->body.n; i++) {
		const struct node *s = loop->body.at[i];
		if (s->kind == NODE_SWAP)
			run_swap(t, s);
		else if (s->kind == NODE_PATTERN && !s->into)
			run_statement(t, s, pass, statement++);
		if (t->plan->version.n > most)
			return refuse(t, s, TOO_MANY);
	}
	return true;
}

static bool run_passes(struct trace *t)
{
	bool fits = run_pass(t, 0);
	for (int i = 0; i < t->moving.n; i++) {
		t->moving.at[i].after_one = t->moving.at[i].version;
		t->moving.at[i].origin_after_one = t->moving.at[i].origin;
	}
	for (int pass = 1; fits && pass < t->plan->passes; pass++)
		fits = run_pass(t, pass);
	return fits;
}

/* ---- lags, and the rows that are held ---- */

/* How many rows a version must be ahead of a level that reads it.  By a reflection at an edge, rows
 * as far on the other side are needed too.  What other warps have is there a step later. */
static int64_t rows_ahead(const struct time_plan *plan, const struct time_read *r)
{
	int64_t ahead = time_reflects(plan, 0) && r->row < 0 ? -r->row : r->row;
	if (r->line)
		return (ahead > 0 ? ahead : 0) + 1;
	return ahead;
}

static void lag_levels(struct time_plan *plan)
{
	for (int l = 0; l < plan->level.n; l++) {
		struct level *level = &plan->level.at[l];
		for (int i = 0; i < level->read.n; i++) {
			const struct time_read *r = &level->read.at[i];
			int64_t lag = plan->version.at[r->version].lag + rows_ahead(plan, r);
			level->lag = lag > level->lag ? lag : level->lag;
		}
		for (int q = 0; q < level->node->equation.n; q++) {
			int64_t lag = level->old[q] < 0 ? 0 : plan->version.at[level->old[q]].lag;
			level->lag = lag > level->lag ? lag : level->lag;
		}
		for (int q = 0; q < level->node->equation.n; q++)
			plan->version.at[level->made[q]].lag = level->lag;
	}
}

/* ---- what later levels read, and the visit stores ---- */

static bool level_wanted(const struct time_plan *plan, const struct level *level)
{
	bool wanted = false;
	for (int q = 0; q < level->node->equation.n; q++)
		wanted |= plan->version.at[level->made[q]].wanted;
	return wanted;
}

static void want(struct time_plan *plan)
{
	for (int i = 0; i < plan->pair.n; i++)
		plan->version.at[plan->pair.at[i].version].wanted = true;
	for (int l = plan->level.n - 1; l >= 0; l--) {
		const struct level *level = &plan->level.at[l];
		for (int i = 0; level_wanted(plan, level) && i < level->read.n; i++)
			plan->version.at[level->read.at[i].version].wanted = true;
		for (int q = 0; q < level->node->equation.n; q++)
			if (plan->version.at[level->made[q]].wanted && level->old[q] >= 0)
				plan->version.at[level->old[q]].wanted = true;
	}
}

typedef void each_read(struct time_plan *, const struct level *, struct version *,
                       const struct time_read *);

static void reads_each(struct time_plan *plan, each_read *visit)
{
	for (int l = plan->level.n - 1; l >= 0; l--) {
		const struct level *level = &plan->level.at[l];
		for (int i = 0; level_wanted(plan, level) && i < level->read.n; i++) {
			const struct time_read *r = &level->read.at[i];
			visit(plan, level, &plan->version.at[r->version], r);
		}
		for (int q = 0; q < level->node->equation.n; q++)
			if (level->old[q] >= 0 && plan->version.at[level->made[q]].wanted)
				visit(plan, level, &plan->version.at[level->old[q]],
				      &(struct time_read){ .row = 0 });
	}
}

/* Rows come from memory no earlier than a level needs them. */
static void lag_memory(struct time_plan *plan, const struct level *level, struct version *v,
                       const struct time_read *r)
{
	int64_t lag = level->lag - rows_ahead(plan, r);
	if (v->level < 0)
		v->lag = v->lag < 0 || lag < v->lag ? lag : v->lag;
}

static void hold_rows(struct time_plan *plan, const struct level *level, struct version *v,
                      const struct time_read *r)
{
	int64_t age = level->lag - r->row - v->lag;
	bool reflected = time_reflects(plan, 0) && r->row > 0;
	int64_t oldest = reflected ? level->lag + r->row - v->lag : age;
	if (r->line) {
		v->slots = oldest + 1 > v->slots ? oldest + 1 : v->slots;
		return;
	}
	v->rows = oldest + 1 > v->rows ? oldest + 1 : v->rows;
	v->lo = r->lo < v->lo ? r->lo : v->lo;
	v->hi = r->hi > v->hi ? r->hi : v->hi;
	if (!r->lo && !r->hi)
		return;
	v->slanted |= r->row != 0;
	v->wide_from = age < v->wide_from ? age : v->wide_from;
	v->wide_to = age > v->wide_to ? age : v->wide_to;
}

static void find_lags(struct time_plan *plan)
{
	want(plan);
	lag_levels(plan);
	for (int i = 0; i < plan->version.n; i++)
		if (plan->version.at[i].level < 0)
			plan->version.at[i].lag = -1;
	reads_each(plan, lag_memory);
	reads_each(plan, hold_rows);
}

/* ---- what a row that is stored needs of memory ---- */

/* By version: what must be right around a row that is stored. */
struct need { int64_t rows, lines, columns; };   /* before it, and at each side */
struct needs { struct need at[MOST_VERSIONS + 8]; };

static struct need need_most(struct need a, struct need b)
{
	return (struct need){ a.rows > b.rows ? a.rows : b.rows,
		              a.lines > b.lines ? a.lines : b.lines,
		              a.columns > b.columns ? a.columns : b.columns };
}

/* Rows before the own.  Those after the last one are reflections of such. */
static int64_t rows_back(const struct time_plan *plan, const struct time_read *r)
{
	return r->row < 0 ? -r->row : time_reflects(plan, 0) ? r->row : 0;
}

static void need_of_level(const struct time_plan *plan, const struct level *level,
                          struct needs *n)
{
	struct need own = { 0 };
	for (int q = 0; q < level->node->equation.n; q++)
		own = need_most(own, n->at[level->made[q]]);
	for (int i = 0; i < level->read.n; i++) {
		const struct time_read *r = &level->read.at[i];
		struct need around = { own.rows + rows_back(plan, r),
			               own.lines + llabs((long long)r->line),
			               own.columns + (-r->lo > r->hi ? -r->lo : r->hi) };
		n->at[r->version] = need_most(n->at[r->version], around);
	}
	for (int q = 0; q < level->node->equation.n; q++)
		if (level->old[q] >= 0)
			n->at[level->old[q]] = need_most(n->at[level->old[q]], own);
}

static void find_needs(struct time_plan *plan)
{
	struct needs n = { 0 };
	for (int l = plan->level.n - 1; l >= 0; l--)
		need_of_level(plan, &plan->level.at[l], &n);
	for (int i = 0; i < plan->version.n; i++) {
		const struct version *v = &plan->version.at[i];
		const struct need *need = &n.at[i];
		int64_t before = need->rows - v->lag;
		if (v->level >= 0)
			continue;
		plan->before = before > plan->before ? before : plan->before;
		plan->halo = need->columns > plan->halo ? need->columns : plan->halo;
		plan->halo_lines = need->lines > plan->halo_lines ? need->lines
			: plan->halo_lines;
	}
	for (int i = 0; i < plan->pair.n; i++) {
		int64_t lag = plan->version.at[plan->pair.at[i].version].lag;
		plan->after = lag > plan->after ? lag : plan->after;
	}
	plan->halo = (plan->halo + plan->width - 1) / plan->width * plan->width;
}

/* Held from step to step: older rows, and what has come from the lanes beside for later steps. */
static void count_words(struct time_plan *plan)
{
	for (int i = 0; i < plan->version.n; i++) {
		const struct version *v = &plan->version.at[i];
		int64_t wide = v->wide_from < v->wide_to ? v->wide_to - v->wide_from : 0;
		if (v->slanted && time_turns(plan, 0))
			wide = v->rows - 1;
		int64_t cells = (v->rows - 1) * plan->width + wide * (v->hi - v->lo);
		plan->words += cells * type_words(v->var->type);
	}
	for (int i = 0; i < plan->constant.n; i++)
		plan->words += plan->width * type_words(plan->constant.at[i]->type);
}

/* ---- where the results go ---- */

static bool is_read(const struct trace *t, const struct moving *m)
{
	return m->memory >= 0 && !t->plan->version.at[m->memory].edges;
}

static bool is_taken(const struct time_plan *plan, const struct var *into)
{
	for (int i = 0; i < plan->pair.n; i++)
		if (plan->pair.at[i].into == into)
			return true;
	return false;
}

/* The temporary that pass_time.c has added for it; NULL: not yet. */
static const struct var *spare_of(const struct time_plan *plan, const struct var *var)
{
	for (int i = 0; i < plan->loop->body.n; i++) {
		const struct node *s = plan->loop->body.at[i];
		if (s->kind == NODE_SPARE && s->swap[0] == var)
			return s->swap[1];
	}
	return NULL;
}

static bool swapped(const struct trace *t, const struct moving *a, const struct moving *b)
{
	return &t->moving.at[a->origin] == b && &t->moving.at[b->origin] == a;
}

/* After one pass: then cells that no pass computes are in the other array after an odd number. */
static bool takes_turns(const struct trace *t, const struct moving *a, const struct moving *b)
{
	return !t->plan->kept || t->alike || (&t->moving.at[a->origin_after_one] == b
	                          && &t->moving.at[b->origin_after_one] == a);
}

/* May the visit write where the loop's swap leaves the array? */
static bool holds(const struct trace *t, const struct moving *into, const struct moving *m)
{
	const struct version *v = &t->plan->version.at[m->version];
	return into && !is_read(t, into) && !is_taken(t->plan, into->var) && v->level >= 0
	       && !v->mixed && takes_turns(t, m, into);
}

/* Other tiles read the array while a visit writes, so the cells that it becomes go elsewhere: to
 * the array that the loop swaps it with, if no pass reads that one, or to a spare one.  There all
 * cells are new.  In the other they are those of one statement. */
static bool pair_array(struct trace *t, struct moving *m)
{
	struct time_plan *plan = t->plan;
	const struct node *at = plan->statement.at[0];
	const struct version *v = &plan->version.at[m->version];
	struct moving *into = partner_of(t, m);
	struct time_pair pair = { .from = m->var, .version = m->version };
	if (m->version == m->memory)
		return true;
	if (holds(t, into, m)) {
		pair.into = into->var;
		list_add(&plan->pair, pair);
		return !plan->kept || t->alike || swapped(t, m, into)
		       || refuse(t, at,
		                 "cells keep their value in two arrays that alternate: a visit has "
		                 "an odd number of passes");
	}
	if (v->level < 0 && v->edges)
		return refuse(t, at, KEPT_APART);
	pair.into = spare_of(plan, m->var);
	pair.whole = true;
	list_add(&plan->pair, pair);
	return true;
}

static bool reaches(const struct time_plan *plan)
{
	bool reaches = false;
	for (int d = 0; d < plan->statement.at[0]->index.n; d++)
		reaches |= reaching_node(plan, d) != NULL;
	return reaches;
}

static enum leaving leaving_of(const struct trace *t, const struct moving *m)
{
	const struct time_plan *plan = t->plan;
	const struct version *one = &plan->version.at[m->after_one];
	for (int i = 0; i < plan->pair.n; i++)
		if (plan->pair.at[i].from == m->var)
			return plan->pair.at[i].whole ? LEAVES_SPARE : LEAVES;
	if (one->level >= 0)
		return LEAVES_LATER;
	for (int i = 0; i < plan->pair.n; i++)
		if (plan->pair.at[i].from == one->var)
			return LEAVES_LATER;
	return LEAVES_LOST;
}

/* Cells that no pass computes are right where visits leave them. */
static bool keeps_fit(struct trace *t, const struct node *at)
{
	for (int i = 0; t->plan->kept && i < t->moving.n; i++) {
		const struct moving *m = &t->moving.at[i];
		if (!is_read(t, m) && m->origin != i && !is_taken(t->plan, m->var))
			return refuse(t, at, KEPT_APART);
	}
	return true;
}

/* A spare array is for cells that others read. */
static bool spares_fit(struct trace *t, const struct node *at)
{
	bool spares = false;
	for (int i = 0; i < t->moving.n; i++) {
		struct left left = { t->moving.at[i].var, leaving_of(t, &t->moving.at[i]) };
		list_add(&t->plan->left, left);
		spares |= left.how == LEAVES_SPARE;
	}
	return !spares || reaches(t->plan) || refuse(t, at, "each cell reads only itself");
}

/* ---- what passes that ask read ---- */

static bool is_left(const struct time_plan *plan, const struct var *var)
{
	bool left = false;
	for (int i = 0; i < plan->left.n; i++)
		left |= plan->left.at[i].var == var && plan->left.at[i].how <= LEAVES_SPARE;
	return left;
}

static bool reads_lost(const struct time_plan *plan, const struct node *asked,
                       const struct node *s)
{
	bool reads = false;
	for (int q = 0; s->kind == NODE_PATTERN && q < s->equation.n; q++) {
		const struct var *var = target_read(s->equation.at[q]->target.at[0])->var;
		for (int i = 0; i < asked->body.n; i++)
			reads |= node_reads(asked->body.at[i], var) && !is_left(plan, var);
	}
	return reads;
}

/* Passes that ask are launched by themselves.  Visits leave the cells that the next pass reads, and
 * not what else the pass before wrote. */
static bool asked_fit(struct trace *t)
{
	const struct node *loop = t->plan->loop;
	for (int a = 0; a < loop->body.n; a++)
		for (int i = a + 1; node_put_off(loop, loop->body.at[a]) && i < loop->body.n; i++)
			if (reads_lost(t->plan, loop->body.at[a], loop->body.at[i]))
				return refuse(t, loop->body.at[i],
				              "what its condition needs reads an array of the "
				              "pass before, which no later pass reads");
	return true;
}

static bool pair_arrays(struct trace *t)
{
	struct time_plan *plan = t->plan;
	const struct node *at = plan->statement.at[0];
	for (int i = 0; i < t->moving.n; i++) {
		struct moving *m = &t->moving.at[i];
		if (m->var->scope == plan->loop && m->memory >= 0)
			return refuse(t, at, "a temporary of the loop is read before it is "
			              "written");
		if (is_read(t, m) && !pair_array(t, m))
			return false;
	}
	return keeps_fit(t, at) && spares_fit(t, at) && asked_fit(t)
	       && (plan->pair.n || refuse(t, at, "no pass reads what another one has written"));
}

/* ---- the plan ---- */

int time_spares(const struct time_plan *plan)
{
	int spares = 0;
	for (int i = 0; i < plan->pair.n; i++)
		spares += plan->pair.at[i].whole;
	return spares;
}

/* As plan_loop.c needs it, to count exchanges of pointers by passes. */
static bool odd_where_asked(struct trace *t)
{
	const struct time_plan *plan = t->plan;
	if (plan->loop->asks && plan->passes % 2 == 0 && !time_spares(plan))
		return refuse(t, plan->statement.at[0],
		              "a visit between passes that test has an odd number of passes");
	return true;
}

static struct time_plan *plan_made(struct trace *t, const struct node *loop, int passes)
{
	struct time_plan *plan = t->plan = NEW(struct time_plan);
	plan->loop = loop;
	plan->passes = passes;
	plan->width = MOST_WIDTH;
	find_moving(t);
	bool fits = statements_fit(t) && edges_alike(t) && run_passes(t) && pair_arrays(t)
	            && odd_where_asked(t);
	if (fits) {
		find_lags(plan);
		find_needs(plan);
		count_words(plan);
	}
	for (int i = 0; fits && t->target->gpu && i < plan->version.n; i++)
		if (plan->version.at[i].rows > MOST_ROWS)
			fits = refuse(t, plan->statement.at[0], TOO_MANY);
	return fits ? plan : NULL;
}

struct time_plan *time_plan_of(const struct node *loop, const struct target *target, int passes,
                               const char **why, const struct node **at)
{
	struct trace t = { .target = target };
	struct time_plan *plan = plan_made(&t, loop, passes);
	*why = t.why;
	*at = t.at;
	return plan;
}

struct time_plan *time_plan_alike(const struct node *loop, const struct target *target, int passes)
{
	struct trace t = { .target = target, .alike = loop->choice.alike };
	return plan_made(&t, loop, passes);
}

int time_rank(const struct time_plan *plan)
{
	return plan->statement.at[0]->index.n;
}

int64_t time_strip(const struct time_plan *plan, const struct target *target)
{
	return (int64_t)target->lanes * plan->width - 2 * plan->halo;
}

/* ---- the names, after a visit (host) ---- */

void time_exchange(struct plan *plan, const struct time_pair *pair)
{
	struct kernel *host = plan->host;
	struct kx *from = host_var_x(plan, pair->from), *into = host_var_x(plan, pair->into);
	k_scope(host);
	struct kvar *held = k_let(host, "held", from);
	k_set(host, from, into);
	k_set(host, into, x_var(held));
	k_end(host);
}

/* ---- the cells that a statement computes (host) ---- */

bool time_computes_part(const struct node *node)
{
	return !node->whole || node_keeps(node);
}

struct keeping { const struct node *node; int axis; int64_t least, most; };

static bool keep_reach(struct expr *e, void *state)
{
	struct keeping *k = state;
	int64_t offset[MAX_RANK];
	if (e->kind != E_READ || !distance_of(k->node, e, offset))
		return true;
	k->least = offset[k->axis] < k->least ? offset[k->axis] : k->least;
	k->most = offset[k->axis] > k->most ? offset[k->axis] : k->most;
	return true;
}

static struct keeping keeping_of(const struct node *node, int d)
{
	struct keeping k = { node, d, 0, 0 };
	if (node->edge[d].kind == B_KEEP)
		node_walk((struct node *)node, keep_reach, &k);
	return k;
}

struct kx *time_first(struct lowering *host, const struct node *node, int d)
{
	struct kx *lo = lower_index(host, node->lo.at[d]);
	struct keeping k = keeping_of(node, d);
	return k.least ? x_max(lo, x_i64(-k.least)) : lo;
}

struct kx *time_end(struct lowering *host, const struct node *node, int d)
{
	struct kx *hi = lower_index(host, node->hi.at[d]);
	const struct var *target = node->equation.at[0]->target.at[0]->var;
	struct keeping k = keeping_of(node, d);
	return k.most ? x_min(hi, x_sub(lower_extent(host, target, d), x_i64(k.most))) : hi;
}

bool time_margins(const struct node *node, int d, int64_t *first, int64_t *last)
{
	const struct var *target = node->equation.at[0]->target.at[0]->var;
	struct keeping k = keeping_of(node, d);
	struct affine lo, hi;
	if (!affine_of(node->lo.at[d], &lo) || !affine_of(node->hi.at[d], &hi)
	    || !affine_add(&hi, &target->extent[d], -1) || lo.n || hi.n)
		return false;
	*first = lo.constant > -k.least ? lo.constant : -k.least;
	*last = -hi.constant > k.most ? -hi.constant : k.most;
	return true;
}
