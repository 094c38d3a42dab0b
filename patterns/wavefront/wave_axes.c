/* wave_axes.c - the axes of a wavefront, as every order of its cells sees them.
 *
 * Positions in the order, slowest first: the last two are rows and columns.  Axes before them along
 * which nothing waits are a grid of independent problems; along any other the host runs a loop
 * around all its launches.  Rows and columns are counted from where the order begins: along an axis
 * that runs backwards from its high end.
 *
 * Rows and columns may be a problem's own: `j in 0..length[k]`.  The host then takes those of the
 * tables, and a kernel that has bound its problem knows better. */
#include <string.h>
#include "wave.h"

int axis_index(const struct axes *a, int d)
{
	return a->node->wave->order[d];
}

bool axis_waits(const struct node *node, int d)
{
	struct wave_vectors v = wave_vectors(node);
	for (int i = 0; i < v.n; i++)
		if (v.at[i][d])
			return true;
	return node->wave->far_along[node->wave->order[d]];
}

bool axis_own(const struct node *node, int d)
{
	int n = node->index.n, k = node->wave->order[d];
	if (d < n - 2 || cells_exact(node, k))
		return false;
	for (int e = n > 1 ? n - 2 : 0; e < n; e++)
		if (bounds_use(node, k, node->index.at[node->wave->order[e]]))
			return false;
	return true;
}

bool axis_reads_cut(const struct node *node, int d)
{
	for (int i = 0; i < node->wave->within.n; i++)
		if (node->wave->within.at[i].index == node->wave->order[d])
			return true;
	return false;
}

bool axes_even(const struct node *node)
{
	for (int d = 0; d < node->index.n; d++)
		if (!cells_exact(node, node->wave->order[d]) && !axis_own(node, d))
			return false;
	return true;
}

static const char *axis_name(const struct axes *a, int d)
{
	return a->node->index.at[axis_index(a, d)]->name;
}

/* ---- the host's numbers ---- */

static void host_ranges(struct axes *a)
{
	struct cells domain = { .node = a->node, .rank = a->n };
	struct lowering *host = host_lowering(a->plan);
	for (int d = 0; d < a->n; d++) {
		struct kx *lo = cells_range_lo(&domain, axis_index(a, d), host),
			  *hi = cells_range_hi(&domain, axis_index(a, d), host);
		a->host_lo[d] = x_is_int(lo, 0)
		                        ? lo
		                        : plan_let(a->plan, str_print("%s_first", axis_name(a, d)),
		                                   lo);
		a->host_size[d] = plan_let(a->plan, str_print("%s_cells", axis_name(a, d)),
		                           plan_range(a->plan, a->host_lo[d], hi));
	}
}

void axes_open(struct axes *a, struct plan *plan, const struct node *node)
{
	*a = (struct axes){ .plan = plan,
		            .node = node,
		            .n = node->index.n,
		            .slope = wave_slope(node),
		            .births = births_of(node) };
	host_ranges(a);
	a->host_problems = x_i64(1);
	for (int d = 0; d < a->n - 2; d++)
		if (!axis_waits(node, d))
			a->host_problems = x_mul(a->host_problems, a->host_size[d]);
}

struct kx *axis_size(const struct axes *a, int d)
{
	return d >= 0 ? a->host_size[d] : x_i64(1);
}

struct kx *axes_some(const struct axes *a)
{
	struct kx *cells = x_mul(a->host_problems,
	                         x_mul(axis_size(a, a->n - 1), axis_size(a, a->n - 2)));
	for (int d = 0; d < a->n - 2; d++)
		if (axis_waits(a->node, d))
			cells = x_mul(cells, a->host_size[d]);
	return x_lt(x_i64(0), cells);
}

void axes_open_loops(struct axes *a)
{
	for (int d = 0; d < a->n - 2; d++)
		if (axis_waits(a->node, d))
			a->host_turn[d] = x_var(k_for(a->plan->host,
			                              str_print("%s_turn", axis_name(a, d)),
			                              x_i64(0), a->host_size[d], x_i64(1), 0));
}

void axes_close_loops(struct axes *a)
{
	for (int d = 0; d < a->n - 2; d++)
		if (a->host_turn[d])
			k_end(a->plan->host);
}

struct kx *axis_most(const struct axes *a, int d)
{
	struct cells domain = { .node = a->node, .rank = a->n };
	struct lowering *host = host_lowering(a->plan);
	int k = axis_index(a, d);
	const struct expr *table = wave_table(a->node, 0);
	if (cells_exact(a->node, k))
		return lower_extent(host, table->var, wave_subscript(a->node, table, k));
	struct kx *lo = cells_range_lo(&domain, k, host);
	return x_max(x_sub(cells_range_hi(&domain, k, host), lo), x_i64(0));
}

