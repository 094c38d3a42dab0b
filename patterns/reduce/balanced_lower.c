/* balanced_lower.c - folds over row[r] .. row[r+1], rows of any length: sums of segments, sparse matrix x vector.
 *
 * Merge path (Merrill and Garland, "Merge-Based Parallel Sparse Matrix-Vector Multiplication", SC 2016): the
 * items of the statement are its terms and, behind the last term of each row, that row's end.  A part takes
 * so many items, whatever rows they belong to, so no row, long or empty, makes a part longer than the others.
 *
 *   part t   begins at item t * tile: behind `row` ends of rows and before `term`, found by bisection along
 *            the offsets: row + (term - row[0]) = t * tile
 *   inside   rows that begin and end in the part are finished there.  The last row goes on behind the part:
 *            what the part has of it is tail[t].  The first began before it: when it ends here, head[t].
 *   fold     a row over several parts is the tails of all but the last, then the head of that, in order
 *
 * Where a part begins depends on the offsets alone, so results repeat bit for bit.
 *
 * Note [offsets that fall]
 * The items are in that order only if offsets rise.  Where a bisection is led astray it stays in the array,
 * and two boundaries then contradict each other, or some row of a part is seen to fall; either raises a
 * flag, and the fold, in stream order behind the parts, computes all rows anew, one by one.  That would be
 * too late if the equations read what the parts have overwritten, so then offsets are looked through before.
 *
 * Taken for one index of cells, all folds over one range of neighbouring cells of one array of offsets, and an
 * array in which all terms lie, so that the host knows how many parts there can be.  Other ranges that data
 * decide (lo[r] .. hi[r], 0 .. len[r]), masked cells, and `strict` are computed row by row (cells.c). */
#include "balanced.h"
#include "pass.h"

/* ---- which statements ---- */

static const struct expr *under_casts(const struct expr *e)
{
	while (e->kind == E_CAST)
		e = e->arg.at[0];
	return e;
}

/* offsets[r + at] */
static bool is_offset(const struct node *node, const struct expr *e, const struct var **offsets, int64_t *at)
{
	int k;
	e = under_casts(e);
	if (e->kind != E_READ || e->checked || e->var->rank != 1)
		return false;
	*offsets = e->var;
	return access_offset(node, e, 0, &k, at);
}

static bool same_end(const struct expr *a, const struct expr *b)
{
	struct affine f, g;
	return affine_of(a, &f) && affine_of(b, &g) && affine_equal(&f, &g);
}

struct offsets { const struct var *var; int64_t at; };

static bool offsets_of(const struct node *node, const struct fold *fold, struct offsets *found)
{
	const struct cut *cut = fold->index.n == 1 ? fold_cut(fold, 0) : NULL;
	const struct var *other;
	int64_t next;
	return cut && cut->end && is_offset(node, fold->lo.at[0], &found->var, &found->at)
	    && is_offset(node, fold->hi.at[0], &other, &next) && other == found->var && next == found->at + 1;
}

static bool reads_targets(const struct node *node, const struct expr *e)
{
	for (int t = 0; node_target(node, t); t++)
		if (expr_uses(e, target_read(node_target(node, t))->var))
			return true;
	return false;
}

/* Folds as they are in the kernels: nothing in a term has been written by the statement itself.  NULL: it fits. */
static const char *no_fold(struct balanced *b, const struct expr *e, struct offsets *first)
{
	struct offsets here;
	if (e->fold->late)
		return "whether it is folded depends on other folds";
	if (fold_in_order(e))
		return "strict: a row's terms are folded one after another";
	if (!offsets_of(b->node, e->fold, &here))
		return "its ranges are not those between neighbouring offsets of one array, over cells of another";
	if (reads_targets(b->node, e))
		return "a term reads what the statement itself has written";
	if (!b->domain) {
		b->domain = e->fold;
		b->offsets = here.var;
		*first = here;
	}
	b->ordered |= !e->fold->op->commutative;
	b->checks = !e->fold->cut->trusted;
	const struct expr *asked = e->fold->asked, *before = b->domain->asked;
	if (asked != before && !(asked && before && expr_same(asked, before)))
		return "its folds have different conditions around them";
	bool same = here.var == first->var && here.at == first->at && same_end(e->fold->cut->end, b->domain->cut->end);
	return same ? NULL : "its folds have different ranges";
}

static bool host_bound(struct expr *e, void *unused)
{
	(void)unused;
	return e->kind != E_READ && !(e->kind == E_VAR && var_on_device(e->var));
}

