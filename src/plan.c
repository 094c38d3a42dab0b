/* plan.c - the host side of an entry: workspace, launches in program order, loops, swaps.
 *
 * swap exchanges two host pointers (a_now, b_now) and moves nothing.  Before the function ends, settle()
 * exchanges contents wherever a parameter's cells lie in another buffer, so that the caller finds under
 * each name what the text says, whatever the number of steps.
 *
 * Note [repeat until on a GPU]: the host is never consulted.  It enqueues every pass up to the limit; each
 * kernel first tests the loop's stop flag, and the kernel that evaluates the condition counts the passes
 * that ran.  The host's pointers then stand where `limit` passes would have left them, the contents where
 * `passes` left them: restore() rotates the contents (limit - passes) times, decided on the device.  On a
 * CPU the host reads the condition and breaks. */
#include <assert.h>
#include <string.h>
#include "lower.h"
#include "wavefront.h"

/* control[0]: stop, control[1]: passes; last: the statement of the body behind which nothing is launched */
struct plan_loop {
	struct kx *control;
	struct plan_loop *outer;
	const struct node *node, *last;
	bool tested;                             /* a kernel of the body tests the condition */
};
struct now { const struct var *var; struct kvar *home, *at; int set; };   /* an array some swap names; */
                                          /* only those of one set ever lie in each other's buffers */
struct counter { const struct var *var; struct kvar *kvar; };
struct ticket { struct kvar *slot; struct kx *bytes; };

/* struct plan with what only this file needs to know */
struct planner {
	struct plan plan;
	LIST(struct now) now;
	LIST(struct counter) counter;
	LIST(struct ticket) ticket;
	struct plan_loop *loop;
	struct kx *unless, *unless_asked;        /* plan_unless */
	int depth;                       /* of repeats around what is planned */
	struct lowering host;
	struct map uses;                 /* by body: uses_of */
	struct map exchanger;            /* by type: the kernel that exchanges arrays of it */
};

static struct planner *planner(struct plan *plan)
{
	return (struct planner *)plan;
}

/* ---- variables of the host function ---- */

static struct kvar *home_of(struct plan *plan, const struct var *var)
{
	return map_get(&plan->home, var);
}

static void set_home(struct plan *plan, struct var *var, struct kvar *kvar)
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
	*l = (struct lowering){ .plan = plan, .target = plan->target, .k = plan->host, .index = true };
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

struct kvar *plan_slot(struct plan *plan, const char *name, const struct type *type, int n, struct kx *const *count)
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

void plan_limit(struct plan *plan, int n, const struct affine *const *extent, int64_t most)
{
	struct limit limit = { .most = most };
	for (int i = 0; i < n; i++)
		list_add(&limit.extent, extent[i]);
	list_add(&plan->limit, limit);
}

struct kvar *plan_ticket(struct plan *plan, int n, struct kx *const *count)
{
	struct kvar *slot = plan_slot(plan, "ticket", type_scalar(T_U32), n, count);
	struct kx *bytes = x_i64(type_size(type_scalar(T_U32)));
	for (int c = 0; c < n; c++)
		bytes = x_mul(count[c], bytes);
	if (!planner(plan)->loop && !planner(plan)->counter.n)   /* only where it is used */
		k_clear(plan->host, x_var(slot), bytes);
	else
		list_add(&planner(plan)->ticket, ((struct ticket){ slot, bytes }));
	return slot;
}

/* The word behind the status is cleared with it, which spares a command: on an H200 1.7 us. */
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
		plan->status = k_name(plan->host, KV_LET, kt_pointer(type_scalar(T_I32), false), "status");
	return x_var(plan->status);
}

static void host_parameters(struct plan *plan)
{
	const struct entry *e = plan->entry;
	for (int s = 0; s < e->size.n; s++)
		set_home(plan, e->size.at[s], k_param(plan->host, kt_scalar(T_I64), e->size.at[s]->name));
	for (int a = 0; a < e->param.n; a++) {
		struct var *v = e->param.at[a];
		bool pointer = v->rank > 0 || var_on_device(v);
		struct ktype type = pointer ? kt_pointer(v->type, v->mode == MODE_IN) : kt(v->type);
		set_home(plan, v, k_param(plan->host, type, v->name));
	}
}

