/* pass_fuse_into.c - fuses a map into its only reader: t[i] = e, and t[i] in the reader becomes e.
 *
 * Needs, leaves: pass_fuse.c.
 *
 * It saves writing and reading the temporary.  The read may be part of what the reader computes, of
 * what says where an item goes, or which cell of another array is fetched.  Reads of the same cell
 * are computed once (pass_cse.c, and the compilers after it); a stencil reads several cells, so
 * only a map of a few operations is worth computing again, and only where the edge is of a kind
 * that commutes with a map of its own index (not a value, not keep).
 *
 * All equations of a statement go to one reader, or it stays.
 *
 * A cell that its statement leaves out, since an access of it falls outside an array, is zero for
 * the reader, and recorded (R22, R34): so the value is put there as E_OR_ZERO, and the reader goes
 * on.  That it is recorded whatever the data are needs a reader that comes to every cell, before it
 * may turn back; `drop` needs nothing.  Cells fetched from anywhere cost a sector each and the
 * temporary eight bytes in a row, so that they are fetched once or not at all.
 *
 * Legal: the producer writes all cells, and whatever the reader asks of the data it asks as
 * before.  Where they say which cell of the temporary is read, its size is the test; and they may
 * cut ranges and segments by it: then it stays. */
#include <string.h>
#include "ask.h"
#include "cutoff.h"
#include "pass.h"
#include "pass_fuse.h"
#include "ragged.h"
#include "running.h"
#include "sorting.h"
#include "wavefront.h"
#include "work.h"

enum {
	/* operations worth doing again at each neighbour, or in each part of the threads */
	CHEAP = 4,
	TWICE = 16                       /* worth doing twice */
};

/* ---- the map ---- */

/* A statement with one of its equations alone. */
static const struct node *equation_alone(const struct node *m, int q)
{
	struct node *one = NEW(struct node);
	*one = *m;
	memset(&one->equation, 0, sizeof one->equation);
	list_add(&one->equation, m->equation.at[q]);
	return one;
}

/* t[i, j] = e, whole (so its indices are the subscripts), unmasked, not read by its other
 * equations, nothing tested at run time */
const char *fuse_no_producer(const struct node *m, const struct equation *eq)
{
	const struct expr *t = eq->target.at[0], *cell = target_read((struct expr *)t);
	if (cell->var->kind != VAR_LET)
		return str_print("the caller receives `%s`", cell->var->name);
	if (t->kind != E_READ)
		return str_print("`%s` is written in part, or a scalar", cell->var->name);
	if (!m->whole || m->where)
		return str_print("some cells of `%s` keep their value", t->var->name);
	if (node_reads(m, t->var))
		return str_print("it reads `%s`, which it writes", t->var->name);
	return NULL;
}

/* ---- how often it is read ---- */

static bool count_op(struct expr *e, void *state)
{
	*(int *)state += e->kind == E_CALL ? 2 * CHEAP : e->kind != E_VAR && e->kind != E_CONST;
	return true;
}

int fuse_operations(struct expr *e)
{
	int operations = 0;
	expr_walk(e, count_op, &operations);
	return operations;
}

/* reads: of different cells; tested: which one is read, or which part of it, the data decide. */
struct use {
	const struct var *var; const struct node *node;
	int reads; bool offset, tested;      /* offset: some are not the cell at hand */
	bool window;                         /* the terms of a fold read cells around it */
	LIST(const struct expr *) seen;
};

bool fuse_same_cell(const struct expr *a, const struct expr *b)
{
	for (int k = 0; k < a->arg.n; k++)
		if (a->affine[k].n < 0 || b->affine[k].n < 0
		    || !affine_equal(&a->affine[k], &b->affine[k]))
			return false;
	return true;
}

static bool was_seen(struct use *u, const struct expr *read)
{
	for (int i = 0; i < u->seen.n; i++)
		if (fuse_same_cell(u->seen.at[i], read))
			return true;
	list_add(&u->seen, read);
	return false;
}