static const char *no_cells(const struct node *node)
{
	if (node->index.n != 1)
		return "its cells have not one index, that of the rows";
	if (node->where)
		return "its cells are masked";
	if (!expr_walk(node->lo.at[0], host_bound, NULL) || !expr_walk(node->hi.at[0], host_bound, NULL))
		return "the host does not know how many rows there are";
	for (int t = 0; node_target(node, t); t++)
		if (expr_checked(node_target(node, t)))
			return "where its cells are is tested one by one";
	return NULL;
}

const char *balanced_not(struct balanced *b, const struct target *target)
{
	struct offsets first = { 0 };
	const char *why = no_cells(b->node);
	for (int q = 0; q < b->node->equation.n; q++) {
		folds_of(b->node->equation.at[q]->right, &b->folds);
		b->after |= reads_targets(b->node, b->node->equation.at[q]->right);
	}
	for (int f = 0; f < b->folds.n && !why; f++)
		why = no_fold(b, b->folds.at[f], &first);
	b->tile = target->gpu ? TILE : CPU_TILE;
	if (!why && (b->folds.overflow || !folds_fit(&b->folds)))
		why = "its folds do not fit the registers of a thread";
	return why;
}

bool balanced_fits(struct balanced *b, const struct target *target)
{
	return b->node->choice.regular >= 0 && !balanced_not(b, target);
}

static bool no_range(struct expr *e, void *unused)
{
	(void)unused;
	return e->kind != E_FOLD || !e->fold->cut;
}

void balanced_shape(const struct node *node, const struct target *target, struct shape *s)
{
	struct balanced b = { .node = node };
	if (node_walk((struct node *)node, no_range, NULL))
		return;
	s->irregular = balanced_not(&b, target);
	if (!s->irregular)
		s->regular = str_print("parts of %d terms and ends of rows, however long the rows are", (int)b.tile);
}

/* ---- kernels ---- */

void balanced_open(struct balanced *b, struct plan *plan, const char *suffix)
{
	b->l = lowering_new(plan, str_print("%s%s", b->node->name, suffix));
	lowering_writes(b->l, b->node);
	b->first = x_is_int(b->host_first, 0) ? b->host_first : lower_argument(b->l, "first_row", kt_scalar(T_I64), b->host_first);
	b->rows = lower_argument(b->l, "rows", kt_scalar(T_I64), b->host_rows);
}

static struct kx *slot_argument(struct balanced *b, const char *name, struct kx *slot, const struct type *type, bool fills)
{
	return lower_argument(b->l, name, kt_pointer(type, !fills), slot);
}

void balanced_slots(struct balanced *b, bool fills)
{
	for (int f = 0; f < b->folds.n; f++) {
		const struct type *type = accumulator_type(b->folds.at[f]);
		b->own_head[f] = slot_argument(b, "head", b->head[f], type, fills);
		b->own_tail[f] = slot_argument(b, "tail", b->tail[f], type, fills);
	}
}

void balanced_bind(struct balanced *b, struct kx *row)
{
	const struct var *index = b->node->index.at[0];
	lower_bind(b->l, index, x_var(k_let(b->l->k, index->name, x_add(b->first, row))));
}

void balanced_bind_term(struct balanced *b, struct kx *e)
{
	for (int f = 0; f < b->folds.n; f++)
		lower_bind(b->l, b->folds.at[f]->fold->index.at[0], e);
	b->l->term = e;
}

/* An end of the range of row number `row`, as an expression alone. */
static struct kx *end_of(struct balanced *b, struct kx *row, bool high)
{
	lower_bind(b->l, b->node->index.at[0], x_add(b->first, row));
	return lower_end(b->l, b->domain, 0, high);
}

struct kx *balanced_total(struct balanced *b, struct kx **base)
{
	*base = x_var(k_let(b->l->k, "base", end_of(b, x_i64(0), false)));
	struct kx *end = end_of(b, x_sub(b->rows, x_i64(1)), true);
	struct kx *terms = x_var(k_let(b->l->k, "terms", x_max(x_sub(end, *base), x_i64(0))));
	return x_var(k_let(b->l->k, "total", x_add(b->rows, terms)));
}

/* Row m ends among the first d items. */
static struct kx *ends_before(struct balanced *b, struct kx *m, struct kx *d, struct kx *base)
{
	return x_lt(x_add(x_sub(end_of(b, m, true), base), m), d);
}

/* How many rows end among the first d items. From where rows of equal length would put it, by growing steps, then by halves: of 2^24 rows that are nearly
 * equal few are looked at. */
