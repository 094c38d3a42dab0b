/* pass_loop.c - decides which loops run in one launch of one GPU block.
 *
 * Needs: statements as they are lowered.  Leaves: choice.one_block of repeats, in_block of what
 * their statements use.
 *
 * A launch takes some microseconds, whatever it computes, and a step of a recursion often computes
 * less than that: a row of a matrix, say.  One block passes a barrier in a hundredth of the time.
 * So where a block can compute all statements of a repeat by itself, its loop is also a kernel of
 * one block, and the host takes it where the passes are small (plan_one_block.c).  An outer loop
 * is better than one inside it. */
#include "pass.h"
#include "remark.h"

/* Why a loop launches its statements, and which of them is the reason. */
struct refusal { struct node *node; const char *why; };

/* The host finds the number of terms, and with it the work of a pass. */
static bool host_counts(struct expr *e, void *unused)
{
	(void)unused;
	for (int d = 0; expr_folds(e) && d < e->fold->index.n; d++)
		if (expr_on_device(e->fold->lo.at[d]) || expr_on_device(e->fold->hi.at[d]))
			return false;
	return true;
}

static const char *statement_not(const struct node *node)
{
	if (!node->pattern->block)
		return str_print("one block cannot compute a %s", node->pattern->name);
	if (node->choice.walk > WALK_THREAD)
		return "its walks have their own schedule";
	if (node->expand)
		return "its number of cells depends on data";
	for (int d = 0; d < node->index.n; d++)
		if (expr_on_device(node->lo.at[d]) || expr_on_device(node->hi.at[d]))
			return "its number of cells depends on data";
	return node_walk((struct node *)node, host_counts, NULL)
	               ? NULL
	               : "its number of terms depends on data";
}

static struct refusal body_not(struct node *const *at, int n)
{
	struct refusal r = { NULL, NULL };
	for (int i = 0; i < n && !r.why; i++) {
		if (at[i]->kind == NODE_PATTERN)
			r = (struct refusal){ at[i], statement_not(at[i]) };
		else
			r = body_not(at[i]->body.at, at[i]->body.n);
	}
	return r;
}

/* Of a repeat that has one. */
static struct node *first_statement(struct node *const *at, int n)
{
	struct node *first = NULL;
	for (int i = 0; i < n && !first; i++)
		first = at[i]->kind == NODE_PATTERN ? at[i]
		        : first_statement(at[i]->body.at, at[i]->body.n);
	return first;
}

static bool give_memory(struct expr *e, void *unused)
{
	(void)unused;
	if (e->kind == E_VAR || e->kind == E_READ)
		e->var->in_block = true;
	return true;
}

static void keep_in_memory(struct node *const *at, int n)
{
	for (int i = 0; i < n; i++) {
		node_walk(at[i], give_memory, NULL);
		keep_in_memory(at[i]->body.at, at[i]->body.n);
	}
}

static void one_block(struct node *loop)
{
	loop->choice.one_block = true;
	keep_in_memory(loop->body.at, loop->body.n);
	remark_did(first_statement(loop->body.at, loop->body.n), PASS_LOOP, EFFICIENCY,
	           "one block runs all passes of its loop in one launch, if a pass has at most %d "
	           "cells, times terms, for each launch that this saves",
	           BLOCK_WORK);
}

static void choose(struct node *const *at, int n, bool told, const struct options *o)
{
	for (int i = 0; i < n; i++) {
		struct node *loop = at[i], *first = first_statement(&loop, 1);
		bool repeats = loop->kind == NODE_REPEAT_COUNT || loop->kind == NODE_REPEAT_UNTIL;
		struct refusal r = { NULL, NULL };
		if (repeats && first) {
			r = pass_enabled(o, "loop") ? body_not(loop->body.at, loop->body.n)
			                            : (struct refusal){ first, "--no-pass=loop" };
			if (!r.why) {
				one_block(loop);
				continue;
			}
			if (!told)
				remark_not(r.node, PASS_LOOP, "%s", r.why);
		}
		choose(loop->body.at, loop->body.n, told || r.why, o);
	}
}

void pass_loop(struct entry *entry, const struct options *o)
{
	if (o->target->gpu)
		choose(entry->body.at, entry->body.n, false, o);
}
