/* chain_unit.c - a chain whose two products a warp's matrix unit computes: chain_unit.kernel.
 *
 * Four warps share the rows of a block, 16 or 32 each.  Two tiles of keys and values fit into
 * shared memory, one that is multiplied and one that is on its way.  Registers of a lane hold the
 * scores of its rows with a tile of keys, and the sums of its rows of the result: so a tile of the
 * result has all columns, up to 256. */
#include "chain.h"

#include "matrix.h"

enum { WARPS = 4, VECTOR = 16, LINE = 64, RING = 2 };
enum { GROUPS = 2, GROUP_KEYS = 128, GROUP_RING = 3, DEFAULT_LEVEL = 75 };      /* sm_75 */
/* Sums of a warp in registers: scores and the result; where copies take registers, too; beside long
 * expressions */
enum { MOST_SUMS = 32 * (32 + 128), SOME_SUMS = 16 * (64 + 128), FEWER_SUMS = 16 * (32 + 128) };

const int chain_heads[] = { 64, 128, 256, 0 };

/* ---- may it be? ---- */

const char *chain_units(struct chain *units, const struct chain *c, const struct target *target)
{
	*units = *c;
	for (int n = FIRST; n <= SECOND; n++) {
		const char *why = product_unit(&units->p[n], &c->p[n], target);
		if (why)
			return why;
		if (!units->p[n].unit->fragment->matrices)
			return "its units do not read matrices";
		if (type_size(units->p[n].operand[ROWS].e->type) != 2)
			return "the cells of its operands do not have 16 bits";
	}
	return NULL;
}

static struct chained of_units(const struct chained *t)
{
	struct chained units = *t;
	units.c = &t->units;
	return units;
}

/* Host: may operands be copied, 16 bytes at a time?  NULL: never. */
struct kx *chain_aligned(const struct chained *t, struct plan *plan)
{
	const struct chained units = of_units(t);
	const struct chain *c = units.c;
	struct kx *all = NULL;
	for (int b = QUERY; b < BROUGHT; b++) {
		const struct product *p = &c->p[b == VALUE ? SECOND : FIRST];
		const struct operand *o = chain_operand(&units, (enum brought)b);
		struct kx *keys = product_cells(plan, &c->p[FIRST], c->p[FIRST].index[c->key]);
		struct kx *cells = b == VALUE ? (o->deep ? keys : t->columns)
		                   : o->deep  ? t->terms
		                   : b == KEY ? keys
		                              : t->rows;
		struct kx *is = o->main == o->e ? product_rows_aligned(plan, p, o, cells) : NULL;
		if (!is)
			return NULL;
		all = x_and(all, is);
	}
	return kx_fold(all);
}

/* ---- the shape ---- */

/* A size that is known, or the most: in whole lines. */
static int padded(const struct kx *size, int head)
{
	int cells = size->kind == KX_INT && size->i > 0 && size->i < head ? (int)size->i : head;
	return (cells + LINE - 1) / LINE * LINE;
}

static int64_t shared_of(const struct chain_form *f)
{
	const int pad = VECTOR / 2;
	return 2 * ((int64_t)f->rows * (f->terms + pad) + RING * f->keys * (f->terms + pad)
	            + RING * f->keys * (f->columns + pad) + RING * pad * (f->terms + f->columns));
}

/* A number that a sum is multiplied by, and the like. */
static bool is_short(const struct expr *e)
{
	bool all = e->kind != E_READ && e->kind != E_COND;
	for (int a = 0; all && e->kind != E_FOLD && a < e->arg.n; a++)
		all = is_short(e->arg.at[a]);
	return all;
}

static bool is_long(const struct chain *c)
{
	return c->keys.where.n || node_slow(c->scores)
	       || !is_short(c->scores->equation.at[0]->right);
}

static int most_sums(const struct chained *t)
{
	bool waits = t->target->level < 80;
	return is_long(t->c) ? FEWER_SUMS : waits ? SOME_SUMS : MOST_SUMS;
}

