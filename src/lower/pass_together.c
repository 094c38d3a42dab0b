/* pass_together.c - a `repeat until` whose passes are one launch.
 *
 * Needs: the host's text and the kernels of a plan, complete.  Leaves: a kernel for each such loop,
 * and the host's choice between its launch and the loop.
 *
 * The kernel is the host's loop: all threads run it.  Where the host launches a kernel, the blocks
 * take the blocks of its grid in turns and meet at a barrier; where it clears memory, they share
 * the cells and meet.  So no pass costs a launch, and the loop ends in the pass in which its
 * condition holds.  What a block of the launched kernel computes is a function that both call
 * (kernel->part).
 *
 * All blocks must run at the same time: the launch is cooperative, of as many blocks as the device
 * holds, and at most as many as the largest grid has.  A device, or a call, that does not allow it
 * leaves the loop to the host.  Pointers that the loop swaps are variables of the kernel; the host
 * swaps its own as often as the loop would have, so that what follows finds the same in both
 * cases (plan_loop.c, Note [repeat until on a GPU]). */
#include "kircopy.h"
#include "lower.h"
#include "pass.h"
#include "plan.h"
#include "remark.h"

#include <string.h>

enum { MEETING_WORDS = 33 };                 /* patc_all_meet in backends/rt/gpu.h */

/* Of a `repeat until`: its word, and what the last barrier of the pass has told of it. */
struct ending { struct kx *stop, *ends; };

struct together {
	struct plan *plan;
	const struct options *options;
	struct ks *loop;
	struct kernel *k;
	struct kir_changes changes;          /* what the loop declares and assigns */
	struct kx *meeting;                  /* the barrier's words, in the kernel */
	struct ks_list head;                 /* what it begins with */
	LIST(struct kx *) arg;               /* of the launch */
	LIST(struct kernel *) part;
	int load, fewest;                    /* of the parts, in registers: resident() */
	LIST(struct ending) ending;          /* of those that are open, innermost last */
	const char *why;                     /* no: why not */
};

/* ---- may it be? ---- */

static bool is_swap(const struct ks *s)
{
	bool swap = s->kind == KS_SCOPE;
	for (int i = 0; swap && i < s->body.n; i++) {
		const struct ks *in = s->body.at[i];
		swap = (in->kind == KS_DECL && in->var->type.pointer)
		       || (in->kind == KS_SET && in->a->kind == KX_VAR && in->a->type.pointer);
	}
	return swap;
}

static void note_declared(const struct ks_list *list, struct map *declared)
{
	for (int i = 0; i < list->n; i++) {
		if (list->at[i]->var)
			*map_at(declared, list->at[i]->var) = list->at[i]->var;
		note_declared(&list->at[i]->body, declared);
		note_declared(&list->at[i]->otherwise, declared);
	}
}

static bool helps(const struct kx *x, const char *name)
{
	return x->kind == KX_HELP && strcmp(x->name, name) == 0;
}

static void host_only(struct kx *x, void *together)
{
	struct together *t = together;
	if (helps(x, "patc_units") || helps(x, "patc_may_ask"))
		t->why = "the host chooses by its device in it";
}

static void find_wait(struct kx *x, void *together)
{
	struct together *t = together;
	if (helps(x, "patc_state_load") || helps(x, "patc_await"))
		t->why = "blocks of a kernel of it wait for one another";
	if (helps(x, "patc_copy_out"))
		t->why = "what a kernel of it copies is there when the kernel has ended";
}

static void judge_launch(struct together *t, const struct ks *s)
{
	struct kernel *k = s->kernel;
	bool known = false;
	for (int i = 0; i < t->part.n; i++)
		known |= t->part.at[i] == k;
	if (!known) {
		list_add(&t->part, k);
		t->load += kernel_threads(k) > 1 ? 1 + !x_is_int(s->grid[2], 1) : 0;
		if (k->min_blocks > 1 && (!t->fewest || k->min_blocks < t->fewest))
			t->fewest = k->min_blocks;
	}
	if (k->asked_bytes || k->choice)
		t->why = "a kernel of it asks for shared memory, or is one of two instances";
	ks_walk(&k->body, find_wait, t);
}

