/* reduce_terms.c - the terms of a reduction on one thread: how a term is read, which terms a thread
 * takes, and what the host knows of their number.  Both machines use it. */
#include "reduce.h"

#include <string.h>

enum { MOST_SINGLE_WORDS = 4 };          /* of registers, for each of many terms */

/* ---- terms ---- */

static struct kx *row_base(struct reduction *r, const struct expr *read)
{
	struct kx *base = NULL;
	int kept = read->var->rank - r->domain->index.n;
	for (int a = 0; a < read->var->rank; a++) {
		struct kx *sub = a < kept ? lower_index(r->l, read->arg.at[a]) : NULL;
		if (base)
			base = x_mul(base, lower_pitch(r->l, read->var, a));
		if (sub)
			base = base ? x_add(base, sub) : sub;
	}
	return base;
}

static struct kx *cell_of_term(struct reduction *r, const struct expr *read, struct kx *term)
{
	struct kx *base = row_base(r, read);
	return x_at(lower_pointer(r->l, read->var), base ? x_add(base, term) : term);
}

static struct vector_load *load_of(struct reduction *r, const struct expr *read)
{
	for (int i = 0; i < r->load.n; i++) {
		const struct expr *other = r->load.at[i].read;
		bool same = other->var == read->var;
		for (int a = 0; same && a < read->var->rank - r->domain->index.n; a++)
			same = reduce_same_expr(other->arg.at[a], read->arg.at[a]);
		if (same)
			return &r->load.at[i];
	}
	return NULL;
}

static struct kx *reduce_read(struct lowering *l, const struct expr *read)
{
	struct reduction *r = (struct reduction *)l->now.state;
	bool of_term = false;
	for (int f = 0; f < r->folds.n; f++)
		of_term |= reduce_uses(r->folds.at[f]->fold, read);
	if (!r->linear || !of_term)
		return lower_cell(l, read);
	struct vector_load *v = r->which >= 0 ? load_of(r, read) : NULL;
	if (v && r->width == 1)
		return x_var(v->vector[r->which]);
	if (v)
		return x_lane_at(x_var(v->vector[r->which]), r->lane);
	return cell_of_term(r, read, r->l->term);
}

/* Term number -> the indices of every fold, unless reads are linear. */
void reduce_bind(struct reduction *r, struct kx *term)
{
	struct lowering *l = r->l;
	r->l->term = term;
	if (r->linear)
		return;
	const struct fold *fold = r->domain;
	struct kx *rest = term;
	for (int d = fold->index.n - 1; d >= 0; d--) {
		struct kx *lo = lower_index(l, fold->lo.at[d]);
		struct kx *size = x_sub(lower_index(l, fold->hi.at[d]), lo);
		struct kx *at = x_add(lo, d ? x_rem(rest, size) : rest);
		at = x_var(k_let(l->k, fold->index.at[d]->name, at));
		for (int f = 0; f < r->folds.n; f++)
			lower_bind(l, r->folds.at[f]->fold->index.at[d], at);
		if (d)
			rest = x_var(k_let(l->k, "rest", x_div(rest, size)));
	}
}

static void all_steps(struct reduction *r)
{
	for (int f = 0; f < r->folds.n; f++)
		fold_step(r->l, r->folds.at[f], &r->acc.at[f]);
}

void reduce_each(struct reduction *r, const struct terms *t, void (*step)(struct reduction *))
{
	struct kernel *k = r->l->k;
	if (!t->loads) {
		step(r);
		return;
	}
	r->lane = x_i32(0);
	if (r->width > 1)
		r->lane = x_var(k_for(k, "c", x_i32(0), x_i32(r->width), x_i32(1), FOR_UNROLL));
	for (r->which = 0; r->which < t->loads; r->which++) {
		r->l->term = x_add(x_add(t->first, x_mul(x_i64(r->which), t->stride)),
		                   x_to_i64(r->lane));
		step(r);
	}
	r->which = -1;
	if (r->width > 1)
		k_end(k);
}

static void fold_terms(struct reduction *r, const struct terms *t)
{
	if (r->together)
		r->together(r, t);
	else
		reduce_each(r, t, all_steps);
}

/* Is what is loaded ahead of its conditions inside?  Where only they keep a read inside, the row
 * may be none of its array's, and terms are taken one at a time: those read nothing that a
 * condition leaves out. */
static struct kx *rows_inside(struct reduction *r)
{
	struct read_list reads = reduce_reads(r);
	struct kx *inside = NULL;
	for (int i = 0; r->linear && i < reads.at.n; i++) {
		const struct expr *read = reads.at.at[i];
		for (int a = 0; read->guarded && a < read->var->rank - r->domain->index.n; a++)
			inside = x_and(inside, lower_subscript_inside(r->l, read, a));
	}
	return inside;
}

