/* matmul_gpu.c - a product of matrices by tiles: block, warp, thread, term.
 *
 * A block computes a tile of the result, each thread some of its cells in registers. Of both
 * operands the block brings the cells of a few terms at a time into shared memory: copied there
 * several steps ahead, if an operand is a matrix as it lies and the machine copies by itself; or
 * loaded to registers while the terms before are computed, then stored to the other one of two
 * buffers, a barrier a step. In shared memory the cells of one term are contiguous, whichever way
 * the operand is stored. So a thread reads its rows and its columns of a term with 16-byte loads,
 * and the lanes of a warp, a rectangle of threads, read few different ones.
 *
 * An operand's value is computed where it is loaded (scales, conversions), the equation where the
 * last term is folded (alpha, beta, an activation). Terms are folded in their order, so what is
 * strict, or does not commute, is right too.
 *
 * 16 bytes at a time are loaded where the host finds every row of an operand at a multiple of them
 * (product_load.c). Where the kernels for both widths have the same shape, they are one, and the
 * width is its choice (Note [choices] in kir.h). Tiles are taken in groups of rows, so that blocks
 * that run together share their operands in the L2 cache.
 *
 * Where tiles are few and terms many, blocks share the terms of a tile (product_parts.c).
 *
 * bench/RESULTS.md, "products", has what it reaches beside cuBLAS. Written by hand, 256 x 128 cells
 * a block and 8 x 16 a thread, which is what cuBLAS runs, were slower on an H200 than blocks of 64
 * x 128, four of which fit on a multiprocessor. */
#include "../reduce/reduce.h"
#include "../ways.h"
#include "matrix.h"
#include "tiled.h"

enum {
	GROUP = 8,                           /* rows of tiles */
	LARGE_COST = 19, SMALL_COST = 20,    /* relative time of a cell in such a tile */
	VECTOR = 16,                         /* bytes */
	STAGES = 3                           /* of copies: a fourth gains nothing on an H200 */
};
/* What is loaded at a time, where the host decides it: what struct tiled says, 16 bytes, or a cell.
 */
enum { AS_FOUND, VECTORS, ANY };

static bool is_cell(const struct expr *e)
{
	return e->kind == E_READ
	       || (e->kind == E_CAST && e->arg.at[0]->kind == E_READ && type_size(e->type) == 4);
}

/* A sum of products of cells, or of what a conversion to 4 bytes makes of them: one FMA a
 * term; `strict` splits it into a multiplication and an addition. */
static bool is_fma(const struct product *p)
{
	return product_adds(p) && !fold_in_order(p->fold) && is_cell(p->operand[ROWS].e)
	       && is_cell(p->operand[COLUMNS].e);
}

/* Its operands lie in memory as they are held. */
static bool lies_whole(const struct product *p)
{
	return p->operand[ROWS].e->kind == E_READ && p->operand[COLUMNS].e->kind == E_READ;
}

/* A sum of products of f32, one product and nothing after it, has registers for an address a load,
 * and is 2 % faster then on an H200. */
static bool is_bare(const struct tiled *t)
{
	const struct product *p = t->p;
	return is_fma(p) && product_bytes(p) == 4 && lies_whole(p) && !t->batch
	       && p->node->equation.at[0]->right == p->fold && !t->side_folds;
}

/* Rows of the result lie one after another, and the loop over terms stays one. */
static bool is_usual(const struct product *p)
{
	const struct fold *fold = p->fold->fold;
	return affine_cells(fold->lo.at[p->deep_index], fold->hi.at[p->deep_index]) < 0
	       && !target_read(node_target(p->node, 0))->var->layout;
}

/* The shape of a tile, LARGE or SMALL.
 *
 * A tile has 128 rows (`high`) or 64, and 64 columns (`narrow`) or 128; a thread has 8 rows and 4
 * or 8 columns of it.  Threads of the largest tiles have just enough registers for one FMA a term
 * (`fma`) of the usual loop (`usual`): for all else tiles are smaller, or blocks fewer. */
