/* plan_one_block.c - a repeat that one block runs in one launch (pass_loop.c says which may be).
 *
 * The kernel is the loop as it is written.  The threads share the cells of a statement, and a
 * barrier follows each statement, so that the next one reads what it has written: cells stay in
 * global memory, which the caches hold.  No array that the loop writes is a restrict parameter, or
 * a compiler might keep its cells in registers across a barrier.
 *
 * Conditions on device scalars are evaluated by one thread, which shares the result.  A swap
 * exchanges pointers that are variables of the kernel; before it ends, the block exchanges contents
 * where they do not lie as the host expects, which is where they lay before the loop.
 *
 * The host estimates the work by the pass in the middle of the loop: ranges that shrink from pass
 * to pass have half their length there.  What takes one block as long as a launch takes is
 * BLOCK_WORK. */
#include "pass.h"
#include "planner.h"

enum {
	THREADS = 512,       /* of the block: twice as many would have half the registers each */
	MOST_PASSES = 64     /* of an inner loop that are counted */
};

/* ---- host: does it pay? ---- */

/* So large that no loop with it pays, and so small that products of two do not overflow. */
static struct kx *capped(struct kx *count)
{
	return x_min(count, x_i64(INT64_C(1) << 30));
}

/* NULL: one, or nothing */
static struct kx *times(struct kx *a, struct kx *b)
{
	return a && b ? capped(x_mul(a, b)) : a ? a : b;
}

static struct kx *plus(struct kx *a, struct kx *b)
{
	return a && b ? capped(x_add(a, b)) : a ? a : b;
}

/* The cells of a range; its variable has the value in the middle from here on. */
static struct kx *middle_range(struct lowering *host, const struct var *index,
                               const struct expr *lo, const struct expr *hi)
{
	struct kx *first = lower_index(host, lo), *end = lower_index(host, hi);
	struct kx *cells = plan_let(host->plan, str_print("%s_cells", index->name),
	                            capped(plan_range(host->plan, first, end)));
	lower_bind(host, index, x_add(first, x_div(cells, x_i64(2))));
	return cells;
}

/* Terms of all folds of an expression; NULL: it has none. */
static struct kx *terms_of(struct lowering *host, const struct expr *e)
{
	struct kx *terms = NULL, *own = NULL;
	for (int d = 0; expr_folds(e) && d < e->fold->index.n; d++)
		own = times(own, middle_range(host, e->fold->index.at[d], e->fold->lo.at[d],
		                              e->fold->hi.at[d]));
	for (int a = 0; a < e->arg.n; a++)
		terms = plus(terms, terms_of(host, e->arg.at[a]));
	return times(own, terms);
}

static struct kx *statement_work(struct lowering *host, const struct node *node)
{
	struct kx *cells = NULL, *terms = NULL;
	for (int d = 0; d < node->index.n; d++)
		cells = times(cells, middle_range(host, node->index.at[d], node->lo.at[d],
		                                  node->hi.at[d]));
	for (int q = 0; q < node->equation.n; q++)
		terms = plus(terms, terms_of(host, node->equation.at[q]->right));
	struct kx *work = times(cells, terms);
	return work ? work : x_i64(1);
}

/* Of a body: cells, times terms, and launches that are saved. */
struct load { struct kx *work, *launches; };

static struct load body_load(struct lowering *host, struct node *const *at, int n);

static struct kx *positive(struct kx *x)
{
	return x_max(x_to_i64(x), x_i64(0));
}

/* A few passes are enough to make the work of an inner loop that of the loop around it. */
static struct load loop_load(struct lowering *host, const struct node *node)
{
	struct kx *passes = plan_let(host->plan, "passes", positive(lower_expr(host, node->limit)));
	if (node->counter)
		lower_bind(host, node->counter, x_div(passes, x_i64(2)));
	struct load body = body_load(host, node->body.at, node->body.n);
	struct kx *counted = x_min(passes, x_i64(MOST_PASSES));
	return (struct load){ x_mul(counted, body.work), x_mul(counted, body.launches) };
}

