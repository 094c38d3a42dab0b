/* chain_lower.c - the kernel of a chain (chain.c) on plain cores: chain.kernel.
 *
 * A thread has 8 rows (of 8 bytes 4) and 4 keys of a tile of scores, and of the result as many
 * rows and 8 columns, in registers.  A tile of the result is as wide as registers allow, and the
 * scores are computed again for each of them.
 *
 * The greatest score so far is the same for all lanes of a row.  It begins as the least finite
 * number, so that a row which begins with scores of -inf computes exp(-inf), not exp(NaN).  A row
 * that has no key is told from one whose scores are -inf by the fold itself: it begins as NaN,
 * which `max` ignores.  Scores that all are NaN leave it so, but make NaN of the sums. */
#include "chain.h"

#include <assert.h>
#include <math.h>
#include <string.h>
#include "small.h"
#include "remark.h"
#include "../ways.h"
#include "tiled.h"

enum { THREADS = 128, KEY_LANES = 8, STEP = 16, VECTOR = 16 };

/* ---- what is brought ---- */

static const struct product *product_of(const struct chained *t, int b)
{
	return &t->c->p[b == VALUE ? SECOND : FIRST];
}

const struct operand *chain_operand(const struct chained *t, enum brought b)
{
	const struct chain *c = t->c;
	return &product_of(t, b)->operand[b == QUERY ? c->row : b == KEY ? c->key : c->value];
}

static const struct operand *operand_of(const struct chained *t, int b)
{
	return chain_operand(t, (enum brought)b);
}

static struct chain_form form_of(const struct chain *c)
{
	bool eight = product_bytes(&c->p[FIRST]) > 4 || product_bytes(&c->p[SECOND]) > 4;
	struct chain_form f = { .threads = THREADS,
		                .thread_rows = eight ? 4 : 8,
		                .thread_keys = 4,
		                .thread_columns = 8,
		                .wide = eight ? 2 : 4,
		                .row_lanes = THREADS / KEY_LANES,
		                .key_lanes = KEY_LANES,
		                .terms = STEP };
	f.rows = f.row_lanes * f.thread_rows;
	f.keys = f.key_lanes * f.thread_keys;
	f.columns = f.key_lanes * f.thread_columns;
	return f;
}

KTEXT_HOLE(memory)
{
	const struct chained *t = state;
	static const char *const name[] = { "row_cells", "key_cells", "value_cells" };
	const struct type *type = operand_of(t, l->k->each)->e->type;
	struct kvar *v = (t->form.warp_rows ? k_shared_asked : k_shared)(
		l->k, type, name[l->k->each], arg[0]->i);
	v->align = t->form.groups ? 1024 : VECTOR;
	return x_var(v);
}

KTEXT_HOLE(weight_memory)
{
	const struct chain *c = ((const struct chained *)state)->c;
	struct kvar *v = k_shared(l->k, c->p[SECOND].operand[c->weight].e->type, "weights",
	                          arg[0]->i);
	v->align = VECTOR;
	return x_var(v);
}

KTEXT_HOLE(bind_cell)
{
	const struct chained *t = state;
	lower_bind(l, operand_of(t, l->k->each)->along, arg[0]);
	lower_bind(l, product_of(t, l->k->each)->depth, arg[1]);
	return NULL;
}

KTEXT_HOLE(operand)
{
	return lower_expr(l, operand_of(state, l->k->each)->e);
}

KTEXT_HOLE(zero)
{
	return lower_zero(operand_of(state, l->k->each)->e->type);
}

/* ---- sums ---- */

static struct kx *no_terms(struct lowering *l, const struct product *p)
{
	return lower_identity(l, p->term->fold->op, p->term->type);
}

static void add(struct lowering *l, const struct product *p, enum side first, struct kx *const *arg)
{
	const struct accumulator acc = product_accumulator(p);
	lower_bind(l, p->operand[first].placeholder, arg[1]);
	lower_bind(l, p->operand[!first].placeholder, arg[2]);
	accumulate_term(l, p->term, &acc, arg[0]);
}

KTEXT_HOLE(no_score)
{
	return no_terms(l, &((const struct chained *)state)->c->p[FIRST]);
}

KTEXT_HOLE(no_result)
{
	return no_terms(l, &((const struct chained *)state)->c->p[SECOND]);
}