struct tile_form product_form(const struct product *p, const struct target *t, int which)
{
	if (p->unit)
		return unit_form(p, t, which);
	/* values of 8 bytes; `full`: they and their addresses fill the registers */
	bool wide = product_bytes(p) > 4, small = which == SMALL, fma = is_fma(p),
	     usual = is_usual(p), full = wide && !(fma && usual);
	/* clang for AMD sums products of integers in two registers each */
	bool twice = !t->unrolls && !wide && p->fold->fold->op->kind == OPK_SUM
	             && type_class(p->fold->type) != 'F';
	bool narrow = small || twice || full, short_ = fma && !wide,
	     copied = short_ && product_copied(p, t);
	bool high = !small && (full || twice || (short_ && !copied));
	struct tile_form f = { .size = { high ? 128 : 64, narrow ? 64 : 128 },
		               .depth = 8,
		               .stages = 2 };
	f.thread[ROWS] = 8;
	f.thread[COLUMNS] = narrow ? 4 : 8;
	f.lanes[COLUMNS] = narrow ? 8 : t->lanes / 8;
	f.lanes[ROWS] = t->lanes / f.lanes[COLUMNS];
	f.threads = f.size[ROWS] / f.thread[ROWS] * (f.size[COLUMNS] / f.thread[COLUMNS]);
	f.min_blocks = (small || copied || !(fma || wide) ? 3 : 2) - (full || !usual);
	return f;
}

bool product_takes(const struct product *p, const struct target *t, const int *tile, int which)
{
	const struct tile_form f = product_form(p, t, which);
	return !tile[0] || (tile[0] == f.size[0] && tile[1] == f.size[1]);
}

/* ---- the kernel's names, for folds of its cells (product_fold.c) ---- */

static struct kx *tiled_let(struct tiled *t, const char *name, struct kx *value)
{
	return x_var(k_let(t->k, name, value));
}

/* What tiled.kernel knows of a side by that name. */
struct kx *tiled_side(const struct tiled *t, enum side side, const char *name)
{
	t->k->each = side;
	return k_get(t->k, name);
}

/* From a lane to the one whose share is so many further along that side, a power of two. */
int tiled_apart(const struct tiled *t, enum side side, int step)
{
	if (t->p->unit)
		return side == ROWS ? step * t->form.lanes[COLUMNS] : step;
	if (side == ROWS)
		return t->copied ? 2 * step : step;
	return t->copied && step == 1 ? 1 : step * t->form.lanes[ROWS];
}

/* A vector, or what a unit's lane has. */
int tiled_wide(const struct product *p, enum side side)
{
	return p->unit ? p->unit->fragment->wide[side]
	               : VECTOR / (int)type_size(p->operand[side].e->type);
}

/* Where the thread's cell number i along a side is in the tile: lanes take a vector each, by turns.
 * */
struct kx *tiled_own(const struct tiled *t, enum side side, struct kx *i)
{
	int wide = tiled_wide(t->p, side);
	struct kx *turn = x_mul(x_div(i, x_i32(wide)), x_i32(t->form.lanes[side] * wide));
	return x_add(tiled_side(t, side, "own"), x_add(turn, x_rem(i, x_i32(wide))));
}

struct kx *tiled_each(struct tiled *t, enum side side)
{
	return x_var(k_for(t->k, side ? "j" : "i", x_i32(0), x_i32(t->form.thread[side]), x_i32(1),
	                   FOR_UNROLL));
}

void tiled_open(struct tiled *t, enum side side, struct kx *place)
{
	const struct var *along = t->p->operand[side].along;
	struct kx *first = tiled_side(t, side, "first");
	struct kx *cell = tiled_let(t, along->name, x_add(first, x_to_i64(place)));
	lower_bind(t->l, along, cell);
	k_if(t->k, t->inside ? x_le(tiled_side(t, side, "skip"), place)
	                     : x_lt(cell, tiled_side(t, side, "end")));
}