static struct kx *search(struct balanced *b, struct kx *d, struct kx *total, struct kx *base)
{
	struct kernel *k = b->l->k;
	struct ktype f64 = kt_scalar(T_F64);
	struct kx *terms = x_sub(total, b->rows);
	struct kx *lo = x_var(k_var(k, kt_scalar(T_I64), "lo", x_max(x_sub(d, terms), x_i64(0))));
	struct kx *hi = x_var(k_var(k, kt_scalar(T_I64), "hi", x_min(d, b->rows)));
	struct kx *step = x_var(k_var(k, kt_scalar(T_I64), "step", x_i64(16)));
	struct kx *even = x_cast(kt_scalar(T_I64), x_div(x_mul(x_cast(f64, d), x_cast(f64, b->rows)), x_cast(f64, total)));
	struct kx *guess = x_var(k_let(k, "guess", x_max(lo, x_min(hi, even))));
	k_if(k, x_and(x_lt(guess, hi), ends_before(b, guess, d, base)));
	k_set(k, lo, x_add(guess, x_i64(1)));
	k_while(k, x_and(x_lt(x_add(lo, step), hi), ends_before(b, x_add(lo, step), d, base)));
	k_set(k, lo, x_add(x_add(lo, step), x_i64(1)));
	k_set(k, step, x_mul(step, x_i64(4)));
	k_end(k);
	k_set(k, hi, x_min(hi, x_add(lo, step)));
	k_else(k);
	k_set(k, hi, guess);
	k_while(k, x_and(x_lt(lo, x_sub(hi, step)), x_unary(OP_NOT, ends_before(b, x_sub(hi, step), d, base))));
	k_set(k, hi, x_sub(hi, step));
	k_set(k, step, x_mul(step, x_i64(4)));
	k_end(k);
	k_set(k, lo, x_max(lo, x_sub(hi, step)));
	k_end(k);
	k_while(k, x_lt(lo, hi));
	struct kx *middle = x_var(k_let(k, "middle", x_add(lo, x_div(x_sub(hi, lo), x_i64(2)))));
	k_if(k, ends_before(b, middle, d, base));
	k_set(k, lo, x_add(middle, x_i64(1)));
	k_else(k);
	k_set(k, hi, middle);
	k_end(k);
	k_end(k);
	return lo;
}

struct kx *balanced_boundary(struct balanced *b, struct kx *path, struct kx *t, struct kx *total, struct kx *base)
{
	struct kernel *k = b->l->k;
	struct kx *d = x_var(k_let(k, "item", x_min(x_mul(t, x_i64(b->tile)), total)));
	struct kx *row = search(b, d, total, base), *at = x_mul(t, x_i64(2));
	k_if(k, x_eq(d, total));
	k_set(k, row, b->rows);
	k_end(k);
	k_set(k, x_at(path, at), row);
	k_set(k, x_at(path, x_add(at, x_i64(1))), x_add(base, x_sub(d, row)));
	return row;
}

void balanced_boundaries(struct balanced *b, struct kx *part, struct kx **at)
{
	static const char *const name[] = { "first_nth", "first_term", "next_nth", "next_term" };
	for (int i = 0; i < 4; i++)
		at[i] = x_var(k_let(b->l->k, name[i], x_at(b->own_path, x_add(x_mul(part, x_i64(2)), x_i64(i)))));
}

/* ---- in a part ---- */

void balanced_fell(struct balanced *b, struct kx *falls)
{
	k_if(b->l->k, falls);
	k_do(b->l->k, x_help(kt_scalar(T_I32), "patc_record", 2, (struct kx *[]){ b->own_falls, x_i32(1) }));
	k_end(b->l->k);
}

static void store_carry(struct balanced *b, struct kx *const *where, struct kx *part)
{
	for (int f = 0; f < b->folds.n; f++)
		k_set(b->l->k, x_at(where[f], part), x_var(b->acc.at[f].var));
}

void balanced_finish_part(struct balanced *b, struct kx *part, struct kx *goes_on, struct kx *began)
{
	struct kernel *k = b->l->k;
	k_if(k, goes_on);
	store_carry(b, b->own_tail, part);
	k_else(k);
	k_if(k, began);
	balanced_finish(b);
	k_else(k);
	store_carry(b, b->own_head, part);
	k_end(k);
	k_end(k);
}

void balanced_clear(struct balanced *b)
{
	for (int a = 0; a < b->acc.n; a++)
		k_set(b->l->k, x_var(b->acc.at[a].var), accumulator_start(b->l, &b->acc.at[a]));
}

/* A term's number is its index, so the place of an argmax is what its accumulator holds. */
void balanced_finish(struct balanced *b)
{
	struct lowering *l = b->l;
	for (int f = 0; f < b->folds.n; f++) {
		const struct accumulator *a = &b->acc.at[f];
		struct kx *value = op_is_arg(a->op) ? x_var(a->var) : accumulator_value(l, a, b->folds.at[f]->fold);
		list_add(&l->folded, ((struct folded){ b->folds.at[f], value }));
	}
	lower_equations(l, b->node);
	l->folded.n = 0;
}

