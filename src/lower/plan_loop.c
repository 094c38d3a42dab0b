/* plan_loop.c - loops, branches and swaps.
 *
 * swap exchanges two host pointers (a_now, b_now) and moves nothing.  Before the function ends,
 * settle() exchanges contents wherever a parameter's cells lie in another buffer, so that the
 * caller finds under each name what the text says, whatever the number of steps.
 *
 * Note [repeat until on a GPU]: the host is never consulted.  It enqueues every pass up to the
 * limit; each kernel first tests the loop's stop flag, and the kernel that evaluates the condition
 * counts the passes that ran.  The host's pointers then stand where `limit` passes would have left
 * them, the contents where `passes` left them: restore() rotates the contents (limit - passes)
 * times, decided on the device.  Where the device allows it, pass_together.c makes one launch of
 * the passes.  On a CPU the host reads the condition and breaks. */
#include "planner.h"

/* ---- swaps ---- */

static struct now *now_of(struct plan *plan, const struct var *var)
{
	struct planner *p = planner(plan);
	for (int n = 0; n < p->now.n; n++)
		if (p->now.at[n].var == var)
			return &p->now.at[n];
	return NULL;
}

static int swap_set(struct planner *p, const struct var *var)
{
	const struct now *now = now_of(&p->plan, var);
	if (now)
		return now->set;
	int set = p->now.n;
	list_add(&p->now, ((struct now){ .var = var, .set = set }));
	return set;
}

void find_swaps(struct planner *p, struct node *const *at, int n)
{
	for (int i = 0; i < n; i++) {
		if (node_exchanges(at[i])) {
			int to = swap_set(p, at[i]->swap[0]), from = swap_set(p, at[i]->swap[1]);
			for (int v = 0; v < p->now.n; v++)
				if (p->now.at[v].set == from)
					p->now.at[v].set = to;
		}
		find_swaps(p, at[i]->body.at, at[i]->body.n);
	}
}

void host_now(struct planner *p)
{
	for (int n = 0; n < p->now.n; n++) {
		struct now *now = &p->now.at[n];
		now->home = home_of(&p->plan, now->var);
		now->at = k_var(p->plan.host, now->home->type, str_print("%s_now", now->var->name),
		                x_var(now->home));
	}
}

void plan_swap(struct plan *plan, const struct node *node)
{
	struct kernel *host = plan->host;
	struct kx *a = host_var_x(plan, node->swap[0]), *b = host_var_x(plan, node->swap[1]);
	k_scope(host);
	struct kvar *held = k_let(host, "held", a);
	k_set(host, a, b);
	k_set(host, b, x_var(held));
	k_end(host);
}

/* ---- passes ---- */

static struct kx *limit_of(struct plan *plan, const struct node *node)
{
	return x_max(x_to_i64(lower_expr(host_lowering(plan), node->limit)), x_i64(0));
}

static void open_passes(struct plan *plan, const struct node *node, struct kx *first,
                        struct kx *limit)
{
	const char *name = node->counter ? node->counter->name : "pass";
	struct kvar *pass = k_for(plan->host, name, first, limit, x_i64(1), 0);
	if (node->counter)
		list_add(&planner(plan)->counter, ((struct counter){ node->counter, pass }));
	clear_lets(plan, node, node->body.at, node->body.n);
	planner(plan)->depth++;
	plan_body(plan, node->body.at, node->body.n);
	planner(plan)->depth--;
}

static struct ks *opened(struct plan *plan)
{
	return plan->host->opener.at[plan->host->opener.n - 1];
}

static bool has_spare(const struct node *loop)
{
	bool has = false;
	for (int i = 0; i < loop->body.n; i++)
		has |= loop->body.at[i]->kind == NODE_SPARE;
	return has;
}

/* Launches of several passes each, before pass `end`: pass_time.c.  On a GPU all have as many; on a
 * CPU the last one has fewer.  The passes done; `first` of them were before.
 *
 * Note [repeat until on a GPU]: which launch was the last the host does not know.  So two of those
 * that exchange names with spare arrays go together, and leave the names as they were. */