struct kx *axes_most_problems(const struct axes *a)
{
	struct kx *most = x_i64(1);
	for (int d = 0; d < a->n - 2; d++)
		if (!axis_waits(a->node, d))
			most = x_mul(most, axis_most(a, d));
	return a->most_problems ? x_min(most, a->most_problems) : most;
}

/* ---- in the kernel ---- */

struct kx *axes_argument(struct axes *a, const char *name, struct kx *host)
{
	int64_t known;
	return x_constant(host, &known) ? x_i64(known)
	                                : lower_argument(a->l, name, kt_scalar(T_I64), host);
}

struct kx *axis_count(struct axes *a, int d)
{
	const char *name = d == a->n - 1   ? "columns"
	                   : d == a->n - 2 ? "rows"
	                                   : str_print("%s_cells", axis_name(a, d));
	if (a->own && axis_own(a->node, d))
		return a->size[d];
	if (a->counts_of != a->l)
		memset(a->count, 0, sizeof a->count);
	a->counts_of = a->l;
	if (!a->count[d])
		a->count[d] = axes_argument(a, name, axis_size(a, d));
	return a->count[d];
}

struct kx *axes_rows(struct axes *a)
{
	return a->n > 1 ? axis_count(a, a->n - 2) : x_i64(1);
}

struct kx *axes_columns(struct axes *a)
{
	return axis_count(a, a->n - 1);
}

/* Its lowest index, and how many cells it has: NULL if it runs forward. */
static void axis_arguments(struct axes *a, int d)
{
	if (a->lo[d])
		return;
	a->lo[d] = axes_argument(a, str_print("%s_first", axis_name(a, d)), a->host_lo[d]);
	if (a->node->wave->back[axis_index(a, d)])
		a->size[d] = axes_argument(a, str_print("%s_cells", axis_name(a, d)),
		                           a->host_size[d]);
}

struct kx *axis_at(struct axes *a, int d, struct kx *turn)
{
	axis_arguments(a, d);
	if (a->node->wave->back[axis_index(a, d)])
		turn = x_sub(x_sub(a->size[d], x_i64(1)), turn);
	return x_add(a->lo[d], turn);
}

struct kx *axis_turn(struct axes *a, int d, struct kx *index)
{
	axis_arguments(a, d);
	struct kx *turn = x_sub(index, a->lo[d]);
	return a->node->wave->back[axis_index(a, d)] ? x_sub(x_sub(a->size[d], x_i64(1)), turn)
	                                             : turn;
}

void axis_bind(struct axes *a, int d, struct kx *turn)
{
	lower_bind(a->l, a->node->index.at[axis_index(a, d)],
	           x_var(k_let(a->l->k, axis_name(a, d), axis_at(a, d, turn))));
}

static void own_range(struct axes *a, int d)
{
	struct kx *lo, *hi;
	cells_own_range(a->l, a->node, axis_index(a, d), &lo, &hi);
	a->lo[d] = x_is_int(lo, 0)
	                   ? lo
	                   : x_var(k_let(a->l->k, str_print("%s_first", axis_name(a, d)), lo));
	a->size[d] = x_var(k_let(a->l->k, str_print("%s_cells", axis_name(a, d)),
	                         x_max(x_sub(hi, a->lo[d]), x_i64(0))));
}

void axes_bind_outer(struct axes *a, struct kx *problem)
{
	for (int d = a->n - 3; d >= 0; d--) {
		if (a->host_turn[d]) {
			axis_bind(a, d,
			          axes_argument(a, str_print("%s_turn", axis_name(a, d)),
			                        a->host_turn[d]));
			continue;
		}
		struct kx *size = axis_count(a, d);
		axis_bind(a, d, x_rem(problem, size));
		problem = x_var(k_let(a->l->k, "rest", x_div(problem, size)));
	}
	for (int d = a->n > 1 ? a->n - 2 : 0; d < a->n; d++)
		if (axis_own(a->node, d))
			own_range(a, d);
	a->own = true;
}

struct kx *axes_guard(struct axes *a)
{
	struct cells domain = { .node = a->node, .rank = a->n, .l = a->l };
	for (int d = 0; d < a->n; d++)
		domain.index[d] = lower_var(a->l, a->node->index.at[d]);
	struct kx *guard = NULL;
	for (int d = 0; d < a->n; d++)
		if (!a->own || !axis_own(a->node, d))
			guard = x_and(guard, cells_guard_index(&domain, axis_index(a, d)));
	return guard;
}
