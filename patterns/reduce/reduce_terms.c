/* reduce_terms.c - the terms of a reduction on one thread: how a term is read, which terms a thread takes, and
 * what the host knows of their number.  Both machines use it. */
#include "reduce.h"

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
	struct reduction *r = (struct reduction *)l->state;
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
		r->l->term = x_add(x_add(t->first, x_mul(x_i64(r->which), t->stride)), x_to_i64(r->lane));
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

void reduce_open_cell(struct reduction *r)
{
	if (r->node->where)
		k_if(r->l->k, lower_expr(r->l, r->node->where));
}

void reduce_close_cell(struct reduction *r)
{
	if (r->node->where)
		k_end(r->l->k);
}

/* Terms first, first + stride, ... below end, one at a time. */
void reduce_singles(struct reduction *r, struct kx *first, struct kx *end, struct kx *stride)
{
	r->which = -1;
	struct kvar *e = k_for(r->l->k, "e", first, end, stride, 0);
	reduce_bind(r, x_var(e));
	fold_terms(r, &(struct terms){ .loads = 0 });
	k_end(r->l->k);
}

/* Is what is loaded ahead of its conditions inside?  Where only they keep a read inside, the row may be none of its array's,
 * and terms are taken one at a time: those read nothing that a condition leaves out. */
static struct kx *rows_inside(struct reduction *r)
{
	struct read_list reads = reduce_reads(r);
	struct kx *inside = NULL;
	for (int i = 0; r->linear && i < reads.at.n; i++) {
		const struct expr *read = reads.at.at[i];
		for (int a = 0; read->guarded && a < read->var->rank - r->domain->index.n; a++)
			inside = x_and(inside, lower_inside(lower_index(r->l, read->arg.at[a]), lower_extent(r->l, read->var, a)));
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
		struct kx *row = base ? x_offset(lower_pointer(r->l, read->var), base) : lower_pointer(r->l, read->var);
		for (int u = 0; u < loads; u++) {
			struct kx *offset = u ? x_add(at, x_mul(x_i64(u), stride)) : at;
			r->load.at[i].vector[u] = r->width > 1
				? k_let(k, str_print("%s%d", read->var->name, r->width), x_vload(x_offset(row, offset), r->width))
				: k_let(k, read->var->name, cell_of_term(r, read, offset));
		}
	}
}

/* Whole tiles of loads x lanes x width terms; `at` moves on to the first term behind them. */
static void vector_terms(struct reduction *r, struct kvar *at, struct kx *end, struct kx *lane, struct kx *lanes, int loads)
{
	struct kernel *k = r->l->k;
	struct kx *stride = x_mul(lanes, x_i64(r->width)), *tile = x_mul(stride, x_i64(loads));
	k_while(k, x_le(x_add(x_var(at), tile), end));
	struct kx *e = x_var(k_let(k, "e", x_add(x_var(at), x_mul(lane, x_i64(r->width)))));
	load_vectors(r, e, stride, loads);
	fold_terms(r, &(struct terms){ e, stride, loads });
	k_set(k, x_var(at), x_add(x_var(at), tile));
	k_end(k);
}

/* Terms that no vectors bring are taken several at a time, too.  On an H200, softmax of rows of 4097 cells of f32: 16 at a time
 * 2979 GB/s, 4 at a time 2359. */
static void together_terms(struct reduction *r, struct kvar *start, struct kx *hi, struct kx *lane, struct kx *lanes)
{
	struct read_list reads = reduce_reads(r);
	int width = r->width;
	int64_t words = 0;
	for (int i = 0; i < reads.at.n; i++)
		words += type_words(reads.at.at[i]->var->type);
	r->width = 1;
	if (words <= MOST_SINGLE_WORDS)
		vector_terms(r, start, hi, lane, lanes, SINGLES);
	vector_terms(r, start, hi, lane, lanes, LOADS);
	r->width = width;
}

/* All terms lo .. hi, shared among `lanes` threads of which this is `lane` (i64). */
void reduce_range(struct reduction *r, struct kx *lo, struct kx *hi, struct kx *lane, struct kx *lanes, struct kx *vectors)
{
	struct kernel *k = r->l->k;
	if (r->ordered) {
		struct kx *run = x_div_up(x_sub(hi, lo), lanes);
		run = x_var(k_let(k, "run", run));
		struct kx *from = x_var(k_let(k, "from", x_add(lo, x_mul(lane, run))));
		reduce_singles(r, from, x_min(x_add(from, run), hi), x_i64(1));
		return;
	}
	struct kvar *start = k_var(k, kt_scalar(T_I64), "at", lo);
	bool together = r->together && r->linear;
	struct kx *inside = vectors || together ? rows_inside(r) : NULL;
	if (inside)
		k_if(k, inside);
	if (vectors) {
		k_if(k, vectors);
		vector_terms(r, start, hi, lane, lanes, LOADS);
		vector_terms(r, start, hi, lane, lanes, 1);
		k_end(k);
	}
	if (together)
		together_terms(r, start, hi, lane, lanes);
	if (inside)
		k_end(k);
	reduce_singles(r, x_add(x_var(start), lane), hi, lanes);
}

/* ---- host side ---- */

struct kx *reduce_size(struct lowering *l, const struct expr *lo, const struct expr *hi)
{
	return plan_range(l->plan, lower_index(l, lo), lower_index(l, hi));
}

struct kx *reduce_terms(struct reduction *r)
{
	struct lowering *host = host_lowering(r->l->plan);
	struct kx *terms = NULL;
	for (int d = 0; d < r->domain->index.n; d++) {
		struct kx *size = reduce_size(host, r->domain->lo.at[d], r->domain->hi.at[d]);
		terms = terms ? x_mul(terms, size) : size;
	}
	return plan_let(r->l->plan, "terms", terms);
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
	bool many = false;                       /* rows, of which the second starts where the first ends */
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
			all = x_and(all, whole_vectors(r, lower_pitch(host, read->var, read->var->rank - 1)));
		many |= read->var->rank > r->domain->index.n;
	}
	if (many)
		all = x_and(all, whole_vectors(r, terms));
	return lower_argument(r->l, "vectors", kt_scalar(T_BOOL), all);
}

void reduce_enter(struct reduction *r, struct lowering *l)
{
	r->l = l;
	l->read = reduce_read;
	l->state = r;
	r->which = -1;
	r->linear = reduce_is_linear(r);
	r->width = l->target->gpu ? reduce_width(r) : 1;
}

void reduce_open(struct reduction *r, struct plan *plan)
{
	struct lowering *l = lowering_new(plan, r->node->name);
	lowering_writes(l, r->node);
	reduce_enter(r, l);
}

void reduce_finish(struct lowering *l, const void *state)
{
	const struct reduction *r = state;
	fold_finish(l, r->node, &r->folds, &r->acc);
}