static struct kx *plan_visits(struct plan *plan, const struct node *node, struct kx *first,
                              struct kx *end)
{
	const struct passes *passes = loop_first(node)->pattern->passes;
	const bool gpu = plan->target->gpu;
	struct kernel *host = plan->host;
	struct kx *done = x_var(k_var(host, kt_scalar(T_I64), "done", first));
	struct kx *many = x_i64(node->choice.time);
	if (node->choice.resident && !planner(plan)->depth)
		passes->reside(plan, node, done, end);
	const bool pairs = gpu && node->asks && has_spare(node);
	struct kx *next = x_add(done, pairs ? x_mul(x_i64(2), many) : many);
	struct kx *left = gpu ? x_le(next, end) : x_lt(done, end);
	k_while(host, x_and(passes->when(plan, node), left));
	opened(plan)->passes = true;
	if (pairs) {
		k_for(host, "visit", x_i64(0), x_i64(2), x_i64(1), 0);
		opened(plan)->passes = true;
	}
	if (!gpu)
		many = passes->passes(plan, node, x_sub(end, done));
	passes->launch(plan, node, done, many);
	k_set(host, done, x_add(done, many));
	if (pairs)
		k_end(host);
	k_end(host);
	return done;
}

static struct kx *visits_end(const struct node *node, struct kx *limit)
{
	return node->choice.last_apart ? x_sub(limit, x_i64(1)) : limit;
}

static void plan_passes(struct plan *plan, const struct node *node, struct kx *limit)
{
	struct kx *first = x_i64(0);
	if (node->choice.time > 1)
		first = plan_visits(plan, node, first, visits_end(node, limit));
	open_passes(plan, node, first, limit);
	k_end(plan->host);
}

/* The host chooses: all passes in one launch of one block, or launches of their statements. */
static void plan_repeat(struct plan *plan, const struct node *node,
                        void (*launches)(struct plan *, const struct node *, struct kx *))
{
	struct kx *limit = x_var(k_let(plan->host, "limit", limit_of(plan, node)));
	if (node->choice.one_block) {
		k_if(plan->host, block_loop_pays(plan, node, limit));
		block_loop_launch(plan, node, limit);
		k_else(plan->host);
	}
	launches(plan, node, limit);
	if (node->choice.one_block)
		k_end(plan->host);
}

void plan_count(struct plan *plan, const struct node *node)
{
	plan_repeat(plan, node, plan_passes);
}

/* ---- the permutation a loop's swaps make ---- */

static bool has_swap(const struct node *node)
{
	for (int i = 0; i < node->body.n; i++)
		if (node_exchanges(node->body.at[i]) || has_swap(node->body.at[i]))
			return true;
	return false;
}

bool settles(const struct node *node)
{
	return node->kind != NODE_PATTERN && !node_exchanges(node) && has_swap(node);
}

static bool body_settles(const struct node *node)
{
	for (int i = 0; i < node->body.n; i++)
		if (settles(node->body.at[i]))
			return true;
	return false;
}

/* sigma[v]: whose buffer v has one pass later.  Where a pass settles, every pass ends alike:
 * nothing turns. */
static void pass_permutation(struct plan *plan, const struct node *node, int *sigma)
{
	struct planner *p = planner(plan);
	for (int v = 0; v < p->now.n; v++)
		sigma[v] = v;
	if (body_settles(node))
		return;
	for (int i = 0; i < node->body.n; i++) {
		const struct node *s = node->body.at[i];
		if (s->kind != NODE_SWAP)
			continue;
		int a = (int)(now_of(plan, s->swap[0]) - p->now.at),
		    b = (int)(now_of(plan, s->swap[1]) - p->now.at);
		int held = sigma[a];
		sigma[a] = sigma[b];
		sigma[b] = held;
	}
}

static int64_t permutation_order(const int *sigma, int n)
{
	int64_t order = 1;
	for (int v = 0; v < n; v++) {
		int64_t length = 1;
		for (int w = sigma[v]; w != v; w = sigma[w])
			length++;
		order = order / gcd(order, length) * length;
	}
	return order;
}

