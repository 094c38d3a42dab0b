/* recur_sema.c - recurrences of a scan: which cells of the target an equation reads, and what is
 * kept of it (running.h).  sema_normal.c finds ○ and ◇.
 *
 * A recurrence reads cells at a fixed distance, 1 or 2, along one axis, and no other part of them
 * than it computes.  `strict` refuses forms that round otherwise than written. */
#include "legal.h"
#include "scan_sema.h"
#include "sema_normal.h"

/* ---- which cells it reads ---- */

static bool read_fits(struct normal *m, struct expr *read)
{
	int axis;
	int64_t steps;
	bool apart = cell_distance(m, read, &axis, &steps);

	if (!apart)
		return no_form(m, read,
		               str_print("this reads %s, which is not a fixed number of cells "
		                         "before `%s` along "
		                         "one axis",
		                         expr_text(read), expr_text(m->target)));
	if (axis < 0)
		return true;
	if (steps < -MAX_ORDER || steps > MAX_ORDER)
		return no_form(
			m, read,
			str_print("this reads %s, %lld cells away: recurrences are of order 1 or 2",
		                  expr_text(read), (long long)(steps < 0 ? -steps : steps)));
	return scan_runs_along(m->node, axis, steps > 0, read->at);
}

/* Reads of what the statement writes: its own target at neighbours, any other only before it is
 * written. */
static bool visit_read(struct expr *e, void *what)
{
	struct normal *m = what;

	if (e->kind == E_READ && e->var == target_read((struct expr *)m->target)->var)
		return read_fits(m, e);
	return true;
}

static bool visit_part(struct expr *e, void *what)
{
	struct normal *m = what;
	bool part = e->kind == E_READ && e->var == target_read((struct expr *)m->target)->var;
	int axis;
	int64_t steps;

	if (cell_before(m, e) >= 0)
		return false;                        /* of this way down */
	if (part && cell_distance(m, e, &axis, &steps) && axis >= 0) {
		diag_error(e->at, D_RUNNING_COUPLED,
		           "this reads a part of %s other than `%s`, which the equation computes",
		           expr_text(e), expr_text(m->target));
		diag_cure("define an `op` on the struct, and fold whole structs");
		m->failed = true;
	}
	return !m->failed;
}

/* Down every way that ends at no cell of the target. */
static void parts_check(struct normal *m, struct expr *e)
{
	if (!visit_part(e, m))
		return;
	for (int k = 0; k < e->arg.n && !m->failed; k++)
		parts_check(m, e->arg.at[k]);
}

static struct recurrence *recurrence_of(const struct normal *m, const struct form *f)
{
	struct recurrence *r = NEW(struct recurrence);

	r->type = normal_type(m);
	r->acc = m->acc;
	r->order = form_reads(f, 1) ? 2 : 1;
	for (int k = 0; k < r->order; k++) {
		r->weight[k] = f->coef[k] ? expr_cast(f->coef[k], r->type) : NULL;
		r->bare[k] = f->bare[k];
		r->uniform[k] = r->weight[k] && is_uniform(r->weight[k]);
	}
	r->dist = r->weight[0] || r->weight[1] || r->order > 1 ? m->dist : NULL;
	r->rest = f->rest ? expr_cast(f->rest, r->type) : NULL;
	return r;
}

static bool in_first(struct normal *m)
{
	if (!m->rounds || !node_clause(m->node, "strict") || type_class(m->whole->type) != 'F')
		return true;
	diag_error(m->eq->at, D_FORM_NOT_BUILT,
	           "under `strict` a recurrence is rounded as written, but this one would have to "
	           "be rewritten: that is not supported yet");
	diag_cure("write `(y[i-1] ○ a) ◇ x`: the cells of the target first, each with one weight, "
	          "then the rest in "
	          "parentheses");
	return false;
}

static bool is_elsewhere(struct expr *e, void *what)
{
	const struct normal *m = what;
	int axis;
	int64_t steps;

	if (expr_folds(e))
		return true;
	if (e->kind == E_READ && e->var == target_read((struct expr *)m->target)->var
	    && (!cell_distance(m, e, &axis, &steps) || axis >= 0))
		return false;
	for (int k = 0; k < e->arg.n; k++)
		if (!is_elsewhere(e->arg.at[k], what))
			return false;
	return true;
}

bool recurrence_is(struct equation *eq, const struct node *node)
{
	struct normal m = { .node = (struct node *)node, .eq = eq, .target = eq->target.at[0] };

	return eq->target.n == 1 && target_read(eq->target.at[0])->kind == E_READ
	       && !is_elsewhere(eq->right, &m);
}

bool recurrence_settle(struct sema *s, struct node *node, struct equation *eq)
{
	struct normal m = {
		.s = s, .node = node, .eq = eq, .target = eq->target.at[0], .whole = eq->right
	};
	struct form f;

	m.whole = unstored(&m, eq->right);
	if (!expr_walk(m.whole, visit_read, &m))
		return false;
	parts_check(&m, m.whole);
	if (m.failed || !normal_form(&m, &f) || !in_first(&m))
		return false;
	eq->recurrence = recurrence_of(&m, &f);
	eq->right = NULL;
	return true;
}
