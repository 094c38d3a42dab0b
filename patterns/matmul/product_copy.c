/* product_copy.c - operands of a tile: copied straight into shared memory, several steps of terms ahead.
 *
 * Copies that need no registers (cp.async) bring them, one or two steps ahead: one cell each where the terms of an operand
 * lie one behind another in memory, for in shared memory the cells of a term do; else 16 bytes, where rows are aligned.
 * Nothing is computed on the way: what is copied is the operand. Threads walk (product_load.c); beyond the last row or
 * column, the last one is copied again. Of the last terms, which make no whole step, those that are there are copied.
 *
 * The registers that are free now hold the share of the term to come, so that no thread waits for shared memory, and lanes
 * are neighbours by pairs along columns, which reads it in fewer turns. */
#include "tiled.h"

static bool is_copied(const struct product *p, enum side side)
{
	const struct operand *o = &p->operand[side];
	return o->main == o->e && type_size(o->e->type) == type_size(p->fold->type) && product_walks(p, side);
}

bool product_copied(const struct product *p, const struct target *target)
{
	return target->copies && is_copied(p, ROWS) && is_copied(p, COLUMNS);
}

static void copies(const struct tiled *t, const char *what)
{
	k_do(t->k, x_help(kt_scalar(T_I32), str_print("patc_copies_%s", what), 0, NULL));
}

/* left: so many terms are there, or NULL: all. */
static void copy_operand(struct tiled *t, const struct staged *s, struct kx *stage, struct kx *left)
{
	struct kx *load = operand_loads(t, s);
	struct place p = operand_place(t, s, load);
	struct kx *arg[] = { x_offset(x_var(s->shared), x_add(operand_row(t, s, stage, p.term), p.cell)),
	                     x_offset(x_var(s->at), operand_distance(t, s, load)) };
	if (left)
		k_if(t->k, x_lt(p.term, left));
	k_do(t->k, x_help(kt_scalar(T_I32), str_print("patc_copy_%d", s->width * (int)type_size(s->o->e->type)), 2, arg));
	if (left)
		k_end(t->k);
	k_end(t->k);
}

/* The step at hand of both operands, and on to the next one. */
static void copy_step(struct tiled *t, struct kx *stage, struct kx *left)
{
	for (int side = ROWS; side <= COLUMNS; side++) {
		copy_operand(t, &t->staged[side], stage, left);
		if (!left)
			operand_ahead(t, &t->staged[side]);
	}
}

/* The step at hand is there, of all threads. */
static void arrive(struct tiled *t)
{
	copies(t, t->form.stages == 2 ? "all" : "but_one");
	k_barrier(t->k);
}

void copies_start(struct tiled *t, struct kx *whole)
{
	struct kx *stage = x_var(k_for(t->k, "stage", x_i32(0), x_i32(t->form.stages - 1), x_i32(1), FOR_UNROLL));
	k_if(t->k, x_lt(x_cast(whole->type, x_mul(stage, x_i32(t->form.depth))), whole));
	copy_step(t, stage, NULL);
	k_end(t->k);
	copies(t, "end");
	k_end(t->k);
	arrive(t);
}

/* Into the stage that was folded before the one at hand. */
void copies_next(struct tiled *t, struct kx *from, struct kx *whole)
{
	const int ahead = t->form.stages - 1;
	struct kx *buffer = x_var(t->buffer), *free = x_cond(x_eq(buffer, x_i32(0)), x_i32(ahead), x_sub(buffer, x_i32(1)));
	k_if(t->k, x_lt(from, x_sub(whole, x_int(whole->type.type->kind, ahead * t->form.depth))));
	copy_step(t, tiled_let(t, "free", free), NULL);
	k_end(t->k);
	copies(t, "end");
}

void copies_turn(struct tiled *t, struct kx *from, struct kx *whole)
{
	struct kx *buffer = x_var(t->buffer), *next = x_add(buffer, x_i32(1));
	struct kx *last = x_le(x_sub(whole, x_int(whole->type.type->kind, t->form.depth)), from);
	arrive(t);
	next = x_cond(x_eq(buffer, x_i32(t->form.stages - 1)), x_i32(0), next);
	k_set(t->k, buffer, x_cond(last, buffer, next));
}

void copies_rest(struct tiled *t, struct kx *left)
{
	k_barrier(t->k);
	copy_step(t, x_var(t->buffer), left);
	copies(t, "all");
	k_barrier(t->k);
}
