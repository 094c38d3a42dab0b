/* product_unit.c - products that a warp's matrix unit computes: sums of products of two cells of
 * few bits, or of f64.
 *
 * What a block does is what matmul_gpu.c says; only two things differ.  In shared memory an operand
 * has its own type, and lies as it does in memory, so that all of it is copied 16 bytes at a time;
 * a warp gets words of it as the unit needs them (ldmatrix, which turns operands of 16 bits whose
 * terms are lines; those of 8 bits are turned while they are brought).  And the terms of a slice
 * are one instruction for 16 x 8 cells of a warp.  Terms after the last are zeros.
 *
 * On AMD's machines it is 16 x 16 cells of 64 lanes (MFMA) or of 32 (WMMA), which read what they
 * have of a row's terms; so operands of 16 bits are turned while they are brought, too.  Nothing is
 * copied there: shared memory has one step, so that several blocks fit, and registers have the next
 * one, if it comes by vectors.  A row of 16 sums is stored as it is.
 *
 * Sums of integers are the same bits as on plain cores.  Those of floats are added in another
 * order, within a slice at once. */
#include <assert.h>
#include "../ways.h"
#include "ktext.h"
#include "matrix.h"
#include "tiled.h"

enum {
	VECTOR = 16,                         /* bytes */
	LINE = 64,                           /* bytes of terms in a step: two slices, or four */
	ROOMY = 163 << 10,                   /* bytes that a block may have, for large tiles */
	GROUP_LINE = 128,                    /* bytes of a line that a group's unit reads, ... */
	GROUP_ALIGN = 1024,                  /* ... and of 8 lines, where a tile of them begins */
	MOST_ROWS = 8,                       /* of a product, of a lane */
	DEFAULT_LEVEL = 75, GROUP_LEVEL = 901        /* sm_75; sm_90a */
};

/* ---- which unit ---- */

/* What a cell of the operand is before it is widened to what sums are. */
static const struct expr *narrow(const struct expr *e, const struct type *sum)
{
	bool widened = e->kind == E_CAST && e->type == sum
	               && type_size(e->arg.at[0]->type) < type_size(sum);
	return widened && type_size(sum) == 4 ? e->arg.at[0] : e;
}

/* The unit for the operands of u as they are, so exactly. */
static const struct matrix_unit *unit_for(const struct product *u, const struct target *t,
                                          enum precision precision)
{
	return matrix_unit(t, u->operand[ROWS].e->type, u->operand[COLUMNS].e->type, u->term->type,
	                   precision);
}

const char *product_unit(struct product *u, const struct product *p, const struct target *t)
{
	const enum precision precision = p->fold->fold->precision;
	*u = *p;
	if (!product_adds(p))
		return "its terms are not products of two cells";
	for (int side = ROWS; side <= COLUMNS; side++)
		u->operand[side].e = narrow(p->operand[side].e, p->term->type);
	u->unit = unit_for(u, t, PRECISION_OWN);
	if (!u->unit && precision) {
		for (int side = ROWS; side <= COLUMNS; side++)
			u->operand[side].e = p->operand[side].e;
		u->unit = unit_for(u, t, precision);
	}
	if (!u->unit)
		return str_print("no matrix unit multiplies %s by %s",
		                 type_name(u->operand[ROWS].e->type),
		                 type_name(u->operand[COLUMNS].e->type));
	return fold_in_order(p->fold) ? "its terms are added in order" : NULL;
}

void product_unites(const struct product *u, struct node *node)
{
	struct folds folds = { .n = 0 };
	folds_of(node->equation.at[0]->right, &folds);
	node->united.fold = folds.at[0];
	node->united.unit = u->unit;
}

/* ---- units, or plain cores ---- */

/* Host: what the code was compiled for that the present device runs: 800 is sm_80. */
static struct kx *level_of_code(void)
{
	return x_help(kt_scalar(T_I64), "patc_level", 0, NULL);
}

struct either { const struct product *plain; struct product unit; const char *none; };

static bool has_unit(const struct task *c)
{
	return !((const struct either *)c->found)->none;
}