static struct load node_load(struct lowering *host, const struct node *node)
{
	if (node->kind == NODE_PATTERN)
		return (struct load){ statement_work(host, node), x_i64(1) };
	return node->limit ? loop_load(host, node) : body_load(host, node->body.at, node->body.n);
}

static struct load body_load(struct lowering *host, struct node *const *at, int n)
{
	struct load all = { x_i64(0), x_i64(0) };
	for (int i = 0; i < n; i++) {
		if (node_exchanges(at[i]))
			continue;
		struct load one = node_load(host, at[i]);
		all.work = x_add(all.work, one.work);
		all.launches = x_add(all.launches, one.launches);
	}
	return (struct load){ kx_fold(all.work), kx_fold(all.launches) };
}

struct kx *block_loop_pays(struct plan *plan, const struct node *node, struct kx *limit)
{
	struct lowering *host = host_lowering(plan);
	if (node->counter)
		lower_bind(host, node->counter, plan_let(plan, "middle", x_div(limit, x_i64(2))));
	struct load pass = body_load(host, node->body.at, node->body.n);
	return x_le(pass.work, x_mul(x_i64(BLOCK_WORK), pass.launches));
}

/* ---- swaps ---- */

/* An array that the loop swaps: where it lay before, the variable with where it is. */
struct moved { const struct var *var; struct kx *home, *now; };

struct block_loop { struct lowering *l; LIST(struct moved) moved; };

static bool is_moved(const struct block_loop *b, const struct var *var)
{
	for (int m = 0; m < b->moved.n; m++)
		if (b->moved.at[m].var == var)
			return true;
	return false;
}

static void note_moved(struct block_loop *b, const struct var *var)
{
	if (is_moved(b, var))
		return;
	list_add(&b->l->written, var);
	struct kx *home = lower_pointer(b->l, var);
	struct kvar *now = k_var(b->l->k, home->type, str_print("%s_now", var->name), home);
	lower_bind(b->l, var, x_var(now));
	list_add(&b->moved, ((struct moved){ var, home, x_var(now) }));
}

static void find_moved(struct block_loop *b, struct node *const *at, int n)
{
	for (int i = 0; i < n; i++) {
		for (int k = 0; at[i]->kind == NODE_SWAP && k < 2; k++)
			note_moved(b, at[i]->swap[k]);
		find_moved(b, at[i]->body.at, at[i]->body.n);
	}
}

static void swap_pointers(struct block_loop *b, const struct node *node)
{
	struct kx *x = lower_pointer(b->l, node->swap[0]), *y = lower_pointer(b->l, node->swap[1]);
	k_scope(b->l->k);
	struct kvar *held = k_let(b->l->k, "held", x);
	k_set(b->l->k, x, y);
	k_set(b->l->k, y, x_var(held));
	k_end(b->l->k);
}

/* As settle() does on the host: each array lies where it lay before the loop.  A thread exchanges
 * the same cells of all arrays, so that no barrier is needed. */
static void move_back(struct block_loop *b)
{
	struct kernel *k = b->l->k;
	for (int m = 0; m < b->moved.n; m++) {
		const struct moved *v = &b->moved.at[m];
		k_if(k, x_ne(v->now, v->home));
		block_exchange(b->l, v->var, v->now, v->home);
		for (int u = m + 1; u < b->moved.n; u++) {
			if (!kt_equal(b->moved.at[u].now->type, v->now->type))
				continue;
			k_if(k, x_eq(b->moved.at[u].now, v->home));
			k_set(k, b->moved.at[u].now, v->now);
			k_end(k);
		}
		k_end(k);
	}
}

/* ---- the kernel ---- */

static void block_body(struct block_loop *b, const struct node *scope);