/* declared: in the loop.  passes: what is in the list are the loop's passes. */
static void judge(struct together *t, const struct ks_list *list, const struct map *declared,
                  bool passes)
{
	for (int i = 0; i < list->n && !t->why; i++) {
		const struct ks *s = list->at[i];
		bool outer = s->kind == KS_SET
		             && (s->a->kind != KX_VAR || !map_get(declared, s->a->var));
		if (s->kind == KS_LAUNCH)
			judge_launch(t, s);
		if (passes && is_swap(s))
			continue;
		if (outer || s->kind == KS_RETURN)
			t->why = "a loop or a branch inside of it swaps arrays";
		judge(t, &s->body, declared, s->passes);
		judge(t, &s->otherwise, declared, false);
	}
}

/* All blocks have one size; a part of one thread may differ if it has no barrier. */
static void judge_blocks(struct together *t)
{
	int64_t shared = 0, limit = t->plan->target->shared_bytes;
	int most = 0;
	for (int i = 0; i < t->part.n; i++)
		most = kernel_threads(t->part.at[i]) > most ? kernel_threads(t->part.at[i]) : most;
	for (int i = 0; i < t->part.n; i++) {
		const struct kernel *k = t->part.at[i];
		shared += kernel_shared_bytes(k);
		const int threads = kernel_threads(k);
		if (threads != most && (ks_has(&k->body, KS_BARRIER) || threads > 1))
			t->why = "blocks of its kernels differ in size";
	}
	if (shared > limit)
		t->why = "its kernels have more shared memory than a block gets";
}

static bool may(struct together *t)
{
	const struct ks *loop = t->loop;
	struct map declared = { 0 };
	if (!pass_enabled(t->options, "together"))
		t->why = "--no-pass=together";
	note_declared(&loop->body, &declared);
	judge(t, &loop->body, &declared, true);
	ks_walk(&loop->body, host_only, t);
	if (!t->why && t->part.n)
		judge_blocks(t);
	map_free(&declared);
	return !t->why && t->part.n;
}

/* ---- the kernel ---- */

/* All learn whether the innermost `repeat until` that is open ends with this pass. */
static void meet(struct together *t)
{
	const struct ending *e = &t->ending.at[t->ending.n - 1];
	struct kx *arg[] = { t->meeting, e->stop };
	k_set(t->k, e->ends, x_help(kt_scalar(T_BOOL), "patc_all_meet", 2, arg));
}

/* A parameter; a variable that begins with its value if the loop assigns it. */
static struct kvar *outer(struct kir_copy *c, struct kvar *v)
{
	struct together *t = c->state;
	bool assigned = map_get(&t->changes.var, v);
	struct kvar *made = k_param(t->k, v->type,
	                            assigned ? str_print("%s_before", v->wanted) : v->wanted);
	made->restrict_ = false;
	list_add(&t->arg, x_var(v));
	if (assigned) {
		k_into(t->k, &t->head);
		made = k_var(t->k, v->type, v->wanted, x_var(made));
		k_end(t->k);
	}
	*map_at(&c->var, v) = made;
	return made;
}

/* The caller ends a body.  The block whose turn it is. */
static struct kx *open_turns(struct together *t, struct kx *all)
{
	struct kx *own = x_to_i64(x_id(ID_BLOCK_X));
	if (!x_is_int(all, 1))
		return x_var(k_for(t->k, "block", own, all, x_to_i64(x_id(ID_GRID_X)),
		                   FOR_ROLLED));
	k_if(t->k, x_eq(x_id(ID_BLOCK_X), x_i32(0)));
	return x_i64(0);
}

