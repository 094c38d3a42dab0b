/* scan_strips.c - a tile whose cells lie in shared memory: a thread computes a strip of
 * neighbouring ones.
 *
 * A warp brings its stretch of each array as it lies there, by copies that need no registers
 * (cp.async, from sm_80 on), lets every lane take the vectors of its own strip, and sends the
 * results back the same way, from the place of what they were computed from (from sm_90 on in one
 * bulk copy).  Neighbouring lanes start an odd number of vectors apart, so that no two of a quarter
 * of a warp meet in a bank.
 *
 * So a thread carries one total, where rows carry one for each vector: the lanes are scanned once,
 * and nothing spills. On an H200, 2^28 f32: 3,440 GB/s, where rows of 20 vectors in shared memory
 * moved 3,170; scans of rows 3,620 for 2,550, by heads 377 G cells/s for 207.
 *
 * How many blocks a multiprocessor holds is what hides the wait for the tiles before: together they
 * hold held_bytes of the target.  One total of a word fits the registers of 6 blocks of 256
 * threads, other totals those of 7 or 5 of 128.  Larger tiles are faster still at 2^28 (by hand,
 * 128 threads x 27 vectors: 3,410 for 3,320), but slower where there are few (2^16: 7.9 us for
 * 5.8). */
#include "small.h"
#include "scan_tile.h"

enum { STRIP_CELLS = 128 };              /* of a thread at most */

/* Threads of a block, and how many blocks share a multiprocessor: their registers. */
struct occupancy { int threads, blocks; };
static const struct occupancy one_word = { 256, 6 }, two_words = { 128, 7 }, busy = { 128, 5 };

/* ---- what it can hold ---- */

static bool own_only(struct expr *e, void *node)
{
	return e->kind != E_READ || scan_own(node, e);
}

static bool is_plain_type(const struct type *type)
{
	return type->kind != T_STRUCT && type->kind != T_BOOL && !is_small(type);
}

static bool is_quick(const struct expr *e)
{
	return !e || !expr_slow(e);
}

/* One fold or recurrence by built-in operators. */
static bool is_simple(const struct equation *eq, const struct accumulator *a)
{
	const struct recurrence *r = eq->recurrence;
	if (!r)
		return a->type == a->of && a->op->kind != OPK_USER && is_quick(eq->right);
	bool built_in = r->acc->kind != OPK_USER && (!r->dist || r->dist->kind != OPK_USER);
	return built_in && r->order == 1 && is_quick(r->weight[0]) && is_quick(r->rest);
}

/* Nothing but the cells, and the running index where sequences are cut by it. */
static bool uses_no_index(const struct scan *s)
{
	for (int d = 0; d < s->node->index.n; d++)
		if (s->uses[d] && !(s->cuts && d == s->axis))
			return false;
	return scan_each(s->node, own_only, (void *)s->node);
}

/* Where sequences begin is told by bits, or by the cell itself. */
static bool heads_near(const struct scan *s)
{
	switch (s->running->segment) {
	case SEGMENT_NONE:
		return true;
	case SEGMENT_OFFSETS:
		return !s->running->from_right;
	case SEGMENT_HEADS: case SEGMENT_KEYS:
		return !s->running->from_right && scan_own(s->node, s->running->cell);
	case SEGMENT_LENGTH:
		break;
	}
	return false;
}

/* From right a stretch ends where a vector does: so must what is copied. */
static bool can_be_copied(const struct scan *s)
{
	struct holding h = flat_arrays(s);
	for (int i = 0; i < h.at.n; i++)
		if (!is_plain_type(h.at.at[i]->type)
		    || (s->running->from_right && type_size(h.at.at[i]->type) * s->width != 16))
			return false;
	return true;
}

/* Statements known to fit the registers of so many blocks. */
bool strips_fit(const struct tiles *t, const struct total *like)
{
	const struct scan *s = t->s;
	const struct equation *eq = s->node->equation.at[0];
	struct holding h = held_arrays(s);
	if (s->l->target->held_bytes == 0 || !t->held || s->width == 1 || s->node->equation.n > 1
	    || like->acc.n > 1 || !h.at.n || h.at.n > 2)
		return false;
	if (type_words(like->acc.at[0].type) > 2 || !is_simple(eq, &like->acc.at[0]))
		return false;
	return can_be_copied(s) && uses_no_index(s) && heads_near(s);
}

/* The next cell looks at the key of this one. */
static bool is_keys(const struct scan *s, const struct var *var)
{
	return s->running->segment == SEGMENT_KEYS && var == s->running->cut;
}

/* The array whose memory the results of target i take over: its own, or one of the same type that
 * no other needs. */
static const struct var *place_of_target(const struct scan *s, int i)
{
	const struct var *target = target_read(node_target(s->node, i))->var;
	struct holding h = held_arrays(s);
	for (int k = 0; k < h.at.n; k++)
		if (h.at.at[k] == target)
			return target;
	for (int k = 0; i == 0 && k < h.at.n; k++)
		if (h.at.at[k]->type == target->type && !node_writes(s->node, h.at.at[k])
		    && !is_keys(s, h.at.at[k]))
			return h.at.at[k];
	return NULL;
}

