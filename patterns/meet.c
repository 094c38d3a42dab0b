/* meet.c - statements whose items meet in cells: what an item does, and who takes which.
 *
 * On a GPU threads take items as they come, on map's road (cells_gpu.c), and combine by atomic
 * operations (atomic.c).  Each takes one, neighbouring lanes neighbours: what they combine is often
 * near, and then meets in few accesses (an H200, 2^26 items in order: 286 G/s, and 158 where a lane
 * has four neighbours; 92 and 91 at random).  Items whose cells all differ need none.
 * Where the order counts (`strict`), where a cell is a struct that is no word, whatever its parts
 * (src/pass/op_parts.c), and where the host does not know the domain, every warp runs over all
 * items and takes those of the cells that it owns (meet_owned.c).  So do the threads of a CPU:
 * cells then get their items in the order of the domain, whatever the number of threads.  Where
 * cells are few against the items, and the order is open, blocks have cells of their own
 * (meet_private.c), on a CPU chunks of the items (meet_chunks.c). */
#include <string.h>

#include "atomic.h"
#include "cells.h"
#include "meet.h"
#include "meet_tiles.h"
#include "peers.h"
#include "lowerings.h"
#include "ways.h"

static bool is_even(const struct node *node)
{
	for (int k = 0; k < node->index.n; k++)
		if (!cells_exact(node, k))
			return false;
	return node->index.n > 0;
}

bool meet_counted_late(const struct node *node)
{
	return node->expand || (!is_even(node) && node_is_box(node) && node->index.n > 0);
}

static bool all_atomic(const struct node *node)
{
	for (int q = 0; q < node->equation.n; q++)
		if (node->equation.at[q]->combine
		    && !atomic_can(node->equation.at[q]->target.at[0]->type))
			return false;
	return true;
}

enum meeting_way meeting_way(const struct node *node, const struct target *target)
{
	bool unique = node_clause(node, "unique") && !node_clause(node, "strict");
	if (!node->pattern->combines)        /* cells of ranges that data decide */
		return MEET_ALONE;
	if (meet_counted_late(node) ? !target->gpu && !(unique && node->expand) : !is_even(node))
		return MEET_OWNED;
	if (unique)
		return MEET_ALONE;
	return target->gpu && all_atomic(node) && !node_clause(node, "strict") ? MEET_AT_ONCE
	                                                                       : MEET_OWNED;
}

static bool all_native(const struct node *node)
{
	for (int q = 0; q < node->equation.n; q++) {
		const struct equation *eq = node->equation.at[q];
		if (eq->combine
		    && !atomic_native(eq->combine, eq->target.at[0]->type, eq->right->type))
			return false;
	}
	return true;
}

const char *meeting_text(const struct node *node, const struct target *target)
{
	switch (meeting_way(node, target)) {
	case MEET_ALONE:
		return "no two items have the same cell, as `unique` says";
	case MEET_OWNED:
		return target->gpu ? "every warp combines the items of its cells, in order"
		                   : "every thread combines the items of its cells, in order";
	case MEET_AT_ONCE:
		break;
	}
	return all_native(node) ? "items are combined by one atomic operation each"
	                        : "items are combined by compare-and-swap of a word";
}

/* ---- where an item goes ---- */

/* inside NULL: always */
struct spot { const struct expr *read; struct kx *sub[MAX_RANK], *inside; };

static struct spot spot_of(struct lowering *l, const struct equation *eq)
{
	struct spot s = { .read = target_read(eq->target.at[0]) };
	for (int a = 0; a < s.read->var->rank; a++) {
		const struct expr *sub = s.read->arg.at[a];
		if (!s.read->checked) {
			s.sub[a] = lower_index(l, sub);
			continue;
		}
		s.sub[a] = x_var(k_let(l->k, "at", lower_wrapping(l, sub)));
		s.inside = x_and(s.inside, lower_inside(s.sub[a], lower_extent(l, s.read->var, a)));
	}
	return s;
}

/* The number of the cell: of the element of an array that memory has. */
static struct kx *number_of(struct kx *cell)
{
	while (cell->kind != KX_AT)
		cell = cell->arg[0];
	return x_to_i64(cell->arg[1]);
}

static struct kx *owned(const struct meeting *m, struct kx *cell)
{
	struct kx *arg[] = { number_of(cell), m->parts };
	if (m->even)
		return x_eq(x_op(OP_AND, arg[0], x_sub(m->parts, x_i64(1))), m->part);
	return x_eq(x_help(kt_scalar(T_I64), "patc_owner", 2, arg), m->part);
}

static struct kx *is_first(const struct meeting *m)
{
	return m->way == MEET_OWNED ? x_eq(m->part, x_i64(0)) : x_int(T_BOOL, 1);
}