/* ---- lets ---- */

/* Which statements of a body, counted from 0, use a variable. */
struct span { int first, last; };
struct noting { struct map *uses; int at; };

static void note_var(struct noting *n, const struct var *var)
{
	void **span = map_at(n->uses, var);
	if (!*span)
		*span = memcpy(NEW(struct span), &(struct span){ n->at, n->at }, sizeof(struct span));
	((struct span *)*span)->last = n->at;
}

static bool note_expr(struct expr *e, void *noting)
{
	if (e->kind == E_VAR || e->kind == E_READ)
		note_var(noting, var_home(e->var) ? var_home(e->var) : e->var);
	return true;
}

/* Swapped arrays, and lines of a wavefront. */
static void note_others(const struct node *s, struct noting *n)
{
	for (int k = 0; s->kind == NODE_SWAP && k < 2; k++)
		note_var(n, s->swap[k]);
	for (int i = 0; s->wave && i < s->wave->line.n; i++)
		note_var(n, s->wave->line.at[i].cell->var);
	for (int i = 0; i < s->body.n; i++)
		note_others(s->body.at[i], n);
}

/* Made once for each body: asked for every let. */
static const struct map *uses_of(struct plan *plan, struct node *const *at, int n)
{
	static const struct map none;
	if (n == 0)
		return &none;
	void **uses = map_at(&planner(plan)->uses, at);
	if (!*uses) {
		struct noting noting = { *uses = NEW(struct map), 0 };
		for (; noting.at < n; noting.at++) {
			node_walk(at[noting.at], note_expr, &noting);
			note_others(at[noting.at], &noting);
		}
	}
	return *uses;
}

static bool fused_away(struct plan *plan, const struct var *var)
{
	return !map_get(uses_of(plan, plan->entry->body.at, plan->entry->body.n), var);
}

/* Cells of an axis, and what lies between. */
static struct kx *stored_along(struct lowering *l, const struct var *var, int axis)
{
	return var_tiled(var) ? lower_whole_tiles(l, var, axis) : lower_pitch(l, var, axis);
}

/* Cells and what lies between them, in elements of what the pointer shows. */
static struct kx *stored_count(struct plan *plan, const struct var *var)
{
	struct lowering *l = host_lowering(plan);
	const struct layout *layout = var->layout;
	struct kx *count = x_i64(1);
	for (int a = 0; a < var->rank; a++)
		count = a ? x_mul(count, stored_along(l, var, a)) : stored_along(l, var, a);
	if (!layout || layout->block <= 0)
		return count;
	return x_div_up(count, x_i64(layout->block));
}

static void host_lets(struct plan *plan)
{
	struct lowering *l = host_lowering(plan);
	for (int t = 0; t < plan->entry->let.n; t++) {
		struct var *v = plan->entry->let.at[t];
		if (v->on_chip || fused_away(plan, v))
			continue;
		struct kx *count[MAX_RANK];
		for (int a = 0; a < v->rank; a++)
			count[a] = stored_along(l, v, a);
		bool blocks = v->layout && v->layout->block > 0;
		if (blocks)
			count[0] = stored_count(plan, v);
		set_home(plan, v, plan_slot(plan, v->name, v->type, blocks ? 1 : v->rank, count));
		if (v->ring && v->ring->kept)
			set_home(plan, v->ring->kept, k_let(plan->host, v->ring->kept->name, lower_kept(l, v->ring)));
	}
}

/* Does this statement write every cell of var before anything reads it? */
static bool writes_all(const struct node *s, const struct var *var)
{
	return node_fills(s, var) && !node_reads(s, var) && !node_checked(s);
}

/* Something may read a cell of var that nothing wrote.  A loop that writes it first in every pass is enough
 * where nothing behind the loop uses it: the loop may make no pass. */