static bool is_window(const struct node *node, const struct expr *sub)
{
	struct shift s;
	return access_shift(node, sub, &s) && affine_folded(node, &s.rest);
}

static bool count_read(struct expr *e, void *state)
{
	struct use *u = state;
	u->tested |= e->checked && (e->var ? e->var == u->var : expr_uses(e->arg.at[0], u->var));
	if (e->kind != E_READ || e->var != u->var)
		return true;
	u->reads += !was_seen(u, e);
	for (int a = 0; a < e->arg.n; a++) {
		int k;
		int64_t offset;
		bool own = access_offset(u->node, e, a, &k, &offset) && offset == 0;
		u->offset |= !own && !expr_has(e, E_FOLD);
		u->window |= is_window(u->node, e->arg.at[a]);
	}
	return true;
}

bool fuse_reads_own(const struct node *m, const struct node *reader)
{
	struct use use = { .var = m->equation.at[0]->target.at[0]->var, .node = reader };
	node_walk((struct node *)reader, count_read, &use);
	return !use.offset && use.reads == 1;
}

/* ---- what is right, and what pays ---- */

static bool edges_allow(const struct node *reader)
{
	for (int d = 0; d < reader->index.n; d++)
		if (reader->edge[d].kind == B_VALUE || reader->edge[d].kind == B_KEEP)
			return false;
	return true;
}

static bool no_index(struct expr *e, void *state)
{
	const struct node *m = state;
	for (int d = 0; d < m->index.n; d++)
		if (e->kind == E_VAR && e->var == m->index.at[d])
			return false;
	return true;
}

/* Every read of the producer is its own cell of an array of the same shape. */
static bool own_cells(const struct node *m, const struct expr *e)
{
	const struct var *t = m->equation.at[0]->target.at[0]->var;
	if (e->kind == E_READ) {
		if (!access_own(m, e) || e->var->rank != t->rank)
			return false;
		for (int a = 0; a < t->rank; a++)
			if (!affine_equal(&e->var->extent[a], &t->extent[a]))
				return false;
		return true;
	}
	if (!no_index((struct expr *)e, (void *)m))
		return false;
	for (int a = 0; a < e->arg.n; a++)
		if (!own_cells(m, e->arg.at[a]))
			return false;
	return true;
}

static const char *no_edge(const struct node *m, const struct node *reader)
{
	if (!node_edged(reader))
		return NULL;
	if (!edges_allow(reader))
		return str_print("outside its array, `%s` reads a boundary value or keeps its "
		                 "cell, which differs from a cell computed there",
		                 reader->name);
	if (!own_cells(m, m->equation.at[0]->right))
		return str_print("the boundary of `%s` would also apply to other arrays",
		                 reader->name);
	return NULL;
}

static bool moves(const struct node *reader, const struct var *var)
{
	for (int q = 0; q < reader->equation.n; q++)
		if (expr_uses(reader->equation.at[q]->right, var))
			return true;
	return false;
}

/* What runs along an axis computes its terms twice: first their total, then the cells.  So does
 * what selects: it judges a cell, and moves it once its place is known. */
static int times_of(const struct node *reader, const struct use *use)
{
	bool judged = reader->selection && reader->where && expr_uses(reader->where, use->var);
	return reader->running || (judged && moves(reader, use->var)) ? 2 * use->reads : use->reads;
}

/* Each part of the threads that own the cells asks of every item where it goes, and that the
 * producer says. */
static bool asked_by_all(const struct node *reader, const struct var *var, const struct options *o)
{
	bool places = expr_uses(reader->where, var);
	for (int t = 0; node_target(reader, t); t++)
		places |= expr_uses(node_target(reader, t), var);
	return places && shape_of(reader, o).owned;
}

static bool not_anywhere(struct expr *e, void *unused)
{
	(void)unused;
	for (int a = 0; e->kind == E_READ && a < e->var->rank; a++)
		if (e->affine[a].n < 0)
			return false;
	return true;
}

