/* reduce_pairs.c - folds over pairs, such as f[i] = sum[j](force(p[i], p[j])): what a term reads
 * depends on the result or on the term, never on both.
 *
 * A block brings the values of BLOCK terms to shared memory at a time, and each thread folds all of
 * them into several results, whose own values and accumulators it has in registers.  So a value of
 * shared memory is used RESULTS times, and one of memory BLOCK * RESULTS times.  Where results are
 * few for the machine their terms are cut into chunks, as in reduce_gpu.c.
 *
 * Of f(a, b) = -f(b, a) both sides can be folded at once, tile by tile: reduce_symmetric.c. */
#include "ask.h"
#include "reduce_pairs.h"

enum {
	WORDS = 48,                          /* registers for all of them */
	MOST_FIELDS = 16,                    /* of a struct whose fields are apart */
	LEAST_TERMS = 64                     /* below them lanes share the terms of a result */
};

/* ---- what can be shared ---- */

/* All folds have one range: as if they had one index. */
static const struct expr *with_one_index(const struct reduction *r, const struct expr *read)
{
	for (int f = 0; f < r->folds.n; f++) {
		const struct fold *fold = r->folds.at[f]->fold;
		struct expr *to[MAX_RANK];
		for (int d = 0; d < fold->index.n; d++)
			to[d] = expr_var(r->domain->index.at[d], read->at);
		if (fold != r->domain)
			read = expr_substitute(read, fold->index.at, to, fold->index.n);
	}
	return read;
}

static const struct shared_read *shared_of(const struct pairs *p, const struct expr *read)
{
	for (int i = 0; i < p->shared.n; i++)
		if (expr_same(p->shared.at[i].read, read))
			return &p->shared.at[i];
	return NULL;
}

static int own_of(const struct pairs *p, const struct expr *read)
{
	for (int i = 0; i < p->own.n; i++)
		if (expr_same(p->own.at[i], read))
			return i;
	return -1;
}

/* No data are in its subscripts: it is inside the array for every result, `trusted` or not. */
static bool is_proved(const struct expr *read)
{
	for (int d = 0; d < read->arg.n; d++)
		if (read->affine[d].n < 0)
			return false;
	return true;
}

static bool add_read(struct expr *e, void *state)
{
	struct pairs *p = state;
	const struct node *node = p->r->node;
	if (e->fold)
		p->shape.why = "a term has a fold inside";
	if (e->kind != E_READ)
		return !e->fold;
	const struct expr *read = with_one_index(p->r, e);
	bool terms = reduce_uses(p->r->domain, read), result = expr_uses_cell(node, read);
	p->shape.why = e->checked            ? "reads are tested at run time"
	               : terms && result     ? "a term reads by indices of the cell and of the term"
	               : terms && e->guarded ? "only a condition keeps the reads of terms in bounds"
	                                     : NULL;
	if (p->shape.why)
		return false;
	if (terms && !shared_of(p, read))
		list_add(&p->shared, ((struct shared_read){ .read = read }));
	if (result && !e->guarded && is_proved(e) && own_of(p, read) < 0) {
		list_add(&p->own, read);
		p->words += type_words(read->type);
	}
	return true;
}

/* Some term, or what masks it, is another one for each result. */
static bool differs(const struct pairs *p)
{
	for (int f = 0; f < p->r->folds.n; f++) {
		const struct expr *e = p->r->folds.at[f];
		if (expr_uses_cell(p->r->node, e->arg.at[0])
		    || (e->fold->where && expr_uses_cell(p->r->node, e->fold->where)))
			return true;
	}
	return false;
}

static void find_reads(struct pairs *p)
{
	for (int f = 0; f < p->r->folds.n && !p->shape.why; f++) {
		const struct expr *e = p->r->folds.at[f];
		p->words += type_words(accumulator_type(e));
		if (expr_walk(e->arg.at[0], add_read, p) && e->fold->where)
			expr_walk(e->fold->where, add_read, p);
	}
}