static bool must_clear(struct plan *plan, struct node *const *at, int n, const struct var *var)
{
	const struct span *span = map_get(uses_of(plan, at, n), var);
	if (!span)
		return false;
	const struct node *s = at[span->first];
	if (s->kind == NODE_PATTERN)
		return !writes_all(s, var);
	return s->kind == NODE_SWAP || span->last > span->first || must_clear(plan, s->body.at, s->body.n, var);
}

static struct kx *cell_count(struct plan *plan, const struct var *var)
{
	struct lowering *l = host_lowering(plan);
	struct kx *count = x_i64(1);
	for (int a = 0; a < var->rank; a++)
		count = a ? x_mul(count, lower_extent(l, var, a)) : lower_extent(l, var, a);
	return count;
}

/* ---- kernels of the plan's own: exchange and clear, one cell a thread ---- */

static struct kx *blocks_for(struct plan *plan, struct kx *count)
{
	return x_div_up(count, x_i64(plan->target->block));
}

/* Opens the loop over cells i in 0 .. count; the caller appends the body and calls close_cells. */
static struct kx *open_cells(struct lowering *l, struct kx *count)
{
	if (!l->target->gpu)
		return x_var(k_for(l->k, "i", x_i64(0), count, x_i64(1), FOR_PARALLEL));
	l->k->block[0] = l->target->block;
	l->k->block[1] = l->k->block[2] = 1;
	struct kx *block = x_mul(x_to_i64(x_id(ID_BLOCK_X)), x_i64(l->target->block));
	struct kvar *i = k_let(l->k, "i", x_add(block, x_to_i64(x_id(ID_THREAD_X))));
	k_if(l->k, x_lt(x_var(i), count));
	return x_var(i);
}

static void close_cells(struct lowering *l, struct kx *host_count)
{
	k_end(l->k);
	lowering_launch(l, blocks_for(l->plan, host_count), x_i64(1), x_i64(1));
}

static bool holds_array(const struct type *type)
{
	for (int f = 0; type->kind == T_STRUCT && f < type->record->field.n; f++)
		if (type->record->field.at[f].type->kind == T_ARRAY || holds_array(type->record->field.at[f].type))
			return true;
	return false;
}

/* Structs that hold arrays go element by element: clang for HIP holds a whole one in scratch memory. */
static void exchange_value(struct lowering *l, struct kx *a, struct kx *b)
{
	const struct type *type = a->type.type;
	for (int f = 0; holds_array(type) && f < type->record->field.n; f++) {
		const struct field *field = &type->record->field.at[f];
		if (field->type->kind != T_ARRAY) {
			exchange_value(l, x_field(a, field), x_field(b, field));
			continue;
		}
		struct kx *at = x_var(k_for(l->k, "k", x_i64(0), x_i64(type_cells(field->type)), x_i64(1), 0));
		exchange_value(l, x_elem(a, field, at), x_elem(b, field, at));
		k_end(l->k);
	}
	if (holds_array(type))
		return;
	struct kvar *held = k_let(l->k, "held", a);
	k_set(l->k, a, b);
	k_set(l->k, b, x_var(held));
}

/* Cell number i, row by row, in its tile. */
static struct kx *cell_in_tiles(struct lowering *l, const struct var *var, struct kx *i)
{
	struct kx *sub[MAX_RANK];
	for (int a = var->rank - 1; a > 0; a--) {
		struct kx *extent = lower_extent(l, var, a);
		sub[a] = x_var(k_let(l->k, "sub", x_rem(i, extent)));
		i = x_var(k_let(l->k, "rest", x_div(i, extent)));
	}
	sub[0] = i;
	return x_var(k_let(l->k, "at", lower_tiled(l, var, sub)));
}