static const char *no_gain(const struct node *m, const struct node *reader, const struct use *use,
                           const struct options *o)
{
	int operations = fuse_operations(m->equation.at[0]->right), times = times_of(reader, use);
	bool once = times == 1 && !node_edged(reader), by_all = asked_by_all(reader, use->var, o);
	if ((by_all || times > 1) && !expr_walk(m->equation.at[0]->right, not_anywhere, NULL))
		return str_print("`%s` needs each cell %s, and computing it again from memory "
		                 "costs more than storing it",
		                 reader->name,
		                 by_all ? "in each part of its threads"
		                        : str_print("%d times", times));
	if (node_checked(m) && (reader->pattern->fuse & FUSE_ONTO))
		return str_print("`%s` uses tiles, which is impossible if its reads are tested at "
		                 "run time",
		                 reader->name);
	bool selects = reader->selection || reader->sorting;
	int most = by_all ? CHEAP : once ? FUSE_LARGE : selects ? TWICE : CHEAP;
	if (operations <= (use->window ? 0 : most))
		return NULL;
	if (use->window)
		return str_print("the windows of `%s` read each cell many times, and %d operations "
		                 "are too many to repeat",
		                 reader->name, operations);
	if (by_all)
		return str_print("all threads of `%s` need the position of each item, and %d "
		                 "operations are too many to repeat (at most %d)",
		                 reader->name, operations, most);
	if (once)
		return str_print("with its %d operations `%s` would grow too large", operations,
		                 reader->name);
	return str_print("`%s` reads each cell %d times, and %d operations are too many to repeat "
	                 "(at most %d)",
	                 reader->name, times, operations, most);
}

/* Nothing between the two changes what the producer read. */
static const char *no_rest(const struct body *b, int from, int to)
{
	const struct node *m = b->at[from];
	for (int i = from + 1; i < to; i++) {
		const struct node *s = b->at[i];
		if (s->kind != NODE_PATTERN)
			return "there is a loop or a swap between it and its reader";
		for (int q = 0; q < s->equation.n; q++)
			for (int t = 0; t < s->equation.at[q]->target.n; t++) {
				const struct var *var = target_read(s->equation.at[q]->target.at[t])
				                                ->var;
				if (node_reads(m, var))
					return str_print(
						"`%s` writes `%s`, which it reads, before `%s` is "
					        "needed",
						s->name, var->name,
						m->equation.at[0]->target.at[0]->var->name);
			}
	}
	return NULL;
}

/* The reader changes what the producer read, or the temporary itself: a later equation of it needs
 * that. */
bool fuse_writes_inputs(const struct node *reader, const struct node *m)
{
	if (node_writes(reader, m->equation.at[0]->target.at[0]->var))
		return true;
	for (int q = 0; q < reader->equation.n; q++)
		for (int t = 0; t < reader->equation.at[q]->target.n; t++)
			if (node_reads(m, target_read(reader->equation.at[q]->target.at[t])->var))
				return true;
	return false;
}

static bool no_range_of(struct expr *e, void *var)
{
	if (e->kind == E_FOLD && e->fold->sorted && searched_cell(e)->var == var)
		return false;
	for (int d = 0; e->fold && d < e->fold->index.n; d++)
		if (fold_bounds_use(e->fold, d, var))
			return false;
	return true;
}

static bool not_handed(struct expr *e, void *var)
{
	return !expr_handed(e) || e->arg.at[0]->var != var;
}

/* Ranges come from it: they stay cells of one array, which lowerings rely on (ragged.h). */
static bool bounds_ranges(const struct node *reader, const struct var *var)
{
	for (int k = 0; k < reader->index.n; k++)
		if (bounds_use(reader, k, var))
			return true;
	for (int k = 0; reader->wave && k < reader->wave->within.n; k++)
		if (expr_uses(reader->wave->within.at[k].offset, var))
			return true;
	return !node_walk((struct node *)reader, no_range_of, (void *)var);
}

static bool no_cut(struct expr *e, void *unused)
{
	(void)unused;
	for (int d = 0; e->fold && d < e->fold->index.n; d++)
		if (fold_cut(e->fold, d))
			return false;
	return true;
}

