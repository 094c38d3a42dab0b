/* stencil_hold.c - which near cells a stencil could hold in registers (stencil_registers.c), and
 * why not.
 *
 * Reads at index + constant along every axis are near.  Rows of one array that differ along the
 * march only are one chain: of its rows as many windows stand in registers as lie between the first
 * and the last.  Rows come in whole, whatever guards a read of them; that is safe where every index
 * of the domain is inside every array held (an offset can then leave on one side only, and the edge
 * says where to), for cells of the own index, and for what the column does not choose. */
#include "stencil_march.h"

enum { MOST_WORDS = 96 };                    /* registers for windows: more would spill */

static const char too_far[] = "it reaches too far for registers";

struct search {
	const struct node *node;
	struct register_plan *plan;
	LIST(const struct affine *) line;    /* extents of arrays of one axis, read along the row */
	const char *why;
};

static int march_of(const struct node *node)
{
	return node->index.n >= 3 ? node->index.n - 3 : node->index.n - 2;
}

static const struct expr *term_of(const struct search *s, const struct var *var)
{
	const struct carries *carries = s->plan->carries;
	for (int i = 0; carries && i < carries->term.n; i++)
		if (carries->term.at[i].var == var)
			return carries->term.at[i].term;
	return NULL;
}

static struct chain *chain_of(struct search *s, const struct var *var, const int64_t *offset)
{
	int rank = s->node->index.n, march = s->plan->march;
	for (int i = 0; i < s->plan->chain.n; i++) {
		struct chain *c = &s->plan->chain.at[i];
		bool same = c->var == var;
		for (int a = 0; a < rank - 1; a++)
			same = same && (a == march || c->across[a] == offset[a]);
		if (same)
			return c;
	}
	struct chain new = { .var = var, .term = term_of(s, var) };
	for (int a = 0; a < rank - 1; a++)
		new.across[a] = a == march ? 0 : offset[a];
	new.from = new.to = march < 0 ? 0 : offset[march];
	new.lo = new.hi = offset[rank - 1];
	list_add(&s->plan->chain, new);
	return &s->plan->chain.at[s->plan->chain.n - 1];
}

static bool hold(struct search *s, const struct expr *read, const int64_t *offset)
{
	int last = s->node->index.n - 1;
	int64_t step = s->plan->march < 0 ? 0 : offset[s->plan->march], column = offset[last];
	struct chain *c = chain_of(s, read->var, offset);
	int64_t from = step < c->from ? step : c->from, to = step > c->to ? step : c->to;
	if (to - from >= MAX_WINDOWS) {
		s->why = too_far;
		return false;
	}
	if (from < c->from)
		for (int w = MAX_WINDOWS - 1; w >= 0; w--) {
			int64_t was = w - (c->from - from);
			c->sample[w] = was >= 0 ? c->sample[was] : NULL;
			c->wide[w] = was >= 0 && c->wide[was];
		}
	c->from = from;
	c->to = to;
	c->lo = column < c->lo ? column : c->lo;
	c->hi = column > c->hi ? column : c->hi;
	c->sample[step - from] = read;
	c->wide[step - from] |= column != 0;
	return true;
}

static bool search_read(struct expr *e, void *state)
{
	struct search *s = state;
	const struct node *node = s->node;
	int64_t offset[MAX_RANK];
	if (e->kind == E_FOLD)
		s->why = "a fold inside reads cells one after another";
	if (e->kind != E_READ)
		return !s->why;
	if (e->checked)
		s->why = "an index is tested at run time";
	else if (e->type->kind == T_STRUCT)
		s->why = "its cells are structs";
	else if (var_home(e->var))
		s->why = "its cells lie in blocks";
	else if (stencil_near(node, e, offset))
		return hold(s, e, offset);
	else if (!access_own(node, e) && expr_uses(e, node->index.at[node->index.n - 1]))
		s->why = "it reads cells that are not near its own";
	else
		s->plan->all_near &= access_own(node, e);
	if (e->var->rank == 1 && node->index.n > 1
	    && expr_uses(e, node->index.at[node->index.n - 1]))
		list_add(&s->line, &e->var->extent[0]);
	return !s->why;
}

/* A row of a held array is whole vectors, or this instance does not run; so is a line of the same
 * length. */
static bool lines_whole(const struct search *s)
{
	for (int i = 0; i < s->line.n; i++) {
		bool whole = false;
		for (int c = 0; c < s->plan->chain.n; c++)
			whole |= affine_equal(
				s->line.at[i],
				&s->plan->chain.at[c].var->extent[s->node->index.n - 1]);
		if (!whole)
			return false;
	}
	return true;
}

bool chain_is_own(const struct chain *c)
{
	for (int a = 0; a < MAX_RANK; a++)
		if (c->across[a])
			return false;
	return true;
}