struct kx *tiled_value(struct tiled *t, struct kx *i, struct kx *j)
{
	struct kx *at = x_add(x_mul(i, x_i32(t->form.thread[COLUMNS])), j);
	return tiled_let(t, "cell", product_value(t->l, t->p, x_at(k_get(t->k, "sum"), at)));
}

/* ---- what tiled.kernel leaves open ---- */

/* Sums of the largest tiles leave no registers for where the tile is, and its product, while whole
 * steps of terms are folded: shared memory holds it until it is needed again. */
static bool is_crowded(const struct tiled *t)
{
	bool largest = t->form.thread[ROWS] * t->form.thread[COLUMNS] * t->form.threads
	               == 128 * 128;
	return t->target->unrolls && !t->p->unit && (t->batch || !lies_whole(t->p)) && largest;
}

/* To and fro, where a term is not one instruction of three registers otherwise. */
static bool is_turning(const struct product *p)
{
	return p->fold->fold->op->kind == OPK_SUM || type_class(p->fold->type) != 'F';
}

/* After the places of both sides. */
static struct kx *keep_indices(struct lowering *l, const void *tiled, struct kx *const *places)
{
	const struct tiled *t = tiled;
	const struct node *node = t->p->node;
	for (int d = 0, n = 4; d < node->index.n; d++)
		if (product_counts(t->p, d))
			k_set(l->k, x_at(places[0], x_i32(n++)), lower_var(l, node->index.at[d]));
	return NULL;
}

static struct kx *find_indices(struct lowering *l, const void *tiled, struct kx *const *places)
{
	const struct tiled *t = tiled;
	const struct node *node = t->p->node;
	for (int d = 0, n = 4; d < node->index.n; d++)
		if (product_counts(t->p, d))
			lower_bind(l, node->index.at[d],
			           x_var(k_let(l->k, node->index.at[d]->name,
			                       x_at(places[0], x_i32(n++)))));
	return NULL;
}

static struct kx *fold_sides(struct lowering *l, const void *tiled, struct kx *const *none)
{
	struct tiled *t = (struct tiled *)tiled;
	(void)l, (void)none;
	side_folds_in_kernel(t, t->side_folds);
	return NULL;
}

static void bind_shape(const struct tiled *t)
{
	const struct tile_form *f = &t->form;
	const int warps = f->size[ROWS] / (f->lanes[ROWS] * f->thread[ROWS]);
	k_numbers(t->k, "THREADS, THREAD_ROWS, THREAD_COLUMNS, STEP_TERMS, STAGES, "
	          "GROUP, ROW_LANES, COLUMN_LANES, ROW_WARPS, PLACES",
	          f->threads, f->thread[ROWS], f->thread[COLUMNS], f->depth, f->stages, GROUP,
	          f->lanes[ROWS], f->lanes[COLUMNS], warps, 2 + t->p->node->index.n);
	k_bind(t->k, "ONE_COLUMN", t->p->narrow > 0);
	k_numbers(t->k, "COPIED, INSIDE, BATCH, PARTS, SIDE_FOLDS, CROWDED, SERPENTINE, UNROLLS",
	          t->copied, t->inside, t->batch != NULL, t->parts != NULL, t->side_folds != NULL,
	          is_crowded(t), is_turning(t->p), t->target->unrolls);
	k_bind(t->k, "COUNT", type_scalar(t->inside ? T_I32 : T_I64)); /* walking needs registers */
}

void tiled_names(const struct tiled *t, const char *name, const char *const word[2])
{
	const char *swapped[] = { word[COLUMNS], word[ROWS] };
	bind_words(t->k, name, 2, t->p->across ? swapped : word);
}

