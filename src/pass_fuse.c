/* pass_fuse.c - which statements become one kernel.
 *
 * Needs: checked nodes, pins.  Leaves: nodes removed because they were substituted into their only reader, and
 * groups: an anchor with the reductions that are folded where its cells are born.
 *
 * A map into a temporary that one later map, reduce or stencil reads, and nothing else, is put in the
 * reader's place of the read: it saves writing and reading the temporary.  A stencil reads a cell several
 * times, so only a map of a few operations is worth computing again, and only where the edge is of a kind
 * that commutes with a map of its own index (not a value, not keep).
 *
 * What folds each cell from many (a product) is the other way round: a map that alone reads the temporary, each cell
 * once, at its own index, is computed there where the cell is born.
 *
 * A reduce over all cells that follows a stencil or a wavefront and reads its targets at the same cell is folded in
 * that kernel, as are those that follow it: it saves reading the targets once more.  pass_fuse_behind.c.
 *
 * Statements that run over the same rows share a kernel: pass_fuse_rows.c.
 *
 * Between the two statements nothing may write what the first reads or writes.
 *
 * A test that says no says why, for the remark, or for the error where the user has pinned `fuse`; that pin
 * overrules what pays, never what is right. */
#include <string.h>
#include "lower.h"
#include "pass.h"
#include "pass_fuse.h"
#include "remark.h"
#include "running.h"
#include "wavefront.h"
#include "work.h"

enum {
	CHEAP = 4,                       /* operations worth doing again at each neighbour */
	LARGE = 200                      /* operations of a statement that grows no further */
};

/* ---- who uses a variable: statements, and repeats for their limit and condition ---- */

struct noting { struct map *users; struct node *by; bool leaves; };

static void note_user(struct noting *n, const struct var *var)
{
	void **place = map_at(n->users, var);
	struct users *users = *place ? *place : (*place = NEW(struct users));
	int i = 0;
	if (!n->leaves && (users->at.n == 0 || users->at.at[users->at.n - 1] != n->by))
		list_add(&users->at, n->by);
	while (n->leaves && i < users->at.n && users->at.at[i] != n->by)
		i++;
	if (n->leaves && i < users->at.n) {
		memmove(&users->at.at[i], &users->at.at[i + 1], sizeof *users->at.at * (size_t)(users->at.n - i - 1));
		users->at.n--;
	}
}

static bool note_expr(struct expr *e, void *noting)
{
	if (e->kind == E_VAR || e->kind == E_READ)
		note_user(noting, e->var);
	return true;
}

static void note_node(struct map *users, struct node *s, bool leaves)
{
	struct noting n = { users, s, leaves };
	if (s->kind == NODE_PATTERN)
		node_walk(s, note_expr, &n);
	for (int k = 0; s->kind == NODE_SWAP && k < 2; k++)
		note_user(&n, s->swap[k]);
	expr_walk(s->limit, note_expr, &n);
	expr_walk(s->until, note_expr, &n);
	for (int i = 0; i < s->body.n; i++)
		note_node(users, s->body.at[i], leaves);
}

/* ---- pins and remarks ---- */

bool fuse_wanted(const struct node *m, const char *why, const char *pays)
{
	return !why && (m->pin.fuse > 0 || (m->pin.fuse == 0 && !pays));
}

bool fuse_allowed(struct node *m, const char *why, const char *pays)
{
	if (m->pin.fuse > 0 && why) {
		if (pin_refused(m, PIN_FUSE, D_PIN_FUSE, "`%s` cannot be fused: %s", m->name, why))
			diag_cure("leave the pin out; --remarks says the same without an error");
		return false;
	}
	if (fuse_wanted(m, why, pays))
		return true;
	remark_not(m, PASS_FUSE, "%s", m->pin.fuse < 0 ? "pinned" : why ? why : pays);
	return false;
}

void fuse_join(struct node *m, struct node *into)
{
	m->into = into;
	for (enum pin pin = 0; pin < PIN_COUNT; pin++)
		if (pin != PIN_FUSE && pin_refused(m, pin, D_PIN_FUSED, "`%s` is computed in the kernel of `%s`: it has none "
		                                   "of its own to be pinned", m->name, into->name))
			diag_cure("pin `%s`, or pin `%s: no fuse` too", into->name, m->name);
}