/* The largest tile whose sums fit into registers, with two blocks a multiprocessor.  A wider result
 * leaves room for fewer keys, then for fewer rows.  If no tile fits, it is the smallest one. */
struct chain_form chain_unit_form(const struct chained *t, int head, bool copied)
{
	static const struct { int rows, keys; } sizes[] = { { 32, 64 }, { 32, 32 }, { 16, 64 },
		                                            { 16, 32 }, { 16, 16 } };
	struct chain_form f = { .threads = WARPS * 32,
		                .wide = 2,
		                .row_lanes = 8,
		                .key_lanes = 4,
		                .terms = padded(t->terms, head),
		                .columns = padded(t->columns, head),
		                .copied = copied,
		                .ring = RING };
	bool fits = false;
	for (size_t n = 0; !fits && n < sizeof sizes / sizeof *sizes; n++) {
		f.warp_rows = sizes[n].rows;
		f.rows = WARPS * f.warp_rows;
		f.keys = sizes[n].keys;
		fits = f.warp_rows * (f.keys + f.columns) <= most_sums(t)
		       && shared_of(&f) <= t->target->asked_bytes
		       && blocks_of_unit(t->target, f.threads, shared_of(&f)) >= 2;
	}
	f.thread_rows = f.warp_rows / 8;
	f.thread_keys = f.keys / 4;
	f.thread_columns = f.columns / 4;
	return f;
}

int64_t chain_shared(const struct chained *t, int head, bool copied)
{
	const struct chained units = of_units(t);
	const struct chain_form f = chain_unit_form(&units, head, copied);
	return shared_of(&f);
}

/* Two groups of four warps, 64 rows each: a multiprocessor has one such block, whose sums and
 * scores fill its registers: of rows that have keys of their own fewer keys at a time. */
struct chain_form chain_group_form(const struct chained *t, int head)
{
	struct chain_form f = chain_unit_form(t, head, true);
	f.threads = GROUPS * WARPS * 32;
	f.warp_rows = 16;
	f.rows = GROUPS * LINE;
	f.keys = t->c->keys.low.n + t->c->keys.high.n ? GROUP_KEYS / 2 : GROUP_KEYS;
	f.groups = true;
	f.ring = GROUP_RING;
	f.thread_rows = 2;
	f.thread_keys = f.keys / 4;
	f.thread_columns = f.columns / 4;
	return f;
}

/* Rows and keys lie along the terms of a score, and values along columns, as they mostly do. */
static bool lies_usually(const struct chained *t)
{
	return chain_operand(t, QUERY)->deep && chain_operand(t, KEY)->deep
	       && !chain_operand(t, VALUE)->deep;
}

/* The default text has it beside the others; its host asks. */
bool chain_may_group(const struct chained *t, int head)
{
	return (t->target->groups || t->target->level == DEFAULT_LEVEL) && head <= 2 * LINE
	       && t->aligned && !is_long(&t->units) && lies_usually(t);
}

/* ---- what the text leaves open ---- */

KTEXT_HOLE(source)
{
	struct kx *cell = lower_cell(l, chain_operand(state, (enum brought)l->k->each)->main);
	return x_offset(cell->arg[0], cell->arg[1]);
}

static void multiply_by(struct lowering *l, const struct product *p, struct kx *const *arg)
{
	k_do(l->k, x_help(kt_scalar(T_I32), str_print("patc_multiply_%s", p->unit->name), 4,
	                  (struct kx **)arg));
}

KTEXT_HOLE(multiply_score)
{
	multiply_by(l, &((const struct chained *)state)->c->p[FIRST], arg);
	return NULL;
}

KTEXT_HOLE(multiply_value)
{
	multiply_by(l, &((const struct chained *)state)->c->p[SECOND], arg);
	return NULL;
}