/* What variables of each side are called: as what they are in the program. */
static void bind_words_of(const struct tiled *t)
{
	static const struct { const char *name, *word[2]; } words[] = {
		{ "held", { "left_next", "right_next" } }, { "part", { "left", "right" } },
		{ "at", { "left_at", "right_at" } }, { "first", { "tile_row", "tile_column" } },
		{ "skip", { "skip_rows", "skip_columns" } },
		{ "last", { "last_row", "last_column" } },
		{ "own", { "own_row", "own_column" } },
		{ "width", { "width", "width" } },
		{ "across", { "left_across", "right_across" } },
		{ "lines", { "left_lines", "right_lines" } },
		{ "apart", { "left_apart", "right_apart" } },
		{ "stride", { "left_stride", "right_stride" } },
	};
	for (size_t i = 0; i < sizeof words / sizeof *words; i++)
		tiled_names(t, words[i].name, words[i].word);
	k_bind(t->k, "in_group", "rest");
	k_bind(t->k, "down", "rest");
}

static void compute_tile(struct tiled *t)
{
	t->text = product_text(t->l, t->p);
	product_text_terms(t->text, t->copied && t->p->window
	                                    ? sliding_terms(t->l->plan, t->p, t->form.depth)
	                                    : t->host_terms);
	if (t->parts)
		k_bind(t->k, "part_terms",
		       lower_argument(t->l, "part_terms", kt_scalar(T_I64), t->parts->share));
	product_text_tiles(t->text, ROWS, t->tiles, t->count);
	bind_shape(t);
	bind_words_of(t);
	operands_bind(t);
	unit_bind(t);
	sliding_bind(t);
	k_bind_calls(t->k, t, { "keep_indices", keep_indices }, { "find_indices", find_indices },
	             { "fold_sides", fold_sides }, { "parts", parts_of },
	             { "store_part", parts_store });
	k_text(t->k, "tiled");
}

/* ---- a kernel, and which one ---- */

static bool is_quick(struct expr *e, void *state)
{
	if (e->kind == E_MATH)
		return e->math == M_min || e->math == M_max || e->math == M_abs || e->math == M_fma;
	if (e->kind == E_CALL)
		return e->fn->value && expr_walk(e->fn->value, is_quick, state);
	return e->kind != E_BINARY || (e->op != OP_DIV && e->op != OP_REM);
}

/* Functions of several steps, and divisions, need many registers. */
static bool is_slow(const struct product *p)
{
	return !expr_walk(p->node->equation.at[0]->right, is_quick, NULL);
}

static void kernel_of(const struct tiled *host, struct plan *plan, bool small)
{
	struct tiled *t = NEW(struct tiled);
	*t = *host;
	t->parts = small ? t->parts : NULL;
	const int *size = t->form.size, across = t->p->across;
	const char *name = str_print("%s_%dx%d%s%s", t->p->node->name, size[across],
	                             size[!across], t->inside ? "_walk" : "",
	                             t->vectors ? "" : "_any");
	t->l = lowering_new(plan, name);
	t->k = t->l->k;
	if (!target_read(node_target(t->p->node, 0))->var->on_chip)
		lowering_writes(t->l, t->p->node);
	t->k->block[0] = t->form.threads;
	t->k->block[1] = t->k->block[2] = 1;
	/* an address a load */
	bool many = t->form.size[ROWS] > 64 && !(t->vectors && (is_bare(t) || t->side_folds));
	bool roomy = t->inside ? t->side_folds != NULL : is_slow(t->p) || many;
	bool spills = t->copied ? t->batch != NULL
	                        /* clang, with conversions */
	                        : t->inside && !t->target->unrolls && t->form.min_blocks > 1;
	t->k->min_blocks = t->p->unit ? unit_blocks(t)
	                              : roomy ? 1 : t->form.min_blocks - spills;
	compute_tile(t);
	lowering_launch(t->l, unit_launch(t), t->parts ? t->parts->host : x_i64(1), x_i64(1));
}

