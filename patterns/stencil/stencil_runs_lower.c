/* stencil_runs_lower.c - kernels that fold long windows from runs of terms: runs.kernel; the method
 * is in stencil_runs.c.
 *
 * A piece of work is some segments along the axis of the windows, in some rows: cells along that
 * axis whose other indices are equal.  Its terms, and the folds of its windows, lie in shared
 * memory, on a CPU in memory of the thread.  The rows of a piece are neighbours, so that accesses
 * are coalesced, and a CPU makes vectors of them, where the windows do not run along the last axis.
 *
 * On a GPU the host takes many rows if windows are short and one if they are long.  The terms of
 * the last segment of a piece are folded again by the next piece, which has them as its first. */
#include "../cells.h"
#include "../lowerings.h"
#include "../ways.h"
#include "stencil_march.h"
#include "stencil_runs.h"

enum {
	ROOM = 31 << 10,                     /* bytes of a GPU's block: terms, windows and totals */
	AT_ONCE = 8, LOADED = 64,            /* terms that a thread loads, and their bytes */
	WIDEST = 16,                         /* bytes of a term that a thread has registers for */
	SEGMENTS = 3,                        /* of a piece, where rows can be fewer instead */
	ROWS_ALONG = 8,                      /* of a piece, at most, along the last axis */
	SECTOR = 32,                         /* bytes of neighbouring rows */
	SEGMENTS_CPU = 4,                    /* of a row along the last axis, at least */
	CPU_LINE = 64,                       /* bytes of neighbouring lanes */
	CPU_ROOM = 192 << 10                 /* bytes of a CPU's thread */
};

struct kernel_runs {
	struct cells *c;
	const struct runs *r;
	int lane;                            /* of a CPU: the index of its lanes, or -1 */
	struct kx *p[2];                     /* that reads the first place: forward, backward */
	struct kx *lo[MAX_RANK], *size[MAX_RANK];       /* of the domain */
	struct kx *rows, *host_rows, *host_size[MAX_RANK];
	LIST(struct var *) value;            /* of each run, in the equations */
};

static bool is_along(const struct kernel_runs *s)
{
	return s->r->index == s->c->rank - 1;
}

/* ---- how long, how many ---- */

static int64_t room_of(const struct runs *r, const struct target *target)
{
	return target->gpu ? ROOM / r->bytes - target->block : CPU_ROOM / r->bytes;
}

/* Of SEGMENTS segments, windows take a segment less than terms. */
static int64_t room_for_terms(const struct runs *r, const struct target *target)
{
	int64_t parts = target->gpu ? SEGMENTS + 1 : 2;
	return room_of(r, target) * parts / (2 * parts - 1);
}

static int64_t room_for_windows(const struct runs *r, const struct target *target)
{
	return room_of(r, target) - room_for_terms(r, target);
}

/* Of two segments of terms, each with a cell against conflicts of banks. */
int64_t runs_most(const struct runs *r, const struct target *target)
{
	if (target->gpu && r->bytes > WIDEST)
		return 0;
	int64_t terms = room_for_terms(r, target) / 2 - 1;
	int64_t windows = room_for_windows(r, target) - 1;
	return terms < windows ? terms : windows;
}

/* Sums of 4096^2 f32, along the last axis and the one before, take 0.058 and 0.089 ms of an H100
 * where 21 terms are folded one by one, 0.073 and 0.163 ms with 41; from runs 0.07 to 0.10 ms with
 * 25 to 101.  On two cores of a CPU they take 7 and 27 ms with 21 terms, 14 and 89 ms with 41; from
 * runs 18 to 22 ms.  Where the call gives the length each term costs more. */
int64_t runs_least(const struct runs *r, const struct node *node, const struct target *target)
{
	bool along = r->index == node->index.n - 1;
	if (node->pin.stage == STAGE_RUNS)
		return 1;
	return r->terms < 0 ? 12 : !along ? 24 : target->gpu ? 48 : 64;
}

/* What blocks have folded is kept in the workspace, which sizes alone bound. */
const char *runs_no_births(const struct node *node)
{
	const char *why;
	bool open = !node->pin.stage || node->pin.stage == STAGE_RUNS;
	const struct runs *r = open ? runs_of(node, false, &why) : NULL;
	return r && r->terms < 0 ? "the call says how many blocks its long windows take" : NULL;
}