struct kx *product_unit_allowed(const struct target *t, const struct matrix_unit *unit)
{
	if (!matrix_asks(t, unit))
		return NULL;
	if (unit->has)
		return x_help(kt_scalar(T_BOOL), unit->has, 0, NULL);
	struct kx *level = level_of_code();
	if (unit->only_large)        /* sm_80; sm_90 and sm_90a */
		return x_or(x_eq(level, x_i64(800)), x_eq(x_div(level, x_i64(10)), x_i64(90)));
	return x_le(x_i64(unit->least * 10), level);
}

static struct kx *device_has_unit(const struct task *c)
{
	return product_unit_allowed(c->plan->target,
	                            ((const struct either *)c->found)->unit.unit);
}

static void lower_unit(const struct task *c)
{
	const struct product *unit = &((const struct either *)c->found)->unit;
	product_unites(unit, c->group->anchor);
	product_tiles(unit, c->group, c->plan);
}

static void lower_plain(const struct task *c)
{
	product_tiles(((const struct either *)c->found)->plain, c->group, c->plan);
}

static const struct way ways[] = {
	/* tiles whose warps multiply by it: above */
	{ "units", "matrix units multiply", "the device has matrix units for its cells",
	  "none can multiply its cells", .fits = has_unit, .when = device_has_unit,
	  .lower = lower_unit },
	/* matmul_gpu.c */
	{ "cores", "a thread multiplies cell by cell", .lower = lower_plain }
};

void product_large(const struct product *p, const struct group *group, struct plan *plan)
{
	struct either e = { .plain = p };
	e.none = product_unit(&e.unit, p, plan->target);
	ways_lower(ways, plan, group, &e);
}

/* ---- the shape ---- */

static int cell_bytes(const struct product *p)
{
	return (int)type_size(p->operand[ROWS].e->type);
}

/* Floats of 8 bits: the unit adds with 14 bits, and its sums of a step join the others on plain
 * cores.  Registers hold both for half as many columns. */
static bool adds_coarsely(const struct product *p)
{
	return type_class(p->term->type) == 'F' && cell_bytes(p) == 1;
}

/* Registers hold both parts of a cell. */
static bool is_split(const struct product *p)
{
	return p->unit && p->unit->precision == PRECISION_TF32X3;
}

/* The unit of a group reads cells of 4 bytes along the terms only: others from registers, left ones
 * that is. */
static bool is_held(const struct product *p, const struct tile_form *f)
{
	return f->group && cell_bytes(p) == 4 && (is_split(p) || !p->operand[ROWS].deep);
}

bool unit_swizzles(const struct product *p, enum side side, const struct tile_form *f)
{
	return f->group && !(is_held(p, f) && (side == ROWS || is_split(p)));
}

static bool folds_sides(const struct product *p)
{
	return p->node->group && p->node->group->epilogue.n;
}

/* So rows and columns change places, where that makes terms of the right operand neighbours. */
static bool is_turned(const struct product *p)
{
	return cell_bytes(p) == 4 && !is_split(p) && !folds_sides(p) && p->operand[ROWS].deep
	       && !p->operand[COLUMNS].deep;
}

/* Of 4 bytes; shared memory has no room for both parts of cells and for folds. */
static bool may_group_words(const struct product *p, const struct target *t)
{
	return product_copied(p, t) && !p->window
	       && (is_split(p) ? !folds_sides(p) : p->operand[COLUMNS].deep || is_turned(p));
}

static bool may_group(const struct product *p, const struct target *t)
{
	return cell_bytes(p) <= 2 || (cell_bytes(p) == 4 && may_group_words(p, t));
}

/* Does its text have the unit of a group?  In the default text the host requests it. */
static bool has_groups(const struct target *t)
{
	return t->groups || t->level == DEFAULT_LEVEL;
}

bool unit_folds_none(const struct product *p, const struct target *t)
{
	struct product unit;
	return has_groups(t) && !product_unit(&unit, p, t) && cell_bytes(&unit) == 4
	       && (is_split(&unit) || is_turned(&unit)) && may_group_words(&unit, t);
}

static bool is_grouped(const struct product *p, const struct target *t)
{
	return p->group || (t->groups && may_group(p, t));
}

/* Two groups of four warps share the rows, in turns of 64, and have all columns: lines of 128 bytes
 * in shared memory.  One of four stages is being multiplied while the next is begun. */
