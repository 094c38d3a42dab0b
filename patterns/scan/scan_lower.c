/* scan_lower.c - which lowering a scan takes, and what the passes may decide of it. */
#include "../expand.h"
#include "../lowerings.h"
#include "../ways.h"
#include "scan_gpu.h"

/* The last axis of the first target runs. */
static bool along_rows(const struct node *node)
{
	const struct expr *target = target_read(node_target(node, 0));
	return expr_uses(target->arg.at[target->var->rank - 1],
	                 node->index.at[node->running->axis]);
}

/* What a thread folds can be joined with what others fold, and stays in registers. */
static bool joins(const struct node *node)
{
	const struct carry *c = carry_open(NULL, node);
	const struct accumulators kinds = carry_kinds(c);
	return carry_joins(c) && accumulators_fit(&kinds);
}

/* What is carried into the targets may come from cells before them, and where those begin the host
 * does not know. */
static bool begins_outside(const struct node *node)
{
	struct node end = *node;
	if (node->running->from_right)
		end.lo = end.hi;
	else
		end.hi = end.lo;
	return targets_checked(node) && !cells_exact(&end, node->running->axis);
}

/* ---- the ways on a GPU ---- */

static bool runs_down(const struct task *c)
{
	return !along_rows(c->node);
}

static bool can_join(const struct task *c)
{
	return joins(c->node) && !targets_checked(c->node);
}

static void lower_rows(const struct task *c)
{
	scan_rows(c->plan, c->node);
}

static void lower_serial(const struct task *c)
{
	scan_serial(c->plan, c->node);
}

static const struct way ways[] = {
	/* scan_columns.c */
	{ "columns", "neighbouring lanes take neighbouring columns",
	  .no = "it runs along the last axis", .fits = runs_down, .lower = scan_columns },
	/* scan_rows.c */
	{ "rows", "a tile of a row gets its prefix from the previous tile",
	  .no = "the folds of threads cannot be combined, or targets are tested", .fits = can_join,
	  .lower = lower_rows },
	/* scan_serial.c */
	{ "serial", "a thread a row", .lower = lower_serial }
};

static void scan_gpu(struct plan *plan, const struct group *group)
{
	const struct node *node = group->anchor;
	const struct var *index = node->index.at[node->running->axis];
	if (begins_outside(node)) {
		diag_error(index->at, D_FORM_NOT_BUILT,
		           "`%s` may begin outside of the targets, where only the device knows: "
		           "that is "
		           "not supported for %s yet",
		           index->name, plan->target->name);
		diag_cure("keep the range inside: `max(lo, 0)`, `min(hi, n)`");
		return;
	}
	cells_check_ranges(plan, node);
	ways_lower(ways, plan, group, NULL);
}

void scan_lower(struct plan *plan, const struct group *group)
{
	const struct node *node = group->anchor;
	if (node->running->counts) {
		expand_ends(plan, group);
		return;
	}
	if (!carry_fits(node)) {
		diag_error(node->at, D_FORM_NOT_BUILT,
		           "more than 8 folds and recurrences in one scan are not supported");
		diag_cure("write two statements");
		return;
	}
	if (plan->target->gpu)
		scan_gpu(plan, group);
	else
		scan_cpu(plan, group);
}

static const char *no_vector(const struct node *node, const struct target *target)
{
	if (!target->gpu)
		return "the C compiler makes vectors of the inner loop";
	return along_rows(node) && scan_is_flat(node)
	               ? "structs are moved whole"
	               : "its cells are not contiguous in the order of the domain";
}

void scan_shape(const struct node *node, const struct target *target, struct shape *s)
{
	struct node open = *node;
	bool rows = along_rows(node);
	open.choice.vector = 0;
	if (node->running->counts) {
		s->vector = s->pieces = 1;
		s->no_vector = target->gpu ? "a lane counts a range" : "a thread counts a range";
		s->no_pieces = target->gpu ? "warps share the ranges" : "threads share the ranges";
		return;
	}
	s->vector = !target->gpu ? 1 : rows ? scan_width(&open) : columns_width(&open);
	s->no_vector = no_vector(node, target);
	s->vectors = target->gpu && !(rows && scan_is_flat(node));
	s->piece = "vector";
	s->pieces = target->gpu && rows ? SCAN_ROWS : 1;
	s->no_pieces = target->gpu ? "a thread takes as many vectors as its registers hold"
	                           : "threads share the sequences, as many as OpenMP gives";
}