static void load_vectors(struct reduction *r, struct kx *at, struct kx *stride, int loads)
{
	struct read_list reads = reduce_reads(r);
	struct kernel *k = r->l->k;
	r->load.n = 0;
	for (int i = 0; i < reads.at.n; i++)
		if (!load_of(r, reads.at.at[i]))
			list_add(&r->load, ((struct vector_load){ .read = reads.at.at[i] }));
	for (int i = 0; i < r->load.n; i++) {
		const struct expr *read = r->load.at[i].read;
		struct kx *base = row_base(r, read);
		struct kx *row = base ? x_offset(lower_pointer(r->l, read->var), base)
		                      : lower_pointer(r->l, read->var);
		for (int u = 0; u < loads; u++) {
			struct kx *offset = u ? x_add(at, x_mul(x_i64(u), stride)) : at;
			r->load.at[i].vector[u] = r->width > 1
			                                  ? k_let(k,
			                                          str_print("%s%d", read->var->name,
			                                                    r->width),
			                                          x_vload(x_offset(row, offset),
			                                                  r->width))
			                                  : k_let(k, read->var->name,
			                                          cell_of_term(r, read, offset));
		}
	}
}

/* ---- kernels: reduce.kernel ---- */

static struct reduction *of(const void *r)
{
	return (struct reduction *)r;
}

static struct kx *start_folds(struct lowering *l, const void *r, struct kx *const *none)
{
	(void)none;
	of(r)->acc = folds_start(l, &of(r)->folds);
	bind_accumulators(l, &of(r)->acc);
	return NULL;
}

static struct kx *bind_cell(struct lowering *l, const void *r, struct kx *const *cell)
{
	(void)l;
	reduce_bind_cell(of(r), cell[0], of(r)->kept);
	return NULL;
}

/* A masked cell reads no terms: its mask may be what keeps them inside (R7). */
static struct kx *unmasked(struct lowering *l, const void *r, struct kx *const *none)
{
	(void)none;
	return of(r)->node->where ? lower_expr(l, of(r)->node->where) : x_int(T_BOOL, 1);
}

static struct kx *bind_term(struct lowering *l, const void *r, struct kx *const *term)
{
	(void)l;
	of(r)->which = -1;
	reduce_bind(of(r), term[0]);
	return NULL;
}

static struct kx *take_term(struct lowering *l, const void *r, struct kx *const *none)
{
	(void)l, (void)none;
	fold_terms(of(r), &(struct terms){ .loads = 0 });
	return NULL;
}

static struct kx *fold_loaded(struct lowering *l, const void *r, struct kx *const *arg)
{
	const int loads = (int)arg[2]->i, width = of(r)->width;
	(void)l;
	of(r)->width = (int)arg[3]->i;
	load_vectors(of(r), arg[0], arg[1], loads);
	fold_terms(of(r), &(struct terms){ arg[0], arg[1], loads });
	of(r)->width = width;
	return NULL;
}

static struct kx *inside(struct lowering *l, const void *r, struct kx *const *none)
{
	struct kx *all = rows_inside(of(r));
	(void)l, (void)none;
	return all ? all : x_int(T_BOOL, 1);
}

static struct kx *finish(struct lowering *l, const void *r, struct kx *const *none)
{
	(void)none;
	l->now.read = NULL;
	reduce_finish(l, r);
	return NULL;
}

static struct kx *found(struct lowering *l, const void *r, struct kx *const *none)
{
	const int a = l->k->each;
	(void)none;
	if (!of(r)->found[a])
		of(r)->found[a] = lower_argument(l, "partial",
		                                 kt_pointer(of(r)->acc.at[a].type, false),
		                                 of(r)->slot[a]);
	return of(r)->found[a];
}

static struct kx *tickets(struct lowering *l, const void *r, struct kx *const *none)
{
	(void)none;
	if (!of(r)->tickets)
		of(r)->tickets = lower_argument(l, "ticket", kt_pointer(type_scalar(T_U32), false),
		                                of(r)->ticket_slot);
	return of(r)->tickets;
}

void reduce_bind_calls(struct reduction *r)
{
	k_bind_calls(r->l->k, r, { "start_folds", start_folds }, { "bind_cell", bind_cell },
	             { "unmasked", unmasked }, { "bind_term", bind_term },
	             { "take_term", take_term }, { "fold_loaded", fold_loaded },
	             { "inside", inside }, { "finish", finish }, { "found", found },
	             { "tickets", tickets });
	memset(r->found, 0, sizeof r->found);
	r->tickets = NULL;
}