static struct tile_form group_of(const struct product *p, int rows, int columns)
{
	return (struct tile_form){ .size = { rows, columns },
		                   .depth = GROUP_LINE / cell_bytes(p),
		                   .thread = { rows / 64, columns / 4 },
		                   .lanes = { 8, 4 },
		                   .threads = 256,
		                   .min_blocks = 1,
		                   .stages = 2,
		                   .group = true };
}

/* Columns are fewer where they are split, or will be rows, or have two sums each. */
static struct tile_form group_form(const struct product *p)
{
	bool high = is_split(p) || is_turned(p);
	return group_of(p, high ? 256 : 128, high || adds_coarsely(p) ? 128 : 256);
}

/* The form of so many warps, each with so many rows and columns, which its lanes share. */
static struct tile_form of_warps(struct tile_form f, const struct product *p,
                                 const struct target *t, int warps, int rows, int columns)
{
	const int *lanes = p->unit->fragment->lanes;
	f.threads = warps * t->lanes;
	for (int side = ROWS; side <= COLUMNS; side++) {
		f.lanes[side] = lanes[side];
		f.thread[side] = (side == ROWS ? rows : columns) / lanes[side];
	}
	f.stages = 2;
	return f;
}

/* All rows are a warp's, which has 16 columns: what counts is how many bytes of the other operand
 * are on their way. */
static struct tile_form few_form(const struct product *p, const struct target *t)
{
	const struct tile_form f = { .size = { UNIT_FEW, 64 },
		                     .depth = 2 * LINE / cell_bytes(p),
		                     .min_blocks = 4 };
	return of_warps(f, p, t, 4, UNIT_FEW, 16);
}

/* Of a large tile that several blocks have room for: 256 threads hold a step in registers. */
static int large_warps(const struct target *t)
{
	return t->copies ? 4 : 256 / t->lanes;
}

/* A step waits in registers: where a lane of 32 has its share of a large tile, and bytes that are
 * turned take one each, there is room for two slices. */
static int step_terms(const struct product *p, const struct target *t, bool long_lines)
{
	if (!t->copies && t->lanes == 32)
		return 2 * p->unit->terms;
	return (long_lines ? 2 * LINE : LINE) / cell_bytes(p);
}

/* Two warps along columns, two or four along rows: a warp has 64 x 64 cells of a large tile, of f64
 * 32 x 64, which are 128 registers a thread; of cells that are split 32 x 64, too.  What warps read
 * of shared memory is what limits them; so tiles are as large as registers, and lines as long as a
 * request of memory, where three stages of them fit into shared memory. */
struct tile_form unit_form(const struct product *p, const struct target *t, int which)
{
	const int bytes = cell_bytes(p);
	if (which == FEW)
		return few_form(p, t);
	if (p->narrow)
		return group_of(p, 256, p->narrow);
	if (which == LARGE && is_grouped(p, t))
		return group_form(p);
	bool small = which == SMALL, wide = bytes == 8 || is_split(p),
	     roomy = !small && !wide && t->asked_bytes >= ROOMY,
	     coarse = adds_coarsely(p), long_lines = roomy || (small && t->unit_shared >= ROOMY);
	const struct tile_form f = { .size = { small || wide ? 64 : roomy ? 256 : 128,
		                               small || coarse ? 64 : 128 },
		                     .depth = step_terms(p, t, long_lines),
		                     .min_blocks = small ? (coarse ? 2 : 4 - wide)
		                                   : roomy ? 1 : 2 };
	const int rows = small || wide ? 32 : 64, warps = small ? 4 : roomy ? 8 : large_warps(t);
	return of_warps(f, p, t, warps, rows, f.size[COLUMNS] * (f.size[ROWS] / rows) / warps);
}

/* More stages where they are small, fewer where folds of rows or columns need room beside them. */
int unit_stages(const struct product *p, const struct tile_form *f, bool folds)
{
	bool split = f->group && is_split(p);
	return !split && (f->group || f->size[ROWS] == UNIT_FEW) ? 4 : folds ? 2 : 3;
}

/* Does the next step wait in registers?  Cells that come one by one take too many of them. */
bool unit_holds(const struct tiled *t)
{
	return t->p->unit && !t->target->copies && t->vectors;
}

/* Measured on an H200; a cell of a small tile costs 20, and one of plain cores 19. */
int unit_cost(const struct tiled *t, int which)
{
	return which == SMALL ? 20 : unit_form(t->p, t->target, LARGE).group ? 7 : 12;
}