/* More terms a step, and stages as far as shared memory has room for the blocks. No registers wait
 * for cells: that is room for a block more of 64 sums of a thread, of a term that is one
 * instruction. */
static void copied_form(const struct tiled *t, struct tile_form *f)
{
	bool wide = product_bytes(t->p) > 4;
	if (t->p->unit) {
		f->stages = unit_stages(t->p, f, t->side_folds);
		return;
	}
	f->stages = STAGES;
	f->depth = wide ? 8 : 16;
	f->min_blocks += !wide && is_fma(t->p) && f->thread[COLUMNS] == 8;
	while (f->stages > 2
	       && blocks_of_unit(t->target, f->threads, operands_shared(t->p, f)) < f->min_blocks)
		f->stages--;
}

static void kernel_of_form(struct tiled *t, struct plan *plan, int form)
{
	t->form = product_form(t->p, plan->target, form);
	t->copied = (t->inside || form != LARGE || t->p->window) && product_copied(t->p, t->target)
	            && !(t->p->unit && !t->vectors);
	if (t->copied)
		copied_form(t, &t->form);
	else if (unit_holds(t))
		t->form.stages = 1;
	for (int side = ROWS; side <= COLUMNS; side++)
		t->tiles[side] = plan_let(plan,
		                          product_names_columns(t->p, side) ? "column_tiles"
		                                                            : "row_tiles",
		                          x_div_up(t->count[side], x_i64(t->form.size[side])));
	for (int side = ROWS; t->side_folds && side <= COLUMNS; side++)
		k_set(plan->host, x_var(t->launched[side]), t->tiles[side]);
	kernel_of(t, plan, form != LARGE);
}

static struct kx *tiles_of(const struct tiled *t, int which)
{
	const struct tile_form form = product_form(t->p, t->target, which);
	struct kx *tiles = t->batch;
	for (int side = ROWS; side <= COLUMNS; side++) {
		struct kx *along = x_div_up(t->count[side], x_i64(form.size[side]));
		tiles = tiles ? x_mul(tiles, along) : along;
	}
	return tiles;
}

/* What the busiest multiprocessor computes: cells, at so much each. */
static struct kx *busiest(const struct tiled *t, int which)
{
	const int cost = t->p->unit ? unit_cost(t, which)
	                            : which == LARGE ? LARGE_COST : SMALL_COST;
	const struct tile_form form = product_form(t->p, t->target, which);
	return x_mul(x_div_up(tiles_of(t, which), x_i64(t->target->units)),
	             x_i64(form.size[ROWS] * form.size[COLUMNS] * cost));
}

static struct kx *enough_tiles(const struct tiled *t)
{
	struct kx *sooner = x_le(busiest(t, LARGE), busiest(t, SMALL));
	return x_and(sooner, t->parts ? x_eq(t->parts->host, x_i64(1)) : NULL);
}

/* And terms that an i32 counts. */
static struct kx *fills_tile(const struct tiled *t)
{
	const struct tile_form form = product_form(t->p, t->target, LARGE);
	struct kx *fills = x_le(t->host_terms, x_i64(INT32_MAX));
	for (int side = ROWS; side <= COLUMNS; side++)
		fills = x_and(fills, x_le(x_i64(form.size[side]), t->count[side]));
	return fills;
}

/* Threads of a large tile walk if their operands are copied; or if they may and there are registers
 * for it. */
static bool is_walked(const struct tiled *t)
{
	const struct product *p = t->p;
	bool may = product_walks(p, ROWS) && product_walks(p, COLUMNS);
	return may
	       && (product_copied(p, t->target)
	           || !(t->vectors && (is_bare(t) || t->side_folds)));
}

/* ---- the ways ---- */

static bool may_take_small(const struct tiled *t)
{
	return product_takes(t->p, t->target, t->p->node->choice.tile, SMALL);
}