static struct kx *host_terms(struct plan *plan, const struct runs *r)
{
	const struct fold *fold = r->run.at[0].fold->fold;
	if (r->terms >= 0)
		return x_i64(r->terms);
	return plan_let(plan, str_print("%s_terms", fold->index.at[0]->name),
	                lower_terms(host_lowering(plan), fold, 0));
}

bool runs_fit(const struct task *c)
{
	const char *why;
	return c->node->choice.stage == STAGE_RUNS && runs_of(c->node, false, &why);
}

/* A lane of a CPU has a segment of a row: with fewer than SEGMENTS_CPU lanes folding term by term
 * is faster.  NULL: the row is long enough in any case. */
static struct kx *row_is_long(const struct task *c, const struct runs *r, struct kx *terms)
{
	if (c->plan->target->gpu || r->index != c->node->index.n - 1
	    || c->node->pin.stage == STAGE_RUNS)
		return NULL;
	struct lowering *host = host_lowering(c->plan);
	struct kx *lo = lower_index(host, c->node->lo.at[r->index]);
	struct kx *hi = lower_index(host, c->node->hi.at[r->index]);
	return x_le(x_mul(x_i64(SEGMENTS_CPU), terms), plan_range(c->plan, lo, hi));
}

struct kx *runs_when(const struct task *c)
{
	const char *why;
	const struct runs *r = runs_of(c->node, false, &why);
	int64_t least = runs_least(r, c->node, c->plan->target);
	struct kx *terms = host_terms(c->plan, r), *most = x_i64(runs_most(r, c->plan->target));
	struct kx *is_long = row_is_long(c, r, terms);
	if (r->terms >= 0)
		return is_long;
	struct lowering *host = host_lowering(c->plan);
	const struct fold *fold = r->run.at[0].fold->fold;
	struct kx *some = x_lt(lower_given_end(host, fold, 0, false),
	                       lower_given_end(host, fold, 0, true));
	struct kx *fits = x_and(x_le(x_i64(least), terms), x_le(terms, most));
	return x_and(x_and(some, fits), is_long);
}

/* ---- the statement, with values for its windows ---- */

static struct node *with_values(struct kernel_runs *s, const struct node *node)
{
	struct node *own = NEW(struct node);
	*own = *node;
	own->equation.at = NULL;
	own->equation.n = own->equation.room = 0;
	for (int n = 0; n < s->r->run.n; n++) {
		struct var *v = NEW(struct var);
		*v = (struct var){ .kind = VAR_LOCAL, .name = "window",
			           .type = s->r->run.at[n].fold->type };
		list_add(&s->value, v);
	}
	for (int q = 0; q < node->equation.n; q++) {
		struct equation *eq = NEW(struct equation);
		*eq = *node->equation.at[q];
		for (int w = 0; w < s->r->window.n; w++) {
			const struct window_run *window = &s->r->window.at[w];
			struct expr *value = expr_var(s->value.at[window->run], eq->at);
			eq->right = expr_exchange(eq->right, window->e, value);
		}
		list_add(&own->equation, eq);
	}
	return own;
}

/* ---- what the text asks ---- */

static const struct run *run_at_hand(const struct lowering *l, const struct kernel_runs *s)
{
	return &s->r->run.at[l->k->each];
}

static struct kx *kept(const struct run *run, struct kx *x)
{
	return x_cast(kt(run->type), x);
}

static struct kx *widened(const struct run *run, struct kx *x)
{
	return x_cast(kt(run->fold->type), x);
}

static struct kx *apply(struct lowering *l, const struct run *run, struct kx *a, struct kx *b)
{
	const struct expr *fold = run->fold;
	return kept(run, lower_apply(l, fold->fold->op, fold->type, widened(run, a),
	                             widened(run, b), false));
}

KTEXT_HOLE(bind_axis)
{
	const struct kernel_runs *s = state;
	cells_bind(s->c, s->r->index, arg[0]);
	return NULL;
}

/* A bit for each index that the number of a row does not give. */
static uint64_t beside_row(const struct kernel_runs *s)
{
	return UINT64_C(1) << s->r->index | (s->lane < 0 ? 0 : UINT64_C(1) << s->lane);
}

