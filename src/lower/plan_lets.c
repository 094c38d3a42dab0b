/* plan_lets.c - temporaries: the cells each has in the workspace, those that must read as zero, and
 * the kernels that clear an array and exchange two. */
#include <string.h>
#include "planner.h"
#include "running.h"
#include "wavefront.h"

/* ---- cells ---- */

/* Which statements of a body, counted from 0, use a variable. */
struct span { int first, last; };
struct noting { struct map *uses; int at; };

static void note_var(struct noting *n, const struct var *var)
{
	void **span = map_at(n->uses, var);
	if (!*span)
		*span = memcpy(NEW(struct span), &(struct span){ n->at, n->at },
		               sizeof(struct span));
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
	for (int k = 0; node_exchanges(s) && k < 2; k++)
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

void host_lets(struct plan *plan)
{
	struct lowering *l = host_lowering(plan);
	for (int t = 0; t < plan->entry->let.n; t++) {
		struct var *v = plan->entry->let.at[t];
		if ((v->on_chip && !v->in_block) || fused_away(plan, v))
			continue;
		struct kx *count[MAX_RANK];
		for (int a = 0; a < v->rank; a++)
			count[a] = stored_along(l, v, a);
		bool blocks = v->layout && v->layout->block > 0;
		if (blocks)
			count[0] = stored_count(plan, v);
		set_home(plan, v, plan_slot(plan, v->name, v->type, blocks ? 1 : v->rank, count));
		if (v->ring && v->ring->kept)
			set_home(plan, v->ring->kept,
			         k_let(plan->host, v->ring->kept->name, lower_kept(l, v->ring)));
	}
}

/* Does this statement write every cell of var before anything reads it? */
static bool writes_all(const struct node *s, const struct var *var)
{
	if (s->running && s->running->counts)        /* others are not read: expansion.h */
		return true;
	return node_fills(s, var) && !node_reads(s, var) && !node_checked(s);
}

/* Something may read a cell of var that nothing wrote.  A loop that writes it first in every pass
 * is enough where nothing after the loop uses it: the loop may make no pass. */
static bool must_clear(struct plan *plan, struct node *const *at, int n, const struct var *var)
{
	const struct span *span = map_get(uses_of(plan, at, n), var);
	if (!span || var->spare)
		return false;
	const struct node *s = at[span->first];
	if (s->kind == NODE_PATTERN)
		return !writes_all(s, var);
	return s->kind == NODE_SWAP || span->last > span->first
	       || must_clear(plan, s->body.at, s->body.n, var);
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
		if (type->record->field.at[f].type->kind == T_ARRAY
		    || holds_array(type->record->field.at[f].type))
			return true;
	return false;
}

/* Structs that hold arrays go element by element: clang for HIP holds a whole one in scratch
 * memory. */
static void exchange_value(struct lowering *l, struct kx *a, struct kx *b)
{
	const struct type *type = a->type.type;
	for (int f = 0; holds_array(type) && f < type->record->field.n; f++) {
		const struct field *field = &type->record->field.at[f];
		if (field->type->kind != T_ARRAY) {
			exchange_value(l, x_field(a, field), x_field(b, field));
			continue;
		}
		struct kx *at = x_var(
			k_for(l->k, "k", x_i64(0), x_i64(type_cells(field->type)), x_i64(1), 0));
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
static void exchange_cell(struct lowering *l, const struct var *var, struct kx *a, struct kx *b,
                          struct kx *i)
{
	const struct layout *layout = var->layout;
	if (layout && layout->pitched) {
		struct kx *row = lower_extent(l, var, var->rank - 1),
			  *pitch = lower_pitch(l, var, var->rank - 1);
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
		exchange_value(l, x_elem(x_at(a, at), field, lane),
		               x_elem(x_at(b, at), field, lane));
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

/* Outside of loops, whose flags it would have to test, one kernel does for all arrays of a type,
 * unless their rows stand apart. */
void exchange(struct plan *plan, const struct var *var, struct kx *a, struct kx *b)
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

void exchange_owed(struct plan *plan, const struct var *var, struct kx *a, struct kx *b,
                          struct plan_loop *loop, struct kx *limit, int64_t order, int64_t done)
{
	struct lowering *l = exchange_open(plan);
	struct kx *control = lower_argument(l, "loop", kt_pointer(type_scalar(T_I64), true),
	                                    loop->control);
	struct kx *most = lower_argument(l, "limit", kt_scalar(T_I64), limit);
	struct kx *left = x_sub(most, x_at(control, x_i32(1)));
	if (loop->node->asks) /* passes after the last that asked are not counted */
		left = x_cond(x_ne(x_at(control, x_i32(0)), x_i64(0)), left, x_i64(0));
	struct kx *owed = x_rem(left, x_i64(order));
	k_if(l->k, x_le(owed, x_i64(done)));
	k_return(l->k, NULL);
	k_end(l->k);
	exchange_cells(l, var, a, b);
}

static bool is_swapped(struct node *const *at, int n, const struct var *var)
{
	bool swapped = false;
	for (int i = 0; i < n && !swapped; i++)
		swapped = (node_exchanges(at[i])
		           && (at[i]->swap[0] == var || at[i]->swap[1] == var))
		          || is_swapped(at[i]->body.at, at[i]->body.n, var);
	return swapped;
}

/* A GPU combines items in whole words: of cells of one or two bytes the last word is cleared whole.
 * The piece of the workspace has room for it; what a swap has put there may be the caller's. */
static struct kx *cleared_count(struct plan *plan, const struct var *var)
{
	struct kx *count = stored_count(plan, var), *in_word;
	int64_t bytes = type_size(var->type);
	if (!plan->target->gpu || bytes >= 4 || 4 % bytes
	    || is_swapped(plan->entry->body.at, plan->entry->body.n, var))
		return count;
	in_word = x_i64(4 / bytes);
	return x_mul(x_div_up(count, in_word), in_word);
}

static void clear_let(struct plan *plan, const struct var *var)
{
	struct kx *pointer = host_var_x(plan, var), *count = cleared_count(plan, var);
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

/* The threads of a block share i in 0 .. count; the caller appends the body and k_end. */
static struct kx *open_shared(struct lowering *l, struct kx *count)
{
	struct kx *thread = x_to_i64(x_id(ID_THREAD_X)), *threads = x_i64(l->k->block[0]);
	return x_var(k_for(l->k, "i", thread, count, threads, 0));
}

void block_exchange(struct lowering *l, const struct var *var, struct kx *a, struct kx *b)
{
	struct kx *count = lower_argument(l, "count", kt_scalar(T_I64), cell_count(l->plan, var));
	exchange_cell(l, var, a, b, open_shared(l, count));
	k_end(l->k);
}

bool block_clears(struct lowering *l, const struct node *scope)
{
	bool clears = false;
	for (int t = 0; t < l->plan->entry->let.n; t++) {
		const struct var *v = l->plan->entry->let.at[t];
		if (v->scope != scope || !must_clear(l->plan, scope->body.at, scope->body.n, v))
			continue;
		struct kx *count = lower_argument(l, "count", kt_scalar(T_I64),
		                                  cleared_count(l->plan, v));
		struct kx *i = open_shared(l, count);
		k_set(l->k, x_at(lower_pointer(l, v), i), lower_zero(v->type));
		k_end(l->k);
		clears = true;
	}
	return clears;
}

void clear_lets(struct plan *plan, const struct node *scope, struct node *const *at, int n)
{
	for (int t = 0; t < plan->entry->let.n; t++) {
		const struct var *v = plan->entry->let.at[t];
		if (v->scope == scope && !v->on_chip && must_clear(plan, at, n, v))
			clear_let(plan, v);
	}
}