/* One by one, addresses take more registers than a large tile leaves, unless threads walk. */
static bool may_take_large(const struct tiled *t)
{
	return product_takes(t->p, t->target, t->p->node->choice.tile, LARGE)
	       && (t->vectors || (is_walked(t) && !t->p->unit) || !may_take_small(t));
}

/* Has a large tile's kernel the same shape for both widths? */
static bool is_alike(const struct tiled *t)
{
	struct tiled any = *t;
	any.vectors = false;
	return may_take_large(&any) && is_walked(&any) == is_walked(t);
}

/* For the width of the row. */
static struct tiled of_width(const struct task *c)
{
	struct tiled t = unit_turned(c->found);
	if (c->way->form == AS_FOUND)
		return t;
	t.vectors = c->way->form == VECTORS;
	t.either = NULL;
	return t;
}

static bool may_be_large(const struct task *c)
{
	const struct tiled *t = c->found;
	return may_take_large(t) && (!t->either || is_alike(t));
}

static bool is_large_apart(const struct task *c)
{
	const struct tiled *found = c->found, t = of_width(c);
	return found->either && !is_alike(found) && may_take_large(&t);
}

static struct kx *large_pays(const struct task *c)
{
	const struct tiled *found = c->found, t = of_width(c);
	struct kx *of_this = c->way->form == VECTORS ? found->either : NULL;
	struct kx *enough = may_take_small(&t) ? enough_tiles(&t) : NULL;
	return x_and(of_this, x_and(enough, is_walked(&t) ? fills_tile(&t) : NULL));
}

/* A product of few rows reads the other operand once: that takes all of its time. */
static bool may_be_few(const struct task *c)
{
	const struct tiled *t = c->found;
	return t->p->unit && t->vectors && !t->p->node->choice.tile[0] && !t->p->window;
}

static struct kx *are_few(const struct task *c)
{
	return x_le(((const struct tiled *)c->found)->count[ROWS], x_i64(UNIT_FEW));
}

static void lower_few(const struct task *c)
{
	struct tiled t = *(const struct tiled *)c->found;
	t.inside = false;
	kernel_of_form(&t, c->plan, FEW);
}

/* The same for few columns. */
static bool may_be_narrow(const struct task *c)
{
	return unit_may_be_narrow(c->found, c->way->form);
}

static struct kx *are_narrow(const struct task *c)
{
	return unit_narrow_when(c->found, c->way->form);
}

static void lower_narrow(const struct task *c)
{
	struct tiled t = unit_narrowed(c->found, c->way->form);
	kernel_of_form(&t, c->plan, LARGE);
}

/* The unit of a group of warps, if the device has it: matrix.h. */
static bool may_group(const struct task *c)
{
	return unit_may_group(c->found);
}

static struct kx *groups_pay(const struct task *c)
{
	const struct tiled t = unit_grouped(c->found);
	struct kx *pays = x_and(enough_tiles(&t), t.inside ? fills_tile(&t) : NULL);
	return x_and(unit_group_allowed(), pays);
}

static void lower_groups(const struct task *c)
{
	struct tiled t = unit_grouped(c->found);
	kernel_of_form(&t, c->plan, LARGE);
}

static void lower_large(const struct task *c)
{
	struct tiled t = of_width(c);
	t.inside = is_walked(&t);
	kernel_of_form(&t, c->plan, LARGE);
}

static void lower_other(const struct task *c)
{
	bool small = may_take_small(c->found);
	struct tiled t = small ? *(const struct tiled *)c->found : unit_turned(c->found);
	t.inside = false;
	kernel_of_form(&t, c->plan, small ? SMALL : LARGE);
}

