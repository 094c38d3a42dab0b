/* plan.c - the host side of an entry: its variables, the workspace, launches in program order.
 * Temporaries are plan_lets.c's, loops and swaps plan_loop.c's. */
#include <assert.h>
#include <string.h>
#include "planner.h"
#include "wavefront.h"

struct planner *planner(struct plan *plan)
{
	return (struct planner *)plan;
}

/* ---- variables of the host function ---- */

struct kvar *home_of(struct plan *plan, const struct var *var)
{
	return map_get(&plan->home, var);
}

void set_home(struct plan *plan, struct var *var, struct kvar *kvar)
{
	*map_at(&plan->home, var) = kvar;
}

struct kx *host_var_x(struct plan *plan, const struct var *var)
{
	struct planner *p = planner(plan);
	for (int n = 0; n < p->now.n; n++)
		if (p->now.at[n].var == var)
			return x_var(p->now.at[n].at);
	for (int c = 0; c < p->counter.n; c++)
		if (p->counter.at[c].var == var)
			return x_var(p->counter.at[c].kvar);
	struct kvar *home = home_of(plan, var);
	assert(home && "the host knows every size, parameter, let and counter");
	return x_var(home);
}

struct kx *plan_aligned(struct plan *plan, const struct var *var, int64_t cells)
{
	struct kx *arg[] = { host_var_x(plan, var), x_i64(type_size(var->type) * cells) };
	return x_help(kt_scalar(T_BOOL), "patc_aligned", 2, arg);
}

struct lowering *host_lowering(struct plan *plan)
{
	struct lowering *l = &planner(plan)->host;
	*l = (struct lowering){
		.plan = plan, .target = plan->target, .k = plan->host, .now.no_wrap = true
	};
	return l;
}

struct kx *plan_let(struct plan *plan, const char *name, struct kx *value)
{
	return x_var(k_let(plan->host, name, value));
}

struct kx *plan_number(struct plan *plan, const char *name, struct kx *value)
{
	value = kx_fold(value);
	return value->kind == KX_INT ? value : plan_let(plan, name, value);
}

struct kx *lower_number(struct lowering *l, const char *name, struct kx *host)
{
	host = kx_fold(host);
	return host->kind == KX_INT ? host : lower_argument(l, name, host->type, host);
}

/* Is x never negative, as its form shows?  Of variables, sizes are. */
static bool is_natural(const struct plan *plan, const struct kx *x)
{
	if (x->kind == KX_INT)
		return x->i >= 0;
	for (int s = 0; x->kind == KX_VAR && s < plan->entry->size.n; s++)
		if (home_of((struct plan *)plan, plan->entry->size.at[s]) == x->var)
			return true;
	bool closed = x->kind == KX_OP && (x->op == OP_ADD || x->op == OP_MUL || x->op == OP_DIV);
	return closed && is_natural(plan, x->arg[0]) && is_natural(plan, x->arg[1]);
}

struct kx *plan_range(struct plan *plan, struct kx *lo, struct kx *hi)
{
	struct kx *size = kx_fold(x_sub(hi, lo));
	return is_natural(plan, size) ? size : x_max(size, x_i64(0));
}

/* All of its cells lie in the target, but those that a mask leaves out. */
struct kx *plan_most_cells(struct plan *plan, const struct node *node)
{
	const struct var *target = target_read(node_target(node, 0))->var;
	struct kx *all = x_i64(1);
	for (int a = 0; a < target->rank; a++)
		all = x_mul(all, lower_extent(host_lowering(plan), target, a));
	return node->where ? NULL : all;
}

struct kvar *plan_slot(struct plan *plan, const char *name, const struct type *type, int n,
                       struct kx *const *count)
{
	struct slot *slot = NEW(struct slot);
	slot->name = name;
	slot->type = type;
	for (int c = 0; c < n; c++)
		list_add(&slot->count, count[c]);
	slot->pointer = k_name(plan->host, KV_LET, kt_pointer(type, false), name);
	list_add(&plan->slot, slot);
	return slot->pointer;
}

/* The last of a list of n pointers becomes its first. */
static void last_to_front(void *list, int n)
{
	char *at = list, last[sizeof(void *)];
	const size_t others = (size_t)(n - 1) * sizeof last;
	memcpy(last, at + others, sizeof last);
	memmove(at + sizeof last, at, others);
	memcpy(at, last, sizeof last);
}