KTEXT_HOLE(multiply_scores_of)
{
	const struct chained *t = state;
	struct kx *args[] = { k_get(l->k, "sum"), arg[0], arg[1], arg[2] };
	k_do(l->k, x_help(kt_scalar(T_I32),
	                  str_print("patc_group_%s_%d", t->c->p[FIRST].unit->name, t->form.keys), 4,
	                  args));
	return NULL;
}

/* Bytes from a block of 64 columns to the next: a line of each key. */
KTEXT_HOLE(multiply_values_of)
{
	const struct chained *t = state;
	struct kx *args[] = { k_get(l->k, "result"), arg[0], arg[1],
		              x_i32(t->form.keys * LINE * 2) };
	k_do(l->k, x_help(kt_scalar(T_I32),
	                  str_print("patc_group_rows_%s_%d", t->c->p[SECOND].unit->name,
	                            t->form.columns), 4, args));
	return NULL;
}

static void wait_for(struct lowering *l, const char *name, struct kx *sums, int n)
{
	struct kx *args[] = { sums, x_i32(n) };
	k_do(l->k, x_help(kt_scalar(T_I32), name, 2, args));
}

KTEXT_HOLE(first_scores)
{
	const struct chain_form *f = &((const struct chained *)state)->form;
	wait_for(l, "patc_group_first_f32", arg[0], f->thread_rows * f->thread_keys);
	return NULL;
}

KTEXT_HOLE(all_scores)
{
	const struct chain_form *f = &((const struct chained *)state)->form;
	wait_for(l, "patc_group_sums_f32", arg[0], f->thread_rows * f->thread_keys);
	return NULL;
}

KTEXT_HOLE(all_results)
{
	const struct chain_form *f = &((const struct chained *)state)->form;
	wait_for(l, "patc_group_sums_f32", arg[0], f->thread_rows * f->thread_columns);
	return NULL;
}

KTEXT_HOLE(pair)
{
	const struct chain *c = ((const struct chained *)state)->c;
	const char *name = type_name(c->p[SECOND].operand[c->weight].e->type);
	return x_help(kt_scalar(T_U32), str_print("patc_pair_%s", name), 2, (struct kx **)arg);
}

void chain_unit_bind(const struct chained *t)
{
	const struct chain_form *f = &t->form;
	const int size[] = { f->rows, f->keys, f->columns };
	const int terms[] = { f->terms, f->terms, f->keys };
	int lines[BROUGHT], pitch[BROUGHT], cells[BROUGHT], straight[BROUGHT];
	for (int b = QUERY; b < BROUGHT; b++) {
		lines[b] = !chain_operand(t, (enum brought)b)->deep;
		pitch[b] = (lines[b] ? size[b] : terms[b]) + (f->groups ? 0 : VECTOR / 2);
		cells[b] = (b == QUERY ? 1 : f->ring) * (lines[b] ? terms[b] : size[b]) * pitch[b];
		straight[b] = lines[b] == (b != QUERY);
	}
	chain_bind_each(t, "TERM_LINES", lines);
	chain_bind_each(t, "PITCH", pitch);
	chain_bind_each(t, "CELLS", cells);
	chain_bind_each(t, "STRAIGHT", straight);
	k_numbers(t->l->k, "WARP_ROWS, SLICE, SLICES, WIDTH, COPIED, STAGES", f->warp_rows,
	          t->c->p[FIRST].unit->terms, f->terms / t->c->p[FIRST].unit->terms,
	          f->copied ? VECTOR / 2 : 1, f->copied, f->ring);
	k_bind_calls(t->l->k, t, { "source", source }, { "multiply_score", multiply_score },
	             { "multiply_value", multiply_value }, { "pair", pair },
	             { "multiply_scores_of", multiply_scores_of },
	             { "multiply_values_of", multiply_values_of },
	             { "first_scores", first_scores }, { "all_scores", all_scores },
	             { "all_results", all_results });
}