/* A bool that all threads agree on; what it reads may change from here on. */
static struct kx *agreed(struct block_loop *b, const char *name, const struct expr *condition)
{
	struct lowering *l = b->l;
	if (!expr_on_device(condition))
		return lower_expr(l, condition);
	struct kx *shared = x_at(x_var(k_shared(l->k, type_scalar(T_BOOL), name, 1)), x_i32(0));
	k_if(l->k, x_eq(x_id(ID_THREAD_X), x_i32(0)));
	k_set(l->k, shared, lower_expr(l, condition));
	k_end(l->k);
	k_barrier(l->k);
	struct kvar *holds = k_let(l->k, "holds", shared);
	k_barrier(l->k);
	return x_var(holds);
}

static void block_passes(struct block_loop *b, const struct node *node, struct kx *limit)
{
	struct lowering *l = b->l;
	const char *name = node->counter ? node->counter->name : "pass";
	struct kvar *pass = k_for(l->k, name, x_i64(0), limit, x_i64(1), FOR_ROLLED);
	if (node->counter)
		lower_bind(l, node->counter, x_var(pass));
	block_body(b, node);
	if (node->asks)
		k_if(l->k, lower_expr(l, node->asks));
	if (node->until) {
		k_if(l->k, agreed(b, "ends", node->until));
		k_break(l->k);
		k_end(l->k);
	}
	if (node->asks)
		k_end(l->k);
	k_end(l->k);
}

static void block_if(struct block_loop *b, const struct node *node, const struct node *other)
{
	k_scope(b->l->k);
	k_if(b->l->k, agreed(b, "taken", node->until));
	block_body(b, node);
	if (other) {
		k_else(b->l->k);
		block_body(b, other);
	}
	k_end(b->l->k);
	k_end(b->l->k);
}

static void block_statement(struct block_loop *b, const struct node *node)
{
	struct lower_context before = b->l->now;
	k_scope(b->l->k);
	lowering_writes(b->l, node);
	node->pattern->block(b->l, node);
	k_end(b->l->k);
	k_barrier(b->l->k);
	b->l->now = before;
}

static void block_node(struct block_loop *b, const struct node *node, const struct node *other)
{
	struct lowering *l = b->l;
	switch (node->kind) {
	case NODE_PATTERN:
		block_statement(b, node);
		break;
	case NODE_SWAP:
		swap_pointers(b, node);
		break;
	case NODE_SPARE:
		break;
	case NODE_REPEAT_COUNT:
	case NODE_REPEAT_UNTIL:
		block_passes(b, node, x_to_i64(lower_expr(l, node->limit)));
		break;
	case NODE_IF:
		block_if(b, node, other);
		break;
	}
}

static void block_body(struct block_loop *b, const struct node *scope)
{
	if (block_clears(b->l, scope))
		k_barrier(b->l->k);
	for (int i = 0; i < scope->body.n; i++) {
		const struct node *node = scope->body.at[i], *other = NULL;
		if (i + 1 < scope->body.n && scope->body.at[i + 1]->is_else)
			other = scope->body.at[++i];
		block_node(b, node, other);
	}
}

/* Before the first is lowered, the kernel knows what all of them write. */
static void note_statements(struct lowering *l, struct node *const *at, int n)
{
	for (int i = 0; i < n; i++) {
		if (at[i]->kind == NODE_PATTERN) {
			lowering_writes(l, at[i]);
			list_add(&l->k->more, at[i]);
		}
		note_statements(l, at[i]->body.at, at[i]->body.n);
	}
}

void block_loop_launch(struct plan *plan, const struct node *node, struct kx *limit)
{
	struct lowering *l = lowering_new(plan, "loop");
	struct block_loop b = { .l = l };
	l->k->note = "All passes of a loop, by one block.";
	l->k->block[1] = l->k->block[2] = 1;
	note_statements(l, node->body.at, node->body.n);
	l->k->block[0] = THREADS;
	l->k->min_blocks = 1;            /* left alone, ptxas spills to fit more blocks */
	l->k->at = node->at;
	find_moved(&b, node->body.at, node->body.n);
	block_passes(&b, node, lower_argument(l, "limit", kt_scalar(T_I64), limit));
	move_back(&b);
	lowering_shares(l);
	lowering_launch(l, x_i64(1), x_i64(1), x_i64(1));
}