/* The read is of all cells of its array, each once, and of nothing else that the indices say. */
struct asking {
	const struct node *reader;
	const struct var *var;
	const struct fold *fold[MAX_RANK];
	int folds;
};

static bool spans(const struct asking *a, const struct var *index, const struct affine *extent)
{
	for (int k = 0; k < a->reader->index.n; k++)
		if (a->reader->index.at[k] == index)
			return affine_spans(a->reader->lo.at[k], a->reader->hi.at[k], extent);
	for (int f = 0; f < a->folds; f++)
		for (int d = 0; d < a->fold[f]->index.n; d++)
			if (a->fold[f]->index.at[d] == index)
				return affine_spans(a->fold[f]->lo.at[d], a->fold[f]->hi.at[d],
				                    extent);
	return false;
}

static bool covers(const struct asking *a, const struct expr *read)
{
	int indices = a->reader->index.n;
	for (int f = 0; f < a->folds; f++)
		indices += a->fold[f]->index.n;
	for (int s = 0; s < a->var->rank; s++) {
		const struct expr *sub = read->arg.at[s];
		bool again = false;
		for (int t = 0; t < s; t++)
			again |= read->arg.at[t]->var == sub->var;
		if (sub->kind != E_VAR || again || !spans(a, sub->var, &a->var->extent[s]))
			return false;
	}
	return indices == a->var->rank;
}

/* Every evaluation of e comes to such a read. */
static bool asks(struct asking *a, const struct expr *e)
{
	if (!e || (e->kind == E_READ && e->var == a->var))
		return e && covers(a, e);
	if (e->kind == E_FOLD) {
		if (a->folds == MAX_RANK)
			return false;
		a->fold[a->folds++] = e->fold;
		bool found = asks(a, e->fold->where ? e->fold->where : e->arg.at[0]);
		a->folds--;
		return found;
	}
	bool lazy = expr_lazy(e);
	for (int k = 0; k < (lazy ? 1 : e->arg.n); k++)
		if (asks(a, e->arg.at[k]))
			return true;
	return false;
}

static bool target_asks(struct asking *a, const struct expr *target)
{
	bool under = target->kind == E_FIELD || target->kind == E_ELEM;
	for (int k = 0; k < target->arg.n; k++)
		if ((under && !k ? target_asks : asks)(a, target->arg.at[k]))
			return true;
	return false;
}

/* A mask comes first, then where a value goes, then the value; what `drop` leaves out early records
 * nothing. */
static bool asks_all(const struct node *reader, const struct var *var)
{
	struct asking a = { .reader = reader, .var = var };
	bool early = node_clause(reader, "drop") && node_checked(reader);
	if (reader->where)
		return asks(&a, reader->where);
	for (int q = 0; q < reader->equation.n; q++) {
		const struct equation *eq = reader->equation.at[q];
		if (target_asks(&a, eq->target.at[0]) || (!early && asks(&a, eq->right)))
			return true;
	}
	return false;
}

static bool not_recorded(struct expr *e, void *unused)
{
	(void)unused;
	return e->kind != E_OR_ZERO || e->drops;
}

/* What it leaves out, or a statement that is in it already, is recorded. */
static bool records(const struct node *m)
{
	return node_checked(m)
	       && !(node_clause(m, "drop") && node_walk((struct node *)m, not_recorded, NULL));
}

static const char *no_tests(const struct node *m, const struct node *reader, const struct use *use)
{
	bool tested = node_checked(m);
	if (use->tested)
		return str_print("which cells of `%s` are read by `%s` is known only at run time",
		                 use->var->name, reader->name);
	if (records(m) && !asks_all(reader, use->var))
		return str_print("out-of-bounds reads must be recorded, but `%s` does not visit "
		                 "each cell of `%s` exactly once",
		                 reader->name, use->var->name);
	if (tested && (reader->wave || reader->running || node_edged(reader)))
		return str_print("its accesses are tested at run time, which a %s cannot do for "
		                 "its operands",
		                 reader->pattern->name);
	if (!node_checked(reader))
		return NULL;
	if (reader->wave || reader->running || !node_walk((struct node *)reader, no_cut, NULL))
		return str_print("`%s` has accesses that are tested at run time", reader->name);
	return NULL;
}