/* What lies between the cells stays where it is: it may not be ours. */
static void exchange_cell(struct lowering *l, const struct var *var, struct kx *a, struct kx *b, struct kx *i)
{
	const struct layout *layout = var->layout;
	if (layout && layout->pitched) {
		struct kx *row = lower_extent(l, var, var->rank - 1), *pitch = lower_pitch(l, var, var->rank - 1);
		i = x_var(k_let(l->k, "at", x_add(x_mul(x_div(i, row), pitch), x_rem(i, row))));
	}
	if (var_tiled(var))
		i = cell_in_tiles(l, var, i);
	if (!layout || layout->block <= 0) {
		exchange_value(l, x_at(a, i), x_at(b, i));
		return;
	}
	for (int f = 0; f < layout->record->field.n; f++) {
		const struct field *field = &layout->record->field.at[f];
		struct kx *at, *lane = lower_lane(layout->block, i, &at);
		int64_t values = field->type->extent[0] / layout->block;
		struct kx *v = x_var(k_for(l->k, "v", x_i64(0), x_i64(values), x_i64(1), 0));
		lane = x_add(x_mul(v, x_i64(layout->block)), lane);
		exchange_value(l, x_elem(x_at(a, at), field, lane), x_elem(x_at(b, at), field, lane));
		k_end(l->k);
	}
}

/* Launches the kernel that exchanges the cells at x and y. */
static void exchange_cells(struct lowering *l, const struct var *var, struct kx *a, struct kx *b)
{
	struct kx *x = lower_argument(l, "x", kt_pointer(var->type, false), a);
	struct kx *y = lower_argument(l, "y", kt_pointer(var->type, false), b);
	struct kx *host_count = cell_count(l->plan, var);
	struct kx *count = lower_argument(l, "count", kt_scalar(T_I64), host_count);
	exchange_cell(l, var, x, y, open_cells(l, count));
	close_cells(l, host_count);
}

static struct lowering *exchange_open(struct plan *plan)
{
	struct lowering *l = lowering_new(plan, "exchange");
	l->k->note = "Exchanges the contents of two arrays.";
	return l;
}

/* Exchanges the contents of two buffers; outside of loops, whose flags it would have to test, one kernel does
 * for all arrays of a type, unless their rows stand apart. */
static void exchange(struct plan *plan, const struct var *var, struct kx *a, struct kx *b)
{
	struct planner *p = planner(plan);
	bool share = !p->loop && is_dense(var);
	struct kernel *known = share ? map_get(&p->exchanger, var->type) : NULL;
	if (known) {
		struct kx *count = cell_count(plan, var), *arg[] = { a, b, count };
		k_launch(plan->host, known, blocks_for(plan, count), x_i64(1), x_i64(1), 3, arg);
		return;
	}
	struct lowering *l = exchange_open(plan);
	if (share)
		*map_at(&p->exchanger, var->type) = l->k;
	exchange_cells(l, var, a, b);
}

/* Likewise, only if the loop still owes more than `done` rotations. */
static void exchange_owed(struct plan *plan, const struct var *var, struct kx *a, struct kx *b,
                          struct plan_loop *loop, struct kx *limit, int64_t order, int64_t done)
{
	struct lowering *l = exchange_open(plan);
	struct kx *control = lower_argument(l, "loop", kt_pointer(type_scalar(T_I64), true), loop->control);
	struct kx *most = lower_argument(l, "limit", kt_scalar(T_I64), limit);
	struct kx *owed = x_rem(x_sub(most, x_at(control, x_i32(1))), x_i64(order));
	k_if(l->k, x_le(owed, x_i64(done)));
	k_return(l->k, NULL);
	k_end(l->k);
	exchange_cells(l, var, a, b);
}

static void clear_let(struct plan *plan, const struct var *var)
{
	struct kx *pointer = host_var_x(plan, var), *count = stored_count(plan, var);
	if (!planner(plan)->loop || !plan->target->gpu) {
		k_clear(plan->host, pointer, x_mul(count, x_i64(type_size(var->type))));
		return;
	}
	/* inside a loop that may have stopped only a kernel that tests the flag may write */
	struct lowering *l = lowering_new(plan, "clear");
	l->k->note = "A temporary that reads as zero where nothing wrote it.";
	struct kx *x = lower_argument(l, "x", kt_pointer(var->type, false), pointer);
	struct kx *n = lower_argument(l, "count", kt_scalar(T_I64), count);
	struct kx *i = open_cells(l, n);
	k_set(l->k, x_at(x, i), lower_zero(var->type));
	close_cells(l, count);
}

