/* solve_chunks.c - a solve with `pivot` of long systems on a GPU.
 *
 * Two neighbouring rows have the unknown before them, their own two and the one after them.  So do
 * two neighbours of such pairs, once the two unknowns where they meet are eliminated from their
 * four equations, which are the only ones that have these: the pivots are the greatest of all.  A
 * thread joins the elements of a chunk one by one; chunks are the elements of the next level, whose
 * last one has a chunk a system.
 *
 *   NAME_reduce, _reduce_2 ...   the chunks of a level
 *   NAME_tops                    the first and the last unknown of each system
 *   NAME_expand ...              the unknowns of the elements of a chunk, from the last level on */
#include "running.h"
#include "solve_rows.h"

enum { THREADS = 128, CHUNK = 32, LEVELS = 4, PAIR = 10, KEPT = 11, SHORT = 512, MANY = 1 << 14 };

struct chunks {
	struct kx *elements, *size, *count;  /* of a system; of a chunk; chunks of a system */
	struct kvar *kept, *reduced, *firsts, *lasts;
};

static struct kx *taken(const struct task *c, struct kx *count)
{
	return kx_fold(x_cond(solve_chunks_when(c), count, x_i64(0)));
}

static struct kvar *slot(const struct task *c, const char *name, struct kx *each, int kinds)
{
	const struct systems *s = c->found;
	struct kx *count[] = { taken(c, x_mul(s->count, each)), x_i64(kinds) };
	return plan_slot(c->plan, name, solve_type(c->node), 2, count);
}

static void open_levels(const struct task *c, struct chunks *level)
{
	const struct systems *s = c->found;
	struct kx *elements = plan_number(c->plan, "elements", x_div_up(s->rows, x_i64(2)));
	for (int k = 0; k < LEVELS; k++) {
		struct chunks *now = &level[k];
		const bool top = k == LEVELS - 1;
		now->elements = elements;
		now->size = top ? elements : x_i64(CHUNK);
		now->count = top ? x_i64(1)
		                 : plan_number(c->plan, "chunks", x_div_up(elements, x_i64(CHUNK)));
		now->kept = slot(c, "kept", elements, KEPT);
		now->reduced = slot(c, "reduced", now->count, PAIR);
		now->firsts = slot(c, "firsts", now->count, 1);
		now->lasts = slot(c, "lasts", now->count, 1);
		elements = now->count;
	}
}

static void bind_array(const struct task *c, struct lowering *l, const char *name,
                       struct kvar *array, bool is_const)
{
	const struct ktype type = kt_pointer(solve_type(c->node), is_const);
	k_bind(l->k, name, lower_argument(l, name, type, x_var(array)));
}

static struct lowering *open_kernel(const struct task *c, const char *step, int level,
                                    const char *note)
{
	const char *suffix = level ? str_print("_%s_%d", step, level + 1) : str_print("_%s", step);
	struct lowering *l = solve_kernel(c, suffix, note);
	solve_block(l, THREADS);
	k_bind(l->k, "thread", x_var(k_let(l->k, "thread", block_thread(l))));
	k_numbers(l->k, "THREADS, ROWS", THREADS, level == 0);
	return l;
}

static void launch(struct lowering *l, struct kx *threads)
{
	lowering_launch_strided(l, x_div_up(threads, x_i64(THREADS)));
}

static void bind_level(const struct task *c, struct lowering *l, const struct chunks *level)
{
	k_bind(l->k, "elements", lower_number(l, "elements", level->elements));
	k_bind(l->k, "chunk_size", lower_number(l, "chunk_size", level->size));
	bind_array(c, l, "kept", level->kept, false);
}

static void reduce(const struct task *c, const struct chunks *level, int k)
{
	const struct systems *s = c->found;
	struct lowering *l = open_kernel(c, "reduce", k, "Joins the elements of each chunk.");
	bind_level(c, l, &level[k]);
	if (k)
		bind_array(c, l, "source", level[k - 1].reduced, true);
	bind_array(c, l, "reduced", level[k].reduced, false);
	k_text(l->k, "reduce_chunks");
	launch(l, x_mul(s->count, level[k].count));
}

static void solve_tops(const struct task *c, const struct chunks *level)
{
	const struct systems *s = c->found;
	struct lowering *l = open_kernel(c, "tops", 0, "Solves for the ends of each system.");
	bind_array(c, l, "reduced", level->reduced, true);
	bind_array(c, l, "firsts", level->firsts, false);
	bind_array(c, l, "lasts", level->lasts, false);
	k_text(l->k, "solve_tops");
	launch(l, s->count);
}

static void expand(const struct task *c, const struct chunks *level, int k)
{
	const struct systems *s = c->found;
	const char *note = "Solves within each chunk, whose ends are known.";
	struct lowering *l = open_kernel(c, "expand", k, note);
	bind_level(c, l, &level[k]);
	bind_array(c, l, "firsts", level[k].firsts, true);
	bind_array(c, l, "lasts", level[k].lasts, true);
	if (k) {
		bind_array(c, l, "element_firsts", level[k - 1].firsts, false);
		bind_array(c, l, "element_lasts", level[k - 1].lasts, false);
	}
	k_text(l->k, "expand_chunks");
	launch(l, x_mul(s->count, level[k].count));
}

struct kx *solve_chunks_when(const struct task *c)
{
	const struct systems *s = c->found;
	return kx_fold(x_and(x_lt(x_i64(SHORT), s->rows), x_lt(s->count, x_i64(MANY))));
}

void solve_chunks(const struct task *c)
{
	struct chunks level[LEVELS] = { 0 };
	open_levels(c, level);
	for (int k = 0; k < LEVELS; k++)
		reduce(c, level, k);
	solve_tops(c, &level[LEVELS - 1]);
	for (int k = LEVELS - 1; k >= 0; k--)
		expand(c, level, k);
}