/* The position of the only other statement that uses its target, after i; -1, with the reason: no
 * such statement in this body. */
static int reader_of(const struct body *b, int i, const struct users *users, const char **why)
{
	if (users->at.n != 2) {
		*why = users->at.n < 2 ? "nothing reads it"
		                       : str_print("%d statements use its target", users->at.n - 1);
		return -1;
	}
	const struct node *reader = users->at.at[users->at.at[0] == b->at[i]];
	*why = reader->kind == NODE_PATTERN
	               ? str_print("`%s` is before it or in another block", reader->name)
	               : "a loop or a swap uses its target";
	for (int r = i + 1; r < *b->n; r++)
		if (b->at[r] == reader)
			return reader->kind == NODE_PATTERN ? r : -1;
	return -1;
}

/* Of m, one equation of the statement at i. */
static const char *no_put(struct map *users, const struct body *b, int i, const struct node *m,
                          int *r, const char **pays)
{
	const char *why = fuse_no_producer(b->at[i], m->equation.at[0]);
	if (why)
		return why;
	struct use use = { .var = m->equation.at[0]->target.at[0]->var };
	*r = reader_of(b, i, map_get(users, use.var), &why);
	if (*r < 0)
		return why;
	struct node *reader = b->at[*r];
	if (!node_reads(reader, use.var))
		return str_print("`%s` writes its target and does not read it", reader->name);
	if (reader->mirror[0])
		return str_print("`%s` is computed in place", reader->name);
	if (reader->running && reader->running->cut == use.var)
		return str_print("`%s` uses it to find where sequences begin", reader->name);
	if (!node_walk(reader, not_handed, (void *)use.var))
		return str_print("`%s` passes `%s` to a function", reader->name, use.var->name);
	if (bounds_ranges(reader, use.var))
		return str_print("ranges of `%s` come from `%s`", reader->name, use.var->name);
	use.node = reader;
	node_walk(reader, count_read, &use);
	bool computes = reader->pattern->fuse & FUSE_READS
	                && !(reader->sorting && node_writes(reader, use.var));
	if (reader->cutoff && reader->cutoff->binned)
		computes = false;        /* its terms are looked at again and again */
	const char *no_reads = computes ? shape_of(reader, b->options).no_reads : NULL;
	why = no_reads   ? no_reads
	      : computes ? no_tests(m, reader, &use)
	                 : str_print("a %s cannot compute what it reads", reader->pattern->name);
	if (why)
		return why;
	if (node_clause(reader, "strict") && !node_clause(m, "strict"))
		return str_print("`%s` is strict, so it reads rounded values", reader->name);
	if (fuse_writes_inputs(reader, m))
		return str_print("`%s` writes what this statement reads", reader->name);
	*pays = no_gain(m, reader, &use, b->options);
	why = no_rest(b, i, *r);
	return why ? why : no_edge(m, reader);
}

const char *fuse_no_put(struct map *users, const struct body *b, int i, int *r, const char **pays)
{
	const struct node *m = b->at[i];
	const char *why = NULL, *dear = NULL;
	for (int q = 0; q < m->equation.n && !why; q++) {
		int at = -1;
		why = no_put(users, b, i, equation_alone(m, q), &at, &dear);
		if (!why && q && at != *r)
			why = str_print("`%s` and `%s` read what it computes", b->at[*r]->name,
			                b->at[at]->name);
		*r = at;
		*pays = *pays ? *pays : dear;
	}
	return why;
}

/* ---- how it is done ---- */

/* Of a struct that is made there only the field is. */
static struct expr *field_of(struct expr *e)
{
	const struct expr *made = e->kind == E_FIELD ? e->arg.at[0] : NULL;
	if (!made || made->kind != E_STRUCT || e->type->kind == T_ARRAY)
		return e;
	return made->arg.at[e->field - made->type->record->field.at];
}