KTEXT_HOLE(bind_row)
{
	const struct kernel_runs *s = state;
	cells_bind_row(s->c, arg[0], s->lo, s->size, beside_row(s));
	return NULL;
}

KTEXT_HOLE(bind_lane)
{
	const struct kernel_runs *s = state;
	cells_bind(s->c, s->lane, arg[0]);
	return NULL;
}

/* Terms are numbered by the places that they read: the first term of a window is at its cell. */
static void bind_first(const struct kernel_runs *s, const struct run *run)
{
	lower_bind(s->c->l, run->fold->fold->index.at[0], s->p[run->backward]);
}

KTEXT_HOLE(term)
{
	const struct kernel_runs *s = state;
	const struct run *run = run_at_hand(l, s);
	s->c->mode = x_is_int(arg[0], 1) ? CELL_PLAIN : CELL_BORDER;
	s->c->fresh.n = 0;
	bind_first(s, run);
	return kept(run, widened(run, lower_expr(l, run->fold->arg.at[0])));
}

/* Whether all that terms read from index end[0] to end[1] is inside its array. */
struct reach { struct kernel_runs *s; struct kx *end[2], *inside; };

static struct kx *reaches(struct reach *r, const struct expr *read, int axis, int end)
{
	cells_bind(r->s->c, r->s->r->index, r->end[end]);
	return cell_place(r->s->c, read, axis);
}

static bool reach_inside(struct expr *e, void *state)
{
	struct reach *r = state;
	struct cells *c = r->s->c;
	for (int a = 0; e->kind == E_READ && a < e->arg.n; a++) {
		struct shift s;
		bool shifted = access_shift(c->node, e->arg.at[a], &s);
		if (shifted && s.k == r->s->r->index) {
			struct kx *from = reaches(r, e, a, 0), *to = reaches(r, e, a, 1);
			struct kx *ends = x_and(x_le(from, to),
			                        x_lt(to, lower_extent(c->l, e->var, a)));
			r->inside = x_and(r->inside, x_and(x_le(x_i64(0), from), ends));
		} else if (cell_edged_along(c->node, e, a)) {
			r->inside = x_int(T_BOOL, 0);
			return false;
		}
	}
	return true;
}

KTEXT_HOLE(inside)
{
	struct reach r = { (struct kernel_runs *)state, { arg[0], arg[1] }, NULL };
	for (int n = 0; n < r.s->r->run.n; n++) {
		const struct run *run = &r.s->r->run.at[n];
		bind_first(r.s, run);
		if (!expr_walk(run->fold->arg.at[0], reach_inside, &r))
			break;
	}
	return r.inside ? r.inside : x_int(T_BOOL, 1);
}

KTEXT_HOLE(none)
{
	return lower_zero(run_at_hand(l, state)->type);
}

KTEXT_HOLE(join)
{
	const struct run *run = run_at_hand(l, state);
	return apply(l, run, arg[run->backward], arg[!run->backward]);
}

/* Of one term.  A loop begins with the identity: of NaNs alone min gives that. */
KTEXT_HOLE(start)
{
	const struct run *run = run_at_hand(l, state);
	const struct fold *fold = run->fold->fold;
	struct kx *identity = fold->terms_only ? NULL
	                                       : lower_identity(l, fold->op, run->fold->type);
	return identity ? apply(l, run, identity, arg[0]) : arg[0];
}

KTEXT_HOLE(hold)
{
	const struct kernel_runs *s = state;
	lower_bind(l, s->value.at[l->k->each], widened(run_at_hand(l, s), arg[0]));
	return NULL;
}

KTEXT_HOLE(compute)
{
	struct cells *c = ((const struct kernel_runs *)state)->c;
	cells_body(c, c->edged ? CELL_BORDER : CELL_PLAIN);
	if (!l->target->gpu)
		behind_terms(l, &c->folds, &c->acc);
	return NULL;
}

KTEXT_HOLE(start_folds)
{
	cells_start_folds(((const struct kernel_runs *)state)->c);
	return NULL;
}

KTEXT_HOLE(folded)
{
	return x_var(((const struct kernel_runs *)state)->c->acc.at[l->k->each].var);
}

/* ---- the kernels ---- */