KTEXT_HOLE(score_term)
{
	const struct chain *c = ((const struct chained *)state)->c;
	add(l, &c->p[FIRST], c->row, arg);
	return NULL;
}

KTEXT_HOLE(result_term)
{
	const struct chain *c = ((const struct chained *)state)->c;
	add(l, &c->p[SECOND], c->weight, arg);
	return NULL;
}

KTEXT_HOLE(score_of)
{
	return product_value(l, &((const struct chained *)state)->c->p[FIRST], arg[0]);
}

/* ---- keys ---- */

static const struct var *row_index(const struct chain *c)
{
	return c->p[FIRST].operand[c->row].along;
}

static const struct var *key_index(const struct chain *c)
{
	return c->p[FIRST].operand[c->key].along;
}

typedef struct kx *further(struct kx *, struct kx *);

/* An affine form at the lowest, or highest, of the rows from one to another; row NULL: at that at
 * hand. */
static struct kx *of_rows(struct lowering *l, const struct chain *c, const struct expr *end,
                          struct kx *const *row, further *choose)
{
	struct kx *at[2];
	if (!row)
		return lower_index(l, end);
	for (int n = 0; n < 2; n++) {
		lower_bind(l, row_index(c), row[n]);
		at[n] = lower_index(l, end);
	}
	return expr_uses(end, row_index(c)) ? choose(at[0], at[1]) : at[0];
}

/* The first key of these rows. */
static struct kx *keys_begin(struct lowering *l, const void *chained, struct kx *const *row,
                             further *choose)
{
	const struct chain *c = ((const struct chained *)chained)->c;
	struct kx *from = lower_index(l, c->p[SECOND].fold->fold->lo.at[0]);
	for (int n = 0; n < c->keys.low.n; n++)
		from = x_max(from, of_rows(l, c, c->keys.low.at[n], row, choose));
	return from;
}

/* Where their keys end. */
static struct kx *keys_end(struct lowering *l, const void *chained, struct kx *const *row,
                           further *choose)
{
	const struct chain *c = ((const struct chained *)chained)->c;
	struct kx *end = lower_index(l, c->p[SECOND].fold->fold->hi.at[0]);
	for (int n = 0; n < c->keys.high.n; n++)
		end = x_min(end, of_rows(l, c, c->keys.high.at[n], row, choose));
	return end;
}

/* Of keys that one of the rows has, that all have, and of those of the row at hand. */
KTEXT_HOLE(key_begin)
{
	return keys_begin(l, state, arg, x_min);
}

KTEXT_HOLE(key_end)
{
	return keys_end(l, state, arg, x_max);
}

KTEXT_HOLE(all_begin)
{
	return keys_begin(l, state, arg, x_max);
}

KTEXT_HOLE(all_end)
{
	return keys_end(l, state, arg, x_min);
}

KTEXT_HOLE(row_begin)
{
	return keys_begin(l, state, NULL, NULL);
}

KTEXT_HOLE(row_end)
{
	return keys_end(l, state, NULL, NULL);
}

KTEXT_HOLE(at_row)
{
	lower_bind(l, row_index(((const struct chained *)state)->c), arg[0]);
	return NULL;
}

KTEXT_HOLE(at_key)
{
	lower_bind(l, key_index(((const struct chained *)state)->c), arg[0]);
	return NULL;
}

KTEXT_HOLE(is_key)
{
	const struct chain *c = ((const struct chained *)state)->c;
	struct kx *is = NULL;
	for (int n = 0; n < c->keys.where.n; n++)
		is = x_and(is, lower_expr(l, c->keys.where.at[n]));
	return is ? is : x_int(T_BOOL, 1);
}

/* ---- folds of rows ---- */

static const struct row_fold *fold_of(const struct chained *t, const struct lowering *l)
{
	return &t->c->fold[l->k->each];
}

static struct accumulator part_of(const struct row_fold *f)
{
	return (struct accumulator){ .op = f->fold->fold->op,
		                     .of = f->fold->type,
		                     .type = f->fold->type };
}

/* What is read of the score, and of the greatest, is known. */
static void hold(struct lowering *l, const struct chain *c, struct kx *score, struct kx *near)
{
	list_add(&l->held, ((struct binding){ c->score, score }));
	if (c->top >= 0)
		list_add(&l->held, ((struct binding){ c->fold[c->top].var, near }));
}