struct kx *meet_wanted(struct lowering *l, const struct node *node, const struct meeting *m)
{
	struct kvar *wanted = k_var(l->k, kt_scalar(T_BOOL), "wanted", x_int(T_BOOL, 0));
	struct lower_context before = l->now;
	for (int q = 0; q < node->equation.n; q++) {
		lower_flag(l, "bad");
		struct spot s = spot_of(l, node->equation.at[q]);
		struct kx *inside = x_and(lower_inside_all(l), s.inside);
		struct kx *mine = x_cond(inside, owned(m, lower_place(l, s.read->var, s.sub)),
		                         is_first(m));
		k_set(l->k, x_var(wanted), x_or(x_var(wanted), mine));
	}
	l->now = before;
	return x_var(wanted);
}

/* ---- what it does there ---- */

/* Data decide where it goes: neighbours may have one cell, of which each means the same
 * part. */
static bool has_peers(const struct expr *target)
{
	bool open = false;
	for (const struct expr *e = target; e->kind != E_READ; e = e->arg.at[0])
		for (int a = 1; e->kind == E_ELEM && a < e->arg.n; a++)
			if (e->arg.at[a]->kind != E_CONST)
				return false;
	const struct expr *read = target_read((struct expr *)target);
	for (int a = 0; a < read->arg.n; a++)
		open |= read->affine[a].n < 0;
	return open;
}

/* A number for the cell, in whatever order memory has them. */
static struct kx *place_in(struct lowering *l, const struct spot *s)
{
	struct kx *place = s->sub[0];
	for (int a = 1; a < s->read->var->rank; a++)
		place = x_add(x_mul(place, lower_extent(l, s->read->var, a)), s->sub[a]);
	return place;
}

/* What most items leave as it is, and where that takes a look only: f32 max= at random 139 G/s, 99
 * if peers met first. */
static bool only_looks(const struct equation *eq)
{
	return op_chooses(eq->combine)
	       && !atomic_native(eq->combine, eq->target.at[0]->type, eq->right->type);
}

static void put_at_once(struct lowering *l, const struct equation *eq, const struct meeting *m,
                        const struct spot *s, struct kx *cell, struct kx *value)
{
	if (m->each_alone || only_looks(eq) || !has_peers(eq->target.at[0])) {
		atomic_combine(l, eq->combine, eq->right->type, cell, value);
		return;
	}
	value = x_var(k_var(l->k, kt(eq->right->type), "term", value));
	k_if(l->k, peers_fold(l, eq->combine, value, place_in(l, s)));
	atomic_combine(l, eq->combine, eq->right->type, cell, value);
	k_end(l->k);
}

static void put(struct lowering *l, const struct equation *eq, const struct meeting *m,
                const struct spot *s, struct kx *cell, struct kx *value)
{
	if (!eq->combine)
		k_set(l->k, cell, lower_result(eq, 0, value));
	else if (m->way == MEET_AT_ONCE)
		put_at_once(l, eq, m, s, cell, value);
	else
		plain_combine(l, eq->combine, eq->right->type, cell, value);
}

/* Where what has been evaluated may have lain outside. */
static void open_unless_bad(struct lowering *l, bool tested)
{
	if (tested)
		k_if(l->k, lower_inside_all(l));
}

static void close_unless_bad(struct lowering *l, bool tested)
{
	if (tested)
		k_end(l->k);
}

static bool subscripts_tested(const struct expr *cell)
{
	for (int a = 0; a < cell->arg.n; a++)
		if (expr_checked(cell->arg.at[a]))
			return true;
	return false;
}

/* What the item brings, or which part of the cell it goes to. */
static bool rest_tested(const struct equation *eq)
{
	for (const struct expr *e = eq->target.at[0]; e->kind != E_READ; e = e->arg.at[0])
		if (e->checked || (e->kind == E_ELEM && subscripts_tested(e)))
			return true;
	return expr_skips(eq->right);
}

static void put_in_memory(struct lowering *l, const struct equation *eq, const struct meeting *m,
                          const struct spot *s)
{
	struct kx *value = lower_expr(l, eq->right);
	open_unless_bad(l, rest_tested(eq));
	put(l, eq, m, s, lower_place(l, s->read->var, s->sub), value);
	close_unless_bad(l, rest_tested(eq));
}

static void put_private(struct lowering *l, const struct equation *eq, const struct meeting *m,
                        struct kx *number)
{
	if (!m->count) {
		m->take(l, number, NULL, m->state);
		return;
	}
	struct kx *value = lower_expr(l, eq->right);
	open_unless_bad(l, rest_tested(eq));
	m->take(l, number, value, m->state);
	close_unless_bad(l, rest_tested(eq));
}