/* The default text has both; its host asks. */
bool unit_may_group(const struct tiled *t)
{
	const struct product *p = t->p;
	return p->unit && t->target->level == DEFAULT_LEVEL && may_group(p, t->target) && t->vectors
	       && !p->node->choice.tile[0] && product_copied(p, t->target);
}

/* Lines of both operands are their channels then.  Beside 128 columns no indices of rows have room.
 * */
bool unit_may_be_narrow(const struct tiled *t, int columns)
{
	const struct product *p = t->p;
	return p->window && p->unit && cell_bytes(p) == 2 && t->vectors && !p->node->choice.tile[0]
	       && has_groups(t->target) && (columns < 128 || sliding_in_lines(p));
}

/* Host: so few columns. */
struct kx *unit_narrow_when(const struct tiled *t, int columns)
{
	struct kx *few = x_le(t->count[COLUMNS], x_i64(columns));
	return t->target->groups ? few : x_and(unit_group_allowed(), few);
}

struct tiled unit_narrowed(const struct tiled *t, int columns)
{
	struct tiled narrow = unit_grouped(t);
	struct product *p = NEW(struct product);
	*p = *narrow.p;
	p->narrow = columns;
	narrow.p = p;
	return narrow;
}

struct tiled unit_grouped(const struct tiled *t)
{
	struct tiled grouped = *t;
	struct product *p = NEW(struct product);
	*p = *t->p;
	p->group = true;
	grouped.p = p;
	grouped.inside = !p->window;
	return unit_turned(&grouped);
}

/* The form of p says so already (group_form); that of the turned product is as any group's. */
struct tiled unit_turned(const struct tiled *t)
{
	const struct product *p = t->p;
	struct tiled turned = *t;
	if (!p->unit || !is_grouped(p, t->target) || !is_turned(p))
		return turned;
	struct product *q = NEW(struct product);
	*q = *p;
	q->across = true;
	for (int side = ROWS; side <= COLUMNS; side++) {
		q->operand[side] = p->operand[!side];
		q->index[side] = p->index[!side];
		turned.count[side] = t->count[!side];
	}
	for (int d = 0; d < p->node->index.n; d++)
		q->part[d] = p->part[d] == PRODUCTS ? PRODUCTS : (enum side)!p->part[d];
	turned.p = q;
	return turned;
}

/* Later machines have no such unit. */
struct kx *unit_group_allowed(void)
{
	return x_eq(x_i64(GROUP_LEVEL), level_of_code());
}

/* Where they are not copied, cells are on their way in registers. */
int unit_blocks(const struct tiled *t)
{
	return t->copied || t->form.min_blocks < 2 ? t->form.min_blocks : 2;
}

/* A lane's word is a cell. */
static bool is_word(const struct product *p)
{
	return cell_bytes(p) >= 4;
}

/* Are lines of the operand's tile terms?  Else its rows, or columns. */
bool unit_term_lines(const struct product *p, enum side side)
{
	bool turns = p->unit->fragment->matrices ? cell_bytes(p) > 1 : is_word(p);
	return !p->operand[side].deep && turns;
}

/* Lines of what a warp reads at once begin in different banks. */
int unit_pitch(const struct product *p, enum side side, const struct tile_form *f)
{
	const int bytes = cell_bytes(p);
	bool lines = unit_term_lines(p, side);
	int line = lines ? f->size[side] : f->depth;
	if (unit_swizzles(p, side, f))
		return line;
	return line + (bytes == 8 || (bytes == 4 && lines) ? 2 : 1) * VECTOR / bytes;
}

/* ---- the kernel: fragments.kernel ---- */

/* Cells of a product that a lane has along a side. */
static int share_of(const struct matrix_unit *u, enum side side)
{
	return u->fragment->cells[side] / u->fragment->lanes[side];
}

/* The lane's rows, one after another, from number arg[0] of its sums on; its words. */
KTEXT_HOLE(multiply)
{
	const struct tiled *t = state;
	struct kx *args[MOST_ROWS + 2];
	int n = 0;
	while (n < share_of(t->p->unit, ROWS)) {
		struct kx *row = x_add(arg[0], x_i32(n * t->form.thread[COLUMNS]));
		args[n++] = x_offset(k_get(l->k, "sum"), kx_fold(row));
	}
	args[n++] = arg[1];
	args[n++] = arg[2];
	k_do(l->k, x_help(kt_scalar(T_I32), str_print("patc_multiply_%s", t->p->unit->name), n,
	                  args));
	return NULL;
}