void balanced_rows(struct balanced *b, struct kx *from, struct kx *step)
{
	struct kernel *k = b->l->k;
	k_note(k, "offsets fall: every row anew, from its own two");
	balanced_bind(b, x_var(k_for(k, "nth", from, b->rows, step, b->l->target->gpu ? 0 : FOR_PARALLEL)));
	lower_equations(b->l, b->node);
	k_end(k);
}

struct span balanced_span(struct balanced *b, struct kx *t)
{
	struct kernel *k = b->l->k;
	struct kx *twice = x_mul(t, x_i64(2));
	struct kx *at[4];                        /* row and term of the boundary before, and of this one */
	for (int i = 0; i < 4; i++)
		at[i] = x_at(b->own_path, x_add(twice, x_i64(i - 2)));
	struct kx *row = x_var(k_let(k, "nth", at[2]));
	struct kx *known = x_lt(row, b->rows);
	struct kx *safe = x_cond(known, row, x_i64(0));
	struct kx *lo = x_var(k_let(k, "lo", end_of(b, safe, false)));
	struct kx *hi = end_of(b, safe, true);
	struct kx *here = x_unary(OP_NOT, x_and(x_eq(at[0], row), x_lt(lo, at[1])));
	struct kx *item = x_add(x_sub(hi, x_at(b->own_path, x_i64(1))), row);
	return (struct span){ .row = row, .spans = x_and(x_and(known, x_lt(lo, at[3])), here),
	                      .last = x_var(k_let(k, "last", x_div(item, x_i64(b->tile)))) };
}

static void join(struct balanced *b, struct kx *p, struct kx *last)
{
	struct kernel *k = b->l->k;
	for (int a = 0; a < b->acc.n; a++) {
		const struct accumulator *acc = &b->acc.at[a];
		struct kvar *part = k_var(k, kt(acc->type), "part", NULL);
		k_if(k, x_eq(p, last));
		k_set(k, x_var(part), x_at(b->own_head[a], p));
		k_else(k);
		k_set(k, x_var(part), x_at(b->own_tail[a], p));
		k_end(k);
		accumulate(b->l, acc, x_var(part));
	}
}

void balanced_join(struct balanced *b, struct kx *lo, struct kx *end, struct kx *last)
{
	join(b, x_var(k_for(b->l->k, "part", lo, end, x_i64(1), 0)), last);
	k_end(b->l->k);
}

void balanced_fold_span(struct balanced *b, struct kx *t, const struct span *s)
{
	balanced_join(b, x_sub(t, x_i64(1)), x_add(s->last, x_i64(1)), s->last);
	balanced_bind(b, s->row);
	balanced_finish(b);
}

/* ---- the host's side ---- */

static void host_numbers(struct balanced *b, struct plan *plan)
{
	/* rows are fewer than offsets: slots are cut by sizes alone */
	struct lowering *host = host_lowering(plan);
	struct kx *terms = lower_index(host, b->domain->cut->end), *parts;
	b->host_first = lower_index(host, b->node->lo.at[0]);
	parts = x_div_up(x_add(lower_extent(host, b->offsets, 0), terms), x_i64(b->tile));
	struct kx *two[] = { x_i64(2), x_add(parts, x_i64(1)) };
	b->path = x_var(plan_slot(plan, "path", type_scalar(T_I64), 2, two));
	for (int f = 0; f < b->folds.n; f++) {
		const struct type *type = accumulator_type(b->folds.at[f]);
		b->head[f] = x_var(plan_slot(plan, "head", type, 1, &parts));
		b->tail[f] = x_var(plan_slot(plan, "tail", type, 1, &parts));
	}
	if (b->checks)
		b->falls = x_var(plan_slot(plan, "falls", type_scalar(T_I32), 0, NULL));
	if (!x_is_int(b->host_first, 0))
		b->host_first = plan_let(plan, "first_row", b->host_first);
	b->host_rows = plan_let(plan, "rows", reduce_size(host_lowering(plan), b->node->lo.at[0], b->node->hi.at[0]));
	parts = x_cond(x_lt(x_i64(0), b->host_rows), x_div_up(x_add(b->host_rows, terms), x_i64(b->tile)), x_i64(0));
	b->host_parts = plan_let(plan, "parts", parts);
}

void balanced_lower(struct balanced *b, struct plan *plan)
{
	host_numbers(b, plan);
	(plan->target->gpu ? balanced_gpu : balanced_cpu)(b, plan);
}