static void clear_lets(struct plan *plan, const struct node *scope, struct node *const *at, int n)
{
	for (int t = 0; t < plan->entry->let.n; t++) {
		const struct var *v = plan->entry->let.at[t];
		if (v->scope == scope && !v->on_chip && must_clear(plan, at, n, v))
			clear_let(plan, v);
	}
}

/* ---- kernels in general ---- */

static void plan_stops(struct plan *plan, struct lowering *l)
{
	for (struct plan_loop *loop = planner(plan)->loop; loop; loop = loop->outer) {
		struct kx *stop = lower_argument(l, "loop", kt_pointer(type_scalar(T_I64), true), loop->control);
		l->stop = l->stop ? l->stop : stop->var;
		k_if(l->k, x_ne(x_at(stop, x_i32(0)), x_i64(0)));
		k_return(l->k, NULL);
		k_end(l->k);
	}
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
	struct kx *asked = p->unless_asked ? lower_argument(l, "asked", kt_scalar(T_BOOL), p->unless_asked) : NULL;
	struct kx *word = lower_argument(l, "unless", kt_pointer(type_scalar(T_I64), true), p->unless);
	k_if(l->k, x_and(asked, x_ne(x_at(word, x_i32(0)), x_i64(0))));
	k_return(l->k, NULL);
	k_end(l->k);
}

struct lowering *lowering_new(struct plan *plan, const char *name)
{
	struct lowering *l = NEW(struct lowering);
	l->plan = plan;
	l->target = plan->target;
	l->k = kernel_new(str_print("%s_%s", plan->entry->name, name), plan->target);
	plan_stops(plan, l);
	plan_leaves(planner(plan), l);
	return l;
}

void lowering_writes(struct lowering *l, const struct node *node)
{
	l->k->line = node->at.line;
	l->drops = node_clause(node, "drop");
	for (int q = 0; q < node->equation.n; q++)
		for (int t = 0; t < node->equation.at[q]->target.n; t++) {
			const struct var *var = target_read(node->equation.at[q]->target.at[t])->var;
			list_add(&l->written, var_home(var) ? var_home(var) : var);
		}
	for (int i = 0; node->wave && i < node->wave->line.n; i++)
		list_add(&l->written, node->wave->line.at[i].cell->var);
}

void lowering_launch(struct lowering *l, struct kx *gx, struct kx *gy, struct kx *gz)
{
	l->k->name = kir_function(l->k->name);
	kirfold(l->k);
	kircheck(l->k);
	list_add(&l->plan->kernel, l->k);
	k_launch(l->plan->host, l->k, gx, gy, gz, l->arg.n, l->arg.at);
}

/* ---- statements ---- */

static void plan_body(struct plan *plan, struct node *const *at, int n);

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

static struct now *now_of(struct plan *plan, const struct var *var)
{
	struct planner *p = planner(plan);
	for (int n = 0; n < p->now.n; n++)
		if (p->now.at[n].var == var)
			return &p->now.at[n];
	return NULL;
}

static void plan_swap(struct plan *plan, const struct node *node)
{
	struct kernel *host = plan->host;
	struct kx *a = host_var_x(plan, node->swap[0]), *b = host_var_x(plan, node->swap[1]);
	k_scope(host);
	struct kvar *held = k_let(host, "held", a);
	k_set(host, a, b);
	k_set(host, b, x_var(held));
	k_end(host);
}

static struct kx *limit_of(struct plan *plan, const struct node *node)
{
	return x_max(x_to_i64(lower_expr(host_lowering(plan), node->limit)), x_i64(0));
}

static void open_passes(struct plan *plan, const struct node *node, struct kx *limit)
{
	const char *name = node->counter ? node->counter->name : "pass";
	struct kvar *pass = k_for(plan->host, name, x_i64(0), limit, x_i64(1), 0);
	if (node->counter)
		list_add(&planner(plan)->counter, ((struct counter){ node->counter, pass }));
	clear_lets(plan, node, node->body.at, node->body.n);
	planner(plan)->depth++;
	plan_body(plan, node->body.at, node->body.n);
	planner(plan)->depth--;
}