/* ---- a map into its only reader ---- */

/* t[i, j] = e, whole (so its indices are the subscripts), unmasked, one equation, nothing tested at run time */
static const char *no_producer(const struct node *m)
{
	if (m->equation.n != 1)
		return "it has several equations";
	const struct expr *t = m->equation.at[0]->target.at[0], *cell = target_read((struct expr *)t);
	if (cell->var->kind != VAR_LET)
		return str_print("the caller receives `%s`", cell->var->name);
	if (t->kind != E_READ)
		return str_print("`%s` is written in part, or a scalar", cell->var->name);
	if (!m->whole || m->where)
		return str_print("some cells of `%s` keep their value", t->var->name);
	if (node_reads(m, t->var))
		return str_print("it reads `%s`, which it writes", t->var->name);
	if (node_checked(m))
		return "it has accesses that are tested at run time";
	return NULL;
}

static bool count_op(struct expr *e, void *state)
{
	*(int *)state += e->kind == E_CALL ? 2 * CHEAP : e->kind != E_VAR && e->kind != E_CONST;
	return true;
}

struct use { const struct var *var; int reads; bool offset; const struct node *node; };

static bool count_read(struct expr *e, void *state)
{
	struct use *u = state;
	if (e->kind != E_READ || e->var != u->var)
		return true;
	u->reads++;
	for (int a = 0; a < e->arg.n; a++) {
		int k;
		int64_t offset;
		bool own = access_offset(u->node, e, a, &k, &offset) && offset == 0;
		u->offset |= !own && !expr_has(e, E_FOLD);
	}
	return true;
}

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

static bool any_edge(const struct node *node)
{
	for (int d = 0; d < node->index.n; d++)
		if (node->edge[d].kind != B_NONE)
			return true;
	return false;
}

static const char *no_edge(const struct node *m, const struct node *reader)
{
	if (!any_edge(reader))
		return NULL;
	if (!edges_allow(reader))
		return str_print("outside its array `%s` reads a value or keeps its cell, which is not that of a cell computed there",
		                 reader->name);
	if (!own_cells(m, m->equation.at[0]->right))
		return str_print("the boundary of `%s` would have to hold for other arrays too", reader->name);
	return NULL;
}

/* What runs along an axis computes its terms twice: first their total, then the cells. */
static const char *no_gain(const struct node *m, const struct node *reader, const struct use *use)
{
	int operations = 0, times = reader->running ? 2 * use->reads : use->reads;
	expr_walk(m->equation.at[0]->right, count_op, &operations);
	bool once = times == 1 && !any_edge(reader);
	if (operations <= (once ? LARGE : CHEAP))
		return NULL;
	if (once)
		return str_print("with its %d operations `%s` would grow too large", operations, reader->name);
	return str_print("`%s` reads each cell %d times, and %d operations are too many to repeat (at most %d)",
	                 reader->name, times, operations, CHEAP);
}

/* Nothing between the two changes what the producer read. */
static const char *no_rest(const struct body *b, int from, int to)
{
	const struct node *m = b->at[from];
	for (int i = from + 1; i < to; i++) {
		const struct node *s = b->at[i];
		if (s->kind != NODE_PATTERN)
			return "a loop or a swap stands between it and its reader";
		for (int q = 0; q < s->equation.n; q++)
			for (int t = 0; t < s->equation.at[q]->target.n; t++) {
				const struct var *var = target_read(s->equation.at[q]->target.at[t])->var;
				if (node_reads(m, var))
					return str_print("`%s` writes `%s`, which it reads, before `%s` is needed", s->name, var->name,
					                 m->equation.at[0]->target.at[0]->var->name);
			}
	}
	return NULL;
}