/* Terms that no vectors bring are taken several at a time, too.  On an H200, softmax of rows of
 * 4097 cells of f32: 16 at a time 2979 GB/s, 4 at a time 2359. */
void reduce_bind_range(struct reduction *r, struct kx *vectors)
{
	struct kernel *k = r->l->k;
	struct read_list reads = reduce_reads(r);
	int64_t words = 0;
	for (int i = 0; i < reads.at.n; i++)
		words += type_words(reads.at.at[i]->var->type);
	k_numbers(k, "ORDERED, VECTORS, TOGETHER", r->ordered, vectors != NULL,
	          r->together && r->linear);
	k_numbers(k, "WIDTH, LOADS, SINGLES, FEW_WORDS", r->width, LOADS, SINGLES,
	          words <= MOST_SINGLE_WORDS);
	if (vectors)
		k_bind(k, "vectors", vectors);
}

void reduce_singles(struct reduction *r, struct kx *first, struct kx *end, struct kx *stride)
{
	k_text(r->l->k, "fold_singles", first, end, stride);
}

/* ---- host side ---- */

struct kx *reduce_size(struct lowering *l, const struct expr *lo, const struct expr *hi)
{
	return plan_range(l->plan, lower_index(l, lo), lower_index(l, hi));
}

struct kx *reduce_terms(const struct reduction *r, struct plan *plan)
{
	struct lowering *host = host_lowering(plan);
	struct kx *terms = NULL;
	for (int d = 0; d < r->domain->index.n; d++) {
		struct kx *size = reduce_size(host, r->domain->lo.at[d], r->domain->hi.at[d]);
		terms = terms ? x_mul(terms, size) : size;
	}
	return plan_let(plan, "terms", terms);
}

static struct kx *whole_vectors(const struct reduction *r, struct kx *cells)
{
	return x_eq(x_rem(cells, x_i64(r->width)), x_i64(0));
}

/* Every array that vectors are loaded from starts at a multiple of 16 bytes, its rows too. */
struct kx *reduce_vectors_allowed(struct reduction *r, struct kx *terms)
{
	struct lowering *host = host_lowering(r->l->plan);
	struct read_list reads = reduce_reads(r);
	struct kx *all = NULL;
	bool many = false;               /* rows, of which the second starts where the first ends */
	if (r->width == 1)
		return NULL;
	for (int i = 0; i < reads.at.n; i++) {
		const struct expr *read = reads.at.at[i];
		bool seen = false;
		for (int j = 0; j < i; j++)
			seen |= reads.at.at[j]->var == read->var;
		if (!seen)
			all = x_and(all, plan_aligned(r->l->plan, read->var, r->width));
		if (!seen && !is_dense(read->var))
			all = x_and(all, whole_vectors(r, lower_pitch(host, read->var,
			                                              read->var->rank - 1)));
		many |= read->var->rank > r->domain->index.n;
	}
	if (many)
		all = x_and(all, whole_vectors(r, terms));
	return lower_argument(r->l, "vectors", kt_scalar(T_BOOL), all);
}

void reduce_enter(struct reduction *r, struct lowering *l)
{
	r->l = l;
	l->now.read = reduce_read;
	l->now.state = r;
	r->which = -1;
	r->linear = reduce_is_linear(r);
	r->width = l->target->gpu ? reduce_width(r) : 1;
	reduce_bind_calls(r);
}

void reduce_open(struct reduction *r, struct plan *plan)
{
	struct lowering *l = lowering_new(plan, r->node->name);
	lowering_writes(l, r->node);
	reduce_enter(r, l);
}

struct lowering *reduce_open_fold(struct reduction *r, struct plan *plan)
{
	r->l = lowering_new(plan, str_print("%s_fold", r->node->name));
	lowering_writes(r->l, r->node);
	reduce_bind_calls(r);
	return r->l;
}

void reduce_bind_partial(struct reduction *r, bool is_const)
{
	struct kx *partial[8];
	for (int f = 0; f < r->folds.n; f++) {
		struct ktype pointer = kt_pointer(accumulator_type(r->folds.at[f]), is_const);
		partial[f] = lower_argument(r->l, "partial", pointer, r->slot[f]);
	}
	bind_values(r->l->k, "partial", r->folds.n, partial);
}

void reduce_finish(struct lowering *l, const void *state)
{
	const struct reduction *r = state;
	fold_finish(l, r->node, &r->folds, &r->acc);
}
