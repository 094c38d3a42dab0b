/* cells_structs.c - structs that come to the chip whole.
 *
 * Where each lane loads and stores the struct of its own cell, neighbouring lanes are a struct
 * apart: every access of a warp touches the bytes of all of its structs for a word of each.  So a
 * warp brings the structs of its cells as they lie in the array, 16 bytes a lane, to shared memory;
 * lanes take theirs from there and put new ones in their place; and the warp sends the whole back.
 * Neighbouring cells are neighbouring lanes': structs of an odd number of words meet in no bank,
 * others are read in wider words.  It is the shared-memory form of the in-register transposes of
 * Catanzaro, Keller and Garland (PPoPP 2014); copies that need no registers (cp.async, bulk stores)
 * make it the cheaper one here.
 *
 * Rule: whole structs must not move more than the used fields cost one by one (Note [price of a
 * strided store]).  On an H200, of copy: structs of 2, 4, 8 and 16 words stored by lanes 0.84,
 * 0.67, 0.25 and 0.18, whole 1.01, 0.99, 0.99 and 0.97; loaded by lanes 0.91, 0.98, 0.95 and 0.86,
 * whole 1.01, 0.99, 0.94 and 0.92. */
#include <string.h>
#include "cells_structs.h"
#include "struct_use.h"

enum {
	ALIGN = 16,                          /* bytes of an access */
	STORE_BYTES = 32                     /* Note [price of a strided store] */
};

/* ---- which ---- */

/* One index, which every cell has, and no neighbours: its cells are a long row of their own. */
static bool is_line(const struct node *node)
{
	struct cells c = { .node = node, .rank = node->index.n };
	const struct expr *target = target_read(node_target(node, 0));
	bool alone = !node->group || !node->group->epilogue.n;
	return node->index.n == 1 && node->whole && target->kind == E_READ && target->var->rank == 1
	       && alone && node->edge[0].kind == B_NONE && cells_even(&c);
}

struct own { const struct node *node; const struct var *var; };

static bool is_own(struct expr *e, void *state)
{
	const struct own *o = state;
	bool own = e->kind != E_READ || e->var != o->var || e->var->rank == o->node->index.n;
	for (int a = 0; own && e->kind == E_READ && e->var == o->var && a < e->var->rank; a++)
		own = e->arg.at[a]->kind == E_VAR && e->arg.at[a]->var == o->node->index.at[a];
	return own;
}

static bool own_only(const struct node *node, const struct var *var)
{
	struct own own = { node, var };
	return node_walk((struct node *)node, is_own, &own);
}

static bool not_guarded(struct expr *e, void *var)
{
	return !(e->guarded && e->kind == E_READ && e->var == var);
}

static bool is_guarded(const struct node *node, const struct var *var)
{
	return !node_walk((struct node *)node, not_guarded, (void *)var);
}

static bool is_some(const bool *used, int64_t bytes)
{
	for (int64_t b = 0; b < bytes; b++)
		if (used[b])
			return true;
	return false;
}

static bool is_word(const struct type *type)
{
	int64_t size = type_size(type);
	return type_align(type) == size && size <= ALIGN;
}

static int64_t used_bytes(const struct struct_use *use)
{
	bool *both = mem_new((size_t)type_size(use->var->type));
	for (int64_t b = 0; b < type_size(use->var->type); b++)
		both[b] = use->read[b] || use->written[b];
	return use_amount(use, both).bytes;
}

/* Note [price of a strided store].  Lanes that store a value each, a struct apart, write parts of
 * as many sectors as their structs have, and the second-level cache of an H200 takes 140 G of these
 * a second: as long as STORE_BYTES are copied. Loads cost what they fetch, since L1 keeps the rest
 * until the next field is asked for. */
static double price_by_lanes(const struct struct_use *use, const struct target *target)
{
	int64_t bytes = type_size(use->var->type),
		apart = bytes < STORE_BYTES ? bytes : STORE_BYTES;
	return use_sectors(use, use->read, target->sector) * (double)bytes
	     + (double)(use_amount(use, use->written).values * apart);
}

/* Where nothing is written, L1 does as well with the few bytes of a struct that are wanted. */
static bool pays(const struct struct_use *use, const struct whole_struct *w,
                 const struct target *target)
{
	int64_t bytes = type_size(use->var->type);
	return (double)((w->in + w->out) * bytes) <= price_by_lanes(use, target)
	       && (w->out || 2 * w->used >= bytes);
}

/* Why lanes take the structs of an array one by one; NULL: they come whole. */
static const char *one_by_one(const struct node *node, const struct struct_use *use,
                              const struct whole_struct *w, const struct target *target)
{
	const char *name = use->var->name;
	if (!own_only(node, use->var))
		return str_print("structs of `%s` are read elsewhere than at the cell's own place",
		                 name);
	if (is_guarded(node, use->var))
		return str_print("only a condition keeps structs of `%s` in bounds", name);
	if (is_word(use->var->type))
		return str_print("a struct of `%s` is one word", name);
	if (!pays(use, w, target))
		return str_print("%lld of %lld bytes of a struct of `%s` are used: whole ones "
		                 "would be no faster",
		                 (long long)w->used, (long long)type_size(use->var->type), name);
	return NULL;
}