/* The reader changes what the producer read, or the temporary itself: a later equation of it wants that. */
static bool writes_inputs(const struct node *reader, const struct node *m)
{
	if (node_writes(reader, m->equation.at[0]->target.at[0]->var))
		return true;
	for (int q = 0; q < reader->equation.n; q++)
		for (int t = 0; t < reader->equation.at[q]->target.n; t++)
			if (node_reads(m, target_read(reader->equation.at[q]->target.at[t])->var))
				return true;
	return false;
}

static struct expr *substituted(struct expr *e, const struct node *m)
{
	if (!e)
		return NULL;
	for (int a = 0; a < e->arg.n; a++)
		e->arg.at[a] = substituted(e->arg.at[a], m);
	if (e->fold && e->fold->where)
		e->fold->where = substituted(e->fold->where, m);
	const struct expr *t = m->equation.at[0]->target.at[0];
	if (e->kind != E_READ || e->var != t->var)
		return e;
	struct expr *x = expr_substitute(m->equation.at[0]->right, m->index.at, e->arg.at, m->index.n);
	if (x->type == t->type)
		return x;
	struct expr *cast = expr_new(E_CAST, t->type, e->at);
	list_add(&cast->arg, x);
	return cast;
}

static void substitute_recurrence(struct recurrence *r, const struct node *m)
{
	for (int k = 0; k < MAX_ORDER; k++)
		r->weight[k] = substituted(r->weight[k], m);
	r->rest = substituted(r->rest, m);
}

static void substitute_form(struct wave_form *f, const struct node *m)
{
	for (int k = 0; f && k < f->term.n; k++)
		f->term.at[k].weight = substituted(f->term.at[k].weight, m);
	if (f)
		f->rest = substituted(f->rest, m);
}

static void substitute_wave(struct wavefront *w, const struct node *m)
{
	for (int q = 0; q < w->algebra.n; q++) {
		substitute_form(w->algebra.at[q].row, m);
		substitute_form(w->algebra.at[q].all, m);
	}
	for (int k = 0; k < w->read.n; k++)
		w->read.at[k]->outside = substituted(w->read.at[k]->outside, m);
}

static void substitute_into(struct node *reader, const struct node *m)
{
	reader->where = substituted(reader->where, m);
	for (int q = 0; q < reader->equation.n; q++) {
		reader->equation.at[q]->right = substituted(reader->equation.at[q]->right, m);
		if (reader->equation.at[q]->recurrence)
			substitute_recurrence(reader->equation.at[q]->recurrence, m);
	}
	if (reader->wave)
		substitute_wave(reader->wave, m);
	for (int k = 0; reader->running && k < MAX_ORDER; k++)
		reader->running->from[k] = substituted(reader->running->from[k], m);
}

static bool no_range_of(struct expr *e, void *var)
{
	for (int d = 0; e->fold && d < e->fold->index.n; d++)
		if (expr_uses(e->fold->lo.at[d], var) || expr_uses(e->fold->hi.at[d], var))
			return false;
	return true;
}

/* Ranges come from it: they stay cells of one array, which lowerings rely on (ragged.h). */
static bool bounds_ranges(const struct node *reader, const struct var *var)
{
	for (int k = 0; k < reader->index.n; k++)
		if (expr_uses(reader->lo.at[k], var) || expr_uses(reader->hi.at[k], var))
			return true;
	for (int k = 0; reader->wave && k < reader->wave->within.n; k++)
		if (expr_uses(reader->wave->within.at[k].offset, var))
			return true;
	return !node_walk((struct node *)reader, no_range_of, (void *)var);
}

/* The place behind i of the one other statement that uses var; -1: there is none, or it stands elsewhere. */
static int reader_of(const struct body *b, int i, const struct users *users, const char **why)
{
	if (users->at.n != 2) {
		*why = users->at.n < 2 ? "nothing reads it" : str_print("%d statements use its target", users->at.n - 1);
		return -1;
	}
	const struct node *reader = users->at.at[users->at.at[0] == b->at[i]];
	*why = reader->kind == NODE_PATTERN ? str_print("`%s` stands before it or in another block", reader->name)
	                                    : "a loop or a swap uses its target";
	for (int r = i + 1; r < *b->n; r++)
		if (b->at[r] == reader)
			return reader->kind == NODE_PATTERN ? r : -1;
	return -1;
}