/* A block may use shared memory that the one before it still reads. */
static void share_launch(struct kir_copy *c, const struct ks *s)
{
	struct together *t = c->state;
	struct kernel *k = t->k, *part = s->kernel;
	struct kx *grid[3], **arg = mem_new((size_t)(s->n + 1) * sizeof *arg);
	for (int i = 0; i < 3; i++)
		grid[i] = x_to_i64(kir_copy_x(c, s->grid[i]));
	for (int i = 0; i < s->n; i++)
		arg[i] = kir_copy_x(c, s->arg[i]);
	struct kx *number = open_turns(t, kx_fold(x_mul(x_mul(grid[0], grid[1]), grid[2])));
	bool few = kernel_threads(part) < k->block[0];
	if (few)
		k_if(k, x_lt(x_id(ID_THREAD_X), x_i32(kernel_threads(part))));
	k_part(k, part, number, grid, s->n, arg);
	if (few)
		k_end(k);
	if (number->kind == KX_VAR && kernel_shared_bytes(part) > 0)
		k_barrier(k);
	k_end(k);
	meet(t);
}

static void share_clear(struct together *t, struct kir_copy *c, const struct ks *s)
{
	struct kx *arg[] = { kir_copy_x(c, s->a), x_to_i64(kir_copy_x(c, s->b)) };
	k_do(t->k, x_help(kt_scalar(T_I32), "patc_clear_all", 2, arg));
	meet(t);
}

static void command(struct kir_copy *c, const struct ks *s)
{
	if (s->kind == KS_LAUNCH)
		share_launch(c, s);
	else
		share_clear(c->state, c, s);
}

static struct kx *word_param(struct together *t, struct kx *host)
{
	struct kvar *word = k_param(t->k, kt_pointer(type_scalar(T_I64), true), "stop");
	word->restrict_ = false;
	list_add(&t->arg, host);
	return x_var(word);
}

static void begin_pass(struct kir_copy *c, const struct ks *loop)
{
	struct together *t = c->state;
	if (!loop->repeat)
		return;
	struct kvar *ends = k_var(t->k, kt_scalar(T_BOOL), "ends", x_int(T_BOOL, 0));
	list_add(&t->ending, ((struct ending){ word_param(t, loop->repeat->stop), x_var(ends) }));
}

static void end_pass(struct kir_copy *c, const struct ks *loop)
{
	struct together *t = c->state;
	if (!loop->repeat)
		return;
	k_if(t->k, t->ending.at[--t->ending.n].ends);
	k_break(t->k);
	k_end(t->k);
}

/* In a branch that is not taken, or a loop that has ended, no pass is to be. */
static void leave_early(struct together *t)
{
	for (int i = 0; i < t->loop->repeat->around.n; i++) {
		struct kx *word = word_param(t, t->loop->repeat->around.at[i]);
		k_if(t->k, x_ne(x_at(word, x_i32(0)), x_i64(0)));
		k_return(t->k, NULL);
		k_end(t->k);
	}
}

static struct kvar *own(struct kir_copy *c, struct kvar *v)
{
	(void)c;
	return v;
}

/* ---- the host ---- */

struct question { const struct kir_changes *changes; bool varies; };

static void ask_varies(struct kx *x, void *question)
{
	struct question *q = question;
	q->varies |= kx_opaque(x) || kx_memory(x) != MEMORY_NONE
	             || (x->kind == KX_VAR && map_get(&q->changes->var, x->var));
}

static bool is_invariant(const struct together *t, struct kx *x)
{
	struct question q = { .changes = &t->changes };
	kx_walk(x, ask_varies, &q);
	return !q.varies;
}

static struct kvar *same_before(const struct ks_list *before, const struct ks *s)
{
	for (int i = 0; i < before->n; i++) {
		const struct ks *b = before->at[i];
		if (b->kind == KS_DECL && b->var->kind == KV_LET && b->a && kx_same(b->a, s->a)
		    && kt_equal(b->var->type, s->var->type))
			return b->var;
	}
	return NULL;
}