/* Of the body that is open, for pass_together.c. */
static void note_repeat(struct plan *plan, const struct plan_loop *loop)
{
	struct planner *p = planner(plan);
	struct ks_repeat *repeat = NEW(struct ks_repeat);
	int *sigma = mem_new(sizeof *sigma * (size_t)(p->now.n + 1));
	pass_permutation(plan, loop->node, sigma);
	repeat->stop = loop->control;
	repeat->order = permutation_order(sigma, p->now.n);
	for (const struct plan_loop *outer = loop->outer; outer; outer = outer->outer)
		list_add(&repeat->around, outer->control);
	opened(plan)->repeat = repeat;
}

/* Moves what lies at now[v] to now[sigma[v]], for every cycle once. */
static void rotate(struct plan *plan, const int *sigma, struct plan_loop *loop, struct kx *limit,
                   int64_t order, int64_t done)
{
	struct planner *p = planner(plan);
	for (int v = 0; v < p->now.n; v++) {
		bool smallest = true;
		for (int w = sigma[v]; w != v; w = sigma[w])
			smallest &= v < w;
		for (int w = sigma[v]; smallest && w != v; w = sigma[w])
			exchange_owed(plan, p->now.at[v].var, x_var(p->now.at[v].at),
			              x_var(p->now.at[w].at), loop, limit, order, done);
	}
}

/* Note [repeat until on a GPU] */
static void restore(struct plan *plan, const struct node *node, struct plan_loop *loop,
                    struct kx *limit)
{
	struct planner *p = planner(plan);
	int *sigma = mem_new(sizeof *sigma * (size_t)(p->now.n + 1));
	pass_permutation(plan, node, sigma);
	int64_t order = permutation_order(sigma, p->now.n);
	for (int64_t done = 0; done < order - 1; done++)
		rotate(plan, sigma, loop, limit, order, done);
}

/* Of passes that ask, each counts those before it that did not. */
static struct kx *passes_a_test(struct lowering *l, const struct node *node)
{
	if (!node->every)
		return x_i64(1);
	return lower_number(l, "every", lower_expr(host_lowering(l->plan), node->every));
}

/* passes += 1; if (condition) stop = 1 */
static void test_pass(struct lowering *l, const struct node *node, struct kx *loop)
{
	struct kx *passes = x_at(loop, x_i32(1));
	k_set(l->k, passes, x_add(passes, passes_a_test(l, node)));
	k_if(l->k, lower_expr(l, node->until));
	k_set(l->k, x_at(loop, x_i32(0)), x_i64(1));
	k_end(l->k);
}

static void launch_until(struct plan *plan, const struct node *node, struct kx *control)
{
	struct lowering *l = lowering_new(plan, "until");
	l->k->note = "Counts the pass and tests whether it was the last.";
	l->k->at = node->at;
	l->k->block[0] = l->k->block[1] = l->k->block[2] = 1;
	test_pass(l, node,
	          lower_argument(l, "loop", kt_pointer(type_scalar(T_I64), false), control));
	lowering_launch(l, x_i64(1), x_i64(1), x_i64(1));
}

bool plan_in_until(struct plan *plan)
{
	return planner(plan)->loop != NULL;
}

/* One thread has just stored what the statement folds: if the pass ends here it may test the
 * condition too, which saves a launch a pass. */
void plan_tail(struct lowering *l, const struct node *node)
{
	struct plan_loop *loop = l->plan ? planner(l->plan)->loop : NULL;
	if (!loop || loop->last != node || !l->stop)
		return;
	loop->tested = true;
	l->stop->type.is_const = false;         /* the flag that this kernel tested when it began */
	l->stop->restrict_ = false;
	k_note(l->k, "the pass is counted, and whether it was the last");
	test_pass(l, loop->node, x_var(l->stop));
}