/* Bytes from a block of 64 cells to the next, where lines are terms. */
static int block_bytes(const struct tiled *t, enum side side)
{
	return unit_term_lines(t->p, side) ? t->form.depth * GROUP_LINE : 0;
}

KTEXT_HOLE(multiply_group)
{
	const struct tiled *t = state;
	bool left = unit_term_lines(t->p, ROWS), right = unit_term_lines(t->p, COLUMNS);
	const char *turned = left && right ? "_lr" : left ? "_l" : right ? "_r" : "";
	struct kx *args[] = { arg[0], arg[1], x_i32(block_bytes(t, ROWS)), arg[2],
		              x_i32(block_bytes(t, COLUMNS)) };
	struct kx *narrow[] = { arg[0], arg[1], arg[2], x_i32(0) };
	struct kx *first[] = { arg[0], arg[1], arg[2], arg[3] };
	const char *unit = str_print("patc_group_%s", t->p->unit->name);
	if (adds_coarsely(t->p))
		k_do(l->k, x_help(kt_scalar(T_I32), unit, 4, first));
	else if (t->p->narrow)
		k_do(l->k, x_help(kt_scalar(T_I32), str_print("%s_%d", unit, t->p->narrow), 4,
		                  narrow));
	else
		k_do(l->k, x_help(kt_scalar(T_I32), str_print("%s%s", unit, turned), 5, args));
	return NULL;
}

KTEXT_HOLE(read_sums)
{
	const struct tiled *t = state;
	struct kx *args[] = { arg[0],
		              x_i32(t->form.thread[ROWS] * t->form.thread[COLUMNS]) };
	k_do(l->k, x_help(kt_scalar(T_I32),
	                  str_print("patc_group_sums_%s", type_name(t->p->term->type)), 2, args));
	return NULL;
}

/* Of all products. */
static struct kx *unit_tiles(const struct tiled *t)
{
	struct kx *tiles = x_mul(t->tiles[ROWS], t->tiles[COLUMNS]);
	return t->batch ? x_mul(tiles, t->batch) : tiles;
}

/* A block of those that take turns fills a multiprocessor. */
struct kx *unit_launch(const struct tiled *t)
{
	struct kx *units = x_help(kt_scalar(T_I64), "patc_units", 0, NULL);
	return t->form.group && t->copied ? x_min(unit_tiles(t), x_max(units, x_i64(1)))
	                                  : unit_tiles(t);
}

KTEXT_HOLE(all_tiles)
{
	return lower_argument(l, "all_tiles", kt_scalar(T_I64), unit_tiles(state));
}

/* Sums; words of a lane's rows, and columns; small parts of both. */
KTEXT_HOLE(multiply_held)
{
	const struct tiled *t = state;
	const char *unit = str_print("patc_group_rows_%s_%d", t->p->unit->name,
	                             t->form.size[COLUMNS]);
	k_do(l->k, x_help(kt_scalar(T_I32), unit, is_split(t->p) ? 5 : 3, (struct kx **)arg));
	return NULL;
}

KTEXT_HOLE(split_memory)
{
	struct kvar *v = k_shared_asked(l->k, type_scalar(T_U32), "right_parts", arg[0]->i);
	(void)state;
	v->align = GROUP_ALIGN;
	return x_var(v);
}

/* Shared memory of so many sums: that of the operands, which all warps have read.  Blocks that take
 * turns have the next tile's in it, but not what is split. */
KTEXT_HOLE(exchange_memory)
{
	const struct tiled *t = state;
	const struct type *sum = t->p->term->type;
	if (!t->form.group || is_split(t->p))
		return x_var(k_shared_from(l->k, sum, "exchange", x_i32(0)));
	struct kvar *v = k_shared(l->k, sum, "exchange", arg[0]->i);
	v->align = VECTOR;
	return x_var(v);
}

KTEXT_HOLE(zero)
{
	const struct tiled *t = state;
	return x_value(t->p->operand[l->k->each].e->type, (struct value){ 0 });
}

