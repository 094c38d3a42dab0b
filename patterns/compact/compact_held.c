/* compact_held.c - tiles whose values are held in registers.
 *
 * Where all that is moved are scalars, and what the condition reads it reads at the item itself, a
 * thread loads what it needs of all its items first, as whole vectors, judges them, and leaves the
 * values of those that stay in shared memory, those of all equations.  Nothing is read twice.  A
 * warp stores them from there as vectors of 16 bytes, but for those before the first boundary and
 * after the last.
 *
 * On an H200 (2^28 items of u32, half of them kept; ms): 128 threads with 16 rows of 16 bytes and 5
 * blocks a multiprocessor 0.42, 14 rows 0.43, 12 rows 0.44; by hand, 256 threads with 8 rows 1 %
 * and 4 blocks instead of 5 4 % slower than that, 24 rows in 3 blocks 4 %, 512 threads 4 to 24 %;
 * loads and stores marked as streaming 9 %.
 *
 * An item after the last one reads as zero and is of no part: a full tile needs no test. None is
 * skipped: what is not kept is rejected, so that ranks of the ones give those of the others. */
#include "pass.h"
#include "compact_tile.h"

enum {
	THREADS = 128,                       /* of a block */
	BLOCKS = 5,                          /* of a multiprocessor, where shared memory allows */
	/* the same where divisions, functions and halves want registers: ptxas spilled */
	SLOW_BLOCKS = 3,
	ARRAYS = 8,                          /* held at most */
	WORDS = 64,       /* registers of what a thread holds; no more items than a mask has bits */
	COMPUTED_WORDS = 56,  /* the same where values are computed on their way to shared memory */
	STAGED = 32768                       /* bytes of a tile's values */
};

/* ---- which reads ---- */

static bool is_own(const struct box *b, const struct expr *read)
{
	const struct node *node = b->node;
	if (read->var->rank != node->index.n || read->checked || var_home(read->var)
	    || read->type->kind == T_STRUCT)
		return false;
	for (int k = 0; k < node->index.n; k++) {
		struct affine hi;
		bool bare = read->arg.at[k]->kind == E_VAR
		            && read->arg.at[k]->var == node->index.at[k];
		if (!bare || (node->index.n > 1 && !x_is_int(b->lo[k], 0)))
			return false;
		if (k
		    && (!is_dense(read->var) || !affine_of(node->hi.at[k], &hi)
		        || !affine_equal(&hi, &read->var->extent[k])))
			return false;
	}
	return true;
}

/* Of an array that is read at the item itself; all its reads are, or nothing is held. */
static const struct held *held_of(const struct tile *t, const struct expr *read)
{
	for (int h = 0; h < t->held.n; h++)
		if (t->held.at[h].read->var == read->var)
			return &t->held.at[h];
	return NULL;
}

/* Everything an item needs: held, or the same for all items. */
static bool collect(struct expr *e, void *state)
{
	struct tile *t = state;
	if (e->kind == E_FOLD || e->guarded || (e->kind == E_ELEM && e->checked))
		return false;
	if (e->kind != E_READ)
		return true;
	if (!is_own(t->box, e))
		return false;
	if (!held_of(t, e))
		list_add(&t->held, ((struct held){ e, NULL }));
	return true;
}

static bool moves_scalars(const struct node *node)
{
	for (int q = 0; q < node->equation.n; q++) {
		const struct equation *eq = node->equation.at[q];
		const struct expr *cell = target_read(eq->target.at[0]);
		if (eq->whole || cell->type->kind == T_STRUCT || cell->var->rank > 1
		    || var_home(cell->var))
			return false;
	}
	return true;
}

/* Bytes of one item: kept and rejected ones of a type share memory. */
static int64_t staged_bytes(const struct node *node)
{
	const struct equation *eq[PART_COUNT];
	int64_t bytes = 0;
	for (int nth = 0;; nth++) {
		for (int a = 0; a < PART_COUNT; a++)
			eq[a] = tile_nth(node, (enum part)a, nth);
		if (!eq[PART_KEPT] && !eq[PART_REJECTED])
			return bytes;
		for (int a = 0; a < PART_COUNT; a++)
			if (eq[a] && !(a && eq[0] && eq[0]->right->type == eq[a]->right->type))
				bytes += type_size(eq[a]->right->type);
	}
}