/* Of a loop whose passes do not all ask, only one that runs in those that do. */
static const struct node *last_statement(const struct node *repeat)
{
	const struct node *body = repeat, *last = NULL;
	for (int i = repeat->body.n - 1; i >= 0 && !last; i--)
		last = repeat->body.at[i]->kind == NODE_SWAP ? NULL : repeat->body.at[i];
	if (last && node_put_off(repeat, last)) {
		body = last;
		last = body->body.at[body->body.n - 1];
	}
	bool asks = !repeat->asks || body != repeat;
	return last && last->kind == NODE_PATTERN && asks ? last : NULL;
}

static void test_apart(struct plan *plan, const struct node *node, struct kx *control)
{
	if (node->asks)
		k_if(plan->host, lower_expr(host_lowering(plan), node->asks));
	launch_until(plan, node, control);
	if (node->asks)
		k_end(plan->host);
}

/* Of passes that share visits those that ask are launched by themselves: a round of the loop is the
 * passes up to the next of them.  Visits, or two of them, exchange pointers as often as their
 * passes would, but for pairs of times.  The first pass after them, and
 * the end of the round. */
static struct kx *open_round(struct plan *plan, const struct node *node, struct kx *limit,
                             struct kx **end)
{
	struct kernel *host = plan->host;
	struct kx *every = x_var(k_let(host, "every", lower_expr(host_lowering(plan),
	                                                         node->every)));
	struct kx *begin = x_var(k_for(host, "begin", x_i64(0), limit, every, 0));
	struct kx *asks = x_var(k_let(host, "asks", x_sub(x_add(begin, every), x_i64(1))));
	*end = x_min(x_add(asks, x_i64(1)), limit);
	return plan_visits(plan, node, begin, x_min(asks, visits_end(node, limit)));
}

static void open_all(struct plan *plan, const struct node *node, struct kx *limit)
{
	const bool rounds = node->choice.time > 1;
	struct kx *end = limit, *first = rounds ? open_round(plan, node, limit, &end) : x_i64(0);
	open_passes(plan, node, first, end);
	opened(plan)->passes = rounds;
}

static void close_all(struct plan *plan, const struct node *node, const struct plan_loop *loop)
{
	if (node->choice.time > 1)
		k_end(plan->host);
	note_repeat(plan, loop);
	k_end(plan->host);
}

static void plan_until_gpu(struct plan *plan, const struct node *node, struct kx *limit)
{
	struct planner *p = planner(plan);
	struct kx *two = x_i64(2);
	struct kvar *slot = plan_slot(plan, "loop", type_scalar(T_I64), 1, &two);
	struct plan_loop loop = { x_var(slot), p->loop, node, last_statement(node), false };
	k_clear(plan->host, x_var(slot), x_i64(16));
	p->loop = &loop;
	open_all(plan, node, limit);
	if (!loop.tested)
		test_apart(plan, node, loop.control);
	close_all(plan, node, &loop);
	p->loop = loop.outer;
	if (has_swap(node))
		restore(plan, node, &loop, limit);
}

/* if (condition) break, of the pass, and of the round that it is in */
static void leave(struct plan *plan, struct kx *condition, struct kvar *ended)
{
	k_if(plan->host, condition);
	if (ended)
		k_set(plan->host, x_var(ended), x_int(T_BOOL, 1));
	k_break(plan->host);
	k_end(plan->host);
}

static void plan_until_cpu(struct plan *plan, const struct node *node, struct kx *limit)
{
	const bool rounds = node->choice.time > 1;
	struct lowering *host = host_lowering(plan);
	struct kx *end = limit, *first = rounds ? open_round(plan, node, limit, &end) : x_i64(0);
	struct kvar *ended = NULL;
	if (rounds)
		ended = k_var(plan->host, kt_scalar(T_BOOL), "ended", x_int(T_BOOL, 0));
	open_passes(plan, node, first, end);
	struct kx *asks = node->asks ? lower_expr(host, node->asks) : NULL;
	leave(plan, x_and(asks, lower_expr(host, node->until)), ended);
	k_end(plan->host);
	if (rounds) {
		leave(plan, x_var(ended), NULL);
		k_end(plan->host);
	}
}

void plan_until(struct plan *plan, const struct node *node)
{
	plan_repeat(plan, node, plan->target->gpu ? plan_until_gpu : plan_until_cpu);
}