static void plan_count(struct plan *plan, const struct node *node)
{
	struct kx *limit = x_var(k_let(plan->host, "limit", limit_of(plan, node)));
	open_passes(plan, node, limit);
	k_end(plan->host);
}

/* ---- the permutation a loop's swaps make ---- */

static bool has_swap(const struct node *node)
{
	for (int i = 0; i < node->body.n; i++)
		if (node->body.at[i]->kind == NODE_SWAP || has_swap(node->body.at[i]))
			return true;
	return false;
}

/* An inner loop that swaps ends in its own buffers (plan_body), whatever stood before it. */
static bool settles(const struct node *node)
{
	return node->kind != NODE_PATTERN && node->kind != NODE_SWAP && has_swap(node);
}

/* sigma[v]: whose buffer v has one pass later.  Where a pass settles, every pass ends alike: nothing turns. */
static void pass_permutation(struct plan *plan, const struct node *node, int *sigma)
{
	struct planner *p = planner(plan);
	for (int v = 0; v < p->now.n; v++)
		sigma[v] = v;
	for (int i = 0; i < node->body.n; i++)
		if (settles(node->body.at[i]))
			return;
	for (int i = 0; i < node->body.n; i++) {
		const struct node *s = node->body.at[i];
		if (s->kind != NODE_SWAP)
			continue;
		int a = (int)(now_of(plan, s->swap[0]) - p->now.at), b = (int)(now_of(plan, s->swap[1]) - p->now.at);
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
			exchange_owed(plan, p->now.at[v].var, x_var(p->now.at[v].at), x_var(p->now.at[w].at),
			         loop, limit, order, done);
	}
}

/* Note [repeat until on a GPU] */
static void restore(struct plan *plan, const struct node *node, struct plan_loop *loop, struct kx *limit)
{
	struct planner *p = planner(plan);
	int *sigma = mem_new(sizeof *sigma * (size_t)(p->now.n + 1));
	pass_permutation(plan, node, sigma);
	int64_t order = permutation_order(sigma, p->now.n);
	for (int64_t done = 0; done < order - 1; done++)
		rotate(plan, sigma, loop, limit, order, done);
}

/* passes += 1; if (condition) stop = 1 */
static void test_pass(struct lowering *l, const struct node *node, struct kx *loop)
{
	struct kx *passes = x_at(loop, x_i32(1));
	k_set(l->k, passes, x_add(passes, x_i64(1)));
	k_if(l->k, lower_expr(l, node->until));
	k_set(l->k, x_at(loop, x_i32(0)), x_i64(1));
	k_end(l->k);
}

static void launch_until(struct plan *plan, const struct node *node, struct kx *control)
{
	struct lowering *l = lowering_new(plan, "until");
	l->k->note = "Counts the pass and tests whether it was the last.";
	l->k->line = node->at.line;
	l->k->block[0] = l->k->block[1] = l->k->block[2] = 1;
	test_pass(l, node, lower_argument(l, "loop", kt_pointer(type_scalar(T_I64), false), control));
	lowering_launch(l, x_i64(1), x_i64(1), x_i64(1));
}

/* One thread has just stored what the statement folds: if the pass ends here it may test the condition too,
 * which saves a launch a pass. */
void plan_tail(struct lowering *l, const struct node *node)
{
	struct plan_loop *loop = l->plan ? planner(l->plan)->loop : NULL;
	if (!loop || loop->last != node || !l->stop)
		return;
	loop->tested = true;
	l->stop->type.is_const = false;          /* the flag that this kernel tested when it began */
	l->stop->restrict_ = false;
	k_note(l->k, "the pass is counted, and whether it was the last");
	test_pass(l, loop->node, x_var(l->stop));
}