struct pairs *pairs_of(struct reduction *r, const struct target *target)
{
	struct pairs *p = NEW(struct pairs);
	struct pairs_shape *shape = &p->shape;
	*shape = (struct pairs_shape){ .terms = target->block, .results = RESULTS_MOST };
	p->r = r;
	if (r->node->where)
		shape->why = "a mask selects cells";
	find_reads(p);
	for (int i = 0; i < p->shared.n; i++)
		shape->bytes += shape->terms * type_size(p->shared.at[i].read->type);
	while (shape->results > 1 && shape->results * p->words > WORDS)
		shape->results /= 2;
	if (shape->why)
		return p;
	shape->why = p->words > WORDS                      ? "a result takes too many registers"
	             : shape->bytes > target->shared_bytes ? "terms take too much shared memory"
	             : !p->shared.n || !differs(p) ? "its terms are the same for all cells" : NULL;
	return p;
}

const struct pairs_shape *reduce_pairs_shape(struct reduction *r, const struct target *target)
{
	return target->gpu && r->node->index.n ? &pairs_of(r, target)->shape : NULL;
}

/* ---- the kernel: pairs.kernel ---- */

static struct pairs *of(const void *p)
{
	return (struct pairs *)p;
}

static struct kx *read_pair(struct lowering *l, const struct expr *e)
{
	const struct pairs *p = l->now.state;
	const struct expr *read = with_one_index(p->r, e);
	int own = own_of(p, read);
	if (own >= 0 && p->at)
		return x_var(p->at->own.at[own]);
	const struct shared_read *shared = p->at ? shared_of(p, read) : NULL;
	return shared ? x_var(shared->value) : lower_cell(l, e);
}

KTEXT_HOLE(open_result)
{
	struct pairs *p = of(state);
	struct result *result = &p->result[l->k->each];
	reduce_bind_cell(p->r, arg[0], p->r->kept);
	for (int k = 0; k < p->r->node->index.n; k++)
		result->index[k] = lower_var(l, p->r->node->index.at[k]);
	result->acc = folds_start(l, &p->r->folds);
	for (int i = 0; i < p->own.n; i++)
		list_add(&result->own,
		         k_let(l->k, str_print("own_%s", p->own.at[i]->var->name),
		               lower_cell(l, p->own.at[i])));
	return NULL;
}

KTEXT_HOLE(bring_shared)
{
	struct pairs *p = of(state);
	struct kx *thread = k_get(l->k, "thread");
	for (int i = 0; i < p->shared.n; i++) {
		const struct shared_read *shared = &p->shared.at[i];
		struct kx *cell = lower_cell(l, shared->read);
		if (!shared->field.n)
			k_set(l->k, x_at(x_var(shared->array), thread), cell);
		else
			cell = x_var(k_let(l->k, shared->read->var->name, cell));
		for (int f = 0; f < shared->field.n; f++)
			k_set(l->k, x_at(x_var(shared->field.at[f]), thread),
			      x_field(cell, &shared->read->type->record->field.at[f]));
	}
	return NULL;
}

static struct kx *shared_value(const struct shared_read *shared, struct kx *place)
{
	struct kx *field[MOST_FIELDS];
	for (int f = 0; f < shared->field.n; f++)
		field[f] = x_at(x_var(shared->field.at[f]), place);
	return shared->field.n ? x_make(shared->read->type, shared->field.n, field)
	                       : x_at(x_var(shared->array), place);
}

KTEXT_HOLE(at_place)
{
	struct pairs *p = of(state);
	p->place = arg[0];
	for (int i = 0; i < p->shared.n; i++) {
		struct shared_read *shared = &p->shared.at[i];
		shared->value = k_let(l->k, str_print("%s_term", shared->read->var->name),
		                      shared_value(shared, arg[0]));
	}
	return NULL;
}

void pairs_choose(struct lowering *l, struct pairs *p, int which)
{
	p->at = &p->result[which];
	p->r->acc = p->at->acc;
	for (int k = 0; k < p->r->node->index.n; k++)
		lower_bind(l, p->r->node->index.at[k], p->at->index[k]);
}