static void let_go(struct lowering *l, const struct chain *c)
{
	l->held.n -= 1 + (c->top >= 0);
}

KTEXT_HOLE(nothing)
{
	const struct row_fold *f = fold_of(state, l);
	if (l->k->each == ((const struct chained *)state)->c->top)
		return x_float(f->fold->type->kind, (double)NAN);
	return lower_identity(l, f->fold->fold->op, f->fold->type);
}

KTEXT_HOLE(fold_score)
{
	const struct chained *t = state;
	const struct row_fold *f = fold_of(t, l);
	const struct accumulator acc = part_of(f);
	hold(l, t->c, arg[1], arg[2]);
	accumulate_term(l, f->fold, &acc, arg[0]);
	let_go(l, t->c);
	return NULL;
}

KTEXT_HOLE(join)
{
	const struct row_fold *f = fold_of(state, l);
	return lower_apply(l, f->fold->fold->op, f->fold->type, arg[0], arg[1], false);
}

static struct kx *least_number(const struct chain *c)
{
	const struct type *type = c->fold[c->top].var->type;
	return x_float(type->kind, -float_limits(type)->most);
}

KTEXT_HOLE(least)
{
	return least_number(((const struct chained *)state)->c);
}

KTEXT_HOLE(above)
{
	const struct row_fold *f = fold_of(state, l);
	return lower_apply(l, f->fold->fold->op, f->fold->type, arg[0],
	                   least_number(((const struct chained *)state)->c), false);
}

static struct kx *factor_of(struct lowering *l, const struct scaling *s, const struct type *type,
                            struct kx *const *arg)
{
	lower_bind(l, s->from, arg[0]);
	lower_bind(l, s->to, arg[1]);
	return lower_expr(l, expr_as(s->factor, type));
}

KTEXT_HOLE(factor)
{
	const struct row_fold *f = fold_of(state, l);
	return factor_of(l, &f->scale, f->fold->type, arg);
}

KTEXT_HOLE(weight_factor)
{
	const struct chain *c = ((const struct chained *)state)->c;
	return factor_of(l, &c->scale, c->p[SECOND].fold->type, arg);
}

/* A unit has weights of 16 bits, which are rounded by pairs: until then they are f32. */
static const struct expr *weight_value(const struct chained *t)
{
	const struct expr *e = t->c->p[SECOND].operand[t->c->weight].e;
	bool wide = e->kind == E_CAST && e->arg.at[0]->type->kind == T_F32;
	return t->form.warp_rows && wide ? e->arg.at[0] : e;
}

static const struct type *weight_type(const struct chained *t)
{
	return t->form.warp_rows ? type_scalar(T_F32) : weight_value(t)->type;
}

KTEXT_HOLE(no_weight)
{
	return lower_zero(weight_type(state));
}

/* Not divided yet. */
KTEXT_HOLE(weight_of)
{
	const struct chain *c = ((const struct chained *)state)->c;
	const struct var *by = c->divisor < 0 ? NULL : c->fold[c->divisor].var;
	hold(l, c, arg[0], arg[1]);
	if (by)
		list_add(&l->held, ((struct binding){ by, x_float(by->type->kind, 1) }));
	struct expr *value = (struct expr *)weight_value(state);
	struct kx *weight = lower_expr(l, expr_as(value, weight_type(state)));
	l->held.n -= by != NULL;
	let_go(l, c);
	return weight;
}

KTEXT_HOLE(no_value)
{
	return lower_zero(operand_of(state, VALUE)->e->type);
}

static struct kx *converted(struct lowering *l, struct kx *x, const struct type *type)
{
	struct var *v = scaling_var("cell", x->type.type);
	lower_bind(l, v, x);
	return lower_expr(l, expr_as(expr_var(v, (struct loc){ 0 }), type));
}

/* A weight, or a value. */
KTEXT_HOLE(widened)
{
	const struct chain *c = ((const struct chained *)state)->c;
	return converted(l, arg[0], c->p[SECOND].fold->type);
}

/* A weight as the second product has it. */
KTEXT_HOLE(rounded)
{
	const struct chain *c = ((const struct chained *)state)->c;
	return converted(l, arg[0], c->p[SECOND].operand[c->weight].e->type);
}

/* ---- the end of a row ---- */

/* Infinite scores make NaN of what is computed against the greatest one, as they would against the
 * greatest of all. */
