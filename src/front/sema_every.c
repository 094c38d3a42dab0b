/* sema_every.c - `repeat until C every K`: statements that only C needs are computed only in
 * passes that test C.
 *
 * A statement of the block is put off if all that it writes is read by C, or by statements after
 * it that are put off, and by nothing else in the kernel.  A statement that reads what it writes is
 * not: its value would be another one, as each pass changes it.  Nor is what is swapped.
 *
 * Neighbours that are put off become the body of an `if` of the pass's number, which the host
 * knows; so no later stage has to know of them. */
#include "ask.h"
#include "sema_impl.h"

/* How often a variable is used, targets included. */
struct count { const struct var *var; int n; };

static bool count_use(struct expr *e, void *state)
{
	struct count *c = state;

	c->n += (e->kind == E_VAR || e->kind == E_READ) && e->var == c->var;
	return true;
}

static int targets_of(const struct node *node, const struct var *var)
{
	int n = 0;

	for (int k = 0; node_target(node, k); k++)
		n += target_read(node_target(node, k))->var == var;
	for (int i = 0; i < node->body.n; i++)
		n += targets_of(node->body.at[i], var);
	return n;
}

static bool moves(const struct node *node, const struct var *var)
{
	bool found = (node->kind == NODE_SWAP && (node->swap[0] == var || node->swap[1] == var))
	             || node_reads(node, var);

	for (int i = 0; i < node->body.n && !found; i++)
		found = moves(node->body.at[i], var);
	return found;
}

/* Does the statement, or one inside it, need what the variable holds? */
static bool needs(const struct node *node, const struct var *var)
{
	struct count c = { var, 0 };

	node_walk((struct node *)node, count_use, &c);
	return c.n > targets_of(node, var) || moves(node, var);
}

/* A loop, and which statements of its block are put off. */
struct putting { const struct entry *entry; const struct node *loop; bool *off; };

static bool asked_for(const struct putting *p, int first, const struct var *var)
{
	struct count c = { var, 0 };

	expr_walk(p->loop->until, count_use, &c);
	for (int i = first; i < p->loop->body.n && !c.n; i++)
		c.n += p->off[i] && needs(p->loop->body.at[i], var);
	return c.n > 0;
}

static bool needed_in_loop(const struct putting *p, int writer, const struct var *var)
{
	for (int i = 0; i < p->loop->body.n; i++)
		if ((i <= writer || !p->off[i]) && needs(p->loop->body.at[i], var))
			return true;
	return false;
}

static bool holds(const struct node *node, const struct node *inner)
{
	bool found = node == inner;

	for (int i = 0; i < node->body.n && !found; i++)
		found = holds(node->body.at[i], inner);
	return found;
}

/* By a statement beside the loop, or beside one around it. */
static bool needed_outside(const struct putting *p, struct node *const *at, int n,
                           const struct var *var)
{
	for (int i = 0; i < n; i++) {
		struct count c = { var, 0 };
		if (at[i] == p->loop)
			continue;
		if (!holds(at[i], p->loop) && needs(at[i], var))
			return true;
		expr_walk(at[i]->until, count_use, &c);
		if (holds(at[i], p->loop)
		    && (c.n || needed_outside(p, at[i]->body.at, at[i]->body.n, var)))
			return true;
	}
	return false;
}

static bool only_asked(const struct putting *p, int i)
{
	const struct node *node = p->loop->body.at[i];

	if (node->kind != NODE_PATTERN || !node_target(node, 0))
		return false;
	for (int k = 0; node_target(node, k); k++) {
		const struct var *var = target_read(node_target(node, k))->var;
		if (!asked_for(p, i + 1, var) || needed_in_loop(p, i, var)
		    || needed_outside(p, p->entry->body.at, p->entry->body.n, var))
			return false;
	}
	return true;
}

/* What is needed makes others needed. */
static void find_put_off(struct putting *p)
{
	bool changed = true;

	for (int i = 0; i < p->loop->body.n; i++)
		p->off[i] = p->loop->body.at[i]->kind == NODE_PATTERN;
	while (changed) {
		changed = false;
		for (int i = 0; i < p->loop->body.n; i++)
			if (p->off[i] && !only_asked(p, i)) {
				p->off[i] = false;
				changed = true;
			}
	}
}

static struct node *if_asked(const struct node *loop)
{
	struct node *made = NEW(struct node);

	*made = (struct node){ .kind = NODE_IF, .at = loop->at, .premise = loop->premise,
		               .name = "if", .until = loop->asks };
	return made;
}

static void wrap_put_off(struct node *loop, const bool *off)
{
	struct node *body = NULL, *const *at = loop->body.at;
	int n = loop->body.n;

	loop->body.at = NULL;
	loop->body.n = loop->body.room = 0;
	for (int i = 0; i < n; i++) {
		if (off[i] && !body) {
			body = if_asked(loop);
			list_add(&loop->body, body);
		} else if (!off[i]) {
			body = NULL;
		}
		if (body)
			list_add(&body->body, at[i]);
		else
			list_add(&loop->body, at[i]);
	}
}

static void put_off(const struct entry *e, struct node *const *at, int n)
{
	for (int i = 0; i < n; i++) {
		struct putting p = { e, at[i], NULL };
		put_off(e, at[i]->body.at, at[i]->body.n);
		if (!at[i]->asks)
			continue;
		p.off = mem_new((size_t)at[i]->body.n + 1);
		find_put_off(&p);
		wrap_put_off(at[i], p.off);
	}
}

void every_put_off(struct entry *e)
{
	put_off(e, e->body.at, e->body.n);
}