static int most_words(const struct node *node)
{
	for (int q = 0; q < node->equation.n; q++)
		if (selected_part(node, node->equation.at[q]) != PART_COUNT
		    && node->equation.at[q]->right->kind != E_READ)
			return COMPUTED_WORDS;
	return WORDS;
}

/* As many rows of vectors as registers and shared memory hold.  false: none. */
static bool choose_rows(struct tile *t)
{
	int most = most_words(t->box->node);
	int64_t widest = 1, words = 0, staged = staged_bytes(t->box->node) * THREADS;
	for (int h = 0; h < t->held.n; h++) {
		const struct type *type = t->held.at[h].read->type;
		widest = type_size(type) > widest ? type_size(type) : widest;
		words += type_words(type);
	}
	t->width = (int)(16 / widest);
	while (t->width > 2 && (t->width * staged > STAGED || t->width * words > most))
		t->width /= 2;
	t->rows = (int)(most / (words * t->width));
	while (t->rows > 1 && t->rows * t->width * staged > STAGED)
		t->rows--;
	t->rows = t->rows < 1 ? 1 : t->rows;
	return t->width * staged <= STAGED;
}

/* Halves are widened to be looked at, which takes registers too. */
static bool is_slow(const struct tile *t)
{
	const struct node *node = t->box->node;
	bool slow = expr_slow(node->where) || node_slow(node);
	for (int h = 0; h < t->held.n; h++) {
		const struct type *type = t->held.at[h].read->type;
		slow |= type_class(type) == 'F' && type_compute(type) != type;
	}
	return slow;
}

void held_bound(const struct tile *t)
{
	int64_t shared = t->rows * t->width * THREADS * staged_bytes(t->box->node);
	t->it->l->k->block[0] = THREADS;
	block_fewest(t->it->l, shared, is_slow(t) ? SLOW_BLOCKS : BLOCKS);
}

bool held_find(struct tile *t)
{
	const struct node *node = t->box->node;
	bool open = false;
	for (int k = 0; k < t->box->rank; k++)
		open |= t->box->open[k];
	bool can = !open && !node_checked(node) && moves_scalars(node)
	           && expr_walk(node->where, collect, t);
	for (int q = 0; can && q < node->equation.n; q++)
		can = expr_walk(node->equation.at[q]->right, collect, t);
	struct tile held = *t;
	if (!can || !t->held.n || t->held.n > ARRAYS || !choose_rows(&held)) {
		t->held.n = 0;
		return false;
	}
	*t = held;
	return true;
}

/* ---- the functions of compact.kernel ---- */

/* Of the array, the cell of the first item. */
static struct kx *start_of(struct lowering *l, const struct box *b, const struct held *h,
                           struct kx *lo)
{
	struct kx *pointer = lower_pointer(l, h->read->var);
	return b->rank == 1 && !x_is_int(lo, 0) ? x_offset(pointer, lo) : pointer;
}

static struct kx *vectors_allowed(struct tile *t)
{
	struct lowering *host = host_lowering(t->it->l->plan);
	struct kx *all = NULL;
	for (int h = 0; h < t->held.n; h++) {
		int64_t bytes = type_size(t->held.at[h].read->type) * t->width;
		struct kx *arg[] = { start_of(host, t->box, &t->held.at[h], t->box->lo[0]),
			             x_i64(bytes) };
		all = x_and(all, x_help(kt_scalar(T_BOOL), "patc_aligned", 2, arg));
	}
	return all;
}

static const struct held *one_of(struct lowering *l, const void *tile)
{
	return &((const struct tile *)tile)->held.at[l->k->each];
}

static struct kx *start(struct lowering *l, const void *tile, struct kx *const *none)
{
	const struct tile *t = tile;
	(void)none;
	return start_of(l, t->box, one_of(l, tile), t->it->lo[0]);
}

static struct kx *zero(struct lowering *l, const void *tile, struct kx *const *none)
{
	(void)none;
	return lower_zero(one_of(l, tile)->read->type);
}

static struct kx *vectors(struct lowering *l, const void *tile, struct kx *const *none)
{
	(void)none;
	return lower_argument(l, "vectors", kt_scalar(T_BOOL),
	                      vectors_allowed((struct tile *)tile));
}

static struct kx *held_read(struct lowering *l, const struct expr *read)
{
	const struct tile *t = l->now.state;
	const struct held *h = held_of(t, read);
	return h ? x_at(h->value, t->at) : lower_cell(l, read);
}