/* Why the statement at i cannot be computed where b->at[*r] reads it; *pays: why it should not. */
static const char *no_substitution(struct map *users, const struct body *b, int i, int *r, const char **pays)
{
	const struct node *m = b->at[i];
	const char *why = no_producer(m);
	if (why)
		return why;
	struct use use = { .var = m->equation.at[0]->target.at[0]->var };
	*r = reader_of(b, i, map_get(users, use.var), &why);
	if (*r < 0)
		return why;
	struct node *reader = b->at[*r];
	if (!node_reads(reader, use.var))
		return str_print("`%s` writes its target and does not read it", reader->name);
	if (reader->running && reader->running->cut == use.var)
		return str_print("`%s` asks it where sequences begin", reader->name);
	if (bounds_ranges(reader, use.var))
		return str_print("ranges of `%s` come from `%s`", reader->name, use.var->name);
	use.node = reader;
	node_walk(reader, count_read, &use);
	if (!(reader->pattern->fuse & FUSE_READS) || node_checked(reader))
		return str_print("`%s` has accesses that are tested at run time", reader->name);
	if (node_clause(reader, "strict") && !node_clause(m, "strict"))
		return str_print("`%s` is strict: what it reads has been rounded", reader->name);
	if (writes_inputs(reader, m))
		return str_print("`%s` writes what this statement reads", reader->name);
	*pays = no_gain(m, reader, &use);
	why = no_rest(b, i, *r);
	return why ? why : no_edge(m, reader);
}

static void tell_substituted(struct node *m, struct node *reader)
{
	const struct var *t = m->equation.at[0]->target.at[0]->var;
	const char *bytes = remark_bytes(2 * (double)type_size(t->type));
	remark_did(m, PASS_FUSE, BANDWIDTH, "computed where `%s` reads it: `%s` is neither written nor read again, "
	           "%s a cell less", reader->name, t->name, bytes);
	remark_did(reader, PASS_FUSE, BANDWIDTH, "computes `%s` where it reads it", m->name);
}

/* ---- a map onto what it alone reads ---- */

/* Why the cells of the reader are not those of m, each read once. */
static const char *no_cells(const struct node *m, const struct node *reader)
{
	const struct var *t = m->equation.at[0]->target.at[0]->var;
	struct use use = { .var = t, .node = reader };
	node_walk((struct node *)reader, count_read, &use);
	bool same = reader->whole && reader->index.n == t->rank && use.reads == 1 && !use.offset;
	for (int d = 0; same && d < t->rank; d++) {
		const struct var *target = target_read(reader->equation.at[0]->target.at[0])->var;
		same = target->rank == t->rank && affine_equal(&target->extent[d], &t->extent[d]);
	}
	return same ? NULL : str_print("`%s` does not read each cell of `%s` once, for a cell of its own", reader->name, t->name);
}

static const char *no_ground(struct map *users, const struct body *b, int i, int *r, const char **pays)
{
	const struct node *m = b->at[i];
	const char *why = no_substitution(users, b, i, r, pays);
	*pays = NULL;
	if (why)
		return why;
	const struct node *reader = b->at[*r];
	if (!(reader->pattern->fuse & FUSE_INTO) || reader->equation.n > 1)
		return str_print("`%s` is no map with a single equation", reader->name);
	if (m->clause.n || reader->clause.n)
		return "they have clauses that may not hold for both";
	return no_cells(m, reader);
}

/* m becomes the statement that writes what the reader writes, and stands in its place. */
static void take_over(struct node *m, struct node *reader)
{
	m->where = reader->where;
	m->whole = reader->whole;
	memcpy(&m->index, &reader->index, sizeof m->index);
	memcpy(&m->lo, &reader->lo, sizeof m->lo);
	memcpy(&m->hi, &reader->hi, sizeof m->hi);
	memcpy(&m->equation, &reader->equation, sizeof m->equation);
}