static struct kx *finish_top(struct chained *t, struct kx *part)
{
	const struct type *type = t->c->fold[t->c->top].fold->type;
	struct kernel *k = t->l->k;
	struct kx *none = x_float(type->kind, (double)-INFINITY);
	t->has_keys = x_var(k_let(k, "has_keys", x_eq(part, part)));
	struct kx *top = x_var(k_let(k, "top", x_cond(t->has_keys, part, none)));
	t->lost = x_var(k_let(k, "lost", x_cond(t->has_keys, x_sub(top, top),
	                                        x_float(type->kind, 0))));
	return top;
}

/* x, or NaN if the scores are infinite */
static struct kx *sound(const struct chained *t, struct kx *x, const struct type *type)
{
	return t->lost ? x_add(x, x_cast(kt(type), t->lost)) : x;
}

KTEXT_HOLE(finish_fold)
{
	struct chained *t = (struct chained *)state;
	const struct row_fold *f = fold_of(t, l);
	int n = l->k->each;
	t->found[n] = n == t->c->top ? finish_top(t, arg[0])
	              : f->scales    ? sound(t, arg[0], f->fold->type)
	                             : arg[0];
	list_add(&l->folded, ((struct folded){ f->fold, t->found[n] }));
	struct kx *value = lower_result(f->node->equation.at[0], 0,
	                                lower_expr(l, f->node->equation.at[0]->right));
	l->folded.n = 0;
	value = x_var(k_let(l->k, f->var->name, value));
	list_add(&l->held, ((struct binding){ f->var, value }));
	if (n == t->c->divisor)
		lower_bind(l, t->divisor, value);
	return NULL;
}

/* The fold's result goes to memory: what is read of the others is still held. */
static void store_fold(struct lowering *l, const struct row_fold *f, struct kx *found)
{
	int at = 0;
	while (l->held.at[at].var != f->var)
		at++;
	l->held.at[at].var = NULL;
	list_add(&l->folded, ((struct folded){ f->fold, found }));
	lower_equations(l, f->node);
	l->folded.n = 0;
	l->held.at[at].var = f->var;
}

KTEXT_HOLE(store_folds)
{
	const struct chained *t = state;
	for (int n = 0; n < t->c->folds; n++)
		if (!t->c->fold[n].var->on_chip)
			store_fold(l, &t->c->fold[n], t->found[n]);
	return NULL;
}

KTEXT_HOLE(store_result)
{
	const struct chained *t = state;
	const struct chain *c = t->c;
	const struct product *p = &c->p[SECOND];
	struct kx *sum = c->scales ? sound(t, arg[1], p->fold->type) : arg[1];
	lower_bind(l, p->operand[c->value].along, arg[0]);
	if (c->divisor >= 0) {
		const struct type *type = p->fold->type;
		struct expr *by = expr_as(expr_var(t->divisor, p->node->at), type);
		struct kx *none = x_float(type->kind, 0), *any = x_or(t->has_keys, x_ne(sum, none));
		sum = x_cond(any, x_div(sum, lower_expr(l, by)), none);
	}
	product_finish(l, p, x_var(k_let(l->k, "sum", sum)));
	return NULL;
}

/* ---- the kernel ---- */

void chain_bind_each(const struct chained *t, const char *name, const int *number)
{
	struct kx *x[BROUGHT];
	for (int b = 0; b < BROUGHT; b++)
		x[b] = x_int(T_INT_LIT, number[b]);
	bind_values(t->l->k, name, BROUGHT, x);
}

static void bind_brought(const struct chained *t)
{
	const struct chain_form *f = &t->form;
	const struct type *word[BROUGHT];
	int deep[BROUGHT], pitch[BROUGHT];
	const int size[] = { f->rows, f->keys, f->columns };
	for (int b = 0; b < BROUGHT; b++) {
		word[b] = operand_of(t, b)->e->type;
		deep[b] = operand_of(t, b)->deep;
		pitch[b] = size[b] + f->wide;
	}
	chain_bind_each(t, "brought", (const int[]){ QUERY, KEY, VALUE });
	chain_bind_each(t, "SIZE", size);
	chain_bind_each(t, "TERMS", (const int[]){ f->terms, f->terms, f->keys });
	chain_bind_each(t, "SHARE",
	                (const int[]){ f->thread_rows, f->thread_keys, f->thread_columns });
	chain_bind_each(t, "DEEP", deep);
	chain_bind_each(t, "PITCH", pitch);
	bind_types(t->l->k, "WORD", BROUGHT, word);
}