/* The item at that place, which is the thread's of that number. */
static struct kx *bind_item(struct lowering *l, const void *tile, struct kx *const *arg)
{
	struct tile *t = (struct tile *)tile;
	t->at = arg[1];
	for (l->k->each = 0; l->k->each < t->held.n; l->k->each++)
		t->held.at[l->k->each].value = k_get(l->k, "held");
	l->k->each = 0;
	items_bind(t->it, arg[0]);
	l->now.read = held_read;
	l->now.state = t;
	return NULL;
}

static struct kx *is_chosen(struct lowering *l, const void *tile, struct kx *const *none)
{
	(void)none;
	return lower_expr(l, ((const struct tile *)tile)->it->node->where);
}

static struct kx *value_of(struct lowering *l, const void *equation, struct kx *const *none)
{
	(void)none;
	return lower_expr(l, ((const struct equation *)equation)->right);
}

/* What all equations move of the item. */
static struct kx *stage_all(struct lowering *l, const void *tile, struct kx *const *none)
{
	struct tile *t = (struct tile *)tile;
	struct kernel *k = l->k;
	int names = k_names(k);
	(void)none;
	for (int nth = 0;; nth++) {
		const struct equation *kept = tile_nth(t->it->node, PART_KEPT, nth);
		const struct equation *other = tile_nth(t->it->node, PART_REJECTED, nth);
		if (!kept && !other)
			return NULL;
		k_bind(k, "SAME", kept && other && kept->right->type == other->right->type);
		k_bind(k, "KEPT", kept != NULL);
		k_bind(k, "OTHER", other != NULL);
		k_bind_call(k, "kept_value", value_of, kept);
		k_bind_call(k, "other_value", value_of, other);
		if (kept)
			k_bind(k, "kept_memory", tile_staged(t, nth, kept->right->type));
		if (other)
			k_bind(k, "other_memory", tile_staged(t, nth, other->right->type));
		k_text(k, "stage_nth");
		k_forget(k, names);
	}
}

/* What an equation of the part has staged goes to its array. */
static void move_values(struct tile *t, int nth, const struct equation *eq, struct kx *const *moved)
{
	struct lowering *l = t->it->l;
	const struct var *var = eq->target.at[0]->var;
	int cells = (int)(16 / type_size(var->type)), names = k_names(l->k);
	k_bind(l->k, "array", lower_pointer(l, var));
	k_bind(l->k, "values", tile_staged(t, nth, eq->right->type));
	k_bind(l->k, "extent", lower_extent(l, var, 0));
	struct kx *arg[] = { host_var_x(l->plan, var), x_i64(16) };
	struct kx *aligned = x_help(kt_scalar(T_BOOL), "patc_aligned", 2, arg);
	const char *name = str_print("%s_vectors", var->name);
	k_bind(l->k, "aligned", lower_argument(l, name, kt_scalar(T_BOOL), aligned));
	k_bind(l->k, "CELLS", cells);
	k_bind(l->k, "VECTOR", kt_vector(var->type, cells));
	k_bind(l->k, "vector", str_print("%s%d", var->name, cells));
	k_text(l->k, "move_values", moved[0], moved[1], moved[2]);
	k_forget(l->k, names);
}

static struct kx *move_held(struct lowering *l, const void *tile, struct kx *const *moved)
{
	struct tile *t = (struct tile *)tile;
	enum part part = (enum part)l->k->each;
	const struct equation *eq;
	for (int nth = 0; (eq = tile_nth(t->it->node, part, nth)); nth++)
		move_values(t, nth, eq, moved);
	return NULL;
}

void held_bind(struct tile *t)
{
	const struct type *type[ARRAYS];
	const char *held[ARRAYS], *loaded[ARRAYS];
	struct kernel *k = t->it->l->k;
	for (int h = 0; h < t->held.n; h++) {
		const struct expr *read = t->held.at[h].read;
		type[h] = read->type;
		held[h] = str_print("%s_held", read->var->name);
		loaded[h] = str_print("%s%d", read->var->name, t->width);
	}
	bind_types(k, "HELD_TYPE", t->held.n, type);
	bind_words(k, "held", t->held.n, held);
	bind_words(k, "loaded", t->held.n, loaded);
	k_bind_calls(k, t, { "start", start }, { "zero", zero }, { "vectors", vectors },
	             { "bind_item", bind_item }, { "is_chosen", is_chosen },
	             { "stage_all", stage_all }, { "move_held", move_held });
}