/* The domain, and the number of its rows. */
static void find_rows(struct kernel_runs *s)
{
	struct cells *c = s->c;
	struct plan *plan = c->l->plan;
	struct lowering *host = host_lowering(plan);
	s->host_rows = x_i64(1);
	for (int d = 0; d < c->rank; d++) {
		const char *name = c->node->index.at[d]->name;
		struct kx *lo = cells_range_lo(c, d, host);
		struct kx *size = plan_range(plan, lo, cells_range_hi(c, d, host));
		s->lo[d] = cells_argument(c, "%s_first", d, lo);
		s->host_size[d] = plan_let(plan, str_print("%s_cells", name), size);
		s->size[d] = cells_argument(c, "%s_cells", d, s->host_size[d]);
		if (!(beside_row(s) >> d & 1))
			s->host_rows = kx_fold(x_mul(s->host_rows, s->host_size[d]));
	}
	s->host_rows = plan_number(plan, "rows", s->host_rows);
	s->rows = lower_number(c->l, "rows", s->host_rows);
}

static struct kx *at_least(int64_t least, struct kx *x)
{
	return x_max(x_i64(least), x);
}

/* Segments of a piece at least, where rows can be fewer instead.  Rows that do not run along the
 * last axis are neighbours in memory: more of them save more than fewer terms brought twice. */
static int fewest_segments(const struct kernel_runs *s)
{
	return is_along(s) ? SEGMENTS : 1;
}

static bool narrowest(struct expr *e, void *bytes)
{
	int64_t own = e->kind == E_READ ? type_size(e->var->type) : INT64_MAX;
	*(int64_t *)bytes = own < *(int64_t *)bytes ? own : *(int64_t *)bytes;
	return true;
}

/* Cells of neighbouring rows fill a sector of memory. */
static int most_rows(const struct kernel_runs *s)
{
	int64_t bytes = INT64_MAX;
	if (is_along(s))
		return ROWS_ALONG;
	for (int n = 0; n < s->r->run.n; n++)
		expr_walk(s->r->run.at[n].fold->arg.at[0], narrowest, &bytes);
	return bytes < SECTOR ? (int)(SECTOR / bytes) : 1;
}

/* Rows of a piece: as many as its room and the domain allow, if that leaves it few segments. */
static struct kx *rows_held(const struct kernel_runs *s, struct kx *terms, struct kx *segments)
{
	const struct target *target = s->c->l->target;
	struct plan *plan = s->c->l->plan;
	struct kx *few = plan_number(plan, "few", x_min(x_i64(fewest_segments(s)), segments));
	struct kx *one = x_i64(1), *held = one;
	struct kx *windows = x_add(x_mul(few, terms), one);
	struct kx *fit = plan_number(plan, "fit", x_min(
		x_min(x_div(x_i64(room_for_terms(s->r, target)), x_add(windows, terms)),
		      x_div(x_i64(room_for_windows(s->r, target)), windows)), s->host_rows));
	for (int rows = 2; rows <= most_rows(s) && s->c->rank > 1; rows *= 2)
		held = x_cond(x_le(x_i64(rows), fit), x_i64(rows), held);
	return kx_fold(held);
}

/* So many segments fit, and each has a thread at least. */
static struct kx *segments_fit(const struct kernel_runs *s, struct kx *terms, struct kx *held)
{
	const struct target *target = s->c->l->target;
	struct kx *of_terms = x_i64(room_for_terms(s->r, target));
	struct kx *of_windows = x_i64(room_for_windows(s->r, target)), *one = x_i64(1);
	struct kx *threads = x_sub(x_div(x_i64(target->block), held), one);
	return kx_fold(at_least(1, x_min(threads, x_min(
		x_sub(x_div(x_sub(x_div(of_terms, held), one), terms), one),
		x_div(x_sub(x_div(of_windows, held), one), terms)))));
}

/* Every thread has a chunk.  The number is odd: chunks begin in different banks. */
static struct kx *terms_of_chunk(const struct kernel_runs *s, struct kx *terms, struct kx *held,
                                 struct kx *segments)
{
	struct kx *parts = x_div(x_i64(s->c->l->target->block),
	                         x_mul(held, x_add(segments, x_i64(1))));
	parts = plan_number(s->c->l->plan, "parts", at_least(1, parts));
	return kx_fold(x_op(OP_OR, x_div_up(terms, parts), x_i64(1)));
}