/* ---- argmin and argmax: a tile's terms have numbers of 32 bits ---- */

static void find_bests(struct pairs *p)
{
	for (int i = 0; i < p->shape.results; i++)
		for (int f = 0; f < p->r->folds.n; f++)
			if (op_is_arg(p->r->folds.at[f]->fold->op))
				p->best[p->bests++] = (struct pairs_best){ i, f, { 0 } };
}

/* NULL: it is another fold. */
static struct pairs_best *best_of(struct pairs *p, int result, int fold)
{
	for (int i = 0; i < p->bests; i++)
		if (p->best[i].result == result && p->best[i].fold == fold)
			return &p->best[i];
	return NULL;
}

static struct kx *best_field(const struct pairs *p, const struct pairs_best *best, int field)
{
	const struct accumulator *a = &p->result[best->result].acc.at[best->fold];
	return x_field(x_var(a->var), &a->type->record->field.at[field]);
}

KTEXT_HOLE(open_best)
{
	struct pairs *p = of(state);
	struct pairs_best *best = &p->best[l->k->each];
	best->run = lower_best_run(l, p->r->folds.at[best->fold]->fold->op, best_field(p, best, 0));
	return NULL;
}

KTEXT_HOLE(none_better)
{
	const struct pairs *p = of(state);
	const struct pairs_best *best = &p->best[l->k->each];
	return x_and(x_lt(best_field(p, best, 1), x_i64(0)), lower_run_empty(&best->run));
}

struct look { const struct pairs *p; const struct pairs_best *best; bool any; };

static void look_at_term(struct lowering *l, struct kx *term, void *state)
{
	const struct look *look = state;
	lower_run_term(l, &look->best->run, term, look->p->place, look->any);
}

static void take_best(struct lowering *l, struct pairs *p, const struct pairs_best *best, bool any)
{
	lower_term(l, p->r->folds.at[best->fold], look_at_term, &(struct look){ p, best, any });
}

KTEXT_HOLE(take_number)
{
	struct pairs *p = of(state);
	const struct pairs_best *best = &p->best[l->k->each];
	pairs_choose(l, p, best->result);
	take_best(l, p, best, true);
	return NULL;
}

KTEXT_HOLE(close_best)
{
	const struct pairs *p = of(state);
	const struct pairs_best *best = &p->best[l->k->each];
	struct kx *place = x_var(best->run.place);
	k_if(l->k, x_le(x_i32(0), place));
	k_set(l->k, best_field(p, best, 1), x_add(arg[0], x_to_i64(place)));
	k_end(l->k);
	return NULL;
}

KTEXT_HOLE(take_result)
{
	struct pairs *p = of(state);
	int result = l->k->each;
	pairs_choose(l, p, result);
	for (int f = 0; f < p->r->folds.n; f++) {
		const struct pairs_best *best = best_of(p, result, f);
		if (best)
			take_best(l, p, best, false);
		else
			fold_step(l, p->r->folds.at[f], &p->r->acc.at[f]);
	}
	return NULL;
}

static void bind_bests(struct pairs *p, struct lowering *l)
{
	int64_t number[RESULTS_MOST * FOLDS_MOST];
	find_bests(p);
	for (int i = 0; i < p->bests; i++)
		number[i] = i;
	k_numbers(l->k, "BESTS", p->bests > 0);
	bind_listed(l->k, "BEST", p->bests, number);
	k_bind_calls(l->k, p, { "open_best", open_best }, { "none_better", none_better },
	             { "take_number", take_number }, { "close_best", close_best });
}

KTEXT_HOLE(choose_result)
{
	pairs_choose(l, of(state), l->k->each);
	bind_accumulators(l, &of(state)->r->acc);
	return NULL;
}