static void bind_folds(const struct chained *t)
{
	const struct chain *c = t->c;
	struct kx *number[CHAIN_FOLDS], *top[CHAIN_FOLDS], *scales[CHAIN_FOLDS];
	const struct type *type[CHAIN_FOLDS];
	const char *name[CHAIN_FOLDS];
	for (int n = 0; n < c->folds; n++) {
		number[n] = x_int(T_INT_LIT, n);
		top[n] = x_int(T_INT_LIT, n == c->top);
		scales[n] = x_int(T_INT_LIT, c->fold[n].scales);
		type[n] = c->fold[n].fold->type;
		name[n] = str_print("own_%s", c->fold[n].var->name);
	}
	bind_values(t->l->k, "fold", c->folds, number);
	bind_values(t->l->k, "TOP", c->folds, top);
	bind_values(t->l->k, "SCALES", c->folds, scales);
	bind_types(t->l->k, "FOLDED", c->folds, type);
	bind_words(t->l->k, "part", c->folds, name);
}

static bool leaves_keys(const struct chain *c)
{
	return c->keys.low.n + c->keys.high.n + c->keys.where.n
	       && type_class(c->p[SECOND].fold->type) == 'F';
}

/* Have later rows more keys?  Their tiles take longest, and come first. */
static bool last_have_most(const struct chain *c)
{
	int64_t more = 0;
	for (int n = 0; n < c->keys.high.n; n++) {
		struct affine f;
		affine_of(c->keys.high.at[n], &f);
		more += affine_coefficient(&f, row_index(c));
	}
	return more > 0 && !c->keys.low.n;
}

static void bind_shape(const struct chained *t)
{
	const struct chain_form *f = &t->form;
	const struct chain *c = t->c;
	k_numbers(t->l->k, "THREADS, ROWS, KEYS, COLUMNS, THREAD_ROWS, THREAD_KEYS, "
	          "THREAD_COLUMNS, STEP_TERMS, ROW_LANES, KEY_LANES, KEY_LANE_BITS, WEIGHT_PITCH, "
	          "WIDE",
	          f->threads, f->rows, f->keys, f->columns, f->thread_rows, f->thread_keys,
	          f->thread_columns, f->terms, f->row_lanes, f->key_lanes, log2_of(f->key_lanes),
	          f->rows + f->wide, f->wide);
	k_numbers(t->l->k, "TOPPED, SCALED, BATCH, UNIT, SOME_ARE_ALL, LOW, LEAVES, BACK, GROUPS",
	          c->top >= 0,
	          c->scales, t->batch != NULL, f->warp_rows > 0, !c->keys.where.n,
	          c->keys.low.n > 0, leaves_keys(c), last_have_most(c),
	          f->groups);
	k_bind(t->l->k, "SUM", c->p[FIRST].term->type);
	k_bind(t->l->k, "SCORE", c->score->type);
	k_bind(t->l->k, "NEAR", c->top < 0 ? type_scalar(T_F32) : c->fold[c->top].var->type);
	k_bind(t->l->k, "WEIGHT", weight_type(t));
	k_bind(t->l->k, "RESULT", c->p[SECOND].term->type);
}

/* What variables are called. */
static void bind_words_of(const struct chained *t)
{
	const struct chain *c = t->c;
	k_bind(t->l->k, "row", row_index(c)->name);
	k_bind(t->l->k, "key", key_index(c)->name);
	bind_words(t->l->k, "at", BROUGHT,
	           (const char *[]){ row_index(c)->name, key_index(c)->name,
		                     c->p[SECOND].operand[c->value].along->name });
	bind_words(t->l->k, "depth", BROUGHT,
	           (const char *[]){ c->p[FIRST].depth->name, c->p[FIRST].depth->name,
		                     key_index(c)->name });
	bind_words(t->l->k, "share", BROUGHT,
	           (const char *[]){ "of_rows", "of_keys", "of_values" });
}

KTEXT_HOLE(at_product)
{
	product_bind(l, &((const struct chained *)state)->axes, arg[0]);
	return NULL;
}