/* Which tile: the second choice, once the width of a load is known. */
static const struct way sizes[] = {
	/* above */
	{ "few", "16 rows a block", "there are so few", .fits = may_be_few, .when = are_few,
	  .lower = lower_few },
	/* above */
	{ "narrow", "64 columns a block, by the unit of four warps",
	  "the device has such units, and there are so few", .fits = may_be_narrow,
	  .when = are_narrow, .lower = lower_narrow, .form = 64 },
	{ "half", "128 columns a block, by the unit of four warps",
	  "the device has such units, and there are so few", .fits = may_be_narrow,
	  .when = are_narrow, .lower = lower_narrow, .form = 128 },
	/* above */
	{ "groups", "a large tile a block, by the unit of four warps",
	  "the device has such units, and large tiles are enough for it", .fits = may_group,
	  .when = groups_pay, .lower = lower_groups },
	/* above */
	{ "large", "a large tile a block", "large tiles are enough for the machine",
	  "addresses take too many registers, or another tile is pinned", .fits = may_be_large,
	  .when = large_pays, .lower = lower_large },
	/* the same, where the kernels for the two widths differ in more than the width: above */
	{ "vectors", "a large tile a block, 16 bytes a load",
	  "large tiles are enough for the machine, and rows begin at multiples of 16 bytes",
	  .fits = is_large_apart, .when = large_pays, .lower = lower_large, .form = VECTORS },
	{ "any", "a large tile a block, a cell a load", "large tiles are enough for the machine",
	  .fits = is_large_apart, .when = large_pays, .lower = lower_large, .form = ANY },
	/* above */
	{ "other", "a small tile a block, or a large one whose edges are tested",
	  .lower = lower_other }
};

static struct kx *vectors_allowed(const struct task *c)
{
	return ((const struct tiled *)c->found)->host_vectors;
}

static bool has_vectors(const struct task *c)
{
	return vectors_allowed(c);
}

static void lower_sizes(const struct task *c)
{
	((struct tiled *)c->found)->vectors = c->way->when;
	ways_lower(sizes, c->plan, c->group, c->found);
}

/* The width is known only when the program runs, and a small tile has one shape for both. */
static bool has_either(const struct task *c)
{
	const struct tiled *t = c->found;
	return !t->p->unit && may_take_small(t) && t->host_vectors
	       && t->host_vectors->kind != KX_INT;
}

static void lower_either(const struct task *c)
{
	struct tiled *t = c->found;
	t->vectors = true;
	t->either = plan_let(c->plan, "vectors", t->host_vectors);
	ways_lower(sizes, c->plan, c->group, t);
}

/* How many cells a load takes: the first choice. */
static const struct way accesses[] = {
	/* above */
	{ "either", "the host finds whether a load takes 16 bytes or a cell", .fits = has_either,
	  .lower = lower_either },
	/* large tiles only, or always: above */
	{ "vectors", "16 bytes a load", "rows of the operands begin at multiples of 16 bytes",
	  "rows of the operands cannot be loaded in this way", .fits = has_vectors,
	  .when = vectors_allowed, .lower = lower_sizes },
	/* above */
	{ "any", "a cell a load", .lower = lower_sizes }
};

void product_tiles(const struct product *p, const struct group *group, struct plan *plan)
{
	struct tiled t = { .p = p,
		           .side_folds = side_folds_open(p, group, plan),
		           .target = plan->target,
		           .batch = product_batch(plan, p) };
	for (int side = ROWS; side <= COLUMNS; side++)
		t.count[side] = plan_let(plan, side ? "columns" : "rows",
		                         product_along(plan, p, side));
	t.host_terms = product_terms(plan, p);
	for (int side = ROWS; t.side_folds && side <= COLUMNS; side++)
		t.launched[side] = k_var(plan->host, kt_scalar(T_I64),
		                         side ? "column_parts" : "row_parts", x_i64(0));
	t.parts = parts_open(&t, plan);
	t.host_vectors = kx_fold(product_vectors_allowed(plan, p, t.count, t.host_terms));
	ways_lower(accesses, plan, group, &t);
	if (t.parts)
		parts_close(&t, plan);
	if (t.side_folds)
		side_folds_close(t.side_folds, plan, t.launched);
}