static bool has_numbers(const struct type *type)
{
	if (type->kind != T_STRUCT || type->record->field.n > MOST_FIELDS)
		return false;
	for (int f = 0; f < type->record->field.n; f++)
		if (type->record->field.at[f].type->kind >= T_STRUCT)
			return false;
	return true;
}

static void make_shared(struct pairs *p, struct kernel *k)
{
	for (int i = 0; i < p->shared.n; i++) {
		struct shared_read *shared = &p->shared.at[i];
		const struct type *type = shared->read->type;
		const char *name = shared->read->var->name;
		bool apart = p->apart && has_numbers(type);
		if (!apart)
			shared->array = k_shared(k, type, str_print("%s_tile", name), k->block[0]);
		for (int f = 0; apart && f < type->record->field.n; f++) {
			const struct field *field = &type->record->field.at[f];
			list_add(&shared->field, k_shared(k, field->type,
			                                  str_print("%s_%s", name, field->name),
			                                  k->block[0]));
		}
	}
}

/* Host: enough results for a block, and enough terms to bring them to it. */
struct kx *reduce_many_pairs(struct reduction *r, struct plan *plan)
{
	const struct pairs *p = pairs_of(r, plan->target);
	struct lowering *host = host_lowering(plan);
	struct kx *cells = NULL;
	for (int d = 0; d < r->node->index.n; d++) {
		struct kx *size = reduce_size(host, r->node->lo.at[d], r->node->hi.at[d]);
		cells = cells ? x_mul(cells, size) : size;
	}
	return x_and(x_le(x_i64((int64_t)plan->target->block * p->shape.results), cells),
	             x_le(x_i64(LEAST_TERMS), reduce_terms(r, plan)));
}

/* Over sizes alone: how many chunks a cell has at most; NULL: they give no bound. */
static struct kx *most_chunks(const struct reduction *r, int64_t least)
{
	const struct fold *fold = r->domain;
	if (fold->index.n != 1 || !fold_by_sizes(fold))
		return NULL;
	struct kx *terms = reduce_size(host_lowering(r->l->plan), fold->lo.at[0], fold->hi.at[0]);
	return x_min(x_add(x_div(terms, x_i64(least)), x_i64(1)),
	             x_i64(r->l->target->total_blocks));
}

struct lowering *pairs_kernel(struct pairs *p, struct plan *plan, const char *suffix, int block)
{
	struct reduction *r = p->r;
	int64_t number[RESULTS_MOST];
	for (int i = 0; i < RESULTS_MOST; i++)
		number[i] = i;
	struct lowering *l = lowering_new(plan, str_print("%s_%s", r->node->name, suffix));
	lowering_writes(l, r->node);
	reduce_enter(r, l);
	l->now.read = read_pair;
	l->now.state = p;
	r->linear = false;                   /* indices are bound, not numbers of terms */
	l->k->block[0] = block;
	l->k->block[1] = l->k->block[2] = 1;
	l->k->min_blocks = 1;                /* as in cells_gpu.c, against spills */
	k_numbers(l->k, "BLOCK, RESULTS", block, p->shape.results);
	bind_listed(l->k, "RESULT", p->shape.results, number);
	make_shared(p, l->k);
	k_bind_calls(l->k, p, { "open_result", open_result }, { "bring_shared", bring_shared },
	             { "at_place", at_place }, { "choose_result", choose_result });
	return l;
}

void reduce_pairs_gpu(struct reduction *r, struct plan *plan)
{
	struct pairs *p = pairs_of(r, plan->target);
	struct lowering *l = pairs_kernel(p, plan, "pairs", plan->target->block);
	int64_t block = l->k->block[0];
	struct kx *terms = reduce_terms(r, plan);
	struct kept kept = reduce_kept_cells(r);
	kept.strip = block * p->shape.results;
	kept.slot_chunks = most_chunks(r, block * LOADS);
	reduce_argument(l, "terms", terms);
	k_bind_call(l->k, "take_result", take_result, p);
	bind_bests(p, l);
	reduce_strips(r, terms, &kept, block * LOADS, "reduce_pairs");
}