/* 1 << bits, as the lanes of a block along a row. */
static bool is_power(const struct kx *x)
{
	if (x->kind == KX_VAR && x->var->kind == KV_LET && x->var->value)
		x = x->var->value;
	return x->kind == KX_OP && x->op == OP_SHL;
}

/* A number of lanes, parts, ...: at least 1, as its form shows? */
static bool is_positive(const struct kx *x)
{
	switch (x->kind) {
	case KX_INT:
		return x->i > 0;
	case KX_VAR:
		return x->var->kind == KV_LET && x->var->value && is_positive(x->var->value);
	case KX_CAST:
		return is_positive(x->arg[0]);
	case KX_COND:
		return is_positive(x->arg[1]) && is_positive(x->arg[2]);
	case KX_HELP:
		return (!strncmp(x->name, "patc_max_", 9)
		        && (is_positive(x->arg[0]) || is_positive(x->arg[1])))
		       || (!strncmp(x->name, "patc_min_", 9) && is_positive(x->arg[0])
		           && is_positive(x->arg[1]));
	case KX_OP:
		return (x->op == OP_SHL && is_positive(x->arg[0]))
		       || (x->op == OP_MUL && is_positive(x->arg[0]) && is_positive(x->arg[1]))
		       || (x->op == OP_DIV && is_positive(x->arg[0]) && is_power(x->arg[1]));
	default:
		return false;
	}
}

static void divide_by_some(struct kx *x, void *unused)
{
	(void)unused;
	bool quotient = x->kind == KX_OP && (x->op == OP_DIV || x->op == OP_REM)
	                && type_class(x->type.type) != 'F';
	if (quotient && !is_positive(x->arg[1]))
		x->arg[1] = x_max(x->arg[1], x_int(x->type.type->kind, 1));
}

/* Before the loop, where its condition may not hold: if there are no rows, it may divide by their
 * number. */
static struct kx *unconditional(struct kx *x)
{
	kx_walk(x, divide_by_some, NULL);
	return x;
}

/* What is the same in all passes is computed before them, also what only one way of a statement
 * needs: nothing of it has an effect. */
static void hoist(struct together *t, struct ks_list *body, struct ks_list *before)
{
	struct ks_list kept = { 0 };
	for (int i = 0; i < body->n; i++) {
		struct ks *s = body->at[i];
		bool let = s->kind == KS_DECL && s->var->kind == KV_LET;
		if (let)
			kx_walk(s->a, kx_use_same, NULL);
		if (let && is_invariant(t, s->a)) {
			s->a = unconditional(s->a);
			s->var->same = same_before(before, s);
			*map_at(&t->changes.var, s->var) = NULL;
			if (!s->var->same)
				list_add(before, s);
			continue;
		}
		hoist(t, &s->body, before);
		hoist(t, &s->otherwise, before);
		list_add(&kept, s);
	}
	*body = kept;
}

static struct kx *grid_blocks(const struct ks *launch)
{
	struct kx *all = x_i64(1);
	for (int d = 0; d < 3; d++)
		all = x_mul(all, x_to_i64(launch->grid[d]));
	return kx_fold(unconditional(all));
}

/* Of the largest grid: more blocks have nothing to do.  False: it is not known before the loop. */
static bool most_blocks(struct together *t, const struct ks_list *list, struct kx **most)
{
	bool known = true;
	for (int i = 0; i < list->n && known; i++) {
		const struct ks *s = list->at[i];
		struct kx *all = s->kind == KS_LAUNCH ? grid_blocks(s) : NULL;
		known = !all || is_invariant(t, all);
		if (all && !*most)
			*most = all;
		else if (all && !kx_same(all, *most))
			*most = kx_fold(x_max(*most, all));
		known = known && most_blocks(t, &s->body, most)
		        && most_blocks(t, &s->otherwise, most);
	}
	return known;
}