struct kvar *plan_first_slot(struct plan *plan, const char *name, int64_t words)
{
	struct kx *count[] = { x_i64(words) };
	struct kvar *slot = plan_slot(plan, name, type_scalar(T_I64), 1, count);
	k_clear(plan->host, x_var(slot), x_i64(words * type_size(type_scalar(T_I64))));
	struct ks_list *open = plan->host->open.at[plan->host->open.n - 1];
	struct ks_list *body = &plan->host->body;
	struct ks *clear = open->at[--open->n];
	list_add(body, clear);
	last_to_front(body->at, body->n);
	last_to_front(plan->slot.at, plan->slot.n);
	return slot;
}

struct kx *plan_systems(struct plan *plan, const struct node *node, int *number)
{
	if (!plan->systems)
		plan->systems = plan_first_slot(plan, "first_system", OFFENCE_WORDS);
	*number = 0;
	while (*number < plan->solved.n && plan->solved.at[*number] != node)
		++*number;
	if (*number == plan->solved.n)
		list_add(&plan->solved, node);
	return x_var(plan->systems);
}

void plan_limit(struct plan *plan, int n, const struct affine *const *extent, int64_t most)
{
	struct limit limit = { .most = most };
	for (int i = 0; i < n; i++)
		list_add(&limit.extent, extent[i]);
	list_add(&plan->limit, limit);
}

struct kvar *plan_ticket(struct plan *plan, int n, struct kx *const *count)
{
	return plan_zeros(plan, "ticket", type_scalar(T_U32), n, count);
}

struct kvar *plan_zeros(struct plan *plan, const char *name, const struct type *type, int n,
                        struct kx *const *count)
{
	struct kvar *slot = plan_slot(plan, name, type, n, count);
	struct kx *bytes = x_i64(type_size(type));
	for (int c = 0; c < n; c++)
		bytes = x_mul(count[c], bytes);
	if (!planner(plan)->loop && !planner(plan)->counter.n)   /* only where it is used */
		k_clear(plan->host, x_var(slot), bytes);
	else
		list_add(&planner(plan)->ticket, ((struct ticket){ slot, bytes }));
	return slot;
}

/* The word after the status is cleared with it, which spares a command: on an H200 1.7 us. */
struct kx *plan_flag(struct plan *plan, const char *name, bool records)
{
	if (records && !plan->flagged && !planner(plan)->loop) {
		plan->flagged = true;
		return x_offset(plan_status(plan), x_i32(1));
	}
	struct kx *slot = x_var(plan_slot(plan, name, type_scalar(T_I32), 0, NULL));
	k_clear(plan->host, slot, x_i64(type_size(type_scalar(T_I32))));
	return slot;
}

bool plan_in_loop(const struct plan *plan)
{
	return planner((struct plan *)plan)->depth > 0;
}

struct kx *plan_status(struct plan *plan)
{
	plan->records = true;
	if (!plan->status)
		plan->status = k_name(plan->host, KV_LET, kt_pointer(type_scalar(T_I32), false),
		                      "status");
	return x_var(plan->status);
}

static void host_parameters(struct plan *plan)
{
	const struct entry *e = plan->entry;
	for (int s = 0; s < e->size.n; s++)
		set_home(plan, e->size.at[s],
		         k_param(plan->host, kt_scalar(T_I64), e->size.at[s]->name));
	for (int a = 0; a < e->param.n; a++) {
		struct var *v = e->param.at[a];
		bool pointer = v->rank > 0 || var_on_device(v);
		struct ktype type = pointer ? kt_pointer(v->type, v->mode == MODE_IN) : kt(v->type);
		set_home(plan, v, k_param(plan->host, type, v->name));
	}
}

/* They are tested in a function of its own, before the body: one expression each. */
static void host_requires(struct plan *plan)
{
	for (int k = 0; k < plan->entry->require.n; k++) {
		struct kx *x = lower_expr(host_lowering(plan), plan->entry->require.at[k]);
		list_add(&plan->require, kx_fold(x));
	}
	assert(!plan->host->body.n && "conditions need no statements of their own");
}

/* ---- kernels in general ---- */

/* The outermost first: the words of a branch in one that is not taken are not set. */
static void plan_stops(struct lowering *l, const struct plan_loop *loop)
{
	if (!loop)
		return;
	plan_stops(l, loop->outer);
	const char *name = loop->node->kind == NODE_IF ? "branch" : "loop";
	struct kx *stop = lower_argument(l, name, kt_pointer(type_scalar(T_I64), true),
	                                 loop->control);
	l->stop = stop->var;
	k_if(l->k, x_ne(x_at(stop, x_i32(0)), x_i64(0)));
	k_return(l->k, NULL);
	k_end(l->k);
}