static void bind_numbers_of(const struct chained *t)
{
	const struct chain *c = t->c;
	struct kx *lo = lower_index(host_lowering(t->l->plan),
	                            c->p[FIRST].fold->fold->lo.at[0]);
	k_bind(t->l->k, "terms", lower_number(t->l, "terms", t->terms));
	k_bind(t->l->k, "first_term", lower_number(t->l, "first_term", lo));
	k_bind(t->l->k, "rows", lower_number(t->l, "rows", t->rows));
	k_bind(t->l->k, "columns", lower_number(t->l, "columns", t->columns));
	k_bind(t->l->k, "row_tiles", lower_number(t->l, "row_tiles", t->row_tiles));
	k_bind(t->l->k, "column_tiles", lower_number(t->l, "column_tiles", t->column_tiles));
}

static void bind_holes(struct chained *t)
{
	k_bind_calls(t->l->k, t, { "memory", memory }, { "weight_memory", weight_memory },
	             { "bind_cell", bind_cell }, { "operand", operand }, { "zero", zero },
	             { "no_score", no_score }, { "score_term", score_term },
	             { "score_of", score_of }, { "no_result", no_result },
	             { "result_term", result_term }, { "key_begin", key_begin },
	             { "key_end", key_end }, { "all_begin", all_begin },
	             { "all_end", all_end }, { "at_row", at_row },
	             { "at_key", at_key }, { "row_begin", row_begin }, { "row_end", row_end },
	             { "is_key", is_key },
	             { "nothing", nothing }, { "fold_score", fold_score }, { "join", join },
	             { "least", least }, { "above", above }, { "factor", factor },
	             { "weight_factor", weight_factor }, { "no_weight", no_weight },
	             { "weight_of", weight_of }, { "no_value", no_value },
	             { "widened", widened }, { "rounded", rounded },
	             { "finish_fold", finish_fold }, { "store_folds", store_folds },
	             { "store_result", store_result }, { "at_product", at_product });
}

static void write_results(struct chained *t)
{
	lowering_writes(t->l, t->c->p[SECOND].node);
	for (int n = 0; n < t->c->folds; n++)
		if (!t->c->fold[n].var->on_chip)
			lowering_writes(t->l, t->c->fold[n].node);
}

static bool folds_stored(const struct chain *c)
{
	bool stored = false;
	for (int n = 0; n < c->folds; n++)
		stored |= !c->fold[n].var->on_chip;
	return stored;
}

/* Of a range; NULL: the call says how many. */
static struct kx *size_of(const struct expr *lo, const struct expr *hi)
{
	int64_t cells = affine_cells(lo, hi);
	return cells < 0 ? NULL : x_i64(cells);
}

static void count_host(struct chained *t, struct plan *plan)
{
	const struct product *first = &t->c->p[FIRST], *second = &t->c->p[SECOND];
	t->batch = product_batch(plan, second);
	t->rows = plan_let(plan, "rows", product_cells(plan, first, first->index[t->c->row]));
	t->columns = size_of(second->node->lo.at[second->index[t->c->value]],
	                     second->node->hi.at[second->index[t->c->value]]);
	if (!t->columns)
		t->columns = plan_let(plan, "columns",
		                      product_cells(plan, second, second->index[t->c->value]));
	t->terms = size_of(first->fold->fold->lo.at[0], first->fold->fold->hi.at[0]);
	if (!t->terms)
		t->terms = product_terms(plan, first);
}

static void count_tiles(struct chained *t, struct plan *plan)
{
	struct kx *tiles = x_div_up(t->columns, x_i64(t->form.columns));
	t->row_tiles = plan_let(plan, "row_tiles", x_div_up(t->rows, x_i64(t->form.rows)));
	t->column_tiles = plan_let(plan, "column_tiles",
	                           folds_stored(t->c) ? x_max(tiles, x_i64(1)) : tiles);
}