/* The block has cells of its own: all, or some of them. */
static void item_private(struct lowering *l, const struct equation *eq, const struct meeting *m,
                         const struct spot *s)
{
	struct kx *number = lower_linear(l, s->read->var, s->sub);
	bool some = m->first || m->others;
	if (m->first)
		number = x_var(k_let(l->k, "number", x_sub(number, x_to_i64(m->first))));
	if (some)
		k_if(l->k, lower_inside(number, x_to_i64(m->count)));
	put_private(l, eq, m, number);
	if (m->others) {
		k_else(l->k);
		put_in_memory(l, eq, m, s);
	}
	if (some)
		k_end(l->k);
}

/* Note [short subscript].  The block's cells have numbers of 31 bits.  Is the subscript a number of
 * 32, and are there no other cells, then one comparison without a sign tells of each value whether
 * it is one of them: of 64 bits, two for the array and two for the part took more time on an H200
 * than the items' way from memory. */
static const struct expr *short_subscript(const struct meeting *m, const struct expr *read)
{
	if (!m->take || !m->count || m->others || !read->checked || read->var->rank != 1)
		return NULL;
	const struct expr *sub = read->arg.at[0];
	if (sub->kind == E_CAST && strchr("IU", type_class(sub->arg.at[0]->type)))
		sub = sub->arg.at[0];
	return type_size(sub->type) <= 4 ? sub : NULL;
}

static struct kx *without_sign(struct kx *x)
{
	return kx_fold(x_cast(kt_scalar(T_U32), x));
}

static void item_short(struct lowering *l, const struct equation *eq, const struct meeting *m,
                       const struct expr *sub)
{
	struct kx *at = x_var(k_let(l->k, "at", without_sign(lower_expr(l, sub)))), *number = at;
	open_unless_bad(l, expr_checked(sub));
	if (m->first)
		number = x_var(k_let(l->k, "number", x_sub(at, without_sign(m->first))));
	k_if(l->k, x_lt(number, without_sign(m->count)));
	put_private(l, eq, m, number);
	k_else(l->k);
	lower_mark(l, m->first ? x_le(without_sign(m->all), at) : x_int(T_BOOL, 1));
	k_end(l->k);
	close_unless_bad(l, expr_checked(sub));
}

/* The block has cells of its own around some place. */
static void item_near(struct lowering *l, const struct equation *eq, const struct meeting *m,
                      const struct spot *s)
{
	struct kx *own, *is_own = m->own(l, s->read, s->sub, &own, m->state);
	struct kx *value = x_var(k_let(l->k, "term", lower_expr(l, eq->right)));
	open_unless_bad(l, rest_tested(eq));
	k_if(l->k, is_own);
	atomic_combine(l, eq->combine, eq->right->type, own, value);
	k_else(l->k);
	put(l, eq, m, s, lower_place(l, s->read->var, s->sub), value);
	k_end(l->k);
	close_unless_bad(l, rest_tested(eq));
}

/* The cell is there: what the item brings is computed, unless another part takes it. */
static void item_inside(struct lowering *l, const struct equation *eq, const struct meeting *m,
                        const struct spot *s)
{
	if (m->take) {
		item_private(l, eq, m, s);
		return;
	}
	if (m->own) {
		item_near(l, eq, m, s);
		return;
	}
	struct kx *cell = lower_place(l, s->read->var, s->sub);
	if (m->way == MEET_OWNED)
		k_if(l->k, owned(m, cell));
	cell = lower_path(l, eq->target.at[0], cell);
	struct kx *value = lower_expr(l, eq->right);
	open_unless_bad(l, rest_tested(eq));
	put(l, eq, m, s, cell, value);
	close_unless_bad(l, rest_tested(eq));
	if (m->way == MEET_OWNED)
		k_end(l->k);
}

static void item_equation(struct lowering *l, const struct equation *eq, const struct meeting *m)
{
	const struct expr *sub = short_subscript(m, target_read(eq->target.at[0]));
	if (sub) {
		item_short(l, eq, m, sub);
		return;
	}
	struct spot s = spot_of(l, eq);
	bool tested = subscripts_tested(s.read);
	open_unless_bad(l, tested);
	if (s.inside)
		k_if(l->k, s.inside);
	item_inside(l, eq, m, &s);
	if (s.inside) {
		k_else(l->k);
		lower_mark(l, is_first(m));
		k_end(l->k);
	}
	close_unless_bad(l, tested);
}

static void item_equations(struct lowering *l, const struct node *node, const struct meeting *m)
{
	for (int q = 0; q < node->equation.n; q++) {
		lower_unmark(l, node, q);
		lower_whole(l, node, q);
		item_equation(l, node->equation.at[q], m);
		if (l->now.outside)
			lower_record(l);
	}
}