/* How lanes get their words: fragments.kernel. */
static void bind_reads(const struct tiled *t)
{
	const struct matrix_unit *u = t->p->unit;
	const struct fragment *f = u->fragment;
	struct kx *share[2], *words[2], *terms[2];
	for (int side = ROWS; side <= COLUMNS; side++) {
		int lines = f->matrices ? 16 : f->lines,
		    own = u->words[side] * lines / f->cells[side];
		share[side] = x_int(T_INT_LIT, share_of(u, side));
		words[side] = x_int(T_INT_LIT, own);
		terms[side] = x_int(T_INT_LIT, is_word(t->p) ? own : own * (4 / cell_bytes(t->p)));
	}
	bind_values(t->k, "SHARE", 2, share);
	bind_values(t->k, "READ_WORDS", 2, words);
	bind_values(t->k, "READ_TERMS", 2, terms);
	k_numbers(t->k, "MATRICES, NEXT_LANE, READ_LINES", f->matrices, f->next_lane, f->lines);
}

void unit_bind(const struct tiled *t)
{
	const struct matrix_unit *u = t->p->unit;
	struct kx *words[2], *unit_words[2], *straight[2], *there[2], *swizzled[2], *by_cells[2];
	struct ktype word[2];
	bool held = u && is_held(t->p, &t->form), split = held && is_split(t->p);
	assert(!u || t->form.depth % (2 * u->terms) == 0);
	for (int side = ROWS; side <= COLUMNS; side++) {
		const struct type *cell = t->p->operand[side].e->type;
		int own = t->form.thread[side];
		own = u ? own / share_of(u, side) * u->words[side] : own;
		words[side] = x_int(T_INT_LIT, own);
		unit_words[side] = x_int(T_INT_LIT, u ? u->words[side] : 1);
		straight[side] = x_int(T_INT_LIT,
		                       u && unit_term_lines(t->p, side) == (side == COLUMNS));
		by_cells[side] = x_int(T_INT_LIT, u && u->fragment->matrices
		                       && type_size(cell) == 4 && unit_term_lines(t->p, side));
		there[side] = x_int(T_INT_LIT, t->form.group && !(held && side == ROWS));
		swizzled[side] = x_int(T_INT_LIT, u && unit_swizzles(t->p, side, &t->form));
		bool is_cell = !u || (is_word(t->p) && !u->fragment->matrices);
		word[side] = is_cell ? kt(cell) : kt_scalar(T_U32);
	}
	k_numbers(t->k, "UNIT, SLICE, GROUP_UNIT, COARSE, HELD_ROWS, SPLIT, ACROSS, AHEAD, SHARES",
	          u != NULL, u ? u->terms : 1, t->form.group,
	          t->form.group && adds_coarsely(t->p), held, split, t->p->across,
	          t->form.stages - 2 + split,
	          held ? t->form.depth / u->terms / (1 + split) : 1 + t->copied);
	/* two neighbours of four rows, of 16 bytes of each, are in different banks; or 16 rows */
	k_bind(t->k, "PITCH_EXCHANGED", t->p->across ? 32 + 2 : 32 + 8);
	/* of a row a unit has 8 sums or 16, which fill what memory moves at a time */
	k_numbers(t->k, "EXCHANGED, HELD_AHEAD", u && u->fragment->cells[COLUMNS] < 16,
	          t->form.stages == 1);
	if (u)
		bind_reads(t);
	k_bind(t->k, "PAIR", kt_vector(t->p->term->type, 2));
	bind_values(t->k, "WORDS", 2, words);
	bind_values(t->k, "UNIT_WORDS", 2, unit_words);
	bind_values(t->k, "STRAIGHT", 2, straight);
	bind_values(t->k, "READ_THERE", 2, there);
	bind_values(t->k, "BY_CELLS", 2, by_cells);
	bind_values(t->k, "SWIZZLED", 2, swizzled);
	bind_ktypes(t->k, "WORD", 2, word);
	tiled_names(t, "taken", (const char *[]){ "left_taken", "right_taken" });
	k_bind_calls(t->k, t, { "multiply", multiply }, { "multiply_group", multiply_group },
	             { "read_sums", read_sums }, { "all_tiles", all_tiles },
	             { "exchange_memory", exchange_memory }, { "multiply_held", multiply_held },
	             { "split_memory", split_memory },
	             { "zero", zero });
}