void plan_unless(struct plan *plan, struct kx *asked, struct kx *word)
{
	planner(plan)->unless = word;
	planner(plan)->unless_asked = asked;
}

static void plan_leaves(struct planner *p, struct lowering *l)
{
	if (!p->unless)
		return;
	struct kx *asked = p->unless_asked
	                           ? lower_argument(l, "asked", kt_scalar(T_BOOL), p->unless_asked)
	                           : NULL;
	struct kx *word = lower_argument(l, "unless", kt_pointer(type_scalar(T_I64), true),
	                                 p->unless);
	k_if(l->k, x_and(asked, x_ne(x_at(word, x_i32(0)), x_i64(0))));
	k_return(l->k, NULL);
	k_end(l->k);
}

/* The names that every kernel text may use. */
static void bind_machine(struct kernel *k, const struct target *t)
{
	int bits = 0;
	while (t->lanes >> (bits + 1))
		bits++;
	k_bind(k, "LANES", t->lanes);
	k_bind(k, "LANE_BITS", bits);
	k_bind(k, "MASK", type_scalar(t->lanes > 32 ? T_U64 : T_U32));
	k_bind(k, "MASK_BITS", t->lanes > 32 ? 64 : 32);
	if (t->gpu)
		k_bind(k, "thread", x_id(ID_THREAD_X));
}

struct lowering *lowering_new(struct plan *plan, const char *name)
{
	struct lowering *l = NEW(struct lowering);
	l->plan = plan;
	l->target = plan->target;
	l->k = kernel_new(str_print("%s_%s", plan->entry->c, name), plan->target);
	l->k->lowering = l;
	l->k->at = plan->host->at;
	bind_machine(l->k, l->target);
	plan_stops(l, planner(plan)->loop);
	plan_leaves(planner(plan), l);
	return l;
}

void lowering_writes(struct lowering *l, const struct node *node)
{
	l->k->at = node->at;
	l->now.drops = node_clause(node, "drop");
	for (int q = 0; q < node->equation.n; q++)
		for (int t = 0; t < node->equation.at[q]->target.n; t++) {
			const struct var *var = target_read(node->equation.at[q]->target.at[t])
			                                ->var;
			list_add(&l->written, var_home(var) ? var_home(var) : var);
		}
	for (int i = 0; node->wave && i < node->wave->line.n; i++)
		list_add(&l->written, node->wave->line.at[i].cell->var);
}

void lowering_shares(struct lowering *l)
{
	for (int p = 0; p < l->k->param.n; p++)
		if (l->k->param.at[p]->type.pointer && !l->k->param.at[p]->type.is_const)
			l->k->param.at[p]->restrict_ = false;
}

static void lowering_close(struct lowering *l)
{
	l->k->name = kir_function(l->k->name);
	kirfold(l->k);
	kircheck(l->k);
	list_add(&l->plan->kernel, l->k);
}

void lowering_launch(struct lowering *l, struct kx *gx, struct kx *gy, struct kx *gz)
{
	lowering_close(l);
	k_launch(l->plan->host, l->k, gx, gy, gz, l->arg.n, l->arg.at);
}

void lowering_launch_again(struct lowering *l, struct kernel *made, struct kx *blocks)
{
	k_launch(l->plan->host, made, blocks, x_i64(1), x_i64(1), l->arg.n, l->arg.at);
}

void lowering_launch_strided(struct lowering *l, struct kx *blocks)
{
	struct kx *most = x_i64(l->target->max_grid_x);
	lowering_launch(l, x_min(blocks, most), x_i64(1), x_i64(1));
}

struct kx *lowering_launch_together(struct lowering *l, struct kx *blocks)
{
	lowering_close(l);
	return x_var(k_launch_together(l->plan->host, l->k, blocks, l->arg.n, l->arg.at));
}

/* ---- statements ---- */

static void plan_pattern(struct plan *plan, struct node *node)
{
	if (node->group && node->group->anchor != node)
		return;                                   /* part of another statement's kernel */
	struct group *group = node->group;
	if (!group) {
		group = NEW(struct group);
		group->anchor = node;
	}
	int first = plan->kernel.n;
	node->pattern->lower(plan, group);
	for (int k = first; k < plan->kernel.n; k++)
		plan->kernel.at[k]->node = node;
}