static const struct node *last_statement(const struct node *repeat)
{
	int i = repeat->body.n - 1;
	while (i >= 0 && repeat->body.at[i]->kind == NODE_SWAP)
		i--;
	return i >= 0 && repeat->body.at[i]->kind == NODE_PATTERN ? repeat->body.at[i] : NULL;
}

static void plan_until_gpu(struct plan *plan, const struct node *node)
{
	struct planner *p = planner(plan);
	struct kx *limit = x_var(k_let(plan->host, "limit", limit_of(plan, node)));
	struct kx *two = x_i64(2);
	struct kvar *slot = plan_slot(plan, "loop", type_scalar(T_I64), 1, &two);
	struct plan_loop loop = { x_var(slot), p->loop, node, last_statement(node), false };
	k_clear(plan->host, x_var(slot), x_i64(16));
	p->loop = &loop;
	open_passes(plan, node, limit);
	if (!loop.tested)
		launch_until(plan, node, loop.control);
	k_end(plan->host);
	p->loop = loop.outer;
	if (has_swap(node))
		restore(plan, node, &loop, limit);
}

static void plan_until_cpu(struct plan *plan, const struct node *node)
{
	struct kx *limit = x_var(k_let(plan->host, "limit", limit_of(plan, node)));
	open_passes(plan, node, limit);
	k_if(plan->host, lower_expr(host_lowering(plan), node->until));
	k_break(plan->host);
	k_end(plan->host);
	k_end(plan->host);
}

/* Every array that swaps touched lies in its own buffer again: parameters at the end of the call, all of
 * them after a loop within a loop whose passes must make one permutation. */
static void settle(struct plan *plan, bool lets_too)
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

static void plan_body(struct plan *plan, struct node *const *at, int n)
{
	for (int i = 0; i < n; i++) {
		struct node *node = at[i];
		plan->host->line = node->at.line;
		switch (node->kind) {
		case NODE_PATTERN:
			plan_pattern(plan, node);
			break;
		case NODE_SWAP:
			plan_swap(plan, node);
			break;
		case NODE_REPEAT_COUNT:
			plan_count(plan, node);
			break;
		case NODE_REPEAT_UNTIL:
			if (plan->target->gpu)
				plan_until_gpu(plan, node);
			else
				plan_until_cpu(plan, node);
			break;
		}
		if (planner(plan)->loop && settles(node))
			settle(plan, true);
	}
}

/* ---- the whole ---- */

static int swap_set(struct planner *p, const struct var *var)
{
	const struct now *now = now_of(&p->plan, var);
	if (now)
		return now->set;
	int set = p->now.n;
	list_add(&p->now, ((struct now){ .var = var, .set = set }));
	return set;
}

static void find_swaps(struct planner *p, struct node *const *at, int n)
{
	for (int i = 0; i < n; i++) {
		if (at[i]->kind == NODE_SWAP) {
			int to = swap_set(p, at[i]->swap[0]), from = swap_set(p, at[i]->swap[1]);
			for (int v = 0; v < p->now.n; v++)
				if (p->now.at[v].set == from)
					p->now.at[v].set = to;
		}
		find_swaps(p, at[i]->body.at, at[i]->body.n);
	}
}

static void host_now(struct planner *p)
{
	for (int n = 0; n < p->now.n; n++) {
		struct now *now = &p->now.at[n];
		now->home = home_of(&p->plan, now->var);
		now->at = k_var(p->plan.host, now->home->type, str_print("%s_now", now->var->name), x_var(now->home));
	}
}

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

/* Lowerings offer the host what it may choose from; of constants it is known already what it never will. */
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
	plan->host = kernel_new(entry->name, target);
	host_parameters(plan);
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

void plan_dump(const struct plan *plan, FILE *out)
{
	fprintf(out, "plan %s for %s\n", plan->entry->name, plan->target->name);
	for (int s = 0; s < plan->slot.n; s++)
		fprintf(out, "  workspace %s: %s, %d factors\n", plan->slot.at[s]->name,
		        type_name(plan->slot.at[s]->type), plan->slot.at[s]->count.n);
	kernel_dump(plan->host, out);
}