/* An array that is read at its own index only is a plain vector access. */
static void drop_own(struct register_plan *p)
{
	int n = 0;
	for (int i = 0; i < p->chain.n; i++) {
		bool own = p->chain.at[i].lo == 0 && p->chain.at[i].hi == 0;
		for (int j = 0; j < p->chain.n; j++)
			own = own && (i == j || p->chain.at[j].var != p->chain.at[i].var);
		if (!own || !chain_is_own(&p->chain.at[i]) || p->chain.at[i].from
		    || p->chain.at[i].to)
			p->chain.at[n++] = p->chain.at[i];
	}
	p->chain.n = n;
}

int64_t window_size(const struct register_plan *p, const struct chain *c)
{
	return c->hi - c->lo + p->width;
}

/* Shuffles move what a lane holds; a window holds the lane's own cells too. */
static void widen(struct chain *c)
{
	c->lo = c->lo > 0 ? 0 : c->lo;
	c->hi = c->hi < 0 ? 0 : c->hi;
	c->beside = -1;
	for (int w = 0; w <= c->to - c->from; w++) {
		c->nearest = c->wide[w] && c->beside < 0 ? w : c->nearest;
		c->beside = c->wide[w] ? w : c->beside;
	}
}

static void count_words(struct register_plan *p)
{
	int64_t words = 0;
	for (int i = 0; i < p->chain.n; i++) {
		const struct chain *c = &p->chain.at[i];
		int64_t each = (type_size(c->var->type) + 3) / 4;
		words += (c->to - c->from + 1) * window_size(p, c) * each;
	}
	p->words = words > INT32_MAX ? INT32_MAX : (int)words;
}

/* Chains of terms reach the plane where terms are computed, and come after the others.  False: some
 * plane is too far for that. */
static bool order_chains(struct register_plan *p)
{
	LIST(struct chain) term = { NULL, 0, 0 };
	bool near = true;
	p->arrays = 0;
	for (int i = 0; i < p->chain.n; i++) {
		struct chain *c = &p->chain.at[i];
		if (!c->term) {
			p->chain.at[p->arrays++] = *c;
			continue;
		}
		c->to = p->carries->far;
		near = near && c->to - c->from < MAX_WINDOWS;
		list_add(&term, *c);
	}
	for (int i = 0; i < term.n; i++)
		p->chain.at[p->arrays + i] = term.at[i];
	return near;
}

/* Of the node, or of what it is with carried terms. */
static struct register_plan *plan_of(const struct node *node, const struct carries *carries,
                                     const char **why)
{
	struct register_plan *plan = NEW(struct register_plan);
	int width = node->index.n ? cells_width(node) : 1;
	node = carries ? carries->node : node;
	struct search s = { .node = node, .plan = plan };
	if (node->index.n == 0)
		return *why = "it has no cells", NULL;
	plan->node = node;
	plan->carries = carries;
	plan->march = march_of(node);
	plan->all_near = true;
	plan->width = width;
	if (!node_is_box(node))
		return *why = "one index bounds another", NULL;
	for (int q = 0; q < node->equation.n && !s.why; q++) {
		const struct expr *target = node->equation.at[q]->target.at[0];
		if (target->kind != E_READ || target->checked || !access_own(node, target))
			s.why = "a target is not a cell of its own index";
		expr_walk(node->equation.at[q]->right, search_read, &s);
	}
	for (int i = 0; carries && i < carries->term.n && !s.why; i++)
		expr_walk(carries->term.at[i].term, search_read, &s);
	if (node->where && !s.why)
		expr_walk(node->where, search_read, &s);
	if (s.why)
		return *why = s.why, NULL;
	if (!lines_whole(&s))
		return *why = "it reads an array of one axis that is not as long as its rows", NULL;
	for (int i = 0; i < plan->chain.n; i++)
		widen(&plan->chain.at[i]);
	drop_own(plan);
	if (!order_chains(plan))
		return *why = too_far, NULL;
	count_words(plan);
	for (int i = 0; i < plan->chain.n; i++)
		for (int d = 0; d < node->index.n; d++)
			if (!cells_index_inside(node, d, &plan->chain.at[i].var->extent[d]))
				return *why = "an index may leave an array's extent without an "
				              "offset",
				       NULL;
	if (!plan->chain.n)
		return *why = "nothing is read at a constant offset from the cell", NULL;
	if (plan->words > MOST_WORDS)
		return *why = str_print("its windows take %d registers a thread, more than %d",
		                        plan->words, MOST_WORDS),
		       NULL;
	return plan;
}

/* Terms are carried if that takes few more registers than the cells that they are computed from. */
struct register_plan *register_plan_of(const struct node *node, const char **why)
{
	const char *no;
	struct register_plan *plain = plan_of(node, NULL, why);
	const struct carries *carries = node->index.n ? carries_of(node, march_of(node)) : NULL;
	struct register_plan *plan = carries ? plan_of(node, carries, &no) : NULL;
	return plan && (!plain || plan->words <= plain->words * 5 / 4) ? plan : plain;
}