static void add_whole(struct whole_structs *s, const struct node *node,
                      const struct struct_use *use, const struct target *target)
{
	int64_t bytes = type_size(use->var->type);
	struct whole_struct w = { .var = use->var,
		                  .out = is_some(use->written, bytes),
		                  .used = used_bytes(use) };
	w.in = is_some(use->read, bytes) || node->where || node_checked(node)
	    || use_amount(use, use->written).bytes < bytes;
	const char *why = one_by_one(node, use, &w, target);
	if (why) {
		s->why = why;
		return;
	}
	list_add(&s->at, w);
	s->bytes += bytes;
}

static const char *no_row(const struct node *node, const struct target *target)
{
	if (!target->gpu)
		return "the caches of a CPU hold what is read again";
	if (!node->index.n)
		return "it computes a scalar";
	return cells_flat(node) || is_line(node) ? NULL
	                                         : "its cells are not one long row from which a "
	                                           "warp could copy whole structs";
}

struct whole_structs whole_structs(const struct node *node, const struct target *target)
{
	struct whole_structs s = { .bytes = 0 };
	struct struct_uses uses = struct_uses_of(node);
	const char *why = uses.at.n ? no_row(node, target) : NULL;
	for (int u = 0; u < uses.at.n && !why; u++)
		add_whole(&s, node, &uses.at.at[u], target);
	if (s.bytes * target->block > target->shared_bytes)
		why = "the structs of a block do not fit in shared memory";
	return why ? (struct whole_structs){ .why = why } : s;
}

struct whole_structs whole_structs_of(const struct cells *c)
{
	bool staged = c->node->choice.stage == STAGE_SHARED;
	return staged ? whole_structs(c->node, c->l->target) : (struct whole_structs){ .bytes = 0 };
}

int whole_structs_pieces(const struct whole_structs *s, const struct target *target)
{
	int pieces = 1;
	while (2 * pieces <= FLAT_VECTORS
	       && 2 * pieces * s->bytes * target->block <= target->shared_bytes)
		pieces *= 2;
	return pieces;
}

const char *whole_structs_text(const struct whole_structs *s)
{
	const char *text = "";
	for (int i = 0; i < s->at.n; i++)
		text = str_print("%s%s`%s` (%lld of %lld bytes used)", text,
		                 i == 0            ? ""
		                 : i + 1 < s->at.n ? ", "
		                                   : " and ",
		                 s->at.at[i].var->name, (long long)s->at.at[i].used,
		                 (long long)type_size(s->at.at[i].var->type));
	return str_print("structs of %s are copied whole, 16 bytes an access", text);
}

/* ---- host ---- */

struct kx *whole_structs_aligned(const struct whole_structs *s, struct plan *plan)
{
	struct kx *all = NULL;
	for (int i = 0; i < s->at.n; i++) {
		struct kx *arg[] = { host_var_x(plan, s->at.at[i].var), x_i64(ALIGN) };
		all = x_and(all, x_help(kt_scalar(T_BOOL), "patc_aligned", 2, arg));
	}
	return all;
}

/* ---- in a kernel: cells.kernel ---- */

struct tiles { struct cells *c; struct whole_structs *structs; int per_thread; };

KTEXT_HOLE(open_tiles)
{
	const struct tiles *t = state;
	struct whole_structs *s = t->structs;
	struct kx **tile = mem_new(sizeof *tile * (size_t)s->at.n);
	for (int i = 0; i < s->at.n; i++) {
		const struct var *var = s->at.at[i].var;
		s->at.at[i].tile = k_shared(l->k, var->type, str_print("%s_tile", var->name),
		                            l->target->block * t->per_thread);
		s->at.at[i].tile->align = ALIGN;
		tile[i] = x_var(s->at.at[i].tile);
	}
	bind_values(l->k, "tile", s->at.n, tile);
	return NULL;
}

KTEXT_HOLE(array)
{
	return lower_pointer(l, ((const struct tiles *)state)->structs->at.at[l->k->each].var);
}

/* What is at the cell's own place is in the tiles. */
KTEXT_HOLE(compute_cell)
{
	const struct tiles *t = state;
	const struct whole_structs *s = t->structs;
	for (int i = 0; i < s->at.n; i++)
		list_add(&l->held, ((struct binding){ s->at.at[i].var,
		                                      x_at(x_var(s->at.at[i].tile), arg[0]) }));
	cells_set_column(t->c, arg[1]);
	cells_body(t->c, CELL_PLAIN);
	l->held.n -= s->at.n;
	return NULL;
}

void whole_structs_tile(struct cells *c, struct whole_structs *s, struct kx *first, int per_thread)
{
	struct tiles t = { c, s, per_thread };
	struct kernel *k = c->l->k;
	int64_t(*number)[3] = mem_new(sizeof *number * (size_t)s->at.n);
	bool brings = false, sends = false;
	for (int i = 0; i < s->at.n; i++) {
		const struct whole_struct *w = &s->at.at[i];
		memcpy(number[i], (int64_t[]){ w->in, w->out, type_size(w->var->type) },
		       sizeof *number);
		brings |= w->in;
		sends |= w->out;
	}
	bind_listed(k, "IN, OUT, BYTES", s->at.n, number[0]);
	k_numbers(k, "BRINGS, SENDS", brings, sends);
	k_bind_calls(k, &t, { "open_tiles", open_tiles }, { "array", array },
	             { "compute_cell", compute_cell });
	k_text(k, "whole_structs", first);
}