/* ---- branches ---- */

static void plan_block(struct plan *plan, const struct node *node)
{
	clear_lets(plan, node, node->body.at, node->body.n);
	planner(plan)->depth++;
	plan_body(plan, node->body.at, node->body.n);
	planner(plan)->depth--;
}

/* The words of a branch: has it stopped, and its passes; those of else after them. */
static void set_branch(struct kernel *k, struct kx *branch, struct kx *holds, bool other)
{
	const int stop = other ? 2 : 0;
	k_set(k, x_at(branch, x_i32(stop)), x_cond(holds, x_i64(other), x_i64(!other)));
	k_set(k, x_at(branch, x_i32(stop + 1)), x_cond(holds, x_i64(!other), x_i64(other)));
}

static void launch_test(struct plan *plan, const struct node *node, bool both, struct kx *control)
{
	struct lowering *l = lowering_new(plan, "if");
	l->k->note = "Tests a condition: kernels of a branch that is not taken return at once.";
	l->k->at = node->at;
	l->k->block[0] = l->k->block[1] = l->k->block[2] = 1;
	struct kx *branch = lower_argument(l, "branch", kt_pointer(type_scalar(T_I64), false),
	                                   control);
	struct kvar *holds = k_let(l->k, "holds", lower_expr(l, node->until));
	set_branch(l->k, branch, x_var(holds), false);
	if (both)
		set_branch(l->k, branch, x_var(holds), true);
	lowering_launch(l, x_i64(1), x_i64(1), x_i64(1));
}

/* Note [repeat until on a GPU]: a loop of one pass, which has stopped before it if the branch is
 * not taken.  What settles in the block leaves pointers at home, and moves cells there only if the
 * branch is taken: so they are at home before it, and where it ends. */
static void plan_branch(struct plan *plan, const struct node *node, struct kx *control)
{
	struct planner *p = planner(plan);
	struct plan_loop loop = { control, p->loop, node, NULL, false };
	if (body_settles(node))
		settle(plan, true);
	p->loop = &loop;
	plan_block(plan, node);
	if (body_settles(node))
		settle(plan, true);
	p->loop = loop.outer;
	if (has_swap(node))
		restore(plan, node, &loop, x_i64(1));
}

static void plan_if_device(struct plan *plan, const struct node *node, const struct node *other)
{
	struct kx *words = x_i64(other ? 4 : 2);
	struct kx *control = x_var(plan_slot(plan, "branch", type_scalar(T_I64), 1, &words));
	launch_test(plan, node, other, control);
	plan_branch(plan, node, control);
	if (other)
		plan_branch(plan, other, x_offset(control, x_i32(2)));
}

static void plan_if_host(struct plan *plan, const struct node *node, const struct node *other)
{
	k_if(plan->host, lower_expr(host_lowering(plan), node->until));
	plan_block(plan, node);
	if (other) {
		k_else(plan->host);
		plan_block(plan, other);
	}
	k_end(plan->host);
}

void plan_if(struct plan *plan, const struct node *node, const struct node *other)
{
	bool device = expr_on_device(node->until);
	(device && plan->target->gpu ? plan_if_device : plan_if_host)(plan, node, other);
}

void settle(struct plan *plan, bool lets_too)
{
	struct planner *p = planner(plan);
	struct kernel *host = plan->host;
	for (int v = 0; v < p->now.n; v++) {
		struct now *now = &p->now.at[v];
		if (now->var->kind == VAR_LET && !lets_too)
			continue;
		k_if(host, x_ne(x_var(now->at), x_var(now->home)));
		exchange(plan, now->var, x_var(now->at), x_var(now->home));
		for (int u = v + 1; u < p->now.n; u++) {
			if (p->now.at[u].set != now->set)
				continue;
			k_if(host, x_eq(x_var(p->now.at[u].at), x_var(now->home)));
			k_set(host, x_var(p->now.at[u].at), x_var(now->at));
			k_end(host);
		}
		k_set(host, x_var(now->at), x_var(now->home));
		k_end(host);
	}
}