void plan_body(struct plan *plan, struct node *const *at, int n)
{
	for (int i = 0; i < n && program_fits(at[i]->at); i++) {
		struct node *node = at[i], *other = NULL;
		plan->host->at = node->at;
		switch (node->kind) {
		case NODE_PATTERN:
			plan_pattern(plan, node);
			break;
		case NODE_SWAP:
			plan_swap(plan, node);
			break;
		case NODE_SPARE:
			break;
		case NODE_REPEAT_COUNT:
			plan_count(plan, node);
			break;
		case NODE_REPEAT_UNTIL:
			plan_until(plan, node);
			break;
		case NODE_IF:
			if (i + 1 < n && at[i + 1]->is_else)
				other = at[++i];
			plan_if(plan, node, other);
			break;
		}
		if (planner(plan)->loop && (settles(node) || (other && settles(other))))
			settle(plan, true);
	}
}

/* ---- the whole ---- */

/* The clears go before everything else: a ticket may be used in any pass of a loop. */
static void clear_tickets(struct planner *p)
{
	struct ks_list body = p->plan.host->body;
	p->plan.host->body = (struct ks_list){ 0 };
	p->plan.host->open.at[0] = &p->plan.host->body;
	for (int t = 0; t < p->ticket.n; t++)
		k_clear(p->plan.host, x_var(p->ticket.at[t].slot), p->ticket.at[t].bytes);
	for (int s = 0; s < body.n; s++)
		list_add(&p->plan.host->body, body.at[s]);
}

static void note_launched(const struct ks_list *list, struct map *launched)
{
	for (int i = 0; i < list->n; i++) {
		const struct ks *s = list->at[i];
		if (s->kernel)
			*map_at(launched, s->kernel) = s->kernel;
		note_launched(&s->body, launched);
		note_launched(&s->otherwise, launched);
	}
}

/* Lowerings offer the host what it may choose from; of constants it is known already what it never
 * will. */
static void keep_launched(struct plan *plan)
{
	struct map launched = { 0 };
	int kept = 0;
	note_launched(&plan->host->body, &launched);
	for (int k = 0; k < plan->kernel.n; k++)
		if (map_get(&launched, plan->kernel.at[k]))
			plan->kernel.at[kept++] = plan->kernel.at[k];
	plan->kernel.n = kept;
}

struct plan *plan_entry(const struct entry *entry, const struct target *target)
{
	struct planner *p = NEW(struct planner);
	struct plan *plan = &p->plan;
	plan->entry = entry;
	plan->target = target;
	plan->host = kernel_new(entry->c, target);
	plan->host->is_host = true;
	host_parameters(plan);
	host_requires(plan);
	host_lets(plan);
	find_swaps(p, entry->body.at, entry->body.n);
	host_now(p);
	clear_lets(plan, NULL, entry->body.at, entry->body.n);
	plan_body(plan, entry->body.at, entry->body.n);
	settle(plan, false);
	domains_limit(plan, entry->body.at, entry->body.n);
	clear_tickets(p);
	kirfold(plan->host);
	keep_launched(plan);
	return plan;
}

/* The sizes of the workspace are computed in a function of their own, whatever the bodies of what
 * they need. */
static void mark_wide(struct kx *x, void *state)
{
	if (x->kind != KX_VAR || x->var->is_wide)
		return;
	x->var->is_wide = true;
	kx_walk(x->var->value, mark_wide, state);
}

void plan_names(struct plan *plan)
{
	for (int s = 0; s < plan->slot.n; s++)
		for (int c = 0; c < plan->slot.at[s]->count.n; c++)
			kx_walk(plan->slot.at[s]->count.at[c], mark_wide, NULL);
	kirnames(plan->host);
	for (int k = 0; k < plan->kernel.n; k++)
		kirnames(plan->kernel.at[k]);
}

void plan_dump(const struct plan *plan, FILE *out)
{
	fprintf(out, "plan %s for %s\n", plan->entry->name, plan->target->name);
	for (int s = 0; s < plan->slot.n; s++)
		fprintf(out, "  workspace %s: %s, %d factors\n", plan->slot.at[s]->name,
		        type_name(plan->slot.at[s]->type), plan->slot.at[s]->count.n);
	kernel_dump(plan->host, out);
}