/* A read of t, and what stands there: reads of the same cell share it, so that a fold in it is one
 * fold. */
struct put { const struct node *m; LIST(const struct expr *) read; LIST(struct expr *) value; };

static struct expr *or_zero(struct expr *x, bool drops)
{
	struct expr *e = expr_new(E_OR_ZERO, x->type, x->at);
	list_add(&e->arg, x);
	e->drops = drops;
	return e;
}

/* What keeps the cell inside keeps what the cell reads. */
static bool guard_too(struct expr *e, void *unused)
{
	(void)unused;
	e->guarded |= e->kind == E_READ || e->kind == E_ELEM;
	return true;
}

static struct expr *value_at(struct put *p, const struct expr *read)
{
	const struct node *m = p->m;
	const struct expr *t = m->equation.at[0]->target.at[0];
	for (int i = 0; i < p->read.n; i++)
		if (fuse_same_cell(p->read.at[i], read))
			return p->value.at[i];
	struct expr *x = expr_substitute(m->equation.at[0]->right, m->index.at, read->arg.at,
	                                 m->index.n);
	if (read->guarded)
		expr_walk(x, guard_too, NULL);
	if (x->type != t->type) {
		struct expr *cast = expr_new(E_CAST, t->type, read->at);
		list_add(&cast->arg, x);
		x = cast;
	}
	if (expr_skips(x))
		x = or_zero(x, node_clause(m, "drop"));
	list_add(&p->read, read);
	list_add(&p->value, x);
	return x;
}

static struct expr *substituted(struct expr *e, struct put *p)
{
	if (!e)
		return NULL;
	for (int a = 0; a < e->arg.n; a++)
		e->arg.at[a] = substituted(e->arg.at[a], p);
	if (e->fold) {
		e->fold->where = substituted(e->fold->where, p);
		e->fold->asked = substituted(e->fold->asked, p);
	}
	bool read = e->kind == E_READ && e->var == p->m->equation.at[0]->target.at[0]->var;
	return read ? value_at(p, e) : field_of(e);
}

static void substitute_recurrence(struct recurrence *r, struct put *p)
{
	for (int k = 0; k < MAX_ORDER; k++)
		r->weight[k] = substituted(r->weight[k], p);
	r->rest = substituted(r->rest, p);
}

static void substitute_form(struct wave_form *f, struct put *p)
{
	for (int k = 0; f && k < f->term.n; k++)
		f->term.at[k].weight = substituted(f->term.at[k].weight, p);
	if (f)
		f->rest = substituted(f->rest, p);
}

static void substitute_wave(struct wavefront *w, struct put *p)
{
	for (int q = 0; q < w->algebra.n; q++) {
		substitute_form(w->algebra.at[q].row, p);
		substitute_form(w->algebra.at[q].all, p);
	}
	for (int k = 0; k < w->read.n; k++)
		w->read.at[k]->outside = substituted(w->read.at[k]->outside, p);
}

/* Of a target the subscripts are read. */
static void substitute_equation(struct equation *eq, struct put *p)
{
	eq->right = substituted(eq->right, p);
	for (int t = 0; t < eq->target.n; t++)
		eq->target.at[t] = substituted(eq->target.at[t], p);
	if (eq->recurrence)
		substitute_recurrence(eq->recurrence, p);
}

static void put(struct node *reader, const struct node *m)
{
	struct put put = { .m = m }, *p = &put;
	reader->where = substituted(reader->where, p);
	for (int q = 0; q < reader->equation.n; q++)
		substitute_equation(reader->equation.at[q], p);
	if (reader->wave)
		substitute_wave(reader->wave, p);
	if (reader->sorting) {
		reader->sorting->key = substituted(reader->sorting->key, p);
		reader->sorting->first = substituted(reader->sorting->first, p);
	}
	for (int k = 0; reader->running && k < MAX_ORDER; k++)
		reader->running->from[k] = substituted(reader->running->from[k], p);
}

void fuse_put(struct node *reader, const struct node *m)
{
	for (int q = 0; q < m->equation.n; q++)
		put(reader, equation_alone(m, q));
}