static void bind_types_of(struct kernel_runs *s)
{
	const struct type *type[RUNS_MOST];
	for (int n = 0; n < s->r->run.n; n++)
		type[n] = s->r->run.at[n].type;
	bind_types(s->c->l->k, "VALUE", s->r->run.n, type);
}

static void find_first(struct kernel_runs *s)
{
	struct lowering *host = host_lowering(s->c->l->plan);
	const struct expr *fold = s->r->run.at[0].fold;
	const char *name = fold->fold->index.at[0]->name;
	bool some[2] = { false, false };
	for (int n = 0; n < s->r->run.n; n++)
		some[s->r->run.at[n].backward] = true;
	if (some[0])
		s->p[0] = lower_number(s->c->l, str_print("%s_first", name),
		                       lower_given_end(host, fold->fold, 0, false));
	if (some[1])
		s->p[1] = lower_number(s->c->l, str_print("%s_last", name),
		                       x_sub(lower_given_end(host, fold->fold, 0, true), x_i64(1)));
}

static void bind_common(struct kernel_runs *s)
{
	struct lowering *l = s->c->l;
	find_first(s);
	k_bind(l->k, "rows", s->rows);
	k_bind(l->k, "origin", s->lo[s->r->index]);
	k_bind(l->k, "cells", s->size[s->r->index]);
	k_numbers(l->k, "ALONG", is_along(s));
	bind_types_of(s);
	k_bind_calls(l->k, s, { "bind_axis", bind_axis }, { "bind_row", bind_row },
	             { "bind_lane", bind_lane }, { "start_folds", start_folds },
	             { "read_term", term }, { "inside", inside }, { "none", none },
	             { "join", join }, { "start", start }, { "hold", hold },
	             { "compute", compute });
}

static int64_t terms_at_once(const struct runs *r)
{
	int64_t fit = LOADED / r->bytes;
	return fit < 1 ? 1 : fit < AT_ONCE ? fit : AT_ONCE;
}

/* Of a multiprocessor.  In a plane 48 registers are enough for one value of 4 bytes, and the
 * compiler takes more; otherwise it spills to fit one block more, unless it is told that one will
 * do. */
static int fewest_blocks(const struct kernel_runs *s)
{
	return s->r->bytes <= 4 && s->c->rank <= 2 ? 5 : 1;
}

/* An epilogue has something to store of no cells, too. */
static struct kx *some(const struct kernel_runs *s, struct kx *pieces)
{
	return s->c->group->epilogue.n ? at_least(1, pieces) : pieces;
}

static struct kx *small_number(struct lowering *l, const char *name, struct kx *host)
{
	return lower_number(l, name, x_to_i32(host));
}

static void lower_gpu(struct kernel_runs *s)
{
	struct lowering *l = s->c->l;
	struct plan *plan = l->plan;
	struct kx *terms = host_terms(plan, s->r);
	struct kx *all = plan_number(plan, "all_segments",
	                             x_div_up(s->host_size[s->r->index], terms));
	struct kx *held = plan_number(plan, "rows_held", rows_held(s, terms, all));
	struct kx *most = segments_fit(s, terms, held);
	struct kx *pieces = plan_let(plan, "pieces", some(s, x_div_up(all, most)));
	struct kx *segments = plan_number(plan, "segments",
	                                  at_least(1, x_div_up(all, at_least(1, pieces))));
	struct kx *chunk = plan_number(plan, "chunk", terms_of_chunk(s, terms, held, segments));
	struct kx *groups = some(s, x_div_up(s->host_rows, held));
	struct kx *blocks = plan_let(plan, "blocks", x_mul(pieces, groups));
	block_launch_bounds(l);
	block_fewest(l, ROOM, fewest_blocks(s));
	k_bind(l->k, "pieces", lower_number(l, "pieces", pieces));
	k_bind(l->k, "terms", small_number(l, "terms", terms));
	k_bind(l->k, "held", small_number(l, "rows_held", held));
	k_bind(l->k, "segments", small_number(l, "segments", segments));
	k_bind(l->k, "chunk", small_number(l, "chunk", chunk));
	k_bind(l->k, "chunks", small_number(l, "chunks", x_div_up(terms, chunk)));
	cells_find_folds(s->c);
	cells_start_folds(s->c);
	k_numbers(l->k, "TERM_ROOM, WINDOW_ROOM", room_for_terms(s->r, l->target),
	          room_for_windows(s->r, l->target));
	int64_t at_once = terms_at_once(s->r);
	k_numbers(l->k, "BLOCK, INSIDE_AT_ONCE, EDGED_AT_ONCE, FOLDED", l->target->block, at_once,
	          node_leads_far(s->c->node) ? 1 : at_once, s->c->group->epilogue.n > 0);
	k_text(l->k, "runs");
	stencil_launch(s->c, blocks);
}