/* What the loop does in each pass, some of which may share visits. */
static const struct ks_list *pass_of(const struct ks *loop)
{
	for (int i = 0; i < loop->body.n; i++)
		if (loop->body.at[i]->passes && loop->body.at[i]->kind == KS_FOR)
			return &loop->body.at[i]->body;
	return &loop->body;
}

static void replay(struct together *t, struct ks_list *to)
{
	const struct ks_list *pass = pass_of(t->loop);
	struct kernel *host = t->plan->host;
	struct kir_copy c = { .to = host, .outer = own };
	int64_t order = t->loop->repeat->order;
	k_into(host, to);
	k_for(host, t->loop->var->wanted, x_i64(0), x_rem(t->loop->b, x_i64(order)), x_i64(1), 0);
	for (int i = 0; i < pass->n; i++)
		if (is_swap(pass->at[i]))
			kir_copy_list(&c, &(struct ks_list){ &pass->at[i], 1, 1 });
	k_end(host);
	k_end(host);
	map_free(&c.var);
}

/* Appends the choice to the list in the place of the loop. */
static void choose(struct together *t, struct ks_list *list)
{
	struct kernel *host = t->plan->host;
	struct kx *most = NULL;
	bool known = most_blocks(t, &t->loop->body, &most);
	struct kx *words = x_i64(MEETING_WORDS);
	struct kvar *meeting = plan_slot(t->plan, "meeting", type_scalar(T_U64), 1, &words);
	t->arg.at[0] = x_var(meeting);
	k_into(host, list);
	k_clear(host, x_var(meeting), x_i64(8 * MEETING_WORDS));
	struct kx *launched = x_var(k_launch_together(host, t->k, known ? most : x_i64(INT32_MAX),
	                                              t->arg.n, t->arg.at));
	bool swaps = t->loop->repeat->order > 1;
	k_if(host, swaps ? launched : x_unary(OP_NOT, launched));
	struct ks *branch = host->opener.at[host->opener.n - 1];
	k_end(host);
	if (swaps)
		replay(t, &branch->body);
	list_add(swaps ? &branch->otherwise : &branch->body, t->loop);
	k_end(host);
}

/* Blocks of a multiprocessor.  Registers are the limit: the loop has those of all parts that are
 * more than a thread, and a place in a grid of three axes takes as many as a part.  A part that
 * holds rows in registers says itself how many blocks fit.  Of three parts with 5 blocks ptxas
 * spills up to 60 bytes, with 6 twice as many.  On an H200 200 passes of five points over 4096^2
 * cells, with a test in every 20th, take 14.1, 11.3, 18.5, 11.0 and 9.5 ms with 2 to 6 blocks of
 * 256 threads, over 2048^2 cells 6.0, 3.1, 3.9, 2.9 and 3.3. */
static int resident(const struct together *t, int threads)
{
	int blocks = t->fewest ? t->fewest : t->load <= 3 ? 5 : 3;
	return threads > 256 ? (blocks * 256 + threads - 1) / threads : blocks;
}