void chain_kernel(struct chained *t, struct plan *plan, const char *suffix, const char *text)
{
	const struct chain *c = t->c;
	count_tiles(t, plan);
	t->l = lowering_new(plan, str_print("%s%s", c->p[SECOND].node->name, suffix));
	write_results(t);
	t->l->k->block[0] = t->form.threads;
	t->l->k->block[1] = t->l->k->block[2] = 1;
	t->l->k->min_blocks = t->form.groups ? 1 : 2;
	t->axes = product_axes(t->l, &c->p[SECOND]);
	if (c->divisor >= 0)
		t->divisor = scaling_var("divisor", c->fold[c->divisor].var->type);
	bind_brought(t);
	bind_folds(t);
	bind_shape(t);
	bind_words_of(t);
	bind_numbers_of(t);
	bind_holes(t);
	if (t->form.warp_rows)
		chain_unit_bind(t);
	k_text_of(__FILE__, t->l->k, text);
	struct kx *blocks = x_mul(t->row_tiles, t->column_tiles);
	lowering_launch(t->l, t->batch ? x_mul(blocks, t->batch) : blocks, x_i64(1), x_i64(1));
}

/* ---- the ways ---- */

static const struct chained *found_of(const struct task *c)
{
	return c->found;
}

/* Host: are the terms of a score, and the columns, so few? */
static struct kx *within(const struct chained *t, int head)
{
	return kx_fold(x_and(x_le(t->terms, x_i64(head)), x_le(t->columns, x_i64(head))));
}

static bool never(const struct kx *x)
{
	return x && x->kind == KX_INT && !x->i;
}

/* The row's number of chain_heads, and whether operands are copied. */
enum { BY_CELLS = 8 };

static int head_of(const struct task *c)
{
	return chain_heads[c->way->form % BY_CELLS];
}

static bool is_copied(const struct task *c)
{
	return c->way->form < BY_CELLS;
}

/* Sizes that are known are for one row; others for the two that are usual, or, by cells, one. */
static bool has_units(const struct task *c)
{
	const struct chained *t = found_of(c);
	const int n = c->way->form % BY_CELLS;
	const struct kx *is = within(t, chain_heads[n]);
	bool known = is->kind == KX_INT;
	bool smaller = n && known && !never(within(t, chain_heads[n - 1]));
	bool usual = known || n == 1 || (n == 0 && is_copied(c));
	return !t->no_units && !never(is) && !smaller && usual && (t->aligned || !is_copied(c));
}

static struct kx *units_allowed(const struct task *c)
{
	const struct chained *t = found_of(c);
	struct kx *is = within(t, head_of(c));
	for (int n = FIRST; n <= SECOND; n++)
		is = x_and(is, product_unit_allowed(t->target, t->units.p[n].unit));
	is = x_and(is, is_copied(c) ? t->aligned : NULL);
	int64_t bytes = chain_shared(t, head_of(c), is_copied(c));
	if (bytes > t->target->asked_bytes)
		is = x_and(is, x_le(x_i64(bytes), block_may_ask()));
	is = kx_fold(is);
	return is->kind == KX_INT ? NULL : is;
}

/* The chain of units that the task computes. */
static struct chained *united(const struct task *c)
{
	struct chained *t = NEW(struct chained);
	*t = *found_of(c);
	t->c = &t->units;
	product_unites(&t->units.p[SECOND], c->group->anchor);
	for (int n = 0; n < c->group->chain.n; n++)
		if (c->group->chain.at[n] == t->units.p[FIRST].node)
			product_unites(&t->units.p[FIRST], c->group->chain.at[n]);
	return t;
}

static void lower_units(const struct task *c)
{
	struct chained *t = united(c);
	t->form = chain_unit_form(t, head_of(c), is_copied(c));
	chain_kernel(t, c->plan, str_print("_%d%s", head_of(c), is_copied(c) ? "" : "_any"),
	             "chain_unit");
}

static bool has_groups(const struct task *c)
{
	return has_units(c) && chain_may_group(found_of(c), head_of(c));
}

static struct kx *groups_allowed(const struct task *c)
{
	const struct chained *t = found_of(c);
	struct kx *is = t->target->groups ? NULL : unit_group_allowed();
	is = kx_fold(x_and(is, x_and(within(t, head_of(c)), t->aligned)));
	return is->kind == KX_INT ? NULL : is;
}

static void lower_groups(const struct task *c)
{
	struct chained *t = united(c);
	t->form = chain_group_form(t, head_of(c));
	chain_kernel(t, c->plan, str_print("_group_%d", head_of(c)), "chain_group");
}

static void lower_cores(const struct task *c)
{
	struct chained *t = NEW(struct chained);
	*t = *found_of(c);
	t->form = form_of(t->c);
	chain_kernel(t, c->plan, "", "chain");
}