/* Of shared memory, a cell. */
static int64_t cell_bytes(const struct scan *s)
{
	struct holding h = held_arrays(s);
	int64_t bytes = 0;
	for (int i = 0; i < h.at.n; i++)
		bytes += type_size(h.at.at[i]->type);
	for (int i = 0; node_target(s->node, i); i++)
		if (!place_of_target(s, i))
			bytes += type_size(target_read(node_target(s->node, i))->var->type);
	return bytes;
}

static const struct occupancy *occupancy_of(const struct scan *s, const struct total *like)
{
	bool recurs = s->node->equation.at[0]->recurrence,
	     by_bits = s->running->segment == SEGMENT_OFFSETS;
	if (recurs || (like->begins && (s->node->index.n > 1 || !by_bits)))
		return &busy;
	return type_words(like->acc.at[0].type) == 1 && !like->begins ? &one_word : &two_words;
}

/* Heads that are no bytes, and keys, are unpacked into registers: ptxas spilled 20 bytes with heads
 * of u16, and 40 to 48 where totals of 8 bytes meet heads or weights. */
static bool wide_heads(const struct scan *s)
{
	return s->running->segment == SEGMENT_KEYS
	       || (s->running->segment == SEGMENT_HEADS && type_size(s->running->cut->type) > 1);
}

int strips_shape(const struct tiles *t, const struct total *like)
{
	const struct scan *s = t->s;
	const struct occupancy *occupancy = occupancy_of(s, like);
	s->l->k->block[0] = occupancy->threads;
	s->l->k->min_blocks = occupancy->blocks
	                      - (wide_heads(s)
	                         || (occupancy == &busy && type_words(like->acc.at[0].type) > 1));
	int64_t room = s->l->target->held_bytes / occupancy->blocks, most = STRIP_CELLS / s->width;
	int64_t vectors = room / (cell_bytes(s) * s->width * occupancy->threads);
	vectors = vectors > most ? most : vectors;
	if (s->node->choice.coarsen)
		return s->node->choice.coarsen < vectors ? s->node->choice.coarsen : (int)vectors;
	return (int)(vectors % 2 ? vectors : vectors - 1);
}

/* ---- copies ---- */

static struct kvar *shared_cells(struct tiles *t, const struct var *var, const char *how)
{
	struct kvar *cells = k_shared(t->s->l->k, var->type, str_print("%s_%s", var->name, how),
	                              t->cells);
	cells->align = 16;
	return cells;
}

static const struct var *target_of(const struct tiles *t, int i)
{
	return target_read(node_target(t->s->node, i))->var;
}

/* Of the element at hand: the array whose cells are held, and the one that results go to. */
KTEXT_HOLE(source)
{
	return lower_pointer(l, ((const struct tiles *)state)->s->held.at[l->k->each].var);
}

KTEXT_HOLE(target)
{
	return lower_pointer(l, target_of(state, l->k->each));
}

/* The vectors of results, to their slot. */
KTEXT_HOLE(store_strip)
{
	const struct tiles *t = state;
	for (int i = 0; i < t->s->out.n; i++)
		k_vstore(l->k, x_offset(x_var(t->results.at[i]), arg[0]), x_var(t->s->out.at[i]));
	t->s->out.n = 0;
	return NULL;
}

/* Few cells are written down one by one; many are the compiler's to repeat. */
static bool is_few(const struct tiles *t)
{
	return t->vectors * t->s->width <= 64;
}

static void open_results(struct tiles *t)
{
	struct scan *s = t->s;
	for (int i = 0; node_target(s->node, i); i++) {
		const struct var *from = place_of_target(s, i);
		struct kvar *cells = NULL;
		for (int k = 0; k < s->held.n; k++)
			if (s->held.at[k].var == from)
				cells = s->held.at[k].cells;
		list_add(&t->results, cells ? cells : shared_cells(t, target_of(t, i), "new"));
	}
}

/* A list of memory, and the bytes of its cells. */
static void bind_cells(struct kernel *k, const char *name, const char *bytes, int n,
                       struct kvar *const *cells)
{
	struct kx **value = mem_new(sizeof *value * (size_t)n);
	int64_t *size = mem_new(sizeof *size * (size_t)n);
	for (int i = 0; i < n; i++) {
		value[i] = x_var(cells[i]);
		size[i] = type_size(cells[i]->type.type);
	}
	bind_values(k, name, n, value);
	bind_listed(k, bytes, n, size);
}

void strips_bind(struct tiles *t)
{
	struct scan *s = t->s;
	struct kernel *k = s->l->k;
	struct holding h = held_arrays(s);
	struct kvar *held[2];                /* strips_fit */
	for (int i = 0; i < h.at.n; i++) {
		held[i] = shared_cells(t, h.at.at[i], "held");
		list_add(&s->held, ((struct held){ h.at.at[i], held[i] }));
	}
	open_results(t);
	bind_cells(k, "held", "HELD_BYTES", h.at.n, held);
	bind_cells(k, "result", "RESULT_BYTES", t->results.n, t->results.at);
	k_bind(k, "FEW", is_few(t));
	k_bind_calls(k, t, { "source", source }, { "target", target },
	             { "store_strip", store_strip });
}