static int64_t most_lanes(const struct runs *r)
{
	int64_t widest = 1;
	for (int n = 0; n < r->run.n; n++)
		if (widest < type_size(r->run.at[n].type))
			widest = type_size(r->run.at[n].type);
	return widest < CPU_LINE ? CPU_LINE / widest : 1;
}

/* Values of a part for its terms, or its windows. */
static int64_t lanes_room(const struct kernel_runs *s, const struct kx *lanes, bool terms)
{
	int64_t n;
	if (s->r->terms < 0 || !x_constant(lanes, &n))
		return (terms ? room_for_terms : room_for_windows)(s->r, s->c->l->target);
	return s->r->terms * (!terms ? n : is_along(s) ? n + 1 : 2 * n);
}

/* A part is some segments of a row, or one segment of some rows: a lane has one of them. */
static void lower_cpu(struct kernel_runs *s)
{
	struct lowering *l = s->c->l;
	struct plan *plan = l->plan;
	struct kx *slot[FOLDS_MOST], *partial[FOLDS_MOST];
	struct kx *terms = host_terms(plan, s->r);
	struct kx *all = plan_number(plan, "all_segments",
	                             x_div_up(s->host_size[s->r->index], terms));
	struct kx *room = x_i64(room_for_terms(s->r, l->target) / 2);
	struct kx *lanes = x_min(x_i64(most_lanes(s->r)), x_div(room, terms));
	lanes = plan_number(plan, "lanes", at_least(1, lanes));
	struct kx *sharing = s->lane < 0 ? all : s->host_size[s->lane];
	struct kx *groups = plan_let(plan, "groups", x_div_up(sharing, lanes));
	struct kx *parts = x_mul(s->host_rows, s->lane < 0 ? groups : x_mul(groups, all));
	parts = plan_let(plan, "parts", parts);
	cells_find_partials(s->c, parts, slot, partial);
	if (s->lane >= 0) {
		k_bind(l->k, "lane_origin", s->lo[s->lane]);
		k_bind(l->k, "lane_cells", s->size[s->lane]);
	}
	k_bind(l->k, "parts", lower_number(l, "parts", parts));
	k_bind(l->k, "groups", lower_number(l, "groups", groups));
	k_bind(l->k, "all_segments", lower_number(l, "all_segments", all));
	k_bind(l->k, "terms", small_number(l, "terms", terms));
	k_bind(l->k, "held", small_number(l, "lanes", lanes));
	bool simd = !s->c->folds.n
	            && node_walk((struct node *)s->c->node, cells_no_fold, NULL);
	k_numbers(l->k, "SIMD, TERM_ROOM, WINDOW_ROOM", simd, lanes_room(s, lanes, true),
	          lanes_room(s, lanes, false));
	bind_values(l->k, "partial", s->c->folds.n, partial);
	k_bind_call(l->k, "folded", folded, s);
	k_text(l->k, "runs_on_cpu");
	lowering_launch(l, x_i64(1), x_i64(1), x_i64(1));
	if (s->c->folds.n)
		behind_join(plan, s->c->group, &s->c->folds, slot, parts);
}

void runs_lower(const struct task *task)
{
	const char *why;
	struct kernel_runs s = { .r = runs_of(task->node, false, &why) };
	struct group *own = NEW(struct group);
	*own = *task->group;
	own->anchor = with_values(&s, task->node);
	s.c = cells_open(task->plan, own, false, "_runs");
	s.c->flat = false;
	s.lane = task->plan->target->gpu || is_along(&s) ? -1 : s.c->column;
	int names = k_names(s.c->l->k);
	find_rows(&s);
	bind_common(&s);
	(task->plan->target->gpu ? lower_gpu : lower_cpu)(&s);
	k_forget(s.c->l->k, names);
}