#define UNITS(name_, form_, where_, no_)                                                           \
	{ name_, "matrix units multiply", where_, no_, .fits = has_units, .when = units_allowed,   \
	  .lower = lower_units, .form = form_ }
#define GROUPS_OF(name_, form_, where_)                                                            \
	{ name_, "units of four warps multiply", where_, .fits = has_groups,                       \
	  .when = groups_allowed, .lower = lower_groups, .form = form_ }
static const struct way ways[] = {
	/* chain_unit.c: the units of groups of warps, if the device has them */
	GROUPS_OF("groups64", 0, "the device has them, and rows have 64 cells at most"),
	GROUPS_OF("groups128", 1, "the device has them, and rows have 128 cells at most"),
	/* chain_unit.c: up to 64 terms of a score, and columns; 128; 256 */
	UNITS("units64", 0, "rows begin at multiples of 16 bytes, and have 64 cells at most", NULL),
	UNITS("units128", 1, "rows begin at multiples of 16 bytes, and have 128 cells at most",
	      NULL),
	UNITS("units256", 2, "rows begin at multiples of 16 bytes, and have 256 cells at most",
	      NULL),
	UNITS("any64", BY_CELLS, "rows have 64 cells at most", NULL),
	UNITS("any128", BY_CELLS + 1, "rows have 128 cells at most", NULL),
	UNITS("any256", BY_CELLS + 2, "rows have 256 cells at most",
	      "matrix units do not multiply such cells, or so many"),
	/* above */
	{ "cores", "threads multiply cell by cell", .lower = lower_cores }
};

void chain_lower(const struct chain *c, struct plan *plan, const struct group *group)
{
	struct chained *t = NEW(struct chained);
	*t = (struct chained){ .c = c, .target = plan->target };
	t->no_units = chain_units(&t->units, c, plan->target);
	count_host(t, plan);
	if (!t->no_units)
		t->aligned = chain_aligned(t, plan);
	ways_lower(ways, plan, group, t);
}

/* ---- what its tiles are, for the passes ---- */

static const char *why_not(const struct node *node, const struct shape *s, const struct options *o)
{
	(void)s;
	return stage_no_tiles(node, "the tiles of its operands are for all threads of a block", o);
}

static void stage(struct node *node, const struct shape *s, const struct options *o)
{
	if (stage_settles(node, STAGE_SHARED, why_not(node, s, o), o))
		remark_did(node, PASS_STAGE, BANDWIDTH,
		           "shared memory%s: tiles of the operands of both products, and of "
		           "weights", stage_as_pinned(node));
}

static void tile(struct node *node, const struct shape *s, const struct options *o)
{
	const struct chain_form *f = s->staged;
	(void)o;
	if (node->pin.tile[0]
	    && pin_refused(node, PIN_TILE, D_PIN_UNFIT,
	                   "`%s` is computed with the product before it, whose tiles have "
	                   "one shape",
	                   node->name))
		diag_cure("remove the tile, or pin `no fuse`");
	tile_set(node, NULL);
	remark_did(node, PASS_TILE, BANDWIDTH,
	           "a block visits the keys of %d rows, %d at a time, for %d columns of the "
	           "result, where a thread multiplies cell by cell",
	           f->rows, f->keys, f->columns);
}

static bool fits(const struct node *node, const struct shape *s, const struct options *o)
{
	(void)node, (void)s, (void)o;
	return false;
}

static const struct staging chain_staging = { why_not, stage, tile, fits };

/* Units have operands as they lie in memory. */
static int vector_of(const struct chain *c, const struct target *target)
{
	struct chain units;
	int width[2];
	if (chain_units(&units, c, target))
		return 1;
	for (int n = FIRST; n <= SECOND; n++)
		width[n] = product_width(&units.p[n]);
	return width[FIRST] > width[SECOND] ? width[FIRST] : width[SECOND];
}

void chain_shape(const struct node *node, const struct target *target, struct shape *s)
{
	struct chain c;
	struct chain_form *form = NEW(struct chain_form);
	const char *why = chain_find(&c, node->group, target);
	assert(!why && "the group was found so");
	*form = form_of(&c);
	s->staging = &chain_staging;
	s->staged = form;
	s->vector = vector_of(&c, target);
	s->no_vector = "a thread loads its cells one by one";
	s->pieces = 0;
	s->no_pieces = "its tile says how many cells a thread computes";
	s->no_births = "its cells are sums that are still to be divided";
}