static void tell_onto(struct node *m, struct node *reader, const struct var *t)
{
	const char *bytes = remark_bytes(2 * (double)type_size(t->type));
	remark_did(reader, PASS_FUSE, BANDWIDTH, "computed where `%s` has a cell of `%s`, which is neither written nor read again: "
	           "%s a cell less", m->name, t->name, bytes);
	remark_did(m, PASS_FUSE, BANDWIDTH, "computes `%s` where its cells are born", reader->name);
}

static void join_onto(struct map *users, const struct body *b, struct node *m, int r)
{
	struct node *reader = b->at[r];
	tell_onto(m, reader, m->equation.at[0]->target.at[0]->var);
	note_node(users, m, true);
	note_node(users, reader, true);
	substitute_into(reader, m);
	take_over(m, reader);
	note_node(users, m, false);
	fuse_join(reader, m);
	b->at[r] = m;
	list_add(&b->entry->inside, reader);
}

/* What it says of a statement that stays waits until it is known whether its rows are shared. */
struct unsaid { const char *why, *pays; };

static bool substitute(struct map *users, const struct body *b, int i)
{
	struct node *m = b->at[i];
	int r = -1;
	if (m->kind != NODE_PATTERN || !(m->pattern->fuse & (FUSE_INTO | FUSE_ONTO)))
		return false;
	bool onto = m->pattern->fuse & FUSE_ONTO;
	struct unsaid *u = NEW(struct unsaid);
	u->why = (onto ? no_ground : no_substitution)(users, b, i, &r, &u->pays);
	if (!fuse_wanted(m, u->why, u->pays)) {
		*map_at(b->unsaid, m) = u;
		return false;
	}
	if (onto) {
		join_onto(users, b, m, r);
		return true;
	}
	struct node *reader = b->at[r];
	note_node(users, m, true);
	note_node(users, reader, true);
	substitute_into(reader, m);
	note_node(users, reader, false);
	tell_substituted(m, reader);
	fuse_join(m, reader);
	list_add(&b->entry->inside, m);
	return true;
}

static void stay(const struct body *b, struct node *node)
{
	const struct unsaid *u = map_get(b->unsaid, node);
	if (u) {
		fuse_allowed(node, u->why, u->pays);
		return;
	}
	const char *why = str_print("a %s is not computed inside another statement, %s", node->pattern->name,
	                            node->pattern->fuse & FUSE_READS ? "others may be inside it" : "nor others inside it");
	fuse_allowed(node, why, NULL);
}

/* ---- the pass ---- */

static bool may_fold_behind(const struct node *node)
{
	return node->kind == NODE_PATTERN && !node->group && (node->pattern->fuse & FUSE_BEHIND);
}

/* Rows are shared with other statements by what does not fold them where they are born. */
static void fuse_body(struct map *users, const struct body *b)
{
	for (int i = 0; i < *b->n; i++) {
		if (!substitute(users, b, i))
			continue;
		--*b->n;
		memmove(&b->at[i], &b->at[i + 1], sizeof *b->at * (size_t)(*b->n - i));
		i--;
	}
	for (int i = 0; i < *b->n; i++)
		if (may_fold_behind(b->at[i]) && folds_product(b, i))
			fold_behind(b, i);
	fuse_rows(users, b);
	for (int i = 0; i < *b->n; i++) {
		struct node *node = b->at[i];
		if (may_fold_behind(node))
			fold_behind(b, i);
		else if (node->kind == NODE_PATTERN && !node->group)
			stay(b, node);
		fuse_body(users, &(struct body){ b->entry, node->body.at, &node->body.n, b->unsaid, b->options });
	}
}

static void off(struct node *node, const struct options *o)
{
	(void)o;
	remark_not(node, PASS_FUSE, "--no-pass=fuse");
}

void pass_fuse(struct entry *entry, const struct options *o)
{
	struct map users = { 0 }, unsaid = { 0 };
	if (!pass_enabled(o, "fuse")) {
		pass_each(entry, off, o);
		return;
	}
	for (int i = 0; i < entry->body.n; i++)
		note_node(&users, entry->body.at[i], false);
	fuse_body(&users, &(struct body){ entry, entry->body.at, &entry->body.n, &unsaid, o });
}