static void make_kernel(struct together *t, struct ks_list *list)
{
	struct plan *plan = t->plan;
	struct kir_copy c = { .outer = outer, .command = command, .begin = begin_pass,
		              .end = end_pass, .state = t };
	t->k = kernel_new(kir_function(str_print("%s_together", plan->entry->c)), plan->target);
	c.to = t->k;
	t->k->note = str_name("All passes of a loop, by blocks that run at the same time.");
	t->k->node = t->part.at[0]->node;
	t->k->at = t->loop->at;
	t->k->block[1] = t->k->block[2] = 1;
	for (int i = 0; i < t->part.n; i++) {
		struct kernel *part = t->part.at[i];
		if (!part->part)
			part->part = kir_function(str_print("%s_block", part->name));
		if (part->node)                      /* else it clears an array, or tests */
			list_add(&t->k->more, part->node);
		for (int s = 0; s < part->more.n; s++)
			list_add(&t->k->more, part->more.at[s]);
		if (kernel_threads(part) > t->k->block[0])
			t->k->block[0] = kernel_threads(part);
	}
	t->k->min_blocks = resident(t, t->k->block[0]);
	struct kvar *words = k_param(t->k, kt_pointer(type_scalar(T_U64), false), "meeting");
	words->restrict_ = false;
	t->meeting = x_var(words);
	list_add(&t->arg, NULL);
	leave_early(t);
	kir_copy_list(&c, &(struct ks_list){ &t->loop, 1, 1 });
	for (int i = 0; i < t->k->body.n; i++)
		list_add(&t->head, t->k->body.at[i]);
	t->k->body = t->head;
	kirfold(t->k);
	kircheck(t->k);
	list_add(&plan->kernel, t->k);
	choose(t, list);
	map_free(&c.var);
}

/* ---- all loops ---- */

static struct node *first_node(const struct ks_list *list)
{
	struct node *first = NULL;
	for (int i = 0; i < list->n && !first; i++) {
		const struct ks *s = list->at[i];
		first = s->kind == KS_LAUNCH ? s->kernel->node : first_node(&s->body);
		first = first ? first : first_node(&s->otherwise);
	}
	return first;
}

static void loops_of(struct plan *plan, const struct options *, struct ks_list *list);

static void try_loop(struct plan *plan, const struct options *o, struct ks *loop,
                     struct ks_list *made)
{
	struct together t = { .plan = plan, .options = o, .loop = loop };
	struct node *node = first_node(&loop->body);
	kir_changes(&(struct ks_list){ &loop, 1, 1 }, &t.changes);
	hoist(&t, &loop->body, made);
	ks_walk(&loop->body, kx_use_same, NULL);
	bool made_one = may(&t);
	if (made_one) {
		make_kernel(&t, made);
	} else {
		loops_of(plan, o, &loop->body);
		list_add(made, loop);
	}
	map_free(&t.changes.var);
	if (node && made_one)
		remark_did(node, PASS_TOGETHER, EFFICIENCY, "all passes of its loop are one launch "
		           "of blocks that run at the same time, where the device allows it");
	else if (node && t.why)
		remark_not(node, PASS_TOGETHER, "%s", t.why);
}

static void loops_of(struct plan *plan, const struct options *o, struct ks_list *list)
{
	struct ks_list made = { 0 };
	for (int i = 0; i < list->n; i++) {
		struct ks *s = list->at[i];
		if (s->kind == KS_FOR && s->repeat) {
			try_loop(plan, o, s, &made);
			continue;
		}
		loops_of(plan, o, &s->body);
		loops_of(plan, o, &s->otherwise);
		list_add(&made, s);
	}
	*list = made;
}

/* ---- loops whose cells stay in the blocks: struct passes ---- */

static void tell_resident(const struct plan *plan, struct node *const *at, int n)
{
	for (int i = 0; i < n; i++) {
		if (!at[i]->choice.resident)
			continue;
		struct node *first = loop_first(at[i]);
		int64_t columns, rows = first->pattern->passes->tile(at[i], plan->target, &columns);
		remark_did(first, PASS_TOGETHER, EFFICIENCY, "where tiles of %lld columns and at "
		           "most %lld rows, one for each multiprocessor, cover its arrays, all "
		           "passes of its loop are one launch, and cells stay in shared memory",
		           (long long)columns, (long long)rows);
	}
}

/* The loops of the entry itself, since one inside of another has launches for each pass of that. */
void pass_together(struct plan *plan, const struct options *o)
{
	if (!plan->target->gpu)
		return;
	loops_of(plan, o, &plan->host->body);
	tell_resident(plan, plan->entry->body.at, plan->entry->body.n);
}