void meet_item(struct lowering *l, const struct node *node, const struct meeting *m)
{
	struct lower_context before = l->now;
	l->now.outside = NULL;
	if (node_skips(node))
		lower_flag(l, "bad");
	if (node->where)
		k_if(l->k, lower_mask(l, node->where));
	item_equations(l, node, m);
	if (node->where)
		k_end(l->k);
	l->now = before;
}

struct kx *meet_cells(struct plan *plan, const struct node *node)
{
	const struct var *to = target_read(node->equation.at[0]->target.at[0])->var;
	struct kx *cells = x_i64(1);
	for (int a = 0; a < to->rank; a++)
		cells = x_mul(cells, lower_extent(host_lowering(plan), to, a));
	return cells;
}

struct kx *meet_count(struct plan *plan, const struct node *node, int d)
{
	struct lowering *host = host_lowering(plan);
	return plan_range(plan, lower_index(host, node->lo.at[d]),
	                  lower_index(host, node->hi.at[d]));
}

struct kx *meet_items(struct plan *plan, const struct node *node)
{
	struct kx *items = x_i64(1);
	for (int d = 0; d < node->index.n; d++)
		items = x_mul(items, meet_count(plan, node, d));
	return items;
}

/* Host: do cells that are put back as words lie where words may?  NULL: always. */
static struct kx *in_words(struct plan *plan, const struct node *node)
{
	struct kx *aligned = NULL;
	for (int q = 0; q < node->equation.n; q++) {
		const struct expr *cell = node->equation.at[q]->target.at[0];
		if (node->equation.at[q]->combine && !atomic_anywhere(cell->type))
			aligned = x_and(aligned,
			                plan_aligned(plan, target_read((struct expr *)cell)->var,
			                             1));
	}
	return aligned;
}

/* ---- the ways in memory ---- */

static bool in_any_order(const struct task *c)
{
	return meeting_way(c->node, c->plan->target) != MEET_OWNED;
}

static bool counts_late(const struct task *c)
{
	return meet_counted_late(c->node) && in_any_order(c);
}

static bool takes_any(const struct task *c)
{
	return !meet_counted_late(c->node) && in_any_order(c);
}

static void lower_expanded(const struct task *c)
{
	meet_expanded(c->plan, c->group);
}

static struct kx *atomics_fit(const struct task *c)
{
	bool atomic = meeting_way(c->node, c->plan->target) == MEET_AT_ONCE;
	return atomic ? in_words(c->plan, c->node) : NULL;
}

static void lower_owned(const struct task *c)
{
	meet_owned(c->plan, c->group);
}

static const struct way in_memory[] = {
	/* meet_tiles.c */
	{ "tiles", "items are sorted by tiles of the array, and blocks combine those of a tile",
	  "there are enough items, and not too many tiles", .fits = tiles_fit, .when = tiles_when,
	  .lower = tiles_lower },
	/* meet_expanded.c */
	{ "late", "items that only the device can count are distributed, one for each thread",
	  "cells are stored in whole words", .fits = counts_late, .when = atomics_fit,
	  .lower = lower_expanded },
	/* cells.c */
	{ "items", "a thread combines an item", "cells are stored in whole words",
	  "no operation of the machine combines its items in any order", .fits = takes_any,
	  .when = atomics_fit, .lower = ways_cells },
	/* meet_owned.c */
	{ "owned", "a warp or a thread takes the items of its cells, in their order",
	  .lower = lower_owned }
};

void meet_in_memory(struct plan *plan, const struct group *group)
{
	ways_lower(in_memory, plan, group, NULL);
}

void meet_lower(struct plan *plan, const struct group *group)
{
	if (group->anchor->choice.privatise <= 0)
		meet_in_memory(plan, group);
	else if (plan->target->gpu)
		meet_private(plan, group);
	else
		meet_chunks(plan, group);
}

void meet_shape(const struct node *node, const struct target *target, struct shape *s)
{
	const enum meeting_way way = meeting_way(node, target);
	cells_shape(node, target, s);
	s->meet = meeting_text(node, target);
	s->owned = way == MEET_OWNED;
	s->no_private = private_cannot(node, target);
	tiles_shape(node, target, s);
	s->vectors = false;
	if (target->gpu)
		s->no_vector = way == MEET_OWNED ? "items are taken one by one, in their order"
		                                 : "neighbouring lanes take neighbouring items, so "
		                                   "that near cells are written in few accesses";
	if (target->gpu && way == MEET_OWNED)
		s->pieces = 1, s->no_pieces = "every warp takes the items of its cells";
	if (target->gpu && way != MEET_OWNED && meet_counted_late(node))
		s->pieces = 1, s->no_pieces = "threads take items until none is left";
	if (!s->no_private)
		private_shape(node, target, s);
}
